"""Tables of IOPS, bandwidth and latency that people write: one result a row and kind of load.

A number counts only under a heading (or with a unit in its cell) that says what it is. Data sheets, prices, limits
and monitoring are no results. MB are 1,000,000 bytes unless IOPS x block size of the same row say that they are MiB.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from radoscope.errors import UnreadableFile
from radoscope.formats.quantities import latency, number, writes_decimal_commas
from radoscope.formats.table_grid import Grid, Row, find_grids
from radoscope.formats.table_words import (
    Heading,
    Load,
    block_of,
    compares,
    heading_of,
    is_monitoring,
    is_specification,
    load_of,
    sums_up,
    value_of,
    values_of,
)
from radoscope.records.extra import Extra
from radoscope.records.measurement import Result, Source

NAME = "table"
LOOKS_BACK = 14

_COMMA_LANGUAGES = re.compile(
    r"durchsatz|latenz|lesen|schreiben|messung|mittlere|blockgr|задержк|запис|чтени|скорост|débit|latence", re.I
)
_SENTENCE = re.compile(r"[.。!?！？;]\s*$|[。！？]|\. [A-ZÄÖÜ]|(?:です|ます|ました|ません)$")
_BULLET = re.compile(r"[•・*-]\s")
_QUOTED_VALUE = re.compile(r"\d\s*(?:k?iops|[kmg]i?b/s|[mu]s\b)", re.I)
_MOST_CAPTIONS = 6
_Spread = Literal[
    "iops_min", "iops_max", "iops_stddev", "bw_min_bytes_per_s", "bw_max_bytes_per_s", "bw_stddev_bytes_per_s"
]
_SPREADS: Mapping[tuple[str, str], _Spread] = {
    ("iops", "min"): "iops_min",
    ("iops", "max"): "iops_max",
    ("iops", "stddev"): "iops_stddev",
    ("bandwidth", "min"): "bw_min_bytes_per_s",
    ("bandwidth", "max"): "bw_max_bytes_per_s",
    ("bandwidth", "stddev"): "bw_stddev_bytes_per_s",
}
_BINARY = {1e3: 1.024, 1e6: 1.048576, 1e9: 1.073741824}


@dataclass(frozen=True, slots=True)
class _Table:
    """A grid with its headings read. commas: it writes decimal commas."""

    grid: Grid
    headings: tuple[Heading, ...]
    body: tuple[Row, ...]
    commas: bool


@dataclass(frozen=True, slots=True)
class _Draft:
    """A result and the factor from its printed bandwidth to bytes/s, None without one."""

    result: Result
    rate_factor: float | None


def recognises(head: str) -> bool:
    return re.search(r"iops|[kmg]i?b/s|latenc|latenz|延|задерж|レイテンシ", head, re.I) is not None


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges of the tables that give at least one result."""
    for grid in _grids(lines):
        if _results_of(grid, lines):
            yield grid.first, grid.end


def read(text: str) -> tuple[Result, ...]:
    """Every result of every table; headings above a table give what it does not say. Raises UnreadableFile."""
    lines = text.splitlines()
    results = [result for grid in _grids(lines) for result in _results_of(grid, lines)]
    if not results:
        raise UnreadableFile("no table of results in this text", "Its headings must name IOPS, MB/s or a latency.")
    return tuple(results)


def _grids(lines: Sequence[str]) -> Iterator[Grid]:
    """Tables; where heads stand between rows of numbers, a table of its own begins."""
    for grid in find_grids(lines):
        start = 0
        for at in range(2, len(grid.rows)):
            row = grid.rows[at]
            if at > start + 1 and _has_values(grid.rows[at - 1]) and not _has_values(row) and _is_head(row):
                part = grid.rows[start:at]
                yield replace(
                    grid, first=part[0].line, end=part[-1].line + 1, rows=part, heads=grid.heads if not start else None
                )
                start = at
        part = grid.rows[start:]
        yield grid if not start else replace(grid, first=part[0].line, rows=part, heads=None)


def _is_head(row: Row) -> bool:
    return any(heading_of(cell).measures for cell in row.cells)


def _results_of(grid: Grid, lines: Sequence[str]) -> list[Result]:
    captions = _captions(lines, grid.first)
    words = "\n".join(cell for row in grid.rows for cell in row.cells)
    if is_monitoring(words) or is_specification(words) or any(_names_specification(line) for line in captions[:2]):
        return []
    table = _table(grid, captions) or (_table(_transposed(grid), captions) if grid.style in ("bars", "tabs") else None)
    if table is None:
        return []
    above = _caption_load(captions)
    return _with_proven_units([draft for row in table.body for draft in _read_row(table, row, above)])


