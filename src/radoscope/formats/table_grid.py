"""Tables in a text -> grids of cells: bars (Markdown, Jira, wiki, HTML made plain), tabs, and blanks.

A table of blanks counts only when its first line is made of headings from end to end.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from radoscope.formats.phrases import heading_of

LONGEST_LINE = 1500
_MOST_ROWS = 5000
_MOST_CANDIDATES = 20_000
"""Beyond so many rows and beginnings of tables a text is noise, and the rest of it is not looked through."""
_HINTS = (
    "iops",
    "/s",
    "bps",
    "lat",
    "b)",
    "延",
    "遅",
    "レイ",
    "带",
    "帶",
    "吞",
    "帯",
    "スル",
    "задерж",
    "скорост",
    "/с",
    "per second",
    "ping",
    "trip",
    "b sec",
    "b_sec",
    "o rate",
    "o_rate",
    "resp",
    "q1t1",
    "q32t",
)
_HINT = re.compile(
    r"iops|i/?ops?/s|ios?/s|ops/s|(?:read|write)s/s|[kmg]i?(?:[bo]|bytes?)/s|[kmg]bps|[kmg]i?bits?/s|\([kmg]i?b\)|latenc"
    r"|latenz|\blat\b|lat[ (]|延"
    r"|レイテンシ|遅延|带宽|帶寬|吞吐|帯域"
    r"|задержк|скорост|[кмг]б/с|(?:requests|operations) per second|\bping\b|\bround[- ]trip"
    r"|[kmg]i?b[ _]sec|\bi/?o[ _]rate|\bresp(?:onse|\.)?[ _]time",
    re.I,
)
_RULE = re.compile(r"[\s|+:=#\-–—\u2500-\u257f]+")
_STATISTIC = (
    r"(?:avg|average|ave|mean|min|max|median|stdev|stddev|平均|最小|最大|p\s?\d{2,4}(?:\.\d+)?|\d\d(?:\.\d+)?(?:th|%))"
)
_UNIT = r"(?:\s?[(\[][^()\[\]]{1,14}[)\]])"
_METRIC = (
    r"(?:iops|io/s|ops/s|bw|bandwidth|throughput|speed|latency|[cs]?lat|[kmg]i?b/s(?:ec)?|带宽|吞吐量?|延迟|帯域"
    r"|スループット|レイテンシ|durchsatz|latenz"
    r"|bandbreite)"
)
_DIRECTION = r"(?:(?:(?:rand(?:om)?|seq(?:uential)?)[\s._-]?)?(?:reads?|writes?)[\s._-]?)"
_PHRASE = re.compile(
    rf"\s*(?:{_DIRECTION}?(?:{_STATISTIC}[\s._]?)?{_METRIC}(?:[\s._]?{_STATISTIC})?{_UNIT}?(?:\s?-\s?{_STATISTIC}\b)?{_UNIT}?|{_STATISTIC}{_UNIT}?)(?=\s|$)",
    re.I,
)
_METRIC_START = re.compile(rf"(?:^|\s)(?={_DIRECTION}?(?:{_STATISTIC}[\s._]?)?{_METRIC}(?![a-zа-я]))", re.I)
_NUMBER = re.compile(r"[~≈]?\d[\d.,]*[kKM]?(?:[KMGkmg]i?B/s|ms|us|µs|s)?|-|–|—|n/?a|\?", re.I)
_VALUE = re.compile(
    r"^[^:]{1,30}:\s|(?:^|\s)\d[\d.,]*\s?(?:[kmg]i?(?:b|bit|bits|bytes)/s(?:ec)?|[num]sec|[nuµm]s)(?=\s|$)", re.I
)
"""What no line of headings holds: a name with a colon in front ("iops:  82k  264k"), a number with its unit."""
_WITH_UNIT = re.compile(
    r"[~≈]?\d[\d.,'’]*(?: \d{3})*(?:\s?(?:±|\+/-)\s?\d[\d.,]*(?: \d{3})*)?"
    r"\s?(?:[kM]?\s?IOPS|[kKmMgG]i?[bB](?:ytes?|its?)?/s(?:ec)?|[MmGgKk]bps|[mun]?s(?:ec)?"
    r"|µs)?(?:\s?\([^()]{1,30}\))?|-|n/a",
    re.IGNORECASE,
)
_UNITED = re.compile(
    r"(?:[~≈]?\d[\d.,]*[kKM]? / )?[~≈]?\d[\d.,]*\s?(?:[kM]?\s?IOPS|[kKmMgG]i?[bB](?:ytes?|its?)?/s(?:ec)?"
    r"|[MmGgKk]bps|[mun]s(?:ec)?|µs)(?!\S)",
    re.IGNORECASE,
)
_LABEL_AND_VALUES = re.compile(
    rf"\s*(?P<label>[^|:]{{1,60}}?)\s+(?P<values>{_UNITED.pattern}(?:\s+{_UNITED.pattern}){{1,9}})\s*", re.IGNORECASE
)
_UNIT_ALONE = re.compile(r"\W?(?:iops|[kmg]i?b/s(?:ec)?|[kmg]bps)\W?", re.IGNORECASE)
_BARE = re.compile(r"[~≈]?\d[\d.,]*[kKM]?(?!\S)")
_LABEL_AND_NUMBERS = re.compile(
    rf"\s*(?P<label>[^|:]{{1,60}}?)\s+(?P<values>{_BARE.pattern}(?:\s+{_BARE.pattern}){{0,9}})\s*"
)
_PAIR = re.compile(r"\b(iops|bw|bandwidth|[cs]?lat|latency)\s?[=:]\s?(\d[\w.]{0,20}(?:/s(?:ec)?)?)", re.I)
_PAIRS = re.compile(
    rf"(?P<label>[^=:]{{0,40}}:?)(?P<pairs>{_PAIR.pattern}(?:\s?[,;]?\s{{0,20}}{_PAIR.pattern}){{1,3}})\s*", re.I
)
LONGEST_PAIRS = 200
_CELL = re.compile(r"\S+(?: \S+)*(?:(?: {2,3}\([^()\s]{1,8}\))|(?<=\d) {2}(?:[munµ]?s|msec|usec|[KMG]i?B/s)(?!\S))?")
"""Two blanks part cells, but for a unit behind its number."""
_NO_VALUE = re.compile(r"(?:1|2|4|8|16|32|64|128|256|512|1024)[kKM]|\d+(?:\.\d{1,2}){2,}")
_NUMBER_FIRST = re.compile(
    r"(?:(?:R|W|reads?|writes?)\s?[:=]\s?)?[~≈]?\d[\d.,]*(?!\w| ?[a-z]{4})(?![kKM]i?B?(?!\S))", re.I
)
_LABEL_IN_FRONT = re.compile(r"(?P<label>[^:：]{3,60}?)[*_]*\s*[:：][*_]*\s+(?P<value>[~≈]?\d.{0,40})")
_MOST_HEADS = 3
_LOOKED_AT = 40
_ITEM = re.compile(r"\s*(?:[-*•]|\d{1,2}[.)])\s+[^\s|:-]")
_DISK_MARK = re.compile(
    r"\W*(?:(?:seq(?:uential)?|rand(?:om)?|rnd)\b.{0,20}|(?:4|8|16|128|512) ?K(?:i?B)?[ _-]{0,2})"
    r"(?:\( ?Q ?= ?\d{1,3} ?, ?T ?= ?\d{1,3} ?\)|\bQ\d{1,3}T\d{1,3}\b)",
    re.IGNORECASE,
)
_READ_WRITE = re.compile(r"\s*(?:[^\W\d][\w ]{0,20})?\s+reads?\s{2,}writes?\s*", re.IGNORECASE)
_DECIMALS = re.compile(r"\W*\d+[.,]\d{1,3}(?!\d)")
_SHORT_TIME = re.compile(r"\W*(?:(?:in|en|в) )?(?:ms(?:ec)?|[uµμ]s(?:ec)?|мкс|мс|毫秒|微秒)\W*", re.IGNORECASE)
"""In the corner of a table: what its numbers are."""
_QUANTITY_BELOW = re.compile(r"\W{0,3}(?:in )?(?:iops|[kmg]i?b/s)[,.;) ]", re.IGNORECASE)
_FARTHEST_BELOW = 16
_LATEX_RULE = re.compile(r"\s*\\(?:hline|toprule|midrule|bottomrule|cline\{[^}]*\})\s*")
_STRETCH = 500
_DOKU_HEADS = re.compile(r"\s*\^ .+ \^ .*\^\s*$")
_EXACT, _FEW_DIGITS, _QUOTED_WITHIN = re.compile(r"\d{1,7}(?:\.\d{1,3})?"), 3, 12
_QUOTE = re.compile(
    r"(?<![\w.,])(?P<number>\d{1,7}(?:\.\d{1,3})?)(?P<unit> ?(?:[kmg]i?b(?:ytes?)?/s(?:ec)?|iops|[kmg]bps))(?![a-z])",
    re.I,
)
_BAR_RULE, _BROKEN_CELL = re.compile(r"\s*\|?(?:\s*:?-{2,}:?\s*\|)+\s*(?:-+\s*)?"), re.compile(r"[^|]{0,200}\|\s*")
_LINK = re.compile(r"!?\[([^\[\]|]{0,200})\]\([^()\s|]{0,300}\)")
"""Markdown: its text is what a reader sees."""
_OPENED_ROW = re.compile(r"\s*\|\s?[^|]{1,60}")
"""A row of one cell that nobody has closed."""
_DOUBLE_BARS = re.compile(r"\|\|(?:[^|]*\|\|)+")
"""Jira's heads."""
_BOLD = re.compile(r"\*\*([^*|]{1,60})\*\*")
_LIST_TABLE = re.compile(r"\s*\.\. (?:list|flat)-table::")
_LIST_ROW, _LIST_CELL = re.compile(r"\s+\* - (?P<cell>.*)"), re.compile(r"\s+- (?P<cell>.*)")
_LONGEST_STACKED, _WIDEST_STACKED, _MOST_STACKED = 32, 8, 400
_LONGEST_PAGE_LINE = 300
_FULL_STOP = re.compile(r"(?<=[^\W_]{4})\. ")
_LONGEST_CAPTION = 120
_PARTS = re.compile(r"(?<=[.;:])\s+")
_LEGEND = re.compile(
    r"\W*(?:(?:all|the|these|alle|die|toutes|todos|все) )?(?:numbers?|values?|results?|figures?|cells?"
    r"|entries|format|legend|units?|first (?:numbers?|values?)|(?:die )?erste (?:zahl|werte?)"
    r"|werte|zahlen|angaben|einheit\w*|valeurs|chiffres|unit[ée]s?|valores|unidad\w*|wartości|jednostk\w"
    r"|значения|числа|цифры|数值|数字"
    r"|单位|單位|単位|数値|단위)(?![a-z])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Row:
    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: its half-open range of lines and its rows without rules. style: "bars", "tabs", "blanks" or "pairs"."""

    first: int
    end: int
    rows: tuple[Row, ...]
    style: str
    heads: int | None = None
    """How many rows stand above the rule; None where there is no rule."""


def legend_of(lines: Sequence[str]) -> str:
    """The line that says of all tables of a page what their numbers are: "Numbers are IOPS."; "" where none does."""
    short = (part for line in lines if len(line) <= _LONGEST_PAGE_LINE for part in _PARTS.split(line))
    return next((part for part in short if len(part) <= 100 and _LEGEND.match(part) and _hints(part)), "")


def find_grids(lines: Sequence[str]) -> Iterator[Grid]:
    """Every table that has a heading of a measured quantity in it, in the order of the text; one pass."""
    at, candidates = 0, 0
    lines = _with_whole_rows(_without_list_tables(_without_latex(lines)))
    hopeful = _hopeful_stretches(lines)
    has_legend = bool(legend_of(lines))
    while at < len(lines) and candidates < _MOST_CANDIDATES:
        line = lines[at]
        grid: Grid | None = None
        if len(line) <= LONGEST_LINE and line.strip() and not _RULE.fullmatch(line):
            if "|" in line and _is_barred(line):
                grid = _collect(lines, at, "bars")
            elif "\t" in line and "\t" in line.strip():
                grid = _collect(lines, at, "tabs")
            if grid is None and "=" in line:
                grid = _collect_pairs(lines, at)
            if (
                grid is None
                and hopeful[at // _STRETCH]
                and (
                    _hints(line)
                    or _may_be_captioned(lines, at)
                    or _may_be_separated(lines, at)
                    or _may_be_flattened(lines, at)
                    or _may_be_of_disk_mark(lines, at)
                )
            ):
                candidates += 1
                grid = _collect_columns(lines, at) or _collect_blanks(lines, at) or _collect_stacked(lines, at)
        if grid is None:
            at += 1
            continue
        candidates += len(grid.rows)
        if (
            any(_HINT.search(cell) for row in grid.rows for cell in row.cells)
            or has_legend
            or _captioned(lines, grid)
            or quoted_unit(lines, grid)
            or is_of_disk_mark(grid)
            or _is_of_latencies(grid)
        ):
            yield grid
        at = max(grid.end, at + 1)


def _without_latex(lines: Sequence[str]) -> Sequence[str]:
    """Rows of LaTeX as rows of bars, "$\\mu$s" as "µs"."""
    lines = [line.replace("^", "|") if _DOKU_HEADS.match(line) else line for line in lines]
    lines = [line.replace("$\\mu$", "µ") for line in lines]
    if not any(line.rstrip().endswith("\\\\") for line in lines):
        return lines
    return [
        "| " + line.rstrip().removesuffix("\\\\").replace("\\&", "+").replace("\\,", " ").replace("&", "|") + "|"
        if "&" in line and line.rstrip().endswith("\\\\")
        else _LATEX_RULE.sub("|---|", line)
        for line in lines
    ]


def _without_list_tables(lines: Sequence[str]) -> Sequence[str]:
    """Rows of reStructuredText's list tables, a cell a line, as rows of bars."""
    if not any(_LIST_TABLE.match(line) for line in lines):
        return lines
    found = list(lines)
    row = -1
    for at, line in enumerate(lines):
        if match := _LIST_ROW.match(line):
            row, found[at] = at, f"| {match['cell']} |"
        elif row >= 0 and (match := _LIST_CELL.match(line)):
            found[row] += f" {match['cell']} |"
            found[at] = "|---|"
        else:
            row = -1
    return found


def _with_whole_rows(lines: Sequence[str]) -> Sequence[str]:
    """Rows of bars of which a page has broken the line behind each cell, as rows again: the rule between the heads and
    the numbers, which is whole, says how many cells make one."""
    rules = [at for at, line in enumerate(lines) if line.count("|") > 2 and _BAR_RULE.fullmatch(line)]
    found = list(lines)
    for rule in rules:
        width = lines[rule].strip().strip("|").count("|") + 1
        if rule < width or not all(map(_BROKEN_CELL.fullmatch, lines[rule - width : rule])):
            continue
        end = rule + 1
        while end < len(lines) and _BROKEN_CELL.fullmatch(lines[end]):
            end += 1
        for first in (rule - width, *range(rule + 1, end - width + 1, width)):
            found[first] = "| " + " ".join(line.strip() for line in lines[first : first + width])
            found[first + 1 : first + width] = ["|---|"] * (width - 1)
    return found


def _captioned(lines: Sequence[str], grid: Grid) -> bool:
    """A short line just above or below the table names the quantity: "Throughput in MB/s"."""
    below = [line for line in lines[grid.end : grid.end + 4] if line.strip()]
    return _hinted_above(lines, grid.first) or any(_hints(line) for line in below[:1] if len(line) <= _LONGEST_CAPTION)


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


def _is_of_latencies(grid: Grid) -> bool:
    """A unit of time in the corner, and a direction or a statistic in front of each row."""
    labels = [heading_of(row.cells[0]) for row in grid.rows[1:]]
    return _SHORT_TIME.fullmatch(grid.rows[0].cells[0]) is not None and all(
        label.statistics or label.load.way for label in labels
    )


def last_sentence(line: str) -> str:
    """Behind the last full stop; "s.d. of 5 runs" and "Tab. 3" hold none."""
    return _FULL_STOP.split(line)[-1]


def _hinted_above(lines: Sequence[str], first: int) -> bool:
    above = [last_sentence(line) for line in lines[max(0, first - 5) : first] if line.strip()]
    return any(_hints(line) for line in above[-2:] if len(line) <= _LONGEST_CAPTION)


def _may_be_captioned(lines: Sequence[str], at: int) -> bool:
    """A line of cells whose quantity stands above them or below."""
    if len(_CELL.findall(lines[at])) < 2:
        return False
    return (
        _hinted_above(lines, at)
        or any(map(_hints, lines[at + 1 : at + 3]))
        or any(map(_QUANTITY_BELOW.match, lines[at + 3 : at + _FARTHEST_BELOW]))
    )


def _may_be_separated(lines: Sequence[str], at: int) -> bool:
    """Heads without units above cells with them: "Disk;Read;Write"."""
    marks, below = lines[at].count(";"), lines[at + 1 : at + 3]
    return marks > 1 and bool(below) and all(line.count(";") == marks for line in below) and _hints(below[0])


def _may_be_flattened(lines: Sequence[str], at: int) -> bool:
    """A few words above two lines that end in the same number of cells with units."""
    below = lines[at + 1 : at + 3]
    counts = {len(_UNITED.findall(line)) for line in below if len(line) <= LONGEST_PAIRS and "/s" in line}
    return len(below) == 2 and len(counts) == 1 and 1 < counts.pop() == len(lines[at].split()) - 1


def _may_be_of_disk_mark(lines: Sequence[str], at: int) -> bool:
    """ "Read  Write" above the tests of CrystalDiskMark."""
    below = lines[at + 1] if at + 1 < len(lines) else ""
    return _READ_WRITE.fullmatch(lines[at]) is not None and _DISK_MARK.match(below) is not None


def _hopeful_stretches(lines: Sequence[str]) -> tuple[bool, ...]:
    """For each stretch of lines whether any of them can hold a heading: in a long log hardly any does, and looking at a
    stretch as a whole is ten times as fast as line by line."""
    stretches = ("\n".join(lines[at : at + _STRETCH]).lower() for at in range(0, len(lines), _STRETCH))
    return tuple(any(hint in stretch for hint in _HINTS) for stretch in stretches)


def _hints(line: str) -> bool:
    lower = line.lower()
    return any(hint in lower for hint in _HINTS) and _HINT.search(line) is not None


def _is_barred(line: str) -> bool:
    return not _ITEM.match(line) and (
        line.count("|") >= 2 or (line.count("|") == 1 and _RULE.fullmatch(line) is not None) or line.count(" | ") >= 1
    )


def _collect(lines: Sequence[str], first: int, style: str) -> Grid | None:
    rows: list[Row] = []
    heads: int | None = None
    last, blanks = first, 0
    split = _splitter(lines, first, style)
    for at in range(first, min(len(lines), first + _MOST_ROWS)):
        line = lines[at]
        if not line.strip():
            blanks += 1
            if blanks > (2 if style == "bars" else 1):
                break
            continue
        if len(line) > LONGEST_LINE or not _continues(line, style):
            break
        if _RULE.fullmatch(line):
            if style == "bars" and len(rows) > 1 and heads is None and blanks:
                break
            heads = len(rows) if heads is None and rows else heads
            last = at
            continue
        cells = split(line)
        if blanks and ((rows and len(cells) != len(rows[0].cells)) or _starts_anew(lines, at, style)):
            break
        blanks = 0
        rows.append(Row(at, cells))
        last = at
    if len(rows) < 2:
        return None
    if style == "bars" and heads is None:
        rows = _with_labels_apart(rows)
    return Grid(first, last + 1, tuple(_with_reaching_cells(rows) if style == "bars" else rows), style, heads)


def _with_labels_apart(rows: list[Row]) -> list[Row]:
    """Rows "4k random read: 98k IOPS | 382 MB/s" without a head: the label is a cell of its own."""
    parts = [_LABEL_IN_FRONT.fullmatch(row.cells[0]) for row in rows]
    if not all(parts) or any(len(row.cells) != len(rows[0].cells) for row in rows):
        return rows
    return [
        Row(row.line, (part["label"], part["value"], *row.cells[1:]))
        for row, part in zip(rows, parts, strict=True)
        if part
    ]


def _with_reaching_cells(rows: Sequence[Row]) -> Iterator[Row]:
    """Where a page has lost that a first cell reaches over several rows, the rows below it begin too far left, and end
    in blanks: they are moved to where their cells look like those above them, and get what reached over them."""
    above: tuple[str, ...] = ()
    for row in (*_with_a_reaching_head(*rows[:2]), *rows[2:]):
        short = _blanks_behind(row)
        moved = (*above[:short], *row.cells[: len(row.cells) - short])
        is_section = len(row.cells) - short < 2
        if (
            short
            and not is_section
            and len(moved) == len(above)
            and all(above[:short])
            and not _looks_like(row.cells, above)
        ):
            row = Row(row.line, moved) if _looks_like(moved, above) else row
        above = row.cells
        yield row


def _with_a_reaching_head(heads: Row, below: Row) -> tuple[Row, Row]:
    """Heads that lack as many cells as one of them must reach over, so that the names in the next row are its parts."""
    missing = _blanks_behind(heads)
    parts = below.cells[: missing + 1]
    measured = [at for at, cell in enumerate(heads.cells) if _hints(cell)]
    if not missing or len(measured) != 1 or not all(_look_of(cell) == "words" for cell in parts):
        return heads, below
    if any(below.cells[missing + 1 :]) or len(below.cells) != len(heads.cells):
        return heads, below
    (at,), end = measured, len(heads.cells) - missing
    upper = (*heads.cells[:at], *[heads.cells[at]] * (missing + 1), *heads.cells[at + 1 : end])
    lower = (*[""] * at, *parts, *[""] * (end - at - 1))
    return Row(heads.line, upper), Row(below.line, lower)


def _blanks_behind(row: Row) -> int:
    return next((at for at, cell in enumerate(reversed(row.cells)) if cell), 0)


def _looks_like(cells: Sequence[str], others: Sequence[str]) -> bool:
    """Column by column: numbers, shares, words."""
    return list(map(_look_of, cells)) == list(map(_look_of, others))


def _look_of(cell: str) -> str:
    if not cell:
        return ""
    return "value" if _is_value(cell) else "share" if cell.endswith(("%", "x", "×")) else "words"


def _continues(line: str, style: str) -> bool:
    if style == "tabs":
        return "\t" in line.strip(" ")
    if _OPENED_ROW.fullmatch(line):
        return True
    return _is_barred(line) or (_RULE.fullmatch(line) is not None and len(line.strip()) > 2)


def _starts_anew(lines: Sequence[str], at: int, style: str) -> bool:
    """Behind a blank line a rule below this line says that it is the head of another table."""
    below = lines[at + 1] if at + 1 < len(lines) else ""
    return style == "bars" and bool(below.strip()) and _RULE.fullmatch(below) is not None


def _splitter(lines: Sequence[str], first: int, style: str) -> Callable[[str], tuple[str, ...]]:
    """How the lines of the table that begins here are parted: with or without outer bars, by one tab or by several."""
    block = []
    for line in lines[first : first + _LOOKED_AT]:
        if not line.strip() or not _continues(line, style):
            break
        if not _RULE.fullmatch(line):
            block.append(line)
    if style == "bars":
        framed = sum(1 for line in block if line.lstrip().startswith("|"))
        return _framed_cells if 2 * framed > len(block) else _bare_cells
    single = {len(_tabbed_cells(line)) for line in block}
    several = {len(_loosely_tabbed_cells(line)) for line in block}
    return _loosely_tabbed_cells if len(several) < len(single) else _tabbed_cells


def _tabbed_cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in _plain(line).strip(" ").split("\t"))


