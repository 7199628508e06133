"""Every second of the study: one small picture a cell, and the host's own speed first."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

from markupsafe import Markup

from radoscope.records.measurement import Series
from radoscope.records.study import Outcome
from radoscope.report.charts.timeline import Timeline, draw_timeline
from radoscope.report.material import Material
from radoscope.report.numbers import Figure, figure, iops, megabytes
from radoscope.report.section import Section, Values
from radoscope.stats.values import CellSummary, Estimate, Interval, Undecided

MOST_POINTS = 600
"""A small picture is 286 px wide: more points than twice that are averaged in pairs, triples, ..."""

LARGE_BYTES = 256 * 2**10


@dataclass(frozen=True, slots=True)
class Picture:
    title: str
    unit: str
    mean: Figure
    chart: Markup
    averaged: int


def prepare(material: Material) -> Values | None:
    origin, length = _clock(material)
    pictures = [_picture(material, summary, origin, length) for _, cells in material.layers() for summary in cells]
    shown = [_host_speed(material, origin, length), *pictures]
    found = tuple(picture for picture in shown if picture is not None)
    return {"pictures": found} if any(pictures) else None


def thin(points: list[tuple[float, float]]) -> tuple[int, tuple[tuple[float, float], ...]]:
    """How many neighbours were averaged into one, and the points."""
    size = -(-len(points) // MOST_POINTS) or 1
    groups = (points[start : start + size] for start in range(0, len(points), size))
    return size, tuple((fmean(t for t, _ in group), fmean(v for _, v in group)) for group in groups)


def _clock(material: Material) -> tuple[float, float]:
    """Start of the study's clock in Unix time, and its length in seconds."""
    segments = material.study.segments
    times = [
        t for s in material.summaries.cells for series in s.series for t in series.times_s[:1] + series.times_s[-1:]
    ]
    starts = [segment.started_at_s for segment in segments]
    if not any(series.absolute for s in material.summaries.cells for series in s.series):
        return 0.0, max(times, default=0.0)
    origin = min(starts + times, default=0.0)
    ends = [segment.started_at_s + segment.seconds for segment in segments] + times
    return origin, max(ends, default=origin) - origin


def _picture(material: Material, summary: CellSummary, origin: float, length: float) -> Picture | None:
    series, scale = _choose(summary)
    if series is None or not series.values:
        return None
    start = origin if series.absolute else 0.0
    size, points = thin([(t - start, v * scale) for t, v in zip(series.times_s, series.values, strict=True)])
    in_bytes = series.unit == "bytes/s"
    estimate = summary.bandwidth_bytes_per_s if in_bytes else summary.iops
    unit = "MB/s" if in_bytes else ("IOPS" if series.name == "iops" else series.unit)
    mean = figure(estimate, megabytes if in_bytes else iops, unit)
    timeline = Timeline(
        label=f"{summary.cell.title}: {unit} over time, mean {mean.plain}",
        hue=summary.cell.conditions.layer.value,
        points=points,
        mean=estimate.value * scale if isinstance(estimate, Estimate) else None,
        band=_band(estimate, scale),
        failed_s=_failures(material, summary.cell.name, start) if series.absolute else (),
    )
    return Picture(summary.cell.title, unit, mean, draw_timeline(timeline, length_s=length), size)


def _choose(summary: CellSummary) -> tuple[Series | None, float]:
    """Bytes/s for large blocks and the network, else I/Os; the factor brings bytes to MB."""
    by_unit = {series.unit: series for series in reversed(summary.series) if series.unit in ("1/s", "bytes/s")}
    block = summary.cell.conditions.block_bytes
    order = ("bytes/s", "1/s") if block is None or block >= LARGE_BYTES else ("1/s", "bytes/s")
    for unit in order:
        if unit in by_unit:
            return by_unit[unit], 1e-6 if unit == "bytes/s" else 1.0
    return None, 1.0


def _band(estimate: Estimate | Undecided, scale: float) -> tuple[float, float] | None:
    if isinstance(estimate, Undecided) or not isinstance(estimate.interval, Interval):
        return None
    return estimate.interval.low * scale, estimate.interval.high * scale


def _failures(material: Material, cell: str, origin: float) -> tuple[float, ...]:
    segments = material.study.segments_of(cell)
    return tuple(s.started_at_s - origin for s in segments if s.outcome is Outcome.FAILED)


def _host_speed(material: Material, origin: float, length: float) -> Picture | None:
    """The yardstick: a fixed CPU loop before each segment, as a share of its mean."""
    taken = [(s.started_at_s - origin, s.host_speed) for s in material.study.segments if s.host_speed]
    if len(taken) < 2 or length <= 0:
        return None
    mean = fmean(speed for _, speed in taken)
    points = tuple((at, 100 * speed / mean) for at, speed in sorted(taken))
    spread = max(abs(value - 100) for _, value in points)
    shown = Figure("100", f"at most ±{spread:.0f} %", "loops per second of a fixed CPU loop, 100 is its mean")
    label = f"The host's own speed over time: at most {spread:.0f} % from its mean"
    chart = draw_timeline(Timeline(label=label, hue="host", points=points, mean=100.0), length_s=length)
    return Picture("The host's own speed", "% of its mean", shown, chart, 1)


SECTION = Section("series", prepare)
