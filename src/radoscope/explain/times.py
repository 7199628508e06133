"""Where the time of one I/O went, by the OSDs' own counters: from the client to the medium, and what is left over;
and what drives alone account for, whatever the processors do: their quickest flush, and one that lags its peers.

Pure. Every figure is a mean over the segments that have it; the interval is the one of stats for means of segments.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from radoscope.explain.evidence import FULL_HOST, CellEvidence
from radoscope.explain.finding import Share
from radoscope.explain.rule import writes_ceph
from radoscope.records.study import Outcome, Segment, Study
from radoscope.records.telemetry import (
    CLIENT_CPU,
    CLIENT_CPU_WAIT,
    COMMIT_LAT,
    HOST_CPU,
    KV_COMMIT_LAT,
    KV_FLUSH_LAT,
    OP_BEFORE_DEQUEUE,
    OP_R,
    OP_R_LATENCY,
    OP_R_PROCESS_LATENCY,
    OP_RW_LATENCY,
    OP_W,
    OP_W_LATENCY,
    OP_W_PREPARE_LATENCY,
    OP_W_PROCESS_LATENCY,
    PG_NOT_CLEAN,
    READ_LAT,
    READ_WAIT_AIO_LAT,
    RECOVERED,
    SCRUBBING_PGS,
    SUBOP_W_LATENCY,
    Counter,
    Quantity,
)
from radoscope.words import N_

FEW_EVENTS = 5
"""An OSD that did fewer of something tells nothing of how long that takes."""


@dataclass(frozen=True, slots=True)
class Part:
    """One stretch of the way. seconds: of the mean I/O. least, most: of the segments, where it is a mean of several."""

    name: str
    seconds: float
    least: float | None = None
    most: float | None = None


@dataclass(frozen=True, slots=True)
class Waterfall:
    """total_s: the mean latency that the client saw. parts: from the client to the medium; they add up to it."""

    total_s: float
    parts: tuple[Part, ...]

    def share(self, name: str) -> float:
        return sum(part.seconds for part in self.parts if part.name == name) / self.total_s if self.total_s else 0.0


OUTSIDE = N_("client and network")
CLIENT, NETWORK = N_("client"), N_("network")
QUEUE = N_("OSD queue")
PREPARE = N_("OSD preparation")
STORE = N_("store and drive")
REPLICAS = N_("replicas")
UNEXPLAINED = N_("unexplained")
_LONGER_INSIDE = 1.1
"""The OSDs also count what was in flight when the clock stopped. Beside another client's load it was 1.24 to 3.7."""
PARTS = (CLIENT, NETWORK, OUTSIDE, QUEUE, PREPARE, STORE, REPLICAS, UNEXPLAINED)


def waterfall_of(segment: Segment) -> Waterfall | None:
    """None where the client's latency or the OSDs' counters are missing, or tell of other operations than the load's:
    in OSDs none of these takes longer than its client waits for it. None of loads over S3, each of whose requests is
    several operations."""
    total, inside = latency_s(segment), (OP_W_LATENCY if _writes(segment) else OP_R_LATENCY)
    seconds = segment.counters.get(inside.name)
    if any(result.tool == "s3-load" for result in segment.results):
        return None
    if total is None or total <= 0 or not seconds or seconds > _LONGER_INSIDE * total:
        return None
    return (_of_write if _writes(segment) else _of_read)(total, seconds, segment)


def one_at_a_time(segment: Segment, round_trip_s: float) -> Waterfall | None:
    """The way of single I/Os, with nothing told by subtraction: what was measured of client and network, and the rest.

    The client's part is the CPU time that it spent on each I/O, the network's a small packet's round trip. What the
    client's threads waited for a core is its part at most as far as something is left, for not all of them hold an I/O
    up. So is the round trip: its own kernel's work on packets is in the client's CPU time as well, and a ping once in a
    while finds processors asleep that I/O after I/O keeps awake. None where `waterfall_of` is, or the client's CPU time
    is missing.
    """
    water, computing = waterfall_of(segment), _of_client(segment, CLIENT_CPU)
    if water is None or computing is None:
        return None
    outside, client = water.share(OUTSIDE) * water.total_s, computing * water.total_s
    network = min(max(0.0, outside - client), round_trip_s)
    left = outside - client - network
    waits = min(max(0.0, left), (_of_client(segment, CLIENT_CPU_WAIT) or 0.0) * water.total_s)
    inside = (part for part in water.parts if part.name not in (OUTSIDE, UNEXPLAINED))
    return _with_rest(water.total_s, [Part(CLIENT, client + waits), Part(NETWORK, network), *inside])


