"""One trial -> one segment of the bundle: start its clients, keep all that they print, say how it ended."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from radoscope.errors import RadoscopeError, SiteError
from radoscope.plan.expand import Trial
from radoscope.records.conditions import Layer
from radoscope.records.manifest import ProcessEntry, SegmentEntry
from radoscope.records.study import Outcome
from radoscope.run.clock import host_speed, now_s
from radoscope.run.engines import commands_for
from radoscope.run.prepared import Prepared
from radoscope.run.processes import Ahead, AnyOf, Placed, Ran, Running, Stop, lost, run_together
from radoscope.run.telemetry import Telemetry
from radoscope.session.session import Session
from radoscope.session.standing import hearing
from radoscope.sites import Site, talk

_TELEMETRY = "telemetry.json"
_Run = Callable[..., Ran]


def get_ready(session: Session, trials: Sequence[Trial], bundle: Path) -> None:
    """Start the clients of these trials, which connect side by side, and wait until all of them wait for their turn.

    Clients of earlier trials that were not run are ended. One that cannot be started shows when its segment runs.
    """
    for left in [*session.ahead]:
        session.ahead.pop(left).close()
    for trial in trials:
        folder = _folder_of(trial, bundle)
        with suppress(RadoscopeError):
            placed = _placed(session, trial, folder, bundle)
            if Ahead.can(placed):
                session.ahead[folder] = Ahead(placed, folder, session.id)
    for ahead in session.ahead.values():
        ahead.await_ready(session.stop)


def execute(session: Session, trial: Trial, bundle: Path) -> SegmentEntry:
    """Run one segment. A tool that fails raises nothing: a failed segment is a value, and the study continues.

    Raises OSError when the bundle, a folder, cannot be written.
    """
    folder = _folder_of(trial, bundle)
    speed = None if session.place.is_elsewhere else host_speed()
    started_at_s, begun = now_s(), time.monotonic()
    placed: tuple[Placed, ...] = ()
    ran, problem, harm = Ran(()), "", ""
    telemetry = Telemetry(session.sources)
    telemetry.start()
    try:
        ahead = session.ahead.pop(folder, None)
        placed = ahead.placed if ahead else _placed(session, trial, folder, bundle)
        run: _Run = ahead.run if ahead else partial(run_together, placed, folder=folder, label=session.id)
        if trial.cell.conditions.tool == "osd-bench":  # no process puts that load on, but each OSD, when it is told to
            run = partial(ask_osds, session, trial, placed, folder)
        ran, harm = _run(session, trial, run, telemetry)
        _fetch(placed, ran, folder)
    except RadoscopeError as error:
        problem = error.message
    finally:
        seconds = time.monotonic() - begun
        taken = telemetry.stop()
    for watch in (session.governor, session.others):
        taken["series"] += watch.seen_between(started_at_s, started_at_s + seconds) if watch else []
    (folder / _TELEMETRY).write_text(json.dumps(taken), encoding="utf-8")
    outcome, why = (Outcome.WITHHELD, f"withheld: {harm}") if harm else _outcome(ran, placed, folder)
    return SegmentEntry(
        cell=trial.cell.name,
        round=trial.round,
        outcome=Outcome.FAILED if problem else outcome,
        started_at_s=started_at_s,
        seconds=seconds,
        processes=_entries(placed, ran, folder, bundle),
        problem=problem or why,
        host_speed=speed,
        telemetry=str((folder / _TELEMETRY).relative_to(bundle)),
    )


def _folder_of(trial: Trial, bundle: Path) -> Path:
    folder = bundle / "segments" / trial.cell.name / f"round-{trial.round}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _placed(session: Session, trial: Trial, folder: Path, bundle: Path) -> tuple[Placed, ...]:
    sites = session.place.sites(trial.cell.conditions.layer)
    return place(trial, session.prepared.of(trial.cell.conditions), sites, folder, bundle.name)


def _run(session: Session, trial: Trial, run: _Run, telemetry: Telemetry) -> tuple[Ran, str]:
    """How the processes ended; and what others suffered, where the load was ended for their sake."""
    others = session.others
    with others.loaded_by(trial.cell.name):
        ran = run(
            stop=AnyOf((session.stop.is_set, others.suffer)),
            on_text=hearing(trial.cell.conditions.tool, session.on_event),
            on_start=lambda running: telemetry.clients_started(_workers(session, trial, running)),
        )
        return ran, others.harm if ran.stopped and not session.stop.is_set() else ""


def _workers(session: Session, trial: Trial, running: tuple[Running, ...]) -> tuple[Running, ...]:
    """The processes that do the clients' work: of a guest its QEMU, for what talks to it only waits."""
    asked = trial.cell.conditions
    if asked.layer is Layer.GUEST and session.guests is not None:
        return session.guests.running[: asked.clients]
    return running


