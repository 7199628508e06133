"""Looking more than once."""

import random

import pytest

from radoscope.stats.experiment import confidence_at, crossing_probability, decide_pairs, obrien_fleming
from radoscope.stats.interval import student_t
from radoscope.stats.values import Undecided


@pytest.mark.parametrize(
    ("looks", "constant"), [(1, 1.960), (2, 1.977), (3, 2.004), (4, 2.024), (5, 2.040), (10, 2.087)]
)
def test_bounds_are_those_of_the_published_table(looks: int, constant: float) -> None:
    """Jennison and Turnbull, Group Sequential Methods (1999), table 2.3, two-sided alpha 0.05."""
    assert obrien_fleming(looks) == pytest.approx(constant, abs=1.5e-3)


def test_pococks_bound_also_spends_five_percent() -> None:
    """Table 2.1 of the same book: 2.413 at each of five looks."""
    assert crossing_probability([2.413] * 5) == pytest.approx(0.05, abs=2e-4)


def test_the_first_look_asks_for_more_than_the_last() -> None:
    levels = [confidence_at(look, 6) for look in range(1, 7)]
    assert levels == sorted(levels, reverse=True)
    assert 0.95 < levels[-1] < 0.97
    assert confidence_at(1, 1) == pytest.approx(0.95, abs=1e-4)


def test_a_look_beyond_the_last_is_refused() -> None:
    with pytest.raises(ValueError, match="look 3"):
        confidence_at(3, 2)


def test_an_experiment_without_a_difference_is_rarely_called_one() -> None:
    random.seed(5)
    alarms = 0
    for _ in range(300):
        a = [random.gauss(100, 8) for _ in range(40)]
        b = [random.gauss(100, 8) for _ in range(40)]
        for look in range(1, 9):
            _, verdict = decide_pairs(a[: 5 * look], b[: 5 * look], look=look, looks=8, margin=0.001)
            if not isinstance(verdict, Undecided):
                alarms += 1
                break
    assert alarms <= 24  # 15 expected at 5 %; 24 is the 99 % point of that


def test_four_pairs_are_too_few_to_judge() -> None:
    assert isinstance(decide_pairs([1.0] * 4, [2.0] * 4)[1], Undecided)


def test_students_quantile_is_the_tables() -> None:
    assert student_t(0.95, 5) == pytest.approx(2.5706, abs=1e-4)
    assert student_t(0.99, 10) == pytest.approx(3.1693, abs=1e-4)
