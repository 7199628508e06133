"""What the cells of a table leave to others of their row: units, names, and two columns written as one."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import takewhile, zip_longest

from radoscope import patterns as re
from radoscope.formats.context.network_words import RECEIVED, SENT, counts_bits, received_of, side_named
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.phrases import BANDWIDTH, IOPS, LATENCY, RATE, Load, Value, cell_of, heading_of
from radoscope.formats.tables.finder import AS_SSD_TEST
from radoscope.formats.tables.grid import Row
from radoscope.formats.tables.heads import Head, is_of_mean, is_of_repeat, is_unit_column, read_head

_BEFORE_ASIDE = re.compile(r"(?: ?\([^()]*\))?$")
_WITH_BRACKETS = re.compile(r"([^()/]+?) ?\(([^()]+)\)")
_BETWEEN_COLUMNS = re.compile(r"/| [x×*] ")
_PRODUCT_NAMED = re.compile(
    rf"(?:(?P<jobs>{words.JOBS})|{words.DEPTH}|depth) ?[x×*/] ?(?(jobs)(?:{words.DEPTH}|depth)|(?:{words.JOBS}))",
    re.IGNORECASE,
)
_PRODUCT = re.compile(r"(?<![\w.])(?<!\d,)(?P<one>\d{1,4}) ?[x×*/] ?(?P<other>\d{1,4})(?![\w.]|,\d)")
_UNIT_BEHIND = re.compile(
    rf"[~≈]?\d[\d.,' ]*(?P<scale>[kKM](?=[ i]))? ?(?P<unit>{RATE}|IOPS)(?: ?\([^()]*\))?", re.IGNORECASE
)
_SHARE_BEHIND = re.compile(r"\d[kKM]? ?\((?P<change>[+−-])?(?P<share>\d{1,4}(?:[.,]\d)?) ?%\)$")
_NEAR_PERCENT, _ALIKE, _LEAST_COUNT = 0.011, 30.0, 1000.0
_ARROW = r"(?:[-=]{1,2}>|[→⇒➜])"
_ARROW_MARKS = frozenset(">→⇒➜")
_BETWEEN_VALUES = rf" ?(?:/|{_ARROW}) ?"
_ALTERNATIVES = re.compile(
    r"(?<![\w.,/])(?P<run>(?:[a-z]{1,8}[ =]?)?\d{1,4}(?: ?[km](?:i?b)?)?"
    rf"(?:{_BETWEEN_VALUES}(?:[a-z]{{1,8}}[ =]?)?\d{{1,4}}(?: ?[km](?:i?b)?(?![a-z]))?)+)(?P<behind>(?: ?[^\W\d]+)?)",
    re.IGNORECASE,
)
_JOBS_OF_EACH = re.compile(rf"(?<=\d) ?(?:{words.JOBS})(?={_BETWEEN_VALUES}\d{{1,4}} ?(?:{words.JOBS}))", re.IGNORECASE)
_NUMBER = r"(?:\d{1,3}(?: \d{3})+(?!\d)|\d[\d.,']*)"
_PARTED_VALUE = re.compile(
    rf"(?P<number>[~≈]?{_NUMBER}(?:[kKM](?![a-zA-Z]))?)(?: ?(?P<unit>{RATE}|k?IOPS|{words.TIME_UNIT}))?", re.IGNORECASE
)
_A_VALUE = re.sub(r"\(\?P<\w+>", "(?:", _PARTED_VALUE.pattern)
_PARTED_VALUES = re.compile(rf"{_A_VALUE}(?:{_BETWEEN_VALUES}{_A_VALUE})+", re.IGNORECASE)
_CHAINED_VALUES = re.compile(
    rf"(?<![\w.,])(?<!\d ){_A_VALUE}(?: ?{_ARROW} ?{_A_VALUE}){{1,5}}(?![\w.,]\d|\w| \d)", re.IGNORECASE
)
_SIDE = r"([^\W\d][\w .+-]{0,30}?)"
_SIDES = re.compile(
    rf"(?:^|[(（:：,，]) {{0,8}}{_SIDE} ?(?:/|(?<= )vs\.?(?= )) ?{_SIDE} ?[)）]?[.:：]?$", re.IGNORECASE
)
_SHORT_NAMES = re.compile(r"(?<!\S)\w{1,8}(?: ?/ ?\w{1,8})+$")
_CHANGE_ASIDE = re.compile(r" ?[(（] ?[+−±-]?\d[\d.,]{0,8} ?[%x×倍] ?[)）]")
""" "2763 → 3816 IOPS (+38 %)": by how much it differs."""
_OTHER_COLUMN = re.compile(
    rf"{words.COMPARED}|\b(?:score|points?|rank|runs?|temp\w*|cpu|load|util\w*|power|watts?|size|samples?|errors?|note)\b"
    r"|[%°$€]|得分|分数|スコア|punkte|оценка|балл",
    re.IGNORECASE,
)
"""What stands beside rates and is none."""
_UNITS = dict.fromkeys(("1/s", "/s", "s-1", "次/秒", "次/s", "回/秒", "회/초", "раз/с"), "IOPS")
_MOST_APART = 100
_DRIVE = re.compile(
    r"\b(?:hdds?|ssds?|nvmes?|sata|sas|optane|flash|dis[ck]s?|platten?|disques?|raid\w*|диск\w*)\b|盘|ディスク",
    re.IGNORECASE,
)
"""IOPS of one are a hundred times those of another."""
_NAMED_PART = re.compile(
    r"(?P<name>[^\W\d_][\w.+-]{0,20}(?: [\w.+-]{1,12}){0,2}) ?[:=] ?"
    rf"(?P<value>[~≈]?\d[\d.,']*[kKM]?(?: ?(?:{RATE}|k?IOPS))?)",
    re.IGNORECASE,
)
_NAMED_PARTS = re.compile(
    rf"(?:{re.sub(r'[(][?]P<[a-z]+>', '(?:', _NAMED_PART.pattern)}(?:[,;/ ]+|$)){{2,6}}", re.IGNORECASE
)
_OLD_MEGABYTES = re.compile(r"(?<=\d)(?P<scale> ?[KMG])B/s")
"""Of fio before its version 3, which alone prints "aggrb": a power of 1024."""
_NAMED_VALUE = re.compile(r"(?P<name>[a-z]{2,8}) ?= ?(?P<value>[~≈]?\d\S*(?: ?[A-Za-z/]+)?)", re.IGNORECASE)


def with_parted_columns(heads: Sequence[str], body: Sequence[Row]) -> tuple[list[str], list[Row]]:
    """ "Engine / depth | libaio / 16", "Model (block size) | small (48k)": two columns in one."""
    for at, text in enumerate(heads):
        parts = _parted(text)
        cells = [_parted(row.cells[at]) for row in body]
        roles = {read_head(part).role for part in parts} & {"block", "depth", "jobs"}
        if len(parts) != 2 or not roles or not all(len(each) == 2 and all(each) for each in cells):
            continue
        rows = [
            Row(row.line, (*row.cells[:at], *each, *row.cells[at + 1 :])) for row, each in zip(body, cells, strict=True)
        ]
        return [*heads[:at], *parts, *heads[at + 1 :]], rows
    return list(heads), list(body)


def with_named_products(heads: Sequence[str], body: Sequence[Row]) -> list[Row]:
    """ "Test (threads * queue depth) | 4k read, 4 * 32": a head says what the two numbers of each of its labels are."""
    match = _PRODUCT_NAMED.search(heads[0])
    found = [list(_PRODUCT.finditer(row.cells[0])) for row in body]
    if match is None or any(len(products) > 1 for products in found):
        return list(body)
    spelled = r"\g<one> jobs, QD\g<other>" if match["jobs"] else r"QD\g<one>, \g<other> jobs"
    return [Row(row.line, (_PRODUCT.sub(spelled, row.cells[0]), *row.cells[1:])) for row in body]


def _parted(text: str) -> list[str]:
    match = _WITH_BRACKETS.fullmatch(text)
    return list(match.groups()) if match else [part.strip() for part in _BETWEEN_COLUMNS.split(text)]


def with_units(heads: Sequence[str], body: Sequence[Row]) -> list[Row]:
    """A column of units of its own: they go to the numbers beside them.

    "deferred | r1 | r2 | mean | unit": to those of the repeats and their mean, where columns are called so. Of numbers
    of a row that differ a hundredfold, and not as drives do, some are settings, and nobody knows which.
    """
    columns = enumerate(zip(heads, zip(*(row.cells for row in body), strict=True), strict=True))
    at = next((at for at, (text, cells) in columns if at and is_unit_column(text, cells)), None)
    if at is None:
        return list(body)
    repeats = {place for place, text in enumerate(heads) if is_of_repeat(text) or is_of_mean(text)}
    conditions = {place for place, text in enumerate(heads) if not place or read_head(text).role}
    is_repeated = sum(map(is_of_repeat, heads)) > 1
    merged = []
    for row in body:
        numbers = (place for place, cell in enumerate(row.cells) if is_bare_number(cell))
        bare = {place for place in numbers if heading_of(row.cells[place]).load.way is None}  # "seq write 2" is a name
        bare = bare & repeats if is_repeated else bare - conditions
        are_drives = all(_DRIVE.search(heads[place]) for place in bare)
        bare = bare if is_repeated or are_drives or _are_alike(row.cells[place] for place in bare) else set()
        unit = _UNITS.get(row.cells[at].strip().lower(), row.cells[at])
        cells = [
            _BEFORE_ASIDE.sub(rf" {unit}\g<0>", cell, 1) if place in bare else cell
            for place, cell in enumerate(row.cells)
        ]
        merged.append(Row(row.line, (*cells[:at], "", *cells[at + 1 :])))
    return merged


def _are_alike(cells: Iterable[str]) -> bool:
    """No number is a hundred times another one."""
    values = [abs(value.value) for cell in cells for value in cell_of(cell).values(False) if value.value]
    return not values or max(values) <= _MOST_APART * min(values)


def with_names_in_front(body: Sequence[Row]) -> Iterator[Row]:
    """Rows of "iops=310 | iops=420": the name that all cells of a row have goes to its label; until a name comes again
    they are of the first one's label."""
    label, seen = "", set[str]()
    for row in body:
        matches = [_NAMED_VALUE.fullmatch(cell) for cell in row.cells[1:] if cell]
        names = {match["name"].lower() if match else "" for match in matches}
        if len(matches) < 2 or len(names) > 1 or "" in names or not (row.cells[0] or label):
            seen.clear()
            yield row
            continue
        (name,) = names
        if not seen or name in seen:
            label, seen = row.cells[0] or label, set()
        seen.add(name)
        values = [match["value"] if (match := _NAMED_VALUE.fullmatch(cell)) else cell for cell in row.cells[1:]]
        if name == "aggrb":
            values = [_OLD_MEGABYTES.sub(r"\g<scale>iB/s", value) for value in values]
        if read_head(name).quantities:
            yield Row(row.line, (f"{label} {name}", *values))


