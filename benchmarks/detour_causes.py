"""More causes for `diagnosis.py`, by somebody who knew no rule: detours of packets, and what daemons wait for."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from causes import Cause, _links_as_before, again, clean, disk_of, narrow, sysctl, tc, told_one
from field_causes import meanwhile
from path_causes import ip, second_switch

from radoscope.sandbox import Sandbox, faults, network
from radoscope.sandbox.layout import Host
from radoscope.sandbox.processes import end_labelled
from radoscope.sandbox.shape import DiskModel
from radoscope.sandbox.waiting import Deadline, wait_until

_PYTHON = "/usr/bin/python3"  # the system's: it has the bindings of librados


def _until_clean(lab: Sandbox) -> None:
    wait_until(lambda: clean(lab), "active+clean", Deadline(120), every_s=0.5)


@contextmanager
def _program(*argv: str) -> Iterator[None]:
    """A program that says "ready" once it serves; it is ended at the end."""
    process = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        if "ready" not in process.stdout.readline():
            raise OSError(f"{argv[0]} ended before it was ready")
        yield
    finally:
        process.kill()
        process.wait()


@contextmanager
def hub(lab: Sandbox) -> Iterator[None]:
    """Switches that forget each address at once (`bridge_ageing 0`): every frame goes to all of their ports."""
    switch = network.switch_namespace(lab.identity)
    bridges = ("public", "cluster")
    try:
        for bridge in bridges:
            ip(switch, "link", "set", "dev", bridge, "type", "bridge", "ageing_time", "0")
        yield
    finally:
        for bridge in bridges:
            ip(switch, "link", "set", "dev", bridge, "type", "bridge", "ageing_time", "30000")


_TUNNEL = """
import fcntl, os, select, struct, sys
def attach(name):
    way = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(way, 0x400454CA, struct.pack("16sH22x", name.encode(), 0x1002))  # TUNSETIFF: a tap without headers
    return way
ends = [attach(name) for name in sys.argv[1:]]
other = {}
for here, there in zip(ends[::2], ends[1::2]):
    other[here], other[there] = there, here
poll = select.epoll()
for end in ends:
    poll.register(end, select.EPOLLIN)
print("ready", flush=True)
key = 0x5A5A
while True:
    for end, _ in poll.poll():
        for _ in range(16):
            try:
                frame = os.read(end, 65600)
                key = (key * 31 + len(frame)) & 0xFFFF  # a sequence number, as each overlay keeps one
                os.write(other[end], frame)
            except BlockingIOError:
                break
            except OSError:
                pass
"""


def overlay(host: str) -> Callable[[Sandbox], object]:
    """A host that hangs on the others by an overlay network in user space: a program reads and writes each frame."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        ends = [(bridge, f"up-{bridge[0]}", f"down-{bridge[0]}") for bridge in ("public", "cluster")]
        with second_switch(lab, (host,)) as switch:
            try:
                for bridge, here, there in ends:
                    for end, master in ((here, bridge), (there, f"far-{bridge[0]}")):
                        ip(switch, "tuntap", "add", "dev", end, "mode", "tap")
                        ip(switch, "link", "set", end, "mtu", str(lab.spec.mtu), "master", master, "up")
                devices = [device for _bridge, here, there in ends for device in (here, there)]
                with _program("ip", "netns", "exec", switch, _PYTHON, "-c", _TUNNEL, *devices):
                    yield
            finally:
                for _bridge, here, there in ends:
                    for end in (here, there):
                        with suppress(subprocess.CalledProcessError):
                            ip(switch, "link", "del", end)

    return plant


