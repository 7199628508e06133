"""The first thing to read: three sentences and the figures people quote."""

from __future__ import annotations

import re

from radoscope.report.material import Material, Section, Values
from radoscope.report.verdict import headline_figures, write_verdict


def prepare(material: Material) -> Values:
    sentences = tuple(unbroken(sentence) for sentence in write_verdict(material))
    return {"sentences": sentences, "figures": headline_figures(material)}


def unbroken(sentence: str) -> str:
    """No line ends between a number and its unit."""
    return re.sub(r"(?<=[\d?]) (?=%|ms|IOPS|MB/s)", "\N{NO-BREAK SPACE}", sentence)


SECTION = Section("verdict", prepare)
