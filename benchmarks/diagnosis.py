"""How often is the first finding the right one? Causes are planted in a real sandbox, and healed again.

    python benchmarks/diagnosis.py --out results            # every cause once, one lab of three hosts
    python benchmarks/diagnosis.py --causes slow-osd,network-1g --out results --minutes 7
    python benchmarks/diagnosis.py --table results          # the confusion table of what lies there

Each planted case is a short study, kept as a bundle in the folder, with the cause's name before its id. Needs root.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from radoscope import sandbox
from radoscope.errors import RadoscopeError
from radoscope.explain.finding import Role
from radoscope.explain.ranking import is_cause
from radoscope.kinds.rounds.run import run_study
from radoscope.plan.schema import Plan, check_plan
from radoscope.records.telemetry import STRANGERS_CPU
from radoscope.run.events import RunEvent
from radoscope.sandbox import Sandbox, cables, disks, faults, network
from radoscope.sandbox.layout import Host
from radoscope.sandbox.processes import end_labelled
from radoscope.sandbox.shape import DISKS, DiskModel
from radoscope.sandbox.waiting import Deadline, wait_until
from radoscope.session.request import StudyRequest
from radoscope.session.target import Target
from radoscope.workflow import assess, load_study

PLAN = {
    "name": "diagnosis",
    "rounds": 2,
    "seconds": "1500ms",
    "ramp": "300ms",
    "at_most": "1s",
    "image_size": "128MiB",
    "cells": [
        {"layer": "network", "tool": "ping"},
        {"layer": "rbd", "op": ["randwrite", "randread"], "block": "4K", "queue_depth": [1, 16]},
        {"layer": "rbd", "op": ["write", "read"], "block": "4M", "queue_depth": 8},
    ],
}


@dataclass(frozen=True)
class Cause:
    """plant: brings it about within its context. expected: rules of which one must be told first.

    pool: the placement groups of its own pool. lab: what its sandbox has that others do not.
    """

    plant: Callable[[Sandbox], object]
    expected: tuple[str, ...]
    pool: int | None = None
    lab: Mapping[str, Any] = field(default_factory=dict)


@contextmanager
def nothing(lab: Sandbox) -> Iterator[None]:
    yield


def disk_of(osd: int, disk: DiskModel) -> Callable[[Sandbox], object]:
    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        one = lab.osds[osd]
        disks.write_parameters(lab.disk_parameters(one), disk)
        try:
            yield
        finally:
            disks.write_parameters(lab.disk_parameters(one), lab.spec.disk)

    return plant


def disk_of_all(disk: DiskModel) -> Callable[[Sandbox], object]:
    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        with ExitStack() as stack:
            for osd in lab.osds:
                stack.enter_context(disk_of(osd.id, disk)(lab))  # type: ignore[arg-type]
            yield

    return plant


def links(bits_per_s: float, hosts: Callable[[Sandbox], list[str]]) -> Callable[[Sandbox], object]:
    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        chosen = [host for host in lab.hosts if host.name in hosts(lab)]
        for host in chosen:
            network.shape(lab, host, bits_per_s)
        try:
            yield
        finally:
            for host in chosen:
                network.shape(lab, host, lab.spec.network_bits_per_s or 10e9)

    return plant


def option(name: str, value: str, who: str = "osd") -> Callable[[Sandbox], object]:
    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        lab.ceph.ceph_text("config", "set", who, name, value)
        try:
            yield
        finally:
            lab.ceph.ceph_text("config", "rm", who, name)

    return plant


def told(name: str, value: str, back: str) -> Callable[[Sandbox], object]:
    """Set in the daemons alone: no monitor knows of it."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        for osd in lab.osds:
            lab.ceph.ceph_text("tell", osd.daemon, "config", "set", name, value)
        try:
            yield
        finally:
            for osd in lab.osds:
                lab.ceph.ceph_text("tell", osd.daemon, "config", "set", name, back)

    return plant


@contextmanager
def busy_host(lab: Sandbox) -> Iterator[None]:
    """As many busy processes as cores."""
    hogs = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for hog in hogs:
            hog.kill()
            hog.wait()


