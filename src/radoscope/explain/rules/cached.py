"""Reads served from memory: the page cache or the OSDs' own cache, not the drives."""

from __future__ import annotations

from radoscope.explain.command import fio_again
from radoscope.explain.evidence import CellEvidence, ResultEvidence
from radoscope.explain.finding import Finding, Role, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict
from radoscope.records.conditions import Conditions, Layer
from radoscope.records.telemetry import BUFFER_HIT_BYTES, BUFFER_MISS_BYTES, DISK_READS
from radoscope.units import format_bytes, format_count, format_seconds

_MOSTLY = 0.5
_FEW = 0.25
_UNMERGED = 16 * 1024
"""Reads up to this size reach a drive one by one; larger sequential ones are merged."""
_MEMORY_S = 20e-6
"""A 4K read of NAND flash takes 50 µs and more (60 to 100 µs on data sheets); below 20 µs there is memory behind it."""


def check_cell(evidence: CellEvidence) -> Verdict:
    if evidence.conditions.layer is Layer.DISK:
        return _check_disk(evidence)
    if bypassed := _never_at_a_drive(evidence):
        return bypassed
    hit, missed = evidence.total(BUFFER_HIT_BYTES), evidence.total(BUFFER_MISS_BYTES)
    if hit is None or missed is None or hit + missed == 0:
        return Unchecked("the OSDs' cache counters were not recorded")
    share = hit / (hit + missed)
    if share <= _MOSTLY:
        return None
    fact = f"BlueStore's cache served {share:.0%} of {format_bytes(hit + missed)}"
    return _finding(
        fact,
        evidence.cell.name,
        severity=Severity.DOUBTFUL,
        try_next="Read more than the sum of all OSDs' osd_memory_target, or state that you measured the cache.",
    )


def _never_at_a_drive(evidence: CellEvidence) -> Finding | None:
    """The drives of this host, where the reads must end, did far fewer than the clients got."""
    here = evidence.conditions.layer is Layer.DISK or evidence.on_one_host
    block, rate, drives = evidence.conditions.block_bytes, evidence.iops, evidence.readings(DISK_READS)
    if not (here and drives and rate and block and block <= _UNMERGED):
        return None
    done = sum(drive.value for drive in drives)
    if done >= _FEW * rate:
        return None
    return _finding(
        f"clients read {format_count(rate)} times a second, this host's drives {format_count(done)} times",
        evidence.cell.name,
        severity=Severity.DOUBTFUL,
        try_next="Read an area much larger than this host's memory, or rewrite the file before reading it.",
    )


def _check_disk(evidence: CellEvidence) -> Verdict:
    if not evidence.commands:
        return Unchecked("the commands were not recorded")
    direct = evidence.option("direct")
    if direct and "0" not in direct:
        return _never_at_a_drive(evidence)
    fact = "fio ran without --direct=1"
    return _finding(fact, evidence.cell.name, severity=Severity.INVALID, try_next="Add --direct=1.")


def check_result(evidence: ResultEvidence) -> Verdict:
    """A file or device was read faster than flash can, or fio was told to use the page cache."""
    operation = evidence.operation
    if operation is None or not operation.reads or evidence.on_ceph or evidence.result.tool != "fio":
        return None
    latency = evidence.mean_latency_s
    facts = []
    if evidence.option("direct") == "0":
        facts.append("direct=0: reads go through the page cache")
    if latency is not None and latency < _MEMORY_S:
        facts.append(f"mean latency {format_seconds(latency)}; flash needs 50 µs or more")
    if not facts:
        return None
    severity = Severity.INVALID if latency is not None and latency < _MEMORY_S else Severity.DOUBTFUL
    return _finding("; ".join(facts), evidence.name, severity=severity, try_next=fio_again(evidence))


def _finding(fact: str, name: str, *, severity: Severity, try_next: str) -> Finding:
    return Finding(
        rule=RULE.name,
        claim="The reads came from memory, not from the drives.",
        because=(fact,),
        severity=severity,
        role=Role.ARTEFACT,
        cells=(name,),
        unless="the cache is what you want to measure, or the drive is Optane or a RAM disk",
        try_next=try_next,
    )


def _reads_storage(conditions: Conditions) -> bool:
    return conditions.layer is not Layer.NETWORK and conditions.op.reads


RULE = Rule(
    name="cached-reads",
    question="Did the reads reach the drives?",
    pitfalls=(2,),
    concerns=_reads_storage,
    cell=check_cell,
    result=check_result,
)
