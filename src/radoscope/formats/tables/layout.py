"""What the rows and columns of a table are: labels, conditions, quantities, and the units that they share."""

from __future__ import annotations

import math
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import median

from radoscope import patterns as re
from radoscope.formats.context.by_kind import units_by_order
from radoscope.formats.context.measured import names_hdparm_alone
from radoscope.formats.context.network_words import (
    RECEIVED,
    ROUND_TRIP,
    SENT,
    heads_row,
    in_bits,
    is_measured_rate,
    is_no_link,
    is_of_network_tool,
    names_service,
    names_storage,
    runs_both_ways,
    shown_in,
    streams_named,
    told_by_ends,
    told_by_heading,
    told_by_rates,
    way_of,
)
from radoscope.formats.grammar import foretold
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.alternatives import Alternatives
from radoscope.formats.grammar.phrases import (
    BANDWIDTH,
    IOPS,
    LABELS_KEPT,
    LATENCY,
    PLAIN_VALUE,
    Load,
    Quantity,
    cell_of,
    heading_of,
    names_short_ways,
    time_factor,
    with_rados_read,
    with_spelled_ways,
)
from radoscope.formats.grammar.quantities import BITS, MIB, decimal_commas, has_damaged_thousands, number
from radoscope.formats.tables.cells import (
    NAME_OF_VALUE,
    REMARK_BEHIND,
    SPREAD,
    is_range,
    without_amount,
    without_remark,
)
from radoscope.formats.tables.finder import is_of_as_ssd, is_of_disk_mark
from radoscope.formats.tables.grid import Grid, Row
from radoscope.formats.tables.heads import (
    Head,
    are_odd_sizes,
    body_and_heads,
    is_line_speed,
    is_offered_load,
    is_spanned,
    names_in,
    names_latency,
    names_queues,
    read_head,
    with_crossed_conditions,
    with_named_columns,
    with_numbers_of_rows,
    with_own_quantities,
    with_percentiles,
    with_repeats,
    with_sizes_of_blocks,
    without_spreads,
)
from radoscope.formats.tables.rows import (
    holds_chain,
    is_bare_number,
    with_columns_in_turn,
    with_named_parts,
    with_named_products,
    with_names_in_front,
    with_parted_columns,
    with_parted_rows,
    with_units,
    with_units_of_as_ssd,
    with_units_of_rows,
    with_what_was_received,
)

COMPARED = re.compile(words.COMPARED, re.IGNORECASE)
OF_RESULTS = Alternatives(
    r"\bresults?\b|\bactual|\bobserved|\bachieved|測定|計測|medido"
    rf"|{foretold.RESULTS_ELSEWHERE}|{foretold.MEASURED}"
)
SUPPOSED = Alternatives(f"{words.WISHED}|{words.NOT_MEASURED}|{words.OFFERED}")
_LINK = re.compile(r"\d ?g(?:be|bit|bps|ige)\b", re.IGNORECASE)
_WORDS_OF_REMARK = 4
NOTES = re.compile(
    r"notes?|comments?|remarks?|besonderheit(?:en)?|particularit[ée]s|particularidades|bemerkung(?:en)?|anmerkung(?:en)?|hinweise?|kommentare?|remarques?|notas?|uwagi"
    r"|observacion(?:es)?|observaç(?:ão|ões)|comentarios?|примечани[ея]|комментари[ий]|备注|備註|备考|備考|비고"
    r"|winner|better|faster|best|sieger|gewinner|besser|schneller|gagnant|meilleur|ganador|vencedor|vincitore|zwycięzca"
    r"|lepszy|vítěz|победитель|лучше|быстрее|переможець|胜者|勝者|胜出|勝ち|승자"
    r"|conclusions?|verdicts?|assessments?|fazit|bewertung|urteil|bilan|conclusi[óo]n|вывод|оценка|结论|結論|评价|評価|判定",
    re.IGNORECASE,
)
"""A column that explains, or names who wins: "writes are the limit" is no direction."""
_VERDICT = re.compile(r"[?？]\W*$")
"""A head that asks, above answers: "fast enough?"."""
_TIMES = ("ms", "us", "ns", "µs", "μs", "sec", "sek", "сек", "мс", "мкс", "нс", "秒", "초")
"""What every unit of a latency holds."""
_UNIT_OF_TIMES = re.compile(
    rf"(?:{words.LATENCY})[^\w\n]{{0,3}}(?:(?:values?|numbers?|times?|figures?|is|are|in|as|given|shown|unit|werte"
    r"|einheit|sind|est|sont|en|son|w|są|в|у|указан\w*"
    r"|是|均为|为|单位|單位|单位为|の?単位は?|は|이|은|는|가|의 ?단위는?|단위)"
    rf"[^\w\n]{{0,3}}){{0,4}}(?<![a-zа-яё])(?P<unit>{words.TIME_UNIT})(?!\w)",
    re.IGNORECASE,
)
_FEWEST_IN_FLIGHT, _MOST_IN_TABLES = 0.3, 5_000.0
_TIME_OF_ONE_ALONE = re.compile(
    r"\W*(?:time|zeit|temps|tiempo|tempo|czas|čas|tijd|время|час|时间|時間|시간)\W*", re.IGNORECASE
)
_TIME_OF_ONE = rf"(?:(?:{words.MEAN}) ?)?(?:{words.LATENCY}|times?\b|durations?\b)"
_LATENCY_OF_SYNCS = re.compile(
    rf"^\W{{0,3}}sync[ _-]{_TIME_OF_ONE}"
    r"|(?<![^\W_])(?<!no[ -])(?<!non-)(?<!without )f(?:data)?syncs?(?:\(\))?`?[ _-]{1,2}(?:calls? |ops? )?"
    rf"(?:{words.PERCENTILE}|{_TIME_OF_ONE}|(?:{words.MEAN})(?![^\W\d_]| ?(?:iops|ops|rate|bw|band|through|per )))"
    rf"|(?:{words.LATENCY})(?: (?:of|von|des?|du|d[io]|per|van))?[ ,:/_-]{{1,3}}(?:an? )?f(?:data)?sync\b",
    re.IGNORECASE,
)
_CALL_OF_SYNC = re.compile(
    rf"{_LATENCY_OF_SYNCS.pattern}"
    r"|(?<![^\W_])(?<!no[ -])(?<!non-)(?<!without )(?<![+&] )f(?:data)?syncs?(?:\(\))?(?![^\W_]| ?[=/+])",
    re.IGNORECASE,
)
_PERCENTILE_ALONE = re.compile(words.PERCENTILE, re.IGNORECASE)
_ASYNC = re.compile(r"(?<![^\W_])(?:async|buffered[ _-]lat)", re.IGNORECASE)
_LONGEST_LABEL = 80
_ROWS_LOOKED_AT = 40
_SHORT_WAYS = {"RR", "RW", "SR", "SW", ""}
_UNIT_WITHIN = 3
_FEWEST_ROWS, _ROUNDED = 3, 0.015
_BLOCKS, _DEPTHS = range(-8, -1), range(11)
"""Of two: blocks of 4 KiB to 256 KiB, of which no other unit gives a usual one; I/Os in flight."""
_MOST_AT_ONCE, _NEAR = 1100, 0.02
"""I/Os in flight, and by how much they differ between runs with as many."""
_MOST_IN_FLIGHT, _MOSTLY_IN_FLIGHT = 1.15, 0.2
_LONGEST_TRIP = 0.01
_TRANSACTIONS = re.compile(rf"\(?(?:{words.TRANSACTIONS})\)?", re.IGNORECASE)
_COMMON_LATENCIES = re.compile(r"\bL[12][- ]cache\b|\bbranch mispredict", re.IGNORECASE)
"""The well-known list of what takes how long in computers: nobody measured it here."""
_HEADING = re.compile(r"#{2,6}\s")
_MARGIN = re.compile(
    r"(?P<winner>[\w. -]{1,24}?)[ (]{1,2}(?:[+−-]\d{1,4}(?:[.,]\d{1,2})? ?%"
    r"|(?P<times>[x×] ?\d{1,4}(?:[.,]\d{1,2})?|\d{1,4}(?:[.,]\d{1,2})? ?[x×倍]))\)?"
)
"""Who wins, and by how much; so many times as much where the winner has a column."""
_COUNT_OF_OPERATIONS = re.compile(r"[*~≈ ]{0,4}\d[\d.,]{0,9} ?[kKM]\+?[* ]{0,4}")
""" "512k" in a row of IOPS: no block."""
_BY_HOW_MUCH = re.compile(r"\d ?(?:%|[x×](?!\w)|倍)")
_WITH_ASIDE = re.compile(r"[~≈]?\d[\d.,]* ?\([^()]{1,40}\)")
_ASIDE = re.compile(r" ?[(（](?![kKM]\b)[^()（）]{8,}[)）]")
_CAPTION = re.compile(r"[:：]\W*$|^\W*#{1,6}\s|^\s*\*\*.*\*\*\W*$|^.{0,60}$")
_PERCENTILE = re.compile(
    r"(?<![a-z\d])p ?\d\d|per[cz]entil|百分位|分位数|パーセンタイル|백분위|перцентил|\d(?:th|º|er|e)\b", re.IGNORECASE
)
_RADOS_WORD = re.compile(r"\W*(?:rados(?:[- ]bench)?\W(?:.*\W)?)?(?:seq|rand)\b", re.IGNORECASE)
_OLD_DISK_MARK = re.compile(
    r"\W*(?:seq(?:uential)?|512k|4k|4k ?[-_]?qd ?\d+|4k ?q ?\d+ ?t ?\d+|seq ?q ?\d+ ?t ?\d+|4k ?-? ?64 ?thrd)\W*",
    re.IGNORECASE,
)
_VARIABLE = re.compile(r"(?<![a-z])(?P<option>numjobs|iodepth|bs)[= ]\$?[{<]?(?P<name>[A-Za-z_]\w{0,9})[}>]?(?!\w)")
_CARRIED = ("block", "depth", "jobs")
_ROLES = {"numjobs": "jobs", "iodepth": "depth", "bs": "block"}
_DISK_MARK = re.compile(r"crystal ?disk ?mark|\bk?diskmark\b|\bcdm\b", re.IGNORECASE)
_ACCESS = re.compile(
    r"\W*(?:acc(?:ess)?\b[. _-]{0,2}(?:times?|zeit)|zugriffszeit|temps d['’]accès"
    r"|tiempo de acceso|tempo d[ie] access?o|czas dostępu"
    r"|время доступа|访问时间|存取時間|アクセス(?:時間|タイム))",
    re.IGNORECASE,
)
"""AS SSD takes it at random places."""
_PING = re.compile(
    r"\W*(?:(?:avg|average|mean|median|min|max)\.? )?(?:pings?|rtt|round[- ]?trips?(?: times?)?)(?![\w%])",
    re.IGNORECASE,
)
_PING_OR_LATENCY = re.compile(
    rf"{_PING.pattern}|\W*(?:{words.LATENCY})\W*(?:\(?{words.TIME_UNIT}\)?)?\W*$", re.IGNORECASE
)
_VERSION, _SHORT_VERSION = re.compile(r"\W{0,2}\d{1,4}(?:\.\d{1,5}){2,5}\W{0,2}"), re.compile(r"\d{1,4}(?:\.\d{1,5})?")
_OF_VERSIONS = re.compile(
    r"\b(?:versions?|version[es]n?|releases?|kernels?|ceph|pve|versión|versione|verze|wersja)\b|верси[яи]|ядро|版本|内核|バージョン|버전",
    re.IGNORECASE,
)
_TRANSFER = re.compile(r"xfer|transfer ?size", re.IGNORECASE)
_STREAMS = re.compile(
    r"\W*(?:(?:#|no\.?|number of|anzahl|nombre de) ?)?(?:parallel (?:streams|connections)|parallel(?:ism|ität|isme)"
    r"|streams?|connections|flows|ströme|verbindungen|flux|flujos|flussi)\W*",
    re.IGNORECASE,
)
_COMBINED = re.compile(
    r"\b(?:combined|combinad[oa]s?|combiné\w*|combinat[oaie]|kombiniert\w*|łączn\w+)\b|комбинирован|组合|組み合わせ",
    re.IGNORECASE,
)
_SPEED = re.compile(r"\W*speed\W*|\W*(?:tcp|udp) (?:throughput|bandwidth|speed|rate)\W*", re.IGNORECASE)
_PROTOCOL_SPEED = re.compile(r"\W*(?:tcp|udp)\b", re.IGNORECASE)
_NAMED_OPTION = re.compile(
    r"(?<![\w./-])(?:--[a-z][\w-]{2,40}|[a-z]{2,20}(?:_[a-z]{2,20}){1,5})(?![\w=./-])(?! [\d./])", re.IGNORECASE
)
""" "--max-fuse-io", "read_ahead_kb" in words above a table; with a value behind it, it is a part of a command."""
_OF_BLOCKS = re.compile(
    r"(?:^|[-_])(?:bs|b?s?size|blocks?\w*|xfer|transfer|request|record|object|chunk|msg|message|rand\w*|seq\w*|reads?"
    r"|writes?|libaio|uring|iops|bw|lat)$",
    re.IGNORECASE,
)
"""How the names of options end whose values are sizes of an I/O, and other names in one word."""
_OPTION = re.compile(r"(?<!\S)--?[a-z]\w*(?:[ =]|$)")
_OF_HDPARM = re.compile(r"\W*hdpara?m(?: -t)?\W*", re.IGNORECASE)
_HDPARM_FIRST = re.compile(r"\W*hdpara?m\b(?!.{0,40}(?:cached|(?-i:-T\b)))", re.IGNORECASE)
_MISSING = re.compile(r"\W*(?:n/?a|k\. ?a\.|s/o|н/д)\W*", re.IGNORECASE)
_PATTERN = re.compile(
    r"\W*(?:(?:i/?o |access |test |workload )?(?:pattern|mode|type)|operation|op|test|workload|rw|readwrite"
    r"|(?:zugriffs)?muster|zugriff|motif|patrón|padrão|modo|wzorzec|режим|模式|パターン|패턴)\W*",
    re.IGNORECASE,
)
"""In front of a row that says of each column what was done."""
_MODEL = re.compile(r"(?:[^\W\d_][\w-]* ){0,2}[\w-]*\d[\w-]* (?-i:MAX|Max|max)", re.IGNORECASE)
_OPTION_RW = re.compile(r"\W*(?:rw|readwrite)\W*", re.IGNORECASE)
"""Fio's option, above what each row did: no mixed runs."""
_HALF = re.compile(r"\((r|w)(?:eads?|rites?)?\)", re.IGNORECASE)
_LETTER_BEHIND = re.compile(r"(?:(?<=\w) ?(?:[(\[]| )|^(?=\w(?:[ ._-]|$)))([RW])(?:[)\]]?$|(?=[ ._-]))")


