"""A cluster that is reached by `--at`: its commands and the load run over there, and this machine conducts."""

from __future__ import annotations

import ipaddress
import json
import re
import select
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from radoscope import sandbox
from radoscope.archives.environment import environment_from
from radoscope.ceph import Cluster
from radoscope.ceph.hosts import OsdHost, osd_hosts
from radoscope.errors import PlanError, RadoscopeError, SiteError
from radoscope.plan.estimate import Cost
from radoscope.plan.expand import by_rbd_bench
from radoscope.records.environment import Environment
from radoscope.run import probes
from radoscope.run.client_hosts import look
from radoscope.run.journal import Entry
from radoscope.run.preflight import check_room, tools_of
from radoscope.run.processes import LABEL
from radoscope.session import proxmox
from radoscope.session.clients import clients_of_user
from radoscope.session.place import Place
from radoscope.session.session import Session
from radoscope.session.target import Target
from radoscope.sites import Local, Site, Ssh, talk
from radoscope.sites.container import READY, Container, found
from radoscope.sites.named import at, cephadm_host, folder_of, ssh_host, to_json
from radoscope.sites.pod import Pod, image_of, manifest, node_of, nodes_of, pod_name, pods_of_osds, start, toolbox
from radoscope.sites.ways import Way, ways

CONF = Path("/etc/ceph/ceph.conf")
"""Where the cluster's configuration is over there, unless --conf says otherwise."""

# A host that has the image already needs a second; one that has to fetch it, minutes.
_START_S = 300.0
_END_S = 20.0
_MOST_WAYS = 16
_LOCAL_ADDRESS = re.compile(r"\|-- (\S+)\n\s+/32 host LOCAL")


def cluster_there(target: Target, run_id: str) -> Cluster:
    """The cluster as the host that `--at` names reaches it. Raises PlanError, SiteError, ToolFailed."""
    assert target.at is not None
    for path, option in ((target.conf, "--conf"), (target.keyring, "--keyring"), (target.disk_folder, "--disk-folder")):
        if path is not None and not path.is_absolute():
            raise PlanError(f"{option} {path}: not an absolute path", "With --at it is a path on that host.")
    conf, folder = target.conf or CONF, folder_of(run_id)
    site: Site
    if (box := toolbox(target.at)) is not None:
        if target.disk_folder is not None:
            raise PlanError("--disk-folder cannot be reached by --at kubectl", "A pod of ours has no disk of an OSD.")
        box = replace(box, image=image_of(box))
        return Cluster(conf=conf, user=target.user, keyring=target.keyring, site=box)
    if (via := cephadm_host(target.at, folder, target.ssh_config)) is not None:
        keyring = target.keyring or conf.parent / f"ceph.{target.user}.keyring"
        site = found(via, conf, keyring, folder, target.image, target.disk_folder)
    else:
        site = at(target.at, folder, target.ssh_config)
        talk.tell(site, ":")  # a host that is not reached is told before all else
    return Cluster(conf=conf, user=target.user, keyring=target.keyring, site=site)


def cluster_of(target: Target) -> Cluster:
    """A cluster of the user's, wherever its commands run. Asks nothing yet. Raises PlanError."""
    if target.at is not None:
        return cluster_there(target, "look")
    assert target.conf is not None
    if not target.conf.is_file():
        raise PlanError(f"{target.conf}: no such file", "--conf names the ceph.conf of your cluster.")
    if target.keyring is not None and not target.keyring.is_file():
        raise PlanError(f"{target.keyring}: no such file", "--keyring names the keyring of --id.")
    return Cluster(conf=target.conf.absolute(), user=target.user, keyring=target.keyring)


