"""What one line says of runs: behind a label, or in sentences."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from radoscope import patterns as re
from radoscope.formats.context.by_kind import opposed
from radoscope.formats.context.conditions import as_before, command_load
from radoscope.formats.context.measured import OF_SYNCS
from radoscope.formats.context.network_words import RECEIVED, WAYS, beside_storage, said_of_network, told_of_network
from radoscope.formats.context.sentences import IDEOGRAPHS
from radoscope.formats.context.supposed import AMOUNT, SENTENCE, UNIT
from radoscope.formats.context.untold_ways import (
    of_both,
    way_of_topic,
    with_both_ways,
    with_copies_told,
    without_others,
)
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.command_lines import BEFORE, without_quoted
from radoscope.formats.grammar.phrases import (
    BANDWIDTH,
    IOPS,
    LATENCY,
    RATE,
    Load,
    Phrase,
    Quantity,
    Token,
    Value,
    heading_of,
    is_range_of_rates,
    load_of,
    phrase_of,
    with_rados_read,
)
from radoscope.formats.grammar.quantities import number
from radoscope.formats.told.clauses import BRACKETS, LINKS, SLASH, joined_clauses, shared, valued
from radoscope.formats.told.in_turn import told_in_turn
from radoscope.formats.told.spelling import PAIRS, plain, with_both_values, with_joined_thousands, with_spelled_rates

LONGEST_HEADING = 120
BULLET = re.compile(r"\s*[-*•·+◦▪]\s")
_AND = re.compile(r"\s*(?:and|und|et|y|e|oraz|i|и|bzw\.|/|&)\s*(?:for |in |en |beim |на )?", re.IGNORECASE)
_NAMED = re.compile(r"\W*(?P<name>[^\W\d][^:：]{0,60}?) ?[:：]\s*[*_]*[~≈]?\d")
_COLON = re.compile(r"\s*(?:[:：]|=>|=(?!=)|→)\s*")
_SHARES = re.compile(r"(?<![\d.,:])(?:[1-9]0:[1-9]0|[1-9]5:[1-9]5)(?![\d.,:])")
""" "70:30": of reads and writes."""
_PARTS = re.compile(
    r"\s*(?:[;；|]\s+|;(?=[^\x00-\x7f]))|\s{3,}(?=[^\W\d][^:：\s]{0,20}(?: [^:：\s]{1,20}){0,3}[:：]\s)"
)
_TEST_AFTER_COMMA = re.compile(r",\s(?=[^,:;：\n]{3,48}[:：]\s?[*~≈]{0,3}\d)")
_TOOL_FIRST = re.compile(r"^\W{0,4}(?:fio|rbd bench|diskspd|vdbench|iozone)[,:] ", re.IGNORECASE)
_OF_RADOS = re.compile(r"\brados bench\b", re.IGNORECASE)
_SEMICOLON = re.compile(r"\s*(?:[;；]\s+|;(?=[^\x00-\x7f]))")
_VERSUS = re.compile(r"\bvs\.?\s|\bversus\s", re.IGNORECASE)
_SET_AGAINST = re.compile(rf"{AMOUNT}{UNIT} (?:vs\.?|versus) {AMOUNT}{UNIT}", re.IGNORECASE)
"""Two values of one load, and no comparison of two things."""
_LAST_BRACKETS = re.compile(r" ?\(([^()]{1,80})\)\W*$")
COMMAND = re.compile(
    rf"^\s*(?:\S*[#$>]\s*)?{BEFORE}(?!fio [^=-]{{0,60}}\d ?k? ?(?i:iops|[kmg]i?b/s))"  # "fio results: 2k IOPS (bs=4k)"
    r"(?:fio|rados|rbd|dd|iperf3?(?:\.exe)?|ceph|mc|aws|s3cmd|s5cmd|rclone)\s(?:.*\s)?(?:--?\w|\w+=\S)"
)
_TELLS_OF_TOOL = re.compile(
    r"\W*(?:fio|dd|rados bench|rbd bench|iperf3?) (?:using|with|at|on|over|from|and|without|in|mit|bei|auf|avec|sur|con"
    r"|en|su|z|na|с|на|при)\s[^=]{0,60}=",
    re.IGNORECASE,
)
""" "dd with bs=1M writes at 210 MB/s": a sentence, and no command."""
GIVES = re.compile(
    r":\s+(?:(?:avg|average|mean|bw|bandwidth|throughput|iops)\.?[ =:]{1,3})?"
    rf"(?=[~≈]?\d[\d.,]*[kK]? ?(?:{RATE}|{words.IOPS}))|"
    r"\s#\s?(?=[~≈]?\d)|\s(?:gives?|gave|says?|said|does|did|prints?|shows?|yields?|reports?|results? in"
    r"|ergibt|bringt|donne|даёт|得到|=>|->|→)\s+"
    r"(?:(?:me|us) )?(?:about |ca\.? )?(?=[~≈]?\d)",
    re.IGNORECASE,
)
_OF_NETWORKS = re.compile(r"(?<![\w-])iperf3?(?![\w-])")
_PREPOSITION = (
    r"on|for|at|in|of|with|from|bei[mn]?|für|mit|von|en|pour|para|per|auf|à|de|da|di|du|des|la|le|el"
    r"|при|на|w|przy|dla|в"
)
_LEADS = re.compile(rf"(?:{LINKS.pattern}|{_PREPOSITION})", re.IGNORECASE)
"""Between a direction and its number, or behind both."""
_OF_DIRECTION = ("number", "read", "write", "random", "sequential", "metric_bandwidth")
_COUNT_FIRST = re.compile(
    rf"\W*(?:(?:{LINKS.pattern}) )?(?:\d{{1,4}}[kK]|\d{{1,3}}[.,]\d{{3}}|\d{{3,6}}) (?:{_PREPOSITION})\s",
    re.IGNORECASE,
)
""" "4k for random writes" counts; "4k random writes" has a size."""
_NOW = re.compile(
    r"(?:(?:and|but|und|aber|et|mais|y|pero|e|ma|а|и|но) )?(?:now(?:adays)?|today|jetzt|heute|nun|maintenant|ahora"
    r"|agora|adesso|ora|teraz|nyní|teď|сейчас|теперь|зараз|现在|現在|今は?|지금은?)"
    r"(?:,? (?:it is|it['’]s|they are|sind es|ist es))?"
    rf"(?: ?(?:{words.ONLY}|{words.ABOUT}|noch|at|down to|bei)){{0,3}} ?{AMOUNT}\W*",
    re.IGNORECASE,
)
"""A clause of one bare number that says since when."""
_LARGEST_RATIO = 50.0
_SWEPT = re.compile(r"\b(?:before|until|to) (?:\w+ )?(?:dropping|falling|finish|ending|end)\b", re.IGNORECASE)
"""What comes next is at another depth: "peaked at QD8 with 410 MB/s before dropping to 395 MB/s"."""
_IN_TURN = re.compile(
    rf"分[别別]|各|それぞれ|각각|{AMOUNT}(?:{UNIT})?\s?(?:/|、|,|，|和|与|と|및)\s?{AMOUNT}{UNIT}", re.IGNORECASE
)
_DIPS = re.compile(
    r"(?:\bdip(?:s|ped|ping)? (?:down )?to|\beinbrüchen? (?:bis )?auf|\bcreux à"
    r"|\bbajones (?:a|hasta)|\bcali (?:fino )?a"
    r"|\bspadki do|провал\w* до|(?:瞬间|瞬間|偶尔|偶爾)[掉跌降][到至])"
    rf" ?(?:(?:{words.ABOUT}) )?[~≈]?(?P<amount>\d[\d.]{{0,9}})",
    re.IGNORECASE,
)
_PEAKS = re.compile(
    r"(?:\b(?:peaks?|peaking|spitzen?(?:wert\w*)?|pics?|pointes?|picos?|picchi|picco|szczyt\w*|špičk\w*)|пик\w*|峰值|ピーク)"
    r"(?: ?\([^()]{1,60}\))?(?: verso l['’]alto| nach oben)?"
    rf" ?(?:(?:of|at|to|von|bei|bis|à|de|a|di|do|o|до|в|[为為は到]) ?)?"
    rf"(?:(?:{words.ABOUT}|ben|sogar) ?)?[~≈]?(?P<amount>\d[\d.]{{0,9}})",
    re.IGNORECASE,
)
_MOST_WORDS = 60
_SHORT, FEW_WORDS = 60, 9
_MOST_LABEL_WORDS = 9


@dataclass(frozen=True, slots=True)
class Said:
    """One value of a line: of which load, and what its clause calls it."""

    load: Load
    value: Value
    part: int = 0
    """Which sentence of its line says it."""

    order: int = 0
    """Of several runs of one load that a line tells of in the same order for each quantity."""

    swept: bool = False
    """At another depth of a sweep, which nobody names: no heading's depth holds for it."""

    @property
    def name(self) -> tuple[str, str]:
        return self.value.kind, self.value.statistic or "mean"


