"""The other clients of a cluster: how long their operations wait while we load it, and when that is too long.

Performance counters of OSDs mix our operations with theirs. The list of operations in flight does not: each names its
pool, and says how long it has been waiting. Every second some OSDs are asked for it; 2 ms of CPU each.
"""

from __future__ import annotations

import re
import statistics
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import Any

from radoscope.errors import RadoscopeError
from radoscope.records.telemetry import OTHERS_IN_FLIGHT, OTHERS_WAITING, as_series
from radoscope.run.clock import now_s
from radoscope.run.events import Listener, Step
from radoscope.units import format_seconds

_PERIOD_S = 1.0
# Before any load: ten looks in three seconds tell what is usual.
_LISTENING_LOOKS, _LISTENING_PERIOD_S = 10, 0.3
_OSDS_A_LOOK = 4
# Judged over the last looks at one load: three seconds, so that the load ends within five.
_LOOKS = 3
_LEAST_OPERATIONS = 4
# What others must put up with: any benchmark costs them something.
_FACTOR, _LEAST_LIMIT_S, _LIMIT_IF_UNKNOWN_S = 5.0, 0.02, 0.1
_CALM_LOOKS = 3
_RECOVERED_WITHIN_S = 60.0
# An OSD reads its clock before it walks through its operations: one that came in between is younger than nothing, and
# since the seconds are unsigned, the age of such a one is told as 4294967295.9998 (Ceph 16.2.15: 4 of about 100 looks).
_AGES_WRAP_AT_S = 2.0**32
# Watching and notifying last as long as the watchers like: nobody waits for a disk.
_CLIENT_OPERATION = re.compile(r"osd_op\((?:client|mds)\.\S+ (\d+)\.(?!.*\[(?:watch|notify))")


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """Where to look. ask_osd: (OSD, command) -> JSON value. osds: those that are up. pools: numbers of those that are
    not ours, as they were before we made any."""

    ask_osd: Callable[[int, str], Any]
    osds: tuple[int, ...]
    pools: frozenset[int]


class Others:
    """A thread that looks. Without anything to see, as on a cluster of our own, it does nothing.

    end: ends the whole run with words, when others do not recover though the load has ended. spare: without it, what
    they do is only noted.
    """

    def __init__(
        self, seen: Seen | None = None, end: Callable[[str], None] = lambda words: None, *, spare: bool = True
    ) -> None:
        self._seen, self._end, self._spare = seen, end, spare
        self._load: str | None = None
        self._looks: dict[str, deque[list[float]]] = defaultdict(lambda: deque(maxlen=_LOOKS))
        self._notes: list[tuple[float, list[float]]] = []
        self._turn = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="others", daemon=True)
        self.usual_s: float | None = None
        self.harm = ""

    def __enter__(self) -> Others:
        """Listen for three seconds, before there is any load. Raises RadoscopeError where OSDs do not tell."""
        if self._seen is not None and self._seen.osds and self._seen.pools:
            self.usual_s = self._listen(self._seen)
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(timeout=30)

    @contextmanager
    def loaded_by(self, name: str) -> Iterator[None]:
        """Within, what others suffer is put down to this load."""
        self._load = name
        try:
            yield
        finally:
            self._load = None

    def suffer(self) -> bool:
        """Whether the load must be taken away now; false again once they have recovered."""
        return bool(self.harm)

    def end_if_they_suffer(self) -> None:
        """End the whole run: for a load that cannot be taken away half-way, and would do the same to them again."""
        if self.suffer():
            self._end(self.harm)

    def await_recovery(self, stop: threading.Event, on_event: Listener) -> None:
        """Return when they do not suffer, or the run is to end."""
        if self.suffer() and not stop.is_set():
            on_event(Step("waiting until other clients' operations are as fast as before"))
        while self.suffer() and not stop.wait(0.2):
            pass

    def seen_between(self, begin_s: float, end_s: float) -> list[dict[str, Any]]:
        """What was seen in a span of Unix time, as series: their operations in flight, and how long these waited."""
        notes = [note for note in self._notes if begin_s <= note[0] <= end_s]
        busy = [(time_s, ages) for time_s, ages in notes if ages]
        in_flight = [(time_s, float(len(ages))) for time_s, ages in notes]
        waiting = [(time_s, statistics.fmean(ages)) for time_s, ages in busy]
        series = ((OTHERS_IN_FLIGHT, in_flight), (OTHERS_WAITING, waiting))
        return [as_series(what.name, points) for what, points in series if points]

    def _listen(self, seen: Seen) -> float | None:
        """What they are used to: seconds an operation, by the counters or by those in flight, whichever is more."""
        before, looks = self._counted(seen), []
        for _ in range(_LISTENING_LOOKS):
            looks.append(self._look(seen))
            self._over.wait(_LISTENING_PERIOD_S)
        return usual(looks, before, self._counted(seen))

    def _counted(self, seen: Seen) -> tuple[float, float]:
        """(operations, seconds) of all clients since the OSDs began."""
        averages = [seen.ask_osd(osd, "perf dump")["osd"]["op_latency"] for osd in seen.osds]
        return sum(each["avgcount"] for each in averages), sum(each["sum"] for each in averages)

    def _look(self, seen: Seen) -> list[float]:
        """The ages, in seconds, of other clients' operations in flight on the OSDs whose turn it is."""
        first, self._turn = self._turn, self._turn + _OSDS_A_LOOK
        asked = {seen.osds[(first + step) % len(seen.osds)] for step in range(_OSDS_A_LOOK)}
        ages: list[float] = []
        for osd in asked:
            ages += ages_of(seen.ask_osd(osd, "dump_ops_in_flight"), seen.pools)
        self._notes.append((now_s(), ages))
        return ages

    def _watch(self) -> None:
        assert self._seen is not None
        while not self._over.wait(_PERIOD_S):
            load = self._load
            try:
                ages = self._look(self._seen)
            except RadoscopeError:  # an OSD that does not answer is the governor's business
                continue
            # A look that began under one load and ended under another tells of neither.
            if load is None or load != self._load:
                continue
            self._looks[load].append(ages)
            words = suffering(self._looks[load], self.usual_s)
            if words and self._spare:
                self.harm = words
                self._watch_recovery(self._seen)
                self._looks.clear()

    def _watch_recovery(self, seen: Seen) -> None:
        """Three looks in a row that are as before; they count from the moment that the load is gone."""
        calm, deadline = 0, time.monotonic() + _RECOVERED_WITHIN_S
        while not self._over.wait(_PERIOD_S):
            try:
                ages = self._look(seen)
            except RadoscopeError:
                continue
            calm = 0 if any(age > limit_s(self.usual_s) for age in ages) else calm + 1
            if calm == _CALM_LOOKS:
                self.harm = ""
                return
            if time.monotonic() > deadline:
                within = f"within {_RECOVERED_WITHIN_S:.0f} s after the load was withdrawn"
                self._end(f"{self.harm}, and did not recover {within}")
                return


