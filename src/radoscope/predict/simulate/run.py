"""Runs a network, compiled or interpreted, and looks at it when the warm-up ends."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from radoscope.predict.simulate import compiling
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
