"""What was measured, as what the model knows: disk and network cells become facts, RADOS and RBD cells known rates."""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from radoscope.catalogue import match_drive
from radoscope.predict.constants import priors
from radoscope.predict.defaults import flushes
from radoscope.predict.facts import Facts
from radoscope.predict.outlook import Known
from radoscope.records.conditions import Conditions, Layer, Operation, Sync
from radoscope.records.environment import HostFacts
from radoscope.records.study import Study
from radoscope.records.telemetry import KV_FLUSH_LAT, READ_WAIT_AIO_LAT, STRANGERS_CPU, Counter
from radoscope.stats.values import CellSummary, Estimate, Summaries

LARGE = 262144
MORE_THAN_A_LINE = 1.25
"""A short cell may come out above its line: a shaped queue lets a burst pass, and what was sent before it began counts.
Two cables as one carry more than this."""
PROTECTED_IOPS = 4000.0
"""Durable writes a second from which on a drive must have power-loss protection."""


@dataclass(frozen=True, slots=True)
class CellRate:
    """A cell that has a rate. rate: operations per second; bytes per second of a line, round trips per second of
    ping. error: how far it may be off itself, as a standard deviation in ln."""

    name: str
    load: Conditions
    rate: float
    error: float = 0.0


def measured_cells(summaries: Summaries) -> tuple[CellRate, ...]:
    """Closed loops of a known depth: an open loop's rate is what was asked for, and what a queue of unknown depth gives
    says nothing of the cluster."""
    rates = ((one.cell, _rate(one)) for one in summaries.cells)
    return tuple(  # error: of a 95 % interval; 0 where there is none, at most 1
        CellRate(cell.name, cell.conditions, seen.value, min(1.0, (seen.relative_half_width or 0.0) / 1.96))
        for cell, seen in rates
        if seen and seen.value > 0 and not cell.conditions.rate_iops
        if cell.conditions.depth_told or cell.conditions.layer is Layer.NETWORK
    )


def _rate(summary: CellSummary) -> Estimate | None:
    load = summary.cell.conditions
    if load.layer is Layer.NETWORK and load.op is Operation.RTT:
        mean = getattr(summary.latency, "mean_s", None)
        return Estimate(1 / mean.value, mean.interval) if isinstance(mean, Estimate) and mean.value > 0 else None
    seen = summary.bandwidth_bytes_per_s if load.layer is Layer.NETWORK else summary.iops
    return seen if isinstance(seen, Estimate) else None


def with_lower_layers(facts: Facts, seen: Iterable[CellRate]) -> tuple[Facts, tuple[str, ...]]:
    """(facts with the disk's and the network's own figures in place of defaults, these in words)."""
    words = []
    for cell in seen:
        told = _told(cell)
        if told:
            facts = replace(facts, **told[0])
            words.append(f"{told[1]} ({cell.name})")
    return facts, tuple(words)


def _told(cell: CellRate) -> tuple[dict[str, Any], str] | None:
    load, rate = cell.load, cell.rate
    if load.layer is Layer.NETWORK:
        if load.op is Operation.RTT:
            return {"rtt_us": 1e6 / rate}, f"round trip {1e6 / rate:.0f} µs"
        return {"network_Gbps": rate * 8e-9}, f"line {rate * 8e-9:.1f} Gbit/s"
    if load.layer is not Layer.DISK:
        return None
    block = load.block_bytes or 0
    if block >= LARGE:
        name = "write" if load.op.writes else "read"
        return {f"device_seq_{name}_MBps": rate * block / 1e6}, f"large {name}s {rate * block / 1e6:.0f} MB/s"
    if block > 16384:
        return None
    if load.in_flight > 1:
        name = "write" if load.op.writes else "read"
        deep = not (load.op.writes and load.op.reads) and load.sync is Sync.NONE and load.in_flight >= 16
        return ({f"device_4k_rand{name}_iops": rate}, f"random {name}s {rate:,.0f}/s") if deep else None
    if load.op.writes and load.sync is not Sync.NONE:
        protected = {"device_4k_sync_write_iops": rate, "device_plp": rate > PROTECTED_IOPS}
        return protected, f"durable write {1e6 / rate:.0f} µs"
    if load.op.reads and not load.op.writes:
        return {"device_read_latency_us": 1e6 / rate}, f"read {1e6 / rate:.0f} µs"
    return None


def known_rates(facts: Facts, seen: Iterable[CellRate]) -> tuple[Known, ...]:
    """The RADOS and RBD cells, each with the facts of its load, from the lowest layer up."""
    above = [cell for cell in seen if cell.load.layer in (Layer.RADOS, Layer.RBD)]
    return tuple(
        Known(cell.name, under_load(facts, cell.load), cell.rate, cell.error) for cell in sorted(above, key=_height)
    )


def _height(cell: CellRate) -> tuple[bool, int, int]:
    """RADOS before RBD, shallow before deep, small before large."""
    return (cell.load.layer is Layer.RBD, cell.load.in_flight, cell.load.block_bytes or 0)


