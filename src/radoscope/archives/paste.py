"""A pasted page, thread, mail or terminal log -> every result in it, with the lines it came from."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby, islice

from radoscope import patterns as re
from radoscope.archives.clean import CleanText, as_printed, clean
from radoscope.archives.cut import without_cut_number
from radoscope.archives.repeated import without_repetition
from radoscope.archives.stated import with_stated, with_ways_below
from radoscope.archives.words_above import with_words_above
from radoscope.errors import UnreadableFile
from radoscope.formats import doubts
from radoscope.formats.context import sentences
from radoscope.formats.context.conditions import is_speaker
from radoscope.formats.context.silent_sections import foretold_lines
from radoscope.formats.fio import job as fio_job
from radoscope.formats.fio import terse as fio_terse
from radoscope.formats.fio import titles as fio_titles
from radoscope.formats.grammar.blocks import stretches
from radoscope.formats.readers import TOOLS, WRITTEN, Reader, may_hold
from radoscope.formats.tables import reader as tables
from radoscope.formats.tables.grid import HINT, MOST_ROWS, hints
from radoscope.formats.told import reader as lists
from radoscope.formats.tools.sysbench import with_mode_of_page
from radoscope.records.measurement import Result, Source, span
from radoscope.words import N_, _

MOST_RESULTS = 20_000
"""A text with more is no report of a person."""
_MOST_WRITTEN: Mapping[Reader, int] = {tables: MOST_ROWS, lists: 1_000}
"""Lines with a rate in them that people wrote: a table's row takes half a millisecond, a sentence two."""
_NOBODY, _REMAINS = -1, -2
_FARTHEST_HEADING, _FEWEST_ROWS = 200, 3
_MOST_WORDS = 300_000
"""Characters beside the output of tools: as long as a novel. To read one as words takes twenty times as long as to find
the tools' outputs."""
_HEADING = re.compile(
    r"#{1,6}\s+\S.{0,80}|={2,6}\s*[^=].{0,80}?\s*={2,6}|\*\*[^*]{2,80}\*\*:?|[^\W\d][^:;]{2,120}:"
    r"|(?:<details>)?<summary>[^<>]{2,80}</summary>"
)
_WRITTEN = re.compile(r"[\w\s.,:;=/()\[\]%|*~\"'<>+-]+")
_LONGEST_WORD = 60
_TAG = re.compile(r"</?(?:details|summary)>")
_REPEAT = re.compile(
    r"\b(?:run|try|test|repeat|attempt|lauf|durchlauf|versuch|iteration)\s*#?\d|第.次|\d回目", re.IGNORECASE
)
"""A heading that counts repeats parts nothing."""
_FARTHEST_APART = 3
"""A stretch of lines that were not read goes over gaps of a line or two."""
_CONTROL = re.compile(r"[\x01-\x07\x0b\x0e-\x1a\x1c-\x1f]")
"""Those of no terminal. NUL is none of them: every other byte of UTF-16 is one."""
_SAMPLE, _MOST_CONTROLS = 20_000, 0.04


@dataclass(frozen=True, slots=True)
class Unread:
    """A block that looked like a format and was not readable as such, or a result that was not read with certainty.

    Lines are 1-based. result: as it was read; doubt: why that is not certain, its line 1-based, too.
    """

    reader: str
    first_line: int
    last_line: int
    why: str
    result: Result | None = None
    doubt: doubts.Doubt | None = None

    @property
    def lines(self) -> str:
        return span(self.first_line, self.last_line)

    @property
    def number(self) -> str:
        """What was read without certainty: "41,200 IOPS"."""
        return doubts.headline(self.result) if self.result else ""

    @property
    def reason(self) -> str:
        """In the reader's language."""
        return _(self.why, text=self.doubt.text, line=self.doubt.line) if self.doubt else _(self.why)

    @property
    def words(self) -> str:
        """Where it is, what it looks like, and why it was not read; in the reader's language."""
        one_line = self.first_line == self.last_line
        if self.result is not None:
            values = {"number": self.number, "why": self.reason}
            if one_line:
                return _("line {line}: {number} is not read with certainty: {why}", line=self.lines, **values)
            return _("lines {lines}: {number} is not read with certainty: {why}", lines=self.lines, **values)
        what = _(self.reader)
        if one_line:
            return _("line {line} looks like {what}: {why}", line=self.lines, what=what, why=self.reason)
        return _("lines {lines} look like {what}: {why}", lines=self.lines, what=what, why=self.reason)


