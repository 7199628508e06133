"""Filling a cluster with real objects up to a share of its space, in a pool that is removed to empty it again."""

from __future__ import annotations

import math
import shutil
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from radoscope.ceph import Connection
from radoscope.errors import SiteError
from radoscope.sandbox.cluster import Sandbox
from radoscope.sandbox.daemons import begin
from radoscope.sandbox.processes import last_lines
from radoscope.sandbox.waiting import Deadline, OnStep, wait_until
from radoscope.units import format_bytes, parse_share

POOL = "radoscope-fill"
# The process that writes; it outlives a radoscope that was killed.
WRITER = "fill"
_PLACEMENT_GROUPS = 32
_OBJECT_BYTES = 4 * 2**20
# What 100 MB a second would take and a bit; and what this machine's disk must keep.
_SLOWEST_BYTES_PER_S, _RESERVE_BYTES = 20e6, 2 * 2**30
_LONGEST_RUN_S = 24 * 3600
# Ceph's own osd_failsafe_full_ratio. An OSD tells what it holds some seconds late; a fast one runs out of space in
# that time, which ends it for good. So what it will hold is known before anything is written.
_FULLEST_OSD = 0.97
# What an OSD needs for itself varies a little.
_CLOSE_ENOUGH = 0.005
_POOL_S = 60.0


def fill(sandbox: Sandbox, share: str, on_step: OnStep = lambda _: None) -> float:
    """Write objects until the cluster is this full, or says that an OSD of it is; the share reached.

    on_step receives each further tenth. Raises PlanError when it is no share, SiteError when this machine's disk has no
    room for it, when an OSD would run out of space, or when it does not end in time.
    """
    wanted = parse_share(share)
    with sandbox.connected() as cluster:
        used, total = _usage(cluster)
        to_write = wanted * total - used
        if to_write <= _CLOSE_ENOUGH * total:
            return used / total
        _check_room(sandbox, to_write)
        copies = _make_pool(sandbox, cluster)
        _check_spread(cluster, copies, to_write, wanted)
        on_step(f"writing {format_bytes(to_write)}, all copies counted")
        objects = math.ceil(to_write / _OBJECT_BYTES * _PLACEMENT_GROUPS / copies.total())
        deadline = Deadline(_POOL_S + to_write / _SLOWEST_BYTES_PER_S)
        with _writing(sandbox, objects) as writer:
            return _wait_for(sandbox, cluster, writer, wanted, deadline, on_step)


def empty(cluster: Connection) -> bool:
    """Remove the filling; whether there was any."""
    if POOL not in {pool["poolname"] for pool in cluster.ask("osd lspools")}:
        return False
    cluster.tell("osd pool delete", pool=POOL, pool2=POOL, yes_i_really_really_mean_it=True)
    return True


def _make_pool(sandbox: Sandbox, cluster: Connection) -> Counter[int]:
    """Make the pool, spread evenly over the OSDs; how many copies of its placement groups each of them has."""
    cluster.tell("osd pool create", pool=POOL, pg_num=_PLACEMENT_GROUPS)
    cluster.tell("osd pool application enable", pool=POOL, app="radoscope")
    places = _wait_for_places(cluster)
    hosts = sandbox.spec.hosts is not None
    moved = even_out(places, {osd.id: osd.host if hosts else osd.daemon for osd in sandbox.osds})
    for group, osds in moved.items():
        pairs = [pair for pair in zip(places[group], osds, strict=True) if pair[0] != pair[1]]
        cluster.tell("osd pg-upmap-items", pgid=group, id=[osd for pair in pairs for osd in pair])
    if moved:
        places = _wait_for_places(cluster, moved)
    return Counter(osd for osds in places.values() for osd in osds)


def _wait_for_places(cluster: Connection, wanted: Mapping[str, tuple[int, ...]] | None = None) -> dict[str, list[int]]:
    """Placement group -> its OSDs, once all of them are active, and where they are wanted."""

    def places() -> dict[str, list[int]] | None:
        groups = cluster.ask("pg ls-by-pool", poolstr=POOL)["pg_stats"]
        found = {group["pgid"]: group["acting"] for group in groups if "active" in group["state"]}
        there = all(set(osds) == set(found.get(group, ())) for group, osds in (wanted or {}).items())
        return found if len(found) == _PLACEMENT_GROUPS and there else None

    return wait_until(places, "placement groups for the filling", Deadline(_POOL_S), every_s=0.2)


