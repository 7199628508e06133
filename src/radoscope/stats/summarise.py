"""Study -> summaries: what each cell came to, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence

from radoscope.records.measurement import PERCENTILES, Latency, Series
from radoscope.records.study import PRECISION, Cell, Outcome, Segment, Study
from radoscope.stats.enough import outlook_of
from radoscope.stats.interval import VariancePrior, mean_of_segments, prior_of
from radoscope.stats.segments import (
    client_iops,
    counting_segments,
    figures_of,
    gap_of,
    latencies_of,
    latency_by_round,
    mean_latency,
    measured_seconds,
    merged_histogram,
    on_one_clock,
    rates_of,
    round_trips_by_host,
    segment_bandwidth,
    segment_iops,
    sync_latencies_of,
    tail_latencies_of,
)
from radoscope.stats.steady import SHORTEST, mean_of_series
from radoscope.stats.tails import mean_of_percentiles, merge_histograms, percentiles_of
from radoscope.stats.values import CellSummary, Estimate, Interval, LatencySummary, Summaries, Undecided
from radoscope.stats.yardstick import explained_by_host, host_drift
from radoscope.units import format_seconds
from radoscope.words import _, listed, ngettext


def summarise(study: Study) -> Summaries:
    """All cells of a study, each from the means of its segments, held against the precision that it was asked for.

    Segments are the unit: their spread holds the drift and the autocorrelation that seconds or I/Os of one run hide.
    How much they scatter, the cells tell together.
    """
    prior = shared_prior(study.cells, study.segments_of)
    cells = tuple(summarise_cell(cell, study.segments_of(cell.name), study.precision, prior) for cell in study.cells)
    return Summaries(cells=cells, host_drift=host_drift(study.segments))


def shared_prior(cells: Iterable[Cell], segments_of: Callable[[str], Sequence[Segment]]) -> VariancePrior | None:
    """What the segments of all cells of a study say of the scatter of each.

    Cells at a given rate scatter less by design: they neither say anything of the others nor learn from them.
    """
    return prior_of([rates_of(segments_of(cell.name)) for cell in cells if cell.conditions.rate_iops is None])


def summarise_cell(
    cell: Cell, segments: Sequence[Segment], precision: float = PRECISION, prior: VariancePrior | None = None
) -> CellSummary:
    """One cell from all its segments; those that failed count as failed and as time, nothing else."""
    good = counting_segments(segments)
    prior = prior if cell.conditions.rate_iops is None else None
    series = on_one_clock(good)
    seen = {one.name: one for one in reversed(series)}
    outlook = outlook_of(good, precision, prior)
    # A cell may be precise before there are enough segments to stop at.
    precise = outlook.half_width is not None and outlook.half_width <= precision
    return CellSummary(
        cell=cell,
        iops=_rate(good, segment_iops, seen.get("iops"), _("the tool reports no operations"), prior),
        bandwidth_bytes_per_s=_rate(
            good, segment_bandwidth, seen.get("bandwidth"), _("the tool reports no bytes"), prior
        ),
        latency=_latency(good, prior),
        sync=_sync(good, prior),
        latency_by_round=latency_by_round(good),
        segments=len(good),
        failed=sum(s.outcome is not Outcome.SKIPPED and not _went_well(s) for s in segments),
        seconds=math.fsum(segment.seconds for segment in segments),
        measured_s=math.fsum(measured_seconds(segment) for segment in good),
        precise=precise,
        needs="" if precise else _needs(outlook.rounds_more, good),
        series=series,
        per_client_iops=client_iops(cell, good),
        remarks=(*_disturbed(segments, good), *_remarks(good)),
    )


def _rate(
    segments: Sequence[Segment],
    figure: Callable[[Segment], float | None],
    series: Series | None,
    missing: str,
    prior: VariancePrior | None,
) -> Estimate | Undecided:
    """The mean of the segments' figures, weighted by the seconds of load behind each.

    series: all their seconds. A lone segment may be a long run, e.g. an imported one: these may bear an interval then.
    """
    if not segments:
        return Undecided(_("no segment gave a result"))
    known = [(value, measured_seconds(segment)) for segment in segments if (value := figure(segment)) is not None]
    if not known:
        return Undecided(missing)
    if len(segments) == 1 and series is not None and len(series.values) >= SHORTEST:
        within = mean_of_series(series.values)
        if isinstance(within, Estimate) and isinstance(within.interval, Interval):
            return within
    values, weights = zip(*known, strict=True)
    return mean_of_segments(values, weights, gap_s=gap_of(segments), prior=prior)


def _latency(segments: Sequence[Segment], prior: VariancePrior | None) -> LatencySummary | Undecided:
    rows = [latencies_of(segment.results) for segment in segments]
    if not any(rows):
        return Undecided(_("the tool reports no latency") if segments else _("no segment gave a result"))
    tails = [tail_latencies_of(segment.results)[0] for segment in segments]
    return _summary_of(rows, tails, gap_of(segments), prior)


def _sync(segments: Sequence[Segment], prior: VariancePrior | None) -> LatencySummary | None:
    rows = [sync_latencies_of(segment.results) for segment in segments]
    return _summary_of(rows, rows, gap_of(segments), prior) if any(rows) else None


def _summary_of(
    rows: Sequence[tuple[Latency, ...]],
    tails: Sequence[tuple[Latency, ...]],
    gap_s: float | None,
    prior: VariancePrior | None,
) -> LatencySummary:
    """rows, tails: for each segment the latencies of its clients; rows give the mean, tails the percentiles."""
    everything = [latency for row in rows for latency in row]
    means = [mean for row in rows if (mean := mean_latency(row)) is not None]
    histograms = [histogram for row in tails if (histogram := merged_histogram(row)) is not None]
    whole = len(histograms) == len(tails)
    return LatencySummary(
        min_s=min((each.min_s for each in everything if each.min_s is not None), default=None),
        mean_s=_mean_latency(means, gap_s, prior),
        max_s=max((each.max_s for each in everything if each.max_s is not None), default=None),
        percentiles_s=percentiles_of(histograms, gap_s=gap_s) if whole else _printed_percentiles(tails),
        histogram=merge_histograms(histograms) if whole and histograms else None,
    )


def _mean_latency(
    means: Sequence[tuple[float, float]], gap_s: float | None, prior: VariancePrior | None
) -> Estimate | Undecided:
    if not means:
        return Undecided(_("the tool reports no mean latency"))
    return mean_of_segments([mean for mean, _ in means], [count for _, count in means], gap_s=gap_s, prior=prior)


def _printed_percentiles(tails: Sequence[tuple[Latency, ...]]) -> dict[float, Estimate | Undecided]:
    """For tools that print percentiles only. Those of several clients cannot be joined without histograms."""
    if any(len(row) != 1 for row in tails):
        between = _("percentiles of several clients or directions cannot be joined without their histograms")
        return {percent: Undecided(between, "fio --output-format=json+") for percent in PERCENTILES}
    printed = [row[0].percentiles_s for row in tails]
    return {percent: mean_of_percentiles(printed, percent) for percent in PERCENTILES}


def _needs(more: int, segments: Sequence[Segment]) -> str:
    """What a cell that is not precise would still take. more: rounds."""
    each = math.fsum(segment.seconds for segment in segments) / len(segments) if segments else 0.0
    rounds = ngettext("about {number} more round", "about {number} more rounds", more)
    return f"{rounds}, {format_seconds(more * each)}" if each else rounds


def _went_well(segment: Segment) -> bool:
    return segment.outcome is Outcome.DONE and bool(segment.results)


def _disturbed(segments: Sequence[Segment], counted: Sequence[Segment]) -> Iterator[str]:
    """Both figures are there for whoever doubts the rule."""
    left_out = [one for one in segments if one.disturbed and _went_well(one) and one not in counted]
    if left_out:
        number, whole = len(left_out), len(counted) + len(left_out)
        yield ngettext(
            "{number} of {whole} segments does not count, because others used the host meanwhile",
            "{number} of {whole} segments do not count, because others used the host meanwhile",
            number,
            whole=whole,
        )
        if everything := figures_of((*counted, *left_out), segment_iops):
            mean = math.fsum(everything) / len(everything)
            yield _("with the segments during which others used the host it would be {mean:,.0f} IOPS", mean=mean)


def _remarks(segments: Sequence[Segment]) -> tuple[str, ...]:
    remarks = []
    if any(tail_latencies_of(segment.results)[1] for segment in segments):
        remarks.append(_("percentiles are of completion latency, without the time to submit"))
    directions = {result.op for segment in segments for result in segment.results if result.op}
    if len(directions) > 1:
        remarks.append(
            _("sums and latencies are over {directions} together", directions=listed(tuple(sorted(directions))))
        )
    if (share := _host_share(segments)) is not None:
        remarks.append(
            _("{share:.0%} of the spread between segments correlates with the speed of the host itself", share=share)
        )
    if len(by_host := round_trips_by_host(segments)) > 1:
        each = sorted((math.fsum(means) / len(means), host) for host, means in by_host.items())
        shown = listed(tuple(f"{host} {format_seconds(mean)}" for mean, host in each))
        remarks.append(_("the median of hosts: {shown}", shown=shown))
    return tuple(remarks)


def _host_share(segments: Sequence[Segment]) -> float | None:
    """How much of the spread the host's yardstick explains; None where it was not taken or explains nothing."""
    pairs = [(rate, s.host_speed) for s in segments if s.host_speed and (rate := segment_iops(s)) is not None]
    share = explained_by_host([rate for rate, _ in pairs], [speed for _, speed in pairs])
    return None if isinstance(share, Undecided) else share
