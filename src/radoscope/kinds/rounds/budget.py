"""With a budget: which cells the next round measures, so that the study tells the most in the time it was given."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from radoscope.records.conditions import Layer
from radoscope.records.environment import Environment
from radoscope.records.study import Cell, Segment
from radoscope.stats.enough import RUNGS, Wish, outlook_of, worth_most
from radoscope.stats.interval import VariancePrior
from radoscope.stats.ladder import Costliest, climb, costliest, round_trips, rung_of, ways_of
from radoscope.stats.pick import one_at_a_time, quoted
from radoscope.stats.summarise import summarise_cell
from radoscope.stats.values import Summaries

ALLOCATION = "allocation.json"
"""The file of a bundle that says of each round for what its cells were chosen."""

EVERY = 4
"""No cell misses more rounds in a row than one less: whatever drifts, drifts for all of them."""

PART = 1 / 3
"""Of a round of all cells, what is chosen anew before it is asked again."""

_LAYERS = (Layer.DISK, Layer.OSD, Layer.NETWORK, Layer.RADOS, Layer.S3, Layer.CEPHFS, Layer.RBD)
_COSTS = {
    Layer.DISK: "the disk's durable write",
    Layer.OSD: "the OSD's store",
    Layer.NETWORK: "the network",
    Layer.RADOS: "the work of the OSDs",
    Layer.RBD: "RBD",
    Layer.CEPHFS: "CephFS",
}
_HEADLINE, _QUESTION = 2.0, 4.0
"""Weights beside the 1 of any other cell: the figures that people quote, and which layer costs most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SoFar:
    """What is known before a round. left_s: of the budget. segments: by cell. prior: of the scatter of all cells."""

    round: int
    left_s: float
    segments: Mapping[str, Sequence[Segment]]
    prior: VariancePrior | None

    def of(self, cell: Cell) -> Sequence[Segment]:
        return self.segments[cell.name]

    def is_overdue(self, cell: Cell) -> bool:
        return max((segment.round for segment in self.of(cell)), default=0) <= self.round - EVERY


@dataclass(slots=True)
class Allocation:
    """What one study does with its budget. folder: its bundle, in which each choice is kept. precision: of its plan.

    seconds_of: what a segment of a cell takes. say: told once the layer question is decided.
    """

    folder: Path
    precision: float
    environment: Environment
    seconds_of: Callable[[Cell], float]
    say: Callable[[str], None] = lambda words: None
    _told: Layer | None = None
    _kept: list[dict[str, object]] = field(default_factory=list)

    def choose(self, cells: Sequence[Cell], now: SoFar) -> list[Cell]:
        """Those of the cells that the round measures; none where none fits into the time left."""
        fit = [cell for cell in cells if self.seconds_of(cell) <= now.left_s]
        names, target = self._worth_most(fit, now) if fit else ((), None)
        overdue = [cell.name for cell in fit if cell.name not in names and now.is_overdue(cell)]
        self._keep(now, target, names, overdue)
        return [cell for cell in fit if cell.name in {*names, *overdue}]

    def _worth_most(self, cells: Sequence[Cell], now: SoFar) -> tuple[tuple[str, ...], float | None]:
        """What settles most a second; for the plan's precision while anything can still reach it, then for the next."""
        part_s = PART * sum(self.seconds_of(cell) for cell in cells)
        headline, question = _headline(cells), self._question(cells, now)
        for target in (self.precision, *(rung for rung in RUNGS if rung < self.precision)):
            rates = [self._rate(cell, now, target, cell.name in headline) for cell in cells]
            if found := worth_most([*question, *rates], now.left_s, part_s):
                return found, target
        return tuple(cell.name for cell in cells), None

    def _rate(self, cell: Cell, now: SoFar, target: float, quoted: bool) -> Wish:
        rounds = outlook_of(now.of(cell), target, now.prior).rounds_more
        weight = _HEADLINE if quoted else 1.0
        return Wish(cells=(cell.name,), rounds=rounds, seconds=self.seconds_of(cell), weight=weight)

    def _question(self, cells: Sequence[Cell], now: SoFar) -> list[Wish]:
        """Which layer costs most: told by all cells of the ladder within the same rounds."""
        named = _bare(cells)
        way = [layer for layer in ways_of(named)[0] if layer in _LAYERS]
        rungs = [one_at_a_time(named, layer, writes=True) for layer in way]
        ladder = [rung.cell for rung in rungs if rung is not None]
        found = Summaries(cells=tuple(summarise_cell(cell, now.of(cell), prior=now.prior) for cell in ladder))
        trips = round_trips(self.environment, writes=True)
        most = costliest(climb([rung_of(found, layer, writes=True) for layer in way], trips, writes=True))
        if most is None or most.certain:
            self._tell(most)
            return []
        names, seconds = tuple(cell.name for cell in ladder), sum(self.seconds_of(cell) for cell in ladder)
        return [Wish(cells=names, rounds=most.rounds_more, seconds=seconds, weight=_QUESTION)]

    def _tell(self, most: Costliest | None) -> None:
        if most is not None and most.step.layer is not self._told:
            self._told = most.step.layer
            self.say(f"decided: of one 4K write, {_COSTS[most.step.layer]} costs most, {most.share:.0%}")

    def _keep(self, now: SoFar, target: float | None, names: Sequence[str], overdue: Sequence[str]) -> None:
        """target: None where nothing can be settled any more, and all cells get the same."""
        choice = {"round": now.round, "left_s": round(now.left_s, 1), "target": target, "chosen": [*names]}
        self._kept.append({**choice, "overdue": [*overdue]})
        (self.folder / ALLOCATION).write_text(json.dumps(self._kept, indent=1), encoding="utf-8")


def _headline(cells: Sequence[Cell]) -> set[str]:
    top = next((layer for layer in reversed(_LAYERS) if any(c.conditions.layer is layer for c in cells)), Layer.DISK)
    return {summary.cell.name for summary in quoted(_bare(cells), top) if summary is not None}


def _bare(cells: Sequence[Cell]) -> Summaries:
    """For finding cells by their conditions."""
    return Summaries(cells=tuple(summarise_cell(cell, ()) for cell in cells))
