"""The same page pasted otherwise, the same runs in other layouts: the same numbers."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from radoscope.archives.clean import clean
from tests.twins.layouts import page_of
from tests.twins.reading import files, pages, tally
from tests.twins.variations import numbers_of, varied


@pytest.mark.parametrize("file", [*files("tuned"), *files("held")], ids=lambda file: file.stem)
def test_the_same_page_pasted_otherwise_gives_the_same_numbers(file: Path) -> None:
    """Two texts of which the same lines are left when they are clean are read the same, so one is."""
    for page in pages(file):
        dice, numbers = random.Random(page.name), numbers_of(page.text)
        others = {cleaned(text): text for text in (varied(page.text, dice) for _ in range(6))}
        others.pop(cleaned(page.text), None)
        for text in others.values():
            assert numbers_of(text) == numbers, text


def cleaned(text: str) -> str:
    return "\n".join(clean(text).lines)


SEEDS, AT_ONCE = 300, 25


@pytest.mark.parametrize("first", range(0, SEEDS, AT_ONCE))
def test_runs_written_down_in_any_layout_are_these_runs(first: int) -> None:
    for seed in range(first, first + AT_ONCE):
        page = page_of(seed)
        score = tally(page)
        assert not score.wrong, "\n".join([f"seed {seed}", page.text, *score.wrong])
