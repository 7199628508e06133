"""Numbers of a cache: reads and writes that never reached a drive."""

from __future__ import annotations

from radoscope.errors import PlanError
from radoscope.explain.command import fio_again
from radoscope.explain.evidence import CellEvidence, ResultEvidence, bytes_of, ios_of
from radoscope.explain.finding import Finding, Role, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict, reads_ceph
from radoscope.records.conditions import Layer
from radoscope.records.telemetry import BUFFER_HIT_BYTES, BUFFER_MISS_BYTES, DISK_READS, OP_R_OUT_BYTES, OP_W
from radoscope.units import format_bytes, format_count, format_seconds, parse_bytes
from radoscope.words import N_, _

# Reads of blocks that were never written: Ceph answers them without a drive, often without an OSD.

_DELIVERED = 0.5
"""OSDs send every byte that was written before; half is far outside what a partial window could explain."""
_UNWRITTEN_FLOOR_S = 100e-6
"""No published Ceph read is faster; the usual floor is 0.3 ms (Vitastor's "Understanding storage performance")."""


def _unwritten_of_cell(evidence: CellEvidence) -> Verdict:
    """The OSDs sent far fewer bytes than the clients read; where nobody counted, answers came sooner than a ping's."""
    counted = evidence.counted(OP_R_OUT_BYTES)
    read = bytes_of((result for segment in counted for result in segment.results), reading=True)
    trip, latency = evidence.round_trip_s(), evidence.mean_latency
    if not counted and trip and latency and latency.value < trip:
        fact = _(
            "mean read latency {latency}, one round trip {trip}",
            latency=format_seconds(latency.value),
            trip=format_seconds(trip),
        )
        return _unwritten_finding(fact)
    if not counted or not read:
        return Unchecked(_("the OSDs' counters of bytes read were not recorded"))
    sent = sum(segment.counters[OP_R_OUT_BYTES.name] for segment in counted)
    if sent >= _DELIVERED * read:
        return None
    return _unwritten_finding(
        _("clients read {read}, OSDs sent {sent}", read=format_bytes(read), sent=format_bytes(sent))
    )


def _unwritten_of_result(evidence: ResultEvidence) -> Verdict:
    """A Ceph read faster than any that was ever published."""
    latency = evidence.mean_latency_s
    if not (evidence.on_ceph and evidence.operation and evidence.operation.reads) or latency is None:
        return None
    if latency >= _UNWRITTEN_FLOOR_S:
        return None
    fact = _("mean read latency {latency}; Ceph reads from drives take 0.3 ms or more", latency=format_seconds(latency))
    return _unwritten_finding(fact)


def _unwritten_finding(fact: str) -> Finding:
    return Finding(
        claim=_("The blocks read were never written: these reads did not reach Ceph's drives."),
        because=(fact,),
        severity=Severity.INVALID,
        role=Role.ARTEFACT,
        unless=_("all of it came from a cache on the client"),
        try_next=_("Write the whole image first: fio --ioengine=rbd --rw=write --bs=4M --iodepth=16 --direct=1 ..."),
    )


UNWRITTEN_RULE = Rule(
    "unwritten-reads",
    "Had everything that was read been written before?",
    pitfalls=(1,),
    concerns=reads_ceph,
    cell=_unwritten_of_cell,
    result=_unwritten_of_result,
)


# Reads served from memory: the page cache or the OSDs' own cache, not the drives.

_MOSTLY = 0.5
_FEW = 0.25
_UNMERGED = 16 * 1024
"""Reads up to this size reach a drive one by one; larger sequential ones are merged."""
_MEMORY_S = 20e-6
"""A 4K read of NAND flash takes 50 µs and more (60 to 100 µs on data sheets); below 20 µs there is memory behind it."""


def _cached_of_cell(evidence: CellEvidence) -> Verdict:
    if evidence.conditions.layer is Layer.DISK:
        return _check_disk(evidence)
    if bypassed := _never_at_a_drive(evidence):
        return bypassed
    hit, missed = evidence.total(BUFFER_HIT_BYTES), evidence.total(BUFFER_MISS_BYTES)
    if hit is None or missed is None or hit + missed == 0:
        return Unchecked(_("the OSDs' cache counters were not recorded"))
    share = hit / (hit + missed)
    if share <= _MOSTLY:
        return None
    fact = _("BlueStore's cache served {share:.0%} of {hit}", share=share, hit=format_bytes(hit + missed))
    return _cached_finding(
        fact,
        severity=Severity.DOUBTFUL,
        try_next=_("Read more than the sum of all OSDs' osd_memory_target, or state that you measured the cache."),
    )


