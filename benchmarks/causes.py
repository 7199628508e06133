"""The causes that `benchmarks/diagnosis.py` plants in a sandbox, each brought about by real means and healed again."""

from __future__ import annotations

import itertools
import os
import random
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from radoscope.errors import RadoscopeError
from radoscope.sandbox import Sandbox, cables, disks, faults, network
from radoscope.sandbox.layout import Host
from radoscope.sandbox.processes import end_labelled
from radoscope.sandbox.shape import DISKS, DiskModel
from radoscope.sandbox.waiting import Deadline, wait_until


@dataclass(frozen=True)
class Cause:
    """plant: brings it about within its context. expected: rules of which one must be told first.

    pool: the placement groups of its own pool. data_pool: one that planting makes. lab: what its sandbox has that
    others do not.
    """

    plant: Callable[[Sandbox], object]
    expected: tuple[str, ...]
    pool: int | None = None
    data_pool: str | None = None
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
        with _links_as_before(lab, chosen):
            for host in chosen:
                network.shape(lab, host, bits_per_s)
            yield

    return plant


@contextmanager
def _links_as_before(lab: Sandbox, hosts: list[Host]) -> Iterator[None]:
    """Whatever is done to these hosts' links within, even in part, is taken back."""
    try:
        yield
    finally:
        for host in hosts:
            network.shape(lab, host, lab.spec.network_bits_per_s or 10e9)


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


@contextmanager
def again(step: Callable[[], object], pause_s: float) -> Iterator[None]:
    """Does something again and again meanwhile; what Ceph refuses is tried again."""
    end = threading.Event()

    def go_on() -> None:
        while not end.wait(pause_s):
            with suppress(RadoscopeError, subprocess.SubprocessError):
                step()

    thread = threading.Thread(target=go_on)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join()


def paused(osd: int, share: float) -> Callable[[Sandbox], object]:
    """An OSD that has its cores only a share of the time, as on a host that is out of CPU."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        pid, period = lab.pids()[lab.osds[osd].daemon], 0.02

        def pause() -> None:
            os.kill(pid, signal.SIGSTOP)
            time.sleep(period * (1 - share))
            os.kill(pid, signal.SIGCONT)

        with again(pause, period * share):
            yield

    return plant


def limited_cores(cores: float, hosts: tuple[str, ...] = ("h1", "h2", "h3")) -> Callable[[Sandbox], object]:
    """The OSDs of these hosts share so many cores."""
    return lambda lab: quota(cores, [lab.pids()[osd.daemon] for osd in lab.osds if osd.host in hosts])


def client_cores(cores: float) -> Callable[[Sandbox], object]:
    """So much of a core for the load generator, and for us who start it."""
    return lambda lab: quota(cores, [os.getpid()])


def quota(cores: float, pids: list[int]) -> AbstractContextManager[None]:
    return cpu_group("cpu.cfs_quota_us", f"{cores * 1e5:.0f}", pids)


@contextmanager
def cpu_group(setting: str, value: str, pids: list[int]) -> Iterator[None]:
    """These processes in a control group of their own."""
    group = Path("/sys/fs/cgroup/cpu") / f"diagnosis-{os.getpid()}"
    group.mkdir()
    try:
        (group / setting).write_text(value)
        for pid in pids:
            (group / "cgroup.procs").write_text(str(pid))
        yield
    finally:
        for pid in group.joinpath("cgroup.procs").read_text().split():
            with suppress(OSError):
                (group.parent / "cgroup.procs").write_text(pid)
        group.rmdir()


def squeezed_by(algorithm: str) -> Callable[[Sandbox], object]:
    """All that is written is compressed."""
    return both(option("bluestore_compression_algorithm", algorithm), option("bluestore_compression_mode", "force"))


def other_client(block: int, depth: int) -> Callable[[Sandbox], object]:
    """Writes objects of so many bytes, so many in flight."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        lab.ceph.ceph_text("osd", "pool", "create", "neighbour", "32", "32")
        lab.ceph.ceph_text("osd", "pool", "application", "enable", "neighbour", "rbd")
        argv = [*lab.clients[0].wrap(("rados",)), *lab.ceph.arguments(), "-p", "neighbour"]
        argv += ["bench", "2", "write", "-b", str(block), "-t", str(depth), "--no-cleanup"]
        try:
            with again(lambda: subprocess.run(argv, capture_output=True), 0.0):
                time.sleep(1)
                yield
        finally:
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
    return lambda lab: limited_device(lab, (osd,), {"read_iops": requests_per_s, "write_iops": requests_per_s})


