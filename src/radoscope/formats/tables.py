"""Tables that people write: each cell means what it says itself, then what its column, its row and its caption say.

Rows and columns are treated alike: whichever names the quantities, cells of one load become one result. A number counts
only with its unit. Data sheets, prices, wishes and monitoring are no results. MB are 1,000,000 bytes unless IOPS x
block size of the table say that they are MiB.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple

from radoscope.errors import UnreadableFile
from radoscope.formats import vocabulary as words
from radoscope.formats.by_kind import Told, told_by_kind
from radoscope.formats.conditions import PageConditions, conditions_of, is_footnote
from radoscope.formats.measured import Draft, agree, built, with_proven_units
from radoscope.formats.network_words import WAYS, shown_in
from radoscope.formats.phrases import (
    BANDWIDTH,
    IOPS,
    LATENCY,
    Load,
    Quantity,
    Value,
    cell_of,
    heading_of,
    names_short_ways,
    with_rados_read,
    with_spelled_ways,
)
from radoscope.formats.quantities import decimal_commas, has_damaged_thousands
from radoscope.formats.sentences import TAKEN, line_at, read_lines
from radoscope.formats.table_grid import Grid, Row, find_grids, last_sentence, legend_of, quoted_unit
from radoscope.formats.table_heads import (
    Head,
    body_and_heads,
    is_unit_column,
    names_latency,
    read_head,
    values_in,
    with_named_columns,
    with_percentiles,
    with_repeats,
)
from radoscope.records.measurement import Result, Source

NAME = "table"
LOOKS_BACK = 14

_MOST_CAPTIONS = 6
_BULLET = re.compile(r"[•・*-]\s")
_COMPARED = re.compile(words.COMPARED, re.IGNORECASE)
_SUMMED = re.compile(words.SUMMED, re.IGNORECASE)
_MEAN = re.compile(rf"[\s*]*(?:{words.MEAN}|{words.MEDIAN})[\s*:]*", re.IGNORECASE)
_RUN = re.compile(
    r"\W*(?:run|test|try|pass|round|iteration|lauf|durchlauf|прогон|#|第)?\W*\d{1,2}\W*[回次]?\W*", re.IGNORECASE
)
_NOT_MEASURED = re.compile(words.NOT_MEASURED, re.IGNORECASE)
_MONITORED = re.compile(words.MONITORED, re.IGNORECASE | re.MULTILINE)
_PRICED = re.compile(words.PRICED, re.IGNORECASE)
_TESTED = re.compile(words.TESTED, re.IGNORECASE)
_QUANTITY_FIRST = re.compile(rf"\W*(?:in )?(?:{words.IOPS}|[kmg]i?b/s)[,.;) ]", re.IGNORECASE)
_OF_CPU = re.compile(
    r"\b(?:en|de)cryption\b|\b(?:de)?compress(?:ion|or)?\b|verschlüsselung|шифрован|сжати|压缩|圧縮", re.IGNORECASE
)
"""Rates of ciphers and packers."""
_OF_MEMORY = re.compile(
    r"\bsysbench[ _-]memory"
    r"|(?:^|, )\W*(?:(?:system|main|guest|host|passmark|aida64) )?"
    r"(?:memory|mem|d?ram|arbeitsspeicher|память|内存|メモリ)[ _-]?"
    r"(?:(?:seq|rand)\w*[ _-])?(?:read|writ|copy|fill|bandwidth|throughput|speed|transfer|test|bench|lesen|schreib"
    r"|带宽|速度|чтени|запис)"
    r"|\b(?:stream|mlc)[ _-]?(?:copy|scale|add|triad)|\btriads?\b|триад|(?-i:\bSTREAM\b)",
    re.IGNORECASE,
)
"""Of what rows tell beside those of drives."""
_OF_HASHES = re.compile(
    r"\bsha-?\d{1,3}\b|\bmd5\b|\bcrc-?32c?\b|\bblake[23]\w?\b|\bxxhash\w*|\baes\b|\bchacha20\b|\bopenssl\b",
    re.IGNORECASE,
)
_PART = re.compile(
    r"\W*(?:cpus?|processor|prozessor|ram|memory|speicher|nics?|network|netzwerk|mainboard|motherboard|board"
    r"|psu|chassis|case|os|kernel"
    r"|gpu|hba|controller|switch(?:es)?|内存|网卡|メモリ)\W*",
    re.IGNORECASE,
)
"""What a table of hardware lists."""
_LINK = re.compile(r"\d ?g(?:be|bit|bps|ige)\b", re.IGNORECASE)
_FIELD = re.compile(r"\s*:[\w-]+:")
_NUMBERED = re.compile(r"\W*(?:table|tab\.|tabelle|tableau|tabla|таблица|表)\s?\d{1,3}\b", re.IGNORECASE)
"""A caption that may stand below its table."""
_NOTES = re.compile(
    r"notes?|comments?|remarks?|bemerkung(?:en)?|anmerkung(?:en)?|hinweise?|kommentare?|remarques?|notas?|uwagi"
    r"|observacion(?:es)?|observaç(?:ão|ões)|comentarios?|примечани[ея]|комментари[ий]|备注|備註|备考|備考|비고",
    re.IGNORECASE,
)
"""A column that explains: "writes are the limit" is no direction."""
_LONGEST_LABEL = 80
_OF_RESULTS = re.compile(
    r"\bresults?\b|\bmeasured\b|\bactual|\bobserved|\bachieved|实测|實測|結果|结果|ergebnis|gemessen|résultat|mesuré"
    r"|resultado|medido|wynik|zmierzon|результат|измерен|측정",
    re.IGNORECASE,
)
_WISHED_HEAD = re.compile(
    r"\btargets?\b|\bgoals?\b|\bexpect|\brequired\b|\blimit|目标|目標|\bziel|\bsoll\b|objecti|objetivo|цель",
    re.IGNORECASE,
)
_COMMON_LATENCIES = re.compile(r"\bL[12][- ]cache\b|\bbranch mispredict", re.IGNORECASE)
"""The well-known list of what takes how long in computers: nobody measured it here."""
_HEADING = re.compile(r"#{2,6}\s")
_ROUGHLY = re.compile(r"[*\s]*(?:[~≈<>]|\d[\d.,]*\s?[kKMµu]?(?:[A-Za-z/]{0,5})\s?[-–—]\s?\d)")
_MOST_ROUGH = 0.7
_BEST = re.compile(r"\b(?:best|winner)\b", re.IGNORECASE)
"""A column that says again what another holds."""
_WITH_ASIDE = re.compile(r"[~≈]?\d[\d.,]* ?\([^()]{1,40}\)")
_IS_RESULT = re.compile(r"\W*(?:\d+ ?[km] ?iops\W*$|(?:tb[ad]|todo|n/?a|none|null|nan)(?![a-z]))", re.IGNORECASE)
"""No head: "256k IOPS" may be a number, and what was not measured names its unit, too."""
_RADOS_WORD = re.compile(r"\W*(?:seq|rand)\b", re.IGNORECASE)
_OLD_DISK_MARK = re.compile(
    r"\W*(?:seq(?:uential)?|512k|4k|4k ?[-_]?qd ?\d+|4k ?q ?\d+ ?t ?\d+|seq ?q ?\d+ ?t ?\d+|4k ?-? ?64 ?thrd)\W*",
    re.IGNORECASE,
)


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges of the tables that give at least one result, or that hold none for a reason we know."""
    for grid, results in _tables("\n".join(lines)):
        if results is None or results:
            below = _caption_below(lines, grid)
            yield grid.first, grid.end if below is None else below + 1


