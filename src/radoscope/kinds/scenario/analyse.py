"""What a fault did to a steady load: how deep it dipped, how long it stood still, when it recovered.

All from single completions on one clock. One run shows one event: nothing here has an interval over repetitions, and
nothing claims one. What cannot be known is Undecided.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from radoscope.kinds.scenario.record import Event, Moment, Scenario
from radoscope.records.measurement import Series
from radoscope.stats.interval import CONFIDENCE
from radoscope.stats.special import student_t
from radoscope.stats.tails import TAIL_SAMPLES
from radoscope.stats.values import Undecided
from radoscope.words import N_, _

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    FloatArray = NDArray[np.float64]

LEAST_BEFORE_S = 5
"""Seconds of steady load before the first fault, below which nothing is compared with them."""

SETTLED_S = 1.0
"""The beginning of the load that does not count as steady: connections, first writes to each placement group."""

BACK_S = 3
"""Seconds in a row within the usual range after which the rate counts as back."""

SILENCE = 2.0
"""A silence this many times the longest one before is a standstill, ..."""

SHORTEST_SILENCE_S = 0.05
"""... and it lasts this long at least: the log counts in milliseconds."""

PERCENTILES = (50.0, 99.0, 99.9)

_UNTELLABLE = N_("the load before varied so much that any rate would be within its usual range")


@dataclass(frozen=True, slots=True, kw_only=True)
class Steady:
    """The load before the first fault: I/Os per second, their spread over seconds, seconds, longest silence."""

    rate_per_s: float
    deviation_per_s: float
    seconds: int
    longest_silence_s: float

    def usual_low(self, seconds: int) -> float:
        """The rate above which all of `seconds` further seconds stay with 95 % confidence, if nothing changed.

        A prediction interval for several future values (Hahn 1970, by Bonferroni). Neighbouring seconds resemble each
        other, so the true confidence is a little lower.
        """
        confidence = 1 - (1 - CONFIDENCE) * 2 / max(1, seconds)  # one-sided, shared out over all of them
        factor = student_t(confidence, self.seconds - 1) * math.sqrt(1 + 1 / self.seconds)
        # A count over one second cannot be known better than to one I/O.
        return max(0.0, self.rate_per_s - factor * max(1.0, self.deviation_per_s))


@dataclass(frozen=True, slots=True, kw_only=True)
class Dip:
    """What followed one event, until the next one or the end of the load.

    lowest_per_s: the slowest whole second. depth: by which share of the rate before it was lower. still_s: how long no
    I/O completed at all, at the longest. still_from_s, first_io_s: from the event to the start and to the end of that
    standstill. back_s: from the event until the rate was within its usual range again, and stayed there for three
    seconds.
    """

    event: Event
    lowest_per_s: float | Undecided
    depth: float | Undecided
    still_s: float | Undecided
    still_from_s: float | Undecided
    first_io_s: float | Undecided
    back_s: float | Undecided


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """A stretch between events: how many I/Os completed in it and how slow they were. percentiles_s: percent -> s."""

    name: str
    begin_s: float
    end_s: float
    ios: int
    rate_per_s: float
    percentiles_s: Mapping[float, float | Undecided] = field(default_factory=dict)
    max_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Transient:
    """The results of a scenario. whole_s: from the last event until the cluster was healthy, and stayed so."""

    steady: Steady | Undecided
    dips: tuple[Dip, ...]
    whole_s: float | Undecided
    whole_after_first_s: float | Undecided
    phases: tuple[Phase, ...]
    rates: Series


def analyse(scenario: Scenario) -> Transient:
    """Completions and events -> the effect of each event."""
    import numpy as np  # start-up time

    times = np.asarray(scenario.latencies.times_s, dtype=float)
    latencies = np.asarray(scenario.latencies.values, dtype=float)
    order = np.argsort(times, kind="stable")
    times, latencies = times[order], latencies[order]
    deeds = deeds_of(scenario.events)
    end = _end(scenario.events, times)
    steady = steady_before(times, deeds[0].time_s) if deeds else Undecided(_("no fault was injected"))
    ends = [deed.time_s for deed in deeds[1:]] + [end]
    dips = tuple(dip_after(times, deed, until, steady) for deed, until in zip(deeds, ends, strict=True))
    whole_at = whole_from(scenario.look("whole"), deeds[-1].time_s) if deeds else Undecided(_("nothing was done"))
    return Transient(
        steady=steady,
        dips=dips,
        whole_s=_since(whole_at, deeds[-1].time_s) if deeds else whole_at,
        whole_after_first_s=_since(whole_at, deeds[0].time_s) if deeds else whole_at,
        phases=_phases(times, latencies, deeds, whole_at, end),
        rates=_rates(times, deeds[0].time_s if deeds else 0.0),
    )


def deeds_of(events: Sequence[Event]) -> tuple[Event, ...]:
    """The events at which something was done, in the order of time."""
    done = (event for event in events if event.moment in (Moment.DEED, Moment.MENDED))
    return tuple(sorted(done, key=lambda event: event.time_s))


def steady_before(times_s: FloatArray, deed_s: float) -> Steady | Undecided:
    """The load before an event. times_s: completions, ascending, shape (n,).

    Seconds are counted back from the event, so that none of them contains a part of it.
    """
    before = times_s[times_s < deed_s]
    if not before.size:
        return Undecided(_("no I/O completed before the fault"), _("a load that has started"))
    seconds = int(deed_s - (before[0] + SETTLED_S))
    if seconds < LEAST_BEFORE_S:
        return Undecided(
            _("{seconds} s of load before the fault; at least {least} are needed", seconds=max(0, seconds),
              least=LEAST_BEFORE_S),
            _("a longer {option}", option="--seconds"),
        )  # fmt: skip
    counts = per_second(before, deed_s - seconds, seconds)
    if counts.min() == 0:
        return Undecided(_("the load stood still before anything was done"), _("a lighter load, or a quieter machine"))
    used = before[before >= deed_s - seconds]
    silences = used[1:] - used[:-1]
    return Steady(
        rate_per_s=float(counts.mean()),
        deviation_per_s=float(counts.std(ddof=1)),
        seconds=seconds,
        longest_silence_s=float(silences.max(initial=0.0)),
    )


def per_second(times_s: FloatArray, begin_s: float, seconds: int) -> FloatArray:
    """Completions in each of `seconds` whole seconds from begin_s on, shape (seconds,)."""
    import numpy as np  # start-up time

    counts, _ = np.histogram(times_s, bins=begin_s + np.arange(seconds + 1))
    return counts.astype(float)


def dip_after(times_s: FloatArray, deed: Event, until_s: float, steady: Steady | Undecided) -> Dip:
    """What followed an event, compared with the steady load; times_s: all completions, ascending."""
    seconds = int(until_s - deed.time_s)
    if isinstance(steady, Undecided) or seconds < 1:
        why = steady if isinstance(steady, Undecided) else Undecided(_("less than a second of load followed it"))
        return Dip(event=deed, lowest_per_s=why, depth=why, still_s=why, still_from_s=why, first_io_s=why, back_s=why)
    counts = per_second(times_s, deed.time_s, seconds)
    usual = steady.usual_low(seconds)
    lowest = float(counts.min())
    still, still_from, first_io = _standstill(times_s, deed.time_s, until_s, steady)
    none = Undecided(
        _("no second was slower than the load's own spread explains ({usual:.0f} a second or more)", usual=usual)
    )
    # A limit below zero is no limit. But no second before was empty, so one within a standstill is no scatter either.
    stood = lowest == 0 and not isinstance(still, Undecided)
    return Dip(
        event=deed,
        lowest_per_s=lowest,
        depth=1 - lowest / steady.rate_per_s if lowest < usual or stood else none,
        still_s=still,
        still_from_s=still_from,
        first_io_s=first_io,
        back_s=_back(counts, usual) if lowest < usual else Undecided(_(_UNTELLABLE)) if stood else none,
    )


def whole_from(whole: Series | None, deed_s: float) -> float | Undecided:
    """The moment from which every sample showed a healthy cluster; whole: 1 or 0 per sample, in Unix time."""
    looks = [] if whole is None else [(t, v) for t, v in zip(whole.times_s, whole.values, strict=True) if t > deed_s]
    if not looks:
        return Undecided(_("the cluster was not observed after the fault"))
    if looks[-1][1] < 1:
        return Undecided(_("it was not healthy again within {seconds:.0f} s", seconds=looks[-1][0] - deed_s))
    broken = [time for time, value in looks if value < 1]
    if not broken:
        return Undecided(_("it was healthy in every sample"))
    return next(time for time, _value in looks if time > broken[-1])


def percentile_of(latencies_s: FloatArray, percent: float) -> float | Undecided:
    """The smallest latency that at least `percent` of the I/Os did not exceed: fio's own rule."""
    beyond = latencies_s.size * (1 - percent / 100)
    if round(beyond, 6) < TAIL_SAMPLES:
        return Undecided(
            _("{beyond:.0f} of {total} I/Os lie beyond it; at least {tail_samples} are needed", beyond=beyond,
              total=latencies_s.size, tail_samples=TAIL_SAMPLES)
        )  # fmt: skip
    import numpy as np  # start-up time

    return float(np.quantile(latencies_s, percent / 100, method="inverted_cdf"))


