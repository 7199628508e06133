"""Results that people write in lines: "- 4k random read: 45k IOPS, 0.7 ms", "about 500 MB/s write".

They are said, not measured by a tool before our eyes: `extra["said"]`. A line counts only where it names the direction,
or a heading above it does; wishes, limits, data sheets and comparisons are passed over.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice, pairwise, takewhile

from radoscope import patterns as re
from radoscope.formats.context.by_kind import Told, opposed
from radoscope.formats.context.conditions import (
    HAVE_ALL,
    InForce,
    PageConditions,
    as_before,
    command_load,
    heads_items,
    is_speaker,
    is_supposed,
)
from radoscope.formats.context.definitions import with_definition
from radoscope.formats.context.left_out import without_left_out
from radoscope.formats.context.measured import (
    A_RANGE,
    NO_UNIT,
    Draft,
    built,
    in_mib,
    names_hdparm_alone,
    names_tool_of_mib,
    with_peaks,
    with_proven_units,
)
from radoscope.formats.context.network_words import (
    BITS_ALONE,
    CIPHER,
    RECEIVED,
    ROUND_TRIP,
    SENT,
    TOOL_OF_NETWORKS,
    heads_network,
    is_measured_rate,
    names_storage,
    shown_in,
    streams_asked,
    tests_a_line,
)
from radoscope.formats.context.sentences import TAKEN, Line, read_lines
from radoscope.formats.context.silent_sections import silent_lines
from radoscope.formats.context.supposed import SENTENCE, without_supposed
from radoscope.formats.context.untold_ways import is_synced, speaks_of_others, way_of_topic
from radoscope.formats.grammar import foretold
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.alternatives import Alternatives
from radoscope.formats.grammar.blocks import required, stretches
from radoscope.formats.grammar.command_lines import with_blocks_of_dd
from radoscope.formats.grammar.other_operations import counts_failures, names_one_of_requests
from radoscope.formats.grammar.phrases import (
    BANDWIDTH,
    IOPS,
    LATENCY,
    LONGEST_PHRASE,
    RATE,
    Load,
    Phrase,
    Value,
    heading_of,
    is_range_of_rates,
    names_short_ways,
    phrase_of,
    with_rados_read,
    with_spelled_ways,
)
from radoscope.formats.grammar.quantities import MIB, decimal_commas, digits_of, number
from radoscope.formats.tables.cells import is_sentence
from radoscope.formats.tables.grid import BAR_RULE, ends_in_numbers, is_number
from radoscope.formats.tables.layout import is_plain_value
from radoscope.formats.tables.transfers import are_of_store, with_ways
from radoscope.formats.told.clauses import says_again, valued
from radoscope.formats.told.each import told_each
from radoscope.formats.told.lines import BULLET, COMMAND, FEW_WORDS, GIVES, LONGEST_HEADING, Said, said_in
from radoscope.formats.told.spelling import PER_BLOCK, with_times_of_blocks, without_leaders
from radoscope.formats.told.units import counts_in_unit_of_label, with_units, without_echoes
from radoscope.records.measurement import Result, Source
from radoscope.words import N_

NAME = "said"
LOOKS_BACK = 12
LONGEST_LINE = 300
_LONGEST_PARAGRAPH = 8000
"""On one line, as mail programs and web pages write it."""
_HINT = re.compile(
    r"iops|latenc[yi]|i/?os? ?/ ?s|ops?/s|\dk? ?(?:reads?|writes?) ?/ ?s"
    rf"|[kmgкмг]i?[bбo](?:yte|it|octet|айт)?(?:s? ?/ ?s|ps|s\b|s? (?:{words.PER}) [sс])"
    rf"|/ ?[秒с초]|(?<=[бт])/c(?!\w)|/giây|опер|[оo]пс|\[#/s",
    re.IGNORECASE,
)
_MEAN_ITEM = re.compile(
    rf"\s{{0,12}}[-*•+]\s{{1,3}}\*{{0,2}}(?P<rest>(?:{words.MEAN})\*{{0,2}}\s?[:：=][\s*]{{0,4}}\d[\d.,]{{0,11}} ?"
    rf"(?:{words.TIME_UNIT}))[\s*]{{0,4}}",
    re.IGNORECASE,
)
_TIME_ITEM = re.compile(
    rf"\s{{0,12}}[-*•+]\s{{1,3}}(?P<name>[^:：]{{1,60}}?)\s?[:：=]?\s+"
    rf"(?P<time>[~≈]?\d[\d.,]{{0,11}} ?(?:{words.TIME_UNIT}))[\s*]{{0,4}}",
    re.IGNORECASE,
)
_NO_MEAN = Alternatives(rf"{words.MINIMUM}|{words.MAXIMUM}|{words.STDDEV}|{words.PERCENTILE}|jitter|loss")
_NAMES_PINGS = re.compile(words.ROUND_TRIP, re.IGNORECASE)
_HEADS_PINGS = re.compile(
    r"(?=#|.{0,80}[:：]\W{0,4}$)[\W\d]{0,12}(?:[^\W\d]+[ -]){0,3}?(?:pings?|rtt|icmp|round[- ]trip)\b", re.I
)
_SPELLED_HINT = re.compile(
    rf"\d ?(?:{'|'.join(words.SPELLED_SCALES.values())})"
    rf"(?:{words.SPELLED_BYTES}|{words.SPELLED_BITS}|i?[bo]|(?=[/每毎]?秒|/초))"
    rf" ?(?:{words.A_SECOND})|(?:{words.EACH_SECOND}).{{0,9}}\d|syncs? ?(?:/|per) ?s"
    rf"|(?:{words.BANDWIDTH}|只).{{0,30}}?\d ?(?:[kmg]i?b(?:its?)?|mo|m(?=左右|上下|多|[，。；、])|兆)(?![\w/])",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\d ?(?:(?:[mм][sс]|[uµμ]s)(?:ec)?|мкс|[毫微]秒|(?:ミリ|マイクロ)秒|(?:밀리|마이크로)초"
    r"|m(?:illi|icro|ikro)-?se[ck]\w{0,6})"
    r"(?![a-zа-я])",
    re.IGNORECASE,
)
_IN_ASCII = ("iops", "latenc", "/s", "/ s", *(scale + what for scale in "kmg" for what in "boi"))
_IN_HINTS = (
    *_IN_ASCII, "/秒", "/ 秒", "/с", "/ с", "/초", "/ 초", "/giây", "опер", "опс", "oпс",
    *(scale + what for scale in "kmgкмг" for what in "bбoi"),
)  # fmt: skip
_ASCII_TIMES = ("ms", "us", "milli", "micro", "mikro")
_IN_TIMES = (*_ASCII_TIMES, "µs", "μs", "мс", "мкс", "秒", "초")
_ASCII_WORDS = ("byte", "bit", "speed", "veloc", "saniye", "sync")
_IN_WORDS = (
    *_ASCII_WORDS, "秒", "兆", "只", "速", "초", "giây", "octet", "bajt", "rychlost", "бит", "байт", "скорост", "швидк",
    "prędko", "hız",
)  # fmt: skip
"""Of these each hint, each time and each rate in words has one: to look for them first is six times as fast."""
_TIMED = Alternatives(rf"{words.LATENCY}|{words.ROUND_TRIP}|read|write")
_GOES_ON = re.compile(rf"\W*(?:\d{{1,2}}[.)] )?(?:{words.GOES_ON})", re.IGNORECASE)
_RESPECTIVE = re.compile(words.RESPECTIVE, re.IGNORECASE)
_CHANGED = Alternatives(words.CHANGED)
_ON_DRIVE = Alternatives(
    rf"{words.DRIVE}|(?<!\w)(?:{words.REMOTE})|{words.BANDWIDTH}|{words.TESTED}|\b(?:data|files?|dat(?:en|a|os|i)"
    rf"|fichiers?)\b"
)
_HAVE = re.compile(rf"(?<!\w)(?:{words.ONLY})(?!\w)|{words.TURN}", re.IGNORECASE)
_READ_ABOUT = Alternatives(
    r"\b(?:have|had|having|['’]ve|just|also|been) read(?:ing)?\b|\bread(?:ing)? (?:through|about|up|that|somewhere"
    r"|your|here"
    r"|online|many|several|some|posts?|threads?|articles?|docs|documentation)\b|\bgelesen\b|\b(?:j['’]ai|ai) lu\b"
    r"|\bhe leído\b"
    r"|\bho letto\b|\bprzeczyta|\bpřečet|прочита|\bokudum\b|看到|读到|読みました|読んだ|읽었"
)
""" "I have read the manual" is no direction."""
_RUN_TIME = re.compile(
    r"(?<![a-z])run(?:t|[ _-]?time) ?[=:] ?(?P<time>\d[\d.]*) ?(?P<unit>ms|s)(?:ec)?(?![a-z])"
    r"|[:：=]\s*(?P<seconds>\d[\d.]*) ?s(?:ec(?:onds?)?)?\s*(?:[-=]+>|→)\s*\d",
    re.IGNORECASE,
)
_TOPIC = re.compile(
    r"(?:as )?(?:for|with|regarding|concerning|beim?|für|pour|quant|concernant|para|en|per|con|dla|przy|u|pro|при|для"
    rf"|что касается) (?:[^\W\d]+ ){{0,3}}?(?:{words.READ}|{words.WRITE})"
    r"(?: (?:operations?|ops|tests?|runs?|workloads?|case|opérations?|operacion\w*|операци\w*|тест\w*))?[,:]",
    re.IGNORECASE,
)
""" "For the write operations, it is the other way round."."""
_SHEET = re.compile(
    r"\bmtbf\b|\bdwpd\b|\btbw\b|\bwarranty|\bendurance[^;]{0,40}\d|\d[^;]{0,40}\bendurance|\bdata ?sheet|耐久|质保"
    r"|\bIO(?:Read|Write)(?:Bandwidth|IOPS)Max\b|\b[rw](?:bps|iops)=\d|\b(?:m?bps|iops)_(?:rd|wr|max)\b"
    r"|\bblkio\.throttle|\bio\.max\b",
    re.IGNORECASE,
)
"""In a paragraph with one of these the maker of a drive speaks, or somebody who sets limits."""
_TURNS = re.compile(
    r"\W*(?:in (?:reality|practice)|in (?:der )?(?:realität|praxis)|tatsächlich|en (?:réalité|pratique|realidad)"
    r"|en la práctica|in realtà|na prática|w praktyce|ve skutečnosti|на практике|실제로|实际|實際|実際)",
    re.IGNORECASE,
)
_SHEET_SAYS = re.compile(rf"(?:{words.SHEET})(?:\W+\w+){{0,3}}?\W+(?:{words.SAYS})(?!\w)", re.IGNORECASE)
_OF_ONES_OWN = Alternatives(rf"{words.TESTED}|{words.TURN}|{words.OBSERVER}|(?<!\w)(?:{words.ONLY})(?!\w)")
_STORE = re.compile(words.STORE, re.IGNORECASE)
_STORE_RATE = re.compile(words.STORE_RATE, re.IGNORECASE)
_STREAM = re.compile(r"(?<![a-z])(?:kinesis|kafka|redpanda|pulsar|event ?hubs?|pub/sub)(?![a-z])", re.IGNORECASE)
_SHARD = re.compile(
    r"(?<![a-z])(?:shard|partition|topic)s?(?![a-z])|шард|партици|分片|分区|シャード|パーティション", re.IGNORECASE
)
"""Of a stream of messages: what one carries is a share of a service."""
_STORE_NEAR = 6
_TEST_NEAR = 8
_RESULT = re.compile(
    r"\b(?:results?|outcome) (?:was|were|is)\b|\bergebnis (?:war|ist|lag)\b|\brésultat (?:est|était|a été)\b"
    r"|\bresultado (?:es|fue|era|foi|é)\b|\brisultato (?:è|era|è stato)\b|\bwynik (?:to|wyni[óo]sł|był)\b"
    r"|\bvýsledek (?:byl|je)\b|результат\w* (?:составля?[лие]\w*|был|равен|получился)|结果[为為是约]|結果は|결과는",
    re.IGNORECASE,
)
"""What a sentence tells without a name."""
_LONGEST_TALE, _LONGEST_TEST = 8, 16
_ENDS_TEST = re.compile(r"\s*(?:#{1,6}\s|={2,}|[-_*]{3,}\s*$|[|+])")
_OBSERVED = Alternatives(rf"{_HAVE.pattern}|{words.OBSERVER}")
_ANY_TEST = re.compile(rf"test|{words.TESTED}", re.IGNORECASE)
_ROUGH = re.compile(
    r"[~≈]|\b(?:about|around|roughly|some|ca|circa|etwa|rund|environ|unos|cerca|około|около|asi)\b|约|約"
)
_SUMMED = re.compile(words.SUMMED, re.IGNORECASE)
_SHARE_NEAR = 4
_TESTED = Alternatives(words.TESTED)
_MEASURED = re.compile(
    rf"{words.TESTED}|\b(?:ran|used|using)\b|benutzt|verwendet|utilis|us[oó]\b|usat|użył|[跑测測]了", re.IGNORECASE
)
_INTERNET = re.compile(words.INTERNET, re.IGNORECASE)
_THROUGHPUT = Alternatives(words.BANDWIDTH)
_PROMPT = re.compile(r"\s*(?:\S{1,60}[#$%>]|[#$%>])\s")
_OWN_COMMAND = re.compile(
    r"\W*(?:(?:the|my|our|this|der|mein|unser|la|ma|el|mi|il) )?(?:(?:was|is|used|fio|exact|test) ){0,3}"
    r"(?:job ?files?|jobs?|commands?(?: line)?|befehl|aufruf|kommando|commande|comando|polecenie|příkaz|команда"
    r"|(?:执行|執行|测试|測試|运行|使用|実行)?(?:命令|指令|コマンド)|(?:실행 ?)?명령어?"
    r"|(?:steps|how) to reproduce|to reproduce|reproduction)"
    r"(?: (?:was|is|used|i used|war|utilisée|usado|usato|użyte))?\W*",
    re.IGNORECASE,
)
"""A line that names the command below it as that of what is told above; advice has a verb."""
_COMMAND_NEAR, _RESULTS_NEAR = 8, 6
_SEEN = Alternatives(
    rf"{words.TURN}|\b(?:veo|vedo|vejo|mam|widzę|mám|vidím|вижу)\b|(?:^"
    rf"|\W)(?:{words.OWNED})\W+(?:\S+ ){{0,3}}?(?:{words.DRIVE})"
)
"""Somebody tells of what he has."""
_HARDWARE = re.compile(
    r"\W*(?:(?:our|unsere|nos|nuestros|nossos|i nostri|nasze|наши|die|les|los|os) )?"
    r"(?:hardware|specs?|specifications?|nodes?|servers?|environment|test ?bed|ausstattung|umgebung|matériel|equipo"
    r"|оборудование|硬件\w*|环境|環境|構成|ハードウェア"
    r"|(?:(?:minimum|minimal|system|hardware|storage|disk|performance|recommended|expected|target|our|the) ){0,2}"
    r"(?:requirements?|targets?|goals?|sla|slo|limits?|quotas?|expectations?|recommendations?)"
    r"|(?:mindest)?anforderungen|voraussetzungen|zielwerte|exigences?|prérequis|objectifs?"
    r"|requisitos?(?: m[íi]nimos)?"
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
_ITEM = re.compile(rf"\W*(?:\S+\s+){{0,3}}?(?:\S+:|-+>|→|=>)\s*[~≈]?\d[\d.,]*\s?(?:{RATE})\W*$", re.IGNORECASE)
""" "5.10.60 --> ~280 MB/s" below the sentence that it is said of."""
_ITEM_OF_LATENCY = re.compile(
    rf"[\s*•+-]{{0,8}}(?:[^\W\d][^:：]{{0,40}}?)?(?:{words.LATENCY})[^:：]{{0,24}}[:：][\s*~≈]{{0,4}}\d", re.IGNORECASE
)
""" "- fsync latency: 1.2 ms"."""
_NUMBERS = re.compile(r"\d[\d.,]*|\s+")
_AMOUNT = re.compile(r"(?<![\w.,])(?P<number>\d[\d.,]{0,9}) ?(?P<unit>[kmg]i?b|k?iops)", re.IGNORECASE)
_KEY = re.compile(r"[\W\d]*[a-z]+(?:[-_][a-z]+)+ ?[:=]", re.IGNORECASE)
_NO_DRIVE = N_("asked for, sold, or of memory: no measurement of a drive")
_LEFT_OUT = N_("called an outlier, left out of the figures, or a share of another number")
_FOLLOWS = 3
_RIGHT_BELOW, _FARTHEST_TEST, _MOST_CONVERTED = 2, 8, 8
_ROUNDED = 0.01
_OTHER_TOOL = re.compile(
    r"(?<![a-z])(?:fio|dd|iozone|bonnie|hdparm|iometer|atto|diskspd|ddrescue)(?![a-z])", re.IGNORECASE
)
_SMALL_BLOCKS = ((None, "read", 4096), (None, "write", 4096))
"""CrystalDiskMark and AS SSD test them at random alone, and do not say so."""
_LONGEST_S = 10.0
""" "Random read 4K, 30 s": how long a test took, where it has no rate."""
_MOST_HINTS = 10_000
"""Nobody writes so many lines by hand: what is behind them is listed as not read."""
_PICTURE, _IN_ITALICS = re.compile(r"\s{0,8}!\["), re.compile(r"([*_])[^*_\s].*[^*_\s]\1")
_PICTURE_NEAR = 3
"""Runs that a picture may show again."""
_MOST_SPOKEN = 100
"""Sentences that a short line may say again."""
_OF_ALL = re.compile(rf"{words.OF_ALL}|\W*(?:{foretold.MEASURED}) (?!.*[:：]\s*$)", re.IGNORECASE)
_TELLS_HOW = re.compile(
    r"\W*(?:same (?:settings?|parameters?|options?|conditions?)\b|(?:that|this|these|those) (?:was|were|is|are)\b"
    r"|das war(?:en)?\b|c['’]était\b|(?:the |die |mit )?"
    r"(?:fio[ -]?)?"
    r"(?:tests?[ -]?|benchmark[ -]?)?(?:settings?|parameters?|options?|conditions?|einstellungen|parameter|paramètres"
    r"|parámetros|parametri|parametry|параметры|настройки|参数|參數|条件|設定)(?![a-z]))",
    re.IGNORECASE,
)
""" "That was fio with 128k blocks.", "Settings for both were 4k, QD4.": behind what was measured so."""
_BETWEEN_CELLS = re.compile(r"[|\t]")
_HEADS_TESTS = re.compile(
    rf"(?=.{{0,80}}(?:bench|tests?\b|results?|ergebnis|résultat|resultad|risultat|wynik|тест|результат|测试|測試|结果|結果))"
    rf"#{{1,6}}\s+(?:[^\W\d]\w*[ -]){{0,3}}?(?:{words.READ}|{words.WRITE})(?:[ -]?[^\W\d]\w*){{0,3}}[\s:：#]*$",
    re.IGNORECASE,
)
""" "#### Read benchmarks": it speaks for whole sentences, too."""
_GAPS = re.compile(r"\s*\|\s*|\t+|\s{2,}")
_HEADS_TIMES = re.compile(
    r"(?<![a-z])(?:avg|mean|median|average|p\d\d)\w{0,4}(?: lat\w*)?[\s_]{0,2}[(\[](?:ms|[uµμ]s)(?:ec)?[)\]]",
    re.IGNORECASE,
)
_BARE_NUMBER = re.compile(r"[~≈*]{0,3}\d[\d.,]{0,12}\*{0,2}")
_ONE_REQUEST = re.compile(r"(?:<<<|>>>) .{1,200}: (?:request=\d{1,9} )?time=\d")
"""A line of ioping: one of those whose mean it prints."""
_NAMES_A_NUMBER = re.compile(r".{1,60}?(?:[:：=→]|->|=>)[\s*~≈]{0,4}\d[\d.,]{0,12} ?[kM]?[\s*]{0,3}")
""" "WD Red = 129" in a list below its unit."""
_NAME_IN_FRONT = re.compile(r"^[\s*•·_`-]{1,8}|[\s*_`]{1,8}$")


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

    paragraph: int = -1
    """In which it begins."""

    told: tuple[Told, ...] = ()
    runtime: float | None = None
    of_mib: bool = False
    """A tool is named with its figures whose MB are MiB."""

    def takes(self, said: Said, at: int) -> bool:
        """Whether a value of a line may be one more of it; what is more than "at most" beside it is of another run."""
        values = {**self.values, said.name: said.value}
        spread = ((said.value.kind, statistic) for statistic in ("min", "mean", "max"))
        ordered = [values[name].value for name in spread if name in values]
        return said.name not in self.values and (self.last < at or ordered == sorted(ordered))

    def repeats(self, earlier: _Run) -> bool:
        """Whether a short line says again what a sentence said before."""
        ours, theirs = self.load.over(self.above), earlier.load.over(earlier.above)
        is_same = all(one in (None, other) for one, other in zip(ours[:5], theirs[:5], strict=True))
        return is_same and self.values.items() <= earlier.values.items()

    def rounds_to(self, earlier: _Run) -> bool:
        """Whether each of its values is the other's, which may be rounded: "about 30 MB/s" of 28."""
        ours, theirs = self.load.over(self.above), earlier.load.over(earlier.above)
        return ours.way == theirs.way and all(
            name in earlier.values and _is_rounded(value.value, earlier.values[name].value)
            for name, value in self.values.items()
        )

    def shares_in(self, total: _Run) -> bool:
        """Whether it says what each of several did of what a total says."""
        is_same = not self.label and (self.load, self.above) == (total.load, total.above)
        return is_same and all(
            name in total.values and value.value < total.values[name].value for name, value in self.values.items()
        )


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
    return required(
        with_proven_units([_draft_of(run) for run in _runs(text)]),
        "nothing measured is said in this text",
        "A line names the load and a number with its unit.",
    )


