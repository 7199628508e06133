"""Facts -> forecast: the rate with its 80 % interval, where the latency goes, the bottleneck, what was assumed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from radoscope.predict.network import Solution, bottleneck
from radoscope.predict.setting import Setting
from radoscope.stats.values import Interval
from radoscope.units import format_seconds
from radoscope.words import N_, _, padded

CONFIDENCE = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """What a load will achieve.

    iops and its 80 % interval are sums over all clients. budget_s: layer -> seconds of one operation, they sum to
    latency_s. bounds_iops: what cannot be exceeded, by latency at this depth and by the fullest station. assumed: the
    facts that were filled in, as "name=value". p99_s: a band of a factor 3, no more than that is known about tails.
    """

    iops: float
    interval: Interval
    bandwidth_bytes_per_s: float
    latency_s: float
    bottleneck: str
    budget_s: Mapping[str, float]
    busy: Mapping[str, float]
    bounds_iops: Mapping[str, float]
    assumed: tuple[str, ...]
    p99_s: Interval | None = None


def forecast_of(
    setting: Setting, solution: Solution, rate: float, half_width: float, assumed: tuple[str, ...]
) -> Forecast:
    """A rate and half of its interval in ln, with the parts of the latency that the equations give."""
    factor = rate / float(solution.rate)
    latency = setting.in_flight / rate
    return Forecast(
        iops=rate,
        interval=Interval(rate * math.exp(-half_width), rate * math.exp(half_width), CONFIDENCE),
        bandwidth_bytes_per_s=rate * setting.block,
        latency_s=latency,
        bottleneck=bottleneck(solution),
        budget_s={name: float(seconds) / factor for name, seconds in solution.parts.items()},
        busy=dict(solution.busy),
        bounds_iops=dict(solution.bounds),
        assumed=assumed,
        p99_s=tail_band(setting, solution.busy, latency),
    )


def tail_band(setting: Setting, busy: Mapping[str, float], latency_s: float) -> Interval:
    """Where p99 lies, as a band of a factor 3 either way: published p99 is 1.5 to 2 x the mean on calm clusters and
    3 to 20 x on full ones, and no hardware fact that is published says where in between."""
    middle = latency_s * (2.0 + 4.0 * min(1.0, max(busy.values())) ** 2)
    if setting.in_flight <= 1:
        middle = 2.0 * latency_s
    return Interval(middle / 3, middle * 3, CONFIDENCE)


NEGLIGIBLE = 0.005


@dataclass(frozen=True, slots=True)
class Part:
    """seconds of one operation spent in a layer, or waiting before it (`queued`); share of the whole latency."""

    name: str
    seconds: float
    share: float
    queued: bool


def budget(seen: Forecast) -> tuple[Part, ...]:
    """The parts in the order in which an operation meets them; they sum to its latency. Those below half a percent are
    added up as "rest"."""
    parts, rest = [], 0.0
    for name, seconds in seen.budget_s.items():
        share = seconds / seen.latency_s
        if share < NEGLIGIBLE:
            rest += seconds
            continue
        parts.append(Part(name.removeprefix("queue: "), seconds, share, name.startswith("queue: ")))
    if rest > 0:
        parts.append(Part(N_("rest"), rest, rest / seen.latency_s, False))
    return tuple(parts)


def draw_bars(parts: Sequence[Part]) -> str:
    """The budget as text, one bar a part; waiting is drawn lighter than work."""
    longest = max(part.share for part in parts)
    lines = []
    for part in parts:
        bar = ("░" if part.queued else "█") * max(1, round(40 * part.share / longest))
        name = _("wait: {place}", place=_(part.name)) if part.queued else _(part.name)
        lines.append(f"  {padded(name, 30)} {format_seconds(part.seconds):>9} {part.share:>4.0%}  {bar}")
    return "\n".join(lines)
