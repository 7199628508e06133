"""The most IOPS under a latency limit: which rates to try next, and what those that were tried say.

The rule of the search is pure: it sees segments of an open loop at several rates, and names the rates of the next
round. It climbs from the lowest rate until the limit is clearly exceeded, and then tries rates a little below and a
little above its best guess, so that most segments stand where they tell most. The rate is read off a line that is
fitted to the segments near it (inverse regression, or calibration: Osborne 1991).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from radoscope.stats.interval import CONFIDENCE, inflation_of, mean_of_segments, neighbour_correlation
from radoscope.stats.special import student_t
from radoscope.stats.tails import TAIL_SAMPLES
from radoscope.stats.values import Estimate, Interval, Undecided
from radoscope.units import format_count
from radoscope.words import _

ACHIEVED = 0.95
"""A rate of which less than this came out, by more than chance explains, is more than the cluster can do."""

LEAST_SEGMENTS = 6
"""Segments near the answer from which on the search may stop."""

REACHES = (1.35, 2.1)
"""Segments at up to this many times the rate, or this part of it, tell of a line through it; the wider one as long as
the narrower one has fewer than LEAST_SEGMENTS, or its line does not clearly rise."""

STEP = 1.15
"""How far below and above the guess is tried. Nearer, the slope is lost in the noise; farther, the curve bends."""

FAR = 3.0
"""So many times the limit is far beyond it: the climb ends, and how far beyond says nothing of where it is crossed."""

MOST_OVER = 10.0
"""How many times over or under the limit is all the same to the line."""

ENOUGH_SLOW = 10.0
"""Beyond so many slow I/Os a segment weighs little more: segments differ by more than the chance of single I/Os."""

CHOOSING = 1.3
"""All intervals are this much wider than Student's t says: the search chooses its rates, and ends, by what earlier
segments said, and a machine that drifts makes it chase its drift. Chosen by measured coverage (docs/statistics.md).
"""

LATTICE = 8
"""Rates to try are rounded to so many steps for each doubling, so that segments of one rate come together."""

HIGHEST_IOPS = 1e7


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """One segment at one rate.

    over: how many times the limit was reached: mean latency over the limit, or the share of I/Os slower than the limit
    over the share that may be. allowed: how many I/Os were free to be slower, None for a limit of the mean. seconds:
    of load. began_s: Unix time.
    """

    rate_iops: float
    achieved_iops: float
    seconds: float
    over: float
    allowed: float | None
    began_s: float

    @property
    def saturated(self) -> bool:
        return falls_short(self.rate_iops, self.achieved_iops, self.seconds)

    @property
    def broken(self) -> bool:
        """A rate that was not achieved breaks every limit: those I/Os that never came waited the longest."""
        return self.saturated or self.over > 1

    @property
    def far(self) -> bool:
        return self.saturated or self.over > FAR

    @property
    def held(self) -> float:
        """`over`, held within what a line can follow; a rate that was not achieved is far beyond the limit."""
        return min(MOST_OVER, max(FAR if self.saturated else 1 / MOST_OVER, self.over))


@dataclass(frozen=True, slots=True)
class Below:
    """Even the lowest rate tried exceeds the limit."""

    rate_iops: float
    segments: int


Found = Estimate | Below | Undecided


def falls_short(asked_iops: float, achieved_iops: float, seconds: float) -> bool:
    """Whether less than ACHIEVED of an asked rate came out, beyond two standard deviations of random arrivals."""
    expected = asked_iops * seconds
    return achieved_iops * seconds < ACHIEVED * expected - 2 * math.sqrt(expected)


def find_limit(tried: Sequence[Tried], gap_s: float | None = None) -> Found:
    """The most IOPS under the limit, with its interval.

    tried: all segments of one search. gap_s: from one segment's start to the next one's.
    """
    if not tried:
        return Undecided(_("no segment gave a result"))
    rates = sorted({one.rate_iops for one in tried})
    if not any(one.broken for one in tried):
        return Undecided(
            _("the limit holds even at {rates} IOPS, the highest rate tried", rates=format_count(rates[-1])),
            _("more time"),
        )
    at_lowest = [one for one in tried if one.rate_iops == rates[0]]
    if all(one.broken for one in at_lowest):
        return _below(at_lowest, gap_s)
    near = _near(tried)
    if isinstance(near, Undecided):
        return near
    if (missing := _too_few_slow(near)) is not None:
        return missing
    line = _fit(near, gap_s)
    interval = line.crossing_interval()
    if isinstance(interval, Undecided) and len(farther := _within(tried, _divide(tried), REACHES[-1:])) > len(near):
        near, line = farther, _fit(farther, gap_s)
        interval = line.crossing_interval()
    if isinstance(interval, Undecided):
        return Undecided(f"{interval.because}{_sure_ends(tried)}", interval.needs)
    value = line.crossing
    if not rates[0] <= value <= rates[-1]:
        return Undecided(_("the fitted line crosses the limit outside the rates tried"), _("more time"))
    return Estimate(value, interval, len(near), _("line through segments at several rates, Fieller"))


def _sure_ends(tried: Sequence[Tried]) -> str:
    """Up to where every segment held, and from where on every one broke; empty where there is neither."""
    lowest_broken = min(one.rate_iops for one in tried if one.broken)
    highest_held = max((one.rate_iops for one in tried if not one.broken), default=0.0)
    held = max((one.rate_iops for one in tried if one.rate_iops < lowest_broken), default=None)
    broken = min((one.rate_iops for one in tried if one.rate_iops > highest_held), default=None)
    parts = [_("the limit held in all segments up to {held} IOPS", held=format_count(held))] if held is not None else []
    parts += (
        [_("the limit was exceeded in all from {broken} IOPS on", broken=format_count(broken))]
        if broken is not None
        else []
    )
    return " (" + _(", and ").join(parts) + ")" if parts else ""


def next_rates(
    tried: Sequence[Tried], ladder: Sequence[float], precision: float, gap_s: float | None = None
) -> tuple[float, ...]:
    """The rates of the next round; none when the answer is there.

    ladder: ascending rates with which the search begins; its first is the lowest one tried. precision: the
    asked half-width of the interval over the rate.
    """
    if (higher := _climb(tried, ladder)) is not None:
        return (higher,)
    found = find_limit(tried, gap_s)
    if isinstance(found, Below) or _is_precise(found, precision):
        return ()
    lowest, highest = ladder[0], max(one.rate_iops for one in tried)
    guess = _guess(tried)
    if guess <= lowest:
        return (lowest,)
    if guess > highest:
        return (_on_lattice(min(guess, 2 * highest), ladder),)
    around = (max(lowest, _on_lattice(guess * factor, ladder)) for factor in (1 / STEP, STEP))
    return tuple(dict.fromkeys(around))


def _is_precise(found: Found, precision: float) -> bool:
    if not isinstance(found, Estimate) or found.samples < LEAST_SEGMENTS:
        return False
    width = found.relative_half_width
    return width is not None and width <= precision


def _climb(tried: Sequence[Tried], ladder: Sequence[float]) -> float | None:
    """The next higher rate, until one was far beyond the limit, or two in a row beyond it."""
    if not tried:
        return ladder[0]
    rates = sorted({one.rate_iops for one in tried})
    broken = [any(one.broken for one in tried if one.rate_iops == rate) for rate in rates[-2:]]
    if any(one.far for one in tried) or (len(broken) == 2 and all(broken)) or rates[-1] >= HIGHEST_IOPS:
        return None
    return next((rate for rate in ladder if rate > rates[-1]), 2 * rates[-1])


def _guess(tried: Sequence[Tried]) -> float:
    """Where to try next: where the line crosses; without one, where the fewest segments stand on the wrong side."""
    near = _near(tried)
    if not isinstance(near, Undecided):
        line = _fit(near)
        if line.rises:
            return min(HIGHEST_IOPS, max(line.crossing, 0.0))
    return _divide(tried)


def _divide(tried: Sequence[Tried]) -> float:
    """The rate that has the fewest broken segments at or below it and the fewest that hold above it."""
    rates = sorted({one.rate_iops for one in tried})
    edges = [rates[0] / STEP, *(math.sqrt(low * high) for low, high in pairwise(rates))]
    edges.append(rates[-1] * STEP)

    def wrong(edge: float) -> int:
        return sum(one.broken == (one.rate_iops <= edge) for one in tried)

    return min(edges, key=wrong)


def _on_lattice(rate: float, ladder: Sequence[float]) -> float:
    """The nearest of the ladder's rates or of LATTICE steps for each doubling, in whole IOPS."""
    steps = round(LATTICE * math.log2(rate / ladder[0]))
    lattice = max(1.0, float(round(ladder[0] * 2 ** (steps / LATTICE))))
    return min((*ladder, lattice), key=lambda one: abs(math.log(one / rate)))


