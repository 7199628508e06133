"""The OSDs beside each other: processors, and one that lags behind."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice

from radoscope.explain.evidence import CellEvidence, ResultEvidence, named_osds
from radoscope.explain.finding import Finding, Role, Severity, Share
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell
from radoscope.explain.times import (
    HELD_S,
    background_work,
    each_series,
    held_up,
    latency_s,
    median_of_others,
    of_each,
    share_held,
    share_over,
    touched,
)
from radoscope.records.conditions import Conditions
from radoscope.records.measurement import Result
from radoscope.records.study import Segment, Study
from radoscope.records.telemetry import (
    COMMIT_LAT,
    HOST_CPU,
    OP_BEFORE_DEQUEUE,
    OP_R,
    OP_R_LATENCY,
    OP_W,
    OP_W_LATENCY,
    OSD_CPU,
    OSD_CPU_THROTTLED,
    OSD_CPU_WAIT,
    OSD_CPUS,
    READ_WAIT_AIO_LAT,
    SEND_WAIT,
    Counter,
)
from radoscope.records.telemetry import SUBOP_W_LATENCY as SUBOP
from radoscope.stats.queueing import waits_of_equals
from radoscope.stats.segments import segment_iops
from radoscope.units import format_seconds
from radoscope.words import _

# The OSDs use up the cores of their hosts, or some of them do not get the cores that their peers get.

_FULL = 0.7
"""Of all threads of the OSD hosts; hyperthreads count as threads here, so 70 % is close to all that they can do."""
_MOST_THREADS = 14.0
"""One OSD stops growing at 14 to 16 threads (ceph.io, "Ceph OSD CPU scaling")."""
_LONGER = 2.3
"""In each segment. Peers on a machine full of other work differed by up to 2.0."""
_LONG_S = 0.3
_SEGMENTS = 2
_MUCH_LATER = 0.2
"""Of the mean latency, on average over the segments. Chance made it 0.15 in one cell of forty-two here."""
_OSD_CPU_LEAST_SHARE = 0.1
_IDLE_BESIDE, _LONG, _WAITING = 0.8, 4.0, 7.0
"""Busy share of a host, seconds a second, and times what they compute. OSDs that were pinned to one of two cores waited
nine and twelve times as long as they computed with several writes in flight."""
_OFTEN = 0.4
"""Of the segments of other cells in which any OSD waits long."""


def _osd_cpu_of_cell(evidence: CellEvidence) -> Verdict:
    osds = evidence.readings(OSD_CPU)
    if not osds:
        return Unchecked(_("the OSDs' CPU time was not recorded"))
    if starved := _throttled(evidence) or _starved(evidence) or _pinned(evidence):
        return starved
    busiest = max(osds, key=lambda osd: osd.value)
    if busiest.value >= _MOST_THREADS:
        return _osd_cpu_finding(
            evidence, _("osd.{thing} used {busiest:.1f} cores", thing=busiest.thing, busiest=busiest.value)
        )
    hosts = [host for host in evidence.environment.hosts if "osd" in host.role or evidence.on_one_host]
    if not hosts or any(host.cpu_threads is None for host in hosts):
        return Unchecked(_("the CPU threads of the OSDs' hosts are not known"))
    threads, used = sum(host.cpu_threads or 0 for host in hosts), sum(osd.value for osd in osds)
    if used < _FULL * threads:
        return None
    return _osd_cpu_finding(
        evidence, _("{n} OSDs used {used:.1f} of {threads} CPU threads", n=len(osds), used=used, threads=threads)
    )


_OF_LACKING_CORES = ("sick-osd", "flush-bound", "drive-bound", "network-path")
"""What else an OSD without a core looks like: to it, hosts send again what it has no time to take."""


def _throttled(evidence: CellEvidence) -> Finding | None:
    """OSDs that the limit of their container or service keeps from cores, whether or not their peers have one, too."""
    held = [one for one in evidence.readings(OSD_CPU_THROTTLED) if one.value >= HELD_S]
    if not held:
        return None
    most = max(one.value for one in held)
    named = ", ".join(f"osd.{one.thing}" for one in held)
    return Finding(
        claim=_("A CPU limit holds OSDs back: {named}.", named=named),
        because=(
            _("the limit of its control group kept an OSD from its cores for {most:.2g} s each second", most=most),
        ),
        severity=Severity.DOUBTFUL,
        try_next=_(
            "Raise the limit: systemctl show -p CPUQuotaPerSecUSec, cpu.max, or resources.limits.cpu of its pod."
        ),
        role=Role.CAUSE,
        resource=named,
        explains=share_held(evidence, most),
        hides=_OF_LACKING_CORES,
    )


def _starved(evidence: CellEvidence) -> Finding | None:
    """OSDs whose threads wait for cores far longer than their peers', and that answer later for it."""
    seen = [waits for one in evidence.segments if len(waits := _waits(one)) > 1]
    if len(seen) < _SEGMENTS:
        return None
    hungry = sorted(osd for osd in set.intersection(*map(_hungry, seen)) if _elsewhere_too(evidence, osd))
    share = share_over(_later(one, hungry, evidence) for one in evidence.segments)
    if not hungry or share is None or share.low < _OSD_CPU_LEAST_SHARE or share.value < _MUCH_LATER:
        return None
    theirs = statistics.fmean(max(waits[osd] for osd in hungry) for waits in seen)
    peers = statistics.fmean(statistics.median_low(sorted(waits.values())) for waits in seen)
    return _lack(evidence, hungry, theirs, peers, share)


