"""An A/B experiment that is watched while it runs: may it stop, with which confidence, and with which verdict?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from radoscope.stats.interval import CONFIDENCE
from radoscope.stats.ratio import Ratio, ratio_of_pairs
from radoscope.stats.values import Undecided
from radoscope.stats.verdict import Verdict, decide
from radoscope.words import _

GRID = 401


def confidence_at(look: int, looks: int, confidence: float = CONFIDENCE) -> float:
    """The confidence for an interval at look `look` of at most `looks` equally spaced ones.

    Stopping at the first interval that leaves out no difference is then wrong in at most 1 - confidence of
    experiments without one. Boundaries of O'Brien and Fleming (1979): strict at first, nearly the full error at the
    last look. Gives levels for a normal statistic; with a t of few degrees the level is used with that t.
    """
    if not 1 <= look <= looks:
        raise ValueError(f"look {look} is not one of {looks}")
    bound = obrien_fleming(looks, 1 - confidence) * math.sqrt(looks / look)
    return math.erf(bound / math.sqrt(2))


@lru_cache(maxsize=64)
def obrien_fleming(looks: int, alpha: float = 0.05) -> float:
    """The constant c: at look k of K the two-sided bound for z is c x sqrt(K / k). 1.96 for one look, 2.040 for 5."""
    low, high = 1.0, 4.0
    while high - low > 1e-4:
        middle = (low + high) / 2
        if crossing_probability([middle * math.sqrt(looks / k) for k in range(1, looks + 1)]) > alpha:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def crossing_probability(bounds: list[float]) -> float:
    """Chance that |z| exceeds its bound at any of equally spaced looks, without a difference.

    The recursion of Armitage, McPherson and Rowe (1969): the density of the sum of k steps that has stayed inside, on a
    grid, convolved with one more normal step.
    """
    import numpy as np  # start-up time

    before, mass = np.zeros(1), np.ones(1)
    for look, bound in enumerate(bounds, 1):
        edge = bound * math.sqrt(look)
        sums = np.linspace(-edge, edge, GRID)
        step = np.exp(-((sums[:, None] - before[None, :]) ** 2) / 2) / math.sqrt(2 * math.pi)
        density = step @ mass
        trapezoid = np.full(GRID, sums[1] - sums[0])
        trapezoid[[0, -1]] /= 2
        before, mass = sums, density * trapezoid
    return 1 - float(mass.sum())


FIRST_LOOK = 5
"""Pairs before the first look."""


def decide_pairs(
    a: Sequence[float],
    b: Sequence[float],
    *,
    look: int = 1,
    looks: int = 1,
    cells: int = 1,
    margin: float = 0.05,
    higher_is_better: bool = True,
    seconds_used: float = 0.0,
) -> tuple[Ratio | Undecided, Verdict]:
    """Judge an experiment at look `look` of at most `looks`, equally spaced.

    a, b: one positive figure for each pair of neighbouring segments, in the order of time. cells: how many cells the
    experiment judges at once; each gets its share of the error (Bonferroni, because not all are known at each look).
    Stop at the first verdict that is not Undecided; the error over all looks stays within 5 %.
    """
    confidence = 1 - (1 - confidence_at(look, looks)) / cells
    if len(a) < FIRST_LOOK:
        reason = Undecided(
            _("{number} pairs; at least {least} are needed", number=len(a), least=FIRST_LOOK),
            _("{number} more", number=FIRST_LOOK - len(a)),
        )
        return reason, reason
    ratio = ratio_of_pairs(a, b, confidence=confidence)
    verdict = decide(
        ratio,
        margin=margin,
        higher_is_better=higher_is_better,
        seconds_used=seconds_used,
        significance=1 - confidence,
    )
    return ratio, verdict
