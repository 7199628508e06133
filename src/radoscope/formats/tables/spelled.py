"""Cells with more in them than a value, as the cells beside them are written."""

from __future__ import annotations

from collections.abc import Sequence

from radoscope import patterns as re
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.command_lines import with_blocks_of_dd
from radoscope.formats.grammar.phrases import BANDWIDTH, IOPS, RATE, Quantity, heading_of
from radoscope.formats.grammar.quantities import number
from radoscope.formats.tables.cells import near_power, values_in
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
_LARGEST, _OF_MIB = 23, 0.08
"""Power of two of a block; where MB are MiB it is 0.07 off."""
_TOTAL = re.compile(rf"(?P<name>{words.SUMMED}) ?[(\[](?P<unit>{RATE}|{words.IOPS})[)\]]", re.IGNORECASE)
_MAY_HOLD_MORE = re.compile(r"\+.*=|bs=|\. |file|fich|datei", re.IGNORECASE)
"""A cheap look before dear ones."""


def spelled(row: Row) -> Row:
    """A row whose values stand alone, sums as their two parts, and sizes of dd in bytes."""
    if not any(map(_MAY_HOLD_MORE.search, row.cells[1:])):
        return row  # nearly every one
    sums = [_SUM.fullmatch(cell.replace("**", "").strip()) for cell in row.cells[1:]]
    scales = {match["c"] or match["b"] for match in sums if match} - {""}
    shared = scales.pop() if len(scales) == 1 else ""  # "= 13.2 K total | 8.3 + 3.6 = 11.9"
    cells = zip(row.cells[1:], sums, strict=True)
    each = ((match and _parts(match, match["c"] or match["b"] or shared)) or _spelled(cell) for cell, match in cells)
    return Row(row.line, (row.cells[0], *each))


def _spelled(cell: str) -> str:
    cell = _OF_A_FILE.sub("", cell)
    if "dd " in cell:
        return with_blocks_of_dd(cell)
    match = _SENTENCE_BEHIND.fullmatch(cell)
    return match["value"] if match and _tells_nothing(match["said"]) else cell


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
    phrases = [heading_of(head) for head in heads]
    told = [(at, each.load.way, each.quantities[0]) for at, each in enumerate(phrases) if len(each.quantities) == 1]
    counts = [each for way in ("read", "write") for each in told if (each[2].kind, each[1]) == (IOPS, way)]
    rates = [each for each in told if each[2].kind == BANDWIDTH]
    if [way for _, way, _ in (*counts, *rates)] != ["read", "write", None] or not body:
        return body

    def value(row: Row, at: int, unit: Quantity) -> float:
        found = values_in(row.cells[at], (unit,), (), (), False)
        return found[0].value if len(found) == 1 else 0.0

    ((both, _, unit),) = rates
    sums = [(value(row, both, unit), sum(value(row, at, each) for at, _, each in counts)) for row in body]
    if not all(rate and count and near_power(rate / count, _LARGEST, _OF_MIB) for rate, count in sums):
        return body
    return [Row(row.line, (*row.cells[:both], "", *row.cells[both + 1 :])) for row in body]


def _tells_nothing(sentence: str) -> bool:
    """Whether it names no rate of its own, and no depth."""
    phrase = heading_of(sentence)
    return not (phrase.load.depth or any(token.kind in ("rate", "iops") for token in phrase.tokens))
