"""Tables that people write: each cell means what it says itself, then what its column, its row and its caption say.

Rows and columns are treated alike: whichever names the quantities, cells of one load become one result. A number counts
only with its unit. Data sheets, prices, wishes and monitoring are no results. MB are 1,000,000 bytes unless IOPS x
block size of the table say that they are MiB.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import filterfalse, pairwise, takewhile

from radoscope import patterns as re
from radoscope.errors import UnreadableFile
from radoscope.formats.context.by_kind import Told, told_by_commands, told_by_kind, told_of_one_kind, units_by_order
from radoscope.formats.context.conditions import InForce, PageConditions, conditions_of, is_footnote
from radoscope.formats.context.measured import (
    A_RANGE,
    NO_UNIT,
    names_hdparm_alone,
    rados_alone_above,
    with_proven_units,
)
from radoscope.formats.context.network_words import (
    commanded_below,
    names_storage,
    shown_in,
    streams_asked,
    streams_titled,
    told_by_both_ways,
    told_by_downloads,
    told_by_ends,
    told_by_heading,
    told_by_rates,
    told_by_tests,
    told_by_times,
    told_by_tool_above,
    tool_alone,
)
from radoscope.formats.context.said_below import commands_below, conditions_below
from radoscope.formats.context.sentences import TAKEN, Line, line_at, read_lines
from radoscope.formats.context.silent_sections import is_foretold, lines_of_a_server, silent_lines
from radoscope.formats.context.supposed import SENTENCE, without_supposed
from radoscope.formats.context.untold_ways import way_of_copy
from radoscope.formats.grammar import foretold
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.alternatives import Alternatives
from radoscope.formats.grammar.phrases import BANDWIDTH, IOPS, RATE, Load, Quantity, cell_of, heading_of, phrase_of
from radoscope.formats.grammar.quantities import MIB, count, number
from radoscope.formats.tables.cells import is_range
from radoscope.formats.tables.defined import with_defined
from radoscope.formats.tables.depths import with_latencies_of_depths
from radoscope.formats.tables.finder import (
    find_grids,
    has_tails,
    last_sentence,
    legend_of,
    load_of_syncs,
    quantity_of_section,
    quoted_unit,
)
from radoscope.formats.tables.grid import Grid, Row, ends_in_numbers, hints
from radoscope.formats.tables.heads import Head, body_and_heads, is_of_memory, read_head, without_spreads
from radoscope.formats.tables.layout import (
    OF_RESULTS,
    Table,
    has_values,
    is_plain_value,
    table_of,
    without_latencies_of_transactions,
)
from radoscope.formats.tables.parts import parts_of_a_run, without_numbers
from radoscope.formats.tables.rows import with_what_was_received
from radoscope.formats.tables.runs import (
    READER,
    Cell,
    Group,
    cells_of,
    draft_of,
    groups_of,
    is_of_no_drive,
    parted_by_kind,
    ranges_in,
    rows_of_mixed,
    rows_of_rates,
    with_order_of_mixed,
)
from radoscope.formats.tables.same_runs import OfRuns, joined
from radoscope.formats.tables.telling import with_telling_rows
from radoscope.formats.tables.transfers import are_of_store, grid_with_ways, with_ways
from radoscope.records.measurement import Result
from radoscope.words import N_

NAME = READER
A_PART = N_("a part of its output; what it belongs to is missing")
TOO_LONG = N_("of so long a table the first rows alone are read")
ROUGH = N_("rough or typical values: nothing says that they were measured")
LOOKS_BACK = 14
_LONGEST_NAME, _MOST_WORDS_OF_NAME, _LONGEST_CAPTION = 60, 8, 160
_MOST_CAPTIONS, _COPIED_WITHIN, _FEWEST_WORDS = 6, 3, 3
_SYNCED = re.compile(r"(?<![a-z])(?<!no )(?<!without )f(?:data)?sync(?:=1)?(?![a-z=])", re.IGNORECASE)
"""What is made durable has been written."""
_CHANGE = r"[(（][+−–-] ?\d[\d.,]* ?%[)）]\*{0,2}"
_CHANGED_BARE = re.compile(rf"\*{{0,2}}(?P<number>[~≈]?\d[\d.,]*)(?P<scale> ?[kKM])?\*{{0,2}} ?(?P<change>{_CHANGE})")
_UNITED_CELL = re.compile(
    rf"\*{{0,2}}[~≈]?\d[\d.,]* ?(?P<unit>(?P<scale>[kKM] ?)?IOPS|{RATE})\*{{0,2}}(?: ?{_CHANGE})?", re.IGNORECASE
)
_YABS_HEAD = re.compile(r"\d{1,3}[km] {1,40}\(IOPS\)|\(IOPS\)|\d{1,3}[km]")
_KIND_OFFERED = re.compile(
    r"\W*(?:volumes?|instances?|vm|storage|service|speicher|instanz)[- ]?"
    r"(?:types?|typ(?:en)?|class(?:es)?|klasse|tiers?|sizes?|sku)\W*"
    r"|\W*(?:types? d[e'’] ?(?:volume|instance)|tipos? de (?:volumen?|instancia))\W*"
    r"|\W*(?:云[硬磁]?盘|卷|实例|ボリューム|インスタンス)(?:类型|規格|规格|タイプ|種別)\W*",
    re.IGNORECASE,
)
"""Above the names of what a provider sells."""
_PLAN = re.compile(r"\b(?:plans?|tiers?|paket|tarif|forfait|pakiet|тариф)\b|套餐|プラン|요금제", re.IGNORECASE)
_MARKS, _ENCLOSED_WITHIN = re.compile(r"(#{1,6})\s"), 60
_SUMMED_UP = re.compile(
    r"#{2,6} \W*(?:(?:test |benchmark )?(?:results?|conclusions?|summary|findings)|(?:mess|test)?ergebnis(?:se)?|fazit"
    r"|résultats?|bilan|resultados?|conclusi(?:[óo]n(?:es)?|oni)|risultat[io]|wyniki?|výsledk[yi]|результаты?|выводы?"
    r"|(?:测试|測試)?(?:结论|結論|结果|結果)|測定結果|결과|결론)\W*",
    re.IGNORECASE,
)
_BULLET = re.compile(r"[•・*-]\s")
_NOT_MEASURED = re.compile(words.NOT_MEASURED, re.IGNORECASE)
_MONITORED = re.compile(words.MONITORED, re.IGNORECASE | re.MULTILINE)
_OF_TABLE = re.compile(
    r"(?<!\w)(?:tab(?:le|elle|leau|la|ela|ella|el|ulka)|tabell)(?!\w)|таблиц|表格?|표", re.IGNORECASE
)
_PROMISED_ROW = re.compile(words.PROMISED_ROW, re.IGNORECASE)
_ASIDE = re.compile(r"(?<=\S) ?[(（\[](?P<aside>[^()（）\[\]]{2,40})[)）\]]\W*$")
_RECKONED = re.compile(
    r"\W*(?:calc(?:\.|ulated)?|computed|berechnet|calculé|calculado|calcolato|расч[её]т\w*|计算值?|計算値?)\W*",
    re.IGNORECASE,
)
_PRICED = re.compile(words.PRICED, re.IGNORECASE)
_STORE = re.compile(words.STORE, re.IGNORECASE)
_STORE_RATE = re.compile(words.STORE_RATE, re.IGNORECASE)
_DATABASE = re.compile(words.DATABASE, re.IGNORECASE)
_MACHINE_ASIDE = re.compile(r"(?<=[^\W\d] )\(\d{1,3} ?v?cpus?\b[^()\n]{0,30}\)", re.IGNORECASE)
"""On what something ran: "first start (2 vCPU)"."""
_NAME_OF_CARD = re.compile(r"(?<=[^\W_] )endurance(?=(?: [^\n]{0,30})? \d{1,4} ?[GT]B)", re.IGNORECASE)
""" "Corvo Endurance 64GB" is a name, and no property."""
_EXACT_RATE, _DIGITS_OF_COUNT = re.compile(r"[~≈]?\d{2,4}[.,]\d{1,2}(?!\d)"), 4
_GUEST = re.compile(r"\bvcpus?\b", re.IGNORECASE)
"""What is sold has such, and so has what was measured."""
_TRANSACTIONS = re.compile(words.TRANSACTIONS, re.IGNORECASE)
_QUERY = re.compile(
    r"\W*(?:sql )?(?:quer(?:y|ies)|abfragen?|requêtes?|consultas?|zapytani[ae]|запросы?|查询|クエリ|쿼리)\W*",
    re.IGNORECASE,
)
_YCSB = re.compile(r"\[(?:OVERALL|READ|UPDATE|INSERT|SCAN|CLEANUP|READ-MODIFY-WRITE)\]")
"""The first column of what YCSB prints."""
_RATE = re.compile(rf"iops|{words.RATE_UNIT}", re.IGNORECASE)
_OF_MEMORY = re.compile(words.OF_MEMORY, re.IGNORECASE)
_TESTED = Alternatives(words.TESTED)
_TOOL = re.compile(
    r"(?<![\w-])(?:fio|dd|hdparm|iozone|bonnie(?:\+\+)?|ioping|diskspd|vdbench|iometer|sysbench|rados bench"
    r"|iperf3?)(?![\w-])"
)
"""In a head or a label it says what the numbers are of."""
_QUANTITY_FIRST = re.compile(rf"\W*(?:in )?(?:{words.IOPS}|[kmg]i?b/s)[,.;) ]", re.IGNORECASE)
_OF_CPU = re.compile(
    r"\b(?:en|de)cryption\b|\b(?:de)?compress(?:ion|or)?\b|verschlüsselung|шифрован|сжати|压缩|圧縮", re.IGNORECASE
)
"""Rates of ciphers and packers."""
_SERIALISED = re.compile(
    r"\bpars(?:e[rs]?|ed|ing)\b|\b(?:de)?seriali[sz]|\b(?:en|de)cod(?:e[rs]?|ed|ing)\b|\bparse[nt]?\b|\bgeparst|\banaly[sz]eur"
    r"|сериализ|парс(?:инг|ер)|разбор|序列化|解析|シリアライズ|パース|직렬화|파싱",
    re.IGNORECASE,
)
_OF_LIBRARIES = re.compile(
    r"\W*(?:librar(?:y|ies)|parsers?|seriali[sz]ers?|codecs?|formats?|crates?|packages?|modules?|implementations?"
    r"|bibliothek(?:en)?|bibliothèques?|bibliotecas?|librer[ií]as?|librerie|biblioteki?|knihovn[ay]|библиотек[аи]|库|ライブラリ|라이브러리)\W*",
    re.IGNORECASE,
)
"""The corner above names of code, which reads and writes in memory."""
_OF_INTERRUPTS = Alternatives(words.OF_INTERRUPTS)
_OF_MESSAGES = re.compile(
    r"\ball[- _]?(?:reduce|gather|to[- _]?all)\b|\breduce[- _]?scatter\b|\b[nr]ccl\b|\bosu[-_ ](?:bw|latency)\b",
    re.IGNORECASE,
)
"""Rates of what processes send each other."""
_PART = re.compile(
    r"\W*(?:cpus?|processor|prozessor|ram|memory|speicher|nics?|network|netzwerk|mainboard|motherboard|board"
    r"|psu|chassis|case|os|kernel"
    r"|gpu|hba|controller|switch(?:es)?|内存|网卡|メモリ)\W*",
    re.IGNORECASE,
)
"""What a table of hardware lists."""
_STATE = re.compile(
    r"\W*(?:.{0,40}(?<![a-z])cpu(?![a-z]).{0,40}|.{0,12}(?:i/?o|e/s)[ -]?wait.{0,12}"
    rf"|(?:{words.MEMORY}|swap)(?:[ :(].{{0,24}})?"
    r"|(?P<load>load(?: average)?|charge(?: moyenne| système)?|(?:durchschnitts|system)?last"
    r"|carga(?: media| média)?|carico(?: medio)?|obciążenie|нагрузка"
    r"|(?:系统)?(?:平均)?负[载荷]|ロードアベレージ|부하))\W*",
    re.IGNORECASE,
)
_OF_STATE = re.compile(r"\d ?%|\d ?[gm]i?[bo] ?/ ?\d", re.IGNORECASE)
"""What a monitor says of a machine, and how: "CPU | 91 %", "Memory | 1.4 GB / 4 GB"."""
_TESTED_PART = re.compile(r"\d ?(?:events?|req(?:uests)?|ops|transactions) ?/ ?s|\d{3}\.\d+ ?[a-z]+/s", re.IGNORECASE)
"""What a benchmark gave for it, and no maker says."""
_OF_PART = re.compile(r"(?<![a-z])q?d? ?\d{1,5} ?(?:列|行|(?:columns?|rows?|spalten?|zeilen?)\b)", re.IGNORECASE)
"""Of one column or row: "the QD32 column"."""
_FIELD = re.compile(r"\s*:[\w-]+:")
_ORDER_FIRST = re.compile(
    rf"\W*(?:{words.RANDOM}|{words.SEQUENTIAL}) "
    r"?(?:access|i/?os?|zugriff|accès|acces[so]o?s?|dostęp|přístup|доступ|访问|存取|アクセス|접근)",
    re.IGNORECASE,
)
_TABLE = r"(?:table|tab\.|tabelle|tableau|tabla|tabela|tabell[ae]?|tabulka|таблиц[аеыуі]|表|표)"
_NUMBERED = re.compile(rf"\W*{_TABLE}\s?(?P<number>\d{{1,3}})\b", re.IGNORECASE)
"""A caption that may stand below its table."""
_OF_NUMBER = re.compile(rf"(?<![^\W\d_]){_TABLE}\s?(?P<number>\d{{1,3}})(?![\w.]\d|\d)", re.IGNORECASE)
_NAMED_WITHIN = 40
"""Lines from a table that speak of it by its number."""
_MEASURED = Alternatives(foretold.MEASURED)
"""However round the numbers below are: somebody saw them."""
_NETWORK_HEAD = re.compile(r"\W*(?:iperf[23]?|netperf|nuttcp)(?: (?:tcp|result|test|measured))?\W*", re.IGNORECASE)
_DEMANDED = re.compile(
    r"\W*(?:offered|requested|target(?:ed)?|nominal|asked)(?: (?:rate|load|bandwidth|bit ?rate|throughput))?\W*",
    re.IGNORECASE,
)
_DELIVERED = re.compile(r"\W*(?:achieved|received|delivered|actual|measured|got)\W*", re.IGNORECASE)
""" "offered | achieved | loss" above rates: how much was sent on purpose, and what arrived."""
_WISHED_HEAD = Alternatives(
    rf"{foretold.EXPECTED}|{foretold.REQUIREMENTS}|{foretold.REQUIRED}|{foretold.GOALS}"
    r"|\b(?:configured|assigned|booked|purchased) (?:iops|mib/s|mb/s|throughput|bandwidth|rate)"
    r"|\bexpect|ожида|\blimit|如果|假如|もし"
    r"|\bif (?:it|this|they|these) (?:was|were)"
    r"|\btypical(?! lat)|\btypisch|\btypique|\bt[íi]pic[oa]|\btypow|типичн|典型|일반적"
    r"|\bdocs?\b|\bdocumentation\b|\bdocumented\b|文档|文檔|ドキュメント|문서|документац|\bpre-?sales?\b|售前|\bvendor'?s?\b"
    r"|\bmanufacturer|\bhersteller|\bconstructeur|\bfabricante?\b|厂商|厂家|メーカー|제조사|производител|\bproducent|\bproduttore|\bvýrobc|\bfabrikant"
    r"|^\W*(?:recommended|empfohlen|recommandée?s?|recomendad[oa]s?|consigliat[oaie]|zalecan[eaoy]|doporučen[oéáý]"
    r"|рекомендуем\w+|推荐值?|推薦値?|推奨値?|권장)\W*$"
)
_SCORE = re.compile(
    r"\W*(?:(?:total |overall )?scores?|points?|rank(?:ing)?|grade|(?:gesamt)?punkte|punktzahl|rang"
    r"|puntuaci[óo]n|puntos"
    r"|pontos|pontuação|punteggio|punkty|очки|баллы?|место|得分|评分|分数|跑分|排名|スコア|得点|点数|順位|점수|순위)\W*",
    re.IGNORECASE,
)
"""What a benchmark makes of the numbers beside it."""
_INTERFACE = re.compile(r"\W*(?:network |nic )?(?:interface|nic|port|link|uplink)(?: speed| rate)?\W*", re.IGNORECASE)
"""How fast a machine is connected, beside what it carried both ways."""
_AT_LEAST = re.compile(
    rf"\W*(?:required |acceptable )?(?:{words.MINIMUM}|{words.MAXIMUM}|mindestens|acceptable)\W*", re.IGNORECASE
)
_NOTE = re.compile(r"[\s>*_\\]*?(?P<mark>⚠|[†‡§¹²³]|\*{1,3}|\(\*\)|\[\d\]|\(\d\))\ufe0f?[\s*_:)]*(?=\S)")
_NOTES_WITHIN = 8
_LONGEST_LOAD, _LONGEST_PROMISE, _LONGEST_UNIT, _LONGEST_NOTE, _MOST_WORDS_OF_ORDER = 80, 24, 40, 120, 5
_IN_UNIT = re.compile(
    r"\b(?:results?|values?|numbers?|figures?|rates?|speeds?|throughput|werte|ergebnisse|valeurs|résultats|valores|resultados"
    rf"|valori|risultati|wartości|wyniki|значения|результаты)\W(?:\w+ ){{0,2}}?(?:in|en|w|в) (?:{words.IOPS}|{RATE})",
    re.IGNORECASE,
)
_NOT_TESTED = Alternatives(
    rf"{words.NOT_MEASURED}|estimat|extrapolat|\bnot (?:been |yet )?(?:tested|measured)"
    r"|(?:nicht|noch nie) (?:getestet|gemessen)"
    r"|geschätzt|non (?:testé|mesuré|testat|misurat)|estimé|no (?:probado|medido)|não (?:testad|medid)|estimad"
    r"|не тест|не измер|оценк|未测|未測|估[计計算]|未計測|推定|推測|미측정|추정"
    r"|\bpars(?:ing|er) (?:bug|issue|error|problem|artefact|artifact)|\bbogus\b|\binvalid\b"
    r"|\b(?:not (?:an? |the )?|keine?n? |pas (?:un |le |la )?|no (?:es )?(?:un |el |la )?)"
    r"(?:real|actual|valid|genuine|echte|tatsächliche|gültige|vraie?)[rns]?s? "
    rf"(?:{words.BANDWIDTH}|values?|numbers?|results?|figures?|werte?|ergebnis|résultat|valor|resultado)"
)
"""Or nobody believes it, for what read it was wrong."""
_TYPICAL = re.compile(r"\btypical|\btypisch|\btypique|\bt[íi]pic[oa]|\btypow|типичн|типов|典型|일반적", re.IGNORECASE)
_CUT = re.compile(r"\d[.,]$")
_WHOLE = re.compile(r"(?:/s|[^\W\d]{3}|\d ?[mun]s|[)%])\W*$")
"""A unit stands at its end, or words do."""
_NAMED_PART = re.compile(r"((?:[^\W\d][\w ]{0,20} ?[:=] ?[^,:=]{1,30}, ?)+)(?=[^\W\d])")
"""A number whose end is missing."""
_OF_VOLUME_SOLD = re.compile(
    r"\b(?:for|of|with) an? \d[\d.,]*k?[ -]?IOPS (?:\w+ )?(?:volume|disk|drive|share|plan|tier|limit)\b", re.IGNORECASE
)
""" "Table 3. Throughput by block size, for a 2000 IOPS volume": what a provider grants."""
_BY_SPECIFICATION = re.compile(
    r"(?<!\w)(?:(?:going|judging) by|according to|as per|from|laut|gemäß|nach|selon|d['’]après|según|segundo|secondo"
    r"|według|podle|согласно|по)(?: \w+){0,2}? (?:specs?\b|specification|data ?sheet|datenblatt|spezifikation"
    r"|spécification|fiche technique|especificaci|ficha t[ée]cnica|scheda tecnica|specyfikacj|specifikac|спецификац)"
    r"[^.;]*[:：]$",
    re.IGNORECASE,
)
"""How a sentence ends that leads to what a maker says."""
_REQUIRED = Alternatives(
    r"\b(?:iops|performance|storage|disk|system|hardware) requirements?\b|(?:性能|配置|磁盘|硬件)要求|性能要件"
    r"|(?:leistungs|speicher)anforderung|требования к"
    r"|\brules? of thumb\b|\bball-?park\b|\borders? of magnitude\b|\bfaustregel|\brichtwert|\bgrößenordnung"
    r"|\bordres? de grandeur|\bvaleurs? indicatives?"
    r"|\b(?:valores?|valori) (?:de referencia|de referência|orientativ|indicativ)"
    r"|\borientačn|\borientacyjn|ориентировочн|经验值|經驗值|参考值|參考值|目安|경험(?:칙|치)|참고(?:치|값)"
)
"""Above a table of what somebody asks for, or reckons with."""
_LONGEST_PARAGRAPH = 1000
_TO_EXPECT = re.compile(
    r"\b(?:you|users?|customers?|one|tenants?) (?:can|may|should|could|might) (?:reasonably )?expect\b(?!ed)"
    r"|\bcan be expected (?:for|of|from|when)\b|(?:können|kann|dürfen) (?:sie|man) (?:etwa )?erwarten"
    r"|\b(?:you|users?|customers?|one|tenants?|instances?|volumes?) can"
    r" (?:get|achieve|reach|deliver|drive|support) up to\b",
    re.IGNORECASE,
)
"""In the paragraph above a table: what a provider says of his product."""
_NAMES_DRIVES = re.compile(
    rf"(?:{words.TYPES_OF_DRIVES}|{words.DRIVE}|spinning|flash|memory|card|stick|rotating)(?![^\W\d_])", re.IGNORECASE
)
_ROUGHLY = re.compile(r"[*\s]*(?:[~≈<>]|\d[\d.,]*\s?[kKM]?\+|\d[\d.,]*\s?[kKMµu]?(?:[A-Za-z/]{0,5})\s?[-–—]\s?\d)")
_CEILING = re.compile(
    r"\W*(?:(?:link|bus|pcie|wire|line|interface|port|hardware) ){1,2}(?:ceiling|limit|maximum|max|cap)\W*",
    re.IGNORECASE,
)
_UNITED = re.compile(rf"\d[kKM]? ?(?:{words.IOPS}|{RATE}|{words.TIME_UNIT})", re.IGNORECASE)
_UNITED_RATE = re.compile(rf"\d[kKM]? ?(?:{words.IOPS}|{RATE})", re.IGNORECASE)
_DRIVE = re.compile(words.DRIVE, re.IGNORECASE)
_DISK_ALONE = re.compile(
    r"\W*(?:dis[kc]s?|drives?|(?:fest)?platten?|disques?|discos?|dischi|dyski?|диски?|磁盘|硬盘|ディスク|디스크)"
    r"(?: i/?o)?\W*",
    re.IGNORECASE,
)
_CORES_USED = re.compile(
    r"\d ?(?:cores?|kerne?n?|cœurs|núcleos|rdzeni|яд[её]р) (?:of|di|von|de|z|из) \d|\d ?% ?cpu\b", re.I
)
_KIND_OF_DRIVE = re.compile(
    rf"\W*(?:(?:{words.TYPES_OF_DRIVES}|ssds?|hdds?)[ -]?){{1,3}}(?:(?:pcie )?gen ?\d|\d\.\d)?"
    r"(?: ?\(?(?:\d{1,2}[.,]?\d|\d)[.,]?\d?(?:\d\d|k) ?(?:rpm|u/min|upm|tr/min|об/мин)\)?)?\W*",
    re.IGNORECASE,
)
""" "NVMe Gen4", "HDD (7.200 RPM)"."""
_NUMBER = re.compile(r"\d[\d.,]*")
_OPERATIONS = re.compile(
    r"(?:(?:total|completed?|successful|number of) ){0,2}(?:operations?|ops|requests?|i/?os?)"
    r"(?: (?:done|completed?|total))?",
    re.IGNORECASE,
)
_TOTAL_TIME = re.compile(r"(?:total |elapsed |run |test )?(?:time|duration)(?: (?:taken|elapsed))?", re.IGNORECASE)
_SECONDS = re.compile(
    r"\W*(?:elapsed )?(?:time|secs?|seconds?|zeit|temps|tiempo|tempo|czas|čas|tijd|время|时间|時間|시간)"
    r"\W*(?:s|secs?|seconds?|秒|초|с|сек)?\W*",
    re.IGNORECASE,
)
_FEWEST_STEPS, _LONGEST_STEP, _SAME_STEP = 3, 10.0, 0.9
"""Nobody lets a run last one second, and the next ones two, three and four."""
_PAIR = 2
_MOST_ROUGH, _FAR_RIGHT, _SAME_RATE = 0.7, 16, 0.01
_ONE, _LARGEST_SHARE = re.compile(r"1[.,]0{1,3}"), 10.0
_IS_RESULT = re.compile(
    r"\W*(?:\d+ ?[km] ?iops\W*$|(?:iops|bw|bandwidth|throughput|[cs]?lat(?:ency)?) ?[:=] ?[~≈]?\d"
    r"|(?:tb[ad]|todo|n/?a|none|null|nan)(?![a-z]))",
    re.IGNORECASE,
)
"""No head: "256k IOPS" may be a number, and what was not measured names its unit, too."""


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges of the tables that give at least one result, or that hold none for a reason we know."""
    for grid, results, _ in _tables("\n".join(lines)):
        if results is None or results:
            below = _caption_below(lines, grid)
            yield grid.first, grid.end if below is None else below + 1


