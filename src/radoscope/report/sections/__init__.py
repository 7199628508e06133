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
    response.SECTION,
    ladder.SECTION,
    times.SECTION,
    table.SECTION,
    findings.SECTION,
    findings.CHECKS,
    latency.SECTION,
    scaling.SECTION,
    series.SECTION,
    place.SECTION,
    reproduce.SECTION,
)
"""Those that headings.NO_DATA has no words for are left out where there is nothing to show."""
