"""The network's path: late, lossy, slower than it seems, or encrypted."""

from __future__ import annotations

import math
import statistics
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from radoscope.explain.evidence import CellEvidence, ResultEvidence, StudyEvidence
from radoscope.explain.finding import Finding, Role, Severity, Share
from radoscope.explain.late import late_ios, may_be_of_lost_packets, share_of_late
from radoscope.explain.lines import any_crowded
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell
from radoscope.explain.times import (
    OUTSIDE,
    REPLICAS,
    each_series,
    of_each,
    share_of,
    share_of_parts,
    share_over,
    waterfall_of,
)
from radoscope.records.conditions import Layer
from radoscope.records.measurement import Result
from radoscope.records.study import Outcome, Segment
from radoscope.records.telemetry import COMMIT_LAT, HOST_CPU, NIC_SENT, TCP_NEEDLESS, TCP_RESENT, Quantity
from radoscope.stats.segments import round_trips_by_host
from radoscope.units import format_count, format_seconds
from radoscope.words import N_, _

# The network itself: jumbo frames that do not get through, losses, resends, a 1 Gbit/s link on the way.

_LARGE = 64 * 1024
_GIGABIT = (0.85e9 / 8, 0.95e9 / 8)
"""What TCP gets through 1 Gbit/s: 941 Mbit/s with frames of 1,500 bytes."""
_RESENDS_PER_GIB = 500
_RESENDS, _SEGMENT_BYTES, _LOST = 50, 1448, 0.01
_LOST_OF_A_FULL_LINE = 0.05
"""Slow drives and busy processors made TCP send up to 0.1 % again here, a full line of 1 Gbit/s 1.2 %."""
_RESENDS_OF_SMALL, _LOST_OF_SMALL = 40, 0.002
"""A queue that is nearly empty drops nothing: of small I/O hosts sent 0 to 19 segments again, also on a machine with
nine processes for each core, or 35 where another client's large objects filled the queues (0.02 % of what it moved);
one whose way to one other host lost 3 % of its packets sent 83 to 88 again, 0.49 and 0.70 %."""
_SURELY_OF_SMALL = 10, 0.0005
"""Where receivers said which of these had arrived: on 40 clusters without such a fault none was lost, whatever else was
planted, of up to 131 sent again; of 0.5 % lost on the way to one host 22 and 33 were, 0.2 %."""
_EMPTY, _ON_ITS_WAY = 30e6, 0.5
"""Bytes a second of a host at which queues are nearly empty, on lines from 1 Gbit/s. On a machine with nothing else to
do, a host sent 1.8 % again of what one OSD's reads moved over 10 Gbit/s, and 0.11 of their time passed on the way."""
_TIMED_OUT_S, _BETWEEN_S, _TIMED_OUT = (0.19, 0.27), (0.02, 0.19), 0.15
"""TCP waits 0.2 s and a few round trips before it sends a lone segment again (TCP_RTO_MIN, Linux's include/net/tcp.h);
with others behind it a loss is known after a few round trips. So much of a cell's time is felt."""
_LATER, _LATER_S, _LATER_OF_FULL_S = 2.0, 0.5e-3, 0.75e-3
"""Of 15 studies on a machine full of other work the latest host was 1.8 times, or 0.3 ms, behind; two hosts that got
1 ms more were 2.2 and 2.9 times, 0.8 and 1.1 ms. With another client's load of 4 MB objects a healthy one was 0.53."""
_SURELY_OF_FULL = 0.15
"""Of single I/Os' time in each segment. Where endless short processes took all cores, a healthy host was 2.1 times, or
0.95 ms, behind, which was from 4 % of an I/O to all of it."""
_SLOW_ITSELF = 1.5
"""Times the commits of other hosts' OSDs: one whose every system call was traced came to 2.4."""
_FARTHER, _FARTHER_S = 1.5, 0.3e-3
"""The quickest of some hundred pings, beside means of heartbeats that hold waits for processors."""
_NEAR_S, _LONG_S = 0.3e-3, 0.8e-3
"""Round trips within one building take 0.05 to 0.3 ms, the longer ones with 1 GbE and processors that sleep."""
_FELT, _FULL_HOST, _PAIR = 0.7, 0.9, 2
_BEATS = N_("its OSDs' heartbeats take {own}, those between others {others}")
_PINGS = N_("pings to it take {own}, those to others {others}")
_OF_THE_LOAD = 0.01
"""Of what the busiest interface sends."""
_FLAPS = N_("Change the cable, then the transceiver, then the switch's port; dmesg, ethtool -S HOST-NIC")
_LOSES = N_(
    "On {host}: ip -s link, ethtool -S NIC (CRC errors, drops), and the same of its switch port; each leg of a bond by "
    "itself (cat /proc/net/bonding/*); then the cable and the transceiver"
)
_COMMAND = N_("ping -M do -s 8972 HOST (for MTU 9000); ethtool HOST-NIC; ip -s link")


