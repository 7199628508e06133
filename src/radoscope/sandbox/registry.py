"""Which sandboxes there are: one folder each, with a sandbox.json that is written before anything else is made."""

from __future__ import annotations

import contextlib
import fcntl
import os
import random
import secrets
import shutil
import socket
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
from radoscope.sandbox.cluster import Sandbox
from radoscope.sandbox.conf import render_conf
from radoscope.sandbox.layout import MON_PORT_V1, MON_PORT_V2, RGW_PORT, Layout, many_hosts, one_host
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
        address, free = free_address(identity)
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


_TRIES = 50
# Below the range from which Linux takes ports for outgoing connections (ip_local_port_range begins at 32768).
_PORTS = range(10240, 32767)


def free_address(identity: str) -> tuple[str, tuple[int, int, int]]:
    """An address in 127.0.0.0/8 chosen by the identity, and ports free on it: two of a monitor, one of a gateway.

    OSDs and managers find their own ports from 6800 upwards on the same address. Raises SiteError.
    """
    address = _address(identity)
    candidates = random.Random(identity)
    wanted = (MON_PORT_V2, MON_PORT_V1, RGW_PORT)
    for _ in range(_TRIES):
        if all(_is_free(address, port) for port in wanted):
            return address, wanted
        wanted = (candidates.choice(_PORTS), candidates.choice(_PORTS), candidates.choice(_PORTS))
    raise SiteError(
        f"no free ports for a monitor and a gateway on {address}",
        "Is the loopback interface up (ip link set lo up), and may this process open sockets?",
    )


def _address(identity: str) -> str:
    """127.16.0.1 to 127.255.255.254: away from 127.0.0.1, where other programs listen."""
    number = int(identity, 16)
    return f"127.{16 + number % 240}.{number // 240 % 256}.{1 + number // 61440 % 254}"


def _is_free(address: str, port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError:
            return False
    return True
