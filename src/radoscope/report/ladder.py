"""The ladder disk -> network -> RADOS -> RBD: what one I/O loses at each step, and which step costs most."""

from __future__ import annotations

import math
from dataclasses import dataclass

from radoscope.records.conditions import Layer, Sync
from radoscope.report.material import NO_NUMBER, Mark, Material
from radoscope.report.pick import one_at_a_time
from radoscope.report.words import LAYER_TITLES, LAYERS, listed
from radoscope.stats.values import CellSummary, Estimate, Interval, LatencySummary, Undecided


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One rung. from_s and to_s: the latency up to the layer beneath, and with this one. lost: the difference.

    covers: this layer and those beneath it whose cells are missing, so that their share is in here. missing: why
    there is no number; then lost is None and from_s == to_s.
    """

    layer: Layer
    covers: tuple[Layer, ...]
    from_s: float
    to_s: float
    lost: Estimate | None = None
    missing: str = ""
    doubtful: str = ""

    @property
    def title(self) -> str:
        return listed(tuple(LAYER_TITLES[layer] for layer in self.covers))


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """All four steps of one kind of I/O. total: the latency at the top, None when nothing above the network has one."""

    writes: bool
    steps: tuple[Step, ...]
    total: Estimate | None
    top: Layer | None
    round_trips: int
    limits: tuple[str, ...] = ()

    @property
    def measured(self) -> tuple[Step, ...]:
        return tuple(step for step in self.steps if step.lost is not None)

    @property
    def peak_s(self) -> float:
        """The highest latency on the way up: the top's, unless a layer answers sooner than the one beneath it."""
        return max((step.to_s for step in self.measured), default=0.0)

    def share(self, step: Step) -> float | None:
        """The step's part of the way up, None where the step is negative or the ladder has no top."""
        if self.total is None or step.lost is None or step.lost.value < 0 or self.peak_s <= 0:
            return None
        return step.lost.value / self.peak_s


@dataclass(frozen=True, slots=True)
class Costliest:
    """The step with the largest loss. certain: its interval lies above that of every other step."""

    step: Step
    share: float
    certain: bool
    rival: Step | None


@dataclass(frozen=True, slots=True)
class _Rung:
    """What one layer's cell says: the latency of one I/O there, or why it says nothing."""

    layer: Layer
    latency: Estimate | None = None
    missing: str = ""
    doubtful: str = ""


def build_ladder(material: Material, *, writes: bool) -> Ladder:
    """The ladder of one 4K I/O in flight.

    Disk: latency of a durable write (write + fsync) or of a read. Network: one round trip times the trips that an I/O
    waits for: client to primary, and for a replicated write also primary to replica (the replicas are written side by
    side). RADOS and RBD: their measured mean less what lies beneath. Half-widths of differences add as squares,
    which holds for cells measured independently of each other.
    """
    trips = _round_trips(material, writes=writes)
    rungs = [_rung(material, layer, writes=writes) for layer in LAYERS]
    steps: list[Step] = []
    beneath: Estimate | None = None
    waiting: list[Layer] = []
    for rung in rungs:
        reached = _reached(rung, beneath, trips)
        if reached is None:
            steps.append(_missing_step(rung, beneath))
            waiting.append(rung.layer)
            continue
        # only RADOS and RBD latencies hold all that lies beneath; a network round trip does not hold the disk's
        covers = (rung.layer,) if rung.layer in (Layer.DISK, Layer.NETWORK) else (*waiting, rung.layer)
        if rung.layer not in (Layer.DISK, Layer.NETWORK):
            waiting.clear()
        steps.append(_step(rung, covers, beneath, reached))
        beneath = reached
    top = next((s.layer for s in reversed(steps) if s.lost is not None and s.layer in (Layer.RADOS, Layer.RBD)), None)
    return Ladder(
        writes=writes,
        steps=tuple(steps),
        total=beneath if top is not None else None,
        top=top,
        round_trips=trips,
        limits=_limits(material, steps, trips, writes=writes),
    )


def costliest(ladder: Ladder) -> Costliest | None:
    """Which step costs most; None when fewer than two steps, or no whole, are known."""
    ranked = sorted(ladder.measured, key=lambda s: s.lost.value if s.lost else 0.0, reverse=True)
    share = ladder.share(ranked[0]) if len(ranked) > 1 else None
    if share is None:
        return None
    certain = all(_clearly_above(ranked[0].lost, other.lost) for other in ranked[1:])
    return Costliest(ranked[0], share, certain, ranked[1])


def io_latency(summary: CellSummary) -> Estimate | Undecided:
    """Mean time of one durable I/O: with fsync after each write, fio counts the fsync apart, so it is added here."""
    if isinstance(summary.latency, Undecided):
        return summary.latency
    mean = summary.latency.mean_s
    if summary.cell.conditions.sync is not Sync.FSYNC or isinstance(mean, Undecided):
        return mean
    return _with_fsync(mean, summary.sync)


def _with_fsync(mean: Estimate, sync: LatencySummary | None) -> Estimate | Undecided:
    if sync is None or isinstance(sync.mean_s, Undecided):
        return Undecided("the tool did not report the time of the fsync calls")
    return _combine(mean, sync.mean_s, sign=1)


