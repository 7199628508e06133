"""The agenda: what happens next. A calendar queue of tokens, each with at most one appointment.

Source: Brown, "Calendar queues: a fast O(1) priority queue implementation for the simulation event set problem", 1988.
A bucket holds the tokens of one day, and of all days that many buckets later, as a list in order of (due, order);
`order` counts appointments and breaks ties, so that the order of events does not depend on the length of a day.
"""

from __future__ import annotations

from radoscope.predict.simulate.compiling import part_of_kernel, rare_part_of_kernel, unsigned
from radoscope.predict.simulate.tables import World

_TUNE_EVERY = 1 << 16
_EVENTS_A_DAY = 1.5


@part_of_kernel
def appoint(world: World, token: int, due: float) -> None:
    """Let `token` be due at `due`, which is not earlier than what was taken last."""
    clock, entry = world.clock[0], world.tokens[token]
    clock.appointments += unsigned(1)
    clock.waiting += unsigned(1)
    entry.due = due
    entry.order = clock.appointments
    _insert(world, token)


@part_of_kernel
def _insert(world: World, token: int) -> None:
    clock, tokens, buckets = world.clock[0], world.tokens, world.buckets
    entry = tokens[token]
    due, order = entry.due, entry.order
    day = unsigned(int(due * clock.days_per_s))
    if day < clock.day:  # `peek` looked further ahead than this
        clock.day = day
    bucket = day & unsigned(len(buckets) - 1)
    after = buckets[bucket]
    if after == 0 or due < tokens[after].due or (due == tokens[after].due and order < tokens[after].order):
        entry.follows = after
        buckets[bucket] = token
        return
    before = after
    after = tokens[before].follows
    while after != 0 and (due > tokens[after].due or (due == tokens[after].due and order > tokens[after].order)):
        before = after
        after = tokens[before].follows
    entry.follows = after
    tokens[before].follows = token


@part_of_kernel
def peek(world: World) -> int:
    """The token that is due first, 0 when nobody is waiting. It stays on the agenda."""
    clock, tokens = world.clock[0], world.tokens
    if clock.waiting == 0:
        return unsigned(0)
    buckets = unsigned(len(world.buckets))
    days_per_s = clock.days_per_s
    day = unsigned(clock.day)
    last = day + buckets
    while day < last:
        token = unsigned(world.buckets[day & (buckets - unsigned(1))])
        if token != 0 and unsigned(int(tokens[token].due * days_per_s)) == day:
            clock.day = day
            return token
        day += unsigned(1)
    return _earliest_of_all(world)


@rare_part_of_kernel
def _earliest_of_all(world: World) -> int:
    """Nothing is due within a whole turn of the buckets: compare their first tokens, and go there."""
    tokens = world.tokens
    best = unsigned(0)
    for bucket in range(len(world.buckets)):
        token = unsigned(world.buckets[bucket])
        if token != 0 and (
            best == 0
            or tokens[token].due < tokens[best].due
            or (tokens[token].due == tokens[best].due and tokens[token].order < tokens[best].order)
        ):
            best = token
    world.clock[0].day = unsigned(int(tokens[best].due * world.clock[0].days_per_s))
    return best


@part_of_kernel
def strike(world: World, token: int) -> None:
    """Take `token`, which `peek` has just given, off the agenda."""
    clock = world.clock[0]
    world.buckets[clock.day & unsigned(len(world.buckets) - 1)] = world.tokens[token].follows
    clock.waiting -= unsigned(1)
    clock.taken += unsigned(1)
    if clock.taken == clock.next_tuning:
        _tune(world, world.tokens[token].due)


@rare_part_of_kernel
def _tune(world: World, now: float) -> None:
    """Fit the length of a day to the rate of events since the last time, when it is off by more than a half."""
    clock = world.clock[0]
    events, seconds = clock.taken - clock.taken_at_tuning, now - clock.tuned_at
    clock.next_tuning = clock.taken + min(clock.taken, unsigned(_TUNE_EVERY))
    clock.taken_at_tuning = clock.taken
    clock.tuned_at = now
    if seconds <= 0.0:
        return
    days_per_s = events / seconds / _EVENTS_A_DAY
    if days_per_s > 1.5 * clock.days_per_s or 1.5 * days_per_s < clock.days_per_s:
        _change_day(world, days_per_s, now)


@rare_part_of_kernel
def _change_day(world: World, days_per_s: float, now: float) -> None:
    """Sort everybody into days of another length."""
    clock, tokens = world.clock[0], world.tokens
    chain = unsigned(0)
    for bucket in range(len(world.buckets)):
        token = unsigned(world.buckets[bucket])
        while token != 0:
            following = unsigned(tokens[token].follows)
            tokens[token].follows = chain
            chain = token
            token = following
        world.buckets[bucket] = 0
    clock.days_per_s = days_per_s
    clock.day = unsigned(int(now * days_per_s))
    while chain != 0:
        following = unsigned(tokens[chain].follows)
        _insert(world, chain)
        chain = following
