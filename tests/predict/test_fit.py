"""The fit: it finds what made the data, and laboratories that err together count together."""

from dataclasses import replace

import numpy as np
import pytest

from radoscope.predict.constants import NAMES, priors
from radoscope.predict.defaults import fill
from radoscope.predict.facts import Facts
from radoscope.predict.fit import Cells, Noise, constants_at, fit, log_predictions, outliers, slopes, whitening
from radoscope.predict.setting import Setting, stack


@pytest.fixture
def cells(facts: Facts) -> Cells:
    """Twelve cells of four laboratories, as a model with twice the write cycles would have them."""
    settings: list[Setting] = []
    for nodes in (3, 4, 6, 10):
        for op in ("rand_write", "rand_read", "seq_read"):
            block = 4 << 20 if op == "seq_read" else 4096
            settings.append(fill(replace(facts, nodes=nodes, op=op, block_bytes=block, clients=64))[0])
    truth = np.zeros(len(NAMES))
    truth[NAMES.index("write_cycles")] = np.log(2)
    laboratories = [f"lab {i // 3}" for i in range(12)]
    return Cells(settings, log_predictions(stack(settings), truth), laboratories, ["w", "r", "s"] * 4, np.ones(12))


def test_it_finds_the_constant_that_made_the_data(cells: Cells) -> None:
    found = fit(cells, Noise(0.05, 0.05, 0.02))
    ratio = found.constants.write_cycles / priors()["write_cycles"].median
    assert ratio == pytest.approx(2.0, rel=0.15)
    assert found.constants.read_cycles == pytest.approx(priors()["read_cycles"].median, rel=0.1)


def test_without_data_that_say_otherwise_a_prior_stays(cells: Cells) -> None:
    found = fit(cells, Noise(0.05, 0.05, 0.02))
    assert found.constants.disk_read == pytest.approx(priors()["disk_read"].median, rel=1e-3)


def test_data_narrow_the_posterior_and_draws_spread_as_it(cells: Cells) -> None:
    found = fit(cells, Noise(0.05, 0.05, 0.02))
    column = NAMES.index("write_cycles")
    deviation = float(np.sqrt(found.covariance[column, column]))
    assert deviation < priors()["write_cycles"].sigma / 2
    assert np.std(found.draws(2000)[:, column]) == pytest.approx(deviation, rel=0.1)


def test_a_hundred_cells_of_one_laboratory_say_little_more_than_ten(cells: Cells) -> None:
    """The information on a common mean: 1' C^-1 1 grows to 1 / (common variance) and no further."""

    def information(count: int) -> float:
        many = replace(cells, laboratories=["one"] * count, classes=["w"] * count)
        weights = whitening(many, Noise(), np.ones(count)) @ np.ones(count)
        return float(weights @ weights)

    assert information(100) < 1.1 * information(10)
    assert information(100) > 0.9 * information(10)


def test_a_group_far_off_as_a_whole_counts_less(cells: Cells) -> None:
    misfit = np.zeros(12)
    misfit[:3] = 4.0
    factors = outliers(cells, misfit, Noise())
    assert factors[:3].min() > 1.5
    assert factors[3:].max() <= 1.0


def test_draws_become_arrays_of_constants() -> None:
    drawn = constants_at(np.zeros((5, len(NAMES))))
    assert drawn.flush.shape == (5,)


def test_slopes_agree_with_differences(cells: Cells) -> None:
    stacked, here, step = stack(cells.settings), np.zeros(len(NAMES)), 1e-4
    exact = slopes(stacked, here)
    for name in ("write_cycles", "read_cycles", "write_software", "client_cycles", "line_in"):
        column = NAMES.index(name)
        there = here.copy()
        there[column] = step
        by_difference = (log_predictions(stacked, there) - log_predictions(stacked, -there)) / (2 * step)
        assert exact[:, column] == pytest.approx(by_difference, abs=5e-3)
