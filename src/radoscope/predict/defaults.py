"""Facts -> setting: what is not given is taken from the catalogue, else from a default of its class, and named so."""

from __future__ import annotations

import math
import re
from dataclasses import replace

from radoscope.catalogue import Processor, find_processor, match_drive, sockets
from radoscope.errors import PlanError
from radoscope.predict.drive_defaults import Filled, drive_class, drive_figures, looks_like_datacentre
from radoscope.predict.facts import Facts, erasure_shape, release
from radoscope.predict.setting import REFERENCE_SPEED, Setting

GBPS = 1e9 / 8
LOOPBACK_BPS = 6e9
"""Bytes per second between processes of one host; far above what an OSD moves."""

CLOCK_POWER = 0.7
"""Operations per second grow as speed to this power: waiting for memory does not shrink with the clock. Chosen out of
laboratory (0.6 and 0.8 are as good, 1 is worse)."""

USUAL_GHZ = 2.8
NEAR_US, ASLEEP_US = 300.0, 800.0
"""Published pings are of idle hosts that sleep between them, and traffic keeps them awake: up to 1.1 ms no more than
0.3 is believed, and what lies above that is distance."""
OSD_MEMORY_GB = 4.0
"""osd_memory_target: what an OSD takes for its caches where the host has it."""

VIRTUAL = re.compile(r"vcpu|\bvms?\b|virtual|cloud|\bebs\b|nested", re.IGNORECASE)
"""Words by which people say that the OSDs' hosts are virtual machines."""


def fill(facts: Facts) -> tuple[Setting, tuple[str, ...]]:
    """Facts -> (setting, what was assumed, as "name=value"). Raises PlanError where the load cannot be told."""
    filled = Filled()
    if facts.op is None:
        raise PlanError("the operation is not stated", "Set op to seq_read, seq_write, rand_read, rand_write or mixed.")
    device, plp = drive_class(facts, filled)
    drive = match_drive(facts.osd_device_model) if facts.osd_device_model else None
    shape = _shape(facts, device, plp, filled)
    if facts.whole_cluster:
        facts = replace(facts, clients=shape["nodes"], client_hosts=shape["nodes"])
    load = _load(facts, filled)
    figures = drive_figures(facts, device, plp, drive, filled)
    compute = _compute(facts, shape, filled)
    lines = _lines(facts, shape, device, plp, filled)
    setting = Setting(**shape, **load, **figures, **compute, **lines, **_software(facts, filled))
    return setting, tuple(filled.assumed)


def settled(facts: Facts) -> Facts:
    """The facts with what was assumed written down, but for the line, so that a change of one fact does not move
    what is assumed of others."""
    setting, _ = fill(facts)
    osds, devices = setting.osds / setting.nodes, setting.devices / setting.nodes
    kind = drive_class(facts, Filled())
    return replace(
        facts,
        nodes=round(setting.nodes),
        osds_per_node=osds,
        osd_devices_per_node=devices,
        osd_device_class=kind[0],
        device_plp=kind[1],
        pool_size=None if facts.ec_profile else round(setting.width),
        hyperconverged=bool(setting.hyperconverged),
        cores_per_node=setting.threads_per_host / 2 / (1 - (facts.cpu_taken or 0.0)),
        cpu_GHz=facts.cpu_GHz or (None if find_processor(facts.cpu_model) else USUAL_GHZ),
        clients=None if facts.whole_cluster else setting.clients,
        client_hosts=None if facts.whole_cluster else setting.client_hosts,
        queue_depth=setting.in_flight / setting.clients,
        ceph_version=facts.ceph_version or f"{release(None, facts.year):g}",
    )


def _shape(facts: Facts, device: str, plp: bool, filled: Filled) -> dict[str, float]:
    nodes = filled.take("nodes", facts.nodes, 4 if plp and device == "nvme" else 3)
    devices = facts.osd_devices_per_node or facts.osds_per_node
    usual = {"hdd": 8, "optane": 2}.get(device, 6 if plp and looks_like_datacentre(facts) else 1)
    devices = filled.take("osd_devices_per_node", devices, usual)
    osds = nodes * (facts.osds_per_node or devices * _usual_split(facts, device, plp))
    if facts.ec_profile:
        k, m = erasure_shape(facts.ec_profile)
    else:
        k, m = 1, int(filled.take("pool_size", facts.pool_size, min(3, max(1, osds)))) - 1
    hyper = facts.hyperconverged
    if hyper is None:
        one_machine = nodes == 1 and not facts.network_Gbps  # a test rig: nobody speaks of a network
        hyper = (facts.client_hosts or 1) <= 1 and (one_machine or not looks_like_datacentre(facts))
        filled.assumed.append(f"hyperconverged={str(hyper).lower()}")
    one_host = float(nodes == 1 and hyper)
    return {
        "nodes": nodes,
        "osds": osds,
        "devices": nodes * devices,
        "width": float(k + m),
        "shards_k": float(k),
        "stripe": _stripe_unit(facts) * k,
        "erasure": float(facts.ec_profile is not None),
        "hyperconverged": float(hyper),
        "guests": float(hyper or bool(facts.one_machine)),
        "local": (1 / nodes if hyper else 0.0),
        "one_host": one_host,
        "alone": float(osds == 1),
        "pgs_per_osd": _placement_groups(facts, osds, k + m),
        "starved": max(1.0, OSD_MEMORY_GB * osds / nodes / facts.ram_GB_per_node) if facts.ram_GB_per_node else 1.0,
    }


