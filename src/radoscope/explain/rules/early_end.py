"""A read that ended early: rados bench seq stops when all that was written has been read once."""

from __future__ import annotations

from radoscope.explain.evidence import CellEvidence, ResultEvidence
from radoscope.explain.finding import Finding, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict
from radoscope.records.conditions import Conditions, Layer, Operation
from radoscope.units import format_count, format_seconds

_EARLY = 0.5
_SHORTER = 0.9


def check_cell(evidence: CellEvidence) -> Verdict:
    """rados bench takes its seconds as the word after `bench`."""
    ran = [result.runtime_s for result in evidence.results if result.runtime_s is not None]
    asked = [float(word) for command in evidence.commands if (word := _word_after(command, "bench")).isdigit()]
    if not ran or not asked:
        return Unchecked("the requested or the measured time is not known")
    if min(ran) >= _EARLY * max(asked):
        return None
    fact = f"asked for {format_seconds(max(asked))}, ended after {format_seconds(min(ran))}"
    return _finding((fact,), evidence.cell.name)


def check_result(evidence: ResultEvidence) -> Verdict:
    """As many reads as an earlier run wrote, in less time: everything was read once, and then it was over."""
    result = evidence.result
    if result.tool != "rados-bench" or result.op != Operation.READ or not result.total_ios:
        return None
    wrote = evidence.neighbours.write_of(result.total_ios, before=evidence.number)
    if wrote is None or not result.runtime_s or not wrote.runtime_s or result.runtime_s >= _SHORTER * wrote.runtime_s:
        return None
    fact = f"{format_count(result.total_ios)} reads, as many as were written, in {format_seconds(result.runtime_s)}"
    return _finding((fact,), evidence.name)


def _finding(because: tuple[str, ...], name: str) -> Finding:
    return Finding(
        rule=RULE.name,
        claim="The read ended after one pass over all objects; they had just been written, so caches were warm.",
        because=because,
        severity=Severity.DOUBTFUL,
        cells=(name,),
        try_next="First write more data than the OSDs' memory, then: rados -p POOL bench 60 rand",
    )


def _word_after(command: tuple[str, ...], word: str) -> str:
    return command[command.index(word) + 1] if word in command[:-1] else ""


def _rados_read(conditions: Conditions) -> bool:
    return conditions.layer is Layer.RADOS and conditions.op is Operation.READ


RULE = Rule(
    name="ended-early",
    question="Did the read last as long as requested?",
    pitfalls=(7,),
    concerns=_rados_read,
    cell=check_cell,
    result=check_result,
)
