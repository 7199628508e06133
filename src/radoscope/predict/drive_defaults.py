"""What is known of the drives, by record, catalogue or class; and the small tools that every default needs."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from radoscope.catalogue import Drive, Family, find_family, match_drive
from radoscope.predict.facts import Facts
from radoscope.predict.setting import DISK_READ_S, DISK_WRITES
from radoscope.units import format_seconds

MEGA = 1e6


@dataclass(frozen=True, slots=True)
class DriveClass:
    """Figures of a class of drive where neither the record nor the catalogue has them. Seconds, bytes/s, 1/s."""

    sync: float
    write: float
    read: float
    seq_read: float
    seq_write: float
    deep_read: float
    deep_write: float


# Medians of the catalogue by class where it has three or more, else vendors' data sheets of typical drives.
_DISK = DriveClass(10e-3, 5e-3, DISK_READ_S, 1.7e8, 1.6e8, 150.0, DISK_WRITES)
DRIVE_CLASSES: dict[tuple[str, bool], DriveClass] = {
    ("optane", True): DriveClass(12e-6, 11e-6, 12e-6, 2.5e9, 2.2e9, 5.5e5, 5e5),
    ("nvme", True): DriveClass(17e-6, 14e-6, 90e-6, 3.2e9, 2.0e9, 6e5, 1.5e5),
    ("nvme", False): DriveClass(1.6e-3, 20e-6, 70e-6, 2.6e9, 1.6e9, 2.5e5, 6e4),
    ("sata_ssd", True): DriveClass(55e-6, 45e-6, 130e-6, 5.2e8, 4.6e8, 8e4, 3e4),
    ("sata_ssd", False): DriveClass(1.5e-3, 60e-6, 160e-6, 5.0e8, 3.5e8, 6e4, 1.5e4),
    ("hdd", True): _DISK,
    ("hdd", False): _DISK,
}
CLOUD = re.compile(r"\bcloud\b|\bebs\b|managed disk|persistent disk|\bgp[23]\b|premium ssd", re.IGNORECASE)
CLOUD_DISK = DriveClass(2e-3, 1.5e-3, 1e-3, 1.5e8, 1.5e8, 3e3, 3e3)
"""A disk behind a provider's network, as providers describe them: single-digit milliseconds, 3,000 operations a second
and 125 to 170 MB/s (AWS gp3, Azure P20), kept up, and safe once written."""


CLIENT_WRITES = 2.4e9
"""Bytes per second above which a client drive's data sheet speaks of its fast cache, not of its flash."""


@dataclass(slots=True)
class Filled:
    """Collects values, and the names of those that were assumed."""

    assumed: list[str] = field(default_factory=list)

    def take(self, name: str, given: float | None, default: float) -> float:
        if given is not None:
            return float(given)
        self.assumed.append(f"{name}={default:g}")
        return float(default)


def drive_class(facts: Facts, filled: Filled) -> tuple[str, bool]:
    """(device class, power-loss protection) from the record, else from the model's name, else by kind of cluster."""
    family = find_family(facts.osd_device_model)
    device = facts.osd_device_class or (family.device_class if family else None)
    if device == "hdd" and re.search(r"cache", facts.db_wal_device or "", re.IGNORECASE) and not has_safe_cache(facts):
        filled.assumed.append("osd_device_class=sata_ssd (an SSD cache in front of the disks)")
        named = match_drive(facts.db_wal_device or "")
        before = Family(named.device_class, named.plp) if named else find_family(facts.db_wal_device)
        flash = before is not None and before.device_class != "hdd"
        return (before.device_class, bool(before.plp)) if before and flash else ("sata_ssd", False)
    if device is None:
        device = "nvme" if (facts.year or 2020) >= 2019 else "sata_ssd"
        filled.assumed.append(f"osd_device_class={device}")
    plp = facts.device_plp if facts.device_plp is not None else (family.plp if family else None)
    if plp is None:
        plp = device in ("optane",) or looks_like_datacentre(facts)
        if device != "hdd":
            filled.assumed.append(f"device_plp={str(plp).lower()}")
    return device, plp


SAFE_CACHE = re.compile(
    r"\bbbu\b|battery|flash.?backed|(controller|raid|hba)[\w ]*(write.?back|cache)|"
    r"write.?back[\w ]*(controller|raid)",
    re.IGNORECASE,
)
"""How people say that a controller keeps what is written in memory that outlives a power cut."""
SAFE_CACHE_S = 60e-6


