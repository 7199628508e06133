"""The description of a command that puts load on a cluster."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadCommand:
    """One client process of a trial.

    reader: the format that reads `output`. output: the file (in the segment's folder) that holds the result; where the
    tool can only print, that is `stdout`. timeout_s: when it counts as hung. gate: further arguments with which it
    connects, makes a file `ready`, and then waits for a line of its standard input; empty where a tool cannot.
    towards: the host that it asks, where several are asked side by side.
    """

    argv: tuple[str, ...]
    reader: str
    name: str
    output: str
    timeout_s: float
    gate: tuple[str, ...] = ()
    towards: str = ""

    @property
    def ready(self) -> str:
        return f"{self.name}.ready"

    @property
    def stdout(self) -> str:
        return f"{self.name}.out"

    @property
    def stderr(self) -> str:
        return f"{self.name}.err"
