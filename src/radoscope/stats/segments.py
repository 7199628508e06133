"""One segment of a cell -> the plain figures that statistics are made of: sums over clients, merged histograms."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from radoscope.records.measurement import Histogram, Latency, Result, Series
from radoscope.records.study import Cell, Outcome, Segment
from radoscope.stats.interval import FIRST_INTERVAL
from radoscope.stats.tails import merge_histograms

MOST_FAILURES = 2
"""What fails this often in a row is given up; the rest of the study continues."""


def counting_segments(segments: Iterable[Segment]) -> tuple[Segment, ...]:
    """The segments of a cell that count: ended well, with a result; in the order of time.

    Disturbed ones count only where too few others are left for an interval.
    """
    good = [segment for segment in segments if segment.outcome is Outcome.DONE and segment.results]
    calm = [segment for segment in good if not segment.disturbed]
    return tuple(sorted(calm if len(calm) >= FIRST_INTERVAL else good, key=lambda segment: segment.started_at_s))


def keeps_failing(segments: Sequence[Segment]) -> bool:
    """Whether the last MOST_FAILURES of them failed, one after the other. segments: in the order of time."""
    tail = segments[-MOST_FAILURES:]
    return len(tail) == MOST_FAILURES and all(one.outcome is Outcome.FAILED for one in tail)


def segment_iops(segment: Segment) -> float | None:
    """Operations a second over all clients; None where a client's result does not say."""
    return _sum(result.iops for result in segment.results)


def segment_bandwidth(segment: Segment) -> float | None:
    """Bytes a second over all clients; None where a client's result does not say."""
    return _sum(result.bandwidth_bytes_per_s for result in segment.results)


def segment_rate(segment: Segment) -> float | None:
    """The figure by which a segment is judged: its IOPS, else its bytes a second, else its mean latency in seconds.

    This is what `enough` wants to see of each segment.
    """
    for figure in (segment_iops(segment), segment_bandwidth(segment)):
        if figure is not None:
            return figure
    return segment_latency(segment)


def segment_latency(segment: Segment) -> float | None:
    """Mean latency over all clients, in seconds; None where a client does not say."""
    mean = mean_latency(latencies_of(segment.results))
    return None if mean is None else mean[0]


def figures_of(segments: Iterable[Segment], figure: Callable[[Segment], float | None]) -> tuple[float, ...]:
    """The figure of each segment that has it."""
    return tuple(value for segment in segments if (value := figure(segment)) is not None)


def rates_of(segments: Iterable[Segment]) -> tuple[float, ...]:
    """The judged figure of each segment that counts, in the order of time."""
    return figures_of(counting_segments(segments), segment_rate)


def gap_of(segments: Sequence[Segment]) -> float | None:
    """Seconds from the start of one segment to the next one's, the median; None where the clock does not say.

    segments: in the order of time.
    """
    gaps = [after.started_at_s - before.started_at_s for before, after in pairwise(segments)]
    middle = median(gaps) if gaps else 0.0
    return middle if middle > 0 else None


def measured_seconds(segment: Segment) -> float:
    """How long the load ran: the longest client's own clock, else the wall time of the segment."""
    return max((result.runtime_s for result in segment.results if result.runtime_s), default=segment.seconds)


def latencies_of(results: Sequence[Result]) -> tuple[Latency, ...]:
    """The latency of each result that has one, with the I/Os behind it filled in where they are known elsewhere.

    Of round trips to several hosts the one or two in the middle: a host that is late speaks for itself alone.
    """
    counted = _middle(results) if any("towards" in result.extra for result in results) else results
    return tuple(_with_samples(result.latency, result) for result in counted if result.latency is not None)


def round_trips_by_host(segments: Iterable[Segment]) -> dict[str, list[float]]:
    """Host -> its mean round trip in each segment, in seconds, where several hosts were asked side by side."""
    found: dict[str, list[float]] = {}
    for result in (result for segment in segments for result in segment.results):
        host, mean = result.extra.get("towards"), result.latency.mean_s if result.latency else None
        if isinstance(host, str) and mean is not None:
            found.setdefault(host, []).append(mean)
    return found


