"""fio's terse output, versions 2 to 5 (`--minimal`, `--output-format=terse`): one line of semicolons a job or group.

Bandwidth is KiB/s, latencies are usec, the runtime is msec. The line says neither block size nor queue depth, nor
whether the load was random.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from radoscope import patterns as re
from radoscope.formats.fio.text_words import block_sizes
from radoscope.formats.fio.words import DIRECTIONS, load_of, operation
from radoscope.formats.grammar.blocks import required
from radoscope.formats.grammar.quantities import scaled
from radoscope.records.extra import RATES, Extra
from radoscope.records.measurement import Latency, Result, Source

NAME = "fio_terse"

_OPENING = re.compile(
    r"(?<![\w;.])(?:(?P<version>[345]);fio-(?P<fio>\d[^;\s]{0,40});|(?P<two>2);)"
    r"(?P<name>[^;\n]{1,200});(?P<group>\d{1,6});(?P<error>-?\d{1,6});(?=\d)"
)
_REST_OF_LINE = re.compile(r"[\s\d.;%=a-zA-Z/_+-]{2,4000}")
_HEADING = re.compile(
    r"\s{0,8}(?P<name>[^:\n]{1,200}): \(g=\d{1,5}\): rw=(?P<rw>\w{1,20}), bs=(?P<sizes>[^=]{1,200}), "
    r"ioengine=[^,\s]{1,60}, iodepth=(?P<depth>\d{1,7})\s*"
)
_NUMBER = re.compile(r"(\d{1,18}(?:\.\d{1,12})?)%?")
_PERCENTILE = re.compile(r"(\d{1,3}(?:\.\d{1,6})?)%=(\d{1,18})")

_FIELDS = 41
_FIELDS_OF_V5 = 47
_PERCENTILES = slice(12, 32)
_LEAST_SEMICOLONS = 45
"""A line with fewer was cut off within its first direction, or is something else."""
_LEAST_SEMICOLONS_OF_REST = 4
_MOST_WRAPS = 60


def recognises(head: str) -> bool:
    return any(line.count(";") >= _LEAST_SEMICOLONS and _OPENING.search(line) for line in head.splitlines())


def read(text: str) -> tuple[Result, ...]:
    """All results, one a line and direction in which I/O was done. Raises UnreadableFile if there is none."""
    lines = text.split("\n")
    results: list[Result] = []
    for first, last in find(lines):
        source = Source(reader=NAME, first_line=first + 1, last_line=last)
        results.extend(_results_of_line("".join(line.strip() for line in lines[first:last]), source))
    return required(results, "there is no terse line of fio with a measured direction in this text")


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Each terse line among other lines; one that was wrapped takes its continuations along."""
    position = 0
    while position < len(lines):
        start = position
        position += 1
        if ";" not in lines[start] or _OPENING.search(lines[start]) is None:
            continue
        semicolons = lines[start].count(";")
        while position < min(len(lines), start + _MOST_WRAPS) and _continues(lines[position]):
            semicolons += lines[position].count(";")
            position += 1
        if semicolons >= _LEAST_SEMICOLONS:
            yield start, position


def _continues(line: str) -> bool:
    if line.count(";") < _LEAST_SEMICOLONS_OF_REST or _OPENING.search(line) is not None:
        return False
    return _REST_OF_LINE.fullmatch(line) is not None


def _results_of_line(line: str, source: Source) -> Iterator[Result]:
    opening = _OPENING.search(line)
    if opening is None:
        return
    fields = line[opening.end() :].split(";")
    version = int(opening["version"] or opening["two"])
    width = _FIELDS_OF_V5 if version == 5 else _FIELDS
    directions = DIRECTIONS if version != 3 else DIRECTIONS[:2]
    extra: Extra = {
        "jobname": opening["name"],
        "group": int(opening["group"]),
        "error": abs(int(opening["error"])),
        "pattern_unknown": True,
    }
    if opening["fio"]:
        extra["version"] = opening["fio"]
    parts = [(direction, fields[place * width : (place + 1) * width]) for place, direction in enumerate(directions)]
    measured = [(direction, part) for direction, part in parts if _did_something(part)]
    if len(measured) > 1:
        extra["mixed"] = True
    for direction, part in measured:
        yield _result(direction, part, version, extra, source)


def told_above(results: Sequence[Result], lines: Sequence[str]) -> Sequence[Result]:
    """The results of terse lines with what the nearest heading of their job says: "name: (g=0): rw=randread, ..."."""
    if not any(map(_is_terse, results)):
        return results
    headings = [(at, each) for at, line in enumerate(lines) if (each := _HEADING.match(line))]
    return [_below(each, headings) if _is_terse(each) else each for each in results]


def _is_terse(result: Result) -> bool:
    return result.source is not None and result.source.reader == NAME


def _below(result: Result, headings: Sequence[tuple[int, re.Match[str]]]) -> Result:
    first = (result.source.first_line if result.source else None) or 0
    above = [each for at, each in headings if at < first and each["name"].strip() == result.extra.get("jobname")]
    if not above:
        return result
    way, sizes = result.op or "", block_sizes(above[-1]["sizes"])
    told: dict[str, Any] = {
        "op": operation(load_of(above[-1]["rw"]), way),
        "block_bytes": sizes.get(way),
        "queue_depth": int(above[-1]["depth"]),
    }
    return replace(result, **told, context=(*result.context, *told))


def _did_something(part: Sequence[str]) -> bool:
    """A direction in which I/O was done; what follows the last direction has no percentiles in their place."""
    if len(part) < 4 or (len(part) > _PERCENTILES.start and _PERCENTILE.fullmatch(part[_PERCENTILES.start]) is None):
        return False
    return any(_number(field) for field in part[:3]) and _number(part[3]) is not None


def _result(direction: str, part: Sequence[str], version: int, shared: Extra, source: Source) -> Result:
    kibibytes, bandwidth, iops, runtime_ms = (_number(field) for field in part[:4])
    completion = _latency(part[8:12], part[_PERCENTILES])
    total = _latency(part[32:36], ())
    extra = shared.copy()
    if kibibytes is not None:
        extra["io_bytes"] = int(kibibytes * 1024)
    if version == 5:
        for key, field in zip(RATES, part[42:46], strict=False):
            if (value := _number(field)) is not None:
                extra[key] = value
    return Result(
        tool="fio",
        op=direction,
        iops=iops,
        bandwidth_bytes_per_s=scaled(bandwidth, 1024),
        latency=completion if total is None else total,
        completion=None if total is None else completion,
        runtime_s=None if runtime_ms is None else runtime_ms / 1000,
        source=source,
        extra=extra,
    )


def _latency(summary: Sequence[str], percentiles: Sequence[str]) -> Latency | None:
    """min, max, mean, deviation in usec; None where it was not measured (all zeros) or not printed."""
    values = [_number(field) for field in summary]
    if len(values) < 4 or not any(values):
        return None
    low, high, mean, deviation = (scaled(value, 1e-6) for value in values)
    return Latency(min_s=low, max_s=high, mean_s=mean, stddev_s=deviation, percentiles_s=_percentiles(percentiles))


def _percentiles(fields: Sequence[str]) -> dict[float, float]:
    matches = (_PERCENTILE.fullmatch(field.strip()) for field in fields)
    read = {float(match[1]): int(match[2]) * 1e-6 for match in matches if match is not None}
    return {percent: value for percent, value in read.items() if 0 < percent <= 100}


def _number(field: str) -> float | None:
    match = _NUMBER.fullmatch(field.strip())
    return float(match[1]) if match else None
