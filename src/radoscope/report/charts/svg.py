"""Building SVG: elements whose texts and attributes are always escaped, and the parts that every chart has."""

from __future__ import annotations

from markupsafe import Markup, escape

FONT_PX = 13.0
CHARACTER_PX = 7.0
"""Width of an average character at FONT_PX, to keep room for a label; browsers differ by a tenth."""


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


def error_bar(low: float, high: float, at: float, *, vertical: bool, cap: float = 4.0) -> Markup:
    """An interval as a whisker; low and high are positions in px."""
    if vertical:
        ends = [line(at - cap, y, at + cap, y, "whisker") for y in (low, high)]
        return join(line(at, low, at, high, "whisker"), *ends)
    ends = [line(x, at - cap, x, at + cap, "whisker") for x in (low, high)]
    return join(line(low, at, high, at, "whisker"), *ends)


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
