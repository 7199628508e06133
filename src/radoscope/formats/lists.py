"""Results that people write in lines: "- 4k random read: 45k IOPS, 0.7 ms", "about 500 MB/s write".

They are said, not measured by a tool before our eyes: `extra["said"]`. A line counts only where it names the direction,
or a heading above it does; wishes, limits, data sheets and comparisons are passed over.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from radoscope.formats import vocabulary as words
from radoscope.formats.blocks import required
from radoscope.formats.by_kind import Told
from radoscope.formats.command_lines import BEFORE, without_quoted
from radoscope.formats.conditions import InForce, PageConditions, as_before, command_load, opposed
from radoscope.formats.measured import built, with_peaks, with_proven_units
from radoscope.formats.network_words import RECEIVED, ROUND_TRIP, said_of_network, shown_in
from radoscope.formats.phrases import (
    BANDWIDTH,
    IOPS,
    LATENCY,
    RATE,
    Load,
    Phrase,
    Quantity,
    Token,
    Value,
    heading_of,
    names_short_ways,
    phrase_of,
    with_rados_read,
    with_spelled_ways,
)
from radoscope.formats.quantities import decimal_commas
from radoscope.formats.sentences import Line, read_lines
from radoscope.formats.silent_sections import silent_lines
from radoscope.formats.supposed import AMOUNT, SENTENCE, UNIT, without_supposed
from radoscope.formats.table_layout import is_plain_value
from radoscope.records.measurement import Result, Source
from radoscope.words import N_

NAME = "said"
LOOKS_BACK = 12

LONGEST_LINE = 300
_LONGEST_HEADING = 120
_HINT = re.compile(
    r"iops|latenc[yi]|i/?o/s|ops?/s|[kmgкмг]i?[bбo](?:ytes?|its?)? ?/ ?s|[kmg]bps|/秒|/с|/초|опер", re.IGNORECASE
)
_TIME = re.compile(r"\d ?(?:[mм][sс]|[uµμ]s|мкс|毫秒|ミリ秒)(?![a-zа-я])", re.IGNORECASE)
_TIMED = re.compile(rf"{words.LATENCY}|read|write", re.IGNORECASE)
_BULLET = re.compile(r"\s*[-*•·+◦▪]\s")
_MARK = re.compile(
    r"\s*(?:(?:\[?\d{1,2}:\d\d(?::\d\d)?\]? ?)?<[@+ ]?[\w-]{1,20}>\s+)?(?:[-*•·–—+>◦▪]\s+|\d{1,2}[.)]\s+|#{1,6}\s+)?"
)
_CLAUSE = re.compile(
    r"\s*(?:[、，；;]|(?<=[^\W\d_]),|[,;](?!\d)|,(?=\d{1,4}[kKmM][^\W\d_a-z])|\.\s"
    r"|\s(?:and|und|et|y|e|oraz|i|a|и|和|및|while|whereas|but|then|versus|vs\.?|against|bzw\.|gegen|während"
    r"|aber|dagegen|tandis que|mais|mientras"
    r"|pero|mentre|ma|mas|enquanto|podczas|ale|но)\s|\s(?:with|at|mit|bei|avec|à|con|при|@)\s|\||\t)\s*",
    re.IGNORECASE,
)
_AND = re.compile(r"\s*(?:and|und|et|y|e|oraz|i|и|bzw\.|/|&)\s*(?:for |in |en |beim |на )?", re.IGNORECASE)
_OF_IOR = re.compile(r"^\s*Max (?=(?:Write|Read):\s+[\d.]+ MiB/sec \()")
"""The best of IOR's iterations is what it reports."""
_WITH = re.compile(r"\s*(?:with|at|mit|bei|avec|à|con|при|@)\s*", re.IGNORECASE)
_COLON = re.compile(r"\s*(?:[:：]|=>|=(?!=)|→)\s*")
_ABBREVIATED = re.compile(
    r"(?<!\w)(seq|rand|rnd|séq|aléa|sek|zuf|avg|max|min|med|std|lat|dev|moy|durchschn|mittl|prom|śr|макс|мин|ср|сред"
    r"|ca|approx|тыс|тис|tys|tis|tsd|mln|млн|incl|resp)\.(?=\s)",
    re.IGNORECASE,
)
_PAIR = re.compile(r"(?<=\w)\s+(?=(?:iops|bw|[cs]?lat|p\d\d)\s?=)", re.IGNORECASE)
_QUOTED_NAME = re.compile(r'"(\w+)"\s*:\s*"?([^",{}]*)"?')
_RULE = re.compile(r"\s*\|?(?:\s*:?-{2,}:?\s*\|)+(?:\s*:?-{2,}:?)?\s*")
_PAIRS = re.compile(r"(?:iops|bw|[cs]?lat)\s?=\s?\d", re.IGNORECASE)
_DASH = re.compile(r"(?<![\w.,])(?P<size>\d{1,4}[kKmM]i?[bB]?) [-–—] (?=[~≈]?\d)")
_PARTS = re.compile(
    r"\s*(?:[;；|]\s+|;(?=[^\x00-\x7f]))|\s{3,}(?=[^\W\d][^:：\s]{0,20}(?: [^:：\s]{1,20}){0,3}[:：]\s)"
)
_OF_HDPARM = re.compile(
    r"^\W{0,3}hdparm\b\W{0,3}(?:-t\b)?\W{0,2}(?:(?:buffered|disk)(?: disk)?\b)?(?=\W{0,4}[:=])(?![^:=]*(?i:cache))"
)
"""As a label: it does nothing but read."""
_LEADERS = re.compile(r"\s*(?:\.{4,}|(?:\. ){4,})\s*(?=[~≈]?\d)")
"""Dots that lead from a name to its value."""
_SHEET = re.compile(r"\bmtbf\b|\bdwpd\b|\btbw\b|\bwarranty|\bendurance|\bdata ?sheet|耐久|质保", re.IGNORECASE)
"""In a paragraph with one of these the maker of a drive speaks."""
_STORE = re.compile(words.STORE, re.IGNORECASE)
_STORE_RATE = re.compile(words.STORE_RATE, re.IGNORECASE)
_STORE_NEAR = 6
_SUMMED = re.compile(words.SUMMED, re.IGNORECASE)
_SHARE_NEAR = 4
_HARDWARE = re.compile(
    r"\W*(?:(?:our|unsere|nos|nuestros|nossos|i nostri|nasze|наши|die|les|los|os) )?"
    r"(?:hardware|specs?|specifications?|nodes?|servers?|environment|test ?bed|ausstattung|umgebung|matériel|equipo"
    r"|оборудование|硬件\w*|环境|環境|構成|ハードウェア"
    r"|(?:(?:minimum|minimal|system|hardware|storage|disk|performance|recommended|expected|target|our|the) ){0,2}"
    r"(?:requirements?|targets?|goals?|sla|slo|limits?|quotas?|expectations?|recommendations?)"
    r"|(?:mindest)?anforderungen|voraussetzungen|zielwerte|exigences?|prérequis|objectifs?|requisitos?(?: m[íi]nimos)?"
    r"|objetivos?|requisiti(?: minimi)?|wymagania(?: \w+)?|požadavky|(?:(?:минимальные|системные) )?требования|цели"
    r"|(?:最低|配置|性能|硬件|系统)?要求|性能目标|性能指标|(?:動作|必要|性能)?要件|必要条件|目標値?|요구 ?사항|목표"
    r"|(?:at |when |while |im |en |au )?(?:idle|idling|leerlauf|repos|reposo|inativo|ocioso|a riposo|bezczynności)"
    r"|(?:в )?простое|アイドル(?:時|状態)?|空闲(?:时|状态)?|유휴(?: ?상태)?"
    r"|(?:.{0,30}\W)?(?:task ?manager|resource monitor|activity monitor|perfmon|iotop|iostat"
    r"|task-manager|ressourcenmonitor|gerenciador de tarefas|gestor de tarefas|administrador de tareas"
    r"|gestionnaire des tâches|диспетчер\w* задач"
    r"|任务管理器|タスクマネージャー?|작업 관리자)(?:\W.{0,20})?)\W*",
    re.IGNORECASE,
)
"""Below them stand names and sizes of parts, what is asked for, or what somebody watched while nothing was measured."""
_FROM_TO = re.compile(
    rf"(?:(?<!\w)(?:from|von|vom|da|dai|de|des|du|od|z|с|со|от)|从|由|從) ?(?P<first>{AMOUNT})"
    rf"(?P<unit> ?(?:{RATE}|{words.IOPS}|{words.TIME_UNIT}))?"
    r" ?(?:to|up to|down to|auf|a|ai|à|até|do|до|na|[提升下降增]{0,2}[到至])"
    rf" ?(?P<second>{AMOUNT} ?(?:{RATE}|{words.IOPS}|{words.TIME_UNIT}))",
    re.IGNORECASE,
)
_ARROW = re.compile(
    rf"(?:(?P<front>[:：]\s*)|(?<![\w.,=]))(?P<first>{AMOUNT})(?P<unit>{UNIT})? ?(?:->|→|=>|⇒) ?"
    rf"(?P<second>{AMOUNT}(?P<behind>{UNIT})?)",
    re.IGNORECASE,
)
"""Before and after: two values of one load."""
_SWEEP = re.compile(
    rf"^(?P<name>[^\W\d][\w /-]{{1,24}}?) ?[:=]? ?(?P<count>\d{{1,4}}) *(?:->|→|=>|⇒) *(?={AMOUNT}{UNIT})",
    re.IGNORECASE,
)
_NAMED_STATISTIC = rf"(?:{words.MEAN}|{words.MEDIAN}|{words.MAXIMUM}|{words.MINIMUM}|p\d\d(?:\.\d{{1,3}})?)"
_PARALLEL = re.compile(
    rf"(?<!\w)(?P<names>{_NAMED_STATISTIC}(?: ?/ ?{_NAMED_STATISTIC}){{1,4}}) ?(?:{words.LATENCY})? ?[:=]? ?"
    rf"(?P<times>{AMOUNT}(?: ?{words.TIME_UNIT})?(?: ?/ ?{AMOUNT}(?: ?{words.TIME_UNIT})?){{1,4}})(?![\w/])",
    re.IGNORECASE,
)
"""As many times as names of statistics."""
_ASIDE_WITH = re.compile(
    r"(?<=[\dkKM]) ?\((?:with|at|mit|bei|avec|à|con|при)(?: (?:an|a|einer|une?|una?))? (?=\D)", re.IGNORECASE
)
""" "12k(with an avg latency of 3 ms)"."""
_RADOS_READ = re.compile(r"(?<=\brados bench )(seq|rand)(?![a-z])", re.IGNORECASE)
_UNIT_IN_NAME = re.compile(
    r"(?<![a-z])(?P<name>(?:[cs]?lat(?:ency)?|bw|bandwidth|throughput|p\d{2,4})(?:_(?:avg|mean|p\d{2,4}))?)"
    r"_(?P<unit>[num]s(?:ec)?|[kmg]i?b)(?P<rate>(?:_?p?s)?)(?P<is> ?[=:] ?)(?P<value>\d[\d.]*)(?![\w.])",
    re.IGNORECASE,
)
"""Scripts name the unit in the key: "lat_us=700.1", "bw_mib=91"."""
_SERIES = re.compile(
    rf"(?<![\w.,=/-])(?P<items>{AMOUNT}(?:(?:[,、]| ?/(?: ?(?:reads?|writes?))?| and| und| et| y| e| oraz| i| и)"
    rf" ?{AMOUNT}){{1,9}})(?P<unit>{UNIT})(?![A-Za-z])",
    re.IGNORECASE,
)
"""Values with one unit behind the last: "46k and 13k IOPS", "51.2k, 52.9k, 51.8k IOPS"."""
_OF_SIZE = re.compile(
    rf"(?<![\w.,=])(?P<value>\d[\d.,]*[kKmM]|\d{{4,}}|\d{{1,3}}(?:[,.]\d{{3}})+) "
    rf"(?P<size>(?:4|8|16|32|64|128)[kK](?:i?[bB])?(?: [a-z-]{{4,10}}){{0,2}}) (?P<unit>{words.IOPS})",
    re.IGNORECASE,
)
"""A size between a value and its unit: "670K 4K random read IOPS"."""
_UNPARTED = re.compile(r"(?<=\d{4}),(?=\d{3})|(?<=[kKM]),(?=\d)")
"""Commas that part no thousands: "1372,1183,1828"."""
_WHOSE = re.compile(r"remote|local|raw|client|total|aggregated?|sustained|combined|parallel", re.IGNORECASE)
"""Between a number and what it counts: "3 million remote read IOPS"."""
_OF_RADOS = re.compile(r"\brados bench\b", re.IGNORECASE)
_ANOTHER = re.compile(
    rf"(?:(?:vs\.?|versus|against|compared (?:to|with)|instead of|was|were|before|previously|formerly|old"
    r"|up from|down from"
    r"|vorher|früher|statt|zuvor|gegen|war|avant|contre|au lieu de|antes|frente a|prima|contro|wcześniej|przedtem|było"
    rf"|было|раньше|до этого|之前|原来|原本|以前は?|従来は?)[:：]? ?{AMOUNT}{UNIT}"
    rf"|{AMOUNT}{UNIT} (?:on|with|in|at|for|before|previously|auf|mit|bei|vorher|zuvor|sur|avec|avant|en|con"
    r"|antes|su|prima|na|przed|на|с|раньше)(?: [^()\d]{1,30}|$)|[A-Z][\w .+-]{1,20}: "
    rf"{AMOUNT}{UNIT}$)",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r" ?\(([^()]{1,80})\)[,;]?")
