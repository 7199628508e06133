"""All cells in the shape of the tables that people post, with notes below: the same rows in every form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from radoscope.records.measurement import PERCENTILES
from radoscope.records.study import Cell
from radoscope.report.material import Material, Section, Stamp, Values
from radoscope.report.numbers import Figure, align_columns, figure, iops, megabytes, milliseconds, plain_figure
from radoscope.report.words import layer_title, load_beyond, with_layer
from radoscope.stats.values import CellSummary, Estimate, LatencySummary, Undecided
from radoscope.words import N_, _, joined

COLUMNS = (N_("Cell"), "IOPS", "MB/s", "lat min ms", "lat max ms", "lat ave ms", "p99 ms", N_("stamp"), N_("took s"))


@dataclass(frozen=True, slots=True)
class Row:
    """One cell in a table. figures: one a column, aligned with those of the other rows. about: which of its times,
    where they are not those of its I/Os."""

    summary: CellSummary
    stamp: Stamp
    figures: tuple[Figure, ...]
    about: str = ""

    @property
    def cell(self) -> Cell:
        return self.summary.cell

    @property
    def layer(self) -> str:
        """Its title."""
        return layer_title(self.cell.conditions.layer)

    @property
    def beyond(self) -> str:
        """What the cell's title does not say."""
        return self.about or load_beyond(self.cell.title, self.cell.conditions)

    @property
    def label(self) -> str:
        """The title with what it does not say."""
        return f"{self.cell.title}, {self.beyond}" if self.beyond else self.cell.title


def build_rows(material: Material) -> tuple[Row, ...]:
    """All cells, from the device up. figures: IOPS, MB/s, and of the latency in ms min, max, mean and p99."""
    return _aligned(Row(summary, material.stamp(summary), _figures(summary)) for summary in material.cells)


def row_texts(row: Row) -> tuple[str, ...]:
    """One text per column of COLUMNS; the spread stands only beside the IOPS, because lines are short."""
    rate, *others = row.figures
    return (row.label, rate.plain, *(f.text for f in others), row.stamp.text, f"{row.summary.seconds:.0f}")


def percentile_rows(material: Material) -> tuple[Row, ...]:
    """Cells for which at least one percentile is known, from the device up; their fsync calls in a row of their own.
    figures: one per PERCENTILES."""
    rows = (
        Row(summary, material.stamp(summary), tuple(_latency(latency, percent) for percent in PERCENTILES), about)
        for summary in material.cells
        for latency, about in ((summary.latency, ""), (summary.sync, _("the fsync alone")))
    )
    return _aligned(row for row in rows if any(shown.known for shown in row.figures))


def latency_of(latency: LatencySummary | Undecided | None, percent: float | None = None) -> Estimate | Undecided | None:
    """The mean, or a percentile in percent."""
    if not isinstance(latency, LatencySummary):
        return latency
    return latency.mean_s if percent is None else latency.percentiles_s.get(percent)


def _figures(summary: CellSummary) -> tuple[Figure, ...]:
    latency = summary.latency if isinstance(summary.latency, LatencySummary) else None
    return (
        figure(summary.iops, iops, "IOPS"),
        figure(summary.bandwidth_bytes_per_s, megabytes, "MB/s"),
        plain_figure(latency.min_s if latency else None, milliseconds),
        plain_figure(latency.max_s if latency else None, milliseconds),
        _latency(summary.latency),
        _latency(summary.latency, 99.0),
    )


def _latency(latency: LatencySummary | Undecided | None, percent: float | None = None) -> Figure:
    return figure(latency_of(latency, percent), milliseconds, "ms")


def _aligned(rows: Iterable[Row]) -> tuple[Row, ...]:
    found = tuple(rows)
    columns = align_columns([row.figures for row in found])
    return tuple(replace(row, figures=figures) for row, figures in zip(found, columns, strict=True))


def _fsync_remark(summary: CellSummary) -> tuple[str, ...]:
    """fio counts the fsync apart from the write before it."""
    mean = _latency(summary.sync)
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
    own = {row.cell.name: tuple(note for note in _notes_of(row) if note not in many) for row in rows}
    return Notes(shared, own)


def note_lines(rows: Sequence[Row]) -> tuple[str, ...]:
    """The notes as lines of text, each naming its cell or its number of cells."""
    notes = gather_notes(rows)
    single = (f"{with_layer(row.layer, row.label)}: {joined(own)}" for row in rows if (own := notes.own[row.cell.name]))
    return (*notes.shared, *single)


def _notes_of(row: Row) -> tuple[str, ...]:
    stamp, spread = row.stamp, row.figures[0].spread
    told = stamp.findings or (spread and spread in stamp.reason)
    reason = (f"{_(stamp.mark.value)}: {stamp.reason}",) if stamp.reasons and not told else ()
    return (*reason, *_fsync_remark(row.summary), *row.summary.remarks)


def prepare(material: Material) -> Values | None:
    if not (rows := build_rows(material)):
        return None
    groups = tuple((layer, tuple(members)) for layer, members in groupby(rows, key=lambda row: row.layer))
    return {"groups": groups, "notes": gather_notes(rows)}


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
