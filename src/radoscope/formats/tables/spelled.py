"""Cells with more in them than a value, as the cells beside them are written."""

from __future__ import annotations

import math
from collections.abc import Sequence

from radoscope import patterns as re
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.phrases import BANDWIDTH, IOPS, RATE, Quantity, cell_of, heading_of
from radoscope.formats.grammar.quantities import number
from radoscope.formats.tables.grid import Row

_SENTENCE_BEHIND = re.compile(
    rf"(?P<value>.{{0,60}}?\d[kKM]? ?(?:{RATE}|{words.IOPS}|{words.TIME_UNIT}))\.\s+(?P<said>(?-i:[^\W\d_a-z]|`).+)",
    re.IGNORECASE,
)
_OF_A_FILE = re.compile(
    rf"[;,] ?(?:[~≈] ?)?(?:about |ca\. )?\d[\d.,]{{0,6}} ?(?:{words.TIME_UNIT})"
    r" (?:per|a|an|each|por|par|pro|je) (?:[^\W\d]+ )?(?:files?|ficheros?|fichiers?|datei)(?: [^\W\d]+)?$",
    re.IGNORECASE,
)
"""Behind the rates of an I/O, what a whole file takes."""
_NUMBER = r"[~≈]?\d[\d.,]{0,8}"
_SUM = re.compile(
    rf"(?P<one>{_NUMBER}) ?(?P<a>[kKM]?) ?\+ ?(?P<other>{_NUMBER}) ?(?P<b>[kKM]?) ?= ?(?P<sum>{_NUMBER}) ?(?P<c>[kKM]?)"
    r"(?: (?:total|in total|together))?(?: ?\([^()]{1,12}\))?"
)
_NEAR, _ROUNDED = 0.02, 0.002
_SMALLEST, _LARGEST, _OF_MIB = 9, 23, 0.08
"""Powers of two of a block; where MB are MiB it is 0.07 off."""
_TOTAL = re.compile(rf"(?P<name>{words.SUMMED}) ?[(\[](?P<unit>{RATE}|{words.IOPS})[)\]]", re.IGNORECASE)
_OF_DD = re.compile(r"(?<!\w)(?P<name>[io]?bs=)(?P<count>\d{1,4})(?P<unit>[kMG])B(?!\w)")
_SCALES = {"k": 10**3, "M": 10**6, "G": 10**9}


def spelled(row: Row) -> Row:
    """A row whose values stand alone, sums as their two parts, and sizes of dd in bytes."""
    sums = {
        at: match
        for at, cell in enumerate(row.cells)
        if at and "=" in cell and "+" in cell and (match := _SUM.fullmatch(cell.replace("**", "").strip()))
    }
    scales = {match["c"] or match["b"] for match in sums.values()} - {""}
    shared = scales.pop() if len(scales) == 1 else ""  # "= 13.2 K total | 8.3 + 3.6 = 11.9"
    return Row(row.line, tuple(_cell(cell, at, sums.get(at), shared) for at, cell in enumerate(row.cells)))


def _cell(cell: str, at: int, parts: re.Match[str] | None, scale: str) -> str:
    if parts:
        return _parts(parts, parts["c"] or parts["b"] or scale) or cell
    return _spelled(cell) if at else cell


def _spelled(cell: str) -> str:
    if "file" in cell or "fich" in cell or "datei" in cell.lower():
        cell = _OF_A_FILE.sub("", cell)
    if "bs=" in cell and "dd " in cell:
        return _OF_DD.sub(lambda match: f"{match['name']}{int(match['count']) * _SCALES[match['unit']]}", cell)
    if ". " in cell and (match := _SENTENCE_BEHIND.fullmatch(cell)) and _tells_nothing(match["said"]):
        return match["value"]
    return cell


def _parts(match: re.Match[str], scale: str) -> str:
    """ "8.3 + 3.6 = 11.9 K": in the unit of the sum, if it is one; "" if not."""
    one, other, total = (number(match[name]) for name in ("one", "other", "sum"))
    if not (one and other and total) or abs((one + other) / total - 1) > _NEAR:
        return ""
    if {match["a"] or scale, match["b"] or scale} != {scale}:
        return ""
    return f"{match['one']}{scale} + {match['other']}{scale}"


def with_unit_of_sum(heads: Sequence[str], body: Sequence[Row]) -> list[str]:
    """ "ATTO read | ATTO write | Total (MB/s)": in the unit of their sum, where the cells of each row add up to it."""
    found = [(at, match) for at, head in enumerate(heads) if (match := _TOTAL.fullmatch(head.strip("* ")))]
    if len(found) != 1 or not body:
        return list(heads)
    ((total, match),) = found
    rows = [[number(cell) for cell in row.cells] for row in body]
    added = [at for at in range(len(heads)) if at != total and all(row[at] is not None for row in rows)]
    sums = [(sum(row[at] or 0.0 for at in added), row[total] or 0.0) for row in rows]
    if len(added) < 2 or any(heading_of(heads[at]).quantities for at in added):
        return list(heads)
    if not all(of_all and abs(own / of_all - 1) < _ROUNDED for own, of_all in sums):
        return list(heads)
    return [
        match["name"] if at == total else f"{head.strip('* ')} ({match['unit']})" if at in added else head
        for at, head in enumerate(heads)
    ]


def without_rates_of_both(heads: Sequence[str], body: list[Row]) -> list[Row]:
    """ "Read IOPS | Write IOPS | BW": without bandwidths that are those of both together, of a block of a power of two
    in every row; of either of them they say nothing more."""
    reads, writes, both = (_only(heads, *each) for each in ((IOPS, "read"), (IOPS, "write"), (BANDWIDTH, None)))
    if reads is None or writes is None or both is None or not body:
        return body
    units = [(at, heading_of(heads[at]).quantities[0]) for at in (reads, writes, both)]
    rates = [tuple(_value(row.cells[at], unit) for at, unit in units) for row in body]
    if not all(one + other and _is_power(of_both / (one + other)) for one, other, of_both in rates):
        return body
    return [Row(row.line, (*row.cells[:both], "", *row.cells[both + 1 :])) for row in body]


def _only(heads: Sequence[str], kind: str, way: str | None) -> int | None:
    """The one column of such a quantity and direction."""
    phrases = [heading_of(head) for head in heads]
    found = [at for at, each in enumerate(phrases) if [one.kind for one in each.quantities] == [kind]]
    of_way = [at for at in found if phrases[at].load.way == way and (way or len(found) == 1)]
    return of_way[0] if len(of_way) == 1 else None


def _value(cell: str, unit: Quantity) -> float:
    """In 1/s or bytes/s; 0 where it is no single number."""
    values = cell_of(cell.strip("*` ")).values(False)
    value = (values[0] if values[0].kind else values[0].of(unit)) if len(values) == 1 else None
    return value.value if value else 0.0


def _is_power(share: float) -> bool:
    bits = math.log2(share) if share > 0 else 0.0
    return _SMALLEST <= round(bits) <= _LARGEST and abs(bits - round(bits)) < _OF_MIB


def _tells_nothing(sentence: str) -> bool:
    """Whether it names no rate of its own, and no depth."""
    phrase = heading_of(sentence)
    return not (phrase.load.depth or any(token.kind in ("rate", "iops") for token in phrase.tokens))
