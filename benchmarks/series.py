"""Synthetic rates of a cell, one value a second, with a known true mean of 1.

The shapes follow 11 runs of 180 s on a small Ceph cluster (fio and rados bench, docs/statistics.md has the table):
coefficient of variation 9 to 18 %, lag-1 autocorrelation 0.55 to 0.91, integrated over 6 to 51 s.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.signal import lfilter


@dataclass(frozen=True, slots=True)
class Shape:
    """cv: of 1 s values. lag1: their autocorrelation at 1 s. integrated_s: 1 + 2 x the sum of all autocorrelations.

    drift: standard deviation of a slow part (about 10 minutes long). stalls: share of seconds in a stall, each about
    3 s long, at 30 % of the rate.
    """

    name: str
    cv: float
    lag1: float
    integrated_s: float
    drift: float = 0.0
    stalls: float = 0.0


MEASURED = (
    Shape("4K QD1 write", 0.15, 0.86, 36),
    Shape("4K QD1 write, again", 0.13, 0.88, 35),
    Shape("4K QD32 write", 0.15, 0.85, 17),
    Shape("4K QD32 write, again", 0.11, 0.66, 16),
    Shape("4K QD32 read", 0.14, 0.83, 18),
    Shape("4K QD32 read, again", 0.13, 0.76, 23),
    Shape("4M QD16 write", 0.15, 0.81, 14),
    Shape("4M QD16 write, again", 0.09, 0.55, 6),
    Shape("rados 4K QD1 write", 0.18, 0.91, 51),
    Shape("rados 4K QD32 write", 0.15, 0.87, 31),
    Shape("rados 4K QD32 read", 0.11, 0.66, 8),
)

QUIET = (Shape("quiet, cv 2 %", 0.02, 0.5, 5), Shape("quiet, cv 5 %", 0.05, 0.7, 10))
AR1 = (Shape("AR(1) 0.7", 0.12, 0.7, 5.67), Shape("AR(1) 0.9", 0.15, 0.9, 19), Shape("AR(1) 0.95", 0.15, 0.95, 39))
DRIFTING = (Shape("drifting 10 %", 0.10, 0.8, 9, drift=0.10), Shape("drifting 5 %", 0.05, 0.7, 6, drift=0.05))
BURSTY = (Shape("bursty 3 %", 0.08, 0.7, 6, stalls=0.03), Shape("bursty 8 %", 0.12, 0.8, 9, stalls=0.08))


def slow_part(shape: Shape) -> tuple[float, float]:
    """A slow AR(1) and white noise: (share of variance that is slow, its lag-1), to fit lag1 and integrated_s.

    share x rho = lag1 and (1 - share) + share x (1 + rho) / (1 - rho) = integrated_s.
    """
    rho = np.linspace(shape.lag1, 0.999, 5000)
    share = shape.lag1 / rho
    best = np.argmin(np.abs((1 - share) + share * (1 + rho) / (1 - rho) - shape.integrated_s))
    return float(share[best]), float(rho[best])


def ar1(rng: np.random.Generator, count: int, seconds: int, rho: float) -> np.ndarray:
    """Stationary AR(1) with variance 1, shape (count, seconds)."""
    noise = rng.standard_normal((count, seconds))
    noise[:, 1:] *= np.sqrt(1 - rho * rho)
    return lfilter([1], [1, -rho], noise, axis=1)


def make(shape: Shape, rng: np.random.Generator, count: int, seconds: int) -> np.ndarray:
    """`count` series of `seconds` values; the mean over all time is 1 for each."""
    share, rho = slow_part(shape)
    fast = np.sqrt(1 - share) * rng.standard_normal((count, seconds)) if share < 1 else 0.0
    rates = 1 + shape.cv * (np.sqrt(share) * ar1(rng, count, seconds, rho) + fast)
    if shape.drift:
        rates *= 1 + shape.drift * ar1(rng, count, seconds, np.exp(-1 / 600))
    if shape.stalls:
        rates *= _stalls(rng, count, seconds, shape.stalls)
    return np.maximum(rates, 0.0)


def _stalls(rng: np.random.Generator, count: int, seconds: int, share: float, depth: float = 0.3) -> np.ndarray:
    """Two states, 3 s a stall on average; scaled to mean 1."""
    leave = 1 / 3
    enter = leave * share / (1 - share)
    state = rng.random(count) < share
    factor = np.empty((count, seconds))
    for second in range(seconds):
        factor[:, second] = np.where(state, depth, 1.0)
        chance = rng.random(count)
        state = np.where(state, chance >= leave, chance < enter)
    return factor / (1 - share * (1 - depth))
