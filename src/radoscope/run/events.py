"""What a run reports while it is active; the command line draws it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from radoscope.records.study import Cell, Segment


@dataclass(frozen=True, slots=True)
class Step:
    """Preparation, settling or clean-up: one line of words."""

    words: str


@dataclass(frozen=True, slots=True)
class Started:
    """A segment starts. done, planned: segments so far and in all; eta_s, eta_high_s: seconds left, at most."""

    cell: Cell
    round: int
    done: int
    planned: int
    eta_s: float
    eta_high_s: float


@dataclass(frozen=True, slots=True)
class Line:
    """A raw line or progress text that a tool printed."""

    tool: str
    client: int
    text: str


@dataclass(frozen=True, slots=True)
class Ended:
    """A segment is over and was read."""

    cell: Cell
    segment: Segment


@dataclass(frozen=True, slots=True)
class Warning_:
    """Something that the user should know now."""

    words: str


RunEvent = Step | Started | Line | Ended | Warning_
Listener = Callable[[RunEvent], None]
