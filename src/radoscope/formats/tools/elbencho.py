"""`elbencho`: one result a phase that reads or writes. The last column counts: all threads were done.

The command line above gives block size, threads and depth; its rates are MiB/s.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from radoscope import patterns as re
from radoscope.errors import UnreadableFile
from radoscope.formats.grammar.command_lines import nearest, option, size
from radoscope.formats.grammar.quantities import MIB, count, duration, latency, number, scaled, seconds
from radoscope.records.measurement import Latency, Result, Source

NAME = "elbencho"
COMMAND_HOLDS = True
LOOKS_BACK = 40
SIGNS = ("Elapsed time", "Elapsed ms")

_LONGEST_LINE = 400
_HEAD = re.compile(r"\s*OPERATION\s+RESULT TYPE\s+FIRST DONE\s+LAST DONE|\s*=+ =+\s+=+\s+=+\s*$")
_PHASE = re.compile(
    r"\s*(?P<phase>[A-Z][A-Z0-9]{2,15})\s+(?P<key>Elapsed (?:time|ms))\s*:\s*(?P<first>\S+)\s+(?P<last>\S+)\s*$"
)
_ROW = re.compile(r"\s*(?P<key>[A-Za-z][\w/ .%-]{2,20}?)\s*:\s*(?P<first>[\d.]+)\s+(?P<last>[\d.]+)\s*$")
_TIMES = re.compile(
    r"\s*(?P<what>IO|Ent\w*|File\w*"
    r"|Object\w*) latency(?P<unit> us)?\s*:\s*\[\s*min=(?P<min>\S+)\s+avg=(?P<avg>\S+)\s+max=(?P<max>\S+)\s*\]"
)
_MORE = re.compile(r"\s*(?:[A-Za-z][\w/ .%-]{2,24}:\s*\[.*\]|---\s*$|.{0,40}latency (?:%ile|perc|hist))", re.IGNORECASE)
_COMMAND = re.compile(r"\belbencho\b(?P<arguments>.*)")
_WAYS = {"READ": "read", "WRITE": "write", "RWMIX": "rw", "GET": "read", "PUT": "write"}


@dataclass(slots=True)
class _Phase:
    name: str
    first: int
    end: int
    rows: dict[str, tuple[str, str]] = field(default_factory=dict)
    times: Latency | None = None


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges of phases; those that make or remove files are claimed too."""
    for phase in _phases(lines):
        first = phase.first
        while first > 0 and phase.first - first < 2 and _HEAD.match(lines[first - 1][:_LONGEST_LINE]):
            first -= 1
        yield first, phase.end


def read(text: str) -> tuple[Result, ...]:
    """The rates of each phase that moves data. Raises UnreadableFile where no phase is."""
    lines = text.split("\n")
    phases = list(_phases(lines))
    if not phases:
        raise UnreadableFile("no phase of elbencho in this text")
    return tuple(_read(phase, lines[max(0, phase.first - 60) : phase.first]) for phase in phases if phase.name in _WAYS)


def _phases(lines: Sequence[str]) -> Iterator[_Phase]:
    phase: _Phase | None = None
    for at, line in enumerate(lines):
        line = line[:_LONGEST_LINE]
        if match := _PHASE.match(line):
            if phase is not None:
                yield phase
            phase = _Phase(match["phase"], at, at + 1, {match["key"].lower(): (match["first"], match["last"])})
        elif phase is not None and line.strip():
            if match := _ROW.match(line):
                phase.rows[match["key"].lower()] = (match["first"], match["last"])
            elif match := _TIMES.match(line):
                phase.times = phase.times if match["what"] != "IO" and phase.times else _latency(match)
            elif not _MORE.match(line):
                yield phase
                phase = None
                continue
            phase.end = at + 1
            if line.strip() == "---":
                yield phase
                phase = None
    if phase is not None:
        yield phase


def _latency(match: re.Match[str]) -> Latency | None:
    def time(text: str) -> float | None:
        parts = re.fullmatch(r"([\d.]+)(\D*)", text)
        return seconds(number(parts[1]), parts[2] or match["unit"] or "") if parts else None

    return latency(min_s=time(match["min"]), mean_s=time(match["avg"]), max_s=time(match["max"]))


def _read(phase: _Phase, before: Sequence[str]) -> Result:
    def last(key: str) -> float | None:
        return number(phase.rows[key][1]) if key in phase.rows else None

    command = nearest(before, _COMMAND)
    arguments = command["arguments"].replace('"', "") if command else ""
    block, threads = option(arguments, "-b", "--block"), option(arguments, "-t", "--threads")
    depth = option(arguments, "--iodepth")
    random = re.search(r"\s--rand(?:align)?\b", arguments) is not None
    way, rate = _WAYS[phase.name], last("throughput mib/s")
    context = [name for name, value in (("block_bytes", block), ("jobs", threads), ("queue_depth", depth)) if value]
    return Result(
        tool=NAME,
        op=("rand" if random else "") + way,
        block_bytes=size(block) if block else None,
        queue_depth=int(depth) if depth and depth.isdecimal() else None,
        jobs=int(threads) if threads and threads.isdecimal() else None,
        iops=last("iops") or last("objects/s"),
        bandwidth_bytes_per_s=scaled(rate, MIB),
        latency=phase.times,
        total_ios=None if "iops" in phase.rows else count(last("objects total")),
        runtime_s=_elapsed(phase),
        source=Source(reader=NAME, first_line=phase.first + 1, last_line=phase.end),
        context=tuple(context),
    )


def _elapsed(phase: _Phase) -> float | None:
    """ "2m5.755s", "82ms", or plain milliseconds."""
    if "elapsed ms" in phase.rows:
        return scaled(number(phase.rows["elapsed ms"][1]), 1e-3)
    return duration(phase.rows["elapsed time"][1])
