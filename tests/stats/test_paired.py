"""Which of two is larger, decided within rounds."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from radoscope.stats.ratio import LEVEL, p_above_zero
from tests.decided import known


def test_few_rounds_are_judged_by_students_t() -> None:
    values = [0.8, 1.1, 0.4, 0.9]
    assert p_above_zero(values) == pytest.approx(ttest_1samp(values, 0, alternative="greater").pvalue)


def test_two_rounds_decide_nothing() -> None:
    assert p_above_zero([1.0, 1.0]) is None


def test_one_bad_round_neither_hides_a_difference_nor_makes_one() -> None:
    assert known(p_above_zero([1.0, 1.1, 0.9, 1.05, 0.95, -3.0])) <= LEVEL
    assert known(p_above_zero([-0.1, 0.1, 0.05, -0.05, 0.0, 30.0])) > LEVEL


@pytest.mark.parametrize("rounds", [3, 5, 8, 15])
@pytest.mark.parametrize("degrees", [2, 3, 100])
def test_without_a_difference_it_claims_one_in_few_cases(rounds: int, degrees: int) -> None:
    """Nominal 2.5 %; 2,000 trials tell it to within 0.8 %."""
    draws = np.random.default_rng(3).standard_t(degrees, (2000, rounds))
    claimed = np.mean([known(p_above_zero(row.tolist())) <= LEVEL for row in draws])
    assert claimed <= 0.035
