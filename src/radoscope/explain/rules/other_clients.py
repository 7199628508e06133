"""Other clients of the cluster, at work beside the load: what was measured is what they left."""

from __future__ import annotations

import statistics

from radoscope.explain.evidence import CellEvidence
from radoscope.explain.finding import Finding, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell
from radoscope.records.telemetry import OTHERS_IN_FLIGHT

_OFTEN = 0.5
"""Share of the looks at which operations of theirs were in flight; now and then some are on any cluster in use."""


def check_cell(evidence: CellEvidence) -> Verdict:
    if evidence.study.sandbox is not None:
        return None  # a sandbox has no other clients
    seen = [count for series in evidence.series(OTHERS_IN_FLIGHT) for count in series.values]
    if not seen:
        return Unchecked("other clients' operations were not recorded")
    share = sum(count > 0 for count in seen) / len(seen)
    if share < _OFTEN:
        return None
    return Finding(
        rule=RULE.name,
        claim="Other clients used the cluster at the same time: without them it does more.",
        because=(
            f"{statistics.fmean(seen):.1f} of their operations were in flight on average on the sampled OSDs, "
            f"and in {share:.0%} of the samples at least one",
        ),
        severity=Severity.NOTE,
        cells=(evidence.cell.name,),
        unless="you want to measure what they leave over",
        try_next="Repeat it at a quiet time and compare; rbd perf image iostat names the busy images.",
    )


RULE = Rule(
    name="other-clients",
    question="Was the cluster free of other clients' load?",
    pitfalls=(9,),
    concerns=ceph_cell,
    cell=check_cell,
)
