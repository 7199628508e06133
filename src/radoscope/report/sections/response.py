"""Response curves: latency over rate, what a search found, and what latency was at each rate."""

from __future__ import annotations

from dataclasses import dataclass, replace

from markupsafe import Markup

from radoscope.records.study import LatencyLimit
from radoscope.report.charts.response import Limit, Line, MeasuredMark, draw_response
from radoscope.report.material import Material, Section, Values
from radoscope.report.numbers import Figure, align_columns, figure, iops, milliseconds, undecided_words
from radoscope.report.words import layer_title, load_words, with_layer
from radoscope.stats.latency_limit import Below
from radoscope.stats.response import Point, ResponseCurve, response_curves
from radoscope.stats.values import Estimate, Undecided
from radoscope.units import format_count, format_seconds
from radoscope.words import N_, _, joined, ngettext

NOTE = N_(
    "fio's rate mode waits for what is in flight before it pauses, and counts latency from when an I/O is issued, not "
    "from when it was due: the waiting time of late I/Os is missing. A rate that was not achieved therefore counts as "
    "exceeding the limit."
)
"""What fio's open loop leaves out: io_u_quiesce in rate_ddir (io_u.c), fio 3.33 to 3.42."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One rate. remark: "saturated" where it was not achieved."""

    asked: str
    figures: tuple[Figure, ...]
    segments: int
    remark: str

    @property
    def texts(self) -> tuple[str, ...]:
        return (self.asked, *(shown.plain for shown in self.figures), str(self.segments), self.remark)


def header(curve: ResponseCurve) -> tuple[str, ...]:
    return (_("IOPS asked"), _("IOPS achieved"), "lat ave ms", f"p{curve.percentile:g} ms", _("segments"), "")


def rows(curve: ResponseCurve) -> tuple[Row, ...]:
    figures = align_columns([_figures(point) for point in curve.points])
    return tuple(
        Row(
            asked=format_count(point.rate_iops),
            figures=aligned,
            segments=point.segments,
            remark=_("saturated") if point.saturated else "",
        )
        for point, aligned in zip(curve.points, figures, strict=True)
    )


def title(curve: ResponseCurve) -> str:
    return with_layer(layer_title(curve.load.layer), load_words(curve.load))


def limit_words(limit: LatencyLimit) -> str:
    """ "p99 at or below 10 ms"."""
    return _("{metric} at or below {latency}", metric=limit.metric, latency=format_seconds(limit.latency_s))


def answer_words(curve: ResponseCurve) -> str:
    """ "most IOPS with p99 at or below 10 ms: 1,240 (1,180 to 1,300)"; of a curve without a limit, its reach."""
    if curve.limit is None:
        return _reach_words(curve)
    asked = _("most IOPS with {limit}", limit=limit_words(curve.limit))
    found = curve.found
    if isinstance(found, Below):
        below = _("below {rate} IOPS: even the lowest rate exceeds the limit", rate=format_count(found.rate_iops))
        return f"{asked}: {below}"
    if isinstance(found, Estimate):
        return f"{asked}: {iops(found.value)} ({_interval_words(found)})"
    why = undecided_words(found) if found is not None else _("nothing was tried")
    return _("{asked}: undecided, because {why}", asked=asked, why=why)


def cost_words(curve: ResponseCurve) -> str:
    """What the curve took: "16 segments at 9 rates, 1 min 31 s"."""
    return _(
        "{segments} at {rates}, {time}",
        segments=ngettext("{number} segment", "{number} segments", curve.segments),
        rates=ngettext("{number} rate", "{number} rates", len(curve.points)),
        time=format_seconds(curve.seconds),
    )


def sentences(curves: tuple[ResponseCurve, ...]) -> tuple[str, ...]:
    """One line for each search."""
    return tuple(
        _("{facts}.", facts=joined((f"{title(one)}: {answer_words(one)}", cost_words(one))))
        for one in curves
        if one.limit is not None
    )


