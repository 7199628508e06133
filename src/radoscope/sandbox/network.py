"""Hosts as network namespaces: two bridges in a namespace of their own, a public and a cluster link to each host.

Nothing is made in the machine's own network; that is why its firewall and its routes do not matter, and why two
sandboxes can have the same addresses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from radoscope.errors import ToolFailed
from radoscope.sandbox import cables
from radoscope.sandbox.cluster import Sandbox
from radoscope.sandbox.layout import NAMESPACES, Host, namespace_prefix
from radoscope.sandbox.processes import Label, run_tool

_PUBLIC_BRIDGE, _CLUSTER_BRIDGE = "public", "cluster"
_PUBLIC_LINK, _CLUSTER_LINK = "pub0", "clu0"
# An interface's alias holds 255 characters (IFALIASZ); the label of a namespace is the alias of its loopback.
_LONGEST_ALIAS = 255
# A bucket for two milliseconds at full rate, at least two GSO packets; and the longest wait of a packet.
_BURST_S, _LEAST_BURST_BYTES, _QUEUE_MS = 2e-3, 128 * 1024, 20


def switch_namespace(identity: str) -> str:
    return f"{namespace_prefix(identity)}switch"


def build(sandbox: Sandbox) -> None:
    """The switch, and all hosts plugged into it. Raises ToolFailed."""
    switch = switch_namespace(sandbox.identity)
    _add_namespaces(sandbox.label, (switch,))
    bridges = (f"link add {name} type bridge" for name in (_PUBLIC_BRIDGE, _CLUSTER_BRIDGE))
    ups = (f"link set {name} up" for name in (_PUBLIC_BRIDGE, _CLUSTER_BRIDGE, "lo"))
    _ip_batch((*bridges, *ups), switch)
    plug_in(sandbox, sandbox.hosts)


def plug_in(sandbox: Sandbox, hosts: Iterable[Host]) -> None:
    """Make namespaces for hosts and connect them to the switch, shaped as the specification says."""
    plugged = tuple(host for host in hosts if host.namespace is not None)
    _add_namespaces(sandbox.label, tuple(host.namespace for host in plugged if host.namespace))
    for host in plugged if sandbox.delayed_hosts else ():
        _ip_batch((_tap(link) for _, link in _networks(host)), host.namespace)
    _ip_batch((line for host in plugged for line in _links(sandbox, host)), switch_namespace(sandbox.identity))
    for host in plugged:
        _ip_batch(_addresses(host, sandbox.spec.mtu), host.namespace)
    for host in plugged if sandbox.delayed_hosts else ():
        begin_cables(sandbox, host)
    if (rate := sandbox.spec.network_bits_per_s) is not None:
        for host in plugged:
            shape(sandbox, host, rate)


def begin_cables(sandbox: Sandbox, host: Host) -> None:
    """Start what carries the frames of a host whose links have a delay."""
    links = tuple((link, _switch_end(bridge, host)) for bridge, link in _networks(host))
    cables.begin_cables(sandbox, host, switch_namespace(sandbox.identity), links)


def unplug(sandbox: Sandbox, host: Host) -> None:
    """Remove a host's namespace and its links, as far as they were made. Raises ToolFailed."""
    if host.namespace is None:
        return
    if sandbox.spec.latency_s is not None:
        cables.end_cables(sandbox, host)
        switch = switch_namespace(sandbox.identity)
        there = run_tool(("ip", "-n", switch, "-o", "link", "show"))
        ends = (_switch_end(bridge, host) for bridge, _ in _networks(host))
        _ip_batch((f"link del {end}" for end in ends if f" {end}: " in there), switch)
    remove_namespace(host.namespace)


def shape(sandbox: Sandbox, host: Host, bits_per_s: float) -> None:
    """Limit a host's bandwidth, each direction of each link, by a token bucket at the link's two ends."""
    burst = max(_LEAST_BURST_BYTES, int(bits_per_s / 8 * _BURST_S))
    bucket = ("root", "tbf", "rate", f"{bits_per_s:.0f}bit", "burst", str(burst), "latency", f"{_QUEUE_MS}ms")
    for namespace, device in _ends(sandbox, host):
        run_tool(("tc", "-n", namespace, "qdisc", "replace", "dev", device, *bucket))


def set_links(sandbox: Sandbox, host: Host, *, up: bool) -> None:
    """Pull a host's cables out of the switch, or put them back."""
    state = "up" if up else "down"
    ports = (f"link set {_switch_end(bridge, host)} {state}" for bridge, _ in _networks(host))
    _ip_batch(ports, switch_namespace(sandbox.identity))
    if sandbox.spec.latency_s is not None:
        # A veth tells its host by itself. A host that does not know would wait minutes before it sends again.
        carrier = "on" if up else "off"
        _ip_batch((f"link set {link} carrier {carrier}" for _, link in _networks(host)), host.namespace)