def _below(at_lowest: Sequence[Tried], gap_s: float | None) -> Below | Undecided:
    rate, count = at_lowest[0].rate_iops, len(at_lowest)
    logs = mean_of_segments([math.log(one.held) for one in at_lowest], gap_s=gap_s)
    if isinstance(logs, Estimate) and isinstance(logs.interval, Interval) and logs.interval.low > 0:
        return Below(rate, count)
    words = _(
        "the lowest rate, {rate} IOPS, exceeds the limit in {count} of {count} segments",
        rate=format_count(rate),
        count=count,
    )
    return Undecided(_("{words}, too few to be sure", words=words), _("more time, or a lower first rate"))


def _near(tried: Sequence[Tried]) -> tuple[Tried, ...] | Undecided:
    """The segments that tell where the limit is crossed: those within one of REACHES of it, on both sides."""
    edge = _divide(tried)
    near: tuple[Tried, ...] = ()
    for _turn in range(3):
        near = _within(tried, edge)
        if len(near) < 4 or len({one.rate_iops for one in near}) < 2:
            return Undecided(
                _("{n} segments near the answer; at least 4 at two rates are needed", n=len(near)), _("more time")
            )
        line = _fit(near)
        if not line.rises:
            break
        edge = min(max(one.rate_iops for one in near), max(min(one.rate_iops for one in near), line.crossing))
    return near