def wrong_route(host: str, bits_per_s: float) -> Callable[[Sandbox], object]:
    """What a host sends to the cluster network leaves by a slow line for management; the way back is right."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        switch, members = network.switch_namespace(lab.identity), [one for one in lab.hosts if one.cluster_address]
        wrong = lab.layout.host(host)
        there = str(wrong.namespace)
        cluster = str(wrong.cluster_address)
        subnet = cluster.rpartition(".")[0] + ".0/24"
        before = {one.name: sysctl(one, "-n", "net.ipv4.conf.all.rp_filter").strip() for one in members}
        try:
            ip(switch, "link", "add", "mgmt", "type", "bridge")
            ip(switch, "link", "set", "mgmt", "up")
            for one in members:
                _management_line(lab, switch, one, bits_per_s)
            # Its own address stays the sender, so that connections last; others answer where they always did.
            ip(there, "route", "replace", subnet, "dev", "mgt0", "src", cluster)
            yield
        finally:
            with suppress(subprocess.CalledProcessError):
                usual = ("dev", "clu0", "proto", "kernel", "scope", "link", "src", cluster)
                ip(there, "route", "replace", subnet, *usual)
            for one in members:
                with suppress(subprocess.CalledProcessError):
                    ip(switch, "link", "del", f"m-{one.name}")
                sysctl(one, "-w", f"net.ipv4.conf.all.rp_filter={before[one.name]}")
            with suppress(subprocess.CalledProcessError):
                ip(switch, "link", "del", "mgmt")

    return plant


def _management_line(lab: Sandbox, switch: str, host: Host, bits_per_s: float) -> None:
    port, place = f"m-{host.name}", str(host.namespace)
    ip(switch, "link", "add", port, "type", "veth", "peer", "name", "mgt0", "netns", place)
    ip(switch, "link", "set", port, "mtu", str(lab.spec.mtu), "master", "mgmt", "up")
    ip(place, "address", "add", host.public_address.replace("10.77.0.", "10.77.2.") + "/24", "dev", "mgt0")
    ip(place, "link", "set", "mgt0", "mtu", str(lab.spec.mtu), "up")
    sysctl(host, "-w", "net.ipv4.conf.all.rp_filter=0")
    sysctl(host, "-w", "net.ipv4.conf.mgt0.rp_filter=0")
    for namespace, device in ((switch, port), (place, "mgt0")):
        narrow(namespace, device, bits_per_s)


def in_turns(host: str, slow_bits_per_s: float) -> Callable[[Sandbox], object]:
    """A host's bond gives its packets to two lines without regard to connections, and one of them came up slow: what
    takes the slow one arrives late, out of order."""
    # ld random; and 1; add 1:1; ret a
    program = f"4,32 0 0 4294963256,84 0 0 1,4 0 0 {0x10001},22 0 0 0"

    def bond(namespace: str, device: str, usual: float) -> None:
        tc(namespace, "qdisc", "replace", "dev", device, "root", "handle", "1:", "htb", "default", "1")
        for line, rate in ((1, usual), (2, slow_bits_per_s)):
            rated = ("htb", "rate", f"{rate:.0f}bit", "burst", "128k", "cburst", "128k", "quantum", "60000")
            tc(namespace, "class", "add", "dev", device, "parent", "1:", "classid", f"1:{line}", *rated)
            waiting = ("bfifo", "limit", str(max(256 * 1024, round(rate / 8 * 0.02))))
            tc(namespace, "qdisc", "add", "dev", device, "parent", f"1:{line}", *waiting)
        tc(namespace, "filter", "add", "dev", device, "parent", "1:", "bpf", "bytecode", program, "flowid", "1:1")

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        one = lab.layout.host(host)
        with _links_as_before(lab, [one]):
            for namespace, device in network._ends(lab, one):
                bond(namespace, device, lab.spec.network_bits_per_s or 10e9)
            yield

    return plant


_BURSTS = """
import socket, sys, time
address, every, count = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
way = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
way.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8 << 20)
way.setsockopt(17, 103, 1400)  # SOL_UDP, UDP_SEGMENT: cut into packets as late as possible
data = b"x" * (1400 * 40)
while True:
    time.sleep(every - time.time() % every)
    for _ in range(count):
        try:
            way.sendto(data, (address, 9))
        except OSError:
            pass
