"""JSON that was cut off, elided or pasted with a comma too few: what can still be read of it, in one pass."""

from __future__ import annotations

import re
from typing import Any

_TOKEN = re.compile(
    r'(?P<string>"(?:[^"\\\n]|\\.)*")|(?P<mark>[{}\[\]:])|(?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])|(?P<word>\w+)'
)
_DEEPEST = 64
_WORDS = {"true": True, "false": False, "null": None}


def salvage(text: str, position: int = 0) -> tuple[Any, int]:
    """The first bracketed value at or after position, and the position behind it.

    Commas are not asked for, unknown words and stray marks are passed over, and the end of the text closes all that is
    open. A number glued to other characters, as damage leaves it, is no number; its key then has no value.
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
    found = root[0] if root else None
    return _without_pending(found), end


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


def _without_pending(value: Any) -> Any:
    """The same value of plain dictionaries; recursion is bounded by the depth to which it was built."""
    if isinstance(value, dict):
        return {key: _without_pending(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_without_pending(inner) for inner in value]
    return value
