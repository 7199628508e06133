"""OSD performance counters: two dumps -> what happened between them.

A counter with avgcount and sum is an average over time: its difference is (sum2 - sum1) / (count2 - count1). Source:
doc/dev/perf_counters.rst of Ceph 16. No counter is reset on anybody's cluster.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_COUNTS = {
    "osd.op_r": ("osd", "op_r"),
    "osd.op_w": ("osd", "op_w"),
    "osd.op_r_out_bytes": ("osd", "op_r_out_bytes"),
    "osd.op_w_in_bytes": ("osd", "op_w_in_bytes"),
    "osd.recovery_ops": ("osd", "recovery_ops"),
    "bluestore.onode_hits": ("bluestore", "bluestore_onode_hits"),
    "bluestore.onode_misses": ("bluestore", "bluestore_onode_misses"),
    "bluestore.buffer_hit_bytes": ("bluestore", "bluestore_buffer_hit_bytes"),
    "bluestore.buffer_miss_bytes": ("bluestore", "bluestore_buffer_miss_bytes"),
    "bluestore.compress_success": ("bluestore", "compress_success_count"),
}
_TIMES = {
    "osd.op_r_latency_s": ("osd", "op_r_latency"),
    "osd.op_w_latency_s": ("osd", "op_w_latency"),
    "osd.subop_w_latency_s": ("osd", "subop_w_latency"),
    "osd.op_w_process_latency_s": ("osd", "op_w_process_latency"),
    "bluestore.kv_sync_lat_s": ("bluestore", "kv_sync_lat"),
    "bluestore.kv_flush_lat_s": ("bluestore", "kv_flush_lat"),
    "bluestore.kv_commit_lat_s": ("bluestore", "kv_commit_lat"),
    "bluestore.commit_lat_s": ("bluestore", "commit_lat"),
    "bluestore.read_lat_s": ("bluestore", "read_lat"),
}


def difference(before: Mapping[int, Any], after: Mapping[int, Any]) -> dict[str, float]:
    """Counts summed over the OSDs, times as means over all their events; and each OSD's own write and read latency.

    Only OSDs that answered twice, and did not start anew in between, count.
    """
    both = [osd for osd in after if osd in before and not _restarted(before[osd], after[osd])]
    found: dict[str, float] = {}
    for name, place in _COUNTS.items():
        steps = [_number(after[osd], place) - _number(before[osd], place) for osd in both if _has(after[osd], place)]
        if steps:
            found[name] = sum(steps)
    for name, place in _TIMES.items():
        mean = _mean([(before[osd], after[osd]) for osd in both], place)
        if mean is not None:
            found[name] = mean
    for osd in both:
        for name in ("osd.op_w_latency_s", "osd.op_r_latency_s"):
            mean = _mean([(before[osd], after[osd])], _TIMES[name])
            if mean is not None:
                found[f"osd.{osd}.{name.removeprefix('osd.')}"] = mean
    return found


def _mean(pairs: list[tuple[Any, Any]], place: tuple[str, str]) -> float | None:
    seconds = events = 0.0
    for before, after in pairs:
        if _has(before, place) and _has(after, place):
            first, last = before[place[0]][place[1]], after[place[0]][place[1]]
            seconds += last["sum"] - first["sum"]
            events += last["avgcount"] - first["avgcount"]
    return seconds / events if events > 0 else None


def _restarted(before: Any, after: Any) -> bool:
    return _number(after, _COUNTS["osd.op_w"]) < _number(before, _COUNTS["osd.op_w"])


def _has(dump: Any, place: tuple[str, str]) -> bool:
    return isinstance(dump, dict) and place[1] in dump.get(place[0], {})


def _number(dump: Any, place: tuple[str, str]) -> float:
    return float(dump[place[0]][place[1]]) if _has(dump, place) else 0.0
