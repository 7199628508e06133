"""From the cells of a table to runs: which of them are quantities of one run, and what that run is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

from radoscope import patterns as re
from radoscope.formats.context.by_kind import Told
from radoscope.formats.context.measured import OF_SYNCS, Draft, agree, built, with_peaks
from radoscope.formats.context.network_words import (
    NETWORK_TEST,
    RECEIVED,
    ROUND_TRIP,
    SENT,
    WAYS,
    heads_row,
    in_bits,
    is_measured_rate,
    labels_path,
    of_fabric,
    shown_in,
    way_of,
    way_of_test,
)
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.other_operations import counts_failures, may_name_request, names_one_of_requests
from radoscope.formats.grammar.phrases import (
    BANDWIDTH,
    CALLS_A_SECOND,
    IOPS,
    LATENCY,
    Load,
    Quantity,
    Value,
    cell_of,
    heading_of,
    size_of,
)
from radoscope.formats.grammar.quantities import BITS, number
from radoscope.formats.tables.cells import PER_SECOND, is_range, is_sentence, values_in
from radoscope.formats.tables.grid import THOUSANDS
from radoscope.formats.tables.heads import FEW_BYTES, Head, is_of_mean, is_of_memory, is_of_repeat, names_latency
from radoscope.formats.tables.layout import COMPARED, Body, Table, is_plain_value
from radoscope.records.measurement import Source

READER = "table"
_SUMMED = re.compile(words.SUMMED, re.IGNORECASE)
_BESIDE_MEAN = re.compile(
    rf"\W*(?:last|latest|current|momentary|zuletzt|dernier|当前|最新|{words.STDDEV}|{words.MINIMUM}|{words.MAXIMUM}"
    rf"|{words.MEDIAN}|med\.?|(?:lo|hi)-?q(?:uart\w*)?|(?:lower|upper) quartile)\W*",
    re.IGNORECASE,
)
"""What was seen in the last interval, and how a run varied."""
_OF_DATABASE = re.compile(words.DATABASE, re.IGNORECASE)
_OF_HASHES = re.compile(
    r"\bsha-?\d{1,3}\b|\bmd5\b|\bcrc-?32c?\b|\bblake[23]\w?\b|\bxxhash\w*|\baes\b|\bx?chacha20|\bopenssl\b",
    re.IGNORECASE,
)
_DRIVE = re.compile(words.DRIVE, re.IGNORECASE)
_FEW_NANOSECONDS = re.compile(r"[\s*~≈]*(\d{1,3})(?:[.,]\d{1,3})? ?(?:ns|нс|[纳奈]秒|ナノ秒)[\s*]*", re.IGNORECASE)
_SUBMITTED = re.compile(r"\bslat|submi", re.IGNORECASE)
_SMALLEST_SECTOR, _FASTEST_NS = 512, 200
"""No drive takes less, none answers as fast."""
_BEST = re.compile(r"\b(?:best|winner)\b", re.IGNORECASE)
"""A column that says again what another holds."""
_NETWORK_PATH = re.compile(r"\W*(?:lan|wan|wi-?fi|wlan|ethernet|vpn)\s?(?:→|->|=>|⇒|↔)", re.IGNORECASE)
"""From where to where: what came through is no drive's, in whatever unit."""
_TIME = re.compile(
    r"\W*(?:time|zeit|temps|tiempo|tempo|czas|čas|tijd|время|час|时间|時間|시간)\W*(?:\(?(?:s|secs?|seconds?|秒|초|с|сек)\)?)?\W*",
    re.IGNORECASE,
)
_RATIO = re.compile(r"(?<![\w.,])(?P<reads>\d\d) ?[/:] ?(?P<writes>\d\d)(?![\w.,])")
_TWO_COUNTS = re.compile(r"[~≈]?(\d[\d.,]{0,8}) ?[kK] ?[+/|·&] ?[~≈]?(\d[\d.,]{0,8}) ?[kK]")
_PERCENT, _NEAR_RATIO = 100, 0.025
_FILLING = re.compile(
    r"(?:(?:of|an?|one|the|per|di|un[aoe]?|dell[ao]|del|d[eou]s?|eine[rs]?|der|des|pro|je|uma?|el|la|le)(?:\s|$))+",
    re.IGNORECASE,
)
""" "latency of a random read": words that tell nothing of it."""
_ROWS_LOOKED_AT, _OF_ONE_BLOCK = 40, 1.3
_OF_TOOL = re.compile(r"\W*(?:dd|fio|ior|iozone|bonnie(?:\+\+)?|rados bench|rbd bench)\W*", re.IGNORECASE)


class Cell(NamedTuple):
    row: int
    column: int
    quantities: tuple[Quantity, ...]
    """What is named for it."""
    values: tuple[Value, ...] = ()
    load: Load = Load()
    """What the cell says of a load beside directions: "4k random read 18k IOPS, 4k random write 5k IOPS"."""
    says_mean: bool = False


@dataclass(slots=True)
class Group:
    """The cells of one run: values by (kind, statistic). words: what tells it from the others of its row or column."""

    row: Body
    load: Load
    words: str
    measured: bool
    values: dict[tuple[str, str], Value] = field(default_factory=dict)
    last_line: int = 0
    words_but_load: str = ""
    """words without those that name the load."""
    counts_calls: bool = False
    """How often fsync was called: what fio was asked for above tells nothing of it."""


