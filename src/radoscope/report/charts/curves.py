"""Latency percentile curves: the rarer the latency, the further right; both axes logarithmic."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from radoscope.report.charts import svg
from radoscope.words import _, columns

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 560.0, 320.0, 56.0, 150.0, 12.0, 276.0
LETTER_PX = 7.8
"""Width of an average letter of a curve's name, on a phone at most."""
MARKS = ((0.5, "p50"), (0.1, "p90"), (0.01, "p99"), (0.001, "p99.9"), (0.0001, "p99.99"), (0.00001, "p99.999"))


@dataclass(frozen=True, slots=True)
class Curve:
    """points: (share of I/Os that are slower, latency in ms), from left (1) to right. tips name what to show."""

    label: str
    points: tuple[tuple[float, float], ...]


def draw_curves(curves: tuple[Curve, ...], *, label: str) -> Markup:
    """One line a curve, named at its right end; each ends where its sample does."""
    latencies = [y for curve in curves for _, y in curve.points]
    rarest = min(x for curve in curves for x, _ in curve.points)
    edge = WIDTH - max(RIGHT, 30 + LETTER_PX * max(columns(curve.label) for curve in curves))
    across = svg.Log(2.0, max(1.0 / rarest, 4.0), LEFT, edge)
    up = svg.Log(min(latencies) / 1.15, max(latencies) * 1.15, BOTTOM, TOP)
    ends = [up.at(curve.points[-1][1]) for curve in curves]
    places = svg.spread_labels(ends, 17.0, TOP + 6, BOTTOM - 4)
    lines = [_curve(index, curve, places[index], across, up) for index, curve in enumerate(curves)]
    return svg.chart(WIDTH, HEIGHT, label, _grid(across, up), *lines, kind="curves")


def _curve(index: int, curve: Curve, label_y: float, across: svg.Log, up: svg.Log) -> Markup:
    hue = f"hue{index % 6 + 1}"
    points = [(across.at(1.0 / share), up.at(latency)) for share, latency in curve.points]
    last_x, last_y = points[-1]
    edge = across.end
    return svg.with_tip(
        curve.label,
        svg.path(points, f"curve {hue}"),
        svg.element("circle", cx=last_x, cy=last_y, r=3.0, class_=f"dot {hue}"),
        svg.line(last_x + 4, last_y, edge + 8, label_y, "leader"),
        svg.element("rect", x=edge + 11, y=label_y - 4, width=9.0, height=9.0, rx=2.0, class_=f"bar {hue}"),
        svg.text(edge + 25, label_y + 4.5, curve.label, class_="name small"),
    )


def _grid(across: svg.Log, up: svg.Log) -> Markup:
    parts = []
    for share, name in MARKS:
        if 1.0 / share > across.high * 1.001:
            continue
        x = across.at(1.0 / share)
        parts += [svg.line(x, TOP, x, BOTTOM, "grid"), svg.centred(x, BOTTOM + 17, name, "tick")]
    parts.append(svg.axis_beside(up, up.ticks(), LEFT, across.end))
    middle = (LEFT + across.end) / 2
    parts.append(svg.centred(middle, BOTTOM + 37, _("share of I/Os that are faster"), "axis"))
    parts.append(svg.text(4, TOP + 4, "ms", class_="axis"))
    return svg.join(*parts)
