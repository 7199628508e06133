"""What published errors on a machine say of the next result from it."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from radoscope.predict.facts import Facts
from radoscope.predict.forecast import forecast
from radoscope.predict.machines import carried_over, machine
from radoscope.predict.model import Model
from radoscope.predict.whatif import compare, parse_changes

KNOWN = {"2x Xeon / Intel P4500": {"qd1-w": math.log(2), "any": 0.1}}
FACTS = Facts(
    cpu_model="2x Xeon",
    osd_device_model="Intel P4500",
    nodes=3,
    osds_per_node=4,
    op="rand_write",
    block_bytes=4096,
    queue_depth=1,
    clients=1,
)


@pytest.fixture
def taught(model: Model) -> Model:
    return replace(model, machines=KNOWN)


def test_a_machine_is_its_processor_and_its_drive() -> None:
    assert machine(FACTS) == "2x Xeon / Intel P4500"
    assert machine(replace(FACTS, cpu_model=None)) is None


def test_a_machine_nobody_published_has_no_factor() -> None:
    assert carried_over(replace(FACTS, osd_device_model="Intel P4510"), "qd1-w", KNOWN) == 0.0


def test_a_class_nobody_measured_there_gets_what_all_classes_share() -> None:
    assert carried_over(FACTS, "deep-r", KNOWN) == 0.1


def test_the_forecast_moves_by_the_factor_and_its_parts_still_sum_to_its_latency(model: Model, taught: Model) -> None:
    plain, seen = forecast(FACTS, replace(model, machines={})), forecast(FACTS, taught)
    assert seen.iops == pytest.approx(2 * plain.iops)
    assert sum(seen.budget_s.values()) == pytest.approx(seen.latency_s, rel=1e-3)


def test_a_what_if_starts_from_the_same_factor(taught: Model) -> None:
    same = compare(FACTS, parse_changes(["nodes = 3"]), taught)
    assert same.ratio == pytest.approx(1.0)
    assert same.iops == pytest.approx(forecast(FACTS, taught).iops)