"""


def microbursts(receiver: str, every_s: float, bytes_each: int) -> Callable[[Sandbox], object]:
    """Other programs on two hosts answer a third at the same moment, again and again: its port is asked for twice what
    it gives for milliseconds, for most of the time for nothing."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        there = lab.layout.host(receiver)
        senders = [one for one in lab.hosts if one.cluster_address and one.name != receiver]
        words = (there.public_address, str(every_s), str(round(bytes_each / (1400 * 40))))
        with ExitStack() as stack:
            for one in senders:
                stack.enter_context(meanwhile(*one.wrap((_PYTHON, "-c", _BURSTS, *words))))
            yield

    return plant


_SCRAPER = """
import itertools, json, socket, sys, threading
asked = ("perf dump", "dump_historic_ops", "dump_mempools", "perf histogram dump", "config show", "perf schema")
def read(way, size):
    got = 0
    while got < size:
        part = way.recv(min(size - got, 1 << 20))
        if not part:
            raise OSError("closed")
        got += len(part)
        yield part
def scrape(path):
    for prefix in itertools.cycle(asked):
        try:
            with socket.socket(socket.AF_UNIX) as way:
                way.connect(path)
                way.sendall(json.dumps({"prefix": prefix, "format": "json"}).encode() + b"\\0")
                for _ in read(way, int.from_bytes(b"".join(read(way, 4)), "big")):
                    pass
        except OSError:
            pass
for path in sys.argv[1:]:
    threading.Thread(target=scrape, args=(path,)).start()
"""


def scraped(lab: Sandbox) -> object:
    """A monitoring agent asks each OSD's admin socket for all it has, without a pause."""
    sockets = [str(lab.run_dir / f"ceph-{osd.daemon}.asok") for osd in lab.osds]
    return meanwhile(_PYTHON, "-c", _SCRAPER, *sockets)


def slow_log(osd: int, bytes_per_s: float) -> Callable[[Sandbox], object]:
    """An OSD's log goes through a pipe to a collector that takes so much, as in containers; it logs each message."""
    pause = 0.016

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        daemon = lab.osds[osd].daemon
        file = lab.directory / "log" / f"{daemon}.log"
        kept = file.with_suffix(".kept")
        file.rename(kept)
        os.mkfifo(file)
        reader = os.open(file, os.O_RDWR | os.O_NONBLOCK)

        def take() -> None:
            with suppress(BlockingIOError):
                os.read(reader, round(bytes_per_s * pause))

        def drain() -> None:
            with suppress(BlockingIOError):
                while os.read(reader, 1 << 20):
                    pass

        try:
            with ExitStack() as stack:
                stack.callback(_log_as_before, lab, daemon, file, kept, drain)
                with again(take, pause):
                    lab.ceph.ceph_text("tell", daemon, "log", "reopen")
                    with told_one(osd, "debug_ms", "1/1", "0/0")(lab):  # type: ignore[attr-defined]
                        yield
        finally:
            os.close(reader)

    return plant


def _log_as_before(lab: Sandbox, daemon: str, pipe: Path, kept: Path, drain: Callable[[], None]) -> None:
    """Whatever still waits is thrown away, so that the OSD hears of the file at once."""
    pipe.unlink()
    kept.rename(pipe)
    with again(drain, 0.005):
        lab.ceph.ceph_text("tell", daemon, "log", "reopen")
        time.sleep(0.5)


_BLOCK, _DB_BYTES = Path("/sys/fs/cgroup/blkio"), 1 << 30