def with_what_was_received(heads: Sequence[str], body: Sequence[Row]) -> list[Row]:
    """Of cells that tell what a network was sent and what came through, the latter."""

    def received(row: Row) -> Row:
        cells = zip(heads, row.cells, strict=True)
        return Row(row.line, tuple(received_of(cell, f"{head} {row.cells[0]}") or cell for head, cell in cells))

    return [received(row) if counts_bits(row.cells) else row for row in without_senders(body)]


def without_senders(body: Sequence[Row]) -> list[Row]:
    """Without rows of a sender for which there is one of its receiver, of the same names."""
    sides = [side_named(" | ".join(names)) for names in _names_of_rows(body)]
    received = {names for side, names in sides if side == RECEIVED}
    return [row for row, (side, names) in zip(body, sides, strict=True) if side != SENT or names not in received]


def _names_of_rows(body: Sequence[Row]) -> Iterator[tuple[str, ...]]:
    """The cells in front of each row's values; a name that is left out is that of the row above."""
    first = ""
    for row in body:
        first = row.cells[0] or first
        yield (first, *takewhile(_is_name, row.cells[1:]))


def _is_name(cell: str) -> bool:
    return not cell_of(cell).names_values and not is_bare_number(cell)


def with_named_parts(heads: Sequence[str], body: Sequence[Row]) -> tuple[list[str], list[Row]]:
    """ "old: 20.5 new: 61" in the cells of a row: a row for each name, with the row's words and conditions."""
    conditions = {at for at, text in enumerate(heads) if read_head(text).role}
    parted = [list(_parts_of(row, conditions)) for row in body]
    if all(len(parts) == 1 for parts in parted):
        return list(heads), list(body)
    pairs = [pair for parts in parted for pair in parts]
    if 0 in conditions:
        return ["", *heads], [Row(row.line, (name, *row.cells)) for name, row in pairs]
    return list(heads), [Row(row.line, (f"{row.cells[0]} {name}".strip(), *row.cells[1:])) for name, row in pairs]


