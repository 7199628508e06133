"""Everything that leaves as JSON: one vocabulary, base units, the unit in each name. docs/json.md describes it.

`document` makes what `--json` prints; `plain` turns any value of ours into JSON's; `exchanged` makes the exchange
format of one result, which `import --json` prints and others read.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence, Set
from enum import Enum
from typing import TYPE_CHECKING, Any

from radoscope.records.fields import RESULT_FIELDS, latency_field, latency_of, points_of
from radoscope.records.measurement import Latency, Result
from radoscope.stats.ratio import Ratio
from radoscope.stats.values import Estimate, Interval, LatencySummary, Undecided
from radoscope.stats.verdict import Equivalent, Faster, NotComparable, Slower

if TYPE_CHECKING:  # start-up time
    from radoscope.predict.forecast import Forecast, Part
    from radoscope.predict.insitu import ModelLadder
    from radoscope.predict.whatif import Gain
    from radoscope.stats.compare import Comparison

SCHEMA = "radoscope/2"
"""The vocabulary of all JSON. It changes when a field is renamed, removed or gets another meaning; not when one is
added."""

_NS = 1e9
_VERDICTS = {
    Faster: "faster",
    Slower: "slower",
    Equivalent: "equivalent",
    Undecided: "undecided",
    NotComparable: "not comparable",
}


def document(kind: str, **content: Any) -> dict[str, Any]:
    """What `--json` prints: the schema's name, the kind of document, and its content as plain values."""
    return {"schema": SCHEMA, "kind": kind, **plain(content)}


