"""Warm-up and memory of a series."""

import numpy as np
import numpy.typing as npt

from radoscope.stats.steady import Trimmed, mean_of_series, trim_warmup
from radoscope.stats.values import Interval, Undecided
from tests.decided import known, undecided


def ar1(seed: int, count: int, rho: float, mean: float = 100.0, deviation: float = 10.0) -> npt.NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    values = np.empty(count)
    values[0] = rng.standard_normal()
    for i in range(1, count):
        values[i] = rho * values[i - 1] + np.sqrt(1 - rho**2) * rng.standard_normal()
    return mean + deviation * values


def test_a_slow_start_is_cut_and_nothing_else() -> None:
    rates = np.concatenate([np.linspace(10, 100, 10), ar1(1, 90, 0.3, deviation=3)])
    trimmed = trim_warmup(rates)
    assert isinstance(trimmed, Trimmed)
    assert trimmed.dropped in (10, 15)
    assert len(trimmed.kept) == 100 - trimmed.dropped


def test_a_steady_run_loses_little() -> None:
    assert known(trim_warmup(ar1(2, 200, 0.3))).dropped <= 50


def test_a_run_that_goes_on_rising_was_too_short() -> None:
    assert isinstance(trim_warmup(np.arange(100.0) ** 2), Undecided | Trimmed)
    assert isinstance(trim_warmup(np.concatenate([np.arange(80.0) * 100, np.full(20, 8000.0)])), Undecided)


def test_a_few_seconds_say_nothing_about_warm_up() -> None:
    assert "at least 30" in undecided(trim_warmup([1.0] * 12)).because


def test_a_long_series_has_an_interval_and_a_short_one_does_not() -> None:
    assert isinstance(known(mean_of_series(ar1(8, 300, 0.5))).interval, Interval)
    assert "at least 60 s" in undecided(known(mean_of_series(ar1(8, 45, 0.5))).interval).because


def test_a_slow_series_has_a_wider_interval_than_a_quick_one() -> None:
    quick = np.mean([known(mean_of_series(ar1(seed, 300, 0.3))).relative_half_width or 1 for seed in range(10)])
    slow = np.mean([known(mean_of_series(ar1(seed, 300, 0.95))).relative_half_width or 1 for seed in range(10)])
    assert slow > 3 * quick


def test_the_interval_of_a_series_holds_the_true_mean() -> None:
    intervals = [known(mean_of_series(ar1(seed, 180, 0.9))).interval for seed in range(200)]
    given = [each for each in intervals if isinstance(each, Interval)]
    assert len(given) > 150
    assert np.mean([not each.excludes(100.0) for each in given]) > 0.88
