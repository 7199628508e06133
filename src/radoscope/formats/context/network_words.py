"""What people write of a network: "iperf3 shows 9.4 Gbit/s between the hosts, ping is 0.2 ms"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from radoscope import patterns as re
from radoscope.formats.context.left_out import without_left_out
from radoscope.formats.context.supposed import SENTENCE, without_supposed
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.phrases import BANDWIDTH, LATENCY, RATE, Phrase, Value, cell_of, heading_of, phrase_of
from radoscope.formats.grammar.quantities import BITS, decimal_commas, number
from radoscope.formats.tools.iperf3 import STREAMS

RECEIVED, SENT, ROUND_TRIP = "recv", "send", "rtt"
WAYS = {BANDWIDTH: RECEIVED, LATENCY: ROUND_TRIP}
_TOOLS = {
    BANDWIDTH: re.compile(words.NETWORK_RATE, re.IGNORECASE),
    LATENCY: re.compile(words.ROUND_TRIP, re.IGNORECASE),
}
CIPHER = re.compile(r"chacha\d|poly1305|\baes[-_ ]?\d|\bblake2|\w_(?:en|de)crypt", re.IGNORECASE)
BITS_ALONE = re.compile(r"(?P<bits>\d ?[KMGkmg][Bb]it)s?(?![\w/])")
""" "iperf shows 938Mbit"."""
TOOL_OF_NETWORKS = re.compile(r"(?<![a-z\d])(?:iperf[23]?|netperf|nuttcp|nttcp|qperf)(?![a-z\d])", re.IGNORECASE)
_STORAGE_TOOL = re.compile(r"\b(?:fio|rados|rbd|dd|sysbench)\b", re.IGNORECASE)
_OF_LINK = re.compile(words.OF_LINK, re.IGNORECASE)
_LINK_OF = re.compile(
    r"\b(?:links?|ports?|nics?|ethernet|interfaces?|uplinks?|anschl[uü]ss\w*|schnittstellen?|lien|porte|porta|portas|puertos?"
    r"|enlaces?|interfac\w+|scheda di rete|łącz\w+|lin(?:ka|ek|ky)|порт\w*|канал\w*)"
    r" (?:of|at|with|von|mit|à|de|da|di|con|com|a|o|z|s|с|на|по) [~≈]?$",
    re.IGNORECASE,
)
""" "A NAS with ports of 2.5 Gbit/s"."""
_LINK_ASIDE = re.compile(
    r"[(（]\s?(?:[^\W\d]{1,12} ){0,2}?(?:links?|lines?|circuits?|ports?|nics?|uplinks?|leitung\w*|anschluss\w*"
    r"|liens?|lignes?|líneas?|linhas?|enlaces?|linea|łącz\w+|lin(?:ka|ek|ky)|канал\w*|лини\w+|порт\w*|专线|專線|线路|線路|回線|회선)"
    r"(?:[ :：]{1,3}[^\W\d]{1,14}){0,4}[ :：]{0,3}[~≈]?$",
    re.IGNORECASE,
)
_ROUND = re.compile(r"\d{1,2}0*(?:[.,][05])?(?!\d)")
""" "(the circuit is ordered with 10 Gbps)": in brackets a round number behind the name of a link is its speed."""
_BETWEEN = re.compile(r"\bbetween\b", re.IGNORECASE)
"""Two hosts; two numbers elsewhere."""
_PART = re.compile(r"[;；]\s")
_LONGEST_TIME = 1e-3
_LINKS_GBITS = (
    *(0.01, 0.1, 1.0, 2.0, 2.5, 5.0, 8.0, 10.0, 20.0, 25.0, 40.0, 50.0, 56.0, 80.0, 100.0, 200.0, 400.0, 800.0),
)
"""Of Ethernet, InfiniBand and USB."""
_DRIVES_GBITS = (1.5, 3.0, 6.0, 12.0, 22.5, 24.0)
"""Of SATA and SAS."""
_EXACT_BITS = re.compile(r"(?<![\d.,])\d{1,3}[.,]\d?0 ?[KMG]b", re.IGNORECASE)
""" "0.10 Gbps": no link is sold so."""
_COMMAND = re.compile(r"(?<![\w.])(?:iperf3?|netperf|nuttcp|qperf) .{0,80}?-\w", re.IGNORECASE)
_NETPERF_TEST = re.compile(r"(?<![A-Z])(?:TCP|UDP|SCTP)_(?:(?P<requests>C?RR)|STREAM(?:_MULTI)?|MAERTS)(?![A-Z])")
_CLIENT = re.compile(r"(?<![\w.])iperf3?(?: [^;|&`]{0,80})? (?:-c|--client)[ =][^;|&`]{0,120}")
_REVERSED = re.compile(r"(?<![\w-])-R(?![\w-])|(?<![\w-])--reverse(?![\w-])")
"""iperf's option for a run from the server to the client."""
_ASKED_STREAMS = re.compile(rf" {STREAMS}(?!\S)")
_BITS = re.compile(
    r"(?<![\w.,])(?P<number>\d{1,4}(?:[.,]\d{1,3})?) ?(?:(?P<unit>[KMG]bits/sec)|[kKMG]bits?/s(?:ec)?|[kKMG]bps)"
    r"(?![a-z])"
)
""" "unit": as iperf prints it."""
_BESIDE = re.compile(
    rf"[(（)）]|[,;，；。]\s|，|\s(?:and|yet|however|und|trotzdem|et|a|хотя|{words.CONTRASTS})\s|{words.CONTRASTS_CJK}",
    re.IGNORECASE,
)
"""What parts a network from a drive in a sentence."""
_PATH = re.compile(
    r"\b(?:pod|node|host|vm|container|kontener|contenedor|conteneur|client|site)s?\d?[ -]{0,2}(?:to|->|→|↔|<->|[-–])"
    r"[ -]{0,2}(?:pod|node|host|vm|container|kontener|contenedor|conteneur|service|server|site)"
    r"|\b(?:vpn|wire-?guard|openvpn|ipsec|strongswan|tailscale|zerotier|vxlan|geneve|ipip|cni|flannel|calico|cilium"
    r"|weave(?: net)?|antrea|kube-router|kube-ovn|tunnel)s?\b"
    r"|\binter-?(?:node|pod|host)\b|\b(?:between|zwischen|entre|tra|fra|między|mezi|между) (?:\w+ ){0,2}?"
    r"(?:pod|node|host|vm|server|knoten|rechner|n[oœ]e?ud|hôte|serv[ei]|nod[oi]|nós|węzł|uzl|узл|хост|сервер)\w*"
    r"|(?:节点|節點|主机|主機|容器|服务器|ノード|ホスト|コンテナ|サーバー?)之?[间間]"
    r"|(?:노드|호스트|파드|컨테이너|서버) ?간(?!\w)",
    re.IGNORECASE,
)
"""Between whom, and through what, a network carries something."""
_FROM_TO = re.compile(
    r"\W{0,3}[^\W\d_][\w .-]{0,30}(?:<?[-=]{1,2}>|[→↔⇄⇒])\W{0,3}[^\W\d_][\w .-]{0,30}(?:\([^()]{1,30}\))?\W{0,3}"
)
""" "Turin → Ghent (tunnel)", and nothing else."""
_ARROW = re.compile(r"[^\W_] ?(?:<?[-–=]{1,2}>|[→⇒↔⇄]) ?[^\W_]")
"""The same anywhere in a label, where all labels of a table have one."""
_PROTOCOL = re.compile(r"[\W\d]*(?:TCP|UDP|SCTP|QUIC)\W*", re.IGNORECASE)
_THREE_DIGITS, _WHOLE = re.compile(r"\d[.,]\d\d|\d\d[.,]\d"), re.compile(r"\d{3,4}")
_RATE = re.compile(words.RATE_UNIT, re.IGNORECASE)
_RATE_OF_END = re.compile(
    rf"(?:(?<![^\W_])(?P<front>[^\W\d_]{{1,12}}) ?[:：=]? ?)?(?P<rate>\d[\d.,]{{0,8}} ?{RATE})"
    r"(?(front)| ?[(（]?(?P<behind>[^\W\d_]{1,12})[)）]?)",
    re.IGNORECASE,
)
_IN_BITS = re.compile(r"bps|bit|бит", re.IGNORECASE)
_RECEIVER = re.compile(
    r"r|rx|recv|receive[rd]?|empf\w*|re[cç][eiu][bvcp]\w*|réception|odb\w*|приня\w+|при[её]м\w*|получ\w+|接收端?|受信側?|수신",
    re.IGNORECASE,
)
NETWORK_TEST = re.compile(r"(?<![a-z])(?:tcp|udp|sctp|quic|iperf[23]?|netperf)(?![a-z])", re.IGNORECASE)
_SENT = re.compile(
    r"(?<![a-z])(?:send(?:er)?|sent|sending|tx(?!\d)|transmit\w*|egress|upload\w*|upstream|uplink|gesendet\w*|senden|envoyée?s?|envoi|émission"
    r"|envío|subida|enviado|envio|invio|inviat\w+|wysłan\w+|wysyłani\w+|odes[ií]l\w+|odeslán\w*|отправ\w+|отдач\w+|исходящ\w+"
    r"|verzenden|skick\w+|gönder\w+)(?![a-zа-я])|发送|發送|上[行传傳]|送信|上り|アップロード|송신|업로드",
    re.IGNORECASE,
)
_ONE_OF_TWO = re.compile(
    r"(?<![^\W\d_])(?:(?P<receiver>receiver|empfänger|récepteur|receptor|ricevitore|ricevente|odbiorca|příjemce|получател[ья]"
    r"|при[её]мник\w?)|sender|expéditeur|émetteur|emisor|remitente|emissor|remetente|mittente|nadawca|odes[ií]latel"
    r"|отправител[ья])(?:[- ]?(?:side|seite|seitig))?(?![^\W\d_])|(?P<receiver_cjk>接收[端方侧]|受信側|수신(?:측|자))"
    r"|发送[端方侧]|送信側"
    r"|송신(?:측|자)",
    re.IGNORECASE,
)
"""The two ends of one run; "TX" and "RX" may be two runs."""
_ONE_END = re.sub("[?]P<[a-z_]+>", "?:", _ONE_OF_TWO.pattern)
_END_BEHIND = rf"[\s*_]{{0,4}}[(（](?:{_ONE_END})[)）]"
_RATE_AND_END = re.compile(
    rf"(?:(?:{_ONE_END})[\s*_:=]{{0,4}})?(?P<rate>\d[\d.,]{{0,8}} ?{RATE})(?:{_END_BEHIND})?", re.IGNORECASE
)
_RATE_THEN_END = re.compile(rf"(?P<rate>\d[\d.,]{{0,8}} ?{RATE})[\s*_]{{1,3}}(?P<end>{_ONE_END})", re.IGNORECASE)
_FROM_AND_TO = re.compile(r"[\w. -]{1,40}(?:->|→)[\w. >→-]{1,60}")
""" "egress vxlan -> egress vxlan": the ends have names, and no side is told."""
_SENDER = re.compile(rf"s|{_SENT.pattern}端?侧?側?", re.IGNORECASE)
_SENT_FIRST = re.compile(rf"\W*(?:\w+[ :：-]{{1,2}}){{0,3}}?(?:{_SENT.pattern})", re.IGNORECASE)
_DOWN = (
    r"download\w{0,4}|down(?:stream|link)|empfang\w{0,4}|t[ée]l[ée]chargement|réception|descarga|bajada"
    r"|scaricamento|ricezione|pobieranie|stahování|скачивани[ея]|загрузка|при[её]м|下[行载載り]|ダウンロード|다운로드"
)
_LOADED = re.compile(
    rf"\W{{0,9}}(?:(?P<down>{_DOWN})"
    rf"|(?P<up>{_SENT.pattern}))[^\d;.]{{0,24}}[~≈]?\d",
    re.IGNORECASE,
)
_DOWN_HEAD = re.compile(rf"\W*(?:{_DOWN}|{_RECEIVER.pattern}).{{0,24}}", re.IGNORECASE)
_DOWNLOADED = re.compile(
    r"\bdownload(?:ed|ing|s)\b|\bheruntergeladen\b|\btéléchargé|\bdescarg(?:ado|ando|ué)|(?<![^\W\d_])(?:с|за)?кача(?:л|ть|ем)"
    r"|下载了|ダウンロードし",
    re.IGNORECASE,
)
_UP_HEAD = re.compile(rf"\W*(?:{_SENT.pattern}).{{0,24}}", re.IGNORECASE)
_LINE_TESTED = re.compile(rf"{words.TESTED}|speed-?test|测速|測速|回線速度", re.IGNORECASE)
_ROUND_MBITS = 50
"""Lines to the internet are sold by such steps."""
_OF_SERVICE = re.compile(
    r"\b(?:standby|replica\w*|commits?|quer(?:y|ies)|transactions?|databases?|postgres\w*|mysql|mariadb|redis|etcd"
    r"|https?|apis?|rpcs?|sql|wal|fsync)\b",
    re.IGNORECASE,
)
"""Whose round trips are more than the network's."""
_OF_STORAGE = re.compile(
    r"[|\t]|\b(?:dis[kc]s?|drives?|ssds?|nvmes?|hdds?|arrays?|raid\w*|zfs|nfs|smb|cifs|samba|s3|rbd|rgw|ceph\w*"
    r"|osds?|volumes?"
    r"|rsync|scp|copy\w*|copied|backups?|platten?|disques?|discos?|disk\w*|диск\w*)\b|盘|ディスク",
    re.IGNORECASE,
)
_NETWORK = re.compile(
    rf"(?<![^\W\d_])(?:{words.NETWORK}|tcp|udp|lan|wan)(?![^\W\d_])|{words.NETWORK_CJK}",
    re.IGNORECASE,
)
_PART_OF_NETWORK = re.compile(
    rf"\W*(?:(?:the|our|das|die|le|la|il|el|o|a)\s+)?(?:(?:{words.NETWORK})(?![^\W\d_])"
    rf"|{words.NETWORK_CJK})(?:[^\d;.]{{0,30}}|[^;.]{{0,60}}?: ?)(?=[~≈*]{{0,3}}\d)",
    re.IGNORECASE,
)
"""Between semicolons of a line that tells of a drive, too."""
_STREAMS = re.compile(
    rf"(?<![\w.,])(?:(?P<count>\d{{1,3}})|{'|'.join(words.COUNTS.values())}|einzelne[mnr]?|单|單|単一)[\s-]?"
    r"(?:parallel(?:e[nr]?)? |concurrent |tcp |gleichzeitige[nr]? |条 ?|條 ?|[个個的개] ?|并发|並發|并行|並行){0,3}"
    rf"(?:{words.SESSIONS}|streams?|connections?|flows?|flux|flujos?|fluss[oi]|strumie\w*|ströme?n?|verbindung(?:en)?|conexi[oó]n(?:es)?"
    r"|потоко?\w{0,3}|соединени\w*|流(?!量)|連接|连接|ストリーム|接続|스트림)(?![a-z])",
    re.IGNORECASE,
)
"""Of a network: "single-stream TCP", "8 parallel streams"."""
JITTER = re.compile(
    r"(?:jitter|джиттер|gigue|schwankung\w*|fluctua\w+|variation\w*|wahania|抖[动動]|ジッター?|揺らぎ|ゆらぎ|지터)[^,;，；。、\d]{0,20}$",
    re.IGNORECASE,
)
"""Right before a time: by how much round trips differ."""
_ROW = re.compile(
    rf"^\W*(?:{words.NETWORK}|tcp|udp|iperf\d?|netperf|wi-?fi|wlan|ethernet|internet|speed-?test)(?![a-z])"
    rf"|{words.NETWORK_CJK}",
    re.IGNORECASE,
)
_FABRIC = re.compile(
    rf"^\W*(?:(?:{words.LATENCY}|{words.BANDWIDTH}) (?:of |de |du |der |di )?)?"
    rf"(?:rdma|roce(?: ?v\d)?|infiniband|ib|mpi|{words.NETWORK})(?![^\W\d_]"
    r"|[- ]?(?:storage|dr|share|dis[kc]|volume|file|block|attached))",
    re.IGNORECASE,
)
"""Of a network in whatever unit, where no reads and writes are named."""
_SAME = 1.1
_LONGEST_HEADING, _FARTHEST_LINK = 60, 60
_MOST = 3
"""Of more numbers in a sentence nobody can tell what they are."""