_TAKES = re.compile(
    r"\btakes?\b|\btook\b|\beach\b|\bper (?:read|write|op|i/?o|request)\b"
    r"|\bon average\b|\bim (?:schnitt|mittel)\b|\ben moyenne\b|\bde media\b",
    re.IGNORECASE,
)
_SLASH = re.compile(r"/ ?[~≈]?\d")
_KEY = re.compile(r"[\W\d]*[a-z]+(?:[-_][a-z]+)+ ?[:=]", re.IGNORECASE)
_SEMICOLON = re.compile(r"\s*(?:[;；]\s+|;(?=[^\x00-\x7f]))")
_SAME = 0.1
"""By how much a value in another unit, rounded there, differs."""
_VERSUS = re.compile(r"\bvs\.?\s|\bversus\s", re.IGNORECASE)
_LAST_BRACKETS = re.compile(r" ?\(([^()]{1,80})\)\W*$")
_ALIKE = 10.0
"""By how much runs of one kind differ at most."""
_COMMAND = re.compile(rf"^\s*(?:\S*[#$>]\s*)?{BEFORE}(?:fio|rados|rbd|dd|iperf3?|ceph)\s(?:.*\s)?(?:--?\w|\w+=\S)")
_GIVES = re.compile(
    rf":\s+(?=[~≈]?\d[\d.,]*[kK]? ?(?:{RATE}|{words.IOPS}))|"
    r"\s(?:gives?|gave|says?|said|does|did|prints?|shows?|yields?|reports?|results? in"
    r"|ergibt|bringt|donne|даёт|得到|=>|->|→)\s+"
    r"(?:about |ca\.? )?(?=[~≈]?\d)",
    re.IGNORECASE,
)
_SWEPT = re.compile(r"\b(?:before|until|to) (?:\w+ )?(?:dropping|falling|finish|ending|end)\b", re.IGNORECASE)
"""What comes next is at another depth: "peaked at QD8 with 410 MB/s before dropping to 395 MB/s"."""
_IS_RATE = re.compile(rf"{RATE}|{words.IOPS}", re.IGNORECASE)
_NOTHING_SAID = N_("the operation, or the unit of a number, is missing")
_RANGE = N_("a range, and no single value")
_NO_DRIVE = N_("asked for, sold, or of memory: no measurement of a drive")
_MOST_WORDS = 60
_NOTHING = Load()
_IDEOGRAPHS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_FOLLOWS = 3
_RIGHT_BELOW = 2
_NEAR = 3
_MOST_HINTS = 10_000
"""Nobody writes so many lines by hand: what is behind them is listed as not read."""
_MOST_SPOKEN = 100
"""Sentences that a short line may say again."""
_OF_ALL = re.compile(words.OF_ALL, re.IGNORECASE)
_ADDRESS = re.compile(r"\s*\bhttps?://\S+(?<![.,;:)])")
_REMARK = re.compile(r"\s*(?:<-{1,3}|<=|←|#)\s.*$|(?<=[\d/]s)\s*[?!]{2,}\s*$")
"""What points at a number: "<-- ???"."""
_THOUSANDS = re.compile(
    rf"(?<![\w.,])(?P<front>\d{{1,3}})(?P<groups>(?: \d{{3}})+)(?= ?(?:{words.IOPS}|{RATE}))", re.IGNORECASE
)
_SHORT, _FEW_WORDS = 60, 9
_MOST_LABEL_WORDS = 9


