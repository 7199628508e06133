"""`sysbench fileio`, 0.4 to 1.1. Its latency is over all requests, fsync calls too: it counts only where all are alike.

"Mb" of version 0.4 is MiB. `Doing random r/w test` says what was done. The tool's other tests measure no storage.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required, with_above
from radoscope.formats.grammar.command_lines import nearest, option, size
from radoscope.formats.grammar.quantities import MIB, latency, number, prefixed, scaled
from radoscope.records.extra import Extra
from radoscope.records.measurement import Result, Source

NAME = "sysbench"
LOOKS_BACK = 6
SIGNS = (
    "File operations:", "Operations performed:", "fileIO:", "reads/s:", "read, MiB/s:", "written, MiB/s:",
    "General statistics:", "Threads fairness:", "Test execution summary:", "per second:", "transferred (",
    "Total transferred",
)  # fmt: skip

_LONGEST_LINE = 300
_WIDEST_GAP = 4
_FACTS = {
    "threads": re.compile(r"\s*Number of threads:\s*(\d+)"),
    "block": re.compile(r"\s*Block size\s+([\d.]+\s?[KMG]?i?[bB])"),
    "test": re.compile(r"\s*Doing (.{3,40}?) test"),
    "reads": re.compile(r"\s*(?:reads/s|read, ops/s|read: IOPS=):?\s*([\d.]+)"),
    "writes": re.compile(r"\s*(?:writes/s|write: IOPS=):?\s*([\d.]+)"),
    "syncs": re.compile(r"\s*(?:fsyncs/s|fsync: IOPS=):?\s*([\d.]+)"),
    "read_rate": re.compile(r"\s*read, MiB/s:\s*([\d.]+)|.*\bread: IOPS=\S+ ([\d.]+) MiB/s"),
    "write_rate": re.compile(r"\s*written, MiB/s:\s*([\d.]+)|.*\bwrite: IOPS=\S+ ([\d.]+) MiB/s"),
    "time": re.compile(r"\s*total time:\s*([\d.]+)s"),
    "min": re.compile(r"\s*min:\s*([\d.]+)(?:ms)?\s*$"),
    "avg": re.compile(r"\s*avg:\s*([\d.]+)(?:ms)?\s*$"),
    "max": re.compile(r"\s*max:\s*([\d.]+)(?:ms)?\s*$"),
    "p95": re.compile(r"\s*(?:approx\.\s*)?95(?:th)? percentile:\s*([\d.]+)(?:ms)?\s*$"),
    "p99": re.compile(r"\s*(?:approx\.\s*)?99(?:th)? percentile:\s*([\d.]+)(?:ms)?\s*$"),
    "events": re.compile(r"\s*total number of events:\s*(\d+)"),
    "total": re.compile(
        r"\s*Read [\d.]+[KMG]?b\s+Written [\d.]+[KMG]?b\s+Total transferred [\d.]+[KMG]?b\s+\(([\d.]+[KMG]?b)/sec\)"
    ),
    "operations": re.compile(r"\s*Operations performed:\s+(\d+ reads?, +\d+ writes?)", re.IGNORECASE),
    "requests": re.compile(r"\s*([\d.]+) Requests/sec executed"),
}
_OTHERS = re.compile(
    r"\s*(?:sysbench \d|Running the test|Initializing|Extra file open|\d+ files, "
    r"|Report intermediate results|\[ ?\d{1,7}s ?\] reads:"
    r"|[\d.]+\s?[KMG]i?[bB] total file|Number of IO|Read/Write ratio|Periodic FSYNC|Calling fsync"
    r"|Using (?:a?sync|mmap)"
    r"|Threads started|Done|File operations:|Throughput:|General statistics:|Latency \(ms\):|Threads fairness:"
    r"|events \(avg|execution time \(avg|sum:|total number of events|Operations performed:"
    r"|Test execution summary:|total time taken|per-request statistics|Per-request statistics)"
)
_NO_FILES = re.compile(
    r"\s*(?:sysbench \d|Running (?:the|memory speed) test|Initializing (?:random|worker)|Prime numbers limit"
    r"|Maximum prime number|CPU speed:|General statistics:|Test execution summary:|Threads fairness:|SQL statistics:"
    r"|Doing (?:CPU|memory|thread|mutex)|Total operations: *\d+ *\(|[\d.]+ Mi?B transferred \("
    r"|(?:read|written), MiB/s:)"
)
"""Lines that only this tool prints and that are of no result; around them stand those of `_OF_TESTS`."""
_OF_TESTS = re.compile(
    r"\s*(?:events per second|scope|operation|block size|total size|Memory \w+(?: \w+)?|queries"
    r"|queries performed|transactions|ignored errors|reconnects|read|write|other|total|sum)\b *(?:\w+ *)?:"
)
_COMMAND = re.compile(r"\bsysbench\s(?P<arguments>(?=.*fileio).*)")
_MODES = {
    "seqwr": "sequential write", "seqrewr": "sequential rewrite", "seqrd": "sequential read",
    "rndrd": "random read", "rndwr": "random write", "rndrw": "random r/w",
}  # fmt: skip
_OPTIONS = {"block": ("--file-block-size",), "threads": ("--num-threads", "--threads")}
_NAMES = {"test": "op", "block": "block_bytes", "threads": "jobs"}
_TESTS = {
    "random r/w": (True, None),
    "random read": (True, "read"),
    "random write": (True, "write"),
    "sequential read": (False, "read"),
    "sequential write (creation)": (False, "write"),
    "sequential write": (False, "write"),
    "sequential rewrite": (False, "write"),
}


def _is_ours(line: str) -> bool:
    return len(line) <= _LONGEST_LINE and (
        _OTHERS.match(line) is not None or any(each.match(line) for each in _FACTS.values())
    )


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges of reports; the head of a new one ends the one before."""
    first: int | None = None
    last, seen = 0, False
    for at, line in enumerate(lines):
        if not line.strip() or not _is_ours(line):
            continue
        starts = line.lstrip().startswith(("sysbench ", "Number of threads", "File operations", "Operations performed"))
        if first is not None and (at - last > _WIDEST_GAP or (seen and starts)):
            if _results(lines, first, last + 1):
                yield first, last + 1
            first, seen = None, False
        first, last = at if first is None else first, at
        seen = seen or any(_FACTS[each].match(line) for each in ("time", "total"))
    if first is not None and _results(lines, first, last + 1):
        yield first, last + 1


