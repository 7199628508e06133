"""Results of Iometer (CSV, 2006 to 1.1.0): the rows of all managers, one result a direction.

`MBps` of 2006 is MiB/s, 1.1.0 names both; response times are ms. The load comes from the access specifications above,
where one line describes each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required
from radoscope.formats.grammar.quantities import MIB, latency, number, scaled
from radoscope.records.extra import Extra
from radoscope.records.measurement import Result, Source

NAME = "iometer"
SIGNS = ("Access Specification Name",)
LOOKS_BACK = 400

_LONGEST_LINE = 3000
_HEAD = re.compile(r"'?Target Type,Target Name,Access Specification Name,")
_ROW = re.compile(r"(?:ALL|MANAGER|WORKER|DISK|PROCESSOR|NETWORK|VIRTUAL INTERFACE),")
_SPECIFICATION = re.compile(r"(?P<size>\d{1,9}),100,(?P<reads>\d{1,3}),(?P<random>\d{1,3}),\d+,\d+,\d+,\d+\s*")
_PARTS = (("read", "Read "), ("write", "Write "))


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges from the names of the columns to the last row below them."""
    at = 0
    while at < len(lines):
        end = at + 1
        if _HEAD.match(lines[at]):
            while end < len(lines) and _ROW.match(lines[end]):
                end += 1
            yield at, end
        at = end


def read(text: str) -> tuple[Result, ...]:
    """Every access specification of every run. Raises UnreadableFile where there is none."""
    lines = [line[:_LONGEST_LINE] for line in text.split("\n")]
    results = (
        result
        for first, end in find(lines)
        for at in range(first + 1, end)
        if lines[at].startswith("ALL,")
        for result in _results(_cells(lines[first], lines[at]), _load(lines[:first], lines[at].split(",")[2]), at + 1)
    )
    return required(results, "no totals of Iometer in this text", "They are the rows that begin with `ALL,`.")


def _cells(head: str, row: str) -> Mapping[str, str]:
    return dict(zip(head.lstrip("'").split(","), row.split(","), strict=False))


def _load(above: Sequence[str], name: str) -> re.Match[str] | None:
    """The one line of sizes of the specification of this name."""
    for at in range(len(above) - 3, -1, -1):
        if above[at].startswith(name + ",") and above[at + 1].startswith("'size,"):
            more = len(above) > at + 3 and _SPECIFICATION.fullmatch(above[at + 3])
            return None if more else _SPECIFICATION.fullmatch(above[at + 2])
    return None


def _results(cells: Mapping[str, str], load: re.Match[str] | None, line: int) -> Iterator[Result]:
    """Of a mixed load one result for the reads and one for the writes."""
    source = Source(reader=NAME, first_line=line, last_line=line)
    workers = number(cells.get("# Workers", ""))
    ways = [(op, word) for op, word in _PARTS if number(cells.get(f"{word}IOps", ""))]
    for op, word in ways:
        mib = number(cells.get(f"{word}MiBps (Binary)", cells.get(f"{word}MBps", "")))
        pattern = None if load is None else {"0": "", "100": "rand"}.get(load["random"])
        one = workers == 1 and cells.get("# Disks") == "1"
        depth = number(cells.get("Queue Depth", "")) if one else None
        extra: Extra = {"label": cells["Access Specification Name"]}
        if pattern is None:
            extra["pattern_unknown"] = True
        if len(ways) > 1:
            extra["mixed"] = True
        yield Result(
            tool=NAME,
            op=f"{pattern or ''}{op}",
            block_bytes=int(load["size"]) if load is not None else None,
            queue_depth=int(depth) if depth and depth == int(depth) else None,
            jobs=int(workers) if workers else None,
            iops=number(cells[f"{word}IOps"]),
            bandwidth_bytes_per_s=scaled(mib, MIB),
            latency=latency(
                mean_s=scaled(number(cells.get(f"Average {word}Response Time", "")), 1e-3),
                max_s=scaled(number(cells.get(f"Maximum {word}Response Time", "")), 1e-3),
            ),
            source=source,
            extra=extra,
        )
