"""From a ratio to one of four answers, with many cells corrected for being many."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from radoscope.stats.ratio import Ratio
from radoscope.stats.special import student_t
from radoscope.stats.values import Undecided
from radoscope.units import format_seconds
from radoscope.words import N_, _

SIGNIFICANCE = 0.05

MOST_TIMES, STEP = 100, 1.05
"""No forecast of time goes beyond this many times what was used, and none is told more closely than to a twentieth."""

CORRECTION = N_("Holm (1979) over all cells compared: the chance that any verdict is a false alarm is at most 5 %")


@dataclass(frozen=True, slots=True)
class Faster:
    """B is faster than A, by this share of A's rate (or of its latency, downwards)."""

    by: float


@dataclass(frozen=True, slots=True)
class Slower:
    """B is slower than A, by this share of A's rate (or of its latency, upwards)."""

    by: float


@dataclass(frozen=True, slots=True)
class Equivalent:
    """No difference larger than the margin."""

    margin: float


@dataclass(frozen=True, slots=True)
class NotComparable:
    """A and B are not the same measurement; reasons: what differs, one each."""

    reasons: tuple[str, ...]


Verdict = Faster | Slower | Equivalent | Undecided | NotComparable


def decide(
    ratio: Ratio | Undecided,
    *,
    margin: float = 0.05,
    higher_is_better: bool = True,
    p_different: float | None = None,
    p_equivalent: float | None = None,
    seconds_used: float = 0.0,
    significance: float = SIGNIFICANCE,
) -> Verdict:
    """Which of the answers the data bear.

    p_different, p_equivalent: as corrected for the other cells, None: this ratio's own. seconds_used: of A and B
    together, for the forecast. A difference that is sure but surely smaller than the margin is Equivalent: the margin
    is what the user cares about.
    """
    if isinstance(ratio, Undecided):
        return ratio
    different = (ratio.p_different() if p_different is None else p_different) <= significance
    equivalent = (ratio.p_equivalent(margin) if p_equivalent is None else p_equivalent) <= significance
    if equivalent:
        return Equivalent(margin)
    if different:
        change = ratio.value - 1
        return Faster(abs(change)) if (change > 0) == higher_is_better else Slower(abs(change))
    interval = ratio.interval
    return Undecided(
        _(
            "B/A lies between {low:.3g} and {high:.3g}: neither a difference nor equivalence is shown",
            low=interval.low,
            high=interval.high,
        ),
        seconds_needed(ratio, margin, seconds_used),
    )


def seconds_needed(ratio: Ratio, margin: float, seconds_used: float) -> str:
    """About how much more time an undecided ratio takes, if it continues to scatter like this.

    Either the interval shrinks until it leaves 1 out, or until it fits into the margin: what comes first.
    """
    log, edge = abs(math.log(ratio.value)), math.log1p(margin)
    distance = max(log, edge - log)
    steps = range(1, math.ceil(math.log(MOST_TIMES, STEP)) + 1)
    first = bisect_left(steps, True, key=lambda step: _half_width_after(ratio, STEP**step) <= distance)
    times = STEP ** (first + 1)
    if times >= MOST_TIMES:
        return _("more than {times} times the time used", times=MOST_TIMES)
    if not seconds_used:
        return _("about {segments} more segments", segments=math.ceil((times - 1) * ratio.samples))
    return _("about {time} more", time=format_seconds((times - 1) * seconds_used))


def _half_width_after(ratio: Ratio, times: float) -> float:
    return student_t(ratio.confidence, round(ratio.degrees * times, 1)) * ratio.error / math.sqrt(times)


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Each p value as it counts beside the others (Holm 1979): sorted, times the number left, never falling."""
    order = sorted(range(len(p_values)), key=lambda index: p_values[index])
    adjusted = [1.0] * len(p_values)
    least = 0.0
    for rank, index in enumerate(order):
        least = max(least, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = least
    return tuple(adjusted)
