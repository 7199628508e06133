"""Studies: said before they start, followed while they run, and the report at the same place when they have ended.

A study is a process of the command line. The pages read its events and its bundle, and nothing of theirs touches the
cluster, so that a closed browser or a killed server harms no measurement.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from anyio import to_thread
from starlette.datastructures import FormData, QueryParams
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from radoscope import paths, sandbox
from radoscope.archives.bundle import read_segment, read_study
from radoscope.errors import PlanError, RadoscopeError, StoreError
from radoscope.kinds import kind_of
from radoscope.plan import load, named_plans
from radoscope.plan.schema import check_plan
from radoscope.records.manifest import MANIFEST, SegmentEntry
from radoscope.records.study import Cell, Outcome, Segment, Study
from radoscope.records.telemetry import OTHERS_IN_FLIGHT, OTHERS_WAITING, PG_NOT_CLEAN, RECOVERY_OPS, SLOW_OPS
from radoscope.report.material import Material
from radoscope.report.sections import SECTIONS
from radoscope.run.journal import Journal, running_now
from radoscope.serve import library, reports, runs
from radoscope.serve.guard import Door
from radoscope.serve.page import page
from radoscope.session.request import StudyRequest, describe_plan
from radoscope.session.standing import CellSoFar, Standing, read_lines
from radoscope.session.target import Permissions, Target
from radoscope.stats.summarise import summarise
from radoscope.units import format_bytes, format_count, format_seconds
from radoscope.words import N_, _, reader
from radoscope.workflow.rehearse import EXAMPLE

OFFERED = {
    "quick": N_("Every layer, a few minutes"),
    "standard": N_("Every layer, measured until precise"),
    "response-curve": N_("Latency against load, 4K on RBD"),
}
"""Plans, by the titles that they have themselves."""
_SHARE = 0.02
"""Of one core, at most, for following a study: what is costly is done the less often."""
_PERIOD_S = 1.0
_SHOWN = ("ladder",)
_WATCHED = {
    OTHERS_WAITING: N_("other clients' longest wait"),
    OTHERS_IN_FLIGHT: N_("other clients' operations in flight"),
    SLOW_OPS: N_("slow operations"),
    PG_NOT_CLEAN: N_("placement groups that are not clean"),
    RECOVERY_OPS: N_("recovery, objects a second"),
}
_PERMISSIONS = ("allow_unhealthy", "as_hard_as_it_goes")


@dataclass(frozen=True, slots=True)
class Wanted:
    """The form of a study, checked as the command line checks it."""

    plan: str
    where: str
    precision: str
    permissions: tuple[str, ...]
    door: Door

    @classmethod
    def of(cls, said: QueryParams | FormData, door: Door) -> Wanted:
        """Raises PlanError for a place that is none of those offered."""
        text = {
            name: str(said.get(name, usual)) for name, usual in (("plan", "quick"), ("where", "new"), ("precision", ""))
        }
        if text["plan"] not in named_plans():
            raise PlanError(_("there is no plan {plan!r}", plan=text["plan"][:80]), _("Choose one from the page."))
        if text["where"] not in {place for place, _words in places(door)}:
            missing = _("there is no such place to measure: {place!r}", place=text["where"][:80])
            raise PlanError(missing, _("Choose one from the page."))
        permissions = tuple(name for name in _PERMISSIONS if said.get(name))
        return cls(text["plan"], text["where"], text["precision"].strip()[:20], permissions, door)

    @property
    def words(self) -> list[str]:
        """What stands after `radoscope`."""
        if self.where == EXAMPLE:
            return ["study", "--rehearse", EXAMPLE]
        words = ["study", "--plan", self.plan]
        if self.where.startswith("sandbox:"):
            words += ["--sandbox", self.where.removeprefix("sandbox:")]
        elif self.where == "conf":
            words += list(self.door.cluster)
        if self.precision:
            words += ["--precision", self.precision]
        return words + [f"--{name.replace('_', '-')}" for name in self.permissions]

    def request(self) -> StudyRequest:
        """Raises PlanError where the command line would refuse it."""
        plan = load(self.plan)
        if self.precision:
            plan = check_plan({**plan.model_dump(mode="json"), "precision": self.precision}, "the page")
        named = self.where.removeprefix("sandbox:") if self.where.startswith("sandbox:") else None
        conf = Path(self.door.cluster[1]) if self.where == "conf" else None
        granted = Permissions(**dict.fromkeys(self.permissions, True))
        return StudyRequest.build(plan, Target(sandbox=named, conf=conf), permissions=granted)


def places(door: Door) -> list[tuple[str, str]]:
    """(value, words) of where a study can measure."""
    found = [("new", "")]
    found += [(f"sandbox:{name}", name) for name in sandbox.names() if not name.startswith("study-")]
    found += [("conf", door.cluster[1])] if door.cluster else []
    return [*found, (EXAMPLE, "")]


async def form(request: Request) -> Response:
    """What can be measured, and what it would do; those that run."""
    door: Door = request.app.state.door
    wanted = Wanted.of(request.query_params, door)
    said = await to_thread.run_sync(_described, wanted)
    entries = [one for one in await to_thread.run_sync(library.entries) if one.running]
    started = [one for one in await to_thread.run_sync(runs.runs, "study") if one.running]
    plans = [(name, _(title)) for name, title in OFFERED.items()]
    return page("measure.html.j2", here="measure", wanted=wanted, plans=plans, places=places(door), running=entries,
                started=started, **said)  # fmt: skip


async def described(request: Request) -> Response:
    """The same words alone, while the form changes."""
    wanted = Wanted.of(request.query_params, request.app.state.door)
    return page("described.html.j2", wanted=wanted, **await to_thread.run_sync(_described, wanted))


async def begin(request: Request) -> Response:
    async with request.form() as said:
        wanted = Wanted.of(said, request.app.state.door)
    await to_thread.run_sync(wanted.request)
    run = await to_thread.run_sync(runs.start, wanted.words, "study")
    return RedirectResponse(f"/live/{run.name}", 303)


async def resume(request: Request) -> Response:
    """Go on with a study that ended early; the command line says whether it can."""
    entry = await to_thread.run_sync(library.entry, request.path_params["name"])
    if entry.running:
        raise PlanError(_("this study is already running"), _("Follow it, and stop it first."))
    run = await to_thread.run_sync(runs.start, ["study", "--resume", entry.id], "study")
    return RedirectResponse(f"/live/{run.name}", 303)


async def stop(request: Request) -> Response:
    """As Ctrl-C does."""
    name = request.path_params["name"]
    run = await to_thread.run_sync(lambda: runs.find(name) or runs.run_of(name))
    if run is None:
        raise StoreError(_("this study was started elsewhere"), _("Press Ctrl-C where it was started."))
    await to_thread.run_sync(run.stop)
    return RedirectResponse(f"/live/{run.name}", 303)


async def follow(request: Request) -> Response:
    """A study that runs, or has ended: then its report."""
    name = request.path_params["name"]
    followed = await to_thread.run_sync(_followed, name)
    if not followed.running and _has_bundle(followed.study):
        return RedirectResponse(f"/study/{followed.study}", 303)
    return page("live.html.j2", here="measure", followed=followed, said=followed.said())


async def events(request: Request) -> Response:
    """Once a second what is new: server-sent events, until it ends or the browser leaves."""
    followed = await to_thread.run_sync(_followed, request.path_params["name"])
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(_told(request, followed), media_type="text/event-stream", headers=headers)


async def figures(request: Request) -> Response:
    """What was measured so far, as the report shows it."""
    followed = await to_thread.run_sync(_followed, request.path_params["name"])
    if followed.study is None or not _has_bundle(followed.study):
        return page("figures.html.j2", values=None)
    return page("figures.html.j2", values=await to_thread.run_sync(_reader(followed.study).figures))


@dataclass(frozen=True, slots=True)
class Followed:
    """What a page follows: a run of ours, or a study of the command line, or both."""

    name: str
    run: runs.LaunchedRun | None
    study: str | None

    @property
    def running(self) -> bool:
        if self.run is not None:
            return self.run.running
        return self.study is not None and self.study in running_now()

    def said(self) -> str:
        return self.run.said()[0] if self.run is not None else ""


def _followed(name: str) -> Followed:
    """Raises StoreError."""
    run = runs.find(name)
    if run is not None:
        return Followed(name, run, run.study())
    library.folder(name)
    return Followed(name, runs.run_of(name), name)


async def _told(request: Request, followed: Followed) -> AsyncIterator[str]:
    """Events: lines that it printed, how far it is, and that its figures changed. All that is asked each second is
    cheap: a few bytes of two files, and a file's time."""
    since, stamp, study, seen = 0, "", followed.study, _Seen()
    while not await request.is_disconnected():
        new: dict[str, Any] = {}
        running = followed.running
        if followed.run is not None:
            text, since = followed.run.said(since)
            if text:
                new["lines"] = text
                study = study or followed.run.study()
        if study:
            new |= seen.news(study)
        if study and (fresh := _reader(study).due()) and fresh != stamp:
            new["figures"] = stamp = fresh
        if new:
            yield f"data: {json.dumps(new)}\n\n"
        if not running:
            if study and _has_bundle(study):  # the page goes on to it at once, and to the library
                with suppress(RadoscopeError):
                    await to_thread.run_sync(reports.ready, paths.studies() / study)
                    await to_thread.run_sync(library.entries)
            yield f"event: end\ndata: {json.dumps({'ok': bool(study)})}\n\n"
            return
        await asyncio.sleep(_PERIOD_S)


