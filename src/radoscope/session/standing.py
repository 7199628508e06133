"""What one sees of a run while it goes on: the terminal beside it draws this, and so does a page in another process.

Each event becomes one plain line, kept beside the run's journal for as long as the journal is. A `Standing` is folded
from such lines, whoever reads them.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from radoscope.records.study import Cell, Segment
from radoscope.report.numbers import percent
from radoscope.run.engines.fio import rate_said
from radoscope.run.events import Ended, Listener, Now, RunEvent, Started, Step
from radoscope.stats.interval import VariancePrior, mean_of_segments
from radoscope.stats.segments import counting_segments, gap_of, rates_of, segment_bandwidth, segment_iops, segment_rate
from radoscope.stats.values import Estimate
from radoscope.units import format_count, format_seconds
from radoscope.words import _

_RADOS_SECOND = re.compile(r"^\s*\d+\s+\d+\s+\d+\s+(\d+)\s", re.MULTILINE)
_KEPT_EVERY_S = 0.9
"""Of what a segment does at the moment; its clients speak once a second each."""


def ended(cell: Cell, segments: Sequence[Segment], prior: VariancePrior | None = None) -> Ended:
    """segments: those of the cell so far; the last has just ended. prior: of the study's other cells."""
    counting = counting_segments(segments)
    mean = mean_of_segments(rates_of(segments), gap_s=gap_of(counting), prior=prior)
    if not isinstance(mean, Estimate):
        return Ended(cell, segments[-1], segments=len(segments))
    return Ended(cell, segments[-1], mean.value, mean.relative_half_width, len(segments))


def hearing(tool: str, on_event: Listener) -> Callable[[int, str], None]:
    """For what the clients of a segment print: (client, text) -> the rate of the moment, as an event."""
    rates: dict[int, float] = {}
    finished = 0

    def hear(client: int, text: str) -> None:
        nonlocal finished
        if tool == "fio" and (rate := rate_said(text)) is not None:
            rates[client] = rate
        elif tool == "rados-bench" and (seconds := _RADOS_SECOND.findall(text)):
            rates[0], finished = float(int(seconds[-1]) - finished), int(seconds[-1])
        else:
            return
        on_event(Now(sum(rates.values())))

    return hear


def line_of(event: RunEvent) -> dict[str, Any]:
    """An event in plain values: those of its own, with the cell by its name and the segment by its figure."""
    if isinstance(event, Now):
        return {"what": "now", "iops": event.iops}
    if isinstance(event, Started):
        return {
            "what": "started",
            "cell": event.cell.name,
            "done": event.done,
            "planned": event.planned,
            "eta_s": event.eta_s,
            "eta_high_s": event.eta_high_s,
        }
    if isinstance(event, Ended):
        return {
            "what": "ended",
            "cell": event.cell.name,
            "figure": segment_rate(event.segment),
            "unit": _unit(event.segment),
            "problem": event.segment.problem,
            "mean": event.mean,
            "half_width": event.half_width,
            "segments": event.segments,
        }
    return {"what": "step" if isinstance(event, Step) else "warning", "words": event.words}


def _unit(segment: Segment) -> str:
    """As stats.segments.segment_rate picks it."""
    if segment_iops(segment) is not None:
        return "IOPS"
    return "s" if segment_bandwidth(segment) is None else "B/s"


def figure(value: float | None, unit: str) -> str:
    """A cell's figure in words; empty where there is none."""
    if value is None:
        return ""
    if unit == "s":
        return format_seconds(value)
    return f"{value / 1e6:,.0f} MB/s" if unit == "B/s" else f"{format_count(value)} IOPS"


@dataclass(frozen=True, slots=True)
class CellSoFar:
    """unit: IOPS, B/s or s. mean, half_width: None where nothing can be said yet. problem: of the last segment."""

    unit: str
    mean: float | None
    half_width: float | None
    segments: int
    problem: str = ""

    @property
    def figure(self) -> str:
        return figure(self.mean, self.unit)

    @property
    def spread(self) -> str:
        return "" if self.half_width is None else f"±{percent(self.half_width)}"


@dataclass(slots=True)
class Standing:
    """words: of the last step. cell: that is being measured, with its rate; of it and what follows eta_s seconds are
    left, at most eta_high_s. cells: what each has come to."""

    words: str = ""
    cell: str = ""
    iops: float | None = None
    done: int = 0
    planned: int = 0
    eta_s: float = 0.0
    eta_high_s: float = 0.0
    cells: dict[str, CellSoFar] = field(default_factory=dict)

    @property
    def rate(self) -> str:
        """Of the cell that is being measured."""
        return "..." if self.iops is None else figure(self.iops, "IOPS")

    @property
    def left(self) -> str:
        """The time that it will still take."""
        least, most = format_seconds(self.eta_s), format_seconds(self.eta_high_s)
        if self.eta_high_s > 1.2 * self.eta_s:
            return _("{time} left, up to {most}", time=least, most=most)
        return _("{time} left", time=least)

    def take(self, line: Mapping[str, Any]) -> None:
        """One more; what is no line of ours changes nothing."""
        what = line.get("what")
        if what == "now":
            self.iops = float(line["iops"])
        elif what == "started":
            self.cell, self.iops = str(line["cell"]), None
            self.done, self.planned = int(line["done"]), int(line["planned"])
            self.eta_s, self.eta_high_s = float(line["eta_s"]), float(line["eta_high_s"])
        elif what == "ended":
            self.done, self.iops = self.done + 1, None
            self.cells[str(line["cell"])] = CellSoFar(
                line["unit"], line["mean"], line["half_width"], line["segments"], line["problem"]
            )
        elif what == "step":
            self.words, self.cell = str(line["words"]), ""

    def within(self, precision: float) -> int:
        """How many cells have so narrow an interval."""
        return sum(one.half_width is not None and one.half_width <= precision for one in self.cells.values())


class Kept:
    """A listener that keeps each line in a file, which others read meanwhile. Raises OSError."""

    def __init__(self, path: Path) -> None:
        self._path, self._begun, self._now_s = path, False, 0.0

    def __call__(self, event: RunEvent) -> None:
        if isinstance(event, Now):
            if time.monotonic() < self._now_s + _KEPT_EVERY_S:
                return
            self._now_s = time.monotonic()
        # Begun anew by a study that is resumed, and never again once it was removed with the journal.
        how = os.O_WRONLY | os.O_APPEND | (0 if self._begun else os.O_CREAT | os.O_TRUNC)
        file = os.open(self._path, how, 0o600)
        try:
            os.write(file, json.dumps(line_of(event)).encode() + b"\n")
        finally:
            os.close(file)
        self._begun = True


def read_lines(path: Path, since: int = 0) -> tuple[list[dict[str, Any]], int]:
    """(the lines that were kept since that byte, where they end); none where there is no such file."""
    try:
        with path.open("rb") as file:
            file.seek(since)
            raw = file.read()
    except OSError:
        return [], since
    whole = raw[: raw.rfind(b"\n") + 1]
    return [json.loads(line) for line in whole.splitlines()], since + len(whole)
