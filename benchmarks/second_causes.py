"""A second strength of the causes of `causes.py`, and what else people ask of them, for `benchmarks/diagnosis.py`."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager

from causes import (
    Cause,
    again,
    at_start,
    both,
    busy_host,
    clean,
    client_cores,
    cpu_group,
    disk_of,
    disk_of_all,
    erase_pool,
    filled,
    later,
    limited_cores,
    links,
    nothing,
    option,
    other_client,
    recovering,
    scrubbing,
    squeezed_by,
)

from radoscope.sandbox import Sandbox
from radoscope.sandbox.shape import DiskModel
from radoscope.sandbox.waiting import Deadline, wait_until


@contextmanager
def uneven_groups(lab: Sandbox) -> Iterator[None]:
    """Of the groups that a host holds, its first OSD has nearly all, though the weights are equal."""
    moved = [osd for osd in lab.osds if osd.host == lab.osds[0].host]
    full, spared = moved[0].id, {osd.id for osd in moved[1:]}
    lab.ceph.ceph_text("osd", "set-require-min-compat-client", "luminous")
    groups = [
        (group["pgid"], group["up"])
        for group in lab.ceph.ceph("pg", "dump", "pgs_brief")["pg_stats"]
        if spared & set(group["up"])
    ]
    try:
        for pgid, up in groups[: len(groups) * 9 // 10]:
            from_osd = next(osd for osd in up if osd in spared)
            lab.ceph.ceph_text("osd", "pg-upmap-items", pgid, str(from_osd), str(full))
        wait_until(lambda: clean(lab), "active+clean", Deadline(120), every_s=0.5)
        yield
    finally:
        for pgid, _up in groups:
            lab.ceph.ceph_text("osd", "rm-pg-upmap-items", pgid)
        wait_until(lambda: clean(lab), "active+clean", Deadline(120), every_s=0.5)


@contextmanager
def pools_removed(lab: Sandbox) -> Iterator[None]:
    """Pools of many small objects are deleted, which OSDs do in the background."""
    names = [f"old-{number}" for number in range(8)]
    for name in names:
        lab.ceph.ceph_text("osd", "pool", "create", name, "8", "8")
        lab.ceph.ceph_text("osd", "pool", "application", "enable", name, "rbd")
        argv = [*lab.clients[0].wrap(("rados",)), *lab.ceph.arguments(), "-p", name]
        subprocess.run([*argv, "bench", "2", "write", "-b", "4096", "-t", "64", "--no-cleanup"], capture_output=True)
    with option("osd_delete_sleep", "0")(lab), again(lambda: names and erase_pool(lab, names.pop()), 2.0):  # type: ignore[attr-defined]
        yield
    for name in names:
        erase_pool(lab, name)


@contextmanager
def groups_split(lab: Sandbox) -> Iterator[None]:
    """Another pool gets more and more placement groups, and its objects move."""
    numbers = iter(range(40, 400, 8))
    with filled(lab) as pool:  # type: ignore[attr-defined]
        lab.ceph.ceph_text("osd", "pool", "set", pool, "pg_autoscale_mode", "off")
        with again(lambda: lab.ceph.ceph_text("osd", "pool", "set", pool, "pg_num", str(next(numbers))), 1.5):
            yield


@contextmanager
def starved(lab: Sandbox) -> Iterator[None]:
    """An OSD whose weight in the scheduler is the least there is, beside a busy process on each core."""
    pids = [lab.pids()[lab.osds[1].daemon]]
    with cpu_group("cpu.shares", "2", pids), busy_host(lab):  # type: ignore[attr-defined]
        yield


def disk_of_every_second(disk: DiskModel) -> Callable[[Sandbox], object]:
    """Drives of two kinds in one pool."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        with ExitStack() as stack:
            for osd in lab.osds[1::2]:
                stack.enter_context(disk_of(osd.id, disk)(lab))  # type: ignore[arg-type]
            yield

    return plant


_MCLOCK = (("osd_op_queue", "mclock_scheduler"), ("osd_mclock_profile", "high_recovery_ops"))
_NO_CACHE = (("bluestore_cache_autotune", "false"), ("bluestore_cache_size", "4194304"))