def _loosely_tabbed_cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in re.split(r"\t+", _plain(line).strip()))


def _framed_cells(line: str) -> tuple[str, ...]:
    text = _plain(line.strip())
    text = text.replace("||", "|") if _DOUBLE_BARS.fullmatch(text) else text
    text = text.removeprefix("|").removesuffix("|")
    return tuple(cell.strip() for cell in text.split("|"))


def _bare_cells(line: str) -> tuple[str, ...]:
    """Without outer bars: a line that begins with a bar has an empty first cell."""
    return tuple(cell.strip() for cell in _plain(line).rstrip().removesuffix("|").split("|"))


def _plain(line: str) -> str:
    """Without links and bold type."""
    return _BOLD.sub(r"\1", _LINK.sub(r"\1", line))


def _collect_pairs(lines: Sequence[str], first: int) -> Grid | None:
    """Lines of named values, the same names in each: "4k  IOPS=92.7k, BW=362MiB/s, Lat=110usec"."""
    names: tuple[str, ...] = ()
    rows: list[Row] = []
    for at in range(first, min(len(lines), first + _MOST_ROWS)):
        match = _PAIRS.fullmatch(lines[at]) if len(lines[at]) <= LONGEST_PAIRS else None
        if match is None:
            break
        pairs = _PAIR.findall(match["pairs"])
        if names and names != tuple(name for name, _ in pairs):
            break
        names = tuple(name for name, _ in pairs)
        rows.append(Row(at, (match["label"].strip(" :"), *(value for _, value in pairs))))
    if len(rows) < 2:
        return None
    return Grid(first, rows[-1].line + 1, (Row(first, ("", *names)), *rows), "pairs", heads=1)