def shown_in(captions: Sequence[str]) -> tuple[str, ...]:
    """The quantities that tell of a network in a table below these lines: "iperf3 between the nodes", "ping times"."""
    text = " ".join(captions[:2])
    return () if _STORAGE_TOOL.search(text) else tuple(kind for kind, tool in _TOOLS.items() if tool.search(text))


def heads_network(line: str) -> bool:
    """Whether rates in bits below a heading are a network's: a tool's name, a path, or a protocol alone."""
    is_path = _PATH.search(line) is not None and not _OF_STORAGE.search(line)
    return BANDWIDTH in shown_in([line]) or is_path or _PROTOCOL.fullmatch(line) is not None


def labels_path(label: str) -> bool:
    """Whether a label says between whom, or through what, something was carried."""
    is_path = _PATH.search(label) is not None or _FROM_TO.fullmatch(label) is not None
    return is_path and not _OF_STORAGE.search(label)


def heads_row(label: str) -> bool:
    """Whether a label begins with the name of a network, or of what measures one."""
    return _ROW.search(label) is not None


def of_fabric(label: str) -> bool:
    """ "RDMA latency & bandwidth": what came through, and how soon."""
    return _FABRIC.search(label) is not None


def tests_a_line(first: str, second: str, above: Iterable[str]) -> bool:
    """Whether two lines tell what a line to the internet carried down and up, in bits; above, a test of no drive is
    named."""
    loads = [_LOADED.match(line) for line in (first, second)]
    ways = {load.lastgroup for load in loads if load}
    if ways != {"down", "up"}:
        return False
    rates = [[value for value in phrase_of(line).values(False) if value.kind] for line in (first, second)]
    if any(len(each) != 1 or not (each[0].bits or each[0].is_in_bits) for each in rates):
        return False
    are_round = (round(in_bits(each[0]).value * 8 / 1e6) % _ROUND_MBITS == 0 for each in rates)
    tests = [line for line in above if _LINE_TESTED.search(line)]
    return not all(are_round) and bool(tests) and not any(map(_OF_STORAGE.search, tests))


