"""Transfers that take long though nobody computes and no line is full: small TCP windows, lost packets, a bad path."""

from __future__ import annotations

import statistics
from dataclasses import replace

from radoscope.explain.evidence import CellEvidence
from radoscope.explain.finding import Finding, Role, Severity, Share
from radoscope.explain.lines import any_crowded, fullest
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell
from radoscope.explain.times import (
    OUTSIDE,
    REPLICAS,
    STORE,
    Waterfall,
    each_of,
    full_host,
    of_each,
    replica_s,
    share_of,
    share_of_parts,
    share_over,
    waterfall_of,
)
from radoscope.records.conditions import Conditions
from radoscope.records.study import Segment
from radoscope.records.telemetry import (
    CLIENT_CPU,
    CLIENT_CPU_WAIT,
    COMMIT_LAT,
    OP_R_LATENCY,
    OP_W_LATENCY,
    OSD_CPU,
    OSD_CPU_WAIT,
    SUBOP_W_LATENCY,
)
from radoscope.units import format_bytes, format_seconds
from radoscope.words import N_, _

LOOK_OUTSIDE = N_(
    "From the client to each OSD host and back: iperf3 -c HOST, -R; on both while the load runs: ss -tin "
    "(rwnd_limited, sndbuf_limited, retrans); limits of the client: rbd config image ls, io.max of its cgroup"
)
_UNKNOWN = N_("the OSDs' own times, or what they computed meanwhile, were not recorded")
_LARGE = 256 * 1024
_LEAST, _ALWAYS = 0.3, 0.15
"""On average, and in each segment. On machines full of other work healthy clusters came to 0.11."""
_SLOWEST_OF_TWO = 2.0
"""The primary waits for the slower of its replicas: at most twice their mean, where there are two."""
_SAME = 0.15
_DEEP, _ALIKE = 8, 2.0
"""With so many large writes in flight something is busy all the time: a store, a core, or what lies between. A few of
them wait for their own bytes alone. Where one OSD answers twice as late as the one in the middle, it is that OSD."""


def _slow_transfers_of_cell(evidence: CellEvidence) -> Verdict:
    found = _held_up(evidence)
    if not isinstance(found, Finding) or (fact := _same_in_all(evidence)) is None:
        return found
    return replace(
        found,
        claim=_("The network between the hosts is full: in all it moves as much in reads as in writes."),
        because=(*found.because, fact),
        unless=_("each pair of hosts is as slow by itself, as with a small TCP window"),
        try_next=_(
            "iperf3 between two hosts, then between two others at the same time; where both together get no more than "
            "one alone, see the switch and the links between switches: port counters, drops, pause frames"
        ),
        resource="network between hosts",
    )


def _same_in_all(evidence: CellEvidence) -> str | None:
    """What the network carries together, where large I/Os of the other direction are held up at the same sum.

    A host's own line or a window holds reads and writes up at other sums: a write passes once for each copy.
    """
    own, writes = _moved(evidence), evidence.conditions.op.writes
    if own is None:
        return None
    cells = [one for one in evidence.study.cells if _large(one.conditions) and one.conditions.op.writes != writes]
    others = [replace(evidence, cell=one, summary=None) for one in cells]
    sums = [moved for one in others if isinstance(_held_up(one), Finding) and (moved := _moved(one)) is not None]
    nearest = min(sums, key=lambda other: abs(other / own - 1), default=None)
    if nearest is None or abs(nearest / own - 1) > _SAME:
        return None
    return _(
        "all hosts together move {own}/s here, {others}/s the other way",
        own=format_bytes(own),
        others=format_bytes(nearest),
    )


def _moved(evidence: CellEvidence) -> float | None:
    """Bytes a second over all links: what clients move and, of a write, once more for each further copy."""
    pool = evidence.environment.cluster.pool if evidence.environment.cluster else None
    if pool is None or pool.erasure_profile or not pool.size or not evidence.segments:
        return None
    rates = [sum(one.bandwidth_bytes_per_s or 0.0 for one in seg.results) for seg in evidence.segments]
    return statistics.fmean(rates) * (pool.size if evidence.conditions.op.writes else 1) or None