def reset_connections(host: Host) -> None:
    """Close the TCP connections of a host; its peers receive a reset, and Ceph reconnects at once.

    After cables were out, a connection that is kept sends again only at the end of its back-off, which grows to as long
    as they were out, and delivers then what waited in it: heartbeats, too. A kernel that cannot end connections
    (CONFIG_INET_DIAG_DESTROY) leaves them as they are.
    """
    own = (address for address in (host.public_address, host.cluster_address) if address is not None)
    others = " and ".join(f"not dst {address}" for address in own).split()
    run_tool(host.wrap(("ss", "--kill", "--tcp", *others)))


def cut_hosts(sandbox: Sandbox) -> tuple[str, ...]:
    """The hosts whose public link is down at the switch; a sandbox on one host has none."""
    if sandbox.spec.hosts is None:
        return ()
    shown = run_tool(("ip", "-n", switch_namespace(sandbox.identity), "-o", "link", "show"))
    down = {line.split(":")[1].strip().partition("@")[0] for line in shown.splitlines() if ",UP" not in line}
    return tuple(host.name for host in sandbox.hosts if _switch_end(_PUBLIC_BRIDGE, host) in down)


def namespaces() -> Iterator[tuple[str, Label | None]]:
    """Every namespace of radoscope on this host, with its label; None when it carries none yet."""
    if not NAMESPACES.is_dir():
        return
    for path in sorted(NAMESPACES.glob("radoscope-*")):
        yield path.name, _label_of(path.name)


def identity_of(namespace: str) -> str:
    """The sandbox's identity within a namespace's name."""
    return namespace.split("-")[1]


def remove_namespace(name: str) -> None:
    """Remove a namespace; one that is gone already is no error. Raises ToolFailed."""
    if (NAMESPACES / name).exists():
        run_tool(("ip", "netns", "del", name))


def remove_namespaces(identity: str) -> None:
    """Remove all namespaces of one sandbox."""
    for path in NAMESPACES.glob(f"{namespace_prefix(identity)}*"):
        remove_namespace(path.name)


def _add_namespaces(label: Label, names: tuple[str, ...]) -> None:
    _ip_batch((f"netns add {name}" for name in names), None)
    alias = str(label)
    if len(alias.encode()) <= _LONGEST_ALIAS:
        for name in names:
            run_tool(("ip", "-n", name, "link", "set", "lo", "alias", alias))


def _links(sandbox: Sandbox, host: Host) -> Iterator[str]:
    """From the switch's side, for each network that the host is on: a veth to the host, or, where links have a delay, a
    TAP device, whose other end is made in the host's namespace."""
    for bridge, link in _networks(host):
        end = _switch_end(bridge, host)
        veth = f"link add {end} type veth peer name {link} netns {host.namespace}"
        yield _tap(end) if sandbox.delayed_hosts else veth
        yield f"link set {end} mtu {sandbox.spec.mtu} master {bridge} up"


def _tap(device: str) -> str:
    """With a virtio header, so that segments of 64 KiB and unfinished checksums pass as on a veth."""
    return f"tuntap add dev {device} mode tap vnet_hdr"


def _addresses(host: Host, mtu: int) -> Iterator[str]:
    yield "link set lo up"
    yield f"addr add {host.public_address}/24 dev {_PUBLIC_LINK}"
    yield f"link set {_PUBLIC_LINK} mtu {mtu} up"
    if host.cluster_address is not None:
        yield f"addr add {host.cluster_address}/24 dev {_CLUSTER_LINK}"
        yield f"link set {_CLUSTER_LINK} mtu {mtu} up"


def _ends(sandbox: Sandbox, host: Host) -> Iterator[tuple[str, str]]:
    """(namespace, device) of both ends of each link of a host."""
    for bridge, link in _networks(host):
        yield switch_namespace(sandbox.identity), _switch_end(bridge, host)
        yield host.namespace or "", link


def _networks(host: Host) -> Iterator[tuple[str, str]]:
    yield _PUBLIC_BRIDGE, _PUBLIC_LINK
    if host.cluster_address is not None:
        yield _CLUSTER_BRIDGE, _CLUSTER_LINK


def _switch_end(bridge: str, host: Host) -> str:
    """At most 15 characters, as device names are: "p-client1"."""
    return f"{bridge[0]}-{host.name}"


def _label_of(namespace: str) -> Label | None:
    try:
        shown = run_tool(("ip", "-n", namespace, "link", "show", "lo"))
    except ToolFailed:
        return None
    aliases = (line.strip().removeprefix("alias ") for line in shown.splitlines() if line.strip().startswith("alias "))
    return Label.read(next(aliases, ""))


def _ip_batch(lines: Iterable[str], namespace: str | None) -> None:
    where = () if namespace is None else ("-n", namespace)
    run_tool(("ip", *where, "-batch", "-"), stdin="\n".join(lines) + "\n")
