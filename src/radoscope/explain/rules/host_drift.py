"""The host itself became faster or slower: neighbours, clock, temperature, as the yardstick loop shows."""

from __future__ import annotations

import statistics

from radoscope.explain.evidence import StudyEvidence
from radoscope.explain.finding import Finding
from radoscope.explain.rule import Rule, Unchecked, Verdict

_DRIFT = 0.1
"""Half the span between the 10th and 90th percentile, relative to the median."""
_LEAST = 5


def check_study(evidence: StudyEvidence) -> Verdict:
    speeds = [segment.host_speed for segment in evidence.study.segments if segment.host_speed]
    if len(speeds) < _LEAST:
        return Unchecked("the host's yardstick was timed fewer than five times")
    deciles = statistics.quantiles(speeds, n=10)
    middle = statistics.median(speeds)
    drift = (deciles[-1] - deciles[0]) / 2 / middle
    if drift <= _DRIFT:
        return None
    return Finding(
        rule=RULE.name,
        claim="The host's own speed moved during the study; part of the spread is the host's, not Ceph's.",
        because=(f"a fixed CPU loop varied by ±{drift:.0%} over {len(speeds)} readings",),
        unless="the drives or the network are the bottleneck",
        try_next="Measure on a dedicated host, or with more rounds.",
    )


RULE = Rule(
    name="host-drift",
    question="Did the host keep its speed?",
    pitfalls=(24,),
    study=check_study,
)