def _standstill(
    times_s: FloatArray, deed_s: float, until_s: float, steady: Steady
) -> tuple[float | Undecided, float | Undecided, float | Undecided]:
    """The longest silence after an event; how long after it that began and ended."""
    import numpy as np  # start-up time

    after = times_s[(times_s >= deed_s) & (times_s < until_s)]
    edges = np.concatenate(([deed_s], after, [until_s]))
    silences = np.diff(edges)
    longest = int(silences.argmax())
    length = float(silences[longest])
    if length <= max(SHORTEST_SILENCE_S, SILENCE * steady.longest_silence_s):
        never = Undecided(_("it never stood still: {most:.0f} ms at most without a completed I/O", most=length * 1e3))
        return never, never, never
    begin = float(edges[longest] - deed_s)
    if longest == len(silences) - 1:
        return (
            length,
            begin,
            Undecided(_("no I/O completed in the last {seconds:.1f} s of this stretch", seconds=length)),
        )
    return length, begin, float(edges[longest + 1] - deed_s)


def _back(counts: FloatArray, usual: float) -> float | Undecided:
    """Seconds until the rate was usual again after its lowest point, and stayed so for a while."""
    good = counts >= usual
    for second in range(int(counts.argmin()), len(counts) - BACK_S + 1):
        if good[second : second + BACK_S].all():
            return float(second)
    return Undecided(
        _("the rate was not back for {seconds} s in a row within the {seen} s that were seen", seconds=BACK_S,
          seen=len(counts))
    )  # fmt: skip


