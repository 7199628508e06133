"""HD Tune's benchmark, copied as text: the rate of its sequential reads, or writes, over a whole drive.

Its access time is that of other, random reads, and no latency of these; its burst rate is that of a cache.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required
from radoscope.formats.grammar.quantities import bytes_per_s, number
from radoscope.records.extra import Extra, known
from radoscope.records.measurement import Result, Source

NAME = "hdtune"
SIGNS = ("HD Tune",)

_LONGEST_LINE = 300
_LONGEST_REPORT = 14
_HEAD = re.compile(r"\s*HD Tune(?: Pro)?\s*(?:\d[\d.]*)?\s*:\s*(?P<drive>.{1,80}?)(?:\s+Benchmark)?\s*$")
_WRITES = re.compile(r"\s*Write transfer rate\s*$", re.IGNORECASE)
_RATE = re.compile(
    r"\s*Transfer Rate (?P<what>Minimum|Maximum|Average)\s*:\s*(?P<rate>[\d.,]+)\s*(?P<unit>[kMG]B/s)", re.IGNORECASE
)
_MORE = re.compile(r"\s*(?:Access Time|Burst Rate|CPU Usage|Test capacity|Read transfer rate)\b", re.IGNORECASE)


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges: from the name of the drive to the last line of its report."""
    for at, line in enumerate(lines):
        if len(line) <= _LONGEST_LINE and "HD Tune" in line and _HEAD.match(line):
            end, has_rate = at + 1, False
            for below in range(at + 1, min(len(lines), at + _LONGEST_REPORT)):
                text = lines[below][:_LONGEST_LINE]
                if text.strip() and not (_RATE.match(text) or _MORE.match(text) or _WRITES.match(text)):
                    break
                has_rate = has_rate or _RATE.match(text) is not None
                end = below + 1 if text.strip() else end
            if has_rate:
                yield at, end


def read(text: str) -> tuple[Result, ...]:
    """The mean rate of each report, bytes/s. Raises UnreadableFile where there is none."""
    lines = text.split("\n")
    results = (result for first, end in find(lines) if (result := _read_report(lines, first, end)) is not None)
    return required(results, "no report of HD Tune in this text", "It has a line `Transfer Rate Average : ... MB/s`.")


def _read_report(lines: Sequence[str], first: int, end: int) -> Result | None:
    head = _HEAD.match(lines[first])
    rates = {
        match["what"].lower(): bytes_per_s(value, match["unit"])
        for line in lines[first:end]
        if (match := _RATE.match(line[:_LONGEST_LINE])) and (value := number(match["rate"])) is not None
    }
    if head is None or (mean := rates.get("average")) is None:
        return None
    extra: Extra = {"label": head["drive"]}
    extra |= known({"bw_min_bytes_per_s": rates.get("minimum"), "bw_max_bytes_per_s": rates.get("maximum")})
    return Result(
        tool=NAME,
        op="write" if any(map(_WRITES.match, lines[first:end])) else "read",
        bandwidth_bytes_per_s=mean,
        source=Source(reader=NAME, first_line=first + 1, last_line=end),
        extra=extra,
    )
