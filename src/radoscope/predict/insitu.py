"""Prediction in situ: calibrated on the lower layers of a measured cluster, it predicts the layer above.

Layer by layer, and each constant only from the layer that identifies it: the drive's durable write and read from the
disk cells, the round trip and the line from the network cells, the software latency from RADOS at depth 1, the cost
per operation from RADOS at depth 16. Every cell is predicted before it is used to calibrate, from what lies below it
alone; the gap between prediction and measurement is what this page is for. What-ifs start from what was measured, with
the constants as they are once the cell itself was seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from radoscope.errors import PlanError
from radoscope.predict.constants import Constants
from radoscope.predict.defaults import fill
from radoscope.predict.facts import Facts
from radoscope.predict.model import Model, load_class
from radoscope.predict.network import bottleneck, solve
from radoscope.predict.setting import Setting
from radoscope.predict.whatif import Change, Ratio, apply, check_together, one_by_one_and_together, ratio_between
from radoscope.records.conditions import Conditions, Layer, Operation, Sync
from radoscope.records.study import Study
from radoscope.stats.values import CellSummary, Estimate, Interval, Summaries

CONFIDENCE = 0.8
GENERIC_SHARE = 0.5
"""An interval in situ is this share of the class's interval across clusters: in the prototype's rehearsals calibration
on lower layers halved the errors (median 0.28 -> 0.18, p90 0.84 -> 0.60)."""

LATENCY_CONSTANTS = {True: ("write_software",), False: ("read_software",)}
RATE_CONSTANTS = {
    True: ("write_cycles", "osd_cycles", "kv_cycles", "client_cycles", "connection_cycles"),
    False: ("read_cycles", "osd_cycles", "client_cycles", "connection_cycles"),
}
BYTE_CONSTANTS = {
    True: ("write_byte_cycles", "hop_cycles", "client_byte_cycles"),
    False: ("read_byte_cycles", "hop_cycles", "client_byte_cycles"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """One cell of the ladder. calibrated: what was learnt from it for the rungs above, None where nothing was."""

    cell: str
    predicted_iops: float
    interval: Interval
    measured_iops: float
    bottleneck: str
    calibrated: str | None = None

    @property
    def ratio(self) -> float:
        """Measured over predicted: 1 as the model has it, 0.5 where reality reaches half."""
        return self.measured_iops / self.predicted_iops

    @property
    def falls_short(self) -> bool:
        return self.measured_iops < self.interval.low


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Reality below the model's interval: the material of a finding."""

    cell: str
    claim: str
    because: tuple[str, ...]
    try_next: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """measured: inputs taken from the study, in words. rungs: by layer. gaps: where reality falls short."""

    measured: tuple[str, ...]
    assumed: tuple[str, ...]
    rungs: tuple[Rung, ...]
    gaps: tuple[Gap, ...]


_REPLACES: dict[str, Callable[[Conditions], bool]] = {
    "drive": lambda load: load.layer is Layer.DISK,
    "fsync_latency_us": lambda load: load.layer is Layer.DISK and load.sync is not Sync.NONE,
    "read_latency_us": lambda load: load.layer is Layer.DISK and load.op.reads,
    "rtt_us": lambda load: load.layer is Layer.NETWORK and load.op is Operation.RTT,
    "network_Gbps": lambda load: load.layer is Layer.NETWORK and load.op is not Operation.RTT,
}
"""Change -> whether what a cell of a lower layer has measured would no longer hold."""

