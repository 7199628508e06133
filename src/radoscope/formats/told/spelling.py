"""A line as it is read: without marks, remarks and what misleads, and each of several numbers with its own unit."""

from __future__ import annotations

from radoscope import patterns as re
from radoscope.formats.context.left_out import without_left_out
from radoscope.formats.context.supposed import AMOUNT, UNIT, without_supposed
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.alternatives import Alternatives
from radoscope.formats.grammar.phrases import (
    CJK,
    RATE,
    heading_of,
    phrase_of,
)

_MARK = re.compile(
    r"\s*(?:(?:\[(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d(?::\d\d)?Z?\]"
    r"|(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?Z?)\s+"
    r"(?:\[?(?:INFO|DEBUG|NOTICE)\]?:?\s+)?)?"
    r"(?:(?:\[?\d{1,2}:\d\d(?::\d\d)?\]? ?)?<[@+ ]?[\w-]{1,20}>\s+)?(?:[-*•·–—+>◦▪]\s+|\d{1,2}[.)]\s+|#{1,6}\s+)?"
)
_ABBREVIATED = re.compile(
    r"(?<!\w)(seq|rand|rnd|séq|aléa|sek|zuf|avg|max|min|med|std|lat|dev|moy|durchschn|mittl|prom|śr|макс|мин|ср|сред"
    r"|ca|approx|тыс|тис|tys|tis|tsd|mln|млн|incl|resp)\.(?=\s)",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"(?<![\w.,])(\d\d(?:[.,]\d{1,2})?)\.(?= (?:per[zc]ent|yüzdelik))", re.IGNORECASE)
