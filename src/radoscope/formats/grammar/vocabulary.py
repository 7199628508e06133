"""The words in which people write of loads and measurements, in two dozen languages, as patterns for `phrases`.

The languages are those of `foretold`. A new one is a word more in each alternative.
"""

from __future__ import annotations

from radoscope.formats.grammar import foretold

RANDOM = (
    r"rand(?:om(?:ly)?)?(?![a-z])|rand(?=read|write|rw|-|_)|rnd(?![a-qs-z])|zuf(?:ä|ae?)ll?ig\w*|wahlfrei\w*"
    r"|al[ée]a(?:t|toires?)?(?![a-z])|zufl?\.|aleat[oó]ri[oae]s?|τυχαί\w+"
    r"|willekeurig\w*|rast?gele|(?<=lettura )cas\.|(?<=scrittura )cas\.|(?<!\w)(?:los|náh|slumpm|willek|випадк|вип)\."
    r"|slump(?:m\w+|vis\w*|artad\w*)|tilfeldig\w*|tilfældig\w*|випадков\w*|véletlen\w*|satunnais(?=luku|luvu"
    r"|kirjoit)|satunnai\w*|ngẫu nhiên"
    r"|acak"
    r"|au hasard|casual[ei]|losow\w+|n[áa]hodn\w+|случайн\w*|случ\.|рандом\w*|随机|隨機|ランダム|랜덤|임의|무작위"
    r"|(?:произволь|довіль)н\w+(?= (?:чт|чит|зап|дост))"
)
SEQUENTIAL = (
    r"seq(?:uen[tzc]i[ae]l\w*)?(?![a-z])|seq(?=read|write|rd|wr|\d)|s[ée]quentiel\w*|se[ck]uencial\w*"
    r"|sequenzial\w*|se[kq]wen[ct]yjn\w+"
    r"|sekven[čc]n\w+|sekw\.|последоват\w*|посл(?:ед)?\.(?= ?(?:чт|зап))"
    r"|(?<!\w)(?:sekv|secv|посл[еі]д)\."
    r"|линейн\w*|顺序|順序|循序|順次|连续|連續|連続|シーケンシャル|순차|연속"
    r"|linear(?:e[nrs]?)?(?=\s+(?:read|writ|lese|schreib|gelesen|geschrieb))"
    r"|(?:(?<=lecture )|(?<=écriture ))linéaires?"
    r"|(?:(?<=lectura )|(?<=escritura )|(?<=leitura )|(?<=escrita )|(?<=lettura )|(?<=scrittura ))linea[lr]e?"
    r"|(?:(?<=odczyt )|(?<=zapis ))liniow\w+|sequenti[eë]\w+|sıralı|ardışık|sekventiel\w*"
    r"|sekvens\w*|послідовн\w*|szekvenciális"
    r"|secven[țţ]\w+|σειριακ\w+|διαδοχικ\w+|peräkkäis(?=luku|luvu|kirjoit)|peräkkäi\w*|tuần tự|berurutan"
    r"|opeenvolgend\w{0,2}"
)
_TELLS_HOW_FAST = r"(?=(?:\s[^\W\d][\w'’]*){0,5}?\s?[~≈<>]?\d|\W*$)"
"""Behind a verb that is as often of texts as of drives: "wrote the image at 21 MB/s", "пишет на диск 30 МБ/с"."""
READ = (
    r"(?<![a-z])(?:rand|seq|rnd|random|sequential)?[-_ ]?read(?:s|ing|er|ers)?(?![a-z])|(?<![a-z3])(?:seq|rand"
    r"|rnd)?rd(?![a-z]|0\d)|gelesen\w*|lese\w*|lesen|(?<![a-z])leo(?![a-z])|(?<![a-z])r(?= ?[=:] {0,3}\d)"
    r"|(?-i:(?<![A-Za-z])R)(?= \d[\d.,]* ?[KMG]i?B/s)"
    r"|lectures?(?![a-z])|lectur\w+|(?<![a-z])(?:lire|leer|le[íi]do|leyendo|leen|ler|lendo)(?![a-z])"
    r"|lettur\w+|leitur\w+|(?<![a-z])legg(?:ere|endo|o|ono|eva)(?![a-z])|odczy[tc]\w*"
    r"|(?<![a-z])czyta(?:ć|m|ją|nie)(?![a-z])"
    r"|[čc]ten[íi]\w*|(?<![a-z])(?:číst|čtou|četl\w*)(?![a-z])|чтени\w*|четен\w*|читат\w*|считыва\w+"
    r"|读取?|讀取?|読み(?:取り|出し"
    r"|込み)?|読出"
    r"|読む|読んだ|読込|読取り?|リード|읽(?:기|을|는|어)|읽(?:고|음|히)|(?<![a-z])lezen|(?<![a-z])leest(?![a-z])|gelezen|leessnelheid"
    r"|(?<![a-z])lees[- ]?(?:bewerking|opdracht|actie)\w{0,3}"
    r"|oku(?:ma|yor|du|rken|ya?bil|nu)\w*"
    r"|зчитуван\w*|läs(?:a|er|te|t|ning(?:ar|en|s)?|hastighet\w*)?(?![a-z])|læs(?:ning|er|e(?:hastighed)?)?(?![a-z])|les(?:ing|er"
    r"|ehastighet)(?![a-z])"
    rf"|(?<![а-яёіїє])(?:про)?чита(?:ет|ю|л\w*|ют|є|ла){_TELLS_HOW_FAST}"
    r"|читанн[яію]м?(?![а-яіїє])|olvasás\w*|citire|čítan\w+|ανάγνωσ\w+|αναγνώσ\w+"
    r"|(?:(?<![a-z])|(?<=satunnais)|(?<=peräkkäis))(?:luku(?:a|nopeu\w+)?|luvu(?:ssa|lla))(?![a-zäö])|đọc"
    r"|(?<![a-z])baca(?![a-z])"
    r"|(?-i:(?<![A-Za-z])GETs?(?![A-Za-z]))"
    r"|(?<![a-z])get[-_ ]?objects?(?![a-z])"
    r"|(?<![a-z])(?:lee|legge|lê|čte|czyta|liest|downloading)(?![a-z])"
    rf"|(?<![a-zà-ɏ])(?:las(?:en)?|lit|lisent|lisait|lees|leu|leyó|letto|lu[eo]?s?(?= à)){_TELLS_HOW_FAST}"
    r"|(?<![a-z/])r(?=[ _]?[(\[]?(?:[kmg]i?b/s|iops|bw|lat))|(?<![a-z])iflag=\w+"
)
WRITE = (
    r"(?<![a-z])(?:rand|seq|rnd|random|sequential|over|sync)?[-_ ]?writ(?:e|es|ing|ten|er|ers)(?![a-z])"
    r"(?! (?:(?:a|an|the|this|that|my|our|your|some|own|new|simple|fast|efficient|portable|scalable|high|low|level"
    r"|user|mode|storage|performance|quality),?[ -]){0,6}"
    r"(?:code|software|applications?|programs?|scripts?|posts?|articles?|blogs?)(?![a-z]))"
    r"|(?<![a-z])(?:seq|rand|rnd)?[-_ ]?(?:wirte|wrtie|wtire|writte)s?(?![a-z])"
    r"|(?<![a-z])(?:seq|rand|rnd)?wr(?![a-z]|\d{3,4}(?![\dkm]))|geschrieben\w*|schreib\w*|[ée]critures?"
    r"|(?<![a-z])écri(?:re|vant|vait)(?![a-z])"
    r"|escritur\w+|escrib\w+|escrev(?:e[rm]?|endo|ia|i|eu)(?![a-z])|grava[çc]\w+"
    r"|(?<![a-z])grav(?:ar?|am|ando|ou|ei)(?![a-z])|grabaci\w+|(?<![a-z])graba(?:r|n|ndo)?(?![a-z])"
    r"|(?<![a-z])w(?= ?[=:] {0,3}\d)|(?-i:(?<![A-Za-z])W)(?= \d[\d.,]* ?[KMG]i?B/s)|scrittur\w+"
    r"|(?<![a-z])scriv(?:ere|endo|o|ono|eva)(?![a-z])|escrita\w*|zapis\w*"
    r"|z[áa]pis\w*|(?<!\d\+\d )запис\w*|писат\w*|写入?"
    r"|寫入?|書き(?:込み|出し)?"
    r"|書くと|書いた|書込|ライト|쓰(?:기|는)|쓸(?= ?때)|기록(?= ?속도)|(?<![a-z])schrijft?(?![a-z])|schrijven"
    r"|geschreven"
    r"|schrijfsnelheid|(?<![a-z])schrijf[- ]?(?:bewerking|opdracht|actie)\w{0,3}"
    rf"|(?<![а-яёіїє])(?:пиш(?:ет|у|ут|е|уть)|писа[лв]\w*){_TELLS_HOW_FAST}"
    r"|yaz(?:ma|arken|ıyor|dı|a?bil|ıl)\w*|skriv(?:n?ing(?:ar|en|er|s)?|er|a|e|it|ehastigh\w+|hastighet\w*)?(?![a-z])"
    r"|skrev(?![a-z])"
    r"|(?<![a-záéí])írás\w*|scriere|kirjoitus|εγγραφ\w+"
    r"|(?<![a-zđ])ghi(?![a-z])|(?<![a-z])tulis(?![a-z])|(?-i:(?<![A-Za-z])PUTs?(?![A-Za-z]))"
    r"|(?<![a-z])(?:put[-_ ]?objects?|upload[-_ ]?parts?)(?![a-z])"
    r"|(?<![a-z])(?:scrive|escreve|píše|uploading)(?![a-z])"
    rf"|(?<![a-zà-ɏ])(?:wrote|schrieb(?:en)?|écri(?:t|vent|s)|scritto|schreef|pisze|píšou?|psal){_TELLS_HOW_FAST}"
    r"|(?<![a-z/])w(?=[ _]?[(\[]?(?:[kmg]i?b/s|iops|bw|lat))|(?<![a-z])(?<!without )(?<!ohne )oflag=\w+"
    r"|(?<![a-z])conv=f(?:data)?sync"
)
MIXED = (
    r"(?<![a-z])(?:rand|rnd|seq)?rw(?![a-z]|=(?! ?\d[\d.,]{0,9} ?(?:[kmg]|iops)))"
    r"|readwrite|(?<![a-z])mix(?:ed)?(?![a-z])|mixte|mixto|mieszan\w+"
    r"|bland[ae][dt](?![a-zåäö])|gemengd\w*|sekoitet\w+|zmiešan\w+|vegyes|(?<![a-z])mixt(?![a-z])|karışık|змішан\w*"
    r"|μικτ[όή]"
    r"|hỗn hợp|(?<![a-z])campuran"
    r"|sm[íi][šs]en\w+|gemischt\w*|смешанн?\w*"
    r"|混合(?:随机|隨機|顺序|順序)?(?:读写|讀寫)|(?:读写|讀寫)混合|読み書き混在|混合|混在|혼합"
)
NO_WAY = (
    r"random (?:bytes|garbage|content|patterns?)|read(?:ing)? off(?![a-z])|"
    r"(?:card|sd|micro-?sd|cf|usb|apple|e-?book)[- ]?readers?(?![a-z])|karten-?leseger\w+|karten-?leser\w*"
    r"|kaart-?lezers?|lecteurs?(?![a-z])|lectore?s? de tarjetas?|leitor(?:es)? de cart\w+|lettor[ei] di schede"
    r"|czytnik\w*|čteč\w+|кардридер\w*|读卡[器機机]|讀卡[器機]|カードリーダー?|카드 ?리더기?|"
    r"write[ -]?(?:cache|back|through(?!put)|ahead|amplification|intent|barrier)\w*|read[ -]?(?:ahead|only"
    r"|me(?![a-z])|cache"
    r"|amplification)\w*|already|ready|spread"
    r"|読み戻し|読み直し|書き戻し|判[读讀]|解[读讀]|[阅閱][读讀]"
    r"|bread|threadripper|hyper-?threading|overwrit(?!es? (?:iops|bw|band|through|lat))\w+"
    r"|copy[ -]on[ -]write|(?:still|yet|remains|needs|has) to be written|rewrit\w+"
    r"|(?<=read)[ -]after[ -]writ(?:e|es|ing)|読書|写真"
)
"""Words that hold one of the words above and say nothing of a direction."""

ONLY_READS = (
    r"(?<![a-z])(?:read[- ]only (?:(?:work)?loads?|tests?|runs?|benchmarks?|i/?o|mode|jobs?|pass(?:es)?)"
    r"|(?:in )?sola lettura|lecture seule|solo lectura|somente leitura|(?:nur|rein) lesend\w*|nur lesen"
    r"|tylko (?:do )?odczyt\w*|pouze (?:pro )?čtení|только (?:на )?чтение|salt okuma|alleen lezen)(?![a-z])"
    r"|只读(?=测试|负载|模式)|読み取り(?:のみ|専用)|読み込みのみ|읽기 ?(?:전용|만)"
)
"""Beside the name of a test: it does nothing but read."""
MOUNTED = (
    r"mount|(?<![a-z])mont(?:é|ad|at|owa)|eingehäng|eingebunden|zamontow|připoj|монтир|挂载|掛載|マウント|마운트|snapshot|replica"
    r"|file ?system|dateisystem|dysk|файлов"
)
"""What else is read-only."""

QUESTION = r"^\W*Q ?\d{1,3} ?[.:)](?=[^?？]+[?？]\W*$)"
"""The number of one, and no depth of a queue."""

