"""Disks with a character: a small library, preloaded into OSDs and fio, makes a disk as slow as a model says.

The library is C; disk_model.c says how it works. Without a compiler, a disk that is slow at flushing alone can still be
had (flush_delay.py). Each OSD has a parameter file that is read while it runs, so a disk can change while it is used.
"""

from __future__ import annotations

import os
import struct
import sys
from pathlib import Path

from radoscope.sandbox import compiled, flush_delay
from radoscope.sandbox.shape import DiskModel

PARAMETERS_VARIABLE = "RADOSCOPE_DISK"
_SOURCE = "disk_model.c"
# With nothing to flush a flush costs a command, not a wait. Not zero: that would ask this machine's own disk.
_EMPTY_FLUSH_NS = 1000


def check_can_model(disk: DiskModel) -> None:
    """Refuse what this machine cannot model. Raises ToolFailed."""
    if not disk.is_flush_alone and not disk.changes_nothing:
        library()


def wrap(argv: tuple[str, ...], parameters: Path) -> tuple[str, ...]:
    """The command, on the disk of a parameter file; it keeps its process number. Raises ToolFailed."""
    if compiled.can_build(_SOURCE):
        return ("env", f"LD_PRELOAD={library()}", f"{PARAMETERS_VARIABLE}={parameters}", *argv)
    return (sys.executable, flush_delay.__file__, str(parameters), *argv)


def library() -> Path:
    """The disk model as a shared library, built when it is not there yet. Raises ToolFailed without a compiler."""
    return compiled.build(
        _SOURCE,
        ("-shared", "-fPIC", "-ldl", "-lpthread"),
        "this disk",
        "--disk consumer with its cache on, which needs none; or --disk none, the machine's own",
    )


def parameters(disk: DiskModel) -> bytes:
    """What a disk is like, in the order of disk_model.c."""
    flush_ns, write_ns, read_ns = (
        round(seconds * 1e9) for seconds in (disk.flush_cost_s, disk.write_cost_s, disk.read_s)
    )
    if not disk.write_cache:
        flush_ns = _EMPTY_FLUSH_NS
    rest = (disk.channels, round(disk.bytes_per_s), round(disk.jitter * 100))
    return struct.pack("6Q", flush_ns, write_ns, read_ns, *rest).ljust(4096, b"\0")


def write_parameters(file: Path, disk: DiskModel) -> None:
    """Set what a disk is like; processes that have it mapped follow at once."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        os.pwrite(descriptor, parameters(disk), 0)
    finally:
        os.close(descriptor)
