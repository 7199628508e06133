"""What a run makes in a cluster: pools, marked as its own, images and objects, all written in full."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

from radoscope.ceph import Cluster
from radoscope.ceph.pools import despite_flag
from radoscope.errors import RadoscopeError, SiteError, ToolFailed
from radoscope.plan.estimate import bucket_sets, image_count, needs_file, object_sets, objects_in_set
from radoscope.records.conditions import Layer
from radoscope.records.study import Cell
from radoscope.run import pinned
from radoscope.run.cleaning import TAG
from radoscope.run.device_check import check_device
from radoscope.run.engines import fio, rados_bench, rbd_bench
from radoscope.run.journal import Entry
from radoscope.run.prepared import Prepared
from radoscope.session.access import open_pools
from radoscope.session.bucket import make_bucket
from radoscope.session.file_system import make_files, make_folder
from radoscope.session.finishing import finish
from radoscope.session.guests import start_guests
from radoscope.session.iperf import start_iperf3
from radoscope.session.session import Session
from radoscope.session.waiting import copies_of, settle, until
from radoscope.sites.named import to_json
from radoscope.units import format_block, format_bytes


def make_pool(
    session: Session, cluster: Cluster, name: str, *, groups: int, replicas: int | None, rule: str | None
) -> None:
    """A replicated pool, whose placement groups need not be clean yet."""
    session.journal.will_create(Entry("pool", name, {"cluster": cluster.to_json(), "run": session.id}))
    made = _create_pool(cluster, name, groups, rule)
    if made < groups:
        session.say(f"with {made} placement groups instead of {groups}: mon_max_pg_per_osd allows no more")
    cluster.ceph_text("osd", "pool", "application", "enable", name, TAG)
    sure = ["--yes-i-really-mean-it"] if replicas == 1 else []
    _together(
        cluster,
        name,
        ("application", "set", name, TAG, "run", session.id),
        ("application", "set", name, TAG, "host", socket.gethostname()),
        ("application", "enable", name, "rbd", "--yes-i-really-mean-it"),
        ("set", name, "pg_autoscale_mode", "off"),
        *([("set", name, "size", str(replicas), *sure)] if replicas is not None else []),
    )


def _create_pool(cluster: Cluster, name: str, groups: int, rule: str | None) -> int:
    """With so many placement groups, or as many as the monitors let OSDs have beside those that are there."""
    count = str(groups)
    try:
        cluster.ceph_text("osd", "pool", "create", name, count, count, "replicated", *([rule] if rule else []))
    except RadoscopeError as refused:
        if " rule " in refused.message.lower():
            hint = f"Give one of this cluster's with --crush-rule: {_rules(cluster)}."
            raise SiteError(refused.message, hint) from None
        if "mon_max_pg_per_osd" not in refused.message or groups < 2:
            raise
        return _create_pool(cluster, name, groups // 2, rule)
    return groups


def _rules(cluster: Cluster) -> str:
    return ", ".join(cluster.ceph("osd", "crush", "rule", "ls"))


_PROBES = 8
"""Objects of which CRUSH is asked; of one alone it can miss a place that others have, with its number of tries."""


def _refuse_too_few_places(cluster: Cluster, name: str) -> None:
    """Raises SiteError where a new pool's rule has no OSD for one of its copies: no waiting brings one."""
    copies, places = copies_of(cluster, name), 0
    for probe in range(_PROBES):
        places = max(places, len(cluster.ceph("osd", "map", name, f"{probe}")["up"]))
        if places == copies:
            return
    if places:
        rule = cluster.ceph("osd", "pool", "get", name, "crush_rule")["crush_rule"]
        raise SiteError(
            f"by the CRUSH rule {rule} there are OSDs for {places} of the {copies} copies of a new pool",
            f"Give --replicas {places}, or another --crush-rule; this cluster has {_rules(cluster)}.",
        )


def _together(cluster: Cluster, name: str, *commands: Sequence[str]) -> None:
    """Commands about a pool at once: monitors make changes once a second, and each of these would wait for its own."""
    with ThreadPoolExecutor(len(commands)) as pool:
        list(pool.map(lambda words: despite_flag(cluster, name, "nosizechange", "osd", "pool", *words), commands))


