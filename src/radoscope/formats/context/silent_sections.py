"""Sections of a page whose numbers are no results of a drive: what is asked of one, what is sold, tests of memory,
tables of settings, benchmarks of code, requests that neither read nor write.

A heading names them, and they end with the next one: "## Storage requirements", "Memory test:". What is sold stands in
a list of properties.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from functools import cache, lru_cache
from itertools import chain, pairwise, takewhile

from radoscope import patterns as re
from radoscope.formats.grammar import foretold
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.alternatives import Alternatives
from radoscope.formats.grammar.other_operations import heads_other_requests
from radoscope.formats.grammar.phrases import Load, heading_of

_MARKED = re.compile(r"\s*(?P<marks>#{1,6})\s+(?P<name>\S.{0,200}?)(?:\s*\{#[^{}]*\})?\s*")
_BANNER = re.compile(r"\s*([-=*#~_])\1{4,100}\s*(?P<name>[^\s\-=*#~_].{0,80}?)\s*\1{5,100}\s*")
""" "--------- Memory test ---------": scripts head their parts so."""
_BANNER_RULE = re.compile(r"\s*([-=*#~_])\1{15,200}\s*")
_RULED = frozenset(3 * mark for mark in "-=*#~_`")
"""A cheap look before dear ones."""
_ADDED = re.compile(r"[-–—:：(（].*")
"""What stands behind the name of a part: by which tool it is tested, and whose that is."""
_LONGEST_NAME = 81
_LED = re.compile(r"(?P<indent>\s*)(?P<name>[^\W\d][^|=]{0,70})[:：]\s*")
_FENCE, _LONGEST_FENCE = re.compile(r"\s{0,8}(`{3,6}|~{3,6})"), 400
_ITEM = re.compile(r"\s*(?:[-*•·+◦▪✓✔☑✅☐□]|\d{1,2}[.)])\s")
_COMES = (
    rf"result|measur|\btest|bench|\bvs\b|\bmet\b|mesur|medid|измер|测试"
    rf"|{foretold.RESULTS_ELSEWHERE}|{foretold.MEASURED_ELSEWHERE}"
)
_MEASURED = Alternatives(_COMES)
_ASKED = Alternatives(
    rf"{foretold.REQUIREMENTS}|\b(?:needs|requires)\W*$"
    r"|\b(?:what (?:i|we) )?expect(?:ed|ations?)?(?: behaviou?rs?| speeds?)?\W*$|\berwart(?:et\w*|ung\w*)(?: \w+)?\W*$"
    rf"|(?:{foretold.EXPECTED_ELSEWHERE})\w{{0,12}}(?: \w+)?\W*$"
)
_ASIDE = r"(?: ?[(（][^()（）]{1,60}[)）])?"
_VARIED = re.compile(
    r"\b(?:by|per|with|at|nach|je|bei|par|selon|por|según|per|przy|при|по)\b.{1,40}"
    r"\b(?:thresholds?|limits?|quotas?|schwell\w+|seuils?|umbral(?:es)?|limiar(?:es)?|soglie|progi|порог\w*)",
    re.IGNORECASE,
)
"""Results by thresholds are results."""
_BOUNDS = Alternatives(
    r"\b(?:acceptance|success|pass(?:ing)?|exit) criteri(?:a|on)\b|(?:erfolgs|abnahme)kriteri(?:en|um)\b"
    r"|\bcrit[èée]r[ei]?[oai]?s? d(?:e |i |['’])(?:succès|réussite|acceptation|éxito|aceptación|sucesso|aceitação"
    r"|successo|accettazione)\b|\bkryteria (?:sukcesu|akceptacji|odbioru)\b|\bkritéria (?:úspěchu|přijetí)\b"
    r"|критери[ий] (?:успеха|при[её]мки)\b|(?:성공|합격|인수|수용|통과) ?기준"
    r"|(?:验收|驗收|成功|合格|达标|達標)(?:标准|標準|条件|條件)|(?:成功|合格|受け?入れ?|検収)(?:基準|条件)"
    rf"|\b(?:limits|quotas|thresholds)(?: (?:per|by|of|for|on|and) [\w ]+| (?:we|i) (?:set|use))?{_ASIDE}\W*$"
    r"|\b(?:limites|límites|limiti|limity|cuotas|seuils|umbrales|limiares|soglie|progi|prahy)"
    rf"(?: (?:(?:par|por|per|pour|para|de|des|del|di|dla|na|pro) |d['’])[\w ]+)?{_ASIDE}\W*$"
    rf"|\b(?:obergrenzen|grenzwerte|schwell(?:en)?werte)\b|\b{foretold.THRESHOLDS}{_ASIDE}\W*$"
    rf"|\b(?:лимиты|пределы|квоты|ліміти|пороги)(?: (?:для|на|по|в) [\w ]+)?{_ASIDE}\W*$"
    rf"|(?:한계|상한|제한|할당량|임계값|上限|限界|极限|極限|配额|配額|限制|阈值|閾值|閾値|門檻|门槛|しきい値){_ASIDE}\W*$"
)
"""What shall be reached, and what cannot be surpassed."""
_DATA_SHEET = re.compile(
    r"[\W\d]*(?:(?:technical|tech|hardware|device|drive|product) (?:data|specs?|specifications?|details)"
    r"|data ?-?sheets?|specs|specifications?|technische (?:daten|details|gegevens|specificaties)|datenblatt"
    r"|spezifikation(?:en)?"
    r"|(?:données|caractéristiques|spécifications) techniques|fiche technique"
    r"|(?:datos|características|especificaciones) técnic[ao]s|ficha técnica"
    r"|(?:dados|especificações) técnic[ao]s|(?:dati|caratteristiche|specifiche) tecnic(?:i|he)|scheda tecnica"
    r"|dane techniczne|specyfikacja(?: techniczna)?|technické (?:údaje|parametry)|specifikace"
    r"|технические (?:данные|характеристики)|спецификаци[яи]|технічні характеристики"
    r"|(?:技术|技術|产品|產品|硬件)?(?:参数|參數|规格|規格)|(?:技术|技術|产品|產品)指[标標]|(?:製品|ハードウェア)?(?:仕様|スペック)"
    r"|(?:제품|하드웨어)? ?(?:사양|제원))"
    r"(?: (?:of|for|von|des?|du|del|di|для) [\w .-]{1,40})?\W*",
    re.IGNORECASE,
)
""" "## Technical data": what a maker says of a drive or a system."""
_MEASURED_WITH = re.compile(
    r"[\W\d]*(?:(?:all|both|we|alle?|tous|todos|tutti) )?(?:measured|tested|benchmarked|gemessen|getestet"
    r"|mesuré\w*|testé\w*|medid\w+|probad\w+|misurat\w+|zmierzon\w+|změřen\w+|измерен\w*|测试|測定)\b.{0,24}?(?:\b(?:fio|dd|hdparm|iperf3?|rados|ioping|diskspd)\b)",
    re.IGNORECASE,
)
"""Right below "IOPS & bandwidth limits": somebody looked how much there is."""
_NOTHING_MEASURED = Alternatives(foretold.NOTHING_MEASURED)
_LONGEST_HEADING, _LONGEST_REMARK, _MOST_REMARKS = 220, 1_000, 8
_FORETOLD = Alternatives(
    rf"{foretold.FORETOLD}|[(（](?:{foretold.EXPECTED})\w*[,; ][^()（）]{{0,20}}"
    r"(?:not|nicht|non|no|não|nie|не|niet|inte|ikke|ei|nem|nu|değil|δεν|không|belum) [^()（）]{1,20}[)）]"
)
_CAME = Alternatives(rf"{foretold.ACTUAL}|{foretold.MEASURED}|\bmesur|\bmedid|измер")
_NEGATED = re.compile(
    r"\b(?:not|never|nicht|nie|non|no|não|не|ne)(?: (?:yet|yet been|been|noch|encore|ещё|еще))? \w+", re.IGNORECASE
)
"""Beside what was expected stands what came, if that is not denied."""
_OF_DESIGN = (
    r"performance|throughput|latency|design|project|d[eé]bit|conception|rendimiento|desempeño|desempenho|diseño|projeto"
    r"|prestazion\w|progetto|prestazionali|wydajności\w*|projekt\w+|výkonu|производительности|проекта"
)
_GOALS = re.compile(
    rf"[\W\d]*(?:[^\W\d]{{2,7}} )?(?:(?:(?:{_OF_DESIGN}) )?(?:goals|objectives)"
    r"|(?:performance|throughput|latency|iops) targets?|target (?:performance|values|numbers|iops|throughput)"
    r"|(?:(?:(?:leistungs|entwurfs|performance-?)ziel|zielwert)e?|ziele)"
    rf"|(?:{foretold.AIMS}|cele|výkonnostní cíle)"
    rf"(?: (?:de |di |delle |по )?(?:{_OF_DESIGN}))?"
    rf"|целевые (?:показатели|значения)(?: (?:{_OF_DESIGN}))?"
    r"|(?:性能|设计|設計|吞吐|延迟)?(?:目标|目標)[值値]?|(?:目标|目標)性能"
    r"|(?:성능|설계) ?목표 ?[값치]?|목표 ?(?:[값치]|성능))"
    r"(?: (?:for|of|für|von|pour|para|per|dla|pro|для) [\w .-]{1,40})?\s?(?:[(（][^()（）]{1,60}[)）])?\W*",
    re.IGNORECASE,
)
"""What a design shall reach: no line below tells what it does, unless it says so."""
_REACHED = re.compile(foretold.MEASURED, re.IGNORECASE)
_ROW = re.compile(r"\||\S\t|\S {3,}\S")
_HEADS_REACHED = re.compile(
    rf"{foretold.MEASURED}|{foretold.ACTUAL}|{foretold.RESULTS_ELSEWHERE}"
    r"|results?\b|achiev|reached|attain|current|\bnow\b|today|\bmet\b|status|target|goal|ziel|objecti|objetivo|цел|目标|目標|현재",
    re.IGNORECASE,
)
"""Of a table below goals: it holds what came, too, or names its goals itself."""
_MEMORY = re.compile(words.OF_MEMORY, re.IGNORECASE)
_TESTED = Alternatives(f"{words.TESTED}|{_COMES}")
_PROPERTY = re.compile(
    r"\W*(?:(?:storage|disk|drive|total|memory|speicher) ?)?"
    r"(?:capacit[éàyi]\w*|capacida\w+|kapazität|pojemność|kapacita|[её]мкость|объ[её]м|容量|용량"
    r"|interface|interfejs|schnittstelle|interfaz|interfaccia|rozhraní|интерфейс|接口|介面"
    r"|インターフェ[イー]ス|인터페이스"
    r"|form ?factor|formfaktor|format[oy]?|facteur de forme|форм-?фактор|폼 ?팩터|フォームファクター?"
    r"|warranty|garantie|gwarancja|garantía|garanzia|garantia|záruka|гарантия|质保|保修|保固|保証|보증"
    r"|(?:controller|kontroler|contrôleur|controlador|контроллер|主控|コントローラー?|컨트롤러)"
    r"|(?:nand|flash|memory)(?: ?flash)? ?(?:type|typ)|rodzaj (?:kości )?pamięci|тип памяти|type de mémoire"
    r"|闪存(?:类型)?"
    r"|weight|waga|gewicht|poids|вес|重量|무게|dimensions|wymiary|abmessungen|dimensiones|dimensões|размеры|尺寸"
    r"|colou?r|kolor|farbe|couleur|цвет|颜色|brand|marka|marke|marque|marca|бренд|品牌|メーカー"
    r"|mtbf|mttf|tbw|dwpd|ean|gtin|sku|part number|artikelnummer|heatsink|radiator|heat ?spreader)\W*",
    re.IGNORECASE,
)
"""What a shop or a maker lists of a drive beside its speed."""
_FEWEST_PROPERTIES = 3
_TEST_NEAR = 12
_RATE_ALONE = re.compile(rf"\d ?[kmgкмг]i?[bбo](?:ytes?)? ?(?:ps(?!\w)|{words.A_SECOND})", re.IGNORECASE)
_RATE = re.compile(r"[\dkmgtкмгbбo]/[sс秒초]|iops", re.IGNORECASE)
_COMMA = re.compile(r"[,;，；、](?!\d)")
_SPLIT = re.compile(r"\s*(?:[:：|=\t]|\s{2,})\s*")
_LONGEST_PROPERTY = 120
_SETTING = re.compile(
    r"\W*(?:parameters?|options?|settings?|keys?|flags?|fields?|propert(?:y|ies)|names?|variables?|attributes?"
    r"|einstellung(?:en)?|paramètres?|parámetros?|parâmetros?|parametr[iy]?|параметр|опция|настройка"
    r"|参数|參數|选项|選項|配置项?|属性|名称|パラメータ|設定|オプション|매개변수|옵션|설정)\W*",
    re.IGNORECASE,
)
_EXPLAINS = re.compile(
    r"\W*(?:descriptions?|meaning|explanation|beschreibung|bedeutung|descripción|descrição|descrizione|opis|popis"
    r"|описание|说明|說明|描述|解释|説明|설명)\W*",
    re.IGNORECASE,
)
_DEFAULT = re.compile(
    r"\W*(?:defaults?(?: values?)?|types?|examples?|required|units?|standard(?:wert)?|typ|beispiel|défaut|exemple"
    r"|ejemplo|exemplo|esempio|predeterminado|padrão|predefinito|domyślnie|по умолчанию|тип|пример"
    r"|默认值?|預設值?|类型|示例|例|デフォルト値?|既定値|型|기본값|유형|예시?)\W*",
    re.IGNORECASE,
)
_OF_KERNEL = re.compile(
    r".{0,80}\b(?:raid6|xor): (?:\.{2,4} )?(?:using (?:algorithm|function:?) )?\S{1,30}"
    r"(?: +(?:gen|xor)\(\)| *:| \().{0,6}\d.{0,12}MB/s"
    r"|(?:\[[ \d.]{1,16}\] )?\s*(?:(?:gen|xor)\(\) +\d+ MB/s"
    r"|(?:prefetch64-sse|generic_sse|avx|[\w*]{1,8}regs(?:_prefetch)?|neon|int64x\d)\s*:\s*[\d.]+ MB/s)"
    r"|.{0,80}\bcycles/i +\d"
)
"""How fast the CPU reckons parity and checksums, which the kernel tries."""
_OF_CODE = re.compile(r"[\s|>]*(?:Benchmark[A-Z\d_]\S{0,80}[ \t|]|sleep +\d)|(?!.*\bIOPS\b).{0,80}\bns/op\b")
"""What `go test -bench` prints; and a line of a script that waits."""
_OF_COPIES = re.compile(
    r"[\s|]*(?:C (?:2-pass )?(?:copy|fill|scan)\b|(?:libc|standard) mem(?:cpy|set|chr)\b"
    r"|(?:NEON|ARM|VFP|SSE2?|AVX2?|MOVSB|MOVSD|STOSB|STOSD) ?(?:LD|ST|copy|fill|nontemporal|2-pass|ldp|\W))"
)
"""What tinymembench prints of a machine's memory."""
_OF_SCRUB = re.compile(r"[\s|>]*Rate: +\d[\d.]*[KMGT]?i?B/s(?: \(limit .{1,20}\))?(?: \(some device limits set\))?\s*$")
"""What `btrfs scrub status` says of a scrub under way."""
_LOGGED = re.compile(
    r"\W{0,2}(?:\d{4}[-/]\d\d[-/]\d\d[T ])?(?P<h>\d\d):(?P<min>\d\d):(?P<s>\d\d)(?=\D)"
    r"(?P<told>.{0,40}?\b(?:INFO|WARN(?:ING)?|DEBUG|TRACE|NOTICE)\b.*)"
)
_OWN_WORD = re.compile(r"\w*\d\w*")
"""A number, or the name of a thread."""
_FEWEST_LOGGED, _LOGGED_WITHIN_S = 3, 5
_SCENARIO, _STEP = re.compile(r"\s*Scenario(?: Outline| Template)?:"), re.compile(r"\s*(?P<step>Given|When|Then)\s")
_SILENT = (_OF_CODE, _OF_COPIES, _OF_KERNEL, _OF_SCRUB)
_HINTS = ("MB/s", "ns/op", "Benchmark", "sleep", "Rate:", "cycles/i")
"""A cheap look before dear ones."""