def _captions(lines: Sequence[str], first: int) -> list[str]:
    """The lines above, nearest first, that may name what the table shows; sentences may not."""
    found = []
    for line in reversed(lines[max(0, first - LOOKS_BACK) : first]):
        if "|" in line or "\t" in line.strip():
            break
        if line.strip():
            found.append(line.strip()[:300])
        if len(found) >= _MOST_CAPTIONS:
            break
    return [line for line in found if len(line) <= 160 and not _SENTENCE.search(line)]


def _names_specification(caption: str) -> bool:
    return len(caption) <= 60 and not _BULLET.match(caption) and is_specification(caption)


def _caption_load(captions: Sequence[str]) -> Load:
    for line in captions:
        load = load_of(line)
        if load.way is not None or (load.block_bytes is not None and load.depth is not None):
            return load
    return Load()


# --- which column holds what --------------------------------------------------------------------------------------


def _table(grid: Grid, captions: Sequence[str]) -> _Table | None:
    """The grid's headings, where at least one column is measured and the rows below hold numbers."""
    width = max(len(row.cells) for row in grid.rows)
    heads = _head_count(grid)
    if heads == 0 or width < 2:
        return None
    headings = _headings(grid.rows[:heads], width)
    body = _with_merged_labels([row for row in grid.rows[heads:] if len(row.cells) == width])
    headings = _shared_metric(headings, captions)
    texts = [cell for row in body for cell in row.cells]
    if headings[0].measures and not any(value_of(row.cells[0], headings[0], False) for row in body):
        headings = (Heading(headings[0].text), *headings[1:])  # "Latency (ms)" above the labels
    if not any(heading.measures for heading in headings):
        headings = _units_in_cells(headings, body)
    if not any(heading.measures or heading.kind == "cell" for heading in headings):
        return None
    commas = _writes_commas(texts, " ".join(heading.text for heading in headings))
    return _Table(grid, headings, body, commas)


def _with_merged_labels(rows: Sequence[Row]) -> tuple[Row, ...]:
    """A row whose first cell is empty carries on the label above, as cells that were merged do."""
    filled: list[Row] = []
    for row in rows:
        if filled and not row.cells[0] and any(re.search(r"[^\W\d]", cell) for cell in row.cells[1:2]):
            row = replace(row, cells=(filled[-1].cells[0], *row.cells[1:]))
        filled.append(row)
    return tuple(filled)


def _head_count(grid: Grid) -> int:
    """Rows above the rule; without one, the leading rows that hold no number at all."""
    if grid.heads is not None and 1 <= grid.heads <= 3 and not any(_has_values(row) for row in grid.rows[: grid.heads]):
        return grid.heads
    heads = 0
    for row in grid.rows[:3]:
        if _has_values(row):
            break
        heads += 1
    return heads if heads < len(grid.rows) else 1


def _has_values(row: Row) -> bool:
    """Whether a cell is a number, or a number with its unit; "4K IO/s" names a size and heads a column."""
    return any(
        number(cell.strip(" *`~")) is not None
        or (value_of(cell, Heading(""), False) is not None and block_of(cell, is_heading=True) is None)
        for cell in row.cells
    )


def _headings(rows: Sequence[Row], width: int) -> tuple[Heading, ...]:
    """One heading a column; of two rows of headings the upper spans as many columns as it has to."""
    texts = [""] * width
    for row in rows:
        cells = list(row.cells)
        if len(cells) < width and len(cells) > 1 and (width - 1) % (len(cells) - 1) == 0:
            span = (width - 1) // (len(cells) - 1)
            cells = [cells[0], *(cell for cell in cells[1:] for _ in range(span))]
        elif len(rows) > 1 and row is rows[0]:
            for at in range(2, len(cells)):
                cells[at] = cells[at] or cells[at - 1]
        for at, cell in enumerate(cells[:width]):
            texts[at] = f"{texts[at]} {cell}".strip()
    return tuple(heading_of(text) for text in texts)


