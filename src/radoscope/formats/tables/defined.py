"""Rows and columns of a table that have the names of loads which the page defines elsewhere."""

from __future__ import annotations

from dataclasses import replace

from radoscope.formats.context.definitions import Definitions, with_definition
from radoscope.formats.grammar.phrases import Load
from radoscope.formats.tables.heads import Head
from radoscope.formats.tables.layout import Body, Table


def with_defined(table: Table, definitions: Definitions, line: int) -> Table:
    """With what such names stand for. line: where the table begins."""
    if not definitions:
        return table
    corner = table.heads[0].text
    numbers = definitions.of_numbers([row.row.cells[0] for row in table.rows], line)

    def of_row(at: int, row: Body) -> Body:
        cells = enumerate(row.row.cells)
        named = (definitions.of_cell("" if place else corner, cell, line, table.above) for place, cell in cells)
        loads = {load for load in named if load != Load()} or {numbers[at] if numbers else Load()}
        if len(loads) != 1 or (load := loads.pop()) == Load():
            return row
        head = replace(row.head, load=with_definition(row.head.load, load))
        return replace(row, load=with_definition(row.load, load), head=head)

    def of_head(head: Head) -> Head:
        load = definitions.of_cell(corner, head.text, line, table.above)
        return replace(head, load=with_definition(head.load, load))

    heads = (table.heads[0], *map(of_head, table.heads[1:]))
    return replace(table, heads=heads, rows=tuple(of_row(at, row) for at, row in enumerate(table.rows)))