SECOND: Mapping[str, Cause] = {
    "slow-flushes-mild": Cause(disk_of_all(DiskModel(name="slower", flush_s=8e-4)), ("flush-bound",)),
    "half-bandwidth-mild": Cause(disk_of(2, DiskModel(name="narrow", bytes_per_s=60e6)), ("sick-osd",)),
    "one-host-1g": Cause(links(1e9, lambda lab: ["h2"]), ("network-full",)),
    "late-host-3ms": Cause(later("h3", 3e-3), ("network-path",), lab={"latency_s": 2e-4}),
    "few-cores-mild": Cause(limited_cores(0.4, ("h2",)), ("osd-cpu",)),
    "slow-client-mild": Cause(client_cores(0.5), ("client-cpu-limit", "client-cpu")),
    "debug-10": Cause(
        both(option("debug_osd", "10/10"), option("debug_bluestore", "10/10")), ("debug-levels", "nothing-wrong")
    ),
    "scrub-slow-reads": Cause(
        both(scrubbing, disk_of_all(DiskModel(name="slow-reads", read_s=2e-3))), ("scrub", "drive-bound")
    ),
    "recovery-slow-drives": Cause(
        both(recovering, disk_of_all(DiskModel(name="narrow", bytes_per_s=60e6))), ("background-work", "drive-bound")
    ),
    "compression-snappy": Cause(squeezed_by("snappy"), ("compressible-data", "nothing-wrong")),
    "two-groups": Cause(nothing, ("uneven-load",), pool=2, lab={"osds": 2}),
    "mclock-capacity": Cause(
        at_start(*_MCLOCK, ("osd_mclock_max_capacity_iops_ssd", "60"), ("osd_mclock_max_capacity_iops_hdd", "60")),
        ("mclock", "slow-options"),
    ),
    "mclock-capacity-mild": Cause(
        at_start(*_MCLOCK, ("osd_mclock_max_capacity_iops_ssd", "200"), ("osd_mclock_max_capacity_iops_hdd", "200")),
        ("mclock", "slow-options"),
    ),
    "small-cache": Cause(
        both(at_start(*_NO_CACHE), disk_of_all(DiskModel(name="slow-reads", read_s=2e-3))),
        ("drive-bound", "small-cache"),
    ),
    "secure-cluster": Cause(at_start(("ms_cluster_mode", "secure")), ("secure-mode", "nothing-wrong")),
    "other-client-mild": Cause(other_client(65536, 4), ("other-clients",)),
    "uneven-groups": Cause(
        both(disk_of_all(DiskModel(name="narrow", bytes_per_s=80e6)), uneven_groups),
        ("uneven-load", "drive-bound"),
        pool=32,
        lab={"osds": 2},
    ),
    "pools-removed": Cause(pools_removed, ("background-work", "unasked-writes")),
    "groups-split": Cause(groups_split, ("unasked-writes", "background-work")),
    "cache-off": Cause(
        disk_of_all(DiskModel(name="cache-off", flush_s=1.7e-3, write_cache=False)),
        ("flush-bound", "drive-bound", "drive-cache"),
    ),
    "two-kinds": Cause(
        disk_of_every_second(DiskModel(name="old", flush_s=6e-3, read_s=6e-3, channels=2)),
        ("sick-osd", "mixed-drives", "flush-bound", "drive-bound"),
        lab={"osds": 2},
    ),
    "uneven-flushes": Cause(disk_of_all(DiskModel(name="uneven", flush_s=1e-3, jitter=0.9)), ("flush-bound",)),
    "starved": Cause(starved, ("host-cpu", "osd-cpu", "sick-osd")),
    "healthy-one-host": Cause(nothing, ("nothing-wrong",), lab={"hosts": 1, "osds": 3, "size": 1}),
    "healthy-one-copy": Cause(nothing, ("nothing-wrong",), lab={"size": 1}),
    "healthy-fast-lines": Cause(nothing, ("nothing-wrong",), lab={"network_bits_per_s": 40e9}),
}

AS_ASKED = (
    ("slow-osd", "slow-osd-mild"), ("slow-flushes", "slow-flushes-mild"), ("half-bandwidth", "half-bandwidth-mild"),
    ("one-host-200m", "one-host-1g"), ("late-host-3ms", "late-host"), ("few-cores", "few-cores-mild"),
    ("slow-client", "slow-client-mild"), ("debug-20", "debug-10"), ("scrub-slow-reads", "scrub"),
    ("recovery", "recovery-slow-drives"), ("one-group", "two-groups"), ("upmap-left", "uneven-groups"),
    ("mclock-capacity", "mclock-capacity-mild"), ("other-client", "other-client-mild"),
    ("compression", "compression-snappy"), ("secure", "secure-cluster"), ("small-cache", "slow-reads"),
    ("network-1g", "client-1g"), ("lossy", "bad-pair"), ("busy-host", "bursts"),
)  # fmt: skip
"""Causes at two strengths, the stronger first."""
