"""The heads of a table: what each column holds."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise

from radoscope import patterns as re
from radoscope.formats.grammar import foretold
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.alternatives import Alternatives
from radoscope.formats.grammar.other_operations import counts_failures, names_other_operation
from radoscope.formats.grammar.phrases import (
    BANDWIDTH,
    CALLS_A_SECOND,
    IOPS,
    LABELS_KEPT,
    LATENCY,
    Load,
    Phrase,
    Quantity,
    Token,
    cell_of,
    heading_of,
    size_of,
)
from radoscope.formats.grammar.quantities import number
from radoscope.formats.tables.grid import THOUSANDS, Grid, Row, is_value
from radoscope.formats.tables.spelled import spelled, with_unit_of_sum, without_rates_of_both

_BLOCK = re.compile(
    rf"\W*(?:i/?o[ _-])?(?:{words.BLOCK}|{words.BLOCK_NOUN}|block|size|größe|xfer|transfer size|サイズ|大小"
    r"|message[ _-]?size"
    rf"|msg[ _-]?size|iperf[23]? -l (?:size|len(?:gth)?))\W*(?:[(\[]?(?P<unit>k|m|bytes?|b)(?:i?b)?[)\]]?)?\W*",
    re.IGNORECASE,
)
FEW_BYTES = re.compile(r"\W*(\d{1,3}) ?(?:b|bytes?|octets?|байт\w*|字[节節]|バイト|바이트)\W*", re.IGNORECASE)
_DEPTH = re.compile(
    rf"\W*(?:i/?o[ _-]?)?(?:{words.DEPTH}|{words.QUEUE}|depth|tiefe|并发数?|並行数|並列数|concurrency"
    r"|concurrent(?: ?ops)?|in[- ]flight|동시성|parallelit\w+)\W*",
    re.IGNORECASE,
)
_SUMMED_DEPTH = re.compile(
    rf"\W*(?:(?:{words.TOTALLED})[\s_-]{{0,2}}(?:i/?o[ _-]?)?(?:{words.DEPTH}|depth)"
    rf"|(?:i/?o[ _-]?)?(?:{words.DEPTH}|depth)[\s_-]?\W?(?:{words.TOTALLED}))\W*",
    re.IGNORECASE,
)
"""Of all jobs together, beside that of one of them: no condition, and nothing that was measured."""
_JOBS = re.compile(rf"\W*(?:{words.JOBS}|num ?threads|threads? \(t\)|# ?threads|# ?jobs)\W*", re.IGNORECASE)
_UNIT = re.compile(
    r"\W*(?:units?|einheit(?:en)?|unit[ée]s?|unidad(?:es)?|jednostka|jednotka|ед(?:иниц\w*|\.)?(?: изм\w*\.?)?|单位"
    r"|單位|単位|단위)\W*",
    re.IGNORECASE,
)
_STEPS = (
    r"(?<![\w.,])(?P<first>\d{1,4})(?: ?[-–—~〜～…] ?| ?\.{2,3} ?| (?:to|bis|à|a|até|do|до|tot|till) "
    r"| ?(?:から|到|至|에서) ?"
    r"|(?:[,、/] ?\d{1,4}){1,8}(?:[,、/] ?|,? (?:and|und|et|y|e|i|и|en|och|a) ))(?P<last>\d{1,4})(?![\d.,]\d|\d)"
)
_CONDITION = rf"(?:(?P<jobs>{words.JOBS})|{words.DEPTH})"
_SWEPT = re.compile(
    rf"{_STEPS} ?(?:个|個|개)? ?(?:(?:parallel|concurrent|fio|io|i/o) ){{0,2}}{_CONDITION}", re.IGNORECASE
)
_NAMED_SWEPT = re.compile(
    rf"(?<![^\W\d_]){_CONDITION}\W{{0,3}}(?:(?:of|from|von|de|od|от|из|从) )?{_STEPS}", re.IGNORECASE
)
_NOT_MEASURED = Alternatives(words.NOT_MEASURED)
_NO_RESULT = Alternatives(
    rf"(?<!100)(?<!100 )%|{words.COMPARED}|{words.NOT_MEASURED}"
    r"|iops\s?/\s?(?!bw|band|through|lat|avg|mean|[kmg]i?b/s|[mk]bps|[mun]s(?:ec)?\b"
    rf"|w\b|r\b|read|write|\d)[a-z$€]|[$€¥]|per (?:gb|tb|watt|dollar|(?:busy |cpu )?core|client|thread"
    r"|job|osd|disk|drive)"
    rf"|^\W*as {words.RATE_UNIT}\W*$"
    rf"|\brtt\b|\bcv\b|target|goal|limit|quota|上限|限[额額]|配[额額]|{foretold.EXPECTED}|{foretold.REQUIRED}|{foretold.REQUIREMENTS}"
    rf"|{foretold.GOALS}"
)
_OFFERED = Alternatives(
    r"\b(?:offered|injected|arrival|intensity)\b|angebotene last|charge (?:offerte|injectée)|carga ofrecida"
    r"|carico offerto|подаваем\w+ нагрузк|интенсивност|负载强度|投入負荷|인가 부하"
)
"""How much somebody asked for, beside what came of it."""
_DIFFERENCE = re.compile(rf"\W*(?:{words.COMPARED})(?<!ed)(?<!sert)\W*", re.IGNORECASE)
"""How often one value holds another: "Ratio", but not "improved", which was measured."""
_OF_FILE_SYSTEM = re.compile(r"\W*(?:native )?(?:zfs )?\W*(?:recordsize|volblocksize)\W*", re.IGNORECASE)
_OTHER_SIZE = re.compile(
    r"\W*(?:file|disk|drive|image|volume|data ?set|pool|ram|memory|total|test) ?size\W*|\W*capacity\W*"
    r"|\W*(?:files?|datei(?:en)?|fichiers?|archivos?|arquivos?|ficheiros?|plik(?:i)?|soubory?|файлы?|文件|檔案|ファイル|파일)\W*",
    re.IGNORECASE,
)
_SPACE = re.compile(
    r"\b(?:memory|mem|ram|heap|rss|disk|space|cache)[ _-]?(?:usage|used?|consum\w+|footprint|allocated|occup\w+)"
    r"|\b(?:used|peak|max|resident|allocated) (?:memory|mem|ram|heap|rss|space)\b|speicher(?:verbrauch|bedarf|nutzung)"
    r"|(?:потребление|расход|использование) памяти|内存(?:占用|使用)|メモリ使用",
    re.IGNORECASE,
)
"""What was used, and not how fast: its "(MB)" is no rate."""
_AGAIN_WORD = re.compile(r"\W*re-?(?:write|read|lesen|schreiben)\w*\b", re.IGNORECASE)
"""iozone's second pass over the same file."""
_AMOUNT = re.compile(
    r"(?<![a-z])(?:(?:db|wal|journal|log|compaction|nand|host) (?:reads?|writes?)|total|data|written|transfer(?:red)?"
    r"|moved|copied|i/?o|memory|mem|ram|volume|amount|capacity|used|dataset"
    r"|gesamt\w*|geschrieben\w*|gelesen\w*|datenmenge|menge|übertragen\w*|données|volumen|datos|dados|dati|dane"
    r"|всего|объ[её]м|данные|передано)(?![a-z])|总量|总计|数据量|容量|大小|合計|データ量|サイズ|전체|용량|크기",
    re.IGNORECASE,
)
""" "Written (GB)": how much, and not in a second."""
_FEWEST_STEPS, _FEWEST_LABELLED, _LEVELS = 3, 2, 2
_CROSSED, _ARROWS = re.compile(r"\s?[\\/×,]\s?|\s(?:x|vs\.?|by|\|)\s|(?<=[→↓])\s"), re.compile("[→↓]")
""" "QD \\ jobs", "block size ↓ / depth →": in the corner above rows and in front of columns."""
_OF_BLOCKS = Alternatives(rf"{words.BLOCK}|block|блок|i/?o|xfer|record")
_IN_PERCENT = re.compile(r"(?<!\d)(?<!\d )%")
"""A unit: "36 % full" is a condition."""
_SHARE_AMONG = re.compile(
    r"(?<=[,/;])\s?(?:(?:cpu|disk|util\w*|usage|busy|load)\s?){0,2}%(?=\s?[,/;)\]])", re.IGNORECASE
)
"""Of several quantities in one head the one that is no result: "MB/s, IOPS, CPU%, ms"."""
_SIZE_ALONE = re.compile(r"[(\[][kKmMgGtT]i?[bB][)\]]")
_LINE_SPEED = re.compile(
    r"iperf|netperf|\b(?:tcp|udp) (?:throughput|bandwidth|speed|rate)"
    r"|\b(?:nic|network) (?:\w+ )?(?:traffic|in|out|sent|received|usage|utili[sz]ation)\b"
    r"|(?:link|line|port|nic|network|bus|fan|cpu)[ -]?(?:speed|rate|bandwidth)|^\W*speed(?:\W*[gm]bit.*"
    r"|\W*[gm]bps.*)?$",
    re.IGNORECASE,
)
_COUNT = re.compile(
    r"\W*(?:(?:test|fio)[ _-]?)?(?:runs?|samples?|iterations?|repeats?|repetitions?|n|year|date|durchläufe|läufe|jahr"
    r"|datum"
    r"|wiederholungen|essais|répétitions|année|repeticiones|año|repetições|ripetizioni|anno|powtórzenia|rok|opakování"
    r"|прогон(?:ы|ов)|повтор(?:ы|ов)|год|дата|次数|轮数|年份|日期|回数|年度?|日付|횟수|연도|날짜)\W*"
    r"|\W*(?:(?:number|no\.?|nr\.?|count) of|num(?:ber)?|anzahl|nombre de|número de|numero di|liczba|počet|количество"
    r"|число|#) ?(?!iops|i/?os? ?/)[^\W\d][\w ]{1,20}|[^\W\d]\w{1,12}[ _-]count",
    re.IGNORECASE,
)
"""How many there were, or when: no value of what a caption names."""
_SPREAD = re.compile(
    r"\W*(?:SD|DP|DE|ET|s\.\s?d\.|std\.? ?err(?:or)?|SE|SEM|IQR|(?:9\d ?%\W{1,3})?(?:CI|IC|KI|ДИ)(?:\W.{0,20})?)\W*"
    r"(?:[(\[][^()\[\]]{1,8}[)\]])?\W*"
)
"""Beside a column of means, by how much the runs differ, in letters that mean something else elsewhere."""
_PROCESSING = re.compile(r"(?<![a-z])(?:proc(?:ess(?:ing)?)?|cpu|queue|queu?ing|wait(?:ing)?)[ _-]?time", re.IGNORECASE)
"""A part of the time that an operation takes."""
_STARTS = re.compile(
    r"(?<![a-z])(?:boot(?:ing|up)?|(?:cold |warm )?start-?up)(?: (?:time|latency|duration))?(?= ?[(\[]|$)",
    re.IGNORECASE,
)
""" "p50 boot (ms)": of a machine."""
_SHARE = re.compile(r"\W*(?:(?:reads?|rwmixread) ?(?:%|share|ratio|percent\w*)?|% ?(?:of )?reads?)\W*", re.IGNORECASE)
_IN = re.compile(r"^(?:in|en|в) (?=\W?[^\W\d]{1,5}(?:/s)?\W?$)", re.IGNORECASE)
"""In front of a unit: "in ms"."""
_THREADS = re.compile(r"\W*t ?=? ?(\d{1,4})\W*", re.IGNORECASE)
_LETTERED_THREADS = re.compile(r"(?<![\w.,])(?P<count>\d{1,3})(?-i:t)(?![\w'’])", re.IGNORECASE)
"""Terabytes have a capital letter, and drives a name: "4t hdd MB/s"."""
_THROUGHPUT = re.compile(rf"throughput(?=\s*[(\[]k?(?:{words.IOPS}))", re.IGNORECASE)
"""Its unit says what it is."""
_COUNTED = re.compile(r"(?<![a-zA-Z\d_.])\d{1,4}(?= ?[(\[][^\d()]{1,12}[)\]])")
"""The number of a column stands before its unit: "Run 1 (MiB/s)"."""
_RUN_TIME = re.compile(
    r"(?:total |test |run |fio |bench(?:mark)? )?(?:run[- ]?time|duration|elapsed(?: time)?|laufzeit|(?:test)?dauer"
    r"|durée|duración|duração|durata|czas trwania|длительность|время (?:работы|выполнения)|运行时间|测试时[间长]"
    r"|耗时|用时|実行時間|所要時間|경과 ?시간|실행 ?시간)"
    r"\W{0,3}(?:\(?(?P<unit>ms(?:ec)?|s(?:ec(?:onds?)?)?|min(?:utes?)?|秒|초|с(?:ек)?)\)?)?\W*",
    re.IGNORECASE,
)
"""How long a run took."""
_RESPONSE = re.compile(
    r"\W*(?:(?:avg|average|mean)\.?[ _-])?resp(?:onse)?\W*|\W*(?:平均)?(?:响应|響應|応答)\W*|\W*응답\W*|\W*отклик\W*",
    re.IGNORECASE,
)
"""As vdbench calls its times, and without their unit."""
_SECONDS = {"ms": 1e-3, "s": 1.0, "mi": 60.0}
_PER_OPERATION = re.compile(
    r"\W*(?:(?:avg|mean|time|cost) )?(?:per|each)[ -](?:op(?:eration)?|i/?o|request|commit|f(?:data)?sync|write|read"
    r"|call)\W*",
    re.IGNORECASE,
)
""" "per-op" above times."""
_NUMBER_OF_NOTE = re.compile(r"^[(（]?\d{1,2}[)）] ?(?=[^\W\d])")
_SMALL_NUMBER = re.compile(r"\d{1,4}")
_ONE_JOB = re.compile(
    r"\W*(?:fio[ -]?)?(?:job|task|auftrag|tâche|tarea|tarefa|zadanie|задани[ея]|作业|任务|ジョブ|작업)\W*", re.I
)
_SMALLEST_BYTES, _PAGE, _LARGEST_ODD = 512, 4096, 2**25
_ODD_SIZE = re.compile(r"(\d{1,6}) ?([km])(?:i?b)?", re.IGNORECASE)
_SEVERAL = re.compile(r"[/,;|&+]|\band\b|\bund\b|\bet\b", re.IGNORECASE)
_NUMBERED_RUN = re.compile(r"\W*(?:#|№) ?\d{1,2}\W*")
_REPEAT = re.compile(
    r"\W*(?:r|runs?|test|try|pass|rounds?|iteration|lauf|durchlauf|прогон|#|第)?\W*\d{1,2}\W*[回次轮]?\W*",
    re.IGNORECASE,
)
_MEAN = re.compile(rf"[\s*]*(?:{words.MEAN}|{words.MEDIAN})[\s*:]*", re.IGNORECASE)