def silent_lines(lines: Sequence[str]) -> Set[int]:
    """The lines of such sections, and of lists of what a shop sells."""
    return _silent(tuple(lines))


def lines_below_silent_headings(lines: Sequence[str]) -> Set[int]:
    """The lines of sections whose headings name what is no drive's, as a test of memory."""
    return frozenset((*_parts_of_memory(lines), *_below_headings(lines, _is_silent)))


@lru_cache(maxsize=2)
def _silent(lines: tuple[str, ...]) -> frozenset[int]:
    """Several readers ask of the same page."""
    parts = (_sold(lines), _settings(lines), _of_no_benchmark(lines), _parts_of_memory(lines), _not_measured(lines))
    others = (_of_a_server(lines), _below_headings(lines, _is_silent), _of_scenarios(lines), _of_clocks(lines))
    return frozenset(chain(*parts, *others))


def _of_scenarios(lines: Sequence[str]) -> Iterator[int]:
    """ "Scenario Outline: ...", "Then the read rate should be at least ...", "Examples:": what a system shall do."""
    starts = [at for at, line in enumerate(lines) if "Scenario" in line and _SCENARIO.match(line)]
    for start, end in pairwise([*starts, len(lines)]):
        steps = {match["step"] for line in lines[start + 1 : end] if (match := _STEP.match(line))}
        if "Then" in steps and len(steps) > 1:
            yield from range(start, end)


