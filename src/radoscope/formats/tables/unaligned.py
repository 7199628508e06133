"""Tables whose columns do not stand below each other -> grids: words, separators, named values, a cell a line."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice, pairwise, takewhile

from radoscope import patterns as re
from radoscope.formats.grammar import vocabulary
from radoscope.formats.grammar.phrases import Load, Phrase, heading_of
from radoscope.formats.tables.aligned import by_places, grid_of_blanks, rows_below
from radoscope.formats.tables.flattened import by_heads_of_words, by_quantities, by_rows_of_quantities, by_tests
from radoscope.formats.tables.grid import LONGEST_PAIRS, MOST_ROWS, UNITED, Grid, Row, hints, is_number, is_value

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
_VALUE = re.compile(
    r"^[^:]{1,30}:\s|(?:^|\s)\d[\d.,]*\s?(?:[kmg]i?(?:b|bit|bits|bytes)/s(?:ec)?|[num]sec|[nuµm]s)(?=\s|$)", re.I
)
"""What no line of headings holds: a name with a colon in front ("iops:  82k  264k"), a number with its unit."""
_LABEL_FIRST = r"\s*(?P<label>[^|:\s](?:[^|:]{0,58}?[^|:\s])??)\s+"
"""Blanks are no part of it, so that there is one way to part a line of them."""
_LABEL_AND_VALUES = re.compile(
    rf"{_LABEL_FIRST}(?P<values>{UNITED.pattern}(?:\s+{UNITED.pattern}){{1,9}})\s*", re.IGNORECASE
)
_UNIT_ALONE = re.compile(r"\W?(?:iops|[kmg]i?b/s(?:ec)?|[kmg]bps)\W?", re.IGNORECASE)
_UNIT_OF_CELL = re.compile(rf"{_UNIT_ALONE.pattern}|{vocabulary.TIME_UNIT}", re.IGNORECASE)
_BARE = re.compile(r"[~≈]?\d[\d.,]*[kKM]?(?!\S)")
_LABEL_AND_NUMBERS = re.compile(rf"{_LABEL_FIRST}(?P<values>{_BARE.pattern}(?:\s+{_BARE.pattern}){{0,9}})\s*")
_PAIR = re.compile(r"\b(iops|bw|bandwidth|[cs]?lat|latency)\s?[=:]\s{0,4}(\d[\w.]{0,20}(?:/s(?:ec)?)?)", re.I)
_PAIRS = re.compile(
    rf"(?P<label>[^=:]{{0,40}}:?)\s{{0,4}}(?P<pairs>{_PAIR.pattern}(?:\s?[,;]?\s{{0,20}}{_PAIR.pattern}){{1,3}})\s*",
    re.I,
)
_NUMBER_FIRST = re.compile(
    r"(?:(?:R|W|reads?|writes?)\s?[:=]\s?)?[~≈]?\d[\d.,]*(?!\w| ?[a-z]{4})(?![kKM]i?B?(?!\S))", re.I
)
_NUMBER_WITH_SPREAD = re.compile(r"\s*(?P<number>[~≈]?\d[\d.,]*[kKM]?)\s*(?:(?:±|\+/?-)\s*\d.{0,20})?")
_LONGEST_HEADS, _MOST_LABEL_WORDS, _MOST_WORDS = 240, 4, 40
_UNIT_BEHIND = re.compile(
    r"[^()\[\]]{0,60}?\S ?[(\[](?:[kmg]i?b/s(?:ec)?|[kmg]i?bps|k?iops|[num]s(?:ec)?|µs)[)\]](?=\s|$)", re.I
)
_WAY = re.compile(f"{vocabulary.READ}|{vocabulary.WRITE}", re.IGNORECASE)
_PARTED = re.compile(r" {2,}|\t+")
_LONGEST_STACKED, _WIDEST_STACKED, _MOST_STACKED = 40, 10, 400
_FEWEST_LOADS, _MOST_BROKEN, _FEWEST_PAIRS = 2, 2, 2
_NO_CELL = re.compile(r"^(?:#|[-*•] |\d+[.)] )|[.。:：,?!;]$|[|\t]|://")
_UNITED_VALUE = (
    r"(?:(?:約|约|平均|avg|ca\.?|около|~|≈) ?){0,2}\d[\d.,]*[kKM]? ?"
    r"(?:iops|[kmg]i?[bB](?:yte)?/s(?:ec)?|[mun]s|µs)(?![\w/])"
)
_UNITED_CELL = re.compile(
    rf"(?<!\S){_UNITED_VALUE}(?: ?/ ?{_UNITED_VALUE})*(?: ?[(（][^()（）]{{1,30}}[)）])?(?!\S)", re.IGNORECASE
)
_AMOUNT_ASIDE = re.compile(r" ?[(（][^()（）]*\d ?[KMGT]i?B[)）]$")
_SIZE_AND_IOPS = re.compile(r"(?:4|8|16|32|64|128|512) ?k ?iops", re.IGNORECASE)
""" "Random read 4k IOPS" is a label."""
_NAME_WITH_ASIDE = re.compile(r"\S+(?: \([^()]{1,20}\))?")
_PARTED_THOUSANDS, _BAR = re.compile(r"\d{1,3} \d{3}(?:[.,]\d{1,2})?"), re.compile(r"[\u2580-\u25ff]|[=#*]{3}")
_SIZE_OR_CHANGE = re.compile(
    r"\d{1,5} ?[KMGT]i?B?|[~≈]?[+−-]?\d[\d.,]* ?[%x×]|\d{1,3} ?: ?\d{1,3}|[-–—]", re.IGNORECASE
)
_ENDS_OF_NUMBERS = {*"0123456789%-–"}
_CHANGE = re.compile(rf"{vocabulary.COMPARED}|(?<![a-z])vs(?![a-z])|%", re.IGNORECASE)
_SIZE_FIRST = re.compile(r"\d{1,4}[kKM](?:i?B)? ")
_ROUND = re.compile(r"\d{1,2}0{2,4}")
_NUMBER_OR_CHANGE = re.compile(r"[~≈]?[+−-]?\d[\d.,]*%?|[-–—]")
_CONDITION = re.compile(
    rf"(?:{vocabulary.JOBS}|{vocabulary.BLOCK}|{vocabulary.BLOCK_NOUN}|{vocabulary.DEPTH}|depth|qd|block|clients?)",
    re.IGNORECASE,
)
""" "Threads" above "1", "4", "16": what numbers alone name rows by."""


_FIELD_NAME = re.compile(r"[^\W\d][\w./%-]{0,39}(?:[(\[][\w/%]{1,12}[)\]])?")
""" "fio_write_iops", "lat_mean(us)": a program's head of a column, below which stand values, and words elsewhere."""