IOPS = (
    r"iops(?![a-z])|(?<=[(\[])iop(?=[)\]])|(?<=\d )iop(?![a-z])"
    r"|(?:(?<=reads)|(?<=writes)|(?<=put)|(?<=puts)|(?<=get)|(?<=gets)) ?(?:/"
    r"|per )s(?:ec(?:ond)?)?(?![a-z])|(?:(?<![a-z])|(?<=(?<![a-z])k))i/?os? ?(?:/|per"
    r"|p) ?s(?:ec(?:ond)?)?(?![a-z])|(?:(?<![a-z])|(?<=(?<![a-z])k))(?:iop|op|ops|ios|obj|objs|objects"
    r"|operations|reqs?|requests) ?(?:/|per) ?s(?:e[ck](?:onde?)?)?(?![a-z])"
    r"|опер\w*\.? ?(?:/|в) ?с(?:ек\w*)?|(?<![a-z])i/?o[ _-]?rates?(?![a-z])(?!.{0,3}[kmg]i?b)"
    r"|(?<![а-яіїє])а?[иіi][оo]пс\w{0,3}"
)
BANDWIDTH = (
    r"band-?width|(?<![a-z])(?:bw|aggrb)(?![a-z])|through-?put|transfer ?rates?|(?<![a-z])speeds?(?![a-z])|durchsatz\w*"
    r"|band-?bre(?:ite|edte)\w*|datenrate\w*|频宽|頻寬|(?<![^\W\d])přenos\w*|(?<![а-яіїє])(?:полос[аы]|смуга)(?![а-яіїє])"
    r"|(?<![a-z])(?:banda|caudal)(?![a-z])|tax?sa? de transfer[eê]ncia|transferrate\w*|übertragungsrate"
    r"|geschwindigkeit\w*|(?<![a-z])d[ée]bits?(?![a-z])|bande passante|ancho de banda|velocidad\w*|velocit[àa]"
    r"|larghezza di banda|largura de banda"
    r"|velocidade|vaz[ãa]o|przepustowo\w+|pr[ęe]dko\w+|propustnost\w*|rychlost\w*"
    r"|пропускн\w*(?: (?:способност|здатн)\w*)?|скорост\w*|带宽|帶寬|吞吐[量率]?|帯域幅?|スループット"
    r"|転送速度|速度|速率|대역폭|처리량|속도|bant genişliği|(?<![a-z])hız\w*|doorvoer\w*|snelheid"
    r"|bandbredd|båndbredde|hastighet\w*|genomströmning\w*|gjennomstrømning\w*|gennemstrømning\w*|gennemløb"
    r"|siirtonopeu\w*|kaistanleveys|priepustnos\w*|rýchlos\w*"
    r"|ρυθμ\w+ (?:μεταφοράς|διαμεταγωγής)|εύρος ζώνης|ταχύτητα"
    r"|швидк\w+|sávszélesség|áteresztő\w*|sebesség\w*|l[ăa][țţt]im(?:e|ea) de band[ăa]|băng thông|tốc độ|kecepatan"
)
LATENCY = (
    r"latenc(?:y|ies|[ieí][ťtm]?|ji)(?![a-z])|(?:acc(?:ess|\.)|round[ -]?trip)[ _-]?times?(?![a-z])"
    r"|(?<![a-z])[ct]?lat(?![a-zà-ÿ])|(?<![a-z])(?:resp|rt)(?= ?[(\[][mun]s)"
    r"|latenz\w*|antwortzeit\w*|zugriffszeit\w*|latences?"
    r"|temps de r[ée]ponse|latencias?|tiempo de respuesta"
    r"|latenza|lat[êe]ncia|op[óo][źz]nieni\w*|latencj\w*|zpo[žz]d[ěe]n[íi]\w*|odezv\w*|задержк\w*"
    r"|латентност\w*|время отклика|延[迟遲]|访问时间|存取時間|アクセスタイム|アクセス時間|temps d.acc[èe]s"
    r"|tiempo de acceso|tempo de acesso|tempo di accesso|czas dostępu|doba přístupu|время доступа|时延|時延"
    r"|レイテンシー?|遅延|応答時間|[响響回][应應]时?時?[间間]|지연(?: ?시간)?|레이턴시|응답 ?시간"
    r"|resp(?:onse|\.)? times?|(?<![a-z])res-?time"
    r"|(?<![a-z])response(?= ?\()|(?<![a-z])rtt(?![a-z])|gecikme\w*|yanıt süre\w*|latentie|responstijd\w*"
    r"|svarstid\w*|czas odpowiedzi|doba odezvy|tempo d[ei] (?:risposta|resposta)|час відгуку"
    r"|vertraging|fördröjning"
    r"|latencie(?![a-z])|oneskoren\w*|(?<![a-zäö])viive(?:et)?(?![a-zäö])|(?<=mediaani)viive|vasteai\w+|καθυστέρησ\w*"
    r"|(?<=median)latens(?![a-z])|χρόνος απόκρισης|latens(?:en)?(?![a-z])|затримк\w*|késleltet\w*|laten[țţ]\w*|độ trễ"
    r"|latensi"
)
STDDEV = (
    r"std\.? ?dev\w*|standard[- ]dev\w*|stdev|stddev"
    r"|(?<![a-z])(?:std|mdev)(?![a-z])|σ(?![α-ωά-ώ])|标准差|標準偏差|표준 ?편차"
    r"|standardabweichung|écart[- ]type|(?<![a-z])desvio(?![a-z])(?: padrão)?|deviazione(?: standard)?"
    r"|desviaci[óo]n\w*|odchyl\w+|отклонен\w*"
)
MINIMUM = (
    r"(?<![a-z])min(?:imum|imal\w*|\.)?(?![a-z])(?! (?:nas|server|dator|disk|ssd|usb|router|pc|laptop|maskin"
    r"|hårddisk))|最小值?|最低|최소|минимал\w*|минимум"
    r"|(?<![а-я])мин(?:\.|(?![а-я]))(?= ?[:=]? ?(?:\d|задерж|знач))|m[íi]nim[oa]|tối thiểu|en düşük|worst(?= case)?"
)
MAXIMUM = (
    r"(?<![a-z])max(?:imum|imal\w*|\.)?(?![a-z])|最大值?|最高|峰值|최대|максимал\w*|максимум"
    r"|(?<![а-я])макс(?:\.|(?![а-я]))|m[áa]xim[oa]|massim[oaie]|maximaal|maksym\w*|maximáln\w*|tối đa|en yüksek"
    r"|(?<![a-z])peak(?![a-z])|spitze|(?<![a-z])(?:slowest|longest)(?=[^.;,]{1,40}?\d ?(?:[mµu]?s|sec)(?![a-z]))"
)
MEAN = (
    r"(?<![a-z])(?:avg|average|ave|mean|aver)(?![a-z])\.?|[Øø](?![a-z])|平?均值|平均|평균|mittelwert"
    r"|(?<!\w)(?:ort|śr|prům|prom|сер|ср|сред|méd|genomsn|mittl)\.(?= ?[^\W\d])"
    r"|(?<!\w)(?:i )?snitt(?!\w)|(?<!\w)snitt(?=latens|tid)"
    r"|\bim mittel(?![a-z])|\bmittel(?= ?[(\[] ?[mµun]?s\b)|(?<=[(\[])mittel(?=[)\]])|mittler\w+"
    r"|durchschn\w*|gemiddeld\w*|(?<![a-z])gem\.(?= ?[a-z])|genomsnitt\w*"
    r"|gennemsnit\w*|gjennomsnitt\w*|(?<![a-z])medel(?:värde\w*|tal)?(?= ?lat|vär|tal|(?![a-zåäö]))|keskimäär\w*"
    r"|keskiarvo"
    r"|priemer\w*|átlag\w*|ortalama|середн\w*|(?<!\w)μέσ(?:η|ος|ο)(?!\w)|trung bình|rata-rata"
    r"|(?:(?<=laten[țţ]ă )|(?<=laten[țţ]a )|(?<=latenze ))medi[eă]i?(?!\w)"
    r"|moy(?:enne|en)?(?![a-z])\.?|promedio|medi[ao](?![a-z])|m[ée]dia(?![a-z])"
    r"|[śs]redni\w*|pr[ůu]m[ěe]r\w*|средн\w*"
)
MEDIAN = (
    r"median(?=latens)|median\w*|m[ée]diane|mediana|medi[áa]n(?![a-z])|mediaani|medyan|ortanca|медіан\w*|διάμεσ\w+"
    r"|trung vị"
    r"|中央値|中位数?|중앙값|медиан\w*"
)

QUEUE = (
    r"(?:очеред(?:ью?|и)|черг(?:а|и|ою)|kolejk[aąięo]|队列|隊列|佇列|warteschlange|wachtrij|kuyruk"
    r"|(?<![a-z])(?:queue|front[aouy]|cola|coda|fila)|(?<![^\W\d])k[öø])(?![^\W\d])"
)
"""Alone it is a depth where a number follows, or in the head of a column."""
DEPTH = (
    rf"io[ _-]?depth|q(?:ueue)?[ _-]?depth|{QUEUE}"
    r"(?=\s{0,3}(?:[=:]|(?:a|à|auf|of|von|d[aei]|z|o|из|в) )?\s{0,12}\d)"
    r"|(?<![a-z])depth(?=[ =]?\d)"
    r"|(?:(?<![a-z])|(?<=\d[km]))q(?:d(?=[\s=]?\d)|(?=[\s=]?(?:\d{1,2}|128|256|512|1024)(?!\d)))"  # "Q300": a drive
    r"|(?:outstanding|concurrent|parallel|in-?flight) (?:writes?|reads?|ios?|i/os?|requests?|operations?|ops)"
    r"(?![a-z]| (?:threads?|process\w*|workers?|jobs?)(?![a-z]))"
    r"|(?:ios?|i/os?|requests?|operations?|ops) (?:outstanding|in[ -]flight)"
    r"|(?<![a-z])outstanding(?![a-z])|(?<![a-z])in[ -]flight(?![a-z])"
    r"|(?<![a-z])qd(?:epth)?(?![a-z])|队列深度|隊列深度"
    r"|キュー(?:の)?深[度さ]|キュー(?:数)?(?= ?[=:]? ?\d)|큐 ?(?:뎁스|길이)"
    r"|큐 ?깊이|深度|(?:warteschlangen-?|queue-?)?tiefe|глубин\w*(?: очереди)?"
    r"|profondeur(?: de(?: la)? file)?|profundidade?(?: d[ea] (?:la )?(?:cola|fila))?"
    r"|profondità(?: della)? (?:di )?coda"
    r"|kuyruk derinliği|kö-?djup(?:et)?|kø-?dybden?|jono(?:n )?syvyy(?:s|ttä|dellä)|wachtrijdiepte|hĺbka(?: front[uy])?"
    r"|sormélység|várakozási sor mélysége|adâncim(?:e|ea) (?:a )?coz(?:ii|i)|глибин\w*(?: черги)?|βάθος(?: ουράς)?"
    r"|độ sâu hàng đợi|kedalaman antr[ei]an|[佇队隊]列深度|g[łl][ęe]boko[śs][ćc](?: kolejki)?"
    r"|hloub(?:ka|ce|ky)(?: fronty)?"
)
JOBS = (
    r"(?:num[ _-]?|n)(?:jobs|threads)|(?<![a-z])(?:conn(?:ection)?s|clients)(?==\d)"
    r"|(?<![a-z])nj(?= ?=? ?\d)|(?<![a-z])j(?==\d)|(?:fio[ -])?job(?:s|y|ů|ów|ach|ami)?(?![a-z])"
    r"|(?:fio[ -])?(?:threads|thread(?!=[01](?!\d)))(?![a-z])|(?<=\d)thrds?(?![a-z])"
    r"|workers?(?![a-z])|(?:fio[ -])?process(?:es)?(?![a-z])|スレッド数?"
    r"|ジョブ数?|线程数?|線程數?|執行緒數?|[任工]务数|任務數|作[业業][数數]"
    r"|[스쓰]레드(?: ?수)?|작업 ?수|пот[оі]к\w*|джоб\w{0,3}"
    r"|wąt(?:e?k)\w*|vlák\w+|hilos?(?![a-z])|prozess(?:e[ns]?)?(?![a-z])|processus|proces(?:os?|y|ů|ów)?(?![^\W\d])|process(?:en|er|i|os)(?![a-z])|jobb(?:en)?(?![^\W\d])"
    r"|процесс\w*|进程数?|プロセス数?|(?<![a-z])luồng|(?<![a-z])(?:tâches|tareas|tarefas)(?![a-z])"
    r"|(?<![a-z])tråd(?:ar|er|e)?(?![a-zåäö])|säie(?:ttä)?(?![a-zäö])|säikeet"
    r"|(?<![^\W\d])szál(?:on|lal)?(?!\w)|(?<![a-z])fir(?:e|uri) de execu[țţ]ie|iş parçacığı|iş sayısı|νήματα?(?!\w)"
)
SCALE = (
    r"(?:thousands?|tausend|tsd\.?|milliers|miles|migliaia|tys\.?|tysi[ąęa]c\w*|tis\.?|tisíc\w*|тыс\.?|т[ыи]сяч\w*"
    r"|тис\.?|duizend|tusen|tusind|bin|nghìn|ribu|千|천|千次|万|萬|만"
    r"|millions?|millionen|mio\.?|mln\.?|млн\.?|百万|[x×*] ?1[,.]?000|10\^3|10³)"
)
"""By what the numbers below a head are multiplied: "IOPS (thousands)"."""
THOUSANDS = (
    r"mil(?:le|a|liers|es)?|migliaia|thousand|tausend|duizend|tusen|tusind|bin|nghìn|ribu|tys\.?"
    r"|tis\.?|т[ыи]с\.?"
)
"""Between a number and IOPS: "46,4 duizend IOPS"."""
COUNTS = {
    1: r"một|(?:a )?(?:single|one)"
    r"|ein(?:e[mnrs]?)?(?: einzelne[mnrs]?| einzige[mnrs]?)?|une? (?:seule?)?|uno|un[ao]? (?:solo|sola|singol[oa])"
    r"|uma? (?:únic[oa]|só)|jeden(?: jediný)?|jednym|jedno|jedním|pojedyncz\w{1,3}"
    r"|ett? enda|en enda|een(?: enkele?)?|tek(?: bir)?"
    r"|один|одного|одним|bir|één|en(?= (?:jobb|tråd)(?!\w))",
    2: r"hai|two|zwei|deux|dos|due|dwa|dva|два",
    3: r"three|drei|trois|tres|tre|trzy|tři|три",
    4: r"bốn|four|vier|quatre|cuatro|quattro|cztery|čtyři|четыре",
    6: r"six|sechs",
    8: r"tám|eight|acht|huit|ocho|otto|osiem|osm|восемь",
    16: r"sixteen",
}
"""Small numbers in words: "eight jobs", "jeden wątek"."""
CONCURRENCY = (
    r"(?<![a-z])concurrenc(?:y|e|ia)(?: levels?)?|并[发發][数數度]?|並行[数度]|並列[数度]|동시성|동시 ?실행 ?수"
    r"|(?<![a-z])paralleli(?:tät|sm)|(?<![a-z])gleichzeitigkeit|(?<![a-z])współbieżność|параллельность"
)
"""How many at once: of tools that know one such number it is the depth."""
ONE_DEPTH = (
    r"(?<![a-z])(?:single|one)[- ](?:queue[- ])?depth(?![a-z])"
    r"|(?<![a-z])(?:(?:queue )?depth (?:of )?|queue of )one(?![a-z])"
    r"|[单單](?:队列|隊列)?深度"
    r"|[单單]一?(?:队列|隊列)(?!深度)|単一キュー(?!深)"
)
"""A depth of one."""
ONE_JOB = (
    r"(?<![a-z])(?:single|one)[- ](?:job|thread(?:ed)?|process|worker)(?![a-z])|однопоточн\w*|einzel-?thread"
    r"|单线程|單執行緒|単一スレッド|シングルスレッド|1スレッド|싱글 ?스레드|단일 ?스레드"
)
BLOCK = (
    r"(?<![a-z])bs(?![a-z])|block[ _-]?size|io[ _-]?size|object[ _-]?size|request[ _-]?size|record[ _-]?size"
    r"|块大小|塊大小|ブロックサイズ|블록 ?크기|blockgr(?:ö|oe?)(?:ß|ss)e|размер\w* блока"
    r"|blokk?st(?:ø|oe?)rrelsen?|blockstorlek\w*|blokgrootte|lohko(?:n )?ko(?:ko|olla)|veľkosť blok\w+|blokkméret"
    r"|dimensiun(?:e|ea) (?:a )?bloc\w*|mărimea blocului|blok boyutu|розмір\w* блок\w*|μέγεθος μπλοκ|kích thước khối"
    r"|ukuran blok|[區区]塊大小"
    r"|taille de bloc\w*|tama[ñn]o de bloque|tamanho do bloco|rozmiar bloku|velikost bloku|dimensione blocco"
    r"|[对對]象大小|オブジェクトサイズ|객체 ?크기|размер\w* объект\w*|obje[ck]t-?gr(?:ö|oe?)(?:ß|ss)e"
    r"|taille d(?:es? |['’]|e l['’])objets?|tama[ñn]o de(?:l| los)? objetos?|tamanho d[oe]s? objetos?"
    r"|rozmiar obiekt\w+|velikost objekt\w+|dimensione (?:degli |dell['’])?oggett[oi]"
)
BLOCK_NOUN = r"(?<![a-z])bl(?:oques?|ocos?|ocs?|occ(?:o|hi)|öcken?|ok(?:i|u|y|ach|ami|em|iem|ów))(?![a-z])|блок\w{0,3}"
"""In front of a size: "blocos de 1 MB"."""
BLOCK_BEHIND = (
    r"bl(?:ocks?|ocs?|oques?|ocos?|öcken?|oki|oků|oków|okach|occhi|okken)(?![a-z])|блок(?:и|ов|ами|ах|ів)(?![а-я])"
    r"|블록|ブロック|[块塊](?!大)"
)
"""Behind one: "1M blocks", "1M 블록"."""
OTHER_SIZE = (
    r"(?<![a-z])(?:sector|sektor|stripe|chunk|page|file|image|cache|alloc|cluster|volblock|record(?=size ?[=:])"
    r"|memory|buffer|read-?ahead)"
    r"(?:[-_ ]?(?:size|unit|width|größe|breite))?(?: of| is|:|=| =)? ?\d+ ?[kmg]i?b?"
    r"(?![a-z]| ?/ ?s| (?:(?:read|write|[rw]) )?iops| ?iops)"
    r"|\d+ ?k - ok(?![a-z])"
    r"|(?<![\d.])(?<!with )\d+ ?[kmg]i?b?[- ](?:sectors?|sektor\w*|stripes?|chunks?|pages?|files?|images?|cache"
    r"|alloc\w*|journal|native|[rw]size"
    r"|align\w*|volblock\w*|of (?:ram|memory|cache)|ram|memory|扇区|セクタ|сектор\w*|dateien|fichiers?"
    r"|archivos?)(?![a-z])"
    r"|(?<![a-z])[rw]size(?: ?/ ?[rw]size)?(?: of| is| von| de|:|=| =)? ?\d+ ?(?:[kmg]i?b?)?(?![a-z\d]| ?/ ?s| ?iops)"
    r"|(?<![a-z])(?:raid[- ]?\d{1,2}|concat\w{0,10}),? ?[(\[]?\d+ ?[kmg]i?b?"
    r"(?![a-z]| ?/ ?s| ?(?:rand|seq|read|write|iops))"
    r"|(?<![a-z])files?,(?: [\w ]{1,20},)? ?\d+ ?[kmg]i?b? size"
    r"|(?<![\d.])[48]k[- ](?:raw|videos?|prores|uhd|hdr|footage|streams?|films?|movies?|editing|blu-?ray|h\.?26[45]"
    r"|movies?|displays?|monitors?)(?![a-z])|(?<![\d.])[48][kк][- ]?(?:видео|відео|动画|動画|视频|視頻|영상)"
)
"""Sizes of other things than I/Os."""

