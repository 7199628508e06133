"""`ceph osd df` and `ceph osd df tree`: number of OSDs, and the row of totals."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from radoscope.errors import UnreadableFile
from radoscope.formats.quantities import number
from radoscope.records.extra import Extra, known
from radoscope.records.measurement import Result, Source

NAME = "ceph-osd-df"
SIGNS = ("%USE",)

_LONGEST_LINE = 400
_HEAD = re.compile(r"\s*ID\s+(?:CLASS\s+)?WEIGHT\s+REWEIGHT\s+SIZE\s+(?:RAW\s?)?USE\b", re.IGNORECASE)
_ROW = re.compile(r"\s*(?P<id>-?\d{1,6})\s+.*\d")
_TOTAL = re.compile(r"\s*TOTAL\s+(?P<rest>.*)")
_SPREAD = re.compile(r"\s*MIN/MAX VAR:")
_SIZE = re.compile(r"(?P<value>\d[\d.]*)\s?(?P<unit>[KMGTPE]i?B?|B)(?=\s|$)")
_POWER = {"B": 0, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5, "E": 6}


def recognises(head: str) -> bool:
    return any(sign in head for sign in SIGNS)


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges from the names of the columns to the totals, with the line of the spread."""
    at = 0
    while at < len(lines):
        if not _HEAD.match(lines[at][:_LONGEST_LINE]):
            at += 1
            continue
        end = at + 1
        while end < len(lines) and _belongs(lines[end][:_LONGEST_LINE]):
            end += 1
        if end > at + 1:
            yield at, end
        at = end


def _belongs(line: str) -> bool:
    return any(pattern.match(line) for pattern in (_ROW, _TOTAL, _SPREAD))


def read(text: str) -> tuple[Result, ...]:
    """Every table of the text. Raises UnreadableFile where there is none."""
    lines = text.splitlines()
    results = []
    for first, end in find(lines):
        source = Source(reader=NAME, first_line=first + 1, last_line=end)
        results.append(Result(tool=NAME, source=source, extra=_facts(lines[first + 1 : end])))
    if not results:
        raise UnreadableFile("no usage of OSDs in this text", "It begins with `ID CLASS WEIGHT REWEIGHT SIZE`.")
    return tuple(results)


def _facts(rows: Sequence[str]) -> Extra:
    osds = {
        match["id"] for row in rows if (match := _ROW.match(row[:_LONGEST_LINE])) and not match["id"].startswith("-")
    }
    facts: Extra = {"osds": len(osds)}
    total = next((match["rest"] for row in rows if (match := _TOTAL.match(row[:_LONGEST_LINE]))), None)
    if total is None:
        return facts
    sizes = [_bytes(match) for match in _SIZE.finditer(total)]
    if len(sizes) >= 3:
        facts |= known({"size_bytes": sizes[0], "used_bytes": sizes[1], "avail_bytes": sizes[-1]})
    share = number(_SIZE.sub("", total).strip().split(" ")[0]) if sizes else None
    if share is not None:
        facts["use_pct"] = share
    return facts


def _bytes(match: re.Match[str]) -> float | None:
    value = number(match["value"])
    return None if value is None else value * 1024.0 ** _POWER[match["unit"][0]]
