"""The interval of a cell's mean, from the spread of its segments and from what the study's other cells scatter.

Empirical Bayes on variances (Smyth 2004, Statistical Applications in Genetics and Molecular Biology 3, article 3): the
variances of the cells are taken for draws from one scaled inverse chi-square distribution, and each cell's own is
pulled towards it. Five rounds then pay Student's t of more than four degrees.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from radoscope.stats.special import polygamma, student_t
from radoscope.stats.values import Estimate, Interval, Undecided
from radoscope.words import _, ngettext

LEAST_CELLS = 4
"""Fewer cells say nothing about how cells differ."""

MOST_DEGREES = 100.0
QUIETER = 0.25
"""Of the weight of the others on a cell that scatters less than they do: it may be of a calmer kind, as a drive is
beside a cluster. Measured: coverage stays, and quiet cells keep narrow intervals (docs/statistics.md)."""


@dataclass(frozen=True, slots=True)
class VariancePrior:
    """What the other cells say of a cell's variance. degrees: how much that counts. variance: of value over mean."""

    degrees: float
    variance: float

    def moderate(self, variance: float, degrees: float) -> tuple[float, float]:
        """A cell's own relative variance with its degrees of freedom -> both with the others' part in it."""
        weight = self.degrees * (QUIETER if variance < self.variance else 1.0)
        return (weight * self.variance + degrees * variance) / (weight + degrees), weight + degrees


def prior_of(cells: Sequence[Sequence[float]]) -> VariancePrior | None:
    """The prior of a study. cells: the figures of each cell's segments; None where too few cells have three or more.

    By the moments of log variances (Smyth 2004, section 6.2); a cell without any scatter says nothing.
    """
    found = [(variance, len(values) - 1) for values in cells if (variance := _relative_variance(values)) > 0]
    if len(found) < LEAST_CELLS:
        return None
    logs = [math.log(v) - polygamma(0, d / 2) + math.log(d / 2) for v, d in found]
    mean = math.fsum(logs) / len(logs)
    between = math.fsum((one - mean) ** 2 for one in logs) / (len(logs) - 1)
    between -= math.fsum(polygamma(1, d / 2) for _, d in found) / len(found)
    degrees = 2 * _inverse_trigamma(between) if between > 0 else MOST_DEGREES
    degrees = min(MOST_DEGREES, degrees)
    return VariancePrior(degrees, math.exp(mean + polygamma(0, degrees / 2) - math.log(degrees / 2)))


def _relative_variance(values: Sequence[float]) -> float:
    """Of the values over their mean; 0 where there are fewer than three, or their mean is not above 0."""
    mean = math.fsum(values) / len(values) if values else 0.0
    if len(values) < 3 or mean <= 0:
        return 0.0
    return math.fsum((value / mean - 1) ** 2 for value in values) / (len(values) - 1)


def _inverse_trigamma(value: float) -> float:
    """By Newton's method (Smyth 2004, appendix); between 1e-4 and MOST_DEGREES."""
    low, high = 1e-4, MOST_DEGREES
    if value >= polygamma(1, low):
        return low
    if value <= polygamma(1, high):
        return high
    found, step = 0.5 + 1 / value, 1.0
    while abs(step) > 1e-9 * found:
        trigamma = polygamma(1, found)
        step = trigamma * (1 - trigamma / value) / polygamma(2, found)
        found += step
    return found


CONFIDENCE = 0.95

FIRST_INTERVAL = 3
"""Segments from which an interval is given at all."""

LEAST_SEGMENTS = 4
"""Segments at which the stopping rule looks for the first time."""

WIDENING = 1.1
"""All intervals between segments are this much wider than Student's t says.

A cell is stopped when its interval is narrow enough, so it stops more readily when its variance looks smaller than it
is; plain t then covers 91 % instead of 95 (Starr 1966 describes the effect). With this factor and LEAST_SEGMENTS the
coverage is near 95 % with and without stopping; `benchmarks/intervals.py` measures it (docs/statistics.md).
"""

MEMORY_S = 25.0
MEMORY_WEIGHT = 12
"""Prior for the correlation between neighbouring segments: exp(-gap / 25 s), worth 12 segments.

The field's series have integrated autocorrelation times of 6 to 51 s (docs/statistics.md), that is, an exponential
decay within 3 to 25 s. Chosen by measured coverage with 1, 3 and 9 cells in a round.
"""

MOST_CORRELATION = 0.9

MOST_LOG = 100.0
"""No interval of a ratio or of pooled runs reaches further than exp(100) times its value.

Early looks at few pairs ask for absurd confidence, and two runs that hardly agree have an absurd spread.
"""


