"""Waiting for a state by asking for it, never longer than a deadline."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from radoscope.errors import SiteError

T = TypeVar("T")
# Receives what has been reached, or is awaited, in a few words each.
OnStep = Callable[[str], None]
_TELL_EVERY_S = 5.0


class Deadline:
    """A moment after which waiting is given up."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    @property
    def left_s(self) -> float:
        return max(0.0, self._end - time.monotonic())

    @property
    def passed(self) -> bool:
        return self.left_s == 0.0


class NowAndThen:
    """Passes on what is waited for: the first words at once, then others every five seconds at most."""

    def __init__(self, on_step: OnStep) -> None:
        self._on_step, self._last, self._quiet = on_step, "", Deadline(0.0)

    def tell(self, words: str) -> None:
        if words != self._last and self._quiet.passed:
            self._on_step(words)
            self._last, self._quiet = words, Deadline(_TELL_EVERY_S)


def wait_until(ask: Callable[[], T | None], what: str, deadline: Deadline, every_s: float = 0.05, hint: str = "") -> T:
    """The first answer of `ask` that is not None and not False.

    Raises SiteError "<what> did not happen in time" at the deadline, and whatever `ask` raises.
    """
    while True:
        answer = ask()
        if answer is not None and answer is not False:
            return answer
        if deadline.passed:
            raise SiteError(f"{what}: not in time", hint)
        time.sleep(every_s)


def wait_while(reason: Callable[[], str], what: str, deadline: Deadline, every_s: float = 0.05, hint: str = "") -> None:
    """Wait until `reason` has nothing more to say against going on.

    Raises SiteError "<what>: not in time: <its last words>" at the deadline, and whatever `reason` raises.
    """
    said = ""

    def settled() -> bool:
        nonlocal said
        said = reason()
        return not said

    try:
        wait_until(settled, what, deadline, every_s)
    except SiteError as late:
        if not said:
            raise
        raise SiteError(f"{what}: not in time: {said}", hint) from late