_OF_FLUSHES = re.compile(
    r"(?:;|\|)\s*f(?:data)?syncs?(?:\(\))? "
    r"(?P<told>(?:latenc(?:y|ies)|lat|times?|p\d\d|avg|mean)\b[^;|]{1,80})(?=;|\s*\||$)",
    re.IGNORECASE,
)
""" "...; fsync latency p99 2.2 ms, p99.9 33 ms; ...": beside the rate of the writes that were flushed."""
_BLOCK_BY_COMMA = re.compile(r"(?<=\d[kKM]),(?=(?:rand|seq)?(?:read|write|rw)\b)")
""" "4M,randread:618MB/s"."""
_TEST_BEHIND = re.compile(rf"(?P<value>{AMOUNT}{UNIT}) ?\((?P<test>[^()]{{4,60}})\)", re.IGNORECASE)
_NAME_OF_ITEM = re.compile(
    r"\s{0,12}[-*•+]\s{1,3}(?:\*\*|__|`)?(?P<name>[^\W_][^:*`]{1,28}?)(?:\*\*|__|`)?:(?:\*\*|__)?\s"
)


@lru_cache(maxsize=4096)
def said_in(
    line: str,
    commas: bool,
    quantity: Quantity | None,
    before: Load,
    led: bool = False,
    of_network: bool = False,
) -> tuple[str, tuple[Said, ...]]:
    """(label, values) of a line; no values where it is a wish, a limit or a comparison.

    before: of what its paragraph spoke last. quantity: what a caption above says that the numbers behind labels are.
    led: it follows a command at once, so that it tells what that one gave. of_network: so did its paragraph.
    """
    if COMMAND.match(line) and not _TELLS_OF_TOOL.match(line):
        return "", tuple(_given_by_command(line, commas))
    line, commands = without_quoted(with_spelled_rates(line))
    if len(commands) == 1 and (asked := command_load(commands[0])) is not None:
        before, led = asked, True
    if (given := _parted(line, commas, quantity, before, led)) is not None:
        return given
    text = _prepared(line, commas)
    network = _told_by_tools(with_both_values(with_joined_thousands(line, commas)), commas, of_network)
    if network and not _tells_of_a_drive(text, commas):
        named = _NAMED.match(line) if len(network) == 1 else None
        return named["name"].strip() if named else "", network
    for parts in (_PARTS.split(text), _SEMICOLON.split(text), _tests_in(text)):
        if labelled := _labelled(parts, commas):
            return "", labelled
    label, rest = _label_of(text)
    if label is not None and (told := _labelled_sentences(text, commas, quantity)):
        return "", told
    if label is not None:
        if row := _runs_behind(label, text, commas):
            return label.rest, row
        return label.rest, () if _VERSUS.search(_SET_AGAINST.sub("", text)) else tuple(
            _structured(label, rest, commas, quantity, before if as_before(text) else Load())
        )
    if quantity and (item := _item_of(text, quantity, commas)):
        return item
    if len(text.split()) + len(IDEOGRAPHS.findall(text)) / 2 > _MOST_WORDS:
        return "", ()
    return _in_sentences(line, text, commas, before, led)


