"""The loop of an A/B experiment: pairs of side-by-side segments until every cell has its verdict, or time is up.

In which order it measures and when it looks are both fixed before the first look.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from radoscope.archives.bundle import read_segment
from radoscope.plan.estimate import segment_seconds
from radoscope.plan.expand import Trial, shuffled_round
from radoscope.records.study import Cell, Outcome, Segment
from radoscope.run.bundle import Bundle
from radoscope.run.events import Started
from radoscope.run.state import Switch
from radoscope.session.session import Session
from radoscope.session.standing import ended
from radoscope.session.waiting import await_clean
from radoscope.stats.experiment import FIRST_LOOK, confidence_at, decide_pairs
from radoscope.stats.ratio import Ratio
from radoscope.stats.segments import counting_segments, keeps_failing, segment_bandwidth, segment_iops, segment_latency
from radoscope.stats.values import Undecided
from radoscope.stats.verdict import Verdict

SPACING = 1.3
"""Of looks: each comes after so many times the pairs of the one before. Measured in benchmarks/intervals.py."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """looks: after how many pairs. The experiment ends after the last."""

    looks: tuple[int, ...]

    @property
    def pairs(self) -> int:
        return self.looks[-1]

    def next_look(self, pairs: int) -> int:
        """The pairs after which the next look comes, or the last."""
        return next((look for look in self.looks if look > pairs), self.pairs)

    def confidence(self, pairs: int, *, ends: bool = False) -> float:
        """Of a look after so many pairs. ends: the experiment ends there, whether that was planned or not."""
        before = [look for look in self.looks if look < pairs]
        return confidence_at((*before, pairs), self.pairs, ends=ends)


def schedule(pairs: int) -> Schedule:
    """The looks of an experiment in whose time this many pairs fit. Raises ValueError below FIRST_LOOK.

    Closer together at first, when little is spent on them, and after whole blocks of two pairs.
    """
    if pairs < FIRST_LOOK:
        raise ValueError(f"{pairs} pairs are too few to look at")
    last = pairs if pairs <= FIRST_LOOK else pairs - pairs % 2
    looks, following = list[int](), FIRST_LOOK + FIRST_LOOK % 2
    while following * math.sqrt(SPACING) < last:
        looks.append(following)
        following = max(following + 2, 2 * round(following * SPACING / 2))
    return Schedule((*looks, last))


def order(seed: str, pair: int) -> tuple[str, str]:
    """Which state comes first in a pair, counted from 1: a random one, and in the next pair the other (ABBA or BAAB).

    What drifts evenly, and what coming first or second does, thereby hits both states alike.
    """
    block, second = divmod(pair - 1, 2)
    states = random.Random(f"{seed}/{block}").choice((("a", "b"), ("b", "a")))
    return (states[1], states[0]) if second else states


# After a change of the OSD map, managers hear from OSDs every 5 s (mgr_stats_period), and monitors from managers.
_HOLD_S = 6.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CellVerdict:
    """What the pairs of one cell say. higher_is_better: of the figure that is judged, a rate or a latency."""

    cell: Cell
    ratio: Ratio | Undecided
    verdict: Verdict
    pairs: int
    higher_is_better: bool = True

    @property
    def decided(self) -> bool:
        return not isinstance(self.verdict, Undecided)


@dataclass(slots=True, kw_only=True)
class Pairs:
    """One experiment's loop. bundles: of state "a" and of state "b". spent_s: time in pairs so far. cells_of_b: what B
    measures in place of a cell, by name. shown, shown_b: what `show` said of A and of B, None where nobody can tell.
    """

    session: Session
    switch: Switch
    bundles: Mapping[str, Bundle]
    budget_s: float
    settle_s: float
    margin: float
    shown: str | None = None
    cells_of_b: Mapping[str, Cell] = field(default_factory=dict)
    state: str = "a"
    shown_b: str | None = None
    done: int = 0
    spent_s: float = 0.0
    looked_after: int = 0
    planned: Schedule | None = None
    judgements: dict[str, CellVerdict] = field(default_factory=dict)
    given_up: dict[str, str] = field(default_factory=dict)
    _before: int = 0
    _segments: dict[tuple[str, str], list[Segment]] = field(default_factory=lambda: defaultdict(list))

    def run(self) -> None:
        """From state A on, until every cell is decided or given up, time is up, or `stop` is set.

        Raises RadoscopeError when a state cannot be reached or the cluster is not well; what was measured is kept.
        """
        self._rehearse()
        while not self.session.stop.is_set() and self._open() and self._time_for_another():
            begun = self.session.hands.clock()
            self._measure_pair(self.done + 1)
            self.spent_s += self.session.hands.clock() - begun
            if self.session.stop.is_set():
                return
            self.done += 1
            self._plan_looks()
            if self.planned and self.done in self.planned.looks:
                self._look(self.planned.confidence(self.done))
            if self.planned and self.done >= self.planned.pairs:
                return

    def conclude(self) -> None:
        """The last look, where the experiment ended between two."""
        if self.done > self.looked_after:
            planned = self.planned or Schedule((self.done,))
            self._look(planned.confidence(self.done, ends=True))

    def _rehearse(self) -> None:
        """Both states once before anything counts: the commands work, the environments are noted, caches are warm."""
        for state in ("a", "b"):
            self._enter(state)
            if state == "b":
                self._show_b()
            self.session.hands.capture(self.session, self.bundles[state])
            self.session.say(f"state {state.upper()}: one segment of each cell to warm up, not counted")
            for trial in self._trials(0, self.session.bundle.manifest.cells):
                if self.session.stop.is_set():
                    return
                warm = Bundle(self.session.work / f"warm-up-{state}", self.session.bundle.manifest)
                self._execute(self._in_state(state, trial), warm)

    def _show_b(self) -> None:
        self.shown_b = self.switch.shown()
        if self.shown_b is not None and self.shown_b == self.shown:
            self.session.warn(f"A and B look identical: `{self.switch.show}` says {self.shown_b!r} of both")

    def _measure_pair(self, pair: int) -> None:
        self._before = self._segment_count()
        for state in order(self.session.id, pair):
            self._enter(state)
            for trial in self._trials(pair, self._open()):
                if self.session.stop.is_set():
                    return
                self._run_one(state, trial)

    def _enter(self, state: str) -> None:
        """Set a state and wait until the cluster is calm; also if it is set already."""
        governor, hold_s = self.session.governor, 0.0
        with self.session.expecting():
            if state != self.state:
                self.session.say(f"switching to state {state.upper()}")
                before = self._map_epoch()
                self.state = "neither"
                self.switch.to(state, self.session.stop)
                self.state = state
                hold_s = 0.0 if self._map_epoch() == before else _HOLD_S
            if governor is not None:
                await_clean(self.session, lambda: governor.ask("status"), hold_s)
        self.session.hands.wait(self.settle_s, self.session.stop)

    def _map_epoch(self) -> object:
        governor = self.session.governor
        return None if governor is None else governor.ask("status")["osdmap"]["epoch"]

    def _trials(self, pair: int, cells: Sequence[Cell]) -> tuple[Trial, ...]:
        """The same order for both states of a pair, so that the two segments of each cell are equally far apart."""
        return shuffled_round(self.session.plan, cells, pair)

    def _in_state(self, state: str, trial: Trial) -> Trial:
        return replace(trial, cell=self.cells_of_b.get(trial.cell.name, trial.cell)) if state == "b" else trial

    def _run_one(self, state: str, asked: Trial) -> None:
        trial = self._in_state(state, asked)
        self.session.on_event(self._started(trial))
        segment = self._execute(trial, self.bundles[state], keep=True)
        self._segments[state, trial.cell.name].append(segment)
        both = (one for other in ("a", "b") for one in self._segments[other, trial.cell.name])
        self.session.on_event(ended(trial.cell, sorted(both, key=lambda one: one.started_at_s)))
        if segment.outcome is Outcome.FAILED:
            self.session.hands.check_well(self.session, trial.cell)
            self._maybe_give_up(state, trial.cell)
        elif segment.outcome is Outcome.WITHHELD:
            self.given_up[trial.cell.name] = f"in state {state.upper()} it was {segment.problem}"

    def _execute(self, trial: Trial, bundle: Bundle, keep: bool = False) -> Segment:
        # What others still suffer from the last load would otherwise be put down to this one.
        self.session.others.await_recovery(self.session.stop, self.session.on_event)
        entry = self.session.hands.run(self.session, trial, bundle.folder)
        if keep:
            bundle.add_segment(entry)
        return read_segment(bundle.folder, entry, trial.cell)

    def _maybe_give_up(self, state: str, cell: Cell) -> None:
        segments = self._segments[state, cell.name]
        if keeps_failing(segments):
            self.given_up[cell.name] = f"in state {state.upper()} it failed twice in a row: {segments[-1].problem}"

    def _open(self) -> tuple[Cell, ...]:
        """The cells that still need pairs."""
        return tuple(
            cell
            for cell in self.session.bundle.manifest.cells
            if cell.name not in self.given_up
            and not (cell.name in self.judgements and self.judgements[cell.name].decided)
        )

    def _time_for_another(self) -> bool:
        return self.done < 2 or self.spent_s + self.spent_s / self.done <= self.budget_s

    def _plan_looks(self) -> None:
        """Once the first block has shown how long a pair takes; it knows nothing of the results."""
        if self.planned is None and self.done == 2:
            self.planned = schedule(max(FIRST_LOOK, int(self.budget_s / (self.spent_s / 2))))
            self.session.say(
                f"a pair takes {self.spent_s / 2:.0f} s: at most {self.planned.pairs} pairs, a look after "
                f"{', '.join(map(str, self.planned.looks))}"
            )

    def _look(self, confidence: float) -> None:
        self.looked_after = self.done
        for cell in self.session.bundle.manifest.cells:
            if cell.name not in self.judgements or not self.judgements[cell.name].decided:
                self.judgements[cell.name] = self._judge(cell, confidence)
        told = ", ".join(f"{name} {_words(one)}" for name, one in self.judgements.items())
        self.session.say(f"look after {self.done} pairs: {told}")

    def _judge(self, cell: Cell, confidence: float) -> CellVerdict:
        a, b, higher_is_better = self._figures(cell)
        ratio, verdict = decide_pairs(
            a,
            b,
            confidence=confidence,
            cells=len(self.session.bundle.manifest.cells),
            margin=self.margin,
            higher_is_better=higher_is_better,
            seconds_used=self.spent_s,
        )
        if cell.name in self.given_up and isinstance(verdict, Undecided):
            verdict = Undecided(self.given_up[cell.name])
        return CellVerdict(cell=cell, ratio=ratio, verdict=verdict, pairs=len(a), higher_is_better=higher_is_better)

    def _figures(self, cell: Cell) -> tuple[tuple[float, ...], tuple[float, ...], bool]:
        """One figure of each whole pair, in A and in B; and whether more of it is better."""
        rounds = [
            {one.round: one for one in counting_segments(self._segments[state, cell.name])} for state in ("a", "b")
        ]
        whole = [(rounds[0][number], rounds[1][number]) for number in sorted(rounds[0].keys() & rounds[1].keys())]
        for figure in (segment_iops, segment_bandwidth, segment_latency):
            pairs = [(x, y) for a, b in whole if (x := figure(a)) is not None and (y := figure(b)) is not None]
            if pairs and len(pairs) == len(whole):
                return tuple(x for x, _ in pairs), tuple(y for _, y in pairs), figure is not segment_latency
        return (), (), True

    def _segment_count(self) -> int:
        return sum(len(segments) for segments in self._segments.values())

    def _estimated_pair_s(self, cells: Sequence[Cell]) -> float:
        segments = sum(segment_seconds(self.session.plan, cell) for cell in cells)
        return 2 * (segments + self.settle_s)

    def _started(self, trial: Trial) -> Started:
        cells = self._open()
        done = self._segment_count()
        pair_s = self.spent_s / self.done if self.done else self._estimated_pair_s(cells)
        pairs = self.planned.pairs if self.planned else max(FIRST_LOOK, int(self.budget_s / pair_s))
        left = max(1, pairs - self.done)
        least = self.planned.next_look(self.done) - self.done if self.planned else min(left, FIRST_LOOK)
        return Started(
            cell=trial.cell,
            round=trial.round,
            done=done,
            planned=self._before + 2 * len(cells) * left,
            eta_s=least * pair_s,
            eta_high_s=left * pair_s,
        )


def _words(judgement: CellVerdict) -> str:
    ratio = judgement.ratio
    if isinstance(ratio, Undecided):
        return ratio.because
    kind = type(judgement.verdict).__name__.lower()
    return f"B/A {ratio.value:.3f}, {kind}"