def may_be_separated(lines: Sequence[str], at: int) -> bool:
    """Heads without units above cells with them: "Disk;Read;Write", "untar,seq_read,seq_write"; "Metric,pool a,pool b"
    above rows of quantities; or above bare numbers, whose unit stands right above all."""
    mark = ";" if ";" in lines[at] else ","
    below = [line for line in lines[at + 1 : at + 3] if line]
    is_captioned = any(hints(line) for line in lines[max(0, at - 2) : at] if len(line) <= _LONGEST_HEADS)
    if mark not in lines[at] or not any(lines[at + 1 : at + 2]) or not (is_captioned or hints(below[0])):
        return False
    names, *rows = (_separated(line.strip(), mark) for line in (lines[at], *below))
    if any(len(row) != len(names) for row in rows):
        return False
    if not hints(below[0]):
        return len(names) > _FEWEST_PAIRS and all(is_value(cell) for row in rows for cell in row[1:])
    if len(names) == _FEWEST_PAIRS:  # "Test,Bandwidth"
        return bool(heading_of(names[1]).quantities) and all(is_value(row[1]) and hints(row[1]) for row in rows)
    if mark == ";" or (all(map(_FIELD_NAME.fullmatch, names)) and any(heading_of(name).load.way for name in names)):
        return True
    if all(hints(row[-1]) and is_value(row[-1]) for row in rows) and f"{mark} " not in lines[at]:
        return True
    are_names = not any(map(str.isdecimal, names[0])) and not any(map(is_value, names))
    return are_names and all(hints(row[0]) and all(map(is_value, row[1:])) for row in rows)


