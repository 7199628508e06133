"""--lang and the environment choose the words; what machines read does not change with them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from radoscope.cli import import_
from radoscope.cli.main import command
from radoscope.words import LANGUAGES, reader, reading

TEXT = "  write: IOPS=656, BW=2625KiB/s (2688kB/s)(154MiB/60002msec); 0 zone resets\n"


@pytest.fixture
def page(tmp_path: Path, home: Path) -> str:
    path = tmp_path / "page.txt"
    path.write_text(TEXT, encoding="utf-8")
    return str(path)


def said(*words: str, **environment: str) -> str:
    done = CliRunner().invoke(command, words, env=environment, catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


def test_the_option_stands_before_the_verb_or_behind_it(page: str) -> None:
    assert "Behalten als" in said("--lang", "de", "import", page)
    assert "すでに" in said("import", page, "--lang", "ja")
    assert "Already kept" in said("import", page)


def test_the_environment_is_asked_where_the_command_line_says_nothing(page: str) -> None:
    assert "已保存为" in said("import", page, LC_ALL="zh_CN.UTF-8")
    assert "Schon vorhanden" in said("--lang", "de", "import", page, LC_ALL="zh_CN.UTF-8")


def test_json_is_the_same_for_all_readers(page: str) -> None:
    assert len({said("--lang", language, "import", page, "--json") for language in LANGUAGES}) == 1
    said("import", page)
    assert len({said("show", "last", "--json", "--lang", language) for language in LANGUAGES}) == 1
    assert len({said("show", "last", "--lang", language) for language in LANGUAGES}) == len(LANGUAGES)


CLUSTER = Path(__file__).parents[2] / "examples" / "cluster.toml"
ASKED = (("--what-if", "nodes = 6", "--what-if", "size = 2"), ("--target", "200 clients x 500 write IOPS"))


@pytest.mark.parametrize("asked", ASKED)
def test_a_prediction_has_the_same_figures_in_each_language(asked: tuple[str, ...]) -> None:
    def figures(language: str) -> list[str]:
        text = said("--lang", language, "predict", str(CLUSTER), *asked)
        if language != "en":
            assert not re.findall(r"\b(?:and|then|to|what if|somewhere|because|effort|OSD software)\b", text)
        return re.findall(r"\d[\d.,]*\d", text)  # a digit alone may be a word in another language

    english = sorted(figures("en"))
    assert len(english) > 10
    assert all(sorted(figures(language)) == english for language in LANGUAGES)


def test_a_verb_called_alone_keeps_the_language_of_its_caller(page: str) -> None:
    said("--lang", "ja", "import", page)  # from now on the verb has the option, too
    with reading("de"):
        assert "Schon vorhanden" in CliRunner().invoke(import_.command, [page], catch_exceptions=False).stdout


def test_a_language_ends_with_its_command(page: str) -> None:
    said("--lang", "de", "import", page)
    assert reader() == "en"