def read(text: str) -> tuple[Result, ...]:
    """Every result of every table; what is in force above a table gives what it does not say. Raises UnreadableFile."""
    tables = _tables(text)
    results = [result for _, found, _ in tables for result in found or ()]
    if not results and not any(found is None for _, found, _ in tables):
        raise UnreadableFile("no table of results in this text", "Its headings must name IOPS, MB/s or a latency.")
    return tuple(results)


def left_over(text: str) -> Iterator[tuple[int, str]]:
    """Each row with a number that somebody may have measured and that was not read, counted from 0, and why it was not.

    Of tables that show no measurement no row is left over.
    """
    lines, tables = text.split("\n"), _tables(text)
    held = {at for grid, _, _ in tables for at in range(grid.first, grid.end)}
    for grid, results, left in tables:
        yield from left
        yield from ((at, TOO_LONG) for at in _unread_rows(grid))
        below = range(grid.end, len(lines)) if results else ()
        directly = takewhile(lambda at: lines[at].strip() and at not in held, below)
        yield from ((at, NO_UNIT) for at in directly if ends_in_numbers(lines[at]))


def _unread_rows(grid: Grid) -> range:
    return range(grid.rows[-1].line + 1, grid.end if grid.is_cut else 0)


def rows_of(text: str) -> dict[int, tuple[Sequence[Head], tuple[str, ...]]]:
    """By its line each row of the tables: its heads and its cells; one that is not read has none."""
    found: dict[int, tuple[Sequence[Head], tuple[str, ...]]] = {}
    for grid, _, _ in _tables(text):
        width = max(len(row.cells) for row in grid.rows)
        if width > 1:
            texts, body = body_and_heads(grid, width, has_values)
            heads = without_spreads(without_latencies_of_transactions(list(map(read_head, texts))))
            found |= {row.line: (heads, row.cells) for row in with_what_was_received(texts, body)}
            found |= dict.fromkeys(_unread_rows(grid), (heads, ()))
    return found


