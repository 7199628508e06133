"""What the number does not say."""

from __future__ import annotations

from radoscope.explain.command import fio_again
from radoscope.explain.evidence import CellEvidence, ResultEvidence, StudyEvidence
from radoscope.explain.finding import Finding, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict, storage_cell
from radoscope.records.conditions import Conditions, Layer, Operation, Sync
from radoscope.stats.values import LatencySummary
from radoscope.units import format_block, format_bytes, format_count, format_seconds
from radoscope.words import N_, _

# Small sequential writes as "write speed": caches and drives merge them.

_SMALL_SEQUENTIAL_SMALL = 16 * 1024
_SMALL_CALL = 8 * 1024


def _small_sequential_of_cell(evidence: CellEvidence) -> Verdict:
    block = evidence.conditions.block_bytes
    return _small_sequential_finding(block) if block is not None and block <= _SMALL_SEQUENTIAL_SMALL else None


def _small_sequential_of_result(evidence: ResultEvidence) -> Verdict:
    result, block = evidence.result, evidence.result.block_bytes
    if result.tool == "dd":
        return _small_calls_of_dd(evidence)
    ceph_image = result.tool == "rbd-bench" or evidence.engine == "rbd"
    if result.op != Operation.WRITE or block is None or block > _SMALL_SEQUENTIAL_SMALL or not ceph_image:
        return None
    return _small_sequential_finding(block)


def _small_sequential_finding(block: int) -> Finding:
    return Finding(
        claim=_("Small sequential writes measure neither bandwidth nor a guest's random writes."),
        because=(
            _(
                "sequential writes of {block} all go to one object, hence one OSD, until it is full",
                block=format_block(block),
            ),
        ),
        unless=_("a database log is what you want to measure"),
        try_next="--rw=randwrite --bs=4k for IOPS, --rw=write --bs=4M for bandwidth.",
    )


def _small_calls_of_dd(evidence: ResultEvidence) -> Finding | None:
    """Its own block is 512 bytes: most of the time goes into the calls, in a file system of user space above all."""
    time, block = evidence.time_of_a_block_s, evidence.result.block_bytes
    if time is None or block is None or block > _SMALL_CALL or evidence.is_durable_dd:
        return None
    size = format_bytes(block)
    calls = _("{calls} calls a second: {time} each", calls=format_count(1 / time), time=format_seconds(time))
    return Finding(
        claim=_("dd moved {size} at a time: its rate is what calls cost, and no bandwidth.", size=size),
        because=(calls,),
        unless=_("the program that matters does I/O of this size"),
        try_next=_("the same dd with bs=4M, and with conv=fdatasync where it writes"),
    )


SMALL_SEQUENTIAL_RULE = Rule(
    "small-sequential-writes",
    "Is sequential I/O large enough to be meaningful?",
    pitfalls=(13,),
    concerns=lambda asked: asked.layer is Layer.RBD and asked.op is Operation.WRITE,
    cell=_small_sequential_of_cell,
    result=_small_sequential_of_result,
)


# First writes: rados bench creates new objects, a guest overwrites what is there.


def _first_writes_of_cell(evidence: CellEvidence) -> Verdict:
    if any("--reuse-bench" in command for command in evidence.commands):
        return None
    return _first_writes_finding()


def _first_writes_of_result(evidence: ResultEvidence) -> Verdict:
    operation = evidence.operation
    if evidence.result.tool != "rados-bench" or operation is None or not operation.writes:
        return None
    return _first_writes_finding()


def _first_writes_finding() -> Finding:
    return Finding(
        claim=_("rados bench writes new objects, while a guest mostly overwrites."),
        because=(_("each operation creates an object with its metadata"),),
        try_next=_("fio --ioengine=rbd --rw=randwrite on an image that was fully written measures overwrites."),
    )


FIRST_WRITES_RULE = Rule(
    "first-writes",
    "Were existing blocks overwritten, as a guest does?",
    pitfalls=(17,),
    concerns=lambda asked: asked.layer is Layer.RADOS and asked.op.writes and asked.tool.startswith("rados"),
    cell=_first_writes_of_cell,
    result=_first_writes_of_result,
)


# Writes without an fsync: a drive without power-loss protection looks as fast as one with it.

_FLUSH_TEST_SMALL = 16 * 1024
_COMMAND = (
    "fio --name=fsync --filename=FILE --size=1G --rw=randwrite --bs=4k --iodepth=1 --direct=1 --fsync=1 "
    "--ioengine=libaio --time_based --runtime=60"
)


