"""Where a text holds tables of measured quantities, and what the lines around them say of their numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from radoscope import patterns as re
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.alternatives import Alternatives
from radoscope.formats.grammar.phrases import LATENCY, RATE, Load, cell_of, heading_of
from radoscope.formats.tables.aligned import collect_below_rule, collect_columns, collect_ruled
from radoscope.formats.tables.bars import (
    collect,
    is_barred,
    with_whole_rows,
    without_latex,
    without_leaders,
    without_list_tables,
)
from radoscope.formats.tables.flattened import heads_quantities, heads_rows_of_quantities, heads_tests, without_glue
from radoscope.formats.tables.grid import (
    CELL,
    HINT,
    HINTS,
    LONGEST_LINE,
    LONGEST_PAIRS,
    MOST_ROWS,
    RULE,
    THOUSANDS,
    UNITED,
    Grid,
    Row,
    hints,
    is_value,
)
from radoscope.formats.tables.paths import collect_paths
from radoscope.formats.tables.sides import collect_sides
from radoscope.formats.tables.unaligned import (
    collect_blanks,
    collect_pairs,
    collect_stacked,
    heads_loads,
    heads_rows_of_loads,
    heads_united_rows,
    may_be_separated,
)

_MOST_CANDIDATES = 20_000
"""Beyond so many rows and beginnings of tables a text is noise, and the rest of it is not looked through."""
_DISK_MARK = re.compile(
    r"\W*(?:(?:seq(?:uential)?|rand(?:om)?|rnd)\b.{0,20}|(?:4|8|16|128|512) ?K(?:i?B)?[ _-]{0,2})"
    r"(?:\( ?Q ?= ?\d{1,3} ?, ?T ?= ?\d{1,3} ?\)|\bQ\d{1,3}T\d{1,3}\b)",
    re.IGNORECASE,
)
_64_THREADS = re.compile(r"\W*4k ?[-_] ?64 ?-?thrd\b", re.IGNORECASE)
AS_SSD_TEST = re.compile(r"\W*(?:seq(?:uential)?|4k|4k ?[-_] ?64 ?-?thrd)(?![\w-])", re.IGNORECASE)
_READ_WRITE = re.compile(r"\s*(?:[^\W\d][\w ]{0,20})?\s+reads?\s{2,}writes?\s*", re.IGNORECASE)
_DECIMALS = re.compile(r"\W*\d+[.,]\d{1,3}(?!\d)")
_SHORT_TIME = re.compile(r"\W*(?:(?:in|en|в) )?(?:ms(?:ec)?|[uµμ]s(?:ec)?|мкс|мс|毫秒|微秒)\W*", re.IGNORECASE)
"""In the corner of a table: what its numbers are."""
_SHORT_TIME_FIRST = re.compile(rf"[\s*~≈]*\d[\d.,]{{0,8}} ?(?!s)(?:{words.TIME_UNIT})(?![^\W\d_])", re.IGNORECASE)
_TAILS = re.compile(r"(?<![a-z\d])p ?\d\d\b.*[(\[](?:[mµμu]s(?:ec)?|мк?с)[)\]]", re.IGNORECASE)
_TAIL = re.compile(
    r"\W*(?:p ?\d\d(?:\.\d{1,2})?|\d\d(?:\.\d{1,2})?(?:th|%)|median)\W*(?:[(\[](?:[mµμu]s(?:ec)?|мк?с)[)\]])?\W*",
    re.IGNORECASE,
)
_SYNC, _SYNCED_WITHIN = re.compile(r"(?<![a-z])f(?:data)?sync(?![a-z])", re.IGNORECASE), 16
_OF_NUMBERS = re.compile(
    r"[#\W\d]*(?:(?:measured|test|benchmark|our|the|raw) ){0,2}(?:numbers?|results?|values?|measurements?|figures?"
    r"|ergebnisse|messwerte|résultats|resultados|risultati|wyniki|результаты|结果|測定結果|結果|결과)\W*",
    re.IGNORECASE,
)
_SECTION = re.compile(r"[-=*]{4,} ?[^\W\d].* ?[-=*]{4,}")
_HEADS_SECTION = re.compile(
    rf"[#\s*]{{0,8}}(?:{words.IOPS}|(?:{words.BANDWIDTH}) ?[(\[,]?(?:in )?[KMG]i?B/s[)\]]?)"
    r"(?: (?:tests?|results?|benchmarks?|measurements?|numbers))?[\s:*#]{0,8}",
    re.IGNORECASE,
)
_UNDERLINE = re.compile(r"\s*(?:={3,}|-{3,}|~{3,})\s*")
_QUANTITY_BELOW = re.compile(r"\W{0,3}(?:in )?(?:iops|[kmg]i?b/s)[,.;) ]", re.IGNORECASE)
_FARTHEST_BELOW = 16
_STRETCH = 500
_LONGEST_TITLE, _HEADED_WITHIN = 40, 24
_BLANKS_WITHIN = 2
"""Lines within a table, of which the last may be those at which a reader of rows stopped."""
_EXACT, _FEW_DIGITS, _QUOTED_WITHIN = re.compile(r"\d{1,7}(?:\.\d{1,3})?"), 3, 12
_QUOTE = re.compile(
    r"(?<![\w.,])(?P<number>\d{1,7}(?:\.\d{1,3})?)(?P<unit> ?(?:[kmg]i?b(?:ytes?)?/s(?:ec)?|iops|[kmg]bps))(?![a-z])",
    re.I,
)
_LONGEST_PAGE_LINE, _FEW_HINTS = 300, 20
_FULL_STOP = re.compile(r"(?<=[^\W_]{4})\. ")
_LONGEST_CAPTION, _SECTION_WITHIN = 120, 48
_PARTS = re.compile(r"(?<=[.;:])\s+")
_LEGEND = re.compile(
    r"\W*(?:(?:all|the|these|alle|die|toutes|todos|все) )?(?:numbers?|values?|results?|figures?|cells?"
    r"|entries|format|legend|units?|first (?:numbers?|values?)|(?:die )?erste (?:zahl|werte?)"
    r"|werte|zahlen|angaben|einheit\w*|valeurs|chiffres|unit[ée]s?|valores|unidad\w*|wartości|jednostk\w"
    r"|значения|числа|цифры|数值|数字"
    r"|单位|單位|単位|数値|단위)(?![a-z])",
    re.IGNORECASE,
)


_UNIT_ALONE = r"(?P<unit>IOPS|[KMG]i?B/s(?:ec)?)"
_MEASURED = re.compile(
    rf"(?:\b(?:measur|mesur|mid|med[ií]|misur|mierz|zmierz|měř|změř)\w*|мер[иея]\w+|测(?:试|量|定|得)?了?的?是?|gemessen:?)"
    rf"(?: (?:the|les|los|as|gli|in|en)){{0,2}} ?{_UNIT_ALONE}"
    rf"|{_UNIT_ALONE.replace('unit', 'before')} ?(?:[をがはの를을]|were |was |wurden? )? ?"
    r"(?:測定|計測|측정|measured|gemessen)",
    re.IGNORECASE,
)

_EVERYWHERE = Alternatives(words.EVERYWHERE)
_SUPPOSED = Alternatives(f"{words.WISHED}|{words.NOT_MEASURED}")
_CLAUSE, _MOST_WORDS_OF_UNIT = re.compile(r"[,;:.()，；：。（）、]+|\s[–—-]\s"), 10
_OF_LINES = re.compile(r"带宽|帶寬|帯域|скорост", re.IGNORECASE)
"""They tell of machines, too."""


_OF_BOTH_WAYS = re.compile(
    rf"\W*(?:{words.READ})[\w ]{{0,12}}(?:[/,&+]|\s\w{{1,3}}\s)\s?(?:{words.WRITE})[^\d|:]{{0,40}}?"
    rf"(?:{RATE}|{words.IOPS})[^\w:：]*",
    re.IGNORECASE,
)
""" "Read/Write in MB/s.": a sentence of both directions and their unit; with a colon it is of the next table alone."""


def legend_of(lines: Sequence[str]) -> str:
    """The line that says of all tables of a page what their numbers are: "Numbers are IOPS."; "" where none does."""
    hinting = (line for line in lines if len(line) <= _LONGEST_PAGE_LINE and hints(line))
    told = [(line, _PARTS.split(line)) for line in hinting]
    parts = [part for _, split in told for part in split]
    whole = (part for line, split in told for part in (*split, line))  # "Units: MB/s", too
    legend = next((part for part in whole if len(part) <= 100 and hints(part) and _is_legend(part)), "")
    return legend or _said_of_everywhere(parts) or _only_measured(parts)


def _is_legend(part: str) -> bool:
    return _LEGEND.match(part) is not None or _OF_BOTH_WAYS.fullmatch(part) is not None


def _said_of_everywhere(parts: Iterable[str]) -> str:
    """ "As above, MB/s everywhere": the clause or the aside with one unit, no number and no load; "" where there is
    none, or where another names another unit."""
    clauses = (clause.strip() for part in parts if _EVERYWHERE.search(part) for clause in _CLAUSE.split(part))
    told = {
        phrase.quantities[0]: clause
        for clause in clauses
        if _EVERYWHERE.search(clause) and not any(map(str.isdecimal, clause))
        if len((phrase := heading_of(clause)).quantities) == 1 and phrase.quantities[0].factor
        if phrase.load == Load() and len(clause.split()) <= _MOST_WORDS_OF_UNIT and not _SUPPOSED.search(clause)
    }
    return next(iter(told.values())) if len(told) == 1 else ""


def _only_measured(parts: Iterable[str]) -> str:
    """The unit in which a page says that was measured, and which is the only one that it names; "" of any other."""
    hinting = list(islice(filter(hints, parts), _FEW_HINTS + 1))
    if len(hinting) > _FEW_HINTS or len(told := [match for part in hinting if (match := _MEASURED.search(part))]) != 1:
        return ""
    unit = str(told[0]["unit"] or told[0]["before"])
    named = {match[0].lower() for part in hinting for match in HINT.finditer(part)}
    return unit if all(unit.lower() in name or _OF_LINES.fullmatch(name) for name in named) else ""


def find_grids(lines: Sequence[str]) -> Iterator[Grid]:
    """Every table that has a heading of a measured quantity in it, in the order of the text; one pass."""
    at, free, candidates = 0, 0, 0
    lines = with_whole_rows(without_leaders(without_list_tables(without_latex(without_glue(lines)))))
    hopeful = _hopeful_stretches(lines)
    has_legend = bool(legend_of(lines))
    while at < len(lines) and candidates < _MOST_CANDIDATES:
        line = lines[at]
        grid: Grid | None = None
        if len(line) <= LONGEST_LINE and line.strip() and not RULE.fullmatch(line):
            grid = _marked(lines, at)
            if grid is None and hopeful[at // _STRETCH] and _may_be_heads(lines, at):
                candidates += 1
                grid = _aligned(lines, at, free)
        if grid is None or _are_keys(grid):
            at += 1
            continue
        grid = _with_heads_above_title(lines, _with_rest(lines, grid))
        candidates += len(grid.rows)
        if has_legend or _is_of_results(lines, grid):
            yield grid
        at = free = max(grid.end, at + 1)


def _marked(lines: Sequence[str], at: int) -> Grid | None:
    """A table whose cells are parted by signs: bars, tabs, equals signs, paths."""
    line, grid = lines[at], None
    if "|" in line and is_barred(line):
        grid = collect(lines, at, "bars")
    elif "\t" in line and "\t" in line.strip():
        grid = collect(lines, at, "tabs")
    if grid is None and "=" in line:
        grid = collect_pairs(lines, at)
    return grid or collect_paths(lines, at) or collect_sides(lines, at)


def _may_be_heads(lines: Sequence[str], at: int) -> bool:
    """Whether a table of blanks or lines may begin here."""
    return (
        hints(lines[at])
        or _may_be_captioned(lines, at)
        or heads_loads(lines, at)
        or heads_rows_of_loads(lines, at)
        or heads_united_rows(lines, at)
        or heads_tests(lines, at)
        or heads_quantities(lines, at)
        or heads_rows_of_quantities(lines, at)
        or may_be_separated(lines, at)
        or _may_be_flattened(lines, at)
        or _may_be_of_disk_mark(lines, at)
    )


def _aligned(lines: Sequence[str], at: int, free: int) -> Grid | None:
    """A table whose cells stand below each other, or one by one on lines of their own."""
    return (
        collect_ruled(lines, at)
        or _longer(collect_columns(lines, at), collect_below_rule(lines, at))
        or collect_blanks(lines, at)
        or collect_stacked(lines, at, free)
    )


def _is_of_results(lines: Sequence[str], grid: Grid) -> bool:
    return (
        any(HINT.search(cell) for row in grid.rows for cell in row.cells)
        or bool(_captioned(lines, grid) or quoted_unit(lines, grid))
        or is_of_disk_mark(grid)
        or is_of_as_ssd(grid)
        or _is_of_latencies(grid)
        or _heads_ways(grid)
        or _heads_times(grid)
        or _values_ios(grid)
        or load_of_syncs(lines, grid) is not None
        or any(map(_times_syncs, grid.rows[1:]))
    )


def _times_syncs(row: Row) -> bool:
    """ "pg_test_fsync fdatasync | 0.98 ms | 1.33 ms"."""
    if not _SYNC.search(row.cells[0]):
        return False
    return any(value.kind == LATENCY for cell in row.cells[1:] for value in cell_of(cell).values(False))


def _longer(one: Grid | None, other: Grid | None) -> Grid | None:
    """The one with more rows, the first of equals: a label that is too long for its column ends the other."""
    return max((grid for grid in (one, other) if grid), key=lambda grid: len(grid.rows), default=None)


def _are_keys(grid: Grid) -> bool:
    """ "Transfer rate:   83660 [Kbytes/sec]" above "----- Reading -----": names with their values, and no head."""
    return grid.style == "blanks" and any(_SECTION.fullmatch(cell) for row in grid.rows for cell in row.cells)


def _with_rest(lines: Sequence[str], grid: Grid) -> Grid:
    """Where there are more rows than are read, the table goes on to the next blank line, unless they name what they
    hold themselves and are a table of their own."""
    if grid.end - grid.first < MOST_ROWS - _BLANKS_WITHIN:
        return grid
    end = next((at for at in range(grid.end, len(lines)) if not lines[at].strip()), len(lines))
    return grid if end == grid.end or any(map(hints, lines[grid.end : end])) else replace(grid, end=end, is_cut=True)


def _with_heads_above_title(lines: Sequence[str], grid: Grid) -> Grid:
    """Heads that stand once for several parts of rows, each below the name of a quantity: "vol-a  vol-b", "IOPS"."""
    width = len(grid.rows[0].cells)
    is_headless = grid.style == "blanks" and not grid.heads and width > 2
    if not is_headless or not grid.first or not _titles_rows(lines[grid.first - 1]):
        return grid
    for at in range(grid.first - 1, max(-1, grid.first - _HEADED_WITHIN), -1):
        cells = CELL.findall(lines[at].strip())
        if len(cells) == width - 1 and not any(map(is_value, cells)):
            return replace(grid, rows=(Row(at, ("", *cells)), *grid.rows), heads=1)
        if cells and len(cells) != width and not _titles_rows(lines[at]):
            break
    return grid


def _titles_rows(line: str) -> bool:
    """The name of a quantity with its unit, and nothing else: "Latency (ns)"."""
    phrase = heading_of(line.strip()[:_LONGEST_TITLE])
    is_alone = len(line) <= _LONGEST_TITLE and not (phrase.rest or phrase.ways or phrase.names_values)
    return is_alone and len(phrase.quantities) == 1 and phrase.quantities[0].factor is not None


def _captioned(lines: Sequence[str], grid: Grid) -> bool:
    """A short line just above or below the table names the quantity: "Throughput in MB/s"."""
    below = [line for line in lines[grid.end : grid.end + 4] if line.strip()]
    is_hinted = any(hints(line) for line in below[:1] if len(line) <= _LONGEST_CAPTION)
    return _hinted_above(lines, grid.first) or is_hinted or bool(quantity_of_section(lines, grid.first))


def quantity_of_section(lines: Sequence[str], first: int) -> str:
    """The heading above this line, where it is the name of a quantity: "IOPS tests", underlined; else ""."""
    for at in range(first - 1, max(-1, first - _SECTION_WITHIN), -1):
        line, below = lines[at], lines[at + 1] if at + 1 < len(lines) else ""
        is_underlined = line.strip() and "\t" not in line.strip() and _UNDERLINE.fullmatch(below)
        if (is_underlined and not _UNDERLINE.fullmatch(line)) or line.startswith("#"):
            return line.strip() if _HEADS_SECTION.fullmatch(line) else ""
    return ""


def quoted_unit(lines: Sequence[str], grid: Grid) -> str:
    """The unit behind one of the table's own numbers in the lines around it: "up to 3117.4 MiB/s"; "" where none is."""
    cells = (cell.strip(" *") for row in grid.rows[1:] for cell in row.cells[1:])
    numbers = {
        cell for cell in cells if _EXACT.fullmatch(cell) and len(cell.replace(".", "").rstrip("0")) > _FEW_DIGITS
    }
    around = [*lines[max(0, grid.first - _QUOTED_WITHIN) : grid.first], *lines[grid.end : grid.end + _QUOTED_WITHIN]]
    quotes = (match for line in around if numbers and "|" not in line for match in _QUOTE.finditer(line[:LONGEST_LINE]))
    units = {match["unit"].strip() for match in quotes if match["number"] in numbers}
    return units.pop() if len(units) == 1 else ""


