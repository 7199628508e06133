"""Small sequential writes as "write speed": caches and drives merge them."""

from __future__ import annotations

from radoscope.explain.evidence import CellEvidence, ResultEvidence
from radoscope.explain.finding import Finding
from radoscope.explain.rule import Rule, Verdict
from radoscope.records.conditions import Conditions, Layer, Operation
from radoscope.units import format_block

_SMALL = 16 * 1024


def check_cell(evidence: CellEvidence) -> Verdict:
    block = evidence.conditions.block_bytes
    return _finding(block, evidence.cell.name) if block is not None and block <= _SMALL else None


def check_result(evidence: ResultEvidence) -> Verdict:
    result, block = evidence.result, evidence.result.block_bytes
    ceph_image = result.tool == "rbd-bench" or evidence.engine == "rbd"
    if result.op != Operation.WRITE or block is None or block > _SMALL or not ceph_image:
        return None
    return _finding(block, evidence.name)


def _finding(block: int, name: str) -> Finding:
    return Finding(
        rule=RULE.name,
        claim="Small sequential writes measure neither bandwidth nor a guest's random writes.",
        because=(f"sequential writes of {format_block(block)} all go to one object, hence one OSD, until it is full",),
        cells=(name,),
        unless="a database log is what you want to measure",
        try_next="--rw=randwrite --bs=4k for IOPS, --rw=write --bs=4M for bandwidth.",
    )


def _sequential_rbd_write(conditions: Conditions) -> bool:
    return conditions.layer is Layer.RBD and conditions.op is Operation.WRITE


RULE = Rule(
    name="small-sequential-writes",
    question="Are sequential writes large enough to be meaningful?",
    pitfalls=(13,),
    concerns=_sequential_rbd_write,
    cell=check_cell,
    result=check_result,
)