@dataclass(frozen=True, slots=True)
class Page:
    """What a text holds."""

    results: tuple[Result, ...]
    unread: tuple[Unread, ...] = ()

    @property
    def everything(self) -> tuple[Result, ...]:
        """The results with those that were not read with certainty, in the order of the page."""
        return tuple(sorted((*self.results, *(each.result for each in self.unread if each.result)), key=_first))


@dataclass(frozen=True, slots=True)
class _Block:
    """Half-open range of clean lines in which one reader has lines of its own."""

    first: int
    end: int
    reader: Reader
    text: str | None = None
    """The whole page as this reader sees it; None: the lines of the block and what is above them."""


class _Claims:
    """Which lines belong to whom. A line that is claimed is empty for everybody who comes later.

    numbers: of each line, in the text as it was given. printed: the lines as tools wrote them, which is how tools'
    readers see them.
    """

    def __init__(self, cleaned: CleanText) -> None:
        self.lines, self.numbers = cleaned.lines, cleaned.numbers
        self.printed = [as_printed(line) for line in self.lines]
        self.free = list(self.printed)
        self.blocks: list[_Block] = []
        self._owners = [_NOBODY] * len(self.lines)

    def claim(self, reader: Reader) -> None:
        """All blocks of a format, as far as nobody had their lines before; a tool of one line has it anyway."""
        prints_one_line = bool(getattr(reader, "ONE_LINE", False))
        for first, end in reader.find(self.printed if prints_one_line else self.free):
            self._take(first, end, len(self.blocks), prints_one_line)
            self.blocks.append(_Block(first, end, reader))

    def claim_words(self, reader: Reader) -> None:
        """What people write is read at once, as what stands anywhere above may belong to it."""
        lines = self._up_to_the_last(lambda owner: owner == _NOBODY)
        text = "\n".join(lines)
        ranges = list(reader.find(lines)) if text.strip() else []
        for first, end in ranges:
            self._take(first, end, len(self.blocks))
        if ranges:
            self.blocks.append(_Block(ranges[0][0], ranges[-1][1], reader, text))

    def leave_alone(self, places: Iterable[int]) -> None:
        """Lines that nobody reads, tools included."""
        for at in places:
            self._take(at, at + 1, _REMAINS)

    def take_long_tables(self, most: int) -> list[range]:
        """Of stretches of rows, those behind so many: nobody reads them, so that nothing needs to look at them."""
        taken = []
        for is_row, stretch in groupby(range(len(self.free)), key=lambda at: _is_row(self.free[at])):
            rows = list(stretch)
            if is_row and len(rows) > most:
                self._take(rows[most], rows[-1] + 1, _REMAINS)
                taken.append(range(rows[most], rows[-1] + 1))
        return taken

    def take_far(self) -> range:
        """Of more lines than a person writes, as of a log, those that stand far from every rate and every table: nobody
        reads them."""
        if sum(map(len, self.free)) <= _MOST_WORDS:  # nearly every page: its lines need no look
            return range(0)
        rows, apart = set(self._rows()), 2 * _FARTHEST_HEADING
        owners = self._owners  # what stands beside a tool's output may tell of it
        told = _spread(lambda at: owners[at] >= 0 or at in rows or _tells_a_rate(self.free[at]), len(owners), apart)
        near = stretches(told, apart)
        edges = [0, *(edge for first, end in near for edge in (first - _FARTHEST_HEADING, end + _FARTHEST_HEADING))]
        gaps = zip(edges[::2], [*edges[1::2], len(self.free)], strict=True)
        far = [range(first, end) for first, end in gaps if first < end]
        for gap in far:
            self._take(gap.start, gap.stop, _REMAINS)
        return range(far[0].start, far[-1].stop) if far else range(0)

    def _rows(self) -> Iterator[int]:
        """The lines of bars and tabs that stand below each other."""
        for is_row, stretch in groupby(range(len(self.free)), key=lambda at: _is_row(self.free[at])):
            rows = list(stretch)
            if is_row and len(rows) >= _FEWEST_ROWS:
                yield from rows

    def take_long_words(self) -> range:
        """What stands behind so many characters that no tool printed."""
        size = 0
        for at, line in enumerate(self.free):
            size += len(line)
            if size > _MOST_WORDS:
                rest = range(at, max(at for at, line in enumerate(self.free) if line) + 1)
                self._take(rest.start, rest.stop, _REMAINS)
                return rest
        return range(0)

    def drop_remains(self) -> None:
        """Of many lines that nobody reads, those leave the page that are as far from others as no reader looks.

        Whatever reads the page from here on need not pass over them. Counts all lines anew.
        """
        kept: list[int] = []
        for owner, stretch in groupby(range(len(self._owners)), key=self._owners.__getitem__):
            places = list(stretch)
            kept += places[:_FARTHEST_HEADING] if owner == _REMAINS else places
        if len(kept) == len(self._owners):
            return
        self.lines, self.printed, self.free = ([of[at] for at in kept] for of in (self.lines, self.printed, self.free))
        self.numbers, self._owners = ([of[at] for at in kept] for of in (self.numbers, self._owners))
        self.blocks = [
            replace(each, first=bisect_left(kept, each.first), end=bisect_left(kept, each.end)) for each in self.blocks
        ]

    def take_rest(self, most: int) -> range:
        """The lines behind so many that nobody has and that hold a rate: no person wrote them, so they are not read."""
        end = len(self.free)
        if end <= most:  # nearly every page: its lines need no look
            return range(end, end)
        hinting = (at for at, line in enumerate(self.free) if line and hints(line))
        first = next(islice(hinting, most, None), end)
        rest = range(first, max((at for at in range(first, end) if self.free[at]), default=first - 1) + 1)
        self._take(rest.start, rest.stop, _REMAINS)
        return rest

    def written(self) -> list[str]:
        """The lines that people wrote, whoever has read them."""
        return self._up_to_the_last(
            lambda owner: owner == _NOBODY or (owner >= 0 and self.blocks[owner].reader in WRITTEN)
        )

    def _up_to_the_last(self, is_shown: Callable[[int], bool]) -> list[str]:
        """The lines of such owners, TAKEN for others; of those at the end, which may be most, there is one."""
        shown = {owner: is_shown(owner) for owner in set(self._owners)}
        from_end = range(len(self.lines) - 1, -1, -1)
        last = next((at for at in from_end if shown[self._owners[at]] and self.lines[at].strip()), -1)
        owners = zip(self.lines[: last + 1], self._owners, strict=False)
        behind = [sentences.TAKEN] if any(map(str.strip, islice(self.lines, last + 1, None))) else []
        return [*(line if shown[owner] else sentences.TAKEN for line, owner in owners), *behind]

    def take_remains(self, reader: Reader) -> list[int]:
        """The lines that are this tool's and in none of its blocks, as of an output that was cut off."""
        find = getattr(reader, "remains", None)
        remains = [at for at in find(self.free) if self.free[at]] if find is not None else []
        for at in remains:
            self._take(at, at + 1, _REMAINS)
        return remains

    def text_of(self, number: int) -> tuple[int, str]:
        """(first line, text) of a block with the free lines above that its reader looks back on."""
        block = self.blocks[number]
        if block.text is not None:
            return 0, block.text
        above, farthest = block.first, max(0, block.first - int(getattr(block.reader, "LOOKS_BACK", 0)))
        while above > farthest and (self._owners[above - 1] < 0 or self._goes_on(block, self._owners[above - 1])):
            above -= 1
        lines = enumerate(self.printed[block.first : block.end], block.first)
        own = (line if self._owners[at] == number else "" for at, line in lines)
        near = enumerate(self.printed[above : block.first], above)
        context = (line if self._owners[at] == _NOBODY else "" for at, line in near)
        return above, "\n".join([*context, *own])

    def _goes_on(self, block: _Block, owner: int) -> bool:
        """A command of this tool that prints several blocks, or is repeated, speaks for all of them."""
        if owner < 0 or self.blocks[owner].reader is not block.reader:
            return False
        if (repeats := getattr(block.reader, "repeats", None)) is None:
            return bool(getattr(block.reader, "COMMAND_HOLDS", False))
        first = self.blocks[owner].first
        return bool(repeats(self.printed[max(0, first - int(getattr(block.reader, "LOOKS_BACK", 0))) : first]))

    def section_above(self, first: int) -> str | None:
        """The heading that stands above a block, or above the ones before it."""
        for at in range(first - 1, max(-1, first - _FARTHEST_HEADING), -1):
            if self._owners[at] == _NOBODY and (name := _heading_in(self.lines[at])):
                return None if _REPEAT.search(name) else name
        return None

    def _take(self, first: int, end: int, owner: int, from_others: bool = False) -> None:
        for at in range(first, end):
            if from_others or self._owners[at] == _NOBODY:
                self._owners[at] = owner
                self.free[at] = ""