@dataclass(frozen=True, slots=True)
class _Page:
    """What all tables of a page share. grids: each as it stands there, and without what nobody measured in it.

    first_tool: the line that names the page's one tool; the number of lines where there is none.
    """

    lines: Sequence[str]
    grids: Sequence[tuple[Grid, Grid]]
    said: Sequence[Line]
    in_force: PageConditions
    silent: Set[int]
    logged: Set[int]
    legend: str
    mixed: Sequence[str]
    first_tool: int
    is_rados_alone: Callable[[Sequence[str], int, int], bool]


def _page_of(lines: Sequence[str]) -> _Page:
    found = [_with_units_of_rows(_with_cut_row(grid, lines)) for grid in _grids(lines)]
    said = read_lines(lines) if found else []
    if found and are_of_store(lines):
        found, said = list(map(grid_with_ways, found)), with_ways(said)
    noted = [_without_promised_rows(_without_noted(grid, lines)) for grid in found]
    named = [_without_demands(_with_throughput_of_tools(grid)) for grid in noted]
    grids = [_without_parts(_without_promises(grid)) for grid in named]
    named_at = tool_alone(lines) if grids else None
    return _Page(
        lines,
        list(zip(found, grids, strict=True)),
        said,
        PageConditions(said, [(line_at(said, grid.first), line_at(said, grid.end)) for grid in grids]),
        silent_lines(lines) if grids else frozenset(),
        lines_of_a_server(lines) if grids else frozenset(),
        legend_of(lines),
        list(rows_of_mixed(lines)),
        len(lines) if named_at is None else named_at,
        rados_alone_above(lines if grids else ()),
    )


@lru_cache(maxsize=1)
def _tables(text: str) -> tuple[tuple[Grid, tuple[Result, ...] | None, Sequence[tuple[int, str]]], ...]:
    """Each table of a page with its results, None where it shows no measurement, and the lines that are left over."""
    page = _page_of(text.split("\n"))
    found: list[_Read] = []
    for whole, grid in page.grids:
        is_definition = page.in_force.definitions.holds(line_at(page.said, grid.rows[-1].line))
        if not is_definition or _heads_several(grid):
            found.append(_read_grid(page, whole, grid, found[-1] if found else None))
    same = joined([OfRuns(one.table, one.groups, one.told, one.heading) for one in found])
    results = [None if one.is_none or at in same else tuple(_results_of(one)) for at, one in enumerate(found)]
    results = _told_apart(found, results)
    return tuple((one.grid, own, tuple(_left_of(one, own))) for one, own in zip(found, results, strict=True))


def _heads_several(grid: Grid) -> bool:
    """ "iops | MB/s" above "randread bs=4k | 412 | 1.7": what looks like the definition of a job is a row."""
    return any(
        sum(1 for cell in row.cells[1:] if read_head(cell).quantities) > 1 for row in grid.rows[: grid.heads or 1]
    )


def _without_size_of_rows(said: Load, grid: Grid) -> Load:
    """ "We keep it at 256K" below "read_ahead_kb | 256, 512, 1024": what the rows vary, and no block."""
    kib = (said.block_bytes or 0) // 1024
    labels = [row.cells[0].lstrip("*` ") for row in grid.rows[1:]]
    is_varied = "kb" in grid.rows[0].cells[0].lower() and all(label[:1].isdecimal() for label in labels)
    is_one = is_varied and any(re.match(rf"{kib}(?![\d.,kKmM])", label) for label in labels)
    return said._replace(block_bytes=None) if is_one else said


def _told_of_kinds(page: _Page, grid: Grid, state: InForce, around: str) -> tuple[Sequence[Told], Load]:
    """What is told of each kind of its runs, above it, right below it or by the commands below; and what is said below
    of all of them."""
    lines = page.lines
    below = conditions_below(lines, grid.end)
    told = state.told or told_by_kind(around) or told_by_kind(page.legend) or _told_below(lines, grid)
    asked = () if told or state.command or state.load.sizes != Load() else commands_below(lines, grid.end)
    if len(asked) == 1 and not _names_ways(grid):
        return told, asked[0].over(below)
    return told or told_by_commands(asked), below


