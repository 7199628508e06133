"""What a rule may look at: one cell with its telemetry and counters, the whole study, or one imported result."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from radoscope.explain.neighbours import MeasuredDrive, Neighbours
from radoscope.records.conditions import Conditions, Layer, Operation
from radoscope.records.environment import Environment
from radoscope.records.measurement import Result, Series
from radoscope.records.study import Cell, Outcome, Segment, Study
from radoscope.records.telemetry import HOST_CPU, Counter, Quantity
from radoscope.stats.values import CellSummary, Estimate, Interval, LatencySummary, Summaries
from radoscope.units import format_block
from radoscope.words import _

FULL_HOST = 0.9
"""Busy share of a host's CPUs from which on everybody there waits for cores."""


@dataclass(frozen=True, slots=True)
class Sampled:
    """One quantity of one thing over a cell: `name` as recorded ("osd_cpu.3"), the median of its samples."""

    name: str
    value: float

    @property
    def thing(self) -> str:
        """What it belongs to: "3" of "osd_cpu.3"; the whole name where it has no dot."""
        return self.name.partition(".")[2] or self.name


@dataclass(frozen=True, slots=True)
class CellEvidence:
    """One cell: what was asked, what was seen, and what was recorded around it."""

    study: Study
    cell: Cell
    summary: CellSummary | None = None
    summaries: Summaries | None = None

    @property
    def conditions(self) -> Conditions:
        return self.cell.conditions

    @property
    def environment(self) -> Environment:
        return self.study.environment

    @property
    def segments(self) -> tuple[Segment, ...]:
        """Those that ended well."""
        return tuple(s for s in self.study.segments_of(self.cell.name) if s.outcome is Outcome.DONE)

    @property
    def results(self) -> tuple[Result, ...]:
        return tuple(result for segment in self.segments for result in segment.results)

    @property
    def commands(self) -> tuple[tuple[str, ...], ...]:
        return tuple(command for segment in self.segments for command in segment.commands)

    def option(self, name: str) -> tuple[str, ...]:
        """The values of --name=VALUE or --name VALUE in the cell's commands, each once."""
        found = (option_value(command, name) for command in self.commands)
        return tuple(dict.fromkeys(value for value in found if value is not None))

    def series(self, what: Quantity) -> tuple[Series, ...]:
        """All telemetry of this quantity, one series a segment and thing."""
        return tuple(
            series
            for segment in self.segments
            for series in segment.telemetry
            if series.values and what.thing(series.name) is not None
        )

    def readings(self, what: Quantity) -> tuple[Sampled, ...]:
        """The median of each thing's samples over all segments; a median, because segments start and end idle."""
        samples: dict[str, list[float]] = {}
        for series in self.series(what):
            samples.setdefault(series.name, []).extend(series.values)
        return tuple(Sampled(thing, statistics.median(values)) for thing, values in samples.items())

    def highest(self, what: Quantity) -> Sampled | None:
        return max(self.readings(what), key=lambda reading: reading.value, default=None)

    def share_above(self, what: Quantity, limit: float) -> float | None:
        """Share of the samples above the limit, 0 to 1; None where nothing was recorded."""
        values = [value for series in self.series(what) for value in series.values]
        return sum(value > limit for value in values) / len(values) if values else None

    def counted(self, what: Counter) -> tuple[Segment, ...]:
        """The segments around which this counter was read."""
        return tuple(segment for segment in self.segments if what.name in segment.counters)

    def total(self, what: Counter) -> float | None:
        """Sum of a counter's differences over all segments that have it."""
        counted = self.counted(what)
        return sum(segment.counters[what.name] for segment in counted) if counted else None

    @property
    def host_is_full(self) -> bool:
        """Whether a host's CPUs were busy all the time; False where nothing was recorded."""
        busiest = self.highest(HOST_CPU)
        return busiest is not None and busiest.value >= FULL_HOST

    @property
    def on_one_host(self) -> bool:
        """Clients and OSDs share a host, as they always do in a sandbox."""
        return self.study.sandbox is not None or any("+" in host.role for host in self.environment.hosts)

    @property
    def mean_latency(self) -> Estimate | None:
        return _mean_latency(self.summary)

    @property
    def iops(self) -> float | None:
        estimate = self.summary.iops if self.summary else None
        return estimate.value if isinstance(estimate, Estimate) else None

    def round_trip_s(self) -> float | None:
        """The network's mean round trip as this study measured it, in seconds."""
        found = round_trip(self.summaries.cells if self.summaries else ())
        return found[0] if found else None


