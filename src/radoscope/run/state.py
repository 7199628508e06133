"""The state of an A/B experiment: switched by shell commands, restored whatever happens.

The journal holds how to restore A before anything is switched to B, so that `radoscope clean` can do it after a death.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sysconfig
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import IO

from radoscope.errors import Interrupted, ToolFailed
from radoscope.run.journal import Entry, Journal

LONGEST_S = 300.0
"""A state command that takes longer counts as hung."""

_LAST_WORDS = 300


def _path() -> str:
    """Where commands are found: a state may say `radoscope sandbox shape ...`, which need not be on a user's PATH."""
    return os.pathsep.join((os.environ.get("PATH", os.defpath), sysconfig.get_path("scripts")))


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """a, b: shell commands that bring about the states. show: prints which one it is, None where nobody can tell.

    prefix: a site's argv, for a cluster that can be reached from its own network only.
    """

    a: str
    b: str
    show: str | None = None
    environment: tuple[tuple[str, str], ...] = ()
    prefix: tuple[str, ...] = ()
    longest_s: float = LONGEST_S

    def to(self, state: str, stop: threading.Event | None = None) -> None:
        """Switch to "a" or "b". Raises ToolFailed when the command fails or hangs, Interrupted when stop is set."""
        try:
            _shell({"a": self.a, "b": self.b}[state], self, stop)
        except ToolFailed as error:
            raise ToolFailed(f"state {state.upper()} was not reached: {error.message}", error.hint) from None

    def shown(self) -> str | None:
        return None if self.show is None else _shell(self.show, self, None).strip()


@dataclass(frozen=True, slots=True)
class Begun:
    """State A is set, and the journal knows how to restore it. found, shown: what `show` printed before and after."""

    entry: Entry
    found: str | None
    shown: str | None


def begin(switch: Switch, journal: Journal, stop: threading.Event | None = None) -> Begun:
    """Set A, record how to restore it, and what `show` prints for it.

    Raises ToolFailed when a command fails: nothing has been switched to B yet, so nothing has to be restored.
    """
    found = _found(switch)
    entry = _entry(switch)
    journal.will_create(entry)
    try:
        switch.to("a", stop)
        shown = switch.shown()
    except ToolFailed:
        journal.removed(entry)
        raise
    entry = replace(entry, details={**entry.details, "shown": shown})
    journal.will_create(entry)
    return Begun(entry, found, shown)


def restore(entry: Entry) -> None:
    """Bring back A and prove it where it can be shown. Raises ToolFailed when it is not A again."""
    switch = _switch_of(entry)
    switch.to("a")
    shown, expected = switch.shown(), entry.details.get("shown")
    if expected is not None and shown != expected:
        raise ToolFailed(
            f"state A was not restored: `{switch.show}` prints {shown!r}, at the beginning it printed {expected!r}",
            f"Run by hand: {switch.a}",
        )


def _found(switch: Switch) -> str | None:
    """What `show` prints before A; None also if it fails, because there may be nothing to show yet."""
    try:
        return switch.shown()
    except ToolFailed:
        return None


def _entry(switch: Switch) -> Entry:
    details = {
        "a": switch.a,
        "show": switch.show,
        "environment": list(switch.environment),
        "prefix": list(switch.prefix),
        "longest_s": switch.longest_s,
    }
    return Entry("state", f"A, which is `{switch.a}`", details)


def _switch_of(entry: Entry) -> Switch:
    details = entry.details
    return Switch(
        a=str(details["a"]),
        b="",
        show=details.get("show"),
        environment=tuple((str(name), str(value)) for name, value in details.get("environment", [])),
        prefix=tuple(str(word) for word in details.get("prefix", [])),
        longest_s=float(details.get("longest_s", LONGEST_S)),
    )


def _shell(command: str, switch: Switch, stop: threading.Event | None) -> str:
    """Run a command to its end, with its whole group ended when it hangs. Raises ToolFailed, Interrupted.

    Into files, not pipes: a command that starts a daemon again leaves it holding its output, and a pipe would not end.
    Its own session: Ctrl-C reaches radoscope alone, which then ends it in order.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        try:
            process = subprocess.Popen(
                [*switch.prefix, "sh", "-c", command],
                env={**os.environ, "PATH": _path(), **dict(switch.environment)},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
        except OSError as error:
            raise ToolFailed(f"`{command}` could not be started: {error.strerror}") from None
        try:
            code = _wait(process, command, switch.longest_s, stop)
        except (ToolFailed, Interrupted):
            _end(process)
            raise
        words = _text(out)
        if code != 0:
            last = (_text(err).strip() or words.strip())[-_LAST_WORDS:] or "it printed nothing"
            raise ToolFailed(f"`{command}` failed with exit code {code}: {last}", "Does it work when run by hand?")
        return words


def _wait(process: subprocess.Popen[bytes], command: str, longest_s: float, stop: threading.Event | None) -> int:
    deadline = time.monotonic() + longest_s
    while True:
        with suppress(subprocess.TimeoutExpired):
            return process.wait(timeout=0.2)
        if stop is not None and stop.is_set():
            raise Interrupted(f"interrupted while `{command}` ran")
        if time.monotonic() > deadline:
            raise ToolFailed(
                f"`{command}` did not end within {longest_s:.0f} s and was stopped",
                "Does it end when run by hand? --switch-timeout allows more time.",
            )


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace")
