"""Several runs of the same thing: what they say together, and how much of their spread lies between runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from radoscope.stats.interval import CONFIDENCE, MOST_LOG, Spread
from radoscope.stats.special import student_t
from radoscope.stats.values import Estimate, Interval, Undecided
from radoscope.words import _

FEWEST_RUNS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Pooled:
    """A random-effects mean of runs.

    spread: on the logarithmic scale, for further comparison. between: standard deviation between runs as a share of the
    value. between_share: the part of the variance that lies between runs (I squared, Higgins and Thompson 2002), None
    where a run is a single figure and all spread is between runs. next_run: where one more run would lie.
    """

    estimate: Estimate
    spread: Spread
    between: float
    between_share: float | None
    next_run: Interval | Undecided
    runs: int


def pool_runs(runs: Sequence[Spread]) -> Pooled | Undecided:
    """Combine runs by their means and standard errors, on the logarithmic scale.

    The variance between runs is Paule and Mandel's (1982); the interval is Hartung and Knapp's (2001), with the t of
    runs - 1 degrees of freedom and never narrower than without their factor: few runs agree by luck. A run of which
    only one figure is known has a standard error of 0: then this is Student's t on the logs of the runs.
    """
    usable = [run for run in runs if run.mean > 0]
    if len(usable) < FEWEST_RUNS:
        because = _("{runs} run; at least {least} are needed to pool", runs=len(usable), least=FEWEST_RUNS)
        return Undecided(because, _("another run"))
    logs = [math.log(run.mean) for run in usable]
    within = [max((run.standard_error / run.mean) ** 2, 1e-12) for run in usable]
    between = between_variance(logs, within)
    weights = [1 / (variance + between) for variance in within]
    total = math.fsum(weights)
    mean = math.fsum(w * log for w, log in zip(weights, logs, strict=True)) / total
    degrees = len(usable) - 1
    knapp = math.fsum(w * (log - mean) ** 2 for w, log in zip(weights, logs, strict=True)) / degrees
    error = math.sqrt(max(1.0, knapp) / total)
    half = student_t(CONFIDENCE, degrees) * error
    return Pooled(
        estimate=Estimate(
            math.exp(mean), _around(mean, half), len(usable), "random effects (Paule and Mandel, Hartung and Knapp)"
        ),
        spread=Spread(mean, error, float(degrees), len(usable)),
        between=math.sqrt(between),
        between_share=between_share(logs, within) if all(run.standard_error > 0 for run in usable) else None,
        next_run=_next_run(mean, error, between, len(usable)),
        runs=len(usable),
    )


def between_variance(values: Sequence[float], variances: Sequence[float]) -> float:
    """Variance between runs (Paule and Mandel 1982): the one with which the weighted sum of squares is runs - 1."""
    degrees = len(values) - 1
    if _weighted_squares(values, variances, 0.0) <= degrees:
        return 0.0
    low, high = 0.0, 1.0
    while _weighted_squares(values, variances, high) > degrees:
        high *= 4
    for _step in range(100):
        middle = (low + high) / 2
        if _weighted_squares(values, variances, middle) > degrees:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def between_share(values: Sequence[float], variances: Sequence[float]) -> float:
    """I squared: the share of the runs' spread that the uncertainty of each run does not explain."""
    squares = _weighted_squares(values, variances, 0.0)
    return 0.0 if squares <= 0 else max(0.0, 1 - (len(values) - 1) / squares)


def _weighted_squares(values: Sequence[float], variances: Sequence[float], between: float) -> float:
    """Cochran's Q with `between` added to each variance."""
    weights = [1 / (variance + between) for variance in variances]
    mean = math.fsum(w * v for w, v in zip(weights, values, strict=True)) / math.fsum(weights)
    return math.fsum(w * (v - mean) ** 2 for w, v in zip(weights, values, strict=True))


def _next_run(mean: float, error: float, between: float, runs: int) -> Interval | Undecided:
    """Prediction interval (Higgins, Thompson and Spiegelhalter 2009)."""
    if runs < 3:
        because = _("{runs} runs; at least 3 are needed to say where the next one lies", runs=runs)
        return Undecided(because, _("another run"))
    half = student_t(CONFIDENCE, runs - 2) * math.sqrt(between + error**2)
    return _around(mean, half)


def _around(mean: float, half: float) -> Interval:
    """The interval of mean ± half, both logs. Two runs that differ absurdly give a half that exp cannot take."""
    value, factor = math.exp(mean), math.exp(min(MOST_LOG, half))
    return Interval(value / factor, value * factor)
