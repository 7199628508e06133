"""The drives: what a flush takes, their caches, and how they rank."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import replace

from radoscope.explain.command import SYNCED_WRITES
from radoscope.explain.evidence import (
    CellEvidence,
    ResultEvidence,
    StudyEvidence,
    interval_of,
    most_ios,
    named_osds,
)
from radoscope.explain.finding import Finding, Role, Severity, Share
from radoscope.explain.neighbours import MeasuredDrive
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell, storage_cell, writes_ceph
from radoscope.explain.times import (
    QUEUE,
    each_of,
    latency_s,
    of_each,
    quickest_flush,
    quickest_flushes,
    share_over,
    waterfall_of,
)
from radoscope.records.conditions import Layer, Operation, Sync
from radoscope.records.environment import Environment
from radoscope.records.measurement import Result
from radoscope.records.study import Segment
from radoscope.records.telemetry import COMMIT_LAT, KV_SYNC_LAT, OSD_CPU_WAIT, READ_WAIT_AIO_LAT
from radoscope.stats.values import CellSummary, Estimate, LatencySummary
from radoscope.units import format_bytes, format_count, format_seconds
from radoscope.words import N_, _

# Waiting for the drives: what part of a write is their flush, and whether such a flush is a slow one.

_UNPROTECTED_S = 0.5e-3
"""Published drives with power-loss protection flush 4K in 10 to 280 µs, those without in 0.26 to 10 ms, with one
exception each: Micron 5100 with its cache on (1.5 ms) and Samsung 950 PRO (16 µs). An OSD's thread that waits for a
core makes 0.15 ms look like 0.35 here."""
_STARVED_S = 1e-3
"""Where a host's CPUs were full, protected drives seemed to flush in up to 0.75 ms: the thread waited for a core."""
_LONG_ROUND_S = 3e-3
"""A round has several flushes. No wait for a core made it as long where the threads waited for less than half of it;
with unprotected drives it took 2.7 to 6 ms, be the CPUs full or not, though single flushes seemed quicker there."""
_MOSTLY = 0.3
_FOR_CORES = 0.5
"""Waits of the OSDs' threads for a core beside their rounds of flush and commit: 0.08 to 0.19 with drives that flush
slowly, 0.42 to 1.8 where flushes seemed slow because all OSDs were pinned to one busy core, or one ran when idle."""


_ANOTHER_KIND = 4.0
"""Times as quick: other drives. Alike ones differed by up to 1.9 here."""


def _quicker_drives(evidence: CellEvidence, flush: float) -> Iterator[str]:
    """Those that need no other drives."""
    quick = {osd: one for osd, one in quickest_flushes(evidence.study).items() if one * _ANOTHER_KIND <= flush}
    if quick:
        yield _(
            "not {osds}: these flush in {seconds}",
            osds=named_osds(sorted(quick)),
            seconds=format_seconds(statistics.median(quick.values())),
        )


def _flush_bound_of_cell(evidence: CellEvidence) -> Verdict:
    share, flush = share_over(map(_share, evidence.segments)), quickest_flush(evidence)
    if share is None or flush is None:
        return Unchecked(_("the OSDs' latency counters were not recorded"))
    rounds = [one.counters[KV_SYNC_LAT.name] for one in evidence.segments if _share(one) is not None]
    slow = _STARVED_S if evidence.host_is_full and min(rounds) < _LONG_ROUND_S else _UNPROTECTED_S
    if share.value < _MOSTLY or flush < slow or _starved(evidence):
        return None
    sync = statistics.fmean(rounds)
    return Finding(
        claim=_("Writes mostly wait for the drives to flush."),
        because=(
            _(
                "one flush takes {flush} even in the quickest segment of the OSD in the middle",
                flush=format_seconds(flush),
            ),
            *_quicker_drives(evidence, flush),
            _(
                "a round of flush and commit takes {sync}, {share} of the mean write",
                sync=format_seconds(sync),
                share=share,
            ),
        ),
        unless=_("the hosts' CPUs are saturated: then flushes wait for a CPU, too"),
        try_next=(
            _(
                "Protected drives flush in 10 to 100 µs: radoscope predict STUDY --what-if 'fsync_latency_us = "
                "50' predicts the gain."
            )
        ),
        role=Role.CAUSE,
        resource="drives",
        explains=share,
    )


