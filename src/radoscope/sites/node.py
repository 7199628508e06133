"""A node of a Proxmox VE cluster that is reached through another one: the nodes let each other's root in by ssh."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from radoscope.sites.ssh import OPTIONS, Ssh


@dataclass(frozen=True, slots=True)
class Node:
    """via: the node that our own ssh reaches. name: as Proxmox VE has it. address: for the nodes among themselves.

    folder: of the run on it.
    """

    via: Ssh
    name: str
    address: str
    folder: Path

    @property
    def hint(self) -> str:
        """What tells more when it is not reached."""
        return f"`ssh root@{self.address} true` must work on {self.via.name}; `pvecm updatecerts` there brings keys."

    def wrap(self, argv: Sequence[str]) -> tuple[str, ...]:
        """As Proxmox VE's own tools go there: the host key is kept by the node's name, in the cluster's file system.

        Source: PVE::SSHInfo. Before Proxmox VE 8.2 the keys are in the host's own list, which ssh reads as well.
        """
        keys = (
            "-o",
            f"HostKeyAlias={self.name}",
            "-o",
            f"UserKnownHostsFile=/etc/pve/nodes/{self.name}/ssh_known_hosts",
        )
        return self.via.wrap(("ssh", *OPTIONS, *keys, "--", f"root@{self.address}", shlex.join(argv)))