def _network_path_of_study(evidence: StudyEvidence) -> Verdict:
    cells = {summary.cell.name for summary in evidence.cells(Layer.NETWORK)}
    segments = [segment for segment in evidence.study.segments if segment.cell in cells]
    if broken := _broken_path(evidence):
        return broken
    because = [fact for segment in segments if (fact := _problem(evidence, segment))]
    because += _facts([result for segment in segments for result in segment.results])
    because += _too_large(evidence)
    if not segments and not because:
        return Unchecked(_("the study has no network cell"))
    return _network_path_finding(tuple(dict.fromkeys(because)), tuple(sorted(cells))) if because else None


def _broken_path(evidence: StudyEvidence) -> Finding | None:
    """A host that believes in other packets than its peers, a path that loses them, a host that answers late."""
    waits = _timed_out(evidence)
    lost = _lost(evidence)
    facts = [*lost.facts, *waits]
    if not facts and not _failed(evidence):
        return _late_host(evidence) or _late_client(evidence)
    unlike, flapping = (*_unlike(evidence), *_too_large(evidence)), dict(_flapping(evidence))
    if not unlike and not facts:
        return None
    claim, step = _broken_by(bool(unlike), tuple(flapping), lost.receiver)
    return Finding(
        claim=claim,
        because=(*unlike, *flapping.values(), *facts),
        severity=Severity.DOUBTFUL,
        cells=tuple(one.cell.name for one in evidence.summaries.cells if one.cell.conditions.layer is not Layer.DISK),
        unless=_("the link is meant to be like this"),
        try_next=step,
        role=Role.CAUSE,
        resource="network path",
        explains=max(waits.values(), key=lambda share: share.value, default=None),
        hides=("client-cpu", "sick-osd", "slow-transfers", "standstills"),
    )


def _broken_by(unlike: bool, flapping: Sequence[str], receiver: str | None) -> tuple[str, str]:
    """The claim, and what to do. unlike: hosts believe in other packets. receiver: whom packets do not reach."""
    if unlike:
        return _("Hosts disagree on the size of packets: large ones get lost."), _(_COMMAND)
    if flapping:
        return _("A link goes down and comes back, again and again: {links}.", links=", ".join(flapping)), _(_FLAPS)
    if receiver:
        return _("Packets get lost on the way to {host}.", host=receiver), _(_LOSES, host=receiver)
    return _("Packets get lost on the way."), _(_LOSES, host=_("each host"))


def _flapping(evidence: StudyEvidence) -> Iterator[tuple[str, str]]:
    """Links of the load whose line went away more than once while it ran, and how often: bridges of containers do so
    wherever the last one ends."""
    sent = _totals(evidence.study.segments, NIC_SENT)
    least = _OF_THE_LOAD * max(sent.values(), default=0.0)
    for link in evidence.environment.links:
        where = f"{link.host}:{link.name}"
        if link.carrier_lost > 1 and max(sent.get(where, 0.0), sent.get(link.name, 0.0)) > least:
            fact = _("{where} lost its carrier {count} times during the study", where=where, count=link.carrier_lost)
            yield where, fact