def has_values(row: Row) -> bool:
    if any(map(PLAIN_VALUE.fullmatch, row.cells)) or any(map(is_plain_value, row.cells)):
        return True
    own = row.cells[1:]
    return any(map(NAME_OF_VALUE.fullmatch, own)) or any(
        REMARK_BEHIND.fullmatch(cell) or holds_chain(cell) for cell in own
    )


def is_plain_value(cell: str) -> bool:
    """A number, with its unit or without; "4K" and "4K IOPS" name sizes."""
    return PLAIN_VALUE.fullmatch(cell) is not None or _is_plain_value(cell)


@lru_cache(maxsize=LABELS_KEPT)
def _is_plain_value(cell: str) -> bool:
    cell = without_amount(SPREAD.sub("", cell))
    phrase = cell_of(cell)
    load = heading_of(cell).load
    return (
        bool(phrase.values(False))
        and not phrase.words
        and load.block_bytes is None
        and load.depth is None
        and load.jobs is None
    )


@dataclass(frozen=True, slots=True)
class Body:
    """A row below the heads. label: its cells of words; attributes: from columns of block size, depth, jobs."""

    row: Row
    label: str
    head: Head
    load: Load
    section: int
    below: str = ""
    """The lone label above it that heads its section."""


@dataclass(frozen=True, slots=True)
class Table:
    """heads: one a column. shared: the quantity that the corner, the caption or a note names for all; ways: so, too.

    above: the caption's load. by_rows: the rows name the quantities.
    """

    heads: tuple[Head, ...]
    rows: tuple[Body, ...]
    commas: bool
    above: Load
    shared: tuple[Quantity, ...]
    ways: tuple[str, ...]
    by_rows: bool
    statistics: tuple[str, ...]
    """Those of all latencies that the line above names: "p99", or "p50 / p99" for two numbers a cell."""
    of_latencies: bool
    """A line around it says so: elsewhere a unit of time alone says how long something took."""
    old_disk_mark: bool
    network: tuple[str, ...]
    """The quantities that tell of a network: those of the tool that the lines above name."""
    block_bytes: int | None
    """What a line above says; it counts where rates of the table agree with it."""
    is_unlabelled: bool
    """A number with its unit begins each row."""
    is_of_syncs: bool = False
    """Tails of the times that fsync takes."""
    is_of_test: bool = False
    """The line right above is the name of a test: "4k random write"."""
    names_results: bool = False
    """A head says so: the most of something, then, is what it reached."""
    names_tests: bool = False
    """Rows name an operation, or a tool of networks."""
    halves: tuple[int, ...] = ()
    """The columns that hold a condition of one direction: "Read QD"."""
    runs_both_ways: bool = False
    """A tool of networks ran once in each direction: what it sent in one of them came through, too."""

    is_of_calls: bool = False
    """The line right above says so of all its times: "fsync latency, by class:"."""

    def times_syncs(self, head: Head, *, is_time: bool = False) -> bool:
        """ "fsync latency": of the calls alone; beside "async latency" that of a kind of writes. is_time: so it is by
        its unit, and "fdatasync 8kB" is enough."""
        if not (_CALL_OF_SYNC.search(head.text) if is_time else _LATENCY_OF_SYNCS.search(head.text)):
            return False
        return not any(_ASYNC.search(each.text) for each in (*self.heads, *(row.head for row in self.rows)))


def table_of(
    grid: Grid, captions: Sequence[str], notes: Sequence[str], above: Load, network: tuple[str, ...]
) -> Table | None:
    """None where no column, no row and no cell says what is measured. network: what the lines around it say."""
    cells = _cells_of(grid, captions)
    if cells is None:
        return None
    layout = _Layout(grid, cells, captions, notes, network)
    layout.tell_heads()
    layout.tell_rows()
    layout.tell_network()
    return layout.table(above)


