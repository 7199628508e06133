"""The load generator is at its limit: the number is the client's, not the cluster's."""

from __future__ import annotations

from radoscope.explain.evidence import CellEvidence, ResultEvidence
from radoscope.explain.finding import Finding, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict, storage_cell
from radoscope.records.telemetry import CLIENT_CPU, OSD_CPU

_FULL = 0.8
"""Of one core for each client process: beyond it a thread has no time left to submit (peers' manuals use 80 %)."""


def check_cell(evidence: CellEvidence) -> Verdict:
    busiest = evidence.highest(CLIENT_CPU)
    if busiest is None:
        return Unchecked("the clients' CPU time was not recorded")
    if busiest.value < _FULL:
        return None
    because = [f"a client process used {busiest.value:.0%} of one core"]
    if osd := evidence.highest(OSD_CPU):
        because.append(f"the busiest OSD used {osd.value:.1f} cores")
    return _finding(tuple(because), evidence.cell.name, "Repeat it with twice the client processes, on more hosts.")


def check_result(evidence: ResultEvidence) -> Verdict:
    """fio prints user and system time in percent of one core, per process."""
    used = [evidence.result.extra.get(key) for key in ("usr_cpu", "sys_cpu")]
    shares = [value / 100 for value in used if isinstance(value, (int, float))]
    if len(shares) < 2 or sum(shares) < _FULL:
        return None
    fact = f"fio's process used {sum(shares):.0%} of one core (usr {shares[0]:.0%}, sys {shares[1]:.0%})"
    return _finding((fact,), evidence.name, "Repeat it with --numjobs=4 and compare the sums.")


def _finding(because: tuple[str, ...], name: str, try_next: str) -> Finding:
    return Finding(
        rule=RULE.name,
        claim="The load generator may be the bottleneck.",
        because=because,
        severity=Severity.DOUBTFUL,
        cells=(name,),
        unless="twice as many client processes bring no more",
        try_next=try_next,
    )


RULE = Rule(
    name="client-cpu",
    question="Did the load generator have CPU time to spare?",
    pitfalls=(5,),
    concerns=storage_cell,
    cell=check_cell,
    result=check_result,
)
