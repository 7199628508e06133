"""SeaweedFS' `weed benchmark`: one result a phase, which writes files or reads them at random. Its Kbytes are KiB.

Its report has the words of ApacheBench, and a head of its own; without that, the names of its times tell it from one of
ApacheBench, and a line above, as in READMEs, tells what was done.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required
from radoscope.formats.grammar.command_lines import nearest, option, size
from radoscope.formats.grammar.phrases import heading_of
from radoscope.formats.grammar.quantities import count, latency, number, scaled
from radoscope.records.measurement import Result, Source

NAME = "weed-benchmark"
SIGNS = ("ing Benchmark", "Concurrency Level")
COMMAND_HOLDS = True
LOOKS_BACK = 200

_LONGEST_LINE = 400
_HEAD = re.compile(r"[\W_]{0,40}(?P<way>Writing|Randomly Reading) Benchmark[\W_]{0,40}")
_DEFAULT_SIZE = "1024"
_ROW = re.compile(
    r"\W{0,8}(?P<name>Concurrency Level|Time taken for tests|Completed? requests|Failed requests|Total transferred"
    r"|Requests per second|Transfer rate)\s{0,40}[:：]\s{0,40}(?P<value>[\d.]{1,20})\b.{0,20}"
)
_TIMES = re.compile(r"\W{0,8}Total:" + r"\s{1,40}([\d.]{1,20})" * 4 + r"\s*")
"""min, avg, max, std; in milliseconds, as the line above says."""
_PERCENTILE = re.compile(r"\W{0,8}(?P<percent>\d{1,3}(?:\.\d{1,3})?)%\s{1,20}(?P<value>[\d.]{1,20}) ms\s*")
_PROGRESS = re.compile(r"\W{0,8}Completed \d{1,12} of \d{1,12} requests, [\d.]{1,8}%")
_BESIDE = re.compile(
    r"\s*|\W{0,40}(?:Connection Times \(ms\)|min\s+avg\s+max\s+std|Percentage of the requests served within .{1,40})\s*"
)
_TITLE_WITHIN = 3
_OWN_TIMES = re.compile(r"\s*min\s+avg\s+max\s+std\s*")
_COMMAND = re.compile(r"\bweed\s+benchmark\s(?P<arguments>[^'\"`]{0,390})")


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges: a phase from its head, or without one from its first row, to the last line of its report."""
    at = 0
    while at < len(lines):
        line = lines[at]
        is_headed = "Benchmark" in line and _HEAD.fullmatch(line[:_LONGEST_LINE]) is not None
        if is_headed or ("Concurrency Level" in line and _ROW.match(line[:_LONGEST_LINE])):
            end, is_report = _end_of(lines, at, is_headed=is_headed)
            if is_report and (is_headed or _title(lines, at)):
                yield at, end
            at = end
        else:
            at += 1


def _end_of(lines: Sequence[str], first: int, *, is_headed: bool) -> tuple[int, bool]:
    """Behind the last line of what begins here, and whether it is a report of this tool: it tells a rate."""
    last, is_rated, is_own = first, False, is_headed
    for below in range(first + 1, len(lines)):
        row = lines[below][:_LONGEST_LINE]
        is_own = is_own or _OWN_TIMES.fullmatch(row) is not None
        if "Concurrency Level" in row and not is_headed:
            break
        if any(pattern.match(row) for pattern in (_ROW, _TIMES, _PERCENTILE, _PROGRESS)):
            last, is_rated = below, is_rated or "Requests per second" in row
        elif not _BESIDE.fullmatch(row):
            break
    return last + 1, is_rated and is_own


def _title(lines: Sequence[str], first: int) -> str:
    """The nearest line of words above a report without a head, if it names a direction; else ""."""
    above = (line.strip() for line in reversed(lines[max(0, first - _TITLE_WITHIN) : first]))
    title = next((line for line in above if any(map(str.isalnum, line))), "")[:_LONGEST_LINE]
    return title if heading_of(title).load.way in ("read", "write") else ""


def remains(lines: Sequence[str]) -> Iterator[int]:
    """Seconds of a run."""
    return (at for at, line in enumerate(lines) if "requests, " in line and _PROGRESS.match(line[:_LONGEST_LINE]))


def read(text: str) -> tuple[Result, ...]:
    """Every phase of the text. Raises UnreadableFile where there is none."""
    lines = text.split("\n")
    results = (_read(lines, first, end) for first, end in find(lines))
    return required(results, "no report of weed benchmark in this text", "It says `Requests per second:`.")


def _read(lines: Sequence[str], first: int, end: int) -> Result:
    own = [line[:_LONGEST_LINE] for line in lines[first:end]]
    head = _HEAD.fullmatch(own[0])
    rows = {row["name"].replace("Completed", "Complete"): row["value"] for row in map(_ROW.match, own) if row}
    times = next((match for line in own if (match := _TIMES.match(line))), None)
    least, mean, most, deviation = map(_ms, times.groups()) if times else (None,) * 4
    shares = {float(row["percent"]): _ms(row["value"]) for row in map(_PERCENTILE.match, own) if row}
    command = nearest(lines[max(0, first - LOOKS_BACK) : first], _COMMAND)
    asked = command["arguments"] if command else ""
    block = size(option(asked, "-size", "--size") or _DEFAULT_SIZE) if command else None
    op = _operation(head["way"], asked) if head else heading_of(_title(lines, first)).load.op
    return Result(
        tool=NAME,
        op=op,
        block_bytes=block,
        jobs=count(number(rows.get("Concurrency Level", ""))) or None,
        iops=number(rows["Requests per second"]),
        bandwidth_bytes_per_s=scaled(number(rows.get("Transfer rate", "")), 1024),
        latency=latency(
            min_s=least,
            mean_s=mean,
            max_s=most,
            stddev_s=deviation,
            percentiles_s={share: value for share, value in shares.items() if value is not None and share < 100},
        ),
        total_ios=count(number(rows.get("Complete requests", ""))),
        runtime_s=number(rows.get("Time taken for tests", "")),
        source=Source(reader=NAME, first_line=first + 1, last_line=end),
        context=(*(() if head else ("op",)), *(("block_bytes",) if block else ())),
    )


def _operation(way: str, asked: str) -> str:
    """The head of reads is the same where they were asked for in order."""
    return "write" if way == "Writing" else "read" if "-readSequentially" in asked else "randread"


def _ms(text: str) -> float | None:
    return scaled(number(text), 1e-3)