class _Layout:
    """The heads and rows of a table, of which each step tells more than the one before."""

    def __init__(
        self,
        grid: Grid,
        cells: tuple[list[str], list[Row]],
        captions: Sequence[str],
        notes: Sequence[str],
        network: tuple[str, ...],
    ) -> None:
        self.captions, self.notes, self.network = captions, notes, network
        self.is_as_ssd, self.head_texts = is_of_as_ssd(grid), cells[0]
        heads, self.body, self.commas = _heads_of(*cells, captions, notes, is_as_ssd=self.is_as_ssd)
        of_ends = told_by_ends([row.cells for row in grid.rows])
        counts = any(each.kind == IOPS and head.load.way is None for head in heads for each in head.quantities)
        columns = [[row.cells[at] for row in self.body] for at in range(len(heads))]
        self.heads: tuple[Head, ...] = tuple(
            _with_measured_speed(*each, of_ends, counts) for each in zip(heads, columns, strict=True)
        )
        said = shown_in(captions) or told_by_heading("".join(captions[:1]), [row.cells for row in grid.rows])
        if BANDWIDTH in said and not counts:
            self.heads = tuple(_with_carried(*each) for each in zip(self.heads, columns, strict=True))
        self.statistics = _statistics_above(self.heads, captions)
        shared = _shared_by_all(grid, self.heads, self.body, captions, notes, self.statistics)
        self.shared = shared or _shared_of_network(self.heads, self.body, network)
        self.of_latencies = any(names_latency(heading_of(line)) for line in [*captions, *notes])
        self.unit = _unit_of_times([*captions[:_UNIT_WITHIN], *notes])
        self.rows: tuple[Body, ...] = ()

    def tell_heads(self) -> None:
        """What the columns are of, from their own heads, the corner above the labels and the lines around."""
        heads, body = _with_quantities_in_turn(self.heads, self.shared), self.body
        heads = tuple(_with_times_of_operations(heads, body, self.commas))
        first = heads[0]
        are_sizes = heading_of(first.text).load.way is not None and are_odd_sizes([row.cells[0] for row in body])
        self.holds_values = not are_sizes and any(is_plain_value(row.cells[0]) for row in body)
        first = Head(first.text, "block") if are_sizes else first
        if first.quantities and not self.holds_values:
            first = Head(first.text)  # "Latency (ms)" above the labels
        names_no_corner = self.holds_values or _OPTION_RW.fullmatch(first.text)
        self.corner = Load() if names_no_corner else heading_of(first.text).load
        heads = (first, *heads[1:])
        heads = tuple(map(_as_latency, heads)) if self.of_latencies else heads
        heads = (heads[0], *(_as_name(head) for head in heads[1:])) if self.corner.way else heads
        heads = _with_models(heads)
        heads, self.body = _with_conditions_in_rows(heads, body)
        heads = with_named_columns(tuple(_with_times_of_syncs(heads)), self.body, self.captions)
        heads = with_percentiles(heads, unit=self.unit)
        heads = without_latencies_of_transactions(with_repeats(tuple(_in_unit(head, self.unit) for head in heads)))
        self.heads = tuple(map(_as_streams, heads)) if BANDWIDTH in self.network else heads

    def tell_rows(self) -> None:
        """What the rows are of, by their labels and cells."""
        rows = tuple(_bodies(self.heads, self.body))
        rows = tuple(replace(row, head=_as_latency(row.head)) for row in rows) if self.of_latencies else rows
        rows = tuple(_without_transactions(rows))
        self.heads = _without_bare_beside_ways(self.heads, rows) if self.shared else self.heads
        said = [self.head_texts[0], *self.captions[:2], *self.notes]
        self.rows = tuple(_with_queues_in_front(row) if names_queues(row.label, said) else row for row in rows)
        self.statistics = () if any(row.head.statistics for row in self.rows) else self.statistics

    def tell_network(self) -> None:
        """Of a table of a network: its rates, its round trips, its streams."""
        heads, network = self.heads, self.network
        names_rate = any(map(_names_rate, (*heads, *(row.head for row in self.rows))))
        are_in_cells = BANDWIDTH in network and not any(map(is_line_speed, heads))
        has_rates = bool(network) and (names_rate or are_in_cells)
        rows = tuple(map(_with_rate_of_network, self.rows))
        if has_rates or any(head.load.way in (RECEIVED, SENT) for head in heads):
            heads, rows = tuple(map(_as_round_trip, heads)), tuple(map(_with_round_trip, rows))
        elif any(row.load.way for row in rows):
            rows = tuple(map(_with_round_trip, rows))
        if {BANDWIDTH, LATENCY} <= set(network):
            heads = tuple(_as_round_trip(head, _PING_OR_LATENCY) for head in heads)
        if BANDWIDTH in network:
            heads, rows = _with_times_of_network(heads, rows, self.captions, self.commas)
            heads = _with_most_of_streams(heads if self.shared else _with_rates_of_streams(heads))
            heads = tuple(replace(head, load=_with_streams(head.load, head.text)) for head in heads)
            rows = tuple(replace(row, load=_with_streams(row.load, row.label)) for row in rows)
        self.heads, self.rows = heads, rows

    def table(self, above: Load) -> Table:
        """above: what the lines around it say of all that is in it."""
        heads, rows, captions = self.heads, self.rows, self.captions
        heads = _with_times_by_little(_with_names_above_quantities(heads, rows), rows, above, self.commas)
        by_rows = not any(head.quantities for head in heads) and any(map(_names_quantity, (row.head for row in rows)))
        rows = _with_percentile_rows(rows, self.shared, self.unit) if by_rows else rows
        rows = _with_mixed(_with_rados_words(rows))
        rows = tuple(map(_with_random_access, rows)) if self.is_as_ssd else rows
        if any(map(_DISK_MARK.search, captions[:2])):
            rows = tuple(replace(row, load=_as_of_disk_mark(row.load)) for row in rows)
        if {"read", "write"} <= {head.load.way for head in heads} | {row.load.way for row in rows}:
            above = above if above.way == "mix" else above._replace(way=None)  # "a test written in house"
        tests = [row.label for row in rows if row.head.load != Load() or row.load.block_bytes]
        offered = next((head.load for head in heads if is_offered_load(heading_of(head.text))), Load())
        of_calls = any(map(_leads_to_calls, captions[:1])) and not any(load.way for load in _loads(heads, rows))
        named = [*captions[:1], *([] if self.holds_values else [heads[0].text])]
        return Table(
            heads,
            rows,
            self.commas,
            self.corner.over(offered).over(above),
            self.shared,
            next((both for line in [*captions[:1], *self.notes] if len(both := heading_of(line).ways) == 2), ()),
            by_rows,
            self.statistics,
            self.of_latencies,
            any("seq" in each.lower() for each in tests) and all(map(_OLD_DISK_MARK.fullmatch, tests)),
            self.network,
            next((size for line in captions if (size := heading_of(line).load.block_bytes)), None),
            all(any(value.kind for value in cell_of(row.cells[0]).values(self.commas)) for row in self.body),
            is_of_test=any(map(_is_test, named)) or of_calls,
            names_results=any(map(OF_RESULTS.search, self.head_texts)),
            names_tests=any(row.load.way or BANDWIDTH in shown_in([row.label]) for row in rows),
            halves=tuple(at for at, head in enumerate(heads) if head.role in _CARRIED and head.load != Load()),
            runs_both_ways=runs_both_ways([*captions[:2], *self.head_texts, *(row.label for row in rows)]),
            is_of_calls=of_calls,
        )


def _without_bare_beside_ways(heads: tuple[Head, ...], rows: Sequence[Body]) -> tuple[Head, ...]:
    """ "Disks | Size | Read | Write": the unit that is said of all is of the directions."""
    if not {"read", "write"} <= {head.load.way for head in heads} or any(row.load.way for row in rows):
        return heads
    return (heads[0], *(replace(head, role="none") if _is_bare(head) else head for head in heads[1:]))


def _with_models(heads: tuple[Head, ...]) -> tuple[Head, ...]:
    """ "Gold | 5300 MAX" above rows of quantities: the name of a drive, and no statistic."""
    of_most = [head for head in heads[1:] if head.statistics]
    if len(of_most) != 1 or len(heads) < 3 or not _MODEL.fullmatch(of_most[0].text) or of_most[0].quantities:
        return heads
    return tuple(Head(head.text, rest=head.text.lower()) if head is of_most[0] else head for head in heads)


def _as_name(head: Head) -> Head:
    """ "pool_fast_reads" beside "Sequential write", which is said of all: the name of a run."""
    is_name = "_" in head.text and head.load.way is not None and bool(head.rest) and not head.quantities
    return Head(head.text, rest=head.text.lower()) if is_name else head


def _is_bare(head: Head) -> bool:
    return head.load == Load() and not (head.role or head.quantities or head.statistics or head.ways)


def _loads(heads: Sequence[Head], rows: Sequence[Body]) -> Iterator[Load]:
    yield from (head.load for head in heads)
    yield from (row.load for row in rows)


def _leads_to_calls(caption: str) -> bool:
    """ "fsync latency, by class:"."""
    is_caption = caption.rstrip("*_ ").endswith((":", "：")) or _HEADING.match(caption) is not None
    is_told = is_caption and _LATENCY_OF_SYNCS.search(caption) is not None and not SUPPOSED.search(caption)
    return is_told and not heading_of(caption).names_values


def _is_test(caption: str) -> bool:
    """A direction with an order or a block, in a few words."""
    phrase = heading_of(caption)
    is_named = phrase.load.way is not None and (phrase.load.random is not None or phrase.load.block_bytes is not None)
    is_short = len(caption) <= _LONGEST_LABEL and not phrase.names_values
    return is_named and is_short and not (SUPPOSED.search(caption) or _OPTION.search(caption))


