"""What fio's sentences add up to: runs, their headings, the reported groups, and in the end the results.

fio prints all headings of a run, then a block for each group (or job) with one part a direction, then the totals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from radoscope.formats.fio_text_words import (
    SECONDS,
    Sentence,
    amount,
    block_sizes,
    issued_counts,
    name_before,
    number,
)
from radoscope.formats.fio_words import DIRECTIONS, is_mixed, likely_block_size, load_of, operation, whole
from radoscope.records.measurement import Latency, Result, Source


@dataclass(slots=True)
class _Heading:
    name: str
    group: str
    load: str | None
    blocks: dict[str, int | None]
    depth: int | None
    engine: str

    def does(self, direction: str) -> bool:
        return self.load is None or is_mixed(self.load) or direction in self.load or direction == "mixed"


@dataclass(slots=True)
class _Part:
    """One direction of a group. latencies: "clat", "lat", "sync" -> what was printed of it."""

    direction: str
    iops: float | None
    bandwidth: float | None
    runtime_s: float | None
    latencies: dict[str, Latency] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class _Group:
    """One reported group or job; bare: its opening line is missing."""

    name: str | None
    group: str | None
    jobs: int | None
    first_line: int
    last_line: int
    parts: list[_Part] = field(default_factory=list)
    issued: dict[str, int] = field(default_factory=dict)
    depth: int | None = None
    sync: Latency | None = None
    extra: dict[str, Any] = field(default_factory=dict)
    pid: str | None = None


@dataclass(slots=True)
class _Total:
    group: str | None
    direction: str
    bandwidth: float | None
    runtime_s: float | None
    first_line: int
    last_line: int


@dataclass(slots=True)
class _Run:
    headings: list[_Heading] = field(default_factory=list)
    groups: list[_Group] = field(default_factory=list)
    totals: list[_Total] = field(default_factory=list)
    extra: dict[str, Any] = field(default_factory=dict)
    disks: dict[str, float] = field(default_factory=dict)

    @property
    def reported(self) -> bool:
        return bool(self.groups or self.totals)


class Report:
    """Hears the sentences of a text in their order, and tells the results."""

    def __init__(self, text: str, reader: str) -> None:
        self._text = text
        self._reader = reader
        self._runs = [_Run()]
        self._group: _Group | None = None
        self._part: _Part | None = None
        self._percentiles: tuple[str, float] | None = None
        self._status_group: str | None = None
        self._last: _Group | _Total | None = None
        self._hearers: dict[str, Callable[[Sentence, int], None]] = {
            "version": self._version,
            "heading": self._heading,
            "job": self._job,
            "direction": self._direction,
            "direction2": self._direction2,
            "latency": self._latency,
            "percentiles": self._percentile_heading,
            "percentile": self._percentile,
            "issued": self._issued,
            "depth": self._depth,
            "cpu": self._cpu,
            "rates": self._rates,
            "depths": self._depths,
            "status": self._status,
            "total": self._total,
            "total2": self._total2,
            "disk": self._disk,
        }

    @property
    def _run(self) -> _Run:
        return self._runs[-1]

    def hear(self, sentence: Sentence, line: int) -> None:
        """Take in one sentence, which begins on this line of the source."""
        self._hearers[sentence.kind](sentence, line)

    def until(self, line: int) -> None:
        """The group or total being told reaches to this line."""
        if self._last is not None:
            self._last.last_line = line

    def results(self) -> Iterator[Result]:
        for run in self._runs:
            if run.disks:
                run.extra["disk_util"] = run.disks
            for group in _without_interim_reports(run.groups):
                for part in group.parts:
                    yield self._result(run, group, part)
            for total in _bare_totals(run):
                yield self._result_of_total(run, total)

    # What each sentence changes.

    def _version(self, sentence: Sentence, _line: int) -> None:
        self._run.extra.setdefault("version", sentence.words[0])

    def _heading(self, sentence: Sentence, _line: int) -> None:
        if self._run.reported:
            self._runs.append(_Run())
        self._group = self._part = self._last = None
        group, load, blocks, engine, depth = sentence.words
        self._run.headings.append(
            _Heading(
                name=name_before(self._text, sentence.start),
                group=group or "0",
                load=load_of(load),
                blocks=block_sizes(blocks or ""),
                depth=whole(depth),
                engine=engine or "",
            )
        )

    def _job(self, sentence: Sentence, line: int) -> None:
        group, jobs, error, error_text, pid = sentence.words
        extra: dict[str, Any] = {"error": abs(int(error or 0))}
        if error_text:
            extra["error_text"] = " ".join(error_text.split())
        name = name_before(self._text, sentence.start)
        for heading in self._run.headings:
            if heading.name and name.endswith(" " + heading.name):
                name = heading.name  # all lines of the page were put into one
        self._open(_Group(name, group, whole(jobs), line, line, extra=extra, pid=pid))

    def _open(self, group: _Group) -> None:
        self._run.groups.append(group)
        self._group = self._last = group
        self._part = self._percentiles = None

    def _direction(self, sentence: Sentence, line: int) -> None:
        direction, iops, bandwidth, bracketed, _done, runtime, unit = sentence.words
        rate = amount(bandwidth, binary=False)
        if rate is None:
            rate = amount(bracketed, binary=False)
        self._add_part(_Part(direction or "", number(iops), rate, _seconds(runtime, unit)), line)

    def _direction2(self, sentence: Sentence, line: int) -> None:
        direction, _done, bandwidth, iops, runtime, unit = sentence.words
        rate = amount(bandwidth, binary=True)
        self._add_part(_Part(direction or "", number(iops), rate, _seconds(runtime, unit)), line)

    def _add_part(self, part: _Part, line: int) -> None:
        group = self._group
        if group is None or any(known.direction == part.direction for known in group.parts):
            group = _Group(None, None, None, line, line)
            self._open(group)
        group.parts.append(part)
        self._part = part
        self._percentiles = None

    def _latency(self, sentence: Sentence, _line: int) -> None:
        kind, unit, *values = sentence.words
        self._percentiles = None
        if self._part is None or self._group is None or kind in self._part.latencies:
            return
        low, high, mean, deviation = (_times(number(value), SECONDS[unit or "sec"]) for value in values)
        latency = Latency(min_s=low, max_s=high, mean_s=mean, stddev_s=deviation)
        self._part.latencies[kind or ""] = latency

    def _percentile_heading(self, sentence: Sentence, _line: int) -> None:
        kind, unit = sentence.words
        self._percentiles = (kind, SECONDS[unit or "sec"]) if kind in ("clat", "lat", "sync") else None

    def _percentile(self, sentence: Sentence, _line: int) -> None:
        if self._percentiles is None or self._part is None:
            return
        kind, unit_s = self._percentiles
        percent, value = (number(word) for word in sentence.words)
        latency = self._part.latencies.setdefault(kind, Latency())
        if percent is None or value is None or percent > 100 or percent in latency.percentiles_s:
            return
        known = {**latency.percentiles_s, percent: value * unit_s}
        self._part.latencies[kind] = replace(latency, percentiles_s=known)

    def _issued(self, sentence: Sentence, _line: int) -> None:
        if self._group is not None and not self._group.issued:
            self._group.issued = issued_counts(sentence.words[0] or "")

    def _depth(self, sentence: Sentence, _line: int) -> None:
        if self._group is not None:
            self._group.depth = whole(sentence.words[0])

    def _cpu(self, sentence: Sentence, _line: int) -> None:
        if self._group is not None:
            for key, word in zip(("usr_cpu", "sys_cpu", "ctx"), sentence.words, strict=True):
                if (value := number(word)) is not None:
                    self._group.extra.setdefault(key, value)

    def _rates(self, sentence: Sentence, _line: int) -> None:
        if self._part is not None:
            for key, word in zip(("iops_min", "iops_max", "iops_mean", "iops_stddev"), sentence.words, strict=True):
                if (value := number(word)) is not None:
                    self._part.extra.setdefault(key, value)

    def _depths(self, sentence: Sentence, _line: int) -> None:
        if self._group is not None:
            shares = (share.strip().rstrip("%").rpartition("=") for share in (sentence.words[0] or "").split(","))
            read = {depth: number(share) for depth, _, share in shares if depth}
            self._group.extra["depths_percent"] = read

    def _status(self, sentence: Sentence, _line: int) -> None:
        self._status_group = sentence.words[0]
        self._group = self._part = self._last = None

    def _total(self, sentence: Sentence, line: int) -> None:
        direction, bandwidth, _shortest, longest = sentence.words
        self._add_total(direction, amount(bandwidth, binary=False), longest, line)

    def _total2(self, sentence: Sentence, line: int) -> None:
        direction, _done, bandwidth, longest = sentence.words
        self._add_total(direction, amount(bandwidth, binary=True), longest, line)

    def _add_total(self, direction: str | None, bandwidth: float | None, longest: str | None, line: int) -> None:
        word = (direction or "").lower()
        total = _Total(self._status_group, word, bandwidth, _seconds(longest, "msec"), line, line)
        self._run.totals.append(total)
        self._group = self._part = None
        self._last = total

    def _disk(self, sentence: Sentence, _line: int) -> None:
        name, busy = sentence.words
        self._last = None
        if (percent := number(busy)) is not None:
            self._run.disks[name or ""] = percent

    # What comes out.

    def _result(self, run: _Run, group: _Group, part: _Part) -> Result:
        heading = _heading_of(run, group.name, group.group, part.direction)
        total = _total_of(run, group, part)
        latency, completion = _total_and_completion(part)
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
            source=Source(reader=self._reader, first_line=group.first_line, last_line=group.last_line),
            extra=extra | _told_by(heading),
        )

    def _result_of_total(self, run: _Run, total: _Total) -> Result:
        heading = _heading_of(run, None, total.group, total.direction)
        extra: dict[str, Any] = {} if total.group is None else {"group": int(total.group)}
        return Result(
            tool="fio",
            op=_operation(heading, total.direction),
            block_bytes=heading.blocks.get(total.direction) if heading is not None else None,
            queue_depth=heading.depth if heading is not None else None,
            bandwidth_bytes_per_s=total.bandwidth,
            runtime_s=total.runtime_s,
            source=Source(reader=self._reader, first_line=total.first_line, last_line=total.last_line),
            extra=extra | run.extra | _told_by(heading) | {"total_of_group": True},
        )


def _seconds(text: str | None, unit: str | None) -> float | None:
    return _times(number(text), SECONDS.get(unit or "", 1.0))


def _times(value: float | None, unit: float) -> float | None:
    return None if value is None else value * unit


def _told(group: _Group, mixed: bool) -> dict[str, Any]:
    told: dict[str, Any] = {"mixed": True} if mixed else {}
    if group.name:
        told["jobname"] = group.name
    if group.group is not None:
        told["group"] = int(group.group)
    return told


def _told_together(run: _Run, group: _Group) -> dict[str, Any]:
    """together_with: the other jobs of this run and group; fio starts those of a group at the same time."""
    if group.name is None:
        return {}
    others = {heading.name for heading in run.headings if heading.group == group.group and heading.name != group.name}
    named = sorted(name for name in others if name)
    return {"together_with": named} if named else {}


def _told_by(heading: _Heading | None) -> dict[str, Any]:
    """pattern_unknown: "read" may be sequential or random, for nothing here says which."""
    return {"pattern_unknown": True} if heading is None else {"ioengine": heading.engine}


def _heading_of(run: _Run, name: str | None, group: str | None, direction: str) -> _Heading | None:
    """The heading of a group's part: by name and group, else any of the group that does this direction."""
    candidates = [heading for heading in run.headings if group is None or heading.group == group]
    if group is None and len({(h.load, h.depth, h.blocks.get(direction)) for h in candidates}) > 1:
        return None
    fitting = [heading for heading in candidates if heading.does(direction)] or candidates
    named = [heading for heading in fitting if heading.name == name]
    return next(iter(named or fitting), None)


