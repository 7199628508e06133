"""Single I/Os that are late among quick ones, and the TCP segments that were lost meanwhile. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from radoscope.explain.times import each_series
from radoscope.records.study import Segment, Study
from radoscope.records.telemetry import TCP_NEEDLESS, TCP_RESENT


def late_ios(segment: Segment, low_s: float, high_s: float = math.inf) -> int:
    """How many I/Os of a segment took so long."""
    return sum(count for value, count in _bins(segment) if low_s <= value < high_s)


def share_of_late(segment: Segment, low_s: float, high_s: float = math.inf) -> float | None:
    """What these took of all I/Os' time together; None without a histogram."""
    whole = math.fsum(value * count for value, count in _bins(segment))
    taken = math.fsum(value * count for value, count in _bins(segment) if low_s <= value < high_s)
    return taken / whole if whole else None


def may_be_of_lost_packets(late: int, study: Study, segments: Sequence[Segment]) -> bool:
    """Whether so many late I/Os may be those of packets that TCP sent again: where it is known, as many as half."""
    lost = _segments_lost(study, segments)
    return lost is None or lost >= late / 2


def _segments_lost(study: Study, segments: Sequence[Segment]) -> float | None:
    """TCP segments that were sent again and had not arrived before. None unless all hosts that the study ever watched,
    and at least as many as OSDs are on, were watched all the time."""
    lost, hosts = 0.0, {host for segment in study.segments for host, _values in each_series(segment, TCP_RESENT)}
    for segment in segments:
        again = {host: math.fsum(values) for host, values in each_series(segment, TCP_RESENT)}
        needless = {host: math.fsum(values) for host, values in each_series(segment, TCP_NEEDLESS)}
        lost += sum(max(0.0, count - needless.get(host, 0.0)) for host, count in again.items())
        if hosts - again.keys():
            return None
    of_osds = study.environment.cluster.hosts if study.environment.cluster else None
    return lost if of_osds and len(hosts) >= of_osds else None


def _bins(segment: Segment) -> Iterator[tuple[float, int]]:
    for result in segment.results:
        for latency in (result.completion, result.latency):
            if latency is not None and latency.histogram is not None:
                yield from zip(latency.histogram.values_s, latency.histogram.counts, strict=True)
                break