def _with_times_of_syncs(heads: Sequence[Head]) -> Iterator[Head]:
    """ "fdatasync avg" is a time; "fdatasync p99 | p99.9" goes on with the one beside it."""
    call = ""
    for head in heads:
        is_bare = head.statistics and not head.quantities and _PERCENTILE_ALONE.fullmatch(head.text)
        if not is_bare:
            call = "fsync" if _LATENCY_OF_SYNCS.search(head.text) else ""
        if is_bare and call:
            yield replace(head, text=f"{call} {head.text}")
        elif call and head.statistics == ("mean",) and not head.quantities:
            yield replace(head, quantities=(Quantity(LATENCY),))
        else:
            yield head


def _cells_of(grid: Grid, captions: Sequence[str]) -> tuple[list[str], list[Row]] | None:
    """The headings' texts and the rows below them, one value a cell; None where there is no table."""
    width = max(len(row.cells) for row in grid.rows)
    if width < 2:
        return None
    head_texts, body = body_and_heads(grid, width, has_values)
    if not body or any(_COMMON_LATENCIES.search(row.cells[0]) for row in body):
        return None
    head_texts, body = with_columns_in_turn(head_texts, with_what_was_received(head_texts, body))
    head_texts, body = with_parted_columns(*with_named_parts(head_texts, with_named_products(head_texts, body)))
    body = with_parted_rows(head_texts, list(with_names_in_front(with_units(head_texts, body))), captions)
    return _with_spelled_ways(head_texts, body)


_WHOLE, _HUNDREDS = re.compile(r"\W*[1-9]\d{0,2},\d{3}\W*"), re.compile(r"\W*[1-9]\d{2}\W*")


def _holds_thousands(body: Sequence[Row]) -> bool:
    width = min((len(row.cells) for row in body), default=0)
    return any(_grow_into_thousands([row.cells[at] for row in body]) for at in range(width))


def _grow_into_thousands(column: Sequence[str]) -> bool:
    """ "206 | 561 | 1,620": beside whole hundreds, three digits behind a comma are no decimals in any language."""
    told = [cell for cell in column if cell.strip()]
    whole = sum(_WHOLE.fullmatch(cell) is not None for cell in told)
    return 0 < whole < len(told) - 1 and all(_WHOLE.fullmatch(cell) or _HUNDREDS.fullmatch(cell) for cell in told)


def _heads_of(
    head_texts: list[str], body: list[Row], captions: Sequence[str], notes: Sequence[str], *, is_as_ssd: bool
) -> tuple[tuple[Head, ...], list[Row], bool]:
    """What the columns are, the rows with the units that theirs have, and whether commas part decimals."""
    body = with_units_of_as_ssd(head_texts, body) if is_as_ssd else body
    variables = _variables(captions)
    heads = tuple(Head(text, variables[text]) if text in variables else read_head(text) for text in head_texts)
    heads = (
        heads[0],
        *(_without_words_below(heads[at], [row.cells[at] for row in body]) for at in range(1, len(heads))),
    )
    heads = with_crossed_conditions(heads, body)
    heads = with_sizes_of_blocks(_with_values_of_option(heads, captions), body)
    heads = without_spreads(with_own_quantities(with_numbers_of_rows(heads, body), body))
    said = [head_texts[0], *captions[:2], *notes]
    heads = (heads[0], *(_with_queues(head, said) for head in heads[1:]))
    heads = _with_ways_in_front(_with_tool_words(heads, captions, is_as_ssd))
    written = "\n".join([*head_texts, *captions[:2], *(cell for row in body for cell in row.cells)])
    kinds = {each.kind for head in heads for each in head.quantities}
    is_damaged = kinds == {IOPS} and has_damaged_thousands(written)
    commas = decimal_commas(written) and not (is_damaged or _holds_thousands(body))
    body = with_units_of_rows(heads, body, commas)
    heads = _with_units_by_order(heads, [*captions[:2], *notes])
    heads = _with_proven_factors(_with_unit_of_one(_with_statistics_of(heads, captions), body), body, commas)
    if any(map(_LINK.search, captions)):
        heads = tuple(replace(head, quantities=tuple(map(_in_bits, head.quantities))) for head in heads)
    return heads, body, commas


def _with_queues(head: Head, said: Sequence[str]) -> Head:
    if head.load.depth is None or not names_queues(head.text, said):
        return head
    return replace(head, load=head.load._replace(depth=None), rest=head.rest or head.text.lower())


def _with_queues_in_front(row: Body) -> Body:
    own = heading_of(row.label).load.depth
    load = row.load._replace(depth=None) if row.load.depth == own else row.load
    return replace(row, load=load, head=replace(row.head, load=row.head.load._replace(depth=None)))


def _with_values_of_option(heads: tuple[Head, ...], captions: Sequence[str]) -> tuple[Head, ...]:
    """ "--max-fuse-io compared" above "128K | 256K | 1M": what that option was set to, and no blocks."""
    named = {option for line in captions for option in _NAMED_OPTION.findall(line)}
    if len(named) != 1 or sum(map(_is_size_alone, heads[1:])) < 2 or any(map(_OF_BLOCKS.search, named)):
        return heads
    return tuple(Head(head.text, rest=head.text.lower()) if _is_size_alone(head) else head for head in heads)


def _is_size_alone(head: Head) -> bool:
    return head.load == Load(block_bytes=head.load.block_bytes) != Load() and head.only_load and not head.quantities


def _with_ways_in_front(heads: tuple[Head, ...]) -> tuple[Head, ...]:
    """ "Read | IOPS | Write | IOPS": a quantity that stands once behind each direction is of that one."""
    told = [at for at, head in enumerate(heads) if head.load.way in ("read", "write")]
    bare = [at for at, head in enumerate(heads) if head.quantities and not (head.load.way or head.role)]
    if len(bare) < 2 or len({heads[at].text for at in bare}) > 1 or [at - 1 for at in bare] != told:
        return heads
    found = list(heads)
    for at in bare:
        way = heads[at - 1].load.way
        found[at] = replace(heads[at], load=heads[at].load._replace(way=way), ways=heads[at - 1].ways)
    return tuple(found)


def _without_words_below(head: Head, cells: Sequence[str]) -> Head:
    """ "Speed test" above names of quantities with their units: a column of labels, whatever its head calls them."""
    is_word = bool(head.quantities) and not any(each.factor for each in head.quantities)
    named = [heading_of(cell) for cell in cells if cell] if is_word else []
    are_labels = named and all(any(each.factor for each in cell.quantities) and not cell.names_values for cell in named)
    return Head(head.text) if are_labels else head


def _shared_by_all(
    grid: Grid,
    heads: Sequence[Head],
    body: Sequence[Row],
    captions: Sequence[str],
    notes: Sequence[str],
    statistics: Sequence[str],
) -> tuple[Quantity, ...]:
    """The quantity of every cell, as a caption or the names of CrystalDiskMark's tests say it."""
    levels = 2 if captions and _HEADING.match(captions[0]) else 1  # "IOPS", and "old disks" below it
    is_remarked = len(captions) > 1 and _HEADING.match(captions[1]) and captions[0].endswith(".")
    if is_remarked and not heading_of(captions[0]).quantities:
        levels = 2  # "## Random 4k read IOPS", and how they were measured
    shared = _shared(heads, body, [*captions[:levels], *notes], statistics)
    if not shared and is_of_disk_mark(grid) and _kinds_named([*captions, *notes]) <= {BANDWIDTH}:
        return (Quantity(BANDWIDTH, 1e6),)
    return shared


def _with_quantities_in_turn(heads: tuple[Head, ...], shared: Sequence[Quantity]) -> tuple[Head, ...]:
    """ "old | old | new | new" where all cells are "IOPS and latency": each head as often as there are quantities."""
    count, texts = len(shared), [head.text for head in heads[1:]]
    runs = [texts[at : at + count] for at in range(0, len(texts), count)] if count > 1 else []
    if not runs or any(len(run) != count or len(set(run)) > 1 for run in runs) or len(runs) != len(set(texts)):
        return heads
    named = (replace(head, quantities=(shared[at % count],)) for at, head in enumerate(heads[1:]))
    return (heads[0], *named)


def _with_names_above_quantities(heads: tuple[Head, ...], rows: Sequence[Body]) -> tuple[Head, ...]:
    """ "as it is | limit 200 IOPS" above rows of IOPS and of latencies: where each row names what it holds, and not
    each column does or not all rows hold the same, a head with a number in it says which run it is of."""
    of_rows = {each.kind for row in rows for each in row.head.quantities}
    are_named = all(head.quantities or head.role for head in heads[1:])
    if (len(of_rows) < 2 and are_named) or not all(row.head.quantities for row in rows):
        return heads
    return tuple(
        Head(head.text, rest=head.text.lower()) if at and head.quantities and _names_a_setting(head.text) else head
        for at, head in enumerate(heads)
    )


def _names_a_setting(head: str) -> bool:
    """A quantity with its number, and no load that it may be of: "IOPS 200", "latency = 5 ms"."""
    phrase = heading_of(head)
    return phrase.load == Load() and any(value.kind or value.value for value in phrase.values(False))


def _as_streams(head: Head) -> Head:
    """ "Parallelism" beside what a network carried."""
    return replace(head, role="jobs") if _STREAMS.fullmatch(head.text) else head


def _with_streams(load: Load, text: str) -> Load:
    return load._replace(jobs=load.jobs or streams_named(text))


def _with_rates_of_streams(heads: tuple[Head, ...]) -> tuple[Head, ...]:
    """ "16 streams" beside "1 stream (Gbit/s)": what so many carried, in the same unit."""
    of_streams = {at for at, head in enumerate(heads) if at and streams_named(head.text) is not None}
    named = {each for at in of_streams for each in heads[at].quantities if each.kind == BANDWIDTH}
    bare = {at for at in of_streams if not (heads[at].quantities or heads[at].statistics or heads[at].role)}
    if len(named) != 1:
        return heads
    rate = tuple(named)
    return tuple(replace(head, quantities=rate) if at in bare else head for at, head in enumerate(heads))


