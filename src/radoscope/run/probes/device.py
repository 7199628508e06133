"""The device under a path: its model, cache state and queue, from sysfs."""

from __future__ import annotations

import json
import os
from pathlib import Path

_QUEUE = ("rotational", "write_cache", "scheduler", "logical_block_size", "nr_requests", "fua")


def capture(path: Path, used_for: str) -> dict[str, str]:
    """device-<use>.json for the device under a file or folder, or for a device itself."""
    facts: dict[str, object] = {"path": str(path), "used_for": used_for}
    try:
        state = path.stat()
    except OSError as error:
        return {f"device-{used_for}.json": json.dumps({**facts, "error": error.strerror})}
    is_device = path.is_block_device()
    number = state.st_rdev if is_device else state.st_dev
    facts["kind"] = "device" if is_device else "file"
    facts["filesystem"] = _filesystem(path)
    block = _whole_device(Path(f"/sys/dev/block/{os.major(number)}:{os.minor(number)}"))
    if block is not None:
        facts["device"] = block.name
        facts["size_bytes"] = int(_read(block / "size") or 0) * 512
        facts["model"] = _read(block / "device" / "model")
        facts["queue"] = {name: _read(block / "queue" / name) for name in _QUEUE}
    return {f"device-{used_for}.json": json.dumps(facts, indent=1)}


def _whole_device(link: Path) -> Path | None:
    """A partition's settings stand with its disk."""
    if not link.exists():
        return None
    block = link.resolve()
    return block if (block / "queue").exists() else block.parent


def _filesystem(path: Path) -> str:
    """The type of the file system that holds the path, from the longest mount point above it."""
    best, kind = "", ""
    for line in _read(Path("/proc/self/mounts")).splitlines():
        fields = line.split()
        point = fields[1] if len(fields) > 2 else ""
        inside = point == "/" or str(path).startswith(point.rstrip("/") + "/") or str(path) == point
        if inside and len(point) >= len(best):
            best, kind = point, fields[2]
    return kind


def _read(path: Path) -> str:
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return ""
