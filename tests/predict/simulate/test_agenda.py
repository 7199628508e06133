"""The calendar queue gives tokens in the order of (due, order), whatever the length of its days."""

from __future__ import annotations

import heapq
import random

import pytest

from radoscope.predict.simulate.agenda import appoint, peek, strike
from radoscope.predict.simulate.assembly import assemble
from radoscope.predict.simulate.network import Load, Network, Route, StationGroup
from radoscope.predict.simulate.run import as_objects
from radoscope.predict.simulate.tables import World


def empty_world(tokens: int) -> World:
    load = Load(name="none", routes=(Route(name="none", steps=()),), rate_per_s=1.0, most=tokens)
    world = assemble(Network(stations=(StationGroup("x"),), loads=(load,)), seed=1, seconds=1.0)
    world = World(*(as_objects(table) for table in world))
    strike(world, peek(world))  # the first arrival
    return world


@pytest.mark.parametrize("gap", [1e-9, 1e-3, 1e5])
def test_the_order_is_that_of_a_sorted_list(gap: float) -> None:
    chance = random.Random(1)
    expected: list[tuple[float, int, int]] = []
    world, order, now = empty_world(500), 0, 0.0
    free = list(range(1, 501))
    for _ in range(6000):
        if free and (not expected or chance.random() < 0.5):
            token, due = free.pop(), now + chance.choice([0.0, gap, chance.expovariate(1 / gap), 1000 * gap])
            order += 1
            heapq.heappush(expected, (due, order, token))
            appoint(world, token, due)
        else:
            due, _, token = heapq.heappop(expected)
            assert peek(world) == token
            strike(world, token)
            free.append(token)
            now = due


def test_whoever_was_appointed_first_comes_first_among_equals() -> None:
    world = empty_world(50)
    for token in range(50, 0, -1):
        appoint(world, token, 1.0)
    order = []
    while token := peek(world):
        strike(world, token)
        order.append(token)
    assert order == list(range(50, 0, -1))


def test_an_appointment_before_the_one_peeked_at_is_not_missed() -> None:
    world = empty_world(10)
    appoint(world, 1, 100.0)
    assert peek(world) == 1
    appoint(world, 2, 3.0)
    assert peek(world) == 2