_PAIR = re.compile(r"(?<=\w)\s+(?=(?:iops|bw|[cs]?lat|p\d\d)\s?=)", re.IGNORECASE)
_BEHIND_PAIR = re.compile(
    r"(?P<pair>(?:->|=>|→|[–—-]) ?(?:iops|bw|[cs]?lat) ?= ?\d\S{0,20})\s+(?=(?:iops|bw|[cs]?lat|p\d\d)\s?=)",
    re.IGNORECASE,
)
_QUOTED_NAME = re.compile(r'"(\w+)"\s*:\s*"?([^",{}]*)"?')
PAIRS = re.compile(r"(?:iops|bw|[cs]?lat)\s?=\s?\d", re.IGNORECASE)
_DASH = re.compile(r"(?<![\w.,])(?P<size>\d{1,4}[kKmM]i?[bB]?) [-–—] (?=[~≈]?\d)")
_DEPTH_AT = re.compile(
    rf"(?P<name>{words.DEPTH}) (?:a|à|auf) (?=\d{{1,5}}(?![\d.,]{{0,9}}\s?(?:{RATE}|{words.IOPS})))", re.IGNORECASE
)
""" "con coda a 32", where "a" parts no clauses."""
_OF_HDPARM = re.compile(
    r"^\W{0,3}(?i:hdpara?m)\b\W{0,3}(?:-t\b)?\W{0,2}(?:(?i:buffered|disk)(?: disk)?\b)?"
    r"(?=\W{0,4}[:=])(?![^:=]*(?i:cache))"
)
"""As a label: it does nothing but read."""
_OF_CACHE = re.compile(r"\W{0,3}(?i:hdpara?m)\b[^:=]{0,20}?(?:(?i:cache)|-T\b)[^:=]{0,20}[:=]")
"""How fast memory is."""
_LEADERS = re.compile(r"\s*(?:\.{4,}|(?:\. ){4,})\s*(?=[~≈]?[^\W_])")
"""Dots that lead from a name to its value."""
_COUNTED = re.compile(r"(?<=\d) ?\[#/s(?:ec)?\]")
"""As ab counts requests, and what prints like it."""
_WHERE = (
    r"auf|mit|bei|unter|über|sous|avec|sur|en|con|sobre|su|na|w|z|pod|przy|v|s|на|в|с|при|под|för|med|på|op|met|bij"
)
_FROM = (
    r"(?:(?<!\w)(?:from|von|vom|da|dai|de|des|du|desde|od|z|ze|с|со|от|з|від|från|fra|van|từ)|从|由|從)"
    rf" ?(?:(?:{words.ABOUT}) ?)?"
)
_TO = (
    r"(?:to|up to|down to|auf|a|ai|à|hasta|para|pra|até|do|до|na|на|till|til|ned til|naar|tot|xuống(?: còn)?|lên|còn"
    rf"|[提升下降增掉跌落涨漲]{{0,2}}[到至成]了?) ?(?:(?:{words.ABOUT}) ?)?"
)
_FROM_TO = re.compile(
    rf"{_FROM}(?P<first>{AMOUNT})(?P<unit> ?(?:{RATE}|k?{words.IOPS}|{words.TIME_UNIT}))?"
    rf"(?P<aside> (?:[(]|(?:in|on|with|under|for|at|over|{_WHERE}) )[^,;]{{1,30}}?)? ?{_TO}"
    rf"(?P<second>{AMOUNT}(?<![,.]) ?(?:{RATE}|k?{words.IOPS}|{words.TIME_UNIT}))",
    re.IGNORECASE,
)
_COUNT_ALONE = rf"{AMOUNT}(?<![,.])(?!{UNIT}|[\d%])"
_IOPS_FROM_TO = re.compile(
    rf"(?<![^\W\d])IOPS(?P<aside> \([^()]{{1,40}}\))?(?:[^\d.,;:()]{{1,40}}?)??"
    rf"{_FROM}(?P<first>{_COUNT_ALONE}) ?{_TO}(?P<second>{_COUNT_ALONE})",
    re.IGNORECASE,
)
""" "IOPS went from 380k to 462k"."""
_IOPS_CAME_TO = re.compile(
    r"(?<![^\W\d])IOPS ?(?:(?:rose|rise|jump(?:ed|s)?|went|go(?:es)?|climbed|grew|increased|improved|dropped|fell)"
    r"(?: up| down)? to|stiegen (?:auf)|sanken auf|跃升至|(?:提升|上升|增加|增长|下降|降低|达)[至到]|降[至到]|稳定在) ?"
    rf"(?P<count>{_COUNT_ALONE})",
    re.IGNORECASE,
)
_OUT = re.compile(r"から|에서|['’]d[ea]n\b")
_OUT_OF = re.compile(rf"(?P<first>{AMOUNT}{UNIT}) ?(?:{_OUT.pattern}) ?(?={AMOUNT}{UNIT})", re.IGNORECASE)
""" "350MB/s から 40MB/s まで落ちる"."""
_OUT_RANGE = re.compile(
    rf"(?P<first>{AMOUNT})(?:{UNIT})? ?(?:から|에서|['’]d[ea]n) ?(?P<second>{AMOUNT}{UNIT})"
    r"(?= ?(?:程度|くらい|ぐらい|ほど|前後|の間|の範囲|の幅|정도|사이|내외|arası))"
    r"(?! ?\w{2,4}?(?:まで|に(?:落|下|上|低|向)))",
    re.IGNORECASE,
)
""" "110MB/sから90MB/s程度": between the two, and no change."""
_AGAINST = re.compile(
    rf"(?<![\w.,])(?P<first>{AMOUNT}) (?P<against>(?:{words.AGAINST})(?: (?:{words.ABOUT}))?)"
    rf" (?P<second>{AMOUNT}(?P<unit>{UNIT}))",
    re.IGNORECASE,
)
""" "409.3 against 406.8 MB/s": both in the unit of the second."""
_PLURAL = re.compile(r"(?<=\d)(?P<blank> ?)(?P<unit>[KMG]i?[Bb])s(?![\w/])")
_SPELLS = re.compile(r"sec(?!t|u)|sek|segund|сек|/ ?с|giây|saniye|bytes?/|[秒초兆]", re.IGNORECASE)
_RATE = re.compile(RATE, re.IGNORECASE)
_SCALES = "|".join(words.SPELLED_SCALES.values())
_SPELLED = re.compile(
    rf"(?<=\d)[ -]?(?P<scale>{_SCALES})(?:(?P<bits>{words.SPELLED_BITS})|(?P<bytes>{words.SPELLED_BYTES})"
    rf"|(?P<letter>i?[bбo])|(?<=[kmgKMG兆])(?=[/每毎]?秒|/초)) ?(?:{words.A_SECOND})(?![a-zа-я])",
    re.IGNORECASE,
)
_EACH_SECOND = re.compile(
    rf"(?:{words.EACH_SECOND})(?P<about>\s?(?:{words.ABOUT})?\s?)(?P<amount>{AMOUNT})\s?(?P<unit>[KMG]i?B)"
    rf"(?!\s?(?:/|{words.PER} )|[a-z])",
    re.IGNORECASE,
)
_BARE_SIZE = re.compile(r"\d ?(?:[KMG]i?[Bb](?:it)?|[MmGg]o?|兆)s?(?![A-Za-z/])", re.IGNORECASE)
_SPEED_OF = re.compile(
    rf"(?P<speed>(?:(?:{words.BANDWIDTH})(?: ?(?:{words.READ}|{words.WRITE}))?[\s:：=]{{0,2}}"
    rf"(?:(?:{words.ABOUT}|is|was|of|ist|war|liegt|lag|bei|est|était|de|es|era|é|è|di|jest|to|je|byla?|была?|är|var|op"
    rf"|是|为|為|[还還]?[只就才]?[有能在到]|は|が|는|은|가)[\s=]?){{0,3}}"
    rf"|(?:{words.READ}|{words.WRITE})[还還]?[只就才僅仅倒][有能是]?[跑到]{{0,2}}))"
    rf"(?P<amount>{AMOUNT})\s?(?P<unit>[KMG]i?B|[MG]bit|[MG]o|[MG](?=左右|上下|多|[，。；、！])|兆)(?:s(?!\w)|(?=左右|上下|多|しか"
    rf"|[,，;；。、!！?？)）]|\.(?!\d)|\s*$"
    r"|\s(?:and|but|while|und|aber|et|y|pero|e|ma|i|ale|и|а|но|ve|och|en|maar|on|with|mit|bei)\s))",
    re.IGNORECASE,
)
""" "The write speed is only 14 MB": of a speed it is what it does in a second."""
_OF_SPEED = Alternatives(rf"{words.BANDWIDTH}|{words.READ}|{words.WRITE}|iperf")
_SWEEP = re.compile(
    rf"^(?P<name>[^\W\d][\w /-]{{1,24}}?) ?[:=]? ?(?P<count>\d{{1,4}}) *(?:->|→|=>|⇒) *(?={AMOUNT}{UNIT})",
    re.IGNORECASE,
)
_NAMED_STATISTIC = rf"(?:{words.MEAN}|{words.MEDIAN}|{words.MAXIMUM}|{words.MINIMUM}|p\d\d(?:\.\d{{1,3}})?)"
_ARROW = re.compile(
    rf"(?:(?P<front>[:：]\s*)|(?P<named>(?<![^\W\d]){_NAMED_STATISTIC}[ :=]{{1,2}})|(?<![\w.,=]))(?P<first>{AMOUNT})"
    rf"(?P<unit>{UNIT})? ?(?:->|→|=>|⇒) ?(?P<second>{AMOUNT}(?P<behind>{UNIT})?)",
    re.IGNORECASE,
)
"""Before and after: two values of one load."""
_PARALLEL = re.compile(
    rf"(?<!\w)(?P<names>{_NAMED_STATISTIC}(?: ?/ ?{_NAMED_STATISTIC}){{1,4}}) ?(?:{words.LATENCY})? ?[:=]? ?"
    rf"(?P<times>{AMOUNT}(?: ?{words.TIME_UNIT})?(?: ?/ ?{AMOUNT}(?: ?{words.TIME_UNIT})?){{1,4}})(?![\w/])",
    re.IGNORECASE,
)
"""As many times as names of statistics."""
_WAY = r"(?:(?:rand|seq)?(?:reads?|writes?)|rd|wr|mix(?:ed)?|rw)"
_ORDERED_WAYS = re.compile(
    rf"(?<![\w/])(?P<names>{_WAY}(?: ?/ ?{_WAY}){{2}})(?![\w/])(?P<between>[^/;.]{{1,60}}?)"
    rf"(?<![\w/.])(?P<values>{AMOUNT}(?: ?/ ?{AMOUNT}){{2}})(?P<unit>{UNIT})(?![\w/])",
    re.IGNORECASE,
)
""" "rd/wr/mix with two targets is 910k/310k/640k IOPS": three of each, in one order."""
_ONE_WAY = rf"(?:{words.READ}|{words.WRITE})"
_LETTERS_OF_WAYS = re.compile(
    rf"(?<![\w/.+-])(?P<way>[rwRW])(?:[:=] ?| )(?=[~≈]?\d[\d.,]{{0,10}} ?k? ?(?:{RATE}|{words.IOPS}))",
    re.IGNORECASE,
)
""" "r 37 MB/s | w 168 MB/s"."""
_IN_BOTH = re.compile(
    rf"(?P<first>{AMOUNT}{UNIT}),? (?:and|und|et|y|e|i|oraz|и) (?P<second>{AMOUNT}{UNIT})"
    r"(?P<of> (?:in|for|on|of|with|at|bei[m]?|für|en|pour|para|per|dla|для|при) (?:[\w-]{1,12} ){0,3}?)"
    rf"(?P<one>{_ONE_WAY}) (?:and|und|et|y|e|i|oraz|и) (?P<other>{_ONE_WAY})(?!\w)",
    re.IGNORECASE,
)
""" "528 MiB/s and 405 MiB/s in sequential reads and writes"."""
_ASIDE_WITH = re.compile(rf"(?<=[\dkKM]) ?\((?:{words.WITH})(?: (?:an|a|einer|une?|una?))? (?=\D)", re.IGNORECASE)
""" "12k(with an avg latency of 3 ms)"."""
_RADOS_READ = re.compile(r"(?<=\brados bench )(seq|rand)(?![a-z])", re.IGNORECASE)
_UNIT_IN_NAME = re.compile(
    r"(?<![a-z])(?P<name>(?:[cs]?lat(?:ency)?|bw|bandwidth|throughput|p\d{2,4})(?:_(?:avg|mean|p\d{2,4}))?)"
    r"_(?P<unit>[num]s(?:ec)?|[kmg]i?b)(?P<rate>(?:_?p?s)?)(?P<is> ?[=:] ?)(?P<value>\d[\d.]*)(?![\w.])",
    re.IGNORECASE,
)
"""Scripts name the unit in the key: "lat_us=700.1", "bw_mib=91"."""
_THEN = re.compile(rf",? (?:{words.THEN})(?= )", re.IGNORECASE)
_SERIES = re.compile(
    rf"(?:(?<![\w.,=/-])|(?<={CJK}))(?P<items>{AMOUNT}(?:(?:{_THEN.pattern}|[,、]| ?/(?: ?(?:reads?|writes?))?"
    r"| and| und| et| y| e| oraz| i| и| bzw\.?| beziehungsweise| respectively| respectivement)"
    rf" ?{AMOUNT}){{1,9}})(?P<unit>{UNIT})(?![A-Za-z])",
    re.IGNORECASE,
)
"""Values with one unit behind the last: "46k and 13k IOPS", "51.2k, 52.9k, 51.8k IOPS"."""
_NO_SERIES = re.compile(r"(?:\d{1,12}[.,]){13}")
"""More numbers than a series has, and more ways to part them than there is time for."""
_BETWEEN = re.compile(
    r"(?<!\w)(?:zwischen|entre|tra|fra|mi[eę]dzy|pomiędzy|mezi|между|між|mell[ao][nm]|mellem|tussen)"
    rf" (?P<first>{AMOUNT})(?:{UNIT})? (?:und|et|y|e|i|a|и|і|og|och|en) (?P<second>{AMOUNT}{UNIT})",
    re.IGNORECASE,
)
""" "Zwischen 35 und 40 MB/s" is a range, and no series."""
_SCALE_OF_FIRST = re.compile(
    rf"(?<=\d) ?(?:{words.THOUSANDS})(?= ?[/|] ?{AMOUNT} ?(?:{words.THOUSANDS}))", re.IGNORECASE
)
""" "53.2 duizend/55.2 duizend IOPS" is "53.2k/55.2k IOPS"."""
_PIPED = re.compile(
    rf"(?P<names>[(\[] ?(?:{words.READ}|{words.WRITE})) ?\| ?(?P<other>(?:{words.READ}|{words.WRITE}) ?[)\]])"
    rf"(?P<between>[^|\d]{{0,20}}?)(?P<first>{AMOUNT}) ?\| ?(?={AMOUNT}{UNIT})",
    re.IGNORECASE,
)
""" "4k (read | write): 157 | 238 IOPS"."""
_OF_SIZE = re.compile(
    rf"(?<![\w.,=])(?P<value>\d[\d.,]*[kKmM]|\d{{4,}}|\d{{1,3}}(?:[,.]\d{{3}})+) "
    rf"(?P<size>(?:4|8|16|32|64|128)[kK](?:i?[bB])?(?: [a-z-]{{4,12}}){{0,2}}) (?P<unit>{words.IOPS})",
    re.IGNORECASE,
)
"""A size between a value and its unit: "670K 4K random read IOPS"."""
_UNPARTED = re.compile(r"(?<=\d{4}),(?=\d{3})|(?<=[kKM]),(?=\d)")
"""Commas that part no thousands: "1372,1183,1828"."""
_ALIKE = 10.0
"""By how much runs of one kind differ at most."""
_THAN = re.compile(
    rf"(?:{words.THAN}|\bexceed\w*)(?: \w+){{0,2}}? (?:{words.READ}|{words.WRITE})"
    rf"(?:(?:/| (?:and|or|und|oder|et|ou|y|o|e|i|и) )(?:{words.READ}|{words.WRITE}))?(?![^.;]{{0,20}}\d)"
    r"|zero(?:e?s)?, (?:and |or )?ones,? (?:and |or )?random",
    re.IGNORECASE,
)
""" "About 8 MB/s, four times slower than writing" tells what did not reach 8 MB/s."""
_ILLEGIBLE_WAY = "…"
_IN_QUOTES = re.compile(r"[『「]([^『』「」:：]{1,20}[:：]\s?[~≈約约]?\d[^『』「」]{0,20})[』」]")
""" "『書き込み:52.1MB/s』『読み込み:88.4MB/s』": what is told, and the sentence around it is not."""
_PRINTED = re.compile(r"書かれ|記載|表記|公称|謳|标[称注]|標[稱示]|표기")
_LINK = re.compile(r"(?<!!)\[(?P<text>[^\[\]]{1,120})\]\((?:https?:|/|#|\.)[^()\s]{0,300}\)")
_ADDRESS = re.compile(r"\s*\bhttps?://\S+(?<![.,;:)])")
_REMARK = re.compile(r"\s*(?:<-{1,3}|<=|←|#)\s.*$|(?<=[\d/]s)\s*[?!]{2,}\s*$")
"""What points at a number: "<-- ???"."""
_EXCLAIMED = re.compile(r"(?<=[\dkKM]) ?[(（][!?！？]{1,3}[)）]")
""" "21.3k(!) IOPS"."""
_THOUSANDS = re.compile(
    r"(?<![\w.,])(?<![qdhsjt]=)(?P<front>\d{1,3})(?P<groups>(?: \d{3})+(?:[.,]\d{1,2})?)"
    rf"(?! ?k ?i/?o)(?= ?(?:{words.IOPS}|{RATE})"
    rf"| ?[/|] ?\d{{1,3}}(?: \d{{3}}){{0,2}}(?:[.,]\d{{1,2}})? ?(?:{words.IOPS}|{RATE}))",
    re.IGNORECASE,
)
_THOUSANDS_OF_IOPS = re.compile(
    rf"(?P<label>(?:{words.IOPS}) ?[:：=]\s{{0,3}}[*~≈]{{0,3}})(?P<number>\d{{1,3}}(?: \d{{3}})+)(?![\w%]|[.,/]\d| \d)",
    re.IGNORECASE,
)
""" "IOPS: 10 698"."""
_THOUSANDS_ALONE = re.compile(r"(?<![\w.,'’/-])(?<![\d] )(?P<front>[1-9]\d{0,2}) 000(?![\w]|[.,'’]\d| \d)")
""" "60 000 random write IOPS": no number begins so."""


