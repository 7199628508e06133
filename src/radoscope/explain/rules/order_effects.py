"""Order and time: cells always measured in the same order, or a cell whose rate only rose or fell over the study."""

from __future__ import annotations

import math
from collections.abc import Sequence

from radoscope.explain.evidence import StudyEvidence
from radoscope.explain.finding import Finding, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict
from radoscope.records.study import Outcome
from radoscope.units import format_count

_LEAST_SEGMENTS = 5
_SURE = 2.58
"""Kendall's tau in standard errors: one false alarm in a hundred cells for a trend in either direction."""
_CHANGE = 0.1


def check_study(evidence: StudyEvidence) -> Verdict:
    orders = _orders(evidence)
    if len(orders) < 2:
        return Unchecked("there was only one round of the cells")
    if len(orders[0]) > 1 and len(set(orders)) == 1:
        because: tuple[str, ...] = (f"{len(orders)} rounds, each in the same order",)
        return _finding("The cells were always measured in the same order.", because)
    trends = {s.cell.name: fact for s in evidence.cells() if (fact := _trend(evidence, s.cell.name))}
    if not trends:
        return None
    because = tuple(f"{evidence.study.cell(name).title}: {fact}" for name, fact in trends.items())
    return _finding("Rates rose or fell over the whole study.", because, tuple(trends))


def _orders(evidence: StudyEvidence) -> list[tuple[str, ...]]:
    """The order of cells in each round; only rounds with as many cells as the fullest."""
    rounds: dict[int, list[str]] = {}
    for segment in sorted(evidence.study.segments, key=lambda segment: segment.started_at_s):
        rounds.setdefault(segment.round, []).append(segment.cell)
    fullest = max((len(cells) for cells in rounds.values()), default=0)
    return [tuple(cells) for cells in rounds.values() if len(cells) == fullest]


def _trend(evidence: StudyEvidence, cell: str) -> str | None:
    done = [s for s in evidence.study.segments_of(cell) if s.outcome is Outcome.DONE]
    rates = [sum(r.iops or 0 for r in s.results) for s in sorted(done, key=lambda s: s.started_at_s)]
    if len(rates) < _LEAST_SEGMENTS or min(rates) <= 0 or abs(_kendall(rates)) < _SURE:
        return None
    third = max(1, len(rates) // 3)
    first, last = sum(rates[:third]) / third, sum(rates[-third:]) / third
    return f"{format_count(first)} at first, {format_count(last)} at last" if abs(last / first - 1) > _CHANGE else None


def _kendall(values: Sequence[float]) -> float:
    """Mann-Kendall statistic of a trend in standard errors (without ties)."""
    n = len(values)
    score = sum(
        (later > earlier) - (later < earlier) for index, earlier in enumerate(values) for later in values[index + 1 :]
    )
    return score / math.sqrt(n * (n - 1) * (2 * n + 5) / 18)


def _finding(claim: str, because: tuple[str, ...], cells: tuple[str, ...] = ()) -> Finding:
    return Finding(
        rule=RULE.name,
        claim=claim,
        because=because,
        severity=Severity.DOUBTFUL,
        cells=cells,
        try_next="Repeat the study with more rounds in random order (rounds = 5, another seed).",
    )


RULE = Rule(
    name="order-effects",
    question="Did the order of measurement have no effect?",
    pitfalls=(24,),
    study=check_study,
)
