"""`ceph tell osd.N bench`: JSON, and the line that older clusters write to the cluster log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required
from radoscope.formats.grammar.command_lines import nearest
from radoscope.formats.grammar.json_text import find_objects
from radoscope.formats.grammar.quantities import bytes_per_s, count, finite, number, prefixed
from radoscope.records.extra import Extra, known
from radoscope.records.measurement import Latency, Result, Source

NAME = "osd-bench"
LOOKS_BACK = 6
SIGNS = ('"bytes_per_sec"', "bench: wrote ")

_LONGEST_LINE = 1000
_COMMAND = re.compile(r"\btell\s+['\"]?osd\.(?P<osd>\d{1,6})['\"]?\s+bench\b")
_PREFIX = re.compile(r"\s*osd\.(?P<osd>\d{1,6})\b")
_LOGGED = re.compile(
    r"(?:.{0,200}\bosd\.(?P<osd>\d{1,6})\b)?.{0,100}\bbench: wrote "
    r"(?P<bytes>[\d.]+) ?(?P<bytes_unit>[kKMGT]?i?B)(?:ytes)? in blocks "
    r"of (?P<block>[\d.]+) ?(?P<block_unit>[kKMGT]?i?B)(?:ytes)?,? in (?P<time>[\d.]+) sec at "
    r"(?P<rate>[\d.]+) ?(?P<unit>[kKMGT]?i?B/s(?:ec)?)"
    r"(?: (?P<iops>[\d.]+) IOPS)?"
)


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    spans = [(first, end) for first, end, _ in _objects(lines)]
    spans += [(at, at + 1) for at, line in enumerate(lines) if _logged(line)]
    yield from sorted(spans)


def read(text: str) -> tuple[Result, ...]:
    """Every run of the text; the OSD's number is in the command above. Raises UnreadableFile where there is none."""
    lines = text.splitlines()
    results = []
    above = 0
    for first, end, value in _objects(lines):
        osd = _PREFIX.match(lines[first]) or nearest(lines[max(above, first - LOOKS_BACK) : first], _COMMAND)
        source = Source(reader=NAME, first_line=first + 1, last_line=end)
        results.append(_read_object(value, int(osd["osd"]) if osd else None, source))
        above = end
    for at, line in enumerate(lines):
        if match := _logged(line):
            results.append(_read_logged(match, Source(reader=NAME, first_line=at + 1, last_line=at + 1)))
    return required(results, "no result of an OSD's bench in this text", "It is a JSON object with `bytes_per_sec`.")


def read_single_writes(text: str) -> tuple[Result, ...]:
    """Benches of one write each: one result an OSD, with the time of a write and no rate. Raises UnreadableFile."""
    found: dict[int | None, list[Result]] = {}
    for result in read(text):
        found.setdefault(result.extra.get("osd"), []).append(result)
    return tuple(_pooled(results) for results in found.values())


def _pooled(results: Sequence[Result]) -> Result:
    seconds = [time for one in results if (time := _seconds(one))]
    mean = sum(seconds) / len(seconds) if seconds else None
    taken = Latency(min_s=min(seconds, default=None), mean_s=mean, max_s=max(seconds, default=None))
    return replace(
        results[0],
        iops=None,
        bandwidth_bytes_per_s=None,
        runtime_s=None,
        total_ios=len(results),
        latency=replace(taken, samples=len(seconds)),
    )


def _seconds(result: Result) -> float | None:
    """Before Mimic the time is not printed, but follows from the rate."""
    if result.runtime_s is not None or not result.bandwidth_bytes_per_s:
        return result.runtime_s
    return (result.block_bytes or 0) / result.bandwidth_bytes_per_s


def _objects(lines: Sequence[str]) -> Iterator[tuple[int, int, dict[str, Any]]]:
    for first, end, found in find_objects(lines, '"bytes_per_sec"'):
        inner = found.get("osd_bench_results")  # Crimson's
        value = inner if isinstance(inner, dict) else found
        if "bytes_per_sec" in value and ("blocksize" in value or "bytes_written" in value):
            yield first, end, value


def _logged(line: str) -> re.Match[str] | None:
    return _LOGGED.match(line) if "bench: wrote " in line and len(line) <= _LONGEST_LINE else None


def _read_object(value: Mapping[str, Any], osd: int | None, source: Source) -> Result:
    rate, block = finite(value["bytes_per_sec"]), count(value.get("blocksize"))
    iops = finite(value.get("iops"))
    if iops is None and "iops" not in value and rate and block:
        iops = rate / block  # before Nautilus it is not printed
    extra: Extra = {"osd": osd, "bytes": count(value.get("bytes_written"))}
    return _result(block or None, iops, rate, finite(value.get("elapsed_sec")), source, extra)


def _read_logged(match: re.Match[str], source: Source) -> Result:
    """Here a MB is a MiB whether or not it says so (`prettybyte_t`)."""
    block = _bytes(match["block"], match["block_unit"])
    bandwidth = bytes_per_s(number(match["rate"]), match["unit"], mega_is_binary=True)
    iops = number(match["iops"]) if match["iops"] else bandwidth / block if bandwidth and block else None
    extra: Extra = {
        "osd": int(match["osd"]) if match["osd"] else None,
        "bytes": _bytes(match["bytes"], match["bytes_unit"]),
    }
    return _result(block, iops, bandwidth, number(match["time"]), source, extra)


def _bytes(text: str, unit: str) -> int | None:
    value = prefixed(text, unit, 1024.0)
    return None if value is None else int(value) or None


def _result(
    block: int | None,
    iops: float | None,
    rate: float | None,
    runtime: float | None,
    source: Source,
    extra: Extra,
) -> Result:
    return Result(
        tool=NAME,
        op="write",
        block_bytes=block,
        iops=iops,
        bandwidth_bytes_per_s=rate,
        runtime_s=runtime,
        source=source,
        extra=known(extra),
    )
