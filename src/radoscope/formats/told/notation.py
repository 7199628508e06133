"""How people write numbers, units and conditions in a sentence, as patterns."""

from __future__ import annotations

from collections.abc import Iterable

from radoscope import patterns as re
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.phrases import RATE

AND = r"(?-i:,? (?:and|und|et|y|e|i|oraz|and then|then|и|та|en|och|og) )"
NUMBER = r"[~≈]?(?:\d{1,3}(?:[.,']\d{3})+(?!\d)|\d+(?:[.,]\d+)?)(?:[kKM](?![a-zA-Z]))?"
UNIT = rf"(?:{RATE}|k?IOPS|{words.TIME_UNIT})"
A_VALUE = rf"{NUMBER}(?: ?{UNIT})?"
CONDITION = (
    rf"(?:(?:{words.DEPTH}|{words.JOBS}|{words.BLOCK}|(?<![a-z])[qtj])[ =]{{0,2}})?"
    rf"\d{{1,4}}(?: ?[km](?:i?b)?(?![a-z]|/s)| ?(?:{words.JOBS}|{words.DEPTH}|qd)(?![a-z])|(?![a-z\d]))"
)
MIX = re.compile(
    r"(?<![a-z])(?:(?:random |rand)?(?:rw|readwrite)|random mixed|mixed(?: random)?)(?![a-z])", re.IGNORECASE
)


def replaced(text: str, parts: Iterable[tuple[tuple[int, int], str]]) -> str:
    """With other words at each of these places."""
    for (first, end), words_there in sorted(parts, reverse=True):
        text = text[:first] + words_there + text[end:]
    return text