RDMA_TEST = r"(?:ib|raw_ethernet)_(?:read|write|send|atomic)"
NETWORK_RATE = (
    r"(?<![a-z\d])(?:iperf[23]?|netperf|nuttcp|nttcp|qperf|nperf|librespeed|ookla|fast\.com)(?![a-z\d])"
    r"|\b(?:tested|measured) (?:the |our |my )?network\b"
    r"|\bnetwork (?:throughput|bandwidth|speed|transfer rates?) (?:between|among|from|across)\b"
    r"|\b(?:single|one|parallel)[- ]stream tcp\b|\b(?:single|one|parallel|raw) tcp (?:streams?|connections?)\b"
    r"|\btcp (?:throughput|bandwidth|goodput)\b|(?<![a-z\d])(?:(?:tcp|udp|sctp|rc|uc|ud)_bw"
    rf"|{RDMA_TEST}_bw)(?![a-z\d])"
)
ROUND_TRIP = (
    r"(?<![a-zа-я\d])(?:пинг(?:а|ом|и)?|пінг(?:у|ом)?|pings?|pinged|pinging|ping times?|rtts?"
    r"|round[- ]trips?|sockperf|qperf"
    rf"|(?:tcp|udp|sctp|rc|uc|ud)_lat|{RDMA_TEST}_lat)(?![a-z\d])"
)
"""Tools that measure networks, and what they tell."""
NETWORK = (
    r"networks?|netzwerk\w*|réseau|rete|rede|red|sieć|síť|сет[ьи]|мереж[аі]|ağ|netwerk|nätverk|hálózat|rețea|mạng"
    r"|jaringan"
    r"|lan|wan"
)
NETWORK_CJK = r"网络|網路|ネットワーク|네트워크"
OF_LINK = (
    r" ?(?:network|netz\w*|nics?|links?|ethernet|interfaces?|ports?|cards?|lan|switch\w*|connections?|bond\w*|сет\w+"
    r"|网络|网卡)"
)
"""Behind the speed of a link."""

PERCENTILE = (
    r"(?<![a-z\d])(?:p|per[cz]ent[iy]e?le?|百分位|백분위 ?수?|перцентил[ьяі])"
    r" ?(?P<points>\d{2}(?:[.,]\d{1,3})?|9[059]\d{1,3})(?![\d%]|[a-z])"
    r"|(?<![\d.,])(?!(?!50|75|80|9\d)\d{2}(?:[.,]\d{1,4})? ?%(?!-?(?:il|tile|ile)))"  # "11 s (37 %)" is a share
    r"(?P<percents>\d{2}(?:[.,]\d{1,4})?) ?(?:(?:th|st|nd|rd)(?![a-z])"
    r"|p(?<=(?:50|75|80|9\d|\.\d)p)(?!\w)|%(?:-?(?:il|tile?"
    r"|ile)\w*)?(?!\w| (?!c?lat|slat|resp|perc|tile|[mun]?s(?:ec)?\b)[a-z])"
    r"|percentile?s?"
    r"|(?:[.:]|[-:.]?(?:[eé](?:me)?|ste?))? ?-?(?:tes? )?per[zc]ent\w*|(?:\.|:?e)? ?(?:yüzdelik|centile?)(?: dilim)?"
    r"|百分位[数數]?|分位[数數]?|パーセンタイル|(?:번째)? ?(?:백분위 ?수?|퍼센타일)"
    r"|(?:-?[йя])?(?: ?(?:пер|про)центил\w*)|-?й(?: перц\w*)?"
    r"|[°º] ?per[cz]ent\w*)(?: ?(?:percentile|tile|lat(?:ency)?))?"
)

PER = r"per|pro|par|por|al|na|za|в|на|i"
"""Between a unit and "second"."""
RATE_UNIT = (
    r"(?!(?-i:[kKM]?IOs? ?/|ios? ?/))(?P<rate_scale>[kmgtкмг]?)(?:ilo|ega|iga)?(?P<rate_binary>[iиі]?)"
    r"(?P<rate_what>bytes?|bits?|octets?|байт\w*|бит\w*|[bбo])"
    rf" ?(?:(?:{PER}) (?:sec(?:ond[eoi]?)?|segundo|sek(?:und[aeęuy]?)?|сек(?:унд[уы])?)s?"
    r"|/ ?(?:s(?:ec(?:ond[eoi]?s?|s|\.)?|eg(?:undos?|\.)?|ek(?:und[aeęy]?)?|n\.?|aniye)?|秒|초|giây"
    r"|с(?:ек(?:унд[уы])?)?\.?|(?<=[тбТБ]/)c)"
    r"|(?<=[bB])ps|(?<=[tT])s?ps"
    r"|(?:(?<=[kmgKMG][bB])|(?<=[kmgKMG]i[bB])|(?<=bytes))[ _-]sec)(?![a-zа-я])"
)
SPELLED_SCALES = {
    "k": r"[kк](?:ilo|ило|іло)?|kílo|キロ|킬로|千",
    "M": r"m(?:[eé]ga)?|м(?:ега)?|メガ|메가|兆",
    "G": r"g(?:iga)?|г(?:ига|іга)?|ギガ|기가|吉",
}
SPELLED_BYTES = r"b[ay][jy]?t\w{0,4}|octets?|байт\w{0,4}|バイト|바이트|字[节節]"
SPELLED_BITS = r"bits?|bit(?:ů|y|ów|i|en)|б[иі]т\w{0,3}|ビット|비트|比特"
A_SECOND = (
    rf"(?:/|(?<!\w)(?:{PER}|mỗi|a|je)) ?(?:s(?:e[ck](?:ond[eoi]?s?|und[aeęuy]?n?)?|egundo|aniye)?"
    r"|сек(?:унд[уиы])?|с|giây)(?!\w)|[/每毎]?秒|/ ?초"
)
"""Behind an amount, in words: "85 Megabyte pro Sekunde", "38兆每秒"."""
EACH_SECOND = (
    r"[每毎]秒[钟鐘]?|秒[速間]|1秒(?:間|あたり)に?|초당|(?<!\w)(?:saniyede|mỗi giây|в секунду|за секунду|na sekundę"
    r"|por segundo|al secondo|pro sekunde|par seconde|per second|per seconde|per sekund)"
)
"""Before an amount: "每秒85MB", "saniyede 85 MB"."""
TIME_UNIT = (
    r"(?:nsec|usec|msec|nanosec(?:ond)?s?|microsec(?:ond)?s?|millisec(?:ond)?s?"
    r"|(?:mill?i|mikro|nano)sekund(?:e[nr]?|y|ach)?|m[iy]krosekund[yę]?|(?:mikro|mili|nano)saniye|(?:milli|micro|nano)second(?:es|en|[io])"
    r"|(?:mili?|micro|nano)s?segundos?|миллисекунд\w?|микросекунд\w?|ns|us|µs|μs|ms|seconds?|sekunden|sec|s"
    r"|мкс|мс|нс|сек|с)(?![a-zа-я]|/(?!i/?os?(?![a-z]))[a-z])|微秒|マイクロ秒|毫秒|ミリ秒|纳秒|ナノ秒|秒|밀리초"
    r"|마이크로초|나노초|초"
)
"""Behind a number or in a heading only: "s" and "с" are words elsewhere."""

LEAVES_OUT = (
    r"(?:we|i|they) (?:\w+ )?(?:discard(?:ed)?|excluded?|omit(?:ted)?|ignored?|left out|leave out|threw (?:out|away))"
    r"|excluding|discarding|leaving out|ignoring"
    r"|(?:avons|ai) (?:exclu|écarté|ignoré)|en excluant|descart(?:amos|é|ei)|exclu(?:imos|ímos|í|yendo|indo)"
    r"|(?:abbiamo|ho) (?:scartato|escluso)|escludendo|odrzuci(?:liśmy|łem)|pominę(?:liśmy|łam|łem)|vyřadili jsme"
    r"|(?:отбросил|исключил)[иа]?|исключая"
)
"""In front of what somebody measured and does not count."""

