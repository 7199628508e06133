"""Preparing commands, run to their end where load comes from, and paused for other clients."""

from __future__ import annotations

from collections.abc import Callable

from radoscope.errors import Interrupted, ToolFailed
from radoscope.run.prepared import LoadCommand
from radoscope.run.processes import Placed, lost, run_together
from radoscope.session.session import Session

_FILL_TIMEOUT_S = 3600.0


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
    """Whether the work pauses for other clients; reports when a pause starts."""
    paused = False

    def now() -> bool:
        nonlocal paused
        if session.others.suffer() and not paused:
            session.say(f"pausing: {session.others.harm}")
        paused = session.others.suffer()
        return paused

    return now