def has_safe_cache(facts: Facts) -> bool:
    said = f"{facts.osd_device_model} {facts.db_wal_device} {facts.variant}"
    return bool(SAFE_CACHE.search(said)) and "bcache" not in said.lower()


def looks_like_datacentre(facts: Facts) -> bool:
    """Servers rather than somebody's own desktops: by processor, network, count of drives, and who tells the story."""
    if re.search(r"xeon|epyc|altra|kunpeng", facts.cpu_model or "", re.IGNORECASE):
        return True
    if facts.cpu_model:
        return False
    if facts.network_Gbps is not None:
        return facts.network_Gbps >= 25
    own = facts.hyperconverged and (facts.client_hosts or 1) <= 1  # one client on a storage host, and no hardware told
    return not own or (facts.osd_devices_per_node or 0) >= 6


def drive_figures(facts: Facts, device: str, plp: bool, drive: Drive | None, filled: Filled) -> dict[str, float]:
    usual = DRIVE_CLASSES.get((device, plp), DRIVE_CLASSES[("nvme", True)])
    cloud = bool(CLOUD.search(facts.osd_device_model or ""))
    if cloud:
        usual = CLOUD_DISK
    kind = "cloud disk" if cloud else device if plp else f"{device}, no PLP"

    def figure(
        name: str, given: float | None, listed: float | None, default: float, shown: Callable[[float], str]
    ) -> float:
        if given is None and listed is None:
            filled.assumed.append(f"{name}={shown(default)} ({kind})")
        return float(given or listed or default)

    listed = drive or Drive(id="", model="", device_class=device)  # nothing is known of it
    listed_read = _inverse(listed.read_4k_qd1_iops)
    if device == "hdd" and facts.device_4k_randread_iops:  # a disk that does more of them seeks faster
        listed_read = listed_read or usual.read * usual.deep_read / facts.device_4k_randread_iops
    safe = has_safe_cache(facts)
    sync, listed_sync = _inverse(facts.device_4k_sync_write_iops), SAFE_CACHE_S if safe else _sync_of(listed)
    sync_s = figure("device_4k_sync_write", sync, listed_sync, usual.sync, format_seconds)
    database = facts.db_wal_device
    listed_read_rate, listed_write_rate = _times(listed.seq_read_MBps, MEGA), _times(listed.seq_write_MBps, MEGA)
    if listed_write_rate and not plp:
        listed_write_rate = min(listed_write_rate, CLIENT_WRITES)
    given_read_rate = _times(facts.device_seq_read_MBps, MEGA)
    given_write_rate = _times(facts.device_seq_write_MBps, MEGA)
    seq_read = figure("device_seq_read", given_read_rate, listed_read_rate, usual.seq_read, _megabytes)
    seq_write = figure("device_seq_write", given_write_rate, listed_write_rate, usual.seq_write, _megabytes)
    return {
        "sync": sync_s,
        "write": min(_inverse(listed.write_4k_qd1_nonsync_iops) or usual.write, sync_s),
        "read": _times(facts.device_read_latency_us, 1e-6) or listed_read or usual.read,
        "seq_read": seq_read,
        "seq_write": seq_write,
        "deep_read": facts.device_4k_randread_iops or listed.randread_4k_deep_iops or usual.deep_read,
        "deep_write": facts.device_4k_randwrite_iops or listed.randwrite_4k_deep_iops or usual.deep_write,
        "plp": float(plp or cloud or (safe and device != "hdd")),
        "hdd": float(device == "hdd"),
        "db": float(database is not None or safe),
        "db_sync": SAFE_CACHE_S if safe else _database_sync(database),
    }


def _megabytes(bytes_per_s: float) -> str:
    return f"{bytes_per_s / MEGA:g} MB/s"


def _times(value: float | None, factor: float) -> float | None:
    return value * factor if value else None


def _inverse(value: float | None) -> float | None:
    return 1 / value if value else None


def _sync_of(drive: Drive) -> float | None:
    return _inverse(drive.sync_write_4k_qd1_iops) or _times(drive.sync_write_4k_qd1_latency_us, 1e-6)


def _database_sync(device: str | None) -> float:
    """Seconds of one durable write on the separate DB/WAL device; its class by name where the catalogue has none."""
    if device is None:
        return 0.0
    if (named := match_drive(device)) and (listed := _sync_of(named)):
        return listed
    family = find_family(device)
    stated = bool(re.search(r"\bPLP\b", device)) and "no PLP" not in device
    plp = stated or bool(family and family.plp is not False)
    return DRIVE_CLASSES[(family.device_class if family else "sata_ssd", plp)].sync
