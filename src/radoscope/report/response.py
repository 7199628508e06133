"""Response curves in words: what a search found, and what latency was at each rate."""

from __future__ import annotations

from dataclasses import dataclass

from radoscope.records.limit import LatencyLimit
from radoscope.report.numbers import Figure, figure, iops, milliseconds, undecided_words
from radoscope.report.words import LAYER_TITLES, counted, load_words, with_layer
from radoscope.stats.latency_limit import Below
from radoscope.stats.response import Point, ResponseCurve
from radoscope.stats.values import Estimate, Interval
from radoscope.units import format_count, format_seconds

NOTE = (
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
    return ("IOPS asked", "IOPS achieved", "lat ave ms", f"p{curve.percentile:g} ms", "segments", "")


def rows(curve: ResponseCurve) -> tuple[Row, ...]:
    return tuple(_row(point) for point in curve.points)


def title(curve: ResponseCurve) -> str:
    return with_layer(LAYER_TITLES[curve.load.layer], load_words(curve.load))


def limit_words(limit: LatencyLimit) -> str:
    """ "p99 at or below 10 ms"."""
    return f"{limit.metric} at or below {format_seconds(limit.latency_s)}"


def answer_words(curve: ResponseCurve) -> str:
    """ "most IOPS with p99 at or below 10 ms: 1,240 (1,180 to 1,300)"; of a curve without a limit, its reach."""
    if curve.limit is None:
        return _reach_words(curve)
    asked = f"most IOPS with {limit_words(curve.limit)}"
    found = curve.found
    if isinstance(found, Below):
        below = f"below {format_count(found.rate_iops)} IOPS: even the lowest rate exceeds the limit"
        return f"{asked}: {below}"
    if isinstance(found, Estimate):
        return f"{asked}: {iops(found.value)} ({_ends(found)})"
    return f"{asked}: undecided, because {undecided_words(found) if found is not None else 'nothing was tried'}"


def cost_words(curve: ResponseCurve) -> str:
    """What the curve took: "16 segments at 9 rates, 1 min 31 s"."""
    rates = counted(len(curve.points), "rate")
    return f"{counted(curve.segments, 'segment')} at {rates}, {format_seconds(curve.seconds)}"


def sentences(curves: tuple[ResponseCurve, ...]) -> tuple[str, ...]:
    """One line for each search."""
    return tuple(f"{title(one)}: {answer_words(one)}; {cost_words(one)}." for one in curves if one.limit is not None)


def _ends(found: Estimate) -> str:
    if not isinstance(found.interval, Interval):
        return f"no interval: {undecided_words(found.interval)}"
    return f"{iops(found.interval.low)} to {iops(found.interval.high)}"


def _reach_words(curve: ResponseCurve) -> str:
    full = next((point for point in curve.points if point.saturated), None)
    if full is None:
        return f"every rate was achieved, up to {format_count(curve.points[-1].rate_iops)} IOPS"
    achieved = f"{iops(full.achieved.value)}" if isinstance(full.achieved, Estimate) else "less"
    return f"at {format_count(full.rate_iops)} IOPS requested it is saturated: {achieved} came out"


def _row(point: Point) -> Row:
    return Row(
        asked=format_count(point.rate_iops),
        figures=(
            figure(point.achieved, iops, "IOPS"),
            figure(point.mean_s, milliseconds, "ms"),
            figure(point.tail_s, milliseconds, "ms"),
        ),
        segments=point.segments,
        remark="saturated" if point.saturated else "",
    )