def _collect_blanks(lines: Sequence[str], first: int) -> Grid | None:
    """A line of headings parted by blanks, and the lines of numbers below it."""
    head = lines[first].strip()
    if len(head) > 240 or head.endswith((".", "。", ":", "?", "!", ",")):
        return None
    if _VALUE.search(head):
        return None
    grids = [split(lines, first, head) for split in (_by_words, _by_phrases, _by_separators, _by_values, _by_places)]
    return max((grid for grid in grids if grid is not None), key=lambda grid: len(grid.rows), default=None)


def _collect_stacked(lines: Sequence[str], hinted: int) -> Grid | None:
    """A table whose cells a page has put below each other: the heads, then for each row its label and its numbers."""
    if not _is_lone_cell(lines[hinted]):
        return None
    first, filled = hinted, 0
    while first and filled < 4 and hinted - first < 8 and len(lines[first - 1].strip()) <= _LONGEST_STACKED:
        first -= 1
        filled += bool(lines[first].strip())
    grids = (_stacked(lines, start) for start in range(first, hinted + 1) if _is_lone_cell(lines[start]))
    return next((grid for grid in grids if grid is not None and hinted < grid.rows[1].line), None)


def _stacked(lines: Sequence[str], start: int) -> Grid | None:
    cells = ((at, line.strip()) for at, line in enumerate(lines[start : start + _MOST_STACKED], start) if line.strip())
    heads: list[tuple[int, str]] = []
    for cell in cells:
        heads.append(cell)
        if len(heads) > _WIDEST_STACKED + 2 or not _is_lone_cell(cell[1]):
            break
    # the heads, the label of the first row, and its first number
    width = len(heads) - 2
    texts = [text for _, text in heads]
    if not 2 <= width <= _WIDEST_STACKED or not _is_value(texts[-1]) or not any(map(_hints, texts[:width])):
        return None
    rest = [*heads[width:], *cells]
    rows = [Row(start, tuple(texts[:width]))]
    last = start
    for at in range(0, len(rest) - width + 1, width):
        row = rest[at : at + width]
        if not _is_lone_cell(row[0][1]) or not all(_holds_number(text) for _, text in row[1:]):
            break
        rows.append(Row(row[0][0], tuple(text for _, text in row)))
        last = row[-1][0]
    return Grid(start, last + 1, tuple(rows), "stacked", heads=1) if len(rows) > 2 else None


