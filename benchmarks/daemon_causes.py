"""Causes within daemons, and in how their connections are served, for `benchmarks/diagnosis.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from causes import Cause, at_start, both, disk_of_all, option, recovering
from path_causes import ip

from radoscope.sandbox import Sandbox, network
from radoscope.sandbox.shape import DiskModel


def without_offload(hosts: tuple[str, ...]) -> Callable[[Sandbox], object]:
    """Each frame of these hosts passes the stack alone, as where a driver's segmentation is off."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        ends = [end for host in lab.hosts if host.name in hosts for end in network._ends(lab, host)]
        for namespace, device in ends:
            ip(namespace, "link", "set", device, "gso_max_segs", "1")
        try:
            yield
        finally:
            for namespace, device in ends:
                ip(namespace, "link", "set", device, "gso_max_segs", "65535")

    return plant


_LATE_MESSAGES = (
    ("ms_inject_delay_type", "osd client"),
    ("ms_inject_delay_max", "0.02"),
    ("ms_inject_delay_probability", "0.3"),
)
_SLOW_READS = DiskModel(name="slow-reads", read_s=2e-3)

DAEMONS: Mapping[str, Cause] = {
    "resets": Cause(
        at_start(("ms_inject_socket_failures", "2000")), ("network-path", "slow-options", "slow-transfers")
    ),
    "late-messages": Cause(at_start(*_LATE_MESSAGES), ("slow-options", "network-path", "slow-transfers")),
    "recovery-first": Cause(
        both(option("osd_recovery_op_priority", "63"), recovering), ("background-work", "slow-options")
    ),
    "unbuffered-reads": Cause(
        both(at_start(("bluestore_default_buffered_read", "false")), disk_of_all(_SLOW_READS)),
        ("drive-bound", "slow-options", "small-cache"),
    ),
    "no-offload": Cause(without_offload(("h1", "h2", "h3", "client1")), ("nothing-wrong", "osd-cpu", "client-cpu")),
}