def bursts(lab: Sandbox) -> AbstractContextManager[None]:
    """Other work now and then: one core for 5 to 20 s, a third of the time."""
    spin = "while :; do :; done"
    return again(lambda: subprocess.run(["timeout", str(random.uniform(5, 20)), "sh", "-c", spin]), 27.5)


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
    def step() -> None:
        for osd in lab.osds:
            lab.ceph.ceph_text("osd", "deep-scrub", str(osd.id))

    with filled(lab), option("osd_max_scrubs", "3")(lab), again(step, 1.0):  # type: ignore[attr-defined]
        yield


@contextmanager
def recovering(lab: Sandbox) -> Iterator[None]:
    """Data is moved to and fro while the load runs."""
    weights = itertools.cycle(("0.2", "1"))

    def weigh(weight: str) -> None:
        lab.ceph.ceph_text("osd", "reweight", str(lab.osds[-1].id), weight)

    with filled(lab):
        try:
            with again(lambda: weigh(next(weights)), 3.0):
                yield
        finally:
            weigh("1")
            wait_until(lambda: clean(lab), "active+clean", Deadline(120), every_s=0.5)


def later(name: str, seconds: float) -> Callable[[Sandbox], object]:
    """What a host sends takes so much longer. Only where links have a delay at all."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        host = next(host for host in lab.hosts if host.name == name)
        _delay(replace(lab, spec=replace(lab.spec, latency_s=lab.spec.latency_s + 2 * seconds)), host)
        try:
            # The monitors take no notice: heartbeats average over minutes, so give the one-minute mean time to move.
            time.sleep(65)
            yield
        finally:
            _delay(lab, host)

    return plant


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


def lossy(share: float, host: str = "h2") -> Callable[[Sandbox], object]:
    """The switch loses this share of what it should send to a host, by a filter of three instructions."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        switch, device = network.switch_namespace(lab.identity), f"p-{host}"
        tc(switch, "qdisc", "add", "dev", device, "clsact")
        # A random number (SKF_AD_RANDOM) at or above the limit: TC_ACT_SHOT, else TC_ACT_OK.
        lottery = f"4,32 0 0 4294963256,53 0 1 {round(2**32 * (1 - share))},6 0 0 2,6 0 0 0"
        tc(switch, "filter", "add", "dev", device, "egress", "bpf", "da", "bytecode", lottery)
        try:
            yield
        finally:
            tc(switch, "qdisc", "del", "dev", device, "clsact")

    return plant


def policed(bits_per_s: float, host: str = "h2") -> Callable[[Sandbox], object]:
    """A switch port that drops what exceeds its rate at once, instead of letting it wait for a moment."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        one = next(each for each in lab.hosts if each.name == host)
        bucket = ("root", "tbf", "rate", f"{bits_per_s:.0f}bit", "burst", "32k", "limit", "34k")
        with _links_as_before(lab, [one]):
            tc(network.switch_namespace(lab.identity), "qdisc", "replace", "dev", f"p-{host}", *bucket)
            yield

    return plant


def one_way(bits_per_s: float, host: str = "client1") -> Callable[[Sandbox], object]:
    """What a host sends is shaped, what it receives is not."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        one = next(each for each in lab.hosts if each.name == host)
        with _links_as_before(lab, [one]):
            narrow(str(one.namespace), "pub0", bits_per_s)
            yield

    return plant


def tc(namespace: str, *words: str) -> None:
    subprocess.run(("tc", "-n", namespace, *words), check=True, capture_output=True)


