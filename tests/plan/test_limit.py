"""A latency limit in words, in a plan, and on the command line."""

from __future__ import annotations

import pytest

from radoscope.cli.study import limited, overridden
from radoscope.errors import PlanError
from radoscope.plan.expand import at_rate, cells_of
from radoscope.plan.load import load, load_text
from radoscope.plan.schema import check_plan, parse_limit
from radoscope.records.study import LatencyLimit
from tests.small_plans import cell

PLAN = 'name = "t"\n' + cell("rbd", op="randwrite", queue_depth=64, rate_iops=[50, 100], limit="p99 <= 10ms")


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("p99 <= 10ms", LatencyLimit(0.010, 99.0)),
        ("p99.9<=2 ms", LatencyLimit(0.002, 99.9)),
        (" mean ≤ 1s ", LatencyLimit(1.0)),
        ("p50 <= 500us", LatencyLimit(0.0005, 50.0)),
    ],
)
def test_a_limit_is_read_as_people_write_it(text: str, limit: LatencyLimit) -> None:
    assert parse_limit(text) == limit


@pytest.mark.parametrize("text", ["p99", "p98 <= 1ms", "p99 > 1ms", "max <= 1s", "p99 <= 10", "p99 <= 0ms", "p99 <= ?"])
def test_what_is_no_limit_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(PlanError) as caught:
        parse_limit(text)
    assert caught.value.hint


def test_its_words_are_read_as_the_same_limit() -> None:
    for text in ("p99.9 <= 2.5ms", "mean <= 150ms", "p50 <= 0.05ms"):
        assert parse_limit(parse_limit(text).words) == parse_limit(text)


def test_cells_of_a_search_carry_the_limit_and_come_back_from_a_kept_plan() -> None:
    plan = load_text(PLAN, "t")
    again = check_plan(plan.model_dump(mode="json"), "t")
    assert [cell.limit for cell in cells_of(again)] == [LatencyLimit(0.010, 99.0)] * 2


def test_a_limit_without_rates_or_that_is_none_is_a_fault_of_the_plan() -> None:
    with pytest.raises(PlanError, match="limit needs rate_iops"):
        load_text(PLAN.replace("rate_iops = [50, 100]", ""), "t")
    with pytest.raises(PlanError, match="not a latency limit"):
        load_text(PLAN.replace("p99 <= 10ms", "fast"), "t")


def test_another_rate_is_another_cell_of_the_same_search() -> None:
    first = cells_of(load_text(PLAN, "t"))[0]
    other = at_rate(first, 71)
    assert other.name == "rbd-4k-randwrite-qd64-rate71"
    assert other.title == "4K random write, QD64, at 71 IOPS"
    assert (other.conditions.rate_iops, other.limit) == (71, first.limit)


def test_the_option_puts_a_limit_on_every_open_loop_of_a_plan() -> None:
    plan = overridden(load("response-curve"), limit="p99 <= 10ms")
    assert all(cell.limit == LatencyLimit(0.010, 99.0) for cell in cells_of(plan))


def test_the_option_needs_an_open_loop() -> None:
    with pytest.raises(PlanError, match="needs cells with rate_iops") as caught:
        limited(load("quick"), "p99 <= 10ms")
    assert "response-curve" in caught.value.hint
