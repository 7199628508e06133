"""radoscope: a performance laboratory for Ceph.

plan -> run -> records -> statistics -> explain / predict -> report; data flows one way along it.

The public API is what `__all__` lists; docs/api.md describes it. Everything else may change without notice.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from radoscope.api import (
        Estimate,
        Interval,
        LoadedStudy,
        RadoscopeError,
        Reading,
        Undecided,
        compare,
        forecast,
        load,
        read,
        studies,
        what_if,
    )

__version__ = "0.3.0"

__all__ = [
    "Estimate",
    "Interval",
    "LoadedStudy",
    "RadoscopeError",
    "Reading",
    "Undecided",
    "__version__",
    "compare",
    "forecast",
    "load",
    "read",
    "studies",
    "what_if",
]


def __getattr__(name: str) -> Any:
    """Load the public API on first use: `import radoscope` and `radoscope --help` import no numpy."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("radoscope.api"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