@dataclass(frozen=True, slots=True)
class StudyEvidence:
    """The whole study: what only shows between cells, and the published drives to compare with."""

    study: Study
    summaries: Summaries
    drives: Sequence[MeasuredDrive] = ()

    @property
    def environment(self) -> Environment:
        return self.study.environment

    def cells(self, layer: Layer | None = None) -> tuple[CellSummary, ...]:
        return tuple(s for s in self.summaries.cells if layer is None or s.cell.conditions.layer is layer)

    def mean_latency(self, summary: CellSummary) -> Estimate | None:
        return _mean_latency(summary)


@dataclass(frozen=True, slots=True)
class ResultEvidence:
    """One imported result, its neighbours in the same text, and what was published elsewhere."""

    result: Result
    number: int
    neighbours: Neighbours
    drives: Sequence[MeasuredDrive] = ()

    @property
    def name(self) -> str:
        return result_name(self.result, self.number)

    @property
    def operation(self) -> Operation | None:
        return Operation(self.result.op) if self.result.op in set(Operation) else None

    @property
    def in_flight(self) -> int | None:
        """I/Os in flight over all jobs, where the text says the depth."""
        if self.result.queue_depth is None:
            return None
        return self.result.queue_depth * (self.result.jobs or 1)

    @property
    def mean_latency_s(self) -> float | None:
        return self.result.latency.mean_s if self.result.latency else None

    def option(self, name: str) -> str | None:
        """One option of the tool, from its output or from the command line beside it."""
        options = self.result.extra.get("options")
        return options.get(name) if isinstance(options, Mapping) else None

    @property
    def engine(self) -> str | None:
        """fio's I/O engine, where the text says it."""
        engine = self.option("ioengine") or self.result.extra.get("ioengine")
        return engine.lower() if engine else None

    @property
    def on_ceph(self) -> bool:
        """Surely I/O to Ceph: by the tool, or by fio's engine."""
        return self.result.tool in ("rados-bench", "rbd-bench") or self.engine in ("rbd", "rados")

    @property
    def is_durable_dd(self) -> bool:
        """dd that waits for the storage after each block."""
        return self.result.tool == "dd" and "sync" in str(self.result.extra.get("oflag", ""))

    @property
    def time_of_a_block_s(self) -> float | None:
        """How long dd took for one block, on average."""
        block, runtime, moved = self.result.block_bytes, self.result.runtime_s, self.result.extra.get("bytes")
        return runtime * block / moved if block and runtime and isinstance(moved, int) and moved >= block else None

    @property
    def size_ratio(self) -> float | None:
        """IOPS times block size over bandwidth: 1 where the three agree."""
        iops, block, bandwidth = rate_of(self.result), self.result.block_bytes, self.result.bandwidth_bytes_per_s
        ratio = iops * block / bandwidth if iops and block and bandwidth else 0.0
        return ratio if 0 < ratio < math.inf else None


_MOST_NAMED = 4


def named_osds(osds: Iterable[object]) -> str:
    """ "osd.1, osd.3", of their numbers; of many the first ones."""
    names = [f"osd.{osd}" for osd in osds]
    return ", ".join(names[:_MOST_NAMED]) + (" ..." if len(names) > _MOST_NAMED else "")