def _pinned(evidence: CellEvidence) -> Finding | None:
    """OSDs that may run on some of their host's CPUs only, and wait for these while others idle.

    Waiting alone proves nothing: threads that wake together wait for each other on an idle machine, too, those of four
    healthy OSDs on two cores ten times as long as they computed.
    """
    counts = {host.cpu_threads or 0 for host in evidence.environment.hosts}
    threads = counts.pop() if len(counts) == 1 else 0  # of hosts that differ nobody knows which is the OSDs'
    kept = {f"osd.{one.thing}": int(one.value) for one in evidence.readings(OSD_CPUS) if one.value < threads}
    found = [lack for one in evidence.segments if (lack := _idle_beside(one)) is not None]
    if not kept or len(found) < max(_SEGMENTS, _ALWAYS * len(evidence.segments)):
        return None
    waits_s, used, busy = (statistics.fmean(values) for values in zip(*found, strict=True))
    named = ", ".join(sorted(kept))
    return Finding(
        claim=_(
            "OSDs are confined to some of the CPUs, and wait for these while others are idle: {named}.", named=named
        ),
        because=(
            _("they may run on {n} of {threads} CPU threads", n=min(kept.values()), threads=threads),
            _(
                "they wait {waits:.2g} s each second and compute {used:.2g} s, while the CPUs are busy {busy:.0%} of "
                "the time",
                waits=waits_s,
                used=used,
                busy=busy,
            ),
        ),
        severity=Severity.DOUBTFUL,
        try_next=_(
            "taskset -cp PID of an OSD; systemctl show -p AllowedCPUs of its service; cpuset.cpus of its container."
        ),
        role=Role.CAUSE,
        resource="OSD CPU",
        explains=share_over(min(1.0, waits / evidence.conditions.in_flight) for waits, _used, _busy in found),
        at_most=True,
        hides=_OF_LACKING_CORES,
    )


def _idle_beside(segment: Segment) -> tuple[float, float, float] | None:
    """(waits, CPU used) of all OSDs, seconds a second, and the busy share of their host; None where nothing idles."""
    waits, used, busy = (
        [statistics.fmean(values) for _thing, values in each_series(segment, what) if values]
        for what in (OSD_CPU_WAIT, OSD_CPU, HOST_CPU)
    )
    if not waits or len(busy) != 1 or busy[0] > _IDLE_BESIDE or sum(waits) < max(_LONG, _WAITING * sum(used)):
        return None
    return sum(waits), sum(used), busy[0]