def _share(segment: Segment) -> float | None:
    total, sync = latency_s(segment), segment.counters.get(KV_SYNC_LAT.name)
    return sync / total if total and sync is not None else None


def _starved(evidence: CellEvidence) -> bool:
    """Whether the threads that flush are late because they have no core."""
    each = [
        sum(waits) / (share * evidence.conditions.in_flight * len(waits))
        for one in evidence.segments
        if (waits := each_of(one, OSD_CPU_WAIT)) and (share := _share(one))
    ]
    return bool(each) and statistics.fmean(each) >= _FOR_CORES


FLUSH_BOUND_RULE = Rule(
    "flush-bound",
    "Do writes spend their time somewhere other than in the drives' flushes?",
    concerns=writes_ceph,
    cell=_flush_bound_of_cell,
)


# Drives that are slow alike: I/O waits for them, and not their threads for a core.

_SLOW_READ_S, _SLOW_BYTES_PER_S = 1e-3, 120e6
"""A small read of flash takes 0.1 ms, 0.5 in a deep queue, of a disk 4 to 15; one disk streams 120 to 250 MB/s, any
flash more."""
_SMALL, _LARGE, _HALF = 64 * 1024, 256 * 1024, 0.5


def drive_bound(evidence: CellEvidence) -> Verdict:
    """By the OSD in the middle: one slow drive is another rule's."""
    share = share_over(_on_drives(one, evidence) for one in evidence.segments)
    if share is None:
        return Unchecked(_("the OSDs' latency counters were not recorded"))
    seconds, rate = _usual_wait(evidence), _each_drive(evidence)
    block = evidence.conditions.block_bytes or 0
    small = evidence.conditions.op.reads and block <= _SMALL and seconds >= _SLOW_READ_S
    large = block >= _LARGE and 0 < rate < _SLOW_BYTES_PER_S
    unsafe = not (small or large) and _is_slow_to_be_safe(evidence, seconds)
    is_much = (
        share.value >= _HALF and share.low > 0
    )  # in each segment: one that stands still at times is another rule's
    if not is_much or not (small or large or unsafe) or not _by_most(evidence) or _is_one(evidence):
        return _slow_at_times(evidence)
    if large:
        fact = _("each drive moves {rate}/s on average, while its OSD waits for it", rate=format_bytes(rate))
    elif unsafe:
        fact = _(
            "in the OSD in the middle a single write takes {seconds} until it is safe, though flushes are quick",
            seconds=format_seconds(seconds),
        )
    else:
        fact = _("the OSD in the middle waits {seconds} for its drive", seconds=format_seconds(seconds))
    slower, awake = _slower_ones(evidence), _wait_when_awake(evidence, seconds) if small else None
    return Finding(
        claim=_("The drives are the limit: {named} wait longer for theirs than others do.", named=named_osds(slower))
        if slower
        else _("The drives are the limit: all OSDs alike wait for theirs."),
        because=(
            _("{share} of the mean latency passes at the drives and in the queue before them", share=share),
            fact,
            *_apart(evidence, slower),
            *_asleep(awake),
        ),
        unless=_("other pools or virtual machines load the same drives"),
        try_next=_("iostat -x 1 on the OSDs' hosts, and fio on a drive alone; what others get: radoscope catalogue")
        if awake is None
        else _(_WAKE),
        role=Role.CAUSE,
        resource="drives",
        explains=share,
        hides=("flush-bound", "uneven-load"),
    )


_AWAKE = 0.7
"""A queue makes no drive quicker. Links that slept after 0.4 ms without a request came to 0.54, healthy drives to 1.9
and more."""
_WAKE = N_(
    "Power saving of drives and links: nvme get-feature -f 0x0c -H /dev/nvme0 (nvme_core.default_ps_max_latency_us=0 "
    "turns it off), cat /sys/class/scsi_host/host*/link_power_management_policy (max_performance), PCIe ASPM"
)


