"""The grammar of what people write of loads and measurements: a heading, a cell, a caption, a line of a list.

A phrase is read from left to right into tokens; what the tokens say together is asked of the phrase. One rule above
all: a number without a unit is a number and no measurement.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from radoscope import patterns as re
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.quantities import BITS, number

LONGEST_PHRASE = 400
LABELS_KEPT = 2**15
"""More than a table has rows: what is read of their labels for one question is at hand for the next one."""
IOPS, BANDWIDTH, LATENCY = "iops", "bandwidth", "latency"

_NUMBER = r"(?:\d{1,3}(?:[.,'’]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)?|\.\d+)(?:[eE][+-]?\d{1,3})?"
_SPACED = r"\d{1,3}(?: \d{3})+(?:[.,]\d+)?"
_FRONT = r"(?<![a-zà-ɏа-я0-9_.'’-])(?<!\d,)"
CJK = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
"""These write without blanks, so that a word ends where a known one begins."""
_COUNTED_BY = r"(?: (?:of|d[ei])(?= )| d['’])?"
"""Between a number in words and what it counts: "3 millions d'IOPS", "45k de IOPS"."""
_SCALE = (
    rf"(?:[kKM](?![a-zA-Zа-я])|(?:[kK]|mil(?:le|a|liers|es)?|migliaia|thousand|tausend|duizend|tusen|tusind|bin"
    rf"|nghìn|ribu)(?=[\s.,;:)|]*(?:$|[;,)|]\s)|\s?/|{_COUNTED_BY}\s?(?:iops|i/?os?/s|ops?/s))|M(?=\s?iops)|millions?|millionen|millones|milh[õo]es|milion[aiyeów]*|миллион\w*|mio\.?(?!\w)"
    r"|万|萬|만|(?-i:w)(?=\s?iops)|т[ыи]сяч[аиі]?(?![а-яіїє])|тыс\.?|тис\.?|tysi(?:ąc|ęc)[ey]?|tisíce?|千(?=\s?iops)|천|tys\.?|tis\.?|Tsd\.?|млн\.?|mln\.?)"
)
_SIZE = (
    r"\d{1,8}(?:\.0{1,2}(?=[kKmM]i?B))? ?(?:[kmкм](?:[iи]?[bбo](?:ytes?|айт)?|(?<=\d[km])i|)|b(?:ytes?)?|байт)"
    r"(?![a-pr-zа-я0-9²]|q(?!d?\d)|/(?!q)"
    r"| ?(?:iops|b/s|io/s|ops)|(?<=m) ?\d{1,2} ?s(?:ec)?(?![a-z]))"  # "2m 41s"
    rf"|(?:{'|'.join(str(2**power) for power in range(9, 23))})(?=_(?:seq|rand|read|write|rw))"
)
"""In the names that CBT gives its loads a block has no unit: "4096_randread"."""
_ODD_SIZE = r"\d{1,3}[.,]\d{1,2} ?[kmкм](?:[iи]?[bбo](?:ytes?|айт)?)?(?![a-zа-я0-9/])"
"""Of a block that is called so: "blocks of 1.5 MB"."""
_BARE_RATE = r"[kKmMgG]/s(?![a-zA-Z])"
RATE = re.sub(r"\(\?P<\w+>", "(?:", words.RATE_UNIT)
_PERCENTILE = re.sub(r"\(\?P<\w+>", "(?:", words.PERCENTILE)
_COUNT_WORDS = "|".join(words.COUNTS.values())
_OF = (
    rf"(?:of |von |mit |van |av |de |di |da |z |w |o |po |в |по |из "
    rf"|(?:a|à|auf) (?!{_NUMBER} ?(?:{RATE}|{words.IOPS})) ?"
    r"|(?:set|cut|lowered|reduced|raised|increased|turned|changed)(?: (?:down|up))? to |改(?:为|成|為)|変更して"
    r"|(?:(?:is |was |were )?(?:fixed|pinned) (?:at|to)|(?:war |ist )?fest(?: auf)?|固定(?:[为為是在]|で)?|に固定して)"
    r" ?"
    r"|(?:always|überall|jeweils|immer|toujours|partout|siempre|sempre|zawsze|wszędzie|vždy|везде|всегда) "
    r"|(?:[均都皆]|全部|[统統]一)[设設]?[为為是]|は(?:すべて|全て|常に)|[는은] ?(?:모두|항상) |[=:はが为為是])?"
    r"(?: ?(?:the |its )?(?:default|standard|默认的?|預設的?|デフォルトの?|기본값?) ?(?:of )?)?"
)
"""Between the name of a condition and its value."""
_NO_COUNT = (
    r"(?! ?(?:=(?![=>]) ?\S|: ?\d{1,4}(?:[;)]|,(?!\d{3})|\s*$)|\d+(?![\d.,]*(?: ?[kKM])?\s?"
    r"(?:[kmg]i?b|[km](?![a-z0-9])|iops|[munµμ]s(?![a-z])))))"
)
"""Behind the name of a condition whose value stands in front: "4 jobs: 310k IOPS"."""
_ONE_VALUE = rf"{_NUMBER} ?(?:{RATE}|{words.TIME_UNIT}|{_SCALE}? ?(?:{words.IOPS})|%|{_SCALE})?"

_TOKENS = "|".join(
    f"(?P<{name}>{pattern})"
    for name, pattern in (
        (
            "noise",
            rf"{_FRONT}{_NUMBER}(?: ?{_SCALE})? ?(?:iops) ?/ ?(?:%|core|cpu|watt|w(?![a-z])|[$€]"
            rf"|[gt]i?b(?![a-z/]))|{words.QUESTION}|{words.OTHER_SIZE}|{words.NO_WAY}"
            r"|max(?:imum)? throughput(?= ?[-:]? ?\d)|(?<![\d.])100 ?%(?= ?[a-z])",
        ),
        ("option", r"(?<![a-z])-{0,2}(?:readwrite|rw)[= ](?:rand)?(?:read|write|rw)(?![a-z])"),
        (
            "cdm",
            r"(?:(?<![a-z])|(?<=\d[km]))(?:qd? ?=? ?\d{1,5}[,、]? ?t ?=? ?\d{1,5}|t\d{1,5} ?q\d{1,5})(?![\d.])",
        ),
        (
            "depth",
            rf"(?:(?<![a-z])|(?<=\d[km]))(?:{words.DEPTH}) ?(?:{_OF}|is|was) ?\d{{1,5}}"
            r"(?![\d%]|[.,]\d|[kKmM](?:i?b)?(?![a-z])|-\d{1,5}(?![\w-]))"
            rf"|{_FRONT}\d{{1,5}}[ -]?(?:{words.DEPTH}|depth)(?! ?(?:[=:] ?\S|\d+(?![\d.]*[kKmM])))"
            rf"|{words.ONE_DEPTH}|(?<=iops) ?@ ?\d{{1,4}}(?![\d.,]| ?[kmnuµμs])",
        ),
        (
            "jobs",
            r"(?<![a-z])(?<!with \d )(?<!with \d\d )(?<!with \d\d\d )"
            rf"(?!workers?\d|worker \d)(?:{words.JOBS}) ?{_OF} ?\d{{1,4}}"
            r"(?![\d%]|[.,]\d|[kKM](?![a-z])|[ -]?(?:iops(?! ?=)|[kmg]i?b|[kKM]iops))"
            rf"|{_FRONT}\d{{1,4}}[ -]?(?:x ?|个|個|개 ?)?(?:parallel |concurrent |fio )?(?:io |i/o )?(?:{words.JOBS})"
            rf"{_NO_COUNT}"
            rf"|(?<![a-z])(?:{_COUNT_WORDS})[- ]?(?:parallel |fio )?(?:{words.JOBS}){_NO_COUNT}"
            rf"|{words.ONE_JOB}|(?<=[-_])n?j\d{{1,3}}(?![\w.])|(?<=[(（])t ?= ?\d{{1,3}}(?=[)）])",
        ),
        (
            "block",
            rf"(?:{words.BLOCK}|{words.BLOCK_NOUN}) ?{_OF} ?(?:{_SIZE}|{_ODD_SIZE})"
            rf"|(?:{words.BLOCK}) ?{_OF} ?\d{{3,8}}(?![\d.,])"
            rf"|{_FRONT}\d{{1,5}} ?[kmкм](?:[iи]?[bб])?[- ]?(?:{words.BLOCK_BEHIND})"
            rf"|{_FRONT}\d{{3,7}} bytes? ?(?=(?:random |seq\w* )?"
            r"(?:writes?|reads?|blocks?|i/?os?|requests?|records?)(?![a-z]))",
        ),
        (
            "ratio",
            rf"(?<![^\W_])(?<![.,])(?:\d\d ?[/:] ?\d\d(?![\d.,/])|(?:100/0|0/100)(?![\d.,/])|\d\d ?% ?(?:r(?:eads?)?"
            rf"|{words.READ})(?![a-z])(?:\W{{1,4}}\d\d ?%? ?(?:w(?:rites?)?|{words.WRITE}))?"
            rf"|\d\d ?% ?(?:{words.WRITE})|(?<![:/])[1-9]:[1-9](?![\d:.,]))",
        ),
        ("version", r"(?<![\w.])(?!\d{1,3}(?:\.\d{3}){2}(?![\w.]))[vV]?\d{1,4}(?:\.\d{1,5}){2,5}(?![\w.])"),
        ("percentile", _PERCENTILE),
        (
            "range",
            rf"(?<!=){_FRONT}(?!{_NUMBER} ?(?:{RATE}|{words.IOPS}) [-–—] {_NUMBER} ?%)"  # "870 MB/s — 88 %"
            rf"{_ONE_VALUE} ?(?:-|–|—|~|〜|～|\.\.\.?|…|->|→|=>|bis|to|à|až|до) ?{_ONE_VALUE}",
        ),
        (
            "limit",
            rf"(?:(?<![-=])>|<(?![-=])|[≤≥]|>=|<=) ?{_ONE_VALUE}|{_FRONT}{_NUMBER}(?: ?{_SCALE})?\+(?= ?[a-z(]|$)",
        ),
        ("spread", rf"[±] ?{_ONE_VALUE}|\+/- ?{_ONE_VALUE}"),
        (
            "change",
            rf"(?<![\w.,)])[+−-]\d[\d.,]* ?(?:%|x)?(?!\d)|{_FRONT}{_NUMBER} ?(?:x|×|倍|%)(?![a-z\d])"
            rf"|(?<![\w)])(?<!\d )× ?{_NUMBER}(?![\w.,])",
        ),
        ("rate", rf"{_FRONT}{_NUMBER} ?(?:{RATE}|{_BARE_RATE})"),
        (
            "iops",
            rf"{_FRONT}(?:(?<!job )|(?<=\d job )|(?<=one job )|(?<=single job ))"  # "job 4 IOPS" heads a column
            rf"{_NUMBER}(?: ?{_SCALE}{_COUNTED_BY})? ?(?:{words.IOPS})(?! ?=)",
        ),
        ("time", rf"{_FRONT}{_NUMBER} ?(?:{words.TIME_UNIT})"),
        (
            "size",
            rf"(?:{_FRONT}(?<![*×])(?<![*×] )|(?<=seq)|(?<=rnd)|(?<=rand)|(?<=read)|(?<=write)|(?<=rw)){_SIZE}",
        ),
        ("scaled", rf"{_FRONT}{_NUMBER} ?{_SCALE}"),
        ("number", rf"{_FRONT}(?<!@){_NUMBER}(?![a-zа-я0-9_%]|[.,]\d)"),
        ("stddev", words.STDDEV),
        ("median", words.MEDIAN),
        ("mean", words.MEAN),
        ("min", words.MINIMUM),
        ("max", words.MAXIMUM),
        (
            "rate_unit",
            rf"(?<![a-z\d]){RATE}|(?<=[(\[])[kmg]i?bs?(?=[)\]])|(?<=_)[kmg]i?b_?s(?![a-z])"
            r"|(?<=bw[_ ])[kmg]i?b(?:ytes)?(?![a-z/])",
        ),
        ("metric_iops", words.IOPS),
        ("metric_latency", words.LATENCY),
        ("metric_bandwidth", words.BANDWIDTH),
        (
            "time_unit",
            rf"(?<=[(\[, _/:])(?!(?<=[a-z]/)s(?:ec)?(?![a-z]))(?:{words.TIME_UNIT})(?=\s*[)\],;/:|↓⬇▼]|\s|$)",
        ),
        (
            "thousands",
            rf"(?<=[(\[（, ])(?:[kKM](?=[;)\]）])|{words.SCALE}(?=\.?(?:[)\]）]|\s*$)))"
            rf"|(?<![^\s(\[,/])(?:[km]|{words.SCALE})(?=[ -]iops)|(?<![a-z])(?:[km]|[千万萬])(?=iops)"
            r"|(?<![a-z])k(?=(?:i/?os?|ops?) ?/ ?s)",
        ),
        ("both", r"(?<![a-z])(?:r(?:eads?|d)? ?/ ?w(?:rites?|r)?|(?<!/)(?-i:WR?) ?/ ?(?-i:RD?)(?! ?/))(?![a-z])"),
        ("mixed", words.MIXED),
        ("read", words.READ),
        ("write", words.WRITE),
        ("random", words.RANDOM),
        ("sequential", words.SEQUENTIAL),
        ("block_word", words.BLOCK),
        ("word", rf"{CJK}|[^\W\d_](?:(?!{CJK})\w)+|(?-i:(?<!\w)[A-Z](?!\w))"),
    )
)
_TOKEN = re.compile(rf"(?=[^\s!\"$%&'()*,:;=?\[\\\]^`{{|}}~]| [@rwp/]|^)(?:{_TOKENS})", re.IGNORECASE)
"""Nearly no blank and no mark begins a token, so that one look spares most of them all alternatives."""
PLAIN_VALUE = re.compile(
    r"\d{1,9}(?:\.\d{1,4})?(?: ?(?:(?P<rate>[KMG]i?B/s)|(?P<time>[mu]s)|(?P<iops>IOPS)))?|\d{1,9}\.\d{1,4}(?P<scaled>k)"
)
"""It is read without the grammar: tables are full of such, and each is another, so that it would push out of the
caches the words that come again."""
OPTIONS = re.compile(r"(?<![a-z])(?:bs|iodepth|rw|numjobs)=\w", re.IGNORECASE)
"""A line that names options of fio tells the conditions of what is below."""
_THOUSAND = ("mil", "mila", "mille", "miles", "milliers", "migliaia")
"""What begins like a million and is none."""
_SETTING = re.compile(
    r"(?<![^\W_])(?:no|max|min|big|enable|disable|allow|use)_(?:reads?|writes?)"
    r"(?!_?(?:iops|bw|band|through|rate|speed|lat|avg|mean|time|[kmg]i?b|p?\d))(?:_[a-z]{1,20}){0,3}(?![^\W_])"
    r"(?P<value> ?= ?\w{1,12})?",
    re.IGNORECASE,
)
""" "max_read=128K", "no_write_workqueue": an option in one word. Its value is no block, and it names no direction."""
_JOINED_SIZE = re.compile(
    r"(?:(?<=[^\W\d_])|(?<=rw\d\d)|(?<=mix\d\d)|(?<=mixed\d\d))[-_.](?=\d{1,4}[km]i?b?(?![a-z]))"
    r"|(?<=\d[km])[-_.](?=[a-z]|\d{2,3} ?%|\d{1,3} ?thr|\d\dr\d\dw)",
    re.IGNORECASE,
)
_JOINED_WAY = re.compile(
    r"(?<=[^\W\d_])_(?=(?:rand(?:om)?|rnd|seq(?:uential)?|reads?|writes?)(?![^\W_]))", re.IGNORECASE
)
"""Names of tests hide what they do behind what they use: "ioUring_random_read"."""
_RUN_TOGETHER = re.compile(
    r"(?<![a-z\d.])(?P<front>seq(?:uential)?|rand(?:om)?|rnd)?(?P<size>\d{1,4}[km]i?b?)"
    r"(?:(?P<order>seq(?:uential)?|rand(?:om)?|rnd)?(?P<way>reads?|writes?|rw)"
    r"|(?P<letters>(?:seq|rand|rnd)(?-i:[RW])))(?![a-z\d])",
    re.IGNORECASE,
)
""" "4krandread", "seq64kwrite", "4KRandW"."""
_JOINED_CAPITALS = re.compile(
    r"(?<=[a-z])(?=(?:IOPS|BW|Bandwidth|Throughput|Lat(?:ency)?|Reads?|Writes?|Rand(?:om)?|Seq(?:uential)?)(?![a-z]))"
)
""" "readIOPS", "RandWriteBW"."""
_SPACED_IN_CELL = re.compile(rf"(?:^[ *_`~≈]*|[(\[][~≈]?){_SPACED}")
_QUOTED = re.compile(r"[\"“”](?=[\d.,]+[\"“”])|(?<=\d)[\"“”]")
_HYPHENED_SIZE = re.compile(
    r"(?<=\d)(?:-| [–-] )(?=(?:[kmкм][iи]?(?:[bбo](?:ytes?|айт)?)|bytes?)(?![a-zа-я]))", re.IGNORECASE
)
_GAP = re.compile(r"(?<=[:：=]) {2,}(?=\d)")
_LETTER = re.compile(
    r"(?<![A-Za-z0-9])(?P<front>[RW])(?=\d{1,4}[kKM](?![a-z]))|(?<=\d[kKM])[ _-]?(?P<behind>[RW])(?![A-Za-z:=/])"
    r"|(?<![A-Za-z])(?P<order>(?i:seq|rnd|rand))[. _-]{0,2}(?P<alone>[RW])(?![A-Za-z:=/])"
    r"|(?<=\d0/\d0)[ ,(\[-]{1,2}(?P<half>[rwRW])[)\]]?(?=\W*$)"
)
_SLASHED = re.compile(
    rf"{_FRONT}(?P<first>{_NUMBER} ?{_SCALE}?) ?/ ?"
    r"(?P<way>(?:[rw] ?[:=]|(?:reads?|writes?|[读讀写寫]) ?[:=：]?) ?)?"
    rf"(?P<second>{_NUMBER} ?{_SCALE}?)"
    rf" ?(?P<unit>{RATE}|{words.IOPS}|{words.TIME_UNIT})",
    re.IGNORECASE,
)
_SLASHED_ALL = re.compile(
    rf"{_FRONT}(?P<values>{_NUMBER}(?: ?/ ?{_NUMBER}){{2,5}}) ?(?P<unit>{words.TIME_UNIT})(?![^\W\d_])", re.IGNORECASE
)
_BRACKETED_UNIT = re.compile(
    r"(?<=\d)(?<![jqdhs]=\d)(?<![jqdhs]=\d\d)(?<![jqdhs]=\d\d\d) ?"  # "at j=16 (ms)"
    rf"[(\[](?P<unit>{RATE}|{words.TIME_UNIT}|{words.IOPS})[)\]]",
    re.IGNORECASE,
)
_RADOS_THREADS = re.compile(
    r"\brados\b.{1,80}?(?:(?<!\w)-?t[ =]{0,3}(?P<behind>\d{1,4})\b"
    rf"|(?<![\w.])(?P<before>\d{{1,4}}) ?(?:{words.JOBS}|clients\b|concurrent))",
    re.IGNORECASE,
)
"""What rados bench calls threads are operations in flight."""
_JOBS_BY_DEPTH = re.compile(
    r"(?<![\w.])(?:(?P<j>\d{1,3}) ?j(?:obs?)? ?[x×*/,] ?(?P<d>\d{1,4}) ?(?:q?d|depth)(?![a-z\d])"
    r"|(?P<t2>\d{1,3}) ?t ?[x×*/,]? ?(?P<q2>\d{1,4}) ?q(?![a-z\d])"
    r"|(?P<q3>\d{1,4}) ?q ?[x×*/,]? ?(?P<t3>\d{1,3}) ?t(?![a-z\d])"
    r"|(?P<qd>qd ?)?(?P<q>\d{1,4}) ?(?(qd)|(?:q?d|depth)) ?(?:(?P<by>[x×*])|[/,]) ?(?P<t>\d{1,3})"
    r"(?: ?j(?:obs?)?(?![a-z\d])"
    r"|(?(by)(?(qd)(?= ?(?:threads?|[)\],;|:]|$| (?:iops|[kmg]i?b/s|latency|lat|p\d\d)\b))|(?!))|(?!))))",
    re.IGNORECASE,
)
""" "4j x 32d", "QD32×4", "8T/32Q"."""
_QUEUE_AND_THREADS, _RANDOM_BLOCK = re.compile(r"q\d{1,3}t\d{1,3}", re.IGNORECASE), 4096
_VALUE_KINDS = {"rate": BANDWIDTH, "iops": IOPS, "time": LATENCY}
METRICS = {"metric_iops": IOPS, "metric_bandwidth": BANDWIDTH, "metric_latency": LATENCY}
STATISTICS = ("stddev", "median", "mean", "min", "max", "percentile")
NUMBERS = ("rate", "iops", "time", "scaled", "number")
"""Kinds of tokens: names of statistics, and numbers."""
_RATE_UNIT = re.compile(words.RATE_UNIT, re.IGNORECASE)
_RATES = re.compile(rf"{RATE}|{words.IOPS}", re.IGNORECASE)
_TIME_UNIT = re.compile(words.TIME_UNIT, re.IGNORECASE)
_BEHIND_PERCENTILE = re.compile(r"(?<=p\d\d),(?=\d{1,4} ?[km]i?b?(?![a-z]))", re.IGNORECASE)
""" "(P99,4KB write)": no decimals."""
_RANDOM = re.compile(words.RANDOM, re.IGNORECASE)
_ODD_NUMBER = re.compile(r"(?P<number>\d{1,3}[.,]\d{1,2}) ?(?P<unit>[kmкм])", re.IGNORECASE)
_LEADING = re.compile(rf"\s*({_NUMBER})")
_POWER = {"": 0, "k": 1, "к": 1, "m": 2, "м": 2, "g": 3, "г": 3, "t": 4, "т": 4}
_TIMES = {
    beginning: factor
    for factor, beginnings in (
        (1e-9, "n н 纳 ナ"),
        (1e-6, "u µ μ mic mik мк мик 微 マ 마"),
        (1e-3, "m мс мил 毫 ミ 밀"),
        (1.0, "s с 秒 초"),
    )
    for beginning in beginnings.split()
}


class Load(NamedTuple):
    """What a phrase says of a load; None: nothing. mixed: one direction of a mixed run."""

    random: bool | None = None
    way: str | None = None
    block_bytes: int | None = None
    depth: int | None = None
    jobs: int | None = None
    mixed: bool = False

    def over(self, other: Load) -> Load:
        """This load, its gaps filled from the other; of a mixed run the one that names a direction counts."""
        way, mixed = self.way or other.way, self.mixed or other.mixed
        if "mix" in (self.way, other.way) and {self.way, other.way} & {"read", "write"}:
            way, mixed = next(each for each in (self.way, other.way) if each in ("read", "write")), True
        random = self.random if self.random is not None else other.random
        return Load(
            random,
            way,
            self.block_bytes or other.block_bytes,
            self.depth or other.depth,
            self.jobs or other.jobs,
            mixed,
        )

    @property
    def sizes(self) -> Load:
        """Block, depth and jobs alone."""
        return Load(None, None, self.block_bytes, self.depth, self.jobs)

    def shares_a_size(self, other: Load) -> bool:
        """Both name the block, the depth or the jobs."""
        return any(None not in pair for pair in zip(self[2:5], other[2:5], strict=True))

    def contradicts_sizes(self, other: Load) -> bool:
        """Both name the block, the depth or the jobs, and not the same."""
        return any(None not in pair and pair[0] != pair[1] for pair in zip(self[2:5], other[2:5], strict=True))

    def contradicts(self, other: Load) -> bool:
        """Reads of writes, random of sequential I/O: a cell where both meet holds nothing."""
        ways = {self.way, other.way}
        return ways >= {"read", "write"}

    @property
    def op(self) -> str | None:
        if self.way is None:
            return None
        return ("rand" if self.random else "") + {"mix": "rw"}.get(self.way, self.way)


class Value(NamedTuple):
    """A number with what is said of it. kind: iops, bandwidth, latency or "" for a bare one; value in 1/s, bytes/s, s.

    factor: what the number was multiplied with. bits: the unit may mean bits or bytes ("Mb/s"). scale: "k" behind a
    bare number.
    """

    value: float
    kind: str = ""
    factor: float = 1.0
    statistic: str = ""
    way: str | None = None
    bits: bool = False
    start: int = 0

    def of(self, quantity: Quantity) -> Value | None:
        """A bare number as one of a quantity; None where no unit is named, or "k" stands behind what is no count."""
        factor = quantity.factor
        if self.factor != 1.0:
            factor = self.factor if quantity.kind == IOPS else None
        if factor is None:
            return None
        return self._replace(
            value=self.value / self.factor * factor, kind=quantity.kind, factor=factor, bits=quantity.bits
        )

    @property
    def is_in_bits(self) -> bool:
        """A rate that counts bits, as the speed of a link does."""
        return self.factor in BITS


_SHORT_WAY = re.compile(
    r"(?<![A-Za-z=])(?P<size>\d{1,4} ?(?:[kKmM](?:i?B)?))?[ _-]?(?<!--)(?P<way>[RS][RW]|[rs][rw])(?=[\d_]|[^\w+.=]|$)"
)


def names_short_ways(texts: Iterable[str]) -> bool:
    """Whether texts call random and sequential reads and writes "RR", "RW", "SR" and "SW"; one alone is no sign."""
    short = {match["way"].upper() for text in texts for match in _SHORT_WAY.finditer(text)}
    return len(short) > 1 and bool(short & {"RR", "SR", "SW"})


def with_spelled_ways(text: str) -> str:
    """ "4KRR", "SW 1M" as words."""
    return _SHORT_WAY.sub(_spelled_way, text)


def _spelled_way(match: re.Match[str]) -> str:
    short = match["way"].upper()
    spelled = {"R": "random", "S": "sequential"}[short[0]] + {"R": " read", "W": " write"}[short[1]]
    return f"{match['size'] or ''} {spelled} " if match["size"] else spelled


def with_rados_read(load: Load) -> Load:
    """Beside "write", "seq" and "rand" alone are what rados bench calls its reads."""
    return load._replace(way="read") if load.random is not None and load.way is None else load


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    text: str
    start: int
    end: int


def load_of(token: Token) -> Load:
    """What one word says of a load."""
    return _load_of_word(token.kind, token.text)


@lru_cache(maxsize=512)
def _load_of_word(kind: str, text: str) -> Load:
    return _load((Token(kind, text, 0, len(text)),))


class Quantity(NamedTuple):
    """What a heading says its numbers are. factor: to 1/s, bytes/s or s; None: no unit is named."""

    kind: str
    factor: float | None = None
    bits: bool = False


@dataclass(frozen=True)
class Phrase:
    """A short text and its tokens."""

    text: str
    tokens: tuple[Token, ...]

    @property
    def ways(self) -> tuple[str, ...]:
        """The directions in their order: "Read/Write" has two."""
        if both := next((token for token in self.tokens if token.kind == "both"), None):
            return ("write", "read") if both.text[0] == "W" and both.text[-1] in "RD" else ("read", "write")
        return tuple(dict.fromkeys(token.kind for token in self.tokens if token.kind in ("read", "write")))

    @property
    def statistics(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(statistic_of(token) for token in self.tokens if token.kind in STATISTICS))

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """What is measured, in order; a unit belongs to the metric of its kind: "IOPS / Latency (ms)" names two."""
        return tuple(_quantities(self.tokens))

    @cached_property
    def load(self) -> Load:
        load = _load(self.tokens)
        if match := _RADOS_THREADS.search(self.text):
            load = load._replace(depth=load.depth or int(match["before"] or match["behind"]), jobs=None)
        return load

    @property
    def names_values(self) -> bool:
        return any(token.kind in _VALUE_KINDS for token in self.tokens)

    @property
    def rest(self) -> str:
        """The words that say nothing of a quantity: they tell columns of one quantity apart."""
        kept = (
            token.text
            for token in self.tokens
            if token.kind in ("word", "version", "noise", "number", "scaled", "block_word", "time", "range")
        )
        return " ".join(kept).lower()

    @property
    def words(self) -> str:
        return " ".join(token.text for token in self.tokens if token.kind in ("word", "version", "noise")).lower()

    def statistic_before(self, value: Value) -> tuple[str, ...]:
        """What is named between the number before it and a number: "avg 243us (p50 212us)". Of "max 7350/6820 MB/s" it
        is said of both."""
        start = value.start
        numbers = [token for token in self.tokens if token.start < start and token.kind in (*NUMBERS, "size")]
        while numbers and self.text[numbers[-1].end : start].strip() == "/":
            start = numbers.pop().start
        earlier = numbers[-1].start if numbers else -1
        return tuple(
            statistic_of(token) for token in self.tokens if earlier < token.start < start and token.kind in STATISTICS
        )

    def statistic_behind(self, value: Value) -> tuple[str, ...]:
        """What brackets right behind a number name, or a word at their end: "12 ms (p99)", "(12 ms p99)"."""
        own = [token for token in self.tokens if token.start >= value.start][:2]
        is_aside = len(own) == 2 and self.text[own[0].end : own[1].start].strip() in ("(", "")
        is_aside = is_aside and self.text[own[1].end :].lstrip().startswith(")")
        return (statistic_of(own[1]),) if is_aside and own[1].kind in STATISTICS else ()

    def values(self, commas: bool) -> tuple[Value, ...]:
        """Its numbers, those without a unit too. commas: the surroundings write decimal commas."""
        return tuple(_values(self.tokens, commas))


def phrase_of(text: str) -> Phrase:
    """A text of one line, read. What is longer than a phrase is cut."""
    return _value_alone(text) or _phrase_of(text)


def _value_alone(text: str) -> Phrase | None:
    match = PLAIN_VALUE.fullmatch(text)
    return Phrase(text, (Token(match.lastgroup or "number", text, 0, len(text)),)) if match else None


@lru_cache(maxsize=LABELS_KEPT)
def _phrase_of(text: str) -> Phrase:
    text = text.strip(" *_`\t")[:LONGEST_PHRASE].replace("\\", "")
    text = _GAP.sub(" ", _as_words(text)) if "  " in text else _as_words(text)
    text = _BEHIND_PERCENTILE.sub(", ", text) if "," in text else text
    text = _JOBS_BY_DEPTH.sub(_queue_and_threads, text)
    text = _LETTER.sub(_spelled_letter, _HYPHENED_SIZE.sub(" ", _BRACKETED_UNIT.sub(r" \g<unit>", text)))
    tokens = [token for match in _TOKEN.finditer(text) for token in _tokens_of(match)]
    tokens = list(_with_counts(tokens, text)) if "=" in text or ":" in text else tokens
    return Phrase(text, tuple(_joined(tokens)))


def _with_counts(tokens: Sequence[Token], text: str) -> Iterator[Token]:
    """ "IOPS= 512K", "IOPS: 512k" and nothing behind it: as many operations, and no block."""
    for before, token in zip((None, *tokens), tokens, strict=False):
        between = text[before.end : token.start] if before and before.kind == "metric_iops" else ""
        is_told = between.strip() == "=" or (between.strip() == ":" and not text[token.end :].strip(" |,;"))
        is_count = token.kind == "size" and is_told and text[token.end :][:1] not in ("b", "B", "i")
        yield replace(token, kind="scaled") if is_count else token


def _tokens_of(match: re.Match[str]) -> Iterator[Token]:
    """What looks like a ratio and is none, as "96 / 22", is two numbers."""
    kind = match.lastgroup or ""
    if kind != "ratio" or _is_ratio(match[0]) or "%" in match[0]:
        yield Token(kind, match[0], match.start(), match.end())
        return
    for part in re.finditer(r"\d+", match[0]):
        yield Token("number", part[0], match.start() + part.start(), match.start() + part.end())


def _queue_and_threads(match: re.Match[str]) -> str:
    depth = next(filter(None, match.group("d", "q", "q2", "q3")))
    return f"Q{depth},T{next(filter(None, match.group('j', 't', 't2', 't3')))}"


def _spelled_letter(match: re.Match[str]) -> str:
    """ "R4K", "4KW", "Seq W" and "mixed 70/30 r" as words."""
    letter = (match["front"] or match["behind"] or match["alone"] or match["half"]).upper()
    way = {"R": "read", "W": "write"}[letter]
    return f"{way} " if match["front"] else f"{match['order'] or ''} {way}"


def _joined(tokens: Sequence[Token]) -> Iterator[Token]:
    """Letters that stand side by side and are no known word are one word."""
    held: Token | None = None
    for token in tokens:
        if held is not None and token.kind == "word" and token.start == held.end:
            held = Token("word", held.text + token.text, held.start, token.end)
            continue
        if held is not None:
            yield held
        held = token if token.kind == "word" else None
        if held is None:
            yield token
    if held is not None:
        yield held


def is_range_of_rates(token: Token) -> bool:
    """ "120-140 MB/s": no single value."""
    return token.kind == "range" and _RATES.search(token.text) is not None


def with_shared_unit(text: str) -> str:
    """ "read/write: 1100/420 MB/s", "p50 / p95 / p99: 1.2 / 3 / 4.1 ms": all have the unit behind the last."""

    def of_all(match: re.Match[str]) -> str:
        return " / ".join(f"{each.strip()} {match['unit']}" for each in match["values"].split("/"))

    def shared(match: re.Match[str]) -> str:
        first, second, unit = match["first"].strip(), match["second"].strip(), match["unit"]
        return f"{first} {unit} / {match['way'] or ''}{second} {unit}"

    return _SLASHED.sub(shared, _SLASHED_ALL.sub(of_all, text)) if "/" in text else text


def heading_of(text: str) -> Phrase:
    """As phrase_of, of a heading or a label: "4K IOPS" names a size there, not four thousand."""
    return _value_alone(text) or _heading_of(text)


@lru_cache(maxsize=LABELS_KEPT)
def _heading_of(text: str) -> Phrase:
    text = _RUN_TOGETHER.sub(_apart, _as_words(text.replace("\\", "")))
    phrase = phrase_of(_JOINED_CAPITALS.sub(" ", _JOINED_WAY.sub(" ", _JOINED_SIZE.sub(" ", text))))
    tokens: list[Token] = []
    for token in phrase.tokens:
        size = re.match(r"\d{1,5} ?[kKmM](?= )", token.text) if token.kind == "iops" else None
        if size is not None and size_of(size[0]) is not None:
            tokens += [
                Token("size", size[0], token.start, token.start + size.end()),
                Token("metric_iops", token.text[size.end() :], token.start + size.end(), token.end),
            ]
        else:
            tokens.append(token)
    return Phrase(phrase.text, tuple(tokens))


_SPELLED_SIZE = re.compile(
    r"(?<![\w.,])(?P<number>\d{1,4})[ -]?(?P<scale>[kmg])(?:ibi|ebi)bytes?(?![^\W\d_])(?: ?\([KMG]i?B\))?",
    re.IGNORECASE,
)


_AGREED = re.compile(
    rf"(?:\d[\d.,]{{0,9}} ?(?:{words.TIME_UNIT})[ -])?(?:(?:{words.READ}|{words.WRITE})[ -])?(?:p\d\d[\d.]{{0,4}}[ -])?"
    r"(?=SL[AO]s?\b)",
    re.IGNORECASE,
)
""" "8 ms write-p99 SLA": what shall be kept to, and nothing of a load."""


_PER_SECOND = re.compile(r"(?<=_)([kmg]i?b(?:ytes)?)_per_s(?:ec(?:ond)?)?(?![a-z])", re.IGNORECASE)
""" "bandwidth_MB_per_s"."""


_WINDOW = re.compile(r"(?<![\w-])-w \d{1,4}[kKmM]?(?![\w.])")
"""iperf's option for what may be on its way unanswered, and no block."""
_RDMA_TEST = re.compile(rf"(?<![a-z\d]){words.RDMA_TEST}_(?=(?:bw|lat)(?![a-z\d]))", re.IGNORECASE)
""" "ib_write_bw" carries bytes over a network, and writes none to a drive."""


