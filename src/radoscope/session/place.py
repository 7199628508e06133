"""Where a study runs: its cluster, and the hosts and the disk from which load comes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from radoscope.ceph import Cluster
from radoscope.plan.expand import by_rbd_bench, osd_cell
from radoscope.records.conditions import Layer
from radoscope.records.study import Cell
from radoscope.run.engines.ping import JUMBO
from radoscope.run.preflight import tools_of
from radoscope.sandbox import Sandbox
from radoscope.session.proxmox import NodeFacts
from radoscope.sites import Local, Site
from radoscope.sites.container import Container
from radoscope.sites.pod import Pod
from radoscope.sites.ways import Way

_HERE = Local()
_NO_DISK = (
    "The disk alone is not measured: that needs a folder on an OSD host, on a disk like those of the OSDs "
    "(--disk-folder; not with kubectl)"
)
_NO_GUEST = "Guests are not measured: radoscope starts them on its own host or over ssh, not in containers"
_NO_CEPHFS = "CephFS is not measured: containers and pods of radoscope's own may not mount anything"
_NO_IPERF3 = (
    "TCP throughput is not measured: it needs a login on an OSD host with iperf3, to start its server there "
    "(--osd-host ssh:[USER@]HOST)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a study runs.

    client: from where things are prepared, and one end of the network cells; peer: their other end, None where nothing
    can be started on it; disk: where the disk cells run, None where they have no folder; clients: where the load on
    the cluster comes from.

    words: the target for people. embedded: the sandbox, None on a cluster of the user's. shared: others use it.
    ways: to the hosts of OSDs that are pinged on such a cluster; no_ways: why there are none; remarks: on those that
    are not pinged. hosts_here: the hosts of OSDs that the load comes from, by name. osds_here: there are such. lacks:
    tools that are not in image, from which the load is run. proxmox: what a node of Proxmox VE told, where it is one.
    osd_sites: hosts of OSDs that give no load and that a way leads to, so that they can be watched.
    """

    cluster: Cluster | None
    words: str
    client: Site = _HERE
    peer: Site | None = None
    peer_address: str = ""
    disk_folder: Path
    disk: Site | None
    clients: tuple[Site, ...] = (_HERE,)
    embedded: Sandbox | None = None
    shared: bool = False
    ways: tuple[Way, ...] = ()
    no_ways: str = ""
    remarks: tuple[str, ...] = ()
    hosts_here: tuple[str, ...] = ()
    osds_here: bool = True
    lacks: frozenset[str] = frozenset()
    image: str = ""
    proxmox: NodeFacts | None = None
    osd_sites: tuple[Site, ...] = ()

    @property
    def sandbox(self) -> str | None:
        return self.embedded.name if self.embedded else None

    def sites(self, layer: Layer) -> tuple[Site, ...]:
        """The hosts from which a layer is loaded."""
        if layer is Layer.OSD:
            return (Local(),)  # it asks; the load is the OSDs' own
        if layer is Layer.DISK:
            return (self.disk,) if self.disk is not None else ()
        return (self.client,) if layer in (Layer.NETWORK, Layer.GUEST) else self.clients

    @property
    def away(self) -> tuple[Site, ...]:
        """The client hosts that are not this machine, the one from which things are prepared included."""
        return tuple(dict.fromkeys(site for site in (self.client, *self.clients) if site.folder is not None))

    @property
    def watched(self) -> tuple[Site, ...]:
        """The hosts whose processors, links and disks are seen, but for this machine."""
        return tuple({site.name: site for site in (*self.osd_sites, *self.away)}.values())

    @property
    def pinged(self) -> tuple[tuple[str, str], ...]:
        """Hosts of OSDs by a name that no other of them has, and their addresses."""
        names = [way.host for way in self.ways]
        return tuple(
            (way.host if names.count(way.host) == 1 else f"{way.host} ({way.address})", way.address)
            for way in self.ways
        )

    @property
    def is_elsewhere(self) -> bool:
        """Whether even the cluster's commands run on another host, as with --at."""
        return self.client.folder is not None

    def texts(self, device: Path | None = None) -> dict[Layer, str]:
        """What each layer's cells load, said as it is."""
        disk = f"the device {device}" if device else f"a file on {self.disk_folder}"
        host = self.client.name if self.is_elsewhere else "this host"
        return {
            Layer.DISK: disk if self.osds_here else f"{disk} of {host}, which has no OSD of the cluster",
            Layer.NETWORK: self._network(host),
            **{layer: self.words for layer in Layer if layer.on_pool},
            Layer.CEPHFS: "a subvolume of radoscope's own in CephFS, through ceph-fuse",
            Layer.S3: "a bucket of radoscope's own, through the RADOS gateway",
            Layer.OSD: "the OSDs themselves, one after another",
        }

    def _network(self, host: str) -> str:
        if self.shared:
            names = ", ".join(f"{way.host} ({way.address})" for way in self.ways)
            left_out = f"; not to {', '.join(self.hosts_here)}, where the load comes from" if self.hosts_here else ""
            return f"the network between {host} and {names}{left_out}"
        return "the network between two hosts of the sandbox" if self.peer != self.client else "loopback of this host"

    @property
    def _one_way(self) -> str:
        peer = self.peer.name if self.peer is not None else ""
        return f"the network between {self.client.name} and {peer} ({self.peer_address})"

    def measured(self, cells: Sequence[Cell], device: Path | None = None) -> tuple[Cell, ...]:
        """The cells that can be measured here, each with what it loads and whether that is a part of the cluster."""
        texts = self.texts(device)
        more = (osd_cell(),) if self._asks_osds(cells) else ()
        return tuple(
            replace(
                cell,
                where=self._one_way
                if self.shared and cell.conditions.tool == "iperf3"
                else texts[cell.conditions.layer],
                elsewhere=cell.conditions.layer is Layer.DISK and not self.osds_here,
            )
            for cell in map(self.here, (*cells, *more))
            if not self.why_not(cell)
        )

    def here(self, cell: Cell) -> Cell:
        """By another tool, where that of the plan is not here and another can put the same load on."""
        return by_rbd_bench(cell) if "fio" in self.lacks else cell

    def notes(self, cells: Iterable[Cell]) -> tuple[str, ...]:
        """What is left out or measured otherwise than planned, each once."""
        of_cells = [self.why_not(self.here(cell)) or self._why_otherwise(cell) for cell in cells]
        return tuple(dict.fromkeys(filter(None, (*of_cells, *self.remarks))))

    def _why_otherwise(self, cell: Cell) -> str:
        if self.here(cell) == cell:
            return ""
        return (
            "RBD is measured with rbd bench, which reports no percentiles: fio with its rbd engine is not in the "
            f"image {self.image}. --image names another one"
        )

    def _asks_osds(self, cells: Sequence[Cell]) -> bool:
        """Whether writes to the disk alone, which cannot be measured, give way to the OSDs' own bench."""
        layers = {cell.conditions.layer for cell in cells}
        wanted = any(cell.conditions.layer is Layer.DISK and cell.conditions.op.writes for cell in cells)
        return self.disk is None and wanted and Layer.OSD not in layers and any(layer.on_pool for layer in layers)

    def why_not(self, cell: Cell) -> str:
        """Why a cell cannot be measured here; an empty text where it can."""
        if cell.conditions.layer is Layer.DISK and self.disk is None:
            return _NO_DISK
        if cell.conditions.layer is Layer.CEPHFS and any(isinstance(site, Container | Pod) for site in self.clients):
            return _NO_CEPHFS
        if cell.conditions.layer is Layer.GUEST and isinstance(self.client, Container | Pod):
            return _NO_GUEST
        if missing := sorted(tools_of([cell]) & self.lacks):
            return f"Cells of {missing[0]} are left out: it is not in the image {self.image}. --image names another one"
        if cell.conditions.layer is Layer.NETWORK and self.no_ways:
            return f"The network is not measured: {self.no_ways}"
        if cell.conditions.tool == "jumbo-ping" and (small := [way for way in self.ways if (way.mtu or JUMBO) < JUMBO]):
            return f"Jumbo frames are not tried: the MTU towards {small[0].host} is {small[0].mtu}"
        return _NO_IPERF3 if cell.conditions.tool == "iperf3" and self.peer is None else ""


@dataclass(frozen=True, slots=True)
class SandboxDisk:
    """The site of the disk cells on a sandbox: files that behave as the OSDs' disks were asked to."""

    sandbox: Sandbox

    @property
    def name(self) -> str:
        return f"a disk of sandbox {self.sandbox.name}"

    @property
    def folder(self) -> None:
        return None

    def wrap(self, argv: Sequence[str]) -> tuple[str, ...]:
        return self.sandbox.on_disk(tuple(argv))
