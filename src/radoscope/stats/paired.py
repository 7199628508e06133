"""Is one quantity larger than another? From their differences within rounds: what drifts hits both, and drops out."""

from __future__ import annotations

import math
from collections.abc import Sequence

from radoscope.stats.interval import FIRST_INTERVAL

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
    from scipy.special import stdtr  # start-up time

    ordered = sorted(differences)
    count, kept = len(ordered), ordered[cut : len(ordered) - cut]
    winsorised = [kept[0]] * cut + kept + [kept[-1]] * cut
    mean, centre = math.fsum(kept) / len(kept), math.fsum(winsorised) / count
    squares = math.fsum((value - centre) ** 2 for value in winsorised)
    error = math.sqrt(squares / (len(kept) * (len(kept) - 1)))
    if error == 0:
        return 0.0 if mean > 0 else 1.0
    return float(1 - stdtr(len(kept) - 1, mean / error))
