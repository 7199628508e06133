"""Tables that a page has flattened: one blank between cells, or none at all -> grids, or rows of bars."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, pairwise, takewhile
from typing import NamedTuple

from radoscope import patterns as re
from radoscope.formats.grammar import vocabulary
from radoscope.formats.grammar.phrases import LATENCY, RATE, Load, Value, cell_of, heading_of
from radoscope.formats.tables.aligned import grid_of_blanks, rows_below
from radoscope.formats.tables.grid import LONGEST_PAIRS, UNIT, UNITED, Grid, Row, is_number
from radoscope.formats.tables.heads import read_head

_LONGEST_HEADS = 240
_MOST_LABEL_WORDS, _NEAR = 4, 4
_TAIL = re.compile(rf"\S.{{0,100}}?(?P<cells>(?: {UNITED.pattern}){{2,9}})\s*", re.IGNORECASE)
_WORD_OR_VALUE = rf"(?: (?:{UNITED.pattern}|[^\W\d_][\w-]{{0,30}}|[-–—?]|n/a))"
_ENDS_IN_UNIT = re.compile(r"(?:/s|IOPS|bps)\s*$", re.IGNORECASE)
_TOOL = re.compile(r"(?:hdparm|dd|fio|iozone|bonnie\+\+|ior|cdm|crystaldiskmark)", re.IGNORECASE)
"""In front of what it did, a head begins."""
_MIXED_CELL = re.compile(rf" [~≈]?\d[\d.,]*\s?(?:{UNIT}|%)(?!\S)", re.IGNORECASE)
_MIXED_ROW = re.compile(rf"(?P<label>[^\W\d].{{0,60}}?)(?P<cells>(?:{_MIXED_CELL.pattern}){{2,9}})\s*", re.IGNORECASE)
_FEWEST_MIXED, _MOST_NAMES = 2, 7
_BARE_OR_UNITED = re.compile(rf" (?:{UNITED.pattern}|[~≈]?\d[\d.,]*[kKM]?(?!\S))", re.IGNORECASE)
_QUANTITY_ROW = re.compile(
    rf"(?P<label>(?=.{{0,30}}?[^\W\d_]{{2}})\S.{{2,60}}?)(?P<cells>(?:{_BARE_OR_UNITED.pattern}){{2,6}})",
    re.IGNORECASE,
)
_MOST_HEAD_WORDS, _MOST_WAYS = 16, 16
_UNIT_ALONE = re.compile(rf"[(\[]?(?:{UNIT}|{vocabulary.TIME_UNIT}|{RATE})[)\]]?", re.IGNORECASE)
_GLUE = re.compile(r"(?:/s|IOPS)(?=\d)", re.IGNORECASE)
_GLUED_VALUE = rf"(?:[~≈]?\d[\d.,]*\s?{UNIT}(?![A-Za-z/]))"
_GLUED_ROW = re.compile(
    rf"(?P<label>[^|\t]{{0,60}}?(?P<end>[)\]]|[^\W\d_]{{1,40}}))(?P<cells>{_GLUED_VALUE}{{2,9}})\s*", re.IGNORECASE
)
_GLUED_CELL = re.compile(_GLUED_VALUE, re.IGNORECASE)
_FOUR_DIGITS = re.compile(r"[~≈]?\d{1,3}[.,]?\d{3}(?!\d*[.,]\d{1,2}\D)")
"""Of which the first may be the label's last: "sda1" and "520", or "sda" and "1520"."""
_SHORTEST_WORD, _FEWEST_CERTAIN, _AS_OTHERS = 4, 2, 2.0
"""Names as short as "sda" may have a digit; by how much the rows of a column differ at most."""
_GLUED_HEADS = re.compile(r"(?<=[^\W\d_A-Z)\]])(?=[A-Z])|(?<=[)\]])(?=[^\W\d_])")


class _GluedRow(NamedTuple):
    """cells: the label, and the values. is_certain: the label cannot end in a digit of the first value."""

    cells: tuple[str, ...]
    is_certain: bool


