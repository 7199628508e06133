"""Jobs that ran at once: without `stonewall` the sections of a fio job file share the drives and the time."""

from __future__ import annotations

from radoscope.explain.evidence import ResultEvidence
from radoscope.explain.finding import Finding, Severity
from radoscope.explain.rule import Rule, Verdict
from radoscope.records.measurement import Result


def check_result(evidence: ResultEvidence) -> Verdict:
    result = evidence.result
    others = [other for other in evidence.among if other is not result and _at_once(result, other)]
    if not others:
        return None
    names = sorted({str(other.extra["jobname"]) for other in others})
    return Finding(
        rule=RULE.name,
        claim="These jobs ran at the same time: none of the figures is what one of them can do alone.",
        because=(f"{result.extra['jobname']} shares group {result.extra['group']} with {', '.join(names)}",),
        severity=Severity.INVALID if any(other.op != result.op for other in others) else Severity.NOTE,
        cells=(evidence.name,),
        unless="the mix is what was to be measured",
        try_next="Put `stonewall` into each section of the job file, or run the jobs one after another.",
    )


def _at_once(one: Result, other: Result) -> bool:
    """Two jobs of one fio run that report the same group: fio begins a new group at each stonewall."""
    if one.tool != "fio" or other.tool != "fio" or one.extra.get("group") is None:
        return False
    same_group = one.extra.get("group") == other.extra.get("group") and _same_run(one, other)
    return same_group and None is not one.extra.get("jobname") != other.extra.get("jobname") is not None


def _same_run(one: Result, other: Result) -> bool:
    """From one document, or numbered as one run by the reader."""
    if "run" in one.extra or "run" in other.extra:
        return one.extra.get("run") == other.extra.get("run")
    a, b = one.source, other.source
    if a is None or b is None or a.reader != b.reader or a.file != b.file:
        return False
    return a.first_line == b.first_line and a.last_line == b.last_line


RULE = Rule(
    name="jobs-at-once",
    question="Did each job have the drives to itself?",
    pitfalls=(12,),
    result=check_result,
)
