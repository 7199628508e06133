"""Causes in the network for `benchmarks/diagnosis.py`, on the way between hosts that are well themselves."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from causes import Cause, _links_as_before, again, narrow, sysctl, tc
from field_causes import meanwhile

from radoscope.sandbox import Sandbox, cables, network
from radoscope.sandbox.layout import Host

_BRIDGES = ("public", "cluster")


def ip(namespace: str, *words: str) -> None:
    subprocess.run(("ip", "-n", namespace, *words), check=True, capture_output=True)


@contextmanager
def second_switch(lab: Sandbox, hosts: tuple[str, ...]) -> Iterator[str]:
    """These hosts hang on bridges of their own, far-p and far-c; what connects them is laid within."""
    switch = network.switch_namespace(lab.identity)
    chosen = [host for host in lab.hosts if host.name in hosts]
    try:
        for bridge in _BRIDGES:
            ip(switch, "link", "add", f"far-{bridge[0]}", "type", "bridge")
            ip(switch, "link", "set", f"far-{bridge[0]}", "up")
        for bridge, port in _ports(chosen):
            ip(switch, "link", "set", port, "master", f"far-{bridge[0]}")
        yield switch
    finally:
        for bridge, port in _ports(chosen):
            ip(switch, "link", "set", port, "master", bridge)
        for bridge in _BRIDGES:
            ip(switch, "link", "del", f"far-{bridge[0]}")


def _ports(hosts: list[Host]) -> list[tuple[str, str]]:
    links = [(bridge, host) for host in hosts for bridge in _BRIDGES if bridge == "public" or host.cluster_address]
    return [(bridge, f"{bridge[0]}-{host.name}") for bridge, host in links]


def uplink(hosts: tuple[str, ...], bits_per_s: float) -> Callable[[Sandbox], object]:
    """Two switches, and a line between them that is narrower than all of their hosts'."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        with second_switch(lab, hosts) as switch:
            ends = [(bridge, f"up-{bridge[0]}", f"down-{bridge[0]}") for bridge in _BRIDGES]
            for bridge, here, there in ends:
                ip(switch, "link", "add", here, "type", "veth", "peer", "name", there)
                for end, master in ((here, bridge), (there, f"far-{bridge[0]}")):
                    ip(switch, "link", "set", end, "master", master, "up")
                    narrow(switch, end, bits_per_s)
            try:
                yield
            finally:
                for _bridge, here, _there in ends:
                    ip(switch, "link", "del", here)

    return plant


def far_rooms(hosts: tuple[str, ...], seconds: float, settle_s: float = 0.0) -> Callable[[Sandbox], object]:
    """These hosts are in another room: a round trip to the others takes so much more, among themselves it does not.

    settle_s: heartbeats average over a minute; what has run for longer needs no wait.
    """

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        with second_switch(lab, hosts) as switch, _delay_line(switch, seconds):
            time.sleep(settle_s)
            yield

    return plant


@contextmanager
def _delay_line(switch: str, seconds: float) -> Iterator[None]:
    place = str(Path("/run/netns") / switch)
    ends = [(bridge, f"up-{bridge[0]}", f"down-{bridge[0]}") for bridge in _BRIDGES]
    for bridge, here, there in ends:
        for end, master in ((here, bridge), (there, f"far-{bridge[0]}")):
            ip(switch, "tuntap", "add", "dev", end, "mode", "tap", "vnet_hdr")
            ip(switch, "link", "set", end, "master", master, "up")
    devices = (device for _bridge, here, there in ends for device in (here, there))
    argv = (str(cables._program()), str(round(seconds * 1e9)), place, place, *devices)
    line = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True)
    try:
        assert line.stdout is not None and "ready" in line.stdout.readline()
        yield
    finally:
        line.kill()
        line.wait()
        for _bridge, here, there in ends:
            ip(switch, "link", "del", here)
            ip(switch, "link", "del", there)


def members(number: int, bits_per_s: float) -> Callable[[Sandbox], object]:
    """Each link is a bond of so many lines: a connection takes one of them, by its ports."""
    # ldh source port; tax; ldh destination port; add x; and number - 1; add 1:1; ret a
    program = f"7,40 0 0 34,7 0 0 0,40 0 0 36,12 0 0 0,84 0 0 {number - 1},4 0 0 {0x10001},22 0 0 0"

    def bond(namespace: str, device: str) -> None:
        tc(namespace, "qdisc", "replace", "dev", device, "root", "handle", "1:", "htb", "default", "1")
        for line in range(1, number + 1):
            rate = ("htb", "rate", f"{bits_per_s:.0f}bit", "burst", "128k", "cburst", "128k", "quantum", "60000")
            tc(namespace, "class", "add", "dev", device, "parent", "1:", "classid", f"1:{line}", *rate)
            waiting = ("bfifo", "limit", str(round(bits_per_s / 8 * 0.02)))
            tc(namespace, "qdisc", "add", "dev", device, "parent", f"1:{line}", *waiting)
        tc(namespace, "filter", "add", "dev", device, "parent", "1:", "bpf", "bytecode", program, "flowid", "1:1")

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        with _links_as_before(lab, list(lab.hosts)):
            for host in lab.hosts:
                for namespace, device in network._ends(lab, host):
                    bond(namespace, device)
            yield

    return plant


