"""Several runs of the same thing."""

import math
from statistics import stdev

import pytest

from radoscope.stats.interval import Spread
from radoscope.stats.pooling import between_share, between_variance, pool_runs
from radoscope.stats.ratio import ratio_of_logs
from radoscope.stats.values import Undecided
from tests.decided import known

BCG_LOG_RISKS = [
    -0.8893, -1.5854, -1.3481, -1.4416, -0.2175, -0.7861, -1.6209,
    0.0120, -0.4694, -1.3713, -0.3394, 0.4459, -0.0173,
]  # fmt: skip
BCG_VARIANCES = [0.3256, 0.1946, 0.4154, 0.0200, 0.0512, 0.0069, 0.2230, 0.0040, 0.0564, 0.0730, 0.0124, 0.5325, 0.0714]
"""The 13 BCG trials (Colditz and others 1994), the example of most texts on meta-analysis."""


def test_the_share_of_the_spread_between_runs_is_the_published_one() -> None:
    """I squared of the BCG trials is 92.1 % (Viechtbauer 2010)."""
    assert between_share(BCG_LOG_RISKS, BCG_VARIANCES) == pytest.approx(0.921, abs=2e-3)


def test_paule_and_mandels_variance_is_the_published_one() -> None:
    """0.3180 for the BCG trials."""
    assert between_variance(BCG_LOG_RISKS, BCG_VARIANCES) == pytest.approx(0.3180, abs=2e-3)


def run(mean: float, relative_error: float, segments: int = 10) -> Spread:
    return Spread(mean, mean * relative_error, segments - 1, segments)


def test_runs_that_agree_have_nothing_between_them() -> None:
    pooled = known(pool_runs([run(1000, 0.03), run(1010, 0.03), run(995, 0.03)]))
    assert pooled.between == 0
    assert pooled.between_share == 0
    assert pooled.estimate.value == pytest.approx(1001.6, abs=1)


def test_the_fields_two_runs_of_one_cell_lie_apart_by_more_than_either_says() -> None:
    pooled = known(pool_runs([run(855, 0.03), run(1225, 0.03)]))
    assert known(pooled.between_share) > 0.9
    assert pooled.between == pytest.approx(math.log(1225 / 855) / math.sqrt(2), rel=0.05)
    assert known(pooled.estimate.interval).low < 855
    assert isinstance(pooled.next_run, Undecided)


def test_the_next_run_lies_further_out_than_the_mean() -> None:
    pooled = known(pool_runs([run(mean, 0.02) for mean in (900, 1000, 1100, 1000, 950)]))
    assert known(pooled.next_run).low < known(pooled.estimate.interval).low
    assert known(pooled.next_run).high > known(pooled.estimate.interval).high


def test_one_run_cannot_be_pooled() -> None:
    assert isinstance(pool_runs([run(1000, 0.03)]), Undecided)


def test_runs_of_a_single_figure_are_students_t_on_their_logs() -> None:
    values = [900.0, 1000.0, 1100.0, 1050.0]
    pooled = known(pool_runs([Spread(value, 0.0, 0.0, 1) for value in values]))
    logs = [math.log(value) for value in values]
    expected = 3.1824 * stdev(logs) / 2  # t(0.975, 3), published tables
    assert math.log(known(pooled.estimate.interval).high / pooled.estimate.value) == pytest.approx(expected, rel=1e-3)
    assert pooled.between_share is None


@pytest.mark.parametrize("slow", [1e-9, 5e-324])
def test_runs_that_differ_absurdly_still_pool_and_compare(slow: float) -> None:
    runs = [Spread(slow, 0.0, 0.0, 1), Spread(1e12, 0.0, 0.0, 1)]
    pooled = known(pool_runs(runs))
    interval = known(pooled.estimate.interval)
    assert interval.low <= pooled.estimate.value <= interval.high
    following = known(known(pool_runs([*runs, Spread(1.0, 0.0, 0.0, 1)])).next_run)
    assert following.low < following.high
    a, b = (Spread(math.log(run.mean), 1.0, 1.0, 2) for run in runs)
    assert ratio_of_logs(a, b).value > 1e20
