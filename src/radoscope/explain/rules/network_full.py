"""The network is full: bytes through an interface near what iperf3 got through it."""

from __future__ import annotations

from dataclasses import replace

from radoscope.explain.evidence import CellEvidence, Reading
from radoscope.explain.finding import Finding
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell
from radoscope.records.conditions import Layer
from radoscope.records.telemetry import NIC_BYTES
from radoscope.stats.values import Estimate
from radoscope.units import format_bytes

_FULL = 0.9


def check_cell(evidence: CellEvidence) -> Verdict:
    line, busiest = _line_rate(evidence), max(_one_way(evidence), key=lambda one: one.value, default=None)
    if busiest is None:
        return Unchecked("the interfaces' byte counts were not recorded")
    if line is None:
        return Unchecked("the study has no iperf3 cell that says what the network can carry")
    if busiest.value < _FULL * line:
        return None
    return Finding(
        rule=RULE.name,
        claim="The network is the bottleneck.",
        because=(
            f"{format_bytes(busiest.value)}/s through {busiest.thing}",
            f"iperf3 got {format_bytes(line)}/s",
        ),
        cells=(evidence.cell.name,),
        unless="iperf3 ran with fewer streams than the link needs",
        try_next="Use a faster link, or bond two; a replicated write crosses it size-1 times more.",
    )


def _one_way(evidence: CellEvidence) -> tuple[Reading, ...]:
    """Bytes/s of each interface as recorded, received and sent together; on loopback each byte is both."""
    return tuple(
        replace(reading, value=reading.value / 2) if reading.thing == "lo" else reading
        for reading in evidence.readings(NIC_BYTES)
    )


def _line_rate(evidence: CellEvidence) -> float | None:
    """The most bytes/s that iperf3 got in this study."""
    rates = [
        summary.bandwidth_bytes_per_s.value
        for summary in (evidence.summaries.cells if evidence.summaries else ())
        if summary.cell.conditions.layer is Layer.NETWORK and isinstance(summary.bandwidth_bytes_per_s, Estimate)
    ]
    return max(rates, default=None)


RULE = Rule(
    name="network-full",
    question="Did the network have bandwidth to spare?",
    pitfalls=(5,),
    concerns=ceph_cell,
    cell=check_cell,
)