def commanded_below(lines: Sequence[str]) -> tuple[str, ...]:
    """As shown_in, by a command below the table: "Test command: iperf3 -c host". A heading ends what it is said of."""
    end = next((at for at, line in enumerate(lines) if line.startswith("#") or "|" in line), len(lines))
    return (BANDWIDTH,) if any(map(_COMMAND.search, lines[:end])) else ()


def streams_asked(lines: Sequence[str]) -> int | None:
    """How many streams the clients' commands of iperf among these lines ask for; None where they differ, or one leaves
    it open."""
    asked = {_ASKED_STREAMS.search(command) for line in lines for command in _CLIENT.findall(line)}
    counts = {int(match[1]) if match else None for match in asked}
    return counts.pop() if len(counts) == 1 else None


def streams_named(text: str) -> int | None:
    """How many streams a head or a label names: "4 streams", "Single stream", "iperf3 -P 8"."""
    named = {int(match["count"] or _counted(match[0])) for match in _STREAMS.finditer(text)}
    named |= {int(count) for count in _ASKED_STREAMS.findall(text)}
    return named.pop() if len(named) == 1 else None


def streams_titled(captions: Sequence[str]) -> int | None:
    """ "Several streams: iperf -P 8", "iperf3, 4 streams" right above a table."""
    is_named = any(map(_COMMAND.search, captions[:1])) or BANDWIDTH in shown_in(captions[:1])
    return streams_named(captions[0]) if is_named else None


