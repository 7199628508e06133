"""Notes below the table: why cells are undecided or failed, and remarks; shared ones only once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from radoscope.report.table import Row
from radoscope.report.words import with_layer

FEW = 2
"""More cells than this with the same note are counted instead of named."""


@dataclass(frozen=True, slots=True)
class Notes:
    """shared: one line each. own: cell name -> notes on that cell only."""

    shared: tuple[str, ...]
    own: Mapping[str, tuple[str, ...]]


def gather_notes(rows: Sequence[Row]) -> Notes:
    """Reasons that come from a finding are left out: the stamp names its number."""
    counts = Counter(_common_form(note) for row in rows for note in _notes_of(row))
    many = {note: count for note, count in counts.items() if count > FEW}
    shared = tuple(f"{count} cells: {note}" for note, count in many.items())
    own = {row.name: tuple(note for note in _notes_of(row) if _common_form(note) not in many) for row in rows}
    return Notes(shared, own)


def note_lines(rows: Sequence[Row]) -> tuple[str, ...]:
    """The notes as lines of text, each naming its cell or its number of cells."""
    notes = gather_notes(rows)
    single = (
        f"{with_layer(row.layer, row.label)}: {'; '.join(notes.own[row.name])}" for row in rows if notes.own[row.name]
    )
    return (*notes.shared, *single)


def _notes_of(row: Row) -> tuple[str, ...]:
    stamp = row.stamp
    reason = (f"{stamp.mark.value}: {stamp.reason}",) if stamp.reasons and not stamp.findings else ()
    return (*reason, *row.remarks)


def _common_form(note: str) -> str:
    """Cells that need the same number of rounds need different seconds for it: "..., 9.99 s" falls away."""
    return note.split(", ")[0] if note.startswith("undecided") else note
