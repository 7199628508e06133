"""A cluster that is reached by `--at`: its commands and the load run over there, and this machine conducts."""

from __future__ import annotations

import ipaddress
import re
from pathlib import Path

from radoscope.ceph import Cluster
from radoscope.errors import PlanError, RadoscopeError, SiteError
from radoscope.plan.estimate import Cost
from radoscope.session.clients import clients_of_user
from radoscope.session.place import Place
from radoscope.session.target import Target
from radoscope.sites import Site, talk
from radoscope.sites.named import at
from radoscope.units import format_bytes

CONF = Path("/etc/ceph/ceph.conf")
"""Where the cluster's configuration is over there, unless --conf says otherwise."""

_LOCAL_ADDRESS = re.compile(r"\|-- (\S+)\n\s+/32 host LOCAL")


def cluster_there(target: Target, run_id: str) -> Cluster:
    """The cluster as the host that `--at` names reaches it. Asks nothing yet. Raises PlanError."""
    assert target.at is not None
    for path, option in ((target.conf, "--conf"), (target.keyring, "--keyring"), (target.disk_folder, "--disk-folder")):
        if path is not None and not path.is_absolute():
            raise PlanError(f"{option} {path}: not an absolute path", "With --at it is a path on that host.")
    site = at(target.at, Path(f"/tmp/radoscope-{run_id}-0"), target.ssh_config)
    return Cluster(conf=target.conf or CONF, user=target.user, keyring=target.keyring, site=site)


def cluster_of(target: Target, run_id: str = "look") -> Cluster:
    """A cluster of the user's, wherever its commands run. Asks nothing yet. Raises PlanError."""
    if target.at is not None:
        return cluster_there(target, run_id)
    assert target.conf is not None
    if not target.conf.is_file():
        raise PlanError(f"{target.conf}: no such file", "--conf names the ceph.conf of your cluster.")
    if target.keyring is not None and not target.keyring.is_file():
        raise PlanError(f"{target.keyring}: no such file", "--keyring names the keyring of --id.")
    return Cluster(conf=target.conf.absolute(), user=target.user, keyring=target.keyring)


def place_there(target: Target, run_id: str) -> Place:
    """Load comes from that host, or from those that `--client` names. Raises PlanError, SiteError."""
    cluster = cluster_there(target, run_id)
    site = cluster.site
    talk.tell(site, ":")  # a host that is not reached is told before all else
    pool = f"pool {target.pool}" if target.pool else "its own pool"
    return Place(
        cluster=cluster,
        words=f"cluster of {cluster.conf} on {site.name}, {pool}",
        client=site,
        peer=None,
        peer_address="",
        disk_folder=target.disk_folder or Path("/nowhere"),
        disk=site if target.disk_folder else None,
        clients=clients_of_user(target.clients, run_id, target.ssh_config, here=site) or (site,),
        shared=True,
    )


def own_addresses(site: Site) -> frozenset[str]:
    """The addresses of a host, as its kernel has them. Source: fib_trie and if_inet6 of proc."""
    script = "cat /proc/net/fib_trie; echo; echo ---; cat /proc/net/if_inet6 2>/dev/null; true"
    four, _, six = talk.tell(site, script).decode("utf-8", "replace").partition("---\n")
    hexadecimal = [line.split()[0] for line in six.splitlines() if len(line.split()) == 6]
    return frozenset(
        {*_LOCAL_ADDRESS.findall(four), *(str(ipaddress.IPv6Address(int(one, 16))) for one in hexadecimal)}
    )


def check_file_space_there(place: Place, cost: Cost) -> None:
    """Raise SiteError when the test file would not fit in the folder over there, with 2 % of the disk to spare."""
    if place.disk is None or cost.file_bytes == 0:
        return
    folder = place.disk_folder
    try:
        told = talk.run(place.disk, ("df", "-Pk", "--", str(folder))).decode("utf-8", "replace")
        total, free = (int(told.splitlines()[-1].split()[column]) * 1024 for column in (1, 3))
    except (RadoscopeError, ValueError, IndexError):
        raise SiteError(
            f"{folder} on {place.disk.name} cannot be used", "Name an existing folder there with --disk-folder."
        ) from None
    if free - cost.file_bytes < total * 0.02:
        raise SiteError(
            f"{folder} on {place.disk.name} has {format_bytes(free)} free; the test file takes "
            f"{format_bytes(cost.file_bytes)}",
            "Use --disk-folder on a larger disk, or a plan with a smaller file_size.",
        )
