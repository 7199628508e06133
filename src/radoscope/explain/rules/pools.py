"""The pool: how its load is spread, how full it is, what it does with data."""

from __future__ import annotations

import math
import shlex
import statistics
from collections.abc import Mapping
from dataclasses import replace

from radoscope.explain.evidence import CellEvidence, named_osds
from radoscope.explain.finding import Finding, Role, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell, pool_cell
from radoscope.explain.times import (
    PREPARE,
    QUEUE,
    REPLICAS,
    STORE,
    latency_s,
    median_of_others,
    of_each,
    queue_wait,
    share_of,
    share_of_parts,
    share_over,
    touched,
    waterfall_of,
)
from radoscope.records.conditions import Conditions
from radoscope.records.environment import Environment
from radoscope.records.study import Segment
from radoscope.records.telemetry import COMMIT_LAT, COMPRESS_LAT, COMPRESSED, OP_R, OP_W
from radoscope.units import format_block, format_bytes
from radoscope.words import _

# One OSD, or one placement group, with far more of the load than its share: operations queue up there.

_UNEVEN = 1.5
_FEW_GROUPS = 16
"""Placement groups of the pool for each OSD that is primary of some: below, chance alone makes loads uneven."""
_CROWDED = 1.4
_LEAST_SHARE = 0.15
_SEVERAL = 4
_NO_CHANCE, _OBJECTS, _FEWEST_OSDS = 5.0, 32, 3
"""Standard deviations beyond what chance gives one OSD of so many primaries: a small image has no more objects."""
_HEAVIER = 1.5


def _uneven_load_of_cell(evidence: CellEvidence) -> Verdict:
    """Asked of cells with several in flight: one at a time waits in no queue, however uneven the load."""
    loads = [load for one in evidence.segments if (load := _load(one))]
    if not loads:
        return _crowded_store(evidence) or Unchecked(_("the OSDs' counts of operations were not recorded"))
    together = {osd: sum(load.get(osd, 0.0) for load in loads) for osd in set().union(*loads)}
    busiest = max(together, key=lambda osd: together[osd])
    mean = statistics.fmean(together.values())
    ratio = together[busiest] / mean if mean else 1.0
    reason = _reason(evidence, busiest) or _of_all(evidence, busiest, together)
    if ratio < _UNEVEN or reason is None:
        return _crowded_store(evidence)
    share = share_over(_queued(one, busiest) for one in evidence.segments)
    if share is None or share.value < _LEAST_SHARE:
        return None
    return Finding(
        claim=_(
            "The load is uneven: osd.{busiest} gets {ratio:.1f} times its share, and operations queue up there.",
            busiest=busiest,
            ratio=ratio,
        ),
        because=(
            reason[0],
            _("{share} of the mean latency passes in the queue of osd.{busiest}", share=share, busiest=busiest),
        ),
        severity=Severity.DOUBTFUL,
        unless=_("that OSD is meant to take more, as a larger drive is"),
        try_next=reason[1],
        role=Role.CAUSE,
        resource=f"placement groups, osd.{busiest}",
        explains=share,
        hides=("pg-count", "osd-cpu"),
    )


def _crowded_store(evidence: CellEvidence) -> Finding | None:
    """Of writes, where one OSD holds many more groups than others, as one whose neighbours on its host are gone: it
    commits later, and each write with a copy there waits. Who is primary tells nothing of it."""
    cluster = evidence.environment.cluster
    groups = {one.id: one.groups for one in cluster.each_osd if one.groups} if cluster else {}
    if not evidence.conditions.op.writes or len(groups) < _FEWEST_OSDS:
        return None
    osd = max(groups, key=groups.__getitem__)
    usual = median_of_others({one: float(count) for one, count in groups.items()}, osd)
    share = share_over(_later(one, osd) for one in evidence.segments)
    if groups[osd] < _CROWDED * usual or share is None or share.value < _LEAST_SHARE:
        return None
    return Finding(
        claim=_(
            "The load is uneven: osd.{osd} holds {times:.1f} times as many placement groups as others, and writes wait "
            "for it.",
            osd=osd,
            times=groups[osd] / usual,
        ),
        because=(
            _("{groups} placement groups, {usual:.0f} on others", groups=groups[osd], usual=usual),
            _("what it commits later than they do is {share} of the mean latency", share=share),
        ),
        severity=Severity.DOUBTFUL,
        unless=_("that OSD is meant to take more, as a larger drive is"),
        try_next=_("ceph osd tree: is an OSD of its host down or out? ceph osd df (PGS, WEIGHT); ceph balancer status"),
        role=Role.CAUSE,
        resource=f"placement groups, osd.{osd}",
        explains=share,
        hides=("pg-count", "osd-cpu"),
    )


