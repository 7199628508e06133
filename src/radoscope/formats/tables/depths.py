"""Which run of a row a latency is of, where its words fit two: operations in flight are rate times latency."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import median

from radoscope.formats.context.by_kind import Told, sizes_by_kind
from radoscope.formats.grammar.phrases import BANDWIDTH, IOPS, LATENCY, Load
from radoscope.formats.tables.runs import Group

_MEAN, _FEWEST_ROWS, _NEAR = (LATENCY, "mean"), 2, 0.03
_Kind = tuple[str | None, bool | None]


def with_latencies_of_depths(groups: Sequence[Group], above: Load, told: Sequence[Told]) -> list[Group]:
    """ "rand read IOPS | seq read MB/s | read lat": in most rows the rate of one of them, times the latency, is its
    depth, and that of no other is."""
    times: dict[str | None, list[Group]] = defaultdict(list)
    for group in groups:
        if {kind for kind, _ in group.values} == {LATENCY} and _MEAN in group.values and group.load.random is None:
            times[group.load.way].append(group)
    given = {id(group) for each in times.values() for group in _given(each, groups, above, told)}
    return [group for group in groups if id(group) not in given]


def _given(times: Sequence[Group], groups: Sequence[Group], above: Load, told: Sequence[Told]) -> Iterator[Group]:
    """Those of these latencies that a run of their row took over."""
    found: dict[_Kind, list[tuple[Group, Group]]] = defaultdict(list)
    for group in times:
        for other in groups:
            if other.row is group.row and other is not group and other.load.way == group.load.way:
                found[other.load.way, other.load.random].append((group, other))
    proven = [pairs for pairs in found.values() if _are_proven(pairs, above, told)]
    if len(found) < 2 or len(proven) != 1 or any(_MEAN in other.values for _, other in proven[0]):
        return
    for group, other in proven[0]:
        other.values |= group.values
        other.last_line = max(other.last_line, group.last_line)
        yield group


def _are_proven(pairs: Sequence[tuple[Group, Group]], above: Load, told: Sequence[Told]) -> bool:
    shares = [_share_of_depth(time, rates, above, told) for time, rates in pairs]
    known = [share for share in shares if share is not None]
    return len(known) == len(pairs) >= _FEWEST_ROWS and abs(median(known) - 1) < _NEAR


def _share_of_depth(time: Group, rates: Group, above: Load, told: Sequence[Told]) -> float | None:
    """How many operations were in flight of those that there could be."""
    kinds = {kind for kind, _ in rates.values}
    load = rates.load.over(sizes_by_kind(rates.load.over(above), told, kinds)).over(above)
    rate, moved = rates.values.get((IOPS, "mean")), rates.values.get((BANDWIDTH, "mean"))
    a_second = rate.value if rate else moved.value / load.block_bytes if moved and load.block_bytes else None
    depth = (load.depth or 0) * (load.jobs or 1)
    return a_second * time.values[_MEAN].value / depth if a_second and depth else None