def paused(osd: int, share: float) -> Callable[[Sandbox], object]:
    """An OSD that has its cores only a share of the time, as on a host that is out of CPU."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        pid, end, period = lab.pids()[lab.osds[osd].daemon], threading.Event(), 0.02

        def pause() -> None:
            while not end.wait(period * share):
                os.kill(pid, signal.SIGSTOP)
                end.wait(period * (1 - share))
                os.kill(pid, signal.SIGCONT)

        thread = threading.Thread(target=pause, daemon=True)
        thread.start()
        try:
            yield
        finally:
            end.set()
            thread.join()
            os.kill(pid, signal.SIGCONT)

    return plant


def limited_cores(cores: float, hosts: tuple[str, ...] = ("h1", "h2", "h3")) -> Callable[[Sandbox], object]:
    """The OSDs of these hosts share so many cores."""
    return lambda lab: quota(cores, [lab.pids()[osd.daemon] for osd in lab.osds if osd.host in hosts])


@contextmanager
def limited_client(lab: Sandbox) -> Iterator[None]:
    """The load generator, and we who start it, have a quarter of a core."""
    with quota(0.25, [os.getpid()]):
        yield


@contextmanager
def quota(cores: float, pids: list[int]) -> Iterator[None]:
    group = Path("/sys/fs/cgroup/cpu") / f"diagnosis-{os.getpid()}"
    group.mkdir()
    try:
        (group / "cpu.cfs_quota_us").write_text(f"{cores * 1e5:.0f}")
        for pid in pids:
            (group / "cgroup.procs").write_text(str(pid))
        yield
    finally:
        for pid in group.joinpath("cgroup.procs").read_text().split():
            with suppress(OSError):
                (group.parent / "cgroup.procs").write_text(pid)
        group.rmdir()


@contextmanager
def squeezed(lab: Sandbox) -> Iterator[None]:
    """All that is written is compressed, by the slowest algorithm."""
    with option("bluestore_compression_algorithm", "zlib")(lab), option("bluestore_compression_mode", "force")(lab):  # type: ignore[attr-defined]
        yield


def other_client(block: int, depth: int) -> Callable[[Sandbox], object]:
    """Writes objects of so many bytes, so many in flight."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        lab.ceph.ceph_text("osd", "pool", "create", "neighbour", "32", "32")
        lab.ceph.ceph_text("osd", "pool", "application", "enable", "neighbour", "rbd")
        end = threading.Event()
        argv = [*lab.clients[0].wrap(("rados",)), *lab.ceph.arguments(), "-p", "neighbour"]
        argv += ["bench", "2", "write", "-b", str(block), "-t", str(depth), "--no-cleanup"]

        def load() -> None:
            while not end.is_set():
                subprocess.run(argv, capture_output=True)

        thread = threading.Thread(target=load)
        thread.start()
        try:
            time.sleep(1)
            yield
        finally:
            end.set()
            thread.join()
            name = ("neighbour", "neighbour", "--yes-i-really-really-mean-it")
            lab.ceph.ceph_text("osd", "pool", "delete", *name)

    return plant


@contextmanager
def one_primary(lab: Sandbox) -> Iterator[None]:
    """The first OSD alone is primary."""
    for osd in lab.osds[1:]:
        lab.ceph.ceph_text("osd", "primary-affinity", str(osd.id), "0")
    try:
        yield
    finally:
        for osd in lab.osds[1:]:
            lab.ceph.ceph_text("osd", "primary-affinity", str(osd.id), "1")