def _holds_number(text: str) -> bool:
    """A value, a size, or one for each direction: "R: 480 / W: 210 MiB/s"."""
    return _is_value(text) or (len(text) <= _LONGEST_STACKED and _NUMBER_FIRST.match(text) is not None)


def _is_lone_cell(line: str) -> bool:
    """A few words and no sentence."""
    text = line.strip()
    return (
        0 < len(text) <= _LONGEST_STACKED and not text.endswith((".", "。", ":", ",", "?", "!")) and not _is_value(text)
    )


class _Span(NamedTuple):
    """A cell of a line: where it begins and ends as shown, and its text."""

    start: int
    end: int
    text: str


def _spans(line: str) -> tuple[_Span, ...]:
    """The cells of a line, parted by two blanks or more."""
    return tuple(
        _Span(match.start(), match.end(), match[0].replace("\0", "")) for match in _CELL.finditer(_shown(line).rstrip())
    )


def _shown(line: str) -> str:
    """As wide as it is shown: wide characters are two, tabs go to the next eighth place."""
    if line.isascii():
        return line.expandtabs(8)
    return "".join(
        letter + "\0" if unicodedata.east_asian_width(letter) in "WF" else letter for letter in line
    ).expandtabs(8)


def _collect_columns(lines: Sequence[str], first: int) -> Grid | None:
    """Columns parted by blanks: cells that stand below each other are a column, and heads belong to what is below."""
    block: list[tuple[int, tuple[_Span, ...]]] = []
    for at, line in _rows_below(lines, first - 1):
        cells = _spans(line)
        if len(line) > LONGEST_PAIRS or (len(cells) < 2 and (not block or not line.startswith("-"))):
            break
        block.append((at, cells))
    block = _with_parted_labels(block)
    heads = next((at for at, (_, cells) in enumerate(block) if _holds_values(cells)), None)
    while heads and len(block[heads - 1][1]) == 1:
        heads -= 1  # a lone label heads the first section
    if heads is None or heads > _MOST_HEADS or (heads and len(block[heads - 1][1]) < 2):
        return None
    body = list(_body_of(block[heads:]))
    columns = _columns_of([cells for _, cells in body if len(cells) > 1])
    if columns is None or len(body) < (1 if heads else 2):
        return None
    texts = [_placed(cells, columns, body, at == heads - 1) for at, (_, cells) in enumerate(block[:heads])]
    if any(row is None for row in texts):
        return None
    rows = [Row(at, row) for (at, _), row in zip(block, texts, strict=False) if row is not None]
    rows += [Row(at, _in_columns(cells, columns)) for at, cells in body]
    return Grid(first, rows[-1].line + 1, tuple(rows), "blanks", heads=heads)