def make_pool_below(session: Session, cluster: Cluster, kind: str, victim: pinned.Victim) -> str:
    """The name of a new pool with one copy. kind: what it is pinned to."""
    name = f"radoscope-one-{kind}-{session.id}"
    session.say(f"creating the pool {name}, one copy on {victim.words(kind)}")
    rule = pinned.make_rule(cluster, session.journal, session.id, kind, victim)
    make_pool(session, cluster, name, groups=victim.groups(kind), replicas=1, rule=rule)
    settle(session)
    if kind == "osd":
        pinned.pin_to_osd(cluster, name, victim.osd)
        until(partial(pinned.is_pinned, cluster, name, victim.osd), session, f"{name} was not on one OSD only")
        settle(session)
    return name


def placement_groups(cluster: Cluster, replicas: int | None) -> int:
    """A power of two of at most 100 copies an OSD, Ceph's own target; at most 1024 for a pool of minutes."""
    osds = int(cluster.ceph("osd", "stat")["num_in_osds"])
    wanted = 100 * osds / (replicas or 3)
    power = 16
    while power * 2 <= wanted and power < 1024:
        power *= 2
    return max(32, power) if osds >= 3 else power


# Starting fio costs more than writing a small image; more writers than this would only queue in the OSDs.
_FILLED_AT_ONCE = 4


def make_images(session: Session, prepared: Prepared, cells: Sequence[Cell]) -> Prepared:
    names = tuple(f"{session.name}-{number}" for number in range(image_count(cells)))
    there, size = prepared.at(session.place.client), session.plan.image_size
    own = ("rbd", "-c", str(there.client_conf), "-n", prepared.user)
    for first in range(0, len(names), _FILLED_AT_ONCE):
        group = names[first : first + _FILLED_AT_ONCE]
        some = f"image {first + 1}" if len(group) == 1 else f"images {first + 1} to {first + len(group)}"
        session.say(f"writing {some} of {len(names)}, {format_bytes(size)} each")
        for image in group:
            _note_in_foreign_pool(session, prepared.pool, "image", image)
            # layering only: with exclusive-lock, several writers of one image would hand the lock to and fro.
            create = (*own, "create", f"{prepared.pool}/{image}", "--size", f"{size}B")
            # A data pool that the cluster's configuration names for all images is no place for one's own.
            data = ("--data-pool", prepared.data_pool) if prepared.data_pool else ("--rbd-default-data-pool=",)
            finish(session, "create-image", (*create, *data, "--image-feature", "layering"))
        finish(session, "fill-image", *(_fill(cells, there, image, size) for image in group))
    return replace(prepared, images=names)


def _fill(cells: Sequence[Cell], there: Prepared, image: str, size: int) -> tuple[str, ...]:
    """By fio where a cell needs it anyway: a host or image without it measures with rbd bench alone."""
    if any(cell.conditions.tool == "fio" and cell.conditions.layer.on_image for cell in cells):
        return fio.fill_image(there, image)
    return rbd_bench.fill_image(there, image, size)


def write_read_sets(session: Session, prepared: Prepared, cells: Sequence[Cell]) -> Prepared:
    if any(cell.conditions.layer is Layer.RADOS for cell in cells):
        _note_in_foreign_pool(session, prepared.data_pool or prepared.pool, "objects", prepared.namespace)
    sets, there = {}, prepared.at(session.place.client)
    for block, readers in object_sets(cells).items():
        count = objects_in_set(session.plan, block)
        each = f", for each of {readers} readers," if readers > 1 else ""
        session.say(f"writing {count} objects of {format_block(block)}{each} for reads")
        sets[block] = tuple(f"read-set-{block}-{number}" for number in range(readers))
        for name in sets[block]:
            finish(session, "read-set", rados_bench.write_read_set(there, block, count, name))
    return replace(prepared, read_sets=sets)


