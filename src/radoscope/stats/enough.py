"""When a cell may stop, and, with a budget, what is worth the next seconds: asked between rounds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from radoscope.records.study import Segment
from radoscope.stats.interval import (
    FIRST_INTERVAL,
    LEAST_SEGMENTS,
    WIDENING,
    VariancePrior,
    inflation_of,
    mean_of_segments,
    neighbour_correlation,
)
from radoscope.stats.segments import counting_segments, gap_of, rates_of
from radoscope.stats.special import student_t
from radoscope.stats.values import Undecided

MOST_ROUNDS = 999
"""No forecast of rounds goes beyond this."""

RUNGS = (0.1, 0.05, 0.02, 0.01)
"""Precisions that people ask for, and that are worth reaching one after the other."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """How far a cell is. half_width: of its interval over its mean, None before there is one, or where the mean is 0.
    rounds_more: about how many it still needs."""

    half_width: float | None
    rounds_more: int

    @property
    def enough(self) -> bool:
        """Whether it may stop."""
        return not self.rounds_more


def outlook_of(segments: Sequence[Segment], precision: float, prior: VariancePrior | None = None) -> Outlook:
    """Of a cell with these segments; failed ones may be among them.

    Asked of every cell before every segment: the rates are enough, no histogram is merged for it.
    """
    return outlook(rates_of(segments), precision, gap_s=gap_of(counting_segments(segments)), prior=prior)


def outlook(
    rates: Sequence[float], precision: float, *, gap_s: float | None = None, prior: VariancePrior | None = None
) -> Outlook:
    """May a cell stop? Asked after each round.

    rates: one figure a segment, in the order of time (IOPS, bytes/s or seconds; summed over clients). precision: the
    asked half-width of the 95 % interval over the mean, e.g. 0.05. gap_s: seconds from one segment's start to the next
    one's; the closer they are, the more they have in common. prior: what the other cells of the study say of the
    variance. Looking after every round is what makes plain t too narrow: WIDENING in interval.py pays for it.
    """
    estimate = mean_of_segments(rates, gap_s=gap_s, prior=prior)
    half_width = None if isinstance(estimate, Undecided) else estimate.relative_half_width
    if len(rates) < LEAST_SEGMENTS:
        return Outlook(half_width, LEAST_SEGMENTS - len(rates))
    if half_width is None:
        return Outlook(None, 1)
    if half_width <= precision:
        return Outlook(half_width, 0)
    return Outlook(half_width, max(1, rounds_needed(rates, precision, gap_s=gap_s, prior=prior) - len(rates)))


def seconds_to(segments: Sequence[Segment], precision: float, prior: VariancePrior | None) -> float | None:
    """About how many more seconds give a cell's rate this relative half-width, if its segments go on to scatter so.

    None where it has no segments to tell it, or would take more rounds than any forecast goes.
    """
    good, rounds = counting_segments(segments), outlook_of(segments, precision, prior).rounds_more
    if not good or (rounds and len(good) + rounds >= MOST_ROUNDS):
        return None
    return rounds * math.fsum(segment.seconds for segment in good) / len(good)


def rounds_needed(
    rates: Sequence[float], precision: float, *, gap_s: float | None = None, prior: VariancePrior | None = None
) -> int:
    """About how many segments in all give the asked precision, if they continue to scatter like these."""
    mean = math.fsum(rates) / len(rates)
    variance, extra = math.fsum((rate / mean - 1) ** 2 for rate in rates) / (len(rates) - 1), 0.0
    if prior is not None:
        variance, degrees = prior.moderate(variance, len(rates) - 1.0)
        extra = degrees - (len(rates) - 1)
    correlation = neighbour_correlation(rates, gap_s)
    count = LEAST_SEGMENTS
    while count < MOST_ROUNDS:
        error = math.sqrt(variance * inflation_of(correlation, count) / count)
        if WIDENING * student_t(0.95, count - 1 + extra) * error <= precision:
            return count
        count += max(1, count // 20)
    return MOST_ROUNDS


def rounds_to_tell(differences: Sequence[float]) -> int:
    """About how many more rounds tell that the mean of such differences is not 0, if they go on as they are; 0: none.

    differences: of two quantities, one a round. By Student's t; MOST_ROUNDS where they are alike or too few.
    """
    count = len(differences)
    mean = math.fsum(differences) / count if count else 0.0
    if count < FIRST_INTERVAL or mean == 0:
        return MOST_ROUNDS
    variance = math.fsum((one - mean) ** 2 for one in differences) / (count - 1)
    needed = FIRST_INTERVAL
    while needed < MOST_ROUNDS and student_t(0.95, needed - 1.0) * math.sqrt(variance / needed) >= abs(mean):
        needed += max(1, needed // 20)
    return max(0, needed - count)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """Something that is not known well enough: a cell's rate, or a question that several cells answer together.

    rounds: how many more it takes, of all its cells. seconds: what one takes. weight: how much it matters.
    """

    cells: tuple[str, ...]
    rounds: int
    seconds: float
    weight: float = 1.0

    @property
    def price_s(self) -> float:
        return self.rounds * self.seconds


def worth_most(wishes: Sequence[Wish], left_s: float, most_s: float) -> tuple[str, ...]:
    """The cells that the next round is best spent on: those of the wishes that weigh most for their price.

    Optimal allocation of a budget (Chen 2000) in its plainest form: all rates and questions that can still be settled
    in the time left, in the order in which a second settles most of them. left_s: until the budget is used. most_s: how
    long the round may be; at least one wish is in it. Empty where nothing can be settled any more.
    """
    chosen: dict[str, None] = {}
    spent = 0.0
    hopeful = [wish for wish in wishes if wish.rounds > 0 and wish.price_s <= left_s]
    for wish in sorted(hopeful, key=lambda wish: wish.price_s / wish.weight):
        new = [cell for cell in wish.cells if cell not in chosen]
        cost = wish.seconds * len(new) / len(wish.cells)
        if chosen and spent + cost > most_s:
            continue
        chosen.update(dict.fromkeys(new))
        spent += cost
    return tuple(chosen)