@lru_cache(maxsize=4096)  # the lines above one block are those above the next
def _heading_in(line: str) -> str:
    """Its words; "" of other lines."""
    line = line.strip()
    return _TAG.sub("", line).strip(" #=*_:") if _HEADING.fullmatch(line) else ""


def _spread(holds: Callable[[int], bool], end: int, apart: int) -> Iterator[int]:
    """Of the places that hold something so many as tell where it is farther apart: where all do, few are asked."""
    at = next(filter(holds, range(end)), end)
    while at < end:
        yield at
        farthest = min(end - 1, at + apart)
        within = next(filter(holds, range(farthest, at, -1)), None)
        at = next(filter(holds, range(farthest + 1, end)), end) if within is None else within


def _tells_a_rate(line: str) -> bool:
    """Whether one stands there as people and tools write it: in what is encoded, letters are a unit by chance."""
    return hints(line) and any(_is_written(line, match) for match in HINT.finditer(line))


def _is_written(line: str, match: re.Match[str]) -> bool:
    """Together with what stands around it up to the next blanks; letters of other alphabets need none."""
    before = line[max(0, match.start() - _LONGEST_WORD) : match.start()].rpartition(" ")[2]
    word = before + match[0] + line[match.end() : match.end() + _LONGEST_WORD].partition(" ")[0]
    return not word.isascii() or (len(word) <= _LONGEST_WORD and _WRITTEN.fullmatch(word) is not None)


