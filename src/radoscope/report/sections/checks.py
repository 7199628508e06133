"""What was checked: how many rules each cell passed, and which could not be asked."""

from __future__ import annotations

from collections import defaultdict

from radoscope import explain
from radoscope.explain import Checks
from radoscope.report.material import Material, Section, Values
from radoscope.report.words import LAYER_TITLES, with_layer


def prepare(material: Material) -> Values | None:
    if not material.study.cells:
        return None
    asked = explain.check_cells(material.study, material.summaries)
    titles = {cell.name: with_layer(LAYER_TITLES[cell.conditions.layer], cell.title) for cell in material.study.cells}
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
    """ "doubtful: 14checks passed, 1 not (client-cpu)": the cell's stamp, as everywhere, and what was asked."""
    summary = material.summaries.of(asked.cell)
    return asked.sentence if summary is None else f"{material.stamp(summary).mark}: {asked.sentence}"


SECTION = Section("checks", prepare)