def is_of_disk_mark(grid: Grid) -> bool:
    """Whether the rows have the names of CrystalDiskMark's tests, and numbers with decimals: these are in MB/s."""
    rows = [row for row in grid.rows[1:] if any(row.cells[1:])]
    return len(rows) > 1 and all(
        _DISK_MARK.match(row.cells[0]) and any(map(_DECIMALS.match, row.cells)) for row in rows
    )


def is_of_as_ssd(grid: Grid) -> bool:
    """Whether heads or labels are the tests of AS SSD, of which one is called as nobody else calls it: in MB/s."""
    heads, labels = grid.rows[0].cells, [row.cells[0] for row in grid.rows[1:]]
    return any(
        any(map(_64_THREADS.match, names)) and sum(1 for name in names if AS_SSD_TEST.match(name)) > 2
        for names in (heads, labels)
    ) and not any(map(hints, (*heads, *labels)))


def _heads_ways(grid: Grid) -> bool:
    """Reads and writes above numbers: what they count is missing, and that is told."""
    ways = [heading_of(cell).load.way for cell in grid.rows[0].cells[1:]]
    return {"read", "write"} <= set(ways)


def _heads_times(grid: Grid) -> bool:
    """ "median ms | p99 ms": several points of times with their unit."""
    named = (heading_of(cell) for cell in grid.rows[0].cells[1:])
    return sum(1 for each in named if each.statistics and [one.kind for one in each.quantities] == [LATENCY]) > 1


