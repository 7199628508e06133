"""What a run came to: rates, latency histograms, time series, how busy each kind of station was, and remarks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from radoscope.predict.simulate import tables
from radoscope.predict.simulate.network import Loss, Network
from radoscope.predict.simulate.run import RawRun, busy_seconds
from radoscope.records.measurement import PERCENTILES, Histogram, Latency, Series

_UNSETTLED = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteResult:
    """One kind of op of one load, after the warm-up. series: over the whole run, warm-up included."""

    name: str
    ops: int
    iops: float
    bandwidth_bytes_per_s: float
    latency: Latency
    series: tuple[Series, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StationResult:
    """A kind of station: how busy its servers were, on average and at the busiest one (shares), and mean waits.

    waited_s: mean over visits of the time in the queue.
    """

    name: str
    count: int
    busy: float
    busiest: float
    waited_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """Part of a run in which an OSD is lost: all ops of clients that ended in it, to the precision of an interval."""

    name: str
    from_s: float
    to_s: float
    iops: float
    latency: Latency


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationResult:
    """One run. events: of the event list. wall_s: for the events alone.

    phases: of an OSD's loss, else empty. recovery_s: from the begin of recovery to its end, to the precision of an
    interval; None where there was none or it did not end. left_to_recover: objects, at the end of the run.
    """

    routes: tuple[RouteResult, ...]
    stations: tuple[StationResult, ...]
    seconds: float
    warm_up_s: float
    seed: int
    events: int
    wall_s: float
    compiled: bool
    slice: float = 1.0
    remarks: tuple[str, ...] = ()
    phases: tuple[Phase, ...] = ()
    recovery_s: float | None = None
    left_to_recover: int = 0

    @property
    def iops(self) -> float:
        return sum(route.iops for route in self.routes if route.name != "recovery")

    @property
    def mean_latency_s(self) -> float:
        """Over all ops but recovery's; nan where none ended."""
        weighted = [(route.ops, route.latency.mean_s or 0.0) for route in self.routes if route.name != "recovery"]
        ops = sum(count for count, _ in weighted)
        return sum(count * mean for count, mean in weighted) / ops if ops else float("nan")

    @property
    def busiest(self) -> StationResult:
        """The kind of station whose servers were busiest on average."""
        return max(self.stations, key=lambda station: station.busy)


def result_of(run: RawRun, *, share: float = 1.0) -> SimulationResult:
    """Reads a run's tables. share: the slice of the cluster that was simulated; rates are scaled up to the whole."""
    routes = [route for load in run.network.all_loads for route in load.routes]
    results = tuple(
        _route_result(run, number, route.name, route.block_bytes, share) for number, route in enumerate(routes)
    )
    ended_s, left = recovery_end(run)
    begins_s = recovery_begin_s(run.network)
    return SimulationResult(
        phases=phases_of(run, share), left_to_recover=left,
        recovery_s=None if ended_s is None or begins_s is None else ended_s - begins_s,
        routes=results, stations=_station_results(run), seconds=run.seconds, warm_up_s=run.warm_up_s, seed=run.seed,
        events=run.events, wall_s=run.wall_s, compiled=run.compiled, slice=share, remarks=_remarks(run, share),
    )  # fmt: skip


def _route_result(run: RawRun, number: int, name: str, block_bytes: int, share: float) -> RouteResult:
    after, before = run.at_end.routes[number], run.at_warm.routes[number]
    ops = int(after["done"]) - int(before["done"])
    iops = ops / (run.seconds - run.warm_up_s) / share
    here = slice(number * tables.BINS, (number + 1) * tables.BINS)
    counts = run.at_end.bins[here].astype(np.int64) - run.at_warm.bins[here].astype(np.int64)
    mean_s = float(after["sojourn_s"] - before["sojourn_s"]) / ops if ops else None
    return RouteResult(
        name=name,
        ops=ops,
        iops=iops,
        bandwidth_bytes_per_s=iops * block_bytes,
        latency=_latency(counts, mean_s, ops),
        series=_series(run, number, share),
    )