SPECIFIED = (
    r"(?<!access )\bspecs?\b|(?:iops|bps|bw)_limit|_qos_|(?<!access )specification|\brating\b"
    r"|data ?-?sheet|\btbw\b|\bdwpd\b|\bmtbf\b|warrant(?:y"
    r"|ies)|form factor|\bvcpus?\b"
    r"|(?<!thin[ -])(?<!thick[ -])\bprovisioned|\bsku\b|(?<!max )(?<!high )(?<!pro )endurance|\brated\b"
    rf"|\badvertised|{foretold.THEORETICAL}"
    r"|\b(?:by|per|according to) the standards?\b|\bjedec\b"
    r"|\binterface (?:bw|bandwidth|speed|rate)\b|\bhalf[ -]duplex\b"
    r"|カタログ|スペック|公称|仕様|耐久|フォームファクタ|規格|规格|参数表"
    r"|标称|官方|datenblatt|herstellerangabe|паспорт|характеристик|спецификац|заявлен"
    r"|sched[ae] tecnic(?:a|he)|folha de dados|hojas? de datos|datablad|specificatie\b"
    r"|kart[ayę] katalogow|datový list|katalogov"
    r"|veri sayfası|даташит|规格书|データシート|데이터시트"
    r"|fiche technique|ficha t[ée]cnica|specyfikacj|spécification|caractéristiques techniques|especificacion"
    r"|especificaç|datos técnicos|dados técnicos|specifiche(?! di accesso)|dati tecnici"
    r"|spezifikation|technische (?:daten|gegevens)"
    r"|specificaties|dane techniczne|specifikac|technické (?:údaje|parametry)|tekniska? data|tekniset tiedot"
    r"|specifikation|műszaki adatok|specificații|teknik özellik|technické údaje|thông số kỹ thuật|spesifikasi"
    r"|사양|스펙|공칭|공식 (?:수치|속도|성능|제원)|示例格式|示例值"
)
PROMISED_ROW = (
    rf"\W*(?:(?:max\w*|m[áa]ximo|massimo|maks\w*|максимум|μέγιστο|tối đa) )?(?:{foretold.THEORETICAL}"
    r"|rated|advertised|claimed|nominal\w*|data ?-?sheet|spec(?:s|ification)?s?|official|manufacturer|vendor|datenblatt"
    r"|herstellerangaben?|nennwerte?|constructeur|fabricante?|fiche technique|ficha técnica|заявлен\w+|паспорт\w*"
    r"|标称|官方|公称|カタログ|スペック|공칭)"
    r"(?:[\W_]*(?:max(?:im\w+|\.)?s?|m[áa]xim\w+|massim\w+|maks\w+|максимум|μέγιστο|azami|상?\s?최대|sheet|peak|speeds?"
    r"|values?|limits?|rates?|wert\w*|[最极]大?[值値]?|[值値]))*\W*"
)
"""The label of a row that nobody measured, beside rows that somebody did."""
"""What a maker or a provider states."""
NOT_MEASURED = (
    rf"{SPECIFIED}|(?<!go )(?<!goes )(?<!went )(?<!rose )(?<!follow[ -])\bup to\b"
    r"(?! (?:date|now|speed|par|the task|scratch)\b)"
    r"|bis zu|hasta\b|\d ?[GM]b(?:ps|it/s) ?\(\d{1,2} ?[×x*] ?\d{1,3} ?[GM]b(?:ps|it/s)\)"
)
PROMISED = (
    r"\bspecified|\bnominal(?:ly)?\b|\bmarketing\b|\bmay (?:do|reach|handle|get|hit|deliver)\b"
    r"|\b(?:is|are) possible (?:with|on|if|using|when)\b|\bsind möglich|\bsont possibles|\bson posibles"
    r"|\bsono possibili|\bsą możliwe|\bmümkün"
    r"|\bshall\b|\bbudget\s?[:=]|\bcaps\b|_(?:read|write)_(?:bps|iops)\b|限制[为為在到]|限速"
    r"|\b(?:burde|pitäisi|kellene|ar trebui|mal by|mala by|seharusnya|harus|aspoň|mindst|vähintään|legalább"
    r"|cel puțin|cel puţin|en az)\b|θα έπρεπε|πρέπει|τουλάχιστον|はず(?:だ|です|な)|나와야"
    r"|\bdovrebb|\bdever?ia|\bby (?:se )?m[ěe]l|\bповин\w+|\bborde\b|\bska(?:l|ll)?\b|\bbør\b|\bzou(?:den)?\b"
    r"|\bhoort\b|\bmoet(?:en)?\b"
    r"|\bgerek(?:ir|iyor)|\b(?:olmalı|yapmalı)\w*|\blẽ ra\b|\bđáng lẽ"
    r"|\b(?:on|from) (?:the |its )?(?:paper|box|packag\w+|label)\b|\b(?:box|label|sticker) says\b"
    r"|spezifizier|\bbeworben|\bangegeben\w*|\bpapier\b|\bverpackung|\bnennwert|\bangenommen\w*"
    r"|spécifi|\bannonc[ée]|\bpouvant\b|\bpeu(?:t|vent) (?:atteindre|monter)|\bl['’]emballage|\bsuppos[ée]"
    r"|\banunciad|\bespecificad|\bpueden? (?:alcanzar|llegar)|\bpodem? (?:atingir|chegar)|\bcapa[zc](?:es)?\b"
    r"|\bpapel\b|\bembala(?:je|gem)\b|\bcaixa\b|\bla caja\b|\bsupuest|\bsupost"
    r"|\bdichiarat|\bspecificat[oaie]\b|\b(?:può|possono) (?:raggiungere|arrivare)|\bin grado di\b"
    r"|\bsulla (?:scatola|carta)\b"
    r"|\bconfezione\b|\bipotizz|\bsupponendo|\blimitat[aei]\b"
    r"|\bdeklarowan|\bmo(?:że|gą) osiąg|\bzdoln\w+ do\b|\bpapierze\b|\bpudełku\b|\bopakowani|\bza[łl]o[żz]on"
    r"|\bograniczon"
    r"|\budávan|\bmohou dosáhnout|\bschopn\w+ dos|\bpapíře\b|\bkrabici\b|\bobalu\b|\bpředpoklá|\bomezen"
    r"|мо[гж]ут (?:достига|выдавать|работать)|способ(?:ен|н[аоы]) (?:достига|выда)|на (?:бумаге|коробке|упаковке)"
    r"|предполож|допустим\b"
    r"|\bзаявлен|номинальн|зазначен|можуть? досяга|обіця|теоретичн|здатн(?!і?ст)"
    r"|\bteori[kt]\w*|\biddia|\bkutu(?:sunda|nun)|\bkağıt üzerinde|\bvarsay\w+|\bsınırlı|\b\w+(?:abilir|ebilir)\b"
    r"|\bvadede\w+|\bvaat ed\w+|\banges\b|\bmarknadsför|\bmarkedsfør"
    r"|\butlova|\bspecificera|\bbegränsa|\bbegrensa|\bteoretisk|\bkan (?:nå|uppnå|oppnå|bereiken|halen)\b"
    r"|\bpå papp(?:e?ret|ir)"
    r"|\bopgegeven\b|\bgeadverteerd|\bverpakking\b|\bop papier\b|\bbeperkt"
    r"|lý thuyết|lý tưởng|quảng cáo|công bố|có thể (?:đạt|lên)|giới hạn|giả sử"
    r"|[標标][稱称]|[號号][稱称]|宣[稱称]|官方|理論|可[達达]|包装|外箱|カタログ|理論|想定|予想|見込み|见込|見積"
    r"|假[設设]|이론|공칭|표기|광고|가정|할 수 있"
    r"|\bcan (?:do|reach|deliver|handle|saturate|sustain|push|write|read|get)\b|capable"
    r"|\bonly if\b|\bper [gt]i?b\b|\bgate\b|\bva(?:nno)? da\b|\bspazia|\breich(?:t|en) von\b|\bvont de\b"
    r"|\brang(?:es?|ed|ing)\b|\bvar(?:y|ies|ied|ying)\b|fluctuat(?!ing (?:read|write))|schwank|oscil"
    r"|\b(?:sized|designed|dimensioned|planned|budgeted) (?:for|to)\b|\bausgelegt"
    r"|\bdimensioniert|\bdimensionn?[ée]|\bdimensionad"
    r"|\bprogettat|\bzaprojektowan|рассчитан|设计[为目]|設計[為上]|\bthrottl|\brules? of thumb|\bfaustregel"
    r"|\bsome(?:body|one| guy)\b|\ballow|(?<!shown )(?<!see )(?<!\bas )(?<!listed )\bbelow\b|\babove\b|\bsay\b"
    # who promises
    r"|\bvalmistaja|\bgyártó|\bproduc[ăa]tor|κατασκευαστ|\bpabrikan\b|\bprodus(?:en|ent\w*)\b|\bproducent|\bvýrobc"
    r"|\bfabrikant|\btillverkar\w*|\bleverantör\w*|\bfabricant\b|\bconstructeur\b|\bfabbricante|\bdostawc\w+"
    r"|\bdodavatel\w*|виробник\w*|постачальник\w*|\büretici\w*|nhà sản xuất|\bhãng\b|官网|制造商|製造商|공식 ?홈"
    r"|\bsold (?:with|as)\b|\bmarketed\b|\bverkauft (?:mit|als)\b|\bvendue?s? (?:avec|comme)\b"
    r"|\bvend(?:id|ut)[oaei]s? (?:con|com|como|come)\b|\bsprzedawan\w+ (?:z|jako)\b|\bprodáv\w+ (?:s|jako)\b"
    r"|прода(?:ется|ётся|ют) (?:с|как)\b"
    # how
    r"|\bpromi[st]|\bpromett|\bpromess|\bprometid|\bverspr[eioa]ch|\bbewirb|\bwirbt\b|\bgarant[ií][^ae\W]\w*|\bboast"
    r"|\boffer(?:s|ing)?\b|\bbietet\b|\bofrece\b|\boferuje\b|предлагает|\blists\b|\bquotes\b|\badvertis\w+"
    r"|\bdonnée?s? pour\b|\banunci[ao]n?\b|\bdichiara\w*|\bbelo(?:of|ve)\w*|\badverte\w+|\blova(?:r|d|t|s)\w*"
    r"|\bobiec(?:uj|an|yw)\w*|\bdeklaruj\w*|\bslib(?:uj|ov)\w*|\bslíb\w*|\budáv\w*|гарантир\w*|гаранту\w*"
    r"|\blover\b|\blupaa|\bígér\w*|\bpromit(?:e|ea|ă)\b|υπόσχ\w+|\bmenjanjikan\b|\bsľubuj\w*"
    r"|заявля\w+|\bsöz ver\w*|cam kết|\bhứa\b|承[诺諾]|保[证證]|約束|보장|약속"
    r"|\benligt (?!fio|dd|iperf|mi[nat]|mät|test)|\bwedług (?!fio|dd|iperf|pomiar|test|m[oe])"
    r"|\bpodle (?!fio|dd|iperf|měř|test|m[ýé])"
    r"|(?<!al )\bsecondo (?!fio|dd|iperf|(?:i )?mie|test|me\b|la misur)"
    r"|\bde acordo com (?!(?:[oa]s? )?(?:fio|dd|iperf|meus?|test))"
    r"|\bvolgens (?!fio|dd|iperf|m'n|mijn|test)|по данным (?!fio|dd|iperf|тест|замер|измер)"
    r"|за даними (?!fio|dd|iperf|тест|вимір)"
    r"|\bcomptez\b|\bcount on\b|\brechne(?:n sie)? mit\b|\bconte com\b|\breken op\b|\bräkna med\b|\blicz(?:yć)? na\b"
    r"|рассчитывайте на|\b(?:peut|puede|pode|può|kann|może|může|может|може)\b|수 있"
    r"|có thể|できます|書き込める|読み込める"
    r"|\b(?:samsung|wd|western digital|seagate|crucial|kingston|sandisk|intel|toshiba|micron|synology|qnap|corsair"
    r"|sabrent"
    r"|lexar|kioxia|hynix|adata|transcend|amazon|aws|azure|google) (?:says?|states?|claims?|gibt|nennt|verspricht"
    r"|annonce"
    r"|promet|anuncia|dichiara|belooft|lovar|podaje|uvádí|заявляет|обещает)\b|\btalks? of\b|\bwon['’]t\b"
    r"|\bprospekt\w*|\bbrochure\w*|\bfolleto\b|\bdépliant|\bulot[ck]\w+|\bwerbung\b|\breklam\w*|реклам\w+|\bkutuda\b"
    r"|广告|宣传|広告|홍보"
    # what a service lets through
    r"|\b(?:each|every|per) (?:shard|partition|instance|volume|vm|node|tenant|user|client|account)\b (?:accepts?"
    r"|serves?|gets?)"
    r"|\bpro (?:shard|partition|instanz|volume|nutzer)\b|\berlaubt\b|\bzulässig\b|\bchaque (?:partition|shard"
    r"|instance|volume)\b"
    r"|\bcada (?:fragmento|partici\w+|shard|instancia|instância|volumen)\b|\bogni (?:shard|partizione|istanza|volume)\b"
    r"|\badmite\b|\bpermite\b|\bpermet\b|\bprevede\b|\bconsente\b|\bpiano \w+\b|\bbasnivån?\b|\bpakiet\w*|\bbalíč\w+"
    # what somebody looks for
    r"|\b(?:look(?:ing|s)?|search(?:ing)?) for\b|\bsuche\b|\bgesucht\b|\bcherche\b|\bbusco\b|\bprocuro\b|\bcerco\b"
    r"|\bzoek\b"
    r"|\b(?:letar|söker)\b|\bszukam\b|\bhledám\b|\bищу\b|\bшукаю\b|\barıyorum\b|想[买買]|求推荐|探して|찾고|\btìm\b"
    # what somebody was told
    r"|\b(?:['’]?ve|have|i|was) (?:read|heard|told) (?:that|about|of|online|somewhere|you)\b|\bgelesen,? dass\b"
    r"|\bgehört,? dass\b"
    r"|\bj['’]ai lu que\b|\bhe leído que\b|\bho letto che\b|\bli que\b|\bczytał\w+, że\b|\bčetl\w* jsem\b"
    r"|читал\w*,? что|говорят"
    r"|听说|聽說|[据據][说說]|らしい|聞いた|들었"
    # what there is to be had, too
    r"|という[^、。]{0,16}(?:SSD|HDD|ドライブ|製品|商品|モデル|キット|カード|メモリ)もあ[るりっ]"
    r"|还有(?:一款|一种)?(?:叫|名为)|라는 [^,.]{0,16}도 있|でも(?:よ|良)かった"
    # what would be
    r"|['’]d (?:be|like|love|settle|want)\b|\b(?:serai[st]|seraient|aurait|irait|pourrai(?:t|ent)|aimerais|voudrais"
    r"|suffirait)\b"
    r"|\b(?:sería|conformaría|gustaría|bastaría|estaría|podría|haría|tendría|daría|necesitaría|quisiera)n?\b"
    r"|\b\w+(?:erei|erebb\w+|irei|irebb\w+)\b|\bsare(?:i|bb\w+)\b|\bvorrei\b"
    r"|\b(?:seria|ficaria|gostaria|bastaria|poderia|teria|daria|faria|queria)m?\b|\bskulle\b|\bvilla? gärna\b"
    r"|\b\w+(?:łbym|łabym|łby|łaby|łoby|libyśmy)\b|\bbych\b|\b(?:stačilo|byl[oa]?|mohl[oa]?|bylo) by\b|\byeter(?:li)?\b"
    r"|\w+s[ae]ydı\b|\bisterdim\b|\bistiyorum\b|要是|就[满滿]足|就[够夠]|就好了|希望|十分です"
    r"|欲しい|ほしい|좋겠|충분|\bgiá mà\b"
    r"|\bthì tốt\b|\bước gì\b|\bmuốn\b|\bddr\d"
    # what is asked for
    r"|\bwären?\b|\bwürden?\b|\bhätten?\b|\bfaudrait|\bserv(?:irebb\w*|ono|e) (?:almeno|un)|\balmeno\b|\bpelo menos\b"
    r"|\bno mínimo\b|\bcomo mínimo\b|\bminst(?:ens)?\b|\bten minste\b|\bmåste\b|\bbehöver\b|\bnodig\b|\bco najmniej\b"
    r"|\bprzynajmniej\b|\balespoň\b|\bnejméně\b|\bminimálně\b|не менше|щонайменше|потріб\w+|нужн\w+|\bбы\b|\bб[иі]\b"
    r"|\bgdyby\b|\bkdyby\b|\boccorr\w+|\bci vuole\b|\ben az\b|\blazım\b"
    r"|tối thiểu|ít nhất|\bcần\b|不[低少]于|不[低少]於|最低|至少|필수|최소"
)
"""More of it, in sentences: also what a product is able to do, or is bound to."""
USUALLY = (
    r"\busually\b|\bgenerally\b|\btypically\b|\bnormalerweise\b|\büblicherweise\b|\btypischerweise\b|\bmeistens?\b"
    r"|\bgénéralement\b|\btypiquement\b|\bhabituellement\b|\ben général\b|\bnormalmente\b|\bgeneralmente\b|\bsuelen?\b"
    r"|\bhabitualmente\b|\bcostumam?\b|\bgeralmente\b|\bdi solito\b|\bsolitamente\b|\bdoorgaans\b|\bmeestal\b"
    r"|\bnormaal gesproken\b|\bbrukar\b|\bvanligtvis\b|\bvanligen\b|\bzazwyczaj\b|\bzwykle\b|\bprzeważnie\b|\bobvykle\b"
    r"|\bvětšinou\b|обычно|как правило|зазвичай|\bgenellikle\b|\bgenelde\b|通常|一般(?:来说|而言|的?に|是|在)?"
    r"|보통|대체로"
    r"|\bthường\b|\bthông thường\b"
)
"""What is said so is said of a kind."""
OF_ITS_KIND = (
    r"\W*(?:an? (?:(?:mechanical|spinning) )?(?:hard )?(?:dis[kc]|drive)"
    r"|(?:mechanical |spinning )?hard (?:dis[kc]|drive)s|hdds|ssds|festplatten|les disques durs"
    r"|los discos duros|os discos rígidos|i dischi rigidi|ж[её]сткие диски"
    r"|[机機]械硬[盘碟]|固[态態]硬[盘碟]|(?:ハードディスク|hdd)(?=[はもの]))(?![a-zа-я])"
    r"[^。;；]{0,60}?(?:\banyway\b|\bat best\b|\bohnehin\b|\bsowieso\b|\bde toute façon\b|\bde todos modos\b"
    r"|也就|せいぜい|どうせ|вс[её] равно|в лучшем случае)"
)
"""A sentence that begins so is not of a drive that somebody has: "Hard disks read at about 200 MB/s anyway"."""
ON_AVERAGE = (
    r"\bon average\b|\bim (?:durch)?schnitt\b|\bdurchschnittlich\b|\ben moyenne\b|\ben promedio\b|\bde media\b"
    r"|\bem média\b"
    r"|\bin media\b|\bgemiddeld\b|\bi genomsnitt\b|\bi snitt\b|\bśrednio\b|\bprzeciętnie\b|\bprůměrně\b|\bv průměru\b"
    r"|в среднем|[ву] середньому"
    r"|\bortalama\b|\btrung bình\b|平均|평균"
)
TAKES = (
    r"\btakes?\b|\btook\b|\beach\b|\b(?:per|pro|par|por|na|за|на) "
    r"(?:read|write|op|i/?o|request|op[eé]r[aáò]\w+|zápis|zapis|čtení|odczyt|операци\w+|операці\w+|anfrage|zugriff)\b"
    r"|\bper (?:bewerking|skrivning|läsning)\b|\bbaşına\b|每次(?:操作|读|写|讀|寫|請求|请求)?|1回あたり"
    r"|작업당|[번회]당|걸[립려린리]|かか[りるっ]|\bdauer[nt]\b|\btarda\b|\bimpiega\b|\bzajmuje\b|\btrwa\b|\btrvá\b|\bduurt\b"
    rf"|занима[ею]т|займа[єю]|\bsür(?:er|üyor)\b|耗时|耗時|{ON_AVERAGE}"
)
"""Of a time beside a rate: it is what one operation took."""
DRIVES = (
    r"ssd['’]?s|hdd['’]?s|nvmes|(?:hard )?drives|(?:hard )?disks|(?:usb )?sticks|flash drives|(?:memory |sd )?cards"
    r"|(?:fest)?platten|laufwerke|(?:speicher)?karten|disques|clés(?: usb)?|cartes(?: sd)?|discos|tarjetas|pendrives"
    r"|memorias"
    r"|cartões|dischi|chiavette|schede|schijven|kaarten|diskar(?:na)?|hårddiskar(?:na)?|minneskort|dysk(?:i|ów|ach"
    r"|om)|kart(?:y|ach)"
    r"|pendrive['’]?y|disk(?:y|ů)|discích|диск(?:и|ов|ах|ів|ам)|накопител(?:и|ей|ях|ям)|накопичувач(?:і|ів|ах|ам)"
    r"|флешк(?:и|ах)|флешок|карт(?:ы|ах)|ssd['’]ler\w*|diskler\w*|sürücüler\w*|kartlar\w*"
    r"|(?:les|los|las|gli|i|os|as) (?:ssd|hdd|nvme)s?|các (?:ổ|thẻ|usb|ssd)|моделей (?:ssd|hdd)"
)
"""More than one drive, as far as a language tells."""
OF_KIND = (
    r"modern|typical|most|many|cheap(?:er|est)?|old(?:er)?|new(?:er)?|current|average|ordinary|regular|consumer|any"
    r"|every|all"
    r"|today['’]s|even|moderne?[nrs]?|aktuelle?[nrs]?|heutige?[nrs]?|billige?[nrs]?|normale?[nrs]?|übliche?[nrs]?"
    r"|gängige?[nrs]?|typische?[nrs]?|gewöhnlich\w*|durchschnittliche?\w*|modernes?|actuel(?:le)?s?|récent(?:e)?s?"
    r"|classiques?"
    r"|ordinaires?|modern[oa]s?|actual(?:es)?|típic[oa]s?|baratos?|atua(?:l|is)|comuns?|modern[ieo]|attual[ie]"
    r"|tipic[ioa]"
    r"|comun[ei]|economic[ioa]|moderne|huidige|gewone|goedkope|gemiddelde|moderna|vanlig[at]?|billiga|nowoczesn\w+"
    r"|współczesn\w+|typow\w+|zwykł\w+|tani\w*|moderní\w*|současn\w+|běžn\w+|typick\w+|levn\w+|современн\w+|обычн\w+"
    r"|типичн\w+|бытов\w+|деш[её]в\w+|лучш\w+|сучасн\w+|звичайн\w+|типов\w+|дешев\w+|найкращ\w+|modern|sıradan|ucuz"
    r"|普通(?:的)?|一般的?(?:な)?|最近の|現代の|常见的|常見的|일반적인|최신|thông thường|hiện đại|hiện nay"
)
"""Of all drives of a kind."""
OWNED = (
    r"my|our|these|those|this|both|two|three|four|\d{1,3} ?[x×]?|mein\w*|unser\w*|diese\w*|beiden?|zwei|mes|nos|ces"
    r"|deux"
    r"|mis|nuestros|nuestras|estos|estas|dos|meus|nossos|estes|dois|i miei|nostri|questi|due|mijn|onze|deze|twee"
    r"|mina|våra"
    r"|dessa|två|moj[eai]|moich|nasz\w+|te|tych|dwa|obu|mé|moje|naše|tyto|dva|мо[иеёяй]\w*|наш\w*|эт[иоа]\w*|оба"
    r"|обо\w+|мої\w*"
    r"|ці|цих|обох|我的|我们的|这[些块个]|うちの|手持ちの|내|우리|của tôi"
)
"""Before drives: these are meant, and no kind."""
TYPES_OF_DRIVES = r"sata|nvme|pcie|m\.2|usb|sas|gen ?\d|\d\.\d|qlc|tlc|slc|mlc|uhs|u\.2|emmc|ufs|v\d\d"
STATED = (
    r"\b(?:provid|deliver)(?:es|ing)\b|\bsupports?\b|\bliefert\b|\bstellt\b|\bfournit\b"
    r"|\bproporciona\b|\bfornece\b"
    r"|\bfeatures\b|\bcomes with\b|\bsports\b|\bwartet mit\b|\bverfügt über\b|\bdispose de\b|\bcuenta con\b"
    r"|\bdispone de\b|\bvanta\b|\bpossiede\b"
    r"|\bdispõe\b|\bposiada\b|\bcharakteryzuje\b|\bdisponuje\b|\bnabízí\b|обладает|развивает|を(?:実現|誇|備え)"
    r"|支持|拥有|具备|に達する|に対応"
    r"|\bfornisce\b|\bzapewnia\b|обеспечивает|高[达達]|提供"
    r"|\b(?:average|ordinary|regular) (?:\w+ ){0,2}(?:ssd|hdd|drive|disk)\b|\b(?:gewöhnlich|durchschnittlich)e\w*\b"
    r"|\b(?:disque|ssd|disco) (?:dur )?(?:ordinaire|classique|corriente|comune?|comum)\b|\b(?:typow|zwykł|běžn"
    r"|vanlig|gewone)\w*"
    r"|обычн(?:ый|ая|ые|ого|ой)\b|типичн\w+|звичайн\w+|\bsıradan\b|普通|一般的な|일반|hızına sahip"
    r"|\btypical\b(?! lat)"
)
"""What is said of a product, unless the sentence names a test."""
ONLY = (
    r"only|just|barely|hardly|merely|nur|gerade(?: mal)?|kaum|lediglich|bloß|knapp|seulement|à peine|qu['’]à|que"
    r"|uniquement"
    r"|solo|sólo|solamente|apenas|só|somente|soltanto|solamente|appena|maar|slechts|amper|bara|endast|knappt|kun|tylko"
    r"|zaledwie|ledwo|ledwie|jen|pouze|sotva|только|лишь|всего|едва|лише|тільки|ледве|sadece|ancak|yalnızca|chỉ|mỗi"
    r"|只|才|仅|僅|就"
)
"""Before a number that somebody is not content with."""
ABOUT = (
    r"(?:well |just )?(?:over|under)|(?:more|less) than|mehr als|weniger als|unter|über|plus de|moins de|más de"
    r"|menos de|mais de|più di|meno di"
    r"|więcej niż|mniej niż|více než|méně než|более|менее|больше|меньше|meer dan|minder dan|mer än|mindre än|hơn|dưới"
    r"|about|around|roughly|approximately|approx\.?|nearly|almost|barely|hardly|some|only|just|ca\.?|circa|etwa|rund"
    r"|ungef(?:ä|ae)hr|knapp|fast|gut|kaum|nur"
    r"|environ|près de|presque|à peine|seulement|unos|cerca de|alrededor de|casi|apenas|solo|sólo|quase|quasi"
    r"|appena|około|ok\.|prawie|niemal|tylko|ledwie"
    r"|asi|přibližně|skoro|téměř|jen|pouze|около|почти|примерно|порядка|всего|лишь|только|едва|близько|майже"
    r"|приблизно|лише|ungeveer|bijna|slechts|amper"
    r"|cirka|ungefär|nästan|knappt|bara|omkring|nesten|yaklaşık|neredeyse|sadece|khoảng|gần|chỉ|大?[约約]"
    r"|[仅僅才只]|たった|わずか|約|약|겨우|고작"
)
"""Right before an observed number: it is near it."""
UP_TO = (
    r"\bup to|\bbis(?: zu)?|\bjusqu['’](?:à|aux?)|\bhasta|\baté|\bfino a(?:i|d)?|\bdo|\baž(?: do)?|(?<![а-яёіїє])до"
    r"|\btot|\bupp till"
    r"|\bop(?:p?)(?: ?til)"
    r"|\bpână la|(?<!\w)έως|\bhingga|\bjopa|\bakár|\blên (?:tới|đến)|最[高大]可?[達达]|高[達达]|可[達达]到?"
)
"""Right before a number: the most of something."""
UP_TO_BEHIND = r"['’]?(?:y?[ae])? ?varan\b|['’]?(?:[yae]{1,2})? ?kadar\b|まで|까지"
COMES_OUT = r"나[오온옵와왔]|出[るたてま]|alıyor|alabil|görüyor"
"""Behind "up to 110 MB/s": so much is seen."""
CHANGED = (
    r"\b(?:go(?:es|ne)?|went|going|drop|f[ae]ll|rise|rose|risen|increas|decreas|declin|slow|climb|grow|grew|jump"
    r"|brought|brings|raised|lifted|down|back)(?:\w*)\b"
    r"|\b(?:stieg|steig|gestieg|fiel|fäll|gefall|sank|sink|gesunk|brach|bricht|geh|ging|wuchs|wächst|rutsch)\w*"
    r"|\b(?:baiss|chut|tomb|descend|mont|augment|pass(?:e|é|ait|ant)\b|grimp|redescend)\w*"
    r"|\b(?:baj|cae|cay|cai|sub[ei]|subió|aument|disminu|desc|pas[aóo]\b|lleg(?:a|ó|ué|o)\b|cheg(?:a|ou|uei|o)\b)\w*"
    r"|\b(?:scend|sces|sal[eiì]|calat?|crolla|cresc|arriv)\w*"
    r"|\b(?:spad|wzro|wzras|zmniejsz|zwiększ|doch|doszed|skoczy|klesl|klesá|stoup|vzrost|propad|zpomal)\w*"
    r"|(?:упа[лд]|пада|вырос|раст[её]т|сни[зж]|повы[сш]|увелич|до(?:ш[её]?л|ход)|опус[кт]|подн|прос[её]л|замедл"
    r"|впа[лд]|зрос)\w*"
    r"|\b(?:dal(?:t|de|en|ade)|zak(?:t|te)|stijg|steeg|sjunk|steg|stiger|ök(?:ar|ade)|föll|faller|falt)\w*"
    r"|\b(?:düş|yüksel|çık(?:ıyor|tı)|in(?:di|iyor)\b)\w*|giảm|tăng|tụt|xuống"
    r"|[降跌掉升涨漲]|下がり|下がっ|上がり|上がっ|落ち|떨어|올라|낮아|높아"
)
"""It went from one number to another."""
OBSERVER = (
    r"\b(?:i|we|ich|wir|je|j['’]\w*|nous|on|yo|eu|io|ja|já|ik|wij|we|jag|jeg|vi|tôi|mình|я|ми|мы)\b|我|私|저[는희]"
    r"|제가"
    r"|\b(?:bekomm|erreich|komm|kopier|schaff|hab|les|schreib)e\b|\b(?:obtengo|consigo|copio|alcanzo|llego|saco"
    r"|obtenho|chego|alcanço)\b"
    r"|\b(?:ottengo|raggiungo|arrivo)\b|\b(?:mam|osiągam|kopiuję|uzyskuję|dostaję|mám|dosahuji|kopíruji|dostanu)\b"
    r"|получа(?:ю|ем|л)\w*|копиру(?:ю|ем)|отримую|копіюю|\b(?:alıyor|görüyor|kopyalıyor)\w*"
    r"|\b(?:saan|sain|mittasin|saavutin|kapok|kaptam|mértem|elértem)\b"
)
"""Who tells of what he does himself."""
DRIVE = (
    r"\b(?:ssds?|hdds?|sshds?|nvmes?|m\.2|emmc|ufs|dis[kc]s?|drives?|hard ?drives?|(?:micro-?)?sd(?:hc|xc)?|cards?"
    r"|sticks?|platten?|festplatten?"
    r"|laufwerke?|karten?|disques?|clés?|cartes?|discos?|tarjetas?|cart(?:ão|ões)|schede?|dysk\w*|kart[ay]|disk(?:y"
    r"|u|ů|em)?|schijf|schijven|harddisk\w*"
    r"|diskler|ổ (?:cứng|đĩa))\b|диск\w*|накопител\w*|накопичувач\w*|флешк\w*|карт[аыу]\b|硬[盘碟]"
    r"|固[态態](?:硬[盘碟])?|磁[盘碟]|ドライブ|ディスク|디스크|드라이브"
)
"""A part that stores."""
PRICED = (
    r"\bprices?\b|\bcosts? (?:per|in|of|\()"
    r"|\bpreise?\b|\bprix\b|\bprecios?\b|\bprezz[oi]\b|\bcen[ay]\b|цен[аы]\b|价格|價格|価格|가격|[$€£¥₽]"
)
"""A row or a column of prices stands beside what was measured, or beside what is sold."""
TESTED = (
    r"\bfio\b|\brados bench|\bdd\b|\b(?:diskspd|iozone|bonnie|vdbench|iometer|ioping|hdparm"
    r"|(?:k|crystal ?)?disk ?mark|as[ -]ssd)|bench"
    r"|\bmeasur|\btest|\b(?:my|our) (?:numbers|results)|gemess|mesur"
    r"|\bprova\b|\bpruebas?\b|\bessais?\b|medid|misur|pomiar|zmierz|тест|измер"
    r"|测试|測試|測定|計測|ベンチ|測った|벤치|测得|쟀|замер[иея]|naměř"
    rf"|{foretold.MEASURED_ELSEWHERE}"
)
"""Somebody says that he measured."""
OFFERED = (
    r"プラン|マニュアル|套餐|方案|手册|説明書|\bplans?\b|\btiers?\b|\bmanual\b|\bpricing|\bguarantee|\bofferings?\b"
    r"|\bgp[23]\b|\bio[12]\b"
    r"|\btarif|\bangebot|\bhandbuch|\boffre\b|\bforfait|\bplanes?\b|\btaryf|\btarify|тариф|요금제|매뉴얼"
)
"""What a provider sells, or its manual states: nobody measured it here."""
OF_ANY_SUCH = (
    r"\ban? [\w-]+ (?:jbof|array|enclosure|appliance|chassis|shelf)\b[^.;]{0,40}?"
    r"\b(?:delivers?|provides?|offers?|sustains?|yields?)\b"
)
""" "A 10-drive JBOF delivers approximately 30 GB/s": not one that somebody has."""
_VALUE_OF_A_WAY = r"\s[~≈]? ?\d[\d.,]{0,9}[^\d;.]{1,40}\b(?:read|writ)(?:e?s?|ing)\b"
""" "between 900 MB/s of writes and 2100 MB/s of reads": no range."""
WISHED = (
    r"\basks? for\b|\b(?:contract|tender|rfp|sla|customer|client) (?:\w+ )?(?:asked|called|calls) for\b"
    r"|\bshould|\bwould|\bcould|\bmight\b|(?<!\bas )\bexpect|\bneed|\bwant|\bwish|\bhop(?:e|ing)|\bgoal"
    r"|\bespér(?:ais|ait|ions|ons|er|é)(?!\w)|\bsl[ao]s?(?: is\b| of\b| says\b|[:=]| ?(?=\d))"
    r"|\bdesired (?:speed|rate|throughput|bandwidth|iops|performance)"
    r"|(?<!iscsi )(?<!nvmf )(?<!tcp )(?<!rdma )(?<!scsi )(?<!spdk )\btarget(?!(?:'s)?[- ](?:(?:cpu|i/o) )?"
    r"(?:cores?|side|host|node|server|disk|drive|device|volume|lun|port|machine|pool|file|dir|application|process))"
    r"|\brequire|\blimit(?!ed:)|\bquota|\bcap(?:ped)?\b|\bmin(?:imum)? of\b|\bat least"
    r"|\bcannot|\bcan't"
    r"|\bif\b(?! I (?:recall|remember)| memory serves)|\bwhether"
    r"|\bclaim|\btheor|\bassum|\bestimat|(?<!not )\bpredict|\bideal|\bguess|\bprobably|\bmaybe"
    rf"|\bper (?:disk|drive|osd)\b.*\?|\?\s*$|\bbetween\b(?!{_VALUE_OF_A_WAY})|\bsollte|\bmüsste|\bkönnte"
    r"|(?<!wie )(?<!zu )\berwart(?!ungsgem)|\bbrauch"
    r"|\bziel|\bhöchstens|\bmindestens|\bwenn\b|devrait|attend|objectif|au moins|deber[íi]a|esper|objetivo"
    r"|al menos|\balvo\b|powin|oczekiw|\bcel\b|m[ěe]l[oa]? by|[čc]ekal"
    r"|\bvänta(?:t|de)\b|\bhoppa[dt]|\baspettav|\bspodziewa|\bbekliyor|\bbeklerdi|以[为為]|기대했|очікува[вл]"
    r"|\bcíl\b|должн|ожида|хоч[уеи]|хотя бы|хотел"
    r"|нужно"
    r"|цель|предел|может быть|(?<!не)(?<!не )идеальн|(?<![不太够很甚])理想|(?<!pas )\bidéal|peut-être"
    r"|не менее|应该|應該|预期|期望|目标|需要|要求|上限|至少|べき|目標|期待|要件|最低でも|해야|예상|목표|필요"
    r"|annonce|peut atteindre|promet|puede alcanzar|může dosáhnout|может достиг|обеща|peaking|\bpeaks?\b"
    r"|grafana|dashboard"
    r"|begrenz|limitier|drossel|\bhoster\b|\bprovider|limité|limitad|ограничи|документац"
    r"|documentation|according to (?!fio|rados|rbd|dd|(?:\w+ of )?(?:my|our|these) )"
    r"|\blaut (?!fio|rados|rbd|dd|(?:meine|unsere)[mnrs]? )|\bselon (?!fio|mes |nos )"
    r"|\bsegún (?!fio|el n)"
    r"|\bvendor(?!'s (?:drive|disk|ssd))|\bmanufacturer|hersteller|厂商|厂家|メーカー|제조사"
    r"|\bproducent|\bvýrobc|производител|\bfabricante?\b(?! de)|\bproduttore"
    r"|\bappliance|\bin \d ?u\b|согласно|\bpeople\b|\bothers\b"
    r"|\bprecis(?:a|am|ará)\b|\bnecesit|\bnecessit|\bnécessit|\bdeb(?:e|en|ería)\b|\bdev(?:e|em|ono)\b|\bdoi(?:t"
    r"|vent)\b"
    r"|\bil faut\b|\bhace falta|\bmusi(?:e[zć])?\b|\bmuszą\b|\bpotrzeb|\bmusí\b|\bpotřeb"
    r"|\bmust (?!say|admit|be (?:said|the))|\bmuss (?!sagen|zugeben|wohl)|\bmüssen\b|необходим|требу|треба\b"
    r"|如果|假如|是不是|意味着|もし|例えば|たとえば|例如|比如|謳|号称|宣称|可达|\be\.g\.|for example|for instance"
    r"|zum beispiel|\bz\. ?b\.|par exemple"
    rf"|{foretold.EXPECTED_ELSEWHERE}|\b(?:{foretold.AIMS}|{foretold.AIM})(?!\w)|{foretold.REQUIRED}|{foretold.NEEDS}"
    rf"|(?:{foretold.REQUIREMENTS})\w{{0,6}}(?= ?[:：])"
    r"|por ejemplo|\bnp\.|například|например"
)
"""A sentence with one of these tells of what was not measured, or not so."""
COMPARED = (
    r"improv\w*|(?<![a-z])increase(?![a-z])|(?<![a-z])gain|delta|(?<![a-z])(?!diff[ée]rent)diff(?:[ée]renz?\w*"
    r"|s)?(?![a-z])"
    r"|(?<![a-z])ratio(?![a-z])|speed-?up"
    r"|(?<!replication )factor|overhead|(?<![a-z])change\b|変化率?|増減|提升|改善"
    r"|差[异異]?(?![a-z])|倍|verbesser\w*|unterschied\w*|прирост\w*|разниц\w*|[Δ]"
    r"|(?<![a-z])rel(?:\.|ati(?:v(?:e|o|a|er?)?|f))?(?=\W*$|[)\]])|(?<![a-z])(?:normali[sz]ed|normiert"
    r"|normalisé)(?![a-z])"
    r"|нормирован\w*|相対値?|相对值?|상대값?"
    r"|diff[ée]rence|mejora|diferencia|r[óo][żz]nica|rozd[íi]l|향상|차이"
)
SUMMED = r"[\s*]*(?:total|sum|合計|合计|总计|總計|gesamt|summe|итого|всего|razem|suma|celkem|합계|somme)[\s*:]*"
THEN = (
    r"(?:and )?then|(?:et )?(?:puis|ensuite)|(?:und )?(?:dann|danach)|(?:y )?(?:luego|después)|(?:e )?(?:poi|depois)"
    r"|(?:a )?(?:potem|następnie|potom|poté)|(?:а )?(?:затем|потом|потім)|(?:en )?daarna|sedan|ve sonra"
)
"""Between what one run gave and the next."""
SESSIONS = (
    r"sessions?|sitzung(?:en)?|sesion(?:es)?|sesión|sess(?:ão|ões)|sessioni?e?|sesj[aię]|relac[eí]|сесси[яией]|сеанс\w{0,2}"
    r"|oturum|会话|會話|工作階段|セッション|세션"
)
"""Behind a number, of a network: streams."""
TOTALLED = (
    r"total(?:e[rsn]?|a)?|overall|combined|aggregated?|effective|effektive?|gesamt|globale?|łączn[aey]|całkowit[aey]"
    r"|celkov[áé]|общ(?:ая|ий)|суммарн(?:ая|ый)|загальн(?:а|ий)|toplam|总|總|总计|合計|合计|全体|총|전체|총합|합계"
)
"""In front of what is counted, or behind it."""
WATCHED = (
    r"\b(?:disk|i/?o) queue (?:at|near|is|was|length|empty|of)|fila d[eo] disco|cola de(?:l)? disco"
    r"|file d['’]attente (?:du )?disque|coda (?:del )?disco|datenträgerwarteschlange|очеред[ьи] диска|черг[аи] диска"
    r"|\b(?:disk|i/?o) counters?\b|datenträgerzähler|compteurs? (?:du |de )?disque|contador(?:es)? de(?:l)? disco"
    r"|contador(?:es)? d[eo]s? discos?|contatori (?:del )?disco|liczniki? dysku|сч[её]тчик\w* диск\w*|磁盘计数器"
    r"|ディスクカウンター?|디스크 카운터"
    r"|磁盘队列|ディスクキュー|\bprometheus\b|\bzabbix\b|\bnetdata\b|\bcloudwatch\b|\bdatadog\b"
    r"|(?:requests?|queries|anfragen|requêtes|peticiones|requisições|richieste|zapytań|запрос\w*|запит\w*|请求)/(?:s|с|秒)"
    r"(?:ec)? (?:and|und|et|y|e|i|и|і|та) \d"
)
"""What a monitor shows, and what a service is asked for beside the bytes that it writes."""
MONITORED = (
    r"\d ?[kmgt]?i?b/s (?:rd|wr)\b|avg latency for (?:sub)?op|%util|^\s*r/s\n|\bpgmap\b|op/s (?:rd|wr)\b"
    r"|\bawait\b|svctm|avgqu|\baqu-sz\b|(?-i:\btps\b)"
    r"|r(?:_|)await"
    r"|commit[ _]latency|apply[ _]latency|\brkB/s|\bwkB/s"
    r"|\brMB/s|\bwMB/s|RD_LAT|WR_LAT|kB_read|RD_OPS|WR_OPS|READ_OPS|\bicmp_seq\b"
    r"|^TIME\(s\)$|^QUE\(ms\)$"  # biosnoop
    r"|thread stats|^total\nread iops\nwrite iops\ntotal iops$|^\s*\d+ (?:\++-*|-+)\s*$|files? changed"
)
STORE = (
    r"(?<![a-z])(?:rocksdb|leveldb|lmdb|redis|memcached|cassandra|scylladb|mongodb|ycsb|db_bench|sqlite|lsm|memtable"
    r"|skip[- ]?list|key[- ]value(?: store)?|fill_?(?:random|seq|sync|batch|unique\w*)|mixgraph"
    r"|(?:multi)?readrandom\w*|readwhile(?:writing|merging|scanning)|(?:update|append|seek|delete)random\w*)(?![a-z])"
    r"|键值|鍵值|キーバリュー"
)
STORE_RATE = r"(?<![a-z])[km]?(?:ops?|operations|puts?|gets?|inserts?) ?(?:/|per) ?s(?:ec(?:ond)?)?(?![a-z])"
"""What stores of keys and values do in a second, and no drive."""
MEMORY = (
    r"memory|d?ram|ddr[345]|arbeitsspeicher|память|пам[ʼ'’]ять|内存|記憶體|メモリ|메모리|mem[óo]ria(?: ram)?"
    r"|mémoire(?: vive)?|pamięć(?: ram)?|paměť|geheugen"
)
MEMORY_RATE = (
    rf"(?<![a-z])(?<!optane )(?<!persistent )(?<!flash )(?:{MEMORY})"
    r" ?(?:band-?width|throughput|bandbreite|durchsatz|带宽|頻寬|帯域幅?|대역폭)"
    r"|(?:band-?width|throughput|bande passante|ancho de banda|largura de banda|larghezza di banda|przepustowość"
    r"|propustnost|пропускн\w+ способност\w+) (?:(?:of|de|da|di|del|della|la|the|system) ){0,3}"
    rf"(?:{MEMORY}|pamięci|paměti|памяти)(?![a-z-]| (?:flash|usb|sd|cards?|sticks?))"
    r"|(?<![a-z])(?:mbw|tinymembench|stream triad|intel mlc)(?![a-z])"
)
"""What a heading calls it, however it goes on."""
OF_MEMORY = (
    rf".{{0,60}}?(?:{MEMORY_RATE}).{{0,40}}|"
    rf"[\W\d]*(?:{MEMORY}) ?[—–:]\W.{{0,80}}|"
    rf"[\W\d]*(?:(?:system|main) )?(?:{MEMORY}|cpu caches?"
    r"|mem(?=[- ]?(?:test|bench|speed))|(?:gpu|cuda)[- ]?(?:cop(?:y|ies)|memcpy|mem))"
    r"(?:[- ]?(?:benchmarks?|tests?|bandwidth|throughput|speed|performance|bandbreite|测试|測試|性能|带宽"
    r"|ベンチマーク"
    r"|帯域幅?|성능|대역폭|\([^()]*\)))*\W*"
)
"""A heading or a caption above rates of memory, in full."""
DATABASE = (
    r"(?<![a-z])(?:pg_?bench|hammerdb|mysqlslap|benchbase|oltp(?:[_ -]\w+)?|tpc-?[bceh]|tpcc|tproc-[ch]|tpmc|nopm"
    r"|redis-benchmark|memtier\w*|benchmark etcd|etcd benchmark|nosqlbench|cassandra-stress"
    r"|apache ?bench(?:mark)?|wrk2?|k6|j-?meter|h2load|httperf|autocannon|vegeta|gatling)(?![a-z\d])"
)
"""Benchmarks of databases and of web servers, and their units."""
TRANSACTIONS = (
    r"(?<![a-z])(?:tx|txns?|trans(?:actions)?|commits?|queries|rows|messages|msgs?|records|docs|documents|events"
    r"|transaktionen|abfragen|requêtes|transacciones|transações|transazioni|consultas|transakcj[ei]|транзакц\w+"
    r"|запрос\w+|事务数?|查询数?|トランザクション数?|クエリ数?)"
    r" ?(?:/|per|pro|par|por|al|na|в) ?(?:s(?:ec(?:ond[eos]?)?|egundo|ekund[eęy])?|с(?:ек\w*)?|秒)(?![a-zа-я])"
    r"|\b[tq]ps\b"
    r"|每秒(?:事务|查询)|秒間(?:トランザクション|クエリ)"
)
"""What databases do in a second."""
BOUND = (
    r"(?<![^\W\d_])(?:less than|lower than|below|under|at most|(?:no|not) more than|within|not exceed(?:ed)?"
    r"|unter(?:halb)?(?: von)?|weniger als|höchstens|moins de|(?:en |au-?)?dessous de|sous(?: les)?|inférieure?s? à"
    r"|menos de|(?:por )?debajo de|inferior(?:es)? a|abaixo de|meno di|sotto(?: (?:i|gli))?|inferior[ei] a"
    r"|poniżej|mniej niż|méně než|pod|onder|меньше|менее|ниже|не (?:более|больше|выше|превыша\w+))"
    r"|低[于於]|[小少][于於]|不超[过過]|不到"
)
"""Right before a number: what something was kept to, or stayed below, and no value that it had."""
SUB = r"(?<![^\W_])sub"
"""In front of a number it is such a bound, too: "sub 0.5 ms", "sub-100 MB/s"."""
BOUND_BEHIND = r"未満|未满|以内|이내|미만"
OF_ALL = (
    r"\W*(?:all|everything|every|alles?|jeweils|tout(?:es|s)?|tous|todos?|todas|tutt[oieа]|tudo|wszystk\w+"
    r"|вс[её]|везде|全部"
    r"|tüm|bütün|hepsi|alla|allt|samtliga|každý|vš(?:e|echn\w+)|[ув]с[іе]|以上(?:所有|全部|各|的|は|[结結測测数數])|所有|上記"
    r"|모든|모두|전부|위 (?:결과|테스트|수치|값)"
    r"|すべて|全て|どちらも|いずれも|both|beide[ns]?|les deux|ambos|entramb[ie]|оба|обе|oba|均为|都是)(?![a-z])"
)
"""How a sentence begins that holds for all results around it."""
EVERYWHERE = (
    r"\b(?:everywhere|throughout|überall|durchweg|partout|en todas partes|ovunque|dappertutto|em todo (?:lado|o)"
    r"|wszędzie|všude|všade|overal|överallt|overalt|kaikkialla|mindenhol|peste tot|her yerde|di mana-mana)\b"
    r"|(?<![а-яії])(?:везде|всюду|всюди|повсюди)|παντού|ở mọi nơi|[均都皆][为為是]|[一全]律[为為是]?|すべて|全て|모두"
)
"""What is said so of a unit holds for all tables of a page."""
ABOVE = (
    r"(?<!\bas )(?<!than )(?<!like )(?<!see )\babove\b(?! (?:all|the|that|an?|my|our|zero|average|\W?\d))"
    r"|\bobige[nmrs]?\b|\boben\b|\b(?:oben|vor)(?:stehend|genannt)\w*|\bci-dessus\b|\bplus haut\b|\bprécédente?s?\b"
    r"|\b(?:de|más) arriba\b|\banteriore?s\b|\bacima\b|\bsopra\b|\bsoprastant\w+|\bprecedent[ei]\b|\bde mai sus\b"
    r"|\bbovenstaand\w*|\bhierboven\b|\bovan(?:stående)?\b|\boven(?:for|stående|nevnte|nævnte)\b|\byllä\b|\bedellä\b"
    r"|\bpowyż\w+|\bvýše\b|\bvyššie\b|\bfenti(?:ek)?\b|\byukarıda\w*|(?<![а-я])(?:выше|вище)\w*|\bπαραπάνω\b"
    r"|(?:^|[，,。；;、]\s?)以上(?:所有|全部|各|的|の|は|[结結測测])|上述|上面的?|上表|上記|上の[表値結]"
    r"|(?<!\w)위(?:의|에서)? |상기"
    r"|(?:nêu|ở|phía) trên|\bdi atas\b"
)
"""How a sentence points to what stands above it."""
UNLIKE = (
    r"\b(?:unlike|contrary to|(?:in|by) contrast|(?:as )?compared (?:to|with)|other than|instead of|anders als"
    r"|im (?:gegensatz|vergleich|unterschied)|contrairement|par rapport|a diferencia|en comparación|ao contrário"
    r"|a differenza|rispetto a|w przeciwieństwie|w porównaniu|na rozdíl|oproti|in tegenstelling|jämfört|sammenlignet"
    r"|toisin kuin|в отличие|по сравнению|на відміну)\b"
    r"|不同于|與.{1,8}不同|与.{1,8}不同|相比|と(?:異なり|違い|比べ)|달리|비해"
)
"""How a sentence begins that tells of something else beside what it names."""
WITH = "with|at|mit|bei|avec|à|con|при"
"""What leads from a value to the load that it is of."""
INSTEAD = (
    r"instead of|rather than|statt|anstatt|anstelle von|au lieu d[eu]s?|en (?:lugar|vez) de|em vez de|invece di"
    r"|zamiast|místo|вместо|замість"
    r"|in plaats van|istället för|i stedet for|yerine|thay vì|而不是|ではなく|대신"
)
"""Behind it stands what somebody expected."""
SHEET = (
    r"(?:data|spec)[ -]?sheets?|specifications?|specs|datenbl[aä]tt\w*|fiches? techniques?|fichas? t[ée]cnicas?"
    r"|hojas? de datos"
    r"|folha de dados|sched[ae] tecnic(?:a|he)|specifiche|specificaties|specificatieblad|datablad(?:et)?"
    r"|kart[ay] katalogow\w+"
    r"|specyfikacj[aei]|datový list|specifikace|даташит\w*|техпаспорт\w*|спецификаци[ия]|специфікаці[яї]"
    r"|规格书|規格書|规格表"
    r"|データシート|仕様書|데이터시트"
)
SAYS = (
    r"says?|states?|lists?|indicates?|promises?|claims?|quotes?|gives?|shows?|mentions?|nennt|nennen|verspricht|gibt"
    r"|zeigt|spricht"
    r"|indique(?:nt)?|annonce(?:nt)?|affiche(?:nt)?|donne(?:nt)?|mentionne|dice|dicen|indican?|anuncian?|prometen?"
    r"|menciona"
    r"|diz|dizem|mostra|riporta|indica|dichiara|dicono|parla|noemt|noemen|vermeldt|belooft|säger|anger|uppger|lovar"
    r"|mówi|podaje|obiecuje|uvádí|slibuje|říká|говорит|указыва\w+|обеща\w+|заявля\w+|вказу\w+|обіця\w+"
)
"""What a data sheet does."""
GOES_ON = (
    r"(?:(?:and|but|so|und|aber|et|mais|y|pero|e|mas|ma|en|maar|och|men|i|a|ale|но|а|і|але|ama) )?(?:"
    r"now|then|later|today|afterwards?|after|before|previously|earlier|initially|at first|it|this|that|they|with"
    r"|without|using"
    r"|on|over|under|via|through|switching|changing|when|once|since|other|another|the (?:other|same)|same|only|just"
    r"|still"
    r"|currently|eventually|finally|again|sometimes|in"
    r"|jetzt|nun|danach|dann|später|vorher|zuvor|früher|heute|nach|vor|mit|ohne|über|auf|unter|bei[m]?|es|das|dies"
    r"|andere\w*"
    r"|nur|aktuell|inzwischen|mittlerweile|anfangs|erst|seit|im"
    r"|maintenant|ensuite|puis|après|avant|auparavant|plus tard|aujourd['’]hui|avec|sans|en|sur|sous|par|il|elle|ça"
    r"|cela"
    r"|c['’]est|d['’]autres|désormais|actuellement|au début|depuis|dans"
    r"|ahora|luego|después|antes|tras|hoy|con|sin|sobre|por|usando|otr[oa]s?|actualmente|al|ya|desde"
    r"|agora|depois|após|hoje|com|sem|em|n[oa]|outr[oa]s?|atualmente|já"
    r"|ora|adesso|poi|dopo|prima|oggi|senza|su|altr[oiae]|attualmente|all['’]inizio|da quando"
    r"|nu|daarna|toen|eerst|eerder|na|voor|vandaag|met|zonder|op|het|dat|inmiddels|sinds"
    r"|sedan|därefter|senare|tidigare|innan|efter|före|idag|med|utan|på|det|den|andra|numera"
    r"|teraz|potem|później|następnie|wcześniej|przedtem|po|przed|dziś|z|bez|przez|inn[yea]|obecnie|od"
    r"|teď|nyní|pak|později|předtím|dříve|před|dnes|s|přes|jin[ýéá]"
    r"|теперь|сейчас|потом|затем|позже|раньше|прежде|после|до|сегодня|со?|без|на|через|при|друг\w+|это|она?|сначала|тут"
    r"|тепер|зараз|потім|згодом|раніше|після|сьогодні|із?|інш\w+|спочатку"
    r"|şimdi|sonra|önce|bugün|artık|\w+(?:d[ae]n|t[ae]n) (?:sonra|önce)"
    r"|bây giờ|giờ|sau|trước|hiện|nhưng|với|khi|dùng"
    r")\b|现在|現在|之[后後前]|然[后後]|[后後][来來]|以前|升[级級]|[换換用改而但不过過]|目前|如今|今|その|しばらく|次に?|それ|ただ|でも|しかし"
    r"|更新後|変更後|지금|현재|이후|나중|그|이전|전에|하지만|업데이트"
)
"""How a sentence begins that goes on with what the one before told."""
CONTRASTS = (
    r"while|whereas|but|aber|während|wohingegen|mais|alors que|tandis que|pero|mientras(?: que)?|mas|enquanto(?: que)?"
    r"|ma|mentre|invece|maar|terwijl|men|medan|ale|podczas(?: gdy)?|natomiast|zatímco|kdežto|но|зато|тогда как"
    r"|в то время как|але|тоді як|ama|fakat|ise|nhưng|trong khi|còn"
)
ASKS_BEHIND = (
    r"\b(?:why|how|what|where|is (?:that|this|it)|are (?:these|those)|any(?:one|body)?|thoughts|ideas?|normal\w*"
    r"|expected"
    r"|warum|wieso|woran|was|wie|ist das|kann das|jemand|pourquoi|comment|c['’]est|est-ce|quelqu['’]un|por ?qu[eéê]"
    r"|cómo|qué"
    r"|alguien|como|alguém|perché|come|cosa|qualcuno|waarom|hoe|wat|is dat|normaal|iemand|varför|hur|vad|är det|någon"
    r"|dlaczego|czemu|jak|czy|ktoś|proč|je to|někdo|neden|niye|nasıl|sizce|tại sao|sao|thế nào|bình thường)\b"
    r"|почему|как\b|куда|где\b|это\b|нормально|в ч[её]м|чому|як\b|куди|怎[么麼]|[为為]什[么麼]|如何|正常|[吗嗎呢]"
    r"|なぜ|どう|正常|普通"
    r"|こんなもん|ですか|왜|어떻게|정상"
)
"""How the last clause of a question asks, behind others that tell."""
ASKS = (
    r"what|how|should|would|could|can|is|are|do|does|did|will|which|who|if|wie|was|welche\w*|ist|sind|kann|können"
    r"|sollte"
    r"|würde|wenn|quel\w*|combien|est-ce|peut|si|cuál\w*|cuánt\w+|qual|quant[oa]|dá|ile|czy|jak\w*|kolik|kak\w*"
    r"|какая|какой"
    r"|какую|сколько|можно|если|яка|який|скільки|якщо|hoeveel|wat|hoe|als|vad|hur|om|kaç|nasıl|eğer|bao nhiêu|nếu|多少"
    r"|哪|如果"
)
"""How a question begins that asks from its beginning."""
SHOULD = (
    r"should|could|would|might|sollte\w*|könnte\w*|müsste\w*|würde\w*|devrait|pourrait|debería|podría|deveria"
    r"|poderia|dovrebbe"
    r"|potrebbe|zou|skulle|borde|powin\w+|měl[oa]? by|должн\w+|мог(?:ла|ло|ли)? бы|повин\w+"
)
"""Behind "and" it tells of something else than the number before."""
CONTRASTS_CJK = r"但是?|而(?!是)|却|が、|けど|のに|지만|는데"
"""Between two things that are told of the same."""
TURN = (
    r"\bmeasured,? (?:rather than|not) \w+|\bbut\b|\bin (?:reality|practice|fact)\b|\bactual|\binstead\b(?! of)"
    r"|\b(?:fio|dd|hdparm|h2testw|f3|crystal ?disk ?mark|cdm|atto|as[ -]ssd|iozone"
    r"|bonnie(?:\+\+)?) (?:\w+ )?(?:shows?|showed"
    r"|says?|said|reports?|gives?|gave|gets?|zeigt|meldet|montre|donne|affiche|muestra|da|marca|mostra|dà|toont"
    r"|geeft|visar|ger"
    r"|pokazuje|ukazuje|показыва\w+|показал|показує|gösteriyor|显示|測出|测出)(?!\w)"
    r"|\bmeasured\b|\bhowever\b|\byet\b|\bonly (?:got|get|see|reach|manag)|\bit (?:now |seems |just ){0,2}only\b"
    r"|\b(?:i|we) (?:get|got|see|saw|receive|have"
    r"|(?:can |could )?(?:now |only |easily |barely |just |still |max(?:imum)? |at most )?"
    r"(?:obtain|reach|achieve|measure|manage|read|write|copy"
    r"|get|push"
    r"|pull|transfer|hit)(?:e?d)?)\b"
    # but
    r"|\baber\b|\bjedoch\b|\bdoch\b|\bmais\b|\bpourtant\b|\bpero\b|\bsin embargo\b|\bma\b|\bperò\b|\bmas\b|\bporém\b"
    r"|\bno entanto\b|\bmaar\b|\bechter\b|\bmen\b|\bale\b|\bjednak\b|\bavšak\b|\bно\b|\bоднако\b|\bпроте\b|\bama\b"
    r"|\bfakat\b|\bancak\b|\bnhưng\b|\btuy nhiên\b|但|却|卻|しかし|(?:^|[、。])でも|하지만|그런데"
    # in truth
    r"|\btatsächlich|\bin der praxis\b|\ben réalité|\ben pratique\b|\ben realidad|\ben (?:la )?práctica\b|\bin realtà"
    r"|\bin pratica\b|\bnell[ae] pratica\b|\bn?a prática\b|\bna verdade\b|\bin de praktijk\b|\bin werkelijkheid\b"
    r"|\bi prakti(?:ken|ksis|k)\b"
    r"|\bi verkligheten\b|\bw (?:praktyce|rzeczywistości)\b|\bv(?:e)? (?:praxi|skutečnosti)\b|на практи[кц][еі]"
    r"|\bна деле\b|\bпо факту\b"
    r"|фактичес?к\w+|\bреально\b|\bнасправді\b|\bpratikte\b|\bgerçekte\b|\bthực tế\b|实际|實際|実際|실제"
    r"|;\s(?:after|once|it|this|mine|here)\b|\bso (?:my |the |our )?(?:reads?|writes?|it)\b"
    r"|\b(?:i|we)(?:['’]m|['’]re| am| are) (?:now |only |still )?(?:at|getting|seeing)\b"
    # of ones own
    r"|[,;] (?:my|mine|our|ours|mein\w*|unser\w*|mon|mes|mi|mío|il mio|la mia|meu|minha|mijn|min|mój|moja|můj|moje"
    r"|мо[йяё]|benim)\b"
    # measured
    r"|\bgemessen|\bgemeten\b|\buppmätt|\bmesur(?:é|ons|e)\w*|\bmedi(?:mos|do)\b|\bmisurat\w+|\bzmierz\w+|\bnaměř\w+"
    r"|\bmätte\b|\bmålte\b|\bmittasin\b|\bmitattu\b|\bnameral\w*|\bmértem\b|\bmérve\b|\bmăsurat\b|μέτρησα"
    r"|\bmengukur\b|\bterukur\b|\bmutta\b|\bvšak\b|, dar (?:am|eu|nu|doar|la|în)\b|\bazonban\b|, de (?:én|nekem|csak"
    r"|valójában)\b|\bviszont\b|αλλά"
    r"|\btetapi\b|\bnamun\b"
    r"|замер\w*|измерени\w+|замір\w*|виміря\w+|\bölç(?:tü|üm|ül)\w*|\bđo được\b|实测|實測|実測|실측"
    r"|\bim test\b|\bin (?:the|our|my|this) tests?\b|\baux? tests?\b|\ben (?:las |mis |nuestras )?pruebas\b"
    r"|\bnei (?:miei |nostri )?test\b|\bnos (?:meus |nossos )?testes\b|\bin (?:mijn|onze) tests?\b|\bi (?:mina"
    r"|våra) test"
    r"|\bw (?:moich |naszych )?testach\b|\bv (?:mých |našich )?testech\b|\bв (?:моих |наших )?тестах\b|我[这這]|我的"
    # what somebody has
    r"|\bchez moi\b|\bj['’](?:ai|obtiens)\b|\bje (?:n['’]obtiens|mesure|tourne|plafonne)\b"
    r"|\b(?:yo )?(?:obtengo|consigo)\b|\b(?:ottengo|raggiungo|obtenho)\b|\bu mnie\b|\bu mě\b|\bbij mij\b|\bhos mig\b"
    r"|\b(?:uzyskuję|osiągam|dosahuji|dostaję)\b|\bich (?:bekomme|erreiche|komme|habe|messe|sehe|schaffe|kriege)\b"
    r"|\b(?:bekomme|erreiche|komme|habe|messe|sehe|schaffe|kriege) ich\b|\b(?:sind|waren|ist|war|bleib\w+) es\b"
    r"|\b[уів] (?:меня|мене)\b|\b(?:получаю|отримую)\b|\bik (?:haal|krijg)\b|\b(?:haal|krijg) ik\b|\bj[ae]g får\b"
    r"|\bfår jag\b"
    r"|\bben(?:de| sadece)\b"
    # of so much so much is left
    r"|\b(?:of|von|sur|des?|dei|dos|z|ze|из|van)\b[^.;!?\d]{0,40}\d[\d.,]{0,6} ?[^\W\d]{0,5}(?:/[^\W\d]{1,3})?"
    r"(?: [^\W\d]{3,16})?,? (?:bleib(?:en|t)|(?:il )?(?:n['’]en |en )?rest(?:e(?:nt)?|ano|am)|quedan|rimangono"
    r"|zostaje|zbývá|оста[её]тся|blij(?:ft|ven))\b"
)
"""Behind it somebody tells what he has."""
AGAINST = (
    r"versus|vs\.?|against|compared (?:to|with)|instead of|(?:as )?opposed to|rather than"
    r"|gegen(?:über)?|statt|anstatt|anstelle von|contre|au lieu de|face à|contra|frente a|en (?:lugar|vez) de"
    r"|em vez de"
    r"|contro|invece di|rispetto a|wobec|zamiast|przeciw(?:ko)?|w porównaniu (?:z|do)|místo|oproti|proti|против"
    r"|вместо|по сравнению с|замість|проти"
    r"|tegen(?:over)?|in plaats van|mot|jämfört med|istället för|i stedet for|yerine|karşı|so với|thay vì"
    r"|对比|對比|相比|而不是|に対し(?:て)?|ではなく|대비|대신"
)
"""Between two numbers of one load."""
BOTH = (
    r"and|als auch|als|qu['’]|como|quanto|che|jak i|tak i|tak|так и|hem(?: de)?|lẫn|und|et|y|ed?|i|a|oraz|en|och|og"
    r"|ve|và|и|та|й|as well as|sowie|wie auch|ainsi que|comme|wie|как и"
    r"|così come|así como|assim como|come|&|/|[和与與跟及]|と|や|및|와|과"
)
"""Between two directions of which one number is said."""
THAN = (
    r"(?:slower|faster|quicker|lower|higher|worse|better) than|(?:langsamer|schneller|niedriger|höher) als"
    r"|plus (?:lente?|rapide|faible|élevé)e?s? que|más (?:lent|rápid)[oa]s? que|mais (?:lent|rápid)[oa]s? (?:do )?que"
    r"|più (?:lent|veloc)[aeio] (?:che|dell?[ae]?)|(?:wolniej|szybciej|wolniejsz\w+|szybsz\w+) niż"
    r"|(?:pomalej|rychlej)\w* než"
    r"|(?:медленнее|быстрее),? чем|(?:повільніше|швидше),? ніж|(?:langzamer|sneller) dan|(?:långsammare|snabbare) än"
)
"""Behind it stands a direction whose number is another one."""
RESPECTIVE = (
    r"\brespecti(?:ve|f|v)\w*|\bbeziehungsweise\b|\brispettiv\w+|\bodpowiednio\b|соответственно|відповідно"
    r"|\bsırasıyla\b"
    r"|分别|分別|それぞれ|각각|\blần lượt\b"
)
WILL_TAKE = (
    r"\b(?:will|would) (?:take|need|last)\b|\bwürde\w* dauern\b|\bdauert\b|\bdurera(?:it)?\b|\bprendra(?:it)?\b"
    r"|\btardar(?:á|ía)\b"
    r"|\bdemorar(?:á|ia)\b|\blevar(?:á|ia)\b|\bci vorr\w+|\bduurt\b|\btar det\b|\bzajmie\b|\bpotrwa\b|\bbude trvat\b"
    r"|\bzabere\b"
    r"|займ[её]т|займе\b|\bsür(?:er|ecek)\b|[拷传写]完|終わ(?:る|り)|걸[리릴립]|\bmất\b"
)
AND_BACK = (
    r"\bback\b|\bzurück\w*|\b(?:dans )?l['’]autre sens\b|\bau retour\b|\bde vuelta\b|\bal revés\b|\bde volta\b"
    r"|\bindietro\b"
    r"|\bal contrario\b|\bterug\b|\btillbaka\b|\bz powrotem\b|\bzpět\b|обратно|назад|\bgeri\b|回来|回來"
    r"|逆方向|반대로|ngược lại"
)
"""The other way than the copy before."""
BOTH_WAYS = (
    r"(?:in )?both (?:directions|ways)|(?:in )?either direction|each way|(?:in )?beide(?:n|r)? richtung(?:en)?"
    r"|(?:dans )?les deux sens|(?:en )?ambos sentidos|(?:en )?las dos direcciones|(?:n?[oa]s )?(?:dois"
    r"|ambos(?: os)?) sentidos"
    r"|(?:in )?entramb[ie] (?:le )?(?:direzioni|i sensi)|(?:in )?tutte e due le direzioni|beide richtingen"
    r"|(?:i |åt )?båda (?:riktningarna|hållen)|w (?:obu|obie) (?:kierunkach|strony)|(?:v |w )?ob(?:ou|a"
    r"|ěma) směr(?:ech|y)"
    r"|в обе стороны|в обоих направлениях|в обидва боки|в обох напрямках|her iki yön(?:de|e)"
    r"|双向|雙向|両方向(?:とも)?|양방향"
    r"|(?:cả )?hai chiều"
)
ARTICLE = (
    r"(?:(?:the|my|our|an?|d[aei][srnm]|mein\w*|einen?|les?|la|mon|el|los|un[ao]?|mi|il|lo|i|gli|mio|os?|um|meu|de|het"
    r"|een|mijn|min|ett?|den|mój|můj|mo[йю]|свой) |l['’])"
)
OTHER_SUBJECT = (
    r"(?:network|net|lan|wan|vpn|internet|wi-?fi|wlan|ethernet|netzwerk|netz|réseau|red|rede|rete|sieć|síť"
    r"|nätverk(?:et)?|nettverk(?:et)?|netværk(?:et)?"
    r"|netwerk|ağ|mạng|сеть|мережа|cpu|gpu|sha-?\d+|md5|crc-?\d+|xxhash|blake\d\w*|hashing|aes(?:-\w+)*|(?:en"
    r"|de)?(?:cryption|compression)|checksums?|checksumming"
    r"|(?:camera(?:['’]s)? |video )?bit-?rate|(?:usb|sata|pcie|uhs|gigabit|thunderbolt)[ -]?[\d.i]*"
    r"(?= (?:maxes|tops|is|gives|offers|can|allows|schafft|liefert|kann|plafonne|limite|va|da|dà|ofrece|haalt|ger"
    r"|daje|dává"
    r"|даёт|дает|дає))|ram|ddr\d"
    r"|memory|arbeitsspeicher|mémoire|mem[óo]ria|pamięć|paměť|память"
    r"|пам['ʼ’]ять|bellek|geheugen"
    r"|minnet?|ping|downloads?|uploads?)\b(?!(?: |-)(?:shares?|drives?|dis[kc]s?|folders?|storage|cop\w+|freigabe"
    r"|laufwerk|mount|file))"
    r"|网络|網路|網絡|内存|記憶體|ネットワーク|メモリ|네트워크|메모리"
)
"""How a clause begins that tells of something else than the drive before it."""
COPY = (
    r"\bback(?:ing|ed|s)? up\b|\bbackups?\b|\bsauvegard\w*|\brespald\w*|бэкап\w*|备份|備份|バックアップ|백업|"
    r"\b(?<!zero[- ])(?<!two )(?<!three )cop(?:y|ies|ied|ying)\b(?![- ]on[- ]write)|\btransfer\w*"
    r"|\b(?:write|writing|wrote|read|reading) (?:\w+ ){0,2}(?:files?|data)\b"
    r"|\bkopier\w*|\bkopi[eë]\w*|\bübertrag\w*"
    r"|\bcopi(?:e[rsz]?|é\w*|ant|a\w*|o|ou|ó)\b|\bcóp\w+|\btransf[eé]r\w*|\btrasfer\w*|\bcopi[ao]t?\w*|\bskopiow\w*"
    r"|\bkopiow\w*|\bkopír\w*|\bprzesył\w*"
    r"|копи[рею]\w*|копію\w*|перенос\w*|\bkopyala\w*|\baktar\w*|\bsao chép|\bchép\b|复制|複製|拷[贝貝]?|传输|傳輸"
    r"|コピー|転送|복사|전송|\böverför\w*|\boverfør\w*"
)
"""A word of files that are copied."""
REMOTE = (
    r"nas(?:[ue]|em|ie|:?en)?(?![a-zа-я])|shares?(?![a-zа-я])|samba|smb(?![a-zа-я])|cifs|nfs(?![a-zа-я])"
    r"|usb(?![a-zа-я])"
    r"|sticks?(?![a-zа-я])|(?:micro-?)?sd(?:hc|xc)?(?:[- ]?cards?|[- ]?karte)?(?![a-zа-я])"
    r"|external|externe|raid\w*|pool(?![a-zа-я])|zfs(?![a-zа-я])|cluster(?![a-zа-я])|ceph\w*|rbd(?![a-zа-я])"
    r"|osds?(?![a-zа-я])"
    r"|array(?![a-zа-я])|servers?(?![a-zа-я])|serveur|servidor|serwer\w*|serveru?(?![a-zа-я])|freigabe|netzlaufwerk"
    r"|partage|volume[ns]?(?![a-zа-я])|omv(?![a-zа-я])"
    r"|synology|qnap|truenas|unraid|flash ?drive|pendrive\w*|pen(?= para|$)|tapes?(?![a-zа-я])|ltfs"
    r"|lto(?:-?\d)?(?![a-zа-я])|clé(?![a-zа-я])"
    r"|сервер\w*|шар[уыеа](?![a-zа-я])|флешк\w*|сетев\w+|网络硬盘|服务器|伺服器|共享|U盘|移动硬盘|サーバー?|外付け\w*"
    r"|ネットワークドライブ|서버|외장"
    r"|(?:hard ?)?dis[kc]s?(?![a-zа-я])|drives?(?![a-zа-я])|hdds?(?![a-zа-я])|ssds?(?![a-zа-я])|nvmes?(?![a-zа-я])"
    r"|platten?(?![a-zа-я])|festplatten?(?![a-zа-я])|disques?(?![a-zа-я])|discos?(?![a-zа-я])"
    r"|dysk\w*|disku?(?![a-zа-я])|диск\w*|ドライブ|디스크|드라이브|硬[盘碟]|磁[盘碟]"
)
"""What files are copied to and from."""
LOCAL = (
    r"pcs?|laptops?|desktops?|macs?|macbook|clients?|notebook|workstation|rechner|ordinateur|ordenador|computador"
    r"|computer"
    r"|komputer\w*|počítač\w*|комп[ьʼ'’]ютер\w*|пк"
    r"|bilgisayar\w*|máy tính|电脑|電腦|本地|パソコン|컴퓨터"
)
"""Where they stay besides."""
ONTO = (
    r"to|onto|into|auf|zum|zur|ins|nach|in den|vers|sur|al|a(?= (?:la|el|una?|los|las|nas|discos?|usb)\b)|hacia"
    r"|sul(?:la|l)?|para|no|na|do|до|на|в|till|til|naar|op|vào|sang|tới|到|至|往|向"
)
OUT_OF = (
    r"from|off|von|vom|aus|depuis|du|des?(?: la| l)?|desde|del?(?: la)?|da(?:l|lla)?|do(?= (?:nas|servidor))"
    r"|z(?:e)?|с|со|із|зі?|від|från|fra|van|từ|从|從|由"
)
"""Before either of them."""
INTERNET = (
    r"\b(?:s?ftps?|https?|internet|wan|vpn|web ?sites?|webseite|download\w*|upload\w*|rsync|scp|rclone|curl|wget"
    r"|cloud|google drive"
    r"|onedrive|dropbox|torrent\w*|vps)\b|下载|下載|上传|上傳|ダウンロード|アップロード|다운로드|업로드|скач\w+"
    r"|загру[зж]\w+"
)
"""Files over networks of others are no test of a drive."""
TOGETHER = (
    r"\b(?:total|combined|together|mixed|sum|simultaneous\w*|at once|gesamt|zusammen|insgesamt|gemischt"
    r"|gleichzeitig|au total|en total|ensemble"
    r"|simultan\w*|cumul\w*|samen|łącznie|razem|celkem|dohromady|вместе|суммарно|одновременно)\b|合计|合計|混合"
    r"|同时|同時|합계|동시"
)
"""One number of both directions at once."""
OF_EACH = (
    r"\bboth\b|\beach\b|\bjeweils\b|\bbeide|\bsowohl\b|\bà la fois\b|\bles deux\b|\btanto\b|\bambos\b|\bsia\b"
    r"|\bentramb|\bzarówno\b|\boba\b"
    r"|\boběma?\b|\bобе\b|\bоба\b|均|都|両|とも|모두"
)
"""Each of two directions has it."""
ASKS_WHY = (
    r"\b(?:why|how come|warum|wieso|weshalb|pourquoi|perché|por ?qu[eéê]|dlaczego|czemu|proč|hvorfor|varför|waarom"
    r"|neden|niçin|tại sao)\b"
    r"|почему|чому|为什么|為什麼|为何|怎么|なぜ|왜|\b(?:is|ist|est|es|è|é) (?:that|this|it|das|dies|esto|eso"
    r"|isso)? ?normal\w*|\bto normalne|нормально|正常吗"
)
"""A question that complains of what there is."""
OTHER_PART = (
    r"\b(?:rebuild|resilver|resync)\w* (?:itself )?(?:runs?|ran|is|was|goes|went|speed|rate|at)\b"
    r"|\bscrub|\brebalanc|\bbackfill(?:ing)?\b|\brecovery\b|\bpcie\b|\bnics?\b|\b(?:up)?links?\b"
    r"|\bsata (?:i|[236]\b|port|speed)|\bswitch(?:es)?\b"
    r"|\baes\b|\bencrypting\b|\bchacha\d*|poly1305|\bchiffrement|\bverschlüsselung|\bcifrado"
)
"""Of what else a number may be; it stands in the same clause, before the number or right behind it."""
PROPERTY = (
    r"\bwarranty\b|\bgarantie\b|\bgwarancj|\bgarantía\b|\bgaranzia\b|\bgarantia\b|\bzáruk|\bgaranti\b|гаранти|质保"
    r"|保修|保固|保証|보증"
    r"|\bform ?-?factor\b|\bformfaktor|\binterface\b|\binterfejs|\bschnittstelle|\binterfaz|\binterfaccia"
    r"|\brozhraní|интерфейс|接口|介面"
    r"|\bcapacity\b|\bkapazität|\bcapacité|\bcapacidad|\bcapacità|\bpojemność|\bkapacita|[её]мкость|ємність"
    r"|объ[её]м|об['ʼ’]єм|容量|용량"
)
"""What a shop lists of a drive beside its speed."""
BOUGHT = (
    r"\b(?:have|bought|own|use|using|ordered|which|that|with an?|habe|hab|gekauft|der|die|das|ai|acheté|qui|tengo"
    r"|compré"
    r"|que|ho|comprato|che|mam|kupiłem|który|mám|koupil|который|купил)\b"
)
"""Who owns a drive tells what it is able to do."""
OTHER_REQUEST = (
    r"(?-i:(?<![\w-])(?:LIST|DELETE|STAT)(?![\w-]))|(?-i:(?<![\w-])HEAD) (?:operation|request|object)s?(?![a-z])"
    r"|(?<![a-z])(?:list|delete|head|stat)[-_ ]?objects?(?:v2)?(?![a-z])"
)
"""What stores of objects are asked for beside reading and writing them."""
OTHER_OPERATION = (
    rf"{OTHER_REQUEST}|(?-i:(?<![\w-])(?:MKDIR|RENAME)(?![\w-]))"
    r"|(?<![a-z])(?:mkdir|rmdir|unlink|readdir|getattr|setattr)(?![a-z])"
    r"|(?<![a-z])(?:creat|delet|remov|stat|renam|list)(?:e|es|s|ing)?[-_ ](?:(?:empty|small|many)[-_ ])?"
    r"(?:files?|director(?:y|ies)|dirs?|inodes?|objects?|buckets?)(?![a-z])"
    r"|(?<![a-z])(?:files?|director(?:y|ies)|dirs?|tree|inodes?|objects?|buckets?)[-_ ]"
    r"(?:creat(?:es?|ions?)|remov(?:es?|als?)|delet(?:es?|ions?)|stats?|renames?|listings?)(?![a-z])"
    r"|(?:datei|objekt|verzeichnis)\w* (?:löschen|anlegen|erstellen|auflisten|umbenennen)"
    r"|(?:création|suppression|listage) (?:de |d['’])(?:fichiers?|objets?|répertoires?)"
    r"|(?:creación|eliminación|borrado|listado|criação|exclusão|remoção|listagem|creazione|cancellazione|eliminazione)"
    r" (?:de |di )(?:archivos?|ficheros?|objetos?|directorios?|arquivos?|ficheiros?|file|oggetti)"
    r"|(?:tworzenie|usuwanie|listowanie) (?:plików|obiektów|katalogów)|(?:vytváření|mazání|výpis) (?:souborů|objektů)"
    r"|(?:создание|удаление|перечисление|листинг) (?:файл|объект|каталог)\w*"
    r"|(?:створення|видалення) (?:файл|об['’ʼ]єкт)\w*"
    r"|(?:创建|創建|删除|刪除|列出|列举)(?:文件|檔案|对象|物件|目录)|(?:文件|对象|目录)(?:创建|删除|列举)"
    r"|(?:ファイル|オブジェクト|ディレクトリ)の?(?:作成|削除|一覧)|(?:파일|객체|오브젝트|디렉터리) ?(?:생성|삭제|목록)"
)
"""The same of files, too."""
OTHER_OPERATION_ALONE = (
    r"(?:delet|remov|creat)(?:e|es|ion|al)s?|list(?:ing)?s?|stats?|head|renames?|löschen|auflisten|anlegen|suppression"
    r"|création|listage|eliminación|borrado|listado|exclusão|remoção|listagem|cancellazione|eliminazione|usuwanie"
    r"|tworzenie|mazání|удаление|создание|видалення|删除|刪除|列出|列举|创建|削除|一覧|作成|삭제|목록|생성"
)
"""So where it is all that a label says, beside reads and writes."""
MEANWHILE = (
    r"(?<![a-z])(?:while|during|after|before|with|without|beim?|während|nach|mit|ohne|pendant|lors|après|avec|durante"
    r"|mientras|con|tras|dopo|mentre|podczas|przy|během|při|při|snapshots?|clones?|old|scrub\w*)(?![a-z])"
    r"|(?<![а-яё])(?:при|во время|после)(?![а-яё])|снимк\w+|时|時|中|后|後|동안|중"
)
"""Beside it: not what was measured, but what went on then."""
FAILED = (
    r"fail(?:ed|ing|ures?)|err(?:or(?:ed|s)?|s)?|time-?outs?|timed out|rejected|dropped|fehlgeschlagene?[nrs]?|fehler"
    r"|échou\w+|échecs?|en échec|erreurs?|fallid[oa]s?|errores|falha[ds]?\w*|erros|fallit[eio]|errori|nieudan\w+"
    r"|błęd\w+|neúspěšn\w+|chyb\w*|неудачн\w+|ошиб\w+|невдал\w+|помил\w+|失败的?|失敗(?:した|的)?|错误|錯誤|エラー|실패(?:한)?|오류"
)
"""Operations that came to nothing."""
OF_INTERRUPTS = (
    r"(?<![a-z])(?:interrupt|irq)s?[ -]?(?:handling |service )?(?:latenc|response|rate|latenz|antwort)"
    r"|(?<![a-z])(?:cyclictest|(?:scheduling|wake-?up|context[ -]switch) latenc)"
    r"|latences? d['’]interruption|latencia de (?:la )?interrup"
    r"|latenza (?:di|degli) interrupt|(?:задержк|отклик|врем)\w* (?:обработки )?прерыван"
    r"|中[断斷](?:响应|響應|延[迟遲]|处理)|割り?込み(?:応答|遅延|レイテンシ)|인터럽트 ?(?:응답|지연)"
)
"""How soon a processor answers, and no drive."""
