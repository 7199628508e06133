"""What the load really was: what was in flight, of what size, and whether its numbers agree."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from radoscope.explain.command import fio_again
from radoscope.explain.evidence import CellEvidence, ResultEvidence, load_of, rate_of
from radoscope.explain.finding import Finding, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict, storage_cell
from radoscope.records.conditions import Layer, Operation
from radoscope.records.measurement import Result
from radoscope.units import format_bytes, format_count
from radoscope.words import N_, _

# A synchronous engine with a queue depth: fio takes --iodepth and ignores it, one I/O at a time.

_SYNCHRONOUS = frozenset({"sync", "psync", "vsync", "pvsync", "pvsync2", "mmap"})


def _sync_engine_of_cell(evidence: CellEvidence) -> Verdict:
    if not evidence.commands:
        return Unchecked(_("the commands were not recorded"))
    engines = _SYNCHRONOUS.intersection(evidence.option("ioengine"))
    depth = evidence.conditions.queue_depth
    if not engines or depth <= 1:
        return None
    return _sync_engine_finding(min(engines), depth, f"--ioengine=libaio --direct=1 --iodepth={depth}")


def _sync_engine_of_result(evidence: ResultEvidence) -> Verdict:
    depth = evidence.result.queue_depth
    if evidence.engine not in _SYNCHRONOUS or depth is None or depth <= 1:
        return None
    return _sync_engine_finding(evidence.engine or "", depth, fio_again(evidence, ioengine="libaio"))


def _sync_engine_finding(engine: str, depth: int, try_next: str) -> Finding:
    return Finding(
        claim=_("The engine is synchronous: the queue depth was really 1 per job."),
        because=(_("ioengine={engine} with iodepth={depth}", engine=engine, depth=depth),),
        severity=Severity.INVALID,
        try_next=try_next,
    )


SYNC_ENGINE_RULE = Rule(
    "synchronous-engine",
    "Can the engine sustain the requested queue depth?",
    pitfalls=(11,),
    concerns=lambda asked: asked.layer is Layer.DISK and asked.tool == "fio",
    cell=_sync_engine_of_cell,
    result=_sync_engine_of_result,
)


# Jobs that ran at once: without `stonewall` the sections of a fio job file share the drives and the time.

_MOST_NAMES = 5
_CONCURRENT_JOBS_NEAR = 20


def _concurrent_jobs_of_result(evidence: ResultEvidence) -> Verdict:
    names, ops = _together(evidence)
    own = str(evidence.result.extra.get("jobname"))
    others = list(islice((name for name in names if name != own), _MOST_NAMES))
    if not others:
        return None
    more = ", ..." if len(others) == _MOST_NAMES else ""
    differ = len(ops | {evidence.result.op}) > 1
    return Finding(
        claim=_("These jobs ran at the same time: none of the figures shows what a job can do alone."),
        because=(_("{own} runs together with {others}{more}", own=own, others=", ".join(others), more=more),),
        severity=Severity.INVALID if differ else Severity.NOTE,
        unless=_("the mix is what you want to measure"),
        try_next=_("Put `stonewall` into each section of the job file, or run the jobs one after another."),
    )


def _together(evidence: ResultEvidence) -> tuple[Iterable[str], set[str | None]]:
    """Names and operations of the jobs in the same run and group, as the document or the text's headings show them."""
    if group := evidence.neighbours.group_of(evidence.result):
        return group.names, group.ops
    together = evidence.result.extra.get("together_with")
    names = [str(name) for name in together] if isinstance(together, (list, tuple)) else []
    near = evidence.neighbours.near(evidence.number, min(2 * len(names), _CONCURRENT_JOBS_NEAR))
    return names, {other.op for other in near if str(other.extra.get("jobname")) in names}


CONCURRENT_JOBS_RULE = Rule(
    "jobs-at-once", "Did each job have the drives to itself?", pitfalls=(12,), result=_concurrent_jobs_of_result
)


# IOPS times block size must be the bandwidth.

_RATE_TIMES_SIZE_TOLERANCE = 0.1
"""Beyond the 7.4 % between GB and GiB, which is another rule's."""
_FEW_IOPS = 20
"""Tools print IOPS as whole numbers: 11 stands for 11.0 to 11.99."""