def _later(segment: Segment, osd: int) -> float | None:
    """Share of the mean write that an OSD's commits are behind all others: one slow kind of drives has several."""
    commits, total = of_each(segment, COMMIT_LAT), latency_s(segment)
    if not total or osd not in commits or len(commits) < _FEWEST_OSDS:
        return None
    return touched(segment, osd) * max(0.0, commits.pop(osd) - max(commits.values())) / total


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
        advice = f"ceph osd pool set {pool.quoted} pg_num {_power_of_two(100 * osds / (pool.size or 3))}"
        return _("the pool has {pg_num} placement groups for {osds} OSDs", pg_num=pool.pg_num, osds=osds), advice
    affinity = {one.id: one.primary_affinity for one in cluster.each_osd if one.primary_affinity is not None}
    spared = [one for one, value in affinity.items() if value < affinity.get(osd, 0.0)]
    if spared:
        named = named_osds(spared)
        fact = _("{named} are primary less often or never: their primary affinity is lower", named=named)
        return fact, f"ceph osd primary-affinity osd.{spared[0]} 1; ceph osd tree (PRI-AFF)"
    weights = {one.id: one.weight for one in cluster.each_osd if one.weight}
    usual = median_of_others(weights, osd) if osd in weights and len(weights) > 1 else 0.0
    if usual and weights[osd] >= _HEAVIER * usual:
        fact = _("its CRUSH weight is {weight:.3g}, that of others {usual:.3g}", weight=weights[osd], usual=usual)
        return fact, _(
            "Compare WEIGHT and SIZE in ceph osd df: ceph osd crush reweight osd.{osd} where they differ; a larger "
            "drive serves less with ceph osd primary-affinity osd.{osd} 0.5.",
            osd=osd,
        )
    groups = {one.id: one.groups for one in cluster.each_osd if one.groups is not None}
    mean = statistics.fmean(groups.values()) if groups else 0.0
    if mean and groups.get(osd, 0) >= _CROWDED * mean:
        fact = _(
            "osd.{osd} holds {groups} placement groups, {mean:.0f} is the mean", osd=osd, groups=groups[osd], mean=mean
        )
        return fact, _("ceph balancer on (mode upmap); ceph osd df shows weights and groups")
    return None


def _of_all(evidence: CellEvidence, osd: int, load: Mapping[int, float]) -> tuple[str, str] | None:
    """(fact, what to do) where one OSD serves far more than others that hold as much: chance does not do that."""
    cluster = evidence.environment.cluster
    pool = cluster.pool if cluster else None
    share = load[osd] / sum(load.values())
    if pool is None or len(load) < _FEWEST_OSDS or (pool.pg_num or 0) <= len(load):
        return None
    drawn, fair = min(pool.pg_num or 0, _OBJECTS), 1 / len(load)
    if (share - fair) * drawn < _NO_CHANCE * math.sqrt(drawn * fair * (1 - fair)):
        return None
    fact = _("{share:.0%} of the operations go to it, of {n} placement groups", share=share, n=pool.pg_num)
    return fact, _(
        "Find out why: ceph osd pool ls detail (pgp_num, crush_rule), ceph pg ls-by-pool {pool} (ACTING_PRIMARY), and "
        "rbd_read_from_replica_policy of the clients.",
        pool=pool.quoted,
    )


