"""Causes that come and go many times a second, for `benchmarks/diagnosis.py`: pauses, churn, short leases."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from causes import Cause, again, at_start, tc
from field_causes import _links, meanwhile, neighbour

from radoscope.sandbox import Sandbox, disks, network
from radoscope.sandbox.shape import DiskModel


def polled_drives(seconds: float) -> Callable[[Sandbox], object]:
    """An agent asks all drives how they are, and each is silent for so long of every second."""
    silent = DiskModel(name="silent", flush_s=seconds, write_s=seconds, read_s=seconds)

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        def step() -> None:
            for disk, wait_s in ((silent, seconds), (lab.spec.disk, 0.0)):
                for osd in lab.osds:
                    disks.write_parameters(lab.disk_parameters(osd), disk)
                time.sleep(wait_s)

        with again(step, 1.0 - seconds):
            yield

    return plant


def paused_client(share: float, period_s: float) -> Callable[[Sandbox], object]:
    """The load generators of this study stand still for a share of each period, as in a guest without a core."""

    @contextmanager
    def plant(_lab: Sandbox) -> Iterator[None]:
        def step() -> None:
            loads = [pid for pid in _descendants(os.getpid()) if _name(pid) == "fio"]
            for how, wait_s in ((signal.SIGSTOP, period_s * share), (signal.SIGCONT, 0.0)):
                for pid in loads:
                    with suppress(ProcessLookupError):
                        os.kill(pid, how)
                time.sleep(wait_s)

        with again(step, period_s * (1 - share)):
            yield

    return plant


def _descendants(pid: int) -> Iterator[int]:
    with suppress(OSError):
        for children in Path(f"/proc/{pid}/task").glob("*/children"):
            for child in map(int, children.read_text().split()):
                yield child
                yield from _descendants(child)


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


_CHURN = """
import rados, rbd, sys, threading
cluster = rados.Rados(conffile=sys.argv[1])
cluster.connect()
def go_on(number):
    with cluster.open_ioctx(sys.argv[2]) as pool:
        for turn in range(10**9):
            name = f"volume-{number}-{turn}"
            rbd.RBD().create(pool, name, 8 << 30, old_format=False, features=1)
            rbd.RBD().remove(pool, name)
for number in range(4):
    threading.Thread(target=go_on, args=(number,)).start()
"""


@contextmanager
def volume_churn(lab: Sandbox) -> Iterator[None]:
    """Another client makes volumes without an object map and removes them at once: 2,048 objects that are not there."""
    argv = lab.clients[0].wrap(("/usr/bin/python3", "-c", _CHURN, str(lab.conf)))
    with neighbour(lab) as pool, meanwhile(*argv, pool):
        yield


@contextmanager
def spawning(_lab: Sandbox) -> Iterator[None]:
    """Scripts of a monitoring agent: processes without end, none of which lives for long."""
    with ExitStack() as stack:
        for _ in range(3):
            loop = stack.enter_context(subprocess.Popen(("sh", "-c", "while :; do /bin/true; done")))
            stack.callback(loop.kill)
        yield


def capped_connections(bits_per_s: float) -> Callable[[Sandbox], object]:
    """No connection gets more than so much, however empty the line: a cloud's limit of a single flow."""
    # Class 1 + (source port xor destination port) % 64 of IPv4; tc's form of classic BPF.
    by_ports = "10,40 0 0 12,21 0 7 2048,40 0 0 36,7 0 0 0,40 0 0 34,172 0 0 0,84 0 0 63,4 0 0 65537,22 0 0 0,6 0 0 0"
    own = ("rate", f"{bits_per_s:.0f}bit", "burst", "128k", "cburst", "128k", "quantum", "60000")

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        try:
            for space, link in ((str(host.namespace), link) for host in lab.hosts for link in _links(host)):
                tc(space, "qdisc", "replace", "dev", link, "root", "handle", "1:", "htb")
                for number in range(1, 65):
                    tc(space, "class", "add", "dev", link, "parent", "1:", "classid", f"1:{number:x}", "htb", *own)
                tc(space, "filter", "add", "dev", link, "parent", "1:", "bpf", "bytecode", by_ports)
            yield
        finally:
            for host in lab.hosts:
                network.shape(lab, host, lab.spec.network_bits_per_s or 10e9)

    return plant


RESTLESS: Mapping[str, Cause] = {
    "polled-drives": Cause(polled_drives(0.2), ("standstills", "sick-osd")),
    "paused-client": Cause(paused_client(0.6, 0.3), ("standstills",)),
    "volume-churn": Cause(volume_churn, ("unasked-writes", "other-clients")),
    "spawning": Cause(spawning, ("host-cpu",)),
    "capped-connections": Cause(capped_connections(200e6), ("slow-transfers",)),
    "short-leases": Cause(at_start(("osd_pool_default_read_lease_ratio", "0.0005")), ("unasked-cpu",)),
}
