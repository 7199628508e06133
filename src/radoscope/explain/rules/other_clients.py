"""Other clients of the cluster, active during the load: the result is what they left over.

Two ways to see them: their operations in flight, looked at each second, and what the OSDs did beyond what was asked.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from radoscope.explain.evidence import CellEvidence, ios_of
from radoscope.explain.finding import Finding, Role, Severity, Share
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell
from radoscope.explain.times import share_over
from radoscope.records.study import Segment
from radoscope.records.telemetry import OP_R, OP_R_OUT_BYTES, OP_W, OP_W_IN_BYTES, OTHERS_IN_FLIGHT, RECOVERED

_OFTEN = 0.5
"""Share of the looks at which operations of theirs were in flight; now and then some are on any cluster in use."""
_MUCH = 0.4
_QUIET_PER_S = 10.0
_LEAST_OPERATIONS, _LEAST_BYTES = 50.0, 16e6
"""In one segment: opening an image, its header's watch, and other housekeeping are 10 to 30 operations."""
_MORE = 1.15
"""The OSDs also count what was done before a ramp ended and after the clock stopped; the tool does not."""


def check_cell(evidence: CellEvidence) -> Verdict:
    found = [known for one in evidence.segments if (known := _foreign(evidence, one)) is not None]
    share = share_over(found)
    if share is not None and share.value >= _MUCH and _always(found) and not _quiet_without_load(evidence):
        return _finding(f"{share} of what the OSDs did was not asked by the load", evidence.cell.name, share)
    if evidence.study.sandbox is not None:
        return None if found else Unchecked("the OSDs' counts of operations were not recorded")
    return _in_flight(evidence)


def _always(found: Sequence[float]) -> bool:
    return sum(each >= _MUCH for each in found) >= 2 / 3 * len(found)


def _quiet_without_load(evidence: CellEvidence) -> bool:
    """Whether the OSDs did next to nothing while cells beside Ceph were measured: pings, the disk."""
    rates = [
        (one.counters[OP_R.name] + one.counters[OP_W.name]) / one.seconds
        for one in evidence.study.segments
        if not ceph_cell(evidence.study.cell(one.cell).conditions) and OP_R.name in one.counters and one.seconds > 0
    ]
    return bool(rates) and statistics.fmean(rates) < _QUIET_PER_S


def _in_flight(evidence: CellEvidence) -> Verdict:
    seen = [count for series in evidence.series(OTHERS_IN_FLIGHT) for count in series.values]
    if not seen:
        return Unchecked("other clients' operations were not recorded")
    often = sum(count > 0 for count in seen) / len(seen)
    if often < _OFTEN:
        return None
    fact = (
        f"{statistics.fmean(seen):.1f} of their operations were in flight on average on the sampled OSDs, "
        f"and in {often:.0%} of the samples at least one"
    )
    return _finding(fact, evidence.cell.name, None)


def _foreign(evidence: CellEvidence, segment: Segment) -> float | None:
    """Share of the OSDs' work that the load did not ask for, in operations or in bytes, whichever is more.

    Only of loads whose operations reach the OSDs one to one; where the OSDs did less than asked, another rule speaks.
    """
    counters = segment.counters
    if OP_R.name not in counters or OP_W.name not in counters:
        return None
    reads, writes = ios_of(segment.results, reading=True), ios_of(segment.results, reading=False)
    if not reads + writes or segment.counters.get(RECOVERED.name, 0.0) > 0:
        return None
    stretched, waiting = _MORE * _whole_time(segment), 2.0 * evidence.conditions.in_flight
    ours = (reads + writes) * stretched + waiting
    shares = [_beyond(counters[OP_R.name] + counters[OP_W.name], ours, _LEAST_OPERATIONS)]
    if OP_R_OUT_BYTES.name in counters and OP_W_IN_BYTES.name in counters:
        done = counters[OP_R_OUT_BYTES.name] + counters[OP_W_IN_BYTES.name]
        shares.append(_beyond(done, ours * (evidence.conditions.block_bytes or 0), _LEAST_BYTES))
    return max(shares)


def _whole_time(segment: Segment) -> float:
    """How much longer the tool put load on than it counted, as its ramp: the segment's length bounds it."""
    counted = max((result.runtime_s or 0.0 for result in segment.results), default=0.0)
    return max(1.0, segment.seconds / counted) if counted else 1.0


def _beyond(done: float, asked: float, least: float) -> float:
    return (done - asked) / done if done - asked >= least else 0.0


def _finding(fact: str, cell: str, share: Share | None) -> Finding:
    return Finding(
        rule=RULE.name,
        claim="Other clients used the cluster at the same time: without them it does more.",
        because=(fact,),
        severity=Severity.NOTE,
        cells=(cell,),
        unless="you want to measure what they leave over",
        try_next="Repeat it at a quiet time and compare; rbd perf image iostat names the busy images.",
        role=Role.CAUSE if share is not None else Role.REMARK,
        resource="other clients",
        explains=share,
        hides=("osd-cpu", "uneven-load"),
    )


RULE = Rule(
    name="other-clients",
    question="Was the cluster free of other clients' load?",
    pitfalls=(9,),
    concerns=ceph_cell,
    cell=check_cell,
)