def _is_row(line: str) -> bool:
    return line.count("|") > 2 or line.count("\t") > 1


def read(text: str) -> tuple[Result, ...]:
    """The results of the text in its order; none where it holds none."""
    return read_page(text).results


def read_page(text: str) -> Page:
    """The results, and what looks like results and could not be read."""
    if _is_binary(text):
        return Page((), (Unread("text", 1, text.count("\n") + 1, N_("these bytes are not text")),))
    claims = _Claims(clean(text))
    claims.leave_alone(foretold_lines(claims.lines))
    unread = [*_claimed_by_tools(claims), *_limited(claims)]
    listed = [_counted(each, claims.numbers) for each in unread]
    claims.drop_remains()
    unread = list(_claimed_by_words(claims))
    results, faults = _results_of(claims)
    results = without_cut_number(results, claims.lines)
    written = claims.written()
    filled = _with_jobs(with_mode_of_page(results, claims.lines), claims.lines)
    results = with_words_above(with_stated(with_ways_below(filled), claims.lines, written), written)
    told = _with_job_below(results, claims.lines)
    results = sorted(without_repetition(told, claims.lines), key=_first)[:MOST_RESULTS]
    certain, uncertain = _judged(results, written)
    unread += [*faults, *_left_over(claims, written, certain, uncertain), *uncertain]
    listed += [_counted(each, claims.numbers) for each in unread]
    return Page(
        tuple(_numbered(result, claims.numbers) for result in certain),
        tuple(sorted(listed, key=lambda each: each.first_line)),
    )


