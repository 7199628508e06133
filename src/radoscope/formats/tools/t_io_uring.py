"""fio's `t/io_uring`: what a drive reads at most. A line a second; a run is the mean of its lines, not their maximum,
unless that is all that somebody kept of it.

It only reads, at random unless `-R0` says otherwise; so the lines alone, without their command, name no operation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from statistics import fmean

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required
from radoscope.formats.grammar.command_lines import nearest, size
from radoscope.formats.grammar.phrases import heading_of
from radoscope.formats.grammar.quantities import MIB, count
from radoscope.records.measurement import Result, Source

NAME = "t-io_uring"
SIGNS = ("IOS/call=", "Maximum IOPS=")
LOOKS_BACK = 60
COMMAND_HOLDS = True
""" "before:" and "after:" below one command."""

_LONGEST_LINE = 400
_SAMPLE = re.compile(
    r"\W{0,12}IOPS=(?P<iops>\d{1,9}(?:\.\d+)?)(?P<times>[KM]?)"
    r"(?:, BW=(?P<rate>\d{1,9}(?:\.\d+)?)(?P<unit>[MG]iB)/s)?, IOS/call=-?\d+/-?\d+"
)
_BESIDE = re.compile(
    r"\W*$|\W{0,12}(?:Exiting on |Maximum IOPS=|\^C|(?:polled|Engine|submitter)=|Added file |\d+: Latency percentiles|"
    r"percentiles \(|\| +\d)"
)
_ENDS = re.compile(r"\W{0,12}(?:Exiting on |Maximum IOPS=|\^C)")
_MAXIMUM = re.compile(r"\W{0,12}Maximum IOPS=(?P<iops>\d{1,9})(?P<times>[KM]?)\s*")
_COMMAND = re.compile(r"\bio_uring\s(?P<arguments>\s*-\w.*)")
_OPTION = re.compile(r"(?:^|\s)-(\w)\s*(\w+)")
_SUBMITTER = re.compile(r"\bsubmitter[ =](\d+)\b")
_DEPTH = re.compile(r"\bQD=(\d+)")
_TIMES = {"": 1.0, "K": 1e3, "M": 1e6}
_UNITS = {"MiB": MIB, "GiB": 1000 * MIB}
"""It divides MiB by 1000 to print its GiB."""


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges: the lines of a run from its first second to what it says at its end."""
    first, last, has_ended = -1, -1, False
    for at, line in enumerate([*lines, "end"]):
        line = line[:_LONGEST_LINE]
        is_sample = "IOS/call=" in line and _SAMPLE.match(line) is not None
        if first >= 0 and ((has_ended and is_sample) or not (is_sample or _BESIDE.match(line)) or not line.strip()):
            yield first, last + 1
            first, has_ended = -1, False
        if is_sample:
            first, last = (first if first >= 0 else at), at
        elif first >= 0 and _BESIDE.match(line):
            last, has_ended = at, has_ended or _ENDS.match(line) is not None
        elif "Maximum" in line and _MAXIMUM.fullmatch(line):
            yield at, at + 1


def read(text: str) -> tuple[Result, ...]:
    """One result a run. Raises UnreadableFile where there is none."""
    lines = text.split("\n")
    results = (_run(lines, first, end) for first, end in find(lines))
    return required(results, "no run of t/io_uring in this text", "It prints `IOPS=..., IOS/call=...` once a second.")


def _run(lines: Sequence[str], first: int, end: int) -> Result:
    own = [line[:_LONGEST_LINE] for line in lines[first:end]]
    samples = [match for line in own if (match := _SAMPLE.match(line))] or [*filter(None, map(_MAXIMUM.fullmatch, own))]
    above = "\n".join(lines[max(0, first - LOOKS_BACK) : first]).replace("\\\n", " ").split("\n")
    command = nearest(above, _COMMAND)
    asked = dict(_OPTION.findall(command["arguments"])) if command else {}
    start = "\n".join(takewhile(str.strip, (line[:_LONGEST_LINE] for line in reversed(above))))
    depth = _DEPTH.search(start)
    iops = fmean(float(each["iops"]) * _TIMES[each["times"]] for each in samples)
    rated = [each.groupdict() for each in samples]
    rates = [float(each["rate"]) * _UNITS[each["unit"]] for each in rated if each.get("rate")]
    told = ("op", "block_bytes", "queue_depth", "jobs") if command else ()
    return Result(
        tool=NAME,
        op=_operation(asked) if command else _told(above),
        block_bytes=size(asked.get("b", "4096")) if command else _power_of_two(rates, iops),
        queue_depth=count(depth[1]) if depth else count(asked.get("d", 128)) if command else None,
        jobs=count(asked.get("n")) or len(set(_SUBMITTER.findall(start))) or None,
        iops=iops,
        bandwidth_bytes_per_s=fmean(rates) if len(rates) == len(samples) else None,
        source=Source(reader=NAME, first_line=first + 1, last_line=end),
        context=told,
    )


def _operation(asked: Mapping[str, str]) -> str | None:
    """What its command asks for; with -N1 nothing reaches the drive."""
    if asked.get("N", "0") != "0":
        return None
    return "read" if asked.get("R") == "0" else "randread"


def _told(above: Sequence[str]) -> str | None:
    """ "My usual test, which is polled random reads": what the text above says, where it names one direction."""
    loads = {(phrase.load.random, phrase.load.way) for phrase in map(heading_of, above) if len(phrase.ways) == 1}
    return "randread" if loads == {(True, "read")} else None


def _power_of_two(rates: Sequence[float], iops: float) -> int | None:
    """The block size whose I/Os make these rates; both are rounded to three digits or more."""
    sizes = [2**exponent for exponent in range(9, 23)]
    return next((size for size in sizes if rates and iops and abs(fmean(rates) / iops / size - 1) < 0.02), None)
