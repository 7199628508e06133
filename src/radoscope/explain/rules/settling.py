"""A rate that changed in the middle of a run: its mean describes neither half."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from radoscope.explain.command import fio_again, rados_again
from radoscope.explain.evidence import ResultEvidence
from radoscope.explain.finding import Finding, Role, Severity
from radoscope.explain.rule import Rule, Verdict
from radoscope.records.measurement import Series
from radoscope.units import format_bytes, format_count

_LEAST_VALUES = 8
_EACH_SIDE = 3
_EXPLAINED = 0.7
"""Share of the variance that one step must explain; real series of a steady cell, autocorrelated as they are, stay
below it together with a step of 30 %."""
_STEP = 0.3


def check_result(evidence: ResultEvidence) -> Verdict:
    for series in evidence.result.series:
        if series.name not in ("iops", "bandwidth", "ops", "bandwidth_bytes_per_s"):
            continue
        if step := _step(_without_start(series.values)):
            at, before, after = step
            fact = f"{_per_second(before, series)} in the first {at} values, {_per_second(after, series)} after"
            return Finding(
                rule=RULE.name,
                claim="The rate changed during the run; its mean describes neither part.",
                because=(fact,),
                severity=Severity.DOUBTFUL,
                role=Role.ARTEFACT,
                cells=(evidence.name,),
                unless="you changed something on purpose at that moment",
                try_next=_longer(evidence),
            )
    return None


def _per_second(rate: float, series: Series) -> str:
    return f"{format_bytes(rate)}/s" if series.unit.startswith("bytes") else f"{format_count(rate)} a second"


def _longer(evidence: ResultEvidence) -> str:
    """Long enough to see on which of the two levels it stays."""
    rados = evidence.result.tool == "rados-bench"
    return rados_again(evidence, 300) if rados else fio_again(evidence, ramp_time="120", runtime="180")


def _without_start(values: Sequence[float]) -> Sequence[float]:
    """rados bench shows 0 until its first operations have ended: no stall, only the start."""
    first = next((index for index, value in enumerate(values) if value > 0), len(values))
    return values[first:]


def _step(values: Sequence[float]) -> tuple[int, float, float] | None:
    """The one step that explains most of the variance: (its place, mean before, mean after), None if there is none."""
    if len(values) < _LEAST_VALUES:
        return None
    mean = statistics.fmean(values)
    total = sum((value - mean) ** 2 for value in values)
    best: tuple[float, int] = (0.0, 0)
    running = sum(values[:_EACH_SIDE])
    for cut in range(_EACH_SIDE, len(values) - _EACH_SIDE + 1):
        between = (running - cut * mean) ** 2 * len(values) / (cut * (len(values) - cut))
        best = max(best, (between, cut))
        running += values[cut]
    gained, cut = best
    if not total or gained < _EXPLAINED * total:
        return None
    before, after = statistics.fmean(values[:cut]), statistics.fmean(values[cut:])
    return (cut, before, after) if abs(after - before) > _STEP * mean else None


RULE = Rule(
    name="not-settled",
    question="Did the rate stay level during the run?",
    pitfalls=(4,),
    result=check_result,
)
