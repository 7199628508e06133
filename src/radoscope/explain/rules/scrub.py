"""Scrubbing while the cell was measured."""

from __future__ import annotations

from radoscope.explain.evidence import CellEvidence
from radoscope.explain.finding import Finding, Role, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell
from radoscope.records.telemetry import SCRUBBING_PGS

_TAINTED = 0.05


def check_cell(evidence: CellEvidence) -> Verdict:
    share = evidence.share_above(SCRUBBING_PGS, 0)
    if share is None:
        return Unchecked("the placement groups' scrubs were not recorded")
    if share == 0:
        return None
    return Finding(
        rule=RULE.name,
        claim="Placement groups were scrubbed during the measurement.",
        because=(f"a scrub ran in {share:.0%} of the samples",),
        severity=Severity.DOUBTFUL if share > _TAINTED else Severity.NOTE,
        role=Role.CAUSE if share > _TAINTED else Role.REMARK,
        resource="scrub",
        cells=(evidence.cell.name,),
        try_next="Measure outside the scrub hours (osd_scrub_begin_hour), and repeat the cell.",
    )


RULE = Rule(
    name="scrub",
    question="Was the cluster free of scrubs?",
    pitfalls=(9,),
    concerns=ceph_cell,
    cell=check_cell,
)
