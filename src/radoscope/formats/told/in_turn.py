"""Sentences that tell results in turn: "4k random writes reach 420 IOPS at QD1 and 11.2k IOPS (2.9 ms) at QD32".

A sentence is a row of tests and runs. Values of several kinds that stand together are of one run; a test belongs to the
run that no comma and no "and" parts from it; what is told once, before the first or behind the last, holds for all. A
sentence that is no such row is left to others.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import pairwise

from radoscope import patterns as re
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.phrases import (
    LATENCY,
    METRICS,
    NUMBERS,
    STATISTICS,
    Load,
    Phrase,
    Token,
    Value,
    is_range_of_rates,
    load_of,
    statistic_of,
    with_rados_read,
)
from radoscope.formats.told.clauses import says_again

_OF_TESTS = ("read", "write", "random", "sequential", "size", "block", "depth", "jobs", "cdm")
_UNFIT = ("limit", "spread", "noise", "both", "option", "rate_unit", "time_unit")
_OF_MIXES = ("mixed", "ratio")
_PARTS = re.compile(
    r"[,;、，；。→]|\.\s|\s[-–—]{1,2}\s|->|=>"
    r"|(?<!\w)(?:and|then|und|dann|et|puis|y|luego|e|poi|oraz|i|en|och|og|ve|và|и"
    rf"|{words.CONTRASTS}|{words.AGAINST})(?!\w)|[和及]|{words.CONTRASTS_CJK}",
    re.IGNORECASE,
)
"""Between a run and the test of another one."""
_PARTS_VALUES = re.compile(rf"{_PARTS.pattern}|[|/()]", re.IGNORECASE)
_APART = re.compile(
    rf"[;；。→]|->|=>|\.\s|(?<!\w)(?:{words.CONTRASTS}|{words.AGAINST}|than|then)(?!\w)|{words.CONTRASTS_CJK}",
    re.IGNORECASE,
)
_MOST_BETWEEN = 4
"""Words between two values of one run: "12k IOPS with an average latency of 2 ms"."""
_LEFT = re.compile(r"[^\W\d_]{3,}[)\s]*,\s")
"""Between them a comma behind words: "12k IOPS on the host, 34 MB/s in the VM"."""
_MAX_OUT = re.compile(r"\s?(?:es|ed)? out\b", re.IGNORECASE)
_NAMES_NEXT = re.compile(r"\s*(?:latency |lat )?(?:[:=]|(?:of|is|was|at|are|um|von|de|di)\b)", re.IGNORECASE)
_ASIDE, _FEWEST_COUNTED = re.compile(r"\([^()]*\)"), 10
_ENDS_CLAUSE = re.compile(r"[,;，；]")
_OTHERS = (
    re.compile(
        r"(?<![a-z])(?:ping|rtt|round[- ]trip|iperf\d?|network|netz\w*|réseau|link|nic)(?![a-z])", re.IGNORECASE
    ),
    re.compile(r"\d ?/ ?[~≈]?\d"),
)
"""Networks, and pairs of numbers."""
_YEARS, _SMALL = range(1990, 2050), 100
"""Numbers without a unit that count no operations: a year, "node 3", "Ceph 18"."""


class _NoRowError(Exception):
    """A sentence holds what no row of tests and runs does."""


@dataclass(slots=True)
class _Part:
    """Words of a load, or values, that stand together."""

    start: int
    end: int
    load: Load = field(default_factory=Load)
    values: tuple[Value, ...] = ()

    def names(self) -> set[tuple[str, str]]:
        return {(value.kind, value.statistic) for value in self.values}


def told_in_turn(whole: Phrase, values: Sequence[Value]) -> list[tuple[Load, int, Value]] | None:
    """(load, number of its run, value) for each value of a sentence; None where it is no row of tests and runs.

    values: the numbers of which somebody knows what they count.
    """
    text = whole.text
    for token in (token for token in whole.tokens if token.kind == "ratio"):
        text = text.replace(token.text, "")
    if any(map(_is_unfit, whole.tokens)) or any(each.search(text) for each in _OTHERS):
        return None
    given = {value.start: value for value in values}
    try:
        row = _row(whole, given)
        loads = _loads(row, whole.text)
        if len(row) == len(loads) and any(
            token.kind == "number" and token.start not in given for token in whole.tokens
        ):
            return None  # "It used to be 500 MB/s, now 90"
    except _NoRowError:
        return None
    if any(token.kind in _OF_MIXES for token in whole.tokens):
        if any(load.way not in ("read", "write") for load in loads) or all(t.kind != "ratio" for t in whole.tokens):
            return None
        loads = [load._replace(mixed=True) for load in loads]
    runs = [part for part in row if part.values]
    if _tells_times_of_others(runs, loads) or any(map(_is_of_something_else, loads[1:], loads, runs[1:], runs)):
        return None
    return [(load, at, value) for at, (load, run) in enumerate(zip(loads, runs, strict=True)) for value in run.values]


def _is_unfit(token: Token) -> bool:
    """What a row does not hold; "3 to 5" nodes and "94 %" of something are no results."""
    numbers = [int(each) for each in re.findall(r"\d+", token.text)]
    is_of_values = token.kind == "range" and (is_range_of_rates(token) or max(numbers, default=0) >= _SMALL)
    return token.kind in _UNFIT or is_of_values or (token.kind == "change" and "%" not in token.text)


def _tells_times_of_others(runs: Sequence[_Part], loads: Sequence[Load]) -> bool:
    """ "Its 1M write is 131 MB/s and its QD32 p99 is 64 ms": of what the time is, it does not say. Times alone are of
    whole tests."""
    kinds = [{value.kind for value in run.values} for run in runs]
    are_whole = len(set(loads)) == len(runs) and all(load.way and load.block_bytes for load in loads)
    is_one = all(kind == {LATENCY} for kind in kinds) and are_whole
    return {LATENCY} in kinds and len(kinds) > 1 and not is_one


def _is_of_something_else(load: Load, before: Load, run: _Part, last: _Part) -> bool:
    """Of the same test as the one before it, and of another quantity: no one knows whether it is another run."""
    return load == before and not {kind for kind, _ in run.names()} & {kind for kind, _ in last.names()}


def _row(whole: Phrase, given: dict[int, Value]) -> list[_Part]:
    """Tests and runs in their order."""
    row: list[_Part] = []
    statistics, asides = _statistics(whole, given), [match.span() for match in _ASIDE.finditer(whole.text)]
    for token in whole.tokens:
        value, last = given.get(token.start), row[-1] if row else None
        gap = whole.text[last.end : token.start] if last else ""
        if value is not None:
            value = value._replace(statistic=statistics.get(token.start, "mean"))
            if _is_no_count(token, value):
                raise _NoRowError
            if last and last.values and any(_is_again(value, each) for each in last.values):
                last.end = token.end
            elif last and last.values and (value.kind, value.statistic) not in last.names() and not _LEFT.search(gap):
                is_tail = value.kind == LATENCY and value.statistic.startswith("p") and ";" not in gap
                if (_APART.search(gap) and not is_tail) or len(gap.split()) > _MOST_BETWEEN:
                    raise _NoRowError
                last.values, last.end = (*last.values, value), token.end
            elif any(start < token.start < end for start, end in asides):
                raise _NoRowError  # "1,240 IOPS (2,900 IOPS elsewhere)"
            else:
                row.append(_Part(token.start, token.end, values=(value,)))
            continue
        load = load_of(token) if token.kind in _OF_TESTS else Load()
        if load == Load():
            if _counts_something(token) and not _is_of_name(token, whole):
                raise _NoRowError
            if last and last.values and token.kind in (*METRICS, *STATISTICS) and not _PARTS.search(gap):
                last.end = token.end
        elif last and not last.values and _is_one(last, token, gap, asides):
            last.load, last.end = _both(last.load, load), token.end
        else:
            row.append(_Part(token.start, token.end, load))
    return row


def _is_one(test: _Part, token: Token, gap: str, asides: Sequence[tuple[int, int]]) -> bool:
    """Whether a word goes on with the test before it: in the same brackets, or in none and with no comma between."""
    in_aside = [aside for aside in asides if aside[0] < token.start < aside[1]]
    if in_aside or "(" in gap or ")" in gap:
        return any(start < test.start for start, _ in in_aside)
    return not _PARTS.search(gap)


def _is_no_count(token: Token, value: Value) -> bool:
    """ "IOPS, 4k randwrite" names a block, "test 3: random read IOPS" a test."""
    is_block = token.kind == "size" and load_of(token).block_bytes is not None
    return is_block or (token.kind == "number" and value.value < _FEWEST_COUNTED)


def _is_again(value: Value, before: Value) -> bool:
    """ "850 MB/s or 810.6 MiB/s"."""
    is_same = (value.kind, value.statistic) == (before.kind, before.statistic) and value.factor != before.factor
    return is_same and says_again(value, before)


def _counts_something(token: Token) -> bool:
    """A number that may be a result, and of which nobody knows what it counts."""
    if token.kind in ("rate", "iops", "scaled", "size"):
        return True
    digits = "".join(filter(str.isdecimal, token.text))
    return token.kind == "number" and int(digits or 0) >= _SMALL and int(digits) not in _YEARS


def _is_of_name(token: Token, whole: Phrase) -> bool:
    """ "the 980 PRO", "a Samsung 870"."""
    at = whole.tokens.index(token)
    beside = (*whole.tokens[max(0, at - 1) : at], *whole.tokens[at + 1 : at + 2])
    gaps = (whole.text[min(each.end, token.end) : max(each.start, token.start)] for each in beside)
    return any(
        each.kind == "word" and each.text[0].isupper() and len(gap) <= 1 and gap in " -"
        for each, gap in zip(beside, gaps, strict=True)
    )


def _statistics(whole: Phrase, given: Container[int]) -> dict[int, str]:
    """What each number of a sentence is: "avg 0.4 ms, p99 1.9 ms", "0.4 ms on average and 1.9 ms at p99"."""
    numbers = [
        token for token in whole.tokens if token.kind in NUMBERS and (token.kind != "size" or token.start in given)
    ]
    found: dict[int, str] = {}
    for token in whole.tokens:
        if token.kind not in STATISTICS or (token.kind == "max" and _MAX_OUT.match(whole.text, token.end)):
            continue
        before = next((each for each in reversed(numbers) if each.end <= token.start), None)
        behind = next((each for each in numbers if each.start >= token.end), None)
        if (of := _whose(token, before, behind, whole.text)) is None:
            continue
        if of.start in found:
            raise _NoRowError
        found[of.start] = statistic_of(token)
    return found


def _whose(token: Token, before: Token | None, behind: Token | None, text: str) -> Token | None:
    """The number that a statistic is said of: the one that nothing parts from it, "12k IOPS with a p99 of 35 ms"."""
    if before and text[before.end : token.start].strip() == "(" and text[token.end :].lstrip().startswith(")"):
        return before  # "12 ms (p99)"
    is_before = before is not None and not _PARTS_VALUES.search(text[before.end : token.start])
    is_behind = behind is not None and not _PARTS_VALUES.search(text[token.end : behind.start])
    if is_before and is_behind and before and behind:
        is_before = (before.kind == "time") >= (behind.kind == "time") and not _NAMES_NEXT.match(text, token.end)
    return before if is_before else behind if is_behind else None


def _both(one: Load, other: Load) -> Load:
    """Raises _NoRowError where they contradict each other."""
    for ours, theirs in zip(one, other, strict=True):
        if None not in (ours, theirs) and ours != theirs:
            raise _NoRowError
    return one.over(other)


def _merged(loads: Sequence[Load]) -> Load:
    return reduce(_both, loads, Load())


def _loads(row: Sequence[_Part], text: str) -> list[Load]:
    """The load of each run."""
    at = [number for number, part in enumerate(row) if part.values]
    if not at or (len(at) == len(row) and (len(at) > 1 or len(row[0].values) == 1)):
        raise _NoRowError
    front, rest = [part.load for part in row[: at[0]]], row[at[-1] + 1 :]
    if len(at) == 1:
        return [_merged([*front, *(part.load for part in rest)])]
    own = [Load()] * len(at)
    is_left = is_right = False
    for number, (first, second) in enumerate(pairwise(at)):
        inner = row[first : second + 1]
        parted = [_PARTS.search(text[one.end : other.start]) is not None for one, other in pairwise(inner)]
        for place, part in enumerate(inner[1:-1], start=1):
            to_left, to_right = not any(parted[:place]), not any(parted[place:])
            if to_left == to_right:
                raise _NoRowError
            is_left, is_right = is_left or to_left, is_right or to_right
            of = number if to_left else number + 1
            own[of] = _both(own[of], part.load)
    if is_left and rest and not _PARTS.search(text[row[at[-1]].end : rest[0].start]):
        own[-1], rest = _both(own[-1], rest[0].load), rest[1:]
    if any(load == Load() and len({each.way for each in own[:at]} - {None}) > 1 for at, load in enumerate(own)):
        raise _NoRowError  # "1.9 GB/s read and 1.1 GB/s write, against 530 and 470 MB/s"
    if "rados" in text.lower():
        own = list(map(with_rados_read, own))
    common = _common(front) if is_right else _merged(front)
    own[0] = _both(own[0], _merged(front))
    if not is_right:
        own = _of_pairs(own, [text[row[one].end : row[other].start] for one, other in pairwise(at)])
    behind = _merged([part.load for part in rest])
    if is_left and not is_right:
        behind = _both(behind, _only_behind(own))
    if any(load.shares_a_size(behind) and load.contradicts_sizes(behind) for load in own[:-1]):
        own[-1], behind = _both(own[-1], behind), Load()
    return _filled(own, common, behind)


def _only_behind(own: Sequence[Load]) -> Load:
    """ "12k IOPS in random reads and 4k in random writes at QD32": a size that the last test alone names is of all."""
    *others, last = own
    if last.way is None:
        return Load()
    named = [any(load[at] for load in others) for at in (2, 3, 4)]
    block, depth, jobs = (None if is_named else size for is_named, size in zip(named, last.sizes[2:5], strict=True))
    return Load(block_bytes=block, depth=depth, jobs=jobs)


def _of_pairs(own: Sequence[Load], gaps: Sequence[str]) -> list[Load]:
    """ "935 MB/s read and 834 MB/s write for SEQ1M Q8T1": what stands behind the second is said of both."""
    found = list(own)
    for at, (load, other) in enumerate(pairwise(own)):
        is_pair = {load.way, other.way} == {"read", "write"} and not _ENDS_CLAUSE.search(gaps[at])
        if is_pair and load == Load(way=load.way):
            found[at] = other._replace(way=load.way)
    return found


def _common(front: Sequence[Load]) -> Load:
    """What stands before the first test that names a direction: "With 4k blocks, random reads reach ..."."""
    first = next((at for at, load in enumerate(front) if load.way), len(front))
    return _merged(front[:first])


def _filled(own: Sequence[Load], common: Load, behind: Load) -> list[Load]:
    """With what is told of all, and what a short test leaves out as the one before had it."""
    loads: list[Load] = []
    for load in own:
        loads.append((_as_before(load, loads[-1]) if loads else load).over(common))
    return [_both(load, behind) for load in loads]


def _as_before(load: Load, before: Load) -> Load:
    if load == Load():
        return before
    same_order = load.random in (None, before.random)
    if load.way is None and same_order:
        rest = before if load.depth is None and load.jobs is None else before._replace(depth=None, jobs=None)
        return load.over(rest)
    if load.random is None and load.block_bytes is None:
        return load.over(before._replace(way=None))
    if load.random is None and load.block_bytes == before.block_bytes:
        return load._replace(random=before.random)
    if load.block_bytes is None and load.random == before.random:
        return load._replace(block_bytes=before.block_bytes)
    return load
