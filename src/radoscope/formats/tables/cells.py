"""The numbers of a cell of a table, with their quantities."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from radoscope import patterns as re
from radoscope.formats.context.sentences import IDEOGRAPHS
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.alternatives import Alternatives
from radoscope.formats.grammar.phrases import (
    BANDWIDTH,
    CJK,
    IOPS,
    LATENCY,
    NUMBERS,
    PLAIN_VALUE,
    RATE,
    Load,
    Phrase,
    Quantity,
    Value,
    cell_of,
    heading_of,
    is_range_of_rates,
    phrase_of,
    with_shared_unit,
)

_SHORTEST_SENTENCE, _FEWEST_WORDS = 30, 5
_TWO_NUMBERS = re.compile(r"\d(?:[^\d.,'’]|\.\.).*\d")
_NOT_MEASURED = Alternatives(words.NOT_MEASURED)
_LONGEST_CELL = 160
_SMALLEST, _LARGEST, _ROUNDING = 9, 25, 0.09
"""Powers of two of a block; where MB are MiB it is 0.07 off, and two digits are rounded, too."""
_HARMLESS = re.compile(
    r"(?:ca|circa|about|approx|around|environ|etwa|около|约|約|and|und|et|oraz|i|y|или|和|avg|only|just|ops?)\b\.?|@|at",
    re.IGNORECASE,
)
_SIZE_OF_RATE = re.compile(r"[~≈]?\d[\d.,']* ?[kKMG]i?B")
""" "31.7MB" below "BW": what was moved in a second."""
_NAMED_LOAD = re.compile(
    rf"(?:4|8|16|32|64|128)[kK] ?(?:i?[bB] ?)?(?:(?:rand|rnd|seq)[-_]?(?:reads?|writes?)|"
    rf"(?:{words.RANDOM}|{words.SEQUENTIAL}) ?(?:{words.READ}|{words.WRITE})?)(?: iops)?",
    re.IGNORECASE,
)
""" "4K random read": no four thousand a second."""
_LOST_DIGIT = re.compile(r"[1-9]\d{0,2},\d{1,2}")
"""No whole number in thousands, and no other writes decimal commas there."""
_REMARK = re.compile(r"(?<=[\dkKmM]) ?\((\d{1,4} ?[GT](?:i?B)?(?: [^()\d%/]{1,20})?|[^()\d%]{1,30})\)$")
_MARKED = re.compile(r"(?<=[\dkKmM]) ?(?:[⚠†‡§¶※✱⁽¹²³]|\*{1,2})\ufe0f? ?([^\W\d][^\d()%]{0,29})$")
"""Behind a mark: "190 000 ⚠cached"."""
_BEFORE_REMARK = " (,;—–，、；⚠†‡§¶※✱⁽¹²³*\ufe0f"
_AMOUNT = re.compile(r"(?<=[\dkKmMs]) ?[(（]((?=[^()（）]{0,40}\d ?[KMGT]i?B(?![/\w]))[^()（）%]{1,40})[)）]$")
_ANOTHER = re.compile(rf"(?<=\d) ?{RATE} ?\((?P<other>[^\W\d][^()%=]{{0,28}}? \d[\d.,]*)\)$", re.IGNORECASE)
"""Behind a rate in its unit, what something else gave: "640 MB/s (old 712)"."""
REMARK_BEHIND = re.compile(
    rf"[~≈]?\d[\d.,']*[kKM]? ?(?:{RATE}|IOPS|{words.MEAN})(?:[,;] | [—–] |(?<={CJK}),|[，、；])(.{{1,80}})",
    re.IGNORECASE,
)
""" "870 MB/s — 88% of its link", "3,120 avg, steady for 300 s"."""
NAME_OF_VALUE = re.compile(
    rf"[^\W\d][^()]{{0,40}} \(\d[\d.,]{{0,12}} ?(?:(?:read|write) )?(?:{RATE}|IOPS|{words.TIME_UNIT})"
    r"(?: \([^()]{1,12}\))?\)",
    re.IGNORECASE,
)
""" "pool a (1204 write IOPS)": whose it is."""
EXTREME_ASIDE = re.compile(r" ?\((?:min|max)[^()]{1,30}\)", re.IGNORECASE)
_HOW_LONG = re.compile(
    r"(?<![\w.,])\d{1,5} ?(?:s|secs?|seconds?|min|minutes?|h|hours?|с(?:ек)?|秒|分钟?|초|분)(?![a-zа-я])", re.I
)
_RATE_ASIDE = re.compile(
    rf"(?<=\d) ?{RATE} ?\((?P<other>\d[\d.,]* ?{RATE} (?P<name>[^\W\d][^()%=\d]{{0,28}}))\)$", re.IGNORECASE
)
"""Behind it, what something else gives, or what it is sold with: "126 MB/s (125 MB/s baseline)"."""
TEMPERATURE = re.compile(r"(?:(?:peak|max\.?) )?\d[\d.,]* ?°[CF]?", re.IGNORECASE)
_AGAIN = re.compile(rf"(?P<first>\d[\d.,]* ?{RATE}) ?\([~≈=]? ?(?P<again>\d[\d.,]* ?{RATE})\)", re.IGNORECASE)
PER_SECOND = re.compile(r"(?P<number>[~≈]?\d[\d.,]*[kKM]?) ?/ ?s(?:ec)?(?![a-z])")
""" "12.3k/s" below "IOPS"."""
_NAMED_IOPS = re.compile(r"(?<![a-z])iops ?[=:] ?(?P<number>[~≈]?\d[\d.,]*(?<![.,])[kKM]?)(?![\w%])", re.IGNORECASE)
"""As fio prints it: "IOPS=41.2k, BW=161MiB/s"."""
_LETTERED = re.compile(
    r"(?P<read>[~≈]?\d[\d.,]*[kKM]?) ?r ?[/,|+] ?(?P<write>[~≈]?\d[\d.,]*[kKM]?) ?w(?![a-z])", re.IGNORECASE
)
_COUNTED_WAYS = re.compile(
    rf"(?P<read>[~≈]?\d[\d.,]* ?[kKM]?) (?:{words.READ}) ?(?:[+/,&]|and|und|et|y|e|i|и|和) ?"
    rf"(?P<write>[~≈]?\d[\d.,]* ?[kKM]?) (?:{words.WRITE}) (?:{words.IOPS})",
    re.IGNORECASE,
)
""" "9.2 K read + 4 K write IOPS": the unit stands once, behind both."""
_WAY_BETWEEN = re.compile(
    rf"(?P<number>\d[\d.,]{{0,14}}(?<![.,])(?:(?<=[.,]\d)[kKM]|(?<=[.,]\d\d)[kKM])?)"
    rf" (?P<way>{words.READ}|{words.WRITE}) (?:{words.IOPS})(?: ?\(\d\d?/\d\d?\))?",
    re.IGNORECASE,
)
""" "3120.5 write IOPS (70/30)": no block of a load that is named."""
_WAY_BEHIND = re.compile(
    rf"(?P<number>[~≈]?\d[\d.,]*(?<![.,]) ?[kKM]?)(?<! ) ?\((?:(?P<read>r|{words.READ})|(?:w|{words.WRITE}))\)",
    re.IGNORECASE,
)
""" "2481 (read), 2710 (write)": each number with the direction behind it."""
_OF_FIO = re.compile(r"(?<=\d), ?(?:per|samples) ?= ?\d[\d.]*%?(?=,|$)", re.IGNORECASE)
"""Beside the averages that fio prints, no rate: how much of all it is, and how often it was looked at."""
_REFERENCE = re.compile(r"(?<=[\dkKMsS%]) ?\[\^?\d{1,2}\]$")
"""To a note: "120k [1]"."""
_EXTREMES = re.compile(
    r" ?\((?:min|max)[^()]*\)|(?<=[,;/]) ?(?:min|max)\.? ?[:=]? ?(?=\d)|(?:avg|mean|p50|median).*", re.IGNORECASE
)
"""Beside a mean: no limits."""
_TIMED = re.compile(
    rf"(?<!\w)(?:{words.MEAN}|{words.MEDIAN}|{words.MINIMUM}|{words.MAXIMUM}|p\d\d(?:\.\d+)?) ?[:=]? ?"
    rf"\d[\d.,]*(?<![.,])(?! ?(?:{words.IOPS}|{RATE}))(?: ?(?P<unit>{words.TIME_UNIT}))?(?![\w%])",
    re.IGNORECASE,
)
_LOST_SECOND = re.compile(rf"(?<=\d)(?P<unit> ?[KMG]i?B)/(?=(?:{words.READ}|{words.WRITE}))", re.IGNORECASE)
""" "612 MB/s reads, 590 MB/writes"."""
_A_SECOND = re.compile(r"/s(?![a-z])", re.IGNORECASE)
_FOUR_TIMES = re.compile(
    r"\W*(?:(?:rtt |round-trip )?min/avg/max(?:/(?:m|std)dev)?\W{1,3})?"
    r"(?P<low>\d{1,6}(?:[.,]\d{1,6})?) ?/ ?(?P<mean>\d{1,6}(?:[.,]\d{1,6})?) ?/ ?(?P<high>\d{1,6}(?:[.,]\d{1,6})?)"
    rf"(?P<rest> ?/ ?\d{{1,6}}(?:[.,]\d{{1,6}})?)? ?(?P<unit>(?:{words.TIME_UNIT})?)\W*",
    re.IGNORECASE,
)
"""Least, mean, longest and deviation, as ping and ioping print them; three alone may be anything."""
_SAME = 0.01
SPREAD = re.compile(r"(?<=[\dkKmM]) ?\([^()\d]{0,20}[±σ][^()]{1,20}\)$")
_AT_ITS_LIMIT = re.compile(
    r"\b(?:near|at|close to) (?:the |its )?(?:\w+ ){0,2}(?:cap|limit|maximum|line rate)\b", re.IGNORECASE
)
_RUNS_BEHIND = re.compile(
    r"(?<=[\dkKmMs])(?: ?\[\d[\d.,]* ?[kKM]? ?[–—-] ?\d[\d.,]* ?[kKM]?\])?(?: ?\(n ?= ?\d{1,4}(?:[;,] [^()]{1,60})?\))?"
    r"(?P<bold>\*{0,2})$"
)
""" "548 [531–579] (n=2)": from the least to the largest, and of how many runs."""
_GUESSED = Alternatives(rf"estimat|extrapol|projected|calculat|assum|geschätzt|estim|{words.WISHED}")
_ESTIMATED = re.compile(
    r"(?:(?-i:[(（]est\.?[)）]| est\.)|[\s(（](?:estimat\w+|extrapolat\w+|projected|geschätzt|hochgerechnet|estimée?"
    r"|extrapolée?|estimad[oa]|stimat[oa]|szacowan\w+|оценк[аи]|估[计計算]|推定|概算|추정)[)）]?)$",
    re.IGNORECASE,
)
"""Behind a number; "(Est)" is where the sun rises."""
_LIMIT = re.compile(
    rf"(?:{words.BOUND}|{words.SUB})\W{{0,2}}\d[\d.,]*[kKM]? ?(?:{words.TIME_UNIT}|{RATE}|{words.IOPS}|$)"
    rf"|(?:{words.BOUND_BEHIND})$"
    rf"|[<>≤≥]|^\W*(?:{words.UP_TO})\s?(?=[~≈]?\d)|\b(?:up to|max\.?|bis|до|vs\.?|targets?|goals?)\s|目标|目標",
    re.IGNORECASE,
)


@lru_cache(maxsize=1024)
def is_sentence(cell: str) -> bool:
    """ "Plateaus there: every read hits the disk (~480 MB/s SATA SSD)": below no quantity it explains, and measures
    nothing."""
    if len(cell) < _SHORTEST_SENTENCE or not cell.lstrip("*_")[:1].isalpha():
        return False
    said = cell_of(cell).words
    return len(said.split()) + len(IDEOGRAPHS.findall(said)) // 2 >= _FEWEST_WORDS


def _mean_of_four(match: re.Match[str]) -> str:
    """Of what ping sums up, if it is in order; else nothing, for nobody knows which is which."""
    low, mean, high = (float(match[name].replace(",", ".")) for name in ("low", "mean", "high"))
    return f"{match['mean']} {match['unit']}" if low <= mean <= high and match["rest"] else ""


def values_in(
    cell: str, quantities: Sequence[Quantity], ways: Sequence[str], statistics: Sequence[str], commas: bool
) -> tuple[Value, ...]:
    """The cell's values in 1/s, bytes/s and s.

    quantities: those that the heading, the row or the caption names, in order. ways, statistics: where two or more of
    them are named, as many numbers are shared out among them: "12k/4k" below "Read/Write IOPS".
    """
    if [each.kind for each in quantities] == [LATENCY] and not (ways or statistics):
        cell = _FOUR_TIMES.sub(_mean_of_four, cell)
    if not PLAIN_VALUE.fullmatch(cell) and not (cell := _plain(cell, [each.kind for each in quantities], commas)):
        return ()
    if not quantities and is_promised(cell):
        return ()
    phrase = cell_of(with_shared_unit(cell) if max(len(ways), len(statistics)) > 1 else cell)
    found = phrase.values(commas)
    if found and not all(value.kind for value in found) and _has_other_words(phrase):
        phrase = cell_of(without_remark(cell))
        found = () if _has_other_words(phrase) else phrase.values(commas)
    if not found:
        return ()
    own = [value for value in found if value.kind and not _is_duration(value, found, quantities, phrase)]
    bare = [value for value in found if not value.kind]
    if len(found) == 1 and any(_is_strange(value, quantities) for value in own):
        return ()
    if not quantities and _is_rate_of(bare, own, phrase.text):
        return (bare[0]._replace(kind=IOPS), own[0])
    left = [each for each in quantities if each.kind not in {value.kind for value in own}]
    named = _named(bare if own or len(bare) == len(left) else _without_asides(bare, phrase.text), left)
    if named is None:
        return ()
    return _shared_out([*own, *named], phrase, ways, statistics)


def is_promised(cell: str) -> bool:
    """ "3000 IOPS provisioned": nobody measured its number."""
    return _NOT_MEASURED.search(cell) is not None


def without_amount(cell: str) -> str:
    """ "7.2 (640 MiB in 80 s)": how much it was, and no condition; nor what something else gave, nor fio's samples."""
    cell = _OF_FIO.sub("", cell) if "avg" in cell else cell
    cell = _RUNS_BEHIND.sub(r"\g<bold>", cell) if "[" in cell or "n" in cell else cell
    aside = _RATE_ASIDE.search(cell)
    if aside and not _NOT_MEASURED.search(aside["name"]) and _tells_nothing(heading_of(aside["name"])):
        return cell[: aside.start("other")].rstrip(" (（")
    for pattern in (_AMOUNT, _ANOTHER):
        match = pattern.search(cell)
        phrase = heading_of(match[1]) if match else None
        if match is None or phrase is None or phrase.load != Load():
            continue
        if any(each.kind in ("rate", "iops") for each in phrase.tokens):
            continue
        if pattern is _AMOUNT or not (_NOT_MEASURED.search(match[1]) or _GUESSED.search(match[1]) or phrase.statistics):
            cell = cell[: match.start(1)].rstrip(" (（")
    return cell


