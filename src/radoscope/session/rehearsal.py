"""Hands that replay recorded bundles instead of touching a cluster: each segment is the next recorded one of its cell.

No tool runs and nothing is waited for: the clock goes on by what was recorded. What comes of it says that it is a
rehearsal, in its target and its notes, so that nobody takes it for a measurement.
"""

from __future__ import annotations

import json
import shutil
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from radoscope import paths
from radoscope.archives.bundle import read_manifest
from radoscope.errors import StoreError
from radoscope.plan.expand import Trial
from radoscope.records.manifest import Manifest, ProcessEntry, SegmentEntry
from radoscope.records.study import Cell, Outcome
from radoscope.run import preflight
from radoscope.run.bundle import Bundle
from radoscope.run.clock import now_s
from radoscope.run.journal import Entry, Journal
from radoscope.run.prepared import Prepared
from radoscope.session.check import bundle_to_go_on, new_bundle
from radoscope.session.place import Place
from radoscope.session.request import StudyRequest, asked_in, new_id
from radoscope.session.session import Session
from radoscope.session.target import Permissions, Target
from radoscope.sites import Local

_PLAYED = ("study", "rounds", "ab")
_STATUS = "ceph-status.json"


class Rehearsal:
    """folder: the recorded bundle; of state B, in an experiment, folder_b. Raises StoreError where it has no segments
    of cells."""

    def __init__(self, folder: Path, folder_b: Path | None = None) -> None:
        self._a = _Recorded(folder)
        self._b = self._a if folder_b is None else _Recorded(folder_b)
        self._begun_at_s, self._seconds = now_s(), 0.0

    def request(self, permissions: Permissions | None = None, kind: str = "rounds") -> StudyRequest:
        """What was asked for then, as a new study. Raises PlanError."""
        manifest = self._a.manifest
        plan, cells = asked_in(manifest, len(manifest.clients))
        return StudyRequest(
            kind=kind,
            plan=plan,
            cells=cells,
            target=Target(),
            study_id=new_id(f"rehearsal-{plan.name}"),
            permissions=permissions or Permissions(),
        )

    @contextmanager
    def opened(self, session: Session) -> Iterator[None]:
        manifest = self._a.manifest
        session.journal = Journal.begin(session.id)
        session.place = Place(
            cluster=None,
            words=f"rehearsal of {manifest.id}: {manifest.target}",
            peer=Local(),
            peer_address="127.0.0.1",
            disk_folder=paths.home(),
            disk=Local(),
            shared=manifest.sandbox is None and _STATUS in manifest.captures,
        )
        try:
            yield
        finally:
            shutil.rmtree(session.work, ignore_errors=True)
            session.journal.end()

    def check(self, session: Session) -> Bundle:
        status = self._a.capture(_STATUS)
        if status is not None:
            for words in preflight.check_status(status, allow_unhealthy=session.request.permissions.allow_unhealthy):
                session.warn(words)
        if session.request.resume:
            return bundle_to_go_on(session, None if status is None else status["fsid"])
        manifest = self._a.manifest
        note = f"A rehearsal: each segment is a recorded one of study {manifest.id}. Nothing was measured"
        bundle = new_bundle(session, (note, *manifest.notes))
        where = {cell.name: cell.where for cell in manifest.cells}
        cells = tuple(replace(cell, where=where[cell.name]) for cell in bundle.manifest.cells)
        bundle.change(cells=cells, sandbox=manifest.sandbox, rehearses=manifest.id)
        return bundle

    def watched(self, session: Session) -> AbstractContextManager[None]:
        return nullcontext()

    def prepare(self, session: Session) -> Prepared:
        session.say(f"rehearsing study {self._a.manifest.id}: nothing is made, no tool runs, no cluster is touched")
        session.journal.will_create(Entry("folder", str(session.work)))
        session.work.mkdir(mode=0o700, parents=True, exist_ok=True)
        return Prepared(pool=str(self._a.manifest.plan.get("pool", "")))

    def capture(self, session: Session, bundle: Bundle) -> None:
        recorded = self._of(bundle.folder)
        for name, file in recorded.manifest.captures.items():
            bundle.add_capture(name, (recorded.folder / file).read_text(encoding="utf-8", errors="replace"))
        bundle.change(plan={**bundle.manifest.plan, "pool": recorded.manifest.plan.get("pool", "")})

    def get_ready(self, session: Session, trials: Sequence[Trial], folder: Path) -> None:
        """Nothing is started."""

    def run(self, session: Session, trial: Trial, folder: Path) -> SegmentEntry:
        recorded = self._of(folder)
        found = recorded.next_of(trial, before=session.bundle.manifest if session.request.resume else None)
        now = self._begun_at_s + self._seconds
        entry = SegmentEntry(
            cell=trial.cell.name, round=trial.round, outcome=Outcome.INTERRUPTED, started_at_s=now, seconds=0.0
        )
        if session.stop.is_set():
            return replace(entry, problem="stopped early")
        if found is None:
            return replace(entry, outcome=Outcome.FAILED, problem=f"{recorded.manifest.id} holds no such segment")
        self._seconds += found.seconds
        return _replayed(found, recorded.folder, replace(entry, outcome=found.outcome), folder)

    def check_well(self, session: Session, cell: Cell) -> None:
        """Whatever was found then, the recorded study went on."""

    def look_back(self, session: Session) -> None:
        """The state at the end is among the recorded captures."""

    def clock(self) -> float:
        return self._seconds

    def wait(self, seconds: float, stop: threading.Event) -> None:
        self._seconds += seconds

    def _of(self, folder: Path) -> _Recorded:
        """Bundles of state B, and its warm-up, are named so."""
        return self._b if folder.name.endswith("-b") else self._a


