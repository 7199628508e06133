"""May this cluster be measured now? Looks only; refuses with a reason rather than risk anything."""

from __future__ import annotations

import shlex
import shutil
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from radoscope.ceph import Cluster
from radoscope.errors import PlanError, SiteError, ToolFailed
from radoscope.plan.estimate import Cost
from radoscope.records import health
from radoscope.records.conditions import Layer
from radoscope.records.study import Cell
from radoscope.run.engines.guest import QEMU
from radoscope.run.governor import check_quorum
from radoscope.run.guest_image import LacksPart, find_kernel
from radoscope.tools import require_tools
from radoscope.units import format_bytes

_TOOLS_OF = {
    "fio": ("fio",),
    "rados-bench": ("rados",),
    "rbd-bench": ("rbd",),
    "s3-load": ("python3",),
    "iperf3": ("iperf3",),
    "osd-bench": (),
    "ping": ("ping",),
    "jumbo-ping": ("ping",),
}
_TOOLS_ABOVE = {
    Layer.QEMU: ("qemu-storage-daemon",),
    Layer.GUEST: (QEMU, "busybox"),
    Layer.CEPHFS: ("ceph-fuse", "unshare", "mountpoint"),
}
_NEARFULL = 0.85
_HEARS_S = 15.0
"""A manager that has not heard of a pool's rule yet says that the pool has no room at all."""


class Unwell(SiteError):
    """A cluster whose health forbids to measure it."""


def check_tools(cells: Sequence[Cell], *, with_cluster: bool) -> None:
    """Raise ToolFailed naming all tools that these cells need and this host lacks, or a guest's kernel."""
    wanted = tools_of(cells)
    if with_cluster:
        wanted |= {"ceph", "rados"}
    if any(cell.conditions.layer.on_image for cell in cells):
        wanted |= {"rbd"}
    if any(cell.conditions.layer is Layer.S3 for cell in cells):
        wanted |= {"radosgw-admin"}
    require_tools(sorted(wanted))
    if any(cell.conditions.layer is Layer.GUEST for cell in cells):
        try:
            find_kernel()
        except LacksPart as lack:
            raise ToolFailed(*lack.args) from None


def tools_of(cells: Iterable[Cell]) -> set[str]:
    """The programs that put the load of these cells on."""
    each = [cell.conditions for cell in cells]
    above = {tool for asked in each for tool in _TOOLS_ABOVE.get(asked.layer, ())}
    return above | {tool for asked in each for tool in _TOOLS_OF[asked.tool]}


def check_file_space(folder: Path, cost: Cost) -> None:
    """Raise SiteError when the test file would not fit."""
    if cost.file_bytes == 0:
        return
    try:
        disk = shutil.disk_usage(folder)
    except OSError as error:
        raise SiteError(f"{folder}: {error.strerror}", "Name an existing folder with --disk-folder.") from None
    check_room(str(folder), disk.free, disk.total, cost.file_bytes)


def check_room(where: str, free: int, total: int, needed: int) -> None:
    """Raise SiteError when a test file would not fit, with 2 % of the disk to spare; all in bytes."""
    if free - needed < total * 0.02:
        raise SiteError(
            f"{where} has {format_bytes(free)} free; the test file takes {format_bytes(needed)}",
            "Use --disk-folder on a larger disk, or a plan with a smaller file_size.",
        )


def check_cluster(
    cluster: Cluster, cost: Cost, *, pool: str | None, replicas: int, allow_unhealthy: bool, makes_pool: bool
) -> tuple[str, tuple[str, ...]]:
    """The cluster's fsid, and warnings. Raises SiteError if it is unhealthy or lacks space; PlanError if the pool does
    not exist."""
    status = cluster.ceph("status")
    warnings = check_status(status, allow_unhealthy=allow_unhealthy)
    own = check_pool(cluster, pool)
    usage = _check_space(cluster, cost, pool, replicas)
    _check_quota(own, usage, cost)
    if makes_pool:  # one that could not be deleted afterwards is not created
        without = "radoscope could create its pool but not remove it"
        _check_allowed(cluster, "mon_allow_pool_delete", without, "or name an existing pool with --pool.")
    if "nvmeof" in status.get("servicemap", {}).get("services", {}):
        warnings = (*warnings, "this cluster has NVMe-oF gateways: radoscope does not measure through them yet")
    return status["fsid"], warnings


def check_status(status: dict[str, Any], *, allow_unhealthy: bool = False) -> tuple[str, ...]:
    """Warnings. Raises SiteError when a cluster of this status is not measured."""
    check_quorum(status)
    checks = tuple(health.checks_of(status))
    harmful = [f"{check} ({check.because})" for check in checks if check.refuses]
    if harmful and not allow_unhealthy:
        raise Unwell(
            f"the cluster is {status['health']['status']}, so radoscope does not measure it: {'; '.join(harmful)}",
            "Repair it first, or wait until it has recovered: `radoscope doctor --cluster` says what it finds. "
            "--allow-unhealthy measures it as it is; the report says so.",
        )
    return tuple(str(check) for check in checks)


