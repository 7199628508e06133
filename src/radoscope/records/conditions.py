"""What was asked for: the conditions under which a cell is measured."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

T = TypeVar("T")


class Layer(StrEnum):
    """Where in the stack a cell measures, from the device up. OSD: a write within one OSD, its store on its drive.

    CEPHFS and S3 stand on RADOS as RBD does, beside it.
    """

    DISK = "disk"
    OSD = "osd"
    NETWORK = "network"
    RADOS = "rados"
    RBD = "rbd"
    QEMU = "qemu"
    GUEST = "guest"
    CEPHFS = "cephfs"
    S3 = "s3"

    @property
    def on_cluster(self) -> bool:
        """Whether its load reaches the OSDs."""
        return self not in (Layer.DISK, Layer.NETWORK)

    @property
    def in_qemu(self) -> bool:
        """Whether QEMU opens the images, with a cache mode."""
        return self in (Layer.QEMU, Layer.GUEST)

    @property
    def on_image(self) -> bool:
        """Whether it loads RBD images."""
        return self.in_qemu or self is Layer.RBD

    @property
    def beside_images(self) -> bool:
        """Whether it stands on RADOS as RBD does, in pools of a file system or a gateway."""
        return self in (Layer.CEPHFS, Layer.S3)

    @property
    def on_own_pool(self) -> bool:
        """Whether its I/O goes to the run's pool."""
        return self.on_pool and not self.beside_images

    @property
    def on_pool(self) -> bool:
        """Whether its I/O goes to a pool, and not to one OSD alone, which asks nobody else."""
        return self.on_cluster and self is not Layer.OSD


class Operation(StrEnum):
    """What one I/O does. READ and WRITE are sequential; RW and RANDRW are mixed."""

    READ = "read"
    WRITE = "write"
    RANDREAD = "randread"
    RANDWRITE = "randwrite"
    RW = "rw"
    RANDRW = "randrw"
    SEND = "send"
    RECV = "recv"
    RTT = "rtt"

    @property
    def writes(self) -> bool:
        return self in (Operation.WRITE, Operation.RANDWRITE, Operation.RW, Operation.RANDRW)

    @property
    def reads(self) -> bool:
        return self in (Operation.READ, Operation.RANDREAD, Operation.RW, Operation.RANDRW)


class Sync(StrEnum):
    """How a write is made durable: not at all, by fsync after each write, or by O_SYNC."""

    NONE = "none"
    FSYNC = "fsync"
    OSYNC = "sync"


SPREAD = (Layer.RADOS, Layer.RBD, Layer.CEPHFS, Layer.S3)
"""Layers whose client processes can stand on several hosts."""

PINNED: tuple[str, ...] = ("osd", "host", "hosts")
"""What a pool below the pool can be pinned to, with one copy: one OSD, the OSDs of one host, the OSDs of all hosts."""

CACHES: tuple[str, ...] = ("none", "writeback", "writethrough")
"""QEMU's cache modes of a drive, as `qm set` and `-drive cache=` name them."""

BUSES: tuple[str, ...] = ("virtio-scsi-single", "virtio-blk")
"""How a guest sees its drive: a SCSI disk on a controller of its own, or a plain virtio disk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """One cell's load.

    queue_depth: I/Os in flight per job. jobs: threads or processes of one client. clients: images, files (or client
    processes) loaded at the same time. rate_iops: the asked rate of an open loop, None for a closed loop.
    pinned: one of PINNED, or empty for the pool as it is. client_hosts: hosts from which the load comes. cache: one of
    CACHES in layers QEMU and GUEST, else empty: librbd is measured without its cache. bus, iothread: of a guest's
    drive, one of BUSES, and whether QEMU serves it in a thread of its own. depth_told: False where an imported text
    does not say how deep the queue was; queue_depth is then 1, and counts for nothing. mixed: it is one direction of an
    imported mixed load, and not what so many reads, or writes, alone would reach.
    """

    layer: Layer
    tool: str
    op: Operation
    block_bytes: int | None = None
    queue_depth: int = 1
    jobs: int = 1
    clients: int = 1
    sync: Sync = Sync.NONE
    rate_iops: float | None = None
    pinned: str = ""
    client_hosts: int = 1
    cache: str = ""
    bus: str = ""
    iothread: bool = False
    depth_told: bool = True
    mixed: bool = False

    def __post_init__(self) -> None:
        for name in ("queue_depth", "jobs", "clients", "client_hosts"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1")
        if self.block_bytes is not None and self.block_bytes < 1:
            raise ValueError("block_bytes must be at least 1")

    @property
    def in_flight(self) -> int:
        """I/Os in flight over all jobs and clients."""
        return self.queue_depth * self.jobs * self.clients

    @property
    def one_at_a_time(self) -> bool:
        """Whether it is known that one I/O is in flight."""
        return self.depth_told and self.in_flight == 1

    @property
    def processes(self) -> int:
        """Client processes that can be spread over hosts: one an image and job; a disk or a link has its one host."""
        jobs = 1 if self.layer is Layer.CEPHFS else self.jobs  # threads of one mount
        return self.clients * jobs if self.layer in SPREAD else 1


def rows_of_clients(items: Iterable[T], conditions: Callable[[T], Conditions]) -> dict[Conditions, list[T]]:
    """Loads that differ in the number of clients alone, by what they share (with one client).

    With as many hosts as can be, few clients stand on few hosts: one client, on one host, begins the row of one host
    and that of two. A row that is a part of another one is left out.
    """
    all_items = list(items)
    rows: dict[Conditions, list[T]] = {}
    for hosts in sorted({conditions(item).client_hosts for item in all_items}):
        for item in all_items:
            asked = conditions(item)
            if asked.client_hosts == min(hosts, asked.processes):
                rows.setdefault(replace(asked, clients=1, client_hosts=hosts), []).append(item)
    parts = {key: {id(item) for item in row} for key, row in rows.items()}
    return {key: row for key, row in rows.items() if not any(parts[key] < other for other in parts.values())}
