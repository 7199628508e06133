"""A result -> the JSON object of `radoscope import --json`: latencies in ns, bandwidth in bytes/s, runtime in s.

A field that the text does not give is null. Everything else worth keeping is in `extra`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from radoscope.records.measurement import Latency, Result

_NS = 1e9
_MAIN_PERCENTILES = {50.0: "p50", 99.0: "p99", 99.9: "p999"}
_IN_NS = {"jitter_s": "jitter_ns"}


def to_object(result: Result) -> dict[str, Any]:
    """The object of one result; numbers are finite, and whole where they are whole."""
    lat = result.latency or result.completion
    points = (result.completion or Latency()).percentiles_s or (result.latency or Latency()).percentiles_s
    return {
        "tool": result.tool,
        "op": result.op,
        "block_bytes": result.block_bytes,
        "queue_depth": result.queue_depth,
        "jobs": result.jobs,
        "iops": _tidy(result.iops),
        "bw_bytes_per_s": _tidy(result.bandwidth_bytes_per_s),
        "lat_mean_ns": _ns(lat.mean_s if lat else None),
        "lat_p50_ns": _ns(points.get(50.0)),
        "lat_p99_ns": _ns(points.get(99.0)),
        "lat_p999_ns": _ns(points.get(99.9)),
        "sync_mean_ns": _ns(result.sync.mean_s if result.sync else None),
        "total_ios": result.total_ios,
        "runtime_s": _tidy(result.runtime_s),
        "extra": _extra(result, lat, points),
    }


def _extra(result: Result, lat: Latency | None, points: Mapping[float, float]) -> dict[str, Any]:
    extra: dict[str, Any] = {}
    kept: Mapping[str, Any] = result.extra
    for key, value in kept.items():
        extra[_IN_NS.get(key, key)] = _ns(value) if key in _IN_NS else _plain(value)
    name, deviation = ("rtt", "mdev") if result.tool == "ping" else ("lat", "stddev")
    if lat is not None:
        extra |= {f"{name}_min_ns": _ns(lat.min_s), f"{name}_max_ns": _ns(lat.max_s)}
        extra[f"{name}_{deviation}_ns"] = _ns(lat.stddev_s)
    if result.completion is not None and result.latency is not None:
        extra["clat_mean_ns"] = _ns(result.completion.mean_s)
    if result.sync is not None:
        sync = result.sync
        extra |= {"sync_min_ns": _ns(sync.min_s), "sync_max_ns": _ns(sync.max_s), "sync_stddev_ns": _ns(sync.stddev_s)}
        extra |= {
            f"sync_{name}_ns": _ns(sync.percentiles_s.get(percent)) for percent, name in _MAIN_PERCENTILES.items()
        }
    others = {f"{percent:g}": _ns(value) for percent, value in points.items() if percent not in _MAIN_PERCENTILES}
    extra["percentiles_ns"] = others or None
    if result.source is not None:
        extra["lines"] = [result.source.first_line, result.source.last_line]
        extra["file"] = result.source.file
    extra["context"] = list(result.context) or None
    return {key: value for key, value in extra.items() if value is not None}


def _ns(value_s: float | None) -> float | int | None:
    return None if value_s is None else _tidy(value_s * _NS)


def _tidy(value: float | None) -> float | int | None:
    """Twelve digits, so that 0.0136617 s is 13661700 ns; None for what JSON cannot say."""
    if value is None or not math.isfinite(value):
        return None
    rounded = float(f"{value:.12g}")
    return int(rounded) if rounded == int(rounded) and abs(rounded) < 2**53 else rounded


def _plain(value: Any) -> Any:
    """A value of `extra` as JSON can say it."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return _tidy(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return str(value)
