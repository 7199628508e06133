"""The sections of a report, in their order on the page. A new one is a file, a template, its words, and a line here."""

from __future__ import annotations

from radoscope.report.section import Section
from radoscope.report.sections import (
    checks,
    findings,
    ladder,
    latency,
    osds,
    place,
    reproduce,
    response,
    scaling,
    scenario,
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
    checks.SECTION,
    latency.SECTION,
    scaling.SECTION,
    series.SECTION,
    place.SECTION,
    reproduce.SECTION,
)

ON_DEMAND: tuple[Section, ...] = (scenario.SECTION, osds.SECTION, response.SECTION, times.SECTION)
"""Sections that stand after the first one in studies that have them, and are not missed in all others."""