def _is_of_latencies(grid: Grid) -> bool:
    """A unit of time in the corner, and a direction or a statistic in front of each row."""
    if _SHORT_TIME.fullmatch(grid.rows[0].cells[0]) is None:
        return False
    labels = (heading_of(row.cells[0]) for row in grid.rows[1:])
    return all(label.statistics or label.load.way for label in labels)


def _values_ios(grid: Grid) -> bool:
    """ "sequential read | 1.4 ms | 61 us", "fsync | 2.1 ms", "4k randread QD32 | 412k": beside each of the operations,
    or below each, short times or thousands."""
    return any(
        len(table) > 1
        and all(map(_are_short_or_many, (cells for _, *cells in table)))
        and all(_names_io(name) for name, *_ in table)
        for table in _rows_and_columns(grid)
    )


def _are_short_or_many(cells: Sequence[str]) -> bool:
    """Most of the cells; others may hold remarks."""
    return any(
        2 * sum(1 for cell in cells if own(cell)) > len(cells) for own in (_SHORT_TIME_FIRST.match, THOUSANDS.fullmatch)
    )


def _names_io(name: str) -> bool:
    load = heading_of(name).load
    is_of_io = load.way is not None and (load.random is not None or load.block_bytes is not None)
    return is_of_io or _SYNC.search(name) is not None


