"""What the cells of one study share: how much their segments scatter, so that few rounds need not tell it alone.

Empirical Bayes on variances (Smyth 2004, Statistical Applications in Genetics and Molecular Biology 3, article 3): the
variances of the cells are taken for draws from one scaled inverse chi-square distribution, and each cell's own is
pulled towards it. Five rounds then pay Student's t of more than four degrees.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

LEAST_CELLS = 4
"""Fewer cells say nothing about how cells differ."""

MOST_DEGREES = 100.0
QUIETER = 0.25
"""Of the weight of the others on a cell that scatters less than they do: it may be of a calmer kind, as a drive is
beside a cluster. Measured: coverage stays, and quiet cells keep narrow intervals (docs/statistics.md)."""


@dataclass(frozen=True, slots=True)
class Prior:
    """What the other cells say of a cell's variance. degrees: how much that counts. variance: of value over mean."""

    degrees: float
    variance: float

    def moderate(self, variance: float, degrees: float) -> tuple[float, float]:
        """A cell's own relative variance with its degrees of freedom -> both with the others' part in it."""
        weight = self.degrees * (QUIETER if variance < self.variance else 1.0)
        return (weight * self.variance + degrees * variance) / (weight + degrees), weight + degrees


def prior_of(cells: Sequence[Sequence[float]]) -> Prior | None:
    """The prior of a study. cells: the figures of each cell's segments; None where too few cells have three or more.

    By the moments of log variances (Smyth 2004, section 6.2); a cell without any scatter says nothing.
    """
    found = [(variance, len(values) - 1) for values in cells if (variance := _relative_variance(values)) > 0]
    if len(found) < LEAST_CELLS:
        return None
    from scipy.special import digamma, polygamma  # start-up time

    logs = [math.log(v) - float(digamma(d / 2)) + math.log(d / 2) for v, d in found]
    mean = math.fsum(logs) / len(logs)
    between = math.fsum((one - mean) ** 2 for one in logs) / (len(logs) - 1)
    between -= math.fsum(float(polygamma(1, d / 2)) for _, d in found) / len(found)
    degrees = 2 * _inverse_trigamma(between) if between > 0 else MOST_DEGREES
    degrees = min(MOST_DEGREES, degrees)
    return Prior(degrees, math.exp(mean + float(digamma(degrees / 2)) - math.log(degrees / 2)))


def _relative_variance(values: Sequence[float]) -> float:
    """Of the values over their mean; 0 where there are fewer than three, or their mean is not above 0."""
    mean = math.fsum(values) / len(values) if values else 0.0
    if len(values) < 3 or mean <= 0:
        return 0.0
    return math.fsum((value / mean - 1) ** 2 for value in values) / (len(values) - 1)


def _inverse_trigamma(value: float) -> float:
    from scipy.optimize import brentq
    from scipy.special import polygamma

    low, high = 1e-4, MOST_DEGREES
    if value >= polygamma(1, low):
        return low
    if value <= polygamma(1, high):
        return high
    return float(brentq(lambda x: float(polygamma(1, x)) - value, low, high))
