"""`vdbench`: the average of each run (`avg_2-30`). Its MB are MiB, its times ms; whether I/O was random is not said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required
from radoscope.formats.grammar.quantities import MIB, latency, number, scaled
from radoscope.records.measurement import Result, Source

NAME = "vdbench"
SIGNS = ("avg_",)

_LONGEST_LINE = 400
_HEAD = re.compile(r".{0,40}\binterval\s+i/o\s+MB/sec\s+bytes\s+read\s+resp\b(?P<rest>.*)")
_UNITS = re.compile(r"\s*rate\s+1024\*\*2\s+i/o\s+pct\s+time\b")
_ROW = re.compile(
    r"\s*(?:\d\d:\d\d:\d\d\.\d{3}\s+)?(?P<interval>avg_\d+-\d+|\d{1,6})\s+(?P<cells>(?:[\d.]+|NaN)(?:\s+(?:[\d.]+|NaN)){4,16})\s*$"
)


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges from the head to the average."""
    first: int | None = None
    for at, line in enumerate(lines):
        line = line[:_LONGEST_LINE]
        if "MB/sec" in line and _HEAD.match(line):
            first = at
        elif first is not None and (match := _ROW.match(line)) and match["interval"].startswith("avg"):
            yield first, at + 1
            first = None


def remains(lines: Sequence[str]) -> Iterator[int]:
    below = False
    for at, line in enumerate(lines):
        line = line[:_LONGEST_LINE]
        head = "MB/sec" in line and _HEAD.match(line) is not None
        below = head or (below and (_ROW.match(line) is not None or _UNITS.match(line) is not None))
        if below:
            yield at


def read(text: str) -> tuple[Result, ...]:
    """The average of each run. Raises UnreadableFile where no run has ended."""
    lines = text.split("\n")
    results = (result for _, end in find(lines) if (result := _read(lines, end)) is not None)
    return required(results, "no average of a run of vdbench in this text")


def _read(lines: Sequence[str], end: int) -> Result | None:
    match = _ROW.match(lines[end - 1][:_LONGEST_LINE])
    if match is None:
        return None
    rate, mega, block, share, mean, *rest = [number(cell) for cell in match["cells"].split()]
    if not rate:
        return None
    op = {100.0: "read", 0.0: "write"}.get(share if share is not None else -1.0, "rw")
    deviation, depth = (rest[4], rest[5]) if len(rest) >= 8 else (None, None)
    return Result(
        tool=NAME,
        op=op,
        block_bytes=int(block) if block else None,
        iops=rate,
        bandwidth_bytes_per_s=scaled(mega, MIB),
        latency=latency(mean_s=scaled(mean, 1e-3), stddev_s=scaled(deviation, 1e-3)),
        source=Source(reader=NAME, first_line=end, last_line=end),
        context=("op",),
        extra={"mean_depth": depth} if depth is not None else {},
    )