def _unlike(evidence: StudyEvidence) -> tuple[str, ...]:
    """Interfaces of the same name whose MTU differs between hosts."""
    by_name: dict[str, dict[int, list[str]]] = {}
    for link in evidence.environment.links:
        if link.mtu is not None:
            by_name.setdefault(link.name, {}).setdefault(link.mtu, []).append(link.host)
    return tuple(
        _("MTU of {name}: ", name=name)
        + ", ".join(f"{mtu} on {', '.join(hosts)}" for mtu, hosts in sorted(found.items()))
        for name, found in by_name.items()
        if len(found) > 1
    )


def _too_large(evidence: StudyEvidence) -> tuple[str, ...]:
    """Hosts to which the MTU of the load's interface does not lead."""
    return tuple(
        _("packets of {mtu:,} bytes, the MTU towards {host}, get no answer; small ones do", mtu=way.mtu, host=way.host)
        for way in evidence.environment.ways
        if way.large is False
    )


class _Lost(NamedTuple):
    """facts: what TCP sent again, by host, where it is much. receiver: the host on the way to which it got lost."""

    facts: tuple[str, ...]
    receiver: str | None


def _lost(evidence: StudyEvidence) -> _Lost:
    """What is much for the bytes that were moved: by all cells, or by small I/O."""
    study = evidence.study
    cells = {cell.name: CellEvidence(study, cell) for cell in study.cells}
    crowded = {name for name, cell in cells.items() if any_crowded(cell)}
    small = {one.name for one in study.cells if 0 < (one.conditions.block_bytes or 0) < _LARGE} - crowded
    small_segments = [one for one in study.segments if one.cell in small]
    of_small = _resent(small_segments, _RESENDS_OF_SMALL, _LOST_OF_SMALL, _EMPTY, _SURELY_OF_SMALL)
    if crowded and small and not of_small:
        return _Lost((), None)  # a full line drops what its queue has no room for
    elsewhere = {name for name, cell in cells.items() if name not in small and not _is_on_its_way(cell)}
    of_all = (one for one in study.segments if one.cell not in elsewhere)
    found = {**of_small, **_resent(of_all, _RESENDS, _LOST_OF_A_FULL_LINE if crowded else _LOST)}
    facts = [
        _(
            "{host} sent {count} TCP segments again for {gib:.2g} GiB",
            host=host or _("this host"),
            count=format_count(count),
            gib=moved / 2**30,
        )
        for host, (count, moved) in found.items()
    ]
    if found and small and not of_small:
        facts.append(
            _("hardly any of small I/O: a queue on the path overflows, as before a full link, rather than a bad cable")
        )
    # Large I/O alone makes queues overflow, also those of a host whose own link loses what it is sent.
    receiver = _only_receiver(evidence, small_segments, of_small) or _only_receiver(evidence, study.segments, found)
    if receiver is not None:
        facts.append(_("{host} alone sends hardly any again: what is sent to it gets lost", host=receiver))
    return _Lost(tuple(facts), receiver)


_HARDLY_ANY, _TALKS, _OF_READS = 0.1, 0.01, 0.5
"""Of what the others sent again in the mean; of the bytes of the busiest host; of all that was sent again."""


def _only_receiver(evidence: StudyEvidence, segments: Sequence[Segment], found: Collection[str]) -> str | None:
    """The one host of several that does not send again: the losses of all others are on the way to it.

    Where they are of writes mostly, hosts without OSDs do not count: they have no part in what OSDs send each other.
    """
    again, needless = _totals(segments, TCP_RESENT), _totals(segments, TCP_NEEDLESS)
    lost = {host: count - needless.get(host, 0.0) for host, count in again.items()}
    moved = _by_host(_totals(segments, NIC_SENT))
    talking = [host for host in lost if moved.get(host, 0.0) >= _TALKS * max(moved.values(), default=0.0) > 0]
    others = [host for host in talking if host not in found]
    reads = {one.name for one in evidence.study.cells if not one.conditions.op.writes}
    of_reads = _totals((one for one in segments if one.cell in reads), TCP_RESENT)
    cluster = evidence.environment.cluster
    if cluster is not None and sum(of_reads.values()) < _OF_READS * sum(again.values()):
        others = [host for host in others if any(osd.host == host for osd in cluster.each_osd)]
    if len(others) != 1 or len(talking) < 3:
        return None
    [host], usual = others, statistics.fmean(lost[host] for host in talking if host in found)
    return host if host and lost[host] <= _HARDLY_ANY * usual else None


