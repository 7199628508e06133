"""The agenda: what happens next. A calendar queue of tokens, each with at most one appointment.

Source: Brown, "Calendar queues: a fast O(1) priority queue implementation for the simulation event set problem", 1988;
with lists that are sorted when their day comes (Tang, Goh and Thng, "Ladder queue", 2005), for a sorted list would have
to be walked at each insertion, through rows that no cache holds. A bucket lists the tokens of one day, and of all days
that many buckets later, the newest first. `today` is in order: of due, then of appointment. It holds all that is due up
to the end of `day`; so what happens does not depend on the length of a day.
"""

from __future__ import annotations

from radoscope.predict.simulate.compiling import part_of_kernel, prefetch, rare_part_of_kernel, unsigned
from radoscope.predict.simulate.tables import VISIT, World, station_of

_TUNE_EVERY = 1 << 16
_EVENTS_A_DAY = 1.0

# So many days before they come, rows are fetched into the cache: first the token's, then those that it will need.
_TOKEN_AHEAD = 12
_STATION_AHEAD = 6


@part_of_kernel
def appoint(world: World, token: int, due: float) -> None:
    """Let `token` be due at `due`, which is not earlier than what was taken last."""
    clock, entry = world.clock[0], world.tokens[token]
    entry.due = due
    day = _day_of(due, clock.days_per_s)
    if day <= clock.day:
        _insert_today(world, token, due, False)
    else:
        _push(world, token, day)


@part_of_kernel
def _day_of(due: float, days_per_s: float) -> int:
    """Days are numbered from 1: before the first one, the agenda stands at day 0."""
    return unsigned(int(due * days_per_s)) + unsigned(1)


@part_of_kernel
def _push(world: World, token: int, day: int) -> None:
    bucket = day & unsigned(len(world.buckets) - 1)
    world.tokens[token].follows = world.buckets[bucket]
    world.buckets[bucket] = token


@part_of_kernel
def _insert_today(world: World, token: int, due: float, is_older: bool) -> None:
    """After all that are due earlier, and those of the same time unless it was appointed before them."""
    clock, tokens = world.clock[0], world.tokens
    after = unsigned(clock.today)
    if after == 0 or due < tokens[after].due or (is_older and due == tokens[after].due):
        tokens[token].follows = after
        clock.today = token
        return
    before = after
    after = unsigned(tokens[before].follows)
    while after != 0 and (due > tokens[after].due or (due == tokens[after].due and not is_older)):
        before = after
        after = unsigned(tokens[before].follows)
    tokens[token].follows = after
    tokens[before].follows = token


@part_of_kernel
def peek(world: World) -> int:
    """The token that is due first, 0 when nobody is waiting. It stays on the agenda."""
    clock = world.clock[0]
    if clock.today == 0:
        _go_to_next_day(world)
    return unsigned(clock.today)


@part_of_kernel
def _go_to_next_day(world: World) -> None:
    """To the next day with appointments."""
    clock, buckets = world.clock[0], unsigned(len(world.buckets))
    day = unsigned(clock.day)
    last = day + buckets
    while day < last:
        day += unsigned(1)
        _look_ahead(world, day)
        if world.buckets[day & (buckets - unsigned(1))] != 0:
            _open(world, day)
            if clock.today != 0:
                return
    _go_to_earliest(world)


@part_of_kernel
def _look_ahead(world: World, day: int) -> None:
    """Fetch what will be needed soon. Large clusters do not fit into a core's own cache; waiting for each row in turn
    would take longer than all else."""
    mask = unsigned(len(world.buckets) - 1)
    prefetch(world.tokens, unsigned(world.buckets[(day + unsigned(_TOKEN_AHEAD)) & mask]))
    token = unsigned(world.buckets[(day + unsigned(_STATION_AHEAD)) & mask])
    if token != 0:
        prefetch(world.tokens, unsigned(world.tokens[token].follows))
        number = unsigned(world.tokens[token].at)
        if world.steps[number].kind == VISIT:
            prefetch(world.stations, station_of(world, token, number))


@part_of_kernel
def _open(world: World, day: int) -> None:
    """Sort the day's tokens into `today`; those of a later turn of the buckets stay."""
    clock, tokens = world.clock[0], world.tokens
    bucket = day & unsigned(len(world.buckets) - 1)
    token, kept = unsigned(world.buckets[bucket]), unsigned(0)
    world.buckets[bucket] = 0
    clock.day = day
    while token != 0:
        following = unsigned(tokens[token].follows)
        if _day_of(tokens[token].due, clock.days_per_s) == day:
            _insert_today(world, token, tokens[token].due, True)
        else:
            tokens[token].follows = 0
            if kept == 0:
                world.buckets[bucket] = token
            else:
                tokens[kept].follows = token
            kept = token
        token = following


@rare_part_of_kernel
def _go_to_earliest(world: World) -> None:
    """Nothing is due within a whole turn of the buckets: find what comes first, and go there."""
    tokens, clock = world.tokens, world.clock[0]
    best = unsigned(0)
    for bucket in range(len(world.buckets)):
        token = unsigned(world.buckets[bucket])
        while token != 0:
            if best == 0 or tokens[token].due < tokens[best].due:
                best = token
            token = unsigned(tokens[token].follows)
    if best != 0:
        _open(world, _day_of(tokens[best].due, clock.days_per_s))


@part_of_kernel
def strike(world: World, token: int) -> None:
    """Take `token`, which `peek` has just given, off the agenda."""
    clock = world.clock[0]
    clock.today = world.tokens[token].follows
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
    """Sort everybody into days of another length; who was appointed earlier is pushed earlier."""
    clock, tokens = world.clock[0], world.tokens
    chain = unsigned(clock.today)
    for bucket in range(len(world.buckets)):
        chain = _reversed_onto(world, unsigned(world.buckets[bucket]), chain)
        world.buckets[bucket] = 0
    clock.days_per_s = days_per_s
    clock.day = unsigned(int(now * days_per_s))
    clock.today = 0
    while chain != 0:
        following = unsigned(tokens[chain].follows)
        _push(world, chain, _day_of(tokens[chain].due, days_per_s))
        chain = following


@rare_part_of_kernel
def _reversed_onto(world: World, token: int, chain: int) -> int:
    """The list that begins with `token`, its first one deepest, before `chain`."""
    while token != 0:
        following = unsigned(world.tokens[token].follows)
        world.tokens[token].follows = chain
        chain = token
        token = following
    return chain
