"""Waiting for the drives: what part of a write is their flush, and whether such a flush is a slow one."""

from __future__ import annotations

import statistics

from radoscope.explain.drives import quickest_flush, writes_ceph
from radoscope.explain.evidence import CellEvidence
from radoscope.explain.finding import Finding, Role
from radoscope.explain.rule import Rule, Unchecked, Verdict
from radoscope.explain.times import latency_s, share_over
from radoscope.records.study import Segment
from radoscope.records.telemetry import KV_SYNC_LAT
from radoscope.units import format_seconds

_UNPROTECTED_S = 0.5e-3
"""Published drives with power-loss protection flush 4K in 10 to 280 µs, those without in 0.26 to 10 ms; an OSD's thread
that waits for a core makes 0.15 ms look like 0.35 here."""
_MOSTLY = 0.3


def check_cell(evidence: CellEvidence) -> Verdict:
    shares = [value for one in evidence.segments if (value := _share(one)) is not None]
    flush = quickest_flush(evidence)
    if not shares or flush is None:
        return Unchecked("the OSDs' latency counters were not recorded")
    share = share_over(shares)
    if share is None or share.value < _MOSTLY or flush < _UNPROTECTED_S:
        return None
    sync = statistics.fmean(one.counters[KV_SYNC_LAT.name] for one in evidence.segments if _share(one) is not None)
    return Finding(
        rule=RULE.name,
        claim="Writes mostly wait for the drives to flush.",
        because=(
            f"one flush takes {format_seconds(flush)} even in the quickest segment, on every OSD alike",
            f"a round of flush and commit takes {format_seconds(sync)}, {share} of the mean write",
        ),
        cells=(evidence.cell.name,),
        unless="the hosts' CPUs are saturated: then flushes wait for a CPU, too",
        try_next=(
            "Protected drives flush in 10 to 100 µs: radoscope predict STUDY --what-if 'fsync_latency_us = 50' "
            "says the gain."
        ),
        role=Role.CAUSE,
        resource="drives",
        explains=share,
    )


def _share(segment: Segment) -> float | None:
    total, sync = latency_s(segment), segment.counters.get(KV_SYNC_LAT.name)
    return sync / total if total and sync is not None else None


RULE = Rule(
    name="flush-bound",
    question="Do writes spend their time somewhere other than in the drives' flushes?",
    concerns=writes_ceph,
    cell=check_cell,
)