def _elsewhere_too(evidence: CellEvidence, osd: int) -> bool:
    """An OSD without a core has none under other loads either; on a busy machine chance picks one for a while."""
    others = [
        _hungry(waits)
        for cell in evidence.study.cells
        if cell is not evidence.cell and ceph_cell(cell.conditions)
        for one in evidence.study.segments_of(cell.name)
        if len(waits := _waits(one)) > 1 and max(waits.values()) >= _LONG_S
    ]
    return sum(osd in hungry for hungry in others) >= _OFTEN * len(others)


def _waits(segment: Segment) -> dict[int, float]:
    """OSD -> seconds a second that its threads waited for cores; for those with more work than their peers, less of it.

    An OSD that does three times the work needs its cores three times as often, and lacks none for that.
    """
    found = each_series(segment, OSD_CPU_WAIT)
    waits = {int(osd): statistics.fmean(values) for osd, values in found if osd.isdigit() and values}
    return {osd: wait / max(1.0, _times_its_share(segment, osd)) for osd, wait in waits.items()}


def _times_its_share(segment: Segment, osd: int) -> float:
    """Its operations, clients' and replicas', beside the mean of all OSDs; 1 where nothing tells."""
    done = {
        one: sum(counters.get(name, 0.0) for name in (OP_R.name, OP_W.name, SUBOP.events))
        for one, counters in segment.osd_counters.items()
    }
    mean = statistics.fmean(done.values()) if done else 0.0
    return done.get(osd, 0.0) / mean if mean else 1.0


def _hungry(waits: dict[int, float]) -> set[int]:
    """Those far above their peers; where half of them are, it is the load."""
    usual = statistics.median_low(sorted(waits.values()))
    found = {osd for osd, wait in waits.items() if wait >= max(_LONG_S, _LONGER * usual)}
    return found if 2 * len(found) < len(waits) else set()


def _later(segment: Segment, hungry: list[int], evidence: CellEvidence) -> float | None:
    """Share of the mean I/O by which these OSDs' own work takes longer than their peers'."""
    own = of_each(segment, COMMIT_LAT if evidence.conditions.op.writes else OP_R_LATENCY)
    theirs = [own[osd] for osd in hungry if osd in own]
    peers = [value for osd, value in own.items() if osd not in hungry]
    total = latency_s(segment)
    if not theirs or not peers or not total:
        return None
    return (statistics.fmean(theirs) - statistics.median(peers)) / total


def _lack(evidence: CellEvidence, hungry: list[int], theirs: float, peers: float, share: Share) -> Finding:
    named = named_osds(hungry)
    cluster = evidence.environment.cluster
    hosts = {one.host for one in (cluster.each_osd if cluster else ()) if one.id in hungry and one.host}
    where = _(" of host {hosts}", hosts=min(hosts)) if len(hosts) == 1 else ""
    return Finding(
        claim=_("OSDs{where} do not get the CPU time that they need: {named}.", where=where, named=named),
        because=(
            _(
                "their threads wait {theirs:.2g} s each second for a core, their peers' {peers:.2g} s",
                theirs=theirs,
                peers=peers,
            ),
            _("what they answer later for it is {share} of the mean latency", share=share),
        ),
        severity=Severity.DOUBTFUL,
        unless=_("they hold far more of the load than their peers"),
        try_next=_("Look at that host: top, CPU limits of its containers (systemctl show, cpu.max), power states."),
        role=Role.CAUSE,
        resource=f"CPU of {named}",
        explains=share,
        hides=_OF_LACKING_CORES,
    )


def _osd_cpu_finding(evidence: CellEvidence, fact: str) -> Finding:
    return Finding(
        claim=_("The OSDs' CPU time is the bottleneck."),
        because=(fact,),
        unless=_("the drives or the network are full too"),
        try_next=_("Use more or faster cores per OSD; first look at power states and debug levels."),
        role=Role.LIMIT,
        resource="host CPU" if evidence.on_one_host else "OSD CPU",
    )


