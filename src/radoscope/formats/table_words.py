"""The words of tables of results: what a heading names, and what load a label describes.

English, Japanese, Chinese, German and Russian; a heading counts only when it names I/O per second, or a bandwidth or
a latency with its unit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from radoscope.formats.quantities import bytes_per_s, number

LONGEST_HEADING = 120

_CACHE_WORDS = re.compile(
    r"write[ -]?(?:cache|back|through|ahead)\w*|read[ -]?(?:ahead|only)|readwrite\b(?=\s*cache)", re.I
)
_CYRILLIC_SIZE = re.compile(r"(?<=\d)[КкМм](?![а-яё])")
_RANDOM = re.compile(r"rand|rnd|随机|隨機|ランダム|zuf[äa]ll|wahlfrei|случайн|рандом", re.I)
_SEQUENTIAL = re.compile(r"seq|sequent|顺序|順序|順次|連続|连续|シーケンシャル|sequen[zt]iell|последоват|линейн", re.I)
_READ = re.compile(r"(?<!th)(?<!sp)(?<!al)read(?!y)|\brd\b|读|讀|読|リード|lese|gelesen|чтени|читат", re.I)
_WRITE = re.compile(r"writ|\bwr\b|写|寫|書|ライト|schreib|запис|писат", re.I)
_MIXED = re.compile(
    r"randrw|\brw\b|readwrite|mixed|\bmix\b|\d\d\s?[/:]\s?\d\d\b|混合|混在|gemischt|смешан",
    re.I,
)
_BLOCK = re.compile(
    r"(?:(?<![\w.,*×])|(?<=seq)|(?<=rnd)|(?<=rand))(\d{1,5})\s?(k|m)(?:i?b)?(?:ytes?)?(?![a-pr-z0-9_/²]"
    r"|\s?(?:iops|io/s|b/s|ops))",
    re.I,
)
_BLOCK_OF_RATE = re.compile(r"(?<![\w.,])(\d{1,4})\s?(k)i?b?\s(?:iops|io/s|ops)", re.I)
_BLOCK_BYTES = re.compile(
    r"\b(?:bs|block ?size)\s*[=:]?\s*(512|1024|2048|4096|8192|16384|32768|65536|131072|1048576|4194304)\b", re.I
)
_DEPTH = re.compile(
    r"(?:io[ _-]?depth|queue[ _-]?depth|\bqd|(?<![a-z])q|队列深度|隊列深度|キュー(?:の)?深[度さ]|深度"
    r"|warteschlangentiefe|глубин\w* очереди|--?t)"
    r"\s*[=:]?\s*(\d{1,5})(?!\d|[.,]\d|%)",
    re.I,
)
_DEPTH_AFTER = re.compile(r"(?<![\w.,])(\d{1,5})[ -]?(?:(?:queue|io)[ -]?depth|depth\b|qd\b|深度)", re.I)
_JOBS = re.compile(
    r"(?:num_?jobs|jobs|threads?|スレッド|线程|потоков)\s*[=:]?\s*(\d{1,5})(?!\d)"
    r"|\bq\s?\d{1,5}\s?t\s?(\d{1,5})\b",
    re.I,
)
_JOBS_AFTER = re.compile(r"(?<![\w.])(\d{1,4})\s?(?:jobs?|threads?|スレッド|线程|потоков|потока)(?![a-z])", re.I)

_IOPS = re.compile(r"iops|\b(?:ios?|i/os?|ops?|iop)/s(?:ec)?(?![a-z])", re.I)
_BANDWIDTH = re.compile(
    r"bandwidth|\bbw\b|throughput|transfer ?rate|\bspeed|带宽|帶寬|吞吐|帯域|スループット|転送|速度|速率"
    r"|durchsatz|bandbreite|datenrate"
    r"|geschwindigkeit|пропускн|скорост",
    re.I,
)
_LATENCY = re.compile(
    r"latency|latencies|\b[cs]?lat\b|lat\b|延[迟遲]|时延|時延|レイテンシ|遅延|応答時間|latenz|antwortzeit|задержк"
    r"|латентност|response time",
    re.I,
)
_RATE_UNIT = re.compile(
    r"(?<![a-z])[kmgt]i?(?:bytes?|bits?|b)\s?(?:/\s?s(?:ec(?:ond)?)?|ps)\b|[kmgt]i?b/秒|[кмг]и?(?:б"
    r"|бит)/с(?:ек)?",
    re.I,
)
_BARE_RATE = re.compile(r"[(\[]\s*([kmg]i?b)\s*[)\]]", re.I)
_TIME_UNIT = re.compile(
    r"(?<![a-zа-яµμ])(nsec|usec|msec|nanoseconds?|microseconds?|milliseconds?|seconds?|ns|us|µs|μs|ms"
    r"|sec|s|мкс|мс|нс|с)(?![a-zа-я])"
    r"|(微秒|マイクロ秒|毫秒|ミリ秒|纳秒|秒)",
    re.I,
)
_TIME_S = {
    "n": 1e-9, "u": 1e-6, "µ": 1e-6, "μ": 1e-6, "m": 1e-3, "s": 1.0, "мк": 1e-6, "мс": 1e-3, "нс": 1e-9, "с": 1.0,
    "微": 1e-6, "マ": 1e-6, "毫": 1e-3, "ミ": 1e-3, "纳": 1e-9, "秒": 1.0,
}  # fmt: skip
_PERCENTILE = re.compile(
    r"\bp\s?(\d{2}(?:[.,]\d{1,3})?|\d{3,5})\b|(?<![\d.])(\d{2}(?:[.,]\d{1,3})?)\s?(?:th\b|st\b|nd\b"
    r"|rd\b|%|-?tes|百分位|パーセンタイル|-?й)",
    re.I,
)
_MEDIAN = re.compile(r"median|中央値|中位|медиан", re.I)
_STATISTICS = (
    ("stddev", re.compile(r"std|stdev|σ|标准差|標準偏差|abweichung|отклонен", re.I)),
    ("min", re.compile(r"\bmin|最小|最低|минимал", re.I)),
    ("max", re.compile(r"\bmax|最大|最高|peak|峰值|максимал", re.I)),
    ("mean", re.compile(r"avg|average|\bave\b|mean|平均|mittel|mittler|durchschn|средн", re.I)),
)
_NOT_A_RESULT = re.compile(
    r"%|improv|gain|delta|\bdiff|ratio|speed-?up|factor|overhead|提升|改善|差|増減|倍|変化|verbesser"
    r"|unterschied|прирост|разниц|"
    r"iops\s?/\s?(?!bw|bandwidth|throughput|[mk]i?b/s|[mk]bps)[a-z$€]|[$€¥]|per (?:gb|tb|watt|dollar|core)"
    r"|target|goal|required|limit|quota"
    r"|expected|目標|要件|上限|soll\b",
    re.I,
)
_LINE_SPEED = re.compile(
    r"(?:link|line|port|nic|network)[ -]?(?:speed|rate|bandwidth)|^speed(?:\W*[gm]bit.*|\W*[gm]bps.*)?$", re.I
)
_COMPARES = re.compile(
    r"improv|gain|delta|\bdiff|ratio|speed-?up|変化率|増減|提升|差[异異]?$|verbesser|unterschied|прирост|разниц|[Δ%]",
    re.I,
)
_IN_THOUSANDS = re.compile(r"(?<!\d)(?<!\d )\bk\s?iops|iops\s*[(\[]\s*(?:in )?(?:k|千|тыс)|тыс\w*\.? iops", re.I)
_BLOCK_HEAD = re.compile(
    r"^\W*(?:bs|block[ _-]?size|block|io[ _-]?size|object[ _-]?size|块大小|塊大小|ブロックサイズ|blockgr(?:ö"
    r"|oe)(?:ß|ss)e|размер блока|блок)\W*(?:\((?P<unit>k|m)i?b\))?\W*$",
    re.I,
)
_DEPTH_HEAD = re.compile(
    r"^\W*(?:qd|queue[ _-]?depth|io[ _-]?depth|depth|并发数?|並行数|並列数|队列深度|キュー深度|深度|concurrency"
    r"|warteschlangentiefe|глубина(?: очереди)?)\W*$",
    re.I,
)
_JOBS_HEAD = re.compile(r"^\W*(?:num[ _-]?jobs|jobs|threads?|线程数?|スレッド数?|потоки|threads? \(t\))\W*$", re.I)
_SPECIFICATION = re.compile(
    r"\bspecs?\b|specification|data ?-?sheet|datasheet|\btbw\b|\bdwpd\b|\bmtbf\b|warrant|form factor"
    r"|\bvcpus?\b|\bprice|endurance|rated\b|"
    r"up to\b|カタログ|スペック|公称|仕様|耐久|フォームファクタ|規格|规格|参数表|标称|官方"
    r"|datenblatt|herstellerangabe|паспорт|характеристик|заявлен",
    re.I,
)
_MONITORING = re.compile(
    r"%util|\bawait\b|svctm|avgqu|\baqu-sz\b|\btps\b|r(?:_|)await|commit_latency|apply_latency"
    r"|\brkB/s|\bwkB/s|\brMB/s|\bwMB/s|RD_LAT|kB_read|^total\nread iops\nwrite iops\ntotal iops$|\bicmp_seq\b"
    r"|^\s*\d+ (?:\++-*|-+)\s*$|files? changed",
    re.I | re.M,
)


class Load(NamedTuple):
    """What a label or heading says of a load; None: nothing. mixed: one direction of a mixed run."""

    random: bool | None = None
    way: str | None = None
    block_bytes: int | None = None
    depth: int | None = None
    jobs: int | None = None
    mixed: bool = False

    def over(self, other: Load) -> Load:
        """This load, its gaps filled from the other."""
        filled = [mine if mine is not None else theirs for mine, theirs in zip(self[:5], other[:5], strict=True)]
        return Load(filled[0], filled[1], filled[2], filled[3], filled[4], self.mixed or other.mixed)  # type: ignore[arg-type]

    @property
    def op(self) -> str | None:
        if self.way is None:
            return None
        return ("rand" if self.random else "") + {"mix": "rw"}.get(self.way, self.way)


def load_of(text: str, is_heading: bool = False) -> Load:
    """The load that a short text describes: "8k randrw 70/30 QD2 (read)", "Zufälliges Lesen", "4KB iodepth=1"."""
    text = _CYRILLIC_SIZE.sub(_latin_size, _CACHE_WORDS.sub(" ", text[:400]))
    random = True if _RANDOM.search(text) else False if _SEQUENTIAL.search(text) else None
    mixed = _MIXED.search(text) is not None
    rest = _MIXED.sub(" ", text) if mixed else text
    reads, writes = _READ.search(rest) is not None, _WRITE.search(rest) is not None
    way = (
        "mix"
        if mixed and reads == writes
        else "read"
        if reads and not writes
        else "write"
        if writes and not reads
        else None
    )
    depth, jobs = _DEPTH.search(text) or _DEPTH_AFTER.search(text), _JOBS.search(text) or _JOBS_AFTER.search(text)
    return Load(
        random=random,
        way=way,
        block_bytes=block_of(text, is_heading),
        depth=int(depth[1]) or None if depth else None,
        jobs=int(next(each for each in jobs.groups() if each)) or None if jobs else None,
        mixed=mixed and way in ("read", "write"),
    )


def _latin_size(match: re.Match[str]) -> str:
    return "k" if match[0] in "Кк" else "m"


def block_of(text: str, is_heading: bool = False) -> int | None:
    """A block size named in the text: a power of two of KiB or MiB up to 64 MiB; "4KB" is 4096.

    In a heading "4K IOPS" names a size too; in a cell it is four thousand.
    """
    if plain := _BLOCK_BYTES.search(text):
        return int(plain[1])
    for match in chain(_BLOCK.finditer(text), _BLOCK_OF_RATE.finditer(text) if is_heading else ()):
        count = int(match[1])
        value = count * (2**10 if match[2] in "kK" else 2**20)
        if count and count & (count - 1) == 0 and value <= 2**26:
            return value
    return None


@dataclass(frozen=True, slots=True)
class Heading:
    """What a column holds. kind: iops, bandwidth, latency, block, depth, jobs, none, or "" for a label.

    statistic: mean, min, max, stddev or a percentile as "p99". factor: to 1/s, bytes/s or s; None: not said.
    """

    text: str
    kind: str = ""
    statistic: str = "mean"
    factor: float | None = None
    load: Load = field(default_factory=Load)
    words: str = ""

    @property
    def measures(self) -> bool:
        return self.kind in ("iops", "bandwidth", "latency")


def heading_of(text: str) -> Heading:
    """Reads one heading of a column."""
    text = text.strip(" *_`:")
    if not text or len(text) > LONGEST_HEADING:
        return Heading(text)
    attribute = _attribute(text)
    if attribute is not None:
        return attribute
    bare = _PERCENTILE.sub(" ", text)
    kind = _kind(bare)
    if kind == "" and is_percentile(text) and time_factor(bare) is not None:
        kind = "latency"
    if kind == "":
        return Heading(text, load=load_of(text), words=_words(text))
    if _NOT_A_RESULT.search(bare) or (kind == "bandwidth" and _LINE_SPEED.search(text)):
        return Heading(text, kind="none")
    return Heading(text, kind, statistic_of(text), _factor(kind, text), load_of(text, is_heading=True), _words(text))


def _attribute(text: str) -> Heading | None:
    if match := _BLOCK_HEAD.match(text):
        unit = (match["unit"] or "").lower()
        return Heading(text, kind="block", factor={"k": 2.0**10, "m": 2.0**20}.get(unit))
    if _DEPTH_HEAD.match(text):
        return Heading(text, kind="depth")
    return Heading(text, kind="jobs") if _JOBS_HEAD.match(text) else None


def _kind(text: str) -> str:
    if _LATENCY.search(text):
        return "latency"
    if _IOPS.search(text):
        return "iops"
    if _RATE_UNIT.search(text) or _BANDWIDTH.search(text):
        return "bandwidth"
    return ""


def statistic_of(text: str) -> str:
    if match := _PERCENTILE.search(text):
        digits = (match[1] or match[2]).replace(",", ".")
        return f"p{float(digits if len(digits) < 3 or '.' in digits else digits[:2] + '.' + digits[2:]):g}"
    if _MEDIAN.search(text):
        return "p50"
    return next((name for name, pattern in _STATISTICS if pattern.search(text)), "mean")


def is_percentile(text: str) -> bool:
    return _PERCENTILE.search(text) is not None


def _factor(kind: str, text: str) -> float | None:
    if kind == "iops":
        return 1000.0 if _IN_THOUSANDS.search(text) else 1.0
    return rate_factor(text) if kind == "bandwidth" else time_factor(text)


def rate_factor(text: str) -> float | None:
    """ "BW (MB/s)" -> 1e6; "Bandwidth (KB)" -> 1e3; None where no unit is named."""
    match = _RATE_UNIT.search(text)
    unit = match[0] if match else None
    if unit is None and (bare := _BARE_RATE.search(text)):
        unit = bare[1] + "/s"
    if unit is None:
        return None
    latin = unit.replace(" ", "").translate(str.maketrans("КкМмГгиБбтс", "KkMmGgiBbts"))
    return bytes_per_s(1.0, _usual_case(latin.replace("биt", "bit")))


def _usual_case(unit: str) -> str:
    """People write "mb/s", "MB/S", "Mb/s": bytes, but for "Mbps", "Mbit/s" and a lone small b behind a capital."""
    scale, rest = unit[0].upper(), unit[1:]
    binary = "i" if rest[:1].lower() == "i" and rest[:3].lower() != "bit" else ""
    what = rest[len(binary) :]
    if what.lower().startswith(("bit", "byte")):
        return f"{scale}{binary}{what.lower().split('/')[0].removesuffix('ps')}/s"
    bits = what[0] == "b" and (what.startswith("bps") or unit[0].isupper())
    return f"{scale}{binary}{'bit' if bits else 'B'}/s"


def time_factor(text: str) -> float | None:
    """ "Latency (msec)" -> 1e-3; None where no unit is named."""
    found = None
    for match in _TIME_UNIT.finditer(text):
        found = (match[1] or match[2]).lower()
    if found is None:
        return None
    for length in (2, 1):
        if found[:length] in _TIME_S and (length == 2 or found[0] != "м"):
            return _TIME_S[found[:length]]
    return None


def _words(text: str) -> str:
    """What remains of a heading without metric, unit and statistic: it tells columns of the same metric apart."""
    for pattern in (_RATE_UNIT, _BARE_RATE, _PERCENTILE, _IOPS, _BANDWIDTH, _LATENCY, _MEDIAN):
        text = pattern.sub(" ", text)
    for _, pattern in _STATISTICS:
        text = pattern.sub(" ", text)
    text = re.sub(r"[(\[][^)\]]{0,12}[)\]]", " ", text)
    return " ".join(re.findall(r"[^\W_]+", text)).lower()


def is_specification(text: str) -> bool:
    """A data sheet, a price list: its numbers were promised, not measured."""
    return _SPECIFICATION.search(text) is not None


def is_monitoring(text: str) -> bool:
    """iostat, `ceph iostat`, `ceph osd perf`: a load seen from outside, not a benchmark's result; nor are diffstats."""
    return _MONITORING.search(text) is not None