def is_range(cell: str, quantities: Sequence[Quantity]) -> bool:
    """ "120-140 MB/s", and no other number; a bare one where a quantity is named for it."""
    if not _TWO_NUMBERS.search(cell):
        return False
    tokens = [token for token in cell_of(cell).tokens if token.kind in (*NUMBERS, "size", "range")]
    return [token.kind for token in tokens] == ["range"] and bool(quantities or is_range_of_rates(tokens[0]))


def _plain(cell: str, kinds: Sequence[str], commas: bool) -> str:
    """A cell without what misleads; "" where its number is a limit, damaged, or of a load."""
    are_iops = set(kinds) == {IOPS}
    if len(cell) > _LONGEST_CELL or _LIMIT.search(_EXTREMES.sub("", cell)) or _ESTIMATED.search(cell):
        return ""
    if are_iops and not commas and _LOST_DIGIT.fullmatch(cell):
        return ""
    cell = _NAMED_IOPS.sub(r"\g<number> IOPS", PER_SECOND.sub(r"\g<number>", cell) if are_iops else cell)
    cell = without_amount(cell)
    cell = _LETTERED.sub(r"read \g<read>, write \g<write>", _REFERENCE.sub("", cell))
    if len(_WAY_BEHIND.findall(cell)) > 1:
        cell = _WAY_BEHIND.sub(lambda match: f"{'read' if match['read'] else 'write'} {match['number']}", cell)
    cell = _COUNTED_WAYS.sub(r"read \g<read> IOPS, write \g<write> IOPS", cell)
    cell = _WAY_BETWEEN.sub(r"\g<number> IOPS \g<way>", cell) if len(cell_of(cell).ways) == 1 else cell
    cell = _LOST_SECOND.sub(r"\g<unit>/s ", cell) if len(_A_SECOND.findall(cell)) == 1 else cell
    cell = _with_shared_time(_AGAIN.sub(_without_again, cell.replace("**", "")))
    if are_iops and _NAMED_LOAD.fullmatch(cell):
        return ""
    return f"{cell}/s" if list(kinds) == [BANDWIDTH] and _SIZE_OF_RATE.fullmatch(cell) else cell