OSD_CPU_RULE = Rule("osd-cpu", "Did the OSDs have CPU time to spare?", concerns=ceph_cell, cell=_osd_cpu_of_cell)


# One OSD much slower than its peers, by what it does alone: its own store's commits, its own drive's reads.
# A write's latency at its primary tells nothing of the primary: it holds the slowest replica. A commit in the OSD's own
# store, and a read from its own drive, wait for nobody else.

_SLOWER, _ALWAYS_SLOWER = 2.0, 1.5
"""On average over the segments, and in each of them. Healthy peers with the processors full of other work came to 1.8
in single segments of 2 s; over minutes they stay within 15 % (the limit that ceph-bench uses)."""
_SICK_OSD_PEERS = 3
_SICK_OSD_LEAST_SHARE = 0.1
_ALWAYS = 2 / 3
_LATE_IN_ALL, _LATER_THERE = 1.4, 2.5
"""Times its peers' waits, and how much further behind its drive's part may be. OSDs that lacked cores, or whose network
was late, came to 1.4 to 5.9 and 2.1; those with slow drives to 1.0, or were five times as far behind there."""
_HELD_UP_SHARE = 0.1
"""Of the mean I/O."""


def _sick_osd_of_cell(evidence: CellEvidence) -> Verdict:
    kinds = (COMMIT_LAT, OP_W_LATENCY) if evidence.conditions.op.writes else (READ_WAIT_AIO_LAT, OP_R_LATENCY)
    looked = False
    for counter in kinds:
        segments = [one for one in evidence.segments if len(_positive(one, counter)) >= _SICK_OSD_PEERS]
        looked = looked or bool(segments)
        if osds := _behind(segments, counter, evidence.conditions.in_flight):
            least = share_over(_lost_to(one, counter, osds) for one in segments)
            if least is None or least.value >= _SICK_OSD_LEAST_SHARE:
                share = _gathered(evidence, kinds, osds, segments)
                if counter is READ_WAIT_AIO_LAT and len(osds) == 1 and (most := _capped(evidence, osds[0])):
                    return _capped_finding(osds[0], most, share)
                found = _sick_osd_finding(evidence, counter, osds, segments, share)
                return _late_in_all(found, counter, osds, segments)
        if segments and counter is kinds[0]:
            return _held_up(evidence)
    return _held_up(evidence) if looked else Unchecked(_("times of three OSDs or more were not recorded"))


_SAME_RATE, _WAITS_MORE, _BUSY = 1.1, 3.0, 0.8


def _capped(evidence: CellEvidence, osd: int) -> tuple[float, float] | None:
    """(reads a second of this OSD, share of the time in which it reads with one in flight), where a deeper queue brings
    longer waits and no more reads, though it has time left: so does a limit of operations, as of cloud volumes. A slow
    drive serves more with many in flight unless it is busy all the time with one."""
    asked = evidence.conditions
    seen: dict[int, list[tuple[float, float]]] = {}
    for cell in evidence.study.cells:
        other = cell.conditions
        if (other.layer, other.op, other.block_bytes) != (asked.layer, asked.op, asked.block_bytes):
            continue
        for one in evidence.study.segments_of(cell.name):
            rates, waits = of_each(one, OP_R), of_each(one, READ_WAIT_AIO_LAT)
            if one.seconds > 0 and osd in rates and osd in waits:
                seen.setdefault(other.in_flight, []).append((rates[osd] / one.seconds, waits[osd]))
    if len(seen) < 2 or min(seen) > 1:
        return None
    all_rates = [rate for each in seen.values() for rate, _wait in each]
    alone, deep = (statistics.fmean(wait for _rate, wait in seen[depth]) for depth in (1, max(seen)))
    busy = statistics.fmean(rate * wait for rate, wait in seen[1])
    is_limit = max(all_rates) <= _SAME_RATE * min(all_rates) and deep >= _WAITS_MORE * alone and busy <= _BUSY
    return (statistics.fmean(all_rates), busy) if is_limit else None