def without_glue(lines: Sequence[str]) -> Sequence[str]:
    """Rows whose cells nothing parts, "Pool A (ssd)1.1 GB/s88K IOPS", below heads of capital letters, "PoolSeq
    ReadRandom Read", as rows of bars: where a unit ends and a number begins, and where a word and another one do."""
    if not any("/s" in line or "IOPS" in line for line in lines):
        return lines
    rows = {at: row for at, line in enumerate(lines) if _GLUE.search(line) and (row := _glued_row(line))}
    found = list(lines)
    for at in rows:
        if at - 1 in rows or not at or len(lines[at - 1]) > _LONGEST_HEADS:
            continue
        heads = _GLUED_HEADS.split(lines[at - 1].strip())
        own = list(_rows_as_wide(rows, at, len(heads)))
        certain = [row.cells[1] for row in own if row.is_certain]
        if len(certain) >= _FEWEST_CERTAIN:
            whole = (row if row.is_certain else _with_first_as_others(row, certain) for row in own)
            found[at - 1 : at + len(own)] = [_barred(heads), *(_barred(row.cells) for row in whole)]
    return found


def _rows_as_wide(rows: Mapping[int, _GluedRow], at: int, width: int) -> Iterator[_GluedRow]:
    """From this line on, without a gap."""
    while at in rows and len(rows[at].cells) == width:
        yield rows[at]
        at += 1


