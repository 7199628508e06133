"""SPDK's `perf` (`spdk_nvme_perf`): the total of a run, or its devices. Its MB are MiB, its times microseconds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required
from radoscope.formats.grammar.command_lines import nearest, option, size
from radoscope.formats.grammar.quantities import MIB, count, latency, number, scaled
from radoscope.records.measurement import Result, Source

NAME = "spdk-perf"
SIGNS = ("Device Information",)
LOOKS_BACK = 60

_LONGEST_LINE = 400
_HEAD = re.compile(r"\s*Device Information\s*:\s*IOPS\s+Mi?B/s\s+Average\s+min\s+max\s*$")
_ROW = re.compile(
    r"\s*(?P<name>\S.{0,150}?)\s*:\s*(?P<iops>[\d.]+)\s+(?P<rate>[\d.]+)\s+(?P<mean>[\d.]+)\s+(?P<min>[\d.]+)"
    r"\s+(?P<max>[\d.]+)\s*$"
)
_BESIDE = re.compile(r"\s*=*\s*")
_COMMAND = re.compile(r"\b(?:spdk_nvme_perf|perf)\s(?P<arguments>.*-w\s.*)")
_OPS = ("read", "write", "randread", "randwrite", "rw", "randrw")


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges: the head with the rows below it."""
    first: int | None = None
    last = 0
    for at, line in enumerate([*lines, "end"]):
        line = line[:_LONGEST_LINE]
        if first is not None and _ROW.match(line):
            last = at
        elif first is not None and not _BESIDE.fullmatch(line):
            if last > first:
                yield first, last + 1
            first = None
        if "Device Information" in line and _HEAD.match(line):
            first = last = at


def read(text: str) -> tuple[Result, ...]:
    """One result a run, one a device where its total is missing. Raises UnreadableFile where there is none."""
    lines = text.split("\n")
    results = (result for first, end in find(lines) for result in _run(lines, first, end))
    return required(results, "no run of SPDK's perf in this text", "Its rows stand below `Device Information`.")


def _run(lines: Sequence[str], first: int, end: int) -> Iterator[Result]:
    found = [(at, match) for at in range(first, end) if (match := _ROW.match(lines[at][:_LONGEST_LINE]))]
    totals = [each for each in found if each[1]["name"] == "Total"]
    command = nearest(lines[max(0, first - LOOKS_BACK) : first], _COMMAND)
    arguments = command["arguments"] if command else ""
    asked = option(arguments, "-w", "--io-pattern")
    for at, row in totals or found:
        yield Result(
            tool=NAME,
            op=asked if asked in _OPS else None,
            block_bytes=size(option(arguments, "-o", "-s", "--io-size") or ""),
            queue_depth=count(option(arguments, "-q", "--io-depth")) or None,
            iops=number(row["iops"]),
            bandwidth_bytes_per_s=scaled(number(row["rate"]), MIB),
            latency=latency(
                min_s=scaled(number(row["min"]), 1e-6),
                mean_s=scaled(number(row["mean"]), 1e-6),
                max_s=scaled(number(row["max"]), 1e-6),
            ),
            source=Source(reader=NAME, first_line=at + 1, last_line=at + 1),
            context=("op", "block_bytes", "queue_depth") if asked in _OPS else (),
            extra={} if totals else {"label": row["name"]},
        )
