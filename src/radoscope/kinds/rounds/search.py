"""The search for the most IOPS under a latency limit, as a part of the rounds: which cells it wants to see next."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from radoscope.plan.expand import at_rate, cells_of
from radoscope.plan.schema import Plan
from radoscope.records.conditions import Conditions
from radoscope.records.study import Cell, LatencyLimit, Segment
from radoscope.stats.latency_limit import LEAST_SEGMENTS, next_rates
from radoscope.stats.response import tried_of
from radoscope.stats.segments import keeps_failing


@dataclass(slots=True)
class Search:
    """ladder: the cells of the plan with which it begins, ascending in their rate. cells: all that it has asked for."""

    plan: Plan
    ladder: tuple[Cell, ...]
    cells: dict[str, Cell]

    def next_cells(self, segments: Mapping[str, Sequence[Segment]]) -> tuple[Cell, ...]:
        """The cells of the next round; none when the answer is there, its time is used, or it keeps failing."""
        own = self._own(segments)
        if keeps_failing(own):
            return ()
        tried, gap_s = tried_of(tuple(self.cells.values()), own)
        rates = [cell.conditions.rate_iops or 0.0 for cell in self.ladder]
        wanted = next_rates(tried, rates, self.plan.precision, gap_s)
        if own and len(wanted) > self.rounds_left(segments):
            return ()
        return tuple(self._cell(rate) for rate in wanted)

    def rounds_left(self, segments: Mapping[str, Sequence[Segment]]) -> int:
        """Segments that still fit into its time: what the cells of the ladder might have used together."""
        own = self._own(segments)
        spent = math.fsum(one.seconds for one in own)
        return int((self.plan.at_most * len(self.ladder) - spent) // (spent / len(own))) if own else 1

    def least_left(self, segments: Mapping[str, Sequence[Segment]]) -> int:
        """Segments that it will take at least: half the ladder, and as many as an answer rests on."""
        return max(0, len(self.ladder) // 2 + LEAST_SEGMENTS - len(self._own(segments)))

    def _own(self, segments: Mapping[str, Sequence[Segment]]) -> list[Segment]:
        own = (segment for name in self.cells for segment in segments.get(name, ()))
        return sorted(own, key=lambda segment: segment.started_at_s)

    def _cell(self, rate_iops: float) -> Cell:
        cell = at_rate(self.ladder[0], rate_iops)
        return self.cells.setdefault(cell.name, cell)


def searches_of(plan: Plan, cells: Sequence[Cell]) -> tuple[Search, ...]:
    """The searches among the cells of a study; cells that are in no plan were added by an earlier part of it."""
    planned = {cell.name for cell in cells_of(plan)}
    families: dict[tuple[Conditions, LatencyLimit], list[Cell]] = {}
    for cell in cells:
        if cell.limit is not None:
            families.setdefault((replace(cell.conditions, rate_iops=None), cell.limit), []).append(cell)
    return tuple(
        Search(plan, _ladder(members, planned), {cell.name: cell for cell in members}) for members in families.values()
    )


def _ladder(members: Sequence[Cell], planned: set[str]) -> tuple[Cell, ...]:
    own = [cell for cell in members if cell.name in planned]
    return tuple(sorted(own, key=lambda cell: cell.conditions.rate_iops or 0.0))
