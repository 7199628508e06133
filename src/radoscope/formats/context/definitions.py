"""Names that a page defines, and what they stand for: "W1 | random read | 4k | 32", "- small: 4k random write, QD8".

Found once a page, wherever they stand: rows of a table without results, items and lines of the form "name: what it
is", a numbered list of tests, the sections of a job file. Who makes a load of a label asks here what its name means.
Names count letter by letter; one that is defined in two ways counts in the section of one of them alone.

A **settings** block (a table of two columns, a list, assignments of a script) is a definition without a name: it is
of all that its section holds.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import islice, pairwise
from typing import NamedTuple

from radoscope import patterns as re
from radoscope.formats.context.by_kind import Told, opposed, told_by_kind
from radoscope.formats.fio.job import AskedJob
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.alternatives import Alternatives
from radoscope.formats.grammar.phrases import (
    LABELS_KEPT,
    LATENCY,
    RATE,
    Load,
    Phrase,
    heading_of,
    is_range_of_rates,
    size_of,
)

_SHORTEST_LINE, _LONGEST_LINE, _MOST_WORDS = 4, 300, 4
_MOST_ASKED, _MOST_LINES, _MOST_ROWS = 10_000, 2000, 40
"""Lines of a page, those of them that tell of a load, and rows of a table: nobody defines names behind so many."""
_FEWEST, _LONGEST_MARK = 2, 8
_MAY_TELL = re.compile(
    r"\d ?[kmкм](?:[iи]?[bбo]|(?![^\W\d_]))|\d{3} ?b|[:：=|\t] ?[\"']?\d{1,4}(?![\d.,])|qd?\d|depth|jobs", re.IGNORECASE
)
"""Whoever defines a load names a size of it."""
_ITEM = re.compile(
    r"\s{0,8}(?P<mark>(?:[-*•+◦▪]|(?P<number>\d{1,2})[.)])\s{1,4})?[`*_\"“'\[]{0,3}(?P<name>\w[\w. /+#-]{0,40}?)"
    r"[`*_\"”'\]]{0,3}(?:\s?[:：=][`*_]{0,2}|\s(?:[–—-]{1,2}|[-=]>|→)\s|(?<=\])\s)\s*(?P<told>\S.*)"
)
_NUMBERED = re.compile(r"\s{0,8}(?:(?P<number>\d{1,2})[.)]|\((?P<letter>[a-z\d])\))\s{1,4}(?P<told>\S.*)")
_SENTENCE = re.compile(
    r"(?:^|[.,;:。，；]\s?)(?P<name>[^\W\d_]{1,20} (?:\d{1,2}|[A-Z]))\s?(?:=|:|(?:is|means|uses|runs|does|ist|est|es"
    r"|è|это|—)(?=\s))\s?(?P<told>[^.;:。；]{4,120}?)(?=[.;。；]|,\s[^\W\d_]{1,20} (?:\d{1,2}|[A-Z])\s|$)",
    re.IGNORECASE,
)
""" "Profile 1 is 4k random write with QD 32, profile 2 is ..."."""
_PIECES = re.compile(r"(?<![\w.,])\d{1,7} ?[x×*] ?(?P<size>\d{1,5} ?(?:[KMКМkmкм][iи]?[BbБб]?)|\d{3,8} ?B)(?![\w/])")
""" "60 × 1 MB": as many pieces, an I/O each."""
_CELL = re.compile(r"\S+(?: \S+)*")
_RULE = re.compile(r"[\s|:=+-]*")
_BARE = re.compile(r"\W*\d{1,8}(?: ?(?:bytes?|[kmкм]?[iи]?[bб]?))?\W*", re.IGNORECASE)
_NUMBER = re.compile(r"[^\w]*\d[\d.,' ]*[^\W\d]{0,5}(?:/s)?\W*(?:\(.*)?")
"""A cell that means nothing without its head."""
_OF_BLOCKS = Alternatives(
    rf"{words.BLOCK}|{words.BLOCK_NOUN}|(?<![a-z])(?:block|i/?o|xfer|size)(?![a-z])|大小|サイズ|크기"
)
_HOLDS_RATE = re.compile(rf"\d[\d.,]* ?[km]?(?:{RATE}| ?{words.IOPS}| ?[mµu]s(?![a-z]))|\f", re.IGNORECASE)
_BEHIND = re.compile(
    rf"[\s:：,/(（\[]*(?:(?:{words.MEAN})\s?)?(?:(?:{words.IOPS}|{words.BANDWIDTH}|{words.LATENCY})"
    rf"|(?<=[\s(（\[,/])(?:[km]|{RATE}|{words.TIME_UNIT}))[)）\]\s:：.]*$",
    re.IGNORECASE,
)
"""What a label says of its numbers behind the name: "log (MB/s)", "T1 mean latency, ms"."""
_LAST_NUMBER = re.compile(r"(?:[^\W\d_]{1,20}[ _-]?)?[#№]?(?P<number>\d{1,2})\.?")
_NUMBER_FIRST = re.compile(r"\W{0,6}(?P<word>[^\W\d_]{1,20})[ _-]?#?(?P<number>\d{1,2})\W{0,3}(?:[:：=]|\s[–—-]|→)\s")
_MARKED = re.compile(r"[\d_-]| .")
"""A name that is no common word, which a sentence may hold by chance."""
_VARIABLE = re.compile(
    r"\s*(?:export |set |declare |local )?(?P<name>[A-Z][A-Z0-9_]{1,30})=(?P<quote>[\"']?)(?P<value>[^\"'\s#]{1,40})"
    r"(?P=quote)\s*(?:#.*)?"
)
_ANY_VARIABLE = re.compile(r"\s*(?:export |set |declare |local )?[A-Za-z_]\w{0,30}=\S.*|\s*#.*")
_SETTING = re.compile(
    r"\s{0,8}(?:[-*•+◦▪]\s{1,4})?[`*_]{0,2}(?P<name>[^\W\d][^:：|]{0,40}?)[`*_]{0,2}\s?[:：][`*_]{0,2}\s?(?P<value>\S.{0,80})"
)
_TOOL = re.compile(r"(?<![a-z])(?:fio|diskspd|vdbench|rados bench|libaio|io_uring|ioengine)(?![a-z])", re.IGNORECASE)
_MAY_BE_SETTINGS = Alternatives(rf"{_TOOL.pattern}|{words.DEPTH}|q|depth")
_NUMBERS = re.compile(r"\d[\d.,]*")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")


_NOTHING, _HYPHENS = Load(), str.maketrans("-_", "  ")


class Definition(NamedTuple):
    """line: the last one of it."""

    name: str
    load: Load
    line: int


class Settings(NamedTuple):
    """What a block of settings says of all tests and of each kind of them, and the end of its lines."""

    load: Load
    end: int
    told: tuple[Told, ...] = ()


class Definitions:
    """The names of a page and its settings. Lines are counted as given. jobs: those of its job files."""

    def __init__(self, lines: Sequence[str], jobs: Sequence[AskedJob] = ()) -> None:
        telling = list(islice(_telling(lines), _MOST_LINES))
        tables = list(_tables(lines, telling))
        self.settings: Mapping[int, Settings] = dict(_settings(lines, telling, tables))
        within = {at for first, each in self.settings.items() for at in range(first, each.end)}
        found = [*_of_tables(tables), *_of_items(lines, telling), *_of_records(lines, telling), *_of_job_files(jobs)]
        found = sorted((each for each in found if each.line not in within), key=lambda each: each.line)
        self._of: dict[str, list[Definition]] = {}
        for each in found:
            self._of.setdefault(each.name, []).append(each)
        self._spelled = {_folded(name): name for name in self._of}
        self._numbers = _numbers_of(lines, found)
        self._counted = set(_counted(lines, self._numbers))
        self._headings = [at for at, line in enumerate(lines) if _HEADING.match(line)] if found else []
        self.lines: Set[int] = frozenset(_lines_of_lists(lines, found, tables))
        """Those that define nothing but names: what they say is not in force below."""

    def __bool__(self) -> bool:
        return bool(self._of)

    def holds(self, line: int) -> bool:
        """Whether a line defines names, or is one of a block of settings."""
        return line in self.lines or any(first <= line < each.end for first, each in self.settings.items())

    def of(self, label: str, line: int, above: Load = _NOTHING) -> Load:
        """What a label stands for that is a name, or a name with its unit. above: what else is in force."""
        lower = _folded(label.lower())
        may_be = (name for name in self._spelled if lower.find(name, 0, len(name) + _LONGEST_MARK) >= 0)
        return self._named(self._key_of(label), line, above) if any(may_be) else Load()

    def _key_of(self, label: str) -> str:
        """The name that a label is, if need be with other hyphens: "randwrite 4K (IOPS)" of "randwrite-4k"."""
        key = key_of(label)
        return key if key in self._of else self._spelled.get(_folded(key), key)

    def of_cell(self, head: str, cell: str, line: int, above: Load) -> Load:
        """The same of a cell, whose head may be a part of the name: "Test" above "A"."""
        own = self.of(cell, line, above)
        return own if own != Load() or not head else self.of(f"{head} {cell}", line, above)

    def in_sentence(self, text: str, line: int, above: Load) -> Load:
        """What the one name stands for that a sentence holds, or begins with."""
        if not self._of:
            return Load()
        lower = f" {text.lower()} "
        held = [name for name in self._of if name in lower and _holds(lower, name)]
        held = [name for name in held if not any(name in other for other in held if other != name)]
        if not held and (item := _NUMBER_FIRST.match(text)) and item["word"].lower() in self._counted:
            held = [f"{item['number']}."]
        return self._named(held[0], line, above) if len(held) == 1 else Load()

    def of_numbers(self, labels: Sequence[str], line: int) -> Sequence[Load]:
        """What labels stand for that count the items of a numbered list: "Test 1", "Test 2"; nothing of others."""
        numbers = [match["number"] if (match := _LAST_NUMBER.fullmatch(key_of(each))) else "" for each in labels]
        is_count = len(set(numbers)) == len(numbers) and set(numbers) == self._numbers
        return [self._named(f"{number}.", line, Load()) for number in numbers] if is_count else ()

    def _named(self, name: str, line: int, above: Load) -> Load:
        """Of a name that is defined in two ways only the one counts that stands below the same heading; one that is no
        more than a kind of load, as "random read", means another where something else is in force above."""
        found = self._of.get(name, ())
        if len({each.load for each in found}) > 1:
            section = bisect_left(self._headings, line)
            found = [each for each in found if bisect_left(self._headings, each.line) == section]
        loads = {each.load for each in found}
        load = loads.pop() if len(loads) == 1 else _agreed_kind(loads)
        is_other = opposed(load, above) or load.contradicts_sizes(above)
        return Load() if is_other and not heading_of(name).rest else load


def _folded(name: str) -> str:
    """Without the signs by which people spell one name in several ways."""
    return name.translate(_HYPHENS)


def with_definition(own: Load, defined: Load) -> Load:
    """What a label says itself goes first; of another direction or order it is of another load."""
    return own if opposed(own, defined) else own.over(defined)


def _agreed_kind(loads: Set[Load]) -> Load:
    """The direction and the order, where all say the same: their sizes may be of each."""
    kinds = {(load.random, load.way) for load in loads if load.way}
    return Load(*kinds.pop()) if len(kinds) == 1 and all(load.way for load in loads) else Load()


@lru_cache(maxsize=LABELS_KEPT)
def key_of(label: str) -> str:
    """A label as names are compared: without marks, and without what it says of its numbers."""
    key = label.strip(' `*_:：#"[]').lower()
    while (match := _BEHIND.search(key)) and match.start() > 0:
        key = key[: match.start()]
    return " ".join(key.strip(" `*_:：,-–()[]").split())


def _holds(text: str, name: str) -> bool:
    """As a word of a sentence, where it is no common one."""
    word = rf"(?<!\w)(?<!\w-){re.escape(name)}(?![\w-]|\.\d)"
    return _MARKED.search(name) is not None and re.search(word, text) is not None


def _numbers_of(lines: Sequence[str], found: Sequence[Definition]) -> Set[str]:
    """Of a list whose items are all tests: "1", "2", "3"."""
    places = {each.name[:-1]: each.line for each in found if each.name[:-1].isdecimal() and each.name.endswith(".")}
    last = max(places.values(), default=0)
    below = next((line for line in lines[last + 1 :] if line.strip()), "") if places else ""
    item = _NUMBERED.fullmatch(below)
    is_cut = item is not None and item["number"] == str(len(places) + 1)
    return set() if is_cut or set(places) != {str(at + 1) for at in range(len(places))} else set(places)


def _counted(lines: Sequence[str], numbers: Set[str]) -> Iterator[str]:
    """The word that stands before each of these numbers, and no others, in front of lines: "Test 1:", "Test 2:"."""
    items = (_NUMBER_FIRST.match(line) for line in lines) if len(numbers) >= _FEWEST else ()
    found: dict[str, set[str]] = {}
    for item in filter(None, items):
        found.setdefault(item["word"].lower(), set()).add(item["number"])
    return (word for word, own in found.items() if own == numbers)


def _telling(lines: Sequence[str]) -> Iterator[int]:
    """The lines that may tell of a load."""
    short = (at for at, line in enumerate(lines) if _SHORTEST_LINE < len(line) <= _LONGEST_LINE)
    return (at for at in islice(short, _MOST_ASKED) if _MAY_TELL.search(lines[at]))


# --- what a definition says -------------------------------------------------------------------------------------------


def _load_of(texts: Sequence[str]) -> Load:
    """What they say of a load, the first of them that says it; nothing where one holds a result."""
    load = Load()
    for text in texts:
        phrase, pieces = heading_of(text), _PIECES.search(text)
        if _holds_result(phrase):
            return Load()
        own = _without_lists(phrase)
        load = load.over(own._replace(block_bytes=size_of(pieces["size"])) if pieces else own)
    return load


def _holds_result(phrase: Phrase) -> bool:
    values = phrase.values(False)
    times = [value for value in values if value.kind == LATENCY]
    return (
        any(value.kind and value.kind != LATENCY for value in values)
        or any(time.factor < 1.0 for time in times)
        or any(map(is_range_of_rates, phrase.tokens))
        or (bool(phrase.quantities) and any(not value.kind and value.factor == 1.0 for value in values))
    )


def _without_lists(phrase: Phrase) -> Load:
    """A load without what is named in several ways: "QD1 and QD32"."""
    loads = [Phrase(token.text, (token,)).load for token in phrase.tokens]

    def one(kinds: Sequence[str], at: int) -> bool:
        return (
            len({load[at] for load, token in zip(loads, phrase.tokens, strict=True) if token.kind in kinds}) < _FEWEST
        )

    load = phrase.load
    return load._replace(
        block_bytes=load.block_bytes if one(("block", "size"), 2) else None,
        depth=load.depth if one(("depth", "cdm"), 3) else None,
        jobs=load.jobs if one(("jobs", "cdm"), 4) else None,
    )


def _defines(load: Load) -> bool:
    """A direction or an order and a size, or a block with a depth: nobody tells machines apart by these."""
    is_of_kind = load.way is not None or load.random is not None
    return (is_of_kind and load.sizes != Load()) or None not in (load.block_bytes, load.depth)


# --- where they stand -------------------------------------------------------------------------------------------------


def _of_items(lines: Sequence[str], telling: Sequence[int]) -> Iterator[Definition]:
    for at in telling:
        line = lines[at]
        if "|" in line or "\t" in line:
            continue
        item, numbered = _ITEM.fullmatch(line), _NUMBERED.fullmatch(line)
        if item and (load := _load_of_item(item["name"], item["told"])) != Load():
            yield Definition(key_of(item["name"]), load, at)
        elif numbered and _defines(load := _load_of([numbered["told"]])):
            yield Definition(numbered["letter"] or f"{numbered['number']}.", load, at)
        elif len(parts := list(_SENTENCE.finditer(line))) > 1:
            for part in parts:
                if _defines(load := _load_of([part["told"]])):
                    yield Definition(key_of(part["name"]), load, at)


def _load_of_item(name: str, told: str) -> Load:
    """What the item says of its name; nothing where it says no more than the name, begins with a number, or is a row of
    numbers: "Random write bs=4k iodepth=16 102 431 29"."""
    own = _load_of([told])
    kinds = [token.kind for token in heading_of(told).tokens]
    is_value = kinds[:1] in (["number"], ["scaled"]) or kinds[-2:-1] == ["number"]
    load = own.over(_load_of([name]))
    is_name = len(name.split()) <= _MOST_WORDS and "--" not in name and not heading_of(name).quantities
    return load if own != Load() and is_name and not is_value and _defines(load) else Load()


def _of_records(lines: Sequence[str], telling: Sequence[int]) -> Iterator[Definition]:
    """ "- name: hot", "rw: randread", "bs: 4k" below each other, and the same keys again."""
    for first, end in _items_of_settings(lines, telling):
        items = [(at, item) for at in range(first, end) if (item := _SETTING.fullmatch(lines[at]))]
        starts = [at for at, (_, item) in enumerate(items) if item["name"] == items[0][1]["name"]]
        for start, stop in pairwise([*starts, len(items)] if len(starts) > 1 else []):
            texts = [f"{item['name']}={item['value']}" for _, item in items[start + 1 : stop]]
            if _defines(load := _load_of(texts)):
                yield Definition(key_of(items[start][1]["value"]), load, items[stop - 1][0])


def _of_job_files(jobs: Sequence[AskedJob]) -> Iterator[Definition]:
    for job in jobs:
        text = ", ".join(f"{name}={value}" for name, value in job.options.items() if name in _OPTIONS)
        if job.name and _defines(load := heading_of(text).load):
            yield Definition(key_of(job.name), load, job.last_line - 1)


_OPTIONS = ("rw", "bs", "iodepth", "numjobs")


class _Table(NamedTuple):
    first: int
    rows: Sequence[tuple[int, Sequence[str]]]
    """Each with its line."""


def _tables(lines: Sequence[str], telling: Sequence[int]) -> Iterator[_Table]:
    """Rows that stand together and have as many cells each, where one of them may tell of a load."""
    seen = -1
    for at in telling:
        if at <= seen or len(_cells_of(lines[at])) < 2:
            continue
        first, end, width = at, at, len(_cells_of(lines[at]))
        while first and at - first < _MOST_ROWS and _goes_on(lines[first - 1], width):
            first -= 1
        while end < len(lines) and _goes_on(lines[end], width):
            end += 1
        seen = end
        own = range(first, min(end, first + 2 * _MOST_ROWS + 1))
        rows = [(row, cells) for row in own if len(cells := _cells_of(lines[row])) == width]
        if 1 < len(rows) <= _MOST_ROWS:
            yield _Table(first, rows)


def _goes_on(line: str, width: int) -> bool:
    """A row, a rule, or the blanks that a page's markup leaves between rows."""
    is_between = bool(line) and _RULE.fullmatch(line) is not None
    return len(line) <= _LONGEST_LINE and (is_between or len(_cells_of(line)) == width)


