"""First writes: rados bench creates new objects, a guest overwrites what is there."""

from __future__ import annotations

from radoscope.explain.evidence import CellEvidence, ResultEvidence
from radoscope.explain.finding import Finding
from radoscope.explain.rule import Rule, Verdict
from radoscope.records.conditions import Conditions, Layer


def check_cell(evidence: CellEvidence) -> Verdict:
    if any("--reuse-bench" in command for command in evidence.commands):
        return None
    return _finding(evidence.cell.name)


def check_result(evidence: ResultEvidence) -> Verdict:
    operation = evidence.operation
    if evidence.result.tool != "rados-bench" or operation is None or not operation.writes:
        return None
    return _finding(evidence.name)


def _finding(name: str) -> Finding:
    return Finding(
        rule=RULE.name,
        claim="rados bench writes new objects, while a guest mostly overwrites.",
        because=("each operation creates an object with its metadata",),
        cells=(name,),
        try_next="fio --ioengine=rbd --rw=randwrite on an image that was fully written measures overwrites.",
    )


def _rados_write(conditions: Conditions) -> bool:
    return conditions.layer is Layer.RADOS and conditions.op.writes and conditions.tool.startswith("rados")


RULE = Rule(
    name="first-writes",
    question="Were existing blocks overwritten, as a guest does?",
    pitfalls=(17,),
    concerns=_rados_write,
    cell=check_cell,
    result=check_result,
)
