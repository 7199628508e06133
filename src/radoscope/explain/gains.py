"""How many times as fast a cell gets where a cause goes away: what its share promises, bounded by what is full next.

Utilisation law and asymptotic bounds (Denning and Buzen 1978): whose cores are a third busy with a load cannot carry
more than three times as much of it, whatever else goes away.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from radoscope.explain.finding import Share
from radoscope.records.measurement import Result
from radoscope.records.study import Segment, Study
from radoscope.records.telemetry import HOST_CPU, STRANGERS_CPU

_MOST_OF_A_READ_S, _MOST_OF_A_WRITE_S, _MOST_OF_A_BYTE_S = 1.5e-3, 4e-3, 20e-9
"""Core seconds on all hosts together. On slow cores small reads took 0.5 ms, small writes 2 ms, large ones 14 ns for
each byte; what takes more is threads that poll while they are held back, or that compress, and goes away with that."""
_ALL = 0.999
"""Nothing goes away without a trace."""
_LEAST_BUSY = 0.005
"""Of a host: what is less busy bounds nothing that one could tell."""
_LEAST_OF_IT, _MOST_OF_IT = 0.4, 2.0
"""Of the gain: something else takes the place of what is gone, or hangs on it as well."""
_LEAST_WHERE_FULL = 0.1
"""Of the gain that the cores have room for, where the cause takes more than that: threads that wait for them already
leave little of it. Reads spread over all OSDs again brought 1.02 there, quick flushes 1.15."""
_CHEAPER = 2.0
"""How many times less of a core an I/O may take where more of them come at once: wake-ups and idle work are shared.

All but the second by `benchmarks/gains.py`: chosen on the cells of one half of the causes, of which they hold 82 %;
of the other half's they hold 84 %.
"""


@dataclass(frozen=True, slots=True)
class Gain:
    """How many times as fast: the likeliest, and from where to where it may come out (80 %)."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        """ "x2.8 (1.6 to 4.4)"."""
        return f"x{times(self.value)} ({times(self.low)} to {times(self.high)})"


def times(number: float) -> str:
    """ "2.8", "19", "128"."""
    return f"{number:.2g}" if number < 10 else f"{number:.0f}"


def gain_in(study: Study, cells: Sequence[str], share: Share, *, at_most: bool = False) -> Gain:
    """What goes away with a cause that explains so much of these cells; at_most: that is a bound."""
    ceiling, room = _ceilings(study, cells)
    return gain_of(share, at_most=at_most, ceiling=ceiling, room=room)


def gain_of(share: Share, *, at_most: bool = False, ceiling: float = math.inf, room: float = math.inf) -> Gain:
    """ceiling, room: how many times the rate fits into the cores, where others end and where they go on."""
    value, low, high = (1 / (1 - min(one, _ALL)) for one in (share.value, share.low, share.high))
    likeliest = min(value, ceiling)
    least = _LEAST_OF_IT if value <= min(ceiling, room) else _LEAST_WHERE_FULL
    if share.high >= 1:  # it may be all: the middle between what was seen and that, as ratios go
        likeliest = math.sqrt(likeliest * min(high, ceiling))
    return Gain(
        value=likeliest,
        low=1.0 if at_most else 1 + least * (min(low, ceiling) - 1),
        high=1 + _MOST_OF_IT * (min(high, _CHEAPER * ceiling) - 1),
    )


def ceiling_of(study: Study, cells: Iterable[str]) -> float:
    """How many times the rate of one of these cells, the one that takes least, fits into the cores of watched hosts.

    What others used counts as free: they may end.
    """
    return _ceilings(study, cells)[0]


def _ceilings(study: Study, cells: Iterable[str]) -> tuple[float, float]:
    """The same where others end, and where they go on."""
    return max((_fits(study, cell) for cell in cells), default=(math.inf, math.inf))


def _fits(study: Study, cell: str) -> tuple[float, float]:
    busy: dict[str, list[float]] = {}
    others: list[float] = []
    segments = [segment for segment in study.segments if segment.cell == cell]
    for series in (series for segment in segments for series in segment.telemetry if series.values):
        if HOST_CPU.thing(series.name) is not None:
            busy.setdefault(series.name, []).append(statistics.fmean(series.values))
        elif series.name == STRANGERS_CPU.name:
            others.append(statistics.fmean(series.values))
    threads = next((host.cpu_threads for host in study.environment.hosts if host.cpu_threads), None)
    used = {name: statistics.fmean(values) for name, values in busy.items()}
    taken = statistics.fmean(others) / threads if others and threads else 0.0
    if HOST_CPU.name in used and threads:
        used[HOST_CPU.name] -= taken
        used[HOST_CPU.name] = min(used[HOST_CPU.name], _most_of_its_work(segments) / threads)
    most = max(used.values(), default=0.0)
    return (max(1.0, 1 / most), max(1.0, (1 - taken) / most)) if most > _LEAST_BUSY else (math.inf, math.inf)


def _most_of_its_work(segments: Sequence[Segment]) -> float:
    """Cores that the I/Os themselves can have taken; no bound where their rate is not known."""
    each = [sum(map(_most_of, known)) for one in segments if (known := [each for each in one.results if each.iops])]
    return statistics.fmean(each) if each else math.inf


def _most_of(result: Result) -> float:
    one = _MOST_OF_A_READ_S if (result.op or "").endswith("read") else _MOST_OF_A_WRITE_S
    return one * (result.iops or 0.0) + _MOST_OF_A_BYTE_S * (result.bandwidth_bytes_per_s or 0.0)
