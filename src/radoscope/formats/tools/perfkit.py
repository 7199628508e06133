"""What PerfKit Benchmarker prints of fio: one metric a line, with the job's options behind it; one result a job and
direction. Its KB are KiB, as in fio's terse lines, from which it has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from radoscope import patterns as re
from radoscope.formats.fio.words import block_size, load_of, operation, whole
from radoscope.formats.grammar.blocks import required
from radoscope.formats.grammar.quantities import latency, number, scaled
from radoscope.records.measurement import Result, Source

NAME = "perfkit"
SIGNS = ('fio_job="',)

_LONGEST_LINE = 1000
_METRIC = re.compile(
    r"\s{1,8}(?P<job>[\w.-]{1,80}):(?P<way>read|write|trim):(?P<name>bandwidth|iops|latency)"
    r"(?::(?P<point>min|max|mean|stddev|p\d{1,2}(?:\.\d{1,4})?))?\s+(?P<value>\d{1,15}(?:\.\d{1,9})?)"
    r"(?:\s(?P<unit>KB/s|usec))?\s+\((?P<told>\w+=\".{1,800})\)\s*"
)
_OPTION = re.compile(r"\b(?P<name>blocksize|iodepth|numjobs|rw)=\"(?P<value>[^\"]{1,40})\"")
_MEAN = "mean"


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The lines of one direction of a job."""
    first, last, seen = -1, None, set[tuple[str, str | None]]()
    for at, line in enumerate(lines):
        match = _METRIC.fullmatch(line) if 'fio_job="' in line[:_LONGEST_LINE] else None
        job = (match["job"], match["way"]) if match else None
        name = (match["name"], match["point"]) if match else ("", None)
        if first >= 0 and (job != last or name in seen):
            yield first, at
            first = -1
        if match and first < 0:
            first, last, seen = at, job, set()
        seen.add(name)
    if first >= 0:
        yield first, len(lines)


def read(text: str) -> tuple[Result, ...]:
    """One result a job and direction. Raises UnreadableFile where there is none."""
    lines = text.split("\n")
    results = [
        _result([match for line in lines[first:end] if (match := _METRIC.fullmatch(line))], first, end)
        for first, end in find(lines)
    ]
    return required(results, "no metrics of fio as PerfKit Benchmarker prints them in this text")


def _result(rows: Sequence[re.Match[str]], first: int, end: int) -> Result:
    values = {(row["name"], row["point"]): number(row["value"]) for row in rows}
    times = {point or _MEAN: scaled(value, 1e-6) for (name, point), value in values.items() if name == "latency"}
    options = {match["name"]: match["value"] for match in _OPTION.finditer(rows[0]["told"])}
    way = rows[0]["way"]
    return Result(
        tool="fio",
        op=operation(load_of(options.get("rw")), way),
        block_bytes=block_size(options.get("blocksize"), way),
        queue_depth=whole(options.get("iodepth")),
        jobs=whole(options.get("numjobs")),
        iops=values.get(("iops", None)),
        bandwidth_bytes_per_s=scaled(values.get(("bandwidth", None)), 1024),
        latency=latency(
            min_s=times.get("min"),
            mean_s=times.get(_MEAN),
            max_s=times.get("max"),
            stddev_s=times.get("stddev"),
            percentiles_s={float(point[1:]): value for point, value in times.items() if point[1:2].isdecimal()},
        ),
        source=Source(reader=NAME, first_line=first + 1, last_line=end),
        extra={"jobname": rows[0]["job"]},
    )
