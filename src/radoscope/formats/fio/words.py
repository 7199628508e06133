"""What the fio readers share: fio's words for loads and sizes, and how a number of fio becomes one of ours.

No reader itself. Facts from fio's HOWTO and from `stat.c`, `stat.h` of fio 2.2 to 3.42.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from radoscope.errors import PlanError
from radoscope.units import parse_bytes

DIRECTIONS = ("read", "write", "trim")

_MIXED = {"rw", "readwrite", "randrw"}
_LOADS = _MIXED | {prefix + word for prefix in ("", "rand") for word in (*DIRECTIONS, "trimwrite")}

_MOST = 2**64
_LEAST_IOPS = 200
_ROUNDING = 0.006


@lru_cache(maxsize=256)
def load_of(text: str | None) -> str | None:
    """The load that an `rw` option names, without its offset or count: "randread:8" -> "randread"; None if unknown."""
    if text is None:
        return None
    word = text.strip().lower().split(":")[0].split(",")[0]
    return word if word in _LOADS else None


def operation(load: str | None, direction: str) -> str:
    """What one direction of a load does: "randrw" and "read" -> "randread". Without a load: the bare direction.

    "mixed" is what `unified_rw_reporting` makes of both directions: "rw" or "randrw", or the one that there is.
    """
    direction = only_direction(load, direction).replace("mixed", "rw")
    return f"rand{direction}" if load is not None and load.startswith("rand") else direction


def only_direction(load: str | None, direction: str) -> str:
    """That of a load which has but one, whatever fio reports it as."""
    only = (load or "").removeprefix("rand")
    return only if direction == "mixed" and only in DIRECTIONS else direction


def whole_operation(load: str | None) -> str | None:
    """What a load does, where nobody says in which direction: "readwrite" -> "rw"."""
    return "rw" if load == "readwrite" else load


def is_mixed(load: str | None) -> bool:
    return load in _MIXED


def block_size(option: str | None, direction: str) -> int | None:
    """The size of one I/O that a `bs` option asks for; None for ranges, for what is no size, and where none is given.

    "4k" holds for all directions; "4k,8k" for reads and for writes and trims; "4k,8k,16k" for each; "8k," and ",8k"
    leave the other one at its default, which is not said here.
    """
    if option is None:
        return None
    parts = option.split(",")
    if direction == "mixed":
        return parse_size(option)
    position = min(DIRECTIONS.index(direction), len(parts) - 1)
    return parse_size(parts[position])


@lru_cache(maxsize=256)
def parse_size(text: str) -> int | None:
    """ "4k", "4Ki", "4KB", "4096B", "16.0KiB" -> bytes (fio's suffixes are powers of 1024); None if it is no size."""
    cleaned = text.strip().lower().removesuffix("b").removesuffix("i")
    try:
        size = parse_bytes(cleaned)
    except PlanError:
        return None
    return size if 0 < size < 2**63 else None


def whole(text: str | None) -> int | None:
    """A count from an option's text; None where it is none."""
    if text is None or not (text.strip().isdecimal() and text.isascii()) or len(text) > 18:
        return None
    return int(text)


def finite(value: Any) -> float | None:
    """A number as a float; None for anything else: nan, inf, 1e400, text, booleans, negative numbers."""
    kind = type(value)
    if (kind is float or kind is int) and 0 <= value < _MOST:
        return float(value)
    return None


def count(value: Any) -> int | None:
    """A whole number that fits fio's 64 bits; None for anything else."""
    return value if type(value) is int and 0 <= value < 2**64 else None


def merged_options(*layers: Mapping[str, Any] | None) -> dict[str, str]:
    """Options as text, later layers over earlier ones; what is no mapping is passed over."""
    merged: dict[str, str] = {}
    for layer in layers:
        if isinstance(layer, Mapping):
            merged.update({str(key): str(value) for key, value in layer.items()})
    return merged


def likely_block_size(bandwidth_bytes_per_s: float | None, iops: float | None) -> int | None:
    """The power of two that bandwidth over IOPS comes to within 0.6 %; None if it does not, or if IOPS are too coarse.

    fio rounds both to three or four digits, and IOPS down to a whole number: below 200 that alone may be 0.5 %.
    """
    if not bandwidth_bytes_per_s or not iops or iops < _LEAST_IOPS:
        return None
    size = bandwidth_bytes_per_s / iops
    if not 2**9 <= size <= 2**26:
        return None
    nearest = 2 ** round(math.log2(size))
    return nearest if abs(size / nearest - 1) <= _ROUNDING else None
