"""Text with units <-> plain numbers: bytes, seconds, shares. Inside radoscope only base units exist."""

from __future__ import annotations

import math
import re

from radoscope.errors import PlanError

_BYTES = {"": 1, "b": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}
_SECONDS = {
    "": 1.0,
    "s": 1.0,
    "sec": 1.0,
    "ms": 1e-3,
    "us": 1e-6,
    "µs": 1e-6,
    "ns": 1e-9,
    "m": 60.0,
    "min": 60.0,
    "h": 3600.0,
}
_NUMBER = r"\s*([0-9]+(?:\.[0-9]+)?)\s*"


def parse_bytes(text: str | int) -> int:
    """ "4k", "4 KiB", "1G", 4096 -> bytes; K, M, G, T are powers of 1024 as in fio, rbd and Ceph.

    "MB" with a plain B is refused, because it could mean either. Raises PlanError.
    """
    if isinstance(text, int):
        text = str(text)
    match = re.fullmatch(_NUMBER + r"([kmgt]?)(i?b)?", text.strip(), re.IGNORECASE)
    if match is None or (match[2] and (match[3] or "").lower() == "b"):
        raise PlanError(f"{text!r} is not a size", 'Write "4k", "4M" or "1GiB"; K, M, G are powers of 1024.')
    value = float(match[1]) * _BYTES[match[2].lower()]
    if value != int(value):
        raise PlanError(f"{text!r} is not a whole number of bytes")
    return int(value)


def parse_seconds(text: str | float) -> float:
    """ "30s", "2m", "500ms", 30 -> seconds. Raises PlanError."""
    match = re.fullmatch(_NUMBER + r"([a-zµ]*)", str(text).strip(), re.IGNORECASE)
    if match is None or match[2].lower() not in _SECONDS:
        raise PlanError(f"{text!r} is not a time", 'Write "30s", "2m" or "1h".')
    return float(match[1]) * _SECONDS[match[2].lower()]


def parse_share(text: str | float) -> float:
    """ "5%" or 0.05 -> 0.05; between 0 and 1, both left out. Raises PlanError."""
    match = re.fullmatch(_NUMBER + r"(%?)", str(text).strip())
    value = math.nan if match is None else float(match[1]) / (100 if match[2] else 1)
    if not 0 < value < 1:
        raise PlanError(f"{text!r} is not a share", 'Write "5%" or 0.05.')
    return value


def format_bytes(value: float) -> str:
    """Bytes with a binary unit: 4096 -> "4 KiB"."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if abs(value) < 1024:
            return f"{_short(value)} {unit}"
        value /= 1024
    return f"{_short(value)} TiB"


def format_block(value: int) -> str:
    """A block size as people write it: 4096 -> "4K", 4194304 -> "4M"."""
    for unit, size in (("G", 2**30), ("M", 2**20), ("K", 2**10)):
        if value >= size and value % size == 0:
            return f"{value // size}{unit}"
    return f"{value}"


def format_seconds(value: float) -> str:
    """Seconds with the unit in which people say it: 0.00053 -> "0.53 ms", 95 -> "1 min 35 s"."""
    if value >= 60:
        minutes, rest = divmod(round(value), 60)
        if minutes >= 60:
            return f"{minutes // 60} h {minutes % 60} min"
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    if value >= 1:
        return f"{_short(value)} s"
    if value >= 1e-4:
        return f"{_short(value * 1e3)} ms"
    if value >= 1e-7 or value == 0:
        return f"{_short(value * 1e6)} µs"
    return f"{_short(value * 1e9)} ns"


def format_count(value: float) -> str:
    """A count or a rate with thousands marked: 31700.4 -> "31,700"; below 100 with three digits."""
    return f"{value:,.0f}" if abs(value) >= 100 else _short(value)


def _short(value: float) -> str:
    """Three significant digits, without an exponent and without trailing zeros."""
    if value == 0:
        return "0"
    if not math.isfinite(value):
        return str(value)
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