@contextmanager
def there(session: Session) -> Iterator[Place]:
    """Load comes from the site that `--at` names, or from those that `--client` names. Raises RadoscopeError."""
    target = session.request.target
    cluster = cluster_there(target, session.id)
    with ExitStack() as stack:
        if isinstance(cluster.site, Container):
            site: Site = stack.enter_context(_standing(session, cluster.site))
            cluster = replace(cluster, site=site)
        if isinstance(cluster.site, Pod):
            clients = _pods(session, cluster.site)
            yield _place(session, cluster, clients[0], clients)
        elif proxmox.is_pve(target.at) and isinstance(cluster.site, Ssh):
            seen = proxmox.look(cluster.site)
            clients = proxmox.load_hosts(target.clients, seen, session.id, cluster.site)
            place = _place(session, cluster, cluster.site, clients)
            yield replace(place, proxmox=seen, words=f"{place.words}, Proxmox VE {seen.release}")
        else:
            clients = clients_of_user(target.clients, session.id, target.ssh_config, here=cluster.site)
            yield _place(session, cluster, cluster.site, clients)


def _pods(session: Session, box: Pod) -> tuple[Site, ...]:
    """Pods of our own, as many as the user names, each on its node or where Kubernetes puts it."""
    image, asked = session.request.target.image or box.image, []
    for number, node in enumerate(nodes_of(session.request.target.clients)):
        name = pod_name(session.id, number)
        session.journal.will_create(Entry("pod", name, {"kubectl": list(box.kubectl)}))
        session.say(f"starting the pod {name} of {image}" + (f" on {node}" if node else ""))
        asked.append(manifest(name, image, session.id, node))
    return start(replace(box, image=image), asked)


def _place(session: Session, cluster: Cluster, site: Site, clients: tuple[Site, ...]) -> Place:
    target = session.request.target
    place = Place(
        cluster=cluster,
        words=f"cluster of {cluster.conf} on {cluster.site.name}, {target.pool_words}",
        client=site,
        disk_folder=target.disk_folder or Path("/nowhere"),
        disk=site if target.disk_folder else None,
        clients=clients or (site,),
        shared=True,
    )
    if not isinstance(site, Container | Pod):
        return place
    cells = session.request.cells
    seen = look(site, sorted(tools_of((*cells, *map(by_rbd_bench, cells)))))
    lacks = {*seen.missing, *(("fio",) if any("rbd engine" in fault for fault in seen.faults) else ())}
    return replace(place, lacks=frozenset(lacks), image=site.image)


@contextmanager
def _standing(session: Session, container: Container) -> Iterator[Container]:
    """The container while it stands; it ends with its standard input."""
    details = {"via": to_json(container.via), "runtime": container.runtime}
    session.journal.will_create(Entry("container", container.title, details))
    session.say(f"starting the container {container.title} of {container.image} on {container.name}")
    with tempfile.TemporaryFile() as said:
        process = talk.begin(container.start_words(), {LABEL: session.id}, said)
        assert process.stdout is not None
        try:
            ready, _, _ = select.select([process.stdout], [], [], _START_S)
            if not ready or not process.stdout.readline().startswith(READY):
                process.kill()
                process.wait()
                said.seek(0)
                raise SiteError(
                    f"no container of {container.image} starts on {container.name}: "
                    f"{talk.last_words(said.read()) or f'not within {_START_S:.0f} s'}",
                    "Does `cephadm shell -- ceph -s` work there? --image names another one.",
                )
            yield replace(container, standing=True)
        finally:
            talk.end(process, _END_S)
            process.stdout.close()


def is_at(site: Site) -> Callable[[OsdHost], bool]:
    """Whether a host of OSDs is this site's own, by the addresses in its kernel: fib_trie and if_inet6 of proc."""
    if site.folder is None:
        return lambda host: host.is_here
    script = "cat /proc/net/fib_trie; echo; echo ---; cat /proc/net/if_inet6 2>/dev/null; true"
    four, _, six = talk.tell(site, script).decode("utf-8", "replace").partition("---\n")
    words = [line.split() for line in six.splitlines()]
    own = {ipaddress.ip_address(address) for address in _LOCAL_ADDRESS.findall(four)}
    own |= {ipaddress.ip_address(int(fields[0], 16)) for fields in words if len(fields) == 6}

    def found(host: OsdHost) -> bool:
        address = ipaddress.ip_address(host.address)
        # A pod has an address of its own, and shares the machine's cables all the same.
        on_node = isinstance(site, Pod) and (host.name == site.node or host.address == site.address)
        return on_node or address.is_loopback or address in own

    return found


