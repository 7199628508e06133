"""Every OSD's own bench: a table in which a sick one is named, and what mClock could be told."""

from __future__ import annotations

from radoscope.report.material import Material
from radoscope.report.osds import COLUMNS, capacity_lines, judged, osd_rows
from radoscope.report.section import Section, Values


def prepare(material: Material) -> Values | None:
    figures = judged(material.study.osd_benches)
    return {"columns": COLUMNS, "rows": osd_rows(figures), "lines": capacity_lines(figures)} if figures else None


SECTION = Section("osds", prepare)