def narrow(namespace: str, device: str, bits_per_s: float) -> None:
    """What leaves by this device passes no faster, and waits 20 ms at most before it is lost."""
    bucket = ("tbf", "rate", f"{bits_per_s:.0f}bit", "burst", "128k", "latency", "20ms")
    tc(namespace, "qdisc", "replace", "dev", device, "root", *bucket)


def small_buffers(bytes_each: int, host: str = "h2") -> Callable[[Sandbox], object]:
    """A host whose sysctl gives TCP buffers of so many bytes; its OSDs connect anew."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        one = next(each for each in lab.hosts if each.name == host)
        names = ("net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem")
        usual = {name: sysctl(one, "-n", name).strip() for name in names}
        for name in names:
            sysctl(one, "-w", f"{name}=4096 {bytes_each} {bytes_each}")
        restart(lab, host)
        try:
            yield
        finally:
            for name, value in usual.items():
                sysctl(one, "-w", f"{name}={value}")
            restart(lab, host)

    return plant


def sysctl(host: Host, *words: str) -> str:
    return subprocess.run(host.wrap(("sysctl", *words)), check=True, capture_output=True, text=True).stdout


def restart(lab: Sandbox, host: str) -> None:
    for osd in lab.osds:
        if osd.host == host:
            end_labelled(lab.label, osd.daemon, signal.SIGTERM)
    faults.heal(lab)


def of_images(*words: str) -> Callable[[Sandbox], object]:
    """An `rbd` command, once a second, about each image that is there; {n} in it counts."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        count = 0

        def step() -> None:
            nonlocal count
            for pool in lab.ceph.ceph_text("osd", "pool", "ls").split():
                for image in _rbd(lab, "ls", pool).split() if not pool.startswith(".") else ():
                    count += 1
                    named = (word.format(n=count, image=f"{pool}/{image}") for word in words)
                    _rbd(lab, *named)

        with again(step, 1.0):
            yield

    return plant


def _rbd(lab: Sandbox, *words: str) -> str:
    argv = [*lab.clients[0].wrap(("rbd",)), *lab.ceph.arguments(), *words]
    return subprocess.run(argv, capture_output=True, text=True, timeout=10).stdout


@contextmanager
def flapping(lab: Sandbox) -> Iterator[None]:
    """An OSD that its monitors believe to be down every few seconds; it says at once that it is not."""
    with option("osd_max_markdown_count", "10000")(lab), again(lambda: lab.ceph.ceph_text("osd", "down", "1"), 4.0):  # type: ignore[attr-defined]
        yield
    wait_until(lambda: clean(lab), "active+clean", Deadline(120), every_s=0.5)


def scheduled(osd: int, *policy: str) -> Callable[[Sandbox], object]:
    """An OSD that gets a core only when nobody else wants one."""
    return lambda lab: _with_all_threads(lab, (osd,), ("chrt", "-a", *policy), ("chrt", "-a", "-o", "-p", "0"))


@contextmanager
def one_core(lab: Sandbox) -> Iterator[None]:
    """All OSDs are pinned to the first core."""
    every = tuple(osd.id for osd in lab.osds)
    back = f"0-{(os.cpu_count() or 1) - 1}"
    with _with_all_threads(lab, every, ("taskset", "-a", "-p", "-c", "0"), ("taskset", "-a", "-p", "-c", back)):
        yield


@contextmanager
def _with_all_threads(
    lab: Sandbox, osds: tuple[int, ...], there: tuple[str, ...], back: tuple[str, ...]
) -> Iterator[None]:
    pids = [str(lab.pids()[lab.osds[osd].daemon]) for osd in osds]
    for pid in pids:
        subprocess.run((*there, pid), check=True, capture_output=True)
    try:
        yield
    finally:
        for pid in pids:
            subprocess.run((*back, pid), capture_output=True)


