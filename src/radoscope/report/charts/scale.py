"""Scales: a value's place on an axis, and the round values at which the axis is marked."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Linear:
    """Values low..high -> places start..end (px)."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        span = self.high - self.low
        share = (value - self.low) / span if span else 0.5
        return self.start + share * (self.end - self.start)

    def ticks(self, about: int = 5) -> tuple[float, ...]:
        """Round values inside the scale, about as many as asked."""
        span = self.high - self.low
        if span <= 0 or not math.isfinite(span):
            return (self.low,)
        step = round_step(span / about)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return tuple(index * step for index in range(first, last + 1))


@dataclass(frozen=True, slots=True)
class Log:
    """Positive values low..high -> places start..end (px), equal ratios at equal distances."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        value = min(max(value, self.low), self.high)
        share = math.log(value / self.low) / math.log(self.high / self.low) if self.high > self.low else 0.5
        return self.start + share * (self.end - self.start)

    def ticks(self) -> tuple[float, ...]:
        """1, 2, 5 of each decade inside the scale, or only its powers of ten where that would be too many."""
        decades = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        wide = math.log10(self.high / self.low) > 2.5
        values = (digit * 10.0**decade for decade in decades for digit in ((1,) if wide else (1, 2, 5)))
        return tuple(v for v in values if self.low * 0.999 <= v <= self.high * 1.001)


def round_step(rough: float) -> float:
    """The next larger of 1, 2, 5 times a power of ten."""
    magnitude = 10.0 ** math.floor(math.log10(rough))
    return next(factor * magnitude for factor in (1, 2, 5, 10) if factor * magnitude >= rough * 0.999)


def round_up(value: float) -> float:
    """A round value a little above, as the end of an axis that starts at 0; 1 for nothing."""
    if value <= 0 or not math.isfinite(value):
        return 1.0
    step = round_step(value / 10)
    return math.ceil(value / step - 1e-9) * step


def tick_text(value: float) -> str:
    """An axis' number: 0.02, 2.5, 1,500; never an exponent."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.6f}".rstrip("0").rstrip(".")
