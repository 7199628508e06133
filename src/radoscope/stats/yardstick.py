"""The host: how far its own speed moved, what of a cell's spread goes with it, and when others took it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median

from radoscope.records.study import Segment
from radoscope.records.telemetry import STEAL_CPU, STRANGERS_CPU
from radoscope.stats.special import chi_square_quantile, t_beyond
from radoscope.stats.values import Estimate, Interval, Undecided
from radoscope.words import _

FEWEST = 8
"""Segments below which nothing is said about what the host explains."""

SURE = 0.01
"""How rarely chance alone may give such a correlation before it is named."""


CALM_AFTER = 8
"""Segments before which nothing is called a disturbance."""

DISTURBED_CORES = 0.5
"""By so many cores more than in the median segment so far others must be busy."""


def disturbance(segment: Segment, before: Sequence[Segment]) -> str:
    """What others took of the host during a segment, beyond what they take all the time; empty where it was nothing.

    before: all segments of the study until then. Others: processes that are neither the load's nor the cluster's, and
    what a hypervisor gave away. The rule knows no rate, and what is always there disturbs nothing: it is how the host
    is.
    """
    known = [cores for one in before if (cores := _others_cores(one)) is not None]
    cores = _others_cores(segment)
    if cores is None or len(known) < CALM_AFTER:
        return ""
    usual = median(known)
    return f"others used {cores:.1f} cores, usually {usual:.1f}" if cores > usual + DISTURBED_CORES else ""


def _others_cores(segment: Segment) -> float | None:
    """Mean over the segment; None where it was not watched."""
    taken = [
        math.fsum(series.values) / len(series.values)
        for series in segment.telemetry
        if series.name in (STRANGERS_CPU.name, STEAL_CPU.name) and series.values
    ]
    return math.fsum(taken) if taken else None


def host_drift(segments: Sequence[Segment]) -> Estimate | Undecided | None:
    """Standard deviation of the host's yardstick over its mean, e.g. 0.08; None where it was not taken.

    The interval is chi square's, as for a standard deviation of normal values.
    """
    speeds = [segment.host_speed for segment in segments if segment.host_speed]
    if not speeds:
        return None
    if len(speeds) < 3:
        return Undecided(_("the host's yardstick was timed {n} times; at least 3 are needed", n=len(speeds)))
    mean = math.fsum(speeds) / len(speeds)
    squares = math.fsum((speed / mean - 1) ** 2 for speed in speeds)
    degrees = len(speeds) - 1
    low, high = (math.sqrt(squares / chi_square_quantile(share, degrees)) for share in (0.975, 0.025))
    return Estimate(math.sqrt(squares / degrees), Interval(low, high), len(speeds), _("yardstick before each segment"))


def explained_by_host(rates: Sequence[float], speeds: Sequence[float]) -> float | Undecided:
    """Share of the spread between segments that goes with the host's speed (r squared), where that is no chance.

    rates, speeds: one each a segment. It is told, not taken out: the yardstick is read before a segment, not during it,
    and a host that is slower because the load is heavier would explain away what is to be measured.
    """
    if len(rates) < FEWEST:
        return Undecided(_("{n} segments; at least {fewest} are needed", n=len(rates), fewest=FEWEST))
    r = _correlation(rates, speeds)
    if abs(r) >= 1:
        return 1.0
    degrees = len(rates) - 2
    chance = 2 * t_beyond(abs(r) * math.sqrt(degrees / (1 - r * r)), degrees)
    if r <= 0 or chance > SURE:
        return Undecided(_("the rates do not correlate with the host's speed"))
    return r * r


def _correlation(a: Sequence[float], b: Sequence[float]) -> float:
    mean_a, mean_b = math.fsum(a) / len(a), math.fsum(b) / len(b)
    rest_a, rest_b = [value - mean_a for value in a], [value - mean_b for value in b]
    scale = math.sqrt(math.fsum(x * x for x in rest_a) * math.fsum(y * y for y in rest_b))
    return math.fsum(x * y for x, y in zip(rest_a, rest_b, strict=True)) / scale if scale else 0.0
