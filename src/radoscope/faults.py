"""What is wrong with a file, with options or with a record: all of it at once, each fault with its place and a way out.

A fault reads "cells[2].queue_dept: unknown key, did you mean queue_depth?": the place is a key, an option or a line.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from radoscope.errors import PlanError, RadoscopeError

if TYPE_CHECKING:  # start-up time
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

T = TypeVar("T")
MOST = 20
"""Faults that are listed; a file with more is no file of ours."""
_LARGEST_FILE = 2**20
Place = Sequence[int | str]
"""Where in a file: keys, and numbers of entries from 0."""


@dataclass(frozen=True, slots=True)
class Fault:
    """place: where, as the user wrote it. what: what is wrong there, and what is allowed."""

    place: str
    what: str
    hint: str = ""

    def __str__(self) -> str:
        return f"{self.place}: {self.what}" if self.place else self.what


class Faults:
    """Collects faults, to report them all at once. source: the file's name, empty for options."""

    def __init__(self, source: str = "", found: Iterable[Fault] = ()) -> None:
        self._source = source
        self._found = list(found)

    def add(self, place: str, what: str, hint: str = "") -> None:
        self._found.append(Fault(place, what, hint))

    def extend(self, found: Iterable[Fault]) -> None:
        self._found.extend(found)

    def attempt(self, place: str, read: Callable[[], T]) -> T | None:
        """What `read` gives; where it cannot, the fault is kept and None stands for it."""
        try:
            return read()
        except RadoscopeError as fault:
            self.add(place, fault.message, fault.hint)
        except ValueError as fault:
            self.add(place, str(fault))
        return None

    def raise_any(self, hint: str = "") -> None:
        """Raises PlanError where there is a fault."""
        if self._found:
            raise self.error(hint)

    def error(self, hint: str = "") -> PlanError:
        """One error that names them all. hint: beside those of the faults."""
        source, count = self._source, len(self._found)
        hints = " ".join(dict.fromkeys(filter(None, [*(fault.hint for fault in self._found), hint])))
        if count == 1:
            return PlanError(": ".join(filter(None, (source, str(self._found[0])))), hints)
        listed = "\n".join(f"  - {fault}" for fault in self._found[:MOST])
        listed += f"\n  - and {count - MOST:,} more" if count > MOST else ""
        return PlanError(f"{f'{source}: ' if source else ''}{count:,} faults\n{listed}", hints)


def text_of(path: Path, hint: str = "") -> str:
    """A file of settings that somebody wrote. Raises PlanError where it cannot be read or is no such text."""
    try:
        with path.open("rb") as file:
            held = file.read(_LARGEST_FILE + 1)
    except OSError as fault:
        raise PlanError(f"{path} cannot be read: {fault.strerror}", hint) from None
    if len(held) > _LARGEST_FILE:
        raise PlanError(f"{path} is larger than 1 MiB; no such file is", hint)
    try:
        return held.decode()
    except UnicodeDecodeError:
        raise PlanError(f"{path} is not UTF-8 text", hint) from None


def read_toml(text: str, source: str, hint: str = "") -> dict[str, Any]:
    """The values of a TOML file. Raises PlanError with the line where it is none."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))  # as editors on Windows begin a file
    except RecursionError:
        raise PlanError(f"{source} is nested too deep", hint) from None
    except ValueError as fault:  # also of a number with more digits than Python converts
        raise PlanError(f"{source} is not TOML: {fault}", hint) from None


def near(word: str, known: Iterable[str]) -> str:
    """ ", did you mean rounds?", or nothing where no known word is like it."""
    found = difflib.get_close_matches(word, list(known), n=1)
    return f", did you mean {found[0]}?" if found else ""


def unknown_key(key: str, known: Iterable[str], meant: Mapping[str, str] | None = None) -> str:
    """ "unknown key, did you mean size?". meant: other words for known keys, as people or other files call them."""
    known = list(known)
    if meant and key in meant:
        return f"unknown key, did you mean {meant[key]}?"
    return "unknown key" + (near(key, known) or f"; known: {', '.join(known)}")


def as_value_error(parse: Callable[[Any], T]) -> Callable[[Any], T]:
    """For pydantic, which collects ValueErrors: our parsers raise PlanError with a hint."""

    def parse_or_complain(value: Any) -> T:
        try:
            return parse(value)
        except PlanError as error:
            raise ValueError(f"{error.message}. {error.hint}".rstrip()) from None

    return parse_or_complain


def faults_of(error: ValidationError, known: Callable[[Place], Iterable[str]]) -> list[Fault]:
    """What pydantic found. known: the keys that the table at that place may have."""
    return [Fault(place_text(one["loc"]), _what(one, known)) for one in error.errors()]


def place_text(place: Place) -> str:
    """("cells", 1, "op") -> "cells[2].op"; what pydantic puts in for its own types is left out."""
    text = ""
    for part in place:
        if isinstance(part, int):
            text += f"[{part + 1}]"
        elif "[" not in part:
            text += ("." if text else "") + part
    return text


def _what(one: ErrorDetails, known: Callable[[Place], Iterable[str]]) -> str:
    kind, given = one["type"], one["input"]
    if kind == "extra_forbidden":
        return unknown_key(str(one["loc"][-1]), known(one["loc"][:-1]))
    if kind == "missing":
        return "is needed"
    if kind == "model_type":
        return f"is a table of keys, not {given!r}"
    said = one["msg"].removeprefix("Value error, ")
    if kind == "value_error" or not isinstance(given, str | int | float):
        return said
    allowed = re.findall(r"'([^']+)'", said) if kind in ("literal_error", "enum") else []
    return f"{said}, not {given!r}{near(str(given), allowed)}"