def _of_client(segment: Segment, what: Quantity) -> float | None:
    """Seconds a second of all client processes together, which with one in flight is a share of its time."""
    found = each_of(segment, what, middle=statistics.median)
    return sum(found) if found else None


def each_series(segment: Segment, what: Quantity) -> Iterator[tuple[str, Sequence[float]]]:
    """(OSD, host or interface, its samples) of all that has such a series."""
    for series in segment.telemetry:
        if (thing := what.thing(series.name)) is not None:
            yield thing, series.values


def each_of(
    segment: Segment, *kinds: Quantity, middle: Callable[[Sequence[float]], float] = statistics.fmean
) -> list[float]:
    """Of each thing that has such samples in the segment, what they come to."""
    known = (one for one in segment.telemetry if one.values)
    return [max(0.0, middle(one.values)) for one in known if any(kind.thing(one.name) is not None for kind in kinds)]


def full_host(segment: Segment) -> bool:
    """Whether everybody on one of the hosts that were seen waits for cores."""
    return max(each_of(segment, HOST_CPU, middle=statistics.median), default=0.0) >= FULL_HOST


def background_work(segment: Segment) -> bool:
    """Whether scrubs, recovery or moves were seen in it."""
    seen = max(each_of(segment, SCRUBBING_PGS, PG_NOT_CLEAN), default=0.0)
    return seen > 0 or segment.counters.get(RECOVERED.name, 0.0) > 0


_HELD_UP, _PEERS = 5.0, 3
"""Times its peers' wait. Chance made 3.8 here."""


def held_up(segments: Sequence[Segment]) -> list[int]:
    """The OSDs in which operations wait for a thread so much longer than in their peers, in each segment."""
    found: list[set[int]] = []
    for one in segments:
        waits = {osd: wait for osd, wait in of_each(one, OP_BEFORE_DEQUEUE).items() if wait > 0}
        of_peers = waits if len(waits) >= _PEERS else {}
        found.append({osd for osd, wait in of_peers.items() if wait >= _HELD_UP * median_of_others(waits, osd)})
    return sorted(set.intersection(*found)) if found else []


def mean_waterfall(segments: Sequence[Segment], round_trip_s: float | None = None) -> Waterfall | None:
    """The mean of the segments that have one; None without any. round_trip_s: given for single I/Os alone."""
    known = [] if round_trip_s is None else [one_at_a_time(one, round_trip_s) for one in segments]
    found = [water for water in known if water is not None]
    found = found or [water for one in segments if (water := waterfall_of(one)) is not None]
    if not found:
        return None
    names = [name for name in PARTS if any(part.name == name for water in found for part in water.parts)]
    total = statistics.fmean(water.total_s for water in found)
    return Waterfall(total, tuple(_mean_part(found, name) for name in names))


def _mean_part(found: Sequence[Waterfall], name: str) -> Part:
    each = [water.share(name) * water.total_s for water in found]
    several = (min(each), max(each)) if len(each) > 1 else (None, None)
    return Part(name, statistics.fmean(each), *several)


