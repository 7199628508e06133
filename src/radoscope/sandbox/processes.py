"""The processes of a sandbox: they outlive this program, are found by their label, and are ended for certain.

A label is "<directory>#<identity>", in the environment of each: it says which folder registers the sandbox, and which
of the sandboxes that were ever there under this name is meant. It survives whatever happens to the process that started
them.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from radoscope.errors import SiteError, ToolFailed
from radoscope.sandbox.waiting import Deadline, wait_until

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
        """Whatever links lead to its folder, it is one."""
        directory, mark, identity = text.rpartition("#")
        return cls(Path(directory).resolve(), identity) if mark and directory.startswith("/") else None


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
    """Whether it has a process namespace or a root of its own, as in a container or a chroot.

    Roots are compared as folders: within a chroot, the link to one in another mount namespace reads differently.
    """
    theirs, own = _PROC / str(pid), _PROC / "self"
    try:
        return not all((theirs / link).samefile(own / link) for link in ("ns/pid", "root"))
    except OSError:
        return True


def _values(environment: bytes) -> dict[str, str]:
    pairs = (os.fsdecode(entry).partition("=") for entry in environment.split(b"\0"))
    return {name: value for name, _, value in pairs if name in (LABEL_VARIABLE, DAEMON_VARIABLE)}


# Debian keeps ip, tc and losetup out of a plain user's PATH.
SEARCH_PATH = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin"
_GONE_S = 60.0
_REAP_S = 1.0

# Children of this process: kept so that they can be reaped, because a zombie may hold its files open.
_CHILDREN: list[subprocess.Popen[bytes]] = []


def spawn(argv: Sequence[str], label: Label, daemon: str, log: Path) -> subprocess.Popen[bytes]:
    """Start a daemon in a session of its own, labelled, its output appended to `log`. Raises ToolFailed."""
    # What a user set for another cluster (CEPH_ARGS, CEPH_CONF) would reach the daemons of this one.
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("CEPH_")}
    variables = {**inherited, LABEL_VARIABLE: str(label), DAEMON_VARIABLE: daemon}
    with log.open("ab") as output:
        try:
            child = subprocess.Popen(
                [find_tool(argv[0]), *argv[1:]],
                env={**variables, "PATH": SEARCH_PATH},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                cwd="/",
            )
        except OSError as error:
            raise ToolFailed(f"{argv[0]} could not be started: {error}") from error
    _CHILDREN.append(child)
    return child


def find_tool(name: str) -> str:
    """The full path of a tool, or its name when there is none (the caller's error then names it)."""
    return shutil.which(name, path=SEARCH_PATH) or name


def run_tool(
    argv: Sequence[str],
    *,
    stdin: str | None = None,
    environment: Mapping[str, str] | None = None,
    timeout_s: float = 30.0,
) -> str:
    """Standard output of a command that ends by itself. Raises ToolFailed with its error output."""
    try:
        done = subprocess.run(
            [find_tool(argv[0]), *argv[1:]],
            env={**os.environ, **(environment or {}), "PATH": SEARCH_PATH},
            input=stdin,
            stdin=subprocess.DEVNULL if stdin is None else None,
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ToolFailed(f"{' '.join(argv)}: no end after {timeout_s:.0f} s") from error
    except OSError as error:
        raise ToolFailed(f"{argv[0]} could not be started: {error}") from error
    if done.returncode != 0:
        raise ToolFailed(f"{' '.join(argv)}: exit code {done.returncode}", f"{done.stderr}{done.stdout}".strip()[-600:])
    return done.stdout


def last_lines(log: Path) -> str:
    """The end of a log, for a hint; empty when there is none."""
    try:
        lines = log.read_text(errors="replace").splitlines()
    except OSError:
        return ""
    return "\n".join(line[:300] for line in lines[-4:])


def is_gone(pid: int) -> bool:
    """No such process, or a zombie whose last thread has ended: either way it holds nothing any more."""
    _CHILDREN[:] = [child for child in _CHILDREN if child.poll() is None]
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        return state in "ZX" and len(list(Path(f"/proc/{pid}/task").iterdir())) <= 1
    except (OSError, IndexError):
        return True


def end_labelled(label: Label, daemon: str | None = None, how: int = signal.SIGKILL) -> None:
    """End all processes of a sandbox, or those of one daemon, and wait until they are really gone.

    Asks again until none is left, because a process may have been starting another. Raises SiteError after a minute.
    """

    def none_left() -> bool:
        pids = [found.pid for found in labelled_processes(label) if daemon in (None, found.daemon)]
        for pid in pids:
            _signal(pid, label, how)
        return not pids

    seen = [found.pid for found in labelled_processes(label) if daemon in (None, found.daemon)]
    deadline = Deadline(_GONE_S)
    wait_until(none_left, f"the end of the processes of {label.directory.name}", deadline, every_s=0.02)
    wait_until(lambda: all(map(is_gone, seen)), "the end of processes", deadline, every_s=0.02)
    with contextlib.suppress(SiteError):  # a container's init may never reap; a zombie holds nothing but its number
        wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in seen), "init", Deadline(_REAP_S))


def _signal(pid: int, label: Label, how: int) -> None:
    """Signal a process, and no other that took over its number in the meantime: the descriptor pins it."""
    with contextlib.suppress(OSError):
        pin = os.pidfd_open(pid)
        try:
            found = read_process(pid)
            if found is not None and found.label == label and pid != os.getpid():
                signal.pidfd_send_signal(pin, how)
        finally:
            os.close(pin)


def started_ticks(pid: int) -> int | None:
    """When a process began, in clock ticks since boot: with its number it names the process for good."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19])
    except (OSError, IndexError, ValueError):
        return None
