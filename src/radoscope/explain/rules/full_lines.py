"""Whether the network is full: a line that carries all it can, while OSDs and drives have time to spare."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from radoscope.explain.evidence import CellEvidence, ResultEvidence
from radoscope.explain.finding import Finding, Role, Severity, Share
from radoscope.explain.lines import (
    USUAL_BITS_PER_S,
    Flow,
    Full,
    faster_elsewhere,
    faster_line,
    flows,
    fullest,
    fullest_nearly,
    gbit,
    on_average,
)
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell
from radoscope.explain.times import OUTSIDE, latency_s, of_each, share_over, waterfall_of
from radoscope.records.conditions import Layer
from radoscope.records.measurement import Result
from radoscope.records.study import Segment
from radoscope.records.telemetry import (
    COMMIT_LAT,
    OP_R_LATENCY,
    OP_R_OUT_BYTES,
    OP_W_IN_BYTES,
    OP_W_LATENCY,
    OP_W_PROCESS_LATENCY,
    READ_LAT,
    SEND_WAIT,
    SUBOP_W_LATENCY,
    Counter,
)
from radoscope.units import format_bytes, format_seconds
from radoscope.words import _

_PAYLOAD = (0.93, 0.992)
"""Of the line's rate: 94.9 % in frames of 1,500 bytes, 99.1 % in those of 9,000."""
_MEASURED = 0.88
"""Where iperf3 got no more either: Ceph's own messages take a part."""
_LARGE = 64 * 1024
_STEADY = 0.02
_SECONDS, _NEAR = 8, 50
_LEAST_OUTSIDE = 0.3
"""A full line makes I/Os wait for it; where all but a third passes in the OSDs' stores, it does not limit."""


_READS = ("read", "randread")
_IN_EACH, _NEARLY_ALL = 0.88, 0.8
"""Of the line, in each segment: planted lines came to 0.95 and more, healthy clusters that reach it at times to 0.71 to
0.81 in the others. Of an I/O's time outside the stores: 0.98 behind a port that a busy host filled to 0.86, 0.53 to
0.63 in those healthy clusters."""
_HELD_UP, _TIMES_OTHERS = 0.3, 5.0
"""Of an I/O's time, and of the wait at other hosts, from which on one host's messages wait for its line. Behind
1 Gbit/s it was 0.67 to 0.73, and 400 times as long; on healthy clusters and beside other causes up to 0.16."""


def _network_full_of_cell(evidence: CellEvidence) -> Verdict:
    full = fullest(evidence)
    if full is None and (held := _held_up(evidence) or _arriving_late(evidence)):
        return held
    if full is not None:
        return _filled(evidence, full)
    if nearly := fullest_nearly(evidence):
        return _filled(evidence, nearly, nearly=True)
    if flows(evidence) or _anything_seen(evidence):
        return None
    return Unchecked(_("the interfaces' byte counts were not recorded"))


def _filled(evidence: CellEvidence, full: Full, *, nearly: bool = False) -> Finding | None:
    share = share_over(map(_on_the_way, evidence.segments))
    if share is not None and share.value < _LEAST_OUTSIDE:
        return None
    found = _network_full_finding(evidence, full, share)
    in_each = min(full.flow.each) >= _IN_EACH * full.line or (share is not None and share.low >= _NEARLY_ALL)
    return found if in_each and not nearly else _as_limit(found)


def _as_limit(found: Finding) -> Finding:
    """Full in one segment and not in another, or nearly full in all: something else holds the load back as well, and a
    faster line may bring nothing. Of three such studies of healthy clusters it brought 4 %."""
    claim = _("The network is nearly full: its link is the next limit.")
    return replace(found, claim=claim, role=Role.LIMIT, explains=None, hides=())


def _held_up(evidence: CellEvidence) -> Finding | None:
    """By the OSDs' own counters, so that nothing of their hosts need be seen: the answers of one host's OSDs wait until
    their connections take them, those of other hosts leave at once. A slow reader would hold up all of them."""
    found = _at_one_host(evidence, _slowest_to_send)
    share = share_over(seen.share for seen in found)
    if share is None or share.low < _HELD_UP:
        return None
    host = found[0].host
    return Finding(
        claim=_("The path from {host} to the client is full: what its OSDs send waits.", host=host),
        because=(
            _(
                "a message of its OSDs waits {own} before it is sent, one of other hosts' {others}",
                own=format_seconds(statistics.fmean(seen.wait_s for seen in found)),
                others=format_seconds(statistics.fmean(seen.others_s for seen in found)),
            ),
            _("that is {share} of the mean latency", share=share),
            _(
                "it sent {rate}/s to clients",
                rate=format_bytes(statistics.fmean(seen.bytes_per_s for seen in found)),
            ),
        ),
        severity=Severity.DOUBTFUL,
        unless=_("a small TCP window towards that host alone does the same"),
        try_next=_(
            "On {host}, on the client's host and on the switch between them: ethtool and ip -s -s link; iperf3 from "
            "{host} to the client. With --osd-host ssh:{host} radoscope sees its links and CPUs.",
            host=host,
        ),
        role=Role.CAUSE,
        resource=f"network, {host}",
        explains=share,
        hides=("client-cpu", "slow-transfers"),
    )


