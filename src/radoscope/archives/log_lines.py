"""Output that came through a log: the time, the host or the container in front of each line is taken away.

As `kubectl logs --timestamps` and `--prefix`, `docker compose logs`, `journalctl` and pdsh print it; and Ansible, which
makes a string of JSON of each line (`stdout_lines`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby

from radoscope import patterns as re

_TIME = r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?"
_JOURNAL = r"[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d (?P<unit>[\w.-]{1,80} [\w./@:-]{1,80}?(?:\[\d{1,8}\])?):"
_SOURCE = r"(?P<source>[\w./-]{1,80} {0,40}\||\[pod/[^\]\s]{1,200}\]|[\w-][\w.-]{0,60}:)"
_PREFIX = re.compile(rf"(?:{_SOURCE}(?: |$))?(?P<time>(?:{_TIME}|{_JOURNAL})(?: |$))?")
_FEWEST = 4
"""Lines in a row: so many that begin alike are no list of measurements, if one of them is as no list has it."""
_AS_OUTPUT = re.compile(r"\s{2,}\S|\t|[{}\]]|$")
"""Indented, empty, or of JSON."""
_OF_OUTPUT = re.compile(r"\"(?:\"|\s{2,}|[^\"\\]*\\[\"t])")
"""Empty, indented, or with marks that had to be escaped."""
_STRING = re.compile(r"\s*(?P<string>\"(?:[^\"\\]|\\.)*\"),?\s*")


def without_log_prefix(lines: Sequence[str]) -> list[str]:
    """The lines, those of a log as they were printed. Rows of a table with the same first cell stay as they are."""
    found: list[str] = []
    lines = _without_quotes(lines)
    for key, run in groupby(((_PREFIX.match(line), line) for line in lines), key=lambda each: _key(each[0])):
        whole = list(run)
        rests = [line[match.end() :] for match, line in whole if match]
        found += rests if key and len(rests) >= _FEWEST and _is_output(rests) else [line for _, line in whole]
    return found


def _key(prefix: re.Match[str] | None) -> tuple[str | None, str | None, bool] | None:
    """What is the same in front of all lines of one output; None: nothing is in front."""
    if prefix is None or not prefix[0]:
        return None
    return prefix["source"], prefix["unit"], prefix["time"] is not None


def _is_output(rests: Sequence[str]) -> bool:
    are_cells = 2 * sum("|" in rest for rest in rests) > len(rests)
    return not are_cells and any(map(_AS_OUTPUT.match, rests))


def _without_quotes(lines: Sequence[str]) -> list[str]:
    found: list[str] = []
    for are_strings, run in groupby(
        ((_STRING.fullmatch(line), line) for line in lines), key=lambda each: bool(each[0])
    ):
        whole = list(run)
        strings = [match["string"] for match, _ in whole if match]
        is_output = are_strings and len(strings) >= _FEWEST and any(map(_OF_OUTPUT.match, strings))
        found += map(_said, strings) if is_output else [line for _, line in whole]
    return found


def _said(string: str) -> str:
    try:
        return str(json.loads(string))
    except ValueError:  # an escape that JSON does not have
        return string[1:-1]
