"""What this machine must have before a sandbox is started: tools, memory, disk, and root for namespaces."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from radoscope import memory, paths
from radoscope.ceph import connection
from radoscope.errors import SiteError, ToolFailed
from radoscope.sandbox.conf import AIO_DEPTH
from radoscope.sandbox.processes import SEARCH_PATH
from radoscope.sandbox.spec import SandboxSpec
from radoscope.units import format_bytes

# Tool -> Debian's package.
TOOLS = {
    "ceph-mon": "ceph-mon",
    "ceph-mgr": "ceph-mgr",
    "ceph-osd": "ceph-osd",
    "monmaptool": "ceph-base",
    "ceph-authtool": "ceph-common",
}
CEPHFS_TOOLS = {"ceph-mds": "ceph-mds"}
RGW_TOOLS = {"radosgw": "radosgw", "radosgw-admin": "ceph-common"}
NAMESPACE_TOOLS = {
    "ip": "iproute2",
    "tc": "iproute2",
    "ss": "iproute2",
    "unshare": "util-linux",
    "hostname": "hostname",
    "iperf3": "iperf3",
    "ping": "iputils-ping",
}
DISK_TOOLS = {"fio": "fio"}
_LIBRADOS = "librados2"

# Resident memory as measured on Ceph 16.2.15 with the sandbox's settings, under load (docs/verbs/sandbox.md).
OSD_MEMORY_BYTES = 400 * 2**20
MON_MEMORY_BYTES = 80 * 2**20
MGR_MEMORY_BYTES = 330 * 2**20
MDS_MEMORY_BYTES = 60 * 2**20
RGW_MEMORY_BYTES = 200 * 2**20
# An OSD's own files (BlueFS, RocksDB) before any data; and room for the monitors' store and the logs.
_OSD_DISK_BYTES = 512 * 2**20
_OTHER_DISK_BYTES = 512 * 2**20


def _missing_packages(spec: SandboxSpec) -> tuple[str, ...]:
    """The Debian packages that this sandbox lacks on this host."""
    tools = dict(TOOLS)
    if spec.hosts is not None:
        tools |= NAMESPACE_TOOLS
    if not spec.disk.changes_nothing:
        tools |= DISK_TOOLS
    if spec.cephfs:
        tools |= CEPHFS_TOOLS
    if spec.rgw:
        tools |= RGW_TOOLS
    missing = {package for tool, package in tools.items() if shutil.which(tool, path=SEARCH_PATH) is None}
    if not connection.is_available():
        missing.add(_LIBRADOS)
    return tuple(sorted(missing))


def check_machine(spec: SandboxSpec) -> None:
    """Refuse, with the reason and what to do, what this machine cannot carry. Raises ToolFailed or SiteError."""
    if missing := _missing_packages(spec):
        raise ToolFailed(f"Debian packages are missing: {', '.join(missing)}", f"apt install {' '.join(missing)}")
    if spec.hosts is not None and os.geteuid() != 0:
        raise SiteError(
            "--hosts needs root: each host is a network namespace",
            f"Run it as root; or leave out --hosts: radoscope sandbox up {spec.name} --osds {min(spec.all_osds, 6)}",
        )
    _check_room(spec.all_osds, needed_memory_bytes(spec))


def check_room_for(osds: int) -> None:
    """Refuse OSDs that are to be added when this machine cannot carry them. Raises SiteError."""
    _check_room(osds, osds * OSD_MEMORY_BYTES)


def needed_memory_bytes(spec: SandboxSpec) -> int:
    mons, mgrs = (3, 2) if (spec.hosts or 0) >= 3 else (1, 1)
    above = spec.cephfs * MDS_MEMORY_BYTES + spec.rgw * RGW_MEMORY_BYTES
    return spec.all_osds * OSD_MEMORY_BYTES + mons * MON_MEMORY_BYTES + mgrs * MGR_MEMORY_BYTES + above


def _check_room(osds: int, memory_bytes: int) -> None:
    _check_memory(osds, memory_bytes)
    _check_disk(osds)
    _check_aio(osds)


def _check_memory(osds: int, needed: int) -> None:
    free = memory.available_bytes()
    if free is not None and free < needed:
        raise SiteError(
            f"{_counted(osds)} {format_bytes(needed)} of memory; {format_bytes(free)} are free",
            "Use fewer OSDs, or free memory.",
        )


def _check_disk(osds: int) -> None:
    folder = paths.sandboxes()
    while not folder.exists():
        folder = folder.parent
    needed, free = osds * _OSD_DISK_BYTES + _OTHER_DISK_BYTES, shutil.disk_usage(folder).free
    if free < needed:
        raise SiteError(
            f"{_counted(osds)} {format_bytes(needed)} of disk; {folder} has {format_bytes(free)} free",
            "Free some space, or set RADOSCOPE_HOME to a folder on another disk.",
        )


def _check_aio(osds: int) -> None:
    """The kernel grants a fixed number of asynchronous requests to all processes together."""
    needed, free = osds * 2 * AIO_DEPTH, _kernel_number("aio-max-nr") - _kernel_number("aio-nr")
    if free < needed:
        raise SiteError(
            f"{_counted(osds)} {needed} asynchronous requests of the kernel; {free} are free",
            "As root: sysctl -w fs.aio-max-nr=1048576",
        )


def _counted(osds: int) -> str:
    return "1 OSD needs" if osds == 1 else f"{osds} OSDs need"


def _kernel_number(name: str) -> int:
    return int(Path(f"/proc/sys/fs/{name}").read_text())
