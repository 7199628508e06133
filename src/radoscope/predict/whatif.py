"""What if one thing were different: the ratio of two predictions, in which the errors that both share cancel."""

from __future__ import annotations

import difflib
import math
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from radoscope.catalogue import find_drive
from radoscope.errors import PlanError
from radoscope.predict.constants import Constants
from radoscope.predict.defaults import fill
from radoscope.predict.facts import Facts, contradictions, read_facts, too_few_hosts
from radoscope.predict.forecast import CONFIDENCE
from radoscope.predict.machines import carried_over
from radoscope.predict.model import Model, load_class
from radoscope.predict.network import bottleneck, solve
from radoscope.predict.numbers import Arrays
from radoscope.predict.setting import Setting
from radoscope.stats.values import Interval

WELL_KNOWN = frozenset(["nodes", "cores_per_node", "osd_cpu_threads_per_node", "cpu", "cpu_GHz", "network_Gbps"])
RATIO_FLOOR = {True: 0.22, False: 0.40}
"""Half-width in ln that a ratio has at least, for what the equations leave out; True: well-known changes only.

80th percentiles of the ratio errors of published pairs, their laboratory left out: 341 pairs that differ in nodes,
cores or network, 188 that differ in depth, clients, block size, pool size or OSDs per node (scripts/pairs.py)."""

KEYS: dict[str, tuple[str, ...]] = {
    "drive": ("osd_device_model",),
    "nodes": ("nodes",),
    "osds_per_node": ("osds_per_node",),
    "drives_per_node": ("osd_devices_per_node", "osds_per_node"),
    "size": ("pool_size",),
    "ec_profile": ("ec_profile",),
    "network_Gbps": ("network_Gbps", "cluster_network_Gbps", "client_network_Gbps"),
    "cluster_network_Gbps": ("cluster_network_Gbps",),
    "client_network_Gbps": ("client_network_Gbps",),
    "rtt_us": ("rtt_us",),
    "cpu": ("cpu_model",),
    "cpu_GHz": ("cpu_GHz",),
    "cores_per_node": ("cores_per_node",),
    "osd_cpu_threads_per_node": ("osd_cpu_threads_per_node",),
    "power_saving": ("power_saving",),
    "ceph_version": ("ceph_version",),
    "pg_num": ("pg_num",),
    "db_wal_device": ("db_wal_device",),
    "fsync_latency_us": ("device_4k_sync_write_iops",),
    "read_latency_us": ("device_read_latency_us",),
    "clients": ("clients",),
    "client_hosts": ("client_hosts",),
    "queue_depth": ("queue_depth",),
    "hyperconverged": ("hyperconverged",),
    "access": ("access",),
}
"""Name of a change -> the facts that it sets."""

_DRIVE_FACTS = (
    "osd_device_class",
    "device_plp",
    "device_seq_read_MBps",
    "device_seq_write_MBps",
    "device_4k_randread_iops",
    "device_4k_randwrite_iops",
    "device_4k_sync_write_iops",
    "device_read_latency_us",
)
_CPU_FACTS = ("cores_per_node", "cpu_GHz", "osd_cpu_threads_per_node")


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that would be different, as the user wrote it: `nodes = 6`."""

    key: str
    value: Any

    def __str__(self) -> str:
        return f"{self.key} = {self.value}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratio:
    """changes: together. ratio: new rate over old, with its interval. iops: the new rate. next: the bottleneck then."""

    changes: tuple[Change, ...]
    ratio: float
    interval: Interval
    iops: float
    next: str


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
    except tomllib.TOMLDecodeError as fault:
        raise ValueError(f"is not KEY = VALUE ({fault})") from fault
    if len(pairs) != 1:
        raise ValueError("needs exactly one KEY = VALUE")
    key, value = pairs[0]
    if key not in KEYS:
        near = [name for name in KEYS if name.startswith(f"{key}_")] or difflib.get_close_matches(key, KEYS, n=1)
        raise ValueError(f"{key!r} is no key that can be changed" + (f", did you mean {near[0]}?" if near else ""))
    return Change(key, value)


def apply(facts: Facts, changes: Sequence[Change]) -> Facts:
    """The facts after the changes. Raises PlanError: an unknown drive, a value that cannot be."""
    for change in changes:
        facts = _apply_one(facts, change)
    return facts


def _apply_one(facts: Facts, change: Change) -> Facts:
    if change.key == "drive":
        drive = find_drive(str(change.value))  # a what-if on an unknown drive would only echo a class default
        facts = replace(facts, **dict.fromkeys(_DRIVE_FACTS))
        facts = replace(facts, osd_device_class=drive.device_class, device_plp=drive.plp)
    if change.key == "cpu":
        facts = replace(facts, **dict.fromkeys(_CPU_FACTS))
    if change.key == "size":
        facts = replace(facts, ec_profile=None)
    value = _checked(change)
    if change.key == "fsync_latency_us":
        value = 1e6 / value
    return replace(facts, **dict.fromkeys(KEYS[change.key], value))


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


def compare(facts: Facts, changes: Sequence[Change], model: Model) -> Ratio:
    """New rate over old, for all changes together. The interval comes from draws of the constants, used for both."""
    before, _ = fill(facts)
    after, _ = fill(apply(facts, changes))
    factor = math.exp(carried_over(facts, load_class(before), model.machines))
    return ratio_between(
        before, after, changes, model, model.constants, factor * float(solve(before, model.constants).rate)
    )


def ratio_between(
    before: Setting, after: Setting, changes: Sequence[Change], model: Model, constants: Constants, iops: float
) -> Ratio:
    """The ratio of two settings' rates with these constants. iops: the rate of the first, predicted or measured."""
    old, new = solve(before, constants), solve(after, constants)
    ratio = float(new.rate / old.rate)
    floor = RATIO_FLOOR[all(change.key in WELL_KNOWN for change in changes)]
    spread = max(_drawn_spread(before, after, model), floor)
    return Ratio(
        changes=tuple(changes),
        ratio=ratio,
        interval=Interval(ratio * math.exp(-spread), ratio * math.exp(spread), CONFIDENCE),
        iops=iops * ratio,
        next=bottleneck(new),
    )


def _drawn_spread(before: Setting, after: Setting, model: Model) -> float:
    """Half-width in ln of the ratio over the posterior draws: 1.28 deviations are 80 % of a normal distribution."""
    if not model.draws:
        return 0.0
    import numpy as np  # start-up time: only what-ifs draw

    constants = type(model.constants)(**{name: np.array(values) for name, values in model.draws.items()})
    numbers = Arrays()
    logs = np.log(solve(after, constants, numbers).rate / solve(before, constants, numbers).rate)
    return 1.28 * float(np.std(logs))


def compare_all(facts: Facts, changes: Sequence[Change], model: Model) -> tuple[Ratio, ...]:
    """Each change alone, then all together when there are several. Raises PlanError where they cannot be together."""
    check_together(facts, changes)
    return tuple(compare(facts, some, model) for some in one_by_one_and_together(changes))


def one_by_one_and_together(changes: Sequence[Change]) -> tuple[tuple[Change, ...], ...]:
    alone = tuple((change,) for change in changes)
    return (*alone, tuple(changes)) if len(changes) > 1 else alone


def check_together(facts: Facts, changes: Sequence[Change]) -> None:
    """Raises PlanError where these changes cannot be made together."""
    after = apply(facts, changes)
    faults = contradictions(after) or too_few_hosts(after)
    if faults and not too_few_hosts(facts):  # a test rig with all copies on one host may still be asked about
        raise PlanError("; ".join(faults), "Change nodes together with size.")
