"""What Ceph's commands say of OSDs and images in tables: a state, and no benchmark.

`ceph osd tree`, `ceph osd df`, `ceph osd perf`, `rbd perf image iostat` and `iotop`: one result a table, its facts in
`extra`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required
from radoscope.formats.grammar.quantities import bytes_per_s, number, prefixed
from radoscope.records.extra import Extra, known
from radoscope.records.measurement import Result, Source

NAME = "ceph-tables"
SIGNS = ("%USE", "WEIGHT", "weight", "Weight", "commit_latency", "fs_commit_latency", "RD_LAT")

_LONGEST_LINE = 400
_TREE_ROW = re.compile(
    r"\s*(?P<id>-?\d{1,9})\s+.*\b(?:osd\.(?P<osd>\d{1,6})|(?P<kind>root|host|rack|row|datacenter|room|chassis|zone|region|pdu|pod)\s+\S)"
)
_UP = re.compile(r"\bosd\.\d+\s+(?P<state>up|down|destroyed|DNE)\b")
_DF_ROW = re.compile(r"\s*(?P<id>-?\d{1,6})\s+.*\d|\s*TOTAL\s+(?P<total>.*)|\s*MIN/MAX VAR:")
_SIZE = re.compile(r"(?P<value>\d[\d.]*)\s?(?P<unit>[KMGTPE]i?B?|B)(?=\s|$)")
_PERF_ROW = re.compile(r"\s*(?P<osd>\d{1,6})\s+(?P<commit>\d{1,7})\s+(?P<apply>\d{1,7})\s*$")
_IMAGE_ROW = re.compile(
    r"\s*(?P<image>\S{1,200})\s+(?P<wr>[\d.]+[kM]?)/s\s+(?P<rd>[\d.]+[kM]?)/s\s+(?P<wr_bytes>[\d.]+ [KMGT]?i?B/s)\s+"
    r"(?P<rd_bytes>[\d.]+ [KMGT]?i?B/s)\s+[\d.]+ [mun]?s\s+[\d.]+ [mun]?s\s*$"
)


class _Kind(NamedTuple):
    """A command: how its table begins, what its rows look like, whether they hold what counts, and what they say."""

    tool: str
    head: re.Pattern[str]
    row: re.Pattern[str]
    facts: Callable[[Sequence[str]], Extra]


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges: the names of the columns and the rows below."""
    for _, first, end, _ in _tables(lines):
        yield first, end


def read(text: str) -> tuple[Result, ...]:
    """Every table of the text. Raises UnreadableFile where there is none."""
    results = (
        Result(tool=tool, source=Source(reader=NAME, first_line=first + 1, last_line=end), extra=facts)
        for tool, first, end, facts in _tables(text.splitlines())
    )
    return required(results, "no table of OSDs or images in this text", "It begins with the names of its columns.")


def _tables(lines: Sequence[str]) -> Iterator[tuple[str, int, int, Extra]]:
    """(tool, first, end, facts) of each table that says something."""
    at = 0
    while at < len(lines):
        line = lines[at][:_LONGEST_LINE]
        kind = next((each for each in _KINDS if each.head.match(line)), None)
        end = at + 1
        while kind is not None and end < len(lines) and kind.row.match(lines[end][:_LONGEST_LINE]):
            end += 1
        if kind is not None and (facts := kind.facts([row[:_LONGEST_LINE] for row in lines[at + 1 : end]])):
            yield kind.tool, at, end, facts
        at = end


def _tree(rows: Sequence[str]) -> Extra:
    """An OSD under several roots, one a device class say, counts once."""
    matches = [(match, row) for row in rows if (match := _TREE_ROW.match(row))]
    states = {match["osd"]: _UP.search(row) for match, row in matches if match["osd"]}
    if not states:
        return {}
    counts: Extra = {"osds": len(states), "hosts": sum(1 for match, _ in matches if match["kind"] == "host")}
    if all(state is not None for state in states.values()):
        counts["osds_up"] = sum(1 for state in states.values() if state is not None and state["state"] == "up")
    return counts


def _usage(rows: Sequence[str]) -> Extra:
    if not rows:
        return {}
    matches = [match for row in rows if (match := _DF_ROW.match(row))]
    facts: Extra = {"osds": len({match["id"] for match in matches if match["id"] and match["id"][0] != "-"})}
    total = next((match["total"] for match in matches if match["total"]), None)
    if total is None:
        return facts
    sizes = [prefixed(match["value"], match["unit"], 1024.0) for match in _SIZE.finditer(total)]
    if len(sizes) >= 3:
        facts |= known({"size_bytes": sizes[0], "used_bytes": sizes[1], "avail_bytes": sizes[-1]})
    share = number(_SIZE.sub("", total).strip().split(" ")[0]) if sizes else None
    if share is not None:
        facts["use_pct"] = share
    return facts


def _commits(rows: Sequence[str]) -> Extra:
    """How long each OSD takes to commit, in the last seconds; 0 where it had nothing to do."""
    found = {f"osd.{match['osd']}": int(match["commit"]) / 1000 for row in rows if (match := _PERF_ROW.match(row))}
    return {"osds": len(found), "osd_commit_s": found} if found else {}


def _images(rows: Sequence[str]) -> Extra:
    """The I/O of all images that are shown."""
    matches = [match for row in rows if (match := _IMAGE_ROW.match(row))]
    if not matches:
        return {}
    return {
        "images": len(matches),
        "client_wr_iops": sum(_count(match["wr"]) for match in matches),
        "client_rd_iops": sum(_count(match["rd"]) for match in matches),
        "client_wr_bytes_per_s": sum(_rate(match["wr_bytes"]) for match in matches),
        "client_rd_bytes_per_s": sum(_rate(match["rd_bytes"]) for match in matches),
    }


def _count(text: str) -> float:
    return prefixed(text.rstrip("kM"), text[-1], 1000.0) or 0.0


def _rate(text: str) -> float:
    value, _, unit = text.partition(" ")
    return bytes_per_s(number(value), unit) or 0.0


_KINDS = (
    _Kind(
        "ceph-osd-df",
        re.compile(r"\s*ID\s+(?:CLASS\s+)?WEIGHT\s+REWEIGHT\s+SIZE\s+(?:RAW\s?)?USE\b", re.IGNORECASE),
        _DF_ROW,
        _usage,
    ),
    _Kind(
        "ceph-osd-tree",  # with SIZE behind the names it is `ceph osd df tree`
        re.compile(r"\s*#?\s*id\s+(?:class\s+)?weight\s+(?:reweight\s+)?type\s?name\b(?!.*SIZE)", re.IGNORECASE),
        _TREE_ROW,
        _tree,
    ),
    _Kind(
        "ceph-osd-perf",
        re.compile(r"\s*osd\w*\s+(?:fs_)?commit_latency\(ms\)\s+(?:fs_)?apply_latency\(ms\)"),
        _PERF_ROW,
        _commits,
    ),
    _Kind(
        "rbd-perf",
        re.compile(r"\s*NAME\s+WR\s+RD\s+WR_BYTES\s+RD_BYTES\s+WR_LAT\s+RD_LAT"),
        _IMAGE_ROW,
        _images,
    ),
)
