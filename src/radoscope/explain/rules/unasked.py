"""What OSDs write though no client asked for it: their stores and drives work for something else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import fmean

from radoscope.explain.evidence import CellEvidence, most_ios, named_osds
from radoscope.explain.finding import Finding, Role, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell
from radoscope.explain.times import each_of, share_over, touched
from radoscope.records.conditions import Layer
from radoscope.records.study import Segment, Study
from radoscope.records.telemetry import (
    COMMIT_LAT,
    MAP_EPOCHS,
    MESSAGES,
    OP_R,
    OP_RW,
    OP_W,
    OP_W_IN_BYTES,
    PG_NOT_CLEAN,
    RECOVERED,
    SUBOP_W_IN_BYTES,
    SUBOP_W_LATENCY,
    WRITE_BIG_BYTES,
    WRITE_SMALL_BYTES,
)
from radoscope.units import format_bytes, format_count, format_seconds
from radoscope.words import _

_LEAST_AT_ONCE, _OFTEN, _SEGMENTS = 0.3, 2 / 3, 2
"""Transactions at once, by rate times duration, in two of three segments."""
_LEAST, _OF_A_GROUP = 50, 1.5
"""Of healthy clusters each OSD commits what it is sent, and one transaction for each of its placement groups when the
cluster's map changes, as pools come and go: 2 to 32 in half of the segments here, 90 in one. On slow drives these
alone last long enough to be seen at once, which is the drives' fault."""
_OF_AN_OPERATION = 2
"""Transactions of an erasure-coded write on one OSD at most; parts that other OSDs take are counted nowhere."""
_LEAST_BYTES, _MOST_NAMED = 16e6, 4
_COPIED = 0.5
_RESTLESS = 0.25
_MOVED = 0.1
"""Of a study's segments. Pools that come and go leave groups unclean in its first ones alone. Where the map's changes
account for the writes, fewer show what changed it: groups were back within a second."""


def _unasked_writes_of_cell(evidence: CellEvidence) -> Verdict:
    if evidence.conditions.layer is Layer.S3:
        return Unchecked(_("a gateway makes several operations of each request, and some that OSDs count as none"))
    cluster = evidence.environment.cluster
    if cluster is not None and cluster.pool is not None and cluster.pool.erasure_profile:
        return Unchecked(_("OSDs do not count what they write for others in erasure-coded pools"))
    needed = {COMMIT_LAT.name, OP_RW.name}
    segments = [one for one in evidence.segments if needed <= one.counters.keys() and one.seconds > 0]
    if not segments:
        return Unchecked(_("the OSDs' transactions were not recorded"))
    if len(segments) < _SEGMENTS or any(one.counters.get(RECOVERED.name, 0.0) > 0 for one in segments):
        return None
    groups = {osd.id: osd.groups or 0 for osd in cluster.each_osd} if cluster is not None else {}
    own = {osd: max(_LEAST, _OF_A_GROUP * groups.get(osd, 0)) for one in segments for osd in one.osd_counters}
    at_once = [
        {
            osd: count * _commit_s(one, osd) / one.seconds
            for osd in one.osd_counters
            if (count := _unasked(one, osd, evidence)) >= own[osd]
        }
        for one in segments
    ]
    osds = [
        osd
        for osd in sorted(set().union(*at_once))
        if sum(each.get(osd, 0.0) >= _LEAST_AT_ONCE for each in at_once) >= _OFTEN * len(segments)
    ]
    by_map = all(
        _is_of_map(one, osd, groups.get(osd, 0), evidence)
        for one, each in zip(segments, at_once, strict=True)
        for osd in each
    )
    if not osds or _share_moving(evidence.study) >= (_MOVED if by_map else _RESTLESS):
        return None  # background-work tells of it, by the cells in which it was seen
    # So much of the time, at most, who comes to such an OSD finds it at that work.
    share = share_over(
        sum(touched(one, osd) * min(1.0, each.get(osd, 0.0)) for osd in osds)
        for one, each in zip(segments, at_once, strict=True)
    )
    told = Finding(
        claim="",
        because=tuple(_facts(evidence, segments, osds)),
        severity=Severity.DOUBTFUL,
        unless=_("placement groups were being split, moved or removed just then"),
        role=Role.CAUSE,
        explains=share,
        at_most=True,
        hides=("sick-osd", "flush-bound", "drive-bound", "uneven-load"),
    )
    if by_map:
        return _changing_map(told, segments)
    failed = all(
        _is_of_failed_requests(one, osd, evidence) for one, each in zip(segments, at_once, strict=True) for osd in each
    )
    return _failed_requests(told, segments, osds) if failed else _of_these(told, osds)


def _is_of_map(segment: Segment, osd: int, groups: int, evidence: CellEvidence) -> bool:
    """Whether changes of the map account for what the OSD wrote beyond its operations."""
    changes = segment.osd_counters[osd].get(MAP_EPOCHS.name, 0.0)
    return _unasked(segment, osd, evidence) <= _OF_A_GROUP * groups * changes


