"""Latency against load: a picture a curve, what a search found, and the figures of each rate."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from radoscope.report.charts.response import Limit, Line, MeasuredMark, draw_response
from radoscope.report.material import Material, Section, Values
from radoscope.report.numbers import Figure, align_columns, iops, milliseconds
from radoscope.report.response import NOTE, Row, answer_words, cost_words, header, limit_words, rows, title
from radoscope.stats.response import Point, ResponseCurve, response_curves
from radoscope.stats.values import Estimate, Interval, Undecided


@dataclass(frozen=True, slots=True)
class Pictured:
    """A curve with its chart, None where fewer than two rates have a latency."""

    title: str
    message: str
    cost: str
    chart: Markup | None
    header: tuple[str, ...]
    rows: tuple[tuple[Row, tuple[Figure, ...]], ...]


def prepare(material: Material) -> Values | None:
    curves = response_curves(material.study, material.summaries)
    return {"curves": tuple(_picture(curve) for curve in curves), "note": NOTE} if curves else None


def _picture(curve: ResponseCurve) -> Pictured:
    shown = rows(curve)
    aligned = align_columns([row.figures for row in shown])
    return Pictured(
        title=title(curve),
        message=answer_words(curve),
        cost=cost_words(curve),
        chart=_chart(curve),
        header=header(curve),
        rows=tuple(zip(shown, aligned, strict=True)),
    )


def _chart(curve: ResponseCurve) -> Markup | None:
    means = Line("mean", curve.load.layer.value, _marks(curve.points, "mean", [one.mean_s for one in curve.points]))
    name = f"p{curve.percentile:g}"
    tails = Line(name, "soft-line", _marks(curve.points, name, [one.tail_s for one in curve.points]))
    drawn = tuple(line for line in (means, tails) if len(line.marks) > 1)
    return draw_response(drawn, _limit(curve), label=f"{title(curve)}: {answer_words(curve)}") if drawn else None


def _marks(points: tuple[Point, ...], name: str, latencies: list[Estimate | Undecided]) -> tuple[MeasuredMark, ...]:
    marks = []
    for point, latency in zip(points, latencies, strict=True):
        if isinstance(latency, Undecided) or isinstance(point.achieved, Undecided) or latency.value <= 0:
            continue
        x, full = point.achieved.value, ", not achieved: saturated" if point.saturated else ""
        asked = f"{iops(point.rate_iops)} IOPS asked, {iops(x)} achieved{full}"
        marks.append(
            MeasuredMark(
                x=x,
                value=latency.value * 1e3,
                across=_ends(point.achieved, 1.0),
                up=_ends(latency, 1e3),
                saturated=point.saturated,
                tip=f"{name} {milliseconds(latency.value)} ms; {asked}",
            )
        )
    return tuple(marks)


def _ends(estimate: Estimate, scale: float) -> tuple[float, float] | None:
    if isinstance(estimate.interval, Undecided):
        return None
    return estimate.interval.low * scale, estimate.interval.high * scale


def _limit(curve: ResponseCurve) -> Limit | None:
    if curve.limit is None:
        return None
    found, ends = curve.found, None
    if isinstance(found, Estimate) and isinstance(found.interval, Interval):
        ends = (found.interval.low, found.value, found.interval.high)
    return Limit(
        latency_ms=curve.limit.latency_s * 1e3,
        text=limit_words(curve.limit),
        found=ends,
        found_text=f"{iops(ends[1])} IOPS ({iops(ends[0])} to {iops(ends[2])})" if ends else "",
    )


SECTION = Section("response", prepare)
