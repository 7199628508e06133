"""Fitting the constants to published results: maximum a posteriori, with laboratories that err together.

Residuals are ln(published / predicted). Cells of one laboratory share errors that no published fact explains (a cable,
a BIOS, a dataset), so their residuals are correlated: a part common to the laboratory, a part common to its cells of
one class, and a part of each cell. The common parts are integrated out (they are normal) by whitening with the
Cholesky factor of the covariance; what remains is least squares. A laboratory with 100 cells therefore counts little
more than one with 10.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import least_squares

from radoscope.predict.constants import NAMES, Constants, priors
from radoscope.predict.demands import costs
from radoscope.predict.network import bounds, residence, solve, solve_rate
from radoscope.predict.numbers import Arrays
from radoscope.predict.setting import Setting, stack

FREEDOM = 3.0
"""Degrees of freedom of Student's t for whole groups of cells: some pages leave out what decided their result."""

ROUNDS = 3
"""Rounds of reweighting; a fourth moves no constant by more than a tenth of its posterior deviation."""

STEP = 1e-6
"""Relative step of the slopes; smaller than 1 / (operations in flight), as a full station turns that sharply."""

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Noise:
    """Standard deviations of ln residuals: common to a laboratory, to a class within it, and of one cell.

    The values hold out of laboratory: with half of them the fit follows a few laboratories too closely and predicts
    the others worse than documents alone do (scripts/fit_model.py measures it).
    """

    laboratory: float = 0.80
    within: float = 0.80
    cell: float = 0.35


@dataclass(frozen=True, slots=True)
class Cells:
    """Published results to fit on. laboratories, classes: labels, one per cell. log_rates: ln of operations per second.

    doubt: factor on a cell's own standard deviation (1 fully specified, 2 with several gaps).
    """

    settings: Sequence[Setting]
    log_rates: FloatArray
    laboratories: Sequence[str]
    classes: Sequence[str]
    doubt: FloatArray


@dataclass(frozen=True, slots=True)
class Fit:
    """mode: ln of each constant relative to its prior median; covariance of it (Laplace)."""

    mode: FloatArray
    covariance: FloatArray

    @property
    def constants(self) -> Constants:
        return constants_at(self.mode)

    def draws(self, count: int, seed: int = 1) -> FloatArray:
        """Posterior draws of `mode`, shape (count, constants)."""
        generator = np.random.default_rng(seed)
        drawn: FloatArray = generator.multivariate_normal(self.mode, self.covariance, size=count, method="eigh")
        return drawn


def constants_at(offsets: FloatArray) -> Constants:
    """offsets: ln relative to the priors' medians, shape (constants,), or (draws, constants) for arrays of draws."""
    values: dict[str, Any] = {}
    for column, name in enumerate(NAMES):
        value = priors()[name].median * np.exp(offsets[..., column])
        values[name] = float(value) if np.ndim(value) == 0 else value
    return Constants(**values)


def log_predictions(settings: Setting, offsets: FloatArray) -> FloatArray:
    """ln of the predicted rate of each stacked setting, shape (settings,)."""
    predicted: FloatArray = np.log(solve(settings, constants_at(offsets), Arrays()).rate)
    return predicted


def slopes(settings: Setting, offsets: FloatArray) -> FloatArray:
    """d ln(rate) / d offset, shape (settings, constants), without solving again for each constant.

    X R(X, c) = N stays true as a constant c moves, so d lnX / dc = -(d lnR / dc) / (1 + d lnR / d lnX), both at the
    solution. Where a capacity holds the rate, it is the slope of that capacity.
    """
    numbers = Arrays()
    cost = costs(settings, constants_at(offsets), numbers)
    rate = solve_rate(settings, cost, numbers)
    still, limit = np.log(residence(settings, cost, rate, numbers)), np.log(bounds(settings, cost, numbers)["capacity"])
    along = (np.log(residence(settings, cost, rate * (1 + STEP), numbers)) - still) / STEP
    held = np.log(rate) > limit - 1e-6
    columns = []
    for column in range(len(NAMES)):
        moved = offsets.copy()
        moved[column] += STEP
        cost = costs(settings, constants_at(moved), numbers)
        free = -(np.log(residence(settings, cost, rate, numbers)) - still) / STEP / (1 + along)
        capped = (np.log(bounds(settings, cost, numbers)["capacity"]) - limit) / STEP
        columns.append(np.where(held, capped, free))
    return np.stack(columns, axis=1)


def whitening(cells: Cells, noise: Noise, doubt: FloatArray) -> FloatArray:
    """The inverse Cholesky factor of the residuals' covariance, shape (cells, cells)."""
    laboratories, classes = np.array(cells.laboratories), np.array(cells.classes)
    same_lab = laboratories[:, None] == laboratories[None, :]
    same_class = same_lab & (classes[:, None] == classes[None, :])
    covariance = noise.laboratory**2 * same_lab + noise.within**2 * same_class + noise.cell**2 * np.eye(len(classes))
    covariance = covariance * np.outer(doubt, doubt)
    inverse: FloatArray = np.linalg.inv(np.linalg.cholesky(covariance))
    return inverse


def outliers(cells: Cells, misfit: FloatArray, noise: Noise) -> FloatArray:
    """Factor on each cell's doubt for groups (a class in a laboratory) that lie far off as a whole: Student's t with
    FREEDOM degrees of freedom at the level of groups, as iterated weights. shape (cells,)."""
    factors = np.ones(len(misfit))
    labels = np.array([f"{lab}/{kind}" for lab, kind in zip(cells.laboratories, cells.classes, strict=True)])
    spread = math.hypot(noise.laboratory, noise.within)
    for label in np.unique(labels):
        group = labels == label
        distance = float(np.median(misfit[group] / cells.doubt[group])) / spread
        factors[group] = math.sqrt((FREEDOM + distance**2) / (FREEDOM + 1))
    return factors


def fit(cells: Cells, noise: Noise | None = None, start: FloatArray | None = None) -> Fit:
    """The posterior mode and its Laplace covariance.

    Priors are normal in ln of each constant (priors.toml). Large whitened residuals count linearly (soft l1):
    some published pages leave out what decided their result.
    """
    noise = noise or Noise()
    stacked = stack(cells.settings)
    mode = np.zeros(len(NAMES)) if start is None else start
    for _ in range(ROUNDS):
        misfit = cells.log_rates - log_predictions(stacked, mode)
        found = _least_squares(cells, stacked, noise, mode, cells.doubt * outliers(cells, misfit, noise))
        mode = found.mode
    return found


def _least_squares(cells: Cells, stacked: Setting, noise: Noise, start: FloatArray, doubt: FloatArray) -> Fit:
    white = whitening(cells, noise, doubt)
    sigmas = np.array([priors()[name].sigma for name in NAMES])

    def residuals(offsets: FloatArray) -> FloatArray:
        misfit = white @ (cells.log_rates - log_predictions(stacked, offsets))
        return np.concatenate([misfit, offsets / sigmas])

    found = least_squares(
        residuals,
        start,
        jac=lambda offsets: np.vstack([-white @ slopes(stacked, offsets), np.diag(1 / sigmas)]),
        loss="soft_l1",
        f_scale=2.0,
        x_scale=sigmas,
        max_nfev=40,
        xtol=1e-4,
        ftol=1e-4,
    )
    jacobian = found.jac
    return Fit(found.x, np.linalg.inv(jacobian.T @ jacobian))
