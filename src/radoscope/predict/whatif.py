"""What if one thing were different: the ratio of two predictions out of one posterior."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from radoscope.catalogue import Family, find_drive, find_family
from radoscope.errors import PlanError
from radoscope.faults import near
from radoscope.predict.cluster import FLAT, TABLES
from radoscope.predict.defaults import settled
from radoscope.predict.facts import Facts, contradictions, read_facts, too_few_hosts, unknown_release
from radoscope.predict.forecast import CONFIDENCE, Forecast
from radoscope.predict.network import bottleneck
from radoscope.predict.outlook import Known, Outlook, look
from radoscope.predict.unknowns import case
from radoscope.stats.values import Interval

_AS_BUILT = ("backend", "class", "plp", "seq_read_MBps", "seq_write_MBps", "randread_iops", "randwrite_iops")
"""Keys of a cluster file that no change sets alone: another drive brings its own."""

KEYS: dict[str, tuple[str, ...]] = {
    **{key: (TABLES[table][name],) for key, (table, name) in FLAT.items() if key not in _AS_BUILT},
    "drives_per_node": ("osd_devices_per_node", "osds_per_node"),
    "network_Gbps": ("network_Gbps", "cluster_network_Gbps", "client_network_Gbps"),
    "clients": ("clients",),
    "queue_depth": ("queue_depth",),
}
"""Name of a change -> the facts that it sets."""

_CPU_FACTS = ("cores_per_node", "cpu_GHz", "osd_cpu_threads_per_node")


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that would be different, as the user wrote it: `nodes = 6`."""

    key: str
    value: Any

    def __str__(self) -> str:
        return f"{self.key} = {self.value}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gain:
    """changes: together. ratio: new rate over old, with its interval. iops: the new rate, `level` its interval, which
    a change to something better known may narrow. next: the bottleneck then. in_flight: operations then: more
    where more hosts bring clients."""

    changes: tuple[Change, ...]
    ratio: float
    interval: Interval
    iops: float
    level: Interval
    next: str
    in_flight: float

    @property
    def latency_s(self) -> float:
        return self.in_flight / self.iops


def parse_changes(texts: Iterable[str]) -> tuple[Change, ...]:
    """`drive = "Kioxia CD6"`, `nodes = 6` -> changes. Raises PlanError that names every fault at once."""
    changes: list[Change] = []
    faults: list[str] = []
    hints: list[str] = []
    for text in texts:
        try:
            changes.append(_parse(text))
            _apply_one(Facts(), changes[-1])  # a value that cannot be is one on any cluster
        except ValueError as fault:
            faults.append(f"--what-if {text!r}: {fault}")
            hints.append(f"Write KEY = VALUE as in TOML; keys: {', '.join(KEYS)}.")
        except PlanError as fault:
            faults.append(f"--what-if {text!r}: {fault.message}")
            hints.append(fault.hint)
    if faults:
        raise PlanError("; ".join(faults), " ".join(filter(None, dict.fromkeys(hints))))
    return tuple(changes)


def _parse(text: str) -> Change:
    try:
        pairs = list(tomllib.loads(text).items())
    except (ValueError, RecursionError) as fault:
        raise ValueError(f"is not KEY = VALUE ({fault})") from fault
    if len(pairs) != 1:
        raise ValueError("needs exactly one KEY = VALUE")
    key, value = pairs[0]
    if key not in KEYS:
        longer = next((f", did you mean {name}?" for name in KEYS if name.startswith(f"{key}_")), "")
        raise ValueError(f"{key!r} is no key that can be changed{longer or near(key, KEYS)}")
    return Change(key, value)


def apply(facts: Facts, changes: Sequence[Change]) -> Facts:
    """The facts after the changes. Raises PlanError: an unknown drive, a value that cannot be."""
    for change in changes:
        facts = _apply_one(facts, change)
    return facts


def _apply_one(facts: Facts, change: Change) -> Facts:
    if change.key == "drive":
        kind = find_family(str(change.value))
        if kind is None or kind.plp is None:
            drive = find_drive(str(change.value))  # an unknown one would only echo a class default
            kind = Family(drive.device_class, drive.plp)
        facts = replace(facts, **dict.fromkeys(TABLES["drive"].values()))
        facts = replace(facts, osd_device_class=kind.device_class, device_plp=kind.plp)
    if change.key == "cpu":
        facts = replace(facts, **dict.fromkeys(_CPU_FACTS))
    if change.key == "size":
        facts = replace(facts, ec_profile=None)
    value = _checked(change)
    if change.key == "nodes" and facts.one_machine and facts.nodes:
        facts = _shared_out(facts, facts.nodes / value)
    if change.key == "ec_profile":
        facts = replace(facts, pool_size=None)
    if change.key == "ceph_version" and (fault := unknown_release(str(value))):
        raise PlanError(fault)
    if change.key == "fsync_latency_us":
        value = 1e6 / value
    return replace(facts, **dict.fromkeys(KEYS[change.key], value))