_MIXED = re.compile(words.MIXED, re.IGNORECASE)
_MIXED_ORDER = re.compile(
    rf"(?:{words.MIXED})[ -]?(?:(?P<behind>{words.RANDOM})|{words.SEQUENTIAL})"
    rf"|(?:(?P<before>{words.RANDOM})|{words.SEQUENTIAL})[ -]?(?:{words.MIXED})",
    re.IGNORECASE,
)
_SYNCED = re.compile(
    r"(?<!no )(?<!no-)(?<!non-)(?<!without )(?<!ohne )(?<!sans )(?<!sin )(?<!sem )(?<!senza )"
    r"(?<!bez )(?<!без )(?<!无)(?<!不)\b(?:f(?:data)?syncs?|o_d?sync)\b(?! ?[:=] ?(?:0|no|off)\b)",
    re.IGNORECASE,
)
"""What is made durable has been written."""


def groups_of(table: Table, cells: Sequence[Cell]) -> list[Group]:
    """Cells that are quantities of the same run, in reading order."""
    return _joined_in_rows(_joined(_with_latencies_of_both(_groups(table, cells))), table.above)


def _groups(table: Table, cells: Sequence[Cell]) -> list[Group]:
    cells = list(filter(_holds_values, cells))
    is_mixed = _is_mixed(table.above)
    heads = [None if head.role else head for head in table.heads]
    columns = _with_only_rates(_runs(heads, is_mixed=is_mixed), table, cells)
    rows = _with_unlike_rates(_runs_of_rows(table), table, cells)
    groups: list[Group] = []
    newest: dict[tuple[Any, ...], Group] = {}
    of_either: list[Cell] = []
    for cell in cells:
        row, head = table.rows[cell.row], table.heads[cell.column]
        column_run, row_run = columns[cell.column], rows[cell.row]
        if column_run is None and row_run is not None and head.load == Load():
            of_either.append(cell)
        if column_run is None or row_run is None or head.load.contradicts(row.load):
            continue
        if (
            head.quantities
            and _is_latency(head)
            and head.load.way
            and head.load.way == row.load.way
            and _of_all(0) in columns
        ):
            column_run = _of_all(0)  # the write latency of a row of writes
        for value in cell.values:
            key = (row_run, column_run, value.way)
            statistic = value.statistic or _statistic(head, row.head if table.by_rows else None)
            if (value.kind, statistic) == (LATENCY, "mean") and len(table.statistics) == 1 and not cell.says_mean:
                (statistic,) = table.statistics
            is_bare = any(each.factor < 1.0 for each in cell.values) and not (
                row.load.way or head.quantities or row.head.quantities
            )
            is_of_syncs = value.kind == LATENCY and (
                table.is_of_calls or table.times_syncs(head) or table.times_syncs(row.head, is_time=is_bare)
            )
            name = (value.kind, f"{OF_SYNCS}{statistic}" if is_of_syncs else statistic)
            group = newest.get(key)
            if group is None or (name in group.values and group.values[name].factor == value.factor):
                group = newest[key] = _group(table, cell, value)
                groups.append(group)
            group.load = group.load.over(_load_of(table, cell, value))
            group.values.setdefault(name, value)  # in another unit it says the same again
            group.last_line = max(group.last_line, row.row.line)
    _give_latencies(table, groups, of_either)
    for group in groups:
        group.values = dict(_with_medians_of_runs(group.values))
    return groups


def _runs_of_rows(table: Table) -> list[Any]:
    """Below tests of several kinds a row "Latency" that names none is of none of them that anybody could tell."""
    sections = [row.section for row in table.rows]
    if not table.by_rows:
        return _runs([None] * len(table.rows), sections)
    tests: dict[int, set[Load]] = defaultdict(set)
    for row in table.rows:
        tests[row.section] |= {row.load} - {Load()}
    runs = _runs([row.head for row in table.rows], sections)
    return [
        ("own", at) if len(tests[row.section]) > 1 and _is_of_any(row.head) else run
        for at, (row, run) in enumerate(zip(table.rows, runs, strict=True))
    ]


def _with_unlike_rates(runs: list[Any], table: Table, cells: Sequence[Cell]) -> list[Any]:
    """ "Random IOPS (read/write)" above "Random bandwidth (read/write)": of two tests, where no block is told and
    each column would have another one."""
    found: dict[tuple[Any, int, str | None], dict[str, Value]] = defaultdict(dict)
    places: dict[Any, set[int]] = defaultdict(set)
    for cell in cells if table.by_rows and table.above.block_bytes is None else ():
        places[runs[cell.row]].add(cell.row)
        for value in cell.values:
            found[runs[cell.row], cell.column, value.way][value.kind] = value
    shares: dict[Any, list[float]] = defaultdict(list)
    for (run, _, _), values in found.items():
        is_untold = not any(table.rows[at].load.block_bytes for at in places[run])
        if is_untold and len(places[run]) == 2 and values.keys() == {IOPS, BANDWIDTH} and values[IOPS].value:
            shares[run].append(values[BANDWIDTH].value / values[IOPS].value)
    unlike = {run for run, each in shares.items() if max(each) > _OF_ONE_BLOCK * min(each)}
    return [("own", at) if run in unlike else run for at, run in enumerate(runs)]


def _is_of_any(head: Head) -> bool:
    is_mean = bool(head.quantities) and head.statistics in ((), ("mean",))
    return is_mean and _is_latency(head) and _says_no_more(head)


def _with_only_rates(runs: list[Any], table: Table, cells: Sequence[Cell]) -> list[Any]:
    """ "Result | Latency", with MB/s in some cells and IOPS in others: the latency is of the one column of rates."""
    rated = {cell.column for cell in cells if any(value.kind in (IOPS, BANDWIDTH) for value in cell.values)}
    only = rated.pop() if len(rated) == 1 else None
    if only is None or table.heads[only].quantities or table.heads[only].load != Load():
        return runs
    return [
        runs[only] if (head.quantities or head.statistics) and _is_latency(head) and _says_no_more(head) else run
        for head, run in zip(table.heads, runs, strict=True)
    ]


