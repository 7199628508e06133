"""Which numbers of a text nobody measured: wishes, limits, promises, the speed of a link, by how much something grew.

What supposes a number stands before it in its sentence, or behind it in its clause: "rated for 550 MB/s, in reality it
writes 310 MB/s", "111 MB/s, so the link is the limit". Numbers that are supposed are made illegible, the others stay.
"""

from __future__ import annotations

from functools import lru_cache

from radoscope import patterns as re
from radoscope.formats.context.promised import promised_from
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.alternatives import Alternatives
from radoscope.formats.grammar.phrases import RATE

_NUMBER = r"\d[\d.,']*(?:(?<![.,]) \d{3})*(?: ?[kKM](?![a-zA-Z]))?"
AMOUNT = rf"[~≈]?{_NUMBER}"
UNIT = rf"(?<![,.]) ?(?:{RATE}|k?{words.IOPS}|(?:{words.THOUSANDS}) (?:{words.IOPS})|{words.TIME_UNIT})"
VALUE = re.compile(
    rf"(?<![A-Za-z0-9_.,]){AMOUNT}"
    rf"(?:万|萬|만|w(?=\s?iops)| ?(?:{words.THOUSANDS})(?=\s))?(?:(?: [^\W\d]+['’]?){{0,3}}?|-(?=[KMG]i?B)){UNIT}"
    rf"|IOPS\W{{0,3}}{AMOUNT}",
    re.IGNORECASE,
)
SENTENCE = re.compile(
    r"(?<=[.!?])(?<![ (]vs\.)(?<!\b[Ss]eq\.)(?<!\brand\.)(?<!\bapprox\.)\s+(?=[¿¡]?[^\W\d_])|(?<=[。！？])"
)
_NEAR_NUMBER = r"(?=(?: (?:the|its|our|those|any|les|los|las|os|i|den))? ?(?:[~≈]?\d|$))"
"""It may be cut off behind it."""
_UNREACHED = (
    rf"\b(?:far(?: away)? from|nowhere near|nothing like|no way to (?:get|reach|hit|see)){_NEAR_NUMBER}"
    r"|\b(?:never|not)(?: even)? (?:in|within) reach\b|\bout of reach\b"
    r"|\b(?:erreich|schaff)\w* (?:\w+ ){0,2}?(?:nie(?:mals)?|nicht)\b|\bweit (?:entfernt|weg)\b"
    rf"|\bloin d(?:es|e){_NEAR_NUMBER}|\bn['’]atte\w+ (?:pas|jamais)\b"
    r"|\b(?:nunca|no) (?:llega|alcanza)\w*|\b(?:nunca|não) (?:chega|atinge|alcança)\w*"
    rf"|\bl(?:ejos|onge) d[eo]s?{_NEAR_NUMBER}"
    rf"|\bnon (?:arriva|raggiunge)\w*|\blontan[oi] da(?:i|gli)?{_NEAR_NUMBER}"
    rf"|\bnie (?:osiąga|dochodzi)\w*|\bdaleko od{_NEAR_NUMBER}|не (?:дотяг|достиг)\w+|далеко (?:от|до){_NEAR_NUMBER}"
    r"|[达達]不到|(?:未|没有?|沒有?)[达達]到|に(?:は|も)?(?:届|達し|及ば)(?:か|き)?(?:ない|ません|ず)"
    r"|(?:도달하지|미치지) (?:못|않)|못 미[치친칩]"
)
""" "It is far from 500 MB/s": what somebody did not see."""
_GRANTED = (
    r"\b\d{1,3} ?g(?:be|bit(?:/s)?|bps)\b(?: \w+){0,2} (?:means|allows?|permits?|equals|translates to|limits)\b"
    r"|\bin (?:the|their|its) (?:docs|documentation|manual|brochure|marketing) (?:they|it|there|you|one)\b"
)
""" "10GbE means at most 1.1 GB/s": nobody saw it."""
_IF_GOT = re.compile(
    r"\bif (?:i|we) (?:get|got|reach|see|saw)\b[^.;]{1,80}?\b(?:would|will|should|happy|fine|enough|satisfied|glad)\b",
    re.IGNORECASE,
)
""" "If I get 300 MB/s I would be happy"."""
_MODAL = Alternatives(
    f"{words.WISHED}|{words.OFFERED}|{words.OF_ANY_SUCH}|{words.SPECIFIED}|{words.PROMISED}|{_UNREACHED}|{_GRANTED}"
    r"|(?:\bnot|n['’]t|\bnever|\bnicht|\bkein\w*) (?:\w+ ){0,2}?(?:reach|exceed|hit|get to|erreich)"
    r"|(?:\bnot|n['’]t|\bnever|\bnicht|\bnie(?:mals)?|\bjamais|\bnunca|\bmai|\bnigdy|\bникогда) (?:\w+ ){0,3}?"
    r"(?:more than|mehr als|plus de|más de|mais de|più di|więcej niż|больше)"
    r"|\b(?:lecture|écriture|copie|lectura|escritura|copia|lettura|scrittura|leitura|escrita|cópia|débit)"
    r" (?:de |di |da |en |in )?(?:la |a )?(?:mémoire|mem[óo]ria)(?! (?:flash|usb|sd)\b)"
    r"|\bmemory (?:band|bench|read|writ|cop|throughput|speed|baseline)"
    r"|\bL[1-4][di]?[- ]?cache\b|\bram\b|arbeitsspeicher|内存|メモリ"
)
_NO_MORE = re.compile(r"\b(?:not (?:\w+ ){0,2}|no (?:more )?(?:than )?)$", re.IGNORECASE)
"""Right before a number."""
_STATED = Alternatives(f"{words.STATED}|{words.USUALLY}")
_PARTICIPLES = ("delivering", "providing")
_PRODUCT_PART = r"\b(?:controller|interface|d?ram|nand|flash|cache|chips?|engine|architecture|pcie|gen ?\d)\b"
_ITEM_OF_HEADING = re.compile(
    rf"[\s*•-]*(?!.*(?:{words.READ}|{words.WRITE}|{_PRODUCT_PART}))"
    r"\w[^.,;:\n]{0,60}? (?:delivering|providing) [~≈]?\d[^.;:\n]*",
    re.IGNORECASE,
)
""" "- the ssd pool delivering 18,200 IOPS": who praises a product names its parts or the direction, too."""
_OF_ITS_KIND = re.compile(words.OF_ITS_KIND, re.IGNORECASE)
_TESTED = Alternatives(words.TESTED)
_NOT_TESTED = re.compile(
    r"(?:\b(?:I|we) (?:did|have|had)(?:n['’]t| not| never)(?: \w{2,8})?"
    r" (?:measured?|test(?:ed)?|benchmark(?:ed)?|tr(?:y|ied))"
    r"(?: (?:it|this|that|them|these))?(?: (?:yet|myself|ourselves))?"
    r"|\bhabe(?:n)? (?:ich|wir) (?:das |es )?(?:noch )?nicht (?:gemessen|getestet)"
    r"|\bnon (?:testé|mesuré)e?|\bje ne l['’]ai pas (?:testé|mesuré)|\bno lo he (?:medido|probado))"
    r"(?:(?P<colon>:)|[.,;!)]|$)",
    re.IGNORECASE,
)
""" "61k IOPS or so, I did not measure it yet.", "I have not tested it: 61k IOPS"."""
_OF_PRODUCT = re.compile(
    r"\w*\d\d\w* (?:[A-Z]\w+ )?\d[\d.]{0,4} ?[TG]B \((?!.{0,40}?(?:fio|dd\b|bench|measur|test|real|hdparm))"
    rf"[^()]{{0,40}}\d ?{RATE}[^()]{{0,40}}\)",
    re.IGNORECASE,
)
""" "a Kingston KC2500 1TB (read: 3500 MB/s, write: 2900 MB/s)"."""
_OF_LINK_ASIDE = re.compile(
    r"\b(?:one |a |the |\d{1,3} ?)(?:gigabit|gbe|gbit(?:/s)?|gbps)(?: ethernet| link| line)? \((?!.{0,40}?iperf)"
    r"(?:about|around|roughly|max\.?|at most|up to|i\.?e\.?|so|=|[~≈])[^()]{1,80}\)",
    re.IGNORECASE,
)
""" "One gigabit (about 110 MiB/s at best) is the wall here"."""
_SUPPOSED_WHOLE = (("i", _OF_LINK_ASIDE), ("B (", _OF_PRODUCT), ("f ", _IF_GOT))
"""All numbers of these are; a sign of each is looked for first, which is cheaper."""
_WON = re.compile(
    r"\b(?:wins?|won(?!['’])|winner|loses?|lost|outperform(?:s|ed)|beats?|overtakes?|overtook|pulls? ahead"
    r"|falls? behind|comes? out (?:ahead|on top)|gewinnt|schlägt|verliert|gagne|l['’]emporte|gana|vence|ganha"
    r"|vince|wygrywa)\b|выигрыва|勝[つち]|胜出",
    re.IGNORECASE,
)
"""Who was set against another was tested."""
_ASIDE = re.compile(
    rf"\s?[(（][^()（）\d]{{0,30}}?(?:{words.NOT_MEASURED}|\bclaim|\bexpect|\btarget|\bgoal|\bpromis|\bvendor"
    rf"|manufacturer"
    r"|hersteller|constructeur|fabricante|vom papier|目标|目標|预期|期待|メーカー|厂商)[^()（）\d]{0,30}[)）]"
    rf"|\s?[(（](?:{words.TYPES_OF_DRIVES}|ssd|hdd) ?기준[)）]"
    rf"|\s?[(（](?:(?:max\w*|максимум) )?(?:{words.UP_TO})\s?[~≈]\d"
    r"[^()（）]{0,20}[)）]",
    re.IGNORECASE,
)
"""Right behind a number: "3,500 MB/s (spec)", "~2,000 IOPS (up to ~4,000)"."""
_ASKS_WHY = re.compile(words.ASKS_WHY, re.IGNORECASE)
_LITTLE = re.compile(
    r"\b(?:i|we|my|our|only|just|ich|mein\w*|nur|je|mon|ma|mes|ne|n['’]\w+|seulement|mi|mis|solo|sólo|yo|mio|mia"
    r"|meu|minha|só"
    r"|mój|moja|mam|tylko|můj|jen|pouze|mijn|maar|slechts|min|mitt|bara|kun|sadece|chỉ)\b|мой|моя|мо[йяє]|у меня"
    r"|только|всего|лише|[才只]|だけ|しか|[만밖]",
    re.IGNORECASE,
)
"""A question that complains of a number tells what it is: "Why do I only get 12 MB/s?"."""
_PART = re.compile(words.OTHER_PART, re.IGNORECASE)
_OF_FLUSH = re.compile(r"\bf(?:data)?sync (?:\S+ )?(?:latenc(?:y|ies)|lat|times?)\b[^;.:]*$", re.IGNORECASE)
"""What stands before a time of the flushes, not of the writes."""
_CONVERTED = re.compile(
    rf"[~≈] ?{_NUMBER}{UNIT} ?[=≈] ?[~≈] ?{_NUMBER}{UNIT}"
    rf"|(?<![\w.,])\d[\d.,]{{0,9}}[kKM]?(?: ?iops)? ?[×x*·] ?\d{{1,4}} ?[kM]i?B ?[=≈] ?[~≈]? ?{_NUMBER}{UNIT}",
    re.IGNORECASE,
)
""" "~2800 MB/s = ~700K IOPS": reckoned with a rough number; "67,000 × 4 KiB ≈ 274 MB/s": with a block."""
_JUDGED = re.compile(
    rf"[<>≥≤]=? ?{AMOUNT} ?(?:{UNIT})?(?= ?(?:indicates?|suggests?|means|points? to|deutet|indique|indica"
    r"|wskazuje|указывает|表示|意味))",
    re.IGNORECASE,
)
""" "> 2000 indicates a good drive"."""
_AXIS = re.compile(rf"(?<![\d.,])0(?:\s+\d[\d.,]*){{2,}}{UNIT}\s*$", re.IGNORECASE)
"""Of a picture made of letters: "read   0   500   1000 MB/s"."""
_IS_TIME = re.compile(rf"{AMOUNT} ?(?:{words.TIME_UNIT})$", re.IGNORECASE)
_INSTEAD_OF = Alternatives(words.INSTEAD)
_INSTEAD = re.compile(
    rf"(?:{words.INSTEAD}) (?:(?:the|my|den|die|der|les|mes|los|las|i|gli) )?(?:\w+ )?(?:(?:{words.ABOUT}) )?$",
    re.IGNORECASE,
)
_AS_BEFORE = re.compile(
    r"^ ?(?:before|previously|earlier|as before|vorher|früher|zuvor|avant|auparavant|antes|prima|wcześniej|dříve"
    r"|раньше|раніше|önce"
    r"|tidigare|eerder|trước|之前|以前|이전)(?!\w)|^ ?(?:on|with|over|auf|mit|über|sur|avec|en|con|su|na|z|на|с|på"
    r"|med|op|met)\s",
    re.IGNORECASE,
)
""" "Instead of 6.8 MB/s before": that was measured, too."""
_BELOW = re.compile(
    r"\W*(?:(?:anything|everything|alles|tout|todo|tutto|vše|всё) )?(?:below|under|unter(?:halb(?: von)?)?"
    r"|(?:en |au-?)?dessous de|sous|(?:por )?debajo de|sotto(?: i)?|abaixo de|poniżej|pod|onder|ниже)\s[~≈]?",
    re.IGNORECASE,
)
"""What begins a sentence that tells from where on something is too slow: "Below 800 MB/s you notice it"."""
_BOUND = re.compile(rf"(?:{words.BOUND})\W{{0,2}}$", re.IGNORECASE)
_SUB = re.compile(rf"{words.SUB}[ -]?$", re.IGNORECASE)
_BOUND_BEHIND = re.compile(rf" ?(?:{words.BOUND_BEHIND})")
"""Around a number: "under 8 ms" was seen, and is no value."""
_UP_TO = re.compile(rf"(?:{words.UP_TO})\s?$", re.IGNORECASE)
_WATCHED = Alternatives(
    rf"{words.MONITORED}|{words.WATCHED}|\[eta |\[r=\d|\[w=\d|(?<=\d){UNIT} ?[*×x] ?\d"
    r"|\bsysbench[ _-]memory|^\s*\d+ bytes written in [\d.]+ seconds \([^()]*\)\.?\s*$"
    r"|\bif=/dev/(?:zero|u?random)\b.{0,60}\bof=/dev/(?:null|zero)\b"
    r"|\bof=/dev/(?:null|zero)\b.{0,60}\bif=/dev/(?:zero|u?random)\b"
    r"|\bzero\b\W{0,3}(?:->|→|=>|to|nach|a|vers)\W{0,3}(?:/dev/)?null\b"
)
"""Of a monitor, a calculation, memory alone, or how files for a test were laid out."""
_DEMANDED = re.compile(
    r"(?:recommended|recommendation|empfohlen|empfehlung|recommandée?s?|recommandation|recomendad[oa]s?|recomendación"
    r"|recomendação|raccomandat[oaie]|consigliat[oaie]|zalecan[eaoy]|doporučen[oéáý]|рекоменд\w+|aanbevolen|önerilen"
    r"|建议值?|建議值?|推荐值?|推薦値?|推奨値?|권장"
    r"|(?<!\w)(?:ab|à partir de|a partir(?:e da| de|e dai)))[\s*_]*[:：=]?[\s*_]*[~≈>≥]*\s*$",
    re.IGNORECASE,
)
"""Right before a number: what a manual asks for."""
_TURN = Alternatives(rf"{words.TURN}|(?:{words.INSTEAD})(?: \w+){{0,4}}? ?{AMOUNT}{UNIT}(?: [^\W\d]+(?=,))?")
"""Behind it somebody tells what he has."""
_ONLY = re.compile(rf"(?:(?<![^\W\d_])(?:{words.ONLY})(?: [^\W\d]+){{0,3}}? ?[~≈]?$)", re.IGNORECASE)
_BOUGHT = re.compile(
    r"\b(?:buy|bought|order(?:ed)?|book(?:ed)?|pa(?:y|id) for|purchased?|rent(?:ed)?|gebucht|bestellt|kauf(?:ten?|en)"
    r"|buch(?:ten?|en)|acheté|compr(?:amos|é|ei)|comprato|kupi(?:łem|liśmy)|koupili|купили|заказали)"
    r" (?:\w+ ){0,2}[~≈]?$",
    re.IGNORECASE,
)
"""Right before a number: "We bought 6000 IOPS and got 1066 IOPS"."""
_ONLY_BEHIND = re.compile(r"\s?(?:しか|밖에|만 |だけ)")
_ABLE_ONLY = re.compile(
    r"\b(?:can|could|may|might)(?: now)?(?= (?:only|just|barely|hardly|easily|still)\b)"
    r"|\b(?:i|we) (?:can(?:no|['’]?)t|could(?:n['’]?t| not)) (?:\w+ )?(?:get|reach|exceed|go)(?: \w+){0,2}?"
    r" (?:more than|above|past|over|better than|beyond)\b"
    r"|\b(?:i|we) never (?:get|reach|see) (?:more than|above|past|over|beyond)\b"
    r"|\b(?:je|on|ça) n['’e]\s?\w+ jamais plus de\b"
    r"|\bnunca (?:\w+ ){0,2}?(?:más|mais) de\b|\bnon \w+ mai (?:più di|oltre)\b"
    r"|\bnigdy nie \w+ więcej niż\b|\bникогда не \w+ (?:больше|более|выше)(?! \w+ надо)"
    r"|\bkönnte\w*(?= (?:nur|gerade|kaum)\b)"
    r"|\b(?:show|reach|hit|zeig|montre|atteint|atteign|mostra|muestra)\w*"
    r" (?:(?:its|their|seine?n?|ihre?n?|ses|leurs?|il|i|loro|suo|suoi|sus?) ){1,2}"
    r"(?:limits?|grenzen?|limites?|límites?|limiti)(?!\w)",
    re.IGNORECASE,
)
_AS_EXPECTED = re.compile(
    r"\b(?:just |pretty much )?as expected\b|\bwie erwartet\b|\bcomme (?:prévu|attendu)\b|\bcomo (?:se )?esper\w+"
    r"|\bcome (?:previsto|atteso)\b|\bzgodnie z oczekiwani\w+|\bpodle očekávání|как и ожидал\w+"
    r"|\bzoals verwacht|\bsom (?:förväntat|forvent\w+)|\bkuten odotet\w+|\bconform așteptăr\w+|\bpodľa očakáv\w+"
    r"|\bbeklendiği gibi|\bahogy vár\w+|\bvárakozás\w* szerint|як і очікува\w+|όπως αναμεν\w+"
    r"|\bnhư (?:mong đợi|dự kiến)|\bseperti yang diharapkan"
    r"|符合(?:[预預]期|期待)|如[预預]期|(?:予想|期待)(?:通|どお)り|예상(?:한 ?)?대로",
    re.IGNORECASE,
)
"""What came out so was seen."""
_FOR_WHOM = re.compile(
    r"\bfor [\w\- ]{1,40} (?:that|which|who) (?:need|want|require)s? [^\d,;.]{1,60},"
    r"(?= ?(?:\w+ ){0,4}(?:reach|gave|gives?|g[eo]ts?|delivers?|delivered|achieves?|achieved|are|is|was|were)\b)",
    re.IGNORECASE,
)
""" "For workloads that need low latency, random reads reach 21,000 IOPS."."""
_ATTAINED = re.compile(
    r"\bpeak (?=[^.;!?]{1,50}\d[\d.,]* ?[^\W\d]{1,4}(?:/s)? (?:"
    r"(?:was|were) (?:attained|reached|achieved|measured|seen|observed|recorded)\b"
    rf"|(?:at|with|for) \d{{1,4}} (?:{words.JOBS})))",
    re.IGNORECASE,
)
"""The most that a test with so many threads came to; makers name none."""
_AT_MOST = re.compile(
    r"(?<=\s)(?P<reached>(?:erreich(?:e|t|te|ten)|schaff(?:e|t|te|ten)|bek(?:omme?n?|am|amen)|komm[te]n?|kam(?:en)?"
    r"|lie(?:st|fern|fert|ferte)|las(?:en)?|schreibt|schrieb(?:en)?|läuft|lief(?:en)?|bring[te]n?|brachten?|l[aä]g(?:en)?|liegt|liegen|waren|war)"
    r"\b[^.,;:!?\d]{0,40}?\s)(?:höchstens|nie(?:mals)? mehr als)(?=\s)",
    re.IGNORECASE,
)
"""The most that something came to, and no bound: "NFS kommt auf höchstens 96 MB/s"."""
_BOUNDED = re.compile(
    rf"(?<![-=<>\w])[<>](?= ?{AMOUNT}{UNIT})|(?<=[\dkK])\+(?= ?(?:[a-z/-]+ ){{0,3}}?(?:{RATE}|{words.IOPS}))",
    re.IGNORECASE,
)
_TOLD_FIRST = re.compile(rf".*(?:[,;，；、](?!\d)|{words.CONTRASTS_CJK})")
_ASKS_BEHIND, _ASKS = Alternatives(words.ASKS_BEHIND), re.compile(rf"\W*(?:{words.ASKS})(?!\w)", re.IGNORECASE)
_SAW = Alternatives(
    rf"{words.TURN}|{words.CHANGED}|(?<!\w)(?:{words.ONLY}|hits?|gets?|starting|starts|started|schafft"
    rf"|läuft)(?!\w)"
)
_ABLE = re.compile(r"\b(?:can|could) (?=reach|get|do|hit)", re.IGNORECASE)
_ACTING = re.compile(r"\bwhen (?:i |we )?(?:writ|read|copy)", re.IGNORECASE)
""" "When writing files it can reach 21 MB/s, when reading only 5 MB/s" was seen."""
_OPENED = re.compile(r"[(（]")
_BRACKETED = re.compile(r"[(（][^()（）]{0,80}[)）]")
_OF_A_PART = re.compile(
    rf"[(（](?![^()（）]*(?:{words.TESTED}"
    rf"|{words.TURN}))(?:[^()（）:：=]*[\s,;])?(?:{words.TYPES_OF_DRIVES})(?![^\W\d])(?![^,，]*{UNIT})[^()（）:：=]*[,，/][^()（）:：=]*$",
    re.IGNORECASE,
)
"""What brackets name beside the type of a drive: "my SSD (NVMe, PCIe 3.0, 3300 MB/s read)"."""
_RECEIVES = re.compile(
    r"(?:receiv|transmit|empf[aä]ng|rece[vç]oi|reçoi|recib|receb|ricev|ontvang|otrzym|přijím|прин[ия]м"
    r"|прийм)\w*[^,;]{0,25}$",
    re.IGNORECASE,
)
_BY_WIRE = re.compile(
    r" ?(?:of data )?(?:over|via|through|across|über|par|sur|por|via|tramite|via|przez|přes|через|по)"
    r" (?:(?:the|das|le|la|il|el|het) )?(?:ethernet|network|lan|wire|wi-?fi|netz|réseau|red|rede|rete|sieć|síť|сеть"
    r"|сети|мережу)",
    re.IGNORECASE,
)
""" "It can receive data at 109 MB/s over ethernet": no drive has a part in it."""
_CLAUSE_END = Alternatives(
    r"[,;(:：，；、。](?!\d)|\s[-–—]\s|\b(?:so|which|because|weil|was(?! (?:never|not|out)\b))\b"
    rf"|\b(?:{words.CONTRASTS})\b|{words.CONTRASTS_CJK}"
    rf"|\s(?:and|und|et|y|e|en|och|i|a|и|і|та)(?=\s(?:{words.SHOULD})\b)"
    rf"|(?:{words.AGAINST})(?=\W|$)"
)
_PART_ASIDE = re.compile(
    r"^\W*(?:storage|dis[kc]s?|drives?|ssds?|hdds?|nvme|speicher|festplatten?|laufwerke?|stockage|disques?"
    r"|almacenamiento"
    r"|armazenamento|discos?|dyski?|диски?|накопител[ьи]|硬盘|存储|磁盘|ストレージ)\W{0,4}[:：][^()]{1,60}\([^()]*$|"
    r"\d ?[GT]B\b[^.,;:()]{0,40}\b(?:disks?|drives?|ssds?|nvmes?|hdds?|(?:fest)?platten?)\s?\([^()]*$"
    r"|\bpcie ?(?:gen ?)?\d(?:\.0)?(?: ?x ?\d{1,2})? ?[(（]"
    rf"(?![^()（）]*(?:{words.READ}|{words.WRITE}|{words.TESTED}))[^()（）]*$"
    r"|\d ?g(?:be|ige|bps|bit(?:/s)?)(?: (?:network|ethernet|links?|nics?|netz\w*|сеть|网络))?\s?[(（=≈]\s?[~≈=]?$",
    re.IGNORECASE,
)
"""Brackets behind a link, or the name and the size of a drive: "a 2 TB SSD (read: 3400 MB/s, write: 2900 MB/s)"."""
_BY_MUCH = re.compile(
    r"\b(?:extra|additional|another|zusätzlich\w*|weitere|adicional\w*|aggiuntiv\w*|дополнительн\w*|ещ[её]"
    r"|dodatkow\w*)\W*(?:(?:about|some|around|rund|etwa|ca|circa|около|примерно)\W*)?$|(?:额外|另外|追加で|さらに"
    r"|추가로)\W*$"
    r"|\b(?:by|um|o|(?<!идёт )(?<!идет )(?<!пишет )(?<!читает )(?<!работает )(?<!копирует )(?<!едет )на|(?:aument"
    r"|cresc|cresciut|miglior|riduc|ridott|diminu|cal|scend|sces|supera|superior|inferior"
    r"|maggior|minor|più|meno|differenza|guadagno|perdita)\w*(?: \w+)? di) (?:about |circa )?$"
    r"|(?<![^\W\d_])(?:differences?|deltas?|gaps?|loss(?:es)?|penalty|gains?|improvements?|increases?|decreases?"
    r"|reductions?|unterschied\w*|differenz|verlust\w*|zuwachs|abstand|diff[ée]ren[cç][aei]\w*|diferencia|écart|perte"
    r"|gain|p[ée]rdida|mejora|ganho|perda|разниц\w+|потер\w+|прирост\w*|различи\w+)"
    r"(?: (?:in|between|at|bei|zwischen|de) (?:[\w-]+ ){0,2}?[\w-]+)?"
    r" ?(?:of|is|was|are|were|von|ist|war|sind|d[eo]|est|es|é|в|составил\w*|=|:)?"
    r"(?: ?(?:only|just|about|around|some|nur|etwa|rund|seulement|sólo|solo|apenas|всего|около|~|≈)){0,2}"
    r" ?$"
    r"|(?<![^\W\d_])(?:drops?|dips?|declines?|slow-?downs?|boosts?|speed-?ups?) of (?:about |around |some |only )?$"
    r"|(?<![^\W\d_])(?:lost|loses?|losing|gain(?:s|ed)|cost(?:s|ing)?|verlier\w+|verlor\w*|gewinn\w*"
    r"|gewann\w*|perd(?:ent|u|e|em|eu|ono)?"
    r"|gagn(?:e|ent|é)|pierden?|ganan?|ganha[mr]?|ganhou|guadagna(?:no)?|tracą|traci|zyskuj\w+|ztrácí|потерял\w*|теря[ею]т)"
    r" (?:about |around |some |rund |etwa |около |environ |près de |almost |nearly |fast |presque |casi "
    r"|quase |quasi )?"
    r"(?:(?:a (?:little|bit)|slightly|just|etwas|un peu|un poco|um pouco|un po'|чуть) )?"
    r"(?:(?:less|more) than |(?:weniger|mehr) als |(?:moins|plus) d[e'’] ?"
    r"|(?:menos|más|mais|meno|più|mniej niż) (?:de |di |do )?)?$"
    r"|(?:相差|差距|落差|差は|差が|차이[는가]?)(?:[约約是有为為仅只]|は|약)? ?$",
    re.IGNORECASE,
)
"""How much more or less than something else, and no rate of its own."""
_MORE = re.compile(
    r" ?(?:more|less|faster|slower|better|worse|higher|lower|gain|improvement|difference|overhead|mehr|weniger"
    r"|schneller"
    r"|langsamer|besser|plus|de plus|más|menos|больше|меньше|быстрее)\b",
    re.IGNORECASE,
)
_AT_LEAST = re.compile(
    r"\+(?![\w+])| ?(?:이상|미만|이하|(?:으?로 )?(?:제한|상한|한도)|(?:的|の) ?(?:限制|限速|上限|制限|配额)|限速"
    r"|以上|以下|or (?:more|higher|better|faster|less)\b|oder (?:mehr|besser)\b|и (?:более|выше)\b"
    r"|(?:程度|くらい|ほど|前後)?(?:の(?:場合|とき|時)|であれば|なら(?!び)|と(?:すると|仮定))"
    r"|的话|(?:이?라면|인 경우|일 경우)|짜리|の(?:カード|SSD|HDD|NVMe|ドライブ|メディア|USBメモリ)"
    r"|的(?:卡|内存卡|存储卡|U盘|优盘|硬盘|固态|SSD|盘))",
    re.IGNORECASE,
)
_AGREED = re.compile(
    r" ?(?:[\w-]+ ){0,2}?SL[AO]s?\b|/(?:vm|guest|tenant|client|user)\b(?=[^.;]*\bSL[AO]s?\b)", re.IGNORECASE
)
""" "250 IOPS/VM, 8 ms write-p99 SLA": what each shall have."""
_IF_SO = Alternatives(
    r"[^。.!?！？]{0,80}?(?:(?<!比)(?<!比べ)(?:用い|込め|書け|読め|でき|あ|出|得ら|す)れば|使えば|選べば|(?:있|나오|나온다|쓰|된다|한다"
    r"|사용하)면(?![\w]))"
)
"""How a clause ends that supposes what it says: "... 5 MB/s のメディアを用いれば"."""
_ATTRIBUTE_BEFORE = re.compile(
    r"(?<!\w)(?:an?|eine[mnrs]?|un[ea]?|uno|een|en|ett|et) (?:[^\W\d]{2,12} )?$", re.IGNORECASE
)
_ATTRIBUTE_BEHIND = re.compile(
    rf"[ -]?(?:(?:{words.TYPES_OF_DRIVES})[ -]){{0,2}}(?:{words.DRIVE})(?! (?:read|writ|speed|rate))",
    re.IGNORECASE,
)
_ATTRIBUTE_OF = re.compile(
    rf"(?<!\w)(?:an?|un[ea]?|uno|um) (?:{words.DRIVE}) (?:of|de|da|di|do|à) [~≈]?$", re.IGNORECASE
)
""" "The cache is on a 500 MB/s SSD": which one, and nobody measured it there."""
_RECKONED = re.compile(
    r"[)）]?\s*(?:→|=>?|≈|~|->)+\s*[~≈]?\d[\d.,]*\s?(?:s|sec|sek|min|h|hours?|minut\w*|мин|сек|с|秒|分钟?|초"
    r"|분)(?![\w/])"
)
"""How long something takes at a rate: "SSD (500 MB/s) ~80 s"."""
_ILLEGIBLE = "…"
_SOME_HUNDREDS = re.compile(
    r"(?<!\w)(?P<some>(?:several|few|a couple of|some|many|einigen?|mehreren?|ein paar|quelques|plusieurs|varios|unos"
    r"|alguns|alcun[ie]|qualche|kilka|několik|enkele|несколько|пару)\s|[几幾数數]\s?)10{1,3}(?=\s?[kmg]?i?(?:b|iops|bit))",
    re.IGNORECASE,
)
""" "A few 100 KB/s": how many hundreds, nobody says."""
_SETTING = re.compile(
    r"(?<![\w.-])(?P<name>[A-Za-z][A-Za-z\d]{0,60}(?:[_.-][A-Za-z\d]{1,30}){0,8})(?P<is>[\"']?\s?[=:]\s?[\"']?)"
    r"(?P<amount>\d[\d.,]{0,15})",
    re.ASCII,
)
_PIECES = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|p?\d+", re.ASCII)
_BOUNDS = frozenset(("target", "goal", "limit", "threshold", "sla", "slo", "quota", "expected", "required", "allowed"))
_SIDES = frozenset(("max", "min"))
_BOUNDED_PIECES = frozenset(("iops", "bw", "mbps", "avg", "average", "mean", "tail", "median", "p50", "p95", "p99"))
"""The most of a time is as often measured."""


