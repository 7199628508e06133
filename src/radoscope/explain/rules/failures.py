"""Segments that failed: what is left may be the lucky part."""

from __future__ import annotations

from radoscope.explain.evidence import CellEvidence, ResultEvidence
from radoscope.explain.finding import Finding, Role, Severity
from radoscope.explain.rule import Rule, Verdict
from radoscope.records.study import Outcome


def check_cell(evidence: CellEvidence) -> Verdict:
    segments = evidence.study.segments_of(evidence.cell.name)
    failed = [segment for segment in segments if segment.outcome is Outcome.FAILED]
    if not failed:
        return None
    problems = tuple(dict.fromkeys(segment.problem for segment in failed if segment.problem))
    none_left = len(failed) == len(segments)
    return Finding(
        rule=RULE.name,
        claim="The cell could not be measured." if none_left else "Some segments of the cell failed.",
        because=(f"{len(failed)} of {len(segments)} segments failed", *problems[:2]),
        severity=Severity.INVALID if none_left else Severity.DOUBTFUL,
        role=Role.SYMPTOM,
        cells=(evidence.cell.name,),
        try_next="Read the tool's own output in the bundle's raw files.",
    )


def check_result(evidence: ResultEvidence) -> Verdict:
    """fio reports errno in `error` / `err=`, and prints rates all the same."""
    error = evidence.result.extra.get("error")
    if not isinstance(error, int) or error == 0:
        return None
    return Finding(
        rule=RULE.name,
        claim="The job ended with an error; its figures come from a failed run.",
        because=(f"fio says err={error}",),
        severity=Severity.INVALID,
        cells=(evidence.name,),
        try_next="Look for the first error line of fio; dmesg for errors of the drive.",
    )


RULE = Rule(
    name="failures",
    question="Did every run succeed?",
    cell=check_cell,
    result=check_result,
)
