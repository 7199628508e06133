"""The network is full: a line that carries all it can, while OSDs and drives have time to spare."""

from __future__ import annotations

import statistics
from collections.abc import Iterator

from radoscope.explain.evidence import CellEvidence, ResultEvidence
from radoscope.explain.finding import Finding, Role, Share
from radoscope.explain.lines import USUAL_BITS_PER_S, Full, flows, fullest
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell
from radoscope.explain.times import latency_s, share_over, waterfall_of
from radoscope.records.measurement import Result
from radoscope.records.study import Segment
from radoscope.records.telemetry import COMMIT_LAT, READ_LAT
from radoscope.units import format_bytes

_PAYLOAD = (0.93, 0.992)
"""Of the line's rate: 94.9 % in frames of 1,500 bytes, 99.1 % in those of 9,000."""
_LARGE = 64 * 1024
_STEADY = 0.02
_SECONDS, _NEAR = 8, 50
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


def check_result(evidence: ResultEvidence) -> Verdict:
    """Large blocks on Ceph at what TCP's payload is of a usual line, level by the second or in two results alike."""
    result, rate = evidence.result, evidence.result.bandwidth_bytes_per_s
    if not evidence.on_ceph or rate is None or (result.block_bytes or 0) < _LARGE:
        return None
    line = next((bits for bits in USUAL_BITS_PER_S if _PAYLOAD[0] <= rate * 8 / bits <= _PAYLOAD[1]), None)
    if line is None:
        return None
    facts = [*_level(result), *_others_alike(evidence, rate), *_iperf_alike(evidence, rate)]
    if not facts:
        return None
    return Finding(
        rule=RULE.name,
        claim=f"The network is full: {line / 1e9:g} Gbit/s carries no more.",
        because=(f"{format_bytes(rate)}/s is {rate * 8 / line:.0%} of {line / 1e9:g} Gbit/s", *facts),
        cells=(evidence.name,),
        unless="the drives happen to be as fast, or a limit is set to it",
        try_next="iperf3 between the hosts says what the line carries; ethtool says its speed.",
        role=Role.CAUSE,
        resource="network",
    )


def _level(result: Result) -> Iterator[str]:
    for series in result.series:
        middle = series.values[1:-1]
        if len(middle) >= _SECONDS and (mean := statistics.fmean(middle)) > 0:
            spread = statistics.pstdev(middle) / mean
            if spread <= _STEADY:
                yield f"by the second it varies by {spread:.1%}: drives and processors do not work so evenly"
                return


def _others_alike(evidence: ResultEvidence, rate: float) -> Iterator[str]:
    """Reads and writes that come to the same: they have the line in common, and little else."""
    own = evidence.operation
    for other in evidence.neighbours.near(evidence.number, _NEAR):
        same_way = own is None or other.op is None or (other.op.endswith("read") == own.reads)
        near = other.bandwidth_bytes_per_s is not None and abs(other.bandwidth_bytes_per_s / rate - 1) <= _STEADY
        if other is not evidence.result and not same_way and near and (other.block_bytes or 0) >= _LARGE:
            yield f"{other.op} comes to the same {format_bytes(other.bandwidth_bytes_per_s or 0)}/s"
            return


def _iperf_alike(evidence: ResultEvidence, rate: float) -> Iterator[str]:
    for other in evidence.neighbours.results:
        got = other.bandwidth_bytes_per_s
        if other.tool in ("iperf3", "iperf") and got and 0.93 <= rate / got <= 1.05:
            yield f"iperf3 got {format_bytes(got)}/s"
            return


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
    question="Did the network have bandwidth to spare?",
    pitfalls=(5, 22),
    concerns=ceph_cell,
    cell=check_cell,
    result=check_result,
)