def _says_no_more(head: Head) -> bool:
    return not (head.rest or head.role or head.repeats) and head.load == Load()


def _with_medians_of_runs(values: Mapping[tuple[str, str], Value]) -> Iterator[tuple[tuple[str, str], Value]]:
    """The median rate of several runs, or their only percentile, is what they gave where no mean stands beside it."""
    points = [(kind, statistic) for kind, statistic in values if kind != LATENCY and statistic.startswith("p")]
    for (kind, statistic), value in values.items():
        alone = [name for name in points if name[0] == kind] == [(kind, statistic)]
        if (kind, statistic) not in points:
            yield (kind, statistic), value
        elif (kind, "mean") not in values and (alone or statistic == "p50"):
            yield (kind, "mean"), value


def _give_latencies(table: Table, groups: Sequence[Group], cells: Sequence[Cell]) -> None:
    """ "Read IOPS | Write IOPS | Latency": of a row of reads alone, whose writes are zero, the latency is theirs; one
    that names a direction, as "2481 (read)" does, is of that."""
    of_row = _by_row(groups)
    for cell in cells:
        head, own = table.heads[cell.column], of_row[id(table.rows[cell.row])]
        if {value.kind for value in cell.values} != {LATENCY}:
            continue
        for value in cell.values:
            statistic = value.statistic or _statistic(head, None)
            of_way = [group for group in own if value.way in (None, group.load.way)]
            if len(of_way) == 1 and (value.way or len(cell.values) == 1):
                of_way[0].values.setdefault((LATENCY, statistic), value)


def _by_row(groups: Sequence[Group]) -> dict[int, list[Group]]:
    """The groups of each row, by the row's id."""
    found: dict[int, list[Group]] = defaultdict(list)
    for group in groups:
        found[id(group.row)].append(group)
    return found


def _with_latencies_of_both(groups: Sequence[Group]) -> list[Group]:
    """ "R: 2,410 / W: 1,030 IOPS | 15.8 ms": the one latency of a mixed run is that of its reads and its writes."""
    found: list[Group] = []
    of_row = _by_row(groups)
    for group in groups:
        halves = [each for each in of_row[id(group.row)] if each.load.way in ("read", "write")]
        is_time = {kind for kind, _ in group.values} == {LATENCY} and group.load.way == "mix"
        if is_time and len(halves) == 2 and not any(name in each.values for each in halves for name in group.values):
            for half in halves:
                half.values |= group.values
            continue
        found.append(group)
    return found


def parted_by_kind(groups: Sequence[Group], told: Sequence[Told]) -> Iterator[Group]:
    """ "The IOPS columns: 4k blocks, the MB/s columns: 1M": rates in one row, each of a run with sizes of its own."""
    sizes = {each.kind: each.load for each in told if each.selects[:2] == (None, None)}
    are_apart = IOPS in sizes and BANDWIDTH in sizes and sizes[IOPS].contradicts_sizes(sizes[BANDWIDTH])
    for group in groups:
        kinds = {kind for kind, _ in group.values}
        if not are_apart or not {IOPS, BANDWIDTH} <= kinds or group.load.sizes != Load():
            yield group
            continue
        for kind in dict.fromkeys(kind for kind, _ in group.values):
            yield replace(group, values={name: value for name, value in group.values.items() if name[0] == kind})


def rows_of_mixed(lines: Iterable[str]) -> Iterator[str]:
    """The names of settings of mixed runs: "| Mixed random | fio, 4 KiB, 70 percent read |"."""
    for line in lines:
        name = line.strip().strip("|").partition("|")[0].strip("*` ") if line.count("|") > 2 else ""
        if _MIXED_ORDER.fullmatch(name):
            yield name


def with_order_of_mixed(groups: Sequence[Group], below: Iterable[str]) -> Iterator[Group]:
    """ "The best mixed random result": in which order the mixed runs of a table were made, as lines below it say and
    rows of settings are called, or the blocks of the other runs do."""
    is_untold = any(_is_mixed(group.load) and group.load.random is None for group in groups)
    lines = [line for line in below if _MIXED.search(line)] if is_untold else []
    named = [match.group("behind", "before") for line in lines for match in _MIXED_ORDER.finditer(line)]
    orders = {any(each) for each in named}
    random = set(_random_blocks(groups)) if is_untold and not orders else set()
    for group in groups:
        is_told = len(orders) == 1 or group.load.block_bytes in random
        is_told = is_told and _is_mixed(group.load) and group.load.random is None
        yield replace(group, load=group.load._replace(random=orders != {False})) if is_told else group


def _is_mixed(load: Load) -> bool:
    return load.mixed or load.way == "mix"


def _random_blocks(groups: Sequence[Group]) -> Iterator[int | None]:
    """ "Seq read 1M | random read 4K | mixed 70/30 4K": the one block that all random runs have, and no others."""
    plain = [group.load for group in groups if group.load.way in ("read", "write") and not group.load.mixed]
    for block in {load.block_bytes for load in plain} - {None}:
        orders = {load.random for load in plain if load.block_bytes == block}
        others = {load.random for load in plain if load.block_bytes != block}
        if orders == {True} and others and True not in others:
            yield block


def _joined(groups: Sequence[Group]) -> list[Group]:
    """A row of IOPS and one of MB/s with the same words, whichever comes first, are one run where its block size says
    so."""
    alone: dict[tuple[Load, str], Group] = {}
    found: list[Group] = []
    for group in groups:
        key, kinds = (group.load, group.words_but_load), {kind for kind, _ in group.values}
        rates = alone.get(key)
        both = {IOPS, BANDWIDTH} == kinds | {kind for kind, _ in rates.values} if rates else False
        if rates and both and agree({**rates.values, **group.values}, group.load.block_bytes):
            rates.values |= group.values
            rates.last_line = group.last_line
            del alone[key]
            continue
        if len(kinds) == 1 and kinds <= {IOPS, BANDWIDTH}:
            alone[key] = group
        found.append(group)
    return found