@contextmanager
def trimming(lab: Sandbox) -> Iterator[None]:
    """Snapshots are deleted: their objects are looked for and removed."""
    with filled(lab) as pool, option("osd_snap_trim_sleep", "0")(lab):  # type: ignore[attr-defined]
        argv = [*lab.clients[0].wrap(("rados",)), *lab.ceph.arguments(), "-p", pool]
        names = [f"s{number}" for number in range(10)]
        for name in names:
            subprocess.run([*argv, "mksnap", name], capture_output=True)
            write = ("bench", "1", "write", "-b", "4096", "-t", "64", "--run-name", "trim", "--no-cleanup")
            subprocess.run([*argv, *write], capture_output=True)
        with again(lambda: names and subprocess.run([*argv, "rmsnap", names.pop()], capture_output=True), 3.0):
            yield


def hiccups(osd: int, seconds: float, every_s: float) -> Callable[[Sandbox], object]:
    """An OSD that stands still for a moment now and then, as behind a drive that tidies up."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        pid = lab.pids()[lab.osds[osd].daemon]

        def step() -> None:
            os.kill(pid, signal.SIGSTOP)
            time.sleep(seconds)
            os.kill(pid, signal.SIGCONT)

        with again(step, every_s - seconds):
            yield

    return plant


def throttled_bytes(osd: int, bytes_per_s: int) -> Callable[[Sandbox], object]:
    """An OSD whose device takes so many bytes a second: the kernel's own limit."""
    return lambda lab: limited_device(lab, (osd,), {"write_bps": bytes_per_s, "read_bps": bytes_per_s})


@contextmanager
def limited_device(lab: Sandbox, osds: tuple[int, ...], limits: Mapping[str, int]) -> Iterator[None]:
    """These OSDs share what the kernel allows of their device."""
    group, device = Path("/sys/fs/cgroup/blkio") / f"diagnosis-{os.getpid()}-{osds[0]}", lab.directory.stat().st_dev
    group.mkdir()
    for name, limit in limits.items():
        (group / f"blkio.throttle.{name}_device").write_text(f"{os.major(device)}:{os.minor(device)} {limit}")
    pids = [str(lab.pids()[lab.osds[osd].daemon]) for osd in osds]
    for pid in pids:
        (group / "cgroup.procs").write_text(pid)
    try:
        yield
    finally:
        for pid in pids:
            (group.parent / "cgroup.procs").write_text(pid)
        group.rmdir()


def spared(osd: int) -> Callable[[Sandbox], object]:
    """An OSD that is never primary: only replicas wait for it."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        lab.ceph.ceph_text("osd", "primary-affinity", str(osd), "0")
        try:
            yield
        finally:
            lab.ceph.ceph_text("osd", "primary-affinity", str(osd), "1")

    return plant


def told_one(osd: int, name: str, value: str, back: str) -> Callable[[Sandbox], object]:
    """Set in one daemon alone."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        lab.ceph.ceph_text("tell", f"osd.{osd}", "config", "set", name, value)
        try:
            yield
        finally:
            lab.ceph.ceph_text("tell", f"osd.{osd}", "config", "set", name, back)

    return plant


@contextmanager
def flags(lab: Sandbox) -> Iterator[None]:
    """Ceph warns of flags that slow nothing."""
    for flag in ("noout", "nodeep-scrub"):
        lab.ceph.ceph_text("osd", "set", flag)
    try:
        yield
    finally:
        for flag in ("noout", "nodeep-scrub"):
            lab.ceph.ceph_text("osd", "unset", flag)


@contextmanager
def unnamed_pool(lab: Sandbox) -> Iterator[None]:
    """Ceph warns of a pool without an application, and of one that keeps one copy."""
    lab.ceph.ceph_text("osd", "pool", "create", "unnamed", "8", "8")
    subprocess.run(
        [*lab.clients[0].wrap(("rados",)), *lab.ceph.arguments(), "-p", "unnamed", "put", "one", "/etc/hostname"]
    )
    try:
        yield
    finally:
        lab.ceph.ceph_text("osd", "pool", "delete", "unnamed", "unnamed", "--yes-i-really-really-mean-it")