def _within(tried: Sequence[Tried], edge: float, reaches: Sequence[float] = REACHES) -> tuple[Tried, ...]:
    near: tuple[Tried, ...] = ()
    for reach in reaches:
        near = tuple(one for one in tried if edge / reach <= one.rate_iops <= edge * reach)
        if len(near) >= LEAST_SEGMENTS and len({one.rate_iops for one in near}) > 1:
            break
    return near


def _too_few_slow(near: Sequence[Tried]) -> Undecided | None:
    """A percentile needs I/Os beyond it: near the answer as many may be slow as the limit allows."""
    allowed = [one.allowed for one in near if one.allowed is not None]
    if not allowed or math.fsum(allowed) >= TAIL_SAMPLES:
        return None
    return Undecided(
        _(
            "near the answer {allowed:.1f} I/Os are allowed to be slow; at least {tail_samples} must be seen "
            "for this percentile",
            allowed=math.fsum(allowed),
            tail_samples=TAIL_SAMPLES,
        ),
        _("longer segments (--seconds), or a lower percentile"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """y = level + slope x (rate - centre), y = 0 at the limit. The errors of level and slope are independent."""

    centre: float
    level: float
    slope: float
    level_variance: float
    slope_variance: float
    degrees: float

    @property
    def rises(self) -> bool:
        return self.slope > 0

    @property
    def crossing(self) -> float:
        """The rate at which the limit is reached."""
        return self.centre - self.level / self.slope

    def at(self, rate: float) -> float:
        return self.level + self.slope * (rate - self.centre)

    def crossing_interval(self) -> Interval | Undecided:
        """Fieller's (1954): the rates at which the line cannot be told from the limit."""
        t = CHOOSING * student_t(CONFIDENCE, self.degrees)
        rest = self.slope**2 - t**2 * self.slope_variance
        if not self.rises or rest <= 0:
            because = _("near the answer, latency varies more between segments than it rises with the rate")
            return Undecided(because, _("more time, or a steadier cluster"))
        middle = -self.level * self.slope / rest
        inner = self.slope**2 * self.level_variance + self.slope_variance * self.level**2
        half = t * math.sqrt(max(0.0, inner - t**2 * self.level_variance * self.slope_variance)) / rest
        return Interval(max(0.0, self.centre + middle - half), self.centre + middle + half, CONFIDENCE)


def _fit(near: Sequence[Tried], gap_s: float | None = None) -> _Line:
    """A line through the segments: on 1 - 1/over for a mean, on ln(over) for a percentile.

    In the queue M/M/1 both are straight lines over the rate: 1/mean latency falls evenly, and so does the logarithm of
    the share of slow I/Os rise. That share is fitted by iterated weighted least squares (McCullagh and Nelder 1989),
    with a variance that grows faster than Poisson's: slow I/Os come in bursts. The errors are scaled to the spread
    that the segments really have, and grow by what neighbours in time have in common, which also takes degrees of
    freedom from them.
    """
    near = sorted(near, key=lambda one: one.began_s)
    x = [one.rate_iops for one in near]
    counts = all(one.allowed for one in near)
    y = [math.log(one.held) if counts else 1 - 1 / one.held for one in near]
    weights: Sequence[float] = [1.0] * len(near)
    fitted = _weighted(x, y, weights)
    for _turn in range(10 if counts else 0):
        pairs = [_working(one, fitted.at(one.rate_iops)) for one in near]
        y, weights = [response for response, _ in pairs], [weight for _, weight in pairs]
        fitted = _weighted(x, y, weights)
    rest = [math.sqrt(weight) * (b - fitted.at(a)) for a, b, weight in zip(x, y, weights, strict=True)]
    spread = math.fsum(r * r for r in rest) / (len(near) - 2)
    if counts:
        spread = max(spread, math.fsum(1 - weight / ENOUGH_SLOW for weight in weights) / len(weights))
    inflation = inflation_of(neighbour_correlation(rest, gap_s), len(near))
    spread *= inflation
    return replace(
        fitted,
        level_variance=spread * fitted.level_variance,
        slope_variance=spread * fitted.slope_variance,
        degrees=max(2.0, fitted.degrees / inflation),
    )


def _working(one: Tried, expected_log: float) -> tuple[float, float]:
    """Working response and weight of a segment, given ln(over) as the line has it.

    The weight is Poisson's where few I/Os are slow, ENOUGH_SLOW at most.
    """
    most = math.log(MOST_OVER)
    log, allowed = min(most, max(-most, expected_log)), one.allowed or 1.0
    mean, slow = allowed * math.exp(log), allowed * min(MOST_OVER, max(one.over, FAR * one.saturated))
    return log + (slow - mean) / mean, mean / (1 + mean / ENOUGH_SLOW)


def _weighted(x: Sequence[float], y: Sequence[float], weights: Sequence[float]) -> _Line:
    """A straight line by weighted least squares; variances for a spread of 1."""
    total = math.fsum(weights)
    centre = math.fsum(w * a for w, a in zip(weights, x, strict=True)) / total
    level = math.fsum(w * b for w, b in zip(weights, y, strict=True)) / total
    width = math.fsum(w * (a - centre) ** 2 for w, a in zip(weights, x, strict=True))
    slope = math.fsum(w * (a - centre) * b for w, a, b in zip(weights, x, y, strict=True)) / width
    return _Line(
        centre=centre,
        level=level,
        slope=slope,
        level_variance=1 / total,
        slope_variance=1 / width,
        degrees=len(x) - 2.0,
    )
