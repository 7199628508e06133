"""What measured cells teach: one posterior, in logs, over everything that a prediction rests on.

Constants, figures of the cluster and residuals (`unknowns.py`) are normal in ln. Known cells move what they depend on
(iterated Gauss-Newton to the mode, linear there), and whatever else depends on it follows. Predictions are joint, so
the interval of a ratio holds only what its two sides do not share: nothing where nothing changes. Clusters differ in
how well they are described: a Student's t process with `FREEDOM` widens all intervals where the known cells were
surprising.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from radoscope.predict.constants import NAMES, Constants, documented, priors
from radoscope.predict.demands import Costs, costs
from radoscope.predict.network import bounds, residence, solve_rate
from radoscope.predict.setting import Arrays, Setting, stack
from radoscope.predict.unknowns import CELL, CONSTANTS, FIGURES, INPUTS, Case, FloatArray, Input, residuals

FREEDOM = 4.0
STEP = 1e-6
"""Relative step of the slopes; smaller than 1 / (operations in flight), as a full station turns that sharply."""
CHANGED, SLIGHTLY = 0.2, 0.1
"""A change has an error of its own, a share of itself and at least this in ln: of published pairs that differ in one
input 80 % lie within 80 % intervals with these (scripts/exams.py)."""
ROUNDS = 12
SETTLED = 1e-3
"""A round that gains less than this in ln of the posterior is the last."""


@dataclass(frozen=True, slots=True)
class Unknowns:
    """The columns of all that is unknown: constants, then inputs, one column for each group of cases that share one.

    spreads: standard deviations, shape (columns,). masks: which cases an input moves, shape (inputs, cases).
    """

    spreads: FloatArray
    masks: FloatArray
    inputs: tuple[Input, ...]

    def of(self, chosen: Sequence[int]) -> Unknowns:
        return replace(self, masks=self.masks[:, list(chosen)])


@dataclass(frozen=True, slots=True)
class Posterior:
    """mean: ln rates of all cases, shape (cases,). covariance: of them, without a single cell's own part.
    with_unknowns: covariance of each case's ln rate with each column. unknowns, of_unknowns: the columns, their
    posterior means and variances. stretch: factor on standard deviations, from how surprising the known cells were.
    evidence: ln density of the known cells. known: indices of the cases that were."""

    mean: FloatArray
    covariance: FloatArray
    with_unknowns: FloatArray
    unknowns: Unknowns
    means: FloatArray
    variances: FloatArray
    stretch: float
    evidence: float
    known: tuple[int, ...]

    def half_width(self, index: int) -> float:
        """Of the 80 % interval of a measurement of this case, in ln."""
        return self.reach * math.sqrt(max(0.0, float(self.covariance[index, index])) + CELL**2)

    def ratio(self, before: int, after: int) -> tuple[float, float]:
        """(ln ratio of the rates, half of its 80 % interval): what the two sides share does not count."""
        c, change = self.covariance, float(self.mean[after] - self.mean[before])
        variance = max(0.0, float(c[before, before] + c[after, after] - 2 * c[before, after]))
        return change, self.reach * math.sqrt(variance + (CHANGED * change) ** 2)

    @property
    def reach(self) -> float:
        """Standard deviations (of `covariance`) that half of an 80 % interval has."""
        return self.stretch * _t_quantile(FREEDOM + len(self.known))


def _t_quantile(freedom: float) -> float:
    """The 90th percentile of Student's t (Cornish and Fisher; 0.01 off at 4 degrees of freedom)."""
    z = 1.2816
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    return z + first / freedom + second / freedom**2


def unknowns_of(cases: Sequence[Case]) -> Unknowns:
    spreads = [priors()[name].sigma * CONSTANTS for name in NAMES]
    masks, inputs = [], []
    for one in INPUTS:
        keys = [one.same(each) for each in cases]
        for key in dict.fromkeys(keys):
            members = np.array([each == key for each in keys], dtype=float)
            spread = FIGURES * max(one.spread(each) for each, is_in in zip(cases, members, strict=True) if is_in)
            if spread > 0:
                masks.append(members)
                inputs.append(one)
                spreads.append(spread)
    return Unknowns(np.array(spreads), np.array(masks).reshape(-1, len(cases)), tuple(inputs))


@dataclass(frozen=True, slots=True)
class Rates:
    """logs: ln of measured operations per second. errors: standard deviation of each in ln, where it is known."""

    logs: FloatArray
    errors: FloatArray | float = 0.0

    def noise(self) -> FloatArray:
        """Covariance of what single cells have for themselves: a repetition's share, and their own error."""
        found: FloatArray = np.diag(CELL**2 + np.zeros(len(self.logs)) + np.square(self.errors))
        return found