def _with_most_of_streams(heads: tuple[Head, ...]) -> tuple[Head, ...]:
    """ "Maximum bandwidth" beside "Bandwidth, 1 session": what came through with more of them."""
    rates = [head for head in heads if _names_rate(head)]
    most = [head for head in rates if head.statistics == ("max",)]
    if not most or all(streams_named(head.text) != 1 for head in rates):
        return heads
    return with_repeats([replace(head, statistics=()) if head in most else head for head in heads])


def _names_rate(head: Head) -> bool:
    return not head.role and any(each.kind == BANDWIDTH for each in head.quantities)


def _as_round_trip(head: Head, named: re.Pattern[str] = _PING) -> Head:
    """ "Ping (ms)" beside what a network carried."""
    if head.load != Load() or not named.match(head.text):
        return head
    phrase = heading_of(head.text)
    times = tuple(each for each in phrase.quantities if each.kind == LATENCY) or (Quantity(LATENCY),)
    way = Load(way=ROUND_TRIP)
    return replace(head, role="", quantities=times, statistics=phrase.statistics, load=way, ways=(), rest="")


def _with_round_trip(row: Body) -> Body:
    head = _as_round_trip(row.head)
    return row if head is row.head else replace(row, head=head, load=head.load)


def _with_rate_of_network(row: Body) -> Body:
    """ "Network download (Mbps)" among rows of other tests: what came through, where these are no speeds of links."""
    head = row.head
    quantities = heading_of(head.text).quantities if is_line_speed(head) else head.quantities
    is_rate = {each.kind for each in quantities} == {BANDWIDTH} and all(each.factor in BITS for each in quantities)
    if not is_rate or row.load.way or not heads_row(row.label) or not _are_of_runs(row.row.cells[1:], quantities):
        return row
    load = row.load._replace(way=way_of(BANDWIDTH, row.label))
    return replace(row, head=replace(head, role="", quantities=quantities, load=load), load=load)


def _with_times_of_network(
    heads: tuple[Head, ...], rows: tuple[Body, ...], captions: Sequence[str], commas: bool
) -> tuple[tuple[Head, ...], tuple[Body, ...]]:
    """ "Bandwidth | Latency" of paths: no test of what a network carries tells its times, they are of one of their own.
    Nor are they of drives where a tool of networks is named or printed the rates, or where they are as short as only a
    network's are."""
    is_told = any(shown_in([line]) for line in captions)
    if any(row.load.way or row.load.block_bytes for row in rows):
        return heads, rows
    if not is_told and names_storage([*(head.text for head in heads), *(row.label for row in rows)]):
        return heads, rows
    is_told = is_told or bool(told_by_rates([cell for row in rows for cell in row.row.cells]))

    def of_network(head: Head, cells: Sequence[str]) -> Head:
        is_time = {each.kind for each in head.quantities} == {LATENCY} and head.load == Load() and not head.role
        if not is_time or names_service(head.text) or not (is_told or _are_short(cells, head.quantities, commas)):
            return head
        return replace(head, load=Load(way=ROUND_TRIP), rest=head.rest if head.repeats else "")

    heads = tuple(of_network(head, [row.row.cells[at] for row in rows]) for at, head in enumerate(heads))
    marked = [of_network(row.head, row.row.cells[1:]) for row in rows]
    pairs = zip(rows, marked, strict=True)
    return heads, tuple(row if head is row.head else replace(row, head=head, load=head.load) for row, head in pairs)


def _are_short(cells: Sequence[str], quantities: Sequence[Quantity], commas: bool) -> bool:
    """Times that take a packet no farther than to the next town."""
    found = (value for cell in cells for value in cell_of(cell).values(commas))
    times = [value if value.kind else value.of(quantities[0]) for value in found]
    return bool(times) and all(each is not None and each.value < _LONGEST_TRIP for each in times)


def _with_random_access(row: Body) -> Body:
    return replace(row, load=row.load._replace(random=True)) if _ACCESS.match(row.row.cells[0]) else row


def _with_measured_speed(head: Head, cells: Sequence[str], of_ends: Sequence[str], counts: bool) -> Head:
    """ "TCP speed" above what a tool of networks printed, or what was sent and received, and no speeds of links;
    "Speed" above bytes a second. counts: another column has IOPS, and so is of no network."""
    rates = [value for cell in cells for value in cell_of(cell).values(False) if value.kind == BANDWIDTH]
    is_of_bytes = _SPEED.fullmatch(head.text) and rates and not any(value.is_in_bits for value in rates)
    is_of_test = BANDWIDTH in of_ends and _PROTOCOL_SPEED.match(head.text)
    phrase = names_in(head.text)
    if not counts and is_line_speed(head) and is_of_network_tool(head.text) and _are_of_runs(cells, phrase.quantities):
        way = Load(way=way_of(BANDWIDTH, head.text))
        return replace(head, role="", quantities=phrase.quantities, load=way, rest=phrase.rest)
    is_measured = is_line_speed(head) and (is_of_bytes or (not counts and (is_of_test or told_by_rates(cells))))
    if not is_measured:
        return head
    return replace(head, role="", quantities=phrase.quantities, rest=phrase.rest)


def _with_carried(head: Head, cells: Sequence[str]) -> Head:
    """ "TCP throughput" below the name of a tool of networks: what came through, and no link."""
    quantities = names_in(head.text).quantities
    if not (is_line_speed(head) and _PROTOCOL_SPEED.match(head.text) and _are_of_runs(cells, quantities)):
        return head
    return replace(head, role="", quantities=quantities, load=Load(way=way_of(BANDWIDTH, head.text)))


def _are_of_runs(cells: Sequence[str], quantities: Sequence[Quantity]) -> bool:
    """Whether most of them are in bits, and no speeds of links."""
    commas = decimal_commas("\n".join(cells))
    found = [value for cell in cells for value in cell_of(cell).values(commas)]
    rates = [value if value.kind else value.of(quantities[0]) for value in found]
    return 2 * sum(1 for rate in rates if rate is not None and is_measured_rate(in_bits(rate))) > len(rates)


def _shared_of_network(heads: Sequence[Head], body: Sequence[Row], network: Sequence[str]) -> tuple[Quantity, ...]:
    """ "Path | Result" above "pod to pod | 17.8 Gbit/s": rates that nobody sells, where a tool is named around them; or
    one such below heads that all say "result"."""
    named = (*(head.load for head in heads), *(heading_of(row.cells[0]).load for row in body))
    names_rates = any(each.kind != LATENCY for head in heads for each in head.quantities)
    if BANDWIDTH not in network or names_rates or any(load.way for load in named):
        return ()
    places = [at for at, head in enumerate(heads) if head.role != "none"]
    cells = [row.cells[at] for row in body for at in places]
    told = [(value, cell) for cell in cells for value in cell_of(cell.replace("*", "")).values(False) if value.kind]
    rates = [(value, cell) for value, cell in told if value.kind != LATENCY or LATENCY not in network]
    are_results = all(OF_RESULTS.search(heads[at].text) for at in places if at)
    measured = sum(is_no_link(value, cell) for value, cell in rates)
    are_measured = measured > 0 and (are_results or measured == len(rates))
    return (Quantity(BANDWIDTH),) if are_measured or told_by_rates(cells) else ()


def _with_percentile_rows(rows: Sequence[Body], shared: Sequence[Quantity], unit: float | None) -> tuple[Body, ...]:
    unit = next((each.factor for each in shared if each.kind == LATENCY), unit)
    heads = with_percentiles([row.head for row in rows], only=True, unit=unit)
    marked = [_in_unit(head, unit) for head in _with_tails_of_latencies(heads)]
    return _with_repeats([replace(row, head=head) for row, head in zip(rows, marked, strict=True)])


def _with_tails_of_latencies(heads: Sequence[Head]) -> Iterator[Head]:
    """A row "p50 / max" beside "Average latency", whose other words are the same: times of the same run."""
    timed = {(head.load, head.rest) for head in heads if {each.kind for each in head.quantities} == {LATENCY}}
    for head in heads:
        has_tail = not head.quantities and any(name.startswith("p") for name in head.statistics)
        is_of_run = has_tail and (head.load, head.rest) in timed
        yield replace(head, quantities=(Quantity(LATENCY),)) if is_of_run else head


def _kinds_named(lines: Sequence[str]) -> set[str]:
    return {each.kind for line in lines for each in heading_of(line).quantities}


def _variables(captions: Sequence[str]) -> dict[str, str]:
    """ "--numjobs=N" above a column "N": what the column holds."""
    return {match["name"]: _ROLES[match["option"]] for line in captions for match in _VARIABLE.finditer(line)}


def _with_conditions_in_rows(heads: tuple[Head, ...], body: Sequence[Row]) -> tuple[tuple[Head, ...], list[Row]]:
    """Rows "Block size | 8k | 8k", "Queue depth | 16 | 16" and "Pattern | random read | random write" say what the
    columns were measured with."""
    kept: list[Row] = []
    for row in body:
        label = read_head(row.cells[0])
        is_pattern = _PATTERN.fullmatch(row.cells[0]) is not None
        is_condition = label.role in ("block", "depth", "jobs") and label.load == Load() and not heads[0].role
        named = [label.attribute(cell) for cell in row.cells[1:]] if is_condition else []
        if is_pattern and not heads[0].role and not any(head.load.way for head in heads[1:]):
            is_condition, named = True, [_load_of_pattern(cell) for cell in row.cells[1:]]
        if not is_condition or Load() in named:
            kept.append(row)
            continue
        others = zip(heads[1:], named, strict=True)
        heads = (heads[0], *(replace(head, load=load.over(head.load)) for head, load in others))
    return (heads, kept) if kept else (heads, list(body))


