"""Tables of bars and tabs -> grids. What other markups write as a table is written as rows of bars first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from radoscope import patterns as re
from radoscope.formats.grammar.command_lines import without_pipe
from radoscope.formats.grammar.phrases import heading_of
from radoscope.formats.tables.grid import BAR_RULE, LONGEST_LINE, MOST_ROWS, RULE, Grid, Row, hints, is_value

_LABEL_IN_FRONT = re.compile(r"(?P<label>[^:：]{3,60}?)[*_]*\s*[:：][*_]*\s+(?P<value>[~≈]?\d.{0,40})")
_LOOKED_AT, _NARROWEST = 40, 3
_ASIDE = re.compile(r"[(\[][^()\[\]|]{1,40}\|[^()\[\]|]{1,40}[)\]] ?[:：]")
""" "4k (read | write): 157 | 238 IOPS": a line of a list."""
_ITEM = re.compile(r"\s*(?:[-*•]|\(?\d{1,2}[.)])\s+[^\s|:-]")
_LATEX_RULE = re.compile(r"\s*\\(?:hline|toprule|midrule|bottomrule|cline\{[^}]*\})\s*")
_DOKU_HEADS = re.compile(r"\s*\^ .+ \^ .*\^\s*$")
_BROKEN_CELL = re.compile(r"[^|]{0,200}\|\s*")
_LINK = re.compile(r"!?\[([^\[\]|]{0,200})\]\([^()\s|]{0,300}\)")
"""Markdown: its text is what a reader sees."""
_OPENED_ROW = re.compile(r"\s*\|\s?[^|]{1,60}")
"""A row of one cell that nobody has closed."""
_DOUBLE_BARS = re.compile(r"\|\|(?:[^|]*\|\|)+")
"""Jira's heads."""
_BOLD = re.compile(r"\*\*([^*|]{1,60})\*\*")
_BREAK_IN_CELL = re.compile(r"\s?<br\s?/?>\s?", re.IGNORECASE)
_BREAK_OF_NUMBERS = re.compile(rf"(?<=\d){_BREAK_IN_CELL.pattern}(?=\d)", re.IGNORECASE)
_BEFORE_UNIT = re.compile(r"(?<=\d)\s{2,8}(?=[KMG]?i?(?:bits?|B)/s)")
_LEADER, _FEWEST_LEADERS = re.compile(r"(?<=[^\s|+.:-])\s*(?:-{3,}|\.{3,})\s*(?=[^\s|+.:>-])"), 2
_LIST_TABLE = re.compile(r"\s*\.\. (?:list|flat)-table::")
_LIST_ROW, _LIST_CELL = re.compile(r"\s+\* - (?P<cell>.*)"), re.compile(r"\s+- (?P<cell>.*)")


def without_latex(lines: Sequence[str]) -> Sequence[str]:
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


def without_leaders(lines: Sequence[str]) -> Sequence[str]:
    """Rows whose cells are parted by dots or dashes, "250M-------140MB/s----37s", as rows of bars, where two such of as
    many cells follow each other."""
    counts = [len(_LEADER.findall(line)) if "---" in line or "..." in line else 0 for line in lines]
    if max(counts, default=0) < _FEWEST_LEADERS:
        return lines
    near = zip(lines, counts, [0, *counts], [*counts[1:], 0], strict=False)
    return [
        f"| {_LEADER.sub(' | ', line.strip())} |" if count >= _FEWEST_LEADERS and count in (above, below) else line
        for line, count, above, below in near
    ]


def without_list_tables(lines: Sequence[str]) -> Sequence[str]:
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


def with_whole_rows(lines: Sequence[str]) -> Sequence[str]:
    """Rows of bars of which a page has broken the line behind each cell, as rows again: the rule between the heads and
    the numbers, which is whole, says how many cells make one."""
    rules = [at for at, line in enumerate(lines) if line.count("|") > 2 and BAR_RULE.fullmatch(line)]
    found = [_RULE_BESIDE.sub(_with_empty_cells, line) if "+-" in line else line for line in lines]
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


_RULE_BESIDE = re.compile(r"(?P<cell>\s*\|[^|+]*\w[^|+]*)(?P<rule>\+(?:-+\+)+)\s*$")
""" "| iodepth=1  +-------+-------+": beside a label of several lines a rule parts the heads."""


