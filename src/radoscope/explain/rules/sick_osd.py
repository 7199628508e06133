"""One OSD much slower than its peers, by what it does alone: its own store's commits, its own drive's reads.

A write's latency at its primary tells nothing of the primary: it holds the slowest replica. A commit in the OSD's own
store, and a read from its own drive, wait for nobody else.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import dataclass

from radoscope.explain.evidence import CellEvidence
from radoscope.explain.finding import Finding, Role, Severity, Share
from radoscope.explain.rule import Rule, Unchecked, Verdict
from radoscope.explain.times import latency_s, median_of_others, of_each, share_over
from radoscope.records.conditions import Conditions, Layer
from radoscope.records.study import Segment
from radoscope.records.telemetry import COMMIT_LAT, OP_R, OP_R_LATENCY, OP_W, OP_W_LATENCY, READ_WAIT_AIO_LAT, Counter
from radoscope.records.telemetry import SUBOP_W_LATENCY as SUBOP
from radoscope.units import format_seconds

_SLOWER, _ALWAYS_SLOWER = 2.0, 1.5
"""On average over the segments, and in each of them. Healthy peers with the processors full of other work came to 1.8
in single segments of 2 s; over minutes they stay within 15 % (the limit that ceph-bench uses)."""
_PEERS = 3
_LEAST_SHARE = 0.1
_ALWAYS = 2 / 3


@dataclass(frozen=True, slots=True)
class _Seen:
    """One segment's slowest OSD: its time, its peers' median, and how much of the mean I/O the difference makes."""

    osd: int
    own_s: float
    others_s: float
    share: float | None

    @property
    def ratio(self) -> float:
        return self.own_s / self.others_s


def check_cell(evidence: CellEvidence) -> Verdict:
    kinds = (COMMIT_LAT, OP_W_LATENCY) if evidence.conditions.op.writes else (READ_WAIT_AIO_LAT, OP_R_LATENCY)
    looked = False
    for counter in kinds:
        segments = [one for one in evidence.segments if len(_positive(one, counter)) >= _PEERS]
        looked = looked or bool(segments)
        found = _always_the_same([_slowest(one, counter) for one in segments])
        if found is not None:
            return _finding(evidence, counter, *found)
        if segments and counter is kinds[0]:
            return None
    return None if looked else Unchecked("times of three OSDs or more were not recorded")


def _slowest(segment: Segment, counter: Counter) -> _Seen:
    values = _positive(segment, counter)
    osd = max(values, key=lambda one: values[one])
    others = median_of_others(values, osd)
    total = latency_s(segment)
    share = _touched(segment, osd) * (values[osd] - others) / total if total else None
    return _Seen(osd, values[osd], others, share)


def _touched(segment: Segment, osd: int) -> float:
    """Share of the client's operations that waited for this OSD; 1 where nothing tells."""
    counts = segment.osd_counters
    if sum(one.get(OP_W.name, 0.0) for one in counts.values()) > sum(
        one.get(OP_R.name, 0.0) for one in counts.values()
    ):
        writes = sum(one.get(OP_W.name, 0.0) for one in counts.values())
        own = counts[osd].get(OP_W.name, 0.0) + counts[osd].get(SUBOP.events, 0.0)
        return min(1.0, own / writes) if writes else 1.0
    reads = sum(one.get(OP_R.name, 0.0) for one in counts.values())
    return counts[osd].get(OP_R.name, 0.0) / reads if reads else 1.0


def _always_the_same(seen: list[_Seen]) -> tuple[int, list[_Seen], Share | None] | None:
    """The OSD that is far behind its peers in nearly every segment, if there is one."""
    behind = [one for one in seen if one.ratio >= _ALWAYS_SLOWER]
    if not behind:
        return None
    osd = statistics.mode(one.osd for one in behind)
    own = [one for one in behind if one.osd == osd]
    if len(own) < _ALWAYS * len(seen) or statistics.fmean(one.ratio for one in own) < _SLOWER:
        return None
    share = share_over(one.share for one in own if one.share is not None)
    if share is not None and share.value < _LEAST_SHARE:
        return None
    return osd, own, share


def _finding(evidence: CellEvidence, counter: Counter, osd: int, seen: list[_Seen], share: Share | None) -> Finding:
    own = statistics.fmean(one.own_s for one in seen)
    others = statistics.fmean(one.others_s for one in seen)
    what = "its reads" if evidence.conditions.op.reads else "its writes"
    where = {COMMIT_LAT: "commits in its own store", READ_WAIT_AIO_LAT: "reads from its own drive"}.get(counter, what)
    facts = [f"osd.{osd}: {where} take {format_seconds(own)}, its peers' {format_seconds(others)}"]
    if share is not None:
        facts.append(f"that is {share} of the mean latency")
    facts += list(_deep_queue(evidence, osd))
    return Finding(
        rule=RULE.name,
        claim=f"osd.{osd} is slower than its peers, and everything that touches it waits for it.",
        because=tuple(facts),
        severity=Severity.DOUBTFUL,
        cells=(evidence.cell.name,),
        unless="it has another device class, or carries more of the load",
        try_next=f"ceph tell osd.{osd} bench; smartctl -a on its drive; iostat -x 1 on its host. To go on without it: "
        f"ceph osd out {osd}",
        role=Role.CAUSE,
        resource=f"osd.{osd}",
        explains=share,
        hides=("flush-bound", "uneven-load", "mclock"),
    )


def _deep_queue(evidence: CellEvidence, osd: int) -> Iterator[str]:
    """With many in flight, nearly all of them end up at the slow one: then the rate is its rate."""
    if evidence.conditions.in_flight > 1 and evidence.conditions.op.reads:
        yield f"with {evidence.conditions.in_flight} in flight they gather at osd.{osd}"


def _positive(segment: Segment, counter: Counter) -> dict[int, float]:
    return {osd: value for osd, value in of_each(segment, counter).items() if value > 0}


def _loads_ceph(conditions: Conditions) -> bool:
    """A pool that is pinned below the others loads one OSD more than its peers, and so tells nothing of them."""
    return conditions.layer in (Layer.RADOS, Layer.RBD) and not conditions.pinned


RULE = Rule(
    name="sick-osd",
    question="Are all OSDs about equally fast?",
    pitfalls=(21,),
    concerns=_loads_ceph,
    cell=check_cell,
)
