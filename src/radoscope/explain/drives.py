"""What the drives alone account for, whatever the processors do: their quickest flush, and one that lags its peers."""

from __future__ import annotations

import statistics
from functools import lru_cache

from radoscope.explain.evidence import CellEvidence
from radoscope.explain.rule import writes_ceph
from radoscope.explain.times import latency_s, median_of_others, of_each
from radoscope.records.study import Outcome, Segment, Study
from radoscope.records.telemetry import COMMIT_LAT, KV_COMMIT_LAT, KV_FLUSH_LAT, READ_WAIT_AIO_LAT

FLUSHES_IN_A_WRITE = 3
"""Data, RocksDB's log, BlueFS's own log. Where no data is flushed before it (deferred writes), all are the commit's."""
_SMALL = 64 * 1024
_NOTHING_S = 20e-6


def quickest_flush(evidence: CellEvidence) -> float | None:
    """Seconds of a flush, of the OSD in the middle, each OSD's in its quickest segment: no drive is faster than itself.

    Of all cells that write small blocks: large ones fill the drive's queue before the flush.
    """
    return _quickest_flush(evidence.study)


@lru_cache(maxsize=1)  # every segment of a study is asked about it
def _quickest_flush(study: Study) -> float | None:
    quickest: dict[int, float] = {}
    for cell in study.cells:
        if not writes_ceph(cell.conditions) or (cell.conditions.block_bytes or 0) > _SMALL:
            continue
        for segment in study.segments_of(cell.name):
            if segment.outcome is Outcome.DONE:
                for osd, seconds in _flushes(segment).items():
                    quickest[osd] = min(seconds, quickest.get(osd, seconds))
    return statistics.median(quickest.values()) if quickest else None


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