_OF_MEMORY = re.compile(
    r"(?<![\w-])(?:load ?/ ?store|store ?/ ?load|mmio)\b"
    r"|\bsysbench[ _-]memory|/dev/zero\b.{0,20}/dev/null|\bzero ?(?:->|→|=>|to|nach|a|vers) ?(?:/dev/)?null\b"
    r"|^\W*\d{1,3} threads? - (?:read|write) test\W*$"
    r"|\b(?:lectura|escritura|copia|lettura|scrittura|lecture|écriture|leitura|escrita|odczyt|zapis|débit|velocità)"
    r" (?:de |di |da |en |w )?(?:la |a )?(?:mémoire|mem[óo]ria|pamięci|ram)\b(?! (?:flash|usb|sd)\b)"
    r"|(?:^|(?:,|:| [–—-]) )\W*(?:(?:system|main|guest|host|passmark|aida64) )?"
    rf"(?:{words.MEMORY}|mem)(?:[ _-]|[:,] ?)?"
    r"(?:(?:seq|rand)\w*[ _-])?(?:read|writ|copy|fill|bandwidth|throughput|speed|transfer|test|bench|mark\b|laten|lesen"
    r"|schreib|带宽|速度|чтени|запис|读|写|読|書|읽기|쓰기|le[ic]tur|escritur|escrita|lettur|scrittur|écritur|odczyt|zapis|čten|zápis)"
    r"|\b(?:stream|mlc)[ _-]?(?:copy|scale|add|triad)|\btriads?\b|триад|(?-i:\bSTREAM\b)"
    r"|^\W*(?:L[1-4][di]?(?:[- ]cache)?|d?ram)\W*$",
    re.IGNORECASE,
)
"""Of what rows and columns tell beside those of drives."""
_MEMORY_ALONE = re.compile(rf"\W*(?:{words.MEMORY}|mem)\W*", re.IGNORECASE)


