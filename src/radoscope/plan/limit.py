"""The words of a latency limit: "p99 <= 10ms", "mean <= 5ms"."""

from __future__ import annotations

import re

from radoscope.errors import PlanError
from radoscope.records.limit import LatencyLimit
from radoscope.units import parse_seconds

METRICS = ("mean", "p50", "p95", "p99", "p99.9")
_WORDS = re.compile(r"\s*(\S+?)\s*(?:<=|≤)\s*(.+?)\s*")
_HINT = f"Write for example 'p99 <= 10ms'. It can be of: {', '.join(METRICS)}."


def parse_limit(text: str) -> LatencyLimit:
    """ "p99 <= 10ms" -> LatencyLimit. Raises PlanError."""
    found = _WORDS.fullmatch(text)
    if found is None or found[1] not in METRICS:
        raise PlanError(f"{text!r} is not a latency limit", _HINT)
    latency_s = parse_seconds(found[2])
    if not latency_s > 0:
        raise PlanError(f"{text!r}: the limit must be above 0", _HINT)
    if re.fullmatch(r"[\d.]+", found[2]):
        raise PlanError(f"{text!r} lacks a unit of time", _HINT)
    return LatencyLimit(latency_s, None if found[1] == "mean" else float(found[1][1:]))