def _power_of_two(number: float) -> int:
    power = 1
    while power * 1.5 < number:
        power *= 2
    return power


def _several(conditions: Conditions) -> bool:
    return pool_cell(conditions) and not conditions.pinned and conditions.in_flight >= _SEVERAL


UNEVEN_LOAD_RULE = Rule(
    "uneven-load",
    "Is the load spread evenly over the OSDs?",
    pitfalls=(8,),
    concerns=_several,
    cell=_uneven_load_of_cell,
)


# A pool that does more than store an I/O: it gathers a stripe from several OSDs.

_GATHERING = 0.3
_MOST_STRIPES = 8
"""An I/O of more is hardly held up by those that it covers in part, its first one and its last one."""


def _pool_layout_of_cell(evidence: CellEvidence) -> Verdict:
    cluster, block = evidence.environment.cluster, evidence.conditions.block_bytes
    pool = cluster.pool if cluster else None
    if pool is None:
        return Unchecked(_("the pool's settings were not recorded"))
    if not pool.erasure_profile or not pool.stripe_bytes or not block or block % pool.stripe_bytes == 0:
        return None
    if block > _MOST_STRIPES * pool.stripe_bytes:
        return None
    # What a read gathers passes before its own store's part ends, what a write gathers after it was prepared.
    part = REPLICAS if evidence.conditions.op.writes else PREPARE
    share = share_of_parts(evidence.segments, part)
    if share is None or share.value < _GATHERING:
        return None
    return Finding(
        claim=_("The pool is erasure-coded: an I/O below a stripe gathers all of it from several OSDs."),
        because=(
            _(
                "I/Os of {block}, stripes of {stripe}, profile {profile}",
                block=format_block(block),
                stripe=format_bytes(pool.stripe_bytes),
                profile=pool.erasure_profile,
            ),
            _("{share} of an I/O's time passes beyond the primary's own store", share=share),
        ),
        try_next=_("Keep images that write small blocks in a replicated pool; Ceph 20 has allow_ec_optimizations"),
        role=Role.CAUSE,
        resource="pool layout",
        explains=share,
        at_most=True,
        hides=("slow-transfers",),
    )


POOL_LAYOUT_RULE = Rule(
    "pool-layout", "Does an I/O fit the pool's stripes?", concerns=pool_cell, cell=_pool_layout_of_cell
)


# Placement groups: too few leave OSDs idle, too many cost memory and CPU.

_TARGET = 100
_FEW, _MANY = 50, 200
"""Replicas of placement groups per OSD. Ceph's own target is 100 (mon_target_pg_per_osd); ceph.io's 1 TiB/s cluster
gained a factor of 5 in reads from 256 to 16,384 groups on 60 OSDs."""


def _pg_count_of_environment(environment: Environment) -> Verdict:
    cluster = environment.cluster
    pool = cluster.pool if cluster else None
    osds = (cluster.osds_in or cluster.osds) if cluster else None
    if pool is None or not osds or pool.pg_num is None or pool.size is None:
        return Unchecked(_("the pool's placement groups, its size or the number of OSDs are not known"))
    each = pool.pg_num * pool.size / osds
    if _FEW <= each <= _MANY:
        return None
    few = each < _FEW
    wanted = 2 ** max(0, round(math.log2(_TARGET * osds / pool.size)))
    return Finding(
        claim=_("The pool has too few placement groups: its load is spread unevenly over the OSDs.")
        if few
        else _("The pool has more placement groups than its OSDs need."),
        because=(
            _(
                "pg_num {pg_num} x size {size} on {osds} OSDs = {each:.0f} per OSD, the target is 100",
                pg_num=pool.pg_num,
                size=pool.size,
                osds=osds,
                each=each,
            ),
        ),
        severity=Severity.DOUBTFUL if few and each < _FEW / 2 and osds > pool.size else Severity.NOTE,
        unless=_("other pools hold most of the data"),
        try_next=_("Measure in a pool with pg_num {wanted} (--pool).", wanted=wanted)
        if pool.own
        else f"ceph osd pool set {pool.quoted} pg_num {wanted}",
    )