def without_leaders(text: str) -> str:
    """ "IO depth .......... 8" as "IO depth: 8"."""
    return _LEADERS.sub(": ", text) if "...." in text or ". . . ." in text else text


def plain(line: str, commas: bool) -> str:
    """A line without marks, remarks and what misleads: dots of abbreviations, parted thousands, "4k - 900 IOPS"."""
    if _OF_CACHE.match(line):
        return ""
    line = _LINK.sub(r"\g<text>", line) if "](" in line else line
    text = _MARK.sub("", _EXCLAIMED.sub("", _ADDRESS.sub("", line)), count=1)
    text = without_left_out(without_supposed(_REMARK.sub("", text).strip().replace("**", "")))
    text = _THAN.sub(_ILLEGIBLE_WAY, text)
    if named := _IN_QUOTES.findall(text):
        text = "" if _PRINTED.search(text) else "; ".join(named)
    text = _COUNTED.sub(" IOPS", without_leaders(text))
    if len({match["way"].lower() for match in _LETTERS_OF_WAYS.finditer(text)}) > 1:
        text = _LETTERS_OF_WAYS.sub(lambda match: {"r": "read ", "w": "write "}[match["way"].lower()], text)
    text = _AGAINST.sub(r"\g<first>\g<unit> \g<against> \g<second>", text)
    text = _OF_HDPARM.sub(r"\g<0> read", _DEPTH_AT.sub(r"\g<name> ", text))
    if text.startswith("{"):
        text = _QUOTED_NAME.sub(r"\1=\2", text)
    text = _PAIR.sub(", ", text) if PAIRS.match(text) else _BEHIND_PAIR.sub(r"\g<pair>, ", text)
    text = _ORDINAL.sub(r"\1", text)
    text = _UNIT_IN_NAME.sub(_with_unit, _RADOS_READ.sub(r"\1 read", text))
    text = with_joined_thousands(_ABBREVIATED.sub(r"\1", text), commas)
    text = _PARALLEL.sub(_each_with_its_name, _ASIDE_WITH.sub(" (", text))
    text = _ORDERED_WAYS.sub(_each_with_its_way, text)
    text = _SCALE_OF_FIRST.sub("k", text)
    text = _SWEEP.sub(_as_label, _PIPED.sub(r"\g<names>/\g<other>\g<between>\g<first>/", text))
    text = _OF_SIZE.sub(r"\g<size> \g<value> \g<unit>", text)
    if _OUT.search(text):
        text = _OUT_OF.sub(r"\g<first>, ", _OUT_RANGE.sub(r"\g<first>-\g<second>", text))
    text = with_both_values(text)
    text = _BETWEEN.sub(r"\g<first>-\g<second>", text)
    ways = len(phrase_of(text).ways)
    text = text if _NO_SERIES.search(text) else _SERIES.sub(lambda match: _with_units(match, commas, ways), text)
    text = _IN_BOTH.sub(_each_in_its_way, text) if ways > 1 else text
    return _DASH.sub(_without_dash, text)