def _in_sentences(line: str, text: str, commas: bool, before: Load, led: bool) -> tuple[str, tuple[Said, ...]]:
    """As said_in of a line without a label; text: the line in plain words."""
    said = text.rpartition(": ")[2] if BULLET.match(line) else text  # "- node 3, two SSDs, LVM: 232 MB/s"
    is_short = len(said) <= _SHORT and len(said.split()) <= FEW_WORDS
    is_short = led or is_short or PAIRS.search(text) is not None  # a heading speaks for short lines and "IOPS = 1200"
    is_short = is_short or _tells_values_alone(text)
    told: list[Said] = []
    sentences = [each for sentence in SENTENCE.split(text) for each in _SEMICOLON.split(sentence)]
    if len(sentences) == _VALUES_AND_TEST and _names_test_behind(*sentences):
        sentences = [", ".join(sentences)]
    for part, sentence in enumerate(sentences):
        if len(sentences) > 1 and (network := _said_of_network(sentence, commas)):
            told += [replace(said, part=part) for said in network]
            continue
        newest = told[-1].load if told else before
        if (own := _in_turn(sentence, commas, newest)) is None:
            own = _spoken(sentence, commas, newest)
        own = [_as_of_network(said) if said.load.way == RECEIVED else said for said in own]
        for pattern, statistic in ((_DIPS, "min"), (_PEAKS, "max")):
            own = _with_extreme(own, told, pattern.search(sentence), statistic)
        told += [replace(said, part=part) for said in _in_the_order_before(own, told[-2:], sentence)]
        if not own and (way := way_of_topic(sentence)):
            before = Load(way=way)
    name = _name_of_item(line) if len(sentences) == 1 else ""
    is_item = BULLET.match(line) is not None
    return name, tuple(said for said in told if is_short or said.load.way or (is_item and _is_time_of_block(said)))


_VALUES_AND_TEST = 2


def _names_test_behind(values: str, test: str) -> bool:
    """ "26.2k IOPS with one replica, 13.2k IOPS with two; 4k random write at QD16": of what the values are."""
    first, second = phrase_of(values), phrase_of(test)
    is_test = len(second.ways) == 1 and second.load.block_bytes is not None and not second.names_values
    return is_test and first.names_values and not first.ways


_NAMED_NUMBER = re.compile(
    r"(?P<name>[^\W\d][^:：=→]{0,40}?|\d{1,4} [^:：=→]{1,30}?)(?: ?(?:[:：=→]|->|=>) *| [-–—] )[~≈]?"
    r"(?P<value>\d[\d.,]{0,12} ?[kM]?)"
)
""" "Rook RBD = 8,588" below "4k random write (IOPS)"."""
_BEHIND_NAME = re.compile(r"[^:：=→|]{1,40}?(?:[:：→]|=>|->| = )\s*(?=\S)")


_COUNTED_PARTS = re.compile(
    r"\b(?:hosts?|nodes?|clients?|release|version|osds?|disks?|drives?|threads?|jobs?|vms?|cores?|pgs?|size|replicas?"
    r"|runs?|users?)\W*$",
    re.IGNORECASE,
)
"""What is counted beside what was measured: "hosts: 12"."""


def _item_of(text: str, quantity: Quantity, commas: bool) -> tuple[str, tuple[Said, ...]] | None:
    """(name, value) of an item without a unit below a caption that tells it."""
    item = _NAMED_NUMBER.fullmatch(text)
    if item is None or _COUNTED_PARTS.search(item["name"]) or phrase_of(text).load.sizes != Load():
        return None
    values = [each.of(quantity) for each in phrase_of(item["value"]).values(commas)]
    return (item["name"].strip(), (Said(Load(), values[0]),)) if len(values) == 1 and values[0] else None


def _tells_values_alone(text: str) -> bool:
    """ "result: 436 IO/s, 457 MB/s [2.28 ms average latency, p99 8.51 ms]": a name, values and what they are."""
    phrase = phrase_of(_BEHIND_NAME.sub("", text, count=1))
    words = (token for token in phrase.tokens if token.kind in ("word", "version", "noise", "number", "range"))
    return phrase.names_values and all(_LEADS.fullmatch(token.text) for token in words)


def _tests_in(text: str) -> Sequence[str]:
    """ "4k random reads: 570 MB/s, sequential writes: 280 MB/s": the parts, where each label names a direction."""
    parts = _TEST_AFTER_COMMA.split(_TOOL_FIRST.sub("", text))
    labels = [_label_of(part)[0] for part in parts] if len(parts) > 1 else []
    return parts if labels and all(label is not None and len(label.ways) == 1 for label in labels) else ()


