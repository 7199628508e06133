"""What every site can do, and those whose files and processes are this machine's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Local:
    """This host."""

    name: str = "this host"

    @property
    def folder(self) -> None:
        return None

    def wrap(self, argv: Sequence[str]) -> tuple[str, ...]:
        return tuple(argv)


@dataclass(frozen=True, slots=True)
class NetworkNamespace:
    """A host of an embedded cluster: a network namespace on this machine."""

    namespace: str
    name: str

    @property
    def folder(self) -> None:
        return None

    def wrap(self, argv: Sequence[str]) -> tuple[str, ...]:
        return ("ip", "netns", "exec", self.namespace, *argv)


@dataclass(frozen=True, slots=True)
class Behind:
    """This machine, with words before each command that take it into another network."""

    prefix: tuple[str, ...]
    name: str = "this host"

    @property
    def folder(self) -> None:
        return None

    def wrap(self, argv: Sequence[str]) -> tuple[str, ...]:
        return (*self.prefix, *argv)
