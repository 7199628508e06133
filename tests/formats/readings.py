"""Short ways to say what was read."""

from __future__ import annotations

from typing import Any

from radoscope import wire
from radoscope.archives import paste


def read_all(text: str) -> list[dict[str, Any]]:
    """Every result of a page as its JSON object, also where the page leaves a doubt about it."""
    return [wire.exchanged(result) for result in paste.read_page(text).everything]


def brief(text: str, *fields: str) -> list[tuple[Any, ...]]:
    """The named fields of every result, in order; a name that is no field is looked up in `extra`."""
    return [
        tuple(each[name] if name in each else each["extra"].get(name) for name in fields) for each in read_all(text)
    ]
