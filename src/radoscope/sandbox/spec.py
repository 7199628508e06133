"""What a sandbox shall be: names, counts and sizes, checked before anything is made."""

from __future__ import annotations

import re
from dataclasses import dataclass

from radoscope.errors import PlanError
from radoscope.sandbox.shape import AS_IS, DiskModel

DEFAULT_NAME = "default"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,30}")
MOST_OSDS = 64
SMALLEST_OSD_BYTES = 2 * 2**30


def check_name(name: str) -> str:
    """The name itself, when it can be a folder and a label: letters, digits, - and _. Raises PlanError."""
    if _NAME.fullmatch(name) is None:
        raise PlanError(
            f"{name!r} cannot be the name of a sandbox",
            "Use letters, digits, - and _ only, at most 31 of them, and begin with a letter or a digit.",
        )
    return name


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxSpec:
    """A cluster as asked for.

    osds: how many there are in all on one host, or on each host when `hosts` is given. size: replicas of a new pool.
    osd_bytes: what an OSD believes to have; its file is sparse. hosts: how many hosts, each in a network namespace of
    its own; None is one host, this one, without namespaces and without root. clients: hosts without daemons.
    network_bits_per_s: of each link of each host, None for as fast as it goes; mtu: of each link, in bytes. disk: what
    every OSD's disk is like.
    """

    name: str = DEFAULT_NAME
    osds: int = 3
    size: int = 3
    osd_bytes: int = 12 * 2**30
    hosts: int | None = None
    clients: int = 1
    network_bits_per_s: float | None = None
    mtu: int = 1500
    disk: DiskModel = AS_IS

    def __post_init__(self) -> None:
        check_name(self.name)
        if self.hosts is not None and not 1 <= self.hosts <= 16:
            raise PlanError(f"{self.hosts} hosts cannot be had", "A sandbox has 1 to 16 hosts.")
        if not 1 <= self.clients <= 8:
            raise PlanError(f"{self.clients} client hosts cannot be had", "A sandbox has 1 to 8 client hosts.")
        if not 1 <= self.all_osds <= MOST_OSDS:
            raise PlanError(f"{self.all_osds} OSDs cannot be had", f"A sandbox has 1 to {MOST_OSDS} OSDs.")
        if self.osd_bytes < SMALLEST_OSD_BYTES:
            raise PlanError(f"an OSD of {self.osd_bytes} bytes is too small", "The smallest that works well is 2G.")
        if self.hosts is None and self.network_bits_per_s is not None:
            raise PlanError("one host without namespaces has no network to shape", "Give --hosts as well.")
        if not 1280 <= self.mtu <= 9216:
            raise PlanError(
                f"an MTU of {self.mtu} cannot be had", "Ethernet has 1500, or up to 9216 with jumbo frames."
            )
        self._check_replicas()

    def _check_replicas(self) -> None:
        places, kind = (self.osds, "OSDs") if self.hosts is None else (self.hosts, "hosts")
        if not 1 <= self.size <= places:
            raise PlanError(
                f"{self.size} replicas do not fit on {places} {kind}",
                f"Ask for --size 1 to {places}, or for more {kind}: each replica needs one of its own.",
            )

    @property
    def all_osds(self) -> int:
        return self.osds * (self.hosts or 1)