def _arriving_late(evidence: CellEvidence) -> Finding | None:
    """The same the other way: what clients write to the OSDs of one host is not whole for long after it has begun to
    arrive, while what other OSDs send them is."""
    if not (found := _at_one_host(evidence, _last_to_receive)):
        return None
    host, share = found[0].host, share_over(seen.share for seen in found)
    return Finding(
        claim=_("The path from the clients to {host} is slow: writes reach its OSDs late.", host=host),
        because=(
            _(
                "a write takes {own} to arrive at its OSDs, {others} at those of other hosts",
                own=format_seconds(statistics.fmean(seen.wait_s for seen in found)),
                others=format_seconds(statistics.fmean(seen.others_s for seen in found)),
            ),
            _("replication from other OSDs does not wait there"),
            _(
                "it received {rate}/s from clients",
                rate=format_bytes(statistics.fmean(seen.bytes_per_s for seen in found)),
            ),
        ),
        severity=Severity.DOUBTFUL,
        unless=_("a small TCP window towards that host alone does the same"),
        try_next=_(
            "iperf3 -c {host} from the client, then with -R. At the switch's port to {host}: speed, drops, pause "
            "frames, rate limits.",
            host=host,
        ),
        role=Role.CAUSE,
        resource=f"network, {host}",
        explains=share,
        hides=("client-cpu", "slow-transfers"),
    )


_LATE, _BUSY_ITSELF = 0.2, 2.0
"""Of the mean write. Behind a switch's port of 250 Mbit/s it was 0.30 to 0.42, of healthy clusters and of other causes
0.34 at most, where all OSDs were as late or replication was, too. Times what other OSDs take for a replica's write."""


def _last_to_receive(segment: Segment, hosts: Mapping[int, str]) -> _Waiting | None:
    """None where its OSDs are not far behind, or what waits there waits for the OSDs themselves."""
    water, begun, replicas = waterfall_of(segment), _before_begun(segment), of_each(segment, SUBOP_W_LATENCY)
    here, elsewhere = _last_host(begun, hosts)
    if water is None or not elsewhere or any(result.op in _READS for result in segment.results):
        return None
    wait, others = (statistics.median(begun[osd] for osd in osds) for osds in (here, elsewhere))
    if wait < max(_LATE * water.total_s, _TIMES_OTHERS * others):
        return None
    busy, idle = ([replicas[osd] for osd in osds if osd in replicas] for osds in (here, elsewhere))
    if not busy or not idle or statistics.median(busy) > _BUSY_ITSELF * statistics.median(idle):
        return None
    part = _part_of(segment, here, OP_W_IN_BYTES)
    # What has not begun to arrive waits at the client, where only the sum over all hosts is seen.
    share = min(1.0, water.share(OUTSIDE) + part * wait / water.total_s)
    return _Waiting(hosts[here[0]], wait, others, share, part * _rate(segment))


def _before_begun(segment: Segment) -> dict[int, float]:
    """Seconds from the first bytes of a write to the moment at which an OSD begins with it."""
    taken, working = of_each(segment, OP_W_LATENCY), of_each(segment, OP_W_PROCESS_LATENCY)
    return {osd: taken[osd] - working[osd] for osd in taken if osd in working}


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A host whose OSDs' messages wait longest. wait_s, others_s: a message's wait there and, in the median, elsewhere.
    share: of all I/Os' time. bytes_per_s: what it sent to clients, or received from them."""

    host: str
    wait_s: float
    others_s: float
    share: float
    bytes_per_s: float


def _at_one_host(
    evidence: CellEvidence, waiting: Callable[[Segment, Mapping[int, str]], _Waiting | None]
) -> list[_Waiting]:
    """What waits in each segment; nothing where it is not at the same host in all of them, and in two at least."""
    cluster = evidence.environment.cluster
    hosts = {osd.id: osd.host for osd in cluster.each_osd if osd.host} if cluster else {}
    found = [seen for one in evidence.segments if (seen := waiting(one, hosts)) is not None]
    is_same = len({seen.host for seen in found}) == 1
    return found if is_same and len(found) >= max(2, len(evidence.segments)) else []


