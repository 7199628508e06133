"""JSON objects that stand somewhere in a text, as tools print them between other lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

_START = re.compile(r"^[^{}]{0,120}?(?P<brace>\{)\s*(?:\"|$)")
_DECODER = json.JSONDecoder(strict=False)


def find_objects(lines: Sequence[str]) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """(first, end, object) of each JSON object that begins in a line of its own, or after a short word as "osd.0: {".

    first and end: half-open, 0-based. Linear: a decoder stops at the first wrong character of a damaged object.
    """
    text: str | None = None
    offsets: list[int] = []
    line = 0
    while line < len(lines):
        match = _START.match(lines[line][:200]) if "{" in lines[line] else None
        if match is None:
            line += 1
            continue
        if text is None:
            text = "\n".join(lines)
            offsets = [0, *accumulate(len(each) + 1 for each in lines)]
        found = _decode(text, offsets[line] + match.start("brace"))
        if found is None:
            line += 1
            continue
        value, end_offset = found
        end = line + text.count("\n", offsets[line], end_offset) + 1
        yield line, end, value
        line = end


def _decode(text: str, start: int) -> tuple[dict[str, Any], int] | None:
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):  # ValueError: also a number with more digits than Python converts
        return None
    return (value, end) if isinstance(value, dict) else None


def as_object(value: object) -> dict[str, Any]:
    """The value where it is a JSON object, else an empty one: a damaged file must not raise TypeError."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