PG_COUNT_RULE = Rule(
    "pg-count",
    "Does the pool have enough placement groups?",
    pitfalls=(8,),
    concerns=pool_cell,
    environment=_pg_count_of_environment,
)


# How full the cluster is: an empty one is faster than it will ever be again, a full one slows down and stops.

_FULL = 0.75
"""Nearfull is 85 %; OSDs are never filled evenly, so the fullest is ahead of the mean by about ten points."""
_NEARFULL = 0.85
"""mon_osd_nearfull_ratio: from here on Ceph warns, and a few points later it holds back recovery and writes."""
_EMPTY = 0.05


def _fill_level_of_environment(environment: Environment) -> Verdict:
    cluster = environment.cluster
    if cluster is None or not cluster.total_bytes or cluster.used_bytes is None:
        return Unchecked(_("the cluster's space was not recorded"))
    share = cluster.used_bytes / cluster.total_bytes
    fullest = max((osd.used or 0.0 for osd in cluster.each_osd), default=0.0)
    if fullest >= _NEARFULL:
        told = _("the fullest OSD is at {fullest:.0%}, all together at {share:.0%}", fullest=fullest, share=share)
        advice = _("Free space, or add OSDs, before you measure: ceph osd df")
        found = _finding(
            _("OSDs are nearly full: Ceph slows down, and stops at 95 %."), told, Severity.DOUBTFUL, advice
        )
        return replace(found, role=Role.CAUSE, resource="space")
    fact = _(
        "{used_bytes} of {total_bytes} used: {share:.0%}",
        used_bytes=format_bytes(cluster.used_bytes),
        total_bytes=format_bytes(cluster.total_bytes),
        share=share,
    )
    if share >= _FULL:
        return _finding(
            _("The cluster is nearly full."), fact, Severity.DOUBTFUL, _("Free space before you measure: ceph df")
        )
    if share < _EMPTY:
        advice = _("Fill it to about half before you quote a number for production; BlueStore fragments as it fills.")
        return _finding(_("The cluster is nearly empty: a filled one is slower."), fact, Severity.NOTE, advice)
    return None


def _finding(claim: str, fact: str, severity: Severity, try_next: str) -> Finding:
    return Finding(claim=claim, because=(fact,), severity=severity, try_next=try_next)


FILL_LEVEL_RULE = Rule(
    "fill-level",
    "Is the cluster as full as in production?",
    pitfalls=(17, 27),
    concerns=ceph_cell,
    environment=_fill_level_of_environment,
)


# How many copies a write makes: fewer are faster, and comparable only with pools of the same size.


def _replicas_of_environment(environment: Environment) -> Verdict:
    pool = environment.cluster.pool if environment.cluster else None
    if pool is None or (pool.size is None and not pool.erasure_profile):
        return Unchecked(_("the pool's size is not known"))
    if pool.erasure_profile or (pool.size or 0) >= 3:
        return None
    return Finding(
        claim=_("The pool keeps fewer than three copies: its writes are faster than with the usual three."),
        because=(f"size {pool.size}",),
        unless=_("it is meant for scratch data"),
        try_next=_("ceph osd pool set {pool} size 3, then measure writes again", pool=pool.quoted),
    )


REPLICAS_RULE = Rule(
    "replicas", "Does the pool keep three copies?", concerns=pool_cell, environment=_replicas_of_environment
)


# Where the images of the cluster's clients keep their data: in another pool than the one that was measured?

_DATA_POOL = "rbd_default_data_pool"