def told_by_rates(cells: Sequence[str], captions: Sequence[str] = ()) -> tuple[str, ...]:
    """As shown_in, by all rates of a table: "9.41 Gbits/sec" is what iperf prints, and a link is sold with "10
    Gbits/sec", never with "10.0 Gbits/sec". Below the names of tunnels or paths others are such rates, too, but for
    those of links."""
    if not any("bit" in cell or "bps" in cell for cell in cells) or any(map(_STORAGE_TOOL.search, captions[:2])):
        return ()
    names_path = any(map(_PATH.search, (*captions[:2], *cells)))
    rates = [rate for cell in cells for rate in _BITS.finditer(cell)]
    count = sum(len(_RATE.findall(cell)) for cell in cells)
    are_printed = any(rate["unit"] and _THREE_DIGITS.fullmatch(rate["number"]) for rate in rates)
    known = [_is_of_run(rate, names_path=names_path) or (are_printed and _is_whole(rate)) for rate in rates]
    is_told = len(rates) == count and all(known)
    return (BANDWIDTH,) if rates and is_told else ()


_LOSS = re.compile(
    r"\d ?% (?:packet |datagram )?(?:loss|lost|verlust|verloren|perdus?|de pertes?|perdid|de pérdida|perd|perse?i?"
    r"|de perda|strat|ztrát|потер)|(?:丢包|損失|ロス|손실)[^\d]{0,4}\d[\d.]* ?%|\d ?% ?(?:丢包|ロス|損失|손실)",
    re.IGNORECASE,
)


