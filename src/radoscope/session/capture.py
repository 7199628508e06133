"""What is noted around the measuring: versions, devices, configuration, and the state at the end."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial

from radoscope.ceph import Cluster
from radoscope.errors import RadoscopeError
from radoscope.plan.estimate import needs_file
from radoscope.run import probes
from radoscope.run.bundle import Bundle
from radoscope.run.pinned import is_pinned
from radoscope.sandbox.achieved import load_shapes
from radoscope.session.place import Place
from radoscope.session.session import Session
from radoscope.session.there import ways_to_osds
from radoscope.sites import Local


def capture(session: Session, bundle: Bundle) -> None:
    """Note versions, devices and configuration as they are now."""
    place, pool = session.place, session.prepared.data_pool or session.prepared.pool
    with ThreadPoolExecutor() as asking:  # each takes another host, or the cluster, a while
        for texts in asking.map(lambda ask: ask(), _asks(session, bundle)):
            for name, text in texts.items():
                bundle.add_capture(name.replace(" ", "-"), text)
    if place.proxmox is not None:
        bundle.add_capture("proxmox.json", json.dumps({"pveversion": place.proxmox.versions}))
    shapes = load_shapes(place.embedded) if place.embedded is not None else ()  # what a sandbox was asked to be like
    notes = dict.fromkeys((*bundle.manifest.notes, *(shape.words for shape in shapes)))
    bundle.change(plan={**bundle.manifest.plan, "pool": pool}, notes=tuple(notes))


def _asks(session: Session, bundle: Bundle) -> Iterator[Callable[[], dict[str, str]]]:
    """What tells of it: each gives texts by the name of their file."""
    place, device = session.place, probes.device.capture
    yield partial(probes.host.capture, place.client if place.is_elsewhere else Local())
    if not place.is_elsewhere and needs_file(bundle.manifest.cells):
        yield partial(device, session.request.target.device or place.disk_folder, "disk cells")
    if place.embedded is not None:
        yield partial(device, place.embedded.directory, "OSD files of the sandbox")
    if (cluster := session.cluster) is not None:
        yield partial(probes.cluster.capture, cluster)
        if session.request.target.pool is not None:
            yield partial(probes.cluster.pool_options, cluster, session.prepared.pool)
        if session.prepared.images:
            yield partial(probes.cluster.image, cluster, session.prepared.pool, session.prepared.images[0])
    for site in place.watched:
        yield partial(probes.host.capture_at, site, "client" if site in place.away else "osd")
    yield partial(probes.links.capture, _wraps(place))
    yield partial(_ways, session)
    yield partial(_of_osds, session, probes.osds.options)


def _ways(session: Session) -> dict[str, str]:
    """Those that are pinged anyway, or else to all hosts of OSDs that are not this one."""
    found = session.place.ways
    with suppress(RadoscopeError):
        found = found or (ways_to_osds(session.cluster) if session.cluster is not None else ())
    return probes.links.capture_ways(found)


def look_back(session: Session) -> None:
    """The links' and the cluster's state at the end, and whether it was left as it was prepared.

    A cluster that has just ended the load by its silence is not asked again: it would be half a minute's wait.
    """
    for name, text in probes.links.capture(_wraps(session.place), "links-after.json").items():
        session.bundle.add_capture(name, text)
    silent = session.governor is not None and session.governor.silent
    if session.cluster is not None and not silent:
        _check_still_pinned(session, session.cluster)
        session.bundle.add_capture("ceph-status-after.json", probes.cluster.status(session.cluster))
        for name, text in _of_osds(session, probes.osds.answer_times).items():
            session.bundle.add_capture(name, text)


def _of_osds(session: Session, ask: Callable[..., dict[str, str]]) -> dict[str, str]:
    """What the OSDs say of themselves, where they can be asked."""
    sources = session.sources
    return ask(sources.ask_osd, sources.osds) if sources.ask_osd is not None else {}


def _wraps(place: Place) -> dict[str, Callable[[tuple[str, ...]], tuple[str, ...]]]:
    """The hosts whose interfaces can be looked at, and what carries a command to each."""
    inside = place.embedded.hosts if place.embedded is not None else ()
    found: dict[str, Callable[[tuple[str, ...]], tuple[str, ...]]] = {}
    found |= {site.name: site.wrap for site in (place.client, *place.clients, *place.osd_sites)}
    return found | {host.name: host.wrap for host in inside}


def _check_still_pinned(session: Session, cluster: Cluster) -> None:
    """Say so when Ceph has moved groups away from the one OSD that was to be measured."""
    if session.victim is None or "osd" not in session.prepared.pinned:
        return
    pool, osd = session.prepared.pinned["osd"].pool, session.victim.osd
    try:
        stayed = is_pinned(cluster, pool, osd)
    except RadoscopeError:
        return  # a cluster that answers no more has its own, louder problem
    if not stayed:
        words = f"pool {pool} moved during the measurement: its cells cover more OSDs than osd.{osd}"
        session.warn(words)
        session.note(words)