def read(text: str) -> tuple[Result, ...]:
    """Every result of every table; what is in force above a table gives what it does not say. Raises UnreadableFile."""
    tables = _tables(text)
    results = [result for _, found in tables for result in found or ()]
    if not results and not any(found is None for _, found in tables):
        raise UnreadableFile("no table of results in this text", "Its headings must name IOPS, MB/s or a latency.")
    return tuple(results)


def rows_of(text: str) -> dict[int, tuple[Sequence[Head], tuple[str, ...]]]:
    """By its line each row of the tables: its heads and its cells."""
    found: dict[int, tuple[Sequence[Head], tuple[str, ...]]] = {}
    for grid, _ in _tables(text):
        width = max(len(row.cells) for row in grid.rows)
        if width > 1:
            texts, body = body_and_heads(grid, width, has_values)
            heads = [read_head(text) for text in texts]
            found |= {row.line: (heads, row.cells) for row in body}
    return found


@lru_cache(maxsize=1)
def _tables(text: str) -> tuple[tuple[Grid, tuple[Result, ...] | None], ...]:
    """Each table of a page with its results; None where it shows no measurement."""
    lines = text.split("\n")
    grids = list(map(_without_promises, _grids(lines)))
    said = read_lines(lines) if grids else []
    in_force = PageConditions(said, [(line_at(said, grid.first), line_at(said, grid.end)) for grid in grids])
    found: list[_Read] = []
    legend = legend_of(lines)
    for grid in grids:
        captions = _captions(lines, grid)
        state = in_force.at(line_at(said, grid.first))
        below = _caption_below(lines, grid)
        note = "" if below is not None else _footnote(lines, grid)
        around = note if below is None else lines[below]
        above = state.load.over(conditions_of(around))
        told = state.told or told_by_kind(around) or told_by_kind(legend)
        is_none = _is_no_measurement(grid, captions, lines[max(0, grid.first - LOOKS_BACK) : grid.first])
        notes = [note, legend, quoted_unit(lines, grid) if _is_of_loads(grid) else ""]
        table = None if is_none else _table(grid, captions, notes, above)
        found.append(_Read(grid, is_none, tuple(told), table, _joined(_groups(table)) if table else []))
    joined = set(_with_tables_of_the_same_runs(found))
    return tuple(
        (one.grid, None if one.is_none or at in joined else tuple(_results_of(one))) for at, one in enumerate(found)
    )


def _is_of_loads(grid: Grid) -> bool:
    """Whether each column or each row names an operation, so that the numbers are of one kind."""
    columns, rows = grid.rows[0].cells[1:], [row.cells[0] for row in grid.rows[1:]]
    return any(all(heading_of(cell).load.way for cell in cells) for cells in (columns, rows) if cells)


def _footnote(lines: Sequence[str], grid: Grid) -> str:
    """The line right below a table that speaks of it."""
    below = range(grid.end, min(len(lines), grid.end + 4))
    at = next((at for at in below if any(map(str.isalnum, lines[at]))), len(lines))
    if at == len(lines) or not (is_footnote(lines[at]) or _QUANTITY_FIRST.match(lines[at])):
        return ""
    heads_another = any(below.first < 2 for below in find_grids(lines[at + 1 : at + 6]))
    return "" if heads_another else lines[at].strip()


def _grids(lines: Sequence[str]) -> Iterator[Grid]:
    """Tables; where heads stand between rows of numbers, a table of its own begins."""
    for grid in find_grids(lines):
        start = 0
        for at in range(2, len(grid.rows)):
            if at > start + 1 and _begins_anew(grid, at):
                yield _part(grid, start, at)
                start = at
        yield _part(grid, start, len(grid.rows))


def _begins_anew(grid: Grid, at: int) -> bool:
    """A row of heads below a row of values."""
    row = grid.rows[at]
    return (
        has_values(grid.rows[at - 1])
        and not has_values(row)
        and len([cell for cell in row.cells if cell]) > 1
        and any(heading_of(cell).quantities and not _IS_RESULT.match(cell) for cell in row.cells[1:])
    )


def _part(grid: Grid, start: int, end: int) -> Grid:
    rows = grid.rows[start:end]
    if (start, end) == (0, len(grid.rows)):
        return grid
    return replace(grid, first=rows[0].line, end=rows[-1].line + 1, rows=rows, heads=None if start else grid.heads)


