"""Looking more than once."""

import math
import random
from collections.abc import Sequence

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from radoscope.kinds.ab.pairs import schedule
from radoscope.stats.experiment import bounds, confidence_at, decide_pairs
from radoscope.stats.special import student_t
from radoscope.stats.values import Undecided


def crossed(limits: Sequence[float], looks: Sequence[int]) -> float:
    """Chance that |z| has left its bound at any look, by numerical integration of the normal distribution."""
    times = np.array(looks, dtype=float)
    correlation = np.sqrt(np.minimum.outer(times, times) / np.maximum.outer(times, times))
    together = multivariate_normal(np.zeros(len(looks)), correlation, abseps=1e-6, releps=1e-6, seed=1)
    return 1 - float(together.cdf(np.array(limits), lower_limit=-np.array(limits)))


@pytest.mark.parametrize(
    ("name", "limits"),
    [("O'Brien and Fleming", [2.040 * math.sqrt(5 / look) for look in range(1, 6)]), ("Pocock", [2.413] * 5)],
)
def test_bounds_that_spend_as_published_ones_are_the_published_ones(name: str, limits: list[float]) -> None:
    """Jennison and Turnbull, Group Sequential Methods (1999), tables 2.1 and 2.3: five looks, two-sided alpha 0.05."""
    looks = (1, 2, 3, 4, 5)
    spent = tuple(crossed(limits[:number], looks[:number]) for number in looks)
    assert spent[-1] == pytest.approx(0.05, abs=2e-4)
    assert bounds(looks, spent) == pytest.approx(limits, abs=0.01)


def test_looks_at_any_distance_together_spend_five_percent() -> None:
    looks = (6, 8, 12, 20, 31)
    limits = bounds(looks, tuple(0.05 * (look / 31) ** 2 for look in looks))
    for number in range(1, 6):
        assert crossed(limits[:number], looks[:number]) == pytest.approx(0.05 * (looks[number - 1] / 31) ** 2, abs=1e-4)


def test_the_first_look_asks_for_more_than_the_last() -> None:
    looks = (6, 8, 10, 14, 18)
    levels = [confidence_at(looks[:number], 18) for number in range(1, 6)]
    assert levels == sorted(levels, reverse=True)
    assert 0.95 < levels[-1] < 0.97
    assert confidence_at((18,), 18) == pytest.approx(0.95, abs=1e-4)


def test_an_early_end_may_spend_all_that_is_left() -> None:
    assert confidence_at((6, 8, 9), 18, ends=True) < confidence_at((6, 8, 9), 18)
    assert confidence_at((9,), 18, ends=True) == pytest.approx(0.95, abs=1e-4)


@pytest.mark.parametrize("looks", [(), (0, 5), (5, 5), (6, 5), (5, 19)])
def test_looks_that_do_not_grow_up_to_the_last_pair_are_refused(looks: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="looks after"):
        confidence_at(looks, 18)


def test_an_experiment_without_a_difference_is_rarely_called_one() -> None:
    random.seed(5)
    alarms, looks = 0, schedule(40).looks
    for _ in range(300):
        a = [random.gauss(100, 8) for _ in range(40)]
        b = [random.gauss(100, 8) for _ in range(40)]
        for number, look in enumerate(looks, 1):
            confidence = confidence_at(looks[:number], 40)
            _, verdict = decide_pairs(a[:look], b[:look], confidence=confidence, margin=0.001)
            if not isinstance(verdict, Undecided):
                alarms += 1
                break
    assert alarms <= 24  # 15 expected at 5 %; 24 is the 99 % point of that


def test_four_pairs_are_too_few_to_judge() -> None:
    assert isinstance(decide_pairs([1.0] * 4, [2.0] * 4)[1], Undecided)


def test_students_quantile_is_the_tables() -> None:
    assert student_t(0.95, 5) == pytest.approx(2.5706, abs=1e-4)
    assert student_t(0.99, 10) == pytest.approx(3.1693, abs=1e-4)