def serial_correlation(values: Sequence[float]) -> float:
    """Correlation of each value with the one after it, 0 where there are fewer than three or all are equal."""
    if len(values) < 3:
        return 0.0
    mean = math.fsum(values) / len(values)
    rest = [value - mean for value in values]
    square = math.fsum(value * value for value in rest)
    if square == 0:
        return 0.0
    return math.fsum(a * b for a, b in pairwise(rest)) / square


def neighbour_correlation(values: Sequence[float], gap_s: float | None = None) -> float:
    """What neighbouring segments have in common, between 0 and MOST_CORRELATION.

    values: the segments' means in the order of time. gap_s: seconds from one segment's start to the next one's. A few
    values tell little about their correlation, and too low a figure makes an interval too narrow. So what they tell
    is mixed with what the field's series would have at that distance, exp(-gap / MEMORY_S), which counts as much as
    MEMORY_WEIGHT segments. Without gap_s the values stand alone.
    """
    own, count = serial_correlation(values), len(values)
    if gap_s is not None:
        own += 1 / count  # the bias of an estimate around the sample's own mean, without correlation
        own = (count * own + MEMORY_WEIGHT * math.exp(-gap_s / MEMORY_S)) / (count + MEMORY_WEIGHT)
    return min(MOST_CORRELATION, max(0.0, own))


@dataclass(frozen=True, slots=True)
class Spread:
    """A mean of segments and how far it may be off. degrees: of freedom of the standard error."""

    mean: float
    standard_error: float
    degrees: float
    segments: int

    @property
    def half_width(self) -> float:
        return WIDENING * student_t(CONFIDENCE, self.degrees) * self.standard_error


def spread_of(
    values: Sequence[float],
    weights: Sequence[float] | None = None,
    gap_s: float | None = None,
    prior: VariancePrior | None = None,
) -> Spread:
    """Mean and standard error of at least two segments' means.

    weights: seconds or I/Os behind each, None: all equal. gap_s: see neighbour_correlation. prior: what the other cells
    of the study say of the variance. The standard error is that of a weighted mean (the ratio estimator: Cochran 1977,
    chapter 6), times what correlation adds.
    """
    count = len(values)
    shares = _shares(count, weights)
    mean = math.fsum(share * value for share, value in zip(shares, values, strict=True))
    squares = ((share * (value - mean)) ** 2 for share, value in zip(shares, values, strict=True))
    variance = count / (count - 1) * math.fsum(squares)
    degrees = count - 1.0
    if prior is not None and mean > 0:
        relative, degrees = prior.moderate(variance * count / mean**2, degrees)
        variance = relative * mean**2 / count
    inflation = inflation_of(neighbour_correlation(values, gap_s), count)
    return Spread(mean, math.sqrt(variance * inflation), degrees, count)


def inflation_of(correlation: float, count: int) -> float:
    """By how much the variance of a mean of `count` values grows when neighbours are correlated as in AR(1).

    Twice: the mean of n such values is as uncertain as that of n / f independent ones, f = (1 + r) / (1 - r); and
    their own spread around their mean is too small by (n - f) / (n - 1).
    """
    f = (1 + correlation) / (1 - correlation)
    return f * (count - 1) / max(1.0, count - f)


def mean_of_segments(
    values: Sequence[float],
    weights: Sequence[float] | None = None,
    *,
    gap_s: float | None = None,
    prior: VariancePrior | None = None,
) -> Estimate | Undecided:
    """The mean of a cell from its segments' means, with the interval that their spread gives.

    Arguments as for spread_of, which gives the error; the quantile is Student's, widened by WIDENING.
    """
    count = len(values)
    if count == 0:
        return Undecided(_("no segment gave a figure"), _("a segment that ends well"))
    if count < FIRST_INTERVAL:
        mean = math.fsum(s * v for s, v in zip(_shares(count, weights), values, strict=True))
        return Estimate(mean, too_few(count), count, _("mean of segments"))
    spread = spread_of(values, weights, gap_s, prior)
    low, high = spread.mean - spread.half_width, spread.mean + spread.half_width
    if low < 0 <= min(values):
        low = 0.0  # a quantity that is never negative keeps an interval that is never negative
    return Estimate(spread.mean, Interval(low, high, CONFIDENCE), count, _("Student's t between segments"))


def too_few(segments: int) -> Undecided:
    """The reason for which one or two segments have no interval."""
    return Undecided(
        ngettext(
            "{number} segment; at least {least} are needed",
            "{number} segments; at least {least} are needed",
            segments,
            least=FIRST_INTERVAL,
        ),
        ngettext("{number} more segment", "{number} more segments", FIRST_INTERVAL - segments),
    )


def _shares(count: int, weights: Sequence[float] | None) -> list[float]:
    """Weights that sum to one; equal ones where there are none that can be used."""
    if weights is None or len(weights) != count or min(weights) <= 0:
        return [1 / count] * count
    total = math.fsum(weights)
    return [weight / total for weight in weights]