def ages_of(in_flight: Any, pools: frozenset[int]) -> Iterator[float]:
    """The age in seconds of each client operation in these pools. in_flight: what `dump_ops_in_flight` says."""
    for operation in in_flight.get("ops", ()):
        match = _CLIENT_OPERATION.match(operation.get("description", ""))
        if match is not None and int(match[1]) in pools:
            age_s = float(operation["age"])
            yield age_s if age_s < _AGES_WRAP_AT_S / 2 else 0.0


def usual(looks: Sequence[Sequence[float]], before: tuple[float, float], after: tuple[float, float]) -> float | None:
    """Seconds that an operation of theirs takes without us; None where they did too little to tell.

    looks: ages in flight. Long operations are met in flight more often than short ones, so where some are long, the
    mean over those met is larger than the counters' mean over all; the larger one is taken.
    """
    operations, seconds = after[0] - before[0], after[1] - before[1]
    ages = list(chain.from_iterable(looks))
    known = [statistics.fmean(ages)] if len(ages) >= _LEAST_OPERATIONS else []
    if operations >= _LEAST_OPERATIONS:
        known.append(seconds / operations)
    return max(known, default=None)


def limit_s(usual_s: float | None) -> float:
    """How long an operation of theirs may have been waiting, in seconds."""
    return _LIMIT_IF_UNKNOWN_S if usual_s is None else max(_LEAST_LIMIT_S, _FACTOR * usual_s)


def suffering(looks: Sequence[Sequence[float]], usual_s: float | None) -> str:
    """What others suffer, in words; an empty text while it is bearable. looks: ages in flight, at one load."""
    ages = list(chain.from_iterable(looks))
    if len(ages) < _LEAST_OPERATIONS or sum(bool(look) for look in looks) < 2:
        return ""
    waiting = statistics.median(ages)
    if waiting <= limit_s(usual_s):
        return ""
    before = "too little traffic to tell" if usual_s is None else f"{format_seconds(usual_s)} an operation"
    return f"operations of other clients had been waiting for {format_seconds(waiting)} (before the load: {before})"
