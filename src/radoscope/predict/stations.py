"""Stations of a closed queueing network: what an operation waits for at a server that is busy with others.

Equations: Schweitzer's approximate mean value analysis (an arriving job sees the queue of a network with one job
less, taken as the share (N-1)/N of the present one), Seidmann's transformation for several servers with one queue.
"""

from __future__ import annotations

from dataclasses import dataclass

from radoscope.predict.setting import Numbers, Real


@dataclass(frozen=True, slots=True)
class Station:
    """name: as the bottleneck is called. capacity: operations per second at which it is full.

    service: seconds that one operation holds one of its servers; part of the latency already, so only waiting is
    added. A pool of servers with one queue waits 1/capacity per job ahead, separate servers wait `service`.
    """

    name: str
    capacity: Real
    service: Real


def waiting(station: Station, rate: Real, seen: Real, numbers: Numbers) -> Real:
    """Seconds of waiting at a rate in operations per second. seen: (N-1)/N. Random service (variation 1)."""
    busy = numbers.smaller(seen * rate / station.capacity, 1 - 1e-9)
    return station.service * busy / (1 - busy)


def batch_commit(flush: Real, per_item: Real, rate: Real, seen: Real, numbers: Numbers) -> Real:
    """Seconds from hand-over to durable with one thread that commits everything queued in one batch.

    flush: seconds per batch; per_item: seconds per item; rate: items per second of this thread. A batch lasts
    C = flush + per_item x items, and gathers rate x C items; an arrival waits half of the running batch on average.
    """
    busy = numbers.smaller(rate * per_item, 1 - 1e-9)
    items = numbers.larger(1.0, rate * flush / (1 - busy))
    cycle = flush + per_item * items
    running = numbers.smaller(1.0, rate * cycle)
    return cycle * (1 + running * seen / 2)


def last_of(branches: Real, numbers: Numbers) -> Real:
    """How far the mean of the slowest of several equal branches lies above one branch, in standard deviations.

    Normal order statistics are 0, 0.56, 0.85, 1.03, 1.27 for 1, 2, 3, 4, 6 branches; 0.78 ln(n)^0.88 is within 0.04.
    """
    return 0.78 * numbers.log(numbers.larger(branches, 1.0)) ** 0.88