_PRODUCT = re.compile(
    rf"(?P<sum>(?<![\w.,])\d[\d.,]* ?(?:{UNIT})?(?: [^\W\d]+)? ?[x×*] ?\d[\d.,]* ?(?:{UNIT})? ?[=≈] ?\*{{0,2}})"
    rf"{AMOUNT}(?:{UNIT})",
    re.IGNORECASE,
)
""" "3 × 150 = 450 MB/s": what somebody reckoned."""


@lru_cache(maxsize=4096)
def without_supposed(text: str) -> str:
    """The text, its supposed numbers made illegible."""
    if "_" in text or ":" in text or "=" in text:
        text = _SETTING.sub(_without_bound, text)
    if _WATCHED.search(text) or _AXIS.search(text):
        return VALUE.sub(_ILLEGIBLE, text)
    text = _PRODUCT.sub(lambda match: f"{match['sum']}{_ILLEGIBLE}", text) if "=" in text else text
    for sign, supposed in _SUPPOSED_WHOLE:
        text = supposed.sub(lambda match: VALUE.sub(_ILLEGIBLE, match[0]), text) if sign in text else text
    text = _CONVERTED.sub(_ILLEGIBLE, _JUDGED.sub(_ILLEGIBLE, text))
    text = _SOME_HUNDREDS.sub(rf"\g<some>{_ILLEGIBLE}", text)
    return "".join(_masked(part) for part in re.split(f"({SENTENCE.pattern})", text) if part is not None)