def _capped_finding(osd: int, most: tuple[float, float], share: Share | None) -> Finding:
    own, busy = most
    facts = [
        _(
            "osd.{osd} reads {own:,.0f} times a second with one in flight and with many, though with one its drive is "
            "busy only {busy:.0%} of the time",
            osd=osd,
            own=own,
            busy=busy,
        )
    ]
    if share is not None:
        facts.append(_("waits for it are {share} of the mean latency", share=share))
    return Finding(
        claim=_(
            "The drive of osd.{osd} lets no more than {own:,.0f} reads a second through, however many wait.",
            osd=osd,
            own=own,
        ),
        because=tuple(facts),
        severity=Severity.DOUBTFUL,
        unless=_("its peers have the same limit, and only less to do"),
        try_next=_(
            "Look for a limit of operations: of the cloud's volumes, of the hypervisor's disks, io.max of the OSD's "
            "control group."
        ),
        role=Role.CAUSE,
        resource=f"osd.{osd}",
        explains=share,
        hides=("uneven-load", "mclock", "slow-transfers", "standstills"),
    )


def _late_in_all(found: Finding, counter: Counter, osds: Sequence[int], segments: Sequence[Segment]) -> Finding:
    """The finding, or another about an OSD that is as late in what does not touch its drive."""
    waits = [[_times_its_peers(one, kind, osds[0]) for kind in (OP_BEFORE_DEQUEUE, SEND_WAIT)] for one in segments]
    behind = [_times_its_peers(one, counter, osds[0]) for one in segments]
    least = [min(each) for each in waits]
    if (
        len(osds) > 1
        or statistics.fmean(least) < _LATE_IN_ALL
        or any(wait < there / _LATER_THERE for wait, there in zip(least, behind, strict=True))
    ):
        return found
    return replace(
        found,
        claim=_("osd.{osd} is later than its peers in all that it does: that is not its drive.", osd=osds[0]),
        because=(
            *found.because,
            _(
                "its operations wait {operations:.2g} times as long for its threads, and its messages {messages:.2g} "
                "times as long to be sent",
                operations=statistics.fmean(operations for operations, _messages in waits),
                messages=statistics.fmean(messages for _operations, messages in waits),
            ),
        ),
        try_next=_(
            "Look at the processors and the network of its host: top, CPU limits, ethtool -S and -c of its links, "
            "iperf3 from the other hosts."
        ),
        hides=("flush-bound", "drive-bound", "mclock"),
    )


def _times_its_peers(segment: Segment, counter: Counter, osd: int) -> float:
    values = _positive(segment, counter)
    return values[osd] / median_of_others(values, osd) if osd in values and len(values) >= _SICK_OSD_PEERS else 0.0


def _held_up(evidence: CellEvidence) -> Finding | None:
    """One OSD in which an operation waits for a thread though no other is under way: its threads are at something else,
    as one that writes its log to a collector that does not keep up. Drives and processors show nothing of it."""
    segments = [one for one in evidence.segments if len(_positive(one, OP_BEFORE_DEQUEUE)) >= _SICK_OSD_PEERS]
    if (
        evidence.conditions.in_flight != 1
        or len(segments) < _SEGMENTS
        or any(map(background_work, evidence.study.segments))
    ):
        return None
    osds = held_up(segments)
    share = share_over(_lost_to(one, OP_BEFORE_DEQUEUE, osds) for one in segments)
    if len(osds) != 1 or share is None or share.value < _HELD_UP_SHARE:
        return None
    found = _sick_osd_finding(evidence, OP_BEFORE_DEQUEUE, osds, segments, share)
    return replace(
        found,
        unless=_("other clients' operations stand in its queue"),
        try_next=_(
            "Look for what its threads do: ceph tell osd.{osd} config diff for debug levels, and where its log goes; "
            "ceph daemon osd.{osd} dump_historic_ops.",
            osd=osds[0],
        ),
    )