def _of_write(total: float, write: float, segment: Segment) -> Waterfall:
    """Commits run side by side on all replicas: the slower side's is what the primary waits for.

    What is left between the primary's own commit and the reply is the replicas': their commit, and the way to them.
    """
    process = segment.counters.get(OP_W_PROCESS_LATENCY.name, write)
    prepare = min(segment.counters.get(OP_W_PREPARE_LATENCY.name, 0.0), process)
    store = min(segment.counters.get(COMMIT_LAT.name, 0.0), process - prepare)
    parts = [
        Part(OUTSIDE, max(0.0, total - write)),
        Part(QUEUE, max(0.0, write - process)),
        Part(PREPARE, prepare),
        Part(STORE, store),
        Part(REPLICAS, max(0.0, process - prepare - store)),
    ]
    return _with_rest(total, parts)


def _of_read(total: float, read: float, segment: Segment) -> Waterfall:
    process = min(segment.counters.get(OP_R_PROCESS_LATENCY.name, read), read)
    store = min(segment.counters.get(READ_LAT.name, 0.0), process)
    parts = [
        Part(OUTSIDE, max(0.0, total - read)),
        Part(QUEUE, read - process),
        Part(PREPARE, process - store),
        Part(STORE, store),
    ]
    return _with_rest(total, parts)


def _with_rest(total: float, parts: list[Part]) -> Waterfall:
    rest = total - sum(part.seconds for part in parts)
    return Waterfall(total, (*parts, Part(UNEXPLAINED, rest)) if abs(rest) > 1e-9 else tuple(parts))


def latency_s(segment: Segment) -> float | None:
    """Mean latency of the segment's I/Os, weighted by their number; None where a result has none."""
    pairs = [(one.latency.mean_s, one.total_ios or one.iops or 0.0) for one in segment.results if one.latency]
    known = [(mean, weight) for mean, weight in pairs if mean is not None and weight > 0]
    if not known or len(known) < len(segment.results):
        return None
    return sum(mean * weight for mean, weight in known) / sum(weight for _, weight in known)


def of_each(segment: Segment, counter: Counter, least: float = FEW_EVENTS) -> dict[int, float]:
    """OSD -> this counter in the segment; for times only of OSDs with enough events to tell."""
    found = {}
    for osd, counters in segment.osd_counters.items():
        enough = not counter.is_time or counters.get(counter.events, least) >= least
        if counter.name in counters and enough:
            found[osd] = counters[counter.name]
    return found


HELD_S = 0.2
"""Seconds a second. A CPU limit that is felt now and then costs less than segments differ."""


def share_held(evidence: CellEvidence, most_s: float) -> Share:
    """What a CPU limit explains that holds a process for so many seconds a second: the kernel adds up the times of all
    cores."""
    threads = max((host.cpu_threads or 1 for host in evidence.environment.hosts), default=1)
    least, highest = min(1.0, most_s / threads), min(1.0, most_s)
    return Share((least + highest) / 2, least, highest)


def share_over(values: Iterable[float | None]) -> Share | None:
    """The mean of the segments' shares, and their range; None without any."""
    known = [min(1.0, max(0.0, value)) for value in values if value is not None]
    return Share(statistics.fmean(known), min(known), max(known)) if known else None


def share_of(segments: Iterable[Segment], seconds: Callable[[Segment], float | None]) -> Share | None:
    """Of the mean I/O, what takes so long in each segment."""
    known = ((taken, latency_s(one)) for one in segments if (taken := seconds(one)) is not None)
    return share_over(taken / total for taken, total in known if total)


def share_of_parts(segments: Iterable[Segment], *names: str, beyond_s: float = 0.0) -> Share | None:
    """Of the mean I/O, what passes in these parts of its way, beyond so many seconds."""
    found = (water for one in segments if (water := waterfall_of(one)) is not None)
    return share_over(sum(water.share(name) for name in names) - beyond_s / water.total_s for water in found)


def median_of_others(values: dict[int, float], osd: int) -> float:
    """The median of all but one. Raises statistics.StatisticsError without any other."""
    return statistics.median(value for other, value in values.items() if other != osd)


