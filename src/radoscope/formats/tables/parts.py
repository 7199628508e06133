"""Rows of what each thread of one run did: parts of it, and no results of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from radoscope import patterns as re
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.phrases import cell_of
from radoscope.formats.tables.grid import Grid, Row
from radoscope.formats.tables.heads import Head, is_of_mean
from radoscope.formats.tables.layout import Table, is_plain_value

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
    what, first, parts = _numbered(grid.rows)
    if not parts or not _differ_in_values(parts):
        return ()
    columns = list(zip(*map(_values_of, parts), strict=False))
    sums = [_values_of(row) for row in grid.rows if _SUMMED.fullmatch(row.cells[0])]
    are_summed = any(_is_sum(whole, of) for each in sums for whole, of in zip(each, columns, strict=False))
    are_threads = what in _ALWAYS_PARTS or (what == "t" and not first)
    are_threads = are_threads and (not first or len(parts) >= _FEWEST)
    valued = [column for column in columns if any(column)]
    are_alike = len(valued) > 0 and all(max(column) < _ALIKE * min(column) for column in valued)
    if are_summed or (are_alike and (are_threads or _are_said_to_run(len(parts), captions, jobs))):
        own = set(parts)
        return tuple(row for row in grid.rows if row in own or is_of_mean(row.cells[0]))
    return ()


def without_numbers(table: Table) -> Table:
    """ "job1 | 4k random read", "job2 | 8k random read": not so many jobs, but the name of each; so is "thread 0"."""
    rows = [body.row for body in table.rows]
    _, first, numbered = _numbered(rows)
    if not numbered or len(numbered) < len(rows) or (first and _differ_in_values(numbered)):
        return table
    named = (replace(body, load=body.load._replace(jobs=None), head=_without_jobs(body.head)) for body in table.rows)
    return replace(table, rows=tuple(named))


def _without_jobs(head: Head) -> Head:
    return replace(head, load=head.load._replace(jobs=None))


def _numbered(rows: Sequence[Row]) -> tuple[str, int, Sequence[Row]]:
    """What rows that are counted from 0 or 1 are called, the number of the first, and these rows."""
    named = [(match, row) for row in rows if (match := _PART.fullmatch(row.cells[0]))]
    numbers = sorted(int(match["number"]) for match, _ in named)
    is_counted = len(named) > 1 and numbers[0] < 2 and all(after == before + 1 for before, after in pairwise(numbers))
    names = {match["what"].lower() for match, _ in named}
    return (names.pop(), numbers[0], [row for _, row in named]) if is_counted and len(names) == 1 else ("", 0, ())


def _differ_in_values(rows: Sequence[Row]) -> bool:
    """Whether all else that they say is the same: runs of other conditions are no parts of one."""
    cells = zip(*(row.cells[1:] for row in rows), strict=False)
    return all(len(set(column)) == 1 or all(map(is_plain_value, filter(None, column))) for column in cells)


def _values_of(row: Row) -> list[float]:
    """The first number of each cell behind the label; 0 where there is none."""
    return [next((value.value for value in cell_of(cell).values(False)), 0.0) for cell in row.cells[1:]]


def _is_sum(whole: float, parts: Sequence[float]) -> bool:
    return whole > 0 and abs(whole - sum(parts)) <= _SAME_SUM * whole


def _are_said_to_run(count: int, captions: Sequence[str], jobs: int | None) -> bool:
    """ "4 threads of one process" above four rows."""
    return jobs == count or any(int(match["count"]) == count for line in captions[:2] for match in _RAN.finditer(line))
