"""The decision page: present and planned cluster side by side, as one HTML file without scripts."""

from __future__ import annotations

import math

from radoscope.predict import Plan, Row
from radoscope.report.document import page_template, style
from radoscope.units import format_count
from radoscope.words import _

WIDTH = 220
"""Pixels of an interval's bar."""


def render_plan(plan: Plan, title: str) -> str:
    """A self-contained page; all text is escaped."""
    return page_template("plan.html.j2").render(
        plan=plan, title=title, style=style(), rows=[_row(r) for r in plan.rows]
    )


def _row(row: Row) -> dict[str, object]:
    """Texts and bars of one workload, all options on one logarithmic scale."""
    now = row.now
    spans = [(now.interval.low, now.iops, now.interval.high)]
    spans += [(one.level.low, one.iops, one.level.high) for one in row.ratios]
    low, high = math.log(min(s[0] for s in spans)), math.log(max(s[2] for s in spans))

    def at(value: float) -> float:
        return round(WIDTH * (math.log(value) - low) / max(high - low, 1e-9), 1)

    names = ["", *(times(r.ratio, r.interval.low, r.interval.high) for r in row.ratios)]
    next_ones = [_(now.bottleneck), *(_(r.next) for r in row.ratios)]
    cells = [
        {
            "iops": format_count(middle),
            "span": _("{low} to {high}", low=format_count(start), high=format_count(end)),
            "ratio": names[i],
            "next": next_ones[i],
            "from": at(start),
            "width": max(1.0, round(at(end) - at(start), 1)),
            "middle": at(middle),
        }
        for i, (start, middle, end) in enumerate(spans)
    ]
    return {"workload": row.workload, "cells": cells}


def times(ratio: float, low: float, high: float) -> str:
    if low == high == ratio:
        return _("x{ratio:.2f}, exactly", ratio=ratio)
    return _("x{ratio:.2f} ({low:.2f} to {high:.2f})", ratio=ratio, low=low, high=high)
