"""Where it was measured: hosts, devices, the cluster and its pool, as captured."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class HostFacts:
    """One host that took part. role: "client", "osd" or both, joined by "+"."""

    name: str
    role: str = "client"
    kernel: str | None = None
    os: str | None = None
    cpu_model: str | None = None
    cpu_threads: int | None = None
    memory_bytes: int | None = None
    cpu_governor: str | None = None
    deepest_cstate_latency_s: float | None = None
    virtualisation: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFacts:
    """One network interface of a host. bits_per_s: of its line or of the queue that limits it, None where unknown.
    carrier_lost: how often its line went away during the study."""

    host: str
    name: str
    mtu: int | None = None
    bits_per_s: float | None = None
    carrier_lost: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class WayFacts:
    """From the host of the load to a host of OSDs. large: whether pings as long as `mtu` allows were answered, None
    where none were sent."""

    host: str
    mtu: int | None = None
    large: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OsdFacts:
    """One OSD as the cluster describes it. used: share of its space. groups: placement groups on it, of all pools.
    primary_affinity: below 1 it is seldom, at 0 never the one that serves. rotational: as the OSD takes its drive.

    answers_s: how long its heartbeats to each peer take at least, by the peer's number.
    """

    id: int
    host: str = ""
    device_class: str | None = None
    weight: float | None = None
    used: float | None = None
    groups: int | None = None
    primary_affinity: float | None = None
    rotational: bool | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    answers_s: Mapping[int, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceFacts:
    """A block device or the file that stands for one. write_cache: "write back", "write through" or None."""

    path: str
    used_for: str
    kind: str = "device"
    model: str | None = None
    size_bytes: int | None = None
    rotational: bool | None = None
    write_cache: str | None = None
    scheduler: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolFacts:
    """The pool that was measured. pgp_num: how many of its groups are placed by themselves. stripe_bytes: of an
    erasure-coded one, what is coded together."""

    name: str
    size: int | None = None
    min_size: int | None = None
    pg_num: int | None = None
    pgp_num: int | None = None
    erasure_profile: str | None = None
    stripe_bytes: int | None = None
    crush_rule: str | None = None
    compression: str | None = None
    own: bool = False

    @property
    def quoted(self) -> str:
        """Its name as a shell takes it, for commands that people copy."""
        return shlex.quote(self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageFacts:
    """The first image that is measured, once it was prepared. features: "layering", "journaling" ..."""

    object_bytes: int | None = None
    stripe_unit_bytes: int | None = None
    features: tuple[str, ...] = ()
    snapshots: int | None = None
    has_parent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterFacts:
    """The cluster as its monitors described it. versions: daemon kind -> version -> count of daemons."""

    fsid: str
    health: str
    health_checks: tuple[str, ...] = ()
    version: str | None = None
    versions: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    mons: int | None = None
    osds: int | None = None
    osds_up: int | None = None
    osds_in: int | None = None
    hosts: int | None = None
    total_bytes: int | None = None
    used_bytes: int | None = None
    device_classes: Mapping[str, int] = field(default_factory=dict)
    pool: PoolFacts | None = None
    changed_options: Mapping[str, str] = field(default_factory=dict)
    each_osd: tuple[OsdFacts, ...] = ()

    @property
    def major(self) -> int | None:
        """20 of "20.2.4"; None where the version is not known."""
        head = (self.version or "").partition(".")[0]
        return int(head) if head.isdigit() else None

    def may_schedule_by_mclock(self, options: Mapping[str, str]) -> bool:
        """Whether operations wait in mClock's queue: the default since Ceph 17. options: those of an OSD."""
        default = "wpq" if self.major is not None and self.major < 17 else "mclock_scheduler"
        return options.get("osd_op_queue", default).startswith("mclock")


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestFacts:
    """What guests ran by. accelerator: "kvm" or "tcg". why: the reason where it is not KVM."""

    accelerator: str
    why: str = ""
    kernel: str = ""
    qemu: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """All that was captured around a study. tools: name -> version text. notes: what could not be captured, and why."""

    hosts: tuple[HostFacts, ...] = ()
    devices: tuple[DeviceFacts, ...] = ()
    cluster: ClusterFacts | None = None
    tools: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    links: tuple[LinkFacts, ...] = ()
    ways: tuple[WayFacts, ...] = ()
    guest: GuestFacts | None = None
    image: ImageFacts | None = None

    @property
    def emulates_guests(self) -> bool:
        """Whether the processor of guests was emulated: then their figures say nothing of a real one."""
        return self.guest is not None and self.guest.accelerator != "kvm"
