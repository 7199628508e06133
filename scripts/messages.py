#!/usr/bin/env python3
"""Keeps the catalogues in src/radoscope/words complete: adds new messages, drops those that nothing says any more.

Run by `make words`. A message that is not translated yet has an empty msgstr, and the tests name it. Order and form
are fixed, so that a diff shows what changed and nothing else.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

ROOT = Path(__file__).parents[1] / "src" / "radoscope"
WORDS = ROOT / "words"
METHODS = [("**.py", "python"), ("**.j2", "jinja2.ext:babel_extract")]
KEYWORDS: Mapping[str, tuple[int, ...] | None] = {"_": None, "N_": None, "ngettext": (1, 2)}
PLURALS = {"de": "nplurals=2; plural=(n != 1);", "ja": "nplurals=1; plural=0;", "zh": "nplurals=1; plural=0;"}

Message = str | tuple[str, str]


def main() -> int:
    left = 0
    for language in PLURALS:
        path = WORDS / f"{language}.po"
        path.write_text(merged(language, path.read_text(encoding="utf-8") if path.exists() else ""), encoding="utf-8")
        left += (missing := len(untranslated(language)))
        print(f"{path.name}: {missing} messages are not translated")
    return int(left > 0)


@cache
def said() -> tuple[Message, ...]:
    """Every message of the program, by files; (singular, plural) where it counts something."""
    found: dict[Message, None] = {}
    rows = extract_from_dir(ROOT, METHODS, keywords=KEYWORDS, strip_comment_tags=True)
    for _file, _line, message, _comments, _context in sorted(rows, key=lambda row: row[:2]):
        if message:
            found[message if isinstance(message, str) else (message[0], message[1])] = None
    return tuple(found)


def translated(text: str) -> dict[Message, str | tuple[str, ...]]:
    """What a catalogue holds, the empty ones too."""
    catalogue = read_po(text.encode().splitlines(keepends=True).__iter__())
    return {
        one.id if isinstance(one.id, str) else (one.id[0], one.id[1]): one.string
        if isinstance(one.string, str)
        else tuple(one.string or ())
        for one in catalogue
        if one.id
    }


def untranslated(language: str) -> list[Message]:
    known = translated((WORDS / f"{language}.po").read_text(encoding="utf-8"))
    return [message for message in said() if not known.get(message) or not all(known[message])]


def merged(language: str, text: str) -> str:
    """The catalogue with the messages of the program in their order, and what was translated of them."""
    known = translated(text) if text else {}
    head = f'"Language: {language}\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
    head = f'msgid ""\nmsgstr ""\n{head}"Plural-Forms: {PLURALS[language]}\\n"\n'
    forms = int(PLURALS[language][len("nplurals=")])
    return "\n".join([head, *("\n".join((*_entry(message, known.get(message), forms), "")) for message in said())])


def _entry(message: Message, known: str | tuple[str, ...] | None, forms: int) -> Iterator[str]:
    if isinstance(message, str):
        yield f"msgid {_quoted(message)}"
        yield f"msgstr {_quoted(str(known or ''))}"
        return
    one, many = message
    yield f"msgid {_quoted(one)}"
    yield f"msgid_plural {_quoted(many)}"
    several = tuple(known) if known else ("",) * forms
    yield from (f"msgstr[{number}] {_quoted(text)}" for number, text in enumerate(several))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


if __name__ == "__main__":
    sys.exit(main())