def has_values(row: Row) -> bool:
    return any(_is_plain_value(cell) for cell in row.cells)


@lru_cache(maxsize=8192)
def _is_plain_value(cell: str) -> bool:
    """A number, with its unit or without; "4K" and "4K IOPS" name sizes."""
    phrase = cell_of(cell)
    load = heading_of(cell).load
    return (
        bool(phrase.values(False))
        and not phrase.words
        and load.block_bytes is None
        and load.depth is None
        and load.jobs is None
    )


def _caption_below(lines: Sequence[str], grid: Grid) -> int | None:
    if any(map(_NUMBERED.match, lines[max(0, grid.first - 3) : grid.first])):
        return None
    below = next((at for at in range(grid.end, min(len(lines), grid.end + 2)) if lines[at].strip()), None)
    return below if below is not None and len(lines[below]) <= 160 and _NUMBERED.match(lines[below]) else None


def _captions(lines: Sequence[str], grid: Grid) -> list[str]:
    """The lines above, nearest first, that may name what the table shows.

    A numbered caption right below counts where none stands above.
    """
    first, found = grid.first, []
    if (below := _caption_below(lines, grid)) is not None:
        return [lines[below].strip()]
    for line in reversed(lines[max(0, first - LOOKS_BACK) : first]):
        if "|" in line or "\t" in line.strip() or line == TAKEN:
            break
        if any(map(str.isalnum, line)) and not _FIELD.match(line):
            text = line.strip()[:300]
            found.append(last_sentence(text) if text.endswith(":") else text)
        if len(found) >= _MOST_CAPTIONS:
            break
    return [line for line in found if len(line) <= 160]


def _is_no_measurement(grid: Grid, captions: Sequence[str], above: Sequence[str]) -> bool:
    """Data sheets and price lists promise; iostat, `ceph iostat` and diffstats watch."""
    text = "\n".join(cell for row in grid.rows for cell in row.cells)
    if _PRICED.search(text) and not any(map(_TESTED.search, above)):
        return True
    heads = grid.rows[0].cells
    parts = max(
        sum(1 for row in grid.rows if _PART.fullmatch(row.cells[0])), sum(map(bool, map(_PART.fullmatch, heads)))
    )
    if (parts > 1 and not any(map(_names_measure, (row.cells for row in grid.rows)))) or any(
        _OF_CPU.search(cell) for cell in (*above[-2:], *(cell for row in grid.rows[:3] for cell in row.cells))
    ):
        return True
    named = not any(map(_TESTED.search, heads)) and any(
        len(line) <= 60 and not (_BULLET.match(line) or _TESTED.search(line)) and _NOT_MEASURED.search(line)
        for line in captions[:2]
    )
    return (
        named
        or _is_of_typical_values(grid)
        or _MONITORED.search(text) is not None
        or _NOT_MEASURED.search(text) is not None
    )


def _is_of_typical_values(grid: Grid) -> bool:
    """ "~80,000-100,000", "5-10 ms": what such drives give at large."""
    values = [cell for row in grid.rows[1:] for cell in row.cells[1:] if any(map(str.isdecimal, cell))]
    return len(values) > 3 and sum(1 for cell in values if _ROUGHLY.match(cell)) > _MOST_ROUGH * len(values)


def _names_measure(cells: Sequence[str]) -> bool:
    """A row of heads with a quantity, or one whose label names a load and then the unit: "read | IOPS | 1,200"."""
    quantities = [bool(read_head(cell).quantities) for cell in cells]
    return any(quantities) and (heading_of(cells[0]).load.way is not None or not any(map(_is_plain_value, cells)))


def _without_promises(grid: Grid) -> Grid:
    """Without columns of promised or wished rates where others of measured rates stand beside them."""
    heads = grid.rows[0].cells
    named = [head for head in heads if (phrase := heading_of(head)).quantities or phrase.ways]
    if any(map(_OF_RESULTS.search, heads)):
        named = list(heads[1:])
    promised = {head for head in named if _NOT_MEASURED.search(head) or _WISHED_HEAD.search(head)}
    if not promised or all(head in promised for head in named):
        return grid
    kept = [head not in promised for head in heads]
    rows = (
        Row(row.line, tuple(cell if keep else "" for cell, keep in zip(row.cells, kept, strict=False)))
        for row in grid.rows
    )
    return replace(grid, rows=tuple(rows))


@dataclass(frozen=True, slots=True)
class _Read:
    """A grid as a table of runs. is_none: it shows no measurement."""

    grid: Grid
    is_none: bool
    told: Sequence[Told]
    table: _Table | None
    groups: list[_Group]

    @property
    def runs(self) -> dict[tuple[Load, str], _Group]:
        return {(group.load, group.words): group for group in self.groups}

    @property
    def kinds(self) -> set[str]:
        return {kind for group in self.groups for kind, _ in group.values}


def _with_tables_of_the_same_runs(tables: Sequence[_Read]) -> Iterator[int]:
    """ "IOPS" above a table, "Latency" above another with the same rows and columns: the later ones say more of the
    same runs, which the first then holds. The places of those later ones."""
    alike: dict[tuple[Any, ...], list[int]] = {}
    for at, one in enumerate(tables):
        if one.table is not None and len(one.runs) == len(one.groups) > 1:
            alike.setdefault((frozenset(one.runs), one.told), []).append(at)
    for places in alike.values():
        if sum(len(tables[at].kinds) for at in places) > len(set().union(*(tables[at].kinds for at in places))):
            continue  # several of one kind: nobody knows which belong together
        for at in places[1:]:
            above, more_above = (tables[each].table.above for each in (places[0], at))  # type: ignore[union-attr]
            if more_above.over(above) != above:
                continue  # of other conditions
            for run, more in tables[at].runs.items():
                tables[places[0]].runs[run].values.update(more.values)
            yield at


