"""A device is overwritten only when nobody could miss what is on it. Real loop devices, as root."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from radoscope.errors import SiteError
from radoscope.run.device_check import check_device

needs_loop = pytest.mark.skipif(os.geteuid() != 0, reason="making loop devices needs root")


@pytest.fixture
def device(tmp_path: Path) -> Iterator[Path]:
    backing = tmp_path / "backing"
    with backing.open("wb") as file:
        file.truncate(64 << 20)
    made = subprocess.run(["losetup", "--find", "--show", str(backing)], capture_output=True, text=True, check=True)
    path = Path(made.stdout.strip())
    yield path
    subprocess.run(["losetup", "--detach", str(path)], check=True)


@needs_loop
def test_an_empty_unused_device_may_be_overwritten(device: Path) -> None:
    check_device(device)


@needs_loop
@pytest.mark.parametrize("mark", [b"bluestore block device\n", b"LUKS\xba\xbe\x00\x01"])
def test_a_signature_is_respected(device: Path, mark: bytes) -> None:
    device.write_bytes(mark.ljust(4096, b"\0"))
    with pytest.raises(SiteError, match="holds a signature"):
        check_device(device)


@needs_loop
def test_a_file_system_and_a_mounted_device_are_respected(device: Path, tmp_path: Path) -> None:
    subprocess.run(["mkfs.ext4", "-q", str(device)], check=True)
    with pytest.raises(SiteError, match="holds a signature: ext4"):
        check_device(device)
    point = tmp_path / "mnt"
    point.mkdir()
    subprocess.run(["mount", str(device), str(point)], check=True)
    try:
        with pytest.raises(SiteError, match=f"mounted at {point}"):
            check_device(device)
    finally:
        subprocess.run(["umount", str(point)], check=True)


@needs_loop
def test_a_device_that_something_holds_open_is_respected(device: Path) -> None:
    held = os.open(device, os.O_RDWR | os.O_EXCL)
    try:
        with pytest.raises(SiteError, match="in use"):
            check_device(device)
    finally:
        os.close(held)


def test_a_file_is_no_device(tmp_path: Path) -> None:
    with pytest.raises(SiteError, match="not a block device"):
        check_device(tmp_path)
