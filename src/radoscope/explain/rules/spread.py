"""Over how many drives the load is spread: OSDs that are gone, and copies beyond the usual three."""

from __future__ import annotations

from radoscope.explain.evidence import CellEvidence
from radoscope.explain.finding import Finding, Role
from radoscope.explain.rule import Rule, Unchecked, Verdict, pool_cell
from radoscope.explain.rules.drives import drive_bound
from radoscope.explain.times import QUEUE, REPLICAS, STORE, share_of_parts
from radoscope.records.conditions import Conditions
from radoscope.words import _

_SEVERAL = 4
_USUAL = 3


def _osds_missing_of_cell(evidence: CellEvidence) -> Verdict:
    """Where drives are the limit, each that is gone takes its part of the rate along."""
    cluster = evidence.environment.cluster
    if cluster is None or not cluster.osds or cluster.osds_up is None:
        return Unchecked(_("how many OSDs are up was not recorded"))
    gone = cluster.osds - cluster.osds_up
    if gone <= 0:
        return None
    if len(cluster.device_classes) > 1:
        return Unchecked(_("the OSDs are of several device classes; which of them serve the pool is not known"))
    bound = drive_bound(evidence)
    if not isinstance(bound, Finding) or bound.explains is None:
        return None
    return Finding(
        claim=_(
            "{gone} of {all} OSDs are down: the drives of the others carry their load.", gone=gone, all=cluster.osds
        ),
        because=bound.because,
        unless=_("they have been out for long, and the cluster was never faster"),
        try_next=_("ceph osd tree down; bring them back, or replace their drives"),
        role=Role.CAUSE,
        resource="OSDs that are down",
        explains=bound.explains.part(gone / cluster.osds),
        hides=("drive-bound",),
    )


OSDS_MISSING_RULE = Rule(
    "osds-missing",
    "Do all OSDs carry their part of the load?",
    concerns=lambda asked: pool_cell(asked) and not asked.pinned and asked.in_flight >= _SEVERAL,
    cell=_osds_missing_of_cell,
)


def _many_copies_of_cell(evidence: CellEvidence) -> Verdict:
    """With several in flight stores are busy all the time: what they write for further copies, others wait for."""
    cluster = evidence.environment.cluster
    pool = cluster.pool if cluster else None
    if pool is None or pool.size is None:
        return Unchecked(_("the pool's size is not known"))
    share = share_of_parts(evidence.segments, QUEUE, STORE, REPLICAS)
    if pool.erasure_profile or pool.size <= _USUAL or share is None:
        return None
    return Finding(
        claim=_("The pool keeps {size} copies: each write is made {size} times.", size=pool.size),
        because=(
            _("{share} of the mean write passes in queues, stores and for replicas", share=share),
            _("with three copies they would write {part:.0%} of that", part=_USUAL / pool.size),
        ),
        unless=_("they are wanted, as with two in each of two sites"),
        try_next=_("ceph osd pool set {pool} size 3, where three copies are safe enough", pool=pool.quoted),
        role=Role.CAUSE,
        resource="copies",
        explains=share.part(1 - _USUAL / pool.size),
    )


def _writes_at_depth(asked: Conditions) -> bool:
    return pool_cell(asked) and not asked.pinned and asked.op.writes and asked.in_flight >= _SEVERAL


MANY_COPIES_RULE = Rule(
    "many-copies",
    "Does a write make no more than three copies?",
    concerns=_writes_at_depth,
    cell=_many_copies_of_cell,
)
