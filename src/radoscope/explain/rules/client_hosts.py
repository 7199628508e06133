"""The same load from more hosts: who was at the limit, the cluster or the one host that loaded it?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from radoscope.explain.evidence import StudyEvidence, interval_of
from radoscope.explain.finding import Finding, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict
from radoscope.records.conditions import Conditions
from radoscope.stats.values import CellSummary, Estimate
from radoscope.units import format_count


def check_study(evidence: StudyEvidence) -> Verdict:
    """Takes every load that was measured from several numbers of hosts; says where more of them surely got more."""
    pairs = tuple(_pairs(evidence.cells()))
    if not pairs:
        return Unchecked("no load was measured from several numbers of client hosts")
    more = [(few, many) for few, many in pairs if _surely_more(few, many)]
    if not more:
        return None
    return Finding(
        rule=RULE.name,
        claim="Too few client hosts are a bottleneck: the same load achieves more from more hosts.",
        because=tuple(f"{_rate_words(few)}; {_rate_words(many)}" for few, many in more),
        severity=Severity.DOUBTFUL,
        cells=tuple(dict.fromkeys(few.cell.name for few, _ in more)),
        unless="the client hosts differ",
        try_next="Add client hosts until the total stops growing; only then is it the cluster's rate.",
    )


def _pairs(summaries: tuple[CellSummary, ...]) -> Iterator[tuple[CellSummary, CellSummary]]:
    """Cells that differ in the number of hosts alone, from each number to the next."""
    families: dict[Conditions, list[CellSummary]] = {}
    for summary in summaries:
        families.setdefault(replace(summary.cell.conditions, client_hosts=1), []).append(summary)
    for family in families.values():
        yield from pairwise(sorted(family, key=lambda summary: summary.cell.conditions.client_hosts))


def _surely_more(few: CellSummary, many: CellSummary) -> bool:
    """Whether the intervals lie apart, which two equal rates do less than once in a hundred times."""
    before, after = _interval(few), _interval(many)
    hosts = many.cell.conditions.client_hosts > few.cell.conditions.client_hosts
    return hosts and before is not None and after is not None and after[0] > before[1]


def _interval(summary: CellSummary) -> tuple[float, float] | None:
    found = interval_of(summary.iops) if isinstance(summary.iops, Estimate) else None
    return (found.low, found.high) if found else None


def _rate_words(summary: CellSummary) -> str:
    hosts, interval = summary.cell.conditions.client_hosts, _interval(summary) or (0.0, 0.0)
    return (
        f"from {hosts} host{'s' if hosts > 1 else ''} {format_count(interval[0])} to {format_count(interval[1])} IOPS"
    )


RULE = Rule(
    name="client-hosts",
    question="Is one client host enough for the load?",
    pitfalls=(5,),
    study=check_study,
)
