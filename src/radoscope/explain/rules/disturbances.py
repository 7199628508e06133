"""What else went on in the cluster: its health, recovery, scrubs, other clients."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import replace

from radoscope.explain.evidence import CellEvidence, ResultEvidence, StudyEvidence, ios_of, most_ios
from radoscope.explain.finding import Finding, Role, Severity, Share
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell
from radoscope.explain.times import OPERATIONS, share_over, spent_s
from radoscope.records import health
from radoscope.records.conditions import Layer
from radoscope.records.environment import Environment
from radoscope.records.study import Segment
from radoscope.records.telemetry import (
    LIST_LAT,
    OP_R,
    OP_R_LATENCY,
    OP_R_OUT_BYTES,
    OP_W,
    OP_W_IN_BYTES,
    OP_W_LATENCY,
    OTHERS_IN_FLIGHT,
    PG_NOT_CLEAN,
    RECOVERED,
    RECOVERY_OPS,
    SCRUBBING_PGS,
    SLOW_OPS,
)
from radoscope.units import format_count
from radoscope.words import N_, _

# A load that was ended before its time, by a cluster that lost an OSD or by a host that went away.


def _stopped_of_study(evidence: StudyEvidence) -> Verdict:
    words = evidence.study.stopped_because
    if not words:
        return None
    done = {segment.cell for segment in evidence.study.segments if segment.results}
    return Finding(
        claim=_("The study could not go on: {words}.", words=words),
        because=(_("{n} of {all} cells have a number", n=len(done), all=len(evidence.study.cells)),),
        severity=Severity.INVALID,
        role=Role.CAUSE,
        resource="health",
        try_next=_(
            "ceph health detail, ceph osd tree down, ceph crash ls; where an OSD was killed, dmesg -T and journalctl "
            "on its host say by whom, as for want of memory"
        ),
    )


STOPPED_RULE = Rule("stopped", "Did the cluster last as long as the study?", pitfalls=(9,), study=_stopped_of_study)


# The cluster's own opinion of its health, as far as it says something about the speed of the moment.

_TROUBLE = N_("The cluster is not healthy; its numbers are not those of a healthy cluster.")
_UNKNOWN = N_("The cluster has a health warning; whether it slows anything is not known.")


def _health_of_environment(environment: Environment) -> Verdict:
    cluster = environment.cluster
    if cluster is None:
        return Unchecked(_("the cluster's health was not recorded"))
    checks = [health.judge_text(check) for check in cluster.health_checks]
    because = [str(check) for check in checks if check.spoils]
    if cluster.osds is not None and cluster.osds_up is not None and cluster.osds_up < cluster.osds:
        because.append(_("{down} of {all} OSDs are down", down=cluster.osds - cluster.osds_up, all=cluster.osds))
    if because:
        severity = Severity.INVALID if cluster.health == "HEALTH_ERR" else Severity.DOUBTFUL
        return _health_finding(_(_TROUBLE), severity, tuple(because))
    if not checks and cluster.health != "HEALTH_OK":
        return _without_reasons(cluster.health)
    unknown = tuple(str(check) for check in checks if check.effect is health.Effect.UNKNOWN)
    return _health_finding(_(_UNKNOWN), Severity.NOTE, unknown) if unknown else None


def _health_of_result(evidence: ResultEvidence) -> Verdict:
    """A status that was pasted: beside numbers, a cluster that repairs itself or lacks disks is why they are low."""
    extra = evidence.result.extra
    overall, told = str(extra.get("health") or "HEALTH_OK"), extra.get("health_checks", ())
    if evidence.result.tool != "ceph-status" or overall == "HEALTH_OK":
        return None
    known = [judged for words in told if (judged := health.judge_words(words)) is not None]
    if spoiling := [check for check in known if check.spoils]:
        symptom = all(check.code == "SLOW_OPS" for check in spoiling)
        found = _health_finding(
            _TROUBLE,
            Severity.INVALID if overall == "HEALTH_ERR" else Severity.DOUBTFUL,
            tuple(f"{check.words}: {check.because}" for check in spoiling),
        )
        return replace(found, role=Role.SYMPTOM if symptom else Role.CAUSE, resource="health")
    if told and len(known) == len(told):
        return None
    return _without_reasons(overall)


def _without_reasons(overall: str) -> Finding:
    """HEALTH_ERR is trouble whatever the reason; many a HEALTH_WARN slows nothing."""
    if overall == "HEALTH_ERR":
        return _health_finding(_(_TROUBLE), Severity.INVALID, (overall,))
    return _health_finding(
        _(_UNKNOWN), Severity.NOTE, (_("{overall}, and its reasons are not on record", overall=overall),)
    )


def _health_finding(claim: str, severity: Severity, because: tuple[str, ...]) -> Finding:
    return Finding(claim=claim, because=because, severity=severity, try_next="ceph health detail")


HEALTH_RULE = Rule(
    "health",
    "Is the cluster healthy?",
    pitfalls=(9,),
    concerns=ceph_cell,
    environment=_health_of_environment,
    result=_health_of_result,
)


# Recovery, backfill or rebalancing while the cell was measured.

_BACKGROUND_WORK_TAINTED = 0.05
"""Share of the samples above which the cell's mean cannot be trusted; below it is named only."""


