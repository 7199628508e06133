"""When a cell may stop: asked between rounds, answered from its segments alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from radoscope.stats.interval import (
    LEAST_SEGMENTS,
    WIDENING,
    Prior,
    inflation_of,
    mean_of_segments,
    neighbour_correlation,
    student_t,
    too_few,
)
from radoscope.stats.values import Undecided

MOST_ROUNDS = 999
"""No forecast of rounds goes beyond this."""


@dataclass(frozen=True, slots=True)
class Enough:
    """The interval is as narrow as was asked. half_width: relative to the mean."""

    half_width: float


@dataclass(frozen=True, slots=True)
class More:
    """The cell is not there yet.

    rounds_more: about how many rounds it still needs. half_width: relative to the mean, None before there is one.
    """

    reason: str
    rounds_more: int
    half_width: float | None = None


def enough(
    rates: Sequence[float], precision: float, *, gap_s: float | None = None, prior: Prior | None = None
) -> Enough | More:
    """May a cell stop? Asked after each round.

    rates: one figure a segment, in the order of time (IOPS, bytes/s or seconds; summed over clients). precision: the
    asked half-width of the 95 % interval over the mean, e.g. 0.05. gap_s: seconds from one segment's start to the next
    one's; the closer they are, the more they have in common. prior: what the other cells of the study say of the
    variance. Looking after every round is what makes plain t too
    narrow: WIDENING in interval.py pays for it.
    """
    estimate = mean_of_segments(rates, gap_s=gap_s, prior=prior)
    if isinstance(estimate, Undecided):
        return More(estimate.because, LEAST_SEGMENTS)
    if len(rates) < LEAST_SEGMENTS:
        return More(too_few(len(rates), LEAST_SEGMENTS).because, LEAST_SEGMENTS - len(rates))
    half_width = estimate.relative_half_width
    if half_width is None:
        return More("nothing moved: the mean is 0", 1)
    if half_width <= precision:
        return Enough(half_width)
    rounds = rounds_needed(rates, precision, gap_s=gap_s, prior=prior) - len(rates)
    return More(f"±{half_width:.1%} is wider than ±{precision:.1%}", max(1, rounds), half_width)


def rounds_needed(
    rates: Sequence[float], precision: float, *, gap_s: float | None = None, prior: Prior | None = None
) -> int:
    """About how many segments in all give the asked precision, if they continue to scatter like these."""
    mean = math.fsum(rates) / len(rates)
    variance, extra = math.fsum((rate / mean - 1) ** 2 for rate in rates) / (len(rates) - 1), 0.0
    if prior is not None:
        variance, degrees = prior.moderate(variance, len(rates) - 1.0)
        extra = degrees - (len(rates) - 1)
    correlation = neighbour_correlation(rates, gap_s)
    count = LEAST_SEGMENTS
    while count < MOST_ROUNDS:
        error = math.sqrt(variance * inflation_of(correlation, count) / count)
        if WIDENING * student_t(0.95, count - 1 + extra) * error <= precision:
            return count
        count += max(1, count // 20)
    return MOST_ROUNDS