def _results_of(one: _Read) -> list[Result]:
    table = one.table
    if table is None:
        return []
    loads = (*(head.load for head in table.heads), *(row.load for row in table.rows))
    names_random = any(load.random and load.way for load in loads)
    drafts = [draft for group in one.groups if (draft := _draft(table, group, one.told, names_random)) is not None]
    return with_proven_units(drafts)


# --- the layout ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Body:
    """A row below the heads. label: its cells of words; attributes: from columns of block size, depth, jobs."""

    row: Row
    label: str
    head: Head
    load: Load
    section: int


@dataclass(frozen=True, slots=True)
class _Table:
    """heads: one a column. shared: the quantity that the corner, the caption or a note names for all; ways: so, too.

    above: the caption's load. by_rows: the rows name the quantities.
    """

    grid: Grid
    heads: tuple[Head, ...]
    rows: tuple[_Body, ...]
    commas: bool
    above: Load
    shared: tuple[Quantity, ...]
    ways: tuple[str, ...]
    by_rows: bool
    of_latencies: bool
    """A line around it says so: elsewhere a unit of time alone says how long something took."""
    old_disk_mark: bool
    network: tuple[str, ...]
    """The quantities that tell of a network: those of the tool that the lines above name."""
    block_bytes: int | None
    """What a line above says; it counts where rates of the table agree with it."""


class _Cell(NamedTuple):
    row: int
    column: int
    values: tuple[Value, ...]
    load: Load = Load()
    """What the cell says of a load beside directions: "4k random read 18k IOPS, 4k random write 5k IOPS"."""


def _table(grid: Grid, captions: Sequence[str], notes: Sequence[str], above: Load) -> _Table | None:
    """None where no column, no row and no cell says what is measured."""
    width = max(len(row.cells) for row in grid.rows)
    if width < 2:
        return None
    head_texts, body = body_and_heads(grid, width, has_values)
    if not body:
        return None
    if any(_COMMON_LATENCIES.search(row.cells[0]) for row in body):
        return None
    head_texts, body = _with_parted_columns(head_texts, body)
    body = list(_with_names_in_front(_with_units(head_texts, body)))
    head_texts, body = _with_spelled_ways(head_texts, body)
    variables = _variables(captions)
    heads = tuple(Head(text, variables[text]) if text in variables else read_head(text) for text in head_texts)
    heads = _with_tool_words(_with_own_quantities(heads, body), captions)
    written = "\n".join([*head_texts, *captions[:2], *(cell for row in body for cell in row.cells)])
    kinds = {each.kind for head in heads for each in head.quantities}
    is_damaged = kinds == {IOPS} and has_damaged_thousands(written)
    commas = not is_damaged and decimal_commas(written)
    heads = _with_unit_of_one(_with_statistics_of(heads, captions), body)
    if any(map(_LINK.search, captions)):
        heads = tuple(replace(head, quantities=tuple(map(_in_bits, head.quantities))) for head in heads)
    levels = 2 if captions and _HEADING.match(captions[0]) else 1  # "IOPS", and "old disks" below it
    shared = _shared(heads, body, [*captions[:levels], *notes])
    ways = next((both for line in [*captions[:1], *notes] if len(both := heading_of(line).ways) == 2), ())
    if heads[0].quantities and not any(_is_plain_value(row.cells[0]) for row in body):
        heads = (Head(heads[0].text), *heads[1:])  # "Latency (ms)" above the labels
    holds_values = any(_is_plain_value(row.cells[0]) for row in body)
    corner = Load() if holds_values else heading_of(heads[0].text).load
    of_latencies = any(names_latency(heading_of(line)) for line in [*captions, *notes])
    heads = tuple(map(_as_latency, heads)) if of_latencies else heads
    heads, body = _with_conditions_in_rows(heads, body)
    heads = with_repeats(with_percentiles(with_named_columns(heads, body)))
    rows = tuple(replace(row, head=_as_latency(row.head)) if of_latencies else row for row in _bodies(heads, body))
    by_rows = not any(head.quantities for head in heads) and any(map(_names_quantity, (row.head for row in rows)))
    if by_rows:
        marked = with_percentiles([row.head for row in rows], only=True)
        rows = _with_repeats([replace(row, head=head) for row, head in zip(rows, marked, strict=True)])
    block = next((size for line in captions if (size := heading_of(line).load.block_bytes)), None)
    rows = _with_mixed(_with_rados_words(rows))
    if {"read", "write"} <= {head.load.way for head in heads} | {row.load.way for row in rows}:
        above = above if above.way == "mix" else above._replace(way=None)  # "a test written in house"
    tests = [row.label for row in rows if row.head.load != Load() or row.load.block_bytes]
    disk_mark = any("seq" in each.lower() for each in tests) and all(map(_OLD_DISK_MARK.fullmatch, tests))
    above, network = corner.over(above), shown_in(captions)
    return _Table(grid, heads, rows, commas, above, shared, ways, by_rows, of_latencies, disk_mark, network, block)


_VARIABLE = re.compile(r"(?<![a-z])(?P<option>numjobs|iodepth|bs)[= ]\$?[{<]?(?P<name>[A-Za-z_]\w{0,9})[}>]?(?!\w)")
_ROLES = {"numjobs": "jobs", "iodepth": "depth", "bs": "block"}


def _variables(captions: Sequence[str]) -> dict[str, str]:
    """ "--numjobs=N" above a column "N": what the column holds."""
    return {match["name"]: _ROLES[match["option"]] for line in captions for match in _VARIABLE.finditer(line)}


def _with_parted_columns(heads: Sequence[str], body: Sequence[Row]) -> tuple[list[str], list[Row]]:
    """ "Engine / depth | libaio / 16": two columns in one."""
    for at, text in enumerate(heads):
        parts = [part.strip() for part in text.split("/")]
        cells = [[part.strip() for part in row.cells[at].split("/")] for row in body]
        roles = {read_head(part).role for part in parts} & {"block", "depth", "jobs"}
        if len(parts) != 2 or not roles or not all(len(each) == 2 and all(each) for each in cells):
            continue
        rows = [
            Row(row.line, (*row.cells[:at], *each, *row.cells[at + 1 :])) for row, each in zip(body, cells, strict=True)
        ]
        return [*heads[:at], *parts, *heads[at + 1 :]], rows
    return list(heads), list(body)


