"""How many examples hypothesis tries, and which: the same ones each time, but for `make random`."""

from __future__ import annotations

import os

from hypothesis import settings

TIMES = int(os.environ.get("RADOSCOPE_EXAMPLES", "0"))
"""0: as many as the tests ask for, always the same. N: N times as many, others each time."""


def examples(count: int) -> int:
    return count * (TIMES or 1)


def load() -> None:
    """A deadline for one example says more about the machine than about the code, so there is none."""
    settings.register_profile(
        "radoscope", derandomize=not TIMES, max_examples=examples(100), deadline=None, print_blob=True
    )
    settings.load_profile("radoscope")
