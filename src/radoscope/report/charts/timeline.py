"""One small series over the time of the whole study, with gaps where other cells had their turn."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from radoscope.report.charts.scale import Linear, round_up
from radoscope.report.charts.svg import chart, element, join, line, path, text, with_tip

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 340.0, 108.0, 46.0, 8.0, 8.0, 84.0
GAP_S = 3.0
"""A pause longer than this is a gap: per-second samples come a second apart, with some jitter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """points: (seconds since the study began, value). band: the interval of the mean. failed: where segments failed."""

    label: str
    hue: str
    points: tuple[tuple[float, float], ...]
    mean: float | None = None
    band: tuple[float, float] | None = None
    failed_s: tuple[float, ...] = ()


def draw_timeline(series: Timeline, *, length_s: float) -> Markup:
    """A small chart from 0 up; all charts of a study share their time axis."""
    top = max([value for _, value in series.points] + [series.band[1] if series.band else 0.0])
    across = Linear(0.0, max(length_s, 1.0), LEFT, WIDTH - RIGHT)
    up = Linear(0.0, round_up(top), BOTTOM, TOP)
    runs = [_run(run, series.hue, across, up) for run in split_runs(series.points)]
    marks = [_cross(across.at(at)) for at in series.failed_s]
    return chart(WIDTH, HEIGHT, series.label, _axes(across, up), _mean(series, up), *runs, *marks, kind="timeline")


def split_runs(points: tuple[tuple[float, float], ...]) -> list[list[tuple[float, float]]]:
    """Points in stretches without a gap."""
    runs: list[list[tuple[float, float]]] = []
    for point in points:
        if runs and point[0] - runs[-1][-1][0] <= GAP_S:
            runs[-1].append(point)
        else:
            runs.append([point])
    return runs


def _run(run: list[tuple[float, float]], hue: str, across: Linear, up: Linear) -> Markup:
    placed = [(across.at(time), up.at(value)) for time, value in run]
    if len(placed) == 1:
        return element("circle", cx=placed[0][0], cy=placed[0][1], r=1.6, class_=f"dot {hue}")
    return path(placed, f"curve thin {hue}")


def _mean(series: Timeline, up: Linear) -> Markup:
    parts = []
    if series.band is not None:
        low, high = up.at(max(series.band[0], 0.0)), up.at(series.band[1])
        height = max(low - high, 1.0)
        parts.append(
            element("rect", x=LEFT, y=high, width=WIDTH - RIGHT - LEFT, height=height, class_=f"band {series.hue}")
        )
    if series.mean is not None:
        parts.append(line(LEFT, up.at(series.mean), WIDTH - RIGHT, up.at(series.mean), f"mean {series.hue}"))
    return join(*parts)


def _cross(x: float) -> Markup:
    shape = element("path", d=f"M{x - 4:.1f},{BOTTOM - 10}l8,8m0,-8l-8,8", class_="cross")
    return with_tip("a segment failed here", shape)


def _axes(across: Linear, up: Linear) -> Markup:
    parts = [line(LEFT, BOTTOM, WIDTH - RIGHT, BOTTOM, "base")]
    for tick in up.ticks(2):
        y = up.at(tick)
        parts += [
            line(LEFT, y, WIDTH - RIGHT, y, "grid"),
            text(LEFT - 6, y + 4, short(tick), anchor="end", class_="tick"),
        ]
    minutes = Linear(0.0, across.high / 60, across.start, across.end)
    for tick in minutes.ticks(4):
        parts.append(text(minutes.at(tick), BOTTOM + 16, f"{tick:g}", anchor="middle", class_="tick"))
    return join(*parts)


def short(value: float) -> str:
    """1500 -> "1.5k", 2000000 -> "2M": room is scarce here."""
    for size, unit in ((1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:g}{unit}"
    return f"{value:g}"
