"""Patterns that are compiled when they are first asked: as those of `re`, and not before."""

from __future__ import annotations

import importlib
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from radoscope import archives, formats, patterns

TO_NOBODY = """
from radoscope import patterns

def asked(self, name):
    raise AssertionError(f"{self.pattern[:60]} is asked for {name}")

patterns._Uncompiled.__getattr__ = asked
import radoscope.archives.paste
"""


def test_they_find_what_those_of_re_find() -> None:
    ours, theirs = patterns.compile(r"(?P<n>\d+) ?iops", patterns.IGNORECASE), re.compile(r"(?P<n>\d+) ?iops", re.I)
    text = "900 IOPS, then 1200iops"
    assert ours.findall(text) == theirs.findall(text)
    assert [each["n"] for each in ours.finditer(text)] == ["900", "1200"]
    assert (ours.sub("-", text), ours.flags, ours.pattern) == (theirs.sub("-", text), theirs.flags, theirs.pattern)
    assert ours.fullmatch("7 iops") and not ours.match("x 7 iops") and ours.groupindex == theirs.groupindex


def test_to_load_the_readers_compiles_none() -> None:
    subprocess.run([sys.executable, "-c", TO_NOBODY], check=True, timeout=120)


def test_no_reader_asks_which_of_them_a_match_is_of() -> None:
    """It is of the compiled one, so `match.re is` would be False of all."""
    sources = [file for package in (formats, archives) for file in Path(package.__path__[0]).rglob("*.py")]
    assert len(sources) > 100
    assert [file.name for file in sources if re.search(r"\.re (?:is|==|in) ", file.read_text("utf-8"))] == []


def test_what_is_no_pattern_fails_when_it_is_first_asked() -> None:
    with pytest.raises(re.error):
        patterns.compile("(").search("")


@pytest.mark.parametrize("package", [formats, archives], ids=lambda package: package.__name__)
def test_all_are_patterns(package: Any) -> None:
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        for each in _within(vars(importlib.import_module(found.name)).values()):
            if isinstance(each, patterns._Uncompiled):
                assert each.flags is not None


def _within(values: Any) -> Iterator[Any]:
    """Those in tuples, lists and dictionaries, too."""
    for each in list(values):
        if isinstance(each, tuple | list):
            yield from _within(each)
        elif isinstance(each, dict):
            yield from _within([*each, *each.values()])
        else:
            yield each
