"""What a page says beside a result and no reader understood: with such a doubt a result is listed and does not count.

A second look at the page that knows nothing of how a reader came to its results. Who writes a number beside another, or
a queue depth above a list, means them together: where one of them was left out, the rest may be misread. Rules are
kept that were wrong less often than right on pages that nobody had read before; docs/formats.md has the figures.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from radoscope import patterns as re
from radoscope.formats.context.by_kind import opposed
from radoscope.formats.context.conditions import is_speaker
from radoscope.formats.context.left_out import without_left_out
from radoscope.formats.context.network_words import JITTER, RECEIVED, ROUND_TRIP, SENT, is_of_link, without_senders
from radoscope.formats.context.sentences import TAKEN, Line, read_lines
from radoscope.formats.context.silent_sections import silent_lines
from radoscope.formats.context.supposed import without_supposed
from radoscope.formats.context.untold_ways import without_others
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.alternatives import Alternatives
from radoscope.formats.grammar.phrases import (
    BANDWIDTH,
    IOPS,
    LATENCY,
    Load,
    Phrase,
    Quantity,
    Token,
    cell_of,
    heading_of,
    is_range_of_rates,
)
from radoscope.formats.tables import reader as tables
from radoscope.formats.tables.cells import (
    EXTREME_ASIDE,
    TEMPERATURE,
    is_promised,
    is_sentence,
    without_amount,
    without_remark,
)
from radoscope.formats.tables.heads import Head, read_head
from radoscope.formats.tables.layout import NOTES
from radoscope.records.measurement import Result
from radoscope.units import format_block, format_count, format_seconds
from radoscope.words import N_

_TABLE, _SAID = "table", "said"
_NUMBER = re.compile(r"(?P<digits>\d[\d.,'’]*)(?:[eE][+-]?\d{1,3}(?!\w))?")
_PARTED = re.compile(r"(?<![\w.,])(?<![qdhsjt]=)\d{1,3}(?: \d{3})+(?!\d|\.\d+ ?k)")
_PING = re.compile(r"\b(?:io)?ping\b[^.;]*$", re.IGNORECASE)
_PINGED = re.compile(
    r"\bpings?\b|\b(?:I|we) (?:get|got|see|saw|have|had|measure\w*)\b|iperf|qperf|sockperf|netperf",
    re.IGNORECASE,
)
_EXTREME = re.compile(rf"(?:{words.MAXIMUM}|{words.MINIMUM})[\s.:=(~]{{0,3}}$", re.IGNORECASE)
"""Before a number: a tail or a peak, whatever it is of, is no other mean."""
_LASTS = re.compile(r"\d ?(?:s|sec|secs|seconds?|с|сек|秒|초)$", re.IGNORECASE)
"""How long a run took, and no latency."""
_DURATION = re.compile(
    r"(?:run ?-?t(?:imes?)?|elapsed|duration|took|total time|laufzeit|dauer|dur[ée]e|duración|czas trwania"
    r"|длительност\w*|用时|耗时|时长|時長|経過時間|所要時間)(?: time)?\W{0,3}$",
    re.IGNORECASE,
)
_SHORT_TIME = re.compile(r"\d ?(?:[mun]s(?:ec)?|[µμ]s|м?[мк]с|毫秒|微秒|ミリ秒|マイクロ秒)(?![a-zа-я])", re.IGNORECASE)
_COMPARISON = re.compile(r"[%×]|^\W*[\d.,]+ ?x\W*$|^\W*[+−-]", re.IGNORECASE)
_LOST_IOPS = re.compile(r"(?<![\d.,])0[.,]\d+ ?iops\W{0,2}", re.IGNORECASE)
"""Less than one, beside a bandwidth: they lost their unit, and are none."""
_OF_OSDS = re.compile(r"\b(?:commit|apply)[_ -]?lat(?:enc(?:y|ies))?(?![a-z])", re.IGNORECASE)
"""What `ceph osd perf` watches."""
_ASIDE = re.compile(r"(?<=[\dkKmM]) ?\([^()]*\)$")
_BRACKETS = re.compile(r" ?\(([^()]{1,80})\)")
_MEASURED = ("rate", "iops", "time")
_VALUES = (*_MEASURED, "number", "scaled", "range")
_CONDITIONS = {"depth": "queue_depth", "jobs": "jobs", "block_bytes": "block_bytes"}
_OF_SIZES = ("depth", "jobs", "cdm", "block", "size")
"""Tokens that tell a condition."""
_SCALES = (1.0, 1.024, 1.024**2, 1.024**3, 0.125, 0.128, 0.131072, 0.125 / 1.024**2)
"""By which a bandwidth may differ from what a page says, beside powers of ten: 1024-based units, bits."""
_MOST_DIGITS = 15
_FINE, _COARSE = 1000, 10
"""Keys a factor of ten: numbers of neighbouring keys differ by rounding alone, of a few digits by up to five."""
_HOSTS = re.compile(
    r"\bworkers? \d+[-–—]\d|\bworker \d|\b(?:osds?|nodes?|masters?|control|helm|cluster|k[38]s|kubernetes|rke2?)\b",
    re.IGNORECASE,
)
"""Of whose workers a line speaks: they are hosts. "worker 3" is a name."""
_OF_MACHINE = re.compile(
    rf"\W*(?:cpus?|processor|prozessor|процессор|处理器|sysbench|stream|{words.MEMORY})(?![a-z])", re.IGNORECASE
)
"""How the line of another test of the same machine begins: its threads are its own."""
_OF_RBD = re.compile(r"\brbd\s(?:\S+\s){0,6}?bench")
_TESTED = Alternatives(rf"{words.TESTED}|(?:depth|jobs) ?= ?\d")
_DISK_MARK_TEST = re.compile(r"\W*(?:seq|rnd)\w{0,6}[ (_]{0,2}q\d{1,3} ?t\d{1,2}\b", re.IGNORECASE)
"""Nobody sells or limits what has such a name."""
_FARTHEST_TEST, _BELOW, _NEAR = 20, 4, 4
_LONGEST_NAME, _EXACT_DIGITS = 60, 4
_NAMED_TOOL = re.compile(rf"\W{{0,4}}(?:{words.NETWORK_RATE})", re.IGNORECASE)
_FEWEST_HEADS = 2
_FAR = 2.0
"""Rounding, units and overheads explain less between IOPS x block size and a bandwidth."""
_FEWEST_IN_FLIGHT, _MOST_IN_FLIGHT = 0.003, 1e5
_SLOWEST, _LONGEST_S = 1e3, 100.0
_MOST_LINES, _LONGEST_LINE, _LONGEST_ITEM = 10_000, 400, 120

_NO_OPERATION = N_("neither an operation nor a test is named near it")
_NOT_UNDERSTOOD = N_("{text} beside it was not understood")
_ALIKE = N_("nothing tells it from {text} in its row")
_MOST_BYTES_PER_S = 1.5e12
"""The largest clusters of which anybody told read 1 TiB/s; of 1,620 GiB/s the unit is wrong."""
_TOO_MUCH = N_("no storage is as fast: the unit may be wrong")
_DISAGREE = N_("IOPS, block size and bandwidth do not agree")
_NO_UNIT = N_("the operation, or the unit of a number, is missing")
_UNCERTAIN = N_("whether {text} of line {line} holds for it is not certain")


class Doubt(NamedTuple):
    """why: a message, in whose places text and line stand. line: of the page, from 0."""

    why: str
    text: str = ""
    line: int = 0


class _Mention(NamedTuple):
    """A condition that a line names and no result has. about: the load of which the line speaks.

    has_value: it tells a rate or a time itself, and so nothing of those above. place: of the sentence, on the page.
    reach: (first, behind the last) of the lines for which it may be meant.
    """

    name: str
    value: int
    text: str
    line: int
    about: Load
    has_value: bool
    place: int
    reach: tuple[int, int]


def doubts_of(lines: Sequence[str], results: Sequence[Result]) -> list[Doubt | None]:
    """For each result the first doubt, if there is one. lines: of the page, TAKEN for what tools printed; the sources
    of the results name places in them."""
    asked = [result for result in results if _may_be_doubted(result)]
    page = _Page(lines, results) if asked else None
    return [
        page.doubt(result) if page and _may_be_doubted(result) else _doubt_of_picked_lines(result) for result in results
    ]


def _doubt_of_picked_lines(result: Result) -> Doubt | None:
    """Averages of fio without the line that names the direction, and without a command that tells it."""
    return Doubt(_NO_OPERATION) if result.tool == "fio" and result.op is None else None


def headline(result: Result) -> str:
    """Its number, as it is listed: "41,200 IOPS"."""
    if result.iops is not None:
        return f"{format_count(result.iops)} IOPS"
    if result.bandwidth_bytes_per_s is not None:
        return f"{format_count(result.bandwidth_bytes_per_s / 1e6)} MB/s"
    mean = result.latency.mean_s if result.latency else None
    return result.tool if mean is None else format_seconds(mean)


class _Page:
    def __init__(self, lines: Sequence[str], results: Sequence[Result]) -> None:
        self._lines, self._results = lines, results
        self._at: dict[int, list[Result]] = defaultdict(list)
        for result in results:
            for at in _places(result):
                self._at[at].append(result)
        self._rows = tables.rows_of("\n".join(lines)) if any(_reader(each) == _TABLE for each in results) else {}
        self._sentences = [line for line in read_lines(lines, _MOST_LINES) if line.text != TAKEN]
        self._sentences_at: dict[int, list[Line]] = defaultdict(list)
        for line in self._sentences:
            for at in range(line.first, line.last + 1):
                self._sentences_at[at].append(line)
        tests = (at if _TESTED.search(line) else -1 for at, line in enumerate(lines))
        self._last_test = list(accumulate(tests, max))
        self._tops: dict[int, int] = {}
        self._of_tests: dict[int, bool] = {}
        for at, (heads, _) in self._rows.items():
            self._tops.setdefault(id(heads), at)
        self._tested = frozenset(self._tables_of_tests())
        self._places = sorted(self._at)
        self._heads = [at for at, line in enumerate(lines[:_MOST_LINES]) if line.startswith("#")]
        self._speakers = [at for at, line in enumerate(lines[:_MOST_LINES]) if is_speaker(line)]
        self._mentions = list(self._find_mentions())
        self._given = dict(self._find_given())

    def doubt(self, result: Result) -> Doubt | None:
        if _reader(result) == _TABLE:
            found = self._operation(result) or self._in_row(result)
            # A rate in a table is certain without what is said around it; that is left out.
            is_rate = result.op is not None and (result.iops or result.bandwidth_bytes_per_s)
        else:
            found, is_rate = self._in_sentence(result) or self._time_beside(result) or self._round_trip(result), False
        if found is None and not is_rate:
            found = self._condition(result)
        if found is None and _is_of_no_drive(result):
            return Doubt(_NO_UNIT)
        is_wrong = _disproved(result.block_bytes, result) or _contradicts_its_latency(result)
        if (result.bandwidth_bytes_per_s or 0.0) > _MOST_BYTES_PER_S:
            return found or Doubt(_TOO_MUCH)
        return found or (Doubt(_DISAGREE) if is_wrong else None)

    def _operation(self, result: Result) -> Doubt | None:
        """Limits and prices are numbers without an operation, too; above results somebody says that he measured."""
        first = _places(result).start
        top = self._tops[id(self._rows[first][0])] if first in self._rows else first
        is_tested = self._last_test[first] >= max(0, top - _FARTHEST_TEST)
        is_time = result.iops is None and result.bandwidth_bytes_per_s is None and result.block_bytes is None
        near = (each for at in range(first - _NEAR, first + _NEAR + 1) for each in self._at.get(at, ()))
        is_of_others = is_time and any(each.op and (each.iops or each.bandwidth_bytes_per_s) for each in near)
        is_measured = is_tested or _tells_of_a_run(result) or self._is_of_test(top) or top in self._tested
        return Doubt(_NO_OPERATION) if result.op is None and (is_of_others or not is_measured) else None

    def _round_trip(self, result: Result) -> Doubt | None:
        """That one takes 200 ms is said of the world at large, unless a test is named."""
        if result.op != ROUND_TRIP:
            return None
        first = _places(result).start
        near = self._lines[max(0, first - _NEAR) : first + 1]
        is_tested = self._last_test[first] >= max(0, first - _NEAR) or any(map(_PINGED.search, near))
        is_beside = any(each.op != ROUND_TRIP for each in self._at[first])
        return None if is_tested or is_beside else Doubt(_NO_OPERATION)

    def _is_of_test(self, top: int) -> bool:
        """Whether the table below this line has the name of a test, "Random 4k IOPS", and numbers so exact that nobody
        promises or asks for them."""
        if top not in self._of_tests:
            above = (heading_of(line) for line in self._lines[max(0, top - _NEAR) : top] if len(line) <= _LONGEST_NAME)
            is_named = any(each.load.random is not None and each.load.block_bytes for each in above)
            heads = self._rows.get(top, ((), ()))[0]
            rows = [cells for own, cells in self._rows.values() if own is heads] if is_named else []
            exact = sum(1 for cells in rows if any(map(_is_exact, cells[1:])))
            self._of_tests[top] = exact > 1 and 2 * exact > len(rows)
        return self._of_tests[top]

    def _tables_of_tests(self) -> Iterator[int]:
        """The first lines of tables near the name of a test or with one of a tool that a row is named after, and of
        those that follow with the same heads: what was measured once more."""
        of_tools = {id(heads) for heads, cells in self._rows.values() if cells and _NAMED_TOOL.match(cells[0])}
        before: tuple[str, ...] = ()
        for top in sorted(self._tops.values()):
            names = tuple(head.text for head in self._rows[top][0])
            goes_on = len(names) > _FEWEST_HEADS and names == before
            is_of_test = goes_on or id(self._rows[top][0]) in of_tools
            before = names if is_of_test or self._last_test[top] >= max(0, top - _FARTHEST_TEST) else ()
            if before:
                yield top

    # --- numbers beside it --------------------------------------------------------------------------------------------

    def _in_row(self, result: Result) -> Doubt | None:
        """A cell below a quantity that gave nothing, or another result of the same load and name."""
        for at in _places(result):
            heads, cells = self._rows.get(at, ((), ()))
            known = _keys_of(self._at[at])
            ops = len({result.op for result in self._at[at]})
            for cell in _measured_cells(*_of_its_column(heads, cells, result), ops):
                cell = without_supposed(
                    _without_other_loads(cell, _load_of(result))
                )  # "a tenth of our goal of 40 MB/s"
                if not all(_is_known(number, known) for number in _numbers_in(cell_of(_joined(cell)))):
                    return Doubt(_NOT_UNDERSTOOD, cell)
            for other in self._at[at]:
                if other is not result and _are_alike(result, other):
                    return Doubt(_ALIKE, headline(other))
        return None

    def _in_sentence(self, result: Result) -> Doubt | None:
        """A number with a unit in the sentence that tells of it."""
        own = _keys_of([result])
        for line in dict.fromkeys(line for at in _places(result) for line in self._sentences_at.get(at, ())):
            around = range(line.first, line.last + 1)
            phrase = heading_of(_joined(without_others(without_left_out(without_supposed(without_senders(line.text))))))
            if not any(_is_known(number, own) for number in _numbers_in(phrase, (*_VALUES, "size"))):
                continue
            known = _keys_of([each for at in around for each in self._at[at]])
            for token in phrase.tokens:
                before = phrase.text[: token.start]
                if token.kind not in _MEASURED or is_of_link(phrase.text, token.start, token.end):
                    continue
                is_time = token.kind == "time"
                if _EXTREME.search(before) or (is_time and (_PING.search(before) or JITTER.search(before))):
                    continue
                lasts = _LASTS.search(token.text) or _DURATION.search(phrase.text, 0, token.start)
                if not lasts and not _is_known(token.text, known):
                    return Doubt(_NOT_UNDERSTOOD, token.text)
        return None

    def _time_beside(self, result: Result) -> Doubt | None:
        """A time on the line above or below that gave nothing: "p99 9.1 ms"."""
        places = _places(result)
        for at in (places.start - 1, places.stop):
            line = self._lines[at] if 0 <= at < len(self._lines) and not self._at[at] else ""
            if opposed(heading_of(line).load, _load_of(result)):
                continue  # "read latency" beside a write
            if _OF_OSDS.search(line):
                continue
            if len(line) <= _LONGEST_ITEM and "ping" not in line.lower() and not line.rstrip().endswith((".", "。")):
                times = (token.text for token in heading_of(line).tokens if token.kind in ("time", "range"))
                if time := next((text for text in times if _SHORT_TIME.search(text)), None):
                    return Doubt(_NOT_UNDERSTOOD, time)
        return None

    # --- conditions around it -----------------------------------------------------------------------------------------

    def _condition(self, result: Result) -> Doubt | None:
        """One that it lacks and that no result has, or that the lines above give to others of its table."""
        load = _load_of(result)
        reach = _places(result).stop + _BELOW
        speaks = max((at for at in self._speakers if at < _places(result).start), default=-1)
        if result.op == ROUND_TRIP:
            return None  # one packet after another, whatever the tests beside it were made with
        names = ("jobs",) if result.op in (RECEIVED, SENT) else _CONDITIONS  # a network has neither blocks
        lacking = {name: key for name in names if getattr(result, key := _CONDITIONS[name]) is None}
        sentence = self._sentence_of(result) if self._mentions else 0
        for mention in self._mentions:
            if mention.name not in lacking or not speaks <= mention.line < reach or opposed(mention.about, load):
                continue
            if not mention.reach[0] <= _places(result).start < mention.reach[1]:
                continue
            if mention.has_value and (mention.line >= _places(result).stop or mention.place > sentence):
                continue
            if mention.name != "block_bytes" or not _disproved(mention.value, result):
                return Doubt(_UNCERTAIN, mention.text, mention.line)
        table = next((id(self._rows[at][0]) for at in _places(result) if at in self._rows), 0)
        is_told = result.queue_depth is not None and "queue_depth" not in result.context  # "SEQ Q8T1", "RND4K Q32"
        kinds = [load.random] if is_told else [True, False, None]
        keys = [(table, name, kind) for name in lacking for kind in kinds]
        return next((self._given[key] for key in keys if key in self._given), None)

    def _sentence_of(self, result: Result) -> int:
        """The place of the last sentence among its lines that holds one of its numbers; beyond all where none does."""
        places, own = _places(result), _keys_of([result])
        last = len(self._sentences)
        for place in range(bisect_left(self._sentences, places.start, key=lambda line: line.last), last):
            if self._sentences[place].first >= places.stop:
                break
            if any(_is_known(number, own) for number in _numbers_in(heading_of(_joined(self._sentences[place].text)))):
                last = place
        return last

    def _find_given(self) -> Iterator[tuple[tuple[int, str, bool | None], Doubt]]:
        """By table and kind of access, what lines above it tell of some of its results."""
        for at, (heads, _) in self._rows.items():
            for result in self._at.get(at, ()):
                for name, key in _CONDITIONS.items():
                    if key in result.context:
                        doubt = Doubt(_UNCERTAIN, _condition_text(name, result), at)
                        yield (id(heads), name, _load_of(result).random), doubt

    def _find_mentions(self) -> Iterator[_Mention]:
        """What is said outside of rows: their conditions are their own."""
        had = {name: {getattr(each, key) for each in self._results} for name, key in _CONDITIONS.items()}
        silent = silent_lines(self._lines)
        for place, line in enumerate(self._sentences):
            text = line.text
            if (
                line.first in self._rows
                or line.first in silent
                or _OF_MACHINE.match(text)
                or len(text) > _LONGEST_LINE
                or not any(map(str.isdecimal, text))
            ):
                continue
            phrase = heading_of(text)
            has_value = not line.whole and _has_value(phrase)
            for token in phrase.tokens:
                if token.kind not in _OF_SIZES:
                    continue
                load = Phrase(token.text, (token,)).load
                if load.jobs and "worker" in token.text.lower() and _HOSTS.search(text):
                    continue
                if load.jobs and (phrase.load.jobs is None or _OF_RBD.search(text)):  # rados bench's
                    load = load._replace(depth=load.depth or load.jobs, jobs=None)
                for name in _CONDITIONS:
                    if (value := getattr(load, name)) is not None and value not in had[name]:
                        own = self._section_of(line)
                        yield _Mention(name, value, token.text.strip(), line.first, phrase.load, has_value, place, own)

    def _section_of(self, line: Line) -> tuple[int, int]:
        """The lines of which a sentence may tell: from the heading above it up to the next one, where results stand in
        between, or to the end of the page."""
        heads = self._heads
        place = bisect_right(heads, line.first)
        first, end = heads[place - 1] if place else 0, heads[place] if place < len(heads) else len(self._lines)
        result = bisect_left(self._places, first)
        has_results = self._places[result : result + 1] and self._places[result] <= line.last
        return first, end if has_results else len(self._lines)


def _has_value(phrase: Phrase) -> bool:
    """A rate, or a time of what it calls a latency, were it but a bound."""
    kinds = {token.kind for token in phrase.tokens}
    return any(map(_is_rate, phrase.tokens)) or {"time", "metric_latency"} <= kinds


def _is_rate(token: Token) -> bool:
    return token.kind in ("rate", "iops") or is_range_of_rates(token)


def _may_be_doubted(result: Result) -> bool:
    """Who writes chooses what he says. What a tool printed is so; a condition that it lacks stays open."""
    return _reader(result) in (_TABLE, _SAID)


def _of_its_column(heads: Sequence[Head], cells: Sequence[str], result: Result) -> tuple[Sequence[Head], Sequence[str]]:
    """Where a column has the name of what was measured, a row without the cells of the columns that are of others."""
    label = str(result.extra.get("label", ""))
    named = [at for at, head in enumerate(heads) if at and _is_name(head)]
    own = [at for at in named if label == heads[at].text or label.endswith(f", {heads[at].text}")]
    if len(own) != 1 or len({heads[at].text for at in named}) < len(named):
        return heads, cells
    kept = [at for at in range(min(len(heads), len(cells))) if at not in named or at in own]
    return [heads[at] for at in kept], [cells[at] for at in kept]


def _is_name(head: Head) -> bool:
    return bool(head.text) and not (head.role or head.quantities or head.statistics or head.load != Load())


def _measured_cells(heads: Sequence[Head], cells: Sequence[str], ops: int) -> Iterator[str]:
    """The cells that hold measured numbers by their heads, the label of their row, or a unit of their own.

    ops: how many operations the row has; a latency could be of any of them, unless its head names one, or as many, and
    so could IOPS beside bandwidths, if they are not of a test of their own.
    """
    named = {each.kind for head in heads if head.ways for each in head.quantities}
    of_any = {LATENCY, IOPS} if named == {BANDWIDTH} else {LATENCY}
    of_row = read_head(cells[0]).quantities if cells else ()
    for at, (head, cell) in enumerate(zip(heads, cells, strict=True)):
        if NOTES.fullmatch(head.text):
            continue  # "3 replicas: about 400 MB/s"
        if head.role or not any(map(str.isdecimal, cell)) or _COMPARISON.search(_ASIDE.sub("", cell)):
            continue
        if head.statistics not in ((), ("mean",)):
            continue  # a spread or a tail, whatever it is of, is no other mean
        is_of_any = len(head.ways) != 1 and ops > max(1, len(head.ways))
        if is_of_any and head.quantities and of_any.issuperset(each.kind for each in head.quantities):
            continue
        cell = without_remark(EXTREME_ASIDE.sub("", TEMPERATURE.sub("", _LOST_IOPS.sub("", without_amount(cell)))))
        phrase = cell_of(cell)
        if at == 0 and phrase.words:
            continue  # a label
        if not head.quantities and (is_promised(cell) or (at and is_sentence(cell))):
            continue
        is_bare = not any(each.kind for each in phrase.values(False))
        if is_bare and (head.quantities or of_row) in ((Quantity(BANDWIDTH),), (Quantity(LATENCY),)):
            continue  # "Speed", or a row "write_bw": nobody says in what
        if not (head.quantities or of_row) and {each.kind for each in phrase.values(False)} == {LATENCY} and head.rest:
            continue  # how long something else took
        if head.quantities or head.statistics or (at and (of_row or any(each.kind for each in phrase.values(False)))):
            yield cell


def _tells_of_a_run(result: Result) -> bool:
    """Random or sequential I/O with a rate and a latency, or a tail, or a rate with several points of its times: nobody
    limits or sells that."""
    is_run = result.latency is not None and bool(result.iops or result.bandwidth_bytes_per_s)
    is_tail = result.latency is not None and bool(result.latency.percentiles_s)
    label = str(result.extra.get("label", ""))
    are_tails = is_run and result.latency is not None and len(result.latency.percentiles_s) > 1
    if _DISK_MARK_TEST.match(label) or are_tails:
        return True
    return (is_run or is_tail) and heading_of(label).load.random is not None


def _disproved(block_bytes: int | None, result: Result) -> bool:
    """Whether IOPS and bandwidth tell that the block size is another."""
    if not block_bytes or not result.iops or not result.bandwidth_bytes_per_s:
        return False
    return not 1 / _FAR <= result.iops * block_bytes / result.bandwidth_bytes_per_s <= _FAR


def _contradicts_its_latency(result: Result) -> bool:
    """IOPS x latency are the I/Os in flight: a unit of one of them was misread where hardly any or far too many are."""
    mean = result.latency.mean_s if result.latency else None
    if not mean or not result.iops:
        return False
    return not _FEWEST_IN_FLIGHT * (result.queue_depth or 1) <= mean * result.iops <= _MOST_IN_FLIGHT


def _is_of_no_drive(result: Result) -> bool:
    """So slow is none, whatever unit was read."""
    mean, rate = result.latency.mean_s if result.latency else None, result.bandwidth_bytes_per_s
    return (rate is not None and rate < _SLOWEST) or (mean is not None and mean > _LONGEST_S)


def _without_other_loads(cell: str, load: Load) -> str:
    """Without "(sequential 80-150 MB/s)" beside random reads."""
    return _BRACKETS.sub(lambda match: "" if opposed(heading_of(match[1]).load, load) else match[0], cell)


def _is_exact(cell: str) -> bool:
    """ "64,483", and not "64,000"."""
    digits = re.sub(r"\D", "", match["digits"]) if (match := _NUMBER.search(cell)) else ""
    return len(digits.strip("0")) >= _EXACT_DIGITS


def _are_alike(one: Result, other: Result) -> bool:
    """Results of one load and one name: they may be of one run, or of loads that nobody told apart."""
    same = all(getattr(one, name) == getattr(other, name) for name in ("op", *_CONDITIONS.values()))
    return same and all(one.extra.get(name) == other.extra.get(name) for name in ("label", "mixed"))


def _condition_text(name: str, result: Result) -> str:
    if name == "block_bytes":
        return format_block(result.block_bytes or 0)
    return f"iodepth={result.queue_depth}" if name == "depth" else f"numjobs={result.jobs}"


def _load_of(result: Result) -> Load:
    way = (result.op or "").removeprefix("rand") or None
    random = None if result.op is None else result.op.startswith("rand")
    return Load(random, "mix" if way == "rw" else way)


def _reader(result: Result) -> str:
    return result.source.reader if result.source else ""


def _places(result: Result) -> range:
    """Its lines from 0."""
    source = result.source
    if source is None or source.first_line is None or source.last_line is None:
        return range(0)
    return range(source.first_line - 1, source.last_line)


# --- whether two numbers have the same digits -------------------------------------------------------------------------


def _keys_of(results: Sequence[Result]) -> set[int]:
    """The leading digits of all numbers of these results, of their sums and means; bandwidths in other units, too."""
    rates = [each.bandwidth_bytes_per_s for each in results if each.bandwidth_bytes_per_s]
    sums = (sum(each.iops or 0.0 for each in results), sum(rates))
    means = (sums[0] / max(1, sum(1 for each in results if each.iops)), sums[1] / max(1, len(rates)))
    values = [*sums, *means, *(each for result in results for each in _numbers_of(result))]
    values += [rate / scale for rate in (*rates, sums[1], means[1]) for scale in _SCALES]
    return {_key(value) for value in values if 0 < value < math.inf}


def _numbers_of(result: Result) -> Iterator[float]:
    yield from (value or 0.0 for value in (result.iops, result.block_bytes, result.queue_depth, result.jobs))
    for latency in filter(None, (result.latency, result.sync)):
        times = (latency.min_s, latency.mean_s, latency.max_s, latency.stddev_s, *latency.percentiles_s.values())
        yield from (value or 0.0 for value in times)
    yield from (float(value) for value in result.extra.values() if isinstance(value, int | float))


def _numbers_in(phrase: Phrase, kinds: Collection[str] = _VALUES) -> Iterator[str]:
    """The numbers of a phrase that may be measured: no sizes, depths, shares, deviations, durations."""
    has_rate = any(token.kind == "rate" for token in phrase.tokens)
    tokens = (token for token in phrase.tokens if token.kind in kinds and not (has_rate and _LASTS.search(token.text)))
    return (match[0] for token in tokens for match in _NUMBER.finditer(token.text))


def _joined(text: str) -> str:
    """ "18 300" as one number."""
    return _PARTED.sub(lambda match: match[0].replace(" ", ""), text)


def _key(value: float) -> int:
    return round(math.log10(value) % 1 * _FINE) % _FINE


def _is_known(text: str, known: Collection[int]) -> bool:
    """Whether the first number of a text is one of these, wherever its point stands; "0.40" is any from 0.395 on."""
    match = _NUMBER.search(text)
    digits = re.sub(r"\D", "", match["digits"]).lstrip("0")[:_MOST_DIGITS] if match else ""
    if not digits.strip("0"):
        return True
    near = min(_COARSE, max(1, round(_FINE * 0.217 / float(digits))))
    return any((_key(float(digits)) + by) % _FINE in known for by in range(-near, near + 1))