def _parts_of(row: Row, conditions: Container[int]) -> Iterator[tuple[str, Row]]:
    """Each name with its row; what stands in other cells is of no name."""
    hopeful = [at for at, cell in enumerate(row.cells) if at and (":" in cell or "=" in cell)]
    parts = {at: dict(_NAMED_PART.findall(row.cells[at])) for at in hopeful if _NAMED_PARTS.fullmatch(row.cells[at])}
    names = [list(part) for part in parts.values()]
    if not parts or any(each != names[0] for each in names) or any(map(_names_measured, names[0])):
        yield "", row
        return
    others = ["" if at in parts else cell for at, cell in enumerate(row.cells)]
    values = [at for at, cell in enumerate(others) if at and at not in conditions and any(map(str.isdecimal, cell))]
    if values:
        yield "", Row(row.line, tuple(others))
    for name in names[0]:
        cells = (parts[at][name] if at in parts else "" if at in values else cell for at, cell in enumerate(others))
        yield name, Row(row.line, tuple(cells))


def _names_measured(name: str) -> bool:
    """ "read", "R", "p99", "IOPS" in front of a number say what it is, and not of what."""
    phrase = heading_of(f"{name}: 1")
    return len(name) == 1 or bool(phrase.ways or phrase.statistics or phrase.quantities)


