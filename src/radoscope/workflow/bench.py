"""A prepared cluster with a bundle to write to: what every kind of run needs, from refusal to clean-up."""

from __future__ import annotations

import errno
import shutil
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from radoscope import paths
from radoscope.archives.bundle import read_manifest
from radoscope.archives.environment import read_environment
from radoscope.ceph import Cluster
from radoscope.errors import PlanError, RadoscopeError, SiteError, StoreError
from radoscope.records.conditions import Layer
from radoscope.records.study import Cell
from radoscope.run import client_hosts, preflight, probes
from radoscope.run.bundle import Bundle, cannot_write, new_manifest
from radoscope.run.cleaning import clean, clean_dead
from radoscope.run.clock import now_s
from radoscope.run.device_check import check_device
from radoscope.run.events import Listener, Step, Warning_
from radoscope.run.governor import Governor
from radoscope.run.journal import Journal
from radoscope.run.pinned import check_single_copies, is_pinned, kinds_of
from radoscope.run.prepare import Ground, Interrupted_, prepare, settle
from radoscope.run.processes import LABEL
from radoscope.run.setting import Setting
from radoscope.run.telemetry import Sources
from radoscope.run.trial_runner import Beside
from radoscope.sandbox.achieved import load_shapes
from radoscope.workflow.library import check_not_running
from radoscope.workflow.place import Place, opened
from radoscope.workflow.removers import REMOVERS
from radoscope.workflow.request import StudyRequest
from radoscope.workflow.watch import watched

_DISK_TROUBLE = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """Everything is made, the cluster is settled and watched: measure."""

    request: StudyRequest
    place: Place
    bundle: Bundle
    ground: Ground
    setting: Setting
    beside: Beside
    governor: Governor | None
    on_event: Listener
    stop: threading.Event

    @property
    def gently(self) -> bool:
        return self.place.embedded is None and not self.request.as_hard_as_it_goes

    def well(self, cell: Cell) -> None:
        """Asked after a segment has failed: a client host, or the cluster? Raises SiteError, which ends the run."""
        if on := [site for site in self.place.sites(cell.conditions.layer) if site.folder is not None]:
            client_hosts.check_answer(on)
        cluster = self.place.cluster
        on_cluster = cell.conditions.layer in (Layer.RADOS, Layer.RBD)
        if cluster is None or not on_cluster or self.request.allow_unhealthy:
            return
        try:
            preflight.check_health(cluster)
        except SiteError as error:
            raise SiteError(f"the load was stopped: {error.message}", error.hint) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyDone:
    """folder: the bundle. problem: what ended the study early, if anything did. left: what could not be removed."""

    folder: Path
    complete: bool
    interrupted: bool = False
    problem: RadoscopeError | None = None
    left: tuple[str, ...] = ()


def run_on_bench(
    request: StudyRequest, on_event: Listener, stop: threading.Event, measure: Callable[[Bench], None]
) -> StudyDone:
    """Refuse or prepare, measure, clean. What was measured is kept and what was made is removed, however this ends.

    Raises RadoscopeError when it could not even begin: then there is no bundle.
    """
    begun = time.monotonic()
    preflight.check_tools(request.cells, with_cluster=request.needs_cluster)
    if request.resume:
        _clear_for(request, on_event)
    journal = Journal.begin(request.study_id)
    left: tuple[str, ...] = ()
    bundle: Bundle | None = None
    problem: RadoscopeError | None = None
    try:
        with opened(request, journal, on_event) as place:
            try:
                bundle = _begin(request, place, on_event)
                _prepare_and_measure(request, place, bundle, journal, on_event, stop, measure)
            except RadoscopeError as error:
                problem = error
            except OSError as error:
                problem = _of_the_disk(error)
            finally:
                on_event(Step("removing everything that the study created"))
                left = clean(journal, lambda words: None, REMOVERS, keep="sandbox")
    finally:
        if not journal.standing():
            journal.end()
    if bundle is None or (problem is not None and not bundle.manifest.segments):
        _forget(bundle)
        raise _with_left(problem or StoreError("the study did not start"), left)
    try:
        bundle.change(seconds=bundle.manifest.seconds + time.monotonic() - begun)
    except StoreError as error:
        problem = problem or error
    return StudyDone(
        folder=bundle.folder,
        complete=bundle.manifest.complete,
        interrupted=stop.is_set(),
        problem=None if isinstance(problem, Interrupted_) else problem,
        left=left,
    )


