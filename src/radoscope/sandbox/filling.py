"""Filling a cluster with real objects up to a share of its space, in a pool that is removed to empty it again."""

from __future__ import annotations

import shutil
import signal
import subprocess

from radoscope.errors import SiteError
from radoscope.sandbox.cluster import Sandbox
from radoscope.sandbox.daemons import begin
from radoscope.sandbox.librados import Cluster
from radoscope.sandbox.processes import last_lines
from radoscope.sandbox.waiting import Deadline, wait_until
from radoscope.units import format_bytes, parse_share

POOL = "radoscope-fill"
_PLACEMENT_GROUPS = 32
# What 100 MB a second would take and a bit; and what this machine's disk must keep.
_SLOWEST_BYTES_PER_S, _RESERVE_BYTES = 20e6, 2 * 2**30
_LONGEST_RUN_S = 24 * 3600


def fill(sandbox: Sandbox, share: str) -> float:
    """Write objects until the cluster is this full; the share reached. Raises SiteError when the disk has no room."""
    wanted = parse_share(share)
    with sandbox.connected() as cluster:
        used, total = _usage(cluster)
        to_write = wanted * total - used
        if to_write <= 0:
            return used / total
        _check_room(sandbox, to_write)
        cluster.tell("osd pool create", pool=POOL, pg_num=_PLACEMENT_GROUPS)
        cluster.tell("osd pool application enable", pool=POOL, app="radoscope")
        writer = begin(sandbox, "fill", _writer(sandbox))
        try:
            return _wait_for(sandbox, cluster, writer, wanted, Deadline(60 + to_write / _SLOWEST_BYTES_PER_S))
        finally:
            writer.send_signal(signal.SIGKILL)
            writer.wait()


def empty(cluster: Cluster) -> bool:
    """Remove the filling; whether there was any."""
    if POOL not in {pool["poolname"] for pool in cluster.ask("osd lspools")}:
        return False
    cluster.tell("osd pool delete", pool=POOL, pool2=POOL, yes_i_really_really_mean_it=True)
    return True


def _wait_for(
    sandbox: Sandbox, cluster: Cluster, writer: subprocess.Popen[bytes], wanted: float, deadline: Deadline
) -> float:
    def share() -> float | None:
        used, total = _usage(cluster)
        if used >= wanted * total:
            return used / total
        if writer.poll() is not None:
            raise SiteError(f"the filling ended at {used / total:.0%}", last_lines(sandbox.log("fill")))
        return None

    return wait_until(share, f"{wanted:.0%} of the space filled", deadline, every_s=0.2)


def _writer(sandbox: Sandbox) -> tuple[str, ...]:
    bench = ("rados", "-c", str(sandbox.conf), "-p", POOL, "bench", str(_LONGEST_RUN_S), "write", "--no-cleanup")
    return sandbox.clients[0].wrap((*bench, "-t", "8"))


def _usage(cluster: Cluster) -> tuple[float, float]:
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
