"""`hsbench`, which loads S3 gateways: one result a mode, from its line of totals. Its MB are MiB, its I/Os objects.

The size of an object and the threads stand in its list of parameters, or in the command above it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required
from radoscope.formats.grammar.command_lines import option, size
from radoscope.formats.grammar.quantities import MIB, count, latency, number, scaled
from radoscope.records.measurement import Result, Source

NAME = "hsbench"
SIGNS = ("Slowdowns:", "IO/s:")
ONE_LINE = True
COMMAND_HOLDS = True
LOOKS_BACK = 200
"""Seconds of a run may stand between its parameters and its totals."""

_LONGEST_LINE = 400
_LINE = re.compile(
    r".{0,40}?Loop: \d+, Int: (?P<interval>\w+), Dur\(s\): (?P<time>[\d.]+), Mode: (?P<mode>\w+), Ops: (?P<ops>\d+), "
    r"MB/s: (?P<rate>[\d.]+), IO/s: (?P<iops>[\d.]+)(?:, Lat\(ms\): \[ min: (?P<min>[\d.]+), avg: (?P<mean>[\d.]+), "
    r"99%: (?P<p99>[\d.]+), max: (?P<max>[\d.]+))?"
)
_WAYS = {"PUT": "write", "GET": "read", "DEL": "delete", "LIST": "list"}
_COMMAND = re.compile(r"\bhsbench\s+(?P<arguments>-.{1,390})")
_PARAMETER = re.compile(r"(?:[\d/]{8,10} [\d:]{8} |\s{0,20})(?:(?P<size>size|objSize)|threads)=(?P<value>\w{1,20})\s*")


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The lines of totals."""
    return ((at, at + 1) for at, _ in _totals(lines))


def _totals(lines: Sequence[str]) -> Iterator[tuple[int, re.Match[str]]]:
    """A mode that did nothing, as the emptying of an empty bucket, has none."""
    for at, line in enumerate(lines):
        if (match := _LINE.match(line[:_LONGEST_LINE])) and match["interval"] == "TOTAL" and int(match["ops"]):
            yield at, match


def remains(lines: Sequence[str]) -> Iterator[int]:
    """Seconds of a run."""
    for at, line in enumerate(lines):
        if _LINE.match(line[:_LONGEST_LINE]):
            yield at


def read(text: str) -> tuple[Result, ...]:
    """Every total of the text. Raises UnreadableFile where there is none."""
    lines = text.splitlines()
    results = (_read(match, at, _asked(lines[max(0, at - LOOKS_BACK) : at])) for at, match in _totals(lines))
    return required(results, "no totals of hsbench in this text", "They are lines with `Int: TOTAL`.")


def _asked(before: Sequence[str]) -> dict[str, str]:
    """The size and the threads of the nearest command or list of parameters."""
    asked: dict[str, str] = {}
    for line in reversed(before):
        if match := _COMMAND.search(line[:_LONGEST_LINE]):
            for name, short in (("size", "-z"), ("threads", "-t")):
                if (value := option(match["arguments"], short)) is not None:
                    asked.setdefault(name, value)
            break
        if match := _PARAMETER.fullmatch(line[:_LONGEST_LINE]):
            asked.setdefault("size" if match["size"] else "threads", match["value"])
        elif asked and "Hotsauce" in line:
            break
    return asked


def _read(match: re.Match[str], at: int, asked: dict[str, str]) -> Result:
    moves_data = match["mode"] in ("PUT", "GET")
    block = size(asked["size"]) if "size" in asked and moves_data else None
    threads = count(asked.get("threads")) or None
    return Result(
        tool=NAME,
        op=_WAYS.get(match["mode"], match["mode"].lower()),
        block_bytes=block,
        jobs=threads,
        iops=number(match["iops"]),
        bandwidth_bytes_per_s=scaled(number(match["rate"]), MIB) if moves_data else None,
        latency=latency(
            min_s=_time(match["min"]),
            mean_s=_time(match["mean"]),
            max_s=_time(match["max"]),
            percentiles_s={99.0: time} if (time := _time(match["p99"])) else {},
        ),
        total_ios=int(match["ops"]),
        runtime_s=number(match["time"]),
        source=Source(reader=NAME, first_line=at + 1, last_line=at + 1),
        context=tuple(name for name, value in (("block_bytes", block), ("jobs", threads)) if value is not None),
    )


def _time(milliseconds: str | None) -> float | None:
    """In seconds; "0.0" is less than it shows."""
    return scaled(number(milliseconds or ""), 1e-3) or None
