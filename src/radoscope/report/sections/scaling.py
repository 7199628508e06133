"""n images at once: total, per image, latency, and how far from n times one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from radoscope.records.conditions import Conditions, rows_of_clients
from radoscope.report.charts.scaling import Line, Point, draw_scaling
from radoscope.report.material import NO_NUMBER, Material, Section, Values
from radoscope.report.numbers import DASH, Figure, align_columns, figure, iops, milliseconds, percent
from radoscope.report.sections.table import latency_of
from radoscope.report.words import layer_title, load_words
from radoscope.stats.values import CellSummary, Estimate, Undecided
from radoscope.words import N_, _

HEADER = (N_("IOPS in total"), N_("IOPS an image"), "lat ave ms", "p99 ms", N_("% of n times one"))


@dataclass(frozen=True, slots=True)
class Family:
    """Cells with equal conditions but for the number of clients, ascending in it. single: the one with one client."""

    conditions: Conditions
    cells: tuple[CellSummary, ...]
    single: CellSummary | None

    @property
    def title(self) -> str:
        alone, hosts = replace(self.conditions, client_hosts=1), self.conditions.client_hosts
        each = _("{layer}, {load} an image", layer=layer_title(self.conditions.layer), load=load_words(alone))
        return _("{each}, from {hosts} hosts", each=each, hosts=hosts) if hosts > 1 else each

    @property
    def message(self) -> str:
        """What the largest number of images reaches."""
        last = self.cells[-1]
        n, share = last.cell.conditions.clients, efficiency(last, self.single)
        if share is None:
            return _("{n} images together do {plain} IOPS", n=n, plain=figure(last.iops, iops, "IOPS").plain)
        return _(
            "{n} images do {times:.1f} times the IOPS of one, {share} of {n} times one",
            n=n,
            times=share * n,
            share=percent(share),
        )


def find_families(material: Material) -> tuple[Family, ...]:
    """Families of two or more usable cells, in the order of the study."""
    usable = (
        summary
        for summary in material.summaries.cells
        if material.stamp(summary).mark not in NO_NUMBER and isinstance(summary.iops, Estimate)
    )
    rows = rows_of_clients(usable, lambda summary: summary.cell.conditions)
    families = (_family(conditions, cells) for conditions, cells in rows.items())
    return tuple(family for family in families if len(family.cells) > 1)


def efficiency(summary: CellSummary, single: CellSummary | None) -> float | None:
    """IOPS of n clients over n times the IOPS of one."""
    if single is None or isinstance(summary.iops, Undecided) or isinstance(single.iops, Undecided):
        return None
    whole = summary.cell.conditions.clients * single.iops.value
    return summary.iops.value / whole if whole else None


def scaling_figures(summary: CellSummary, single: CellSummary | None) -> tuple[Figure, ...]:
    """One figure per column of HEADER."""
    n, share = summary.cell.conditions.clients, efficiency(summary, single)
    each = Figure(iops(summary.iops.value / n)) if isinstance(summary.iops, Estimate) else Figure()
    return (
        figure(summary.iops, iops, "IOPS"),
        each,
        figure(latency_of(summary.latency), milliseconds, "ms"),
        figure(latency_of(summary.latency, 99.0), milliseconds, "ms"),
        Figure(f"{share * 100:.0f}" if share is not None else DASH),
    )


def client_spread(summary: CellSummary) -> str:
    """Slowest to fastest image, where the clients were seen one by one."""
    each = summary.per_client_iops
    return _("{low} to {high}", low=iops(min(each)), high=iops(max(each))) if len(each) > 1 else DASH


def _family(conditions: Conditions, cells: list[CellSummary]) -> Family:
    """Of two cells with equal conditions the later one, which was measured as part of the row."""
    by_count = {cell.cell.conditions.clients: cell for cell in cells}
    return Family(conditions, tuple(by_count[n] for n in sorted(by_count)), by_count.get(1))


def prepare(material: Material) -> Values | None:
    families = tuple(_picture(family) for family in find_families(material))
    return {"families": families} if families else None


def _picture(family: Family) -> Values:
    """A family with its charts; rows: number of images, aligned figures, slowest to fastest image."""
    hue, title = family.conditions.layer.value, family.title
    rates = Line("", hue, tuple(_rate_point(cell) for cell in family.cells))
    label = f"{title}: {family.message}"
    charts = [draw_scaling((rates,), label=label, unit=_("IOPS in total"), ideal=family.single is not None)]
    if latencies := _latency_lines(family.cells, hue):
        charts.append(
            draw_scaling(
                latencies, label=_("{title}: latency over the number of images", title=title), unit=_("latency, ms")
            )
        )
    aligned = align_columns([scaling_figures(cell, family.single) for cell in family.cells])
    rows = tuple(
        (cell.cell.conditions.clients, figures, client_spread(cell))
        for cell, figures in zip(family.cells, aligned, strict=True)
    )
    return {"title": title, "message": family.message, "charts": charts, "rows": rows}


def _rate_point(summary: CellSummary) -> Point:
    assert isinstance(summary.iops, Estimate)
    shown = figure(summary.iops, iops, "IOPS")
    n = summary.cell.conditions.clients
    return Point(
        n=n,
        value=summary.iops.value,
        ends=summary.iops.ends,
        text=shown.text,
        tip=_("{n} images: {shown} IOPS ({note})", n=n, shown=shown.plain, note=shown.note),
    )


def _latency_lines(cells: tuple[CellSummary, ...], hue: str) -> tuple[Line, ...]:
    mean = Line(_("mean"), hue, _latency_points(cells, None))
    p99 = Line("p99", "soft-line", _latency_points(cells, 99.0))
    return tuple(line for line in (mean, p99) if len(line.points) > 1)


def _latency_points(cells: tuple[CellSummary, ...], percentile: float | None) -> tuple[Point, ...]:
    points = []
    for cell in cells:
        estimate = latency_of(cell.latency, percentile)
        if not isinstance(estimate, Estimate):
            continue
        shown, in_ms = figure(estimate, milliseconds, "ms"), estimate.times(1e3)
        n = cell.cell.conditions.clients
        tip = _(
            "{n} images, {what}: {shown} ms ({note})",
            n=n,
            what=_("mean") if percentile is None else f"p{percentile:g}",
            shown=shown.plain,
            note=shown.note,
        )
        points.append(Point(n=n, value=in_ms.value, ends=in_ms.ends, text=shown.text, tip=tip))
    return tuple(points)


SECTION = Section(
    "scaling",
    prepare,
    title=N_("Several images at once"),
    short=N_("Scaling"),
    lead=N_("The same load on n images at once, compared with n times one image."),
    nothing=N_("This study did not load more than one image at once."),
)