def _behind(segments: Sequence[Segment], counter: Counter, in_flight: int) -> list[int]:
    """The OSDs that are far behind their peers in nearly every segment; half of them at once are no exception."""
    each = [_beyond_its_queue(one, counter, in_flight) for one in segments]
    ratios = {osd: [values[osd] for values in each if osd in values] for osd in sorted(set().union(*each))}
    found = []
    for osd, seen in ratios.items():
        late = [ratio for ratio in seen if ratio >= _ALWAYS_SLOWER]
        if len(late) >= _ALWAYS * len(segments) and statistics.fmean(late) >= _SLOWER:
            found.append(osd)
    return found if 2 * len(found) < len(ratios) else []


def _beyond_its_queue(segment: Segment, counter: Counter, in_flight: int) -> dict[int, float]:
    """How many times as long as its peers each OSD takes, beyond what its queue makes of it: several in flight gather
    at an OSD that is asked more often, however fast it is."""
    values = _positive(segment, counter)
    visits = [_asked(segment.osd_counters.get(osd, {})) for osd in values]
    fair = dict(zip(values, waits_of_equals(visits, in_flight), strict=True))
    return {
        osd: value / median_of_others(values, osd) / max(1.0, fair[osd] / median_of_others(fair, osd))
        for osd, value in values.items()
    }


def _asked(counters: Mapping[str, float]) -> float:
    """How much is asked of an OSD: who is primary of a write works for its replicas, too."""
    return counters.get(OP_R.name, 0.0) + 2 * counters.get(OP_W.name, 0.0) + counters.get(SUBOP.events, 0.0)


def _own_and_peers(segment: Segment, counter: Counter, osds: Sequence[int]) -> tuple[dict[int, float], float]:
    """What these OSDs take, and the median of all others."""
    values = _positive(segment, counter)
    others = [value for osd, value in values.items() if osd not in osds]
    return {osd: values[osd] for osd in osds if osd in values}, statistics.median(others or values.values())


def _most_lost_to(segment: Segment, counters: Sequence[Counter], osds: Sequence[int]) -> float | None:
    """Share of the mean I/O that waits for them because they are slower. What waits in an OSD for its drive is in the
    latency of its operations alone; replicas are in that of their commits alone."""
    lost = [_lost_to(segment, counter, osds) for counter in (*counters, SUBOP) if _positive(segment, counter)]
    return max((one for one in lost if one is not None), default=None)


def _gathered(
    evidence: CellEvidence, kinds: Sequence[Counter], osds: Sequence[int], segments: Sequence[Segment]
) -> Share | None:
    """With several reads in flight most of them stand at the slow OSD, and those that are not back by the end are in no
    mean: by Little's law all together take in_flight / rate, of which peers take what they say. The truth is between.
    """
    conditions, lost = evidence.conditions, share_over(_most_lost_to(one, kinds, osds) for one in segments)
    if lost is None or not conditions.op.reads or conditions.in_flight < 2:
        return lost
    all_of_it = share_over(
        1 - _own_and_peers(one, OP_R_LATENCY, osds)[1] * rate / conditions.in_flight
        for one in segments
        if _positive(one, OP_R_LATENCY) and (rate := segment_iops(one))
    )
    if all_of_it is None or all_of_it.value <= lost.value:
        return lost
    return Share((lost.value + all_of_it.value) / 2, lost.low, max(lost.high, all_of_it.high))


def _lost_to(segment: Segment, counter: Counter, osds: Sequence[int]) -> float | None:
    (own, peers), total = _own_and_peers(segment, counter, osds), latency_s(segment)
    return sum(touched(segment, osd) * (one - peers) for osd, one in own.items()) / total if total else None


