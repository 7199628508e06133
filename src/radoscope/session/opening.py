"""Open the cluster that a study is about, and close it again: an embedded one, one that is up, or the user's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from radoscope import paths, sandbox
from radoscope.ceph import Cluster
from radoscope.ceph.hosts import OsdHost, osd_hosts
from radoscope.errors import RadoscopeError
from radoscope.records.conditions import Layer
from radoscope.records.manifest import OWN_SANDBOX
from radoscope.run.client_hosts import look
from radoscope.run.journal import Entry
from radoscope.sandbox import Sandbox
from radoscope.session.clients import clients_of_sandbox, clients_of_user
from radoscope.session.place import Place, SandboxDisk
from radoscope.session.proxmox import corosync_beside_ceph
from radoscope.session.removers import remove_sandbox
from radoscope.session.request import StudyRequest
from radoscope.session.session import Session
from radoscope.session.target import Target
from radoscope.session.there import cluster_of, is_at, sites_of, there, ways_to
from radoscope.sites import Local, Site
from radoscope.sites.pod import Pod

"""Hosts that are pinged side by side, a hundred times a second each; of more, so many, spread over all."""
_MOST_NAMED = 5
_NO_OTHER_HOST = "all OSDs are on the host that the load comes from"


@contextmanager
def opened(session: Session) -> Iterator[Place]:
    """The place of a study; an embedded cluster that was started for it is removed at the end, whatever happens."""
    target = session.request.target
    if target.at is not None:
        with there(session) as place, connected(place, session) as joined:
            yield joined
    elif target.conf is not None:
        with connected(_own_cluster(target, session.id), session) as place:
            yield place
    elif target.sandbox is not None:
        with connected(_of_sandbox(sandbox.load(target.sandbox), target)) as place:
            yield place
    elif not session.request.needs_cluster:
        yield _host_alone(target)
    else:
        with _started(session) as up, connected(_of_sandbox(up, target)) as place:
            yield place


@contextmanager
def _started(session: Session) -> Iterator[Sandbox]:
    name = f"{OWN_SANDBOX}{session.id[-4:]}"
    entry = Entry("sandbox", name)
    session.journal.will_create(entry)
    session.say("starting a Ceph cluster on this machine")
    try:
        yield sandbox.up(_embedded(name, session.request), lambda words: session.say(f"cluster: {words}"))
    finally:
        session.say("removing the cluster")
        remove_sandbox(entry)
        session.journal.removed(entry)


@contextmanager
def connected(place: Place, session: Session | None = None) -> Iterator[Place]:
    """The same place with a standing connection to its cluster. session: of a cluster of the user's."""
    if place.cluster is None:
        yield place
        return
    with place.cluster.connected() as cluster:
        joined = replace(place, cluster=cluster)
        yield _towards_the_osds(joined, cluster, session) if session is not None else joined


def _towards_the_osds(place: Place, cluster: Cluster, session: Session) -> Place:
    """Loopback and this host's disk are no part of a cluster whose OSDs are elsewhere; their hosts answer pings."""
    try:
        metadata = cluster.ceph("osd", "metadata") or []
        hosts = osd_hosts(metadata)
    except RadoscopeError:
        return replace(place, no_ways="the cluster does not report which hosts its OSDs are on")
    is_here = is_at(place.client)
    here = [host for host in hosts if is_here(host)]
    away = [host for host in hosts if host not in here]
    known = sites_of(place, away, session)
    remarks = [*(corosync_beside_ceph(place.proxmox, metadata) if place.proxmox else ()), *_unseen(place, away, known)]
    place = replace(
        place,
        osds_here=bool(here),
        hosts_here=tuple(host.name for host in here),
        osd_sites=tuple(dict.fromkeys(known.values())),
        no_ways=_NO_OTHER_HOST,
        remarks=tuple(remarks) if session.request.cells else (),
    )
    if not away or not any(cell.conditions.layer is Layer.NETWORK for cell in session.request.cells):
        return place
    tried = ways_to(away, place.client)
    silent = ", ".join(f"{way.host} ({way.address})" for way in tried if way.answers is False)
    found = tuple(way for way in tried if way.answers is not False)
    why = "" if found else f"no OSD host answers pings: {silent}"
    remarks += [f"{silent}: no answer to pings, so the path there is not measured"] if silent and found else []
    remarks += [f"{len(tried)} of {len(away)} OSD hosts are pinged"] if len(tried) < len(away) else []
    place = replace(place, no_ways=why, ways=found, remarks=tuple(remarks))
    if any(cell.conditions.tool == "iperf3" for cell in session.request.cells):
        for address, site in known.items():
            # A pod is somebody else's: it is looked from, and nothing is started in it that costs.
            if isinstance(site, Pod) or address not in {way.address for way in found}:
                continue
            if "iperf3" not in look(site, ("iperf3",)).missing:
                return replace(place, peer=site, peer_address=address)
    return place


