"""Adding and removing OSDs and hosts while the cluster runs.

What ended early is taken back, or made whole: an OSD that has been up holds copies of data, perhaps the only ones; it
stays, and is started. One that was not goes.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

from radoscope.ceph import Connection
from radoscope.errors import PlanError, RadoscopeError, SiteError
from radoscope.sandbox import daemons, keys, network, registry
from radoscope.sandbox.cluster import Sandbox
from radoscope.sandbox.daemons import make_osd_stores
from radoscope.sandbox.layout import Layout, Osd, storage_host
from radoscope.sandbox.preflight import check_room_for
from radoscope.sandbox.processes import end_labelled
from radoscope.sandbox.registry import remove_folder
from radoscope.sandbox.spec import MOST_OSDS
from radoscope.sandbox.start import admit, write_osd_store
from radoscope.sandbox.waiting import Deadline, NowAndThen, OnStep, wait_while

_START_S, _DRAIN_S = 90.0, 600.0


def add_osd(sandbox: Sandbox, host_name: str | None = None, on_step: OnStep = lambda _: None) -> Sandbox:
    """One more OSD on a host, by default the one with the fewest. Raises PlanError, ToolFailed, SiteError."""
    places = [host.name for host in sandbox.hosts if "osd" in host.role]
    place = host_name or min(places, key=lambda name: sum(osd.host == name for osd in sandbox.osds))
    if place not in places:
        raise PlanError(f"there is no host {place!r} for OSDs", f"Known: {', '.join(places)}.")
    _check_can_grow(sandbox, 1)
    with taken_back_on_failure(sandbox):
        return _add(sandbox, (_next_osd(sandbox, place, 0),), sandbox.layout, on_step)


def add_host(sandbox: Sandbox, osds: int | None = None, on_step: OnStep = lambda _: None) -> Sandbox:
    """One more host with its OSDs, by default as many as the others were given."""
    if sandbox.spec.hosts is None:
        raise PlanError("a sandbox on one host cannot get another", "Start one with --hosts 3.")
    count = sandbox.spec.osds if osds is None else osds
    _check_can_grow(sandbox, count)
    numbers = (int(host.name.removeprefix("h")) for host in sandbox.hosts if "osd" in host.role)
    host = storage_host(max(numbers) + 1, sandbox.identity)
    with taken_back_on_failure(sandbox):
        # Registered before it is made: whatever happens then, it can be found.
        grown = registry.relabel(sandbox, replace(sandbox.layout, hosts=(*sandbox.hosts, host)), sandbox.layout)
        network.plug_in(grown, (host,))
        on_step(f"{host.name} is connected")
        new = tuple(_next_osd(grown, host.name, k) for k in range(count))
        return _add(grown, new, sandbox.layout, on_step)


def remove_osd(sandbox: Sandbox, number: int, on_step: OnStep = lambda _: None) -> Sandbox:
    """Drain an OSD, then remove it; no data is lost, clients continue. Raises SiteError if draining takes too long."""
    leaving = tuple(osd for osd in sandbox.osds if osd.id == number)
    if not leaving:
        raise PlanError(f"there is no osd.{number}", f"Known: {', '.join(osd.daemon for osd in sandbox.osds)}.")
    return _remove(sandbox, leaving, on_step)


def remove_host(sandbox: Sandbox, name: str, on_step: OnStep = lambda _: None) -> Sandbox:
    """Drain all OSDs of a host, then remove it. A host with a monitor or a manager stays. Raises PlanError."""
    host = next((host for host in sandbox.hosts if host.name == name and host.role == "osd"), None)
    if host is None:
        known = ", ".join(host.name for host in sandbox.hosts if host.role == "osd")
        raise PlanError(f"there is no host {name!r} with OSDs", f"Known: {known}.")
    if name in {mon.host for mon in sandbox.mons} | {mgr.host for mgr in sandbox.mgrs}:
        raise PlanError(f"{name} has a monitor or a manager and cannot be removed", "Remove one that has only OSDs.")
    shrunk = _remove(sandbox, tuple(osd for osd in sandbox.osds if osd.host == name), on_step)
    with shrunk.connected() as cluster:
        cluster.tell("osd crush rm", name=name)
    network.unplug(shrunk, host)
    on_step(f"{name} is gone")
    hosts = tuple(other for other in shrunk.hosts if other.name != name)
    return registry.relabel(shrunk, replace(shrunk.layout, hosts=hosts))


def _next_osd(sandbox: Sandbox, host: str, offset: int) -> Osd:
    return Osd(id=max(osd.id for osd in sandbox.osds) + 1 + offset, host=host, uuid=str(uuid.uuid4()))


def _add(sandbox: Sandbox, osds: tuple[Osd, ...], before: Layout, on_step: OnStep) -> Sandbox:
    grown = registry.relabel(sandbox, replace(sandbox.layout, osds=(*sandbox.osds, *osds)), before)
    entities = {osd: keys.osd(osd.id) for osd in osds}
    for osd, entity in entities.items():
        write_osd_store(grown, osd, entity)
    make_osd_stores(grown, osds, Deadline(_START_S))
    on_step("stores made")
    with grown.connected() as cluster:
        for entity in entities.values():
            cluster.tell("auth import", stdin=keys.render_keyring((entity,)).encode())
        admit(cluster, osds)
        # The monitors count an OSD as in from then on, and a study that runs would take it for one that was lost. A new
        # one is marked in when it comes up.
        cluster.tell("osd out", ids=[str(osd.id) for osd in osds])
        for osd in osds:
            daemons.begin_osd(grown, osd)
        _wait_up(cluster, osds)
    on_step(f"{', '.join(osd.daemon for osd in osds)} up")
    return registry.relabel(grown, grown.layout)


def _wait_up(cluster: Connection, osds: tuple[Osd, ...]) -> None:
    def missing() -> str:
        up = {osd["osd"] for osd in cluster.ask("osd dump")["osds"] if osd["up"]}
        return ", ".join(f"{osd.daemon} is not up" for osd in osds if osd.id not in up)

    wait_while(missing, "the new OSDs up", Deadline(_START_S), every_s=0.1)


def _remove(sandbox: Sandbox, leaving: tuple[Osd, ...], on_step: OnStep) -> Sandbox:
    staying = tuple(osd for osd in sandbox.osds if osd not in leaving)
    _check_enough_stay(sandbox, staying)
    ids = [str(osd.id) for osd in leaving]
    with sandbox.connected() as cluster:
        cluster.tell("osd out", ids=ids)
        on_step(f"draining {', '.join(osd.daemon for osd in leaving)}")
        _wait_drained(cluster, ids, on_step)
        for osd in leaving:
            end_labelled(sandbox.label, osd.daemon)
            cluster.tell("osd down", ids=[str(osd.id)])
            cluster.tell("osd purge-actual", id=osd.id, yes_i_really_mean_it=True)
    shrunk = registry.relabel(sandbox, replace(sandbox.layout, osds=staying))
    for osd in leaving:
        remove_folder(sandbox.osd_directory(osd))
        remove_folder(sandbox.directory / f"ceph.{osd.daemon}.keyring")
    on_step(f"{', '.join(osd.daemon for osd in leaving)} gone")
    return shrunk


def _wait_drained(cluster: Connection, ids: list[str], on_step: OnStep) -> None:
    """Until the manager says that no data depends on these OSDs."""
    progress = NowAndThen(on_step)

    def missing() -> str:
        try:
            answer = json.loads(cluster.tell("osd safe-to-destroy", ids=ids) or b"{}")
        except (SiteError, ValueError):
            return "the manager cannot tell yet what is safe to remove"
        if len(answer.get("safe_to_destroy", ())) == len(ids):
            return ""
        copies = sum(int(osd["pgs"]) for osd in cluster.ask("osd df")["nodes"] if str(osd["id"]) in ids)
        words = f"{copies} copies of placement groups are still there"
        progress.tell(f"not yet: {words}")
        return words

    wait_while(missing, "the draining", Deadline(_DRAIN_S), every_s=0.3)


def _check_can_grow(sandbox: Sandbox, osds: int) -> None:
    most = MOST_OSDS - len(sandbox.osds)
    if not 1 <= osds <= most:
        raise PlanError(
            f"{osds} OSDs cannot be added",
            f"A sandbox has up to {MOST_OSDS} OSDs, {sandbox.name} has {len(sandbox.osds)}."
            + (f" 1 to {most} can be added." if most else ""),
        )
    check_room_for(osds)


def _check_enough_stay(sandbox: Sandbox, staying: tuple[Osd, ...]) -> None:
    places, kind = (
        (len(staying), "OSDs") if sandbox.spec.hosts is None else (len({osd.host for osd in staying}), "hosts")
    )
    if places < sandbox.spec.size:
        raise PlanError(
            f"{sandbox.spec.size} replicas would not fit any more on {places} {kind}",
            f"Add another first: radoscope sandbox add {sandbox.name} ...",
        )


def straighten(sandbox: Sandbox, before: Layout) -> Sandbox:
    """Take back what was half added, keep what holds data. Raises SiteError when the monitors do not answer.

    sandbox: with all that was to be. before: its layout before that. Can be done again when it was cut short itself.
    """
    new = [osd for osd in sandbox.osds if osd not in before.osds]
    for osd in new:  # before the monitors are asked, so that none comes up after that
        for daemon in (f"mkfs.{osd.daemon}", osd.daemon):
            end_labelled(sandbox.label, daemon)
    with sandbox.connected() as cluster:
        used = {osd["osd"] for osd in cluster.ask("osd dump")["osds"] if osd["up_from"] > 0}  # these have been up
        for osd in new:
            if osd.id not in used:
                _take_back(sandbox, osd, cluster)
        kept = tuple(osd for osd in sandbox.osds if osd in before.osds or osd.id in used)
        hosts = {host.name for host in before.hosts} | {osd.host for osd in kept}
        for host in sandbox.hosts:
            if host.name not in hosts:
                cluster.tell("osd crush rm", name=host.name)
                network.unplug(sandbox, host)
    for osd in kept:
        if osd in new:
            daemons.begin_osd(sandbox, osd)
    stay = tuple(host for host in sandbox.hosts if host.name in hosts)
    return registry.relabel(sandbox, replace(sandbox.layout, hosts=stay, osds=kept))


@contextmanager
def taken_back_on_failure(sandbox: Sandbox) -> Iterator[None]:
    """Within, something is added. Where even taking it back fails, `radoscope clean` tries again."""
    try:
        yield
    except BaseException:
        entry = registry.entry(sandbox.name)
        if entry.before is not None:
            with suppress(RadoscopeError):
                straighten(entry.sandbox, entry.before)
        raise


def _take_back(sandbox: Sandbox, osd: Osd, cluster: Connection) -> None:
    """An OSD that may have a folder, a key, a number in the map, or none of them yet."""
    cluster.tell("osd purge-actual", id=osd.id, yes_i_really_mean_it=True)
    cluster.tell("auth rm", entity=osd.daemon)
    remove_folder(sandbox.osd_directory(osd))
    remove_folder(sandbox.directory / f"ceph.{osd.daemon}.keyring")