def is_bare_number(cell: str) -> bool:
    values = cell_of(cell).values(False)
    return len(values) == 1 and not values[0].kind and not cell_of(cell).words


def with_units_of_rows(heads: Sequence[Head], body: Sequence[Row], commas: bool) -> list[Row]:
    """ "write 1M | 428 MB/s | 447 (104%) | 416 (97%)": of a row that names a load, one cell names the unit of all.

    Certain where the percentages are those of the numbers; else two rows must be alike in that, each with two such
    numbers at least, which are no other quantity.
    """
    if any(head.quantities for head in heads[1:]):
        return list(body)
    found = [_with_unit_of_row(heads, row, commas) for row in body]
    are_alike = sum(1 for united in found if united is not None) > 1
    return [
        united[0] if united is not None and (united[1] or are_alike) else row
        for row, united in zip(body, found, strict=True)
    ]


def _with_unit_of_row(heads: Sequence[Head], row: Row, commas: bool) -> tuple[Row, bool] | None:
    """The row with its unit in all cells, and whether percentages prove it; None where one cell says something else."""
    label = heading_of(row.cells[0])
    cells = {at: row.cells[at].replace("**", "").strip() for at, head in enumerate(heads) if at and not head.role}
    cells = {at: cell for at, cell in cells.items() if cell.strip(" -–—")}
    units = {at: match for at, cell in cells.items() if (match := _UNIT_BEHIND.fullmatch(cell))}
    bare = {at: cell_of(cells[at]).values(commas)[0] for at in cells if at not in units and is_bare_number(cells[at])}
    if label.load.way is None or label.quantities or len(units) != 1 or not bare or len(units) + len(bare) < len(cells):
        return None
    ((first, unit),) = units.items()
    whole = cell_of(cells[first]).values(commas)[0]
    factor = whole.factor if whole.kind == BANDWIDTH else 1.0
    if any(value.factor != 1.0 for value in bare.values()) and whole.kind != IOPS:
        return None
    rates = {at: value.value * factor for at, value in bare.items()}
    is_proven = all(_is_share(cells[at], rate / (whole.value or 1.0)) for at, rate in rates.items())
    if not is_proven and not (
        first in (min(cells), max(cells))
        and len(bare) > 1
        and all(_may_be_rate(heads[at], rates[at], bare[at], unit, whole) for at in bare)
    ):
        return None
    united = {at: _BEFORE_ASIDE.sub(rf" {unit['unit']}\g<0>", cells[at], count=1) for at in bare}
    return Row(row.line, tuple(united.get(at, cell) for at, cell in enumerate(row.cells))), is_proven


