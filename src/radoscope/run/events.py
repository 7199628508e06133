"""What a run reports while it is active; whoever watches it draws it (session/standing.py)."""

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
class Now:
    """What the running segment does at this moment, for the eye alone: I/Os a second of all its clients."""

    iops: float


@dataclass(frozen=True, slots=True)
class Ended:
    """A segment is over and was read. mean, half_width, segments: what its cell has come to with it, in the unit of
    the cell's figure; half_width relative, at 95 %."""

    cell: Cell
    segment: Segment
    mean: float | None = None
    half_width: float | None = None
    segments: int = 1


@dataclass(frozen=True, slots=True)
class Warning_:
    """Something that the user should know now."""

    words: str


RunEvent = Step | Started | Now | Ended | Warning_
Listener = Callable[[RunEvent], None]
