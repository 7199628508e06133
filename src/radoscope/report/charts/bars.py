"""Pairs of bars, one pair a layer: large blocks written and read."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from radoscope.report.charts import svg
from radoscope.words import columns

WIDTH, LEFT, RIGHT, BAR, GAP, TOP = 560.0, 84.0, 160.0, 18.0, 14.0, 8.0

BOLD_PX = 8.0
"""Width of an average letter of a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One bar from 0. label: of the bar within its group; shown alone when there is no value. ends: of its interval."""

    label: str
    hue: str
    value: float | None
    ends: tuple[float, float] | None = None
    text: str = ""
    tip: str = ""
    light: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    label: str
    bars: tuple[Bar, ...]


def draw_bars(groups: tuple[Group, ...], *, label: str, unit: str) -> Markup:
    """Groups from top to bottom with a shared axis from 0 beneath them."""
    reach = max((bar.ends[1] if bar.ends else bar.value or 0.0 for group in groups for bar in group.bars), default=0.0)
    longest = max((columns(f"{bar.text} {bar.label}") for group in groups for bar in group.bars), default=0)
    left = max(LEFT, 16 + BOLD_PX * max((columns(group.label) for group in groups), default=0))
    scale = svg.Linear(0.0, svg.round_up(reach), left, WIDTH - max(RIGHT, 16 + BOLD_PX * longest))
    y, drawn = TOP, []
    for group in groups:
        drawn.append(_group(group, y, scale))
        y += BAR * len(group.bars) + GAP
    return svg.chart(WIDTH, y + 26, label, svg.axis_beneath(scale, TOP, y - GAP / 2, unit), *drawn, kind="bars")


def _group(group: Group, top: float, scale: svg.Linear) -> Markup:
    middle = top + BAR * len(group.bars) / 2
    name = svg.text(scale.at(0.0) - 10, middle + 4.5, group.label, anchor="end", class_="name")
    return svg.join(name, *(_bar(bar, top + BAR * index, scale) for index, bar in enumerate(group.bars)))


def _bar(bar: Bar, top: float, scale: svg.Linear) -> Markup:
    middle = top + BAR / 2
    if bar.value is None:
        return svg.text(scale.at(0.0) + 8, middle + 4.5, bar.label, class_="soft small")
    left, right = scale.at(0.0), scale.at(bar.value)
    kind = f"bar {bar.hue}" + (" light" if bar.light else "")
    shape = svg.element("rect", x=left, y=top + 1.5, width=max(right - left, 1.5), height=BAR - 3, rx=2.0, class_=kind)
    whisker = svg.error_bar(bar.ends, scale, middle, vertical=False, cap=3.5)
    edge = right if bar.ends is None else max(right, scale.at(bar.ends[1]))
    return svg.with_tip(
        bar.tip, shape, whisker, svg.text(edge + 8, middle + 4.5, f"{bar.text} {bar.label}", class_="value")
    )
