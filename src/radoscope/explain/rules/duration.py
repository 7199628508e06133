"""Too short: the number may be the start of the run, or one quiet moment."""

from __future__ import annotations

from radoscope.explain.command import fio_again, rados_again
from radoscope.explain.evidence import CellEvidence, ResultEvidence
from radoscope.explain.finding import Finding, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict
from radoscope.records.conditions import Layer
from radoscope.stats.values import CellSummary, Estimate, Undecided
from radoscope.units import format_count, format_seconds

_SHORT_S = 30.0
"""Below half a minute neither caches nor BlueStore's write-ahead log have settled."""
_MUCH_TOO_SHORT_S = 10.0
_FEW_IOS = 10_000
"""The OSD's own start-up benchmark takes 3,000 writes as a capacity, and is known to be off by factors."""


def check_cell(evidence: CellEvidence) -> Verdict:
    """The interval decides, not the clock: a cell that is precise was measured long enough."""
    summary = evidence.summary
    if summary is None:
        return Unchecked("the cell has no summary")
    if summary.precise:
        return None
    headline, needs = _headline(summary), summary.needs
    if isinstance(headline, Undecided):
        return _undecided(headline.because, headline.needs or needs, evidence.cell.name)
    if isinstance(headline.interval, Undecided):
        return _undecided(headline.interval.because, needs, evidence.cell.name)
    width = headline.relative_half_width or 0.0
    fact = f"the interval is ±{width:.0%} after {format_seconds(summary.measured_s)} of measuring"
    return _undecided(fact, needs, evidence.cell.name)


def _headline(summary: CellSummary) -> Estimate | Undecided:
    """What the cell is about: its rate; on the network bytes, or the round trip."""
    if summary.cell.conditions.layer is not Layer.NETWORK:
        return summary.iops
    if isinstance(summary.bandwidth_bytes_per_s, Estimate) or isinstance(summary.latency, Undecided):
        return summary.bandwidth_bytes_per_s
    return summary.latency.mean_s


def _undecided(fact: str, needs: str, name: str) -> Finding:
    """A note: the interval, or its absence, stands beside the number and says the same."""
    return Finding(
        rule=RULE.name,
        claim="The rate is less precise than requested.",
        because=(fact,),
        cells=(name,),
        try_next=f"Give it more time: {needs}." if needs else "Give it more time with --at-most.",
    )


def check_result(evidence: ResultEvidence) -> Verdict:
    result = evidence.result
    if result.tool in ("ping", "iperf3", "iperf", "hdparm", "ioping", "dd", "fio-cdm", "crystaldiskmark"):
        return None
    runtime = result.runtime_s
    if result.tool == "osd-bench" and result.total_ios is not None and result.total_ios < _FEW_IOS:
        return _short_run(f"{format_count(result.total_ios)} writes in all", evidence, Severity.DOUBTFUL)
    if runtime is None or runtime >= _SHORT_S:
        return None
    severity = Severity.DOUBTFUL if runtime < _MUCH_TOO_SHORT_S else Severity.NOTE
    return _short_run(f"it ran {format_seconds(runtime)}", evidence, severity)


def _short_run(fact: str, evidence: ResultEvidence, severity: Severity) -> Finding:
    return Finding(
        rule=RULE.name,
        claim="The run is too short for a reliable number.",
        because=(fact,),
        severity=severity,
        cells=(evidence.name,),
        try_next=_longer(evidence),
    )


def _longer(evidence: ResultEvidence) -> str:
    if evidence.result.tool == "rados-bench":
        return rados_again(evidence)
    if evidence.result.tool == "osd-bench":
        return "for i in 1 2 3; do ceph tell osd.N cache drop; ceph tell osd.N bench 12288000 4096 4194304 100; done"
    return f"{fio_again(evidence)} (three times)"


RULE = Rule(
    name="too-short",
    question="Was it measured long enough for its precision?",
    pitfalls=(4,),
    cell=check_cell,
    result=check_result,
)
