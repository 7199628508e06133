"""What is known about a cluster and a load: its releases by name, its loads by name.

Units here are those that people and publications use (Gbit/s, microseconds, MB/s = 10^6 bytes/s), each in its name;
`defaults.fill` turns them into seconds and bytes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any, get_type_hints

from radoscope.errors import PlanError
from radoscope.faults import Fault, Faults, near
from radoscope.units import parse_bytes

RELEASES = (
    "jewel",
    "kraken",
    "luminous",
    "mimic",
    "nautilus",
    "octopus",
    "pacific",
    "quincy",
    "reef",
    "squid",
    "tentacle",
)
"""Release names from number 10 on."""


def release(version: str | None, year: int | None) -> float:
    """ "17.2.5", "18 dev", "12-15", "Reef" -> the major release; by year where the version is not stated."""
    text = (version or "").lower()
    for number, name in enumerate(RELEASES, start=10):
        if name in text:
            return float(number)
    match = re.match(r"\D{0,3}(\d+)(?:\.\d+)*(?:\s*-\s*(\d+))?", text)
    if match and float(match[1]) < 40:
        return (float(match[1]) + float(match[2] or match[1])) / 2
    return float(min(20, max(9, 12 + (year or 2024) - 2018)))


NEWEST = 21
"""The release in the making: what is named so far cannot be newer."""


def unknown_release(version: str) -> str | None:
    """Why this is no release of Ceph, as a sentence; None where it is one: "18.2.1", "v19", "20 dev", "Reef"."""
    text = version.strip().lower()
    if any(name in text for name in RELEASES):
        return None
    match = re.fullmatch(r"v?(\d+)((?:\.\d+)*)([\s-].*)?", text)
    if match is None or not 0 <= int(match[1]) <= NEWEST:
        return (
            f"{version!r} is no release of Ceph; write a number up to {NEWEST}, such as 18.2.1, or a name such as reef"
        )
    rest = (match[3] or "").strip(" -")
    if rest and not re.fullmatch(r"(dev|rc\S*|\d+[\w.~-]*|\(.*\)|g[0-9a-f]+)(\s.*)?", rest):
        return f"{version!r}: {rest!r} is not understood; write a number such as 18.2.1"
    return None


ACCESSES = ("rados_bench", "librbd_fio", "krbd_fio", "vm_fio", "cephfs", "rbd_nbd_fio", "rbd_bench", "rgw_s3")
OPERATIONS = ("seq_read", "seq_write", "rand_read", "rand_write", "mixed")
DEVICE_CLASSES = ("hdd", "sata_ssd", "nvme", "optane")
BACKENDS = ("bluestore", "filestore")


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Hardware and workload; None: not known. Field names as in docs/verbs/predict.md.

    whole_cluster: as many clients, each on a host of its own, as the cluster has hosts. one_machine: whether all hosts,
    those of the clients too, take turns on the processors of one, as in a sandbox; None where nobody measured there.
    cpu_taken: the share of the hosts' processors that others keep busy, as guests do.
    """

    ceph_version: str | None = None
    backend: str | None = None
    year: int | None = None
    nodes: int | None = None
    osds_per_node: float | None = None
    osd_devices_per_node: float | None = None
    osd_device_model: str | None = None
    osd_device_class: str | None = None
    device_plp: bool | None = None
    device_seq_read_MBps: float | None = None
    device_seq_write_MBps: float | None = None
    device_4k_randread_iops: float | None = None
    device_4k_randwrite_iops: float | None = None
    device_4k_sync_write_iops: float | None = None
    device_read_latency_us: float | None = None
    db_wal_device: str | None = None
    cpu_model: str | None = None
    cores_per_node: float | None = None
    cpu_GHz: float | None = None
    osd_cpu_threads_per_node: float | None = None
    power_saving: bool | None = None
    ram_GB_per_node: float | None = None
    network_Gbps: float | None = None
    cluster_network_Gbps: float | None = None
    client_network_Gbps: float | None = None
    rtt_us: float | None = None
    pool_size: int | None = None
    ec_profile: str | None = None
    pg_num: int | None = None
    access: str | None = None
    op: str | None = None
    read_fraction: float | None = None
    block_bytes: int | None = None
    queue_depth: float | None = None
    clients: float | None = None
    client_hosts: float | None = None
    whole_cluster: bool | None = None
    hyperconverged: bool | None = None
    one_machine: bool | None = None
    cpu_taken: float | None = None
    duration_s: float | None = None
    variant: str | None = None


