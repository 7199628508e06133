"""Take down what a journal says was made: the same code after success, failure, Ctrl-C, and for a run that died."""

from __future__ import annotations

import json
import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path

from radoscope import paths
from radoscope.ceph import Cluster, file_systems
from radoscope.ceph.pools import despite_flag
from radoscope.errors import RadoscopeError, SiteError, ToolFailed
from radoscope.run.journal import Entry, Journal
from radoscope.run.pinned import remove_rule
from radoscope.run.processes import LABEL, SWITCH_LABEL
from radoscope.sites import container, pod, talk
from radoscope.sites.named import from_json

CLIENTS = ("processes", "container", "pod", "remote-folder")
"""Kinds that load comes from. They go first: nothing can be removed from under a process that still writes to it."""

Remover = Callable[[Entry], None]
_Reach = Callable[[Entry], Cluster]
"""The cluster that an entry is in."""

TAG = "radoscope"
"""The pool application that tags a pool with its owner, so that any host can recognise it."""

# Monitors gather changes for paxos_propose_interval, 1 s, before they make them: what a run had asked for when it died
# is not to be seen at once.
_IN_EFFECT_S = 3.0
# A command for a state of an experiment may still be under way. One that hangs is not waited for.
_SWITCHING_S = 10.0
# A client that was killed is still watching its image until the OSDs time it out, 30 s by default.
_AT_ONCE = 500
"""Names of objects in one command line."""
_CLEANUP_S = 60.0
"""After which a cluster that works has removed one object at least."""
_WATCH_S = 60.0
_PURGE_S = 600.0


def clean(
    journal: Journal,
    on_words: Callable[[str], None],
    removers: Mapping[str, Remover] | None = None,
    keep: str | None = None,
) -> tuple[str, ...]:
    """Remove everything listed, newest first, and delete the journal. Returns what could not be removed, and why.

    removers: further kinds, by those who know how. keep: a kind that is left standing for now.
    """
    left = []
    with _reaching() as reach:
        known = {**_removers(reach), **(removers or {})}
        for entry in sorted(journal.standing(), key=lambda entry: entry.kind not in CLIENTS):
            if entry.kind == keep:
                continue
            is_gone = _is_of_a_gone_sandbox(entry)
            if is_gone and entry.kind != "state":  # a state may be this host's: it is tried at least
                journal.removed(entry)
                continue
            if entry.kind not in known:
                left.append(f"{entry.kind} {entry.name}: unknown to this version")
                continue
            act = "restoring" if entry.kind in ("state", "fault") else "removing"
            on_words(f"{act} {entry.kind} {entry.name}")
            try:
                known[entry.kind](entry)
                journal.removed(entry)
            except (RadoscopeError, OSError) as error:
                if is_gone:
                    on_words(f"not restored, for its sandbox was taken down: {entry.kind} {entry.name}: {error}")
                    journal.removed(entry)
                else:
                    left.append(f"{entry.kind} {entry.name}: {error}")
    if not journal.standing():
        journal.end()
    return tuple(left)


def _is_of_a_gone_sandbox(entry: Entry) -> bool:
    """A thing in a sandbox that has been taken down since: there is no cluster left to ask."""
    named = entry.details.get("cluster", {}).get("conf") or dict(entry.details.get("environment", ())).get("CEPH_CONF")
    conf = Path(str(named or ""))
    return conf.is_relative_to(paths.sandboxes()) and not conf.exists()


def clean_dead(journal: Journal, on_words: Callable[[str], None], removers: Mapping[str, Remover]) -> tuple[str, ...]:
    """The same for a run that died: first everything that it had begun must have come to its end."""
    deadline = time.monotonic() + _SWITCHING_S
    while _switching(journal.run_id) and time.monotonic() < deadline:
        time.sleep(0.05)  # processes of a dead parent tell nobody when they end
    if journal.standing():
        time.sleep(max(0.0, _IN_EFFECT_S - journal.quiet_s()))
    return clean(journal, on_words, removers)