def _wait_when_awake(evidence: CellEvidence, single_s: float) -> float | None:
    """The usual wait for a drive in a cell of the same reads with more in flight, if it is that much shorter."""
    asked = evidence.conditions
    busier = (
        CellEvidence(evidence.study, cell)
        for cell in evidence.study.cells
        if cell.conditions.in_flight > asked.in_flight
        and (cell.conditions.layer, cell.conditions.op, cell.conditions.block_bytes)
        == (asked.layer, asked.op, asked.block_bytes)
    )
    waits = (seconds for one in busier if (seconds := _usual_wait(one)))
    return min((seconds for seconds in waits if seconds <= _AWAKE * single_s), default=None)


def _asleep(awake_s: float | None) -> Iterator[str]:
    if awake_s is not None:
        yield _(
            "with more reads in flight it waits only {awake}: drives, or their links, sleep between single requests",
            awake=format_seconds(awake_s),
        )


_ALONE = 5.0


def _is_one(evidence: CellEvidence) -> bool:
    """Whether the same OSD waits for its drive that many times as long as any other, in each segment."""
    found = set[int]()
    for one in evidence.segments:
        waits = sorted((wait, osd) for osd, wait in _waits_of_each(one, evidence).items())
        if len(waits) < 2 or waits[-1][0] < _ALONE * waits[-2][0]:
            return False
        found.add(waits[-1][1])
    return len(found) == 1


_UNSAFE_S, _OF_OTHERS = 2e-3, 1.5
"""A store commits a single write by two or three of its drive's: 0.1 to 0.6 ms in all with power-loss protection. On a
machine full of other work it was up to 4."""


def _is_slow_to_be_safe(evidence: CellEvidence, commit_s: float) -> bool:
    """Drives that are slow to write, not to flush, as with their write caches off: single small writes show it, for
    these wait for no others."""
    asked, flush = evidence.conditions, quickest_flush(evidence)
    single = asked.op.writes and asked.one_at_a_time and (asked.block_bytes or 0) <= _SMALL
    slow = commit_s >= _UNSAFE_S and flush is not None and flush < _UNPROTECTED_S
    return single and slow and not evidence.host_is_full and all(_is_alone(one, evidence) for one in evidence.segments)


def _is_alone(segment: Segment, evidence: CellEvidence) -> bool:
    """Whether the stores committed little beside the copies of the load's own writes."""
    cluster, done = evidence.environment.cluster, segment.counters.get(COMMIT_LAT.events)
    if cluster is None or cluster.pool is None or cluster.pool.erasure_profile or done is None:
        return False
    return done <= _OF_OTHERS * most_ios(segment, evidence.conditions.in_flight) * (cluster.pool.size or 1)


_TIMES, _LONG_S, _AT_TIMES = 5.0, 10e-3, 0.2
"""Beside the quickest segment of the same small writes; no flash takes so long for one. Other work on two cores made
protected drives' commits differ as much, but then the OSDs' threads waited for cores."""


def _slow_at_times(evidence: CellEvidence) -> Finding | None:
    """Drives that are quick until their cache is full, or are slow together now and then: in some segments alone."""
    if evidence.conditions.op.reads or (evidence.conditions.block_bytes or 0) > _SMALL:
        return None
    waits = [(statistics.median(found), one) for one in evidence.segments if (found := _waits(one, evidence))]
    quickest, slowest = (pick((seconds for seconds, _one in waits), default=0.0) for pick in (min, max))
    late = max(_LONG_S, _TIMES * quickest)
    parts = [(_on_drives(one, evidence) or 0.0) if seconds >= late else 0.0 for seconds, one in waits]
    share = share_over(part if part >= _HALF else 0.0 for part in parts)
    if share is None or share.value < _AT_TIMES:
        return None
    return Finding(
        claim=_("At times the drives are far slower than at others, all of them alike."),
        because=(
            _(
                "the OSD in the middle commits in {least} in the quickest segment, in {most} in the slowest",
                least=format_seconds(quickest),
                most=format_seconds(slowest),
            ),
            _("{share} of the mean latency passes there", share=share),
        ),
        severity=Severity.DOUBTFUL,
        unless=_("other pools or virtual machines load the same drives"),
        try_next=_(
            "Write to one drive alone for ten minutes (fio --fsync=1 --time_based --runtime=600 "
            "--write_iops_log=rate): a cache that fills shows as a step; iostat -x 1 shows who else writes."
        ),
        role=Role.CAUSE,
        resource="drives",
        explains=share,
    )


