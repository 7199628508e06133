"""Tables of AsciiDoc, whose cells may stand in lines of their own, as rows with bars."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from radoscope import patterns as re
from radoscope.archives.spanned import Spanned

_EDGE = re.compile(r"(?P<mark>[|,:])={3,}\s*")
_ATTRIBUTES = re.compile(r"\[(?=[^\]]*(?:cols|options|opts|format|separator|width|grid|frame|%))[^\]\n]{0,200}\]\s*")
_COLUMNS = re.compile(r"cols ?= ?(?:\"(?P<quoted>[^\"]*)\"|'(?P<single>[^']*)'|(?P<plain>[^,\]\s]+))")
_SEVERAL = re.compile(r"\s*(\d{1,2})\*")
_FORMAT = re.compile(r"(?:format ?= ?|^\[)\"?(?P<name>csv|tsv|dsv)\b")
_SEPARATOR = re.compile(r"separator ?= ?\"?(?P<mark>[^\",\]\s])")
_SEPARATORS = {"csv": ",", "tsv": "\t", "dsv": ":"}
_SPECIFIED = (
    r"(?:(?<!\S)(?:(?P<columns>\d{1,2})?(?:\.(?P<rows>\d{1,2}))?(?P<how>[+*]))?[<^>]?(?:\.[<^>])?[adehlmsv]?)?"
    r"(?<!\\)"
)
"""What stands in front of a cell: "2+|" reaches over two columns, ".2+|" over two rows, "3*|" is three cells."""
_HEADING = re.compile(r"(?P<rank>={1,6}) (?=\S)(?!.*=\s*$)")
_TITLE = re.compile(r"\.(?=[^\s.])")
_LONGEST_TABLE = 20_000

_Numbered = tuple[int, str]


class _Cell(NamedTuple):
    number: int
    text: str
    columns: int = 1
    rows: int = 1
    is_first: bool = False
    """A blank line stands above it."""


def rows_of_asciidoc(numbered: Iterable[_Numbered]) -> Iterator[_Numbered]:
    """The lines, with a row of bars for each row of a table; of a page without such tables as they are."""
    lines = list(numbered)
    if not any(_EDGE.fullmatch(line) for _, line in lines):
        yield from lines
        return
    at = 0
    for first, edge, end in _tables(lines):
        yield from _outside(lines[at:first])
        said = " ".join(line for _, line in lines[first:edge] if _ATTRIBUTES.fullmatch(line))
        yield from (_plain(each) for each in lines[first:edge] if not _ATTRIBUTES.fullmatch(each[1]))
        yield from _rows(lines[edge + 1 : end], said, lines[edge][1][0])
        yield from ((number, "") for number, _ in lines[end : end + 1])
        at = end + 1
    yield from _outside(lines[at:])


def _outside(lines: Sequence[_Numbered]) -> Iterator[_Numbered]:
    """Without the edge of a table whose beginning was not copied: a rule below heads has a row below it."""
    for at, (number, line) in enumerate(lines):
        is_end = _EDGE.fullmatch(line) and not any("|" in below for _, below in lines[at + 1 : at + 2])
        yield (number, "") if is_end else _plain((number, line))


def _plain(numbered: _Numbered) -> _Numbered:
    """A heading or a title with the marks that all pages have."""
    number, line = numbered
    if match := _HEADING.match(line):
        return number, f"{'#' * len(match['rank'])} {line[match.end() :]}"
    return number, _TITLE.sub("", line, count=1) if _TITLE.match(line) else line


def _tables(lines: Sequence[_Numbered]) -> Iterator[tuple[int, int, int]]:
    """Where the lines that belong to a table begin, and its two edges."""
    before, edge = -1, None
    for at in (at for at, (_, line) in enumerate(lines) if _EDGE.fullmatch(line)):
        if edge is None or at - edge > _LONGEST_TABLE:
            is_rule = at - 1 > before and lines[at - 1][1].lstrip().startswith("|")  # below heads, in other tables
            edge = None if is_rule else at
        elif lines[at][1].strip() == lines[edge][1].strip():
            yield _above(lines, edge, before), edge, at
            before, edge = at, None
    if edge is not None and (end := _end_of_cut(lines, edge)) > edge + 1:
        yield _above(lines, edge, before), edge, end


def _end_of_cut(lines: Sequence[_Numbered], edge: int) -> int:
    """Behind the last cell of a table whose closing edge was not copied: text apart from its cells is none of it."""
    end, is_apart = edge + 1, True
    for at in range(edge + 1, len(lines)):
        line = lines[at][1]
        if not line.strip():
            is_apart = True
        elif "|" not in line and is_apart:
            break
        else:
            end, is_apart = at + 1, False
    return end


def _above(lines: Sequence[_Numbered], edge: int, before: int) -> int:
    """Where the attributes and the title of a table begin."""
    first = edge
    while first - 1 > before and _is_above(lines[first - 1][1]):
        first -= 1
    return first


def _is_above(line: str) -> bool:
    return (_ATTRIBUTES.fullmatch(line) or _TITLE.match(line)) is not None


def _rows(lines: Sequence[_Numbered], said: str, mark: str) -> Iterator[_Numbered]:
    named = _FORMAT.search(said)
    own = _SEPARATOR.search(said)
    separator = own["mark"] if own else _SEPARATORS[named["name"]] if named else mark
    if named or mark != "|":
        yield from _separated(lines, separator)
        return
    cells = list(_cells(lines, separator))
    width = _width(said, cells)
    row, spanned, first = list[str](), Spanned(), 0
    for cell in cells:
        first = first if row else cell.number
        row += spanned.taken()
        row += [cell.text] * cell.columns
        spanned.add(cell.text, cell.columns, cell.rows)
        row += spanned.taken()
        if len(row) >= width:
            yield first, _bars(row)
            row, spanned.place = [], 0
    if row:
        yield first, _bars(row)


def _separated(lines: Sequence[_Numbered], separator: str) -> Iterator[_Numbered]:
    """Rows of CSV and the like, one a line."""
    for number, line in lines:
        if len(line) > csv.field_size_limit():
            yield number, line
            continue
        cells = next(csv.reader([line], delimiter=separator, skipinitialspace=True), [])
        yield number, _bars([cell.strip() for cell in cells]) if cells else ""


def _bars(row: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', '/') for cell in row)} |"


def _cells(lines: Sequence[_Numbered], separator: str) -> Iterator[_Cell]:
    """Each with the lines below it that go on with it."""
    specified = re.compile(_SPECIFIED + re.escape(separator))
    held: list[_Cell] = []
    below: list[str] = []
    is_first = True
    for number, line in lines:
        if not line.strip():
            is_first = True
            continue
        found = list(specified.finditer(line))
        below.append(line[: found[0].start()] if found else line)
        ends = [*(each.start() for each in found), len(line)][1:]
        for match, end in zip(found, ends, strict=False):
            yield from (_with_lines(cell, below) for cell in held)
            count, is_copied = int(match["columns"] or 1), match["how"] == "*"
            spans = (1, 1) if is_copied else (count, int(match["rows"] or 1))
            cell = _Cell(number, line[match.end() : end].replace(f"\\{separator}", separator).strip(), *spans, is_first)
            held, below, is_first = [cell] * (count if is_copied else 1), [], False
    yield from (_with_lines(cell, below) for cell in held)


def _with_lines(cell: _Cell, below: Sequence[str]) -> _Cell:
    return cell._replace(text=" ".join(filter(None, map(str.strip, (cell.text, *below)))))


def _width(said: str, cells: Sequence[_Cell]) -> int:
    """How many columns the attributes or the first line of cells name; of cells a line, as many as blank lines part."""
    if match := _COLUMNS.search(said):
        columns = match["quoted"] or match["single"] or match["plain"] or ""
        return sum(
            int(each[1]) if (each := _SEVERAL.match(column)) else 1
            for column in re.split("[,;]", columns)
            if column.strip()
        )
    line = [cell.columns for cell in cells if cell.number == cells[0].number]
    firsts = [at for at, cell in enumerate(cells) if cell.is_first]
    parts = {end - first for first, end in zip(firsts, [*firsts[1:], len(cells)], strict=True)}
    return parts.pop() if len(line) == 1 and len(parts) == 1 and len(firsts) > 1 else max(1, sum(line))
