"""JSON objects anywhere in a text, as tools print them between other lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

_START = re.compile(r"^[^{}]{0,120}?(?P<brace>\{)\s*(?:\"|$)")
_DECODER = json.JSONDecoder(strict=False)


_FIRST_WINDOW = 4096
_GROWTH = 16
_LARGEST = 2**28


def find_objects(lines: Sequence[str]) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """(first, end, object) of each JSON object that begins in a line of its own, or after a short word as "osd.0: {".

    first and end: half-open, 0-based. What is decoded in vain is limited to a few times the length of the text, so
    that a text full of beginnings takes no longer.
    """
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