def _without_bound(setting: re.Match[str]) -> str:
    """ "target_bw_mbps = 2100", "maxAvgLatencyUs: 200": a name in one word that says what shall be kept to."""
    pieces = [piece.lower() for piece in _PIECES.findall(setting["name"])]
    is_side = pieces[0] in _SIDES and not _BOUNDED_PIECES.isdisjoint(pieces)
    is_bound = len(pieces) > 1 and (is_side or not _BOUNDS.isdisjoint((pieces[0], pieces[-1])))
    return f"{setting['name']}{setting['is']}{_ILLEGIBLE}" if is_bound else setting[0]


def _masked(sentence: str) -> str:
    asked = sentence.rstrip(" ?？") if sentence.rstrip().endswith(("?", "？")) else sentence
    asked = sentence if _IS_NORMAL.match(sentence) and _AS_TESTED.search(sentence) else asked
    if asked != sentence and not (_ASKS_WHY.search(sentence) and _LITTLE.search(sentence)):
        told = _TOLD_FIRST.match(sentence)
        if told is None or not _tells_first(told[0], sentence[told.end() :]):
            return VALUE.sub(_ILLEGIBLE, sentence)
        return _masked(told[0]) + VALUE.sub(_ILLEGIBLE, sentence[told.end() :])  # "It writes 21 MB/s, is that normal?"
    if untested := _NOT_TESTED.search(sentence):
        end = len(sentence) if untested["colon"] else untested.end()
        return VALUE.sub(_ILLEGIBLE, sentence[:end]) + (_masked(sentence[end:]) if sentence[end:] else "")
    seen = _as_seen(asked)
    told_so = VALUE.sub(lambda value: _ILLEGIBLE if _is_supposed(value, seen) else value[0], seen)
    return told_so + sentence[len(asked) :]


