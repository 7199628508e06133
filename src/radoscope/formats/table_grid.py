"""Tables in a text -> grids of cells: bars (Markdown, Jira, wiki, HTML made plain), tabs, and blanks.

A table of blanks counts only when its first line is made of headings from end to end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

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
)
_HINT = re.compile(
    r"iops|io/s|ops/s|[kmg]i?b/s|[kmg]bps|[kmg]i?bits?/s|\([kmg]i?b\)|latenc|latenz|\blat\b|lat[ (]|延"
    r"|レイテンシ|遅延|带宽|帶寬|吞吐|帯域"
    r"|задержк|скорост|[кмг]б/с",
    re.I,
)
_RULE = re.compile(r"[\s|+:=\-–—┼─├┤┬┴└┘┌┐╪═╞╡╤╧]+")
_STATISTIC = (
    r"(?:avg|average|ave|mean|min|max|median|stdev|stddev|平均|最小|最大|p\s?\d{2,4}(?:\.\d+)?|\d\d(?:\.\d+)?(?:th|%))"
)
_UNIT = r"(?:\s?[(\[][^()\[\]]{1,14}[)\]])"
_METRIC = (
    r"(?:iops|io/s|ops/s|bw|bandwidth|throughput|latency|[cs]?lat|[kmg]i?b/s(?:ec)?|带宽|吞吐量?|延迟|帯域"
    r"|スループット|レイテンシ|durchsatz|latenz"
    r"|bandbreite)"
)
_PHRASE = re.compile(
    rf"\s*(?:(?:{_STATISTIC}[\s._]?)?{_METRIC}(?:[\s._]?{_STATISTIC})?{_UNIT}?(?:\s?-\s?{_STATISTIC}\b)?{_UNIT}?|{_STATISTIC}{_UNIT}?)(?=\s|$)",
    re.I,
)
_METRIC_START = re.compile(rf"(?:^|\s)(?=(?:{_STATISTIC}[\s._]?)?{_METRIC}(?![a-zа-я]))", re.I)
_NUMBER = re.compile(r"[~≈]?\d[\d.,]*[kKM]?(?:[KMGkmg]i?B/s|ms|us|µs|s)?|-|–|—|n/?a|\?", re.I)
_VALUE = re.compile(
    r"^[^:]{1,30}:\s|(?:^|\s)\d[\d.,]*\s?(?:[kmg]i?(?:b|bit|bits|bytes)/s(?:ec)?|[num]sec|[nuµm]s)(?=\s|$)", re.I
)
"""What no line of headings holds: a name with a colon in front ("iops:  82k  264k"), a number with its unit."""
_WITH_UNIT = re.compile(
    r"[~≈]?\d[\d.,'’]*\s?(?:[kM]?\s?IOPS|[kKmMgG]i?[bB](?:ytes?|its?)?/s(?:ec)?|[MmGgKk]bps|[mun]?s(?:ec)?|µs)?(?:\s?\([^()]{1,30}\))?|-|n/a",
    re.IGNORECASE,
)
_PAIR = re.compile(r"\b(iops|bw|bandwidth|[cs]?lat|latency)\s?[=:]\s?(\d[\w.]{0,20}(?:/s(?:ec)?)?)", re.I)
_PAIRS = re.compile(
    rf"(?P<label>[^=:]{{0,40}}:?)(?P<pairs>{_PAIR.pattern}(?:\s?[,;]?\s{{0,20}}{_PAIR.pattern}){{1,3}})\s*", re.I
)
LONGEST_PAIRS = 200
_LOOKED_AT = 40
_STRETCH = 500


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


def find_grids(lines: Sequence[str]) -> Iterator[Grid]:
    """Every table that has a heading of a measured quantity in it, in the order of the text; one pass."""
    at, candidates = 0, 0
    hopeful = _hopeful_stretches(lines)
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
            if grid is None and hopeful[at // _STRETCH] and _hints(line):
                candidates += 1
                grid = _collect_blanks(lines, at) or _collect_aligned(lines, at)
        if grid is None:
            at += 1
            continue
        candidates += len(grid.rows)
        if any(_HINT.search(cell) for row in grid.rows for cell in row.cells) or _captioned(lines, grid.first):
            yield grid
        at = max(grid.end, at + 1)


def _captioned(lines: Sequence[str], first: int) -> bool:
    """A short line just above the table names the quantity: "Throughput in MB/s"."""
    above = [line for line in lines[max(0, first - 5) : first] if line.strip()]
    return any(_hints(line) for line in above[-2:] if len(line) <= 80)


def _hopeful_stretches(lines: Sequence[str]) -> tuple[bool, ...]:
    """For each stretch of lines whether any of them can hold a heading: in a long log hardly any does, and looking at a
    stretch as a whole is ten times as fast as line by line."""
    stretches = ("\n".join(lines[at : at + _STRETCH]).lower() for at in range(0, len(lines), _STRETCH))
    return tuple(any(hint in stretch for hint in _HINTS) for stretch in stretches)


def _hints(line: str) -> bool:
    lower = line.lower()
    return any(hint in lower for hint in _HINTS) and _HINT.search(line) is not None


def _is_barred(line: str) -> bool:
    return (
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
    return Grid(first, last + 1, tuple(rows), style, heads) if len(rows) > 1 else None


def _continues(line: str, style: str) -> bool:
    if style == "tabs":
        return "\t" in line.strip(" ")
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
    return tuple(cell.strip() for cell in line.strip(" ").split("\t"))


def _loosely_tabbed_cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in re.split(r"\t+", line.strip()))


def _framed_cells(line: str) -> tuple[str, ...]:
    text = line.strip().replace("||", "|").removeprefix("|").removesuffix("|")
    return tuple(cell.strip() for cell in text.split("|"))


def _bare_cells(line: str) -> tuple[str, ...]:
    """Without outer bars: a line that begins with a bar has an empty first cell."""
    return tuple(cell.strip() for cell in line.rstrip().removesuffix("|").split("|"))


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
    grids = [split(lines, first, head) for split in (_by_columns, _by_words, _by_phrases, _by_separators)]
    return max((grid for grid in grids if grid is not None), key=lambda grid: len(grid.rows), default=None)


def _collect_aligned(lines: Sequence[str], first: int) -> Grid | None:
    """Labels and values with their units in columns parted by blanks; the line above may hold the columns' names."""
    rows: list[Row] = []
    for at in range(first, min(len(lines), first + _MOST_ROWS)):
        cells = tuple(re.split(r"\s{2,}", lines[at].strip()))
        values = sum(1 for cell in cells[1:] if _WITH_UNIT.fullmatch(cell))
        if (
            len(lines[at]) > LONGEST_PAIRS
            or not values
            or 2 * values < len(cells) - 1
            or _WITH_UNIT.fullmatch(cells[0])
        ):
            break
        if rows and len(cells) != len(rows[0].cells):
            break
        rows.append(Row(at, cells))
    if len(rows) < 2:
        return None
    above = next(
        (at for at in range(first - 1, max(-1, first - 3), -1) if lines[at].strip() and not _RULE.fullmatch(lines[at])),
        None,
    )
    heads = (
        tuple(re.split(r"\s{2,}", lines[above].strip()))
        if above is not None and len(lines[above]) <= LONGEST_PAIRS
        else ()
    )
    width = len(rows[0].cells)
    if (
        above is not None
        and width - 1 <= len(heads) <= width
        and len(heads) > 1
        and not any(map(_WITH_UNIT.fullmatch, heads))
    ):
        named = Row(above, heads if len(heads) == width else ("", *heads))
        return Grid(above, rows[-1].line + 1, (named, *rows), "blanks", heads=1)
    return Grid(first, rows[-1].line + 1, tuple(rows), "blanks", heads=0)


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
        yield at, line.strip()