def _labelled_sentences(text: str, commas: bool, quantity: Quantity | None) -> tuple[Said, ...]:
    """ "Random reads (4k, QD16): 314k IOPS. Random writes: 318k IOPS.": what the first is made with, and the others do
    not tell, holds for them, too; () where there is one label."""
    parts = SENTENCE.split(text)
    labels = [_label_of(part)[0] for part in parts] if len(parts) > 1 else []
    if sum(1 for label in labels if label and label.ways) < 2:
        return ()
    found: list[Said] = []
    for part, sentence in enumerate(parts):
        before = found[-1].load if found else Load()
        _, own = said_in(sentence, commas, quantity, before)
        for said in own:
            goes_on = said.load.sizes == Load() and said.load.random == before.random
            load = said.load.over(before.sizes) if goes_on else said.load
            found.append(replace(said, load=load, part=part))
    return tuple(found)


def _labelled(parts: Sequence[str], commas: bool) -> tuple[Said, ...] | None:
    """What parts with a label each tell; None where there is one part, or one has no label."""
    if len(parts) < 2 or any(_label_of(part)[0] is None for part in parts):
        return None
    found = _with_the_first_sizes([each for part in parts for each in said_in(part, commas, None, Load())[1]])
    if any(each.load.way == "write" and each.load.random is None for each in found):
        found = [replace(each, load=with_rados_read(each.load)) for each in found]  # as rados bench names reads
    return tuple(found)


def _with_the_first_sizes(said: Sequence[Said]) -> list[Said]:
    """ "4k QD1 read: 5.1k IOPS, write: 2.1k IOPS": the other direction alone is told of the same test."""
    found = list(said[:1])
    for each in said[1:]:
        before = found[-1].load
        own = each.load._replace(random=None if each.load.random == before.random else each.load.random)
        is_other = own == Load(way=own.way) and {each.load.way, before.way} == {"read", "write"}
        is_alike = is_other and each.value.kind == found[-1].value.kind
        found.append(replace(each, load=each.load.over(before)) if is_alike else each)
    return found


def _parted(
    line: str, commas: bool, quantity: Quantity | None, before: Load, led: bool
) -> tuple[str, tuple[Said, ...]] | None:
    """What said_in gives of a line with a part that is of no drive's reads and writes; None of others."""
    if flushes := _OF_FLUSHES.search(line):
        label, told = said_in(_OF_FLUSHES.sub("", line), commas, quantity, before, led)
        return label, (*told, *_of_flushes(flushes["told"], told, commas))
    of_network, rest = beside_storage(line)
    if of_network:
        return "", (*_told_by_tools(of_network, commas), *said_in(rest, commas, quantity, before, led)[1])
    return None


def _of_flushes(text: str, told: Sequence[Said], commas: bool) -> Iterator[Said]:
    """What the calls of fsync took, of the one run of writes of which a line tells the rate."""
    writes = [said for said in told if said.value.kind != LATENCY and said.load.way == "write"]
    clauses = [phrase_of(part) for part, _ in joined_clauses(text)] if len({said.load for said in writes}) == 1 else []
    for value in (value for clause in clauses for value in valued(clause, phrase_of(text), commas)):
        if value.kind == LATENCY:
            yield replace(writes[0], value=value._replace(statistic=f"{OF_SYNCS}{value.statistic}"))


def _is_time_of_block(said: Said) -> bool:
    """ "19.4 msec/4k (outer tracks)": what a heading names the direction of, in however long an item."""
    return said.value.kind == LATENCY and said.load.block_bytes is not None


def _name_of_item(line: str) -> str:
    """ "- **xfs**: 2.1 GB/s write": what the rates are of, where it is a name and tells of no load."""
    match = _NAME_OF_ITEM.match(line)
    phrase = heading_of(match["name"]) if match else None
    is_name = phrase is not None and not (phrase.names_values or phrase.quantities or phrase.statistics)
    return match["name"].strip() if match and phrase and is_name and phrase.load == Load() else ""


def _with_extreme(found: list[Said], before: Sequence[Said], match: re.Match[str] | None, statistic: str) -> list[Said]:
    """ "It averaged 486 MB/s; single seconds dipped to 455 MB/s", "peaks of 531 MB/s": beside a mean."""
    extreme = number(match["amount"]) if match else None
    for at, said in enumerate(found):
        is_named = extreme is not None and math.isclose(said.value.value, extreme * said.value.factor)
        if is_named and any(other.name == said.name for other in (*before, *found[:at], *found[at + 1 :])):
            return [*found[:at], replace(said, value=said.value._replace(statistic=statistic)), *found[at + 1 :]]
    return found


_ITS = re.compile(
    r"\W*(?:its|their|ihre?|seine?|son|sa|leur|sus?|seus?|suas?|suo|jej|jego|его|её|其|它的)\b", re.IGNORECASE
)
_CURRENT = re.compile(r";\s*Current \d[^;]*$")
"""Beside an average, what it was in the last second (`warp` as it runs)."""


def _prepared(line: str, commas: bool) -> str:
    """A line in plain words, without numbers of something else, and with the directions of copies."""
    text = _BLOCK_BY_COMMA.sub(" ", plain(_CURRENT.sub("", line), commas))
    between_semicolons = _SEMICOLON.split(text)
    if len(between_semicolons) < 2 or not any(_said_of_network(part, commas) for part in between_semicolons):
        text = without_others(text)
    return with_copies_told(with_both_ways(text))


def _told_by_tools(text: str, commas: bool, goes_on: bool = False) -> tuple[Said, ...]:
    return tuple(
        Said(Load(way=way, jobs=streams), value) for way, value, streams in said_of_network(text, commas, goes_on)
    )


def _said_of_network(part: str, commas: bool) -> tuple[Said, ...]:
    """What a part of a line says of a network."""
    said = _told_by_tools(part, commas)
    return said or tuple(Said(Load(way=RECEIVED), value) for value in told_of_network(part, commas))


def _as_of_network(said: Said) -> Said:
    """ "network 88 MB/s; latency 9 ms": what is said behind it."""
    return replace(said, load=Load(way=WAYS.get(said.value.kind)))


