"""`rbd bench` and the older `rbd bench-write`: operations per second, no latency.

`ops/sec` is exact, `MiB/s` is rounded to two or three digits, `elapsed` counts whole seconds; the unrounded values
are in extra. A mixed run prints its reads and its writes and gives a result for each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required, with_above
from radoscope.formats.grammar.command_lines import nearest, option, size
from radoscope.formats.grammar.quantities import bytes_per_s, number
from radoscope.records.extra import Extra
from radoscope.records.measurement import Latency, Result, Series, Source

NAME = "rbd-bench"
LOOKS_BACK = 20
SIGNS = ("elapsed:", "OPS/SEC", "io_threads")

_LONGEST_LINE = 500
_HEAD = re.compile(
    r"\s*bench(?:-write)?\s+(?:type\s+(?P<type>\w+)\s+(?:read:write=\S+\s+)?)?io_size\s+(?P<size>\d{1,12})\s+"
    r"io_threads\s+(?P<threads>\d{1,6})\s+bytes\s+\d+\s+pattern\s+(?P<pattern>\w+)"
)
_COLUMNS = re.compile(r"\s*SEC\s+OPS\s+OPS/SEC\s+BYTES/SEC")
_SECOND = re.compile(r"\s*(?P<sec>\d{1,7})\s+(?P<ops>\d{1,15})\s+[\d.]+\s+[\d.]+(?:\s*[KMGT]?i?B/s)?\s*")
_TOTAL = re.compile(
    r"\s*(?:#\s*(?:[^\W\d]{2,20}:\s*)?)?elapsed:\s*(?P<elapsed>\d+)\s+(?:ops:\s*(?P<ops>\d+)\s+)?ops/sec:\s*(?P<rate>[\d.]+)\s+"
    r"bytes/sec:\s*(?P<bytes>[\d.]+)(?:\s*(?P<unit>[KMGT]?i?B/s))?"
)
"""In a script its writer may have put it into a comment."""
_ITEM = re.compile(
    r"\W*(?P<said>(?:elapsed|ops|ops/sec|bytes/sec):\W*\d[\d.]*(?<!\.)(?: ?[KMGT]?i?B/s)?)(?![\w/])", re.IGNORECASE
)
_MOST_ITEMS = 9
"""Somebody explains the totals, each in a line of its own and perhaps an empty one below."""
_SHARE = re.compile(
    r"\s*(?P<way>read|write)_ops:\s*(?P<ops>\d+)\s+\w+_ops/sec:\s*(?P<rate>[\d.]+)\s+"
    r"\w+_bytes/sec:\s*(?P<bytes>[\d.]+)(?:\s*(?P<unit>[KMGT]?i?B/s))?"
)
_UNIT_PARTED = re.compile(r"bytes/sec:\s*[\d.]+\s*(?:[KMGT]i?(?:B/?)?|B/)?\s*$")
COMMAND = re.compile(r"\brbd\b.{0,200}?\b(?P<verb>bench-write|bench(?=.*--io-type))\b(?P<arguments>.*)")
"""Without a type, rbd bench is only spoken of."""


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges: from the head or the columns' names to the line of totals and the two shares of a mixed run."""
    first: int | None = None
    at = 0
    while at < len(lines):
        line = lines[at][:_LONGEST_LINE]
        if _head(lines, at) or (_COLUMNS.match(line) and first is None):
            first = at
        elif "elapsed:" in line and (total := _total(lines, at)):
            end = at + total[1]
            while share := _share(lines, end):
                end += share[1]
            yield at if first is None else first, end
            first, at = None, end - 1
        at += 1


def remains(lines: Sequence[str]) -> Iterator[int]:
    """Heads, and the seconds below them, of a run that did not end."""
    below = False
    for at, line in enumerate(lines):
        line = line[:_LONGEST_LINE]
        is_head = bool(_HEAD.match(line) or _COLUMNS.match(line))
        below = is_head or (below and (not line.strip() or _SECOND.fullmatch(line) is not None))
        if is_head or (below and line.strip()) or _SHARE.match(line):
            yield at


def _total(lines: Sequence[str], at: int) -> tuple[re.Match[str], int] | None:
    """The totals, and of how many lines: a narrow terminal or mail may have broken theirs in two, and who explains them
    gives each a line of its own."""
    below = [line[:_LONGEST_LINE] for line in lines[at : at + _MOST_ITEMS]]
    if joined := next(_joined(_TOTAL, below), None):
        return joined
    items = [(place + 1, match["said"]) for place, line in enumerate(below) if (match := _ITEM.match(line))]
    match = _TOTAL.match(" ".join(said for _, said in items)) if len(items) > 2 else None
    return (match, items[-1][0]) if match else None


def _head(lines: Sequence[str], at: int) -> re.Match[str] | None:
    """What is asked for, in one line or in two."""
    below = [line[:_LONGEST_LINE] for line in lines[at : at + 2]]
    if not below[0].lstrip().startswith("bench"):
        return None
    return next((match for count in (1, 2) if (match := _HEAD.match(" ".join(below[:count])))), None)


