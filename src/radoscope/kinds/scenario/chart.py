"""The rate of a load over the seconds around a fault, with a line at each event."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from radoscope.report.charts.scale import Linear, round_up, tick_text
from radoscope.report.charts.svg import CHARACTER_PX, chart, join, line, path, text, with_tip

WIDTH, LEFT, RIGHT, ROW_PX, PLOT_PX, BENEATH_PX = 1100.0, 62.0, 16.0, 17.0, 180.0, 44.0


@dataclass(frozen=True, slots=True)
class Mark:
    """An event. at_s: seconds since the first fault."""

    at_s: float
    words: str


def draw_scenario(
    points: tuple[tuple[float, float], ...], marks: tuple[Mark, ...], usual: float | None, *, label: str
) -> Markup:
    """points: (seconds since the first fault, I/Os a second), two at least. usual: the rate before, None if undecided.

    Each event has a row of its own above the curve, so that words never cover each other.
    """
    top = 8.0 + ROW_PX * len(marks)
    bottom = top + PLOT_PX
    across = Linear(points[0][0] - 0.5, points[-1][0] + 0.5, LEFT, WIDTH - RIGHT)
    up = Linear(0.0, round_up(max(value for _, value in points)), bottom, top)
    parts = [_axes(across, up, bottom)]
    if usual is not None:
        parts.append(with_tip("the rate before", line(LEFT, up.at(usual), across.end, up.at(usual), "mean rbd")))
    parts.append(path([(across.at(time), up.at(value)) for time, value in points], "curve rbd"))
    parts += [_mark(mark, number, across, bottom) for number, mark in enumerate(marks)]
    return chart(WIDTH, bottom + BENEATH_PX, label, *parts, kind="clock")


def _mark(mark: Mark, number: int, across: Linear, bottom: float) -> Markup:
    """A line from its words down to the axis; the words stand left of it where there is no room to the right."""
    x, y = across.at(min(max(mark.at_s, across.low), across.high)), 8.0 + ROW_PX * number
    words = f"{mark.words}, {mark.at_s:.1f} s"
    fits = x + 6 + CHARACTER_PX * len(words) < WIDTH
    side = text(x + 5 if fits else x - 5, y + 9, words, anchor="start" if fits else "end", class_="small")
    return with_tip(words, line(x, y, x, bottom, "ideal"), side)


def _axes(across: Linear, up: Linear, bottom: float) -> Markup:
    parts = [line(LEFT, bottom, across.end, bottom, "base")]
    for tick in up.ticks(4):
        y = up.at(tick)
        parts.append(line(LEFT, y, across.end, y, "grid"))
        parts.append(text(LEFT - 6, y + 4, tick_text(tick), anchor="end", class_="tick"))
    for tick in across.ticks(12):
        parts.append(text(across.at(tick), bottom + 17, tick_text(tick), anchor="middle", class_="tick"))
    middle = (across.start + across.end) / 2
    parts.append(text(middle, bottom + 35, "seconds since the fault; I/Os per second", anchor="middle", class_="axis"))
    return join(*parts)
