"""What repeats show: order and time, the host's own speed, runs that differ."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from radoscope.explain.evidence import ResultEvidence, StudyEvidence, load_of
from radoscope.explain.finding import Finding, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict
from radoscope.records.study import Outcome
from radoscope.units import format_count
from radoscope.words import _

# Order and time: cells always measured in the same order, or a cell whose rate only rose or fell over the study.

_LEAST_SEGMENTS = 5
_SURE = 2.58
"""Kendall's tau in standard errors: one false alarm in a hundred cells for a trend in either direction."""
_CHANGE = 0.1


def _order_effects_of_study(evidence: StudyEvidence) -> Verdict:
    orders = _orders(evidence)
    if len(orders) < 2:
        return Unchecked(_("there was only one round of the cells"))
    if len(orders[0]) > 1 and len(set(orders)) == 1:
        because: tuple[str, ...] = (_("{n} rounds, each in the same order", n=len(orders)),)
        return _finding(_("The cells were always measured in the same order."), because)
    trends = {s.cell.name: fact for s in evidence.cells() if (fact := _trend(evidence, s.cell.name))}
    if not trends:
        return None
    because = tuple(f"{evidence.study.cell(name).title}: {fact}" for name, fact in trends.items())
    return _finding(_("Rates rose or fell over the whole study."), because, tuple(trends))


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
    return (
        _("{first} at first, {last} at last", first=format_count(first), last=format_count(last))
        if abs(last / first - 1) > _CHANGE
        else None
    )


def _kendall(values: Sequence[float]) -> float:
    """Mann-Kendall statistic of a trend in standard errors (without ties)."""
    n = len(values)
    score = sum(
        (later > earlier) - (later < earlier) for index, earlier in enumerate(values) for later in values[index + 1 :]
    )
    return score / math.sqrt(n * (n - 1) * (2 * n + 5) / 18)


def _finding(claim: str, because: tuple[str, ...], cells: tuple[str, ...] = ()) -> Finding:
    return Finding(
        claim=claim,
        because=because,
        severity=Severity.DOUBTFUL,
        cells=cells,
        try_next=_("Repeat the study with more rounds in random order (rounds = 5, another seed)."),
    )


ORDER_EFFECTS_RULE = Rule(
    "order-effects", "Did the order of measurement have no effect?", pitfalls=(24,), study=_order_effects_of_study
)


# The host itself became faster or slower: neighbours, clock, temperature, as the yardstick loop shows.

_DRIFT = 0.1
"""Half the span between the 10th and 90th percentile, relative to the median."""
_LEAST = 5


def _host_drift_of_study(evidence: StudyEvidence) -> Verdict:
    speeds = [segment.host_speed for segment in evidence.study.segments if segment.host_speed]
    if len(speeds) < _LEAST:
        return Unchecked(_("the host's yardstick was timed fewer than five times"))
    deciles = statistics.quantiles(speeds, n=10)
    middle = statistics.median(speeds)
    drift = (deciles[-1] - deciles[0]) / 2 / middle
    if drift <= _DRIFT:
        return None
    return Finding(
        claim=_("The host's own speed moved during the study; part of the spread is the host's, not Ceph's."),
        because=(_("a fixed CPU loop varied by ±{drift:.0%} over {n} readings", drift=drift, n=len(speeds)),),
        unless=_("the drives or the network are the bottleneck"),
        try_next=_("Measure on a dedicated host, or with more rounds."),
    )


HOST_DRIFT_RULE = Rule("host-drift", "Did the host keep its speed?", pitfalls=(24,), study=_host_drift_of_study)


# Repeats of one load that differ: their mean and spread count, never the best of them.

_SPREAD = 1.1
"""Published repeats on one cluster differ by 4 to 10 % (seed pages); beyond that the choice of the run matters."""
_ANOTHER_THING = 2.0
"""Results of one load that differ by more were surely taken on different hardware or layers."""


def _repeats_of_result(evidence: ResultEvidence) -> Verdict:
    """Reported once, at the first of the repeats."""
    if evidence.result.block_bytes is None or not evidence.result.iops:
        return None
    repeats = evidence.neighbours.repeats_of(evidence.result)
    if len(repeats) < 2 or repeats[0][0] != evidence.number:
        return None
    rates = [rate for _, rate in repeats]
    if not _SPREAD * min(rates) <= max(rates) <= _ANOTHER_THING * min(rates):
        return None
    fact = _(
        "{result} {n} times: {low} to {high} IOPS, mean {mean}",
        result=load_of(evidence.result),
        n=len(rates),
        low=format_count(min(rates)),
        high=format_count(max(rates)),
        mean=format_count(statistics.fmean(rates)),
    )
    return Finding(
        claim=_("Runs of the same load differ: quote their mean and spread, not the best."),
        because=(fact,),
        unless=_("you changed something between them"),
        try_next=_("radoscope compare --pool-runs combines repeats and says how much of the spread lies between runs."),
    )


REPEATS_RULE = Rule("repeats-differ", "Do repeats of the same load agree?", pitfalls=(25,), result=_repeats_of_result)
