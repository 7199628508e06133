"""A sandbox as a TOML file, or by the name of a preset. All faults of a file are reported at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, ValidationError

from radoscope.errors import PlanError
from radoscope.faults import Faults, as_value_error, faults_of, read_toml
from radoscope.sandbox.shape import AS_IS, DISKS, DiskModel, named_disk, parse_bit_rate
from radoscope.sandbox.spec import SandboxSpec
from radoscope.units import parse_bytes, parse_seconds, parse_share

Bytes = Annotated[int, BeforeValidator(as_value_error(parse_bytes))]
Seconds = Annotated[float, BeforeValidator(as_value_error(parse_seconds))]
BitRate = Annotated[float, BeforeValidator(as_value_error(lambda value: parse_bit_rate(str(value))))]
Share = Annotated[float, BeforeValidator(as_value_error(parse_share))]
Count = Annotated[int, Field(strict=True)]


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
        asked = {
            "flush_s": self.flush,
            "write_s": self.write,
            "read_s": self.read,
            "channels": self.channels,
            "bytes_per_s": self.bandwidth,
            "jitter": self.jitter,
            "protected": self.power_loss_protection,
        }
        given: dict[str, Any] = {name: value for name, value in asked.items() if value is not None}
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
    disk: Annotated[DiskModel, BeforeValidator(as_value_error(_disk))] | None = None

    def settings(self) -> dict[str, Any]:
        """What is given, for `build_spec`."""
        asked = {
            "name": self.name,
            "hosts": self.hosts,
            "osds": self.osds,
            "clients": self.clients,
            "size": self.size,
            "osd_bytes": self.osd_size,
            "network_bits_per_s": self.network,
            "mtu": self.mtu,
            "latency_s": self.latency,
            "write_cache": self.write_cache,
            "disk": self.disk,
        }
        return {name: value for name, value in asked.items() if value is not None}


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
    try:
        text = path.read_text()
    except OSError as error:
        raise PlanError(f"{path} cannot be read: {error.strerror}") from error
    return read_spec(text, str(path), overrides)


def read_spec(text: str, source: str, overrides: Mapping[str, Any] | None = None) -> SandboxSpec:
    """A specification from TOML text. Raises PlanError with all faults."""
    raw = read_toml(text, source)
    try:
        settings = SandboxFile.model_validate(raw).settings()
    except ValidationError as error:
        keys = f"Keys are {', '.join(SandboxFile.model_fields)}."
        raise Faults(source, faults_of(error, lambda _: SandboxFile.model_fields)).error(keys) from None
    return build_spec({**settings, **(overrides or {})})


__all__ = ["DISKS", "build_spec", "load_spec", "preset_text", "presets", "read_spec"]
