"""Injecting faults into a sandbox, and healing it. Each ends in time with a verdict: how the cluster reacted."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from radoscope.ceph import Connection
from radoscope.errors import PlanError, SiteError
from radoscope.records import health
from radoscope.sandbox import daemons, disks, filling, network
from radoscope.sandbox.cluster import Sandbox
from radoscope.sandbox.layout import Osd
from radoscope.sandbox.processes import end_labelled
from radoscope.sandbox.shape import AS_IS, DISKS, DiskModel
from radoscope.sandbox.start import not_above
from radoscope.sandbox.waiting import Deadline, NowAndThen, OnStep, wait_until

# Peers of an OSD without placement groups miss it by its heartbeats alone: 20 s (osd_heartbeat_grace) after a ping, and
# up to as long again where it has just started and they do not watch it yet. A busy machine takes longer.
_NOTICE_S = 150.0
# An OSD's heartbeats are at most 6.5 s apart.
_KNOWN_S = 20.0
_HEAL_S = 180.0
_LOOK_EVERY_S = 3.0
# Operations that waited for a quorum turn HEALTH_OK into SLOW_OPS when the monitors next look (mon_tick_interval, 5 s),
# and with the look after that they are gone.
_MONITORS_LOOK_S = 6.0
_SILENT = "the monitors do not answer"
# A hard disk whose cache is full: its writes wait as well, and so an OSD's own bench finds it.
_SLOW = replace(DISKS["hdd"], name="slow", write_s=2e-3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The result of a fault. seconds: from the fault until the cluster had noticed, or was healthy again."""

    text: str
    seconds: float


def kill_osd(sandbox: Sandbox, number: str, on_step: OnStep) -> Verdict:
    """kill -9 of an OSD; ends when the monitors have marked it down."""
    osd = _osd(sandbox, number)
    _check_runs(sandbox, osd.daemon)
    _until_missed(sandbox, {osd.id})
    watch = _Stopwatch()
    end_labelled(sandbox.label, osd.daemon)
    if lost := _lost_quorum(sandbox):
        return watch.verdict(f"{osd.daemon} is killed; {lost}")
    on_step(f"{osd.daemon} is killed; waiting until the monitors mark it down")
    _until(sandbox, lambda cluster: osd.id not in _osds_up(cluster), f"{osd.daemon} marked down")
    return watch.verdict(f"{osd.daemon} is killed and marked down")


def stop_mon(sandbox: Sandbox, name: str, on_step: OnStep) -> Verdict:
    """An orderly stop of a monitor; ends when the others have a quorum without it, or when there is none."""
    if name not in {mon.id for mon in sandbox.mons}:
        raise PlanError(f"there is no monitor {name!r}", f"Known: {', '.join(mon.id for mon in sandbox.mons)}.")
    _check_runs(sandbox, f"mon.{name}")
    watch = _Stopwatch()
    end_labelled(sandbox.label, f"mon.{name}", signal.SIGTERM)
    if lost := _lost_quorum(sandbox):
        return watch.verdict(f"mon.{name} is stopped; {lost}")
    on_step(f"mon.{name} is stopped; waiting for a quorum of the others")
    _until(sandbox, lambda cluster: name not in cluster.ask("status")["quorum_names"], f"a quorum without mon.{name}")
    return watch.verdict(f"mon.{name} is stopped; the others have a quorum")


