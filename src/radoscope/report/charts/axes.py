"""Axes that several charts share."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from markupsafe import Markup

from radoscope.report.charts.scale import Linear, Log, tick_text
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


def axis_beside(
    scale: Linear | Log,
    ticks: Iterable[float],
    left: float,
    right: float,
    *,
    write: Callable[[float], str] = tick_text,
    gap: float = 7.0,
) -> Markup:
    """A vertical axis: a grid line from left to right at each tick, its number `gap` px before it."""
    parts = []
    for tick in ticks:
        y = scale.at(tick)
        parts.append(line(left, y, right, y, "grid"))
        parts.append(text(left - gap, y + 4, write(tick), anchor="end", class_="tick"))
    return join(*parts)
