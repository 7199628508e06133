"""What n clients reach together, beside n times one client."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from radoscope.report.charts import svg
from radoscope.words import _

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 560.0, 290.0, 62.0, 30.0, 30.0, 242.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """n clients and a value with the ends of its interval, None without one."""

    n: int
    value: float
    ends: tuple[float, float] | None = None
    text: str = ""
    tip: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    label: str
    hue: str
    points: tuple[Point, ...]


def draw_scaling(lines: tuple[Line, ...], *, label: str, unit: str, ideal: bool = False) -> Markup:
    """Lines over n (doubling at equal distances). ideal: also n times the first point of the first line, dashed."""
    counts = sorted({point.n for one in lines for point in one.points})
    top = max(point.ends[1] if point.ends else point.value for one in lines for point in one.points)
    across = svg.Log(counts[0], max(counts[-1], counts[0] + 1), LEFT + 24, WIDTH - RIGHT - 24)
    first = lines[0].points[0]
    proportional = first.value / first.n * counts[-1]
    # an ideal far above the rest would press the measured lines flat: then it leaves through the top
    reach = max(top, min(proportional, 2.2 * top)) if ideal else top
    up = svg.Linear(0.0, svg.round_up(reach), BOTTOM, TOP)
    drawn = [_line(one, across, up) for one in lines]
    guide = _ideal(first, counts[-1], across, up) if ideal else Markup("")
    return svg.chart(WIDTH, HEIGHT, label, _grid(counts, across, up, unit), guide, *drawn, kind="scaling")


def _line(one: Line, across: svg.Log, up: svg.Linear) -> Markup:
    placed = [(across.at(point.n), up.at(point.value)) for point in one.points]
    marks = [_mark(point, one.hue, x, y, up) for point, (x, y) in zip(one.points, placed, strict=True)]
    last_x, last_y = placed[-1]
    name = svg.text(last_x + 22, last_y - 22, one.label, anchor="end", class_="name small") if one.label else Markup("")
    return svg.join(svg.path(placed, f"curve {one.hue}"), *marks, name)


def _mark(point: Point, hue: str, x: float, y: float, up: svg.Linear) -> Markup:
    whisker = svg.error_bar(point.ends, up, x, vertical=True)
    label_y = y + 21 if y + 26 < BOTTOM else y - 12
    dot = svg.element("circle", cx=x, cy=y, r=4.0, class_=f"dot {hue}")
    return svg.with_tip(point.tip, whisker, dot, svg.centred(x, label_y, point.text, "value small"))


def _ideal(first: Point, last_n: int, across: svg.Log, up: svg.Linear) -> Markup:
    """n times one; a curve, because n doubles at equal distances."""
    steps = [first.n * (last_n / first.n) ** (index / 40) for index in range(41)]
    points = [(across.at(n), up.at(first.value / first.n * n)) for n in steps]
    inside = [(x, y) for x, y in points if y >= TOP - 1]
    if len(inside) < 2:
        return Markup("")
    x, y = inside[-1]
    return svg.join(
        svg.path(inside, "ideal"), svg.text(x - 8, y + 10, _("n times one"), anchor="end", class_="soft small")
    )


def _grid(counts: list[int], across: svg.Log, up: svg.Linear, unit: str) -> Markup:
    parts = [svg.line(LEFT, BOTTOM, WIDTH - RIGHT, BOTTOM, "base")]
    parts.append(svg.axis_beside(up, up.ticks(4), LEFT, WIDTH - RIGHT))
    for n in counts:
        parts.append(svg.centred(across.at(n), BOTTOM + 17, f"{n}", "tick"))
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(svg.centred(middle, BOTTOM + 38, _("images at the same time"), "axis"))
    parts.append(svg.text(4, TOP - 16, unit, class_="axis"))
    return svg.join(*parts)
