"""How much memory this machine has left."""

from __future__ import annotations

from pathlib import Path


def available_bytes() -> int | None:
    """MemAvailable of /proc/meminfo; None where the kernel does not say."""
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return None
