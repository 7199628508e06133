"""Sites by name: what follows `--at`, what a host is called, and what a journal keeps of one.

ssh:[USER@]HOST                 a host that ssh reaches
cephadm, cephadm+ssh:[USER@]HOST  a container of the cluster's own image, on this host or that one
kubectl[:[CONTEXT/]NAMESPACE]   the toolbox of a Rook cluster
pve:[USER@]NODE                 a node of Proxmox VE that ssh reaches
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from radoscope.errors import PlanError
from radoscope.sites.container import Container
from radoscope.sites.node import Node
from radoscope.sites.pod import Pod
from radoscope.sites.site import Local, Site
from radoscope.sites.ssh import Ssh

SSH, CEPHADM, PVE = "ssh:", "cephadm", "pve:"
# As ssh takes it, and nothing that ssh could take for an option.
_DESTINATION = re.compile(r"(?:[\w.+~-]+@)?[\w][\w.:%-]*")


def folder_of(run_id: str, which: object = 0) -> Path:
    """Of a run on a host of its own. The name holds the run's random part; a foreign folder of that name is refused.

    which: one each, because two names may mean one host.
    """
    return Path(f"/tmp/radoscope-{run_id}-{which}")


def ssh_host(word: str, folder: Path, config: Path | None) -> Ssh | None:
    """`ssh:[USER@]HOST` -> the host; None for anything else. folder: of the run over there."""
    destination = word.removeprefix(SSH)
    if not word.startswith(SSH) or not _DESTINATION.fullmatch(destination):
        return None
    return Ssh(destination, folder, config.absolute() if config else None)


def check_config(config: Path | None) -> None:
    """Raise PlanError where there is no such file."""
    if config is not None and not config.is_file():
        raise PlanError(f"{config}: no such file", "--ssh-config takes a file like ssh -F.")


def at(word: str, folder: Path, config: Path | None) -> Site:
    """What `--at` names. folder: of the run over there. config: of ssh, instead of the user's. Raises PlanError."""
    check_config(config)
    host = ssh_host(SSH + word.removeprefix(PVE) if word.startswith(PVE) else word, folder, config)
    if host is None:
        raise PlanError(
            f"--at {word}: not known",
            "Write ssh:[USER@]HOST, cephadm, cephadm+ssh:[USER@]HOST, kubectl[:[CONTEXT/]NAMESPACE] or "
            "pve:[USER@]NODE.",
        )
    return host


def cephadm_host(word: str, folder: Path, config: Path | None) -> Site | None:
    """The host on which a container is to stand; None where the word does not ask for one. Raises PlanError."""
    if word == CEPHADM:
        return Local()
    return at(word.removeprefix(f"{CEPHADM}+"), folder, config) if word.startswith(f"{CEPHADM}+") else None


def to_json(site: Site) -> dict[str, Any]:
    """What a journal keeps, so that a later process reaches the same host."""
    if isinstance(site, Container):
        mounts = [str(folder) for folder in site.mounts]
        made = {"runtime": site.runtime, "image": site.image, "title": site.title, "folder": str(site.folder)}
        return {"kind": "container", "via": to_json(site.via), "mounts": mounts, **made}
    if isinstance(site, Pod):
        return {"kind": "pod", "kubectl": list(site.kubectl), "target": site.target, "folder": str(site.folder)}
    if isinstance(site, Node):
        made = {"name": site.name, "address": site.address, "folder": str(site.folder)}
        return {"kind": "node", "via": to_json(site.via), **made}
    if not isinstance(site, Ssh):
        return {"kind": "local"}
    kept = {"kind": "ssh", "destination": site.destination, "folder": str(site.folder)}
    return {**kept, **({"config": str(site.config)} if site.config else {})}


def from_json(kept: Mapping[str, Any]) -> Site:
    """A container that stood then may be gone now, so each command gets one of its own."""
    if kept.get("kind") == "container":
        mounts = tuple(Path(folder) for folder in kept["mounts"])
        runtime, image, title = (str(kept[name]) for name in ("runtime", "image", "title"))
        return Container(from_json(kept["via"]), runtime, image, title, Path(str(kept["folder"])), mounts)
    if kept.get("kind") == "pod":
        return Pod(tuple(kept["kubectl"]), str(kept["target"]), Path(str(kept["folder"])))
    if kept.get("kind") == "local":
        return Local()
    if kept.get("kind") == "node":
        via = from_json(kept["via"])
        assert isinstance(via, Ssh)
        return Node(via, str(kept["name"]), str(kept["address"]), Path(str(kept["folder"])))
    config = Path(kept["config"]) if kept.get("config") else None
    return Ssh(str(kept["destination"]), Path(str(kept["folder"])), config)
