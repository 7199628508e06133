"""An A/B experiment: state A and state B side by side on one bench, A restored at the end whatever happens."""

from __future__ import annotations

import shlex
import shutil
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from radoscope.archives.bundle import read_study
from radoscope.errors import Interrupted, PlanError, ToolFailed
from radoscope.kinds.ab.experiments import Experiment, States, Surroundings
from radoscope.kinds.ab.pairs import CellVerdict, Pairs, Schedule
from radoscope.kinds.ab.side import Side, keep, read
from radoscope.plan.estimate import segment_seconds
from radoscope.plan.expand import instead
from radoscope.records.study import Cell
from radoscope.run.bundle import Bundle
from radoscope.run.clock import now_s
from radoscope.run.events import Listener
from radoscope.run.processes import SWITCH_LABEL
from radoscope.run.state import LONGEST_S, Begun, Switch, begin, restore
from radoscope.session.hands import Real
from radoscope.session.request import StudyRequest
from radoscope.session.session import Hands, Session, StudyDone, run_session
from radoscope.stats.compare import Comparison, compare
from radoscope.stats.experiment import FIRST_LOOK
from radoscope.stats.verdict import NotComparable
from radoscope.units import format_seconds

_OTHER = {"a": "b", "b": "a"}
_SWITCH_S = 1.0
"""What the switches of a pair take on a cluster beside the pauses. For the estimate before the run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AbRequest:
    """One experiment. study: the cells and the cluster. budget_s: time for all pairs. margin: see stats.verdict.

    settle_s: the pause before the segments of a state. longest_switch_s: when a state command counts as hung.
    """

    study: StudyRequest
    experiment: Experiment
    budget_s: float = 1200.0
    settle_s: float = 2.0
    margin: float = 0.05
    longest_switch_s: float = LONGEST_S

    @property
    def cells_of_b(self) -> Mapping[str, Cell]:
        """What B measures, by name, where that is not what A measures. Raises PlanError."""
        b_of = self.experiment.b_of
        if b_of is None:
            return {}
        return {cell.name: instead(cell, b_of(cell.conditions)) for cell in self.study.cells}

    @property
    def pair_s(self) -> float:
        """What a pair of all cells takes, as far as one can tell beforehand."""
        plan = self.study.plan
        assert plan is not None
        segments = sum(segment_seconds(plan, cell) for cell in self.study.cells)
        return 2 * (segments + self.settle_s) + (_SWITCH_S if self.study.needs_cluster else 0.0)

    def check(self) -> None:
        """Raises PlanError, SiteError, ToolFailed where it cannot work or has no time; looks only."""
        if self.budget_s < FIRST_LOOK * self.pair_s:
            raise PlanError(
                f"a budget of {format_seconds(self.budget_s)} is too short: {FIRST_LOOK} pairs of about "
                f"{format_seconds(self.pair_s)} are needed before the first look",
                f"Give --budget {format_seconds(2 * FIRST_LOOK * self.pair_s)}, or fewer cells with --cells.",
            )
        away = [word for word in self.study.target.clients if word.startswith("ssh:")]
        if self.experiment.of_load_host and away:
            raise PlanError(
                f"{self.experiment.name} switches only this host, but load would come from {', '.join(away)}",
                "Leave out --client, or switch those hosts with your own commands: --a and --b.",
            )
        of_b = self.cells_of_b
        for cell in self.study.cells:
            if (b := of_b.get(cell.name)) and b.conditions == cell.conditions:
                raise PlanError(f"{cell.name} is in state B already: {b.title}", "Choose others with --cells.")
        self.experiment.check(self.study.target)


@dataclass(frozen=True, slots=True, kw_only=True)
class AbDone(StudyDone):
    """folder, folder_b: the bundles of A and B; None where B was never measured.

    left: what could not be removed or restored. restored: A was brought about again. shown: what `show` said of A at
    the beginning and, being restored, again at the end; None where nobody can tell. shown_b: the same for B.
    """

    folder_b: Path | None
    restored: bool
    switch: Switch
    shown: str | None
    shown_b: str | None
    judgements: tuple[CellVerdict, ...]
    schedule: Schedule | None
    pairs: int
    seconds: float

    @property
    def looks(self) -> int:
        """At most, as they were planned."""
        return len(self.schedule.looks) if self.schedule else 1


@dataclass(slots=True)
class _Kept:
    """What the measuring leaves behind for the conclusion."""

    switch: Switch | None = None
    begun: Begun | None = None
    pairs: Pairs | None = None
    folder_b: Path | None = None


def run_ab(request: AbRequest, on_event: Listener, stop: threading.Event, hands: Hands | None = None) -> AbDone:
    """Run the experiment. A is restored and what was made is removed, however this ends.

    hands: instead of real ones.

    Raises RadoscopeError when it ended before anything was measured: then there is no bundle.
    """
    request.check()
    kept = _Kept()
    study = replace(request.study, also=tuple(request.cells_of_b.values()))
    session = Session(request=study, hands=hands or Real(), on_event=on_event, stop=stop)
    done = run_session(session, lambda session: _measure(request, session, kept))
    assert kept.switch is not None or done.interrupted
    pairs = kept.pairs
    return AbDone(
        folder=done.folder,
        folder_b=kept.folder_b,
        complete=done.complete,
        interrupted=done.interrupted and done.problem is None,
        problem=done.problem,
        left=done.left,
        restored=not any(words.startswith("state ") for words in done.left),
        switch=kept.switch or Switch(a="", b=""),
        shown=kept.begun.shown if kept.begun else None,
        shown_b=pairs.shown_b if pairs else None,
        judgements=tuple(pairs.judgements.values()) if pairs else (),
        schedule=pairs.planned if pairs else None,
        pairs=pairs.done if pairs else 0,
        seconds=pairs.spent_s if pairs else 0.0,
    )


def describe_ab(request: AbRequest) -> Iterator[str]:
    """What would be done, line by line, as far as it can be told without a cluster."""
    study = request.study
    pairs = int(request.budget_s / request.pair_s)
    yield f"Experiment: {request.experiment.name}"
    yield f"  touches {request.experiment.touches}"
    yield f"  cells   {', '.join(cell.name for cell in study.cells)}"
    for name, cell in request.cells_of_b.items():
        yield f"  {name} in state B: {cell.title}"
    yield f"  a pair of A and B takes about {format_seconds(request.pair_s)}; at most {pairs} pairs in "
    yield f"  {format_seconds(request.budget_s)}, fewer when every cell has its verdict earlier"


def _measure(request: AbRequest, session: Session, kept: _Kept) -> None:
    asked = request.experiment.switch(_around(session), request.longest_switch_s)
    label = (SWITCH_LABEL, session.id)
    switch = kept.switch = replace(asked, environment=(*asked.environment, label))
    begun = kept.begun = begin(switch, session.journal, session.stop)
    _tell_of_a(begun, switch, session)
    try:
        bundle_b = _bundle_of_b(session.bundle, request.cells_of_b)
        kept.folder_b = bundle_b.folder
        pairs = kept.pairs = Pairs(
            session=session,
            switch=switch,
            bundles={"a": session.bundle, "b": bundle_b},
            budget_s=request.budget_s,
            settle_s=request.settle_s,
            margin=request.margin,
            shown=begun.shown,
            cells_of_b=request.cells_of_b,
        )
        ready = request.experiment.name if request.experiment.b_of else ""
        side = Side(state="", a=switch.a, b=switch.b, show=switch.show, other="", experiment=ready)
        for state, bundle in pairs.bundles.items():
            other = pairs.bundles[_OTHER[state]].manifest.id
            keep(bundle.folder, replace(side, state=state, other=other))
        _run(pairs, kept)
    finally:
        _restore(begun, session)


def _run(pairs: Pairs, kept: _Kept) -> None:
    session, bundle_b = pairs.session, pairs.bundles["b"]
    begun = session.hands.clock()
    try:
        _run_to_its_end(pairs)
        for bundle in pairs.bundles.values():
            bundle.change(complete=not pairs.session.stop.is_set())
    finally:
        pairs.conclude()
        for state, bundle in pairs.bundles.items():
            bundle.change(notes=(*bundle.manifest.notes, _note(state, pairs)))
        bundle_b.change(seconds=session.hands.clock() - begun)
        if not all(bundle.manifest.segments for bundle in pairs.bundles.values()):
            shutil.rmtree(bundle_b.folder)
            kept.folder_b = None


def _run_to_its_end(pairs: Pairs) -> None:
    """Raises Interrupted where the user ended it in a switch, or before state A had a single segment.

    Where the governor ended it, the bench raises the governor's reason instead.
    """
    governor = pairs.session.governor
    try:
        pairs.run()
        if pairs.session.stop.is_set() and not pairs.session.bundle.manifest.segments:
            raise Interrupted("interrupted before anything was measured")
    except Interrupted:
        if governor is None or governor.trouble is None:
            raise


def _around(session: Session) -> Surroundings:
    return Surroundings(
        cluster=session.cluster,
        pool=session.prepared.pool,
        client_conf=session.prepared.client_conf,
        site=session.place.client,
    )


def _tell_of_a(begun: Begun, switch: Switch, session: Session) -> None:
    session.say("state A stands" + (f": {begun.shown}" if begun.shown is not None else ""))
    if begun.found is not None and begun.found != begun.shown:
        session.warn(
            f"before state A, `{switch.show}` said {begun.found!r}. The experiment ends in A, not in the state it found"
        )


def _bundle_of_b(a: Bundle, cells_of_b: Mapping[str, Cell]) -> Bundle:
    cells = tuple(
        replace(cells_of_b[cell.name], where=cell.where) if cell.name in cells_of_b else cell
        for cell in a.manifest.cells
    )
    fresh = replace(a.manifest, id=f"{a.manifest.id}-b", created_at_s=now_s(), captures={}, segments=(), cells=cells)
    return Bundle.create(fresh)


def _note(state: str, pairs: Pairs) -> str:
    command = {"a": pairs.switch.a, "b": pairs.switch.b}[state]
    partner = pairs.bundles[_OTHER[state]].manifest.id
    return f"State {state.upper()} of an A/B experiment, set by `{command}`; the other side is {partner}"


def _restore(begun: Begun, session: Session) -> None:
    """Restore A now, while the cluster is up. If it fails, the clean-up tries again and reports."""
    session.say("restoring state A")
    try:
        with session.expecting():
            restore(begun.entry)
    except (ToolFailed, OSError) as error:
        session.warn(str(error))
        return
    session.journal.removed(begun.entry)
    proof = f", and shown: {begun.shown}" if begun.shown is not None else "; not verified, because there is no --show"
    session.say(f"state A is restored{proof}")


def compared(done: AbDone, margin: float) -> Comparison | None:
    """Both bundles compared as any two studies are, with the experiment's own verdicts. None without a whole pair."""
    if done.folder_b is None or not done.judgements:
        return None
    studies = [read_study(folder) for folder in (done.folder, done.folder_b)]
    [comparison] = compare(studies[:1], [studies[1:]], margin=margin)
    judgements = {one.cell.name: one for one in done.judgements}
    cells = tuple(
        one
        if isinstance(one.verdict, NotComparable)
        else replace(
            one,
            headline=replace(
                one.headline, ratio=judgements[one.cell.name].ratio, verdict=judgements[one.cell.name].verdict
            ),
        )
        for one in comparison.cells
    )
    return replace(comparison, cells=cells, correction=_correction(done))


def _correction(done: AbDone) -> str:
    return (
        f"Bonferroni over {len(done.judgements)} cell{'s' if len(done.judgements) > 1 else ''}, and Kim and DeMets "
        f"(1987) over {done.looks} look{'s' if done.looks > 1 else ''} while it ran; latencies (Holm) not over the "
        "looks"
    )


def rehearsed(study: StudyRequest, a: Path, *, budget_s: float, settle_s: float, margin: float) -> AbRequest:
    """a: the recorded bundle of state A."""
    side = read(a, read_study(a))
    commands = (side.a, side.b) if side else ("state A", "state B")
    states = States(*(f": {shlex.quote(command)}" for command in commands))  # the shell's own no-op, with a reminder
    experiment = Experiment(name=f"rehearsal of {a.name}", touches="nothing", states=lambda around: states)
    return AbRequest(study=study, experiment=experiment, budget_s=budget_s, settle_s=settle_s, margin=margin)