def _draft_of(run: _Run) -> Draft:
    source = Source(reader=NAME, first_line=run.first + 1, last_line=run.last + 1)
    draft = built(run.load, run.above, run.values, source, run.label, said=True, told=run.told)
    draft = in_mib(draft) if run.of_mib else draft
    return replace(draft, result=replace(draft.result, runtime_s=run.runtime))


def _run_time(line: str) -> float | None:
    """In seconds, as fio 2 prints it behind the rates: "runt=8850msec"; "upload: 8.2 s -> 124 MiB/s"."""
    match = _RUN_TIME.search(line)
    time = number(match["time"] or match["seconds"]) if match else None
    return None if match is None or time is None else time * (1e-3 if (match["unit"] or "").lower() == "ms" else 1.0)


def left_over(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Each line with IOPS or a bandwidth that somebody may have measured, counted from 0, and why it was not read."""
    if not any(map(_heads_rates, lines)):
        return
    silent, columns = silent_lines(lines), set(_columns_below(lines))
    for at, line in enumerate(lines):
        parts = SENTENCE.split(line) if LONGEST_LINE < len(line) <= _LONGEST_PARAGRAPH else [line]
        if why := next(filter(None, map(_why_left, parts)), "") or (NO_UNIT if at in columns else ""):
            yield at, _NO_DRIVE if at in silent else why


def why_more(line: str, given: int) -> str:
    """Why a line that gave so many rates has more of them; empty where it has not."""
    if len(_HINT.findall(line)) <= given or not (why := _why_left(line)):
        return ""
    if why == _LEFT_OUT:
        return why
    phrase = phrase_of(without_supposed(without_echoes(line)))
    values = (value for value in valued(phrase) if value.statistic not in ("min", "max", "stddev"))
    rates = {f"{value.value:.2g}" for value in values if value.kind in (IOPS, BANDWIDTH)}  # also in another unit
    ranges = sum(map(is_range_of_rates, phrase.tokens))
    return "" if len(rates) + ranges <= given else A_RANGE if ranges else why


def _heads_rates(line: str) -> bool:
    return _hints(line) or _HEADS_TIMES.search(line) is not None


def _is_row(line: str) -> bool:
    cells = [cell for cell in _GAPS.split(line.strip()) if cell] if len(line) <= LONGEST_LINE else []
    return ends_in_numbers(line) or (len(cells) > 1 and is_number(cells[-1]))


def _columns_below(lines: Sequence[str]) -> Iterator[int]:
    """Lines that end in numbers, below one that names a rate, or the mean of times, and holds no number of it: a table
    that no reader could part into cells."""
    at = 0
    while at < len(lines):
        line, at = lines[at], at + 1
        if not any(below[-1:].isdecimal() for below in lines[at : at + _FOLLOWS]) or len(line) > LONGEST_HEADING:
            continue
        if not _heads_rates(line) or phrase_of(line).names_values:
            continue
        first = next((row for row in range(at, min(len(lines), at + _FOLLOWS)) if _is_row(lines[row])), at)
        end = next((row for row in range(first, len(lines)) if not _is_row(lines[row])), len(lines))
        if end - first > 1:
            yield from range(first, end)
            at = end


@lru_cache(maxsize=4096)
def _why_left(line: str) -> str:
    """What keeps the rate of a line from being read; empty where it holds none."""
    if len(line) > LONGEST_PHRASE or not _hints(line) or (COMMAND.match(line) and not GIVES.search(line)):
        return ""
    told = without_supposed(line)
    if without_left_out(told) != told:
        return _LEFT_OUT
    phrase = phrase_of(told)
    values = valued(phrase)
    if any(value.kind in (IOPS, BANDWIDTH) for value in values) or any(map(is_measured_rate, phrase.values(False))):
        return NO_UNIT
    labelled = counts_in_unit_of_label(line)
    if labelled and _BARE_NUMBER.search(labelled["told"]) and not is_supposed(line):
        return NO_UNIT
    if _ITEM_OF_LATENCY.match(line) and not is_supposed(line) and _tells_a_short_time(line):
        return NO_UNIT
    return A_RANGE if any(map(is_range_of_rates, phrase.tokens)) else ""


def _tells_a_short_time(line: str) -> bool:
    return any(value.kind == LATENCY and value.factor < 1.0 for value in phrase_of(line).values(False))


@lru_cache(maxsize=1)
def _runs(text: str) -> tuple[_Run, ...]:
    """The runs of a text in one pass, in the order of their first lines."""
    printed = text.split("\n")
    printed = _with_rates_of_networks(printed)
    page = _spelled(read_lines(printed) if any(map(_hints, printed)) else [], printed)
    near = list(_near_hints([line.text for line in page]))
    return _Reading(page, near).runs() if near else ()


class _Reading:
    """One pass over a text. near: its lines near those that may tell a result; nobody looks at the others."""

    def __init__(self, page: Sequence[Line], near: Sequence[int]) -> None:
        self.page, self.lines, self.near = page, [line.text for line in page], near
        self.in_force = PageConditions(page)
        self.commas = decimal_commas("\n".join(self.lines[at] for at in near))
        self.passed_over = _passed_over(page, near)
        self.tops = list(_tops_of_lists(page))
        self.below_network = {*_below_network(self.lines, near), *_of_line_tests(self.lines, near)}
        self.found: list[_Run] = []
        self.open_runs: dict[tuple[object, ...], _Run] = {}
        self.last, self.last_kind, self.paragraph, self.spoken = Load(), "", -1, -1
        """What was spoken of last, whether that were IOPS, in which paragraph and line."""
        self.told_of: dict[tuple[int, str | None, str], Load] = {}

    def runs(self) -> tuple[_Run, ...]:
        for at in self.near:
            heading = self.in_force.at(at)
            label, found = self._heard(at, heading)
            if {"read", "write"} <= {said.load.way for said in found}:
                heading = heading._replace(load=heading.load._replace(way=None))  # "values read off the bars"
            found = tuple(
                _without_converted(_without_paired(found, self.found, self.page[at]), self.found, self.page, at)
            )
            self._file(_ordered(found), label, at, heading)
        return self._completed()

    def _heard(self, at: int, heading: InForce) -> tuple[str, Sequence[Said]]:
        """(label, values) of a line, with what was spoken of before it."""
        page, lines, line, paragraph = self.page, self.lines, self.lines[at], self.page[at].paragraph
        pinged = _mean_of_ping(page, at, self.tops[at])
        told = at not in self.passed_over and (pinged or _hints(line) or heading.quantity or self.open_runs)
        if not told or CIPHER.search(line):
            return "", ()
        is_iops = self.last_kind == IOPS and paragraph == self.paragraph
        before = _before(page, at, self.last, is_iops=is_iops, spoken=self.spoken)
        of_network = (
            at in self.below_network
            or (paragraph == self.paragraph and self.last.way == RECEIVED)
            or _is_led_by_network(page, at, self.tops[at])
            or _goes_on_with_network(page, at)
        )
        led = heading.command and 0 < at - heading.line <= _RIGHT_BELOW
        led = led or _is_below_tests(lines, at, heading.load.way)
        defined = self.in_force.definitions.in_sentence(line, at, heading.load)
        before = defined if defined != Load() else before
        text = pinged or _with_ways_above(page, at)
        quantity = None if heading.line >= 0 and is_supposed(lines[heading.line]) else heading.quantity
        label, found = said_in(text, self.commas, quantity, before, led, of_network)
        if any(said.load.way is None and said.load.random is not None for said in found) and self._is_of_rados(at):
            found = tuple(replace(said, load=with_rados_read(said.load)) for said in found)
        if defined != Load():
            found = tuple(replace(said, load=with_definition(said.load, defined)) for said in found)
        if found:
            ways, kinds = {said.load.way for said in found}, {said.value.kind for said in found}
            self.last = found[-1].load if len(ways) == 1 else found[-1].load._replace(way=None)
            self.last_kind, self.paragraph, self.spoken = IOPS if IOPS in kinds else "", paragraph, at
        if any(said.load.way in (RECEIVED, SENT) and said.load.jobs is None for said in found):
            found = tuple(_with_streams(found, _streams_above(lines, at)))
        if not page[at].whole:
            found = tuple(_as_told(said, self.told_of, paragraph) for said in found)
        return label, found

    def _is_of_rados(self, at: int) -> bool:
        """Whether rados bench is named near, whose "seq" and "rand" are reads."""
        return any("rados bench" in line.lower() for line in self.lines[max(0, at - LOOKS_BACK) : at + 1])

    def _file(self, found: Iterable[Said], label: str, at: int, heading: InForce) -> None:
        """Each value with the run that it belongs to; a heading of others closes those that are open."""
        line, found, runs = self.lines[at], tuple(found), self.found
        if not found and _OF_ALL.match(line):
            _say_of_all(heading_of(line).load, (run for run in runs if at - run.last <= LOOKS_BACK))
        elif not found and _TELLS_HOW.match(line) and not is_supposed(line):
            of_all, paragraph = HAVE_ALL.search(line) is not None, self.page[at].paragraph
            near = (run for run in runs if at - run.last <= LOOKS_BACK)
            _say_of_all(heading_of(line).load, (run for run in near if of_all or run.paragraph == paragraph))
        if not found and COMMAND.match(line):
            self.open_runs = {}
        elif not found and len(line) <= LONGEST_HEADING:
            begins = heading.line == at or line.rstrip().endswith((":", "?", "：", "？"))
            begins = begins or heads_items(line, *self.lines[at + 1 : at + 2])
            self.open_runs = {} if begins else self.open_runs
        for said in found:
            spoken_to = max(
                heading.line, runs[-1].last if runs and runs[-1].above in (heading.load, heading.of_both) else -1
            )
            if said.load.way is None and not self.open_runs and at - spoken_to > LOOKS_BACK:
                continue  # a direction does not reach so far in prose
            if (run := _run_of(said, label, at, self.page[at], heading, self.open_runs)) is not None:
                runs += [run] if not run.values else []
                run.values[said.name] = said.value
                run.last, run.runtime = at, _run_time(line) or run.runtime
                if said.name == (BANDWIDTH, "mean"):
                    rate, head = said.value.value / said.value.factor, self.lines[max(0, self.tops[at] - 1)]
                    heads = head.rstrip("* ").endswith((":", "："))
                    run.of_mib = names_tool_of_mib(line, rate) or (heads and names_hdparm_alone([head]))

    def _completed(self) -> tuple[_Run, ...]:
        """Without those that say another one again, with what the page tells below them."""
        runs = list(
            _without_shares(
                _without_repeats(_without_captions(_with_times(_with_times_of_both(self.found)), self.page))
            )
        )
        _ask_below(runs, self.lines, self.in_force.job_files)
        is_of_disk_mark = self.in_force.names_disk_mark and not any(map(_OTHER_TOOL.search, self.lines))
        for run in runs:
            if is_of_disk_mark and run.load.over(run.above)[:3] in _SMALL_BLOCKS:
                run.load = run.load._replace(random=True)
            if any(statistic == "max" for _, statistic in run.values):
                run.values = dict(with_peaks(run.load, run.values, is_tested=_is_tested(run, self.lines)))
            run.first, run.last = self.page[run.first].first, self.page[run.last].last
        return tuple(run for run in runs if _counts(run))


def _is_below_tests(lines: Sequence[str], at: int, way: str | None) -> bool:
    """Whether the nearest heading says no more than that it is of tests of this direction."""
    heads = (line for line in reversed(lines[max(0, at - LOOKS_BACK) : at]) if line.startswith("#"))
    head = next(heads, "") if way else ""
    return _HEADS_TESTS.match(head) is not None and heading_of(head).load.way == way


def _streams_above(lines: Sequence[str], at: int) -> int | None:
    """How many streams the command right above a list of its results asks for."""
    for line in reversed(lines[max(0, at - _RESULTS_NEAR) : at]):
        if line == TAKEN or line.startswith("#") or len(line) > LONGEST_HEADING:
            return None
        if (streams := streams_asked([line])) is not None:
            return streams
    return None


def _with_streams(found: Iterable[Said], streams: int | None) -> Iterator[Said]:
    for said in found:
        is_rate = said.load.way in (RECEIVED, SENT) and said.load.jobs is None
        yield replace(said, load=said.load._replace(jobs=streams)) if is_rate else said


def _spelled(page: list[Line], printed: Sequence[str]) -> list[Line]:
    """With directions in words, "RW", "upload", and units that a line shares with one like it."""
    page = [
        line._replace(text=with_times_of_blocks(without_echoes(without_leaders(_QUOTED_SIGN.sub(r"\1", line.text)))))
        for line in with_units(page)
    ]
    if any("rados bench" in line.lower() for line in printed):
        page = [line._replace(text=_RADOS_OPTION.sub(_as_condition, line.text)) for line in page]
        page = [_with_rados_reads(line) if _RADOS_TEST.search(line.text) else line for line in page]
    page = [line._replace(text=with_blocks_of_dd(line.text)) if "dd " in line.text else line for line in page]
    if names_short_ways(line.text for line in page):
        page = [line._replace(text=with_spelled_ways(line.text)) for line in page]
    page = [line._replace(text=told_each(line.text)) for line in page]
    return with_ways(page) if page and are_of_store(printed) else page


def _with_rates_of_networks(lines: Sequence[str]) -> list[str]:
    """ "938Mbit" beside or right below the name of iperf is what it carried in a second."""
    named = [at for at, line in enumerate(lines) if TOOL_OF_NETWORKS.search(line)]
    near = {below for at in named for below in range(at, min(at + _FOLLOWS, len(lines)))}
    return [BITS_ALONE.sub(r"\g<bits>/s", line) if at in near else line for at, line in enumerate(lines)]


_QUOTED_SIGN = re.compile("`([<>≤≥]=?)`")
""" "Ping `<` 0.5 ms": a bound, whatever its markup."""
_RADOS_OPTION = re.compile(r"(?<!\S)-(?P<option>[bt])[ =]?(?P<number>\d{1,8})(?![\w.])")
_RADOS_READ = re.compile(r"(?<![\w-])(?:seq|rand)(?![\w-])", re.IGNORECASE)
_RADOS_TEST = re.compile(r"(?<![\w-])(?P<way>write|seq|rand)(?![\w-])", re.IGNORECASE)
_OTHER_WAY = re.compile(r"(?<![\w-])(?:reads?|writes|(?:seq|rand) write)(?![\w-])", re.IGNORECASE)


def _as_condition(option: re.Match[str]) -> str:
    """What rados bench calls -b is a block, and -t a depth."""
    return f"bs={option['number']}" if option["option"] == "b" else f"QD{option['number']}"


def _with_rados_reads(line: Line) -> Line:
    """ "write 1180 MB/s; seq 2210 MB/s; rand 2340 MB/s": what rados bench calls its reads is seqread and randread."""
    ways = {match["way"].lower() for match in _RADOS_TEST.finditer(line.text)}
    names_all = "write" in ways and len(ways) > 1 and not _OTHER_WAY.search(line.text)
    return line._replace(text=_RADOS_READ.sub(r"\g<0>read", line.text)) if names_all else line


def _is_tested(run: _Run, lines: Sequence[str]) -> bool:
    """A test is named above it, or somebody tells what he saw."""
    own = lines[run.first : run.last + 1]
    above = lines[max(0, run.first - _TEST_NEAR) : run.first]
    return any(map(_TESTED.search, (*above, *own))) or any(map(_SEEN.search, own))


def _before(page: Sequence[Line], at: int, last: Load, *, is_iops: bool, spoken: int) -> Load:
    """What the text spoke of before a line, as far as the line goes on with it; spoken: where it did so last."""
    line = page[at]
    goes_on = is_iops and not line.whole
    if not goes_on and spoken == at - 1 and last.way in ("read", "write") and not heading_of(line.text).ways:
        goes_on = _continues(page, at)
    lines = [each.text for each in page[max(0, at - 1) : at + 1]]
    return last if as_before(line.text) or _goes_on(lines, len(lines) - 1, goes_on) else _topic_of(page, at)


def _goes_on(lines: Sequence[str], at: int, is_told: bool) -> bool:
    """Whether a line without a direction has the one before it: is_told, or the lines look alike."""
    if heading_of(lines[at]).ways:
        return False
    return is_told or (at > 0 and _shape_of(lines[at - 1]).endswith(_shape_of(lines[at])))


def _continues(page: Sequence[Line], at: int) -> bool:
    """ "Writes were at 110 MB/s. After the update it is 25 MB/s.": a sentence that goes on with the one above."""
    above, line = page[at - 1], page[at]
    is_next = above.paragraph == line.paragraph or (above.last + 1 == line.first and not BULLET.match(line.text))
    begins = _GOES_ON.match(line.text) or _CHANGED.search(line.text) or above.text.split()[:1] == line.text.split()[:1]
    return bool(is_next and begins) and not speaks_of_others(line.text)


def _tops_of_lists(page: Sequence[Line]) -> Iterator[int]:
    """For each line the first item of its list, which is itself where it is none: what leads a list leads all its
    items."""
    top, was_item = 0, False
    for at, line in enumerate(page):
        is_item = BULLET.match(line.text) is not None
        top = top if is_item and was_item else at
        was_item = is_item
        yield top


def _is_led_by_network(page: Sequence[Line], at: int, top: int) -> bool:
    """Whether the sentence above this line, or above the top of its list, names a tool of networks; that of another
    paragraph tells that somebody measured with it, and no number."""
    above = next((line for line in reversed(page[max(0, top - _RIGHT_BELOW) : top]) if line.text.strip()), None)
    if above is None or not shown_in([above.text]):
        return False
    is_list = bool(BULLET.match(page[at].text)) and above.text.rstrip().endswith((":", "："))
    if above.paragraph == page[at].paragraph or is_list:
        return True
    if _INTERNET.search(page[at].text):
        return False
    beside = (line.text for line in page[max(0, at - _FARTHEST_TEST) : at] if line.paragraph == above.paragraph)
    return any(map(_MEASURED.search, beside)) and not any(map(is_measured_rate, phrase_of(above.text).values(False)))


_WITH_ANOTHER = re.compile(
    r"\W*(?:(?:and|but|und|aber|et|y|e|и) )?(?:with(?:out)?|via|through|over|inside|mit|ohne|über|durch|avec|sans|par"
    r"|con|sin|por|senza|com|sem|przez|bez|через|без) ",
    re.IGNORECASE,
)
""" "with the tunnel 410 Mbps" right below "iperf on the direct line got 870 Mbps"."""


def _goes_on_with_network(page: Sequence[Line], at: int) -> bool:
    """Whether a sentence above this one in its paragraph names a tool of networks, and none a drive or its tests."""
    if at and _WITH_ANOTHER.match(page[at].text) and TOOL_OF_NETWORKS.search(page[at - 1].text):
        return not names_storage([page[at - 1].text, page[at].text])
    near = [line.text for line in page[max(0, at - _FARTHEST_TEST) : at + 1] if line.paragraph == page[at].paragraph]
    return any(map(TOOL_OF_NETWORKS.search, near[:-1])) and not names_storage(near)


def _mean_of_ping(page: Sequence[Line], at: int, top: int) -> str:
    """ "- Avg: 2.7 ms", "- pve1 → pve2 416 us" below "Ping latency:", with the name of what was measured; "" of every
    other line."""
    above = next((line.text for line in reversed(page[max(0, top - _RIGHT_BELOW) : top]) if line.text.strip()), "")
    heads = _HEADS_PINGS.match(above) or (above.rstrip("* ").endswith((":", "：")) and _NAMES_PINGS.search(above))
    if not heads or heading_of(above).names_values:
        return ""
    if mean := _MEAN_ITEM.fullmatch(page[at].text):
        return f"- ping {mean['rest'].replace('*', '')}"
    item = _TIME_ITEM.fullmatch(page[at].text)
    is_one = item is not None and not (_NO_MEAN.search(item["name"]) or heading_of(item["name"]).ways)
    return f"- ping {item['time']}" if item and is_one else ""


def _with_ways_above(page: Sequence[Line], at: int) -> str:
    """ "Best in reading and writing. We saw 1688 and 1741 MB/s respectively.": with the directions in front."""
    line = page[at]
    if not at or not _RESPECTIVE.search(line.text) or page[at - 1].paragraph != line.paragraph:
        return line.text
    above = heading_of(page[at - 1].text)
    is_told = len(above.ways) == 2 and not above.names_values and not heading_of(line.text).ways
    return f"{' / '.join(above.ways)}: {line.text}" if is_told else line.text


def _shape_of(line: str) -> str:
    """ "6.1.19 --> ~140 MB/s" looks like "5.10.60 --> ~280 MB/s", and is of the same test."""
    return _NUMBERS.sub("0", line)


def _topic_of(page: Sequence[Line], at: int) -> Load:
    """The test that the sentence above names without a number: "Random writes fell at first. It came to 9k IOPS."."""
    above, line = page[max(0, at - 1)], page[at]
    phrase = heading_of(above.text)
    is_near = above.paragraph == line.paragraph and not (phrase.names_values or phrase.ways)
    is_right_below = above.last + 1 == line.first and is_synced(above.text) and not (phrase.names_values or phrase.ways)
    if (is_near or is_right_below) and (way := way_of_topic(above.text)):
        return Load(way=way)
    if above.last + 1 == line.first and len(phrase.ways) == 1 and not phrase.names_values and _ITEM.match(line.text):
        return Load(phrase.load.random, phrase.load.way)
    if _tells_what_was_done(above, line):
        return phrase.load
    if (of_paragraph := _test_of_paragraph(page, at)) != Load():
        return of_paragraph
    if (of_test := _only_test_above(page, at)) != Load():
        return of_test
    if line.whole or above.paragraph != line.paragraph or phrase.names_values or len(phrase.ways) != 1:
        return Load()
    is_topic = _TOPIC.match(above.text) is not None and _TESTED.search(line.text) is not None
    is_told = phrase.load.random is not None or is_topic
    return Load(phrase.load.random, phrase.load.way) if is_told else Load()


def _test_of_paragraph(page: Sequence[Line], at: int) -> Load:
    """ "Reading was tested with 8 threads on one image. ... The result was about 412,000 IOPS.": of which test a
    sentence tells the result, where its paragraph begins with a test of one direction and speaks of no other."""
    line = page[at]
    if line.whole or not _RESULT.search(line.text):
        return Load()
    above = takewhile(lambda each: each.paragraph == line.paragraph, reversed(page[max(0, at - _LONGEST_TALE) : at]))
    phrases = [heading_of(each.text) for each in above]
    first = phrases[-1] if phrases else None
    if first is None or len(first.ways) != 1 or not _TESTED.search(first.text):
        return Load()
    is_one = {way for phrase in phrases for way in phrase.ways} == set(first.ways)
    return first.load if is_one and not any(phrase.names_values for phrase in phrases) else Load()


def _only_test_above(page: Sequence[Line], at: int) -> Load:
    """ "The test was a sequential read in blocks of 1 MB. ... With two drives I got 905 MB/s.": what a sentence above
    says of the one test of a text, where somebody tells what he got and nothing between names another direction."""
    line = page[at].text
    if heading_of(line).ways or not _OBSERVED.search(line) or speaks_of_others(line):
        return Load()
    window = reversed(page[max(0, at - _LONGEST_TEST) : at])
    above = [each.text for each in takewhile(lambda each: not _ends_test(each.text), window)]
    ways = {way for text in above for way in heading_of(text).ways}
    tests = [load for text in above if (load := _test_told(heading_of(text), text)) != Load()]
    return tests[0] if len(tests) == 1 == len(ways) else Load()


def _ends_test(text: str) -> bool:
    """A heading, a rule, a row, or another one who speaks: what stands above is of another part."""
    return text == TAKEN or _ENDS_TEST.match(text) is not None or is_speaker(text)


def _test_told(phrase: Phrase, text: str) -> Load:
    """The load of a sentence that tells a test of one direction, with its order and a size, and no number of it."""
    is_told = len(phrase.ways) == 1 and phrase.load.random is not None and phrase.load.sizes != Load()
    is_test = is_told and not phrase.names_values and _ANY_TEST.search(text) is not None
    return phrase.load if is_test and not is_supposed(text) and command_load(text) is None else Load()


def _tells_what_was_done(above: Line, line: Line) -> bool:
    """ "I am writing to an SD card." above "With the default clock I only get 190 KB/s."."""
    phrase = heading_of(above.text)
    if len(phrase.ways) != 1 or phrase.names_values or speaks_of_others(line.text):
        return False
    is_next = above.paragraph == line.paragraph or above.last + 1 == line.first
    is_done = _ON_DRIVE.search(above.text) and not _READ_ABOUT.search(above.text)
    return bool(is_next and is_done and _HAVE.search(line.text))


def _with_times(runs: Iterable[_Run]) -> Iterator[_Run]:
    """ "Average latency: 5.3 ms" below "**Latency**", without a name: of the run with a rate that is told above it."""
    rated: _Run | None = None
    for run in runs:
        is_of_times = run.captioned and not run.label and {kind for kind, _ in run.values} == {LATENCY}
        is_same = rated is not None and rated.load.over(rated.above) == run.load.over(run.above)
        if rated and is_same and is_of_times and not run.values.keys() & rated.values.keys():
            rated.values.update(run.values)
            continue
        if any(kind != LATENCY for kind, _ in run.values):
            rated = run
        yield run


def _with_times_of_both(runs: Sequence[_Run]) -> Iterator[_Run]:
    """ "randrw: read 2.1k / write 0.9k IOPS (p99 8 ms)": the one time of a mixed run is that of both its halves."""
    ways = [run.load.over(run.above).way for run in runs]
    halves: dict[int, list[tuple[str | None, _Run]]] = defaultdict(list)
    for way, run in zip(ways, runs, strict=True):
        halves[run.first] += [(way, run)] if way in ("read", "write") else []
    for way, run in zip(ways, runs, strict=True):
        of_line = halves[run.first] if way == "mix" and {kind for kind, _ in run.values} == {LATENCY} else []
        is_of_both = sorted(str(way) for way, _ in of_line) == ["read", "write"]
        if is_of_both and all(run.values.keys().isdisjoint(half.values) for _, half in of_line):
            for _, half in of_line:
                half.values.update(run.values)
            continue
        yield run


def _without_captions(runs: Iterable[_Run], page: Sequence[Line]) -> Iterator[_Run]:
    """Without what a picture's words, or a line in italics below it, say again of a run that is told right above."""
    told: deque[_Run] = deque(maxlen=_PICTURE_NEAR)
    for run in runs:
        is_again = _is_of_picture(page, run.first) and any(run.rounds_to(other) for other in told)
        told.append(run)
        if not is_again:
            yield run


def _is_of_picture(page: Sequence[Line], at: int) -> bool:
    """ "![Write test: ~28 MB/s](a.png)", or "*Write test: ~28 MB/s.*" below it."""
    if _PICTURE.match(page[at].text):
        return True
    above = next((line.text for line in reversed(page[max(0, at - _RIGHT_BELOW) : at]) if line.text.strip()), "")
    return _IN_ITALICS.fullmatch(page[at].text.strip()) is not None and _PICTURE.match(above) is not None


def _without_repeats(runs: Iterable[_Run]) -> Iterator[_Run]:
    spoken: deque[_Run] = deque(maxlen=_MOST_SPOKEN)
    for run in runs:
        if run.label or run.spoken or not any(map(run.repeats, spoken)):
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


def _without_paired(found: Sequence[Said], runs: Sequence[_Run], line: Line) -> Sequence[Said]:
    """ "... from 1050 to 14200 IOPS. Its latency went from 0.95 to 0.07 ms.": as many times go to the runs before."""
    newest = runs[-len(found) :] if len(found) > 1 and not line.whole else ()
    times = {said.value.kind for said in found} == {LATENCY} and heading_of(line.text).load == Load()
    if not times or len(newest) != len(found) or any((LATENCY, "mean") in run.values for run in newest):
        return found
    if len({(run.first, run.load) for run in newest}) > 1:
        return found
    for run, said in zip(newest, found, strict=True):
        run.values[said.name] = said.value
    return ()


def _without_converted(found: Sequence[Said], runs: Sequence[_Run], page: Sequence[Line], at: int) -> Sequence[Said]:
    """ "Random 4k: 812 MB/s read, 655 MB/s write. In IOPS these are 198,200 and 159,900.": each that with its blocks is
    the rate of a run of this paragraph goes there."""
    if page[at].whole or {said.value.kind for said in found} != {IOPS}:
        return found
    pairs = [(said, _converted(said, runs, page, page[at].paragraph)) for said in found]
    if not all(run for _, run in pairs):
        return found
    for said, run in pairs:
        if run is not None:
            run.values[said.name] = said.value
    return ()


def _converted(said: Said, runs: Sequence[_Run], page: Sequence[Line], paragraph: int) -> _Run | None:
    """The newest run of this paragraph whose rate these IOPS are."""
    for run in reversed(runs[-_MOST_CONVERTED:]):
        load = run.load.over(run.above)
        is_same = (
            page[run.first].paragraph == paragraph and said.load.over(load) == load and said.name not in run.values
        )
        rate = run.values.get((BANDWIDTH, "mean"))
        if is_same and rate and load.block_bytes and _is_the_same(said.value.value * load.block_bytes / rate.value):
            return run
    return None


def _is_rounded(value: float, other: float) -> bool:
    """Whether the other has the first digits of this one."""
    digits = len(digits_of(other)) or 1
    return f"{value:.{digits}g}" == f"{other:.{digits}g}"


def _is_the_same(share: float) -> bool:
    """As large, in bytes of 1000 or of 1024."""
    return any(abs(share / mega - 1) < _ROUNDED for mega in (1.0, MIB / 1e6))


def _ordered(found: Sequence[Said]) -> Iterator[Said]:
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


def _ask_below(
    runs: Sequence[_Run], lines: Sequence[str], job_files: Mapping[int, tuple[Load, tuple[Told, ...]]]
) -> None:
    """Puts to runs what the commands right below them ask for: "1.1 Writing: 158 MB/s" above each of several commands,
    or one that is named as that of the runs: "The job:"."""
    runs = [run for run in runs if run.load.way not in (RECEIVED, SENT, ROUND_TRIP)]
    if not runs:
        return
    asked = dict(_commands_of(lines, {run.first for run in runs})) | {at: load for at, (load, _) in job_files.items()}
    groups = _groups_above(runs, sorted(asked), lines)
    pairs = [(run, at) for at, group in groups.items() for run in group]
    if len(groups) == 1:
        at = next(iter(groups))
        is_told = _names_own_command(lines, at) or all(at - run.last == 1 for run, _ in pairs)
    else:
        is_told = all(groups.values()) and all(at - run.last <= _FOLLOWS for run, at in pairs)
    if is_told and all(_is_asked_by(run, asked[at], job_files.get(at, (Load(), ()))[1]) for run, at in pairs):
        for run, at in pairs:
            run.above = run.above.over(asked[at].sizes)


def _commands_of(lines: Sequence[str], told: set[int]) -> Iterator[tuple[int, Load]]:
    for at, line in enumerate(lines):
        is_near = "=" in line and at not in told and len(line) <= LONGEST_LINE and TAKEN not in lines[at + 1 : at + 3]
        is_command = is_near and (COMMAND.match(_without_name(line)) or _PROMPT.match(line))
        if is_command and (load := command_load(line)) is not None:
            yield at, load


def _without_name(line: str) -> str:
    """ "Command: dd if=/dev/zero ..."."""
    name, colon, command = line.replace("：", ":").partition(":")
    return command if colon and _OWN_COMMAND.fullmatch(name) else line


def _groups_above(runs: Sequence[_Run], commands: Sequence[int], lines: Sequence[str]) -> dict[int, list[_Run]]:
    """Each command with the runs between it and the one before; none where runs stand below the last, unless that is
    named as theirs."""
    groups: dict[int, list[_Run]] = {at: [] for at in commands}
    for run in runs:
        at = next((at for at in commands if at > run.last), None)
        if at is None and commands and _names_own_command(lines, commands[-1]):
            continue
        if at is None or at - run.last > LOOKS_BACK:
            return {}
        groups[at].append(run)
    return groups


def _names_own_command(lines: Sequence[str], at: int) -> bool:
    above = [line for line in lines[max(0, at - _COMMAND_NEAR) : at] if line.strip(" `;#")]
    return _without_name(lines[at]) != lines[at] or any(map(_OWN_COMMAND.fullmatch, above))


def _is_asked_by(run: _Run, asked: Load, jobs: Sequence[Told]) -> bool:
    """Of the same direction, and nothing that is known of it is another."""
    load = run.load.over(run.above)
    is_same = all(
        ours in (None, theirs) or theirs is None for ours, theirs in zip(load.sizes, asked.sizes, strict=True)
    )
    if jobs:
        return is_same and any((job.way, job.random) == (load.way, bool(load.random)) for job in jobs)
    return is_same and load.way == asked.way and bool(load.random) == bool(asked.random)


def _as_told(said: Said, told_of: dict[tuple[int, str | None, str], Load], paragraph: int) -> Said:
    """ "4k random writes gave 11k IOPS ... Before, writes were at 2k IOPS": the second are those of the first."""
    key, load = (paragraph, said.load.way, said.value.kind), said.load
    if load.random is None and load.block_bytes is None and key in told_of:
        said = replace(said, load=load.over(told_of[key]))
    told_of[key] = said.load
    return said


def _passed_over(page: Sequence[Line], near: Sequence[int]) -> set[int]:
    """The lines that tell of no run: without a number, heads of columns, of hardware, data sheets and stores."""
    lines = [line.text for line in page]
    found = {
        at
        for at in near
        if _heads_columns(lines, at)
        or _is_of_columns(lines[at])
        or _names_a_size(lines, at)
        or not any(map(str.isdecimal, lines[at]))
        or _ONE_REQUEST.search(lines[at])
    }
    of_others = (
        _of_sheets(page, near),
        _of_hardware(lines, near),
        _promised(lines, near),
        _of_stores(lines, near),
        _typical(lines, near),
        _supposed_again(lines, near),
        _of_both_ways(lines, near),
        _of_other_operations(lines, near),
        _explaining_rows(lines, near),
        _compared_again(lines, near),
    )
    return found.union(*of_others, silent_lines(lines))


def _below_network(lines: Sequence[str], near: Sequence[int]) -> Iterator[int]:
    """The lines below a heading, a caption or a command that names a tool of networks, up to the next one."""
    is_below, before = False, -1
    for at in near:
        line = lines[at].rstrip(" *_")
        is_head = line.startswith("#") or line.endswith((":", "：")) or COMMAND.match(line) is not None
        is_long = len(line) > LONGEST_HEADING and not _THROUGHPUT.search(line)
        apart = sum(1 for each in lines[before + 1 : at] if each != TAKEN)
        if is_head or apart >= _FOLLOWS or is_long:
            is_below = is_head and heads_network(line)
        elif is_below:
            yield at
        before = at


def _of_line_tests(lines: Sequence[str], near: Sequence[int]) -> Iterator[int]:
    """ "Download: 512 Mb/s" and "Upload: 211 Mb/s" below "I ran a speed test"."""
    for at, below in pairwise(near):
        if below - at <= _RIGHT_BELOW and tests_a_line(lines[at], lines[below], lines[max(0, at - _TEST_NEAR) : at]):
            yield from (at, below)


def _of_hardware(lines: Sequence[str], near: Sequence[int]) -> Iterator[int]:
    """The lines that name hardware or head a list of it, and the items below."""
    is_below = False
    for at in near:
        is_below = _HARDWARE.fullmatch(lines[at]) is not None or (is_below and BULLET.match(lines[at]) is not None)
        if is_below:
            yield at


def _promised(lines: Sequence[str], near: Sequence[int]) -> set[int]:
    """The lines of paragraphs that quote a data sheet."""
    found: set[int] = set()
    paragraph: list[int] = []
    for at in near:
        if paragraph and at != paragraph[-1] + 1:
            paragraph = []
        is_sheet = _SHEET.search(lines[at]) is not None
        if not is_sheet and (_TURNS.match(lines[at]) or _tells_own_test(lines[at])):
            paragraph = []
            continue
        paragraph.append(at)
        if is_sheet or at - 1 in found & set(paragraph[-2:]):
            found.update(paragraph)
    return found


_AMOUNT_ALONE = r"\d+(?:[.,]\d+)*"
_AMOUNTS = re.compile(_AMOUNT_ALONE)
_COMPARED = re.compile(
    rf"[+−–-]\d[\d.,]* ?%\W{{0,6}}[(（](?P<before>{_AMOUNT_ALONE})[^()（）\d]{{0,12}}(?:→|->|=>|➜)\s?"
    rf"(?P<after>{_AMOUNT_ALONE})[^()（）]{{0,12}}[)）]"
)


def _compared_again(lines: Sequence[str], near: Sequence[int]) -> Iterator[int]:
    """ "Write latency: -29% (692 → 494 ms)": by how much two results differ that the page has told before."""
    compared = {at: match for at in near if "%" in lines[at] and (match := _COMPARED.search(lines[at]))}
    told: set[str] = set()
    for at, line in enumerate(lines[: max(compared, default=-1) + 1]):
        if at in compared and told.issuperset(compared[at].group("before", "after")):
            yield at
        told.update(_AMOUNTS.findall(line))


def _tells_own_test(line: str) -> bool:
    """ "With fio we measure 1,850 IOPS random write": below a sheet that a sentence above quotes."""
    is_own = _OBSERVED.search(line) is not None and _TESTED.search(line) is not None
    return is_own and not is_supposed(line) and len(heading_of(line).ways) > 0


def _of_sheets(page: Sequence[Line], near: Sequence[int]) -> Iterator[int]:
    """The sentences behind one in which a data sheet or a maker speaks, until somebody tells what he has."""
    spoken = -1
    for at in near:
        if _SHEET_SAYS.search(page[at].text) and not _OF_ONES_OWN.search(page[at].text):
            spoken = page[at].paragraph
        elif page[at].paragraph == spoken and not _OF_ONES_OWN.search(page[at].text):
            yield at
        else:
            spoken = -1


def _typical(lines: Sequence[str], near: Sequence[int]) -> Iterator[int]:
    """The rough values of a list of which more items are ranges: "SATA: ~520 MB/s, PCIe 4.0: 4,500-6,800 MB/s"."""
    items = [at for at in near if BULLET.match(lines[at]) and _hints(lines[at])]
    for first, end in stretches(items, 1):
        phrases = {at: phrase_of(lines[at]) for at in range(first, end)}
        ranges = {at for at, phrase in phrases.items() if any(map(is_range_of_rates, phrase.tokens))}
        single = {at for at, phrase in phrases.items() if at not in ranges and phrase.names_values}
        if len(ranges) > max(1, len(single)):
            yield from (at for at in single if _ROUGH.search(lines[at]))


def _supposed_again(lines: Sequence[str], near: Sequence[int]) -> Iterator[int]:
    """The sentences that say again what their paragraph has supposed, where nobody tells what he saw: "For example,
    with a limit of 80 MB/s and bursts of 120 MB/s. Then reads go on at 120 MB/s."."""
    supposed: set[tuple[str, str]] = set()
    before = -1
    for at in near:
        supposed = supposed if at == before + 1 else set()
        before, line = at, lines[at]
        if not any(map(str.isdecimal, line)) or _OF_ONES_OWN.search(line):
            continue
        amounts = {(match["number"], match["unit"].lower()) for match in _AMOUNT.finditer(line)}
        if is_supposed(line):
            supposed |= amounts
        elif amounts and amounts <= supposed and not (":" in line or BULLET.match(line)):
            yield at


def _of_both_ways(lines: Sequence[str], near: Sequence[int]) -> Iterator[int]:
    """In lists of names and values the sums: "ops/s: 700" beside "read ops/s: 410" and "write ops/s: 290"; and what
    stands once behind such two: "latency: 1.2 ms"."""
    for first, end in stretches(near, 1):
        keyed = {at: key for at in range(first, end) if (key := _keyed(lines[at])) is not None}
        of_kind: dict[str, list[str | None]] = {}
        for at, (way, kind) in keyed.items():
            of_kind.setdefault(kind, []).append(way)
            alone = [each for each in keyed.values() if each[1] == kind] == [(None, kind)]
            told = list(of_kind.values()) if alone else [[each[0] for each in keyed.values() if each[1] == kind]]
            if way is None and any({"read", "write"} <= set(ways) for ways in told):
                yield at


def _keyed(line: str) -> tuple[str | None, str] | None:
    """Of "read ops/s: 410" the direction and the kind of the value; None where its name tells more of the load."""
    name, colon, value = line.replace("：", ":").partition(":")
    if not colon or len(line) > LONGEST_HEADING or not any(map(str.isdecimal, value)):
        return None
    label = heading_of(name)
    kinds = {each.kind for each in label.quantities} or {each.kind for each in phrase_of(value).values(False)}
    is_plain = label.load._replace(way=None) == Load() and label.load.way != "mix" and not label.statistics
    return (label.load.way, kinds.pop()) if is_plain and len(kinds) == 1 else None


def _of_stores(lines: Sequence[str], near: Sequence[int]) -> Iterator[int]:
    """The lines that tell what a store of keys and values does, or a part of a stream, which one right above names."""
    for at in near:
        for own, named in ((_STORE_RATE, _STORE), (_SHARD, _STREAM)):
            if own.search(lines[at]) and any(map(named.search, lines[max(0, at - _STORE_NEAR) : at + 1])):
                yield at


def _of_other_operations(lines: Sequence[str], near: Sequence[int]) -> Iterator[int]:
    """ "DELETE: 980 ops/s", "Failed ops/s: 12" in a list."""
    named = {at: label for at in near if (label := _name_in_front(lines[at]))}
    for at, label in named.items():
        others = [named[each] for each in (at - 1, at + 1) if each in named]
        if counts_failures(label) or names_one_of_requests(label, others):
            yield at


def _explaining_rows(lines: Sequence[str], near: Sequence[int]) -> Iterator[int]:
    """Rows with a bare number and a sentence that explains it: "| Oak | 149 | each read hits the disk (480 MB/s) |"."""
    for at in near:
        cells = [cell.strip() for cell in _BETWEEN_CELLS.split(lines[at])]
        if any(map(_BARE_NUMBER.fullmatch, cells)) and any(map(is_sentence, cells)):
            yield at


def _name_in_front(line: str) -> str:
    return _NAME_IN_FRONT.sub("", line.replace("：", ":").partition(":")[0]) if len(line) <= LONGEST_HEADING else ""


def _heads_columns(lines: Sequence[str], at: int) -> bool:
    """A row above a rule whose cells hold words, too: "| QD32, 4 jobs IOPS | gain |"."""
    if "|" not in lines[at] or at + 1 >= len(lines) or not BAR_RULE.fullmatch(lines[at + 1]):
        return False
    return not any(map(is_plain_value, map(str.strip, lines[at].split("|"))))


def _is_of_columns(line: str) -> bool:
    """ "| read | 520 MB/s | 140 MB/s |": a row whose cells mean what their heads say, and no sentence."""
    cells = line.split("|")
    if len(cells) < 4 or sum(1 for cell in cells if is_plain_value(cell.strip("*~≈ "))) < 2:
        return False
    return sum(1 for cell in cells if heading_of(cell).load.way) < 2  # "read | 530 MB/s | write | 460 MB/s" says it all


def _names_a_size(lines: Sequence[str], at: int) -> bool:
    """ "## Mixed 70/30 4k IOPS", or so right above a table: the blocks are of 4 KiB, and nobody counted 4000."""
    if heading_of(lines[at]).names_values or not phrase_of(lines[at]).names_values:
        return False
    below = next((line for line in lines[at + 1 : at + _FOLLOWS] if line == TAKEN or line.strip()), "")
    return lines[at].startswith("#") or below == TAKEN or "|" in below or "\t" in below.strip()


def _near_hints(lines: Sequence[str]) -> Iterator[int]:
    """The lines that may tell of a run or head one: those with a unit of a rate, and a few above and below each."""
    upto, hints = 0, 0
    for at, line in enumerate(lines):
        if hints < _MOST_HINTS and len(line) <= LONGEST_LINE and _hints(line):
            hints += 1
            end = max(upto, min(len(lines), at + _FOLLOWS))
            while end < len(lines) and _NAMES_A_NUMBER.fullmatch(lines[end]):
                end += 1
            for near in range(max(upto, at - LOOKS_BACK), end):
                if len(lines[near]) <= LONGEST_LINE and lines[near].strip():
                    yield near
            upto = end


def _hints(line: str) -> bool:
    """Whether a line may hold a rate, or the time of an operation."""
    has = line.lower().__contains__
    is_ascii = line.isascii()
    if any(map(has, _IN_ASCII if is_ascii else _IN_HINTS)) and _HINT.search(line) is not None:
        return True
    if line.endswith((":", "：")) and _NAMES_PINGS.search(line):
        return True  # it heads a list of times
    has_time = any(map(has, _ASCII_TIMES if is_ascii else _IN_TIMES))
    if has_time and ((_TIME.search(line) and _TIMED.search(line)) or PER_BLOCK.search(line)):
        return True
    return any(map(has, _ASCII_WORDS if is_ascii else _IN_WORDS)) and _SPELLED_HINT.search(line) is not None


def _counts(run: _Run) -> bool:
    """A direction, and a rate; a latency alone counts where its line says of what block it is, or a key names it."""
    has_rate = any(kind != LATENCY and statistic == "mean" for kind, statistic in run.values)
    sized = run.load.over(run.above) if run.captioned else run.load
    is_named = sized.block_bytes is not None or run.keyed or run.load.way == ROUND_TRIP
    way = run.load.way or (run.above.way if sized.block_bytes else None)
    times = [value.value for (kind, _), value in run.values.items() if kind == LATENCY]
    has_latency = way is not None and is_named and any(time < _LONGEST_S for time in times)
    return (has_rate or has_latency) and run.load.over(run.above).way is not None


def _run_of(
    said: Said, label: str, at: int, line: Line, heading: InForce, open_runs: dict[tuple[object, ...], _Run]
) -> _Run | None:
    """The run that a value belongs to: the one of the same load below the same heading, or a new one."""
    is_spoken = len(line.text.split()) > FEW_WORDS
    is_sentence = not line.whole or (is_spoken and line.text.endswith((".", "!", "。")) and not BULLET.match(line.text))
    key = (heading.line, said.load, label, at if is_sentence else said.part, said.order)
    run = open_runs.get(key)
    if run is None and said.load == Load() and not label and open_runs:
        newest = next(reversed(open_runs.values()))
        is_near = line.whole or newest.paragraph == line.paragraph
        is_same = heading.line <= newest.first or (heading.of(said.load) == newest.above and not heading.command)
        run = newest if is_near and is_same else None
    if run is not None and run.takes(said, at) and at - run.last <= _FOLLOWS:
        return run
    if run is not None and said.name in run.values and run.last == at and says_again(said.value, run.values[said.name]):
        return None
    kind, statistic = said.name
    if run is not None and run.last == at and kind != LATENCY and statistic == "max" and (kind, "min") in run.values:
        return None  # how far the rates of the run spread
    if said.value.kind == LATENCY and said.load == Load() and heading.load == Load():
        return None
    if run is None and said.value.kind == LATENCY and (fitting := _fitting(said, heading, open_runs)):
        return fitting
    captioned = heading.quantity is not None and heading.quantity.kind == said.value.kind
    run = open_runs[key] = _Run(
        said.load,
        heading.of(said.load)._replace(depth=None) if said.swept else heading.of(said.load),
        label,
        at,
        at,
        captioned=captioned,
        spoken=is_spoken,
        keyed=said.load.random is not None and _KEY.match(line.text) is not None,
        told=heading.told,
        paragraph=line.paragraph,
    )
    return run


def _fitting(said: Said, heading: InForce, open_runs: dict[tuple[object, ...], _Run]) -> _Run | None:
    """The newest run with a rate of whose load a time on a line below is: "- mean write latency: 4.9 ms"."""
    if said.load.way is None:
        return None
    above = heading.of(said.load)
    all_fitting = (
        run
        for run in reversed(open_runs.values())
        if run.load.way == said.load.way and said.name not in run.values and run.above == above
        if said.load.over(run.load) == run.load and any(kind != LATENCY for kind, _ in run.values)
    )
    fitting = list(islice(all_fitting, 2))
    is_certain = len(fitting) == 1 or (fitting and fitting[0] is next(reversed(open_runs.values())))
    return fitting[0] if is_certain else None
