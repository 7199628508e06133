"""n images at once: the cells that differ in the number of clients alone, and how far they are from n times one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from radoscope.records.conditions import Conditions, rows_of_clients
from radoscope.report.material import NO_NUMBER, Material
from radoscope.report.numbers import DASH, Figure, figure, iops, milliseconds, percent
from radoscope.report.words import LAYER_TITLES, load_words
from radoscope.stats.values import CellSummary, Estimate, LatencySummary, Undecided

HEADER = ("IOPS in total", "IOPS an image", "lat ave ms", "p99 ms", "% of n times one")


@dataclass(frozen=True, slots=True)
class Family:
    """Cells with equal conditions but for the number of clients, ascending in it. single: the one with one client."""

    conditions: Conditions
    cells: tuple[CellSummary, ...]
    single: CellSummary | None

    @property
    def title(self) -> str:
        alone, hosts = replace(self.conditions, client_hosts=1), self.conditions.client_hosts
        spread = f", from {hosts} hosts" if hosts > 1 else ""
        return f"{LAYER_TITLES[self.conditions.layer]}, {load_words(alone)} an image{spread}"

    @property
    def message(self) -> str:
        """What the largest number of images reaches."""
        last = self.cells[-1]
        n, share = last.cell.conditions.clients, efficiency(last, self.single)
        if share is None:
            return f"{n} images together do {figure(last.iops, iops, 'IOPS').plain} IOPS"
        return f"{n} images do {share * n:.1f} times the IOPS of one, {percent(share)} of {n} times one"


def find_families(material: Material) -> tuple[Family, ...]:
    """Families of two or more usable cells, in the order of the study."""
    usable = (
        summary
        for summary in material.summaries.cells
        if material.stamp(summary).mark not in NO_NUMBER and isinstance(summary.iops, Estimate)
    )
    rows = rows_of_clients(usable, lambda summary: summary.cell.conditions)
    families = (_family(conditions, cells) for conditions, cells in rows.items())
    return tuple(family for family in families if len(family.cells) > 1)


def efficiency(summary: CellSummary, single: CellSummary | None) -> float | None:
    """IOPS of n clients over n times the IOPS of one."""
    if single is None or isinstance(summary.iops, Undecided) or isinstance(single.iops, Undecided):
        return None
    whole = summary.cell.conditions.clients * single.iops.value
    return summary.iops.value / whole if whole else None


def latency_of(summary: CellSummary, percentile: float | None = None) -> Estimate | Undecided | None:
    """The mean, or a percentile in percent."""
    if not isinstance(summary.latency, LatencySummary):
        return summary.latency
    return summary.latency.mean_s if percentile is None else summary.latency.percentiles_s.get(percentile)


def scaling_figures(summary: CellSummary, single: CellSummary | None) -> tuple[Figure, ...]:
    """One figure per column of HEADER."""
    n, share = summary.cell.conditions.clients, efficiency(summary, single)
    each = Figure(iops(summary.iops.value / n)) if isinstance(summary.iops, Estimate) else Figure()
    return (
        figure(summary.iops, iops, "IOPS"),
        each,
        figure(latency_of(summary), milliseconds, "ms"),
        figure(latency_of(summary, 99.0), milliseconds, "ms"),
        Figure(f"{share * 100:.0f}" if share is not None else DASH),
    )


def client_spread(summary: CellSummary) -> str:
    """Slowest to fastest image, where the clients were seen one by one."""
    each = summary.per_client_iops
    return f"{iops(min(each))} to {iops(max(each))}" if len(each) > 1 else DASH


def _family(conditions: Conditions, cells: list[CellSummary]) -> Family:
    """Of two cells with equal conditions the later one, which was measured as part of the row."""
    by_count = {cell.cell.conditions.clients: cell for cell in cells}
    return Family(conditions, tuple(by_count[n] for n in sorted(by_count)), by_count.get(1))