def _share(lines: Sequence[str], at: int) -> tuple[re.Match[str], int] | None:
    """As _total, of the reads or the writes of a mixed run."""
    below = [line[:_LONGEST_LINE] for line in lines[at : at + 2]]
    return next(_joined(_SHARE, below), None) if below and "_ops:" in below[0] else None


def _joined(pattern: re.Pattern[str], below: Sequence[str]) -> Iterator[tuple[re.Match[str], int]]:
    """A line, or one that was broken before or within the unit at its end, and of how many lines it is."""
    parted = [(" ", 2), ("", 2)] if _UNIT_PARTED.search(below[0]) else []
    for between, count in (*parted, ("", 1), (" ", 2)):
        match = pattern.match(between.join(below[:count]))
        if match and (match["unit"] or (between, count) not in parted):
            yield match, count


def read(text: str) -> tuple[Result, ...]:
    """Every finished run of the text. Raises UnreadableFile where there is none."""
    lines = text.splitlines()
    results = (result for block in with_above(lines, find(lines), LOOKS_BACK) for result in _read_run(lines, *block))
    return required(
        results, "no finished run of rbd bench in this text", "A run ends with a line `elapsed: ... ops: ...`."
    )


def read_own(text: str) -> tuple[Result, ...]:
    """Runs of our own. rbd bench keeps as many I/Os in flight as it is asked to, from begin to end, so that Little's
    law gives their mean latency; and its rate is exact where its bytes per second are rounded."""
    return tuple(_completed(result) for result in read(text))


def _completed(result: Result) -> Result:
    if not result.iops or not result.queue_depth:
        return result
    return replace(
        result,
        bandwidth_bytes_per_s=result.extra.get("bw_exact_bytes_per_s", result.bandwidth_bytes_per_s),
        runtime_s=result.extra.get("runtime_exact_s", result.runtime_s),
        latency=Latency(mean_s=result.queue_depth / result.iops, samples=result.total_ios),
        extra={**result.extra, "derived": ("latency",)},
    )


def _read_run(lines: Sequence[str], first: int, end: int, before: Sequence[str]) -> list[Result]:
    kind, random, block, threads, context = _conditions(lines[first:end], before)
    series = _series(lines[first:end])
    source = Source(reader=NAME, first_line=first + 1, last_line=end)
    shares = [share[0] for at in range(first, end) if (share := _share(lines, at))]
    total = next(found[0] for at in range(first, end) if (found := _total(lines, at)))
    elapsed = float(total["elapsed"])
    results = []
    for match in shares or [total]:
        way = match["way"] if shares else kind
        ops, rate = int(match["ops"]) if match["ops"] else None, number(match["rate"])
        extra: Extra = {"mixed": True} if shares else {}
        if rate and ops is not None:
            extra["runtime_exact_s"] = ops / rate
        if rate and block:
            extra["bw_exact_bytes_per_s"] = rate * block
        results.append(
            Result(
                tool=NAME,
                op=None if way is None else ("rand" if random else "") + way,
                block_bytes=block,
                queue_depth=threads,
                iops=rate,
                bandwidth_bytes_per_s=bytes_per_s(number(match["bytes"]), match["unit"] or "B/s"),
                total_ios=ops,
                runtime_s=elapsed or None,  # "0" is a run of less than a second
                series=() if shares else series,
                source=source,
                context=context,
                extra=extra,
            )
        )
    return results


def _conditions(
    lines: Sequence[str], before: Sequence[str]
) -> tuple[str | None, bool, int | None, int | None, tuple[str, ...]]:
    """(read, write or rw; random?; block; threads; what of it is context)."""
    head = next((match for at in range(len(lines)) if (match := _head(lines, at))), None)
    if head is not None:
        kind = head["type"] or "write"
        kind = "rw" if kind in ("readwrite", "rw") else kind
        return kind, head["pattern"].startswith("rand"), int(head["size"]) or None, int(head["threads"]) or None, ()
    command = nearest(before, COMMAND)
    return (*asked(command), ("op", "block_bytes", "queue_depth")) if command else (None, False, None, None, ())


def asked(command: re.Match[str]) -> tuple[str | None, bool, int | None, int | None]:
    """(read, write or rw; random?; block; threads) of a command line."""
    arguments = command["arguments"]
    kind = "write" if command["verb"] == "bench-write" else option(arguments, "--io-type")
    kind = "rw" if kind == "readwrite" else kind
    random = (option(arguments, "--io-pattern") or "seq").startswith("rand")
    threads = option(arguments, "--io-threads") or "16"
    return kind, random, size(option(arguments, "--io-size") or "4096"), int(threads) if threads.isdecimal() else None


def _series(lines: Sequence[str]) -> tuple[Series, ...]:
    times, rates = [], []
    last_time, last_ops = 0.0, 0
    for line in lines:
        match = _SECOND.fullmatch(line[:_LONGEST_LINE])
        if match is None:
            continue
        time, ops = float(match["sec"]), int(match["ops"])
        if time > last_time and ops >= last_ops:
            times.append(time)
            rates.append((ops - last_ops) / (time - last_time))
            last_time, last_ops = time, ops
    return (Series("iops", "1/s", tuple(times), tuple(rates)),) if times else ()