def _held_up(evidence: CellEvidence) -> Verdict:
    """Writes between OSDs, where both ends of a transfer have a clock: no limit of a client can hold these up."""
    if evidence.conditions.op.reads:
        return _reads_outside(evidence)
    found = [seen for one in evidence.segments if (seen := _on_the_way(one, evidence)) is not None]
    if not found:
        return Unchecked(_(_UNKNOWN))
    share = share_over(share for _seconds, share in found)
    if share is None or share.value < _LEAST or share.low < _ALWAYS or len(found) < 2:
        return None
    if fullest(evidence) is not None or any_crowded(evidence):
        return None
    return Finding(
        claim=_("Data takes long from OSD to OSD, although it waits for no CPU and no link is full."),
        because=(
            _(
                "a write is {seconds} on its way to the replicas, beyond what these need for it",
                seconds=format_seconds(statistics.fmean(seconds for seconds, _share in found)),
            ),
            _("that is {share} of the mean latency, in which no thread computes or waits for a core", share=share),
        ),
        severity=Severity.DOUBTFUL,
        unless=_("a link on the path is full that is not a host's own"),
        try_next=_(
            "On each OSD host: ss -tin (rwnd_limited, sndbuf_limited, retrans), sysctl net.ipv4.tcp_rmem "
            "net.ipv4.tcp_wmem, ping -M do -s 8972; then iperf3 between the hosts"
        ),
        role=Role.CAUSE,
        resource="network path",
        explains=share,
        hides=("client-cpu",),
    )


def _reads_outside(evidence: CellEvidence) -> Verdict:
    if not any(waterfall_of(one) and each_of(one, OSD_CPU) for one in evidence.segments):
        return Unchecked(_(_UNKNOWN))
    share = waiting_outside(evidence) if evidence.conditions.in_flight >= _DEEP else None
    if share is None:
        return None
    return Finding(
        claim=_(
            "Reads wait between OSDs and client, on the path or for a limit of the client, although neither is busy."
        ),
        because=(_("{share} of an I/O's time passes there, and no link is full", share=share),),
        severity=Severity.DOUBTFUL,
        unless=_("a link on the path is full that is not a host's own"),
        try_next=_(LOOK_OUTSIDE),
        role=Role.CAUSE,
        resource="path between client and OSDs",
        explains=share,
        hides=("client-cpu",),
    )


def _on_the_way(segment: Segment, evidence: CellEvidence) -> tuple[float, float] | None:
    """(seconds on the way to the replicas, their share of the mean write as far as nobody computed meanwhile)."""
    water, theirs, each = waterfall_of(segment), _slower_replica_s(segment), of_each(segment, SUBOP_W_LATENCY, least=1)
    busy = each_of(segment, CLIENT_CPU, CLIENT_CPU_WAIT, OSD_CPU, OSD_CPU_WAIT)
    # Through ssh nobody sees what OSDs compute: their hosts may be full, and that is why a write takes long.
    if water is None or theirs is None or not each_of(segment, OSD_CPU):
        return None
    if (
        evidence.conditions.in_flight >= _DEEP
        and each
        and max(each.values()) <= _ALIKE * statistics.median(each.values())
    ):
        theirs = _in_stores(segment) or theirs
    seconds = _behind_primary_s(water) - theirs
    # Behind a thread that waits for a core others queue, and so does what the kernel sends: no counter has that.
    idle = 0.0 if full_host(segment) and not _nobody_busy(segment) else 1.0 - sum(busy) / evidence.conditions.in_flight
    return max(0.0, seconds), max(0.0, min(seconds / water.total_s, idle))


def _behind_primary_s(water: Waterfall) -> float:
    """The primary's own commit and the way to its replicas begin at the same time."""
    return (water.share(STORE) + water.share(REPLICAS)) * water.total_s


def _slower_replica_s(segment: Segment) -> float | None:
    replica, each = replica_s(segment), of_each(segment, SUBOP_W_LATENCY, least=1)
    return None if replica is None else max(_SLOWEST_OF_TWO * replica, *each.values(), 0.0)


