"""Make what the cells need: pool, user, images and objects written in full, the test file, the iperf3 server.

Each thing is in the journal before it exists. After this, the load tools know the own user alone.
"""

from __future__ import annotations

import os
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from radoscope.ceph import Cluster
from radoscope.errors import RadoscopeError, SiteError, ToolFailed
from radoscope.plan.estimate import image_count, needs_file, object_sets, objects_in_set
from radoscope.plan.schema import Plan
from radoscope.records.conditions import Layer
from radoscope.records.study import Cell
from radoscope.run import pinned, remote
from radoscope.run.command import LoadCommand
from radoscope.run.device_check import check_device
from radoscope.run.engines import fio, rados_bench
from radoscope.run.events import Listener, Step
from radoscope.run.journal import Entry, Journal
from radoscope.run.others import Others
from radoscope.run.pinned import kinds_of
from radoscope.run.processes import LABEL, Placed, run_together
from radoscope.run.setting import CONF, KEYRING, Setting
from radoscope.run.sites import Local, Site, Ssh
from radoscope.units import format_block, format_bytes

TAG = "radoscope"
"""The pool application under which a pool says whose it is, so that any host can tell."""

_SETTLE_S = 180.0
_FILL_TIMEOUT_S = 3600.0
# Starting fio costs more than writing a small image; more writers than this would only queue in the OSDs.
_FILLED_AT_ONCE = 4


class Interrupted_(RadoscopeError):
    """The user asked to stop while things were being prepared."""

    exit_code = 130


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """Where and for whom to prepare.

    away: client hosts that are not this machine. pool: an existing one of the user's, or None for an own one. device: a
    whole device that the user gives up for the disk cells, or None for a file in disk_folder. others: for whose sake
    filling pauses.
    """

    run_id: str
    journal: Journal
    work: Path
    on_event: Listener
    stop: threading.Event
    site: Site = field(default_factory=Local)
    away: tuple[Site, ...] = ()
    peer: Site = field(default_factory=Local)
    peer_address: str = "127.0.0.1"
    disk_folder: Path = Path()
    device: Path | None = None
    cluster: Cluster | None = None
    pool: str | None = None
    replicas: int | None = None
    crush_rule: str | None = None
    others: Others = field(default_factory=Others)

    @property
    def name(self) -> str:
        return f"radoscope-{self.run_id}"


def prepare(plan: Plan, cells: Sequence[Cell], ground: Ground) -> Setting:
    """Everything that these cells need. Raises RadoscopeError; what was made by then is in the journal."""
    ground.journal.will_create(Entry("folder", str(ground.work)))
    ground.work.mkdir(mode=0o700, parents=True, exist_ok=True)
    ground.journal.will_create(Entry("processes", ground.run_id))
    setting = Setting(label=ground.run_id, peer_address=ground.peer_address)
    if ground.cluster is not None:
        kinds = kinds_of(cells)
        victim = pinned.choose(ground.cluster) if kinds else None
        below = {kind: _make_pool_below(ground, ground.cluster, kind, victim) for kind in kinds if victim}
        setting = _open_pool(setting, ground, ground.cluster, below.values())
        setting = _prefill(setting, plan, [cell for cell in cells if not cell.conditions.pinned], ground)
        # A pool below goes as a whole, whoever's the pool above is.
        own = replace(ground, pool=None)
        theirs = {kind: [cell for cell in cells if cell.conditions.pinned == kind] for kind in below}
        filled = {kind: _prefill(replace(setting, pool=below[kind]), plan, theirs[kind], own) for kind in below}
        notes = tuple(f"pool {below[kind]}: one copy on {victim.words(kind)}" for kind in below if victim)
        setting = replace(setting, pinned=filled, notes=notes, pinned_osd=victim.osd if victim else None)
    if needs_file(cells):
        setting = _lay_out_file(setting, plan, ground)
    if any(cell.conditions.tool == "iperf3" for cell in cells):
        setting = _start_iperf3(setting, ground)
    return setting


def settle(ground: Ground, hold_s: float = 0.0, status: Callable[[], Any] | None = None) -> None:
    """Wait until every placement group is active and clean. Raises SiteError when they do not get there.

    hold_s: they must be so for this long without a break. After a change of the OSD map the monitors may still tell of
    the time before it. status: asks for the cluster's status over a connection that stands, None asks by a command.
    """
    cluster = ground.cluster
    if cluster is not None:
        ground.on_event(Step("waiting until all placement groups are active+clean"))
        ask = status or (lambda: cluster.ceph("status"))
        state = _Held(lambda: _all_clean(ask()), hold_s)
        _until(state, ground, "placement groups did not become active+clean")


