"""The sections of a report, in their order on the page. A new one is a file, a template, its words, and a line here."""

from __future__ import annotations

from radoscope.report.material import Section
from radoscope.report.sections import (
    findings,
    ladder,
    latency,
    place,
    reproduce,
    response,
    scaling,
    series,
    table,
    times,
    verdict,
)

SECTIONS: tuple[Section, ...] = (
    verdict.SECTION,
    ladder.SECTION,
    table.SECTION,
    findings.SECTION,
    findings.CHECKS,
    latency.SECTION,
    scaling.SECTION,
    series.SECTION,
    place.SECTION,
    reproduce.SECTION,
)

ON_DEMAND: tuple[Section, ...] = (response.SECTION, times.SECTION)
"""Sections that stand after those of the kind in studies that have them, and are not missed in all others."""
