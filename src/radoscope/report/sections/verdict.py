"""The first thing to read: three sentences and the figures people quote."""

from __future__ import annotations

from radoscope.report.material import Material
from radoscope.report.section import Section, Values
from radoscope.report.verdict import headline_figures, write_verdict


def prepare(material: Material) -> Values:
    return {"sentences": write_verdict(material), "figures": headline_figures(material)}


SECTION = Section("verdict", prepare)