def cluster_links(bits_per_s: float) -> Callable[[Sandbox], object]:
    """What OSDs send each other is shaped, what clients send and receive is not."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        hosts = [host for host in lab.hosts if host.cluster_address is not None]
        with _links_as_before(lab, hosts):
            for host in hosts:
                narrow(str(host.namespace), "clu0", bits_per_s)
            yield

    return plant


@contextmanager
def late_client(lab: Sandbox) -> Iterator[None]:
    """What the client sends takes 1 ms more. Only where links have a delay at all."""
    _delay(replace(lab, spec=replace(lab.spec, latency_s=2.2e-3)), lab.clients[0])
    try:
        yield
    finally:
        _delay(lab, lab.clients[0])


@contextmanager
def slow_monitor(lab: Sandbox) -> Iterator[None]:
    """The monitors stand still for half of the time; no operation of a client passes them."""
    pids = [pid for name, pid in lab.pids().items() if name.startswith("mon.")]

    def step() -> None:
        for sign in (signal.SIGSTOP, signal.SIGCONT):
            for pid in pids:
                os.kill(pid, sign)
            time.sleep(0.2 if sign is signal.SIGSTOP else 0)

    with again(step, 0.2):
        yield


def beside(*words: str) -> Callable[[Sandbox], object]:
    """Another client, again and again: a `rados` command in a pool of many objects."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        with filled(lab) as pool, again(lambda: _rados(lab, pool, *words), 0.01):
            yield

    return plant


def _rados(lab: Sandbox, pool: str, *words: str) -> None:
    argv = [*lab.clients[0].wrap(("rados",)), *lab.ceph.arguments(), "-p", pool, *words]
    subprocess.run(argv, capture_output=True, timeout=30)


def erase_pool(lab: Sandbox, name: str) -> None:
    lab.ceph.ceph_text("osd", "pool", "delete", name, name, "--yes-i-really-really-mean-it")


