"""One OSD much slower than its peers: it holds back every write that has a replica on it."""

from __future__ import annotations

import statistics
from collections.abc import Mapping

from radoscope.explain.evidence import CellEvidence
from radoscope.explain.finding import Finding, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict
from radoscope.records.conditions import Conditions, Layer
from radoscope.records.study import Segment
from radoscope.records.telemetry import OP_W_LATENCY
from radoscope.units import format_seconds

_SLOWER = 1.5
"""Healthy peers stay within 15 % over minutes (the limit that ceph-bench uses); short segments scatter more."""
_PEERS = 3
_ALWAYS = 2 / 3


def check_cell(evidence: CellEvidence) -> Verdict:
    segments = [latencies for s in evidence.segments if len(latencies := _latencies(s)) >= _PEERS]
    if not segments:
        return Unchecked("write latencies of three OSDs or more were not recorded")
    slowest = [osd for latencies in segments if (osd := _slow_one(latencies)) is not None]
    if not slowest:
        return None
    osd = statistics.mode(slowest)
    if slowest.count(osd) < _ALWAYS * len(segments):
        return None
    own = statistics.fmean(latencies[osd] for latencies in segments if osd in latencies)
    others = statistics.median(value for latencies in segments for name, value in latencies.items() if name != osd)
    return Finding(
        rule=RULE.name,
        claim=f"osd.{osd} is slower than its peers.",
        because=(
            f"its writes take {format_seconds(own)}, the others' {format_seconds(others)} (median)",
            f"it was the slowest in {slowest.count(osd)} of {len(segments)} segments",
        ),
        severity=Severity.DOUBTFUL,
        cells=(evidence.cell.name,),
        unless="it has another device class, or carries more of the load",
        try_next=f"ceph tell osd.{osd} bench; smartctl -a on its drive; iostat -x 1 on its host",
    )


def _latencies(segment: Segment) -> dict[int, float]:
    """OSD -> mean write latency in seconds; OSDs without writes in the segment are left out."""
    name = OP_W_LATENCY.name
    return {osd: found[name] for osd, found in segment.osd_counters.items() if found.get(name, 0.0) > 0}


def _slow_one(latencies: Mapping[int, float]) -> int | None:
    worst = max(latencies, key=lambda osd: latencies[osd])
    others = statistics.median(value for osd, value in latencies.items() if osd != worst)
    return worst if latencies[worst] > _SLOWER * others else None


def _writes_ceph(conditions: Conditions) -> bool:
    """A pool that is pinned below the others loads one OSD more than its peers, and so tells nothing of them."""
    return conditions.layer in (Layer.RADOS, Layer.RBD) and conditions.op.writes and not conditions.pinned


RULE = Rule(
    name="sick-osd",
    question="Are all OSDs about equally fast?",
    pitfalls=(21,),
    concerns=_writes_ceph,
    cell=check_cell,
)
