"""Sections of a page whose numbers are no results of a drive: what is asked of one, and tests of memory.

A heading names them, and they end with the next one: "## Storage requirements", "Memory test:".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from radoscope.formats import vocabulary as words

_MARKED = re.compile(r"\s*(?P<marks>#{1,6})\s+(?P<name>\S.{0,80})")
_LED = re.compile(r"(?P<indent>\s*)(?P<name>[^\W\d][^|=]{0,70})[:：]\s*")
_ITEM = re.compile(r"\s*(?:[-*•·+◦▪]|\d{1,2}[.)])\s")
_MEASURED = re.compile(
    r"result|measur|\btest|bench|\bvs\b|\bmet\b|ergebnis|gemessen|résultat|mesur|resultad|medid|risultat|misurat|wynik"
    r"|результат|измер|测试|結果|结果|実測|实测|측정",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"\brequirements?\b|\bprerequisites\b|\b(?:needs|requires)\W*$|anforderung(?:en)?\b|voraussetzung"
    r"|\bexigences?\b|\bprérequis"
    r"|\brequisit[oi]s?\b|\bwymagani[ae]\b|\bpožadavky\b|требовани[ея]|вимоги|要求|要件|요구 ?사항|요건|gereksinim",
    re.IGNORECASE,
)
_MEMORY = re.compile(words.OF_MEMORY, re.IGNORECASE)


def silent_lines(lines: Sequence[str]) -> Iterator[int]:
    """The lines of such sections."""
    marks, indent, is_open = 7, -1, False  # of the heading under which we are
    for at, line in enumerate(lines):
        marked = _MARKED.fullmatch(line)
        if marked:
            level = len(marked["marks"])
            if _is_silent(marked["name"]):
                marks, indent = level, -1
            elif level <= marks or _MEASURED.search(marked["name"]):
                marks, indent = 7, -1
            is_open = False
            continue
        led = _LED.fullmatch(line) if not _ITEM.match(line) else None
        if led and _is_silent(led["name"]):
            indent, is_open = len(led["indent"]), True
            continue
        if is_open and not _goes_on(lines, at, indent):
            is_open = False
        if line.strip() and (is_open or marks < 7):
            yield at


def _is_silent(name: str) -> bool:
    return _MEMORY.fullmatch(name) is not None or bool(_ASKED.search(name) and not _MEASURED.search(name))


def _goes_on(lines: Sequence[str], at: int, indent: int) -> bool:
    """Items and what is further to the right, or a line right below the one before that heads nothing itself."""
    line = lines[at]
    if not line.strip() or _ITEM.match(line) or len(line) - len(line.lstrip()) > indent:
        return True
    return bool(at and lines[at - 1].strip()) and _LED.fullmatch(line) is None
