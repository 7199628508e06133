"""Two studies, cell by cell: B over A with its interval, and one of four verdicts."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from statistics import median

from radoscope.records.fields import PERCENT_OF, latency_field
from radoscope.records.measurement import PERCENTILES
from radoscope.records.study import Cell, Segment, Study
from radoscope.stats.differences import Difference, differences, differing_load
from radoscope.stats.interval import FIRST_INTERVAL, Spread, spread_of
from radoscope.stats.pooling import Pooled, pool_runs
from radoscope.stats.ratio import Ratio, ratio_of_estimates, ratio_of_logs, ratio_of_pairs, ratio_of_rates
from radoscope.stats.segments import (
    counting_segments,
    figures_of,
    gap_of,
    segment_bandwidth,
    segment_iops,
    segment_latency,
    segment_rate,
)
from radoscope.stats.summarise import summarise_cell
from radoscope.stats.values import CellSummary, Estimate, LatencySummary, Undecided
from radoscope.stats.verdict import CORRECTION, SIGNIFICANCE, NotComparable, Verdict, decide, holm
from radoscope.words import _, joined

RATES = ("iops", "bandwidth_bytes_per_s")
_MOSTLY = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedFigure:
    """One quantity of one cell in A and in B. ratio: B over A.

    quantity: "iops", "bandwidth_bytes_per_s", "latency_mean_s", "latency_p99_s"...
    """

    quantity: str
    a: Estimate | Undecided
    b: Estimate | Undecided
    ratio: Ratio | Undecided
    verdict: Verdict

    @property
    def higher_is_better(self) -> bool:
        return self.quantity in RATES


@dataclass(frozen=True, slots=True, kw_only=True)
class CellComparison:
    """One cell. headline: the figure by which it is judged; others: mean latency and its percentiles."""

    cell: Cell
    headline: ComparedFigure
    others: tuple[ComparedFigure, ...] = ()

    @property
    def verdict(self) -> Verdict:
        return self.headline.verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """B against A. only_in_a, only_in_b: names of cells without a partner. remarks: what limits the verdicts."""

    a: str
    b: str
    cells: tuple[CellComparison, ...]
    differences: tuple[Difference, ...] = ()
    only_in_a: tuple[str, ...] = ()
    only_in_b: tuple[str, ...] = ()
    margin: float = 0.05
    correction: str = CORRECTION
    remarks: tuple[str, ...] = ()


def compare(
    a: Sequence[Study], others: Sequence[Sequence[Study]], *, margin: float = 0.05, although: Sequence[str] = ()
) -> tuple[Comparison, ...]:
    """Each of `others` against `a`. Every side is one study, or several runs of the same, which are pooled.

    margin: the smallest difference that matters, as a share. although: conditions that may differ (differences.py).
    The headlines of all cells of all comparisons are one family for Holm's correction, all other figures another.
    """
    compared = [_compare_two(a, b, margin, although) for b in others]
    return _corrected(compared, margin)


def _compare_two(a: Sequence[Study], b: Sequence[Study], margin: float, although: Sequence[str]) -> Comparison:
    cells_a, cells_b = a[0].cells, b[0].cells
    partners = [(cell, partner) for cell in cells_a if (partner := _partner(cell, cells_b)) is not None]
    taken = {partner.name for _, partner in partners}
    return Comparison(
        a="+".join(study.id for study in a),
        b="+".join(study.id for study in b),
        cells=tuple(_compare_cell(a, cell, b, partner, margin, although) for cell, partner in partners),
        differences=differences(a[0], b[0]),
        only_in_a=tuple(cell.name for cell in cells_a if cell.name not in {mine.name for mine, _ in partners}),
        only_in_b=tuple(cell.name for cell in cells_b if cell.name not in taken),
        margin=margin,
        remarks=_remarks(a, b),
    )


def _partner(cell: Cell, others: Sequence[Cell]) -> Cell | None:
    """The cell of the same name, else the only one under the same conditions."""
    named = [other for other in others if other.name == cell.name]
    alike = [other for other in others if other.conditions == cell.conditions]
    if named:
        return named[0]
    return alike[0] if len(alike) == 1 else None


def _compare_cell(
    a: Sequence[Study], cell_a: Cell, b: Sequence[Study], cell_b: Cell, margin: float, although: Sequence[str]
) -> CellComparison:
    rows_a = [counting_segments(study.segments_of(cell_a.name)) for study in a]
    rows_b = [counting_segments(study.segments_of(cell_b.name)) for study in b]
    all_a, all_b = tuple(s for row in rows_a for s in row), tuple(s for row in rows_b for s in row)
    summary_a, summary_b = summarise_cell(cell_a, all_a), summarise_cell(cell_b, all_b)
    quantity, figure = _headline_of(summary_a, summary_b)
    ratio = _ratio_of_rows(rows_a, rows_b, figure)
    value_a, value_b = _quantity(summary_a, quantity), _quantity(summary_b, quantity)
    if isinstance(ratio, Undecided) and len(a) == len(b) == 1:
        joined = ratio_of_estimates(value_a, value_b)  # a long imported run has an interval from its own seconds
        ratio = joined if isinstance(joined, Ratio) else ratio
    headline = _figure(quantity, value_a, value_b, ratio, margin, summary_a.seconds + summary_b.seconds)
    if reasons := differing_load(cell_a, cell_b, all_a, all_b, although):
        return CellComparison(cell=cell_a, headline=replace(headline, verdict=NotComparable(reasons)))
    others = (one for one in _latency_figures(summary_a, summary_b, margin) if one.quantity != quantity)
    return CellComparison(cell=cell_a, headline=headline, others=tuple(others))


def _headline_of(a: CellSummary, b: CellSummary) -> tuple[str, Callable[[Segment], float | None]]:
    """What both cells have: IOPS, else bytes a second, else mean latency."""
    if isinstance(a.iops, Estimate) and isinstance(b.iops, Estimate):
        return "iops", segment_iops
    if isinstance(a.bandwidth_bytes_per_s, Estimate) and isinstance(b.bandwidth_bytes_per_s, Estimate):
        return "bandwidth_bytes_per_s", segment_bandwidth
    return "latency_mean_s", segment_latency


def _ratio_of_rows(
    a: Sequence[Sequence[Segment]], b: Sequence[Sequence[Segment]], figure: Callable[[Segment], float | None]
) -> Ratio | Undecided:
    """a, b: the counting segments of each run. Pairs where they were measured side by side, Welch's t where not."""
    if len(a) > 1 or len(b) > 1:
        return _ratio_of_pools(_pool(a, figure), _pool(b, figure))
    values_a, values_b = figures_of(a[0], figure), figures_of(b[0], figure)
    if not values_a or not values_b:
        return Undecided(_("no segment has a value to compare"))
    if pairs := interleaved(a[0], b[0]):
        known = [(x, y) for s, t in pairs if (x := figure(s)) is not None and (y := figure(t)) is not None]
        return ratio_of_pairs([x for x, _ in known], [y for _, y in known])
    return ratio_of_rates(values_a, values_b, gap_a_s=gap_of(a[0]), gap_b_s=gap_of(b[0]))


