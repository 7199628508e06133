"""MinIO's `warp`: one result an operation, from reports of 2020 to today's. An object is a block; MB are 1000-based."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required
from radoscope.formats.grammar.command_lines import nearest, option, size
from radoscope.formats.grammar.quantities import bytes_per_s, duration, latency, number, seconds
from radoscope.records.measurement import Latency, Result, Source

NAME = "warp"
COMMAND_HOLDS = True
LOOKS_BACK = 60
SIGNS = ("obj/s",)

_LONGEST_LINE = 400
_OPERATION = re.compile(r"\s*(?:Operation|Report):\s*(?P<op>[A-Z]{3,20})\b(?P<rest>.*)")
_RATE = re.compile(
    r"\s*\*\s*(?:(?:Average"
    r"|Throughput):\s*)?(?:(?P<rate>[\d.,]+)\s?(?P<unit>[KMGT]?i?B/s),\s*)?(?P<objects>[\d.,]+)\s?obj/s(?P<rest"
    r">.*)"
)
_CONCURRENCY = re.compile(r"\bConcurrency: (\d+)")
_RAN = re.compile(
    r"\b(?:Ran|Duration|Ran Duration):? (?P<time>(?:\d+h)?(?:\d+m)?[\d.]+s)|\((?P<short>(?:\d+m)?[\d.]+m?s)[,)]"
)
_OBJECT = re.compile(r"\bSize: (\d+) bytes")
_TIMES = re.compile(r"\s*\*\s*(?:Reqs: )?Avg: (?P<rest>[\d.]+ ?[mµu]?s,.*)")
_TIME = re.compile(
    r"(?:(?P<percent>\d\d(?:\.\d)?)%|(?P<name>Avg|Fastest|Slowest|StdDev)): (?P<value>[\d.]+) ?(?P<unit>[mµu]?s)"
)
_MORE = re.compile(
    r"\s*(?:\*\s|Throughput|Requests? |Cluster Total|Total Errors|-{10,}|Skipping |Mixed operations|Errors:"
    r"|\(?Aggregated )"
)
_WAYS = {"GET": "read", "PUT": "write", "POST": "write", "MULTIPART": "write", "APPEND": "write"}


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges: an operation with the lines of its report."""
    first: int | None = None
    last, rated = 0, False
    for at, line in enumerate([*lines, "Operation: END"]):
        line = line[:_LONGEST_LINE]
        if _OPERATION.match(line):
            if first is not None and rated:
                yield first, last + 1
            first, last, rated = at, at, False
        elif first is not None and line.strip():
            if _RATE.match(line) or _MORE.match(line):
                rated, last = rated or _RATE.match(line) is not None, at
            elif at - last > 3:
                if rated:
                    yield first, last + 1
                first = None


def read(text: str) -> tuple[Result, ...]:
    """The rate of each operation. Raises UnreadableFile where there is none."""
    lines = text.split("\n")
    results = (_read(lines, first, end) for first, end in find(lines))
    return required(
        results, "no operation of warp in this text", "A report says `Operation: PUT` and `Average: ... obj/s`."
    )


_COMMAND = re.compile(r"\bwarp\s+(?:get|put|mixed|stat|multipart)\s(?P<arguments>.*)")
_MOST_WORDS = 12
_PRINTED = re.compile(r"\d obj/s")


def remains(lines: Sequence[str]) -> Iterator[int]:
    for at, line in enumerate(lines):
        is_short = len(line) <= _LONGEST_LINE and len(line.split()) <= _MOST_WORDS
        if "obj/s" in line and is_short and _PRINTED.search(line):
            yield at


def _read(lines: Sequence[str], first: int, end: int) -> Result:
    head = _OPERATION.match(lines[first][:_LONGEST_LINE])
    rate = next(match for line in lines[first:end] if (match := _RATE.match(line[:_LONGEST_LINE])))
    text = "\n".join(line[:_LONGEST_LINE] for line in lines[first:end] if not line.lstrip().startswith("* Fastest"))
    op = head["op"] if head else ""
    workers, printed, ran = _CONCURRENCY.search(text), _OBJECT.search(text), _RAN.search(text)
    block = int(printed[1]) or None if printed else None
    if command := nearest(lines[max(0, first - LOOKS_BACK) : first], _COMMAND):
        block = block or size(option(command["arguments"], "--obj.size") or "")
    block = None if "Multiple sizes" in text else block
    return Result(
        tool=NAME,
        op=_WAYS.get(op, op.lower()),
        block_bytes=block,
        queue_depth=int(workers[1]) or None if workers else None,
        iops=number(rate["objects"]),
        bandwidth_bytes_per_s=bytes_per_s(number(rate["rate"] or ""), rate["unit"] or ""),
        latency=_latency(lines[first:end]),
        runtime_s=duration(ran["time"] or ran["short"]) if ran else None,
        source=Source(reader=NAME, first_line=first + 1, last_line=end),
    )


def _latency(lines: Sequence[str]) -> Latency | None:
    line = next((match["rest"] for line in lines if (match := _TIMES.match(line[:_LONGEST_LINE]))), None)
    if line is None:
        return None
    values: dict[str, float] = {}
    for match in _TIME.finditer("Avg: " + line):
        if (value := seconds(number(match["value"]), match["unit"])) is not None:
            values.setdefault(match["percent"] or match["name"], value)
    names = {"Avg", "Fastest", "Slowest", "StdDev"}
    return latency(
        min_s=values.get("Fastest"),
        mean_s=values.get("Avg"),
        max_s=values.get("Slowest"),
        stddev_s=values.get("StdDev"),
        percentiles_s={float(name): value for name, value in values.items() if name not in names},
    )