def _totals(segments: Iterable[Segment], what: Quantity) -> dict[str, float]:
    """Of each host, or of each interface."""
    found: dict[str, float] = {}
    for segment in segments:
        for of, values in each_series(segment, what):
            found[of] = found.get(of, 0.0) + math.fsum(values)
    return found


def _by_host(totals: Mapping[str, float]) -> dict[str, float]:
    """The sums over the interfaces of each host."""
    found: dict[str, float] = {}
    for interface, total in totals.items():
        host = interface.partition(":")[0]
        found[host] = found.get(host, 0.0) + total
    return found


def _is_on_its_way(cell: CellEvidence) -> bool:
    """Not where most of an I/O's time passes in OSDs: TCP loses a few packets wherever it has much to send at once."""
    way = share_of_parts(cell.segments, OUTSIDE, REPLICAS)
    return way is None or way.value >= _ON_ITS_WAY


def _resent(
    segments: Iterable[Segment],
    least: int,
    much: float,
    empty: float = math.inf,
    surely: tuple[int, float] | None = None,
) -> dict[str, tuple[float, float]]:
    """Host -> TCP segments that got lost, and bytes that it sent; of those with more than so many and so much.

    Lost is what was sent again and had not arrived. Where a full processor answers late, TCP sends probes (tail loss
    probe, RFC 8985) of what did arrive: 3 in 1,000 segments to and from a gateway here, none of which was lost.
    surely: so many and so much where that is known.

    empty: bytes/s of a host above which its queues are not empty, so that its segment does not count. More than its
    interfaces sent cannot have been sent again through them: that was loopback, which loses nothing but is slow to
    answer where processors are full.
    """
    resent: dict[str, float] = {}
    moved: dict[str, float] = {}
    known: set[str] = set()
    for segment in segments:
        sent, needless = _by_host(_totals((segment,), NIC_SENT)), _totals((segment,), TCP_NEEDLESS)
        known |= needless.keys()
        for host, values in each_series(segment, TCP_RESENT):
            if sent.get(host, 0.0) <= empty * len(values):
                resent[host] = resent.get(host, 0.0) + max(0.0, math.fsum(values) - needless.get(host, 0.0))
                moved[host] = moved.get(host, 0.0) + sent.get(host, 0.0)
    bounds = {host: surely if surely and host in known else (least, much) for host in resent}
    return {
        host: (count, moved[host])
        for host, count in resent.items()
        if count > bounds[host][0] and bounds[host][1] * moved[host] < count * _SEGMENT_BYTES <= moved[host]
    }


def _timed_out(evidence: StudyEvidence) -> dict[str, Share]:
    """What is seen of TCP's time-out in cells of one small I/O at a time, and its share of their time: I/Os that take
    0.2 s beside others that all are quick, while the OSDs take that time of none; not where no host sent as many
    segments again."""
    found = {}
    for summary in evidence.cells():
        cell = CellEvidence(evidence.study, summary.cell)
        if not ceph_cell(cell.conditions) or cell.conditions.in_flight > 1:
            continue
        shares = share_over(share_of_late(segment, *_TIMED_OUT_S) for segment in cell.segments)
        late, between = (sum(late_ios(one, *span) for one in cell.segments) for span in (_TIMED_OUT_S, _BETWEEN_S))
        if late < 2 or between > late / 4 or shares is None or shares.value < _TIMED_OUT:
            continue
        way = share_of_parts(cell.segments, OUTSIDE, REPLICAS)
        is_on_its_way = way is not None and way.value >= shares.value
        if is_on_its_way and may_be_of_lost_packets(late, evidence.study, cell.segments):
            fact = _(
                "{late} of {ios:,} I/Os took 0.2 s, after which TCP sends a lost packet again; hardly another "
                "took {quick}",
                late=late,
                ios=sum(late_ios(one, 0, math.inf) for one in cell.segments),
                quick=format_seconds(_BETWEEN_S[0]),
            )
            found[f"{summary.cell.title}: {fact}"] = shares
    return found


