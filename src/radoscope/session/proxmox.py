"""Storages of Proxmox VE: what /etc/pve/storage.cfg says of one on RBD, as the options that reach the same cluster.

Source: Proxmox VE's documentation of storage.cfg and of its RBD storage (pve-storage-rbd): without `monhost` the
cluster is the node's own; keyrings and configurations of others lie in /etc/pve/priv/ceph, by the storage's name.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from radoscope.errors import PlanError

STORAGE_CFG = Path("/etc/pve/storage.cfg")
_HEAD = re.compile(r"(\w+):\s*(\S+)\s*")


def storage(name: str, cfg: Path = STORAGE_CFG) -> dict[str, Any]:
    """Fields of a Target. Raises PlanError with what there is instead, or why it cannot be measured."""
    try:
        found = _storages(cfg.read_text(encoding="utf-8", errors="replace"))
    except OSError as error:
        raise PlanError(f"--storage {name}: {cfg}: {error.strerror}", "Run it on a node of Proxmox VE.") from None
    if name not in found:
        known = ", ".join(found) or "none"
        raise PlanError(f"--storage {name}: {cfg} has no such storage on RBD", f"Storages on RBD: {known}.")
    said = found[name]
    if "namespace" in said:
        raise PlanError(
            f"--storage {name} keeps its images in the namespace {said['namespace']}, where fio's rbd engine cannot go",
            f"The same pool outside of it is as fast: --conf ... --pool {said.get('pool', 'rbd')}.",
        )
    return {**_reached(name, said, cfg.parent), "pool": said.get("pool", "rbd"), "data_pool": said.get("data-pool")}


def _storages(text: str) -> dict[str, dict[str, str]]:
    """Storages of type rbd by name; keys and values as they stand."""
    found: dict[str, dict[str, str]] = {}
    current: dict[str, str] = {}
    for line in text.splitlines():
        if head := _HEAD.fullmatch(line):
            current = {}
            if head[1] == "rbd":
                found[head[2]] = current
        elif line[:1].isspace() and line.strip():
            key, _, value = line.strip().partition(" ")
            current[key] = value.strip()
    return found


def _reached(name: str, said: dict[str, str], pve: Path) -> dict[str, Any]:
    own = pve / "priv" / "ceph"
    conf, keyring = own / f"{name}.conf", own / f"{name}.keyring"
    if not conf.is_file():
        if "monhost" in said:
            raise PlanError(
                f"--storage {name} is on another cluster, and there is no {conf}",
                f"Write a ceph.conf with `mon_host = {said['monhost']}` under [global], and name it with --conf, with "
                f"--keyring {keyring} and --pool {said.get('pool', 'rbd')}.",
            )
        conf = pve / "ceph.conf"
    user = f"client.{said.get('username', 'admin')}"
    return {"conf": conf, "user": user, "keyring": keyring if keyring.is_file() else None}
