"""Forecasts as rows of a table: each figure above its interval, the rate's as a bar too. `rates.html.j2` draws them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from radoscope.predict.forecast import Forecast
from radoscope.predict.whatif import Gain
from radoscope.units import format_count, format_seconds
from radoscope.words import _

WIDTH = 220
"""Of a bar, in units of its picture."""


@dataclass(frozen=True, slots=True)
class Scale:
    """From the left end of a bar to the right one, in IOPS, logarithmic."""

    low: float
    high: float

    def at(self, rate: float) -> float:
        share = math.log(max(rate, self.low) / self.low) / (math.log(self.high / self.low) or 1.0)
        return round(WIDTH * min(1.0, share), 1)


def rate_row(
    name: str, seen: Forecast, change: Gain | None, scale: Scale, wanted: float | None = None
) -> dict[str, Any]:
    """change: that is forecast instead of the cluster as it is. wanted: IOPS that a line marks."""
    rate, interval, latency_s, limit = (
        (change.iops, change.level, change.latency_s, change.next)
        if change
        else (seen.iops, seen.interval, seen.latency_s, seen.bottleneck)
    )
    start, end = scale.at(interval.low), scale.at(interval.high)
    return {
        "name": name,
        "iops": format_count(rate),
        "span": _("{low} to {high}", low=format_count(interval.low), high=format_count(interval.high)),
        **_against(change),
        "megabytes": format_count(seen.bandwidth_bytes_per_s * rate / seen.iops / 1e6),
        "latency": format_seconds(latency_s),
        "limit": _(limit),
        "from": start,
        "width": max(1.0, round(end - start, 1)),
        "middle": scale.at(rate),
        "wanted": None if wanted is None else scale.at(wanted),
    }


def _against(change: Gain | None) -> dict[str, str]:
    """The ratio to the cluster as it is, and its interval below it."""
    if change is None:
        return {"ratio": "", "ratio_span": ""}
    low, high = change.interval.low, change.interval.high
    span = _("exactly") if low == high == change.ratio else _("{low} to {high}", low=f"{low:.2f}", high=f"{high:.2f}")
    return {"ratio": f"x{change.ratio:.2f}", "ratio_span": span}
