"""What a plan file may say. Every fault of a file is reported at once, each with its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from radoscope.errors import PlanError
from radoscope.faults import Faults, Place, as_value_error, faults_of
from radoscope.records.conditions import BUSES, SPREAD, Layer, Operation, Sync
from radoscope.records.study import PRECISION, LatencyLimit
from radoscope.units import parse_bytes, parse_seconds, parse_share

METRICS = ("mean", "p50", "p95", "p99", "p99.9")
_WORDS = re.compile(r"\s*(\S+?)\s*(?:<=|≤)\s*(.+?)\s*")
_HINT = f"Write for example 'p99 <= 10ms'. It can be of: {', '.join(METRICS)}."


def parse_limit(text: str) -> LatencyLimit:
    """ "p99 <= 10ms" -> LatencyLimit. Raises PlanError."""
    found = _WORDS.fullmatch(text)
    if found is None or found[1] not in METRICS:
        raise PlanError(f"{text!r} is not a latency limit", _HINT)
    latency_s = parse_seconds(found[2])
    if not latency_s > 0:
        raise PlanError(f"{text!r}: the limit must be above 0", _HINT)
    if re.fullmatch(r"[\d.]+", found[2]):
        raise PlanError(f"{text!r} lacks a unit of time", _HINT)
    return LatencyLimit(latency_s, None if found[1] == "mean" else float(found[1][1:]))


T = TypeVar("T")


def _or_value_error(parse: Callable[[Any], T]) -> Callable[[Any], T]:
    def parse_text_or_number(value: Any) -> T:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise ValueError(f"{value!r} is not text or a number")
        return as_value_error(parse)(value)

    return parse_text_or_number


def _as_list(value: Any) -> Any:
    return value if isinstance(value, list) else [value]


def _sound_limit(text: str) -> str:
    """The text as it stands: a plan is kept in its own words."""
    _or_value_error(parse_limit)(text)
    return text


Bytes = Annotated[int, BeforeValidator(_or_value_error(parse_bytes)), Field(gt=0)]
Seconds = Annotated[float, BeforeValidator(_or_value_error(parse_seconds)), Field(gt=0)]
Share = Annotated[float, BeforeValidator(_or_value_error(parse_share))]
Count = Annotated[int, Field(ge=1, le=4096, strict=True)]
OneOrMore = Annotated[list[T], BeforeValidator(_as_list), Field(min_length=1)]

Tool = Literal["fio", "osd-bench", "rados-bench", "rbd-bench", "s3-load", "iperf3", "ping", "jumbo-ping"]

_TOOLS: dict[Layer, tuple[Tool, ...]] = {
    Layer.DISK: ("fio",),
    Layer.OSD: ("osd-bench",),
    Layer.NETWORK: ("iperf3", "ping", "jumbo-ping"),
    Layer.RADOS: ("rados-bench",),
    Layer.RBD: ("fio", "rbd-bench"),
    Layer.QEMU: ("fio",),
    Layer.GUEST: ("fio",),
    Layer.CEPHFS: ("fio",),
    Layer.S3: ("s3-load",),
}
_RADOS_OPERATIONS = (Operation.WRITE, Operation.READ, Operation.RANDREAD)
_S3_OPERATIONS = (Operation.WRITE, Operation.RANDREAD)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CellPlan(_Strict):
    """One or, where a value is a list, several cells: lists are crossed."""

    layer: Layer
    tool: Tool | None = None
    op: OneOrMore[Operation] | None = None
    block: OneOrMore[Bytes] | None = None
    queue_depth: OneOrMore[Count] = [1]
    jobs: Count = 1
    images: OneOrMore[Count] = [1]
    clients: OneOrMore[Count] | None = None
    sync: Sync = Sync.NONE
    rate_iops: OneOrMore[Annotated[float, Field(gt=0)]] | None = None
    limit: Annotated[str, AfterValidator(_sound_limit)] | None = None
    pinned: OneOrMore[Literal["no", "osd", "host", "hosts"]] = ["no"]
    cache: OneOrMore[Literal["none", "writeback", "writethrough"]] | None = None
    bus: OneOrMore[Literal["virtio-scsi-single", "virtio-blk"]] | None = None
    iothread: OneOrMore[Annotated[bool, Field(strict=True)]] | None = None

    @model_validator(mode="after")
    def _fits_its_layer(self) -> CellPlan:
        tool = self.tool or _TOOLS[self.layer][0]
        if tool not in _TOOLS[self.layer]:
            raise ValueError(f"{tool} does not measure layer {self.layer}; it has {', '.join(_TOOLS[self.layer])}")
        if self.clients and self.layer not in SPREAD:
            raise ValueError(f"clients belong to layers {', '.join(SPREAD)}")
        if self.cache and not self.layer.in_qemu:
            raise ValueError("cache belongs to layers qemu and guest; librbd is measured without its cache")
        if (self.bus or self.iothread) and self.layer is not Layer.GUEST:
            raise ValueError("bus and iothread belong to layer guest")
        if self.layer.in_qemu and (self.jobs > 1 or self.pinned != ["no"]):
            raise ValueError(f"layer {self.layer} takes neither jobs nor pinned")
        if self.limit and not self.rate_iops:
            raise ValueError("limit needs rate_iops: the rates at which the search starts, lowest first")
        if self.layer is Layer.NETWORK:
            if self.op or self.block:
                raise ValueError("a network cell takes neither op nor block")
            return self
        if not self.op:
            raise ValueError("op is missing: read, write, randread or randwrite")
        if not self.block:
            raise ValueError('block is missing, for example block = "4K"')
        if self.layer is Layer.OSD and (self.op != [Operation.WRITE] or self.queue_depth != [1] or self.jobs > 1):
            raise ValueError('layer osd has op = "write", one at a time')
        if self.layer is Layer.RADOS and any(op not in _RADOS_OPERATIONS for op in self.op):
            raise ValueError("rados bench has write, read (seq) and randread (rand) only")
        if tool == "rbd-bench" and (self.sync is not Sync.NONE or self.rate_iops or self.jobs > 1):
            raise ValueError("rbd bench knows neither sync, rate_iops nor jobs")
        if self.layer is Layer.CEPHFS and self.queue_depth != [1]:
            raise ValueError("layer cephfs has queue_depth = 1: through FUSE, a thread waits for each I/O; use jobs")
        if self.layer is Layer.S3 and (any(op not in _S3_OPERATIONS for op in self.op) or self.rate_iops):
            raise ValueError("layer s3 has write (PUT) and randread (GET), each as fast as it is answered")
        if any(op not in (Operation.READ, Operation.WRITE, Operation.RANDREAD, Operation.RANDWRITE) for op in self.op):
            raise ValueError("op is one of read, write, randread, randwrite")
        if not (self.layer.on_image or self.layer is Layer.CEPHFS) and self.images != [1]:
            raise ValueError("images belong to layers rbd, qemu, guest and cephfs")
        if self.layer not in (Layer.RADOS, Layer.RBD) and self.pinned != ["no"]:
            raise ValueError("pinned belongs to layers rados and rbd")
        if self.sync is not Sync.NONE and self.layer is Layer.S3:
            raise ValueError("sync does not belong to layer s3: a PUT is answered once it is durable")
        if self.sync is not Sync.NONE and not all(op.writes for op in self.op):
            raise ValueError("sync belongs to writes")
        if self.sync is Sync.FSYNC and self.rate_iops:
            raise ValueError(
                'fio (3.33 to 3.41) ends with a fault where sync = "fsync" has a rate; leave out one of both'
            )
        if self.sync is Sync.OSYNC and self.layer in (Layer.RBD, Layer.QEMU):
            raise ValueError('fio\'s rbd engine ignores O_SYNC; use sync = "fsync"')
        return self

    @property
    def caches(self) -> Sequence[str]:
        """QEMU's default, as Proxmox VE's, is none."""
        return self.cache or (["none"] if self.layer.in_qemu else [""])

    @property
    def buses(self) -> Sequence[str]:
        """Proxmox VE's default for a new machine comes first."""
        return self.bus or ([BUSES[0]] if self.layer is Layer.GUEST else [""])

    @property
    def iothreads(self) -> Sequence[bool]:
        return self.iothread or [self.layer is Layer.GUEST]

    @property
    def chosen_tool(self) -> Tool:
        return self.tool or _TOOLS[self.layer][0]