def _interval_words(found: Estimate) -> str:
    if isinstance(found.interval, Undecided):
        return _("no interval: {why}", why=undecided_words(found.interval))
    return _("{low} to {high}", low=iops(found.interval.low), high=iops(found.interval.high))


def _reach_words(curve: ResponseCurve) -> str:
    full = next((point for point in curve.points if point.saturated), None)
    if full is None:
        return _("every rate was achieved, up to {rate} IOPS", rate=format_count(curve.points[-1].rate_iops))
    achieved = f"{iops(full.achieved.value)}" if isinstance(full.achieved, Estimate) else _("less")
    return _(
        "at {rate} IOPS requested it is saturated: {achieved} came out",
        rate=format_count(full.rate_iops),
        achieved=achieved,
    )


def _figures(point: Point) -> tuple[Figure, ...]:
    return (
        figure(point.achieved, iops, "IOPS"),
        figure(point.mean_s, milliseconds, "ms"),
        figure(point.tail_s, milliseconds, "ms"),
    )


def prepare(material: Material) -> Values | None:
    curves = response_curves(material.study, material.summaries)
    return {"curves": tuple(_picture(curve) for curve in curves), "note": _(NOTE)} if curves else None


def _picture(curve: ResponseCurve) -> Values:
    return {
        "title": title(curve),
        "message": answer_words(curve),
        "cost": cost_words(curve),
        "chart": _chart(curve),
        "header": header(curve),
        "rows": rows(curve),
    }


def _chart(curve: ResponseCurve) -> Markup | None:
    """None where fewer than two rates have a latency."""
    means = Line(
        _("mean"), curve.load.layer.value, _marks(curve.points, _("mean"), [one.mean_s for one in curve.points])
    )
    name = f"p{curve.percentile:g}"
    tails = Line(name, "soft-line", _marks(curve.points, name, [one.tail_s for one in curve.points]))
    drawn = tuple(line for line in (means, tails) if len(line.marks) > 1)
    return draw_response(drawn, _limit(curve), label=f"{title(curve)}: {answer_words(curve)}") if drawn else None


def _marks(points: tuple[Point, ...], name: str, latencies: list[Estimate | Undecided]) -> tuple[MeasuredMark, ...]:
    marks = []
    for point, latency in zip(points, latencies, strict=True):
        if isinstance(latency, Undecided) or isinstance(point.achieved, Undecided) or latency.value <= 0:
            continue
        x, rate = point.achieved.value, iops(point.rate_iops)
        asked = _("{rate} IOPS asked, {achieved} achieved", rate=rate, achieved=iops(x))
        if point.saturated:
            asked = _("{rate} IOPS asked, {achieved} achieved, not achieved: saturated", rate=rate, achieved=iops(x))
        marks.append(
            MeasuredMark(
                x=x,
                value=latency.value * 1e3,
                across=point.achieved.ends,
                up=latency.times(1e3).ends,
                saturated=point.saturated,
                tip=f"{name} {milliseconds(latency.value)} ms; {asked}",
            )
        )
    return tuple(marks)


def _limit(curve: ResponseCurve) -> Limit | None:
    if curve.limit is None:
        return None
    limit = Limit(latency_ms=curve.limit.latency_s * 1e3, text=limit_words(curve.limit))
    if not isinstance(curve.found, Estimate) or curve.found.ends is None:
        return limit
    value, (low, high) = curve.found.value, curve.found.ends
    return replace(limit, found=(low, value, high), found_text=f"{iops(value)} IOPS ({iops(low)} to {iops(high)})")


SECTION = Section(
    "response",
    prepare,
    title=N_("Latency against load"),
    short=N_("Load"),
    lead=N_(
        "I/Os arrived at random moments at a fixed rate. Each mark is a rate, whiskers are 95 % intervals; a "
        "cross is a rate that was not achieved."
    ),
)
