"""Cables with a delay, where the kernel has no netem: pairs of TAP devices, and a program that carries the frames.

The devices live in the namespaces and vanish with them; the programs are processes of the sandbox, one a host, labelled
like its daemons. One that is killed cuts its host off, and starting it again mends that. How it works: delay_line.c.
"""

from __future__ import annotations

from pathlib import Path

from radoscope.errors import SiteError, ToolFailed
from radoscope.sandbox import compiled
from radoscope.sandbox.cluster import Sandbox
from radoscope.sandbox.daemons import begin
from radoscope.sandbox.layout import NAMESPACES, Host
from radoscope.sandbox.processes import end_labelled, last_lines
from radoscope.sandbox.spec import SandboxSpec
from radoscope.sandbox.waiting import Deadline, wait_until

_SOURCE = "delay_line.c"
_DEVICE = Path("/dev/net/tun")
_START_S = 10.0


def check_can_delay(spec: SandboxSpec) -> None:
    """Refuse what this machine cannot delay. Raises SiteError without TAP devices, ToolFailed without a compiler."""
    if spec.latency_s is None:
        return
    if not _DEVICE.exists():
        raise SiteError(
            f"added latency needs TAP devices, and there is no {_DEVICE}",
            "modprobe tun, or give the container --device /dev/net/tun; or leave out --latency.",
        )
    _program()


def begin_cables(sandbox: Sandbox, host: Host, switch: str, links: tuple[tuple[str, str], ...]) -> None:
    """Connect a host's links, (device at the host, device at the switch) each, until the program is killed.

    Raises ToolFailed with its last words when it ends at once.
    """
    # What a host sends is held, what it receives is not: a round trip meets two hosts that send.
    delay_ns = round((sandbox.spec.latency_s or 0.0) / 2 * 1e9)
    places = (NAMESPACES / str(host.namespace), NAMESPACES / switch)
    devices = (device for link in links for device in link)
    log = sandbox.log(host.cable)
    log.unlink(missing_ok=True)
    process = begin(sandbox, host.cable, (str(_program()), str(delay_ns), *map(str, places), *devices))

    def is_ready() -> bool:
        if process.poll() is not None:
            raise ToolFailed(f"the links of {host.name} cannot be delayed", last_lines(log))
        return "ready" in log.read_text()

    wait_until(is_ready, f"the links of {host.name}", Deadline(_START_S), every_s=0.005)


def end_cables(sandbox: Sandbox, host: Host) -> None:
    """End what carries a host's frames; its devices stay. Raises SiteError when it does not end."""
    end_labelled(sandbox.label, host.cable)


def _program() -> Path:
    return compiled.build(_SOURCE, (), "added latency", "leave out --latency")
