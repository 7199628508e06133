"""`ceph tell osd.N perf dump`, twice -> what happened in between.

A counter with avgcount and sum is an average over time: what it was in between is (sum2 - sum1) / (count2 - count1).
Source: doc/dev/perf_counters.rst of Ceph. No counter is reset on anybody's cluster, so an OSD that has fewer writes
than before has been started anew, and is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from radoscope.records.telemetry import COUNTERS, OP_W, Counter

Changes = dict[str, float]
"""Counter's name -> its change: a count, or the mean of a time in seconds with the number of its events beside it."""
_NUMBER = (int, float)
_WITH_COUNTERS = frozenset(counter.section for counter in COUNTERS)
_Sections = Mapping[str, Sequence[Any]]


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[int, Changes]:
    """Each OSD's own changes. before, after: OSD, as JSON has it, -> its dump; only OSDs that answered twice count."""
    both = {osd: (_sections_of(before[osd]), _sections_of(after[osd])) for osd in after if osd in before}
    return {int(osd): _changes(*dumps) for osd, dumps in both.items() if not _restarted(*dumps)}


def pooled(osds: Mapping[int, Changes]) -> Changes:
    """The OSDs together: counts added up, times as means over all their events."""
    found: Changes = {}
    for counter in COUNTERS:
        each = [change for change in osds.values() if counter.name in change]
        if not each:
            continue
        if not counter.is_time:
            found[counter.name] = sum(change[counter.name] for change in each)
            continue
        events = sum(change[counter.events] for change in each)
        seconds = sum(change[counter.name] * change[counter.events] for change in each)
        found |= {counter.name: seconds / events, counter.events: events}
    return found


def _changes(before: _Sections, after: _Sections) -> Changes:
    found: Changes = {}
    for counter in COUNTERS:
        first, last = _value(before, counter), _value(after, counter)
        if first is None or last is None:
            continue
        if not counter.is_time:
            found[counter.name] = float(last) - float(first)
        elif (events := float(last["avgcount"]) - float(first["avgcount"])) > 0:
            seconds = float(last["sum"]) - float(first["sum"])
            found |= {counter.name: seconds / events, counter.events: events}
    return found


def _restarted(before: _Sections, after: _Sections) -> bool:
    first, last = _value(before, OP_W), _value(after, OP_W)
    return first is not None and last is not None and last < first


def _sections_of(dump: Any) -> _Sections:
    """By name each section that has a counter, or those of its threads, as "throttle::1"; none of what is no dump."""
    if not isinstance(dump, dict):
        return {}
    found = {name: [dump[name]] for name in _WITH_COUNTERS if name in dump}
    for name in dump:
        if "::" in name and (base := name.partition("::")[0]) in _WITH_COUNTERS and base not in dump:
            found.setdefault(base, []).append(dump[name])
    return found


def _value(dump: _Sections, counter: Counter) -> Any:
    """The counter as the dump has it, None where it has not, or it is of another kind."""
    sections = dump.get(counter.section, ())
    if len(sections) == 1:  # nearly all of them
        return _field(sections[0], counter)
    each = [value for one in sections if (value := _field(one, counter)) is not None]
    if len(each) < 2:
        return each[0] if each else None
    return {part: sum(value[part] for value in each) for part in ("avgcount", "sum")} if counter.is_time else sum(each)


def _field(section: Any, counter: Counter) -> Any:
    if isinstance(section, dict):
        for field in counter.fields:
            if field in section:
                value = section[field]
                if not counter.is_time:
                    return value if isinstance(value, _NUMBER) else None
                return value if isinstance(value, dict) and "avgcount" in value and "sum" in value else None
    return None
