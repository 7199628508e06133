"""What a sandbox shall be, from options or a TOML file: names, counts and sizes, checked before anything is made."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, ValidationError

from radoscope.errors import PlanError
from radoscope.faults import Faults, as_value_error, faults_of, read_toml, text_of
from radoscope.sandbox.shape import AS_IS, DiskModel, named_disk, parse_bit_rate
from radoscope.units import format_seconds, parse_bytes, parse_seconds, parse_share

DEFAULT_NAME = "default"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,30}")
MOST_OSDS = 64
_USUAL_MTU = 1500
SMALLEST_OSD_BYTES = 2 * 2**30
# Below, the program that holds the frames (delay_line.c) takes as long itself; above, its queues would not hold what a
# link of 10 Gbit/s sends meanwhile.
LEAST_LATENCY_S, MOST_LATENCY_S = 0.2e-3, 50e-3
MOST_DELAYED_BITS_PER_S = 10e9


def check_name(name: str) -> str:
    """The name itself, when it can be a folder and a label: letters, digits, - and _. Raises PlanError."""
    if _NAME.fullmatch(name) is None:
        raise PlanError(
            f"{name!r} cannot be the name of a sandbox",
            "Use letters, digits, - and _ only, at most 31 of them, and begin with a letter or a digit.",
        )
    return name


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxSpec:
    """A cluster as asked for.

    osds: how many there are in all on one host, or on each host when `hosts` is given. size: replicas of a new pool.
    osd_bytes: what an OSD believes to have; its file is sparse. hosts: how many hosts, each in a network namespace of
    its own; None is one host, this one, without namespaces and without root. clients: hosts without daemons.
    network_bits_per_s: of each link of each host, None for as fast as it goes; mtu: of each link, in bytes. latency_s:
    what is added to a round trip between any two hosts, None for nothing. disk: what every OSD's disk is like.
    cephfs: with a file system and its MDS. rgw: with a RADOS gateway.
    """

    name: str = DEFAULT_NAME
    osds: int = 3
    size: int = 3
    osd_bytes: int = 12 * 2**30
    hosts: int | None = None
    clients: int = 1
    network_bits_per_s: float | None = None
    mtu: int = _USUAL_MTU
    latency_s: float | None = None
    disk: DiskModel = AS_IS
    cephfs: bool = False
    rgw: bool = False

    def __post_init__(self) -> None:
        check_name(self.name)
        if self.hosts is not None and not 1 <= self.hosts <= 16:
            raise PlanError(f"{self.hosts} hosts are not possible", "A sandbox has 1 to 16 hosts.")
        if not 1 <= self.clients <= 8:
            raise PlanError(f"{self.clients} client hosts are not possible", "A sandbox has 1 to 8 client hosts.")
        if not 1 <= self.all_osds <= MOST_OSDS:
            raise PlanError(f"{self.all_osds} OSDs are not possible", f"A sandbox has 1 to {MOST_OSDS} OSDs.")
        if self.osd_bytes < SMALLEST_OSD_BYTES:
            raise PlanError(f"an OSD of {self.osd_bytes} bytes is too small", "The smallest that works is 2G.")
        if self.hosts is None and (self.network_bits_per_s, self.latency_s, self.mtu) != (None, None, _USUAL_MTU):
            raise PlanError("one host without namespaces has no links to shape", "Give --hosts as well.")
        if self.hosts is None and self.clients != 1:
            raise PlanError("one host without namespaces has no client hosts", "Give --hosts as well.")
        if not 1280 <= self.mtu <= 9216:
            raise PlanError(
                f"an MTU of {self.mtu} is not possible", "Ethernet has 1500, or up to 9216 with jumbo frames."
            )
        self._check_latency()
        self._check_replicas()

    def _check_latency(self) -> None:
        if self.latency_s is None:
            return
        if not LEAST_LATENCY_S <= self.latency_s <= MOST_LATENCY_S:
            raise PlanError(
                f"{format_seconds(self.latency_s)} cannot be added to a round trip",
                f"{format_seconds(LEAST_LATENCY_S)} to {format_seconds(MOST_LATENCY_S)} is possible: "
                "below, what delays the frames takes as long itself.",
            )
        if (self.network_bits_per_s or 0) > MOST_DELAYED_BITS_PER_S:
            raise PlanError(
                f"a link of {self.network_bits_per_s or 0:.0f} bit/s cannot be delayed: its frames pass a program",
                f"Ask for --network {MOST_DELAYED_BITS_PER_S / 1e9:.0f}G or less, or leave out --latency.",
            )

    def _check_replicas(self) -> None:
        places, kind = (self.osds, "OSDs") if self.hosts is None else (self.hosts, "hosts")
        if not 1 <= self.size <= places:
            raise PlanError(
                f"{self.size} replicas do not fit on {places} {kind}",
                f"Ask for --size 1 to {places}, or for more {kind}: each replica needs its own.",
            )

    @property
    def all_osds(self) -> int:
        return self.osds * (self.hosts or 1)


Bytes = Annotated[int, BeforeValidator(as_value_error(parse_bytes))]
Seconds = Annotated[float, BeforeValidator(as_value_error(parse_seconds))]
BitRate = Annotated[float, BeforeValidator(as_value_error(lambda value: parse_bit_rate(str(value))))]
Share = Annotated[float, BeforeValidator(as_value_error(parse_share))]
Count = Annotated[int, Field(strict=True)]


_FIELD_OF = {
    "osd_size": "osd_bytes",
    "network": "network_bits_per_s",
    "latency": "latency_s",
    "flush": "flush_s",
    "write": "write_s",
    "read": "read_s",
    "bandwidth": "bytes_per_s",
    "power_loss_protection": "protected",
}
"""Keys of a file -> fields of SandboxSpec and DiskModel, where these say their unit."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class DiskTable(_Strict):
    """[disk]: begins as the disk named in `like`, and changes what else is given."""

    like: str = AS_IS.name
    flush: Seconds | None = None
    write: Seconds | None = None
    read: Seconds | None = None
    channels: Count | None = None
    bandwidth: Bytes | None = None
    jitter: Share | None = None
    write_cache: StrictBool = True
    power_loss_protection: StrictBool | None = None

    def model(self) -> DiskModel:
        given = {
            _FIELD_OF.get(name, name): value
            for name, value in self
            if value is not None and name not in ("like", "write_cache")
        }
        drive = replace(named_disk(self.like), name="custom" if given else self.like, **given)
        return drive.with_write_cache(self.write_cache)


