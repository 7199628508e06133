"""The disk model does to a process what its parameters say: lower bounds, which hold on a busy machine too."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from radoscope.errors import ToolFailed
from radoscope.sandbox import disks
from radoscope.sandbox.shape import DISKS, DiskModel

_TIMED = """
import os, sys, time
fd = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
def seconds(call, times=5):
    begin = time.monotonic()
    for _ in range(times): call()
    return (time.monotonic() - begin) / times
block = bytes(4096)
calls = (lambda: os.fdatasync(fd), lambda: os.pwrite(fd, block, 0), lambda: os.pread(fd, 4096, 0))
print(*map(seconds, calls))
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RADOSCOPE_HOME", str(tmp_path))


def _times(tmp_path: Path, disk: DiskModel) -> tuple[float, float, float]:
    """Seconds of a flush, a write and a read of a process on this disk."""
    disks.write_parameters(tmp_path / "disk", disk)
    environment = {**os.environ, **disks.environment(tmp_path / "disk")}
    argv = (sys.executable, "-c", _TIMED, str(tmp_path / "file"))
    flush, write, read = subprocess.run(
        argv, env=environment, capture_output=True, text=True, check=True
    ).stdout.split()
    return float(flush), float(write), float(read)


def test_a_flush_takes_as_long_as_asked(tmp_path: Path) -> None:
    flush, _, _ = _times(tmp_path, DISKS["consumer"])
    assert flush >= 1.7e-3


def test_a_write_and_a_read_take_as_long_as_asked(tmp_path: Path) -> None:
    _, write, read = _times(tmp_path, DiskModel(name="slow", write_s=3e-3, read_s=6e-3))
    assert write >= 3e-3
    assert read >= 6e-3


def test_a_bandwidth_makes_bytes_take_time(tmp_path: Path) -> None:
    _, write, read = _times(tmp_path, DiskModel(name="slow", bytes_per_s=4096 * 100))
    # The first request of a burst takes its own time too, so the mean is the time of one block.
    assert min(write, read) >= 0.009


def test_without_a_compiler_a_model_is_refused_and_the_hint_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(disks, "_COMPILERS", ())
    with pytest.raises(ToolFailed, match="C compiler") as refusal:
        disks.library()
    assert "apt install gcc" in refusal.value.hint


def test_the_library_is_built_once() -> None:
    first = disks.library()
    built = first.stat().st_mtime_ns
    assert disks.library() == first
    assert first.stat().st_mtime_ns == built