def _never_at_a_drive(evidence: CellEvidence) -> Finding | None:
    """The drives of this host, where the reads must end, did far fewer than the clients got."""
    here = evidence.conditions.layer is Layer.DISK or evidence.on_one_host
    block, rate, drives = evidence.conditions.block_bytes, evidence.iops, evidence.readings(DISK_READS)
    if not (here and drives and rate and block and block <= _UNMERGED):
        return None
    done = sum(drive.value for drive in drives)
    if done >= _FEW * rate:
        return None
    return _cached_finding(
        _(
            "clients read {rate} times a second, this host's drives {done} times",
            rate=format_count(rate),
            done=format_count(done),
        ),
        severity=Severity.DOUBTFUL,
        try_next=_("Read an area much larger than this host's memory, or rewrite the file before reading it."),
    )


def _check_disk(evidence: CellEvidence) -> Verdict:
    if not evidence.commands:
        return Unchecked(_("the commands were not recorded"))
    direct = evidence.option("direct")
    if direct and "0" not in direct:
        return _never_at_a_drive(evidence)
    fact = _("fio ran without --direct=1")
    return _cached_finding(fact, severity=Severity.INVALID, try_next=_("Add --direct=1."))


def _cached_of_result(evidence: ResultEvidence) -> Verdict:
    """A file or device was read faster than flash can, or fio was told to use the page cache."""
    operation = evidence.operation
    if operation is None or not operation.reads or evidence.on_ceph or evidence.result.tool != "fio":
        return None
    latency = evidence.mean_latency_s
    facts = []
    if evidence.option("direct") == "0":
        facts.append(_("direct=0: reads go through the page cache"))
    if latency is not None and latency < _MEMORY_S:
        facts.append(_("mean latency {latency}; flash needs 50 µs or more", latency=format_seconds(latency)))
    if not facts:
        return None
    severity = Severity.INVALID if latency is not None and latency < _MEMORY_S else Severity.DOUBTFUL
    return _cached_finding("; ".join(facts), severity=severity, try_next=fio_again(evidence))


def _cached_finding(fact: str, *, severity: Severity, try_next: str) -> Finding:
    return Finding(
        claim=_("The reads came from memory, not from the drives."),
        because=(fact,),
        severity=severity,
        role=Role.ARTEFACT,
        unless=_("the cache is what you want to measure, or the drive is Optane or a RAM disk"),
        try_next=try_next,
    )


CACHED_RULE = Rule(
    "cached-reads",
    "Did the reads reach the drives?",
    pitfalls=(2,),
    concerns=lambda asked: asked.layer is not Layer.NETWORK and asked.op.reads,
    cell=_cached_of_cell,
    result=_cached_of_result,
)


# Writes answered by a cache on the client: librbd's, or the kernel's page cache.

_SOON_S = 10.0
"""What a page cache takes in so little time never had to reach a drive."""
_ARRIVED = 0.5
"""Without a cache every client write is at least one write of an OSD."""
_FASTEST_S, _CACHED_WRITES_FLOOR_S = 400e-6, 100e-6
"""A replicated write needs two round trips and a commit; 0.4 ms is the fastest that was published (ceph.io, Reef). A
quarter of that no cluster does."""
_NO_DRIVE_S = 4e-6
"""The way through the kernel to the fastest NVMe drive and back takes 7 µs and more (Optane); a page cache, 1 to 4."""
_WITHOUT = N_("Repeat it with --ioengine=rbd --direct=1 (rbd_cache=false for certain).")


def _cached_writes_of_cell(evidence: CellEvidence) -> Verdict:
    counted = evidence.counted(OP_W)
    asked = ios_of((result for segment in counted for result in segment.results), reading=False)
    trip, latency = evidence.round_trip_s(), evidence.mean_latency
    if not counted and trip and latency and latency.value < trip:
        fact = _(
            "mean write latency {latency}, one round trip {trip}",
            latency=format_seconds(latency.value),
            trip=format_seconds(trip),
        )
        return _cached_writes_finding(fact, Severity.INVALID, _(_WITHOUT))
    if not counted or not asked:
        return Unchecked(_("the OSDs' counters of writes were not recorded"))
    arrived = sum(segment.counters[OP_W.name] for segment in counted)
    if arrived >= _ARRIVED * asked:
        return None
    fact = _(
        "clients wrote {asked} times, OSDs saw {arrived} writes",
        asked=format_count(asked),
        arrived=format_count(arrived),
    )
    return _cached_writes_finding(fact, Severity.INVALID, _(_WITHOUT))


def _cached_writes_of_result(evidence: ResultEvidence) -> Verdict:
    operation = evidence.operation
    if operation is None or not operation.writes:
        return None
    if evidence.on_ceph:
        return _check_ceph_result(evidence)
    if evidence.result.tool == "dd":
        return _check_dd(evidence)
    if evidence.result.tool == "fio" and evidence.option("direct") == "0" and evidence.result.sync is None:
        return _cached_writes_finding(
            _("direct=0 and no fsync: writes end in the page cache"), Severity.INVALID, fio_again(evidence)
        )
    latency = evidence.mean_latency_s
    if evidence.result.tool == "fio" and evidence.result.sync is None and latency and latency < _NO_DRIVE_S:
        fact = _("mean write latency {latency}; no drive acknowledges so soon", latency=format_seconds(latency))
        return _cached_writes_finding(fact, Severity.INVALID, fio_again(evidence))
    return None