def _prefill(setting: Setting, plan: Plan, cells: Sequence[Cell], ground: Ground) -> Setting:
    """Images and objects in the setting's pool."""
    assert ground.cluster is not None
    return _write_read_sets(_make_images(setting, plan, cells, ground, ground.cluster), plan, cells, ground)


def _make_pool_below(ground: Ground, cluster: Cluster, kind: str, victim: pinned.Victim) -> str:
    """The name of a new pool with one copy. kind: what it is pinned to."""
    name = f"radoscope-one-{kind}-{ground.run_id}"
    ground.on_event(Step(f"creating the pool {name}, one copy on {victim.words(kind)}"))
    rule = pinned.make_rule(cluster, ground.journal, ground.run_id, kind, victim)
    _make_pool(replace(ground, crush_rule=rule, replicas=1), cluster, name, victim.groups(kind))
    if kind == "osd":
        pinned.pin_to_osd(cluster, name, victim.osd)
        _until(partial(pinned.is_pinned, cluster, name, victim.osd), ground, f"{name} was not on one OSD only")
        settle(ground)
    return name


def _open_pool(setting: Setting, ground: Ground, cluster: Cluster, below: Iterable[str]) -> Setting:
    """The pool, and a user who may use it and those below it."""
    pool = ground.pool or ground.name
    if ground.pool is None:
        ground.on_event(Step(f"creating the pool {pool}"))
        _make_pool(ground, cluster, pool, _placement_groups(cluster, ground.replicas))
    user = f"client.{ground.name}"
    ground.on_event(Step(f"creating the user {user} with rights to pool {pool} only"))
    rights = ", ".join(f"allow rwx pool={name}" for name in (pool, *below))
    keyring, conf = ground.work / KEYRING, ground.work / CONF
    ground.journal.will_create(Entry("user", user, {"cluster": cluster.to_json()}))
    # allow r on the monitors: a client needs the maps. Nothing on the managers, nothing on any other pool.
    cluster.ceph_text("auth", "get-or-create", user, "mon", "allow r", "osd", rights, "-o", str(keyring))
    keyring.chmod(0o600)
    minimal = cluster.ceph_text("config", "generate-minimal-conf")
    conf.write_text(_client_conf(minimal, keyring))
    setting = replace(setting, client_conf=conf, user=user, pool=pool, namespace=ground.name)
    for site in ground.away:
        _equip(site, setting, ground, minimal, keyring.read_text())
    return setting


def _client_conf(minimal: str, keyring: Path) -> str:
    # The cache of librbd would answer in the cluster's place; the logs and sockets of clients would litter the host.
    return f"{minimal}\n[client]\nkeyring = {keyring}\nrbd cache = false\nlog file =\nadmin socket =\n"


def _equip(site: Site, setting: Setting, ground: Ground, minimal: str, keyring: str) -> None:
    """Bring a client host the least that it needs, and see that it reaches the cluster with it. Raises SiteError."""
    ground.on_event(Step(f"copying a ceph.conf and the key of {setting.user} to client host {site.name}"))
    ground.journal.will_create(remote_entry(site, ground.run_id))
    remote.make_folder(site)
    conf = remote.put(site, CONF, _client_conf(minimal, remote.put(site, KEYRING, keyring)))
    argv = ("rados", *replace(setting, client_conf=conf).ceph_arguments(), "ls")
    try:
        remote.tell(site, 'timeout 20 "$@" >/dev/null', *argv, timeout_s=30.0)
    except ToolFailed as error:
        raise SiteError(
            f"{error.message}: it does not reach the cluster as {setting.user}",
            "Are the monitors' and OSDs' addresses (public network) reachable from that host?",
        ) from None


def remote_entry(site: Site, run_id: str) -> Entry:
    """What the journal keeps of a folder on another host, so that a later process can remove it."""
    assert isinstance(site, Ssh)
    details = {"destination": site.destination, "folder": str(site.folder), "run": run_id}
    config = {"config": str(site.config)} if site.config else {}
    return Entry("remote-folder", f"{site.destination}:{site.folder}", {**details, **config})


