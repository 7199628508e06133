"""The simulator's inner loop. Reads as Python, runs as machine code; `tables.py` says what the tables hold."""

from __future__ import annotations

import math

from radoscope.predict.simulate import lost_osd, stations, tables
from radoscope.predict.simulate.agenda import appoint, peek, strike
from radoscope.predict.simulate.compiling import part_of_kernel, unsigned
from radoscope.predict.simulate.rng import exponential, spread_service, uniform
from radoscope.predict.simulate.tables import (
    BINS,
    BINS_A_DOUBLING,
    FASTEST_S,
    World,
    count_in_flight,
    first_token,
    make_ready,
    next_ready,
    send_to_group,
)

_BINS_A_FOLD = BINS_A_DOUBLING / math.log(2.0)
_LOG_FASTEST = math.log(FASTEST_S)


def run_events(world: World, until_s: float) -> None:
    """Let everything happen that is due up to and including `until_s`."""
    clock = world.clock[0]
    while True:
        token = unsigned(peek(world))
        now = until_s
        if token != 0:
            now = world.tokens[token].due
        mark = unsigned(clock.next_mark)
        if mark < len(world.marks) and world.marks[mark].at_s <= min(now, until_s):
            now = world.marks[mark].at_s
            clock.next_mark = mark + unsigned(1)
            lost_osd.apply_mark(world, mark, now)
            token = next_ready(world)
        elif token != 0 and now <= until_s:
            strike(world, token)
        else:
            break
        while token != 0:
            _happen(world, token, now)
            token = next_ready(world)
    clock.now = until_s


@part_of_kernel
def _happen(world: World, token: int, now: float) -> None:
    """One event: `token` does what its step says."""
    number = unsigned(world.tokens[token].at)
    step = world.steps[number]
    step.visits += unsigned(1)
    if world.plan[0].loses != 0 and lost_osd.held_by_lost_osd(world, token, number, now):
        return
    if step.kind == tables.VISIT:
        stations.visit(world, token, number, now)
    elif step.kind == tables.COMMIT or step.kind == tables.COMMITTED:
        _commit(world, token, number, now)
    elif step.kind == tables.FORK:
        _fork(world, token, number)
    elif step.kind == tables.JOIN:
        _join(world, token, number)
    elif step.kind == tables.DELAY:
        stations.delay(world, token, number, now)
    elif step.kind == tables.CHANCE:
        _choose(world, token, number)
    elif step.kind == tables.DONE:
        _finish(world, token, now)
    elif step.kind == tables.BEGIN:
        _begin(world, token, now)
    elif step.kind == tables.ARRIVE:
        _arrive(world, token, now)
    else:
        lost_osd.recover_next(world, token, now)


@part_of_kernel
def _commit(world: World, token: int, number: int, now: float) -> None:
    """An op asks for a commit, or (the token is the OSD's alarm) a commit ends; either may let the next batch begin."""
    if world.steps[number].kind == tables.COMMIT:
        osd = stations.osd_of(world, token)
        begins = stations.join_commit(world, token, number, now)
    else:
        osd = token - unsigned(world.plan[0].first_alarm)
        begins = stations.end_commit(world, osd, now)
    if begins:
        stations.begin_commit(world, osd, now)


@part_of_kernel
def _choose(world: World, token: int, number: int) -> None:
    step, load = world.steps[number], world.loads[world.jobs[world.tokens[token].job].load]
    world.tokens[token].at = step.branch if uniform(load) < step.chance else step.next
    make_ready(world, token)


@part_of_kernel
def _fork(world: World, token: int, number: int) -> None:
    """The job's tokens part: this one takes `next`, one for each further OSD of the group takes `branch`."""
    step, job = world.steps[number], world.jobs[world.tokens[token].job]
    width = unsigned(world.plan[0].width)
    if world.plan[0].loses != 0:  # the group may have changed since the op began
        send_to_group(world, token, unsigned(job.group))
        width = unsigned(world.groups[job.group].size)
    if step.width != 0:
        width = min(width, unsigned(step.width))
    job.joining = width
    world.tokens[token].at = step.next
    make_ready(world, token)
    for copy in range(1, width):
        world.tokens[token + unsigned(copy)].at = step.branch
        make_ready(world, token + unsigned(copy))