def heads_loads(lines: Sequence[str], at: int) -> bool:
    """Heads of loads that one blank parts, above as many numbers: "Host 4k read 4k write"."""
    if _ends_in_digit(lines[at]) or not any(map(_ends_in_digit, lines[at + 1 : at + 2 + _MOST_BROKEN])):
        return False
    if len(_WAY.findall(lines[at][:_LONGEST_HEADS])) < _FEWEST_LOADS:
        return False
    return _load_heads(lines[at]) is not None or _cycle_of_loads(lines[at]) is not None


def _ends_in_digit(line: str) -> bool:
    return len(line) <= LONGEST_PAIRS and line.rstrip()[-1:].isdecimal()


def heads_rows_of_loads(lines: Sequence[str], at: int) -> bool:
    """A line of words above two rows "Write 52.8 23.4 -55 %": a direction, and as many numbers in each."""
    if at + 2 >= len(lines) or lines[at + 1][-1:] not in _ENDS_OF_NUMBERS:
        return False
    if lines[at][-1:].isdecimal() and not _names_round_numbers(lines[at]):
        return False
    rows = [_load_and_numbers(line) for line in lines[at + 1 : at + 3]] if len(lines[at]) <= _LONGEST_HEADS else [()]
    return all(rows) and len({len(row) for row in rows}) == 1


def _names_round_numbers(line: str) -> bool:
    """ "Standard 1000 3000": columns that have the names of what was bought, and no numbers that somebody measured."""
    words = line.split() if len(line) <= _LONGEST_HEADS else []
    numbers = [word for word in words if word.isdecimal()]
    return 0 < len(numbers) < len(words) and words[0].isalpha() and all(map(_ROUND.fullmatch, numbers))


def _load_and_numbers(line: str) -> tuple[str, ...]:
    """The cells of a row whose label names a direction; () for any other line."""
    is_labelled = line[:1].isalpha() or _SIZE_FIRST.match(line) is not None
    words = line.split() if len(line) <= LONGEST_PAIRS and is_labelled else []
    first = next((at for at in range(len(words), 0, -1) if not _NUMBER_OR_CHANGE.fullmatch(words[at - 1])), 0)
    if not 0 < first <= _MOST_LABEL_WORDS or len(words) - first < 2:
        return ()
    label, numbers = " ".join(words[:first]), words[first:]
    is_one = len(numbers) == 2 and _PARTED_THOUSANDS.fullmatch(" ".join(numbers)) is not None
    return () if is_one or _BAR.search(label) or not heading_of(label).load.way else (label, *numbers)


def _by_loads_of_rows(lines: Sequence[str], first: int, head: str) -> Grid | None:
    """Rows of such below as many words, or words and the name of columns of changes: "old new change fast
    change"."""
    if not heads_rows_of_loads(lines, first):
        return None
    rows = [Row(at, cells) for at, line in rows_below(lines, first) if (cells := _load_and_numbers(line))]
    count = len(rows[0].cells)
    rows = [row for row in rows if len(row.cells) == count]
    changes = sum(all(row.cells[at].endswith("%") for row in rows) for at in range(1, count))
    names = _named_changes(head.split(), changes) if changes else head.split()
    return grid_of_blanks(first, ("", *names)[-count:], rows) if len(names) in (count - 1, count) else None


def _named_changes(names: list[str], count: int) -> list[str]:
    """The words of a head, and as one cell the words that come so many times and tell of a change."""
    for length in range(min(4, len(names)), 0, -1):
        for start in range(len(names) - length + 1):
            own = names[start : start + length]
            text = " ".join(own)
            parts = f" {' '.join(names)} ".split(f" {text} ")
            if len(parts) == count + 1 and _CHANGE.search(text):
                found = [part.split() for part in parts]
                return [name for at, part in enumerate(found) for name in ([text] if at else []) + part]
    return names


def heads_united_rows(lines: Sequence[str], at: int) -> bool:
    """A line of words above two rows of a label, as many cells with units in each, and maybe a remark."""
    below = lines[at + 1 : at + 3]
    if len(below) < 2 or not ("/s" in below[0] or "IOPS" in below[0]) or len(lines[at]) > _LONGEST_HEADS:
        return False
    rows = [_label_and_united(line) for line in below]
    return all(rows) and len(rows[0]) == len(rows[1]) and _UNITED_CELL.search(lines[at]) is None


