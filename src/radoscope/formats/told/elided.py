"""Numbers that leave out the unit of a rate before them: "210 MB/s on ext4 and 180 on xfs", "98k IOPS (was 45k)",
and "read 2100, write 1400 (MB/s)".

What is left out is of the same sentence, and of a like amount; what counts something else has its noun behind it.
"""

from __future__ import annotations

from collections.abc import Iterator

from radoscope import patterns as re
from radoscope.formats.context.supposed import SENTENCE
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.phrases import RATE, heading_of, phrase_of
from radoscope.formats.grammar.quantities import number
from radoscope.formats.told.notation import AND, MIX, NUMBER, UNIT, replaced

_AMOUNT = r"(?:\d{1,3}(?:,\d{3}){1,2}|\d{1,7}(?:[.,]\d{1,3})?)"
_RATED = re.compile(
    rf"(?<![\w.,/-])(?P<number>{_AMOUNT})(?P<scale>[kKM]?) ?(?P<unit>{RATE}|IOPS)(?![\w/])", re.IGNORECASE
)
_COUNT = re.compile(r"(?<![\w.,-])\d[\d.,]*(?![\w.-])")
_ABOUT = rf"(?:(?:{words.ABOUT}|{words.ONLY}|it's|it is|it was|is|was|at|to|auf|bei) |[~≈]){{0,3}}"
_JOINS = rf"(?:and|und|et|y|e|oraz|i|en|och|og|и|then|dann|or|{words.CONTRASTS}|vs\.?|versus)"
_BEFORE = (
    r"(?:was|were|from|before|previously|formerly|earlier|vorher|früher|zuvor|war|avant|antes|era|prima|było|было"
    rf"|раньше|{words.AGAINST})"
)
_WHERE = (
    r"(?:on|in|with|without|for|over|via|through|at|after|before|from|when|using|under|inside|auf|mit|ohne|bei|über"
    r"|nach|vor|im|sur|avec|sans|dans|après|en|con|sin|tras|su|senza|dopo|na|z|bez|po|w|на|в|с|без|после|op|met)"
)
_WHEN = r"(?:now|today|yesterday|before|earlier|natively|heute|gestern|jetzt)"
_ENDS = rf"(?=[)）]|[.;,:](?!\d)|\s*$| {_WHERE} [^\W\d]| {_WHEN}\b)"
_NAME = rf"(?:{_WHERE} )?(?:[^\d,;.()]{{2,40}}?|\d{{1,4}} [^\W\d]{{3,16}})"
_BARE = re.compile(
    rf"(?:[,;] (?=\S+ {_WHERE} )|[,;]? {_JOINS}(?P<between>(?: [^\W\d][^\s\d,;()]{{0,20}}){{0,4}}?) {_ABOUT}"
    rf"|[ (]{_BEFORE} {_ABOUT}|[,;] (?:{_JOINS} )?(?P<name>{_NAME}) {_ABOUT})"
    rf"(?P<number>{_AMOUNT})(?P<scale>[kK]?){_ENDS}",
    re.IGNORECASE,
)
_FROM_TO = re.compile(
    rf"(?<!\w)(?:from|von|de|da|z|с) (?P<first>{_AMOUNT}k?) "
    rf"(?:to|auf|à|a|na|do|до) (?P<number>{_AMOUNT})(?P<scale>k?){_ENDS}",
    re.IGNORECASE,
)
""" "reads went from 300 to 900 MB/s, writes from 120 to 480"."""
_NUMBERED = re.compile(
    r"(?:osds?|nodes?|hosts?|vms?|ceph|kernel|linux|version|pve|proxmox|debian|ubuntu|depth|qd|iodepth|numjobs|replicas?"
    r"|size|port|raid|year|since|of|step|run|test|case|page|line|release|latency|from|to|than|by|no|nr|#)$",
    re.IGNORECASE,
)
""" "on node 3", "kernel 6.2", "of 5": no rate."""
_BLOCKS = {4, 8, 16, 32, 64, 128, 256, 512}
_YEARS = range(1990, 2050)
_ALIKE = 25.0
_LONGEST = 400
_UNIT_OF_ALL = re.compile(
    r"\(\s*(?:(?:all|alle[sn]?|tous|toutes|todos?|tutti|both) )?(?:in |en )?"
    rf"(?P<unit>{RATE}|IOPS)(?:[,;] ?(?P<how>[^()]+))?\)\W*$",
    re.IGNORECASE,
)
""" "seq read 530, seq write 490 (MB/s)", "21k read / 9k write (IOPS, 4k, QD32)"."""
_UNIT_IN_FRONT = re.compile(
    rf"(?P<label>[^\d():：]{{2,40}}) [(\[](?:in )?(?P<unit>{RATE}|IOPS)[)\]][:：] (?=\D)", re.IGNORECASE
)
""" "Results (MB/s): seq read 530, 4k write 88"."""
_VALUE_BEFORE_WAY = re.compile(
    rf"(?<![\w.,=-]){NUMBER}(?= (?:(?:rand(?:om)?|seq(?:uential)?)[- ]?)?(?:reads?|writes?)(?![\w/]))", re.IGNORECASE
)
_WAYS_IN_LISTS = {"r": "read", "w": "write", "seq": "", "rand": ""}
"""Of rados bench the last two, which keep their names."""
_NAMED_VALUE = re.compile(
    rf"(?P<name>(?:(?<![\w.,])\d{{1,4}} ?[km](?:i?b)? )?(?<![a-z\d])[a-z]{{1,12}}(?: [a-z]{{4,12}}){{0,2}})(?:[:=] ?| )"
    rf"(?P<value>{NUMBER}(?: ?/ ?{NUMBER})?)(?![\w%.])(?: ?(?P<unit>{UNIT})(?![a-z]))?",
    re.IGNORECASE,
)
""" "4k randread 35k" in "4k randread 35k, randwrite 12k IOPS"."""
_BETWEEN_NAMED = re.compile(rf"[,;/]? |{AND}| / ", re.IGNORECASE)


