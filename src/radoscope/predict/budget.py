"""Where each microsecond of one operation goes: the value that the terminal and the report draw."""

from __future__ import annotations

from dataclasses import dataclass

from radoscope.predict.forecast import Forecast
from radoscope.units import format_seconds

NEGLIGIBLE = 0.005


@dataclass(frozen=True, slots=True)
class Part:
    """seconds of one operation spent in a layer, or waiting before it (`queued`); share of the whole latency."""

    name: str
    seconds: float
    share: float
    queued: bool


@dataclass(frozen=True, slots=True)
class Budget:
    """The parts in the order in which an operation meets them; they sum to latency_s."""

    parts: tuple[Part, ...]
    latency_s: float


def budget(seen: Forecast) -> Budget:
    """The budget of a forecast; parts below half a percent are added up as "rest"."""
    parts, rest = [], 0.0
    for name, seconds in seen.budget_s.items():
        share = seconds / seen.latency_s
        if share < NEGLIGIBLE:
            rest += seconds
            continue
        parts.append(Part(name.removeprefix("queue: "), seconds, share, name.startswith("queue: ")))
    if rest > 0:
        parts.append(Part("rest", rest, rest / seen.latency_s, False))
    return Budget(tuple(parts), seen.latency_s)


def draw_bars(drawn: Budget, width: int = 40) -> str:
    """The budget as text, one bar a part; waiting is drawn lighter than work."""
    longest = max(part.share for part in drawn.parts)
    lines = []
    for part in drawn.parts:
        bar = ("░" if part.queued else "█") * max(1, round(width * part.share / longest))
        name = f"wait: {part.name}" if part.queued else part.name
        lines.append(f"  {name:<30} {format_seconds(part.seconds):>9} {part.share:>4.0%}  {bar}")
    return "\n".join(lines)