def under_load(facts: Facts, load: Conditions) -> Facts:
    """The cluster under a cell's load. A pool pinned to one OSD or host is a smaller cluster with one copy."""
    mixed = load.op.reads and load.op.writes
    direction = "read" if load.op.reads else "write"
    kind = "seq" if load.op in (Operation.READ, Operation.WRITE) else "rand"
    if load.pinned:
        facts = replace(facts, pool_size=1, ec_profile=None, pg_num=None)
    if load.pinned in ("osd", "host"):
        facts = replace(facts, nodes=1)
    if load.pinned == "osd":
        facts = replace(facts, osds_per_node=1.0, osd_devices_per_node=1.0)
    access = facts.access if load.layer is Layer.RBD else "rados_bench"
    return replace(
        facts,
        op="mixed" if mixed else f"{kind}_{direction}",
        read_fraction=0.5 if mixed else None,
        block_bytes=load.block_bytes or 4 << 20,
        queue_depth=float(load.in_flight / load.processes),
        clients=float(load.processes),
        client_hosts=float(load.client_hosts),
        access=access,
    )


def facts_of(study: Study, seen: Sequence[CellRate] = ()) -> tuple[Facts, tuple[str, ...]]:
    """(what the captured environment and the OSDs' counters say about the cluster, what it lacks in words).

    seen: measured cells. A line that carried more than hosts say it can (two cables as one) is left open.
    """
    cluster = study.environment.cluster
    pool = cluster.pool if cluster else None
    storage = [host for host in study.environment.hosts if "osd" in host.role] or list(study.environment.hosts)
    host = storage[0] if storage else None
    threads = host.cpu_threads if host else None
    hosts = (cluster.hosts if cluster else None) or 1
    osds = (cluster.osds_up or cluster.osds if cluster else None) or 1
    version = cluster.version if cluster else None
    sharing = hosts if study.sandbox else 1  # the hosts of a sandbox are one machine
    flush_s = _waited_s(study, KV_FLUSH_LAT, writes=True)
    read_s = _waited_s(study, READ_WAIT_AIO_LAT, writes=False)
    facts = Facts(
        ceph_version=version.removeprefix("ceph version ") if version else None,
        nodes=hosts,
        osds_per_node=osds / hosts,
        osd_devices_per_node=1.0 if study.sandbox else osds / hosts,  # a sandbox's OSDs share one disk
        osd_device_model=None if study.sandbox else _drive_model(study),
        cpu_model=host.cpu_model if host else None,
        cores_per_node=threads / (sharing if study.sandbox else 2) if threads else None,  # OSDs there take turns
        ram_GB_per_node=host.memory_bytes / sharing / 1e9 if host and host.memory_bytes else None,
        power_saving=_sleeps(host) if host else None,
        pool_size=pool.size if pool and not pool.erasure_profile else None,
        ec_profile=pool.erasure_profile if pool else None,
        pg_num=pool.pg_num if pool else None,
        hyperconverged=hosts == 1,
        one_machine=bool(study.sandbox),
        cpu_taken=_taken_cores(study) / threads if threads and study.sandbox else None,
        rtt_us=_shaped_round_trip_us(study),
        osd_device_class="hdd" if study.sandbox and (read_s or 0.0) > TURNING_S else _device_class(study),
        device_4k_sync_write_iops=1 / flush_s if flush_s else None,
        device_read_latency_us=read_s * 1e6 if read_s else None,
    )
    line = _line_Gbps(study, hosts)
    if line and not any(_carried_Gbps(one) > MORE_THAN_A_LINE * line for one in seen):
        facts = replace(facts, network_Gbps=line)
    return facts, () if cluster else ("the cluster's description was not captured",)


def _taken_cores(study: Study) -> float:
    """Hardware threads of a sandbox's machine that others kept busy, up to nine of ten; elsewhere nobody counts them
    where OSDs run."""
    seen = [
        value
        for segment in study.segments
        for series in segment.telemetry
        if STRANGERS_CPU.thing(series.name) is not None
        for value in series.values
    ]
    most = 0.9 * min((host.cpu_threads or 0 for host in study.environment.hosts), default=0)
    return min(statistics.fmean(seen), most) if study.sandbox and seen else 0.0


def _line_Gbps(study: Study, hosts: int) -> float | None:
    """The slowest host's fastest line, as its kernel or its shaped queue says; None where none says, and where all
    is on one machine: what stays on it crosses no line."""
    if hosts == 1 and (study.sandbox or not study.clients):
        return None
    fastest: dict[str, float] = {}
    for link in study.environment.links:
        if link.bits_per_s:
            fastest[link.host] = max(fastest.get(link.host, 0.0), link.bits_per_s)
    return min(fastest.values()) / 1e9 if fastest else None


def _shaped_round_trip_us(study: Study) -> float | None:
    """What `sandbox up` measured between its hosts, as its note in the study says: its links have no cards, so that
    their speed moves no round trip."""
    for note in study.notes:
        found = re.search(r"round trip \S+ -> \S+: ([\d.]+) ?(µs|ms)", note)
        if found:
            return float(found[1]) * {"µs": 1.0, "ms": 1e3}[found[2]]
    return None