def _cells_of(line: str) -> Sequence[str]:
    """Of a row with bars, tabs, or two blanks between its cells."""
    if _RULE.fullmatch(line):
        return ()
    mark = "|" if "|" in line else "\t"
    if mark in line:
        return [cell.strip(" *`_") for cell in line.strip().strip(mark).split(mark)]
    if line.count(",") > 1 and ", " not in line:
        return line.split(",")
    return _CELL.findall(line.strip()) if "  " in line.strip() else ()


def _of_tables(tables: Sequence[_Table]) -> Iterator[Definition]:
    """A table whose first column, or first row, holds names, and no result."""
    for table in tables:
        rows = [cells for _, cells in table.rows]
        if len(rows[0]) < 3 or any(heading_of(cell).quantities and not _BARE.match(cell) for cell in rows[0][1:]):
            continue
        last = table.rows[-1][0]
        by_rows = list(_of_rows(rows))
        if len(by_rows) == len(rows) - 1:
            for (line, _), (names, load) in zip(table.rows[1:], by_rows, strict=True):
                yield from (Definition(name, load, line) for name in names)
        elif len(by_columns := list(_of_rows(list(zip(*rows, strict=True))))) == len(rows[0]) - 1:
            yield from (Definition(name, load, last) for names, load in by_columns for name in names)