def _is_share(cell: str, ratio: float) -> bool:
    """Whether the percentage behind a number is this ratio: "(104%)", or "(+4%)"."""
    match = _SHARE_BEHIND.search(cell)
    if match is None:
        return False
    share = float(match["share"].replace(",", ".")) / 100
    change = {"+": 1 + share, "-": 1 - share, "−": 1 - share}
    return abs(ratio - change.get(match["change"] or "", share)) < _NEAR_PERCENT


def _may_be_rate(head: Head, rate: float, value: Value, unit: re.Match[str], whole: Value) -> bool:
    """No score and no count; beside "147K IOPS" nobody knows whether 43 are thousands."""
    is_clear = not unit["scale"] or value.factor != 1.0 or rate >= _LEAST_COUNT
    is_near = 1 / _ALIKE < rate / (whole.value or 1.0) < _ALIKE
    return is_clear and is_near and bool(head.text) and not _OTHER_COLUMN.search(head.text)


def with_parted_rows(heads: Sequence[str], body: Sequence[Row], captions: Sequence[str]) -> list[Row]:
    """ "read 4k QD32 / QD1 | 80,114 / 6,482 IOPS": two rows in one, where label or caption names as many conditions, or
    a line above two sides, as each cell has numbers."""
    are_parted = any(map(_PARTED_VALUES.fullmatch, body[0].cells[1:]))
    above = alternatives_in("".join(captions[:1])) or _sides_in([*captions, *heads[1:]]) if are_parted else ()
    found: list[Row] = []
    for row in body:
        if loads := _loads_in(row.cells[0]):
            found += _rows_of_loads(row, loads)
            continue
        own = alternatives_in(row.cells[0])
        labels = own or tuple(f"{row.cells[0]} {each}" for each in above)
        labels = () if any(map(_names_several, (*heads, *labels))) else labels
        parts = [_values_apart(cell, len(labels)) for cell in row.cells[1:]] if labels else []
        if not parts or not all(parts) or not any(len(set(each)) > 1 for each in parts):
            found.append(row)
            continue
        columns = zip(*parts, strict=True)
        found += [Row(row.line, (label, *cells)) for label, cells in zip(labels, columns, strict=True)]
    return found


def _sides_in(captions: Sequence[str]) -> tuple[str, ...]:
    """ "Summary (local / replicated)", "For: old vs new": the names of what is set against each other; () where a line
    names what else two numbers may be."""
    named = (match for line in captions if (match := _SIDES.search(line)))
    are_names = (match for match in named if all(token.kind == "word" for token in heading_of(match[0]).tokens))
    sides = next((match.groups() for match in are_names), ())
    return () if any(map(_names_several, captions)) else sides


def _loads_in(label: str) -> tuple[str, ...]:
    """ "SSD: 1M write / 4k random read": the loads of a label, each of its own size or order; in "4k read /
    write" both have the size that is said once."""
    parts = tuple(part.strip() for part in label.split(" / "))
    loads = [heading_of(part).load for part in parts] if len(parts) > 1 else []
    are_apart = len({(load.random, load.sizes) for load in loads}) == len(loads) > 1
    are_whole = len({tuple(size is None for size in load.sizes) for load in loads}) == 1
    return parts if are_apart and are_whole and all(map(_is_whole, loads)) else ()


def _is_whole(load: Load) -> bool:
    """It names a direction, and the order or the block."""
    return load.way is not None and (load.random is not None or load.block_bytes is not None)


def _rows_of_loads(row: Row, loads: Sequence[str]) -> Iterator[Row]:
    """A row for each load, where each cell has as many values; of others nobody knows which is whose."""
    held = ((cell, any(map(str.isdecimal, cell))) for cell in row.cells[1:])
    cells = [cell.split(" / ") if holds_number else [cell] * len(loads) for cell, holds_number in held]
    if all(len(parts) == len(loads) and all(map(_is_one_value, parts)) for parts in cells):
        yield from (Row(row.line, (load, *own)) for load, own in zip(loads, zip(*cells, strict=True), strict=True))


