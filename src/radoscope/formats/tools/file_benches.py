"""Benchmarks of file systems: iozone (tables and throughput mode), bonnie++ and dbench. kB of the first two are KiB.

A table of iozone names all tests in its head, also those that did not run: a number belongs to the name that ends
where it ends. Where a page has eaten the blanks, only a row with a number for each name can be read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required
from radoscope.formats.grammar.quantities import number, prefixed, scaled
from radoscope.records.extra import Extra
from radoscope.records.measurement import Result, Source

NAME = "file-benches"
SIGNS = ("reclen", "Children see throughput", "Sequential Output", "Sequential Input", " MB/sec ")

_LONGEST_LINE = 400
_NEAR_SECONDS = 4
_CHILDREN = re.compile(
    r"(?P<front>.{0,60}?)Children see throughput for\s+(?P<count>\d+)\s+(?P<what>[a-z/ -]+?)\s*=\s*(?P<rate>[\d"
    r".]+)\s*(?P<unit>[kKMG]?[bB](?:ytes)?|ops)/sec"
)
_OTHER_THROUGHPUT = re.compile(
    r".{0,60}?(?:Parent sees throughput|(?:Min|Max|Avg) throughput per|Min xfer|Throughput test with"
    r"|Each process (?:writes|reads)|CPU Utilization)"
)
_RECORDS = re.compile(
    r".{0,60}?(?:Each process writes? a \d+ \w?[Bb]yte file in (\d+) ([kM]?)[Bb]yte records"
    r"|Record Size (\d+) (kB|KB|MB))",
    re.IGNORECASE,
)
_CHILDREN_OPS = {
    "initial writers": "write", "rewriters": "write", "readers": "read", "re-readers": "read",
    "random readers": "randread", "random writers": "randwrite",
    "mixed workload": "randrw",
}  # fmt: skip
_TABLE = re.compile(r"\s*(?:kB|KB)\s+reclen\s+write\s+rewrite\s+read\s+reread\b")
_ROW = re.compile(r"\s*\d{1,12}\s+\d{1,8}(?:\s+\d{1,12})+\s*$")
_TABLE_OPS = ("write", "write", "read", "read", "randread", "randwrite")
_TABLE_WORDS = ("write", "rewrite", "read", "reread", "random read", "random write")
_BONNIE = re.compile(r"\s*(?:Version\s+[\d.]+\w?\s+-*\s*|-{2,8})Sequential Output")
"""Its first line; some leave out the version, the host and what stands above them."""
_BONNIE_ROW = re.compile(
    r"\s{0,20}(?:(?P<host>\S{1,60})\s+)?(?P<size>\d+[MGT]?)(?::\S+)?(?P<cells>(?:\s+(?:[\d.]+[kKMGmg]?|\++)\s+(?:\d{1,4}"
    r"|\++)){3,6})\s*$"
)
_BONNIE_COLUMNS = {6: ((1, "write"), (4, "read")), 4: ((0, "write"), (1, "rw"), (2, "read"))}
"""Of a row of six tests, and of four where the two of single characters were left out."""
_BONNIE_MORE = re.compile(
    r"\s*(?:Concurrency|-Per Chr-|Name:Size|(?:Machine\s+)?Size\s|Latency\s+\S+"
    r"|Version\s+\S+\s+-*\s*Sequential Create|-Create--|files\s+/sec|\S*\s*-+\s*Per Chr"
    r"|[\d.]+,[\d.]+\w?,\S+,\d+,|--(?:Random|Seeks)-|/sec %CP|Create--------|-Delete--\s*$"
    r"|(?:[\d.]+|\++)\s+(?:\d+|\++)\s*$)"
)
"""Its other lines, also what a mail has broken off them."""
_BROKEN_OFF = re.compile(r"\s*(?:(?:[\d.]+[kKMGmg]?|\++)\s+(?:\d{1,4}|\++)\s*){1,3}")
"""The last cells of a row."""
_BONNIE_LINE = re.compile(
    r"(?:\W{0,8}bonnie(?:\+\+)?:?\s)?\W{0,8}Sequential (?P<way>Output|Input)[,:]?\s+"
    r"(?P<what>block|rewrite|(?:per )?chr)s?\s*[:=]?\s+(?P<rate>\d[\d.]{0,12})\s?(?P<unit>[KMG])i?B?/s(?:ec)?"
    r"[\s,;(]{0,8}(?:%?CPU?\s)?\s?(?:\d{1,3}\s?%?\s?(?:CPU?)?)?\)?\s*$",
    re.IGNORECASE,
)
"""A figure in a line of its own, under the name that its column has in the table."""
_CREATES = re.compile(r".{0,40}-Create--|\s*Version\s+\S+\s+-*\s*Sequential Create")
"""Files made and deleted, below the blocks: a host may stand in front of their rows, too."""
_DBENCH = re.compile(r"\s*Throughput (?P<rate>[\d.]+) MB/sec\s.*?\b(?P<procs>\d+) procs\b")
_DBENCH_MORE = re.compile(
    r"\s*(?:\d+\s+\d+\s+[\d.]+ MB/sec\s+(?:warmup|execute|cleanup)\s+\d+ sec\b"
    r"|Operation\s+Count\s+AvgLat\s+MaxLat|[A-Z][A-Za-z]{3,9}\s+\d+\s+\d+\.\d+\s+\d+\.\d+\s*$)"
)
"""A second of its progress, and how often it did what."""


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges of tables, of stretches of throughputs, and of bonnie++'s results."""
    at = 0
    while at < len(lines):
        line = lines[at][:_LONGEST_LINE]
        end = at
        if _TABLE.match(line):
            end = _while(lines, at + 1, _ROW)
        elif "throughput" in line.lower() and (_CHILDREN.match(line) or _OTHER_THROUGHPUT.match(line)):
            end = _while(lines, at + 1, _CHILDREN, _OTHER_THROUGHPUT)
        elif "Sequential Output" in line and _BONNIE.match(line):
            end = _while(lines, at + 1, _BONNIE_MORE, _BONNIE_ROW)
        elif "equential " in line and _BONNIE_LINE.match(line):
            end = _while(lines, at + 1, _BONNIE_LINE)
        elif "MB/sec" in line and (_DBENCH.match(line) or _DBENCH_MORE.match(line)):
            end = _while(lines, at + 1, _DBENCH_MORE, _DBENCH)
        if end > at and not _is_cut(lines[at:end]):
            yield at, end
        at = max(end, at + 1)


