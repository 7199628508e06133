from __future__ import annotations

import random

import pytest

from tests.twins.layouts import page_of
from tests.twins.reading import Tally, Twin, tally, twins
from tests.twins.variations import numbers_of, varied

PAGES = (*twins("tuned"), *twins("held"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_same_page_pasted_otherwise_gives_the_same_numbers(page: Twin) -> None:
    dice, numbers = random.Random(page.name), numbers_of(page.text)
    others = dict.fromkeys(varied(page.text, dice) for _ in range(6))
    others.pop(page.text, None)  # no change that fits it was drawn
    for text in others:
        assert numbers_of(text) == numbers, text


@pytest.mark.parametrize("seed", range(300))
def test_runs_written_down_in_any_layout_are_these_runs(seed: int) -> None:
    page, score = page_of(seed), Tally()
    tally(page, score)
    assert not score.wrong, "\n".join([page.text, *score.wrong])