def _label_and_united(line: str) -> tuple[str, ...]:
    """The label of a row, its cells, and the remark behind them; () for any other line."""
    found = list(_UNITED_CELL.finditer(line)) if len(line) <= 2 * LONGEST_PAIRS else []
    found = found[1:] if len(found) > 2 and _SIZE_AND_IOPS.fullmatch(found[0][0]) else found
    are_close = all(not line[one.end() : other.start()].strip() for one, other in pairwise(found))
    label = line[: found[0].start()].strip() if found else ""
    if len(found) < 2 or not are_close or not label or not heading_of(label).ways:
        return ()
    return (label, *(_AMOUNT_ASIDE.sub("", match[0]) for match in found), line[found[-1].end() :].strip())


def _by_united_rows(lines: Sequence[str], first: int, head: str) -> Grid | None:
    """Such rows, as pages flatten tables; the last words of the head, but for the name of the remarks, are the
    columns'."""
    if not heads_united_rows(lines, first):
        return None
    found = ((at, _label_and_united(line)) for at, line in rows_below(lines, first))
    rows = list(takewhile(lambda row: bool(row[1]), found))
    count = len(rows[0][1])
    rows = [(at, cells) for at, cells in rows if len(cells) == count]
    names = _NAME_WITH_ASIDE.findall(head)
    names = names[:-1] if all(cells[-1] for _, cells in rows) else names
    if len(names) < count - 2:
        return None
    heads = (" ".join(names[: 2 - count]), *names[2 - count :])
    return grid_of_blanks(first, heads, [Row(at, cells[:-1]) for at, cells in rows])


def _load_heads(line: str) -> tuple[str, ...] | None:
    """A label, and two heads or more that name a load each, and each another one: "Host seq read seq write"; None for
    any other line."""
    heads = _heads_of_ways(line)
    return heads if heads and len(set(heads[1:])) == len(heads) - 1 else None


def _cycle_of_loads(line: str) -> tuple[str, ...] | None:
    """The loads that come again below each name of a row of names: "Read Write Read Write" -> "Read", "Write"."""
    heads = _heads_of_ways(line)
    own = tuple(dict.fromkeys(heads[1:])) if heads and not heads[0] else ()
    times, rest = divmod(len(heads) - 1, len(own)) if heads and len(own) > 1 else (0, 1)
    return own if times > 1 and not rest and heads and heads[1:] == own * times else None


def _heads_of_ways(line: str) -> tuple[str, ...] | None:
    """A label, and two heads or more that name a direction each and all tell the same of a load in the same order, so
    that it is certain where one ends; None for any other line."""
    cells = line.split()
    if len(line) > _LONGEST_HEADS or not 1 < len(cells) <= _MOST_WORDS:
        return None
    told = [_told_by(word) for word in cells]
    first = max((at + 1 for at, names in enumerate(told) if not names), default=0)
    ways = [at for at in range(first, len(cells)) if "way" in told[at]]
    width, rest = divmod(len(cells) - first, len(ways)) if len(ways) > 1 else (0, 1)
    parts = [range(at, at + width) for at in range(first, len(cells), width or 1)]
    if rest or not width or first > _MOST_LABEL_WORDS or len({tuple(told[at] for at in part) for part in parts}) > 1:
        return None
    return (" ".join(cells[:first]), *(" ".join(cells[at] for at in part) for part in parts))


@lru_cache(maxsize=2048)
def _told_by(word: str) -> tuple[str, ...]:
    """What a word tells of a load, if it tells nothing else."""
    phrase = heading_of(word)
    if phrase.rest or phrase.quantities or phrase.names_values or phrase.load == Load():
        return ()
    return tuple(name for name, value in zip(Load._fields[:5], phrase.load, strict=False) if value is not None)


def collect_pairs(lines: Sequence[str], first: int) -> Grid | None:
    """Lines of named values, the same names in each: "4k  IOPS=92.7k, BW=362MiB/s, Lat=110usec"."""
    names: tuple[str, ...] = ()
    rows: list[Row] = []
    for at in range(first, min(len(lines), first + MOST_ROWS)):
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
    heads = _told_apart(names, lines[first - 1] if first else "")
    return Grid(first, rows[-1].line + 1, (Row(first, ("", *heads)), *rows), "pairs", heads=1)


