"""The network itself: jumbo frames that do not get through, losses, resends, a 1 Gbit/s link on the way."""

from __future__ import annotations

from radoscope.explain.evidence import ResultEvidence, StudyEvidence
from radoscope.explain.finding import Finding, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict
from radoscope.records.conditions import Layer
from radoscope.records.measurement import Result
from radoscope.records.study import Outcome, Segment
from radoscope.units import format_count, format_seconds

_GIGABIT = (0.85e9 / 8, 0.95e9 / 8)
"""What TCP gets through 1 Gbit/s: 941 Mbit/s with frames of 1,500 bytes."""
_RESENDS_PER_GIB = 500
_COMMAND = "ping -M do -s 8972 HOST (for MTU 9000); ethtool HOST-NIC; ip -s link"


def check_study(evidence: StudyEvidence) -> Verdict:
    cells = {summary.cell.name for summary in evidence.cells(Layer.NETWORK)}
    segments = [segment for segment in evidence.study.segments if segment.cell in cells]
    if not segments:
        return Unchecked("the study has no network cell")
    because = [fact for segment in segments if (fact := _problem(evidence, segment))]
    because += [fact for segment in segments for result in segment.results if (fact := _fact(result))]
    return _finding(tuple(dict.fromkeys(because)), tuple(sorted(cells))) if because else None


def check_result(evidence: ResultEvidence) -> Verdict:
    fact = _fact(evidence.result)
    return _finding((fact,), (evidence.name,)) if fact else None


def _problem(evidence: StudyEvidence, segment: Segment) -> str | None:
    """A jumbo ping that failed: somewhere the MTU is smaller."""
    tool = evidence.study.cell(segment.cell).conditions.tool
    if tool != "jumbo-ping" or segment.outcome is not Outcome.FAILED:
        return None
    return f"a jumbo ping did not get through: {segment.problem or 'no answer'}"


def _fact(result: Result) -> str | None:
    if result.tool == "ping" and (lost := _number(result, "loss_pct")):
        return f"ping lost {lost:.3g} %"
    if result.tool not in ("iperf3", "iperf"):
        return None
    rate, resent = result.bandwidth_bytes_per_s, _number(result, "retransmits")
    if rate and _GIGABIT[0] <= rate <= _GIGABIT[1] and (result.jobs or 1) >= 1:
        return f"iperf3 got {rate * 8 / 1e6:,.0f} Mbit/s: as much as 1 GbE carries"
    moved_gib = (rate or 0) * (result.runtime_s or 0) / 2**30
    if resent and moved_gib and resent / moved_gib > _RESENDS_PER_GIB:
        return f"TCP resent {format_count(resent)} segments in {format_seconds(result.runtime_s or 0)}"
    return None


def _number(result: Result, name: str) -> float | None:
    value = result.extra.get(name)
    return float(value) if isinstance(value, (int, float)) else None


def _finding(because: tuple[str, ...], cells: tuple[str, ...]) -> Finding:
    return Finding(
        rule=RULE.name,
        claim="The network path is slower or lossier than it seems.",
        because=because,
        severity=Severity.NOTE,
        cells=cells,
        unless="the link is meant to be like this",
        try_next=_COMMAND,
    )


RULE = Rule(
    name="network-path",
    question="Is the network path as fast and clean as it should be?",
    pitfalls=(22,),
    study=check_study,
    result=check_result,
)
