"""A recorded experiment as a request that can be run again without anything being switched."""

from __future__ import annotations

import shlex
from pathlib import Path

from radoscope.archives.bundle import read_study
from radoscope.kinds.ab.experiments import Experiment, States
from radoscope.kinds.ab.run import AbRequest
from radoscope.kinds.ab.side import read
from radoscope.session.request import StudyRequest


def rehearsed(study: StudyRequest, a: Path, *, budget_s: float, settle_s: float, margin: float) -> AbRequest:
    """a: the recorded bundle of state A."""
    side = read(a, read_study(a))
    commands = (side.a, side.b) if side else ("state A", "state B")
    states = States(*(f": {shlex.quote(command)}" for command in commands))  # the shell's own no-op, with a reminder
    experiment = Experiment(name=f"rehearsal of {a.name}", touches="nothing", states=lambda scene: states)
    return AbRequest(study=study, experiment=experiment, budget_s=budget_s, settle_s=settle_s, margin=margin)
