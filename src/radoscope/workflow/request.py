"""What the user asked for: which cluster, which plan, and how far radoscope may go."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from radoscope import paths
from radoscope.errors import PlanError
from radoscope.plan.estimate import Cost, estimate, object_sets
from radoscope.plan.expand import Trial, cells_of
from radoscope.plan.schema import Plan
from radoscope.records.conditions import Layer
from radoscope.records.study import Cell
from radoscope.run.engines import commands_for
from radoscope.run.setting import Setting
from radoscope.units import format_bytes, format_seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Which cluster. All None: an embedded one that lives as long as the study.

    sandbox: the name of one that is up. conf: the ceph.conf of the user's own. pool: an existing one to measure in,
    None for an own one. disk_folder: where the test file of the disk cells is written. device: a whole device that may
    be overwritten instead. hosts: of the embedded cluster that is started, None for one without namespaces. clients:
    the hosts from which its load comes, as the user says them; none is the one from which it is prepared. ssh_config:
    how they are reached.
    """

    sandbox: str | None = None
    conf: Path | None = None
    user: str = "client.admin"
    keyring: Path | None = None
    pool: str | None = None
    replicas: int | None = None
    crush_rule: str | None = None
    disk_folder: Path | None = None
    device: Path | None = None
    hosts: int | None = None
    clients: tuple[str, ...] = ()
    ssh_config: Path | None = None

    def __post_init__(self) -> None:
        if self.sandbox and self.conf:
            raise PlanError("--sandbox and --conf name two clusters", "Give one of them.")
        if self.pool and not self.conf and not self.sandbox:
            raise PlanError("--pool needs a cluster", "Add --conf /etc/ceph/ceph.conf or --sandbox NAME.")
        if self.clients and not self.conf and not self.sandbox:
            raise PlanError(
                "--client needs a cluster that is up",
                "Add --conf /etc/ceph/ceph.conf, or --sandbox NAME of one with client hosts.",
            )
        if self.pool and (self.replicas or self.crush_rule):
            raise PlanError(
                "--replicas and --crush-rule apply only to radoscope's own pool", "Drop either --pool or these options."
            )

    @property
    def is_embedded(self) -> bool:
        """Whether a cluster is started for the run and removed after it."""
        return self.conf is None and self.sandbox is None

    def as_said(self) -> dict[str, Any]:
        """All that is not a default, as JSON values; `of` reads it back."""
        from pydantic import TypeAdapter  # start-up time

        said: dict[str, Any] = TypeAdapter(Target).dump_python(self, mode="json", exclude_defaults=True)
        return said

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> Target:
        from pydantic import TypeAdapter

        return TypeAdapter(Target).validate_python(said)


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyRequest:
    """One study.

    study_id: its name for good. as_hard_as_it_goes: full load at once on a cluster that others use. resume: go on in
    the bundle of that id, with the segments that it lacks. pinned_layers: pools of one copy may be made on the user's
    own cluster.
    """

    plan: Plan
    cells: tuple[Cell, ...]
    target: Target
    study_id: str
    allow_unhealthy: bool = False
    as_hard_as_it_goes: bool = False
    resume: bool = False
    pinned_layers: bool = False

    @classmethod
    def build(
        cls,
        plan: Plan,
        target: Target,
        *,
        only: tuple[str, ...] = (),
    ) -> StudyRequest:
        """only: shell patterns of cell names; nothing selects all. Raises PlanError when a pattern selects none."""
        cells = _selected(cells_of(plan, max(1, len(target.clients))), only)
        check_clients(cells, target)
        stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
        return cls(
            plan=plan,
            cells=cells,
            target=target,
            study_id=f"{stamp}-{plan.name}-{secrets.token_hex(2)}",
        )

    @property
    def cost(self) -> Cost:
        return estimate(self.plan, self.cells)

    @property
    def needs_cluster(self) -> bool:
        """Whether any cell needs Ceph: a study of a disk alone starts none."""
        return any(cell.conditions.layer in (Layer.RADOS, Layer.RBD) for cell in self.cells)

    def with_places(self, places: dict[Layer, str]) -> StudyRequest:
        """The same with each cell saying what it loads."""
        cells = tuple(replace(cell, where=places.get(cell.conditions.layer, "")) for cell in self.cells)
        return replace(self, cells=cells)


def check_clients(cells: Sequence[Cell], target: Target) -> None:
    """Raise PlanError when cells are to be loaded from more hosts than are given."""
    wanted = max((cell.conditions.client_hosts for cell in cells), default=1)
    if wanted > max(1, len(target.clients)):
        raise PlanError(
            f"cells of this plan need {wanted} client hosts, but {len(target.clients) or 'none'} given",
            "Name as many: --client client1 --client client2 on a sandbox, --client here --client ssh:root@node1 "
            "on your own cluster.",
        )


def describe_plan(request: StudyRequest) -> Iterator[str]:
    """What would be done, line by line: cells, time, bytes, and the exact commands of each cell."""
    cost, plan = request.cost, request.plan
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
    setting = _example_setting(request)
    for cell in request.cells:
        yield f"{cell.name}: {cell.title}"
        trial = Trial(cell=cell, round=1, seconds=plan.seconds, ramp=plan.ramp)
        hosts = request.target.clients[: cell.conditions.client_hosts]
        for number, command in enumerate(commands_for(trial, setting, Path("ROUND"))):
            on_cluster = cell.conditions.layer in (Layer.RADOS, Layer.RBD)
            where = f"on {hosts[number % len(hosts)]}: " if hosts and on_cluster else ""
            yield f"    {where}{' '.join(command.argv)}"


def _example_setting(request: StudyRequest) -> Setting:
    """Names as they will be, for a plan that is only shown."""
    name = f"radoscope-{request.study_id}"
    folder = request.target.disk_folder or paths.home()
    return Setting(
        label=request.study_id,
        client_conf=Path("WORK/ceph.conf"),
        user=f"client.{name}",
        pool=request.target.pool or name,
        namespace=name,
        images=tuple(f"{name}-{number}" for number in range(64)),
        read_sets={
            block: tuple(f"read-set-{block}-{number}" for number in range(readers))
            for block, readers in object_sets(request.cells).items()
        },
        file=folder / f"{name}.dat",
        file_bytes=request.plan.file_size,
        iperf_port=5201,
    )


def _selected(cells: tuple[Cell, ...], patterns: tuple[str, ...]) -> tuple[Cell, ...]:
    from fnmatch import fnmatchcase

    chosen = tuple(cell for cell in cells if not patterns or any(fnmatchcase(cell.name, one) for one in patterns))
    unknown = [one for one in patterns if not any(fnmatchcase(cell.name, one) for cell in cells)]
    if unknown:
        names = ", ".join(cell.name for cell in cells)
        raise PlanError(f"no cell matches {', '.join(unknown)}", f"The plan's cells: {names}")
    return chosen