def is_of_memory(text: str) -> bool:
    """ "Memory bandwidth", "RAM": what stands beside it is no drive's."""
    return _OF_MEMORY.search(text) is not None


def is_of_repeat(text: str) -> bool:
    """ "Run 1", "r2", "第3次": one of several of the same."""
    return _REPEAT.fullmatch(text) is not None


def is_of_mean(text: str) -> bool:
    """The mean or the median, of whatever stands beside it."""
    return _MEAN.fullmatch(text) is not None


_QUEUES = re.compile(r"(?<![^\W_])q ?= ?\d{1,3}(?![\w.,]\d|\d)", re.IGNORECASE)
_DEPTH_SPELLED = re.compile(r"(?<![a-z])(?:qd|iodepth|(?:queue|i/?o)[ _-]?depth)\W{0,3}(?:of )?\d", re.IGNORECASE)


def names_queues(text: str, around: Sequence[str]) -> bool:
    """ "Q=2" beside "QD=64": how many queues a device has, for the depth is called otherwise."""
    return _QUEUES.search(text) is not None and any(map(_DEPTH_SPELLED.search, around))


@dataclass(frozen=True, slots=True)
class Head:
    """What a column or a row holds.

    role: block, depth, jobs, share (of reads, in percent): a condition, of the runs of its load; runtime, size (of
    something else), none (no result) or "" for all others.

    repeats: another of its table names the same quantity of the same load, so that its other words count.
    """

    text: str
    role: str = ""
    quantities: tuple[Quantity, ...] = ()
    statistics: tuple[str, ...] = ()
    ways: tuple[str, ...] = ()
    load: Load = field(default_factory=Load)
    rest: str = ""
    factor: float | None = None
    repeats: bool = False

    @property
    def statistic(self) -> str:
        points = [name for name in self.statistics if name.startswith("p")]
        if len(points) == 1 and set(self.statistics) == {"mean", *points} and not _SEVERAL.search(self.text):
            return points[0]  # "avg clat p99": of several runs
        return self.statistics[0] if len(self.statistics) == 1 else "mean"

    @property
    def only_load(self) -> bool:
        return not self.rest and self.load != Load()

    @property
    def is_load_alone(self) -> bool:
        return self.only_load and self.load.way is not None and not (self.quantities or self.statistics or self.role)

    def seconds(self, cell: str) -> float | None:
        """The run time that a cell of this column names: in the column's unit, or its own, of seconds at most."""
        value = number(cell)
        if value is not None:
            return value * self.factor if self.factor else None
        values = cell_of(cell).values(False)
        return values[0].value if len(values) == 1 and values[0].kind == LATENCY else None

    def attribute(self, cell: str) -> Load:
        """The condition that a cell of this column names."""
        if self.role == "block":
            plain = number(cell)
            size = heading_of(cell).load.block_bytes or size_of(cell, 2**30) or _odd_size(cell)
            if few := FEW_BYTES.fullmatch(cell):
                size = int(few[1])
            elif plain is not None:
                size = int(plain * self.factor) if self.factor else int(plain) if plain >= 512 else None
            return Load(block_bytes=size if size and size <= 2**30 else None)
        if self.role == "share":
            share = number(cell.rstrip("% "))
            return Load(way=None if share is None else "read" if share == 100 else "mix" if share else "write")
        value = number(cell.lstrip("QqTtDd= "))
        whole = int(value) if value and value == int(value) else None
        return Load(depth=whole) if self.role == "depth" else Load(jobs=whole) if self.role == "jobs" else Load()


