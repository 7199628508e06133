"""Decimal points under each other: each figure of a column with the digits that it lacks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from radoscope.report.numbers import DASH, Figure


@dataclass(frozen=True, slots=True)
class Aligned:
    """A figure and its ghost: the missing end of the number, drawn invisibly so that points line up."""

    figure: Figure
    ghost: str


def align_columns(rows: Sequence[Sequence[Figure]]) -> tuple[tuple[Aligned, ...], ...]:
    """Rows of figures -> the same rows, each column aligned for itself."""
    if not rows:
        return ()
    widths = [max(_decimals(row[column].text) for row in rows) for column in range(len(rows[0]))]
    return tuple(tuple(Aligned(f, _ghost(f.text, width)) for f, width in zip(row, widths, strict=True)) for row in rows)


def _decimals(text: str) -> int:
    return len(text.partition(".")[2])


def _ghost(text: str, width: int) -> str:
    if text == DASH or not width:
        return ""
    own = _decimals(text)
    return "0" * (width - own) if own else "." + "0" * width