def _load_of_pattern(cell: str) -> Load:
    phrase = heading_of(cell)
    return phrase.load if phrase.load.way and not phrase.names_values else Load()


def _with_tool_words(heads: tuple[Head, ...], captions: Sequence[str], is_as_ssd: bool) -> tuple[Head, ...]:
    """Beside "write", "seq" and "rand" are rados bench's reads; of CrystalDiskMark's tests all but Seq are random.

    hdparm reads, but for what is in its cache. IOR's "block" is what a process writes in all, "xfer" an I/O.
    """
    if any(head.role == "block" and _TRANSFER.match(head.text) for head in heads):
        heads = tuple(
            replace(head, role="size") if head.role == "block" and not _TRANSFER.match(head.text) else head
            for head in heads
        )
    if any(head.load.way == "write" and head.load.random is None for head in heads):
        heads = tuple(
            replace(head, load=with_rados_read(head.load)) if _RADOS_WORD.match(head.text) else head for head in heads
        )
    heads = tuple(
        replace(head, load=head.load._replace(way="read")) if _HDPARM_FIRST.match(head.text) and not head.ways else head
        for head in heads
    )
    if names_hdparm_alone([*captions[:2], *(head.text for head in heads)]):
        heads = tuple(
            replace(head, load=head.load._replace(way="read")) if head.quantities and not head.ways else head
            for head in heads
        )
    if is_as_ssd or any(map(_DISK_MARK.search, captions[:2])):
        heads = tuple(replace(head, load=_as_of_disk_mark(head.load)) for head in heads)
    return heads


def _as_of_disk_mark(load: Load) -> Load:
    """A block without an order is of random I/O there."""
    is_unsaid = load.random is None and load.way is not None and load.block_bytes is not None
    return load._replace(random=True) if is_unsaid else load


def _with_units_by_order(heads: tuple[Head, ...], around: Sequence[str]) -> tuple[Head, ...]:
    """ "Seq read | rand read" below or above "Seq in MB/s, random in IOPS"."""
    units = next(filter(None, map(units_by_order, around)), {})
    if not units or any(head.quantities for head in heads):
        return heads
    return tuple(
        replace(head, quantities=(units[head.load.random],))
        if head.is_load_alone and head.load.random is not None
        else head
        for head in heads
    )


_SIZE_ALONE = re.compile(r"\d{1,4} ?[kKM](?:i?B)?")
_SAME_RATE = 0.03


def _with_proven_factors(heads: tuple[Head, ...], body: Sequence[Row], commas: bool) -> tuple[Head, ...]:
    """ "IOPS | BW | lat" without a unit: in all rows MiB/s are IOPS x one block, and as many I/Os are in flight."""
    rates = [at for at, head in enumerate(heads) if head.quantities == (Quantity(IOPS, 1.0),)]
    found = list(heads)
    for at, head in enumerate(heads):
        if (
            head.quantities == (Quantity(BANDWIDTH),)
            and len(rates) == 1
            and _is_mib_of_blocks(body, rates[0], at, commas)
        ):
            found[at] = replace(head, quantities=(Quantity(BANDWIDTH, MIB),))
            continue
        pairs = [
            (number(row.cells[rates[0]], commas), number(row.cells[at], commas)) for row in body if len(rates) == 1
        ]
        known = [(rate, value) for rate, value in pairs if rate and value and min(rate, value) > 0]
        if len(known) < _FEWEST_ROWS or len(known) < len(body):
            continue
        if (
            head.quantities == (Quantity(BANDWIDTH),)
            and _power_of_two([value / rate for rate, value in known]) in _BLOCKS
        ):
            found[at] = replace(head, quantities=(Quantity(BANDWIDTH, MIB),))
        if head.quantities == (Quantity(LATENCY),):
            found[at] = replace(head, quantities=(Quantity(LATENCY, _unit_of_products([r * v for r, v in known])),))
    return tuple(found)


def _is_mib_of_blocks(body: Sequence[Row], rate: int, at: int, commas: bool) -> bool:
    """Whether in all rows, whose first cell is a block, the cell is as many MiB as its rate of such blocks."""
    shares = []
    for row in body:
        block = heading_of(row.cells[0]).load.block_bytes if _SIZE_ALONE.fullmatch(row.cells[0]) else None
        told = [_counted(row.cells[each], commas) for each in (rate, at)]
        if block is None or not all(told):
            return False
        shares.append(told[1] * MIB / (told[0] * block))
    return len(shares) >= _FEWEST_ROWS and all(abs(share - 1) < _SAME_RATE for share in shares)


def _counted(cell: str, commas: bool) -> float:
    """The one number of a cell, "24.3k"; 0 where it holds none, or more."""
    values = [value.of(Quantity(IOPS, 1.0)) if not value.kind else value for value in cell_of(cell).values(commas)]
    return values[0].value if len(values) == 1 and values[0] and values[0].kind == IOPS else 0.0


def _with_times_of_operations(heads: Sequence[Head], body: Sequence[Row], commas: bool) -> Iterator[Head]:
    """ "IOPS | time" above "2730 | 46 ms": beside rates, milliseconds are of one operation if as many as that are in
    flight as one asks for; no test is so short."""
    rates = [at for at, head in enumerate(heads) if [each.kind for each in head.quantities] == [IOPS]]
    for at, head in enumerate(heads):
        is_time = head.role == "runtime" or (
            not (head.role or head.quantities) and _TIME_OF_ONE_ALONE.fullmatch(head.text)
        )
        shares = (
            [_in_flight(row.cells[rates[0]], row.cells[at], commas, head.factor) for row in body]
            if is_time and rates
            else []
        )
        is_of_one = bool(shares) and all(_FEWEST_IN_FLIGHT < share < _MOST_IN_TABLES for share in shares)
        yield Head(head.text, quantities=(Quantity(LATENCY, head.factor),)) if is_of_one else head


def _in_flight(rate: str, time: str, commas: bool, factor: float | None) -> float:
    """Rate times latency, which may be a bare number in a unit of the head; 0 where one of the cells holds anything
    else, or whole seconds."""
    rates = [value.of(Quantity(IOPS, 1.0)) if not value.kind else value for value in cell_of(rate).values(commas)]
    told = [value.of(Quantity(LATENCY, factor)) if not value.kind else value for value in cell_of(time).values(commas)]
    times = [value for value in told if value and value.kind == LATENCY and value.factor < 1.0]
    return rates[0].value * times[0].value if len(rates) == len(times) == 1 and rates[0] else 0.0


def _with_times_by_little(heads: tuple[Head, ...], rows: Sequence[Body], above: Load, commas: bool) -> tuple[Head, ...]:
    """ "Threads | IOPS | latency" without a unit: in seconds, IOPS x latency are the I/Os in flight, which are about as
    many as the threads and their depth let there be, and never more."""
    rates = [at for at, head in enumerate(heads) if head.quantities == (Quantity(IOPS, 1.0),)]
    times = [at for at, head in enumerate(heads) if head.quantities == (Quantity(LATENCY),)]
    means = [at for at in times if heads[at].statistic == "mean"]
    if len(rates) != 1 or len(means) != 1:
        return heads
    shares: list[float] = []
    for row in rows:
        load = row.load.over(heads[means[0]].load).over(above)
        rate, value = (number(row.row.cells[at], commas) for at in (rates[0], means[0]))
        if rate and value and (load.depth or load.jobs):
            shares.append(rate * value / (load.depth or 1) / (load.jobs or 1))
    fitting = [factor for factor in (1.0, 1e-3, 1e-6) if _are_in_flight([share * factor for share in shares])]
    if len(fitting) != 1:
        return heads
    named = (Quantity(LATENCY, fitting[0]),)
    return tuple(replace(head, quantities=named) if at in times else head for at, head in enumerate(heads))


def _are_in_flight(shares: Sequence[float]) -> bool:
    """Of what may be in flight at most."""
    return len(shares) >= _FEWEST_ROWS and max(shares) < _MOST_IN_FLIGHT and median(shares) > _MOSTLY_IN_FLIGHT


def _unit_of_products(products: Sequence[float]) -> float | None:
    """In which unit IOPS x latency are as many I/Os in flight in all rows, a power of two before another number."""
    for fits in (lambda values: _power_of_two(values) in _DEPTHS, _are_as_many):
        fitting = [unit for unit in (1e-3, 1e-6) if fits([product * unit for product in products])]
        if fitting:
            return fitting[0] if len(fitting) == 1 else None
    return None


def _are_as_many(in_flight: Sequence[float]) -> bool:
    """One whole number in all rows, but for rounding: "12 nodes of 6 threads" are 72."""
    middle = median(in_flight)
    few = abs(middle / (round(middle) or 1) - 1)
    return 1 - few <= middle <= _MOST_AT_ONCE and few < _ROUNDED and max(in_flight) - min(in_flight) < _NEAR * middle


def _power_of_two(values: Sequence[float]) -> int | None:
    """Of which power of two all values are, but for rounding."""
    bits = [math.log2(value) for value in values]
    nearest = round(bits[0])
    return nearest if all(abs(each - nearest) < _ROUNDED for each in bits) else None