@contextmanager
def erasure(lab: Sandbox) -> Iterator[None]:
    """Images keep their data in two parts and a parity of 4 KiB each."""
    lab.ceph.ceph_text("osd", "erasure-code-profile", "set", "parts", "k=2", "m=1", "crush-failure-domain=host")
    lab.ceph.ceph_text("osd", "pool", "create", "erasure", "32", "32", "erasure", "parts")
    lab.ceph.ceph_text("osd", "pool", "set", "erasure", "allow_ec_overwrites", "true")
    lab.ceph.ceph_text("osd", "pool", "application", "enable", "erasure", "rbd")
    try:
        yield
    finally:
        erase_pool(lab, "erasure")


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
    "slow-client": Cause(client_cores(0.25), ("client-cpu-limit", "client-cpu")),
    "compression": Cause(squeezed_by("zlib"), ("compressible-data",)),
    "late-host": Cause(later("h2", 1e-3), ("network-path",), lab={"latency_s": 2e-4}),
    "secure": Cause(
        at_start(("ms_cluster_mode", "secure"), ("ms_service_mode", "secure"), ("ms_client_mode", "secure")),
        ("secure-mode", "nothing-wrong"),
    ),
    "lossy": Cause(lossy(0.005), ("network-path",)),
    "policed": Cause(policed(3e8), ("network-full", "network-path")),
    "upload": Cause(one_way(3e8), ("network-full",)),
    "small-buffers": Cause(small_buffers(4096), ("slow-transfers",)),
    "small-objects": Cause(option("rbd_default_order", "16", "client"), ("image-layout",)),
    "journaling": Cause(of_images("feature", "enable", "{image}", "exclusive-lock", "journaling"), ("image-layout",)),
    "compactions": Cause(
        at_start(
            (
                "bluestore_rocksdb_options",
                "compression=kNoCompression,max_write_buffer_number=2,min_write_buffer_number_to_merge=1,"
                "write_buffer_size=65536,level0_file_num_compaction_trigger=2,level0_slowdown_writes_trigger=2,"
                "level0_stop_writes_trigger=3,target_file_size_base=65536,max_bytes_for_level_base=131072",
            )
        ),
        ("slow-options",),
    ),
    "small-blobs": Cause(option("bluestore_max_blob_size", "4096"), ("slow-options",)),
    "throttle-cost": Cause(option("bluestore_throttle_cost_per_io", "30000000"), ("slow-options",)),
    "nagle-client": Cause(option("ms_tcp_nodelay", "false", "client"), ("slow-options",)),
    "flapping": Cause(flapping, ("background-work", "health")),
    "idle-class": Cause(scheduled(1, "-i", "-p", "0"), ("osd-cpu", "sick-osd")),
    "one-core": Cause(one_core, ("osd-cpu",)),
    "trimming": Cause(trimming, ("background-work",)),
    "stripes": Cause(
        both(option("rbd_default_stripe_unit", "16384", "client"), option("rbd_default_stripe_count", "8", "client")),
        ("image-layout",),
    ),
    "small-buffers-mild": Cause(small_buffers(8192, "h3"), ("slow-transfers",)),
    "slow-replica": Cause(
        both(disk_of(1, replace(FLUSH, name="slow", write_s=2e-3)), spared(1)), ("sick-osd", "uneven-load")
    ),
    "small-blobs-mild": Cause(option("bluestore_max_blob_size", "8192"), ("slow-options",)),
    "throttle-cost-high": Cause(option("bluestore_throttle_cost_per_io", "60000000"), ("slow-options",)),
    "hiccups": Cause(hiccups(1, 0.6, 2.0), ("sick-osd", "osd-cpu")),
    "bytes-limit": Cause(throttled_bytes(2, 8_000_000), ("sick-osd",)),
    "one-debug": Cause(told_one(2, "debug_bluestore", "20/20", "1/5"), ("debug-levels",)),
    "download": Cause(one_way(2e8, "h3"), ("network-full",)),
    "flags": Cause(flags, ("nothing-wrong",)),
    "unnamed-pool": Cause(unnamed_pool, ("nothing-wrong",)),
    "snapshots": Cause(of_images("snap", "create", "{image}@s{n}"), ("image-layout",)),
    "two-writers": Cause(
        both(
            of_images("feature", "enable", "{image}", "exclusive-lock"),
            of_images(
                "bench", "{image}", "--io-type", "write", "--io-size", "4K", "--io-threads", "1", "--io-total", "4M"
            ),
        ),
        ("other-clients", "image-layout"),
    ),
    "two-writers-16k": Cause(
        both(
            of_images("feature", "enable", "{image}", "exclusive-lock"),
            of_images(
                "bench", "{image}", "--io-type", "write", "--io-size", "16K", "--io-threads", "2", "--io-total", "8M"
            ),
        ),
        ("image-layout", "other-clients"),
    ),
    "erasure": Cause(erasure, ("pool-layout",), pool=32, data_pool="erasure"),
    "cluster-links": Cause(cluster_links(3e8), ("network-full",)),
    "late-client": Cause(late_client, ("network-path",), lab={"latency_s": 2e-4}),
    "image-qos": Cause(of_images("config", "image", "set", "{image}", "rbd_qos_read_iops_limit", "100"), ("io-limit",)),
    "dispatch": Cause(at_start(("ms_dispatch_throttle_bytes", "65536")), ("slow-options",)),
    "slow-monitor": Cause(slow_monitor, ("nothing-wrong",)),
    "client-debug": Cause(
        both(option("debug_objecter", "20/20", "client"), option("debug_ms", "20/20", "client")), ("debug-levels",)
    ),
    "sick-host": Cause(
        both(disk_of(2, DiskModel(name="slow", read_s=4e-3)), disk_of(3, DiskModel(name="slow", read_s=4e-3))),
        ("sick-osd",),
        lab={"osds": 2},
    ),
    "listing": Cause(beside("ls"), ("other-clients",)),
    "backup": Cause(beside("bench", "5", "seq", "-t", "16"), ("other-clients", "host-cpu")),
    "healthy-two-osds": Cause(nothing, ("nothing-wrong",), lab={"osds": 2}),
    "healthy-late": Cause(nothing, ("nothing-wrong",), lab={"latency_s": 4e-4, "size": 2}),
    "healthy-sata": Cause(nothing, ("nothing-wrong",), lab={"disk": DISKS["plp-sata"], "mtu": 9000}),
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
