"""Latency switched off: fio's gtod_reduce and disable_lat leave a rate that cannot be checked."""

from __future__ import annotations

from radoscope.explain.command import fio_again
from radoscope.explain.evidence import CellEvidence, ResultEvidence
from radoscope.explain.finding import Finding, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict
from radoscope.records.conditions import Conditions

_CLAIM = "No latency was measured: neither the tail nor Little's law can be looked at."

_WITH = "Repeat it without --gtod_reduce and --disable_lat; it costs 3 to 4 % of the rate at most."


def check_cell(evidence: CellEvidence) -> Verdict:
    if not evidence.results:
        return Unchecked("the cell has no results")
    if any(result.latency is not None for result in evidence.results):
        return None
    return _finding("none of the cell's results holds a latency", evidence.cell.name, Severity.DOUBTFUL, _WITH)


def check_result(evidence: ResultEvidence) -> Verdict:
    result = evidence.result
    if result.tool != "fio" or result.latency is not None or result.completion is not None or result.iops is None:
        return None
    reduced = evidence.option("gtod_reduce") not in (None, "0")
    fact = "gtod_reduce=1" if reduced else "this output of fio holds none; why is not said"
    return _finding(fact, evidence.name, Severity.NOTE, fio_again(evidence))


def _finding(fact: str, name: str, severity: Severity, try_next: str) -> Finding:
    return Finding(
        rule=RULE.name,
        claim=_CLAIM,
        because=(fact,),
        severity=severity,
        cells=(name,),
        try_next=try_next,
    )


def _fio(conditions: Conditions) -> bool:
    return conditions.tool == "fio"


RULE = Rule(
    name="no-latency",
    question="Was the latency measured?",
    pitfalls=(23,),
    concerns=_fio,
    cell=check_cell,
    result=check_result,
)