def _with_own_quantities(heads: tuple[Head, ...], body: Sequence[Row]) -> tuple[Head, ...]:
    """Columns without a head whose cells name their units: each is of its own quantity."""
    found = []
    for at, head in enumerate(heads):
        kinds = (
            {value.kind for row in body for value in cell_of(row.cells[at]).values(False)} if not head.text else set()
        )
        found.append(replace(head, quantities=(Quantity(kinds.pop()),)) if len(kinds) == 1 and kinds != {""} else head)
    return tuple(found)


def _with_conditions_in_rows(heads: tuple[Head, ...], body: Sequence[Row]) -> tuple[tuple[Head, ...], list[Row]]:
    """Rows "Block size | 8k | 8k" and "Queue depth | 16 | 16" say what the columns were measured with."""
    kept: list[Row] = []
    for row in body:
        label = read_head(row.cells[0])
        named = [label.attribute(cell) for cell in row.cells[1:]]
        if label.role not in ("block", "depth", "jobs") or Load() in named or heads[0].role:
            kept.append(row)
            continue
        others = zip(heads[1:], named, strict=True)
        heads = (heads[0], *(replace(head, load=load.over(head.load)) for head, load in others))
    return (heads, kept) if kept else (heads, list(body))


_DISK_MARK = re.compile(r"crystal ?disk ?mark|\bk?diskmark\b|\bcdm\b", re.IGNORECASE)


def _with_tool_words(heads: tuple[Head, ...], captions: Sequence[str]) -> tuple[Head, ...]:
    """Beside "write", "seq" and "rand" are rados bench's reads; of CrystalDiskMark's tests all but Seq are random."""
    if any(head.load.way == "write" and head.load.random is None for head in heads):
        heads = tuple(
            replace(head, load=with_rados_read(head.load)) if _RADOS_WORD.match(head.text) else head for head in heads
        )
    if any(map(_DISK_MARK.search, captions[:2])):
        heads = tuple(
            replace(head, load=head.load._replace(random=True))
            if head.load.way and head.load.random is None and head.load.block_bytes
            else head
            for head in heads
        )
    return heads


def _in_bits(quantity: Quantity) -> Quantity:
    """ "Gb/s" beside the speed of a link: bits, as those of the link."""
    is_unsure = quantity.bits and quantity.factor == 1e9
    return quantity._replace(factor=1e9 / 8, bits=False) if is_unsure else quantity


def _with_statistics_of(heads: Sequence[Head], captions: Sequence[str]) -> tuple[Head, ...]:
    """ "Latency(us)" alone on the line above "IOPS  MB/s  Average  min  max"."""
    phrase = heading_of(captions[0]) if captions else None
    alone = phrase is not None and len(phrase.quantities) == 1 and not phrase.rest and phrase.load == Load()
    if phrase is None or not alone or phrase.quantities[0].factor is None:
        return tuple(heads)
    percentile = tuple(name for name in phrase.statistics if name.startswith("p"))
    if len(percentile) == 1 and all(map(_is_load_alone, heads[1:])):  # "P99 latency (ms)" above "read | write"
        named = (replace(head, quantities=phrase.quantities, statistics=percentile) for head in heads[1:])
        return (heads[0], *named)
    return tuple(
        replace(head, quantities=phrase.quantities)
        if head.statistics and not (head.quantities or head.role or head.rest)
        else head
        for head in heads
    )


def _as_latency(head: Head) -> Head:
    """ "AIO (us)" in a table of latencies."""
    is_time = head.role == "none" and [each.kind for each in heading_of(head.text).quantities] == [LATENCY]
    return replace(read_head(f"latency {head.text}"), text=head.text) if is_time else head


def _is_load_alone(head: Head) -> bool:
    return head.only_load and head.load.way is not None and not (head.quantities or head.statistics or head.role)


def _with_unit_of_one(heads: tuple[Head, ...], body: Sequence[Row]) -> tuple[Head, ...]:
    """ "Random read (MB/s) | random write | read | write": one of the loads names the unit of all."""
    alone = [at for at, head in enumerate(heads) if _is_load_alone(head)]
    named = [head for head in heads if head.quantities]
    if not alone or len(named) != 1 or named[0].load.way is None:
        return heads
    if not all(_is_bare_number(row.cells[at]) or not row.cells[at] for row in body for at in alone):
        return heads
    return tuple(
        replace(head, quantities=named[0].quantities) if at in alone else head for at, head in enumerate(heads)
    )


def _names_quantity(head: Head) -> bool:
    return bool(head.quantities) or head.statistic.startswith("p")


def _with_repeats(rows: Sequence[_Body]) -> tuple[_Body, ...]:
    """Rows of one section that name the same quantity of the same load are told apart by their other words."""
    marked: list[_Body] = []
    for section in sorted({row.section for row in rows}):
        own = [row for row in rows if row.section == section]
        marked += [
            replace(row, head=head) for row, head in zip(own, with_repeats([row.head for row in own]), strict=True)
        ]
    return tuple(marked)


def _with_rados_words(rows: Sequence[_Body]) -> tuple[_Body, ...]:
    """Beside "write", "seq" and "rand" are what rados bench calls its reads."""
    if not any(row.load.way == "write" and row.load.random is None for row in rows):
        return tuple(rows)
    return tuple(replace(row, load=with_rados_read(row.load)) if _RADOS_WORD.match(row.label) else row for row in rows)


_OF_TOOL = re.compile(r"\W*(?:dd|fio|ior|iozone|bonnie(?:\+\+)?|rados bench|rbd bench)\W*", re.IGNORECASE)
_OF_HDPARM = re.compile(r"\W*hdparm(?: -t)?\W*", re.IGNORECASE)


_HALF = re.compile(r"\((r|w)(?:eads?|rites?)?\)", re.IGNORECASE)