def _of_rows(rows: Sequence[Sequence[str]]) -> Iterator[tuple[Set[str], Load]]:
    """The names of each row and what its other cells say, up to the first that defines none."""
    heads, *body = rows
    for name, *cells in body:
        told = list(map(_as_said, heads[1:], cells)) if name else [None]
        own = Load() if None in told else _load_of(list(filter(None, told)))
        load = own.over(_load_of([name]))
        if own == Load() or not _defines(load):
            return
        number = {f"{name}."} if name.isdecimal() else {key_of(name)}
        yield {*number, key_of(f"{heads[0]} {name}")}, load


def _as_said(head: str, cell: str) -> str | None:
    """A cell, where it needs it with its head; None of a number that is no condition."""
    if not any(map(str.isdecimal, cell)) or not _NUMBER.fullmatch(cell):
        return cell
    if any(map(str.isdecimal, head)):
        return None
    text = f"{head}={cell}"
    is_size = _OF_BLOCKS.search(head) is not None and _BARE.fullmatch(cell) is not None
    return text if is_size or heading_of(text).load.sizes._replace(block_bytes=None) != Load() else None


def _lines_of_lists(lines: Sequence[str], found: Sequence[Definition], tables: Sequence[_Table]) -> Iterator[int]:
    """The lines of names that stand together, with no result between them."""
    places = sorted({each.line for each in found if "--" not in lines[each.line]})  # commands speak for themselves
    together = {
        at
        for one, other in pairwise(places)
        if not any(map(_HOLDS_RATE.search, lines[one : other + 1]))
        for at in (one, other)
    }
    yield from together
    several = {line for line, count in Counter(each.line for each in found).items() if count > 1}
    for table in tables:
        if any(line in together or line in several for line, _ in table.rows):
            yield from range(table.first, table.rows[-1][0] + 1)


