"""Draws a run's events: on a terminal one live table of all cells, with rates, intervals and the time left; elsewhere a
line for each segment."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from radoscope.report.words import asked_words
from radoscope.run.events import Ended, Now, RunEvent, Started, Step, Warning_
from radoscope.session.standing import Standing, figure, line_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from radoscope.records.study import Cell

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
        self._names = [cell.name for cell in cells]
        self._standing = Standing()
        self._live: Any = None
        self._drawn_s = 0.0
        self._begun = time.monotonic()
        self._width = max((len(cell.name) for cell in cells), default=0)

    def __enter__(self) -> Progress:
        if self._console.is_terminal and not self._quiet:
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
        self._standing.take(line_of(event))
        if isinstance(event, Step):
            self._say(f"[{self._elapsed()}] {event.words}")
        elif isinstance(event, Warning_):
            self._say(f"[{self._elapsed()}] note: {event.words}")
        elif isinstance(event, Started | Now):
            self._draw(at_once=isinstance(event, Started))
        elif isinstance(event, Ended) and (self._live is None or event.segment.problem):
            self._say_ended(event)

    def _say_ended(self, event: Ended) -> None:
        seen = self._standing
        line = line_of(event)
        came_to = line["problem"] or figure(line["figure"], line["unit"]) or "no figure"
        place = f"{seen.done:3}/{seen.planned}"
        self._say(f"[{self._elapsed()}] {place} {event.cell.name:{self._width}} {came_to:>16}   {seen.left}")

    def _draw(self, *, at_once: bool) -> None:
        if self._live is None or not (at_once or time.monotonic() > self._drawn_s + _REDRAWN_S):
            return
        self._drawn_s = time.monotonic()
        table = drawn(self._standing, self._names, self._precision, self._elapsed())
        self._live.update(table, refresh=True)

    def _say(self, words: str) -> None:
        from rich.markup import escape

        self._console.print(escape(words), highlight=False, soft_wrap=True)

    def _elapsed(self) -> str:
        minutes, seconds = divmod(int(time.monotonic() - self._begun), 60)
        return f"{minutes:02}:{seconds:02}"


def drawn(seen: Standing, cells: Sequence[str], precision: float | None, elapsed: str) -> Table:
    """All cells with their mean so far and its interval. precision: see Progress."""
    from rich.table import Table
    from rich.text import Text

    names = dict.fromkeys((*cells, *seen.cells))
    caption = f"[{elapsed}] {seen.done}/{seen.planned} segments, {seen.left}"
    if precision is not None:
        caption += f"; {seen.within(precision)} of {len(names)} cells within {asked_words(precision)}"
    table = Table(box=None, pad_edge=False, caption=Text(caption), caption_justify="left")
    for name in ("cell", "mean", "interval", "segments", "now"):
        table.add_column(name, justify="left" if name == "cell" else "right", no_wrap=True)
    for name in names:
        one = seen.cells.get(name)
        came_to = ("", "", "") if one is None else (one.figure, one.spread, str(one.segments))
        table.add_row(name, *came_to, seen.rate if name == seen.cell else "")
    return table
