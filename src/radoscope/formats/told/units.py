"""Units that stand elsewhere than behind their numbers: on a line that is alike, or in a sentence for all below it."""

from __future__ import annotations

from collections.abc import Sequence

from radoscope import patterns as re
from radoscope.formats.context.conditions import is_speaker
from radoscope.formats.context.sentences import TAKEN, Line
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.alternatives import Alternatives
from radoscope.formats.grammar.phrases import RATE, Load, heading_of, rate_factor
from radoscope.formats.grammar.quantities import number
from radoscope.formats.tables.heads import read_head
from radoscope.formats.told.elided import with_units_left_out

_LONGEST_LINE, _LONGEST_UNIT, _PAIR_OF_UNITS = 300, 24, 2
_BEGINS = r"(?P<mark>[^\w(]{0,12})(?P<amount>(?P<digits>\d[\d.,]{0,12}) ?(?P<scale>(?:[kKM](?=iops|[^a-zA-Z]))?))"
_BEGINS_BARE = re.compile(rf"{_BEGINS}\s{{0,3}}(?P<behind>[(（@]|[-–—] )")
_BEGINS_RATED = re.compile(
    rf"{_BEGINS} ?(?P<unit>(?:{words.IOPS})|(?:{RATE}))\s{{0,3}}(?P<behind>[(（@]|[-–—] )", re.IGNORECASE
)
_ALIKE = 10.0
"""By how much runs of one kind differ at most."""
_DECLARES_UNIT = re.compile(
    r"(?:[,;(]\s?|^|\s)(?:in|en|em|w|v|в|unit:?|einheit:?|unité ?:|unidad:?|(?:单位|單位|単位|단위)[:：]?)"
    rf" ?(?P<unit>{RATE}|IOPS)[\s)）.:：]{{0,4}}$",
    re.IGNORECASE,
)
_DECLARES_OTHER = re.compile(
    rf"(?:in|en|em|w|v|в) (?:{words.TIME_UNIT}|min\w{{0,6}}|hours?|stunden|heures|horas|%|percent|prozent)"
    r"[\s)）.:：]{0,4}$",
    re.IGNORECASE,
)
_PAIR = re.compile(r"(?P<name>[^\W\d][^\d,;|=:]{0,40}?) ?[=:] ?(?P<value>\d{1,9}(?:\.\d{1,20})?)(?=\s*(?:[,;|]\s|$))")
_PAIRS = re.compile(rf"\W{{0,8}}(?:{re.sub('P<[a-z]+>', ':', _PAIR.pattern)}\s*[,;|]?\s*){{2,8}}")
_RATE = rf"(?P<amount>\d[\d.,]{{0,12}}) ?(?P<unit>{RATE})"
_ANOTHER_RATE = rf"[\s,;=/()]{{1,4}}(?:or |oder |ou |o |или )?{re.sub('[?]P<[a-z]+>', '?:', _RATE)}"
_ECHOED = re.compile(rf"{_RATE}(?P<echoes>(?:{_ANOTHER_RATE}){{2,8}}\)?)(?![\w/])", re.IGNORECASE)
_RATES = re.compile(_RATE, re.IGNORECASE)
_ROUNDED = 0.01
_HEADS_COUNTS = re.compile(
    r"[^()]*\((?P<load>[^()]{0,60}?\b(?P<kilo>k?)IOPS)(?:, ?(?:in |units?:? ?)(?P<scale>[kM]))?\)[\s:：]*",
    re.IGNORECASE,
)
""" "2 threads, mirror (4k randread IOPS, unit K)" above "patch A: 418 -> 506"."""
_FEWEST_BARE = 100.0
"""IOPS without a "k": what is less may count something else."""
_TARGETS = re.compile(r"\d targets?\b", re.IGNORECASE)
"""Of iSCSI and its like: nobody aims at them."""
_COUNTS = re.compile(
    r"(?P<name>\W{0,8}[\w.+-][^:=：]{0,40}): {0,8}(?P<first>\d{1,3}(?:,\d{3}){1,2}|\d[\d.]{0,9})"
    r"(?:(?P<arrow> ?(?:->|→|=>) ?)(?P<second>\d{1,3}(?:,\d{3}){1,2}|\d[\d.]{0,9}))?\s*"
)
_TEST = r"(?P<label>\W{0,8}[^\W_][^:：|]{2,60}?)"
_NAMED_COUNT = re.compile(
    r"(?:(?P<name>[^\W\d][\w.+-]{0,30}(?: [^\W\d][\w.+-]{0,20}){0,2})[ =]{1,3})?"
    rf"(?P<amount>\d[\d.,]{{0,11}}(?<![.,])[kKM]?)(?P<remark>(?: \((?:[^()\d]{{1,40}}|\d[\d.,]{{0,11}} ?{RATE})\))?)",
    re.IGNORECASE,
)
_UNIT_IN_LABEL = re.compile(
    rf"{_TEST},?\s[(\[]?(?P<unit>{RATE}|IOPS)[)\]]?[:：] (?P<told>\S.*?)(?P<comment>\s(?:-+>|=+>|→)\s+[^\W\d].*)?",
    re.IGNORECASE,
)
""" "rand-write-4k IOPS: foofs 7,351 | barfs 1,459 -> foofs is 5x as fast"."""
_UNIT_OF_FIRST = re.compile(
    rf"{_TEST}[:：] (?P<told>[^\W\d][^:：]{{0,30}} \d[\d.,]{{0,11}}) ?(?P<unit>{RATE}|IOPS)(?P<rest>\s.*)",
    re.IGNORECASE,
)
_UNIT_OF_LAST = re.compile(
    rf"{_TEST}[:：] (?P<told>[^\W\d][^:：]{{0,120}} \d[\d.,]{{0,11}}) ?(?P<unit>{RATE}|IOPS)\W*", re.IGNORECASE
)
""" "seq write: HDD 180, SSD 520, NVMe 2100 MB/s"."""
_STEPS = re.compile(
    rf"(?P<first>\d[\d.,]{{0,11}}[kM]? ?(?P<unit>{RATE}|IOPS) "
    r"(?P<with>with|on|at|for|mit|auf|bei|avec|sur|con|en|su|z|na|с|на) \d{1,4} ?[^\W\d]{2,16})"
    r"(?P<others>(?:(?:,|,? (?:and|und|et|y|e|i|и)) \d[\d.,]{0,11}[kM]? (?P=with) \d{1,4}(?![\d.,]\d))+)",
    re.IGNORECASE,
)
""" "410 MB/s with 3 nodes, 690 with 5, 940 with 7"."""
_BETWEEN_NAMES = re.compile(r"\s*[|;/]\s+|,\s+|\s+(?:beats|vs\.?)\s+", re.IGNORECASE)
_THINGS = re.compile(
    r"(?:(?:dis[ck]|drive|ssd|hdd|osd|node|host|server|core|client|file|error|retr[iy]e|second|version)s|spread)",
    re.IGNORECASE,
)
"""What is counted, and no name."""
_SUPPOSED = Alternatives(f"{words.WISHED}|{words.SPECIFIED}|{words.OFFERED}|{words.PROMISED}")


