"""CrystalDiskMark's text report (versions 3 to 8, and KDiskMark's), also translated, and the tables of fio-cdm.

MB/s is 1,000,000 bytes/s, latencies are microseconds unless the row says ms. A "?" in a cell or a name is not known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from radoscope import patterns as re
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.blocks import required
from radoscope.formats.grammar.command_lines import size
from radoscope.formats.grammar.quantities import bytes_per_s, count, latency, number, seconds
from radoscope.records.extra import Extra
from radoscope.records.measurement import Result, Source

NAME = "crystaldiskmark"
SIGNS = ("SEQ", "RND", "Seq", "Random", "RAND", "Rand", "equential", "(Q")

_LONGEST_LINE = 300
_LARGEST_GAP = 12
_HEAD = re.compile(
    r"[\s|*]*(?:\w{1,20}\s*(?:\|\s*)?)?Read\s*(?:\((?P<unit>[kMG]i?B/s)\))?\s*\|?\s*Write\b.*", re.IGNORECASE
)
_ROW_NAME = re.compile(
    r"[\s|*]*(?P<kind>SEQ|RND|RAND)\s?(?P<block>\?|\d{1,5})\s?(?P<scale>[KMG])(?:i?B)?[\s,|]*"
    r"Q\s*(?P<depth>\?|\d{1,5})\s*,?\s*T\s*(?P<jobs>\?|\d{1,5})(?P<rest>[\s|*:].*)?$",
    re.IGNORECASE,
)
_WITH_UNITS = re.compile(r"[\d.,]+ ?[kMG]i?B/s|\d ?k?IOPS", re.IGNORECASE)
"""In a row: somebody wrote it."""
_ROW_MORE = re.compile(
    r"[\s|*]*\.?\s*(?P<what>IOPS|lat(?:ency)?\.?\s*\(?(?P<unit>us|µs|ms|ns)\)?)(?P<rest>[\s|:].*)", re.IGNORECASE
)
_SECTION = re.compile(
    rf"\s*\[\s*(?:(?P<rw>{words.MIXED})|(?P<read>{words.READ})|(?P<write>{words.WRITE}))\s*\]"
    r"(?:[^\d%]{1,20}\d{1,3} ?%[^\d%]{1,20}\d{1,3} ?%)?\s*(?:\s{2}(?P<names>\S.*))?$",
    re.IGNORECASE,
)
""" "[Mix] Read 70%/Write 30%". names: of columns, where the rows of several reports stand side by side."""
_BESIDE = re.compile(
    r"[\s|;,/]*(?P<rate>[\d.,]+)\s*(?P<unit>[KMG]i?B/s)(?:\s*\[\s*(?P<iops>[\d.,]+)\s*IOPS\s*\])?"
    r"(?:\s*<\s*(?P<lat>[\d.,]+)\s*(?P<lat_unit>us|µs|ms)\s*>)?",
    re.IGNORECASE,
)
"""The same row of another report."""
_RANDOM = re.compile(words.RANDOM, re.IGNORECASE)
_CRYSTAL = re.compile(
    rf"\s*(?P<kind>{words.RANDOM}|{words.SEQUENTIAL})\s+"
    r"(?:(?P<way>Read|Write|Mix)\s*)?(?:(?P<block>\d{1,5})\s?(?P<scale>[KMG])i?B\s*)?"
    r"(?:\(\s*(?:(?:QD?|队列|隊列|キュー)\s*=\s*(?P<depth>\d{1,5}))?\s*,?\s*(?:(?:T|线程|執行緒|スレッド)\s*=\s*(?P<jobs>\d{1,5}))?\s*\)\s*)?"
    r":\s*(?P<rate>[\d.,]+)\s*(?P<unit>[KMG]i?B/s)(?:\s*\[\s*(?P<iops>[\d.,]+)\s*(?:IOPS\s*\]|IO(?:PS?)?\s*$))?(?:\s*<\s*(?P<lat>[\d.,]+)\s*(?P<lat_unit>us|µs|ms)\s*>)?",
    re.IGNORECASE,
)
_PRINTED = re.compile(r"\d\.\d{3}\s*[KMG]i?B/s|\(\s*Q|IOPS\s*\]")
"""Three decimals, or what it prints beside them: people write lines like its, too."""
_LOOKS_BACK, _FARTHEST_BESIDE, _MOST_NAMES = 24, 80, 16
_QUANTITY = re.compile(
    r"[\s#*_=\[]*(?:(?:random )?(?P<iops>IOPS)|(?:throughput|bandwidth|speed)?\s*[(\[]?(?P<rate>[kMG]i?B/s))"
    r"[\s#*_=\]):：]*",
    re.IGNORECASE,
)
_WAYS = ("read", "write", "rw")


@dataclass(slots=True)
class _Row:
    """One name of a fio-cdm table with the cells of its up to three lines, one a direction."""

    first: int
    last: int
    name: re.Match[str]
    rates: list[str]
    iops: list[str] = field(default_factory=list)
    latencies: list[str] = field(default_factory=list)
    latency_unit: str = "us"


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges of tables and of reports."""
    at = 0
    while at < len(lines):
        end = _table_end(lines, at) or _report_end(lines, at)
        if end is None:
            at += 1
        else:
            yield at, end
            at = end


