"""A synchronous engine with a queue depth: fio takes --iodepth and ignores it, one I/O at a time."""

from __future__ import annotations

from radoscope.explain.command import fio_again
from radoscope.explain.evidence import CellEvidence, ResultEvidence
from radoscope.explain.finding import Finding, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict
from radoscope.records.conditions import Conditions, Layer

_SYNCHRONOUS = frozenset({"sync", "psync", "vsync", "pvsync", "pvsync2", "mmap"})


def check_cell(evidence: CellEvidence) -> Verdict:
    if not evidence.commands:
        return Unchecked("the commands were not recorded")
    engines = _SYNCHRONOUS.intersection(evidence.option("ioengine"))
    depth = evidence.conditions.queue_depth
    if not engines or depth <= 1:
        return None
    return _finding(min(engines), depth, evidence.cell.name, f"--ioengine=libaio --direct=1 --iodepth={depth}")


def check_result(evidence: ResultEvidence) -> Verdict:
    depth = evidence.result.queue_depth
    if evidence.engine not in _SYNCHRONOUS or depth is None or depth <= 1:
        return None
    return _finding(evidence.engine or "", depth, evidence.name, fio_again(evidence, ioengine="libaio"))


def _finding(engine: str, depth: int, name: str, try_next: str) -> Finding:
    return Finding(
        rule=RULE.name,
        claim="The engine is synchronous: the queue depth was really 1 per job.",
        because=(f"ioengine={engine} with iodepth={depth}",),
        severity=Severity.INVALID,
        cells=(name,),
        try_next=try_next,
    )


def _on_disk(conditions: Conditions) -> bool:
    return conditions.layer is Layer.DISK and conditions.tool == "fio"


RULE = Rule(
    name="synchronous-engine",
    question="Can the engine sustain the requested queue depth?",
    pitfalls=(11,),
    concerns=_on_disk,
    cell=check_cell,
    result=check_result,
)