def _shared_out(facts: Facts, share: float) -> Facts:
    """More hosts on one machine: each has less of its processors and its memory."""
    parts = ("cores_per_node", "osd_cpu_threads_per_node", "ram_GB_per_node")
    given = {name: getattr(facts, name) for name in parts}
    return replace(facts, **{name: value * share for name, value in given.items() if value})


def _checked(change: Change) -> Any:
    """The value as if it had come from a record: the same faults, the same words. Raises PlanError."""
    name = "device_read_latency_us" if change.key == "fsync_latency_us" else KEYS[change.key][0]
    try:
        value = getattr(read_facts({name: change.value}), name)
    except PlanError as fault:
        raise PlanError(fault.message.removeprefix(f"{name}: ")) from fault
    if value is None:  # what a record may leave open, a what-if may not
        raise PlanError(f"the model knows no {change.key} {change.value!r}")
    return value


def compare(facts: Facts, changes: Sequence[Change], known: Sequence[Known] = ()) -> Gain:
    """New rate over old, for all changes together, given what is known of the present cluster."""
    return forecast_each([facts], [tuple(changes)], known)[0][1][0]


def forecast_all(
    loads: Sequence[Facts], changes: Sequence[Change], known: Sequence[Known] = (), *, alone: bool = True
) -> tuple[tuple[Forecast, tuple[Gain, ...]], ...]:
    """For each load its forecast, and what each change would bring alone, then all together when there are several;
    without `alone`, all together only. Raises PlanError where they cannot be together."""
    if changes:
        check_together(loads[0], changes)
    sets = one_by_one_and_together(changes) if alone else (tuple(changes),)
    return forecast_each(loads, sets if changes else (), known)


def forecast_each(
    loads: Sequence[Facts], sets: Sequence[tuple[Change, ...]], known: Sequence[Known] = ()
) -> tuple[tuple[Forecast, tuple[Gain, ...]], ...]:
    """For each load its forecast, and a ratio for each set of changes, out of one joint posterior: errors that both
    sides of a ratio share cancel."""
    before = [case(one) for one in loads]
    after = [
        case(apply(settled(one), changes), like=now) for one, now in zip(loads, before, strict=True) for changes in sets
    ]
    seen = look([*before, *after], known)
    first = len(before)
    return tuple(
        (
            seen.forecast(i),
            tuple(ratio_of(seen, i, first + i * len(sets) + j, changes) for j, changes in enumerate(sets)),
        )
        for i in range(len(before))
    )


def ratio_of(seen: Outlook, before: int, after: int, changes: tuple[Change, ...]) -> Gain:
    """The ratio of two cases of an outlook."""
    ratio, half = seen.ratio(before, after)
    rate, level = seen.rate(before) * ratio, seen.half_width(before, after)
    return Gain(
        changes=changes,
        ratio=ratio,
        interval=Interval(ratio * math.exp(-half), ratio * math.exp(half), CONFIDENCE),
        iops=rate,
        level=Interval(rate * math.exp(-level), rate * math.exp(level), CONFIDENCE),
        next=bottleneck(seen.solution(after)[1]),
        in_flight=seen.cases[after].setting.in_flight,
    )


def one_by_one_and_together(changes: Sequence[Change]) -> tuple[tuple[Change, ...], ...]:
    alone = tuple((change,) for change in changes)
    return (*alone, tuple(changes)) if len(changes) > 1 else alone


def check_together(facts: Facts, changes: Sequence[Change]) -> None:
    """Raises PlanError where these changes cannot be made together."""
    if {"size", "ec_profile"} <= {change.key for change in changes}:
        raise PlanError("size and ec_profile: a pool has copies or an ec_profile, not both", "Give one of them.")
    now = settled(facts)
    after = apply(now, changes)
    faults = contradictions(after) or too_few_hosts(after)
    if faults and not too_few_hosts(now):  # a test rig with all copies on one host may still be asked about
        raise PlanError("; ".join(faults), "Change nodes together with size or ec_profile.")
