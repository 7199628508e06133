"""The tail: where the slowest operations passed their time, by the OSDs' own records of them."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from radoscope.explain.evidence import CellEvidence
from radoscope.explain.finding import Finding, Role, Severity, Share
from radoscope.explain.late import late_ios, may_be_of_lost_packets, share_of_late
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell
from radoscope.explain.times import CLIENT, NETWORK, share_of_parts, share_over
from radoscope.explain.times import OUTSIDE as OUTSIDE_OF_OSDS
from radoscope.records.study import Segment
from radoscope.records.telemetry import RECOVERY_OPS, SCRUBBING_PGS, SlowOp
from radoscope.units import format_seconds
from radoscope.words import N_, _

_LONG = 10.0
"""p99.9 over the median from which on a tail wants a reason of its own."""
_LEAST_IOS = 1000
_SMALL = 64 * 1024
_OF_THE_TAIL = 0.5
"""Of p99.9, what an OSD must have taken of an operation for it to be one of the tail; the rest is the way."""
_MOSTLY, _LEAST_OPS = 0.6, 4
_ONE_BURST_S, _LEAST_BURSTS, _REGULAR = 0.2, 4, 0.25
OUTSIDE = N_("outside of the OSDs: with the client, or on the network")
_WHERE = {
    "arrival": N_("while they arrive at the OSD over the network"),
    "queue": N_("in the OSD's queue"),
    "preparation": N_("while the OSD prepares them"),
    "own store": N_("in the OSD's own store and drive"),
    "replicas": N_("for the answers of their replicas"),
}
_NEXT = {
    "own store": N_(
        "iostat -x 1 on its host, smartctl -a on its drive; compaction: ceph tell osd.{osd} perf dump bluefs"
    ),
    "queue": N_(
        "ceph tell osd.{osd} dump_ops_in_flight while it lasts shows scrubs, trimming of snapshots, deep queues"
    ),
    "arrival": N_("ip -s link and ethtool -S of its host; ping -i 0.01 from a client"),
}
_CLUSTER_NEXT = N_(
    "vmstat 1 on each host while the load runs: are OSDs virtual machines that snapshots or backups stop, is a "
    "drive silent, does a process hang? ceph tell osd.N dump_historic_ops"
)
_CLIENT_NEXT = N_(
    "vmstat 1 on the client while the load runs: st is time that its hypervisor gave to others; is it stopped by "
    "snapshots or backups, or held by a CPU limit? ping -i 0.01 to an OSD host"
)
_NEXT_OUTSIDE = N_(
    "ping -i 0.01 from the client while the load runs; the client's CPU, its power states, and its other processes"
)


@dataclass(frozen=True, slots=True)
class _Tail:
    """In seconds; the median and p99.9 are the clients'."""

    median_s: float
    late_s: float

    @property
    def ratio(self) -> float:
        return self.late_s / self.median_s


def check_cell(evidence: CellEvidence) -> Verdict:
    recorded = [op for segment in evidence.segments for op in segment.slowest]
    if not recorded:
        return Unchecked(_("the OSDs' records of their slowest operations were not kept"))
    tail = _tail(evidence)
    if tail is None:
        return Unchecked(_("p99.9 is not known, or of fewer than 1,000 I/Os"))
    if tail.ratio < _LONG:
        return None
    late = [op for op in recorded if op.seconds >= _OF_THE_TAIL * tail.late_s]
    whole = _(
        "p99.9 is {late_s}, {ratio:.0f} times the median of {median_s}",
        late_s=format_seconds(tail.late_s),
        ratio=tail.ratio,
        median_s=format_seconds(tail.median_s),
    )
    if not late:
        longest = max(op.seconds for op in recorded)
        fact = _("the slowest operation that an OSD saw took {longest}", longest=format_seconds(longest))
        return _finding(
            evidence,
            _("The slowest operations pass their time {where}.", where=_(OUTSIDE)),
            (whole, fact),
            _(_NEXT_OUTSIDE),
        )
    stretch, share = _longest_stretch([op for op in late if not op.replica] or late)
    osd = _culprit(late, stretch)
    facts = (
        whole,
        _(
            "of the {n} slowest operations that OSDs recorded, {share:.0%} of the time passes there",
            n=len(late),
            share=share,
        ),
    )
    more = (*_regular(late), *_beside(evidence))
    return _finding(evidence, _claim(stretch, osd), (*facts, *more), _advice(stretch, osd, late))