def _joined_in_rows(groups: Sequence[Group], above: Load) -> list[Group]:
    """ "Sequential write (MB/s) | Write IOPS" below "4k blocks": one run of the row, where both are alone in their
    direction and of that block."""
    joined: set[int] = set()
    for own, way in product(_by_row(groups).values(), ("read", "write")):
        pair = [group for group in own if group.load.way == way]
        kinds = [{kind for kind, _ in group.values} for group in pair]
        if (
            sorted(map(sorted, kinds)) != [[BANDWIDTH], [IOPS]]
            or len({group.load.random for group in pair} - {None}) != 1
        ):
            continue
        first, second = pair
        load, values = first.load.over(second.load), {**first.values, **second.values}
        is_one = first.words_but_load == second.words_but_load and not first.load.contradicts_sizes(second.load)
        if is_one and agree(values, load.over(above).block_bytes):
            first.load, first.values = load, values
            joined.add(id(second))
    return [group for group in groups if id(group) not in joined]


def _load_of(table: Table, cell: Cell, value: Value) -> Load:
    own = cell.load if value.way is not None else Load(block_bytes=cell.load.block_bytes, depth=cell.load.depth)
    head, row = table.heads[cell.column], table.rows[cell.row].load
    is_name = head.rest and not head.quantities and not head.load.way  # "run3_main_4k" above rows of all sizes
    named = row.over(head.load) if is_name else head.load.over(row)
    load = Load(way=value.way).over(own).over(named)
    for condition in _conditions_of_half(table, cell, load):
        load = load.over(condition)
    return load


def _conditions_of_half(table: Table, cell: Cell, load: Load) -> Iterator[Load]:
    """Of a write what "Write QD" holds; beside "Write IOPS" it is none of "sequential write MB/s"."""
    own = table.heads[cell.column].load.random
    for at in table.halves:
        half = table.heads[at]
        is_alone = half.load.random is None and half.load not in _loads_of_quantities(table)
        if half.load.way == load.way and (half.load.random in (load.random, own) or is_alone):
            yield half.attribute(table.rows[cell.row].row.cells[at])


def _loads_of_quantities(table: Table) -> Iterator[Load]:
    return (head.load for head in table.heads if head.quantities)


def _group(table: Table, cell: Cell, value: Value) -> Group:
    row, head = table.rows[cell.row], table.heads[cell.column]
    label = row.head.rest if table.by_rows and row.head.quantities else row.label
    is_load = head.only_load and head.load.way != "mix"  # beside plain reads and writes
    column = (head.rest if head.repeats else "") if head.quantities else ("" if is_load else head.text)
    named, but_load = (", ".join(filter(None, (each, column))) for each in (label, row.head.rest))
    is_measured = bool(head.quantities or row.head.quantities or table.shared)
    calls = any(CALLS_A_SECOND.search(each.text) for each in (head, row.head))
    return Group(row, _load_of(table, cell, value), named, is_measured, words_but_load=but_load, counts_calls=calls)


def _statistic(head: Head, row: Head | None) -> str:
    """A row "p99" tells what its numbers are, also below a column "median", which then is one over several runs."""
    return row.statistic if row is not None and (row.statistics or head.statistic == "mean") else head.statistic


def _runs(lines: Sequence[Head | None], sections: Sequence[int] | None = None, *, is_mixed: bool = False) -> list[Any]:
    """For each column (or row) the run that it is a quantity of; None where nobody can tell.

    "Read IOPS | Write IOPS | Latency": the load parts runs, and the latency could be of either. Where quantities repeat
    within a load, their other words part them. is_mixed: what names no direction is of reads and writes together.
    """
    runs: list[Any] = [("own", at) for at in range(len(lines))]
    trips = {at: line for at, line in enumerate(lines) if line is not None and line.load.way == ROUND_TRIP}
    if trips and len({line.statistic for line in trips.values()}) == len(trips):  # "RTT avg | RTT max"
        runs = [("own", min(trips)) if at in trips else run for at, run in enumerate(runs)]
    known = {at: line for at, line in enumerate(lines) if line is not None and at not in trips}
    joined: set[int] = set()
    loaded = [(at, each) for at, each in known.items() if each.only_load and not (each.quantities or each.statistics)]
    for at, line in known.items():
        says_more = line.rest and not _FILLING.fullmatch(line.rest)
        if says_more or not (line.statistics or line.quantities) or not _is_latency(line):
            continue
        of_rate = [place for place, each in loaded if each.load == line.load] or [
            place for place, each in loaded if line.load != Load() and line.load.over(each.load) == each.load
        ]
        # "min | avg | max" beside or above quantities; "Read | Read p99"; "Write 1M | Random write 4K | p99 4K"
        if len(of_rate) == 1:
            runs[at] = ("own", of_rate[0])
            joined.add(at)
        elif not line.quantities:
            runs[at] = ("statistics", line.load)
    sections = sections or [0] * len(lines)
    for section in sorted(set(sections)):
        own = {
            at: line for at, line in known.items() if line.quantities and at not in joined and sections[at] == section
        }
        loads = {line.load for line in own.values() if not _is_latency(line)} - {Load()}
        are_of_all = not loads  # "IOPS | MB/s | read latency | write latency"
        right_below = dict(_right_below(own))
        rest = [line for at, line in own.items() if at not in right_below]
        loads |= {line.load for line in rest if _within(line.load, loads) is None} - {Load()}
        paired = _paired_latencies(own, loads)
        apart = {line.rest for line in own.values() if line.repeats}  # "warm IOPS | cold IOPS"
        rivals = dict(_rivals(own.values()))
        for at, line in own.items():
            if at in paired or at in right_below:
                runs[at] = runs[right_below.get(at, at - 1)]
                continue
            if _is_latency(line) and rivals[line.load] > 1 and not line.repeats and line.rest not in apart:
                runs[at] = None  # "old MB/s | new MB/s | p99": nobody says of which
                continue
            of_both = is_mixed and are_of_all and bool(loads)  # "Total IOPS | p99 write latency"
            if line.load == Load() and (of_both or len(loads) > 1):
                runs[at] = _of_all(section) if are_of_all and not (_is_latency(line) or line.repeats) else None
                continue
            within = None if line.rest and not _is_latency(line) else _within(line.load, loads)  # "DD write (MB/s)"
            load = (within or line.load) if of_both or len(loads) > 1 else Load()
            runs[at] = (section, load, line.rest if line.repeats or line.rest in apart else "")
    return runs