def _each_in_its_way(match: re.Match[str]) -> str:
    of = match["of"]
    return f"{match['first']}{of}{match['one']} and {match['second']}{of}{match['other']}"


_FSYNCS = re.compile(
    r"(?<![\w.,])(?P<count>\d[\d.,]{0,11}(?<![.,])[kK]?) ?f(?:data)?syncs? ?"
    r"(?:/|per|pro|par|por) ?s(?:ec(?:ond)?|ekunde)?(?![a-z])"
    r"|(?<!\w)fsyncs?/s(?:ec(?:ond)?)?`?[^\w<>≥≤]{1,3}(?P<behind>\d[\d.,]{0,11}(?<![.,])[kK]?)(?![\w%])",
    re.IGNORECASE,
)


def _of_fsyncs(match: re.Match[str]) -> str:
    """As many writes, each of which was waited for."""
    return f"{match['count'] or match['behind']} IOPS write"


PER_BLOCK = re.compile(
    rf"\*{{0,2}}(?P<time>[~≈]?\d[\d.,]{{0,11}})\*{{0,2}} ?(?P<unit>{words.TIME_UNIT}) ?(?:/|per|pro|par|por|на) ?"
    r"(?P<size>\d{1,4} ?[kM](?:i?B)?)(?![\w/])",
    re.IGNORECASE,
)