def throttled(osd: int, requests_per_s: int) -> Callable[[Sandbox], object]:
    """An OSD whose device serves so many reads, and so many writes, a second: the kernel's own limit."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        group, device = Path("/sys/fs/cgroup/blkio") / f"diagnosis-{os.getpid()}", lab.directory.stat().st_dev
        group.mkdir()
        for way in ("read", "write"):
            limit = f"{os.major(device)}:{os.minor(device)} {requests_per_s}"
            (group / f"blkio.throttle.{way}_iops_device").write_text(limit)
        pid = str(lab.pids()[lab.osds[osd].daemon])
        (group / "cgroup.procs").write_text(pid)
        try:
            yield
        finally:
            (group.parent / "cgroup.procs").write_text(pid)
            group.rmdir()

    return plant


@contextmanager
def bursts(lab: Sandbox) -> Iterator[None]:
    """Other work now and then: one core for 5 to 20 s of each 40 s."""
    end = threading.Event()

    def again() -> None:
        while not end.is_set():
            busy = random.uniform(5, 20)
            hog = subprocess.Popen(["sh", "-c", "while :; do :; done"])
            end.wait(busy)
            hog.kill()
            hog.wait()
            end.wait(40 - busy)

    thread = threading.Thread(target=again)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join()


@contextmanager
def filled(lab: Sandbox) -> Iterator[str]:
    """Objects in a pool of their own, so that there is something to scrub or to move."""
    lab.ceph.ceph_text("osd", "pool", "create", "ballast", "32", "32")
    lab.ceph.ceph_text("osd", "pool", "application", "enable", "ballast", "rbd")
    argv = [*lab.clients[0].wrap(("rados",)), *lab.ceph.arguments(), "-p", "ballast"]
    subprocess.run([*argv, "bench", "8", "write", "-b", "65536", "-t", "32", "--no-cleanup"], capture_output=True)
    try:
        yield "ballast"
    finally:
        lab.ceph.ceph_text("osd", "pool", "delete", "ballast", "ballast", "--yes-i-really-really-mean-it")


@contextmanager
def scrubbing(lab: Sandbox) -> Iterator[None]:
    with filled(lab), option("osd_max_scrubs", "3")(lab):  # type: ignore[attr-defined]
        end = threading.Event()

        def again() -> None:
            while not end.wait(1.0):
                for osd in lab.osds:
                    with suppress(RadoscopeError):
                        lab.ceph.ceph_text("osd", "deep-scrub", str(osd.id))

        thread = threading.Thread(target=again)
        thread.start()
        try:
            yield
        finally:
            end.set()
            thread.join()


@contextmanager
def recovering(lab: Sandbox) -> Iterator[None]:
    """Data is moved to and fro while the load runs."""
    with filled(lab):
        end = threading.Event()

        def again() -> None:
            weight = 0.2
            while not end.wait(3.0):
                with suppress(RadoscopeError):
                    lab.ceph.ceph_text("osd", "reweight", str(lab.osds[-1].id), str(weight))
                weight = 1.0 if weight < 1 else 0.2

        thread = threading.Thread(target=again)
        thread.start()
        try:
            yield
        finally:
            end.set()
            thread.join()
            lab.ceph.ceph_text("osd", "reweight", str(lab.osds[-1].id), "1")
            wait_until(lambda: clean(lab), "active+clean", Deadline(120), every_s=0.5)


@contextmanager
def late_host(lab: Sandbox) -> Iterator[None]:
    """What h2 sends takes 1 ms more. Only where links have a delay at all."""
    host = next(host for host in lab.hosts if host.name == "h2")
    _delay(replace(lab, spec=replace(lab.spec, latency_s=2.2e-3)), host)
    try:
        # The monitors take no notice: heartbeats average over minutes, so give the one-minute mean time to move.
        time.sleep(65)
        yield
    finally:
        _delay(lab, host)


def _delay(lab: Sandbox, host: Host) -> None:
    cables.end_cables(lab, host)
    network.begin_cables(lab, host)


@contextmanager
def restarted(lab: Sandbox, *options: tuple[str, str]) -> Iterator[None]:
    """Options that OSDs read when they start."""
    _set_and_restart(lab, lambda name, value: lab.ceph.ceph_text("config", "set", "osd", name, value), options)
    try:
        yield
    finally:
        _set_and_restart(lab, lambda name, _: lab.ceph.ceph_text("config", "rm", "osd", name), options)


def _set_and_restart(lab: Sandbox, change: Callable[[str, str], object], options: tuple[tuple[str, str], ...]) -> None:
    for name, value in options:
        change(name, value)
    for osd in lab.osds:
        end_labelled(lab.label, osd.daemon, signal.SIGTERM)
    faults.heal(lab)


def at_start(*options: tuple[str, str]) -> Callable[[Sandbox], object]:
    return lambda lab: restarted(lab, *options)


def both(first: Callable[[Sandbox], object], second: Callable[[Sandbox], object]) -> Callable[[Sandbox], object]:
    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        with first(lab), second(lab):  # type: ignore[attr-defined]
            yield

    return plant


def clean(lab: Sandbox) -> bool:
    with lab.connected() as cluster:
        groups = cluster.ask("status")["pgmap"]
    return all(state["state_name"].startswith("active+clean") for state in groups.get("pgs_by_state", []))


FLUSH = DISKS["hdd"]
CAUSES: Mapping[str, Cause] = {
    "healthy": Cause(nothing, ("nothing-wrong",)),
    "slow-osd": Cause(disk_of(1, replace(FLUSH, name="slow", write_s=2e-3)), ("sick-osd",)),
    "slow-osd-mild": Cause(disk_of(2, DiskModel(name="mild", flush_s=6e-3)), ("sick-osd",)),
    "slow-flushes": Cause(disk_of_all(DISKS["consumer"]), ("flush-bound",)),
    "half-bandwidth": Cause(disk_of(0, DiskModel(name="narrow", bytes_per_s=30e6)), ("sick-osd",)),
    "network-1g": Cause(links(1e9, lambda lab: [host.name for host in lab.hosts]), ("network-full",)),
    "client-1g": Cause(links(1e9, lambda lab: ["client1"]), ("network-full",)),
    "one-host-200m": Cause(links(2e8, lambda lab: ["h2"]), ("network-full",)),
    "debug-20": Cause(option("debug_osd", "20/20"), ("debug-levels",)),
    "debug-told": Cause(told("debug_bluestore", "20/20", "1/5"), ("debug-levels",)),
    "busy-host": Cause(busy_host, ("host-cpu",)),
    "paused-osd": Cause(paused(1, 0.3), ("osd-cpu", "sick-osd")),
    "few-cores": Cause(limited_cores(0.2, ("h1",)), ("osd-cpu",)),
    "few-cores-all": Cause(limited_cores(0.4), ("osd-cpu",)),
    "one-group": Cause(nothing, ("uneven-load",), pool=1),
    "other-client": Cause(other_client(65536, 16), ("other-clients",)),
    "other-client-4m": Cause(other_client(4 << 20, 4), ("other-clients",)),
    "bursts": Cause(bursts, ("nothing-wrong", "host-cpu")),
    "slow-reads": Cause(disk_of(1, DiskModel(name="slow", read_s=5e-3)), ("sick-osd",)),
    "blkio": Cause(throttled(1, 60), ("sick-osd",)),
    "narrow-drives": Cause(disk_of_all(DiskModel(name="narrow", bytes_per_s=40e6)), ("drive-bound",)),
    "hard-disks": Cause(disk_of_all(DISKS["hdd"]), ("drive-bound", "flush-bound")),
    "qos-iops": Cause(option("rbd_qos_iops_limit", "60", "client"), ("io-limit",)),
    "qos-bandwidth": Cause(option("rbd_qos_bps_limit", str(20 << 20), "client"), ("io-limit",)),
    "in-flight": Cause(option("objecter_inflight_ops", "2", "client"), ("io-limit",)),
    "in-flight-bytes": Cause(option("objecter_inflight_op_bytes", str(4 << 20), "client"), ("io-limit",)),
    "messages": Cause(at_start(("osd_client_message_cap", "1")), ("slow-options",)),
    "one-thread": Cause(at_start(("osd_op_num_shards", "1"), ("osd_op_num_threads_per_shard", "1")), ("slow-options",)),
    "nagle": Cause(at_start(("ms_tcp_nodelay", "false")), ("slow-options",)),
    "small-window": Cause(at_start(("ms_tcp_rcvbuf", "4096")), ("slow-options",)),
    "deferred": Cause(option("bluestore_prefer_deferred_size", str(8 << 20)), ("slow-options",)),
    "mclock-limit": Cause(
        at_start(
            ("osd_op_queue", "mclock_scheduler"),
            ("osd_mclock_profile", "custom"),
            ("osd_mclock_scheduler_client_lim", "50"),
        ),
        ("slow-options",),
    ),
    "injected-delay": Cause(
        both(
            option("osd_debug_inject_dispatch_delay_probability", "0.5"),
            option("osd_debug_inject_dispatch_delay_duration", "0.01"),
        ),
        ("debug-levels",),
    ),
    "slow-reads-mild": Cause(disk_of(2, DiskModel(name="slow", read_s=2e-3)), ("sick-osd",)),
    "blkio-mild": Cause(throttled(0, 120), ("sick-osd",)),
    "narrow-drives-mild": Cause(disk_of_all(DiskModel(name="narrow", bytes_per_s=80e6)), ("drive-bound",)),
    "qos-iops-mild": Cause(option("rbd_qos_iops_limit", "200", "client"), ("io-limit",)),
    "in-flight-mild": Cause(option("objecter_inflight_ops", "4", "client"), ("io-limit",)),
    "messages-mild": Cause(at_start(("osd_client_message_cap", "2")), ("slow-options",)),
    "small-window-mild": Cause(at_start(("ms_tcp_rcvbuf", "16384")), ("slow-options",)),
    "other-client-4m-mild": Cause(other_client(4 << 20, 2), ("other-clients",)),
    "mclock-limit-mild": Cause(
        at_start(
            ("osd_op_queue", "mclock_scheduler"),
            ("osd_mclock_profile", "custom"),
            ("osd_mclock_scheduler_client_lim", "150"),
        ),
        ("slow-options",),
    ),
    "debug-ms": Cause(option("debug_ms", "20/20"), ("debug-levels",)),
    "one-primary": Cause(one_primary, ("uneven-load",)),
    "scrub": Cause(scrubbing, ("scrub",)),
    "recovery": Cause(recovering, ("background-work",)),
    "slow-client": Cause(limited_client, ("client-cpu",)),
    "compression": Cause(squeezed, ("compressible-data",)),
    "late-host": Cause(late_host, ("network-path",), lab={"latency_s": 2e-4}),
    "secure": Cause(
        at_start(("ms_cluster_mode", "secure"), ("ms_service_mode", "secure"), ("ms_client_mode", "secure")),
        ("secure-mode", "nothing-wrong"),
    ),
    "slow-osd+network-1g": Cause(
        both(
            disk_of(1, replace(FLUSH, name="slow", write_s=2e-3)),
            links(1e9, lambda lab: [host.name for host in lab.hosts]),
        ),
        ("sick-osd", "network-full"),
    ),
    "slow-flushes+one-group": Cause(disk_of_all(DISKS["consumer"]), ("flush-bound", "uneven-load"), pool=1),
    "slow-reads+qos-iops": Cause(
        both(disk_of(1, DiskModel(name="slow", read_s=5e-3)), option("rbd_qos_iops_limit", "60", "client")),
        ("io-limit", "sick-osd"),
    ),
    "slow-flushes+in-flight": Cause(
        both(disk_of_all(DISKS["consumer"]), option("objecter_inflight_ops", "2", "client")),
        ("flush-bound", "io-limit"),
    ),
    "nagle+narrow-drives": Cause(
        both(at_start(("ms_tcp_nodelay", "false")), disk_of_all(DiskModel(name="narrow", bytes_per_s=40e6))),
        ("slow-options", "drive-bound"),
    ),
    "other-client-4m+debug-20": Cause(
        both(other_client(4 << 20, 4), option("debug_osd", "20/20")), ("other-clients", "debug-levels")
    ),
    "slow-osd+busy-host": Cause(
        both(disk_of(1, replace(FLUSH, name="slow", write_s=2e-3)), busy_host), ("sick-osd", "host-cpu")
    ),
}


def one_case(lab: Sandbox, name: str, cause: Cause, out: Path, healed: bool) -> None:
    """The study with the cause, and the same again once it is healed: what was lost is what healing brings back."""
    pool = None
    if cause.pool is not None:
        pool = f"groups-{cause.pool}"
        lab.ceph.ceph_text("osd", "pool", "create", pool, str(cause.pool), str(cause.pool))
        lab.ceph.ceph_text("osd", "pool", "application", "enable", pool, "rbd")
    try:
        with cause.plant(lab):  # type: ignore[attr-defined]
            sick = _study(lab, pool, out, name)
    finally:
        if pool is not None:
            lab.ceph.ceph_text("osd", "pool", "delete", pool, pool, "--yes-i-really-really-mean-it")
    if name != "healthy" and healed:
        _study(lab, None, out, f"{name}-healed.{sick}")


def _study(lab: Sandbox, pool: str | None, out: Path, name: str) -> str:
    request = StudyRequest.build(plan(), Target(sandbox=lab.name, pool=pool))
    done = run_study(request, quiet, threading.Event())
    shutil.move(done.folder, out / f"{name}.{done.folder.name}")
    return done.folder.name


def plan() -> Plan:
    return check_plan(PLAN, "diagnosis")


def quiet(event: RunEvent) -> None:
    pass


def measure(names: list[str], out: Path, end: float, osds: int, healed: bool) -> None:
    """end: by time.monotonic()."""
    out.mkdir(parents=True, exist_ok=True)
    labs = [CAUSES[name].lab for name in names]
    for options in [lab for number, lab in enumerate(labs) if lab not in labs[:number]]:
        _in_one_lab([name for name in names if CAUSES[name].lab == options], options, out, end, osds, healed)


def _in_one_lab(names: list[str], options: Mapping[str, Any], out: Path, end: float, osds: int, healed: bool) -> None:
    lab_name = f"diagnosis-{os.getpid()}"
    disk = DiskModel(name="modelled", write_s=1e-6)
    spec = sandbox.SandboxSpec(name=lab_name, hosts=3, osds=osds, disk=disk, network_bits_per_s=10e9)
    try:
        lab = sandbox.up(replace(spec, **options), lambda words: None)
        lab.ceph.ceph_text("config", "set", "mon", "mon_allow_pool_delete", "true")
        for name in names:
            begun = time.monotonic()
            if begun > end:
                print(f"no time left for {name}", flush=True)
                continue
            try:
                one_case(lab, name, CAUSES[name], out, healed)
                print(f"{name}: {time.monotonic() - begun:.0f} s", flush=True)
            except (RadoscopeError, OSError, subprocess.SubprocessError) as error:  # it must not cost the other cases
                print(f"{name}: {type(error).__name__} {error}", flush=True)
    finally:
        sandbox.down(lab_name)


OTHER_WORK_CORES = 0.5
"""Cores that neither the load nor the cluster used in some segment: "other processes" is then true as well."""


def named_in(folder: Path) -> tuple[list[str], float]:
    """The rules of the causes that are named, in their order, and the most cores that strangers used."""
    study = load_study(str(folder))
    named = [one.rule for one in assess(study)[1] if is_cause(one) or one.role is Role.SOUND]
    busy = [max(one.values) for s in study.segments for one in s.telemetry if one.name == STRANGERS_CPU.name]
    return list(dict.fromkeys(named)), max(busy, default=0.0)


def table(out: Path) -> None:
    """One line a case; then how often what was planted came first, came first beside the machine's own work, and what
    else was accused."""
    cases = first = beside = accused = 0
    for folder in sorted(one for one in out.glob("*.*") if "-healed." not in one.name):
        name = folder.name.partition(".")[0]
        (named, busy), expected = named_in(folder), CAUSES[name].expected
        wanted = "host-cpu" in expected
        others = [rule for rule in named if wanted or rule != "host-cpu" or busy < OTHER_WORK_CORES]
        right = (others or ["nothing-wrong"])[0] in expected
        wrong = [rule for rule in others if rule not in (*expected, "nothing-wrong")]
        cases, first, beside = cases + 1, first + (named[:1] == others[:1] and right), beside + right
        accused += bool(wrong)
        print(f"{'  ' if right and not wrong else '! '}{name:16} {busy:.1f} cores of others; {', '.join(named)}")
    print(f"{cases} cases: planted first {first}, first beside other work {beside}, something else accused {accused}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--causes", default=",".join(CAUSES))
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--osds", type=int, default=1, help="on each of the three hosts")
    parser.add_argument("--shuffle", type=int, help="seed of the order")
    parser.add_argument("--once", action="store_true", help="without the same study of the healed cluster")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--table", type=Path)
    said = parser.parse_args()
    if said.table:
        table(said.table)
        return
    names = said.causes.split(",") * said.repeats
    if said.shuffle is not None:
        random.Random(said.shuffle).shuffle(names)
    measure(names, said.out, time.monotonic() + said.minutes * 60, said.osds, not said.once)


if __name__ == "__main__":
    main()
