"""Disks with a character: a small library, preloaded into OSDs and fio, makes a disk as slow as a model says.

The library is C, built at first use with the machine's compiler; disk_model.c says how it works. Without a compiler, a
disk that is slow at flushing alone can still be had (flush_delay.py). Each OSD has a parameter file that is read while
it runs, so a disk can change while it is used.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import struct
import sys
import tempfile
from importlib import resources
from pathlib import Path

from radoscope import paths
from radoscope.errors import ToolFailed
from radoscope.sandbox import flush_delay
from radoscope.sandbox.processes import SEARCH_PATH, run_tool
from radoscope.sandbox.shape import DiskModel

PARAMETERS_VARIABLE = "RADOSCOPE_DISK"
_COMPILERS = ("cc", "gcc", "clang")


def check_can_model(disk: DiskModel) -> None:
    """Refuse what this machine cannot model. Raises ToolFailed."""
    if not disk.is_flush_alone and not disk.changes_nothing:
        library()


def wrap(argv: tuple[str, ...], parameters: Path) -> tuple[str, ...]:
    """The command, on the disk of a parameter file; it keeps its process number. Raises ToolFailed."""
    if _library_path().exists() or _compiler() is not None:
        return ("env", f"LD_PRELOAD={library()}", f"{PARAMETERS_VARIABLE}={parameters}", *argv)
    return (sys.executable, flush_delay.__file__, str(parameters), *argv)


def library() -> Path:
    """The disk model as a shared library, built when it is not there yet. Raises ToolFailed without a compiler."""
    target = _library_path()
    if target.exists():
        return target
    compiler = _compiler()
    if compiler is None:
        raise ToolFailed(
            "this disk needs a C compiler, once, and there is none",
            "apt install gcc libc6-dev; or --disk consumer, which needs none; or --disk none, the machine's own",
        )
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        source, draft = Path(folder) / "disk_model.c", Path(folder) / "disk_model.so"
        source.write_text(_source())
        run_tool((compiler, "-O2", "-shared", "-fPIC", "-o", str(draft), str(source), "-ldl", "-lpthread"))
        draft.replace(target)
    return target


def write_parameters(file: Path, disk: DiskModel) -> None:
    """Set what a disk is like; processes that have it mapped follow at once. The order is disk_model.c's."""
    nanoseconds = (round(seconds * 1e9) for seconds in (disk.flush_s, disk.write_s, disk.read_s))
    rest = (disk.channels, round(disk.bytes_per_s), round(disk.jitter * 100))
    content = struct.pack("6Q", *nanoseconds, *rest).ljust(4096, b"\0")
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        os.pwrite(descriptor, content, 0)
    finally:
        os.close(descriptor)


def _source() -> str:
    return resources.files("radoscope.sandbox").joinpath("disk_model.c").read_text()


def _library_path() -> Path:
    version = hashlib.sha256(_source().encode()).hexdigest()[:12]
    return paths.home() / "lib" / f"disk-model-{version}.so"


def _compiler() -> str | None:
    found = (shutil.which(name, path=SEARCH_PATH) for name in _COMPILERS)
    return next((path for path in found if path is not None), None)