CALLS_A_SECOND = re.compile(
    rf"(?<![a-z])f(?:data)?syncs?(?: ?(?:/|per|pro|par|por) ?s(?:ec(?:ond)?|ekunde)?(?![a-z])|[ _-]?rates?(?![a-z])"
    rf"| ?(?:{words.IOPS}))",
    re.IGNORECASE,
)
""" "fsyncs/s", "4k QD1 fsync IOPS": of writes, each of which was waited for."""


def _as_words(text: str) -> str:
    """With each option of a program as one word, "64-kibibyte" as "64 KiB", and no agreed times."""
    lower = text.lower()
    text = _PER_SECOND.sub(r"\1/s", text) if "_per_s" in lower else text
    text = _AGREED.sub("", text) if "SLA" in text or "SLO" in text else text
    text = _SPELLED_SIZE.sub(r"\g<number> \g<scale>iB", text) if "ibyte" in lower else text
    text = CALLS_A_SECOND.sub("write IOPS", text) if "sync" in lower else text
    text = _WINDOW.sub("", text) if "-w " in lower else text
    text = _RDMA_TEST.sub("rc_", text) if "_bw" in lower or "_lat" in lower else text
    return _SETTING.sub(lambda match: re.sub(r"[\W_]", "", match[0]), text) if "_" in text else text