def _with_shared_time(cell: str) -> str:
    """ "avg 2.6 ms, p50 1.4, p99 53 ms": the number between is in their unit."""
    found = list(_TIMED.finditer(cell))
    units = {match["unit"] for match in found} - {None}
    if len(units) != 1 or not found[0]["unit"] or all(match["unit"] for match in found):
        return cell  # "3,120 IOPS (max 3,200), p99 4 ms"
    (unit,) = units
    return _TIMED.sub(lambda match: match[0] if match["unit"] else f"{match[0]} {unit}", cell)


def _without_again(match: re.Match[str]) -> str:
    """ "683 MiB/s (716 MB/s)": the same in another unit."""
    first, again = (phrase_of(match[name]).values(False) for name in ("first", "again"))
    is_same = len(first) == len(again) == 1 and abs(again[0].value / (first[0].value or 1.0) - 1) < _SAME
    return match["first"] if is_same else match[0]


def without_remark(cell: str) -> str:
    """ "215,000 (ZFS)": the name of what was measured, unless it says that nothing was; "(spread ±1%)"."""
    cell = SPREAD.sub("", cell)
    match = _REMARK.search(cell) or _MARKED.search(cell) or REMARK_BEHIND.fullmatch(cell)
    remark = (
        _AT_ITS_LIMIT.sub("", _HOW_LONG.sub("", EXTREME_ASIDE.sub("", TEMPERATURE.sub("", match[1])))) if match else ""
    )
    if match is None or _NOT_MEASURED.search(remark) or _GUESSED.search(remark):
        return cell
    return cell[: match.start(1)].rstrip(_BEFORE_REMARK) if _tells_nothing(heading_of(remark)) else cell


