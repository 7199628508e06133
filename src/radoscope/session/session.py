"""One session: a cluster opened, checked, prepared, watched, measured in and cleaned, whatever kind of run measures."""

from __future__ import annotations

import errno
import shutil
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from radoscope import paths
from radoscope.ceph import Cluster
from radoscope.errors import Interrupted, RadoscopeError, StoreError
from radoscope.plan.expand import Trial
from radoscope.plan.schema import Plan
from radoscope.records.manifest import SegmentEntry
from radoscope.records.study import Cell
from radoscope.run.bundle import Bundle, cannot_write
from radoscope.run.events import Listener, RunEvent, Step, Warning_
from radoscope.run.governor import Governor
from radoscope.run.journal import Journal
from radoscope.run.others import Others
from radoscope.run.pinned import Victim
from radoscope.run.prepared import Prepared
from radoscope.run.processes import LABEL, Ahead, Standing
from radoscope.run.telemetry import Sources
from radoscope.session.place import Place
from radoscope.session.request import StudyRequest
from radoscope.session.standing import Kept

_DISK_TROUBLE = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO)


@dataclass(slots=True, kw_only=True)
class Session:
    """What a run is about and what it has to work with.

    Those without a default come as the session gets there: journal and place when it is open, the bundle once nothing
    stands against it, prepared before it is measured in. governor: ends the load when the cluster suffers. others: the
    cluster's other clients, for whose sake load pauses or ends. sources: of what is noted beside a segment. victim:
    what pools below the pool are pinned to. left: what could not be removed at the end, and why. begun_s: when
    it began, by the clock of its hands. ahead: folder of a segment -> its clients, which wait for it.
    guests: the QEMUs that stand for the length of the study.
    """

    request: StudyRequest
    hands: Hands
    on_event: Listener
    stop: threading.Event
    journal: Journal = field(init=False)
    place: Place = field(init=False)
    bundle: Bundle = field(init=False)
    prepared: Prepared = field(init=False)
    governor: Governor | None = None
    others: Others = field(default_factory=Others)
    sources: Sources = field(default_factory=Sources)
    victim: Victim | None = None
    left: tuple[str, ...] = ()
    begun_s: float = 0.0
    ahead: dict[Path, Ahead] = field(default_factory=dict)
    guests: Standing | None = None

    def __post_init__(self) -> None:
        listeners = [_until_it_fails(one) for one in (self.on_event, Kept(Journal.of(self.id).events))]

        def tell(event: RunEvent) -> None:
            for listener in listeners:
                listener(event)

        self.on_event = tell

    @property
    def id(self) -> str:
        return self.request.study_id

    @property
    def name(self) -> str:
        """What is made for this run is called so: its pool, its user's id, the beginning of its images."""
        return f"radoscope-{self.id}"

    @property
    def work(self) -> Path:
        """The folder with the key of the run's own user, gone at the end."""
        return paths.journal() / f"{self.id}.work"

    @property
    def plan(self) -> Plan:
        assert self.request.plan is not None, "a kind without a plan has no cells, and so no need of one"
        return self.request.plan

    @property
    def cluster(self) -> Cluster | None:
        """The cluster that is loaded; None where none is needed.

        A `ceph` command that is under way when radoscope dies is found by its label, before it makes what nobody
        would remove.
        """
        cluster = self.place.cluster if self.request.needs_cluster else None
        return None if cluster is None else replace(cluster, environment={**cluster.environment, LABEL: self.id})

    @property
    def gently(self) -> bool:
        """Whether others use the cluster, and are to be spared."""
        return self.place.shared and not self.request.permissions.as_hard_as_it_goes

    def say(self, words: str) -> None:
        self.on_event(Step(words))

    def warn(self, words: str) -> None:
        self.on_event(Warning_(words))

    def note(self, *words: str) -> None:
        """For those who read the study: kept in the bundle, each once."""
        self.bundle.change(notes=tuple(dict.fromkeys((*self.bundle.manifest.notes, *words))))

    def expecting(self) -> AbstractContextManager[None]:
        """Within, changes of the cluster's state are intended, and end no load."""
        return nullcontext() if self.governor is None else self.governor.expecting()


