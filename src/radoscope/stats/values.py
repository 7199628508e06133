"""The answers that statistics give: an estimate with its interval, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from radoscope.words import _

if TYPE_CHECKING:  # start-up time: a prediction has intervals, and no records
    from radoscope.records.measurement import Histogram, Series
    from radoscope.records.study import Cell


@dataclass(frozen=True, slots=True)
class Interval:
    """A range that holds the true value with the stated confidence."""

    low: float
    high: float
    confidence: float = 0.95

    def __post_init__(self) -> None:
        if not self.low <= self.high:
            raise ValueError(f"an interval needs low <= high, not {self.low} and {self.high}")

    def excludes(self, value: float) -> bool:
        return value < self.low or value > self.high

    @property
    def half_width(self) -> float:
        return (self.high - self.low) / 2


@dataclass(frozen=True, slots=True)
class Undecided:
    """No answer, and why; `needs` says what would give one ("about 4 more rounds, 40 s")."""

    because: str
    needs: str = ""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its interval. samples: how many independent observations bear it. method: in a few words."""

    value: float
    interval: Interval | Undecided
    samples: int = 1
    method: str = ""

    @property
    def relative_half_width(self) -> float | None:
        """Half the interval's width over the value; None where there is no interval or the value is 0."""
        if isinstance(self.interval, Undecided) or self.value == 0:
            return None
        return self.interval.half_width / abs(self.value)

    @property
    def ends(self) -> tuple[float, float] | None:
        """Of its interval, None where there is none."""
        return None if isinstance(self.interval, Undecided) else (self.interval.low, self.interval.high)

    def times(self, factor: float) -> Estimate:
        """In another unit, or shared out; factor: above 0."""
        interval = self.interval
        if isinstance(interval, Interval):
            interval = Interval(interval.low * factor, interval.high * factor, interval.confidence)
        return replace(self, value=self.value * factor, interval=interval)


@dataclass(frozen=True, slots=True, kw_only=True)
class LatencySummary:
    """Latency of a cell over all its segments and clients, in seconds. percentiles_s: percent -> estimate."""

    min_s: float | None = None
    mean_s: Estimate | Undecided
    max_s: float | None = None
    percentiles_s: Mapping[float, Estimate | Undecided] = field(default_factory=dict)
    histogram: Histogram | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CellSummary:
    """The results of one cell.

    iops and bandwidth are sums over its clients. precise: the interval is within the asked precision. needs: what it
    would take where it is not. segments: those that count; failed: those that do not. seconds: wall time spent.
    series: per-second rates of all segments on one clock, for pictures. per_client_iops: means, one per client.
    latency_by_round: round -> mean seconds of one I/O there, its fsync included.
    """

    cell: Cell
    iops: Estimate | Undecided
    bandwidth_bytes_per_s: Estimate | Undecided
    latency: LatencySummary | Undecided
    sync: LatencySummary | None = None
    segments: int = 0
    failed: int = 0
    seconds: float = 0.0
    measured_s: float = 0.0
    precise: bool = False
    needs: str = ""
    series: tuple[Series, ...] = ()
    per_client_iops: tuple[float, ...] = ()
    latency_by_round: Mapping[int, float] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def latency_at(self, percentile: float | None) -> Estimate | Undecided:
        """Seconds at a percentile, or their mean where it is None."""
        if isinstance(self.latency, Undecided):
            return self.latency
        if percentile is None:
            return self.latency.mean_s
        return self.latency.percentiles_s.get(percentile, Undecided(_("not reported")))

    @property
    def judged(self) -> Estimate | Undecided:
        """What its precision is asked of: its IOPS; on the network bytes a second, or the round trip; of an OSD's own
        bench the time of a write."""
        from radoscope.records.conditions import Layer

        if self.cell.conditions.layer not in (Layer.NETWORK, Layer.OSD):
            return self.iops
        if isinstance(self.bandwidth_bytes_per_s, Estimate) or isinstance(self.latency, Undecided):
            return self.bandwidth_bytes_per_s
        return self.latency.mean_s


@dataclass(frozen=True, slots=True, kw_only=True)
class Summaries:
    """All cells of a study in its order."""

    cells: tuple[CellSummary, ...]
    host_drift: Estimate | Undecided | None = None

    def of(self, name: str) -> CellSummary | None:
        return next((summary for summary in self.cells if summary.cell.name == name), None)