def _names_ways(grid: Grid) -> bool:
    return any(heading_of(cell).ways for cell in (*grid.rows[0].cells, *(row.cells[0] for row in grid.rows[1:])))


_OSD_BENCH = re.compile(r"ceph tell osd\.\S{1,8} bench|\bosd bench\b", re.IGNORECASE)


def _of_osd_bench(captions: Sequence[str]) -> Load:
    """Which writes; nothing below other captions."""
    return Load(way="write") if any(map(_OSD_BENCH.search, captions[:2])) else Load()


def _read_grid(page: _Page, whole: Grid, grid: Grid, before: _Read | None) -> _Read:
    """One grid as a table of runs; before: the table above it."""
    lines, captions = page.lines, _captions(page.lines, grid)
    place = line_at(page.said, grid.first)
    state = page.in_force.at(place)
    below = _caption_below(lines, grid)
    note = "" if below is not None else _footnote(lines, grid)
    around = note if below is None else lines[below]
    told, said_below = _told_of_kinds(page, grid, state, around)
    below_it = lines[grid.end : grid.end + _NOTES_WITHIN]
    network = _network_of(page, grid, captions, below_it)
    of_syncs = load_of_syncs(lines, grid)
    around_it = _without_size_of_rows(conditions_of(around).over(said_below), grid)
    above = (of_syncs or _of_osd_bench(captions)).over(state.load.over(around_it))
    above = _with_load_around(above, lines, grid, captions, before).over(_streams_of(network, captions, below_it))
    is_logged = grid.rows[-1].line in page.logged
    watched, parts = _rows_beside_cores(grid, captions), parts_of_a_run(grid, captions, above.jobs)
    rest = tuple(filterfalse(set(parts).__contains__, grid.rows))
    is_none = bool(watched) or _is_none(page, whole, grid, captions)
    grid = replace(grid, rows=rest or grid.rows)
    of_loads = (quoted_unit(lines, grid), _told_by_a_cell(lines, grid)) if _is_of_loads(grid) else ()
    notes = [note, page.legend, *of_loads, *_told_by_number(lines, grid, captions)]
    table = None if is_none or is_logged else table_of(grid, captions, notes, above, network)
    is_none = is_none and not is_logged  # its lines are told to be none
    is_last_of_several = len({each.way for each in state.told if each.is_of_page} - {None}) > 1
    if table and table.above.way is None and (way := state.load.way if is_last_of_several else said_below.way):
        table = replace(table, above=table.above._replace(way=way))  # beside it the sizes hold for nothing else
    table = with_defined(without_numbers(table), page.in_force.definitions, place) if table else None
    table = replace(table, is_of_syncs=True) if table and of_syncs else table
    is_none = is_none or (table is not None and is_of_no_drive(table))
    unread = dict.fromkeys(watched, NO_UNIT) if is_none or table is None else dict.fromkeys(ranges_in(table), A_RANGE)
    unread |= {} if is_none else dict.fromkeys((row.line for row in parts), A_PART)
    if not is_none and (_is_of_seconds(grid) or (parts and not any(map(has_values, rest)))):
        rows = parts or grid.rows[1:]
        is_none, table, unread = True, None, dict.fromkeys((row.line for row in rows), A_PART)
    if _is_of_typical_values(grid) and not any(map(_is_said_to_be_measured, captions[:1])):
        is_none, table, unread = True, None, dict.fromkeys((row.line for row in grid.rows[1:]), ROUGH) | unread
    cells = tuple(cells_of(table)) if table else ()
    groups = list(parted_by_kind(groups_of(table, cells), told)) if table else []
    groups = with_latencies_of_depths(groups, table.above, told) if table else []
    return _Read(
        grid,
        is_none,
        tuple(told),
        table,
        cells,
        list(with_order_of_mixed(groups, [*takewhile(_is_of_words, below_it), *page.mixed])),
        unread,
        _heading_in(captions),
        page.is_rados_alone(captions, grid.first, grid.end),
        names_hdparm_alone([*captions[:2], *grid.rows[0].cells]),
        any(map(_leads_to_quantity, captions[:2])),
        tuple(_names_of(lines, max(before.grid.end if before else 0, grid.first - LOOKS_BACK), grid.first)),
    )


def _load_of_twin(lines: Sequence[str], grid: Grid, captions: Sequence[str], before: _Read | None) -> Load:
    """Of the table above it with the same heads, below a caption that is the same but for one word: "**vm_2, depths:**"
    behind "**vm_4, depths:**", for both of which a sentence above said what was done."""
    if before is None or before.table is None or {*before.grid.rows[0].cells} != {*grid.rows[0].cells}:
        return Load()
    own, other = (" ".join(each[:1]).split() for each in (captions, _captions(lines, before.grid)))
    differ = sum(one != two for one, two in zip(own, other, strict=False))
    is_twin = len(own) == len(other) >= _FEWEST_WORDS and differ == 1
    is_parted = any(line.startswith("#") for line in lines[before.grid.end : grid.first])
    return before.table.above if is_twin and not is_parted else Load()


def _streams_of(network: tuple[str, ...], captions: Sequence[str], below_it: Sequence[str]) -> Load:
    """How many there were, where the table is of a network."""
    return Load(jobs=streams_asked([*captions, *below_it]) or streams_titled(captions)) if network else Load()


def _asks_for_syncs(caption: str) -> bool:
    """ "All with fsync=1:", and no result of an fsync."""
    return _SYNCED.search(caption) is not None and not heading_of(caption).names_values


def _with_load_around(
    above: Load, lines: Sequence[str], grid: Grid, captions: Sequence[str], before: _Read | None
) -> Load:
    """With what its layout, its captions, what begins above it and its twin before it tell of the load."""
    loads = (
        Load(random=True, mixed=True) if _is_of_yabs(grid) else Load(),
        Load(way=next(filter(None, map(_way_of_files, captions[:_COPIED_WITHIN])), None)),
        _load_of_title(captions[0]) if captions else Load(),
        _load_begun_above(lines, grid, captions),
        Load(way="write" if any(map(_asks_for_syncs, captions[:1])) else None),
    )
    for load in loads:
        above = above.over(load)
    return above if above.way else above.over(_load_of_twin(lines, grid, captions, before))


def _is_none(page: _Page, whole: Grid, grid: Grid, captions: Sequence[str]) -> bool:
    """Whether a grid shows no measurement, as its heads and the lines around it say."""
    above_it = page.lines[max(0, grid.first - LOOKS_BACK) : grid.first]
    telling = captions if whole.rows[1:] == grid.rows[1:] else _without_told_promises(whole, captions)
    return (
        _is_of_demands(whole)
        or _is_silent(grid, page.silent)
        or _is_no_measurement(grid, telling, above_it)
        or _goes_on_with_promise(page.lines, grid)
    )


def _network_of(page: _Page, grid: Grid, captions: Sequence[str], below_it: Sequence[str]) -> tuple[str, ...]:
    """The quantities that tell of a network, as its captions, its cells or the lines around it say."""
    rows = [row.cells for row in grid.rows]
    hosts = {row[0] for row in rows[1:]}  # of a matrix the columns, too: "ceph-01" is no storage there
    return (
        (() if names_storage(head for head in rows[0] if head not in hosts) else shown_in(captions))
        or shown_in(list(_notes_of_heads(grid, below_it)))
        or commanded_below(below_it)
        or told_by_rates([cell for row in rows for cell in row], captions)
        or told_by_ends(rows)
        or told_by_both_ways(rows)
        or told_by_tests(cell for row in rows[1:] for cell in row)
        or told_by_heading(_heading_over(page.lines, grid, captions), rows)
        or told_by_downloads(rows, captions)
        or told_by_times(rows, captions)
        or (told_by_tool_above(rows) if page.first_tool < grid.first else ())
    )


def _heading_over(lines: Sequence[str], grid: Grid, captions: Sequence[str]) -> str:
    """The nearest caption; of a heading like "Results" the one that it stands below."""
    nearest = captions[0] if captions else ""
    if not _SUMMED_UP.fullmatch(nearest):
        return nearest
    ranks = ((line, _MARKS.match(line)) for line in reversed(lines[max(0, grid.first - _ENCLOSED_WITHIN) : grid.first]))
    own = len(nearest.split(" ")[0])
    return next((line for line, marks in ranks if marks and len(marks[1]) < own), nearest)


def _is_of_seconds(grid: Grid) -> bool:
    """ "Time (s)" above 1.0, 2.0, 3.0: each row tells of a part of one run."""
    times = [number(row.cells[0]) for row in grid.rows[1:]]
    steps = [after - before for before, after in pairwise(each or 0.0 for each in times)]
    if len(steps) < _FEWEST_STEPS or None in times or not _SECONDS.fullmatch(grid.rows[0].cells[0]):
        return False
    return 0 < max(steps) <= _LONGEST_STEP and min(steps) > _SAME_STEP * max(steps)


def _is_of_words(line: str) -> bool:
    """No heading and no row."""
    return "|" not in line and not _MARKS.match(line)


def _told_apart(
    tables: Sequence[_Read], results: Sequence[tuple[Result, ...] | None]
) -> list[tuple[Result, ...] | None]:
    """The results of each table; what is the same load as in others stands below a name that these do not have."""
    holders: dict[tuple[object, ...], set[int]] = {}
    for at, own in enumerate(results):
        for result in own or ():
            holders.setdefault(_alike(result), set()).add(at)
    shared = {key: Counter(name for at in held for name in set(tables[at].names)) for key, held in holders.items()}

    def named(result: Result, at: int) -> Result:
        key = _alike(result)
        name = next((name for name in tables[at].names if shared[key][name] == 1), "") if len(holders[key]) > 1 else ""
        return replace(result, extra={**result.extra, "section": name}) if name else result

    return [own and tuple(named(each, at) for each in own) for at, own in enumerate(results)]


def _alike(result: Result) -> tuple[object, ...]:
    return result.op, result.block_bytes, result.queue_depth, result.jobs, result.extra.get("label")


def _is_silent(grid: Grid, silent: Set[int]) -> bool:
    """Its first line, or all with a value."""
    values = [row.line for row in grid.rows if any(map(is_plain_value, row.cells))]
    return grid.first in silent or (bool(values) and silent >= set(values))


def _heading_in(captions: Sequence[str]) -> str:
    """The nearest line above, if it is a heading and names no quantity."""
    first = captions[0] if captions else ""
    return first if _MARKS.match(first) and not heading_of(first).quantities else ""