def _apart(match: re.Match[str]) -> str:
    letters = match["letters"] or ""
    spelled = (letters[:-1], {"R": "read", "W": "write"}[letters[-1]]) if letters else (match["order"], match["way"])
    return " ".join(filter(None, (match["front"], match["size"], *spelled)))


def cell_of(text: str) -> Phrase:
    """As phrase_of, of a cell: blanks may part thousands there, and a number may be in quotation marks."""
    if (alone := _value_alone(text)) is not None:
        return alone
    text = _QUOTED.sub("", text)
    if _SPACED_IN_CELL.search(text):
        text = re.sub(rf"(?<!\d){_SPACED}", lambda match: match[0].replace(" ", "'"), text)
    return phrase_of(text)


# --- what tokens say ----------------------------------------------------------------------------------------------


def _load(tokens: Sequence[Token]) -> Load:
    kinds = [token.kind for token in tokens]
    ways = list(dict.fromkeys(kind for kind in kinds if kind in ("read", "write")))
    mixed = "mixed" in kinds or any(token.kind == "ratio" and _is_ratio(token.text) for token in tokens)
    random = _random(tokens)
    for token in tokens:
        if token.kind == "option":
            asked = token.text.lower().rpartition("=")[2].split()[-1]
            random = random if random is not None else asked.startswith("rand")
            ways, mixed = ([], True) if asked.endswith("rw") else ([asked.removeprefix("rand")], mixed)
    way = ways[0] if len(ways) == 1 else "mix" if mixed else None
    called = [token for token in tokens if token.kind == "block"] if "block" in kinds else tokens
    block = next((size for token in called if (size := _block_of(token))), None)
    if block is None and called is not tokens:
        block = next((size for token in tokens if (size := _block_of(token))), None)
    if random is None and block == _RANDOM_BLOCK and any(map(_is_of_disk_mark, tokens)):
        random = True
    return Load(
        random=random,
        way=way,
        block_bytes=block,
        depth=next((_number_of(token, "q") for token in tokens if token.kind in ("depth", "cdm")), None),
        jobs=next((_number_of(token, "t") for token in tokens if token.kind in ("jobs", "cdm")), None),
        mixed=mixed and len(ways) == 1,
    )


