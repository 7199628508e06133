"""Reads of blocks that were never written: Ceph answers them without a drive, often without an OSD."""

from __future__ import annotations

from radoscope.explain.evidence import CellEvidence, ResultEvidence, bytes_of
from radoscope.explain.finding import Finding, Role, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict
from radoscope.records.conditions import Conditions, Layer
from radoscope.records.telemetry import OP_R_OUT_BYTES
from radoscope.units import format_bytes, format_seconds

_DELIVERED = 0.5
"""OSDs send every byte that was written before; half is far outside what a partial window could explain."""
_FLOOR_S = 100e-6
"""No published Ceph read is faster; the usual floor is 0.3 ms (Vitastor's "Understanding storage performance")."""


def check_cell(evidence: CellEvidence) -> Verdict:
    """The OSDs sent far fewer bytes than the clients read; where nobody counted, answers came sooner than a ping's."""
    counted = evidence.counted(OP_R_OUT_BYTES)
    read = bytes_of((result for segment in counted for result in segment.results), reading=True)
    trip, latency = evidence.round_trip_s(), evidence.mean_latency
    if not counted and trip and latency and latency.value < trip:
        fact = f"mean read latency {format_seconds(latency.value)}, one round trip {format_seconds(trip)}"
        return _finding(fact, evidence.cell.name)
    if not counted or not read:
        return Unchecked("the OSDs' counters of bytes read were not recorded")
    sent = sum(segment.counters[OP_R_OUT_BYTES.name] for segment in counted)
    if sent >= _DELIVERED * read:
        return None
    return _finding(f"clients read {format_bytes(read)}, OSDs sent {format_bytes(sent)}", evidence.cell.name)


def check_result(evidence: ResultEvidence) -> Verdict:
    """A Ceph read faster than any that was ever published."""
    latency = evidence.mean_latency_s
    if not (evidence.on_ceph and evidence.operation and evidence.operation.reads) or latency is None:
        return None
    if latency >= _FLOOR_S:
        return None
    fact = f"mean read latency {format_seconds(latency)}; Ceph reads from drives take 0.3 ms or more"
    return _finding(fact, evidence.name)


def _finding(fact: str, name: str) -> Finding:
    return Finding(
        rule=RULE.name,
        claim="The blocks read were never written: these reads did not reach Ceph's drives.",
        because=(fact,),
        severity=Severity.INVALID,
        role=Role.ARTEFACT,
        cells=(name,),
        unless="all of it came from a cache on the client",
        try_next="Write the whole image first: fio --ioengine=rbd --rw=write --bs=4M --iodepth=16 --direct=1 ...",
    )


def _reads_ceph(conditions: Conditions) -> bool:
    return conditions.layer in (Layer.RADOS, Layer.RBD) and conditions.op.reads


RULE = Rule(
    name="unwritten-reads",
    question="Had everything that was read been written before?",
    pitfalls=(1,),
    concerns=_reads_ceph,
    cell=check_cell,
    result=check_result,
)
