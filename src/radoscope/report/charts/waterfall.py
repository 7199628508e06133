"""The ladder as a picture: each step starts where the one above it ended."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup

from radoscope.report.charts import svg
from radoscope.words import columns

WIDTH, LEFT, RIGHT, ROW, BAR, TOP = 560.0, 118.0, 118.0, 40.0, 20.0, 8.0
NOTE_PX = 8.0
"""Width of an average letter of a note, on a phone at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One step. start, end, ends in the chart's unit; ends: of the interval of its end, None without one.

    hue: a colour class of the page ("disk"). with_label: small, beneath the label. note: shown instead of a bar when
    there is nothing to draw.
    """

    label: str
    hue: str
    with_label: str = ""
    start: float = 0.0
    end: float = 0.0
    ends: tuple[float, float] | None = None
    value: str = ""
    detail: str = ""
    note: str = ""
    tip: str = ""

    @property
    def reach(self) -> float:
        return max(self.start, self.end, self.ends[1] if self.ends else 0.0)


def draw_waterfall(bars: tuple[Bar, ...], *, label: str, unit: str) -> Markup:
    """Bars from top to bottom with a shared axis from 0 beneath them."""
    bottom = TOP + ROW * len(bars)
    ends = [bar.reach for bar in bars]
    scale = svg.Linear(0.0, svg.round_up(max(ends, default=0.0)), LEFT, WIDTH - RIGHT)
    rows = [_row(bar, TOP + ROW * index, scale) for index, bar in enumerate(bars)]
    axis, links = svg.axis_beneath(scale, TOP, bottom, unit), _links(bars, scale)
    return svg.chart(WIDTH, bottom + 34, label, axis, links, *rows, kind="waterfall")


def _row(bar: Bar, top: float, scale: svg.Linear) -> Markup:
    middle = top + ROW / 2
    name = _label(bar, middle)
    if bar.note:
        return svg.with_tip(bar.tip, name, _note(bar.note, scale.at(bar.start), middle + 4.5))
    left, right = sorted((scale.at(bar.start), scale.at(bar.end)))
    kind = "bar negative" if bar.end < bar.start else "bar"
    rectangle = svg.element(
        "rect", x=left, y=middle - BAR / 2, width=max(right - left, 1.5), height=BAR, rx=2.0, class_=f"{kind} {bar.hue}"
    )
    whisker = svg.error_bar(bar.ends, scale, middle, vertical=False)
    edge = right if bar.ends is None else max(right, scale.at(bar.ends[1]))
    values = svg.text(edge + 8, middle - 2 if bar.detail else middle + 4.5, bar.value, class_="value")
    detail = svg.text(edge + 8, middle + 13.5, bar.detail, class_="soft small") if bar.detail else Markup("")
    return svg.with_tip(bar.tip, name, rectangle, whisker, values, detail)


def _note(words: str, x: float, y: float) -> Markup:
    """Beside its place, on the side where there is room."""
    room = x + 8 + NOTE_PX * columns(words) < WIDTH
    return svg.text(x + 8 if room else x - 8, y, words, anchor="start" if room else "end", class_="soft")


def _label(bar: Bar, middle: float) -> Markup:
    if not bar.with_label:
        return svg.text(LEFT - 10, middle + 4.5, bar.label, anchor="end", class_="name")
    return svg.join(
        svg.text(LEFT - 10, middle - 2, bar.label, anchor="end", class_="name"),
        svg.text(LEFT - 10, middle + 13.5, bar.with_label, anchor="end", class_="soft small"),
    )


def _links(bars: tuple[Bar, ...], scale: svg.Linear) -> Markup:
    """Thin lines from each bar's end down to the next bar's start."""
    drawn = [(index, bar) for index, bar in enumerate(bars) if not bar.note]
    links = []
    for (upper, bar), (lower, _) in pairwise(drawn):
        top, bottom = TOP + ROW * upper + (ROW + BAR) / 2, TOP + ROW * lower + (ROW - BAR) / 2
        links.append(svg.line(scale.at(bar.end), top, scale.at(bar.end), bottom, "link"))
    return svg.join(*links)
