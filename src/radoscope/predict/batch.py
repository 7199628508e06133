"""Records in, records out: one cluster and load a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from radoscope.errors import PlanError
from radoscope.predict.facts import read_facts
from radoscope.predict.forecast import Forecast, forecast
from radoscope.predict.model import Model


def forecast_lines(lines: Iterable[str], model: Model) -> Iterator[dict[str, Any]]:
    """One JSON object a line -> one answer each, in order; a line that cannot be answered says why."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as fault:
            yield {"id": None, "unsupported": f"line {number} is not JSON: {fault.msg}"}
            continue
        yield (
            answer(row, model)
            if isinstance(row, dict)
            else {
                "id": None,
                "unsupported": f"line {number} is not an object",
            }
        )


def answer(row: Mapping[str, Any], model: Model) -> dict[str, Any]:
    """One record -> its answer, or `unsupported` with the reason."""
    try:
        return {"id": row.get("id"), **as_row(forecast(read_facts(row), model))}
    except PlanError as fault:
        return {"id": row.get("id"), "unsupported": fault.message}


def as_row(seen: Forecast) -> dict[str, Any]:
    """A forecast in the words of a batch, which are those of its input: 1/s, MB/s of 10^6 bytes, milliseconds."""
    return {
        "iops": _digits(seen.iops),
        "iops_low": _digits(seen.interval.low),
        "iops_high": _digits(seen.interval.high),
        "MBps": _digits(seen.bandwidth_bytes_per_s / 1e6),
        "lat_ms_avg": _digits(seen.latency_s * 1e3),
        "bottleneck": seen.bottleneck,
        "assumed": list(seen.assumed),
    }


def _digits(value: float) -> float:
    """Four significant digits: more would claim what the model does not know."""
    return float(f"{value:.4g}")