def remove_entry(entry: Entry) -> None:
    """Remove one thing, if it is still there. Raises RadoscopeError, OSError."""
    with _reaching() as reach:
        _removers(reach)[entry.kind](entry)


@contextmanager
def _reaching() -> Iterator[_Reach]:
    """Each cluster over one connection, for a `ceph` command costs 0.3 s of CPU; one that cannot be reached is tried
    once, however many things are in it."""
    with ExitStack() as connections:
        reached: dict[str, Cluster | SiteError] = {}

        def reach(entry: Entry) -> Cluster:
            kept = entry.details["cluster"]
            key = json.dumps(kept, sort_keys=True)
            if key not in reached:
                try:
                    reached[key] = connections.enter_context(Cluster.from_json(kept).connected(or_commands=False))
                except SiteError as error:
                    reached[key] = error
            found = reached[key]
            if isinstance(found, SiteError):
                raise found
            return found

        yield reach


def labelled_processes(run_id: str, label: str = LABEL) -> tuple[int, ...]:
    """The pids of all processes of this host that a run has started."""
    wanted = f"{label}={run_id}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if wanted in (folder / "environ").read_bytes().split(b"\0") and int(folder.name) != os.getpid():
                found.append(int(folder.name))
    return tuple(found)


def _switching(run_id: str) -> bool:
    """Whether a state command of a dead run still runs: its shell, or what that became, leads its group.

    A daemon that such a command has started anew is in the group of a shell that has ended.
    """
    for pid in labelled_processes(run_id, SWITCH_LABEL):
        with suppress(ProcessLookupError):
            if os.getpgid(pid) == pid:
                return True
    return False


def _remove_processes(entry: Entry) -> None:
    deadline = time.monotonic() + 20
    while pids := labelled_processes(entry.name):
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
        if time.monotonic() > deadline:
            raise ToolFailed(f"processes {pids} do not end")
        time.sleep(0.02)  # the kernel tells nobody that a process of another parent has gone


def _remove_pool(entry: Entry, cluster: Cluster) -> None:
    if entry.name not in (cluster.ceph("osd", "pool", "ls") or []):
        return
    marks = cluster.ceph("osd", "pool", "application", "get", entry.name) or {}
    owner = marks.get(TAG, {}).get("run", "")
    # Without a mark it died between making and marking the pool; then the name, which holds the run's own random
    # part, says whose it is. With another's mark it is not ours, whatever the journal says.
    if owner not in ("", entry.details["run"]) or not entry.name.endswith(str(entry.details["run"])):
        raise SiteError(f"the pool is tagged as that of run {owner!r}; it is not touched")
    sure = "--yes-i-really-really-mean-it"
    despite_flag(cluster, entry.name, "nodelete", "osd", "pool", "delete", entry.name, entry.name, sure)


def _remove_subvolume(entry: Entry, cluster: Cluster) -> None:
    """With the sessions of clients that were killed: the MDS would wait a minute for what they hold."""
    name = str(entry.details["fs"])
    if name not in file_systems.names(cluster) or entry.name not in file_systems.subvolumes(cluster, name):
        return
    for client in cluster.ceph("tell", f"mds.{name}:0", "client", "ls") or []:
        if client.get("client_metadata", {}).get("entity_id") == entry.name:
            cluster.ceph_text("tell", f"mds.{name}:0", "client", "evict", f"id={client['id']}")
    cluster.ceph_text("fs", "subvolume", "rm", name, entry.name, "--force", timeout_s=120.0)


def _remove_s3_user(entry: Entry, cluster: Cluster) -> None:
    """With its bucket and all that is in it."""
    if entry.name in json.loads(cluster.radosgw_admin("user", "list")):
        cluster.radosgw_admin("user", "rm", "--uid", entry.name, "--purge-data", timeout_s=_PURGE_S)