def _failed(evidence: StudyEvidence) -> bool:
    return any(segment.outcome is Outcome.FAILED for segment in evidence.study.segments)


def _late_host(evidence: StudyEvidence) -> Finding | None:
    """A host whose heartbeats with each other host take far longer than those between the others, or its pings."""
    beats, pings = _heartbeats(evidence), _pings(evidence)
    least = _LATER_OF_FULL_S if _processors_full(evidence) else _LATER_S
    late = _latest(beats, least) or _latest(pings, least)
    if late is None:
        return _two_places(evidence, least)
    own, others = beats[late] if _latest(beats, least) else pings[late]
    share = _share_of_trip(evidence, own - others)
    if _slow_itself(evidence, late) or not _felt(evidence, (own - others) / max(len(beats), len(pings))):
        return None
    if _processors_full(evidence) and (share is None or share.low < _SURELY_OF_FULL):
        return None  # heartbeats wait for processors, too
    facts = [
        _(words, own=format_seconds(found[late][0]), others=format_seconds(found[late][1]))
        for words, found in ((_BEATS, beats), (_PINGS, pings))
        if late in found
    ]
    return Finding(
        claim=_("Host {late} answers later than the others: what it takes part in waits for the network.", late=late),
        because=tuple(facts),
        cells=tuple(one.cell.name for one in evidence.summaries.cells if ceph_cell(one.cell.conditions)),
        unless=_("it is at another site, or its processors are busy"),
        try_next=_(
            "ping {late} from its peers; ethtool -c (interrupt moderation), switch port, power states", late=late
        ),
        role=Role.CAUSE,
        resource=f"network of {late}",
        explains=share,
        hides=("sick-osd", "standstills"),
    )


def _slow_itself(evidence: StudyEvidence, host: str) -> bool:
    """Whether its OSDs' commits in their own stores, which wait for no network, take longer, too."""
    cluster = evidence.environment.cluster
    there = {osd.id for osd in (cluster.each_osd if cluster else ()) if osd.host == host}
    ratios = []
    for segment in evidence.study.segments:
        commits = of_each(segment, COMMIT_LAT)
        own, others = ([commits[osd] for osd in commits if (osd in there) is here] for here in (True, False))
        if own and others and statistics.median(others) > 0:
            ratios.append(statistics.fmean(own) / statistics.median(others))
    return bool(ratios) and statistics.median(ratios) >= _SLOW_ITSELF


def _two_places(evidence: StudyEvidence, least_s: float) -> Finding | None:
    """Hosts whose heartbeats are quick within each of two groups, and late from one to the other, as of two rooms."""
    ways = _ways(evidence)
    near = min(ways.values(), default=0.0)
    short = {way: seconds for way, seconds in ways.items() if seconds <= max(_LATER * near, near + least_s)}
    group = set(min(map(sorted, short), default=()))
    for _step in short:  # one more at least with each, until nobody is near
        group |= {host for way in short if way & group for host in way}
    rest = {host for way in ways for host in way} - group
    between = [seconds for way, seconds in ways.items() if len(way & group) == 1]
    if min(len(group), len(rest)) < _PAIR or not any(way <= rest for way in short):
        return None
    within, seconds = statistics.median(short.values()), statistics.median(between)
    felt = (seconds - within) * len(rest) / len(group | rest)
    if seconds <= _LATER * within or seconds - within <= least_s or not _felt(evidence, felt):
        return None
    named, others = ", ".join(sorted(rest)), ", ".join(sorted(group))
    return Finding(
        claim=_(
            "Hosts {named} are far from {others}: what passes between them waits for the network path.",
            named=named,
            others=others,
        ),
        because=(
            _(
                "heartbeats take {between} in between, {within} within either group",
                between=format_seconds(seconds),
                within=format_seconds(within),
            ),
        ),
        cells=tuple(one.cell.name for one in evidence.summaries.cells if ceph_cell(one.cell.conditions)),
        unless=_("they are meant to be at another site"),
        try_next=_("traceroute between the groups; keep reads local: CRUSH rules with a primary at the client's site"),
        role=Role.CAUSE,
        resource=f"network of {named}",
        explains=_share_of_trip(evidence, felt),
        hides=("sick-osd", "slow-transfers", "standstills"),
    )


