"""One clock for everything that a run notes, and a yardstick of how fast its host runs just now.

The clock: Unix time when the program began, carried on by the monotonic clock. A wall clock that is set in the middle
of a study (by NTP after a cold start, by an administrator, for a guest that was paused) would tear segments from the
series beside them. Durations are taken from time.monotonic() as everywhere.
"""

from __future__ import annotations

import time

_BEGAN_S = time.time() - time.monotonic()


def now_s() -> float:
    """Seconds since 1970, which never jump."""
    return _BEGAN_S + time.monotonic()


_LOOPS = 20_000
_TAKES = 5


def host_speed() -> float:
    """Loops per second of a fixed integer loop; the median of a few takes of about one millisecond each."""
    takes = sorted(_take() for _ in range(_TAKES))
    return _LOOPS / takes[_TAKES // 2]


def _take() -> float:
    begun = time.perf_counter()
    value = 1
    for _ in range(_LOOPS):
        value = (value * 1103515245 + 12345) & 0x7FFFFFFF
    return time.perf_counter() - begun