def _flush_test_of_study(evidence: StudyEvidence) -> Verdict:
    disks = [summary.cell for summary in evidence.cells(Layer.DISK) if summary.cell.conditions.op.writes]
    if not disks or any(cell.conditions.sync is not Sync.NONE for cell in disks):
        return None
    return Finding(
        claim=_("The drives were not tested with fsync, which is how Ceph writes."),
        because=(_("no disk cell has sync = fsync or sync"),),
        cells=tuple(cell.name for cell in disks),
        try_next=_COMMAND,
    )


def _flush_test_of_result(evidence: ResultEvidence) -> Verdict:
    result = evidence.result
    if result.tool != "fio" or evidence.on_ceph or result.op not in (Operation.WRITE, Operation.RANDWRITE):
        return None
    if result.block_bytes is None or result.block_bytes > _FLUSH_TEST_SMALL or _is_durable(evidence):
        return None
    if "options" not in result.extra:  # without the options nobody can tell whether it synced
        return None
    return Finding(
        claim=_("Without fsync this says little about the drive's performance under Ceph."),
        because=(_("neither fsync nor sync among fio's options, and no fsync latency printed"),),
        unless=_("the target is an RBD image or a guest's disk"),
        try_next=_COMMAND,
    )


def _is_durable(evidence: ResultEvidence) -> bool:
    asked = (evidence.option(name) for name in ("fsync", "fdatasync", "sync"))
    return evidence.result.sync is not None or any(value not in (None, "0", "none") for value in asked)


FLUSH_TEST_RULE = Rule(
    "no-fsync-test",
    "Were small writes tested with fsync?",
    pitfalls=(15,),
    study=_flush_test_of_study,
    result=_flush_test_of_result,
)


# Only averages: the tail, which users feel, is not in the numbers.

_WHOLE = N_("fio --output-format=json+ keeps the whole distribution, also of several clients together.")
_TOOLS = ("rados-bench", "rbd-bench", "fio")


def _average_only_of_cell(evidence: CellEvidence) -> Verdict:
    if evidence.summary is None or not isinstance(evidence.summary.latency, LatencySummary):
        return Unchecked(_("the cell has no latency"))
    if evidence.summary.latency.percentiles_s:  # those that are undecided are a matter of time, not of the tool
        return None
    return _average_only_finding(_("{tool} prints no percentiles", tool=evidence.conditions.tool), _(_WHOLE))


def _average_only_of_result(evidence: ResultEvidence) -> Verdict:
    result = evidence.result
    if result.tool not in _TOOLS or result.latency is None or result.latency.mean_s is None:
        return None
    if result.latency.percentiles_s or (result.completion and result.completion.percentiles_s):
        return None
    fact = _("mean {mean_s}, no percentiles in the text", mean_s=format_seconds(result.latency.mean_s))
    return _average_only_finding(fact, fio_again(evidence))


def _average_only_finding(fact: str, try_next: str) -> Finding:
    return Finding(
        claim=_("Only mean latencies are known, not how slow the slowest 1 % or 0.1 % of I/Os are."),
        because=(fact,),
        try_next=try_next,
    )


AVERAGE_ONLY_RULE = Rule(
    "average-only",
    "Is the tail of the latency known?",
    pitfalls=(26,),
    concerns=storage_cell,
    cell=_average_only_of_cell,
    result=_average_only_of_result,
)


# Latency switched off: fio's gtod_reduce and disable_lat leave a rate that cannot be checked.

_CLAIM = N_("No latency was measured: neither the tail nor Little's law can be looked at.")

_WITH = N_("Repeat it without --gtod_reduce and --disable_lat; it costs 3 to 4 % of the rate at most.")


def _no_latency_of_cell(evidence: CellEvidence) -> Verdict:
    if not evidence.results:
        return Unchecked(_("the cell has no results"))
    if any(result.latency is not None for result in evidence.results):
        return None
    return _no_latency_finding(_("none of the cell's results holds a latency"), Severity.DOUBTFUL, _(_WITH))


def _no_latency_of_result(evidence: ResultEvidence) -> Verdict:
    result = evidence.result
    if result.tool != "fio" or result.latency is not None or result.completion is not None or result.iops is None:
        return None
    reduced = evidence.option("gtod_reduce") not in (None, "0")
    fact = "gtod_reduce=1" if reduced else _("this output of fio contains none and does not say why")
    return _no_latency_finding(fact, Severity.NOTE, fio_again(evidence))


def _no_latency_finding(fact: str, severity: Severity, try_next: str) -> Finding:
    return Finding(claim=_(_CLAIM), because=(fact,), severity=severity, try_next=try_next)


def _fio(conditions: Conditions) -> bool:
    return conditions.tool == "fio"


NO_LATENCY_RULE = Rule(
    "no-latency",
    "Was the latency measured?",
    pitfalls=(23,),
    concerns=_fio,
    cell=_no_latency_of_cell,
    result=_no_latency_of_result,
)
