"""The network itself: jumbo frames that do not get through, losses, resends, a 1 Gbit/s link on the way."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import replace

from radoscope.explain.evidence import ResultEvidence, StudyEvidence
from radoscope.explain.finding import Finding, Role, Severity, Share
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell
from radoscope.explain.times import latency_s, share_over
from radoscope.records.conditions import Layer
from radoscope.records.measurement import Result
from radoscope.records.study import Outcome, Segment
from radoscope.records.telemetry import NIC_SENT, TCP_RESENT
from radoscope.units import format_count, format_seconds

_GIGABIT = (0.85e9 / 8, 0.95e9 / 8)
"""What TCP gets through 1 Gbit/s: 941 Mbit/s with frames of 1,500 bytes."""
_RESENDS_PER_GIB = 500
_RESENDS, _SEGMENT_BYTES, _LOST = 50, 1448, 0.01
"""Full lines, slow drives and busy processors made TCP send up to 0.1 % again here."""
_LATER, _LATER_S = 4.0, 0.5e-3
"""Heartbeats between healthy hosts of a busy machine differed by up to 2."""
_COMMAND = "ping -M do -s 8972 HOST (for MTU 9000); ethtool HOST-NIC; ip -s link"


def check_study(evidence: StudyEvidence) -> Verdict:
    cells = {summary.cell.name for summary in evidence.cells(Layer.NETWORK)}
    segments = [segment for segment in evidence.study.segments if segment.cell in cells]
    if broken := _broken_path(evidence):
        return broken
    because = [fact for segment in segments if (fact := _problem(evidence, segment))]
    because += [fact for segment in segments for result in segment.results if (fact := _fact(result))]
    if not segments:
        return Unchecked("the study has no network cell")
    return _finding(tuple(dict.fromkeys(because)), tuple(sorted(cells))) if because else None


def _broken_path(evidence: StudyEvidence) -> Finding | None:
    """A host that believes in other packets than its peers, a path that loses them, a host that answers late."""
    facts = [*_lost(evidence)]
    if not facts and not _failed(evidence):
        return _late_host(evidence)
    unlike = _unlike(evidence)
    if not unlike and not facts:
        return None
    claim = "Hosts disagree on the size of packets: large ones get lost." if unlike else "Packets get lost on the way."
    return Finding(
        rule=RULE.name,
        claim=claim,
        because=(*unlike, *facts),
        severity=Severity.DOUBTFUL,
        cells=tuple(one.cell.name for one in evidence.summaries.cells if one.cell.conditions.layer is not Layer.DISK),
        unless="the link is meant to be like this",
        try_next=_COMMAND,
        role=Role.CAUSE,
        resource="network path",
        hides=("client-cpu", "sick-osd"),
    )


def _unlike(evidence: StudyEvidence) -> tuple[str, ...]:
    """Interfaces of the same name whose MTU differs between hosts."""
    by_name: dict[str, dict[int, list[str]]] = {}
    for link in evidence.environment.links:
        if link.mtu is not None:
            by_name.setdefault(link.name, {}).setdefault(link.mtu, []).append(link.host)
    return tuple(
        f"MTU of {name}: " + ", ".join(f"{mtu} on {', '.join(hosts)}" for mtu, hosts in sorted(found.items()))
        for name, found in by_name.items()
        if len(found) > 1
    )


def _lost(evidence: StudyEvidence) -> Iterator[str]:
    """What TCP sent again, by host, where it is much for the bytes that were moved."""
    resent: dict[str, float] = {}
    moved: dict[str, float] = {}
    for segment in evidence.study.segments:
        for series in segment.telemetry:
            if (host := TCP_RESENT.thing(series.name)) is not None:
                resent[host] = resent.get(host, 0.0) + sum(series.values)
            elif interface := NIC_SENT.thing(series.name):
                host = interface.partition(":")[0]
                moved[host] = moved.get(host, 0.0) + sum(series.values)
    for host, count in resent.items():
        if count > _RESENDS and count * _SEGMENT_BYTES > _LOST * moved.get(host, 0.0):
            gib = moved.get(host, 0.0) / 2**30
            yield f"{host or 'this host'} sent {format_count(count)} TCP segments again for {gib:.2g} GiB"


def _failed(evidence: StudyEvidence) -> bool:
    return any(segment.outcome is Outcome.FAILED for segment in evidence.study.segments)


def _late_host(evidence: StudyEvidence) -> Finding | None:
    """A host whose OSDs' heartbeats all take far longer than those between the others."""
    cluster = evidence.environment.cluster
    hosts = {osd.id: osd.host for osd in cluster.each_osd} if cluster else {}
    touching: dict[str, list[float]] = {host: [] for host in hosts.values()}
    apart: dict[str, list[float]] = {host: [] for host in hosts.values()}
    for osd in cluster.each_osd if cluster else ():
        for peer, seconds in osd.answers_s.items():
            for host in touching:
                (touching if host in (osd.host, hosts.get(peer)) else apart)[host].append(seconds)
    both = {
        host: (statistics.median(touching[host]), statistics.median(apart[host]))
        for host in touching
        if touching[host] and apart[host]
    }
    late = [host for host, (own, others) in both.items() if own > _LATER * others and own - others > _LATER_S]
    if len(late) != 1:
        return None
    own, others = both[late[0]]
    return Finding(
        rule=RULE.name,
        claim=f"Host {late[0]} answers later than the others: what it takes part in waits for the network.",
        because=(f"its OSDs' heartbeats take {format_seconds(own)}, those between others {format_seconds(others)}",),
        cells=tuple(one.cell.name for one in evidence.summaries.cells if ceph_cell(one.cell.conditions)),
        unless="it stands at another place, or its processors are full",
        try_next=f"ping {late[0]} from its peers; ethtool -c (interrupt moderation), switch port, power states",
        role=Role.CAUSE,
        resource=f"network of {late[0]}",
        explains=_share_of_trip(evidence, own - others),
        hides=("sick-osd",),
    )


