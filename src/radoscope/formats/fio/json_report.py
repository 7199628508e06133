"""fio's JSON and JSON+ (`--output-format=json`, `json+`) -> one result a job (or reported group) and direction.

fio 3.x prints latencies in ns under `lat_ns`, `clat_ns` and `sync.lat_ns`; fio 2.x in usec under `lat` and `clat`.
`bw` is KiB/s and `bw_bytes` bytes/s; `runtime` is msec in both.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Literal, get_args

from radoscope import patterns as re
from radoscope.formats.fio.words import (
    DIRECTIONS,
    block_size,
    count,
    finite,
    is_mixed,
    likely_block_size,
    load_of,
    merged_options,
    operation,
    whole,
)
from radoscope.formats.grammar.blocks import required
from radoscope.formats.grammar.json_text import as_object, salvage
from radoscope.formats.grammar.quantities import scaled
from radoscope.records.extra import Extra, Rate
from radoscope.records.measurement import Histogram, Latency, Result, Source

NAME = "fio_json"

_REPORTED = (*DIRECTIONS, "mixed")
"""`mixed` stands alone with unified_rw_reporting=1; with =both it is the sum of the others and no result."""

_MARK = re.compile('"(?:fio version|jobname|client_stats)"')
_LIST_OF_JOBS = re.compile(r'\s*"jobs"\s*:')
_DECODER = json.JSONDecoder(parse_constant=lambda _word: None)
_FARTHEST_OPENING = 2000
"""So many characters before its mark a document opens, at the farthest."""
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_JSON_LINE = re.compile(r'\s*(?:["{}\[\],]|-?\d|true\b|false\b|null\b|\.\.\.|<)')
_Kept = Literal["usr_cpu", "sys_cpu", "ctx", "majf", "minf", "elapsed"]
_KEPT: tuple[_Kept, ...] = get_args(_Kept)
_KeptOfDirection = Literal["bw_min", "bw_max", "bw_mean", "bw_dev", Rate, "short_ios", "drop_ios"]
_KEPT_OF_DIRECTION: tuple[_KeptOfDirection, ...] = get_args(_KeptOfDirection)
_MOST_NS = 2**64
_MOST_LINES_OF_PROSE = 3
"""So many lines in a row that are no JSON end a block that was never closed."""


def recognises(head: str) -> bool:
    return "{" in head and _MARK.search(head) is not None


def read(text: str) -> tuple[Result, ...]:
    """All results of all documents in the text, warnings around them passed over. Raises UnreadableFile if none."""
    results = (
        _results_of(document, Source(reader=NAME, first_line=first, last_line=last))
        for document, first, last in _documents(_with_beginning(text))
    )
    return required(
        chain.from_iterable(results),
        "there is no fio JSON with a measured direction in this text",
        "Run fio with --output-format=json, and give its whole output.",
    )


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The blocks of fio JSON among other lines, one pass; a block may be cut off."""
    position = 0
    while position < len(lines):
        if not lines[position].lstrip().startswith(("{", "[")):
            is_first = '"' in lines[position] and not (position and _JSON_LINE.match(lines[position - 1]))
            end, prefix = _job_without_beginning(lines, position) if is_first else (position, "")
            if prefix:
                yield position, end
            position = max(end, position + 1)
            continue
        start, (position, marked) = position, _block_end(lines, position)
        if marked:
            yield start, position


_FRAGMENT = re.compile(
    r'\s*"(?:(?:io_bytes|io_kbytes|bw_bytes|bw|iops|runtime|total_ios|short_ios|drop_ios|bw_\w{3,7}|iops_\w{3,7}|N)"\s*:\s*-?\d'
    r'|(?:[sc]?lat(?:_ns)?|percentile|read|write|trim|sync)"\s*:\s*\{|\d{1,3}\.\d{6}"\s*:)'
)
_FEWEST_OF_FRAGMENT = 3


def remains(lines: Sequence[str]) -> Iterator[int]:
    """Lines of a document whose beginning is missing: nobody can tell of which job its numbers are."""
    places = [at for at, line in enumerate(lines) if '"' in line[:80] and _FRAGMENT.match(line[:80])]
    yield from (at for at in places if len(places) >= _FEWEST_OF_FRAGMENT)


