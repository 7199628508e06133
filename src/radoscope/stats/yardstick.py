"""The host's own speed: how far it moved, and how much of a cell's spread correlates with it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from radoscope.records.study import Segment
from radoscope.stats.values import Estimate, Interval, Undecided

FEWEST = 8
"""Segments below which nothing is said about what the host explains."""

SURE = 0.01
"""How rarely chance alone may give such a correlation before it is named."""


def host_drift(segments: Sequence[Segment]) -> Estimate | Undecided | None:
    """Standard deviation of the host's yardstick over its mean, e.g. 0.08; None where it was not taken.

    The interval is chi square's, as for a standard deviation of normal values.
    """
    from scipy.special import chdtri  # start-up time

    speeds = [segment.host_speed for segment in segments if segment.host_speed]
    if not speeds:
        return None
    if len(speeds) < 3:
        return Undecided(f"the host's yardstick was timed {len(speeds)} times; at least 3 are needed")
    mean = math.fsum(speeds) / len(speeds)
    squares = math.fsum((speed / mean - 1) ** 2 for speed in speeds)
    degrees = len(speeds) - 1
    low, high = (math.sqrt(squares / float(chdtri(degrees, tail))) for tail in (0.025, 0.975))
    return Estimate(math.sqrt(squares / degrees), Interval(low, high), len(speeds), "yardstick before each segment")


def explained_by_host(rates: Sequence[float], speeds: Sequence[float]) -> float | Undecided:
    """Share of the spread between segments that goes with the host's speed (r squared), where that is no chance.

    rates, speeds: one each a segment. It is told, not taken out: the yardstick is read before a segment, not during it,
    and a host that is slower because the load is heavier would explain away what is to be measured.
    """
    from scipy.special import stdtr  # start-up time

    if len(rates) < FEWEST:
        return Undecided(f"{len(rates)} segments; at least {FEWEST} are needed")
    r = _correlation(rates, speeds)
    if abs(r) >= 1:
        return 1.0
    degrees = len(rates) - 2
    chance = 2 * float(stdtr(degrees, -abs(r) * math.sqrt(degrees / (1 - r * r))))
    if r <= 0 or chance > SURE:
        return Undecided("the rates do not correlate with the host's speed")
    return r * r


def _correlation(a: Sequence[float], b: Sequence[float]) -> float:
    mean_a, mean_b = math.fsum(a) / len(a), math.fsum(b) / len(b)
    rest_a, rest_b = [value - mean_a for value in a], [value - mean_b for value in b]
    scale = math.sqrt(math.fsum(x * x for x in rest_a) * math.fsum(y * y for y in rest_b))
    return math.fsum(x * y for x, y in zip(rest_a, rest_b, strict=True)) / scale if scale else 0.0
