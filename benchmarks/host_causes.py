"""Causes within a host for `benchmarks/diagnosis.py`: its drives and its memory; and healthy clusters of odd shapes."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from causes import Cause, again, both, clean, disk_of, erasure, limited_device, nothing, option

from radoscope.sandbox import Sandbox, disks, faults
from radoscope.sandbox.processes import end_labelled
from radoscope.sandbox.shape import DiskModel
from radoscope.sandbox.waiting import Deadline, wait_until

_MEMORY, _BLOCK = Path("/sys/fs/cgroup/memory"), Path("/sys/fs/cgroup/blkio")


@contextmanager
def swap(folder: Path, size: int) -> Iterator[str]:
    """A file to swap to, as a block device."""
    file = folder / "swap"
    with file.open("wb") as opened:
        os.posix_fallocate(opened.fileno(), 0, size)
    device = _said("losetup", "--find", "--show", "--direct-io=on", str(file)).strip()
    try:
        _said("mkswap", device)
        _said("swapon", device)
        yield device
    finally:
        subprocess.run(("swapoff", device), capture_output=True)
        _said("losetup", "-d", device)
        file.unlink()


def _said(*argv: str) -> str:
    return subprocess.run(argv, check=True, capture_output=True, text=True).stdout


def swapping(osd: int, share: float, requests_per_s: int) -> Callable[[Sandbox], object]:
    """An OSD that may keep this share of its memory; the rest is on a drive of so many requests a second."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        group, limited = (each / f"swapping-{os.getpid()}" for each in (_MEMORY, _BLOCK))
        with swap(lab.directory, 1 << 30) as device, _group(group), _group(limited):
            (group / "cgroup.procs").write_text(str(os.getpid()))
            _restart(lab, osd)
            (_MEMORY / "cgroup.procs").write_text(str(os.getpid()))
            numbers = Path(device).stat().st_rdev
            for way in ("read", "write"):
                limit = f"{os.major(numbers)}:{os.minor(numbers)} {requests_per_s}"
                (limited / f"blkio.throttle.{way}_iops_device").write_text(limit)
            (limited / "cgroup.procs").write_text(str(lab.pids()[lab.osds[osd].daemon]))
            used = int((group / "memory.usage_in_bytes").read_text())
            (group / "memory.limit_in_bytes").write_text(str(round(used * share)))
            try:
                yield
            finally:
                (group / "memory.limit_in_bytes").write_text("-1")

    return plant


@contextmanager
def _group(folder: Path) -> Iterator[None]:
    """A control group; whoever is in it at the end goes back to the one above."""
    folder.mkdir()
    try:
        yield
    finally:
        for pid in folder.joinpath("cgroup.procs").read_text().split():
            with suppress(OSError):
                (folder.parent / "cgroup.procs").write_text(pid)
        folder.rmdir()


def _restart(lab: Sandbox, osd: int) -> None:
    end_labelled(lab.label, lab.osds[osd].daemon, signal.SIGTERM)
    faults.heal(lab)


def weak_sectors(osd: int, read_s: float, seconds: float, every_s: float) -> Callable[[Sandbox], object]:
    """A drive some of whose reads take long, because it tries again by itself."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        file = lab.disk_parameters(lab.osds[osd])

        def step() -> None:
            disks.write_parameters(file, replace(lab.spec.disk, name="weak", read_s=read_s))
            time.sleep(seconds)
            disks.write_parameters(file, lab.spec.disk)

        try:
            with again(step, every_s - seconds):
                yield
        finally:
            disks.write_parameters(file, lab.spec.disk)

    return plant


_RESTED, _REST_PER_S = 30e6, 10e6


def worn_cache(cache: float, worn_out: DiskModel) -> Callable[[Sandbox], object]:
    """Drives that take so many bytes quickly and then only what their flash takes, until they have rested."""
    return lambda lab: _worn_cache(lab, cache, worn_out)


@contextmanager
def _worn_cache(lab: Sandbox, cache: float, worn_out: DiskModel) -> Iterator[None]:
    pids = [lab.pids()[osd.daemon] for osd in lab.osds]
    room, written, worn = [cache] * len(pids), [_written(pid) for pid in pids], [False] * len(pids)
    pause = 0.1

    def step() -> None:
        for number, pid in enumerate(pids):
            now = _written(pid)
            room[number] = min(cache, max(0.0, room[number] - now + written[number]) + _REST_PER_S * pause)
            written[number] = now
            state = room[number] < _RESTED if worn[number] else room[number] <= _REST_PER_S * pause
            if state is not worn[number]:
                worn[number] = state
                model = worn_out if state else lab.spec.disk
                disks.write_parameters(lab.disk_parameters(lab.osds[number]), model)

    try:
        with again(step, pause):
            yield
    finally:
        for osd in lab.osds:
            disks.write_parameters(lab.disk_parameters(osd), lab.spec.disk)


def _written(pid: int) -> int:
    lines = Path(f"/proc/{pid}/io").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("write_bytes")))


def drive_neighbour(osd: int, requests_per_s: int, depth: int) -> Callable[[Sandbox], object]:
    """Another program on an OSD's drive, which serves so many requests a second."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        limits = dict.fromkeys(("read_iops", "write_iops"), requests_per_s)
        file = lab.directory / "neighbour"
        load = ("--rw=randrw", "--bs=4k", "--direct=1", "--ioengine=libaio", f"--iodepth={depth}", "--size=64M")
        fio = ("fio", "--name=neighbour", f"--filename={file}", *load, "--time_based", "--runtime=3600", "--thread")
        subprocess.run((*fio[:3], "--rw=write", "--bs=1M", "--size=64M"), check=True, capture_output=True)
        with limited_device(lab, (osd,), limits):
            group = _BLOCK / f"diagnosis-{os.getpid()}" / "cgroup.procs"
            other = subprocess.Popen(("sh", "-c", f'echo $$ >{group}; exec "$@"', "sh", *fio), stdout=subprocess.PIPE)
            time.sleep(1)
            try:
                yield
            finally:
                other.kill()
                other.communicate()
                file.unlink()

    return plant


