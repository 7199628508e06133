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
cgutils: Any
arrayobj: Any
intrinsic: Any
try:
    import numba
    from llvmlite import ir  # type: ignore[import-untyped]
    from numba.core import cgutils
    from numba.extending import intrinsic, overload, register_jitable
    from numba.np import arrayobj
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


def prefetch(table: Any, number: int) -> None:
    """Let the processor bring row `number` into its cache meanwhile. Changes nothing but the time."""


if numba is not None:

    @overload(unsigned)
    def _unsigned_compiled(number):  # type: ignore[no-untyped-def]  # numba compares the bare signatures
        return lambda number: numba.types.uint64(number)

    @overload(prefetch)
    def _prefetch_compiled(table, number):  # type: ignore[no-untyped-def]
        return lambda table, number: _prefetch_instruction(table, number)

    @intrinsic
    def _prefetch_instruction(_context, table, number):  # type: ignore[no-untyped-def]
        def write(context, builder, signature, values):  # type: ignore[no-untyped-def]
            array = arrayobj.make_array(signature.args[0])(context, builder, values[0])
            row = cgutils.get_item_pointer(context, builder, signature.args[0], array, [values[1]], wraparound=False)
            byte, whole = cgutils.voidptr_t, cgutils.int32_t
            kind = ir.FunctionType(ir.VoidType(), [byte, whole, whole, whole])
            function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
            to_write, to_all_levels, of_values = whole(1), whole(3), whole(1)
            builder.call(function, [builder.bitcast(row, byte), to_write, to_all_levels, of_values])
            return context.get_dummy_value()

        return numba.types.void(table, number), write


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