def _rivals(lines: Collection[Head]) -> Iterator[tuple[Load, int]]:
    """Each load, and in how many words the lines differ of which a latency of this load can be."""
    repeated = [(each, _is_latency(each)) for each in lines if each.repeats]
    for load in {line.load for line in lines}:
        yield load, len({each.rest for each, is_time in repeated if not is_time or each.load == load})


def _of_all(section: int) -> tuple[int, Load, str]:
    """The run of rates that name no load beside latencies that do."""
    return section, Load(), ""


def _paired_latencies(lines: Mapping[int, Head], loads: set[Load]) -> set[int]:
    """ "Write MB/s | Latency | Read MB/s | Latency": as many latencies as loads, each right behind its own."""
    found = {
        at: lines[at - 1].load
        for at, line in lines.items()
        if at - 1 in lines and line.load == Load() and _is_latency(line)
    }
    return set(found) if len(found) == len(loads) and set(found.values()) == loads else set()


def _right_below(lines: Mapping[int, Head]) -> Iterator[tuple[int, int]]:
    """ "scan (2 jobs) IOPS | scan latency | scan (4 jobs) IOPS": a latency that could be of several goes to the rate
    right before it where another of them comes behind. Its place, and that of the rate."""
    rates = {at: line for at, line in lines.items() if not _is_latency(line)}
    before: int | None = None
    for at, line in lines.items():
        if at in rates:
            before = at
            continue
        wider = [place for place, rate in rates.items() if _is_wider(rate, line)]
        if before in wider and len(wider) > 1 and max(wider) > at:
            yield at, before


def _is_wider(rate: Head, line: Head) -> bool:
    """It names more of the load of this latency."""
    is_same = line.load.way is not None and line.rest == rate.rest and line.load != rate.load
    return is_same and line.load.over(rate.load) == rate.load


def _is_latency(head: Head) -> bool:
    return all(each.kind == LATENCY for each in head.quantities)


def _within(load: Load, loads: set[Load]) -> Load | None:
    """The one load of the others that says all that this one says: "write latency" beside "write 4k IOPS", "p99 (4k)"
    beside "random 4k IOPS"."""
    wider = [each for each in loads if load != Load() and load.over(each) == each]
    return wider[0] if len(wider) == 1 else None


def ranges_in(table: Table) -> Iterator[int]:
    """The lines of rows in which a range stands where one value is looked for: "1.2k-1.5k" below "IOPS"."""
    for row_at, at, quantities in _places(table):
        row, head, cell = table.rows[row_at], table.heads[at], table.rows[row_at].row.cells[at]
        if set(head.statistics) <= {"mean"} and set(row.head.statistics) <= {"mean"} and is_range(cell, quantities):
            yield row.row.line


def rows_of_rates(table: Table, cells: Sequence[Cell], read: Collection[int], *, is_captioned: bool) -> Iterator[int]:
    """The lines of rows with a cell that gave nothing, or of none of these, and that holds a rate with its unit, or a
    bare number of an operation or of what is named for it. is_captioned: a caption names what all its numbers are."""
    for row_at, at, quantities, values, *_ in cells:
        row = table.rows[row_at]
        is_read = row.row.line in read
        if is_read and (values or (not quantities and is_sentence(row.row.cells[at]))):
            continue
        is_named = bool(at and (quantities or is_captioned) and not table.statistics)
        is_named = is_named and _holds_number(row.row.cells[at], quantities)
        is_count = not is_read and (is_named or _is_count(table.heads[at], row, at, quantities))
        if is_count or _holds_rate(row.row.cells[at], quantities):
            yield row.row.line


def _holds_values(cell: Cell) -> bool:
    return bool(cell.values)


def _holds_rate(cell: str, quantities: Sequence[Quantity]) -> bool:
    """With its unit, or several numbers below one: "1,480 · 1,510" below "MB/s"."""
    if not any(letter.isdecimal() and letter != "0" for letter in cell):
        return False
    values = cell_of(cell).values(False)
    if any(value.kind == IOPS or (value.kind == BANDWIDTH and not value.is_in_bits) for value in values):
        return True
    are_rates = any(each.kind != LATENCY and each.factor for each in quantities)
    are_several = are_rates and len(values) > 1 and not any(value.kind for value in values)
    return are_several or any(map(is_measured_rate, values))


def _holds_number(cell: str, quantities: Sequence[Quantity]) -> bool:
    """Of something measured, and neither a share nor what a link is sold with."""
    values = cell_of(cell).values(False) if is_plain_value(cell) and "%" not in cell else ()
    are_bits = any(each.factor in BITS for each in quantities)
    return any(is_measured_rate(each) or not (are_bits or each.is_in_bits) for each in values if each.value)