@dataclass(slots=True)
class _Seen:
    """One browser's view of a run: how far it has read the events, and what stands on the page."""

    since: int = 0
    standing: Standing = field(default_factory=Standing)
    shown: dict[str, list[str]] = field(default_factory=dict)

    def news(self, study: str) -> dict[str, Any]:
        """step: how far it is. rows: the cells that changed: name, mean, interval, segments, what it does now."""
        lines, self.since = read_lines(Journal.of(study).events, self.since)
        if not lines:
            return {}
        for line in lines:
            self.standing.take(line)
        seen = self.standing
        before = self.shown
        self.shown = {
            name: [one.figure, one.spread, str(one.segments), seen.rate if name == seen.cell else ""]
            for name, one in {seen.cell: _NOT_YET, **seen.cells}.items()
            if name
        }
        rows = [[name, *row] for name, row in self.shown.items() if row != before.get(name)]
        words = [f"{seen.done}/{seen.planned}"] if seen.planned else []
        words += [seen.cell, seen.left] if seen.cell else [seen.words]
        return {"step": {"done": seen.done, "planned": seen.planned, "words": " · ".join(words)}, "rows": rows}


_NOT_YET = CellSoFar("IOPS", None, None, 0)


@dataclass(slots=True)
class _Reader:
    """Reads a study that grows: each segment once, and the whole no more often than its cost allows.

    kept: by the language of the reader.
    """

    folder: Path
    lock: threading.Lock = field(default_factory=threading.Lock)
    segments: dict[SegmentEntry, Segment] = field(default_factory=dict)
    stamp: str = ""
    next_s: float = 0.0
    kept: dict[str, dict[str, Any]] = field(default_factory=dict)

    def due(self) -> str:
        """The stamp of what is new and may be read now; an empty text where nothing is."""
        try:
            state = (self.folder / MANIFEST).stat()
        except OSError:
            return ""
        stamp = f"{state.st_mtime_ns}/{state.st_size}"
        return stamp if stamp != self.stamp and time.monotonic() >= self.next_s else self.stamp

    def figures(self) -> dict[str, Any]:
        with self.lock:
            stamp = self.due()
            if stamp != self.stamp:
                self.kept.clear()
            if reader() not in self.kept:
                begun = time.thread_time()
                self.kept[reader()] = _figures(read_study(self.folder, self._segment))
                self.stamp = stamp
                self.next_s = time.monotonic() + (time.thread_time() - begun) / _SHARE
            return self.kept[reader()]

    def _segment(self, folder: Path, entry: SegmentEntry, cell: Cell) -> Segment:
        if entry not in self.segments:
            self.segments[entry] = read_segment(folder, entry, cell)
        return self.segments[entry]


