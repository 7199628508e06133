"""The loop: rounds of short segments of all cells in random order, each cell until its interval is tight.

Why rounds: the rates of neighbouring seconds are so alike that a stretch in one go looks precise long before it is.
Segments spread over the whole study see the drift of hours, and no cell profits from its place in the order.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from radoscope.archives.bundle import read_segment
from radoscope.archives.environment import read_environment
from radoscope.kinds.rounds.budget import Allocation, SoFar
from radoscope.kinds.rounds.search import Search, searches_of
from radoscope.plan.estimate import FULL_ROUNDS, most_rounds, segment_seconds
from radoscope.plan.expand import Trial, shuffled_round
from radoscope.plan.schema import Plan
from radoscope.records.study import Cell, Outcome, Segment
from radoscope.run.bundle import Bundle
from radoscope.run.events import Started
from radoscope.session.session import Session
from radoscope.session.standing import ended
from radoscope.stats.enough import outlook_of
from radoscope.stats.interval import VariancePrior
from radoscope.stats.segments import keeps_failing, segment_latency
from radoscope.stats.summarise import shared_prior
from radoscope.stats.yardstick import disturbance

AT_ONCE = 4
"""Segments whose clients start side by side and then wait: between two segments nothing starts, and during none."""

SHORTEST_RAMP_S = 0.5
"""After 0.1 s, four pairs on a busy machine gave random reads at QD1 0.90 (0.82 to 0.99) of a plain run's rate."""

RAMP_LATENCIES = 5
"""Mean latencies of the last segment after which a rate is level: queues are full, sessions with OSDs stand."""


