"""Latency percentiles: curves from merged histograms, and the table of the usual six."""

from __future__ import annotations

from itertools import accumulate

from markupsafe import Markup

from radoscope.records.conditions import Conditions, Sync
from radoscope.records.measurement import PERCENTILES, Histogram
from radoscope.report.charts.curves import Curve, draw_curves
from radoscope.report.material import Mark, Material, Picture, Section, Values
from radoscope.report.numbers import milliseconds
from radoscope.report.sections.scaling import find_families
from radoscope.report.sections.table import percentile_rows
from radoscope.report.words import layer_title
from radoscope.stats.values import CellSummary, LatencySummary
from radoscope.words import N_, _

ENOUGH = 10
"""A curve ends where fewer I/Os than this were slower: beyond, it would draw single I/Os."""

CURVES_A_PICTURE = 6
SMALL_BYTES = 64 * 2**10
TAILS = ((0.001, "1,000"), (0.01, "100"), (0.1, "10"), (0.5, N_("two")))

Named = list[tuple[str, CellSummary]]


def prepare(material: Material) -> Values | None:
    groups = [*_groups(material), *_image_groups(material)]
    pictures = tuple(picture for title, cells in groups if (picture := _picture(title, cells)) is not None)
    rows = percentile_rows(material)
    if not pictures and not rows:
        return None
    names = tuple(f"p{percent:g}" for percent in PERCENTILES)
    return {"pictures": pictures, "rows": rows, "names": names}


def percentile_points(histogram: Histogram) -> tuple[tuple[float, float], ...]:
    """(share of slower I/Os, latency in ms), from the median up to where ENOUGH slower I/Os remain."""
    total = histogram.total
    points: list[tuple[float, float]] = []
    for value, up_to in zip(histogram.values_s, accumulate(histogram.counts), strict=True):
        slower = total - up_to
        if slower < ENOUGH:
            break
        if value > 0 and slower <= total / 2 and (not points or points[-1][0] != slower / total):
            points.append((slower / total, value * 1e3))
    return tuple(points)


def _groups(material: Material) -> list[tuple[str, Named]]:
    """Cells of one client by what they do; of cells with equal conditions the first."""
    groups: dict[str, Named] = {}
    seen: set[Conditions] = set()
    for summary in material.cells:
        conditions = summary.cell.conditions
        if conditions.clients > 1 or conditions in seen or material.stamp(summary).mark is Mark.INVALID:
            continue
        seen.add(conditions)
        groups.setdefault(_kind(conditions), []).append((_name(conditions), summary))
    return list(groups.items())


def _image_groups(material: Material) -> list[tuple[str, Named]]:
    families = find_families(material)
    return [
        (family.title, [(f"n = {cell.cell.conditions.clients}", cell) for cell in family.cells]) for family in families
    ]


def _kind(conditions: Conditions) -> str:
    if (conditions.block_bytes or 0) > SMALL_BYTES:
        return _("Large blocks")
    if conditions.op.writes:
        return _("Small writes")
    return _("Small reads") if conditions.op.reads else _("Round trips")


def _name(conditions: Conditions) -> str:
    """Short enough to stand beside its curve."""
    verb = _("write") if conditions.op.writes else _("read")
    verb = {Sync.NONE: verb, Sync.FSYNC: "fsync", Sync.OSYNC: "O_SYNC"}[conditions.sync]
    return f"{layer_title(conditions.layer)} {verb} QD{conditions.queue_depth}"


def _curve(name: str, summary: CellSummary) -> Curve | None:
    """With fsync after each write the fsync is nearly all of the time, so its curve is the one to show."""
    fsync = summary.sync is not None and summary.sync.histogram is not None
    source = summary.sync if fsync else summary.latency
    if not isinstance(source, LatencySummary) or source.histogram is None:
        return None
    points = percentile_points(source.histogram)
    return Curve(name, points) if len(points) > 1 else None


def _picture(title: str, cells: Named) -> Picture | None:
    curves = tuple(curve for name, cell in cells if (curve := _curve(name, cell)) is not None)
    if not curves:
        return None
    message = f"{title}: {_message(curves)}"
    parts = [curves[start : start + CURVES_A_PICTURE] for start in range(0, len(curves), CURVES_A_PICTURE)]
    return Picture(message, Markup("").join(draw_curves(part, label=message) for part in parts))


def _message(curves: tuple[Curve, ...]) -> str:
    """The slowest at the rarest of the usual shares that all curves reach: none is left out for having few I/Os."""
    for share, count in TAILS:
        reached = [(latency, curve.label) for curve in curves if (latency := _latency_at(curve, share)) is not None]
        if len(reached) == len(curves):
            latency, slowest = max(reached)
            return _(
                "one in {count} takes longer than {latency} ms ({slowest})",
                count=_(count),
                latency=milliseconds(latency / 1e3),
                slowest=slowest,
            )
    return _("the slower half")


def _latency_at(curve: Curve, share: float) -> float | None:
    """The latency in ms that `share` of the I/Os exceed, None where the curve ends before."""
    return next((latency for slower, latency in curve.points if slower <= share), None)


SECTION = Section(
    "latency",
    prepare,
    title=N_("Latency distribution"),
    short=N_("Latency"),
    lead=N_(
        "Each curve shows how slow the slowest share of all I/Os was, from histograms merged over all segments "
        "and images. It ends where fewer than ten slower I/Os were seen."
    ),
    nothing=N_("No cell has a latency histogram or percentiles."),
)