def _is_of_failed_requests(segment: Segment, osd: int, evidence: CellEvidence) -> bool:
    """Whether messages account for what the OSD wrote, and no OSD had others write: it logs a request that it refuses,
    has its replicas log it, and counts it as no operation. Snapshots that are trimmed are written by replicas as well,
    but that these count."""
    own, cluster = segment.osd_counters[osd], evidence.environment.cluster
    others = ((cluster.pool.size if cluster and cluster.pool else None) or 3) - 1
    wrote = {each: one.get(OP_W.name, 0.0) + one.get(OP_RW.name, 0.0) for each, one in segment.osd_counters.items()}
    copies = sum(one.get(SUBOP_W_LATENCY.events, 0.0) for one in segment.osd_counters.values())
    of_operations = own.get(OP_R.name, 0.0) + (1 + others) * wrote[osd] + own.get(SUBOP_W_LATENCY.events, 0.0)
    unasked = _unasked(segment, osd, evidence)
    is_copied = copies - others * sum(wrote.values()) >= _COPIED * unasked
    return not is_copied and own.get(MESSAGES.name, 0.0) - of_operations >= unasked


def _failed_requests(told: Finding, segments: Sequence[Segment], osds: Sequence[int]) -> Finding:
    each = [one.get(MESSAGES.name, 0.0) / seg.seconds for seg in segments for one in seg.osd_counters.values()]
    return replace(
        told,
        claim=_("Requests that fail make the OSDs write: these log what they refuse, and count no operation."),
        because=(_("each OSD receives {rate} messages a second", rate=format_count(fmean(each))), *told.because),
        resource="other clients",
        try_next=_(
            "Find the client: ceph tell osd.{osd} dump_historic_ops names client.ID, ceph tell mon.ID sessions its "
            "address. Does it remove objects that are not there, as rbd rm of images without an object map?",
            osd=osds[0],
        ),
    )


def _of_these(told: Finding, osds: Sequence[int]) -> Finding:
    named = named_osds(osds)
    return replace(
        told,
        claim=_("OSDs write what no client asked for: {named}.", named=named),
        resource=named,
        try_next=_(
            "Find out what does it: a script that runs ceph tell osd.{osd} bench, snapshots that are trimmed "
            "(ceph pg ls snaptrim), a pool that was removed; then repeat the cell.",
            osd=osds[0],
        ),
    )


def _changing_map(told: Finding, segments: Sequence[Segment]) -> Finding:
    each = [osd.get(MAP_EPOCHS.name, 0.0) / one.seconds for one in segments for osd in one.osd_counters.values()]
    return replace(
        told,
        claim=_("The cluster's map keeps changing, and each change makes every OSD write."),
        because=(_("{rate:.1f} changes a second reached each OSD", rate=fmean(each)), *told.because),
        resource="map",
        unless=_("pools, weights or OSDs were being changed just then"),
        try_next=_("Find out what changes it: ceph log last 50; compare two of ceph osd dump a few seconds apart."),
    )


def _share_moving(study: Study) -> float:
    """Of the segments, those in which placement groups were not clean: each move is known to every OSD by transactions,
    also in cells that saw the groups clean."""
    return fmean(any(each_of(one, PG_NOT_CLEAN)) for one in study.segments)


def _unasked(segment: Segment, osd: int, evidence: CellEvidence) -> float:
    """Transactions of this OSD's store beyond the operations that clients and other OSDs sent it.

    Writes of other clients may be to erasure-coded pools: what these can have made here is taken off.
    """
    own = segment.osd_counters[osd]
    sent = own.get(OP_W.name, 0.0) + own.get(OP_RW.name, 0.0) + own.get(SUBOP_W_LATENCY.events, 0.0)
    others = max(0.0, segment.counters.get(OP_W.name, 0.0) - most_ios(segment, evidence.conditions.in_flight))
    return max(0.0, own.get(COMMIT_LAT.events, 0.0) - sent - _OF_AN_OPERATION * others)


def _commit_s(segment: Segment, osd: int) -> float:
    return segment.osd_counters[osd].get(COMMIT_LAT.name, 0.0)


def _facts(evidence: CellEvidence, segments: Sequence[Segment], osds: Sequence[int]) -> Iterator[str]:
    for osd in osds[:_MOST_NAMED]:
        each = [one for one in segments if osd in one.osd_counters]
        seconds = sum(one.seconds for one in each)
        yield _(
            "osd.{osd} commits {rate} transactions a second beyond those of the operations that it is sent, and a "
            "commit takes {commit}",
            osd=osd,
            rate=format_count(sum(_unasked(one, osd, evidence) for one in each) / seconds),
            commit=format_seconds(sum(_commit_s(one, osd) for one in each) / len(each)),
        )
        stored, brought = (
            sum(one.osd_counters[osd].get(kind.name, 0.0) for one in each for kind in kinds) / seconds
            for kinds in ((WRITE_BIG_BYTES, WRITE_SMALL_BYTES), (OP_W_IN_BYTES, SUBOP_W_IN_BYTES))
        )
        if (stored - brought) * seconds >= _LEAST_BYTES:
            yield _(
                "it stores {stored}/s; clients and replication bring {brought}/s",
                stored=format_bytes(stored),
                brought=format_bytes(brought),
            )


UNASKED_WRITES_RULE = Rule(
    "unasked-writes",
    "Did the OSDs write only what clients asked for?",
    pitfalls=(9,),
    concerns=ceph_cell,
    cell=_unasked_writes_of_cell,
)