def interleaved(a: Sequence[Segment], b: Sequence[Segment]) -> list[tuple[Segment, Segment]]:
    """The pairs of segments of the same round, where A and B were measured side by side; else none.

    Side by side: nearly all rounds are common, and a pair is closer than A's rounds are to each other. Their mean
    distance counts, because blocks of ABBA and BAAB make it alternate. A round that one side lacks, since
    it failed or was cut off, is left out.
    """
    partners = {segment.round: segment for segment in b}
    pairs = [(segment, partners[segment.round]) for segment in a if segment.round in partners]
    if len(pairs) < FIRST_INTERVAL or len(pairs) < _MOSTLY * max(len(a), len(b)):
        return []
    gap = (pairs[-1][0].started_at_s - pairs[0][0].started_at_s) / (len(pairs) - 1)
    apart = median(abs(of_a.started_at_s - of_b.started_at_s) for of_a, of_b in pairs)
    return pairs if apart < gap else []


def _pool(rows: Sequence[Sequence[Segment]], figure: Callable[[Segment], float | None]) -> Pooled | Undecided:
    found = [(figures_of(row, figure), gap_of(row)) for row in rows]
    return pool_runs([_run_of(values, gap_s) for values, gap_s in found if values])


def _run_of(values: Sequence[float], gap_s: float | None) -> Spread:
    """One run; of a single figure, as imported runs are, only the value is known."""
    if len(values) < FIRST_INTERVAL:
        return Spread(math.fsum(values) / len(values), 0.0, 0.0, len(values))
    return spread_of(values, None, gap_s)


def _ratio_of_pools(a: Pooled | Undecided, b: Pooled | Undecided) -> Ratio | Undecided:
    if isinstance(a, Undecided):
        return a
    if isinstance(b, Undecided):
        return b
    return ratio_of_logs(a.spread, b.spread)


def _latency_figures(a: CellSummary, b: CellSummary, margin: float) -> tuple[ComparedFigure, ...]:
    if not isinstance(a.latency, LatencySummary) or not isinstance(b.latency, LatencySummary):
        return ()
    names = [latency_field(None), *map(latency_field, PERCENTILES)]
    seconds = a.seconds + b.seconds
    pairs = ((name, _quantity(a, name), _quantity(b, name)) for name in names)
    return tuple(_figure(name, x, y, ratio_of_estimates(x, y), margin, seconds) for name, x, y in pairs)


