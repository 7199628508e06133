"""The lines of a page as its writer meant them: a wrapped paragraph is one text, and each of its sentences one line."""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from radoscope import patterns as re
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.command_lines import without_quoted
from radoscope.formats.grammar.phrases import CJK, RATE, heading_of

TAKEN = "\f"
"""Stands for a line that a tool printed: a command above it was that tool's."""

_SHORTEST, _FEWEST_WORDS = 48, 7
"""Shown columns and words of a line that may go on in the next."""
_MOST_LINES = 30
IDEOGRAPHS = re.compile(CJK)
_BEGINS = re.compile(
    r"\s*(?:[-*•·+◦▪>#=~^$%|{}\[<`]|\d{1,2}[.)]\s|\((?:\d{1,2}|[a-z])\)|\w+@\S+[$#:]|(?:sudo\s+)?(?:fio|rados|rbd|dd|ceph"
    r"|iperf3?)\s"
    r"|[^:：]{1,40}[:：](?:\s|$|\D?\d)|[^→>]{1,40}(?:→|->|=>)\s?[~≈]?\d|[^\s=]{1,20}\s?=\s?\S)"
)
"""How a line begins that is no continuation: a mark, a prompt, a command, "name: value"."""
_ENDS_OPEN = re.compile(r"(?:,|(?<![^\W\d_])(?:and|or|und|oder|et|ou|y|o|e|i|oraz|lub|и|или))\s*$", re.IGNORECASE)
_NO_PROSE = re.compile(r"\t|\||(?<!\S)--?[a-z]\S*[= ]|^\s*(?:[$#%>|=]|\S+@\S+[$#:])|[:：{\\]\s*$| {4,}\S")
_LEADS = re.compile(r"[.!?] (?=[^\W\d_])(?:[^.!?:：]|\.(?=\d)){1,100}[:：]\s*$")
"""A last sentence that leads to what stands below: "...fine. This is the command:"."""
_ITEM = re.compile(r"(?P<indent>\s*)(?P<mark>(?:[-*•·+◦▪]|\d{1,2}[.)])\s+)?")
_END = re.compile(r"(?P<word>[\w./]*)[.!?…]\s+(?=[¿¡]?[^\W\d_]|\d{1,4} ?[kKM]i?B?\b)|[。！？]")
_ABBREVIATED = re.compile(
    r"(?:[^\W\d]\.)?[^\W\d]|seq|rand|rnd|séq|aléa|sek|zuf|avg|ca|approx|тыс|тис|tys|tis|tsd|mln|млн|incl|inc"
    r"|resp|vs|bzw|max|min"
    r"|lat|śr|prům|ort|ср|сред|сер|moy|méd|med|gem|genomsn|mittl|durchschn|prom|cas|los|náh|sekv|sekw|aleat|случ|посл"
    r"|etc|no|nr|vol|ver|ggf|evtl|usw|9[059](?:[.,]\d{1,2})?",
    re.IGNORECASE,
)
"""What ends with a dot in the middle of a sentence."""
_IS_NUMBER = re.compile(r"\s*\d{1,2}[.)]")
""" "2. Then we ran": of an item, and no sentence."""
LINKED_HEADING = re.compile(r"[^\W\d_].{0,200}[¶\U0001f517\uf0c1]\s*")
"""A page of documentation puts the mark of a link behind each of its headings."""
_NAMED_VALUE = re.compile(r"[:：=→]\s*[~≈]?\d")
_ENDS_IN_RATE = re.compile(rf"\d[kM]?\s?(?:{RATE}|IOPS)\W*$", re.IGNORECASE)
_ENDS_IN_VALUE = re.compile(rf"\d\s?(?:{RATE}|{words.IOPS}|{words.TIME_UNIT})\W*$", re.IGNORECASE)
_ORDERED = re.compile(r"\s*(?:[-*•·+◦▪]|\(?\d{1,2}[.)])\s")
_BEFORE_NUMBER = re.compile(
    rf"(?:{words.UP_TO}|(?<![^\W\d_])(?:{words.ABOUT}"
    r"|to|from|with|of|at|reach(?:es)?|are|is|was|gives?|gave|gets?|shows?|showed|nach|auf|bei|mit|à|de|con|a))\s*$",
    re.IGNORECASE,
)
_OF_ALL = re.compile(words.OF_ALL, re.IGNORECASE)
_BRACKETED = re.compile(rf"\s*\((?={words.OF_ALL})[^()]{{12,200}}\)[.\s]*", re.IGNORECASE)
"""A remark of its own: "(all runs with iodepth=1)"."""
_LONGEST_END, _WRAPPED = 40, 60
_LABEL = re.compile(r".{1,80}(?:[:：=→]| [-–—] )")


