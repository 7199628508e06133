"""What a sandbox shall be: names, counts and sizes, checked before anything is made."""

from __future__ import annotations

import re
from dataclasses import dataclass

from radoscope.errors import PlanError
from radoscope.sandbox.shape import AS_IS, DiskModel
from radoscope.units import format_seconds

DEFAULT_NAME = "default"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,30}")
MOST_OSDS = 64
_USUAL_MTU = 1500
SMALLEST_OSD_BYTES = 2 * 2**30
# Below, the program that holds the frames (delay_line.c) takes as long itself; above, its queues would not hold what a
# link of 10 Gbit/s sends meanwhile.
LEAST_LATENCY_S, MOST_LATENCY_S = 0.2e-3, 50e-3
MOST_DELAYED_BITS_PER_S = 10e9


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
    network_bits_per_s: of each link of each host, None for as fast as it goes; mtu: of each link, in bytes. latency_s:
    what is added to a round trip between any two hosts, None for nothing. disk: what every OSD's disk is like.
    """

    name: str = DEFAULT_NAME
    osds: int = 3
    size: int = 3
    osd_bytes: int = 12 * 2**30
    hosts: int | None = None
    clients: int = 1
    network_bits_per_s: float | None = None
    mtu: int = _USUAL_MTU
    latency_s: float | None = None
    disk: DiskModel = AS_IS

    def __post_init__(self) -> None:
        check_name(self.name)
        if self.hosts is not None and not 1 <= self.hosts <= 16:
            raise PlanError(f"{self.hosts} hosts are not possible", "A sandbox has 1 to 16 hosts.")
        if not 1 <= self.clients <= 8:
            raise PlanError(f"{self.clients} client hosts are not possible", "A sandbox has 1 to 8 client hosts.")
        if not 1 <= self.all_osds <= MOST_OSDS:
            raise PlanError(f"{self.all_osds} OSDs are not possible", f"A sandbox has 1 to {MOST_OSDS} OSDs.")
        if self.osd_bytes < SMALLEST_OSD_BYTES:
            raise PlanError(f"an OSD of {self.osd_bytes} bytes is too small", "The smallest that works is 2G.")
        if self.hosts is None and (self.network_bits_per_s, self.latency_s, self.mtu) != (None, None, _USUAL_MTU):
            raise PlanError("one host without namespaces has no links to shape", "Give --hosts as well.")
        if self.hosts is None and self.clients != 1:
            raise PlanError("one host without namespaces has no client hosts", "Give --hosts as well.")
        if not 1280 <= self.mtu <= 9216:
            raise PlanError(
                f"an MTU of {self.mtu} is not possible", "Ethernet has 1500, or up to 9216 with jumbo frames."
            )
        self._check_latency()
        self._check_replicas()

    def _check_latency(self) -> None:
        if self.latency_s is None:
            return
        if not LEAST_LATENCY_S <= self.latency_s <= MOST_LATENCY_S:
            raise PlanError(
                f"{format_seconds(self.latency_s)} cannot be added to a round trip",
                f"{format_seconds(LEAST_LATENCY_S)} to {format_seconds(MOST_LATENCY_S)} is possible: "
                "below, what delays the frames takes as long itself.",
            )
        if (self.network_bits_per_s or 0) > MOST_DELAYED_BITS_PER_S:
            raise PlanError(
                f"a link of {self.network_bits_per_s or 0:.0f} bit/s cannot be delayed: its frames pass a program",
                f"Ask for --network {MOST_DELAYED_BITS_PER_S / 1e9:.0f}G or less, or leave out --latency.",
            )

    def _check_replicas(self) -> None:
        places, kind = (self.osds, "OSDs") if self.hosts is None else (self.hosts, "hosts")
        if not 1 <= self.size <= places:
            raise PlanError(
                f"{self.size} replicas do not fit on {places} {kind}",
                f"Ask for --size 1 to {places}, or for more {kind}: each replica needs its own.",
            )

    @property
    def all_osds(self) -> int:
        return self.osds * (self.hosts or 1)
