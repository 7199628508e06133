"""What every site can do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Site(Protocol):
    """A place where commands run. name: for people. wrap: the argv that runs `argv` there from here."""

    @property
    def name(self) -> str: ...

    def wrap(self, argv: Sequence[str]) -> tuple[str, ...]: ...
