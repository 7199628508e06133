"""A table as a grid of cells, and how its lines and cells look: rules, values, names of quantities."""

from __future__ import annotations

from dataclasses import dataclass

from radoscope import patterns as re
from radoscope.formats.grammar import vocabulary as words

LONGEST_LINE = 1500
MOST_ROWS = 5000
"""So many of a table are read."""
HINTS = (
    "iops",
    "/s",
    "bps",
    "lat",
    "b)",
    "延",
    "遅",
    "レイ",
    "带",
    "帶",
    "吞",
    "帯",
    "スル",
    "задерж",
    "скорост",
    "/с",
    "per second",
    "ping",
    "trip",
    "b sec",
    "b_sec",
    "o rate",
    "o_rate",
    "resp",
    "q1t1",
    "q32t",
    "sync",
)
_ASCII_HINTS = tuple(filter(str.isascii, HINTS))
HINT = re.compile(
    r"(?=[iorwkmglpf(\dзскмг延レ遅带帶吞帯])(?:"  # with what they begin: one look spares most places all of them
    r"iops|i/?ops?/s|ios?/s|ops?/s|(?:read|write)s/s|[kmg]i?(?:[bo]|bytes?)/s|[kmg]i?bps|[kmg]i?bits?/s|\([kmg]i?b\)|latenc"
    r"|latenz|\blat\b|lat[ (]|延"
    r"|レイテンシ|遅延|带宽|帶寬|吞吐|帯域"
    r"|задержк|скорост|[кмг]б/с|(?:requests|operations) per second|\bping\b|\bround[- ]trip"
    r"|\d ?[kmg]/s(?![a-z])|f(?:data)?syncs? ?(?:/ ?s|per s|rate)"
    r"|[kmg]i?b[ _]sec|\bi/?o[ _]rate|\bresp(?:onse|\.)?[ _]time)",
    re.I,
)
RULE = re.compile(r"[\s|+:=#~_\-–—\u2500-\u257f]+")
_NUMBER = re.compile(r"[~≈]?\d[\d.,]*(?:e[+-]?\d{1,3})?[kKM]?(?:[KMGkmg]i?B/s|ms|us|µs|s)?|-|–|—|n/?a|\?", re.I)
UNIT = r"(?:[kM]?\s?IOPS|[kKmMgG]i?[bB](?:ytes?|its?)?/s(?:ec)?|[MmGgKk]bps|[mun]s(?:ec)?|µs)"
_WITH_UNIT = re.compile(
    r"[~≈]?\d[\d.,'’]*(?:e[+-]?\d{1,3}|(?: \d{3})+[.,]\d{1,2}|(?: \d{3})*)(?:\s?(?:±|\+/-)\s?\d[\d.,]*(?: \d{3})*)?"
    rf"\s?(?:{UNIT}|{words.TIME_UNIT})?(?:\s?\([^()]{{1,30}}\))?|-|n/a",
    re.IGNORECASE,
)
UNITED = re.compile(rf"(?:[~≈]?\d[\d.,]*[kKM]? / )?[~≈]?\d[\d.,]*\s?(?:{UNIT}|\({UNIT}\))(?!\S)", re.IGNORECASE)
LONGEST_PAIRS = 200
CELL = re.compile(r"\S+(?: \S+)*(?:(?: {2,3}\([^()\s]{1,8}\))|(?<=\d) {2}(?:[munµ]?s|msec|usec|[KMG]i?B/s)(?!\S))?")
"""Two blanks part cells, but for a unit behind its number."""
_MOST_IN_CELL = 2
"""Of marks between them."""
_RANGE = re.compile(rf"[~≈]?\d[\d.,]*[kKM]?\s?{UNIT}?\s?[-–—~～]\s?\d[\d.,]*[kKM]?\s?{UNIT}?", re.IGNORECASE)
"""It stands where a value does."""
_NO_VALUE = re.compile(r"(?:1|2|4|8|16|32|64|128|256|512|1024)[kKM]|\d+(?:\.\d{1,2}){2,}")
THOUSANDS = re.compile(
    r"[*\s]*[~≈]?(?:\d{1,4}(?:[.,]\d{1,2})?k|\d{1,2}[.,]\d{1,3}M)[*\s]*(?:[(（][+−±-]?\d[\d.,]{0,6} ?[%x×][)）])?[*\s]*"
)
""" "1.2M", too; "580M" may be a rate."""
BAR_RULE = re.compile(r"\s*\|?(?:\s*:?-{2,}:?\s*\|)+\s*(?::?-+:?\s*)?")


@dataclass(frozen=True, slots=True)
class Row:
    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: its half-open range of lines and its rows without rules. style: "bars", "tabs", "blanks" or "pairs"."""

    first: int
    end: int
    rows: tuple[Row, ...]
    style: str
    heads: int | None = None
    """How many rows stand above the rule; None where there is no rule."""
    is_cut: bool = False
    """More rows stand between the last one and its end."""


def hints(line: str) -> bool:
    has = line.lower().__contains__
    return any(map(has, _ASCII_HINTS if line.isascii() else HINTS)) and HINT.search(line) is not None


_TWO_NUMBERS = re.compile(r"\d[\d.,]{1,11}[kKM]?/\d[\d.,]{1,11}[kKM]?")


def is_value(text: str) -> bool:
    """A number, with its unit or without, or two of them: "90,112 / 41,009", "964/2314"; "4k" and "1M" are sizes,
    "17.2.5" is a version."""
    if " / " in text:
        return text.count(" / ") <= _MOST_IN_CELL and all(
            any(map(str.isdecimal, part)) and is_value(part) for part in text.split(" / ")
        )
    if _NO_VALUE.fullmatch(text) is not None:
        return False
    return is_number(text) or _WITH_UNIT.fullmatch(text) is not None or _TWO_NUMBERS.fullmatch(text) is not None


def is_number(text: str) -> bool:
    """A number, a range of them, or what stands for one that is missing."""
    return _NUMBER.fullmatch(text) is not None or _RANGE.fullmatch(text) is not None


def ends_in_numbers(line: str) -> bool:
    """ "host 3   120   98"."""
    parts = line.split() if len(line) <= LONGEST_LINE else ()
    return len(parts) > 2 and parts[0][0].isalpha() and all(map(is_number, parts[-2:]))