def _tail(evidence: CellEvidence) -> _Tail | None:
    """Of the runs that are long enough; the middle one of each percentile."""
    found = [
        (result.latency.percentiles_s[50.0], result.latency.percentiles_s[99.9])
        for result in evidence.results
        if result.latency is not None and (result.total_ios or 0) >= _LEAST_IOS
        if {50.0, 99.9} <= set(result.latency.percentiles_s)
    ]
    if not found or min(median for median, _ in found) <= 0:
        return None
    return _Tail(statistics.median(median for median, _ in found), statistics.median(late for _, late in found))


def _longest_stretch(ops: Sequence[SlowOp]) -> tuple[str, float]:
    """(name, its share of the operations' time)."""
    spent: dict[str, float] = {}
    for op in ops:
        for name, seconds in op.stretches:
            spent[name] = spent.get(name, 0.0) + seconds
    name = max(spent, key=lambda one: spent[one], default="own store")
    total = sum(spent.values())
    return name, spent[name] / total if total else 0.0


def _culprit(late: Sequence[SlowOp], stretch: str) -> int | None:
    """The OSD at which most of them were late, if there is one; of waits for replicas, the replica's."""
    there = (
        [op.osd for op in late if op.replica] if stretch == "replicas" else [op.osd for op in late if not op.replica]
    )
    (osd, count), *_ = Counter(there).most_common(1) or [(-1, 0)]
    return osd if len(there) >= _LEAST_OPS and count >= _MOSTLY * len(there) else None


def _claim(stretch: str, osd: int | None) -> str:
    where = _(_WHERE[stretch]) if stretch in _WHERE else _("as the OSD says: {stretch}", stretch=stretch)
    if osd is None:
        return _("The slowest operations pass their time {where}, on several OSDs alike.", where=where)
    return _("The slowest operations pass their time {where}, mostly those of osd.{osd}.", where=where, osd=osd)


def _regular(late: Sequence[SlowOp]) -> Iterator[str]:
    """Whether they come in bursts with equal gaps, or when they like."""
    bursts: list[float] = []
    for at in sorted(op.at_s for op in late):
        if not bursts or at - bursts[-1] > _ONE_BURST_S:
            bursts.append(at)
    gaps = [later - earlier for earlier, later in pairwise(bursts)]
    if len(bursts) < _LEAST_BURSTS:
        return
    mean = statistics.fmean(gaps)
    if statistics.pstdev(gaps) <= _REGULAR * mean:
        yield _("they come every {mean}: something does its work by the clock", mean=format_seconds(mean))
    else:
        yield _("they come in {n} bursts without a period", n=len(bursts))


def _beside(evidence: CellEvidence) -> Iterator[str]:
    for quantity, words in ((SCRUBBING_PGS, _("a scrub")), (RECOVERY_OPS, _("recovery"))):
        if share := evidence.share_above(quantity, 0):
            yield _("{words} ran in {share:.0%} of the samples", words=words, share=share)


def _advice(stretch: str, osd: int | None, late: Sequence[SlowOp]) -> str:
    number = late[0].osd if osd is None else osd
    return _(_NEXT.get(stretch, "ceph tell osd.{osd} dump_historic_ops_by_duration"), osd=number)


def _finding(evidence: CellEvidence, claim: str, because: tuple[str, ...], try_next: str) -> Finding:
    return Finding(claim=claim, because=because, try_next=try_next)


