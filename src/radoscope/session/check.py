"""May this run begin? Refuses with a reason, or makes the bundle; one that is resumed exists."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial

from radoscope import paths
from radoscope.archives.bundle import read_manifest
from radoscope.archives.environment import read_environment
from radoscope.ceph import Cluster
from radoscope.errors import PlanError, RadoscopeError, SiteError
from radoscope.records.conditions import Layer
from radoscope.run import client_hosts, preflight
from radoscope.run.bundle import Bundle, new_manifest
from radoscope.run.clock import now_s
from radoscope.run.device_check import check_device
from radoscope.run.pinned import kinds_of
from radoscope.session.bucket import endpoint
from radoscope.session.file_system import check_file_system
from radoscope.session.session import Session
from radoscope.session.there import check_file_space_there, ways_to_osds
from radoscope.session.waiting import outlive_old_news


def check(session: Session) -> Bundle:
    """Raises RadoscopeError."""
    request, place = session.request, session.place
    if place.disk is None:
        pass  # nothing is written
    elif place.is_elsewhere:
        check_file_space_there(place, request.cost)
    elif request.target.device is None:
        preflight.check_file_space(place.disk_folder, request.cost)
    else:
        check_device(request.target.device)
    fsid = None if place.cluster is None or not request.needs_cluster else _check_cluster(session, place.cluster)
    away = [cell for cell in place.measured(request.cells) if place.sites(cell.conditions.layer)[0].folder is not None]
    notes = client_hosts.check(away, place.away, with_this=not place.is_elsewhere)
    for words in notes:
        session.warn(words)
    return bundle_to_go_on(session, fsid) if request.resume else new_bundle(session, notes)


def new_bundle(session: Session, notes: tuple[str, ...] = ()) -> Bundle:
    request, place = session.request, session.place
    cells = place.measured(request.cells, request.target.device)
    missing = place.notes(request.cells)
    if request.cells and not cells:
        raise PlanError("no cell of this plan can be measured from this host", ". ".join(missing))
    for why in missing:
        session.warn(why)
    manifest = new_manifest(
        session.id,
        request.plan_values(),
        place.words,
        now_s(),
        cells,
        kind=request.kind,
        sandbox=place.sandbox,
        clients=request.target.clients,
        notes=(*notes, *missing),
        at=request.target.at or "",
    )
    return Bundle.create(manifest)


def _check_cluster(session: Session, cluster: Cluster) -> str:
    """The cluster's fsid."""
    request = session.request
    preflight.check_pool(cluster, request.target.pool)
    check = partial(
        preflight.check_cluster,
        cluster,
        request.cost,
        pool=request.target.data_pool or request.target.pool,
        replicas=request.target.replicas or 3,
        allow_unhealthy=request.permissions.allow_unhealthy,
        makes_pool=request.needs_pool and request.target.pool is None,
    )
    try:
        fsid, warnings = _checked(session, cluster, check)
    except preflight.Unwell as unwell:
        raise SiteError(unwell.message, " ".join((*_of_the_network(cluster), unwell.hint))) from None
    for words in warnings:
        session.warn(words)
    if kinds_of(request.cells):
        _check_pinned(session, cluster)
    layers = {cell.conditions.layer for cell in session.place.measured(request.cells)}
    if Layer.CEPHFS in layers:
        check_file_system(session, cluster)
    if Layer.S3 in layers:
        endpoint(session)
    return fsid


def _checked(
    session: Session, cluster: Cluster, check: Callable[[], tuple[str, tuple[str, ...]]]
) -> tuple[str, tuple[str, ...]]:
    """What a check says; of a cluster that is not well, what it says once old news may be over."""
    try:
        return check()
    except preflight.Unwell:
        outlive_old_news(session, cluster)
        return check()


def _of_the_network(cluster: Cluster) -> tuple[str, ...]:
    """What may be why daemons are down."""
    with suppress(RadoscopeError):
        if found := [words for way in ways_to_osds(cluster) if (words := way.amiss)]:
            return (f"{'; '.join(found)}.",)
    return ()


def _check_pinned(session: Session, cluster: Cluster) -> None:
    """Pools of one copy on a single OSD put all their load there: on a cluster of the user's, that must be said."""
    if session.place.shared and not session.request.permissions.pinned_layers:
        raise PlanError(
            "cells of this plan create single-copy pools on one OSD, one host, and all hosts, with own CRUSH rules",
            "If this cluster may have them, add --pinned-layers; pools and rules are removed at the end.",
        )
    preflight.check_single_copies(cluster)


def bundle_to_go_on(session: Session, fsid: str | None) -> Bundle:
    """The bundle of a study that is resumed. Raises PlanError when this is not the cluster that it measured.

    fsid: of the cluster that is there now, where the study needs one.
    A cluster that was started for the study went with it: the next one is another of the same shape, and that is said.
    """
    folder = paths.studies() / session.id
    bundle = Bundle(folder, read_manifest(folder))
    before = read_environment(folder, bundle.manifest).cluster
    if before is None or fsid is None or fsid == before.fsid:
        return bundle
    if not session.request.target.is_embedded:
        raise PlanError(
            f"study {session.id} measured another cluster: its fsid was {before.fsid}, and this one's is {fsid}",
            "One study cannot mix two clusters: start a new one, then `radoscope compare` them.",
        )
    words = "resumed on another cluster of the same shape: segments come from both"
    bundle.change(notes=tuple(dict.fromkeys((*bundle.manifest.notes, words))))
    return bundle
