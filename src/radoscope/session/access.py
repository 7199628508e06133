"""A user who may use the run's pools and nothing else, and what brings client hosts to the cluster as that user."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from radoscope.ceph import Cluster
from radoscope.errors import SiteError, ToolFailed
from radoscope.run.journal import Entry
from radoscope.run.prepared import CONF, KEYRING, Prepared
from radoscope.session.session import Session
from radoscope.sites import Site, talk
from radoscope.sites.container import Container
from radoscope.sites.named import to_json
from radoscope.sites.pod import Pod


def open_pools(session: Session, cluster: Cluster, prepared: Prepared, below: Sequence[str]) -> Prepared:
    """With a user who may use its pool and those below it."""
    user = f"client.{session.name}"
    own = [name for name in (prepared.pool, prepared.data_pool) if name]
    session.say(f"creating the user {user} with rights to pool {' and '.join(own)} only")
    rights = ", ".join(f"allow rwx pool={name}" for name in (*own, *below))
    keyring, conf = session.work / KEYRING, session.work / CONF
    session.journal.will_create(Entry("user", user, {"cluster": cluster.to_json()}))
    # allow r on the monitors: a client needs the maps. Nothing on the managers, nothing on any other pool.
    key = cluster.ceph_text("auth", "get-or-create", user, "mon", "allow r", "osd", rights)
    keyring.touch(mode=0o600)
    keyring.write_text(key)
    minimal = cluster.ceph_text("config", "generate-minimal-conf")
    conf.write_text(_client_conf(minimal, keyring))
    prepared = replace(prepared, client_conf=conf, user=user, namespace=session.name)
    for site in session.place.away:
        _equip(site, prepared, session, minimal)
    return prepared


def remote_entry(site: Site, run_id: str) -> Entry:
    """What the journal keeps of a folder on another host, so that a later process can remove it."""
    return Entry("remote-folder", f"{site.name}:{site.folder}", {"site": to_json(site), "run": run_id})


def _client_conf(minimal: str, keyring: Path) -> str:
    # The cache of librbd would answer in the cluster's place; the logs and sockets of clients would litter the host.
    return f"{minimal}\n[client]\nkeyring = {keyring}\nrbd cache = false\nlog file =\nadmin socket =\n"


def _equip(site: Site, prepared: Prepared, session: Session, minimal: str) -> None:
    """Bring a client host the least that it needs, and see that it reaches the cluster with it. Raises SiteError."""
    session.say(f"copying a ceph.conf and the key of {prepared.user} to client host {site.name}")
    if not isinstance(site, Container | Pod):  # its folder goes with it
        session.journal.will_create(remote_entry(site, session.id))
    talk.make_folder(site)
    keyring = talk.put(site, KEYRING, (session.work / KEYRING).read_text())
    conf = talk.put(site, CONF, _client_conf(minimal, keyring))
    argv = ("rados", *replace(prepared, client_conf=conf).ceph_arguments(), "ls")
    try:
        talk.tell(site, 'timeout 20 "$@" >/dev/null', *argv, timeout_s=30.0)
    except ToolFailed as error:
        raise SiteError(
            f"{error.message}: it does not reach the cluster as {prepared.user}",
            "Are the monitors' and OSDs' addresses (public network) reachable from that host?",
        ) from None