def _is_of_disk_mark(token: Token) -> bool:
    """ "4K Q32T1": so CrystalDiskMark names its random tests."""
    return token.kind == "cdm" and _QUEUE_AND_THREADS.fullmatch(token.text) is not None


def _block_of(token: Token) -> int | None:
    """Its bytes; of what is called a block, also those that are no power of two: "bs=2300"."""
    if token.kind == "size":
        return size_of(token.text)
    if token.kind != "block":
        return None
    if match := re.search(r"(\d{3,7})(?: ?bytes?)? *$", token.text, re.IGNORECASE):
        return int(match[1]) or None
    if whole := re.search(r"=\s?(\d{1,4})([km])$", token.text, re.IGNORECASE):
        return int(whole[1]) * 1024 ** _POWER[whole[2].lower()] or None
    if odd := _ODD_NUMBER.search(token.text):
        size = float(odd["number"].replace(",", ".")) * 1024 ** _POWER[odd["unit"].lower()]
        return int(size) if size % 512 == 0 else None
    return size_of(token.text)


def _random(tokens: Sequence[Token]) -> bool | None:
    for token in tokens:
        lower = token.text.lower()
        if token.kind == "random" or (token.kind in ("read", "write", "mixed") and lower.startswith(("rand", "rnd"))):
            return True
        if token.kind == "mixed" and _RANDOM.search(lower):
            return True  # "混合随机读写"
        if token.kind == "sequential" or (token.kind in ("read", "write") and lower.startswith("seq")):
            return False
    return None


