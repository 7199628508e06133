"""What a product is said to reach: "bis 160 MB/s lesen", "SSD M.2 512 GB (3400 MB/s read)", "号称 9GB/s".

From where in its sentence numbers are promised. An observation with who makes it as its subject is none: "I copy with
up to 90 MB/s".
"""

from __future__ import annotations

from functools import lru_cache

from radoscope import patterns as re
from radoscope.formats.grammar import foretold
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.alternatives import Alternatives
from radoscope.formats.grammar.phrases import RATE

_AMOUNT = r"\s?[~≈]?\d[\d.,']*(?: \d{3})*\s?[kKM]?"
_NEXT = rf"(?:\s(?:{words.ABOUT}))?"
_UP_TO = re.compile(
    rf"(?:(?:{words.UP_TO}){_NEXT}|\bup to(?:\s[^\W\d]+){{1,3}}?)(?={_AMOUNT}(?: [^\W\d]+){{0,2}}?\s?(?:/|{RATE}"
    rf"|{words.IOPS}))",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    rf"\d[\d.,]*\s?{RATE}\s?(?:{words.UP_TO_BEHIND})(?!\s?.{{0,4}}(?:{words.CHANGED}|{words.COMES_OUT}))", re.IGNORECASE
)
_LISTED_MOST = re.compile(rf"最[大高]で?(?={_AMOUNT}\s?(?:/|{RATE}|{words.IOPS}))")
_AS_LISTED = re.compile(r"となって(?:い|お)|とのこと|とされ|[標标][稱称]|据称")
""" "最大3,500MB/sとなっています": so somebody reads it from a list."""
_HINTED = Alternatives(f"{words.UP_TO}|{words.UP_TO_BEHIND}")
"""A cheap look before a dear one."""
_SINCE = re.compile(
    rf"(?:\b(?:from|von|vom|od|z|ze|s|från|fra|van|de|da|dal|desde|du)|(?:с|со|от|від|з)) [~≈]?\d[^,;]{{0,40}}$"
    rf"|\d[\d.,]*(?<![.,])\s?(?:{RATE})?\s?$",
    re.IGNORECASE,
)
"""Of two numbers the second: "from 310 up to 9800", "25 do 35"."""
_SLAVIC = re.compile(r"[ąćęłńśźżěščřžůýď]|zapis|odczyt|dysk|rychlost|cten", re.IGNORECASE)
""" "They do 200 MB/s" is another "do"."""
_CHANGED = Alternatives(words.CHANGED)
_OBSERVED = Alternatives(rf"(?:{words.OBSERVER})(?:\W+\w+){{0,7}}\W+$|{words.TESTED}")
_OBSERVES = Alternatives(rf"{words.OBSERVER}|{words.TESTED}")
_BOUGHT = re.compile(words.BOUGHT, re.IGNORECASE)
_CAPACITY = re.compile(r"(?<![\w.,])\d{1,4}(?:[.,]\d)? ?(?:[GT]i?[Bb]|[GT]o|[ГТ][Бб])(?![\w/]| ?/ ?[sс])")
_DRIVE = re.compile(words.DRIVE, re.IGNORECASE)
_TELLS = Alternatives(
    rf"{words.TESTED}|{words.COPY}|(?<!\w)(?:{words.ONLY})(?!\w)|{words.OBSERVER}|\b\d+ ?[x×] ?\d|raid|mirror"
    rf"|\b[rw] ?=|\b(?:is|was|are|were|has|had|gets?|got"
    rf"|shows?|reach\w*|achiev\w*|does|did|gives?|gave)\b"
    r"|\b(?:ist|war|hat|hatte|erreicht\w*|schafft\w*|liest|schreibt|est|était|a atteint|atteint|es|era|alcanz\w*"
    r"|logr\w+"
    r"|è|raggiung\w+|jest|był|osiąg\w+|je|byl|dosah\w+|dosáh\w+)\b|выда[её]т|показ\w+|достиг\w+|达到|出る|出た|出て"
    rf"|\bresults?\b|{foretold.RESULTS_ELSEWHERE}"
)
_PROPERTY = Alternatives(words.PROPERTY)
_WITH_SPEEDS = re.compile(
    rf"^\W*(?:{words.WITH}|com|z|s|с|із|med|met|avec) (?:(?!\d)\S+ ){{0,4}}?(?:{words.BANDWIDTH}|{words.READ}"
    rf"|{words.WRITE})\S*"
    rf"(?: \S+)? (?:of|von|de|di|rzędu|o|до|в|på|van)(?={_AMOUNT}\s?(?:{RATE}))",
    re.IGNORECASE,
)
"""How an advertisement begins: "With reads of 7,300 MB/s and writes of 6,900 MB/s, the drive is ..."."""
_ENDS_IN_PRAISE = re.compile(
    r"(?:を(?:実現|誇|備え|発揮)|に対応し|に対応$|支持|拥有|具备|자랑|지원(?:하|합)|제공(?:하|합)|달(?:하는"
    r"|합니다))"
)
""" "読み込み速度3500MB/sを実現したSSDです": such verbs stand behind."""
_RECKONED = re.compile(
    rf"^\W*(?:at|bei|mit|à|a|con|przy|při|при|vid|med|bij|com|với|以|按)(?: (?:{words.ABOUT}))?{_AMOUNT}\s?(?:{RATE})"
    r".*(?<![\w.,])\d+ ?(?:min(?:ut\w*)?|h|hours?|days?|stunden|tagen?|heures?|jours?|horas?|días?|ore|godzin\w*"
    r"|hodin\w*|час\w*"
    r"|минут\w*|timmar|uur|saat|giờ|分钟|小时|分|時間)(?!\w)",
    re.IGNORECASE,
)
"""How long something takes at a rate."""
_WILL_TAKE = re.compile(
    rf"(?:{words.WILL_TAKE}).*(?<![\w.,])\d|\d ?(?:分|minut\w*|phút|hours?)[^,，]*(?:{words.WILL_TAKE})", re.IGNORECASE
)
_LONGEST_ITEM = 110
_COMMA = re.compile(r"[,;，；](?!\d)")
_RATED = re.compile(rf"\d\s?(?:{RATE})", re.IGNORECASE)
_WITH_RATE = re.compile(
    r" (?:with|mit|avec|con|com|z|s|с|із|met|med)(?: (?:about|around|etwa|rund))?"
    rf"(?={_AMOUNT}\s?(?:{RATE}) (?:(?:seq\w*|random) )?(?:{words.READ}|{words.WRITE}))",
    re.IGNORECASE,
)
_ENDS_IN_DRIVE = re.compile(rf"(?:{words.DRIVE})(?: \w+)?$", re.IGNORECASE)
_FARTHEST_DRIVE = 40
""" "A drive with 320 MB/s writes" tells which drive is meant."""
_WILL_TEST = Alternatives(
    r"\b(?:i|we)(?:['’]ll| will|(?:['’]m|['’]re| am| are) going to) (?:\w+ )?(?:test|measure|benchmark|see)\b"
    r"|\bwerden? (?:ich|wir) (?:\w+ ){0,4}(?:testen|messen)\b|\b(?:vais|allons|va) (?:\w+ )?(?:tester|mesurer)\b"
    r"|\b(?:voy|vamos) a (?:probar|medir)|\b(?:vou|vamos|irei) (?:testar|medir)\b|\b(?:prover|tester)(?:ò|emo)\b"
    r"|\b(?:будем|буду) (?:тест|измер|провер)\w+|\bprzetestuj\w+|\bzmierzę\b|将(?:会)?测试|これから(?:測|テスト)"
)
_FASTER = re.compile(rf"(?:{words.THAN})(?=\s?\d)(?!\s?\d+-[^\W\d])", re.IGNORECASE)
_NAMES_DRIVE = re.compile(
    r"ssd|hdd|nvme|driv|dis[kcq]|dysk|platte|karte|card|kaart|kort|stick|laufw|schij|clés|tarjet|pendrive|cart|sched"
    r"|chiav|memor"
    r"|sürücü|kart|диск|накоп|флеш|карт|[硬磁]|ドライブ|ディスク|カード|카드|드라이브|디스크|ổ|thẻ",
    re.IGNORECASE,
)
"""A cheap look before a dear one."""
_OF_KIND = Alternatives(
    rf"(?:^|\W)(?:{words.OF_KIND}) (?:(?:\S+ ){{0,2}}?)(?:{words.DRIVE}|{words.DRIVES})(?![^\W\d_])(?! (?:in|on|of"
    rf"|im) (?:my|our|this|the|mein))"
    rf"|(?:普通的?|一般的?(?:な)?|最近の|常[见見]的|일반적인 )[^,，。、]{{0,8}}?(?:{words.DRIVE}|SSD|HDD)"
    rf"|^\W*(?:(?:die"
    rf"|the) )?(?:(?:{words.TYPES_OF_DRIVES})[- ]){{0,2}}(?:{words.DRIVES})(?:[- ](?:{words.TYPES_OF_DRIVES})){{0,2}}"
    r"(?=\s+(?!in |on |of |du |de la |del |de mon |im |der |do )[^\W\d])"
    rf"|(?:{words.DRIVES})(?![^\W\d_]).*(?:{words.ON_AVERAGE})|(?:{words.ON_AVERAGE}).*(?:{words.DRIVES})(?![^\W\d_])"
    rf"|^\W*(?:an?|eine?|een|en|ett) (?:sata|nvme|pcie|usb)[\s-]?(?:\d\S*\s)?(?:ssd|hdd|drive|disk|platte"
    r"|stick)\b(?! (?:in|on|of|im) )|^\W*un[ea]? (?:ssd|hdd|disque|disco)(?: \w+)? (?:sata|nvme)\b"
)
"""How a sentence speaks of all drives of a kind."""
_OWNED = re.compile(
    rf"(?:(?:^|\W)(?:{words.OWNED})\W+(?:\S+ ){{0,3}}?|(?:我的|我们的|这[些块个]|うちの))"
    rf"(?:{words.DRIVE}|{words.DRIVES})",
    re.IGNORECASE,
)


