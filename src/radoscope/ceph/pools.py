"""Pools of one's own, in a cluster whose settings give new pools flags (osd_pool_default_flag_nodelete)."""

from __future__ import annotations

from radoscope.ceph.cluster import Cluster
from radoscope.errors import RadoscopeError


def despite_flag(cluster: Cluster, pool: str, flag: str, *words: str) -> None:
    """A command about an own pool; where this flag of the pool forbids it, once more without the flag."""
    try:
        cluster.ceph_text(*words)
    except RadoscopeError as refused:
        if flag not in refused.message:
            raise
        cluster.ceph_text("osd", "pool", "set", pool, flag, "false")
        cluster.ceph_text(*words)