def _sick_osd_finding(
    evidence: CellEvidence, counter: Counter, osds: Sequence[int], segments: Sequence[Segment], share: Share | None
) -> Finding:
    what = _("its reads") if evidence.conditions.op.reads else _("its writes")
    where = {
        COMMIT_LAT: _("commits in its own store"),
        READ_WAIT_AIO_LAT: _("reads from its own drive"),
        OP_BEFORE_DEQUEUE: _("the waits of single operations for one of its threads"),
    }.get(counter, what)
    seen = [_own_and_peers(one, counter, osds) for one in segments]
    facts = [
        _(
            "osd.{osd}: {where} take {own}, its peers' {others}",
            osd=osd,
            where=where,
            own=format_seconds(statistics.fmean(own[osd] for own, _peers in seen if osd in own)),
            others=format_seconds(statistics.fmean(peers for _own, peers in seen)),
        )
        for osd in osds[:_MOST_NAMED]
    ]
    if share is not None:
        facts.append(_("that is {share} of the mean latency", share=share))
    facts += list(_deep_queue(evidence, osds[0]))
    one, named = osds[0], named_osds(osds)
    claim = (
        _("osd.{osd} is slower than its peers, and everything that touches it waits for it.", osd=one)
        if len(osds) == 1
        else _("{named} are slower than their peers, and everything that touches them waits.", named=named)
    )
    return Finding(
        claim=claim,
        because=(*facts, *_together(evidence, osds)),
        severity=Severity.DOUBTFUL,
        unless=_("it has another device class, or carries more of the load"),
        try_next=_(
            "ceph tell osd.{osd} bench; smartctl -a on its drive; iostat -x 1 on its host. To go on without "
            "it: ceph osd out {osd}",
            osd=one,
        ),
        role=Role.CAUSE,
        resource=named,
        explains=share,
        hides=("flush-bound", "drive-bound", "uneven-load", "mclock", "slow-transfers", "standstills"),
    )


def _together(evidence: CellEvidence, osds: Sequence[int]) -> Iterator[str]:
    """What slow OSDs have in common that no other has: their host, and so its controller, memory and cables."""
    cluster = evidence.environment.cluster
    by_host: dict[str, list[int]] = {}
    for one in cluster.each_osd if cluster else ():
        by_host.setdefault(one.host, []).append(one.id)
    for host, there in by_host.items():
        if host and len(osds) > 1 and sorted(there) == sorted(osds):
            yield _("they are all the OSDs of host {host}: it may be its controller", host=host)
        elif host and set(osds) < set(there) and (others := set(there) - set(osds)) <= _behind_anywhere(evidence.study):
            yield _(
                "in other cells {named} as well, and so every OSD of host {host}: it may be its controller",
                named=named_osds(sorted(others)),
                host=host,
            )


@lru_cache(maxsize=1)  # every cell with a slow OSD asks for it
def _behind_anywhere(study: Study) -> frozenset[int]:
    """The OSDs whose drives are far behind their peers' in a cell of the study: what stands still now and then is in
    the way of one of them here, of another there."""
    return frozenset(
        osd
        for cell in study.cells
        for counter in (COMMIT_LAT, READ_WAIT_AIO_LAT)
        for osd in _behind(
            [one for one in study.segments_of(cell.name) if len(_positive(one, counter)) >= _SICK_OSD_PEERS],
            counter,
            cell.conditions.in_flight,
        )
    )


def _deep_queue(evidence: CellEvidence, osd: int) -> Iterator[str]:
    """With many in flight, nearly all of them end up at the slow one: then the rate is its rate."""
    if evidence.conditions.in_flight > 1 and evidence.conditions.op.reads:
        yield _("with {in_flight} in flight they gather at osd.{osd}", in_flight=evidence.conditions.in_flight, osd=osd)


def _positive(segment: Segment, counter: Counter) -> dict[int, float]:
    return {osd: value for osd, value in of_each(segment, counter).items() if value > 0}


def _loads_ceph(conditions: Conditions) -> bool:
    """A pool that is pinned below the others loads one OSD more than its peers, and so tells nothing of them."""
    return ceph_cell(conditions) and not conditions.pinned


SICK_OSD_RULE = Rule(
    "sick-osd", "Are all OSDs about equally fast?", pitfalls=(21,), concerns=_loads_ceph, cell=_sick_osd_of_cell
)


# OSDs of one text that are out of line: benches of single OSDs, or rows of a table that name OSDs.