@lru_cache(8)
def _reader(study: str) -> _Reader:
    return _Reader(paths.studies() / study)


def _has_bundle(study: str | None) -> bool:
    return study is not None and (paths.studies() / study / MANIFEST).exists()


def _figures(study: Study) -> dict[str, Any]:
    """Sections of the report over the cells that have begun, and what was seen beside the load."""
    begun = {segment.cell for segment in study.segments}
    so_far = replace(study, cells=tuple(cell for cell in study.cells if cell.name in begun))
    material = Material(so_far, summarise(so_far), (), kind_of(study))
    sections = [(one, one.prepare(material)) for one in SECTIONS if one.name in _SHOWN and begun]
    done = sum(segment.outcome is Outcome.DONE for segment in study.segments)
    return {
        "sections": sections,
        "segments": done,
        "precise": sum(summary.precise for summary in material.summaries.cells),
        "cells": len(study.cells),
        "watched": _watched(study),
        "decisions": _decisions(study),
    }


def _watched(study: Study) -> list[dict[str, str]]:
    """Other clients and the cluster's own work beside the load: now, and at most."""
    found = []
    for quantity, words in _WATCHED.items():
        values = [
            value
            for segment in study.segments
            for series in segment.telemetry
            if quantity.thing(series.name) is not None
            for value in series.values
        ]
        if values:
            write = format_seconds if quantity.unit == "s" else format_count
            found.append({"name": _(words), "now": write(values[-1]), "most": write(max(values))})
    return found


def _decisions(study: Study) -> list[str]:
    """What was not measured as planned, and why."""
    problems = [f"{one.cell}, round {one.round}: {one.problem}" for one in study.segments if one.problem]
    return [*dict.fromkeys(problems), *study.notes]


def _described(wanted: Wanted) -> dict[str, Any]:
    """What will be made, what will be loaded, and the words for a terminal."""
    request = wanted.request()
    cost, plan = request.cost, request.plan
    assert plan is not None
    return {
        "cells": [cell.title for cell in request.cells],
        "low": format_seconds(cost.seconds_low),
        "high": format_seconds(cost.seconds_high),
        "pool": format_bytes(cost.pool_bytes),
        "file": format_bytes(cost.file_bytes) if cost.file_bytes else "",
        "rounds": plan.rounds,
        "each": format_seconds(plan.seconds),
        "commands": list(describe_plan(request)),
        "typed": " ".join(("radoscope", *wanted.words)),
    }


ROUTES = (
    Route("/measure", form),
    Route("/measure/described", described),
    Route("/measure/start", begin, methods=["POST"]),
    Route("/live/{name}", follow),
    Route("/live/{name}/events", events),
    Route("/live/{name}/figures", figures),
    Route("/live/{name}/stop", stop, methods=["POST"]),
    Route("/study/{name}/resume", resume, methods=["POST"]),
)
