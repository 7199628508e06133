"""Findings, the gravest first."""

from __future__ import annotations

from radoscope.explain.finding import Severity
from radoscope.report.material import Material
from radoscope.report.section import Section, Values

GRAVEST_FIRST = (Severity.INVALID, Severity.DOUBTFUL, Severity.NOTE)


def prepare(material: Material) -> Values | None:
    ordered = tuple(f for severity in GRAVEST_FIRST for f in material.findings if f.severity is severity)
    titles = {cell.name: cell.title for cell in material.study.cells}
    remarks = (*material.study.notes, *material.summaries.remarks)
    return {"findings": ordered, "titles": titles, "remarks": remarks} if ordered or remarks else None


SECTION = Section("findings", prepare)
