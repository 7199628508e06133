"""Every second of the study: all cells on one clock, then one small picture a cell."""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import fmean

from markupsafe import Markup

from radoscope.records.measurement import Series
from radoscope.records.study import Outcome
from radoscope.report.charts.timeline import Timeline, draw_clock, draw_timeline
from radoscope.report.material import Material, Picture, Section, Values
from radoscope.report.numbers import Figure, figure, iops, megabytes
from radoscope.report.words import layer_title, with_layer
from radoscope.stats.values import CellSummary, Estimate
from radoscope.words import N_, _

MOST_POINTS = 600
"""A small picture is 286 px wide: more points than twice that are averaged in pairs, triples, ..."""

LARGE_BYTES = 256 * 2**10


@dataclass(frozen=True, slots=True)
class CellPicture:
    """One cell. averaged: how many neighbouring seconds each point stands for."""

    title: str
    unit: str
    mean: Figure
    chart: Markup
    averaged: int


def prepare(material: Material) -> Values | None:
    origin, length = _clock_span(material)
    drawn = [_draw(material, summary, origin) for summary in material.cells]
    known = [pair for pair in drawn if pair is not None]
    if not known:
        return None
    host = _host_speed(material, origin)
    series = tuple(timeline for timeline, _ in known)
    return {"pictures": tuple(picture for _, picture in known), "clock": _clock(series, host, length)}


def thin(points: list[tuple[float, float]]) -> tuple[int, tuple[tuple[float, float], ...]]:
    """How many neighbours were averaged into one, and the points."""
    size = -(-len(points) // MOST_POINTS) or 1
    groups = (points[start : start + size] for start in range(0, len(points), size))
    return size, tuple((fmean(t for t, _ in group), fmean(v for _, v in group)) for group in groups)


def _clock_span(material: Material) -> tuple[float, float]:
    """Start of the study's clock in Unix time, and its length in seconds."""
    every = [series for summary in material.summaries.cells for series in summary.series]
    times = [time for series in every for time in (*series.times_s[:1], *series.times_s[-1:])]
    if not any(series.absolute for series in every):
        return 0.0, max(times, default=0.0)
    ran = [s for s in material.study.segments if s.outcome in (Outcome.DONE, Outcome.FAILED)]
    starts = [segment.started_at_s for segment in ran]
    ends = [segment.started_at_s + segment.seconds for segment in ran]
    origin = min(starts + times, default=0.0)
    return origin, max(ends + times, default=origin) - origin


def _draw(material: Material, summary: CellSummary, origin: float) -> tuple[Timeline, CellPicture] | None:
    series, scale = _choose(summary)
    if series is None or not series.values:
        return None
    start = origin if series.absolute else 0.0
    size, points = thin([(t - start, v * scale) for t, v in zip(series.times_s, series.values, strict=True)])
    in_bytes = series.unit == "bytes/s"
    estimate = summary.bandwidth_bytes_per_s if in_bytes else summary.iops
    scaled = estimate.times(scale) if isinstance(estimate, Estimate) else None
    unit = "MB/s" if in_bytes else "IOPS"
    mean = figure(estimate, megabytes if in_bytes else iops, unit)
    title = with_layer(layer_title(summary.cell.conditions.layer), summary.cell.title)
    timeline = Timeline(
        label=_("{title}: {unit} over time, mean {mean}", title=title, unit=unit, mean=mean.plain),
        hue=summary.cell.conditions.layer.value,
        points=points,
        mean=scaled.value if scaled else None,
        band=scaled.ends if scaled else None,
        failed_s=_failures(material, summary.cell.name, start) if series.absolute else (),
    )
    return timeline, CellPicture(title, unit, mean, draw_timeline(timeline), size)


def _choose(summary: CellSummary) -> tuple[Series | None, float]:
    """Bytes/s for large blocks and the network, else I/Os; the factor brings bytes to MB."""
    by_unit = {series.unit: series for series in reversed(summary.series) if series.unit in ("1/s", "bytes/s")}
    block = summary.cell.conditions.block_bytes
    order = ("bytes/s", "1/s") if block is None or block >= LARGE_BYTES else ("1/s", "bytes/s")
    for unit in order:
        if unit in by_unit:
            return by_unit[unit], 1e-6 if unit == "bytes/s" else 1.0
    return None, 1.0


def _failures(material: Material, cell: str, origin: float) -> tuple[float, ...]:
    segments = material.study.segments_of(cell)
    return tuple(s.started_at_s - origin for s in segments if s.outcome is Outcome.FAILED)


def _host_speed(material: Material, origin: float) -> Timeline | None:
    """The yardstick: a fixed CPU loop before each segment, in percent of its mean."""
    taken = sorted((s.started_at_s - origin, s.host_speed) for s in material.study.segments if s.host_speed)
    if len(taken) < 2:
        return None
    mean = fmean(speed for _, speed in taken)
    points = tuple((at, 100 * speed / mean) for at, speed in taken)
    return Timeline(label=_("The host's own speed: a fixed CPU loop"), hue="host", points=points)


def _clock(series: tuple[Timeline, ...], host: Timeline | None, length: float) -> Picture | None:
    """Cells in percent of their mean, and how much the host itself moved; those without a mean cannot stand there."""
    shares = [_in_percent(one, one.mean) for one in series if one.mean]
    if not shares or length <= 0:
        return None
    title = _("All cells on one clock, in percent of their means")
    if host is not None:
        moved = max(abs(value - 100) for _, value in host.points)
        title += _("; the host's own speed (grey) moved by up to {moved:.0f} %", moved=moved)
    everything = (*shares, host) if host is not None else tuple(shares)
    return Picture(title, draw_clock(everything, label=title, length_s=length))


def _in_percent(series: Timeline, mean: float) -> Timeline:
    return replace(series, points=tuple((at, 100 * value / mean) for at, value in series.points))


SECTION = Section(
    "series",
    prepare,
    title=N_("Over time"),
    short=N_("Time"),
    lead=N_(
        "Every measured second. Cells take turns in short segments, so a drift of the machine "
        "affects them all. In the small charts the segments stand side by side, with the minute when each began; the "
        "dashed line is the cell's mean, the band its interval."
    ),
    nothing=N_("No cell has a per-second series."),
)