def _is_ratio(text: str) -> bool:
    shares = [int(each) for each in re.findall(r"\d+", text)]
    return sum(shares) == (10 if len(text) == 3 else 100) or (len(shares) == 1 and "%" in text)


def size_of(text: str, most: int = 2**25) -> int | None:
    """Bytes of a block size: a power of two up to 32 MiB."""
    match = re.search(
        rf"(?<!\d)(?<!\d\.)(\d{{1,8}})(?:\.0{{1,2}})? ?([kmкм]?)(?:[iи]?[bбo]|[iи]?(?:$|\b)|(?={CJK}))",
        text,
        re.IGNORECASE,
    )
    if match is None:
        return None
    value = int(match[1]) * 1024 ** _POWER[match[2].lower()]
    return value if 512 <= value <= most and value & (value - 1) == 0 else None


def _number_of(token: Token, letter: str) -> int | None:
    """The depth or the number of jobs; "Q32T1" and "T1Q32" hold both."""
    numbers = re.findall(r"\d+", token.text) or [str(_counted(token.text))]
    is_first = len(numbers) == 1 or token.text[:1].lower() == letter
    return int(numbers[0 if is_first else -1]) or None


def _counted(text: str) -> int:
    """ "eight jobs" -> 8; "single job" -> 1."""
    lower = text.lower()
    return next((value for value, names in words.COUNTS.items() if re.match(names, lower)), 1)


