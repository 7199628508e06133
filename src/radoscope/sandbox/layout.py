"""Where hosts, monitors, managers, OSDs and the like of a sandbox are. Pure, from the specification."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from radoscope.sandbox.spec import SandboxSpec
from radoscope.sites import Local, NetworkNamespace, Site

ONLY_HOST = "localhost"
PUBLIC_NETWORK, CLUSTER_NETWORK = "10.77.0", "10.77.1"
NAMESPACES = Path("/run/netns")
_FIRST_HOST, _FIRST_CLIENT = 11, 101
MON_PORT_V2, MON_PORT_V1 = 3300, 6789
RGW_PORT = 7480
FILE_SYSTEM = "cephfs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """A place where commands run. namespace: its network namespace, None for this machine's own network.

    role: "osd" for a host with daemons, "client" for one without, "osd+client" for the only host.
    """

    name: str
    role: str
    public_address: str
    cluster_address: str | None = None
    namespace: str | None = None

    @property
    def namespace_path(self) -> Path | None:
        return None if self.namespace is None else NAMESPACES / self.namespace

    @property
    def cable(self) -> str:
        """The process that carries its frames, where links have a delay."""
        return f"cable.{self.name}"

    @property
    def site(self) -> Site:
        return Local() if self.namespace is None else NetworkNamespace(self.namespace, self.name)

    def wrap(self, argv: tuple[str, ...]) -> tuple[str, ...]:
        """The same command, run on this host."""
        return self.site.wrap(argv)


@dataclass(frozen=True, slots=True, kw_only=True)
class Monitor:
    id: str
    host: str
    address: str
    v2_port: int = MON_PORT_V2
    v1_port: int = MON_PORT_V1

    @property
    def addresses(self) -> str:
        """Both messengers' addresses as Ceph writes them."""
        return f"[v2:{self.address}:{self.v2_port},v1:{self.address}:{self.v1_port}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Manager:
    id: str
    host: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Osd:
    """uuid: the name under which the monitors know the OSD's store."""

    id: int
    host: str
    uuid: str

    @property
    def daemon(self) -> str:
        return f"osd.{self.id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mds:
    """The metadata server of the file system."""

    id: str
    host: str

    @property
    def daemon(self) -> str:
        return f"mds.{self.id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gateway:
    """A RADOS gateway, and where it listens for S3."""

    id: str
    host: str
    address: str
    port: int = RGW_PORT

    @property
    def daemon(self) -> str:
        return f"rgw.{self.id}"

    @property
    def entity(self) -> str:
        return f"client.{self.daemon}"

    @property
    def url(self) -> str:
        return f"http://{self.address}:{self.port}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Everything in a sandbox."""

    hosts: tuple[Host, ...]
    mons: tuple[Monitor, ...]
    mgrs: tuple[Manager, ...]
    osds: tuple[Osd, ...]
    mdss: tuple[Mds, ...] = ()
    gateways: tuple[Gateway, ...] = ()

    def host(self, name: str) -> Host:
        return next(host for host in self.hosts if host.name == name)


def one_host(spec: SandboxSpec, address: str, ports: tuple[int, ...], uuids: tuple[str, ...]) -> Layout:
    """Everything on this machine, on one loopback address. ports: the monitor's two, and the gateway's. uuids: one an
    OSD."""
    host = Host(name=ONLY_HOST, role="osd+client", public_address=address, cluster_address=address)
    return Layout(
        hosts=(host,),
        mons=(Monitor(id="a", host=ONLY_HOST, address=address, v2_port=ports[0], v1_port=ports[1]),),
        mgrs=(Manager(id="x", host=ONLY_HOST),),
        osds=tuple(Osd(id=number, host=ONLY_HOST, uuid=uuid) for number, uuid in enumerate(uuids[: spec.osds])),
        mdss=(Mds(id="a", host=ONLY_HOST),) if spec.cephfs else (),
        gateways=(Gateway(id="a", host=ONLY_HOST, address=address, port=ports[2]),) if spec.rgw else (),
    )


def many_hosts(spec: SandboxSpec, identity: str, uuids: tuple[str, ...]) -> Layout:
    """Hosts in namespaces: up to three monitors and two managers on the first, K OSDs on each; then the clients.

    MDS and gateway are on the last, where there is no manager with three hosts.
    """
    count = spec.hosts or 1
    hosts = tuple(storage_host(number, identity) for number in range(1, count + 1))
    clients = tuple(client_host(number, identity) for number in range(1, spec.clients + 1))
    return Layout(
        hosts=hosts + clients,
        mons=tuple(
            Monitor(id=letter, host=host.name, address=host.public_address)
            for letter, host in zip("abc" if count >= 3 else "a", hosts, strict=False)
        ),
        mgrs=tuple(Manager(id=letter, host=host.name) for letter, host in zip("xy", hosts, strict=False)),
        osds=tuple(
            Osd(id=number, host=hosts[number // spec.osds].name, uuid=uuid)
            for number, uuid in enumerate(uuids[: spec.all_osds])
        ),
        mdss=(Mds(id="a", host=hosts[-1].name),) if spec.cephfs else (),
        gateways=(Gateway(id="a", host=hosts[-1].name, address=hosts[-1].public_address),) if spec.rgw else (),
    )


def storage_host(number: int, identity: str) -> Host:
    """The n-th host with daemons, n from 1: on the public and on the cluster network."""
    return Host(
        name=f"h{number}",
        role="osd",
        public_address=f"{PUBLIC_NETWORK}.{_FIRST_HOST + number - 1}",
        cluster_address=f"{CLUSTER_NETWORK}.{_FIRST_HOST + number - 1}",
        namespace=f"{namespace_prefix(identity)}h{number}",
    )


def client_host(number: int, identity: str) -> Host:
    """The n-th client, n from 1: on the public network alone."""
    return Host(
        name=f"client{number}",
        role="client",
        public_address=f"{PUBLIC_NETWORK}.{_FIRST_CLIENT + number - 1}",
        namespace=f"{namespace_prefix(identity)}client{number}",
    )


def namespace_prefix(identity: str) -> str:
    return f"radoscope-{identity}-"