_KEY = re.compile(r'\s*"[\w ]{1,40}"\s*:\s*\S')
_OPENS_DIRECTION = re.compile(r'\s*"(?:read|write)"\s*:\s*\{')
_LONGEST_JOB = 1000
_UNNAMED_JOB = '{"jobs":[{"jobname":"",'
_BEGINNINGS = {0: _UNNAMED_JOB, -1: _UNNAMED_JOB + '"job options":{"":null,'}
"""What is cut off above a job's own keys, and above its options: no one knows whether those are all."""


def _job_without_beginning(lines: Sequence[str], start: int) -> tuple[int, str]:
    """Where a job ends whose first lines are cut off, and what to set in front of it; "" where it is none.

    It may begin among the job's own keys or among its options; within a direction its rate is lost.
    """
    depth = low = 0
    level: int | None = None
    end = start
    if not _KEY.match(lines[start]):
        return start, ""
    for position in range(start, min(len(lines), start + _LONGEST_JOB)):
        line = lines[position]
        is_next = depth == low and line.lstrip().startswith(("{", "["))
        if is_next or not (line.strip() and _JSON_LINE.match(line)):
            break
        if level is None and depth == low and _OPENS_DIRECTION.match(line):
            level = depth
        bare = _STRING.sub("", line)
        depth += bare.count("{") + bare.count("[") - bare.count("}") - bare.count("]")
        low, end = min(low, depth), position + 1
    if level is None or not any('"iops"' in line for line in lines[start:end]):
        return start, ""
    return end, _BEGINNINGS.get(level, "")


def _with_beginning(text: str) -> str:
    if not text.lstrip().startswith('"'):
        return text
    lines = text.split("\n")
    first = next(at for at, line in enumerate(lines) if line.strip())
    return _job_without_beginning(lines, first)[1] + text


def _block_end(lines: Sequence[str], start: int) -> tuple[int, bool]:
    """Where the bracketed block that opens at `start` ends, and whether fio wrote it."""
    depth, prose, marked, lists = 0, 0, False, 0
    last_json = start
    for position in range(start, len(lines)):
        line = lines[position]
        if position > start and line.strip() and not _JSON_LINE.match(line):
            prose += 1
            if prose >= _MOST_LINES_OF_PROSE:
                break
            continue
        lists += _LIST_OF_JOBS.match(line) is not None
        if lists > 1:  # of another document: this one was cut
            break
        prose, last_json = 0, position
        marked = marked or _MARK.search(line) is not None
        bare = _STRING.sub("", line) if '"' in line else line
        depth += bare.count("{") + bare.count("[") - bare.count("}") - bare.count("]")
        if depth <= 0:
            break
    return last_json + 1, marked


def _documents(text: str) -> Iterator[tuple[Any, int, int]]:
    """Each document with its first and last line; what json refuses is salvaged."""
    position, line = 0, 1
    while (mark := _MARK.search(text, position)) is not None:
        start = text.rfind("{", max(position, mark.start() - _FARTHEST_OPENING), mark.start())
        if start < 0:
            end = mark.end()
            line += text.count("\n", position, end)
            position = end
            continue
        document, end = _decode(text, start)
        line += text.count("\n", position, start)
        last = line + text.count("\n", start, end)
        yield document, line, last
        line, position = last, end


def _decode(text: str, start: int) -> tuple[Any, int]:
    try:
        return _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return salvage(text, start)


def _results_of(document: Any, source: Source) -> Iterator[Result]:
    jobs = _jobs_of(document)
    if not jobs:
        return
    shared = document if isinstance(document, dict) else {}
    names = Counter(_identity(job) for job in jobs)
    surroundings = _surroundings(shared)
    for job in jobs:
        options = merged_options(shared.get("global options"), job.get("job options"))
        yield from _results_of_job(job, options, names[_identity(job)], surroundings, source)


def _jobs_of(document: Any) -> list[dict[str, Any]]:
    """The jobs of a whole document, or the one job that was cut out of a document. "All clients" is a sum, no run."""
    if not isinstance(document, dict):
        return []
    listed = document.get("jobs") or document.get("client_stats") or [document]
    if not isinstance(listed, list):
        return []
    jobs = [job for job in listed if isinstance(job, dict) and any(isinstance(job.get(d), dict) for d in _REPORTED)]
    single = [job for job in jobs if job.get("jobname") != "All clients"]
    return single or jobs