def _remove_image(entry: Entry, cluster: Cluster) -> None:
    pool = str(entry.details["pool"])
    if pool not in (cluster.ceph("osd", "pool", "ls") or []):
        return
    deadline = time.monotonic() + _WATCH_S
    while entry.name in cluster.rbd("ls", pool).split():
        try:
            cluster.rbd("rm", "--no-progress", f"{pool}/{entry.name}")
        except ToolFailed:
            if time.monotonic() > deadline:
                raise
            time.sleep(1.0)  # until the OSDs forget the dead client


def _remove_objects(entry: Entry, cluster: Cluster) -> None:
    """Everything in the run's own RADOS namespace; nobody else writes there.

    `rados cleanup` removes many objects side by side, but waits without end in a pool that is full, or fills up
    meanwhile; `rados rm` can be told not to. So it is asked again as long as each time leaves fewer objects.
    """
    pool = str(entry.details["pool"])
    if pool not in (cluster.ceph("osd", "pool", "ls") or []):
        return
    where = ("-p", pool, "-N", entry.name)
    rest = cluster.rados(*where, "ls").split()
    while rest and not _is_full(cluster, pool):
        before = len(rest)
        try:
            cluster.rados(*where, "cleanup", "--prefix", "benchmark_data", timeout_s=_CLEANUP_S)
        except (ToolFailed, SiteError):
            rest = cluster.rados(*where, "ls").split()
            if len(rest) >= before and not _is_full(cluster, pool):
                raise
        else:
            rest = cluster.rados(*where, "ls").split()
            break
    for first in range(0, len(rest), _AT_ONCE):
        cluster.rados(*where, "rm", *rest[first : first + _AT_ONCE], "--force-full", timeout_s=600)


def _is_full(cluster: Cluster, pool: str) -> bool:
    dump = cluster.ceph("osd", "dump") or {}
    flags = next((each.get("flags_names", "") for each in dump.get("pools", ()) if each["pool_name"] == pool), "")
    return "full" in flags.split(",")


def _remove_remote_folder(entry: Entry) -> None:
    """A folder with a key on another host, and whatever of the run still runs there."""
    # A journal of 0.1 has what is known of the host in the entry itself.
    talk.remove(from_json(entry.details.get("site", entry.details)), str(entry.details["run"]))


def _remove_file(entry: Entry) -> None:
    if "site" in entry.details:
        talk.run(from_json(entry.details["site"]), ("rm", "-f", "--", entry.name))
        return
    Path(entry.name).unlink(missing_ok=True)


def _remove_folder(entry: Entry) -> None:
    if Path(entry.name).exists():
        shutil.rmtree(entry.name)


_IN_CLUSTER: Mapping[str, Callable[[Entry, Cluster], object]] = {
    "pool": _remove_pool,
    "crush-rule": lambda entry, cluster: remove_rule(cluster, entry.name),
    "user": lambda entry, cluster: cluster.ceph_text("auth", "rm", entry.name),
    "subvolume": _remove_subvolume,
    "s3-user": _remove_s3_user,
    "image": _remove_image,
    "objects": _remove_objects,
}
_ON_HOSTS: Mapping[str, Remover] = {
    "processes": _remove_processes,
    "file": _remove_file,
    "folder": _remove_folder,
    "remote-folder": _remove_remote_folder,
    "container": lambda entry: container.remove(from_json(entry.details["via"]), entry.details["runtime"], entry.name),
    "pod": lambda entry: pod.remove(tuple(entry.details["kubectl"]), entry.name),
}


def _removers(reach: _Reach) -> dict[str, Remover]:
    def remove(act: Callable[[Entry, Cluster], object], entry: Entry) -> None:
        act(entry, reach(entry))

    return {**_ON_HOSTS, **{kind: partial(remove, act) for kind, act in _IN_CLUSTER.items()}}