def _clear_for(request: StudyRequest, on_event: Listener) -> None:
    """Remove what a dead run of the study left, for the next one makes things of the same names.

    Raises StoreError while a run of it lives, SiteError when something cannot be removed.
    """
    former = Journal.of(request.study_id)
    check_not_running([request.study_id])
    if former.standing():
        on_event(Step("removing what the interrupted run left"))
        if left := clean_dead(former, lambda words: None, REMOVERS):
            raise SiteError(f"not removed: {'; '.join(left)}", "See `radoscope clean`; then resume.")


def _begin(request: StudyRequest, place: Place, on_event: Listener) -> Bundle:
    """Refuse, or make the bundle; one that is resumed exists."""
    if request.target.device is None:
        preflight.check_file_space(place.disk_folder, request.cost)
    else:
        check_device(request.target.device)
    fsid = None
    if place.cluster is not None and request.needs_cluster:
        view = preflight.check_cluster(
            place.cluster,
            request.cost,
            pool=request.target.pool,
            replicas=request.target.replicas or 3,
            allow_unhealthy=request.allow_unhealthy,
        )
        fsid = view.fsid
        for words in view.warnings:
            on_event(Warning_(words))
        if kinds_of(request.cells):
            _check_pinned(request, place.cluster, place.embedded is not None)
    notes = client_hosts.check(request.cells, place.away)
    for words in notes:
        on_event(Warning_(words))
    if request.resume:
        return _bundle_to_go_on(request, fsid)
    cells = request.with_places(place.texts(request.target.device)).cells
    manifest = new_manifest(request.study_id, request.plan.model_dump(mode="json"), place.words, now_s(), cells)
    return Bundle.create(replace(manifest, sandbox=place.sandbox, clients=request.target.clients, notes=notes))


def _bundle_to_go_on(request: StudyRequest, fsid: str | None) -> Bundle:
    """The bundle of a study that is resumed. Raises PlanError when this is not the cluster that it measured.

    fsid: of the cluster that is there now, where the study needs one.
    A cluster that was started for the study went with it: the next one is another of the same shape, and that is said.
    """
    folder = paths.studies() / request.study_id
    bundle = Bundle(folder, read_manifest(folder))
    before = read_environment(folder, bundle.manifest).cluster
    if before is None or fsid is None or fsid == before.fsid:
        return bundle
    if not request.target.is_embedded:
        raise PlanError(
            f"study {request.study_id} measured another cluster: its fsid was {before.fsid}, and this one's is {fsid}",
            "One study cannot mix two clusters: start a new one, then `radoscope compare` them.",
        )
    words = "interrupted and resumed on another cluster of the same shape: segments come from both"
    bundle.change(notes=tuple(dict.fromkeys((*bundle.manifest.notes, words))))
    return bundle


def _check_pinned(request: StudyRequest, cluster: Cluster, embedded: bool) -> None:
    """Pools of one copy on a single OSD put all their load there: on a cluster of the user's, that must be said."""
    if not (embedded or request.pinned_layers):
        raise PlanError(
            "cells of this plan create single-copy pools on one OSD, one host and all hosts, with their own CRUSH "
            "rules",
            "If this cluster may have them, add --pinned-layers; pools and rules are removed at the end.",
        )
    check_single_copies(cluster)


def _prepare_and_measure(
    request: StudyRequest,
    place: Place,
    bundle: Bundle,
    journal: Journal,
    on_event: Listener,
    stop: threading.Event,
    measure: Callable[[Bench], None],
) -> None:
    with watched(request, place, stop, on_event) as (governor, beside):
        ground = replace(_ground(request, place, journal, on_event, stop), others=beside.others)
        setting = prepare(request.plan, request.cells, ground)
        bundle.change(notes=tuple(dict.fromkeys((*bundle.manifest.notes, *setting.notes))))
        on_event(Step("recording versions, devices and configuration"))
        capture(bundle, place, setting.pool, request.target.device)
        _ask_osds(bundle, beside.sources, probes.osds.options)
        settle(ground)
        try:
            measure(
                Bench(
                    request=request,
                    place=place,
                    bundle=bundle,
                    ground=ground,
                    setting=setting,
                    beside=beside,
                    governor=governor,
                    on_event=on_event,
                    stop=stop,
                )
            )
        finally:
            if place.cluster is not None and request.needs_cluster:
                _check_still_pinned(setting, place.cluster, bundle, on_event)
                bundle.add_capture("ceph-status-after.json", probes.cluster.status(place.cluster))
                _ask_osds(bundle, beside.sources, probes.osds.answer_times)
            bundle.save()