@dataclass(slots=True)
class _Run:
    """What lines say of one run; values by (kind, statistic)."""

    load: Load
    above: Load
    label: str
    first: int
    last: int
    values: dict[tuple[str, str], Value] = field(default_factory=dict)
    captioned: bool = False
    """A caption says what its numbers are."""

    spoken: bool = False
    """In a whole sentence."""

    keyed: bool = False
    """Behind a name in one word: "random-read-latency: 0.7 ms"."""

    told: tuple[Told, ...] = ()

    def repeats(self, earlier: _Run) -> bool:
        """Whether a short line says again what a sentence said before."""
        ours, theirs = self.load.over(self.above), earlier.load.over(earlier.above)
        is_same = all(one in (None, other) for one, other in zip(ours[:5], theirs[:5], strict=True))
        return is_same and self.values.items() <= earlier.values.items()

    def shares_in(self, total: _Run) -> bool:
        """Whether it says what each of several did of what a total says."""
        is_same = not self.label and (self.load, self.above) == (total.load, total.above)
        return is_same and all(
            name in total.values and value.value < total.values[name].value for name, value in self.values.items()
        )


@dataclass(frozen=True, slots=True)
class _Said:
    """One value of a line: of which load, and what its clause calls it."""

    load: Load
    value: Value
    part: int = 0
    """Which sentence of its line says it."""

    order: int = 0
    """Of several runs of one load that a line tells of in the same order for each quantity."""

    swept: bool = False
    """At another depth of a sweep, which nobody names: no heading's depth holds for it."""

    @property
    def name(self) -> tuple[str, str]:
        return self.value.kind, self.value.statistic or "mean"


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges of lines that tell of runs; runs that share lines are one range."""
    first, end = -1, -1
    for run in _runs("\n".join(lines)):
        if run.first > end:
            if first >= 0:
                yield first, end
            first, end = run.first, run.last + 1
        end = max(end, run.last + 1)
    if first >= 0:
        yield first, end


def read(text: str) -> tuple[Result, ...]:
    """Every run that the lines tell of. Raises UnreadableFile where there is none."""
    drafts = [
        built(
            run.load,
            run.above,
            run.values,
            Source(reader=NAME, first_line=run.first + 1, last_line=run.last + 1),
            run.label,
            said=True,
            told=run.told,
        )
        for run in _runs(text)
    ]
    return required(
        with_proven_units(drafts),
        "nothing measured is said in this text",
        "A line names the load and a number with its unit.",
    )


def left_over(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Each line with IOPS or a bandwidth that somebody may have measured, counted from 0, and why it was not read."""
    silent = set(silent_lines(lines))
    for at, line in enumerate(lines):
        if why := _why_left(line):
            yield at, _NO_DRIVE if at in silent else why


@lru_cache(maxsize=4096)
def _why_left(line: str) -> str:
    """What keeps the rate of a line from being read; empty where it holds none."""
    if len(line) > LONGEST_LINE or not _hints(line) or _COMMAND.match(line):
        return ""
    phrase = phrase_of(without_supposed(line))
    if any(value.kind in (IOPS, BANDWIDTH) for value in _valued(phrase)):
        return _NOTHING_SAID
    is_range = any(token.kind == "range" and _IS_RATE.search(token.text) for token in phrase.tokens)
    return _RANGE if is_range else ""


