"""What the kernel reads and writes: tables of rows with named fields, and the codes in them.

Words: an *op* is one I/O of a load; it runs in a *job* (a place in flight). A job has one *token* for each branch of a
fork. Tokens walk along *steps*; at a step they meet a *station*. Tokens beyond those of the jobs are alarm clocks: one
for each OSD's commit, one for each open load. Number 0 of tokens does not exist and stands for "none".
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from radoscope.predict.simulate.compiling import part_of_kernel, unsigned

# What happens at a step.
VISIT, DELAY, COMMIT, COMMITTED, FORK, JOIN, DONE, BEGIN, ARRIVE, CHANCE, RECOVER = range(11)

# The first steps of every program: a place begins an op, a commit ends, an op arrives, recovery goes on.
AT_BEGIN, AT_COMMITTED, AT_ARRIVE, AT_RECOVER = range(4)

# Of whom a step's station is: of the op's client, of the token's OSD, or of the OSD that leads the op.
CLIENT, OSD, PRIMARY = range(3)

# Which of a group's stations that is (columns of World.places): the only one, or the number of a client or OSD, its
# host, its device.
ONLY, ITSELF, HOST, DEVICE = range(4)
PLACES = 4

# Marks on the timeline.
LOSE, RETURN, OUT = range(3)

# Latency bins: BINS_A_DOUBLING for each factor of two from FASTEST_S up, 1.1 % wide.
BINS_A_DOUBLING = 64
FASTEST_S = 1e-7
BINS = 64 * 36

FIRST_TUNING = 32
"""After so many events the agenda's buckets are fitted to the rate of events for the first time."""

_FIELDS = {
    # kind: what happens. group: its first station; whose, place: which of the group, where each client has `stride`
    # of them. mean_s, spread: service. after_s: what passes before the next step without waiting. chance: of `branch`
    # rather than `next`; branch: also where the copies of a fork begin; width: branches of a fork, 0 for one an OSD.
    # stalls: held up by stalls of the OSD. on_osd: needs the OSD alive. join: where the step's branch comes together, 0
    # outside of forks. The rest is counted: visits; diverted from and to here because an OSD was lost; waited_s.
    "step": "mean_s:f after_s:f spread:f chance:f waited_s:f visits:w diverted:w diverted_to:w "
            "kind group whose place stride next branch width stalls on_osd join",
    # random: its stream. free_at: when its server has done all that came; for several servers see first_server, in
    # World.free_at. busy_s: all booked service.
    "station": "random:w free_at:f busy_s:f first_server servers",
    # rate_per_s: above 0 for an open load. think_s, think_spread: pause of a place between two ops. free_job: first
    # free job of an open load, plus 1. area: integral of in_flight over time, up to area_at.
    "load": "random:w rate_per_s:f think_s:f think_spread:f area:f area_at:f first_job jobs first_route routes "
            "free_job in_flight",
    # share_up_to: cumulative within its load. writes: ops change an object.
    "route": "share_up_to:f sojourn_s:f begun:w done:w entry writes",
    # flush_s, flush_spread: what a batch costs; flush_station serialises flushes to one device. waiting_*: the batch
    # that gathers; under_way: first token of the batch that is being committed. stall_*: the current or next stall.
    "osd": "random:w flush_s:f flush_spread:f stall_rate_per_s:f stall_s:f stall_from:f stall_until:f waiting_work_s:f "
           "node device flush_station down lost waiting_first waiting_last waiting_size under_way",
    # ready_at: ops that begin earlier wait. missing: objects to recover. written: writes since an OSD was lost.
    "group": "ready_at:f size missing written",
    "mark": "at_s:f kind osd",
    # due, follows: the agenda. job, at: whose it is, and the step where it is. client, osd, primary: whom it meets.
    "token": "due:f follows job at client osd primary",
    # joining: branches that are still out. next_free: next free job of an open load, plus 1.
    "job": "begun_at:f group next_free load:s route:s joining:s",
    "interval": "sum_s:f max_s:f done:w",
    "trace": "begun_at:f done_at:f route",
    # What never changes: width of the placement, number of groups, the load and route of recovery, ...
    "plan": "interval_s:f detect_s:f peering_s:f width groups recovery_load recovery_route objects_per_group osds "
            "intervals loses replaces min_size min_parts first_alarm",
    # The hand of the clock: agenda (see agenda.py), tokens that are ready at this instant, counters.
    "clock": "now:f days_per_s:f tuned_at:f day:w next_tuning:w taken:w taken_at_tuning:w refused:w "
             "today ready_first ready_last next_mark recovery_group traced",
}  # fmt: skip
_KINDS = {"f": np.float64, "w": np.uint64, "": np.uint32, "s": np.uint16}


def row_type(name: str) -> np.dtype[Any]:
    """The fields of one table's rows: f is a float, w a wide whole number, s a short one, all else is below 2**32."""
    pairs = (field.partition(":") for field in _FIELDS[name].split())
    return np.dtype([(field, _KINDS[kind]) for field, _, kind in pairs], align=True)


def rows(name: str, count: int) -> Any:
    """`count` rows of zeros."""
    return np.zeros(count, dtype=row_type(name))


class World(NamedTuple):
    """All that the kernel needs. Beside the tables of `_FIELDS`, plain arrays:

    free_at: by server, of stations with several. places: PLACES columns an OSD, then a client. acting, home, spare:
    `width` columns a placement group, the OSDs that serve it now, at the start, and once the lost OSD is replaced.
    buckets: newest token of each day of the agenda.
    bins: BINS columns a route. intervals: `intervals` rows a route.
    """

    steps: Any
    stations: Any
    loads: Any
    routes: Any
    osds: Any
    groups: Any
    marks: Any
    tokens: Any
    jobs: Any
    intervals: Any
    trace: Any
    plan: Any
    clock: Any
    free_at: Any
    places: Any
    acting: Any
    home: Any
    spare: Any
    buckets: Any
    bins: Any


_LINE_BYTES = 64
_LARGE_PAGE_BYTES = 2 * 2**20


def pack(world: World) -> World:
    """The same tables in one piece of memory, each at the start of a cache line.

    A large cluster's rows are read in random order: no row shall lie across two lines where one would do, and large
    pages (which the system gives to large pieces) save the search for each row's page.
    """
    sizes = [-(-table.nbytes // _LINE_BYTES) * _LINE_BYTES for table in world]
    piece = np.zeros(max(sum(sizes), _LARGE_PAGE_BYTES) + _LARGE_PAGE_BYTES, dtype=np.uint8)
    place = -piece.ctypes.data % _LARGE_PAGE_BYTES
    packed = []
    for table, size in zip(world, sizes, strict=True):
        packed.append(piece[place : place + table.nbytes].view(table.dtype))
        packed[-1][:] = table
        place += size
    return World(*packed)


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
def count_in_flight(world: World, load: int, now: float, more: int) -> None:
    """So many ops more of a load are in flight."""
    row = world.loads[load]
    row.area += row.in_flight * (now - row.area_at)
    row.area_at = now
    row.in_flight += more


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