def _tells_of_a_drive(text: str, commas: bool) -> bool:
    """One of the parts between semicolons, which name another thing each."""
    parts = _SEMICOLON.split(text)
    return len(parts) > 1 and any(
        (phrase := phrase_of(part)).ways and valued(phrase, None, commas) and not _said_of_network(part, commas)
        for part in parts
    )


def _given_by_command(line: str, commas: bool) -> Sequence[Said]:
    """ "fio --rw=randwrite --bs=4k gives 7,400 IOPS": behind the command what it gave."""
    gives = GIVES.search(line)
    if gives is None:
        return ()
    if _OF_NETWORKS.search(line, 0, gives.start()):
        return _told_by_tools(f"iperf {line[gives.end() :]}", commas)
    load = command_load(line[: gives.start()]) or heading_of(line[: gives.start()]).load
    return _spoken(plain(line[gives.end() :], commas), commas, load)


def _label_of(text: str) -> tuple[Phrase | None, str]:
    """What stands before the first colon that parts words of a load or a metric from numbers, and what behind it.

    An equals sign parts them only behind a metric: "IOPS=1200", but "iodepth=1".
    """
    for match in _COLON.finditer(text[:LONGEST_HEADING]):
        if text.count("(", 0, match.start()) > text.count(")", 0, match.start()):
            continue  # "Reading over NFS (server: FreeBSD) I get ..."
        if any(match.start() < each.end() and each.start() < match.end() for each in _SHARES.finditer(text)):
            continue
        label = heading_of(text[: match.start()])
        if label.names_values or _COUNTED.search(text, 0, match.start()):
            break
        is_metric = any(token.kind.startswith("metric") for token in label.tokens[-2:])
        is_test = label.load.way is not None and not label.words and _RATE_BEHIND.match(text, match.end()) is not None
        if _is_label(label) and (match[0].strip() != "=" or is_metric or is_test):
            return label, text[match.end() :]
    return None, ""


_COUNTED = re.compile(
    r"(?<![\w.,])\d[\d.,]{0,9}[kKM]? (?:(?:rand(?:om)? |seq(?:uential)? )?(?:reads?|writes?|r|w) )iops", re.IGNORECASE
)
""" "with a cache: 11k write iops, without: 1.2k"."""
_RATE_BEHIND = re.compile(
    rf"(?:approx\.? |about |ca\.? ?)?[~≈]?{AMOUNT} ?[kM]? ?(?:{RATE}|{words.IOPS})", re.IGNORECASE
)
""" "random_read_4k=38K IOPS"."""


def _is_label(label: Phrase) -> bool:
    """Words of a load, a metric or a name; a sentence that happens to hold a colon is none."""
    return len(label.words.split()) <= _MOST_LABEL_WORDS and bool(
        label.load != Load() or label.quantities or label.statistics
    )


def _structured(label: Phrase, rest: str, commas: bool, quantity: Quantity | None, before: Load) -> list[Said]:
    """ "Random read 4k: 45.2k IOPS, 185 MB/s", "IOPS: 45.2k", "Latency: 1.2 ms read, 3.4 ms write"."""
    told: list[Said] = []
    for sentence in SENTENCE.split(rest):
        found: list[Said] = []
        for text, _ in joined_clauses(sentence):
            clause = phrase_of(text)
            values = valued(clause, label, commas, quantity) or _in_the_same_unit(clause, Load(), found, commas)
            if not values:
                if not (clause.names_values or clause.ways or clause.words):  # "2,100 MB/s @ QD8"
                    found = [replace(said, load=said.load.over(clause.load.sizes)) for said in found]
                continue
            if {clause.load.way, label.load.way} == {"read", "write"}:
                label = phrase_of(clause.load.way or "")  # "Reads: 131 MB/s in writing against 842 MB/s on ext4"
            load = _own_load(clause.load, label.load).over(before.sizes)
            for value in shared(values, clause.ways if len(clause.ways) > 1 else label.ways, clause):
                found.append(Said(Load(way=value.way).over(load) if value.way else load, value))
        told += found
    return _each_of_its_size(told, label.tokens)


def _each_of_its_size(found: list[Said], before: Sequence[Token]) -> list[Said]:
    """ "From 64k to 256k it rises from 1190 to 1377 MiB/s": as many values as sizes before them have one each, in their
    order; of how many others are nobody can tell."""
    sizes = list(dict.fromkeys(size for token in before if (size := load_of(token).block_bytes)))
    shared = [said for said in found if said.load.block_bytes in sizes]
    if len(sizes) < 2 or len(shared) < len(found) or len({said.load.block_bytes for said in shared}) > 1:
        return found
    is_of_one = len({(said.name, said.load.way) for said in shared}) == 1
    told: Sequence[int | None] = sizes if is_of_one and len(shared) == len(sizes) else [None] * len(shared)
    return [replace(s, load=s.load._replace(block_bytes=size)) for s, size in zip(shared, told, strict=True)]


def _own_load(load: Load, label: Load) -> Load:
    """What a clause does not say, the label says; a clause with a direction and a size of its own is another run."""
    is_other = (
        load.way is not None and label.way is not None and (load.way != label.way or load.block_bytes is not None)
    )
    if is_other and load.random == label.random and load.block_bytes is None:
        return load.over(label.sizes)
    return load if is_other and (load.random is not None or load.block_bytes is not None) else load.over(label)


