"""Prediction in situ: every cell of a study from the layers below it, and what-ifs from all that was measured."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from radoscope.errors import PlanError
from radoscope.predict.constants import NAMES, priors
from radoscope.predict.defaults import settled
from radoscope.predict.facts import WHOLE, Facts, apply_workload
from radoscope.predict.forecast import CONFIDENCE
from radoscope.predict.measured import (
    CellRate,
    facts_of,
    known_rates,
    measured_cells,
    with_busy_drives,
    with_lower_layers,
    without_flushes,
)
from radoscope.predict.outlook import Known, Outlook, look
from radoscope.predict.unknowns import case
from radoscope.predict.whatif import Change, Gain, apply, check_together, one_by_one_and_together, ratio_of
from radoscope.records.conditions import Conditions, Layer, Operation, Sync
from radoscope.records.study import Study
from radoscope.stats.values import Interval, Summaries
from radoscope.words import _

NOTABLE = 0.05
"""A figure that the cells move by more than this in ln is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRung:
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
class ModelLadder:
    """measured: inputs taken from the study, in words. rungs: by layer. gaps: where reality falls short."""

    measured: tuple[str, ...]
    assumed: tuple[str, ...]
    rungs: tuple[ModelRung, ...]
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


def known_of_study(study: Study, summaries: Summaries) -> tuple[Facts, tuple[Known, ...], tuple[str, ...]]:
    """(facts of the cluster, known rates, what was taken from disk and network cells in words)."""
    seen = measured_cells(summaries)
    facts, words = with_lower_layers(facts_of(study, seen)[0], seen)
    return facts, known_rates(facts, seen), words


def fit_study(study: Study, summaries: Summaries) -> ModelLadder:
    """Predict each RADOS and RBD cell of a study from the layers below it. Pure; needs no disk or network cell, but
    says in `assumed` what it lacked."""
    _, known, measured = known_of_study(study, summaries)
    found: tuple[str, ...] = ()
    if known:
        known, found = _with_found_line(known)
    rungs = tuple(_rung(known, index) for index in range(len(known)))
    assumed = dict.fromkeys(item for one in known for item in case(one.facts).assumed)
    return ModelLadder(
        measured=measured,
        assumed=(*facts_of(study)[1], *found, *assumed),
        rungs=rungs,
        gaps=tuple(_gap(rung) for rung in rungs if rung.falls_short),
    )


def _with_found_line(known: tuple[Known, ...]) -> tuple[tuple[Known, ...], tuple[str, ...]]:
    """Where no line was measured, the one that all rates together speak for."""
    line = look([], known).line_Gbps
    if line is None:
        return known, ()
    there = tuple(replace(one, facts=replace(one.facts, network_Gbps=line)) for one in known)
    return there, (f"network_Gbps={line:g} (from the measured rates)",)


def _rung(known: Sequence[Known], index: int) -> ModelRung:
    here = case(known[index].facts)
    seen = look([here], known[:index])
    told = seen.forecast(0)
    return ModelRung(
        cell=known[index].name,
        predicted_iops=told.iops,
        interval=told.interval,
        measured_iops=known[index].iops,
        bottleneck=told.bottleneck,
        calibrated=_learnt(look([], known[: index + 1]), look([here], known[:index])),
    )


def _learnt(after: Outlook, before: Outlook) -> str | None:
    """The figure that a cell moved most, in words."""
    moved = [
        (float(after.posterior.means[i] - before.posterior.means[i]), priors()[name].meaning)
        for i, name in enumerate(NAMES)
    ]
    by, what = max(moved, key=lambda pair: abs(pair[0]))
    return f"x{math.exp(by):.2f}: {what}" if abs(by) > NOTABLE else None


def what_if_study(
    study: Study, summaries: Summaries, changes: Sequence[Change]
) -> tuple[tuple[str, tuple[Gain, ...]], ...]:
    """For each RADOS and RBD cell, then for loads on the whole cluster: its name, and what each change alone, then all
    together, would bring there.

    Everything that was measured is known; what a change replaces, as a drive its own figures, no longer holds after it.
    Raises PlanError where a change cannot be made, or cannot be asked of a study.
    """
    if refused := [str(change) for change in changes if change.key in _NOT_HERE]:
        raise PlanError(
            f"{', '.join(refused)}: not for a study: its cells define load and network",
            "Ask about drive, network_Gbps, nodes, size, cpu and the like, or describe the cluster in a cluster.toml.",
        )
    seen = measured_cells(summaries)
    plain = with_busy_drives(facts_of(study, seen)[0], study, seen)
    facts, _ = with_lower_layers(plain, seen)
    known = known_rates(facts, seen)
    check_together(replace(facts, op="rand_write"), changes)
    some = one_by_one_and_together(changes)
    loads = [(one.name, one.facts) for one in known]
    loads += [(name, apply_workload(facts, name)) for name in WHOLE]
    before = [case(one) for _, one in loads]
    after = [
        [case(_changed(one, seen, plain, each), like=now) for each in some]
        for (_, one), now in zip(loads, before, strict=True)
    ]
    outlook = look([*before, *(one for row in after for one in row)], (*known, *without_flushes(study, known)))
    measured = {one.name: one.iops for one in known}

    def ratio(row: int, column: int) -> Gain:
        found = ratio_of(outlook, row, len(before) + row * len(some) + column, some[column])
        now = measured.get(loads[row][0], outlook.rate(row))
        level = Interval(now * found.interval.low, now * found.interval.high, CONFIDENCE)
        return replace(found, iops=now * found.ratio, level=level if loads[row][0] in measured else found.level)

    return tuple((name, tuple(ratio(row, j) for j in range(len(some)))) for row, (name, _) in enumerate(loads))


_MEASURED = (
    "device_4k_sync_write_iops", "device_read_latency_us", "device_seq_read_MBps",
    "device_seq_write_MBps", "device_4k_randread_iops", "device_4k_randwrite_iops", "rtt_us", "network_Gbps",
)  # fmt: skip


def _changed(loaded: Facts, seen: Iterable[CellRate], plain: Facts, changes: Sequence[Change]) -> Facts:
    """A cell's facts after changes: what these replace is no longer as it was measured."""
    replaced = [_REPLACES[change.key] for change in changes if change.key in _REPLACES]
    still_true = [cell for cell in seen if not any(is_replaced(cell.load) for is_replaced in replaced)]
    holds, _ = with_lower_layers(plain, still_true)
    gone = {name: getattr(holds, name) for name in _MEASURED if getattr(holds, name) != getattr(loaded, name)}
    return apply(replace(settled(loaded), **gone), changes)


def _gap(rung: ModelRung) -> Gap:
    return Gap(
        cell=rung.cell,
        claim=_("{cell} reaches {share:.0%} of what the layers below it allow.", cell=rung.cell, share=rung.ratio),
        because=(
            _(
                "predicted {rate:,.0f}/s, 80 %: {low:,.0f} to {high:,.0f}",
                rate=rung.predicted_iops,
                low=rung.interval.low,
                high=rung.interval.high,
            ),
            _("measured {rate:,.0f}/s", rate=rung.measured_iops),
            _("the model's bottleneck there is: {bottleneck}", bottleneck=_(rung.bottleneck)),
        ),
        try_next=_("Repeat the cell alone, and watch CPU clock, C-states and other load on the hosts while it runs."),
    )
