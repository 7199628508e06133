"""Power-loss protection: a drive that has it answers an fsync from its capacitors' cache."""

from __future__ import annotations

from dataclasses import replace

from radoscope.explain.evidence import ResultEvidence, StudyEvidence, interval_of
from radoscope.explain.finding import Finding, Role
from radoscope.explain.rule import Rule, Unchecked, Verdict
from radoscope.records.conditions import Conditions, Layer, Operation, Sync
from radoscope.stats.values import CellSummary, Estimate, LatencySummary
from radoscope.units import format_count, format_seconds

_UNPROTECTED_S = 0.5e-3
"""Published drives with protection sync 4K in 10 to 280 µs, those without in 0.26 to 10 ms, with one exception each:
Micron 5100 with its cache on (1.5 ms) and Samsung 950 PRO (16 µs)."""
_RATIO = 5.0


def check_study(evidence: StudyEvidence) -> Verdict:
    cells = evidence.cells(Layer.DISK)
    synced = [summary for summary in cells if _is_small_write(summary.cell.conditions, synced=True)]
    if not synced:
        return Unchecked("no disk cell writes 4K, one at a time, with fsync")
    if not isinstance(synced[0].iops, Estimate):
        return Unchecked("the fsync cell has no rate")
    rate = synced[0].iops.value
    if rate <= 0 or 1 / rate < _UNPROTECTED_S:
        return None
    because = [f"{format_count(rate)} synced 4K writes/s: {format_seconds(1 / rate)} each"]
    plain = _rate_without_sync(cells)
    if plain and plain / rate > _RATIO:
        because.append(f"{format_count(plain)} without sync: {plain / rate:.0f} times as many")
    if latency := _sync_latency(synced[0]):
        because.append(latency)
    return _finding(tuple(because), synced[0].cell.name, virtual=evidence.study.sandbox is not None)


def check_result(evidence: ResultEvidence) -> Verdict:
    result = evidence.result
    if evidence.on_ceph or result.tool != "fio" or result.sync is None or result.sync.mean_s is None:
        return None
    if result.sync.mean_s < _UNPROTECTED_S:
        return None
    found = _finding((f"mean fsync {format_seconds(result.sync.mean_s)}",), evidence.name, virtual=False)
    return replace(found, role=Role.CAUSE, resource="drive")


def _finding(because: tuple[str, ...], name: str, *, virtual: bool) -> Finding:
    return Finding(
        rule=RULE.name,
        claim="The drive flushes slowly, as drives without power-loss protection do; Ceph waits for it on every write.",
        because=because,
        cells=(name,),
        unless="a virtual disk, a file system or a controller lies in between"
        + (", as in this sandbox" if virtual else ", or the drive is a spinning one"),
        try_next="radoscope predict STUDY --what-if 'drive = \"Micron 7450\"' "
        "predicts what protected drives would bring.",
    )


def _is_small_write(conditions: Conditions, *, synced: bool) -> bool:
    small = conditions.block_bytes == 4096 and conditions.in_flight == 1
    writes = conditions.op in (Operation.WRITE, Operation.RANDWRITE)
    return small and writes and (conditions.sync is not Sync.NONE) is synced


def _rate_without_sync(cells: tuple[CellSummary, ...]) -> float | None:
    plain = [
        s.iops.value for s in cells if _is_small_write(s.cell.conditions, synced=False) and isinstance(s.iops, Estimate)
    ]
    return max(plain, default=None)


def _sync_latency(summary: CellSummary) -> str | None:
    if summary.sync is None or not isinstance(summary.sync, LatencySummary):
        return None
    mean = summary.sync.mean_s
    if not isinstance(mean, Estimate):
        return None
    interval = interval_of(mean)
    width = f" ({format_seconds(interval.low)} to {format_seconds(interval.high)})" if interval else ""
    return f"mean fsync {format_seconds(mean.value)}{width}"


RULE = Rule(
    name="power-loss-protection",
    question="Does the drive sync as fast as one with power-loss protection?",
    pitfalls=(15,),
    study=check_study,
    result=check_result,
)