_MOSTLY = 0.5
"""Share of the samples from which on OSDs cannot be compared: some give or take what is recovered, others do not."""


def _background_work_of_cell(evidence: CellEvidence) -> Verdict:
    unclean, recovering = evidence.share_above(PG_NOT_CLEAN, 0), evidence.share_above(RECOVERY_OPS, 0)
    operations = evidence.total(RECOVERED)
    shares = [share for share in (unclean, recovering) if share is not None]
    if not shares and operations is None:
        return Unchecked(_("neither the placement groups' states nor the OSDs' recovery counters were recorded"))
    if max(shares, default=0) == 0 and not operations:
        return None
    tainted = max(shares, default=0.0) > _BACKGROUND_WORK_TAINTED or _weighs(evidence, operations or 0.0)
    because = (
        [_("the OSDs did {operations} recovery operations", operations=format_count(operations))] if operations else []
    )
    if unclean:
        because.append(_("placement groups were not clean in {unclean:.0%} of the samples", unclean=unclean))
    if recovering:
        because.append(_("recovery ran in {recovering:.0%} of the samples", recovering=recovering))
    return Finding(
        claim=_("The cluster was recovering or rebalancing during the measurement."),
        because=tuple(because),
        severity=Severity.DOUBTFUL if tainted else Severity.NOTE,
        role=Role.CAUSE if tainted else Role.REMARK,
        resource="recovery",
        hides=(
            *("uneven-load", "slow-ops", "unasked-writes"),
            *(("slow-transfers",) if tainted else ()),  # what is moved fills the queues that replicas wait in
            *(("sick-osd",) if (recovering or 0) >= _MOSTLY else ()),
        ),
        unless=_("recovery is what you want to measure"),
        try_next=_("Wait for active+clean (ceph -s), pause the balancer (ceph balancer off), and repeat the cell."),
    )


def _weighs(evidence: CellEvidence, operations: float) -> bool:
    """Whether the OSDs recovered more than a little beside what they did for clients."""
    served = (evidence.total(OP_R) or 0.0) + (evidence.total(OP_W) or 0.0)
    return operations > _BACKGROUND_WORK_TAINTED * served


BACKGROUND_WORK_RULE = Rule(
    "background-work",
    "Was the cluster free of recovery and rebalancing?",
    pitfalls=(9,),
    concerns=ceph_cell,
    cell=_background_work_of_cell,
)


# Scrubbing while the cell was measured.

_SCRUB_TAINTED = 0.05


def _scrub_of_cell(evidence: CellEvidence) -> Verdict:
    share = evidence.share_above(SCRUBBING_PGS, 0)
    if share is None:
        return Unchecked(_("the placement groups' scrubs were not recorded"))
    if share == 0:
        return None
    return Finding(
        claim=_("Placement groups were scrubbed during the measurement."),
        because=(_("a scrub ran in {share:.0%} of the samples", share=share),),
        severity=Severity.DOUBTFUL if share > _SCRUB_TAINTED else Severity.NOTE,
        role=Role.CAUSE if share > _SCRUB_TAINTED else Role.REMARK,
        resource="scrub",
        try_next=_("Measure outside the scrub hours (osd_scrub_begin_hour), and repeat the cell."),
    )


