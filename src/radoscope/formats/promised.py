"""What a product is said to reach: "bis 160 MB/s lesen", "SSD M.2 512 GB (3400 MB/s read)", "号称 9GB/s".

From where in its sentence numbers are promised. An observation with who makes it as its subject is none: "I copy with
up to 90 MB/s".
"""

from __future__ import annotations

import re
from functools import lru_cache

from radoscope.formats import vocabulary as words
from radoscope.formats.phrases import RATE

_AMOUNT = r"\s?[~≈]?\d[\d.,']*(?: \d{3})*\s?[kKM]?"
_NEXT = r"(?:\s(?:about|around|roughly|ca\.?|etwa|rund|environ|unos|circa|około|около))?"
_UP_TO = re.compile(rf"(?:{words.UP_TO}){_NEXT}(?={_AMOUNT}(?: [^\W\d]+){{0,2}}?\s?(?:/|{RATE}|{words.IOPS}))", re.IGNORECASE)
_BEHIND = re.compile(rf"\d[\d.,]*\s?{RATE}(?:{words.UP_TO_BEHIND})", re.IGNORECASE)
_HINTED = re.compile(
    r"upp? |bis|jusqu|hasta|até|fino|\bdo\b|až|до|\btot\b|\bopp?\b|lên|[達达]|kadar|まで|까지", re.IGNORECASE
)
"""A cheap look before a dear one."""
_SINCE = re.compile(
    rf"(?:\b(?:from|von|vom|od|z|ze|s|från|fra|van|de|da|dal|desde|du)|(?:с|со|от|від|з)) [~≈]?\d[^,;]{{0,40}}$"
    rf"|\d[\d.,]*\s?(?:{RATE})?\s?$",
    re.IGNORECASE,
)
"""Of two numbers the second: "from 310 up to 9800", "25 do 35"."""
_SLAVIC = re.compile(r"[ąćęłńśźżěščřžůýď]|zapis|odczyt|dysk|rychlost|cten", re.IGNORECASE)
""" "They do 200 MB/s" is another "do"."""
_CHANGED = re.compile(words.CHANGED, re.IGNORECASE)
_OBSERVED = re.compile(rf"(?:{words.OBSERVER})(?:\W+\w+){{0,7}}\W+$|{words.TESTED}", re.IGNORECASE)
_OWNED = re.compile(
    r"\b(?:have|bought|own|use|using|ordered|which|that|with an?|habe|hab|gekauft|der|die|das|ai|acheté|qui|tengo|compré"
    r"|que|ho|comprato|che|mam|kupiłem|który|mám|koupil|который|купил)\b",
    re.IGNORECASE,
)
_CAPACITY = re.compile(r"(?<![\w.,])\d{1,4}(?:[.,]\d)? ?(?:[GT]i?[Bb]|[GT]o|[ГТ][Бб])(?![\w/]| ?/ ?[sс])")
_DRIVE = re.compile(words.DRIVE, re.IGNORECASE)
_TELLS = re.compile(
    rf"{words.TESTED}|{words.OBSERVER}|\b\d+ ?[x×] ?\d|raid|mirror|\b[rw] ?=|\b(?:is|was|are|were|has|had|gets?|got|shows?|reach\w*|achiev\w*|does|did|gives?|gave)\b"
    r"|\b(?:ist|war|hat|hatte|erreicht\w*|schafft\w*|liest|schreibt|est|était|a atteint|atteint|es|era|alcanz\w*|logr\w+"
    r"|è|raggiung\w+|jest|był|osiąg\w+|je|byl|dosah\w+|dosáh\w+)\b|выда[её]т|показ\w+|достиг\w+|达到|出る|出た|出て",
    re.IGNORECASE,
)
_LONGEST_ITEM = 110
_RATED = re.compile(rf"\d\s?(?:{RATE})", re.IGNORECASE)
_KIND_OF = re.compile(
    rf"(?:{words.DRIVE})(?: \w+)? (?:with|mit|avec|con|com|z|s|с|із|met|med)(?: (?:about|around|etwa|rund))?"
    rf"(?={_AMOUNT}\s?(?:{RATE}) (?:(?:seq\w*|random) )?(?:{words.READ}|{words.WRITE}))"
    r"|\b(?:faster|slower|quicker) than(?=\s?\d)|\b(?:schneller|langsamer) als(?=\s?\d)|\bplus (?:rapides?|lents?) que(?=\s?\d)"
    r"|\bmás (?:rápid|lent)[oa]s? (?:que|de)(?=\s?\d)|\bpiù (?:veloc|lent)[ieoa] di(?=\s?\d)"
    r"|\b(?:szybsz|wolniejsz)\w+ niż(?=\s?\d)|быстрее(?: чем)?(?=\s?\d)|медленнее(?: чем)?(?=\s?\d)",
    re.IGNORECASE,
)
"""Which drives are meant: "a drive with 320 MB/s writes"."""


@lru_cache(maxsize=64)
def promised_from(sentence: str) -> tuple[int, ...]:
    """The places behind which numbers are promised, as long as nothing turns the sentence."""
    if _is_item(sentence):
        return (0,)
    found = [match.start() for match in _KIND_OF.finditer(sentence)]
    if _HINTED.search(sentence):
        found += [match.start() for match in _BEHIND.finditer(sentence)]
        found += [match.end() for match in _UP_TO.finditer(sentence) if _is_promise(match, sentence)]
    return tuple(found)


def _is_promise(upto: re.Match[str], sentence: str) -> bool:
    before = sentence[: upto.start()]
    if upto[0].strip().lower() == "do" and not _SLAVIC.search(sentence):
        return False
    if _SINCE.search(before[-60:]) or _CHANGED.search(before):
        return False
    observed = _OBSERVED.search(before)
    return observed is None or _OWNED.search(before, observed.start()) is not None


def _is_item(sentence: str) -> bool:
    """Name, capacity and speed of a drive, and nobody who tells anything: "SSD M.2 512 GB (3400 MB/s x 1100 MB/s)"."""
    if len(sentence) > _LONGEST_ITEM or not _CAPACITY.search(sentence) or not _RATED.search(sentence):
        return False
    return _DRIVE.search(sentence) is not None and not _TELLS.search(sentence)