def with_units_left_out(text: str) -> str:
    """The text with the unit behind each number that leaves out that of the one rate before it."""
    if len(text) > _LONGEST or not _RATED.search(text):
        return text
    parts = SENTENCE.split(text)
    told = [_of_sentence(part) for part in parts]
    return text if told == parts else " ".join(told)


def _of_sentence(text: str) -> str:
    rated = list(_RATED.finditer(text))
    if len({match["unit"].lower() for match in rated}) != 1:
        return text
    place = rated[0].end()
    if (rise := _FROM_TO.search(text, place)) and _is_alike(rated[-1], rise):
        unit = f" {rated[-1]['unit']}"
        text = text[: rise.end("first")] + unit + text[rise.end("first") : rise.end()] + unit + text[rise.end() :]
    while bare := _BARE.search(text, place):
        place = bare.end()
        *_, before = _RATED.finditer(text, 0, bare.start("number"))
        if _is_rate(text, before, bare):
            unit = f" {before['unit']}"
            text = text[:place] + unit + text[place:]
            place += len(unit)
    return text


def _is_rate(text: str, before: re.Match[str], bare: re.Match[str]) -> bool:
    is_alike = _is_alike(before, bare)
    is_size = bare["scale"] and (number(bare["number"]) in _BLOCKS or before["unit"].lower() != "iops")
    is_year = not bare["scale"] and _amount_of(bare) in _YEARS
    is_counted = _COUNT.search(text[before.end() : bare.start()]) or _NUMBERED.search((bare["between"] or "").rstrip())
    is_named = bare["name"] is None or _is_named_alike(text[: bare.start()], bare["name"])
    return is_alike and is_named and not (is_size or is_year or is_counted)


def _is_alike(before: re.Match[str], bare: re.Match[str]) -> bool:
    known, amount = _amount_of(before), _amount_of(bare)
    return bool(known and amount) and 1 / _ALIKE < known / amount < _ALIKE


def _amount_of(match: re.Match[str]) -> float:
    return (number(match["number"]) or 0.0) * (1e3 if match["scale"] in ("k", "K") else 1.0)


def _is_named_alike(before: str, name: str) -> bool:
    """ "The HDD pool does 220 MB/s, the SSD pool 540"; or a test."""
    last = name.split()[-1]
    is_of_kind = last.lower() in ("one", "ones") or re.search(rf"(?<!\w){re.escape(last)}(?!\w)", before)
    return not _NUMBERED.search(name) and bool(is_of_kind or heading_of(name).ways)


def with_unit_of_all(text: str) -> str:
    """ "21k read / 9k write (IOPS, QD32)" as "21k IOPS read / 9k IOPS write (QD32)"."""
    if front := _UNIT_IN_FRONT.match(text):
        text = f"{front['label']}: {text[front.end() :].rstrip(' .')} ({front['unit']})"
    end = _UNIT_OF_ALL.search(text)
    if end is None or any(value.kind for value in phrase_of(text[: end.start()]).values(False)):
        return text
    told = text[: end.start()].rstrip()
    named = [each for each in _values_of_ways(told) if not each["unit"]] or [*_VALUE_BEFORE_WAY.finditer(told)]
    how = f" ({end['how']})" if end["how"] else ""
    return replaced(told, [((each.end(), each.end()), f" {end['unit']}") for each in named]) + how if named else text


def with_unit_of_last(text: str) -> str:
    """ "write 1180, seq 2210, rand 2340 MB/s" as "write 1180 MB/s, seq 2210 MB/s, rand 2340 MB/s"."""
    places: list[tuple[tuple[int, int], str]] = []
    run: list[re.Match[str]] = []
    for match in _values_of_ways(text):
        if run and not _BETWEEN_NAMED.fullmatch(text[run[-1].end() : match.start()]):
            run = []
        run.append(match)
        if match["unit"]:
            before = {each["unit"] for each in run[:-1]} - {match["unit"]}
            waiting = [each for each in run[:-1] if not each["unit"]] if before <= {None} else []
            places += [((each.end(), each.end()), f" {match['unit']}{_comma(text, each.end())}") for each in waiting]
            letters = [each.span("name") for each in (*waiting, match) if _WAYS_IN_LISTS.get(each["name"].lower())]
            places += [(span, _WAYS_IN_LISTS[text[slice(*span)].lower()]) for span in letters if waiting]
            run = [match]
    return replaced(text, places)


def _comma(text: str, end: int) -> str:
    """Where a blank alone parts a value from the next name."""
    return "," if text[end : end + 1] == " " and text[end + 1 : end + 2].isalnum() else ""


def _values_of_ways(text: str) -> Iterator[re.Match[str]]:
    place = 0
    while match := _NAMED_VALUE.search(text, place):
        name = match["name"]
        is_way = heading_of(name).ways or name.lower() in _WAYS_IN_LISTS or MIX.fullmatch(name)
        place = match.end() if is_way else match.end("name")
        if is_way:
            yield match