def _is_count(head: Head, row: Body, at: int, quantities: Sequence[Quantity]) -> bool:
    """A bare number of an operation, which may be of operations a second."""
    cell = row.row.cells[at]
    names_load = (head.only_load or row.head.only_load) and head.load.over(row.load).way is not None
    return (
        not quantities and names_load and is_plain_value(cell) and any(v.value > 1 for v in cell_of(cell).values(False))
    )


def cells_of(table: Table) -> Iterator[Cell]:
    """The cells in which something measured is looked for, with what they hold of it."""
    for row_at, at, quantities in _places(table):
        row, head, cell = table.rows[row_at], table.heads[at], table.rows[row_at].row.cells[at]
        names_several = max(len(head.statistics), len(row.head.statistics)) > 1  # "p50 / max" are no read and write
        ways = head.ways if len(head.ways) > 1 else row.head.ways or (() if names_several else table.ways)
        if "mix" in (head.load.way, row.load.way):
            ways = next((each for each in (head.ways, row.head.ways) if len(each) > 1), ("read", "write"))
        statistics = next(
            (each for each in (head.statistics, row.head.statistics, table.statistics) if len(each) > 1), ()
        )
        is_remark = not quantities and at > 0 and is_sentence(cell)
        values = () if is_remark else values_in(cell, quantities, ways, statistics, table.commas)
        values = tuple(value for value in values if value.value or value.kind == LATENCY)  # no I/O, no result
        if {value.kind for value in values} == {BANDWIDTH, LATENCY} and row.load.way is None and of_fabric(row.label):
            values = tuple(value._replace(way=WAYS.get(value.kind)) for value in values)
        is_beside_rate = any(each.kind == IOPS for each in values)  # "0.41 ms (~2440 IOPS)"
        if values and (
            values[0].kind != LATENCY
            or is_beside_rate
            or (not _is_duration(head, values[0], at) and _is_latency_of(table, cell, head, row, quantities, values))
        ):
            yield Cell(row_at, at, quantities, values, _load_in(cell), "mean" in cell_of(cell).statistics)
        else:
            yield Cell(row_at, at, quantities)


def _places(table: Table) -> Iterator[tuple[int, int, tuple[Quantity, ...]]]:
    """Row and column of each cell that may hold a result, and the quantities that are named for it."""
    columns = [
        (at, head)
        for at, head in enumerate(table.heads)
        if not (head.role or _says_again(table, at))
        if at or head.quantities or not table.by_rows
    ]
    repeats = [at for at, head in enumerate(table.heads) if is_of_repeat(head.text)]
    means = {at for at, head in enumerate(table.heads) if is_of_mean(head.text)}
    for row_at, row in enumerate(table.rows):
        if _is_derived(table, row):
            continue
        told = sum(1 for at in repeats if any(map(str.isdecimal, row.row.cells[at]))) if means else 0
        for at, head in columns:
            if (told > 1 and at in means) or (at and table.by_rows and _names_quantity_of_load(row.row.cells[at])):
                continue  # it tells nothing new
            yield (
                row_at,
                at,
                head.quantities
                or (_in_units_above(row.head.quantities, table.shared) if table.by_rows else ())
                or (table.shared if at or head.load != Load() or table.is_unlabelled else ())
                or (_of_itself(row.row.cells[at], head, row, table) if at else ()),
            )


def _says_again(table: Table, at: int) -> bool:
    """ "Best" of the columns beside it; "Best HDD" beside "NVMe" has a name, and numbers of its own."""
    named = _BEST.search(table.heads[at].text)
    if named is None or not any(map(str.isalnum, _BEST.sub("", table.heads[at].text))):
        return named is not None
    return any(_is_again(row.row.cells, at) for row in table.rows)


def _is_again(cells: Sequence[str], at: int) -> bool:
    """Whether the first number of a cell is that of another cell, too."""
    firsts = [values[0].value if (values := cell_of(cell).values(False)) else None for cell in cells]
    return firsts[at] is not None and firsts[at] in (*firsts[:at], *firsts[at + 1 :])


def _in_units_above(quantities: tuple[Quantity, ...], shared: Sequence[Quantity]) -> tuple[Quantity, ...]:
    """ "BW" below "random writes, MiB/s": in the unit that a line above names for this kind."""
    units = {each.kind: each for each in shared if each.factor}
    return tuple(units.get(each.kind, each) if each.factor is None else each for each in quantities)


def _names_quantity_of_load(cell: str) -> bool:
    """ "Random read 4K (IOPS)" behind a name: a label, whose size is no count."""
    phrase = heading_of(cell)
    return bool(phrase.quantities) and phrase.load.way is not None and not phrase.names_values


def _of_itself(cell: str, head: Head, row: Body, table: Table) -> tuple[Quantity, ...]:
    """The quantity of a cell for which neither heads nor captions name one."""
    load = head.load.over(row.load)
    if _is_count_a_second(cell, load, is_synced=_SYNCED.search(row.label) is not None):
        return (Quantity(IOPS, 1.0),)
    if _is_count_of_random(cell, load.over(table.above)) or (load.way == "mix" and _are_shares(cell, row.label)):
        return (Quantity(IOPS, 1.0),)
    return (Quantity(BANDWIDTH),) if _names_network(row.label, table) else ()


def _names_network(label: str, table: Table) -> bool:
    """The name of a network; or a path, beside tests of drives or networks."""
    return heads_row(label) or (table.names_tests and labels_path(label))


def _is_count_a_second(cell: str, load: Load, *, is_synced: bool) -> bool:
    """ "7120/s" of "random read 4k", of operations, as its size and its order say; or of "4k write + fsync"."""
    is_test = load.way is not None and load.block_bytes is not None
    is_test = is_test and (load.random is not None or (is_synced and load.way == "write"))
    return is_test and PER_SECOND.fullmatch(cell.strip("* ")) is not None


