"""cluster.toml: the file in which a user describes a cluster. Every fault is reported at once, with its place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import Any

from radoscope.catalogue import find_family, match_drive
from radoscope.faults import Fault, Faults, read_toml, unknown_key
from radoscope.predict.facts import Facts, check_fact, contradictions, too_few_hosts, unknown_release

TABLES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "cluster": {
            "nodes": "nodes", "osds_per_node": "osds_per_node", "drives_per_node": "osd_devices_per_node",
            "drive": "osd_device_model", "db_wal_device": "db_wal_device", "cpu": "cpu_model",
            "cores_per_node": "cores_per_node", "cpu_GHz": "cpu_GHz",
            "osd_cpu_threads_per_node": "osd_cpu_threads_per_node", "cpu_taken": "cpu_taken",
            "power_saving": "power_saving",
            "memory_GB_per_node": "ram_GB_per_node", "network_Gbps": "network_Gbps",
            "cluster_network_Gbps": "cluster_network_Gbps", "rtt_us": "rtt_us", "ceph_version": "ceph_version",
            "backend": "backend", "size": "pool_size", "ec_profile": "ec_profile", "pg_num": "pg_num",
        },
        "drive": {
            "class": "osd_device_class", "plp": "device_plp", "fsync_latency_us": "device_4k_sync_write_iops",
            "read_latency_us": "device_read_latency_us", "seq_read_MBps": "device_seq_read_MBps",
            "seq_write_MBps": "device_seq_write_MBps", "randread_iops": "device_4k_randread_iops",
            "randwrite_iops": "device_4k_randwrite_iops",
        },
        "clients": {
            "hosts": "client_hosts", "network_Gbps": "client_network_Gbps", "hyperconverged": "hyperconverged",
            "access": "access",
        },
    }
)  # fmt: skip
"""Table -> key -> the fact that it states. [drive] has measured or listed figures: they win over the catalogue."""

_TOP = (*TABLES, "workloads", "costs")

FLAT: dict[str, tuple[str, str]] = {
    **{key: ("cluster", key) for key in TABLES["cluster"]},
    **{key: ("drive", key) for key in TABLES["drive"]},
    "client_hosts": ("clients", "hosts"),
    "client_network_Gbps": ("clients", "network_Gbps"),
    "hyperconverged": ("clients", "hyperconverged"),
    "access": ("clients", "access"),
}
"""Keys as `--what-if` has them -> table and key: they may stand in a file without tables."""

_NAMES_OF_RECORDS = {
    "osd_device_model": "drive",
    "osd_device_class": "class",
    "osd_devices_per_node": "drives_per_node",
    "cpu_model": "cpu",
    "cores": "cores_per_node",
    "ram_GB_per_node": "memory_GB_per_node",
    "pool_size": "size",
    "network": "network_Gbps",
}
"""What `--batch` and people call our keys; understood as far as a hint goes."""


_PROFILE = re.compile(r"\s*\d+\s*\+\s*\d+\s*")
_EVERY_KEY = "docs/verbs/predict.md lists every key."


@dataclass(frozen=True, slots=True)
class Description:
    """What a cluster file says: facts without a load, the loads by name, and costs of changes: ranks, or prices in
    `currency`."""

    facts: Facts
    workloads: tuple[str, ...] = ()
    costs: dict[str, float] = field(default_factory=dict)
    currency: str | None = None


def read_cluster(text: str) -> Description:
    """TOML text -> description. Raises PlanError that names every fault, one a line, with its key."""
    hint = "Strings need quotes; tables are [cluster], [drive], [clients], or none at all."
    raw, twice = _in_tables(read_toml(text, "the cluster file", hint))
    faults = Faults("the cluster file", [*twice, *_meaning(raw)])
    facts = _facts(raw, faults)
    workloads = _workloads(raw.get("workloads", []), faults)
    costs, currency = _costs(raw.get("costs", {}), faults)
    faults.extend(Fault("", sentence) for sentence in contradictions(facts))
    faults.raise_any(_EVERY_KEY)
    return Description(facts, workloads, costs, currency)


def stated(facts: Facts) -> tuple[str, ...]:
    """What a file states, by its keys: "nodes = 3", "drive = PM893"."""
    found = {key: getattr(facts, TABLES[table][name]) for key, (table, name) in FLAT.items()}
    if found["fsync_latency_us"]:
        found["fsync_latency_us"] = 1e6 / found["fsync_latency_us"]
    return tuple(f"{key} = {_as_toml(value)}" for key, value in found.items() if value is not None)


def _as_toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.6g}" if isinstance(value, int | float) else str(value)


def _facts(raw: Mapping[str, Any], faults: Faults) -> Facts:
    """The facts of all tables; what is wrong there goes to `faults`."""
    stated: dict[str, Any] = {}
    for table in (name for name in raw if name not in ("workloads", "costs")):
        if table not in TABLES:
            faults.add(table, unknown_key(table, [*_TOP, *FLAT], _NAMES_OF_RECORDS))
        elif not isinstance(raw[table], dict):
            faults.add(table, f"is a table of keys, not {raw[table]!r}")
        else:
            for key, value in raw[table].items():
                faults.attempt(f"{table}.{key}", partial(_state, stated, table, key, value))
    if "nodes" not in stated and not (isinstance(raw["cluster"], dict) and "nodes" in raw["cluster"]):
        faults.add("cluster.nodes", "is needed")
    return Facts(**stated)


def _state(stated: dict[str, Any], table: str, key: str, value: Any) -> None:
    """Add the fact that a key states. Raises ValueError where key or value are none."""
    fact = TABLES[table].get(key)
    if fact is None:
        raise ValueError(unknown_key(key, TABLES[table], _NAMES_OF_RECORDS))
    if key == "ec_profile" and not _PROFILE.fullmatch(str(value)):
        raise ValueError(f"is written as 4+2, not {value!r}")
    if key == "fsync_latency_us":
        stated[fact] = 1e6 / check_fact("device_read_latency_us", value)  # the same unit and range
    else:
        stated[fact] = check_fact(fact, value)


def _workloads(named: Any, faults: Faults) -> tuple[str, ...]:
    if isinstance(named, list) and all(isinstance(one, str) for one in named):
        return tuple(named)
    faults.add("workloads", f"is a list of names such as 4k-randwrite-qd1, not {named!r}")
    return ()


def _costs(stated: Any, faults: Faults) -> tuple[dict[str, float], str | None]:
    """(rank or price of each kind of change, currency)."""
    if not isinstance(stated, dict):
        faults.add("costs", f"is a table of keys, not {stated!r}")
        return {}, None
    costs = {key: value for key, value in stated.items() if key != "currency"}
    for key, value in costs.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
            faults.add(f"costs.{key}", f"must be a number of 0 or more, not {value!r}")
    currency = stated.get("currency")
    if currency is not None and not isinstance(currency, str):
        faults.add("costs.currency", f"must be a name such as EUR, not {currency!r}")
    return {key: float(value) for key, value in costs.items() if isinstance(value, int | float)}, currency


def _in_tables(raw: dict[str, Any]) -> tuple[dict[str, Any], list[Fault]]:
    """Each key in the table where it belongs; and a fault for each that stands both there and outside of any table."""
    file: dict[str, Any] = {"cluster": {}}
    twice: list[Fault] = []
    for key, value in raw.items():
        is_table = isinstance(value, dict) or key not in FLAT
        table, entries = (key, value) if is_table else (FLAT[key][0], {FLAT[key][1]: value})
        if isinstance(entries, dict) and isinstance(file.get(table, {}), dict):
            known = file.setdefault(table, {})
            again = f"given twice, also outside of [{table}]"
            twice += [Fault(f"{table}.{name}", again) for name in known.keys() & entries]
            known.update(entries)
        else:
            file[table] = entries
    return file, twice


def _meaning(raw: dict[str, Any]) -> list[Fault]:
    """Faults that only a look beyond single values finds."""
    cluster = raw.get("cluster", {})
    faults = []
    name = cluster.get("drive") if isinstance(cluster, dict) else None
    known = isinstance(name, str) and (match_drive(name) or find_family(name))
    if isinstance(name, str) and not known and "class" not in raw.get("drive", {}):
        missing = f"the catalogue has no {name!r}; state its class and its fsync_latency_us"
        faults.append(Fault("cluster.drive", missing))
    if not isinstance(cluster, dict):
        return faults
    size, nodes, profile = (cluster.get(key) for key in ("size", "nodes", "ec_profile"))
    if isinstance(size, int) and profile:
        faults.append(Fault("cluster.size", "a pool has copies or an ec_profile, not both"))
    elif isinstance(nodes, int):
        for key, wide in (("size", Facts(pool_size=size)), ("ec_profile", Facts(ec_profile=profile))):
            if isinstance(cluster.get(key), int) or _PROFILE.fullmatch(str(profile)):
                faults += [Fault(f"cluster.{key}", fault) for fault in too_few_hosts(replace(wide, nodes=nodes))]
    version = cluster.get("ceph_version")
    if isinstance(version, str) and (unknown := unknown_release(version)):
        faults.append(Fault("cluster.ceph_version", unknown))
    return faults