def cut(sandbox: Sandbox, host_name: str, on_step: OnStep) -> Verdict:
    """Pull a host's cables; ends when the monitors have marked its OSDs down."""
    hosts = {host.name: host for host in sandbox.hosts if host.namespace is not None}
    if not hosts:
        raise PlanError("a sandbox on one host has no links to cut", "Start one with --hosts 3.")
    if host_name not in hosts:
        raise PlanError(f"there is no host {host_name!r}", f"Known: {', '.join(hosts)}.")
    if host_name in network.cut_hosts(sandbox):
        raise PlanError(f"{host_name} is cut off already", f"radoscope sandbox fault {sandbox.name} heal connects it.")
    theirs = {osd.id for osd in sandbox.osds if osd.host == host_name}
    if theirs:
        _until_missed(sandbox, theirs)
    watch = _Stopwatch()
    network.set_links(sandbox, hosts[host_name], up=False)
    if "client" in hosts[host_name].role:
        return watch.verdict(f"{host_name} is cut off; no OSD is on it")
    if lost := _lost_quorum(sandbox):
        return watch.verdict(f"{host_name} is cut off; {lost}")
    on_step(f"{host_name} is cut off; its OSDs are marked down once the others have missed their heartbeats for 20 s")
    _until(sandbox, lambda cluster: not theirs & _osds_up(cluster), f"the OSDs of {host_name} marked down")
    return watch.verdict(f"{host_name} is cut off, its OSDs are marked down")


def slow_disk(sandbox: Sandbox, number: str, on_step: OnStep) -> Verdict:
    """An OSD's disk becomes as slow as a hard disk; an OSD whose disk is not modelled is restarted with one that is."""
    osd, watch = _osd(sandbox, number), _Stopwatch()
    how = "at once" if _set_disk(sandbox, osd, _SLOW, on_step) else "after a restart"
    times = f"{_SLOW.flush_s * 1e3:.0f} ms a flush and a read, {_SLOW.write_s * 1e3:.0f} ms a write"
    return watch.verdict(f"the disk of {osd.daemon} takes {times}, one at a time, {how}")


def fill(sandbox: Sandbox, share: str, on_step: OnStep) -> Verdict:
    """Fill the cluster with objects up to a share of its space, as "90%"."""
    watch = _Stopwatch()
    reached = filling.fill(sandbox, share, on_step)
    return watch.verdict(f"the cluster is {reached:.0%} full")


def heal(sandbox: Sandbox, _nothing: str = "", on_step: OnStep = lambda _: None) -> Verdict:
    """Undo every fault: cables, disks, filling, daemons; ends at HEALTH_OK.

    on_step receives what was undone, and in Ceph's words what is still wrong. Raises SiteError with the last of it when
    HEALTH_OK does not come within three minutes.
    """
    watch, deadline = _Stopwatch(), Deadline(_HEAL_S)
    hold_s = _MONITORS_LOOK_S if _lost_quorum(sandbox) else 0.0
    for name in network.cut_hosts(sandbox):
        network.set_links(sandbox, sandbox.layout.host(name), up=True)
        network.reset_connections(sandbox.layout.host(name))
        on_step(f"{name} is connected again")
    for osd in sandbox.osds:
        if sandbox.disk_parameters(osd).exists():
            disks.write_parameters(sandbox.disk_parameters(osd), sandbox.spec.disk)
    begun = [*start_missing(sandbox)]
    if begun:
        on_step(f"started again: {', '.join(begun)}")
    end_labelled(sandbox.label, filling.WRITER)
    _until(sandbox, _emptied, "the monitors' answer", deadline.left_s)
    healthy, also_begun = _until_whole(sandbox, deadline, on_step, hold_s)
    begun += also_begun
    again = f"; started again: {', '.join(dict.fromkeys(begun))}" if begun else ""
    return watch.verdict(f"{healthy}{again}")


FAULTS: Mapping[str, Callable[[Sandbox, str, OnStep], Verdict]] = {
    "kill-osd": kill_osd,
    "stop-mon": stop_mon,
    "cut": cut,
    "slow-disk": slow_disk,
    "fill": fill,
    "heal": heal,
}
WITHOUT_ARGUMENT = ("heal",)


def inflict(sandbox: Sandbox, fault: str, on: str = "", on_step: OnStep = lambda _: None) -> Verdict:
    """A fault by its name. Raises PlanError when there is none, SiteError when the cluster does not follow in time.

    on_step receives, in a few words, what was done and what is awaited.
    """
    if fault not in FAULTS:
        raise PlanError(f"there is no fault {fault!r}", f"Known: {', '.join(FAULTS)}.")
    if bool(on) == (fault in WITHOUT_ARGUMENT):
        wanted = "nothing more" if fault in WITHOUT_ARGUMENT else "what to do it to"
        raise PlanError(
            f"{fault} needs {wanted}", "For example: kill-osd 2, stop-mon b, cut h2, slow-disk 1, fill 90%, heal."
        )
    return FAULTS[fault](sandbox, on, on_step)


