"""A decision: the cluster as it is beside each option, per workload, with costs, space, and who reaches a target."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from radoscope.predict.ask import Question, ask
from radoscope.predict.facts import Facts
from radoscope.predict.forecast import Forecast
from radoscope.predict.model import Model
from radoscope.predict.outlook import Known, forecast, look
from radoscope.predict.setting import Setting
from radoscope.predict.target import COSTS, Target, aimed
from radoscope.predict.unknowns import case
from radoscope.predict.whatif import Change, Ratio, apply, check_together, compare_each, one_by_one_and_together
from radoscope.predict.workload import apply_workload


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """changes: together; none for the cluster as it is. cost: in `currency` of the plan, or a rank. space_TB:
    usable, None where the drive's size is not said. reaches: whether the target is met, `surely` also at the
    interval's low end."""

    changes: tuple[Change, ...]
    cost: float
    space_TB: float | None
    reaches: bool | None = None
    surely: bool | None = None

    @property
    def name(self) -> str:
        return " and ".join(str(change) for change in self.changes) or "as it is"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One workload: the present forecast, and a ratio for each option but the first."""

    workload: str
    now: Forecast
    ratios: tuple[Ratio, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """options: the present cluster first. currency: None where costs are ranks. cheapest: index of the option that
    reaches the target for least, None where none does or no target was set."""

    options: tuple[Option, ...]
    rows: tuple[Row, ...]
    questions: tuple[Question, ...]
    assumed: tuple[str, ...]
    known: tuple[str, ...]
    currency: str | None
    target: str | None
    cheapest: int | None


def plan_options(
    facts: Facts,
    changes: Sequence[Change],
    workloads: Sequence[str],
    model: Model,
    known: Sequence[Known] = (),
    costs: Mapping[str, float] | None = None,
    currency: str | None = None,
    target: Target | None = None,
) -> Plan:
    """Everything that the decision page shows. facts: without a load. Raises PlanError as `compare_all`."""
    loaded = [(name, apply_workload(facts, name)) for name in workloads]
    check_together(loaded[0][1], changes)
    sets = one_by_one_and_together(changes) if changes else ()
    rows = tuple(
        Row(workload=name, now=forecast(one, model, known), ratios=compare_each(one, sets, model, known))
        for name, one in loaded
    )
    options = tuple(_option(facts, some, model, known, costs or COSTS, currency, target) for some in ((), *sets))
    reached = [i for i, one in enumerate(options) if one.reaches]
    return Plan(
        options=options,
        rows=rows,
        questions=ask(facts, list(workloads), model, known),
        assumed=tuple(dict.fromkeys(item for row in rows for item in row.now.assumed)),
        known=tuple(f"{one.name} = {one.iops:,.0f} IOPS" for one in known),
        currency=currency,
        target=f"{target.clients} clients x {target.iops:g} IOPS, {target.op.replace('rand_', 'random ')}s"
        if target
        else None,
        cheapest=min(reached, key=lambda i: options[i].cost) if reached else None,
    )


def _option(
    facts: Facts,
    changes: tuple[Change, ...],
    model: Model,
    known: Sequence[Known],
    costs: Mapping[str, float],
    currency: str | None,
    target: Target | None,
) -> Option:
    before = case(apply_workload(facts, "4k-randwrite-qd1"))
    changed = apply(facts, changes)
    after = case(apply_workload(changed, "4k-randwrite-qd1"), like=before)
    cost = sum(_cost(one, before.setting, after.setting, costs, in_currency=currency is not None) for one in changes)
    if target is None:
        return Option(changes=changes, cost=cost, space_TB=usable_TB(changed, after.setting))
    present = case(aimed(facts, target))
    seen = look([case(aimed(changed, target), like=present)], model, known).forecast(0)
    return Option(
        changes=changes,
        cost=cost,
        space_TB=usable_TB(changed, after.setting),
        reaches=seen.iops >= target.total,
        surely=seen.interval.low >= target.total,
    )


def _cost(change: Change, before: Setting, after: Setting, costs: Mapping[str, float], *, in_currency: bool) -> float:
    """Prices are per piece: a host, a drive, a processor or line of a host. Ranks are per doubling of hosts, else
    whole."""
    each = costs.get(change.key, 0.0)
    if change.key == "nodes":
        added = max(0.0, after.nodes - before.nodes)
        return float(each * added if in_currency else each * added / before.nodes)
    if not in_currency:
        return each
    pieces = {"drive": after.devices, "drives_per_node": max(0.0, after.devices - before.devices)}
    hosts = {"cpu", "network_Gbps", "cluster_network_Gbps", "db_wal_device", "memory_GB_per_node"}
    return float(each * (after.nodes if change.key in hosts else pieces.get(change.key, 1.0)))


def usable_TB(facts: Facts, setting: Setting) -> float | None:
    """Space for data, of 10^12 bytes, before what is kept free: drives x size x share of data in what is stored."""
    size = re.search(r"\b(\d+(?:[.,]\d+)?)\s*([TG])B?\b", facts.osd_device_model or "", re.IGNORECASE)
    if size is None:
        return None
    each = float(size[1].replace(",", ".")) / (1 if size[2].upper() == "T" else 1000)
    return float(setting.devices * each * setting.shards_k / setting.width)
