"""The summaries of s3bench: one result a phase. Its MB are MiB, its times seconds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required
from radoscope.formats.grammar.quantities import MIB, latency, number, scaled
from radoscope.records.measurement import Result, Source

NAME = "s3bench"
SIGNS = ("Results Summary for",)

_LONGEST_LINE = 200
_HEAD = re.compile(r"\s*Results Summary for (?P<way>Write|Read)\b")
_ROW = re.compile(
    r"\s*(?:(?P<name>Total Transferred|Total Throughput|Total Duration|Number of Errors)"
    r"|(?:Write|Read) times (?P<time>Max|Min|Avg|\d{2}(?:\.\d+)?)(?:th %ile)?):\s*(?P<value>[\d.]+)"
)
_SIZE = re.compile(r"\s*objectSize:\s*(?P<size>[\d.]+) MB")
_BESIDE = re.compile(r"\s*(?:-{4,}|Test parameters|(?:endpoint|bucket|objectName|objectSize|num\w+|verbose)\S*:.*)\s*$")


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The summaries of a run, with the parameters that stand right above them."""
    at = 0
    while at < len(lines):
        first, end = at, at + 1
        if _HEAD.match(lines[at][:_LONGEST_LINE]):
            while first and _is_beside(lines[first - 1]):
                first -= 1
            while end < len(lines) and (_is_beside(lines[end]) or _ROW.match(lines[end]) or _HEAD.match(lines[end])):
                end += 1
            yield first, end
        at = end


def _is_beside(line: str) -> bool:
    return len(line) <= _LONGEST_LINE and (not line.strip() or _BESIDE.match(line) is not None)


def read(text: str) -> tuple[Result, ...]:
    """One result a summary. Raises UnreadableFile where there is none."""
    lines = text.split("\n")
    results: list[Result] = []
    for first, end in find(lines):
        sizes = [match["size"] for line in lines[first:end] if (match := _SIZE.match(line))]
        size = scaled(number(sizes[0]), MIB) if len(set(sizes)) == 1 else None
        heads = [at for at in range(first, end) if _HEAD.match(lines[at])]
        for top, below in zip(heads, [*heads[1:], end], strict=True):
            results.append(_result(lines[top:below], size, Source(reader=NAME, first_line=top + 1, last_line=below)))
    return required(results, "no summary of s3bench in this text")


def _result(lines: Sequence[str], size: float | None, source: Source) -> Result:
    rows = [match for line in lines if (match := _ROW.match(line[:_LONGEST_LINE]))]
    totals = {match["name"]: number(match["value"]) for match in rows if match["name"]}
    times = {match["time"]: number(match["value"]) for match in rows if match["time"]}
    way = next(match["way"] for line in lines if (match := _HEAD.match(line)))
    return Result(
        tool=NAME,
        op=way.lower(),
        block_bytes=int(size) if size else None,
        bandwidth_bytes_per_s=scaled(totals.get("Total Throughput"), MIB),
        latency=latency(
            min_s=times.get("Min"),
            mean_s=times.get("Avg"),
            max_s=times.get("Max"),
            percentiles_s={float(key): value for key, value in times.items() if key[0].isdecimal()},
        ),
        runtime_s=totals.get("Total Duration"),
        source=source,
    )
