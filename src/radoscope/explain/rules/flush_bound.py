"""Waiting for the drive: what part of an OSD's write is BlueStore's flush and commit."""

from __future__ import annotations

from radoscope.explain.evidence import CellEvidence
from radoscope.explain.finding import Finding
from radoscope.explain.rule import Rule, Unchecked, Verdict
from radoscope.records.conditions import Conditions, Layer
from radoscope.units import format_seconds

_MOSTLY = 0.5


def check_cell(evidence: CellEvidence) -> Verdict:
    """kv_sync_lat is one round of the thread that flushes and commits; kv_flush and kv_commit are its two parts."""
    write = evidence.average("osd.op_w_latency_s")
    flush, commit = evidence.average("bluestore.kv_flush_lat_s"), evidence.average("bluestore.kv_commit_lat_s")
    sync = evidence.average("bluestore.kv_sync_lat_s")
    if sync is None and flush is not None and commit is not None:
        sync = flush + commit
    if not write or sync is None:
        return Unchecked("the OSDs' latency counters were not recorded")
    if sync < _MOSTLY * write:
        return None
    parts = f"flush {format_seconds(flush)}, commit {format_seconds(commit)}" if flush and commit else ""
    return Finding(
        rule=RULE.name,
        claim="Writes mostly wait for the drives to flush.",
        because=(
            f"an OSD's write takes {format_seconds(write)}, of it {format_seconds(sync)} flush and commit"
            + (f" ({parts})" if parts else ""),
        ),
        cells=(evidence.cell.name,),
        unless="several commits share one flush: then a write may wait for the one before it too",
        try_next="Protected drives flush in 10 to 100 µs; radoscope predict STUDY --what-if says the gain.",
    )


def _writes_ceph(conditions: Conditions) -> bool:
    return conditions.layer in (Layer.RADOS, Layer.RBD) and conditions.op.writes


RULE = Rule(
    name="flush-bound",
    question="Do writes spend their time elsewhere than in the drives' flushes?",
    concerns=_writes_ceph,
    cell=check_cell,
)