def _identity(job: Mapping[str, Any]) -> tuple[str, str, str]:
    return str(job.get("jobname")), str(job.get("groupid")), str(job.get("hostname"))


def _surroundings(document: Mapping[str, Any]) -> Extra:
    """What a document says about all of its jobs."""
    known: Extra = {}
    version = document.get("fio version")
    if isinstance(version, str):
        known["version"] = version.removeprefix("fio-")
    if (timestamp := finite(document.get("timestamp"))) is not None:
        known["finished_at_s"] = timestamp
    disks = document.get("disk_util")
    if isinstance(disks, list):
        busy = {str(disk.get("name")): finite(disk.get("util")) for disk in disks if isinstance(disk, dict)}
        if busy:
            known["disk_util"] = busy
    return known


def _results_of_job(
    job: dict[str, Any], options: dict[str, str], namesakes: int, surroundings: Extra, source: Source
) -> Iterator[Result]:
    measured = [direction for direction in DIRECTIONS if _did_something(job.get(direction))]
    if not measured and _did_something(job.get("mixed")):
        measured = ["mixed"]
    if not measured:
        return
    load = load_of(options.get("rw", options.get("readwrite")))
    extra = _extra_of_job(job, options, surroundings)
    if load is None:
        extra["pattern_unknown"] = True
    jobs = _process_count(job, options, namesakes, measured)
    depth = whole(options.get("iodepth"))
    is_whole = all(isinstance(value, str) for value in as_object(job.get("job options")).values())
    defaulted = depth is None and bool(options) and is_whole  # fio prints only the options that were given
    if not is_whole and "numjobs" not in options and "job_runtime" not in job:
        jobs = None
    synced = "write" if "write" in measured else measured[0]
    for direction in measured:
        fields = job[direction]
        latency, completion = _latencies(fields)
        bandwidth = finite(fields.get("bw_bytes"))
        if bandwidth is None:
            bandwidth = scaled(finite(fields.get("bw")), 1024)
        size_seen = None if "bsrange" in options or "bssplit" in options else _size_seen(fields, bandwidth)
        yield Result(
            tool="fio",
            op=operation(load, direction),
            block_bytes=block_size(options.get("bs", options.get("blocksize")), direction) or size_seen,
            queue_depth=1 if defaulted else depth,
            jobs=jobs,
            iops=finite(fields.get("iops")) or None,  # a zero among others is of a direction that damage has mixed in
            bandwidth_bytes_per_s=bandwidth or None,
            latency=latency,
            completion=completion,
            sync=_latency(as_object(job.get("sync")).get("lat_ns"), 1e-9) if direction == synced else None,
            total_ios=count(fields.get("total_ios")) or None,
            runtime_s=scaled(finite(fields.get("runtime")), 1e-3) or None,
            source=source,
            context=("queue_depth",) if defaulted else (),
            extra=extra | _extra_of_direction(fields, (is_mixed(load) or len(measured) > 1) and direction != "mixed"),
        )


def _did_something(fields: Any) -> bool:
    """A direction in which I/O was done; fio prints the others too, full of zeros."""
    if not isinstance(fields, dict):
        return False
    return bool(fields.get("total_ios") or fields.get("io_bytes") or fields.get("iops") or fields.get("bw"))


def _process_count(job: Mapping[str, Any], options: dict[str, str], namesakes: int, measured: list[str]) -> int | None:
    """How many processes this entry sums up.

    With group_reporting fio prints one entry for all clones of a job, else one for each; JSON does not say which. An
    entry's job_runtime is the sum over its processes, which also tells when several sections were summed up.
    """
    asked = whole(options.get("numjobs")) or 1
    if namesakes > 1:
        return 1
    longest = max((finite(job[direction].get("runtime")) or 0.0) for direction in measured)
    summed = finite(job.get("job_runtime"))
    if not longest or summed is None:
        return asked if options else None
    seen = summed / longest
    if abs(seen - asked) < 0.3 * asked:
        return asked
    return round(seen) if abs(seen - round(seen)) < 0.05 * round(seen) else None


