"""Numbers that their own sentence calls an outlier, says to be left out of the figures, tells of runs to warm up, or
has divided out of another.

They were measured, and their author does not count them: "Run 1 (23 IOPS) came right after the resync and is an
outlier." Who says "without outliers: 239 IOPS" counts this one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from radoscope import patterns as re
from radoscope.formats.context.supposed import SENTENCE, VALUE
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.alternatives import Alternatives
from radoscope.formats.grammar.phrases import phrase_of

_OUTLIER = (
    r"outlier(?!s)|ausreißer(?!n)|valeur aberrante|valor (?:atípico|discrepante)|valore anomalo"
    r"|wartość odstając\w|odlehl\w hodnot\w"
    r"|выброс(?:ом)?(?!\w)|(?:异常|離群|离群)[值点點]|外れ値(?!を|なし|以外)|이상치(?![를 ]? ?(?:제외|없))"
)
_IS_ONE = re.compile(_OUTLIER, re.IGNORECASE)
_WITH_ITS_NUMBER = (
    r"(?: ?(?:of|at|with|was|is|von|bei|mit|war|de|à|di|da|com|con|z|s|в|с|[为為是はが]) ?)?[\s(（:：=]{0,3}[~≈]?"
)
_ONE_IS = re.compile(rf"(?:{_OUTLIER})(?:[^,;.:：]{{0,40}}[:：] ?|{_WITH_ITS_NUMBER})$", re.IGNORECASE)
_HAS_ANOTHER = re.compile(rf"{_WITH_ITS_NUMBER}\d", re.IGNORECASE)
""" "239 IOPS against an outlier of 23 IOPS"."""
_OF_OTHERS = re.compile(
    r"\b(?:no|not|without|excluding|except|ohne|kein\w*|nach|sans|pas|sin|sem|senza|bez|nie|není)\b|без|кроме|[除去剔无無]",
    re.IGNORECASE,
)
"""In front of the word: it is said of figures that hold none."""
_SAID = (
    r"(?:was|were|is|are)(?: \w+)? (?:excluded|discarded|left out|omitted|ignored|not counted)\b"
    r"|(?:wurden?|ist|sind|habe?n?)(?: \w+){0,4}? (?:ausgeschlossen|verworfen|weggelassen"
    r"|nicht (?:ein|mit)?gerechnet|nicht gewertet)\b"
    r"|(?:a|ont|est|sont) (?:été )?(?:exclu|écart|ignor)\w+"
    r"|(?:se|fue|fueron|foi|foram|è|sono) (?:ha |stat[aoie] )?(?:exclu|esclus|descart|scart|omit|ignor)\w+"
    r"|(?:został\w*|jest|byl\w?|je) (?:odrzuc|wyklucz|pomini|vyřaz|vynech|vylouč)\w+"
    r"|(?:был\w? )?(?:исключ[её]н|отброшен|не (?:учтён|учтен|учитыва))\w*"
    r"|[,，、]?(?:已|被|予以|故|因此){0,2}(?:剔除|排除|舍弃|捨棄|不[计計]入)"
    r"|は?[^、。を]{0,20}(?:除外|除い|外し)|[은는] [^,.를을]{0,12}제외"
)
_WAY = rf"(?: ?(?:(?:in|en|for|on|beim?|w|v|на|при|的) ?)?(?:{words.READ}|{words.WRITE})(?:的[^\W\d]{{1,4}})?)?"
_LEFT_OUT = re.compile(rf"{_WAY}[)）\]\s]{{0,3}}(?:{_SAID})", re.IGNORECASE)
"""Right behind the number, so that nothing else is meant."""
_JOINED = re.compile(
    rf"{_WAY} ?(?:[,、，/+&和与與と와과]|and|und|et|y|e|i|a|и|oraz|och|en) ?(?:(?:{words.ABOUT}) ?)?[~≈]?",
    re.IGNORECASE,
)
"""Between two numbers of which the same is said."""
_OF = re.compile(
    rf"(?:(?<!\w)(?:of|with|from|von|mit|de|avec|con|com|di|da|z|ze|s|se|с|со|из) |d['’]|[:：(（]|^)\s?"
    rf"(?:(?:{words.ABOUT}) ?)?[~≈]?$",
    re.IGNORECASE,
)
"""In front of the first of them, so that it has no verb of its own."""
_LEAVES_OUT = re.compile(
    rf"(?<!\w)(?:{words.LEAVES_OUT})(?: [^\W\d]{{1,20}}){{1,5}}? (?:(?:of|with|de|com?n?|di|z|с) |d['’])"
    rf"(?:(?:{words.ABOUT}) )?[~≈]?$",
    re.IGNORECASE,
)
""" "We discarded the first result of 462k IOPS"."""
_FARTHEST, _NEAR, _ILLEGIBLE = 80, 20, "…"
_LAST_PART = re.compile(r"[,;，；、]|\s(?:and|und|et|y|e|i|a|и|oraz)\s")
_FEW_WORDS = re.compile(r"\W*(?:[^\W\d]+\W+){0,3}[^\W\d]{0,3}")
_STEADY = (
    r"(?:stable|stabil|estáve|estable|steady|steadil|стабильн|стабільн)\w{0,4}"
    r"|(?:稳定|穩定)(?:在|于|為|为)?|안정적\w{0,4}|安定して"
)
_FIRST_RUNS = re.compile(
    r"(?:first|initial|erste|premi[eè]r|primer|prim[eio]|pierwsz|první|перв|перш)\w{0,4} (?:[^\W\d]{1,8} ){0,2}?"
    r"(?:runs?|tests?|pass|tr[iy]|l[aä]uf|durchl|messung|essai|passage|mesure|prueb|pasad|teste|esecuz|misur|prove"
    r"|prób|pomiar|běh|měřen|запуск|прогон|проход|тест|замер)|(?:deux|trois|due|tre) premi\w+ (?:essai|passage|mesure)"
    r"|前(?:[两兩几幾二三]|\d)次|最初の.{0,3}回|처음 .{0,3}번",
    re.IGNORECASE,
)
_TO_STEADY = re.compile(rf"(?:{_STEADY})\W{{0,3}}\d|(?:{VALUE.pattern})\W{{0,3}}(?:{_STEADY})", re.IGNORECASE)
""" "The first two runs gave 38 MB/s, from the third on a steady 187 MB/s"."""
_OF_EACH = (
    r"(?:per|a|an|each|pro|je|par|por|na|на) (?:(?:single|einzelne\w?) )?"
    r"(?:osd|dis[kck]|drive|platte|node|host|server|vm|client|thread|job|stream|knoten|disco|nodo|disque|n[oœ]e?ud|dysk"
    r"|węze|диск|узел)\w{0,3}(?![^\W\d_])"
)
_EACH_HAS = re.compile(rf" ?(?:{_OF_EACH})", re.IGNORECASE)
_DIVIDED = re.compile(
    r"(?:[(（=≈→]|[-=]>|\b(?:that(?:['’]s| is)|which is|i\.e\.|so|or|about|roughly|also|d\. ?h\.|das (?:sind|ist)|soit"
    r"|c['’]est|es decir|cioè|czyli|tedy|то есть|т\. ?е\.))"
    r"(?: (?:only|just|about|roughly|nur|etwa|seulement))?[\s~≈]{0,3}$",
    re.IGNORECASE,
)
_COUNT = re.compile(r"(?<![\w.,])\d[\d.,]*\d[kM]?(?![\w.])")
""" "IOPS went to 2,900": what it counts stands before it."""
_MOST_PARTS, _ROUNDED = 200, 0.02
_SIGNS = Alternatives(f"{_OUTLIER}|{_SAID}|{_STEADY}|{words.LEAVES_OUT}|{_OF_EACH}")


@lru_cache(maxsize=1024)
def without_left_out(text: str) -> str:
    """The text, such numbers made illegible."""
    if not _SIGNS.search(text):
        return text
    return "".join(_masked(part) for part in re.split(f"({SENTENCE.pattern})", text) if part is not None)


def _masked(sentence: str) -> str:
    first = _FIRST_RUNS.search(sentence)
    steady = _TO_STEADY.search(sentence, first.end()) if first else None
    if first and steady:
        warming = VALUE.sub(_ILLEGIBLE, sentence[first.end() : steady.start()])
        return sentence[: first.end()] + warming + sentence[steady.start() :]

    values = list(VALUE.finditer(sentence))
    for value in _left_out(sentence, values):
        sentence = sentence[: value.start()] + _ILLEGIBLE + sentence[value.end() :]
    return sentence


def _left_out(sentence: str, values: Sequence[re.Match[str]]) -> Iterator[re.Match[str]]:
    """The last first: a number that is joined to one which is left out is left out with it."""
    last: re.Match[str] | None = None
    for value in reversed(values):
        before, behind = sentence[: value.start()][-_FARTHEST:], sentence[value.end() : value.end() + _FARTHEST]
        is_joined = last is not None and _OF.search(before) and _JOINED.fullmatch(sentence, value.end(), last.start())
        if (
            is_joined
            or _is_outlier(before, behind)
            or _LEFT_OUT.match(behind)
            or _is_discarded(sentence, value, values)
            or _is_share(sentence, value, values)
        ):
            last = value
            yield value
        else:
            last = None


def _is_discarded(sentence: str, value: re.Match[str], values: Sequence[re.Match[str]]) -> bool:
    """Its author says that he left it out, or one before it that is joined to it."""
    first = value
    for other in reversed([each for each in values if each.end() <= value.start()]):
        if not _JOINED.fullmatch(sentence, other.end(), first.start()):
            break
        first = other
    return _LEAVES_OUT.search(sentence[: first.start()][-_FARTHEST:]) is not None


def _is_share(sentence: str, value: re.Match[str], values: Sequence[re.Match[str]]) -> bool:
    """ "1296 MB/s, that's 108 MB/s per OSD": a whole number of it is told before."""
    if not (_EACH_HAS.match(sentence, value.end()) and _DIVIDED.search(sentence[: value.start()][-_FARTHEST:])):
        return False
    one = _amount(value[0])
    totals = [_amount(other[0]) for other in values if other.end() <= value.start()]
    totals += [_amount(match[0]) for match in _COUNT.finditer(sentence, 0, value.start())]
    return bool(one) and any(
        1 < (times := round(total / one)) <= _MOST_PARTS and abs(total / (times * one) - 1) < _ROUNDED
        for total in totals
    )


def _amount(value: str) -> float:
    """In operations or bytes per second; 0 of what is no number."""
    return next((each.value for each in phrase_of(value).values(False)), 0.0)


def _is_outlier(before: str, behind: str) -> bool:
    """The word stands right before a number, or behind it and what it may be said of else does not come in between."""
    if (named := _ONE_IS.search(before)) is not None:
        return not _OF_OTHERS.search(before[: named.start()][-_NEAR:])
    called = _IS_ONE.search(behind)
    if called is None or _HAS_ANOTHER.match(behind, called.end()):
        return False
    between = behind[: called.start()]
    *others, last = _LAST_PART.split(between)
    is_of_it = not others or _FEW_WORDS.fullmatch(last) is not None
    return is_of_it and not (VALUE.search(between) or _OF_OTHERS.search(between))
