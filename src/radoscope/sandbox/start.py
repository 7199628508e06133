"""Starting a sandbox, from nothing to HEALTH_OK; whatever goes wrong on the way, nothing of it is left behind."""

from __future__ import annotations

import contextlib
import itertools
import json
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from radoscope.ceph import Connection
from radoscope.errors import RadoscopeError, SiteError, ToolFailed
from radoscope.records import health
from radoscope.sandbox import achieved, cables, daemons, disks, keys, network, registry, stop
from radoscope.sandbox.cluster import Sandbox
from radoscope.sandbox.conf import ELECTION_S, render_conf
from radoscope.sandbox.daemons import make_osd_stores, run_all
from radoscope.sandbox.layout import FILE_SYSTEM, Manager, Osd
from radoscope.sandbox.preflight import check_machine
from radoscope.sandbox.processes import is_gone, last_lines, run_tool
from radoscope.sandbox.spec import SandboxSpec
from radoscope.sandbox.stop import uninterrupted
from radoscope.sandbox.waiting import Deadline, OnStep, wait_until, wait_while

_DEVICE_CLASS = json.dumps({"crush_device_class": "ssd"}).encode()
# Monitors that begin at the same moment miss each other's first votes and wait for the end of an election, often twice.
# Short elections end that; later they would unsettle a busy quorum, so then it is ceph.conf's time again.
_FIRST_ELECTION_S = "0.3"
_START_S = 60.0
_START_S_PER_OSD = 10.0
_STANDBY_S = 45.0
_HINT = "A start takes about 10 s of two cores. Is the machine busy? Try again, or ask for fewer OSDs."


class Timeline:
    """What was reached when, in seconds since the start; kept in the sandbox's timeline.json."""

    def __init__(self, on_step: OnStep) -> None:
        self._on_step, self._begin = on_step, time.monotonic()
        self.steps: list[tuple[float, str]] = []

    def reached(self, step: str) -> None:
        self.steps.append((round(time.monotonic() - self._begin, 3), step))
        self._on_step(step)

    def save(self, sandbox: Sandbox) -> None:
        lines = [{"seconds": seconds, "step": step} for seconds, step in self.steps]
        (sandbox.directory / "timeline.json").write_text(json.dumps(lines, indent=1) + "\n")


def up(spec: SandboxSpec, on_step: OnStep = lambda _: None) -> Sandbox:
    """Start a sandbox and wait for HEALTH_OK.

    on_step receives what has been reached, in a few words each. Raises PlanError (name in use), ToolFailed (a tool is
    missing, a daemon ended), SiteError (machine too small, no health in time); after any failure, Ctrl-C included,
    everything that was made has been removed.
    """
    check_machine(spec)
    disks.check_can_model(spec.disk)
    cables.check_can_delay(spec)
    timeline = Timeline(on_step)
    sandbox: Sandbox | None = None
    try:
        with uninterrupted():
            sandbox = registry.claim(spec)
        Start(sandbox, timeline).run()
        if spec.hosts is not None or not spec.disk.changes_nothing:
            achieved.measure(sandbox)
            timeline.reached("shapes measured")
        timeline.save(sandbox)
        registry.mark(sandbox, registry.State.UP)
    except BaseException as cause:
        if sandbox is not None:
            _give_up(sandbox, cause)
        raise
    return sandbox


def _give_up(sandbox: Sandbox, cause: BaseException) -> None:
    """Remove what was created; if that fails as well, it becomes a hint beside the cause, not a replacement."""
    try:
        stop.remove(sandbox)
    except RadoscopeError as error:
        if not isinstance(cause, RadoscopeError):
            raise
        cause.hint = f"{cause.hint}\nSomething of it is left ({error.message}): radoscope clean".strip()


