"""The stations against closed forms."""

import math

import pytest

from radoscope.predict.setting import FLOATS
from radoscope.predict.stations import Station, batch_commit, last_of, waiting


def test_one_station_alone_waits_as_m_m_1() -> None:
    """Many jobs: the arriving job sees the whole queue, W = s rho / (1 - rho)."""
    station = Station("disk", capacity=1000.0, service=1e-3)
    assert waiting(station, 600.0, 1.0, FLOATS) == pytest.approx(1e-3 * 0.6 / 0.4)


def test_a_single_job_never_waits() -> None:
    station = Station("disk", capacity=1000.0, service=1e-3)
    assert waiting(station, 999.0, 0.0, FLOATS) == 0.0


@pytest.mark.parametrize("jobs", [2, 3, 8])
def test_balanced_closed_network_agrees_with_exact_mean_value_analysis(jobs: int) -> None:
    """K equal stations, N jobs: X = N / (s (N + K - 1)) exactly, and Schweitzer's approximation is exact there."""
    service, count = 1e-3, 3
    exact = jobs / (service * (jobs + count - 1))
    station = Station("one of three", capacity=1 / service, service=service)
    seen = (jobs - 1) / jobs
    residence = count * (service + waiting(station, exact, seen, FLOATS))
    assert exact * residence == pytest.approx(jobs, rel=1e-9)


def test_a_commit_thread_at_rest_takes_one_flush_and_one_item() -> None:
    assert batch_commit(1e-3, 1e-5, 0.0, 0.9, FLOATS) == pytest.approx(1e-3 + 1e-5)


def test_batching_carries_far_more_than_one_commit_per_flush() -> None:
    """A flush of 2 ms would allow 500 commits a second one by one; in batches 20,000 still end in bounded time."""
    seconds = batch_commit(2e-3, 1e-5, 20_000.0, 1.0, FLOATS)
    assert 2e-3 < seconds < 6e-3


def test_the_last_of_several_follows_normal_order_statistics() -> None:
    for branches, exact in ((1, 0.0), (2, 0.564), (3, 0.846), (4, 1.029), (6, 1.267)):
        assert last_of(float(branches), FLOATS) == pytest.approx(exact, abs=0.04)
    assert math.isfinite(last_of(12.0, FLOATS))
