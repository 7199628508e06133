"""Cells of tables that reach over columns and rows."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Spanned:
    """The cells that reach into the rows below them: place -> rows still taken, and their text."""

    lower: dict[int, tuple[int, str]] = field(default_factory=dict)
    place: int = 0

    def taken(self) -> list[str]:
        """The cells of rows above that stand at the next places of this one."""
        cells = []
        while (held := self.lower.get(self.place, (0, "")))[0]:
            self.lower[self.place] = held[0] - 1, held[1]
            cells.append(held[1])
            self.place += 1
        return cells

    def add(self, cell: str, columns: int, rows: int) -> None:
        """Places a cell behind the one before it."""
        if rows > 1:
            self.lower |= dict.fromkeys(range(self.place, self.place + columns), (rows - 1, cell))
        self.place += columns
