"""The one source of the kernel, run compiled by numba or interpreted by Python: both give the same bits.

The kernel's functions take tables: record arrays when compiled, lists of small objects when interpreted. Either way a
row is `table[number]`, a field is `row.field`, and nothing else of NumPy is used.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from radoscope import paths

numba: Any
try:
    import numba
    from numba.extending import overload, register_jitable
except ImportError:  # the extra "simulate" is not installed: the kernel runs interpreted
    numba = None

_Function = TypeVar("_Function", bound=Callable[..., Any])

# Reference counts would cost more than the events: the kernel allocates nothing, so nothing needs counting.
_UNCOUNTED = {"_nrt": False}


def part_of_kernel(function: _Function) -> _Function:
    """Let compiled code call `function`, and put it into its callers; Python still sees the plain function."""
    if numba is None:
        return function
    marked: _Function = register_jitable(forceinline=True, **_UNCOUNTED)(function)
    return marked


def rare_part_of_kernel(function: _Function) -> _Function:
    """Let compiled code call `function`, which is called so rarely that it need not be put into its callers."""
    if numba is None:
        return function
    marked: _Function = register_jitable(**_UNCOUNTED)(function)
    return marked


def unsigned(number: int) -> int:
    """`number`, known to be >= 0: compiled code then indexes without a test for negative numbers."""
    return number


if numba is not None:

    @overload(unsigned)
    def _unsigned_compiled(number):  # type: ignore[no-untyped-def]  # numba compares the bare signatures
        return lambda number: numba.types.uint64(number)


def can_compile() -> bool:
    """numba is installed, and NUMBA_DISABLE_JIT does not switch it off."""
    return numba is not None and not numba.config.DISABLE_JIT


def machine_code(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function` compiled, from the cache where this source was compiled before."""
    numba.config.CACHE_DIR = str(cache_folder())
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", **_UNCOUNTED}
    try:
        return numba.njit(function, cache=True, **options)  # type: ignore[no-any-return]
    except RuntimeError:  # numba found no folder that it may write to: compile for this process only
        return numba.njit(function, **options)  # type: ignore[no-any-return]


def cache_folder() -> Path:
    """home/numba-cache/<digest>: a folder for exactly these sources and this numba.

    numba itself looks only at the file of the outermost function, and would use stale code after a change in another.
    """
    return paths.home() / "numba-cache" / _digest()


@lru_cache(maxsize=1)
def _digest() -> str:
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]