def _disk(value: Any) -> Any:
    """A name, or a table."""
    if isinstance(value, str):
        return named_disk(value)
    try:
        return DiskTable.model_validate(value).model()
    except ValidationError as error:
        found = faults_of(error, lambda _: DiskTable.model_fields)
        raise ValueError("; ".join(map(str, found))) from None


class SandboxFile(_Strict):
    """What a file may say; what it does not say is as on the command line."""

    name: str | None = None
    hosts: Count | None = None
    osds: Count | None = None
    clients: Count | None = None
    size: Count | None = None
    osd_size: Bytes | None = None
    network: BitRate | None = None
    mtu: Count | None = None
    latency: Seconds | None = None
    write_cache: StrictBool | None = None
    cephfs: StrictBool | None = None
    rgw: StrictBool | None = None
    disk: Annotated[DiskModel, BeforeValidator(as_value_error(_disk))] | None = None

    def settings(self) -> dict[str, Any]:
        """What is given, for `build_spec`."""
        return {_FIELD_OF.get(name, name): value for name, value in self if value is not None}


def presets() -> tuple[str, ...]:
    """The names of the test beds that ship with the package."""
    files = (path.name for path in resources.files("radoscope.sandbox").joinpath("presets").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in files if name.endswith(".toml")))


def preset_text(name: str) -> str:
    """A preset as its file. Raises PlanError when there is none of that name."""
    if name not in presets():
        raise PlanError(f"there is no preset {name!r}", f"Known: {', '.join(presets())}.")
    return resources.files("radoscope.sandbox").joinpath("presets", f"{name}.toml").read_text()


def build_spec(settings: Mapping[str, Any]) -> SandboxSpec:
    """A specification from fields of SandboxSpec and `write_cache`, which changes the disk. Raises PlanError."""
    fields = dict(settings)
    cache = fields.pop("write_cache", None)
    if cache is not None:
        fields["disk"] = fields.get("disk", AS_IS).with_write_cache(cache)
    return SandboxSpec(**fields)


def load_spec(preset_or_file: str, overrides: Mapping[str, Any] | None = None) -> SandboxSpec:
    """A specification from a preset's name or a TOML file; overrides are as for `build_spec`. Raises PlanError."""
    path = Path(preset_or_file)
    if path.suffix != ".toml":
        return read_spec(preset_text(preset_or_file), preset_or_file, overrides)
    return read_spec(text_of(path), str(path), overrides)


def read_spec(text: str, source: str, overrides: Mapping[str, Any] | None = None) -> SandboxSpec:
    """A specification from TOML text. Raises PlanError with all faults."""
    raw = read_toml(text, source)
    try:
        settings = SandboxFile.model_validate(raw).settings()
    except ValidationError as error:
        keys = f"Keys are {', '.join(SandboxFile.model_fields)}."
        raise Faults(source, faults_of(error, lambda _: SandboxFile.model_fields)).error(keys) from None
    return build_spec({**settings, **(overrides or {})})
