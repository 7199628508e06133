"""Records in, records out: one cluster and load a line."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeGuard

from radoscope.errors import PlanError
from radoscope.predict.facts import read_facts
from radoscope.predict.forecast import Forecast
from radoscope.predict.model import Model
from radoscope.predict.outlook import Known, forecast


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
        facts = read_facts(row)
        known = tuple(_known(row, one, number) for number, one in enumerate(row.get("known") or (), start=1))
        return {"id": row.get("id"), **as_row(forecast(facts, model, known))}
    except PlanError as fault:
        return {"id": row.get("id"), "unsupported": fault.message}


def _known(row: Mapping[str, Any], said: Any, number: int) -> Known:
    """A measured cell: what differs from the record itself, and its rate as iops, MBps or lat_ms_avg."""
    if not isinstance(said, dict):
        raise PlanError(f"known, entry {number}: must be an object, not {said!r}")
    facts = read_facts({**row, **said})
    iops, megabytes, latency = (said.get(name) for name in ("iops", "MBps", "lat_ms_avg"))
    depth = (facts.queue_depth or 0) * (facts.clients or 0)
    if _positive(iops):
        return Known(f"known {number}", facts, float(iops))
    if _positive(megabytes) and facts.block_bytes:
        return Known(f"known {number}", facts, float(megabytes) * 1e6 / facts.block_bytes)
    if _positive(latency) and depth:
        return Known(f"known {number}", facts, 1e3 * depth / float(latency))
    raise PlanError(
        f"known, entry {number}: needs iops, or MBps with block_bytes, or lat_ms_avg with queue_depth and clients"
    )


def _positive(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value > 0


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
