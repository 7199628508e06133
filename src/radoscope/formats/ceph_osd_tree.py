"""`ceph osd tree`: how many OSDs and hosts, and how many OSDs are up."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from radoscope.errors import UnreadableFile
from radoscope.records.extra import Extra
from radoscope.records.measurement import Result, Source

NAME = "ceph-osd-tree"
SIGNS = ("WEIGHT", "weight", "Weight")

_LONGEST_LINE = 300
_HEAD = re.compile(r"\s*#?\s*id\s+(?:class\s+)?weight\s+(?:reweight\s+)?type\s?name\b(?P<rest>.*)", re.IGNORECASE)
_ROW = re.compile(
    r"\s*(?P<id>-?\d{1,9})\s+.*\b(?:osd\.(?P<osd>\d{1,6})|(?P<kind>root|host|rack|row|datacenter|room|chassis|zone|region|pdu|pod)\s+\S)"
)
_UP = re.compile(r"\bosd\.\d+\s+(?P<state>up|down|destroyed|DNE)\b")


def recognises(head: str) -> bool:
    return any(sign in head for sign in SIGNS)


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges: the names of the columns and the rows below."""
    at = 0
    while at < len(lines):
        head = _HEAD.match(lines[at][:_LONGEST_LINE])
        if head is None or "SIZE" in head["rest"]:  # that is `ceph osd df tree`
            at += 1
            continue
        end = at + 1
        while end < len(lines) and _ROW.match(lines[end][:_LONGEST_LINE]):
            end += 1
        if any(re.search(r"\bosd\.\d", line) for line in lines[at + 1 : end]):
            yield at, end
        at = end


def read(text: str) -> tuple[Result, ...]:
    """Every tree of the text. Raises UnreadableFile where there is none."""
    lines = text.splitlines()
    results = []
    for first, end in find(lines):
        source = Source(reader=NAME, first_line=first + 1, last_line=end)
        results.append(Result(tool=NAME, source=source, extra=_counts(lines[first + 1 : end])))
    if not results:
        raise UnreadableFile("no tree of OSDs in this text", "It begins with `ID CLASS WEIGHT TYPE NAME`.")
    return tuple(results)


def _counts(rows: Sequence[str]) -> Extra:
    """An OSD under several roots, one a device class say, counts once."""
    matches = [(match, row) for row in rows if (match := _ROW.match(row[:_LONGEST_LINE]))]
    states = {match["osd"]: _UP.search(row) for match, row in matches if match["osd"]}
    hosts = sum(1 for match, _ in matches if match["kind"] == "host")
    counts: Extra = {"osds": len(states), "hosts": hosts}
    if all(state is not None for state in states.values()):
        counts["osds_up"] = sum(1 for state in states.values() if state is not None and state["state"] == "up")
    return counts
