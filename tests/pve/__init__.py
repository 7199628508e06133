"""A Proxmox VE cluster of two nodes, pve1 and pve2: this machine under two addresses, behind a real sshd.

Each command there gets an /etc of its own (a mount namespace, and so root) with /etc/pve, and stand-ins for the
commands of Proxmox VE, made from its documentation: pveversion, pvesh. ssh between the nodes, storage.cfg, and all of
Ceph are real.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from radoscope.sandbox import Sandbox
from tests.sshd import Server

_STAND_INS = Path(__file__).parent
_NODE = """#!/bin/sh
exec unshare --mount sh -c '
  mount -t overlay overlay -o lowerdir={folder}/etc:/etc /etc &&
  export PATH={folder}/bin:{stand_ins}:/usr/sbin:/usr/bin:/sbin:/bin && exec sh -c "$SSH_ORIGINAL_COMMAND"'
"""
_SSH = """Host 127.0.0.*
 Port {port}
 IdentityFile {folder}/user
 IdentitiesOnly yes
"""
_COROSYNC = """totem {{
  cluster_name: lab
  interface {{
    linknumber: 0
  }}
}}
nodelist {{
  node {{
    name: pve1
    nodeid: 1
    quorum_votes: 1
    ring0_addr: {first}
  }}
  node {{
    name: pve2
    nodeid: 2
    quorum_votes: 1
    ring0_addr: {second}
  }}
}}
"""
STORAGE_CFG = """dir: local
\tpath /var/lib/vz
\tcontent iso,vztmpl,backup

rbd: vms
\tcontent images,rootdir
\tkrbd 0
\tpool vms
"""


@dataclass
class Pve:
    """etc: of both nodes. words: for the command line."""

    server: Server
    etc: Path

    @property
    def words(self) -> tuple[str, ...]:
        return ("--at", "pve:node1", "--ssh-config", str(self.server.config))

    def put(self, name: str, text: str) -> None:
        path = self.etc / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def corosync(self, first: str, second: str) -> None:
        self.put("pve/corosync.conf", _COROSYNC.format(first=first, second=second))

    def cluster(self, up: Sandbox) -> None:
        """Its Ceph: the node's own configuration, and the keyring of the storage vms."""
        self.put("pve/ceph.conf", up.conf.read_text())
        self.put("pve/priv/ceph/vms.keyring", up.keyring.read_text())
        (self.etc / "ceph").mkdir()
        (self.etc / "ceph/ceph.conf").symlink_to("/etc/pve/ceph.conf")


@pytest.fixture
def pve(server: Server) -> Iterator[Pve]:
    if os.geteuid() != 0:
        pytest.skip("a node with an /etc of its own needs root")
    folder = server.folder
    made = Pve(server, folder / "etc")
    node = folder / "node"
    node.write_text(_NODE.format(folder=folder, stand_ins=_STAND_INS))
    node.chmod(0o755)
    (folder / "bin").mkdir()
    made.put("ssh/ssh_config.d/pve.conf", _SSH.format(port=server.port, folder=folder))
    made.put("pve/nodes/pve2/ssh_known_hosts", f"pve2 {(folder / 'host.pub').read_text()}")
    made.put("pve/storage.cfg", STORAGE_CFG)
    made.corosync("10.9.9.1", "10.9.9.2")
    with (folder / "sshd_config").open("a") as config:
        config.write(f"ListenAddress 127.0.0.2\nForceCommand {node}\n")
    server.stop()
    server.start()
    yield made
