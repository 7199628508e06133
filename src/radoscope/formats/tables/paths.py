"""What a network carried from one host to another, a line each: "10.0.0.4 => 10.0.0.7 : 6.1Gb" -> a grid."""

from __future__ import annotations

from collections.abc import Sequence

from radoscope import patterns as re
from radoscope.formats.tables.grid import Grid, Row

_HOST = r"[\w.:-]{2,40}(?: ?\([^()\n]{1,20}\))?"
_ARROW = r"(?:<?[-=]{1,3}>|<[-=]{1,3}|[→←↔⇒⇐⇔])"
_PATH = re.compile(
    rf"\s*(?P<path>{_HOST}\s{{0,8}}{_ARROW}\s{{0,8}}{_HOST})\s{{0,8}}[:=]\s{{0,8}}"
    r"(?P<number>[~≈]?\d{1,5}(?:[.,]\d{1,3})?) ?(?P<scale>[kKMG])(?:b|bits?|bps)(?:/s(?:ec)?)?"
    r"(?:\s{1,3}\((?P<remark>[^()\n]{1,60})\))?[\s.]*"
)
"""In bits: of bytes nobody knows whether they were carried in a second."""
_TOOL = re.compile(r"(?<![a-z])(?:iperf\d?|netperf|nuttcp|qperf)(?![a-z])", re.IGNORECASE)
_LONGEST, _NAMED_WITHIN, _MOST_ROWS = 200, 12, 100
_ARROWS = ("->", "=>", "<-", "<=", "→", "←", "↔", "⇒", "⇐", "⇔")


def collect_paths(lines: Sequence[str], first: int) -> Grid | None:
    """Lines of such, near the name of a tool that measures networks."""
    rows: list[Row] = []
    for at in range(first, min(len(lines), first + _MOST_ROWS)):
        match = _path_in(lines[at])
        if match is None:
            break
        label = f"{match['path']} {match['remark'] or ''}".strip()
        rows.append(Row(at, (label, f"{match['number']} {match['scale']}bits/sec")))
    around = lines[max(0, first - _NAMED_WITHIN) : first + len(rows) + _NAMED_WITHIN] if rows else ()
    if not any(_TOOL.search(line) for line in around if len(line) <= _LONGEST):
        return None
    return Grid(first, rows[-1].line + 1, (Row(first, ("path", "bandwidth")), *rows), "pairs", heads=1)


def _path_in(line: str) -> re.Match[str] | None:
    is_value = (":" in line or "=" in line) and len(line) <= _LONGEST
    return _PATH.fullmatch(line) if is_value and any(arrow in line for arrow in _ARROWS) else None