def compares(text: str) -> bool:
    """The label of a row of differences."""
    return _COMPARES.search(text) is not None


def sums_up(text: str) -> bool:
    """The label of a row of sums."""
    return _SUM.fullmatch(text) is not None


_SUM = re.compile(r"[\s*]*(?:total|sum|合計|合计|总计|總計|gesamt|summe|итого|всего)[\s*]*", re.I)
_BRACKETED = re.compile(r"[(（]\s*([^()（）]{1,30}?)\s*[)）]\s*[*_`]*")
_CELL = re.compile(
    r"[~≈约約\s]*(?:ca\.?|about|approx\.?)?\s*(?P<number>\d(?:[\d.,'’ ]{0,30}\d)?"
    r"|\d)\s?(?P<rest>[^\d\s(±+][^\d(±+]{0,24}[^\d\s(±+]|[^\d\s(±+])?"
    r"\s*(?:[(±+].{0,80})?",
    re.DOTALL,
)


def values_of(cell: str, heading: Heading, commas: bool) -> list[tuple[str, float, float]]:
    """The value of a cell, and the one of another quantity in brackets behind it: "21500 IOPS (84 MiB/s)".

    A bracketed number without a unit counts where the heading's quantity is not the one in front: "405 MB/s (101k)"
    below "4k (IOPS)".
    """
    first = value_of(cell, heading, commas)
    bracketed = _BRACKETED.search(cell[:120]) if first is not None else None
    if first is None or bracketed is None or heading.statistic != "mean":
        return [first] if first is not None else []
    has_unit = value_of(bracketed[1], Heading(""), commas)
    second = has_unit or (value_of(bracketed[1], heading, commas) if first[0] != heading.kind else None)
    return [first, second] if second is not None and second[0] != first[0] and second[0] != "latency" else [first]