def _notes_of_heads(grid: Grid, below: Sequence[str]) -> Iterator[str]:
    """ "* All by iperf3, 60 s each" below a table of "Before* | After*": what a mark behind a head means."""
    heads = [cell.rstrip("_ \ufe0f") for cell in grid.rows[0].cells[1:]]
    for line in below:
        note = _NOTE.match(line)
        if note and any(head.endswith(note["mark"]) for head in heads):
            yield line


def _names_of(lines: Sequence[str], start: int, end: int) -> Iterator[str]:
    """The names above a table, and the nearest of them below the heading that holds its own: "Other rack: cached"."""
    names = list(_names_above(lines, start, end))
    yield from names
    ranked = (
        (line, len(match[1]))
        for line in reversed(lines[max(0, end - _ENCLOSED_WITHIN) : end])
        if (match := _MARKS.match(line))
    )
    _, own = next(ranked, ("", 0))
    outer = next((line for line, rank in ranked if rank < own), "") if names else ""
    if name := outer.strip(" #*=_:."):
        yield f"{name}: {names[0]}"


def _names_above(lines: Sequence[str], start: int, end: int) -> Iterator[str]:
    """ "dm-cache", "With the faster switch I get:": lines that may name what is below them, the nearest first; they
    hold no value, and more than a load."""
    for line in reversed(lines[start:end]):
        name, leads = line.strip(" #*=_:.").replace("**", ""), line.rstrip().endswith((":", "："))
        if name and (leads or (len(name) <= _LONGEST_NAME and len(name.split()) <= _MOST_WORDS_OF_NAME)):
            phrase = heading_of(name)
            if phrase.rest and not phrase.names_values:
                yield name


def _way_of_files(line: str) -> str | None:
    """ "Write files to the server is slow.": what was done with files, where a word and the place tell the same."""
    way = way_of_copy(line)
    return way if way and heading_of(line).load.way == way else None


def _load_of_title(line: str) -> Load:
    """ "Throughput of random writes, by the size of each.": a sentence whose first word is a quantity names a table."""
    phrase = heading_of(line)
    first = phrase.tokens[0].kind if phrase.tokens else ""
    is_title = first.startswith("metric_") and len(phrase.ways) == 1 and not phrase.names_values
    is_title = is_title and not (_TESTED.search(line) or _WISHED_HEAD.search(line) or _NOT_MEASURED.search(line))
    return Load(phrase.load.random, phrase.load.way) if is_title else Load()


def _left_of(one: _Read, results: Sequence[Result] | None) -> Iterator[tuple[int, str]]:
    """The lines that are known to give none, and of rows that look like a result and gave none."""
    yield from one.unread.items()
    if one.table is None or results is None:
        return
    sources = [each.source for each in results if each.source]
    read = {at - 1 for each in sources for at in range(each.first_line or 1, (each.last_line or 1) + 1)}
    left = rows_of_rates(one.table, one.cells, read | one.unread.keys(), is_captioned=one.is_captioned)
    yield from ((at, NO_UNIT) for at in dict.fromkeys(left))


def _load_begun_above(lines: Sequence[str], grid: Grid, captions: Sequence[str]) -> Load:
    """Of a caption whose sentence began on the line above its own, which is no line of words by itself."""
    above = lines[max(0, grid.first - LOOKS_BACK) : grid.first]
    is_whole = not captions or any(line.rstrip().endswith(captions[0]) for line in above)
    is_plain = not is_whole and captions[0].endswith((":", "："))
    is_plain = is_plain and not (_WISHED_HEAD.search(captions[0]) or _NOT_MEASURED.search(captions[0]))
    return heading_of(captions[0]).load if is_plain else Load()


def _leads_to_quantity(line: str) -> bool:
    """A heading or a caption that names what the numbers below it are, and none itself."""
    is_caption = line.endswith((":", "：")) or _MARKS.match(line) is not None
    phrase = heading_of(line) if is_caption and not (_WISHED_HEAD.search(line) or _REQUIRED.search(line)) else None
    return phrase is not None and bool(phrase.quantities) and not phrase.names_values


def _is_of_loads(grid: Grid) -> bool:
    """Whether each column or each row names an operation, so that the numbers are of one kind."""
    columns, rows = grid.rows[0].cells[1:], [row.cells[0] for row in grid.rows[1:]]
    return any(all(heading_of(cell).load.way for cell in cells) for cells in (columns, rows) if cells)


def _footnote(lines: Sequence[str], grid: Grid) -> str:
    """The line right below a table that speaks of it."""
    at = _place_below(lines, grid)
    if (
        at == len(lines)
        or _MARKS.match(lines[at].lstrip())  # of what is below it
        or _OF_PART.search(lines[at])
        or not (
            is_footnote(lines[at])
            or _QUANTITY_FIRST.match(lines[at])
            or _names_the_order(lines[at : at + 6])
            or units_by_order(lines[at])
            or _names_nothing_but_a_load(lines[at : at + 6])
            or _names_a_unit(lines[at : at + 6])
        )
    ):
        return ""
    return "" if _heads_another(lines, at) else lines[at].strip()


def _told_by_number(lines: Sequence[str], grid: Grid, captions: Sequence[str]) -> Iterator[str]:
    """ "Table 3 shows the mean throughput in MB/s.": a sentence that speaks of the table, and of no other, by its
    number."""
    own = _NUMBERED.match(captions[0]) if captions else None
    if own is None:
        return
    around = lines[max(0, grid.first - _NAMED_WITHIN) : grid.first], lines[grid.end : grid.end + _NOTES_WITHIN]
    for line in (line for part in around for line in part if "|" not in line and hints(line)):
        for sentence in SENTENCE.split(line):
            numbers = [match["number"] for match in _OF_NUMBER.finditer(sentence)]
            if numbers == [own["number"]] and line.strip() != captions[0]:
                yield sentence


_TOLD_WITHIN, _NEARLY, _COUNTED = 5, 0.05, 1000.0


def _told_by_a_cell(lines: Sequence[str], grid: Grid) -> str:
    """ "AHCI pins every test near 12,000 IOPS." below cells of 12,306 and 11,942 in rows of tests: the unit of a number
    that is one of the cells, rounded; "" where cells have a unit, or the numbers are of several kinds."""
    if any(hints(cell) for row in grid.rows for cell in row.cells):
        return ""
    numbers = [each.value for row in grid.rows for cell in row.cells[1:] for each in cell_of(cell).values(False)]
    near = takewhile(lambda line: not line.startswith("#"), lines[grid.end : grid.end + _TOLD_WITHIN])
    values = (value for line in filter(hints, near) for value in phrase_of(without_supposed(line)).values(False))
    told = [value for value in values if value.kind in (IOPS, BANDWIDTH)]
    known = (math.isclose(value.value, one, rel_tol=_NEARLY) for value in told for one in numbers if one >= _COUNTED)
    return "IOPS" if {value.kind for value in told} == {IOPS} and any(known) else ""


def _place_below(lines: Sequence[str], grid: Grid) -> int:
    """Of the first line with words right below a table; behind the last line where there is none."""
    below = range(grid.end, min(len(lines), grid.end + 4))
    return next((at for at in below if any(map(str.isalnum, lines[at]))), len(lines))


def _told_below(lines: Sequence[str], grid: Grid) -> tuple[Told, ...]:
    """What the line right below a table tells of its runs of one order, if it does not head another table."""
    at = _place_below(lines, grid)
    told = told_of_one_kind(lines[at]) if at < len(lines) else ()
    return () if told and _heads_another(lines, at) else told


def _heads_another(lines: Sequence[str], at: int) -> bool:
    """Whether a line stands right above another table, which no line of words between them heads."""
    below = lines[at + 1 : at + 6]
    return any(each.first < 2 and not any(map(str.isalnum, "".join(below[: each.first]))) for each in find_grids(below))


def _names_the_order(lines: Sequence[str]) -> bool:
    """ "Random access, of course.", and no rates in it or below it."""
    if _ORDER_FIRST.match(lines[0]) is None or lines[0].rstrip().endswith((":", "：")):
        return False
    return len(lines[0].split()) <= _MOST_WORDS_OF_ORDER and not any(map(_RATE.search, lines))


def _names_nothing_but_a_load(lines: Sequence[str]) -> bool:
    """ "randread, iodepth=64, numjobs=4", and no rates below it, whose caption it would be."""
    line, below = lines[0].strip(), lines[1:]
    if len(line) > _LONGEST_LOAD or line.endswith((":", "：")) or line.startswith(("#", "*", "=", "_")):
        return False
    phrase = heading_of(line)
    is_load = phrase.load.way is not None and not (phrase.rest or phrase.names_values)
    return is_load and not any(map(_RATE.search, below))


def _names_a_unit(lines: Sequence[str]) -> bool:
    """ "CrystalDiskMark 8, MB/s", and no rates below it."""
    line, below = lines[0].strip(), lines[1:]
    if _IN_UNIT.search(line) and len(line) <= _LONGEST_NOTE:
        return not any(map(_RATE.search, below))
    if len(line) > _LONGEST_UNIT or line.endswith((":", "：")) or line.startswith(("#", "*", "=", "_")):
        return False
    phrase = heading_of(line)
    is_unit = len(phrase.quantities) == 1 and phrase.quantities[0].factor is not None
    return is_unit and phrase.load == Load() and not phrase.names_values and not any(map(_RATE.search, below))


def _grids(lines: Sequence[str]) -> Iterator[Grid]:
    """Tables; where heads stand between rows of numbers, a table of its own begins."""
    for grid in find_grids(lines):
        start = 0
        for at in range(2, len(grid.rows)):
            if at > start + 1 and _begins_anew(grid, at):
                yield _part(grid, start, at)
                start = at
        yield _part(grid, start, len(grid.rows))


def _with_units_of_rows(grid: Grid) -> Grid:
    """ "171 MB/s (+78 %) | 166 (+73 %)": a number with its change has the one unit of its row."""
    if not any(_CHANGED_BARE.fullmatch(cell) for row in grid.rows for cell in row.cells):
        return grid
    return replace(grid, rows=tuple(replace(row, cells=_with_unit(row.cells)) for row in grid.rows))


def _with_unit(cells: tuple[str, ...]) -> tuple[str, ...]:
    units = {(match["unit"], match["scale"] or "") for cell in cells if (match := _UNITED_CELL.fullmatch(cell))}
    if len(units) != 1:
        return cells
    unit, scale = units.pop()

    def united(match: re.Match[str]) -> str:
        own = f"{match['scale']} {unit.removeprefix(scale)}" if match["scale"] else f" {unit}"
        return f"{match['number']}{own} {match['change']}"

    return tuple(united(match) if (match := _CHANGED_BARE.fullmatch(cell)) else cell for cell in cells)


