"""Axes that several charts share."""

from __future__ import annotations

from markupsafe import Markup

from radoscope.report.charts.scale import Linear, tick_text
from radoscope.report.charts.svg import join, line, text

UNIT_PX = 34.0
"""How far the unit stands from the end of its axis: half a long number, and a blank."""


def axis_beneath(scale: Linear, top: float, bottom: float, unit: str) -> Markup:
    """A horizontal axis with its grid lines; the unit stands to the right of it."""
    parts = []
    for tick in scale.ticks(5):
        x = scale.at(tick)
        parts.append(line(x, top, x, bottom, "grid"))
        parts.append(text(x, bottom + 16, tick_text(tick), anchor="middle", class_="tick"))
    parts.append(text(scale.end + UNIT_PX, bottom + 16, unit, class_="tick"))
    return join(*parts)
