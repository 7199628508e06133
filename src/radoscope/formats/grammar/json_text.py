"""JSON among other text, and JSON that is damaged: its objects, and what of a broken one can be saved."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

from radoscope import patterns as re

_START = re.compile(r"^[^{}]{0,120}?(?P<brace>\{)\s*(?:\"|$)")
_DECODER = json.JSONDecoder(strict=False)


_FIRST_WINDOW = 4096
_GROWTH = 16
_LARGEST = 2**28


def find_objects(lines: Sequence[str], *signs: str) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """(first, end, object) of each JSON object that begins in a line of its own, or after a short word as "osd.0: {".

    first and end: half-open, 0-based. signs: where no line has any of them none is looked for. What is decoded in vain
    is limited to a few times the length of the text, so that a text full of beginnings takes no longer.
    """
    if signs and not any(sign in line for line in lines for sign in signs):
        return
    text: str | None = None
    offsets: list[int] = []
    line, spare = 0, 0
    while line < len(lines):
        match = _START.match(lines[line][:200]) if "{" in lines[line] else None
        if match is None:
            line += 1
            continue
        if text is None:
            text = "\n".join(lines)
            offsets = [0, *accumulate(len(each) + 1 for each in lines)]
            spare = 8 * len(text) + 2**22
        if spare < 0:
            return
        value, length, spent = _decode(text, offsets[line] + match.start("brace"))
        spare -= spent
        if value is None:
            line += 1
            continue
        end = line + text.count("\n", offsets[line], offsets[line] + match.start("brace") + length) + 1
        yield line, end, value
        line = end


def _decode(text: str, start: int) -> tuple[dict[str, Any] | None, int, int]:
    """(object or None, its length, characters looked at in vain). Windows grow: an error costs the whole window."""
    window, spent = _FIRST_WINDOW, 0
    while True:
        part = text[start : start + window]
        try:
            value, end = _DECODER.raw_decode(part)
            return (value if isinstance(value, dict) else None), end, spent
        except json.JSONDecodeError as error:
            spent += len(part)
            cut = len(part) == window and (error.pos > window - 16 or error.msg.startswith("Unterminated"))
            if not cut or window >= _LARGEST:
                return None, 0, spent
            window *= _GROWTH
        except (ValueError, RecursionError):  # ValueError: a number with more digits than Python converts
            return None, 0, spent + len(part)


def as_object(value: object) -> dict[str, Any]:
    """The value where it is a JSON object, else an empty one: a damaged file must not raise TypeError."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


_TOKEN = re.compile(
    r'(?P<string>"(?:[^"\\\n]|\\.)*")|(?P<mark>[{}\[\]:])|(?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=[^\w.])|(?P<word>\w+)'
)
_DEEPEST = 64
_WORDS = {"true": True, "false": False, "null": None}


def salvage(text: str, position: int = 0) -> tuple[Any, int]:
    """The first bracketed value at or after position, and the position behind it.

    Commas are not asked for, unknown words and stray marks are passed over, and the end of the text closes all that is
    open. A number glued to other characters, as damage leaves it, or at the end of the text, which may have cut it, is
    none; its key then has no value.
    """
    root: list[Any] = []
    stack: list[Any] = [root]
    key: str | None = None
    end = len(text)
    for token in _TOKEN.finditer(text, position):
        mark = token["mark"]
        if mark == ":":
            key = _take_back_key(stack[-1])
            continue
        if mark in ("}", "]"):
            key = None
            if len(stack) > 1:
                stack.pop()
            if len(stack) == 1 and root:
                end = token.end()
                break
            continue
        value = _value(token)
        if len(stack) == 1 and mark is None:
            continue
        _put(stack[-1], key, value)
        key = None
        if mark is not None and len(stack) < _DEEPEST:
            stack.append(value)
    return root[0] if root else None, end


class _Pending(dict[str, Any]):
    """An object under construction: `last` is a string that may turn out to be a key when a colon follows."""

    last: str | None = None


def _value(token: re.Match[str]) -> Any:
    if token["mark"] is not None:
        return _Pending() if token["mark"] == "{" else []
    if token["string"] is not None:
        return token["string"][1:-1]
    if token["number"] is not None:
        number = token["number"]
        return int(number) if len(number) < 20 and number.lstrip("-").isdecimal() else float(number)
    return _WORDS.get(token["word"])


def _take_back_key(container: Any) -> str | None:
    if isinstance(container, _Pending):
        key, container.last = container.last, None
        return key
    return None


def _put(container: Any, key: str | None, value: Any) -> None:
    if isinstance(container, list):
        container.append(value)
    elif key is not None:
        container[key] = value
        container.last = None
    else:
        container.last = value if isinstance(value, str) else None
