"""Latency percentiles from histograms, with intervals that know that I/Os of one segment are not independent."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from radoscope.records.measurement import PERCENTILES, Histogram
from radoscope.stats.interval import CONFIDENCE, FIRST_INTERVAL, mean_of_segments, spread_of, too_few
from radoscope.stats.special import beta_quantile, student_t
from radoscope.stats.values import Estimate, Interval, Undecided
from radoscope.words import _

TAIL_SAMPLES = 10
"""I/Os that must lie beyond a percentile before it is given a value; whether it has an interval is told apart."""

MOST_LOG = 20.0
"""No interval reaches further than exp(20) times its value."""

BIN_ERROR = 1 / 128
"""Largest relative distance of a latency from the centre of fio's bin (64 bins for each power of two: fio stat.h)."""


def merge_histograms(histograms: Sequence[Histogram]) -> Histogram:
    """One histogram of all I/Os; bins are matched by their value."""
    counts: dict[float, int] = {}
    for histogram in histograms:
        for value, count in zip(histogram.values_s, histogram.counts, strict=True):
            counts[value] = counts.get(value, 0) + count
    values = tuple(sorted(counts))
    return Histogram(values, tuple(counts[value] for value in values))


def percentile(histogram: Histogram, percent: float) -> float | Undecided:
    """The value of the first bin at which at least `percent` of all I/Os are counted.

    This is fio's own rule (stat.c, calc_clat_percentiles), so that a merged histogram of one run gives the very
    number that fio prints. No interpolation: fio does none.
    """
    if histogram.total == 0:
        return Undecided(_("the histogram is empty"))
    wanted = percent / 100 * histogram.total * (1 - 1e-12)  # 99.9 % of 1000 is 999, not 999.0000000000001
    seen = 0
    for value, count in zip(histogram.values_s, histogram.counts, strict=True):
        seen += count
        if count and seen >= wanted:
            return value
    return histogram.values_s[-1]


def percentiles_of(
    segments: Sequence[Histogram], percents: Sequence[float] = PERCENTILES, *, gap_s: float | None = None
) -> dict[float, Estimate | Undecided]:
    """Each percentile of all I/Os together, with its interval.

    segments: one histogram a segment, all its clients merged, in the order of time. gap_s: from one segment's start
    to the next one's.
    """
    merged = merge_histograms(segments)
    return {percent: percentile_with_interval(segments, merged, percent, gap_s) for percent in percents}


def percentile_with_interval(
    segments: Sequence[Histogram], merged: Histogram, percent: float, gap_s: float | None = None
) -> Estimate | Undecided:
    """One percentile of `merged`, the sum of `segments`.

    The interval is Woodruff's (1952): an interval for the share of I/Os below the percentile is carried over to
    latencies by the histogram. The share's interval is Clopper and Pearson's with the effective sample of Korn and
    Graubard (1998): the variance of the share between segments, never below the binomial one, with Student's degrees
    of freedom of the segments. Where segments differ so much that this has no end, but each bears the percentile by
    itself, it is Student's t on the logs of the segments' own percentiles.
    """
    value = percentile(merged, percent)
    if isinstance(value, Undecided):
        return value
    segments = [segment for segment in segments if segment.total]  # one without any I/O says nothing of its tail
    share = percent / 100
    beyond = merged.total * (1 - share)
    if round(beyond, 6) < TAIL_SAMPLES:
        return Undecided(
            _(
                "{beyond:.0f} of {total} I/Os lie beyond it; at least {tail_samples} are needed",
                beyond=beyond,
                total=merged.total,
                tail_samples=TAIL_SAMPLES,
            ),
            _("{tail_samples:,} I/Os in all", tail_samples=math.ceil(round(TAIL_SAMPLES / (1 - share), 3))),
        )
    if len(segments) < FIRST_INTERVAL:
        return Estimate(value, too_few(len(segments)), len(segments), _("merged histogram"))
    woodruff = _woodruff(segments, merged, share, value, gap_s)
    if isinstance(woodruff, Interval):
        return Estimate(value, woodruff, len(segments), _("merged histogram, Woodruff"))
    between = _between_segments(segments, percent, value, gap_s)
    if between is not None:
        return Estimate(value, between, len(segments), _("merged histogram, t between segments"))
    return Estimate(value, woodruff, len(segments), _("merged histogram"))