def slow_db(osd: int, requests_per_s: int) -> Callable[[Sandbox], object]:
    """An OSD whose RocksDB is on a device of its own, a slow one; its data is on a drive that is well."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        one, file, group = lab.osds[osd], lab.directory / "db-device", _BLOCK / f"slow-db-{os.getpid()}"
        store = lab.osd_directory(one)
        with file.open("wb") as opened:
            os.posix_fallocate(opened.fileno(), 0, _DB_BYTES)
        device = _said("losetup", "--find", "--show", "--direct-io=on", str(file)).strip()
        try:
            try:
                end_labelled(lab.label, one.daemon, signal.SIGTERM)
                _bluestore(store, "bluefs-bdev-new-db", "--dev-target", device)
                _bluestore(store, *_MIGRATE, str(store / "block"), "--dev-target", str(store / "block.db"))
                faults.heal(lab)
                group.mkdir()
                numbers = Path(device).stat().st_rdev
                for way in ("read", "write"):
                    limit = f"{os.major(numbers)}:{os.minor(numbers)} {requests_per_s}"
                    (group / f"blkio.throttle.{way}_iops_device").write_text(limit)
                (group / "cgroup.procs").write_text(str(lab.pids()[one.daemon]))
                yield
            finally:
                _leave(group)
                if (store / "block.db").is_symlink():
                    end_labelled(lab.label, one.daemon, signal.SIGTERM)
                    _bluestore(store, *_MIGRATE, str(store / "block.db"), "--dev-target", str(store / "block"))
                    (store / "block.db").unlink(missing_ok=True)
                faults.heal(lab)
        finally:
            subprocess.run(("losetup", "-d", device), capture_output=True)
            file.unlink()

    return plant


_MIGRATE = ("bluefs-bdev-migrate", "--devs-source")


def _bluestore(store: Path, command: str, *words: str) -> None:
    """With the OSD stopped."""
    said = {**os.environ, "CEPH_ARGS": f"--bluestore-block-db-size={_DB_BYTES}"}
    argv = ("ceph-bluestore-tool", command, "--path", str(store), *words)
    done = subprocess.run(argv, env=said, capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        raise OSError(f"{' '.join(argv)}: {done.stderr[-300:]}")


def _said(*argv: str) -> str:
    return subprocess.run(argv, check=True, capture_output=True, text=True).stdout


def _leave(group: Path) -> None:
    """Whoever is in a control group goes back to the one above."""
    if group.exists():
        for pid in (group / "cgroup.procs").read_text().split():
            with suppress(OSError):
                (group.parent / "cgroup.procs").write_text(pid)
        group.rmdir()


@contextmanager
def sick_spare(lab: Sandbox) -> Iterator[None]:
    """An OSD that was drained, because its drive is about to die, and is still up and in: nothing is on it."""
    spare = lab.osds[-1]
    nodes = lab.ceph.ceph("osd", "tree")["nodes"]
    weight = next(node["crush_weight"] for node in nodes if node["id"] == spare.id)
    try:
        lab.ceph.ceph_text("osd", "crush", "reweight", spare.daemon, "0")
        time.sleep(1)
        _until_clean(lab)
        with disk_of(spare.id, DiskModel(name="dying", flush_s=50e-3, write_s=30e-3, read_s=30e-3))(lab):  # type: ignore[attr-defined]
            yield
    finally:
        lab.ceph.ceph_text("osd", "crush", "reweight", spare.daemon, str(weight))
        time.sleep(1)
        _until_clean(lab)


DETOURS: Mapping[str, Cause] = {
    "wrong-route": Cause(wrong_route("h2", 2e8), ("network-full",)),
    "in-turns": Cause(in_turns("h2", 1e8), ("network-path",)),
    "overlay": Cause(overlay("h2"), ("slow-transfers", "host-cpu")),
    "hub": Cause(hub, ("network-full",), lab={"network_bits_per_s": 1e9}),
    "microbursts": Cause(microbursts("h2", 0.07, 1_800_000), ("network-full",), lab={"network_bits_per_s": 1e9}),
    "scraped": Cause(scraped, ("unasked-cpu", "host-cpu")),
    "slow-log": Cause(slow_log(1, 256e3), ("debug-levels", "sick-osd")),
    "slow-db": Cause(slow_db(1, 120), ("sick-osd",)),
    "healthy-sick-spare": Cause(sick_spare, ("nothing-wrong",), lab={"osds": 2}),
}