def lay_out_file(session: Session, prepared: Prepared) -> Prepared:
    device, size = session.request.target.device, session.plan.file_size
    if device is not None:
        session.say(f"writing the first {format_bytes(size)} of {device}")
        check_device(device)
        finish(session, "fill-device", fio.fill_file(device, size))
        return replace(prepared, file=device, file_bytes=size)
    path = session.place.disk_folder / f"{session.name}.dat"
    session.say(f"writing the test file {path}, {format_bytes(size)} in full")
    site = {"site": to_json(session.place.client)} if session.place.is_elsewhere else {}
    session.journal.will_create(Entry("file", str(path), site))
    try:
        finish(session, "fill-file", fio.fill_file(path, size))
    except ToolFailed as error:
        if "Invalid argument" in error.message:
            raise SiteError(
                f"the file system of {path.parent} does not support O_DIRECT",
                "Choose a folder on a disk with --disk-folder; tmpfs measures memory.",
            ) from None
        raise
    return replace(prepared, file=path, file_bytes=size)


def _note_in_foreign_pool(session: Session, pool: str, kind: str, name: str) -> None:
    """In a pool of the run's own nothing else needs to be noted: it goes with the pool."""
    target = session.request.target
    if session.cluster is not None and pool in (target.pool, target.data_pool):
        session.journal.will_create(Entry(kind, name, {"cluster": session.cluster.to_json(), "pool": pool}))


def prepare(session: Session) -> Prepared:
    """Everything that the cells need. Raises RadoscopeError; what was made by then is in the journal."""
    session.journal.will_create(Entry("folder", str(session.work)))
    session.work.mkdir(mode=0o700, parents=True, exist_ok=True)
    session.journal.will_create(Entry("processes", session.id))
    place, cells = session.place, session.bundle.manifest.cells
    prepared = Prepared(peer_address=place.peer_address, osd_hosts=place.pinged)
    if session.cluster is not None and any(cell.conditions.layer.on_pool for cell in cells):
        prepared = _in_cluster(session, prepared, session.cluster)
        settle(session)
    prepared = start_guests(session, prepared, (*cells, *session.request.also))
    if needs_file(cells):
        prepared = lay_out_file(session, prepared)
    if (peer := place.peer) is not None and any(cell.conditions.tool == "iperf3" for cell in cells):
        prepared = start_iperf3(session, prepared, peer)
    return prepared


def _in_cluster(session: Session, prepared: Prepared, cluster: Cluster) -> Prepared:
    """Pools, the folder of a file system and a bucket, as far as they are needed, with their contents."""
    cells, layers = session.bundle.manifest.cells, {cell.conditions.layer for cell in session.bundle.manifest.cells}
    below, rights = dict[str, str](), dict[str, str]()
    if session.request.needs_pool:
        prepared, below = _with_pools(session, prepared, cluster)
    if Layer.CEPHFS in layers:
        prepared, rights = make_folder(session, cluster, prepared)
    prepared = open_pools(session, cluster, prepared, tuple(below.values()), rights)
    prepared = make_files(session, prepared, cells)
    if sets := bucket_sets(session.plan, cells):
        make_bucket(session, cluster, prepared, sets)
    filled = _filled(session, prepared, [cell for cell in cells if not cell.conditions.pinned])
    theirs = {kind: [cell for cell in cells if cell.conditions.pinned == kind] for kind in below}
    return replace(
        filled,
        pinned={
            kind: _filled(session, replace(filled, pool=below[kind], data_pool=""), theirs[kind]) for kind in below
        },
    )


def _with_pools(session: Session, prepared: Prepared, cluster: Cluster) -> tuple[Prepared, dict[str, str]]:
    """The pool, and those below it by what they are pinned to."""
    cells, below, target = session.bundle.manifest.cells, dict[str, str](), session.request.target
    if kinds := pinned.kinds_of(cells):
        session.victim = victim = pinned.choose(cluster)
        below = {kind: make_pool_below(session, cluster, kind, victim) for kind in kinds}
        session.note(*(f"pool {below[kind]}: one copy on {victim.words(kind)}" for kind in kinds))
    if target.pool is None:
        session.say(f"creating the pool {session.name}")
        groups = placement_groups(cluster, target.replicas)
        make_pool(session, cluster, session.name, groups=groups, replicas=target.replicas, rule=target.crush_rule)
        _refuse_too_few_places(cluster, session.name)
    return replace(prepared, pool=target.pool or session.name, data_pool=target.data_pool or ""), below


def _filled(session: Session, prepared: Prepared, cells: Sequence[Cell]) -> Prepared:
    """With images and objects in its pool."""
    return write_read_sets(session, make_images(session, prepared, cells), cells)
