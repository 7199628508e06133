from __future__ import annotations

import random

import pytest

from tests.twins.reading import Twin, twins
from tests.twins.variations import numbers_of, varied

PAGES = (*twins("tuned"), *twins("held"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_same_page_pasted_otherwise_gives_the_same_numbers(page: Twin) -> None:
    dice = random.Random(page.name)
    for _ in range(6):
        text = varied(page.text, dice)
        assert numbers_of(text) == numbers_of(page.text), text