def _with_mixed(rows: Sequence[_Body]) -> tuple[_Body, ...]:
    """Beside "Read" and "Write" a row "Read-write" is of a mixed run, "(R)" behind it of its reads; "hdparm" reads."""
    ways = {row.load.way for row in rows}
    found = []
    for row in rows:
        both = set(row.head.ways) == {"read", "write"} and {"read", "write"} <= ways and "+" not in row.label
        way = "mix" if both else "read" if _OF_HDPARM.fullmatch(row.label) else None
        own = _HALF.search(row.label) if "mix" in (way, row.load.way) else None
        way = {"r": "read", "w": "write"}[own[1].lower()] if own else row.load.way or way
        found.append(replace(row, load=row.load._replace(way=way)))
    return tuple(found)


_BEFORE_ASIDE = re.compile(r"(?: ?\([^()]*\))?$")
_UNITS = {"1/s": "IOPS", "/s": "IOPS", "s-1": "IOPS"}


def _with_units(heads: Sequence[str], body: Sequence[Row]) -> list[Row]:
    """A column of units of its own: they go to the numbers beside them."""
    columns = enumerate(zip(heads, zip(*(row.cells for row in body), strict=True), strict=True))
    at = next((at for at, (text, cells) in columns if at and is_unit_column(text, cells)), None)
    if at is None:
        return list(body)
    merged = []
    for row in body:
        unit = _UNITS.get(row.cells[at].strip().lower(), row.cells[at])
        cells = [_BEFORE_ASIDE.sub(rf" {unit}\g<0>", cell, 1) if _is_bare_number(cell) else cell for cell in row.cells]
        merged.append(Row(row.line, (*cells[:at], "", *cells[at + 1 :])))
    return merged


_NAMED_VALUE = re.compile(r"(?P<name>[a-z]{2,8}) ?= ?(?P<value>[~≈]?\d\S*(?: ?[A-Za-z/]+)?)", re.IGNORECASE)


def _with_names_in_front(body: Sequence[Row]) -> Iterator[Row]:
    """Rows of "iops=310 | iops=420": the name that all cells of a row have goes to its label."""
    for row in body:
        matches = [_NAMED_VALUE.fullmatch(cell) for cell in row.cells[1:] if cell]
        names = {match["name"].lower() if match else "" for match in matches}
        if len(matches) < 2 or len(names) > 1 or "" in names or not row.cells[0]:
            yield row
            continue
        (name,) = names
        values = [match["value"] if (match := _NAMED_VALUE.fullmatch(cell)) else cell for cell in row.cells[1:]]
        if read_head(name).quantities:
            yield Row(row.line, (f"{row.cells[0]} {name}", *values))


_LETTER_BEHIND = re.compile(r"(?<=\w) ?(?:[(\[]| )([RW])[)\]]?$")


def _with_spelled_ways(heads: Sequence[str], body: Sequence[Row]) -> tuple[list[str], list[Row]]:
    """A column of nothing but "R" and "W"; "4KRR", "RR", "SW" where two of them stand in a table; "BW (R) | BW (W)"."""
    if {match[1] for text in heads if (match := _LETTER_BEHIND.search(text))} == {"R", "W"}:
        heads = [_LETTER_BEHIND.sub(lambda match: {"R": " read", "W": " write"}[match[1]], text) for text in heads]
    ways = {"R": "read", "W": "write", "RW": "rw"}
    columns = list(zip(*(row.cells for row in body), strict=True))
    places = {at for at, cells in enumerate(columns) if set(cells) <= {*ways, ""} and any(cells)}
    rows = [tuple(ways.get(cell, cell) if at in places else cell for at, cell in enumerate(row.cells)) for row in body]
    if names_short_ways([*heads, *(row[0] for row in rows)]):
        heads = [with_spelled_ways(text) for text in heads]
        rows = [(with_spelled_ways(row[0]), *row[1:]) for row in rows]
    return list(heads), [Row(row.line, cells) for row, cells in zip(body, rows, strict=True)]


def _is_bare_number(cell: str) -> bool:
    values = cell_of(cell).values(False)
    return len(values) == 1 and not values[0].kind and not cell_of(cell).words


def _bodies(heads: Sequence[Head], body: Sequence[Row]) -> Iterator[_Body]:
    """Rows with their labels; a lone label heads a section, an empty first cell carries on the label above."""
    section, above, number = Load(), "", 0
    for row in body:
        cells = list(row.cells)
        filled = [cell for cell in cells if cell.strip(" -–—")]
        if len(filled) == 1 and cells[0] and not _is_plain_value(cells[0]):
            section, number = heading_of(cells[0]).load, number + 1
            continue
        goes_on = any(re.search(r"[^\W\d]", cell) for cell in cells[1:2])
        if not cells[0] and (goes_on or (len(heads) > 1 and heads[1].role in ("block", "depth", "jobs"))):
            cells[0] = above
        above = cells[0]
        places = [at for at, cell in enumerate(cells) if _is_label(cell, heads[at], at == 0)]
        is_note = {at for at in places if _NOTES.fullmatch(heads[at].text) or (at and len(cells[at]) > _LONGEST_LABEL)}
        labels = [cells[at] for at in places if at not in is_note]
        said = [cells[at] for at in places if heads[at].role != "size" and cells[at] in labels]
        noted = heading_of(" ".join(cells[at] for at in places if cells[at] not in labels)).load
        load = _attributes(cells, heads).over(heading_of(" ".join(said)).load).over(noted._replace(way=None))
        head = read_head(" ".join(labels))
        yield _Body(Row(row.line, tuple(cells)), ", ".join(labels), head, load.over(section), number)


