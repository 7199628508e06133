"""A decision: the cluster beside each option, with costs and space, and the cheapest that reaches a target."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from radoscope.errors import PlanError
from radoscope.predict.ask import Question, ask
from radoscope.predict.cluster import stated
from radoscope.predict.defaults import fill, settled
from radoscope.predict.facts import Facts, apply_workload
from radoscope.predict.forecast import Forecast
from radoscope.predict.network import solve
from radoscope.predict.outlook import Known, look
from radoscope.predict.setting import Setting
from radoscope.predict.unknowns import case
from radoscope.predict.whatif import (
    Change,
    Gain,
    apply,
    check_together,
    compare,
    forecast_each,
    one_by_one_and_together,
)
from radoscope.words import _, ngettext

COSTS: Mapping[str, float] = MappingProxyType(
    {"power_saving": 0.1, "pg_num": 0.1, "size": 1.0, "network_Gbps": 3.0, "drive": 4.0, "cpu": 6.0, "nodes": 10.0}
)
"""Rank of a change in effort per cluster of its present size, not money: an option < a switch < drives < hosts.

`nodes` costs this much per doubling of the hosts. A cluster file's [costs] table replaces any of them."""

AT_MOST = 3
"""Changes tried together."""


@dataclass(frozen=True, slots=True)
class Goal:
    """clients: how many at once. iops: what each of them needs. op: rand_read or rand_write."""

    clients: int
    iops: float
    op: str

    @property
    def total(self) -> float:
        return self.clients * self.iops


@dataclass(frozen=True, slots=True)
class Reached:
    """A set of changes that reaches the target. cost: sum of ranks. surely: the low end of the interval reaches too."""

    ratio: Gain
    cost: float
    surely: bool


def parse_target(text: str) -> Goal:
    """ "200 clients x 500 write IOPS" -> Goal. Raises PlanError."""
    pattern = r"\s*(\d+)\s*clients?\s*[x×*]\s*([\d.]+)\s*(k?)\s*(read|write)\s*iops\s*"
    match = re.fullmatch(pattern, text, re.IGNORECASE)
    if match is None or int(match[1]) < 1 or float(match[2]) <= 0:
        raise PlanError(_("{text!r} is not a target", text=text), _("Write '200 clients x 500 write IOPS'."))
    factor = 1000 if match[3] else 1
    return Goal(int(match[1]), float(match[2]) * factor, f"rand_{match[4].lower()}")


def aimed(facts: Facts, target: Goal) -> Facts:
    """The cluster under the target's load: that many clients, each at its stated depth (1 where not said)."""
    return replace(
        facts,
        op=target.op,
        read_fraction=None,
        block_bytes=facts.block_bytes or 4096,
        clients=float(target.clients),
        queue_depth=facts.queue_depth or 1.0,
        client_hosts=facts.client_hosts or max(1.0, target.clients / 20),
    )


def search(
    facts: Facts, target: Goal, costs: Mapping[str, float] = COSTS, known: Sequence[Known] = ()
) -> tuple[Reached, ...]:
    """Sets of changes that reach the target, cheapest first; the empty tuple when none does. Up to five."""
    loaded = aimed(facts, target)
    before = case(loaded)
    present = look([before], known)
    if present.rate(0) >= target.total:
        now = present.forecast(0)
        return (Reached(compare(loaded, (), known), 0.0, now.interval.low >= target.total),)
    _, constants = present.explained(0)
    off = present.rate(0) / float(solve(before.setting, constants).rate)  # what the known cells say beyond constants
    found: list[Reached] = []
    for cost, changes in sorted(_sets(loaded, costs), key=lambda pair: pair[0]):
        if len(found) == 5:
            break
        if any({one.key for one in seen.ratio.changes} <= {one.key for one in changes} for seen in found):
            continue  # a cheaper set of the same kinds, or of fewer, reaches already
        after = case(apply(settled(loaded), changes), like=before)
        if off * float(solve(after.setting, constants).rate) < target.total:
            continue
        ratio = compare(loaded, changes, known)
        if ratio.iops >= target.total:
            found.append(Reached(ratio, cost, ratio.level.low >= target.total))
    return tuple(found)


def _sets(facts: Facts, costs: Mapping[str, float]) -> Iterator[tuple[float, tuple[Change, ...]]]:
    single = list(_candidates(facts, costs))
    for count in range(1, AT_MOST + 1):
        for chosen in itertools.combinations(single, count):
            keys = [change.key for _, change in chosen]
            if len(set(keys)) == count:
                yield sum(cost for cost, _ in chosen), tuple(change for _, change in chosen)


