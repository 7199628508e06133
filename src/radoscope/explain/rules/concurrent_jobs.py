"""Jobs that ran at once: without `stonewall` the sections of a fio job file share the drives and the time."""

from __future__ import annotations

from radoscope.explain.evidence import ResultEvidence
from radoscope.explain.finding import Finding, Severity
from radoscope.explain.rule import Rule, Verdict
from radoscope.records.measurement import Result, Source


def check_result(evidence: ResultEvidence) -> Verdict:
    result = evidence.result
    others = [other for other in evidence.among if other is not result and _at_once(result, other)]
    names = sorted({str(other.extra["jobname"]) for other in others} | set(_told_names(result)))
    if not names:
        return None
    differ = any(other.op != result.op for other in others)
    return Finding(
        rule=RULE.name,
        claim="These jobs ran at the same time: none of the figures is what one of them can do alone.",
        because=(f"{result.extra.get('jobname')} shares its group with {', '.join(names)}",),
        severity=Severity.INVALID if differ else Severity.NOTE,
        cells=(evidence.name,),
        unless="the mix is what was to be measured",
        try_next="Put `stonewall` into each section of the job file, or run the jobs one after another.",
    )


def _told_names(result: Result) -> tuple[str, ...]:
    """The jobs that the reader saw in the same run and group."""
    names = result.extra.get("together_with")
    return tuple(str(name) for name in names) if isinstance(names, (list, tuple)) else ()


def _at_once(one: Result, other: Result) -> bool:
    """Two jobs of one fio run in the same group: fio begins a new group at each stonewall."""
    mine, others = one.extra.get("jobname"), other.extra.get("jobname")
    if one.tool != "fio" or other.tool != "fio" or mine is None or others is None or mine == others:
        return False
    if one.extra.get("group") is None or one.extra.get("group") != other.extra.get("group"):
        return False
    return str(others) in _told_names(one) or _same_document(one.source, other.source)


def _same_document(a: Source | None, b: Source | None) -> bool:
    """JSON: all jobs of a run stand in one document, and have its lines."""
    if a is None or b is None or a.reader != "fio_json" or b.reader != "fio_json":
        return False
    return (a.file, a.first_line, a.last_line) == (b.file, b.first_line, b.last_line)


RULE = Rule(
    name="jobs-at-once",
    question="Did each job have the drives to itself?",
    pitfalls=(12,),
    result=check_result,
)
