"""The values of one clause of a line: of which quantity, statistic and direction each of them is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from radoscope import patterns as re
from radoscope.formats.context.network_words import is_measured_rate
from radoscope.formats.context.supposed import AMOUNT, UNIT
from radoscope.formats.context.untold_ways import joins_ways, of_both
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.alternatives import Alternatives
from radoscope.formats.grammar.phrases import (
    BANDWIDTH,
    IOPS,
    LATENCY,
    Load,
    Phrase,
    Quantity,
    Token,
    Value,
    heading_of,
    is_range_of_rates,
    phrase_of,
)

_CLAUSE = re.compile(
    r"\s*(?:[、，；;→⇒]|(?<=[^\W\d_]),|[,;](?!\d)|,(?=\d{1,4}[kKmM][^\W\d_a-z])|\.\s"
    rf"|\s(?:{words.AGAINST}|-{{1,2}}>|=>)\s(?:(?:the|den|die|der|les?|la|el|los|i|gli) )?"
    r"|\s(?:and|und|et|y|e|oraz|i(?!\s(?:läs|skriv|les|snitt|gjennom))|a|och|og|en(?=\s(?:ca\.? |circa "
    r"|ongeveer )?[~≈]?\d[\d.,]*\s?[kmgKMG]i?[Bb])|ve|và|и|和|및|then|bzw\.|dagegen"
    rf"|{words.CONTRASTS})\s"
    rf"|\s(?:or|oder|ou|o|или)\s(?={AMOUNT}{UNIT} (?:with(?:out)?|over|via|through|under|mit|ohne|über|avec|sans"
    r"|con|sin)\s)"
    rf"|\s(?:alors|tandis|puisque|mientras) qu['’]|(?:{words.CONTRASTS_CJK})\s?"
    rf"|\s(?:{words.WITH}|@)\s|\||\t)\s*",
    re.IGNORECASE,
)
_WITH = re.compile(rf"\s*(?:{words.WITH}|@)\s*", re.IGNORECASE)
_WHOSE = re.compile(r"remote|local|raw|client|total|aggregated?|sustained|combined|parallel", re.IGNORECASE)
"""Between a number and what it counts: "3 million remote read IOPS"."""
_ANOTHER = re.compile(
    rf"(?:(?:vs\.?|versus|against|compared (?:to|with)|instead of|was|were|before|previously|formerly|old"
    r"|up from|down from"
    r"|vorher|früher|statt|zuvor|gegen|war|avant|contre|au lieu de|antes|frente a|prima|contro|wcześniej|przedtem"
    r"|było"
    rf"|было|раньше|до этого|之前|原来|原本|以前は?|従来は?)[:：]? ?{AMOUNT}{UNIT}"
    rf"|{AMOUNT}{UNIT} (?:on|with|in|at|for|before|previously|auf|mit|bei|vorher|zuvor|sur|avec|avant|en|con"
    r"|antes|su|prima|na|przed|на|с|раньше)(?: [^()\d]{1,30}|$)|[A-Z][\w .+-]{1,20}: "
    rf"{AMOUNT}{UNIT}$)",
    re.IGNORECASE,
)
BRACKETS = re.compile(r" ?\(([^()]{1,80})\)[,;]?")
_ASIDES = re.compile(r"[(（][^()（）]{1,80}[)）]")
_TAKES = Alternatives(rf"{words.TAKES}|\bim mittel\b")
LINKS = re.compile(
    r"[为是约有仅只就达到大]{1,4}|was|is|were|are|only|just|about|around|roughly|of|um|~|nur|sind|lagen|etwa|rund"
    r"|seulement|environ|solo"
    r"|tylko|około|всего|только|около|составил[аио]?",
    re.IGNORECASE,
)
"""What may stand between a quantity and its number."""
_ABOUT = re.compile(rf"(?<!\w)(?:{words.ABOUT})(?!\w)", re.IGNORECASE)
SLASH = re.compile(r"/ ?[~≈]?\d")
_BARE = re.compile(r"\d ?[kKmM]/[sS]$")
_SAME = 0.1
"""By how much a value in another unit, rounded there, differs."""
_NEAR = 3


def says_again(value: Value, before: Value) -> bool:
    """In another unit, or in brackets; "host1 write 512 MB/s, host2 write 498 MB/s" are two runs."""
    if value.factor == before.factor or not before.value:
        return value.value == before.value
    return abs(value.value / before.value - 1) < _SAME


def joined_clauses(text: str) -> Iterator[tuple[str, bool]]:
    """Each clause, and whether it goes on where the one before stopped: "... with 1M blocks", "(4k, QD32)"."""
    start, goes_on = 0, False
    ends = [*_CLAUSE.finditer(text), None]
    may_join = len(ends) > 1 and joins_ways(phrase_of(text))
    for at, match in enumerate(ends):
        part = text[start : match.start()] if match else text[start:]
        if match and may_join:
            behind = ends[at + 1]
            if _is_between_ways(part, text[start : behind.start() if behind else None]):
                continue
        if part.strip():
            yield part, goes_on
        if match:
            goes_on = _WITH.fullmatch(match[0]) is not None or part.count("(") > part.count(")")
            start = match.end()


def _is_between_ways(part: str, joined: str) -> bool:
    """ "310 MB/s in reading and writing": what joins two directions of one value parts no clauses."""
    whole = phrase_of(joined)
    if joins_ways(phrase_of(part)) or not joins_ways(whole):
        return False
    return sum(1 for token in whole.tokens if token.kind in ("rate", "iops", "time") or is_range_of_rates(token)) == 1


def valued(
    clause: Phrase,
    label: Phrase | None = None,
    commas: bool = False,
    quantity: Quantity | None = None,
    *,
    bits: bool = False,
) -> list[Value]:
    """The clause's values with their statistics. A time is a latency only where a word says so; brackets are asides.

    bits: rates in bits are no speeds of a link.
    """
    quantities = clause.quantities or (label.quantities if label else ()) or ((quantity,) if quantity else ())
    found: list[Value] = []
    for value in clause.values(commas):
        statistic = _statistic(clause, label, value)
        tells_latency = any(each.kind == LATENCY for each in quantities) or statistic.startswith("p")
        is_unsaid = value.kind == LATENCY and not tells_latency and not _is_aside(clause, value)
        if is_unsaid and (value.factor > 1e-3 or (clause.words and not _TAKES.search(clause.text))):
            continue
        if clause.text[value.start - 1 : value.start] == "@":
            continue  # "IOPS@16" names a depth
        if value.kind == BANDWIDTH and value.is_in_bits and not (bits and is_measured_rate(value)):
            continue  # the speed of a link
        if _is_behind_range(clause, value):
            continue
        if value.kind == BANDWIDTH and _counts_iops(clause, value):
            value = value._replace(kind=IOPS)
        if not value.kind and (_names_iops(clause, value) or _leads_to_iops(clause, value)):
            value = value._replace(kind=IOPS)
        elif not value.kind:
            if len(quantities) != 1 or _ABOUT.sub("", clause.words).strip() or _is_size(clause, value):
                continue
            if (named := value.of(quantities[0])) is None:
                continue
            value = named._replace(bits=False)
        found.append(value._replace(statistic=statistic))
    return found


def _is_behind_range(clause: Phrase, value: Value) -> bool:
    """ "500-650 MB/s written, 700 MB/s ...": the direction right behind a range is that of the range."""
    before = [token for token in clause.tokens if token.end <= value.start]
    kinds = [token.kind for token in clause.tokens if token.kind in ("read", "write")]
    at = next((at for at, token in enumerate(before) if token.kind in ("read", "write")), 0)
    return at > 0 and len(kinds) == 1 and is_range_of_rates(before[at - 1])


def _counts_iops(clause: Phrase, value: Value) -> bool:
    """ "Read IOPS are around 720K/s": no bytes are named."""
    is_bare = any(token.start == value.start and _BARE.search(token.text) for token in clause.tokens)
    return is_bare and [each.kind for each in clause.quantities] == [IOPS]


def _is_aside(clause: Phrase, value: Value) -> bool:
    """A time beside a rate, one of them in brackets: "9.8k IOPS random write (3.2 ms)", "0.36 ms (2,770 IOPS)"."""
    rates = [token for token in clause.tokens if token.kind in ("rate", "iops")]
    own = next(token for token in clause.tokens if token.start == value.start)

    def stands_alone(token: Token) -> bool:
        return clause.text[: token.start].rstrip().endswith("(") and clause.text[token.end :].lstrip().startswith(")")

    if value.factor > 1e-3:
        return False
    if any(clause.text[token.end : own.start].strip() in ("/", "·", "・") for token in rates):
        return True  # "12.1k IOPS / 81us"
    behind = next((token for token in rates if token.start > own.start), None)
    return (stands_alone(own) and any(token.start < own.start for token in rates)) or (
        behind is not None and stands_alone(behind) and not clause.text[own.end : behind.start].strip(" (~≈")
    )


def _statistic(clause: Phrase, label: Phrase | None, value: Value) -> str:
    """What a value of a clause is: of several values, each is what is named between the one before it and itself."""
    own = clause.statistics
    if sum(1 for each in clause.values(False) if each.kind or not _is_size(clause, each)) > 1:
        own = clause.statistic_before(value) or (clause.statistic_behind(value) if value.kind == LATENCY else ())
    named = own or (label.statistics if label else ())
    return named[0] if len(named) == 1 else "mean"


def _names_iops(clause: Phrase, value: Value) -> bool:
    """Whether IOPS stand right before a number: "IOPS=2300 BW=9.0MiB/s", "the IOPS were only 2300"."""
    before = [token for token in clause.tokens if token.end <= value.start]
    if before and LINKS.fullmatch(before[-1].text):
        named = next((token for token in reversed(before) if not LINKS.fullmatch(token.text)), None)
        return named is not None and named.kind == "metric_iops" and not _is_size(clause, value)
    if before and "(" in clause.text[before[-1].end : value.start] and _is_size(clause, value):
        return False  # "IOPS (4k, QD64)"
    return bool(before) and before[-1].kind == "metric_iops" and value.start - before[-1].end <= _NEAR


def _is_size(clause: Phrase, value: Value) -> bool:
    """ "4k random write IOPS" names a block, "12k random write IOPS" a rate."""
    text = next((token.text for token in clause.tokens if token.start == value.start), "")
    return heading_of(text).load.block_bytes is not None


def _leads_to_iops(clause: Phrase, value: Value) -> bool:
    """Whether IOPS stand behind a number, with nothing but a load between: "12k random write IOPS"."""
    behind = [
        token.kind for token in clause.tokens if token.start > value.start and not _WHOSE.fullmatch(token.text.strip())
    ]
    metric = behind.index("metric_iops") if "metric_iops" in behind else 0
    between = set(behind[:metric])
    return (
        metric > 0
        and ":" not in clause.text[value.start : clause.text.upper().rfind("IOPS")]
        and not _is_size(clause, value)
        and between <= {"read", "write", "random", "sequential", "mixed", "size"}
    )


def _is_of_another(clause: Phrase, value: Value, aside: Value) -> bool:
    """ "30.2 MB/s (39.1 MB/s on the old board)", "(was 21 MB/s)": a second run of the same load."""
    text = next((each[1] for each in BRACKETS.finditer(clause.text) if each.start() < aside.start < each.end()), "")
    phrase = phrase_of(text)
    if phrase.statistics or phrase.load != Load() or says_again(aside, value):
        return False
    return _ANOTHER.match(text) is not None and aside.factor in (value.factor, value.factor * 1e3, value.factor / 1e3)


def shared(values: Sequence[Value], ways: Sequence[str], clause: Phrase) -> list[Value]:
    """Of several values of one kind, one for each direction that is named; brackets repeat what is before them.

    Without directions each is a run of its own, where nothing but its unit stands beside it.
    """
    result: list[Value] = []
    aside = clause.text.find("(")
    asides = [match.span() for match in _ASIDES.finditer(clause.text)]
    valued = {token.start for token in clause.tokens if token.kind in ("rate", "iops", "time")}
    for kind in dict.fromkeys(value.kind for value in values):
        same = [value for value in values if value.kind == kind]
        beside = [value for value in same if not any(start < value.start < end for start, end in asides)]
        if len(ways) > 1 and len(beside) == len(ways) < len(same):
            same = beside
        if len(values) == 1:
            same = of_both(same, clause)
        elif len(same) == len(ways) > 1:
            same = [value._replace(way=way) for value, way in zip(same, ways, strict=True)]
        elif len(same) > 1:
            before = [value for value in same if value.start < aside]
            are_runs = not (before or ways or SLASH.search(clause.text)) and valued >= {value.start for value in same}
            if not (len(before) == 1 and len(same) == 2 and _is_of_another(clause, *same)):
                same = before if len(before) == 1 else same if are_runs else []
        result += same
    return result