class Start:
    """One start: the daemons begun so far, and the steps that begin them."""

    def __init__(self, sandbox: Sandbox, timeline: Timeline) -> None:
        self._sandbox, self._timeline = sandbox, timeline
        self._deadline = Deadline(_START_S + _START_S_PER_OSD * sandbox.spec.all_osds)
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def run(self) -> None:
        sandbox, reached = self._sandbox, self._timeline.reached
        write_files(sandbox)
        reached("keys and monmap written")
        if sandbox.spec.hosts is not None:
            network.build(sandbox)
            reached(f"network of {len(sandbox.hosts)} hosts built")
        makers = {f"mkfs.mon.{mon.id}": daemons.make_monitor(sandbox, mon) for mon in sandbox.mons}
        run_all(sandbox, makers, self._deadline)
        for mon in sandbox.mons:
            self._spawn(f"mon.{mon.id}", daemons.run_monitor(sandbox, mon, "--mon-election-timeout", _FIRST_ELECTION_S))
        reached("monitors started")
        self._start_managers(sandbox.mgrs[:1])
        make_osd_stores(sandbox, sandbox.osds, self._deadline, self._check_alive)
        reached(f"{len(sandbox.osds)} OSD stores made")
        with self._connected() as cluster:
            reached("monitors answer")
            quieten_managers(cluster)
            admit(cluster, sandbox.osds)
            for osd in sandbox.osds:
                self._running[osd.daemon] = daemons.begin_osd(sandbox, osd)
            reached("OSDs started")
            self._wait_while(lambda: _not_up(cluster, len(sandbox.osds)), "OSDs up")
            reached("OSDs up")
            make_file_systems(cluster, sandbox)
            self._running |= daemons.begin_above(sandbox)
            reached(self._await_health(cluster))
            mons = [mon.id for mon in sandbox.mons]
            self._wait_while(lambda: lengthen_elections(cluster, mons), "monitors told how long an election takes")
            # Later, because a manager takes seconds of CPU to load its modules, and HEALTH_OK needs only one.
            if standbys := sandbox.mgrs[1:]:
                self._start_managers(standbys)
                reached(self._await_standbys(cluster, len(standbys)))

    def _await_health(self, cluster: Connection) -> str:
        """What was reached: HEALTH_OK, and which checks stand beside it that mean nothing for a measurement."""
        status: dict[str, Any] = {}

        def missing() -> str:
            status.update(cluster.ask("status"))
            return "; ".join(reasons_to_wait(status, self._sandbox))

        self._wait_while(missing, "HEALTH_OK")
        return health.whole_in_words(status)

    def _start_managers(self, managers: Sequence[Manager]) -> None:
        for mgr in managers:
            self._spawn(f"mgr.{mgr.id}", daemons.run_manager(self._sandbox, mgr))

    def _await_standbys(self, cluster: Connection, count: int) -> str:
        """What was reached: a healthy cluster is not given up because its second manager is slow to load."""
        deadline = Deadline(_STANDBY_S)

        def ready() -> bool:
            self._check_alive()
            return bool(cluster.ask("status")["mgrmap"]["num_standbys"] == count)

        try:
            wait_until(ready, "standby manager", deadline)
        except SiteError:
            return "standby manager still loading: the machine is busy"
        return "standby manager ready"

    def _connected(self) -> contextlib.closing[Connection]:
        """A connection as soon as the monitors have a quorum; asks again: the first try may come too early."""
        namespace, patience_s = self._sandbox.clients[0].namespace_path, itertools.count(2)

        def connect() -> Connection | None:
            self._check_alive()
            # Short tries at first: one that began before the quorum may miss it, and Ctrl-C is heard in between.
            # A busy machine's monitors have time to answer commands.
            timeout_s = min(5.0, next(patience_s) / 2)
            try:
                return Connection(
                    self._sandbox.conf, timeout_s=timeout_s, command_timeout_s=30.0, namespace=namespace
                ).__enter__()
            except SiteError:
                return None

        return contextlib.closing(wait_until(connect, "the monitors' quorum", self._deadline, hint=_HINT))

    def _wait_while(self, reason: Callable[[], str], what: str) -> None:
        def reason_of_the_living() -> str:
            self._check_alive()
            return reason()

        wait_while(reason_of_the_living, what, self._deadline, hint=_HINT)

    def _spawn(self, daemon: str, argv: tuple[str, ...]) -> None:
        self._running[daemon] = daemons.begin(self._sandbox, daemon, argv)

    def _check_alive(self) -> None:
        """A daemon that ended while the cluster starts will not come back. Raises ToolFailed with its last words."""
        for daemon, process in self._running.items():
            if is_gone(process.pid):
                last_words = last_lines(self._sandbox.log(daemon)) or last_lines(
                    self._sandbox.directory / f"log/{daemon}.log"
                )
                raise ToolFailed(f"{daemon} ended while the sandbox was starting", last_words)


def write_files(sandbox: Sandbox) -> None:
    """Everything that a file can say before a daemon runs: configuration, keys, monmap, empty stores."""
    directory = sandbox.directory
    for folder in ("log", "crash", *(f"mon.{mon.id}" for mon in sandbox.mons)):
        (directory / folder).mkdir()
    sandbox.conf.write_text(render_conf(sandbox))
    _write_keyrings(sandbox)
    if not sandbox.spec.disk.changes_nothing:
        disks.write_parameters(sandbox.load_disk_parameters, sandbox.spec.disk)
    named = [word for mon in sandbox.mons for word in ("--addv", mon.id, mon.addresses)]
    release = ("--set-min-mon-release", "16", "--enable-all-features")
    run_tool(("monmaptool", "--create", "--fsid", sandbox.fsid, *release, *named, f"{directory}/monmap"))


