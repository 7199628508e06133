"""Recovery, backfill or rebalancing while the cell was measured."""

from __future__ import annotations

from radoscope.explain.evidence import CellEvidence
from radoscope.explain.finding import Finding, Role, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell
from radoscope.records.telemetry import OP_R, OP_W, PG_NOT_CLEAN, RECOVERED, RECOVERY_OPS
from radoscope.units import format_count

_TAINTED = 0.05
"""Share of the samples above which the cell's mean cannot be trusted; below it is named only."""


def check_cell(evidence: CellEvidence) -> Verdict:
    unclean, recovering = evidence.share_above(PG_NOT_CLEAN, 0), evidence.share_above(RECOVERY_OPS, 0)
    operations = evidence.total(RECOVERED)
    shares = [share for share in (unclean, recovering) if share is not None]
    if not shares and operations is None:
        return Unchecked("neither the placement groups' states nor the OSDs' recovery counters were recorded")
    if max(shares, default=0) == 0 and not operations:
        return None
    tainted = max(shares, default=0.0) > _TAINTED or _weighs(evidence, operations or 0.0)
    because = [f"the OSDs did {format_count(operations)} recovery operations"] if operations else []
    if unclean:
        because.append(f"placement groups were not clean in {unclean:.0%} of the samples")
    if recovering:
        because.append(f"recovery ran in {recovering:.0%} of the samples")
    return Finding(
        rule=RULE.name,
        claim="The cluster was recovering or rebalancing during the measurement.",
        because=tuple(because),
        severity=Severity.DOUBTFUL if tainted else Severity.NOTE,
        role=Role.CAUSE if tainted else Role.REMARK,
        resource="recovery",
        hides=("uneven-load", "slow-ops"),
        cells=(evidence.cell.name,),
        unless="recovery is what you want to measure",
        try_next="Wait for active+clean (ceph -s), pause the balancer (ceph balancer off), and repeat the cell.",
    )


def _weighs(evidence: CellEvidence, operations: float) -> bool:
    """Whether the OSDs recovered more than a little beside what they did for clients."""
    served = (evidence.total(OP_R) or 0.0) + (evidence.total(OP_W) or 0.0)
    return operations > _TAINTED * served


RULE = Rule(
    name="background-work",
    question="Was the cluster free of recovery and rebalancing?",
    pitfalls=(9,),
    concerns=ceph_cell,
    cell=check_cell,
)