def _rows_and_columns(grid: Grid) -> Iterator[Sequence[Sequence[str]]]:
    """Without heads, and without labels."""
    yield [row.cells for row in grid.rows[1:]]
    width = min(len(row.cells) for row in grid.rows)
    yield [[row.cells[at] for row in grid.rows] for at in range(1, width)]


def load_of_syncs(lines: Sequence[str], grid: Grid) -> Load | None:
    """Of tails of times, "p50 | p99 | max", below lines that tell of fsync or fdatasync: writes, of the size that these
    lines name. None of other tables."""
    if not has_tails(grid):
        return None
    labels = [row.cells[0] for row in grid.rows[1:]]
    told = [line for line in (*_own_lines_above(lines, grid.first), *grid.rows[0].cells, *labels) if _SYNC.search(line)]
    sizes = {size for line in told if (size := heading_of(line).load.block_bytes)}
    return Load(way="write", block_bytes=sizes.pop() if len(sizes) == 1 else None) if told else None


def has_tails(grid: Grid) -> bool:
    """ "p50 | p99": several points of a distribution, which nobody knows without a measurement."""
    names = grid.rows[0].cells, [row.cells[0] for row in grid.rows[1:]]
    return any(sum(map(bool, map(_TAIL.fullmatch, each))) > 1 for each in names)