def _check_dd(evidence: ResultEvidence) -> Verdict:
    """Without a flush dd ends when the page cache has the data."""
    extra = evidence.result.extra
    flags = f"{extra.get('conv', '')},{extra.get('oflag', '')}"
    if "sync" in flags or "direct" in flags:
        return None
    runtime = evidence.result.runtime_s
    short = (
        _(", and it ended after {runtime}", runtime=format_seconds(runtime))
        if runtime is not None and runtime < _SOON_S
        else ""
    )
    fact = _("neither conv=fdatasync nor oflag=direct{short}", short=short)
    again = _("dd if=/dev/urandom of=FILE bs=4M count=2500 conv=fdatasync, or fio with --fsync=1")
    return _cached_writes_finding(fact, Severity.INVALID if short else Severity.DOUBTFUL, again)


def _check_ceph_result(evidence: ResultEvidence) -> Verdict:
    latency = evidence.mean_latency_s
    if latency is not None and latency < _CACHED_WRITES_FLOOR_S:
        fact = _(
            "mean write latency {latency}; the fastest published replicated write takes 0.4 ms",
            latency=format_seconds(latency),
        )
        return _cached_writes_finding(fact, Severity.INVALID, fio_again(evidence))
    if evidence.engine == "rbd" and evidence.option("direct") == "0":
        fact = _("fio's rbd engine with direct=0 leaves librbd's cache on")
        return _cached_writes_finding(fact, Severity.DOUBTFUL, fio_again(evidence))
    if evidence.result.tool == "rbd-bench":
        fact = _("rbd bench uses librbd's cache as configured, and it is on by default")
        if evidence.in_flight and evidence.result.iops and evidence.in_flight / evidence.result.iops < _FASTEST_S:
            took = format_seconds(evidence.in_flight / evidence.result.iops)
            fact = _(
                "{fact}; one write takes {took}, the fastest published replicated one 0.4 ms", fact=fact, took=took
            )
            return _cached_writes_finding(fact, Severity.DOUBTFUL, fio_again(evidence))
        return _cached_writes_finding(fact, Severity.NOTE, fio_again(evidence))
    return None


def _cached_writes_finding(fact: str, severity: Severity, try_next: str) -> Finding:
    return Finding(
        claim=_("A cache may have acknowledged the writes before the storage did.")
        if severity is not Severity.INVALID
        else _("A cache acknowledged the writes before the storage did."),
        because=(fact,),
        severity=severity,
        role=Role.ARTEFACT,
        try_next=try_next,
    )


CACHED_WRITES_RULE = Rule(
    "cached-writes",
    "Did the writes reach the OSDs before they were acknowledged?",
    pitfalls=(3,),
    concerns=lambda asked: asked.layer is Layer.RBD and asked.op.writes and not asked.op.reads,
    cell=_cached_writes_of_cell,
    result=_cached_writes_of_result,
)


# The same few blocks again and again: a small file or image, soon in every cache.

_TIMES = 4
"""Above this each block was on average moved so often that the working set, not the drive's size, decides."""


def _small_area_of_cell(evidence: CellEvidence) -> Verdict:
    sizes = [size for text in evidence.option("size") if (size := _size(text))]
    if not sizes:
        return Unchecked(_("the commands do not say the size of the file or image"))
    size = max(sizes) * evidence.conditions.clients
    return _judge(bytes_of(evidence.results, reading=True) + bytes_of(evidence.results, reading=False), size)


def _small_area_of_result(evidence: ResultEvidence) -> Verdict:
    result, size = evidence.result, _size(evidence.option("size") or "")
    if result.tool != "fio" or not size or not result.total_ios or not result.block_bytes:
        return None
    return _judge(float(result.total_ios * result.block_bytes), size * (result.jobs or 1))


def _judge(moved: float, size: int) -> Finding | None:
    if moved < _TIMES * size:
        return None
    return Finding(
        claim=_("The same small area was used repeatedly: caches can hold it."),
        because=(
            _(
                "{moved} moved within {size}: each block {times:.0f} times",
                moved=format_bytes(moved),
                size=format_bytes(size),
                times=moved / size,
            ),
        ),
        unless=_("the active data in production is as small"),
        try_next=_("Use a file or image of at least four times the memory of the OSDs' hosts."),
    )


def _size(text: str) -> int | None:
    """fio's sizes; percentages and ranges tell no bytes."""
    try:
        return parse_bytes(text)
    except PlanError:
        return None


SMALL_AREA_RULE = Rule(
    "small-area",
    "Was the area large enough to defeat caches?",
    pitfalls=(18,),
    concerns=lambda asked: asked.tool == "fio" and asked.layer in (Layer.DISK, Layer.RBD),
    cell=_small_area_of_cell,
    result=_small_area_of_result,
)
