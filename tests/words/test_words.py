"""Messages in the reader's language: catalogues are complete and say the same, and readers do not mix."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from radoscope.words import LANGUAGES, _, language_of, language_wished, listed, ngettext, reader, reading

ROOT = Path(__file__).parents[2]
TRANSLATED = sorted(set(LANGUAGES) - {"en"})

pytest.importorskip("babel", reason="Babel finds the messages in the sources")
sys.path.insert(0, str(ROOT / "scripts"))
import messages  # type: ignore[import-not-found]  # noqa: E402  # of scripts/


def catalogue(language: str) -> dict[object, object]:
    found: dict[object, object] = messages.translated((messages.WORDS / f"{language}.po").read_text(encoding="utf-8"))
    return found


def texts(of: object) -> tuple[str, ...]:
    return (of,) if isinstance(of, str) else tuple(str(form) for form in of) if isinstance(of, tuple) else ()


def places(text: str) -> set[str]:
    return set(re.findall(r"(?<!{)\{[^{}]+\}", text))


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalogue_has_every_message_and_nothing_else(language: str) -> None:
    assert messages.untranslated(language) == []
    assert set(catalogue(language)) == set(messages.said())


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_has_the_values_of_its_message_as_they_are_formatted(language: str) -> None:
    for message, translation in catalogue(language).items():
        singular, *plural = texts(message)
        wanted = places(plural[0] if plural else singular)
        for form in texts(translation):
            assert places(form) <= wanted, message
            assert plural or places(form) == wanted, message


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalogue_is_in_the_order_of_the_program(language: str) -> None:
    text = (messages.WORDS / f"{language}.po").read_text(encoding="utf-8")
    assert messages.merged(language, text) == text, "run `make words`"


@pytest.mark.parametrize(("number", "english", "german"), [(0, "0 cells", "0 Zellen"), (1, "1 cell", "1 Zelle")])
def test_numbers_have_the_plural_of_their_language(number: int, english: str, german: str) -> None:
    def said() -> str:
        return ngettext("{number} cell", "{number} cells", number)

    assert said() == english
    with reading("de"):
        assert said() == german
    with reading("ja"):
        assert said() == f"{number} セル"


def test_lists_are_joined_as_in_their_language() -> None:
    with reading("de"):
        assert listed(("a", "b", "c")) == "a, b und c"
    with reading("ja"):
        assert listed(("a", "b", "c")) == "a、b、c"


def test_a_message_without_a_translation_stays_english() -> None:
    with reading("de"):
        assert _("no catalogue has this: {value}", value=1) == "no catalogue has this: 1"


def test_a_value_is_no_message_and_its_braces_are_its_own() -> None:
    assert _("Host {host}", host="{host} {0} {host.__class__}") == "Host {host} {0} {host.__class__}"


def test_readers_side_by_side_do_not_mix() -> None:
    def read(language: str) -> set[str]:
        with reading(language):
            return {_("Verdict") for _time in range(2000)}

    with ThreadPoolExecutor(4) as pool:
        seen = list(pool.map(read, ("de", "ja", "zh", "en")))
    assert seen == [{"Ergebnis"}, {"結論"}, {"结论"}, {"Verdict"}]
    assert reader() == "en"


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "LANGUAGE": "fr:zh_CN"}, "zh"),
        ({"LANG": "C", "LANGUAGE": "de"}, "en"),
    ],
)
def test_the_environment_says_the_language_as_for_gettext(environment: dict[str, str], language: str) -> None:
    assert language_of(environment) == language


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("de-CH,de;q=0.9,en;q=0.5", "de"),
        ("fr-FR,zh-Hans-CN;q=0.8,en;q=0.7", "zh"),
        ("en;q=0.1,ja", "ja"),
        ("de;q=0,en", "en"),
        ("*", "en"),
        (";q=,de;q=x;;", "en"),
    ],
)
def test_a_browser_gets_the_language_that_it_wants_most(header: str, language: str) -> None:
    assert language_wished(header) == language


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("_", "N_", "ngettext"):
            yield node


def test_messages_are_where_babel_sees_them() -> None:
    """Whole literals, and none inside an f-string, whose inside it does not read before Python 3.12."""
    for path in (ROOT / "src").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        inside = {call for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for call in calls(node)}
        for call in calls(tree):
            assert not isinstance(call.args[0], (ast.JoinedStr, ast.BinOp)), f"{path}:{call.lineno}"
            assert not (call in inside and isinstance(call.args[0], ast.Constant)), f"{path}:{call.lineno}"
            if isinstance(call.args[0], ast.Constant):  # one inside another's values is not seen by Babel
                said = tuple(arg.value for arg in call.args[:2] if isinstance(arg, ast.Constant))
                assert (said[0] if len(said) == 1 else said) in messages.said(), f"{path}:{call.lineno}"


SAYS = {"Finding", "Undecided", "NotComparable", "Gap", "Unread"}
"""What is made of sentences for people."""
NOT_SAID = {"rule", "resource", "try_next"}
"""Keys, and steps that may be a command; steps are sentences where they end in a full stop."""
SENTENCE = re.compile(r"[A-Za-z]{2,} [a-z]{2,}")


def untranslated(node: ast.AST) -> Iterator[str]:
    """Literals that look like words of a sentence and go through none of `_`, `N_`, `ngettext`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("_", "N_", "ngettext"):
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and SENTENCE.search(node.value):
        yield node.value
    for child in ast.iter_child_nodes(node):
        yield from untranslated(child)


def test_what_people_read_goes_through_the_catalogues() -> None:
    """A finding, or a reason why nothing can be said, in English alone would stand in a German report."""
    found = []
    for path in (ROOT / "src").rglob("*.py"):
        if "simulate" in path.parts:
            continue  # of developers, and in English
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in SAYS:
                said = [*call.args, *(one.value for one in call.keywords if one.arg not in NOT_SAID)]
                found += [f"{path.name}:{call.lineno}: {text}" for one in said for text in untranslated(one)]
                steps = [one.value for one in call.keywords if one.arg == "try_next"]
                found += [
                    f"{path.name}:{call.lineno}: {text}"
                    for one in steps
                    for text in untranslated(one)
                    if text.endswith(".") and not text.startswith("--")
                ]
    assert found == []


def test_values_in_messages_have_names_that_say_what_they_are() -> None:
    """A translator sees nothing else of them."""
    for message in messages.said():
        names = {re.split("[:!.[]", place[1:-1])[0] for text in texts(message) for place in places(text)}
        assert not {name for name in names if not name or re.search(r"\d|^get$|^row$", name)}, message