_GAP = 3.0
"""Between the waits of OSDs of two kinds of drives; those of one kind are closer together."""


def _slower_ones(evidence: CellEvidence) -> list[int]:
    """The OSDs, a third of all and more, that wait so much longer for their drives than all others in each segment."""
    found: set[tuple[int, ...]] = set()
    for one in evidence.segments:
        waits = sorted((wait, osd) for osd, wait in _waits_of_each(one, evidence).items() if wait > 0)
        gaps = [above / below for (below, _a), (above, _b) in itertools.pairwise(waits)]
        at = max(range(len(gaps)), key=gaps.__getitem__, default=0)
        slow = waits[at + 1 :] if gaps and gaps[at] >= _GAP else []
        found.add(tuple(sorted(osd for _wait, osd in slow)) if 3 * len(slow) >= len(waits) > 3 else ())
    return list(found.pop()) if len(found) == 1 else []


def _apart(evidence: CellEvidence, slower: Sequence[int]) -> Iterator[str]:
    """How far apart they are, and their class where no other has it."""
    if not slower:
        return
    each = [_waits_of_each(one, evidence) for one in evidence.segments]
    own, others = (
        statistics.fmean(wait for waits in each for osd, wait in waits.items() if (osd in slower) is theirs)
        for theirs in (True, False)
    )
    yield _(
        "{named} wait {own}, the others {others}",
        named=named_osds(slower),
        own=format_seconds(own),
        others=format_seconds(others),
    )
    cluster = evidence.environment.cluster
    classes = {osd.id: osd.device_class for osd in (cluster.each_osd if cluster else ())}
    theirs = {classes.get(osd) for osd in slower}
    if len(theirs) == 1 and (name := theirs.pop()) and [osd for osd in classes if classes[osd] == name] == list(slower):
        yield _("they are the OSDs of class {name}: see the pool's CRUSH rule", name=name)


def _by_most(evidence: CellEvidence) -> bool:
    """Whether half of the OSDs served the load at least: where one is asked for all of it, its drive says nothing of
    the others'."""
    asked = [(len(_waits(one, evidence)), len(one.osd_counters)) for one in evidence.segments if one.osd_counters]
    return all(2 * served >= osds for served, osds in asked)


def _waits(segment: Segment, evidence: CellEvidence) -> list[float]:
    """Each OSD's mean wait for its drive: of a read, or until a write is safe."""
    return list(_waits_of_each(segment, evidence).values())


def _waits_of_each(segment: Segment, evidence: CellEvidence) -> dict[int, float]:
    return of_each(segment, READ_WAIT_AIO_LAT if evidence.conditions.op.reads else COMMIT_LAT)


def _usual_wait(evidence: CellEvidence) -> float:
    each = [statistics.median(found) for one in evidence.segments if (found := _waits(one, evidence))]
    return statistics.median(each) if each else 0.0


def _on_drives(segment: Segment, evidence: CellEvidence) -> float | None:
    """Share of the mean I/O; none where the threads of OSDs wait for cores half as much as I/Os wait in stores."""
    total, waits, water = latency_s(segment), _waits(segment, evidence), waterfall_of(segment)
    if not total or not waits or water is None:
        return None
    share = statistics.median(waits) / total
    stores = share * evidence.conditions.in_flight * (len(waits) if evidence.conditions.op.writes else 1)
    if sum(each_of(segment, OSD_CPU_WAIT)) >= _HALF * stores:
        return 0.0
    # Reads queue up behind reads that wait for the drive.
    behind = water.share(QUEUE) if evidence.conditions.op.reads and share >= _MOSTLY else 0.0
    return min(1.0, share + behind)


def _each_drive(evidence: CellEvidence) -> float:
    """Bytes a second of one OSD's drive on average, copies included."""
    cluster, asked = evidence.environment.cluster, evidence.conditions
    osds, size = (
        (cluster.osds_in or cluster.osds or 0, cluster.pool.size if cluster.pool else None) if cluster else (0, 1)
    )
    copies = (size or 1) if asked.op.writes else 1
    return (evidence.iops or 0.0) * (asked.block_bytes or 0) * copies / osds if osds else 0.0


