"""Our own bundles: manifest and raw files -> Study. Raw files are the truth: this can be done again at any time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from radoscope import patterns as re
from radoscope.archives.environment import read_environment
from radoscope.errors import StoreError, UnreadableFile
from radoscope.formats.fio import json_report as fio_json
from radoscope.formats.fio import log as fio_log
from radoscope.formats.tools import historic_ops, iperf3, osd_bench, perf_dump, ping, rados_bench, rbd_bench, s3_load
from radoscope.records.manifest import MANIFEST, Manifest, ProcessEntry, SegmentEntry, as_json
from radoscope.records.measurement import Result, Series
from radoscope.records.study import PRECISION, Cell, Outcome, Segment, Study

_OF_ONE_OSD = re.compile(r"osd\.(\d+)\.(\w+)")
_RUNTIME, _JOBS = re.compile(r"--runtime=(\d+)ms"), re.compile(r"--numjobs=(\d+)")
_READERS: Mapping[str, Callable[[str], tuple[Result, ...]]] = {
    "fio_json": fio_json.read,
    "rados_bench": rados_bench.read,
    "rbd_bench": rbd_bench.read_own,
    "iperf3": iperf3.read,
    "ping": ping.read,
    "osd_bench": osd_bench.read_single_writes,
    "s3_load": s3_load.read,
}


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a bundle. Raises StoreError when there is none, or it is damaged."""
    from pydantic import ValidationError  # start-up time: --help must not load pydantic

    path = folder / MANIFEST
    try:
        return as_json().validate_json(path.read_bytes())
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}", "radoscope list shows the studies of this host.") from None
    except ValidationError as error:
        raise StoreError(
            f"{path} is damaged: {error.errors()[0]['msg']}", "Its raw files are still beside it."
        ) from None


def read_study(folder: Path, read: Callable[[Path, SegmentEntry, Cell], Segment] | None = None) -> Study:
    """Read a bundle as a Study; a segment with an unreadable raw file becomes a failed one that says so.

    read: instead of `read_segment`, by one who follows a study and has read most of it already.
    """
    manifest = read_manifest(folder)
    cells = {cell.name: cell for cell in manifest.cells}
    segments = tuple((read or read_segment)(folder, entry, cells[entry.cell]) for entry in manifest.segments)
    return Study(
        id=manifest.id,
        plan=str(manifest.plan.get("name", "")),
        target=manifest.target,
        created_at_s=manifest.created_at_s,
        cells=_measured(manifest),
        segments=segments,
        environment=read_environment(folder, manifest),
        sandbox=manifest.sandbox,
        complete=manifest.complete,
        can_go_on=manifest.said is not None and manifest.rehearses is None,
        radoscope_version=manifest.radoscope_version,
        seconds=manifest.seconds,
        notes=manifest.notes,
        clients=manifest.clients,
        at=manifest.at,
        kind=manifest.kind,
        precision=_precision(manifest),
    )


def _precision(manifest: Manifest) -> float:
    """As the plan asks for it, which the manifest keeps with every value."""
    asked = manifest.plan.get("precision")
    return float(asked) if isinstance(asked, int | float) and 0 < asked < 1 else PRECISION


def _measured(manifest: Manifest) -> tuple[Cell, ...]:
    """The cells of the study; rates that a search did not come to try are none of them."""
    tried = {entry.cell for entry in manifest.segments}
    return tuple(cell for cell in manifest.cells if cell.limit is None or cell.name in tried)


def read_segment(folder: Path, entry: SegmentEntry, cell: Cell) -> Segment:
    """One segment of a bundle with its results."""
    results: list[Result] = []
    problem, outcome = entry.problem, entry.outcome
    for process in entry.processes:
        try:
            results += _results(folder, process, entry.started_at_s)
        except (UnreadableFile, OSError) as error:
            problem = problem or f"{process.output}: {error}"
            outcome = Outcome.FAILED if outcome is Outcome.DONE else outcome
    if outcome is Outcome.DONE and not results:
        outcome, problem = Outcome.FAILED, "the tool printed no result"
    segment = Segment(
        cell=cell.name,
        round=entry.round,
        outcome=outcome,
        started_at_s=entry.started_at_s,
        seconds=entry.seconds,
        commands=tuple(process.argv for process in entry.processes),
        results=tuple(results),
        raw_files=tuple(process.output for process in entry.processes),
        problem=problem,
        disturbed=entry.disturbed,
        host_speed=entry.host_speed,
    )
    return segment if entry.telemetry is None else _watched(segment, folder / entry.telemetry)