def _tells_first(head: str, tail: str) -> bool:
    """Whether the clauses of a question before its last one tell what there is."""
    if _SAW.search(head):
        return True
    return _ASKS_BEHIND.search(tail) is not None and not (_ASKS.match(head) or VALUE.search(tail))


@lru_cache(maxsize=64)
def _turns(text: str) -> tuple[int, ...]:
    """Where the ends of turns stand; what turns in brackets does not turn the sentence."""
    return tuple(match.end() for match in _TURN.finditer(_without_brackets(text)))


def _without_brackets(text: str) -> str:
    return _BRACKETED.sub(_blank, text)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _as_seen(sentence: str) -> str:
    """Without what only looks like an ability or a limit: "it can only read 20 MB/s", "I get >350 MB/s"."""
    seen = _FOR_WHOM.sub(_blank, _AS_EXPECTED.sub(_blank, _NOT_ABOVE.sub(_blank, sentence)))
    seen = _CLASS_OF_VOLUME.sub(_blank, seen) if _AS_TESTED.search(sentence) else seen
    seen = _ABLE_ONLY.sub(_blank, seen)
    if _ABLE_ONLY.search(sentence) and _ACTING.search(sentence):
        seen = _ABLE.sub(_blank, seen)
    seen = _AT_MOST.sub(r"\g<reached>maximal  ", _ATTAINED.sub(_blank, seen))
    if _BOUNDED.search(seen) and _SAW.search(seen):
        seen = _BOUNDED.sub(_blank, seen)
    return seen


