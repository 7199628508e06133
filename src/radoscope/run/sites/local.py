"""This host."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Local:
    name: str = "this host"

    @property
    def folder(self) -> None:
        return None

    def wrap(self, argv: Sequence[str]) -> tuple[str, ...]:
        return tuple(argv)
