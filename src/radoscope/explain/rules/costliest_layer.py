"""The ladder at 4K, one at a time: disk, network, RADOS, RBD. Which step costs most."""

from __future__ import annotations

from radoscope.explain.evidence import StudyEvidence, round_trip
from radoscope.explain.finding import Finding
from radoscope.explain.rule import Rule, Unchecked, Verdict
from radoscope.records.conditions import Layer, Operation, Sync
from radoscope.stats.values import CellSummary, Estimate
from radoscope.units import format_seconds

_ROUND_TRIPS = 2
"""A replicated write crosses the network there and back twice: client to primary, primary to replicas."""
_WORDS = {
    "disk": "the drive's flush",
    "network": "the network's round trips",
    "RADOS": "Ceph's OSDs (software, and flushes beyond one)",
    "RBD": "the RBD client",
}
_ADVICE = {
    "disk": "Drives with power-loss protection are the first thing to buy.",
    "network": "Look at the round trip: switches, interrupt moderation, power states.",
    "RADOS": "Look at CPU speed and power states of the OSD hosts; then at BlueStore's flushes per write.",
    "RBD": "Compare krbd with librbd, and look at the client's CPU.",
}


def check_study(evidence: StudyEvidence) -> Verdict:
    disk, rados, rbd = (
        _seconds_per_write(evidence, Layer.DISK),
        _latency(evidence, Layer.RADOS),
        _latency(evidence, Layer.RBD),
    )
    trip = round_trip(evidence.cells(Layer.NETWORK))
    if disk is None or trip is None or rados is None:
        return Unchecked("4K writes one at a time are missing on disk (with sync) or RADOS, or the round trip is")
    network = _ROUND_TRIPS * trip[0]
    steps = {"disk": disk[0], "network": network, "RADOS": max(0.0, rados[0] - disk[0] - network)}
    cells = [disk[1], trip[1], rados[1]]
    if rbd is not None:
        steps["RBD"] = max(0.0, rbd[0] - rados[0])
        cells.append(rbd[1])
    costliest = max(steps, key=lambda step: steps[step])
    whole = sum(steps.values())
    return Finding(
        rule=RULE.name,
        claim=f"In a single 4K write most time goes to {_WORDS[costliest]}: {steps[costliest] / whole:.0%}.",
        because=tuple(f"{name}: {format_seconds(seconds)}" for name, seconds in steps.items()),
        cells=tuple(cells),
        unless="disk cell and OSDs use different drives",
        try_next=_ADVICE[costliest],
    )


def _single_writes(evidence: StudyEvidence, layer: Layer) -> list[CellSummary]:
    found = []
    for summary in evidence.cells(layer):
        asked = summary.cell.conditions
        single = asked.block_bytes == 4096 and asked.in_flight == 1
        if single and asked.op in (Operation.WRITE, Operation.RANDWRITE):
            found.append(summary)
    return found


def _seconds_per_write(evidence: StudyEvidence, layer: Layer) -> tuple[float, str] | None:
    """One over the rate: with fsync the printed write latency holds no flush."""
    for summary in _single_writes(evidence, layer):
        if (
            summary.cell.conditions.sync is not Sync.NONE
            and isinstance(summary.iops, Estimate)
            and summary.iops.value > 0
        ):
            return 1 / summary.iops.value, summary.cell.name
    return None


def _latency(evidence: StudyEvidence, layer: Layer) -> tuple[float, str] | None:
    for summary in _single_writes(evidence, layer):
        if latency := evidence.mean_latency(summary):
            return latency.value, summary.cell.name
    return None


RULE = Rule(
    name="costliest-layer",
    question="Which layer costs most in a single 4K write?",
    study=check_study,
)
