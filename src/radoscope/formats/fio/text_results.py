"""The parts of fio's normal output, and their results: what a heading and the totals say is put to each direction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from radoscope.formats.fio.words import (
    DIRECTIONS,
    is_mixed,
    likely_block_size,
    only_direction,
    operation,
    whole_operation,
)
from radoscope.records.extra import Extra
from radoscope.records.measurement import Latency, Result, Source

_FAR_LONGER = 2.0
"""What is in flight at a run's end is waited for, and a short run's time is rounded."""


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
    """One direction of a group, "" where it is not told. latencies: "clat", "lat", "sync" -> what was printed of it.

    percentiles: those of the latencies, to which each line of them adds.
    """

    direction: str
    iops: float | None
    bandwidth: float | None
    runtime_s: float | None
    latencies: dict[str, Latency] = field(default_factory=dict)
    percentiles: dict[str, dict[float, float]] = field(default_factory=dict)
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

    @property
    def is_picked(self) -> bool:
        """Averages that stand alone."""
        return any(not part.direction for part in self.parts)

    @property
    def has_rate(self) -> bool:
        return any(part.iops is not None or part.bandwidth is not None for part in self.parts)


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


def results_of(run: Run, reader: str) -> Iterator[Result]:
    """One result a group and direction, then the totals of groups of which nothing else was pasted."""
    if run.disks:
        run.extra["disk_util"] = run.disks
    for group in _without_interim_reports(run.groups):
        if group.is_picked and run.totals:
            _put_to_its_total(run, group)
        if group.is_picked and (run.totals or not group.has_rate):
            continue  # a report whose beginning is missing: its totals tell more
        for part in group.parts:
            if part.direction == "mixed" and len(group.parts) > 1:
                continue  # unified_rw_reporting=both: the sum of the others
            yield _result(run, group, part, reader)
    for total in _bare_totals(run):
        yield _result_of_total(run, total, reader)


def _result(run: Run, group: Group, part: Part, reader: str) -> Result:
    heading = _heading_of(run, group.name, group.group, part.direction)
    total = _total_of(run, group, part)
    latency, completion = (_within_run(each, part.runtime_s) for each in _total_and_completion(part))
    mixed = len(group.parts) > 1 and group.name is not None
    bandwidth = part.bandwidth if part.bandwidth is not None or total is None else total.bandwidth
    total_ios = group.issued.get(part.direction)
    extra = _told(group, mixed) | _told_together(run, group) | group.extra | part.extra | run.extra
    return Result(
        tool="fio",
        op=_operation(heading, part.direction),
        block_bytes=_block(heading, part, extra),
        queue_depth=heading.depth if heading is not None else group.depth,
        jobs=group.jobs,
        iops=part.iops,
        bandwidth_bytes_per_s=bandwidth,
        latency=latency,
        completion=completion,
        sync=_sync_of(group, part),
        total_ios=total_ios,
        runtime_s=part.runtime_s if part.runtime_s is not None or total is None else total.runtime_s,
        source=Source(reader=reader, first_line=group.first_line, last_line=group.last_line),
        extra=extra | _told_by(heading),
    )


def _result_of_total(run: Run, total: Total, reader: str) -> Result:
    heading = _heading_of(run, None, total.group, total.direction)
    extra: Extra = {} if total.group is None else {"group": int(total.group)}
    return Result(
        tool="fio",
        op=_operation(heading, total.direction),
        block_bytes=heading.blocks.get(total.direction) if heading is not None else None,
        queue_depth=heading.depth if heading is not None else None,
        bandwidth_bytes_per_s=total.bandwidth,
        runtime_s=total.runtime_s,
        source=Source(reader=reader, first_line=total.first_line, last_line=total.last_line),
        extra=extra | run.extra | _told_by(heading) | {"total_of_group": True},
    )


def _put_to_its_total(run: Run, group: Group) -> None:
    """A report whose beginning is missing, of one job: the last direction that it does not name is that of its total.

    Of several jobs the total is the sum: then bandwidth over IOPS is no block.
    """
    told = {part.direction for part in group.parts}
    left = [total for total in run.totals if total.direction not in told]
    unnamed = [part for part in group.parts if not part.direction]
    if len(run.groups) > 1 or len(unnamed) > 1 or not left or len({total.group for total in run.totals}) > 1:
        return
    part, total = unnamed[0], left[-1]
    issued = group.issued.get(total.direction)
    rate = part.iops or (issued / total.runtime_s if issued and total.runtime_s else None)
    if likely_block_size(total.bandwidth, rate) is not None:
        group.group = total.group
        part.direction, part.bandwidth = total.direction, total.bandwidth


def _told(group: Group, mixed: bool) -> Extra:
    told: Extra = {"mixed": True} if mixed else {}
    if group.name:
        told["jobname"] = group.name
    if group.group is not None:
        told["group"] = int(group.group)
    return told


def _told_together(run: Run, group: Group) -> Extra:
    """together_with: the other jobs of this run and group; fio starts those of a group at the same time."""
    if group.name is None:
        return {}
    others = {heading.name for heading in run.headings if heading.group == group.group and heading.name != group.name}
    named = sorted(name for name in others if name)
    return {"together_with": named} if named else {}


def _told_by(heading: Heading | None) -> Extra:
    """pattern_unknown: "read" may be sequential or random: nothing here says which."""
    return {"pattern_unknown": True} if heading is None else {"ioengine": heading.engine}


def _heading_of(run: Run, name: str | None, group: str | None, direction: str) -> Heading | None:
    """The heading of a group's part: by name and group, else any of the group that does this direction;
    of what names no job, none that does not."""
    candidates = [heading for heading in run.headings if group is None or heading.group == group]
    if group is None and len({(h.load, h.depth, h.blocks.get(direction)) for h in candidates}) > 1:
        return None
    fitting = [heading for heading in candidates if heading.does(direction)] or (candidates if name else [])
    named = [heading for heading in fitting if heading.name == name]
    return next(iter(named or fitting), None)


def _operation(heading: Heading | None, direction: str) -> str | None:
    if not direction:
        return whole_operation(heading.load) if heading is not None else None
    return operation(heading.load if heading is not None else None, direction)


def _block(heading: Heading | None, part: Part, extra: Extra) -> int | None:
    if heading is not None:
        return heading.blocks.get(only_direction(heading.load, part.direction), heading.blocks.get("read"))
    derived = likely_block_size(part.bandwidth, part.iops)
    if derived is not None:
        extra["derived"] = ("block_bytes",)
    return derived


def _total_and_completion(part: Part) -> tuple[Latency | None, Latency | None]:
    total, completion = part.latencies.get("lat"), part.latencies.get("clat")
    return (completion, None) if total is None else (total, completion)


def _within_run(latency: Latency | None, runtime_s: float | None) -> Latency | None:
    """None where the mean is longer than the run: the clock was broken."""
    mean_s = latency.mean_s if latency else None
    return None if mean_s and runtime_s and mean_s > runtime_s * _FAR_LONGER else latency


def _sync_of(group: Group, part: Part) -> Latency | None:
    """fio prints the syncs of a group once, after its last direction; they belong to the writes."""
    writes = [known for known in group.parts if known.direction == "write"] or group.parts
    if part is not writes[0]:
        return None
    return next((known.latencies["sync"] for known in group.parts if "sync" in known.latencies), None)


def _total_of(run: Run, group: Group, part: Part) -> Total | None:
    """The status line that tells of this part alone: its group had no other job in this direction."""
    if not run.totals:
        return None
    rivals = [other for other in run.groups if other.group == group.group and other is not group]
    if any(part.direction == theirs.direction for other in rivals for theirs in other.parts):
        return None
    fitting = [t for t in run.totals if t.direction == part.direction and group.group in (None, t.group)]
    return fitting[0] if len(fitting) == 1 else None


def _bare_totals(run: Run) -> Iterator[Total]:
    """Totals of groups of which nothing else was pasted."""
    told = {(group.group, part.direction) for group in run.groups for part in group.parts}
    anonymous = any(group.group is None and not group.is_picked for group in run.groups)
    for total in run.totals:
        if (total.group, total.direction) not in told and not anonymous and not (total.group is None and told):
            yield total


def _without_interim_reports(groups: list[Group]) -> list[Group]:
    """With --status-interval fio prints each group again and again: of those that only grow, the last counts."""
    kept: list[Group] = []
    places: dict[tuple[str | None, ...], list[int]] = {}
    for group in groups:
        same = places.setdefault((group.name, group.group, group.pid), []) if group.pid is not None else []
        place = next((place for place in same if _is_later_report(group, kept[place])), None)
        if place is not None:
            kept[place] = group
        else:
            same.append(len(kept))
            kept.append(group)
    return kept


def _is_later_report(group: Group, earlier: Group) -> bool:
    """earlier: of the same name, group and process."""
    if len(group.parts) < len(earlier.parts):
        return False
    grows = all(
        (new.runtime_s or 0) > (old.runtime_s or 0) for new, old in zip(group.parts, earlier.parts, strict=False)
    )
    return grows and all(group.issued.get(word, 0) >= earlier.issued.get(word, 0) for word in DIRECTIONS)
