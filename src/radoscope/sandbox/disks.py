"""Disks with a character: a small library, preloaded into OSDs and fio, makes a disk as slow as a model says.

The library is C, built at first use with the machine's compiler; its source says how it works. Each OSD has a
parameter file that it maps, so a disk can change while it is used.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import struct
import tempfile
from importlib import resources
from pathlib import Path

from radoscope import paths
from radoscope.errors import ToolFailed
from radoscope.sandbox.processes import SEARCH_PATH, run_tool
from radoscope.sandbox.shape import DiskModel

PARAMETERS_VARIABLE = "RADOSCOPE_DISK"
_COMPILERS = ("cc", "gcc", "clang")


def can_model() -> bool:
    """Whether this machine has a compiler, or has had one."""
    return _library_path().exists() or _compiler() is not None


def library() -> Path:
    """The disk model as a shared library, built when it is not there yet. Raises ToolFailed without a compiler."""
    target = _library_path()
    if target.exists():
        return target
    compiler = _compiler()
    if compiler is None:
        raise ToolFailed(
            "a modelled disk needs a C compiler, once, and there is none",
            "apt install gcc libc6-dev; or use the machine's own disk as it is: --disk none",
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


def environment(parameters: Path) -> dict[str, str]:
    """What a process needs to have the disk of a parameter file. Raises ToolFailed without a compiler."""
    return {"LD_PRELOAD": str(library()), PARAMETERS_VARIABLE: str(parameters)}


def _source() -> str:
    return resources.files("radoscope.sandbox").joinpath("disk_model.c").read_text()


def _library_path() -> Path:
    version = hashlib.sha256(_source().encode()).hexdigest()[:12]
    return paths.home() / "lib" / f"disk-model-{version}.so"


def _compiler() -> str | None:
    found = (shutil.which(name, path=SEARCH_PATH) for name in _COMPILERS)
    return next((path for path in found if path is not None), None)
