"""Messages in the reader's language: gettext catalogues of whole sentences, English where one has none.

A message is a literal, so that Babel finds it: `_("{rate} IOPS at most", rate=iops(value))`. What stands in a table of
the module is marked by `N_` and translated where it is shown. Whatever computes a text does so in the reader's
language; what is stored or read by machines is made within `reading("en")`.
"""

from __future__ import annotations

import gettext
import json
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from pathlib import Path

LANGUAGES: Mapping[str, str] = {"en": "English", "de": "Deutsch", "ja": "日本語", "zh": "简体中文"}
"""By their codes, each in its own words; all but English have a catalogue here."""

_reader: ContextVar[str] = ContextVar("reader", default="en")  # of this thread or task: two browsers do not mix


def _(message: str, /, **values: object) -> str:
    """The message in the reader's language, with the values in its {named} places."""
    text = _catalogue(_reader.get()).messages.get(message, message)
    return text.format_map(values) if values else text


def ngettext(one: str, many: str, number: int, /, **values: object) -> str:
    """The same for a number of things, which fills {number}: the form of the reader's language for that many."""
    known = _catalogue(_reader.get())
    forms = known.forms.get(one, (one, many))
    text = forms[min(known.form_of(number), len(forms) - 1)]
    return text.format_map({"number": number, **values})


def N_(message: str, /) -> str:
    """Marks a message of a table; `_` translates it where it is shown."""
    return message


def listed(words: tuple[str, ...]) -> str:
    """("a", "b", "c") -> "a, b and c"."""
    if len(words) < 2:
        return "".join(words)
    return _("{several} and {last}", several=_(", ").join(words[:-1]), last=words[-1])


def joined(sentences: Iterable[str]) -> str:
    """Several facts in one line, by semicolons."""
    return _("; ").join(sentences)


def unended(sentence: str) -> str:
    """Without its full stop, for the middle of another."""
    return sentence.rstrip(".。")


def columns(text: str) -> int:
    """Of a fixed-width font: East Asian wide characters take two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text if not unicodedata.combining(c))


def padded(text: str, width: int, *, right: bool = False) -> str:
    """Filled up to so many columns; right: the text stands to the right."""
    blanks = " " * (width - columns(text))
    return blanks + text if right else text + blanks


def reader() -> str:
    """The code of the language that messages are in now."""
    return _reader.get()


@contextmanager
def reading(language: str) -> Iterator[None]:
    """Within, messages are in this language, for this thread or task alone."""
    before = _reader.set(language)
    try:
        yield
    finally:
        _reader.reset(before)


def known_language(tag: str) -> str | None:
    """ "de_AT.UTF-8", "zh-Hans-CN" -> the code of a language that there is; None for others."""
    code = tag.replace("-", "_").partition(".")[0].partition("_")[0].lower()
    return "en" if code in ("c", "posix") else code if code in LANGUAGES else None


def language_of(environment: Mapping[str, str]) -> str:
    """By LANGUAGE, LC_ALL, LC_MESSAGES and LANG, as gettext reads them: the first locale that is set, else English."""
    locale = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "C")
    if locale.partition(".")[0] in ("C", "POSIX"):
        return "en"
    wishes = [*environment.get("LANGUAGE", "").split(":"), locale]
    return next((code for wish in wishes if wish and (code := known_language(wish))), "en")


def language_wished(header: str) -> str:
    """By a browser's Accept-Language: the known one that it wants most, else English."""
    wishes = []
    for place, wish in enumerate(header.split(",")):
        tag, _sep, quality = wish.strip().partition(";q=")
        try:
            weight = float(quality or 1)
        except ValueError:
            continue
        if weight > 0 and (code := known_language(tag)):
            wishes.append((-weight, place, code))
    return min(wishes)[2] if wishes else "en"


@dataclass(frozen=True, slots=True)
class _Catalogue:
    """messages: English -> translated. forms: English singular -> the plural forms, chosen by form_of(number)."""

    messages: Mapping[str, str]
    forms: Mapping[str, tuple[str, ...]]
    form_of: Callable[[int], int]


@cache
def _catalogue(language: str) -> _Catalogue:
    if language == "en":
        return _Catalogue({}, {}, lambda number: int(number != 1))
    text = Path(__file__).with_name(f"{language}.po").read_text(encoding="utf-8")
    messages, forms = {}, {}
    for entry in text.split("\n\n"):
        fields = _fields(entry)
        if "msgid_plural" in fields:
            several = tuple(fields[name] for name in sorted(fields) if name.startswith("msgstr["))
            forms.update({fields["msgid"]: several} if all(several) else {})
        elif fields.get("msgstr"):
            messages[fields["msgid"]] = fields["msgstr"]
    rule = messages.pop("").partition("plural=")[2].partition(";")[0]
    return _Catalogue(messages, forms, gettext.c2py(rule))


def _fields(entry: str) -> dict[str, str]:
    """One entry of a catalogue, as "msgid" -> text; its strings have the escapes of JSON."""
    fields: dict[str, str] = {}
    name = ""
    for line in entry.splitlines():
        if line.startswith("msg"):
            name, _sep, line = line.partition(" ")
        if line.startswith('"'):
            fields[name] = fields.get(name, "") + json.loads(line)
    return fields