def with_times_of_blocks(text: str) -> str:
    """ "19.4 msec/4k": the latency of one such block."""
    return PER_BLOCK.sub(r"\g<size> latency \g<time> \g<unit>", text)


def with_spelled_rates(text: str) -> str:
    """With "MB/s" for what is said in words: "85 megabytes per second", "每秒85MB", "a write speed of only 14 MB"."""
    if "sync" in text.lower() and not _RATE.search(text):  # beside rates they would be of the same run
        text = _FSYNCS.sub(_of_fsyncs, text)
    if _SPELLS.search(text):
        text = _EACH_SECOND.sub(r"\g<about>\g<amount> \g<unit>/s", _SPELLED.sub(_as_rate, text))
    if not _OF_SPEED.search(text):
        return text
    text = _PLURAL.sub(r"\g<blank>\g<unit>/s", text)
    return _SPEED_OF.sub(_of_speed, text) if _BARE_SIZE.search(text) else text


def _as_rate(match: re.Match[str]) -> str:
    if _RATE.fullmatch(match[0].strip()):
        return match[0]  # as tools print it, too
    scale = next(
        short for short, names in words.SPELLED_SCALES.items() if re.fullmatch(names, match["scale"], re.IGNORECASE)
    )
    unit = "bit" if match["bits"] else re.sub("[бБoO]", "B", match["letter"] or "B")
    return f" {scale}{unit}/s"