_AT_A_TIME = re.compile(
    r"\s{0,8}(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?\s+\d[\d.,]* ?(?:[KMG]i?B/s|[KMG]b(?:ps|it/s)|k?IOPS)(?:\W.{,20})?",
    re.IGNORECASE,
)


def _of_clocks(lines: Sequence[str]) -> Iterator[int]:
    """ "01:17  5884 MiB/s" and more such lines: what somebody saw of one run, minute by minute."""
    found = {at for at, line in enumerate(lines) if ":" in line[:12] and _AT_A_TIME.fullmatch(line)}
    yield from (at for at in found if not found.isdisjoint((at - 1, at + 1)))


def _of_no_benchmark(lines: Sequence[str]) -> Iterator[int]:
    for at, line in enumerate(lines):
        if any(hint in line for hint in _HINTS) and any(each.match(line) for each in _SILENT):
            yield at


def lines_of_a_server(lines: Sequence[str]) -> Set[int]:
    """Of a log: what a running server tells of itself every few seconds, each time in the same words."""
    return _of_a_server(tuple(lines))


@lru_cache(maxsize=2)
def _of_a_server(lines: tuple[str, ...]) -> frozenset[int]:
    told: dict[str, list[tuple[int, int]]] = {}
    for at, line in enumerate(lines):
        match = _LOGGED.match(line) if ":" in line[:24] and _RATE.search(line) else None
        if match and heading_of(match["told"]).load.sizes == Load():  # who names a size or a depth tests something
            second = int(match["h"]) * 3600 + int(match["min"]) * 60 + int(match["s"])
            told.setdefault(_OWN_WORD.sub("", match["told"]), []).append((at, second))
    found: set[int] = set()
    for same in told.values():
        gaps = sorted(after - before for (_, before), (_, after) in pairwise(same))
        if len(same) >= _FEWEST_LOGGED and 0 <= gaps[len(gaps) // 2] <= _LOGGED_WITHIN_S:
            found.update(at for at, _ in same)
    return frozenset(found)


def _not_measured(lines: Sequence[str]) -> Iterator[int]:
    """The lines of a section, or of a page without any, that says of itself: "None of this was measured." On a page
    without headings the list beside which it stands, where more than that is told."""
    first, remarks = 0, list[int]()
    for at in range(len(lines) + 1):
        if at == len(lines) or _MARKED.fullmatch(lines[at][:_LONGEST_HEADING]):
            lists = (
                [] if first or len(remarks) > _MOST_REMARKS else [_list_beside(lines, remark, at) for remark in remarks]
            )
            for silent in lists if lists and all(lists) else [range(first, at)] if remarks else []:
                yield from silent
            first, remarks = at + 1, []
        elif len(lines[at]) <= _LONGEST_REMARK and _NOTHING_MEASURED.search(lines[at]):
            remarks.append(at)


def _list_beside(lines: Sequence[str], remark: int, end: int) -> range:
    """The list or the table that the remark heads, or that stands above it where others tell of a test."""
    if lines[remark].rstrip("*_ ").endswith((":", "：")):
        return _stretch(lines, range(remark + 1, end))
    found = _stretch(lines, range(remark - 1, -1, -1))
    others = (line for at, line in enumerate(lines[:end]) if at != remark and at not in found)
    return found if any(map(_TESTED.search, others)) else range(0)


def _stretch(lines: Sequence[str], places: range) -> range:
    """The items or rows that begin there, and blank lines among them."""
    passed = takewhile(lambda at: not lines[at].strip() or _is_listed(lines[at]), places)
    own = [at for at in passed if lines[at].strip()]
    return range(min(own), max(own) + 1) if own else range(0)


def _is_listed(line: str) -> bool:
    return "|" in line or "\t" in line or line[:1].isspace() or _ITEM.match(line) is not None


def foretold_lines(lines: Sequence[str]) -> Set[int]:
    """The lines of sections that show what somebody expects, outputs of tools among them: "Expected output:"."""
    whole = "\n".join(lines).lower()  # nearly no page has such a section
    if not any(literal in whole for literal in foretold.EXPECTED_LITERALS):
        return frozenset()
    return frozenset(_below_headings(lines, is_foretold))


def _parts_of_memory(lines: Sequence[str]) -> Iterator[int]:
    """Of a script's output, below such a banner."""
    in_banner = False
    for at, line in enumerate(lines):
        if line.lstrip()[:3] in _RULED:
            banner = _BANNER.fullmatch(line)
            if banner or _BANNER_RULE.fullmatch(line) or line.lstrip().startswith("```"):
                in_banner = banner is not None and _MEMORY.fullmatch(_ADDED.sub("", banner["name"])) is not None
        if in_banner:
            yield at


def _below_headings(lines: Sequence[str], is_silent: Callable[[str], bool]) -> Iterator[int]:
    marks, indent, is_open, end = 7, -1, False, -1  # of the heading under which we are
    rows_that_came = cache(lambda: frozenset(_rows_that_came(lines)))  # most pages have no goals
    of_goals, first = False, -1  # of the paragraph below a data sheet's name and a blank line
    for at, line in enumerate(lines):
        if at == end:
            is_open = False  # what a fence held
        elif at > end and (marked := _MARKED.fullmatch(line)):
            level = len(marked["marks"])
            is_short = len(marked["name"]) <= _LONGEST_NAME
            if is_short and is_silent(marked["name"]) and not _MEASURED_WITH.match(_next_line(lines, at)):
                marks, indent, of_goals = level, -1, _GOALS.fullmatch(marked["name"]) is not None
            elif level <= marks or _MEASURED.search(marked["name"]):
                marks, indent = 7, -1
            is_open = False
            continue
        elif at > end and (led := _led(line)) and is_silent(led["name"]):
            indent, is_open, of_goals = len(led["indent"]), True, _GOALS.fullmatch(led["name"]) is not None
            first = at + 2 if _DATA_SHEET.fullmatch(led["name"]) else -1
            continue
        elif at > end and is_open:
            end = _end_of_fence(lines, at)
            is_table = of_goals and _ROW.search(line) is not None
            is_open = end > at or _goes_on(lines, at, indent) or at == first or is_table
        if (
            line.strip()
            and (is_open or marks < 7)
            and not (of_goals and (at in rows_that_came() or _REACHED.search(line)))
        ):
            yield at


def _rows_that_came(lines: Sequence[str]) -> Iterator[int]:
    """The rows of tables whose heads tell of what was reached, or name goals themselves."""
    in_table = came = False
    for at, line in enumerate(lines):
        is_row = _ROW.search(line) is not None
        if is_row and not in_table:
            came = _HEADS_REACHED.search(line) is not None
        in_table = is_row or (in_table and not line.strip())
        if is_row and came:
            yield at


def _next_line(lines: Sequence[str], at: int) -> str:
    return next((line for line in lines[at + 1 : at + 3] if line.strip()), "")


def _led(line: str) -> re.Match[str] | None:
    return _LED.fullmatch(line) if not _ITEM.match(line) else None


def _end_of_fence(lines: Sequence[str], at: int) -> int:
    """The line that closes the fence which this one opens; -1 of another line."""
    fence = _FENCE.match(lines[at])
    below = range(at + 1, min(len(lines), at + _LONGEST_FENCE))
    return next((place for place in below if lines[place].strip() == fence[1]), -1) if fence else -1


def _sold(lines: Sequence[str]) -> Iterator[int]:
    """The lines that list properties of a product, and stretches of such lines without a gap, where nobody says that he
    measured."""
    for at, line in enumerate(lines):
        if len(line) <= _LONGEST_PROPERTY and _RATE.search(line) and _lists_properties(line):
            yield at
    first = 0
    for at in range(len(lines) + 1):
        if at < len(lines) and lines[at].strip("` \t"):  # a fence parts no less than a gap
            continue
        is_list = at - first >= _FEWEST_PROPERTIES
        if is_list and _sells(lines[first:at], lines[max(0, first - _TEST_NEAR) : first]):
            yield from range(first, at)
        first = at + 1


def _sells(stretch: Sequence[str], above: Sequence[str]) -> bool:
    """Many properties; or two, beside them nothing but rates below a name, and nobody above who measured."""
    named = {line: name.strip(" |*_-").lower() for line in stretch if (name := _property_of(line))}
    count = len(set(named.values()))
    if count < _FEWEST_PROPERTIES - 1 or any(map(_TESTED.search, stretch)):
        return False
    others = [line for line in stretch[1:] if line not in named]
    is_bare = all(map(_RATE_ALONE.search, others)) and len(others) > 1 and not any(map(_TESTED.search, above))
    return count >= _FEWEST_PROPERTIES or is_bare


def _settings(lines: Sequence[str]) -> Iterator[int]:
    """The rows of tables in bars that explain options: "Parameter | Description | Example"."""
    is_open = False
    for at, line in enumerate(lines):
        cells = line.strip().strip("|").split("|") if "|" in line[:_LONGEST_PROPERTY] else ()
        if len(cells) < 2:
            is_open = False
        elif not is_open and _SETTING.fullmatch(cells[0]):
            rest = cells[1:]
            is_open = any(map(_EXPLAINS.fullmatch, rest)) and any(map(_DEFAULT.fullmatch, rest))
        if is_open:
            yield at


def _lists_properties(line: str) -> bool:
    return sum(map(_begins_with_property, _COMMA.split(line))) > 1 and not _TESTED.search(line)


def _begins_with_property(part: str) -> bool:
    """ "weight 53 g"."""
    match = _PROPERTY.match(part)
    return match is not None and not (part[match.end() - 1].isalpha() and part[match.end() :][:1].isalpha())


def _property_of(line: str) -> str:
    if len(line) > _LONGEST_PROPERTY:
        return ""
    parts = (part for part in _SPLIT.split(line) if part)
    name = next(parts, "")
    return name if _PROPERTY.fullmatch(name) else ""


def _is_silent(name: str) -> bool:
    is_asked = bool(_ASKED.search(name) or _BOUNDS.search(name) or _GOALS.fullmatch(name))
    is_asked = is_asked and not (_MEASURED.search(name) or _VARIED.search(name))
    is_named = _MEMORY.fullmatch(name) is not None or _DATA_SHEET.fullmatch(name) is not None
    return is_asked or is_named or is_foretold(name) or heads_other_requests(name)


def is_foretold(name: str) -> bool:
    """ "Expected results", but not "Expected and measured results"."""
    return _FORETOLD.search(name) is not None and not _CAME.search(_NEGATED.sub("", name))


def _goes_on(lines: Sequence[str], at: int, indent: int) -> bool:
    """Items and what is further to the right, or a line right below the one before that heads nothing itself."""
    line = lines[at]
    if not line.strip() or _ITEM.match(line) or len(line) - len(line.lstrip()) > indent:
        return True
    return bool(at and lines[at - 1].strip()) and _LED.fullmatch(line) is None