def _by_columns(lines: Sequence[str], first: int, head: str) -> Grid | None:
    """Columns parted by two blanks or more, as many in every row as in the head, or one label more."""
    heads = tuple(re.split(r"\s{2,}", head))
    if len(heads) < 2 or sum(1 for cell in heads if _HINT.search(cell)) < 1:
        return None
    rows: list[Row] = []
    for at, line in _rows_below(lines, first):
        cells = tuple(re.split(r"\s{2,}", line))
        if (
            not 2 <= len(cells) <= len(heads) + 1
            or len(cells) < len(heads)
            or not any(_NUMBER.fullmatch(cell) for cell in cells[1:])
        ):
            break
        rows.append(Row(at, cells))
    return _grid_of_blanks(first, heads, rows)


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


def _by_separators(lines: Sequence[str], first: int, head: str) -> Grid | None:
    """Comma- or semicolon-separated values: as many in every row as in the head."""
    separator = ";" if head.count(";") >= 2 else ","
    heads = tuple(cell.strip(' "') for cell in head.split(separator))
    if len(heads) < 3 or any(len(cell) > 40 for cell in heads) or not any(_hints(cell) for cell in heads):
        return None
    rows: list[Row] = []
    for at, line in _rows_below(lines, first):
        cells = tuple(cell.strip(' "') for cell in line.split(separator))
        if len(cells) != len(heads) or not _NUMBER.fullmatch(cells[-1]):
            break
        rows.append(Row(at, cells))
    return _grid_of_blanks(first, heads, rows)


def _with_shared_metric(phrases: list[str]) -> list[str]:
    """ "Latency (msec) 99.00th 99.50th": the first names the quantity of the others and stands above the labels."""
    lone = re.compile(rf"{_STATISTIC}{_UNIT}?", re.I)
    if all(lone.fullmatch(phrase) for phrase in phrases[1:]) and not lone.fullmatch(phrases[0]):
        return ["\0" + phrases[0], *(f"{phrases[0]} {phrase}" for phrase in phrases[1:])]
    return phrases


def _grid_of_blanks(first: int, heads: tuple[str, ...], rows: list[Row]) -> Grid | None:
    if not rows:
        return None
    width = max(len(row.cells) for row in rows)
    if width == len(heads) + 1:
        heads = ("", *heads)
    kept = [row for row in rows if len(row.cells) == len(heads)]
    if not kept:
        return None
    return Grid(first, kept[-1].line + 1, (Row(first, heads), *kept), "blanks", heads=1)
