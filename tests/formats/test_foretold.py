"""The words for what is expected, and the cheap look for them."""

from __future__ import annotations

import re

import pytest

from radoscope.formats.grammar import foretold


def test_a_cheap_look_for_something_stands_for_each_word() -> None:
    assert all(len(word) > 1 and word == word.lower() for word in foretold.EXPECTED_LITERALS)


@pytest.mark.parametrize(
    "heading",
    [
        "Expected results", "Voraussichtliche Leistung", "Résultats attendus", "Förväntat resultat", "Forventet ydelse",
        "Verwachte prestaties", "Odotettu suorituskyky", "Očakávaný výkon", "Várható teljesítmény", "Beklenen sonuçlar",
        "Очікувана продуктивність", "Αναμενόμενη απόδοση", "Kết quả mong đợi", "Kinerja yang diharapkan", "預期效能",
    ],
)  # fmt: skip
def test_headings_of_what_is_expected_are_known_in_each_language(heading: str) -> None:
    assert re.search(foretold.FORETOLD, heading, re.IGNORECASE)
    assert any(literal in heading.lower() for literal in foretold.EXPECTED_LITERALS)