def _write_keyrings(sandbox: Sandbox) -> None:
    directory = sandbox.directory
    monitor, administrator = keys.monitor(), keys.administrator()
    managers = {mgr: keys.manager(mgr.id) for mgr in sandbox.mgrs}
    osds = {osd: keys.osd(osd.id) for osd in sandbox.osds}
    above = (*(keys.mds(mds.id) for mds in sandbox.mdss), *(keys.gateway(one.entity) for one in sandbox.gateways))
    everyone = (monitor, administrator, *managers.values(), *osds.values(), *above)
    write_secret(directory / "mkfs.keyring", keys.render_keyring(everyone))
    write_secret(sandbox.keyring, keys.render_keyring((administrator,)))
    for mon in sandbox.mons:
        write_secret(directory / f"ceph.mon.{mon.id}.keyring", keys.render_keyring((monitor,)))
    for entity in (*managers.values(), *above):
        write_secret(directory / f"ceph.{entity.name}.keyring", keys.render_keyring((entity,), with_caps=False))
    for osd, entity in osds.items():
        write_osd_store(sandbox, osd, entity)


def write_osd_store(sandbox: Sandbox, osd: Osd, entity: keys.Entity) -> None:
    """An OSD's folder: a sparse file as its device, and its key."""
    store = sandbox.osd_directory(osd)
    store.mkdir()
    with (store / "block").open("wb") as device:
        device.truncate(sandbox.spec.osd_bytes)
    if not sandbox.spec.disk.changes_nothing:
        disks.write_parameters(sandbox.disk_parameters(osd), sandbox.spec.disk)
    write_secret(store / "keyring", keys.render_keyring((entity,), with_caps=False))
    write_secret(sandbox.directory / f"ceph.osd.{osd.id}.keyring", keys.render_keyring((entity,), with_caps=False))


def write_secret(path: Any, text: str) -> None:
    """A file that only its owner may read, from its first byte on."""
    path.touch(mode=0o600)
    path.write_text(text)


def quieten_managers(cluster: Connection) -> None:
    """Keep the manager's modules from work of their own in a cluster that is there to be measured.

    devicehealth makes a pool for the health of devices that are files; the balancer moves groups of every new pool,
    that of a study too, about a minute after it was made. ceph.conf has no say in a module's options.
    """
    for option in ("devicehealth/enable_monitoring", "balancer/active"):
        cluster.tell("config set", who="mgr", name=f"mgr/{option}", value="false", force=True)


def make_file_systems(cluster: Connection, sandbox: Sandbox) -> None:
    """One where there is an MDS, on two pools of its own; its data may be on an erasure-coded pool as well."""
    if not sandbox.mdss:
        return
    for pool, groups in ((f"{FILE_SYSTEM}.meta", 8), (f"{FILE_SYSTEM}.data", 32)):
        cluster.tell("osd pool create", pool=pool, pg_num=groups, pgp_num=groups)
    cluster.tell("fs new", fs_name=FILE_SYSTEM, metadata=f"{FILE_SYSTEM}.meta", data=f"{FILE_SYSTEM}.data")


def admit(cluster: Connection, osds: Sequence[Osd]) -> None:
    """Tell the monitors of new OSDs."""
    for osd in osds:
        cluster.tell("osd new", uuid=osd.uuid, id=osd.id, stdin=_DEVICE_CLASS)


def lengthen_elections(cluster: Connection, mons: list[str]) -> str:
    """Takes those that know from the list, and says why the next one does not: a monitor that is being elected, or to
    which the connection is not made, is "unavailable" for a moment."""
    while mons:
        try:
            cluster.tell("config set", to=f"mon.{mons[0]}", var="mon_election_timeout", val=[ELECTION_S])
        except SiteError as error:
            return str(error)
        del mons[0]
    return ""


def _not_up(cluster: Connection, count: int) -> str:
    up = cluster.ask("osd stat")["num_up_osds"]
    return "" if up >= count else f"{up} of {count} OSDs are up"


def reasons_to_wait(status: Mapping[str, Any], sandbox: Sandbox) -> list[str]:
    """What keeps a starting cluster from being healthy, with a manager that has seen every OSD and a full quorum."""
    reasons = [str(check) for check in health.amiss_now(status)]
    if not status["mgrmap"].get("available"):
        reasons.append("no manager is available")
    elif not status["pgmap"].get("bytes_total", 0):
        reasons.append("the manager has not heard of any OSD")
    if missing := {mon.id for mon in sandbox.mons} - set(status["quorum_names"]):
        reasons.append(f"not in the quorum: {', '.join(f'mon.{name}' for name in sorted(missing))}")
    return [*reasons, *not_above(status, sandbox)]


def not_above(status: Mapping[str, Any], sandbox: Sandbox) -> Iterator[str]:
    """What of MDS and gateway does not serve, in the cluster's own words where it has any."""
    ranks = [str(rank.get("status", "")) for rank in status.get("fsmap", {}).get("by_rank", ())]
    if sandbox.mdss and "up:active" not in ranks:
        yield f"the file system has no active MDS ({', '.join(ranks) or 'none is up'})"
    reporting = status.get("servicemap", {}).get("services", {}).get("rgw", {}).get("daemons", {}).keys() - {"summary"}
    if sandbox.gateways and not reporting:
        yield "no gateway has reported to the manager"