class Hands(Protocol):
    """All that a session does to the world and hears from it."""

    def opened(self, session: Session) -> AbstractContextManager[None]:
        """Within, `session.journal` and `session.place` stand; at the end all that the journal names is removed, and
        `session.left` tells what could not be. Raises RadoscopeError where it cannot begin."""

    def check(self, session: Session) -> Bundle:
        """Refuse by raising RadoscopeError, or make the bundle; one that is resumed exists."""
        ...

    def watched(self, session: Session) -> AbstractContextManager[None]:
        """Within, the cluster and its other clients are watched, and the load ends when they suffer."""

    def prepare(self, session: Session) -> Prepared:
        """Make what the cells need."""
        ...

    def capture(self, session: Session, bundle: Bundle) -> None:
        """Note versions, devices and configuration as they are now."""

    def get_ready(self, session: Session, trials: Sequence[Trial], folder: Path) -> None:
        """Start the clients of the next trials, as far as they can wait: then run() takes no start. Of trials that were
        to come before and were not run, they are ended."""

    def run(self, session: Session, trial: Trial, folder: Path) -> SegmentEntry:
        """One segment into a bundle's folder. A tool that fails is a failed segment; raises OSError for the disk."""
        ...

    def check_well(self, session: Session, cell: Cell) -> None:
        """Asked after a segment has failed: a client host, or the cluster? Raises SiteError, which ends the run."""

    def look_back(self, session: Session) -> None:
        """Note the state at the end of the measuring."""

    def clock(self) -> float:
        """Seconds; only differences mean something."""
        ...

    def wait(self, seconds: float, stop: threading.Event) -> None:
        """Let time pass, unless `stop` is set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyDone:
    """folder: the bundle. problem: what ended the study early, if anything did. left: what could not be removed."""

    folder: Path
    complete: bool
    interrupted: bool = False
    problem: RadoscopeError | None = None
    left: tuple[str, ...] = ()


def _until_it_fails(listener: Listener) -> Listener:
    """A listener that cannot write any more is not told anything more: it must stop neither a run nor its clean-up."""
    deaf = False

    def told(event: RunEvent) -> None:
        nonlocal deaf
        if not deaf:
            try:
                listener(event)
            except OSError:
                deaf = True

    return told


def run_session(session: Session, measure: Callable[[Session], None]) -> StudyDone:
    """Refuse or prepare, measure, clean. What was measured is kept and what was made is removed, however this ends.

    Raises RadoscopeError when nothing was measured: then there is no bundle.
    """
    begun = session.begun_s = session.hands.clock()
    problem: RadoscopeError | None = None
    with session.hands.opened(session):
        try:
            _work(session, measure)
        except RadoscopeError as error:
            problem = error
        except OSError as error:
            problem = _of_the_disk(error)
    bundle: Bundle | None = getattr(session, "bundle", None)
    if bundle is None or (problem is not None and not bundle.holds_results):
        _forget(bundle)
        raise _with_left(problem or StoreError("the study did not start"), session.left)
    # A report that only says that it was interrupted explains nothing.
    why = () if problem is None or isinstance(problem, Interrupted) else (problem.message,)
    try:
        notes = (*bundle.manifest.notes, *why)
        bundle.change(seconds=bundle.manifest.seconds + session.hands.clock() - begun, notes=notes)
    except StoreError as error:
        problem = problem or error
    return StudyDone(
        folder=bundle.folder,
        complete=bundle.manifest.complete,
        interrupted=session.stop.is_set(),
        problem=None if isinstance(problem, Interrupted) else problem,
        left=session.left,
    )


def _work(session: Session, measure: Callable[[Session], None]) -> None:
    session.bundle = session.hands.check(session)
    with session.hands.watched(session):
        session.prepared = session.hands.prepare(session)
        session.say("recording versions, devices and configuration")
        session.hands.capture(session, session.bundle)
        try:
            measure(session)
        finally:
            session.hands.look_back(session)
            session.bundle.save()


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
    """A bundle without a result says nothing."""
    if bundle is not None:
        with suppress(OSError):
            shutil.rmtree(bundle.folder)
