"""IOR, as text and as CSV: its summary of all repetitions; without one each repetition, without these the best of them.

Releases differ in their columns, which their heads name. MB are MiB, block and transfer sizes KiB or bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required, with_above
from radoscope.formats.grammar.quantities import MIB, count, latency, number, scaled
from radoscope.records.measurement import Result, Source

NAME = "ior"
SIGNS = ("bw(MiB/s)", "(OPs)", "Max Write:", "Max Read:")
LOOKS_BACK = 60

_LONGEST_LINE = 600
_HEAD = re.compile(r"\W{0,12}(?:access[\s,]+bw\(MiB/s\)|Operation\s+Max ?\(MiB\)\s)")
_ROW = re.compile(r"\s*(?:\d{1,6}[:-]\s*)?(?P<op>write|read)[\s,]+(?P<cells>[\d.]+[\s,].*)$")
"""grep counts lines in front of them."""
_BEST = re.compile(r"\W{0,12}Max (?P<op>Write|Read):\s+(?P<rate>[\d.]+) MiB/sec \([\d.]+ MB/sec\)")
_BESIDE = re.compile(
    r"\s*$|[\s,=-]+$|\s*(?:\d{1,6}[:-]\s*)?(?:remove[\s,]|Commencing |Verifying |Summary of all tests|WARNING"
    r"|ior WARNING|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) )"
)
_SETTING = re.compile(
    r"\W{0,12}(?:(?P<random>ordering in a file\s*[:=]\s*random)"
    r"|(?:Participating )?(?:tasks|clients)\s*[:=]\s*(?P<tasks>\d{1,7})\b)"
)


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges from the head of the repetitions, or of the summary, to the last row."""
    first, last = -1, -1
    for at, line in enumerate([*lines, "end"]):
        line = line[:_LONGEST_LINE]
        if "(MiB" in line and _HEAD.match(line):
            first = at if first < 0 else first
        elif "MiB/sec" in line and _BEST.match(line):
            first, last = at if first < 0 else first, at
        elif first >= 0 and _ROW.match(line):
            last = at
        elif first >= 0 and not _BESIDE.match(line):
            if last >= first:
                yield first, last + 1
            first, last = -1, -1


def read(text: str) -> tuple[Result, ...]:
    """One result a direction, or one a repetition. Raises UnreadableFile where there is none."""
    lines = text.split("\n")
    results = (result for block in with_above(lines, find(lines), LOOKS_BACK) for result in _block(lines, *block))
    return required(results, "no row of IOR in this text", "Its rows stand below `access` or `Operation`.")


def _block(lines: Sequence[str], first: int, end: int, before: Sequence[str]) -> list[Result]:
    settings = [match for line in before if (match := _SETTING.match(line[:_LONGEST_LINE]))]
    tasks = next((match["tasks"] for match in reversed(settings) if match["tasks"]), None)
    is_random = any(match["random"] for match in settings)
    found: dict[str, list[Result]] = {"Operation": [], "access": [], "Max": []}
    names: list[str] = []
    kind = "access"
    for at in range(first, end):
        line = lines[at][:_LONGEST_LINE]
        source = Source(reader=NAME, first_line=at + 1, last_line=at + 1)
        if _HEAD.match(line):
            names, kind = _cells(line), "Operation" if "Operation" in line else "access"
        elif match := _BEST.match(line):
            rate = scaled(number(match["rate"]), MIB)
            op = _operation(match["op"], is_random=is_random)
            found["Max"].append(Result(tool=NAME, op=op, bandwidth_bytes_per_s=rate, source=source))
        elif names and (match := _ROW.match(line)):
            said = dict(zip(names[1:], _cells(match["cells"]), strict=False))
            op = _operation(match["op"], is_random=is_random)
            found[kind].append(_row(said, op, tasks, source))
    return next((results for results in found.values() if results), [])


def _operation(way: str, *, is_random: bool) -> str:
    return ("rand" if is_random else "") + way.lower()


def _cells(line: str) -> list[str]:
    """Of a head or a row; old releases part "Max (MiB)" and "Std Dev"."""
    line = re.sub(r"^\W{0,12}(?:\d{1,6}[:-]\s*)?|(?<=\w) (?=\((?:MiB|OPs|s)\))|(?<=Std) (?=Dev)", "", line.strip())
    return [cell.strip() for cell in line.split(",")] if "," in line.split(" ")[0] else line.split()


def _row(said: Mapping[str, str], op: str, tasks: str | None, source: Source) -> Result:
    def of(*names: str) -> float | None:
        return next((number(said[name]) for name in names if name in said), None)

    transfer = of("xsize") or scaled(of("xfer(KiB)"), 1024.0)
    return Result(
        tool=NAME,
        op=op,
        block_bytes=round(transfer) if transfer else None,
        jobs=count(said.get("#Tasks") or said.get("numTasks") or tasks or ""),
        iops=of("Mean(OPs)", "IOPS"),
        bandwidth_bytes_per_s=scaled(of("Mean(MiB)", "bw(MiB/s)"), MIB),
        latency=latency(mean_s=of("Latency(s)", "Latency")),
        runtime_s=of("Mean(s)", "total(s)"),
        source=source,
    )
