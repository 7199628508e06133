"""A yardstick of the host: how fast a fixed loop runs just now. Its drift is the machine's, not the cluster's."""

from __future__ import annotations

import time

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