def result_name(result: Result, number: int) -> str:
    """ "result 3 (lines 40-71)": the 1-based number in reading order and where it stands."""
    source = result.source
    if source is None or source.first_line is None:
        return _("result {number}", number=number)
    if source.last_line is None or source.last_line == source.first_line:
        return _("result {number} (line {first_line})", number=number, first_line=source.first_line)
    return _(
        "result {number} (lines {first_line}-{last_line})",
        number=number,
        first_line=source.first_line,
        last_line=source.last_line,
    )


def rate_of(result: Result) -> float | None:
    """I/Os per second; rados bench truncates them to a whole number, its reader also keeps the exact rate."""
    exact = result.extra.get("iops_exact")
    return exact if isinstance(exact, float) else result.iops


def load_of(result: Result) -> str:
    """What ran, in the field's words: "fio randwrite 4K QD1"."""
    block = format_block(result.block_bytes) if result.block_bytes else ""
    depth = f"QD{result.queue_depth}" if result.queue_depth else ""
    jobs = _("x {jobs} jobs", jobs=result.jobs) if (result.jobs or 1) > 1 else ""
    return " ".join(part for part in (result.tool, result.op or "", block, depth, jobs) if part)


def number_in(text: str | None) -> float | None:
    """The number that an option is set to; None where it is set to something else, or to nothing."""
    try:
        return float(text or "")
    except ValueError:
        return None


def option_value(command: Sequence[str], name: str) -> str | None:
    """The value of --name=VALUE or --name VALUE in one argv; None where it is not there."""
    for word, following in zip(command, [*command[1:], ""], strict=True):
        if word.startswith(f"--{name}="):
            return word.partition("=")[2]
        if word == f"--{name}":
            return following
    return None


def ios_of(results: Iterable[Result], *, reading: bool) -> float:
    """I/Os that the clients finished in one direction; from rate and time where the tool printed no count."""
    return sum(_ios(result) for result in results if _reads(result) is reading)


_MORE = 1.15
"""The OSDs also count what was done before a ramp ended and after the clock stopped; the tool does not."""


def most_ios(segment: Segment, in_flight: int) -> float:
    """I/Os that the load can have made while the OSDs counted; the segment's length bounds its ramp."""
    counted = max((result.runtime_s or 0.0 for result in segment.results), default=0.0)
    stretched = _MORE * (max(1.0, segment.seconds / counted) if counted else 1.0)
    ios = ios_of(segment.results, reading=True) + ios_of(segment.results, reading=False)
    return ios * stretched + 2.0 * in_flight


def bytes_of(results: Iterable[Result], *, reading: bool) -> float:
    """Bytes that the clients moved in one direction; results without a block size do not count."""
    return sum(_ios(result) * (result.block_bytes or 0) for result in results if _reads(result) is reading)


def interval_of(estimate: Estimate | None) -> Interval | None:
    return estimate.interval if estimate and isinstance(estimate.interval, Interval) else None


def round_trip(cells: Iterable[CellSummary]) -> tuple[float, str] | None:
    """(seconds of a small packet's round trip, name of its cell); jumbo pings measure something else."""
    for summary in cells:
        asked = summary.cell.conditions
        if asked.op is Operation.RTT and asked.tool == "ping" and (latency := _mean_latency(summary)):
            return latency.value, summary.cell.name
    return None


def _ios(result: Result) -> float:
    if result.total_ios is not None:
        return float(result.total_ios)
    return (result.iops or 0.0) * (result.runtime_s or 0.0)


def _reads(result: Result) -> bool | None:
    if result.op in (Operation.READ, Operation.RANDREAD):
        return True
    return False if result.op in (Operation.WRITE, Operation.RANDWRITE) else None


def _mean_latency(summary: CellSummary | None) -> Estimate | None:
    if summary is None or not isinstance(summary.latency, LatencySummary):
        return None
    return summary.latency.mean_s if isinstance(summary.latency.mean_s, Estimate) else None