def _slowest_to_send(segment: Segment, hosts: Mapping[int, str]) -> _Waiting | None:
    """None where it is not far behind the others, or the OSDs of its host are slow themselves."""
    waits, taken = of_each(segment, SEND_WAIT), of_each(segment, OP_R_LATENCY)
    total = sum((one.latency.mean_s or 0.0) * (one.total_ios or 0) for one in segment.results if one.latency)
    if not total or any(result.op not in _READS for result in segment.results):
        return None
    here, elsewhere = _last_host(waits, hosts)
    if not elsewhere:
        return None
    wait, others = (statistics.median(waits[osd] for osd in osds) for osds in (here, elsewhere))
    busy, idle = ([taken[osd] for osd in osds if osd in taken] for osds in (here, elsewhere))
    if wait < _TIMES_OTHERS * others or not busy or not idle:
        return None
    if statistics.median(busy) - statistics.median(idle) >= wait / 2:
        return None
    waited = math.fsum(waits[osd] * segment.osd_counters[osd][SEND_WAIT.events] for osd in here)
    rate = _part_of(segment, here, OP_R_OUT_BYTES) * _rate(segment)
    return _Waiting(hosts[here[0]], wait, others, waited / total, rate)


def _last_host(waits: Mapping[int, float], hosts: Mapping[int, str]) -> tuple[list[int], list[int]]:
    """The OSDs of the host at which something waits longest, and those of others; none where its host is unknown."""
    own = hosts.get(max(waits, key=lambda osd: waits[osd], default=-1))
    if own is None:
        return [], []
    here = [osd for osd in waits if hosts.get(osd) == own]
    return here, [osd for osd in waits if hosts.get(osd) not in (None, own)]


def _part_of(segment: Segment, osds: Sequence[int], moved: Counter) -> float:
    """Of the bytes that all OSDs moved, what these did."""
    each = {osd: one.get(moved.name, 0.0) for osd, one in segment.osd_counters.items()}
    return math.fsum(each[osd] for osd in osds) / (math.fsum(each.values()) or 1.0)


def _rate(segment: Segment) -> float:
    return math.fsum(one.bandwidth_bytes_per_s or 0.0 for one in segment.results)


def _anything_seen(evidence: CellEvidence) -> bool:
    return any(series.name.startswith("nic_") for one in evidence.segments for series in one.telemetry)


def _on_the_way(segment: Segment) -> float | None:
    """Share of the mean I/O that passed outside the OSDs' stores: on the line, and in queues before and behind it."""
    total, stores = latency_s(segment), (COMMIT_LAT, READ_LAT)
    if total is None or waterfall_of(segment) is None:
        return None
    is_read = any(result.op in _READS for result in segment.results)
    inside = segment.counters.get(stores[is_read].name)
    return None if inside is None else 1 - inside / total


def _network_full_of_result(evidence: ResultEvidence) -> Verdict:
    """Large blocks on Ceph at what TCP's payload is of a usual line, level by the second or in two results alike."""
    result, rate = evidence.result, evidence.result.bandwidth_bytes_per_s
    if not evidence.on_ceph or rate is None or (result.block_bytes or 0) < _LARGE:
        return None
    measured = [*_iperf_alike(evidence, rate)]
    line = next(
        (
            bits
            for bits in USUAL_BITS_PER_S
            if (_MEASURED if measured else _PAYLOAD[0]) <= rate * 8 / bits <= _PAYLOAD[1]
        ),
        None,
    )
    if line is None:
        return None
    facts = [*_level(result), *_others_alike(evidence, rate), *measured]
    if not facts:
        return None
    return Finding(
        claim=_("The network is full: {line:g} Gbit/s carries no more.", line=line / 1e9),
        because=(
            _(
                "{rate}/s is {share:.0%} of {line:g} Gbit/s",
                rate=format_bytes(rate),
                share=rate * 8 / line,
                line=line / 1e9,
            ),
            *facts,
        ),
        unless=_("the drives happen to be as fast, or a limit is set to it"),
        try_next=_("iperf3 between the hosts shows what the link carries; ethtool shows its speed."),
        role=Role.CAUSE,
        resource="network",
    )


def _level(result: Result) -> Iterator[str]:
    for series in result.series:
        middle = series.values[1:-1]
        if len(middle) >= _SECONDS and (mean := statistics.fmean(middle)) > 0:
            spread = statistics.pstdev(middle) / mean
            if spread <= _STEADY:
                yield _(
                    "by the second it varies by {spread:.1%}: drives and processors do not work so evenly",
                    spread=spread,
                )
                return