@lru_cache(maxsize=1)
def _runs(text: str) -> tuple[_Run, ...]:
    """The runs of a text in one pass, in the order of their first lines."""
    page = read_lines(text.split("\n"))
    lines = [line.text for line in page]
    if names_short_ways(lines):
        page = [line._replace(text=with_spelled_ways(line.text)) for line in page]
        lines = [line.text for line in page]
    near = list(_near_hints(lines))
    in_force = PageConditions(page) if near else None
    commas = decimal_commas("\n".join(lines[at] for at in near))
    runs: list[_Run] = []
    open_runs: dict[tuple[object, ...], _Run] = {}
    hardware, promised = False, _promised(lines, near) | set(_of_stores(lines, near)) | set(silent_lines(lines))
    last, last_kind, paragraph = _NOTHING, "", -1
    told_of: dict[tuple[int, str | None, str], Load] = {}
    for at in near:
        line, heading = lines[at], in_force.at(at) if in_force else InForce()
        hardware = _HARDWARE.fullmatch(line) is not None or (hardware and _BULLET.match(line) is not None)
        told = (
            not hardware
            and at not in promised
            and not _heads_columns(lines, at)
            and any(map(str.isdecimal, line))
            and bool(_hints(line) or heading.quantity or open_runs)
        )
        goes_on = page[at].paragraph == paragraph and not page[at].whole and last_kind == IOPS
        before = last if as_before(line) or (goes_on and not heading_of(line).ways) else _topic_of(page, at)
        of_network = (page[at].paragraph == paragraph and last.way == RECEIVED) or (
            at > 0 and page[at - 1].paragraph == page[at].paragraph and bool(shown_in([lines[at - 1]]))
        )
        led = heading.command and 0 < at - heading.line <= _RIGHT_BELOW
        label, found = _said_in(line, commas, heading.quantity, before, led, of_network) if told else ("", ())
        if found:
            kinds = {said.value.kind for said in found}
            last, last_kind, paragraph = found[-1].load, IOPS if IOPS in kinds else "", page[at].paragraph
        if not page[at].whole:
            found = tuple(_as_told(said, told_of, page[at].paragraph) for said in found)
        if {"read", "write"} <= {said.load.way for said in found}:
            heading = heading._replace(load=heading.load._replace(way=None))  # "values read off the bars"
        found = tuple(_ordered(_without_paired(found, runs, page[at])))
        if not found and _OF_ALL.match(line):
            _say_of_all(heading_of(line).load, (run for run in runs if at - run.last <= LOOKS_BACK))
        if not found and len(line) <= _LONGEST_HEADING:
            begins = heading.line == at or line.rstrip().endswith((":", "?", "：", "？"))
            open_runs = {} if begins else open_runs
        for said in found:
            spoken_to = max(heading.line, runs[-1].last if runs and runs[-1].above == heading.load else -1)
            if said.load.way is None and not open_runs and at - spoken_to > LOOKS_BACK:
                continue  # a direction does not reach so far in prose
            run = _run_of(said, label, at, page[at], heading, open_runs)
            if run is not None and not run.values:
                runs.append(run)
            if run is not None:
                run.values[said.name] = said.value
                run.last = at
    runs = list(_without_shares(_without_repeats(runs)))
    for run in runs:
        run.first, run.last = page[run.first].first, page[run.last].last
        run.values = dict(with_peaks(run.load, run.values))
    return tuple(run for run in runs if _counts(run))


def _topic_of(page: Sequence[Line], at: int) -> Load:
    """The test that the sentence above names without a number: "Random writes fell at first. It came to 9k IOPS."."""
    above, line = page[max(0, at - 1)], page[at]
    phrase = heading_of(above.text)
    if line.whole or above.paragraph != line.paragraph or phrase.names_values or len(phrase.ways) != 1:
        return _NOTHING
    return _NOTHING if phrase.load.random is None else Load(phrase.load.random, phrase.load.way)


def _without_repeats(runs: Iterable[_Run]) -> Iterator[_Run]:
    spoken: deque[_Run] = deque(maxlen=_MOST_SPOKEN)
    for run in runs:
        if run.label or not any(map(run.repeats, spoken)):
            yield run
        if run.spoken:
            spoken.append(run)


def _without_shares(runs: Iterable[_Run]) -> Iterator[_Run]:
    """Without "avg throughput" below "total throughput": what each of several did in the same run."""
    total: _Run | None = None
    for run in runs:
        if total is not None and run.first - total.last <= _SHARE_NEAR and run.shares_in(total):
            kinds = {kind for kind, _ in run.values}
            total.values = {
                name: value for name, value in total.values.items() if name in run.values or name[0] not in kinds
            }
            continue
        yield run
        total = run if _SUMMED.fullmatch(run.label) else None


def _without_paired(found: Sequence[_Said], runs: Sequence[_Run], line: Line) -> Sequence[_Said]:
    """ "... from 1050 to 14200 IOPS. Its latency went from 0.95 to 0.07 ms.": as many times go to the runs before."""
    newest = runs[-len(found) :] if len(found) > 1 and not line.whole else ()
    times = {said.value.kind for said in found} == {LATENCY} and heading_of(line.text).load == _NOTHING
    if not times or len(newest) != len(found) or any((LATENCY, "mean") in run.values for run in newest):
        return found
    if len({(run.first, run.load) for run in newest}) > 1:
        return found
    for run, said in zip(newest, found, strict=True):
        run.values[said.name] = said.value
    return ()


def _ordered(found: Sequence[_Said]) -> Iterator[_Said]:
    """ "From 3200 to 18500 IOPS, from 2.5 to 0.43 ms": as many values of each quantity are as many runs."""
    for load in dict.fromkeys(said.load for said in found):
        own = [said for said in found if said.load == load]
        names = [said.name for said in own]
        counts = {names.count(name) for name in names}
        is_paired = len(set(names)) > 1 and len(counts) == 1 and counts != {1}
        for at, said in enumerate(own):
            yield replace(said, order=names[:at].count(said.name)) if is_paired else said


def _say_of_all(load: Load, runs: Iterable[_Run]) -> None:
    """ "All with dd, blocks of 1M." holds for what stands above it."""
    for run in runs:
        if not opposed(load, run.load):
            run.above = run.above.over(load.sizes)


def _as_told(said: _Said, told_of: dict[tuple[int, str | None, str], Load], paragraph: int) -> _Said:
    """ "4k random writes gave 11k IOPS ... Before, writes were at 2k IOPS": the second are those of the first."""
    key, load = (paragraph, said.load.way, said.value.kind), said.load
    if load.random is None and load.block_bytes is None and key in told_of:
        said = replace(said, load=load.over(told_of[key]))
    told_of[key] = said.load
    return said


def _promised(lines: Sequence[str], near: Sequence[int]) -> set[int]:
    """The lines of paragraphs that quote a data sheet."""
    found: set[int] = set()
    paragraph: list[int] = []
    for at in near:
        if paragraph and at != paragraph[-1] + 1:
            paragraph = []
        paragraph.append(at)
        if _SHEET.search(lines[at]) or at - 1 in found & set(paragraph[-2:]):
            found.update(paragraph)
    return found


def _of_stores(lines: Sequence[str], near: Sequence[int]) -> Iterator[int]:
    """The lines that tell what a store of keys and values does, which one right above names."""
    for at in near:
        if _STORE_RATE.search(lines[at]) and any(map(_STORE.search, lines[max(0, at - _STORE_NEAR) : at + 1])):
            yield at


def _heads_columns(lines: Sequence[str], at: int) -> bool:
    """A row above a rule whose cells hold words, too: "| QD32, 4 jobs IOPS | gain |"."""
    if "|" not in lines[at] or at + 1 >= len(lines) or not _RULE.fullmatch(lines[at + 1]):
        return False
    return not any(map(is_plain_value, map(str.strip, lines[at].split("|"))))


