"""What a line tells of several conditions or names at once: "4k reads at QD1, QD8 and QD32: 29k, 88k and 128k IOPS"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from radoscope import patterns as re
from radoscope.formats.context.supposed import SENTENCE
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.phrases import LATENCY, RATE, heading_of, phrase_of
from radoscope.formats.tables.rows import alternatives_in
from radoscope.formats.told.elided import with_unit_of_all, with_unit_of_last
from radoscope.formats.told.notation import A_VALUE, AND, CONDITION, MIX, NUMBER, UNIT, replaced
from radoscope.formats.told.usual import in_usual_words

_BETWEEN = rf"(?: ?(?:/|[-=]{{1,2}}>|[→⇒➜]) ?|{AND}|, |[、，])"
_CONDITIONS = re.compile(
    rf"(?<![\w.,/=-]){CONDITION}(?:{_BETWEEN}{CONDITION}){{1,11}}(?![\d%]|[.,]\d| ?{UNIT})", re.IGNORECASE
)
_OF_JOBS = re.compile(rf"\d ?(?:{words.JOBS})$", re.IGNORECASE)
_NAME = r"\w[\w.+-]{0,15}"
_NAMES = re.compile(rf"(?<![\w/.])(?!(?i:{RATE})){_NAME}(?: ?/ ?{_NAME}){{1,11}}(?![\w/])")
_WAYS = {("read",), ("write",)}
_ILLEGIBLE = "…"
_MAY_TELL = re.compile(r"\d[^,;]{0,12}?(?:iops|[kmg]i?b|bit|bps|[mnuµμ]s|[оo]пс|[бb]/[сs])", re.IGNORECASE)
_LONGEST = 400
_WHOLE, _PAIR, _OFF = 100, 2, 0.1
_RATIO = re.compile(r"(?<![\w.,/])(?P<reads>[1-9]\d) ?[/:] ?(?P<writes>[1-9]\d)(?![\w.,/]*\d)")
_VALUE = re.compile(rf"(?P<number>{NUMBER})(?: ?(?P<unit>{UNIT}))?", re.IGNORECASE)
_VALUES = re.compile(rf"(?<![\w.,=])(?:{A_VALUE}{_BETWEEN}){{1,11}}{NUMBER} ?{UNIT}(?![\w/])", re.IGNORECASE)
_OF_ONE_UNIT = re.compile(rf"{NUMBER}(?:{_BETWEEN}{NUMBER}){{1,11}} ?{UNIT}", re.IGNORECASE)
""" "21k/9k IOPS" and "1.2/3.4 ms" in "21k/9k IOPS, 1.2/3.4 ms"."""
_LISTS_OF_WAYS = re.compile(
    rf"(?<![\w.,=])(?P<values>{NUMBER}(?:{_BETWEEN}{NUMBER}){{1,11}} ?{UNIT}) "
    r"(?P<way>(?:random |sequential )?(?:reads?|writes?))(?![\w/])",
    re.IGNORECASE,
)
""" "983 and 1001 MB/s write, and 977 and 979 MB/s read"."""
_PAIR_OF_MIX = re.compile(
    rf"(?<=, )(?P<mix>{MIX.pattern})[:=]? (?P<values>{NUMBER} ?/ ?{NUMBER} ?{UNIT})(?![\w/])", re.IGNORECASE
)
"""Behind others: of a line of one test `_with_ways_of_a_mix` and those that know both ways tell."""
_AGAIN = re.compile(r"^re-?(?=writ|read)", re.IGNORECASE)
_OF_BOTH_WAYS = re.compile(rf"(?P<value>{NUMBER} ?{RATE}) (?P<read>reads?) ?/ ?(?P<write>writes?)(?=\))", re.IGNORECASE)
""" "NFS (310 MB/s read/write) or SMB (580 MB/s read, 240 MB/s write)"."""
_RATES = re.compile(rf"{NUMBER}(?: ?/ ?{NUMBER}){{1,11}} ?(?:{RATE}|k?IOPS)", re.IGNORECASE)
_JOINED = re.compile(rf"{NUMBER}(?:{AND}{NUMBER}){{1,11}} ?(?:{RATE}|k?IOPS)", re.IGNORECASE)
_BARE_VALUES = re.compile(rf"(?<=[:：=] ){NUMBER}(?: ?/ ?{NUMBER}){{1,11}}(?=$|, [^\W\d])")
_STEP_BEHIND = re.compile(rf"(?<=[a-z\d]); (?={CONDITION}[:=]? {NUMBER} ?{UNIT}\s*(?:[;.,(]|$))", re.IGNORECASE)
""" "4k write, QD1: 390 IOPS; QD16: 4,800 IOPS": the rest of the test is that before it."""
_CLAUSE = re.compile(rf"(?<=[^\W_])[;；] |{SENTENCE.pattern}")
_BULLET = re.compile(r"^\W+")


def told_each(text: str) -> str:
    """A sentence for each of the conditions or names of which a clause tells as many values; others as they are."""
    if len(text) > _LONGEST:
        return text
    text = in_usual_words(with_unit_of_all(text))
    if not _MAY_TELL.search(text):
        return text
    text = _STEP_BEHIND.sub(", ", with_unit_of_last(text))
    if "/" not in text and "iops" not in text.lower() and not _CONDITIONS.search(text):
        return text
    if len({match["way"].lower() for match in _LISTS_OF_WAYS.finditer(text)}) > 1:
        text = _LISTS_OF_WAYS.sub(_each_with_its_way, text)
    text = _PAIR_OF_MIX.sub(_reads_then_writes, text)
    text = _OF_BOTH_WAYS.sub(r"\g<value> \g<read>, \g<value> \g<write>", text)
    clauses = [each for each in _CLAUSE.split(text) if each]
    told = ["; ".join(_each_of(clause)) for clause in clauses]
    return text if told == clauses else "; ".join(told)


def _reads_then_writes(told: re.Match[str]) -> str:
    """ "randrw 9k/4k IOPS" as "random read 9k IOPS, random write 4k IOPS"."""
    order = "random " if phrase_of(told["mix"]).load.random else ""
    reads, writes = _units_filled(told["values"])
    return f"{order}read {reads}, {order}write {writes}"


def _each_with_its_way(listed: re.Match[str]) -> str:
    return ", ".join(f"{value} {listed['way']}" for value in _units_filled(listed["values"]))


def _each_of(clause: str) -> Sequence[str]:
    """Of which of several conditions its values are, nobody knows where there are more or less: then it has none."""
    conditions = list(_conditions_in(clause))
    for parts in (*(parts for parts, _ in conditions), *_names_apart(clause)):
        if told := _with_one_value(parts):
            return [without for part in told for without in _each_of(part)]
    named = _with_ways_of_a_mix(_with_statistics(clause))
    is_of_several = named == clause and conditions and _values_in(clause)
    clause = conditions[0][1] if is_of_several else named
    listed = [
        (run.span(), ", ".join(values))
        for run, values in _values_in(clause)
        if _RATES.fullmatch(run[0]) or (_JOINED.fullmatch(run[0]) and _has_block(clause[: run.start()]))
    ]
    return [replaced(clause, listed)]


def _with_statistics(clause: str) -> str:
    """ "min/avg/max: 1100/1180/1240 MB/s" as "min 1100 MB/s, avg 1180 MB/s, max 1240 MB/s"."""
    for match in _NAMES.finditer(clause):
        names = re.split(" ?/ ?", match[0])
        rest = clause[: match.start()].rstrip() + clause[match.end() :]
        runs = [(run, values) for run, values in _values_in(rest) if len(values) == len(names)]
        if len(runs) == 1 and all(heading_of(name).statistics for name in names):
            (run, values) = runs[0]
            told = ", ".join(f"{name} {value}" for name, value in zip(names, values, strict=True))
            return replaced(rest, [(run.span(), told)])
    return clause


def _is_within(place: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(first <= place < end for first, end in spans)


def _has_block(clause: str) -> bool:
    """So that "8k and 5.5k IOPS" behind it names none."""
    return heading_of(clause).load.block_bytes is not None


def _with_one_value(parts: Sequence[str]) -> Sequence[str]:
    """() where the clause has another number of values, or of another load. A value that stands alone is told once."""
    told: list[str] = []
    for at, part in enumerate(parts):
        runs = _values_in(part)
        spans = [run.span() for run, _ in runs]
        alone = [each for each in _VALUE.finditer(part) if each["unit"] and not _is_within(each.start(), spans)]
        is_short = not runs or len(runs) + len(alone) < len(heading_of(part).ways)
        if is_short or any(len(values) != len(parts) for _, values in runs):
            return ()
        own = [(run.span(), values[at]) for run, values in runs]
        own += [(each.span(), _ILLEGIBLE) for each in alone] if at else []
        told.append(_BULLET.sub("", replaced(part, own)) if at else replaced(part, own))
    return told


def _with_ways_of_a_mix(clause: str) -> str:
    """ "randrw 70/30: 21k/9k IOPS, 1.2/3.4 ms": reads, then writes, as their share of the operations proves."""
    ratio = _shares_of(_RATIO.search(clause))
    pairs = [(run, values) for run, values in _values_in(clause) if len(values) == _PAIR] if ratio else []
    rates = [value for _, told in pairs[:1] for each in told for value in phrase_of(each).values(False)]
    if ratio is None or len(rates) != _PAIR or rates[0].kind == LATENCY or len(phrase_of(clause).ways) == 1:
        return clause
    reads, writes = ratio
    if abs(rates[0].value * writes / (rates[1].value * reads or 1.0) - 1) > _OFF:
        return clause
    order, told = "random " if phrase_of(clause).load.random else "", []
    for at, way in enumerate(("read", "write")):
        part = replaced(clause, [(run.span(), values[at]) for run, values in pairs])
        told.append(MIX.sub(f"{order}{way}", part, count=1) if MIX.search(part) else f"{order}{way} {part}")
    return "; ".join(told)


def _shares_of(ratio: re.Match[str] | None) -> tuple[int, int] | None:
    """Of reads and of writes; None of what is no whole."""
    shares = (int(ratio["reads"]), int(ratio["writes"])) if ratio else (0, 0)
    return shares if sum(shares) == _WHOLE else None


def _conditions_in(clause: str) -> Iterator[tuple[Sequence[str], str]]:
    """For each list of sizes of one kind the clause with one of them, and the clause with none."""
    for match in _CONDITIONS.finditer(clause):
        listed = match[0]
        *others, last = re.finditer(_BETWEEN, listed)
        if others and last[0] == ", " and all(other[0] != ", " for other in others):
            listed = listed[: last.start()]  # "at QD 1 and 32, 4k reads ..."
        named = re.sub(_BETWEEN, " / ", listed)
        if heading_of(named.partition(" / ")[0]).load.depth and _OF_JOBS.search(named):
            continue  # "QD32/4 jobs"
        if _shares_of(_RATIO.match(listed)):
            continue  # "70/30 numjobs=4"
        before, behind = clause[: match.start()], clause[match.start() + len(listed) :]
        if parts := alternatives_in(named):
            yield [f"{before}{part}{behind}" for part in parts], f"{before}{behind}"


def _names_apart(clause: str) -> Iterator[Sequence[str]]:
    """ "write on HDD / SSD: ...", "4k read/write QD1: ..." """
    told = [run.span() for run, _ in _values_in(clause)]
    for match in _NAMES.finditer(clause):
        names = re.split(" ?/ ?", match[0])
        if _is_within(match.start(), told):
            continue
        kinds = [tuple(token.kind for token in heading_of(_AGAIN.sub("", name)).tokens) for name in names]
        is_ratio = all(map(str.isdecimal, names)) and sum(map(int, names)) == _WHOLE
        if not is_ratio and ({*kinds} <= _WAYS or all({*kind} <= {"word", "number", "version"} for kind in kinds)):
            yield [clause[: match.start()] + name + clause[match.end() :] for name in names]


@lru_cache(maxsize=64)  # each look at a clause asks for them
def _values_in(clause: str) -> Sequence[tuple[re.Match[str], Sequence[str]]]:
    """ "29k, 88k and 128k IOPS" and ("29k IOPS", "88k IOPS", "128k IOPS"), each list of values of one quantity."""
    found = []
    for run in _VALUES.finditer(clause):
        are_alike = len({value.kind for told in _units_filled(run[0]) for value in phrase_of(told).values(False)}) == 1
        own = [run] if are_alike else _OF_ONE_UNIT.finditer(clause, run.start(), run.end())
        found += [(each, _units_filled(each[0])) for each in own]
    unit = found[0][1][-1].rpartition(" ")[2] if found else ""
    if unit or heading_of(clause).quantities:
        bare = _BARE_VALUES.finditer(clause)
        found += [(run, [f"{value} {unit}".strip() for value in re.split(" ?/ ?", run[0])]) for run in bare]
    return tuple(sorted(found, key=lambda each: each[0].start()))


def _units_filled(values: str) -> list[str]:
    each = list(_VALUE.finditer(values))
    return [f"{value['number']} {value['unit'] or each[-1]['unit']}" for value in each]