def _with_parted_labels(block: list[tuple[int, tuple[_Span, ...]]]) -> list[tuple[int, tuple[_Span, ...]]]:
    """A long label that stands one blank before its first number: the other rows have one cell more."""
    widest = max((len(cells) for _, cells in block), default=0)
    parted = []
    for at, cells in block:
        first = cells[0]
        label, _, value = first.text.rpartition(" ")
        if (
            2 < widest == len(cells) + 1
            and label
            and not _is_value(label)
            and _is_value(value)
            and _holds_values(cells)
        ):
            middle = first.end - len(value)
            cells = (_Span(first.start, middle - 1, label), _Span(middle, first.end, value), *cells[1:])
        parted.append((at, cells))
    return parted


def _holds_values(cells: Sequence[_Span]) -> bool:
    values = sum(1 for cell in cells[1:] if _is_value(cell.text))
    return values > 0 and 3 * values >= len(cells) - 1


def _is_value(text: str) -> bool:
    """A number, with its unit or without; "4k" and "1M" are sizes, "17.2.5" is a version."""
    if _NO_VALUE.fullmatch(text):
        return False
    return _WITH_UNIT.fullmatch(text) is not None or _NUMBER.fullmatch(text) is not None


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
        values = [at for at in range(1, len(columns)) if all(_is_value(row[at]) for row in shown if row[at])]
        span, rest = divmod(len(values), len(cells))
        if rest or not span or values != list(range(values[0], len(columns))):
            return None
        return (*("" for _ in range(values[0])), *(cell.text for cell in cells for _ in range(span)))
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