def _late_client(evidence: StudyEvidence) -> Finding | None:
    """A client whose quickest ping takes longer than heartbeats between OSD hosts do on average.

    No packet of the client's was faster than that, whatever the processors did; heartbeats wait for these besides.
    Young OSDs tell of no heartbeats: then it must be more than any network within one building takes, and more than
    single writes wait for replicas.
    """
    pings, ways = _quickest_pings(evidence), _ways(evidence)
    if not pings or (not ways and (min(pings) < _LONG_S or _are_as_far(evidence, min(pings)))):
        return None
    own, others = min(pings), min(ways.values(), default=_NEAR_S)
    share = _share_of_trip(evidence, own - others)
    if own <= _FARTHER * others or own - others <= _FARTHER_S or not _felt(evidence, own - others) or share is None:
        return None
    return Finding(
        claim=_("The client is far from the OSDs: each I/O waits for the network path between them."),
        because=(
            _("pings to the nearest host take {own}", own=format_seconds(own)),
            *(
                (_("heartbeats from OSD host to OSD host take {others}", others=format_seconds(others)),)
                if ways
                else ()
            ),
        ),
        cells=tuple(one.cell.name for one in evidence.summaries.cells if ceph_cell(one.cell.conditions)),
        unless=_("it is meant to be at another site"),
        try_next=_("traceroute to an OSD host; ethtool -c (interrupt moderation), power states, a firewall in between"),
        role=Role.CAUSE,
        resource="network of the client",
        explains=share,
        hides=("client-cpu", "io-limit"),
    )


def _are_as_far(evidence: StudyEvidence, trip_s: float) -> bool:
    """Whether single writes wait as long for replicas, too, as they would were the OSDs as far from each other."""
    waits = [water.share(REPLICAS) * water.total_s for one in _single(evidence) if (water := waterfall_of(one))]
    told = [seconds for seconds in waits if seconds > 0]
    return bool(told) and statistics.median(told) >= trip_s


def _latest(found: dict[str, tuple[float, float]], least_s: float) -> str | None:
    """The one host that is far behind the others. found: host -> its own seconds, and those of the others."""
    late = [host for host, (own, others) in found.items() if own > _LATER * others and own - others > least_s]
    return late[0] if len(late) == 1 else None


def _heartbeats(evidence: StudyEvidence) -> dict[str, tuple[float, float]]:
    ways = _ways(evidence)
    return {
        host: (min(touching), statistics.median(apart))
        for host in {host for way in ways for host in way}
        if (touching := [seconds for way, seconds in ways.items() if host in way])
        and (apart := [seconds for way, seconds in ways.items() if host not in way])
    }


def _pings(evidence: StudyEvidence) -> dict[str, tuple[float, float]]:
    """From the host of the load: what round trips take at least."""
    trips = round_trips_by_host(_pinging(evidence))
    least = {host: min(seconds) for host, seconds in trips.items()}
    return {
        host: (own, statistics.median(others))
        for host, own in least.items()
        if (others := [seconds for other, seconds in least.items() if other != host])
    }


def _quickest_pings(evidence: StudyEvidence) -> list[float]:
    """Of each run of pings from the host of the load."""
    answers = (one.latency for seen in _pinging(evidence) for one in seen.results)
    known = (answer.min_s if answer.min_s is not None else answer.mean_s for answer in answers if answer)
    return [seconds for seconds in known if seconds is not None]