def _in_bits(quantity: Quantity) -> Quantity:
    """ "Gb/s" beside the speed of a link: bits, as those of the link."""
    is_unsure = quantity.bits and quantity.factor == 1e9
    return quantity._replace(factor=1e9 / 8, bits=False) if is_unsure else quantity


def _with_statistics_of(heads: Sequence[Head], captions: Sequence[str]) -> tuple[Head, ...]:
    """ "Latency(us)" alone on the line above "IOPS  MB/s  Average  min  max"."""
    phrase = heading_of(captions[0]) if captions else None
    alone = phrase is not None and len(phrase.quantities) == 1 and not phrase.rest
    if phrase is None or not alone or phrase.quantities[0].factor is None:
        return tuple(heads)
    percentile = tuple(name for name in phrase.statistics if name.startswith("p"))
    names_nothing = not any(head.quantities or head.statistics for head in heads[1:])
    if len(percentile) == 1 and names_nothing:  # "P99 latency (ms)" above "read | write" or "old | new"
        named = (replace(head, quantities=phrase.quantities, statistics=percentile) for head in heads[1:])
        return (heads[0], *(head if head.role else own for head, own in zip(heads[1:], named, strict=True)))
    if phrase.load != Load():
        return tuple(heads)
    return tuple(
        replace(head, quantities=phrase.quantities)
        if head.statistics and not (head.quantities or head.role or head.rest)
        else head
        for head in heads
    )


def _unit_of_times(around: Sequence[str]) -> float | None:
    """Of all latencies around which no other stands, in seconds: "clat in usec", "All latencies are ms"."""
    lines = (line for line in around if any(map(line.lower().__contains__, _TIMES)))
    units = {match["unit"] for line in lines for match in _UNIT_OF_TIMES.finditer(line)}
    return time_factor(units.pop()) if len(units) == 1 else None


def _in_unit(head: Head, unit: float | None) -> Head:
    is_lacking = unit is not None and Quantity(LATENCY) in head.quantities
    named = (each._replace(factor=unit) if each == Quantity(LATENCY) else each for each in head.quantities)
    return replace(head, quantities=tuple(named)) if is_lacking else head


def _as_latency(head: Head) -> Head:
    """ "AIO (us)" in a table of latencies."""
    is_time = head.role == "none" and [each.kind for each in heading_of(head.text).quantities] == [LATENCY]
    return replace(read_head(f"latency {head.text}"), text=head.text) if is_time else head


def _with_unit_of_one(heads: tuple[Head, ...], body: Sequence[Row]) -> tuple[Head, ...]:
    """ "Random read (MB/s) | random write | read | write": one of the loads names the unit of all."""
    alone = [at for at, head in enumerate(heads) if head.is_load_alone]
    named = [head for head in heads if head.quantities]
    if not alone or len(named) != 1 or named[0].load.way is None:
        return heads
    if not all(is_bare_number(row.cells[at]) or not row.cells[at] for row in body for at in alone):
        return heads
    return tuple(
        replace(head, quantities=named[0].quantities) if at in alone else head for at, head in enumerate(heads)
    )


def _without_transactions(rows: Sequence[Body]) -> Iterator[Body]:
    """ "commits throughput (tx/s)", and with it "commits p99 (us)", are of what runs on a drive."""
    others = {read_head(_TRANSACTIONS.sub("", row.label)).rest for row in rows if _TRANSACTIONS.search(row.label)}
    return (row for row in rows if not (row.head.rest in others - {""} or _TRANSACTIONS.search(row.label)))


def without_latencies_of_transactions(heads: Sequence[Head]) -> tuple[Head, ...]:
    """ "TPS | latency | write IOPS": the latency is of the transactions."""
    if not any(_TRANSACTIONS.search(head.text) for head in heads):
        return tuple(heads)
    return tuple(
        replace(head, role="none")
        if {each.kind for each in head.quantities} == {LATENCY} and head.load == Load()
        else head
        for head in heads
    )


def _names_quantity(head: Head) -> bool:
    return bool(head.quantities) or head.statistic.startswith("p")


def _with_repeats(rows: Sequence[Body]) -> tuple[Body, ...]:
    """Rows of one section that name the same quantity of the same load are told apart by their other words."""
    marked: list[Body] = []
    for section in sorted({row.section for row in rows}):
        own = [row for row in rows if row.section == section]
        marked += [
            replace(row, head=head) for row, head in zip(own, with_repeats([row.head for row in own]), strict=True)
        ]
    return tuple(marked)


def _with_rados_words(rows: Sequence[Body]) -> tuple[Body, ...]:
    """Beside "write", "seq" and "rand" are what rados bench calls its reads."""
    if not any(row.load.way == "write" and row.load.random is None for row in rows):
        return tuple(rows)
    return tuple(replace(row, load=with_rados_read(row.load)) if _RADOS_WORD.match(row.label) else row for row in rows)


def _with_mixed(rows: Sequence[Body]) -> tuple[Body, ...]:
    """Beside "Read" and "Write" a row "Read-write" is of a mixed run, "(R)" behind it of its reads; "hdparm" reads."""
    ways = {row.load.way for row in rows}
    found = []
    for row in rows:
        both = set(row.head.ways) == {"read", "write"} or (not row.head.ways and _COMBINED.search(row.label))
        both = both and {"read", "write"} <= ways and "+" not in row.label
        way = "mix" if both else "read" if _OF_HDPARM.fullmatch(row.label) else None
        own = _HALF.search(row.label) if "mix" in (way, row.load.way) else None
        way = {"r": "read", "w": "write"}[own[1].lower()] if own else row.load.way or way
        head = replace(row.head, load=row.head.load._replace(way="mix")) if both else row.head
        found.append(replace(row, head=head, load=row.load._replace(way=way)))
    return tuple(found)


def _with_spelled_ways(heads: Sequence[str], body: Sequence[Row]) -> tuple[list[str], list[Row]]:
    """A column of nothing but "R" and "W"; "4KRR", "RR", "SW" where two of them stand in a table; "BW (R) | BW (W)",
    "R | W"."""
    if {match[1] for text in heads if (match := _LETTER_BEHIND.search(text))} == {"R", "W"}:
        heads = [_LETTER_BEHIND.sub(lambda match: {"R": " read", "W": " write"}[match[1]], text) for text in heads]
    ways = {"R": "read", "W": "write", "RW": "rw"}
    columns = list(zip(*(row.cells for row in body), strict=True))
    places = {at for at, cells in enumerate(columns) if set(cells) <= {*ways, ""} and any(cells)}
    rows = [tuple(ways.get(cell, cell) if at in places else cell for at, cell in enumerate(row.cells)) for row in body]
    short = [at for at, cells in enumerate(columns) if at and set(map(str.upper, cells)) <= _SHORT_WAYS]
    for at in (at for at in short if names_short_ways(columns[at])):
        rows = [(*row[:at], with_spelled_ways(row[at]), *row[at + 1 :]) for row in rows]
    if names_short_ways([*heads, *(row[0] for row in rows)]):
        heads = [with_spelled_ways(text) for text in heads]
        rows = [(with_spelled_ways(row[0]), *row[1:]) for row in rows]
    return list(heads), [Row(row.line, cells) for row, cells in zip(body, rows, strict=True)]


def _bodies(heads: Sequence[Head], body: Sequence[Row]) -> Iterator[Body]:
    """Rows with their labels; a lone label heads a section, an empty first cell carries on the label above, and with it
    the conditions right behind that are empty, too."""
    section, above, number, name = Load(), [""] * len(heads), 0, ""
    remarks = set(_remarks(heads, body))
    names = {head.text.lower() for head in heads}
    margins = {at for at in range(1, len(heads)) if _is_of_margins([row.cells[at] for row in body], names)}
    margins |= set(_verdicts(heads, body))
    columns = list(zip(*(row.cells for row in body[:_ROWS_LOOKED_AT]), strict=True))
    of_values = {at for at, cells in enumerate(columns) if at and 2 * sum(map(is_plain_value, cells)) > len(cells)}
    for row in body:
        cells = list(row.cells)
        filled = [cell for cell in cells if cell.strip(" -–—")]
        if cells[0] and (len(filled) == 1 or is_spanned(cells)) and not is_plain_value(cells[0]):
            section, number, name = heading_of(cells[0]).load, number + 1, cells[0].strip(" *_:-=~–—")
            continue
        goes_on = any(re.search(r"[^\W\d]", cell) for cell in cells[1:2])
        if not cells[0] and (goes_on or (len(heads) > 1 and heads[1].role in ("block", "depth", "jobs"))):
            carried = (at for at, head in enumerate(heads) if at and not (head.role in _CARRIED and not cells[at]))
            end = next(carried, len(heads))
            cells[:end] = above[:end]
        above = cells
        places = [at for at, cell in enumerate(cells) if at not in of_values and _is_label(cell, heads[at], at == 0)]
        places = [at for at in places if at not in margins and not _VERDICT.search(heads[at].text)]
        are_counts = any(each.kind == IOPS for each in read_head(cells[0]).quantities)
        counts = {at for at in places if at and _COUNT_OF_OPERATIONS.fullmatch(cells[at])}
        places = [at for at in places if at not in counts or not (are_counts or heads[at].is_load_alone)]
        others = set(_of_others(cells, places))
        places = [at for at in places if at not in others]
        notes = {at for at in places if NOTES.fullmatch(heads[at].text) or (at and len(cells[at]) > _LONGEST_LABEL)}
        misnamed = set(_contradicting(cells, [at for at in places if at not in notes]))
        notes |= misnamed
        labels = [cells[at].rstrip(" :：").removeprefix("- ") for at in places if at not in notes]
        named = {at for at in places if heads[at].role != "size" or (at == 0 and _is_name(cells[0]))}  # "run"
        said = [cells[at] for at in places if at in named - notes - remarks]
        noted = _load_noted(" ".join(cells[at] for at in places if at in notes | remarks), heads)
        load = _attributes(cells, heads).over(heading_of(" ".join(said)).load).over(noted)
        head = read_head(" ".join(labels))
        head = replace(head, load=head.load.over(noted)) if misnamed else head
        yield Body(Row(row.line, tuple(cells)), ", ".join(labels), head, load.over(section), number, name)