def remains(lines: Sequence[str]) -> Iterator[int]:
    """The report of a test of processor, memory, threads, locks or a database, and files' without its end."""
    last = -_WIDEST_GAP - 1
    for at, line in enumerate(lines):
        if len(line) > _LONGEST_LINE or not line.strip():
            continue
        within = at - last <= _WIDEST_GAP
        if _NO_FILES.match(line) or (within and (_is_ours(line) or _OF_TESTS.match(line))):
            last = at
            yield at


def read(text: str) -> tuple[Result, ...]:
    """The reads and the writes of each report. Raises UnreadableFile where there is none."""
    lines = text.split("\n")
    results = (
        result
        for first, end, before in with_above(lines, find(lines), LOOKS_BACK)
        for result in _results(lines, first, end, _asked(before))
    )
    return required(results, "no report of sysbench fileio in this text")


def with_mode_of_page(results: list[Result], lines: Sequence[str]) -> list[Result]:
    """Pieces of its reports that do not say what was tested are of what all commands of the page ask for alike."""
    if not any(map(_lacks_mode, results)):
        return results
    tests = {asked["test"] for line in lines if "sysbench" in line and "test" in (asked := _asked([line]))}
    random, way = _TESTS[tests.pop()] if len(tests) == 1 else (None, None)
    if random is None:
        return results

    def told(result: Result) -> Result:
        op = f"rand{result.op}" if random else result.op
        extra = result.extra.copy()
        del extra["pattern_unknown"]
        return replace(result, op=op, context=(*result.context, "op"), extra=extra)

    return [told(each) if _lacks_mode(each) and way in (None, each.op) else each for each in results]


