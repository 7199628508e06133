"""Published results: facts and figures with their sources, to compare with and to fit on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any


@dataclass(frozen=True, slots=True)
class PublishedResult:
    """One published result. fields: the record as in docs/verbs/catalogue.md; None or absent: not published."""

    fields: Mapping[str, Any]

    @property
    def id(self) -> str:
        return str(self.fields["id"])

    @property
    def source_id(self) -> str:
        return str(self.fields["source_id"])

    @property
    def iops(self) -> float | None:
        """Operations per second over all clients: as printed, else from MB/s, else from the latency (Little's law)."""
        row = self.fields
        if row.get("iops"):
            return float(row["iops"])
        if row.get("MBps") and row.get("block_bytes"):
            return float(row["MBps"]) * 1e6 / float(row["block_bytes"])
        if row.get("lat_ms_avg") and row.get("queue_depth") and row.get("clients"):
            return 1e3 * float(row["queue_depth"]) * float(row["clients"]) / float(row["lat_ms_avg"])
        return None


def results() -> tuple[PublishedResult, ...]:
    """Every published result, in the order of the data files."""
    return fitted() + not_fitted()


@lru_cache(maxsize=1)
def fitted() -> tuple[PublishedResult, ...]:
    """Those that the model was shaped on."""
    return _read("results.jsonl")


@lru_cache(maxsize=1)
def not_fitted() -> tuple[PublishedResult, ...]:
    """Those of sources that were collected after the model was built (docs/exams.md)."""
    return _read("results_not_fitted.jsonl")


def _read(name: str) -> tuple[PublishedResult, ...]:
    text = Path(__file__).with_name("data").joinpath(name).read_text(encoding="utf-8")
    return tuple(PublishedResult(MappingProxyType(json.loads(line))) for line in text.splitlines() if line)
