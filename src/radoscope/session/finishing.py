"""Preparing commands, run to their end where load comes from, and paused for other clients."""

from __future__ import annotations

import time
from collections.abc import Callable

from radoscope.errors import Interrupted, ToolFailed
from radoscope.run.prepared import LoadCommand
from radoscope.run.processes import Placed, lost, run_together
from radoscope.session.session import Session
from radoscope.session.waiting import checks
from radoscope.units import format_seconds

_FILL_TIMEOUT_S = 3600.0
_STILL_S = (30.0, 120.0, 600.0, 1800.0)
"""When people begin to wonder whether it hangs."""


def finish(session: Session, name: str, *argvs: tuple[str, ...]) -> None:
    """Run preparing commands side by side to their end, as the own user. Raises ToolFailed, Interrupted."""
    commands = [
        LoadCommand(argv=argv, reader="", name=f"{name}-{n}", output=f"{name}-{n}.out", timeout_s=_FILL_TIMEOUT_S)
        for n, argv in enumerate(argvs)
    ]
    client = session.place.client
    folder = None if client.folder is None else client.folder / "prepare"
    with session.others.loaded_by(name):
        ran = run_together(
            [Placed(command, client, folder) for command in commands],
            folder=session.work,
            label=session.id,
            stop=session.stop,
            on_text=lambda _client, _text: None,
            hold=_pausing(session),
        )
    if ran.stopped:
        raise Interrupted("interrupted while preparing")
    if ran.failed is not None:
        command = commands[ran.failed]
        if ran.failed in ran.lost:
            raise lost(client, session.work / command.stderr)
        said = [(session.work / file).read_text(errors="replace") for file in (command.stderr, command.stdout)]
        # fio may say what is wrong among its results, which say a lot more after it.
        wrong = [line for line in "".join(said).splitlines() if "error=" in line]
        raise ToolFailed(f"`{' '.join(command.argv)}` failed: {' / '.join(wrong) or ''.join(said).strip()[-400:]}")


def _pausing(session: Session) -> Callable[[], bool]:
    """Whether the work pauses for other clients; reports when a pause starts, and now and then that it still runs."""
    paused, begun, due = False, time.monotonic(), list(_STILL_S)

    def now() -> bool:
        nonlocal paused
        if due and time.monotonic() - begun > due[0]:
            session.say(f"still at it after {format_seconds(due.pop(0))}{checks(session)}")
        if session.others.suffer() and not paused:
            session.say(f"pausing: {session.others.harm}")
        paused = session.others.suffer()
        return paused

    return now