def _in_stores(segment: Segment) -> float | None:
    """What the slower of two replicas needs from its store; its count of a write begins with the first bytes of it."""
    commits = of_each(segment, COMMIT_LAT, least=1).values()
    return max(_SLOWEST_OF_TWO * statistics.fmean(commits), *commits) if commits else None


_WAITING, _TWICE = 0.6, 2
"""Of an I/O's time, in each of two segments and more."""
_MOSTLY = 0.8
"""Healthy clusters on a machine whose processors were nearly full came to 0.77, behind a line of 1 Gbit/s to 0.97."""
_BEYOND = 0.05
"""Twice the mean replica is more than the slower one needs, so that healthy clusters, slow drives and debug logs came
to 0.02 at most, behind a line of 1 Gbit/s to 0.07 and more, in each segment."""
_IDLE = 0.6
"""Seconds a second that all threads of a process compute or wait for a core. Where I/Os queued for one thread of a
client it was 1.3 and more, where they waited for a small TCP window 0.3 to 0.5."""


def waiting_outside(evidence: CellEvidence) -> Share | None:
    """Of the mean I/O, what passes between client and OSDs, beyond a round trip, while neither is busy and no line is
    full. A bad path does so, or a limit in the client: which of them no counter tells.
    """
    if any_crowded(evidence) or fullest(evidence) is not None:
        return None
    trip_s = evidence.round_trip_s() or 0.0
    idle = [one for one in evidence.segments if _nobody_busy(one)]
    share = share_of_parts(idle, OUTSIDE, beyond_s=trip_s)
    if share is None or share.low < _WAITING or len(idle) < max(_TWICE, len(evidence.segments)):
        return None
    # One slow OSD holds the few I/Os that the client sees end, while its peers' many quick ones make up the mean.
    inside = OP_W_LATENCY if evidence.conditions.op.writes else OP_R_LATENCY
    slowest = share_of(idle, lambda one: max(of_each(one, inside, least=1).values(), default=0.0))
    return share if slowest is None or slowest.high <= 1 - _WAITING else None


def waiting_unseen(evidence: CellEvidence) -> Share | None:
    """The same of large I/Os where no host of OSDs is seen: their links or processors may be full. The client is not
    busy, though its host may be. Of small ones, a client's own work is most of what passes outside.

    Of writes, what passes from OSD to OSD beyond the slower replica's own time; of reads, between client and OSDs.
    """
    client = [each_of(one, CLIENT_CPU) for one in evidence.segments]
    if (evidence.conditions.block_bytes or 0) < _LARGE or len(client) < _TWICE or not all(client):
        return None
    if any(each_of(one, OSD_CPU) for one in evidence.segments) or max(map(max, client)) > _IDLE:
        return None
    if evidence.conditions.op.writes:
        share, least = share_of(evidence.segments, _beyond_replicas_s), _BEYOND
    else:
        share = share_of_parts(evidence.segments, OUTSIDE, beyond_s=evidence.round_trip_s() or 0.0)
        least = _MOSTLY
    return share if share is not None and share.low >= least else None


def _beyond_replicas_s(segment: Segment) -> float | None:
    water, theirs = waterfall_of(segment), _slower_replica_s(segment)
    return None if water is None or theirs is None else max(0.0, _behind_primary_s(water) - theirs)


def _nobody_busy(segment: Segment) -> bool:
    """Whether no process of the load, and no OSD, had even one thread at work; False where nothing tells."""
    pairs = ((CLIENT_CPU, CLIENT_CPU_WAIT), (OSD_CPU, OSD_CPU_WAIT))
    each = [(each_of(segment, computing), each_of(segment, waiting)) for computing, waiting in pairs]
    return all(computing and max(computing) + max(waiting, default=0.0) <= _IDLE for computing, waiting in each)


def _large(conditions: Conditions) -> bool:
    return ceph_cell(conditions) and (conditions.block_bytes or 0) >= _LARGE


SLOW_TRANSFERS_RULE = Rule(
    "slow-transfers",
    "Do large I/Os pass as fast as OSDs take and give them?",
    pitfalls=(22,),
    concerns=_large,
    cell=_slow_transfers_of_cell,
)
