"""What was seen: results as the tools reported them, each with its unit in its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from radoscope.records.extra import Extra

PERCENTILES: tuple[float, ...] = (50.0, 99.0, 99.5, 99.9, 99.95, 99.99)
"""The latency percentiles that every cell reports, in percent."""


@dataclass(frozen=True, slots=True)
class Histogram:
    """Counts of latencies.

    values_s: ascending representative latency of each bin in seconds, as the tool gives it (fio: the bin's centre).
    counts: how many I/Os fell into each bin; same length.
    """

    values_s: tuple[float, ...]
    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.values_s) != len(self.counts):
            raise ValueError("a histogram needs as many values as counts")

    @property
    def total(self) -> int:
        return sum(self.counts)


@dataclass(frozen=True, slots=True)
class Series:
    """A quantity over time.

    name: what, e.g. "iops" or "latency_s". unit: "1/s", "bytes/s", "s", "1". times_s: seconds since the Unix epoch
    where the tool says so (`absolute`), else since the start of the run. values: same length.
    """

    name: str
    unit: str
    times_s: tuple[float, ...]
    values: tuple[float, ...]
    absolute: bool = False

    def __post_init__(self) -> None:
        if len(self.times_s) != len(self.values):
            raise ValueError("a series needs as many times as values")


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """Summary of one latency distribution in seconds. None: the tool did not say."""

    min_s: float | None = None
    mean_s: float | None = None
    max_s: float | None = None
    stddev_s: float | None = None
    samples: int | None = None
    percentiles_s: Mapping[float, float] = field(default_factory=dict)
    histogram: Histogram | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where in a text a result was read: 1-based first and last line, and the reader's name."""

    reader: str
    first_line: int | None = None
    last_line: int | None = None
    file: str | None = None

    @property
    def lines(self) -> str:
        """ "12-15", "12" for one line, empty where it is not of a text."""
        return span(self.first_line, self.last_line or self.first_line) if self.first_line else ""


def span(first: int, last: int) -> str:
    """Line numbers as people write them: "12-15", or "12"."""
    return str(first) if first == last else f"{first}-{last}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One run in one direction, as one tool reported it. None: the text does not say; never an invented number.

    latency is the total latency of an I/O (fio: `lat`; where only `clat` is printed, that); completion is fio's `clat`
    where it is printed beside it; sync is the latency of fsync or fdatasync calls. bandwidth in bytes/s, runtime in
    seconds. context names the fields that follow only from a command line or a heading beside the output.
    extra: see `records.extra`.
    """

    tool: str
    op: str | None = None
    block_bytes: int | None = None
    queue_depth: int | None = None
    jobs: int | None = None
    iops: float | None = None
    bandwidth_bytes_per_s: float | None = None
    latency: Latency | None = None
    completion: Latency | None = None
    sync: Latency | None = None
    total_ios: int | None = None
    runtime_s: float | None = None
    series: tuple[Series, ...] = ()
    source: Source | None = None
    context: tuple[str, ...] = ()
    extra: Extra = field(default_factory=Extra)
