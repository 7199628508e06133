"""How a sandbox is, as one JSON-ready dictionary; in time also when its monitors are silent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from radoscope.errors import RadoscopeError
from radoscope.sandbox.achieved import load_shapes
from radoscope.sandbox.cluster import Sandbox
from radoscope.sandbox.registry import Registered

_PATIENCE_S = 5.0


def describe(entry: Registered) -> dict[str, Any]:
    """State, health, daemons with their memory, hosts, shapes, disk. Waits 5 s for the monitors at most."""
    sandbox = entry.sandbox
    pids, memory = sandbox.pids(), sandbox.memory_bytes()
    daemons = [{"name": name, "pid": pids.get(name), "memory_bytes": memory.get(name)} for name in sandbox.daemons]
    return {
        "name": sandbox.name,
        "state": str(entry.state),
        "since": entry.since,
        "directory": str(sandbox.directory),
        "conf": str(sandbox.conf),
        "fsid": sandbox.fsid,
        "hosts": [
            {**asdict(host), "osds": [osd.id for osd in sandbox.osds if osd.host == host.name]}
            for host in sandbox.hosts
        ],
        "daemons": daemons,
        "memory_bytes": sum(memory.values()),
        "disk_bytes": sandbox.disk_bytes(),
        "disk_model": sandbox.spec.disk.name,
        "shapes": [{**asdict(shape), "words": shape.words} for shape in load_shapes(sandbox)],
        **_cluster(sandbox),
    }


def _cluster(sandbox: Sandbox) -> Mapping[str, Any]:
    try:
        with sandbox.connected(timeout_s=_PATIENCE_S) as cluster:
            seen = cluster.ask("status")
    except RadoscopeError as error:
        return {"health": None, "reason": error.message}
    return {
        "health": seen["health"]["status"],
        "checks": sorted(seen["health"]["checks"]),
        "osds_up": seen["osdmap"]["num_up_osds"],
        "osds_in": seen["osdmap"]["num_in_osds"],
        "quorum": seen["quorum_names"],
    }