def _data_pool_of_environment(environment: Environment) -> Verdict:
    """As the monitors' configuration says; a client's own ceph.conf may say otherwise."""
    cluster = environment.cluster
    if cluster is None or cluster.pool is None:
        return Unchecked(_("the cluster's configuration was not recorded"))
    for name, pool in cluster.changed_options.items():
        if name.rpartition("/")[2] == _DATA_POOL and pool not in ("", cluster.pool.name):
            return Finding(
                claim=_(
                    "Images that clients create keep their data in another pool than the one measured: {pool}.",
                    pool=pool,
                ),
                because=(f"{name} = {pool}", _("the images of this study are in {pool}", pool=cluster.pool.name)),
                try_next=_("radoscope study --pool POOL --data-pool {pool}", pool=shlex.quote(pool)),
            )
    return None


DATA_POOL_RULE = Rule(
    "data-pool",
    "Was the pool measured in which images keep their data?",
    concerns=lambda asked: asked.layer.on_image,
    environment=_data_pool_of_environment,
)


# Data that compresses to nothing, in a pool that compresses.

_MUCH = 0.15
_OFF = (None, "", "none")


def _compressible_of_cell(evidence: CellEvidence) -> Verdict:
    cluster = evidence.environment.cluster
    if cluster is None or cluster.pool is None:
        return Unchecked(_("the pool's settings were not recorded"))
    mode = cluster.pool.compression
    if mode in _OFF:
        mode = next((v for k, v in cluster.changed_options.items() if k.endswith("bluestore_compression_mode")), None)
    if mode in _OFF:
        return None
    constant = evidence.conditions.tool in ("rados-bench", "rados_bench", "rbd-bench") or "1" in evidence.option(
        "zero_buffers"
    )
    compressed = evidence.total(COMPRESSED)
    if slow := _slow(evidence, mode):
        return slow
    if not constant and not compressed:
        return None
    because = [_("compression mode {mode}", mode=mode)]
    if constant:
        because.append(_("{tool} writes the same bytes again and again", tool=evidence.conditions.tool))
    if compressed:
        because.append(_("BlueStore compressed {compressed:,.0f} blobs", compressed=compressed))
    return Finding(
        claim=_("The pool compressed the benchmark's data: less reached the drives than was written."),
        because=tuple(because),
        severity=Severity.DOUBTFUL,
        role=Role.ARTEFACT,
        try_next=_(
            "ceph osd pool set {pool} compression_mode none, or fio with --refill_buffers.", pool=cluster.pool.quoted
        ),
    )


def _slow(evidence: CellEvidence, mode: str | None) -> Finding | None:
    """The processor's part: compressing before anything is written, by the OSDs' own clock."""
    share = share_of(evidence.segments, _compressing_s)
    if share is None or share.value < _MUCH:
        return None
    return Finding(
        claim=_("Compression holds the writes back."),
        because=(
            _("compression mode {mode}", mode=mode),
            _("compressing takes {share} of the mean write", share=share),
        ),
        role=Role.CAUSE,
        resource="compression",
        explains=share,
        try_next=_(
            "Compare with compression_mode none, or with algorithm lz4: ceph osd pool set POOL "
            "compression_algorithm lz4"
        ),
        hides=("osd-cpu",),
    )


def _compressing_s(segment: Segment) -> float | None:
    """Of one write: in its store, blob after blob; and of its waits for the OSDs' threads, which compress for others
    meanwhile, as large a part. None where none was compressed."""
    once, blobs = segment.counters.get(COMPRESS_LAT.name), segment.counters.get(COMPRESS_LAT.events)
    commits = segment.counters.get(COMMIT_LAT.events)
    if once is None or not blobs or not commits:
        return None
    own, way = once * blobs / commits, waterfall_of(segment)
    if way is None or not (store := way.share(STORE) * way.total_s):
        return own
    waits = sum(way.share(part) for part in (QUEUE, PREPARE, REPLICAS)) * way.total_s
    return own + min(1.0, own / store) * waits


COMPRESSIBLE_RULE = Rule(
    "compressible-data",
    "Did the data reach the drives uncompressed?",
    pitfalls=(14,),
    concerns=lambda asked: pool_cell(asked) and asked.op.writes,
    cell=_compressible_of_cell,
)