def _with_cut_row(grid: Grid, lines: Sequence[str]) -> Grid:
    """Where the text ends within a row, the cells before the last one, which may be a part of a number; within it is,
    too, where the rows above end in a bar."""
    last, width = grid.rows[-1], len(grid.rows[0].cells)
    count = max((at + 1 for at, cell in enumerate(last.cells) if cell), default=0)
    if len(grid.rows) < 3 or not 2 <= count <= width or grid.is_cut:
        return grid
    ends_here = not any(map(str.strip, lines[grid.end :])) and not lines[last.line].rstrip().endswith("|")
    above = [lines[row.line].rstrip() for row in grid.rows[grid.heads or 1 : -1]]
    is_open = len(last.cells) < width or (len(above) > 0 and all(line.endswith("|") for line in above))
    may_be_cut = ends_here and grid.style == "bars" and bool(grid.heads) and is_open
    if not _CUT.search(last.cells[count - 1]) and (not may_be_cut or _WHOLE.search(last.cells[count - 1])):
        whole = (*last.cells, *[""] * (width - len(last.cells)))
        return replace(grid, rows=(*grid.rows[:-1], Row(last.line, whole))) if ends_here and is_open else grid
    cells = (*last.cells[: count - 1], _whole_part(last.cells[count - 1]), *[""] * (width - count))
    return replace(grid, rows=(*grid.rows[:-1], Row(last.line, cells)))


def _whole_part(cell: str) -> str:
    """Of named values the last of which may have lost its end, those before it, and a condition, which is a whole
    number: "IOPS: 55k, jobs=4,"; "" of one value."""
    named = _NAMED_PART.match(cell)
    last = heading_of(cell[named.end() :]) if named else None
    if named is None or last is None:
        return ""
    is_condition = last.load.sizes != Load() and not (last.quantities or last.names_values)
    return cell.rstrip(",") if is_condition and cell.endswith(",") else named[1].rstrip(", ")


def _begins_anew(grid: Grid, at: int) -> bool:
    """A row of heads below a row of values."""
    row = grid.rows[at]
    return (
        has_values(grid.rows[at - 1])
        and not has_values(row)
        and len([cell for cell in row.cells if cell]) > 1
        and any(heading_of(cell).quantities and not _IS_RESULT.match(cell) for cell in row.cells[1:])
    )


def _part(grid: Grid, start: int, end: int) -> Grid:
    rows = grid.rows[start:end]
    if (start, end) == (0, len(grid.rows)):
        return grid
    is_last = end == len(grid.rows)
    last = grid.end if is_last and grid.is_cut else rows[-1].line + 1
    heads = None if start else grid.heads
    return replace(grid, first=rows[0].line, end=last, rows=rows, heads=heads, is_cut=is_last and grid.is_cut)


def _caption_below(lines: Sequence[str], grid: Grid) -> int | None:
    if any(map(_NUMBERED.match, lines[max(0, grid.first - 3) : grid.first])):
        return None
    below = next((at for at in range(grid.end, min(len(lines), grid.end + 2)) if lines[at].strip()), None)
    return below if below is not None and len(lines[below]) <= 160 and _NUMBERED.match(lines[below]) else None


def _captions(lines: Sequence[str], grid: Grid) -> list[str]:
    """The lines above, nearest first, that may name what the table shows.

    A numbered caption right below counts where none stands above.
    """
    first, found = grid.first, []
    if (below := _caption_below(lines, grid)) is not None:
        return [lines[below].strip()]
    for line in reversed(lines[max(0, first - LOOKS_BACK) : first]):
        is_told = any(map(str.isalnum, line))  # "|---|---|" may stand above rows without heads
        if line == TAKEN or (is_told and ("|" in line or "\t" in line.strip())):
            break
        if is_told and not _FIELD.match(line):
            text = line.strip()[:300]
            found.append(last_sentence(text) if text.endswith(":") else text)
        if len(found) >= _MOST_CAPTIONS:
            break
    found = [_whole_sentence(lines[max(0, first - LOOKS_BACK) : first], line) for line in found[:1]] + found[1:]
    captions = [line for line in found if len(line) <= _LONGEST_CAPTION]
    if not any(map(hints, captions[:1])) and (section := quantity_of_section(lines, first)):
        return [section, *(line for line in captions if line != section)]
    return captions[:1] + list(_enclosing(lines, first, captions[0])) if len(captions) == 1 else captions


def _whole_sentence(above: Sequence[str], caption: str) -> str:
    """ "... so it did. 4k random write IOPS on", "host 3:": the end of a sentence, with what it says of a quantity on
    the line above."""
    lines = "\n".join(above).rstrip().split("\n")
    before = lines[-2].strip() if len(lines) > 1 else ""
    if not before or _MARKS.match(before) or not caption.endswith((":", "：")) or hints(caption):
        return caption
    sentence = last_sentence(f"{before} {caption}")
    return sentence if hints(sentence) and len(sentence) <= _LONGEST_CAPTION else caption


def _enclosing(lines: Sequence[str], first: int, heading: str) -> Iterator[str]:
    """The heading above a heading, which may stand above other tables, too: "#### IOPS" above "##### new"."""
    own = _MARKS.match(heading)
    if own is None:
        return
    for line in reversed(lines[max(0, first - _ENCLOSED_WITHIN) : first]):
        marks = _MARKS.match(line)
        if marks is not None and len(marks[1]) < len(own[1]):
            yield line.strip()
            return


def _is_no_measurement(grid: Grid, captions: Sequence[str], above: Sequence[str]) -> bool:
    """Data sheets and price lists promise; iostat, `ceph iostat` and diffstats watch; a database is no drive."""
    text = "\n".join(cell for row in grid.rows for cell in row.cells)
    heads = grid.rows[0].cells
    labels = (*heads, *(row.cells[0] for row in grid.rows[1:]))
    if _PRICED.search(text) and not (
        any(map(_TESTED.search, above))
        or any(map(_TOOL.search, labels))
        or _is_of_exact_rates(grid)
        or _is_of_exact_counts(grid)
    ):
        return True
    if _is_of_parts(grid):
        return True
    if _is_of_offers(grid) and not any(map(_TESTED.search, (*above, *heads))):
        return True
    if not any(heading_of(cell).load.way for cell in labels) and any(
        _OF_CPU.search(cell) for cell in (*above[-2:], *(cell for row in grid.rows[:3] for cell in row.cells))
    ):
        return True
    if _OF_LIBRARIES.fullmatch(heads[0]) and any(map(_SERIALISED.search, (*above, *heads))):
        return True
    if "iops" not in text.lower() and _STORE_RATE.search(text) and any(map(_STORE.search, (text, *captions))):
        return True
    if any(map(_OF_MESSAGES.search, (*captions[:2], *heads))):
        return True
    if any(map(_OF_INTERRUPTS.search, (*captions[:2], *heads))) and not (
        _RATE.search(text) or any(heading_of(cell).load.way for cell in labels)
    ):
        return True
    if any(_OF_MEMORY.fullmatch(line) or is_of_memory(line) for line in captions[:1]) or _is_of_database(
        grid, captions
    ):
        return True
    leading = [*captions[:1], *(captions[1:2] if captions and not _names_test_or_unit(captions[0]) else ())]
    leading = list(takewhile(lambda line: not _TESTED.search(line), leading))
    named = not any(map(_TESTED.search, heads)) and any(
        len(line) <= 60 and not _BULLET.match(line) and _NOT_MEASURED.search(line) for line in leading
    )
    specified = (line for line in captions[:2] if _OF_VOLUME_SOLD.search(line) or _BY_SPECIFICATION.search(line))
    named = named or any(not _TESTED.search(line) for line in specified)
    paragraph = next((line for line in reversed(above) if line.strip()), "")[:_LONGEST_PARAGRAPH]
    is_tested = any(map(_TESTED.search, (*captions, *above)))
    is_expected = any(len(line) <= 60 and (_REQUIRED.search(line) or is_foretold(line)) for line in captions[:1])
    is_expected = is_expected or (_TO_EXPECT.search(paragraph) is not None and not _TESTED.search(paragraph))
    is_expected = is_expected or any(_OF_TABLE.search(each) and is_foretold(each) for each in SENTENCE.split(paragraph))
    return (
        named
        or is_expected
        or _is_of_shares(grid)
        or _is_of_state(grid)
        or _MONITORED.search(text) is not None
        or _NOT_MEASURED.search(_promising_part(_without_promises_of_others(grid) if is_tested else grid, captions))
        is not None
    )


def _names_test_or_unit(line: str) -> bool:
    """Right above a table: what a line above that tells of is something else."""
    phrase = heading_of(line)
    is_named = phrase.load.way is not None or bool(phrase.quantities) or _TOOL.search(line) is not None
    return is_named and not phrase.names_values


def _goes_on_with_promise(lines: Sequence[str], grid: Grid) -> bool:
    """ "15,000 (max. provisioned)" far to the right below a table without bars: one more line of its last cell."""
    line = lines[grid.end] if grid.end < len(lines) and grid.style == "blanks" else ""
    indent = len(line) - len(line.lstrip())
    return indent >= _FAR_RIGHT and _NOT_MEASURED.search(line) is not None and is_plain_value(line.split()[0])


def _is_of_exact_rates(grid: Grid) -> bool:
    """ "281,4" and "77,4" below "MB/s": three digits with decimals, as in no price list; GB/s are sold so."""
    return _are_most(_EXACT_RATE.match(cell) is not None for cell in _cells_named(grid, _names_rate))


def _is_of_exact_counts(grid: Grid) -> bool:
    """ "166336" and "46,964" of IOPS: what is sold has zeros behind two or three digits."""
    return _are_most(map(_is_exact_count, _cells_named(grid, _names_counts)))


def _are_most(said: Iterable[bool]) -> bool:
    found = list(said)
    return sum(found) > 2 and 2 * sum(found) > len(found)


def _cells_named(grid: Grid, is_named: Callable[[str], bool]) -> Iterator[str]:
    """The cells whose head or label names something, row by row."""
    named = [at and is_named(head) for at, head in enumerate(grid.rows[0].cells)]
    for row in grid.rows[1:]:
        is_labelled = is_named(row.cells[0])
        cells = list(zip(named, row.cells, strict=False))[1:]
        yield from (cell.strip("* ") for is_below, cell in cells if is_below or is_labelled)


