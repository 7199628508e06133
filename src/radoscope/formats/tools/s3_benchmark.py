"""Wasabi's `s3-benchmark`: one result a line of a loop. Its MB are MiB, and it prints the rates without a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required
from radoscope.formats.grammar.command_lines import nearest, size
from radoscope.formats.grammar.quantities import MIB, count, number, scaled
from radoscope.records.measurement import Result, Source

NAME = "s3-benchmark"
SIGNS = ("operations/sec",)
ONE_LINE = True
COMMAND_HOLDS = True
LOOKS_BACK = 40

_LONGEST_LINE = 400
_LINE = re.compile(
    r".{0,40}?\bLoop \d+: (?P<mode>PUT|GET) time (?P<time>[\d.]+) secs, objects = (?P<objects>\d+), "
    r"speed = (?P<rate>[\d.]+)(?P<unit>[KMGT]?B)/sec, (?P<iops>[\d.]+) operations/sec"
)
_PARAMETERS = re.compile(r"\bParameters: url=.*?\bthreads=(?P<threads>\d{1,5}),.*?\bsize=(?P<size>\d+[kKMG]?)")
_OPS = {"PUT": "write", "GET": "read"}
_UNITS = {"B": 1.0, "KB": 1024.0, "MB": MIB, "GB": 1024.0 * MIB, "TB": MIB * MIB}


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The lines of PUT and GET."""
    for at, line in enumerate(lines):
        if _LINE.match(line[:_LONGEST_LINE]):
            yield at, at + 1


def read(text: str) -> tuple[Result, ...]:
    """Every loop of the text. Raises UnreadableFile where there is none."""
    lines = text.split("\n")
    results = (_read(lines, at) for at, _ in find(lines))
    return required(results, "no loop of s3-benchmark in this text", "Its lines say `objects = ...`.")


def _read(lines: Sequence[str], at: int) -> Result:
    match = _LINE.match(lines[at][:_LONGEST_LINE])
    assert match is not None  # as find() has seen
    asked = nearest(lines[max(0, at - LOOKS_BACK) : at], _PARAMETERS)
    return Result(
        tool=NAME,
        op=_OPS[match["mode"]],
        block_bytes=size(asked["size"]) if asked else None,
        queue_depth=count(asked["threads"]) or None if asked else None,
        iops=number(match["iops"]),
        bandwidth_bytes_per_s=scaled(number(match["rate"]), _UNITS[match["unit"]]),
        total_ios=int(match["objects"]),
        runtime_s=number(match["time"]),
        source=Source(reader=NAME, first_line=at + 1, last_line=at + 1),
        context=("block_bytes", "queue_depth") if asked else (),
    )