_KINDS: dict[str, tuple[type, ...]] = {
    name: tuple(kind for kind in hint.__args__ if kind is not type(None))
    for name, hint in get_type_hints(Facts).items()
}
_MAY_BE_ZERO = frozenset(["cpu_taken", "rtt_us", "duration_s", "read_fraction"])
_OPEN = frozenset(["access", "osd_device_class", "backend"])
_RANGES: dict[str, tuple[float, float, str]] = {
    "nodes": (1, 20_000, "hosts"),
    "osds_per_node": (0.05, 1000, "OSDs"),
    "osd_devices_per_node": (0.05, 1000, "drives"),
    "device_seq_read_MBps": (0.5, 60_000, "MB/s"),
    "device_seq_write_MBps": (0.5, 60_000, "MB/s"),
    "device_4k_randread_iops": (5, 1e7, "operations a second"),
    "device_4k_randwrite_iops": (5, 1e7, "operations a second"),
    "device_4k_sync_write_iops": (1, 1e6, "operations a second"),
    "device_read_latency_us": (1, 1e6, "microseconds"),
    "cores_per_node": (0.01, 2048, "cores"),
    "cpu_GHz": (0.3, 10, "GHz"),
    "osd_cpu_threads_per_node": (0.01, 4096, "threads"),
    "cpu_taken": (0, 0.95, "of the processors"),
    "ram_GB_per_node": (0.05, 12_000, "GB"),
    "network_Gbps": (0.001, 800, "Gbit/s"),
    "cluster_network_Gbps": (0.001, 800, "Gbit/s"),
    "client_network_Gbps": (0.001, 800, "Gbit/s"),
    "rtt_us": (1, 1e6, "microseconds"),
    "pool_size": (1, 20, "copies"),
    "pg_num": (1, 1e6, "groups"),
    "block_bytes": (1, 1 << 28, "bytes"),
    "queue_depth": (0.01, 65_536, "in flight"),
    "clients": (0.01, 1e6, "clients"),
}
"""What a cluster can have, with the unit: what lies outside was meant in another one."""
_CHOICES = {"access": ACCESSES, "op": OPERATIONS, "osd_device_class": DEVICE_CLASSES, "backend": BACKENDS}


def read_facts(row: Mapping[str, Any]) -> Facts:
    """One record -> facts; fields that are not ours are ignored. Raises PlanError that names every fault at once.

    An access path or a device class that the model has no name for is not a fault: it counts as not stated.
    """
    values: dict[str, Any] = {}
    faults = Faults()
    for field in fields(Facts):
        value = row.get(field.name)
        if value is None or value == "" or (field.name in _OPEN and value not in _CHOICES[field.name]):
            continue
        values[field.name] = faults.attempt(field.name, partial(check_fact, field.name, value))
    facts = Facts(**values)
    faults.extend(Fault("", sentence) for sentence in contradictions(facts))
    faults.raise_any("Leave a field out when it is not known: a class default is used and named.")
    return facts


def contradictions(facts: Facts) -> list[str]:
    """What cannot be true together, as sentences; empty when all is well."""
    wide = sum(erasure_shape(facts.ec_profile)) if facts.ec_profile else facts.pool_size
    osds = (facts.nodes or 0) * (facts.osds_per_node or 0)
    if wide and osds and wide > osds:
        return [f"a pool of width {wide:.0f} needs {wide:.0f} OSDs, there are {osds:g}"]
    return []


def too_few_hosts(facts: Facts) -> list[str]:
    """Copies or shards that would have to share a host, as a sentence; empty when each has one of its own."""
    nodes = facts.nodes or 0
    if facts.ec_profile:
        size, what = sum(erasure_shape(facts.ec_profile)), "shard"
    else:
        size, what = facts.pool_size or 0, "copie"
    if 0 < nodes < size:
        one = "shard" if facts.ec_profile else "copy"
        hosts = f"{nodes} host{'s' if nodes > 1 else ''}"
        return [f"{size} {what}s on {hosts}; with failure domain host a {one} needs a host"]
    return []


WIDEST = 64
"""Shards of an erasure-coded object, more than anybody has."""


