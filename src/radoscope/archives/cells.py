"""Tables of which a page kept one cell a line, each with the bar behind it:

|
RAID6 |
RAID10 |
write |
418233 |
702951 |
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise

from radoscope import patterns as re

_CELL = re.compile(r"\s*[^|]{0,60}?\s*\|\s*")
_NUMERIC = re.compile(r"[~≈<>]{0,2}\s?\d[\d.,' ]{0,15}(?:\s?[^\W\d]{0,4}(?:/s)?|\s?%)|[-–—]|n/?a", re.IGNORECASE)
_FEWEST_CELLS = 6


def with_rows(lines: Sequence[str], numbers: Sequence[int]) -> tuple[list[str], list[int]]:
    """The lines, with such cells in rows, and the number of each; a row has that of its first cell."""
    told: list[str] = []
    kept: list[int] = []
    for are_cells, run in groupby(range(len(lines)), lambda at: _is_cell(lines[at])):
        places = list(run)
        cells = [lines[at].strip().rstrip("|").strip() for at in places] if are_cells else []
        width = _width_of(cells) if len(cells) >= _FEWEST_CELLS else 0
        for first in range(0, len(places), width or 1):
            told.append(f"| {' | '.join(cells[first : first + width])} |" if width else lines[places[first]])
            kept.append(numbers[places[first]])
    return told, kept


def _is_cell(line: str) -> bool:
    return "|" in line and _CELL.fullmatch(line) is not None


def _width_of(cells: Sequence[str]) -> int:
    """How many cells a row has: a row of heads, then in each a label before as many numbers; 0 of what is no table."""
    labels = [at for at, cell in enumerate(cells) if not _NUMERIC.fullmatch(cell)]
    widths = {other - one for one, other in pairwise([*labels, len(cells)]) if other - one > 1}
    if len(widths) != 1:
        return 0
    width = widths.pop()
    heads = [at for at in labels if at < width]
    rows = range(width, len(cells), width)
    return width if len(heads) == width and labels[width:] == list(rows) and len(rows) > 0 else 0
