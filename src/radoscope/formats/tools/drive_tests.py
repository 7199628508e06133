"""Tests of single drives that print a line a figure: f3, h2testw, WinSAT, seeker, diskinfo, agnostics, iotune and the
NAS performance tester.

Such a line says itself what was done. WinSAT's and the NAS tester's MB are read as they are printed; all others' are
1024-based, as their sources have it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required, stretches
from radoscope.formats.grammar.quantities import latency, number, prefixed, seconds
from radoscope.records.measurement import Result, Source

NAME = "drive-tests"
SIGNS = (
    "blocks / ", "ing speed:", "rate: ", "seeks/second", "sec = ", "usec/IO", "-4k-", "(target ", ".0 Read", ".0 Write",
    "Measuring ", "Average (",
)  # fmt: skip
LOOKS_BACK = 40

_LONGEST_LINE = 200
_APART = 2
_NUMBER = r"\d[\d.,]{0,14}"
_RATE = rf"(?P<rate>{_NUMBER}) ?(?P<unit>[kmgt]?b(?:yte)?s?) ?/ ?s"
_TOOK = r"in\s+(?P<time>[\d.]{1,14}) sec ="
_TIME = r"(?P<mean>[\d.]{1,14}) (?P<mean_unit>ms|msec|usec)"


class _Line(NamedTuple):
    """What a tool prints of one figure. sign: is in each such line. op: where no group "order" or "way" tells it.

    near: words of which a page has one, for a person could write such a line, too.
    """

    tool: str
    sign: str
    pattern: re.Pattern[str]
    op: str | None = None
    is_1000_based: bool = False
    near: tuple[str, ...] = ()


def _line(
    tool: str,
    sign: str,
    pattern: str,
    op: str | None = None,
    near: tuple[str, ...] = (),
    *,
    is_1000_based: bool = False,
) -> _Line:
    return _Line(tool, sign, re.compile(rf"[\s=>*_`-]{{0,40}}{pattern}", re.IGNORECASE), op, is_1000_based, near)


_LINES = (
    _line(
        "f3probe", " blocks / ",
        rf"(?P<order>sequential|random) (?P<way>read|write):\s+{_RATE}"
        r" \((?P<count>\d{1,12}) blocks? / (?P<time>[\d:.]{1,15})s?\)",
    ),
    _line("f3", "ing speed:", rf"average (?P<way>read|writ)ing speed:\s+{_RATE}", near=("f3", "F3", "h2w")),
    _line("h2testw", "Byte/s", rf"(?P<way>writing speed|reading speed|schreibrate|leserate):\s+{_RATE}"),
    _line(
        "winsat", "Disk ",
        r"disk +(?P<order>sequential|random) (?P<kilo>\d{1,4}[.,]0) (?P<way>read|write)"
        rf"\s+{_RATE}(?:\s+{_NUMBER})?\s*$",
        is_1000_based=True,
    ),
    _line("seeker", "seeks/second", rf"results: (?P<iops>{_NUMBER}) seeks/second, {_TIME} random access", "randread"),
    _line(
        "diskinfo", " kbytes in ",
        rf"(?P<label>outside|middle|inside):\s+\d{{1,9}} kbytes {_TOOK}\s+{_RATE}", "read",
    ),
    _line(
        "diskinfo", " iter in ",
        rf"(?P<label>(?:full|half|quarter) stroke|short \w{{3,8}}):\s+(?P<count>\d{{1,9}}) iter {_TOOK}\s+{_TIME}",
        "randread",
    ),
    _line(
        "diskinfo", " iter in ",
        rf"(?P<label>seq (?:outer|inner)):\s+(?P<count>\d{{1,9}}) iter {_TOOK}\s+{_TIME}", "read",
    ),
    _line(
        "diskinfo", " ops in ",
        rf"(?:sectorsize|(?P<kilo>\d{{1,5}}) kbytes):\s+(?P<count>\d{{1,12}}) ops {_TOOK}\s+(?P<iops>{_NUMBER}) iops",
        "randread",
    ),
    _line("diskinfo", "usec/IO", rf"(?P<kilo>[\d.]{{1,7}}) kbytes:\s+{_TIME}/io =\s+{_RATE}", "randwrite"),
    _line(
        "agnostics", ";",
        r"(?P<order>seq|rand)-(?:(?P<kilo>4)k-)?(?P<way>read|write);(?:0;0;)?(?P<rate>[1-9]\d{0,8});(?P<iops>\d{1,9})(?:;0;0)?\s*$",
    ),
    _line("agnostics", " speed ", rf"(?P<order>sequential) (?P<way>write|read) speed {_RATE}ec \(target \d"),
    _line("agnostics", " speed ", rf"(?P<order>random) (?P<way>write|read) speed (?P<iops>{_NUMBER}) IOPS \(target \d"),
    _line("iotune", "Measuring ", rf"measuring (?P<order>sequential) (?P<way>read|write) bandwidth: {_RATE}"),
    _line("iotune", "Measuring ", rf"measuring (?P<order>random) (?P<way>read|write) iops: (?P<iops>{_NUMBER}) iops"),
    _line("nastester", "Average (", rf"average \((?P<way>[rw])\):\s+{_RATE}", is_1000_based=True),
)  # fmt: skip
_PARTS = (
    re.compile(r"\W{0,12}running a \d{1,9} ?MB file (?:write|read) on \S{1,99} (?:\d|twice|once)", re.IGNORECASE),
    re.compile(rf"\W{{0,12}}iteration \d{{1,4}}:\s+{_NUMBER} ?MB/s", re.IGNORECASE),
)  # fmt: skip
"""Of the NAS tester, whose average alone counts."""
_PREPARES = re.compile(r"prepare-file;\d{1,9};\d{1,9};\d{1,9};\d{1,9}\s*")
_MINUTE = 60.0
_FARTHEST_REPORT = 40


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges of such lines; what the NAS tester printed before its average belongs to it."""
    results = dict(_figures(lines))
    parts = {*remains(lines), *_between_reports(results)} if results else set()
    for first, end in stretches(sorted(results.keys() | parts), _APART):
        if any(at in results for at in range(first, end)):
            yield first, end


