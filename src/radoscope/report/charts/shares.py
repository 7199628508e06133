"""Bars of equal length, each split into the parts of a whole: where the time of each cell's I/O went."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from radoscope.report.charts import svg

WIDTH, LEFT, RIGHT, ROW, BAR, KEY, TOP = 1100.0, 260.0, 90.0, 26.0, 18.0, 12.0, 34.0


@dataclass(frozen=True, slots=True)
class Slice:
    """A part of a bar. share: of the whole, 0 to 1. hue: a colour class of the page."""

    name: str
    hue: str
    share: float
    tip: str


@dataclass(frozen=True, slots=True)
class Bar:
    label: str
    value: str
    slices: tuple[Slice, ...]


def draw_shares(bars: Sequence[Bar], names: Sequence[str], *, label: str) -> Markup:
    """Bars from top to bottom beneath a key of the parts. names: of the parts, in the key's order."""
    hues = {one.name: one.hue for bar in bars for one in bar.slices}
    keys = [(name, hues[name]) for name in names if name in hues]
    rows = [_row(bar, TOP + ROW * index) for index, bar in enumerate(bars)]
    return svg.chart(WIDTH, TOP + ROW * len(bars) + 4, label, _key(keys), *rows, kind="shares")


def _key(keys: Sequence[tuple[str, str]]) -> Markup:
    x, drawn = KEY, []
    for name, hue in keys:
        drawn.append(svg.element("rect", x=x, y=6.0, width=KEY, height=KEY, rx=2.0, class_=f"bar {hue}"))
        drawn.append(svg.text(x + KEY + 6, 16.5, name, class_="small"))
        # letters of Chinese and Japanese are twice as wide
        x += KEY + 24 + sum(svg.CHARACTER_PX * (2 if ord(letter) > 0x2E80 else 1) for letter in name)
    return svg.join(*drawn)


def _row(bar: Bar, top: float) -> Markup:
    middle, x, full = top + ROW / 2, LEFT, WIDTH - LEFT - RIGHT
    whole = max(1.0, sum(one.share for one in bar.slices))
    drawn = [svg.text(LEFT - 10, middle + 4.5, bar.label, anchor="end", class_="name")]
    for one in bar.slices:
        width = full * one.share / whole
        shape = svg.element("rect", x=x, y=middle - BAR / 2, width=width, height=BAR, class_=f"bar {one.hue}")
        drawn.append(svg.with_tip(one.tip, shape))
        x += width
    return svg.join(*drawn, svg.text(WIDTH - RIGHT + 8, middle + 4.5, bar.value, class_="value"))
