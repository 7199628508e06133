"""cluster.toml: the file in which a user describes a cluster. Every fault is reported at once, with its place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from radoscope.catalogue import find_family, match_drive
from radoscope.faults import Fault, Faults, Place, faults_of, read_toml
from radoscope.predict.facts import Facts, contradictions, too_few_hosts, unknown_release

Positive = Field(default=None, gt=0)


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class ClusterTable(_Table):
    """[cluster]: the storage hosts and the pool."""

    nodes: int = Field(gt=0)
    osds_per_node: float | None = Positive
    drives_per_node: float | None = Positive
    drive: str | None = None
    db_wal_device: str | None = None
    cpu: str | None = None
    cores_per_node: float | None = Positive
    cpu_GHz: float | None = Positive
    osd_cpu_threads_per_node: float | None = Positive
    power_saving: bool | None = None
    memory_GB_per_node: float | None = Positive
    network_Gbps: float | None = Positive
    cluster_network_Gbps: float | None = Positive
    rtt_us: float | None = Field(default=None, ge=0)
    ceph_version: str | None = None
    backend: Literal["bluestore", "filestore"] | None = None
    size: int | None = Positive
    ec_profile: str | None = Field(default=None, pattern=r"\d+\s*\+\s*\d+")
    pg_num: int | None = Positive


class DriveTable(_Table):
    """[drive]: measured or listed figures; they win over the catalogue."""

    device_class: Literal["hdd", "sata_ssd", "nvme", "optane"] | None = Field(default=None, alias="class")
    plp: bool | None = None
    fsync_latency_us: float | None = Positive
    read_latency_us: float | None = Positive
    seq_read_MBps: float | None = Positive
    seq_write_MBps: float | None = Positive
    randread_iops: float | None = Positive
    randwrite_iops: float | None = Positive


class ClientTable(_Table):
    """[clients]: where the load comes from."""

    hosts: float | None = Positive
    network_Gbps: float | None = Positive
    hyperconverged: bool | None = None
    access: (
        Literal["rados_bench", "librbd_fio", "krbd_fio", "vm_fio", "cephfs", "rbd_nbd_fio", "rbd_bench", "rgw_s3"]
        | None
    ) = None


class ClusterFile(_Table):
    """A whole file. workloads: names as in `--workload`. costs: rank per kind of change,
    or prices with a `currency`: per host, per drive, per processor or line of a host."""

    cluster: ClusterTable
    drive: DriveTable = Field(default_factory=DriveTable)
    clients: ClientTable = Field(default_factory=ClientTable)
    workloads: list[str] = Field(default_factory=list)
    costs: dict[str, float | str] = Field(default_factory=dict)


_FLAT: dict[str, tuple[str, str]] = {
    **{name: ("cluster", name) for name in ClusterTable.model_fields},
    **{key: ("drive", key) for key in (one.alias or name for name, one in DriveTable.model_fields.items())},
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
    try:
        file = ClusterFile.model_validate(raw)
    except ValidationError as error:
        faults.extend(faults_of(error, _keys_at, _NAMES_OF_RECORDS))
        raise faults.error(_EVERY_KEY) from None
    facts = _facts(file)
    faults.extend(Fault("", sentence) for sentence in contradictions(facts))
    faults.raise_any(_EVERY_KEY)
    costs = {key: float(value) for key, value in file.costs.items() if not isinstance(value, str)}
    currency = file.costs.get("currency")
    return Description(facts, tuple(file.workloads), costs, str(currency) if currency else None)


def _in_tables(raw: dict[str, Any]) -> tuple[dict[str, Any], list[Fault]]:
    """Each key in the table where it belongs; and a fault for each that stands both there and outside of any table."""
    file: dict[str, Any] = {"cluster": {}}
    twice: list[Fault] = []
    for key, value in raw.items():
        is_table = isinstance(value, dict) or key not in _FLAT
        table, entries = (key, value) if is_table else (_FLAT[key][0], {_FLAT[key][1]: value})
        if isinstance(entries, dict) and isinstance(file.get(table, {}), dict):
            known = file.setdefault(table, {})
            again = f"given twice, also outside of [{table}]"
            twice += [Fault(f"{table}.{name}", again) for name in known.keys() & entries]
            known.update(entries)
        else:
            file[table] = entries
    return file, twice


def _keys_at(place: Place) -> Iterable[str]:
    """The keys of a table; at the top, also those that may stand there without one."""
    tables: dict[int | str, type[BaseModel]] = {"cluster": ClusterTable, "drive": DriveTable, "clients": ClientTable}
    table = tables[place[0]] if place else ClusterFile
    keys = [one.alias or name for name, one in table.model_fields.items()]
    return keys if place else [*keys, *_FLAT]


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
            if isinstance(cluster.get(key), int | str):
                faults += [Fault(f"cluster.{key}", fault) for fault in too_few_hosts(replace(wide, nodes=nodes))]
    costs = raw.get("costs", {})
    faults += [
        Fault(f"costs.{key}", f"is a number, not {value!r}")
        for key, value in (costs.items() if isinstance(costs, dict) else ())
        if isinstance(value, str) and key != "currency"
    ]
    version = cluster.get("ceph_version")
    if isinstance(version, str) and (unknown := unknown_release(version)):
        faults.append(Fault("cluster.ceph_version", unknown))
    return faults


def _facts(file: ClusterFile) -> Facts:
    cluster, drive, clients = file.cluster, file.drive, file.clients
    return Facts(
        ceph_version=cluster.ceph_version,
        backend=cluster.backend,
        nodes=cluster.nodes,
        osds_per_node=cluster.osds_per_node,
        osd_devices_per_node=cluster.drives_per_node,
        osd_device_model=cluster.drive,
        osd_device_class=drive.device_class,
        device_plp=drive.plp,
        device_seq_read_MBps=drive.seq_read_MBps,
        device_seq_write_MBps=drive.seq_write_MBps,
        device_4k_randread_iops=drive.randread_iops,
        device_4k_randwrite_iops=drive.randwrite_iops,
        device_4k_sync_write_iops=1e6 / drive.fsync_latency_us if drive.fsync_latency_us else None,
        device_read_latency_us=drive.read_latency_us,
        db_wal_device=cluster.db_wal_device,
        cpu_model=cluster.cpu,
        cores_per_node=cluster.cores_per_node,
        cpu_GHz=cluster.cpu_GHz,
        osd_cpu_threads_per_node=cluster.osd_cpu_threads_per_node,
        power_saving=cluster.power_saving,
        ram_GB_per_node=cluster.memory_GB_per_node,
        network_Gbps=cluster.network_Gbps,
        cluster_network_Gbps=cluster.cluster_network_Gbps,
        client_network_Gbps=clients.network_Gbps,
        rtt_us=cluster.rtt_us,
        pool_size=cluster.size,
        ec_profile=cluster.ec_profile,
        pg_num=cluster.pg_num,
        access=clients.access,
        client_hosts=clients.hosts,
        hyperconverged=clients.hyperconverged,
    )