def _size_seen(fields: Mapping[str, Any], bandwidth: float | None) -> int | None:
    """The size of one I/O as its effects show it, where no option says it.

    Bytes over I/Os where that is a whole number of sectors; fio 2.x calls KiB `io_bytes`, so bandwidth over IOPS there.
    """
    if "bw_bytes" not in fields:
        return likely_block_size(bandwidth, finite(fields.get("iops")))
    done, ios = count(fields.get("io_bytes")), count(fields.get("total_ios"))
    if not done or not ios or done % ios or (done // ios) % 512:
        return None
    return done // ios


def _latencies(fields: Mapping[str, Any]) -> tuple[Latency | None, Latency | None]:
    """Total and completion latency; where only completion was measured it stands for the total."""
    if "lat_ns" in fields or "clat_ns" in fields:
        total, completion = _latency(fields.get("lat_ns"), 1e-9), _latency(fields.get("clat_ns"), 1e-9)
    else:
        total, completion = _latency(fields.get("lat"), 1e-6), _latency(fields.get("clat"), 1e-6)
    return (completion, None) if total is None else (total, completion)


def _latency(fields: Any, unit_s: float) -> Latency | None:
    """One latency block; None where it was not measured (gtod_reduce, disable_lat: all zeros) or is not there."""
    if not isinstance(fields, dict):
        return None
    mean = finite(fields.get("mean"))
    percentiles = _percentiles(fields.get("percentile"), unit_s)
    if not mean and not percentiles:
        return None
    return Latency(
        min_s=scaled(finite(fields.get("min")), unit_s),
        mean_s=scaled(mean, unit_s),
        max_s=scaled(finite(fields.get("max")), unit_s),
        stddev_s=scaled(finite(fields.get("stddev")), unit_s),
        samples=count(fields.get("N")),
        percentiles_s=percentiles,
        histogram=_histogram(fields.get("bins"), unit_s),
    )


def _percentiles(fields: Any, unit_s: float) -> dict[float, float]:
    """Percent -> seconds. fio 2.x fills unused places with percentile 0."""
    if not isinstance(fields, dict):
        return {}
    read: dict[float, float] = {}
    for percent, value in fields.items():
        share = _share(percent)
        if share is not None and type(value) in (int, float) and 0 <= value < _MOST_NS:
            read[share] = value * unit_s
    return read if any(read.values()) else {}


@lru_cache(maxsize=256)
def _share(percent: str) -> float | None:
    """ "99.900000" -> 99.9; the same twenty keys come back in every file."""
    try:
        share = float(percent)
    except ValueError:
        return None
    return share if 0 < share <= 100 else None


def _histogram(fields: Any, unit_s: float) -> Histogram | None:
    """JSON+ bins: the bin's centre -> I/Os. fio 2.x has its own numbering there, between keys that are words."""
    if not isinstance(fields, dict) or not fields:
        return None
    try:
        bins = sorted((int(value), count(ios)) for value, ios in fields.items())
    except (ValueError, TypeError):
        return None
    if any(ios is None for _value, ios in bins):
        return None
    return Histogram(tuple(value * unit_s for value, _ios in bins), tuple(ios or 0 for _value, ios in bins))


def _extra_of_job(job: Mapping[str, Any], options: dict[str, str], surroundings: Extra) -> Extra:
    extra: Extra = {}
    if isinstance(job.get("jobname"), str):
        extra["jobname"] = job["jobname"]
    if (error := count(job.get("error"))) is not None:
        extra["error"] = error
    if (group := count(job.get("groupid"))) is not None:
        extra["group"] = group
    for key in _KEPT:
        if finite(job.get(key)) is not None:
            extra[key] = job[key]
    if isinstance(job.get("hostname"), str):
        extra["hostname"] = job["hostname"]
    if options:
        extra["options"] = options
    return extra | surroundings


def _extra_of_direction(fields: Mapping[str, Any], mixed: bool) -> Extra:
    extra: Extra = {"mixed": True} if mixed else {}
    for key in _KEPT_OF_DIRECTION:
        if (number := finite(fields.get(key))) is not None:
            extra[key] = number
    return extra