def _middle(results: Sequence[Result]) -> Sequence[Result]:
    known = [result for result in results if result.latency is not None and result.latency.mean_s is not None]
    ordered = sorted(known, key=lambda result: (result.latency and result.latency.mean_s) or 0.0)
    return ordered[(len(ordered) - 1) // 2 : len(ordered) // 2 + 1]


def sync_latencies_of(results: Sequence[Result]) -> tuple[Latency, ...]:
    """The latency of fsync or fdatasync calls of each result that has one."""
    return tuple(result.sync for result in results if result.sync is not None)


def tail_latencies_of(results: Sequence[Result]) -> tuple[tuple[Latency, ...], bool]:
    """The latencies with which percentiles are made, and whether they are completion latencies.

    fio prints histograms for one of its latencies only, by default completion (submission left out); where the total
    latency has neither histogram nor percentiles, completion's are taken.
    """
    totals = latencies_of(results)
    if totals and all(latency.histogram or latency.percentiles_s for latency in totals):
        return totals, False
    completions = tuple(_with_samples(result.completion, result) for result in results if result.completion is not None)
    if len(completions) == len(results) and all(each.histogram or each.percentiles_s for each in completions):
        return completions, True
    return totals, False


def mean_latency(latencies: Sequence[Latency]) -> tuple[float, float] | None:
    """Mean over all I/Os of all clients, in seconds, and the number of I/Os; None where a client did not say.

    Clients that do not say how many I/Os they did weigh alike.
    """
    means = [latency.mean_s for latency in latencies if latency.mean_s is not None]
    if not means or len(means) < len(latencies):
        return None
    samples = [latency.samples for latency in latencies if latency.samples]
    weights = [float(count) for count in samples] if len(samples) == len(means) else [1.0] * len(means)
    total = math.fsum(weights)
    return math.fsum(weight * mean for weight, mean in zip(weights, means, strict=True)) / total, total


def latency_by_round(segments: Iterable[Segment]) -> dict[int, float]:
    """Round -> mean time of one I/O there in seconds, with the fsync after it where there is one."""
    found = {}
    for segment in segments:
        mean, flush = mean_latency(latencies_of(segment.results)), mean_latency(sync_latencies_of(segment.results))
        if mean is not None:
            found[segment.round] = mean[0] + (flush[0] if flush else 0.0)
    return found


def merged_histogram(latencies: Sequence[Latency]) -> Histogram | None:
    """All I/Os of all clients in one histogram; None where a client has none."""
    histograms = [latency.histogram for latency in latencies if latency.histogram is not None]
    if not histograms or len(histograms) < len(latencies):
        return None
    return merge_histograms(histograms)


def client_iops(cell: Cell, segments: Sequence[Segment]) -> tuple[float, ...]:
    """Mean IOPS of each client over the segments; empty where results cannot be told apart by client."""
    clients = cell.conditions.clients
    rows = [row for segment in segments if (row := _by_client(segment, clients)) is not None]
    if not rows:
        return ()
    return tuple(math.fsum(column) / len(rows) for column in zip(*rows, strict=True))


def _by_client(segment: Segment, clients: int) -> tuple[float, ...] | None:
    """Results stand client by client, each with one result for every direction."""
    rates = [result.iops for result in segment.results if result.iops is not None]
    each, rest = divmod(len(rates), clients)
    if not rates or rest or len(rates) < len(segment.results):
        return None
    return tuple(math.fsum(rates[i : i + each]) for i in range(0, len(rates), each))


def _sum(figures: Iterable[float | None]) -> float | None:
    known = list(figures)
    if not known or any(figure is None for figure in known):
        return None
    return math.fsum(figure for figure in known if figure is not None)


def _with_samples(latency: Latency, result: Result) -> Latency:
    return latency if latency.samples or not result.total_ios else replace(latency, samples=result.total_ios)


RATES = ("1/s", "bytes/s")
"""Units of which the clients' values add up; of all others the mean is taken."""


def on_one_clock(segments: Sequence[Segment]) -> tuple[Series, ...]:
    """One series for each quantity that the segments carry: seconds since the Unix epoch, clients joined.

    A second that not every client of a segment reports is left out: its sum would look like a dip.
    """
    names = dict.fromkeys((series.name, series.unit) for s in segments for r in s.results for series in r.series)
    return tuple(_joined(segments, name, unit) for name, unit in names)


def _joined(segments: Sequence[Segment], name: str, unit: str) -> Series:
    times: list[float] = []
    values: list[float] = []
    for segment in segments:
        for second, value in sorted(_over_clients(segment, name, unit).items()):
            times.append(float(second))
            values.append(value)
    return Series(name, unit, tuple(times), tuple(values), absolute=True)


def _over_clients(segment: Segment, name: str, unit: str) -> dict[int, float]:
    """Whole second -> the clients' sum (rates) or mean (all else)."""
    wanted = [s for result in segment.results for s in result.series if (s.name, s.unit) == (name, unit)]
    heard: dict[int, list[float]] = {}
    for series in wanted:
        start = 0.0 if series.absolute else load_started_at(segment)
        for second, value in _by_second(series, start).items():
            heard.setdefault(second, []).append(value)
    whole = {second: values for second, values in heard.items() if len(values) == len(wanted)}
    if unit in RATES:
        return {second: math.fsum(values) for second, values in whole.items()}
    return {second: math.fsum(values) / len(values) for second, values in whole.items()}


def _by_second(series: Series, start: float) -> dict[int, float]:
    """Means of the values that fall into the same second."""
    buckets: dict[int, list[float]] = {}
    for time, value in zip(series.times_s, series.values, strict=True):
        buckets.setdefault(math.floor(start + time), []).append(value)
    return {second: math.fsum(values) / len(values) for second, values in buckets.items()}


def load_started_at(segment: Segment) -> float:
    """When the load began, Unix time: the segment's end less the tool's own run time: start-up comes first."""
    return segment.started_at_s + max(0.0, segment.seconds - measured_seconds(segment))
