"""Breaking a sandbox on purpose, and mending it. Each ends with a verdict, in time: what the cluster made of it."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from radoscope.errors import PlanError, SiteError
from radoscope.sandbox import daemons, disks, filling, network
from radoscope.sandbox.cluster import Sandbox
from radoscope.sandbox.layout import Osd
from radoscope.sandbox.librados import Cluster
from radoscope.sandbox.processes import end_labelled
from radoscope.sandbox.shape import AS_IS, DISKS, DiskModel
from radoscope.sandbox.waiting import Deadline, wait_until

# Ceph's heartbeat grace is 20 s; a peer that is cut off is reported only after it.
_NOTICE_S = 60.0
_HEAL_S = 180.0
_SLOW = DISKS["hdd"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a fault came to. seconds: from the deed until the cluster had noticed, or was healthy again."""

    text: str
    seconds: float


def kill_osd(sandbox: Sandbox, number: str) -> Verdict:
    """kill -9 of an OSD; ends when the monitors have marked it down."""
    osd, watch = _osd(sandbox, number), _Stopwatch()
    end_labelled(sandbox.label, osd.daemon)
    _until(sandbox, lambda cluster: osd.id not in _osds_up(cluster), f"{osd.daemon} marked down")
    return watch.verdict(f"{osd.daemon} is killed and marked down")


def stop_mon(sandbox: Sandbox, name: str) -> Verdict:
    """An orderly stop of a monitor; ends when the others have a quorum without it, or when there is none."""
    if name not in {mon.id for mon in sandbox.mons}:
        raise PlanError(f"there is no monitor {name!r}", f"There are: {', '.join(mon.id for mon in sandbox.mons)}.")
    watch = _Stopwatch()
    end_labelled(sandbox.label, f"mon.{name}", signal.SIGTERM)
    living = sum(daemon.startswith("mon.") for daemon in sandbox.pids())
    if living <= len(sandbox.mons) // 2:
        return watch.verdict(
            f"mon.{name} is stopped; {living} of {len(sandbox.mons)} monitors are no quorum, so all waits"
        )
    _until(sandbox, lambda cluster: name not in cluster.ask("status")["quorum_names"], f"a quorum without mon.{name}")
    return watch.verdict(f"mon.{name} is stopped; the others have a quorum")


def cut(sandbox: Sandbox, host_name: str) -> Verdict:
    """Pull a host's cables; ends when the monitors have marked its OSDs down."""
    hosts = {host.name: host for host in sandbox.hosts if host.namespace is not None}
    if not hosts:
        raise PlanError("a sandbox on one host has no cables to pull", "Start one with --hosts 3.")
    if host_name not in hosts:
        raise PlanError(f"there is no host {host_name!r}", f"There are: {', '.join(hosts)}.")
    watch, theirs = _Stopwatch(), {osd.id for osd in sandbox.osds if osd.host == host_name}
    network.set_links(sandbox, hosts[host_name], up=False)
    if "client" in hosts[host_name].role:
        return watch.verdict(f"{host_name} is cut off; no OSD is on it")
    _until(sandbox, lambda cluster: not theirs & _osds_up(cluster), f"the OSDs of {host_name} marked down")
    return watch.verdict(f"{host_name} is cut off, its OSDs are marked down")


def slow_disk(sandbox: Sandbox, number: str) -> Verdict:
    """An OSD's disk becomes as slow as a hard disk; an OSD whose disk is not modelled is restarted with one that is."""
    osd, watch = _osd(sandbox, number), _Stopwatch()
    how = "at once" if _set_disk(sandbox, osd, _SLOW) else "after a restart"
    return watch.verdict(f"the disk of {osd.daemon} takes {_SLOW.flush_s * 1e3:.0f} ms a flush and a read, {how}")


def fill(sandbox: Sandbox, share: str) -> Verdict:
    """Fill the cluster with objects up to a share of its space, as "90%"."""
    watch = _Stopwatch()
    reached = filling.fill(sandbox, share)
    return watch.verdict(f"the cluster is {reached:.0%} full")


def heal(sandbox: Sandbox, _nothing: str = "") -> Verdict:
    """Undo every fault: cables, disks, filling, daemons; ends at HEALTH_OK. Raises SiteError when it does not come."""
    watch = _Stopwatch()
    for name in network.cut_hosts(sandbox) if sandbox.spec.hosts is not None else ():
        network.set_links(sandbox, sandbox.layout.host(name), up=True)
    for osd in sandbox.osds:
        if sandbox.disk_parameters(osd).exists():
            disks.write_parameters(sandbox.disk_parameters(osd), sandbox.spec.disk)
    begun = start_missing(sandbox)
    _until(sandbox, _emptied, "the monitors' answer", _HEAL_S)
    _until(sandbox, is_whole(sandbox), "HEALTH_OK after healing", _HEAL_S)
    return watch.verdict(f"HEALTH_OK{'; started again: ' + ', '.join(begun) if begun else ''}")