_APART = 1.5
"""Healthy peers stay within 15 %; a bench of a few seconds scatters more."""
_FAR_BEHIND = 3.0
"""No bench scatters so much: what touches that OSD waits for it."""
_OSDS_APART_PEERS = 3
_MOST_NAMED = 4
_OSD = re.compile(r"\bosd[. ]?\d{1,6}\b", re.IGNORECASE)


def _osds_apart_of_result(evidence: ResultEvidence) -> Verdict:
    """Reported once, at the first of the OSDs."""
    if commits := evidence.result.extra.get("osd_commit_s"):
        return _osd_commits_late(evidence, commits)
    if not _is_of_one(evidence.result):
        return None  # a text may hold thousands of others: they are not looked through for each
    benched = ((number, osd, rate) for number, osd, rate in _benched(evidence.neighbours.results) if rate)
    first = next(benched, None)
    if first is None or first[0] != evidence.number or len(peers := [first, *benched]) < _OSDS_APART_PEERS:
        return None
    middle = statistics.median(rate for _, _, rate in peers)
    far = [(osd, rate) for _, osd, rate in peers if not middle / _APART <= rate <= middle * _APART]
    if not far or 2 * len(far) > len(peers):
        return None
    behind = [osd for osd, rate in far if rate * _FAR_BEHIND <= middle]
    facts = (
        _("{osd}: {rate:.2f} times the median of {n}", osd=osd, rate=rate / middle, n=len(peers)) for osd, rate in far
    )
    return _osds_apart_finding(facts, far[0][0], behind)


def _osds_apart_finding(facts: Iterable[str], far: str, behind: Sequence[str]) -> Finding:
    """far: the one to look at. behind: those that slow what touches them."""
    return Finding(
        claim=_("OSDs differ more than equal drives do."),
        because=tuple(islice(facts, _MOST_NAMED)),
        severity=Severity.DOUBTFUL,
        unless=_("their drives are of different models or classes"),
        try_next=_("Repeat it on {far} three times, and look at its drive: ceph device ls; smartctl -a", far=far),
        role=Role.CAUSE if behind else Role.REMARK,
        resource=", ".join(behind[:_MOST_NAMED]),
    )


_LATE_COMMIT_S, _LATE = 0.01, 5.0
"""Below 10 ms a disk is only a disk; equal drives of one cluster stay within five times."""


def _osd_commits_late(evidence: ResultEvidence, commits: Mapping[str, float]) -> Verdict:
    """`ceph osd perf`: some OSDs commit late, and most do not."""
    middle = max(statistics.median(commits.values()), 0.001)
    late = {osd: each for osd, each in commits.items() if each >= _LATE_COMMIT_S and each >= _LATE * middle}
    if len(commits) < _OSDS_APART_PEERS or not late or 2 * len(late) > len(commits):
        return None
    facts = (
        _(
            "{osd} commits in {late:.0f} ms; the median of {n} OSDs is {middle:.0f} ms",
            osd=osd,
            late=late[osd] * 1000,
            n=len(commits),
            middle=middle * 1000,
        )
        for osd in sorted(late, key=lambda osd: -late[osd])
    )
    return _osds_apart_finding(facts, max(late, key=lambda osd: late[osd]), list(late))


def _benched(results: Sequence[Result]) -> Iterator[tuple[int, str, float | None]]:
    """(number, OSD, rate) of the results of the first block size that are of one OSD each."""
    block: int | None = None
    for number, result in enumerate(results, start=1):
        if not _is_of_one(result):
            continue
        named = _named(result)
        osd = result.extra.get("osd")
        block = block if block is not None else result.block_bytes
        if result.block_bytes == block:
            name = named[0] if named else f"osd.{osd}" if osd is not None else _("result {number}", number=number)
            yield number, name, result.iops or result.bandwidth_bytes_per_s


def _is_of_one(result: Result) -> bool:
    return result.tool == "osd-bench" or (result.tool == "table" and _named(result) is not None)


def _named(result: Result) -> re.Match[str] | None:
    return _OSD.search(str(result.extra.get("label", "")))


OSDS_APART_RULE = Rule("osds-apart", "Are OSDs of one text about equally fast?", result=_osds_apart_of_result)
