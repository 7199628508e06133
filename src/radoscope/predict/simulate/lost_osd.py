"""An OSD is lost, comes back or is marked out: what happens to placement groups, to ops under way, and recovery.

The model. When an OSD dies, its placement groups stop until the loss is noticed and the groups have peered; ops begun
meanwhile wait. An op that was still on its way to the OSD starts again with the new primary; a branch of a write that
waited for the OSD's commit is let go when its group has peered. A write that parts for its copies after a change does
so in the new group. The groups then serve degraded, with one OSD less; with fewer than min_size they serve nobody.
An OSD that returns is peered in again and gets the objects that were written without it (log-based recovery); one
that is marked out is replaced, and its groups serve degraded until all their objects are copied (backfill); what is
left of a group on fewer OSDs than an object needs is not rebuilt. Several may be lost, at once or in turn. Not
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
    FORK,
    LOSE,
    RETURN,
    World,
    address,
    count_in_flight,
    first_token,
    make_ready,
    send_to_group,
)

ASKS_AGAIN_S = 0.02
"""An op on a group that serves nobody looks again so often; clients would be told at once."""


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
            elif world.groups[number].size >= plan.min_parts:
                world.groups[number].missing += plan.objects_per_group
    _start_recovery(world)


@rare_part_of_kernel
def _lose(world: World, osd: int, now: float) -> None:
    plan = world.plan[0]
    world.osds[osd].down = 1
    world.osds[osd].lost = 1
    for number in range(plan.groups):
        group, row, left = world.groups[number], unsigned(number) * unsigned(plan.width), unsigned(0)
        for place in range(group.size):
            member = world.acting[row + unsigned(place)]
            if member != osd:
                world.acting[row + left] = member
                left += unsigned(1)
        if left != group.size:
            if group.size == plan.width:
                group.written = 0
            group.size = left
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
        group.missing += int(objects * (1.0 - math.exp(-(group.written / objects))) + 0.5)
    group.ready_at = now + world.plan[0].peering_s
    _serve_with(world, world.home, number)


@rare_part_of_kernel
def _serve_with(world: World, members: Any, number: int) -> None:
    """Those of `members` that are up serve the group."""
    width, left = unsigned(world.plan[0].width), unsigned(0)
    for place in range(width):
        member = members[number * width + unsigned(place)]
        if world.osds[member].down == 0:
            world.acting[number * width + left] = member
            left += unsigned(1)
    world.groups[number].size = left


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
    if step.on_osd == 0 and step.kind != FORK:
        return False
    job = world.jobs[world.tokens[token].job]
    if job.joining == 0 and job.load != world.plan[0].recovery_load and _is_too_small(world, token, now):
        step.visits -= unsigned(1)
        return True
    if step.on_osd == 0 or world.osds[osd_of(world, token)].down == 0:
        return False
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
def _is_too_small(world: World, token: int, now: float) -> bool:
    """Whether the group of an op has fewer OSDs than it may serve with; the token then asks again a little later."""
    job = world.jobs[world.tokens[token].job]
    group = world.groups[job.group]
    if group.size >= world.plan[0].min_size:
        return False
    if group.size > 0:
        send_to_group(world, token, unsigned(job.group))
    appoint(world, token, max(now, group.ready_at) + ASKS_AGAIN_S)
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
    count_in_flight(world, unsigned(job.load), now, 1)
    route.begun += unsigned(1)
    job.route = plan.recovery_route
    job.group = number
    job.begun_at = now
    job.joining = 0
    _address_recovery(world, token, number)
    world.tokens[token].at = route.entry
    if group.missing == 0 and plan.replaces != 0:
        _serve_with(world, world.spare, number)
    appoint(world, token, max(now, group.ready_at))


@rare_part_of_kernel
def _address_recovery(world: World, token: int, number: int) -> None:
    """From a member that was never away to one that lacks objects; where several do, to each in turn."""
    width = unsigned(world.plan[0].width)
    row = number * width
    lacking = unsigned(0)
    for place in range(width):
        lacking += _lacks(world, row, unsigned(place))
    turn = unsigned(world.groups[number].missing) % max(lacking, unsigned(1))
    source = target = unsigned(world.acting[row])
    for place in range(width):
        if _lacks(world, row, unsigned(place)) != 0:
            if turn == 0:
                target = unsigned(world.spare[row + unsigned(place)])
            turn -= unsigned(1)
    for place in range(world.groups[number].size):
        member = unsigned(world.acting[row + unsigned(place)])
        if source == target or world.osds[source].lost != 0:
            source = member
    address(world, token, target, source)


@rare_part_of_kernel
def _lacks(world: World, row: int, place: int) -> int:
    """1 where the member at this place of `spare` needs objects: it came in for a lost one, or has returned."""
    member = unsigned(world.spare[row + place])
    if world.plan[0].replaces != 0:
        return unsigned(0) if _holds(world.home, row, unsigned(world.plan[0].width), member) else unsigned(1)
    return unsigned(1) if world.osds[member].lost != 0 and world.osds[member].down == 0 else unsigned(0)