DRIVE_BOUND_RULE = Rule("drive-bound", "Are the drives fast enough for the load?", concerns=ceph_cell, cell=drive_bound)


# Power-loss protection: a drive that has it answers an fsync from its capacitors' cache.

_RATIO = 5.0


def _power_loss_of_study(evidence: StudyEvidence) -> Verdict:
    synced = _small_writes(evidence, synced=True)
    if not synced:
        return Unchecked(_("no disk cell writes 4K, one at a time, with fsync"))
    if not isinstance(synced[0].iops, Estimate):
        return Unchecked(_("the fsync cell has no rate"))
    rate = synced[0].iops.value
    if rate <= 0 or 1 / rate < _UNPROTECTED_S:
        return None
    because = [_("{rate} synced 4K writes/s: {time} each", rate=format_count(rate), time=format_seconds(1 / rate))]
    plain = max(
        (s.iops.value for s in _small_writes(evidence, synced=False) if isinstance(s.iops, Estimate)), default=0.0
    )
    if plain and plain / rate > _RATIO:
        because.append(
            _("{plain} without sync: {times:.0f} times as many", plain=format_count(plain), times=plain / rate)
        )
    if latency := _sync_latency(synced[0]):
        because.append(latency)
    return _power_loss_finding(tuple(because), (synced[0].cell.name,), virtual=evidence.study.sandbox is not None)


def _power_loss_of_result(evidence: ResultEvidence) -> Verdict:
    result = evidence.result
    if evidence.is_durable_dd:
        return _slow_durable_dd(evidence)
    if evidence.on_ceph or result.tool != "fio" or result.sync is None or result.sync.mean_s is None:
        return None
    if result.sync.mean_s < _UNPROTECTED_S:
        return None
    found = _power_loss_finding((_("mean fsync {mean_s}", mean_s=format_seconds(result.sync.mean_s)),), virtual=False)
    return replace(found, role=Role.CAUSE, resource="drive")


_SMALL_SYNC = 64 * 1024


def _slow_durable_dd(evidence: ResultEvidence) -> Finding | None:
    """dd with oflag=dsync, in small blocks: how long one waits. What lies between it and the drive, nobody says."""
    time, block = evidence.time_of_a_block_s, evidence.result.block_bytes
    flag = evidence.result.extra.get("oflag")
    if time is None or block is None or block > _SMALL_SYNC or time < _UNPROTECTED_S:
        return None
    return Finding(
        claim=_("Each write waits {time} until it is durable.", time=format_seconds(time)),
        because=(_("dd with oflag={flag}, {size} at a time", flag=flag, size=format_bytes(block)),),
        unless=_("what waits is the way to the drive: NFS, a guest, copies on other hosts"),
        try_next=_("{command}, on the drive itself (it overwrites DEVICE)", command=SYNCED_WRITES),
    )


def _power_loss_finding(because: tuple[str, ...], cells: tuple[str, ...] = (), *, virtual: bool) -> Finding:
    return Finding(
        claim=_(
            "The drive flushes slowly, as drives without power-loss protection do; Ceph waits for it on every write."
        ),
        because=because,
        cells=cells,
        unless=_("a virtual disk, a file system or a controller lies in between")
        + (_(", as in this sandbox") if virtual else _(", or the drive is a spinning one")),
        try_next=_(
            "radoscope predict STUDY --what-if 'drive = \"Micron 7450\"' predicts what protected drives would bring."
        ),
    )


def _small_writes(evidence: StudyEvidence, *, synced: bool) -> list[CellSummary]:
    """Disk cells that write 4K, one at a time, each made durable or none."""
    return [
        summary
        for summary in evidence.cells(Layer.DISK)
        if (asked := summary.cell.conditions).op in (Operation.WRITE, Operation.RANDWRITE)
        if asked.block_bytes == 4096 and asked.one_at_a_time and (asked.sync is not Sync.NONE) is synced
    ]