def _check_spread(cluster: Connection, copies: Counter[int], to_write: float, wanted: float) -> None:
    """Refuse what the OSD with the most placement groups could not hold."""
    spaces = {osd["id"]: (osd["kb_used"] * 1024, osd["kb"] * 1024) for osd in cluster.ask("osd df")["nodes"]}
    shares = {osd: count / copies.total() for osd, count in copies.items()}
    left = {osd: _FULLEST_OSD * spaces[osd][1] - spaces[osd][0] - to_write * share for osd, share in shares.items()}
    fullest = min(left, key=left.__getitem__)
    if left[fullest] >= 0:
        return
    (used, total), fits = _usage(cluster), to_write + left[fullest] / shares[fullest]
    raise SiteError(
        f"osd.{fullest} would run out of space before the cluster is {wanted:.0%} full",
        f"{math.floor(100 * (used + fits) / total)}% is possible: existing data is not spread evenly.",
    )


@contextmanager
def _writing(sandbox: Sandbox, objects: int) -> Iterator[subprocess.Popen[bytes]]:
    """A process that writes so many objects; ended at the latest at the end of the block."""
    bench = ("rados", "-c", str(sandbox.conf), "-p", POOL, "bench", str(_LONGEST_RUN_S), "write", "--no-cleanup")
    writer = begin(sandbox, WRITER, sandbox.clients[0].wrap((*bench, "-t", "8", "--max-objects", str(objects))))
    try:
        yield writer
    finally:
        writer.send_signal(signal.SIGKILL)
        writer.wait()


def _wait_for(
    sandbox: Sandbox,
    cluster: Connection,
    writer: subprocess.Popen[bytes],
    wanted: float,
    deadline: Deadline,
    on_step: OnStep,
) -> float:
    """The share that was reached."""
    tenths = 0

    def share() -> float | None:
        nonlocal tenths
        used, total = _usage(cluster)
        if used >= (wanted - _CLOSE_ENOUGH) * total and writer.poll() is not None:
            return used / total
        if "OSD_FULL" in cluster.ask("health")["checks"]:  # it takes no more writes
            return used / total
        if writer.poll() not in (None, 0):
            raise SiteError(f"the filling ended at {used / total:.0%}", last_lines(sandbox.log(WRITER)))
        if int(10 * used / total) > tenths:
            tenths = int(10 * used / total)
            on_step(f"{used / total:.0%} full")
        return None

    return wait_until(share, f"{wanted:.0%} of the space filled", deadline, every_s=0.2)


def _usage(cluster: Connection) -> tuple[float, float]:
    """(used, total) raw bytes."""
    stats = cluster.ask("df")["stats"]
    return float(stats["total_used_raw_bytes"]), float(stats["total_bytes"])


def _check_room(sandbox: Sandbox, to_write: float) -> None:
    free = shutil.disk_usage(sandbox.directory).free
    if free < to_write + _RESERVE_BYTES:
        raise SiteError(
            f"filling takes {format_bytes(to_write)} of this machine's disk; {format_bytes(free)} are free",
            "Start a sandbox with smaller OSDs: --osd-size 2G.",
        )


Places = Mapping[str, Sequence[int]]


def even_out(places: Places, domains: Mapping[int, str]) -> dict[str, tuple[int, ...]]:
    """Where the copies of each group should stand so that no OSD has two more than another, as far as that can be.

    places: group -> its OSDs, as CRUSH chose them. domains: OSD -> its failure domain, of all OSDs that may be used; no
    two copies of a group come to stand in the same one. Groups that stay are not named.
    """
    now = {group: list(osds) for group, osds in places.items()}
    counts = Counter(osd for osds in now.values() for osd in osds)
    while (move := _next_move(now, counts, domains)) is not None:
        group, heavy, light = move
        now[group][now[group].index(heavy)] = light
        counts[heavy] -= 1
        counts[light] += 1
    return {group: tuple(osds) for group, osds in now.items() if osds != list(places[group])}


def _next_move(now: Places, counts: Counter[int], domains: Mapping[int, str]) -> tuple[str, int, int] | None:
    """(group, from, to) of the move that mends most; None when none would mend anything."""
    by_load = sorted(domains, key=lambda osd: (counts[osd], osd))
    for heavy in reversed(by_load):
        for light in by_load:
            if counts[heavy] - counts[light] < 2:
                break
            for group, osds in now.items():
                if heavy in osds and domains[light] not in {domains[osd] for osd in osds if osd != heavy}:
                    return group, heavy, light
    return None