def _spoken(text: str, commas: bool, before: Load) -> list[Said]:
    """Clauses that name direction and number both: "about 500 MB/s read and 80 MB/s write".

    What a clause without a number names is meant for the next number; what is said once holds for all that follows and
    does not speak of something else. before: what the sentence before this one spoke of.
    """
    text = BRACKETS.sub(_set_apart, _with_load_in_front(_with_tests_behind(text)))
    whole = phrase_of(text)
    if not whole.ways and (way := way_of_topic(text)):
        before = Load(way=way).over(before)
    if (ordered := _in_order(whole, commas)) is not None:
        return ordered
    found: list[Said] = []
    kinds, of_times, takes = _kinds_of(whole, commas)
    pattern = _said_once(whole, kinds)
    current, pending, behind, given, newest = before, Load(), Load(), Load(), 0
    carried: list[bool] = []  # whether a value has the direction of one before it
    for part, goes_on in joined_clauses(text):
        clause = phrase_of(part)
        own = valued(clause, of_times, commas, takes, bits=bool(whole.ways) and _counts_bits(whole))
        values = own or _as_the_others(clause, kinds, commas) or _in_the_same_unit(clause, pending, found, commas)
        if not values and goes_on and newest and clause.load.way is None:
            found = _with_more_said(found, newest, clause, given)
            current, behind = found[-1].load, clause.load
            continue
        said = clause.load._replace(block_bytes=None) if values and _COUNT_FIRST.match(part) else clause.load
        load = said if opposed(said, pending) else said.over(pending)
        behind = Load()
        if not values:
            is_count = any(map(_is_bare_count, clause.tokens))  # "at QD64 it came to 38k"
            is_range = any(map(is_range_of_rates, clause.tokens))  # what stands beside it is its own
            newest, pending = 0, Load() if is_count or is_range else load
            continue
        if load.jobs and _OF_RADOS.search(text):
            load = load._replace(depth=load.jobs, jobs=None)  # its threads are operations in flight
        is_carried = load.way is None and len(clause.ways) < 2
        if is_carried and found and clause.load.depth and _ITS.match(part):
            continue  # "its 1M write is 131 MB/s and its QD32 p99 is 64 ms": of what, it does not say
        if is_carried:
            way = current.way or (whole.ways[0] if len(whole.ways) == 1 else None)
            load = load.over(Load(current.random, way))
        given = load.sizes
        if as_before(text) or load.random in (current.random, None) or current.random is None:
            load = load.over(current.sizes)
        if not own and not is_carried:
            load = load.over(Load(current.random))  # "45k IOPS for random reads and 12k for writes"
        load, pending = load.over(pattern), Load()
        is_pair = not clause.ways and len(values) == 2 and SLASH.search(clause.text) is not None
        told = shared(values, whole.ways if is_pair else clause.ways, clause)
        found += [Said(load._replace(way=value.way or load.way), value) for value in told]
        carried += [is_carried] * len(told)
        current, newest = load, len(told)
    found = _in_the_same_order(found, carried)
    behind = pending.over(behind) if len(whole.ways) == 1 else pending.over(behind).sizes
    return _with_rest(found, whole, behind, text)


def _counted(whole: Phrase, commas: bool) -> list[Value]:
    """The numbers of which a sentence tells what they count; a short time beside a rate is a latency."""
    values = valued(whole, None, commas)
    if "|" in whole.text:  # "| 4K | 32 | Random read IOPS |" counts nothing
        bare = {token.start for token in whole.tokens if token.kind in ("number", "size", "scaled")}
        values = [value for value in values if value.start not in bare]
    kinds, starts = {value.kind for value in values}, {value.start for value in values}
    counts = {token.start for token in whole.tokens if kinds <= {IOPS, LATENCY} and _is_bare_count(token)}
    rest = [value for value in whole.values(commas) if value.start not in starts]
    values += [value._replace(kind=IOPS) for value in rest if IOPS in kinds and value.start in counts]
    tells_times = kinds or any(token.kind == "metric_latency" for token in whole.tokens)
    times = (value for value in rest if tells_times and value.kind == LATENCY and value.factor <= 1e-3)
    return values + [value for value in times if not _HOW_LONG.search(whole.text[: value.start])]


_HOW_LONG = re.compile(
    r"(?:runt\w*|run ?time|elapsed|duration|took|after|for|every|within|dauer|durée)\W{0,3}$", re.IGNORECASE
)
"""Before a time that a test ran."""


def _in_turn(text: str, commas: bool, before: Load) -> list[Said] | None:
    """What a row of tests and values tells, with what was spoken of before it; None of other sentences."""
    whole = phrase_of(text)
    if not whole.names_values or any(each.search(text) for each in (_SWEPT, _PEAKS, _DIPS, _OF_OTHER_BLOCKS)):
        return None
    row = told_in_turn(whole, _counted(whole, commas))
    goes_on = as_before(text)
    if row is None or (goes_on and row[-1][1]):
        return None
    found = []
    for load, order, value in row:
        if _OF_RADOS.search(text):
            load = load._replace(depth=load.jobs or whole.load.depth, jobs=None)  # threads are operations in flight
        if goes_on or load.way is None:
            load = load.over(before)
        elif load.random in (before.random, None) or before.random is None:
            load = load.over(before.sizes)
        found.append(Said(load, value, order=order))
    return found


def _runs_behind(label: Phrase, text: str, commas: bool) -> tuple[Said, ...]:
    """ "4k random writes at QD64: 250k IOPS on the NVMe, 830 IOPS on CephFS": several runs behind a label, with a rate
    each; or one with a latency or more."""
    row = _in_turn(text, commas, Load()) or ()
    rated = {said.order for said in row if said.value.kind != LATENCY}
    tells_times = any(said.value.kind == LATENCY for said in row)
    are_runs = rated == {said.order for said in row} and (len(rated) > 1 or tells_times)
    is_whole = all(said.load.block_bytes or not label.load.block_bytes for said in row)
    return tuple(row) if are_runs and is_whole else ()


