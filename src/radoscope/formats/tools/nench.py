"""`nench`, a script that tries out rented servers: its downloads. Its other parts are ioping's and dd's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required
from radoscope.formats.grammar.quantities import bytes_per_s, number
from radoscope.records.measurement import Result, Source

NAME = "nench"
SIGNS = ("IPv4 speedtests", "IPv6 speedtests")

_LONGEST_LINE = 200
_HEAD = re.compile(r"[\s>|]{0,20}IPv[46] speedtests\W{0,3}$")
_DOWNLOAD = re.compile(
    r"[\s>|]{0,20}(?P<host>[^\W\d_][^:]{1,60}):\s{1,40}(?P<rate>[\d.]{1,10}) ?(?P<unit>[kKMG]?i?B/s)\s{0,20}$"
)
_OTHER = re.compile(r"[\s>|]{0,20}(?:your IPv[46]\b|No IPv[46] connectivity|$)")


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges: a head with the lines below it that name a host and a rate."""
    for at, line in enumerate(lines):
        if "speedtests" in line and _HEAD.match(line[:_LONGEST_LINE]):
            rows = list(_downloads(lines, at))
            if rows:
                yield at, rows[-1][0] + 1


def _downloads(lines: Sequence[str], head: int) -> Iterator[tuple[int, re.Match[str]]]:
    """Up to the first line that is none and belongs to nothing else of this part."""
    for at in range(head + 1, len(lines)):
        line = lines[at][:_LONGEST_LINE]
        if match := _DOWNLOAD.match(line):
            yield at, match
        elif not _OTHER.match(line):
            return


def read(text: str) -> tuple[Result, ...]:
    """What came from each host. Raises UnreadableFile where there is none."""
    lines = text.split("\n")
    results = (
        Result(
            tool=NAME,
            op="recv",
            bandwidth_bytes_per_s=bytes_per_s(rate, match["unit"]),
            source=Source(reader=NAME, first_line=at + 1, last_line=at + 1),
            extra={"label": match["host"].strip()},
        )
        for first, _ in find(lines)
        for at, match in _downloads(lines, first)
        if (rate := number(match["rate"]))
    )
    return required(results, "no download of nench in this text")
