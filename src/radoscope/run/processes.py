"""A group of client processes that start together: watched, stopped gently first, never left behind."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from radoscope.run.command import LoadCommand, missing
from radoscope.run.sites.site import Site

LABEL = "RADOSCOPE_RUN"
"""Every process that a run starts carries this environment variable, so that it can be found when its run died."""

SWITCH_LABEL = "RADOSCOPE_SWITCH"
"""The same for the commands that switch an experiment's state. They are waited for, never killed by it: what such a
command starts, as a daemon with another setting, is the user's."""

# How long a tool may take to write its result after it was asked to end: fio and iperf3 do so within a second.
_PATIENCE_S = 5.0


@dataclass(slots=True)
class _Client:
    number: int
    command: LoadCommand
    process: subprocess.Popen[bytes]
    pidfd: int
    output: IO[bytes]


@dataclass(frozen=True, slots=True)
class Ran:
    """How a group ended. exit_codes: in the order of the commands. hung: names of those that had to be killed."""

    exit_codes: tuple[int | None, ...]
    hung: tuple[str, ...] = ()
    stopped: bool = False


def run_together(
    commands: Sequence[LoadCommand],
    *,
    site: Site,
    folder: Path,
    label: str,
    stop: threading.Event,
    on_text: Callable[[int, str], None],
    on_start: Callable[[tuple[int, ...]], None] = lambda pids: None,
) -> Ran:
    """Start all commands, wait for all. Standard output goes to each command's file, and its pieces to on_text.

    on_start: told the process groups of all clients once they run.

    When `stop` is set, or a command is over its time, the group gets SIGINT (fio, rados bench and iperf3 then end and
    tell what they have measured), and after some patience SIGKILL. Raises ToolFailed when a tool is not installed.
    """
    clients: list[_Client] = []
    with ExitStack() as ending:  # every client is ended, also when the end of another fails, as on a full disk
        for number, command in enumerate(commands):
            client = _start(number, command, site, folder, label)
            ending.callback(_end, client)
            clients.append(client)
        on_start(tuple(client.process.pid for client in clients))
        return _wait(clients, stop, on_text)


def _start(number: int, command: LoadCommand, site: Site, folder: Path, label: str) -> _Client:
    argv = site.wrap(command.argv)
    with ExitStack() as kept, (folder / command.stderr).open("wb") as stderr:
        # Opened before the process starts: one whose output nobody can keep is not begun.
        output = kept.enter_context((folder / command.stdout).open("wb"))
        try:
            process = subprocess.Popen(
                argv,
                env={**os.environ, LABEL: label},
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=stderr,
                start_new_session=True,  # Ctrl-C reaches radoscope alone, which then ends its clients in order
            )
        except FileNotFoundError:
            raise missing(argv[0]) from None
        kept.pop_all()
    return _Client(number, command, process, os.pidfd_open(process.pid), output)


def _wait(clients: Sequence[_Client], stop: threading.Event, on_text: Callable[[int, str], None]) -> Ran:
    deadline = time.monotonic() + max(client.command.timeout_s for client in clients)
    asked_to_end = False
    hung: tuple[str, ...] = ()
    with selectors.DefaultSelector() as selector:
        for client in clients:
            selector.register(client.pidfd, selectors.EVENT_READ, client)
            if client.process.stdout is not None:
                selector.register(client.process.stdout, selectors.EVENT_READ, client)
        while selector.get_map():
            for key, _ in selector.select(timeout=0.2):
                _hear(selector, key, on_text)
            late = time.monotonic() > deadline
            if not asked_to_end and (late or stop.is_set()):
                asked_to_end = True
                hung = tuple(client.command.name for client in clients if client.process.poll() is None) if late else ()
                _signal(clients, signal.SIGINT)
                deadline = time.monotonic() + _PATIENCE_S
            elif asked_to_end and late:
                _signal(clients, signal.SIGKILL)
                break
    codes = tuple(client.process.wait() for client in clients)
    return Ran(codes, hung, stopped=asked_to_end and not hung)


def _hear(selector: selectors.BaseSelector, key: selectors.SelectorKey, on_text: Callable[[int, str], None]) -> None:
    client: _Client = key.data
    if key.fd == client.pidfd:
        selector.unregister(key.fileobj)
        return
    piece = os.read(key.fd, 65536)
    if not piece:
        selector.unregister(key.fileobj)
        return
    client.output.write(piece)
    on_text(client.number, piece.decode("utf-8", "replace"))


def _signal(clients: Sequence[_Client], number: signal.Signals) -> None:
    for client in clients:
        if client.process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(client.process.pid, number)


def _end(client: _Client) -> None:
    # A client may have ended while a child of it still runs: the whole group must be gone.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(client.process.pid, signal.SIGKILL)
    client.process.wait()
    _await_end_of_group(client.process.pid)
    os.close(client.pidfd)
    if client.process.stdout is not None:
        client.process.stdout.close()
    client.output.close()


def _await_end_of_group(group: int) -> None:
    """Killed grandchildren are not ours to wait for; the kernel takes a moment to bury them."""
    deadline = time.monotonic() + _PATIENCE_S
    with suppress(ProcessLookupError, PermissionError):
        while time.monotonic() < deadline:
            os.killpg(group, 0)
            time.sleep(0.005)
