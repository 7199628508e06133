"""Numbers that their own sentence calls an outlier, says to be left out of the figures, or tells of runs to warm up.

They were measured, and their author does not count them: "Run 1 (23 IOPS) came right after the resync and is an
outlier." Who says "without outliers: 239 IOPS" counts this one.
"""

from __future__ import annotations

import re
from functools import lru_cache

from radoscope.formats.context.supposed import SENTENCE, VALUE
from radoscope.formats.grammar.alternatives import Alternatives

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
_LEFT_OUT = re.compile(rf"[)）\]\s]{{0,3}}(?:{_SAID})", re.IGNORECASE)
"""Right behind the number, so that nothing else is meant."""
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
_SIGNS = Alternatives(f"{_OUTLIER}|{_SAID}|{_STEADY}")


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

    def told(value: re.Match[str]) -> str:
        before, behind = sentence[: value.start()], sentence[value.end() : value.end() + _FARTHEST]
        is_left_out = _is_outlier(before[-_FARTHEST:], behind) or _LEFT_OUT.match(behind)
        return _ILLEGIBLE if is_left_out else value[0]

    return VALUE.sub(told, sentence)


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
