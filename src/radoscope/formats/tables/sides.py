"""Lines that compare: "IOPS:  NFS: 110  SMB: 112  Difference: 1.8%" -> a grid, a column a side."""

from __future__ import annotations

from collections.abc import Sequence

from radoscope import patterns as re
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.phrases import Load, heading_of
from radoscope.formats.tables.grid import LONGEST_PAIRS, Grid, Row

_SIDE = (
    r"(?P<side>[^\W\d][\w.()-]{0,20}(?: [\w.()-]{1,12}){0,2}) ?[:=]\s{0,4}"
    r"(?P<value>[~≈]?[-+−]?\d[^:|;\s]{0,16}(?: [^\s:;|\d]{1,8})?)"
)
_SIDES = re.compile(
    r"\s*(?P<name>[^\W\d][\w ()%./-]{0,30}):\s{1,20}(?P<sides>"
    rf"(?:{re.sub('[?]P<[a-z]+>', '?:', _SIDE)}(?:\s{{2,}}|\s*[;|]\s*|,\s+|\s*$)){{2,6}})"
)
_EACH = re.compile(_SIDE)
_COMPARED = re.compile(rf"(?:{words.COMPARED}|delta|Δ)", re.IGNORECASE)
_MOST_ROWS = 40


def collect_sides(lines: Sequence[str], first: int) -> Grid | None:
    """Lines below each other of the same sides, one of which names a quantity; differences are left out."""
    sides: tuple[str, ...] = ()
    rows: list[Row] = []
    for at in range(first, min(len(lines), first + _MOST_ROWS)):
        line = lines[at]
        match = _SIDES.fullmatch(line) if len(line) <= LONGEST_PAIRS and line.count(":") > 2 else None
        told = {each["side"]: each["value"] for each in _EACH.finditer(match["sides"])} if match else {}
        told = {side: value for side, value in told.items() if not _COMPARED.fullmatch(side)}
        if match is None or len(told) < 2 or (sides and sides != tuple(told)):
            break
        sides = tuple(told)
        rows.append(Row(at, (match["name"], *told.values())))
    if (
        len(rows) < 2
        or not (all(map(_is_name, sides)) or all(map(_is_way, sides)))
        or not any(heading_of(row.cells[0]).quantities for row in rows)
    ):
        return None
    return Grid(first, rows[-1].line + 1, (Row(first, ("", *sides)), *rows), "pairs", heads=1)


def _is_way(side: str) -> bool:
    """ "read", and nothing more."""
    phrase = heading_of(side)
    return phrase.load.way in ("read", "write") and not (phrase.rest or phrase.quantities or phrase.statistics)


def _is_name(side: str) -> bool:
    """Of what was measured, and neither what nor how."""
    phrase = heading_of(side)
    return phrase.load == Load() and not (phrase.ways or phrase.quantities or phrase.statistics)
