"""Leftovers in a cluster without a journal on this host: our own by their tag, other tools' by their known names."""

from __future__ import annotations

import json
import math
import re
import shlex
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from radoscope.ceph import Cluster, file_systems
from radoscope.errors import RadoscopeError
from radoscope.run.cleaning import CLIENTS, TAG
from radoscope.run.journal import Entry
from radoscope.sites import Site, talk
from radoscope.sites.container import Container, standing_on
from radoscope.sites.named import to_json
from radoscope.sites.pod import Pod, pods_of_runs

_RUN = re.compile(r"\d{8}-\d{6}-.+-[0-9a-f]{4}")  # as session.request makes it
_FOREIGN_POOLS = re.compile(r"cbt-|rados-bench-cbt|sibench|fio-test|benchmark")


@dataclass(frozen=True, slots=True)
class ForeignLitter:
    """Something that another benchmark seems to have left: shown, never touched. remove: the command that would."""

    what: str
    remove: str


@dataclass(frozen=True, slots=True)
class Marked:
    """What carries radoscope's mark. unseen: what could not be looked at, and why."""

    entries: tuple[Entry, ...] = ()
    unseen: tuple[str, ...] = ()


def find_marked(cluster: Cluster, known_runs: Collection[str], hosts: Sequence[Site] = ()) -> Marked:
    """Everything with radoscope's mark that was made by runs that this host has no journal of.

    hosts: where their folders may be, beside the one that the cluster's commands run on. Raises RadoscopeError where
    the cluster does not even list its pools; what else cannot be looked at hides nothing of the rest.
    """
    entries = list(_pools(cluster, known_runs))
    unseen = []
    looks: tuple[tuple[str, Iterator[Entry]], ...] = (
        *((f"folders on {site.name}", _folders(site, known_runs)) for site in (cluster.site, *hosts)),
        ("users", _users(cluster, known_runs)),
        ("subvolumes of CephFS", _subvolumes(cluster, known_runs)),
        ("users of S3", _s3_users(cluster, known_runs)),
        ("CRUSH rules", _rules(cluster, known_runs)),
    )
    for what, look in looks:
        try:
            entries += look
        except RadoscopeError as error:
            unseen.append(f"{what}: {error}")
    # What still runs would write to what is removed.
    entries.sort(key=lambda entry: entry.kind not in CLIENTS)
    return Marked(tuple(entries), tuple(unseen))


def run_of(entry: Entry) -> str:
    """The run that made it, by its mark or its name; "" where neither says."""
    found = _RUN.search(str(entry.details.get("run") or entry.name))
    return found[0] if found else ""


def age_s(run: str, now: datetime) -> float:
    """Seconds since a run began, by its name; infinite where it has none."""
    if not run:
        return math.inf
    return (now - datetime.strptime(run[:15], "%Y%m%d-%H%M%S").replace(tzinfo=UTC)).total_seconds()


def _pools(cluster: Cluster, known_runs: Collection[str]) -> Iterator[Entry]:
    for pool in cluster.ceph("osd", "pool", "ls", "detail") or []:
        run = pool.get("application_metadata", {}).get(TAG, {}).get("run")
        if run and run not in known_runs:
            yield Entry("pool", pool["pool_name"], {"cluster": cluster.to_json(), "run": run})


def _users(cluster: Cluster, known_runs: Collection[str]) -> Iterator[Entry]:
    for user in (cluster.ceph("auth", "ls") or {}).get("auth_dump", []):
        if _is_unknown(user["entity"].removeprefix("client."), known_runs):
            yield Entry("user", user["entity"], {"cluster": cluster.to_json()})


def _subvolumes(cluster: Cluster, known_runs: Collection[str]) -> Iterator[Entry]:
    for system in file_systems.names(cluster):
        for name in file_systems.subvolumes(cluster, system):
            if _is_unknown(name, known_runs):
                yield Entry("subvolume", name, {"cluster": cluster.to_json(), "fs": system})


def _s3_users(cluster: Cluster, known_runs: Collection[str]) -> Iterator[Entry]:
    """Asked only where there is a gateway: radosgw-admin makes the pools that it misses."""
    if "rgw" not in (cluster.ceph("status").get("servicemap") or {}).get("services", {}):
        return
    for name in json.loads(cluster.radosgw_admin("user", "list")):
        if _is_unknown(name, known_runs):
            yield Entry("s3-user", name, {"cluster": cluster.to_json()})


def _rules(cluster: Cluster, known_runs: Collection[str]) -> Iterator[Entry]:
    """Of pinned layers: `radoscope-`, the kind, and the run."""
    for name in cluster.ceph("osd", "crush", "rule", "ls") or []:
        entry = Entry("crush-rule", name, {"cluster": cluster.to_json()})
        if name.startswith("radoscope-") and (run := run_of(entry)) and run not in known_runs:
            yield entry


def _is_unknown(name: str, known_runs: Collection[str]) -> bool:
    """What has no tag is ours only if its name is that of a run: an administrator may have a client.radoscope-admin."""
    run = name.removeprefix("radoscope-")
    return run != name and run not in known_runs and _RUN.fullmatch(run) is not None


def _folders(site: Site, known_runs: Collection[str]) -> Iterator[Entry]:
    """Those of runs on a host that is not this machine, or the containers that have them.

    One that is held by another user is left to that user.
    """
    if site.folder is None:
        return
    if isinstance(site, Container):
        for title in standing_on(site.via, site.runtime):
            if title.removeprefix("radoscope-") not in known_runs:
                yield Entry("container", title, {"via": to_json(site.via), "runtime": site.runtime})
        return
    if isinstance(site, Pod):
        for name, run in pods_of_runs(site):
            if run not in known_runs:
                yield Entry("pod", name, {"kubectl": list(site.kubectl), "run": run})
        return
    script = 'for one in /tmp/radoscope-*; do [ -d "$one" ] && [ -O "$one" ] && echo "$one"; done; true'
    for line in talk.tell(site, script).decode("utf-8", "replace").splitlines():
        folder = Path(line)
        run = folder.name.removeprefix("radoscope-").rpartition("-")[0]
        if _RUN.fullmatch(run) and run not in known_runs:
            there = {**to_json(site), "folder": line}
            yield Entry("remote-folder", f"{site.name}:{folder}", {"site": there, "run": run})


def find_foreign(cluster: Cluster) -> tuple[ForeignLitter, ...]:
    """Objects that rados bench leaves when it is killed, and pools of other benchmarks."""
    found = []
    for pool in cluster.ceph("osd", "pool", "ls") or []:
        if pool.startswith("radoscope-"):
            continue
        quoted = shlex.quote(pool)  # people copy these commands
        if _FOREIGN_POOLS.match(pool):
            words = f"ceph osd pool delete {quoted} {quoted} --yes-i-really-really-mean-it"
            found.append(ForeignLitter(f"pool {pool}", words))
        if _has_benchmark_objects(cluster, pool):
            words = f"objects benchmark_data_* in pool {pool}"
            found.append(ForeignLitter(words, f"rados -p {quoted} cleanup --prefix benchmark_data"))
    return tuple(found)


def _has_benchmark_objects(cluster: Cluster, pool: str) -> bool:
    """rados bench names its metadata so; one look instead of a list of all objects of a large pool."""
    try:
        cluster.rados("-p", pool, "stat", "benchmark_last_metadata", timeout_s=20)
    except RadoscopeError:
        return False
    return True