def _own_lines_above(lines: Sequence[str], first: int) -> Iterator[str]:
    """Up to the heading, and beyond one that says no more than that results follow."""
    for line in reversed(lines[max(0, first - _SYNCED_WITHIN) : first]):
        yield line
        if line.startswith("#") and not _OF_NUMBERS.fullmatch(line):
            return


def last_sentence(line: str) -> str:
    """Behind the last full stop; "s.d. of 5 runs" and "Tab. 3" hold none."""
    return _FULL_STOP.split(line)[-1]


def _hinted_above(lines: Sequence[str], first: int) -> bool:
    above = [last_sentence(line) for line in lines[max(0, first - 5) : first] if line.strip()]
    return any(hints(line) or _TAILS.search(line) for line in above[-2:] if len(line) <= _LONGEST_CAPTION)


def _may_be_captioned(lines: Sequence[str], at: int) -> bool:
    """A line of cells whose quantity stands above them or below."""
    if len(CELL.findall(lines[at])) < 2:
        return False
    return (
        _hinted_above(lines, at)
        or any(map(hints, lines[at + 1 : at + 3]))
        or any(map(_QUANTITY_BELOW.match, lines[at + 3 : at + _FARTHEST_BELOW]))
    )


def _may_be_flattened(lines: Sequence[str], at: int) -> bool:
    """A few words above two lines that end in the same number of cells with units."""
    below = lines[at + 1 : at + 3]
    counts = {len(UNITED.findall(line)) for line in below if len(line) <= LONGEST_PAIRS and "/s" in line}
    return len(below) == 2 and len(counts) == 1 and 1 < counts.pop() == len(lines[at].split()) - 1


def _may_be_of_disk_mark(lines: Sequence[str], at: int) -> bool:
    """ "Read  Write" above the tests of CrystalDiskMark."""
    below = lines[at + 1] if at + 1 < len(lines) else ""
    return _READ_WRITE.fullmatch(lines[at]) is not None and _DISK_MARK.match(below) is not None


def _hopeful_stretches(lines: Sequence[str]) -> tuple[bool, ...]:
    """For each stretch of lines whether any of them can hold a heading: in a long log hardly any does, and looking at a
    stretch as a whole is ten times as fast as line by line."""
    stretches = ("\n".join(lines[at : at + _STRETCH]).lower() for at in range(0, len(lines), _STRETCH))
    return tuple(any(hint in stretch for hint in HINTS) for stretch in stretches)
