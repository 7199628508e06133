"""The per-second series of a cell's segments and clients, laid on one clock."""

from __future__ import annotations

import math
from collections.abc import Sequence

from radoscope.records.measurement import Series
from radoscope.records.study import Segment
from radoscope.stats.segments import measured_seconds

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
