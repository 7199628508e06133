"""An A/B experiment that is watched while it runs: may it stop, with which confidence, and with which verdict?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from radoscope.stats.interval import CONFIDENCE
from radoscope.stats.ratio import Ratio, ratio_of_pairs
from radoscope.stats.values import Undecided
from radoscope.stats.verdict import Verdict, decide
from radoscope.words import _

if TYPE_CHECKING:
    import numpy as np

GRID = 401


def confidence_at(looks: Sequence[int], planned: int, *, ends: bool = False) -> float:
    """The confidence for an interval at the last of the looks so far, each named by the pairs that it comes after.

    planned: pairs of the whole experiment. ends: no look follows, although fewer were measured.
    Stopping at the first interval that leaves out no difference is then wrong in at most 1 - CONFIDENCE of
    experiments without one. At each look the square of the share of the pairs of that error is spent, all of it at the
    end (Lan and DeMets 1983, Kim and DeMets 1987). Gives levels for a normal statistic; with a t of few degrees the
    level is used with that t. Raises ValueError unless looks grow, up to `planned`.
    """
    if not looks or not all(one < other for one, other in pairwise((0, *looks, planned + 1))):
        raise ValueError(f"looks after {looks} of {planned} pairs")
    shares = [(look / planned) ** 2 for look in looks]
    spent = [(1 - CONFIDENCE) * share for share in (*shares[:-1], 1.0 if ends else shares[-1])]
    return math.erf(_inside(tuple(looks), tuple(spent))[0] / math.sqrt(2))


def bounds(looks: tuple[int, ...], spent: tuple[float, ...]) -> tuple[float, ...]:
    """Two-sided bounds for z, one a look: without a difference, any so far is crossed with the chance `spent` there."""
    return tuple(_inside(looks[:number], spent[:number])[0] for number in range(1, len(looks) + 1))


@lru_cache(maxsize=256)
def _inside(looks: tuple[int, ...], spent: tuple[float, ...]) -> tuple[float, np.ndarray, np.ndarray]:
    """The bound at the last look, and the sums that stay within all bounds, on a grid, with the chance of each.

    The recursion of Armitage, McPherson and Rowe (1969): the density of a sum of steps that has stayed inside, and the
    chance that the next normal step leads outside. Each look goes on from the one before.
    """
    import numpy as np  # start-up time

    if not looks:
        return 0.0, np.zeros(1), np.ones(1)
    _, sums, mass = _inside(looks[:-1], spent[:-1])
    look, step = looks[-1], looks[-1] - (0, *looks)[-2]
    bound = _bound(sums.tolist(), mass.tolist(), look, step, spent[-1])
    edge = bound * math.sqrt(look)
    after = np.linspace(-edge, edge, GRID)
    density = np.exp(-((after[:, None] - sums[None, :]) ** 2) / (2 * step)) @ mass / math.sqrt(2 * math.pi * step)
    trapezoid = np.full(GRID, after[1] - after[0])
    trapezoid[[0, -1]] /= 2
    return bound, after, density * trapezoid


def _bound(sums: list[float], mass: list[float], look: int, step: int, spent: float) -> float:
    """Where as much stays inside as may."""
    low, high, scale = 0.5, 10.0, math.sqrt(2 * step)
    while high - low > 1e-4:
        middle = (low + high) / 2
        edge = middle * math.sqrt(look)
        inside = math.fsum(
            weight * (math.erf((edge - at) / scale) + math.erf((edge + at) / scale)) / 2
            for at, weight in zip(sums, mass, strict=True)
        )
        low, high = (middle, high) if inside < 1 - spent else (low, middle)
    return (low + high) / 2


FIRST_LOOK = 5
"""Pairs before the first look."""


def decide_pairs(
    a: Sequence[float],
    b: Sequence[float],
    *,
    confidence: float = CONFIDENCE,
    cells: int = 1,
    margin: float = 0.05,
    higher_is_better: bool = True,
    seconds_used: float = 0.0,
) -> tuple[Ratio | Undecided, Verdict]:
    """Judge an experiment. confidence: of this look, from `confidence_at`.

    a, b: one positive figure for each pair of neighbouring segments, in the order of time. cells: how many cells the
    experiment judges at once; each gets its share of the error (Bonferroni, because not all are known at each look).
    Stop at the first verdict that is not Undecided; the error over all looks stays within 5 %.
    """
    confidence = 1 - (1 - confidence) / cells
    if len(a) < FIRST_LOOK:
        reason = Undecided(
            _("{number} pairs; at least {least} are needed", number=len(a), least=FIRST_LOOK),
            _("{number} more", number=FIRST_LOOK - len(a)),
        )
        return reason, reason
    ratio = ratio_of_pairs(a, b, confidence=confidence)
    verdict = decide(
        ratio, margin=margin, higher_is_better=higher_is_better, seconds_used=seconds_used, significance=1 - confidence
    )
    return ratio, verdict