@contextmanager
def harmless_options(lab: Sandbox) -> Iterator[None]:
    """What people set, and what slows nothing."""
    options = (
        ("osd", "osd_max_backfills", "3"),
        ("osd", "osd_client_message_cap", "512"),
        ("osd", "ms_tcp_rcvbuf", str(4 << 20)),
        ("osd", "osd_scrub_begin_hour", "1"),
        ("osd", "osd_scrub_end_hour", "7"),
        ("osd", "osd_memory_target", str(6 << 30)),
        ("mon", "debug_mon", "5/5"),
        ("client", "rbd_cache_size", str(64 << 20)),
    )
    with ExitStack() as stack:
        for who, name, value in options:
            stack.enter_context(option(name, value, who)(lab))  # type: ignore[arg-type]
        yield


@contextmanager
def weights(lab: Sandbox) -> Iterator[None]:
    """Drives of two sizes: every second OSD has twice the weight."""
    try:
        for osd in lab.osds:
            lab.ceph.ceph_text("osd", "crush", "reweight", osd.daemon, "0.02" if osd.id % 2 else "0.01")
        wait_until(lambda: clean(lab), "active+clean", Deadline(120), every_s=0.5)
        yield
    finally:
        for osd in lab.osds:
            lab.ceph.ceph_text("osd", "crush", "reweight", osd.daemon, "0.01")
        wait_until(lambda: clean(lab), "active+clean", Deadline(120), every_s=0.5)


@contextmanager
def rebalanced(lab: Sandbox) -> Iterator[None]:
    """An OSD was out and is in again; all is clean since a moment ago."""
    for word in ("out", "in"):
        lab.ceph.ceph_text("osd", word, "1")
        time.sleep(2)
        wait_until(lambda: clean(lab), "active+clean", Deadline(120), every_s=0.5)
    yield


HOSTS: Mapping[str, Cause] = {
    "swapping": Cause(swapping(1, 0.8, 3000), ("sick-osd", "memory")),
    "weak-sectors": Cause(weak_sectors(1, 0.4, 0.06, 1.0), ("sick-osd",)),
    "worn-cache": Cause(
        worn_cache(96e6, DiskModel(name="worn", write_s=4e-3, flush_s=6e-3, bytes_per_s=30e6)),
        ("drive-bound", "flush-bound"),
    ),
    "worn-cache-small": Cause(
        worn_cache(64e6, DiskModel(name="worn", write_s=6e-3, bytes_per_s=50e6)), ("drive-bound", "flush-bound")
    ),
    "drive-neighbour": Cause(drive_neighbour(1, 300, 8), ("sick-osd",)),
    "erasure-slow-drive": Cause(
        both(erasure, disk_of(1, DiskModel(name="slow", read_s=5e-3, write_s=3e-3))),
        ("sick-osd",),
        pool=32,
        data_pool="erasure",
        lab={"hosts": 4},
    ),
    "healthy-options": Cause(harmless_options, ("nothing-wrong",)),
    "healthy-metro": Cause(nothing, ("nothing-wrong",), lab={"hosts": 4, "latency_s": 1e-3}),
    "healthy-weights": Cause(weights, ("nothing-wrong",), lab={"osds": 2}),
    "healthy-twelve": Cause(nothing, ("nothing-wrong",), lab={"osds": 4}),
    "healthy-rebalanced": Cause(rebalanced, ("nothing-wrong",), lab={"osds": 2}),
}
