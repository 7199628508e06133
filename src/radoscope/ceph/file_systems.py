"""CephFS of a cluster: its file systems, whether an MDS serves them, their subvolumes."""

from __future__ import annotations

from radoscope.ceph.cluster import Cluster
from radoscope.errors import SiteError, ToolFailed

_ANSWERS_S = 10.0


def names(cluster: Cluster) -> tuple[str, ...]:
    """Of all file systems. Raises SiteError, ToolFailed."""
    return tuple(str(one["name"]) for one in cluster.ceph("fs", "ls") or [])


def check_serves(cluster: Cluster, name: str) -> None:
    """Raises SiteError where no MDS serves the file system."""
    states = cluster.ceph("fs", "get", name)["mdsmap"]["info"].values()
    # One that died and has nobody to follow it stays "up:active" in the map, and laggy.
    if not any(mds["state"] == "up:active" and "laggy_since" not in mds for mds in states):
        late = {mds["name"]: " and laggy" if "laggy_since" in mds else "" for mds in states}
        now = ", ".join(f"{mds['name']} is {mds['state']}{late[mds['name']]}" for mds in states) or "none is up"
        raise SiteError(
            f"the file system {name} has no active MDS ({now}), so nobody can mount it",
            "See `ceph fs status` and `ceph health detail`.",
        )


def check_answers(cluster: Cluster, name: str) -> None:
    """Raises SiteError where its MDS does not answer: of one that was alone, the monitors hear nothing for a minute
    before they say so (mds_beacon_mon_down_grace)."""
    check_serves(cluster, name)
    try:
        cluster.ceph("tell", f"mds.{name}:0", "version", timeout_s=_ANSWERS_S)
    except ToolFailed as error:
        raise SiteError(
            f"the MDS of file system {name} does not answer: {error.message}",
            "See `ceph fs status` and `ceph health detail`.",
        ) from None


def subvolumes(cluster: Cluster, name: str) -> tuple[str, ...]:
    """By name. Raises SiteError, ToolFailed: without an MDS at once, where the manager would wait for one."""
    check_serves(cluster, name)
    try:
        found = cluster.ceph("fs", "subvolume", "ls", name) or []
    except ToolFailed as error:
        if "invalid command" not in error.message:
            raise
        raise SiteError(
            "the manager knows no subvolumes of CephFS: its module volumes has not loaded",
            "`ceph health detail` says why. Ceph from Debian 13's own packages cannot load it.",
        ) from None
    return tuple(str(one["name"]) for one in found)