def _pinging(evidence: StudyEvidence) -> Iterator[Segment]:
    cells = {one.cell.name for one in evidence.cells(Layer.NETWORK) if one.cell.conditions.tool == "ping"}
    return (segment for segment in evidence.study.segments if segment.cell in cells)


def _ways(evidence: StudyEvidence) -> dict[frozenset[str], float]:
    """Two hosts -> how long heartbeats between them take: of two OSDs the least either way, of all pairs the median.

    The least, since waits for processors drop out; the median, since one lucky answer tells nothing of the others. Only
    where both ends told: of a healthy cluster one said 4.6 ms where the other said 0.4.
    """
    cluster, told = evidence.environment.cluster, dict[frozenset[int], list[float]]()
    hosts = {osd.id: osd.host for osd in cluster.each_osd} if cluster else {}
    for osd in cluster.each_osd if cluster else ():
        for peer, seconds in osd.answers_s.items():
            told.setdefault(frozenset((osd.id, peer)), []).append(seconds)
    found: dict[frozenset[str], list[float]] = {}
    for pair, both in told.items():
        way = frozenset(hosts.get(osd, "") for osd in pair)
        if len(way) == 2 and "" not in way and len(both) == 2:
            found.setdefault(way, []).append(min(both))
    return {way: statistics.median(each) for way, each in found.items()}


def _felt(evidence: StudyEvidence, seconds: float) -> bool:
    """Whether single I/Os spend that much on the way, on average over the hosts that they go to.

    Heartbeats wait for processors as well: on a full machine a healthy host's took five times as long as its peers'.
    There reads must show it too, since a write waits for its replicas' processors; else one kind of I/O is enough.
    """
    ways: dict[str, list[float]] = {}
    for segment in _single(evidence):
        if (water := waterfall_of(segment)) is not None:
            way = (water.share(OUTSIDE) + water.share(REPLICAS)) * water.total_s
            ways.setdefault(segment.cell, []).append(way)
    found = [statistics.median(each) for each in ways.values()]
    return not found or (min(found) if _processors_full(evidence) else max(found)) >= _FELT * seconds


def _processors_full(evidence: StudyEvidence) -> bool:
    """While single I/Os were measured."""
    series = (one for segment in _single(evidence) for one in segment.telemetry if one.name == HOST_CPU.name)
    busy = [value for one in series for value in one.values]
    return bool(busy) and statistics.median(busy) >= _FULL_HOST


def _single(evidence: StudyEvidence) -> Iterator[Segment]:
    """Segments of one I/O at a time on Ceph."""
    for cell in evidence.study.cells:  # an import may have segments of none
        if cell.conditions.one_at_a_time and ceph_cell(cell.conditions):
            yield from evidence.study.segments_of(cell.name)


def _share_of_trip(evidence: StudyEvidence, seconds: float) -> Share | None:
    return share_of(_single(evidence), lambda _segment: seconds)


def _network_path_of_result(evidence: ResultEvidence) -> Verdict:
    facts = tuple(_facts([evidence.result]))
    if not facts:
        return None
    found = _network_path_finding(facts)
    return replace(found, role=Role.CAUSE, resource="network path") if _loses(evidence.result) else found


def _loses(result: Result) -> bool:
    """Packets that are sent again by the thousand, or pings without an answer; a slow line may be meant to be slow."""
    return bool(_number(result, "loss_pct")) or _resends(result)


def _problem(evidence: StudyEvidence, segment: Segment) -> str | None:
    """A jumbo ping that failed: somewhere the MTU is smaller."""
    tool = evidence.study.cell(segment.cell).conditions.tool
    if tool != "jumbo-ping" or segment.outcome is not Outcome.FAILED:
        return None
    return _("a jumbo ping did not get through: {problem}", problem=segment.problem or _("no answer"))


