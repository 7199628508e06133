"""Where the time of an I/O went, cell by cell: rows for the page and for Markdown."""

from __future__ import annotations

from dataclasses import dataclass

from radoscope.explain.evidence import round_trip
from radoscope.explain.times import PARTS, mean_waterfall
from radoscope.records.study import Outcome
from radoscope.report.material import Material, Section, Values
from radoscope.report.numbers import milliseconds, percent
from radoscope.report.words import layer_title, with_layer
from radoscope.words import N_, _

HEADER = (N_("Cell"), N_("mean ms"), *PARTS)
NOTE = N_(
    "The mean I/O of each cell, split by the OSDs' own counters: what the client waited beyond the primary OSD, its "
    "queue, its preparation, its own store and drive, and what it then still waited for the replicas. What the "
    "counters and the client do not agree on is called unexplained."
)
MEASURED = N_(
    "With one I/O in flight and a measured round trip, what lies beyond the OSDs is measured as well: the client's "
    "CPU time of an I/O with its waits for a core, and that round trip."
)


@dataclass(frozen=True, slots=True)
class Row:
    """texts: by HEADER. A part that a cell does not have, as a read has no replicas, is empty."""

    texts: tuple[str, ...]


def rows(material: Material) -> tuple[Row, ...]:
    """One row a cell that has counters beside it; nothing where none has, or where something else was measured."""
    found: list[Row] = []
    if material.face.verdict is not None:
        return ()
    trip = round_trip(material.summaries.cells)
    for cell in material.study.cells:
        done = [one for one in material.study.segments_of(cell.name) if one.outcome is Outcome.DONE]
        water = mean_waterfall(done, trip[0] if trip is not None and cell.conditions.in_flight == 1 else None)
        if water is not None:
            parts = {
                part.name: f"{milliseconds(part.seconds)} ({percent(water.share(part.name))})" for part in water.parts
            }
            name = with_layer(layer_title(cell.conditions.layer), cell.title)
            found.append(Row((name, milliseconds(water.total_s), *(parts.get(part, "") for part in PARTS))))
    return tuple(found)


def prepare(material: Material) -> Values | None:
    found = rows(material)
    return (
        {"header": tuple(_(head) for head in HEADER), "rows": found, "note": f"{_(NOTE)} {_(MEASURED)}"}
        if found
        else None
    )


SECTION = Section("times", prepare)