def _odd_size(cell: str) -> int | None:
    """ "2304k" in a column of block sizes: no power of two, but whole pages."""
    match = _ODD_SIZE.fullmatch(cell.strip())
    size = int(match[1]) * {"k": 2**10, "m": 2**20}[match[2].lower()] if match else 0
    return size if size and size % _PAGE == 0 and size <= _LARGEST_ODD else None


_SHORT_TIMES = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "usec": 1e-6, "ms": 1e-3, "msec": 1e-3}
"""Whose name is all that a head says: so short is nothing but a latency."""


@lru_cache(maxsize=LABELS_KEPT)
def read_head(text: str) -> Head:
    """One heading of a column, or one label of a row."""
    text = _IN.sub("", text.strip(" *_`:-–—"))
    if not text or len(text) > 160:
        return Head(text)
    return _known_head(text) or _with_short_time(text) or _measured_head(text)


def _known_head(text: str) -> Head | None:
    """One whose words say by themselves what stands below; None for another."""
    if _OF_FILE_SYSTEM.fullmatch(text):
        return Head(text, "size")
    if match := _BLOCK.fullmatch(text):
        unit = (match["unit"] or "").lower()
        return Head(text, "block", factor={"k": 2.0**10, "m": 2.0**20}.get(unit[:1]))
    if text == "KiB":
        return Head(text, "block", factor=2.0**10)
    if _OTHER_SIZE.fullmatch(text):
        return Head(text, "size")
    if _SHARE.fullmatch(text) and re.search(r"%|share|ratio|mix|percent", text, re.IGNORECASE):
        return Head(text, "share")
    if _SUMMED_DEPTH.fullmatch(text):
        return Head(text, "size")
    if _DEPTH.fullmatch(text):
        return Head(text, "depth")
    if _JOBS.fullmatch(text):
        return Head(text, "jobs")
    if (half := _condition_of_way(text)) is not None:
        return half
    if match := _THREADS.fullmatch(text):
        return Head(text, load=Load(jobs=int(match[1])))
    return None


def _with_short_time(text: str) -> Head | None:
    """ "before  ms", a head of two levels; None for another."""
    wide, _, unit = text.rpartition("  ")
    if (factor := _SHORT_TIMES.get(unit.lower())) is None:
        return None
    above = heading_of(wide)
    if above.quantities or above.statistics:
        return None
    return Head(text, quantities=(Quantity(LATENCY, factor),), load=above.load, rest=above.rest)


def _measured_head(text: str) -> Head:
    """By what its words name: quantities, statistics, directions, conditions; "none" where those are of no result."""
    if match := _RUN_TIME.fullmatch(text):
        unit = (match["unit"] or "").lower()[:2]
        return Head(text, "runtime", factor=_SECONDS.get(unit, 1.0) if unit else None)
    if _RESPONSE.fullmatch(text):
        return Head(text, quantities=(Quantity(LATENCY),))
    if _SPACE.search(text) or _COUNT.fullmatch(text):
        return Head(text, "size")
    if _AGAIN_WORD.match(text) or _PROCESSING.search(text) or _STARTS.search(text) or _DIFFERENCE.fullmatch(text):
        return Head(text, "none")
    text = _with_spelled_threads(text)
    phrase = names_in(_THROUGHPUT.sub("", text))
    quantities = phrase.quantities
    bare = re.sub(words.PERCENTILE, " ", text, flags=re.IGNORECASE)
    bare = _SHARE_AMONG.sub("", bare) if len(quantities) > 1 else bare
    if not quantities and _IN_PERCENT.search(bare):
        return Head(text, "size")
    if is_offered_load(phrase):
        return Head(text, "none", load=Load(block_bytes=phrase.load.block_bytes))
    if (quantities and _NO_RESULT.search(bare)) or (phrase.ways and _NOT_MEASURED.search(bare)):
        return Head(text, "none")
    if (match := _SIZE_ALONE.search(text)) and {each.kind for each in quantities} == {BANDWIDTH}:
        is_rate = any(token.kind == "metric_bandwidth" for token in phrase.tokens)
        if not is_rate and (match[0][1] in "gGtT" or _AMOUNT.search(text)):
            return Head(text, "size")
    if quantities and (names_other_operation(text) or counts_failures(text)):
        return Head(text, "none")
    if quantities and quantities[0].kind == BANDWIDTH and _LINE_SPEED.search(text):
        return Head(text, "none")
    if quantities and quantities[0].kind == BANDWIDTH and (is_of_memory(text) or _MEMORY_ALONE.fullmatch(phrase.rest)):
        return Head(text, "none")
    if [each.kind for each in quantities] == [LATENCY] and not _may_be_latency(phrase):
        return Head(text, "none")  # "open(s)", "Time (s)": how long something took
    return Head(text, "", quantities, phrase.statistics, phrase.ways, phrase.load, phrase.rest)


def is_offered_load(phrase: Phrase) -> bool:
    """ "Intensity (#4K-Reqs/s)": what a drive was asked for, whose size is that of all that it did."""
    return any(each.kind == IOPS for each in phrase.quantities) and _OFFERED.search(phrase.text) is not None


def _condition_of_way(text: str) -> Head | None:
    """ "Read QD", "Чтение: iodepth": a condition of one direction."""
    phrase = heading_of(text) if not any(map(str.isdecimal, text)) else None
    if phrase is None or len(phrase.ways) != 1 or phrase.quantities:
        return None
    of_load = [token for token in phrase.tokens if token.kind in ("read", "write", "random", "sequential")]
    first, last = of_load[0].start, of_load[-1].end
    head = read_head(f"{phrase.text[:first]}{phrase.text[last:]}".strip(" :,;-–—/()[]"))
    is_condition = head.role in ("depth", "jobs") or (head.role == "block" and _OF_BLOCKS.search(head.text))
    return replace(head, text=text, load=phrase.load._replace(depth=None, jobs=None)) if is_condition else None


def _with_spelled_threads(text: str) -> str:
    """ "4t GB/s", "16t read IOPS" as "4 threads GB/s": beside it stand a quantity and a load, and no other word."""
    if not _LETTERED_THREADS.search(text):
        return text
    spelled = _LETTERED_THREADS.sub(r"\g<count> threads", text)
    phrase = heading_of(spelled)
    return spelled if phrase.quantities and phrase.load.jobs and not phrase.rest else text


def is_line_speed(head: Head) -> bool:
    """ "TCP speed": of a link, or measured."""
    kinds = [each.kind for each in names_in(head.text).quantities]
    return head.role == "none" and kinds == [BANDWIDTH] and _LINE_SPEED.search(head.text) is not None


def names_in(head: str) -> Phrase:
    """A head's words: "iperf3/9000/2 (Gb/s)" is a name and its unit."""
    return _without_values(heading_of(_COUNTED.sub(r"\g<0>,", head)))