def _ask_osds(bundle: Bundle, sources: Sources, ask: Callable[..., dict[str, str]]) -> None:
    """Keep what the OSDs say of themselves, where they can be asked."""
    if sources.ask_osd is not None:
        for name, text in ask(sources.ask_osd, sources.osds).items():
            bundle.add_capture(name, text)


def _check_still_pinned(setting: Setting, cluster: Cluster, bundle: Bundle, on_event: Listener) -> None:
    """Say so when Ceph has moved groups away from the one OSD that was to be measured."""
    if setting.pinned_osd is None or "osd" not in setting.pinned:
        return
    pool = setting.pinned["osd"].pool
    try:
        stayed = is_pinned(cluster, pool, setting.pinned_osd)
    except RadoscopeError:
        return  # a cluster that answers no more has its own, louder problem
    if not stayed:
        words = f"pool {pool} moved during the measurement: its cells cover more OSDs than osd.{setting.pinned_osd}"
        on_event(Warning_(words))
        bundle.change(notes=(*bundle.manifest.notes, words))


def _ground(request: StudyRequest, place: Place, journal: Journal, on_event: Listener, stop: threading.Event) -> Ground:
    return Ground(
        run_id=request.study_id,
        journal=journal,
        work=paths.journal() / f"{request.study_id}.work",
        on_event=on_event,
        stop=stop,
        site=place.client,
        away=place.away,
        peer=place.peer,
        peer_address=place.peer_address,
        disk_folder=place.disk_folder,
        device=request.target.device,
        cluster=_labelled(place.cluster, request.study_id) if request.needs_cluster else None,
        pool=request.target.pool,
        replicas=request.target.replicas,
        crush_rule=request.target.crush_rule,
    )


def _labelled(cluster: Cluster | None, run_id: str) -> Cluster | None:
    """A `ceph` command that is under way when radoscope dies is found, before it makes what nobody would remove."""
    return None if cluster is None else replace(cluster, environment={**cluster.environment, LABEL: run_id})


def capture(bundle: Bundle, place: Place, pool: str, disk: Path | None = None) -> None:
    """Note versions, devices and configuration as they are now. disk: the device given for the disk cells."""
    texts = probes.host.capture()
    if any(cell.conditions.layer is Layer.DISK for cell in bundle.manifest.cells):
        texts |= probes.device.capture(disk or place.disk_folder, "disk cells")
    if place.embedded is not None:
        texts |= probes.device.capture(place.embedded.directory, "OSD files of the sandbox")
    if place.cluster is not None and pool:
        texts |= probes.cluster.capture(place.cluster)
    for site in place.away:
        texts |= probes.host.capture_at(site)
    texts |= probes.links.capture(_wraps(place))
    for name, text in texts.items():
        bundle.add_capture(name.replace(" ", "-"), text)
    bundle.change(plan={**bundle.manifest.plan, "pool": pool}, notes=(*bundle.manifest.notes, *_shapes(place)))


def _wraps(place: Place) -> dict[str, Callable[[tuple[str, ...]], tuple[str, ...]]]:
    """The hosts whose interfaces can be looked at, and what carries a command to each."""
    inside = place.embedded.hosts if place.embedded is not None else ()
    found: dict[str, Callable[[tuple[str, ...]], tuple[str, ...]]] = {}
    found |= {site.name: site.wrap for site in (place.client, *place.clients)}
    return found | {host.name: host.wrap for host in inside}


def _shapes(place: Place) -> tuple[str, ...]:
    """What a sandbox was asked to be like, and what it came to."""
    shapes = load_shapes(place.embedded) if place.embedded is not None else ()
    return tuple(shape.words for shape in shapes)


def _of_the_disk(error: OSError) -> StoreError:
    """A file of the study that cannot be written. Any other OSError is a fault of the program, and raised again."""
    if error.errno not in _DISK_TROUBLE:
        raise error
    return cannot_write(error.filename or "the raw files of the study", error)


def _with_left(problem: RadoscopeError, left: tuple[str, ...]) -> RadoscopeError:
    """The same problem, which also says what could not be removed."""
    if left:
        problem.hint = f"{problem.hint} Not removed: {'; '.join(left)}. radoscope clean tries again.".strip()
    return problem


def _forget(bundle: Bundle | None) -> None:
    """A bundle without a single segment says nothing."""
    if bundle is not None and not bundle.manifest.segments:
        with suppress(OSError):
            shutil.rmtree(bundle.folder)
