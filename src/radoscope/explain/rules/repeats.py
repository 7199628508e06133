"""Repeats of one load that differ: their mean and spread count, never the best of them."""

from __future__ import annotations

import statistics

from radoscope.explain.evidence import ResultEvidence, load_of
from radoscope.explain.finding import Finding
from radoscope.explain.rule import Rule, Verdict
from radoscope.units import format_count

_SPREAD = 1.1
"""Published repeats on one cluster differ by 4 to 10 % (seed pages); beyond that the choice of the run matters."""
_ANOTHER_THING = 2.0
"""Results of one load that differ by more were surely taken on different hardware or layers."""


def check_result(evidence: ResultEvidence) -> Verdict:
    """Reported once, at the first of the repeats."""
    if evidence.result.block_bytes is None or not evidence.result.iops:
        return None
    repeats = evidence.neighbours.repeats_of(evidence.result)
    if len(repeats) < 2 or repeats[0][0] != evidence.number:
        return None
    rates = [rate for _, rate in repeats]
    if not _SPREAD * min(rates) <= max(rates) <= _ANOTHER_THING * min(rates):
        return None
    fact = (
        f"{load_of(evidence.result)} {len(rates)} times: "
        f"{format_count(min(rates))} to {format_count(max(rates))} IOPS, mean {format_count(statistics.fmean(rates))}"
    )
    return Finding(
        rule=RULE.name,
        claim="Runs of the same load differ: quote their mean and spread, not the best.",
        because=(fact,),
        cells=(evidence.name,),
        unless="you changed something between them",
        try_next="radoscope compare --pool-runs combines repeats and says how much of the spread lies between runs.",
    )


RULE = Rule(
    name="repeats-differ",
    question="Do repeats of the same load agree?",
    pitfalls=(25,),
    result=check_result,
)