def _carried_Gbps(cell: CellRate) -> float:
    """What one client host received, or sent, in a cell of large blocks."""
    load = cell.load
    if load.layer not in (Layer.RADOS, Layer.RBD) or load.pinned or (load.block_bytes or 0) < LARGE:
        return 0.0
    return cell.rate * (load.block_bytes or 0) * 8e-9 / load.client_hosts


TURNING_S = 3e-3
"""Only a disk that turns takes longer for one small read alone; a sandbox's model of one does not say that it does."""
DEEP_SLEEP_S, LIGHT_SLEEP_S = 50e-6, 20e-6
"""A processor that may sleep so deep that it needs this long to wake saves power; one that may not, does not."""


def _sleeps(host: HostFacts) -> bool | None:
    deepest = host.deepest_cstate_latency_s
    if deepest is None or LIGHT_SLEEP_S < deepest < DEEP_SLEEP_S:
        return None
    return deepest >= DEEP_SLEEP_S


def _drive_model(study: Study) -> str | None:
    """The model of the OSDs' drives, where all are of one that the catalogue has."""
    models = {device.model for device in study.environment.devices if "osd" in device.used_for}
    model = models.pop() if len(models) == 1 else None
    return model if model and match_drive(model) else None


def _one_small(load: Conditions, *, writes: bool) -> bool:
    alone = load.in_flight == 1 and (load.block_bytes or LARGE) < LARGE
    return alone and load.op.writes is writes and load.op.reads is not writes


def _waited_s(study: Study, counter: Counter, *, writes: bool) -> float | None:
    """Seconds that OSDs waited for a drive, each time, in cells of one small read or write at a time; None where nobody
    watched them. (A flush of 1.85 ms on a busy machine where fio's own test of the drive said 1.81.)"""
    cells = (cell.name for cell in study.cells if _one_small(cell.conditions, writes=writes))
    timed = [seconds for seconds in (_waited_in(study, counter, cell) for cell in cells) if seconds]
    return statistics.median(timed) if timed else None


FEW = 10.0
"""Waits in a segment from which on their mean counts: a cell that reads from caches waits for cold metadata alone."""


def _waited_in(study: Study, counter: Counter, cell: str) -> float | None:
    seen = (one.counters for one in study.segments if one.cell == cell)
    timed = [one[counter.name] for one in seen if one.get(counter.name) and one.get(counter.events, FEW) >= FEW]
    return statistics.median(timed) if timed else None


BUSY = 1.5
"""Large reads that wait at each drive at any time, on average, from which on the drives set the rate."""


def with_busy_drives(facts: Facts, study: Study, seen: Iterable[CellRate]) -> Facts:
    """The facts with the large reads that drives deliver, where the OSDs' counters say that reads wait there
    all the time: fragments, or a fixed time for each request, make of a data sheet's figure a small part."""
    drives = (facts.nodes or 1) * (facts.osd_devices_per_node or 1.0)
    delivered = [
        cell.rate * (cell.load.block_bytes or 0) / drives
        for cell in seen
        if cell.load.layer in (Layer.RADOS, Layer.RBD)
        and cell.load.op.reads
        and not (cell.load.op.writes or cell.load.pinned)
        and (cell.load.block_bytes or 0) >= LARGE
        and cell.rate * (_waited_in(study, READ_WAIT_AIO_LAT, cell.name) or 0.0) >= BUSY * drives
    ]
    if not delivered:
        return facts
    share = priors()["disk_share" if facts.osd_device_class == "hdd" else "device_share"].median
    return replace(facts, device_seq_read_MBps=max(delivered) / share / 1e6)


INSTANT_IOPS = 1e6
LEAST_SHARE, SPLIT = 0.1, 0.1
"""What is left of a write without its flushes is taken for known if it is this share at least; and how far that may be
off, in ln, beside the error of the cell."""


def without_flushes(study: Study, known: Iterable[Known]) -> tuple[Known, ...]:
    """One small write at a time as it would be on drives that flush at once: the OSDs' counters tell how much of its
    latency is the drive's. So a slow cell is not taken for a slow drive where software is slow, nor the other way."""
    alone = {cell.name for cell in study.cells if _one_small(cell.conditions, writes=True)}
    found = []
    for one in known:
        rest = 1 - (_waited_in(study, KV_FLUSH_LAT, one.name) or 0.0) * flushes(one.facts) * one.iops
        if one.name in alone and LEAST_SHARE < rest < 1:
            instant = replace(one.facts, device_4k_sync_write_iops=INSTANT_IOPS)
            error = math.hypot(SPLIT * (1 - rest), one.error) / rest
            found.append(Known(f"{one.name} without flushes", instant, one.iops / rest, error, one.facts))
    return tuple(found)


def _device_class(study: Study) -> str | None:
    spinning = {device.rotational for device in study.environment.devices if "osd" in device.used_for}
    if spinning == {True}:
        return "hdd"
    return "nvme" if spinning == {False} else None
