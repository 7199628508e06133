"""Little's law and flow balance are asserted on every run: a run in which an op is lost or doubled does not pass."""

from __future__ import annotations

from dataclasses import replace

import pytest

from radoscope.predict.simulate.model import SimulationModel, to_network
from radoscope.predict.simulate.run import LawViolated, RawRun, audit, run_network


@pytest.fixture
def run(cluster: SimulationModel) -> RawRun:
    return run_network(to_network(cluster, seed=1), seconds=0.01, warm_up_s=0.002, compiled=False)


def test_a_true_run_passes(run: RawRun) -> None:
    audit(run)


def test_an_op_that_vanishes_is_noticed(run: RawRun) -> None:
    run.at_end.routes["done"][0] -= 1
    with pytest.raises(LawViolated, match="ops begun"):
        audit(run)


def test_a_token_that_vanishes_from_the_agenda_is_noticed(run: RawRun) -> None:
    bucket = run.at_end.buckets.nonzero()[0][0]
    run.at_end.buckets[bucket] = 0
    with pytest.raises(LawViolated, match="flow"):
        audit(run)


def test_time_that_is_not_accounted_for_is_noticed(run: RawRun) -> None:
    run.at_end.routes["sojourn_s"][1] *= 1.001
    with pytest.raises(LawViolated, match="Little"):
        audit(run)


def test_a_station_that_works_more_than_it_can_is_noticed(run: RawRun) -> None:
    run.at_end.stations["busy_s"][0] += 2 * run.seconds
    with pytest.raises(LawViolated, match="busy"):
        audit(run)


def test_an_open_load_above_capacity_is_refused_and_said_so(cluster: SimulationModel) -> None:
    from radoscope.predict.simulate.results import result_of

    load = replace(cluster.loads[0], rate_per_s=5e6)
    network = to_network(replace(cluster, loads=(load,)), seed=1)
    network = replace(network, loads=tuple(replace(load, most=200) for load in network.loads))
    run = run_network(network, seconds=0.002, compiled=False)
    audit(run)
    assert any("refused" in remark for remark in result_of(run).remarks)