def _table_end(lines: Sequence[str], at: int) -> int | None:
    """Behind the last row of the table whose names of columns stand at this line; None: no table."""
    if not _is_head(lines[at]) or _is_below_iops(lines, at) or _is_beside_iops(lines, at):
        return None
    last, strange = None, 0
    for below in range(at + 1, len(lines)):
        line = lines[below]
        if last is None and _WITH_UNITS.search(line) and _is_row(line):
            return None
        if _is_row(line) and (last is not None or _ROW_NAME.match(line)):
            last, strange = below, 0
        elif _is_head(line):
            break
        else:
            strange += 0 if set(line.strip()) <= set("|-:+ ") else 1
            if strange > 2:
                break
    return None if last is None else last + 1


def _is_head(line: str) -> bool:
    return len(line) <= _LONGEST_LINE and "rite" in line and _HEAD.match(line) is not None


def _is_row(line: str) -> bool:
    return len(line) <= _LONGEST_LINE and (_ROW_NAME.match(line) or _ROW_MORE.match(line)) is not None


def _report_end(lines: Sequence[str], at: int) -> int | None:
    """Behind the last line of a report that begins at this line with a section or a result."""
    if not (_section(lines[at]) or _crystal(lines[at])):
        return None
    last = None
    for below in range(at, len(lines)):
        line = lines[below]
        if _crystal(line):
            last = below + 1
        elif below - (last or at) > _LARGEST_GAP or (line.strip() and not _section(line) and not line.startswith("[")):
            break
    return last


def _section(line: str) -> re.Match[str] | None:
    return _SECTION.match(line) if len(line) <= _LONGEST_LINE and "[" in line[:20] else None


def _crystal(line: str) -> re.Match[str] | None:
    if len(line) > _LONGEST_LINE or "B/s" not in line or not _PRINTED.search(line):
        return None
    return _CRYSTAL.match(line)


def read(text: str) -> tuple[Result, ...]:
    """Every cell of every table and report. Raises UnreadableFile where there is none."""
    lines = text.splitlines()
    results: list[Result] = []
    for first, end in find(lines):
        results += _read_table(lines, first, end) if _is_head(lines[first]) else _read_report(lines, first, end)
    return required(results, "no table of fio-cdm or CrystalDiskMark in this text")


def _read_table(lines: Sequence[str], first: int, end: int) -> list[Result]:
    head = _HEAD.match(lines[first])
    unit = (head["unit"] if head else None) or "MB/s"
    has_mix = re.search(r"\bMix", lines[first], re.IGNORECASE) is not None
    ways = range(3 if has_mix else 2)
    cells = (_read_cell(row, way, unit) for row in _rows(lines, first, end) for way in ways)
    return [cell for cell in cells if cell is not None]


def _is_below_iops(lines: Sequence[str], first: int) -> bool:
    """Whether a table has no unit and the nearest heading that names a quantity says IOPS: it is another's to read."""
    head = _HEAD.match(lines[first])
    if head and head["unit"]:
        return False
    for line in reversed(lines[max(0, first - _LOOKS_BACK) : first]):
        if match := _QUANTITY.fullmatch(line):
            return match["iops"] is not None
    return False


def _is_beside_iops(lines: Sequence[str], first: int) -> bool:
    """Whether the same table stands below a heading "IOPS", too: both tell of the same runs, and no tool prints so."""
    head = _HEAD.match(lines[first])
    if head is None or head["unit"]:
        return False
    around = range(max(0, first - _FARTHEST_BESIDE), min(len(lines), first + _FARTHEST_BESIDE))
    places = [at for at in around if at != first and _is_head(lines[at]) and _is_below_iops(lines, at)]
    own = _names_below(lines, first) if places else frozenset()
    return any(_names_below(lines, at) == own for at in places)


