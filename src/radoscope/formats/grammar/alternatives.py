"""Long lists of words in many languages, asked of each sentence: those of other letters not of one that is in ASCII."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import groupby

from radoscope import patterns as re


class Alternatives:
    """A pattern of alternatives, whatever their case; compiled when it is first asked of a text."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern

    @cached_property
    def _all(self) -> re.Pattern[str]:
        return re.compile(_joined(list(_split(self._pattern))), re.IGNORECASE)

    @cached_property
    def _ascii(self) -> re.Pattern[str]:
        return re.compile(_joined([each for each in _split(self._pattern) if _may_be_ascii(each)]), re.IGNORECASE)

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        return self._of(text).search(text, start)

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        return self._of(text).match(text, start)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        return self._of(text).finditer(text)

    def _of(self, text: str) -> re.Pattern[str]:
        return self._ascii if text.isascii() else self._all


_LETTER = re.compile(r"[^\W\d_](?![?*+{])")
_GROUP = re.compile(r"\(\?:(?P<inner>[^()\[\]\\]*)\)(?![?*+{])")
_CAPTURES = re.compile(r"\((?!\?)|\(\?P|\(\?\(|\\\d")
_PART = re.compile(r"\\.|\[(?:\\.|[^\]\\])+\]|.", re.DOTALL)
"""What belongs together: an escaped letter, a class of letters."""


def _split(pattern: str) -> Iterator[str]:
    """The alternatives of a pattern that stand in no brackets."""
    depth, begin = 0, 0
    for part in _PART.finditer(pattern):
        depth += {"(": 1, ")": -1}.get(part[0], 0)
        if part[0] == "|" and not depth:
            yield pattern[begin : part.start()]
            begin = part.end()
    yield pattern[begin:]


def _joined(alternatives: Sequence[str]) -> str:
    """Those that begin a word behind one sign of it: most places of a text begin none."""
    begin = [each.removeprefix(r"\b") for each in alternatives if each.startswith(r"\b")]
    others = [each for each in alternatives if not each.startswith(r"\b")]
    return "|".join([rf"\b(?:{_by_letter(begin)})", *_lettered(others)] if begin else _lettered(others)) or "(?!)"


def _by_letter(words: Sequence[str]) -> str:
    return "|".join(_lettered([part for word in words for part in _opened(word)]))


def _opened(word: str) -> Iterator[str]:
    """ "(?:we|you) need" as "we need" and "you need"."""
    group = _GROUP.match(word)
    if group is None or _CAPTURES.search(word):
        yield word
        return
    for each in _split(group["inner"]):
        yield f"{each}{word[group.end() :]}"


def _lettered(alternatives: Sequence[str]) -> Iterator[str]:
    """Those with one letter at their beginning behind this letter: where it does not stand, none of them is tried.

    None goes past one of which the first letter is not known, so that the same one is found first.
    """
    for is_known, some in groupby(alternatives, key=lambda each: _LETTER.match(each) is not None):
        if not is_known:
            yield from some
            continue
        behind: dict[str, list[str]] = {}
        for each in some:
            behind.setdefault(each[0].lower(), []).append(each[1:])
        yield from (f"{letter}(?:{'|'.join(each)})" for letter, each in behind.items())


def _may_be_ascii(alternative: str) -> bool:
    """Whether no other letter is asked for outside of brackets, and not even there as what may be left out."""
    depth = 0
    for part in _PART.finditer(alternative):
        depth += {"(": 1, ")": -1}.get(part[0], 0)
        is_optional = alternative[part.end() : part.end() + 1] in ("?", "*", "{") or len(part[0]) > 1
        if not (depth or is_optional or part[0].isascii()):
            return False
    return True