def touched(segment: Segment, osd: int) -> float:
    """Share of the client's operations that waited for this OSD; 1 where nothing tells."""
    counts = segment.osd_counters
    if sum(one.get(OP_W.name, 0.0) for one in counts.values()) > sum(
        one.get(OP_R.name, 0.0) for one in counts.values()
    ):
        writes = sum(one.get(OP_W.name, 0.0) for one in counts.values())
        own = counts[osd].get(OP_W.name, 0.0) + counts[osd].get(SUBOP_W_LATENCY.events, 0.0)
        return min(1.0, own / writes) if writes else 1.0
    reads = sum(one.get(OP_R.name, 0.0) for one in counts.values())
    return counts[osd].get(OP_R.name, 0.0) / reads if reads else 1.0


def queue_wait(segment: Segment, osds: Sequence[int] | None = None) -> float | None:
    """Mean wait in the OSDs' queues, of these OSDs or of all."""
    if osds is None:
        return segment.counters.get(OP_BEFORE_DEQUEUE.name)
    found = of_each(segment, OP_BEFORE_DEQUEUE)
    known = [found[osd] for osd in osds if osd in found]
    return statistics.fmean(known) if known else None


def replica_s(segment: Segment) -> float | None:
    """Mean time from a replica's receipt of a write to its answer; nothing of the network is in it."""
    return segment.counters.get(SUBOP_W_LATENCY.name)


OPERATIONS: tuple[Counter, ...] = (OP_R_LATENCY, OP_W_LATENCY, OP_RW_LATENCY)
"""All that clients ask of OSDs."""


def spent_s(segment: Segment, *kinds: Counter) -> float:
    """Seconds that all of these operations took, together."""
    return sum(segment.counters.get(kind.name, 0.0) * segment.counters.get(kind.events, 0.0) for kind in kinds)


def _writes(segment: Segment) -> bool:
    return any(result.op in ("write", "randwrite") for result in segment.results)


FLUSHES_IN_A_WRITE = 3
"""Data, RocksDB's log, BlueFS's own log. Where no data is flushed before it (deferred writes), all are the commit's."""
_SMALL = 64 * 1024
_NOTHING_S = 20e-6


def quickest_flush(evidence: CellEvidence) -> float | None:
    """Seconds of a flush, of the OSD in the middle, each OSD's in its quickest segment: no drive is faster than itself.

    Of all cells that write small blocks: large ones fill the drive's queue before the flush.
    """
    quickest = quickest_flushes(evidence.study)
    return statistics.median(quickest.values()) if quickest else None


@lru_cache(maxsize=1)  # every segment of a study is asked about it
def quickest_flushes(study: Study) -> Mapping[int, float]:
    """Seconds of a flush, of each OSD in its quickest segment."""
    quickest: dict[int, float] = {}
    for cell in study.cells:
        if not writes_ceph(cell.conditions) or (cell.conditions.block_bytes or 0) > _SMALL:
            continue
        for segment in study.segments_of(cell.name):
            if segment.outcome is Outcome.DONE:
                for osd, seconds in _flushes(segment).items():
                    quickest[osd] = min(seconds, quickest.get(osd, seconds))
    return quickest


def held_by_drives(evidence: CellEvidence, segment: Segment) -> float:
    """Share of the mean I/O that drives take at least: their quickest flushes, or what one of them lags behind."""
    total = latency_s(segment)
    if not total:
        return 0.0
    own = of_each(segment, COMMIT_LAT if evidence.conditions.op.writes else READ_WAIT_AIO_LAT)
    slowest = max(own, key=lambda osd: own[osd], default=None)
    behind = own[slowest] - median_of_others(own, slowest) if slowest is not None and len(own) > 1 else 0.0
    flushes = FLUSHES_IN_A_WRITE * (quickest_flush(evidence) or 0.0) if evidence.conditions.op.writes else 0.0
    return min(1.0, max(behind, flushes) / total)


def _flushes(segment: Segment) -> dict[int, float]:
    flush, commit = of_each(segment, KV_FLUSH_LAT), of_each(segment, KV_COMMIT_LAT)
    return {
        osd: flush[osd] if flush.get(osd, 0.0) > _NOTHING_S else seconds / FLUSHES_IN_A_WRITE
        for osd, seconds in commit.items()
    }
