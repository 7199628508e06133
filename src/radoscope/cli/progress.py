"""Draws a run's events: on a terminal one live table of all cells, with rates, intervals and the time left; elsewhere a
line for each segment."""

from __future__ import annotations

import re
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from radoscope.run.engines.fio import rate_said
from radoscope.run.events import Ended, Line, RunEvent, Started, Step, Warning_
from radoscope.units import format_count, format_seconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from radoscope.records.study import Cell, Segment

_RADOS_SECOND = re.compile(r"^\s*\d+\s+\d+\s+\d+\s+(\d+)\s", re.MULTILINE)
_REDRAWN_S = 0.25
"""Not sooner than this after the last time: drawing takes a core from what is measured."""


class Progress:
    """A listener for run events, and a context in which it draws.

    precision: the asked relative half-width, where cells are measured until they have it.
    """

    def __init__(self, cells: Sequence[Cell], *, quiet: bool, to_stderr: bool, precision: float | None = None) -> None:
        from rich.console import Console  # start-up time

        self._console = Console(stderr=True) if to_stderr or not sys.stdout.isatty() else Console()
        self._quiet, self._precision = quiet, precision
        self._table = LiveTable(cells, precision) if self._console.is_terminal and not quiet else None
        self._live: Any = None
        self._drawn_s = 0.0
        self._rates: dict[int, float] = {}
        self._finished = 0
        self._begun = time.monotonic()
        self._width = max((len(cell.name) for cell in cells), default=0)

    def __enter__(self) -> Progress:
        if self._table is not None:
            from rich.live import Live

            # Refreshed by events alone: a thread of its own would fail unheard when the terminal goes away.
            self._live = Live(console=self._console, auto_refresh=False, transient=True)
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            with suppress(OSError):  # the terminal is gone
                self._live.stop()

    def on_event(self, event: RunEvent) -> None:
        if self._quiet:
            return
        if isinstance(event, Step):
            self._say(f"[{self._elapsed()}] {event.words}")
        elif isinstance(event, Warning_):
            self._say(f"[{self._elapsed()}] note: {event.words}")
        elif isinstance(event, Started):
            self._start(event)
        elif isinstance(event, Line):
            self._hear(event)
        elif isinstance(event, Ended):
            self._end(event)

    def _start(self, event: Started) -> None:
        self._rates, self._finished = {}, 0
        self._now = event
        self._eta = f"{format_seconds(event.eta_s)} left"
        if event.eta_high_s > 1.2 * event.eta_s:
            self._eta += f", up to {format_seconds(event.eta_high_s)}"
        self._draw(at_once=True)

    def _hear(self, event: Line) -> None:
        """A tool's own progress output, used only for the current rate; no result comes from here."""
        if event.tool == "fio" and (now := rate_said(event.text)) is not None:
            self._rates[event.client] = now
        elif event.tool == "rados-bench" and (finished := _RADOS_SECOND.findall(event.text)):
            self._rates[0], self._finished = float(int(finished[-1]) - self._finished), int(finished[-1])
        self._draw()

    def _end(self, event: Ended) -> None:
        if self._table is not None:
            self._table.add(event.segment)
            if not event.segment.problem:
                return
        place = f"{self._now.done + 1:3}/{self._now.planned}"
        self._say(
            f"[{self._elapsed()}] {place} {event.cell.name:{self._width}} {_figure(event.segment):>16}   {self._eta}"
        )

    def _draw(self, *, at_once: bool = False) -> None:
        if self._live is None or self._table is None or not (at_once or time.monotonic() > self._drawn_s + _REDRAWN_S):
            return
        self._drawn_s = time.monotonic()
        rate = f"{format_count(sum(self._rates.values()))} IOPS" if self._rates else "..."
        caption = f"[{self._elapsed()}] {self._now.done}/{self._now.planned} segments, {self._eta}"
        self._live.update(self._table.drawn(self._now.cell.name, rate, caption), refresh=True)

    def _say(self, words: str) -> None:
        from rich.markup import escape

        self._console.print(escape(words), highlight=False, soft_wrap=True)

    def _elapsed(self) -> str:
        minutes, seconds = divmod(int(time.monotonic() - self._begun), 60)
        return f"{minutes:02}:{seconds:02}"


class LiveTable:
    """All cells with their mean so far and its interval. precision: see Progress."""

    def __init__(self, cells: Sequence[Cell], precision: float | None) -> None:
        self._segments: dict[str, list[Segment]] = {cell.name: [] for cell in cells}
        self._shown: dict[str, tuple[str, str]] = {}
        self._widths: dict[str, float] = {}
        self._precision = precision

    def add(self, segment: Segment) -> None:
        """One more; the figures of its cell are made here, once."""
        from radoscope.report.numbers import percent
        from radoscope.stats.interval import mean_of_segments
        from radoscope.stats.segments import counting_segments, gap_of, rates_of
        from radoscope.stats.values import Estimate

        segments = self._segments.setdefault(segment.cell, [])
        segments.append(segment)
        estimate = mean_of_segments(rates_of(segments), gap_s=gap_of(counting_segments(segments)))
        if not isinstance(estimate, Estimate):
            return
        width = estimate.relative_half_width
        if width is not None:
            self._widths[segment.cell] = width
        self._shown[segment.cell] = (
            _in_unit_of(segment, estimate.value),
            "" if width is None else f"±{percent(width)}",
        )

    def drawn(self, now: str, rate: str, caption: str) -> Table:
        """now, rate: the cell that is measured, and what it does."""
        from rich.table import Table
        from rich.text import Text

        if self._precision is not None:
            within = sum(width <= self._precision for width in self._widths.values())
            caption += f"; {within} of {len(self._segments)} cells within ±{self._precision * 100:g} %"
        table = Table(box=None, pad_edge=False, caption=Text(caption), caption_justify="left")
        for name in ("cell", "mean", "interval", "segments", "now"):
            table.add_column(name, justify="left" if name == "cell" else "right", no_wrap=True)
        for cell, segments in self._segments.items():
            mean, spread = self._shown.get(cell, ("", ""))
            table.add_row(cell, mean, spread, str(len(segments) or ""), rate if cell == now else "")
        return table


def _figure(segment: Segment) -> str:
    from radoscope.stats.segments import segment_rate

    rate = segment_rate(segment)
    return segment.problem or ("no figure" if rate is None else _in_unit_of(segment, rate))


def _in_unit_of(segment: Segment, value: float) -> str:
    """As stats.segments.segment_rate picks it: I/Os or bytes a second, else seconds."""
    from radoscope.stats.segments import segment_bandwidth, segment_iops

    if segment_iops(segment) is not None:
        return f"{format_count(value)} IOPS"
    if segment_bandwidth(segment) is not None:
        return f"{value / 1e6:,.0f} MB/s"
    return format_seconds(value)