def _with_empty_cells(row: re.Match[str]) -> str:
    return row["cell"] + row["rule"].replace("+", "|").replace("-", " ")


_WITHIN_CELLS = re.compile(r"\s*\|\s{2,}[|\s]*\+-")


def is_barred(line: str) -> bool:
    if without_pipe(line) != line:
        return False
    return not (_ITEM.match(line) or _ASIDE.search(line)) and (
        line.count("|") >= 2 or (line.count("|") == 1 and RULE.fullmatch(line) is not None) or line.count(" | ") >= 1
    )


def collect(lines: Sequence[str], first: int, style: str) -> Grid | None:
    rows: list[Row] = []
    heads: int | None = None
    last, blanks = first, 0
    split = _splitter(lines, first, style)
    for at in range(first, min(len(lines), first + MOST_ROWS)):
        line = lines[at]
        if at > first and line.startswith("+-") and lines[at - 1].startswith("+-") and line.rstrip().endswith("+"):
            break  # another table's frame right below the frame of this one
        if not line.strip():
            blanks += 1
            if blanks > (2 if style == "bars" else 1):
                break
            continue
        if len(line) > LONGEST_LINE or not _continues(line, style):
            break
        if RULE.fullmatch(line):
            if _WITHIN_CELLS.match(line):  # below a cell that reaches over several columns of heads
                last = at
                continue
            if len(rows) > 1 and heads is None and blanks:
                break
            heads = len(rows) if heads is None and rows else heads
            last = at
            continue
        cells = split(line)
        if blanks and ((rows and len(cells) != len(rows[0].cells)) or _starts_anew(lines, at)):
            break
        blanks = 0
        rows.append(Row(at, cells))
        last = at
    if len(rows) < 2:
        return None
    rows = _with_spanned_columns(rows, lines[first : last + 1], first)
    if style == "bars" and heads is None:
        rows = _with_labels_apart(rows)
    rows = _with_corner(rows)
    return Grid(first, last + 1, tuple(_with_reaching_cells(rows) if style == "bars" else rows), style, heads)


def _with_spanned_columns(rows: list[Row], lines: Sequence[str], first: int) -> list[Row]:
    """Of a grid of "+---+": a cell that reaches over several columns stands in each of them."""
    edges = sorted({at for line in lines if RULE.fullmatch(line) for at, mark in enumerate(line) if mark == "+"})
    if len(edges) < 4:
        return rows

    def spanned(row: Row) -> Row:
        line = lines[row.line - first]
        bars = [at for at, mark in enumerate(line) if mark == "|"]
        if not len(row.cells) == len(bars) - 1 < len(edges) - 1 or not set(edges).issuperset(bars):
            return row
        widths = [sum(left <= edge < right for edge in edges) for left, right in pairwise(bars)]
        return Row(row.line, tuple(cell for cell, width in zip(row.cells, widths, strict=True) for _ in range(width)))

    return [spanned(row) for row in rows]


def _with_corner(rows: list[Row]) -> list[Row]:
    """Heads of loads that begin above the labels, where a page has lost the empty corner: "Read | Write |" above "old |
    171 MB/s | 29 MB/s"."""
    heads, width = rows[0].cells, max(len(row.cells) for row in rows)
    named = heads[:-1] if len(heads) == width and not heads[-1] else heads
    if len(named) != width - 1 or width < _NARROWEST or not all(named) or not _names_load(named[0]):
        return rows
    whole = [row.cells for row in rows[1:] if len(row.cells) == width and row.cells[-1]]
    are_below = whole and all(not is_value(cells[0]) and all(map(is_value, cells[1:])) for cells in whole)
    return [Row(rows[0].line, ("", *named)), *rows[1:]] if are_below else rows


def _names_load(head: str) -> bool:
    phrase = heading_of(head)
    return phrase.load.way is not None or bool(phrase.quantities)


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
    for at, row in enumerate((*_with_a_reaching_head(*rows[:2]), *rows[2:])):
        short = _blanks_behind(row)
        moved = (*above[:short], *row.cells[: len(row.cells) - short])
        is_section = len(row.cells) - short < 2
        if (
            short
            and not is_section
            and len(moved) == len(above)
            and all(above[:short])
            and (at > 1 or any(map(is_value, above)))  # heads reach over no row: what is blank below them is to come
            and not _looks_like(row.cells, above)
        ):
            row = Row(row.line, moved) if _looks_like(moved, above) else row
        above = row.cells
        yield row


