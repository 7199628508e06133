"""Tables that tell of the same runs: rates in one, times or rates of another kind in the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from radoscope import patterns as re
from radoscope.formats.context.by_kind import Told
from radoscope.formats.grammar.phrases import IOPS, LATENCY, Load
from radoscope.formats.tables.layout import Table
from radoscope.formats.tables.runs import Group
from radoscope.formats.tables.telling import with_telling_rows

_WORD = re.compile(r"\w+")
_MOST_IN_FLIGHT = 1.15
"""Times what was asked for: both are rounded."""
_MOST_RUNS, _TABLES_LOOKED_AT = 100, 8
_Run = tuple[Load, str]
"""What tells a run from the others of its table."""


class OfRuns(NamedTuple):
    """A table with its runs. heading: right above it."""

    table: Table | None
    groups: Sequence[Group]
    told: Sequence[Told]
    heading: str


class _Alike(NamedTuple):
    """A table, and its runs, which others have, too."""

    at: int
    heading: str
    above: Load
    runs: Mapping[_Run, Group]


def joined(tables: Sequence[OfRuns]) -> set[int]:
    """The places of those that say more of the runs of another one, which takes it over: they hold nothing of their
    own."""
    same = set(_join_of_the_same_names(tables))
    return same | set(_join_of_like_names(tables, same))


def _join_of_the_same_names(tables: Sequence[OfRuns]) -> Iterator[int]:
    """ "IOPS" above a table, "Latency" above another with the same rows and columns."""
    alike: dict[tuple[Any, ...], list[_Alike]] = {}
    for at, one in enumerate(tables):
        runs = {(group.load, group.words): group for group in one.groups}
        if one.table is not None and len(runs) == len(one.groups) > 1:
            alike.setdefault((frozenset(runs), one.told), []).append(_Alike(at, one.heading, one.table.above, runs))
    for first, *others in (tables for found in alike.values() for tables in _of_other_kinds(found)):
        for later in others:
            if later.above.over(first.above) != first.above:
                continue  # measured under other conditions
            for run, more in later.runs.items():
                first.runs[run].values.update(more.values)
            yield later.at


def _of_other_kinds(tables: Sequence[_Alike]) -> Iterator[Sequence[_Alike]]:
    """Those that belong together: each tells another kind of values. Of several of one kind, below "IOPS" and "MB/s",
    say, those do that stand below headings of the same name, or follow each other in the same order again and again."""
    if _are_of_other_kinds(tables):
        yield tables
        return
    period = next((at for at, each in enumerate(tables) if at and _kinds_of(each) == _kinds_of(tables[0])), 1)
    kinds = [_kinds_of(each) for each in tables]
    if period > 1 and kinds == kinds[:period] * (len(kinds) // period):  # one section like the other
        yield from filter(_are_of_other_kinds, (tables[at : at + period] for at in range(0, len(tables), period)))
        return
    headings = dict.fromkeys(each.heading for each in tables if each.heading)
    parts = ([each for each in tables if each.heading == heading] for heading in headings)
    yield from filter(_are_of_other_kinds, parts)


def _are_of_other_kinds(tables: Sequence[_Alike]) -> bool:
    kinds = list(map(_kinds_of, tables))
    return sum(map(len, kinds)) == len(set().union(*kinds))


def _kinds_of(table: _Alike) -> set[str]:
    return _kinds(table.runs.values())


def _kinds(groups: Iterable[Group]) -> set[str]:
    return {kind for group in groups for kind, _ in group.values}


def _join_of_like_names(tables: Sequence[OfRuns], joined: set[int]) -> Iterator[int]:
    """ "Region A IOPS | Region B IOPS", and below it "A avg (us) | B avg (us)" of the same rows: the words that tell a
    run of one from the rest are in one run of the other. Times that two tables above fit are of neither."""
    for at, later in enumerate(tables):
        if at in joined or _kinds(later.groups) != {LATENCY}:
            continue
        nearest = [place for place in range(max(0, at - _TABLES_LOOKED_AT), at) if place not in joined]
        pairings = [pairs for place in nearest if (pairs := _pairs(tables[place], later))]
        if len(pairings) == 1:
            for rates, times in pairings[0]:
                rates.values.update(times.values)
            yield at


def _pairs(first: OfRuns, later: OfRuns) -> list[tuple[Group, Group]]:
    """Each run of rates with its times; none where the tables are not of the same runs."""
    is_like = first.told == later.told and 1 < len(first.groups) == len(later.groups) <= _MOST_RUNS
    if first.table is None or later.table is None or not is_like or LATENCY in _kinds(first.groups):
        return []
    names, own_names = _telling_words(first), _telling_words(later)
    pairs = []
    for times, own in zip(later.groups, own_names, strict=True):
        load = times.load.over(later.table.above)
        fitting = [
            rates
            for rates, name in zip(first.groups, names, strict=True)
            if (own <= name or name <= own) and (own or not name)
            if load.over(full := rates.load.over(first.table.above)) == full and _may_be_in_flight(rates, times, full)
        ]
        if len(fitting) != 1:
            return []
        pairs.append((fitting[0], times))
    return pairs if len({id(rates) for rates, _ in pairs}) == len(pairs) else []


def _telling_words(one: OfRuns) -> list[frozenset[str]]:
    """Of each run the words that not all of them have."""
    heads = one.table.heads if one.table else ()
    named = [frozenset(_WORD.findall(group.words.lower())) for group in with_telling_rows(heads, one.groups)]
    counts = Counter(word for words in named for word in words)
    return [frozenset(word for word in words if counts[word] < len(named)) for words in named]


def _may_be_in_flight(rates: Group, times: Group, load: Load) -> bool:
    """Rate times latency is no more than what was asked for."""
    rate, latency = rates.values.get((IOPS, "mean")), times.values.get((LATENCY, "mean"))
    if rate is None or latency is None or load.depth is None:
        return True
    return rate.value * latency.value <= load.depth * (load.jobs or 1) * _MOST_IN_FLIGHT