def _near_hints(lines: Sequence[str]) -> Iterator[int]:
    """The lines that may tell of a run or head one: those with a unit of a rate, and a few above and below each."""
    upto, hints = 0, 0
    for at, line in enumerate(lines):
        if hints < _MOST_HINTS and len(line) <= LONGEST_LINE and _hints(line):
            hints += 1
            for near in range(max(upto, at - LOOKS_BACK), min(len(lines), at + _FOLLOWS)):
                if len(lines[near]) <= LONGEST_LINE and lines[near].strip():
                    yield near
            upto = max(upto, min(len(lines), at + _FOLLOWS))


def _hints(line: str) -> bool:
    """Whether a line may hold a rate, or the time of an operation."""
    return _HINT.search(line) is not None or (_TIME.search(line) is not None and _TIMED.search(line) is not None)


def _counts(run: _Run) -> bool:
    """A direction, and a rate; a latency alone counts where its line says of what block it is, or a key names it."""
    has_rate = any(kind != LATENCY and statistic == "mean" for kind, statistic in run.values)
    sized = run.load.over(run.above) if run.captioned else run.load
    is_named = sized.block_bytes is not None or run.keyed or run.load.way == ROUND_TRIP
    has_latency = run.load.way is not None and is_named and any(kind == LATENCY for kind, _ in run.values)
    return (has_rate or has_latency) and run.load.over(run.above).way is not None


def _run_of(
    said: _Said, label: str, at: int, line: Line, heading: InForce, open_runs: dict[tuple[object, ...], _Run]
) -> _Run | None:
    """The run that a value belongs to: the one of the same load below the same heading, or a new one."""
    key = (heading.line, said.load, label, said.part if line.whole else at, said.order)
    run = open_runs.get(key)
    if run is None and said.load == Load() and not label and open_runs:
        run = next(reversed(open_runs.values()))
    if run is not None and said.name not in run.values and at - run.last <= _FOLLOWS:
        return run
    if (
        run is not None
        and said.name in run.values
        and run.last == at
        and _says_again(said.value, run.values[said.name])
    ):
        return None
    if said.value.kind == LATENCY and said.load == Load() and heading.load == Load():
        return None
    if run is None and said.value.kind == LATENCY and (fitting := _fitting(said, heading, open_runs)):
        return fitting
    captioned = heading.quantity is not None and heading.quantity.kind == said.value.kind
    run = open_runs[key] = _Run(
        said.load,
        heading.load._replace(depth=None) if said.swept else heading.load,
        label,
        at,
        at,
        captioned=captioned,
        spoken=len(line.text.split()) > _FEW_WORDS,
        keyed=said.load.random is not None and _KEY.match(line.text) is not None,
        told=heading.told,
    )
    return run


def _fitting(said: _Said, heading: InForce, open_runs: dict[tuple[object, ...], _Run]) -> _Run | None:
    """The newest run with a rate of whose load a time on a line below is: "- mean write latency: 4.9 ms"."""
    if said.load.way is None:
        return None
    fitting = [
        run
        for run in reversed(open_runs.values())
        if run.above == heading.load and said.load.over(run.load) == run.load and said.name not in run.values
        if any(kind != LATENCY for kind, _ in run.values)
    ]
    is_certain = len(fitting) == 1 or (fitting and fitting[0] is next(reversed(open_runs.values())))
    return fitting[0] if is_certain else None


def _says_again(value: Value, before: Value) -> bool:
    """In another unit, or in brackets; "host1 write 512 MB/s, host2 write 498 MB/s" are two runs."""
    if value.factor == before.factor or not before.value:
        return value.value == before.value
    return abs(value.value / before.value - 1) < _SAME


# --- one line -----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _said_in(
    line: str,
    commas: bool,
    quantity: Quantity | None = None,
    before: Load = _NOTHING,
    led: bool = False,
    of_network: bool = False,
) -> tuple[str, tuple[_Said, ...]]:
    """(label, values) of a line; no values where it is a wish, a limit or a comparison.

    before: of what its paragraph spoke last. quantity: what a caption above says that the numbers behind labels are.
    led: it follows a command at once, so that it tells what that one gave. of_network: so did its paragraph.
    """
    if _COMMAND.match(line):
        return "", tuple(_given_by_command(line, commas))
    line, commands = without_quoted(line)
    if len(commands) == 1 and (asked := command_load(commands[0])) is not None:
        before, led = asked, True
    text = _plain(line, commas)
    if network := tuple(_Said(Load(way=way), value) for way, value in said_of_network(line, commas, of_network)):
        return "", network
    parts = _PARTS.split(text)
    if len(parts) > 1 and all(_label_of(part)[0] is not None for part in parts):
        parted = [each for part in parts for each in _said_in(part, commas)[1]]
        if any(each.load.way == "write" and each.load.random is None for each in parted):
            parted = [replace(each, load=with_rados_read(each.load)) for each in parted]  # as rados bench names reads
        return "", tuple(parted)
    label, rest = _label_of(text)
    if label is not None:
        return label.rest, () if _VERSUS.search(text) else tuple(
            _structured(label, rest, commas, quantity, before if as_before(text) else _NOTHING)
        )
    if len(text.split()) + len(_IDEOGRAPHS.findall(text)) / 2 > _MOST_WORDS:
        return "", ()
    said = text.rpartition(": ")[2] if _BULLET.match(line) else text  # "- node 3, two SSDs, LVM: 232 MB/s"
    is_short = len(said) <= _SHORT and len(said.split()) <= _FEW_WORDS
    is_short = led or is_short or _PAIRS.search(text) is not None  # a heading speaks for short lines and "IOPS = 1200"
    told: list[_Said] = []
    sentences = [each for sentence in SENTENCE.split(text) for each in _SEMICOLON.split(sentence)]
    for part, sentence in enumerate(sentences):
        own = _spoken(sentence, commas, told[-1].load if told else before)
        told += [replace(said, part=part) for said in _in_the_order_before(own, told[-2:], sentence)]
    return "", tuple(said for said in told if is_short or said.load.way is not None)


def _given_by_command(line: str, commas: bool) -> Sequence[_Said]:
    """ "fio --rw=randwrite --bs=4k gives 7,400 IOPS": behind the command what it gave."""
    gives = _GIVES.search(line)
    if gives is None:
        return ()
    load = command_load(line[: gives.start()]) or heading_of(line[: gives.start()]).load
    return _spoken(_plain(line[gives.end() :], commas), commas, load)


