"""The verdict for a terminal: plain values, drawn by the command line."""

from __future__ import annotations

from radoscope.explain.finding import Finding
from radoscope.records.study import Study
from radoscope.report.material import Material
from radoscope.report.notes import note_lines
from radoscope.report.response import sentences
from radoscope.report.table import COLUMNS, Row, build_rows
from radoscope.report.verdict import write_verdict
from radoscope.stats.response import response_curves
from radoscope.stats.values import Summaries

__all__ = ["COLUMNS", "Row", "limit_sentences", "note_lines", "verdict_rows", "verdict_sentences"]


def limit_sentences(study: Study, summaries: Summaries) -> tuple[str, ...]:
    """What each search for the most IOPS under a latency limit found; nothing where there was none."""
    return sentences(response_curves(study, summaries))


def verdict_rows(study: Study, summaries: Summaries, findings: tuple[Finding, ...] = ()) -> tuple[Row, ...]:
    """One row a cell, from the device up; `COLUMNS` names the texts of `Row.texts`."""
    return build_rows(Material(study, summaries, findings))


def verdict_sentences(study: Study, summaries: Summaries, findings: tuple[Finding, ...] = ()) -> tuple[str, str, str]:
    """What the cluster does; which layer costs most; how sure that is."""
    return write_verdict(Material(study, summaries, findings))
