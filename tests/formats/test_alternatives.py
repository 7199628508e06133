"""Long lists of words are asked in less time, and give what the plain pattern gives."""

from __future__ import annotations

import re

import pytest

from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.alternatives import Alternatives


@pytest.mark.parametrize(
    "text", ["it can reach 500 MB/s", "laut Datenblatt", "по данным производителя", "we saw 41 MB/s", "標稱"]
)
@pytest.mark.parametrize("pattern", [words.WISHED, words.PROMISED, words.SPECIFIED, words.TURN, words.CHANGED])
def test_the_first_word_is_found_where_the_plain_pattern_finds_it(text: str, pattern: str) -> None:
    found, plain = Alternatives(pattern).search(text), re.search(pattern, text, re.IGNORECASE)
    assert (found and found.start()) == (plain and plain.start())


def test_what_may_be_left_out_asks_for_no_letter() -> None:
    assert Alternatives(r"caf(?:é|e)|thés?|naïf").search("a cafe") is not None
    assert Alternatives(r"a(?:ж)?b|жук").search("ab") is not None


@pytest.mark.parametrize("text", ["need", "needs", "weeds", "you need it", "we needed", "WE NEED", "Ned"])
@pytest.mark.parametrize(
    "pattern", [r"\bneed|\b(?:we|you) need\w|\b[nw]eeds?|\bneeds|\bned", "need|we|[nw]eeds?|needs"]
)
def test_of_those_that_begin_with_one_letter_the_first_is_found(text: str, pattern: str) -> None:
    found, plain = Alternatives(pattern).search(text), re.search(pattern, text, re.IGNORECASE)
    assert (found and found.span()) == (plain and plain.span())