def _is_label(cell: str, head: Head, is_first: bool) -> bool:
    """A cell of words below a heading of no quantity; "Read" below "Block size" is one, "4k IOPS" in front."""
    if head.role == "none":
        return False
    if not is_first and _COMPARED.search(head.text) and heading_of(cell).load == Load():
        return False  # "Difference: B +8 %"
    if not is_first and (_is_plain_value(cell) or _WITH_ASIDE.fullmatch(cell)):
        return False
    if not re.search(r"[^\W\d]", cell):
        return is_first and bool(heading_of(cell).statistics)  # "99%"
    if head.role in ("block", "depth", "jobs"):
        return head.attribute(cell) == Load()
    phrase = heading_of(cell) if is_first else cell_of(cell)
    return not head.quantities and not (phrase.names_values and any(value.kind for value in phrase.values(False)))


def _attributes(cells: Sequence[str], heads: Sequence[Head]) -> Load:
    load = Load()
    for cell, head in zip(cells, heads, strict=True):
        if head.role:
            load = load.over(head.attribute(cell))
    return load


def _shared(heads: Sequence[Head], body: Sequence[Row], around: Sequence[str]) -> tuple[Quantity, ...]:
    """The quantity that the corner names, or the line above or below: "Throughput in MB/s", "IOPS / MiB/s / ms"."""
    if any(head.quantities for head in heads[1:]):
        return ()
    sources = [] if any(_is_plain_value(row.cells[0]) for row in body) else [heads[0]]
    sources += [read_head(line) for line in around if len(line) <= 120 and not heading_of(line).names_values]
    for source in sources:
        if source.statistic == "mean" and any(each.factor for each in source.quantities):
            return source.quantities
    return ()


# --- from cells to results ----------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Group:
    """The cells of one run: values by (kind, statistic). words: what tells it from the others of its row or column."""

    row: _Body
    load: Load
    words: str
    measured: bool
    values: dict[tuple[str, str], Value] = field(default_factory=dict)
    last_line: int = 0


def _groups(table: _Table) -> list[_Group]:
    """Cells that are quantities of the same run, in reading order."""
    columns = _runs([None if head.role else head for head in table.heads])
    rows = _runs([row.head if table.by_rows else None for row in table.rows], [row.section for row in table.rows])
    groups: list[_Group] = []
    newest: dict[tuple[Any, ...], _Group] = {}
    for cell in _cells(table):
        row, head = table.rows[cell.row], table.heads[cell.column]
        column_run, row_run = columns[cell.column], rows[cell.row]
        if column_run is None or row_run is None or head.load.contradicts(row.load):
            continue
        for value in cell.values:
            key = (row_run, column_run, value.way)
            statistic = value.statistic or _statistic(head, row.head if table.by_rows else None)
            is_median_of_runs = value.kind != LATENCY and statistic.startswith("p")
            name = (value.kind, "mean" if is_median_of_runs else statistic)
            group = newest.get(key)
            if group is None or (name in group.values and group.values[name].factor == value.factor):
                group = newest[key] = _group(table, cell, value)
                groups.append(group)
            group.load = group.load.over(_load_of(table, cell, value))
            group.values.setdefault(name, value)  # in another unit it says the same again
            group.last_line = max(group.last_line, row.row.line)
    return groups


def _joined(groups: Sequence[_Group]) -> list[_Group]:
    """A row of IOPS and one of MB/s with the same words are one run where its block size says so."""
    alone: dict[tuple[Load, str], _Group] = {}
    found: list[_Group] = []
    for group in groups:
        key, kinds = (group.load, group.words), {kind for kind, _ in group.values}
        rates = alone.get(key)
        if kinds == {BANDWIDTH} and rates and agree({**rates.values, **group.values}, group.load.block_bytes):
            rates.values |= group.values
            rates.last_line = group.last_line
            del alone[key]
            continue
        if kinds == {IOPS}:
            alone[key] = group
        found.append(group)
    return found


def _load_of(table: _Table, cell: _Cell, value: Value) -> Load:
    own = cell.load if value.way is not None else Load(block_bytes=cell.load.block_bytes, depth=cell.load.depth)
    head, row = table.heads[cell.column], table.rows[cell.row].load
    is_name = head.rest and not head.quantities and not head.load.way  # "run3_main_4k" above rows of all sizes
    named = row.over(head.load) if is_name else head.load.over(row)
    return Load(way=value.way).over(own).over(named)


def _group(table: _Table, cell: _Cell, value: Value) -> _Group:
    row, head = table.rows[cell.row], table.heads[cell.column]
    label = row.head.rest if table.by_rows and row.head.quantities else row.label
    column = (head.rest if head.repeats else "") if head.quantities else ("" if head.only_load else head.text)
    named = ", ".join(each for each in (label, column) if each)
    return _Group(
        row, _load_of(table, cell, value), named, bool(head.quantities or row.head.quantities or table.shared)
    )


def _statistic(head: Head, row: Head | None) -> str:
    """A row "p99" tells what its numbers are, also below a column "median", which then is one over several runs."""
    return row.statistic if row is not None and (row.statistics or head.statistic == "mean") else head.statistic


def _runs(lines: Sequence[Head | None], sections: Sequence[int] | None = None) -> list[Any]:
    """For each column (or row) the run that it is a quantity of; None where nobody can tell.

    "Read IOPS | Write IOPS | Latency": the load parts runs, and the latency could be of either. Where quantities repeat
    within a load, their other words part them.
    """
    runs: list[Any] = [("own", at) for at in range(len(lines))]
    for at, line in enumerate(lines):
        if line is not None and line.statistics and not line.quantities and not line.rest:
            of_rate = [
                place
                for place, each in enumerate(lines)
                if each and each.only_load and each.load == line.load and not (each.quantities or each.statistics)
            ]
            # "min | avg | max" beside or above quantities; "Read | Read p99"
            runs[at] = ("own", of_rate[0]) if len(of_rate) == 1 else ("statistics", line.load)
    for section in sorted(set(sections or [0])):
        places = [
            at
            for at, line in enumerate(lines)
            if line is not None and line.quantities and (sections or [0] * len(lines))[at] == section
        ]
        loads = {line.load for at in places if (line := lines[at]) is not None and not _is_latency(line)} - {Load()}
        loads |= {
            line.load for at in places if (line := lines[at]) is not None and _within(line.load, loads) is None
        } - {Load()}
        paired = _paired_latencies(lines, places, loads)
        for at in places:
            line = lines[at]
            if at in paired:
                runs[at] = runs[at - 1]
                continue
            if line is None or (line.load == Load() and len(loads) > 1):
                runs[at] = None
                continue
            within = None if line.rest and not _is_latency(line) else _within(line.load, loads)  # "DD write (MB/s)"
            load = (within or line.load) if len(loads) > 1 else Load()
            runs[at] = (section, load, line.rest if line.repeats else "")
    return runs