def _without_values(phrase: Phrase) -> Phrase:
    """ "kernel 6.8 IOPS": a head holds names, and what stands before a quantity is part of one."""
    tokens: list[Token] = []
    for token in phrase.tokens:
        if token.kind == "iops" and (number := re.match(r"[\d.,]+", token.text)):
            middle = token.start + number.end()
            tokens += [Token("number", number[0], token.start, middle), Token("metric_iops", "iops", middle, token.end)]
        else:
            tokens.append(token)
    return Phrase(phrase.text, tuple(tokens))


def names_latency(phrase: Phrase) -> bool:
    """By a word or a statistic."""
    return bool(phrase.statistics) or any(token.kind == "metric_latency" for token in phrase.tokens)


def _may_be_latency(phrase: Phrase) -> bool:
    """ "(ms)" alone, or "read (ms)", may stand below a head of its own."""
    if names_latency(phrase):
        return True
    return not phrase.rest and (not phrase.ways or phrase.quantities[0].factor != 1.0)


def with_repeats(heads: Sequence[Head]) -> tuple[Head, ...]:
    """Marks those whose quantities another of the same load has too; in another unit they say the same again."""

    def named(head: Head) -> set[tuple[object, ...]]:
        return {(head.load, each.kind, each.factor, head.statistic) for each in head.quantities}

    seen = Counter(name for head in heads for name in named(head))
    words = Counter((name, head.rest) for head in heads for name in named(head))

    def marked(head: Head) -> Head:
        if all(seen[name] == 1 for name in named(head)):
            return head
        is_named = all(words[name, head.rest] == 1 for name in named(head))
        wide = head.text.rpartition("  ")[0]  # "srv-a  IOPS", a head of two levels
        return replace(head, repeats=True, rest=head.rest if is_named else wide.lower() or head.rest)

    return tuple(map(marked, heads))


def without_spreads(heads: Sequence[Head]) -> tuple[Head, ...]:
    """ "Mean | SD | CI 95 %": what tells of the spread holds no result."""
    if not any("mean" in head.statistics for head in heads):
        return tuple(heads)
    return tuple(replace(head, role="none") if _SPREAD.fullmatch(head.text) else head for head in heads)


_THOUSANDS = re.compile(r"[\s*~≈]{0,4}\d[\d.,]{0,6} ?[kK][\s*]{0,4}")
_MOST_OF_SMALL = 64 * 1024


def _counts_thousands(head: Head, cells: Iterable[str]) -> bool:
    """A column of one direction in small blocks: "4k read" above "21.4k" and "38k"."""
    if not head.is_load_alone or (head.load.block_bytes or _MOST_OF_SMALL + 1) > _MOST_OF_SMALL:
        return False
    told = [cell for cell in cells if cell.strip(" -–—*")]
    return bool(told) and all(map(_THOUSANDS.fullmatch, told))


def with_own_quantities(heads: Sequence[Head], body: Sequence[Row]) -> tuple[Head, ...]:
    """Columns whose cells name their units are of their quantity: those without a head, and "Read" beside "Read IOPS"
    where most cells are rates; thousands below "4k read" are operations where others beside them are rates."""
    thousands = {at for at, head in enumerate(heads) if _counts_thousands(head, [row.cells[at] for row in body])}
    has_rates = bool(thousands) and any(
        all(BANDWIDTH in {value.kind for value in cell_of(row.cells[at]).values(False)} for row in body)
        for at, head in enumerate(heads)
        if head.is_load_alone
    )
    counted = [head.load.way for head in heads if [each.kind for each in head.quantities] == [IOPS]]

    def own(at: int, head: Head) -> Head:
        if at in thousands and has_rates:
            return replace(head, quantities=(Quantity(IOPS),))
        is_half = head.is_load_alone and counted.count(head.load.way) == 1
        is_per_op = _PER_OPERATION.fullmatch(head.text) is not None
        if head.text and not (is_half or is_per_op):
            return head
        found = [value.kind for row in body for value in cell_of(row.cells[at]).values(False)]
        if is_per_op and set(found) != {LATENCY}:
            return head
        if is_half and 2 * found.count(BANDWIDTH) <= len(body):
            return head
        kinds = {BANDWIDTH} if is_half and set(found) <= {BANDWIDTH, ""} else set(found)
        return replace(head, quantities=(Quantity(kinds.pop()),)) if len(kinds) == 1 and kinds != {""} else head

    return tuple(own(at, head) for at, head in enumerate(heads))


def with_sizes_of_blocks(heads: tuple[Head, ...], body: Sequence[Row]) -> tuple[Head, ...]:
    """Columns of blocks as their numbers have it. "Record size | 4 | 64 | 1024": too small for bytes beside others that
    are too large for MiB. "passthru | block", 80 to 879 below: the kind of a device, for no block has such a size.
    "Block size | Random read 4K": it names whole tests."""
    found = []
    for at, head in enumerate(heads):
        if head.role == "block" and body and all(heading_of(row.cells[at]).load.way for row in body):
            head = Head(head.text)
        sizes = [number(row.cells[at]) or 0.0 for row in body] if head.role == "block" and not head.factor else []
        if sizes and 0 < min(sizes) < _SMALLEST_BYTES <= max(sizes):
            head = replace(head, factor=2.0**10)
        if head.role == "block" and not head.factor and _are_bytes_first([row.cells[at] for row in body]):
            head = replace(head, factor=1.0)
        if len(sizes) > 1 and min(sizes) >= 1 and not any(map(_is_power_of_two, sizes)) and any(map(_is_odd, sizes)):
            head = Head(head.text)
        found.append(head)
    return tuple(found)


def with_crossed_conditions(heads: tuple[Head, ...], body: Sequence[Row]) -> tuple[Head, ...]:
    """ "Block size \\ Queue depth" above 1 | 32: the rows are of the first, the columns of the second, unless arrows or
    the sizes say otherwise."""
    named = _conditions_crossed(heads[0].text) if len(heads) > _LEVELS else []
    if not named:
        return heads
    for rows, columns in (named, reversed(named)):
        own = [_condition(columns, head.text) for head in heads[1:]]
        is_told = all(load != Load() and head.load in (Load(), load) for head, load in zip(heads[1:], own, strict=True))
        if is_told and all(_condition(rows, row.cells[0]) != Load() for row in body):
            return (Head(heads[0].text, rows.role, factor=rows.factor), *(map(_of_condition, heads[1:], own)))
    return heads


def _conditions_crossed(corner: str) -> list[Head]:
    """That of the rows, and that of the columns; none in other corners."""
    parts = _CROSSED.split(corner)
    if len(parts) != _LEVELS:
        return []
    if "→" in parts[0] or "↓" in parts[1]:
        parts.reverse()
    named = [read_head(_ARROWS.sub("", part).strip()) for part in parts]
    return named if len({head.role for head in named} & {"block", "depth", "jobs"}) == _LEVELS else []


