"""How many times A is B? Ratios of rates or latencies with their intervals, on logs; is A the larger within rounds?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from radoscope.stats.interval import CONFIDENCE, FIRST_INTERVAL, MOST_LOG, WIDENING, Spread, spread_of, too_few
from radoscope.stats.special import student_t, t_beyond
from radoscope.stats.values import Estimate, Interval, Undecided
from radoscope.words import _

PAIRED = "paired by round, Student's t on log ratios"
WELCH = "Welch's t on log means"
POOLED = "Welch's t on pooled runs"
_LARGEST = 700.0
"""exp of more is no float."""
MOVER = "joined intervals (MOVER) on logs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratio:
    """B over A. error: the half-width of one t, that is, the standard error of the log ratio, any widening included.

    degrees: of freedom of that t. samples: segments or pairs behind it.
    """

    value: float
    error: float
    degrees: float
    samples: int
    method: str
    confidence: float = CONFIDENCE

    @property
    def interval(self) -> Interval:
        half = self.half_width
        return Interval(self.value * math.exp(-half), self.value * math.exp(half), self.confidence)

    @property
    def half_width(self) -> float:
        """Of the interval, on the logarithmic scale: 0.05 is about 5 %."""
        return min(MOST_LOG, student_t(self.confidence, self.degrees) * self.error)

    def p_different(self) -> float:
        """How often chance alone would give a ratio at least this far from 1, were A and B the same."""
        return min(1.0, 2 * self._beyond(abs(math.log(self.value))))

    def p_equivalent(self, margin: float) -> float:
        """TOST (Schuirmann 1987): how often chance would give this ratio, were it really outside 1 +- margin.

        margin: e.g. 0.05 for a ratio between 1/1.05 and 1.05.
        """
        edge, log = math.log1p(margin), math.log(self.value)
        return max(self._beyond(edge - log), self._beyond(edge + log))

    def _beyond(self, distance: float) -> float:
        """P(t > distance / error)."""
        if self.error == 0:
            return 0.0 if distance > 0 else 1.0 if distance < 0 else 0.5
        return t_beyond(distance / self.error, self.degrees)


def ratio_of_rates(
    a: Sequence[float],
    b: Sequence[float],
    *,
    gap_a_s: float | None = None,
    gap_b_s: float | None = None,
) -> Ratio | Undecided:
    """B over A from the segments of two separate runs.

    a, b: one positive figure a segment, in the order of time. gap_a_s, gap_b_s: see interval.neighbour_correlation.
    Welch's t (1947) with Satterthwaite's degrees of freedom on the logs of the two means.
    """
    if min(len(a), len(b)) < FIRST_INTERVAL:
        return too_few(min(len(a), len(b)))
    of_a, of_b = spread_of(a, None, gap_a_s), spread_of(b, None, gap_b_s)
    if of_a.mean <= 0 or of_b.mean <= 0:
        return Undecided(_("a mean of 0 has no ratio"))
    parts = [(spread.standard_error / spread.mean) ** 2 for spread in (of_a, of_b)]
    return Ratio(
        value=of_b.mean / of_a.mean,
        error=WIDENING * math.sqrt(sum(parts)),
        degrees=satterthwaite(parts, [of_a.degrees, of_b.degrees]),
        samples=of_a.segments + of_b.segments,
        method=WELCH,
    )


def ratio_of_logs(a: Spread, b: Spread) -> Ratio:
    """B over A from two means on the logarithmic scale, e.g. of pooled runs; nothing is widened."""
    parts = [a.standard_error**2, b.standard_error**2]
    return Ratio(
        value=math.exp(max(-_LARGEST, min(_LARGEST, b.mean - a.mean))),
        error=math.sqrt(sum(parts)),
        degrees=satterthwaite(parts, [a.degrees, b.degrees]),
        samples=a.segments + b.segments,
        method=POOLED,
    )


def ratio_of_pairs(a: Sequence[float], b: Sequence[float], *, confidence: float = CONFIDENCE) -> Ratio | Undecided:
    """B over A from segments measured side by side, pair by pair: what slowly drifts hits both and drops out.

    a, b: positive figures, same length, in the order of time. The interval is not widened: an experiment that looks
    more than once asks for it with `experiment.confidence_at`.
    """
    if len(a) != len(b):
        raise ValueError("pairs need as many of A as of B")
    if len(a) < FIRST_INTERVAL:
        return too_few(len(a))
    if min(*a, *b) <= 0:
        return Undecided(_("a segment in which nothing moved has no ratio"))
    spread = spread_of([math.log(of_b / of_a) for of_a, of_b in zip(a, b, strict=True)])
    return Ratio(
        value=math.exp(spread.mean),
        error=spread.standard_error,
        degrees=spread.degrees,
        samples=len(a),
        method=PAIRED,
        confidence=confidence,
    )


def ratio_of_estimates(a: Estimate | Undecided, b: Estimate | Undecided) -> Ratio | Undecided:
    """B over A from two values with intervals of their own, e.g. percentiles.

    The method of variance estimates recovery (Zou and Donner 2008) on logs; where the intervals are lopsided, the wider
    side counts for both, so that one t describes the ratio.
    """
    arms_a, arms_b = _log_arms(a), _log_arms(b)
    if isinstance(arms_a, Undecided):
        return arms_a
    if isinstance(arms_b, Undecided):
        return arms_b
    below, above = math.hypot(arms_b.low, arms_a.high), math.hypot(arms_b.high, arms_a.low)
    samples = min(arms_a.samples, arms_b.samples)
    degrees = float(max(1, samples - 1))
    return Ratio(
        value=arms_b.value / arms_a.value,
        error=max(below, above) / student_t(CONFIDENCE, degrees),
        degrees=degrees,
        samples=samples,
        method=MOVER,
    )


def satterthwaite(variances: Sequence[float], degrees: Sequence[float]) -> float:
    """Degrees of freedom of a sum of variances that each have their own."""
    total = math.fsum(variances)
    if total == 0:
        return math.fsum(degrees)
    return total**2 / math.fsum(v**2 / d for v, d in zip(variances, degrees, strict=True))


@dataclass(frozen=True, slots=True)
class _Arms:
    """A positive value and how far its interval reaches to both sides on the logarithmic scale."""

    value: float
    low: float
    high: float
    samples: int


def _log_arms(estimate: Estimate | Undecided) -> _Arms | Undecided:
    if isinstance(estimate, Undecided):
        return estimate
    if isinstance(estimate.interval, Undecided):
        return estimate.interval
    if estimate.value <= 0 or estimate.interval.low <= 0:
        return Undecided(_("a value of 0, or an interval that reaches it, has no ratio"))
    low, high = (abs(math.log(end / estimate.value)) for end in (estimate.interval.low, estimate.interval.high))
    return _Arms(estimate.value, low, high, estimate.samples)


TRIMMED_FROM = 5
"""Rounds from which one on either side may be left out."""

LEVEL = 0.025
"""Of a one-sided claim, as with an interval of 95 %."""


def p_above_zero(differences: Sequence[float]) -> float | None:
    """How likely such differences would be if their mean were not above 0; None for fewer than FIRST_INTERVAL.

    The smaller of two p values, doubled: Student's t of all rounds, and Yuen's (1974) of the rounds without the highest
    and the lowest fifth, so that one bad round decides nothing.
    """
    if len(differences) < FIRST_INTERVAL:
        return None
    found = _p(differences, 0)
    if len(differences) < TRIMMED_FROM:
        return found
    return min(1.0, 2 * min(found, _p(differences, max(1, len(differences) // 5))))


def _p(differences: Sequence[float], cut: int) -> float:
    """One-sided p of the trimmed mean over its winsorised error; cut 0 is Student's t."""
    ordered = sorted(differences)
    count, kept = len(ordered), ordered[cut : len(ordered) - cut]
    winsorised = [kept[0]] * cut + kept + [kept[-1]] * cut
    mean, centre = math.fsum(kept) / len(kept), math.fsum(winsorised) / count
    squares = math.fsum((value - centre) ** 2 for value in winsorised)
    error = math.sqrt(squares / (len(kept) * (len(kept) - 1)))
    if error == 0:
        return 0.0 if mean > 0 else 1.0
    return t_beyond(mean / error, len(kept) - 1)