def _candidates(facts: Facts, costs: Mapping[str, float]) -> Iterator[tuple[float, Change]]:
    """Every single change worth trying from here, with its cost."""
    setting, _ = fill(facts)

    def offer(key: str, value: Any, times: float = 1.0) -> Iterator[tuple[float, Change]]:
        if key in costs:
            yield costs[key] * times, Change(key, value)

    if facts.power_saving is not False:
        yield from offer("power_saving", False)
    if setting.width > 2 and not facts.ec_profile:
        yield from offer("size", 2)
    for gigabits in (10, 25, 100):
        if gigabits * 1e9 / 8 > 1.5 * setting.public_bps:
            yield from offer("network_Gbps", gigabits, 1 + gigabits / 100)
    if not setting.plp:
        yield from offer("drive", "Kioxia CD6 3.84TB")
    if setting.speed < 4:
        yield from offer("cpu", "EPYC 9004 (Zen 4) 9354")
    for times in (1.34, 1.67, 2, 3, 4, 6, 8):
        hosts = round(setting.nodes * times)
        if hosts > setting.nodes:
            yield from offer("nodes", hosts, hosts / setting.nodes - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """changes: together; none for the cluster as it is. cost: in `currency` of the plan, or a rank. space_TB:
    usable, None where the drive's size is not said. iops: under the target's load, None without one. reaches: whether
    that is the target, `surely` also at the interval's low end."""

    changes: tuple[Change, ...]
    cost: float
    space_TB: float | None
    iops: float | None = None
    reaches: bool | None = None
    surely: bool | None = None

    @property
    def name(self) -> str:
        return _(" and ").join(str(change) for change in self.changes) or _("as it is")


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadRow:
    """One workload: the present forecast, and a ratio for each option but the first."""

    workload: str
    now: Forecast
    ratios: tuple[Gain, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """options: the present cluster first. given: its facts, as a file states them. currency: None where costs are
    ranks. cheapest: index of the option that reaches the target for least, None where none does or none was set."""

    options: tuple[Option, ...]
    rows: tuple[WorkloadRow, ...]
    questions: tuple[Question, ...]
    given: tuple[str, ...]
    assumed: tuple[str, ...]
    known: tuple[str, ...]
    currency: str | None
    target: str | None
    cheapest: int | None


def plan_options(
    facts: Facts,
    changes: Sequence[Change],
    workloads: Sequence[str],
    known: Sequence[Known] = (),
    costs: Mapping[str, float] | None = None,
    currency: str | None = None,
    target: Goal | None = None,
) -> Decision:
    """Everything that the decision page shows. facts: without a load. Raises PlanError as `forecast_all`."""
    loaded = [(name, apply_workload(facts, name)) for name in workloads]
    check_together(loaded[0][1], changes)
    sets = one_by_one_and_together(changes) if changes else ()
    seen = forecast_each([one for _, one in loaded], sets, known)
    rows = tuple(
        WorkloadRow(workload=name, now=now, ratios=ratios)
        for (name, _), (now, ratios) in zip(loaded, seen, strict=True)
    )
    options = tuple(_option(facts, some, known, costs or COSTS, currency, target) for some in ((), *sets))
    reached = [i for i, one in enumerate(options) if one.reaches]
    return Decision(
        options=options,
        rows=rows,
        questions=ask(facts, list(workloads), known),
        given=stated(facts),
        assumed=tuple(dict.fromkeys(item for row in rows for item in row.now.assumed)),
        known=tuple(f"{one.name} = {one.iops:,.0f} IOPS" for one in known),
        currency=currency,
        target=_target_words(target) if target else None,
        cheapest=min(reached, key=lambda i: options[i].cost) if reached else None,
    )


def _target_words(target: Goal) -> str:
    if target.op == "rand_read":
        return ngettext(
            "{number} client x {iops:g} IOPS, random reads",
            "{number} clients x {iops:g} IOPS, random reads",
            target.clients,
            iops=target.iops,
        )
    return ngettext(
        "{number} client x {iops:g} IOPS, random writes",
        "{number} clients x {iops:g} IOPS, random writes",
        target.clients,
        iops=target.iops,
    )


def _option(
    facts: Facts,
    changes: tuple[Change, ...],
    known: Sequence[Known],
    costs: Mapping[str, float],
    currency: str | None,
    target: Goal | None,
) -> Option:
    loaded = apply_workload(facts, "4k-randwrite-qd1")
    before = case(loaded)
    changed = apply(settled(loaded), changes)
    after = case(changed, like=before)
    cost = sum(_cost(one, before.setting, after.setting, costs, in_currency=currency is not None) for one in changes)
    option = Option(changes=changes, cost=cost, space_TB=usable_TB(changed, after.setting))
    if target is None:
        return option
    wanted = aimed(facts, target)
    seen = look([case(apply(settled(wanted), changes), like=case(wanted))], known).forecast(0)
    return replace(option, iops=seen.iops, reaches=seen.iops >= target.total, surely=seen.interval.low >= target.total)


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