def statistic_of(token: Token) -> str:
    if token.kind != "percentile":
        return {"median": "p50"}.get(token.kind, token.kind)
    match = re.match(words.PERCENTILE, token.text, re.IGNORECASE)
    digits = (match["points"] or match["percents"] if match else "").replace(",", ".")
    digits = digits if len(digits) < 3 or "." in digits else f"{digits[:2]}.{digits[2:]}"
    return f"p{float(digits):g}"


def _quantities(tokens: Sequence[Token]) -> Iterator[Quantity]:
    pending: Quantity | None = None
    scale = next((_scale(token.text) for token in tokens if token.kind == "thousands"), 1.0)
    for token in tokens:
        found = _quantity(token, scale)
        if found is None:
            continue
        if pending is not None and pending.kind == found.kind and None in (pending.factor, found.factor):
            pending = found if pending.factor is None else pending
        elif pending == Quantity(BANDWIDTH, 1.0) and found.kind == BANDWIDTH:
            pending = found  # "bytes/s (MB/s)"
        elif pending == found:
            continue
        else:
            if pending is not None:
                yield pending
            pending = found
    if pending is not None:
        yield pending


def _quantity(token: Token, scale: float) -> Quantity | None:
    if token.kind == "metric_iops":
        return Quantity(IOPS, scale)
    if token.kind in METRICS:
        return Quantity(METRICS[token.kind])
    if token.kind == "rate_unit":
        factor, bits = rate_factor(token.text)
        return Quantity(BANDWIDTH, factor, bits)
    return Quantity(LATENCY, time_factor(token.text)) if token.kind == "time_unit" else None


