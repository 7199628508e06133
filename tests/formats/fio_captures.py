"""The captures of fio, and how a result of ours is compared with what a capture expects."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from radoscope.records.measurement import Latency, Result

CAPTURES = Path(__file__).parents[1] / "captures" / "fio"


def cases(file: str) -> list[str]:
    """The captures that have this file and say what is expected: "3.33/randread"."""
    found = [path.parent for path in CAPTURES.glob(f"*/*/{file}") if (path.parent / "expected.json").exists()]
    return sorted(f"{folder.parent.name}/{folder.name}" for folder in found)


def text_of(case: str, file: str) -> str:
    return (CAPTURES / case / file).read_text("utf-8")


def expected_of(case: str) -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = json.loads(text_of(case, "expected.json"))
    return loaded


def told(result: Result) -> dict[str, Any]:
    """A result in the fields of a capture."""
    latency = result.latency or Latency()
    percentiles = (result.completion or Latency()).percentiles_s or latency.percentiles_s
    fields: dict[str, Any] = {
        "tool": result.tool,
        "op": result.op,
        "block_bytes": result.block_bytes,
        "queue_depth": result.queue_depth,
        "jobs": result.jobs,
        "iops": result.iops,
        "bw_bytes_per_s": result.bandwidth_bytes_per_s,
        "lat_mean_ns": _nanoseconds(latency.mean_s),
        "lat_p50_ns": _nanoseconds(percentiles.get(50.0)),
        "lat_p99_ns": _nanoseconds(percentiles.get(99.0)),
        "lat_p999_ns": _nanoseconds(percentiles.get(99.9)),
        "sync_mean_ns": _nanoseconds(result.sync.mean_s if result.sync else None),
        "total_ios": result.total_ios,
        "runtime_s": result.runtime_s,
    }
    return fields


def differences(result: Result, expected: Mapping[str, Any], *, as_text: bool = False) -> list[str]:
    """What is not as expected. as_text: fio's normal output cuts IOPS to a whole number and usec to whole ones."""
    found = told(result)
    wrong = [
        f"{name}: {found[name]} is not {value}"
        for name, value in expected.items()
        if name != "extra" and not _same(found[name], value, _slack(name, value) if as_text else 0.0)
    ]
    wrong += [
        f"extra {name}: {result.extra.get(name)} is not {value}"
        for name, value in expected.get("extra", {}).items()
        if result.extra.get(name) != value
    ]
    return wrong


def _slack(name: str, value: Any) -> float:
    if name == "iops":
        return 1.0
    return 1000.0 if name.startswith("lat_p") and value is not None and value < 1e6 else 0.0


def _same(found: Any, expected: Any, slack: float) -> bool:
    if expected is None or found is None or isinstance(expected, str):
        return bool(found == expected)
    return bool(abs(found - expected) <= 0.006 * abs(expected) + slack)


def _nanoseconds(value_s: float | None) -> float | None:
    return None if value_s is None else value_s * 1e9