def _shared_metric(headings: tuple[Heading, ...], captions: Sequence[str]) -> tuple[Heading, ...]:
    """Only the corner or the caption names the quantity: then it is that of all columns which name a load."""
    if any(heading.measures for heading in headings[1:]):
        return headings
    sources = [headings[0]] if headings[0].measures and headings[0].factor else []
    sources += [heading_of(line) for line in captions[:1] if len(line) <= 60 and not _QUOTED_VALUE.search(line)]
    shared = next((each for each in sources if each.measures and each.factor and each.statistic == "mean"), None)
    if shared is None:
        return headings
    named = shared is headings[0]
    columns = [
        replace(each, kind=shared.kind, factor=shared.factor)
        if each.kind == "" and each.text and (named or each.load.way is not None)
        else each
        for each in headings[1:]
    ]
    return (Heading(headings[0].text), *columns)


def _units_in_cells(headings: tuple[Heading, ...], body: Sequence[Row]) -> tuple[Heading, ...]:
    """Columns in which most cells carry their unit."""

    def is_measured(at: int) -> bool:
        cells = [row.cells[at] for row in body if row.cells[at]]
        own = sum(1 for cell in cells if value_of(cell, Heading(""), False))
        return bool(cells) and own * 2 > len(cells)

    return tuple(
        replace(heading, kind="cell") if at > 0 and heading.kind == "" and is_measured(at) else heading
        for at, heading in enumerate(headings)
    )


def _writes_commas(cells: Sequence[str], heads: str) -> bool:
    numbers = "\n".join(cell for cell in cells if cell[:1].isdigit())
    if writes_decimal_commas(numbers):
        return True
    return "," in numbers and _COMMA_LANGUAGES.search(heads) is not None and not re.search(r",\d{3}\.\d", numbers)


def _transposed(grid: Grid) -> Grid:
    """Rows for columns: tables that name the quantities at the left. Every row keeps the first line of the table."""
    width = max(len(row.cells) for row in grid.rows)
    full = [row for row in grid.rows if len(row.cells) == width]
    rows = tuple(Row(grid.first, tuple(row.cells[at] for row in full)) for at in range(width))
    return Grid(grid.first, grid.end, rows, grid.style, heads=1 if full and not _has_values(rows[0]) else None)


# --- rows ---------------------------------------------------------------------------------------------------------


def _read_row(table: _Table, row: Row, above: Load) -> list[_Draft]:
    cells = zip(row.cells, table.headings, strict=True)
    label_cells = [cell for cell, heading in cells if _labels(cell, heading)]
    label = ", ".join(label_cells)
    if compares(label) or sums_up(label):
        return []
    load = _attributes(table, row).over(load_of(" ".join(label_cells)))
    drafts = []
    for words, columns in _groups(table.headings):
        draft = _draft(table, row, columns, load, above)
        if draft is not None:
            named = ", ".join(each for each in (label, words) if each)
            extra: Extra = {"label": named} if named else {}
            extra |= draft.result.extra
            drafts.append(replace(draft, result=replace(draft.result, extra=extra)))
    return drafts


def _labels(cell: str, heading: Heading) -> bool:
    """A cell of words below a heading of no quantity; "Read" below "Block Size" is one too."""
    if heading.kind in ("block", "depth", "jobs"):
        return re.fullmatch(r"[^\W\d]{3,20}", cell) is not None
    return heading.kind == "" and re.search(r"[^\W\d]", cell) is not None


def _attributes(table: _Table, row: Row) -> Load:
    """Block size, depth and jobs from columns of their own."""
    load = Load()
    for cell, heading in zip(row.cells, table.headings, strict=True):
        if heading.kind == "block":
            plain = number(cell)
            size = (
                block_of(cell)
                if plain is None
                else plain * heading.factor
                if heading.factor
                else plain
                if plain >= 512
                else None
            )
            load = load._replace(block_bytes=int(size) if size else None)
        elif heading.kind in ("depth", "jobs"):
            value = number(cell.lstrip("QqTtDd= "))
            whole = int(value) if value and value == int(value) else None
            load = load._replace(depth=whole) if heading.kind == "depth" else load._replace(jobs=whole)
    return load


def _groups(headings: Sequence[Heading]) -> list[tuple[str, list[int]]]:
    """(words that tell it apart, columns) of each run of a row: by the load in the headings, else by their words."""
    measured = [at for at, heading in enumerate(headings) if heading.measures or heading.kind == "cell"]
    loads = {headings[at].load for at in measured} - {Load()}
    by_load: dict[Load, list[int]] = {}
    for at in measured:
        load = headings[at].load
        if len(loads) <= 1:
            load = Load()
        elif load == Load():
            continue  # "Read IOPS | Write IOPS | Latency": nobody can tell whose latency
        by_load.setdefault(load, []).append(at)
    groups: list[tuple[str, list[int]]] = []
    for columns in by_load.values():
        groups += _split_repeats(headings, columns)
    return groups