def _condition(head: Head, cell: str) -> Load:
    """ "16k" is no depth."""
    is_count = cell.strip("QqTtDd= ").isdecimal()
    return head.attribute(cell) if is_count or head.role == "block" else Load()


def _of_condition(head: Head, load: Load) -> Head:
    return Head(head.text, load=load)


def are_odd_sizes(cells: Sequence[str]) -> bool:
    """ "4K", "64K", "384K": sizes of blocks, one of which is no power of two."""
    are_sizes = len(cells) > 1 and all(_ODD_SIZE.fullmatch(cell.strip()) for cell in cells)
    sizes = [size_of(cell) for cell in cells] if are_sizes else []
    return (
        any(sizes) and not all(sizes) and all(size or _odd_size(cell) for size, cell in zip(sizes, cells, strict=True))
    )


def _are_bytes_first(cells: Sequence[str]) -> bool:
    """ "64", "256", "1k", "4k": what has no unit beside 1 KiB, and is less, counts bytes."""
    texts = {cell.strip(" *") for cell in cells}
    bare = {int(text) for text in texts if text.isdecimal()}
    named = {size_of(text, 2**30) or 0 for text in texts if not text.isdecimal()}
    return bool(bare) and bool(named) and min(named) == 2**10 > max(bare)


def with_numbers_of_rows(heads: tuple[Head, ...], body: Sequence[Row]) -> tuple[Head, ...]:
    """ "Job | Operation": 1, 2, 3 ..., one a row, beside loads that change, number the rows and count no jobs."""
    rows = sorted(str(count) for count in range(1, len(body) + 1))

    def numbers(at: int, head: Head) -> bool:
        if head.role != "jobs" or sorted(row.cells[at].strip(" *#.") for row in body) != rows:
            return False
        is_one = _ONE_JOB.fullmatch(head.text) is not None and len(rows) > 1
        others = {heading_of(row.cells[other]).load.way for row in body for other in range(len(heads)) if other != at}
        return (is_one or len(rows) >= _FEWEST_STEPS) and len(others - {None}) > 1

    return tuple(Head(head.text, "size") if numbers(at, head) else head for at, head in enumerate(heads))


def _is_power_of_two(size: float) -> bool:
    return math.frexp(size)[0] == 0.5


def _is_odd(size: float) -> bool:
    """Whether nobody would choose it as a size."""
    return size % 4 != 0 and size % 10 != 0


def is_unit_column(text: str, cells: Sequence[str]) -> bool:
    """A column named "Unit", or one without a name that holds nothing but units."""
    if text:
        return _UNIT.fullmatch(text) is not None
    filled = [heading_of(cell) for cell in cells if cell]
    return bool(filled) and all(phrase.quantities and not phrase.rest and not phrase.ways for phrase in filled)


def with_named_columns(heads: Sequence[Head], body: Sequence[Row], captions: Sequence[str]) -> tuple[Head, ...]:
    """ "numjobs | 1 | 2 | 4": the corner says what the numbers above the columns count, or lines above the table do:
    "with 1 to 4 threads"."""
    corner, others = heads[0], heads[1:]
    if not corner.role and (counted := _counted_above([head.text for head in others], captions)):
        corner = replace(read_head(counted), text=corner.text)
    is_of_all = corner.role in ("block", "depth", "jobs") and corner.load == Load()
    counts = [corner.attribute(head.text) for head in others if is_of_all]
    if not counts or Load() in counts or any(_SMALL_NUMBER.fullmatch(row.cells[0]) for row in body):
        return tuple(heads)
    named = (replace(head, load=load.over(head.load), rest="") for head, load in zip(others, counts, strict=True))
    return (Head(corner.text), *named)


def _counted_above(texts: Sequence[str], captions: Sequence[str]) -> str:
    """What the growing numbers of columns count, as the lines above name it with the first and the last of them; ""
    where they name nothing so, or two things."""
    counts = [int(text) if _SMALL_NUMBER.fullmatch(text) else 0 for text in texts]
    if len(counts) < _FEWEST_STEPS or 0 in counts or counts != sorted(set(counts)):
        return ""
    ends = str(counts[0]), str(counts[-1])
    swept = (match for line in captions for match in (*_SWEPT.finditer(line), *_NAMED_SWEPT.finditer(line)))
    named = {"threads" if match["jobs"] else "queue depth" for match in swept if match.group("first", "last") == ends}
    return named.pop() if len(named) == 1 else ""


_OF_SPREAD = ("mean", "min", "max", "stddev")


def with_percentiles(heads: Sequence[Head], only: bool = False, unit: float | None = None) -> tuple[Head, ...]:
    """ "IOPS | lat avg (ms) | p99": percentiles are latencies, in the unit of the other latencies.

    only: also where nothing else is named, as by rows whose cells have units, or whose corner has it: unit, in seconds.
    """
    if not only and not any(head.quantities for head in heads):
        return tuple(heads)
    units = {each.factor for head in heads for each in head.quantities if each.kind == LATENCY} - {None}
    quantity = Quantity(LATENCY, units.pop() if len(units) == 1 else unit)
    points = sum(1 for head in heads if head.statistic.startswith("p"))
    has_mean = any(head.statistics == ("mean",) and not (head.rest or head.quantities) for head in heads)

    def is_latency(head: Head) -> bool:
        is_mean = points > 0 and head.statistics == ("mean",) and not head.rest
        is_mean = is_mean or (has_mean and points > 0 and head.statistics in (("min",), ("max",)) and not head.rest)
        are_points = any(each.startswith("p") for each in head.statistics)  # "p50 / p99", "avg / p99"
        are_points = are_points and all(each.startswith("p") or each in _OF_SPREAD for each in head.statistics)
        return not head.quantities and (are_points or is_mean)

    found: list[Head] = []
    for head in heads:
        is_spread = only and bool(found) and _is_spread_of(head, found[-1])
        found.append(replace(head, quantities=(quantity,)) if is_spread or is_latency(head) else head)
    return tuple(found)


def _is_spread_of(head: Head, above: Head) -> bool:
    """ "scan max" below "scan p99 (us)"."""
    is_same = (head.rest, head.load) == (above.rest, above.load) and bool(above.quantities)
    is_latency = all(each.kind == LATENCY for each in above.quantities)
    return is_same and is_latency and not head.quantities and head.statistic in ("min", "max", "stddev")