def _kinds_of(whole: Phrase, commas: bool) -> tuple[set[str], Phrase | None, Quantity | None]:
    """(The kinds of its rates, itself where it has times alone, what those are where it tells of what they are: "a 4k
    write takes 3.9 ms")."""
    kinds = {value.kind for value in valued(whole, None, commas)} - {LATENCY}
    of_times = whole if not kinds and {value.kind for value in whole.values(commas)} - {""} == {LATENCY} else None
    tells = whole.load.way is not None and (whole.load.block_bytes or whole.load.depth)
    return kinds, of_times, Quantity(LATENCY) if of_times and tells else None


def _with_rest(found: list[Said], whole: Phrase, behind: Load, text: str) -> list[Said]:
    """With what a sentence says before and behind its values. behind: what no value followed."""
    first = min((token.start for token in whole.tokens if token.kind in ("rate", "iops")), default=0)
    found = _each_of_its_size(found, [token for token in whole.tokens if token.end <= first])
    found = [said if opposed(said.load, behind) else replace(said, load=said.load.over(behind)) for said in found]
    if _OF_OTHER_BLOCKS.search(text):
        found = [replace(said, load=said.load._replace(block_bytes=None)) for said in found]
    return list(_swept(found)) if _SWEPT.search(text) else found


_OF_OTHER_BLOCKS = re.compile(
    r"\b(?:bs|block ?size|blocks?|i/?os?)\b[^.;]{0,24}?(?:[<>≤≥]=? ?\d{1,4} ?[kKmM](?![\w/])|\b\d{1,4} ?[kKmM]\+)"
)
""" "while with bs<32k it fell to 300 MB/s": which value is of which block, nobody can tell."""


def _in_the_same_order(found: Sequence[Said], carried: Sequence[bool]) -> list[Said]:
    """ "2.1 GB/s read and 1.2 GB/s write, against 540 MB/s and 480 MB/s": the second two are read and write, too."""
    ways = [said.load.way for said in found[:2]]
    is_so = len(found) == 4 and list(carried) == [False, False, True, True] and set(ways) == {"read", "write"}
    if not is_so or len({said.value.kind for said in found}) > 1:
        return list(found)
    again = [replace(said, load=said.load._replace(way=way)) for said, way in zip(found[2:], ways, strict=True)]
    return [*found[:2], *again]


def _in_the_order_before(found: Sequence[Said], before: Sequence[Said], sentence: str) -> Sequence[Said]:
    """ "2.1 GB/s read and 1.2 GB/s write; the other one 540 MB/s and 480 MB/s": so, too, in the next sentence."""
    kinds = {said.value.kind for said in (*found, *before)}
    ways = [said.load.way for said in before]
    if len(found) != 2 or set(ways) != {"read", "write"} or len(ways) != 2 or len(kinds) > 1:
        return found
    if phrase_of(sentence).ways:
        return found
    return [replace(said, load=said.load._replace(way=way)) for said, way in zip(found, ways, strict=True)]


def _counts_bits(whole: Phrase) -> bool:
    """Whether all rates of a sentence are in bits; in a row of a table it is as often the network's."""
    return "|" not in whole.text and all(value.is_in_bits for value in whole.values(False) if value.kind == BANDWIDTH)


def _is_bare_count(token: Token) -> bool:
    """ "38k", and no block."""
    return token.kind in ("scaled", "size") and heading_of(token.text).load.block_bytes is None


def _swept(found: Sequence[Said]) -> Iterator[Said]:
    """Each depth for the first value of its kind alone."""
    seen: set[tuple[str, int | None]] = set()
    for said in found:
        key = said.value.kind, said.load.depth
        yield replace(said, load=said.load._replace(depth=None), swept=True) if key in seen else said
        seen.add(key)


def _as_the_others(clause: Phrase, kinds: set[str], commas: bool) -> list[Value]:
    """ "310k IOPS read, 150k write": of a sentence of IOPS alone."""
    scaled = list(filter(_is_bare_count, clause.tokens)) or list(
        clause.tokens[: _COUNT_FIRST.match(clause.text) is not None]
    )
    is_one_more = len(clause.ways) == 1 or (not clause.ways and _COUNT_FIRST.match(clause.text) is not None)
    if kinds != {IOPS} or len(scaled) != 1 or not is_one_more:
        return []
    return [value._replace(kind=IOPS) for value in clause.values(commas) if value.start == scaled[0].start]


def _in_the_same_unit(clause: Phrase, pending: Load, found: Sequence[Said], commas: bool) -> list[Value]:
    """ "40 MB/s on writes and 110 on reads": the other direction, a bare number, and nothing else."""
    last = found[-1] if found else None
    if now := _is_now(clause, last, commas):
        return now
    if last is None or last.value.kind != BANDWIDTH or len(clause.ways) > 1:
        return []
    values = clause.values(commas)
    if {last.load.way, clause.load.way or pending.way} != {"read", "write"} or len(values) != 1:
        return []
    if values[0].kind or values[0].factor != 1.0:
        return []
    value = values[0]._replace(value=values[0].value * last.value.factor, kind=BANDWIDTH, factor=last.value.factor)
    is_near = 1 / _LARGEST_RATIO < value.value / (last.value.value or 1.0) < _LARGEST_RATIO
    return [value] if is_near and all(map(_leads, clause.tokens)) else []


def _is_now(clause: Phrase, last: Said | None, commas: bool) -> list[Value]:
    """ "It used to be 500 MB/s, now 90": what is told of the same, and of nothing else."""
    values = clause.values(commas) if _NOW.fullmatch(clause.text.strip()) else ()
    if last is None or len(values) != 1 or values[0].kind or clause.load != Load():
        return []
    factor = 1.0 if last.value.kind == IOPS else last.value.factor
    if last.value.kind == IOPS and values[0].factor != last.value.factor:
        return []  # "5.2k IOPS, now 900"
    return [last.value._replace(value=values[0].value * factor, statistic="")]


