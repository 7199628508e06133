"""Slow operations while the cell was measured: Ceph itself complained."""

from __future__ import annotations

from radoscope.explain.evidence import CellEvidence
from radoscope.explain.finding import Finding, Role, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell
from radoscope.records.telemetry import SLOW_OPS


def check_cell(evidence: CellEvidence) -> Verdict:
    share = evidence.share_above(SLOW_OPS, 0)
    if share is None:
        return Unchecked("the count of slow operations was not recorded")
    if share == 0:
        return None
    return Finding(
        rule=RULE.name,
        claim="Operations took so long that Ceph reported them as slow.",
        because=(f"slow operations in {share:.0%} of the samples",),
        severity=Severity.DOUBTFUL,
        role=Role.SYMPTOM,
        cells=(evidence.cell.name,),
        try_next="ceph health detail names the OSDs; then: ceph daemon osd.N dump_historic_slow_ops",
    )


RULE = Rule(
    name="slow-ops",
    question="Were there no slow operations?",
    pitfalls=(9,),
    concerns=ceph_cell,
    cell=check_cell,
)