def _is_exact_count(cell: str) -> bool:
    count = number(cell)
    return count is not None and len(f"{count:.0f}".strip("0")) >= _DIGITS_OF_COUNT


def _names_counts(head: str) -> bool:
    return [each.kind for each in read_head(head).quantities] == [IOPS]


def _names_rate(head: str) -> bool:
    return any(each.kind == BANDWIDTH and (each.factor or MIB) <= MIB for each in read_head(head).quantities)


def _without_promises_of_others(grid: Grid) -> Grid:
    """ "SSD | 383 | SATA, ~550 MB/s theoretical max": beside what was measured a remark that promises a rate of its own
    says nothing of that one."""
    heads = {at: read_head(head).quantities for at, head in enumerate(grid.rows[0].cells) if at}
    named = {at: quantities[0].factor or 1.0 for at, quantities in heads.items() if quantities}
    return replace(grid, rows=(grid.rows[0], *(_without_promise_of_other(row, named) for row in grid.rows[1:])))


def _without_promise_of_other(row: Row, named: Mapping[int, float]) -> Row:
    """named: the columns that hold rates, and what their numbers are multiplied with."""
    numbers = [(number(cell.strip("*~≈ ")), named.get(at)) for at, cell in enumerate(row.cells)]
    own = [value * factor for value, factor in numbers if value and factor]

    def is_of_other(at: int, cell: str) -> bool:
        if not at or at in named or not _NOT_MEASURED.search(cell) or _NOT_TESTED.search(_NOT_MEASURED.sub("", cell)):
            return False
        rates = [value.value for value in heading_of(cell).values(False) if value.kind in (IOPS, BANDWIDTH)]
        return bool(rates) and not any(abs(rate / value - 1) < _SAME_RATE for rate in rates for value in own)

    return Row(row.line, tuple("" if own and is_of_other(at, cell) else cell for at, cell in enumerate(row.cells)))


def _promising_part(grid: Grid, captions: Sequence[str]) -> str:
    """The cells whose words may promise all the rest: of results no heads, and above tails of times no labels, for
    "3000 IOPS provisioned" says there of which volume they are."""
    is_measured = any(_is_said_to_be_measured(line) or _TOOL.search(line.lower()) for line in captions[:1])
    heads = grid.rows[0].cells
    if has_tails(grid):
        return "\n".join(heads)
    rows = grid.rows[1:] if any(map(OF_RESULTS.search, heads)) else grid.rows
    loads = [heading_of(row.cells[0]).load for row in rows]
    if any(load.way and load.depth for load in loads):  # no data sheet: what else it tells of the drives
        rows = tuple(row for row, load in zip(rows, loads, strict=True) if load.way or not _is_of_drives(row))
    told = _MACHINE_ASIDE.sub("", "\n".join(cell for row in rows for cell in row.cells))
    if _GUEST.search(told) and (is_measured or _is_of_exact_counts(grid)):
        told = _GUEST.sub("", told)
    return _NAME_OF_CARD.sub("", told)


def _is_of_drives(row: Row) -> bool:
    """ "Endurance | 600 TBW | 440 TBW (QLC)": no rate and no time."""
    return not any(value.kind for cell in row.cells for value in phrase_of(cell).values(False))


def _is_of_yabs(grid: Grid) -> bool:
    """As yabs prints what fio reads and writes at random, whatever stands above it in scripts that run it."""
    corner, *heads = grid.rows[0].cells
    labels = {row.cells[0] for row in grid.rows[1:]}
    return corner == "Block Size" and all(map(_YABS_HEAD.fullmatch, heads)) and {"Read", "Write"} <= labels


def _is_of_offers(grid: Grid) -> bool:
    """Plans; kinds of volumes with numbers of two digits, and zeros behind them, most of which come again, as sold ones
    do."""
    heads = grid.rows[0].cells
    if not _KIND_OFFERED.fullmatch(heads[0]):
        return len(heads) > 2 and all(map(_PLAN.search, heads[1:]))
    named = [at for at, head in enumerate(heads) if at and read_head(head).quantities]
    cells = (row.cells[at] for row in grid.rows[1:] for at in named if at < len(row.cells))
    counts = Counter(digits for cell in cells if (digits := "".join(filter(str.isdecimal, cell)).strip("0")))
    come_again = sum(count for count in counts.values() if count > 1)
    return 2 * come_again > counts.total() and all(len(digits) <= 2 for digits in counts)


def _is_of_parts(grid: Grid) -> bool:
    """What a machine has, and nothing measured."""
    parts = max(sum(map(_is_of_part, grid.rows)), sum(map(bool, map(_PART.fullmatch, grid.rows[0].cells))))
    return parts > 1 and not any(map(_names_measure, (row.cells for row in grid.rows)))


def _is_of_state(grid: Grid) -> bool:
    """What a machine was doing when somebody looked: more rows tell of processor, memory and load than of rates."""
    named = [(row, match) for row in grid.rows[1:] if (match := _STATE.fullmatch(row.cells[0]))]
    states = sum(1 for row, match in named if match["load"] or any(map(_OF_STATE.search, row.cells[1:])))
    return states > 1 and states > sum(1 for row in grid.rows[1:] if any(map(_names_or_holds_rate, row.cells)))


def _rows_beside_cores(grid: Grid, captions: Sequence[str]) -> list[int]:
    """ "Cost | 9.1 cores of 16 (57%)" and "Disk | 31 MB/s written" of another test: what the disk had to do in it."""
    if not any(_CORES_USED.search(cell) for row in grid.rows[1:] for cell in row.cells[1:]):
        return []
    rated = [row for row in grid.rows[1:] if any(map(_UNITED_RATE.search, row.cells[1:]))]
    named = (*captions, *(row.cells[0] for row in grid.rows))
    is_of_drives = any(map(_TOOL.search, named)) or any(map(_DRIVE.search, captions))
    are_watched = not is_of_drives and all(_DISK_ALONE.fullmatch(row.cells[0]) for row in rated)
    return [row.line for row in rated] if are_watched else []


def _names_or_holds_rate(cell: str) -> bool:
    return _UNITED.search(cell) is not None or bool(read_head(cell).quantities)


def _without_parts(grid: Grid) -> Grid:
    """ "CPU | RAM | SEQ1M Q8T1 | RND4K Q32T1" as rows: of what a machine has, what has the name of a test."""
    if not _is_of_parts(grid):
        return grid
    tests = [row for row in grid.rows[1:] if _names_test(heading_of(row.cells[0]).load)]
    return replace(grid, rows=(grid.rows[0], *tests)) if len(tests) > 1 else grid


def _names_test(load: Load) -> bool:
    return load.random is not None and load.block_bytes is not None


def _is_of_part(row: Row) -> bool:
    """ "CPU | EPYC 7302"; "CPU | 5,290 events/s" is what sysbench gave."""
    return _PART.fullmatch(row.cells[0]) is not None and not any(map(_TESTED_PART.search, row.cells[1:]))


def _is_of_shares(grid: Grid) -> bool:
    """ "IOPS | 1.00 | 0.93": by how much each differs from the one that counts as 1."""
    for at, head in enumerate(grid.rows[0].cells):
        if [(each.kind, each.factor) for each in read_head(head).quantities] != [(IOPS, 1.0)]:
            continue
        cells = [row.cells[at].strip("* ") for row in grid.rows[1:] if at < len(row.cells)]
        shares = [value for cell in cells if (value := number(cell)) is not None]
        if len(shares) > 1 and max(shares) < _LARGEST_SHARE and any(map(_ONE.fullmatch, cells)):
            return True
    return False


def _is_said_to_be_measured(line: str) -> bool:
    is_said = _MEASURED.search(line) is not None or heading_of(line).load.depth is not None
    return is_said and not _NOT_TESTED.search(line)


def _is_of_database(grid: Grid, captions: Sequence[str]) -> bool:
    """Latencies beside transactions, or below the name of such a benchmark, and no rates of a drive among them."""
    heads = [cell for row in grid.rows[: grid.heads or 1] for cell in row.cells]
    labels = [row.cells[0] for row in grid.rows[1:]]
    if _QUERY.fullmatch(heads[0]) or _YCSB.fullmatch(heads[0]) or any(map(_YCSB.fullmatch, labels)):
        return True
    if any(map(_RATE.search, (*heads, *labels))):
        return False
    return any(map(_TRANSACTIONS.search, heads)) or any(map(_DATABASE.search, (*heads, *captions[:2])))


def _is_of_typical_values(grid: Grid) -> bool:
    """ "~80,000-100,000", "5-10 ms": what such drives give at large."""
    values = [cell for row in grid.rows[1:] for cell in row.cells[1:] if any(map(str.isdecimal, cell))]
    if _is_of_kinds_of_drives(grid, values):
        return True
    if 2 * sum(1 for cell in values if _ROUGHLY.match(cell)) <= _MOST_ROUGH * len(values):
        return False  # nearly every table
    labels = (row.cells[0].strip("*` ").lower() for row in grid.rows[1:])
    if any(map(_TOOL.match, labels)) or any(
        _TOOL.fullmatch(cell.strip("*` ")) for row in grid.rows[1:] for cell in row.cells[1:]
    ):
        return False  # somebody tells with what he measured
    if _is_of_kinds(grid):
        return len(values) > 3 and 2 * sum(1 for cell in values if _ROUGHLY.match(cell)) > len(values)
    united = [cell for cell in values if _UNITED.search(cell)]
    values = united if 2 * len(united) > len(values) else values
    return len(values) > 3 and sum(1 for cell in values if _ROUGHLY.match(cell)) > _MOST_ROUGH * len(values)


def _is_of_kinds(grid: Grid) -> bool:
    """ "Storage type | IOPS", each row of a kind of drive at large."""
    labels = [row.cells[0] for row in grid.rows[1:]]
    return _KIND_OFFERED.fullmatch(grid.rows[0].cells[0]) is not None and all(map(_NAMES_DRIVES.search, labels))


def _is_of_kinds_of_drives(grid: Grid, values: Sequence[str]) -> bool:
    """ "HDD | SSD | NVMe" above numbers of two digits and zeros, some of them rough: as much as such drives do."""
    kinds = [at for at, head in enumerate(grid.rows[0].cells) if _KIND_OF_DRIVE.fullmatch(head)]
    cells = [row.cells[at] for row in grid.rows[1:] for at in kinds if at < len(row.cells)]
    numbers = [_NUMBER.findall(cell) for cell in cells]
    told = [each for each in numbers if each]
    is_round = all(len(re.sub(r"\D", "", one).strip("0")) <= 2 for each in told for one in each)
    is_told = 4 <= len(told) > len(cells) // 2
    return len(kinds) > 1 and is_told and is_round and any(map(_ROUGHLY.match, values))


