"""An OSD is lost, comes back or is marked out: what happens to placement groups, to ops under way, and recovery.

The model. When an OSD dies, its placement groups stop until the loss is noticed and the groups have peered; ops begun
meanwhile wait. An op that was still on its way to the OSD starts again with the new primary; a branch of a write that
waited for the OSD's commit is let go when its group has peered. A write that parts for its copies after a change does
so in the new group. The groups then serve degraded, with one OSD less.
An OSD that returns is peered in again and gets the objects that were written without it (log-based recovery); one
that is marked out is replaced, and its groups serve degraded until all their objects are copied (backfill). Not
modelled: reads and writes that wait for one object which is being recovered, and unequal object sizes.
"""

from __future__ import annotations

import math
from typing import Any

from radoscope.predict.simulate.agenda import appoint
from radoscope.predict.simulate.compiling import rare_part_of_kernel, unsigned
from radoscope.predict.simulate.stations import osd_of
from radoscope.predict.simulate.tables import (
    AT_RECOVER,
    LOSE,
    RETURN,
    World,
    address,
    enter,
    first_token,
    make_ready,
    send_to_group,
)


@rare_part_of_kernel
def apply_mark(world: World, mark: int, now: float) -> None:
    """The timeline's next mark."""
    plan, osd, kind = world.plan[0], unsigned(world.marks[mark].osd), world.marks[mark].kind
    if kind == LOSE:
        _lose(world, osd, now)
        return
    if kind == RETURN:
        world.osds[osd].down = 0
    for number in range(plan.groups):
        if _holds(world.home, unsigned(number) * unsigned(plan.width), unsigned(plan.width), osd):
            if kind == RETURN:
                _take_back(world, unsigned(number), now)
            else:
                world.groups[number].missing = plan.objects_per_group
    _start_recovery(world)


@rare_part_of_kernel
def _lose(world: World, osd: int, now: float) -> None:
    plan = world.plan[0]
    width = unsigned(plan.width)
    world.osds[osd].down = 1
    for number in range(plan.groups):
        row, left = unsigned(number) * width, unsigned(0)
        for place in range(width):
            member = world.acting[row + unsigned(place)]
            if member != osd:
                world.acting[row + left] = member
                left += unsigned(1)
        if left != width:
            group = world.groups[number]
            group.size = left
            group.written = 0
            group.ready_at = now + plan.detect_s + plan.peering_s


@rare_part_of_kernel
def _holds(table: Any, row: int, width: int, osd: int) -> bool:
    found = False  # compiled code has no any()
    for place in range(width):
        found = found or table[row + unsigned(place)] == osd
    return found


@rare_part_of_kernel
def _take_back(world: World, number: int, now: float) -> None:
    """The group peers with the OSD in its old place; what was written without it is missing there.

    Writes hit objects at random: of n objects, w writes touch n (1 - exp(-w / n)).
    """
    group, objects = world.groups[number], world.plan[0].objects_per_group
    if objects > 0:
        group.missing = int(objects * (1.0 - math.exp(-(group.written / objects))) + 0.5)
    group.ready_at = now + world.plan[0].peering_s
    _serve_with(world, world.home, number)


@rare_part_of_kernel
def _serve_with(world: World, members: Any, number: int) -> None:
    width = unsigned(world.plan[0].width)
    world.groups[number].size = width
    for place in range(width):
        world.acting[number * width + unsigned(place)] = members[number * width + unsigned(place)]


@rare_part_of_kernel
def must_wait(world: World, token: int, now: float) -> bool:
    """Whether an op that begins waits for its group to peer; the token then has an appointment."""
    job = world.jobs[world.tokens[token].job]
    group = world.groups[job.group]
    group.written += world.routes[job.route].writes
    if group.ready_at <= now:
        return False
    appoint(world, token, group.ready_at)
    return True


@rare_part_of_kernel
def held_by_lost_osd(world: World, token: int, number: int, now: float) -> bool:
    """Whether the step cannot be done because its OSD is lost; the token then has another appointment."""
    step = world.steps[number]
    if step.on_osd == 0 or world.osds[osd_of(world, token)].down == 0:
        return False
    job = world.jobs[world.tokens[token].job]
    elsewhere = unsigned(step.join)
    if job.joining == 0:
        elsewhere = unsigned(world.routes[job.route].entry)
        send_to_group(world, token, unsigned(job.group))
    step.visits -= unsigned(1)
    step.diverted += unsigned(1)
    world.steps[elsewhere].diverted_to += unsigned(1)
    world.tokens[token].at = elsewhere
    appoint(world, token, max(now, world.groups[job.group].ready_at))
    return True


@rare_part_of_kernel
def _start_recovery(world: World) -> None:
    """Wake the places of the recovery load that rest."""
    world.clock[0].recovery_group = 0
    if world.plan[0].recovery_load >= len(world.loads):
        return
    load = world.loads[world.plan[0].recovery_load]
    for place in range(load.jobs):
        token = first_token(world, unsigned(load.first_job) + unsigned(place))
        if world.tokens[token].at == AT_RECOVER:
            make_ready(world, token)


@rare_part_of_kernel
def recover_next(world: World, token: int, now: float) -> None:
    """Copy one more missing object from its primary to the OSD that lacks it; rest when there is none."""
    clock, plan, job = world.clock[0], world.plan[0], world.jobs[world.tokens[token].job]
    while clock.recovery_group < plan.groups and world.groups[clock.recovery_group].missing == 0:
        clock.recovery_group += 1
    if clock.recovery_group == plan.groups:
        world.tokens[token].at = AT_RECOVER
        return
    number = unsigned(clock.recovery_group)
    group, route = world.groups[number], world.routes[plan.recovery_route]
    group.missing -= 1
    enter(world, unsigned(job.load), now)
    route.begun += unsigned(1)
    job.route = plan.recovery_route
    job.group = number
    job.begun_at = now
    job.joining = 0
    _address_recovery(world, token, number)
    world.tokens[token].at = route.entry
    if group.missing == 0 and group.size < plan.width:
        _serve_with(world, world.spare, number)
    appoint(world, token, max(now, group.ready_at))


@rare_part_of_kernel
def _address_recovery(world: World, token: int, number: int) -> None:
    """From the group's primary to the member that its last loss brought in or back."""
    width = unsigned(world.plan[0].width)
    row = number * width
    target = unsigned(world.marks[world.clock[0].next_mark - unsigned(1)].osd)
    if world.osds[target].down != 0:  # marked out: the one member of `spare` that was not in the group
        for place in range(width):
            if not _holds(world.home, row, width, unsigned(world.spare[row + unsigned(place)])):
                target = unsigned(world.spare[row + unsigned(place)])
    source = unsigned(world.acting[row])
    if source == target:
        source = unsigned(world.acting[row + unsigned(1)])
    address(world, token, target, source)