def _facts(results: Sequence[Result]) -> Iterator[str]:
    """What pings and TCP streams say against the path, once for all runs that say it."""
    for lost in sorted({lost for one in results if one.tool == "ping" and (lost := _number(one, "loss_pct"))}):
        yield _("ping lost {lost:.3g} %", lost=lost)
    streams = [one for one in results if one.tool in ("iperf3", "iperf") and one.bandwidth_bytes_per_s]
    rates = [rate for one in streams if _GIGABIT[0] <= (rate := one.bandwidth_bytes_per_s or 0.0) <= _GIGABIT[1]]
    if rates:
        yield _("iperf3 got {rate:,.0f} Mbit/s: as much as 1 GbE carries", rate=statistics.fmean(rates) * 8 / 1e6)
    if again := [one for one in streams if one.bandwidth_bytes_per_s not in rates and _resends(one)]:
        yield _(
            "TCP resent {resent} segments in {runtime_s}",
            resent=format_count(math.fsum(_number(one, "retransmits") or 0.0 for one in again)),
            runtime_s=format_seconds(math.fsum(one.runtime_s or 0.0 for one in again)),
        )


def _resends(stream: Result) -> bool:
    """Whether it sent more than a few segments a GiB again."""
    moved_gib = (stream.bandwidth_bytes_per_s or 0.0) * (stream.runtime_s or 0.0) / 2**30
    return moved_gib > 0 and (_number(stream, "retransmits") or 0.0) / moved_gib > _RESENDS_PER_GIB


def _number(result: Result, name: str) -> float | None:
    value = result.extra.get(name)
    return float(value) if isinstance(value, (int, float)) else None


def _network_path_finding(because: tuple[str, ...], cells: tuple[str, ...] = ()) -> Finding:
    return Finding(
        claim=_("The network path is slower or lossier than it seems."),
        because=because,
        cells=cells,
        unless=_("the link is meant to be like this"),
        try_next=_(_COMMAND),
    )


NETWORK_PATH_RULE = Rule(
    "network-path",
    "Is the network path as fast and clean as it should be?",
    pitfalls=(22,),
    study=_network_path_of_study,
    result=_network_path_of_result,
)


# Encrypted connections: every byte is encrypted and decrypted by a processor, once a hop.

_OPTIONS = ("ms_cluster_mode", "ms_service_mode", "ms_client_mode")
_BYTES_PER_S = 1.5e9
"""AES-128-GCM on one core with AES instructions, one way; without them a tenth of it."""
_BOTH_ENDS = 2


def _secure_mode_of_cell(evidence: CellEvidence) -> Verdict:
    cluster = evidence.environment.cluster
    if cluster is None or not (cluster.each_osd or cluster.changed_options):
        return Unchecked(_("the OSDs' options were not recorded"))
    options = {name.rpartition("/")[2]: value for name, value in cluster.changed_options.items()}
    options |= cluster.each_osd[0].options if cluster.each_osd else {}
    secure = tuple(f"{name} = {options[name]}" for name in _OPTIONS if options.get(name, "").split()[:1] == ["secure"])
    if not secure:
        return None
    hops = 2 if evidence.conditions.op.writes and cluster.pool and (cluster.pool.size or 1) > 1 else 1
    seconds = hops * _BOTH_ENDS * (evidence.conditions.block_bytes or 0) / _BYTES_PER_S
    share = share_of(evidence.segments, lambda _segment: seconds)
    return Finding(
        claim=_("Connections are encrypted, which costs processor time for every byte."),
        because=(
            *secure,
            _("about {seconds} of each I/O on a core with AES instructions", seconds=format_seconds(seconds)),
        ),
        unless=_("the hosts' processors have no AES instructions: then it is ten times as much"),
        try_next=_("Compare with ms_cluster_mode = crc, if the network is trusted."),
        role=Role.CAUSE if share is not None else Role.REMARK,
        resource="encryption",
        explains=share,
    )


SECURE_MODE_RULE = Rule(
    "secure-mode", "Are connections free of encryption?", concerns=ceph_cell, cell=_secure_mode_of_cell
)