def _is_cut(lines: Sequence[str]) -> bool:
    """Seconds of dbench without its last line."""
    return _DBENCH_MORE.match(lines[0]) is not None and not any(map(_DBENCH.match, lines))


def remains(lines: Sequence[str]) -> Iterator[int]:
    """The seconds of dbench; its last line alone counts."""
    near = -_NEAR_SECONDS
    for at, line in enumerate(lines):
        if len(line) <= _LONGEST_LINE and _DBENCH_MORE.match(line) and ("MB/sec" in line or at - near < _NEAR_SECONDS):
            near = at
            yield at


def _while(lines: Sequence[str], at: int, *patterns: re.Pattern[str]) -> int:
    """Behind the last line that matches, over single empty lines."""
    end = at
    while at < len(lines) and at - end < 3:
        line = lines[at][:_LONGEST_LINE]
        if line.strip():
            if not any(pattern.match(line) for pattern in patterns) and not line.lstrip().startswith("random"):
                break
            end = at + 1
        at += 1
    return end


def read(text: str) -> tuple[Result, ...]:
    """Every rate. Raises UnreadableFile where no number is certain."""
    lines = text.split("\n")
    results: list[Result] = []
    for first, end in find(lines):
        if _TABLE.match(lines[first]):
            results += _table(lines, first, end)
        elif _BONNIE.match(lines[first][:_LONGEST_LINE]):
            results += _bonnie(lines, first, end)
        elif _BONNIE_LINE.match(lines[first][:_LONGEST_LINE]):
            results += _bonnie_lines(lines, first, end)
        elif totals := [match for line in lines[first:end] if (match := _DBENCH.match(line[:_LONGEST_LINE]))]:
            results += (_dbench(match, first, end) for match in totals)
        else:
            results += _children(lines, first, end)
    return required(results, "which number belongs to which test is not certain", "Paste the table with its blanks.")


def _children(lines: Sequence[str], first: int, end: int) -> Iterator[Result]:
    """The sum over all processes is what the children see."""
    block = None
    for at in range(first, end):
        line = lines[at][:_LONGEST_LINE]
        if match := _RECORDS.match(line):
            kilo = 2**20 if (match[2] or match[4] or "k")[0] in "mM" else 1024
            block = int(match[1] or match[3]) * kilo
        match = _CHILDREN.match(line)
        if match is None or match["unit"] == "ops":
            continue
        what = " ".join(match["what"].split())
        yield Result(
            tool="iozone",
            op=_CHILDREN_OPS.get(what),
            block_bytes=block,
            jobs=int(match["count"]),
            bandwidth_bytes_per_s=prefixed(match["rate"], match["unit"], 1024.0),
            source=Source(reader=NAME, first_line=at + 1, last_line=at + 1),
            extra={"label": " ".join([*match["front"].split(), what])},
        )


