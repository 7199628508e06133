"""Writes answered by a cache on the client: librbd's, or the kernel's page cache."""

from __future__ import annotations

from radoscope.explain.command import fio_again
from radoscope.explain.evidence import CellEvidence, ResultEvidence, ios_of
from radoscope.explain.finding import Finding, Role, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict
from radoscope.records.conditions import Conditions, Layer
from radoscope.records.telemetry import OP_W
from radoscope.units import format_count, format_seconds

_SOON_S = 10.0
"""What a page cache takes in so little time never had to reach a drive."""
_ARRIVED = 0.5
"""Without a cache every client write is at least one write of an OSD."""
_FLOOR_S = 100e-6
"""A replicated write needs two round trips and a commit; 0.4 ms is the fastest that was published (ceph.io, Reef)."""

_WITHOUT = "Repeat it with --ioengine=rbd --direct=1 (rbd_cache=false for certain)."


def check_cell(evidence: CellEvidence) -> Verdict:
    counted = evidence.counted(OP_W)
    asked = ios_of((result for segment in counted for result in segment.results), reading=False)
    trip, latency = evidence.round_trip_s(), evidence.mean_latency
    if not counted and trip and latency and latency.value < trip:
        fact = f"mean write latency {format_seconds(latency.value)}, one round trip {format_seconds(trip)}"
        return _finding(fact, evidence.cell.name, Severity.INVALID, _WITHOUT)
    if not counted or not asked:
        return Unchecked("the OSDs' counters of writes were not recorded")
    arrived = sum(segment.counters[OP_W.name] for segment in counted)
    if arrived >= _ARRIVED * asked:
        return None
    fact = f"clients wrote {format_count(asked)} times, OSDs saw {format_count(arrived)} writes"
    return _finding(fact, evidence.cell.name, Severity.INVALID, _WITHOUT)


def check_result(evidence: ResultEvidence) -> Verdict:
    operation = evidence.operation
    if operation is None or not operation.writes:
        return None
    if evidence.on_ceph:
        return _check_ceph_result(evidence)
    if evidence.result.tool == "dd":
        return _check_dd(evidence)
    if evidence.result.tool == "fio" and evidence.option("direct") == "0" and evidence.result.sync is None:
        return _finding(
            "direct=0 and no fsync: writes end in the page cache", evidence.name, Severity.INVALID, fio_again(evidence)
        )
    return None


def _check_dd(evidence: ResultEvidence) -> Verdict:
    """Without a flush dd ends when the page cache has the data."""
    extra = evidence.result.extra
    flags = f"{extra.get('conv', '')},{extra.get('oflag', '')}"
    if "sync" in flags or "direct" in flags:
        return None
    runtime = evidence.result.runtime_s
    short = f", and it ended after {format_seconds(runtime)}" if runtime is not None and runtime < _SOON_S else ""
    fact = f"neither conv=fdatasync nor oflag=direct{short}"
    again = "dd if=/dev/urandom of=FILE bs=4M count=2500 conv=fdatasync, or fio with --fsync=1"
    return _finding(fact, evidence.name, Severity.INVALID if short else Severity.DOUBTFUL, again)


def _check_ceph_result(evidence: ResultEvidence) -> Verdict:
    latency = evidence.mean_latency_s
    if latency is not None and latency < _FLOOR_S:
        fact = f"mean write latency {format_seconds(latency)}; the fastest published replicated write takes 0.4 ms"
        return _finding(fact, evidence.name, Severity.INVALID, fio_again(evidence))
    if evidence.engine == "rbd" and evidence.option("direct") == "0":
        fact = "fio's rbd engine with direct=0 leaves librbd's cache on"
        return _finding(fact, evidence.name, Severity.DOUBTFUL, fio_again(evidence))
    if evidence.result.tool == "rbd-bench":
        fact = "rbd bench uses librbd's cache as configured, and it is on by default"
        return _finding(fact, evidence.name, Severity.NOTE, fio_again(evidence))
    return None


def _finding(fact: str, name: str, severity: Severity, try_next: str) -> Finding:
    return Finding(
        rule=RULE.name,
        claim="A cache on the client may have acknowledged the writes."
        if severity is not Severity.INVALID
        else "A cache on the client acknowledged the writes before Ceph did.",
        because=(fact,),
        severity=severity,
        role=Role.ARTEFACT,
        cells=(name,),
        try_next=try_next,
    )


def _writes_rbd(conditions: Conditions) -> bool:
    return conditions.layer is Layer.RBD and conditions.op.writes and not conditions.op.reads


RULE = Rule(
    name="cached-writes",
    question="Did the writes reach the OSDs before they were acknowledged?",
    pitfalls=(3,),
    concerns=_writes_rbd,
    cell=check_cell,
    result=check_result,
)
