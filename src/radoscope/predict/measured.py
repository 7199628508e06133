"""What was measured, as what the model knows: disk and network cells become facts, RADOS and RBD cells known rates."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from radoscope.predict.facts import Facts
from radoscope.predict.outlook import Known
from radoscope.records.conditions import Conditions, Layer, Operation, Sync
from radoscope.records.study import Study
from radoscope.stats.values import CellSummary, Estimate, Summaries

LARGE = 262144
PROTECTED_IOPS = 4000.0
"""Durable writes a second from which on a drive must have power-loss protection."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A cell that has a rate. rate: operations per second; bytes per second of a line, round trips per second of
    ping."""

    name: str
    load: Conditions
    rate: float


def measured_cells(summaries: Summaries) -> tuple[Seen, ...]:
    """Closed loops only: an open loop's rate is what was asked for, not what the cluster can do."""
    rates = ((one.cell, _rate(one)) for one in summaries.cells)
    return tuple(
        Seen(cell.name, cell.conditions, rate) for cell, rate in rates if rate and not cell.conditions.rate_iops
    )


def _rate(summary: CellSummary) -> float | None:
    load = summary.cell.conditions
    if load.layer is Layer.NETWORK and load.op is Operation.RTT:
        mean = getattr(summary.latency, "mean_s", None)
        return 1 / mean.value if isinstance(mean, Estimate) and mean.value > 0 else None
    seen = summary.bandwidth_bytes_per_s if load.layer is Layer.NETWORK else summary.iops
    return seen.value if isinstance(seen, Estimate) else None


def with_lower_layers(facts: Facts, seen: Iterable[Seen]) -> tuple[Facts, tuple[str, ...]]:
    """(facts with the disk's and the network's own figures in place of defaults, these in words)."""
    words = []
    for cell in seen:
        told = _told(cell)
        if told:
            facts = replace(facts, **told[0])
            words.append(f"{told[1]} ({cell.name})")
    return facts, tuple(words)


def _told(cell: Seen) -> tuple[dict[str, Any], str] | None:
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


def known_rates(facts: Facts, seen: Iterable[Seen]) -> tuple[Known, ...]:
    """The RADOS and RBD cells, each with the facts of its load, from the lowest layer up."""
    above = [cell for cell in seen if cell.load.layer in (Layer.RADOS, Layer.RBD)]
    return tuple(Known(cell.name, under_load(facts, cell.load), cell.rate) for cell in sorted(above, key=_height))


def _height(cell: Seen) -> tuple[bool, int, int]:
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


def facts_of(study: Study) -> tuple[Facts, tuple[str, ...]]:
    """(what the captured environment says about the cluster, what it lacks in words)."""
    cluster = study.environment.cluster
    pool = cluster.pool if cluster else None
    storage = [host for host in study.environment.hosts if "osd" in host.role] or list(study.environment.hosts)
    threads = storage[0].cpu_threads if storage else None
    hosts = (cluster.hosts if cluster else None) or 1
    osds = (cluster.osds_up or cluster.osds if cluster else None) or 1
    version = cluster.version if cluster else None
    sharing = hosts if study.sandbox else 1  # the hosts of a sandbox are one machine
    facts = Facts(
        ceph_version=version.removeprefix("ceph version ") if version else None,
        nodes=hosts,
        osds_per_node=osds / hosts,
        osd_devices_per_node=1.0 if study.sandbox else osds / hosts,  # a sandbox's OSDs share one disk
        cpu_model=storage[0].cpu_model if storage else None,
        cores_per_node=threads / 2 / sharing if threads else None,
        pool_size=pool.size if pool and not pool.erasure_profile else None,
        ec_profile=pool.erasure_profile if pool else None,
        pg_num=pool.pg_num if pool else None,
        hyperconverged=hosts == 1 or (bool(study.sandbox) and hosts < 2),
        osd_device_class=_device_class(study),
    )
    return facts, () if cluster else ("the cluster's description was not captured",)


def _device_class(study: Study) -> str | None:
    spinning = {device.rotational for device in study.environment.devices if "osd" in device.used_for}
    if spinning == {True}:
        return "hdd"
    return "nvme" if spinning == {False} else None