TAIL_RULE = Rule(
    "tail", "If the tail is long, where do the slowest operations pass their time?", concerns=ceph_cell, cell=check_cell
)


# All stands still now and then, and between that nothing is slow: one I/O after the other shows it.

_STILL_S, _TIMES_MEAN, _OF_SEGMENTS = 0.3, 50.0, 0.75
"""Healthy clusters beside work on all cores came to 0.1 s; lost packets to 0.27 and 26 times the mean, limits of the
scheduler to 0.16 and 6. Hosts that were stopped for 0.6 s, and a log that stalled, to 80 times and more."""
_STILL_UNLESS_LOST_S, _TIMES_MEAN_UNLESS_LOST, _TIMES_MEAN_OF_FULL = 0.15, 20.0, 200.0
"""Where it is known that no packets were lost: drives that were silent for 0.2 s came to 29 and 600 times the mean. On
a full machine OSDs that renewed leases every 10 ms came to 0.21 s and 142 times."""
_CLIENTS_OWN = 0.5


def _standstills_of_cell(evidence: CellEvidence) -> Verdict:
    longest = [
        (result.latency.max_s, result.latency.mean_s, result.runtime_s or segment.seconds, segment)
        for segment in evidence.segments
        for result in segment.results
        if result.latency is not None and result.latency.max_s and result.latency.mean_s
    ]
    if len(longest) < 2:
        return Unchecked(_("the longest I/O of each segment was not recorded"))
    least_s, times = _least(evidence)
    still = [(most, run_s, segment) for most, mean, run_s, segment in longest if most >= max(least_s, times * mean)]
    if len(still) < 2 or len(still) < _OF_SEGMENTS * len(longest):
        return None
    outside = share_of_parts(evidence.segments, CLIENT, NETWORK, OUTSIDE_OF_OSDS)
    is_client = outside is not None and outside.value >= _CLIENTS_OWN
    return Finding(
        claim=_("The client, or the way to it, stands still again and again, and is quick between that.")
        if is_client
        else _("The cluster stands still again and again, and is quick between that."),
        because=(
            _(
                "in {n} of {all} segments one I/O took {longest}; the mean is {mean}",
                n=len(still),
                all=len(longest),
                longest=format_seconds(statistics.median(most for most, *_ in still)),
                mean=format_seconds(statistics.median(mean for _most, mean, *_ in longest)),
            ),
        ),
        severity=Severity.DOUBTFUL,
        unless=_("packets are lost: one that is sent again waits 0.2 s and more"),
        try_next=_(_CLIENT_NEXT if is_client else _CLUSTER_NEXT),
        role=Role.CAUSE,
        resource="standstills",
        explains=_share_still(still, least_s),
        hides=("slow-transfers",),
    )


def _least(evidence: CellEvidence) -> tuple[float, float]:
    """From how many seconds, and times the mean, on an I/O waited for more than for a packet that is sent again."""
    late = sum(late_ios(segment, _STILL_UNLESS_LOST_S) for segment in evidence.segments)
    if may_be_of_lost_packets(late, evidence.study, evidence.segments):
        return _STILL_S, _TIMES_MEAN
    return _STILL_UNLESS_LOST_S, _TIMES_MEAN_OF_FULL if evidence.host_is_full else _TIMES_MEAN_UNLESS_LOST


def _share_still(still: Sequence[tuple[float, float, Segment]], least_s: float) -> Share | None:
    """What such I/Os took of all their time; where no histogram tells, the longest of each segment at least."""
    if (share := share_over(share_of_late(segment, least_s) for *_, segment in still)) is not None:
        return share
    share = share_over(most / run_s for most, run_s, _segment in still if run_s)
    return None if share is None else share.or_more()


STANDSTILLS_RULE = Rule(
    "standstills",
    "Does the cluster answer all the time?",
    concerns=lambda asked: ceph_cell(asked) and asked.one_at_a_time and (asked.block_bytes or 0) <= _SMALL,
    cell=_standstills_of_cell,
)