# --- settings ---------------------------------------------------------------------------------------------------------


def _settings(lines: Sequence[str], telling: Sequence[int], tables: Sequence[_Table]) -> Iterator[tuple[int, Settings]]:
    """The first line of each block of settings -> what it says."""
    for table in tables:
        pairs = [(cells[0], cells[1]) for _, cells in table.rows if len(cells) == 2]
        end = table.rows[-1][0] + 1
        if len(pairs) == len(table.rows) and (settings := _settings_of(pairs, end)) is not None:
            yield table.first, settings
    seen = -1
    for at in telling:
        if at > seen and _VARIABLE.fullmatch(lines[at]):
            end = at
            while end < len(lines) and end - at < _MOST_ROWS and _ANY_VARIABLE.fullmatch(lines[end]):
                end += 1
            seen = end
            matches = (_VARIABLE.fullmatch(line) for line in lines[at:end])
            pairs = [(match["name"].lower().rpartition("fio_")[2], match["value"]) for match in matches if match]
            if (settings := _settings_of([*pairs, ("tool", "fio")], end)) is not None:
                yield at, settings
    for at, end in _items_of_settings(lines, telling):
        items = (_SETTING.fullmatch(line) for line in lines[at:end])
        pairs = [(item["name"], item["value"]) for item in items if item]
        if len(pairs) == end - at and (settings := _settings_of(pairs, end)) is not None:
            yield at, settings