_NOT_HERE = frozenset(
    {"clients", "client_hosts", "queue_depth", "access", "cluster_network_Gbps", "client_network_Gbps"}
)
"""Changes that a study cannot be asked about: its cells have a load of their own, its network was measured as one."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """A cell that has a rate."""

    name: str
    load: Conditions
    iops: float


def fit_study(study: Study, summaries: Summaries, model: Model) -> Ladder:
    """Predict each RADOS and RBD cell of a study from the layers below it. Pure; needs no disk or network cell, but
    says in `assumed` what it lacked."""
    seen = list(_measured_cells(summaries))
    facts, assumed_facts = _facts(study)
    base, assumed = fill(replace(facts, op="rand_write"))
    base, measured = _with_lower_layers(base, seen)
    rungs = tuple(step.rung for step in _climb(base, seen, model))
    known = {"block_bytes", "clients", "client_hosts", "queue_depth"}.union(*(_told_by(cell.load) for cell in seen))
    still_assumed = tuple(item for item in assumed if item.split("=")[0] not in known)
    return Ladder(
        measured=tuple(measured),
        assumed=(*assumed_facts, *still_assumed),
        rungs=rungs,
        gaps=tuple(_gap(rung) for rung in rungs if rung.falls_short),
    )


def what_if_study(
    study: Study, summaries: Summaries, changes: Sequence[Change], model: Model
) -> tuple[tuple[str, tuple[Ratio, ...]], ...]:
    """For each RADOS and RBD cell its name, and what each change alone, then all together, would bring there.

    Rates are the measured ones times the ratio. What a change replaces, as a drive its own figures, is no longer taken
    from the study. Raises PlanError where a change cannot be made, or cannot be asked of a study.
    """
    if refused := [str(change) for change in changes if change.key in _NOT_HERE]:
        raise PlanError(
            f"{', '.join(refused)}: not for a study: its cells define load and network",
            "Ask about drive, network_Gbps, nodes, size, cpu and the like, or describe the cluster in a cluster.toml.",
        )
    seen = list(_measured_cells(summaries))
    facts = replace(_facts(study)[0], op="rand_write")
    check_together(facts, changes)
    base, _ = _with_lower_layers(fill(facts)[0], seen)
    some = one_by_one_and_together(changes)
    after = [_with_lower_layers(fill(apply(facts, each))[0], _still_true(seen, each))[0] for each in some]
    return tuple(
        (
            step.cell.name,
            tuple(
                ratio_between(
                    step.setting, _under_load(new, step.cell.load), each, model, step.constants, step.cell.iops
                )
                for each, new in zip(some, after, strict=True)
            ),
        )
        for step in _climb(base, seen, model)
    )


def _still_true(seen: Iterable[_Seen], changes: Sequence[Change]) -> list[_Seen]:
    """The measured cells but those of lower layers that a change replaces."""
    replaced = [_REPLACES[change.key] for change in changes if change.key in _REPLACES]
    return [cell for cell in seen if not any(is_replaced(cell.load) for is_replaced in replaced)]


@dataclass(frozen=True, slots=True)
class _Step:
    """A rung with what was known on it. constants: with what the cell itself has taught."""

    cell: _Seen
    rung: Rung
    setting: Setting
    constants: Constants


def _climb(base: Setting, seen: Iterable[_Seen], model: Model) -> Iterator[_Step]:
    """From rung to rung, each predicted from those below it."""
    constants = model.constants
    for cell in sorted((one for one in seen if one.load.layer in (Layer.RADOS, Layer.RBD)), key=_height):
        setting = _under_load(base, cell.load)
        solution = solve(setting, constants)
        spread = GENERIC_SHARE * model.spreads.get(load_class(setting), 1.0)
        rate = float(solution.rate)
        constants, learnt = _calibrate(setting, constants, cell)
        rung = Rung(
            cell=cell.name,
            predicted_iops=rate,
            interval=Interval(rate * math.exp(-spread), rate * math.exp(spread), CONFIDENCE),
            measured_iops=cell.iops,
            bottleneck=bottleneck(solution),
            calibrated=learnt,
        )
        yield _Step(cell, rung, setting, constants)


def _measured_cells(summaries: Summaries) -> Iterator[_Seen]:
    for summary in summaries.cells:
        rate = _rate(summary)
        if rate:
            yield _Seen(summary.cell.name, summary.cell.conditions, rate)


def _rate(summary: CellSummary) -> float | None:
    """Operations per second; a line's bytes per second for iperf3, round trips per second for ping."""
    load = summary.cell.conditions
    if load.layer is Layer.NETWORK:
        if load.op is Operation.RTT and not isinstance(summary.latency, type(None)):
            mean = getattr(summary.latency, "mean_s", None)
            return 1 / mean.value if isinstance(mean, Estimate) and mean.value > 0 else None
        line = summary.bandwidth_bytes_per_s
        return line.value if isinstance(line, Estimate) else None
    return summary.iops.value if isinstance(summary.iops, Estimate) else None


def _facts(study: Study) -> tuple[Facts, tuple[str, ...]]:
    """What the captured environment says about the cluster."""
    cluster = study.environment.cluster
    pool = cluster.pool if cluster else None
    storage = [host for host in study.environment.hosts if "osd" in host.role] or list(study.environment.hosts)
    threads = storage[0].cpu_threads if storage else None
    hosts = (cluster.hosts if cluster else None) or 1
    osds = (cluster.osds_up or cluster.osds if cluster else None) or 1
    version = cluster.version if cluster else None
    facts = Facts(
        ceph_version=version.removeprefix("ceph version ") if version else None,
        nodes=hosts,
        osds_per_node=osds / hosts,
        osd_devices_per_node=1.0 if study.sandbox else osds / hosts,  # a sandbox's OSDs share one disk
        cpu_model=storage[0].cpu_model if storage else None,
        cores_per_node=threads / 2 if threads else None,
        pool_size=pool.size if pool else None,
        ec_profile=pool.erasure_profile if pool else None,
        pg_num=pool.pg_num if pool else None,
        hyperconverged=hosts == 1 or bool(study.sandbox),
        osd_device_class=_device_class(study),
    )
    return facts, () if cluster else ("the cluster's description was not captured",)


def _device_class(study: Study) -> str | None:
    spinning = {device.rotational for device in study.environment.devices if "osd" in device.used_for}
    if spinning == {True}:
        return "hdd"
    return "nvme" if spinning == {False} else None


