"""The numbers in one cell of a table, each with its quantity; none where a number's unit is not certain."""

from __future__ import annotations

import re
from collections.abc import Sequence

from radoscope.formats.phrases import BANDWIDTH, IOPS, LATENCY, Phrase, Quantity, Value, cell_of

LONGEST_CELL = 160
_HARMLESS = re.compile(
    r"(?:ca|circa|about|approx|around|environ|etwa|около|约|約|and|und|et|oraz|i|y|или|和|avg|only|just)\b\.?|@|at",
    re.IGNORECASE,
)
_LIMIT = re.compile(r"[<>≤≥]|\b(?:up to|max\.?|bis|до)\s", re.IGNORECASE)


def values_in(
    cell: str, quantities: Sequence[Quantity], ways: Sequence[str], statistics: Sequence[str], commas: bool
) -> tuple[Value, ...]:
    """The cell's values in 1/s, bytes/s and s.

    quantities: those that the heading, the row or the caption names, in order. ways, statistics: where two or more of
    them are named, as many numbers are shared out among them: "12k/4k" below "Read/Write IOPS".
    """
    if not cell or len(cell) > LONGEST_CELL or _LIMIT.search(cell):
        return ()
    phrase = cell_of(cell)
    found = phrase.values(commas)
    if not found or (not all(value.kind for value in found) and _has_other_words(phrase)):
        return ()
    own = [value for value in found if value.kind]
    bare = [value for value in found if not value.kind]
    if any(_is_strange(value, quantities) for value in own):
        return ()
    left = [each for each in quantities if each.kind not in {value.kind for value in own}]
    named = _named(bare if own or len(bare) == len(left) else _without_asides(bare, cell), left)
    if named is None:
        return ()
    return _shared_out([*own, *named], phrase, ways, statistics, cell)


def _has_other_words(phrase: Phrase) -> bool:
    return bool(_HARMLESS.sub("", phrase.words).strip())


def _is_strange(value: Value, quantities: Sequence[Quantity]) -> bool:
    """A latency below a rate or the other way round; the speed of a link where nothing is measured."""
    kinds = {each.kind for each in quantities}
    if not kinds:
        return value.kind == BANDWIDTH and value.factor in (1.25e2, 1.25e5, 1.25e8)
    return value.kind not in kinds and LATENCY in {value.kind, *kinds} and len(kinds) == 1


def _named(bare: Sequence[Value], left: Sequence[Quantity]) -> list[Value] | None:
    """Numbers without a unit take the units of the heading, one each or one for all; None where that is not certain."""
    if not bare or not left:
        return []
    if len(left) > 1:
        if len(left) != len(bare):
            return None
        pairs = list(zip(bare, left, strict=True))
    else:
        pairs = [(value, left[0]) for value in bare]
    values = [_with_quantity(value, quantity) for value, quantity in pairs]
    return None if None in values else [value for value in values if value is not None]


def _without_asides(values: Sequence[Value], cell: str) -> Sequence[Value]:
    """Without what stands in brackets behind the first number."""
    at = cell.find("(")
    return [value for value in values if at < 0 or value.start < at] if at > 0 else values


def _with_quantity(value: Value, quantity: Quantity) -> Value | None:
    factor = quantity.factor
    if value.factor != 1.0:
        if quantity.kind != IOPS:
            return None
        factor = value.factor
    if factor is None:
        return None
    return value._replace(
        value=value.value / value.factor * factor, kind=quantity.kind, factor=factor, bits=quantity.bits
    )


def _shared_out(
    values: Sequence[Value], phrase: Phrase, ways: Sequence[str], statistics: Sequence[str], cell: str
) -> tuple[Value, ...]:
    """Several values of one kind belong to the directions or the statistics that are named, in their order."""
    result: list[Value] = []
    for kind in dict.fromkeys(value.kind for value in values):
        same = [value for value in values if value.kind == kind]
        own_ways = phrase.ways or ways
        if len(same) > 1 and len(own_ways) == len(same):
            same = [value._replace(way=way) for value, way in zip(same, own_ways, strict=True)]
        elif len(same) > 1 and len(statistics) == len(same):
            same = [value._replace(statistic=name) for value, name in zip(same, statistics, strict=True)]
        elif len(same) > 1:
            same = list(_without_asides(same, cell))
            if len(same) != 1:
                return ()
        elif len(phrase.ways) == 1:
            same = [same[0]._replace(way=phrase.ways[0])]
        result += same
    return tuple(result)
