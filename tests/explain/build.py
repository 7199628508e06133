"""Small studies and results for the rules' tests: each says only what its rule looks at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from radoscope.explain.asking import judge
from radoscope.explain.evidence import CellEvidence, ResultEvidence, StudyEvidence
from radoscope.explain.finding import Finding
from radoscope.explain.neighbours import Neighbours
from radoscope.explain.rules import RULES
from radoscope.records.conditions import Conditions, Layer, Operation, Sync
from radoscope.records.environment import ClusterFacts, DeviceFacts, Environment, HostFacts, PoolFacts
from radoscope.records.measurement import Latency, Result, Series
from radoscope.records.study import Cell, Outcome, Segment, Study
from radoscope.records.telemetry import SlowOp
from radoscope.stats.values import CellSummary, Estimate, Interval, LatencySummary, Summaries, Undecided

FIO_RBD = ("env", "CEPH_CONF=x", "fio", "--ioengine=rbd", "--direct=1", "--size=1073741824")
FIO_DISK = ("fio", "--ioengine=libaio", "--direct=1", "--filename=/x", "--size=1073741824")


def estimate(value: float, width: float = 0.02) -> Estimate:
    return Estimate(value, Interval(value * (1 - width), value * (1 + width)), samples=6)


def cell(
    layer: str = "rbd",
    op: str = "randwrite",
    *,
    block: int | None = 4096,
    depth: int = 1,
    clients: int = 1,
    sync: str = "none",
    tool: str = "fio",
    name: str = "",
) -> Cell:
    conditions = Conditions(
        layer=Layer(layer),
        tool=tool,
        op=Operation(op),
        block_bytes=block,
        queue_depth=depth,
        clients=clients,
        sync=Sync(sync),
    )
    named = name or f"{layer}-{op}-{block}-{depth}-{clients}-{sync}-{tool}"
    return Cell(name=named, title=named.title(), conditions=conditions)


def result(tool: str = "fio", op: str | None = "randwrite", **fields: Any) -> Result:
    """latency_s is a short word for the mean; everything else is a field of Result."""
    latency_s = fields.pop("latency_s", None)
    latency = None if latency_s is None else Latency(mean_s=latency_s, percentiles_s=fields.pop("percentiles_s", {}))
    return Result(**({"tool": tool, "op": op, "block_bytes": 4096, "latency": latency} | fields))


def segment(
    of: Cell,
    *,
    round: int = 0,
    outcome: Outcome = Outcome.DONE,
    iops: float = 1000.0,
    latency_s: float | None = None,
    seconds: float = 2.0,
    telemetry: Mapping[str, tuple[float, ...]] | None = None,
    commands: tuple[tuple[str, ...], ...] = (FIO_RBD,),
    counters: Mapping[str, float] | None = None,
    osd_counters: Mapping[int, Mapping[str, float]] | None = None,
    started_at_s: float | None = None,
    host_speed: float | None = None,
    problem: str = "",
    slowest: tuple[SlowOp, ...] = (),
    **fields: Any,
) -> Segment:
    asked = of.conditions
    latency = asked.in_flight / iops if latency_s is None and iops else (latency_s or 0.0)
    one = result(
        asked.tool,
        asked.op.value,
        block_bytes=asked.block_bytes,
        queue_depth=asked.queue_depth,
        iops=iops,
        total_ios=round_(iops * seconds),
        runtime_s=seconds,
        latency_s=latency,
    )
    return Segment(
        cell=of.name,
        round=round,
        outcome=outcome,
        started_at_s=float(round) * 100 if started_at_s is None else started_at_s,
        seconds=seconds,
        commands=commands,
        results=(replace(one, **fields),),
        telemetry=tuple(Series(n, "1", tuple(range(len(v))), v) for n, v in (telemetry or {}).items()),
        counters=counters or {},
        osd_counters=osd_counters or {},
        slowest=slowest,
        host_speed=host_speed,
        problem=problem,
    )


def round_(value: float) -> int:
    return int(value + 0.5)


def summary(
    of: Cell,
    *,
    iops: float | Undecided = 1000.0,
    width: float = 0.02,
    latency_s: float | None = None,
    bandwidth: float | None = None,
    precise: bool = True,
    needs: str = "",
    percentiles: bool = True,
) -> CellSummary:
    rate = iops if isinstance(iops, Undecided) else estimate(iops, width)
    mean = (
        latency_s
        if latency_s is not None
        else of.conditions.in_flight / (1000.0 if isinstance(iops, Undecided) else iops)
    )
    return CellSummary(
        cell=of,
        iops=rate,
        bandwidth_bytes_per_s=estimate(bandwidth) if bandwidth else Undecided("no bandwidth"),
        latency=LatencySummary(
            mean_s=estimate(mean, width), percentiles_s={99.0: estimate(2 * mean)} if percentiles else {}
        ),
        segments=6,
        measured_s=12.0,
        precise=precise,
        needs=needs,
    )


@dataclass(frozen=True)
class Known:
    """A published drive."""

    model: str
    sync_write_4k_qd1_iops: float | None
    device_class: str = "sata_ssd"
    plp: bool | None = None


DRIVES = [Known(f"drive {rate}", float(rate)) for rate in (100, 300, 600, 9000, 20_000)]
CLUSTER = ClusterFacts(
    fsid="f",
    health="HEALTH_OK",
    versions={"osd": {"ceph version 16": 3}},
    osds=3,
    osds_up=3,
    osds_in=3,
    total_bytes=100 * 2**30,
    used_bytes=40 * 2**30,
    device_classes={"ssd": 3},
    pool=PoolFacts(name="p", size=3, pg_num=128),
)
ENVIRONMENT = Environment(
    hosts=(
        HostFacts(
            name="h1", role="client", cpu_governor="performance", deepest_cstate_latency_s=2e-6, memory_bytes=2**33
        ),
    ),
    devices=(DeviceFacts(path="/dev/sda", used_for="osd", model="A", write_cache="write through"),),
    cluster=CLUSTER,
)


def cluster(**changes: Any) -> Environment:
    return replace(ENVIRONMENT, cluster=replace(CLUSTER, **changes))


@dataclass(frozen=True)
class Told:
    """A study for a rule: its segments, and summaries where the defaults do not do."""

    segments: tuple[Segment, ...] = ()
    cells: tuple[Cell, ...] = ()
    summaries: tuple[CellSummary, ...] = ()
    environment: Environment = ENVIRONMENT
    sandbox: str | None = None
    complete: bool = True
    notes: tuple[str, ...] = ()

    def study(self) -> Study:
        known = self.cells or tuple(one.cell for one in self.summaries)
        return Study(
            id="s",
            plan="p",
            target="t",
            created_at_s=0.0,
            cells=known,
            segments=self.segments,
            environment=self.environment,
            sandbox=self.sandbox,
            complete=self.complete,
            notes=self.notes,
        )

    def all_summaries(self) -> Summaries:
        given = {one.cell.name: one for one in self.summaries}
        return Summaries(cells=tuple(given.get(one.name) or summary(one) for one in self.study().cells))


def rule(name: str) -> Any:
    return next(one for one in RULES if one.name == name)


def ask_cell(name: str, told: Told) -> Any:
    """The rule's verdict on the study's first cell."""
    study, summaries = told.study(), told.all_summaries()
    first = study.cells[0]
    assert rule(name).concerns(first.conditions), f"{name} does not concern {first.name}"
    verdict = rule(name).cell(CellEvidence(study, first, summaries.of(first.name), summaries))
    return rule(name).signed(verdict, first.name)


def ask_study(name: str, told: Told) -> Any:
    return rule(name).signed(rule(name).study(StudyEvidence(told.study(), told.all_summaries(), DRIVES)))


def ask_environment(name: str, environment: Environment) -> Any:
    return rule(name).signed(rule(name).environment(environment))


def ask_result(name: str, *results: Result, about: int = 1, published: Any = (), drives: Any = ()) -> Any:
    """The rule's verdict on one of the results, the first unless said otherwise."""
    evidence = ResultEvidence(results[about - 1], about, Neighbours(results, published), drives)
    return rule(name).signed(rule(name).result(evidence), evidence.name)


__all__ = ["Finding", "judge"]