SCRUB_RULE = Rule("scrub", "Was the cluster free of scrubs?", pitfalls=(9,), concerns=ceph_cell, cell=_scrub_of_cell)


# Slow operations while the cell was measured: Ceph itself complained.


def _slow_ops_of_cell(evidence: CellEvidence) -> Verdict:
    share = evidence.share_above(SLOW_OPS, 0)
    if share is None:
        return Unchecked(_("the count of slow operations was not recorded"))
    if share == 0:
        return None
    return Finding(
        claim=_("Operations took so long that Ceph reported them as slow."),
        because=(_("slow operations in {share:.0%} of the samples", share=share),),
        severity=Severity.DOUBTFUL,
        role=Role.SYMPTOM,
        try_next=_("ceph health detail names the OSDs; then: ceph daemon osd.N dump_historic_slow_ops"),
    )


SLOW_OPS_RULE = Rule(
    "slow-ops", "Were there no slow operations?", pitfalls=(9,), concerns=ceph_cell, cell=_slow_ops_of_cell
)


# Other clients of the cluster, active during the load: the result is what they left over.
# Two ways to see them: their operations in flight, looked at each second, and what the OSDs did beyond what was asked.

_OFTEN = 0.5
"""Share of the looks at which operations of theirs were in flight; now and then some are on any cluster in use."""
_MUCH = 0.4
_LEAST_LISTED = 0.15
"""Without anybody who lists a pool it was 0.03 at most, for a moment."""
_LISTS_PER_S = 25.0
"""Of each OSD. Its own housekeeping makes 5 to 18, long ones where its drive is slow; one who lists a pool 40."""
_QUIET_PER_S, _QUIET_BYTES_PER_S = 10.0, 4e6
_LEAST_OPERATIONS, _LEAST_BYTES = 50.0, 16e6
"""In one segment: opening an image, its header's watch, and other housekeeping are 10 to 30 operations."""


def _other_clients_of_cell(evidence: CellEvidence) -> Verdict:
    found = [known for one in evidence.segments if (known := _foreign(evidence, one)) is not None]
    share = share_over(found)
    if share is not None and share.value >= _MUCH and _always(found) and not _is_quiet(evidence):
        return _other_clients_finding(
            _("{share} of what the OSDs did was not requested by the load", share=share), share
        )
    if (listed := _listed(evidence)) is not None:
        fact = _("{share} of the time of operations in OSDs goes into listing a pool's objects", share=listed)
        return _other_clients_finding(fact, listed)
    if evidence.study.sandbox is not None:
        return None if found else Unchecked(_("the OSDs' counts of operations were not recorded"))
    return _in_flight(evidence)


def _is_quiet(evidence: CellEvidence) -> bool:
    work = work_without_load(evidence)
    return work is not None and work < 1


def _always(found: Sequence[float]) -> bool:
    return sum(each >= _MUCH for each in found) >= 2 / 3 * len(found)


def work_without_load(evidence: CellEvidence) -> float | None:
    """What OSDs did while cells beside Ceph were measured (pings, the disk), as a multiple of next to nothing; None
    without such cells."""
    beside = [
        one
        for one in evidence.study.segments
        if not ceph_cell(evidence.study.cell(one.cell).conditions) and OP_R.name in one.counters and one.seconds > 0
    ]
    kinds = (((OP_R, OP_W), _QUIET_PER_S), ((OP_R_OUT_BYTES, OP_W_IN_BYTES), _QUIET_BYTES_PER_S))
    rates = (
        statistics.fmean(sum(one.counters.get(kind.name, 0.0) for kind in both) / one.seconds for one in beside) / limit
        for both, limit in kinds
        if beside
    )
    return max(rates, default=None)


def _in_flight(evidence: CellEvidence) -> Verdict:
    seen = [count for series in evidence.series(OTHERS_IN_FLIGHT) for count in series.values]
    if not seen:
        return Unchecked(_("other clients' operations were not recorded"))
    often = sum(count > 0 for count in seen) / len(seen)
    if often < _OFTEN:
        return None
    fact = _(
        "{seen:.1f} of their operations were in flight on average on the sampled OSDs, and in "
        "{often:.0%} of the samples at least one",
        seen=statistics.fmean(seen),
        often=often,
    )
    return _other_clients_finding(fact, None)