def _values(tokens: Sequence[Token], commas: bool) -> Iterator[Value]:
    """Each value with the statistic and the direction that its clause names."""
    for token in tokens:
        if token.kind not in ("rate", "iops", "time", "scaled", "number", "size"):
            continue
        match = _LEADING.match(token.text)
        amount = number(match[1], commas) if match else None
        if match is None or amount is None:
            continue
        unit = token.text[match.end() :].strip()
        factor, bits = _factor_of(token.kind, unit)
        if factor is not None:
            kind = _VALUE_KINDS.get(token.kind, "")
            yield Value(amount * factor, kind, factor, bits=bits, start=token.start)


def _factor_of(kind: str, unit: str) -> tuple[float | None, bool]:
    if kind == "rate":
        return rate_factor(unit)
    if kind == "time":
        return time_factor(unit), False
    if kind == "size" and not re.fullmatch(r"[kKM]", unit):
        return None, False
    scale = re.match(_SCALE, unit, re.IGNORECASE) if kind != "number" else None
    return (_scale(scale[0]) if scale else 1.0), False


def _scale(text: str) -> float:
    lower = text.lower().rstrip(".")
    if lower in ("万", "萬", "만", "w"):
        return 1e4
    return 1e6 if lower.startswith(("m", "м", "百")) and lower not in _THOUSAND else 1e3


