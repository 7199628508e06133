"""Recovery, backfill or rebalancing while the cell was measured."""

from __future__ import annotations

from radoscope.explain.evidence import CellEvidence
from radoscope.explain.finding import Finding, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell

_TAINTED = 0.05
"""Share of the samples above which the cell's mean cannot be trusted; below it is named only."""


def check_cell(evidence: CellEvidence) -> Verdict:
    unclean, recovering = evidence.share_above("pg_not_clean", 0), evidence.share_above("recovery_ops", 0)
    shares = [share for share in (unclean, recovering) if share is not None]
    if not shares:
        return Unchecked("the placement groups' states were not recorded")
    if max(shares) == 0:
        return None
    because = []
    if unclean:
        because.append(f"placement groups were not clean in {unclean:.0%} of the samples")
    if recovering:
        because.append(f"recovery ran in {recovering:.0%} of the samples")
    return Finding(
        rule=RULE.name,
        claim="The cluster was recovering or rebalancing while this was measured.",
        because=tuple(because),
        severity=Severity.DOUBTFUL if max(shares) > _TAINTED else Severity.NOTE,
        cells=(evidence.cell.name,),
        unless="recovery is what was to be measured",
        try_next="Wait for active+clean (ceph -s), keep the balancer still (ceph balancer off), and repeat the cell.",
    )


RULE = Rule(
    name="background-work",
    question="Was the cluster free of recovery and rebalancing?",
    pitfalls=(9,),
    concerns=ceph_cell,
    cell=check_cell,
)
