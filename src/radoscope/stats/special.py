"""Student's t, chi square, the beta distribution, digamma and its derivatives, to eight digits or more.

scipy has them all, and to load it takes as long as the rest of a command (docs/decisions/014). The tests hold these
against it. Continued fraction and series: Abramowitz and Stegun 26.5.8, 6.5.29, 6.3.18 and 6.4.11; the fraction is
evaluated as Lentz (1976) did.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from itertools import count
from statistics import NormalDist

_CLOSE = 1e-15
_TINY = 1e-300
_SOME_DEGREES, _MANY_DEGREES = 2e3, 1e6
"""Beyond which a series beside the normal distribution is exact enough, of the quantile and of the tail."""
_LARGE = 12.0
_MOST_STEPS = 200
_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6)
"""B2, B4, ..."""


def t_beyond(distance: float, degrees: float) -> float:
    """P(t > distance) of Student's t; degrees may be a fraction, as Welch's are."""
    square = distance * distance
    if degrees > _MANY_DEGREES:
        normal = distance * (1 - 1 / (4 * degrees)) / math.sqrt(1 + square / (2 * degrees))
        return 0.5 * math.erfc(normal / math.sqrt(2))
    whole = degrees + square
    tail = 0.5 * math.exp(_log_beta_share(degrees / 2, 0.5, degrees / whole, square / whole)[0])
    return tail if distance > 0 else 1 - tail


@lru_cache(maxsize=4096)
def student_t(confidence: float, degrees: float) -> float:
    """The two-sided quantile of Student's t, e.g. 1.96 for 0.95 and many degrees of freedom. confidence is below 1."""
    near = _t_by_normal(NormalDist().inv_cdf(0.5 + confidence / 2), degrees)
    if degrees > _SOME_DEGREES:
        return near
    square = near * near
    if confidence < 0.5:
        share = beta_quantile(confidence, 0.5, degrees / 2, square / (degrees + square))
        return math.sqrt(degrees * share / (1 - share))
    rest = beta_quantile(1 - confidence, degrees / 2, 0.5, degrees / (degrees + square))
    return math.sqrt(degrees * (1 - rest) / rest)


def _t_by_normal(z: float, degrees: float) -> float:
    """Student's quantile beside the normal one, by Cornish and Fisher's series (Abramowitz and Stegun 26.7.5)."""
    square = z * z
    terms = (
        (square + 1) / 4,
        ((5 * square + 16) * square + 3) / 96,
        (((3 * square + 19) * square + 17) * square - 15) / 384,
        ((((79 * square + 776) * square + 1482) * square - 1920) * square - 945) / 92160,
    )
    return z * (1 + math.fsum(term / degrees**power for power, term in enumerate(terms, 1)))


def beta_quantile(share: float, a: float, b: float, near: float | None = None) -> float:
    """Below which so many lie of a beta distribution; share from 0 to 1, a and b above 0. near: where to begin."""
    if not 0 < share < 1:
        return float(share >= 1)
    start = math.log(near or a / (a + b))
    return _quantile(share, lambda log: _log_beta_share(a, b, math.exp(log), -math.expm1(log)), start, 0.0)


def chi_square_quantile(share: float, degrees: float) -> float:
    """Below which so many lie of a chi square distribution; share above 0 and below 1."""
    a = degrees / 2
    return 2 * _quantile(share, lambda log: _log_gamma_share(a, math.exp(log)), math.log(a), math.inf)


def polygamma(order: int, x: float) -> float:
    """The logarithmic derivative of the gamma function (order 0), and the derivatives of that; x above 0."""
    sign, total = -1.0 if order % 2 == 0 else 1.0, 0.0
    while x < _LARGE:
        total += sign * math.factorial(order) / x ** (order + 1)
        x += 1
    first = math.log(x) if order == 0 else sign * math.factorial(order - 1) / x**order
    total += first + sign * math.factorial(order) / (2 * x ** (order + 1))
    for k, bernoulli in enumerate(_BERNOULLI, 1):
        rising = math.factorial(2 * k + order - 1) / math.factorial(2 * k)
        total += sign * bernoulli * rising / x ** (2 * k + order)
    return total


def _quantile(share: float, log_share: Callable[[float], tuple[float, float]], start: float, high: float) -> float:
    """Where a distribution has so many below it, by Newton's method on the logarithms of both.

    log_share: of the logarithm of a value, that of the share below it, and the slope. start, high: a logarithm to begin
    with, and one that none is above. A step that leaves what is known of the result is replaced by half the way.
    """
    target, low, at = math.log(share), -math.inf, start
    for _ in range(_MOST_STEPS):
        found, slope = log_share(at)
        low, high = (at, high) if found < target else (low, at)
        step = at + (target - found) / slope if slope > 0 else math.nan
        if not low < step < high:
            step = at - 1.0 if low == -math.inf else at + 1.0 if high == math.inf else (low + high) / 2
        if abs(step - at) <= _CLOSE * max(1.0, abs(at)):
            break
        at = step
    return math.exp(at)


def _log_beta_share(a: float, b: float, x: float, y: float) -> tuple[float, float]:
    """The logarithm of the incomplete beta function I_x(a, b), and how fast it grows with that of x; y is 1 - x."""
    if x <= 0:
        return -math.inf, a
    if y <= 0:
        return 0.0, 0.0
    front = a * math.log(x) + b * math.log(y) - math.lgamma(a) - math.lgamma(b) + math.lgamma(a + b)
    if x < (a + 1) / (a + b + 2):
        log = front + math.log(_beta_fraction(a, b, x) / a)
    else:
        log = math.log1p(-min(1 - _TINY, math.exp(front) * _beta_fraction(b, a, y) / b))
    return log, math.exp(front - log) / y


def _beta_fraction(a: float, b: float, x: float) -> float:
    over, under = 1.0, 1 / (1 - (a + b) * x / (a + 1) or _TINY)
    product = under
    for m in count(1):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        before = product
        for part in (even, odd):
            under, over = 1 / (1 + part * under or _TINY), 1 + part / over or _TINY
            product *= under * over
        if abs(product - before) <= _CLOSE * product:
            break
    return product


def _log_gamma_share(a: float, x: float) -> tuple[float, float]:
    """The logarithm of the incomplete gamma function P(a, x), and how fast it grows with that of x."""
    term = total = 1.0
    for n in count(1):
        term *= x / (a + n)
        total += term
        if term <= _CLOSE * total:
            break
    return a * math.log(x) - x - math.lgamma(a + 1) + math.log(total), a / total