def _items_of_settings(lines: Sequence[str], telling: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Lines of names and values that stand together."""
    seen = -1
    for at in telling:
        first, end = at, at
        if at <= seen or not _is_setting(lines[at]):
            continue
        while first and at - first < _MOST_ROWS and _is_setting(lines[first - 1]):
            first -= 1
        while end < len(lines) and end - at < _MOST_ROWS and _is_setting(lines[end]):
            end += 1
        seen = end
        if end - first > 1:
            yield first, end


def _is_setting(line: str) -> bool:
    return "|" not in line and "\t" not in line and len(line) <= _LONGEST_LINE and _SETTING.fullmatch(line) is not None


def _settings_of(pairs: Sequence[tuple[str, str]], end: int) -> Settings | None:
    kinds = {name: told for name, value in pairs if (told := told_by_kind(f"{name}: {value}"))}
    load = _load_of_settings(pairs, kinds)
    told = next(iter(kinds.values())) if len(kinds) == 1 else ()
    return Settings(load, end, tuple(each._replace(is_of_page=True) for each in told)) if load != Load() else None


def _load_of_settings(pairs: Sequence[tuple[str, str]], by_kind: Container[str]) -> Load:
    """Block, depth and jobs, where two of them are named or fio is; without a depth others than fio have such, too.

    by_kind: the names of those that say another of each kind of test: "Block sizes: 4K (random), 128K (sequential)".
    """
    if not any(_MAY_BE_SETTINGS.search(name) or _TOOL.search(value) for name, value in pairs):
        return Load()
    load, names_tool, names_depth, is_plain = Load(), False, False, False
    for name, value in pairs:
        if _HOLDS_RATE.search(value) or heading_of(name).quantities:
            return Load()
        names_tool = names_tool or _TOOL.search(f"{name} {value}") is not None
        names_depth = names_depth or heading_of(f"{name}=1").load.depth == 1
        if name in by_kind:
            continue
        asked, kind = heading_of(f"{name}={value}"), heading_of(value)
        is_one = len(_NUMBERS.findall(value)) == 1 and asked.load.way is None
        if is_one and not (asked.rest and "_" in name):  # "min_alloc_size" is an option of something else
            is_plain = is_plain or (not asked.rest and asked.load.sizes != Load())
            own = asked.load.sizes
        else:
            own = Load() if is_one or kind.rest else _without_lists(kind)._replace(jobs=None)
        if own.contradicts_sizes(load) or opposed(own, load):
            return Load()  # of several tests
        load = load.over(own)
    told = [each for each in load[2:5] if each] if is_plain else []
    are_several = len(told) + any(name in by_kind for name, _ in pairs) > 1
    return load if told and (names_tool or (names_depth and are_several)) else Load()
