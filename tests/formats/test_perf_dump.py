"""Two perf dumps of OSDs: what happened in between."""

from __future__ import annotations

from typing import Any

import pytest

from radoscope.formats.perf_dump import changes, pooled


def dump(writes: int, seconds: float) -> dict[str, Any]:
    return {"osd": {"op_w": writes, "op_w_latency": {"avgcount": writes, "sum": seconds}}, "bluestore": {}}


def test_counters_are_differences_and_times_are_means_over_events() -> None:
    before, after = {0: dump(10, 1.0), 1: dump(0, 0.0)}, {0: dump(30, 2.0), 1: dump(60, 3.0)}
    osds = changes(before, after)
    assert osds[0]["osd.op_w_latency_s"] == pytest.approx(1.0 / 20)
    assert osds[1]["osd.op_w_latency_s"] == pytest.approx(3.0 / 60)
    together = pooled(osds)
    assert together["osd.op_w"] == 80
    assert together["osd.op_w_latency_s"] == pytest.approx(4.0 / 80)
    assert together["osd.op_w_latency_s.events"] == 80


def test_an_osd_that_started_anew_or_fell_silent_does_not_count() -> None:
    assert pooled(changes({0: dump(10, 1.0), 1: dump(5, 1.0)}, {0: dump(2, 0.1)})) == {}


def test_a_counter_is_found_under_the_names_of_each_release() -> None:
    old = {0: {"bluestore": {"bluestore_onode_hits": 1}}}, {0: {"bluestore": {"bluestore_onode_hits": 5}}}
    new = {0: {"bluestore": {"onode_hits": 1}}}, {0: {"bluestore": {"onode_hits": 5}}}
    assert pooled(changes(*old)) == pooled(changes(*new)) == {"bluestore.onode_hits": 4}


@pytest.mark.parametrize("odd", [None, [], "", {"osd": None}, {"osd": {"op_w": "many", "op_w_latency": 3}}])
def test_a_dump_of_another_shape_says_nothing(odd: Any) -> None:
    assert pooled(changes({0: odd}, {0: odd})) == {}