def body_and_heads(grid: Grid, width: int, has_values: Callable[[Row], bool]) -> tuple[list[str], list[Row]]:
    """One heading a column, and the rows below the heads that are as wide as the table, or a label alone."""
    grid = _with_axis(_without_notes(replace(grid, rows=tuple(map(spelled, grid.rows)))))
    count = _head_count(grid, has_values)
    texts = _with_flushes_of_mixed(_texts(grid.rows[:count], width))
    body: list[Row] = []
    is_ruled = grid.style == "bars" and grid.heads is not None
    is_remarked = width > 2 and not any(is_value(row.cells[-1]) for row in grid.rows[count:] if len(row.cells) == width)
    for row in grid.rows[count:]:
        if body and len(row.cells) == width - 1 > 2 and _is_spanned(row, body[-1]):
            row = Row(row.line, ("", *row.cells))
        elif is_ruled and len(row.cells) == width - 1 > 1 and has_values(row):
            row = Row(row.line, (*row.cells, ""))  # Markdown: the last cell is empty
        elif is_remarked and len(row.cells) == width - 1 and all(map(is_value, row.cells[1:])):
            row = Row(row.line, (*row.cells, ""))  # nothing is remarked of it
        body += [row] if len(row.cells) == width else []
    body = _with_wrapped_cells(_with_wrapped_labels(body))
    return with_unit_of_sum(texts, body), without_rates_of_both(texts, body)


def _with_flushes_of_mixed(heads: list[str]) -> list[str]:
    """ "Reads/s | Writes/s | Fsyncs/s" of sysbench: its flushes are of the one run, and no test of their own."""
    is_mixed = {"reads/s", "writes/s"} <= {head.lower().strip("*` ") for head in heads}
    return [CALLS_A_SECOND.sub("flushes", head) for head in heads] if is_mixed else heads


def _with_wrapped_labels(body: list[Row]) -> list[Row]:
    """ "randread | 337" above "bs=4k, QD8 |": where a lone label stands below the last row, and none above the first,
    such go on with the label above them; else they head sections, or are tests without a value."""
    lone = [bool(row.cells[0]) and not any(row.cells[1:]) for row in body]
    own = any(is_lone and heading_of(row.cells[0]).load.way for row, is_lone in zip(body, lone, strict=True))
    if not body or lone[0] or not lone[-1] or own:
        return body
    found: list[Row] = []
    for row, is_lone in zip(body, lone, strict=True):
        if is_lone:
            above = found.pop()
            row = Row(above.line, (f"{above.cells[0]} {row.cells[0]}", *above.cells[1:]))
        found.append(row)
    return found


def _with_wrapped_cells(body: list[Row]) -> list[Row]:
    """ "randread | 8416 IOPS" above " | 131 MiB/s" and " | 119 us": each row goes on in as many lines, of which each
    holds another quantity with its unit."""
    firsts = [at for at, row in enumerate(body) if row.cells[0]]
    sizes = {end - first for first, end in pairwise([*firsts, len(body)])}
    if len(sizes) != 1 or sizes == {1} or firsts[0] > 0:
        return body
    parts = [body[first : first + max(sizes)] for first in firsts]
    columns = [cells for rows in parts for cells in zip(*(row.cells[1:] for row in rows), strict=True)]
    if not all(map(_are_of_several_kinds, columns)):
        return body
    return [
        Row(
            rows[0].line,
            (rows[0].cells[0], *(" / ".join(cells) for cells in zip(*(r.cells[1:] for r in rows), strict=True))),
        )
        for rows in parts
    ]


def _are_of_several_kinds(cells: Sequence[str]) -> bool:
    kinds = [{value.kind for value in cell_of(cell).values(False)} for cell in cells]
    return all(len(each) == 1 and each != {""} for each in kinds) and len(set().union(*kinds)) == len(kinds)


def _without_notes(grid: Grid) -> Grid:
    """ "1) TCP throughput | 2) RTT (ms)": without the numbers of the notes that explain heads."""
    heads = grid.rows[0]
    cells = tuple(_NUMBER_OF_NOTE.sub("", cell) for cell in heads.cells)
    return grid if cells == heads.cells else replace(grid, rows=(Row(heads.line, cells), *grid.rows[1:]))


def _with_axis(grid: Grid) -> Grid:
    """ "Write speed (MiB/s) | Unit | |" above "Threads | 1 | 2 | 8 |": a title, and below it what the columns count."""
    title, axis = grid.rows[0].cells, grid.rows[1].cells if len(grid.rows) > 2 else ()
    named = [cell for cell in title if cell and not _UNIT.fullmatch(cell)]
    numbers = [number(cell.strip("* ")) for cell in axis[1:]]
    known = [each for each in numbers if each is not None]
    label = axis[0].strip("* ") if axis else ""
    if (
        len(named) != 1
        or not any(each.factor for each in read_head(named[0]).quantities)
        or len(axis) != len(title)
        or not re.fullmatch(r"[^\W\d][^\d]*", label)
        or len(known) < _FEWEST_STEPS
        or known != sorted(set(known))
        or None in numbers[:-1]
    ):
        return grid
    unit = "" if numbers[-1] is not None else axis[-1].strip("* ")
    role = read_head(label).role
    if role == "block" and not unit and known[0] < _SMALLEST_BYTES <= known[-1]:
        unit = "k"  # too small for bytes, and too large for MiB
    steps = [_step(cell.strip("* "), label, unit, role) for cell in axis[1 : len(known) + 1]]
    heads = Row(grid.rows[0].line, (named[0], *steps, *(["Unit"] if numbers[-1] is None else [])))
    return replace(grid, rows=(heads, *grid.rows[2:]), heads=1)


def _step(count: str, label: str, unit: str, role: str) -> str:
    """What a column counts, as a head; "Size" alone may be that of a file."""
    names = {"jobs": f"{count} jobs", "depth": f"QD{count}", "block": f"bs={count}{unit}"}
    is_size = role == "block" and (not unit or not _OF_BLOCKS.search(label))
    return count if is_size else names.get(role, count)


def _is_spanned(row: Row, above: Row) -> bool:
    """Whether the first cell of the row above reaches over this one: without it the rest is of one kind."""
    kinds = [bool(cell_of(cell).values(False)) for cell in row.cells]
    return kinds == [bool(cell_of(cell).values(False)) for cell in above.cells[1:]] and not kinds[0] and any(kinds)


def _head_count(grid: Grid, has_values: Callable[[Row], bool]) -> int:
    """Rows above the rule; without one, the leading rows that hold no number at all. A first row of data is no head."""
    if grid.heads == 0:
        return int(_counts_columns(grid.rows[0]))
    if (
        grid.heads is not None
        and 1 <= grid.heads <= 3
        and not any(
            has_values(row)
            and not (_may_be_head(row) or _names_runs(row) or _names_what_is_below(row, grid.rows[grid.heads :]))
            for row in grid.rows[: grid.heads]
        )
    ):
        second = grid.rows[1] if grid.heads == 1 < len(grid.rows) else None
        is_head = second is not None and not has_values(second) and _names_columns(grid.rows[0], second)
        return grid.heads + is_head
    is_head = _counts_columns(grid.rows[0]) or _names_what_is_below(grid.rows[0], grid.rows[1:])
    heads = int(is_head or _crosses(grid.rows[0]) or _names_runs(grid.rows[0]))
    for at, row in enumerate(grid.rows[heads:3], heads):
        if has_values(row) or any(map(_holds_values, row.cells[1:])) or (heads and is_spanned(row.cells)):
            break
        if _is_of_thousands(row) and _are_tests(row, filter(has_values, grid.rows[at + 1 :])):
            break
        heads += 1
    return heads if heads < len(grid.rows) else 1


