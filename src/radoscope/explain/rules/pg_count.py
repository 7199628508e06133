"""Placement groups: too few leave OSDs idle, too many cost memory and CPU."""

from __future__ import annotations

import math

from radoscope.explain.finding import Finding, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell
from radoscope.records.environment import Environment

_TARGET = 100
_FEW, _MANY = 50, 200
"""Replicas of placement groups per OSD. Ceph's own target is 100 (mon_target_pg_per_osd); ceph.io's 1 TiB/s cluster
gained a factor of 5 in reads from 256 to 16,384 groups on 60 OSDs."""


def check_environment(environment: Environment) -> Verdict:
    cluster = environment.cluster
    pool = cluster.pool if cluster else None
    osds = (cluster.osds_in or cluster.osds) if cluster else None
    if pool is None or not osds or pool.pg_num is None or pool.size is None:
        return Unchecked("the pool's placement groups, its size or the number of OSDs are not known")
    each = pool.pg_num * pool.size / osds
    if _FEW <= each <= _MANY:
        return None
    few = each < _FEW
    wanted = 2 ** max(0, round(math.log2(_TARGET * osds / pool.size)))
    return Finding(
        rule=RULE.name,
        claim="The pool has too few placement groups: its load is spread unevenly over the OSDs."
        if few
        else "The pool has more placement groups than its OSDs need.",
        because=(f"pg_num {pool.pg_num} x size {pool.size} on {osds} OSDs = {each:.0f} per OSD, the target is 100",),
        severity=Severity.DOUBTFUL if few and each < _FEW / 2 and osds > pool.size else Severity.NOTE,
        unless="other pools hold most of the data",
        try_next=f"Measure in a pool with pg_num {wanted} (--pool)."
        if pool.own
        else f"ceph osd pool set {pool.name} pg_num {wanted}",
    )


RULE = Rule(
    name="pg-count",
    question="Does the pool have enough placement groups?",
    pitfalls=(8,),
    concerns=ceph_cell,
    environment=check_environment,
)
