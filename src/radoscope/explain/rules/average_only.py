"""Only averages: the tail, which users feel, is not in the numbers."""

from __future__ import annotations

from radoscope.explain.command import fio_again
from radoscope.explain.evidence import CellEvidence, ResultEvidence
from radoscope.explain.finding import Finding
from radoscope.explain.rule import Rule, Unchecked, Verdict, storage_cell
from radoscope.stats.values import LatencySummary
from radoscope.units import format_seconds

_WHOLE = "fio --output-format=json+ keeps the whole distribution, also of several clients together."
_TOOLS = ("rados-bench", "rbd-bench", "fio")


def check_cell(evidence: CellEvidence) -> Verdict:
    if evidence.summary is None or not isinstance(evidence.summary.latency, LatencySummary):
        return Unchecked("the cell has no latency")
    if evidence.summary.latency.percentiles_s:  # those that are undecided are a matter of time, not of the tool
        return None
    return _finding(f"{evidence.conditions.tool} prints no percentiles", evidence.cell.name, _WHOLE)


def check_result(evidence: ResultEvidence) -> Verdict:
    result = evidence.result
    if result.tool not in _TOOLS or result.latency is None or result.latency.mean_s is None:
        return None
    if result.latency.percentiles_s or (result.completion and result.completion.percentiles_s):
        return None
    fact = f"mean {format_seconds(result.latency.mean_s)}, no percentiles in the text"
    return _finding(fact, evidence.name, fio_again(evidence))


def _finding(fact: str, name: str, try_next: str) -> Finding:
    return Finding(
        rule=RULE.name,
        claim="Only mean latencies are known, not how slow the slowest 1 % or 0.1 % of I/Os are.",
        because=(fact,),
        cells=(name,),
        try_next=try_next,
    )


RULE = Rule(
    name="average-only",
    question="Is the tail of the latency known?",
    pitfalls=(26,),
    concerns=storage_cell,
    cell=check_cell,
    result=check_result,
)
