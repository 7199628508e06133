"""Waiting for the drive: what part of an OSD's write is BlueStore's flush and commit."""

from __future__ import annotations

from radoscope.explain.evidence import CellEvidence
from radoscope.explain.finding import Finding
from radoscope.explain.rule import Rule, Unchecked, Verdict
from radoscope.records.conditions import Conditions, Layer
from radoscope.records.telemetry import COMMIT_LAT, KV_COMMIT_LAT, KV_FLUSH_LAT, KV_SYNC_LAT, OP_W_LATENCY
from radoscope.units import format_seconds

_MOSTLY = 0.5


def check_cell(evidence: CellEvidence) -> Verdict:
    """A write waits for BlueStore's commit (commit_lat), the commit for a round of flush and commit (kv_sync_lat)."""
    write, commit = evidence.average(OP_W_LATENCY), evidence.average(COMMIT_LAT)
    sync = _kv_sync(evidence)
    if not write or sync is None:
        return Unchecked("the OSDs' latency counters were not recorded")
    waited = max(sync, commit or 0.0)
    if waited < _MOSTLY * write or sync < _MOSTLY * waited:
        return None
    return Finding(
        rule=RULE.name,
        claim="Writes mostly wait for the drives to flush.",
        because=(
            f"an OSD's write takes {format_seconds(write)}, BlueStore's commit of it {format_seconds(waited)}",
            f"one round of flush and commit takes {format_seconds(sync)}",
        ),
        cells=(evidence.cell.name,),
        unless="the hosts' CPUs are saturated: then flushes wait for a CPU, too",
        try_next=(
            "Protected drives flush in 10 to 100 µs: radoscope predict STUDY --what-if 'fsync_latency_us = 50' "
            "says the gain."
        ),
    )


def _kv_sync(evidence: CellEvidence) -> float | None:
    """kv_sync_lat, or the sum of its two parts."""
    flush, commit = evidence.average(KV_FLUSH_LAT), evidence.average(KV_COMMIT_LAT)
    parts = flush + commit if flush is not None and commit is not None else None
    whole = evidence.average(KV_SYNC_LAT)
    return parts if whole is None else whole


def _writes_ceph(conditions: Conditions) -> bool:
    return conditions.layer in (Layer.RADOS, Layer.RBD) and conditions.op.writes


RULE = Rule(
    name="flush-bound",
    question="Do writes spend their time somewhere other than in the drives' flushes?",
    concerns=_writes_ceph,
    cell=check_cell,
)
