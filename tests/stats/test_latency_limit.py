"""The search for the most IOPS under a latency limit, held against queues whose answer is known."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest

from radoscope.stats.latency_limit import Below, Found, Tried, falls_short, find_limit, next_rates
from radoscope.stats.values import Estimate, Interval, Undecided

LADDER = (50.0, 100.0, 200.0, 400.0, 800.0, 1600.0)
SERVED = 1000.0
SEGMENT_S, WARM_S, EACH_S = 4.0, 1.0, 6.0


@dataclass(frozen=True)
class Asked:
    """A limit of the mean (percentile None) or of a percentile."""

    latency_s: float
    percentile: float | None = None

    @property
    def truth_mm1(self) -> float:
        """M/M/1: sojourn times are exponential with rate mu - lambda."""
        if self.percentile is None:
            return SERVED - 1 / self.latency_s
        return SERVED + math.log(1 - self.percentile / 100) / self.latency_s


def sojourns(rng: np.random.Generator, rate: float, cv2: float, slow: float) -> tuple[np.ndarray, float]:
    """One segment of a queue M/G/1 that begins empty: latencies of those that came after the ramp, rate of those done.

    cv2: squared coefficient of variation of service (gamma). slow: by how much service is slower than it is told.
    """
    count = int(rate * (SEGMENT_S + WARM_S) * 1.3 + 60)
    between, service = rng.exponential(1 / rate, count), rng.gamma(1 / cv2, cv2 * slow / SERVED, count)
    came = np.cumsum(between)
    steps = np.concatenate(([0.0], service[:-1] - between[1:]))
    walk = np.cumsum(steps)
    latencies = walk - np.minimum.accumulate(walk) + service
    done = came + latencies
    inside = (came > WARM_S) & (came <= WARM_S + SEGMENT_S)
    return latencies[inside], float(np.sum((done > WARM_S) & (done <= WARM_S + SEGMENT_S))) / SEGMENT_S


def search(
    seed: int, asked: Asked, *, drift: float = 0.0, cv2: float = 1.0, budget_s: float = 240.0, precision: float = 0.05
) -> tuple[Found, list[Tried]]:
    """A whole search on a queue whose speed drifts: AR(1) with a memory of 25 s, `drift` its standard deviation."""
    rng = np.random.default_rng(seed)
    tried: list[Tried] = []
    state = rng.normal()
    while rates := list(next_rates(tried, LADDER, precision, EACH_S)):
        if (len(tried) + len(rates)) * EACH_S > budget_s:
            break
        rng.shuffle(rates)
        for rate in rates:
            memory = math.exp(-EACH_S / 25)
            state = memory * state + math.sqrt(1 - memory**2) * rng.normal()
            latencies, achieved = sojourns(rng, rate, cv2, math.exp(drift * state))
            tried.append(a_step(rate, achieved, latencies, asked, len(tried) * EACH_S))
    return find_limit(tried, EACH_S), tried


def a_step(rate: float, achieved: float, latencies: np.ndarray, asked: Asked, began_s: float) -> Tried:
    over, allowed = float(latencies.mean()) / asked.latency_s, None
    if asked.percentile is not None:
        allowed = len(latencies) * (1 - asked.percentile / 100)
        over = float(np.sum(latencies > asked.latency_s)) / allowed
    return Tried(rate_iops=rate, achieved_iops=achieved, seconds=SEGMENT_S, over=over, allowed=allowed, began_s=began_s)


def steps(*pairs: tuple[float, float], allowed: float | None = None) -> list[Tried]:
    """(rate, over) -> steps that achieved their rate."""
    return [
        Tried(rate_iops=rate, achieved_iops=rate, seconds=4.0, over=over, allowed=allowed, began_s=EACH_S * number)
        for number, (rate, over) in enumerate(pairs)
    ]


def intervals(found: list[Found]) -> list[Interval]:
    """Of the searches that came to an answer."""
    ends = [one.interval for one in found if isinstance(one, Estimate)]
    return [one for one in ends if isinstance(one, Interval)]


@pytest.mark.parametrize("asked", [Asked(0.005), Asked(0.010, 95.0), Asked(0.010, 99.0)], ids=["mean", "p95", "p99"])
def test_intervals_hold_the_answer_of_the_queue_mm1(asked: Asked) -> None:
    found = [search(seed, asked)[0] for seed in range(16)]
    assert len(intervals(found)) == len(found)
    assert sum(not one.excludes(asked.truth_mm1) for one in intervals(found)) >= 14
    assert abs(np.mean([one.value for one in found if isinstance(one, Estimate)]) / asked.truth_mm1 - 1) < 0.03


def test_intervals_grow_with_a_machine_that_drifts_and_go_on_holding_the_answer() -> None:
    asked = Asked(0.005)
    calm = [search(seed, asked)[0] for seed in range(12)]
    found = [search(seed, asked, drift=0.05)[0] for seed in range(12)]
    covering = [not one.excludes(asked.truth_mm1) for one in intervals(found)]
    assert len(covering) >= 10
    assert sum(covering) >= len(covering) - 2
    widths = [[one.half_width for one in intervals(some)] for some in (calm, found)]
    assert np.median(widths[1]) > np.median(widths[0])


def test_an_even_service_finds_the_answer_of_pollaczek_and_khinchine() -> None:
    """M/G/1 with a variance of service of a quarter: wait = rho / (1 - rho) x (1 + cv2) / 2 x service time."""
    latency, cv2 = 0.004, 0.25
    load = (latency * SERVED - 1) / ((1 + cv2) / 2)
    truth = SERVED * load / (1 + load)
    found = [search(seed, Asked(latency), cv2=cv2)[0] for seed in range(12)]
    assert sum(not one.excludes(truth) for one in intervals(found)) >= 10


def test_it_climbs_from_the_gentlest_rate_and_stops_where_the_limit_is_far_behind() -> None:
    _, tried = search(1, Asked(0.005))
    rates = [one.rate_iops for one in tried]
    assert rates[:4] == [50.0, 100.0, 200.0, 400.0]
    assert max(rates) <= 1600.0
    assert np.mean([abs(math.log(rate / 800)) < math.log(1.3) for rate in rates]) > 0.5


def test_a_search_asks_for_no_more_when_it_is_precise() -> None:
    found, tried = search(3, Asked(0.005))
    assert isinstance(found, Estimate)
    assert (found.relative_half_width or 1) <= 0.05
    assert len(tried) * EACH_S < 240
    assert next_rates(tried, LADDER, 0.05, EACH_S) == ()


def test_even_the_gentlest_load_may_break_the_limit() -> None:
    found, tried = search(1, Asked(0.0005))
    assert found == Below(50.0, found.segments if isinstance(found, Below) else 0)
    assert len(tried) <= 8


def test_one_bad_segment_at_the_gentlest_rate_is_not_sure() -> None:
    found = find_limit(steps((50, 5.0)))
    assert isinstance(found, Undecided)
    assert "too few to be sure" in found.because


def test_a_limit_that_nothing_broke_is_undecided_and_the_search_climbs_on() -> None:
    tried = steps(*((rate, 0.1) for rate in LADDER))
    found = find_limit(tried)
    assert isinstance(found, Undecided)
    assert "even at 1,600 IOPS" in found.because
    assert next_rates(tried, LADDER, 0.05) == (3200.0,)


def test_a_percentile_that_the_sample_cannot_bear_is_refused() -> None:
    tried = steps((50, 0), (100, 0), (200, 0), (400, 3), (283, 1.5), (400, 2), (283, 0), (238, 0), allowed=0.4)
    found = find_limit(tried)
    assert isinstance(found, Undecided)
    assert "allowed to be slow" in found.because
    assert "--seconds" in found.needs


def test_latency_that_does_not_rise_with_the_rate_is_undecided() -> None:
    tried = steps((100, 2.0), (200, 0.4), (100, 0.5), (200, 1.4), (100, 1.3), (200, 0.9), (150, 0.8), (150, 1.2))
    assert isinstance(find_limit(tried), Undecided)


def test_latency_that_is_the_same_at_all_rates_is_undecided() -> None:
    assert isinstance(find_limit(steps((100, 0.5), (100, 2), (110, 0.5), (110, 2)), 10), Undecided)


def test_a_rate_that_was_not_achieved_breaks_the_limit_whatever_its_latency() -> None:
    full = Tried(rate_iops=1000, achieved_iops=700, seconds=4, over=0.2, allowed=None, began_s=0)
    assert full.saturated
    assert full.broken
    assert full.far


def test_a_few_arrivals_less_than_expected_are_chance_and_no_saturation() -> None:
    assert not falls_short(50, 45, 4.0)
    assert falls_short(50, 35, 4.0)
    assert not falls_short(1000, 955, 4.0)
    assert falls_short(1000, 900, 4.0)


def test_no_segment_is_no_answer_and_the_first_rate_is_the_gentlest() -> None:
    assert isinstance(find_limit(()), Undecided)
    assert next_rates((), LADDER, 0.05) == (50.0,)