@lru_cache(maxsize=64)
def promised_from(sentence: str) -> tuple[int, ...]:
    """The places behind which numbers are promised, as long as nothing turns the sentence."""
    is_said = (
        _WITH_SPEEDS.match(sentence)
        or _RECKONED.match(sentence)
        or _WILL_TAKE.search(sentence)
        or _ENDS_IN_PRAISE.search(sentence)
    )
    is_item = next((_is_item(part) for part in sentence.split(";") if _RATED.search(part)), False)
    if is_item or _is_to_be_tested(sentence) or _is_of_kind(sentence) or (is_said and not _OBSERVES.search(sentence)):
        return (0,)
    found = [match.start() for match in _FASTER.finditer(sentence)]
    found += [
        match.start()
        for match in _WITH_RATE.finditer(sentence)
        if _ENDS_IN_DRIVE.search(sentence[: match.start()][-_FARTHEST_DRIVE:])
    ]
    if "最" in sentence and _AS_LISTED.search(sentence):
        found += [match.end() for match in _LISTED_MOST.finditer(sentence)]
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
    return observed is None or _BOUGHT.search(before, observed.start()) is not None


def _is_to_be_tested(sentence: str) -> bool:
    """ "A new SSD of 480 GB with reads of 540 MB/s, but I have SATA 2, and I will test it.": nobody has yet."""
    will = _WILL_TEST.search(sentence)
    clauses = [part for part in _COMMA.split(sentence[: will.start()]) if _RATED.search(part)] if will else []
    return bool(clauses) and all(map(_is_item, clauses))


def _is_of_kind(sentence: str) -> bool:
    """ "Modern SATA drives write 480 MB/s", and nobody who measured one."""
    if not (_NAMES_DRIVE.search(sentence) and _OF_KIND.search(sentence)):
        return False
    return not (_OBSERVES.search(sentence) or _CHANGED.search(sentence) or _OWNED.search(sentence))


def _is_item(sentence: str) -> bool:
    """Name, capacity and speed of a drive, and nobody who tells anything: "SSD M.2 512 GB (3400 MB/s x 1100 MB/s)"."""
    if len(sentence) > _LONGEST_ITEM or _TELLS.search(sentence):
        return False
    is_named = _CAPACITY.search(sentence) is not None and _DRIVE.search(sentence) is not None
    return is_named or _PROPERTY.search(sentence) is not None
