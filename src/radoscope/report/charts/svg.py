"""Building SVG: elements whose texts and attributes are always escaped; scales and axes that every chart has."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from markupsafe import Markup, escape

CHARACTER_PX = 7.0
"""Width of an average character of 13 px, to keep room for a label; browsers differ by a tenth."""


def element(tag: str, *children: str, **attributes: str | float | None) -> Markup:
    """One element. Children that are plain text, and all attributes, are escaped; None leaves an attribute out.

    Attribute names: a trailing underscore falls away (class_), other underscores become hyphens (stroke_width).
    """
    written = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(_text(value))}"'
        for name, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{tag}{written}>{join(*children)}</{tag}>")


def join(*parts: str) -> Markup:
    return Markup("").join(escape(part) for part in parts)


def chart(width: float, height: float, label: str, *children: str, kind: str = "") -> Markup:
    """The outermost element: scales with its place and reads as one picture to a screen reader."""
    return element(
        "svg",
        *children,
        class_=f"chart {kind}".strip(),
        viewBox=f"0 0 {width:g} {height:g}",
        role="img",
        aria_label=label,
    )


def text(x: float, y: float, content: str, *, anchor: str = "start", class_: str | None = None) -> Markup:
    return element("text", content, x=x, y=y, text_anchor=None if anchor == "start" else anchor, class_=class_)


def centred(x: float, y: float, content: str, class_: str) -> Markup:
    return text(x, y, content, anchor="middle", class_=class_)


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def path(points: list[tuple[float, float]], class_: str) -> Markup:
    """A line through points; nothing for fewer than two."""
    if len(points) < 2:
        return Markup("")
    steps = "L".join(f"{_text(x)},{_text(y)}" for x, y in points)
    return element("path", d=f"M{steps}", class_=class_)


def with_tip(tip: str, *children: str, class_: str | None = None) -> Markup:
    """Children with a tooltip: the <title> works without a script as well."""
    return element("g", element("title", tip), *children, class_=class_)


def error_bar(
    ends: tuple[float, float] | None, scale: Linear | Log, at: float, *, vertical: bool, cap: float = 4.0
) -> Markup:
    """An interval as a whisker, from 0 at most; nothing where there is none."""
    if ends is None:
        return Markup("")
    low, high = scale.at(max(ends[0], 0.0)), scale.at(ends[1])
    if vertical:
        caps = [line(at - cap, y, at + cap, y, "whisker") for y in (low, high)]
        return join(line(at, low, at, high, "whisker"), *caps)
    caps = [line(x, at - cap, x, at + cap, "whisker") for x in (low, high)]
    return join(line(low, at, high, at, "whisker"), *caps)


def spread_labels(wanted: list[float], gap: float, low: float, high: float) -> list[float]:
    """Positions near the wanted ones, at least `gap` apart, inside [low, high] where they fit; order is kept."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    placed = [0.0] * len(wanted)
    previous = low - gap
    for index in order:
        previous = placed[index] = max(wanted[index], previous + gap)
    following = high + gap
    for index in reversed(order):
        following = placed[index] = min(placed[index], following - gap)
    return placed


def _text(value: str | float) -> str:
    if isinstance(value, str):
        return value
    return f"{value:.1f}".rstrip("0").rstrip(".") if value else "0"


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


UNIT_PX = 34.0
"""How far the unit stands from the end of its axis: half a long number, and a blank."""


def axis_beneath(scale: Linear, top: float, bottom: float, unit: str) -> Markup:
    """A horizontal axis with its grid lines; the unit stands to the right of it."""
    parts = []
    for tick in scale.ticks(5):
        x = scale.at(tick)
        parts.append(line(x, top, x, bottom, "grid"))
        parts.append(centred(x, bottom + 16, tick_text(tick), "tick"))
    parts.append(text(scale.end + UNIT_PX, bottom + 16, unit, class_="tick"))
    return join(*parts)


def axis_beside(
    scale: Linear | Log,
    ticks: Iterable[float],
    left: float,
    right: float,
    *,
    write: Callable[[float], str] = tick_text,
    gap: float = 7.0,
) -> Markup:
    """A vertical axis: a grid line from left to right at each tick, its number `gap` px before it."""
    parts = []
    for tick in ticks:
        y = scale.at(tick)
        parts.append(line(left, y, right, y, "grid"))
        parts.append(text(left - gap, y + 4, write(tick), anchor="end", class_="tick"))
    return join(*parts)
