"""A study -> the rows of the index."""

from __future__ import annotations

from collections.abc import Iterator

from radoscope.records.fields import RESULT_FIELDS, Plain
from radoscope.records.measurement import Result
from radoscope.records.study import Cell, Segment, Study

Row = dict[str, Plain]


def cell_rows(study: Study) -> Iterator[Row]:
    for position, cell in enumerate(study.cells):
        yield _cell_row(study.id, position, cell)


def result_rows(study: Study) -> Iterator[Row]:
    """Numbered over the whole study in the order of its segments."""
    number = 0
    for segment in study.segments:
        for result in segment.results:
            number += 1
            yield _result_row(study.id, number, segment, result)


def _cell_row(study: str, position: int, cell: Cell) -> Row:
    asked = cell.conditions
    return {
        "study": study,
        "position": position,
        "name": cell.name,
        "title": cell.title,
        "layer": asked.layer.value,
        "place": cell.where,
        "sync": asked.sync.value,
        "clients": asked.clients,
        "rate_iops": asked.rate_iops,
    }


def _result_row(study: str, number: int, segment: Segment, result: Result) -> Row:
    return {
        "study": study,
        "number": number,
        "cell": segment.cell,
        "round": segment.round,
        "outcome": segment.outcome.value,
        "started_at_s": segment.started_at_s,
        **{field.name: _storable(field.read(result)) for field in RESULT_FIELDS},
    }


def _storable(value: Plain) -> Plain:
    """SQLite's integers have 63 bits; a count beyond them, as a hostile text may hold, is kept as a float."""
    return float(value) if isinstance(value, int) and abs(value) >= 2**63 else value