def _is_of_demands(grid: Grid) -> bool:
    """ "Minimum | Recommended", "According to the docs": what somebody asks of a drive, or sells."""
    heads = [
        head for at, head in enumerate(grid.rows[0].cells) if at and (_holds_values(grid, at) or _is_united(grid, at))
    ]
    asked = [head for head in heads if _WISHED_HEAD.search(head)]
    return bool(asked) and all(head in asked or _AT_LEAST.fullmatch(head) for head in heads)


def _names_measure(cells: Sequence[str]) -> bool:
    """A row of heads with a quantity, or one that names an operation and then the unit: "read | IOPS | 1,200", "Disk |
    seq read (MB/s) | 3,100"."""
    named = [cell for cell in cells if read_head(cell).quantities]
    ways = (heading_of(cell).load.way for cell in (*cells[:1], *named) if not heading_of(cell).names_values)
    return bool(named) and (any(ways) or not any(map(is_plain_value, cells)))


def _with_throughput_of_tools(grid: Grid) -> Grid:
    """ "Path | iperf3" as "Path | iperf3 throughput"."""
    heads, *body = grid.rows
    named = tuple(
        f"{head} throughput" if at and _NETWORK_HEAD.fullmatch(head) else head for at, head in enumerate(heads.cells)
    )
    return grid if named == heads.cells else replace(grid, rows=(Row(heads.line, named), *body))


def _without_demands(grid: Grid) -> Grid:
    """ "offered | achieved | loss" as "| achieved throughput | loss"."""
    heads, *body = grid.rows
    if not _DEMANDED.fullmatch(heads.cells[0]) or not any(map(_DELIVERED.match, heads.cells[1:])):
        return grid
    named = (f"{head} throughput" if _DELIVERED.fullmatch(head) else head for head in heads.cells[1:])
    rows = (Row(heads.line, ("", *named)), *(Row(row.line, ("", *row.cells[1:])) for row in body))
    return replace(grid, rows=tuple(rows))


def _without_promises(grid: Grid) -> Grid:
    """Without columns of promised or wished rates where others of measured rates stand beside them."""
    heads = grid.rows[0].cells
    named = [head for head in heads if (phrase := heading_of(head)).quantities or phrase.ways]
    if any(map(OF_RESULTS.search, heads)):
        named = list(heads[1:])
    promised = {head for head in named if _NOT_MEASURED.search(head) or _WISHED_HEAD.search(head)}
    if promised.issuperset(named):
        promised = set()
    columns = {head for at, head in enumerate(heads) if at and _holds_values(grid, at)}
    wished = set(filter(_WISHED_HEAD.search, columns))  # "before | after | target"
    if wished < columns:
        promised |= wished
    sold = {head for head in heads[1:] if len(head) <= _LONGEST_PROMISE and _NOT_MEASURED.search(head)}
    if columns - sold - promised and not named and any(heading_of(row.cells[0]).load.way for row in grid.rows[1:]):
        promised |= sold  # "rated | measured" above rows of tests
    promised |= {head for at, head in enumerate(heads) if at and _SCORE.fullmatch(head) and not _is_united(grid, at)}
    if told_by_both_ways([row.cells for row in grid.rows]):
        promised |= set(filter(_INTERFACE.fullmatch, heads))
    if not promised:
        return grid
    kept = [head not in promised for head in heads]
    rows = (
        Row(row.line, tuple(cell if keep else "" for cell, keep in zip(row.cells, kept, strict=False)))
        for row in (Row(grid.rows[0].line, tuple(_with_names_of_promises(heads, promised))), *grid.rows[1:])
    )
    return replace(grid, rows=tuple(rows))


def _with_names_of_promises(heads: Sequence[str], promised: Container[str]) -> Iterator[str]:
    """ "Seq. read, vendor | result | IOPS, vendor | result": a result is of what the promise before it names."""
    yield from heads[:1]
    for before, head in pairwise(heads):
        phrase, own = heading_of(before), heading_of(head)
        is_result = OF_RESULTS.search(head) is not None and not (own.quantities or own.ways)
        named = [token.text for token in phrase.tokens if token.kind not in ("word", "noise")]
        yield " ".join((*named, head)) if before in promised and is_result else head


def _without_promised_rows(grid: Grid) -> Grid:
    """ "Theoretical maximum | 118 | 118" beside rows of what was measured, below heads that name quantities."""
    heads, *body = grid.rows
    if not any(head.quantities or head.ways for head in map(read_head, heads.cells[1:])):
        return grid
    kept = tuple(row for row in body if not _is_promised(row))
    return replace(grid, rows=(heads, *kept)) if 0 < len(kept) < len(body) else grid


def _is_promised(row: Row) -> bool:
    """ "Theoretical maximum | 118", "∞ | ~2.9 GB/s | link ceiling", "disk A (spec) | 550"."""
    values = list(filter(is_plain_value, row.cells[1:]))
    if values and any(map(_CEILING.fullmatch, row.cells)):
        return all(map(_ROUGHLY.match, values))
    aside = _ASIDE.search(row.cells[0])
    names = (row.cells[0], aside["aside"]) if aside else row.cells[:1]
    is_named = any(map(_PROMISED_ROW.fullmatch, names)) or any(map(_RECKONED.fullmatch, names[1:]))
    return is_named and all(map(is_plain_value, filter(None, row.cells[1:])))


def _without_told_promises(grid: Grid, captions: Sequence[str]) -> Sequence[str]:
    """ "Our numbers and theoretical maxima" above a table with a row of such: the caption speaks of that row."""
    has_row = any(map(_is_promised, grid.rows[1:]))
    return [line for line in captions if not _NOT_MEASURED.search(line)] if has_row else captions


def _without_noted(grid: Grid, lines: Sequence[str]) -> Grid:
    """Without cells whose mark a note below explains by where they come from: "* from the data sheet, not tested"; and
    without rough ones of a column that has no others."""
    below = lines[grid.end : grid.end + _NOTES_WITHIN]
    notes = {at: match["mark"] for at, line in enumerate(below) if (match := _NOTE.match(line))}
    told = {mark: " ".join(below[at : at + 3]) for at, mark in notes.items()}
    marks = {mark for mark, note in told.items() if _NOT_TESTED.search(note) or _TYPICAL.search(note)}
    if not marks:
        return grid

    def is_noted(cell: str) -> bool:
        return any(cell.rstrip("_ \ufe0f").endswith(mark) for mark in marks)

    columns = {at for row in grid.rows[1:] for at, cell in enumerate(row.cells) if at and is_noted(cell)}
    below_heads = [row for row in grid.rows[1:] if any(row.cells[1:])]
    columns = {at for at in columns if all(is_noted(c) or _ROUGHLY.match(c) for c in _column(below_heads, at))}

    def is_none(row: Row, at: int) -> bool:
        cell = row.cells[at]
        return is_noted(row.cells[0]) or is_noted(cell) or (at in columns and _ROUGHLY.match(cell) is not None)

    rows = (
        Row(row.line, tuple("" if at and is_none(row, at) else cell for at, cell in enumerate(row.cells)))
        for row in grid.rows
    )
    return replace(grid, rows=tuple(rows))


def _column(rows: Sequence[Row], at: int) -> Iterator[str]:
    """Its cells that hold something."""
    return (row.cells[at] for row in rows if at < len(row.cells) and row.cells[at])


def _is_united(grid: Grid, at: int) -> bool:
    return any(_UNITED.search(row.cells[at]) for row in grid.rows[1:] if at < len(row.cells))


def _holds_values(grid: Grid, at: int) -> bool:
    cells = (row.cells[at] for row in grid.rows[1:] if at < len(row.cells))
    return any(is_plain_value(cell) or is_range(cell, (Quantity(IOPS),)) for cell in cells)


@dataclass(frozen=True, slots=True)
class _Read:
    """A grid as a table of runs. is_none: it shows no measurement."""

    grid: Grid
    is_none: bool
    told: Sequence[Told]
    table: Table | None
    cells: Sequence[Cell]
    groups: list[Group]
    unread: Mapping[int, str]
    """The lines with a range for a single value, of a run's seconds, or of what a disk had to do in another test, and
    why they give no result."""
    heading: str = ""
    """Right above it."""
    is_of_rados: bool = False
    """Rados bench is the one tool that the lines above it name."""
    is_of_hdparm: bool = False
    """Hdparm is the one tool that its heads and the lines right above it name."""
    is_captioned: bool = False
    """The lines right above it name a quantity."""
    names: Sequence[str] = ()
    """The lines above it that may name what was measured in it, the nearest first."""


def _results_of(one: _Read) -> list[Result]:
    table = one.table
    if table is None:
        return []
    loads = (*(head.load for head in table.heads), *(row.load for row in table.rows))
    orders = {load.random for load in loads if load.way}
    alone = Counter(group.row.row.line for group in one.groups)
    drafts = []
    for group in with_telling_rows(table.heads, one.groups):
        draft = draft_of(table, group, one.told, names_random=True in orders, names_sequential=False in orders)
        if draft is not None and alone[group.row.row.line] == 1:
            draft = replace(draft, result=replace(draft.result, runtime_s=_run_time(table.heads, group.row.row)))
        if draft is not None and len(one.groups) == 1 and table.by_rows:
            draft = replace(draft, result=_with_counts(draft.result, table))
        drafts += [draft] if draft is not None else []
    return with_proven_units(drafts, are_of_rados=one.is_of_rados, are_of_mib=one.is_of_hdparm)


def _with_counts(result: Result, table: Table) -> Result:
    """ "Operations: 2000" among the lines of one run: so many were done; and in the time beside it, where the rate is
    theirs."""
    cells = [(row.row.cells[0].strip(" *:："), row.row.cells[1]) for row in table.rows if len(row.row.cells) == _PAIR]
    done = [count(number(cell, table.commas)) for name, cell in cells if _OPERATIONS.fullmatch(name)]
    ios = done[0] if len(done) == 1 else None
    times = [
        time for name, cell in cells if _TOTAL_TIME.fullmatch(name) and (time := read_head("duration").seconds(cell))
    ]
    is_theirs = ios and result.iops and len(times) == 1 and abs(ios / times[0] / result.iops - 1) < _SAME_RATE
    return replace(result, total_ios=ios, runtime_s=times[0] if is_theirs else result.runtime_s)


def _run_time(heads: Sequence[Head], row: Row) -> float | None:
    """In seconds, where one column tells it."""
    times = [head.seconds(cell) for head, cell in zip(heads, row.cells, strict=True) if head.role == "runtime"]
    return times[0] if len(times) == 1 else None
