"""`iops`, the script that reads a drive block size by block size: one result a line.

It writes sizes that are powers of two in thousands: "131 kB blocks" are of 128 KiB. Its random reads are the default,
and older versions know no other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required, with_above
from radoscope.formats.grammar.quantities import bytes_per_s, number
from radoscope.records.measurement import Result, Source

NAME = "iops"
LOOKS_BACK = 4
SIGNS = (" blocks:",)

_LONGEST_LINE = 200
_ROW = re.compile(
    r"\W{0,12}(?P<size>\d{1,4}(?:\.\d{1,3})?) +(?P<scale>[kKMG]?)i?B blocks: *(?P<iops>\d[\d.]*) *IO/s, *"
    r"(?P<rate>\d[\d.]*) *(?P<unit>[kKMG]?i?B/s) *\( *\d[\d.]* *[kKMG]?i?bit/s\)"
)
_HEAD = re.compile(
    r".{1,80}?, +[\d.]+ +[KMGT]?i?B?,.{0,40}? (?:#?threads=(?P<threads>\d{1,4})|(?P<count>\d{1,4}) threads)(?P<rest>.*)"
)
_POWER = {"": 0, "k": 1, "m": 2, "g": 3}
_OFF = 0.075
"""By how much of a power of two 1 MB is less than 1 MiB; rows of larger blocks nobody has."""


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges: rows below each other."""
    first = None
    for at, line in enumerate([*lines, ""]):
        is_row = " blocks:" in line and _ROW.match(line[:_LONGEST_LINE]) is not None
        if is_row and first is None:
            first = at
        elif not is_row and first is not None:
            yield first, at
            first = None


def read(text: str) -> tuple[Result, ...]:
    """Every row of the text. Raises UnreadableFile where there is none."""
    lines = text.splitlines()
    results = [
        _result(match, at, above)
        for first, end, above in with_above(lines, find(lines), LOOKS_BACK)
        for at in range(first, end)
        if (match := _ROW.match(lines[at][:_LONGEST_LINE]))
    ]
    return required(results, "no rows of iops in this text", "They are lines `4 kB blocks: ... IO/s, ... MB/s`.")


def _result(match: re.Match[str], at: int, above: Sequence[str]) -> Result:
    head = next((found for line in reversed(above) if (found := _HEAD.match(line[:_LONGEST_LINE]))), None)
    is_random = head is not None and "pattern=seq" not in head["rest"]
    rate = number(match["rate"])
    return Result(
        tool=NAME,
        op="randread" if is_random else "read",
        block_bytes=_block(match),
        jobs=int(head["threads"] or head["count"]) or None if head else None,
        iops=number(match["iops"]),
        bandwidth_bytes_per_s=None if rate is None else bytes_per_s(rate, match["unit"]),
        source=Source(reader=NAME, first_line=at + 1, last_line=at + 1),
        context=("op", "jobs") if head else (),
    )


def _block(match: re.Match[str]) -> int | None:
    """The power of two that was rounded; a size that is near none is nothing that this tool prints."""
    if not float(match["size"]):
        return None
    bits = math.log2(float(match["size"])) + math.log2(1000) * _POWER[match["scale"].lower()]
    if "iB" in match[0].partition("blocks")[0]:
        bits += math.log2(1.024) * _POWER[match["scale"].lower()]
    return 2 ** round(bits) if bits >= 9 - _OFF and abs(bits - round(bits)) < _OFF else None
