"""What was checked: how many rules each cell passed, and which could not be asked."""

from __future__ import annotations

from collections import defaultdict

from radoscope import explain
from radoscope.report.material import Material
from radoscope.report.section import Section, Values
from radoscope.report.words import LAYER_TITLES, with_layer


def prepare(material: Material) -> Values | None:
    if not material.study.cells:
        return None
    stamps = explain.stamps(material.study, material.summaries)
    titles = {cell.name: with_layer(LAYER_TITLES[cell.conditions.layer], cell.title) for cell in material.study.cells}
    missing: dict[tuple[str, str], list[str]] = defaultdict(list)
    for stamp in stamps:
        for rule, fact in stamp.unchecked:
            missing[rule, fact].append(titles[stamp.cell])
    return {
        "rows": tuple((titles[stamp.cell], stamp.sentence) for stamp in stamps),
        "unchecked": tuple((rule, fact, len(cells)) for (rule, fact), cells in sorted(missing.items())),
        "cells": len(stamps),
    }


SECTION = Section("checks", prepare)
