"""When a cell may stop."""

import random

import pytest

from radoscope.stats.enough import Outlook, outlook
from tests.decided import known


def more(rates: list[float], precision: float) -> Outlook:
    found = outlook(rates, precision)
    assert not found.enough
    return found


@pytest.mark.parametrize("rates", [[], [100.0], [100.0] * 3])
def test_three_segments_are_never_enough(rates: list[float]) -> None:
    assert more(rates, 0.05).rounds_more == 4 - len(rates)


def test_four_quiet_segments_are_enough() -> None:
    assert outlook([100.0, 101.0, 99.0, 100.5], 0.05).enough


def test_noisy_segments_need_more_rounds_and_the_tighter_precision_the_more() -> None:
    rates = [100.0, 130.0, 80.0, 110.0, 95.0]
    loose, tight = more(rates, 0.10), more(rates, 0.05)
    assert loose.rounds_more < tight.rounds_more
    assert known(loose.half_width) > 0.10


def test_the_forecast_of_rounds_is_about_right() -> None:
    random.seed(3)
    rates = [random.gauss(100, 10) for _ in range(12)]
    promised = 12 + more(rates, 0.05).rounds_more
    while not outlook(rates, 0.05).enough:
        rates.append(random.gauss(100, 10))
    assert 0.5 * promised <= len(rates) <= 2 * promised


def test_segments_that_follow_each_other_in_waves_count_for_less() -> None:
    waves = [100 + 5 * (1 if (i // 6) % 2 else -1) for i in range(24)]
    shuffled = random.Random(1).sample(waves, len(waves))
    assert known(outlook(waves, 0.01).half_width) > 1.5 * known(outlook(shuffled, 0.01).half_width)


def test_a_cell_in_which_nothing_moves_is_not_enough() -> None:
    assert outlook([0.0] * 6, 0.05) == Outlook(half_width=None, rounds_more=1)
