"""AS SSD's report as text: rates of its three tests and access times.

Its MB are 1024-based: its 4K rate in MB/s, times 256, is what it shows as IOPS.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required
from radoscope.formats.grammar.quantities import latency, number, prefixed, seconds
from radoscope.records.measurement import Result, Source

NAME = "as-ssd"
SIGNS = ("AS SSD", "4K-64", "4k-64")

_LONGEST_LINE = 200
_MOST_LINES = 80
_HEAD = re.compile(r"\W{0,12}AS SSD Benchmark \d[\d.]{2,20}\W*$")
_SECTION = re.compile(
    r"\W{0,12}(?:(?P<sequential>seq[^\W\d]*)|(?P<threads>4 ?k ?[-_ ] ?64 ?-?thr\w+)|(?P<small>4 ?k)"
    r"|(?P<access>acc\.?(?:ess)?[ _]?times?|zugriffszeit\w*)|(?P<score>score|punkte|(?:copy|compress).{0,20})):?\W*$",
    re.IGNORECASE,
)
_ROW = re.compile(
    r"\W{0,12}(?P<way>read|write|lesen|schreiben)\s*:\s*(?P<value>\d[\d.,]{0,14}) (?P<unit>[kMG]B/s|ms|iops)\W*$",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"\W*$|\W{0,12}(?:name|firmware|controller|offset|size|date|größe|datum|total|gesamt|read|write|lesen|schreiben)\s*:.*",
    re.IGNORECASE,
)


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges from the name of the program, or its first test, to its last figure."""
    at = 0
    while at < len(lines):
        end = at + 1
        is_named = "AS SSD" in lines[at] and _HEAD.match(lines[at][:_LONGEST_LINE])
        first = _SECTION.match(lines[at][:_LONGEST_LINE])
        if is_named or (first and first["sequential"]):
            last = end
            while end < min(len(lines), at + _MOST_LINES) and _is_its(lines[end][:_LONGEST_LINE]):
                end += 1
                last = end if any(map(str.isalnum, lines[end - 1])) else last
            own = [line[:_LONGEST_LINE] for line in lines[at:last]]
            if any(map(_ROW.match, own)) and (is_named or any(map(_is_of_threads, own))):
                yield at, last
        at = end


def _is_its(line: str) -> bool:
    return any(pattern.match(line) for pattern in (_BESIDE, _SECTION, _ROW))


def _is_of_threads(line: str) -> bool:
    """Its third test, which no other program calls so."""
    section = _SECTION.match(line)
    return section is not None and section["threads"] is not None


def read(text: str) -> tuple[Result, ...]:
    """One result a rate and one an access time. Raises UnreadableFile where there is none."""
    lines = text.split("\n")
    results = (result for first, end in find(lines) for result in _report(lines, first, end))
    return required(results, "no rate of AS SSD in this text")


def _report(lines: Sequence[str], first: int, end: int) -> Iterator[Result]:
    section = ""
    for at in range(first, end):
        line = lines[at][:_LONGEST_LINE]
        if match := _SECTION.match(line):
            section = match.lastgroup or ""
        elif (match := _ROW.match(line)) and section in ("sequential", "small", "threads", "access"):
            way = "read" if match["way"].lower() in ("read", "lesen") else "write"
            is_time = match["unit"] == "ms"
            if is_time != (section == "access"):
                continue
            counts = match["unit"].lower() == "iops"
            yield Result(
                tool=NAME,
                op=way if section == "sequential" else f"rand{way}",
                block_bytes=4096 if section in ("small", "threads") else None,
                jobs=64 if section == "threads" else None,
                iops=number(match["value"]) if counts else None,
                bandwidth_bytes_per_s=None if is_time or counts else prefixed(match["value"], match["unit"], 1024.0),
                latency=latency(mean_s=seconds(number(match["value"]), "ms")) if is_time else None,
                source=Source(reader=NAME, first_line=at + 1, last_line=at + 1),
            )
