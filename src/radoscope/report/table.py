"""The verdict table as plain values; HTML, Markdown and the terminal draw the same rows."""

from __future__ import annotations

from dataclasses import dataclass

from radoscope.records.measurement import PERCENTILES
from radoscope.report.material import Material, Stamp
from radoscope.report.numbers import Figure, figure, iops, megabytes, milliseconds, plain_figure
from radoscope.report.words import LAYER_TITLES, load_words
from radoscope.stats.values import CellSummary, LatencySummary, Undecided

COLUMNS = ("Cell", "IOPS", "MB/s", "lat min ms", "lat max ms", "lat ave ms", "p99 ms", "stamp", "took s")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One cell. seconds: wall time spent on it. load and where: what was asked, and of what."""

    layer: str
    name: str
    title: str
    load: str
    where: str
    iops: Figure
    megabytes: Figure
    min_ms: Figure
    max_ms: Figure
    mean_ms: Figure
    p99_ms: Figure
    percentiles_ms: tuple[Figure, ...]
    stamp: Stamp
    seconds: float
    segments: int
    sync_mean_ms: Figure
    remarks: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """One text per column of COLUMNS."""
        figures = (self.iops, self.megabytes, self.min_ms, self.max_ms, self.mean_ms, self.p99_ms)
        return (self.title, *(f.plain for f in figures), self.stamp.mark.value, f"{self.seconds:.0f}")


def build_rows(material: Material) -> tuple[Row, ...]:
    """All cells, from the device up."""
    return tuple(_row(material, summary) for _, cells in material.layers() for summary in cells)


def rows_by_layer(material: Material) -> tuple[tuple[str, tuple[Row, ...]], ...]:
    """Layer title -> its rows, from the device up."""
    return tuple((LAYER_TITLES[layer], tuple(_row(material, s) for s in cells)) for layer, cells in material.layers())


def _row(material: Material, summary: CellSummary) -> Row:
    cell = summary.cell
    latency = summary.latency if isinstance(summary.latency, LatencySummary) else None
    percentiles = tuple(_percentile(summary, percent) for percent in PERCENTILES)
    return Row(
        layer=LAYER_TITLES[cell.conditions.layer],
        name=cell.name,
        title=cell.title,
        load=load_words(cell.conditions),
        where=cell.where,
        iops=figure(summary.iops, iops, "IOPS"),
        megabytes=figure(summary.bandwidth_bytes_per_s, megabytes, "MB/s"),
        min_ms=plain_figure(latency.min_s if latency else None, milliseconds),
        max_ms=plain_figure(latency.max_s if latency else None, milliseconds),
        mean_ms=figure(latency.mean_s if latency else _why(summary), milliseconds, "ms"),
        p99_ms=_percentile(summary, 99.0),
        percentiles_ms=percentiles,
        stamp=material.stamp(summary),
        seconds=summary.seconds,
        segments=summary.segments,
        sync_mean_ms=figure(summary.sync.mean_s if summary.sync else None, milliseconds, "ms"),
        remarks=summary.remarks,
    )


def _percentile(summary: CellSummary, percent: float) -> Figure:
    if isinstance(summary.latency, Undecided):
        return figure(summary.latency, milliseconds, "ms")
    return figure(summary.latency.percentiles_s.get(percent), milliseconds, "ms")


def _why(summary: CellSummary) -> Undecided | None:
    return summary.latency if isinstance(summary.latency, Undecided) else None
