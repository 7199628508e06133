"""Intervals of a mean: between the segments of a cell, and within one contiguous series."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from radoscope.stats.values import Estimate, Interval, Undecided

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    FloatArray = NDArray[np.float64]

CONFIDENCE = 0.95

FIRST_INTERVAL = 3
"""Segments from which an interval is given at all."""

LEAST_SEGMENTS = 4
"""Segments at which the stopping rule looks for the first time."""

WIDENING = 1.1
"""All intervals between segments are this much wider than Student's t says.

A cell is stopped when its interval is narrow enough, so it stops more readily when its variance looks smaller than it
is; plain t then covers 91 % instead of 95 (Starr 1966 describes the effect). With this factor and LEAST_SEGMENTS the
coverage is 93 to 97 % with and without stopping; `benchmarks/statistics.py coverage` measures it.
"""


def student_t(confidence: float, degrees: float) -> float:
    """The two-sided quantile of Student's t, e.g. 1.96 for 0.95 and many degrees of freedom."""
    from scipy.special import stdtrit  # start-up time

    return float(stdtrit(degrees, 0.5 + confidence / 2))


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


def mean_of_segments(
    values: Sequence[float],
    weights: Sequence[float] | None = None,
    *,
    correlation: float | None = None,
    confidence: float = CONFIDENCE,
) -> Estimate | Undecided:
    """The mean of a cell from its segments' means, with the interval that their spread gives.

    values: one mean a segment, in the order of time. weights: seconds or I/Os behind each, None: all equal.
    correlation: between neighbouring segments, None: estimated from the values; only what is positive counts. Student's
    t on a weighted mean (the ratio estimator: Cochran 1977, chapter 6), the sample shrunk by (1 - r) / (1 + r) as for
    AR(1), widened by WIDENING.
    """
    if not values:
        return Undecided("no segment gave a figure", "a segment that ends well")
    count = len(values)
    shares = _shares(count, weights)
    mean = math.fsum(share * value for share, value in zip(shares, values, strict=True))
    if count < FIRST_INTERVAL:
        return Estimate(mean, too_few(count), count, "mean of segments")
    squares = ((share * (value - mean)) ** 2 for share, value in zip(shares, values, strict=True))
    variance = count / (count - 1) * math.fsum(squares)
    r = min(0.9, max(0.0, serial_correlation(values) if correlation is None else correlation))
    inflation = (1 + r) / (1 - r)
    degrees = max(1.0, count / inflation - 1)
    half = WIDENING * student_t(confidence, degrees) * math.sqrt(variance * inflation)
    return Estimate(mean, around(mean, half, values, confidence), count, "Student's t between segments")


def too_few(segments: int, least: int = FIRST_INTERVAL) -> Undecided:
    """The reason for which one or two segments have no interval."""
    missing = least - segments
    return Undecided(
        f"{segments} segment{'' if segments == 1 else 's'}; at least {least} are needed",
        f"{missing} more segment{'' if missing == 1 else 's'}",
    )


def around(mean: float, half: float, values: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """mean +- half; a quantity that is never negative keeps an interval that is never negative."""
    low = mean - half
    if low < 0 <= min(values):
        low = 0.0
    return Interval(low, mean + half, confidence)


def _shares(count: int, weights: Sequence[float] | None) -> list[float]:
    """Weights that sum to one; equal ones where there are none that can be used."""
    if weights is None or len(weights) != count or min(weights) <= 0:
        return [1 / count] * count
    total = math.fsum(weights)
    return [weight / total for weight in weights]
