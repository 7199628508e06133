"""Replications: the same answer on any number of cores, and intervals that tell how far one run is luck."""

from __future__ import annotations

import pytest
from tests.decided import known
from tests.predict.simulate.conftest import Way

from radoscope.predict.simulate import simulate
from radoscope.predict.simulate.model import SimulationModel
from radoscope.predict.simulate.replications import estimate, replicate, replication_seeds
from radoscope.stats.values import Undecided


def test_the_answer_does_not_depend_on_the_number_of_cores(way: Way, cluster: SimulationModel) -> None:
    one, two = (
        replicate(cluster, seconds=0.004, replications=3, seed=5, compiled=way.compiled, workers=workers)
        for workers in (1, 2)
    )
    assert [run.routes for run in one.runs] == [run.routes for run in two.runs]
    assert one.routes == two.routes


def test_each_replication_is_a_run_of_its_own_seed(cluster: SimulationModel) -> None:
    several = replicate(cluster, seconds=0.004, replications=2, seed=5, compiled=False)
    assert several.runs[0].routes == simulate(cluster, seconds=0.004, seed=5, compiled=False).routes
    assert several.runs[1].routes == simulate(cluster, seconds=0.004, seed=several.runs[1].seed, compiled=False).routes
    assert several.runs[0].routes != several.runs[1].routes


def test_seeds_are_all_different_and_the_first_is_the_one_given() -> None:
    seeds = replication_seeds(7, 1000)
    assert seeds[0] == 7
    assert len(set(seeds)) == 1000
    assert not set(seeds[1:]) & set(replication_seeds(8, 1000))


def test_the_interval_is_student_s() -> None:
    """Mean 3, standard deviation 1.5811, error 0.70711, t with 4 degrees of freedom 2.776445."""
    told = estimate([1.0, 2.0, 3.0, 4.0, 5.0])
    assert told.value == 3.0
    assert known(told.interval).half_width == pytest.approx(2.776445 * 0.70711, rel=1e-5)


def test_one_replication_has_no_interval() -> None:
    assert isinstance(estimate([1.0]).interval, Undecided)


def test_less_than_one_replication_is_refused(cluster: SimulationModel) -> None:
    with pytest.raises(ValueError, match="less than 1"):
        replicate(cluster, seconds=0.01, replications=0)