def _rows_below(lines: Sequence[str], first: int) -> Iterator[tuple[int, str]]:
    blanks = rules = 0
    for at in range(first + 1, min(len(lines), first + _MOST_ROWS)):
        line = lines[at]
        if not line.strip():
            blanks += 1
            if blanks > 1:
                return
            continue
        if _RULE.fullmatch(line):
            rules += 1
            if rules > 3:
                return
            continue
        if len(line) > 400:
            return
        blanks = 0
        yield at, line


def _by_words(lines: Sequence[str], first: int, head: str) -> Grid | None:
    """Columns parted by one blank: as many words in every row as in the head, and most heads are known."""
    heads = tuple(head.split())
    known = sum(1 for cell in heads if _PHRASE.fullmatch(cell))
    if len(heads) < 3 or known < 2 or any(len(cell) < 2 for cell in heads):
        return None
    rows: list[Row] = []
    for at, line in _rows_below(lines, first):
        cells = tuple(line.split())
        if len(cells) != len(heads) or not _NUMBER.fullmatch(cells[-1]):
            break
        rows.append(Row(at, cells))
    return _grid_of_blanks(first, heads, rows)


def _by_phrases(lines: Sequence[str], first: int, head: str) -> Grid | None:
    """Heads of several words ("Latency (msec) - min"): from the first known one on the line holds nothing else."""
    start = _METRIC_START.search(head)
    if start is None:
        return None
    label, rest = head[: start.start()].strip(), head[start.end() :]
    phrases: list[str] = []
    at = 0
    while at < len(rest):
        match = _PHRASE.match(rest, at)
        if match is None or match.end() == at:
            return None
        phrases.append(match[0].strip())
        at = match.end()
    if len(phrases) < 2 or len(label.split()) > 4:
        return None
    phrases = _with_shared_metric(phrases)
    count = len(phrases) - (1 if phrases[0].startswith("\0") else 0)
    rows: list[Row] = []
    for line_at, line in _rows_below(lines, first):
        words = line.split()
        if len(words) <= count or not all(_NUMBER.fullmatch(word) for word in words[-count:]):
            break
        rows.append(Row(line_at, (" ".join(words[:-count]), *words[-count:])))
    heads = tuple(phrases) if phrases[0].startswith("\0") else (label, *phrases)
    return _grid_of_blanks(first, tuple(cell.removeprefix("\0") for cell in heads), rows)