def sites_of(place: Place, hosts: Sequence[OsdHost], session: Session) -> dict[str, Site]:
    """Address of a host of OSDs -> the way to it: nodes of Proxmox VE, and what `--osd-host` names, by ssh or by a pod.

    hosts: those that the load does not come from. Raises PlanError where a host that is named has none of their OSDs.
    """
    target, names = session.request.target, {site.name: site for site in place.away}
    known: dict[str, Site] = {}
    if place.proxmox is not None:
        nodes = {one.name: one for one in proxmox.other_nodes(place.client, place.proxmox, session.id)}
        known = {host.address: names.get(host.name, nodes[host.name]) for host in hosts if host.name in nodes}
    for number, word in enumerate(target.osd_hosts):
        named = _named(word, number, hosts, place, session)
        if not named:
            raise PlanError(
                f"--osd-host {word}: no OSD of the cluster is there, or the load comes from it",
                f"Hosts of OSDs: {', '.join(f'{host.name} ({host.address})' for host in hosts) or 'no others'}.",
            )
        known |= {address: names.get(site.name, site) for address, site in named.items()}
    return known


def _named(word: str, number: int, hosts: Sequence[OsdHost], place: Place, session: Session) -> dict[str, Site]:
    """Address of each of these hosts that a word of `--osd-host` names -> the way to it. Raises PlanError."""
    box, node = place.cluster.site if place.cluster is not None else None, node_of(word)
    if isinstance(box, Pod) and node is not None:
        pods = pods_of_osds(box)
        first = ((host.address, next((pods[osd] for osd in host.osds if osd in pods), None)) for host in hosts)
        return {address: pod for address, pod in first if pod is not None and node in ("", pod.node)}
    site = ssh_host(word, folder_of(session.id, f"osd{number}"), session.request.target.ssh_config)
    if site is None:
        raise PlanError(
            f"--osd-host {word}: neither ssh:[USER@]HOST nor, with --at kubectl, pod or pod:NODE",
            "For example ssh:root@node2.",
        )
    return {host.address: site for host in hosts if is_at(site)(host)}


def check_file_space_there(place: Place, cost: Cost) -> None:
    """Raise SiteError when the test file would not fit in the folder over there."""
    assert place.disk is not None
    if cost.file_bytes == 0:
        return
    folder = place.disk_folder
    try:
        told = talk.run(place.disk, ("df", "-Pk", "--", str(folder))).decode("utf-8", "replace")
        total, free = (int(told.splitlines()[-1].split()[column]) * 1024 for column in (1, 3))
    except (RadoscopeError, ValueError, IndexError):
        raise SiteError(
            f"{folder} on {place.disk.name} cannot be used", "Name an existing folder there with --disk-folder."
        ) from None
    check_room(f"{folder} on {place.disk.name}", free, total, cost.file_bytes)


def look_at(target: Target) -> tuple[Environment, tuple[Way, ...]]:
    """What the probes see of a cluster now, and the ways to its OSDs. Raises SiteError when it does not answer."""
    cluster = cluster_of(target) if target.sandbox is None else sandbox.load(target.sandbox).ceph
    with cluster.connected() as asked:
        asked.ceph("status")  # the probes note what fails; here, nobody home is an answer by itself
        host = probes.host.capture(asked.site if asked.is_elsewhere else Local())
        texts = {**host, **probes.cluster.capture(asked)}
        found = ways_to_osds(asked)
    return environment_from({name: json.loads(text) for name, text in texts.items()}, target.pool or ""), found


def ways_to_osds(cluster: Cluster) -> tuple[Way, ...]:
    """From where its commands run to the other hosts of OSDs. Raises SiteError when the cluster does not answer."""
    is_here = is_at(cluster.site)
    hosts = osd_hosts(cluster.ceph("osd", "metadata") or [])
    return ways_to([host for host in hosts if not is_here(host)], cluster.reached_from)


def ways_to(hosts: Sequence[OsdHost], site: Site) -> tuple[Way, ...]:
    """The ways from a site to these hosts, or to some of them where they are many."""
    some = hosts[:: max(1, -(-len(hosts) // _MOST_WAYS))]
    return ways(site, [(host.name, host.address) for host in some]) if some else ()
