"""The cluster as its own commands describe it."""

from __future__ import annotations

import json
import re
from typing import Any

from radoscope.ceph import Cluster
from radoscope.errors import RadoscopeError

_COMMANDS: dict[str, tuple[str, ...]] = {
    "ceph-status.json": ("status",),
    "ceph-versions.json": ("versions",),
    "ceph-osd-dump.json": ("osd", "dump"),
    "ceph-osd-tree.json": ("osd", "tree"),
    "ceph-osd-df.json": ("osd", "df"),
    "ceph-osd-metadata.json": ("osd", "metadata"),
    "ceph-df.json": ("df",),
    "ceph-config-dump.json": ("config", "dump"),
    "ceph-crush-rules.json": ("osd", "crush", "rule", "dump"),
}
_SECRET = re.compile(r"key|secret|password|token|credential|cert", re.IGNORECASE)


def capture(cluster: Cluster) -> dict[str, str]:
    """File name -> JSON text. What cannot be captured is kept as {"error": ...}; secrets are removed first."""
    texts = {}
    for name, words in _COMMANDS.items():
        try:
            answer = cluster.ceph(*words)
        except RadoscopeError as error:
            answer = {"error": error.message}
        texts[name] = json.dumps(_without_secrets(answer), indent=1)
    return texts


def pool_options(cluster: Cluster, pool: str) -> dict[str, str]:
    """rbd-pool-options.json: option -> value, of those that are set for all images of a pool; "pool" names it."""
    told = {"pool": pool}
    try:
        for one in json.loads(cluster.rbd("config", "pool", "ls", pool, "--format", "json")):
            if one.get("source") == "pool":
                told[str(one["name"])] = str(one["value"])
    except (RadoscopeError, ValueError, KeyError, AttributeError) as error:
        told = {"error": str(error)}
    return {"rbd-pool-options.json": json.dumps(told, indent=1)}


_PATIENCE_S = 20.0
_OF_AN_IMAGE = ("object_size", "stripe_unit", "stripe_count", "snapshot_count", "features")


def image(cluster: Cluster, pool: str, name: str) -> dict[str, str]:
    """image.json: how an image is laid out, and what it does beside I/O. No names: not even its parent's."""
    try:
        told = json.loads(cluster.rbd("info", f"{pool}/{name}", "--format", "json", timeout_s=_PATIENCE_S))
        kept = {key: told[key] for key in _OF_AN_IMAGE if key in told} | {"has_parent": bool(told.get("parent"))}
    except (RadoscopeError, ValueError, AttributeError) as error:
        kept = {"error": str(error)}
    return {"image.json": json.dumps(kept, indent=1)}


def status(cluster: Cluster) -> str:
    """`ceph status` alone, for after the study."""
    try:
        return json.dumps(cluster.ceph("status"), indent=1)
    except RadoscopeError as error:
        return json.dumps({"error": error.message})


def _without_secrets(value: Any) -> Any:
    """Options of the configuration whose name sounds like a secret lose their value."""
    if isinstance(value, list):
        return [_without_secrets(one) for one in value]
    if isinstance(value, dict):
        if _SECRET.search(str(value.get("name", ""))) and "value" in value:
            return {**value, "value": "(removed)"}
        return {name: _without_secrets(one) for name, one in value.items()}
    return value
