"""Latency over the rate that was achieved, both logarithmic: mean and tail, the limit, the rate that was found."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from radoscope.report.charts import svg
from radoscope.words import _

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 560.0, 330.0, 62.0, 74.0, 26.0, 276.0


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredMark:
    """A measured point: x in IOPS achieved, value in ms, each with its interval where there is one."""

    x: float
    value: float
    across: tuple[float, float] | None = None
    up: tuple[float, float] | None = None
    saturated: bool = False
    tip: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    label: str
    hue: str
    marks: tuple[MeasuredMark, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """latency_ms: the line. found: low end, value, high end in IOPS, None where it is undecided. text: of the value."""

    latency_ms: float
    text: str
    found: tuple[float, float, float] | None = None
    found_text: str = ""


def draw_response(lines: tuple[Line, ...], limit: Limit | None, *, label: str) -> Markup:
    """One mark a rate, lines through those that were achieved; a cross where it was not."""
    marks = [mark for one in lines for mark in one.marks]
    xs = [x for mark in marks for x in (mark.x, *(mark.across or () if mark.saturated else ()))]
    ys = [y for mark in marks for y in (mark.value, *(mark.up or ()))]
    if limit is not None:
        ys.append(limit.latency_ms)
        xs += limit.found or ()
    middle = sorted(mark.value for mark in marks)[len(marks) // 2]
    # whiskers that reach nearly to nothing would press the rest flat
    reached = [mark.x for mark in marks] + list(limit.found or () if limit is not None else ())
    nearest, farthest = _least(reached) / 1.5, max(reached) * 1.5
    across = svg.Log(max(_least(xs), nearest) / 1.05, min(max(xs), farthest) * 1.05, LEFT, WIDTH - RIGHT)
    low = max(_least(ys), min(_least([mark.value for mark in marks]), middle) / 3)
    up = svg.Log(low / 1.2, min(max(ys), 3 * max(mark.value for mark in marks)) * 1.2, BOTTOM, TOP)
    ends = [up.at(one.marks[-1].value) for one in lines]
    places = svg.spread_labels(ends, 15.0, TOP + 4, BOTTOM - 4)
    drawn = [_line(one, place, across, up) for one, place in zip(lines, places, strict=True)]
    under = _limit(limit, across, up) if limit is not None else Markup("")
    return svg.chart(WIDTH, HEIGHT, label, _grid(across, up), under, *drawn, kind="response")


def _least(values: list[float]) -> float:
    return min((value for value in values if value > 0), default=1.0)


def _line(one: Line, label_y: float, across: svg.Log, up: svg.Log) -> Markup:
    placed = [(across.at(mark.x), up.at(mark.value)) for mark in one.marks if not mark.saturated]
    drawn = [_mark(mark, one.hue, across, up) for mark in one.marks]
    name = svg.text(WIDTH - RIGHT + 10, label_y + 4.5, one.label, class_="name small")
    return svg.join(svg.path(placed, f"curve {one.hue}"), *drawn, name)


def _mark(mark: MeasuredMark, hue: str, across: svg.Log, up: svg.Log) -> Markup:
    x, y = across.at(mark.x), up.at(mark.value)
    whiskers = [svg.error_bar(mark.up, up, x, vertical=True, cap=3.0)]
    if mark.saturated:
        whiskers.append(svg.error_bar(mark.across, across, y, vertical=False, cap=3.0))
    dot = svg.element("circle", cx=x, cy=y, r=3.5, class_=f"dot {hue}")
    if mark.saturated:
        dot = svg.element("path", d=f"M{x - 5:.1f},{y - 5:.1f}l10,10m0,-10l-10,10", class_="cross")
    return svg.with_tip(mark.tip, *whiskers, dot)


def _limit(limit: Limit, across: svg.Log, up: svg.Log) -> Markup:
    y = up.at(limit.latency_ms)
    parts = [svg.line(LEFT, y, WIDTH - RIGHT, y, "ideal"), svg.text(LEFT + 6, y - 6, limit.text, class_="soft small")]
    if limit.found is not None:
        low, x, high = (across.at(value) for value in limit.found)
        box = svg.element("rect", x=low, y=TOP, width=max(high - low, 1.0), height=BOTTOM - TOP, class_="band rados")
        stands = svg.line(x, TOP, x, BOTTOM, "mean rados")
        anchor = "end" if x > (LEFT + WIDTH - RIGHT) / 2 else "start"
        words = svg.text(x, TOP - 8, limit.found_text, anchor=anchor, class_="value small")
        parts.append(svg.with_tip(limit.found_text, box, stands, words))
    return svg.join(*parts)


def _grid(across: svg.Log, up: svg.Log) -> Markup:
    parts = [svg.line(LEFT, BOTTOM, WIDTH - RIGHT, BOTTOM, "base")]
    for tick in across.ticks():
        x = across.at(tick)
        parts += [
            svg.line(x, TOP, x, BOTTOM, "grid"),
            svg.centred(x, BOTTOM + 17, svg.tick_text(tick), "tick"),
        ]
    parts.append(svg.axis_beside(up, up.ticks(), LEFT, WIDTH - RIGHT))
    parts.append(svg.centred((LEFT + WIDTH - RIGHT) / 2, BOTTOM + 38, _("IOPS achieved"), "axis"))
    parts.append(svg.text(4, TOP - 10, "ms", class_="axis"))
    return svg.join(*parts)
