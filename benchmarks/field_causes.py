"""More causes for `benchmarks/diagnosis.py`: what trackers and forums name as what it was in the end."""

from __future__ import annotations

import itertools
import json
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager

from causes import (
    Cause,
    _rados,
    again,
    at_start,
    beside,
    both,
    clean,
    erase_pool,
    erasure,
    limited_device,
    nothing,
    restart,
    sysctl,
    tc,
)

from radoscope.sandbox import Sandbox, network
from radoscope.sandbox.layout import Host
from radoscope.sandbox.processes import end_labelled
from radoscope.sandbox.shape import DiskModel
from radoscope.sandbox.waiting import Deadline, wait_until

_RANDOM = 4294963256
"""SKF_AD_RANDOM: where a packet filter finds a random number."""
_SOURCE = 14 + 12
"""Of an IPv4 packet in an Ethernet frame: where its sender stands."""
_DROP, _PASS, _NEXT = 2, 0, 2**32 - 1
"""What a filter says of a packet: TC_ACT_SHOT, TC_ACT_OK, TC_ACT_UNSPEC."""


@contextmanager
def meanwhile(*argv: str) -> Iterator[None]:
    """A process that runs until the end; it gets a moment to begin."""
    process = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(1)
    try:
        yield
    finally:
        process.kill()
        process.wait()


def foreign_traffic(sender: str, receiver: str) -> Callable[[Sandbox], object]:
    """What is not Ceph's fills the line between two hosts: a backup, guests that move."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        there, here = lab.layout.host(receiver), lab.layout.host(sender)
        to_there = here.wrap(("iperf3", "-c", there.public_address, "-t", "3600"))
        with meanwhile(*there.wrap(("iperf3", "-s"))), meanwhile(*to_there):
            yield

    return plant


@contextmanager
def filtered(lab: Sandbox, host: Host, programs: list[str]) -> Iterator[None]:
    """Packet filters on all that the switch sends to a host. programs: classic BPF, as tc takes it."""
    switch = network.switch_namespace(lab.identity)
    ports = (f"p-{host.name}", f"c-{host.name}")
    for port in ports:
        tc(switch, "qdisc", "add", "dev", port, "clsact")
        for number, program in enumerate(programs, start=1):
            place = ("egress", "pref", str(number), "bpf", "da", "bytecode", program)
            tc(switch, "filter", "add", "dev", port, *place)
    try:
        yield
    finally:
        for port in ports:
            tc(switch, "qdisc", "del", "dev", port, "clsact")


def bad_pair(sender: str, receiver: str, share: float) -> Callable[[Sandbox], object]:
    """Of what one host sends another this share gets lost; all other ways are well."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        source = lab.layout.host(sender)
        programs = [
            f"6,32 0 0 {_SOURCE},21 0 3 {_number(address)},32 0 0 {_RANDOM},53 0 1 {round(2**32 * (1 - share))},"
            f"6 0 0 {_DROP},6 0 0 {_NEXT}"
            for address in (source.public_address, source.cluster_address or source.public_address)
        ]
        with filtered(lab, lab.layout.host(receiver), programs):
            yield

    return plant