def learn(cases: Sequence[Case], known: Sequence[int], measured: Rates) -> Posterior:
    """The posterior of the ln rates of all cases, given those of the `known` ones (indices)."""
    logs, noise = measured.logs, measured.noise()
    unknowns = unknowns_of(cases)
    prior, rest = unknowns.spreads**2, residuals(cases)
    chosen = list(known)
    offsets = np.zeros(len(prior))
    if chosen:
        own = rest[np.ix_(chosen, chosen)] + noise
        offsets = _mode([cases[i] for i in chosen], unknowns.of(chosen), logs, own)
    base = stack([one.setting for one in cases])
    there = Solved.at(base, unknowns, offsets)
    rates, slopes = there.logs, there.slopes()
    joint = (slopes * prior) @ slopes.T + rest
    beside = slopes * prior
    if not chosen:
        return Posterior(rates, joint, beside, unknowns, offsets, prior, 1.0, 0.0, ())
    seen = joint[np.ix_(chosen, chosen)] + noise
    away = logs - rates[chosen] + slopes[chosen] @ offsets  # from the prior mean, linear at the mode
    weights = np.linalg.inv(seen)
    gain, gain_unknowns = joint[:, chosen] @ weights, beside[chosen].T @ weights
    surprise = float(away @ weights @ away)
    return Posterior(
        mean=rates - slopes @ offsets + gain @ away,
        covariance=joint - gain @ joint[chosen],
        with_unknowns=beside - gain @ beside[chosen],
        unknowns=unknowns,
        means=gain_unknowns @ away,
        variances=prior - np.sum(gain_unknowns * beside[chosen].T, axis=1),
        stretch=math.sqrt((FREEDOM + surprise) / (FREEDOM + len(chosen))),
        evidence=_log_t(surprise, seen),
        known=tuple(chosen),
    )


def _log_t(surprise: float, covariance: FloatArray) -> float:
    """ln density of a multivariate Student's t."""
    n = len(covariance)
    spread = float(np.linalg.slogdet(covariance)[1])
    tail = (FREEDOM + n) / 2 * math.log1p(surprise / FREEDOM)
    norm = math.lgamma((FREEDOM + n) / 2) - math.lgamma(FREEDOM / 2) - n / 2 * math.log(FREEDOM * math.pi)
    return norm - spread / 2 - tail


def _mode(cases: Sequence[Case], unknowns: Unknowns, logs: FloatArray, own: FloatArray) -> FloatArray:
    """The likeliest offsets: Gauss-Newton in the space of cells, with steps halved until they gain."""
    prior, weights = unknowns.spreads**2, np.linalg.inv(own)
    base = stack([one.setting for one in cases])

    def tried(at: FloatArray) -> tuple[float, Solved]:
        there = Solved.at(base, unknowns, at)
        misfit = logs - there.logs
        return float(misfit @ weights @ misfit + np.sum(at**2 / prior)) / 2, there

    cost, here = tried(np.zeros(len(prior)))
    for _ in range(ROUNDS):
        slopes = here.slopes()
        beside = slopes * prior
        aim = beside.T @ np.linalg.solve(beside @ slopes.T + own, logs - here.logs + slopes @ here.offsets)
        found = _shorter_until_better(tried, cost, here.offsets, aim)
        if found is None:
            break
        gained, (cost, here) = cost - found[0], found
        if gained < SETTLED:
            break
    return here.offsets


def _shorter_until_better(
    tried: Callable[[FloatArray], tuple[float, Solved]], best: float, start: FloatArray, aim: FloatArray
) -> tuple[float, Solved] | None:
    size = 1.0
    while size > 0.05:
        found = tried(start + size * (aim - start))
        if found[0] < best - 1e-9:
            return found
        size /= 2
    return None


def moved(base: Setting, unknowns: Unknowns, offsets: FloatArray) -> tuple[Setting, Constants]:
    """What offsets (..., columns) make of stacked settings (cases,): fields (..., cases), constants (..., 1)."""
    centre = documented()
    constants = Constants(
        **{name: getattr(centre, name) * np.exp(offsets[..., i : i + 1]) for i, name in enumerate(NAMES)}
    )
    logs: dict[str, Any] = {}
    for column, (one, mask) in enumerate(zip(unknowns.inputs, unknowns.masks, strict=True), start=len(NAMES)):
        for name in one.fields:
            logs[name] = logs.get(name, 0.0) + offsets[..., column : column + 1] * mask
    return replace(base, **{name: getattr(base, name) * np.exp(by) for name, by in logs.items()}), constants


@dataclass(frozen=True, slots=True)
class Solved:
    """Rates (cases,) in operations per second at some offsets (columns,), and what they were solved from."""

    base: Setting
    unknowns: Unknowns
    offsets: FloatArray
    setting: Setting
    cost: Costs
    rates: FloatArray

    @classmethod
    def at(cls, base: Setting, unknowns: Unknowns, offsets: FloatArray) -> Solved:
        numbers = Arrays()
        setting, constants = moved(base, unknowns, offsets)
        cost = costs(setting, constants, numbers)
        return cls(base, unknowns, offsets, setting, cost, solve_rate(setting, cost, numbers))

    @property
    def logs(self) -> FloatArray:
        found: FloatArray = np.log(self.rates)
        return found

    def slopes(self) -> FloatArray:
        """d ln(rate) / d offset, shape (cases, columns), without solving again for each column.

        X R(X, c) = N stays true as a column c moves, so d lnX / dc = -(d ln(R/N) / dc) / (1 + d lnR / d lnX), both at
        the solution. Where a capacity holds the rate, it is the slope of that capacity.
        """
        numbers, rates, setting, cost = Arrays(), self.rates, self.setting, self.cost
        limit = np.log(bounds(setting, cost, numbers)["capacity"])
        still = np.log(residence(setting, cost, rates, numbers) / setting.in_flight)
        faster = np.log(residence(setting, cost, rates * (1 + STEP), numbers) / setting.in_flight)
        along = (faster - still) / STEP
        setting, constants = moved(self.base, self.unknowns, self.offsets + STEP * np.eye(len(self.offsets)))
        cost = costs(setting, constants, numbers)
        free = -(np.log(residence(setting, cost, rates, numbers) / setting.in_flight) - still) / STEP / (1 + along)
        capped = (np.log(bounds(setting, cost, numbers)["capacity"]) - limit) / STEP
        slopes: FloatArray = np.where(self.logs > limit - 1e-6, capped, free).T
        return slopes
