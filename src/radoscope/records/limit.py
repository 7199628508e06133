"""A latency limit, for the search for the highest IOPS below it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LatencyLimit:
    """latency_s: the most that `percentile` percent of all I/Os may take, or their mean where percentile is None."""

    latency_s: float
    percentile: float | None = None

    def __post_init__(self) -> None:
        if not self.latency_s > 0:
            raise ValueError("latency_s must be more than 0")
        if self.percentile is not None and not 0 < self.percentile < 100:
            raise ValueError("percentile must be between 0 and 100")

    @property
    def metric(self) -> str:
        """ "mean" or "p99.9"."""
        return "mean" if self.percentile is None else f"p{self.percentile:g}"

    @property
    def words(self) -> str:
        """As it is asked for: "p99.9 <= 10ms"."""
        return f"{self.metric} <= {self.latency_s * 1e3:g}ms"

    @property
    def slow_share(self) -> float:
        """The share of I/Os that may be slower than the limit; of the mean there is none."""
        return 1.0 if self.percentile is None else 1 - self.percentile / 100
