"""The label that every process of a sandbox carries in its environment, and the search for it.

A label is "<directory>#<identity>": it says which folder registers the sandbox, and which of the sandboxes that were
ever there under this name is meant. It survives whatever happens to the process that started the daemons.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LABEL_VARIABLE = "RADOSCOPE_SANDBOX"
DAEMON_VARIABLE = "RADOSCOPE_DAEMON"
_PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Label:
    """The owner of a thing."""

    directory: Path
    identity: str

    def __str__(self) -> str:
        return f"{self.directory}#{self.identity}"

    @classmethod
    def read(cls, text: str) -> Label | None:
        directory, mark, identity = text.rpartition("#")
        return cls(Path(directory), identity) if mark and directory.startswith("/") else None


@dataclass(frozen=True, slots=True)
class LabelledProcess:
    """A living process that carries a label. daemon: "osd.0", or "" for anything that is not a daemon."""

    pid: int
    label: Label
    daemon: str


def labelled_processes(only: Label | None = None) -> Iterator[LabelledProcess]:
    """All processes with a label that this user may see; zombies have no environment and do not count.

    Nor do those in containers and other roots on this host: the folder that their label names is there, not here.
    """
    for entry in _PROC.iterdir():
        if entry.name.isdigit() and (found := read_process(int(entry.name))) and only in (None, found.label):
            yield found


def read_process(pid: int) -> LabelledProcess | None:
    """The label of one process, or None when it has none, is gone, or belongs to somebody else."""
    try:
        environment = (_PROC / str(pid) / "environ").read_bytes()
    except OSError:
        return None
    values = _values(environment)
    label = Label.read(values.get(LABEL_VARIABLE, ""))
    if label is None or _lives_elsewhere(pid):
        return None
    return LabelledProcess(pid, label, values.get(DAEMON_VARIABLE, ""))


def _lives_elsewhere(pid: int) -> bool:
    """Whether it has a process namespace or a root of its own, as in a container or a chroot."""
    try:
        return any(
            (_PROC / str(pid) / link).readlink() != (_PROC / "self" / link).readlink() for link in ("ns/pid", "root")
        )
    except OSError:
        return True


def _values(environment: bytes) -> dict[str, str]:
    pairs = (os.fsdecode(entry).partition("=") for entry in environment.split(b"\0"))
    return {name: value for name, _, value in pairs if name in (LABEL_VARIABLE, DAEMON_VARIABLE)}
