"""`pveperf`, Proxmox VE's quick test: buffered reads (its MB are MiB) and fsync calls, one after another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required
from radoscope.formats.grammar.quantities import MIB, latency, number, scaled
from radoscope.records.extra import Extra
from radoscope.records.measurement import Result, Source

NAME = "pveperf"
SIGNS = ("FSYNCS/SECOND", "BUFFERED READS")

_LINE = re.compile(
    r"[\s|]*(?P<key>CPU BOGOMIPS|REGEX/SECOND|HD SIZE|BUFFERED READS|AVERAGE SEEK TIME|FSYNCS/SECOND|DNS EXT"
    r"|DNS INT)\s*[:：]\s*(?P<value>[\d.,]*)(?P<rest>.{0,200})$"
)


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges of one call; a key that comes again begins the next."""
    first: int | None = None
    last, keys = 0, set[str]()
    for at, line in enumerate(lines):
        match = _LINE.match(line) if (len(line) < 300 and ":" in line) or "：" in line else None
        if match is None:
            continue
        if first is not None and (match["key"] in keys or at - last > 3):
            yield first, last + 1
            first, keys = None, set()
        first, last = at if first is None else first, at
        keys.add(match["key"])
    if first is not None:
        yield first, last + 1


def read(text: str) -> tuple[Result, ...]:
    """Its reads and its fsyncs. Raises UnreadableFile where neither is there."""
    lines = text.split("\n")
    results = (result for first, end in find(lines) for result in _read_call(lines, first, end))
    return required(results, "neither buffered reads nor fsyncs of pveperf in this text")


def _read_call(lines: Sequence[str], first: int, end: int) -> Iterator[Result]:
    matches = (match for line in lines[first:end] if (match := _LINE.match(line[:300])))
    values = {match["key"]: number(match["value"]) for match in matches}
    source = Source(reader=NAME, first_line=first + 1, last_line=end)
    reads, syncs = values.get("BUFFERED READS"), values.get("FSYNCS/SECOND")
    if reads is not None:
        seek = scaled(values.get("AVERAGE SEEK TIME"), 1e-3)
        extra: Extra = {"seek_time_s": seek} if seek is not None else {}
        yield Result(tool=NAME, op="read", bandwidth_bytes_per_s=reads * MIB, source=source, extra=extra)
    if syncs is not None:
        mean = latency(mean_s=1 / syncs if syncs else None)
        yield Result(
            tool=NAME, op="write", queue_depth=1, iops=syncs, sync=mean, source=source, extra={"fsyncs_per_s": syncs}
        )
