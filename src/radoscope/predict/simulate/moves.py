"""The moves that all parts of the kernel share."""

from __future__ import annotations

from radoscope.predict.simulate.compiling import part_of_kernel, unsigned
from radoscope.predict.simulate.tables import OSD, PLACES, PRIMARY, World


@part_of_kernel
def make_ready(world: World, token: int) -> None:
    """Let `token` move on at this very instant, after those that are ready already."""
    clock, tokens = world.clock[0], world.tokens
    tokens[token].follows = 0
    if clock.ready_first == 0:
        clock.ready_first = token
    else:
        tokens[clock.ready_last].follows = token
    clock.ready_last = token


@part_of_kernel
def next_ready(world: World) -> int:
    """The token that is ready first, taken off the list; 0 when there is none (nothing follows token 0)."""
    token = unsigned(world.clock[0].ready_first)
    world.clock[0].ready_first = world.tokens[token].follows
    return token


@part_of_kernel
def first_token(world: World, job: int) -> int:
    """Tokens are numbered from 1, those of a job one after the other."""
    return unsigned(job) * unsigned(world.plan[0].width) + unsigned(1)


@part_of_kernel
def enter(world: World, load: int, now: float) -> None:
    """One op more of a load is in flight."""
    row = world.loads[load]
    row.area += row.in_flight * (now - row.area_at)
    row.area_at = now
    row.in_flight += 1


@part_of_kernel
def leave(world: World, load: int, now: float) -> None:
    """One op less of a load is in flight."""
    row = world.loads[load]
    row.area += row.in_flight * (now - row.area_at)
    row.area_at = now
    row.in_flight -= 1


@part_of_kernel
def station_of(world: World, token: int, number: int) -> int:
    """The station that a token meets at step `number`. Written without branches: a processor would guess them wrong."""
    step, entry = world.steps[number], world.tokens[token]
    client = unsigned(entry.client)
    whose = client + unsigned(world.plan[0].osds)
    whose = unsigned(entry.osd) if step.whose == OSD else whose
    whose = unsigned(entry.primary) if step.whose == PRIMARY else whose
    place = unsigned(world.places[whose * unsigned(PLACES) + unsigned(step.place)])
    return unsigned(step.group) + place + client * unsigned(step.stride)


@part_of_kernel
def send_to_group(world: World, token: int, group: int) -> None:
    """Address a job's tokens to the OSDs that serve the placement group now: the first is the primary."""
    width = unsigned(world.plan[0].width)
    place = unsigned(group) * width
    primary = unsigned(world.acting[place])
    if world.plan[0].loses != 0:
        width = unsigned(world.groups[group].size)
    for copy in range(width):
        address(world, token + unsigned(copy), unsigned(world.acting[place + unsigned(copy)]), primary)


@part_of_kernel
def address(world: World, token: int, osd: int, primary: int) -> None:
    """Send a token to an OSD; `primary` leads its op."""
    world.tokens[token].osd = osd
    world.tokens[token].primary = primary