def _share_of_trip(evidence: StudyEvidence, seconds: float) -> Share | None:
    single = [
        latency
        for segment in evidence.study.segments
        if evidence.study.cell(segment.cell).conditions.in_flight == 1
        and ceph_cell(evidence.study.cell(segment.cell).conditions)
        and (latency := latency_s(segment))
    ]
    return share_over(seconds / latency for latency in single)


def check_result(evidence: ResultEvidence) -> Verdict:
    fact = _fact(evidence.result)
    if fact is None:
        return None
    found = _finding((fact,), (evidence.name,))
    return replace(found, role=Role.CAUSE, resource="network path") if _loses(evidence.result) else found


def _loses(result: Result) -> bool:
    """Packets that are sent again by the thousand, or pings without an answer; a slow line may be meant to be slow."""
    moved_gib = (result.bandwidth_bytes_per_s or 0) * (result.runtime_s or 0) / 2**30
    resent = _number(result, "retransmits") or 0.0
    return bool(_number(result, "loss_pct")) or (moved_gib > 0 and resent / moved_gib > _RESENDS_PER_GIB)


def _problem(evidence: StudyEvidence, segment: Segment) -> str | None:
    """A jumbo ping that failed: somewhere the MTU is smaller."""
    tool = evidence.study.cell(segment.cell).conditions.tool
    if tool != "jumbo-ping" or segment.outcome is not Outcome.FAILED:
        return None
    return f"a jumbo ping did not get through: {segment.problem or 'no answer'}"


def _fact(result: Result) -> str | None:
    if result.tool == "ping" and (lost := _number(result, "loss_pct")):
        return f"ping lost {lost:.3g} %"
    if result.tool not in ("iperf3", "iperf"):
        return None
    rate, resent = result.bandwidth_bytes_per_s, _number(result, "retransmits")
    if rate and _GIGABIT[0] <= rate <= _GIGABIT[1] and (result.jobs or 1) >= 1:
        return f"iperf3 got {rate * 8 / 1e6:,.0f} Mbit/s: as much as 1 GbE carries"
    moved_gib = (rate or 0) * (result.runtime_s or 0) / 2**30
    if resent and moved_gib and resent / moved_gib > _RESENDS_PER_GIB:
        return f"TCP resent {format_count(resent)} segments in {format_seconds(result.runtime_s or 0)}"
    return None


def _number(result: Result, name: str) -> float | None:
    value = result.extra.get(name)
    return float(value) if isinstance(value, (int, float)) else None


def _finding(because: tuple[str, ...], cells: tuple[str, ...]) -> Finding:
    return Finding(
        rule=RULE.name,
        claim="The network path is slower or lossier than it seems.",
        because=because,
        severity=Severity.NOTE,
        cells=cells,
        unless="the link is meant to be like this",
        try_next=_COMMAND,
    )


RULE = Rule(
    name="network-path",
    question="Is the network path as fast and clean as it should be?",
    pitfalls=(22,),
    study=check_study,
    result=check_result,
)