def _stripe_unit(facts: Facts) -> float:
    """Bytes of one data shard in a stripe: "(16K unit)" where the profile says so; 4 KiB, 16 KiB since Tentacle."""
    said = re.search(r"(\d+)\s*K(?:i?B)?\s*(?:stripe\s*)?unit", facts.ec_profile or "", re.IGNORECASE)
    if said:
        return float(said[1]) * 1024
    return 16384.0 if release(facts.ceph_version, facts.year) >= 20 else 4096.0


def _usual_split(facts: Facts, device: str, plp: bool) -> int:
    """OSDs per drive where a page states the drives alone: servers of the years before Pacific ran two on an NVMe."""
    fast = device in ("nvme", "optane") and plp and looks_like_datacentre(facts)
    return 2 if fast and facts.osd_devices_per_node and release(facts.ceph_version, facts.year) < 16 else 1


def _placement_groups(facts: Facts, osds: float, width: int) -> float:
    """PGs with a copy on each OSD; 100, the autoscaler's aim, where not said."""
    count = facts.pg_num or _groups_said(facts.variant or "")
    return count * width / osds if count else 100.0


def _groups_said(remark: str) -> int | None:
    """ "PG count 1024", "pg_num = 512", "256 PGs", "256K PGs, 8 shards" -> the number of groups."""
    before = re.search(r"\b(\d+)\s*(k?)\s*pgs?\b", remark, re.IGNORECASE)
    after = re.search(r"\bpg(?:_num|s| count)?\s*[:=]?\s*(\d+)(k?)\b", remark, re.IGNORECASE)
    found = before or after
    return int(found[1]) * (1024 if found[2] else 1) if found else None


def _load(facts: Facts, filled: Filled) -> dict[str, float]:
    op = str(facts.op)
    share = {"seq_read": 1.0, "rand_read": 1.0, "seq_write": 0.0, "rand_write": 0.0}.get(op)
    if share is None:
        share = filled.take("read_fraction", facts.read_fraction, 0.7)  # the mix of most benchmarks that have one
    block = filled.take("block_bytes", facts.block_bytes, 4 << 20 if op.startswith("seq") else 4096)
    hosts = facts.client_hosts
    clients = filled.take("clients", facts.clients, _usual_clients(facts))
    depth = filled.take("queue_depth", facts.queue_depth, _usual_depth(facts, block, clients))
    if facts.access == "krbd_fio":
        depth = min(depth, 128.0)  # the kernel client's default queue_depth
    if re.search(r"\bIDE\b", facts.variant or ""):
        depth = 1.0  # an emulated IDE disk has no queue (ceph.io qemu-librbd: 2,484 IOPS at depth 128)
    many = max(8, facts.nodes or 0)  # whoever loads a large cluster brings about as many hosts
    hosts = filled.take("client_hosts", hosts, 1 if clients <= 4 else min(many, clients / 4))
    return {
        "block": block,
        "read_share": share,
        "sequential": float(op.startswith("seq")),
        "clients": clients,
        "client_hosts": min(hosts, clients),
        "in_flight": clients * depth,
    }


def _usual_clients(facts: Facts) -> float:
    """One where it looks like somebody's own host; one an OSD where it looks like a benchmark of servers."""
    if facts.client_hosts is not None:
        return 1 if facts.client_hosts <= 1 else 8 * facts.client_hosts
    if facts.nodes is None or not looks_like_datacentre(facts):
        return 1
    if facts.queue_depth == 1:
        return 2 * facts.nodes
    return max(6.0, facts.osds_per_node or facts.osd_devices_per_node or 6.0) * facts.nodes


def _usual_depth(facts: Facts, block: float, clients: float) -> float:
    """fio's own default, 1, is what most people measure in a VM; benchmarks of servers run deep."""
    if facts.access == "rgw_s3":
        return 1
    if facts.access == "vm_fio" and clients <= 4:
        return 4 if block >= 65536 and facts.op == "seq_write" else 1  # a guest writes large blocks behind
    if block >= 65536:
        return 16
    if clients > 1:
        return 32
    return 64 if looks_like_datacentre(facts) else 16


