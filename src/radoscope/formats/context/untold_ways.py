"""Directions that stand beside no number: a copy to a drive writes, one value is of both, a clause is of another.

What a copy does is told where one of its ends is known: "copying to the NAS" writes, "copied from the USB disk" reads;
between two drives nobody can tell which of them was the slower one.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from radoscope import patterns as re
from radoscope.formats.context.supposed import AMOUNT, UNIT
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.alternatives import Alternatives
from radoscope.formats.grammar.phrases import BANDWIDTH, IOPS, Phrase, Value, phrase_of

_COPY = Alternatives(words.COPY)
_END = rf"(?:(?!(?:{words.ONTO}|{words.OUT_OF})\s)[^\W\d][\w'’.-]*\s){{0,4}}?[\w-]*?(?P<end>{words.REMOTE})"
_TO = re.compile(
    rf"(?<!\w)(?:{words.ONTO})\s{_END}|[到至往]\s?[^,，。\s]{{0,9}}?(?:{words.REMOTE})"
    rf"|(?P<cjk>{words.REMOTE})(?:(?!から|에서)[^,，。、\s]){{0,8}}?(?:へ|に(?!対)|에 |으?로 )"
    rf"|(?:{words.REMOTE})(?:['’](?:y?[ae])|[ae]|y[ae])(?!\w)",
    re.IGNORECASE,
)
_FROM = re.compile(
    rf"(?<!\w)(?:{words.OUT_OF})\s{_END}|[从從由]\s?[^,，。\s到至往]{{0,9}}?(?:{words.REMOTE})"
    rf"|(?P<cjk>{words.REMOTE})[^,，。、\s]{{0,8}}?(?:から|에서)"
    rf"|(?:{words.REMOTE})['’]?[dt][ae]n(?!\w)",
    re.IGNORECASE,
)
_ARROW = rf"(?:\s(?:{words.ONTO})\s(?:{words.ARTICLE})?|\s?(?:-+>|→|=>|⇒)\s?|[到へ]\s?)"
_TO_HOST = re.compile(rf"(?<!\w)(?:{words.REMOTE}){_ARROW}(?:{words.LOCAL})(?!\w)", re.IGNORECASE)
_FROM_HOST = re.compile(rf"(?<!\w)(?:{words.LOCAL}){_ARROW}(?:{words.REMOTE})", re.IGNORECASE)
_INTERNET = re.compile(words.INTERNET, re.IGNORECASE)
_READER = re.compile(r"(?<![a-z])hdparm(?![a-z])(?!.*\s-T\b)(?![^.]{0,10}-W\b)")
_SYNCED = re.compile(r"(?<![\w])f(?:data)?sync ?= ?[1-9]", re.IGNORECASE)
_JOIN = re.compile(
    rf"\w{{0,3}}-?\s?(?:,\s)?(?:{words.BOTH})\s?(?:(?:in|for|on|en|beim|bei|de|di|em|n[ao]|nel(?:la)?|w|při|przy|på"
    rf"|i|v|на|при|the) )?",
    re.IGNORECASE,
)
_SHORT_BOTH = 4
"""Letters of "r/w", which is a mixed load as often."""
_BOTH = re.compile(words.OF_EACH, re.IGNORECASE)
_TOGETHER = re.compile(words.TOGETHER, re.IGNORECASE)
_NUMBERED = re.compile(r"(?<![\w.,])\d[\d.,]*\s\D{1,20}$")
""" "100 beziehungsweise 40 MB/s": each has its own."""
_CLAUSES = re.compile(
    rf"([,;，；、](?!\d)\s*|\s(?:and|und|et|y|e|i|и|ve|og|och|và|{words.CONTRASTS})\s)", re.IGNORECASE
)
_OTHER = re.compile(
    rf"\W*(?:(?:because|since|as|weil|da|denn|car|puisque|porque|perché|omdat|eftersom|bo|ponieważ|protože|бо|çünkü"
    rf"|vì) )?"
    rf"(?:(?:the|our|my|das|der|die|le|la|les|el|il|o|a|het|de) )?(?:{words.OTHER_SUBJECT})",
    re.IGNORECASE,
)
_BEGINS_OTHER = re.compile(
    rf"(?:^|[,;，；、]|\s(?:and|und|et|y|e|i|и|ve|og|och|và)\s)(?:{_OTHER.pattern})", re.IGNORECASE
)
_OTHERS = re.compile(rf"(?<!\w)(?:{words.OTHER_SUBJECT})|\biperf", re.IGNORECASE)
_AND_BACK = re.compile(words.AND_BACK, re.IGNORECASE)
_ONTO_THE = re.compile(rf"(?<!\w)(?P<onto>{words.ONTO})\s(?:{words.ARTICLE})", re.IGNORECASE)
_BOTH_WAYS = re.compile(rf"(?<!\w)(?:{words.BOTH_WAYS})", re.IGNORECASE)
_ENDS = re.compile(rf"(?<!\w)(?:{words.REMOTE})|{words.DRIVE}", re.IGNORECASE)
_LOADS = re.compile(r"\b(?:up|down)load", re.IGNORECASE)
_DIGITS = re.compile(r"\d[\d.,]*")
_OF_OTHER_SETUP = re.compile(
    rf"[(（](?:{words.AGAINST})\s?{AMOUNT}{UNIT}"
    rf" (?:via|using|through|over|by|on|über|auf|par|sur|por|en|tramite|su|przez|na|через|на|{words.WITH})"
    r"\s[^()（）]{1,60}[)）]"
    rf"|[(（](?:{words.AGAINST})\s?[^\W\d][^()（）\d]{{0,40}}[^()（）\d\w]{AMOUNT}{UNIT}[)）]",
    re.IGNORECASE,
)
"""What is measured there has conditions of its own, which nobody tells here."""


def speaks_of_others(text: str) -> bool:
    """Of a network, of memory, of files that are copied: of no test that a sentence before told of.

    What is said behind the last number has none.
    """
    told = text[: max((match.end() for match in _DIGITS.finditer(text)), default=len(text))]
    return bool(_OTHERS.search(told) or _COPY.search(told) or _INTERNET.search(told))


def is_synced(text: str) -> bool:
    """Whether a text names a test with an fsync behind each of so many writes: "fio with --fdatasync=1"."""
    return _SYNCED.search(text) is not None


def way_of_topic(text: str) -> str | None:
    """As way_of_copy, of a sentence without a number, which speaks of those behind it: "I used hdparm -t"."""
    if is_synced(text):
        return "write"
    return "read" if _READER.search(text) else way_of_copy(text)


@lru_cache(maxsize=64)
def way_of_copy(text: str) -> str | None:
    """What a sentence that names no direction does with a drive: "copying to the share runs at 40 MB/s"."""
    if not _COPY.search(text) or _INTERNET.search(text):
        return None
    return _told_by_ends(text)


_TO_ANOTHER = re.compile(
    r"\bto (?:another|the other|an? (?:second|different))\b|\bauf (?:eine? )?(?:andere|zweite)\w*"
    r"|\bvers (?:un|l['’])\s?autre"
    r"|\ba(?:l| la| un)? (?:otr|outr|altr)[oa]\b|\bna (?:drug|inn|jin|druh)\w+|\bна (?:друг|втор)\w+|另一|別の",
    re.IGNORECASE,
)


_MEMORY = rf"\s(?:{words.ARTICLE})?\W?(?:ram[ -]?(?:dis[kc]|drive)|tmpfs|/dev/shm)"
_FROM_MEMORY = re.compile(rf"(?<!\w)(?:{words.OUT_OF}){_MEMORY}", re.IGNORECASE)
_TO_MEMORY = re.compile(rf"(?<!\w)(?:{words.ONTO}){_MEMORY}", re.IGNORECASE)
""" "From the RAM disk to the share": what tells is the other end."""


def _told_by_ends(text: str) -> str | None:
    text = _ONTO_THE.sub(r"\g<onto> ", text)  # "naar de NAS", where "de" is no French word
    for way, pattern in (("read", _TO_HOST), ("write", _FROM_HOST)):
        if pattern.search(text):
            return way
    is_to, is_from = (pattern.search(text) is not None for pattern in (_TO, _FROM))
    is_to = is_to or _TO_ANOTHER.search(text) is not None
    if is_to and is_from and (_FROM_MEMORY.search(text) is None) != (_TO_MEMORY.search(text) is None):
        return "write" if _FROM_MEMORY.search(text) else "read"
    return None if is_to == is_from else "write" if is_to else "read"


def with_copies_told(text: str) -> str:
    """ "Copy PC to NAS 105 MB/s, NAS to PC 111 MB/s": each clause with its direction, where they differ."""
    if phrase_of(text).ways or not _COPY.search(text) or _INTERNET.search(text):
        return text
    parts = _CLAUSES.split(text)
    ways: list[str | None] = []
    for part in parts:
        way = None if _CLAUSES.fullmatch(part) else _told_by_ends(part)
        before = next(filter(None, reversed(ways)), None)
        if before and not way and _COPY.search(part) and _AND_BACK.search(part):
            way = "read" if before == "write" else "write"
        ways.append(way)
    if not set(ways) >= {"read", "write"}:
        return text
    return "".join(f"{way} {part}" if way else part for way, part in zip(ways, parts, strict=True))


def joins_ways(phrase: Phrase) -> bool:
    """ "In reading and writing": two directions, and nothing but a word that joins them."""
    ways = [token for token in phrase.tokens if token.kind in ("read", "write", "both")]
    if any(token.kind == "both" and len(token.text) > _SHORT_BOTH for token in ways):
        return True
    return any(
        one.kind != other.kind and _joins(phrase.text[one.end : other.start], phrase) for one, other in pairwise(ways)
    )


def _joins(between: str, phrase: Phrase) -> bool:
    """ "and", or nothing where a word says that it is both: "读写都在130MB/s"."""
    return _JOIN.fullmatch(between) is not None or (not between and _BOTH.search(phrase.text) is not None)


def with_both_ways(text: str) -> str:
    """ "110 MB/s in both directions" reads and writes, where a drive or a share is spoken of and no network."""
    if not _BOTH_WAYS.search(text) or phrase_of(text).ways or _OTHERS.search(text) or _INTERNET.search(text):
        return text
    return _BOTH_WAYS.sub("read and write", text) if _ENDS.search(text) else text


def of_both(values: list[Value], clause: Phrase) -> list[Value]:
    """ "310 MB/s in reading and writing": the one value of two directions once for each.

    IOPS of both are as often those of a mixed load, unless a word says that each had so many.
    """
    kinds = (BANDWIDTH, IOPS) if _BOTH.search(clause.text) else (BANDWIDTH,)
    is_told = len(values) == 1 and values[0].kind in kinds and len(clause.ways) == 2
    before = clause.text[: values[0].start] if is_told else ""
    if (
        not is_told
        or _NUMBERED.search(before)
        or clause.load.mixed
        or _TOGETHER.search(clause.text)
        or not joins_ways(clause)
    ):
        return values
    return [values[0]._replace(way=way) for way in clause.ways]


def without_others(text: str) -> str:
    """The text, numbers of clauses that tell of something else made illegible, up to one that names a direction;
    without brackets that compare with another setup: "940 MB/s (compared to 2150 MB/s via fio)"."""
    text = _OF_OTHER_SETUP.sub("", text) if "(" in text or "（" in text else text
    if not _BEGINS_OTHER.search(text) or not phrase_of(text).ways:
        return text
    is_other = False
    kept: list[str] = []
    for part in _CLAUSES.split(text):
        if phrase_of(part).ways:
            is_other = False
        elif other := _OTHER.match(part):
            is_upload = _LOADS.search(other[0]) is not None and _LOADS.search("".join(kept)) is not None
            is_other = not is_upload  # "when uploading, the upload starts at ..."
        kept.append(_DIGITS.sub("…", part) if is_other and not _CLAUSES.fullmatch(part) else part)
    return "".join(kept)
