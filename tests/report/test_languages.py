"""Reports in every language: the figures are the same, the words are not, and what machines read is English."""

from __future__ import annotations

import html as markup
import json
import re
from collections import Counter
from importlib.resources import files

import pytest

from radoscope.report import render_html, render_markdown
from radoscope.report.machine import study_json
from radoscope.words import LANGUAGES, reading

from .example_study import make_material

NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
OTHERS = sorted(set(LANGUAGES) - {"en"})


def counting_words(language: str) -> set[str]:
    """Digits of translations whose English has a word: Japanese writes "one disk" and "three OSDs" with digits."""
    text = (files("radoscope.words") / f"{language}.po").read_text(encoding="utf-8")
    pairs = re.findall(r'^msgid (".*")\nmsgstr (".*")$', re.sub(r"{[^}]*}", "", text), flags=re.MULTILINE)
    return {digit for english, other in pairs for digit in {*NUMBER.findall(other)} - {*NUMBER.findall(english)}}


def figures(page: str) -> Counter[str]:
    """Every number that a reader sees, with its separators."""
    page = re.sub(r"<style>.*?</style>|<script>.*?</script>", "", page, flags=re.DOTALL)
    return Counter(NUMBER.findall(markup.unescape(re.sub(r"<[^>]+>", " ", page))))


def html(language: str) -> str:
    with reading(language):
        return render_html(make_material())


def markdown(language: str) -> str:
    with reading(language):
        return render_markdown(make_material())


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("render", [html, markdown])
def test_the_figures_are_the_same_in_all_languages(language: str, render: object) -> None:
    assert callable(render)
    english, translated = figures(render("en")), figures(render(language))
    assert not english - translated
    assert set(translated - english) <= counting_words(language)


@pytest.mark.parametrize("language", OTHERS)
def test_the_page_says_its_language(language: str) -> None:
    page = html(language)
    assert f'<html lang="{language}">' in page
    assert "Where it was measured" not in page
    assert "How to reproduce it" not in page


@pytest.mark.parametrize("language", OTHERS)
def test_colours_do_not_depend_on_the_language(language: str) -> None:
    def classes(page: str) -> Counter[str]:
        return Counter(re.findall(r'class="([^"]+)"', page))

    assert classes(html(language)) == classes(html("en"))


@pytest.mark.parametrize("language", OTHERS)
def test_what_machines_read_is_the_same_when_it_is_made_in_english(language: str) -> None:
    material = make_material()
    plain = json.dumps(study_json(material))
    with reading(language), reading("en"):
        assert json.dumps(study_json(material)) == plain