def _table(lines: Sequence[str], first: int, end: int) -> Iterator[Result]:
    head = lines[first]
    ends = [match.end() for match in re.finditer(r"\S+", head)]
    for at in range(first + 1, end):
        row = lines[at]
        numbers = list(re.finditer(r"\d+", row))
        if len(numbers) < 3 or not _ROW.match(row):
            continue
        columns = [_column(match.end(), ends) for match in numbers]
        if None in columns or columns != sorted(set(columns), key=columns.index):
            columns = list(range(len(numbers))) if len(numbers) == len(ends) else []
        for match, column in zip(numbers[2:], columns[2:], strict=False):
            did_run = float(match[0]) > 0
            if column is not None and did_run and 2 <= column < 2 + len(_TABLE_OPS):
                yield Result(
                    tool="iozone",
                    op=_TABLE_OPS[column - 2],
                    block_bytes=int(numbers[1][0]) * 1024,
                    bandwidth_bytes_per_s=float(match[0]) * 1024,
                    source=Source(reader=NAME, first_line=at + 1, last_line=at + 1),
                    extra={"label": f"{_TABLE_WORDS[column - 2]}, {numbers[0][0]} kB"},
                )


def _column(end: int, ends: Sequence[int]) -> int | None:
    return next((at for at, each in enumerate(ends) if abs(each - end) <= 1), None)


def _bonnie(lines: Sequence[str], first: int, end: int) -> Iterator[Result]:
    """Blocks out, rewrite, blocks in and seeks, of which one in ten writes back what it read; single characters measure
    the C library. "+++" was too fast to tell."""
    stop = next((at for at in range(first + 1, end) if _CREATES.match(lines[at][:_LONGEST_LINE])), end)  # files
    for at in range(first + 1, stop):
        match = _bonnie_row(lines, at)
        values = match["cells"].split()[::2] if match else []
        if match is None or len(values) not in _BONNIE_COLUMNS:
            continue
        source = Source(reader=NAME, first_line=at + 1, last_line=at + 1)
        host: Extra = {"label": match["host"]} if match["host"] else {}
        for column, op in _BONNIE_COLUMNS[len(values)]:
            rate = _kibibytes(values[column])
            if rate is not None:
                yield Result(tool="bonnie++", op=op, bandwidth_bytes_per_s=rate, source=source, extra=host)
        seeks = number(values[-1])
        if seeks is not None:
            label = ", ".join(filter(None, (match["host"], "seeks")))
            yield Result(tool="bonnie++", op="randrw", iops=seeks, source=source, extra={"label": label})


def _bonnie_lines(lines: Sequence[str], first: int, end: int) -> Iterator[Result]:
    for at in range(first, end):
        match = _BONNIE_LINE.match(lines[at][:_LONGEST_LINE])
        what = match["what"].lower() if match else "chr"
        if match is None or what.endswith("chr"):
            continue
        way = "write" if match["way"].lower() == "output" else "read"
        yield Result(
            tool="bonnie++",
            op="rw" if what == "rewrite" else way,
            bandwidth_bytes_per_s=_kibibytes(match["rate"] + match["unit"]),
            source=Source(reader=NAME, first_line=at + 1, last_line=at + 1),
        )


def _bonnie_row(lines: Sequence[str], at: int) -> re.Match[str] | None:
    """A row, which may go on in the next line."""
    line = lines[at][:_LONGEST_LINE].strip()
    whole = f"{line} {lines[at + 1].strip()}" if at + 1 < len(lines) and _BROKEN_OFF.fullmatch(lines[at + 1]) else line
    return _BONNIE_ROW.match(whole) or _BONNIE_ROW.match(line)


def _dbench(match: re.Match[str], first: int, end: int) -> Result:
    """Reads and writes of files together; its MB are 1,000,000 bytes."""
    return Result(
        tool="dbench",
        jobs=int(match["procs"]),
        bandwidth_bytes_per_s=scaled(number(match["rate"]), 1e6),
        source=Source(reader=NAME, first_line=first + 1, last_line=end),
    )


def _kibibytes(text: str) -> float | None:
    return prefixed(text.rstrip("kKMGmg"), text[-1:] if text[-1:].isalpha() else "k", 1024.0)
