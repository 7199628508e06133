"""Findings, the answer first; and how many rules each cell passed, and which could not be asked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from radoscope import explain
from radoscope.explain import Checks
from radoscope.explain.finding import Finding, Role
from radoscope.report.material import Material, Section, Values
from radoscope.report.words import layer_title, with_layer
from radoscope.words import N_, _, joined

NAMED = 6
"""Cells that a finding names one by one."""


def prepare(material: Material) -> Values | None:
    ordered, remarks = material.findings, material.study.notes
    numbered = tuple(
        (number, finding, about(material, finding), weight(finding)) for number, finding in enumerate(ordered, start=1)
    )
    return {"findings": numbered, "remarks": remarks} if ordered or remarks else None


def about(material: Material, finding: Finding) -> str:
    """The cells of a finding by layer and title, as many as one reads; "all cells" where it is about all."""
    cells = tuple(cell for cell in material.study.cells if cell.name in finding.cells)
    if not finding.cells or len(cells) == len(material.study.cells):
        return _("all cells") if material.study.cells else ""
    return some([with_layer(layer_title(cell.conditions.layer), cell.title) for cell in cells])


def weight(finding: Finding) -> str:
    """What a cause explains of the cell in which it weighs most; empty of others, and where it cannot be told."""
    if finding.role is not Role.CAUSE or finding.explains is None:
        return ""
    told = N_("at most {share} where it weighs most") if finding.at_most else N_("{share} where it weighs most")
    return _(told, share=finding.explains)


def some(names: Sequence[str]) -> str:
    """As many as one reads."""
    more = [_("and {n} more", n=len(names) - NAMED)] if len(names) > NAMED else []
    return joined([*names[:NAMED], *more])


SECTION = Section(
    "findings",
    prepare,
    title=N_("Findings"),
    short=N_("Findings"),
    lead=N_("What the evidence shows, when it would not hold, and what to try next."),
    nothing=N_("No rule found anything. That does not prove that everything is fine."),
)


def prepare_checks(material: Material) -> Values | None:
    if not material.study.cells:
        return None
    asked = explain.check_cells(material.study, material.summaries)
    titles = {cell.name: with_layer(layer_title(cell.conditions.layer), cell.title) for cell in material.study.cells}
    missing: dict[tuple[str, str], list[str]] = defaultdict(list)
    for one in asked:
        for rule, fact in one.unchecked:
            missing[rule, fact].append(titles[one.cell])
    return {
        "rows": tuple((titles[one.cell], _sentence(material, one)) for one in asked),
        "unchecked": tuple((rule, fact, len(cells)) for (rule, fact), cells in sorted(missing.items())),
        "cells": len(asked),
    }


def _sentence(material: Material, asked: Checks) -> str:
    """ "doubtful: 14 checks passed, 1 not (client-cpu)": the cell's stamp, as everywhere, and what was asked."""
    summary = material.summaries.of(asked.cell)
    return asked.sentence if summary is None else f"{_(material.stamp(summary).mark.value)}: {asked.sentence}"


CHECKS = Section(
    "checks",
    prepare_checks,
    title=N_("Checks"),
    lead=N_("Every cell is checked against the rules for common mistakes; checks that could not be made are named."),
    nothing=N_("There are no cells to check."),
)