def _lacks_mode(result: Result) -> bool:
    return result.tool == NAME and bool(result.extra.get("pattern_unknown"))


def _asked(before: Sequence[str]) -> dict[str, str]:
    """What the command right above asked for, where the report leaves it out."""
    command = nearest(before, _COMMAND)
    if command is None:
        return {}
    asked = {name: value for name, keys in _OPTIONS.items() if (value := option(command["arguments"], *keys))}
    if test := _MODES.get(option(command["arguments"], "--file-test-mode") or ""):
        asked["test"] = test
    return asked


def _results(lines: Sequence[str], first: int, end: int, asked: Mapping[str, str] | None = None) -> list[Result]:
    facts: dict[str, str] = {}
    for line in lines[first:end]:
        for name, pattern in _FACTS.items():
            if name not in facts and (match := pattern.match(line[:_LONGEST_LINE])):
                facts[name] = next(group for group in match.groups() if group is not None)
    context = tuple(_NAMES[name] for name in asked or () if name not in facts)
    source = Source(reader=NAME, first_line=first + 1, last_line=end)
    return [replace(each, context=context) for each in _results_of({**(asked or {}), **facts}, source)]


def _results_of(facts: dict[str, str], source: Source) -> list[Result]:
    random, way = _TESTS.get(facts.get("test", "").lower(), (None, None))
    rates = {"read": number(facts.get("reads", "")), "write": number(facts.get("writes", ""))}
    bandwidths = {"read": number(facts.get("read_rate", "")), "write": number(facts.get("write_rate", ""))}
    active = [each for each in ("read", "write") if rates[each] or bandwidths[each]]
    order = "rand" if random else ""
    if "total" in facts and not active:
        op = None if random is None else order + (way or "rw")
        whole = _result(facts, op, number(facts.get("requests", "")), _old_rate(facts["total"]), True, source)
        done = re.findall(r"\d+", facts.get("operations", ""))
        return [replace(whole, total_ios=sum(map(int, done)) or None)]
    extra: Extra = {"mixed": True} if len(active) > 1 else {}
    if random is None:
        extra["pattern_unknown"] = True
    pure = len(active) == 1 and not number(facts.get("syncs", "0"))
    return [
        _result(
            facts,
            order + each,
            rates[each],
            scaled(bandwidths[each], MIB),
            pure,
            source,
            extra,
        )
        for each in active
    ]


def _result(
    facts: dict[str, str],
    op: str | None,
    iops: float | None,
    rate: float | None,
    pure: bool,
    source: Source,
    extra: Extra | None = None,
) -> Result:
    threads = facts.get("threads", "")
    times = {name: scaled(number(facts.get(name, "")), 1e-3) for name in ("min", "avg", "max", "p95", "p99")}
    points = {95.0: times["p95"], 99.0: times["p99"]}
    whole = latency(min_s=times["min"], mean_s=times["avg"], max_s=times["max"], percentiles_s=points)
    return Result(
        tool=NAME,
        op=op,
        block_bytes=size(facts["block"].replace("Kb", "KiB").replace("Mb", "MiB")) if "block" in facts else None,
        jobs=int(threads) if threads.isdecimal() else None,
        iops=iops,
        bandwidth_bytes_per_s=rate,
        latency=whole if pure else None,
        total_ios=int(facts["events"]) if pure and "events" in facts else None,
        runtime_s=number(facts.get("time", "")),
        source=source,
        extra=extra or {},
    )


def _old_rate(text: str) -> float | None:
    match = re.fullmatch(r"([\d.]+)([KMG]?)b", text)
    return prefixed(match[1], match[2], 1024.0) if match else None
