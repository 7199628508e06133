"""The state of an A/B experiment: switched by commands of the user's, restored whatever happens.

The journal holds how to restore A before anything is switched to B, so that `radoscope clean` can do it after a death.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass

from radoscope.errors import ToolFailed
from radoscope.run.journal import Entry, Journal

_LONGEST_S = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """a, b: shell commands that bring about the states. show: prints which one it is, None where nobody can tell."""

    a: str
    b: str
    show: str | None = None
    environment: tuple[tuple[str, str], ...] = ()

    def to(self, state: str) -> None:
        """Switch to "a" or "b". Raises ToolFailed when the command fails or hangs."""
        _shell({"a": self.a, "b": self.b}[state], dict(self.environment))

    def shown(self) -> str | None:
        return None if self.show is None else _shell(self.show, dict(self.environment)).strip()


def begin(switch: Switch, journal: Journal, run_id: str) -> str | None:
    """Bring about A, note how to restore it, and return what `show` says of it.

    Raises ToolFailed when the command for A fails: then nothing has been switched to B yet.
    """
    entry = Entry("state", run_id, {"a": switch.a, "show": switch.show, "environment": list(switch.environment)})
    journal.will_create(entry)
    switch.to("a")
    shown = switch.shown()
    journal.will_create(Entry("state", run_id, {**entry.details, "shown": shown}))
    return shown


def restore(entry: Entry) -> None:
    """Bring back A and prove it where it can be shown. Raises ToolFailed when it is not A again."""
    details = entry.details
    environment = tuple((str(name), str(value)) for name, value in details.get("environment", []))
    switch = Switch(a=str(details["a"]), b="", show=details.get("show"), environment=environment)
    switch.to("a")
    shown, expected = switch.shown(), details.get("shown")
    if expected is not None and shown != expected:
        raise ToolFailed(
            f"state A was not restored: `{switch.show}` says {shown!r}, at the beginning it said {expected!r}",
            f"Run by hand: {switch.a}",
        )


def _shell(command: str, environment: Mapping[str, str]) -> str:
    try:
        done = subprocess.run(
            ["sh", "-c", command],
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_LONGEST_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ToolFailed(f"`{command}` did not end within {_LONGEST_S:.0f} s") from None
    if done.returncode != 0:
        words = (done.stderr or done.stdout).strip()[-300:]
        raise ToolFailed(
            f"`{command}` failed with exit code {done.returncode}: {words}", "Does it work when run by hand?"
        )
    return done.stdout
