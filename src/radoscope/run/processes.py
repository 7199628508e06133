"""A group of client processes that start together: watched, stopped gently first, never left behind."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Protocol

from radoscope.errors import SiteError
from radoscope.run import remote
from radoscope.run.clock import now_s
from radoscope.run.prepared import LoadCommand
from radoscope.sites import Site, talk
from radoscope.tools import missing

LABEL = "RADOSCOPE_RUN"
"""Every process that a run starts carries this environment variable, so that it can be found when its run died."""

SWITCH_LABEL = "RADOSCOPE_SWITCH"
"""The same for the commands that switch an experiment's state. They are waited for, never killed by it: what such a
command starts, as a daemon with another setting, is the user's."""

# How long a tool may take to write its result after it was asked to end: fio and iperf3 do so within a second.
_PATIENCE_S = 5.0
# How long another host may take to be ready: ssh gives up connecting after 10 s.
_READY_S = 20.0
_READY_PERIOD_S = 0.005
_MOST_JOBS = 4096
"""Of one process, as plans allow: each waits for a line of its own."""


class Stop(Protocol):
    """What ends a group early once it is set: a threading.Event, or AnyOf several reasons."""

    def is_set(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Set when any of these says so."""

    reasons: tuple[Callable[[], bool], ...]

    def is_set(self) -> bool:
        return any(reason() for reason in self.reasons)


@dataclass(frozen=True, slots=True)
class Placed:
    """A command and where it runs. folder: its working folder on that host, where that is not this machine."""

    command: LoadCommand
    site: Site
    folder: Path | None = None


@dataclass(frozen=True, slots=True)
class Running:
    """A client that runs. group: its process group on its host. begun_at_s: when, by this run's clock.

    clock_ahead_s: how far the clock of its host is ahead of that, half a round trip exactly.
    """

    site: Site
    group: int
    begun_at_s: float
    clock_ahead_s: float


@dataclass(slots=True)
class _Client:
    number: int
    placed: Placed
    process: subprocess.Popen[bytes]
    pidfd: int
    output: IO[bytes]
    running: Running | None = None

    @property
    def command(self) -> LoadCommand:
        return self.placed.command

    @property
    def away(self) -> bool:
        """Whether it is on another host, and hears words where those here get signals."""
        return self.placed.folder is not None


@dataclass(frozen=True, slots=True)
class Ran:
    """How a group ended. exit_codes: in the order of the commands. hung: names of those that had to be killed.

    failed: number of the first one that ended badly by itself, None where none did: others may have been asked to end
    for its sake. lost: numbers of those on other hosts whose connection ended, and not they themselves. running: in the
    order of the commands; None for one that did not begin.
    """

    exit_codes: tuple[int | None, ...]
    hung: tuple[str, ...] = ()
    stopped: bool = False
    failed: int | None = None
    lost: frozenset[int] = frozenset()
    running: tuple[Running | None, ...] = field(default=(), compare=False)


def run_together(
    placed: Sequence[Placed],
    *,
    folder: Path,
    label: str,
    stop: Stop,
    on_text: Callable[[int, str], None],
    on_start: Callable[[tuple[Running, ...]], None] = lambda running: None,
    hold: Callable[[], bool] = lambda: False,
) -> Ran:
    """Start all commands at one moment, wait for all. Standard output goes to each command's file in `folder`, and its
    pieces to on_text.

    Those on other hosts connect first and wait there for the word, so that slow connections do not spread the start.
    on_start: told of all clients once they run. hold: while it says so they stand still (SIGSTOP) and their time does
    not run; for work whose speed is not measured.

    When `stop` is set, a command is over its time, or one on another host has failed, they are asked to end (fio, rados
    bench and iperf3 then tell what they have measured), and after some patience killed. Raises ToolFailed when a tool
    is not installed, SiteError when a host cannot be reached.
    """
    clients: list[_Client] = []
    with ExitStack() as ending:  # every client is ended, also when the end of another fails, as on a full disk

        def start(number: int) -> _Client:
            client = _start(number, placed[number], folder, label)
            ending.callback(_end, client)
            clients.append(client)
            return client

        held = [start(number) for number, one in enumerate(placed) if one.folder is not None]
        if not _await_ready(held, folder, stop):
            return Ran((), stopped=True)
        here = [start(number) for number, one in enumerate(placed) if one.folder is None]
        for client in here:
            _note_start(client)
        _say_go(held, folder, stop)
        clients.sort(key=lambda client: client.number)
        on_start(tuple(client.running for client in clients if client.running is not None))
        ran = _wait(clients, stop, on_text, hold)
        return replace(ran, lost=frozenset(client.number for client in clients if _is_lost(client, folder)))


class Ahead:
    """Clients on this machine that are started before their time: each connects, and waits for run() behind its gate.

    What they need to start disturbs nobody then, and is not paid for between two segments. Whoever made it calls
    close(). Raises ToolFailed when a tool is not installed.
    """

    def __init__(self, placed: Sequence[Placed], folder: Path, label: str) -> None:
        self.placed = tuple(
            replace(one, command=replace(one.command, argv=(*one.command.argv, *one.command.gate))) for one in placed
        )
        self._folder = folder
        self._clients: list[_Client] = []
        self._ending = ExitStack()
        try:
            for number, one in enumerate(self.placed):
                client = _start(number, one, folder, label, gated=True)
                self._ending.callback(_end, client)
                self._clients.append(client)
        except BaseException:
            self.close()
            raise

    @staticmethod
    def can(placed: Sequence[Placed]) -> bool:
        return all(one.folder is None and one.command.gate for one in placed)

    def await_ready(self, stop: Stop) -> None:
        """Until all wait; one that has ended, or is not ready in good time, shows in run()."""
        deadline = time.monotonic() + _READY_S
        while time.monotonic() < deadline and not stop.is_set() and not all(map(self._is_ready, self._clients)):
            time.sleep(_READY_PERIOD_S)

    def run(
        self,
        *,
        stop: Stop,
        on_text: Callable[[int, str], None],
        on_start: Callable[[tuple[Running, ...]], None] = lambda running: None,
    ) -> Ran:
        """Open all gates at one moment, and wait for all: as run_together()."""
        try:
            for client in self._clients:
                _note_start(client)
                assert client.process.stdin is not None
                with suppress(OSError):  # it has ended, which its exit code tells
                    client.process.stdin.write(b"\n" * _MOST_JOBS)
            on_start(tuple(client.running for client in self._clients if client.running is not None))
            return _wait(self._clients, stop, on_text, lambda: False)
        finally:
            self.close()

    def close(self) -> None:
        """End those that have not ended."""
        self._ending.close()
        for name in ("*.ready", "*.prerun.txt"):
            for left in self._folder.glob(name):
                left.unlink()

    def _is_ready(self, client: _Client) -> bool:
        return (self._folder / client.command.ready).exists() or client.process.poll() is not None


class Standing:
    """Commands that begin together and stand until close(). Each has a folder, and is held by its standard input, on
    this machine as on other hosts: so it ends with this process, however that ends.

    Raises ToolFailed, SiteError, as run_together() does. When `stop` is set first, none has begun.
    """

    def __init__(self, placed: Sequence[Placed], *, folder: Path, label: str, stop: Stop) -> None:
        self._folder, self._clients = folder, list[_Client]()
        try:
            for number, one in enumerate(placed):
                self._clients.append(_start(number, one, folder, label))
            if _await_ready(self._clients, folder, stop):
                _say_go(self._clients, folder, stop)
        except BaseException:
            self.close()
            raise

    @property
    def running(self) -> tuple[Running, ...]:
        return tuple(client.running for client in self._clients if client.running is not None)

    def exit_code(self, number: int) -> int | None:
        """None while it stands."""
        return self._clients[number].process.poll()

    def said(self, number: int) -> str:
        """What a command wrote to standard error so far."""
        raw = (self._folder / self._clients[number].command.stderr).read_bytes()
        return talk.without_end(raw).decode("utf-8", "replace")

    def close(self) -> None:
        """Ask all to end, and wait; what does not heed that in time is killed."""
        _tell(self._clients, signal.SIGINT)
        deadline = time.monotonic() + 2 * _PATIENCE_S  # over there they have a patience of their own
        for client in self._clients:
            with suppress(subprocess.TimeoutExpired):
                client.process.wait(max(0.0, deadline - time.monotonic()))
            _end(client)
        self._clients = []


def _start(number: int, placed: Placed, folder: Path, label: str, *, gated: bool = False) -> _Client:
    command, held = placed.command, gated or placed.folder is not None
    argv = placed.site.wrap(remote.held(command, placed.folder, label) if placed.folder is not None else command.argv)
    with ExitStack() as kept, (folder / command.stderr).open("wb") as stderr:
        # Opened before the process starts: one whose output nobody can keep is not begun.
        output = kept.enter_context((folder / command.stdout).open("wb"))
        try:
            process = subprocess.Popen(
                argv,
                env={**os.environ, LABEL: label},
                cwd=folder,
                stdin=subprocess.PIPE if held else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=stderr,
                bufsize=0,
                start_new_session=True,  # Ctrl-C reaches radoscope alone, which then ends its clients in order
            )
        except FileNotFoundError:
            raise missing(argv[0]) from None
        kept.pop_all()
    return _Client(number, placed, process, os.pidfd_open(process.pid), output)


def _note_start(client: _Client) -> None:
    """Of one on this machine: it begins now."""
    at = now_s()
    client.running = Running(client.placed.site, client.process.pid, at, round(time.time() - at, 6))


def _await_ready(held: Sequence[_Client], folder: Path, stop: Stop) -> bool:
    """Whether all are connected and wait for the word; not so when `stop` was set. Raises SiteError."""
    return all(line is not None for _, line, _ in _control_lines(held, remote.READY, folder, stop))


def _say_go(held: Sequence[_Client], folder: Path, stop: Stop) -> None:
    """Tell all to start at once; their answers carry their start times, by their clocks. Raises SiteError."""
    told_s = now_s()
    for client in held:
        assert client.process.stdin is not None
        with suppress(OSError):
            client.process.stdin.write(b"go\n")
    for client, line, heard_s in _control_lines(held, remote.STARTED, folder, stop):
        begun = None if line is None else remote.read_started(line)
        if begun is not None:
            # It began between the word and the answer: in the middle, give or take half of that time.
            at, (clock_s, group) = (told_s + heard_s) / 2, begun
            client.running = Running(client.placed.site, group, at, round(clock_s - at, 6))


def _control_lines(
    clients: Sequence[_Client], wanted: bytes, folder: Path, stop: Stop
) -> Iterator[tuple[_Client, bytes | None, float]]:
    """Of each client the line that begins so, and when it was heard; None where `stop` was set before.

    What a login shell prints before it is dropped. Raises SiteError for a client that ends, or says nothing in time.
    """
    deadline = time.monotonic() + _READY_S
    with selectors.DefaultSelector() as selector:
        for client in clients:
            assert client.process.stdout is not None
            selector.register(client.process.stdout, selectors.EVENT_READ, client)
        while waiting := selector.get_map():
            if stop.is_set():
                yield from [(key.data, None, 0.0) for key in waiting.values()]
                return
            if time.monotonic() > deadline:
                names = sorted({key.data.placed.site.name for key in waiting.values()})
                raise SiteError(f"client host {', '.join(names)} did not answer within {_READY_S:.0f} s")
            for key, _ in selector.select(timeout=0.2):
                client, heard_s = key.data, now_s()
                line = client.process.stdout.readline()
                if not line:
                    raise lost(client.placed.site, folder / client.command.stderr)
                if line.startswith(wanted):
                    selector.unregister(key.fileobj)
                    yield client, line, heard_s


def _is_lost(client: _Client, folder: Path) -> bool:
    """Whether only the way to its host has ended. Takes the mark of an end out of what the load has printed.

    What was killed from here is not lost.
    """
    if client.placed.folder is None:
        return False
    path = folder / client.command.stderr
    said = path.read_bytes()
    path.write_bytes(talk.without_end(said))
    return not talk.came_to_its_end(said) and (client.process.returncode or 0) > 0


def lost(site: Site, stderr: Path) -> SiteError:
    """The error for a host whose connection broke or was never there."""
    return talk.unreached(site, stderr.read_bytes(), "was lost")


def _wait(clients: Sequence[_Client], stop: Stop, on_text: Callable[[int, str], None], hold: Callable[[], bool]) -> Ran:
    deadline = time.monotonic() + max(client.command.timeout_s for client in clients)
    asked_to_end = stopped = False
    held_at: float | None = None
    failed: int | None = None
    hung: tuple[str, ...] = ()
    with selectors.DefaultSelector() as selector:
        for client in clients:
            selector.register(client.pidfd, selectors.EVENT_READ, client)
            if client.process.stdout is not None:
                selector.register(client.process.stdout, selectors.EVENT_READ, client)
        while selector.get_map():
            for key, _ in selector.select(timeout=0.2):
                _hear(selector, key, on_text)
            if held_at is None and not asked_to_end and hold():
                held_at = time.monotonic()
                _tell(clients, signal.SIGSTOP, remote.HOLD)
            elif held_at is not None and (stop.is_set() or not hold()):
                deadline += time.monotonic() - held_at
                held_at = None
                _tell(clients, signal.SIGCONT, remote.GO_ON)
            late = held_at is None and time.monotonic() > deadline
            if failed is None and not asked_to_end:
                failed = _first_failed(clients)
            # A host that is lost is told soon, not when a long segment is over.
            failed_there = failed is not None and clients[failed].away
            if not asked_to_end and (late or stop.is_set() or failed_there):
                asked_to_end, stopped = True, stop.is_set()
                hung = tuple(client.command.name for client in clients if client.process.poll() is None) if late else ()
                _tell(clients, signal.SIGINT)
                deadline = time.monotonic() + _PATIENCE_S
            elif asked_to_end and late:
                _signal(clients, signal.SIGKILL)
                break
    codes = tuple(client.process.wait() for client in clients)
    failed = _first_failed(clients) if failed is None and not asked_to_end else failed
    running = tuple(client.running for client in clients)
    return Ran(codes, hung, stopped=stopped and not hung, failed=failed, running=running)


def _first_failed(clients: Sequence[_Client]) -> int | None:
    return next((client.number for client in clients if client.process.poll() not in (None, 0)), None)


def _tell(clients: Sequence[_Client], number: signal.Signals, word: bytes = b"") -> None:
    """A signal here; on other hosts a word, or the end of standard input: a signal would reach only what carries it."""
    for client in clients:
        if client.away and client.process.stdin is not None:
            with suppress(OSError):
                if word:
                    client.process.stdin.write(word)
                else:
                    client.process.stdin.close()
    _signal([client for client in clients if not client.away], number)


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
    for pipe in (client.process.stdin, client.process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    client.output.close()


def _await_end_of_group(group: int) -> None:
    """Killed grandchildren are not ours to wait for; the kernel takes a moment to bury them."""
    deadline = time.monotonic() + _PATIENCE_S
    with suppress(ProcessLookupError, PermissionError):
        while time.monotonic() < deadline:
            os.killpg(group, 0)
            time.sleep(0.005)
