"""What `compare --target` asks for: a named promise, or a TOML file with one of the user's own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from radoscope.errors import PlanError
from radoscope.faults import Faults, faults_of, near, read_toml, text_of
from radoscope.plan.schema import Bytes, Seconds
from radoscope.stats.targets import TARGETS, Promise

_HINT = "docs/verbs/compare.md has an example."


class PromiseFile(BaseModel):
    """A whole file. percentile: 0 for the mean."""

    model_config = ConfigDict(extra="forbid")

    title: str = ""
    source: str = ""
    read_iops: Annotated[float, Field(ge=0, strict=True)] | None = None
    write_iops: Annotated[float, Field(ge=0, strict=True)] | None = None
    block: Bytes = 4096
    latency: Seconds | None = None
    percentile: Annotated[float, Field(ge=0, lt=100, strict=True)] = 99.0

    @model_validator(mode="after")
    def _asks_for_a_rate(self) -> PromiseFile:
        if self.read_iops is None and self.write_iops is None:
            raise ValueError("states no rate; give read_iops, write_iops or both")
        return self


def read_promise(name: str) -> Promise:
    """A promise by its name, or from a TOML file. Raises PlanError with every fault of the file."""
    if name in TARGETS:
        return TARGETS[name]
    path = Path(name)
    known = f"Known: {', '.join(TARGETS)}; or a TOML file."
    if not path.exists():
        raise PlanError(f"there is no target {name!r}{near(name, TARGETS)}", known)
    raw = read_toml(text_of(path, known), name, _HINT)
    try:
        asked = PromiseFile.model_validate(raw)
    except ValidationError as error:
        raise Faults(name, faults_of(error, lambda _: PromiseFile.model_fields)).error(_HINT) from None
    return Promise(
        name=path.stem,
        title=asked.title,
        source=asked.source,
        read_iops=asked.read_iops,
        write_iops=asked.write_iops,
        block_bytes=asked.block,
        latency_s=asked.latency,
        percentile=asked.percentile,
    )
