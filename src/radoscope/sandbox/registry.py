"""Which sandboxes there are: one folder each, with a sandbox.json that is written before anything else is made."""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import shutil
import tempfile
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from radoscope import paths
from radoscope.errors import PlanError, SiteError
from radoscope.sandbox import ports
from radoscope.sandbox.cluster import Sandbox
from radoscope.sandbox.conf import render_conf
from radoscope.sandbox.layout import Layout, many_hosts, one_host
from radoscope.sandbox.processes import Label, started_ticks
from radoscope.sandbox.spec import SandboxSpec, check_name

_FILE = "sandbox.json"
OWNER_FILE = "owner"
RUN_PREFIX = "radoscope-"
# A socket's path may have 107 characters (sockaddr_un, unix(7)); the longest name in it is a client's admin socket.
_LONGEST_RUN_DIR = 107 - len("/ceph-client.admin.1234567.94123456789012.asok")


class State(StrEnum):
    STARTING = "starting"
    UP = "up"
    STOPPING = "stopping"


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    """A registered sandbox. actor: the process that starts, stops or changes it, by number and start time; since: Unix
    time. before: the layout that it had, while OSDs or hosts are being added.
    """

    state: State
    actor_pid: int
    actor_started: int | None
    since: float
    sandbox: Sandbox
    before: Layout | None = None

    @property
    def half_grown(self) -> bool:
        """Whether somebody who was adding to it died over that."""
        return self.state is State.UP and self.before is not None and not self.actor_lives

    @property
    def actor_lives(self) -> bool:
        return self.actor_started is not None and started_ticks(self.actor_pid) == self.actor_started


_ENTRY = TypeAdapter(Registered)


def names() -> tuple[str, ...]:
    """The names of all registered sandboxes of this RADOSCOPE_HOME, whatever their state."""
    return tuple(sorted(path.parent.name for path in paths.sandboxes().glob(f"[!.]*/{_FILE}")))


def load(name: str) -> Sandbox:
    """A sandbox by name. Raises PlanError when there is none, SiteError when it is half made or half removed."""
    found = entry(name)
    if found.state is not State.UP:
        raise SiteError(
            f"the sandbox {name} is {found.state}",
            f"Wait for process {found.actor_pid}." if found.actor_lives else f"radoscope sandbox down {name}",
        )
    return found.sandbox


def entry(name: str) -> Registered:
    """What is registered under a name. Raises PlanError when there is nothing, SiteError when it is unreadable."""
    directory = paths.sandboxes() / check_name(name)
    found = entry_in(directory)
    if found is None and directory.exists():
        raise SiteError(f"{directory} does not say which sandbox it holds", "radoscope clean removes it.")
    if found is None:
        known = ", ".join(names())
        hint = f"There are: {known}." if known else f"radoscope sandbox up {name}"
        raise PlanError(f"there is no sandbox {name}", hint)
    return found


def entry_in(directory: Path) -> Registered | None:
    """What a folder registers, None when nothing that can be read."""
    try:
        return _ENTRY.validate_json((directory / _FILE).read_bytes())
    except (OSError, ValidationError, PlanError):
        return None


def claim(spec: SandboxSpec) -> Sandbox:
    """Take a name, an identity and addresses, and register them. Raises PlanError when the name is in use."""
    directory = paths.sandboxes() / spec.name
    with _locked():
        if directory.exists():
            raise PlanError(
                f"the name {spec.name} is in use by another sandbox",
                f"Choose another name, or: radoscope sandbox down {spec.name}",
            )
        sandbox = _planned(spec, directory)
        draft = directory.with_name(f".{sandbox.identity}.new")
        draft.mkdir(mode=0o755)
        _write(draft, _entry_of(sandbox, State.STARTING))
        draft.rename(directory)
    sandbox.run_dir.mkdir(mode=0o700, exist_ok=True)
    (sandbox.run_dir / OWNER_FILE).write_text(f"{sandbox.label}\n")
    return sandbox


def mark(sandbox: Sandbox, state: State) -> None:
    """Register a change: of the state, or of the sandbox itself."""
    _write(sandbox.directory, _entry_of(sandbox, state))


def relabel(sandbox: Sandbox, layout: Layout, before: Layout | None = None) -> Sandbox:
    """The sandbox with another layout, registered with its ceph.conf. before: see Registered."""
    changed = replace(sandbox, layout=layout)
    _write(changed.directory, replace(_entry_of(changed, State.UP), before=before))
    _replace(changed.conf, render_conf(changed).encode())
    return changed


def forget(label: Label, run_dir: Path | None) -> None:
    """Remove the folders of a sandbox. The registration goes last, so that a cut leaves something to be found."""
    if run_dir is not None and run_dir.parent != label.directory:
        shutil.rmtree(run_dir, ignore_errors=True)
    if not label.directory.is_dir():
        return
    for path in label.directory.iterdir():
        if path.name != _FILE:
            remove_folder(path)
    remove_folder(label.directory)


def remove_folder(path: Path) -> None:
    """Remove a file or a folder with all that is in it; one that is gone is no error. Raises SiteError."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _planned(spec: SandboxSpec, directory: Path) -> Sandbox:
    identity = secrets.token_hex(4)
    uuids = tuple(str(uuid.uuid4()) for _ in range(spec.all_osds))
    if spec.hosts is None:
        address, free = ports.free_address(identity)
        layout = one_host(spec, address, free, uuids)
    else:
        layout = many_hosts(spec, identity, uuids)
    return Sandbox(
        name=spec.name,
        identity=identity,
        directory=directory,
        run_dir=_run_dir(directory, identity),
        fsid=str(uuid.uuid4()),
        spec=spec,
        layout=layout,
    )


def _run_dir(directory: Path, identity: str) -> Path:
    inside = directory / "run"
    if len(os.fsencode(inside)) <= _LONGEST_RUN_DIR:
        return inside
    return Path(tempfile.gettempdir()) / f"{RUN_PREFIX}{identity}"


def _entry_of(sandbox: Sandbox, state: State) -> Registered:
    pid = os.getpid()
    return Registered(state=state, actor_pid=pid, actor_started=started_ticks(pid), since=time.time(), sandbox=sandbox)


def _write(directory: Path, content: Registered) -> None:
    _replace(directory / _FILE, _ENTRY.dump_json(content, indent=1) + b"\n")


def _replace(path: Path, content: bytes) -> None:
    """Readers find either the old or the new content, complete."""
    draft = path.with_name(f".{path.name}.new")
    draft.write_bytes(content)
    draft.replace(path)


@contextlib.contextmanager
def _locked() -> Iterator[None]:
    """One at a time takes a name."""
    folder = paths.sandboxes()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise SiteError(
            f"{folder} cannot be written: {error.strerror}", "Set RADOSCOPE_HOME to a folder of yours."
        ) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
