"""Pools of the run's own, marked as such: the one that is measured in, and those of one copy below it."""

from __future__ import annotations

import socket
from functools import partial

from radoscope.ceph import Cluster
from radoscope.run import pinned
from radoscope.run.cleaning import TAG
from radoscope.run.journal import Entry
from radoscope.session.session import Session
from radoscope.session.waiting import settle, until


def make_pool(
    session: Session, cluster: Cluster, name: str, *, groups: int, replicas: int | None, rule: str | None
) -> None:
    """A replicated pool whose placement groups are clean."""
    session.journal.will_create(Entry("pool", name, {"cluster": cluster.to_json(), "run": session.id}))
    count = str(groups)
    cluster.ceph_text("osd", "pool", "create", name, count, count, "replicated", *([rule] if rule else []))
    cluster.ceph_text("osd", "pool", "application", "enable", name, TAG)
    cluster.ceph_text("osd", "pool", "application", "set", name, TAG, "run", session.id)
    cluster.ceph_text("osd", "pool", "application", "set", name, TAG, "host", socket.gethostname())
    cluster.ceph_text("osd", "pool", "application", "enable", name, "rbd", "--yes-i-really-mean-it")
    cluster.ceph_text("osd", "pool", "set", name, "pg_autoscale_mode", "off")
    if replicas is not None:
        sure = ["--yes-i-really-mean-it"] if replicas == 1 else []
        cluster.ceph_text("osd", "pool", "set", name, "size", str(replicas), *sure)
    settle(session)


def make_pool_below(session: Session, cluster: Cluster, kind: str, victim: pinned.Victim) -> str:
    """The name of a new pool with one copy. kind: what it is pinned to."""
    name = f"radoscope-one-{kind}-{session.id}"
    session.say(f"creating the pool {name}, one copy on {victim.words(kind)}")
    rule = pinned.make_rule(cluster, session.journal, session.id, kind, victim)
    make_pool(session, cluster, name, groups=victim.groups(kind), replicas=1, rule=rule)
    if kind == "osd":
        pinned.pin_to_osd(cluster, name, victim.osd)
        until(partial(pinned.is_pinned, cluster, name, victim.osd), session, f"{name} was not on one OSD only")
        settle(session)
    return name


def placement_groups(cluster: Cluster, replicas: int | None) -> int:
    """A power of two of at most 100 copies an OSD, Ceph's own target; at most 1024 for a pool of minutes."""
    osds = int(cluster.ceph("osd", "stat")["num_in_osds"])
    wanted = 100 * osds / (replicas or 3)
    power = 16
    while power * 2 <= wanted and power < 1024:
        power *= 2
    return max(32, power) if osds >= 3 else power
