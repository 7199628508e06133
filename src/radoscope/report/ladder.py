"""The ladder as a report may show it, without numbers that a stamp forbids, and with what limits the picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from radoscope.records.conditions import Layer
from radoscope.report.material import NO_NUMBER, Mark, Material
from radoscope.report.words import LAYER_TITLES, LAYERS, listed
from radoscope.stats.ladder import Ladder, LadderStep, Rung, climb, round_trips, rung_of
from radoscope.stats.pick import one_at_a_time
from radoscope.stats.values import Interval


def build_ladder(material: Material, *, writes: bool) -> Ladder:
    """The ladder of one 4K I/O in flight (stats.ladder.climb)."""
    trips = round_trips(material.study.environment, writes=writes)
    rungs = [_stamped(material, rung_of(material.summaries, layer, writes=writes), writes=writes) for layer in LAYERS]
    ladder = climb(rungs, trips, writes=writes)
    return replace(ladder, limits=_limits(material, ladder))


def step_title(step: LadderStep) -> str:
    return listed(tuple(LAYER_TITLES[layer] for layer in step.covers))


def _stamped(material: Material, rung: Rung, *, writes: bool) -> Rung:
    """The same without a number where the cell's stamp forbids one, and with the doubt that it names."""
    summary = one_at_a_time(material.summaries, rung.layer, writes=writes)
    if summary is None:
        return rung
    stamp = material.stamp(summary)
    if stamp.mark in NO_NUMBER:
        return Rung(rung.layer, missing=f"{stamp.mark}: {stamp.reason}")
    return replace(rung, doubtful=stamp.reason if stamp.mark is Mark.DOUBTFUL and rung.latency else "")


def _limits(material: Material, ladder: Ladder) -> tuple[str, ...]:
    """What a reader must know before quoting the picture."""
    limits = []
    measured = {step.layer: step for step in ladder.measured}
    if Layer.DISK in measured:
        cell = one_at_a_time(material.summaries, Layer.DISK, writes=ladder.writes)
        where = f" ({cell.cell.where})" if cell is not None and cell.cell.where else ""
        kind = "a durable write" if ladder.writes else "a read"
        limits.append(f"The disk step is {kind} to one disk{where}; an OSD adds its own metadata and log.")
    if Layer.NETWORK in measured:
        twice = ladder.round_trips == 2
        what = "two round trips (client to primary, primary to replicas)" if twice else "one round trip"
        limits.append(f"The network step is the measured round trip times the trips an I/O waits for: {what}.")
    limits.extend(_below_zero(step) for step in ladder.measured if step.lost is not None and step.lost.value < 0)
    return (*limits, *_doubts(ladder.steps))


def _doubts(steps: Sequence[LadderStep]) -> list[str]:
    sentences = []
    for reason in dict.fromkeys(step.doubtful for step in steps if step.doubtful):
        layers = tuple(LAYER_TITLES[step.layer] for step in steps if step.doubtful == reason)
        sentences.append(f"{listed(layers)} {'is' if len(layers) == 1 else 'are'} doubtful: {reason}.")
    return sentences


def _below_zero(step: LadderStep) -> str:
    """A negative loss is noise unless its interval says otherwise."""
    assert step.lost is not None
    title = step_title(step)
    if isinstance(step.lost.interval, Interval) and step.lost.interval.excludes(0.0):
        return (
            f"{title} is faster than the layers below it add up to: a cache answered, or the OSDs' disks are "
            "not the one that was measured."
        )
    return f"The step of {title} is negative, but within its uncertainty: no loss was measured there."
