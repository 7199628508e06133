"""radoscope's own load over S3: one JSON object (run/s3_load.py)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from radoscope.formats.grammar.blocks import required
from radoscope.formats.grammar.json_text import find_objects
from radoscope.formats.grammar.quantities import count, finite
from radoscope.records.measurement import PERCENTILES, Histogram, Latency, Result, Series, Source

NAME = "s3-load"
_OPS = {"PUT": "write", "GET": "randread"}


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    for first, end, _ in _objects(lines):
        yield first, end


def read(text: str) -> tuple[Result, ...]:
    """One result an object. Raises UnreadableFile where there is none."""
    results = (_read(value, first, end) for first, end, value in _objects(text.splitlines()))
    return required(results, "no result of radoscope's S3 load in this text", "It is a JSON object with `s3_load`.")


def _objects(lines: Sequence[str]) -> Iterator[tuple[int, int, dict[str, Any]]]:
    for first, end, value in find_objects(lines, '"s3_load"'):
        if "s3_load" in value and str(value.get("method")) in _OPS:
            yield first, end, value


def _read(value: Mapping[str, Any], first: int, end: int) -> Result:
    seconds, requests = finite(value.get("seconds")), count(value.get("requests"))
    size = count(value.get("object_bytes"))
    rate = requests / seconds if seconds and requests is not None else None
    return Result(
        tool=NAME,
        op=_OPS[value["method"]],
        block_bytes=size,
        queue_depth=count(value.get("connections")) or None,
        iops=rate,
        bandwidth_bytes_per_s=rate * size if rate is not None and size is not None else None,
        latency=_latency(value.get("latency_s"), requests),
        total_ios=requests,
        runtime_s=seconds,
        series=_series(value),
        source=Source(reader=NAME, first_line=first + 1, last_line=end),
    )


def _latency(told: object, requests: int | None) -> Latency | None:
    if not isinstance(told, dict):
        return None
    histogram = _histogram(told.get("bins"))
    return Latency(
        min_s=finite(told.get("min")),
        mean_s=finite(told.get("mean")),
        max_s=finite(told.get("max")),
        samples=requests,
        percentiles_s=_percentiles(histogram) if histogram else {},
        histogram=histogram,
    )


def _histogram(told: object) -> Histogram | None:
    pairs = [one for one in told if isinstance(one, list) and len(one) == 2] if isinstance(told, list) else []
    bins = [(finite(at), count(number)) for at, number in pairs]
    known = sorted((at, number) for at, number in bins if at is not None and at > 0 and number)
    return Histogram(tuple(at for at, _ in known), tuple(number for _, number in known)) if known else None


def _percentiles(histogram: Histogram) -> dict[float, float]:
    """By bins of 1.1 %: the one that holds the share."""
    found: dict[float, float] = {}
    for percent in PERCENTILES:
        wanted, seen = math.ceil(histogram.total * percent / 100), 0
        for at, number in zip(histogram.values_s, histogram.counts, strict=True):
            seen += number
            if seen >= wanted:
                found[percent] = at
                break
    return found


def _series(value: Mapping[str, Any]) -> tuple[Series, ...]:
    begun, each, answered = finite(value.get("begun_at_s")), finite(value.get("interval_s")), value.get("answered")
    if begun is None or not each or each <= 0 or not isinstance(answered, list):
        return ()
    counts = [count(one) for one in answered]
    if not counts or None in counts:
        return ()
    times = tuple(begun + (slot + 1) * each for slot in range(len(counts)))
    return (Series("iops", "1/s", times, tuple((one or 0) / each for one in counts), absolute=True),)
