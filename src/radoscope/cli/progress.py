"""Draws a run's events: a bar with the cell, its IOPS and an honest ETA; plain lines where it is no terminal."""

from __future__ import annotations

import re
import sys
import time
from typing import TYPE_CHECKING, Any

from radoscope.run.engines.fio import rate_said
from radoscope.run.events import Ended, Line, RunEvent, Started, Step, Warning_
from radoscope.units import format_count, format_seconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from radoscope.records.study import Cell, Segment

_RADOS_SECOND = re.compile(r"^\s*\d+\s+\d+\s+\d+\s+(\d+)\s", re.MULTILINE)


class Progress:
    """A listener for run events, and a context in which it draws."""

    def __init__(self, cells: Sequence[Cell], *, quiet: bool, to_stderr: bool) -> None:
        from rich.console import Console  # start-up time

        self._console = Console(stderr=True) if to_stderr or not sys.stdout.isatty() else Console()
        self._quiet = quiet
        self._live = self._console.is_terminal and not quiet
        self._bar: Any = None
        self._task: Any = None
        self._rates: dict[int, float] = {}
        self._finished = 0
        self._begun = time.monotonic()
        self._width = max((len(cell.name) for cell in cells), default=0)

    def __enter__(self) -> Progress:
        if self._live:
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
            from rich.progress import Progress as Bar

            words = TextColumn("{task.description}")
            self._bar = Bar(words, BarColumn(bar_width=24), MofNCompleteColumn(), TextColumn("{task.fields[eta]}"))
            self._bar.console.file = self._console.file
            self._bar.start()
            self._task = self._bar.add_task("preparing", total=None, eta="")
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

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
        if self._bar is not None:
            self._bar.update(
                self._task, description=event.cell.name, completed=event.done, total=event.planned, eta=self._eta
            )

    def _hear(self, event: Line) -> None:
        """A tool's own progress output, used only for the current rate; no result comes from here."""
        if event.tool == "fio" and (now := rate_said(event.text)) is not None:
            self._rates[event.client] = now
        elif event.tool == "rados-bench" and (finished := _RADOS_SECOND.findall(event.text)):
            self._rates[0], self._finished = float(int(finished[-1]) - self._finished), int(finished[-1])
        if self._bar is not None and self._rates:
            rate = format_count(sum(self._rates.values()))
            self._bar.update(self._task, description=f"{self._now.cell.name}  {rate} IOPS")

    def _end(self, event: Ended) -> None:
        if self._bar is not None:
            self._bar.advance(self._task)
        if self._live and not event.segment.problem:
            return
        place = f"{self._now.done + 1:3}/{self._now.planned}"
        self._say(
            f"[{self._elapsed()}] {place} {event.cell.name:{self._width}} {_figure(event.segment):>16}   {self._eta}"
        )

    def _say(self, words: str) -> None:
        from rich.markup import escape

        self._console.print(escape(words), highlight=False, soft_wrap=True)

    def _elapsed(self) -> str:
        minutes, seconds = divmod(int(time.monotonic() - self._begun), 60)
        return f"{minutes:02}:{seconds:02}"


def _figure(segment: Segment) -> str:
    if segment.problem:
        return segment.problem
    rates = [result.iops for result in segment.results if result.iops is not None]
    if rates:
        return f"{format_count(sum(rates))} IOPS"
    bandwidths = [one.bandwidth_bytes_per_s for one in segment.results if one.bandwidth_bytes_per_s is not None]
    if bandwidths:
        return f"{sum(bandwidths) / 1e6:,.0f} MB/s"
    means = [one.latency.mean_s for one in segment.results if one.latency and one.latency.mean_s is not None]
    return format_seconds(means[0]) if means else "no figure"
