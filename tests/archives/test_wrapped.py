"""Lines that a terminal has cut at its width are whole again; words that a writer wrapped stay as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from radoscope.archives import wrapped
from tests.twins.reading import files, pages
from tests.twins.variations import numbers_of

CAPTURES = Path(__file__).parents[1] / "captures"
OUTPUTS = sorted([*CAPTURES.glob("fio/3.33/*/output.txt"), *CAPTURES.glob("rados_bench/16.2.15/*/output.txt")])
BOTH_AT_A_BLANK = {("block_range", 100), ("slow", 100)}
"""Of two lines that are cut: nobody can tell that they go on."""
CUT = [
    (output, width)
    for output in OUTPUTS
    for width in (80, 100, 120)
    if (output.parent.name, width) not in BOTH_AT_A_BLANK
]


def cut_at(width: int, text: str) -> str:
    return "\n".join(line[at : at + width] for line in text.split("\n") for at in range(0, max(len(line), 1), width))


@pytest.mark.parametrize(("output", "width"), CUT, ids=[f"{output.parent.name}-{width}" for output, width in CUT])
def test_output_in_a_terminal_of_any_width_gives_the_same_numbers(output: Path, width: int) -> None:
    text = output.read_text()
    assert numbers_of(cut_at(width, text)) == numbers_of(text)


def test_a_page_that_nothing_has_cut_keeps_its_lines() -> None:
    """Among them output that comes again, whose lines are as long each time, and paragraphs."""
    for file in [*files("tuned"), *files("held"), *files("blind")]:
        for page in pages(file):
            lines = page.text.split("\n")
            assert wrapped.rejoined(lines, range(len(lines)))[0] == lines, page.name


def test_each_line_keeps_the_number_of_its_first_part() -> None:
    whole = [
        f"{name}: (g=0): rw=read, bs=4096B-4096B, ioengine=libaio, iodepth=1{at}" for at, name in enumerate("abcd")
    ]
    parts = [part for line in whole for part in (line[:58], line[58:])]
    assert wrapped.rejoined(parts, range(1, 9)) == (whole, [1, 3, 5, 7])
