"""What every OSD's own bench came to, as it was answered. `judge` says who is slower than its peers."""

from __future__ import annotations

from dataclasses import dataclass

from radoscope.records.study import Study


@dataclass(frozen=True, slots=True, kw_only=True)
class OsdBench:
    """One OSD. device_class: "ssd", "hdd", "nvme", or empty if unknown. iops: of each of its benches."""

    osd: int
    device_class: str
    iops: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class OsdBenches:
    """All OSDs that answered, by their number."""

    benches: tuple[OsdBench, ...]


def benches_of(study: Study) -> tuple[OsdBench, ...]:
    """The payload of a study of this kind."""
    assert isinstance(study.payload, OsdBenches)
    return study.payload.benches