def _of_speed(match: re.Match[str]) -> str:
    unit = match["unit"].upper()
    what = f"{unit[0]}bit" if unit.endswith("BIT") else "MB" if unit == "兆" else f"{unit.rstrip('BO')}B"
    return f"{match['speed']}{match['amount']} {what}/s"


def _without_dash(match: re.Match[str]) -> str:
    """ "4k - 900 IOPS": a block and a value; "92k - 101k IOPS" is a range."""
    return f"{match['size']} " if heading_of(match["size"]).load.block_bytes else match[0]


def _with_units(match: re.Match[str], commas: bool, ways: int) -> str:
    """Each of a series with its unit: values of a direction each, or alike and no sizes."""
    listed = _THEN.sub("、", _UNPARTED.sub("、", match["items"]))
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
    return f"{match['first'].strip()} {unit.strip()}{match['aside'] or ''}, {match['second']}"


def _each_with_its_name(match: re.Match[str]) -> str:
    """ "avg/p99 latency=4.8ms/54.8 ms" -> "avg latency 4.8ms, p99 latency 54.8 ms"."""
    names, times = re.split(r" ?/ ?", match["names"]), re.findall(rf"{AMOUNT}(?: ?{words.TIME_UNIT})?", match["times"])
    unit = re.search(rf"{words.TIME_UNIT}$", match["times"], re.IGNORECASE)
    if len(names) != len(times) or unit is None:
        return match[0]
    with_units = (each if re.search(r"[^\W\d]", each) else f"{each} {unit[0]}" for each in times)
    return ", ".join(f"{name} latency {time}" for name, time in zip(names, with_units, strict=True))


