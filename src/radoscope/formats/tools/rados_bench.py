"""`rados bench`: text from hammer to tentacle, with or without the seconds, one run or several in columns; JSON.

Its MB are MiB (src/common/obj_bencher.cc divides by 1024 twice), its latencies are seconds, its IOPS are cut to
whole numbers; the exact rate, operations over time, is in extra["iops_exact"].
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required, with_above
from radoscope.formats.grammar.json_text import as_list, as_object, find_objects
from radoscope.formats.grammar.quantities import MIB, count, finite, latency, number, scaled, writes_decimal_commas
from radoscope.formats.tools.rados_lines import (
    KEYS,
    Command,
    Parts,
    cells_of,
    find_runs,
    heading_operation,
    last_command,
    read_command,
    read_second,
    remains,
    repeats,
    summary_key,
)
from radoscope.records.extra import Extra, known
from radoscope.records.measurement import Result, Series, Source

__all__ = ["LOOKS_BACK", "NAME", "SIGNS", "find", "read", "recognises", "remains", "repeats"]

NAME = "rados-bench"
LOOKS_BACK = 40
"""How many lines above a block may hold its command line or its heading."""

_JSON_KEYS = {key.replace(" ", "_"): ours for key, ours in KEYS.items()}
_BENCH_KEYS = ("concurrent_ios", "datas", "total_writes_made", "total_reads_made")
_WRITE_ONLY = ("writes", "stddev bandwidth", "max bandwidth", "min bandwidth")
SIGNS = ("Total time run", "otal writes made", "otal reads made", "andwidth (MB/s", "andwidth(MB/s",
          "Stddev Bandwidth", "tddev Latency", "Cur ops", '"concurrent_ios"', '"total_time_run"')  # fmt: skip


def recognises(head: str) -> bool:
    return any(sign in head for sign in SIGNS)


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges of runs, text and JSON, in the order of the text."""
    yield from sorted(_runs(lines))


def read(text: str) -> tuple[Result, ...]:
    """Every run of the text; a command line or heading above a run gives what the run does not say (`context`).

    Raises UnreadableFile where there is none.
    """
    lines = text.splitlines()
    runs = _runs(lines)
    results: list[Result] = []
    for first, end, before in with_above(lines, sorted(runs), LOOKS_BACK):
        run, source = runs[first, end], Source(reader=NAME, first_line=first + 1, last_line=end)
        if isinstance(run, Parts):
            results += _read_text(lines, run, before, source)
        else:
            results.append(_read_json(run, before, source))
    return required(results, "no run of rados bench in this text", "A run ends with lines such as `Total time run`.")


def _runs(lines: Sequence[str]) -> dict[tuple[int, int], Parts | dict[str, Any]]:
    """By its range of lines each run, text or JSON."""
    objects = {
        (first, end): value
        for first, end, value in find_objects(lines, '"total_', '"concurrent_ios"')
        if any(key in value for key in _BENCH_KEYS) and ("bandwidth" in value or "total_time_run" in value)
    }
    texts = (run for run in find_runs(lines) if not any(first <= run.first < end for first, end in objects))
    return {**objects, **{(run.first, run.end): run for run in texts}}


def _read_json(value: Mapping[str, Any], before: Sequence[str], source: Source) -> Result:
    values = {ours: finite(value[theirs]) for theirs, ours in _JSON_KEYS.items() if theirs in value}
    rows = [_second_of_json(as_object(each)) for each in as_list(value.get("datas"))]
    depth = count(value.get("concurrent_ios"))
    if value.get("op_size") is not None:
        values.setdefault("size", finite(value["op_size"]))
    seconds = [row for row in rows if row is not None]
    return _result(values, Parts(0, depth=depth), seconds, _context(before, values), source, {})


def _second_of_json(row: Mapping[str, Any]) -> tuple[float, ...] | None:
    cells = [finite(row.get(key)) for key in ("sec", "cur_ops", "finished", "avg_bw", "cur_bw", "avg_lat")]
    numbers = [cell for cell in cells if cell is not None]
    return tuple(numbers) if len(numbers) == len(cells) else None


def _read_text(lines: Sequence[str], run: Parts, before: Sequence[str], source: Source) -> list[Result]:
    seconds = [row for row in (read_second(lines[at]) for at in run.seconds) if row is not None]
    rows: dict[str, list[str]] = {}
    for at in run.summary:
        key = summary_key(lines[at])
        if key is not None:
            rows.setdefault(key[0], cells_of(key[1]))
    columns = _column_count(rows)
    commas = writes_decimal_commas("\n".join(lines[at] for at in run.summary))
    if columns <= 1:
        values = {key: _cell(cells, 0, 1, commas) for key, cells in rows.items()}
        context = _context(before, values, run.command)
        return [_result(values, run, seconds, context, source, {})]
    labels = _labels(before, columns)
    results = []
    for column in range(columns):
        values = {key: _cell(cells, column, columns, commas) for key, cells in rows.items()}
        label = labels[column] if labels else None
        context = _context(before, values, run.command, label)
        results.append(_result(values, run, [], context, source, {"label": label} if label else {}))
    return results


def _cell(cells: Sequence[str], column: int, columns: int, commas: bool) -> float | None:
    """A row with fewer cells than columns is damaged: nobody can tell whose a value is."""
    if len(cells) < columns or any(cells[columns:]):
        return None
    return number(cells[column], commas)


def _column_count(rows: Mapping[str, Sequence[str]]) -> int:
    sizes = [sum(1 for cell in cells if cell) for cells in rows.values()]
    return max(set(sizes), key=lambda size: (sizes.count(size), size)) if sizes else 1