def _paired_latencies(lines: Sequence[Head | None], places: Sequence[int], loads: set[Load]) -> set[int]:
    """ "Write MB/s | Latency | Read MB/s | Latency": as many latencies as loads, each right behind its own."""
    found: dict[int, Load] = {}
    for at in places[1:]:
        line, before = lines[at], lines[at - 1]
        if line is not None and before is not None and line.load == Load() and _is_latency(line) and at - 1 in places:
            found[at] = before.load
    return set(found) if len(found) == len(loads) and set(found.values()) == loads else set()


def _is_latency(head: Head) -> bool:
    return all(each.kind == LATENCY for each in head.quantities)


def _within(load: Load, loads: set[Load]) -> Load | None:
    """The one load of the others that says all that this one says: "write latency" beside "write 4k IOPS"."""
    wider = [each for each in loads if load.way is not None and load.over(each) == each]
    return wider[0] if len(wider) == 1 else None


def _mean_of_runs(heads: Sequence[Head]) -> set[int]:
    """The column of means beside those of the runs themselves: it tells nothing new."""
    runs = sum(1 for head in heads if _RUN.fullmatch(head.text))
    return {at for at, head in enumerate(heads) if runs > 1 and _MEAN.fullmatch(head.text)}


def _cells(table: _Table) -> Iterator[_Cell]:
    repeats_mean = _mean_of_runs(table.heads)
    for row_at, row in enumerate(table.rows):
        if _is_derived(table, row):
            continue
        for at, (cell, head) in enumerate(zip(row.row.cells, table.heads, strict=True)):
            if (
                head.role
                or at in repeats_mean
                or _BEST.search(head.text)
                or (at == 0 and not head.quantities and table.by_rows)
            ):
                continue
            quantities = (
                head.quantities
                or (row.head.quantities if table.by_rows else ())
                or (table.shared if at or head.load != Load() else ())
            )
            ways = head.ways if len(head.ways) > 1 else row.head.ways or table.ways
            if "mix" in (head.load.way, row.load.way):
                ways = ("read", "write")
            statistics = head.statistics if len(head.statistics) > 1 else ()
            values = values_in(cell, quantities, ways, statistics, table.commas)
            values = tuple(value for value in values if value.value or value.kind == LATENCY)  # no I/O, no result
            if values and (values[0].kind != LATENCY or _is_latency_of(table, cell, head, row, quantities)):
                yield _Cell(row_at, at, values, _load_in(cell))


def _is_latency_of(table: _Table, cell: str, head: Head, row: _Body, quantities: Sequence[Quantity]) -> bool:
    """ "ReadBlock time | 0.4 s" is none: head, row, cell or table names it as one, or a queue depth."""
    is_named = any(each.kind == LATENCY for each in (*quantities, *row.head.quantities))
    has_depth = any(load.depth for load in (table.above, head.load, row.load))
    has_statistics = head.statistics or row.head.statistics
    return bool(table.of_latencies or is_named or has_depth or has_statistics) or names_latency(cell_of(cell))


@lru_cache(maxsize=1024)
def _load_in(cell: str) -> Load:
    """The load of all directions that a cell names; nothing where they differ."""
    parts = [heading_of(part) for part in re.split(r"[,;、，；]\s*(?!\d{3})", cell)]
    loads = {part.load._replace(way=None) for part in parts if part.load.way}
    if not loads and any(part.names_values for part in parts):
        loads = {part.load for part in parts if part.load != Load()}  # "9.8k IOPS @ 4k"
    return loads.pop() if len(loads) == 1 else Load()


def _is_derived(table: _Table, row: _Body) -> bool:
    """A row of sums, differences, or the mean of the other rows: it tells nothing new. One of memory or of hashes."""
    if _COMPARED.search(row.label) or _SUMMED.fullmatch(row.label) or _OF_MEMORY.search(row.label):
        return True
    if row.load.way is None and _OF_HASHES.search(row.label):
        return True
    if table.by_rows or not _MEAN.fullmatch(row.label):
        return False
    others = [each for each in table.rows if each is not row]
    return len(others) > 1 and not any(each.head.statistics for each in others)


def _draft(table: _Table, group: _Group, told: Sequence[Told], names_random: bool) -> Draft | None:
    """names_random: whether some of the table's loads say that they are."""
    if not any(kind == LATENCY or statistic == "mean" for kind, statistic in group.values):
        return None
    own = group.load
    kinds = {kind for kind, _ in group.values}
    if own.way is None and table.above.way is None and len(kinds) == 1 and kinds <= set(table.network):
        own = own._replace(way=WAYS[kinds.pop()])
    is_measured = group.measured or _OF_TOOL.fullmatch(group.row.label) is not None
    if not is_measured and own.way is None and own.block_bytes is None:
        return None  # "Disk | 550 MB/s" describes a machine
    if table.old_disk_mark and own.random is None and own.block_bytes is not None:
        own = own._replace(random=True)  # CrystalDiskMark's rows but for Seq
    is_other = names_random and own.random is None and own.way is not None  # "full write | random write"
    above = Load() if is_other and table.above.random else table.above
    if above.block_bytes is None and agree(group.values, table.block_bytes):
        above = above._replace(block_bytes=table.block_bytes)
    first = group.row.row.line
    return built(
        own,
        above,
        group.values,
        Source(reader=NAME, first_line=first + 1, last_line=group.last_line + 1),
        group.words,
        told=told,
    )