def told_by_heading(heading: str, rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """As shown_in, of a table below "Network", whose heads, labels or cells count bits: by all of these numbers, which
    are no speeds of links."""
    if len(heading) > _LONGEST_HEADING or not _NETWORK.search(heading) or _STORAGE_TOOL.search(heading):
        return ()
    return (BANDWIDTH,) if _are_measured(_rates_in(rows)) else ()


def told_by_times(rows: Sequence[Sequence[str]], captions: Sequence[str]) -> tuple[str, ...]:
    """As shown_in, of rates in bits beside times as short as a network's, where each row tells from where to where, or
    a head what carried them, and nothing tells of storage."""
    heads, labels = rows[0], [row[0] for row in rows[1:]]
    around = (*captions[:2], *heads, *labels)
    is_path = all(_ARROW.search(label) or _PATH.search(label) for label in labels) or _NETWORK.search(heads[0])
    if not is_path or names_storage(around):
        return ()
    is_timed = any(each.kind == LATENCY for cell in (*heads[1:], *labels) for each in heading_of(cell).quantities)
    return (BANDWIDTH,) if is_timed and _are_measured(_rates_in(rows)) else ()


def told_by_downloads(rows: Sequence[Sequence[str]], captions: Sequence[str]) -> tuple[str, ...]:
    """As shown_in, of rates in bits below a line that tells of a download, which are no speeds of links."""
    is_told = any(map(_DOWNLOADED.search, captions[:1])) and not names_storage((*rows[0], *(row[0] for row in rows)))
    return (BANDWIDTH,) if is_told and _are_measured(_rates_in(rows)) else ()


def tool_alone(lines: Sequence[str]) -> int | None:
    """The first line with the name of a tool of networks; None on a page that tells of storage, too, which rows do
    themselves."""
    words_of = [(at, line) for at, line in enumerate(lines) if "|" not in line and "\t" not in line]
    first = next((at for at, line in words_of if _TOOLS[BANDWIDTH].search(line)), None)
    return None if first is None or names_storage(line for _, line in words_of) else first


def told_by_tool_above(rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """As shown_in, of a table somewhere below the name of such a tool: by rates in bits, most of which are no speeds of
    links, where nothing tells of storage."""
    rates = list(_rates_in(rows))
    are_in_bits = all(rate is not None and (rate.is_in_bits or rate.bits) for rate in rates)
    measured = sum(1 for rate in rates if rate is not None and is_measured_rate(in_bits(rate)))
    is_told = are_in_bits and 2 * measured > len(rates) and not names_storage((*rows[0], *(row[0] for row in rows)))
    return (BANDWIDTH,) if is_told else ()


def is_of_network_tool(head: str) -> bool:
    """ "iperf, one stream [Mbit/s]": what such a tool measured."""
    return TOOL_OF_NETWORKS.search(head) is not None and not names_storage([head])


def _rates_in(rows: Sequence[Sequence[str]]) -> Iterator[Value | None]:
    """The rates of cells, and what stands below or beside a unit of bits."""
    commas = decimal_commas("\n".join(cell for row in rows for cell in row))
    for row in rows[1:]:
        for head, cell in zip(rows[0][1:], row[1:], strict=False):
            if _LOSS.search(cell):
                continue  # seen, however round: "1,000 Mbps, 0% loss"
            named = heading_of(head).quantities or heading_of(row[0]).quantities
            yield from (value for value in cell_of(cell).values(commas) if value.kind == BANDWIDTH)
            if len(named) == 1 and named[0].kind == BANDWIDTH and named[0].factor in BITS:
                yield from (value.of(named[0]) for value in cell_of(cell).values(commas) if not value.kind)


def _are_measured(rates: Iterable[Value | None]) -> bool:
    known = list(rates)
    return bool(known) and all(rate is not None and is_measured_rate(rate) for rate in known)


def names_storage(texts: Iterable[str]) -> bool:
    """Whether one of these heads or labels tells of drives, or of what they are in."""
    return any(_OF_STORAGE.search(text) or _STORAGE_TOOL.search(text) for text in texts)


def names_service(text: str) -> bool:
    """Whether it names one whose answers take longer than the way to it and back."""
    return _OF_SERVICE.search(text) is not None


def _is_of_run(rate: re.Match[str], *, names_path: bool) -> bool:
    if rate["unit"] is None and not names_path:
        return False
    is_exact = rate["unit"] is not None and _THREE_DIGITS.fullmatch(rate["number"]) is not None
    return is_exact or any(map(is_measured_rate, phrase_of(rate[0]).values(commas="," in rate["number"])))


def _is_whole(rate: re.Match[str]) -> bool:
    """ "100 Mbits/sec": as iperf prints it, too, which beside "74.4 Mbits/sec" is no link's."""
    return rate["unit"] is not None and _WHOLE.fullmatch(rate["number"]) is not None


def counts_bits(cells: Sequence[str]) -> bool:
    """Whether one of a row's cells has a rate in bits."""
    return _IN_BITS.search("|".join(cells)) is not None


def received_of(cell: str, names: str) -> str:
    """ "S: 205 Mbps R: 204 Mbps", "205 Mbps (sender) / 204 Mbps (receiver)" -> "204 Mbps", for what came through is the
    result; "" of any other cell. names: of its column and its row, among which letters for the ends need a protocol."""
    found = list(_RATE_OF_END.finditer(cell)) if counts_bits([cell]) else []
    ends = [(match["front"] or match["behind"] or "") for match in found]
    received = [match["rate"] for match, end in zip(found, ends, strict=True) if _RECEIVER.fullmatch(end)]
    if len(found) != 2 or len(received) != 1 or not any(map(_SENDER.fullmatch, ends)):
        return ""
    is_named = min(map(len, ends)) > 1 or NETWORK_TEST.search(names) is not None
    values = phrase_of(received[0]).values(commas=False)
    is_rest = any(map(str.isalnum, _RATE_OF_END.sub("", cell)))
    return received[0] if is_named and not is_rest and any(value.is_in_bits for value in values) else ""


def side_named(label: str) -> tuple[str, str]:
    """Whose figure a label names, the sender's or the receiver's, and the label without it; "" for the first where it
    names neither, or both."""
    sides = {RECEIVED if match["receiver"] or match["receiver_cjk"] else SENT for match in _ONE_OF_TWO.finditer(label)}
    return (sides.pop() if len(sides) == 1 else ""), _ONE_OF_TWO.sub("", label).lower()


def told_by_ends(rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """As shown_in, by cells, or by rows in bits, that tell what was sent and what came through."""
    in_bits = list(filter(counts_bits, rows[1:]))
    ends = (received_of(cell, f"{head} {row[0]}") for row in in_bits for head, cell in zip(rows[0], row, strict=False))
    sides = {side_named(row[0])[0] for row in in_bits}
    return (BANDWIDTH,) if sides >= {SENT, RECEIVED} or any(ends) else ()


def told_by_both_ways(rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """As shown_in, by heads: "Node | Upload | Download | Latency" above rates in bits, which are no speeds of links."""
    heads = rows[0]
    up = [at for at, head in enumerate(heads) if at and _UP_HEAD.fullmatch(head)]
    down = [at for at, head in enumerate(heads) if at and _DOWN_HEAD.fullmatch(head)]
    if len(up) != 1 or len(down) != 1:
        return ()
    rates = [
        value
        for row in rows[1:]
        for at in (*up, *down)
        if at < len(row)
        for value in cell_of(row[at]).values(False)
        if value.kind == BANDWIDTH
    ]
    is_told = rates and all(value.bits or value.is_in_bits for value in rates)
    return (BANDWIDTH, LATENCY) if is_told and any(value.bits or is_measured_rate(value) for value in rates) else ()


_PING = re.compile(r"\W*ping (?:latency|time|rtt|avg|average|mean)\b(?! ?(?:under|during|with) load)", re.IGNORECASE)


def way_of_test(label: str) -> str | None:
    """ "pod-to-pod, TCP_RR": by the name that netperf gives its tests of requests and of streams; "Ping latency"."""
    if _PING.match(label):
        return ROUND_TRIP
    test = _NETPERF_TEST.search(label)
    return (ROUND_TRIP if test["requests"] else RECEIVED) if test else None


def told_by_tests(cells: Iterable[str]) -> tuple[str, ...]:
    """As shown_in, by the names that netperf gives its tests of streams."""
    return (BANDWIDTH,) if any(way_of_test(cell) == RECEIVED for cell in cells) else ()


def runs_both_ways(texts: Iterable[str]) -> bool:
    """Whether one of them asks iperf for the other direction: "TX" and "RX" are two runs then, each as it came
    through."""
    return any(map(_REVERSED.search, texts))


def way_of(kind: str, text: str) -> str:
    """The operation of a quantity of a network, of which a text tells who saw it: "Bitrate (sender)"."""
    is_sent = _SENT.search(_FROM_AND_TO.sub(" ", text)) and "(receiver)" not in text.lower()  # "84% loss at the sender"
    return SENT if kind == BANDWIDTH and is_sent else WAYS[kind]


def is_measured_rate(value: Value) -> bool:
    """A rate in bits, and not as many as a link is sold with."""
    return is_no_link(value) and value.value * 8 / 1e9 not in _DRIVES_GBITS


def is_no_link(value: Value, cell: str = "") -> bool:
    """The same, where nobody speaks of drives."""
    is_sold = value.value * 8 / 1e9 in _LINKS_GBITS and not _EXACT_BITS.search(cell)
    return value.kind == BANDWIDTH and value.is_in_bits and not is_sold


_ACCORDING = re.compile(
    r"\b(?:according to|as per|laut|gemäß|selon|d['’]après|según|secondo|segundo|według|podle|согласно|по данным)"
    r" ping\b",
    re.IGNORECASE,
)


_THREE_TIMES = re.compile(
    r"(?P<name>\b(?:rtts?|round[- ]trips?(?: times?)?|ping)\b(?: min/avg/max(?:/[ms]?dev)?|[^\d;./]{0,40})"
    r"(?:[ (]{1,2}min/avg/max(?:/[ms]?dev)?)?[) =:]{1,3})"
    r"(?P<min>\d[\d.,]{0,9}) ?/ ?(?P<mean>\d[\d.,]{0,9}) ?/ ?(?P<max>\d[\d.,]{0,9})(?: ?/ ?\d[\d.,]{0,9})?"
    r"(?= ?(?:ms|us|µs|μs)\b)",
    re.IGNORECASE,
)


def _with_mean_alone(times: re.Match[str]) -> str:
    """ "RTT 0.101/0.150/0.220 ms" -> "RTT 0.150 ms": as ping prints its least, mean and longest."""
    least, mean, longest = (number(times[each], "," in times[each]) or 0.0 for each in ("min", "mean", "max"))
    return f"{times['name']}{times['mean']}" if least <= mean <= longest else times[0]


def said_of_network(text: str, commas: bool, goes_on: bool = False) -> Iterator[tuple[str, Value, int | None]]:
    """(operation, value, streams) of each number behind the name of a tool that measures networks, or as iperf prints
    it.

    goes_on: the sentence before told of one, or a heading above; then rates in bits are its, too, but for those of
    links.
    """
    told_here = False
    is_of_storage = names_storage([text])
    for sentence in SENTENCE.split(without_left_out(without_supposed(without_senders(_BETWEEN.sub("among", text))))):
        goes_on = goes_on or (told_here and not is_of_storage)
        told_here = TOOL_OF_NETWORKS.search(sentence) is not None
        for part in _PART.split(sentence):
            phrase = phrase_of(part)
            is_printed = "its/sec" in part and not _OF_STORAGE.search(part) and bool(told_by_rates([part]))
            if not (phrase.ways or phrase.load.block_bytes):
                for kind, tool in _TOOLS.items():
                    named = tool.search(phrase.text)
                    if named and named[0].lower().startswith("round") and _OF_SERVICE.search(phrase.text):
                        continue
                    first = named.end() if named else 0
                    told = _values(phrase, commas, kind)
                    values = [value for value in told if value.start >= first]
                    is_alone = kind == BANDWIDTH and len(told) == 1 and not _TOOLS[LATENCY].search(phrase.text)
                    if named and not values and is_alone and (told[0].bits or is_measured_rate(told[0])):
                        values = told  # "720 Mbit/s are possible, iperf showed"
                    if named and len(told) == 1 and kind == LATENCY and _ACCORDING.search(phrase.text):
                        values = told  # "it takes 0.56 ms according to ping"
                    are_of_run = goes_on and all(value.bits or is_measured_rate(value) for value in values)
                    is_told = named is not None or (kind == BANDWIDTH and (are_of_run or is_printed))
                    streams = _streams_of(phrase.text, values) if is_told and kind == BANDWIDTH else []
                    for value, count in zip_longest(values if is_told else (), streams):
                        yield _way_of_value(phrase, value), _plain(phrase, value), count


def _streams_of(text: str, values: Sequence[Value]) -> list[int | None]:
    """How many streams carried each value: as many numbers as values, in their order, or one for values that are alike,
    such as one in two units."""
    counts = [int(count) if (count := match["count"]) else _counted(match[0]) for match in _STREAMS.finditer(text)]
    if len(counts) == len(values):
        return [*counts]
    are_alike = values and max(values).value <= _SAME * min(values).value
    return [counts[0] if len(set(counts)) == 1 and are_alike else None] * len(values)


def _counted(words_of: str) -> int:
    return next((value for value, names in words.COUNTS.items() if re.match(names, words_of, re.IGNORECASE)), 1)


def without_senders(text: str) -> str:
    """ "9.38 Gbit/s (sender), 9.11 Gbit/s (receiver)": of the two ends of one run only what came through; and of the
    times that ping prints the mean."""
    text = _THREE_TIMES.sub(_with_mean_alone, text) if "/" in text else text
    rates = list(_RATE_AND_END.finditer(text))
    behind = list(_RATE_THEN_END.finditer(text))  # "9.38 Gbit/s sender - 9.11 Gbit/s receiver"
    are_behind = len(behind) == len(rates) and len(behind) == len(list(_ONE_OF_TWO.finditer(text)))
    pattern, named = (_RATE_THEN_END, behind) if are_behind else (_RATE_AND_END, rates)
    if {side_named(match[0])[0] for match in named} != {SENT, RECEIVED}:
        return text
    return pattern.sub(lambda match: "" if side_named(match[0])[0] == SENT else match["rate"], text)


def _way_of_value(phrase: Phrase, value: Value) -> str:
    """Whether its name is that of what was sent: "RX 938 Mbit/s, TX 941 Mbit/s", "941 Mbit/s (sender)"."""
    before, end = 0, ""
    for match in _RATE_AND_END.finditer(phrase.text):
        if match.start("rate") >= value.start:
            end = side_named(match[0])[0] if match.start("rate") == value.start else ""
            break
        before = match.end()
    is_sent = end == SENT or (not end and _SENT_FIRST.match(phrase.text[before : value.start]))
    return SENT if is_sent and value.kind == BANDWIDTH else WAYS[value.kind]


def told_of_network(part: str, commas: bool) -> tuple[Value, ...]:
    """ "network 88 MB/s": its one rate, which is none of a link."""
    phrase = phrase_of(part)
    values = [value for value in phrase.values(commas) if value.kind] if _PART_OF_NETWORK.match(part) else []
    if len(values) != 1 or phrase.ways or phrase.load.block_bytes or values[0].kind != BANDWIDTH:
        return ()
    return (values[0],) if is_measured_rate(values[0]) or not values[0].is_in_bits else ()


def beside_storage(text: str) -> tuple[str, str]:
    """What a text says of a network beside a drive, and the rest: "iperf3 gives 941 Mbit/s, but SMB writes 30 MB/s"."""
    if not _TOOLS[BANDWIDTH].search(text):
        return "", text
    parts = _BESIDE.split(text)
    of_network = [part for part in parts if _TOOLS[BANDWIDTH].search(part)]
    rest = [part for part in parts if part not in of_network]
    if any(phrase_of(part).ways for part in of_network) or not any(phrase_of(part).ways for part in rest):
        return "", text
    return ", ".join(of_network), ", ".join(rest)


def _values(phrase: Phrase, commas: bool, kind: str) -> list[Value]:
    ends = {token.start: token.end for token in phrase.tokens}
    values = [value for value in phrase.values(commas) if value.kind == kind]
    values = [value for value in values if not is_of_link(phrase.text, value.start, ends[value.start])]
    values = [value for value in _without_links(values) if not JITTER.search(phrase.text[: value.start])]
    peaks = sum(phrase.statistic_before(value) == ("max",) for value in values)
    return (
        values
        if len(values) - peaks <= _MOST and all(kind != LATENCY or v.factor <= _LONGEST_TIME for v in values)
        else []
    )


def is_of_link(text: str, start: int, end: int) -> bool:
    """Whether a rate is the speed of what stands beside it: "2.5 Gbit/s ports", "ports of 2.5 Gbit/s"."""
    before = text[max(0, start - _FARTHEST_LINK) : start]
    is_aside = _LINK_ASIDE.search(before) is not None and _ROUND.match(text, start) is not None
    return is_aside or _OF_LINK.match(text, end) is not None or _LINK_OF.search(before) is not None


def _without_links(values: list[Value]) -> list[Value]:
    """ "9.4 Gbit/s at 10 Gbit/s, 4.7 Gbit/s at 5 Gbit/s": without the speeds of links, where each has what it carried
    beside it, always on the same side."""
    are_sold = [value.is_in_bits and not is_measured_rate(value) for value in values]
    for first in (True, False):
        if values and len(values) % 2 == 0 and are_sold == [first, not first] * (len(values) // 2):
            sold, carried = values[not first :: 2], values[first::2]
            if all(one.value < link.value for one, link in zip(carried, sold, strict=True)):
                return carried
    return values


def in_bits(value: Value) -> Value:
    """ "Mb/s" is bits here."""
    scale = 8 if value.bits else 1
    return value._replace(value=value.value / scale, factor=value.factor / scale, bits=False)


def _plain(phrase: Phrase, value: Value) -> Value:
    named = phrase.statistics if len(phrase.statistics) < 2 else phrase.statistic_before(value)
    statistic = named[0] if len(named) == 1 else "mean"
    if value.kind == BANDWIDTH and statistic == "max":
        statistic = "mean"  # the most that a path carried is what it carried
    return in_bits(value)._replace(statistic=statistic)