def _between_reports(results: Mapping[int, tuple[_Line, re.Match[str]]]) -> Iterator[int]:
    """f3probe tells its speeds when it has them, behind an arrow, and once more at its end."""
    places = [at for at, (line, _) in results.items() if line.tool == "f3probe"]
    for at, below in pairwise(places):
        is_told_again = "=>" in results[at][1][0] and "=>" not in results[below][1][0]
        yield from range(at, below) if is_told_again and below - at <= _FARTHEST_REPORT else ()


def remains(lines: Sequence[str]) -> Iterator[int]:
    """Single passes of the NAS tester; they are of it where it says so once, and another's elsewhere."""
    is_of_tester = any("MB file " in line and _PARTS[0].match(line[:_LONGEST_LINE]) for line in lines)
    for at, line in enumerate(lines):
        if is_of_tester and ("eration " in line or "MB file " in line):
            if any(pattern.match(line[:_LONGEST_LINE]) for pattern in _PARTS):
                yield at
        elif "prepare-file;" in line and _PREPARES.fullmatch(line[:_LONGEST_LINE]):
            yield at


def read(text: str) -> tuple[Result, ...]:
    """One result a figure. Raises UnreadableFile where there is none."""
    found = (_result(at, *figure) for at, figure in _figures(text.split("\n")))
    return required(_said_once(found), "no figure of a drive's test in this text")


def _figures(lines: Sequence[str]) -> Iterator[tuple[int, tuple[_Line, re.Match[str]]]]:
    """Each line with a figure, its pattern and what it holds."""
    whole = "\n".join(lines)
    here = [
        each for each in _LINES if each.sign in whole and (not each.near or any(map(whole.__contains__, each.near)))
    ]
    for at, line in enumerate(lines):
        for each in here:
            if each.sign in line and (match := each.pattern.match(line[:_LONGEST_LINE])):
                yield at, (each, match)
                break


def _said_once(results: Iterator[Result]) -> Iterator[Result]:
    """Without what agnostics and f3probe say once more of the figures above."""
    told: set[tuple[str | None, float]] = set()
    for result in results:
        numbers = {(result.op, value) for value in (result.iops, result.bandwidth_bytes_per_s) if value is not None}
        if result.tool in ("agnostics", "f3probe") and numbers <= told:
            continue
        told |= numbers
        yield result


def _result(at: int, line: _Line, match: re.Match[str]) -> Result:
    said = {name: text for name, text in match.groupdict().items() if text}
    kilo, base = number(said.get("kilo", "")), 1000.0 if line.is_1000_based else 1024.0
    return Result(
        tool=line.tool,
        op=line.op or _operation(said),
        block_bytes=round(kilo * 1024) if kilo else None,
        iops=number(said.get("iops", "")),
        bandwidth_bytes_per_s=prefixed(said.get("rate", ""), said.get("unit", "k"), base),
        latency=latency(mean_s=seconds(number(said.get("mean", "")), said.get("mean_unit", ""))),
        total_ios=int(said["count"]) if "count" in said else None,
        runtime_s=_took(said.get("time", "")),
        source=Source(reader=NAME, first_line=at + 1, last_line=at + 1),
        extra={"label": said["label"]} if "label" in said else {},
    )


def _operation(said: Mapping[str, str]) -> str:
    """By the first letters: "random", "seq"; "write", "W", "schreib"."""
    writes = said["way"][:1].lower() in ("w", "s")
    return ("rand" if said.get("order", "").lower().startswith("rand") else "") + ("write" if writes else "read")


def _took(time: str) -> float | None:
    """ "1:24:59" -> 5099.0, "18.87" -> 18.87."""
    total = 0.0
    for part in time.split(":"):
        value = number(part)
        if value is None:
            return None
        total = total * _MINUTE + value
    return total
