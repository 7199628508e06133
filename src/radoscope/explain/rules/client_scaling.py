"""More clients, more I/O: what one client gets is its own limit, not the cluster's."""

from __future__ import annotations

from radoscope.explain.evidence import StudyEvidence
from radoscope.explain.finding import Finding
from radoscope.explain.rule import Rule, Unchecked, Verdict
from radoscope.records.conditions import rows_of_clients
from radoscope.stats.values import CellSummary, Estimate, Undecided
from radoscope.units import format_count

_STILL_GROWS = 0.7
"""Share of the ideal growth from the last but one to the last step."""
_LEVEL = 1.1


def check_study(evidence: StudyEvidence) -> Verdict:
    """Takes the load with the most numbers of clients; says whether its last step still brought something."""
    usable = (s for s in evidence.cells() if isinstance(s.iops, Estimate) and s.iops.value > 0)
    family = max(rows_of_clients(usable, lambda s: s.cell.conditions).values(), key=len, default=[])
    if len(family) < 2:
        return Unchecked("no load was measured with several numbers of clients")
    if any(isinstance(s.iops, Estimate) and isinstance(s.iops.interval, Undecided) for s in family):
        return Unchecked("the rates with several numbers of clients have no intervals yet")
    steps = sorted((s.cell.conditions.clients, _rate(s), s.cell.name) for s in family)
    (before, rate_before, _), (most, rate, _) = steps[-2], steps[-1]
    if rate / rate_before > 1 + _STILL_GROWS * (most / before - 1):
        claim = f"The cluster is not at its limit with {most} clients: the total still grows."
        advice = "Add clients until the total stops growing; only then is it the cluster's rate."
    elif rate < _LEVEL * rate_before:
        claim = f"More than {before} clients bring no more: the cluster or its hosts are at their limit."
        advice = "The findings on CPU, flush and network of these cells say which limit it is."
    else:
        return None
    return Finding(
        rule=RULE.name,
        claim=claim,
        because=tuple(f"{clients} clients: {format_count(total)} IOPS" for clients, total, _ in steps),
        cells=tuple(name for *_, name in steps),
        try_next=advice,
    )


def _rate(summary: CellSummary) -> float:
    return summary.iops.value if isinstance(summary.iops, Estimate) else 0.0


RULE = Rule(
    name="client-scaling",
    question="Do more clients achieve more?",
    pitfalls=(5,),
    study=check_study,
)