def _tells_nothing(phrase: Phrase) -> bool:
    """Of what was measured, or how."""
    return not (phrase.quantities or phrase.statistics or phrase.names_values or phrase.load != Load())


def _is_duration(value: Value, found: Sequence[Value], quantities: Sequence[Quantity], phrase: Phrase) -> bool:
    """ "1.8 s (290 MiB/s)": how long something took, and its rate."""
    if value.kind != LATENCY or value.factor != 1.0 or any(each.kind == LATENCY for each in quantities):
        return False
    has_rate = any(each.kind == BANDWIDTH for each in found)
    return has_rate and not any(token.kind == "metric_latency" for token in phrase.tokens)


def _is_rate_of(bare: Sequence[Value], own: Sequence[Value], text: str) -> bool:
    """ "3120 (51.1 MB/s)", "31k / 122 MB/s": the bandwidth is that of so many operations a second of a power of two."""
    if len(bare) != 1 or len(own) != 1 or own[0].kind != BANDWIDTH or not bare[0].value:
        return False
    before = text[: own[0].start].rstrip()
    is_aside = bare[0].start < own[0].start and before.endswith(("(", "/") if bare[0].factor > 1 else "(")
    return is_aside and near_power(own[0].value / bare[0].value, _LARGEST, _ROUNDING)


