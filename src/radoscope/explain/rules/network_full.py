"""The network is full: a line that carries all it can, while OSDs and drives have time to spare."""

from __future__ import annotations

from radoscope.explain.evidence import CellEvidence
from radoscope.explain.finding import Finding, Role, Share
from radoscope.explain.lines import Full, flows, fullest
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell
from radoscope.explain.times import latency_s, share_over, waterfall_of
from radoscope.records.study import Segment
from radoscope.records.telemetry import COMMIT_LAT, READ_LAT
from radoscope.units import format_bytes

_LEAST_OUTSIDE = 0.3
"""A full line makes I/Os wait for it; where all but a third passes in the OSDs' stores, it does not limit."""


def check_cell(evidence: CellEvidence) -> Verdict:
    if not flows(evidence) and not _anything_seen(evidence):
        return Unchecked("the interfaces' byte counts were not recorded")
    full = fullest(evidence)
    if full is None:
        return None
    share = share_over(value for one in evidence.segments if (value := _on_the_way(one)) is not None)
    if share is not None and share.value < _LEAST_OUTSIDE:
        return None
    return _finding(evidence, full, share)


def _anything_seen(evidence: CellEvidence) -> bool:
    return any(series.name.startswith("nic_") for one in evidence.segments for series in one.telemetry)


def _on_the_way(segment: Segment) -> float | None:
    """Share of the mean I/O that passed outside the OSDs' stores: on the line, and in queues before and behind it."""
    total, stores = latency_s(segment), (COMMIT_LAT, READ_LAT)
    if total is None or waterfall_of(segment) is None:
        return None
    is_read = any(result.op in ("read", "randread") for result in segment.results)
    inside = segment.counters.get(stores[is_read].name)
    return None if inside is None else 1 - inside / total


def _finding(evidence: CellEvidence, full: Full, share: Share | None) -> Finding:
    flow = full.flow
    facts = [
        f"{format_bytes(flow.bytes_per_s)}/s {flow.way} by {flow.interface}: {full.known}",
        f"{full.usage:.0%} of the line is used",
    ]
    if share is not None:
        facts.append(f"{share} of an I/O's time passes outside the OSDs' stores")
    return Finding(
        rule=RULE.name,
        claim="The network is full: its line is what limits.",
        because=tuple(facts),
        cells=(evidence.cell.name,),
        unless="the interface carries much that is not the load's",
        try_next="Use a faster line, or bond two; a replicated write crosses it size-1 times more. What it would "
        "bring: radoscope predict STUDY --what-if 'network_Gbps = 10'",
        role=Role.CAUSE,
        resource=f"network, {flow.interface}",
        explains=share,
        hides=("client-scaling", "client-hosts", "client-cpu"),
    )


RULE = Rule(
    name="network-full",
    question="Had the network room left?",
    pitfalls=(5, 22),
    concerns=ceph_cell,
    cell=check_cell,
)
