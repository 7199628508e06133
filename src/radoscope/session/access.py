"""A user who may use the run's pools and nothing else, and what brings client hosts to the cluster as that user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from radoscope.ceph import Cluster
from radoscope.ceph.rights import quoted
from radoscope.errors import SiteError, ToolFailed
from radoscope.run.journal import Entry
from radoscope.run.prepared import CONF, KEYRING, Prepared
from radoscope.session.session import Session
from radoscope.session.waiting import settle_unless_placed
from radoscope.sites import Site, talk
from radoscope.sites.container import Container
from radoscope.sites.named import to_json
from radoscope.sites.pod import Pod

_MOUNT_S = 20


def open_pools(
    session: Session, cluster: Cluster, prepared: Prepared, below: Sequence[str], more: Mapping[str, str]
) -> Prepared:
    """With a user who may use its pool and those below it, and has `more` rights, by service, for a file system."""
    user = f"client.{session.name}"
    own = [name for name in (prepared.pool, prepared.data_pool) if name]
    things = [*(f"pool {name}" for name in own), *(["its subvolume"] if prepared.folder else [])]
    session.say(f"creating the user {user} with rights to {' and '.join(things) or 'read the maps'} only")
    on_osds = ", ".join(
        (*(f"allow rwx pool={quoted(name)}" for name in (*own, *below)), *filter(None, (more.get("osd"),)))
    )
    rights = [word for service, right in {**more, "osd": on_osds}.items() if right for word in (service, right)]
    keyring, conf = session.work / KEYRING, session.work / CONF
    session.journal.will_create(Entry("user", user, {"cluster": cluster.to_json()}))
    # allow r on the monitors: a client needs the maps. Nothing on the managers, nothing on any other pool.
    key = cluster.ceph_text("auth", "get-or-create", user, "mon", "allow r", *rights)
    keyring.touch(mode=0o600)
    keyring.write_text(key)
    minimal = cluster.ceph_text("config", "generate-minimal-conf")
    conf.write_text(_client_conf(minimal, keyring, prepared.file_system))
    prepared = replace(prepared, client_conf=conf, user=user, namespace=session.name)
    settle_unless_placed(session, cluster, (*own, *below))
    if away := session.place.away:
        _equip(away, prepared, session, minimal)
    return prepared


def remote_entry(site: Site, run_id: str) -> Entry:
    """What the journal keeps of a folder on another host, so that a later process can remove it."""
    return Entry("remote-folder", f"{site.name}:{site.folder}", {"site": to_json(site), "run": run_id})


def _client_conf(minimal: str, keyring: Path, file_system: str) -> str:
    # The cache of librbd would answer in the cluster's place; the logs and sockets of clients would litter the host.
    general = f"{minimal}\n[client]\nkeyring = {keyring}\nrbd cache = false\nlog file =\nadmin socket =\n"
    if not file_system:
        return general
    # Before Ceph 16 the option has another name. Who waits for an MDS that is gone waits 300 s by default.
    names = (f"{option} = {file_system}\n" for option in ("client fs", "client mds namespace"))
    return f"{general}{''.join(names)}client mount timeout = {_MOUNT_S}\n"


def _equip(sites: Sequence[Site], prepared: Prepared, session: Session, minimal: str) -> None:
    """Bring client hosts the least that they need, and see that they reach the cluster with it. Raises SiteError."""
    names = ", ".join(site.name for site in sites)
    session.say(f"copying a ceph.conf and the key of {prepared.user} to client host {names}")
    for site in sites:
        if not isinstance(site, Container | Pod):  # its folder goes with it
            session.journal.will_create(remote_entry(site, session.id))
    with ThreadPoolExecutor(len(sites)) as pool:
        list(pool.map(lambda site: _let_in(site, prepared, (session.work / KEYRING).read_text(), minimal), sites))


def _let_in(site: Site, prepared: Prepared, key: str, minimal: str) -> None:
    assert site.folder is not None
    conf = _client_conf(minimal, site.folder / KEYRING, prepared.file_system)
    talk.bring(site, {KEYRING: key, CONF: conf})
    there = prepared.at(site)
    own = ("rados", *there.ceph_arguments(), "ls")
    argv = own if prepared.pool else ("rados", "-c", str(there.client_conf), "-n", prepared.user, "lspools")
    try:
        talk.tell(site, 'timeout 20 "$@" >/dev/null', *argv, timeout_s=30.0)
    except ToolFailed as error:
        raise SiteError(
            f"{error.message}: it does not reach the cluster as {prepared.user}",
            "Are the monitors' and OSDs' addresses (public network) reachable from that host?",
        ) from None
