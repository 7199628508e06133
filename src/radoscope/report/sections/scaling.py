"""n images at once: total, per image, latency, and how far from n times one."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from radoscope.report.charts.scaling import Line, Point, draw_scaling
from radoscope.report.material import Material, Section, Values
from radoscope.report.numbers import Figure, align_columns, figure, iops, milliseconds
from radoscope.report.scaling import Family, client_spread, find_families, latency_of, scaling_figures
from radoscope.stats.values import CellSummary, Estimate, Interval


@dataclass(frozen=True, slots=True)
class Pictured:
    """A family with its charts; rows: number of images, aligned figures, slowest to fastest image."""

    title: str
    message: str
    charts: tuple[Markup, ...]
    rows: tuple[tuple[int, tuple[Figure, ...], str], ...]


def prepare(material: Material) -> Values | None:
    families = tuple(_picture(family) for family in find_families(material))
    return {"families": families} if families else None


def _picture(family: Family) -> Pictured:
    hue, title = family.conditions.layer.value, family.title
    rates = Line("", hue, tuple(_rate_point(cell) for cell in family.cells))
    label = f"{title}: {family.message}"
    charts = [draw_scaling((rates,), label=label, unit="IOPS in total", ideal=family.single is not None)]
    if latencies := _latency_lines(family.cells, hue):
        charts.append(draw_scaling(latencies, label=f"{title}: latency over the number of images", unit="latency, ms"))
    aligned = align_columns([scaling_figures(cell, family.single) for cell in family.cells])
    rows = tuple(
        (cell.cell.conditions.clients, figures, client_spread(cell))
        for cell, figures in zip(family.cells, aligned, strict=True)
    )
    return Pictured(title, family.message, tuple(charts), rows)


def _rate_point(summary: CellSummary) -> Point:
    assert isinstance(summary.iops, Estimate)
    shown = figure(summary.iops, iops, "IOPS")
    interval = summary.iops.interval if isinstance(summary.iops.interval, Interval) else None
    n = summary.cell.conditions.clients
    return Point(
        n=n,
        value=summary.iops.value,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        text=shown.text,
        tip=f"{n} images: {shown.plain} IOPS ({shown.note})",
    )


def _latency_lines(cells: tuple[CellSummary, ...], hue: str) -> tuple[Line, ...]:
    mean = Line("mean", hue, _latency_points(cells, None))
    p99 = Line("p99", "soft-line", _latency_points(cells, 99.0))
    return tuple(line for line in (mean, p99) if len(line.points) > 1)


def _latency_points(cells: tuple[CellSummary, ...], percentile: float | None) -> tuple[Point, ...]:
    points = []
    for cell in cells:
        estimate = latency_of(cell, percentile)
        if not isinstance(estimate, Estimate):
            continue
        shown, interval = figure(estimate, milliseconds, "ms"), estimate.interval
        ends = (interval.low * 1e3, interval.high * 1e3) if isinstance(interval, Interval) else (None, None)
        n = cell.cell.conditions.clients
        tip = f"{n} images, {'mean' if percentile is None else f'p{percentile:g}'}: {shown.plain} ms ({shown.note})"
        points.append(Point(n=n, value=estimate.value * 1e3, low=ends[0], high=ends[1], text=shown.text, tip=tip))
    return tuple(points)


SECTION = Section("scaling", prepare)