def bin_centres_s() -> Any:
    """Representative latency of each bin: its geometric middle, within 0.55 % of all in it."""
    return tables.FASTEST_S * 2.0 ** ((np.arange(tables.BINS) + 0.5) / tables.BINS_A_DOUBLING)


def _latency(counts: Any, mean_s: float | None, ops: int) -> Latency:
    centres, filled = bin_centres_s(), np.flatnonzero(counts)
    if not len(filled):
        return Latency(samples=0)
    reached = np.cumsum(counts)
    # a percentile needs at least ten ops beyond it, else it is one op's luck
    known = [percent for percent in PERCENTILES if ops * (1 - percent / 100) >= 10]
    return Latency(
        min_s=float(centres[filled[0]]),
        mean_s=mean_s,
        max_s=float(centres[filled[-1]]),
        samples=ops,
        percentiles_s={p: float(centres[np.searchsorted(reached, p / 100 * ops)]) for p in known},
        histogram=Histogram(tuple(centres[filled].tolist()), tuple(counts[filled].tolist())),
    )


def recovery_begin_s(network: Network) -> float | None:
    """When objects begin to be copied: an OSD that returns is peered in first. None where no OSD comes."""
    loss = network.loss
    if loss is None or loss.recovery is None:
        return None
    comes_s = min({**loss.return_at_s, **loss.out_at_s}.values())
    return comes_s + loss.peering_s if loss.return_at_s else comes_s


def recovery_end(run: RawRun) -> tuple[float | None, int]:
    """(end of the interval in which the last object was recovered, objects left); None where some are left."""
    if recovery_begin_s(run.network) is None:
        return None, 0
    world, plan = run.at_end, run.at_end.plan[0]
    left = int(world.groups["missing"].sum()) + int(world.loads["in_flight"][-1])
    count = int(plan["intervals"])
    some = np.flatnonzero(world.intervals["done"][-count:])
    begun = float(world.marks["at_s"][-1]) < run.seconds
    if left or not begun:
        return None, left
    begins_s = recovery_begin_s(run.network)
    return (float((some[-1] + 1) * plan["interval_s"]) if len(some) else begins_s), 0


def phases_of(run: RawRun, share: float) -> tuple[Phase, ...]:
    """Before the loss, the outage, degraded, recovering, after. Those shorter than an interval are left out."""
    loss = run.network.loss
    if loss is None:
        return ()
    step_s = float(run.at_end.plan["interval_s"][0])
    serves_s = max(loss.lost.values()) + loss.detect_s + loss.peering_s
    ended_s, _ = recovery_end(run)
    comes_s = loss.comes_s
    begins_s = run.seconds if comes_s is None else max(comes_s, serves_s)
    ended_s = run.seconds if ended_s is None else ended_s
    # an outage's ops end just after it: the interval in which they do belongs to it
    edges = [run.warm_up_s, loss.first_s, serves_s + step_s, begins_s, ended_s, run.seconds]
    places = [min(len(run.bins_at) - 1, int(edge / step_s + 1e-6)) for edge in edges]
    names = ("before the loss", "outage", "degraded", "recovering", "recovered")
    return tuple(
        _phase(run, name, begin, end, share)
        for name, begin, end in zip(names, places, places[1:], strict=False)
        if end > begin
    )


def _phase(run: RawRun, name: str, begin: int, end: int, share: float) -> Phase:
    """begin, end: intervals. Recovery's own route, the last one, is left out."""
    plan = run.at_end.plan[0]
    routes = len(run.at_end.routes) - (run.network.loss is not None and run.network.loss.recovery is not None)
    counts = (run.bins_at[end].astype(np.int64) - run.bins_at[begin].astype(np.int64)).reshape(-1, tables.BINS)
    rows = run.at_end.intervals.reshape(-1, int(plan["intervals"]))[:routes, begin:end]
    ops, step_s = int(rows["done"].sum()), float(plan["interval_s"])
    mean_s = float(rows["sum_s"].sum()) / ops if ops else None
    return Phase(
        name=name, from_s=begin * step_s, to_s=end * step_s, iops=ops / ((end - begin) * step_s) / share,
        latency=_latency(counts[:routes].sum(axis=0), mean_s, int(counts[:routes].sum())),
    )  # fmt: skip


