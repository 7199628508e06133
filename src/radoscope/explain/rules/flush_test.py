"""Writes without an fsync: a drive without power-loss protection looks as fast as one with it."""

from __future__ import annotations

from radoscope.explain.evidence import ResultEvidence, StudyEvidence
from radoscope.explain.finding import Finding
from radoscope.explain.rule import Rule, Verdict
from radoscope.records.conditions import Layer, Operation, Sync

_SMALL = 16 * 1024
_COMMAND = (
    "fio --name=fsync --filename=FILE --size=1G --rw=randwrite --bs=4k --iodepth=1 --direct=1 --fsync=1 "
    "--ioengine=libaio --time_based --runtime=60"
)


def check_study(evidence: StudyEvidence) -> Verdict:
    disks = [summary.cell for summary in evidence.cells(Layer.DISK) if summary.cell.conditions.op.writes]
    if not disks or any(cell.conditions.sync is not Sync.NONE for cell in disks):
        return None
    return Finding(
        rule=RULE.name,
        claim="The drives were not tested with fsync, which is how Ceph writes.",
        because=("no disk cell has sync = fsync or sync",),
        cells=tuple(cell.name for cell in disks),
        try_next=_COMMAND,
    )


def check_result(evidence: ResultEvidence) -> Verdict:
    result = evidence.result
    if result.tool != "fio" or evidence.on_ceph or result.op not in (Operation.WRITE, Operation.RANDWRITE):
        return None
    if result.block_bytes is None or result.block_bytes > _SMALL or _is_durable(evidence):
        return None
    if "options" not in result.extra:  # without the options nobody can tell whether it synced
        return None
    return Finding(
        rule=RULE.name,
        claim="Without fsync this says little about the drive's performance under Ceph.",
        because=("neither fsync nor sync among fio's options, and no fsync latency printed",),
        cells=(evidence.name,),
        unless="the target is an RBD image or a guest's disk",
        try_next=_COMMAND,
    )


def _is_durable(evidence: ResultEvidence) -> bool:
    asked = (evidence.option(name) for name in ("fsync", "fdatasync", "sync"))
    return evidence.result.sync is not None or any(value not in (None, "0", "none") for value in asked)


RULE = Rule(
    name="no-fsync-test",
    question="Were small writes tested with fsync?",
    pitfalls=(15,),
    study=check_study,
    result=check_result,
)