def _unseen(place: Place, away: Sequence[OsdHost], known: Mapping[str, Site]) -> tuple[str, ...]:
    """The hosts of OSDs that nothing tells of but the OSDs themselves."""
    loading = {site.name for site in place.away}
    dark = [host.name for host in away if host.address not in known and host.name not in loading]
    if not dark:
        return ()
    more = f" and {len(dark) - _MOST_NAMED} more" if len(dark) > _MOST_NAMED else ""
    names = ", ".join(dark[:_MOST_NAMED])
    by_pods = place.cluster is not None and isinstance(place.cluster.site, Pod)
    way = (
        "--osd-host pod looks from the pods of their OSDs" if by_pods else "no login there (--osd-host ssh:[USER@]HOST)"
    )
    return (f"CPUs, links and disks of {names}{more} are not seen: {way}",)


def _embedded(name: str, request: StudyRequest) -> sandbox.SandboxSpec:
    """The cluster that is started for a study: three OSDs, on this host or each on one of its own, and what the cells
    need on top of them."""
    layers = {cell.conditions.layer for cell in request.cells}
    plain = sandbox.SandboxSpec(name=name, cephfs=Layer.CEPHFS in layers, rgw=Layer.S3 in layers)
    return plain if request.target.hosts is None else replace(plain, hosts=request.target.hosts, osds=1)


def _own_cluster(target: Target, run_id: str) -> Place:
    return Place(
        cluster=cluster_of(target),
        words=f"cluster of {target.conf}, {target.pool_words}",
        disk_folder=target.disk_folder or _home(),
        disk=Local() if target.disk_folder or target.device else None,
        clients=clients_of_user(target.clients, run_id, target.ssh_config) or (Local(),),
        shared=True,
    )


def _of_sandbox(up: Sandbox, target: Target) -> Place:
    client, peer, address = _ends(up)
    clients = clients_of_sandbox(target.clients, up) or (client,)
    storage = sum("osd" in host.role for host in up.hosts)
    words = f"sandbox {up.name}: {len(up.osds)} OSDs on {storage} host{'s' if storage > 1 else ''}"
    return Place(
        cluster=up.ceph,
        words=f"{words}, all on this machine",
        client=clients[0],
        peer=peer,
        peer_address=address,
        disk_folder=target.disk_folder or up.directory,
        disk=SandboxDisk(up),
        clients=clients,
        embedded=up,
    )


def _ends(up: Sandbox) -> tuple[Site, Site, str]:
    """The client host and a storage host of a sandbox; this host twice where it has no namespaces."""
    clients = [host for host in up.clients if host.namespace]
    storage = [host for host in up.hosts if host.namespace and host not in clients]
    if not clients or not storage:
        return Local(), Local(), "127.0.0.1"
    return clients[0].site, storage[0].site, storage[0].public_address


def _host_alone(target: Target) -> Place:
    return Place(
        cluster=None,
        words="this host, without a cluster",
        peer=Local(),
        peer_address="127.0.0.1",
        disk_folder=target.disk_folder or _home(),
        disk=Local(),
    )


def _home() -> Path:
    paths.home().mkdir(parents=True, exist_ok=True)
    return paths.home()
