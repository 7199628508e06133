"""What the cells of a study say together of their scatter."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import t as student

from radoscope.stats.interval import VariancePrior, prior_of, spread_of
from tests.decided import known


def cells(rng: np.random.Generator, count: int, rounds: int, variances: np.ndarray) -> list[list[float]]:
    values = 1 + rng.standard_normal((count, rounds)) * np.sqrt(variances)[:, None]
    return [row.tolist() for row in values]


def test_the_prior_is_that_of_the_variances_it_was_drawn_from() -> None:
    rng = np.random.default_rng(1)
    degrees, variance = 6.0, 0.01
    drawn = degrees * variance / rng.chisquare(degrees, 4000)
    found = known(prior_of(cells(rng, 4000, 6, drawn)))
    assert found.degrees == pytest.approx(degrees, rel=0.15)
    assert found.variance == pytest.approx(variance, rel=0.05)


def test_cells_of_one_variance_share_it_almost_whole() -> None:
    rng = np.random.default_rng(2)
    assert known(prior_of(cells(rng, 400, 5, np.full(400, 0.01)))).degrees > 50


@pytest.mark.parametrize("few", [[], [[1.0, 2.0, 3.0]] * 3, [[1.0, 1.0]] * 9, [[0.0, 0.0, 0.0]] * 9])
def test_few_cells_or_segments_share_nothing(few: list[list[float]]) -> None:
    assert prior_of(few) is None


def test_a_quieter_cell_keeps_more_of_its_own() -> None:
    prior = VariancePrior(degrees=8, variance=0.01)
    quiet, noisy = prior.moderate(0.0001, 4), prior.moderate(0.1, 4)
    assert quiet == pytest.approx(((2 * 0.01 + 4 * 0.0001) / 6, 6))
    assert noisy == pytest.approx(((8 * 0.01 + 4 * 0.1) / 12, 12))


def test_shared_intervals_are_narrower_and_hold_the_truth_as_often() -> None:
    """300 studies of 15 cells in five rounds; the variances differ as those of real cells do."""
    rng = np.random.default_rng(4)
    alone, shared, hits = [], [], []
    for _ in range(300):
        study = cells(rng, 15, 5, 5 * 0.01 / rng.chisquare(5, 15))
        prior = prior_of(study)
        for values in study:
            own, both = spread_of(values), spread_of(values, prior=prior)
            alone.append(student.ppf(0.975, own.degrees) * own.standard_error)
            shared.append(student.ppf(0.975, both.degrees) * both.standard_error)
            hits.append(abs(both.mean - 1) <= shared[-1])
    assert np.median(shared) < 0.88 * np.median(alone)
    assert 0.94 <= np.mean(hits) <= 0.97