def with_units(page: Sequence[Line]) -> list[Line]:
    """The lines of a page with the units of their neighbours, and those that a sentence above declares."""
    lines, unit, counted = [], "", ""
    names: set[str] = set()
    for at, line in enumerate(page):
        if line.text and line.text != TAKEN:
            line = _with_unit_beside(page, at) if line.whole else line
            unit = _declared(line.text, unit)
            line = _with_declared_unit(line, unit) if unit else line
            counted = counted if _COUNTS.fullmatch(line.text) else _unit_of_counts(line.text)
            line = _with_unit_of_counts(line, counted)
            text = _STEPS.sub(_with_unit_of_first, _with_unit_of_label(line.text, names))
            line = line._replace(text=with_units_left_out(text))
        lines.append(line)
    return lines


def without_echoes(text: str) -> str:
    """ "9.12 MiB/s (9.56 MB/s), or 9339 KiB/s (76505 kb/s)": the first of one rate in three units or more."""
    return _ECHOED.sub(_first_of_one, text) if text.count("/s") > _PAIR_OF_UNITS else text


def _first_of_one(match: re.Match[str]) -> str:
    first, *others = (_bytes_of(each) for each in _RATES.finditer(match[0]))
    are_one = first and all(
        other and any(abs(other / scale / first - 1) < _ROUNDED for scale in (1, 8)) for other in others
    )
    return match[0].removesuffix(match["echoes"]) if are_one else match[0]


def _bytes_of(rate: re.Match[str]) -> float:
    return (number(rate["amount"]) or 0.0) * (rate_factor(rate["unit"])[0] or 0.0)


def _with_unit_beside(page: Sequence[Line], at: int) -> Line:
    """ "52k (old) at 3 cores" right above or below "66k IOPS (new) at 4 cores": with the unit of the other one."""
    line = page[at]
    bare = _BEGINS_BARE.match(line.text)
    if bare is None or heading_of(bare["amount"]).load.block_bytes:  # "64k (QD32)" names a block
        return line
    beside = [_BEGINS_RATED.match(each.text) for each in page[max(0, at - 1) : at + 2]]
    units = {match["unit"] for match in beside if match and _is_like(bare, match)}
    if len(units) != 1:
        return line
    end = bare.end("amount")
    return line._replace(text=f"{line.text[:end].rstrip()} {units.pop()} {line.text[end:].lstrip()}")