def check_pool(cluster: Cluster, pool: str | None) -> dict[str, Any]:
    """What the cluster says of the pool; nothing of none. Raises PlanError if there is no such pool, or if a cache tier
    belongs to it or it is one."""
    if pool is None:
        return {}
    pools = {one["pool_name"]: one for one in cluster.ceph("osd", "pool", "ls", "detail") or []}
    if pool not in pools:
        raise PlanError(
            f"there is no pool {pool!r} in this cluster",
            f"Pools: {', '.join(pools) or 'none'}. Without --pool, radoscope creates its own pool and removes it.",
        )
    own = pools[pool]
    tiers = {name for name, one in pools.items() if one.get("tier_of", -1) == own["pool_id"]}
    if tiers or own.get("tier_of", -1) >= 0:
        raise PlanError(
            f"pool {pool!r} has a cache tier: {', '.join(tiers)}" if tiers else f"pool {pool!r} is a cache tier",
            "Its numbers would be the cache's, and radoscope's own user may use no pool that you did not name. Measure "
            "another pool, or take the tier away first: ceph osd tier remove-overlay and ceph osd tier remove.",
        )
    return dict(own)


_OF_QUOTA, _SMALLEST_OBJECT = 0.9, 4096


def _check_quota(own: dict[str, Any], usage: dict[str, Any], cost: Cost) -> None:
    """Raise SiteError where the run could reach a quota of the pool: all who write to it would stand still."""
    pool = own.get("pool_name", "")
    stats: dict[str, int] = next((one["stats"] for one in usage.get("pools", []) if one["name"] == pool), {})
    for what, quota, there, added in (
        ("bytes", own.get("quota_max_bytes", 0), stats.get("stored", 0), cost.pool_bytes),
        ("objects", own.get("quota_max_objects", 0), stats.get("objects", 0), cost.pool_bytes // _SMALLEST_OBJECT),
    ):
        if quota and there + added > _OF_QUOTA * quota:
            raise SiteError(
                f"pool {pool!r} has a quota of {quota:,} {what}; {there:,} are there, and the run may add {added:,}",
                "Once a quota is reached, everything that writes to the pool stands still. Leave --pool out, raise the "
                f"quota (ceph osd pool set-quota {shlex.quote(pool)}), or use a plan with a smaller image_size or "
                "object_set.",
            )


def _check_space(cluster: Cluster, cost: Cost, pool: str | None, replicas: int) -> dict[str, Any]:
    """What `ceph df` says; nothing of it is asked for where nothing is to be written. Raises SiteError."""
    if cost.pool_bytes == 0:
        return {}
    usage = cluster.ceph("df")
    deadline = time.monotonic() + _HEARS_S
    while 0 in _rooms(usage, pool) and time.monotonic() < deadline:
        time.sleep(1.0)
        usage = cluster.ceph("df")
    needed = cost.pool_bytes * replicas
    total, used = int(usage["stats"]["total_bytes"]), int(usage["stats"]["total_used_raw_bytes"])
    free = min([max(0, int(total * _NEARFULL) - used), *(room * replicas for room in _rooms(usage, pool))])
    if needed > free:
        raise SiteError(
            f"the prefill needs {format_bytes(needed)} ({format_bytes(cost.pool_bytes)} x {replicas} copies), "
            f"and only {format_bytes(free)} are free before the cluster is nearly full",
            "Use a plan with a smaller image_size, fewer images or a smaller object_set.",
        )
    return dict(usage)


def _rooms(usage: dict[str, Any], pool: str | None) -> list[int]:
    """What the pool of that name takes before it is full; of one that radoscope makes itself there is none yet."""
    return [int(one["stats"]["max_avail"]) for one in usage.get("pools", []) if one["name"] == pool]


_TRUE = ("true", "1")


def check_single_copies(cluster: Cluster) -> None:
    """Raise SiteError when the monitors do not allow pools of one copy; that setting is the user's to change."""
    without = "pools of one copy, which these cells need, cannot be created"
    _check_allowed(cluster, "mon_allow_pool_size_one", without, "or leave the pinned cells out.")


def _check_allowed(cluster: Cluster, option: str, without: str, otherwise: str) -> None:
    """An option must be true in the configuration database, or for a monitor of the quorum."""
    if cluster.ceph_text("config", "get", "mon", option).strip() in _TRUE:
        return
    dump = cluster.ceph("mon", "dump") or {}
    names = [one["name"] for one in dump.get("mons", []) if one.get("rank") in dump.get("quorum", ())]
    if any(_running(cluster, name, option) in _TRUE for name in names):
        return
    hint = f"Allow it temporarily: ceph config set mon {option} true; {otherwise}"
    raise SiteError(f"{option} is false: {without}", hint)


def _running(cluster: Cluster, monitor: str, option: str) -> str:
    """What a monitor runs with, or, for those who may not ask it, what the manager has last heard of it."""
    try:
        return str((cluster.ceph("tell", f"mon.{monitor}", "config", "get", option) or {}).get(option))
    except (SiteError, ToolFailed):
        return cluster.ceph_text("config", "show", f"mon.{monitor}", option).strip()
