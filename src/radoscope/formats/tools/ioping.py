"""`ioping`: one request at a time. `completed in` adds up the requests' own times; its iops are 1 / latency."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required, with_above
from radoscope.formats.grammar.command_lines import nearest
from radoscope.formats.grammar.phrases import heading_of
from radoscope.formats.grammar.quantities import latency, number, prefixed, seconds, series
from radoscope.records.measurement import Result, Series, Source

NAME = "ioping"
LOOKS_BACK = 4
SIGNS = ("requests completed in", "requests in", "min/avg/max/mdev")

_LONGEST_LINE = 400
_STATISTICS = re.compile(r"\s*---\s.{1,300}\sioping statistics\s+---")
_REQUEST = re.compile(
    r"\s*(?P<size>[\d.]+)\s?(?P<unit>[KMGkmg]?i?[Bb](?:ytes)?)\s+(?:(?P<way><<<|>>>)|from|to)\s.{1,300}?"
    r"request=(?P<number>\d+)\s+time=(?P<time>[\d.]+)\s?(?P<time_unit>[num]?s|min)(?P<warm>.{0,3}\(warmup\))?"
)
_COMPLETED = re.compile(
    r"\s*(?:---\s.{1,300}?\sioping statistics\s+---\s*)?"
    r"(?:generated )?(?P<count>[\d.]+)(?P<scale> [kKMG])? requests (?:completed )?in "
    r"(?P<time>[\d.]+) ?(?P<time_unit>[num]?s|min|hours?|days?),\s*"
    r"(?:(?P<amount>[\d.]+) ?(?P<amount_unit>[KMGTkmgt]?i?[bB])(?:ytes)?"
    r"(?: (?P<way>read|written|requested)?)?,\s*)?"
    r"(?P<rate>[\d.]+)(?P<rate_scale> [kKMG])? iops,\s*(?P<bandwidth>[\d.]+) ?(?P<unit>[KMGTkmgt]?i?[bB])(?:ytes)?/s"
)
_TIMES = re.compile(r"\s*min/avg/max/mdev = (?P<values>(?:[\d.]+(?: ?[num]?s)? ?/ ?){3}[\d.]+ ?[num]?s)")
_LONE_TIMES = re.compile(
    r"(?:\W{0,8}(?P<name>[^\W\d][\w ./()-]{0,40}?)(?::| ?[-=]>)\s)?\s*"
    r"(?P<times>min/avg/max/mdev = (?:[\d.]+ ?[num]?s / ){3}.*)"
)
"""Its own, for each has a unit, unlike those of ping; who kept nothing else may have put a name in front."""
_REST = re.compile(r"\s*(?:[\d.]+ )?(?:[kKMG] )?(?:iops, )?(?:[\d.]+ )?(?:[KMGT]?i?B/s|iops, .*)\s*$")
"""Of a line that a mail has broken."""
_LABEL = re.compile(r"\W*ioping\W+(?P<what>[a-z][a-z ]{3,40})\W*$", re.IGNORECASE)
"""What a script writes above the lines that it kept: "ioping: sequential read speed"."""
_COMMAND = re.compile(r"\bioping\b(?P<arguments>(?:\s.*)?)$")

_IN_ORDER = re.compile(r"\s-[A-Za-z]{0,8}L|\s--linear\b")
"""Also where `-R` asks for its rate: requests one behind the other, of 256 KiB."""


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges: requests where they are printed, statistics, times."""
    first: int | None = None
    quiet = end = 0
    for at, line in enumerate(lines):
        line = line[:_LONGEST_LINE]
        if at < end:
            continue
        if "requests " in line and _completed(lines, at):
            end = _end(lines, at)
            yield at if first is None else first, end
            first = None
        elif _TIMES.match(line) and _label(lines[:at][-1:]):
            yield at, at + 1
            first = None
        elif "mdev = " in line and _LONE_TIMES.match(line):
            yield at if first is None else first, at + 1
            first = None
        elif ("request=" in line and _REQUEST.match(line)) or ("ioping" in line and _STATISTICS.match(line)):
            first, quiet = at if first is None else first, 0
        elif line.strip():
            quiet += 1
            first = None if quiet > 3 else first


def _completed(lines: Sequence[str], at: int) -> re.Match[str] | None:
    """What was completed; a mail may have broken the line before its last word or two."""
    line = lines[at][:_LONGEST_LINE]
    if "requests " not in line:
        return None
    rest = next(iter(lines[at + 1 : at + 2]), "")[:_LONGEST_LINE]
    return _COMPLETED.match(line) or (_COMPLETED.match(f"{line.rstrip()} {rest.lstrip()}") if rest.strip() else None)


def _end(lines: Sequence[str], at: int) -> int:
    """Behind the times that follow the line of what was completed, and behind what was generated."""
    end = at + 1
    for below in range(at + 1, min(at + 6, len(lines))):
        line = lines[below][:_LONGEST_LINE]
        if _STATISTICS.match(line) or "requests completed in" in line:
            break  # of the next run
        if _TIMES.match(line) or _REST.match(line) or (line.lstrip().startswith("generated ")):
            end = below + 1
    return end