_IS_NORMAL = re.compile(
    rf"\W*(?:is|are|ist|sind|est-ce que|es|è) {AMOUNT}{UNIT}"
    r" (?:ok(?:ay)?|normal|good|bad|slow|low|typical|decent|poor|gut|schlecht|langsam|lent|bon|bueno|lento|normale)\b",
    re.IGNORECASE,
)
""" "Is 1.9 GB/s normal for 1M writes at QD32?": so somebody asks of what he has."""
_NOT_ABOVE = re.compile(
    r"\b(?:won['’]t|doesn['’]t|does not|don['’]t|do not|will not|can['’]t|cannot|never|didn['’]t)"
    r" (?:go|get|climb|rise|come)s?"
    r" (?:above|over|beyond|past|higher than|more than)\b",
    re.IGNORECASE,
)
""" "It won't go above 122k IOPS": so much it reaches."""
_CLASS_OF_VOLUME = re.compile(r"\b(?:gp[23]|io[12])\b", re.IGNORECASE)
_AS_TESTED = re.compile(rf"(?:{words.DEPTH}) ?(?:of |[=:])? ?\d|(?<!\w)(?:bs=\d|(?:fio|dd)(?!\w))", re.IGNORECASE)
"""Who sells volumes tells no depth and no tool: "4k random reads at QD16 give 6,000 IOPS on gp3" was measured."""