def value_of(cell: str, heading: Heading, commas: bool) -> tuple[str, float, float] | None:
    """A cell -> (kind, value in 1/s, bytes/s or s, factor applied); None where it is no number of the heading's unit.

    A cell may name its unit itself ("137 MiB/s", "36.6k IOPS", "1.2 ms"); then the heading need not.
    """
    cell = cell.strip(" *_`").replace("\\", "")
    match = _CELL.fullmatch(cell) if len(cell) <= 120 else None
    if match is None:
        return None
    value = number(match["number"], commas)
    rest = (match["rest"] or "").strip(" *_`")
    if value is None or "%" in rest:
        return None
    kind, factor = heading.kind, heading.factor
    if rest:
        own = _unit_of(rest, kind)
        if own is None:
            return None
        if own[0] == "scale":
            if kind != "iops" or (heading.factor or 1.0) != 1.0:
                return None
            factor = own[1]
        elif kind and own[0] != kind and "latency" in (kind, own[0]):
            return None  # under "IOPS/bandwidth" the cell's own unit decides
        elif not kind and re.search(r"bit|bps", rest):
            return None  # the speed of a link
        else:
            kind, factor = own
    if not kind or factor is None:
        return None
    return kind, value * factor, factor


def _unit_of(rest: str, kind: str) -> tuple[str, float] | None:
    """The unit behind a number: ("iops" | "bandwidth" | "latency" | "scale", factor)."""
    if rest in ("k", "K", "M", "m"):
        return "scale", 1e3 if rest in "kK" else 1e6
    if re.fullmatch(r"[kKM]?\s?(?:IOPS|IO/s|iops|ops/s|op/s)", rest):
        return "iops", {"k": 1e3, "K": 1e3, "M": 1e6}.get(rest[0], 1.0)
    if _RATE_UNIT.fullmatch(rest) or (kind == "bandwidth" and re.fullmatch(r"[KMGkmg]i?B", rest)):
        factor = rate_factor(rest if "/" in rest or "ps" in rest else f"({rest})")
        return None if factor is None else ("bandwidth", factor)
    if _TIME_UNIT.fullmatch(rest):
        factor = time_factor(rest)
        return None if factor is None else ("latency", factor)
    return None