def _plain(line: str, commas: bool) -> str:
    """A line without marks, remarks and what misleads: dots of abbreviations, parted thousands, "4k - 900 IOPS"."""
    line = _OF_IOR.sub("", line)
    text = without_supposed(_REMARK.sub("", _MARK.sub("", _ADDRESS.sub("", line), count=1)).strip().replace("**", ""))
    text = _LEADERS.sub(": ", text)
    text = _OF_HDPARM.sub(r"\g<0> read", text)
    if text.startswith("{"):
        text = _QUOTED_NAME.sub(r"\1=\2", text)
    if _PAIRS.match(text):
        text = _PAIR.sub(", ", text)
    text = _UNIT_IN_NAME.sub(_with_unit, _RADOS_READ.sub(r"\1 read", text))
    text = _with_joined_thousands(_ABBREVIATED.sub(r"\1", text), commas)
    text = _PARALLEL.sub(_each_with_its_name, _ASIDE_WITH.sub(" (", text))
    text = _SWEEP.sub(_as_label, text)
    text = _OF_SIZE.sub(r"\g<size> \g<value> \g<unit>", text)
    text = _ARROW.sub(_before_and_after, _FROM_TO.sub(_both_values, text))
    ways = len(phrase_of(text).ways)
    text = _SERIES.sub(lambda match: _with_units(match, commas, ways), text)
    return _DASH.sub(_without_dash, text)


def _without_dash(match: re.Match[str]) -> str:
    """ "4k - 900 IOPS": a block and a value; "92k - 101k IOPS" is a range."""
    return f"{match['size']} " if heading_of(match["size"]).load.block_bytes else match[0]


def _with_units(match: re.Match[str], commas: bool, ways: int) -> str:
    """Each of a series with its unit: values of a direction each, or alike and no sizes."""
    listed = _UNPARTED.sub("、", match["items"])
    items = re.findall(AMOUNT, listed)
    values = [value.value for item in items for value in phrase_of(item).values(commas)]
    are_pair = ways == 2 and len(items) == 2
    are_listed = ways > 0 or all("," in each or "、" in each for each in re.split(AMOUNT, listed)[1:-1])
    are_runs = are_listed and "/" not in listed and bool(values) and max(values) <= _ALIKE * min(values)
    if (
        len(values) != len(items)
        or any(heading_of(item).load.block_bytes for item in items)
        or not (are_pair or are_runs)
    ):
        return match[0]
    return re.sub(AMOUNT, lambda item: item[0].rstrip(",") + match["unit"] + "," * item[0].endswith(","), listed)


def _with_unit(match: re.Match[str]) -> str:
    rate = "/s" if match["unit"][-1] in "bB" else ""
    return f"{match['name'].replace('_', ' ')}{match['is']}{match['value']}{match['unit']}{rate}"


def _both_values(match: re.Match[str]) -> str:
    """ "from 310 to 9800 IOPS" -> "310 IOPS, 9800 IOPS"."""
    unit = match["unit"] or re.sub(r"^[~≈]?[\d.,' ]+[kKM]?(?![a-zA-Z])", "", match["second"])
    return f"{match['first'].strip()} {unit.strip()}, {match['second']}"


def _each_with_its_name(match: re.Match[str]) -> str:
    """ "avg/p99 latency=4.8ms/54.8 ms" -> "avg latency 4.8ms, p99 latency 54.8 ms"."""
    names, times = re.split(r" ?/ ?", match["names"]), re.findall(rf"{AMOUNT}(?: ?{words.TIME_UNIT})?", match["times"])
    unit = re.search(rf"{words.TIME_UNIT}$", match["times"], re.IGNORECASE)
    if len(names) != len(times) or unit is None:
        return match[0]
    with_units = (each if re.search(r"[^\W\d]", each) else f"{each} {unit[0]}" for each in times)
    return ", ".join(f"{name} latency {time}" for name, time in zip(names, with_units, strict=True))


def _as_label(match: re.Match[str]) -> str:
    """ "clients: 16 -> 2210 MB/s": a step of a sweep, and no IOPS before and after."""
    return match[0] if heading_of(match["name"]).quantities else f"{match['name']} {match['count']}: "


def _before_and_after(match: re.Match[str]) -> str:
    """ "IOPS: 310 -> 9800", "310 -> 9800 IOPS"; other numbers may be versions or depths."""
    unit = match["unit"] or match["behind"] or ""
    if not (unit or match["front"]):
        return match[0]
    return f"{match['front'] or ''}{match['first'].strip()}{unit}, {match['second']}{'' if match['behind'] else unit}"


def _with_joined_thousands(text: str, commas: bool) -> str:
    """ "18 300 IOPS" is one number where people write so, or behind a colon; elsewhere nobody can tell: no number."""

    def joined(match: re.Match[str]) -> str:
        certain = commas or text[: match.start()].rstrip()[-1:] in ("", ":", "：", "=", "~", "≈", "|", "(")
        return match["front"] + match["groups"].replace(" ", "") if certain else "?"

    return _THOUSANDS.sub(joined, text)


def _label_of(text: str) -> tuple[Phrase | None, str]:
    """What stands before the first colon that parts words of a load or a metric from numbers, and what behind it.

    An equals sign parts them only behind a metric: "IOPS=1200", but "iodepth=1".
    """
    for match in _COLON.finditer(text[:_LONGEST_HEADING]):
        label = heading_of(text[: match.start()])
        if label.names_values:
            break
        is_metric = bool(label.tokens) and label.tokens[-1].kind.startswith("metric")
        if _is_label(label) and (match[0].strip() != "=" or is_metric):
            return label, text[match.end() :]
    return None, ""


def _is_label(label: Phrase) -> bool:
    """Words of a load, a metric or a name; a sentence that happens to hold a colon is none."""
    return len(label.words.split()) <= _MOST_LABEL_WORDS and bool(
        label.load != Load() or label.quantities or label.statistics
    )


def _structured(label: Phrase, rest: str, commas: bool, quantity: Quantity | None, before: Load) -> list[_Said]:
    """ "Random read 4k: 45.2k IOPS, 185 MB/s", "IOPS: 45.2k", "Latency: 1.2 ms read, 3.4 ms write"."""
    found: list[_Said] = []
    for text, _ in _joined_clauses(rest):
        clause = phrase_of(text)
        values = _valued(clause, label, commas, quantity)
        if not values:
            if not (clause.names_values or clause.ways or clause.words):  # "2,100 MB/s @ QD8"
                found = [replace(said, load=said.load.over(clause.load.sizes)) for said in found]
            continue
        load = _own_load(clause.load, label.load).over(before.sizes)
        for value in _shared(values, clause.ways if len(clause.ways) > 1 else label.ways, clause):
            found.append(_Said(Load(way=value.way).over(load) if value.way else load, value))
    return found


def _own_load(load: Load, label: Load) -> Load:
    """What a clause does not say, the label says; a clause with a direction and a size of its own is another run."""
    is_other = (
        load.way is not None and label.way is not None and (load.way != label.way or load.block_bytes is not None)
    )
    return load if is_other and (load.random is not None or load.block_bytes is not None) else load.over(label)


