"""Tables whose columns stand below each other, parted by blanks -> grids."""

from __future__ import annotations

import sys
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from radoscope import patterns as re
from radoscope.formats.tables.grid import CELL, LONGEST_PAIRS, MOST_ROWS, RULE, Grid, Row, is_value

_MOST_HEADS = 3
_RULED, _SPANNED_RULE = re.compile(r"[-=]{3,}"), re.compile(r"\s*[-=]{3,}(?: +[-=]{3,}){1,20}\s*")
_FEWEST_BELOW = 2
_NAMED_VALUE = re.compile(r"(?P<label>[^:：]{1,60}[:：]) (?P<value>\S.{0,40})")
""" "Zoned emulation: 269 MB/s" below "Regular:         307 MB/s"."""
_UNIT_APART = re.compile(
    r"(?<!\S)(?P<number>\d[\d.,]{0,12})(?P<gap> {1,3}) (?P<unit>[KMG]i?B/s|[kK]|[muµ]s|IOPS)(?!\S)"
)
""" "850  MiB/s" below "1704 MiB/s": a number that is shorter than those it stands below, and its unit."""


class _Span(NamedTuple):
    """A cell of a line: where it begins and ends as shown, and its text."""

    start: int
    end: int
    text: str


def _spans(line: str) -> tuple[_Span, ...]:
    """The cells of a line, parted by two blanks or more."""
    shown = _UNIT_APART.sub(r"\g<gap>\g<number> \g<unit>", _shown(line).rstrip())
    return tuple(_Span(match.start(), match.end(), match[0].replace("\0", "")) for match in CELL.finditer(shown))


def _shown(line: str) -> str:
    """As wide as it is shown: wide characters are two, tabs go to the next eighth place."""
    if line.isascii():
        return line.expandtabs(8)
    return "".join(
        letter + "\0" if unicodedata.east_asian_width(letter) in "WF" else letter for letter in line
    ).expandtabs(8)


def collect_columns(lines: Sequence[str], first: int) -> Grid | None:
    """Columns parted by blanks: cells that stand below each other are a column, and heads belong to what is below."""
    block: list[tuple[int, tuple[_Span, ...]]] = []
    has_values, above = False, 0
    for at, line in rows_below(lines, first - 1):
        cells = _in_place(_spans(line), block[-1][1]) if block else _spans(line)
        is_named = bool(block) and block[-1][1][0].text.endswith((":", "：")) and any(map(_names_value, cells))
        is_more = line.startswith("-") or is_named
        if len(line) > LONGEST_PAIRS or (len(cells) < 2 and not (block and is_more)):
            break
        if has_values and len(cells) > 1 and not _holds_values(cells):
            break  # heads again, as below each other in what watches a machine: nobody looks behind them twice
        has_values = has_values or _holds_values(cells)
        above += not has_values and len(cells) > 1
        block.append((at, cells))
        if not has_values and above == _MOST_HEADS + 1 and not _may_hold_values(block):
            return None  # more heads than a table has, as on a page whose numbers are garbled
    block = _with_parted_labels(block)
    heads = next((at for at, (_, cells) in enumerate(block) if _holds_values(cells)), None)
    while heads and len(block[heads - 1][1]) == 1:
        heads -= 1  # a lone label heads the first section
    if heads is None or heads > _MOST_HEADS or (heads and len(block[heads - 1][1]) < 2):
        return None
    body = list(_body_of(block[heads:]))
    if heads == 1 and all(len(cells) == len(block[0][1]) for _, cells in body):  # whole rows, which may be out of place
        whole = [Row(at, tuple(cell.text for cell in cells)) for at, cells in body]
        return grid_of_blanks(first, tuple(cell.text for cell in block[0][1]), whole)
    columns = _columns_of([cells for _, cells in body if len(cells) > 1])
    if columns is None or len(body) < (1 if heads else 2):
        return None
    texts = [_placed(cells, columns, body, at == heads - 1) for at, (_, cells) in enumerate(block[:heads])]
    if any(row is None for row in texts):
        return None
    rows = [Row(at, row) for (at, _), row in zip(block, texts, strict=False) if row is not None]
    rows += [Row(at, _in_columns(cells, columns)) for at, cells in body]
    return Grid(first, rows[-1].line + 1, tuple(rows), "blanks", heads=heads)


