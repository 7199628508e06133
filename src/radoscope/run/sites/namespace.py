"""A host of an embedded cluster: a network namespace on this machine. Files and processes are those of this host."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NetworkNamespace:
    namespace: str
    name: str

    @property
    def folder(self) -> None:
        return None

    def wrap(self, argv: Sequence[str]) -> tuple[str, ...]:
        return ("ip", "netns", "exec", self.namespace, *argv)
