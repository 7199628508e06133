"""Conditions that hold for one kind of test each: "Random tests use 4k at QD32, sequential ones 1M at QD8".

A clause that names a kind (random or sequential, reads or writes, IOPS, bandwidth or latency) and sizes tells what
tests of that kind were made with. Only a text that tells several kinds apart is read so; every other holds for all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from radoscope import patterns as re
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.alternatives import Alternatives
from radoscope.formats.grammar.phrases import LATENCY, Load, Phrase, Quantity, Value, heading_of

_STRONG = re.compile(r"\s*(?:[;；。|]|\.(?=\s|$))\s*")
_WEAK = re.compile(
    r"\s*(?:[,，、](?!\d{3}\b)|(?<!\w)(?:and|und|et|y|e|и|a|oraz|but|while|vs\.?|versus)(?!\w)|和|(?<=\s)\+(?=\s))\s*",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"[^()]{1,160}\((?P<told>[^()]{1,160};[^()]{1,160})\)[^()]{0,160}")
""" "Throughput on the new target (4k random at QD32; 1M sequential at QD8):": what comes before names no kind."""
_SIZES_ASIDE = re.compile(r"\([^();]{1,80}\)")
""" "sequential ones (bs=1M, iodepth=8)": all is of what stands in front."""
_CLAUSE = re.compile(r"[,;:.，；。、]\s*(?!\d)")
_LONGEST = 300
_SENTENCE_END = re.compile(r"(?<=[^\W_]{2})[.。](?=\s|$)|(?<=\d)[.。](?=\s|$)|。")
_ORDER = rf"(?:{words.RANDOM}|{words.SEQUENTIAL})"
_FIGURES = (
    r"(?:figures|numbers|values|results|tests|runs|rates|iops|werte|zahlen|ergebnisse|chiffres|valeurs|résultats|essais"
    r"|valores|números|resultados|pruebas|testes|valori|risultati|wartości|wyniki|testy|hodnoty|výsledky|значения|числа"
    r"|результаты|тесты|(?:的)?(?:数值|數值|结果|結果|测试|測試)"
    r"|(?:の)?(?:数値|値|結果|テスト)|(?: ?(?:수치|결과|값|테스트)))"
)
_FIGURES_OF_ORDER = re.compile(
    rf"\W*(?:(?:all|the|die|alle|les|los|las|os|as|i|gli|le|wszystkie|все) ){{0,2}}"
    rf"(?:{_ORDER} ?(?:(?:{words.READ}|{words.WRITE}) )?{_FIGURES}|{_FIGURES} {_ORDER})",
    re.IGNORECASE,
)
_SUPPOSED = Alternatives(rf"{words.WISHED}|{words.NOT_MEASURED}")


class Told(NamedTuple):
    """What tests of one kind were made with. kind: "iops", "bandwidth", "latency" or "" for any; load: sizes."""

    random: bool | None
    way: str | None
    kind: str
    load: Load
    is_of_page: bool = False
    """Said far above: it holds for runs alone that are called random or sequential, as those of the test are."""
    by_block: bool = False
    """Another is told of this kind, with another block: it holds for runs alone whose block is known."""
    is_only_way: bool = False
    """No other test of the page goes its way: runs that nothing calls random or sequential are its runs, too."""

    def holds_for(self, load: Load, kinds: Collection[str]) -> bool:
        """Whether a run of this load, of which these kinds of values are known, is of this kind."""
        is_left_open = load.random is None and self.is_only_way
        if self.is_of_page and load.random is None and not is_left_open:
            return False
        if self.is_of_page and None not in (sizes := (self.load.block_bytes, load.block_bytes)) and len(set(sizes)) > 1:
            return False
        if self.by_block and load.block_bytes != self.load.block_bytes:
            return False
        if self.random is not None and bool(load.random) != self.random and not is_left_open:
            return False
        if self.way is not None and load.way != self.way:
            return False
        others = {"iops", "bandwidth"} - {self.kind}
        return not self.kind or (self.kind in kinds and not others & set(kinds))

    @property
    def selects(self) -> tuple[bool | None, str | None, str]:
        return self[:3]


def opposed(one: Load, other: Load) -> bool:
    """Reads and writes, random and sequential: what is said of the one does not hold for the other."""
    if "mix" not in (one.way, other.way) and None not in (one.way, other.way) and one.way != other.way:
        return True
    return None not in (one.random, other.random) and one.random != other.random


def told_by_kind(text: str) -> tuple[Told, ...]:
    """What a text tells of each kind; nothing where it does not tell at least two apart."""
    if len(text) > _LONGEST or not any(map(str.isdecimal, text)):
        return ()
    aside = _ASIDE.fullmatch(text)
    text = _SIZES_ASIDE.sub(lambda sizes: sizes[0].replace(",", " "), text)
    strong = [part for part in _STRONG.split(aside["told"] if aside else text) if part]
    kinds = [told for part in strong for told in _of_clauses([part])]
    if len(kinds) == 1 and _names_other_order(kinds[0], strong):
        return tuple(kinds)
    if len(strong) < 2 or len(kinds) < 2:
        kinds = list(_of_clauses(_WEAK.split(text)))
    is_told_apart = len({told.selects for told in kinds}) == len(kinds) > 1
    if is_told_apart and len({told.load for told in kinds}) > 1:
        return tuple(kinds)
    return tuple(kinds) if len(kinds) == 1 and _names_other_order(kinds[0], [*strong, *_WEAK.split(text)]) else ()


def told_of_one_kind(line: str) -> tuple[Told, ...]:
    """ "Random figures come from a queue of one.": what the first sentence of a line tells of numbers of one order."""
    sentence = _SENTENCE_END.split(line, 1)[0]
    if len(sentence) > _LONGEST or not _FIGURES_OF_ORDER.match(sentence) or _SUPPOSED.search(sentence):
        return ()
    phrase = heading_of(sentence)
    (random, way, _), sizes = _kind_of(phrase), _sizes_of(phrase)
    is_told = random is not None and sizes not in (None, Load()) and not any(v.kind for v in phrase.values(False))
    return (Told(random, way, "", sizes or Load()),) if is_told else ()


def told_by_blocks(told: Sequence[Told]) -> tuple[Told, ...]:
    """Those of one kind are told apart by their blocks; nothing where two have the same."""
    alike = Counter(each.selects for each in told)
    found = tuple(each._replace(by_block=alike[each.selects] > 1) for each in told)
    are_sized = all(each.load.block_bytes for each in found if each.by_block)
    are_apart = len({(each.selects, each.load.block_bytes if each.by_block else None) for each in found}) == len(found)
    return found if are_sized and are_apart else ()


def with_only_ways(told: Sequence[Told]) -> tuple[Told, ...]:
    """Reads and writes of which one test each is told are of that test, whatever they are called."""
    ways = Counter(each.way for each in told)
    return tuple(each._replace(is_only_way=None not in ways and ways[each.way] == 1) for each in told)


def told_by_commands(asked: Sequence[Load]) -> tuple[Told, ...]:
    """What commands ask for, each of its kind; nothing where two are of one kind."""
    told = [Told(load.random, load.way, "", load.sizes) for load in asked if load.way in ("read", "write")]
    are_apart = len({each.selects for each in told}) == len(told) == len(asked) > 0
    return with_only_ways(told) if are_apart else ()


def told_by_items(items: Sequence[str]) -> tuple[Told, ...]:
    """ "- reads: --rw=randread --bs=4k", "- latency: --rw=randread --iodepth=1": what each item of a list tells of one
    kind; nothing where one names no kind or no size, or two the same kind."""
    phrases = list(map(heading_of, items))
    found = [Told(*_kind_of(phrase), _sizes_of(phrase) or Load(), is_of_page=True) for phrase in phrases]
    are_told_apart = len({told.selects for told in found}) == len(found) > 1
    are_whole = all(told.way is not None and told.load != Load() for told in found)
    return tuple(found) if are_told_apart and are_whole and not any(each.names_values for each in phrases) else ()


def told_by_rows(rows: Sequence[tuple[str, str]]) -> tuple[Told, ...]:
    """ "Profile | 4k random at QD32; 1M sequential at QD8", or a row for each: what a table of settings tells of each
    kind; nothing where two rows tell something else, or where it holds results."""
    if any(map(_holds_rate, rows)):
        return ()
    found = set(filter(None, (told_by_kind(text) for _, text in rows)))
    named = [f"{name}: {text}" for name, text in rows if heading_of(name).load.random is not None]
    found |= set(filter(None, [told_by_kind("; ".join(named))]))
    return found.pop() if len(found) == 1 else ()


def _holds_rate(row: tuple[str, str]) -> bool:
    """None of a link, which is in bits."""
    name, text = map(heading_of, row)
    values = text.values(False)
    rates = [value for value in values if value.kind in ("iops", "bandwidth")]
    return bool(name.quantities and values) or any(not (rate.bits or rate.is_in_bits) for rate in rates)


def _names_other_order(told: Told, clauses: Sequence[str]) -> bool:
    """ "Sequential in MB/s, random in IOPS (4k)": the sizes are of the order beside which they stand alone."""
    orders = {heading_of(clause).load.random for clause in clauses} - {None}
    return told.random is not None and len(orders) == 2


@lru_cache(maxsize=1024)
def units_by_order(text: str) -> Mapping[bool, Quantity]:
    """ "Seq in MB/s, random in IOPS": the quantity of random (True) and of sequential runs; nothing where it does not
    name both."""
    found: dict[bool, Quantity] = {}
    for clause in _CLAUSE.split(text) if len(text) <= _LONGEST else ():
        phrase = heading_of(clause)
        if phrase.load.random is not None and len(phrase.quantities) == 1 and not phrase.names_values:
            found[phrase.load.random] = phrase.quantities[0]
    return found if len(found) == 2 and None not in (each.factor for each in found.values()) else {}


def sizes_by_kind(load: Load, told: Sequence[Told], kinds: Collection[str]) -> Load:
    """What the kinds that a run is of were made with; and their order, where it is the only one of its way."""
    found = Load()
    for each in sorted(told, key=lambda each: not each.kind):  # what is said of latencies alone goes first
        if each.holds_for(load, kinds):
            found = found.over(each.load._replace(random=each.random if each.is_only_way else None))
    return found if LATENCY not in kinds else _without_those_of_rates(found, load, told)


def _without_those_of_rates(found: Load, load: Load, told: Sequence[Told]) -> Load:
    """Beside rates a latency may be of a test of its own, of which other sizes are told: then nobody knows them."""
    own = [each.load for each in told if each.kind == LATENCY and each.holds_for(load, {LATENCY})]
    return found._replace(
        block_bytes=found.block_bytes if {each.block_bytes for each in own} <= {None, found.block_bytes} else None,
        depth=found.depth if {each.depth for each in own} <= {None, found.depth} else None,
        jobs=found.jobs if {each.jobs for each in own} <= {None, found.jobs} else None,
    )


def _of_clauses(clauses: Sequence[str]) -> Iterator[Told]:
    """A clause with a kind and sizes; sizes behind it that it lacks belong to it, too, but for those behind the last
    that none of the others has: these are said of all."""
    found: list[Told] = []
    behind = Load()
    for clause in clauses:
        phrase = heading_of(clause)
        kind, sizes = _kind_of(phrase), _sizes_of(phrase)
        if any(value.kind and not _is_duration(value) for value in phrase.values(False)):
            return
        if kind != (None, None, "") and sizes is not None:
            found, behind = [*_with(found, behind), Told(*kind, sizes)], Load()
        elif found and sizes is not None:
            behind = behind.over(sizes)
    others = [told.load for told in found[:-1]]
    behind = Load(
        block_bytes=behind.block_bytes if any(load.block_bytes for load in others) else None,
        depth=behind.depth if any(load.depth for load in others) else None,
        jobs=behind.jobs if any(load.jobs for load in others) else None,
    )
    yield from (told for told in _with(found, behind) if told.load != Load())


def _is_duration(value: Value) -> bool:
    """ "30 s": how long a test ran."""
    return value.kind == LATENCY and value.factor == 1.0


def _with(found: Sequence[Told], behind: Load) -> list[Told]:
    """The last of them with what is said behind it."""
    return [*found[:-1], found[-1]._replace(load=found[-1].load.over(behind))] if found else []


def _kind_of(phrase: Phrase) -> tuple[bool | None, str | None, str]:
    kinds = {each.kind for each in phrase.quantities} & {"iops", "bandwidth", "latency"}
    way = phrase.load.way if phrase.load.way in ("read", "write") else None
    return phrase.load.random, way, kinds.pop() if len(kinds) == 1 else ""


def _sizes_of(phrase: Phrase) -> Load | None:
    """Block, depth and jobs; None where it names several of one."""
    for kinds in (("block", "size"), ("depth", "cdm"), ("jobs",)):
        if len({token.text for token in phrase.tokens if token.kind in kinds}) > 1:
            return None
    return phrase.load.sizes