class Plan(_Strict):
    """A whole plan. seconds: length of one segment, ramp left out. rounds: segments of a cell at least; more are
    added until the interval is within `precision` or the cell has used `at_most`. budget: time for the whole study,
    from its start to the end of its last segment; all of it is used, where it tells most, and `rounds` and `at_most`
    play no part."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=60)]
    title: str = ""
    source: str = ""
    rounds: Annotated[int, Field(ge=1, le=1000)] = 3
    seconds: Annotated[Seconds, Field(le=3600)] = 3.0
    ramp: Annotated[float, BeforeValidator(_or_value_error(parse_seconds)), Field(ge=0, le=600)] = 1.0
    precision: Share = PRECISION
    at_most: Seconds = 60.0
    budget: Seconds | None = None
    image_size: Annotated[Bytes, Field(ge=16 * 2**20)] = 2**30
    file_size: Annotated[Bytes, Field(ge=16 * 2**20)] = 2**30
    object_set: Annotated[Bytes, Field(ge=16 * 2**20)] = 2**29
    seed: int = 1
    cells: Annotated[list[CellPlan], Field(min_length=1, max_length=200)]


def check_plan(raw: Mapping[str, Any], place: str) -> Plan:
    """Plain TOML values -> Plan. place: the file or plan, for messages. Raises PlanError naming all faults."""
    try:
        return Plan.model_validate(raw)
    except ValidationError as error:
        hint = "radoscope plan show quick prints a plan with every key explained."
        raise Faults(place, faults_of(error, _keys_at)).error(hint) from None


def _keys_at(place: Place) -> Iterable[str]:
    return CellPlan.model_fields if place[:1] == ("cells",) else Plan.model_fields