def _make_pool(ground: Ground, cluster: Cluster, name: str, placement_groups: int) -> None:
    groups = str(placement_groups)
    details = {"cluster": cluster.to_json(), "run": ground.run_id}
    ground.journal.will_create(Entry("pool", name, details))
    rule = [ground.crush_rule] if ground.crush_rule else []
    cluster.ceph_text("osd", "pool", "create", name, groups, groups, "replicated", *rule)
    cluster.ceph_text("osd", "pool", "application", "enable", name, TAG)
    cluster.ceph_text("osd", "pool", "application", "set", name, TAG, "run", ground.run_id)
    cluster.ceph_text("osd", "pool", "application", "set", name, TAG, "host", socket.gethostname())
    cluster.ceph_text("osd", "pool", "application", "enable", name, "rbd", "--yes-i-really-mean-it")
    cluster.ceph_text("osd", "pool", "set", name, "pg_autoscale_mode", "off")
    if ground.replicas is not None:
        sure = ["--yes-i-really-mean-it"] if ground.replicas == 1 else []
        cluster.ceph_text("osd", "pool", "set", name, "size", str(ground.replicas), *sure)
    settle(ground)


def _placement_groups(cluster: Cluster, replicas: int | None) -> int:
    """A power of two of at most 100 copies an OSD, Ceph's own target; at most 1024 for a pool of minutes."""
    osds = int(cluster.ceph("osd", "stat")["num_in_osds"])
    wanted = 100 * osds / (replicas or 3)
    power = 16
    while power * 2 <= wanted and power < 1024:
        power *= 2
    return max(32, power) if osds >= 3 else power


def _make_images(setting: Setting, plan: Plan, cells: Sequence[Cell], ground: Ground, cluster: Cluster) -> Setting:
    names = tuple(f"{ground.name}-{number}" for number in range(image_count(cells)))
    own = ("rbd", "-c", str(setting.client_conf), "-n", setting.user)
    for first in range(0, len(names), _FILLED_AT_ONCE):
        group = names[first : first + _FILLED_AT_ONCE]
        some = f"image {first + 1}" if len(group) == 1 else f"images {first + 1} to {first + len(group)}"
        ground.on_event(Step(f"writing {some} of {len(names)}, {format_bytes(plan.image_size)} each"))
        for image in group:
            _note_in_foreign_pool(ground, "image", image, cluster)
            # layering only: with exclusive-lock, several writers of one image would hand the lock to and fro.
            create = (*own, "create", f"{setting.pool}/{image}", "--size", f"{plan.image_size}B")
            _finish(ground, "create-image", (*create, "--image-feature", "layering"))
        _finish(ground, "fill-image", *(fio.fill_image(setting, image) for image in group))
    return replace(setting, images=names)


def _note_in_foreign_pool(ground: Ground, kind: str, name: str, cluster: Cluster) -> None:
    """In an own pool nothing else needs to be noted: it goes with the pool."""
    if ground.pool is not None:
        ground.journal.will_create(Entry(kind, name, {"cluster": cluster.to_json(), "pool": ground.pool}))


def _write_read_sets(setting: Setting, plan: Plan, cells: Sequence[Cell], ground: Ground) -> Setting:
    assert ground.cluster is not None
    if any(cell.conditions.layer is Layer.RADOS for cell in cells):
        _note_in_foreign_pool(ground, "objects", setting.namespace, ground.cluster)
    sets = {}
    for block, readers in object_sets(cells).items():
        count = objects_in_set(plan, block)
        each = f", for each of {readers} readers," if readers > 1 else ""
        ground.on_event(Step(f"writing {count} objects of {format_block(block)}{each} for reads"))
        sets[block] = tuple(f"read-set-{block}-{number}" for number in range(readers))
        for name in sets[block]:
            _finish(ground, "read-set", rados_bench.write_read_set(setting, block, count, name))
    return replace(setting, read_sets=sets)


def _lay_out_file(setting: Setting, plan: Plan, ground: Ground) -> Setting:
    if ground.device is not None:
        ground.on_event(Step(f"writing the first {format_bytes(plan.file_size)} of {ground.device}"))
        check_device(ground.device)
        _finish(ground, "fill-device", fio.fill_file(ground.device, plan.file_size))
        return replace(setting, file=ground.device, file_bytes=plan.file_size)
    path = ground.disk_folder / f"{ground.name}.dat"
    ground.on_event(Step(f"writing the test file {path}, {format_bytes(plan.file_size)} in full"))
    ground.journal.will_create(Entry("file", str(path)))
    try:
        _finish(ground, "fill-file", fio.fill_file(path, plan.file_size))
    except ToolFailed as error:
        if "Invalid argument" in error.message:
            raise SiteError(
                f"the file system of {ground.disk_folder} does not support O_DIRECT",
                "Choose a folder on a disk with --disk-folder; tmpfs measures memory.",
            ) from None
        raise
    return replace(setting, file=path, file_bytes=plan.file_size)


