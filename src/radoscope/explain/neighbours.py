"""The other results of a text, and what was published, looked through once: a text may hold thousands of results."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from radoscope.records.conditions import Operation
from radoscope.records.measurement import Result


class Published(Protocol):
    """One published result. fields: the record as in docs/verbs/catalogue.md; absent or None: not published."""

    @property
    def fields(self) -> Mapping[str, Any]: ...
    @property
    def iops(self) -> float | None: ...


class MeasuredDrive(Protocol):
    """One drive as someone measured it: 4K synchronous writes, one at a time."""

    @property
    def model(self) -> str: ...
    @property
    def device_class(self) -> str: ...
    @property
    def plp(self) -> bool | None: ...
    @property
    def sync_write_4k_qd1_iops(self) -> float | None: ...


@dataclass(slots=True)
class JobGroup:
    """Jobs of one document in one group of fio: their names, and what they do."""

    names: dict[str, None] = field(default_factory=dict)
    ops: set[str | None] = field(default_factory=set)


class Neighbours:
    """results: all of the text, in reading order. Numbers of results are 1-based, as people count."""

    def __init__(self, results: Sequence[Result] = (), published: Sequence[Published] = ()) -> None:
        self.results = tuple(results)
        self._of_tools: dict[str, list[Result]] = {}
        self._repeats: dict[Hashable, list[tuple[int, float]]] = {}
        self._last_fio: Result | None = None
        self._groups: dict[Hashable, JobGroup] = {}
        self._wrote: dict[int, tuple[int, Result]] = {}
        self._published: dict[Hashable, list[Published]] = {}
        for number, result in enumerate(self.results, start=1):
            self._take_in(number, result)
        for row in published:
            self._published.setdefault((row.fields.get("op"), row.fields.get("block_bytes")), []).append(row)

    def repeats_of(self, result: Result) -> Sequence[tuple[int, float]]:
        """(first number, rate) of every run of the same load, itself among them.

        Jobs that fio ran side by side are one run: their rates add up. What stands under another heading was perhaps
        another pool.
        """
        return self._repeats.get(_load(result), ())

    def group_of(self, result: Result) -> JobGroup | None:
        """The jobs of the same JSON document and group; None for other results."""
        key = _group(result)
        return self._groups.get(key) if key is not None else None

    def near(self, number: int, within: int) -> Sequence[Result]:
        """Results at most so many places before or after."""
        return self.results[max(0, number - 1 - within) : number + within]

    def of_tool(self, name: str) -> Sequence[Result]:
        return self._of_tools.get(name, ())

    def write_of(self, objects: int, before: int) -> Result | None:
        """The first rados bench write of exactly so many objects, if it stands before the result of this number."""
        number, write = self._wrote.get(objects, (before, None))
        return write if number < before else None

    def published_of(self, op: str, block_bytes: int) -> Sequence[Published]:
        return self._published.get((op, block_bytes), ())

    def _add_repeat(self, number: int, result: Result, rate: float) -> None:
        runs = self._repeats.setdefault(_load(result), [])
        if runs and _side_by_side(self._last_fio, result):
            first, sum_so_far = runs[-1]
            runs[-1] = (first, sum_so_far + rate)
        else:
            runs.append((number, rate))
        self._last_fio = result if result.tool == "fio" else None

    def _take_in(self, number: int, result: Result) -> None:
        self._of_tools.setdefault(result.tool, []).append(result)
        if result.tool == "rados-bench" and result.op == Operation.WRITE and result.total_ios:
            self._wrote.setdefault(result.total_ios, (number, result))
        if result.iops:
            self._add_repeat(number, result, result.iops)
        if (key := _group(result)) is not None:
            group = self._groups.setdefault(key, JobGroup())
            group.names[str(result.extra["jobname"])] = None
            group.ops.add(result.op)


def _side_by_side(first: Result | None, second: Result) -> bool:
    """Two jobs of one run of fio: of one document, or reported one right below the other, in the same group."""
    if first is None or first.source is None or second.source is None or _load(first) != _load(second):
        return False
    if first.source.file != second.source.file or first.extra.get("group") != second.extra.get("group"):
        return False
    if second.source.reader == "fio_json":
        return first.source == second.source and second.extra.get("group") is not None
    last, begin = first.source.last_line, second.source.first_line
    return second.source.reader == "fio_text" and last is not None and begin is not None and 0 < begin - last <= 1


def _load(result: Result) -> Hashable:
    names = (_word(result.extra, "label"), _word(result.extra, "jobname"), _word(result.extra, "section"))
    return (result.tool, result.op, result.block_bytes, result.queue_depth, result.jobs, *names)


def _group(result: Result) -> Hashable | None:
    """All jobs of a run of fio stand in one JSON document, and have its lines."""
    source, name, group = result.source, result.extra.get("jobname"), result.extra.get("group")
    if source is None or source.reader != "fio_json" or name is None or group is None:
        return None
    return (source.file, source.first_line, source.last_line, str(group))


def _word(extra: Mapping[str, object], key: str) -> str | None:
    value = extra.get(key)
    return None if value is None else str(value)