def _is_count_of_random(cell: str, load: Load) -> bool:
    """ "412k" of "random reads, QD32, 4 jobs": thousands, with no unit, of what a queue depth tells to be I/Os."""
    is_test = load.random is True and load.way in ("read", "write") and load.depth is not None
    is_block = load.block_bytes is not None and size_of(cell) == load.block_bytes  # in a column of its own
    return is_test and THOUSANDS.fullmatch(cell) is not None and not is_block


def _are_shares(cell: str, label: str) -> bool:
    """ "8.4K + 3.6K" of "mixed 70/30": thousands of operations, as many of reads and of writes as the ratio says."""
    ratio, counts = _RATIO.search(label), _TWO_COUNTS.fullmatch(cell.strip("* "))
    numbers = [number(each) for each in counts.groups()] if counts else []
    if ratio is None or len(numbers) != 2 or not all(numbers):
        return False
    share, whole = (int(ratio["reads"]), int(ratio["reads"]) + int(ratio["writes"]))
    asked, own = share / (whole or 1), (numbers[0] or 0.0) / sum(filter(None, numbers))
    return whole == _PERCENT and abs(asked - own) < _NEAR_RATIO


def _is_duration(head: Head, value: Value, at: int) -> bool:
    """ "Time | 0.7 s", "randwrite 4k, 30 s | 43k IOPS": how long the whole test took. at: its column."""
    return value.factor == 1.0 and (_TIME.fullmatch(head.text) is not None or (at == 0 and not head.quantities))


def _is_latency_of(
    table: Table, cell: str, head: Head, row: Body, quantities: Sequence[Quantity], values: Sequence[Value]
) -> bool:
    """ "ReadBlock time | 0.4 s" is none: head, row, cell or table names it as one, or a queue depth; or it is as short
    as an I/O whose size and order are known, or as one call of fsync."""
    if row.head.role == "runtime" and not row.head.quantities:
        return False  # "fio runtime | 60s | 60s" among parameters
    is_named = any(each.kind == LATENCY for each in (*quantities, *row.head.quantities))
    has_depth = any(load.depth for load in (table.above, head.load, row.load))
    has_statistics = head.statistics or row.head.statistics
    if table.of_latencies or is_named or has_depth or has_statistics or names_latency(cell_of(cell)):
        return True
    load = head.load.over(row.load)
    is_io = load.way is not None and load.random is not None and bool(load.block_bytes or table.above.block_bytes)
    is_call = table.times_syncs(row.head, is_time=True) and load.way is None
    return (is_io or is_call) and all(value.kind == LATENCY and value.factor < 1.0 for value in values)


@lru_cache(maxsize=1024)
def _load_in(cell: str) -> Load:
    """The load of all directions that a cell names; nothing where they differ."""
    parts = [heading_of(part) for part in re.split(r"[,;、，；]\s*(?!\d{3})", cell)]
    loads = {part.load._replace(way=None) for part in parts if part.load.way}
    if not loads and any(part.names_values for part in parts):
        loads = {part.load for part in parts if part.load != Load()}  # "9.8k IOPS @ 4k"
    return loads.pop() if len(loads) == 1 else Load()


def _is_derived(table: Table, row: Body) -> bool:
    """A row of sums, differences or the mean of the others, which tells nothing new; of memory, a database, hashes; of
    what is neither read nor written, or failed."""
    if COMPARED.search(row.label) or (_SUMMED.fullmatch(row.label) and len(table.rows) > 1):
        return True
    if counts_failures(row.label) or _is_of_other_operation(row, table):
        return True
    if _is_of_no_drive(row, table):
        return True
    if table.by_rows or not is_of_mean(row.label):
        return False
    others = [each for each in table.rows if each is not row and not _BESIDE_MEAN.fullmatch(each.label)]
    return len(others) > 1 and not any(each.head.statistics for each in others)


def _is_of_other_operation(row: Body, table: Table) -> bool:
    if row.load.way is not None or not may_name_request(row.label):
        return False
    others = (each for each in table.rows[:_ROWS_LOOKED_AT] if each is not row)
    return names_one_of_requests(row.label, [each.label for each in others])


def is_of_no_drive(table: Table) -> bool:
    """Whether all its numbers are of memory, a database, hashes or other code."""
    if _is_of_code(table):
        return True
    others = [row for row in table.rows if not _is_of_no_drive(row, table)]
    return len(others) < len(table.rows) and not any(map(_has_numbers, others)) and any(map(_has_numbers, table.rows))


def _is_of_code(table: Table) -> bool:
    """Parts of some bytes, in no direction, or answers within some nanoseconds: of what a processor does in memory."""
    loads = [table.above, *(head.load for head in table.heads), *(row.load for row in table.rows)]
    names = [*(head.text for head in table.heads), *(row.label for row in table.rows)]
    if table.network or any(load.random or load.depth for load in loads) or any(map(_DRIVE.search, names)):
        return False
    parts = [] if any(load.way for load in loads) else [*names, *(row.row.cells[0] for row in table.rows)]
    times = [cell for row in table.rows if not _SUBMITTED.search(row.label) for cell in row.row.cells[1:]]
    return any(_is_below(_SMALLEST_SECTOR, FEW_BYTES.fullmatch(part)) for part in parts) or any(
        _is_below(_FASTEST_NS, _FEW_NANOSECONDS.fullmatch(time)) for time in times
    )


def _is_below(most: int, found: re.Match[str] | None) -> bool:
    return found is not None and 0 < int(found[1]) < most


def _has_numbers(row: Body) -> bool:
    return any(cell_of(cell).values(False) for cell in row.row.cells[1:])


