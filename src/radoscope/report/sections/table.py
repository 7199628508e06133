"""All cells in the shape of the tables that people post: IOPS, MB/s, latency min, max, ave."""

from __future__ import annotations

from radoscope.report.material import Material, Section, Values
from radoscope.report.notes import gather_notes
from radoscope.report.numbers import Figure, align_columns
from radoscope.report.table import Row, rows_by_layer


def prepare(material: Material) -> Values | None:
    groups = rows_by_layer(material)
    if not groups:
        return None
    rows = [row for _, members in groups for row in members]
    aligned = dict(zip((row.name for row in rows), align_columns([_figures(row) for row in rows]), strict=True))
    return {"groups": groups, "aligned": aligned, "notes": gather_notes(rows)}


def _figures(row: Row) -> tuple[Figure, ...]:
    return (row.iops, row.megabytes, row.min_ms, row.max_ms, row.mean_ms)


SECTION = Section("table", prepare)
