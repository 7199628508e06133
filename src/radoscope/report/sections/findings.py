"""Findings, the gravest first."""

from __future__ import annotations

from radoscope.report.material import Material
from radoscope.report.section import Section, Values


def prepare(material: Material) -> Values | None:
    ordered = material.ordered_findings()
    titles = {cell.name: cell.title for cell in material.study.cells}
    remarks = (*material.study.notes, *material.summaries.remarks)
    return {"findings": ordered, "titles": titles, "remarks": remarks} if ordered or remarks else None


SECTION = Section("findings", prepare)