def collect_ruled(lines: Sequence[str], first: int) -> Grid | None:
    """Several cells below each head, as the rule between them shows, whose parts are as wide as what a head is of."""
    rule = lines[first + 1] if first + 1 < len(lines) else ""
    starts = [match.start() for match in _RULED.finditer(rule)] if _SPANNED_RULE.fullmatch(rule) else []
    heads = _spans(lines[first]) if starts else ()
    places = [bisect_right(starts, head.start) for head in heads]
    if not starts or places != list(range(1, len(starts) + 1)):
        return None
    rows: list[Row] = []
    counts: list[int] = []
    for at, line in rows_below(lines, first + 1):
        cells = _spans(line)
        places = [bisect_right(starts, cell.start) for cell in cells]
        own = [places.count(place) for place in range(1, len(starts) + 1)]
        if not _holds_values(cells) or (counts and own != counts):
            break
        counts = own
        rows.append(Row(at, tuple(cell.text for cell in cells)))
    if not rows or counts[0] != 1 or counts[1] < _FEWEST_BELOW or len(set(counts[1:])) > 1:
        return None
    texts = (heads[0].text, *(head.text for head in heads[1:] for _ in range(counts[1])))
    return Grid(first, rows[-1].line + 1, (Row(first, texts), *rows), "blanks", heads=1)


def collect_below_rule(lines: Sequence[str], first: int) -> Grid | None:
    """Cells that end where the parts of the rule below the heads do, though but one blank parts a long label from its
    number; a line that holds nothing but a label heads a section."""
    rule = lines[first + 1] if first + 1 < len(lines) else ""
    parts = [match.span() for match in _RULED.finditer(rule)] if _SPANNED_RULE.fullmatch(rule) else []
    heads = _cut_at(lines[first], parts) if len(parts) > _FEWEST_BELOW else ()
    if not heads or not all(heads):
        return None
    rows: list[Row] = []
    for at, line in rows_below(lines, first + 1):
        cells = _cut_at(line, parts) or _behind_long_label(line, parts)
        if not cells or not cells[0]:
            break
        rows.append(Row(at, cells))
    while rows and not all(map(is_value, rows[-1].cells[1:])):
        rows.pop()
    return Grid(first, rows[-1].line + 1, (Row(first, heads), *rows), "blanks", heads=1) if rows else None


