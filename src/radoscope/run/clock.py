"""One clock for everything that a run notes: Unix time when the program began, carried on by the monotonic clock.

A wall clock that is set in the middle of a study (by NTP after a cold start, by an administrator, for a guest that was
paused) would tear segments from the series beside them. Durations are taken from time.monotonic() as everywhere.
"""

from __future__ import annotations

import time

_BEGAN_S = time.time() - time.monotonic()


def now_s() -> float:
    """Seconds since 1970, which never jump."""
    return _BEGAN_S + time.monotonic()
