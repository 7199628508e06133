"""The closed queueing network: N operations in flight, each station's wait in closed form, one root to find.

X R(X) = N has one solution X for N operations in flight, since the residence time R grows with the rate X. It is
found by bisection: 28 halvings (4e-9), no derivative, and the same code for one setting and for arrays of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from radoscope.predict.constants import Constants
from radoscope.predict.demands import Costs, costs
from radoscope.predict.setting import FLOATS, Numbers, Real, Setting
from radoscope.predict.stations import batch_commit, last_of, waiting
from radoscope.words import N_

HALVINGS = 28
BUSY = 0.7
"""A station busier than this is the bottleneck; below it the longest part of the latency is."""


@dataclass(frozen=True, slots=True)
class Solution:
    """rate: operations per second. parts: seconds of one operation by layer, they sum to in_flight / rate.

    busy: station -> utilisation. bounds: rate cannot exceed in_flight / unloaded latency, nor the smallest capacity.
    """

    rate: Real
    parts: Mapping[str, Real]
    busy: Mapping[str, Real]
    bounds: Mapping[str, Real]


def solve(setting: Setting, constants: Constants, numbers: Numbers = FLOATS) -> Solution:
    """The throughput of the closed network, and where an operation spends its time."""
    cost = costs(setting, constants, numbers)
    rate = solve_rate(setting, cost, numbers)
    seen = _seen(setting, numbers)
    parts = {
        N_("network"): cost.network,
        N_("client software"): cost.client,
        N_("OSD software"): cost.osd,
        N_("drive"): cost.media,
        N_("commit"): _commit_wait(cost, setting, rate, seen, numbers),
    }
    for station in cost.stations:
        parts[f"queue: {station.name}"] = waiting(station, rate, seen, numbers)
    busy = {station.name: rate / station.capacity for station in cost.stations}
    busy[N_("commit thread")] = rate * cost.commits * cost.commit_item
    return Solution(rate, parts, busy, bounds(setting, cost, numbers))


def solve_rate(setting: Setting, cost: Costs, numbers: Numbers) -> Real:
    """The rate X at which X R(X) = N, in operations per second."""
    limits = bounds(setting, cost, numbers)
    high = numbers.smaller(limits["latency"], limits["capacity"])
    low: Any = 0.0 * high
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        fits = middle * residence(setting, cost, middle, numbers) < setting.in_flight
        low, high = numbers.choose(fits, middle, low), numbers.choose(fits, high, middle)
    return (low + high) / 2


def bottleneck(solution: Solution) -> str:
    """The station that is full, else the longest part of the latency. For one setting, not for arrays."""
    name, share = max(solution.busy.items(), key=lambda pair: pair[1])
    if share > BUSY:
        return name
    return max(solution.parts.items(), key=lambda pair: pair[1])[0].removeprefix("queue: ")


def _seen(setting: Setting, numbers: Numbers) -> Real:
    return (setting.in_flight - 1) / numbers.larger(setting.in_flight, 1.0)


def bounds(setting: Setting, cost: Costs, numbers: Numbers) -> dict[str, Real]:
    """What the rate cannot exceed: in_flight over the unloaded latency, and the smallest capacity."""
    still = cost.network + cost.client + cost.osd + cost.media
    still = still + cost.write_share * (cost.commit_flush + cost.commit_item)
    capacity = 1 / (cost.commits * cost.commit_item + 1e-12)
    for station in cost.stations:
        capacity = numbers.smaller(capacity, station.capacity)
    return {"latency": setting.in_flight / still, "capacity": capacity}


def residence(setting: Setting, cost: Costs, rate: Real, numbers: Numbers) -> Real:
    """Seconds that one operation takes at a rate."""
    seen = _seen(setting, numbers)
    total = cost.network + cost.client + cost.osd + cost.media
    for station in cost.stations:
        total = total + waiting(station, rate, seen, numbers)
    return total + _commit_wait(cost, setting, rate, seen, numbers)


def _commit_wait(cost: Costs, setting: Setting, rate: Real, seen: Real, numbers: Numbers) -> Real:
    one = batch_commit(cost.commit_flush, cost.commit_item, rate * cost.commits, seen, numbers)
    return cost.write_share * one * (1 + cost.join * last_of(setting.width, numbers))