def _sync_latency(summary: CellSummary) -> str | None:
    if summary.sync is None or not isinstance(summary.sync, LatencySummary):
        return None
    mean = summary.sync.mean_s
    if not isinstance(mean, Estimate):
        return None
    interval = interval_of(mean)
    width = f" ({format_seconds(interval.low)} to {format_seconds(interval.high)})" if interval else ""
    return _("mean fsync {mean}{width}", mean=format_seconds(mean.value), width=width)


POWER_LOSS_RULE = Rule(
    "power-loss-protection",
    "Does the drive sync as fast as one with power-loss protection?",
    pitfalls=(15,),
    study=_power_loss_of_study,
    result=_power_loss_of_result,
)


# The drives' volatile write cache: on in some and off in others, or set against the drive's kind.

_MUCH_FASTER, _AROUND = 2.0, 50
_COMMAND = N_("cat /sys/block/*/queue/write_cache; for a SATA drive: hdparm -W 0 /dev/sdX, and measure both")


def _drive_cache_of_environment(environment: Environment) -> Verdict:
    states: dict[str, list[str]] = {}
    for device in environment.devices:
        if device.write_cache:
            paths = states.setdefault(device.write_cache, [])
            paths += [device.path] if device.path not in paths else []
    if not states:
        return Unchecked(_("the drives' cache modes were not recorded"))
    if len(states) > 1:
        because = tuple(f"{mode}: {', '.join(paths)}" for mode, paths in sorted(states.items()))
        return _drive_cache_finding(_("The drives' write caches are not set alike."), because, Severity.DOUBTFUL)
    if "write back" in states:
        because = (_("write back: {states}", states=", ".join(states["write back"])),)
        return _drive_cache_finding(
            _("The drives' write caches are on: each flush goes through to the medium."), because
        )
    return None


def _drive_cache_of_result(evidence: ResultEvidence) -> Verdict:
    if evidence.result.tool != "hdparm" or evidence.result.extra.get("write_cache") not in (1, True, "on", "1"):
        return None
    device = evidence.result.extra.get("device", _("the drive"))
    because: tuple[str, ...] = (_("hdparm says write-caching = on for {device}", device=device),)
    claim = _("The drive's write cache is on: each flush goes through to the medium.")
    around = evidence.neighbours.results[max(0, evidence.number - _AROUND) : evidence.number + _AROUND]
    times = _times_without_cache(around)
    if times is None or times < _MUCH_FASTER:
        return _drive_cache_finding(claim, because)
    because += (_("with the cache off the same writes were {times:.0f} times as fast", times=times),)
    share = 1 - 1 / times
    found = _drive_cache_finding(claim, because)
    return replace(found, role=Role.CAUSE, resource=str(device), explains=Share(share, share, share))


def _times_without_cache(results: Sequence[Result]) -> float | None:
    """One load of fio below `hdparm -W` of both states: how much faster it was with the cache off."""
    rates: dict[tuple[object, ...], dict[str, float]] = {}
    state = ""
    for result in results:
        if result.tool == "hdparm":
            state = str(result.extra.get("write_cache") or state)
        elif result.tool == "fio" and result.iops and result.op in (Operation.WRITE, Operation.RANDWRITE):
            load = (result.op, result.block_bytes, result.queue_depth, result.jobs)
            rates.setdefault(load, {})[state] = result.iops
    return max((each["off"] / each["on"] for each in rates.values() if {"on", "off"} <= each.keys()), default=None)


def _drive_cache_finding(claim: str, because: tuple[str, ...], severity: Severity = Severity.NOTE) -> Finding:
    return Finding(
        claim=claim,
        because=because,
        severity=severity,
        unless=_("the drives have power-loss protection and ignore flushes"),
        try_next=_(_COMMAND),
    )


DRIVE_CACHE_RULE = Rule(
    "drive-cache",
    "Are the drives' write caches set alike, and off?",
    pitfalls=(16,),
    concerns=storage_cell,
    environment=_drive_cache_of_environment,
    result=_drive_cache_of_result,
)


# Unlike drives under one pool: the slow ones set the pace.