def _load_noted(remark: str, heads: Sequence[Head]) -> Load:
    """The sizes that a remark names, but for what tells the columns apart: "at QD32 it gains" beside "QD1 | QD32". One
    that tells of other rates, "raw QD1 reference is 10K IOPS", names the sizes of these."""

    def parts(name: str) -> bool:
        return len({getattr(head.load, name) for head in heads[1:]} - {None}) > 1

    noted = heading_of(remark)
    kinds = {each.kind for each in noted.quantities} | {value.kind for value in noted.values(False)}
    tells_of_others = kinds & {IOPS, BANDWIDTH} and len(noted.words.split()) >= _WORDS_OF_REMARK
    load = Load() if tells_of_others else noted.load
    return Load(
        block_bytes=None if parts("block_bytes") else load.block_bytes,
        depth=None if parts("depth") else load.depth,
        jobs=None if parts("jobs") else load.jobs,
    )


def _is_name(cell: str) -> bool:
    return bool(cell_of(cell).words) or heading_of(cell).load.way is not None


def _is_of_margins(cells: Sequence[str], names: Container[str]) -> bool:
    """Most of them say by how much one of the columns wins: "Native 1.4x"."""
    margins = (match for match in map(_MARGIN.fullmatch, cells) if match and _is_margin(match, names))
    return 2 * sum(1 for _ in margins) > len(cells)


def _is_margin(match: re.Match[str], names: Container[str]) -> bool:
    return match["times"] is None or match["winner"].lower() in names


def _verdicts(heads: Sequence[Head], body: Sequence[Row]) -> Iterator[int]:
    """The columns behind all values in which most cells name another column, or by how much one is ahead: "NBD, 54 %
    less"."""
    columns = [[cell for row in body if (cell := row.cells[at].strip("* "))] for at in range(len(heads))]
    names = {head.text.lower() for at, head in enumerate(heads) if at} - {""}
    of_values = [at for at, cells in enumerate(columns) if at and _are_mostly_values(cells, names)]
    if len(of_values) < 2:
        return
    names |= {heads[at].rest.split()[0] for at in of_values if heads[at].rest}
    for at in range(of_values[-1] + 1, len(heads)):
        told = sum(1 for cell in columns[at] if _BY_HOW_MUCH.search(cell) or _names_one(cell.lower(), names))
        if 2 * told > len(columns[at]):
            yield at


def _are_mostly_values(cells: Sequence[str], names: Container[str]) -> bool:
    values = (cell for cell in cells if cell[:1].isdecimal() and cell.lower() not in names)
    return 2 * sum(1 for cell in values if not _BY_HOW_MUCH.search(cell)) > len(cells)


def _names_one(cell: str, names: Container[str]) -> bool:
    return cell in names or (cell.split() or [""])[0] in names


def _contradicting(cells: Sequence[str], places: Sequence[int]) -> Iterator[int]:
    """The labels behind one that names a quantity and a direction, or both directions together, which name another: a
    name that somebody gave a test. "Max. read IOPS | SeqWrites_8K"."""
    first = heading_of(cells[places[0]]) if places else None
    if first is None or not first.quantities or first.names_values:
        return
    way = "mix" if _COMBINED.search(cells[places[0]]) else first.load.way
    if way is not None:
        yield from (at for at in places[1:] if heading_of(cells[at]).load.way not in (None, way, "mix"))


def _of_others(cells: Sequence[str], places: Sequence[int]) -> Iterator[int]:
    """The labels behind the value of a row that names its direction in front of it, which tell of another direction or
    another rate: "random read | 3.8 MB/s | a tenth of our goal of 40 MB/s"."""
    value = next((at for at, cell in enumerate(cells) if at and is_plain_value(cell)), len(cells))
    behind = [at for at in places if at > value]
    way = heading_of(" ".join(cells[at] for at in places if at < value)).load.way if behind else None
    for at in behind if way is not None else ():
        remark = heading_of(cells[at])
        is_of_rate = any(token.kind in ("rate", "iops") for token in remark.tokens)
        if is_of_rate or set(remark.ways) - {way} or COMPARED.search(cells[at]):
            yield at


def _remarks(heads: Sequence[Head], body: Sequence[Row]) -> Iterator[int]:
    """Columns that tell of a direction in few rows: behind the values in some, elsewhere in less than half of them."""
    last = max((at for at, head in enumerate(heads) if head.quantities), default=len(heads))
    for at in range(1, len(heads)):
        cells = [row.cells[at] for row in body if re.search(r"[^\W\d]", row.cells[at])]
        ways = sum(1 for cell in cells if heading_of(cell).load.way)
        if 0 < ways < len(cells) * (1 if at > last else 0.5) and not any(read_head(cell).quantities for cell in cells):
            yield at


def _is_label(cell: str, head: Head, is_first: bool) -> bool:
    """A cell of words below a heading of no quantity; "Read" below "Block size" is one, "4k IOPS" in front."""
    if head.role == "none":
        return False
    if not is_first and COMPARED.search(head.text) and heading_of(cell).load == Load():
        return False  # "Difference: B +8 %"
    if not is_first and _MISSING.fullmatch(cell):
        return False
    if not is_first and (is_plain_value(without_remark(cell)) or _WITH_ASIDE.fullmatch(cell) or is_range(cell, ())):
        return False
    if not re.search(r"[^\W\d]", cell):
        is_version = _VERSION.fullmatch(cell) or (_OF_VERSIONS.search(head.text) and _SHORT_VERSION.fullmatch(cell))
        return is_first and bool(heading_of(cell).statistics or is_version)  # "99%", "14.2.22"
    if not is_first and (margin := _MARGIN.fullmatch(cell)) and margin["times"] is None:
        return False  # "new disk +24 %"
    if not (head.quantities or head.role) and SUPPOSED.search(cell):
        return True  # "3000 IOPS provisioned"
    if head.role in ("block", "depth", "jobs"):
        return head.attribute(cell) == Load()
    phrase = heading_of(cell) if is_first else cell_of(cell)
    values = (value for value in phrase.values(False) if value.kind)
    if (is_first and phrase.load.way) or (phrase.words and phrase.load.block_bytes):  # "read, 120 s", "tool 4k 60 s"
        values = (value for value in values if (value.kind, value.factor) != (LATENCY, 1.0))
    return not head.quantities and not (phrase.names_values and any(values))


def _attributes(cells: Sequence[str], heads: Sequence[Head]) -> Load:
    load = Load()
    for cell, head in zip(cells, heads, strict=True):
        if head.role and head.load == Load():
            load = load.over(head.attribute(cell))
    return load


def _statistics_above(heads: Sequence[Head], captions: Sequence[str]) -> tuple[str, ...]:
    """ "Tail latency (p99):" or "p50 / p99 (ms)" right above a table that names no statistics itself."""
    if not captions or any(head.statistics for head in heads):
        return ()
    phrase, is_caption = heading_of(captions[0]), _CAPTION.search(captions[0]) is not None
    if not is_caption or phrase.names_values or not _PERCENTILE.search(captions[0]):
        return ()  # "64 % full:" names none
    return phrase.statistics if {each.kind for each in phrase.quantities} <= {LATENCY} else ()


def _without_aside(line: str) -> str:
    """ "In MiB/s (with 1M blocks as many as IOPS)": what is in brackets behind a unit is a remark."""
    plain = _ASIDE.sub("", line)
    return plain if any(each.factor for each in heading_of(plain).quantities) else line


def _head_of_caption(line: str) -> Head:
    """ "iperf3, Gbit/s", "rtt in ms (ping)": of one column among others no result, above a table the unit of all."""
    head, of_network = read_head(line), shown_in([line])
    if head.quantities or not of_network:
        return head
    return replace(head, quantities=tuple(each for each in names_in(line).quantities if each.kind in of_network))


_OPTION_SET = re.compile(r"(?<!\S)--?\w[\w-]*=(?:\"[^\"]*\"|'[^']*'|[^\s,;:()]+)")
"""Of a command: "--name=iops-test" says what somebody called it."""


def _shared(
    heads: Sequence[Head], body: Sequence[Row], around: Sequence[str], statistics: Sequence[str]
) -> tuple[Quantity, ...]:
    """The quantity that the corner names, or the line above or below: "Throughput in MB/s", "IOPS / MiB/s / ms"."""
    if any(head.quantities for head in heads[1:]):
        return ()
    sources = [] if any(is_plain_value(row.cells[0]) for row in body) else [heads[0]]
    # In front of a head "#" counts something.
    lines = [_without_aside(_OPTION_SET.sub("", line).lstrip("# ")) for line in around if len(line) <= 120]
    sources += [_head_of_caption(line) for line in lines if not heading_of(line).names_values]
    for source in sources:
        are_rates = source.statistics == ("p50",) and LATENCY not in {each.kind for each in source.quantities}
        is_said = source.statistic == "mean" or source.statistics == statistics or are_rates  # "median of 3 runs, MB/s"
        if is_said and any(each.factor for each in source.quantities):
            return source.quantities
    return ()
