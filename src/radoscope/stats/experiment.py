"""An A/B experiment that is watched while it runs: may it stop, and with which verdict?"""

from __future__ import annotations

from collections.abc import Sequence

from radoscope.stats.ratio import Ratio, ratio_of_pairs
from radoscope.stats.sequential import confidence_at
from radoscope.stats.values import Undecided
from radoscope.stats.verdict import Verdict, decide

FIRST_LOOK = 5
"""Pairs before the first look."""


def decide_pairs(
    a: Sequence[float],
    b: Sequence[float],
    *,
    look: int = 1,
    looks: int = 1,
    cells: int = 1,
    margin: float = 0.05,
    higher_is_better: bool = True,
    seconds_used: float = 0.0,
) -> tuple[Ratio | Undecided, Verdict]:
    """Judge an experiment at look `look` of at most `looks`, equally spaced.

    a, b: one positive figure for each pair of neighbouring segments, in the order of time. cells: how many cells the
    experiment judges at once; each gets its share of the error (Bonferroni, because not all are known at each look).
    Stop at the first verdict that is not Undecided; the error over all looks stays within 5 %.
    """
    confidence = 1 - (1 - confidence_at(look, looks)) / cells
    if len(a) < FIRST_LOOK:
        reason = Undecided(f"{len(a)} pairs; at least {FIRST_LOOK} are needed", f"{FIRST_LOOK - len(a)} more")
        return reason, reason
    ratio = ratio_of_pairs(a, b, confidence=confidence)
    verdict = decide(
        ratio,
        margin=margin,
        higher_is_better=higher_is_better,
        seconds_used=seconds_used,
        significance=1 - confidence,
    )
    return ratio, verdict