def _rung(material: Material, layer: Layer, *, writes: bool) -> _Rung:
    summary = one_at_a_time(material.summaries, layer, writes=writes)
    if summary is None:
        return _Rung(layer, missing="no such cell in this study")
    stamp = material.stamp(summary)
    if stamp.mark in NO_NUMBER:
        return _Rung(layer, missing=f"{stamp.mark}: {stamp.reason}")
    latency = io_latency(summary)
    if isinstance(latency, Undecided):
        return _Rung(layer, missing=f"undecided: {latency.because}")
    return _Rung(layer, latency, doubtful=stamp.reason if stamp.mark is Mark.DOUBTFUL else "")


def _round_trips(material: Material, *, writes: bool) -> int:
    cluster = material.study.environment.cluster
    pool = cluster.pool if cluster is not None else None
    replicated = pool is None or pool.size is None or pool.size > 1
    return 2 if writes and replicated else 1


def _reached(rung: _Rung, beneath: Estimate | None, trips: int) -> Estimate | None:
    """The latency of an I/O up to and with this layer."""
    if rung.latency is None:
        return None
    if rung.layer is not Layer.NETWORK:
        return rung.latency
    travel = _scale(rung.latency, trips)
    return travel if beneath is None else _combine(beneath, travel, sign=1)


def _step(rung: _Rung, covers: tuple[Layer, ...], beneath: Estimate | None, reached: Estimate) -> Step:
    start = 0.0 if beneath is None else beneath.value
    if beneath is None:
        lost = reached
    elif rung.layer is Layer.NETWORK:
        # the sum was made from the two: taking the difference again would count the disk's spread twice
        lost = _difference_of_sum(reached, beneath)
    else:
        lost = _combine(reached, beneath, sign=-1)
    return Step(layer=rung.layer, covers=covers, from_s=start, to_s=reached.value, lost=lost, doubtful=rung.doubtful)


def _missing_step(rung: _Rung, beneath: Estimate | None) -> Step:
    at = 0.0 if beneath is None else beneath.value
    return Step(layer=rung.layer, covers=(rung.layer,), from_s=at, to_s=at, missing=rung.missing)


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
    return Estimate(value, Interval(value - half, value + half, confidence), samples, "half-widths added as squares")


def _difference_of_sum(total: Estimate, part: Estimate) -> Estimate:
    """b from a + b and a, both of them known with half-widths that were added as squares."""
    value = total.value - part.value
    if isinstance(total.interval, Undecided) or isinstance(part.interval, Undecided):
        return Estimate(value, Undecided("one of the cells beneath has no interval"))
    half = math.sqrt(max(0.0, total.interval.half_width**2 - part.interval.half_width**2))
    return Estimate(value, Interval(value - half, value + half, total.interval.confidence), total.samples)


def _scale(estimate: Estimate, factor: float) -> Estimate:
    if isinstance(estimate.interval, Undecided):
        return Estimate(estimate.value * factor, estimate.interval, estimate.samples)
    low, high = estimate.interval.low * factor, estimate.interval.high * factor
    interval = Interval(low, high, estimate.interval.confidence)
    return Estimate(estimate.value * factor, interval, estimate.samples, estimate.method)


def _clearly_above(first: Estimate | None, second: Estimate | None) -> bool:
    if first is None or second is None:
        return False
    if isinstance(first.interval, Undecided) or isinstance(second.interval, Undecided):
        return False
    return first.interval.low > second.interval.high


def _limits(material: Material, steps: list[Step], trips: int, *, writes: bool) -> tuple[str, ...]:
    """What a reader must know before quoting the picture."""
    limits = []
    measured = {step.layer: step for step in steps if step.lost is not None}
    if Layer.DISK in measured:
        cell = one_at_a_time(material.summaries, Layer.DISK, writes=writes)
        where = f" ({cell.cell.where})" if cell is not None and cell.cell.where else ""
        kind = "a durable write" if writes else "a read"
        limits.append(f"The disk step is {kind} to one disk{where}; an OSD adds its own metadata and log.")
    if Layer.NETWORK in measured:
        what = "two round trips (client to primary, primary to replicas)" if trips == 2 else "one round trip"
        limits.append(f"The network step is the measured round trip times the trips an I/O waits for: {what}.")
    limits.extend(_below_zero(step) for step in steps if step.lost is not None and step.lost.value < 0)
    for reason in dict.fromkeys(step.doubtful for step in steps if step.doubtful):
        layers = tuple(LAYER_TITLES[step.layer] for step in steps if step.doubtful == reason)
        limits.append(f"{listed(layers)} {'is' if len(layers) == 1 else 'are'} doubtful: {reason}.")
    return tuple(limits)


def _below_zero(step: Step) -> str:
    """A negative loss is noise unless its interval says otherwise."""
    assert step.lost is not None
    if isinstance(step.lost.interval, Interval) and step.lost.interval.excludes(0.0):
        return (
            f"{step.title} answers sooner than the cells beneath add up to: a cache answered, or the OSDs' disks are "
            "not the one that was measured."
        )
    return f"The step of {step.title} is below zero by no more than its uncertainty: no loss was measured there."