FAULTS: Mapping[str, Callable[[Sandbox, str], Verdict]] = {
    "kill-osd": kill_osd,
    "stop-mon": stop_mon,
    "cut": cut,
    "slow-disk": slow_disk,
    "fill": fill,
    "heal": heal,
}
WITHOUT_ARGUMENT = ("heal",)


def inflict(sandbox: Sandbox, fault: str, on: str = "") -> Verdict:
    """A fault by its name. Raises PlanError when there is none, SiteError when the cluster does not follow in time."""
    if fault not in FAULTS:
        raise PlanError(f"there is no fault {fault!r}", f"There are: {', '.join(FAULTS)}.")
    if bool(on) == (fault in WITHOUT_ARGUMENT):
        wanted = "nothing more" if fault in WITHOUT_ARGUMENT else "what to do it to"
        raise PlanError(
            f"{fault} needs {wanted}", "For example: kill-osd 2, stop-mon b, cut h2, slow-disk 1, fill 90%, heal."
        )
    return FAULTS[fault](sandbox, on)


def start_missing(sandbox: Sandbox) -> tuple[str, ...]:
    """Start every daemon that should run and does not; their names."""
    running = sandbox.pids()
    for host in sandbox.delayed_hosts:
        if host.cable not in running:
            network.begin_cables(sandbox, host)
    for mon in sandbox.mons:
        if f"mon.{mon.id}" not in running:
            daemons.begin(sandbox, f"mon.{mon.id}", daemons.run_monitor(sandbox, mon))
    for mgr in sandbox.mgrs:
        if f"mgr.{mgr.id}" not in running:
            daemons.begin(sandbox, f"mgr.{mgr.id}", daemons.run_manager(sandbox, mgr))
    for osd in sandbox.osds:
        if osd.daemon not in running:
            daemons.begin_osd(sandbox, osd)
    return tuple(daemon for daemon in sandbox.daemons if daemon not in running)


def is_whole(sandbox: Sandbox) -> Callable[[Cluster], bool]:
    """A question to the monitors: HEALTH_OK, everybody in the quorum, every OSD up?"""

    def ask(cluster: Cluster) -> bool:
        status = cluster.ask("status")
        return (
            status["health"]["status"] == "HEALTH_OK"
            and len(status["quorum_names"]) == len(sandbox.mons)
            and status["osdmap"]["num_up_osds"] == len(sandbox.osds)
        )

    return ask


def _set_disk(sandbox: Sandbox, osd: Osd, disk: DiskModel) -> bool:
    """Change what a disk is like; whether that took effect at once, without a restart of its OSD."""
    modelled = sandbox.disk_parameters(osd).exists()
    if not modelled:
        disks.check_can_model(disk)
    disks.write_parameters(sandbox.disk_parameters(osd), disk)
    if not modelled and disk is not AS_IS:
        end_labelled(sandbox.label, osd.daemon)
        daemons.begin_osd(sandbox, osd)
        _until(sandbox, lambda cluster: osd.id in _osds_up(cluster), f"{osd.daemon} up again")
    return modelled


def _emptied(cluster: Cluster) -> bool:
    filling.empty(cluster)
    return True


def _osd(sandbox: Sandbox, number: str) -> Osd:
    for osd in sandbox.osds:
        if number in (str(osd.id), osd.daemon):
            return osd
    raise PlanError(f"there is no OSD {number!r}", f"There are: {', '.join(osd.daemon for osd in sandbox.osds)}.")


def _osds_up(cluster: Cluster) -> set[int]:
    return {osd["osd"] for osd in cluster.ask("osd dump")["osds"] if osd["up"]}


def _until(sandbox: Sandbox, ask: Callable[[Cluster], Any], what: str, within_s: float = _NOTICE_S) -> None:
    """Ask the monitors until they say yes; one that does not answer is asked again. Raises SiteError."""

    def asked() -> bool:
        try:
            with sandbox.connected(timeout_s=3) as cluster:
                return bool(wait_until(lambda: ask(cluster), what, Deadline(min(5.0, deadline.left_s)), every_s=0.1))
        except SiteError:
            return False

    deadline = Deadline(within_s)
    wait_until(asked, what, deadline, every_s=0.1, hint=f"radoscope sandbox status {sandbox.name}")


class _Stopwatch:
    def __init__(self) -> None:
        self._begin = time.monotonic()

    def verdict(self, text: str) -> Verdict:
        return Verdict(text=text, seconds=time.monotonic() - self._begin)
