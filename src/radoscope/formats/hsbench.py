"""`hsbench`, which loads S3 gateways: one result a mode, from its line of totals. Its MB are MiB, its I/Os objects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from radoscope.formats.blocks import required
from radoscope.formats.quantities import MIB, latency, number, scaled
from radoscope.records.measurement import Result, Source

NAME = "hsbench"
SIGNS = ("Slowdowns:", "IO/s:")
ONE_LINE = True

_LONGEST_LINE = 400
_LINE = re.compile(
    r".{0,40}?Loop: \d+, Int: (?P<interval>\w+), Dur\(s\): (?P<time>[\d.]+), Mode: (?P<mode>\w+), Ops: (?P<ops>\d+), "
    r"MB/s: (?P<rate>[\d.]+), IO/s: (?P<iops>[\d.]+)(?:, Lat\(ms\): \[ min: (?P<min>[\d.]+), avg: (?P<mean>[\d.]+), "
    r"99%: (?P<p99>[\d.]+), max: (?P<max>[\d.]+))?"
)
_WAYS = {"PUT": "write", "GET": "read", "DEL": "delete", "LIST": "list"}


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The lines of totals."""
    return ((at, at + 1) for at, _ in _totals(lines))


def _totals(lines: Sequence[str]) -> Iterator[tuple[int, re.Match[str]]]:
    for at, line in enumerate(lines):
        if (match := _LINE.match(line[:_LONGEST_LINE])) and match["interval"] == "TOTAL":
            yield at, match


def remains(lines: Sequence[str]) -> Iterator[int]:
    """Seconds of a run."""
    for at, line in enumerate(lines):
        if _LINE.match(line[:_LONGEST_LINE]):
            yield at


def read(text: str) -> tuple[Result, ...]:
    """Every total of the text. Raises UnreadableFile where there is none."""
    results = (
        Result(
            tool=NAME,
            op=_WAYS.get(match["mode"], match["mode"].lower()),
            iops=number(match["iops"]),
            bandwidth_bytes_per_s=scaled(number(match["rate"]), MIB) if match["mode"] in ("PUT", "GET") else None,
            latency=latency(
                min_s=scaled(number(match["min"] or ""), 1e-3),
                mean_s=scaled(number(match["mean"] or ""), 1e-3),
                max_s=scaled(number(match["max"] or ""), 1e-3),
                percentiles_s={} if match["p99"] is None else {99.0: float(match["p99"]) / 1000},
            ),
            total_ios=int(match["ops"]),
            runtime_s=number(match["time"]),
            source=Source(reader=NAME, first_line=at + 1, last_line=at + 1),
        )
        for at, match in _totals(text.splitlines())
    )
    return required(results, "no totals of hsbench in this text", "They are lines with `Int: TOTAL`.")