def plain(value: Any) -> Any:
    """A value of ours as JSON knows it, dataclasses as objects with their fields.

    Estimates, ratios and verdicts have forms of their own, see docs/json.md. nan and infinity, which JSON cannot say,
    are None.
    """
    if isinstance(value, Estimate | Undecided | Ratio):
        return estimate(value)
    if type(value) in (Faster, Slower, Equivalent, NotComparable):
        return verdict(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: _of_field(field.name, getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Enum):
        return plain(value.value)
    if value is None or isinstance(value, bool | str | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    return sorted(map(plain, value)) if isinstance(value, Set) else str(value)


def _of_field(name: str, value: Any) -> Any:
    """An Undecided is a missing value, but as a verdict it is one of five."""
    return verdict(value) if name == "verdict" and type(value) in _VERDICTS else plain(value)


def estimate(value: Estimate | Undecided | Ratio, scale: float = 1.0) -> dict[str, Any]:
    """value, low, high, confidence, samples, method; or value null and why: undecided, needs."""
    if isinstance(value, Undecided):
        return {"value": None, "undecided": value.because, "needs": value.needs}
    interval = value.interval
    row = {"value": plain(value.value * scale), **_ends(interval, scale)}
    row |= {"samples": value.samples, "method": value.method}
    return row | {"degrees": plain(value.degrees)} if isinstance(value, Ratio) else row


def _ends(interval: Interval | Undecided, scale: float) -> dict[str, Any]:
    if isinstance(interval, Undecided):
        return {"low": None, "high": None, "undecided": interval.because, "needs": interval.needs}
    low, high = plain(interval.low * scale), plain(interval.high * scale)
    return {"low": low, "high": high, "confidence": interval.confidence}


def verdict(value: Any) -> dict[str, Any]:
    """is: "faster", "slower", "equivalent", "undecided", "not comparable"; with by, margin, undecided or reasons."""
    if isinstance(value, Undecided):
        return {"is": "undecided", "undecided": value.because, "needs": value.needs}
    return {"is": _VERDICTS[type(value)], **{key: plain(entry) for key, entry in dataclasses.asdict(value).items()}}


def comparison(value: Comparison) -> dict[str, Any]:
    """Each cell with its figures, the headline first; what else differs; what limits the verdicts."""
    cells = [
        {"cell": one.cell.name, "title": one.cell.title, "figures": plain((one.headline, *one.others))}
        for one in value.cells
    ]
    return {**plain(dataclasses.replace(value, cells=())), "cells": cells}


def latency(summary: LatencySummary | Undecided, of: str = "latency") -> dict[str, Any]:
    """latency_min_s, latency_mean_s, latency_max_s, latency_p99_s...; `of`: "latency", or "sync" for fsync alone."""
    if isinstance(summary, Undecided):
        return {latency_field(None, of): estimate(summary)}
    points = {latency_field(percent, of): estimate(value) for percent, value in summary.percentiles_s.items()}
    ends = {f"{of}_min_s": plain(summary.min_s), f"{of}_max_s": plain(summary.max_s)}
    return {latency_field(None, of): estimate(summary.mean_s), **ends, **points}


def forecast(workload: str, seen: Forecast, budget: Sequence[Part]) -> dict[str, Any]:
    """A prediction of one load, and where its latency goes, layer by layer."""
    return {
        "workload": workload,
        "iops": _predicted(seen.iops, seen.interval),
        "bandwidth_bytes_per_s": _digits(seen.bandwidth_bytes_per_s),
        latency_field(None): _digits(seen.latency_s),
        latency_field(99.0): None if seen.p99_s is None else _predicted(None, seen.p99_s),
        "bottleneck": seen.bottleneck,
        "budget": [{"layer": one.name, "waiting": one.queued, "seconds": _digits(one.seconds)} for one in budget],
        "bounds_iops": {name: _digits(rate) for name, rate in seen.bounds_iops.items()},
        "assumed": list(seen.assumed),
    }


def change(ratio: Gain) -> dict[str, Any]:
    """What changes bring together: the ratio of rates, the new rate, and what is the bottleneck then."""
    return {
        "changes": [str(each) for each in ratio.changes],
        "ratio": _predicted(ratio.ratio, ratio.interval),
        "iops": _digits(ratio.iops),
        "bottleneck": ratio.next,
    }


def fitted(ladder: ModelLadder) -> dict[str, Any]:
    """A study beside the model that was fitted to it, cell by cell."""
    rungs = [
        {
            "cell": rung.cell,
            "predicted_iops": _predicted(rung.predicted_iops, rung.interval),
            "measured_iops": _digits(rung.measured_iops),
            "ratio": _digits(rung.ratio),
            "bottleneck": rung.bottleneck,
            "calibrated": rung.calibrated,
        }
        for rung in ladder.rungs
    ]
    measured, assumed = list(ladder.measured), list(ladder.assumed)
    return {"measured": measured, "assumed": assumed, "rungs": rungs, "gaps": plain(ladder.gaps)}


def _predicted(value: float | None, interval: Interval) -> dict[str, Any]:
    ends = {"low": _digits(interval.low), "high": _digits(interval.high), "confidence": interval.confidence}
    return {"value": None if value is None else _digits(value), **ends}


def _digits(value: float) -> float:
    """Four significant digits: more would claim what the model does not know."""
    return float(f"{value:.4g}")


def exchanged(result: Result) -> dict[str, Any]:
    """A result in the exchange format `radoscope-result/1`, an array of objects with latencies in ns; null: the text
    does not say. Others read it, so it does not change."""
    row = {
        field.exchanged: _tidy_or_text(field.read(result), field.factor) for field in RESULT_FIELDS if field.exchanged
    }
    return {**row, "extra": _beside(result)}


def _beside(result: Result) -> dict[str, Any]:
    """What a text says and no field holds: records.extra, extremes, fsync's latency, lines."""
    kept: Mapping[str, Any] = result.extra
    extra = {key: _as_exchanged(value) for key, value in kept.items() if key != "jitter_s"}
    if "jitter_s" in kept:
        extra["jitter_ns"] = _ns(kept["jitter_s"])
    extra |= _extremes(result)
    if result.completion is not None and result.latency is not None:
        extra["clat_mean_ns"] = _ns(result.completion.mean_s)
    named = (50.0, 99.0, 99.9)
    if (sync := result.sync) is not None:
        extra |= {"sync_min_ns": _ns(sync.min_s), "sync_max_ns": _ns(sync.max_s), "sync_stddev_ns": _ns(sync.stddev_s)}
        extra |= {latency_field(p, "sync")[:-1] + "ns": _ns(sync.percentiles_s.get(p)) for p in named}
    extra["percentiles_ns"] = {f"{p:g}": _ns(value) for p, value in points_of(result).items() if p not in named} or None
    if result.source is not None:
        extra |= {"lines": [result.source.first_line, result.source.last_line], "file": result.source.file}
    extra["context"] = list(result.context) or None
    return {key: value for key, value in extra.items() if value is not None}


def _extremes(result: Result) -> dict[str, Any]:
    """In ping's words of a round trip, in fio's of an I/O."""
    lat: Latency | None = latency_of(result)
    if lat is None:
        return {}
    name, deviation = ("rtt", "mdev") if result.tool == "ping" else ("lat", "stddev")
    ends = {f"{name}_min_ns": _ns(lat.min_s), f"{name}_max_ns": _ns(lat.max_s)}
    return {**ends, f"{name}_{deviation}_ns": _ns(lat.stddev_s)}


def _tidy_or_text(value: str | float | None, factor: float) -> str | float | int | None:
    return value if isinstance(value, str | int) else _tidy(None if value is None else value * factor)


def _ns(value_s: float | None) -> float | int | None:
    return None if value_s is None else _tidy(value_s * _NS)


def _tidy(value: float | None) -> float | int | None:
    """Twelve digits, so that 0.0136617 s is 13661700 ns; None for what JSON cannot say."""
    if value is None or not math.isfinite(value):
        return None
    rounded = float(f"{value:.12g}")
    return int(rounded) if rounded == int(rounded) and abs(rounded) < 2**53 else rounded


def _as_exchanged(value: Any) -> Any:
    """A value of `extra`; numbers as tidy as all others."""
    if isinstance(value, Mapping):
        return {str(key): _as_exchanged(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_as_exchanged(each) for each in value]
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return _tidy(value) if number else plain(value)