def _woodruff(
    segments: Sequence[Histogram], merged: Histogram, share: float, value: float, gap_s: float | None
) -> Interval | Undecided:
    effective = effective_sample(segments, value, gap_s)
    effective *= (student_t(CONFIDENCE, 1e9) / student_t(CONFIDENCE, len(segments) - 1)) ** 2
    least_beyond = math.log(2 / (1 - CONFIDENCE))  # below, no order statistic bounds the percentile on that side
    if effective * min(share, 1 - share) < least_beyond:
        times = least_beyond / max(effective * min(share, 1 - share), 1e-9)
        return Undecided(
            _("the segments are too few, or differ too much in this tail, for an interval"),
            _("about {times} times the segments", times=math.ceil(times)),
        )
    low_share, high_share = clopper_pearson(effective * share, effective)
    low, high = percentile(merged, 100 * low_share), percentile(merged, 100 * high_share)
    if isinstance(low, Undecided) or isinstance(high, Undecided):
        return Undecided(_("the histogram is empty"))
    return Interval(low * (1 - BIN_ERROR), high * (1 + BIN_ERROR), CONFIDENCE)


def _between_segments(
    segments: Sequence[Histogram], percent: float, value: float, gap_s: float | None
) -> Interval | None:
    """Student's t on the logs of the segments' own percentiles; None where a segment does not bear its own."""
    own = [percentile(segment, percent) for segment in segments]
    logs = [math.log(each) for each in own if isinstance(each, float) and each > 0]
    rare = min(percent, 100 - percent) / 100
    if len(logs) < len(segments) or min(segment.total for segment in segments) * rare < TAIL_SAMPLES:
        return None
    half = min(MOST_LOG, spread_of(logs, None, gap_s).half_width)
    return Interval(value * math.exp(-half), value * math.exp(half), CONFIDENCE)


def effective_sample(segments: Sequence[Histogram], value: float, gap_s: float | None = None) -> float:
    """How many independent I/Os would tell as much about the share of I/Os at or below `value` as these do."""
    below = [_at_or_below(histogram, value) for histogram in segments]
    totals = [histogram.total for histogram in segments]
    total = sum(totals)
    share = sum(below) / total
    binomial = share * (1 - share) / total
    if binomial == 0:
        return float(total)
    shares = [count / all_ for count, all_ in zip(below, totals, strict=True)]
    between = spread_of(shares, totals, gap_s).standard_error ** 2
    return total / max(1.0, between / binomial)


def clopper_pearson(successes: float, trials: float) -> tuple[float, float]:
    """The exact interval of a share; both counts may be fractions, as effective samples are."""
    alpha = (1 - CONFIDENCE) / 2
    low = 0.0 if successes <= 0 else beta_quantile(alpha, successes, trials - successes + 1)
    high = 1.0 if successes >= trials else beta_quantile(1 - alpha, successes + 1, trials - successes)
    return low, high


def mean_of_percentiles(reported: Sequence[Mapping[float, float]], percent: float) -> Estimate | Undecided:
    """Where a tool prints percentiles and no histogram: the mean over segments of what it printed.

    It is not the percentile of all I/Os, and `method` says so.
    """
    values = [printed[percent] for printed in reported if percent in printed]
    if not values or len(values) < len(reported):
        return Undecided(_("the tool prints neither this percentile nor a histogram"))
    estimate = mean_of_segments(values)
    if isinstance(estimate, Undecided) or len(values) == 1:
        return estimate
    return Estimate(
        estimate.value,
        estimate.interval,
        estimate.samples,
        _("mean of the segments' printed percentiles, not of all I/Os"),
    )


def _at_or_below(histogram: Histogram, value: float) -> int:
    return sum(count for bin_, count in zip(histogram.values_s, histogram.counts, strict=True) if bin_ <= value)
