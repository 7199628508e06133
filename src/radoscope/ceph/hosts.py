"""The hosts that a cluster's OSDs are on, and whether one of them is this machine."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

ADDRESS = re.compile(r"(\[[0-9a-fA-F:]+\]|[\d.]+):\d+/\d+")
"""Of a daemon, as Ceph writes it: with a port and a nonce behind."""


@dataclass(frozen=True, slots=True)
class OsdHost:
    """name: as Ceph has it. address: of its OSDs on the public network. osds: their numbers, ascending."""

    name: str
    address: str
    osds: tuple[int, ...]

    @property
    def is_here(self) -> bool:
        """Whether the address is one of this machine's: only then can a socket be bound to it."""
        family = socket.AF_INET6 if ":" in self.address else socket.AF_INET
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.bind((self.address, 0))
        except OSError:
            return False
        return True


def osd_hosts(metadata: Iterable[Mapping[str, Any]]) -> tuple[OsdHost, ...]:
    """`ceph osd metadata` -> its hosts, sorted by name. OSDs that are down and say no address are left out."""
    found: dict[tuple[str, str], list[int]] = {}
    for osd in metadata:
        if match := ADDRESS.search(str(osd.get("front_addr", ""))):
            key = (str(osd.get("hostname", "")), match[1].strip("[]"))
            found.setdefault(key, []).append(int(osd["id"]))
    return tuple(OsdHost(name, address, tuple(sorted(osds))) for (name, address), osds in sorted(found.items()))
