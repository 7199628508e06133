"""The words for what is expected, and the cheap look for them."""

from __future__ import annotations

import re

import pytest

from radoscope.archives.paste import read_page
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


@pytest.mark.parametrize(
    ("asked", "came"),
    [
        ("Anforderungen: 20.000 IOPS", "Ergebnis: 7.341 IOPS, zufälliges Schreiben 4k"),
        ("Exigences : 20 000 IOPS", "Résultat : 7 341 IOPS en écriture aléatoire 4k"),
        ("Requisitos: 20.000 IOPS", "Resultado: 7.341 IOPS en escritura aleatoria 4k"),
        ("Krav: 20 000 IOPS", "Resultat: 7 341 IOPS, slumpmässig skrivning 4k"),
        ("Wymagania: 20 000 IOPS", "Wynik: 7 341 IOPS, zapis losowy 4k"),
        ("Требования: 20 000 IOPS", "Результат: 7 341 IOPS, случайная запись 4k"),
        ("Gereksinimler: 20.000 IOPS", "Sonuç: 7.341 IOPS, rastgele yazma 4k"),
        ("Απαιτήσεις: 20.000 IOPS", "Αποτέλεσμα: 7.341 IOPS, τυχαία εγγραφή 4k"),
        ("要件: 20000 IOPS", "結果: 7341 IOPS、4kランダム書き込み"),
    ],
)
def test_what_is_required_in_a_line_is_no_result_and_what_came_below_it_is(asked: str, came: str) -> None:
    load = came.split("IOPS", 1)[1]
    found = [result.iops for result in read_page(f"{asked}{load}\n\n{came}\n").results]
    assert found == [7341.0]