def firewall(host: str, rules: int) -> Callable[[Sandbox], object]:
    """So many rules that each packet to a host is compared with, one after the other."""
    each = 2000

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        # Senders that there are none of: each rule is a comparison that fails.
        compares = ",".join(f"21 {each - number} 0 {number + 1}" for number in range(each))
        program = f"{each + 3},32 0 0 {_SOURCE},{compares},6 0 0 {_NEXT},6 0 0 {_DROP}"
        with filtered(lab, lab.layout.host(host), [program] * (rules // each)):
            yield

    return plant


def _number(address: str) -> int:
    return int.from_bytes(bytes(map(int, address.split("."))), "big")


def without_scaling(host: str) -> Callable[[Sandbox], object]:
    """A host on which somebody has turned TCP's window scaling off; its OSDs connect anew."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        one = lab.layout.host(host)
        sysctl(one, "-w", "net.ipv4.tcp_window_scaling=0")
        restart(lab, host)
        try:
            yield
        finally:
            sysctl(one, "-w", "net.ipv4.tcp_window_scaling=1")
            restart(lab, host)

    return plant


@contextmanager
def on_one_host(lab: Sandbox) -> Iterator[None]:
    """The pool's rule takes the OSDs of one host of three."""
    lab.ceph.ceph_text("osd", "crush", "rule", "create-simple", "one", "h1", "osd")
    pool = next(name for name in lab.ceph.ceph_text("osd", "pool", "ls").split() if name.startswith("groups-"))
    lab.ceph.ceph_text("osd", "pool", "set", pool, "size", "2")
    lab.ceph.ceph_text("osd", "pool", "set", pool, "crush_rule", "one")
    time.sleep(5)
    yield


def benched(osd: int, size: int, block: int) -> Callable[[Sandbox], object]:
    """Somebody measures one OSD again and again, which no client's operation shows."""
    words = ("tell", f"osd.{osd}", "bench", str(size), str(block))
    return lambda lab: again(lambda: lab.ceph.ceph_text(*words), 0.0)


@contextmanager
def neighbour(lab: Sandbox) -> Iterator[str]:
    """A pool of another client."""
    lab.ceph.ceph_text("osd", "pool", "create", "neighbour", "32", "32")
    lab.ceph.ceph_text("osd", "pool", "application", "enable", "neighbour", "rbd")
    try:
        yield "neighbour"
    finally:
        erase_pool(lab, "neighbour")


@contextmanager
def image_beside(lab: Sandbox, *options: str) -> Iterator[None]:
    """Another client's fio on an image of its own."""
    with neighbour(lab) as pool:
        host = lab.clients[0]
        subprocess.run([*host.wrap(("rbd",)), *lab.ceph.arguments(), "create", f"{pool}/theirs", "--size", "1G"])
        shared = ("--name=theirs", "--ioengine=rbd", f"--pool={pool}", "--rbdname=theirs", "--time_based")
        argv = (*host.wrap(("env", f"CEPH_CONF={lab.conf}", "fio")), *shared, "--runtime=3600", *options)
        with meanwhile(*argv):
            yield


def fstrim(lab: Sandbox) -> object:
    """Guests give back what they do not use: operations without bytes."""
    return image_beside(lab, "--rw=randtrim", "--bs=64k", "--iodepth=16")


def quiet_neighbour(lab: Sandbox) -> object:
    return image_beside(lab, "--rw=randwrite", "--bs=4k", "--iodepth=1", "--rate_iops=20")


_INDEX = """
import rados, sys, threading
cluster = rados.Rados(conffile=sys.argv[1])
cluster.connect()
def go_on(name):
    with cluster.open_ioctx(sys.argv[2]) as pool:
        for turn in range(10**9):
            keys = tuple(f"{turn % 20}-{number:06}" for number in range(500))
            with rados.WriteOpCtx() as op:
                pool.set_omap(op, keys, (b"x" * 150,) * len(keys))
                pool.operate_write_op(op, name)
threads = [threading.Thread(target=go_on, args=(f"index.{number}",)) for number in range(4)]
[one.start() for one in threads]
"""


@contextmanager
def index_writer(lab: Sandbox) -> Iterator[None]:
    """Another client that keeps an index, as a gateway does of its buckets: few operations of many keys each."""
    argv = lab.clients[0].wrap(("/usr/bin/python3", "-c", _INDEX, str(lab.conf)))
    with neighbour(lab) as pool, meanwhile(*argv, pool):
        yield


@contextmanager
def restarted_a_moment_ago(lab: Sandbox) -> Iterator[None]:
    for osd in lab.osds:
        end_labelled(lab.label, osd.daemon, signal.SIGTERM)
    restart(lab, lab.hosts[0].name)
    yield


@contextmanager
def many_pools(lab: Sandbox) -> Iterator[None]:
    """Eight pools that nobody uses, and an image that is only held open."""
    names = [f"idle-{number}" for number in range(8)]
    with ExitStack() as stack:
        for name in names:
            lab.ceph.ceph_text("osd", "pool", "create", name, "64", "64")
            lab.ceph.ceph_text("osd", "pool", "application", "enable", name, "rbd")
            stack.callback(erase_pool, lab, name)
        stack.enter_context(image_beside(lab, "--rw=randread", "--bs=4k", "--iodepth=1", "--rate_iops=1"))
        time.sleep(10)
        yield


@contextmanager
def frame_by_frame(lab: Sandbox) -> Iterator[None]:
    """All hosts send each frame by itself, as with a card's offloads turned off."""
    ways = [(host, link) for host in lab.hosts for link in _links(host)]
    try:
        for host, link in ways:
            _ip(host, "link", "set", "dev", link, "gso_max_segs", "1")
        yield
    finally:
        for host, link in ways:
            _ip(host, "link", "set", "dev", link, "gso_max_segs", "65535")


def _links(host: Host) -> tuple[str, ...]:
    return ("pub0", "clu0") if host.cluster_address else ("pub0",)


def _ip(host: Host, *words: str) -> None:
    subprocess.run(("ip", "-n", str(host.namespace), *words), check=True, capture_output=True)


@contextmanager
def usage_report(lab: Sandbox) -> Iterator[None]:
    """Somebody asks again and again how full a large image is that keeps no map of its objects."""
    rbd = (*lab.clients[0].wrap(("rbd",)), *lab.ceph.arguments())
    with neighbour(lab) as pool:
        image = f"{pool}/large"
        subprocess.run((*rbd, "create", image, "--size", "64G", "--image-feature", "layering"), check=True)
        with again(lambda: subprocess.run((*rbd, "diff", image), capture_output=True, timeout=60), 0.0):
            yield


@contextmanager
def upmaps_left(lab: Sandbox) -> Iterator[None]:
    """Entries that a tool left behind make the first OSD the primary of all groups of the pool."""
    pools = {
        one["pool_name"]: one["pool_id"]
        for one in json.loads(lab.ceph.ceph_text("osd", "pool", "ls", "detail", "-f", "json"))
    }
    number = next(number for name, number in pools.items() if name.startswith("groups-"))
    first: dict[str, int] = {}
    for osd in lab.osds:
        first.setdefault(osd.host, osd.id)
    for group in range(32):
        lab.ceph.ceph_text("osd", "pg-upmap", f"{number}.{group:x}", *map(str, first.values()))
    wait_until(lambda: clean(lab), "active+clean", Deadline(60), every_s=0.5)
    yield


_STORM = """
import socket
way = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
way.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
while True:
    way.sendto(b"x" * 400, ("10.77.0.255", 9))
"""


def storm(lab: Sandbox) -> object:
    """Broadcasts, as a loop in a switch makes them."""
    return meanwhile(*lab.clients[0].wrap(("/usr/bin/python3", "-c", _STORM)))


def traced(osd: int) -> Callable[[Sandbox], object]:
    """Something looks at each system call of an OSD."""
    return lambda lab: meanwhile("strace", "-f", "-o", "/dev/null", "-p", str(lab.pids()[lab.osds[osd].daemon]))


def map_churn(lab: Sandbox) -> object:
    """Something changes the cluster's map again and again."""
    numbers = itertools.count(1)

    def step() -> None:
        lab.ceph.ceph_text("osd", "blocklist", "add", f"192.0.2.1:0/{next(numbers)}", "60")

    return again(step, 0.2)


_ANNOUNCE = """
import socket, struct, sys, time
address, link, pause, offset = sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4])
way = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
way.bind((link, 0))
own, ip = way.getsockname()[4], socket.inet_aton(address)
frame = b"\\xff" * 6 + own + struct.pack("!HHHBBH", 0x806, 1, 0x800, 6, 4, 1) + own + ip + b"\\0" * 6 + ip
while True:
    time.sleep(pause - (time.time() - offset) % pause)
    way.send(frame)
"""


def duplicate_address(host: str) -> Callable[[Sandbox], object]:
    """A second machine with the address of a host: for 0.05 s of each 2 all believe that it is the host."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        one, switch = lab.layout.host(host), network.switch_namespace(lab.identity)
        announce = ("/usr/bin/python3", "-c", _ANNOUNCE, one.public_address, "pub0")
        twin = Host(name="twin", role="client", public_address=one.public_address, namespace=f"{switch}-twin")
        subprocess.run(("ip", "netns", "add", str(twin.namespace)), check=True)
        try:
            ends = ("p-twin", "type", "veth", "peer", "name", "pub0", "netns", str(twin.namespace))
            subprocess.run(("ip", "-n", switch, "link", "add", *ends), check=True)
            subprocess.run(("ip", "-n", switch, "link", "set", "p-twin", "master", "public", "up"), check=True)
            _ip(twin, "address", "add", f"{one.public_address}/24", "dev", "pub0")
            _ip(twin, "link", "set", "dev", "pub0", "up")
            with meanwhile(*one.wrap((*announce, "2", "0.05"))), meanwhile(*twin.wrap((*announce, "2", "0"))):
                yield
        finally:
            subprocess.run(("ip", "netns", "del", str(twin.namespace)), check=True)
            with meanwhile(*one.wrap((*announce, "0.2", "0"))):
                time.sleep(1)

    return plant


@contextmanager
def two_classes(lab: Sandbox) -> Iterator[None]:
    """The second OSD of each host is of another class, and the pool is on the first ones alone."""
    for osd in lab.osds[1::2]:
        lab.ceph.ceph_text("osd", "crush", "rm-device-class", osd.daemon)
        lab.ceph.ceph_text("osd", "crush", "set-device-class", "nvme", osd.daemon)
    lab.ceph.ceph_text("osd", "crush", "rule", "create-replicated", "second", "default", "host", "nvme")
    pool = next(name for name in lab.ceph.ceph_text("osd", "pool", "ls").split() if name.startswith("groups-"))
    lab.ceph.ceph_text("osd", "pool", "set", pool, "crush_rule", "second")
    wait_until(lambda: clean(lab), "active+clean", Deadline(60), every_s=0.5)
    time.sleep(10)  # until the manager knows how much room is left there
    yield


def idle_client(lab: Sandbox) -> object:
    return image_beside(lab, "--rw=randread", "--bs=4k", "--iodepth=1", "--rate_iops=1")


def again_listed(lab: Sandbox) -> object:
    """A second one who lists the same pool."""
    return again(lambda: _rados(lab, "ballast", "ls"), 0.01)


FIELD: Mapping[str, Cause] = {
    "foreign-traffic": Cause(foreign_traffic("h3", "h2"), ("network-full",), lab={"network_bits_per_s": 1e9}),
    "bad-pair": Cause(bad_pair("h2", "h3", 0.03), ("network-path",)),
    "no-scaling": Cause(without_scaling("h2"), ("slow-transfers",), lab={"latency_s": 4e-4}),
    "one-host-pool": Cause(
        on_one_host,
        ("uneven-load",),
        pool=32,
        lab={"osds": 2, "disk": DiskModel(name="one-armed", read_s=1e-3, write_s=1e-3, channels=1)},
    ),
    "osd-bench": Cause(benched(1, 128 << 20, 4 << 20), ("unasked-writes",)),
    "osd-bench-small": Cause(benched(2, 64 << 20, 1 << 20), ("unasked-writes",)),
    "bad-pair-mild": Cause(bad_pair("h1", "h2", 0.015), ("network-path",)),
    "listing-twice": Cause(both(beside("ls"), again_listed), ("other-clients",)),
    "fstrim": Cause(fstrim, ("other-clients",)),
    "firewall": Cause(firewall("h2", 60_000), ("network-path",)),
    "omap-writer": Cause(index_writer, ("other-clients",)),
    "healthy-five-hosts": Cause(nothing, ("nothing-wrong",), lab={"hosts": 5}),
    "healthy-quiet-neighbour": Cause(quiet_neighbour, ("nothing-wrong",)),
    "healthy-restarted": Cause(restarted_a_moment_ago, ("nothing-wrong",), lab={"osds": 2}),
    "healthy-many-pools": Cause(many_pools, ("nothing-wrong",)),
    "segments": Cause(frame_by_frame, ("nothing-wrong", "host-cpu")),
    "usage-report": Cause(usage_report, ("other-clients",)),
    "upmap-left": Cause(
        upmaps_left,
        ("uneven-load",),
        pool=32,
        lab={"osds": 2, "disk": DiskModel(name="one-armed", read_s=3e-4, write_s=3e-4, channels=1)},
    ),
    "storm": Cause(storm, ("network-full", "network-path", "host-cpu")),
    "shared-drive": Cause(
        lambda lab: limited_device(lab, (2, 3), dict.fromkeys(("read_iops", "write_iops"), 80)),
        ("sick-osd",),
        lab={"osds": 2},
    ),
    "aio-depth": Cause(
        at_start(("bdev_aio_max_queue_depth", "1")),
        ("slow-options", "drive-bound"),
        lab={"disk": DiskModel(name="read", read_s=1e-3)},
    ),
    "traced": Cause(traced(1), ("sick-osd", "osd-cpu")),
    "map-churn": Cause(map_churn, ("unasked-writes", "background-work")),
    "duplicate-address": Cause(duplicate_address("h2"), ("network-path",)),
    "healthy-classes": Cause(two_classes, ("nothing-wrong",), pool=32, lab={"osds": 2}),
    "healthy-six-hosts": Cause(nothing, ("nothing-wrong",), lab={"hosts": 6}),
    "healthy-erasure": Cause(erasure, ("nothing-wrong", "pool-layout"), pool=32, data_pool="erasure", lab={"hosts": 4}),
    "healthy-idle-client": Cause(idle_client, ("nothing-wrong",), lab={"hosts": 2, "osds": 2, "size": 2, "mtu": 9000}),
}