def _with_a_reaching_head(heads: Row, below: Row) -> tuple[Row, Row]:
    """Heads that lack as many cells as one of them must reach over, so that the names in the next row are its parts."""
    missing = _blanks_behind(heads)
    parts = below.cells[: missing + 1]
    measured = [at for at, cell in enumerate(heads.cells) if hints(cell)]
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
    return "value" if is_value(cell) else "share" if cell.endswith(("%", "x", "×")) else "words"


def _continues(line: str, style: str) -> bool:
    is_rule = RULE.fullmatch(line) is not None and len(line.strip()) > 2
    if style == "tabs":
        return is_rule or "\t" in line.strip(" ")
    return is_rule or _OPENED_ROW.fullmatch(line) is not None or is_barred(line)


def _starts_anew(lines: Sequence[str], at: int) -> bool:
    """Behind a blank line a rule below this line says that it is the head of another table."""
    below = lines[at + 1] if at + 1 < len(lines) else ""
    return bool(below.strip()) and RULE.fullmatch(below) is not None


def _splitter(lines: Sequence[str], first: int, style: str) -> Callable[[str], tuple[str, ...]]:
    """How the lines of the table that begins here are parted: with or without outer bars, by one tab or by several."""
    block = []
    for line in lines[first : first + _LOOKED_AT]:
        if not line.strip() or not _continues(line, style):
            break
        if not RULE.fullmatch(line):
            block.append(line)
    if style == "bars":
        return _framed_cells if _are_framed(block) else _bare_cells
    loosely = _loosely_tabbed_cells if all(line.startswith("\t") for line in block) else _loosely_tabbed_below_a_corner
    single, several = list(map(_tabbed_cells, block)), list(map(loosely, block))
    widths = [len(set(map(len, cells))) for cells in (single, several)]
    gaps = {tuple(at for at, cell in enumerate(cells) if at and not cell) for cells in single}
    # Of an empty column all rows have the same gaps.
    is_loose = widths[1] < widths[0] or (widths == [1, 1] and len(gaps) > 1 and all(gaps))
    return loosely if is_loose else _tabbed_cells


def _are_framed(block: Sequence[str]) -> bool:
    """Whether a bar in front of a line is its frame, and no end of an empty cell: most lines have it, or the heads
    alone, which are as wide as the rows then."""
    framed = [line for line in block if line.lstrip().startswith("|")]
    if 2 * len(framed) > len(block):
        return True
    widest = max((len(_bare_cells(line)) for line in block if line not in framed), default=0)
    return (
        bool(framed)
        and all(line.rstrip().endswith("|") for line in framed)
        and {len(_framed_cells(line)) for line in framed} == {widest}
    )


def _tabbed_cells(line: str) -> tuple[str, ...]:
    return tuple(" ".join(cell.split()) for cell in _plain(line).strip(" ").split("\t"))


def _loosely_tabbed_cells(line: str) -> tuple[str, ...]:
    return tuple(" ".join(cell.split()) for cell in re.split(r"\t+", _plain(line).strip()))


def _loosely_tabbed_below_a_corner(line: str) -> tuple[str, ...]:
    """As before, but a tab in front stands for an empty first cell: that of the heads."""
    cells = _loosely_tabbed_cells(line)
    return ("", *cells) if line.startswith("\t") else cells


def _framed_cells(line: str) -> tuple[str, ...]:
    text = _plain(line.strip())
    text = text.replace("||", "|") if _DOUBLE_BARS.fullmatch(text) else text
    text = text.removeprefix("|").removesuffix("|")
    return tuple(_BEFORE_UNIT.sub(" ", cell.strip()) for cell in text.split("|"))


def _bare_cells(line: str) -> tuple[str, ...]:
    """Without outer bars: a line that begins with a bar has an empty first cell."""
    return tuple(_BEFORE_UNIT.sub(" ", cell.strip()) for cell in _plain(line).rstrip().removesuffix("|").split("|"))


def _plain(line: str) -> str:
    """Without links, bold type and broken lines; two numbers stay two."""
    line = _BREAK_IN_CELL.sub(" ", _BREAK_OF_NUMBERS.sub(" / ", line)) if "<" in line else line
    return _BOLD.sub(r"\1", _LINK.sub(r"\1", line))