def _foreign(evidence: CellEvidence, segment: Segment) -> float | None:
    """Share of the OSDs' work that the load did not ask for, in operations or in bytes, whichever is more.

    Only of loads whose operations reach the OSDs one to one; where the OSDs did less than asked, another rule speaks.
    """
    counters = segment.counters
    if evidence.conditions.layer is Layer.S3:
        return None
    if OP_R.name not in counters or OP_W.name not in counters:
        return None
    reads, writes = ios_of(segment.results, reading=True), ios_of(segment.results, reading=False)
    if not reads + writes or segment.counters.get(RECOVERED.name, 0.0) > 0:
        return None
    ours = most_ios(segment, evidence.conditions.in_flight)
    shares = [_beyond(counters[OP_R.name] + counters[OP_W.name], ours, _LEAST_OPERATIONS)]
    if OP_R_OUT_BYTES.name in counters and OP_W_IN_BYTES.name in counters:
        done = counters[OP_R_OUT_BYTES.name] + counters[OP_W_IN_BYTES.name]
        shares.append(_beyond(done, ours * (evidence.conditions.block_bytes or 0), _LEAST_BYTES))
    return max(*shares, _of_the_other_kind(segment, reads, writes))


def _of_the_other_kind(segment: Segment, reads: float, writes: float) -> float:
    """Of the time that operations spend in OSDs, that of reads where the load only writes, or of writes where it reads.

    These need no count of the load's own. On healthy clusters it was 0, beside snapshots and image headers up to 0.02.
    """
    done = {kind: segment.counters.get(kind.name, 0.0) for kind in (OP_R, OP_W)}
    seconds = {OP_R: done[OP_R] * segment.counters.get(OP_R_LATENCY.name, 0.0)}
    seconds[OP_W] = done[OP_W] * segment.counters.get(OP_W_LATENCY.name, 0.0)
    other = OP_R if not reads else OP_W if not writes else None
    if other is None or done[other] < _LEAST_OPERATIONS or not any(seconds.values()):
        return 0.0
    return seconds[other] / sum(seconds.values())


def _listed(evidence: CellEvidence) -> Share | None:
    """Of the time that operations spend in OSDs, what goes into lists of objects, which no load of ours asks for.

    Scrubs and recovery make such lists as well; a backfill does before it recovers a single object.
    """
    if evidence.share_above(SCRUBBING_PGS, 0) or evidence.share_above(PG_NOT_CLEAN, 0) or evidence.total(RECOVERED):
        return None
    segments = [one for one in evidence.segments if spent_s(one, *OPERATIONS)]
    often = [one.counters.get(LIST_LAT.events, 0.0) / one.seconds / max(1, len(one.osd_counters)) for one in segments]
    if not segments or statistics.fmean(often) < _LISTS_PER_S:
        return None
    shares = [spent_s(one, LIST_LAT) / spent_s(one, *OPERATIONS) for one in segments]
    mostly = sum(share >= _LEAST_LISTED for share in shares) >= 2 / 3 * len(shares)
    share = share_over(shares)
    return share if share is not None and mostly and share.value >= _LEAST_LISTED else None


def _beyond(done: float, asked: float, least: float) -> float:
    return (done - asked) / done if done - asked >= least else 0.0


def _other_clients_finding(fact: str, share: Share | None) -> Finding:
    return Finding(
        claim=_("Other clients used the cluster at the same time: without them it does more."),
        because=(fact,),
        unless=_("you want to measure what they leave over"),
        try_next=_("Repeat it at a quiet time and compare; rbd perf image iostat names the busy images."),
        role=Role.CAUSE if share is not None else Role.REMARK,
        resource="other clients",
        explains=share,
        at_most=share is not None,
        hides=("osd-cpu", "uneven-load", "network-path"),
    )


OTHER_CLIENTS_RULE = Rule(
    "other-clients",
    "Was the cluster free of other clients' load?",
    pitfalls=(9,),
    concerns=ceph_cell,
    cell=_other_clients_of_cell,
)
