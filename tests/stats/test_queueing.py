"""Waits at equal servers, against the product form of closed networks."""

from __future__ import annotations

import itertools
import math

import pytest

from radoscope.stats.queueing import MOST_JOBS, waits_of_equals


def by_states(visits: tuple[float, ...], jobs: int) -> tuple[float, ...]:
    """The same from all states and their probabilities (Gordon and Newell 1967)."""
    shares = [visit / sum(visits) for visit in visits]
    states = [one for one in itertools.product(range(jobs + 1), repeat=len(visits)) if sum(one) == jobs]
    weights = [math.prod(share**count for share, count in zip(shares, one, strict=True)) for one in states]
    whole = sum(weights)
    queues = [sum(w * one[k] for w, one in zip(weights, states, strict=True)) / whole for k in range(len(visits))]
    busy = [sum(w for w, one in zip(weights, states, strict=True) if one[k]) / whole for k in range(len(visits))]
    return tuple(queue / share_busy for queue, share_busy in zip(queues, busy, strict=True))


@pytest.mark.parametrize(("visits", "jobs"), [((39, 26, 25), 8), ((1, 1, 1), 5), ((3, 1), 16), ((5, 4, 3, 2), 6)])
def test_waits_are_those_of_the_product_form(visits: tuple[float, ...], jobs: int) -> None:
    assert waits_of_equals(visits, jobs) == pytest.approx(by_states(visits, jobs))


def test_one_at_a_time_waits_for_nobody_and_equals_wait_alike() -> None:
    assert waits_of_equals((9, 1, 0), 1) == (1, 1, 1)
    assert waits_of_equals((2, 2, 2, 2), 9) == pytest.approx((1 + 8 / 4,) * 4)
    assert waits_of_equals((0, 0), 4) == (1, 1)
    assert waits_of_equals((2, 1), 10**9) == waits_of_equals((2, 1), MOST_JOBS)
