"""A segment of the OSDs' own bench: one small write at a time, asked of one OSD after the other."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from radoscope.errors import RadoscopeError, SiteError
from radoscope.plan.expand import Trial
from radoscope.run.processes import Placed, Ran, Running, Stop
from radoscope.session.session import Session


def asks_osds(trial: Trial) -> bool:
    """Whether no process puts the load on, but each OSD, when it is told to."""
    return trial.cell.conditions.tool == "osd-bench"


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