def _split_repeats(headings: Sequence[Heading], columns: list[int]) -> list[tuple[str, list[int]]]:
    """Columns of the same quantity belong to different runs; in another unit they say the same again."""
    seen = [(headings[at].kind, headings[at].statistic, headings[at].factor) for at in columns]
    if len(set(seen)) == len(seen) and "cell" not in {kind for kind, _, _ in seen}:
        return [("", columns)]
    by_words: dict[str, list[int]] = {}
    for at in columns:
        heading = headings[at]
        by_words.setdefault(heading.text.lower() if heading.kind == "cell" else heading.words, []).append(at)
    if len(by_words) > 1:
        return list(by_words.items())
    groups: list[list[int]] = [[]]
    for at, key in zip(columns, seen, strict=True):
        if any((headings[each].kind, headings[each].statistic, headings[each].factor) == key for each in groups[-1]):
            groups.append([])
        groups[-1].append(at)
    return [("", group) for group in groups]


def _draft(table: _Table, row: Row, columns: Sequence[int], load: Load, above: Load) -> _Draft | None:
    values: dict[tuple[str, str], float] = {}
    rate_factor = None
    for at in columns:
        heading = table.headings[at]
        plain = replace(heading, kind="", factor=None) if heading.kind == "cell" else heading
        for found in values_of(row.cells[at], plain, table.commas):
            if (found[0], heading.statistic) not in values:
                values[found[0], heading.statistic] = found[1]
                rate_factor = found[2] if found[0] == "bandwidth" else rate_factor
    if not any(kind == "latency" or statistic == "mean" for kind, statistic in values):
        return None
    columns_load = table.headings[columns[0]].load
    for at in columns[1:]:
        columns_load = columns_load.over(table.headings[at].load)
    own = columns_load.over(load)
    if table.headings[columns[0]].kind == "cell" and own.way is None and own.block_bytes is None:
        return None  # "Disk | 550 MB/s" describes a machine
    full = own.over(above)
    names = {"op": "way", "block_bytes": "block_bytes", "queue_depth": "depth", "jobs": "jobs"}
    context = [
        ours for ours, theirs in names.items() if getattr(own, theirs) is None and getattr(full, theirs) is not None
    ]
    transposed = row.line == table.grid.first and table.grid.style != "pairs"
    last = table.grid.end if transposed else row.line + 1
    source = Source(reader=NAME, first_line=row.line + 1, last_line=last)
    return _Draft(_built(full, values, tuple(context), source), rate_factor)


def _built(load: Load, values: Mapping[tuple[str, str], float], context: tuple[str, ...], source: Source) -> Result:
    times = {statistic: value for (kind, statistic), value in values.items() if kind == "latency"}
    extra: Extra = {"mixed": True} if load.mixed else {}
    for quantity, key in _SPREADS.items():
        if quantity in values:
            extra[key] = values[quantity]
    return Result(
        tool=NAME,
        op=load.op,
        block_bytes=load.block_bytes,
        queue_depth=load.depth,
        jobs=load.jobs,
        iops=values.get(("iops", "mean")),
        bandwidth_bytes_per_s=values.get(("bandwidth", "mean")),
        latency=latency(
            min_s=times.get("min"),
            mean_s=times.get("mean"),
            max_s=times.get("max"),
            stddev_s=times.get("stddev"),
            percentiles_s={float(key[1:]): value for key, value in times.items() if key.startswith("p")},
        ),
        source=source,
        context=context,
        extra=extra,
    )


def _with_proven_units(drafts: Sequence[_Draft]) -> list[Result]:
    """MB that are MiB: where IOPS x block size of the whole table agree with 1024-based units and no others."""
    asked = moved = 0.0
    for draft in drafts:
        result = draft.result
        if result.iops and result.block_bytes and result.bandwidth_bytes_per_s and draft.rate_factor in _BINARY:
            moved += result.bandwidth_bytes_per_s
            asked += result.iops * result.block_bytes / _BINARY[draft.rate_factor]
    if not asked or abs(moved / asked - 1) > 0.006:
        return [draft.result for draft in drafts]
    return [replace(draft.result, bandwidth_bytes_per_s=_binary(draft)) for draft in drafts]


def _binary(draft: _Draft) -> float | None:
    rate = draft.result.bandwidth_bytes_per_s
    return None if rate is None else rate * _BINARY.get(draft.rate_factor or 0.0, 1.0)