def _each_with_its_way(match: re.Match[str]) -> str:
    names, values = re.split(r" ?/ ?", match["names"]), re.findall(AMOUNT, match["values"])
    spelled = {"rd": "read", "wr": "write", "mix": "mixed", "rw": "mixed"}
    ways = [spelled.get(name.lower(), name) for name in names]
    if len(set(ways)) < len(ways) or len(values) != len(ways):
        return match[0]
    each = ", ".join(f"{way} {value.strip()}{match['unit']}" for way, value in zip(ways, values, strict=True))
    return f"{match['between'].strip()} {each}"


def _as_label(match: re.Match[str]) -> str:
    """ "clients: 16 -> 2210 MB/s": a step of a sweep, and no IOPS or writes before and after."""
    name = heading_of(match["name"])
    return match[0] if name.quantities or name.ways else f"{match['name']} {match['count']}: "


def _before_and_after(match: re.Match[str]) -> str:
    """ "IOPS: 310 -> 9800", "310 -> 9800 IOPS"; other numbers may be versions or depths. "max 9 -> 4 ms" is twice a
    maximum."""
    unit, named = match["unit"] or match["behind"] or "", match["named"] or ""
    if not (match["unit"] or named) and _ends_in_condition(match.string[: match.end("first")]):
        return f"{match['front'] or ''}{match['first'].strip()}: {match['second']}"
    if not (match["front"] or match["unit"] or named) and _BLOCK_AND_COUNT.fullmatch(match[0]):
        return _BLOCK_AND_COUNT.sub(r"\g<block>: \g<rest>", match[0])
    if not (unit or match["front"]):
        return match[0]
    first, second = match["first"].strip() + unit, match["second"] + ("" if match["behind"] else unit)
    return f"{match['front'] or named}{first}, {named}{second}"


