"""`ceph -s`, `ceph status`: health, counts of daemons, usage and the clients' I/O; from jewel's layout to today's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required
from radoscope.formats.grammar.quantities import prefixed
from radoscope.records.extra import Extra
from radoscope.records.measurement import Result, Source

NAME = "ceph-status"
SIGNS = ("HEALTH_", "client:", "client io", "recovery:", "recovery io")

_LONGEST_LINE = 500
_FARTHEST = 12
_MOST_CHECKS, _INDENT = 30, " " * 8
_BEGIN = re.compile(r"\s*(?:cluster:\s*$|cluster [0-9a-f]{8}-[0-9a-f-]{27})")
_HEALTH = re.compile(r"\s*(?:health:|health)\s+(?P<health>HEALTH_\w+)")
_KNOWN = re.compile(
    r"\s*(?:id|health|services|mon|mgr|mds|osd|rgw|rbd-mirror|cephfs-mirror|nfs|iscsi|crash|data|volumes|pools|objects"
    r"|usage|pgs|io|client|recovery|cache|progress|flags|task status|election epoch)\b\s*:"
    r"|\s*(?:monmap|osdmap|pgmap|mdsmap|fsmap|client io|recovery io|flags|mgr active|election epoch)\b"
    r"|\s*\d+\s+(?:active|stale|undersized|peering|creating|down|incomplete)\b"
    r"|.{0,80}\b(?:used,|avail\b|osds? down|objects degraded|objects misplaced|pgs degraded)"
)
_IO = re.compile(r"\s*(?:client|recovery|cache)(?: io)?:?\s.*/s\b")
_PROMPT = re.compile(r"\s*\S{0,80}[#$>]\s+\S|\s*\$\s|\S+@\S+")
_BYTES = r"(?P<value>[\d.]+)\s?(?P<unit>[kKMGTPE]?i?B|[kKMGTPE]|bytes)"


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges from `cluster` (or `health:` where that was cut off) to the last line of the known words."""
    return ((first, end) for first, end in _stretches(lines) if _is_status(lines[first:end]))


def _stretches(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    first: int | None = None
    end = 0
    for at, line in enumerate(lines):
        line = line[:_LONGEST_LINE]
        begins = _BEGIN.match(line) is not None or (_HEALTH.match(line) is not None and first is None)
        if first is not None and (begins or _PROMPT.match(line) or at - end > _FARTHEST):
            yield first, end
            first = None
        if begins:
            first, end = at, at + 1
        elif first is not None and _KNOWN.match(line):
            end = at + 1
    if first is not None:
        yield first, end


def remains(lines: Sequence[str]) -> Iterator[int]:
    """The clients' I/O where nothing else of the status was pasted: a state, and no benchmark."""
    for at, line in enumerate(lines):
        if "/s" in line and len(line) <= _LONGEST_LINE and _IO.match(line):
            yield at


def _is_status(lines: Sequence[str]) -> bool:
    return any(_HEALTH.match(line[:_LONGEST_LINE]) for line in lines) and any("osds:" in line for line in lines)


def read(text: str) -> tuple[Result, ...]:
    """Every status of the text, its facts in extra. Raises UnreadableFile where there is none."""
    lines = text.splitlines()
    results = (
        Result(
            tool=NAME, source=Source(reader=NAME, first_line=first + 1, last_line=end), extra=_facts(lines[first:end])
        )
        for first, end in find(lines)
    )
    return required(results, "no status of a cluster in this text", "It begins with `cluster:` and names the OSDs.")


def _facts(lines: Sequence[str]) -> Extra:
    text = "\n".join(line[:_LONGEST_LINE] for line in lines)
    facts: Extra = {}
    for name, pattern, convert in _FACTS:
        match = pattern.search(text)
        if match is not None and (value := convert(match)) is not None:
            facts[name] = value
    if checks := _checks(lines):
        facts["health_checks"] = checks
    return facts


def _checks(lines: Sequence[str]) -> tuple[str, ...]:
    """The reasons, one a line below the word of health and further in than it, up to the empty line."""
    at = next((at for at, line in enumerate(lines) if _HEALTH.match(line[:_LONGEST_LINE])), len(lines))
    found: list[str] = []
    for line in lines[at + 1 : at + 1 + _MOST_CHECKS]:
        if not line.strip() or not line.startswith(_INDENT):
            break
        found.append(line[:_LONGEST_LINE].strip())
    return tuple(found)


def _text(match: re.Match[str]) -> str:
    return match[1]


def _whole(match: re.Match[str]) -> int:
    return int(match[1])


def _bytes(match: re.Match[str]) -> float | None:
    """Ceph's prefixes are 1024-based, with or without the i."""
    return prefixed(match["value"], match["unit"], 1024.0)


def _many(match: re.Match[str]) -> float | None:
    return prefixed(match[1], match[2], 1000.0)


_RATE = r"(?:client:|client io)(?:[^\n]*?,)?\s*"
_Fact = Literal[
    "health", "mons", "osds", "osds_up", "osds_in", "pools", "pgs", "objects", "used_bytes", "avail_bytes",
    "client_rd_bytes_per_s", "client_wr_bytes_per_s", "client_rd_iops", "client_wr_iops",
]  # fmt: skip
_FACTS: tuple[tuple[_Fact, re.Pattern[str], Callable[[re.Match[str]], Any]], ...] = (
    ("health", re.compile(r"\bhealth:?\s+(HEALTH_\w+)"), _text),
    ("mons", re.compile(r"\bmon:\s+(\d+)\s+daemon|\bmonmap\b.{0,40}?(?<=[: ])(\d+) mons"), lambda m: int(m[1] or m[2])),
    ("osds", re.compile(r"(\d+)\s+osds:"), _whole),
    ("osds_up", re.compile(r"\bosds:\s+(\d+)\s+up\b"), _whole),
    ("osds_in", re.compile(r"\bosds:[^\n]*?(\d+)\s+in\b"), _whole),
    ("pools", re.compile(r"(\d+)\s+pools\b"), _whole),
    (
        "pgs",
        re.compile(r"(\d+)\s+pgs\b(?!\s+(?:degraded|undersized|not|stuck|unclean|stale|inactive|backfill))"),
        _whole,
    ),
    ("objects", re.compile(r"(?:objects:\s+|,\s+)([\d.]+)([kMG]?)\s+objects\b"), _many),
    ("used_bytes", re.compile(_BYTES + r"\s+used\b"), _bytes),
    (
        "avail_bytes",
        re.compile(r"used,\s+" + _BYTES + r"(?:\s+/\s+[\d.]+\s?\w+)?\s+avail"),
        _bytes,
    ),
    ("client_rd_bytes_per_s", re.compile(_RATE + _BYTES + r"/s rd"), _bytes),
    ("client_wr_bytes_per_s", re.compile(_RATE + _BYTES + r"/s wr"), _bytes),
    ("client_rd_iops", re.compile(_RATE + r"([\d.]+)\s?([kM]?)\s?op/s rd"), _many),
    ("client_wr_iops", re.compile(_RATE + r"([\d.]+)\s?([kM]?)\s?op/s wr"), _many),
)
