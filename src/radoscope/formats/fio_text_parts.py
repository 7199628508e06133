"""The parts of fio's normal output: runs, their headings, the reported groups with their directions, the totals."""

from __future__ import annotations

from dataclasses import dataclass, field

from radoscope.formats.fio_words import is_mixed
from radoscope.records.extra import Extra
from radoscope.records.measurement import Latency


@dataclass(slots=True)
class Heading:
    """What a run was asked for, one line a job. blocks: direction -> bytes of one I/O, None where it is a range."""

    name: str
    group: str
    load: str | None
    blocks: dict[str, int | None]
    depth: int | None
    engine: str

    def does(self, direction: str) -> bool:
        """Whether the job may have had I/O in this direction."""
        return self.load is None or is_mixed(self.load) or direction in self.load or direction == "mixed"


@dataclass(slots=True)
class Part:
    """One direction of a group. latencies: "clat", "lat", "sync" -> what was printed of it."""

    direction: str
    iops: float | None
    bandwidth: float | None
    runtime_s: float | None
    latencies: dict[str, Latency] = field(default_factory=dict)
    extra: Extra = field(default_factory=Extra)


@dataclass(slots=True)
class Group:
    """One reported group or job; name, group and jobs are None where its opening line is missing.

    depth: the queue depth that fio repeats at its end. issued: direction -> I/Os.
    """

    name: str | None
    group: str | None
    jobs: int | None
    first_line: int
    last_line: int
    parts: list[Part] = field(default_factory=list)
    issued: dict[str, int] = field(default_factory=dict)
    depth: int | None = None
    extra: Extra = field(default_factory=Extra)
    pid: str | None = None


@dataclass(slots=True)
class Total:
    """One line of `Run status group`: the sum of a group in one direction."""

    group: str | None
    direction: str
    bandwidth: float | None
    runtime_s: float | None
    first_line: int
    last_line: int


@dataclass(slots=True)
class Run:
    """One start of fio, from its headings to its disk statistics (name -> percent busy)."""

    headings: list[Heading] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    totals: list[Total] = field(default_factory=list)
    extra: Extra = field(default_factory=Extra)
    disks: dict[str, float] = field(default_factory=dict)

    @property
    def reported(self) -> bool:
        """Whether results have appeared, so that another heading starts another run."""
        return bool(self.groups or self.totals)