def _cut_at(line: str, parts: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    """The cells of a line within these places; () where one reaches over their ends."""
    text = _shown(line.rstrip())
    gaps = (text[end:start] for (_, end), (start, _) in pairwise([*parts, (len(text), 0)]))
    if len(line) > LONGEST_PAIRS or any(map(str.strip, gaps)):
        return ()
    return tuple(text[start:end].replace("\0", "").strip() for start, end in parts)


def _behind_long_label(line: str, parts: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    """The cells of a line whose label reaches over its place, so that the values may have moved out of theirs."""
    words = [match.span() for match in re.finditer(r"\S+", line[:LONGEST_PAIRS])][1 - len(parts) :]
    label, cells = line[: words[0][0]].strip() if words else "", [line[start:end] for start, end in words]
    are_in_place = all(s >= f and e <= t for (s, e), (f, t) in zip(words, parts[1:], strict=False))
    is_too_long = len(label) > parts[0][1] and all(map(is_value, cells))
    return (label, *cells) if line.isascii() and len(words) == len(parts) - 1 and (are_in_place or is_too_long) else ()


def _with_parted_labels(block: list[tuple[int, tuple[_Span, ...]]]) -> list[tuple[int, tuple[_Span, ...]]]:
    """A long label that stands one blank before its first number: the other rows have one cell more."""
    widest = max((len(cells) for _, cells in block), default=0)
    start = block[0][1][0].start if block else 0
    if start and all(_begins_within(cells[0], start) for _, cells in block[1:]):
        return [block[0], *((at, (*_parted_at(cells[0], start), *cells[1:])) for at, cells in block[1:])]
    parted = []
    for at, cells in block:
        first = cells[0]
        named = _names_value(first) if len(cells) == 1 < widest else None
        if named:
            middle = first.start + named.start("value")
            cells = (_Span(first.start, middle - 1, named["label"]), _Span(middle, first.end, named["value"]))
        label, _, value = first.text.rpartition(" ")
        if 2 < widest == len(cells) + 1 and label and not is_value(label) and is_value(value) and _holds_values(cells):
            middle = first.end - len(value)
            cells = (_Span(first.start, middle - 1, label), _Span(middle, first.end, value), *cells[1:])
        parted.append((at, cells))
    return parted


def _in_place(cells: tuple[_Span, ...], above: Sequence[_Span]) -> tuple[_Span, ...]:
    """A label that reaches into the next column moves what is behind it: each value stands where that above it does."""
    if not 1 <= len(cells) < len(above) > 2 or not all(is_value(cell.text) for cell in above[1:]):
        return cells
    words = " ".join(cell.text for cell in cells).split()
    if len(words) < len(above):
        return cells
    label, values = " ".join(words[: 1 - len(above)]), words[1 - len(above) :]
    if cells[0].start + len(label) <= above[1].start or is_value(label) or not all(map(is_value, values)):
        return cells
    moved = (_Span(own.start, own.end, value) for own, value in zip(above[1:], values, strict=True))
    return (_Span(cells[0].start, above[0].end, label), *moved)


def _names_value(cell: _Span) -> re.Match[str] | None:
    """ "Sequential Write: 1500318", where one blank is left of the gap below shorter names."""
    named = _NAMED_VALUE.fullmatch(cell.text)
    return named if named and is_value(named["value"]) else None


def _may_hold_values(block: list[tuple[int, tuple[_Span, ...]]]) -> bool:
    """Whether a row does where a long label is parted from its number."""
    return any(_holds_values(cells) for _, cells in _with_parted_labels(block))


def _begins_within(cell: _Span, start: int) -> bool:
    """A label, one blank, and a value that stands below the first head."""
    if not cell.start < start < cell.end or cell.text[start - cell.start - 1] != " ":
        return False
    label, value = _parted_at(cell, start)
    return not is_value(label.text) and is_value(value.text)


def _parted_at(cell: _Span, start: int) -> tuple[_Span, _Span]:
    label, value = cell.text[: start - cell.start], cell.text[start - cell.start :]
    return _Span(cell.start, start - 1, label.rstrip()), _Span(start, cell.end, value)


def _holds_values(cells: Sequence[_Span]) -> bool:
    values = sum(1 for cell in cells[1:] if is_value(cell.text))
    return values > 0 and 3 * values >= len(cells) - 1


def _body_of(block: Sequence[tuple[int, tuple[_Span, ...]]]) -> Iterator[tuple[int, tuple[_Span, ...]]]:
    """Rows up to the first that holds no value; a lone label between them heads a section."""
    held = None
    for at, cells in block:
        if len(cells) < 2:
            held = (at, cells)
        elif not _holds_values(cells):
            return
        else:
            if held is not None:
                yield held
            held = None
            yield at, cells


def _columns_of(rows: Sequence[Sequence[_Span]]) -> list[tuple[int, int]] | None:
    """Where the columns begin and end; None where a row has two cells in one of them."""
    columns: list[tuple[int, int]] = []
    for span in sorted((span for row in rows for span in row), key=lambda span: span.start):
        if columns and span.start < columns[-1][1]:
            columns[-1] = columns[-1][0], max(columns[-1][1], span.end)
        else:
            columns.append((span.start, span.end))
    for row in rows:
        places = [_column_of(span, columns) for span in row]
        if len(set(places)) < len(places) or (places[0] != 0 and len(row) < len(columns) - 1):
            return None
    return columns


def _column_of(span: _Span, columns: Sequence[tuple[int, int]]) -> int:
    """The column that a cell overlaps most, else the nearest."""
    at = bisect_right(columns, (span.start, sys.maxsize)) - 1
    if at >= 0 and span.end <= columns[at][1]:
        return at  # it lies within, as nearly every cell does
    gaps = [max(span.start, start) - min(span.end, end) for start, end in columns]
    return gaps.index(min(gaps))


def _in_columns(cells: Sequence[_Span], columns: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    texts = [""] * len(columns)
    for cell in cells:
        texts[_column_of(cell, columns)] = cell.text
    return tuple(texts)


def _placed(
    cells: Sequence[_Span],
    columns: Sequence[tuple[int, int]],
    body: Sequence[tuple[int, tuple[_Span, ...]]],
    is_lowest: bool,
) -> tuple[str, ...] | None:
    """A row of heads above its columns: the lowest names one each, one above it as many each. None: nobody can tell."""
    if not is_lowest and len(cells) == len(columns):
        return tuple(cell.text for cell in cells)  # units of their own stand below
    if not is_lowest:
        shown = [_in_columns(row, columns) for _, row in body if len(row) > 1]
        values = [at for at in range(1, len(columns)) if all(is_value(row[at]) for row in shown if row[at])]
        corner = [cells[0].text] if len(values) % len(cells) and _column_of(cells[0], columns) == 0 else []
        spanning = cells[len(corner) :]
        span, rest = divmod(len(values), len(spanning) or len(values) + 1)
        if rest or not span or values != list(range(values[0], len(columns))):
            return None
        labels = [*corner, *[""] * values[0]][: values[0]]
        return (*labels, *(cell.text for cell in spanning for _ in range(span)))
    if len(cells) == len(columns):
        return tuple(cell.text for cell in cells)
    texts = [""] * len(columns)
    for cell in cells:
        at = _column_of(cell, columns)
        below = [place for place, (start, end) in enumerate(columns) if start < cell.end and cell.start < end]
        if len(below) == len(cell.text.split()) > 1:
            for place, word in zip(below, cell.text.split(), strict=True):
                texts[place] = word
        elif len(below) > 1:
            return None
        elif texts[at] and cell is cells[-1] and cell.text.startswith("("):
            texts[0] = f"{texts[0]} {cell.text}"  # "(4k write IOPS)" behind the heads speaks for all
        elif texts[at]:
            return None
        else:
            texts[at] = cell.text
    return tuple(texts)


def rows_below(lines: Sequence[str], first: int) -> Iterator[tuple[int, str]]:
    blanks = rules = 0
    for at in range(first + 1, min(len(lines), first + MOST_ROWS)):
        line = lines[at]
        if not line.strip():
            blanks += 1
            if blanks > 1:
                return
            continue
        if RULE.fullmatch(line):
            rules += 1
            if rules > 3:
                return
            continue
        if len(line) > 400:
            return
        blanks = 0
        yield at, line


def by_places(lines: Sequence[str], first: int, head: str) -> Grid | None:
    """Cells that begin where the heads do, though but one blank parts some of them."""
    spans = _spans(lines[first])
    starts = [span.start for span in spans]
    if len(spans) < 3:
        return None
    rows: list[Row] = []
    for at, line in rows_below(lines, first):
        text = _shown(line)
        if any(text[start - 1 : start].strip() for start in starts[1:]):
            break
        cells = tuple(text[one:other].replace("\0", "").strip() for one, other in pairwise([*starts, len(text)]))
        if not all(cells) or not any(map(is_value, cells)) or any("  " in cell for cell in cells):
            break
        rows.append(Row(at, cells))
    return grid_of_blanks(first, tuple(span.text for span in spans), rows) if len(rows) > 1 else None


def grid_of_blanks(first: int, heads: tuple[str, ...], rows: list[Row]) -> Grid | None:
    """Rows that are as wide as their heads."""
    return Grid(first, rows[-1].line + 1, (Row(first, heads), *rows), "blanks", heads=1) if rows else None