def _rate_times_size_of_result(evidence: ResultEvidence) -> Verdict:
    result, ratio = evidence.result, evidence.size_ratio
    if ratio is None or abs(ratio - 1) <= _RATE_TIMES_SIZE_TOLERANCE or (result.iops or 0) < _FEW_IOPS:
        return None
    if result.tool in ("ping", "iperf3", "iperf"):
        return None
    iops, block, bandwidth = rate_of(result) or 0.0, result.block_bytes or 0, result.bandwidth_bytes_per_s or 0.0
    fact = _(
        "{iops} IOPS x {block} = {bytes}/s, printed are {bandwidth}/s",
        iops=format_count(iops),
        block=format_bytes(block),
        bytes=format_bytes(iops * block),
        bandwidth=format_bytes(bandwidth),
    )
    return Finding(
        claim=_("IOPS, block size and bandwidth contradict each other."),
        because=(fact,),
        severity=Severity.DOUBTFUL,
        unless=_("the block size varied within the run"),
        try_next=_("Check the text: columns may be swapped, or the block size differs."),
    )


RATE_TIMES_SIZE_RULE = Rule(
    "rate-times-size", "Do IOPS, block size and bandwidth agree?", result=_rate_times_size_of_result
)


# MB that are MiB: rate times block size is off by exactly a power of 1.024.

_UNITS_OF_BANDWIDTH_NEAR = 0.006
_COARSE_IOPS = 1 / 0.012
"""31 whole IOPS stand for 31.0 to 31.99: what they miss is larger than half of the least factor."""
_FACTORS = {1.024: N_("KB that are KiB"), 1.048576: N_("MB that are MiB"), 1.073741824: N_("GB that are GiB")}


def _units_of_bandwidth_of_result(evidence: ResultEvidence) -> Verdict:
    ratio, iops = evidence.size_ratio, rate_of(evidence.result) or 0.0
    if ratio is None or (iops < _COARSE_IOPS and iops.is_integer()):
        return None
    for factor, words in _FACTORS.items():
        for seen, larger in ((ratio, "1024"), (1 / ratio, "1000")):
            if abs(seen / factor - 1) < _UNITS_OF_BANDWIDTH_NEAR:
                fact = _(
                    "IOPS x block size = {ratio:.3f} x the bandwidth as printed, which is {words} (1 K is {larger})",
                    ratio=ratio,
                    words=_(words),
                    larger=larger,
                )
                return Finding(
                    claim=_("The bandwidth is labelled with the wrong unit."),
                    because=(fact,),
                    unless=_("the IOPS were rounded"),
                    try_next=_("Trust the IOPS; bandwidth = IOPS x block size."),
                )
    return None


UNITS_OF_BANDWIDTH_RULE = Rule(
    "mb-or-mib", "Is the bandwidth labelled with the right unit?", result=_units_of_bandwidth_of_result
)


# Little's law: rate times latency is what was in flight. Where it does not hold, a number or the depth is wrong.

_LITTLE_TOLERANCE = 0.1
_BETWEEN_IOS_S = 20e-6
"""What a process needs between two I/Os; the latency does not hold it."""


def _little_of_cell(evidence: CellEvidence) -> Verdict:
    asked, conditions = evidence.conditions.in_flight, evidence.conditions
    found = [bounds for segment in evidence.segments if (bounds := _in_flight(segment.results)) is not None]
    if not found:
        return Unchecked(_("rates or latencies are missing"))
    low, high = (sum(bound) / len(found) for bound in zip(*found, strict=True))
    rate = sum(result.iops or 0.0 for result in evidence.segments[0].results) / (conditions.jobs * conditions.clients)
    if _fits(low, high, asked, rate, _edges(evidence.results)) or (conditions.rate_iops and high < asked):
        return None
    return _little_finding(
        _("rate x latency = {high:.3g} in flight, requested were {asked}", high=high, asked=asked), high < asked
    )


def _little_of_result(evidence: ResultEvidence) -> Verdict:
    result, asked = evidence.result, evidence.in_flight
    bounds = _in_flight((result,))
    mixed = result.extra.get("mixed") or result.op in (Operation.RW, Operation.RANDRW)
    if bounds is None or asked is None or mixed or result.tool in ("ping", "iperf3", "iperf"):
        return None
    low, high = bounds
    rate = (result.iops or 0.0) / (result.jobs or 1)
    if "queue_depth" in result.context or _fits(low, high, asked, rate, _edges((result,))):
        return None
    fact = _(
        "{result}: rate x latency = {high:.3g} in flight, stated are {asked}",
        result=load_of(result),
        high=high,
        asked=asked,
    )
    if result.tool == "table" and result.jobs is None and high > asked:
        return _untold_jobs(fact)
    return _little_finding(fact, high < asked)


def _untold_jobs(fact: str) -> Finding:
    """People leave out how many jobs, volumes or clients their table is the sum of."""
    return Finding(
        claim=_("More ran at once than the queue depth says: jobs or clients that the text does not count."),
        because=(fact,),
        unless=_("rate or latency is another run's"),
        try_next=_("Say how many jobs, volumes and clients ran: only then can the numbers be compared."),
    )


