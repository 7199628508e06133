"""The constants of the model: what each means, what documents say about it, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from radoscope.predict.numbers import Real


@dataclass(frozen=True, slots=True)
class Prior:
    """What is believed about a constant before any published result is seen: a log-normal distribution.

    median in the unit that `meaning` names; sigma of the natural logarithm (0.5: a factor 1.65 either way).
    """

    median: float
    sigma: float
    meaning: str
    source: str


PRIORS: Mapping[str, Prior] = {
    "write_software": Prior(450e-6, 0.4, "s of software in a write at depth 1, at GHz x work per cycle = 3.0", "vitastor docs: 0.6 ms at best"),
    "read_software": Prior(220e-6, 0.4, "s of software in a read at depth 1, same speed", "vitastor docs: 0.3 ms at best"),
    "flush": Prior(0.9, 0.4, "scale on the structural count of flushes per commit", "ceph PR 62224, PR 26909; rocksdb PR 746"),
    "write_cycles": Prior(0.55e6, 0.4, "core cycles per replica written, loaded cluster", "ceph.io reef-osds-per-nvme: 4,000 replica writes/s a thread"),
    "read_cycles": Prior(0.22e6, 0.4, "core cycles per read, loaded cluster", "ceph.io reef-osds-per-nvme: 10,000 reads/s a thread"),
    "write_byte_cycles": Prior(9.0, 0.4, "core cycles per byte of a replica written", "ceph.io reef-osds-per-nvme, 4 MiB"),
    "read_byte_cycles": Prior(5.5, 0.4, "core cycles per byte read", "ceph.io reef-osds-per-nvme, 4 MiB"),
    "hop_cycles": Prior(2.0, 0.4, "serial cycles per byte and hop", "a 4 MiB write on 100 GbE with SATA SSDs takes 13.7 ms"),
    "client_cycles": Prior(35e3, 0.4, "serial client cycles per op and image", "ceph PR 28044, ceph.io qemu-librbd: 57-126 K/s an image"),
    "client_byte_cycles": Prior(0.8, 0.6, "serial client cycles per byte and image", "rados bench on 100 GbE reads 3.7 GB/s"),
    "osd_cycles": Prior(35e3, 0.4, "serial cycles per op and OSD", "single-OSD ceilings, ceph.io 2022 to 2025"),
    "kv_cycles": Prior(36e3, 0.4, "serial kv_sync cycles per commit", "ceph PR 35227, PR 50610: 60-105 K commits/s an OSD"),
    "line_out": Prior(0.88, 0.1, "usable share of a line, one to many", "iperf3 and Ceph figures, ceph.io 1 TiB/s"),
    "line_in": Prior(0.82, 0.15, "usable share of a client's line, many to one", "incast; ceph.io Reef"),
    "line_osd": Prior(0.76, 0.15, "usable share of an OSD host's line", "incast; 10 GbE worst"),
    "thread_power": Prior(0.75, 0.12, "throughput grows as threads to this power", "digitised from ceph.io reef-osds-per-nvme"),
    "write_amplification": Prior(1.15, 0.2, "bytes to the device per byte of a replica", "BlueStore metadata"),
    "device_share": Prior(0.80, 0.15, "usable share of the sequential specification", "fio against Ceph on idle CPUs"),
    "imbalance": Prior(0.7, 0.3, "scale on the busiest OSD's excess", "balls into bins over placement groups"),
    "pg_half": Prior(20.0, 0.5, "PGs per OSD at which the OSD's serial stage doubles", "ceph.io 1 TiB/s: 256 to 32,768 PGs on 60 OSDs"),
    "power_saving": Prior(1.30, 0.2, "software slowed by C-states", "ceph.io 1 TiB/s; desktops at depth 1"),
    "old_release": Prior(1.5, 0.2, "CPU of release 15 and before, relative", "ceph.io: Octopus to Reef"),
    "alone": Prior(0.75, 0.2, "CPU per op of a single host without peers, relative", "ceph.io seastore-vs-classic: 2-3 x cheaper alone"),
    "filestore": Prior(1.2, 0.3, "CPU and latency of FileStore, relative", "FileStore writes twice; journal first"),
    "flash_commit": Prior(300e-6, 0.8, "s of device time per small durable write without power-loss protection", "devices without PLP: 300 to 10,000 durable writes/s"),
    "disk_read": Prior(9e-3, 0.3, "s of a random read of a spinning disk at depth 1", "7,200 rpm: 4.2 ms half a turn, 4-5 ms seek, metadata"),
    "disk_write": Prior(5e-3, 0.4, "s of disk time per small write, after deferral", "mclock default 315 IOPS for 4 disks at size 3"),
    "disk_write_no_db": Prior(2.0, 0.4, "factor on it when DB and WAL share the disk", "home labs with and without a DB device"),
    "disk_queue": Prior(0.30, 0.4, "gain of the disk scheduler per e-fold of queue", "elevator on 7,200 rpm: 2 x at 32"),
    "disk_share": Prior(0.45, 0.3, "usable share of a disk's sequential rate with several streams", "Red Hat and Intel sizing guides: 70-96 MB/s a disk"),
    "disk_commit": Prior(3e-3, 0.6, "s of a depth-1 commit that waits for a spinning disk behind an SSD DB", "yourcmc: 140-325 IOPS an OSD"),
    "miss": Prior(0.7, 0.3, "share of random reads that reach the device", "data sets larger than the caches"),
    "krbd": Prior(0.95, 0.2, "latency through the kernel client, relative to librbd", "ceph.io qemu-librbd"),
    "vm": Prior(1.25, 0.25, "latency and client cost from within a VM", "ceph.io qemu-librbd"),
    "cephfs": Prior(1.1, 0.25, "latency of a file system on top", "class default"),
    "rados": Prior(0.9, 0.2, "latency of rados bench", "no image layer"),
    "rados_client": Prior(1.6, 0.4, "client cost of rados bench, relative", "one process, a few threads"),
    "rgw_cycles": Prior(6e6, 0.6, "core cycles per S3 request", "ceph.io RGW benchmark 2025"),
    "rgw_byte_cycles": Prior(4.0, 0.5, "core cycles per byte through S3", "ceph.io RGW benchmark 2025"),
    "erasure_op": Prior(0.9, 0.4, "CPU per shard operation relative to a replica write", "ceph.io fast EC, 4K unit"),
    "erasure_latency": Prior(1.5, 0.3, "write latency of an erasure-coded pool relative to replication", "read, modify, write"),
    "recent_release": Prior(0.85, 0.15, "CPU per write of release 17 and later, relative to 16", "ceph.io: Pacific 0.53 to Quincy 0.75 M writes/s"),
    "join": Prior(0.3, 0.5, "spread of one commit, relative: the last of several replicas is waited for", "order statistics"),
    "tuning": Prior(0.7, 0.3, "CPU of hand-tuned RocksDB and caches, relative", "RHCS 3.2 series: 171 to 411 K"),
    "client_cache": Prior(0.25, 0.5, "share of writes a client's cache lets through", "nine.ch"),
}  # fmt: skip
"""Median and spread before any cell is seen. Sources are named in docs/model.md in full."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Constants:
    """One value per constant, or an array of draws; the names are those of PRIORS."""

    write_software: Real
    read_software: Real
    flush: Real
    write_cycles: Real
    read_cycles: Real
    write_byte_cycles: Real
    read_byte_cycles: Real
    hop_cycles: Real
    client_cycles: Real
    client_byte_cycles: Real
    osd_cycles: Real
    kv_cycles: Real
    line_out: Real
    line_in: Real
    line_osd: Real
    thread_power: Real
    write_amplification: Real
    device_share: Real
    imbalance: Real
    pg_half: Real
    power_saving: Real
    old_release: Real
    alone: Real
    filestore: Real
    flash_commit: Real
    disk_read: Real
    disk_write: Real
    disk_write_no_db: Real
    disk_queue: Real
    disk_share: Real
    disk_commit: Real
    miss: Real
    krbd: Real
    vm: Real
    cephfs: Real
    rados: Real
    rados_client: Real
    rgw_cycles: Real
    rgw_byte_cycles: Real
    erasure_op: Real
    erasure_latency: Real
    recent_release: Real
    join: Real
    tuning: Real
    client_cache: Real


NAMES: tuple[str, ...] = tuple(field.name for field in fields(Constants))


def from_priors() -> Constants:
    """The medians of the priors: the model as documents alone would have it."""
    return Constants(**{name: PRIORS[name].median for name in NAMES})
