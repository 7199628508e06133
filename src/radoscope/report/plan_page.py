"""The decision page: present and planned cluster side by side, as one HTML file without scripts."""

from __future__ import annotations

import math

from radoscope.predict import Facts, Plan, Row, apply_workload
from radoscope.report.document import page_template, style
from radoscope.units import format_block, format_count, format_seconds
from radoscope.words import N_, _

WIDTH = 220
"""Pixels of an interval's bar."""
_OPERATIONS = {
    "seq_read": N_("sequential read"),
    "seq_write": N_("sequential write"),
    "rand_read": N_("random read"),
    "rand_write": N_("random write"),
    "mixed": N_("mixed random"),
}


def render_plan(plan: Plan, title: str) -> str:
    """A self-contained page; all text is escaped."""
    return page_template("plan.html.j2").render(
        plan=plan, title=title, style=style(), rows=[_row(r) for r in plan.rows], count=format_count
    )


def _row(row: Row) -> dict[str, object]:
    """Texts and bars of one workload, all options on one logarithmic scale."""
    now = row.now
    spans = [(now.interval.low, now.iops, now.interval.high)]
    spans += [(one.level.low, one.iops, one.level.high) for one in row.ratios]
    low, high = math.log(min(s[0] for s in spans)), math.log(max(s[2] for s in spans))

    def at(value: float) -> float:
        return round(WIDTH * (math.log(value) - low) / max(high - low, 1e-9), 1)

    rates = [now.iops, *(one.iops for one in row.ratios)]
    latencies = [now.latency_s, *(one.latency_s for one in row.ratios)]
    block_bytes = now.bandwidth_bytes_per_s / now.iops
    names = ["", *(times(r.ratio, r.interval.low, r.interval.high) for r in row.ratios)]
    next_ones = [_(now.bottleneck), *(_(r.next) for r in row.ratios)]
    cells = [
        {
            "iops": format_count(middle),
            "megabytes": format_count(rates[i] * block_bytes / 1e6),
            "latency": format_seconds(latencies[i]),
            "span": _("{low} to {high}", low=format_count(start), high=format_count(end)),
            "ratio": names[i],
            "next": next_ones[i],
            "from": at(start),
            "width": max(1.0, round(at(end) - at(start), 1)),
            "middle": at(middle),
        }
        for i, (start, middle, end) in enumerate(spans)
    ]
    return {"workload": row.workload, "load": load_words(row.workload), "cells": cells}


def load_words(workload: str) -> str:
    """4k-randwrite-qd32-xall -> "4K random write, QD32, one client on each of as many hosts as the cluster has"."""
    load = apply_workload(Facts(), workload)
    parts = [f"{format_block(load.block_bytes or 0)} {_(_OPERATIONS[load.op or 'mixed'])}", f"QD{load.queue_depth:g}"]
    if load.whole_cluster:
        parts.append(_("one client on each of as many hosts as the cluster has, or the option"))
    elif load.clients and load.clients > 1:
        parts.append(_("{clients} clients", clients=round(load.clients)))
    return ", ".join(parts)


def times(ratio: float, low: float, high: float) -> str:
    if low == high == ratio:
        return _("x{ratio:.2f}, exactly", ratio=ratio)
    return _("x{ratio:.2f} ({low:.2f} to {high:.2f})", ratio=ratio, low=low, high=high)
