"""May this device be overwritten? Only if nothing on it can be of use to anybody."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

from radoscope.errors import SiteError, ToolFailed
from radoscope.tools import call


def check_device(device: Path) -> None:
    """Raise SiteError unless the device is a whole block device, unused, and holds no signature of any kind."""
    if not device.is_block_device():
        raise SiteError(f"{device} is not a block device", "To measure a file system, give --disk-folder.")
    for reason in _uses(device.resolve()):
        raise SiteError(
            f"{device} will not be overwritten: {reason}", "radoscope writes only to a device that is empty and unused."
        )


def _uses(device: Path) -> Iterator[str]:
    """Reasons why the device must be left alone, the plainest first."""
    block = Path("/sys/class/block") / device.name
    parts = [part.name for part in block.glob(f"{device.name}*") if (part / "partition").exists()]
    if parts:
        yield f"it has partitions: {', '.join(sorted(parts))}"
    if mounts := _mounted(device):
        yield f"it is mounted at {', '.join(mounts)}"
    if holders := [holder.name for holder in (block / "holders").glob("*")]:
        yield f"it is held by {', '.join(holders)} (LVM, RAID, encryption or an OSD)"
    if str(device) in Path("/proc/swaps").read_text():
        yield "it is used for swap"
    if signature := _signature(device):
        yield f"it holds a signature: {signature}"
    if busy := _busy(device):
        yield busy


def _mounted(device: Path) -> list[str]:
    number = device.stat().st_rdev
    wanted = f"{os.major(number)}:{os.minor(number)}"
    lines = (line.split() for line in Path("/proc/self/mountinfo").read_text().splitlines())
    return [fields[4] for fields in lines if fields[2] == wanted]


def _signature(device: Path) -> str:
    """What blkid and wipefs see; wipefs knows also what blkid takes for ambiguous. BlueStore is known to both."""
    try:
        seen = call(["wipefs", "--no-act", "--parsable", "--noheadings", str(device)], timeout_s=30)
    except ToolFailed as error:
        return f"it cannot be inspected ({error.message})"
    types = [line.split(",")[-1] for line in seen.splitlines() if line and not line.startswith("#")]
    return ", ".join(types) or ("bluestore" if _begins_as_bluestore(device) else "")


def _begins_as_bluestore(device: Path) -> bool:
    try:
        with device.open("rb") as file:
            return file.read(22) == b"bluestore block device"
    except OSError:
        return False


def _busy(device: Path) -> str:
    """The kernel refuses an exclusive opening of a device that anything else holds."""
    try:
        os.close(os.open(device, os.O_RDWR | os.O_EXCL))
    except OSError as error:
        return "it is in use" if error.errno == errno.EBUSY else f"it cannot be opened: {error.strerror}"
    return ""
