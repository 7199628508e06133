"""Series over time: one small picture a cell with its segments side by side, and one with all of them on one clock."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from radoscope.report.charts import svg
from radoscope.words import _

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 340.0, 108.0, 46.0, 8.0, 8.0, 84.0
CLOCK_WIDTH, CLOCK_HEIGHT, CLOCK_BOTTOM = 1100.0, 230.0, 190.0
GAP_S = 3.0
"""A pause longer than this parts two stretches: per-second samples come a second apart, with some jitter."""

SEAM_PX = 7.0
LABEL_PX = 34.0

Points = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """points: (seconds since the study began, value). band: the interval of the mean. failed: where segments failed."""

    label: str
    hue: str
    points: Points
    mean: float | None = None
    band: tuple[float, float] | None = None
    failed_s: tuple[float, ...] = ()


def draw_timeline(series: Timeline) -> Markup:
    """The segments of one cell side by side, from 0 up; beneath each the minute at which it began."""
    top = max([value for _, value in series.points] + [series.band[1] if series.band else 0.0])
    up = svg.Linear(0.0, svg.round_up(top), BOTTOM, TOP)
    runs = split_runs(series.points)
    room = WIDTH - RIGHT - LEFT - SEAM_PX * (len(runs) - 1)
    pace = room / sum(_length(run) for run in runs)
    parts, x, free = [], LEFT, 0.0
    for run in runs:
        width = _length(run) * pace
        parts.append(_run(run, series.hue, svg.Linear(run[0][0], run[0][0] + _length(run), x, x + width), up))
        if x >= free:
            parts.append(svg.line(x, BOTTOM, x, BOTTOM + 4, "base"))
            parts.append(svg.text(x, BOTTOM + 16, _minute(run[0][0]), class_="tick"))
            free = x + LABEL_PX
        x += width + SEAM_PX
    return svg.chart(WIDTH, HEIGHT, series.label, _axis(up), _mean(series, up), *parts, kind="timeline")


def draw_clock(all_series: tuple[Timeline, ...], *, label: str, length_s: float) -> Markup:
    """All series on one clock, each value in percent of its mean; one of hue "host" is drawn over the others."""
    across = svg.Linear(0.0, max(length_s, 1.0), LEFT, CLOCK_WIDTH - RIGHT)
    values = [value for series in all_series for _, value in series.points]
    up = svg.Linear(min(0.9 * min(values), 80.0), max(1.05 * max(values), 120.0), CLOCK_BOTTOM, TOP)
    parts = [_clock_axes(across, up)]
    for series in sorted(all_series, key=lambda one: one.hue == "host"):
        runs = [list(series.points)] if series.hue == "host" else split_runs(series.points)
        drawn = [_run(run, series.hue, across, up) for run in runs]
        crosses = [_cross(across.at(at), series.label) for at in series.failed_s]
        parts.append(svg.with_tip(series.label, *drawn, *crosses))
    return svg.chart(CLOCK_WIDTH, CLOCK_HEIGHT, label, *parts, kind="clock")


def split_runs(points: Points) -> list[list[tuple[float, float]]]:
    """Points in stretches without a gap."""
    runs: list[list[tuple[float, float]]] = []
    for point in points:
        if runs and point[0] - runs[-1][-1][0] <= GAP_S:
            runs[-1].append(point)
        else:
            runs.append([point])
    return runs


def short(value: float) -> str:
    """1500 -> "1.5k", 2000000 -> "2M": room is scarce here."""
    for size, unit in ((1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:g}{unit}"
    return f"{value:g}"


def _length(run: list[tuple[float, float]]) -> float:
    """Seconds from first to last sample; a single sample gets one."""
    return max(run[-1][0] - run[0][0], 1.0)


def _minute(seconds: float) -> str:
    """Seconds since the study began -> "12:05"."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}"


def _run(run: list[tuple[float, float]], hue: str, across: svg.Linear, up: svg.Linear) -> Markup:
    placed = [(across.at(time), up.at(value)) for time, value in run]
    if len(placed) == 1:
        return svg.element("circle", cx=placed[0][0], cy=placed[0][1], r=1.8, class_=f"dot {hue}")
    return svg.path(placed, f"curve thin {hue}")


def _mean(series: Timeline, up: svg.Linear) -> Markup:
    parts = []
    if series.band is not None:
        low, high = up.at(max(series.band[0], 0.0)), up.at(series.band[1])
        box = {"x": LEFT, "y": high, "width": WIDTH - RIGHT - LEFT, "height": max(low - high, 1.0)}
        parts.append(svg.element("rect", class_=f"band {series.hue}", **box))
    if series.mean is not None:
        parts.append(svg.line(LEFT, up.at(series.mean), WIDTH - RIGHT, up.at(series.mean), f"mean {series.hue}"))
    return svg.join(*parts)


def _cross(x: float, label: str) -> Markup:
    shape = svg.element("path", d=f"M{x - 4:.1f},{CLOCK_BOTTOM - 12:.1f}l8,8m0,-8l-8,8", class_="cross")
    return svg.with_tip(_("{label}: a segment failed here", label=label), shape)


def _axis(up: svg.Linear) -> Markup:
    base = svg.line(LEFT, BOTTOM, WIDTH - RIGHT, BOTTOM, "base")
    return svg.join(base, svg.axis_beside(up, up.ticks(2), LEFT, WIDTH - RIGHT, write=short, gap=6))


def _clock_axes(across: svg.Linear, up: svg.Linear) -> Markup:
    parts = [svg.line(LEFT, CLOCK_BOTTOM, across.end, CLOCK_BOTTOM, "base")]
    parts.append(
        svg.axis_beside(up, up.ticks(4), LEFT, across.end, write=lambda tick: f"{svg.tick_text(tick)} %", gap=6)
    )
    minutes = svg.Linear(0.0, across.high / 60, across.start, across.end)
    for tick in minutes.ticks(10):
        parts.append(svg.centred(minutes.at(tick), CLOCK_BOTTOM + 17, svg.tick_text(tick), "tick"))
    middle = (across.start + across.end) / 2
    parts.append(svg.centred(middle, CLOCK_BOTTOM + 35, _("minutes since the study began"), "axis"))
    return svg.join(*parts)