def start_missing(sandbox: Sandbox) -> tuple[str, ...]:
    """Start every daemon that should run and does not; their names."""
    running = sandbox.pids()
    for host in sandbox.delayed_hosts:
        if host.cable not in running:
            network.begin_cables(sandbox, host)
    each = {f"mon.{mon.id}": daemons.run_monitor(sandbox, mon) for mon in sandbox.mons}
    each |= {f"mgr.{mgr.id}": daemons.run_manager(sandbox, mgr) for mgr in sandbox.mgrs}
    each |= {osd.daemon: daemons.run_osd(sandbox, osd) for osd in sandbox.osds if osd.daemon not in running}
    for daemon, argv in each.items():
        if daemon not in running:
            daemons.begin(sandbox, daemon, argv)
    daemons.begin_above(sandbox, running)
    return tuple(daemon for daemon in sandbox.daemons if daemon not in running)


def amiss(sandbox: Sandbox, status: Mapping[str, Any]) -> str:
    """What keeps a sandbox from being healthy, in Ceph's words if it has any. status: of `ceph status`.

    Empty when nothing is left of HEALTH_WARN but what slows nothing, every monitor is in the quorum and every OSD up.
    """
    up, osds = status["osdmap"]["num_up_osds"], len(sandbox.osds)
    if checks := health.amiss_now(status):
        return "; ".join(str(check) for check in checks)
    out = [f"mon.{mon.id} out of the quorum" for mon in sandbox.mons if mon.id not in status["quorum_names"]]
    out += not_above(status, sandbox)
    return "; ".join(out + ([f"{up} of {osds} OSDs up"] if up < osds else []))


def _set_disk(sandbox: Sandbox, osd: Osd, disk: DiskModel, on_step: OnStep) -> bool:
    """Change what a disk is like; whether that took effect at once, without a restart of its OSD."""
    modelled = sandbox.disk_parameters(osd).exists()
    if not modelled:
        disks.check_can_model(disk)
    disks.write_parameters(sandbox.disk_parameters(osd), disk)
    if not modelled and disk is not AS_IS:
        end_labelled(sandbox.label, osd.daemon)
        daemons.begin_osd(sandbox, osd)
        on_step(f"{osd.daemon} is started again on a modelled disk")
        _until(sandbox, lambda cluster: osd.id in _osds_up(cluster), f"{osd.daemon} up again")
    return modelled


def _emptied(cluster: Connection) -> bool:
    filling.empty(cluster)
    return True


def _osd(sandbox: Sandbox, number: str) -> Osd:
    for osd in sandbox.osds:
        if number in (str(osd.id), osd.daemon):
            return osd
    raise PlanError(f"there is no OSD {number!r}", f"Known: {', '.join(osd.daemon for osd in sandbox.osds)}.")


def _osds_up(cluster: Connection) -> set[int]:
    return {osd["osd"] for osd in cluster.ask("osd dump")["osds"] if osd["up"]}


def _until_missed(sandbox: Sandbox, osds: set[int]) -> None:
    """Wait until the others would miss these OSDs: until they know that they are up. One that does not answer may not.

    Each monitor hands a new map to one OSD, which may be the very one that came up and tells the others by its first
    heartbeat. Ended before that, nobody ever misses it, and the monitors call it up for 15 minutes.
    """
    if _lost_quorum(sandbox):
        return
    running, cut_off = sandbox.pids(), network.cut_hosts(sandbox)
    with suppress(SiteError), sandbox.connected(timeout_s=3) as cluster:
        since = max((osd["up_from"] for osd in cluster.ask("osd dump")["osds"] if osd["osd"] in osds), default=0)
        for osd in sandbox.osds:
            if osd.id not in osds and osd.daemon in running and osd.host not in cut_off:
                known = partial(_knows, cluster, osd.id, since)
                wait_until(known, f"the latest map on {osd.daemon}", Deadline(_KNOWN_S), every_s=0.1)