def _is_one_value(part: str) -> bool:
    return not any(map(str.isdecimal, part)) or len(cell_of(part).values(False)) == 1


def _names_several(text: str) -> bool:
    """ "Read / Write", "p50 / p99": nobody knows which of two numbers is which then."""
    phrase = heading_of(text)
    return max(len(phrase.ways), len(phrase.statistics), len(phrase.quantities)) > 1


def alternatives_in(text: str) -> tuple[str, ...]:
    """ "4k QD1 / QD32" -> "4k QD1", "4k QD32": a text of one condition with several values, once for each of them."""
    text = _JOBS_OF_EACH.sub("", text)  # "1 job / 8 jobs"
    for match in _ALTERNATIVES.finditer(text):
        parts = [part.strip() for part in re.split(_BETWEEN_VALUES, match["run"])]
        name = re.match(r"[a-z=]* ?", parts[0], re.IGNORECASE)
        unit = "".join(re.findall(r"\d ?([km](?:i?b)?)$", parts[-1], re.IGNORECASE))
        named = [
            part if re.match("[a-z=]", part, re.IGNORECASE) else f"{name[0] if name else ''}{part}" for part in parts
        ]
        named = [part if part[-1:].isalpha() else f"{part}{unit}" for part in named]
        word = match["behind"].strip()
        behind = f" {word}" if word and heading_of(f"2 {word}").load.jobs else ""
        loads = [heading_of(f"{part}{behind}").load.sizes for part in named]
        fields = {tuple(value is not None for value in load) for load in loads}
        are_sizes = len(fields) == 1 and sum(fields.pop()) == 2  # one size, and "mixed"
        if len(set(loads)) == len(loads) and are_sizes and all(map(_is_asked_for, loads)):
            before, end = text[: match.start()], match.end() - (0 if behind else len(match["behind"]))
            return tuple(f"{before}{part}{behind}{text[end:]}" for part in named)
    return ()