def _phases(
    times: FloatArray, latencies: FloatArray, deeds: Sequence[Event], whole: float | Undecided, end: float
) -> tuple[Phase, ...]:
    """Before, after each event, and once healthy again; I/Os belong to the phase in which they completed."""
    if not deeds or not times.size:
        return ()
    marks = [("before", float(times[0]))]
    marks += [(deed.words, deed.time_s) for deed in deeds]
    if not isinstance(whole, Undecided) and whole < end:
        marks.append(("whole again", whole))
    ends = [begin for _, begin in marks[1:]] + [end]
    spans = ((name, begin, until) for (name, begin), until in zip(marks, ends, strict=True) if until > begin)
    return tuple(_phase(times, latencies, *span) for span in spans)


def _phase(times: FloatArray, latencies: FloatArray, name: str, begin: float, end: float) -> Phase:
    inside = latencies[(times >= begin) & (times < end)]
    return Phase(
        name=name,
        begin_s=begin,
        end_s=end,
        ios=int(inside.size),
        rate_per_s=inside.size / (end - begin),
        percentiles_s={percent: percentile_of(inside, percent) for percent in PERCENTILES},
        max_s=float(inside.max()) if inside.size else None,
    )


def _rates(times: FloatArray, origin: float) -> Series:
    """I/Os per second in whole seconds counted from the first fault; the last, incomplete one is left out."""
    import numpy as np  # start-up time

    if not times.size:
        return Series("iops", "1/s", (), (), absolute=True)
    first = origin + math.ceil(float(times[0]) - origin)
    seconds = max(0, int(float(times[-1]) - first))
    counts = per_second(times, first, seconds) if seconds else np.empty(0)
    starts = (first + second for second in range(seconds))
    return Series("iops", "1/s", tuple(starts), tuple(counts.tolist()), absolute=True)


def _since(moment: float | Undecided, deed_s: float) -> float | Undecided:
    return moment if isinstance(moment, Undecided) else moment - deed_s


def _end(events: Sequence[Event], times: FloatArray) -> float:
    ended = [event.time_s for event in events if event.moment is Moment.ENDED]
    return ended[-1] if ended else float(times[-1]) if times.size else 0.0