def place(trial: Trial, prepared: Prepared, sites: Sequence[Site], folder: Path, bundle: str) -> tuple[Placed, ...]:
    """The commands of a cell, round robin over its hosts, each as its host must hear it: with the paths there.

    bundle: its name, because both states of an experiment have a round of the same number.
    """
    hosts = tuple(sites)[: trial.cell.conditions.client_hosts]
    heard = [_commands_at(site, trial, prepared, folder, f"{bundle}-{trial.cell.name}-{trial.round}") for site in hosts]
    return tuple(heard[number % len(hosts)][number] for number in range(len(heard[0])))


def _commands_at(site: Site, trial: Trial, prepared: Prepared, here: Path, away: str) -> list[Placed]:
    there = site.folder / away if site.folder is not None else None
    return [Placed(command, site, there) for command in commands_for(trial, prepared.at(site), there or here)]


def _fetch(placed: Sequence[Placed], ran: Ran, folder: Path) -> None:
    """The tools' files from other hosts; none from a lost one, which is reported as such."""
    ends = zip(placed, ran.exit_codes, strict=False)
    gone = {one.site.name for number, (one, code) in enumerate(ends) if code is None or number in ran.lost}
    folders = {one.site: one.folder for one in placed if one.folder is not None and one.site.name not in gone}
    if folders and ran.exit_codes:
        with ThreadPoolExecutor(len(folders)) as pool:
            for _ in pool.map(lambda site: talk.fetch(site, folders[site], folder), folders):
                pass  # raises what went wrong


def _outcome(ran: Ran, placed: Sequence[Placed], folder: Path) -> tuple[Outcome, str]:
    if ran.stopped:
        return Outcome.INTERRUPTED, "stopped early"
    if ran.hung:
        return Outcome.FAILED, f"{', '.join(ran.hung)} did not end in time and was killed"
    if ran.failed is None:
        return Outcome.DONE, ""
    one, code = placed[ran.failed], ran.exit_codes[ran.failed]
    stderr = folder / one.command.stderr
    if ran.failed in ran.lost:
        return Outcome.FAILED, lost(one.site, stderr).message
    where = f" on {one.site.name}" if one.folder is not None else ""
    end = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
    return Outcome.FAILED, f"{one.command.argv[0]}{where} ended with {end}: {_last_words(stderr)}"


def _last_words(path: Path) -> str:
    try:
        return talk.last_words(path.read_bytes()) or "it printed nothing"
    except OSError:
        return ""


def _entries(placed: Sequence[Placed], ran: Ran, folder: Path, bundle: Path) -> tuple[ProcessEntry, ...]:
    here = folder.relative_to(bundle)
    none = [None] * len(placed)
    ends = zip(placed, [*ran.exit_codes, *none], [*ran.running, *none], strict=False)
    return tuple(_entry(one, code, begun, here, folder) for one, code, begun in ends)


def _entry(placed: Placed, code: int | None, begun: Running | None, here: Path, folder: Path) -> ProcessEntry:
    command, site = placed.command, placed.site
    return ProcessEntry(
        # As its host heard it: what carries it there is ours, and would hide the load from those who look for it.
        argv=command.argv if placed.folder is not None else site.wrap(command.argv),
        reader=command.reader,
        output=str(here / command.output),
        stdout=str(here / command.stdout),
        stderr=str(here / command.stderr),
        logs=tuple(sorted(str(here / log.name) for log in folder.glob(f"{command.name}_*.log"))),
        exit_code=code,
        host=site.name,
        towards=command.towards,
        begun_at_s=begun.begun_at_s if begun else None,
        clock_ahead_s=begun.clock_ahead_s if begun else 0.0,
    )


def ask_osds(
    session: Session,
    trial: Trial,
    placed: tuple[Placed, ...],
    folder: Path,
    *,
    stop: Stop,
    on_text: Callable[[int, str], None],
    on_start: Callable[[tuple[Running, ...]], None],
) -> Ran:
    """What the OSDs answer goes to the command's output, a line each, as `ceph tell osd.* bench` prints it.

    An OSD that does not answer ends the segment, with its reason on the command's standard error.
    """
    sources, command, size = session.sources, placed[0].command, trial.cell.conditions.block_bytes
    order = random.Random(f"{session.id}/{trial.round}").sample(sources.osds, len(sources.osds))
    end_s, number = time.monotonic() + trial.seconds, 0
    with (folder / command.output).open("w", encoding="utf-8") as out:
        try:
            if sources.ask_osd is None or not order:
                raise SiteError("no OSD can be asked")
            ask: Callable[..., Any] = sources.ask_osd
            while time.monotonic() < end_s and not stop.is_set():
                osd = order[number % len(order)]
                line = f"osd.{osd}: {json.dumps(ask(osd, 'bench', count=size, size=size))}\n"
                out.write(line)
                number += 1
        except RadoscopeError as error:
            (folder / command.stderr).write_text(error.message, encoding="utf-8")
            return Ran((1,), failed=0)
    return Ran((0,), stopped=stop.is_set())
