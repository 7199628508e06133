"""Latency percentiles: curves from merged histograms, and the table of the usual six."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

from markupsafe import Markup

from radoscope.records.measurement import PERCENTILES, Histogram
from radoscope.report.align import align_columns
from radoscope.report.charts.curves import Curve, draw_curves
from radoscope.report.material import Mark, Material
from radoscope.report.numbers import milliseconds
from radoscope.report.section import Section, Values
from radoscope.report.table import build_rows
from radoscope.report.words import LAYER_TITLES
from radoscope.stats.values import CellSummary, LatencySummary

ENOUGH = 10
"""A curve ends where fewer I/Os than this were slower: beyond, it would draw single I/Os."""

CURVES_A_PICTURE = 6
SMALL_BYTES = 64 * 2**10


@dataclass(frozen=True, slots=True)
class Picture:
    title: str
    chart: Markup


def prepare(material: Material) -> Values | None:
    pictures = tuple(_picture(title, cells) for title, cells in _groups(material))
    rows = [row for row in build_rows(material) if any(figure.known for figure in row.percentiles_ms)]
    if not pictures and not rows:
        return None
    aligned = align_columns([row.percentiles_ms for row in rows])
    names = tuple(f"p{percent:g}" for percent in PERCENTILES)
    return {"pictures": pictures, "rows": tuple(zip(rows, aligned, strict=True)), "names": names}


def percentile_points(histogram: Histogram) -> tuple[tuple[float, float], ...]:
    """(share of slower I/Os, latency in ms), from the median up to where ENOUGH slower I/Os remain."""
    total = histogram.total
    points: list[tuple[float, float]] = []
    for value, up_to in zip(histogram.values_s, accumulate(histogram.counts), strict=True):
        slower = total - up_to
        if slower < ENOUGH:
            break
        if value > 0 and (not points or points[-1][0] != slower / total):
            points.append((slower / total, value * 1e3))
    return tuple(points)


def _groups(material: Material) -> list[tuple[str, list[CellSummary]]]:
    """Cells with curves by what they do; more than a picture can hold go into a second one."""
    groups: dict[str, list[CellSummary]] = {}
    for _, members in material.layers():
        for summary in members:
            if _curve(summary) is not None and material.stamp(summary).mark is not Mark.INVALID:
                groups.setdefault(_group(summary), []).append(summary)
    split = []
    for title, cells in groups.items():
        for start in range(0, len(cells), CURVES_A_PICTURE):
            split.append((title if start == 0 else f"{title}, continued", cells[start : start + CURVES_A_PICTURE]))
    return split


def _group(summary: CellSummary) -> str:
    conditions = summary.cell.conditions
    if conditions.clients > 1:
        return "Several images at once"
    if (conditions.block_bytes or 0) > SMALL_BYTES:
        return "Large blocks"
    if conditions.op.writes:
        return "Small writes"
    return "Small reads" if conditions.op.reads else "Round trips"


def _curve(summary: CellSummary) -> Curve | None:
    """With fsync after each write the fsync is nearly all of the time, so its curve is the one to show."""
    source = summary.sync if summary.sync is not None and summary.sync.histogram is not None else summary.latency
    if not isinstance(source, LatencySummary) or source.histogram is None:
        return None
    points = percentile_points(source.histogram)
    if len(points) < 2:
        return None
    suffix = ", fsync" if source is summary.sync else ""
    return Curve(f"{LAYER_TITLES[summary.cell.conditions.layer]} {_brief(summary)}{suffix}", points)


def _brief(summary: CellSummary) -> str:
    conditions = summary.cell.conditions
    verb = "write" if conditions.op.writes else "read"
    many = f" ×{conditions.clients}" if conditions.clients > 1 else ""
    return f"{verb} QD{conditions.queue_depth}{many}"


def _picture(title: str, cells: list[CellSummary]) -> Picture:
    curves = tuple(curve for curve in map(_curve, cells) if curve is not None)
    worst = max(curves, key=lambda curve: curve.points[-1][1])
    share, latency = worst.points[-1]
    message = f"{title}: {worst.label} reaches {milliseconds(latency / 1e3)} ms, one I/O in {1 / share:,.0f} is slower"
    return Picture(message, draw_curves(curves, label=message))


SECTION = Section("latency", prepare)