def _results(folder: Path, process: ProcessEntry, started_at_s: float) -> Iterator[Result]:
    """What one client process printed: at its exact rate, by the clock of the study's host."""
    text = (folder / process.output).read_text(encoding="utf-8", errors="replace")
    logs = tuple(log for name in process.logs if name.endswith("_iops.1.log") for log in _log(folder / name))
    began_s = process.begun_at_s or started_at_s
    for result in _READERS[process.reader](text):
        iops, bandwidth = _exact(result, process.argv)
        yield replace(
            result,
            iops=iops,
            bandwidth_bytes_per_s=bandwidth,
            series=tuple(_absolute(one, began_s, process.clock_ahead_s) for one in (*result.series, *logs)),
            extra={**result.extra, "towards": process.towards} if process.towards else result.extra,
        )


def _exact(result: Result, argv: tuple[str, ...]) -> tuple[float | None, float | None]:
    """IOPS and bytes/s themselves, where the tool prints something a little else.

    rados bench cuts its IOPS to a whole number. fio divides what it submitted after the ramp by a time that also holds
    the draining of the queue, and its bytes also count what was in flight when the ramp ended: with 16 in flight and
    2 s that made 39.4 and 46.9 a second of a true 42 (fio 3.33). In a steady loop what is submitted in the time that
    was asked for is the rate; it agrees with Little's law. Where an I/O took longer than that time, whole queues were
    submitted or none: then the rate is at most what a queue that is always full makes of the mean latency.
    """
    exact = result.extra.get("iops_exact")
    if isinstance(exact, float):
        return exact, result.bandwidth_bytes_per_s
    asked_s = next((int(found[1]) / 1000 for word in argv if (found := _RUNTIME.fullmatch(word))), None)
    if result.tool != "fio" or asked_s is None or not result.total_ios or not result.runtime_s:
        return result.iops, result.bandwidth_bytes_per_s
    rate = result.total_ios / min(asked_s, result.runtime_s)
    # One of several entries is one job; where fio sums them up, run times that differ hide how many there are.
    jobs = result.jobs or next((int(found[1]) for word in argv if (found := _JOBS.fullmatch(word))), 1)
    latency, in_flight = result.latency, (result.queue_depth or 0) * jobs
    if latency and latency.mean_s and in_flight and (latency.max_s or 0.0) >= asked_s:
        rate = min(rate, in_flight / latency.mean_s)
    return rate, rate * result.block_bytes if result.block_bytes else result.bandwidth_bytes_per_s


def _absolute(series: Series, began_s: float, ahead_s: float) -> Series:
    """By the clock of the study's host. began_s: by it. ahead_s: of the clock of the host that stamped the series."""
    shift = -ahead_s if series.absolute else began_s
    return replace(series, times_s=tuple(shift + time for time in series.times_s), absolute=True)


def _log(path: Path) -> tuple[Series, ...]:
    """fio's log of one process; a run that ended before the first full interval leaves it empty."""
    text = path.read_text(encoding="utf-8", errors="replace")
    return (fio_log.read_series(text, "iops"),) if text.strip() else ()


def _watched(segment: Segment, telemetry: Path) -> Segment:
    """With what was recorded beside it; without, where the file is damaged."""
    from pydantic_core import from_json  # start-up time

    try:
        kept: dict[str, Any] = from_json(telemetry.read_bytes())  # dumps of all OSDs: in half of json's time
        series = tuple(
            Series(one["name"], one["unit"], tuple(one["times_s"]), tuple(one["values"]), True)
            for one in kept["series"]
        )
        if "perf" not in kept:
            counters, osds = _kept_as_differences(kept["counters"])
            return replace(segment, telemetry=series, counters=counters, osd_counters=osds)
        osds = perf_dump.changes(kept["perf"]["before"], kept["perf"]["after"])
        slowest = historic_ops.read(kept.get("slowest", {}))
        return replace(segment, telemetry=series, counters=perf_dump.pooled(osds), osd_counters=osds, slowest=slowest)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return segment


def _kept_as_differences(counters: Mapping[str, float]) -> tuple[Mapping[str, float], Mapping[int, perf_dump.Changes]]:
    """Bundles of radoscope 0.1 hold no dumps, only what changed between them: pooled, and as osd.3.op_w_latency_s."""
    osds = defaultdict[int, perf_dump.Changes](dict)
    for name, value in counters.items():
        if found := _OF_ONE_OSD.fullmatch(name):
            osds[int(found[1])][f"osd.{found[2]}"] = float(value)
    return {name: float(value) for name, value in counters.items() if not _OF_ONE_OSD.fullmatch(name)}, osds