def _claimed_by_tools(claims: _Claims) -> Iterator[Unread]:
    """Every tool has its lines; of what is cut off, that it is."""
    joined = "\n".join(claims.lines)
    letters = frozenset(joined)
    here = [reader for reader in TOOLS if may_hold(joined, reader, letters)]
    for reader in here:
        claims.claim(reader)
    for reader in here:
        for first, end in stretches(claims.take_remains(reader), _FARTHEST_APART):
            yield Unread(reader.NAME, first, end - 1, tables.A_PART)


def _limited(claims: _Claims) -> Iterator[Unread]:
    """What is longer than a person writes is left out, and said to be."""
    for rows in claims.take_long_tables(MOST_ROWS):
        yield _left_out(rows, tables.TOO_LONG)
    if far := claims.take_far():
        yield _left_out(far, N_("in so long a text, only lines near a rate are read"))
    yield from _rest_of(claims, tables)
    if rest := claims.take_long_words():
        yield _left_out(rest, N_("in so long a text, only its first lines near a rate are read"))


def _left_out(lines: range, why: str) -> Unread:
    return Unread(N_("a result"), lines.start, lines.stop - 1, why)


def _claimed_by_words(claims: _Claims) -> Iterator[Unread]:
    """What people wrote; of tables the rest was left out before, with all else that is too long."""
    claims.claim_words(tables)
    yield from _rest_of(claims, lists)
    claims.claim_words(lists)


def _rest_of(claims: _Claims, reader: Reader) -> Iterator[Unread]:
    """What is behind as many lines with rates as a reader looks at."""
    if rest := claims.take_rest(_MOST_WRITTEN[reader]):
        why = _("only the first {number} lines with rates are read", number=_MOST_WRITTEN[reader])
        yield Unread(reader.NAME, rest.start, rest.stop - 1, why)


def _results_of(claims: _Claims) -> tuple[list[Result], list[Unread]]:
    """The results of all blocks in their order, and the blocks that were not readable."""
    results: list[Result] = []
    unread: list[Unread] = []
    for number in sorted(range(len(claims.blocks)), key=lambda number: claims.blocks[number].first):
        block = claims.blocks[number]
        begin, own = claims.text_of(number)
        try:
            found = block.reader.read(own)
        except UnreadableFile as error:
            unread.append(Unread(block.reader.NAME, block.first, block.end - 1, error.message))
            continue
        moved = [_moved(result, begin, block) for result in found]
        results += [_under(claims.section_above(_first(each) if block.text else block.first), each) for each in moved]
        if len(results) > MOST_RESULTS:
            more = _("only {number} results are read", number=MOST_RESULTS)
            unread.append(Unread(block.reader.NAME, block.end, len(claims.lines) - 1, more))
            break
    return results, unread


def _left_over(
    claims: _Claims, written: Sequence[str], certain: Sequence[Result], uncertain: Sequence[Unread]
) -> Iterator[Unread]:
    """Lines with what somebody may have measured and gave no result; of those of doubt it is told why.

    A line of words with more rates than it gave is one of them, too.
    """
    told = {at for each in uncertain for at in range(each.first_line, each.last_line + 1)}
    given: dict[int, set[float | None]] = {}
    for each in certain:
        if each.source and each.source.reader == lists.NAME:
            for at in range(_first(each), each.source.last_line or 0):
                given.setdefault(at, set()).update((each.iops, each.bandwidth_bytes_per_s))
    more = {at: why for at, rates in given.items() if (why := lists.why_more(claims.lines[at], len(rates - {None})))}
    told.update(given.keys() - more.keys())
    for found, apart in (
        (tables.left_over("\n".join(written)), 1),
        (more.items(), 1),
        (lists.left_over(claims.free), _FARTHEST_APART),
    ):
        left: dict[str, list[int]] = {}
        for at, why in found:
            if at not in told:
                left.setdefault(why, []).append(at)
        for why, places in left.items():
            told.update(places)
            for first, end in stretches(places, apart):
                yield Unread(N_("a result"), first, end - 1, why)


