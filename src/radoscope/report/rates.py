"""Forecasts as rows of a table, and the decision page that is made of them: one HTML file without scripts.

Each figure stands above its interval, the rate's as a bar too. `rates.html.j2` draws them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from radoscope.predict.facts import Facts, apply_workload
from radoscope.predict.forecast import Forecast
from radoscope.predict.plan import Decision, WorkloadRow
from radoscope.predict.whatif import Gain
from radoscope.report.document import page_template, style
from radoscope.units import format_block, format_count, format_seconds
from radoscope.words import N_, _

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


_OPERATIONS = {
    "seq_read": N_("sequential read"),
    "seq_write": N_("sequential write"),
    "rand_read": N_("random read"),
    "rand_write": N_("random write"),
    "mixed": N_("mixed random"),
}


def render_plan(plan: Decision, title: str) -> str:
    """A self-contained page; all text is escaped."""
    return page_template("plan.html.j2").render(
        plan=plan, title=title, style=style(), loads=[_row(plan, one) for one in plan.rows], count=format_count
    )


def _row(plan: Decision, row: WorkloadRow) -> dict[str, object]:
    """One workload: a row for each option, all on one scale."""
    rates = [(row.now, None), *((row.now, one) for one in row.ratios)]
    spans = [row.now.interval, *(one.level for one in row.ratios)]
    scale = Scale(min(one.low for one in spans), max(one.high for one in spans))
    rows = [
        rate_row(option.name, now, change, scale) for option, (now, change) in zip(plan.options, rates, strict=True)
    ]
    return {"workload": row.workload, "load": load_words(row.workload), "rows": rows}


def load_words(workload: str) -> str:
    """4k-randwrite-qd32-xall -> "4K random write, QD32, one client on each of as many hosts as the cluster has"."""
    load = apply_workload(Facts(), workload)
    parts = [f"{format_block(load.block_bytes or 0)} {_(_OPERATIONS[load.op or 'mixed'])}", f"QD{load.queue_depth:g}"]
    if load.whole_cluster:
        parts.append(_("one client on each of as many hosts as the cluster has, or the option"))
    elif load.clients and load.clients > 1:
        parts.append(_("{clients} clients", clients=round(load.clients)))
    return ", ".join(parts)
