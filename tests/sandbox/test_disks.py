"""The disk model does to a process what its parameters say: lower bounds, which hold on a busy machine too."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from radoscope.errors import PlanError, ToolFailed
from radoscope.sandbox import compiled, disks
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


pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture
def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "_COMPILERS", ())


def _times(tmp_path: Path, disk: DiskModel) -> tuple[float, float, float]:
    """Seconds of a flush, a write and a read of a process on this disk."""
    disks.write_parameters(tmp_path / "disk", disk)
    argv = disks.wrap((sys.executable, "-c", _TIMED, str(tmp_path / "file")), tmp_path / "disk")
    flush, write, read = subprocess.run(argv, capture_output=True, text=True, check=True).stdout.split()
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


def test_without_a_write_cache_each_write_pays_and_a_flush_has_nothing_to_do(tmp_path: Path) -> None:
    flush, write, _ = _times(tmp_path, DISKS["hdd"].with_write_cache(False))
    assert write >= 8e-3
    assert flush < 8e-3


def test_a_protected_cache_costs_no_write_when_it_is_off() -> None:
    off = DISKS["plp-sata"].with_write_cache(False)
    assert (off.write_cost_s, off.flush_cost_s) == (0, 0)


def test_a_cache_that_is_on_again_is_the_drive_as_it_was() -> None:
    assert DISKS["consumer"].with_write_cache(False).with_write_cache(True) == DISKS["consumer"]


def test_the_machines_own_disk_keeps_its_cache() -> None:
    with pytest.raises(PlanError, match="keeps its write cache"):
        DISKS["none"].with_write_cache(False)


_SYNCHRONOUS = """
import os, sys, time
fd = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT | os.O_SYNC)
begin = time.monotonic()
for _ in range(5): os.pwrite(fd, bytes(4096), 0)
print((time.monotonic() - begin) / 5)
"""


def test_a_write_to_a_file_opened_with_o_sync_ends_with_a_flush(tmp_path: Path) -> None:
    disks.write_parameters(tmp_path / "disk", DISKS["hdd"])
    argv = disks.wrap((sys.executable, "-c", _SYNCHRONOUS, str(tmp_path / "file")), tmp_path / "disk")
    assert float(subprocess.run(argv, capture_output=True, text=True, check=True).stdout) >= 8e-3


def test_without_a_compiler_a_disk_without_a_write_cache_is_refused(no_compiler: None) -> None:
    with pytest.raises(ToolFailed, match="C compiler"):
        disks.check_can_model(DISKS["consumer"].with_write_cache(False))


def test_without_a_compiler_a_flush_still_takes_as_long_as_asked(tmp_path: Path, no_compiler: None) -> None:
    flush, _, _ = _times(tmp_path, DISKS["consumer"])
    assert flush >= 1.7e-3


def test_without_a_compiler_a_disk_as_it_is_stays_as_it_is(tmp_path: Path, no_compiler: None) -> None:
    assert len(_times(tmp_path, DISKS["none"])) == 3
    disks.check_can_model(DISKS["none"])


def test_without_a_compiler_the_command_keeps_its_number(tmp_path: Path, no_compiler: None) -> None:
    disks.write_parameters(tmp_path / "disk", DISKS["consumer"])
    argv = disks.wrap((sys.executable, "-c", "import os; print(os.getpid())"), tmp_path / "disk")
    process = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True)
    said, _ = process.communicate()
    assert int(said) == process.pid


def test_without_a_compiler_a_disk_that_is_slow_at_more_is_refused_with_what_to_install(no_compiler: None) -> None:
    with pytest.raises(ToolFailed, match="C compiler") as refusal:
        disks.check_can_model(DISKS["hdd"])
    assert "apt install gcc" in refusal.value.hint


def test_the_library_is_built_once() -> None:
    first = disks.library()
    built = first.stat().st_mtime_ns
    assert disks.library() == first
    assert first.stat().st_mtime_ns == built