def _series(run: RawRun, number: int, share: float) -> tuple[Series, ...]:
    """Rate, mean and longest latency of each interval; an interval in which nothing ended has no latency."""
    plan = run.at_end.plan[0]
    count, step_s = int(plan["intervals"]), float(plan["interval_s"])
    rows = run.at_end.intervals[number * count : (number + 1) * count]
    times = tuple(((np.arange(count) + 1) * step_s).tolist())
    some = np.flatnonzero(rows["done"])
    some_times = tuple(times[place] for place in some)
    means = rows["sum_s"][some] / rows["done"][some]
    return (
        Series("iops", "1/s", times, tuple((rows["done"] / step_s / share).tolist())),
        Series("latency_s", "s", some_times, tuple(means.tolist())),
        Series("max_latency_s", "s", some_times, tuple(rows["max_s"][some].tolist())),
    )


def _station_results(run: RawRun) -> tuple[StationResult, ...]:
    seconds = run.seconds - run.warm_up_s
    busy = busy_seconds(run.at_end, run.seconds) - busy_seconds(run.at_warm, run.warm_up_s)
    shares = busy / seconds / run.at_end.stations["servers"]
    results, first = [], 0
    for group in run.network.stations:
        here = shares[first : first + group.count]
        results.append(
            StationResult(
                name=group.name,
                count=group.count,
                busy=float(here.mean()),
                busiest=float(here.max()),
                waited_s=_mean_wait(run, first),
            )
        )
        first += group.count
    return tuple(results)


def _mean_wait(run: RawRun, first_station: int) -> float:
    steps = run.at_end.steps
    mine = (steps["kind"] == tables.VISIT) & (steps["group"] == first_station)
    visits = int((steps["visits"][mine] - run.at_warm.steps["visits"][mine]).sum())
    waited = float((steps["waited_s"][mine] - run.at_warm.steps["waited_s"][mine]).sum())
    return waited / visits if visits else 0.0


def _remarks(run: RawRun, share: float) -> tuple[str, ...]:
    remarks = []
    if share < 1:
        remarks.append(
            f"This run simulated a slice of {share:.3g} of the cluster at equal load per OSD; rates are scaled up. The "
            "busiest of fewer OSDs is less busy than in the whole cluster, so tails are a little short."
        )
    if refused := int(run.at_end.clock["refused"][0]):
        remarks.append(
            f"{refused} arrivals were refused: too many ops were in flight, the cluster cannot bear this load."
        )
    if run.network.loss is not None:
        remarks += _of_groups(run.network.placement, run.network.loss)
    if run.network.loss is None and (change := _drift(run)) is not None and abs(change) > _UNSETTLED:
        remarks.append(
            f"The rate still changed by {change:+.0%} between the two halves after the warm-up: simulate longer."
        )
    return tuple(remarks)


def _of_groups(placement: tuple[tuple[int, ...], ...], loss: Loss) -> list[str]:
    """Placement groups that the loss leaves with too few OSDs to serve, or to be rebuilt."""
    left = [sum(osd not in loss.lost for osd in group) for group in placement]
    stopped, gone = (sum(count < least for count in left) for least in (loss.min_size, loss.min_parts))
    remarks = []
    if stopped:
        remarks.append(
            f"{stopped} of {len(left)} placement groups are left with fewer than {loss.min_size} OSDs (min_size): they "
            "serve no I/O until they have that many again, and clients that need them wait."
        )
    if gone:
        remarks.append(
            f"{gone} of them cannot be rebuilt from the OSDs that are left: unless others return, their data is lost."
        )
    return remarks


def _drift(run: RawRun) -> float | None:
    """Relative change of the rate from the first to the second half after the warm-up; None below 1,000 ops a half."""
    plan = run.at_end.plan[0]
    count = int(plan["intervals"])
    done = run.at_end.intervals["done"].reshape(-1, count).sum(axis=0).astype(float)
    first = int(np.ceil(run.warm_up_s / float(plan["interval_s"])))
    middle = (first + count) // 2
    if middle == first or min(done[first:middle].sum(), done[middle:].sum()) < 1000:
        return None
    before, after = done[first:middle].mean(), done[middle:].mean()
    return float((after - before) / before)
