"""A sandbox as a TOML file, or by the name of a preset. All faults of a file are told at once, each with its place."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, ValidationError

from radoscope.errors import PlanError
from radoscope.sandbox.shape import AS_IS, DISKS, DiskModel, named_disk, parse_bit_rate
from radoscope.sandbox.spec import SandboxSpec
from radoscope.units import parse_bytes, parse_seconds, parse_share


def _as_fault(parse: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """pydantic collects ValueErrors; our parsers raise PlanError with a hint."""

    def parse_or_complain(value: Any) -> Any:
        try:
            return parse(value)
        except PlanError as error:
            raise ValueError(f"{error.message}. {error.hint}".rstrip()) from None

    return parse_or_complain


Bytes = Annotated[int, BeforeValidator(_as_fault(parse_bytes))]
Seconds = Annotated[float, BeforeValidator(_as_fault(parse_seconds))]
BitRate = Annotated[float, BeforeValidator(_as_fault(lambda value: parse_bit_rate(str(value))))]
Share = Annotated[float, BeforeValidator(_as_fault(parse_share))]
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
    return named_disk(value) if isinstance(value, str) else DiskTable.model_validate(value).model()


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
    disk: Annotated[DiskModel, BeforeValidator(_as_fault(_disk))] | None = None

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
    try:
        settings = SandboxFile.model_validate(tomllib.loads(text)).settings()
    except tomllib.TOMLDecodeError as error:
        raise PlanError(f"{source} is not TOML: {error}") from error
    except ValidationError as error:
        faults = "\n".join(f"  {'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
        known = ", ".join(SandboxFile.model_fields)
        raise PlanError(f"{source} has {error.error_count()} faults:\n{faults}", f"Keys are {known}.") from error
    return build_spec({**settings, **(overrides or {})})


__all__ = ["DISKS", "build_spec", "load_spec", "preset_text", "presets", "read_spec"]
