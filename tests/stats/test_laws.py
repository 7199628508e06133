"""Little's law, utilisation and bounds against closed forms."""

import pytest

from radoscope.stats.laws import asymptotic_bounds, balanced_rate, check_little, service_demand, utilisation


def test_little_holds_for_a_queue_whose_answer_is_known() -> None:
    """M/M/1 with arrivals 8/s and service 10/s: 0.5 s in the system, 4 in it."""
    assert check_little(8, 0.5, 4).holds()
    assert check_little(8, 0.5, 4).ratio == 1


def test_a_synchronous_engine_with_a_depth_of_64_is_found_out() -> None:
    check = check_little(rate_per_s=500, latency_s=0.002, in_flight=64)
    assert not check.holds()
    assert check.implied == 1


def test_nothing_in_flight_is_refused() -> None:
    with pytest.raises(ValueError, match="positive"):
        check_little(1, 1, 0)


def test_utilisation_and_demand_are_each_others_inverse() -> None:
    assert utilisation(100, 0.02, servers=4) == 0.5
    assert service_demand(0.5, 100, servers=4) == 0.02


def test_bounds_are_those_of_a_textbook() -> None:
    """Demands 0.1, 0.05, 0.05 s: one in flight gets 5/s, many get 10/s and wait."""
    demands = (0.1, 0.05, 0.05)
    assert asymptotic_bounds(1, demands).rate_per_s == pytest.approx(5)
    assert asymptotic_bounds(10, demands).rate_per_s == pytest.approx(10)
    assert asymptotic_bounds(10, demands).latency_s == pytest.approx(1.0)
    assert balanced_rate(1, demands) == pytest.approx(5)
    assert balanced_rate(10, demands) < 10
