"""Units that stand elsewhere than behind their numbers: on a line that is alike, or in a sentence for all below it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from radoscope.formats import vocabulary as words
from radoscope.formats.conditions import is_speaker
from radoscope.formats.phrases import RATE, heading_of
from radoscope.formats.quantities import number
from radoscope.formats.sentences import Line

_LONGEST_LINE = 300
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
_SUPPOSED = re.compile(f"{words.WISHED}|{words.SPECIFIED}|{words.OFFERED}|{words.PROMISED}", re.IGNORECASE)


def with_units_beside(page: Sequence[Line]) -> Iterator[Line]:
    """ "52k (old) at 3 cores" right above or below "66k IOPS (new) at 4 cores": with the unit of the other one."""
    for at, line in enumerate(page):
        bare = _BEGINS_BARE.match(line.text) if line.whole else None
        bare = None if bare and heading_of(bare["amount"]).load.block_bytes else bare  # "64k (QD32)" names a block
        beside = [_BEGINS_RATED.match(each.text) for each in page[max(0, at - 1) : at + 2]] if bare else []
        units = {match["unit"] for match in beside if bare and match and _is_like(bare, match)}
        if bare and len(units) == 1:
            end = bare.end("amount")
            yield line._replace(text=f"{line.text[:end].rstrip()} {units.pop()} {line.text[end:].lstrip()}")
        else:
            yield line


def with_declared_units(page: Iterable[Line]) -> Iterator[Line]:
    """ "Five rounds each, in MB/s" above "write = 41.2, read = 158.4": with the unit behind each of the numbers."""
    unit = ""
    for line in page:
        if (declared := _DECLARES_UNIT.search(line.text)) and len(line.text) <= _LONGEST_LINE:
            unit = "" if _SUPPOSED.search(line.text) else declared["unit"]
        elif unit and (is_speaker(line.text) or _DECLARES_OTHER.search(line.text)):
            unit = ""
        elif unit and _PAIRS.fullmatch(line.text):
            names = [heading_of(pair["name"]) for pair in _PAIR.finditer(line.text)]
            if all(len(name.ways) == 1 and not name.names_values for name in names):
                line = line._replace(text=_PAIR.sub(rf"\g<name>: \g<value> {unit}", line.text))
        yield line


def _is_like(bare: re.Match[str], rated: re.Match[str]) -> bool:
    """Whether two numbers that begin a line are of one scale, and the same mark is in front of and behind both."""
    amounts = [number(match["digits"]) for match in (bare, rated)]
    same = all(bare[name].lower() == rated[name].lower() for name in ("mark", "scale", "behind"))
    return same and None not in amounts and 1 / _ALIKE < (amounts[0] or 0) / (amounts[1] or 1) < _ALIKE
