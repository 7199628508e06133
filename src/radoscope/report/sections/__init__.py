"""The sections of a report, in their order on the page. A new one is a file, a template, and a line here."""

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
