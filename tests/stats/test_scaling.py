"""More clients: what each step brings, and how many can have what a product promises."""

import random

import pytest

from radoscope.records.study import Segment, Study
from radoscope.stats.scaling import scaling_steps
from radoscope.stats.summarise import summarise
from radoscope.stats.targets import TARGETS, Promise, answer
from radoscope.stats.values import Estimate, Interval, Undecided
from tests.decided import known, undecided
from tests.stats.building import a_cell, a_latency, a_result, a_segment, a_study


def images(totals: dict[int, float], spread: float = 0.01) -> Study:
    """Cells with 1, 2, 4... images and these sums of IOPS."""
    rng = random.Random(1)
    return a_study(
        *(
            (a_cell(f"n{count}", clients=count), [total * rng.gauss(1, spread) for _ in range(8)])
            for count, total in totals.items()
        )
    )


def test_each_step_is_measured_against_the_smallest_cell() -> None:
    steps = scaling_steps(images({1: 1000, 2: 1800, 4: 2000}))
    assert [(step.clients_before, step.clients) for step in steps] == [(1, 2), (1, 4)]
    assert known(steps[0].efficiency).value == pytest.approx(0.9, abs=0.02)
    assert known(steps[1].efficiency).value == pytest.approx(0.5, abs=0.02)
    assert not known(known(steps[1].efficiency).interval).excludes(0.5)


def test_cells_that_differ_in_more_than_clients_are_not_steps_of_each_other() -> None:
    study = a_study((a_cell("a"), [1.0] * 5), (a_cell("b", clients=2, queue_depth=1), [2.0] * 5))
    assert scaling_steps(study) == ()


def test_clients_that_can_have_500_write_iops_are_read_between_cells() -> None:
    """Totals of 1000 and 1200 for 1 and 4 clients: each has 1000, then 300; on logs 500 is met near 2.2 clients."""
    found = answer(summarise(images({1: 1000, 4: 1200})), TARGETS["sakura-standard"])[0]
    assert found.limit == "rate"
    assert known(found.clients).value == pytest.approx(2.22, abs=0.05)
    assert isinstance(known(found.clients).interval, Interval)
    assert known(known(found.clients).interval).low < 2.22 < known(known(found.clients).interval).high


def test_beyond_the_largest_cell_nothing_is_promised() -> None:
    found = answer(summarise(images({1: 1000, 2: 2000})), TARGETS["sakura-standard"])[0].clients
    assert isinstance(found, Undecided)
    assert "more than 2" in found.needs


def test_a_target_that_one_client_misses_is_out_of_reach() -> None:
    found = known(answer(summarise(images({1: 300, 2: 400})), TARGETS["sakura-standard"])[0].clients)
    interval = known(found.interval)
    assert (found.value, interval.low, interval.high) == (0, 0, 0)


def test_a_target_within_the_interval_of_one_client_is_undecided() -> None:
    found = undecided(answer(summarise(images({1: 499, 2: 700}, spread=0.05)), TARGETS["sakura-standard"])[0].clients)
    assert "interval holds the target" in found.because


def test_a_target_that_many_clients_miss_says_nothing_of_fewer() -> None:
    found = undecided(answer(summarise(images({4: 300, 8: 400})), TARGETS["sakura-standard"])[0].clients)
    assert found.needs == "cells with fewer than 4 clients"


def test_clients_that_are_held_to_a_rate_or_to_one_osd_do_not_answer() -> None:
    held = a_study((a_cell("n1", rate_iops=100.0), [100.0] * 8), (a_cell("osd", pinned="osd"), [900.0] * 8))
    assert answer(summarise(held), TARGETS["sakura-standard"]) == ()


def test_other_block_sizes_do_not_answer() -> None:
    assert answer(summarise(images({1: 1000})), Promise(name="x", write_iops=10, block_bytes=65536)) == ()


def test_latency_may_be_what_breaks_first() -> None:
    def cell(count: int, latency_s: float, ios: int = 2000) -> list[Segment]:
        results = [a_result(1000, latency=a_latency([latency_s] * ios)) for _ in range(count)]
        return [a_segment(*results, cell=f"n{count}", number=i) for i in range(8)]

    cells = tuple(a_cell(f"n{count}", clients=count) for count in (1, 4))
    study = a_study(*((cell, []) for cell in cells), segments=(*cell(1, 0.001), *cell(4, 0.010)))
    target = Promise(name="quick", write_iops=500, latency_s=0.003, percentile=99.0)
    found = answer(summarise(study), target)[0]
    assert found.limit == "latency"
    assert isinstance(found.clients, Estimate)
    assert 1 < found.clients.value < 4
    assert found.latency_s == pytest.approx(0.003, rel=0.02)


def test_a_latency_that_the_sample_does_not_bear_answers_nothing() -> None:
    result = a_result(1000, latency=a_latency([0.001] * 10))
    study = a_study((a_cell(), []), segments=tuple(a_segment(result, number=i) for i in range(8)))
    found = answer(summarise(study), Promise(name="quick", write_iops=500, latency_s=0.003))[0]
    assert "I/Os" in undecided(found.clients).because


def test_cells_of_one_segment_answer_without_an_interval() -> None:
    study = a_study((a_cell("n1"), [1000.0]), (a_cell("n4", clients=4), [1200.0]))
    found = known(answer(summarise(study), TARGETS["sakura-standard"])[0].clients)
    assert found.value == pytest.approx(2.22, abs=0.01)
    assert "1 segment" in undecided(found.interval).because