def _by_values(lines: Sequence[str], first: int, head: str) -> Grid | None:
    """Every blank parts cells, as pages flatten tables: a word of the head for each number below, which has its unit.

    Or the unit of all stands in front of the heads: "MB/s host guest".
    """
    heads = tuple(head.split())
    rows: list[Row] = []
    names_unit = _UNIT_ALONE.fullmatch(heads[0]) is not None
    for at, line in _rows_below(lines, first):
        match = (_LABEL_AND_NUMBERS if names_unit else _LABEL_AND_VALUES).fullmatch(line)
        cells = (match["label"], *(_BARE if names_unit else _UNITED).findall(match["values"])) if match else ()
        if len(cells) != len(heads):
            break
        rows.append(Row(at, cells))
    return _grid_of_blanks(first, heads, rows) if len(heads) > 2 and len(rows) > 1 else None


def _by_places(lines: Sequence[str], first: int, head: str) -> Grid | None:
    """Cells that begin where the heads do, though but one blank parts some of them."""
    spans = _spans(lines[first])
    starts = [span.start for span in spans]
    if len(spans) < 3:
        return None
    rows: list[Row] = []
    for at, line in _rows_below(lines, first):
        text = _shown(line)
        if any(text[start - 1 : start].strip() for start in starts[1:]):
            break
        cells = tuple(text[one:other].replace("\0", "").strip() for one, other in pairwise([*starts, len(text)]))
        if not all(cells) or not any(map(_is_value, cells)) or any("  " in cell for cell in cells):
            break
        rows.append(Row(at, cells))
    return _grid_of_blanks(first, tuple(span.text for span in spans), rows) if len(rows) > 1 else None


