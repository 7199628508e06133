"""Response curves: cells that differ in the asked rate alone, and what a search among them found."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from radoscope.records.conditions import Conditions
from radoscope.records.study import Cell, LatencyLimit, Segment, Study
from radoscope.stats.latency_limit import Found, Tried, falls_short, find_limit
from radoscope.stats.segments import (
    counting_segments,
    gap_of,
    measured_seconds,
    merged_histogram,
    segment_iops,
    segment_latency,
    tail_latencies_of,
)
from radoscope.stats.tails import percentiles_of
from radoscope.stats.values import CellSummary, Estimate, Summaries, Undecided
from radoscope.words import _

TAIL = 99.0
"""The percentile that is drawn beside the mean where no limit names another one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One rate. achieved: IOPS that came out. tail_s: the curve's percentile. saturated: the rate was not achieved."""

    rate_iops: float
    achieved: Estimate | Undecided
    mean_s: Estimate | Undecided
    tail_s: Estimate | Undecided
    saturated: bool
    segments: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseCurve:
    """Cells with equal conditions but for the asked rate, ascending in it.

    load: without a rate. percentile: of tail_s, in percent. limit, found: of a search, None where none was asked.
    """

    load: Conditions
    cells: tuple[str, ...]
    percentile: float
    points: tuple[Point, ...]
    limit: LatencyLimit | None = None
    found: Found | None = None

    @property
    def seconds(self) -> float:
        return math.fsum(point.seconds for point in self.points)

    @property
    def segments(self) -> int:
        return sum(point.segments for point in self.points)


def tried_of(cells: Sequence[Cell], segments: Sequence[Segment]) -> tuple[tuple[Tried, ...], float | None]:
    """The steps of one search, in the order of time, and the seconds from one's start to the next one's."""
    by_name = {cell.name: cell for cell in cells}
    good = counting_segments(segment for segment in segments if segment.cell in by_name)
    tried = (_tried(by_name[segment.cell], segment) for segment in good)
    return tuple(one for one in tried if one is not None), gap_of(good)


def response_curves(study: Study, summaries: Summaries) -> tuple[ResponseCurve, ...]:
    """Every family of two or more rates, and every search, in the order of the study."""
    families: dict[tuple[Conditions, LatencyLimit | None], list[CellSummary]] = {}
    for summary in summaries.cells:
        asked = summary.cell.conditions
        if asked.rate_iops is not None:
            families.setdefault((replace(asked, rate_iops=None), summary.cell.limit), []).append(summary)
    return tuple(
        _curve(study, load, limit, members)
        for (load, limit), members in families.items()
        if limit is not None or len(members) > 1
    )


def _curve(study: Study, load: Conditions, limit: LatencyLimit | None, members: Sequence[CellSummary]) -> ResponseCurve:
    ordered = sorted(members, key=lambda summary: summary.cell.conditions.rate_iops or 0.0)
    percentile = TAIL if limit is None or limit.percentile is None else limit.percentile
    found = None
    if limit is not None:
        tried, gap_s = tried_of([summary.cell for summary in ordered], study.segments)
        found = find_limit(tried, gap_s)
    return ResponseCurve(
        load=load,
        cells=tuple(summary.cell.name for summary in ordered),
        percentile=percentile,
        points=tuple(_point(study, summary, percentile) for summary in ordered),
        limit=limit,
        found=found,
    )


def _point(study: Study, summary: CellSummary, percentile: float) -> Point:
    rate = summary.cell.conditions.rate_iops or 0.0
    achieved = summary.iops.value if isinstance(summary.iops, Estimate) else rate
    return Point(
        rate_iops=rate,
        achieved=summary.iops,
        mean_s=summary.latency_at(None),
        tail_s=_tail(study, summary, percentile),
        saturated=falls_short(rate, achieved, summary.measured_s),
        segments=summary.segments,
        seconds=summary.seconds,
    )


def _tail(study: Study, summary: CellSummary, percentile: float) -> Estimate | Undecided:
    if isinstance(summary.latency, Undecided):
        return summary.latency
    if percentile in summary.latency.percentiles_s:
        return summary.latency.percentiles_s[percentile]
    good = counting_segments(study.segments_of(summary.cell.name))
    histograms = [merged_histogram(tail_latencies_of(segment.results)[0]) for segment in good]
    known = [histogram for histogram in histograms if histogram is not None]
    if len(known) < len(histograms):
        return Undecided(_("a segment has no histogram"))
    return percentiles_of(known, (percentile,), gap_s=gap_of(good))[percentile]


def _tried(cell: Cell, segment: Segment) -> Tried | None:
    """None for a segment that lacks a rate or latencies."""
    limit, asked, achieved = cell.limit, cell.conditions.rate_iops, segment_iops(segment)
    if limit is None or asked is None or achieved is None:
        return None
    over: float | None
    allowed: float | None = None
    if limit.percentile is None:
        mean = segment_latency(segment)
        over = None if mean is None else mean / limit.latency_s
    else:
        over, allowed = _slow(segment, limit)
    if over is None:
        return None
    return Tried(
        rate_iops=asked,
        achieved_iops=achieved,
        seconds=measured_seconds(segment),
        over=over,
        allowed=allowed,
        began_s=segment.started_at_s,
    )


def _slow(segment: Segment, limit: LatencyLimit) -> tuple[float | None, float | None]:
    """The share of I/Os slower than the limit over the share that may be, and how many I/Os that share is."""
    histogram = merged_histogram(tail_latencies_of(segment.results)[0])
    if histogram is None or not histogram.total:
        return None, None
    slow = sum(n for at, n in zip(histogram.values_s, histogram.counts, strict=True) if at > limit.latency_s)
    allowed = histogram.total * limit.slow_share
    return slow / allowed, allowed
