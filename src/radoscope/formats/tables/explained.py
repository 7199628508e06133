"""Names that a page explains, in a table or a list above its results: "seq_write | 60 x 1 MB | how fast it writes"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice

from radoscope.formats.grammar.phrases import Load, heading_of, is_range_of_rates, size_of
from radoscope.formats.tables.grid import hints
from radoscope.formats.tables.layout import Body, Table, is_plain_value

_LONGEST_LINE, _LONGEST_NAME = 300, 40
_MOST_LINES = 2000
"""Rows and items of a page that are asked: nobody explains more names."""
_ITEM = re.compile(
    r"\s{0,8}(?:[-*•+]|\d{1,2}[.)])\s+[`*_]{0,2}(?P<name>[^\W\d][\w. /-]{1,40}?)[`*_]{0,2}\s?"
    r"(?:[:：=]|[–—-]\s)\s*(?P<told>\S.*)"
)
_PIECES = re.compile(r"(?<![\w.,])\d{1,7} ?[x×*] ?(?P<size>\d{1,5} ?(?:[KMКМkmкм][iи]?[BbБб]?)|\d{3,8} ?B)(?![\w/])")
""" "60 × 1 MB": as many pieces, an I/O each."""


def explained_loads(lines: Sequence[str]) -> Mapping[str, Load]:
    """What each name stands for: of a row or an item without a result that tells a size and a direction. A name that is
    explained in two ways is not."""
    found: dict[str, Load] = {}
    for line in islice((line for line in lines if len(line) <= _LONGEST_LINE and _may_explain(line)), _MOST_LINES):
        name, told = _parts_of(line)
        load = _load_of([name, *told]) if name and len(name) <= _LONGEST_NAME else Load()
        if load.block_bytes and load.way:
            found[name] = load if found.get(name, load) == load else Load()
    return {name: load for name, load in found.items() if load != Load()}


def with_explained(table: Table, loads: Mapping[str, Load]) -> Table:
    """With what such names of its rows stand for."""
    return replace(table, rows=tuple(_explained(row, loads) for row in table.rows)) if loads else table


def _explained(row: Body, loads: Mapping[str, Load]) -> Body:
    named = [loads[name] for cell in row.row.cells if (name := _plain(cell)) in loads]
    return replace(row, load=row.load.over(named[0])) if len(named) == 1 else row


def _may_explain(line: str) -> bool:
    return line.count("|") > 1 or _ITEM.match(line) is not None


def _parts_of(line: str) -> tuple[str, list[str]]:
    """A name, and what is told of it."""
    if line.count("|") > 1:
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        is_told = not any(map(is_plain_value, cells)) and len(cells) > 1
        return (_plain(cells[0]), cells[1:]) if is_told else ("", [])
    item = _ITEM.match(line)
    return (_plain(item["name"]), [item["told"]]) if item and not hints(item["told"]) else ("", [])


def _plain(cell: str) -> str:
    return cell.strip(" `*_").lower()


def _load_of(texts: Sequence[str]) -> Load:
    """The first of them that tells something of a load tells it."""
    load = Load()
    for text in texts:
        phrase, pieces = heading_of(text), _PIECES.search(text)
        if phrase.names_values or (phrase.quantities and phrase.values(False)):
            return Load()
        if any(map(is_range_of_rates, phrase.tokens)):
            return Load()  # "2763 → 3816 IOPS" is a result
        load = load.over(
            phrase.load._replace(block_bytes=size_of(pieces["size"]) if pieces else phrase.load.block_bytes)
        )
    return load