def _figure(
    quantity: str,
    a: Estimate | Undecided,
    b: Estimate | Undecided,
    ratio: Ratio | Undecided,
    margin: float,
    seconds: float,
) -> ComparedFigure:
    verdict = decide(ratio, margin=margin, higher_is_better=quantity in RATES, seconds_used=seconds)
    return ComparedFigure(quantity=quantity, a=a, b=b, ratio=ratio, verdict=verdict)


def _quantity(summary: CellSummary, name: str) -> Estimate | Undecided:
    if name == "iops":
        return summary.iops
    if name == "bandwidth_bytes_per_s":
        return summary.bandwidth_bytes_per_s
    return summary.latency_at(PERCENT_OF.get(name))


def _corrected(comparisons: Sequence[Comparison], margin: float) -> tuple[Comparison, ...]:
    """The same comparisons with verdicts that know how many there are."""
    headlines = _adjust([cell.headline for each in comparisons for cell in each.cells], margin)
    others = _adjust([figure for each in comparisons for cell in each.cells for figure in cell.others], margin)
    next_headline, next_other = iter(headlines), iter(others)

    def corrected(cell: CellComparison) -> CellComparison:
        return replace(cell, headline=next(next_headline), others=tuple(islice(next_other, len(cell.others))))

    return tuple(replace(each, cells=tuple(map(corrected, each.cells))) for each in comparisons)


def _adjust(figures: Sequence[ComparedFigure], margin: float) -> list[ComparedFigure]:
    """Holm's correction over all figures that have a ratio and may be compared."""
    judged = [f for f in figures if isinstance(f.ratio, Ratio) and not isinstance(f.verdict, NotComparable)]
    ratios = [figure.ratio for figure in judged if isinstance(figure.ratio, Ratio)]
    different = dict(zip(map(id, judged), holm([ratio.p_different() for ratio in ratios]), strict=True))
    equivalent = dict(zip(map(id, judged), holm([ratio.p_equivalent(margin) for ratio in ratios]), strict=True))
    return [
        figure
        if id(figure) not in different
        else _with_p(figure, margin, different[id(figure)], equivalent[id(figure)])
        for figure in figures
    ]


def _with_p(figure: ComparedFigure, margin: float, p_different: float, p_equivalent: float) -> ComparedFigure:
    verdict = decide(
        figure.ratio,
        margin=margin,
        higher_is_better=figure.higher_is_better,
        p_different=p_different,
        p_equivalent=p_equivalent,
    )
    if isinstance(verdict, Undecided) and isinstance(figure.verdict, Undecided):
        return figure  # it knows the seconds that it needs
    return replace(figure, verdict=verdict)


def _remarks(a: Sequence[Study], b: Sequence[Study]) -> tuple[str, ...]:
    remarks = []
    if len(a) == len(b) == 1 and not _overlap(a[0], b[0]):
        remarks.append(
            _(
                "A and B are one run each, at different times: these intervals do not contain what changes from run to "
                "run. `radoscope ab` measures both side by side; several runs of each are pooled with A1+A2 B1+B2."
            )
        )
    speed = ratio_of_rates(_host_speeds(a), _host_speeds(b))
    if isinstance(speed, Ratio) and speed.p_different() <= SIGNIFICANCE:
        by = abs(speed.value - 1)
        remarks.append(
            _("The host itself was {by:.0%} faster during B: part of the difference may come from the host.", by=by)
            if speed.value > 1
            else _(
                "The host itself was {by:.0%} slower during B: part of the difference may come from the host.", by=by
            )
        )
    return tuple(remarks)


def _host_speeds(studies: Sequence[Study]) -> list[float]:
    return [segment.host_speed for study in studies for segment in study.segments if segment.host_speed]


def _overlap(a: Study, b: Study) -> bool:
    spans = [[s.started_at_s for s in study.segments] for study in (a, b)]
    if not all(spans):
        return False
    return max(map(min, spans)) < min(map(max, spans))


def pool_studies(studies: Sequence[Study]) -> tuple[tuple[Cell, Pooled | Undecided], ...]:
    """Each cell of the first study with what all studies together say of it."""
    return tuple((cell, _pool_cell(cell, studies)) for cell in studies[0].cells)


def _pool_cell(cell: Cell, studies: Sequence[Study]) -> Pooled | Undecided:
    partners = [(study, partner) for study in studies if (partner := _partner(cell, study.cells)) is not None]
    rows = [counting_segments(study.segments_of(partner.name)) for study, partner in partners]
    for (_study, partner), row in zip(partners, rows, strict=True):
        if reasons := differing_load(cell, partner, rows[0], row):
            return Undecided(_("the runs measured different things: {reasons}", reasons=joined(reasons)))
    return _pool(rows, segment_rate)