def _compute(facts: Facts, shape: dict[str, float], filled: Filled) -> dict[str, float]:
    processor = find_processor(facts.cpu_model)
    cores = facts.cores_per_node
    if cores is None and processor and processor.cores:
        shared = re.search(r"shared by (\d+)", facts.cpu_model or "")
        cores = processor.cores * sockets(facts.cpu_model) / (int(shared[1]) if shared else 1)
        filled.assumed.append(f"cores_per_node={cores:g} (by processor family)")
    cores = filled.take("cores_per_node", cores, _usual_cores(facts, shape))
    threads = facts.osd_cpu_threads_per_node or 2 * cores
    osds_per_node = shape["osds"] / shape["nodes"]
    taken = facts.cpu_taken or 0.0
    threads *= 1 - taken
    together = cores * (shape["nodes"] if facts.one_machine else 1)
    return {
        "speed": _speed(facts, processor, filled),
        "turns": 1 / (1 - taken ** max(1.0, together)),  # all of them are seldom busy at once, but for few
        "virtual": float(bool(VIRTUAL.search(f"{facts.cpu_model} {facts.osd_device_model}"))),
        "two_sockets": float(sockets(facts.cpu_model) > 1),
        "threads_per_osd": threads / osds_per_node,
        "threads_per_host": 2 * cores * (1 - taken),
    }


def _usual_cores(facts: Facts, shape: dict[str, float]) -> float:
    """Servers are bought with two to six cores a drive; desktops come as they are."""
    if not looks_like_datacentre(facts):
        return 8
    return min(64.0, max(16.0, 5 * shape["devices"] / shape["nodes"]))


def _speed(facts: Facts, processor: Processor | None, filled: Filled) -> float:
    """GHz x work per cycle. A stated clock is mostly the base, the family's the sustained one: the mean of both."""
    if processor is None:
        ghz = filled.take("cpu_GHz", facts.cpu_GHz, USUAL_GHZ)
        return _effective(ghz * 1.1)
    ghz = math.sqrt(facts.cpu_GHz * processor.ghz) if facts.cpu_GHz else processor.ghz
    return _effective(ghz * processor.ipc)


def _effective(speed: float) -> float:
    """Printed speed -> the speed that operations per second go by."""
    return float(REFERENCE_SPEED * (speed / REFERENCE_SPEED) ** CLOCK_POWER)


def _lines(facts: Facts, shape: dict[str, float], device: str, plp: bool, filled: Filled) -> dict[str, float]:
    public = facts.network_Gbps
    if public is None and shape["one_host"]:
        public = LOOPBACK_BPS / GBPS
    if public is None and facts.cluster_network_Gbps is not None:
        public = facts.cluster_network_Gbps
    usual = 10.0 if device in ("hdd", "sata_ssd") or not plp else (25.0 if (facts.year or 2020) >= 2019 else 10.0)
    public_bps = filled.take("network_Gbps", public, usual) * GBPS
    cluster_bps = (facts.cluster_network_Gbps or public_bps / GBPS) * GBPS
    client = facts.client_network_Gbps
    near = 60.0 if public_bps >= 25 * GBPS else 100.0 if public_bps >= 10 * GBPS else 200.0
    trip = 20.0 if shape["one_host"] else near
    pinged = filled.take("rtt_us", facts.rtt_us, trip)
    rtt = max(min(pinged, NEAR_US), pinged - ASLEEP_US)
    return {
        "client_bps": client * GBPS if client else public_bps,
        "public_bps": public_bps,
        "cluster_bps": cluster_bps,
        "rtt": rtt * 1e-6,
    }


def flushes(facts: Facts) -> float:
    """How often the drive is flushed for one small commit: data, RocksDB's log, BlueFS's log; see docs/model.md."""
    if facts.backend == "filestore":
        return 1.0
    return 2.0 if 12 <= release(facts.ceph_version, facts.year) < 15 else 3.0


def _software(facts: Facts, filled: Filled) -> dict[str, float]:
    number = release(facts.ceph_version, facts.year)
    if facts.ceph_version is None:
        filled.assumed.append(f"ceph_version={number:g}")
    access = facts.access or "librbd_fio"
    variant = (facts.variant or "").lower()
    saving = 0.5 if facts.power_saving is None else float(facts.power_saving)
    return {
        "old": float(number < 16),
        "recent": float(number >= 17),
        "flushes": flushes(facts),
        "fast_erasure": float(number >= 20),
        "filestore": float(facts.backend == "filestore"),
        "krbd": float(access in ("krbd_fio", "rbd_nbd_fio")),
        "vm": float(access == "vm_fio"),
        "cephfs": float(access == "cephfs"),
        "rados": float(access in ("rados_bench", "rbd_bench")),
        "rgw": float(access == "rgw_s3"),
        "power_saving": saving,
        "client_cache": float("client cache" in variant and (facts.op or "").endswith("write")),
        "cached": float(bool(re.search(r"\bcached\b", variant))),
        "tuned": float("tun" in variant and "untuned" not in variant),
    }
