"""PostgreSQL's `pg_test_fsync`: one writer that makes each write durable before the next, by each method there is.

Its counts have three decimals, behind a comma in some languages. What two writes at once gave names no block.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required
from radoscope.formats.grammar.quantities import latency, number, scaled
from radoscope.records.measurement import Result, Source

NAME = "pg_test_fsync"
SIGNS = ("ops/sec",)

_LONGEST_LINE = 200
_HEAD = re.compile(
    r"\W{0,12}(?:Compare file sync methods using (?P<count>one|two) (?P<kilo>\d{1,3}) ?kB writes?"
    r"|(?P<sizes>Compare open_sync with different write sizes)|(?P<other>Test if fsync on non-write file descriptor)"
    r"|Non-sync'?ed (?P<plain>\d{1,3}) ?kB writes?)\b"
)
_ROW = re.compile(
    r"\W{0,20}(?:(?P<parts>\d{1,2}) \* +(?P<size>\d{1,3})kB )?"
    r"(?P<method>open_datasync|fdatasync|fsync(?:_writethrough)?|open_sync|write(?:, (?:fsync|close))*)"
    r"(?: (?P<old>\d{1,3})k)?(?: writes?)?,?\s+"
    r"(?:(?P<rate>\d{1,12}[.,]\d{3}) ops/sec(?:\s+(?P<time>\d{1,12}) usecs/op)?|n/a\*{0,2})\s*$"
)
_BESIDE = re.compile(
    r"\s*$|\W{0,4}(?:\(|in wal_sync_method|is Linux's|\d+ seconds per test|O_DIRECT|Direct I/O|open_sync sizes"
    r"|descriptor\.)"
)


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges from a heading to the last row below it."""
    first, last = -1, -1
    for at, line in enumerate([*lines, "end"]):
        line = line[:_LONGEST_LINE]
        if first >= 0 and _ROW.match(line):
            last = at
        elif (is_head := "ync" in line and _HEAD.match(line) is not None) or not _BESIDE.match(line):
            if first >= 0 and last > first:
                yield first, last + 1
            first, last = (at if is_head else -1), -1


def read(text: str) -> tuple[Result, ...]:
    """One result a method. Raises UnreadableFile where there is none."""
    lines = text.split("\n")
    results = (result for first, end in find(lines) for result in _section(lines, first, end))
    return required(
        results, "no rate of pg_test_fsync in this text", "Its rows stand below `Compare file sync methods`."
    )


def _section(lines: Sequence[str], first: int, end: int) -> Iterator[Result]:
    head = _HEAD.match(lines[first][:_LONGEST_LINE])
    for at in range(first + 1, end):
        row = _ROW.match(lines[at][:_LONGEST_LINE])
        if head is None or row is None or not row["rate"]:
            continue
        time = number(row["time"] or "")
        parts = (
            f"{row['parts']} * {row['size']}kB "
            if row["parts"]
            else f"{head['count']} writes, "
            if head["count"] == "two"
            else ""
        )
        yield Result(
            tool=NAME,
            op="write",
            block_bytes=_block(head, row),
            queue_depth=1,
            jobs=1,
            iops=number(row["rate"].replace(",", ".")),
            latency=latency(mean_s=scaled(time, 1e-6)),
            source=Source(reader=NAME, first_line=at + 1, last_line=at + 1),
            extra={"label": f"{parts}{row['method']}"},
        )


def _block(head: re.Match[str], row: re.Match[str]) -> int | None:
    """Of an operation of one write."""
    if head["count"] == "two" or (row["parts"] or "1") != "1":
        return None
    kilo = row["size"] or row["old"] or head["kilo"] or head["plain"]
    return int(kilo) * 1024 if kilo else None