def _knows(cluster: Connection, osd: int, epoch: int) -> bool:
    return bool(cluster.ask_osd(osd, "status")["newest_map"] >= epoch)


def _check_runs(sandbox: Sandbox, daemon: str) -> None:
    if daemon not in sandbox.pids():
        raise PlanError(f"{daemon} does not run", f"radoscope sandbox fault {sandbox.name} heal starts it again.")


def _lost_quorum(sandbox: Sandbox) -> str:
    """The sentence for too few monitors on connected hosts; empty if they are a quorum."""
    running = sandbox.pids()
    cut_off = network.cut_hosts(sandbox)
    left = sum(f"mon.{mon.id}" in running and mon.host not in cut_off for mon in sandbox.mons)
    count = len(sandbox.mons)
    return "" if left > count // 2 else f"{left} of {count} monitors are no quorum, so everything waits"


def _until_whole(sandbox: Sandbox, deadline: Deadline, on_step: OnStep, hold_s: float = 0.0) -> tuple[str, list[str]]:
    """Wait for a healthy sandbox, reporting what is missing: (its health, daemons that had ended and were restarted).

    hold_s: from its first health on; it must be healthy after that, too.

    An OSD that the monitors marked down six times within ten minutes ends by itself when it hears of it
    (osd_max_markdown_count), and it hears of it once its cable is back. Raises SiteError with the last that was amiss.
    """
    reason, healthy, progress = _SILENT, "", NowAndThen(on_step)
    begun, next_look = list[str](), Deadline(_LOOK_EVERY_S)
    held: Deadline | None = None

    def whole(cluster: Connection) -> bool:
        nonlocal reason, healthy, next_look, held
        reason = _SILENT  # should the next line raise SiteError
        status = cluster.ask("status")
        reason, healthy = amiss(sandbox, status), health.whole_in_words(status)
        if reason:
            progress.tell(f"not yet: {reason}")
        if reason and next_look.passed:
            next_look = Deadline(_LOOK_EVERY_S)
            for daemon in start_missing(sandbox):
                on_step(f"{daemon} had ended and is started again")
                begun.append(daemon)
        if not reason and held is None:
            held = Deadline(hold_s)
        return not reason and held is not None and held.passed

    try:
        _until(sandbox, whole, "HEALTH_OK", deadline.left_s)
    except SiteError as late:
        raise SiteError(f"no HEALTH_OK {_HEAL_S:.0f} s after healing: {reason}", late.hint) from late
    return healthy, begun


def _until(sandbox: Sandbox, ask: Callable[[Connection], Any], what: str, within_s: float = _NOTICE_S) -> None:
    """Ask the monitors until they say yes; one that does not answer is asked again. Raises SiteError."""

    def asked() -> bool:
        try:
            with sandbox.connected(timeout_s=3) as cluster:
                return bool(wait_until(lambda: ask(cluster), what, Deadline(min(5.0, deadline.left_s)), every_s=0.1))
        except SiteError:
            return False

    if lost := _lost_quorum(sandbox):
        raise SiteError(f"{what}: {lost}", f"radoscope sandbox fault {sandbox.name} heal")
    deadline = Deadline(within_s)
    try:
        wait_until(asked, what, deadline, every_s=0.1, hint=f"radoscope sandbox status {sandbox.name}")
    except SiteError as late:
        raise SiteError(f"{late.message}; {_as_it_is(sandbox)}", late.hint) from late


def _as_it_is(sandbox: Sandbox) -> str:
    """What the monitors say now, for an error."""
    try:
        with sandbox.connected(timeout_s=3) as cluster:
            return amiss(sandbox, cluster.ask("status")) or "nothing is amiss, say the monitors"
    except SiteError:
        return _SILENT


class _Stopwatch:
    def __init__(self) -> None:
        self._begin = time.monotonic()

    def verdict(self, text: str) -> Verdict:
        return Verdict(text=text, seconds=time.monotonic() - self._begin)
