"""The ladder disk, network, RADOS, RBD (OSD and QEMU): what one 4K I/O in flight loses at each step, where most."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from radoscope.records.conditions import Layer, Sync
from radoscope.records.environment import Environment
from radoscope.stats.enough import rounds_to_tell
from radoscope.stats.pick import one_at_a_time
from radoscope.stats.ratio import LEVEL, p_above_zero
from radoscope.stats.values import CellSummary, Estimate, Interval, Summaries, Undecided
from radoscope.words import N_, _

_BESIDE = N_("measured on a host that has no OSD of the cluster, so not a part of it")


@dataclass(frozen=True, slots=True)
class Rung:
    """One layer's cell: the latency of one I/O there, overall and by round, or why it is unknown."""

    layer: Layer
    latency: Estimate | None = None
    missing: str = ""
    doubtful: str = ""
    rounds: Mapping[int, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderStep:
    """One layer. from_s and to_s: the latency up to the layer beneath, and with this one. lost: the difference.

    covers: this layer and those beneath it whose cells are missing, so that their share is in here. missing: why
    there is no number; then lost is None and from_s == to_s. lost_by_round: the same difference within each round in
    which all that it needs was measured.
    """

    layer: Layer
    covers: tuple[Layer, ...]
    from_s: float
    to_s: float
    lost: Estimate | None = None
    missing: str = ""
    doubtful: str = ""
    lost_by_round: Mapping[int, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """All steps of one kind of I/O. total: the latency at the top, None when nothing above the network has one.

    limits: what a reader must know before quoting it, in sentences.
    """

    writes: bool
    steps: tuple[LadderStep, ...]
    total: Estimate | None
    top: Layer | None
    round_trips: int
    limits: tuple[str, ...] = ()

    @property
    def measured(self) -> tuple[LadderStep, ...]:
        return tuple(step for step in self.steps if step.lost is not None)

    @property
    def peak_s(self) -> float:
        """The highest latency on the way up: the top's, unless a layer answers sooner than the one beneath it."""
        return max((step.to_s for step in self.measured), default=0.0)

    def share(self, step: LadderStep) -> float | None:
        """The step's part of the way up, None where the step is negative or the ladder has no top."""
        if self.total is None or step.lost is None or step.lost.value < 0 or self.peak_s <= 0:
            return None
        return step.lost.value / self.peak_s


@dataclass(frozen=True, slots=True)
class Costliest:
    """The step with the largest loss.

    certain: it is larger than every other step, within the rounds or by their intervals, and than the rival in most
    rounds. rival: the step that comes nearest to it. rounds, won: in how many rounds both were measured, and in how
    many this step was the larger one; contradicted: in no more than half of two or more. rounds_more: how many would
    make it certain.
    """

    step: LadderStep
    share: float
    certain: bool
    rival: LadderStep
    rounds: int = 0
    won: int = 0
    rounds_more: int = 0
    contradicted: bool = False


def layers_of(summaries: Summaries) -> tuple[Layer, ...]:
    """From the disk up: the four that each cluster has, and others where measured. RBD is left out where only what
    stands beside it on RADOS was measured."""
    measured = {one.cell.conditions.layer for one in summaries.cells}
    beside = any(layer.beside_images for layer in measured) and not any(layer.on_image for layer in measured)
    always = {Layer.DISK, Layer.NETWORK, Layer.RADOS} | (set() if beside else {Layer.RBD})
    return tuple(layer for layer in Layer if layer in measured | always)


def ways_of(summaries: Summaries) -> tuple[tuple[Layer, ...], ...]:
    """The rungs of each ladder, from the disk up: through RBD, and through CephFS, which stands on RADOS as well.

    None through S3: a PUT is several operations on OSDs, and no latency beneath is a part of its own.
    """
    layers = [layer for layer in layers_of(summaries) if layer is not Layer.S3]
    images = tuple(layer for layer in layers if layer is not Layer.CEPHFS)
    if Layer.CEPHFS not in layers:
        return (images,)
    files = tuple(layer for layer in layers if not layer.on_image)
    return (images, files) if Layer.RBD in layers else (files,)


def rungs_of(
    summaries: Summaries, environment: Environment, *, writes: bool, way: Sequence[Layer] | None = None
) -> tuple[Rung, ...]:
    """All of a ladder, by default of the first; a guest that is emulated is none, for what it loses is lost in the
    emulation."""
    return tuple(
        Rung(layer, missing=_("emulated, without KVM"))
        if layer is Layer.GUEST and environment.emulates_guests
        else rung_of(summaries, layer, writes=writes)
        for layer in way or ways_of(summaries)[0]
    )


def rung_of(summaries: Summaries, layer: Layer, *, writes: bool) -> Rung:
    summary = one_at_a_time(summaries, layer, writes=writes)
    if summary is None:
        beside = any(one.cell.elsewhere and one.cell.conditions.layer is layer for one in summaries.cells)
        return Rung(layer, missing=_(_BESIDE) if beside else _("no such cell in this study"))
    latency = io_latency(summary)
    if isinstance(latency, Undecided):
        return Rung(layer, missing=_("undecided: {because}", because=latency.because))
    return Rung(layer, latency, rounds=summary.latency_by_round)


def round_trips(environment: Environment, *, writes: bool) -> int:
    """How often an I/O crosses the network there and back: client to primary, and for a replicated write also primary
    to replica (the replicas are written side by side). A pool of which nothing is known is replicated."""
    pool = environment.cluster.pool if environment.cluster is not None else None
    replicated = pool is None or pool.size is None or pool.size > 1
    return 2 if writes and replicated else 1


def climb(rungs: Sequence[Rung], trips: int, *, writes: bool) -> Ladder:
    """The ladder of these rungs, one for each layer from the disk up.

    Disk: latency of a durable write (write + fsync) or of a read. OSD: of a write in its store, less the disk's; where
    the disk was not measured, both are in it. Network: one round trip times `trips`. RADOS, and
    what is above: their measured mean less what lies beneath. Half-widths of differences add as squares, which holds
    for cells measured independently of each other.
    """
    steps: list[LadderStep] = []
    beneath: Estimate | None = None
    rounds: Mapping[int, float] | None = None
    waiting: list[Layer] = []
    for rung in rungs:
        reached = _reached(rung, beneath, trips)
        if reached is None:
            steps.append(_missing_step(rung, beneath))
            waiting.append(rung.layer)
            continue
        # only latencies on the cluster hold all that lies beneath; a network round trip does not hold the disk's
        covers = (*waiting, rung.layer) if rung.layer.on_cluster else (rung.layer,)
        if rung.layer.on_cluster:
            waiting.clear()
        steps.append(_step(rung, covers, beneath, reached, _lost_by_round(rung, rounds, trips)))
        rounds = _reached_by_round(rung, rounds, trips)
        beneath = reached
    top = next((s.layer for s in reversed(steps) if s.lost is not None and s.layer.on_pool), None)
    total = beneath if top is not None else None
    return Ladder(writes=writes, steps=tuple(steps), total=total, top=top, round_trips=trips)


def costliest(ladder: Ladder) -> Costliest | None:
    """Which step costs most; None when fewer than two steps, or no whole, are known."""
    ranked = sorted(ladder.measured, key=lambda s: s.lost.value if s.lost else 0.0, reverse=True)
    share = ladder.share(ranked[0]) if len(ranked) > 1 else None
    if share is None:
        return None
    first, *others = ranked
    near = [one for one in others if not (_larger_within_rounds(first, one) or _clearly_above(first.lost, one.lost))]
    rounds = _differences(first, others[0])
    won = sum(one > 0 for one in rounds)
    contradicted = len(rounds) > 1 and 2 * won <= len(rounds)  # means are of I/Os: one round may have most of them
    if contradicted and others[0] not in near:
        near.append(others[0])
    more = max((max(1, rounds_to_tell(_differences(first, one))) for one in near), default=0)
    return Costliest(first, share, not near, others[0], len(rounds), won, more, contradicted)


def io_latency(summary: CellSummary) -> Estimate | Undecided:
    """Mean time of one durable I/O: with fsync after each write, fio counts the fsync apart, so it is added here.

    Where the tool is silent about the fsync but had one I/O in flight, the time is one over the rate.
    """
    conditions = summary.cell.conditions
    mean = summary.latency_at(None)
    if conditions.sync is not Sync.FSYNC:
        return mean
    flushed = summary.sync.mean_s if summary.sync is not None else None
    if isinstance(mean, Estimate) and isinstance(flushed, Estimate):
        return _combine(mean, flushed, sign=1)
    if conditions.one_at_a_time and isinstance(summary.iops, Estimate) and summary.iops.value > 0:
        return _inverse(summary.iops)
    return mean if isinstance(mean, Undecided) else Undecided(_("the tool did not report the time of the fsync calls"))


def _reached(rung: Rung, beneath: Estimate | None, trips: int) -> Estimate | None:
    """The latency of an I/O up to and with this layer."""
    if rung.latency is None:
        return None
    if rung.layer is not Layer.NETWORK:
        return rung.latency
    travel = rung.latency.times(trips)
    return travel if beneath is None else _combine(beneath, travel, sign=1)


def _reached_by_round(rung: Rung, beneath: Mapping[int, float] | None, trips: int) -> Mapping[int, float]:
    """The latency up to and with this layer in each round, as `_reached` has it on the whole."""
    if rung.layer is not Layer.NETWORK:
        return rung.rounds
    travel = {number: trips * seconds for number, seconds in rung.rounds.items()}
    if beneath is None:
        return travel
    return {number: beneath[number] + travel[number] for number in beneath.keys() & travel.keys()}


def _lost_by_round(rung: Rung, beneath: Mapping[int, float] | None, trips: int) -> Mapping[int, float]:
    reached = _reached_by_round(rung, beneath, trips)
    if beneath is None:
        return reached
    return {number: reached[number] - beneath[number] for number in reached.keys() & beneath.keys()}


def _differences(step: LadderStep, other: LadderStep) -> list[float]:
    """By how much a step is the larger one, in each round that has both."""
    both = sorted(step.lost_by_round.keys() & other.lost_by_round.keys())
    return [step.lost_by_round[number] - other.lost_by_round[number] for number in both]


def _larger_within_rounds(step: LadderStep, other: LadderStep) -> bool:
    p = p_above_zero(_differences(step, other))
    return p is not None and p <= LEVEL


def _step(
    rung: Rung,
    covers: tuple[Layer, ...],
    beneath: Estimate | None,
    reached: Estimate,
    lost_by_round: Mapping[int, float],
) -> LadderStep:
    start = 0.0 if beneath is None else beneath.value
    if beneath is None:
        lost = reached
    elif rung.layer is Layer.NETWORK:
        # the sum was made from the two: taking the difference again would count the disk's spread twice
        lost = _difference_of_sum(reached, beneath)
    else:
        lost = _combine(reached, beneath, sign=-1)
    return LadderStep(
        layer=rung.layer,
        covers=covers,
        from_s=start,
        to_s=reached.value,
        lost=lost,
        doubtful=rung.doubtful,
        lost_by_round=lost_by_round,
    )


def _missing_step(rung: Rung, beneath: Estimate | None) -> LadderStep:
    at = 0.0 if beneath is None else beneath.value
    return LadderStep(layer=rung.layer, covers=(rung.layer,), from_s=at, to_s=at, missing=rung.missing)


def _combine(first: Estimate, second: Estimate, *, sign: int) -> Estimate:
    """The sum or difference of two independent estimates."""
    value = first.value + sign * second.value
    for part in (first, second):
        if isinstance(part.interval, Undecided):
            return Estimate(value, part.interval)
    assert isinstance(first.interval, Interval) and isinstance(second.interval, Interval)
    half = math.hypot(first.interval.half_width, second.interval.half_width)
    confidence = min(first.interval.confidence, second.interval.confidence)
    samples = min(first.samples, second.samples)
    return Estimate(value, Interval(value - half, value + half, confidence), samples, _("half-widths added as squares"))


def _difference_of_sum(total: Estimate, part: Estimate) -> Estimate:
    """b from a + b and a, both of them known with half-widths that were added as squares."""
    value = total.value - part.value
    if isinstance(total.interval, Undecided) or isinstance(part.interval, Undecided):
        return Estimate(value, Undecided(_("one of the cells below has no interval")))
    half = math.sqrt(max(0.0, total.interval.half_width**2 - part.interval.half_width**2))
    return Estimate(value, Interval(value - half, value + half, total.interval.confidence), total.samples)


def _inverse(rate: Estimate) -> Estimate:
    """Seconds of one I/O from I/Os a second, one in flight."""
    interval: Interval | Undecided = rate.interval
    if isinstance(interval, Interval):
        low = 1 / interval.high
        interval = (
            Interval(low, 1 / interval.low, interval.confidence)
            if interval.low > 0
            else Undecided(_("the interval of the rate reaches 0"))
        )
    return Estimate(1 / rate.value, interval, rate.samples, _("one over the rate"))


def _clearly_above(first: Estimate | None, second: Estimate | None) -> bool:
    if first is None or second is None or first.ends is None or second.ends is None:
        return False
    return first.ends[0] > second.ends[1]
