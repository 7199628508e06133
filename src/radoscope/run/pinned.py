"""Pools below the pool: pinned to one OSD, to one host, or to all hosts, one copy each, by CRUSH rules of their own.

No device class, weight, bucket or setting of the cluster is changed. A rule cannot take a single device, so the pool of
one OSD has its host's rule and each of its groups an entry of `osd pg-upmap`, which goes with the pool.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from radoscope.ceph import Cluster
from radoscope.errors import SiteError, ToolFailed
from radoscope.records.conditions import PINNED
from radoscope.records.study import Cell
from radoscope.run.journal import Entry, Journal

_ROOM = 32
"""Placement groups an OSD: enough that no OSD is limited by one group's lock."""

_ON_ONE_OSD = 4
"""Groups of the pool on one OSD. Ceph's balancer moves groups away from an OSD that has over five too many of a pool
(upmap_max_deviation), so that 32 would be spread again within a minute; seen with Ceph 16.2.15."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Victim:
    """The OSD, the host and the root that the pools are pinned to. osds: how many that are up each of them has."""

    osd: int
    host: str
    root: str
    device_class: str
    osds: dict[str, int]

    def words(self, kind: str) -> str:
        return {"osd": f"osd.{self.osd}", "host": f"the OSDs of {self.host}", "hosts": "all hosts"}[kind]

    def groups(self, kind: str) -> int:
        """Placement groups of a pool: a power of two."""
        if kind == "osd":
            return _ON_ONE_OSD
        power = _ROOM
        while power * 2 <= min(256, _ROOM * self.osds[kind]):
            power *= 2
        return power


def kinds_of(cells: Sequence[Cell]) -> tuple[str, ...]:
    """What the cells pin their pools to, in the order from below."""
    asked = {cell.conditions.pinned for cell in cells}
    return tuple(kind for kind in PINNED if kind in asked)


def choose(cluster: Cluster) -> Victim:
    """The first OSD that is up of the first host that has one. Raises SiteError when there is none."""
    nodes = {node["id"]: node for node in (cluster.ceph("osd", "tree") or {}).get("nodes", [])}
    hosts = sorted((node for node in nodes.values() if node["type"] == "host"), key=lambda node: str(node["name"]))
    for host in hosts:
        for osd in _osds_up(nodes, host):
            root = next((n for n in nodes.values() if n["type"] == "root" and host["id"] in _below(nodes, n)), None)
            if root is not None:
                kind = str(osd.get("device_class", ""))
                alike = {
                    name: sum(str(each.get("device_class", "")) == kind for each in _osds_up(nodes, top))
                    for name, top in (("host", host), ("hosts", root))
                }
                return Victim(
                    osd=int(osd["id"]),
                    host=str(host["name"]),
                    root=str(root["name"]),
                    device_class=kind,
                    osds={"osd": 1, **alike},
                )
    raise SiteError("no host of this cluster has an OSD that is up", "See `ceph osd tree`.")


def make_rule(cluster: Cluster, journal: Journal, run_id: str, kind: str, victim: Victim) -> str:
    """A CRUSH rule of the run's own, noted before it exists; its name."""
    name = f"radoscope-{'hosts' if kind == 'hosts' else f'host-{kind}'}-{run_id}"
    journal.will_create(Entry("crush-rule", name, {"cluster": cluster.to_json()}))
    top, domain = (victim.root, "host") if kind == "hosts" else (victim.host, "osd")
    only = [victim.device_class] if victim.device_class else []
    cluster.ceph_text("osd", "crush", "rule", "create-replicated", name, top, domain, *only)
    return name


def pin_to_osd(cluster: Cluster, pool: str, osd: int) -> None:
    """Every group of a pool onto one OSD. Raises SiteError when the cluster does not take such entries."""
    for group, up in _groups(cluster, pool):
        if up != [osd]:
            try:
                cluster.ceph_text("osd", "pg-upmap", group, str(osd))
            except (SiteError, ToolFailed) as error:
                raise SiteError(
                    f"a placement group cannot be put on osd.{osd} alone: {error.message}",
                    "pg-upmap needs clients of Luminous or later: ceph osd set-require-min-compat-client luminous.",
                ) from None


def is_pinned(cluster: Cluster, pool: str, osd: int) -> bool:
    """Whether every group of a pool is on this OSD and no other."""
    return all(up == [osd] for _, up in _groups(cluster, pool))


def remove_rule(cluster: Cluster, name: str) -> None:
    """Remove a rule if it is there. Raises RadoscopeError while a pool still uses it."""
    if name in (cluster.ceph("osd", "crush", "rule", "ls") or []):
        cluster.ceph_text("osd", "crush", "rule", "rm", name)


def _groups(cluster: Cluster, pool: str) -> list[tuple[str, list[int]]]:
    found = cluster.ceph("pg", "ls-by-pool", pool) or {}
    stats = found.get("pg_stats", found) if isinstance(found, dict) else found
    return [(str(one["pgid"]), [int(osd) for osd in one["up"]]) for one in stats]


def _below(nodes: dict[int, Any], top: dict[str, Any]) -> set[int]:
    """The ids of everything beneath a bucket."""
    found: set[int] = set()
    waiting = list(top.get("children", []))
    while waiting:
        each = waiting.pop()
        found.add(each)
        waiting += nodes.get(each, {}).get("children", [])
    return found


def _osds_up(nodes: dict[int, Any], top: dict[str, Any]) -> list[dict[str, Any]]:
    ids = sorted(each for each in _below(nodes, top) if each >= 0)
    return [nodes[each] for each in ids if each in nodes and nodes[each].get("status") == "up"]