@lru_cache(maxsize=64)
def _supposes(sentence: str, turn: int) -> bool:
    return _MODAL.search(sentence, turn) is not None


@lru_cache(maxsize=64)
def _sets_against(sentence: str) -> bool:
    return _INSTEAD_OF.search(sentence) is not None


@lru_cache(maxsize=64)
def _stated_from(sentence: str) -> int:
    """Where a sentence that names no test begins to tell of a product; its end where it does not."""
    stated = _OF_ITS_KIND.match(sentence) or _STATED.search(sentence)
    if stated and stated[0].lower() in _PARTICIPLES and _ITEM_OF_HEADING.fullmatch(sentence):
        return len(sentence)
    return stated.start() if stated and not (_TESTED.search(sentence) or _WON.search(sentence)) else len(sentence)


@lru_cache(maxsize=64)
def _clause_ends(sentence: str) -> tuple[tuple[int, int], ...]:
    return tuple(match.span() for match in _CLAUSE_END.finditer(sentence))


def _is_supposed(value: re.Match[str], sentence: str) -> bool:
    before, behind = _ASIDE.sub(_blank, sentence[: value.start()]), sentence[value.end() :]
    if max(before.rfind("("), before.rfind("（")) <= max(before.rfind(")"), before.rfind("）")):
        before = _without_brackets(before)
    turn = max(
        (end for end in _turns(before if _OPENED.search(sentence) else sentence) if end <= len(before)), default=0
    )
    ends = _clause_ends(sentence)
    clause = behind[: next((start - value.end() for start, _ in ends if start >= value.end()), len(behind))]
    begin = max((end for _, end in ends if end <= value.start()), default=0)
    only = _ONLY.search(before[-40:]) or (_ONLY_BEHIND.match(behind) and not before.endswith("最大"))
    if only:
        turn = max(turn, begin)
    if _supposes(sentence, turn) and (_MODAL.search(before, turn) or _MODAL.search(clause)):
        return True
    if (
        _BELOW.fullmatch(before)
        or _DEMANDED.search(before[-40:])
        or _BOUGHT.search(before[-40:])
        or _NO_MORE.search(before[max(turn, len(before) - 40) :])
        or _ASIDE.match(behind)
    ):
        return True
    is_attribute = _ATTRIBUTE_BEHIND.match(behind) and _ATTRIBUTE_BEFORE.search(before[-24:])
    if is_attribute or _ATTRIBUTE_OF.search(before[-40:]):
        return True
    is_time = _IS_TIME.search(value[0]) is not None
    if _SUB.search(before[-5:]) or (is_time and (_BOUND.search(before[-24:]) or _BOUND_BEHIND.match(behind))):
        return True
    return (
        _is_of_a_part(value, before, clause, max(turn, begin))
        or (not turn and value.start() > _stated_from(sentence))
        or (not only and _is_promised(value, sentence, before, turn))
        or any(pattern.match(behind) for pattern in (_RECKONED, _AT_LEAST, _IF_SO, _MORE, _AGREED))
        or _BY_MUCH.search(before[-40:]) is not None
    )


def _is_of_a_part(value: re.Match[str], before: str, clause: str, start: int) -> bool:
    """Of something else than a test of a drive; start: of the clause before the value."""
    if _PART_ASIDE.search(before[-120:]) or (_OF_FLUSH.search(before) and _IS_TIME.search(value[0])):
        return True
    if _OF_A_PART.search(before[-120:]) or (_BY_WIRE.match(clause) and _RECEIVES.search(before[-60:])):
        return True
    return _PART.search(before, start) is not None or _PART.match(clause.lstrip()) is not None


def _is_promised(value: re.Match[str], sentence: str, before: str, turn: int) -> bool:
    """What was to be expected: behind "instead of", and the most that is possible."""
    behind = sentence[value.end() :]
    if _sets_against(sentence) and _INSTEAD.search(before[-50:]) and not _AS_BEFORE.search(behind):
        return True
    if _IS_TIME.search(value[0]) and _UP_TO.search(before[-20:]):
        return True
    return any(turn <= start <= value.start() for start in promised_from(sentence))