@dataclass(slots=True)
class Rounds:
    """One study's loop. complete: it came to its end.

    On a cluster that others use, the first round goes from the lightest load to the heaviest, so that it shows its
    limits before they are passed.
    """

    session: Session
    complete: bool = False
    _segments: dict[str, list[Segment]] = field(default_factory=lambda: defaultdict(list))
    _prior: VariancePrior | None = None
    _cells: tuple[Cell, ...] = field(init=False)
    _fixed: tuple[Cell, ...] = field(init=False)
    _searches: tuple[Search, ...] = field(init=False)
    _allocation: Allocation = field(init=False)

    def __post_init__(self) -> None:
        self._cells = self.bundle.manifest.cells
        self._fixed = tuple(cell for cell in self._cells if cell.limit is None)
        self._searches = searches_of(self.plan, self._cells)
        environment = read_environment(self.bundle.folder, self.bundle.manifest)
        self._allocation = Allocation(
            self.bundle.folder, self.plan.precision, environment, self._seconds_each, self.session.say
        )

    @property
    def plan(self) -> Plan:
        return self.session.plan

    @property
    def bundle(self) -> Bundle:
        return self.session.bundle

    def run(self) -> None:
        """Until every cell is precise, has used its time, or is given up; with a budget, until that is used; or until
        `stop` is set."""
        self._recall()
        number = 1
        try:
            while not self.session.stop.is_set() and (cells := self._next_cells(number)):
                self._measure(self._ordered(shuffled_round(self.plan, cells, number)))
                number = self._round_after(number)
        finally:
            self._get_ready(())
        self.complete = not self.session.stop.is_set()

    def _measure(self, trials: Sequence[Trial]) -> None:
        """One round, as far as it lacks and fits."""
        wanted = [replace(trial, ramp=self._ramp(trial.cell)) for trial in trials if not self._has(trial)]
        for number, trial in enumerate(wanted):
            self.session.others.await_recovery(self.session.stop, self.session.on_event)
            if self.session.stop.is_set():
                return
            if number % AT_ONCE == 0:
                self._get_ready([one for one in wanted[number : number + AT_ONCE] if self._may_run(one)])
            if self._may_run(trial):
                self._run_one(trial)

    def _get_ready(self, trials: Sequence[Trial]) -> None:
        self.session.hands.get_ready(self.session, trials, self.bundle.folder)

    def _may_run(self, trial: Trial) -> bool:
        return self._in_time(trial) and not self._withheld(trial.cell)

    def _ramp(self, cell: Cell) -> float:
        """As long as the plan says, or as it takes until what is in flight has been answered a few times."""
        seen = [latency for one in self._segments[cell.name][-1:] if (latency := segment_latency(one)) is not None]
        if not seen or cell.conditions.rate_iops is not None:
            return self.plan.ramp
        return min(self.plan.ramp, max(SHORTEST_RAMP_S, RAMP_LATENCIES * seen[0]))

    def _round_after(self, number: int) -> int:
        """With a budget, rounds that are chosen follow all that are there."""
        if self.plan.budget is None or number < FULL_ROUNDS:
            return number + 1
        return max(number, *(one.round for segments in self._segments.values() for one in segments)) + 1

    def _next_cells(self, number: int) -> list[Cell]:
        """The cells of a round: those that are not precise yet, or tell most; and what the searches want to see."""
        self._prior = shared_prior(self._fixed, lambda cell: self._segments[cell])
        wanted = [cell for search in self._searches for cell in search.next_cells(self._segments)]
        found = [cell for cell in wanted if not self._withheld(cell)]
        known = {cell.name for cell in self.bundle.manifest.cells}
        if new := tuple(cell for cell in found if cell.name not in known):
            self.bundle.change(cells=(*self.bundle.manifest.cells, *new))
        return [*self._wanted(number), *found]

    def _wanted(self, number: int) -> list[Cell]:
        if self.plan.budget is None:
            return [cell for cell in self._fixed if self._wants_more(cell)]
        able = [cell for cell in self._fixed if not self._given_up(cell)]
        if number <= FULL_ROUNDS or not able:
            return able
        now = SoFar(round=number, left_s=self._left_s(), segments=self._segments, prior=self._prior)
        return self._allocation.choose(able, now)

    def _left_s(self) -> float:
        """Of the budget."""
        return (self.plan.budget or math.inf) - (self.session.hands.clock() - self.session.begun_s)

    def _in_time(self, trial: Trial) -> bool:
        """The first rounds are measured in any case: without them no cell has an interval."""
        return trial.round <= FULL_ROUNDS or self._seconds_each(trial.cell) <= self._left_s()

    def _ordered(self, trials: Sequence[Trial]) -> Sequence[Trial]:
        if not self.session.gently or trials[0].round > 1:
            return trials
        return sorted(trials, key=lambda trial: _bytes_in_flight(trial.cell))

    def _withheld(self, cell: Cell) -> bool:
        """Whether this load, or one no heavier, was taken away for the sake of other clients."""
        return any(
            _is_no_heavier(one, cell)
            for one in self.bundle.manifest.cells
            if any(segment.outcome is Outcome.WITHHELD for segment in self._segments.get(one.name, ()))
        )

    def _run_one(self, trial: Trial) -> None:
        self.session.on_event(self._started(trial))
        entry = self.session.hands.run(self.session, trial, self.bundle.folder)
        segment = read_segment(self.bundle.folder, entry, trial.cell)
        disturbed = disturbance(segment, [one for segments in self._segments.values() for one in segments])
        self.bundle.add_segment(replace(entry, disturbed=disturbed))
        segment = replace(segment, disturbed=disturbed)
        self._segments[trial.cell.name].append(segment)
        self.session.on_event(ended(trial.cell, self._segments[trial.cell.name], self._prior))
        if segment.outcome is Outcome.FAILED:
            self.session.hands.check_well(self.session, trial.cell)

    def _wants_more(self, cell: Cell) -> bool:
        segments = self._segments[cell.name]
        if self._given_up(cell):
            return False
        if len(segments) < self.plan.rounds:
            return True
        again = sum(not one.disturbed for one in segments) < self.plan.rounds
        return self._time_left(cell) and (again or not outlook_of(segments, self.plan.precision, self._prior).enough)

    def _given_up(self, cell: Cell) -> bool:
        return keeps_failing(self._segments[cell.name]) or self._withheld(cell)

    def _time_left(self, cell: Cell) -> bool:
        spent = [segment.seconds for segment in self._segments[cell.name]]
        return sum(spent) + sum(spent) / len(spent) <= self.plan.at_most

    def _has(self, trial: Trial) -> bool:
        """Whether a study that is resumed has this segment already."""
        return any(one.round == trial.round and one.outcome is Outcome.DONE for one in self._segments[trial.cell.name])

    def _recall(self) -> None:
        cells = {cell.name: cell for cell in self._cells}
        for entry in self.bundle.manifest.segments:
            if entry.outcome in (Outcome.DONE, Outcome.WITHHELD) and entry.cell in cells:
                segment = read_segment(self.bundle.folder, entry, cells[entry.cell])
                self._segments[entry.cell].append(segment)

    def _started(self, trial: Trial) -> Started:
        """How far it is and how long it will take: at least the planned rounds, at most all that cells may use."""
        done = sum(len(segments) for segments in self._segments.values())
        if self.plan.budget is not None:
            return self._started_in_budget(trial, done)
        cells = {cell.name: cell for cell in (*self._fixed, trial.cell)}
        least = {name: max(0, self.plan.rounds - len(self._segments[name])) for name in cells}
        most = {name: max(0, most_rounds(self.plan, cell) - len(self._segments[name])) for name, cell in cells.items()}
        for counts in (least, most):
            counts[trial.cell.name] = max(1, counts[trial.cell.name])
        if trial.cell.limit is not None:
            least[trial.cell.name] = max(1, sum(search.least_left(self._segments) for search in self._searches))
            most[trial.cell.name] = max(1, sum(search.rounds_left(self._segments) for search in self._searches))
        settled = {cell.name for cell in self._fixed if least[cell.name] == 0 and not self._wants_more(cell)}
        return Started(
            cell=trial.cell,
            round=trial.round,
            done=done,
            planned=done + sum(least.values()),
            eta_s=sum(self._seconds_each(cell) * least[cell.name] for cell in cells.values()),
            eta_high_s=sum(
                self._seconds_each(cell) * most[cell.name] for cell in cells.values() if cell.name not in settled
            ),
        )

    def _started_in_budget(self, trial: Trial, done: int) -> Started:
        mean_s = sum(self._seconds_each(cell) for cell in self._cells) / len(self._cells)
        rounds_s = sum(self._seconds_each(c) * max(0, FULL_ROUNDS - len(self._segments[c.name])) for c in self._fixed)
        left_s = max(self._left_s(), rounds_s, self._seconds_each(trial.cell))
        planned = done + max(1, round(left_s / mean_s))
        return Started(trial.cell, trial.round, done=done, planned=planned, eta_s=left_s, eta_high_s=left_s)

    def _seconds_each(self, cell: Cell) -> float:
        """What a segment of this cell takes: as seen so far, else as estimated."""
        spent = [segment.seconds for segment in self._segments[cell.name]]
        return sum(spent) / len(spent) if spent else segment_seconds(self.plan, cell)


def _is_no_heavier(one: Cell, other: Cell) -> bool:
    """Whether every other client would suffer from the other load what it suffers from this one, or more."""
    a, b = one.conditions, other.conditions
    return (
        b.layer.on_cluster
        and a.op == b.op
        and (a.block_bytes or 1) <= (b.block_bytes or 1)
        and a.in_flight <= b.in_flight
        and (a.rate_iops or math.inf) <= (b.rate_iops or math.inf)
    )


def _bytes_in_flight(cell: Cell) -> int:
    return cell.conditions.in_flight * (cell.conditions.block_bytes or 1)
