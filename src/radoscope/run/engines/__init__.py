"""Trial -> the commands that put its load on. One file a tool; an engine only writes command lines."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from radoscope.errors import PlanError
from radoscope.plan.expand import Trial
from radoscope.run.engines import fio, iperf3, osd_bench, ping, rados_bench, rbd_bench, s3
from radoscope.run.prepared import LoadCommand, Prepared


class Engine(Protocol):
    """TOOLS: the tool names of conditions that it serves."""

    @property
    def TOOLS(self) -> tuple[str, ...]: ...

    def commands(self, trial: Trial, prepared: Prepared, folder: Path) -> tuple[LoadCommand, ...]: ...


ENGINES: tuple[Engine, ...] = (fio, iperf3, osd_bench, ping, rados_bench, rbd_bench, s3)


def commands_for(trial: Trial, prepared: Prepared, folder: Path) -> tuple[LoadCommand, ...]:
    """One command a client process; folder: where they write. Raises PlanError for a tool without an engine."""
    for engine in ENGINES:
        if trial.cell.conditions.tool in engine.TOOLS:
            return engine.commands(trial, prepared, folder)
    raise PlanError(f"no engine for {trial.cell.conditions.tool}")
