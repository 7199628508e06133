"""What the user asked for: which kind of run, which cluster, which plan, and how far radoscope may go."""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from radoscope import paths
from radoscope.errors import PlanError
from radoscope.plan.estimate import FULL_ROUNDS, Cost, estimate, object_sets, segment_seconds
from radoscope.plan.expand import Trial, cells_of
from radoscope.plan.schema import Plan, check_plan
from radoscope.records.manifest import Manifest
from radoscope.records.study import Cell
from radoscope.run.engines import commands_for
from radoscope.run.prepared import Prepared
from radoscope.session.target import Permissions, Target
from radoscope.units import format_bytes, format_seconds

_NOTHING = Cost(seconds_low=0.0, seconds_high=0.0, prepare_s=0.0, pool_bytes=0, file_bytes=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyRequest:
    """One run.

    study_id: its name for good. kind: as the manifest keeps it. plan: None where no cell is measured, as when every OSD
    is asked for its own bench. resume: go on in the bundle of that id, with the segments that it lacks.
    """

    kind: str = "rounds"
    plan: Plan | None = None
    cells: tuple[Cell, ...] = ()
    target: Target
    study_id: str
    permissions: Permissions = field(default_factory=Permissions)
    resume: bool = False
    also: tuple[Cell, ...] = ()

    @classmethod
    def build(
        cls,
        plan: Plan,
        target: Target,
        *,
        only: tuple[str, ...] = (),
        permissions: Permissions | None = None,
        kind: str = "rounds",
    ) -> StudyRequest:
        """only: shell patterns of cell names, also several in one with commas; nothing selects all.

        Raises PlanError when a pattern selects none.
        """
        cells = _selected(cells_of(plan, max(1, len(target.clients))), only)
        check_clients(cells, target)
        check_budget(plan, cells)
        return cls(
            kind=kind,
            plan=plan,
            cells=cells,
            target=target,
            study_id=new_id(plan.name),
            permissions=permissions or Permissions(),
        )

    @property
    def cost(self) -> Cost:
        return _NOTHING if self.plan is None else estimate(self.plan, self.cells)

    @property
    def needs_cluster(self) -> bool:
        """Whether anything needs Ceph: a study of a disk alone starts none."""
        return self.plan is None or any(cell.conditions.layer.on_cluster for cell in self.cells)

    @property
    def needs_pool(self) -> bool:
        """Whether there is to be a pool of the run's own, or one that the user names."""
        return any(cell.conditions.layer.on_own_pool for cell in self.cells)

    def plan_values(self) -> dict[str, Any]:
        """The plan as the manifest keeps it."""
        return {"name": self.kind} if self.plan is None else self.plan.model_dump(mode="json")


def asked_in(manifest: Manifest, hosts: int) -> tuple[Plan, tuple[Cell, ...]]:
    """The plan of a bundle, and those of its cells that the plan has itself. hosts: of the load. Raises PlanError."""
    kept = {key: value for key, value in manifest.plan.items() if key != "pool"}
    plan = check_plan(kept, f"the plan of study {manifest.id}")
    wanted = {cell.name for cell in manifest.cells}
    return plan, tuple(cell for cell in cells_of(plan, max(1, hosts)) if cell.name in wanted)


def new_id(name: str) -> str:
    """A name for good: it begins with the time, so that ids sort by it."""
    return f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{name}-{secrets.token_hex(2)}"


def check_clients(cells: Sequence[Cell], target: Target) -> None:
    """Raise PlanError when cells are to be loaded from more hosts than are given."""
    wanted = max((cell.conditions.client_hosts for cell in cells), default=1)
    if wanted > max(1, len(target.clients)):
        raise PlanError(
            f"cells of this plan need {wanted} client hosts, but {len(target.clients) or 'none'} given",
            "Name as many: --client client1 --client client2 on a sandbox, --client here --client ssh:root@node1 "
            "on your own cluster.",
        )


def check_budget(plan: Plan, cells: Sequence[Cell]) -> None:
    """Raise PlanError where the first rounds alone would take longer than the budget."""
    least_s = FULL_ROUNDS * sum(segment_seconds(plan, cell) for cell in cells)
    if plan.budget is not None and plan.budget < least_s:
        raise PlanError(
            f"a budget of {format_seconds(plan.budget)} is too short: {FULL_ROUNDS} rounds of {len(cells)} cells take "
            f"about {format_seconds(least_s)}, and preparing comes before them",
            f"Give --budget {math.ceil(least_s / 60) + 1}m, or fewer cells with --cells.",
        )


def describe_plan(request: StudyRequest) -> Iterator[str]:
    """What would be done, line by line: cells, time, bytes, and the exact commands of each cell."""
    cost, plan = request.cost, request.plan
    assert plan is not None
    yield f"Plan {plan.name}: {plan.title}" if plan.title else f"Plan {plan.name}"
    each = format_seconds(plan.seconds)
    yield f"  {len(request.cells)} cells, {plan.rounds} rounds or more of {each} each, in random order"
    yield f"  time    {format_seconds(cost.seconds_low)} to {format_seconds(cost.seconds_high)}"
    yield f"  pool    {format_bytes(cost.pool_bytes)}, times the number of replicas"
    yield f"  file    {format_bytes(cost.file_bytes)}"
    yield ""
    yield from describe_cells(request)


def describe_cells(request: StudyRequest) -> Iterator[str]:
    """Each cell with the exact commands of its load."""
    plan = request.plan
    assert plan is not None
    prepared = _example(request, plan)
    for cell in request.cells:
        yield f"{cell.name}: {cell.title}"
        trial = Trial(cell=cell, round=1, seconds=plan.seconds, ramp=plan.ramp)
        hosts = request.target.clients[: cell.conditions.client_hosts]
        for number, command in enumerate(commands_for(trial, prepared, Path("ROUND"))):
            where = f"on {hosts[number % len(hosts)]}: " if hosts and cell.conditions.layer.on_cluster else ""
            yield f"    {where}{' '.join(command.argv)}"


def _example(request: StudyRequest, plan: Plan) -> Prepared:
    """Names as they will be, for a plan that is only shown."""
    name = f"radoscope-{request.study_id}"
    folder = request.target.disk_folder or paths.home()
    return Prepared(
        client_conf=Path("WORK/ceph.conf"),
        user=f"client.{name}",
        pool=request.target.pool or name,
        namespace=name,
        images=tuple(f"{name}-{number}" for number in range(64)),
        folder=f"/volumes/_nogroup/{name}/UUID",
        files=tuple(f"file-{number}" for number in range(64)),
        files_bytes=plan.image_size,
        read_sets={
            block: tuple(f"read-set-{block}-{number}" for number in range(readers))
            for block, readers in object_sets(request.cells).items()
        },
        file=folder / f"{name}.dat",
        file_bytes=plan.file_size,
        iperf_port=5201,
    )


def _selected(cells: tuple[Cell, ...], patterns: tuple[str, ...]) -> tuple[Cell, ...]:
    from fnmatch import fnmatchcase

    patterns = tuple(one.strip() for some in patterns for one in some.split(","))
    chosen = tuple(cell for cell in cells if not patterns or any(fnmatchcase(cell.name, one) for one in patterns))
    unknown = [one for one in patterns if not any(fnmatchcase(cell.name, one) for cell in cells)]
    if unknown:
        names = ", ".join(cell.name for cell in cells)
        raise PlanError(f"no cell matches {', '.join(unknown)}", f"The plan's cells: {names}")
    return chosen