def near_power(share: float, largest: int, off: float) -> bool:
    """Whether bandwidth over IOPS is about a power of two, from a sector to 2 ** largest bytes; off: as an exponent."""
    bits = math.log2(share) if share > 0 else 0.0
    return _SMALLEST <= round(bits) <= largest and abs(bits - round(bits)) < off


def _has_other_words(phrase: Phrase) -> bool:
    return bool(_HARMLESS.sub("", phrase.words).strip())


def _is_strange(value: Value, quantities: Sequence[Quantity]) -> bool:
    """A latency below a rate or the other way round; the speed of a link where nothing is measured."""
    kinds = {each.kind for each in quantities}
    if not kinds:
        return value.kind == BANDWIDTH and value.is_in_bits
    return value.kind not in kinds and LATENCY in {value.kind, *kinds} and len(kinds) == 1


def _named(bare: Sequence[Value], left: Sequence[Quantity]) -> list[Value] | None:
    """Numbers without a unit take the units of the heading, one each or one for all; None where that is not certain."""
    left = left if len(left) == len(bare) else [each for each in left if each.factor]
    if not bare or not left:
        return []
    if len(left) > 1:
        if len(left) != len(bare):
            return None
        pairs = list(zip(bare, left, strict=True))
    else:
        pairs = [(value, left[0]) for value in bare]
    values = [each for value, quantity in pairs if (each := value.of(quantity)) is not None]
    return values if len(values) == len(pairs) else None