def erasure_shape(profile: str | None) -> tuple[int, int]:
    """ "4+2", "EC 8+3 (4K unit)", "k=4 m=2" -> (k, m); 2+2 where the profile does not say."""
    match = re.search(r"(?:k\s*=?\s*)?(\d+)\s*(?:\+|[,: ]\s*m\s*=?\s*)\s*(\d+)", profile or "", re.IGNORECASE)
    return (int(match[1]), int(match[2])) if match else (2, 2)


def check_fact(name: str, value: Any) -> Any:
    """The value of a fact as it was written. Raises ValueError that says what is allowed."""
    kinds = _KINDS[name]
    if bool in kinds:
        if not isinstance(value, bool):
            raise ValueError(f"must be true or false, not {value!r}")
        return value
    if str in kinds:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise ValueError(f"must be text, not {value!r}")
        return _shape(str(value)) if name == "ec_profile" else _choice(name, str(value))
    return _number(name, value, whole=int in kinds)


def _shape(profile: str) -> str:
    k, m = erasure_shape(profile)
    if k < 1 or m < 1 or k + m > WIDEST:
        raise ValueError(f"must be 1+1 to {WIDEST} shards together, not {profile!r}")
    return profile


def _choice(name: str, value: str) -> str:
    if name in _CHOICES and value not in _CHOICES[name]:
        raise ValueError(f"{value!r} is none of {', '.join(_CHOICES[name])}{near(value, _CHOICES[name])}")
    return value


def _number(name: str, value: Any, *, whole: bool) -> float | int:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"must be a number, not {value!r}")
    if value < 0 or (value == 0 and name not in _MAY_BE_ZERO):
        raise ValueError(f"must be {'0 or more' if name in _MAY_BE_ZERO else 'more than 0'}, not {value:g}")
    if name == "read_fraction" and value > 1:
        raise ValueError(f"must be between 0 and 1, not {value:g}")
    if whole and value != int(value):
        raise ValueError(f"must be a whole number, not {value:g}")
    low, high, unit = _RANGES.get(name, (0, math.inf, ""))
    if value and not low <= value <= high:
        raise ValueError(f"must be {low:,g} to {high:,.10g} {unit}, not {value:,.6g}")
    return int(value) if whole else float(value)


WHOLE = ("4M-write-qd16-xall", "4M-read-qd16-xall", "4k-randwrite-qd32-xall", "4k-randread-qd32-xall")
"""Loads on the whole cluster: as many clients as it has hosts, each on a host of its own."""

STANDARD = ("4k-randwrite-qd1", "4k-randread-qd1", *WHOLE)
"""One operation at a time, and the whole cluster busy."""

_OPERATIONS = {"write": "seq_write", "read": "seq_read", "randwrite": "rand_write", "randread": "rand_read"}


def apply_workload(facts: Facts, name: str) -> Facts:
    """The facts under the named load. x4 means four images or clients, xall one on each of as many client hosts as the
    cluster has hosts. Raises PlanError."""
    pattern = r"(\w+?)-(write|read|randwrite|randread|randrw|rw)(\d*)-qd(\d+)(?:-x(\d+|all))?"
    match = re.fullmatch(pattern, name.strip(), re.IGNORECASE)
    if match is None or int(match[4]) < 1:
        raise PlanError(
            f"{name!r} is not a workload", "Write BLOCK-OP-qdN[-xCLIENTS], e.g. 4k-randwrite-qd1 or 4M-read-qd16-x4."
        )
    kind = match[2].lower()
    mixed = kind in ("rw", "randrw")
    if mixed and not 0 < int(match[3] or 0) < 100:
        raise PlanError(f"{name!r} does not say its share of reads", "Write 4k-randrw70-qd32 for 70 % reads.")
    whole = (match[5] or "").lower() == "all"
    try:
        block = check_fact("block_bytes", parse_bytes(match[1]))
        depth = check_fact("queue_depth", int(match[4]))
        clients = None if whole else check_fact("clients", int(match[5] or 1))
    except ValueError as fault:
        raise PlanError(f"{name!r}: {fault}") from fault
    return replace(
        facts,
        op="mixed" if mixed else _OPERATIONS[kind],
        read_fraction=int(match[3]) / 100 if mixed else None,
        block_bytes=block,
        queue_depth=depth,
        clients=clients,
        client_hosts=None if whole else facts.client_hosts,
        whole_cluster=whole or None,
    )
