"""Which step of the ladder (disk, network, RADOS, RBD) costs most in one 4K write; the arithmetic is the ladder's."""

from __future__ import annotations

from radoscope.explain.evidence import StudyEvidence
from radoscope.explain.finding import Finding
from radoscope.explain.rule import Rule, Unchecked, Verdict
from radoscope.records.conditions import Layer
from radoscope.stats.ladder import Costliest, Ladder, LadderStep, climb, costliest, round_trips, rung_of
from radoscope.stats.pick import one_at_a_time
from radoscope.stats.values import Interval
from radoscope.units import format_seconds

_NEEDED = frozenset({Layer.DISK, Layer.NETWORK, Layer.RADOS})
_NAMES = {Layer.DISK: "disk", Layer.NETWORK: "network", Layer.RADOS: "RADOS", Layer.RBD: "RBD"}
_WORDS = {
    Layer.DISK: "the drive's flush",
    Layer.NETWORK: "the network's round trips",
    Layer.RADOS: "Ceph's OSDs (software, and flushes beyond one)",
    Layer.RBD: "the RBD client",
}
_ADVICE = {
    Layer.DISK: "Drives with power-loss protection are the first thing to buy.",
    Layer.NETWORK: "Look at the round trip: switches, interrupt moderation, power states.",
    Layer.RADOS: "Look at CPU speed and power states of the OSD hosts; then at BlueStore's flushes per write.",
    Layer.RBD: "Compare krbd with librbd, and look at the client's CPU.",
}


def check_study(evidence: StudyEvidence) -> Verdict:
    rungs = [rung_of(evidence.summaries, layer, writes=True) for layer in Layer]
    ladder = climb(rungs, round_trips(evidence.environment, writes=True), writes=True)
    most = costliest(ladder)
    if most is None or not {step.layer for step in ladder.measured} >= _NEEDED:
        return Unchecked("4K writes one at a time are missing on disk (with sync) or RADOS, or the round trip is")
    costs = "; ".join(map(_cost, ladder.measured))
    if not most.certain:
        return Unchecked(
            f"the intervals do not separate {_NAMES[most.step.layer]} from {_NAMES[most.rival.layer]} ({costs})"
        )
    return Finding(
        rule=RULE.name,
        claim=f"A single 4K write spends most of its time in {_WORDS[most.step.layer]}: {most.share:.0%}.",
        because=(*map(_cost, ladder.measured), *_rounds_words(most)),
        cells=_cells(evidence, ladder),
        unless="the disk cell and the OSDs use different drives",
        try_next=_ADVICE[most.step.layer],
    )


def _rounds_words(most: Costliest) -> tuple[str, ...]:
    """How often it came out so, one round at a time: what drifts in between cancels there."""
    if not most.rounds:
        return ()
    return (f"larger than {_NAMES[most.rival.layer]} in {most.won} of {most.rounds} rounds",)


def _cost(step: LadderStep) -> str:
    """ "disk: 2.00 ms ± 40 us"."""
    assert step.lost is not None
    value = f"{'-' if step.lost.value < 0 else ''}{format_seconds(abs(step.lost.value))}"
    if not isinstance(step.lost.interval, Interval):
        return f"{_NAMES[step.layer]}: {value}, no interval"
    return f"{_NAMES[step.layer]}: {value} ± {format_seconds(step.lost.interval.half_width)}"


def _cells(evidence: StudyEvidence, ladder: Ladder) -> tuple[str, ...]:
    found = (one_at_a_time(evidence.summaries, step.layer, writes=True) for step in ladder.measured)
    return tuple(summary.cell.name for summary in found if summary is not None)


RULE = Rule(
    name="costliest-layer",
    question="Which layer costs most in a single 4K write?",
    study=check_study,
)
