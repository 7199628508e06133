"""One study from request to bundle: look, prepare, measure in rounds until precise, take everything down."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from radoscope import paths
from radoscope.archives.bundle import read_manifest
from radoscope.errors import RadoscopeError, SiteError, StoreError
from radoscope.plan.expand import cells_of
from radoscope.plan.schema import check_plan
from radoscope.records.conditions import Layer
from radoscope.records.study import Cell
from radoscope.run import preflight, probes
from radoscope.run.bundle import Bundle, new_manifest
from radoscope.run.cleaning import clean
from radoscope.run.events import Listener, Step, Warning_
from radoscope.run.journal import Journal
from radoscope.run.prepare import Ground, Interrupted_, prepare, settle
from radoscope.workflow.place import Place, opened
from radoscope.workflow.request import StudyRequest, Target
from radoscope.workflow.rounds import Rounds
from radoscope.workflow.watch import watched


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyDone:
    """folder: the bundle. problem: what ended the study early, if anything did. left: what could not be removed."""

    folder: Path
    complete: bool
    interrupted: bool = False
    problem: RadoscopeError | None = None
    left: tuple[str, ...] = ()


def run_study(request: StudyRequest, on_event: Listener, stop: threading.Event) -> StudyDone:
    """Measure. What was measured is kept, and what was made is removed, however this ends.

    Raises RadoscopeError when it could not even begin: then there is no bundle.
    """
    begun = time.monotonic()
    preflight.check_tools(request.cells, with_cluster=request.needs_cluster)
    journal = Journal.begin(request.study_id)
    left: tuple[str, ...] = ()
    bundle: Bundle | None = None
    problem: RadoscopeError | None = None
    try:
        with opened(request, journal, on_event) as place:
            try:
                bundle = _begin(request, place, on_event)
                _measure(request, place, bundle, journal, on_event, stop)
            except RadoscopeError as error:
                problem = error
            finally:
                on_event(Step("removing everything that was made for the study"))
                left = clean(journal, _silently, keep="sandbox")
    finally:
        if not journal.standing():
            journal.end()
    if bundle is None or (problem is not None and not bundle.manifest.segments):
        _forget(bundle)
        raise problem or StoreError("the study did not begin")
    bundle.change(seconds=bundle.manifest.seconds + time.monotonic() - begun)
    return StudyDone(
        folder=bundle.folder,
        complete=bundle.manifest.complete,
        interrupted=stop.is_set(),
        problem=None if isinstance(problem, Interrupted_) else problem,
        left=left,
    )


def _silently(_words: str) -> None:
    """One line for the whole clean-up is enough after a study."""


def resumed(name: Path, target: Target) -> StudyRequest:
    """The request that goes on with an incomplete bundle. Raises StoreError when it is complete."""
    manifest = read_manifest(name)
    if manifest.complete:
        raise StoreError(f"study {manifest.id} is complete", f"radoscope show {manifest.id}")
    kept = {key: value for key, value in manifest.plan.items() if key != "pool"}
    plan = check_plan(kept, f"the plan of study {manifest.id}")
    wanted = {cell.name for cell in manifest.cells}
    cells = tuple(cell for cell in cells_of(plan) if cell.name in wanted)
    return StudyRequest(plan=plan, cells=cells, target=target, study_id=manifest.id, resume=True)


def _begin(request: StudyRequest, place: Place, on_event: Listener) -> Bundle:
    """Refuse or make the bundle, with the environment captured in it."""
    preflight.check_file_space(place.disk_folder, request.cost)
    if place.cluster is not None and request.needs_cluster:
        view = preflight.check_cluster(
            place.cluster,
            request.cost,
            pool=request.target.pool,
            replicas=request.target.replicas or 3,
            allow_unhealthy=request.allow_unhealthy,
        )
        for words in view.warnings:
            on_event(Warning_(words))
    if request.resume:
        folder = paths.studies() / request.study_id
        return Bundle(folder, read_manifest(folder))
    cells = request.with_places(place.texts()).cells
    manifest = new_manifest(request.study_id, request.plan.model_dump(mode="json"), place.words, time.time(), cells)
    return Bundle.create(replace(manifest, sandbox=place.sandbox))


def _measure(
    request: StudyRequest, place: Place, bundle: Bundle, journal: Journal, on_event: Listener, stop: threading.Event
) -> None:
    ground = _ground(request, place, journal, on_event, stop)
    setting = prepare(request.plan, request.cells, ground)
    on_event(Step("noting versions, devices and configuration"))
    _capture(bundle, place, setting.pool)
    settle(ground)
    with watched(request, place, stop) as (governor, beside):
        rounds = Rounds(
            plan=request.plan,
            cells=bundle.manifest.cells,
            bundle=bundle,
            setting=setting,
            site=place.client,
            on_event=on_event,
            stop=stop,
            well=_watch(place, request),
            beside=beside,
            gently=place.embedded is None and not request.as_hard_as_it_goes,
        )
        try:
            rounds.run()
        finally:
            if place.cluster is not None and request.needs_cluster:
                bundle.add_capture("ceph-status-after.json", probes.cluster.status(place.cluster))
            bundle.change(complete=rounds.complete)
    if governor is not None and governor.trouble is not None:
        raise governor.trouble


def _ground(request: StudyRequest, place: Place, journal: Journal, on_event: Listener, stop: threading.Event) -> Ground:
    return Ground(
        run_id=request.study_id,
        journal=journal,
        work=paths.journal() / f"{request.study_id}.work",
        on_event=on_event,
        stop=stop,
        site=place.client,
        peer=place.peer,
        peer_address=place.peer_address,
        disk_folder=place.disk_folder,
        cluster=place.cluster if request.needs_cluster else None,
        pool=request.target.pool,
        replicas=request.target.replicas,
        crush_rule=request.target.crush_rule,
    )


def _capture(bundle: Bundle, place: Place, pool: str) -> None:
    texts = probes.host.capture()
    if any(cell.conditions.layer is Layer.DISK for cell in bundle.manifest.cells):
        texts |= probes.device.capture(place.disk_folder, "disk cells")
    if place.embedded is not None:
        texts |= probes.device.capture(place.embedded.directory, "OSD files of the sandbox")
    if place.cluster is not None and pool:
        texts |= probes.cluster.capture(place.cluster)
    for name, text in texts.items():
        bundle.add_capture(name.replace(" ", "-"), text)
    bundle.change(plan={**bundle.manifest.plan, "pool": pool})


def _watch(place: Place, request: StudyRequest) -> Callable[[Cell], None]:
    """Asked after a segment has failed: is it the cluster? Raises SiteError, which ends the study."""

    def well(cell: Cell) -> None:
        if place.cluster is None or cell.conditions.layer not in (Layer.RADOS, Layer.RBD) or request.allow_unhealthy:
            return
        try:
            preflight.check_health(place.cluster)
        except SiteError as error:
            raise SiteError(f"the study was ended, for {error.message}", error.hint) from None

    return well


def _forget(bundle: Bundle | None) -> None:
    """A bundle without a single segment says nothing."""
    if bundle is not None and not bundle.manifest.segments:
        import shutil

        with suppress(OSError):
            shutil.rmtree(bundle.folder)