def _others_alike(evidence: ResultEvidence, rate: float) -> Iterator[str]:
    """Reads and writes that come to the same: they have the line in common, and little else."""
    own = evidence.operation
    for other in evidence.neighbours.near(evidence.number, _NEAR):
        same_way = own is None or other.op is None or (other.op.endswith("read") == own.reads)
        near = other.bandwidth_bytes_per_s is not None and abs(other.bandwidth_bytes_per_s / rate - 1) <= _STEADY
        if other is not evidence.result and not same_way and near and (other.block_bytes or 0) >= _LARGE:
            yield _(
                "{op} comes to the same {bandwidth_bytes_per_s}/s",
                op=other.op,
                bandwidth_bytes_per_s=format_bytes(other.bandwidth_bytes_per_s or 0),
            )
            return


def _iperf_alike(evidence: ResultEvidence, rate: float) -> Iterator[str]:
    for other in evidence.neighbours.results:
        got = other.bandwidth_bytes_per_s
        if other.tool in ("iperf3", "iperf") and got and 0.93 <= rate / got <= 1.05:
            yield _("iperf3 got {got}/s", got=format_bytes(got))
            return


def _network_full_finding(evidence: CellEvidence, full: Full, share: Share | None) -> Finding:
    flow = full.flow
    facts = [
        f"{format_bytes(flow.bytes_per_s)}/s {flow.way} by {flow.interface}: {full.known}",
        _("{usage:.0%} of the link is used", usage=full.usage),
    ]
    if share is not None:
        facts.append(_("{share} of an I/O's time passes outside the OSDs' stores", share=share))
    own = _most_of_load(evidence, flow)
    if own is not None and on_average(evidence, flow) >= _FOREIGN * own:
        return _taken_finding(flow, own, facts, share)
    step = _(
        "Use a faster link, or bond two; between OSDs a replicated write is sent size-1 times more. What it would "
        "bring: radoscope predict STUDY --what-if 'network_Gbps = {faster:g}'",
        faster=faster_line(full.line) / 1e9,
    )
    if elsewhere := faster_elsewhere(evidence, full):
        facts.append(_("other hosts have {line} there", line=gbit(elsewhere)))
        step = _(
            "See why {interface} is slower than the others: ethtool, the cable, the switch's port. What their rate "
            "would bring: radoscope predict STUDY --what-if 'network_Gbps = {faster:g}'",
            interface=flow.interface,
            faster=elsewhere * 8e-9,
        )
    return Finding(
        claim=_("The network is full: its link is the limit."),
        because=tuple(facts),
        unless=_("the interface carries much that is not the load's"),
        try_next=step,
        role=Role.CAUSE,
        resource=f"network, {flow.interface}",
        explains=share,
        hides=("client-scaling", "client-hosts", "client-cpu"),
    )


_FOREIGN, _BESIDE = 2.0, 4096
"""Times what the load can have put on a line; bytes of messages beside the data of an operation, at most."""


def _most_of_load(evidence: CellEvidence, flow: Flow) -> float | None:
    """Bytes a second that the load can have put on this line at most; None where nobody can tell.

    An OSD's host carries the data at most once for each copy, a client's once and one way, a gateway's once more. Which
    is which is certain in a sandbox alone: elsewhere clients may run on hosts of OSDs. What is under way when a segment
    ends was on the line, too.
    """
    asked, cluster, iops = evidence.conditions, evidence.environment.cluster, evidence.iops
    iops = None if iops is None else iops + statistics.fmean(asked.in_flight / one.seconds for one in evidence.segments)
    if iops is None or not asked.block_bytes or cluster is None or cluster.pool is None or cluster.pool.erasure_profile:
        return None
    host = flow.interface.partition(":")[0]
    if evidence.study.sandbox is not None and host not in {osd.host for osd in cluster.each_osd}:
        has_data = asked.op.reads if flow.is_inbound else asked.op.writes
        return iops * (has_data * asked.block_bytes + _BESIDE)
    copies = (cluster.pool.size or 3) if asked.op.writes else 1
    return iops * (asked.block_bytes + _BESIDE) * (copies + (asked.layer is Layer.S3))


def _taken_finding(flow: Flow, own: float, facts: list[str], share: Share | None) -> Finding:
    return Finding(
        claim=_("The network is full, and most of it is not the load's: others send over the same link."),
        because=(*facts, _("the load can have put {own}/s on it at most", own=format_bytes(own))),
        severity=Severity.DOUBTFUL,
        unless=_("a faster link is cheaper than to move them"),
        try_next=_(
            "Find who sends on {interface}: iftop or nethogs on that host; ceph -s tells of recovery and of Ceph's "
            "other clients. Give them another link or other hours.",
            interface=flow.interface,
        ),
        role=Role.CAUSE,
        resource=f"network, {flow.interface}",
        explains=share,
        hides=("client-scaling", "client-hosts", "client-cpu", "network-path"),
    )


NETWORK_FULL_RULE = Rule(
    "network-full",
    "Did the network have bandwidth to spare?",
    pitfalls=(5, 22),
    concerns=ceph_cell,
    cell=_network_full_of_cell,
    result=_network_full_of_result,
)
