"""Laws that hold for any system of queues, whatever is inside: Little's law, utilisation, bounds.

Sources: Little 1961; Denning and Buzen 1978 (operational laws); Lazowska and others 1984, chapter 5 (bounds).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LittleCheck:
    """in_flight: I/Os that were asked to be in flight; implied: rate x latency; ratio: implied / in_flight."""

    in_flight: float
    implied: float

    @property
    def ratio(self) -> float:
        return self.implied / self.in_flight

    def holds(self, tolerance: float = 0.1) -> bool:
        return abs(self.ratio - 1) <= tolerance


def check_little(rate_per_s: float, latency_s: float, in_flight: float) -> LittleCheck:
    """In a closed loop the mean number in flight is the rate times the mean latency (Little 1961).

    Well below 1: fewer I/Os were in flight than asked (a synchronous engine, a full client). Above 1: more jobs or
    clients than were told, or rate and latency of different runs.
    """
    if in_flight <= 0:
        raise ValueError("in_flight must be positive")
    return LittleCheck(in_flight=in_flight, implied=rate_per_s * latency_s)


def utilisation(rate_per_s: float, service_s: float, servers: int = 1) -> float:
    """Share of time that each of `servers` is busy (the utilisation law); above 1 the figures contradict each other."""
    return rate_per_s * service_s / servers


def service_demand(busy: float, rate_per_s: float, servers: int = 1) -> float:
    """Seconds of a resource that one I/O takes: its busy share (0 to 1) times servers over the rate."""
    return busy * servers / rate_per_s


@dataclass(frozen=True, slots=True)
class Bounds:
    """No closed system with these demands can do better: rate_per_s at most, latency_s at least."""

    rate_per_s: float
    latency_s: float


def asymptotic_bounds(in_flight: float, demands_s: tuple[float, ...], delay_s: float = 0.0) -> Bounds:
    """Asymptotic bounds for `in_flight` I/Os that each need `demands_s` of the queueing resources and wait `delay_s`.

    The rate is at most that of the busiest resource and at most what no queueing would give.
    """
    total, largest = sum(demands_s), max(demands_s, default=0.0)
    alone = in_flight / (total + delay_s)
    rate = min(alone, 1 / largest) if largest > 0 else alone
    return Bounds(rate_per_s=rate, latency_s=max(total, in_flight * largest - delay_s))


def balanced_rate(in_flight: int, demands_s: tuple[float, ...]) -> float:
    """Lower bound of the rate by balanced job bounds (Zahorjan and others 1982), without delay: all queues at worst."""
    total, largest = sum(demands_s), max(demands_s)
    return in_flight / (total + (in_flight - 1) * largest)
