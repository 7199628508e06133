"""Queues at servers that are equally fast and asked unequally often: longer waits that say nothing against a server."""

from __future__ import annotations

from collections.abc import Sequence

MOST_JOBS = 128
"""More in flight hardly change how the waits compare, and each costs a step."""


def waits_of_equals(visits: Sequence[float], in_flight: int) -> tuple[float, ...]:
    """What a visit takes at each of these servers, in units of one service, with so many operations in flight.

    visits: how often each is asked, in any unit. Exact mean value analysis of a closed network without think time
    (Reiser and Lavenberg 1980), so that it tells the most that equal servers can differ: with one in flight all take 1.
    """
    whole = sum(visits)
    if whole <= 0:
        return (1.0,) * len(visits)
    shares = [visit / whole for visit in visits]
    queues = [0.0] * len(visits)
    takes = [1.0] * len(visits)
    for jobs in range(1, min(in_flight, MOST_JOBS) + 1):
        takes = [1 + queue for queue in queues]
        cycle = sum(share * one for share, one in zip(shares, takes, strict=True))
        queues = [jobs * share * one / cycle for share, one in zip(shares, takes, strict=True)]
    return tuple(takes)