def _is_of_thousands(row: Row) -> bool:
    """ "4k randread | 128k" above "4k randwrite | 31k": what would be a size in a head is a count in such a row, and
    "4k randread | 2100 → 5400" tells of two."""
    cells = [part for cell in row.cells[1:] for part in re.split(r" / | ?(?:→|->|=>) ?", cell)]
    is_count = is_value if len(cells) > len(row.cells[1:]) else THOUSANDS.fullmatch
    return bool(cells) and all(is_count(cell) or THOUSANDS.fullmatch(cell) for cell in cells)


def _are_tests(row: Row, below: Iterable[Row]) -> bool:
    """Whether there are rows below it, and the labels of all name a direction."""
    named = [heading_of(each.cells[0]).load.way is not None for each in (row, *below)]
    return len(named) > 1 and all(named)


def _names_runs(row: Row) -> bool:
    """ "Test | #1 | #2 | mean"."""
    return sum(1 for cell in row.cells[1:] if _NUMBERED_RUN.fullmatch(cell)) > 1


def _crosses(row: Row) -> bool:
    """ "Jobs \\ QD | 16 | 32": the corner names what rows and columns count."""
    return len(_conditions_crossed(row.cells[0])) == _LEVELS and _may_be_head(row)


def is_spanned(cells: Sequence[str]) -> bool:
    """A cell that reaches over all columns, and so stands in each of them."""
    return len(cells) > _LEVELS and cells[0] != "" and len(set(cells)) == 1


def _may_be_head(row: Row) -> bool:
    """Numbers that count threads, drives or copies may head columns."""
    numbers = [cell for cell in row.cells[1:] if cell]
    return bool(numbers) and all(_SMALL_NUMBER.fullmatch(cell) or not cell_of(cell).values(False) for cell in numbers)


def _names_what_is_below(row: Row, body: Sequence[Row]) -> bool:
    """ "Metric | as it is | delay 1 ms | IOPS 200" above the rule: each row below has a label that names a quantity,
    which this one has not, and its corner is a word. A row of data would name its own."""
    corner = read_head(row.cells[0])
    if not corner.text or corner.quantities or corner.load != Load() or len(body) < _FEWEST_LABELLED:
        return False
    return all(read_head(below.cells[0]).quantities for below in body if any(below.cells[1:]))


def _names_columns(top: Row, row: Row) -> bool:
    """Quantities in two cells, loads in all but an empty first, or a word below each gap of the row above: heads that
    stand below the rule in Markdown."""
    if any(map(_holds_values, row.cells)):
        return False
    gaps = [at for at in range(2, min(len(top.cells), len(row.cells))) if not top.cells[at]]
    if gaps and not row.cells[0] and all(row.cells[at - 1] and row.cells[at] for at in gaps):
        return True
    if sum(1 for cell in row.cells if read_head(cell).quantities) > 1:
        return True
    filled = [read_head(cell) for cell in row.cells if cell]
    return not row.cells[0] and len(filled) > 1 and all(head.only_load for head in filled)


def _holds_values(cell: str) -> bool:
    """Two or more, one of them a rate, as no head does: "204 MB/s · 195 IOPS"; "kernel 6.8 IOPS" is one."""
    kinds = [token.kind for token in heading_of(cell).tokens if token.kind in ("rate", "iops", "time")]
    return len(kinds) > 1 and set(kinds) != {"time"}


def _counts_columns(row: Row) -> bool:
    """ "numjobs | 1 | 2 | 4", or growing counts beside an empty corner, or such as one takes for threads."""
    corner, others = read_head(row.cells[0]), row.cells[1:]
    if not all(map(_SMALL_NUMBER.fullmatch, others)):
        return False
    counts = [int(each) for each in others]
    grow = len(counts) > 1 and counts == sorted(set(counts))
    are_doubled = len(counts) >= _FEWEST_STEPS and counts[0] == 1 and all(each & (each - 1) == 0 for each in counts)
    is_name = not corner.text or (are_doubled and corner.load == Load() and not corner.quantities)
    return corner.role in ("depth", "jobs") or (grow and is_name)


def _with_loads_in_pieces(top: tuple[str, ...], below: tuple[str, ...]) -> tuple[str, ...]:
    """ "4K | random read | 1M | write" above "IOPS | MB/s | IOPS | MB/s": a load over as many columns as there are
    quantities, a piece of it in each, is that of them all."""
    heads, names = [read_head(text) for text in below[1:]], below[1:]
    step = next((at for at in range(1, len(names)) if names[at] == names[0]), 0)
    if step < _FEWEST_LABELLED or len(names) % step or names != names[:step] * (len(names) // step):
        return top
    parts = [top[at : at + step] for at in range(1, len(top), step)]
    told = {tuple(_told_of_load(heading_of(text)) for text in part if text) for part in parts}
    kinds = [kind for part in told for kind in part]
    are_pieces = len(told) == 1 and len(kinds) > 1 and all(kinds) and len(set(kinds)) == len(kinds)
    if not are_pieces or not all(head.quantities and head.load == Load() for head in heads):
        return top
    return (top[0], *(" ".join(filter(None, part)) for part in parts for _ in part))


def _told_of_load(phrase: Phrase) -> tuple[str, ...]:
    """What a phrase tells of a load, if it says nothing else."""
    if phrase.rest or phrase.quantities:
        return ()
    told = zip(Load._fields, phrase.load, Load(), strict=True)
    return tuple(name for name, value, untold in told if value != untold)


def _texts(rows: Sequence[Row], width: int) -> list[str]:
    """Of two rows of headings the upper spans as many columns as it has to."""
    texts = [""] * width
    if len(rows) == _LEVELS and all(len(row.cells) == width for row in rows):
        rows = (Row(rows[0].line, _with_loads_in_pieces(*(row.cells for row in rows))), rows[1])
    for row in rows:
        cells = list(row.cells)
        if len(cells) < width and len(cells) > 1 and (width - 1) % (len(cells) - 1) == 0:
            span = (width - 1) // (len(cells) - 1)
            cells = [cells[0], *(cell for cell in cells[1:] for _ in range(span))]
        elif len(rows) > 1 and row is rows[0]:
            for at in range(2, len(cells)):
                cells[at] = cells[at] or cells[at - 1]
        for at, cell in enumerate(cells[:width]):
            if cell != texts[at]:  # a cell of two rows' height
                texts[at] = f"{texts[at]}  {cell}".strip()  # two blanks: "replica 3" and "IOPS" are not three IOPS
    return texts