def _names_below(lines: Sequence[str], head: int) -> frozenset[tuple[str, ...]]:
    """What the rows of a table are called."""
    names = set()
    for line in lines[head + 1 : head + 1 + _MOST_NAMES]:
        if _is_head(line):
            break
        if match := _ROW_NAME.match(line[:_LONGEST_LINE]):
            names.add(match.group("kind", "block", "scale", "depth", "jobs"))
    return frozenset(names)


def _rows(lines: Sequence[str], first: int, end: int) -> list[_Row]:
    rows: list[_Row] = []
    for at in range(first + 1, end):
        line = lines[at][:_LONGEST_LINE]
        if name := _ROW_NAME.match(line):
            rows.append(_Row(first=at, last=at, name=name, rates=_cells(name["rest"] or "")))
        elif rows and (more := _ROW_MORE.match(line)):
            rows[-1].last = at
            if more["unit"]:
                rows[-1].latencies, rows[-1].latency_unit = _cells(more["rest"]), more["unit"]
            else:
                rows[-1].iops = _cells(more["rest"])
    return rows


def _cells(rest: str) -> list[str]:
    if "|" in rest:
        return [cell.strip() for cell in rest.strip().removeprefix("|").split("|")]
    return rest.split()


def _read_cell(row: _Row, way: int, unit: str) -> Result | None:
    rate, iops, mean = (_number_at(cells, way) for cells in (row.rates, row.iops, row.latencies))
    if rate is None and iops is None and mean is None:
        return None
    name = row.name
    random = name["kind"].upper() != "SEQ"
    return Result(
        tool="fio-cdm",
        op=("rand" if random else "") + _WAYS[way],
        block_bytes=None if name["block"] == "?" else size(name["block"] + name["scale"]),
        queue_depth=count(name["depth"]) or None,
        jobs=count(name["jobs"]) or None,
        iops=iops,
        bandwidth_bytes_per_s=bytes_per_s(rate, unit),
        latency=latency(mean_s=seconds(mean, row.latency_unit)),
        source=Source(reader=NAME, first_line=row.first + 1, last_line=row.last + 1),
    )


def _number_at(cells: Sequence[str], way: int) -> float | None:
    return number(cells[way]) if way < len(cells) else None


def _read_report(lines: Sequence[str], first: int, end: int) -> list[Result]:
    section: str | None = None
    names: list[str] = []
    results = []
    for at in range(first, end):
        if named := _section(lines[at]):
            section = next(name for name in ("rw", "read", "write") if named[name])
            section = "mix" if section == "rw" else section
            names = [name.strip("* ") for name in re.split(r"\s{2,}|\t|\|", named["names"] or "") if name.strip("* ")]
        elif match := _crystal(lines[at]):
            way = (match["way"] or section or "").lower()
            source = Source(reader=NAME, first_line=at + 1, last_line=at + 1)
            cells = [match, *_cells_beside(lines[at], match.end())]
            labels = names if len(names) == len(cells) else [""] * len(cells)
            for cell, label in zip(cells, labels, strict=True):
                one = _read_line(match, cell, way, source)
                results.append(replace(one, extra={**one.extra, "label": label}) if label else one)
    return [one for one in results if 0 not in (one.iops, one.bandwidth_bytes_per_s)]  # those tests failed


def _cells_beside(line: str, start: int) -> Iterator[re.Match[str]]:
    """The cells of one test behind its first."""
    while cell := _BESIDE.match(line, start):
        yield cell
        start = cell.end()


def _read_line(match: re.Match[str], cell: re.Match[str], way: str, source: Source) -> Result:
    """match: the row, with the first of its cells."""
    random = "rand" if _RANDOM.match(match["kind"]) else ""
    extra: Extra = {"mixed": True} if way == "mix" else {}
    return Result(
        tool=NAME,
        op=None if not way else random + {"mix": "rw"}.get(way, way),
        block_bytes=size(match["block"] + match["scale"]) if match["block"] else None,
        queue_depth=count(match["depth"]) or None,
        jobs=count(match["jobs"]) or None,
        iops=number(cell["iops"]) if cell["iops"] else None,
        bandwidth_bytes_per_s=bytes_per_s(number(cell["rate"]), cell["unit"]),
        latency=latency(mean_s=seconds(number(cell["lat"]), cell["lat_unit"])) if cell["lat"] else None,
        source=source,
        extra=extra,
    )
