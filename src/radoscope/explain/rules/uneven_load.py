"""One OSD, or one placement group, with far more of the load than its share: operations queue up there."""

from __future__ import annotations

import statistics

from radoscope.explain.evidence import CellEvidence
from radoscope.explain.finding import Finding, Role, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict
from radoscope.explain.times import latency_s, of_each, queue_wait, share_over
from radoscope.records.conditions import Conditions, Layer
from radoscope.records.study import Segment
from radoscope.records.telemetry import OP_R, OP_W

_UNEVEN = 1.5
_FEW_GROUPS = 16
"""Placement groups of the pool for each OSD that is primary of some: below, chance alone makes loads uneven."""
_CROWDED = 1.4
_LEAST_SHARE = 0.15
_SEVERAL = 4


def check_cell(evidence: CellEvidence) -> Verdict:
    """Asked of cells with several in flight: one at a time waits in no queue, however uneven the load."""
    loads = [load for one in evidence.segments if (load := _load(one))]
    if not loads:
        return Unchecked("the OSDs' counts of operations were not recorded")
    together = {osd: sum(load.get(osd, 0.0) for load in loads) for osd in set().union(*loads)}
    busiest = max(together, key=lambda osd: together[osd])
    mean = statistics.fmean(together.values())
    ratio = together[busiest] / mean if mean else 1.0
    reason = _reason(evidence, busiest)
    if ratio < _UNEVEN or reason is None:
        return None
    share = share_over(value for one in evidence.segments if (value := _queued(one, busiest)) is not None)
    if share is None or share.value < _LEAST_SHARE:
        return None
    return Finding(
        rule=RULE.name,
        claim=f"The load is uneven: osd.{busiest} gets {ratio:.1f} times its share, and operations queue up there.",
        because=(reason[0], f"{share} of the mean latency passes in the queue of osd.{busiest}"),
        severity=Severity.DOUBTFUL,
        cells=(evidence.cell.name,),
        unless="that OSD is meant to take more, as a larger drive is",
        try_next=reason[1],
        role=Role.CAUSE,
        resource=f"placement groups, osd.{busiest}",
        explains=share,
        hides=("pg-count", "osd-cpu"),
    )


def _load(segment: Segment) -> dict[int, float]:
    """OSD -> operations of clients that it was the primary of."""
    reads, writes = of_each(segment, OP_R), of_each(segment, OP_W)
    found = {osd: reads.get(osd, 0.0) + writes.get(osd, 0.0) for osd in {*reads, *writes}}
    return found if sum(found.values()) >= 10 * len(found) and len(found) > 1 else {}


def _queued(segment: Segment, osd: int) -> float | None:
    total, waited, load = latency_s(segment), queue_wait(segment, (osd,)), _load(segment)
    if not total or waited is None or not load:
        return None
    return waited / total * load.get(osd, 0.0) / sum(load.values())


def _reason(evidence: CellEvidence, osd: int) -> tuple[str, str] | None:
    """(fact, what to do); None where neither the groups' number nor their places explain it."""
    cluster = evidence.environment.cluster
    pool = cluster.pool if cluster else None
    if cluster is None or pool is None or pool.pg_num is None:
        return None
    osds = cluster.osds_in or cluster.osds or 1
    if pool.pg_num < _FEW_GROUPS * osds and pool.pg_num <= 2 * osds:
        advice = f"ceph osd pool set {pool.name} pg_num {_power_of_two(100 * osds / (pool.size or 3))}"
        return f"the pool has {pool.pg_num} placement groups for {osds} OSDs", advice
    groups = {one.id: one.groups for one in cluster.each_osd if one.groups is not None}
    mean = statistics.fmean(groups.values()) if groups else 0.0
    if mean and groups.get(osd, 0) >= _CROWDED * mean:
        fact = f"osd.{osd} holds {groups[osd]} placement groups, {mean:.0f} is the mean"
        return fact, "ceph balancer on (mode upmap); ceph osd df shows weights and groups"
    return None


def _power_of_two(number: float) -> int:
    power = 1
    while power * 1.5 < number:
        power *= 2
    return power


def _several(conditions: Conditions) -> bool:
    on_ceph = conditions.layer in (Layer.RADOS, Layer.RBD)
    return on_ceph and not conditions.pinned and conditions.in_flight >= _SEVERAL


RULE = Rule(
    name="uneven-load",
    question="Is the load spread evenly over the OSDs?",
    pitfalls=(8,),
    concerns=_several,
    cell=check_cell,
)