def _barred(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _glued_row(line: str) -> _GluedRow | None:
    match = _GLUED_ROW.fullmatch(line) if len(line) <= LONGEST_PAIRS else None
    if match is None:
        return None
    is_word = len(match["end"]) >= _SHORTEST_WORD and not _FOUR_DIGITS.match(match["cells"])
    cells = (match["label"].strip(), *_GLUED_CELL.findall(match["cells"]))
    return _GluedRow(cells, match["end"] in (")", "]") or match["cells"][0] in "~≈" or is_word)


def _with_first_as_others(row: _GluedRow, others: Sequence[str]) -> _GluedRow:
    """ "our SAN830 MB/s" above and below 610 and 1400 MB/s: 30 is none of these. Where the number fits without its
    first digits, too, or does not fit at all, nobody knows it."""
    label, first, *cells = row.cells
    known = [value for cell in others for value in cell_of(cell).values(False)]
    digits = next(at for at, letter in enumerate(first) if not letter.isdecimal())
    fits = [_is_as(cell_of(first[at:]).values(False), known) for at in range(digits)]
    return row._replace(cells=(label, first if fits[:1] == [True] and not any(fits[1:]) else "", *cells))


def _is_as(values: Sequence[Value], known: Sequence[Value]) -> bool:
    """One value, of the same kind and about as large."""
    if len(values) != 1 or {each.kind for each in known} != {values[0].kind}:
        return False
    low, high = min(known, key=_size), max(known, key=_size)
    return low.value / _AS_OTHERS <= values[0].value <= high.value * _AS_OTHERS


def _size(value: Value) -> float:
    return value.value


def heads_quantities(lines: Sequence[str], at: int) -> bool:
    """One word for each column above two rows whose numbers have units: "Tunnel Throughput RTT CPU"."""
    below = lines[at + 1 : at + 1 + _FEWEST_MIXED]
    if len(lines[at]) > _LONGEST_HEADS or len(below) < _FEWEST_MIXED or not ("/s" in below[0] or "bps" in below[0]):
        return False
    rows = list(map(_mixed_cells, below))
    return all(rows) and max(map(len, rows)) == len(lines[at].split()) and _names_two(lines[at])


def _names_two(line: str) -> bool:
    quantities = [heading_of(word).quantities for word in line.split()[1:]]
    return sum(map(bool, quantities)) > 1


def _mixed_cells(line: str) -> tuple[str, ...]:
    """A label, and numbers each with its unit or in percent; () for any other line."""
    match = _MIXED_ROW.fullmatch(line) if len(line) <= LONGEST_PAIRS else None
    return (match["label"], *(cell.strip() for cell in _MIXED_CELL.findall(match["cells"]))) if match else ()


def by_quantities(lines: Sequence[str], first: int, head: str) -> Grid | None:
    """Such rows; where one lacks a cell, the units of those it has must tell which."""
    if not heads_quantities(lines, first):
        return None
    heads = tuple(head.split())
    found = [(at, _mixed_cells(line)) for at, line in rows_below(lines, first)]
    found = list(takewhile(lambda row: 1 < len(row[1]) <= len(heads), found))
    units = max((tuple(map(_unit_of, cells[1:])) for _, cells in found), key=len)
    rows = [Row(at, placed) for at, cells in found if (placed := _placed_by_units(cells, units))]
    is_whole = len(units) + 1 == len(heads) and len(rows) == len(found)
    return grid_of_blanks(first, heads, rows) if is_whole else None


def _placed_by_units(cells: Sequence[str], units: Sequence[str]) -> tuple[str, ...]:
    """The label and the cells, each in the column of its unit; () where they fit in several ways, or in none."""
    own = tuple(map(_unit_of, cells[1:]))
    fitting = [
        places for places in combinations(range(len(units)), len(own)) if tuple(units[at] for at in places) == own
    ]
    if len(fitting) != 1:
        return ()
    placed = dict(zip(fitting[0], cells[1:], strict=True))
    return (cells[0], *(placed.get(at, "") for at in range(len(units))))


def _unit_of(cell: str) -> str:
    return cell.lstrip("~≈0123456789., ").lower()[-3:]


def heads_rows_of_quantities(lines: Sequence[str], at: int) -> bool:
    """A label and a word for each thing that was measured, above two rows that are named after quantities: "Item old
    new" above "Random read IOPS 9,214 41,706"."""
    names = lines[at].split() if len(lines[at]) <= _LONGEST_HEADS else []
    if not _FEWEST_MIXED < len(names) <= _MOST_NAMES or any(is_number(name) or _names_load(name) for name in names):
        return False
    rows = [_row_of_quantity(line, len(names) - 1) for line in lines[at + 1 : at + 1 + _FEWEST_MIXED]]
    return len(rows) == _FEWEST_MIXED and all(rows)


def _names_load(word: str) -> bool:
    head = read_head(word)
    return bool(head.quantities or head.role) or head.load != Load()


def _row_of_quantity(line: str, count: int) -> tuple[str, ...]:
    """The label, which names a test and what was measured of it unless the cells have their unit, and so many cells; ()
    for any other line."""
    match = _QUANTITY_ROW.fullmatch(line.strip()) if len(line) <= LONGEST_PAIRS else None
    cells = [cell.strip() for cell in _BARE_OR_UNITED.findall(match["cells"])] if match else []
    if match is None or len(cells) != count:
        return ()
    label = read_head(match["label"])
    are_united = all(UNITED.fullmatch(cell) for cell in cells)
    is_told = len(label.quantities) == 1 or (are_united and bool(label.load.way or label.statistics))
    return (match["label"], *cells) if is_told and not label.role else ()


def by_rows_of_quantities(lines: Sequence[str], first: int, head: str) -> Grid | None:
    if not heads_rows_of_quantities(lines, first):
        return None
    heads = tuple(head.split())
    found = [(at, _row_of_quantity(line, len(heads) - 1)) for at, line in rows_below(lines, first)]
    return grid_of_blanks(first, heads, [Row(at, cells) for at, cells in takewhile(lambda row: bool(row[1]), found)])


def heads_tests(lines: Sequence[str], at: int) -> bool:
    """Heads of tests that one blank parts, above two rows that end in as many cells with units, or nearly so."""
    below = lines[at + 1 : at + 1 + _NEAR]
    if len(below) < 2 or not _ENDS_IN_UNIT.search(below[0]):
        return False
    count, *others = map(_count_of, below)
    return count in others and count > 1 and _named_heads(lines[at], count) is not None


def _count_of(row: str) -> int:
    match = _TAIL.fullmatch(row) if len(row) <= LONGEST_PAIRS else None
    return len(UNITED.findall(match["cells"])) if match else 0


def by_tests(lines: Sequence[str], first: int, head: str) -> Grid | None:
    """ "Card hdparm dd write 4K rand read" above labels of any number of words, and for each head a
    cell with its unit, or a word that stands for one: "TODO"."""
    if not heads_tests(lines, first):
        return None
    count = _count_of(lines[first + 1])
    row = re.compile(
        rf"(?P<label>\S.{{0,100}}?)(?P<first> {UNITED.pattern})(?P<cells>{_WORD_OR_VALUE}{{{count - 1}}})\s*",
        re.IGNORECASE,
    )
    cell = re.compile(_WORD_OR_VALUE, re.IGNORECASE)
    rows: list[Row] = []
    for at, line in rows_below(lines, first):
        match = row.fullmatch(line) if len(line) <= LONGEST_PAIRS else None
        if match is None:
            break
        rows.append(Row(at, (match["label"], match["first"].strip(), *map(str.strip, cell.findall(match["cells"])))))
    heads = _named_heads(head, count)
    return grid_of_blanks(first, heads, rows) if heads else None


def _named_heads(line: str, count: int) -> tuple[str, ...] | None:
    """A label and so many heads, each of which begins with a tool or behind a direction; None where there are more or
    fewer of them."""
    words = line.split()
    if len(line) > _LONGEST_HEADS or len(words) <= count or UNITED.search(line):
        return None
    phrases = [heading_of(word) for word in words]
    tells = [bool(_TOOL.fullmatch(word)) or phrase.load != Load() for word, phrase in zip(words, phrases, strict=True)]
    label = next((at for at, is_telling in enumerate(tells) if is_telling), 0)
    if not 0 < label <= _MOST_LABEL_WORDS:
        return None
    starts = [label]
    for at in range(label + 1, len(words)):
        is_of_hdparm = words[starts[-1]].lower() == "hdparm"  # it has no load, so that one begins the next head
        if _TOOL.fullmatch(words[at]) or phrases[at - 1].load.way or (is_of_hdparm and tells[at]):
            starts.append(at)
    heads = tuple(" ".join(words[start:end]) for start, end in pairwise([*starts, len(words)]))
    are_tests = all(heading_of(head).load.way or _TOOL.match(head) for head in heads)
    return (" ".join(words[:label]), *heads) if len(heads) == count and are_tests else None


def by_heads_of_words(lines: Sequence[str], first: int, head: str) -> Grid | None:
    """ "Drive iodepth IOPS avg latency, ms" above labels of any number of words, each with as many numbers: where the
    words of the head make as many conditions and quantities in one way alone."""
    words = tuple(head.split())
    if len(words) > _MOST_HEAD_WORDS or is_number(words[-1]):  # asked first, for each row below would look at the rest
        return None
    rows = list(_rows_of_numbers(lines, first))
    fewest = min((count for _, _, count in rows), default=0)
    if len(rows) < _FEWEST_MIXED or fewest < _FEWEST_MIXED:
        return None
    ways = list(_parted_heads(words, fewest))
    found = {_told_by(heads): heads for heads in ways}
    if len(found) != 1 or len(ways) >= _MOST_WAYS:
        return None
    (heads,) = found.values()
    if not any(read_head(each).role for each in heads[1:]):
        return None
    count = len(heads) - 1
    parted = (Row(at, (" ".join(cells[:-count]), *cells[-count:])) for at, cells, _ in rows)
    return grid_of_blanks(first, heads, list(parted))


def _rows_of_numbers(lines: Sequence[str], first: int) -> Iterator[tuple[int, list[str], int]]:
    """Each line with a label in front of numbers, its words, and how many numbers end it."""
    for at, line in rows_below(lines, first):
        cells = line.split() if len(line) <= LONGEST_PAIRS else []
        count = sum(1 for _ in takewhile(is_number, reversed(cells)))
        if not 0 < count < len(cells):
            return
        yield at, cells, count


def _parted_heads(words: tuple[str, ...], most: int) -> Iterator[tuple[str, ...]]:
    """A label that tells nothing and heads that tell one thing each, at most so many."""
    for label in range(1, min(_MOST_LABEL_WORDS, len(words) - 1) + 1):
        if not any(map(_is_head, words[:label])):
            yield from ((" ".join(words[:label]), *heads) for heads in _heads_from(words[label:], most))


def _told_by(heads: Sequence[str]) -> tuple[object, ...]:
    """What heads tell, however their words are parted: "IOPS avg | latency" or "IOPS | avg latency"."""
    own = map(read_head, heads[1:])
    return (heads[0], *((each.role, each.quantities, each.load, each.statistic) for each in own))


@lru_cache(maxsize=256)
def _heads_from(words: tuple[str, ...], most: int) -> tuple[tuple[str, ...], ...]:
    """The ways in which words make heads; of very many the first."""
    if not words or not most:
        return () if words else ((),)
    found: list[tuple[str, ...]] = []
    for end in range(1, min(_MOST_LABEL_WORDS, len(words)) + 1):
        text = " ".join(words[:end]).rstrip(",;")
        if _is_head(text) and not (end < len(words) and _is_unit(words[end]) and _lacks_unit(text)):
            found += [(text, *rest) for rest in _heads_from(words[end:], most - 1)]
    return tuple(found[:_MOST_WAYS])


def _is_head(text: str) -> bool:
    """A condition, or one quantity of one load, and no other word."""
    head = read_head(text)
    is_condition = head.role in ("block", "depth", "jobs") and head.load == Load()
    is_quantity = not (head.role or head.rest) and len(head.quantities) == 1
    is_one = is_quantity and len(head.ways) < 2 and len(head.statistics) < 2
    has_own = is_one and (head.statistic == "mean" or head.quantities[0].kind == LATENCY)  # "p99" is of no rate
    return is_condition or has_own


def _is_unit(word: str) -> bool:
    """A unit and nothing else, which belongs to the name in front of it."""
    return _UNIT_ALONE.fullmatch(word) is not None


def _lacks_unit(text: str) -> bool:
    return any(each.factor is None for each in read_head(text).quantities)
