"""What a network link and a disk shall be like, and the disks that have a name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from radoscope.errors import PlanError

_BITS = {"m": 10**6, "g": 10**9}
_CACHE_OFF = ", write cache off"


@dataclass(frozen=True, slots=True, kw_only=True)
class DiskModel:
    """How slow a disk shall be; zero is "as this machine's own". A model can only slow down.

    flush_s: time of fsync and fdatasync. write_s, read_s: time of one request. channels: requests served at once,
    0 for any number. bytes_per_s: of reads and writes together, 0 for no limit. jitter: share by which a time varies.
    write_cache: whether writes are acknowledged from the drive's cache; without it there is nothing to flush, and each
    write waits until it is safe. protected: the cache outlives a power cut, so that a write in it is safe.
    """

    name: str
    flush_s: float = 0.0
    write_s: float = 0.0
    read_s: float = 0.0
    channels: int = 0
    bytes_per_s: float = 0.0
    jitter: float = 0.0
    write_cache: bool = True
    protected: bool = False

    def __post_init__(self) -> None:
        times = (self.flush_s, self.write_s, self.read_s)
        if any(not 0 <= time <= 10 for time in times) or self.bytes_per_s < 0:
            raise PlanError(f"the disk {self.name} has a time or a rate out of range", "Times are 0 to 10 s.")
        if not 0 <= self.channels <= 256 or not 0 <= self.jitter < 1:
            raise PlanError(f"the disk {self.name}: channels are 0 to 256, jitter is 0 to below 1")
        if not self.write_cache and self.changes_nothing:
            raise PlanError(
                "this machine's own disk keeps its write cache",
                "Choose a modelled disk, too: --disk consumer --write-cache off.",
            )

    def with_write_cache(self, on: bool) -> DiskModel:
        """The same drive with its write cache on or off (as by `hdparm -W` or `smartctl -s wcache`)."""
        name = self.name.removesuffix(_CACHE_OFF)
        return replace(self, name=name if on else name + _CACHE_OFF, write_cache=on)

    @property
    def flush_cost_s(self) -> float:
        """What a flush takes: nothing where no write waits in a cache."""
        return self.flush_s if self.write_cache else 0.0

    @property
    def write_cost_s(self) -> float:
        """What a write takes: without a cache, also until it is safe; a protected buffer is safe at once."""
        return self.write_s if self.write_cache or self.protected else self.write_s + self.flush_s

    @property
    def changes_nothing(self) -> bool:
        return not any((self.flush_s, self.write_s, self.read_s, self.bytes_per_s))

    @property
    def is_flush_alone(self) -> bool:
        return self.flush_cost_s > 0 and not any((self.write_s, self.read_s, self.bytes_per_s))


# Flush times: what issue reports and drive tests name for the classes (see docs/verbs/sandbox.md). 600 MB/s: a SATA
# link of 6 Gbit/s with 8 bits in 10. The disk's one arm serves one request at a time.
DISKS: Mapping[str, DiskModel] = {
    model.name: model
    for model in (
        DiskModel(name="none"),
        DiskModel(name="consumer", flush_s=1.7e-3),
        DiskModel(name="plp-sata", flush_s=0.1e-3, bytes_per_s=600e6, protected=True),
        DiskModel(name="hdd", flush_s=8e-3, read_s=8e-3, channels=1),
    )
}
AS_IS = DISKS["none"]


def named_disk(name: str) -> DiskModel:
    """A disk by name. Raises PlanError with those that exist."""
    if name not in DISKS:
        raise PlanError(f"there is no disk {name!r}", f"Known: {', '.join(DISKS)}.")
    return DISKS[name]


def parse_bit_rate(text: str) -> float:
    """ "10G", "1G", "100M" -> bits a second, powers of ten as on a network card. Raises PlanError."""
    number, unit = text.strip().lower().removesuffix("bit"), ""
    if number[-1:] in _BITS:
        number, unit = number[:-1], number[-1]
    try:
        rate = float(number) * _BITS[unit]
    except (KeyError, ValueError):
        raise PlanError(
            f"{text!r} is not a bandwidth", 'Write "1G", "10G", "100G" or "100M", in bits a second.'
        ) from None
    if not 10**6 <= rate <= 400 * 10**9:
        raise PlanError(f"a bandwidth of {text} is not possible", "1M to 400G is possible.")
    return rate
