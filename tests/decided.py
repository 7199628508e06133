"""What the statistics decided, or did not: each fails the test where it is the other."""

from __future__ import annotations

from typing import TypeVar

from radoscope.stats.values import Undecided

T = TypeVar("T")


def known(value: T | Undecided | None) -> T:
    """The value itself; the reason is in the failure where it is undecided."""
    assert value is not None
    assert not isinstance(value, Undecided), value
    return value


def undecided(value: object) -> Undecided:
    assert isinstance(value, Undecided), value
    return value