def _leads(token: Token) -> bool:
    """Whether it may stand beside a direction and its number."""
    return token.kind in _OF_DIRECTION or _LEADS.fullmatch(token.text) is not None


def _with_load_in_front(text: str) -> str:
    """ "before 310 IOPS, now 1870 IOPS (4k random write, QD1)": what brackets at the end name is said of all."""
    last = next(iter(_LAST_BRACKETS.finditer(text)), None)
    if last is None or phrase_of(last[1]).load.way is None or phrase_of(last[1]).names_values:
        return text
    rest = text[: last.start()]
    return text if phrase_of(rest).load != Load() else f"{last[1]}, {rest}"


def _with_tests_behind(text: str) -> str:
    """ "6.0 GB/s (sequential reads) and 773 MB/s (random 4k writes)", "773 MB/s random write / 6 GB/s sequential read":
    each value with its own test."""
    tests = [phrase_of(match["test"]) for match in _TEST_BEHIND.finditer(text)]
    if len(tests) > 1 and all(len(test.ways) == 1 and not test.names_values for test in tests):
        text = _TEST_BEHIND.sub(r"\g<value> for \g<test>", text)
    parts = text.split(" / ")
    phrases = list(map(phrase_of, parts)) if len(parts) > 1 else []
    are_whole = phrases and all(len(each.ways) == 1 and each.names_values for each in phrases)
    return ", ".join(parts) if are_whole and all(map(str.isalpha, (part.rstrip(" .")[-1:] for part in parts))) else text


def _set_apart(brackets: re.Match[str]) -> str:
    """ "(4K, QD 64)" as a clause of its own that goes on where the one before stopped."""
    phrase = phrase_of(brackets[1])
    if len(phrase.ways) == 1 and phrase.values(False) and phrase_of(brackets.string[: brackets.start()]).names_values:
        return f", {brackets[1]}, "  # "writes at 210 MB/s (reading is still at 380)"
    if phrase.ways or phrase.names_values or phrase.load == Load():
        return brackets[0]
    return f" @ {re.sub('[,;、，]', ' ', brackets[1])}, "


def _with_more_said(found: Sequence[Said], newest: int, clause: Phrase, given: Load) -> list[Said]:
    """With what a clause behind the newest values says of them, and of those before of the last one's kind.

    given: the sizes that the values' own clause names; others were said of those before: "11k at QD32, 600 at QD1".
    """
    last = found[-1]
    said = clause.load
    ours = Load(
        block_bytes=None if given.block_bytes else said.block_bytes,
        depth=None if given.depth else said.depth,
        jobs=None if given.jobs else said.jobs,
    )
    fresh = [replace(each, load=ours.over(each.load)) for each in found[-newest:]]
    found = [*_with_sizes(found[:-newest], clause.load, last), *_with_sizes(fresh, clause.load)]
    if len(clause.statistics) == 1 and not clause.values(False):  # "11.2 ms at the 99th percentile", no "max 1.1 s"
        found[-1] = replace(found[-1], value=found[-1].value._replace(statistic=clause.statistics[0]))
    return found


def _with_sizes(found: Sequence[Said], load: Load, last: Said | None = None) -> list[Said]:
    """With what a clause behind them says; before the last one those alone that are of its kind and say nothing."""
    return [
        replace(said, load=said.load.over(load))
        if last is None or (said.value.kind == last.value.kind and not said.load.shares_a_size(load))
        else said
        for said in found
    ]


def _said_once(whole: Phrase, kinds: set[str]) -> Load:
    """Random or sequential, where a sentence names one of them and its rates are of one kind."""
    ways = ("read", "write") if len(whole.ways) > 1 else ()
    named = {
        random for token in whole.tokens if token.kind not in ways and (random := load_of(token).random) is not None
    }
    is_of_all = len(kinds) == 1 or "mixed" in {token.kind for token in whole.tokens}
    return Load(random=named.pop() if len(named) == 1 and is_of_all else None)


def _in_order(whole: Phrase, commas: bool) -> list[Said] | None:
    """ "Read and write were 1.9 GB/s and 0.7 GB/s": the directions first, then a value for each."""
    values = valued(whole, None, commas)
    named = [token for token in whole.tokens if token.kind in ("read", "write", "both")]
    places = [token.start for token in named]
    if len(named) == len(whole.ways) == len(values) == 2 and values[0].kind == values[1].kind:
        numbers = [token for token in whole.tokens if token.start in {value.start for value in values}]
        if numbers[-1].end <= places[0] and all(map(_joins(whole.text), (numbers, named))):
            places = [-1]  # "1.9 and 0.7 GB/s for reads and writes"
    is_alone = not any(map(is_range_of_rates, whole.tokens))
    if is_alone and len(both := of_both(values, whole)) > len(values):
        load = whole.load._replace(way=None)
        return [Said(load._replace(way=value.way), value) for value in both]
    if len(named) == 2 and named[0].end == named[1].start and not _IN_TURN.search(whole.text):
        return []  # "读写速度 20MB/s" is of both together
    if len(whole.ways) < 2 or len(values) < 2 or max(places) > min(value.start for value in values):
        return None
    if len(values) != len(whole.ways) or len({value.kind for value in values}) > 1:
        return []
    load = whole.load._replace(way=None)
    return [Said(load._replace(way=way), value) for way, value in zip(whole.ways, values, strict=True)]


def _joins(text: str) -> Callable[[Sequence[Token]], bool]:
    """Whether nothing but "and" stands between two tokens of a text."""
    return lambda pair: _AND.fullmatch(text[pair[0].end : pair[1].start]) is not None
