"""What every site can do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol


class Site(Protocol):
    """A place where commands run. name: for people. wrap: the argv that runs `argv` there from here.

    folder: where the files of a run lie on a host of its own; None where files and processes are those of this machine.
    """

    @property
    def name(self) -> str: ...

    @property
    def folder(self) -> Path | None: ...

    def wrap(self, argv: Sequence[str]) -> tuple[str, ...]: ...
