"""Percentiles and their intervals."""

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from radoscope.records.measurement import Histogram
from radoscope.stats.tails import (
    clopper_pearson,
    effective_sample,
    merge_histograms,
    percentile,
    percentile_with_interval,
    percentiles_of,
)
from radoscope.stats.values import Interval, Undecided
from tests.decided import known, undecided


def histogram_of(latencies_s: npt.ArrayLike) -> Histogram:
    values, counts = np.unique(np.asarray(latencies_s), return_counts=True)
    return Histogram(tuple(values.tolist()), tuple(counts.tolist()))


def binned(latencies_s: npt.NDArray[np.float64]) -> Histogram:
    """As fio does: 64 bins for each power of two, named by their middle."""
    exponent = np.floor(np.log2(latencies_s))
    width = 2.0 ** (exponent - 6)
    return histogram_of((np.floor(latencies_s / width) + 0.5) * width)


def test_merged_histograms_hold_all_counts() -> None:
    merged = merge_histograms([Histogram((1.0, 2.0), (3, 4)), Histogram((2.0, 5.0), (1, 1))])
    assert merged == Histogram((1.0, 2.0, 5.0), (3, 5, 1))


@pytest.mark.parametrize(("percent", "value"), [(50, 3.0), (30, 2.0), (31, 3.0), (99, 4.0), (100, 4.0)])
def test_a_percentile_is_the_first_bin_that_reaches_it(percent: float, value: float) -> None:
    assert percentile(Histogram((1.0, 2.0, 3.0, 4.0), (10, 20, 50, 20)), percent) == value


def test_rounding_does_not_push_a_percentile_into_the_next_bin() -> None:
    assert percentile(Histogram((1.0, 2.0), (999, 1)), 99.9) == 1.0


def test_an_empty_histogram_has_no_percentile() -> None:
    assert isinstance(percentile(Histogram((), ()), 50), Undecided)


@pytest.mark.parametrize(("successes", "trials"), [(5, 50), (0, 20), (20, 20), (990, 1000)])
def test_clopper_and_pearsons_interval_is_scipys(successes: int, trials: int) -> None:
    expected = stats.binomtest(successes, trials).proportion_ci(method="exact")
    assert clopper_pearson(successes, trials) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_a_segment_without_any_io_says_nothing_of_the_tail() -> None:
    rng = np.random.default_rng(1)
    segments = [histogram_of(np.round(rng.exponential(1, 2000), 2)) for _ in range(4)]
    merged = merge_histograms(segments)
    with_empty = percentile_with_interval([*segments, Histogram((), ())], merged, 99.0)
    assert with_empty == percentile_with_interval(segments, merged, 99.0)


def test_independent_ios_count_fully_and_alike_segments_not_more_than_that() -> None:
    rng = np.random.default_rng(1)
    segments = [histogram_of(rng.integers(1, 1001, 2000)) for _ in range(50)]
    assert effective_sample(segments, 900.0) == pytest.approx(100_000, rel=0.5)
    assert effective_sample([segments[0]] * 10, 900.0) == 20_000


def test_segments_that_differ_count_for_less() -> None:
    rng = np.random.default_rng(2)
    segments = [histogram_of(np.round(rng.exponential(rng.uniform(50, 150), 2000))) for _ in range(20)]
    assert effective_sample(segments, 300.0) < 0.1 * 40_000


def coverage_of_p99(*, spread: float, rounds: int = 12, ios: int = 3000, trials: int = 150) -> float:
    """How often the interval holds the true p99 of I/Os whose scale changes from segment to segment."""
    rng = np.random.default_rng(3)
    scales = np.exp(rng.normal(0, spread, 200_000))
    truth = np.quantile(scales * rng.exponential(1e-3, 200_000), 0.99)
    hits = 0
    for _ in range(trials):
        drawn = [np.exp(rng.normal(0, spread)) for _ in range(rounds)]
        segments = [binned(scale * rng.exponential(1e-3, ios)) for scale in drawn]
        interval = known(percentiles_of(segments, [99.0])[99.0]).interval
        hits += isinstance(interval, Interval) and not interval.excludes(truth)
    return hits / trials


@pytest.mark.parametrize("spread", [0.0, 0.15])
def test_the_interval_of_p99_holds_it_in_about_95_of_100_cases(spread: float) -> None:
    assert coverage_of_p99(spread=spread) >= 0.90


def test_a_tail_of_fewer_than_ten_ios_is_not_a_percentile() -> None:
    segments = [histogram_of(np.arange(1, 1001)) for _ in range(9)]
    found = percentiles_of(segments, [99.0, 99.9])
    assert found[99.0] == percentiles_of(segments, [99.0])[99.0]
    assert isinstance(found[99.9], Undecided)
    assert "9 of 9000" in found[99.9].because


def test_one_segment_gives_a_percentile_without_an_interval() -> None:
    found = known(percentiles_of([histogram_of(np.arange(1, 100_001))], [99.0])[99.0])
    assert found.value == 99_000
    assert isinstance(found.interval, Undecided)


def test_segments_with_medians_far_apart_have_a_wide_interval_rather_than_none() -> None:
    found = known(percentiles_of([binned(scale * np.linspace(1, 2, 500)) for scale in (1.0, 1.4, 2.0)], [50.0])[50.0])
    assert "between segments" in found.method
    assert known(found.interval).low < 1.0
    assert known(found.interval).high > 4.0


def test_a_tail_that_segments_do_not_bear_alone_has_a_value_without_an_interval() -> None:
    rng = np.random.default_rng(4)
    found = known(percentiles_of([binned(rng.exponential(1.0, 300)) for _ in range(4)], [99.0])[99.0])
    assert found.value == pytest.approx(4.6, rel=0.4)
    assert isinstance(found.interval, Undecided)
    assert "times the segments" in undecided(found.interval).needs