def _judged(results: Sequence[Result], written: Sequence[str]) -> tuple[list[Result], list[Unread]]:
    """Results that were read with certainty, and the others with what was not understood beside them."""
    certain: list[Result] = []
    uncertain: list[Unread] = []
    for result, doubt in zip(results, doubts.doubts_of(written, results), strict=True):
        if doubt is None or result.source is None:
            certain.append(result)
        else:
            last = result.source.last_line or 1
            uncertain.append(Unread(N_("not read with certainty"), _first(result), last - 1, doubt.why, result, doubt))
    return certain, uncertain


def _is_binary(text: str) -> bool:
    """Control characters are strewn over its beginning, its middle and its end: nobody wrote it."""
    middle = max(0, (len(text) - _SAMPLE) // 2)
    samples = (text[:_SAMPLE], text[middle : middle + _SAMPLE], text[-_SAMPLE:])
    return len(text) > _SAMPLE and all(len(_CONTROL.findall(each)) > _MOST_CONTROLS * _SAMPLE for each in samples)


def _under(section: str | None, result: Result) -> Result:
    """The result with the heading it stands below, unless its reader knows a nearer one."""
    return result if section is None else replace(result, extra={"section": section, **result.extra})


def _counted(unread: Unread, numbers: Sequence[int]) -> Unread:
    """With its lines counted from 1 in the text as it was given."""
    top = len(numbers) - 1
    first, last = (numbers[min(line, top)] for line in (unread.first_line, unread.last_line))
    doubt = unread.doubt and unread.doubt._replace(line=numbers[min(unread.doubt.line, top)])
    result = _numbered(unread.result, numbers) if unread.result else None
    return replace(unread, first_line=first, last_line=last, doubt=doubt, result=result)


def _with_jobs(results: Sequence[Result], lines: Sequence[str]) -> Sequence[Result]:
    """fio's results with what only the line right above, the job file or the command line says."""
    if not any(result.tool == "fio" for result in results):
        return results
    try:
        jobs = fio_job.read_jobs("\n".join(lines))
    except UnreadableFile:
        jobs = ()
    headed, own = [], []
    for each in fio_terse.told_above(results, lines):
        result, title = fio_titles.with_title(each, lines) if each.tool == "fio" else (each, None)
        result = fio_titles.with_echo(result, jobs, lines) if each.tool == "fio" else result
        headed.append(result)
        own.append(each.tool == "fio" and not (title and fio_titles.is_of_another(title, jobs, result)))
    filled = iter(fio_job.fill_beside([each for each, is_own in zip(headed, own, strict=True) if is_own], jobs, lines))
    return [next(filled) if is_own else each for each, is_own in zip(headed, own, strict=True)]


def _with_job_below(results: Sequence[Result], lines: Sequence[str]) -> Sequence[Result]:
    """fio's results of which nothing above them tells the order, with what the page's only command says below them; who
    answers may propose another."""
    if not any(map(fio_job.is_left_open, results)) or any(map(is_speaker, lines)):
        return results
    try:
        return fio_job.fill_above(results, fio_job.read_jobs("\n".join(lines)))
    except UnreadableFile:
        return results


def _moved(result: Result, begin: int, block: _Block) -> Result:
    """The result with its lines counted from 1 in the clean lines."""
    source = result.source or Source(reader=block.reader.NAME)
    first = begin + source.first_line if source.first_line else block.first + 1
    last = begin + source.last_line if source.last_line else block.end
    return replace(result, source=replace(source, first_line=first, last_line=last))


def _first(result: Result) -> int:
    """The clean line in which it begins, from 0."""
    return (result.source.first_line or 1) - 1 if result.source else 0


def _numbered(result: Result, numbers: Sequence[int]) -> Result:
    """The result with its lines counted in the text as it was given."""
    source, top = result.source, len(numbers)
    if source is None or source.first_line is None or source.last_line is None:
        return result
    first, last = (numbers[min(line, top) - 1] for line in (source.first_line, source.last_line))
    return replace(result, source=replace(source, first_line=first, last_line=last))