def _is_of_no_drive(row: Body, table: Table) -> bool:
    """A tunnel is named after its cipher, too, and so is what a drive was encrypted with."""
    is_other = is_of_memory(row.label) or _OF_DATABASE.search(row.label) is not None
    ways = {head.load.way for head in table.heads}
    is_of_drive = {"read", "write"} <= ways or any(head.quantities and head.load.way for head in table.heads)
    return is_other or (not (table.network or is_of_drive) and _is_of_hashes(row))


def _is_of_hashes(row: Body) -> bool:
    return row.load.way is None and _OF_HASHES.search(row.label) is not None


_IN_BRACKETS = re.compile(r"\((?:[^()]{0,20} )?iperf[23]?(?: [^()]{0,20})?\)", re.IGNORECASE)


def _tells_of_network(group: Group, table: Table) -> bool:
    """A row "Network, one stream | 41.3 Gbit/s" or "pod to pod | 5.2 Gbit/s": bits, and not as many as a link is sold
    with; "Wi-Fi -> NAS | 14.5 MB/s"."""
    is_of_tool = _IN_BRACKETS.search(group.row.row.cells[-1]) is not None  # "~38 Gbps (iperf3)"
    if not group.values or not (is_of_tool or _names_network(group.row.label, table)):
        return False
    if _NETWORK_PATH.match(group.row.label) and not any(value.is_in_bits for value in group.values.values()):
        return {kind for kind, _ in group.values} == {BANDWIDTH}
    are_of_tool = BANDWIDTH in shown_in([group.row.label])  # whose "Gb/s" are bits
    return all(is_measured_rate(in_bits(value) if are_of_tool else value) for value in group.values.values())


def _has_tail_of_test(table: Table, values: Mapping[tuple[str, str], Value]) -> bool:
    """Below "4k random reads, QD1", however far above: nobody knows a percentile without a measurement."""
    return table.above.way is not None and any(statistic.startswith("p") for _, statistic in values)


def draft_of(
    table: Table, group: Group, told: Sequence[Told], *, names_random: bool, names_sequential: bool
) -> Draft | None:
    """names_random, names_sequential: whether some of the table's loads say that they are."""
    values = with_peaks(group.load, group.values, is_tested=table.names_results)
    if _shows_nothing(values, group, table):
        return None
    own = _with_way(group, table, values)
    if own.way in (RECEIVED, SENT):
        values = {name: in_bits(value) for name, value in values.items()}
    is_of_network = own.way is None and _tells_of_network(group, table)
    if is_of_network:
        own = own._replace(way=way_of(BANDWIDTH, group.words))
        values = {name: in_bits(value) for name, value in values.items()}
    is_measured = group.measured or is_of_network or _OF_TOOL.fullmatch(group.row.label) is not None
    is_measured = is_measured or table.is_of_syncs or table.is_of_test or _has_tail_of_test(table, values)
    if not is_measured and own.way is None and own.block_bytes is None and own.depth is None:
        return None  # "Disk | 550 MB/s" describes a machine
    if (
        own.way is None
        and table.above.way is None
        and all(v.is_in_bits and not is_measured_rate(v) for v in values.values())
    ):
        return None  # speeds of links
    if table.old_disk_mark and own.random is None and own.block_bytes is not None:
        own = own._replace(random=True)  # CrystalDiskMark's rows but for Seq
    is_left_open = own.way is not None and own.random is None and names_sequential and not names_random
    if is_left_open and any(each.random for each in told):
        own = own._replace(random=True)  # beside "sequential write"
    is_other = names_random and own.random is None and own.way is not None  # "full write | random write"
    above = Load() if is_other and table.above.random else table.above
    if group.counts_calls:
        above = Load()
    elif above.block_bytes is None and agree(values, table.block_bytes):
        above = above._replace(block_bytes=table.block_bytes)
    first = group.row.row.line
    return built(
        own,
        above,
        values,
        Source(reader=READER, first_line=first + 1, last_line=group.last_line + 1),
        group.words,
        told=told,
    )


def _shows_nothing(values: Mapping[tuple[str, str], Value], group: Group, table: Table) -> bool:
    """Nothing measured, of a direction in which nothing was done, or of what is no storage."""
    if not any(kind == LATENCY or statistic == "mean" for kind, statistic in values):
        return True
    if not any(value.value for value in values.values()):
        return True
    if _BESIDE_MEAN.fullmatch(group.row.label) and any(is_of_mean(row.label) for row in table.rows):
        return True
    full, are_times = group.load.over(table.above), {kind for kind, _ in values} == {LATENCY}
    # "Read latency p50 / p99" above the calls of a service
    return are_times and bool(table.statistics) and full.random is None and not (full.block_bytes or full.depth)


def _with_way(group: Group, table: Table, values: Mapping[tuple[str, str], Value]) -> Load:
    """A group's own load with the direction that its table's network, its label or its syncs tell."""
    own, kinds = group.load, {kind for kind, _ in values}
    kind = next(iter(kinds)) if len(kinds) == 1 else BANDWIDTH  # "TCP bandwidth" and "TCP latency" of packets of a size
    if (
        own.way is None
        and table.above.way is None
        and kind in table.network
        and (len(kinds) == 1 or (kinds == {BANDWIDTH, LATENCY} and NETWORK_TEST.search(group.words)))
    ):
        own = own._replace(way=way_of(kind, "" if table.runs_both_ways else group.words))
    if own.way is None:
        own = own._replace(way=way_of_test(group.row.label))
    named = (group.row.label, table.heads[0].text if table.heads[0].load != Load() else "")  # "4k QD1 fsync"
    are_synced = any(map(_SYNCED.search, named)) or any(name.startswith(OF_SYNCS) for _, name in values)
    return own._replace(way="write") if own.way is None and table.above.way is None and are_synced else own
