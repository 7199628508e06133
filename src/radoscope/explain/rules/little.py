"""Little's law: rate times latency is what was in flight. Where it does not hold, a number or the depth is wrong."""

from __future__ import annotations

from collections.abc import Iterable

from radoscope.explain.evidence import CellEvidence, ResultEvidence, load_of, rate_of
from radoscope.explain.finding import Finding, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict, storage_cell
from radoscope.records.conditions import Operation
from radoscope.records.measurement import Result

_TOLERANCE = 0.1
_BETWEEN_IOS_S = 20e-6
"""What a process needs between two I/Os; the latency does not hold it."""


def check_cell(evidence: CellEvidence) -> Verdict:
    asked, conditions = evidence.conditions.in_flight, evidence.conditions
    found = [bounds for segment in evidence.segments if (bounds := _in_flight(segment.results)) is not None]
    if not found:
        return Unchecked("rates or latencies are missing")
    low, high = (sum(bound) / len(found) for bound in zip(*found, strict=True))
    rate = sum(result.iops or 0.0 for result in evidence.segments[0].results) / (conditions.jobs * conditions.clients)
    if _fits(low, high, asked, rate) or (conditions.rate_iops and high < asked):
        return None
    return _finding(f"rate x latency = {high:.3g} in flight, requested were {asked}", evidence.cell.name, high < asked)


def check_result(evidence: ResultEvidence) -> Verdict:
    result, asked = evidence.result, evidence.in_flight
    bounds = _in_flight((result,))
    mixed = result.extra.get("mixed") or result.op in (Operation.RW, Operation.RANDRW)
    if bounds is None or asked is None or mixed or result.tool in ("ping", "iperf3", "iperf"):
        return None
    low, high = bounds
    if "queue_depth" in result.context or _fits(low, high, asked, (result.iops or 0.0) / (result.jobs or 1)):
        return None
    fact = f"{load_of(result)}: rate x latency = {high:.3g} in flight, stated are {asked}"
    return _finding(fact, evidence.name, high < asked)


def _finding(fact: str, name: str, fewer: bool) -> Finding:
    return Finding(
        rule=RULE.name,
        claim="Fewer I/Os were in flight than requested."
        if fewer
        else "Rate and latency contradict the queue depth: one of the three is wrong.",
        because=(fact,),
        severity=Severity.NOTE if fewer else Severity.DOUBTFUL,
        cells=(name,),
        unless="the latency covers only part of the I/O (clat without slat or fsync), or several runs were mixed",
        try_next="Repeat it with fio --output-format=json+ and keep the whole output."
        if not fewer
        else "Find what holds the submitter back: its CPU, a synchronous engine, rate limits, pauses between I/Os.",
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


def _fits(low: float, high: float, asked: int, rate_per_job: float) -> bool:
    """Within 10 %, or short of it by no more than a process needs between its I/Os."""
    if low <= (1 + _TOLERANCE) * asked and high >= (1 - _TOLERANCE) * asked:
        return True
    return high < asked and asked * (1 - min(1.0, rate_per_job * _BETWEEN_IOS_S)) <= high * (1 + _TOLERANCE)


RULE = Rule(
    name="littles-law",
    question="Do rate, latency and queue depth agree (Little's law)?",
    pitfalls=(11,),
    concerns=storage_cell,
    cell=check_cell,
    result=check_result,
)