def _told_apart(names: tuple[str, ...], above: str) -> tuple[str, ...]:
    """Names that come several times with what stands above each of them: "before | after" above "BW=... BW=..."."""
    groups = len(names) // len(set(names))
    if groups < 2 or names != names[: len(names) // groups] * groups:
        return names
    words = [part for part in re.split(r"\t+| {2,}|\s*\|\s*", above.strip()[:_LONGEST_HEADS]) if part]
    labels = words if len(words) == groups else list(map(str, range(1, groups + 1)))
    return tuple(f"{labels[at * groups // len(names)]}: {name}" for at, name in enumerate(names))


_BANNER = re.compile(r"([-=*#~_])\1{2,}\s.*\s\1{3,}")
""" "--- Disk (fio) ---" heads a part of an output, and no columns."""


def collect_blanks(lines: Sequence[str], first: int) -> Grid | None:
    """A line of headings parted by blanks, and the lines of numbers below it."""
    head = lines[first].strip()
    if len(head) > 240 or head.endswith((".", "。", ":", "?", "!", ",")):
        return None
    if _VALUE.search(head) or _BANNER.fullmatch(head):
        return None
    grids = [
        split(lines, first, head)
        for split in (
            by_heads_of_words,
            _by_words,
            _by_phrases,
            _by_loads,
            _by_cycles_of_loads,
            _by_loads_of_rows,
            _by_united_rows,
            by_tests,
            by_quantities,
            by_rows_of_quantities,
            _by_units,
            _by_separators,
            _by_values,
            by_places,
        )
    ]
    return max((grid for grid in grids if grid is not None), key=lambda grid: len(grid.rows), default=None)


def collect_stacked(lines: Sequence[str], hinted: int, lowest: int) -> Grid | None:
    """A table whose cells a page has put below each other: the heads, then for each row its labels and its numbers.

    hinted: the line of a head, or of a cell of the first row. lowest: where the table may begin.
    """
    if (grid := _labels_above(lines, hinted)) is not None:
        return grid
    if not _is_cell(lines[hinted]):
        return None
    first, filled = hinted, 0
    while (
        first > lowest and filled < 2 * _WIDEST_STACKED and (_is_cell(lines[first - 1]) or not lines[first - 1].strip())
    ):
        first -= 1
        filled += bool(lines[first].strip())
    stretch = enumerate(lines[first : first + _MOST_STACKED], first)
    filled_lines = ((at, cell) for at, line in stretch for cell in _parted_line(line))
    cells = list(takewhile(lambda cell: _is_cell(cell[1]), islice(filled_lines, 3 * _WIDEST_STACKED)))
    if not any(_holds_number(text) for _, text in cells):
        return None
    if len(cells) == 3 * _WIDEST_STACKED:
        cells += takewhile(lambda cell: _is_cell(cell[1]), filled_lines)
    kinds = "".join("v" if _holds_number(text) else "w" for _, text in cells)
    if (below := _below_heads(cells, kinds, hinted)) is not None:
        return below
    grids = [grid for match in _periods(kinds) if (grid := _stacked(cells[match.start() : match.end()], match, hinted))]
    return next((grid for grid in grids if grid.end > cells[-1][0]), grids[0] if grids else None)


def _below_heads(cells: Sequence[tuple[int, str]], kinds: str, hinted: int) -> Grid | None:
    """ "Read", "Write", and below them as many values: one row without a label."""
    for match in re.finditer(r"(?<!w)w++(?P<row>v++)", kinds):
        width = len(match["row"])
        first = match.start("row") - width
        heads, row = cells[max(first, match.start()) : match.start("row")], cells[match.start("row") : match.end()]
        if not 1 < width == len(heads) or not heads[0][0] <= hinted <= row[-1][0]:
            continue
        if all(heading_of(text).load.way for _, text in heads) and all(hints(text) for _, text in row):
            rows = (Row(part[0][0], ("", *(text for _, text in part))) for part in (heads, row))
            return Grid(heads[0][0], row[-1][0] + 1, tuple(rows), "stacked", heads=1)
    return None


def _periods(kinds: str) -> Iterator[re.Match[str]]:
    """Words as heads, and below them rows of as many cells that have words and numbers in the same places."""
    for width in range(2, _WIDEST_STACKED + 1):
        yield from re.finditer(rf"w{{{width}}}(?=[wv]*v)(?P<row>[wv]{{{width}}})(?P=row)+", kinds)


def _stacked(cells: Sequence[tuple[int, str]], match: re.Match[str], hinted: int) -> Grid | None:
    width = len(match["row"])
    parts = [cells[at : at + width] for at in range(0, len(cells), width)]
    heads = [text for _, text in parts[0]]
    names_rows = "w" in match["row"] or any(map(_CONDITION.fullmatch, heads))
    if "v" not in match["row"] or not names_rows or hinted > parts[1][-1][0]:
        return None
    telling = parts[0] if width == 2 else [*parts[0], *parts[1]]  # a line and its value are no table yet
    if not any(hints(text) for _, text in telling):
        return None
    rows = (Row(part[0][0], tuple(text for _, text in part)) for part in parts)
    return Grid(cells[0][0], cells[-1][0] + 1, tuple(rows), "stacked", heads=1)


def _labels_above(lines: Sequence[str], first: int) -> Grid | None:
    """A head of one quantity, and below it by turns the name of a direction and its number: "Kind IOPS +- conf",
    "Read", "9120 +- 3", "Write", "310 +- 1"."""
    if len(lines[first]) > 2 * _LONGEST_STACKED:
        return None
    filled = [at for at in range(first + 1, min(len(lines), first + _MOST_STACKED)) if lines[at].strip()]
    if len(filled) < 4 or not all(_NUMBER_WITH_SPREAD.fullmatch(lines[at]) for at in filled[1:4:2]):
        return None  # nearly always, and to read a head takes long
    head = heading_of(lines[first])
    if len(head.quantities) != 1 or head.quantities[0].factor is None or head.ways or head.statistics:
        return None
    rows: list[Row] = []
    for at, below in zip(filled[::2], filled[1::2], strict=False):
        match = _NUMBER_WITH_SPREAD.fullmatch(lines[below])
        if match is None or not _is_lone_cell(lines[at]) or not heading_of(lines[at]).load.way:
            break
        rows.append(Row(at, (lines[at].strip(), match["number"])))
    if len(rows) < 2:
        return None
    end = filled[2 * len(rows) - 1] + 1
    return Grid(first, end, (Row(first, ("", _head_of(head))), *rows), "stacked", heads=1)


def _head_of(head: Phrase) -> str:
    """Its quantity with its unit, without what it calls labels and spreads."""
    kinds = ("metric_iops", "metric_latency", "metric_bandwidth", "rate_unit", "time_unit", "thousands")
    named = [token for token in head.tokens if token.kind in kinds]
    return head.text[named[0].start : named[-1].end]


def _holds_number(text: str) -> bool:
    """A value, a size, a change, or a value for each direction: "R: 480 / W: 210 MiB/s"."""
    is_number_first = len(text) <= _LONGEST_STACKED and _NUMBER_FIRST.match(text) is not None
    return is_value(text) or is_number_first or _SIZE_OR_CHANGE.fullmatch(text) is not None


def _parted_line(line: str) -> Sequence[str]:
    """A line, or all cells of rows that a page has put on one, two blanks between them; nothing of an empty line."""
    text = line.strip()
    parts = _PARTED.split(text) if len(text) > _LONGEST_STACKED else [text]
    return parts if len(parts) > _WIDEST_STACKED and any(map(is_value, parts)) else [text] if text else []


def _is_cell(line: str) -> bool:
    """A few words or a number, and no sentence, heading or item."""
    text = line.strip()
    return 0 < len(text) <= _LONGEST_STACKED and not _NO_CELL.search(text)


def _is_lone_cell(line: str) -> bool:
    """A few words and no sentence."""
    text = line.strip()
    return (
        0 < len(text) <= _LONGEST_STACKED and not text.endswith((".", "。", ":", ",", "?", "!")) and not is_value(text)
    )


def _by_words(lines: Sequence[str], first: int, head: str) -> Grid | None:
    """Columns parted by one blank: as many words in every row as in the head, and most heads are known."""
    heads = tuple(head.split())
    known = sum(1 for cell in heads if _PHRASE.fullmatch(cell))
    if len(heads) < 3 or known < 2 or any(len(cell) < 2 for cell in heads):
        return None
    rows: list[Row] = []
    for at, line in rows_below(lines, first):
        cells = tuple(line.split())
        if len(cells) != len(heads) or not is_number(cells[-1]):
            break
        rows.append(Row(at, cells))
    return grid_of_blanks(first, heads, rows)


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
    for line_at, line in rows_below(lines, first):
        words = line.split()
        if len(words) <= count or not all(map(is_number, words[-count:])):
            break
        rows.append(Row(line_at, (" ".join(words[:-count]), *words[-count:])))
    heads = tuple(phrases) if phrases[0].startswith("\0") else (label, *phrases)
    return grid_of_blanks(first, tuple(cell.removeprefix("\0") for cell in heads), rows)


def _by_loads(lines: Sequence[str], first: int, head: str) -> Grid | None:
    """Heads of loads above labels of any number of words with a number for each."""
    heads = _load_heads(head)
    return None if heads is None else _labelled_rows(lines, first, heads)


def _by_cycles_of_loads(lines: Sequence[str], first: int, head: str) -> Grid | None:
    """ "Read Write Read Write" below a row of names, each of which has all of these loads."""
    loads = _cycle_of_loads(head)
    if loads is None:
        return None
    top, names = _names_above(lines, first, len(head.split()) // (len(loads) * len(loads[0].split())))
    heads = (names[0], *(f"{name}  {load}" for name in names[1:] for load in loads)) if names else ()
    grid = _labelled_rows(lines, first, heads) if heads else None
    return None if grid is None else replace(grid, first=top)


def _names_above(lines: Sequence[str], first: int, count: int) -> tuple[int, tuple[str, ...]]:
    """The first of the lines right above that hold so many names, which the page may have broken, and the label in
    front of these or "" with them; no names where there are more or fewer."""
    for top in range(first - 1, max(-1, first - 2 * count - 2), -1):
        if not lines[top].strip() or len(lines[top]) > _LONGEST_HEADS or hints(lines[top]):
            break
        names = _NAME_WITH_ASIDE.findall(" ".join(line.strip() for line in lines[top:first]))
        if any(name.startswith("(") or name.count("(") != name.count(")") or is_value(name) for name in names):
            continue
        if len(names) == count + 1:
            return top, tuple(names)
        if len(names) == count and top and (not lines[top - 1].strip() or hints(lines[top - 1])):
            return top, ("", *names)
    return first, ()


def _by_units(lines: Sequence[str], first: int, head: str) -> Grid | None:
    """Each head ends with its unit in brackets, labels of any number of words stand in front: "Disks Write(MB/s) Seq
    read(MB/s)"."""
    ends = [match.end() for match in _UNIT_BEHIND.finditer(head)] if head.endswith((")", "]")) else []
    if len(ends) < 2 or ends[-1] != len(head):
        return None
    heads = [head[start:end].strip() for start, end in zip([0, *ends], ends, strict=False)]
    words = heads[0].split()
    own = next((at for at in range(len(words) - 1, -1, -1) if not _names_quantity(words[at])), -1) + 1
    if own == len(words) or own > _MOST_LABEL_WORDS:
        return None
    heads[:1] = [" ".join(words[:own]), " ".join(words[own:])]
    return _labelled_rows(lines, first, tuple(heads))


def _names_quantity(word: str) -> bool:
    phrase = heading_of(word)
    return not phrase.rest and (bool(phrase.quantities) or phrase.load != Load() or bool(phrase.statistics))


def _labelled_rows(lines: Sequence[str], first: int, heads: tuple[str, ...]) -> Grid | None:
    """Labels of any number of words, which the page may have broken, with a number for each head but the first."""
    count = len(heads) - 1
    rows: list[Row] = []
    label: list[str] = []
    for at, line in rows_below(lines, first):
        words = line.split()
        if not all(map(is_number, words[-count:])) and _is_lone_cell(line) and len(label) < _MOST_BROKEN:
            label.append(line.strip())
            continue
        is_whole = len(words) > count if not label else len(words) == count
        if not is_whole or not all(map(is_number, words[-count:])):
            break
        rows.append(Row(at, (" ".join([*label, *words[:-count]]), *words[-count:])))
        label = []
    return grid_of_blanks(first, heads, rows) if len(rows) > (not heads[0]) else None


def _by_values(lines: Sequence[str], first: int, head: str) -> Grid | None:
    """Every blank parts cells, as pages flatten tables: a word of the head for each number below, which has its unit.

    Or the unit of all stands in front of the heads: "MB/s host guest".
    """
    heads = tuple(head.split())
    rows: list[Row] = []
    names_unit = _UNIT_ALONE.fullmatch(heads[0]) is not None
    for at, line in rows_below(lines, first):
        match = (_LABEL_AND_NUMBERS if names_unit else _LABEL_AND_VALUES).fullmatch(line)
        cells = (match["label"], *(_BARE if names_unit else UNITED).findall(match["values"])) if match else ()
        if len(cells) != len(heads):
            break
        rows.append(Row(at, cells))
    return grid_of_blanks(first, heads, rows) if len(heads) > 2 and len(rows) > 1 else None


def _by_separators(lines: Sequence[str], first: int, head: str) -> Grid | None:
    """Comma- or semicolon-separated values: as many in every row as in the head."""
    separator = ";" if head.count(";") >= 2 or "," not in head else ","
    heads = _separated(head, separator)
    if len(heads) < 2 or any(len(cell) > 40 or is_value(cell) for cell in heads):
        return None
    if not any(hints(cell) for cell in heads) and not may_be_separated(lines, first):
        return None
    named = heads if all(map(_FIELD_NAME.fullmatch, heads)) else ()
    measured = [at for at, name in enumerate(named) if hints(name) or heading_of(name).load.way]
    measured += [at for at, name in enumerate(heads) if at and len(heads) > _FEWEST_PAIRS and hints(name)]
    rows: list[Row] = []
    for at, line in rows_below(lines, first):
        cells = _with_unit_of_the_last(_separated(line, separator), len(heads))
        if len(cells) != len(heads):
            break
        ends_in_value = is_number(cells[-1]) or is_value(cells[-1]) or (cells[0] != "" and not any(cells[1:]))
        if not ends_in_value and not any(is_value(cells[place]) for place in measured):
            break
        rows.append(Row(at, cells))
    are_rates = hints(heads[-1]) or all(hints(row.cells[-1]) for row in rows)
    if len(heads) == 2 and (len(rows) < _FEWEST_PAIRS or hints(heads[0]) or not are_rates or " " in heads[0]):
        return None  # a sentence holds one comma by chance
    grid = grid_of_blanks(first, heads, rows)
    line = lines[first - 1].strip() if first else ""
    above, is_caption = _separated(line, separator), f"{separator} " in line and f"{separator} " not in head
    if grid is None or is_caption or len(above) != len(heads) or any(map(is_number, above)) or not any(above):
        return grid
    return Grid(first - 1, grid.end, (Row(first - 1, above), *grid.rows), "blanks", heads=2)


def _with_unit_of_the_last(cells: tuple[str, ...], width: int) -> tuple[str, ...]:
    """ "64k,randread,2631.08,usec" below "bs,rw,latency"."""
    is_parted = len(cells) == width + 1 and is_number(cells[-2]) and _UNIT_OF_CELL.fullmatch(cells[-1]) is not None
    return (*cells[:-2], f"{cells[-2]} {cells[-1]}") if is_parted else cells


def _separated(line: str, separator: str) -> tuple[str, ...]:
    """Its cells; in quotation marks a cell may hold the separator."""
    if '"' not in line:
        return tuple(cell.strip() for cell in line.split(separator))
    whole = " ".join(line.split("\r"))  # a carriage return would end the row
    return tuple(cell.strip() for cell in next(csv.reader([whole.strip()], delimiter=separator, skipinitialspace=True)))


def _with_shared_metric(phrases: list[str]) -> list[str]:
    """ "Latency (msec) 99.00th 99.50th": the first names the quantity of the others and stands above the labels."""
    lone = re.compile(rf"{_STATISTIC}{_UNIT}?", re.I)
    if all(lone.fullmatch(phrase) for phrase in phrases[1:]) and not lone.fullmatch(phrases[0]):
        return ["\0" + phrases[0], *(f"{phrases[0]} {phrase}" for phrase in phrases[1:])]
    return phrases