def _unit_of_counts(text: str) -> str:
    """The unit of the numbers right below a line that ends with what they count."""
    match = _HEADS_COUNTS.fullmatch(text) if "iops" in text[-_LONGEST_UNIT:].lower() else None
    is_title = (
        match is not None
        and not heading_of(match["load"]).names_values
        and not _SUPPOSED.search(_TARGETS.sub("", text))
    )
    scale = (match["scale"] or match["kilo"]) if match and is_title else ""
    is_of_load = is_title and heading_of(text).load.way is not None
    return f"{scale} IOPS" if scale or is_of_load else ""


def _with_unit_of_counts(line: Line, unit: str) -> Line:
    match = _COUNTS.fullmatch(line.text) if unit else None
    if match and unit == " IOPS" and not all(map(_is_large, filter(None, match.group("first", "second")))):
        return line  # "hosts: 12"
    name = read_head(match["name"]) if match else None
    if match is None or name is None or name.role or name.quantities or name.load != Load():
        return line
    second = f"{match['arrow']}{match['second']}{unit}" if match["arrow"] else ""
    return line._replace(text=f"{match['name']}: {match['first']}{unit}{second}")


def _is_large(digits: str) -> bool:
    return (number(digits) or 0.0) >= _FEWEST_BARE


def _with_unit_of_label(text: str, names: set[str]) -> str:
    """ "rand-write-4k IOPS: foofs 7,351 | barfs 1,459 -> foofs wins": with the unit behind each of the numbers, and
    without the comment; so, too, where the first alone of such names has it. names: those of the lines above."""
    match, told = counts_in_unit_of_label(text), ""
    if match:
        told = "" if _RATES.search(match["comment"] or "") else match["told"]
    elif match := _UNIT_OF_LAST.fullmatch(text[:_LONGEST_LINE].replace("**", "")):
        told = match["told"]
    elif names and (match := _UNIT_OF_FIRST.fullmatch(text[:_LONGEST_LINE].replace("**", ""))):
        told = match["told"] + match["rest"]
    parts = _BETWEEN_NAMES.split(told)
    counts = [count for part in parts if (count := _NAMED_COUNT.fullmatch(part.strip())) and _is_named(count)]
    own = {count["name"] for count in counts} - {None}
    is_first_alone = match is not None and "rest" in match.groupdict()
    if match is None or len(counts) < len(parts) or not counts[0]["name"] or (is_first_alone and not own <= names):
        return text
    names |= own
    told = ", ".join(f"{each['name'] or ''} {each['amount']} {match['unit']}{each['remark']}" for each in counts)
    return f"{match['label']}: {told}"


def _with_unit_of_first(steps: re.Match[str]) -> str:
    return steps["first"] + re.sub(rf"(?= {steps['with']} )", f" {steps['unit']}", steps["others"])


def counts_in_unit_of_label(text: str) -> re.Match[str] | None:
    """Of a line that begins with a test and the unit of what came."""
    match = _UNIT_IN_LABEL.fullmatch(text.replace("**", "").rstrip()) if len(text) <= _LONGEST_LINE else None
    test = heading_of(match["label"]) if match else None
    return match if test and (len(test.ways) == 1 or test.load.way == "mix") and not test.names_values else None


def _is_named(count: re.Match[str]) -> bool:
    """By what is no condition and is not counted; or by a remark, and so of the name before it."""
    if not count["name"]:
        return bool(count["remark"])
    head = read_head(count["name"])
    tells = head.role or head.quantities or head.statistics or head.load != Load()
    return not tells and not _THINGS.fullmatch(count["name"])


def _declared(text: str, unit: str) -> str:
    """The unit of bare numbers below a line, which was this one above it."""
    tail = text[-_LONGEST_UNIT:]
    may_declare = ("/" in tail or "ps" in tail.lower()) and len(text) <= _LONGEST_LINE
    if may_declare and (declared := _DECLARES_UNIT.search(text)):
        return "" if _SUPPOSED.search(text) else declared["unit"]
    return "" if unit and (is_speaker(text) or _DECLARES_OTHER.search(text)) else unit


def _with_declared_unit(line: Line, unit: str) -> Line:
    """ "Five rounds each, in MB/s" above "write = 41.2, read = 158.4": with the unit behind each of the numbers."""
    if not _PAIRS.fullmatch(line.text):
        return line
    names = [heading_of(pair["name"]) for pair in _PAIR.finditer(line.text)]
    are_ways = all(len(name.ways) == 1 and not name.names_values for name in names)
    return line._replace(text=_PAIR.sub(rf"\g<name>: \g<value> {unit}", line.text)) if are_ways else line


def _is_like(bare: re.Match[str], rated: re.Match[str]) -> bool:
    """Whether two numbers that begin a line are of one scale, and the same mark is in front of and behind both."""
    amounts = [number(match["digits"]) for match in (bare, rated)]
    same = all(bare[name].lower() == rated[name].lower() for name in ("mark", "scale", "behind"))
    return same and None not in amounts and 1 / _ALIKE < (amounts[0] or 0) / (amounts[1] or 1) < _ALIKE