def _label(lines: Sequence[str]) -> str | None:
    """What is written right above the lines that a script kept."""
    match = _LABEL.match(lines[-1][:_LONGEST_LINE]) if lines else None
    return match["what"] if match else None


def read(text: str) -> tuple[Result, ...]:
    """Every run of the text. Raises UnreadableFile where there is none."""
    lines = text.splitlines()
    results = (_read_run(lines, *block) for block in with_above(lines, find(lines), LOOKS_BACK))
    return required(results, "no statistics of ioping in this text", "They say `... requests completed in ...`.")


def _read_run(lines: Sequence[str], first: int, end: int, before: Sequence[str]) -> Result:
    block = [line[:_LONGEST_LINE] for line in lines[first:end]]
    completed = next((match for at in range(len(block)) if (match := _completed(block, at))), None)
    requests = [match for line in block if (match := _REQUEST.match(line))]
    alone = None if completed else _LONE_TIMES.match(block[-1])
    block = [*block[:-1], alone["times"]] if alone else block
    times = next((match for line in block if (match := _TIMES.match(line))), None)
    low, mean, high, deviation = _four_times(times["values"]) if times else (None, None, None, None)
    command = nearest(before, _COMMAND)
    asked = command["arguments"] if command else ""
    label, way = _label(before), completed["way"] if completed else None
    result = Result(
        tool=NAME,
        op=_named(label) if label else _way_in(alone) or _operation(way, requests, asked),
        block_bytes=_block(requests, completed),
        queue_depth=1,
        latency=latency(min_s=low, mean_s=mean, max_s=high, stddev_s=deviation),
        series=_series(requests),
        source=Source(reader=NAME, first_line=first + 1, last_line=end),
        context=("op", "queue_depth"),
        extra={"label": alone["name"]} if alone and alone["name"] else {},
    )
    return _with_rates(result, completed) if completed else result


def _with_rates(result: Result, completed: re.Match[str]) -> Result:
    total = _part(completed, "count")
    return replace(
        result,
        iops=prefixed(completed["rate"], (completed["rate_scale"] or "").strip(), 1000.0),
        bandwidth_bytes_per_s=prefixed(completed["bandwidth"], completed["unit"], 1024.0),
        total_ios=None if total is None else round(total),
        runtime_s=seconds(number(completed["time"]), completed["time_unit"]),
    )


def _way_in(alone: re.Match[str] | None) -> str | None:
    return heading_of(alone["name"]).load.op if alone and alone["name"] else None


def _named(label: str) -> str | None:
    """ "seek rate" is ioping's name of random reads."""
    return "randread" if "seek" in label.lower() else heading_of(label).load.op


def _four_times(text: str) -> tuple[float | None, ...]:
    """ "155.8 us / 255.3 us / 502.6 us / 126.1 us", or older "0.6/0.9/1.2/0.2 ms"."""
    times = re.findall(r"([\d.]+) ?([a-z]*)", text)
    last_unit = times[-1][1]
    return tuple(seconds(number(value), unit or last_unit) for value, unit in times)


def _operation(way: str | None, requests: Sequence[re.Match[str]], arguments: str) -> str | None:
    writes = way == "written" or any(each["way"] == ">>>" for each in requests) or re.search(r"\s-\w*W", arguments)
    random = re.search(r"\s-[A-Za-z]*R", arguments) is not None and not _IN_ORDER.search(arguments)
    if re.search(r"\s-\w*G", arguments):
        return "randrw" if random else "rw"
    return ("rand" if random else "") + ("write" if writes else "read")


def _block(requests: Sequence[re.Match[str]], completed: re.Match[str] | None) -> int | None:
    """The size of a request; where none is printed, the power of two near bytes (rounded) over requests."""
    if requests:
        size = prefixed(requests[0]["size"], requests[0]["unit"], 1024.0)
        return None if size is None else round(size) or None
    if completed is None:
        return None
    parts = ("rate", "bandwidth") if completed["amount"] is None else ("count", "amount")
    total, amount = (_part(completed, each) for each in parts)
    if not amount or not total:
        return None
    mean = amount / total
    near = 2 ** round(mean).bit_length() if mean >= 1 else 0
    candidates = [each for each in (near, near // 2) if each and abs(mean / each - 1) < 0.02]
    return candidates[0] if candidates else None


_UNITS = {"count": "scale", "rate": "rate_scale", "amount": "amount_unit", "bandwidth": "unit"}


def _part(completed: re.Match[str], name: str) -> float | None:
    """One of its numbers; versions before 0.9 print no amount."""
    base = 1024.0 if name in ("amount", "bandwidth") else 1000.0
    return prefixed(completed[name], (completed[_UNITS[name]] or "").strip(), base)


def _series(requests: Sequence[re.Match[str]]) -> tuple[Series, ...]:
    times = (
        (float(each["number"]), seconds(number(each["time"]), each["time_unit"]))
        for each in requests
        if not each["warm"]
    )
    return series("latency_s", "s", times)
