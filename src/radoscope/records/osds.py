"""What every OSD's own bench came to, as it was answered. `stats` says who is slower than its peers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class OsdBench:
    """One OSD. device_class: "ssd", "hdd", "nvme", or empty where nobody said. iops: of each of its benches."""

    osd: int
    device_class: str
    iops: tuple[float, ...]
