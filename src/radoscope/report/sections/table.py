"""All cells in the shape of the tables that people post, with notes below: the same rows in every form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from radoscope.records.measurement import PERCENTILES
from radoscope.report.material import Material, Section, Stamp, Values
from radoscope.report.numbers import Figure, align_columns, figure, iops, megabytes, milliseconds, plain_figure
from radoscope.report.words import layer_title, load_beyond, with_layer
from radoscope.stats.values import CellSummary, LatencySummary, Undecided
from radoscope.words import N_, _, joined

COLUMNS = (N_("Cell"), "IOPS", "MB/s", "lat min ms", "lat max ms", "lat ave ms", "p99 ms", N_("stamp"), N_("took s"))


@dataclass(frozen=True, slots=True, kw_only=True)
class OfCell:
    """A row of a table. layer: its title; hue: its colour class on the page. beyond: the part of the load that the
    cell's title does not name."""

    layer: str
    hue: str
    title: str
    beyond: str
    stamp: Stamp

    @property
    def label(self) -> str:
        """The title with what it does not say of the load."""
        return f"{self.title}, {self.beyond}" if self.beyond else self.title


@dataclass(frozen=True, slots=True, kw_only=True)
class Row(OfCell):
    """One cell. where: what was loaded. seconds: wall time spent on it."""

    name: str
    where: str
    iops: Figure
    megabytes: Figure
    min_ms: Figure
    max_ms: Figure
    mean_ms: Figure
    p99_ms: Figure
    seconds: float
    remarks: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """One text per column of COLUMNS; the spread stands only beside the IOPS, because lines are short."""
        figures = (self.megabytes, self.min_ms, self.max_ms, self.mean_ms, self.p99_ms)
        return (self.label, self.iops.plain, *(f.text for f in figures), self.stamp.text, f"{self.seconds:.0f}")


def build_rows(material: Material) -> tuple[Row, ...]:
    """All cells, from the device up."""
    return tuple(_row(material, summary) for _layer, cells in material.layers() for summary in cells)


@dataclass(frozen=True, slots=True, kw_only=True)
class PercentileRow(OfCell):
    """The latency percentiles of one cell, one figure per PERCENTILES; of its fsync calls in a row of their own."""

    figures: tuple[Figure, ...]


def percentile_rows(material: Material) -> tuple[PercentileRow, ...]:
    """Cells for which at least one percentile is known, from the device up."""
    rows = [
        _percentile_row(material, summary, latency, extra)
        for _layer, cells in material.layers()
        for summary in cells
        for latency, extra in ((summary.latency, ""), (summary.sync, _("the fsync alone")))
        if latency is not None
    ]
    return tuple(row for row in rows if any(shown.known for shown in row.figures))


def _percentile_row(
    material: Material, summary: CellSummary, latency: LatencySummary | Undecided, extra: str
) -> PercentileRow:
    return PercentileRow(
        layer=layer_title(summary.cell.conditions.layer),
        hue=summary.cell.conditions.layer.value,
        title=summary.cell.title,
        beyond=extra or load_beyond(summary.cell.title, summary.cell.conditions),
        stamp=material.stamp(summary),
        figures=tuple(_percentile(latency, percent) for percent in PERCENTILES),
    )


def _row(material: Material, summary: CellSummary) -> Row:
    cell = summary.cell
    latency = summary.latency if isinstance(summary.latency, LatencySummary) else None
    mean = summary.latency.mean_s if isinstance(summary.latency, LatencySummary) else summary.latency
    return Row(
        layer=layer_title(cell.conditions.layer),
        hue=cell.conditions.layer.value,
        name=cell.name,
        title=cell.title,
        beyond=load_beyond(cell.title, cell.conditions),
        where=cell.where,
        iops=figure(summary.iops, iops, "IOPS"),
        megabytes=figure(summary.bandwidth_bytes_per_s, megabytes, "MB/s"),
        min_ms=plain_figure(latency.min_s if latency else None, milliseconds),
        max_ms=plain_figure(latency.max_s if latency else None, milliseconds),
        mean_ms=figure(mean, milliseconds, "ms"),
        p99_ms=_percentile(summary.latency, 99.0),
        stamp=material.stamp(summary),
        seconds=summary.seconds,
        remarks=(*_fsync_remark(summary), *summary.remarks),
    )


def _percentile(latency: LatencySummary | Undecided, percent: float) -> Figure:
    if isinstance(latency, Undecided):
        return figure(latency, milliseconds, "ms")
    return figure(latency.percentiles_s.get(percent), milliseconds, "ms")


def _fsync_remark(summary: CellSummary) -> tuple[str, ...]:
    """fio counts the fsync apart from the write before it."""
    mean = figure(summary.sync.mean_s if summary.sync else None, milliseconds, "ms")
    if not mean.known:
        return ()
    time = f"{mean.text} ms ({mean.spread})" if mean.spread else f"{mean.text} ms"
    return (_("the fsync after each write took {time} more", time=time),)


FEW = 2
"""More cells than this with the same note are counted instead of named."""


@dataclass(frozen=True, slots=True)
class Notes:
    """shared: one line each. own: cell name -> notes on that cell only."""

    shared: tuple[str, ...]
    own: Mapping[str, tuple[str, ...]]


def gather_notes(rows: Sequence[Row]) -> Notes:
    """Reasons that come from a finding are left out: the stamp names its number."""
    counts = Counter(note for row in rows for note in _notes_of(row))
    many = {note: count for note, count in counts.items() if count > FEW}
    shared = tuple(_("{count} cells: {note}", count=count, note=note) for note, count in many.items())
    own = {row.name: tuple(note for note in _notes_of(row) if note not in many) for row in rows}
    return Notes(shared, own)


def note_lines(rows: Sequence[Row]) -> tuple[str, ...]:
    """The notes as lines of text, each naming its cell or its number of cells."""
    notes = gather_notes(rows)
    single = (
        f"{with_layer(row.layer, row.label)}: {joined(notes.own[row.name])}" for row in rows if notes.own[row.name]
    )
    return (*notes.shared, *single)


def _notes_of(row: Row) -> tuple[str, ...]:
    stamp = row.stamp
    told = stamp.findings or (row.iops.spread and row.iops.spread in stamp.reason)
    reason = (f"{_(stamp.mark.value)}: {stamp.reason}",) if stamp.reasons and not told else ()
    return (*reason, *row.remarks)


def prepare(material: Material) -> Values | None:
    groups = tuple((layer_title(layer), tuple(_row(material, s) for s in cells)) for layer, cells in material.layers())
    if not groups:
        return None
    rows = [row for _, members in groups for row in members]
    aligned = dict(zip((row.name for row in rows), align_columns([_figures(row) for row in rows]), strict=True))
    return {"groups": groups, "aligned": aligned, "notes": gather_notes(rows)}


def _figures(row: Row) -> tuple[Figure, ...]:
    return (row.iops, row.megabytes, row.min_ms, row.max_ms, row.mean_ms)


SECTION = Section(
    "table",
    prepare,
    title=N_("All cells"),
    short=N_("Cells"),
    lead=N_(
        "Mean values over all segments of a cell, with the 95 % interval of the mean. MB/s are 10⁶ bytes/s, "
        "latencies are milliseconds. The number beside a stamp refers to the finding behind it."
    ),
    nothing=N_("This study has no cells."),
)