class _Recorded:
    """A bundle with the place in it up to which each cell has been replayed."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.manifest = folder, read_manifest(folder)
        if self.manifest.kind not in _PLAYED or not self.manifest.segments or not self.manifest.cells:
            raise StoreError(
                f"{self.manifest.id} cannot be rehearsed: it has no segments of cells",
                "Name a study that `radoscope study` or `radoscope ab` has measured.",
            )
        self._played: Counter[str] = Counter()

    def capture(self, name: str) -> Any:
        """A captured JSON value, None where it is not there."""
        file = self.manifest.captures.get(name)
        return None if file is None else json.loads((self.folder / file).read_text(encoding="utf-8"))

    def next_of(self, trial: Trial, before: Manifest | None) -> SegmentEntry | None:
        """The next recorded segment of a cell, from the first again after the last; None where there is none.

        Round 0 warms up and counts for nothing. before: a study that is gone on with, whose segments have been played.
        """
        cell = trial.cell.name
        own = [one for one in self.manifest.segments if one.cell == cell and one.outcome is not Outcome.INTERRUPTED]
        own.sort(key=lambda one: one.round)
        if not own or trial.round == 0:
            return own[0] if own else None
        if before is not None and cell not in self._played:
            self._played[cell] = sum(one.cell == cell for one in before.segments)
        self._played[cell] += 1
        return own[(self._played[cell] - 1) % len(own)]


def _replayed(found: SegmentEntry, source: Path, entry: SegmentEntry, target: Path) -> SegmentEntry:
    """A recorded segment at another time and in another bundle's folder, with copies of its raw files."""
    here, later_s = (
        PurePosixPath("segments", entry.cell, f"round-{entry.round}"),
        entry.started_at_s - found.started_at_s,
    )
    (target / here).mkdir(parents=True, exist_ok=True)

    def copied(name: str) -> str:
        new = here / PurePosixPath(name).name
        if (source / name).is_file():
            shutil.copyfile(source / name, target / new)
        return str(new)

    if found.telemetry is not None:
        _shift(target / copied(found.telemetry), later_s)
    return replace(
        entry,
        seconds=found.seconds,
        processes=tuple(_process(one, later_s, copied) for one in found.processes),
        problem=found.problem,
        host_speed=found.host_speed,
        telemetry=None if found.telemetry is None else str(here / PurePosixPath(found.telemetry).name),
    )


def _process(one: ProcessEntry, later_s: float, copied: Callable[[str], str]) -> ProcessEntry:
    return replace(
        one,
        output=copied(one.output),
        stdout=copied(one.stdout),
        stderr=copied(one.stderr),
        logs=tuple(copied(log) for log in one.logs),
        begun_at_s=None if one.begun_at_s is None else one.begun_at_s + later_s,
        clock_ahead_s=one.clock_ahead_s - later_s,  # its logs keep the stamps of then
    )


def _shift(telemetry: Path, later_s: float) -> None:
    """Samples are stamped with Unix time; a damaged file stays as it is."""
    try:
        kept = json.loads(telemetry.read_text(encoding="utf-8"))
        for series in kept["series"]:
            series["times_s"] = [time_s + later_s for time_s in series["times_s"]]
    except (OSError, ValueError, KeyError, TypeError):
        return
    telemetry.write_text(json.dumps(kept), encoding="utf-8")