def flapping_port(host: str, seconds: float, every_s: float) -> Callable[[Sandbox], object]:
    """A host's ports leave the switch for a moment, again and again."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        one = lab.layout.host(host)

        def step() -> None:
            network.set_links(lab, one, up=False)
            time.sleep(seconds)
            network.set_links(lab, one, up=True)

        with again(step, every_s - seconds):
            yield

    return plant


def client_buffers(bytes_each: int) -> Callable[[Sandbox], object]:
    """A client host whose TCP buffers somebody has made small."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        one, names = lab.clients[0], ("net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem")
        usual = {name: sysctl(one, "-n", name).strip() for name in names}
        for name in names:
            sysctl(one, "-w", f"{name}=4096 {bytes_each} {bytes_each}")
        try:
            yield
        finally:
            for name, value in usual.items():
                sysctl(one, "-w", f"{name}={value}")

    return plant


def moving_guests(sender: str, receiver: str) -> Callable[[Sandbox], object]:
    """Guests move from one host to another, one after the other, over Ceph's cluster network."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        here, there = lab.layout.host(sender), lab.layout.host(receiver)
        move = here.wrap(("iperf3", "-c", str(there.cluster_address), "-t", "5", "-P", "6"))
        with (
            meanwhile(*there.wrap(("iperf3", "-s"))),
            again(lambda: subprocess.run(move, capture_output=True, timeout=60), 0.5),
        ):
            time.sleep(1)  # until the first one moves
            yield

    return plant


@contextmanager
def uploading_client(lab: Sandbox) -> Iterator[None]:
    """The client's host uploads a backup to another machine, over the line by which it reaches the cluster."""
    here, there = lab.clients[0], lab.clients[1]
    upload = here.wrap(("iperf3", "-c", there.public_address, "-t", "3600", "-P", "4"))
    with meanwhile(*there.wrap(("iperf3", "-s"))), meanwhile(*upload):
        yield


_ALL = ("protocol", "all", "u32", "match", "u32", "0", "0", "action", "mirred", "egress", "redirect", "dev")


@contextmanager
def through_one(namespace: str, name: str, devices: Mapping[str, str], bits_per_s: float) -> Iterator[None]:
    """What passes these devices passes another one first, which they share. devices: "egress" or "ingress" of each."""
    with ExitStack() as stack:
        ip(namespace, "link", "add", name, "type", "ifb")
        stack.callback(ip, namespace, "link", "del", name)
        ip(namespace, "link", "set", name, "up")
        narrow(namespace, name, bits_per_s)
        for device, ways in devices.items():
            tc(namespace, "qdisc", "add", "dev", device, "clsact")
            stack.callback(tc, namespace, "qdisc", "del", "dev", device, "clsact")
            for way in ways.split():
                tc(namespace, "filter", "add", "dev", device, way, *_ALL, name)
        yield


def backplane(bits_per_s: float) -> Callable[[Sandbox], object]:
    """A switch that carries so much in all, however fast its ports are."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        switch = network.switch_namespace(lab.identity)
        ports = {port: "egress" for _bridge, port in _ports(list(lab.hosts))}
        with through_one(switch, "plane", ports, bits_per_s):
            yield

    return plant


def half_duplex(name: str, bits_per_s: float) -> Callable[[Sandbox], object]:
    """A host's port of the cluster network fell back to half duplex: what it sends and what it receives take turns."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        place = str(lab.layout.host(name).namespace)
        with through_one(place, "wire", {"clu0": "egress ingress"}, bits_per_s):
            yield

    return plant


def port_towards(name: str, bits_per_s: float) -> Callable[[Sandbox], object]:
    """A switch's port sends a host less than it could take, which the host itself does not see."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        with _links_as_before(lab, [lab.layout.host(name)]):
            narrow(network.switch_namespace(lab.identity), f"p-{name}", bits_per_s)
            yield

    return plant


_1G = {"network_bits_per_s": 1e9}
PATHS: Mapping[str, Cause] = {
    "moving-guests": Cause(moving_guests("h1", "h3"), ("network-full",), lab=_1G),
    "uploading-client": Cause(uploading_client, ("network-full",), lab={**_1G, "clients": 2}),
    "backplane": Cause(backplane(1.5e9), ("slow-transfers",)),
    "half-duplex": Cause(half_duplex("h2", 3e8), ("network-full",)),
    "uplink": Cause(uplink(("h3", "client1"), 5e8), ("network-full", "network-path", "slow-transfers")),
    "port-250m": Cause(port_towards("h1", 2.5e8), ("network-full",)),
    "port-400m": Cause(port_towards("h3", 4e8), ("network-full",)),
    "bond-hash": Cause(members(4, 2.5e8), ("network-full", "slow-transfers", "network-path")),
    "link-flap": Cause(flapping_port("h2", 0.25, 2.0), ("network-path",)),
    "client-buffers": Cause(client_buffers(8192), ("nothing-wrong", "slow-transfers", "network-path")),
    "bond-hash-two": Cause(members(2, 4e8), ("network-full", "slow-transfers", "network-path")),
    "two-sites-near": Cause(far_rooms(("h2", "h4"), 1.3e-3, 65.0), ("network-path",), lab={"hosts": 4}),
    "two-sites": Cause(far_rooms(("h3", "h4"), 2e-3), ("network-path",), lab={"hosts": 4}),
}
