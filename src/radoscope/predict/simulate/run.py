"""Runs a network, compiled or interpreted, and audits the laws that every run must keep.

Flow balance: who enters a step leaves it, or is there. Little's law: the time that ops spend in the system, summed op
by op, is the integral of the number in flight over time, which is counted apart. Nobody is lost, nobody is doubled. A
broken law is an error of the simulator.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from radoscope.errors import RadoscopeError
from radoscope.predict.simulate import compiling, tables
from radoscope.predict.simulate.assembly import assemble
from radoscope.predict.simulate.kernel import run_events
from radoscope.predict.simulate.network import Network
from radoscope.predict.simulate.tables import World, pack


@dataclass(frozen=True, slots=True, kw_only=True)
class RawRun:
    """What a run left behind. at_warm, at_end: all tables as arrays, at the end of the warm-up and of the run.

    events: appointments that were kept, the events of the event list; moves that follow in the same instant do not
    count. wall_s, cpu_s: for the events alone, without assembly and compilation; cpu_s of this thread. bins_at: where
    an OSD is lost, all latency bins at the start and at the end of each interval; shape (intervals + 1, bins).
    """

    network: Network
    at_warm: World
    at_end: World
    warm_up_s: float
    seconds: float
    seed: int
    events: int
    wall_s: float
    cpu_s: float
    compiled: bool
    bins_at: Any = None


def run_network(
    network: Network,
    *,
    seconds: float,
    warm_up_s: float = 0.0,
    seed: int = 1,
    intervals: int = 100,
    trace: int = 0,
    compiled: bool | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> RawRun:
    """Let a network run for `seconds` of its own time. compiled: None compiles where numba can.

    trace: how many completed ops to write down one by one. on_progress: called with the share that is done.
    """
    if not 0 <= warm_up_s < seconds:
        raise ValueError(f"the warm-up must be shorter than the run, not {warm_up_s} of {seconds} s")
    compiled = compiling.can_compile() if compiled is None else compiled
    world = assemble(network, seed=seed, seconds=seconds, intervals=intervals, trace=trace)
    types = [table.dtype for table in world]
    walk = compiled_walk() if compiled else run_events
    world = pack(world) if compiled else World(*(as_objects(table) for table in world))
    walk(world, -1.0)  # compiles or loads, and moves nothing, because nothing is due before 0
    begun, cpu_begun = time.perf_counter(), time.thread_time()
    looks = [np.array(world.bins, dtype=np.uint64)]
    walk(world, warm_up_s)
    at_warm = _snapshot(world, types)
    for interval in range(1, intervals + 1):
        ends_at = seconds if interval == intervals else seconds * interval / intervals
        if ends_at > warm_up_s:
            walk(world, ends_at)
        if network.loss is not None:
            looks.append(np.array(world.bins, dtype=np.uint64))
        if on_progress is not None:
            on_progress(interval / intervals)
    wall_s, cpu_s = time.perf_counter() - begun, time.thread_time() - cpu_begun
    at_end = _snapshot(world, types)
    return RawRun(
        network=network, at_warm=at_warm, at_end=at_end, warm_up_s=warm_up_s, seconds=seconds, seed=seed,
        events=int(at_end.clock["taken"][0]), wall_s=wall_s, cpu_s=cpu_s, compiled=compiled,
        bins_at=np.array(looks) if network.loss is not None else None,
    )  # fmt: skip


@lru_cache(maxsize=1)
def compiled_walk() -> Callable[[World, float], None]:
    """`run_events` as machine code. The first call of a new version compiles, later processes load it."""
    return compiling.machine_code(run_events)


def as_objects(table: Any) -> list[Any]:
    """A table for the interpreter: Python reads a list of small objects ten times faster than a record array."""
    if table.dtype.names is None:
        return table.tolist()  # type: ignore[no-any-return]
    names = table.dtype.names
    row_class = type("Row", (), {"__slots__": names})
    result = []
    for values in table.tolist():
        row = row_class()
        for name, value in zip(names, values, strict=True):
            setattr(row, name, value)
        result.append(row)
    return result


def _snapshot(world: World, types: list[Any]) -> World:
    return World(*(_as_array(table, kind) for table, kind in zip(world, types, strict=True)))


def _as_array(table: Any, kind: Any) -> Any:
    if isinstance(table, np.ndarray) or kind.names is None:
        return np.array(table, dtype=kind)
    return np.array([tuple(getattr(row, name) for name in kind.names) for row in table], dtype=kind)


_TOLERANCE = 1e-9
_ALARM_STEPS = (tables.AT_BEGIN, tables.AT_COMMITTED, tables.AT_ARRIVE, tables.AT_RECOVER)


class LawViolated(RadoscopeError):
    """A run of the simulator broke a conservation law."""


def audit(run: RawRun) -> None:
    """Raises LawViolated, with every law that the run broke."""
    faults = _flow_faults(run.at_end) + _op_faults(run.at_end) + _little_faults(run) + _busy_faults(run)
    if faults:
        raise LawViolated(
            "; ".join(faults), "This is a fault of the simulator: please report it with the model and the seed."
        )


def _flow_faults(world: World) -> list[str]:
    """Visits of a step = those who came from the steps before it, minus those who are on their way to it."""
    steps, unknown = world.steps, set[int]()
    came = steps["diverted_to"].astype(np.int64) - steps["diverted"].astype(np.int64)
    np.add.at(came, world.routes["entry"], world.routes["begun"].astype(np.int64))
    passed = steps["visits"].astype(np.int64)
    for number, step in enumerate(steps):
        if step["kind"] in (tables.VISIT, tables.DELAY, tables.COMMIT):
            came[step["next"]] += passed[number]
        elif step["kind"] == tables.FORK and not world.plan["loses"][0]:
            came[step["next"]] += passed[number]
            came[step["branch"]] += passed[number] * (_branches(world, step) - 1)
        elif step["kind"] in (tables.CHANCE, tables.FORK, tables.JOIN):
            unknown |= {int(step["next"]), int(step["branch"])}
    there = _on_the_way_to(world)
    return [
        f"flow: {came[number]} came to step {number}, {passed[number]} passed, {there[number]} are before it"
        for number in range(len(_ALARM_STEPS), len(steps))
        if number not in unknown and came[number] != passed[number] + there[number]
    ]


def _branches(world: World, step: np.void) -> int:
    width = int(world.plan["width"][0])
    return min(width, int(step["width"])) if step["width"] else width


def _on_the_way_to(world: World) -> np.ndarray:
    """How many tokens are on the agenda or in a batch, by the step they go to."""
    there = np.zeros(len(world.steps), dtype=np.int64)
    for token in _chained(world, [*world.buckets, *world.clock["today"]]):
        there[world.tokens["at"][token]] += 1
    gathering = world.osds["waiting_first"][world.osds["waiting_size"] > 0]
    for token in _chained(world, [*gathering, *world.osds["under_way"]]):
        there[world.steps["next"][world.tokens["at"][token]]] += 1
    return there


def _chained(world: World, heads: Iterable[int]) -> Iterator[int]:
    follows = world.tokens["follows"].tolist()
    for head in heads:
        token = int(head)
        while token:
            yield token
            token = follows[token]


def _op_faults(world: World) -> list[str]:
    """Ops begun = ops done + ops in flight, for each load."""
    faults = []
    for number, load in enumerate(world.loads):
        routes = world.routes[load["first_route"] : load["first_route"] + load["routes"]]
        begun, done = int(routes["begun"].sum()), int(routes["done"].sum())
        if begun != done + int(load["in_flight"]):
            faults.append(f"load {number}: {begun} ops begun, {done} done, {load['in_flight']} in flight")
    return faults


def _little_faults(run: RawRun) -> list[str]:
    """Sum of sojourns (of ops in flight: until the end) = integral of the number in flight."""
    world, faults = run.at_end, []
    for number, load in enumerate(world.loads):
        routes = world.routes[load["first_route"] : load["first_route"] + load["routes"]]
        area = float(load["area"]) + int(load["in_flight"]) * (run.seconds - float(load["area_at"]))
        begun_at = world.jobs["begun_at"][_in_flight(world, number)]
        sojourns = float(routes["sojourn_s"].sum()) + float((run.seconds - begun_at).sum())
        if abs(area - sojourns) > _TOLERANCE * max(area, sojourns, 1e-12) + 1e-12:
            faults.append(f"Little's law, load {number}: {area:.9g} s in flight, {sojourns:.9g} s of sojourns")
    return faults


def _in_flight(world: World, load: int) -> np.ndarray:
    """The jobs of a load in which an op is under way: those not free, not resting, and not about to begin."""
    row = world.loads[load]
    jobs = np.arange(row["first_job"], row["first_job"] + row["jobs"])
    resting = np.isin(world.tokens["at"][1 + jobs * int(world.plan["width"][0])], (tables.AT_BEGIN, tables.AT_RECOVER))
    free = set()
    if row["rate_per_s"] > 0:
        job = int(row["free_job"])
        while job:
            free.add(job - 1)
            job = int(world.jobs["next_free"][job - 1])
    return jobs[~resting & ~np.isin(jobs, list(free))]


def _busy_faults(run: RawRun) -> list[str]:
    """No station works more than its servers can in the time."""
    busy, world = busy_seconds(run.at_end, run.seconds), run.at_end
    over = np.flatnonzero(busy > run.seconds * world.stations["servers"] * (1 + _TOLERANCE))
    return [f"station {number} was busy {busy[number]:.6g} s in {run.seconds:.6g} s" for number in over]


def busy_seconds(world: World, now: float) -> np.ndarray:
    """Server seconds that each station has worked until `now`: what was booked minus what lies ahead."""
    stations = world.stations
    ahead = np.maximum(0.0, stations["free_at"] - now)
    several = stations["servers"] > 1
    if several.any():
        ahead[several] = np.add.reduceat(np.maximum(0.0, world.free_at - now), stations["first_server"][several])
    return np.asarray(stations["busy_s"] - ahead)
