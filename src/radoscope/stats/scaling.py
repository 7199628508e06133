"""Steps of a scaling study: the same load from 1, 2, 4... clients, and how much each step brings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from radoscope.records.conditions import rows_of_clients
from radoscope.records.study import Cell, Study
from radoscope.stats.ratio import Ratio, ratio_of_rates
from radoscope.stats.segments import counting_segments, figures_of, gap_of, segment_iops
from radoscope.stats.values import Estimate, Interval, Undecided


@dataclass(frozen=True, slots=True, kw_only=True)
class ScalingStep:
    """From the smallest cell of a family to one with more clients.

    efficiency: the rate over what as many clients as `clients` would do were each as fast as in the smallest; 1 is
    perfect. speedup: the rate over that of the smallest.
    """

    smallest: str
    cell: str
    clients_before: int
    clients: int
    speedup: Ratio | Undecided
    efficiency: Estimate | Undecided


def scaling_steps(study: Study) -> tuple[ScalingStep, ...]:
    """Every cell that differs from another one only by its number of clients, against the smallest of its family."""
    rows = rows_of_clients(study.cells, lambda cell: cell.conditions)
    return tuple(step for cells in rows.values() if len(cells) > 1 for step in _steps(study, cells))


def _steps(study: Study, cells: Sequence[Cell]) -> Iterator[ScalingStep]:
    ordered = sorted(cells, key=lambda cell: cell.conditions.clients)
    smallest = ordered[0]
    before = counting_segments(study.segments_of(smallest.name))
    for cell in ordered[1:]:
        after = counting_segments(study.segments_of(cell.name))
        ratio = ratio_of_rates(
            figures_of(before, segment_iops),
            figures_of(after, segment_iops),
            gap_a_s=gap_of(before),
            gap_b_s=gap_of(after),
        )
        times = cell.conditions.clients / smallest.conditions.clients
        yield ScalingStep(
            smallest=smallest.name,
            cell=cell.name,
            clients_before=smallest.conditions.clients,
            clients=cell.conditions.clients,
            speedup=ratio,
            efficiency=_efficiency(ratio, times),
        )


def _efficiency(ratio: Ratio | Undecided, times: float) -> Estimate | Undecided:
    if isinstance(ratio, Undecided):
        return ratio
    interval = Interval(ratio.interval.low / times, ratio.interval.high / times, ratio.confidence)
    return Estimate(ratio.value / times, interval, ratio.samples, ratio.method)
