"""Every OSD's own bench in a report: a table in which a sick one is named, and suggested mClock capacities."""

from __future__ import annotations

from typing import Any

from radoscope import wire
from radoscope.kinds.osd_bench.judge import OsdFigure, judge_osds
from radoscope.kinds.osd_bench.record import benches_of
from radoscope.kinds.osd_bench.words import COLUMNS, capacity_lines, osd_rows, osd_verdict
from radoscope.records.study import Study
from radoscope.report.markdown import fenced, table
from radoscope.report.material import Material, Section, Sentences, Values
from radoscope.report.repeat import target_words

TITLE = "Every OSD's own bench"


def judged(study: Study) -> tuple[OsdFigure, ...]:
    """Each OSD against its peers."""
    benches = benches_of(study)
    return judge_osds({one.osd: one.iops for one in benches}, {one.osd: one.device_class for one in benches})


def verdict(material: Material) -> Sentences:
    return osd_verdict(judged(material.study))


def to_json(study: Study) -> dict[str, Any]:
    return {"osds": wire.plain(judged(study))}


def repeat(study: Study) -> tuple[str, ...]:
    return ("osd-bench", *target_words(study))


def prepare(material: Material) -> Values:
    figures = judged(material.study)
    return {"columns": COLUMNS, "rows": osd_rows(figures), "lines": capacity_lines(figures)}


def markdown(material: Material) -> list[str]:
    figures = judged(material.study)
    rows = table(COLUMNS, osd_rows(figures), left=(0, 1, 6))
    return [f"## {TITLE}", rows, fenced("\n".join(capacity_lines(figures)))]


SECTION = Section(
    "osds",
    prepare,
    package=__package__ or "",
    title=TITLE,
    short="OSDs",
    lead="Writes of 4 KiB within each OSD, one OSD at a time, in another random order each round. An OSD is slower "
    "than its peers if its whole interval lies below 85 % of their median.",
    markdown=markdown,
)