def _without_asides(values: Sequence[Value], cell: str) -> Sequence[Value]:
    """Without what stands in brackets behind the first number."""
    at = cell.find("(")
    return [value for value in values if at < 0 or value.start < at] if at > 0 else values


def _shared_out(
    values: Sequence[Value], phrase: Phrase, ways: Sequence[str], statistics: Sequence[str]
) -> tuple[Value, ...]:
    """Several values of one kind belong to the directions or the statistics that are named, in their order."""
    result: list[Value] = []
    for kind in dict.fromkeys(value.kind for value in values):
        same = [value for value in values if value.kind == kind]
        before = [named[0] if len(named := phrase.statistic_before(value)) == 1 else "mean" for value in same]
        if kind == LATENCY and "worst" in phrase.text.lower():
            before = ["max" if each == "min" else each for each in before]
        are_named = len(set(before)) == len(same) > 1
        own_ways = phrase.ways or ways
        if len(same) == 1 and kind == LATENCY and not statistics:  # "120k IOPS, p50 130 us", "12 ms (p99)"
            named = phrase.statistic_behind(same[0]) or (before[0],)
            same = [same[0]._replace(statistic="" if named[0] == "mean" else named[0])]
        if are_named and "mean" not in before:  # "worst 44 ms, p95 32 ms" behind a read and a write
            same = [value._replace(statistic=name) for value, name in zip(same, before, strict=True)]
        elif len(same) > 1 and len(own_ways) == len(same):
            same = [value._replace(way=way) for value, way in zip(same, own_ways, strict=True)]
        elif len(same) > 1 and len(statistics) == len(same):
            same = [value._replace(statistic=name) for value, name in zip(same, statistics, strict=True)]
        elif are_named:
            same = [value._replace(statistic=name) for value, name in zip(same, before, strict=True)]
        elif len(same) > 1:
            same = list(_without_asides(same, phrase.text))
            if len(same) != 1:
                return ()
        elif len(phrase.ways) == 1:
            same = [same[0]._replace(way=phrase.ways[0])]
        elif len(phrase.ways) > 1:
            return ()
        result += same
    return tuple(result)
