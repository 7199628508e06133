"""Studies made of plain numbers, for the tests of statistics."""

from __future__ import annotations

from collections.abc import Sequence

from radoscope.records.conditions import Conditions, Layer, Operation
from radoscope.records.measurement import Histogram, Latency, Result
from radoscope.records.study import Cell, Outcome, Segment, Study


def a_cell(name: str = "4k-randwrite", clients: int = 1, **changed: object) -> Cell:
    load = {"layer": Layer.RBD, "tool": "fio", "op": Operation.RANDWRITE, "block_bytes": 4096, "queue_depth": 16}
    return Cell(name=name, title=name, conditions=Conditions(clients=clients, **(load | changed)))  # type: ignore[arg-type]


def a_result(
    iops: float | None = 1000.0, *, latencies_s: Sequence[float] = (), runtime_s: float = 5.0, **changed: object
) -> Result:
    fields: dict[str, object] = {
        "tool": "fio",
        "op": "randwrite",
        "block_bytes": 4096,
        "iops": iops,
        "bandwidth_bytes_per_s": None if iops is None else iops * 4096,
        "latency": a_latency(latencies_s) if latencies_s else None,
        "runtime_s": runtime_s,
    }
    return Result(**(fields | changed))  # type: ignore[arg-type]


def a_latency(latencies_s: Sequence[float]) -> Latency:
    values = sorted(set(latencies_s))
    histogram = Histogram(tuple(values), tuple(list(latencies_s).count(value) for value in values))
    return Latency(
        min_s=min(latencies_s),
        mean_s=sum(latencies_s) / len(latencies_s),
        max_s=max(latencies_s),
        samples=len(latencies_s),
        histogram=histogram,
    )


def a_segment(
    *results: Result, cell: str = "4k-randwrite", number: int = 0, outcome: Outcome = Outcome.DONE, **changed: object
) -> Segment:
    fields: dict[str, object] = {"started_at_s": 1000.0 + 60 * number, "seconds": 6.0}
    return Segment(cell=cell, round=number, outcome=outcome, results=results, **(fields | changed))  # type: ignore[arg-type]


def a_study(*cells: tuple[Cell, Sequence[float]], name: str = "A", **changed: object) -> Study:
    """A study of cells with the IOPS of their segments."""
    segments = tuple(
        a_segment(a_result(rate), cell=cell.name, number=number)
        for cell, rates in cells
        for number, rate in enumerate(rates)
    )
    fields: dict[str, object] = {"plan": "standard", "target": "a test", "created_at_s": 1000.0, "segments": segments}
    return Study(id=name, cells=tuple(cell for cell, _ in cells), **(fields | changed))  # type: ignore[arg-type]
