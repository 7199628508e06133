"""One trial -> one segment of the bundle: start its clients, keep all that they print, say how it ended."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from radoscope.errors import RadoscopeError
from radoscope.plan.expand import Trial
from radoscope.records.manifest import ProcessEntry, SegmentEntry
from radoscope.records.study import Outcome
from radoscope.run.clock import now_s
from radoscope.run.command import LoadCommand
from radoscope.run.engines import commands_for
from radoscope.run.events import Line, Listener
from radoscope.run.processes import Ran, run_together
from radoscope.run.setting import Setting
from radoscope.run.sites.site import Site
from radoscope.run.telemetry import Sources, Telemetry, write
from radoscope.run.yardstick import host_speed

_TELEMETRY = "telemetry.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What is observed beside a segment. seen_between: (from, to) in Unix time -> series of the cluster's state."""

    sources: Sources = field(default_factory=Sources)
    seen_between: Callable[[float, float], list[dict[str, Any]]] = lambda begin, end: []


def execute(
    trial: Trial,
    *,
    setting: Setting,
    site: Site,
    bundle: Path,
    on_event: Listener,
    stop: threading.Event,
    beside: Beside,
) -> SegmentEntry:
    """Run one segment. Never raises for a tool that fails: a failed segment is a value, and the study goes on.

    Raises OSError when the bundle cannot be written.
    """
    folder = bundle / "segments" / trial.cell.name / f"round-{trial.round}"
    folder.mkdir(parents=True, exist_ok=True)
    speed = host_speed()
    started_at_s, begun = now_s(), time.monotonic()
    commands: tuple[LoadCommand, ...] = ()
    ran, problem = Ran(()), ""
    telemetry = Telemetry(beside.sources)
    telemetry.start()
    try:
        commands = commands_for(trial, setting.of(trial.cell.conditions), folder)
        ran = run_together(
            commands,
            site=site,
            folder=folder,
            label=setting.label,
            stop=stop,
            on_text=lambda client, text: on_event(Line(trial.cell.conditions.tool, client, text)),
            on_start=telemetry.clients_started,
        )
    except RadoscopeError as error:
        problem = error.message
    finally:
        seconds = time.monotonic() - begun
        taken = telemetry.stop()
    taken["series"] += beside.seen_between(started_at_s, started_at_s + seconds)
    write(folder / _TELEMETRY, taken)
    outcome, why = _outcome(ran, commands, folder)
    return SegmentEntry(
        cell=trial.cell.name,
        round=trial.round,
        outcome=Outcome.FAILED if problem else outcome,
        started_at_s=started_at_s,
        seconds=seconds,
        processes=_entries(commands, ran, folder, bundle, site),
        problem=problem or why,
        host_speed=speed,
        telemetry=str((folder / _TELEMETRY).relative_to(bundle)),
    )


def _outcome(ran: Ran, commands: Sequence[LoadCommand], folder: Path) -> tuple[Outcome, str]:
    if ran.stopped:
        return Outcome.INTERRUPTED, "stopped before its time"
    if ran.hung:
        return Outcome.FAILED, f"{', '.join(ran.hung)} did not end in time and was stopped"
    for command, code in zip(commands, ran.exit_codes, strict=False):
        if code != 0:
            return Outcome.FAILED, f"{command.argv[0]} ended with {_code(code)}: {_last_words(folder / command.stderr)}"
    return Outcome.DONE, ""


def _code(code: int | None) -> str:
    return f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"


def _last_words(path: Path) -> str:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    return " / ".join(line.strip() for line in lines[-2:] if line.strip())[:300] or "it said nothing"


def _entries(
    commands: Sequence[LoadCommand], ran: Ran, folder: Path, bundle: Path, site: Site
) -> tuple[ProcessEntry, ...]:
    here = folder.relative_to(bundle)
    codes = [*ran.exit_codes, *([None] * len(commands))]
    return tuple(
        ProcessEntry(
            argv=site.wrap(command.argv),
            reader=command.reader,
            output=str(here / command.output),
            stdout=str(here / command.stdout),
            stderr=str(here / command.stderr),
            logs=tuple(sorted(str(here / log.name) for log in folder.glob(f"{command.name}_*.log"))),
            exit_code=code,
        )
        for command, code in zip(commands, codes, strict=False)
    )
