"""Proxmox VE: what a node tells of its cluster, and a storage on RBD as the options that reach the same pools.

Source: Proxmox VE's documentation of storage.cfg, of its RBD storage (pve-storage-rbd) and of GET /cluster/status:
without `monhost` a storage is on the node's own cluster; keyrings and configurations of others lie in
/etc/pve/priv/ceph, by the storage's name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from radoscope.ceph.hosts import ADDRESS
from radoscope.errors import PlanError, SiteError, ToolFailed
from radoscope.session.clients import HERE, each_once, of_user
from radoscope.sites import Local, Site, Ssh, talk
from radoscope.sites.named import PVE, at, folder_of
from radoscope.sites.node import Node

STORAGE_CFG = Path("/etc/pve/storage.cfg")
_HEAD = re.compile(r"(\w+):\s*(\S+)\s*")
_READ = 'cat -- "$1" || exit; printf "\\0"; ls -- "$2" 2>/dev/null; true'
_LOOK = """
command -v pveversion >/dev/null || exit 0
pveversion -v 2>/dev/null
printf '\\0'
cat /etc/pve/corosync.conf 2>/dev/null
true
"""
_STATUS = ("pvesh", "get", "/cluster/status", "--output-format", "json")
_MANAGER = re.compile(r"^pve-manager: (\S+)", re.MULTILINE)
_LINK = re.compile(r"^\s*ring(\d+)_addr:\s*(\S+)\s*$", re.MULTILINE)
_NODE = "node"


@dataclass(frozen=True, slots=True)
class Member:
    """A node as its cluster has it. here: the one that was asked."""

    name: str
    address: str
    online: bool
    here: bool


@dataclass(frozen=True, slots=True)
class NodeFacts:
    """What a node tells. versions: `pveversion -v` as it stands. links: of corosync, number -> addresses or names."""

    versions: str
    members: tuple[Member, ...]
    links: Mapping[str, frozenset[str]]

    @property
    def release(self) -> str:
        """Of Proxmox VE, "9.0.3"; empty where it does not say."""
        found = _MANAGER.search(self.versions)
        return found[1] if found else ""

    @property
    def nodes(self) -> str:
        """By name, with those that are offline marked as such."""
        return ", ".join(one.name if one.online else f"{one.name} (offline)" for one in self.members)


def is_pve(word: str | None) -> bool:
    """Whether this is what `--at` calls a node of Proxmox VE."""
    return word is not None and word.startswith(PVE)


def look(site: Site) -> NodeFacts:
    """Ask a node. Raises SiteError where it is none, or answers this user nothing."""
    told = talk.tell(site, _LOOK).decode("utf-8", "replace")
    if not told:
        raise SiteError(
            f"{site.name} is no node of Proxmox VE: it has no pveversion",
            "For any other host with `ceph` and its configuration, write --at ssh:[USER@]HOST.",
        )
    versions, _, corosync = told.partition("\0")
    try:
        status = json.loads(talk.run(site, _STATUS))
    except (ToolFailed, ValueError) as error:
        why = error.message if isinstance(error, ToolFailed) else "its answer is no JSON"
        raise SiteError(
            f"Proxmox VE on {site.name} does not tell its nodes: {why}",
            "It answers root alone, while its service pve-cluster runs: --at pve:root@NODE.",
        ) from None
    members = tuple(
        Member(str(one["name"]), str(one.get("ip", "")), bool(one.get("online")), bool(one.get("local")))
        for one in status
        if one.get("type") == "node"
    )
    links: dict[str, frozenset[str]] = {}
    for number, address in _LINK.findall(corosync):
        links[number] = links.get(number, frozenset()) | {address}
    return NodeFacts(versions.strip(), tuple(sorted(members, key=lambda one: (not one.here, one.name))), links)


def load_hosts(words: Sequence[str], seen: NodeFacts, run_id: str, here: Ssh) -> tuple[Site, ...]:
    """The hosts that `--client` names: here, ssh:HOST, node:NAME, and `node`, the next one online, this one first.

    Raises PlanError where there is no such node, or too few.
    """
    named = {word.partition(":")[2] for word in words if word.startswith(f"{_NODE}:")}
    free = [one for one in seen.members if one.online and one.name not in named and not (one.here and HERE in words)]
    sites: list[Site] = []
    for number, word in enumerate(words, 1):
        if word == _NODE:
            if not free:
                online = ", ".join(one.name for one in seen.members if one.online)
                raise PlanError(f"--client {_NODE}: no further node is online", f"Online: {online}.")
            sites.append(_site(free.pop(0), here, run_id, number))
        elif word.startswith(f"{_NODE}:"):
            sites.append(_site(_member(word, seen), here, run_id, number))
        else:
            sites.append(of_user(word, folder_of(run_id, number), here.config, here))
    return each_once(tuple(sites))


def other_nodes(site: Site, seen: NodeFacts, run_id: str) -> tuple[Node, ...]:
    """The other nodes that are online, as sites."""
    assert isinstance(site, Ssh)
    others = [one for one in seen.members if one.online and not one.here and one.address]
    return tuple(Node(site, one.name, one.address, folder_of(run_id, number)) for number, one in enumerate(others, 1))


def _member(word: str, seen: NodeFacts) -> Member:
    name = word.partition(":")[2]
    found = {one.name: one for one in seen.members}.get(name)
    if found is None:
        raise PlanError(f"--client {word}: the cluster has no such node", f"Nodes: {seen.nodes}.")
    if not found.online:
        raise PlanError(f"--client {word}: Proxmox VE has this node as offline", f"Nodes: {seen.nodes}.")
    return found


def _site(member: Member, here: Ssh, run_id: str, number: int) -> Site:
    return here if member.here else Node(here, member.name, member.address, folder_of(run_id, number))


def corosync_beside_ceph(seen: NodeFacts, metadata: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """What load on the network would disturb: links of corosync on addresses that OSDs use. metadata: of the OSDs.

    Corosync wants its tokens within milliseconds; nodes that lose them are fenced where guests are highly available.
    """
    ceph = {
        match[1].strip("[]")
        for osd in metadata
        for field in ("front_addr", "back_addr")
        for match in ADDRESS.finditer(str(osd.get(field, "")))
    }
    names = {one.name: one.address for one in seen.members}
    shared = [link for link, where in seen.links.items() if ceph & {names.get(one, one) for one in where}]
    if not shared:
        return ()
    which = f"link {' and '.join(sorted(shared))}"
    if len(shared) < len(seen.links):
        return (f"corosync's {which} runs over Ceph's network; under load it moves to its other link",)
    return (
        f"corosync has no link of its own: {which} runs over Ceph's network. Full load there can cost nodes their "
        "quorum, and with HA they are fenced",
    )


def storage(name: str, word: str | None = None, config: Path | None = None, cfg: Path = STORAGE_CFG) -> dict[str, Any]:
    """Fields of a Target. word: what `--at` names, None for this host; config: of ssh.

    Raises PlanError with what there is instead, or why it cannot be measured, SiteError where the node is not reached.
    """
    site = Local() if word is None else at(word, folder_of("look"), config)
    try:
        read = talk.tell(site, _READ, str(cfg), str(cfg.parent / "priv" / "ceph")).decode("utf-8", "replace")
    except ToolFailed as error:
        where = "Run it on a node of Proxmox VE, or name one with --at pve:root@NODE."
        raise PlanError(f"--storage {name}: {error.message}", f"{where} Only root reads /etc/pve.") from None
    text, _, files = read.partition("\0")
    found = _storages(text)
    on_rbd = ", ".join(one for one, said in found.items() if said["type"] == "rbd") or "none"
    if name not in found:
        raise PlanError(f"--storage {name}: {cfg} has no such storage", f"Storages on RBD: {on_rbd}.")
    said = found[name]
    if said["type"] != "rbd":
        raise PlanError(f"--storage {name} is of type {said['type']}, not rbd", f"Storages on RBD: {on_rbd}.")
    if "namespace" in said:
        raise PlanError(
            f"--storage {name} keeps its images in the namespace {said['namespace']}, where fio's rbd engine cannot go",
            f"The same pool outside of it is as fast: --conf ... --pool {said.get('pool', 'rbd')}.",
        )
    reached = _reached(name, said, cfg.parent, set(files.splitlines()))
    return {**reached, "pool": said.get("pool", "rbd"), "data_pool": said.get("data-pool")}


def _storages(text: str) -> dict[str, dict[str, str]]:
    """Storages by name; keys and values as they stand, and their type."""
    found: dict[str, dict[str, str]] = {}
    current: dict[str, str] = {}
    for line in text.splitlines():
        if head := _HEAD.fullmatch(line):
            current = found[head[2]] = {"type": head[1]}
        elif line[:1].isspace() and line.strip():
            key, _, value = line.strip().partition(" ")
            current[key] = value.strip()
    return found


def _reached(name: str, said: Mapping[str, str], pve: Path, files: set[str]) -> dict[str, Any]:
    """files: that are in the folder of keyrings and configurations."""
    own = pve / "priv" / "ceph"
    conf, keyring = own / f"{name}.conf", own / f"{name}.keyring"
    if conf.name not in files:
        if "monhost" in said:
            raise PlanError(
                f"--storage {name} is on another cluster, and there is no {conf}",
                f"Write a ceph.conf with `mon_host = {said['monhost']}` under [global], and name it with --conf, with "
                f"--keyring {keyring} and --pool {said.get('pool', 'rbd')}.",
            )
        conf = pve / "ceph.conf"
    user = f"client.{said.get('username', 'admin')}"
    return {"conf": conf, "user": user, "keyring": keyring if keyring.name in files else None}