def _is_asked_for(sizes: Load) -> bool:
    """Of blocks a power of two, or three of one: "29k / 128k" are counts."""
    blocks = sizes.block_bytes or 0
    return blocks == 0 or blocks & (blocks - 1) == 0 or (blocks // 3) & (blocks // 3 - 1) == 0


def with_units_of_as_ssd(heads: Sequence[str], body: Sequence[Row]) -> list[Row]:
    """The rates of AS SSD's tests in MB/s; unless small blocks give more than large ones, as they do in IOPS."""
    united, small, large = [], [0.0], [0.0]
    for row in body:
        cells = list(row.cells)
        for at, cell in enumerate(row.cells):
            names = (heads[at], row.cells[0])
            if not at or not any(map(AS_SSD_TEST.match, names)):
                continue
            cells[at] = f"{cell} MB/s" if is_bare_number(cell) else cell
            if not any("64" in name for name in names):
                is_small = any(name.lower().startswith("4k") for name in names)
                values = cell_of(cells[at]).values(False)
                (small if is_small else large).extend(value.value for value in values if value.kind == BANDWIDTH)
        united.append(Row(row.line, tuple(cells)))
    return united if max(small) < max(large) else list(body)


def _values_apart(cell: str, count: int) -> tuple[str, ...]:
    """The numbers of a cell with their unit; what holds no number is of all; () where it holds another count."""
    cell = cell.replace("**", "").strip()
    if not any(map(str.isdecimal, cell)):
        return (cell,) * count
    return _one_of_each(cell, count) if _PARTED_VALUES.fullmatch(cell) else _chains_apart(cell, count)


def _one_of_each(values: str, count: int) -> tuple[str, ...]:
    """ "290 → 8267 us" -> "290 us", "8267 us"; () of "2847 IOPS / 348 us", which is one run."""
    found = list(_PARTED_VALUE.finditer(values))
    unit = (found[-1]["unit"] or "") if len(found) == count else ""
    each_one = tuple(f"{each['number']} {each['unit'] or unit}".strip() for each in found)
    kinds = {value.kind for one in each_one for value in cell_of(one).values(False)}
    return each_one if len(found) == count and len(kinds) <= 1 else ()


def _chains_apart(cell: str, count: int) -> tuple[str, ...]:
    """ "2763 → 3816 IOPS (+38 %), avg 290us → 8267us" -> "2763 IOPS, avg 290 us", "3816 IOPS, avg 8267 us"; () where
    another number stands beside such, for nobody knows of which it is."""
    cell = _CHANGE_ASIDE.sub("", cell)
    chains = [_one_of_each(chain[0], count) for chain in _CHAINED_VALUES.finditer(cell)]
    between = _CHAINED_VALUES.split(cell)
    if not chains or not all(chains) or any(map(str.isdecimal, "".join(between))):
        return ()
    return tuple(
        "".join(f"{words_before}{value}" for words_before, value in zip_longest(between, values, fillvalue=""))
        for values in zip(*chains, strict=True)
    )


def holds_chain(cell: str) -> bool:
    """ "2763 → 3816 IOPS": values with their unit, and no conditions."""
    chains = _CHAINED_VALUES.finditer(cell) if not _ARROW_MARKS.isdisjoint(cell) else ()
    return any(each["unit"] for chain in chains for each in _PARTED_VALUE.finditer(chain[0]))


def with_columns_in_turn(heads: Sequence[str], body: Sequence[Row]) -> tuple[list[str], list[Row]]:
    """ "ext4 QD1 → QD32 | 2763 → 3816 IOPS": a column for each condition that a head names, where cells have as many
    values; of a cell with another count nobody knows which is whose."""
    texts: list[str] = []
    columns: list[Sequence[str]] = []
    for at, text in enumerate(heads):
        in_turn = (
            alternatives_in(text),
            _times_in_turn(text, heads),
            _times_of_columns(text, heads),
            _two_states(text),
        )
        names = next(filter(None, in_turn), ()) if at else ()
        cells = [row.cells[at] for row in body]
        parted = [_values_apart(cell, len(names)) for cell in cells] if names else []
        if any(len(set(values)) > 1 for values in parted):
            texts += names
            columns += zip(*(values or ("",) * len(names) for values in parted), strict=True)
        else:
            texts.append(_without_arrows(text) if names else text)
            columns.append(cells)
    rows = zip(*columns, strict=True)
    return texts, [Row(row.line, cells) for row, cells in zip(body, rows, strict=True)]


def _times_of_columns(text: str, heads: Sequence[str]) -> tuple[str, ...]:
    """ "p99 2p / 1p" beside "2 paths" and "1 path": a time of what stands in each of these columns."""
    match = _SHORT_NAMES.search(text)
    if match is None or not (head := heading_of(text[: match.start()])).statistics or head.load != Load():
        return ()
    short = re.split(" ?/ ?", match[0].lower())
    long = [other for other in heads if other != text]
    whole = [[other for other in long if other.lower().replace(" ", "").startswith(each)] for each in short]
    return tuple(f"{own[0]} {head.text}" for own in whole) if all(len(own) == 1 for own in whole) else ()


def _two_states(text: str) -> tuple[str, ...]:
    """ "before → after": two states of what was measured; () of other heads."""
    states = () if any(map(str.isdecimal, text)) else tuple(part.strip() for part in re.split(_ARROW, text))
    kinds = {token.kind for each in states for token in heading_of(each).tokens}
    return states if len(states) > 1 and all(states) and kinds <= {"word"} else ()


def _times_in_turn(text: str, heads: Sequence[str]) -> tuple[str, ...]:
    """ "Latency (R/W)" beside "Write" and "Read", whose cells have the units: a latency of each; () of other heads."""
    head = heading_of(text)
    both = next((token for token in head.tokens if token.kind == "both"), None)
    if both is None or [each.kind for each in head.quantities] != [LATENCY]:
        return ()
    others = [other for other in map(heading_of, heads) if other.load.way in head.ways]
    if {other.load.way for other in others} != {*head.ways} or any(other.quantities for other in others):
        return ()
    return tuple(head.text[: both.start] + way + head.text[both.end :] for way in head.ways)


def _without_arrows(head: str) -> str:
    """ "ext4 QD1 → QD32" above single values: of which depth they are is not said."""
    return _ALTERNATIVES.sub("", head) if re.search(_ARROW, head) else head