class Line(NamedTuple):
    """A sentence, or a line that is none. first, last: the lines of the page in which it stands."""

    text: str
    first: int
    last: int
    paragraph: int
    whole: bool = True
    """It is a line of the page as it is."""


def read_lines(lines: Sequence[str], most: int = sys.maxsize) -> list[Line]:
    """The page line by line, but for prose: that is taken sentence by sentence. most: where to end."""
    found: list[Line] = []
    at = 0
    while at < len(lines) and len(found) < most:
        end = at + 1
        while end < len(lines) and end - at < _MOST_LINES and _goes_on(lines[end - 1], lines[end], lines[at]):
            end += 1
        found += _sentences(lines, at, end)
        at = end
    return found[:most]


def line_at(lines: Sequence[Line], first: int) -> int:
    """The place of the first that begins at this line of the page or below."""
    return bisect_left(lines, first, key=lambda line: line.first)


def _goes_on(line: str, below: str, top: str) -> bool:
    """Whether a sentence of a line goes on in the line below, as where a writer or a mail program wrapped it."""
    if not below.strip() or below == TAKEN or len(line) < 24 or not (_is_prose(line) or line.endswith("、")):
        return False
    if _breaks_prose(line) or _breaks_prose(below) or LINKED_HEADING.fullmatch(line) or _BRACKETED.fullmatch(below):
        return False
    item = _ITEM.match(top)
    indents = {len(item["indent"]), len(item[0])} if item else {0}
    if len(below) - len(below.lstrip()) not in indents or _are_alike(line, below):
        return False
    is_whole = line.rstrip()[-1:] in ".!?:;。！？" or _is_labelled(line)
    if is_whole and _is_labelled(below):
        return False
    first = line.split()[0][0]
    if _ENDS_IN_RATE.search(line) and below.lstrip()[0].isupper() and (first.isupper() or first.isdecimal()):
        return False
    if _ORDERED.match(line) and _ENDS_IN_VALUE.search(line) and not below[0].isspace() and not below[0].islower():
        return False
    is_whole = is_whole or _NAMED_VALUE.search(line) is not None
    if is_whole and _OF_ALL.match(below):
        return False
    is_bold = below.lstrip().startswith("**") and _ENDS_OPEN.search(line) is not None  # "... or", "**1.5 GB/s** with"
    return is_bold or not _BEGINS.match(below) or (below.lstrip()[0].islower() and not is_whole)


def _are_alike(line: str, below: str) -> bool:
    """Lines of a list begin with the same word, or with numbers both, if the first does not end in front of one."""
    first, second = line.split()[0], below.split()[0]
    are_numbers = first[0].isdecimal() and second[0].isdecimal()
    is_open = _BEFORE_NUMBER.search(line[-_LONGEST_END:]) or (len(line) >= _WRAPPED and _ENDS_OPEN.search(line))
    return first == second or (are_numbers and not is_open)


@lru_cache(maxsize=8)
def _breaks_prose(line: str) -> bool:
    return _NO_PROSE.search(line) is not None


@lru_cache(maxsize=8)  # a line is asked about beside the one above, and by itself
def _is_prose(line: str) -> bool:
    line, _ = without_quoted(line)
    wide = len(IDEOGRAPHS.findall(line))
    count = len(line.split()) + wide / 2
    return len(line) + wide >= _SHORTEST and count >= _FEWEST_WORDS and not _NO_PROSE.search(_LEADS.sub(".", line))


def _is_labelled(line: str) -> bool:
    """ "Random read IOPS: 45k. BW: 180 MB/s": what stands in front speaks for all of the line."""
    match = _LABEL.match(line)
    label = heading_of(match[0]) if match else None
    return label is not None and (bool(label.quantities) or label.load.way is not None) and len(label.rest.split()) < 4


def _sentences(lines: Sequence[str], first: int, end: int) -> Iterator[Line]:
    alone = lines[first]
    if end == first + 1 and (len(alone) < 24 or not _is_prose(alone) or _is_labelled(alone)):
        yield Line(alone, first, first, first)
        return
    starts: list[int] = []
    text = ""
    for line in lines[first:end]:
        text += " " if text and not IDEOGRAPHS.match(text[-1]) else ""
        starts.append(len(text))
        text += line.strip() if text else line.rstrip()
    begin = 0
    ends = (
        match
        for match in _END.finditer(text)
        if not (_ABBREVIATED.fullmatch(match["word"] or "") or _IS_NUMBER.fullmatch(text, 0, match.start() + 2))
    )
    parts = [*(match.end() for match in ends), len(text)]
    for stop in parts:
        part = text[begin:stop].rstrip()
        if part:
            top, low = bisect_right(starts, begin), bisect_left(starts, stop)
            yield Line(part, first + top - 1, first + low - 1, first, whole=len(parts) == end - first == 1)
        begin = stop
