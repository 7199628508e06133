"""The fields of a result for machines: one table of names, units and meanings for every form in which it leaves.

`name` is the field of `radoscope export` and of all JSON, in base units. `exchanged` is the field of the exchange
format `radoscope-result/1`, which `radoscope import --json` prints; its latencies are in ns.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from radoscope.records.measurement import PERCENTILES, Latency, Result

Plain = str | int | float | None


@dataclass(frozen=True, slots=True)
class ResultField:
    """One field. unit: of `name`, empty for names. factor: what turns it into the exchanged one."""

    name: str
    unit: str
    meaning: str
    read: Callable[[Result], Plain]
    exchanged: str = ""
    factor: float = 1.0


def latency_field(percent: float | None, of: str = "latency") -> str:
    """99.9 -> "latency_p999_s", None -> "latency_mean_s". of: "latency", "sync"."""
    return f"{of}_mean_s" if percent is None else f"{of}_p{percent:g}_s".replace(".", "")


PERCENT_OF = {latency_field(percent): percent for percent in PERCENTILES}
"""The field of each percentile that cells report -> percent."""


def latency_of(result: Result) -> Latency | None:
    """The total latency, and where a tool prints none, completion's."""
    return result.latency or result.completion


def points_of(result: Result) -> dict[float, float]:
    """Percent -> seconds: of completion where fio prints it, as it does by default, else of the total."""
    for latency in (result.completion, result.latency):
        if latency is not None and latency.percentiles_s:
            return dict(latency.percentiles_s)
    return {}


def _of_latency(name: str) -> Callable[[Result], Plain]:
    return lambda result: getattr(latency_of(result), name, None)


def _point(percent: float) -> Callable[[Result], Plain]:
    return lambda result: points_of(result).get(percent)


_NS = 1e9
RESULT_FIELDS: tuple[ResultField, ...] = (
    ResultField("tool", "", "the program, or `table`", lambda r: r.tool, "tool"),
    ResultField("op", "", "read, write (sequential), randread, randwrite, rw, randrw, send, recv, rtt", lambda r: r.op,
                "op"),
    ResultField("block_bytes", "bytes", "size of one I/O", lambda r: r.block_bytes, "block_bytes"),
    ResultField("queue_depth", "1", "I/Os in flight of one job", lambda r: r.queue_depth, "queue_depth"),
    ResultField("jobs", "1", "processes or threads", lambda r: r.jobs, "jobs"),
    ResultField("iops", "1/s", "I/Os a second", lambda r: r.iops, "iops"),
    ResultField("bandwidth_bytes_per_s", "bytes/s", "bytes a second", lambda r: r.bandwidth_bytes_per_s,
                "bw_bytes_per_s"),
    ResultField("latency_mean_s", "s", "mean latency of an I/O; of completion where no total is printed",
                _of_latency("mean_s"), "lat_mean_ns", _NS),
    ResultField("latency_p50_s", "s", "median; percentiles are of completion where fio prints it", _point(50.0),
                "lat_p50_ns", _NS),
    ResultField("latency_p99_s", "s", "99th percentile", _point(99.0), "lat_p99_ns", _NS),
    ResultField("latency_p999_s", "s", "99.9th percentile", _point(99.9), "lat_p999_ns", _NS),
    ResultField("latency_max_s", "s", "the longest", _of_latency("max_s")),
    ResultField("sync_mean_s", "s", "mean latency of fsync or fdatasync", lambda r: r.sync.mean_s if r.sync else None,
                "sync_mean_ns", _NS),
    ResultField("total_ios", "1", "I/Os done", lambda r: r.total_ios, "total_ios"),
    ResultField("runtime_s", "s", "time measured", lambda r: r.runtime_s, "runtime_s"),
    ResultField("first_line", "", "where an imported result begins in its text, from 1",
                lambda r: r.source.first_line if r.source else None),
    ResultField("last_line", "", "where it ends", lambda r: r.source.last_line if r.source else None),
)  # fmt: skip
