"""A study -> the rows of the index."""

from __future__ import annotations

from collections.abc import Iterator

from radoscope.records.measurement import Latency, Result
from radoscope.records.study import Cell, Segment, Study

Row = dict[str, str | int | float | None]


def cell_rows(study: Study) -> Iterator[Row]:
    for position, cell in enumerate(study.cells):
        yield _cell_row(study.id, position, cell)


def result_rows(study: Study) -> Iterator[Row]:
    """Numbered over the whole study in the order of its segments."""
    number = 0
    for segment in study.segments:
        for result in segment.results:
            number += 1
            yield _result_row(study.id, number, segment, result)


def _cell_row(study: str, position: int, cell: Cell) -> Row:
    asked = cell.conditions
    return {
        "study": study,
        "position": position,
        "name": cell.name,
        "title": cell.title,
        "layer": asked.layer.value,
        "place": cell.where,
        "sync": asked.sync.value,
        "clients": asked.clients,
        "rate_iops": asked.rate_iops,
    }


def _result_row(study: str, number: int, segment: Segment, result: Result) -> Row:
    latency = result.latency or result.completion or Latency()
    points = (result.completion.percentiles_s if result.completion else {}) or latency.percentiles_s
    source = result.source
    return {
        "study": study,
        "number": number,
        "cell": segment.cell,
        "round": segment.round,
        "outcome": segment.outcome.value,
        "started_at_s": segment.started_at_s,
        "tool": result.tool,
        "op": result.op,
        "block_bytes": _small(result.block_bytes),
        "queue_depth": _small(result.queue_depth),
        "jobs": _small(result.jobs),
        "iops": result.iops,
        "bandwidth_bytes_per_s": result.bandwidth_bytes_per_s,
        "lat_mean_s": latency.mean_s,
        "lat_p50_s": points.get(50.0),
        "lat_p99_s": points.get(99.0),
        "lat_p999_s": points.get(99.9),
        "lat_max_s": latency.max_s,
        "sync_mean_s": result.sync.mean_s if result.sync else None,
        "total_ios": _small(result.total_ios),
        "runtime_s": result.runtime_s,
        "first_line": source.first_line if source else None,
        "last_line": source.last_line if source else None,
    }


def _small(value: int | None) -> int | float | None:
    """SQLite's integers have 63 bits; a count beyond them, as a hostile text may hold, is kept as a float."""
    return value if value is None or abs(value) < 2**63 else float(value)