def _little_finding(fact: str, fewer: bool) -> Finding:
    return Finding(
        claim=_("Fewer I/Os were in flight than requested.")
        if fewer
        else _("Rate and latency contradict the queue depth: one of the three is wrong."),
        because=(fact,),
        severity=Severity.NOTE if fewer else Severity.DOUBTFUL,
        unless=_("the latency covers only part of the I/O (clat without slat or fsync), or several runs were mixed"),
        try_next=_("Repeat it with fio --output-format=json+ and keep the whole output.")
        if not fewer
        else _("Find what holds the submitter back: its CPU, a synchronous engine, rate limits, pauses between I/Os."),
    )


def _in_flight(results: Iterable[Result]) -> tuple[float, float] | None:
    """Sum of rate x latency over results: least and most; None where one of them lacks a number.

    Where fio syncs after each write, its write latency holds the flush, a part of it, or nothing of it, as the engine
    has it: what was in flight lies between the longer of the two and their sum.
    """
    low = high = 0.0
    seen = False
    for result in results:
        rate = rate_of(result)
        if rate is None or result.latency is None or result.latency.mean_s is None:
            return None
        flush = result.sync.mean_s if result.sync and result.sync.mean_s else 0.0
        low += rate * max(result.latency.mean_s, flush)
        high += rate * (result.latency.mean_s + flush)
        seen = True
    return (low, high) if seen else None


def _edges(results: Iterable[Result]) -> tuple[float, float]:
    """Shares: what is in flight when a run begins or ends counts with its whole latency, or not at all. That is a mean
    one, or the longest: who comes at any moment finds the slow ones in flight."""
    mean = longest = 0.0
    for one in results:
        if one.latency is not None and one.runtime_s:
            mean_s = one.latency.mean_s or 0.0
            mean = max(mean, mean_s / one.runtime_s)
            longest = max(longest, (one.latency.max_s or mean_s) / one.runtime_s)
    return mean, longest


def _fits(low: float, high: float, asked: int, rate_per_job: float, edges: tuple[float, float]) -> bool:
    """Within 10 % and the edges, below and above, or short of it by no more than a process needs between its I/Os."""
    below, above = (_LITTLE_TOLERANCE + each for each in edges)
    if low <= (1 + above) * asked and high >= (1 - below) * asked:
        return True
    return high < asked and asked * (1 - min(1.0, rate_per_job * _BETWEEN_IOS_S)) <= high * (1 + _LITTLE_TOLERANCE)


LITTLE_RULE = Rule(
    "littles-law",
    "Do rate, latency and queue depth agree (Little's law)?",
    pitfalls=(11,),
    concerns=storage_cell,
    cell=_little_of_cell,
    result=_little_of_result,
)


# The queue depth that counts is the one over all jobs.


def _effective_depth_of_result(evidence: ResultEvidence) -> Verdict:
    result, total = evidence.result, evidence.in_flight
    jobs, depth = result.jobs or 1, result.queue_depth
    if total is None or jobs == 1 or result.tool in ("iperf3", "iperf", "ping"):
        return None
    because = [
        _("{jobs} jobs x queue depth {depth} = {total} in flight", jobs=jobs, depth=depth, total=format_count(total))
    ]
    if result.iops:
        because.append(_("one job did {iops} IOPS", iops=format_count(result.iops / jobs)))
    return Finding(
        claim=_("The rate is the sum of all jobs: compare it only with runs with as many I/Os in flight."),
        because=tuple(because),
        unless=_("the jobs stand for separate clients whose sum you want"),
        try_next=_("{evidence} (what one client sees)", evidence=fio_again(evidence, iodepth="1", numjobs="1")),
    )


EFFECTIVE_DEPTH_RULE = Rule(
    "effective-depth", "How many I/Os were really in flight?", pitfalls=(11,), result=_effective_depth_of_result
)


# Large I/Os quoted as IOPS: rados bench writes 4 MiB objects by default.

_LARGE = 2**20


def _large_blocks_of_result(evidence: ResultEvidence) -> Verdict:
    result = evidence.result
    block, iops = result.block_bytes, result.iops
    if block is None or iops is None or block < _LARGE or result.tool not in ("rados-bench", "osd-bench", "table"):
        return None
    return Finding(
        claim=_("These IOPS are large I/Os: quote the bandwidth, and do not compare them with 4K figures."),
        because=(
            _(
                "{iops} per second of {block} each: {bytes}/s",
                iops=format_count(iops),
                block=format_bytes(block),
                bytes=format_bytes(iops * block),
            ),
        ),
        try_next=_("rados -p POOL bench 60 write -b 4096 -t 16 (and -t 1) measures small writes."),
    )


LARGE_BLOCKS_RULE = Rule(
    "large-blocks-as-iops", "Are the IOPS those of small I/Os?", pitfalls=(6,), result=_large_blocks_of_result
)
