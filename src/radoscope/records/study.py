"""A study: cells, the segments in which they were measured, and where. The input of all that follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from radoscope.records.conditions import Conditions
from radoscope.records.environment import Environment
from radoscope.records.measurement import Result, Series
from radoscope.records.telemetry import SlowOp


@dataclass(frozen=True, slots=True)
class LatencyLimit:
    """latency_s: the most that `percentile` percent of all I/Os may take, or their mean where percentile is None."""

    latency_s: float
    percentile: float | None = None

    def __post_init__(self) -> None:
        if not self.latency_s > 0:
            raise ValueError("latency_s must be more than 0")
        if self.percentile is not None and not 0 < self.percentile < 100:
            raise ValueError("percentile must be between 0 and 100")

    @property
    def metric(self) -> str:
        """ "mean" or "p99.9"."""
        return "mean" if self.percentile is None else f"p{self.percentile:g}"

    @property
    def words(self) -> str:
        """As it is asked for: "p99.9 <= 10ms"."""
        return f"{self.metric} <= {self.latency_s * 1e3:g}ms"

    @property
    def slow_share(self) -> float:
        """The share of I/Os that may be slower than the limit; of the mean there is none."""
        return 1.0 if self.percentile is None else 1 - self.percentile / 100


PRECISION = 0.05
"""The half-width of intervals, as a share of the mean, that is asked for where nothing else is."""


class Outcome(StrEnum):
    """How a segment ended. WITHHELD: early, because other clients of the cluster suffered."""

    DONE = "done"
    FAILED = "failed"
    INTERRUPTED = "interrupted"
    WITHHELD = "withheld"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One row of the study: a name that is unique in it, a title for people, and the load.

    where: what was loaded, named as such, e.g. "a file on /var/tmp", "loopback", "pool radoscope-x". limit: the cell is
    a step of a search for the most IOPS under that latency; its rate is one of those that were tried. elsewhere: what
    was loaded is no part of the cluster, so nothing of the cluster may be explained with it.
    """

    name: str
    title: str
    conditions: Conditions
    where: str = ""
    limit: LatencyLimit | None = None
    elsewhere: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """One uninterrupted stretch of one cell. Cells are measured in rounds of segments, interleaved over the study.

    started_at_s: Unix time. seconds: wall time spent, start-up included. results: one per client process and
    direction. commands: the exact argv of each client process. raw_files: verbatim outputs, relative to the bundle.
    disturbed: what others did to the host meanwhile (stats.yardstick.disturbance); empty where nothing.
    host_speed: the yardstick's loops per second just before the segment, None where not taken. telemetry, counters:
    what was watched, by the names of records.telemetry; counters of all OSDs together, osd_counters of each. slowest:
    the slowest operations by the OSDs' own records.
    """

    cell: str
    round: int
    outcome: Outcome
    started_at_s: float
    seconds: float
    commands: tuple[tuple[str, ...], ...] = ()
    results: tuple[Result, ...] = ()
    raw_files: tuple[str, ...] = ()
    problem: str = ""
    disturbed: str = ""
    host_speed: float | None = None
    telemetry: tuple[Series, ...] = ()
    counters: Mapping[str, float] = field(default_factory=dict)
    osd_counters: Mapping[int, Mapping[str, float]] = field(default_factory=dict)
    slowest: tuple[SlowOp, ...] = ()


STOPPED = "the load was stopped because "
"""How a study's note begins that says why it was ended before its time."""


@dataclass(frozen=True, kw_only=True)
class Study:
    """An immutable set of cells with all their segments.

    target: what was measured, in words ("sandbox demo, 3 OSDs on this machine"). kind: of run, by which `kinds` knows
    what it is. payload: what that kind measures beside or instead of cells, None where it does not. precision: the
    half-width of intervals that was asked for. sandbox: the name of the embedded cluster, None on a user's own.
    complete: every planned segment was tried. can_go_on: more can be measured into it. clients: the client hosts as the
    user named them, in the order in which processes are spread over them. at: the way to the cluster as the user named
    it, empty where it was this host's own.
    """

    id: str
    plan: str
    target: str
    created_at_s: float
    cells: tuple[Cell, ...]
    segments: tuple[Segment, ...] = ()
    environment: Environment = field(default_factory=Environment)
    sandbox: str | None = None
    complete: bool = True
    can_go_on: bool = False
    radoscope_version: str = ""
    seconds: float = 0.0
    notes: tuple[str, ...] = ()
    clients: tuple[str, ...] = ()
    at: str = ""
    kind: str = "rounds"
    precision: float = PRECISION
    payload: object = None

    @property
    def stopped_because(self) -> str:
        """Why the load was ended before its time, in the words of who ended it; empty where nothing did."""
        told = (note.removeprefix(STOPPED) for note in self.notes if note.startswith(STOPPED))
        return "" if self.complete else next(told, "")

    @property
    def imported(self) -> bool:
        """Results of runs that others made, read from what they wrote: nothing in it is ours to repeat."""
        return self.plan == "import"

    def cell(self, name: str) -> Cell:
        for cell in self.cells:
            if cell.name == name:
                return cell
        raise KeyError(name)

    def segments_of(self, cell: str) -> tuple[Segment, ...]:
        return self._by_cell.get(cell, ())

    @cached_property
    def _by_cell(self) -> Mapping[str, tuple[Segment, ...]]:
        found: dict[str, list[Segment]] = {}
        for segment in self.segments:
            found.setdefault(segment.cell, []).append(segment)
        return {cell: tuple(segments) for cell, segments in found.items()}

    def __hash__(self) -> int:
        """Equal studies have the same id; to look through all that they hold would take too long."""
        return hash(self.id)
