"""All CPUs of a host busy: what is measured is the host's compute, clients and OSDs together."""

from __future__ import annotations

from radoscope.explain.evidence import CellEvidence
from radoscope.explain.finding import Finding, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict, storage_cell

_FULL = 0.9


def check_cell(evidence: CellEvidence) -> Verdict:
    busiest = evidence.highest("host_cpu")
    if busiest is None:
        return Unchecked("the hosts' CPU time was not recorded")
    if busiest.value < _FULL:
        return None
    shared = evidence.on_one_host
    because = [f"its CPUs were busy {busiest.value:.0%} of the time"]
    if shared:
        because.append("clients and OSDs share it")
    return Finding(
        rule=RULE.name,
        claim="A host's CPUs are the bottleneck.",
        because=tuple(because),
        severity=Severity.DOUBTFUL if shared else Severity.NOTE,
        cells=(evidence.cell.name,),
        try_next="Run the clients on a host of their own." if shared else "Use more hosts, or faster cores.",
    )


RULE = Rule(
    name="host-cpu",
    question="Had the hosts CPU time to spare?",
    pitfalls=(5,),
    concerns=storage_cell,
    cell=check_cell,
)
