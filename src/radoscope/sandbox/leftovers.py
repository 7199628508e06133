"""What sandboxes that no longer live have left on this host, found by label; and its removal.

A sandbox lives when its folder registers it and either the process that starts or stops it runs, or at least one of
its own processes. Everything labelled that belongs to no living sandbox is a leftover.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path

from radoscope import paths
from radoscope.sandbox import network, registry
from radoscope.sandbox.growing import straighten
from radoscope.sandbox.processes import Label, end_labelled, labelled_processes
from radoscope.sandbox.registry import OWNER_FILE, RUN_PREFIX, State


@dataclass(frozen=True, slots=True)
class Leftover:
    """One thing to remove. kind: "process", "directory", "namespace", or "half-added" for hosts and OSDs of a sandbox
    that lives; identity: its number, path or name.

    sandbox: the label of the sandbox that it belonged to.
    """

    kind: str
    identity: str
    sandbox: str


def leftovers() -> tuple[Leftover, ...]:
    """Everything that sandboxes left behind, in the order in which it can be removed."""
    living_now = cache(lives)
    found = chain(
        (("process", str(process.pid), process.label) for process in labelled_processes()),
        (("namespace", name, label) for name, label in _namespaces()),
        (("directory", str(path), label) for path, label in _directories()),
    )
    left = (Leftover(kind, identity, str(label)) for kind, identity, label in found if not living_now(label))
    return (*left, *_half_added())


def living() -> tuple[str, ...]:
    """The names of the registered sandboxes that are no leftovers."""
    return tuple(entry.sandbox.name for entry in _registered() if lives(entry.sandbox.label))


def lives(label: Label) -> bool:
    """Whether a sandbox is registered and something of it, or somebody who starts or stops it, runs."""
    entry = registry.entry_in(label.directory)
    if entry is None or entry.sandbox.identity != label.identity:
        return _is_being_claimed(label)
    if entry.state is State.UP:
        return any(True for _ in labelled_processes(label))
    return entry.actor_lives


def remove(leftover: Leftover) -> None:
    """Remove one leftover; one that is gone already is no error. Raises SiteError when a process does not end."""
    label = Label.read(leftover.sandbox)
    if label is not None and leftover.kind == "half-added":
        _straighten(label)
    if label is None or lives(label):
        return
    if leftover.kind == "process":
        end_labelled(label)
    elif leftover.kind == "namespace":
        network.remove_namespace(leftover.identity)
    elif leftover.kind == "directory":
        registry.remove_folder(Path(leftover.identity))


def _half_added() -> Iterator[Leftover]:
    """What was being added to sandboxes that live by somebody who does not: one entry a sandbox."""
    for entry in _registered():
        if entry.half_grown and entry.before is not None and lives(entry.sandbox.label):
            hosts = [host.name for host in entry.sandbox.hosts if host not in entry.before.hosts]
            osds = [osd.daemon for osd in entry.sandbox.osds if osd not in entry.before.osds]
            yield Leftover("half-added", ", ".join((*hosts, *osds)), str(entry.sandbox.label))


def _straighten(label: Label) -> None:
    entry = registry.entry_in(label.directory)
    if entry is not None and entry.half_grown and entry.before is not None and entry.sandbox.label == label:
        straighten(entry.sandbox, entry.before)


def _namespaces() -> Iterator[tuple[str, Label]]:
    """Namespaces with their labels. One that is not yet labelled belongs to whoever registered its identity."""
    registered = {entry.sandbox.identity: entry.sandbox.label for entry in _registered()}
    for name, label in network.namespaces():
        owner = label or registered.get(network.identity_of(name))
        if owner is not None:
            yield name, owner


def _registered() -> Iterator[registry.Registered]:
    for name in registry.names():
        if (entry := registry.entry_in(paths.sandboxes() / name)) is not None:
            yield entry


def _directories() -> Iterator[tuple[Path, Label]]:
    """Sockets' folders and sandboxes' folders, each with its label."""
    for path in Path(tempfile.gettempdir()).glob(f"{RUN_PREFIX}*"):
        if (label := _owner(path)) is not None:
            yield path, label
    if not paths.sandboxes().is_dir():
        return
    for path in paths.sandboxes().iterdir():
        if path.is_dir():
            entry = registry.entry_in(path)
            yield path, Label(path, "" if entry is None else entry.sandbox.identity)


def _owner(run_dir: Path) -> Label | None:
    try:
        return Label.read((run_dir / OWNER_FILE).read_text().strip())
    except OSError:
        return None


def _is_being_claimed(label: Label) -> bool:
    """A draft of a registration, not yet under its name, whose maker still runs."""
    entry = registry.entry_in(label.directory.parent / f".{label.identity}.new")
    return entry is not None and entry.actor_lives