def _operation(heading: _Heading | None, direction: str) -> str:
    load = heading.load if heading is not None else None
    if direction == "mixed":
        return "randrw" if load is not None and load.startswith("rand") else "rw"
    return operation(load, direction)


def _block(heading: _Heading | None, part: _Part, extra: dict[str, Any]) -> int | None:
    if heading is not None:
        return heading.blocks.get(part.direction, heading.blocks.get("read"))
    derived = likely_block_size(part.bandwidth, part.iops)
    if derived is not None:
        extra["derived"] = ("block_bytes",)
    return derived


def _total_and_completion(part: _Part) -> tuple[Latency | None, Latency | None]:
    total, completion = part.latencies.get("lat"), part.latencies.get("clat")
    return (completion, None) if total is None else (total, completion)


def _sync_of(group: _Group, part: _Part) -> Latency | None:
    """fio prints the syncs of a group once, after its last direction; they belong to the writes."""
    writes = [known for known in group.parts if known.direction == "write"] or group.parts
    if part is not writes[0]:
        return None
    return next((known.latencies["sync"] for known in group.parts if "sync" in known.latencies), None)


def _total_of(run: _Run, group: _Group, part: _Part) -> _Total | None:
    """The status line that tells of this part alone: its group had no other job in this direction."""
    rivals = [other for other in run.groups if other.group == group.group and other is not group]
    if any(part.direction == theirs.direction for other in rivals for theirs in other.parts):
        return None
    fitting = [t for t in run.totals if t.direction == part.direction and group.group in (None, t.group)]
    return fitting[0] if len(fitting) == 1 else None


def _bare_totals(run: _Run) -> Iterator[_Total]:
    """Totals of groups of which nothing else was pasted."""
    told = {(group.group, part.direction) for group in run.groups for part in group.parts}
    anonymous = any(group.group is None for group in run.groups)
    for total in run.totals:
        if (total.group, total.direction) not in told and not anonymous and not (total.group is None and told):
            yield total


def _without_interim_reports(groups: list[_Group]) -> list[_Group]:
    """With --status-interval fio prints each group again and again: of those that only grow, the last counts."""
    kept: list[_Group] = []
    for group in groups:
        for place, earlier in enumerate(kept):
            if _is_later_report(group, earlier):
                kept[place] = group
                break
        else:
            kept.append(group)
    return kept


def _is_later_report(group: _Group, earlier: _Group) -> bool:
    same = (group.name, group.group, group.pid) == (earlier.name, earlier.group, earlier.pid)
    if not same or group.pid is None or len(group.parts) < len(earlier.parts):
        return False
    grows = all(
        (new.runtime_s or 0) > (old.runtime_s or 0) for new, old in zip(group.parts, earlier.parts, strict=False)
    )
    return grows and all(group.issued.get(word, 0) >= earlier.issued.get(word, 0) for word in DIRECTIONS)