def _ends_in_condition(text: str) -> bool:
    """ "Read 4k numjobs 2 -> 866 MB/s": a condition, and what came of it."""
    last = phrase_of(text).tokens[-1:]
    return bool(last) and last[0].kind in ("depth", "jobs", "cdm", "block") and text.endswith(last[0].text)


_BLOCK_AND_COUNT = re.compile(
    r"(?P<block>(?:[1248]|16|32|64|128|256|512)[kKM]) ?(?:->|→|=>|⇒) ?(?P<rest>\d[\d.,]*(?![kKM]\b)[^\dkKM].*)"
)
""" "Seq read 1M → 53890 IOPS": a size, and what came of it."""


def _iops_of_both(match: re.Match[str]) -> str:
    return f"{match['aside'] or ''} {match['first']} IOPS, {match['second']} IOPS"


def with_both_values(text: str) -> str:
    """With the unit and the statistic that two values, before and after, share."""
    if "iops" in text.lower():
        text = _IOPS_FROM_TO.sub(_iops_of_both, text)
        text = _IOPS_CAME_TO.sub(r" \g<count> IOPS", text)
    return _ARROW.sub(_before_and_after, _FROM_TO.sub(_both_values, text))


def with_joined_thousands(text: str, commas: bool) -> str:
    """ "18 300 IOPS" is one number where people write so, as who writes "60 000", or behind a colon; elsewhere nobody
    can tell: no number."""
    are_joined = commas or _THOUSANDS_ALONE.search(text) is not None

    def joined(match: re.Match[str]) -> str:
        certain = are_joined or (text[: match.start()].rstrip() or ":")[-1] in ":：=~≈|(/,→>"
        return match["front"] + match["groups"].replace(" ", "") if certain else "?"

    text = _THOUSANDS_OF_IOPS.sub(lambda match: match["label"] + match["number"].replace(" ", ""), text)
    return _THOUSANDS.sub(joined, _THOUSANDS_ALONE.sub(r"\g<front>000", text))
