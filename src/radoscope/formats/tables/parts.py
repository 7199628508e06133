"""Rows of what each thread of one run did: parts of it, and no results of their own."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from radoscope import patterns as re
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.phrases import cell_of
from radoscope.formats.tables.grid import Grid, Row
from radoscope.formats.tables.heads import is_of_mean
from radoscope.formats.tables.layout import is_plain_value

_PART = re.compile(
    r"\W*(?P<what>threads?|thr|t|jobs?|workers?|proc(?:ess)?|tasks?|ranks?)[ _#-]{0,2}(?P<number>\d{1,3})\W*",
    re.IGNORECASE,
)
_ALWAYS_PARTS = ("thread", "thr")
_RAN = re.compile(rf"(?<![\w.,])(?P<count>\d{{1,3}}) (?:\w{{1,12}} )?(?:{words.JOBS})", re.IGNORECASE)
_SUMMED = re.compile(words.SUMMED, re.IGNORECASE)
_FEWEST, _ALIKE, _SAME_SUM = 3, 1.5, 0.01
"""Rows that are no two runs; how many times as much as the least of them a part does at most; by how much a sum differs
from that of its parts."""


def parts_of_a_run(grid: Grid, captions: Sequence[str], jobs: int | None) -> tuple[Row, ...]:
    """ "thread 0 | 6,120 IOPS", "thread 1 | 6,240 IOPS", and the mean of them; () where rows are runs.

    jobs: so many ran, as the lines above say. Numbered rows are parts where their sum stands below them, or where they
    are alike and as many as ran, or called threads.
    """
    named = [(match, row) for row in grid.rows if (match := _PART.fullmatch(row.cells[0]))]
    numbers = [int(match["number"]) for match, _ in named]
    parts = [row for _, row in named]
    is_counted = len(named) > 1 and numbers[0] < 2 and all(after == before + 1 for before, after in pairwise(numbers))
    if not is_counted or len({match["what"].lower() for match, _ in named}) > 1 or not _differ_in_values(parts):
        return ()
    rates = list(map(_first_value, parts))
    what, whole = named[0][0]["what"].lower(), sum(rates)
    sums = (_first_value(row) for row in grid.rows if _SUMMED.fullmatch(row.cells[0]))
    are_summed = any(abs(each - whole) <= _SAME_SUM * whole for each in sums)
    are_threads = what in _ALWAYS_PARTS or (what == "t" and not numbers[0])
    are_threads = are_threads and (not numbers[0] or len(parts) >= _FEWEST)
    are_alike = 0 < max(rates) < _ALIKE * min(rates)
    if are_summed or (are_alike and (are_threads or _are_said_to_run(len(parts), captions, jobs))):
        own = set(parts)
        return tuple(row for row in grid.rows if row in own or is_of_mean(row.cells[0]))
    return ()


def _differ_in_values(rows: Sequence[Row]) -> bool:
    """Whether all else that they say is the same: runs of other conditions are no parts of one."""
    cells = zip(*(row.cells[1:] for row in rows), strict=False)
    return all(len(set(column)) == 1 or all(map(is_plain_value, filter(None, column))) for column in cells)


def _first_value(row: Row) -> float:
    values = (value.value for cell in row.cells[1:] for value in cell_of(cell).values(False))
    return next(values, 0.0)


def _are_said_to_run(count: int, captions: Sequence[str], jobs: int | None) -> bool:
    """ "4 threads of one process" above four rows."""
    return jobs == count or any(int(match["count"]) == count for line in captions[:2] for match in _RAN.finditer(line))