@part_of_kernel
def _join(world: World, token: int, number: int) -> None:
    """The last branch to arrive lets the job's first token go on; the others end here."""
    job = world.jobs[world.tokens[token].job]
    job.joining -= 1
    if job.joining == 0:
        main = first_token(world, world.tokens[token].job)
        world.tokens[main].at = world.steps[number].next
        make_ready(world, main)


@part_of_kernel
def _begin(world: World, token: int, now: float) -> None:
    """A new op in this place: its route, its placement group, its OSDs."""
    job = world.jobs[world.tokens[token].job]
    load = world.loads[job.load]
    route = unsigned(load.first_route)
    if load.routes > 1:
        draw = uniform(load)
        while draw >= world.routes[route].share_up_to:
            route += unsigned(1)
    group = unsigned(0)
    if world.plan[0].groups > 1:
        group = unsigned(int(uniform(load) * world.plan[0].groups))
    count_in_flight(world, unsigned(job.load), now, 1)
    world.routes[route].begun += unsigned(1)
    job.begun_at = now
    job.route = route
    job.group = group
    job.joining = 0
    send_to_group(world, token, group)
    world.tokens[token].at = world.routes[route].entry
    if world.plan[0].loses != 0 and lost_osd.must_wait(world, token, now):
        return
    make_ready(world, token)


@part_of_kernel
def _finish(world: World, token: int, now: float) -> None:
    """The op is acknowledged: write it down, and let its place begin the next one."""
    number = unsigned(world.tokens[token].job)
    job = world.jobs[number]
    load = world.loads[job.load]
    count_in_flight(world, unsigned(job.load), now, -1)
    _write_down(world, number, now)
    if load.rate_per_s > 0.0:
        job.next_free = load.free_job
        load.free_job = number + unsigned(1)
    elif load.think_s > 0.0:
        world.tokens[token].at = tables.AT_BEGIN
        appoint(world, token, now + load.think_s * spread_service(load, load.think_spread))
    else:
        world.tokens[token].at = tables.AT_RECOVER if job.load == world.plan[0].recovery_load else tables.AT_BEGIN
        make_ready(world, token)


@part_of_kernel
def _write_down(world: World, number: int, now: float) -> None:
    job, plan, clock = world.jobs[number], world.plan[0], world.clock[0]
    latency = now - job.begun_at
    route = unsigned(job.route)
    world.routes[route].done += unsigned(1)
    world.routes[route].sojourn_s += latency
    place = 0
    if latency > FASTEST_S:
        place = min(BINS - 1, int((math.log(latency) - _LOG_FASTEST) * _BINS_A_FOLD))
    world.bins[route * unsigned(BINS) + unsigned(place)] += unsigned(1)
    interval = min(unsigned(int(now / plan.interval_s)), unsigned(plan.intervals - 1))
    row = world.intervals[route * unsigned(plan.intervals) + interval]
    row.done += unsigned(1)
    row.sum_s += latency
    row.max_s = max(row.max_s, latency)
    if clock.traced < len(world.trace):
        entry = world.trace[clock.traced]
        entry.begun_at = job.begun_at
        entry.done_at = now
        entry.route = route
        clock.traced += 1


@part_of_kernel
def _arrive(world: World, alarm: int, now: float) -> None:
    """An open load: the next arrival is drawn, and this one takes a free place, or is refused."""
    load = world.loads[world.tokens[alarm].job]
    appoint(world, alarm, now + exponential(load) / load.rate_per_s)
    if load.free_job == 0:
        world.clock[0].refused += unsigned(1)
        return
    number = unsigned(load.free_job - 1)
    load.free_job = world.jobs[number].next_free
    token = first_token(world, number)
    world.tokens[token].at = tables.AT_BEGIN
    make_ready(world, token)