def _with_lower_layers(base: Setting, seen: list[_Seen]) -> tuple[Setting, list[str]]:
    """The setting with the disk's and the network's own figures in place of defaults."""
    measured = []
    for cell in seen:
        load = cell.load
        if load.layer is Layer.DISK and load.queue_depth == load.jobs == 1 and (load.block_bytes or 0) <= 16384:
            if load.op.writes and load.sync is not Sync.NONE:
                base = replace(
                    base, sync=1 / cell.iops, write=min(base.write, 1 / cell.iops), plp=float(cell.iops > 4000)
                )
                measured.append(f"durable write {1e6 / cell.iops:.0f} µs ({cell.name})")
            elif load.op.reads and not load.op.writes:
                base = replace(base, read=1 / cell.iops)
                measured.append(f"read {1e6 / cell.iops:.0f} µs ({cell.name})")
        elif load.layer is Layer.DISK and (load.block_bytes or 0) >= 262144:
            name = "seq_write" if load.op.writes else "seq_read"
            base = replace(base, **{name: cell.iops * (load.block_bytes or 0)})
            measured.append(f"{name} {cell.iops * (load.block_bytes or 0) / 1e6:.0f} MB/s ({cell.name})")
        elif load.layer is Layer.NETWORK and load.op is Operation.RTT:
            base = replace(base, rtt=1 / cell.iops)
            measured.append(f"round trip {1e6 / cell.iops:.0f} µs ({cell.name})")
        elif load.layer is Layer.NETWORK:
            base = replace(base, client_bps=cell.iops, public_bps=cell.iops, cluster_bps=cell.iops)
            measured.append(f"line {cell.iops * 8 / 1e9:.1f} Gbit/s ({cell.name})")
    return base, measured


def _told_by(load: Conditions) -> set[str]:
    """The assumptions that a measured cell of a lower layer makes unnecessary."""
    if load.layer is Layer.DISK and load.sync is not Sync.NONE:
        return {"device_4k_sync_write", "device_plp"}
    if load.layer is Layer.DISK and (load.block_bytes or 0) >= 262144:
        return {"device_seq_write" if load.op.writes else "device_seq_read"}
    if load.layer is Layer.NETWORK:
        return {"rtt_us"} if load.op is Operation.RTT else {"network_Gbps"}
    return set()


def _under_load(base: Setting, load: Conditions) -> Setting:
    return replace(
        base,
        block=float(load.block_bytes or 4 << 20),
        read_share=0.0 if not load.op.reads else (1.0 if not load.op.writes else 0.5),
        sequential=float(load.op in (Operation.READ, Operation.WRITE)),
        in_flight=float(load.in_flight),
        clients=float(load.processes),
        client_hosts=float(load.client_hosts),
        rados=float(load.layer is Layer.RADOS),
        krbd=0.0,
    )


def _height(cell: _Seen) -> tuple[int, int, int]:
    """Order of the ladder: RADOS before RBD, shallow before deep, small before large."""
    return (cell.load.layer is Layer.RBD, cell.load.in_flight, cell.load.block_bytes or 0)


def _calibrate(setting: Setting, constants: Constants, cell: _Seen) -> tuple[Constants, str | None]:
    """Constants that make this cell come out as measured, where this layer identifies them."""
    writes = setting.read_share < 0.5
    if cell.load.layer is Layer.RBD and setting.in_flight > 1:
        return constants, None
    names: tuple[str, ...]
    if setting.block >= 262144:
        names, what = BYTE_CONSTANTS[writes], "cost per byte"
    elif setting.in_flight <= setting.clients:
        names, what = LATENCY_CONSTANTS[writes], "software latency"
    else:
        names, what = RATE_CONSTANTS[writes], "cost per operation"

    def scaled(factor: float) -> Constants:
        return replace(constants, **{name: getattr(constants, name) * factor for name in names})

    factor = _factor_for(lambda f: float(solve(setting, scaled(f)).rate), cell.iops)
    if factor is None:
        return constants, None
    return scaled(factor), f"{what} of {'writes' if writes else 'reads'} x{factor:.2f}"


def _factor_for(rate_at: Callable[[float], float], wanted: float) -> float | None:
    """The factor in 1/30 to 30 at which a falling rate meets `wanted`; None where these constants cannot explain it."""
    low, high = math.log(1 / 30), math.log(30)
    if not rate_at(math.exp(high)) <= wanted <= rate_at(math.exp(low)):
        return None
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if rate_at(math.exp(middle)) > wanted else (low, middle)
    return math.exp((low + high) / 2)


def _gap(rung: Rung) -> Gap:
    return Gap(
        cell=rung.cell,
        claim=f"{rung.cell} reaches {rung.ratio:.0%} of what the layers below it allow.",
        because=(
            f"predicted {rung.predicted_iops:,.0f}/s, 80 %: {rung.interval.low:,.0f} to {rung.interval.high:,.0f}",
            f"measured {rung.measured_iops:,.0f}/s",
            f"the model's bottleneck there is: {rung.bottleneck}",
        ),
        try_next="Repeat the cell alone, and watch CPU clock, C-states and other load on the hosts while it runs.",
    )