def _spoken(text: str, commas: bool, before: Load) -> list[_Said]:
    """Clauses that name direction and number both: "about 500 MB/s read and 80 MB/s write".

    What a clause without a number names is meant for the next number; what is said once holds for all that follows and
    does not speak of something else. before: what the sentence before this one spoke of.
    """
    text = _BRACKETS.sub(_set_apart, _with_load_in_front(text))
    whole = phrase_of(text)
    if (ordered := _in_order(whole, commas)) is not None:
        return ordered
    found: list[_Said] = []
    pattern = _said_once(whole, commas)
    kinds = {value.kind for value in _valued(whole, None, commas)} - {LATENCY}
    current, pending, behind = before, Load(), Load()
    of_times = whole if {value.kind for value in whole.values(commas)} - {""} == {LATENCY} else None
    tells = whole.load.way is not None and (whole.load.block_bytes or whole.load.depth)
    takes = Quantity(LATENCY) if of_times and tells else None  # "a 4k write takes 3.9 ms"
    newest = 0  # values of the clause right before this one
    carried: list[bool] = []  # whether a value has the direction of one before it
    for part, goes_on in _joined_clauses(text):
        clause = phrase_of(part)
        own = _valued(clause, of_times, commas, takes)
        values = own or _as_the_others(clause, kinds, commas)
        if not values and goes_on and newest and clause.load.way is None:
            found = [*_with_sizes(found[:-newest], clause.load, found[-1]), *_with_sizes(found[-newest:], clause.load)]
            if len(clause.statistics) == 1:  # "11.2 ms at the 99th percentile"
                found[-1] = replace(found[-1], value=found[-1].value._replace(statistic=clause.statistics[0]))
            current = found[-1].load
            behind = clause.load
            continue
        behind = _NOTHING
        if not values:
            newest = 0
            if any(map(_is_bare_count, clause.tokens)):
                pending = _NOTHING  # "at QD64 it came to 38k"
                continue
            pending = clause.load if opposed(clause.load, pending) else clause.load.over(pending)
            continue
        load = clause.load if opposed(clause.load, pending) else clause.load.over(pending)
        if load.jobs and _OF_RADOS.search(text):
            load = load._replace(depth=load.jobs, jobs=None)  # its threads are operations in flight
        is_carried = load.way is None and len(clause.ways) < 2
        if is_carried:
            way = current.way or (whole.ways[0] if len(whole.ways) == 1 else None)
            load = load.over(Load(current.random, way))
        if as_before(text) or load.random in (current.random, None) or current.random is None:
            load = load.over(current.sizes)
        if not own and not is_carried:
            load = load.over(Load(current.random))  # "45k IOPS for random reads and 12k for writes"
        load, pending = load.over(pattern), Load()
        is_pair = not clause.ways and len(values) == 2 and _SLASH.search(clause.text) is not None
        told = _shared(values, whole.ways if is_pair else clause.ways, clause)
        found += [_Said(load._replace(way=value.way or load.way), value) for value in told]
        carried += [is_carried] * len(told)
        current, newest = load, len(told)
    found = _in_the_same_order(found, carried)
    behind = pending.over(behind) if len(whole.ways) == 1 else pending.over(behind).sizes
    found = [said if opposed(said.load, behind) else replace(said, load=said.load.over(behind)) for said in found]
    return list(_swept(found)) if _SWEPT.search(text) else found


def _in_the_same_order(found: Sequence[_Said], carried: Sequence[bool]) -> list[_Said]:
    """ "2.1 GB/s read and 1.2 GB/s write, against 540 MB/s and 480 MB/s": the second two are read and write, too."""
    ways = [said.load.way for said in found[:2]]
    is_so = len(found) == 4 and list(carried) == [False, False, True, True] and set(ways) == {"read", "write"}
    if not is_so or len({said.value.kind for said in found}) > 1:
        return list(found)
    again = [replace(said, load=said.load._replace(way=way)) for said, way in zip(found[2:], ways, strict=True)]
    return [*found[:2], *again]


def _in_the_order_before(found: Sequence[_Said], before: Sequence[_Said], sentence: str) -> Sequence[_Said]:
    """ "2.1 GB/s read and 1.2 GB/s write; the other one 540 MB/s and 480 MB/s": so, too, in the next sentence."""
    kinds = {said.value.kind for said in (*found, *before)}
    ways = [said.load.way for said in before]
    if len(found) != 2 or set(ways) != {"read", "write"} or len(ways) != 2 or len(kinds) > 1:
        return found
    if phrase_of(sentence).ways:
        return found
    return [replace(said, load=said.load._replace(way=way)) for said, way in zip(found, ways, strict=True)]


def _is_bare_count(token: Token) -> bool:
    """ "38k", and no block."""
    return token.kind in ("scaled", "size") and heading_of(token.text).load.block_bytes is None


def _swept(found: Sequence[_Said]) -> Iterator[_Said]:
    """Each depth for the first value of its kind alone."""
    seen: set[tuple[str, int | None]] = set()
    for said in found:
        key = said.value.kind, said.load.depth
        yield replace(said, load=said.load._replace(depth=None), swept=True) if key in seen else said
        seen.add(key)


def _as_the_others(clause: Phrase, kinds: set[str], commas: bool) -> list[Value]:
    """ "310k IOPS read, 150k write": of a sentence of IOPS alone."""
    scaled = list(filter(_is_bare_count, clause.tokens))
    if kinds != {IOPS} or len(scaled) != 1 or len(clause.ways) != 1:
        return []
    return [value._replace(kind=IOPS) for value in clause.values(commas) if value.start == scaled[0].start]


def _with_load_in_front(text: str) -> str:
    """ "before 310 IOPS, now 1870 IOPS (4k random write, QD1)": what brackets at the end name is said of all."""
    last = next(iter(_LAST_BRACKETS.finditer(text)), None)
    if last is None or phrase_of(last[1]).load.way is None or phrase_of(last[1]).names_values:
        return text
    rest = text[: last.start()]
    return text if phrase_of(rest).load != _NOTHING else f"{last[1]}, {rest}"


def _set_apart(brackets: re.Match[str]) -> str:
    """ "(4K, QD 64)" as a clause of its own that goes on where the one before stopped."""
    phrase = phrase_of(brackets[1])
    if phrase.ways or phrase.names_values or phrase.load == _NOTHING:
        return brackets[0]
    return f" @ {re.sub('[,;、，]', ' ', brackets[1])}, "


def _with_sizes(found: Sequence[_Said], load: Load, last: _Said | None = None) -> list[_Said]:
    """With what a clause behind them says; before the last one those alone that are of its kind and say nothing."""
    return [
        replace(said, load=said.load.over(load))
        if last is None or (said.value.kind == last.value.kind and not said.load.shares_a_size(load))
        else said
        for said in found
    ]


def _said_once(whole: Phrase, commas: bool) -> Load:
    """Random or sequential, where a sentence names one of them and its rates are of one kind."""
    kinds = {value.kind for value in _valued(whole, None, commas)} - {LATENCY}
    ways = ("read", "write") if len(whole.ways) > 1 else ()
    named = {
        random
        for token in whole.tokens
        if token.kind not in ways and (random := Phrase("", (token,)).load.random) is not None
    }
    return Load(random=named.pop() if len(named) == len(kinds) == 1 else None)


