"""Jobs that ran at once: without `stonewall` the sections of a fio job file share the drives and the time."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from radoscope.explain.evidence import ResultEvidence
from radoscope.explain.finding import Finding, Severity
from radoscope.explain.rule import Rule, Verdict

_MOST_NAMES = 5
_NEAR = 20


def check_result(evidence: ResultEvidence) -> Verdict:
    names, ops = _together(evidence)
    own = str(evidence.result.extra.get("jobname"))
    others = list(islice((name for name in names if name != own), _MOST_NAMES))
    if not others:
        return None
    more = ", ..." if len(others) == _MOST_NAMES else ""
    differ = len(ops | {evidence.result.op}) > 1
    return Finding(
        rule=RULE.name,
        claim="These jobs ran at the same time: none of the figures shows what a job can do alone.",
        because=(f"{own} runs together with {', '.join(others)}{more}",),
        severity=Severity.INVALID if differ else Severity.NOTE,
        cells=(evidence.name,),
        unless="the mix is what you want to measure",
        try_next="Put `stonewall` into each section of the job file, or run the jobs one after another.",
    )


def _together(evidence: ResultEvidence) -> tuple[Iterable[str], set[str | None]]:
    """Names and operations of the jobs in the same run and group, as the document or the text's headings show them."""
    if group := evidence.neighbours.group_of(evidence.result):
        return group.names, group.ops
    together = evidence.result.extra.get("together_with")
    names = [str(name) for name in together] if isinstance(together, (list, tuple)) else []
    near = evidence.neighbours.near(evidence.number, min(2 * len(names), _NEAR))
    return names, {other.op for other in near if str(other.extra.get("jobname")) in names}


RULE = Rule(
    name="jobs-at-once",
    question="Did each job have the drives to itself?",
    pitfalls=(12,),
    result=check_result,
)
