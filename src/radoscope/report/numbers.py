"""Numbers as a report shows them: the value, its spread and, in a tooltip, the details."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from radoscope.stats.values import Estimate, Undecided
from radoscope.words import _, joined

DASH = "–"
MINUS = "−"
NO_SPREAD = "±?"


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of a table.

    text: the number; spread: "±3.1 %" or ""; note: interval, method, or why there is none. ghost: the end that the
    number lacks beside others of its column, drawn invisibly so that decimal points line up.
    """

    text: str = DASH
    spread: str = ""
    note: str = ""
    ghost: str = ""

    @property
    def known(self) -> bool:
        return self.text != DASH

    @property
    def plain(self) -> str:
        """For places without tooltips: "656 ±3.1 %"."""
        return f"{self.text} {self.spread}".strip()

    @property
    def with_spread(self) -> str:
        """For a sentence: the spread where there is one, and no question mark where there is none."""
        return self.text if self.spread == NO_SPREAD else self.plain


def significant(value: float, places: int = 4) -> str:
    """Three significant digits, thousands marked, never an exponent; at most `places` decimals: 0.718, 15.9, 1,240."""
    if not math.isfinite(value):
        return DASH
    if value == 0:
        return "0"
    decimals = min(places, max(0, 2 - math.floor(math.log10(abs(value)))))
    return f"{value:,.{decimals}f}".replace("-", MINUS)


def iops(value: float) -> str:
    """I/Os per second: 656, 12,300, 4.25."""
    return significant(value)


def megabytes(bytes_per_s: float) -> str:
    """Bytes/s -> MB/s (10^6)."""
    return significant(bytes_per_s / 1e6)


def milliseconds(seconds: float) -> str:
    """Seconds -> ms."""
    return significant(seconds * 1e3)


def percent(share: float) -> str:
    """0.0312 -> "3.1 %"; from 10 % on without decimals."""
    value = share * 100
    return f"{value:.0f} %" if abs(value) >= 9.95 else f"{value:.1f} %"


def figure(estimate: Estimate | Undecided | None, show: Callable[[float], str], unit: str) -> Figure:
    """An estimate with its spread; without an interval the spread is "±?" and the note says why."""
    if estimate is None:
        return Figure()
    if isinstance(estimate, Undecided):
        return Figure(note=undecided_words(estimate))
    if not math.isfinite(estimate.value):
        return Figure(note=_("the tool gave no finite number"))
    return Figure(show(estimate.value), _spread(estimate), _note(estimate, show, unit))


def plain_figure(value: float | None, show: Callable[[float], str]) -> Figure:
    """A number that has no interval by its nature, such as a minimum."""
    return Figure() if value is None else Figure(show(value))


def align_columns(rows: Sequence[Sequence[Figure]]) -> tuple[tuple[Figure, ...], ...]:
    """Rows of figures -> the same rows, each column with the ghosts that align it."""
    if not rows:
        return ()
    widths = [max(_decimals(row[column].text) for row in rows) for column in range(len(rows[0]))]
    return tuple(
        tuple(replace(shown, ghost=_ghost(shown.text, width)) for shown, width in zip(row, widths, strict=True))
        for row in rows
    )


def _decimals(text: str) -> int:
    return len(text.partition(".")[2])


def _ghost(text: str, width: int) -> str:
    if text == DASH or not width:
        return ""
    own = _decimals(text)
    return "0" * (width - own) if own else "." + "0" * width


def undecided_words(undecided: Undecided) -> str:
    return (
        _("{because}; needs {needs}", because=undecided.because, needs=undecided.needs)
        if undecided.needs
        else undecided.because
    )


def _spread(estimate: Estimate) -> str:
    relative = estimate.relative_half_width
    if relative is None:
        return NO_SPREAD if isinstance(estimate.interval, Undecided) else ""
    if relative >= 1:
        return "±>100 %"
    return f"±{percent(relative)}"


def _note(estimate: Estimate, show: Callable[[float], str], unit: str) -> str:
    if isinstance(estimate.interval, Undecided):
        return _("no interval: {why}", why=undecided_words(estimate.interval))
    low, high = show(estimate.interval.low), show(estimate.interval.high)
    parts = [
        _(
            "{low} to {high} {unit}, {confidence:.0%} confidence",
            low=low,
            high=high,
            unit=unit,
            confidence=estimate.interval.confidence,
        )
    ]
    if estimate.samples > 1:
        parts.append(_("{samples} observations", samples=estimate.samples))
    if estimate.method:
        parts.append(estimate.method)
    return joined(parts)
