"""What OSDs tell: two perf dumps, and what happened in between; their slowest operations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from radoscope.formats.tools import historic_ops
from radoscope.formats.tools.perf_dump import changes, pooled
from radoscope.records.telemetry import SEND_WAIT
from radoscope.run.telemetry import slim

SLOWEST = Path(__file__).parents[1] / "captures" / "historic_ops" / "16.2.15.json"


def dump(writes: int, seconds: float) -> dict[str, Any]:
    return {"osd": {"op_w": writes, "op_w_latency": {"avgcount": writes, "sum": seconds}}, "bluestore": {}}


def test_counters_are_differences_and_times_are_means_over_events() -> None:
    before, after = {"0": dump(10, 1.0), "1": dump(0, 0.0)}, {"0": dump(30, 2.0), "1": dump(60, 3.0)}
    osds = changes(before, after)
    assert osds[0]["osd.op_w_latency_s"] == pytest.approx(1.0 / 20)
    assert osds[1]["osd.op_w_latency_s"] == pytest.approx(3.0 / 60)
    together = pooled(osds)
    assert together["osd.op_w"] == 80
    assert together["osd.op_w_latency_s"] == pytest.approx(4.0 / 80)
    assert together["osd.op_w_latency_s.events"] == 80


def test_an_osd_that_started_anew_or_fell_silent_does_not_count() -> None:
    assert pooled(changes({"0": dump(10, 1.0), "1": dump(5, 1.0)}, {"0": dump(2, 0.1)})) == {}


def test_a_counter_is_found_under_the_names_of_each_release() -> None:
    old = {"0": {"bluestore": {"bluestore_onode_hits": 1}}}, {"0": {"bluestore": {"bluestore_onode_hits": 5}}}
    new = {"0": {"bluestore": {"onode_hits": 1}}}, {"0": {"bluestore": {"onode_hits": 5}}}
    assert pooled(changes(*old)) == pooled(changes(*new)) == {"bluestore.onode_hits": 4}


def test_threads_with_a_section_each_count_together() -> None:
    def waits(count: int, seconds: float) -> dict[str, Any]:
        return {"msgr_send_messages_queue_lat": {"avgcount": count, "sum": seconds}}

    before = {"AsyncMessenger::Worker-0": waits(10, 1.0), "AsyncMessenger::Worker-1": waits(0, 0.0)}
    after = {"AsyncMessenger::Worker-0": waits(20, 1.5), "AsyncMessenger::Worker-1": waits(30, 3.5)}
    together = pooled(changes({"0": before}, {"0": after}))
    assert together[SEND_WAIT.name] == pytest.approx(4.0 / 40)
    assert together[SEND_WAIT.events] == 40


@pytest.mark.parametrize("odd", [None, [], "", {"osd": None}, {"osd": {"op_w": "many", "op_w_latency": 3}}])
def test_a_dump_of_another_shape_says_nothing(odd: Any) -> None:
    assert pooled(changes({"0": odd}, {"0": odd})) == {}


def test_all_of_a_slow_operations_time_is_told_by_its_stretches() -> None:
    kept = {"0": slim(json.loads(SLOWEST.read_text()), since_s=1.7e9)}
    ops = historic_ops.read(kept)
    assert [op.replica for op in ops] == [False, False, True, True]
    for op in ops:
        assert sum(seconds for _, seconds in op.stretches) == pytest.approx(op.seconds, rel=0.01)
    stretches = dict(ops[0].stretches)
    assert stretches["queue"] == pytest.approx(9.7e-3, abs=1e-4)
    assert stretches["own store"] == pytest.approx(17.0e-3, abs=1e-4)
    assert stretches["replicas"] == pytest.approx(51.5e-3, abs=1e-4)


def test_of_slow_operations_no_names_and_none_from_before_are_kept() -> None:
    dump = json.loads(SLOWEST.read_text())
    assert "benchmark_data" not in json.dumps(slim(dump, since_s=1.7e9))
    assert slim(dump, since_s=4e9) == []