def rate_factor(text: str) -> tuple[float | None, bool]:
    """ "MB/s" -> (1e6, False); "Mbit/s" -> (1.25e5, False). True: "Mb/s", which some write for bytes."""
    match = _RATE_UNIT.match(text)
    if match is None:
        letter, binary = text[:1].lower(), text[1:2].lower() == "i"
        factor = (1024.0 if binary else 1000.0) ** _POWER[letter] if letter and letter in "kmg" else None
        return factor, factor is not None and text[-1:].lower() == "s" and text[-2:-1] == "b"  # "bw_mbs"
    what, scale = match["rate_what"].lower(), match["rate_scale"]
    if what == "o" and not scale:
        return None, False
    is_short = match["rate_what"] == "b" and text.rstrip().lower().endswith("ps")
    is_bits = what.startswith(("bit", "бит")) or (is_short and not match["rate_binary"])
    unsure = match["rate_what"] == "b" and not is_bits and scale.isupper()  # "Mibps", too: scripts write so for MiB/s
    base = 1024.0 if match["rate_binary"] else 1000.0
    return base ** _POWER[scale.lower()] / (8 if is_bits else 1), unsure


def time_factor(text: str) -> float | None:
    """ "msec" -> 1e-3, "мкс" -> 1e-6, "毫秒" -> 1e-3."""
    match = _TIME_UNIT.search(text)
    if match is None:
        return None
    lower = match[0].lower()
    return next((_TIMES[lower[:length]] for length in (3, 2, 1) if lower[:length] in _TIMES), None)