def _start_iperf3(setting: Setting, ground: Ground) -> Setting:
    port = _free_port()
    ground.on_event(Step(f"starting iperf3 on {ground.peer.name}, {ground.peer_address} port {port}"))
    argv = ground.peer.wrap(("iperf3", "-s", "-B", ground.peer_address, "-p", str(port)))
    with (ground.work / "iperf3-server.out").open("wb") as out:
        server = subprocess.Popen(
            argv,
            env={**os.environ, LABEL: ground.run_id},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    _until(lambda: _listening(ground, server), ground, "iperf3 did not start to listen")
    return replace(setting, iperf_port=port)


def _listening(ground: Ground, server: subprocess.Popen[bytes]) -> bool:
    words = (ground.work / "iperf3-server.out").read_text(errors="replace")
    if server.poll() is not None:
        raise ToolFailed(f"iperf3 -s ended: {words.strip()[-200:]}")
    # iperf3 tells that it listens only when its output is flushed, so the kernel is asked.
    tables = (f"/proc/{server.pid}/net/tcp", f"/proc/{server.pid}/net/tcp6")
    listening = ""
    for table in tables:
        with suppress(OSError):
            listening += Path(table).read_text()
    port = int(next(word for before, word in zip(server.args, server.args[1:], strict=False) if before == "-p"))  # type: ignore[arg-type,index]
    return any(f":{port:04X} " in line and " 0A " in line for line in listening.splitlines())


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _finish(ground: Ground, name: str, *argvs: tuple[str, ...]) -> None:
    """Run preparing commands side by side to their end, as the own user. Raises ToolFailed, Interrupted_."""
    commands = [
        LoadCommand(argv=argv, reader="", name=f"{name}-{n}", output=f"{name}-{n}.out", timeout_s=_FILL_TIMEOUT_S)
        for n, argv in enumerate(argvs)
    ]
    with ground.others.loaded_by(name):
        ran = run_together(
            [Placed(command, ground.site) for command in commands],
            folder=ground.work,
            label=ground.run_id,
            stop=ground.stop,
            on_text=lambda _client, _text: None,
            hold=_pausing(ground),
        )
    if ran.stopped:
        raise Interrupted_("interrupted while preparing")
    if ran.failed is not None:
        command = commands[ran.failed]
        said = [(ground.work / file).read_text(errors="replace") for file in (command.stderr, command.stdout)]
        raise ToolFailed(f"`{' '.join(command.argv)}` failed: {''.join(said).strip()[-400:]}")


def _pausing(ground: Ground) -> Callable[[], bool]:
    """Whether the work stands still for the sake of other clients; says so when it begins to."""
    paused = False

    def now() -> bool:
        nonlocal paused
        if ground.others.suffer() and not paused:
            ground.on_event(Step(f"pausing: {ground.others.harm}"))
        paused = ground.others.suffer()
        return paused

    return now


def _until(state: Callable[[], bool], ground: Ground, otherwise: str) -> None:
    deadline = time.monotonic() + _SETTLE_S
    while not state():
        if time.monotonic() > deadline:
            raise SiteError(f"{otherwise} within {_SETTLE_S:.0f} s", "See `ceph -s` and `ceph health detail`.")
        if ground.stop.wait(0.2):
            raise Interrupted_("interrupted while preparing")


@dataclass(slots=True)
class _Held:
    """True once a state was seen to be true for this long without a break."""

    state: Callable[[], bool]
    hold_s: float
    _since: float | None = None

    def __call__(self) -> bool:
        if not self.state():
            self._since = None
            return False
        self._since = self._since or time.monotonic()
        return time.monotonic() - self._since >= self.hold_s


def _all_clean(status: Any) -> bool:
    groups = status["pgmap"]
    states = {state["state_name"]: state["count"] for state in groups.get("pgs_by_state", [])}
    # A scrub does not take a group's clients away, so it does not stop a start; it is noted beside each cell.
    clean = sum(count for name, count in states.items() if name.startswith("active+clean"))
    return bool(groups["num_pgs"] > 0 and clean == groups["num_pgs"])
