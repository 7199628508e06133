"""A sandbox that exists: where it is, who is in it, how to talk to it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from radoscope.ceph import Cluster, Connection
from radoscope.sandbox import disks
from radoscope.sandbox.layout import Gateway, Host, Layout, Manager, Mds, Monitor, Osd
from radoscope.sandbox.processes import Label, labelled_processes
from radoscope.sandbox.spec import SandboxSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Sandbox:
    """A cluster on this machine. run_dir: where its sockets are, a short path. identity: 8 hex digits, its own."""

    name: str
    identity: str
    directory: Path
    run_dir: Path
    fsid: str
    spec: SandboxSpec
    layout: Layout

    @property
    def conf(self) -> Path:
        return self.directory / "ceph.conf"

    @property
    def keyring(self) -> Path:
        """The key of client.admin."""
        return self.directory / "ceph.client.admin.keyring"

    @property
    def label(self) -> Label:
        return Label(self.directory, self.identity)

    @property
    def hosts(self) -> tuple[Host, ...]:
        return self.layout.hosts

    @property
    def osds(self) -> tuple[Osd, ...]:
        return self.layout.osds

    @property
    def mons(self) -> tuple[Monitor, ...]:
        return self.layout.mons

    @property
    def mgrs(self) -> tuple[Manager, ...]:
        return self.layout.mgrs

    @property
    def mdss(self) -> tuple[Mds, ...]:
        return self.layout.mdss

    @property
    def gateways(self) -> tuple[Gateway, ...]:
        return self.layout.gateways

    @property
    def clients(self) -> tuple[Host, ...]:
        """The hosts from which load comes; on one host that host itself."""
        return tuple(host for host in self.hosts if "client" in host.role)

    @property
    def daemons(self) -> tuple[str, ...]:
        """The names of all daemons that should run, "mon.a" first; the programs that delay links last."""
        mons, mgrs = (f"mon.{mon.id}" for mon in self.mons), (f"mgr.{mgr.id}" for mgr in self.mgrs)
        above = (*(mds.daemon for mds in self.mdss), *(gateway.daemon for gateway in self.gateways))
        return (*mons, *mgrs, *(osd.daemon for osd in self.osds), *above, *(host.cable for host in self.delayed_hosts))

    @property
    def delayed_hosts(self) -> tuple[Host, ...]:
        """The hosts whose links have a delay: all or none."""
        return () if self.spec.latency_s is None else self.hosts

    def osd_directory(self, osd: Osd | int) -> Path:
        return self.directory / f"osd.{osd if isinstance(osd, int) else osd.id}"

    def log(self, daemon: str) -> Path:
        return self.directory / "log" / f"{daemon}.out"

    def disk_parameters(self, osd: Osd | int) -> Path:
        """Where the model of an OSD's disk reads what it is like."""
        return self.osd_directory(osd) / "disk"

    @property
    def load_disk_parameters(self) -> Path:
        """The same for a load generator on a host's disk."""
        return self.directory / "disk"

    def environment(self) -> dict[str, str]:
        """Shell variables that make ceph, rados, rbd and fio use this cluster as client.admin."""
        return {"CEPH_CONF": str(self.conf)}

    def on_disk(self, argv: tuple[str, ...]) -> tuple[str, ...]:
        """The command of a load generator, with files that behave as the OSDs' disks do; unchanged when as it is."""
        return disks.wrap(argv, self.load_disk_parameters) if self.load_disk_parameters.exists() else argv

    def pids(self) -> dict[str, int]:
        """Daemon -> process number, of those that live; found by label, not remembered."""
        found = {process.daemon: process.pid for process in labelled_processes(self.label)}
        return {daemon: found[daemon] for daemon in self.daemons if daemon in found}

    def memory_bytes(self) -> dict[str, int]:
        """Daemon -> resident memory in bytes, of those that live."""
        sizes = {daemon: resident_bytes(pid) for daemon, pid in self.pids().items()}
        return {daemon: size for daemon, size in sizes.items() if size is not None}

    def disk_bytes(self) -> int:
        """What the directory takes on disk: OSD files are sparse and count with what is in them."""
        return sum(_blocks_bytes(Path(folder, name)) for folder, _, names in os.walk(self.directory) for name in names)

    @property
    def ceph(self) -> Cluster:
        """The cluster as its administrator reaches it, from the first client's place."""
        client = self.clients[0]
        return Cluster(conf=self.conf, keyring=self.keyring, prefix=client.wrap(()), namespace=client.namespace_path)

    def connected(self, timeout_s: float = 5.0) -> Connection:
        """A connection to the monitors, to be entered; that raises SiteError when none answers."""
        namespace = self.clients[0].namespace_path
        return Connection(self.conf, namespace=namespace, keyring=self.keyring, timeout_s=timeout_s)


def resident_bytes(pid: int) -> int | None:
    """VmRSS of a process, None when it is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    for line in status.splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    return None


def _blocks_bytes(path: Path) -> int:
    """What a file takes on disk; 0 when a daemon has just removed it."""
    try:
        return path.lstat().st_blocks * 512
    except OSError:
        return 0