def _mixed_drives_of_environment(environment: Environment) -> Verdict:
    cluster = environment.cluster
    models = {device.model for device in environment.devices if "osd" in device.used_for and device.model}
    classes = {name: count for name, count in cluster.device_classes.items() if name != "None"} if cluster else {}
    if not models and not classes:
        return Unchecked(_("the OSDs' drives are not known"))
    because = []
    if len(classes) > 1:
        because.append(
            _("device classes: ") + ", ".join(f"{count} x {name}" for name, count in sorted(classes.items()))
        )
    if len(models) > 1:
        because.append("models: " + ", ".join(sorted(models)))
    if not because:
        return None
    unlike = N_("The OSDs do not all have the same drives.")
    return Finding(
        claim=_(unlike if len(models) > 1 else N_("The OSDs are of more than one device class.")),
        because=tuple(because),
        unless=_("the pool's CRUSH rule takes one class only"),
        try_next="ceph osd crush rule create-replicated fast default host ssd; ceph osd pool set POOL crush_rule fast",
    )


MIXED_DRIVES_RULE = Rule(
    "mixed-drives",
    "Are the pool's drives alike?",
    pitfalls=(21,),
    concerns=ceph_cell,
    environment=_mixed_drives_of_environment,
)


# How a drive ranks among those with published synchronous writes.

_LEAST = 5
_BUSY = 0.7


def _drive_standing_of_study(evidence: StudyEvidence) -> Verdict:
    """The disk cell that writes 4K, one at a time, with fsync."""
    synced = _small_writes(evidence, synced=True)
    if not synced or not isinstance(synced[0].iops, Estimate):
        return Unchecked(_("no disk cell writes 4K, one at a time, with fsync"))
    return _drive_standing_finding(synced[0].iops.value, evidence.drives, (synced[0].cell.name,))


def _drive_standing_of_result(evidence: ResultEvidence) -> Verdict:
    """4K writes, one at a time, each made durable, by fio and not through Ceph."""
    result, rate = evidence.result, evidence.result.iops
    single_write = result.op in (Operation.WRITE, Operation.RANDWRITE) and evidence.in_flight == 1
    if result.tool != "fio" or evidence.on_ceph or result.block_bytes != 4096 or not single_write or not rate:
        return None
    if not _is_durable(evidence) or _waits_elsewhere(evidence):
        return None
    return _drive_standing_finding(rate, evidence.drives)


def _drive_standing_finding(
    rate: float, drives: Sequence[MeasuredDrive], cells: tuple[str, ...] = ()
) -> Finding | None:
    standing = describe_drive(rate, drives)
    if standing is None:
        return None
    return Finding(
        claim=_("This drive compared with published ones:"),
        because=(_("{rate} synced 4K writes/s: {standing}", rate=format_count(rate), standing=standing),),
        cells=cells,
        unless=_("a file system, a virtual disk or a controller lies in between"),
        try_next=_("radoscope catalogue drives lists them with their sources."),
    )


def describe_drive(rate: float, drives: Sequence[MeasuredDrive]) -> str | None:
    """ "faster at fsync than 41 of 50 drives, nearest to ...": rate in synced 4K writes/s. None: too few to compare."""
    known = [(drive.sync_write_4k_qd1_iops, drive.model) for drive in drives if drive.sync_write_4k_qd1_iops]
    if len(known) < _LEAST:
        return None
    below = sum(other < rate for other, _ in known)
    _rate, nearest = min(known, key=lambda pair: max(pair[0] / rate, rate / pair[0]))
    return _(
        "faster at fsync than {below} of {n} published drives, nearest to {nearest}",
        below=below,
        n=len(known),
        nearest=nearest,
    )


def _waits_elsewhere(evidence: ResultEvidence) -> bool:
    """Write and flush fill less than the time between two I/Os: a rate limit, or a flush after several writes."""
    result, latency = evidence.result, evidence.mean_latency_s
    if latency is None or not result.iops:
        return False
    flush = result.sync.mean_s if result.sync and result.sync.mean_s else 0.0
    return result.iops * (latency + flush) < _BUSY


def _is_durable(evidence: ResultEvidence) -> bool:
    asked = (evidence.option(name) for name in ("fsync", "fdatasync", "sync"))
    every = any(value in ("1", "sync", "dsync") for value in asked)
    return evidence.result.sync is not None or every


DRIVE_STANDING_RULE = Rule(
    "drive-standing",
    "How does the drive compare with published ones?",
    study=_drive_standing_of_study,
    result=_drive_standing_of_result,
)
