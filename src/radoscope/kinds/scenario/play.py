"""Playing a scenario: the load in its own thread, the faults in this one, the cluster observed throughout."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from radoscope.errors import Interrupted, RadoscopeError, SiteError, ToolFailed
from radoscope.kinds.scenario.read import SCENARIO, count_written, read_back_of
from radoscope.kinds.scenario.record import Event, Moment
from radoscope.kinds.scenario.scenes import Act, Scene, Script
from radoscope.plan.schema import Plan
from radoscope.records.manifest import ProcessEntry, SegmentEntry
from radoscope.records.study import Cell, Outcome
from radoscope.run.clock import host_speed, now_s
from radoscope.run.engines import fio, fio_checked
from radoscope.run.events import Started
from radoscope.run.looks import Looks
from radoscope.run.prepared import LoadCommand
from radoscope.run.processes import Placed, Ran, run_together
from radoscope.sandbox import Sandbox
from radoscope.session.request import StudyRequest
from radoscope.session.session import Session
from radoscope.session.standing import hearing
from radoscope.units import format_seconds

# The cluster's time to be whole again; what the load needs to begin; what a deed may take until it is noticed.
_WHOLE_S, _FLOWING_S, _DEED_S = 180.0, 60.0, 120.0
# The manager tells groups that are not clean a few seconds late: no shorter peace proves anything.
_SHORTEST_PEACE_S = 5.0
_POLL_S = 0.1
# fio's own progress, once there are I/Os in it: "[w=512 IOPS]".
_RATE = re.compile(r"\[w=[1-9][\d.]*k? IOPS\]")


class ScenarioFailed(RadoscopeError):
    """The cluster did not come back in time, or something that it had acknowledged was not there."""

    exit_code = 7


@dataclass(slots=True, kw_only=True)
class _Load:
    """The load in a thread of its own, while faults are made in this one. end: set to make it end in order."""

    end: threading.Event = field(default_factory=threading.Event)
    flowing: threading.Event = field(default_factory=threading.Event)
    ran: Ran | None = None
    problem: RadoscopeError | None = None
    thread: threading.Thread | None = None

    def start(self, run: Callable[[_Load], Ran]) -> None:
        def target() -> None:
            try:
                self.ran = run(self)
            except RadoscopeError as error:
                self.problem = error

        self.thread = threading.Thread(target=target, name="load")
        self.thread.start()

    def check(self) -> None:
        """Raise ToolFailed when it has ended by itself."""
        if self.thread is not None and not self.thread.is_alive() and not self.end.is_set():
            raise self.problem or ToolFailed("the load ended early", "Its last output is in the raw files.")

    def finish(self) -> Ran:
        self.end.set()
        if self.thread is not None:
            self.thread.join()
        return self.ran or Ran(())


@dataclass(slots=True, kw_only=True)
class Play:
    """One run through the script. problems: what went wrong on the way, in words; it continues all the same."""

    session: Session
    script: Script
    events: list[Event] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def run(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        scene = self.script.build(self.sandbox)
        if scene.ahead is not None:
            self._do_ahead(scene.ahead)
        speed, started_at_s, begun = host_speed(), now_s(), time.monotonic()
        load, interrupted = _Load(), False
        with self._looking() as looks:
            self.session.on_event(Started(self.cell, 1, 0, 1, longest_s(self.session.plan), 0.0))
            load.start(self._put_load_on)
            try:
                self._act_out(scene, load, looks)
            except Interrupted:
                interrupted = True
            except RadoscopeError as error:
                self.problems.append(error.message)
            finally:
                self.events.append(Event(Moment.ENDED, "asking the load to end", now_s()))
                ran = load.finish()
        seconds = time.monotonic() - begun
        watched = {"series": looks.series(), "perf": {"before": {}, "after": {}}}
        (self.folder / "telemetry.json").write_text(json.dumps(watched), encoding="utf-8")
        written = self._written()
        if written and not interrupted:
            self._read_back(written)
        self._keep(ran, written, interrupted)
        self._add_segment(ran, interrupted, started_at_s, seconds, speed)
        self._conclude(written, interrupted)

    @property
    def sandbox(self) -> Sandbox:
        up = self.session.place.embedded
        assert up is not None, "scenario_request lets nothing else through"
        return up

    @property
    def cell(self) -> Cell:
        return self.session.bundle.manifest.cells[0]

    @property
    def command(self) -> LoadCommand:
        """The load, as it is put on."""
        return fio_checked.load(
            self.cell.conditions,
            self.session.prepared,
            self.folder,
            rate_per_s=rate_of(self.session.request),
            longest_s=longest_s(self.session.plan),
        )

    @property
    def folder(self) -> Path:
        return self.session.bundle.folder / "segments" / self.cell.name / "round-1"

    def _act_out(self, scene: Scene, load: _Load, looks: Looks) -> None:
        seconds = self.session.plan.seconds
        self.session.say("waiting for the load")
        self._wait(load.flowing.is_set, _FLOWING_S, load, "no I/O was completed")
        self.session.say(f"{format_seconds(seconds)} of steady load")
        self._hold(seconds + 2.0, load)
        self._do(scene.deed, Moment.DEED)
        if scene.mend is not None:
            self._hold(seconds, load)
            self._do(scene.mend, Moment.MENDED)
        deed_s = self.events[-1].time_s
        peace = max(seconds, _SHORTEST_PEACE_S)

        def at_peace() -> bool:
            since = looks.whole_since()
            return since is not None and now_s() - max(since, deed_s) >= peace

        self.session.say("waiting until the cluster is healthy and stays so")
        self._wait(at_peace, _WHOLE_S + peace, load, "the cluster did not become healthy again")

    def _do(self, act: Act, moment: Moment) -> None:
        """A fault without a reaction of the cluster is a problem, not the end: it still has to be undone."""
        self.session.say(act.words)
        self.events.append(Event(moment, act.words, now_s()))
        try:
            came_of_it = act.do()
        except SiteError as error:
            self.problems.append(f"{act.words}: {error.message}")
            return
        if came_of_it:
            self.events.append(Event(Moment.NOTICED, came_of_it, now_s()))
            self.session.say(came_of_it)

    def _do_ahead(self, act: Act) -> None:
        """What the load finds: an OSD that is away, and everything rewritten without it."""
        self.session.say(act.words)
        act.do()
        self.session.say("rewriting the whole image without it")
        argv = fio.fill_image(self.session.prepared, self.session.prepared.images[0])
        command = fio_checked.plain(argv, "rewrite")
        ran = self._run(command, self.session.stop, lambda _client, _text: None)
        if self.session.stop.is_set():
            raise Interrupted("interrupted while preparing")
        if ran.exit_codes != (0,):
            raise ToolFailed("the image could not be written again", f"See {self.folder / command.stderr}.")

    def _put_load_on(self, load: _Load) -> Ran:
        told = hearing("fio", self.session.on_event)

        def hear(client: int, text: str) -> None:
            if _RATE.search(text):
                load.flowing.set()
            told(client, text)

        return self._run(self.command, load.end, hear)

    def _read_back(self, written: int) -> None:
        self.session.say(f"reading back {written:,} writes and comparing their checksums")
        command = fio_checked.read_back(self.cell.conditions, self.session.prepared, self.folder, written)
        ran = self._run(command, self.session.stop, lambda _client, _text: None)
        if ran.hung:
            self.problems.append("reading back did not end in time and was killed")

    def _run(self, command: LoadCommand, stop: threading.Event, on_text: Callable[[int, str], None]) -> Ran:
        return run_together(
            [Placed(command, self.session.place.client)],
            folder=self.folder,
            label=self.session.id,
            stop=stop,
            on_text=on_text,
        )

    def _written(self) -> int:
        try:
            return count_written(self.folder)
        except RadoscopeError as error:
            self.problems.append(f"what was written is unknown: {error.message}")
            return 0

    def _keep(self, ran: Ran, written: int, interrupted: bool) -> None:
        """The raw facts that no tool's file holds."""
        if ran.hung:
            self.problems.append("the load did not end in time and was killed")
        kept = {
            "name": self.script.name,
            "title": self.script.title,
            "events": [asdict(event) for event in self.events],
            "folder": str(self.folder.relative_to(self.session.bundle.folder)),
            "written": written,
            "problem": "; ".join([*self.problems, *(["interrupted"] if interrupted else [])]),
        }
        (self.session.bundle.folder / SCENARIO).write_text(json.dumps(kept, indent=1), encoding="utf-8")

    def _add_segment(self, ran: Ran, interrupted: bool, started_at_s: float, seconds: float, speed: float) -> None:
        here = self.folder.relative_to(self.session.bundle.folder)
        entry = SegmentEntry(
            cell=self.cell.name,
            round=1,
            outcome=Outcome.INTERRUPTED if interrupted else Outcome.FAILED if self.problems else Outcome.DONE,
            started_at_s=started_at_s,
            seconds=seconds,
            processes=(
                ProcessEntry(
                    argv=self.session.place.client.wrap(self.command.argv),
                    reader="fio_json",
                    output=str(here / f"{fio_checked.LOAD}.json"),
                    stdout=str(here / f"{fio_checked.LOAD}.out"),
                    stderr=str(here / f"{fio_checked.LOAD}.err"),
                    logs=tuple(sorted(str(here / log.name) for log in self.folder.glob("*.log"))),
                    exit_code=next(iter(ran.exit_codes), None),
                ),
            ),
            problem="; ".join(self.problems),
            host_speed=speed,
            telemetry=str(here / "telemetry.json"),
        )
        self.session.bundle.add_segment(entry)

    def _conclude(self, written: int, interrupted: bool) -> None:
        if interrupted:
            raise Interrupted("interrupted")
        found = read_back_of(self.folder, written)
        if found.errors:
            self.problems.insert(0, f"{found.errors} of {written} acknowledged writes did not read back as written")
        elif not found.proved:
            self.problems.append(f"not everything written could be compared: {found.problem or 'it was not read'}")
        self.session.bundle.change(complete=not self.problems)
        if self.problems:
            raise ScenarioFailed(f"{self.script.name}: {'; '.join(self.problems)}", "Everything recorded is kept.")

    def _hold(self, seconds: float, load: _Load) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self._breathe(load)

    def _wait(self, state: Callable[[], bool], longest_s: float, load: _Load, otherwise: str) -> None:
        until = time.monotonic() + longest_s
        while not state():
            if time.monotonic() > until:
                raise SiteError(f"{otherwise} within {longest_s:.0f} s")
            self._breathe(load)

    def _breathe(self, load: _Load) -> None:
        load.check()
        if self.session.stop.wait(_POLL_S):
            raise Interrupted("interrupted")

    @contextmanager
    def _looking(self) -> Iterator[Looks]:
        with self.sandbox.connected(timeout_s=3.0) as connection:
            looks = Looks(connection.ask)
            looks.start()
            try:
                yield looks
            finally:
                looks.stop()


def longest_s(plan: Plan) -> float:
    """How long the load may last: every step of the script with all the time that it is given."""
    return _FLOWING_S + 4 * plan.seconds + _DEED_S + _WHOLE_S


def rate_of(request: StudyRequest) -> float:
    """I/Os a second: as asked, but never so many that blocks would have to be written twice."""
    asked = request.cells[0].conditions
    assert request.plan is not None
    blocks = request.plan.image_size / (asked.block_bytes or 1)
    return min(asked.rate_iops or blocks, blocks / longest_s(request.plan))
