"""Twins of pages: our own numbers in other people's layouts, each with what a careful reader takes from it.

A file holds pages: `=== name | language | kind | source`, the text, `--- truth`, and a line a result: the operation
("-" where the text does not say it), then bs (4k, 1M), qd, jobs, iops, bw (bytes/s or with a unit: 38.2MiB), lat, p50,
p99, p999, sync (with a unit), tool. `bs=none`: to read one would be wrong; `tool=any`: whoever reads it. source is the
kind of page whose layout it has; all twins of a source are in one half.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from radoscope.archives import paste
from radoscope.records.measurement import Result
from radoscope.wire import exchanged
from tests.archives.scoring import FIELDS, score

FOLDER = Path(__file__).parent
_KEYS = {
    "bs": "block_bytes", "qd": "queue_depth", "jobs": "jobs", "iops": "iops", "bw": "bw_bytes_per_s",
    "lat": "lat_mean_ns",
    "p50": "lat_p50_ns", "p99": "lat_p99_ns", "p999": "lat_p999_ns", "sync": "sync_mean_ns", "ios": "total_ios",
    "time": "runtime_s",
}  # fmt: skip
_NS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}
_BYTES = {
    "k": 2.0**10, "M": 2.0**20, "G": 2.0**30, "kB": 1e3, "MB": 1e6, "GB": 1e9,
    "KiB": 2.0**10, "MiB": 2.0**20, "GiB": 2.0**30,
}  # fmt: skip


@dataclass(frozen=True)
class Twin:
    """One page and its truth: objects as `radoscope import --json` prints them."""

    name: str
    language: str
    kind: str
    text: str
    truth: tuple[Mapping[str, Any], ...]


@dataclass
class Tally:
    """Results: right are those without a wrong field. wrong: what was read and is not so.

    understood: those that are right, the ones that are listed because of a doubt among them.
    """

    expected: int = 0
    found: int = 0
    right: int = 0
    understood: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.expected += other.expected
        self.found += other.found
        self.right += other.right
        self.understood += other.understood
        self.wrong += other.wrong

    @property
    def recall(self) -> float:
        return self.right / self.expected if self.expected else 1.0

    @property
    def understanding(self) -> float:
        return self.understood / self.expected if self.expected else 1.0

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else 1.0


def twins(half: str, name: str = "*") -> Iterator[Twin]:
    """All pages of the files of one part: "tuned", "held", or "blind", which nothing was mended for; or of one set."""
    for file in files(half, name):
        yield from pages(file)


def files(half: str, name: str = "*") -> list[Path]:
    return sorted(FOLDER.glob(f"{half}_{name}.txt"))


def pages(file: Path) -> Iterator[Twin]:
    for part in re.split(r"^=== ", file.read_text("utf-8"), flags=re.MULTILINE)[1:]:
        head, _, rest = part.partition("\n")
        text, _, truth = rest.partition("--- truth\n")
        name, language, kind = (word.strip() for word in head.split("|")[:3])
        lines = [line for line in truth.splitlines() if line.strip()]
        yield Twin(name, language, kind, text, tuple(result_of(line) for line in lines))


def result_of(line: str) -> dict[str, Any]:
    op, *words = line.split()
    result: dict[str, Any] = {**dict.fromkeys(FIELDS), "tool": "table", "op": None if op == "-" else op, "extra": {}}
    for word in words:
        key, _, value = word.partition("=")
        if key == "tool":
            result["tool"] = value
        elif value == "none":
            result.setdefault("_must_null", []).append(_KEYS[key])
        elif match := re.fullmatch(r"([\d.]+)(ns|us|ms|s)", value):
            result[_KEYS[key]] = float(match[1]) * (1.0 if key == "time" else _NS[match[2]])
        elif match := re.fullmatch(r"([\d.]+)([kMG](?:i?B)?|KiB)", value):
            result[_KEYS[key]] = float(match[1]) * _BYTES[match[2]]
        else:
            result[_KEYS[key]] = float(value)
    return result


def tally(page: Twin) -> Tally:
    """A page's score. `wrong` tells of all that was understood, stamped as read or not."""
    read = paste.read_page(page.text)
    stamped, everything = (_scored(page, results) for results in (read.results, read.everything))
    return replace(stamped, understood=everything.right, wrong=everything.wrong)


def _scored(page: Twin, results: Sequence[Result]) -> Tally:
    found = [exchanged(result) for result in results]
    found = [result for result in found if any(result[key] is not None for key in FIELDS[5:12])]  # without states
    if any(want["tool"] == "any" for want in page.truth):
        found = [{**result, "tool": "any"} for result in found]
    result = score(found, page.truth)
    bad = len({line.split(": ")[0] for line in result.wrong})
    wrong = [f"{page.name}: {line}" for line in str(result).splitlines() if line != "perfect"]
    return Tally(len(page.truth), len(found), result.right - min(bad, result.right), wrong=wrong)
