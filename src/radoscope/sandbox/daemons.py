"""Ceph's daemons and the making of their stores: their command lines, each on its host, and how they run."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Collection, Mapping, Sequence

from radoscope.errors import ToolFailed
from radoscope.sandbox import disks
from radoscope.sandbox.cluster import Sandbox
from radoscope.sandbox.layout import Gateway, Host, Manager, Mds, Monitor, Osd
from radoscope.sandbox.processes import last_lines, spawn
from radoscope.sandbox.waiting import Deadline, wait_until


def begin(sandbox: Sandbox, name: str, argv: tuple[str, ...]) -> subprocess.Popen[bytes]:
    """Start something of a sandbox, labelled, with a log of its own. Raises ToolFailed."""
    return spawn(argv, sandbox.label, name, sandbox.log(name))


def begin_osd(sandbox: Sandbox, osd: Osd) -> subprocess.Popen[bytes]:
    """Start an OSD, on a modelled disk when it has parameters for one."""
    return begin(sandbox, osd.daemon, run_osd(sandbox, osd))


def begin_above(sandbox: Sandbox, running: Collection[str] = ()) -> dict[str, subprocess.Popen[bytes]]:
    """Start MDS and gateway, as far as they do not run yet."""
    each = {mds.daemon: run_mds(sandbox, mds) for mds in sandbox.mdss}
    each |= {gateway.daemon: run_gateway(sandbox, gateway) for gateway in sandbox.gateways}
    return {daemon: begin(sandbox, daemon, argv) for daemon, argv in each.items() if daemon not in running}


def make_monitor(sandbox: Sandbox, mon: Monitor) -> tuple[str, ...]:
    directory = sandbox.directory
    files = ("--monmap", f"{directory}/monmap", "--keyring", f"{directory}/mkfs.keyring")
    argv = ("ceph-mon", "--mkfs", "-i", mon.id, "-c", str(sandbox.conf), "--fsid", sandbox.fsid, *files)
    return _on(sandbox.layout.host(mon.host), argv)


def make_osd(sandbox: Sandbox, osd: Osd) -> tuple[str, ...]:
    """Needs no monitor. The short poll: mkfs waits a poll interval for each of its writes."""
    store = ("--osd-uuid", osd.uuid, "--keyring", f"{sandbox.osd_directory(osd)}/keyring")
    argv = ("ceph-osd", "--mkfs", "-i", str(osd.id), "-c", str(sandbox.conf), "--no-mon-config", *store)
    return _on(sandbox.layout.host(osd.host), (*argv, "--bdev-aio-poll-ms", "10"))


def run_monitor(sandbox: Sandbox, mon: Monitor, *options: str) -> tuple[str, ...]:
    return _on(sandbox.layout.host(mon.host), ("ceph-mon", "-f", "-i", mon.id, "-c", str(sandbox.conf), *options))


def run_manager(sandbox: Sandbox, mgr: Manager) -> tuple[str, ...]:
    return _on(sandbox.layout.host(mgr.host), ("ceph-mgr", "-f", "-i", mgr.id, "-c", str(sandbox.conf)))


def run_mds(sandbox: Sandbox, mds: Mds) -> tuple[str, ...]:
    return _on(sandbox.layout.host(mds.host), ("ceph-mds", "-f", "-i", mds.id, "-c", str(sandbox.conf)))


def run_gateway(sandbox: Sandbox, gateway: Gateway) -> tuple[str, ...]:
    return _on(sandbox.layout.host(gateway.host), ("radosgw", "-f", "-n", gateway.entity, "-c", str(sandbox.conf)))


def run_osd(sandbox: Sandbox, osd: Osd) -> tuple[str, ...]:
    argv: tuple[str, ...] = ("ceph-osd", "-f", "-i", str(osd.id), "-c", str(sandbox.conf))
    parameters = sandbox.disk_parameters(osd)
    return _on(sandbox.layout.host(osd.host), disks.wrap(argv, parameters) if parameters.exists() else argv)


def _on(host: Host, argv: tuple[str, ...]) -> tuple[str, ...]:
    """The command on its host, with the host's name in a UTS namespace of its own; it keeps one process number."""
    if host.namespace is None:
        return argv
    named = ("unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"', host.name)
    return host.wrap((*named, *argv))


# More at once do not end sooner on two cores, and each takes memory.
_AT_ONCE = 4


def make_osd_stores(
    sandbox: Sandbox, osds: Sequence[Osd], deadline: Deadline, check: Callable[[], None] = lambda: None
) -> None:
    """Fill the stores of OSDs with what BlueStore begins with. `check` is called meanwhile. Raises ToolFailed."""
    run_all(sandbox, {f"mkfs.{osd.daemon}": make_osd(sandbox, osd) for osd in osds}, deadline, check)


def run_all(
    sandbox: Sandbox,
    commands: Mapping[str, tuple[str, ...]],
    deadline: Deadline,
    check: Callable[[], None] = lambda: None,
) -> None:
    """Run commands by name until all have ended well. Raises ToolFailed with the last words of one that has not."""
    waiting, running = list(commands.items()), dict[str, subprocess.Popen[bytes]]()

    def all_done() -> bool:
        for name, process in tuple(running.items()):
            if process.poll() is not None:
                del running[name]
                if process.returncode != 0:
                    raise ToolFailed(f"{name}: exit code {process.returncode}", last_lines(sandbox.log(name)))
        while waiting and len(running) < _AT_ONCE:
            name, argv = waiting.pop(0)
            running[name] = begin(sandbox, name, argv)
        check()
        return not running

    wait_until(all_done, f"the end of {', '.join(commands)}", deadline, every_s=0.01)
