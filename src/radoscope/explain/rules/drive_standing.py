"""How a drive ranks among those with published synchronous writes."""

from __future__ import annotations

from collections.abc import Sequence

from radoscope.explain.evidence import ResultEvidence, StudyEvidence
from radoscope.explain.finding import Finding
from radoscope.explain.reference import Drive
from radoscope.explain.rule import Rule, Unchecked, Verdict
from radoscope.records.conditions import Conditions, Layer, Operation, Sync
from radoscope.stats.values import Estimate
from radoscope.units import format_count

_LEAST = 5
_BUSY = 0.7


def check_study(evidence: StudyEvidence) -> Verdict:
    """The disk cell that writes 4K, one at a time, with fsync."""
    synced = [summary for summary in evidence.cells(Layer.DISK) if _is_synced(summary.cell.conditions)]
    if not synced or not isinstance(synced[0].iops, Estimate):
        return Unchecked("no disk cell writes 4K, one at a time, with fsync")
    return _finding(synced[0].iops.value, evidence.drives, synced[0].cell.name)


def _is_synced(asked: Conditions) -> bool:
    writes = asked.op in (Operation.WRITE, Operation.RANDWRITE)
    return writes and asked.block_bytes == 4096 and asked.in_flight == 1 and asked.sync is not Sync.NONE


def check_result(evidence: ResultEvidence) -> Verdict:
    """4K writes, one at a time, each made durable, by fio and not through Ceph."""
    result, rate = evidence.result, evidence.result.iops
    single_write = result.op in (Operation.WRITE, Operation.RANDWRITE) and evidence.in_flight == 1
    if result.tool != "fio" or evidence.on_ceph or result.block_bytes != 4096 or not single_write or not rate:
        return None
    if not _is_durable(evidence) or _waits_elsewhere(evidence):
        return None
    return _finding(rate, evidence.drives, evidence.name)


def _finding(rate: float, drives: Sequence[Drive], name: str) -> Finding | None:
    standing = describe_drive(rate, drives)
    if standing is None:
        return None
    return Finding(
        rule=RULE.name,
        claim="This drive compared with published ones:",
        because=(f"{format_count(rate)} synced 4K writes/s: {standing}",),
        cells=(name,),
        unless="a file system, a virtual disk or a controller lies in between",
        try_next="radoscope catalogue drives lists them with their sources.",
    )


def describe_drive(rate: float, drives: Sequence[Drive]) -> str | None:
    """ "faster at fsync than 41 of 50 drives, nearest to ...": rate in synced 4K writes/s. None: too few to compare."""
    known = [(drive.sync_write_4k_qd1_iops, drive.model) for drive in drives if drive.sync_write_4k_qd1_iops]
    if len(known) < _LEAST:
        return None
    below = sum(other < rate for other, _ in known)
    _, nearest = min(known, key=lambda pair: max(pair[0] / rate, rate / pair[0]))
    return f"faster at fsync than {below} of {len(known)} published drives, nearest to {nearest}"


def _waits_elsewhere(evidence: ResultEvidence) -> bool:
    """Write and flush fill less than the time between two I/Os: a rate limit, or a flush after several writes."""
    result, latency = evidence.result, evidence.mean_latency_s
    if latency is None or not result.iops:
        return False
    flush = result.sync.mean_s if result.sync and result.sync.mean_s else 0.0
    return result.iops * (latency + flush) < _BUSY


def _is_durable(evidence: ResultEvidence) -> bool:
    asked = (evidence.option(name) for name in ("fsync", "fdatasync", "sync"))
    every = any(value in ("1", "sync", "dsync") for value in asked)
    return evidence.result.sync is not None or every


RULE = Rule(
    name="drive-standing",
    question="How does the drive compare with published ones?",
    study=check_study,
    result=check_result,
)
