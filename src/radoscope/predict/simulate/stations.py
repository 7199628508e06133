"""What happens at stations: servers with one queue, delays, and the commit of an OSD.

First-come-first-served stations are kept as the times at which their servers become free: in the order of arrivals
that fixes each op's start and end at once, so that a visit is one event. The commit needs an event of its own, for a
batch is closed only when the one before has ended.
"""

from __future__ import annotations

from typing import Any

from radoscope.predict.simulate.agenda import appoint
from radoscope.predict.simulate.compiling import part_of_kernel, rare_part_of_kernel, unsigned
from radoscope.predict.simulate.rng import exponential, spread_service
from radoscope.predict.simulate.tables import World, make_ready, station_of


@part_of_kernel
def visit(world: World, token: int, number: int, now: float) -> None:
    """Queue at the step's station; what comes next is due when the service ends."""
    step = world.steps[number]
    station = world.stations[station_of(world, token, number)]
    service = step.mean_s
    if step.spread != 0.0:
        service *= spread_service(station, step.spread)
    first = unsigned(station.first_server)
    start = max(now, station.free_at if station.servers == 1 else world.free_at[first])
    if step.stalls != 0:
        start = _after_stalls(world, osd_of(world, token), start)
    end = start + service
    if station.servers == 1:
        station.free_at = end
    else:
        _occupy_first_free(world.free_at, first, unsigned(station.servers), end)
    station.busy_s += service
    step.waited_s += start - now
    world.tokens[token].at = step.next
    appoint(world, token, end + step.after_s)


@part_of_kernel
def osd_of(world: World, token: int) -> int:
    return unsigned(world.tokens[token].osd)


@part_of_kernel
def _occupy_first_free(free_at: Any, first: int, servers: int, until: float) -> None:
    """The server that is free first (the root of a binary heap) works until `until`."""
    place, child = unsigned(0), unsigned(1)
    while child < servers:
        if child + unsigned(1) < servers and free_at[first + child + unsigned(1)] < free_at[first + child]:
            child += unsigned(1)
        if free_at[first + child] >= until:
            break
        free_at[first + place] = free_at[first + child]
        place = child
        child = unsigned(2) * place + unsigned(1)
    free_at[first + place] = until


@rare_part_of_kernel
def _after_stalls(world: World, number: int, start: float) -> float:
    """The first moment from `start` on at which the OSD does not stall. Stalls begin at random, last exponentially."""
    osd = world.osds[number]
    if osd.stall_rate_per_s == 0.0:
        return start
    while osd.stall_from <= start:
        if start < osd.stall_until:
            return osd.stall_until  # type: ignore[no-any-return]
        osd.stall_from = osd.stall_until + exponential(osd) / osd.stall_rate_per_s
        osd.stall_until = osd.stall_from + osd.stall_s * exponential(osd)
    return start


@part_of_kernel
def delay(world: World, token: int, number: int, now: float) -> None:
    """No queue: everybody is served at once."""
    step = world.steps[number]
    service = step.mean_s
    if step.spread != 0.0:
        service *= spread_service(world.loads[world.jobs[world.tokens[token].job].load], step.spread)
    world.tokens[token].at = step.next
    appoint(world, token, now + service + step.after_s)


@part_of_kernel
def join_commit(world: World, token: int, number: int, now: float) -> bool:
    """Wait for the next batch of the OSD; True when that may begin now, because the OSD commits nothing."""
    tokens, osd = world.tokens, world.osds[osd_of(world, token)]
    tokens[token].due = now
    tokens[token].follows = 0
    if osd.waiting_size == 0:
        osd.waiting_first = token
    else:
        tokens[osd.waiting_last].follows = token
    osd.waiting_last = token
    osd.waiting_size += 1
    osd.waiting_work_s += world.steps[number].mean_s
    return osd.under_way == 0  # type: ignore[no-any-return]


@part_of_kernel
def begin_commit(world: World, number: int, now: float) -> None:
    """Close the batch: one flush for all, then the work of each. Flushes to a shared device wait for each other."""
    osd = world.osds[number]
    station = world.stations[osd.flush_station]
    flush = osd.flush_s
    if osd.flush_spread != 0.0:
        flush *= spread_service(osd, osd.flush_spread)
    flushed = max(now, station.free_at) + flush
    station.free_at = flushed
    station.busy_s += flush
    ends_at = flushed + osd.waiting_work_s
    osd.under_way = osd.waiting_first
    osd.waiting_size = 0
    osd.waiting_work_s = 0.0
    appoint(world, unsigned(world.plan[0].first_alarm + number), ends_at)


@part_of_kernel
def end_commit(world: World, number: int, now: float) -> bool:
    """The batch is durable, its members move on; True when others wait to form the next one."""
    osd, tokens = world.osds[number], world.tokens
    token = unsigned(osd.under_way)
    while token != 0:
        following = unsigned(tokens[token].follows)
        step = world.steps[tokens[token].at]
        step.waited_s += now - tokens[token].due
        tokens[token].at = step.next
        on_at = now + step.after_s
        if osd.down != 0:  # lost meanwhile: its work does not count, the op waits for the others to peer
            on_at = max(on_at, world.groups[world.jobs[tokens[token].job].group].ready_at)
        if on_at > now:
            appoint(world, token, on_at)
        else:
            make_ready(world, token)
        token = following
    osd.under_way = 0
    return osd.waiting_size != 0  # type: ignore[no-any-return]
