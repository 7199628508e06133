"""The design of an A/B experiment: in which order it measures and when it looks, both fixed before the first look."""

from __future__ import annotations

import random
from dataclasses import dataclass

from radoscope.stats.experiment import FIRST_LOOK

MOST_LOOKS = 8
"""As in benchmarks/intervals.py, which measured false alarms and power with it (docs/statistics.md)."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """Look after every `step` pairs, `looks` times; then the experiment ends."""

    step: int
    looks: int

    @property
    def pairs(self) -> int:
        return self.step * self.looks

    def look_after(self, pair: int) -> int | None:
        """Which look follows this pair, counted from 1; None where none does."""
        look, rest = divmod(pair, self.step)
        return look if rest == 0 and 1 <= look <= self.looks else None


def schedule(pairs: int) -> Schedule:
    """The looks of an experiment in whose time this many pairs fit. Raises ValueError below FIRST_LOOK."""
    if pairs < FIRST_LOOK:
        raise ValueError(f"{pairs} pairs are too few to look at")
    looks = min(MOST_LOOKS, pairs // FIRST_LOOK)
    step = pairs // looks
    # Whole blocks of two pairs at each look, where there are enough of them.
    return Schedule(step - step % 2 if step > FIRST_LOOK else step, looks)


def order(seed: str, pair: int) -> tuple[str, str]:
    """Which state comes first in a pair, counted from 1: a random one, and in the next pair the other (ABBA or BAAB).

    What drifts evenly, and what coming first or second does, thereby hits both states alike.
    """
    block, second = divmod(pair - 1, 2)
    states = random.Random(f"{seed}/{block}").choice((("a", "b"), ("b", "a")))
    return (states[1], states[0]) if second else states