def _in_order(whole: Phrase, commas: bool) -> list[_Said] | None:
    """ "Read and write were 1.9 GB/s and 0.7 GB/s": the directions first, then a value for each."""
    values = _valued(whole, None, commas)
    named = [token for token in whole.tokens if token.kind in ("read", "write", "both")]
    places = [token.start for token in named]
    if len(named) == len(whole.ways) == len(values) == 2 and values[0].kind == values[1].kind:
        numbers = [token for token in whole.tokens if token.start in {value.start for value in values}]
        if numbers[-1].end <= places[0] and all(map(_joins(whole.text), (numbers, named))):
            places = [-1]  # "1.9 and 0.7 GB/s for reads and writes"
    if len(whole.ways) < 2 or len(values) < 2 or max(places) > min(value.start for value in values):
        return None
    if len(values) != len(whole.ways) or len({value.kind for value in values}) > 1:
        return []
    load = whole.load._replace(way=None)
    return [_Said(load._replace(way=way), value) for way, value in zip(whole.ways, values, strict=True)]


def _joins(text: str) -> Callable[[Sequence[Token]], bool]:
    """Whether nothing but "and" stands between two tokens of a text."""
    return lambda pair: _AND.fullmatch(text[pair[0].end : pair[1].start]) is not None


def _joined_clauses(text: str) -> Iterator[tuple[str, bool]]:
    """Each clause, and whether it goes on where the one before stopped: "... with 1M blocks", "(4k, QD32)"."""
    start, goes_on = 0, False
    for match in [*_CLAUSE.finditer(text), None]:
        part = text[start : match.start()] if match else text[start:]
        if part.strip():
            yield part, goes_on
        if match:
            goes_on = _WITH.fullmatch(match[0]) is not None or part.count("(") > part.count(")")
            start = match.end()


def _valued(
    clause: Phrase, label: Phrase | None = None, commas: bool = False, quantity: Quantity | None = None
) -> list[Value]:
    """The clause's values with their statistics. A time is a latency only where a word says so; brackets are asides."""
    quantities = clause.quantities or (label.quantities if label else ()) or ((quantity,) if quantity else ())
    found: list[Value] = []
    for value in clause.values(commas):
        statistic = _statistic(clause, label, value)
        tells_latency = any(each.kind == LATENCY for each in quantities) or statistic.startswith("p")
        is_unsaid = value.kind == LATENCY and not tells_latency and not _is_aside(clause, value)
        if is_unsaid and (value.factor > 1e-3 or (clause.words and not _TAKES.search(clause.text))):
            continue
        if clause.text[value.start - 1 : value.start] == "@":
            continue  # "IOPS@16" names a depth
        if value.kind == BANDWIDTH and value.is_in_bits:
            continue  # the speed of a link
        if not value.kind and (_names_iops(clause, value) or _leads_to_iops(clause, value)):
            value = value._replace(kind=IOPS)
        elif not value.kind:
            if len(quantities) != 1 or clause.words or _is_size(clause, value):
                continue
            if (named := value.of(quantities[0])) is None:
                continue
            value = named._replace(bits=False)
        found.append(value._replace(statistic=statistic))
    return found


def _is_aside(clause: Phrase, value: Value) -> bool:
    """A time beside a rate, one of them in brackets: "9.8k IOPS random write (3.2 ms)", "0.36 ms (2,770 IOPS)"."""
    rates = [token for token in clause.tokens if token.kind in ("rate", "iops")]
    own = next(token for token in clause.tokens if token.start == value.start)

    def stands_alone(token: Token) -> bool:
        return clause.text[: token.start].rstrip().endswith("(") and clause.text[token.end :].lstrip().startswith(")")

    if value.factor > 1e-3:
        return False
    if any(clause.text[token.end : own.start].strip() in ("/", "·", "・") for token in rates):
        return True  # "12.1k IOPS / 81us"
    behind = next((token for token in rates if token.start > own.start), None)
    return (stands_alone(own) and any(token.start < own.start for token in rates)) or (
        behind is not None and stands_alone(behind) and not clause.text[own.end : behind.start].strip(" (~≈")
    )


def _statistic(clause: Phrase, label: Phrase | None, value: Value) -> str:
    """What a value of a clause is: of several values, each is what is named between the one before it and itself."""
    own = clause.statistic_before(value) if len(clause.values(False)) > 1 else clause.statistics
    named = own or (label.statistics if label else ())
    return named[0] if len(named) == 1 else "mean"


def _names_iops(clause: Phrase, value: Value) -> bool:
    """Whether IOPS stand right before a number: "IOPS=2300 BW=9.0MiB/s"."""
    before = [token for token in clause.tokens if token.end <= value.start]
    if before and before[-1].text in ("为", "是", "约", "was", "is", "of", "um", "~"):
        return len(before) > 1 and before[-2].kind == "metric_iops"
    if before and "(" in clause.text[before[-1].end : value.start] and _is_size(clause, value):
        return False  # "IOPS (4k, QD64)"
    return bool(before) and before[-1].kind == "metric_iops" and value.start - before[-1].end <= _NEAR


def _is_size(clause: Phrase, value: Value) -> bool:
    """ "4k random write IOPS" names a block, "12k random write IOPS" a rate."""
    text = next((token.text for token in clause.tokens if token.start == value.start), "")
    return heading_of(text).load.block_bytes is not None


def _leads_to_iops(clause: Phrase, value: Value) -> bool:
    """Whether IOPS stand behind a number, with nothing but a load between: "12k random write IOPS"."""
    behind = [
        token.kind for token in clause.tokens if token.start > value.start and not _WHOSE.fullmatch(token.text.strip())
    ]
    metric = behind.index("metric_iops") if "metric_iops" in behind else 0
    between = set(behind[:metric])
    return (
        metric > 0
        and not _is_size(clause, value)
        and between <= {"read", "write", "random", "sequential", "mixed", "size"}
    )


def _is_of_another(clause: Phrase, value: Value, aside: Value) -> bool:
    """ "30.2 MB/s (39.1 MB/s on the old board)", "(was 21 MB/s)": a second run of the same load."""
    text = next((each[1] for each in _BRACKETS.finditer(clause.text) if each.start() < aside.start < each.end()), "")
    phrase = phrase_of(text)
    if phrase.statistics or phrase.load != _NOTHING or _says_again(aside, value):
        return False
    return _ANOTHER.match(text) is not None and aside.factor in (value.factor, value.factor * 1e3, value.factor / 1e3)


def _shared(values: Sequence[Value], ways: Sequence[str], clause: Phrase) -> list[Value]:
    """Of several values of one kind, one for each direction that is named; brackets repeat what is before them.

    Without directions each is a run of its own, where nothing but its unit stands beside it.
    """
    result: list[Value] = []
    aside = clause.text.find("(")
    valued = {token.start for token in clause.tokens if token.kind in ("rate", "iops", "time")}
    for kind in dict.fromkeys(value.kind for value in values):
        same = [value for value in values if value.kind == kind]
        if len(same) == len(ways) > 1:
            same = [value._replace(way=way) for value, way in zip(same, ways, strict=True)]
        elif len(same) > 1:
            before = [value for value in same if value.start < aside]
            are_runs = not (before or ways or _SLASH.search(clause.text)) and valued >= {value.start for value in same}
            if not (len(before) == 1 and len(same) == 2 and _is_of_another(clause, *same)):
                same = before if len(before) == 1 else same if are_runs else []
        result += same
    return result