def _by_separators(lines: Sequence[str], first: int, head: str) -> Grid | None:
    """Comma- or semicolon-separated values: as many in every row as in the head."""
    separator = ";" if head.count(";") >= 2 else ","
    heads = _separated(head, separator)
    if len(heads) < 3 or any(len(cell) > 40 for cell in heads):
        return None
    if not any(_hints(cell) for cell in heads) and not _may_be_separated(lines, first):
        return None
    rows: list[Row] = []
    for at, line in _rows_below(lines, first):
        cells = _separated(line, separator)
        if len(cells) != len(heads) or not (
            _NUMBER.fullmatch(cells[-1]) or (separator == ";" and _is_value(cells[-1]))
        ):
            break
        rows.append(Row(at, cells))
    grid = _grid_of_blanks(first, heads, rows)
    above = _separated(lines[first - 1].strip(), separator) if first else ()
    if grid is None or len(above) != len(heads) or any(map(_NUMBER.fullmatch, above)) or not any(above):
        return grid
    return Grid(first - 1, grid.end, (Row(first - 1, above), *grid.rows), "blanks", heads=2)


def _separated(line: str, separator: str) -> tuple[str, ...]:
    """Its cells; in quotation marks a cell may hold the separator."""
    if '"' not in line:
        return tuple(cell.strip() for cell in line.split(separator))
    return tuple(cell.strip() for cell in next(csv.reader([line.strip()], delimiter=separator, skipinitialspace=True)))


def _with_shared_metric(phrases: list[str]) -> list[str]:
    """ "Latency (msec) 99.00th 99.50th": the first names the quantity of the others and stands above the labels."""
    lone = re.compile(rf"{_STATISTIC}{_UNIT}?", re.I)
    if all(lone.fullmatch(phrase) for phrase in phrases[1:]) and not lone.fullmatch(phrases[0]):
        return ["\0" + phrases[0], *(f"{phrases[0]} {phrase}" for phrase in phrases[1:])]
    return phrases


def _grid_of_blanks(first: int, heads: tuple[str, ...], rows: list[Row]) -> Grid | None:
    """Rows that are as wide as their heads."""
    return Grid(first, rows[-1].line + 1, (Row(first, heads), *rows), "blanks", heads=1) if rows else None
