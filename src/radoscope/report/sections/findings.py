"""Findings, the answer first."""

from __future__ import annotations

from radoscope.explain.finding import Finding
from radoscope.report.material import Material, Section, Values
from radoscope.report.words import LAYER_TITLES, with_layer

NAMED = 6
"""Cells that a finding names one by one."""


def prepare(material: Material) -> Values | None:
    ordered = material.findings
    remarks = (*material.study.notes, *material.summaries.remarks)
    numbered = tuple((number, finding, about(material, finding)) for number, finding in enumerate(ordered, start=1))
    return {"findings": numbered, "remarks": remarks} if ordered or remarks else None


def about(material: Material, finding: Finding) -> str:
    """The cells of a finding by layer and title, as many as one reads; "all cells" where it is about all."""
    cells = tuple(cell for cell in material.study.cells if cell.name in finding.cells)
    if not finding.cells or len(cells) == len(material.study.cells):
        return "all cells" if material.study.cells else ""
    named = [with_layer(LAYER_TITLES[cell.conditions.layer], cell.title) for cell in cells[:NAMED]]
    more = [f"and {len(cells) - NAMED} more"] if len(cells) > NAMED else []
    return "; ".join(named + more)


SECTION = Section("findings", prepare)