def _labels(before: Sequence[str], columns: int) -> list[str] | None:
    """The nearest line above with one cell a column that is not made of numbers: the columns' names."""
    names: list[list[str]] = []
    for line in reversed(before[-4:]):
        if read_command(line) or "bench" in line:
            break
        cells = [cell for cell in cells_of(line) if cell]
        if len(cells) == columns + 1 and ("\t" in line or "|" in line):
            cells = cells[1:]  # the heading of the label column
        if len(cells) == columns and max(map(len, cells)) < 80 and not set("".join(cells)) <= set("-:| =+"):
            names.insert(0, cells)
    return [", ".join(parts) for parts in zip(*names, strict=True)] if names else None


def _context(
    before: Sequence[str], values: Mapping[str, float | None], own: Command | None = None, label: str | None = None
) -> Command:
    """What stands above the run, less whatever contradicts it: then it belongs to another run."""
    command = own or last_command(before) or Command()
    writes = "writes" in values or any(key in values for key in _WRITE_ONLY)
    kind = "write" if writes else "read" if "reads" in values else None
    size = values.get("size")
    wrong_kind = kind is not None and command.kind is not None and command.kind != kind
    wrong_size = (
        size is not None and command.block_bytes is not None and kind == "write" and size != command.block_bytes
    )
    if wrong_kind or wrong_size:
        command = Command()
    nearer = None if own else heading_operation(before, kind)
    if nearer is not None:  # several commands may stand together above all of their outputs
        command = command._replace(op=nearer)
    match = re.search(
        r"(\d{1,5})\s*(?:threads?|concurrent)\b|\b(?:threads?|qd|t)\s*[=:]?\s*(\d{1,5})\b", label or "", re.I
    )
    if match and not re.search(r"/s", label or ""):
        command = command._replace(depth=int(match[1] or match[2]) or None)
    return command


def _in_flight(seconds: Sequence[tuple[float, ...]]) -> int | None:
    """How many there were at once, of seconds that may lack the first: of reads, one has often just come back."""
    each = [int(row[1]) for row in seconds]
    most = max(each, default=0)
    is_told = any(row[0] == 0 for row in seconds) or most & (most - 1) == 0
    return most or None if is_told or (each.count(most) > 1 and most & (most + 1) != 0) else None


def _result(
    values: Mapping[str, float | None],
    run: Parts,
    seconds: Sequence[tuple[float, ...]],
    above: Command,
    source: Source,
    extra: Extra,
) -> Result:
    context: list[str] = []
    op = "write" if run.writes or any(key in values for key in _WRITE_ONLY) else None
    if op is None and above.op is not None:
        op = above.op
        context.append("op")
    elif op is None and "reads" in values:
        op = "read"
    ios = count(values.get("writes") if "writes" in values else values.get("reads"))
    runtime, iops, bandwidth, mean = (values.get(key) for key in ("runtime", "iops", "bandwidth", "latency"))
    if not values and seconds:
        runtime, bandwidth, mean = seconds[-1][0], seconds[-1][3], seconds[-1][5]
        extra["unfinished"] = True
    block = count(values.get("size")) or run.block_bytes
    block = block or (count(values.get("object_size")) if "size" not in values else None)
    if block is None and "size" not in values and above.block_bytes:
        block = above.block_bytes
        context.append("block_bytes")
    depth = run.depth
    if depth is None:
        depth = above.depth or _in_flight(seconds)
        context += ["queue_depth"] if depth else []
    extra |= _spread(values, ios, runtime)
    if iops is None and "iops" not in values:
        iops = extra.get("iops_exact")  # hammer and older print no IOPS line
    return Result(
        tool=NAME,
        op=op,
        block_bytes=block or None,
        queue_depth=depth,
        iops=iops,
        bandwidth_bytes_per_s=scaled(bandwidth, MIB),
        latency=latency(
            min_s=values.get("min latency"),
            mean_s=mean,
            max_s=values.get("max latency"),
            stddev_s=values.get("stddev latency"),
        ),
        total_ios=ios,
        runtime_s=runtime,
        series=_series(seconds),
        source=source,
        context=tuple(context),
        extra=extra,
    )


def _spread(values: Mapping[str, float | None], ios: int | None, runtime: float | None) -> Extra:
    highest, deviation = values.get("max iops"), values.get("stddev iops")
    if highest is not None and deviation is not None and deviation > highest + 1:
        deviation = None  # Ceph 16 prints an overflowed number here when run with --format json
    return known(
        {
            "iops_min": values.get("min iops"),
            "iops_max": highest,
            "iops_stddev": deviation,
            "bw_min_bytes_per_s": scaled(values.get("min bandwidth"), MIB),
            "bw_max_bytes_per_s": scaled(values.get("max bandwidth"), MIB),
            "bw_stddev_bytes_per_s": scaled(values.get("stddev bandwidth"), MIB),
            "iops_exact": ios / runtime if ios and runtime else None,
        }
    )


def _series(seconds: Sequence[tuple[float, ...]]) -> tuple[Series, ...]:
    """Rates of each second: from the differences of the finished counts, and as printed under `cur MB/s`."""
    times, rates, bandwidths = [], [], []
    last_time, last_finished = 0.0, 0.0
    for time, _, finished, _, bandwidth, _ in seconds:
        if time > last_time and finished >= last_finished:
            times.append(time)
            rates.append((finished - last_finished) / (time - last_time))
            bandwidths.append(bandwidth * MIB)
            last_time, last_finished = time, finished
    if not times:
        return ()
    return (
        Series("iops", "1/s", tuple(times), tuple(rates)),
        Series("bandwidth", "bytes/s", tuple(times), tuple(bandwidths)),
    )
