"""iperf3 (text and JSON) and iperf 2: one result per run and direction, the receiver's summary where there is one.

Rates in bits are 1000-based; `Bytes` are 1024-based. iperf3 prints times with two decimals, iperf 2 with one or four.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required
from radoscope.formats.grammar.json_text import as_list, as_object, find_objects
from radoscope.formats.grammar.phrases import Load, heading_of
from radoscope.formats.grammar.quantities import bytes_per_s, count, finite, number, scaled, series
from radoscope.records.extra import Extra, known
from radoscope.records.measurement import Result, Series, Source

NAME = "iperf3"
SIGNS = ("its/sec", "ytes/sec", '"bits_per_second"')
LOOKS_BACK = 40
COMMAND_HOLDS = True
"""A server says once that it listens, above all that it reports."""

_LONGEST_LINE = 400
_LINE = re.compile(
    r"[^\[]{0,60}\[\s*\*?(?P<id>\d{1,6}|SUM|sum)(?:-\d+)?\s*\](?:\s?\[\s*(?P<role>[TR]X-[CS])\s*\])?\s+"
    r"(?P<begin>\d+\.\d+)\s?-\s{0,3}(?P<end>\d+\.\d+)\s+sec\s+[\d.,]+\s+[KMGT]?i?(?:Bytes|bits)\s+"
    r"(?P<rate>[\d.,]+)\s+(?P<unit>[KMGT]?(?:bits|Bytes)/sec)(?P<tail>.*)"
)
_OPENING = re.compile(
    r"\s*(?:Connecting to host|Server listening on|Accepted connection from|Client connecting to|Reverse mode, remote)"
    r"|.{0,120}\biperf3?(?:\.exe)?\s+-"
)
STREAMS = r"(?:-P|--parallel)[ =]?(?P<streams>\d{1,3})"
"""The option, and how many it asks for."""
_PARALLEL = re.compile(rf".{{0,120}}\biperf3?(?:\.exe)?\s(?:.{{0,200}}\s)?{STREAMS}\b")
_STREAMS_TOLD = re.compile(rf"(?<![^\s(`]){STREAMS}(?![^\s)`:,.])")
_COUNT_OF_STREAMS = re.compile(
    r"[\W_]{0,6}(?P<count>\d{1,3}) ?(?:parallel |tcp |条|條|个|個|并发|並發|并行|並行)?"
    r"(?:streams?|connections?|flows?|verbindungen|flux|flujos?|flussi|потоко?\w?|流|连接|連接|ストリーム|接続|스트림)\W{0,4}",
    re.IGNORECASE,
)
_LONGER, _ROUNDED = 1.5, 0.003
"""A run has two intervals or more; over one alone, both lines count the same."""
_LONGEST_CAPTION = 40
_LONGEST_REMARK = 120
""" "With four streams (-P 4):" above a sum."""
_ENDING = re.compile(r"\s*(?:iperf Done|iperf3?: (?:error|interrupt))")
_LOCAL = re.compile(
    r"[^\[]{0,60}\[\s*\*?(?P<id>\d{1,6})\s*\](?:\[[TR]X-[CS]\])?\s+local\s(?:\S{1,60} port (?P<port>\d{1,5})\s)?"
)
_LISTENS = re.compile(r"\s*Server listening on \w{3} port (?P<port>\d{1,5})")
_PORT = "5001"
"""Where iperf 2 listens."""
_HEADING = re.compile(r"[^\[]{0,60}\[\s*ID\s*\]")
_SIDE = re.compile(r"\s(sender|receiver)\s*$")
_CUT_INTERVAL = re.compile(r"\D{0,60}[\d.]+ [KMG]?bits/sec\s+\d+\s+[\d.]+ [KMG]?Bytes\s*")
"""A second whose front is missing: its rate, retransmits and the window behind it."""
_TORN = re.compile(r"[^\[]{0,60}\[\s*\*?(?:\d{1,6}|SUM|sum)(?:-\d+)?\s*\](?:\s?\[\s*[TR]X-[CS]\s*\])?\s+\d+\.\d+\s?-")
"""A row's beginning, which a mail program may have parted from its end."""
_END = re.compile(r"[\d\s./()%ms]{0,40}(?:sender|receiver|%\))\s*")
"""What it has parted from a row that has its rate."""
_DATAGRAMS = re.compile(r"\s*(?P<jitter>[\d.]+)\s+ms\s+(?P<lost>\d+)\s*/\s*(?P<all>\d+)\s+\(")
_RETRANSMITS = re.compile(r"\s*(?P<count>\d+)\s+sender")


@dataclass(slots=True)
class _Row:
    """One line of the table of intervals or of the summary."""

    id: str
    role: str
    begin_s: float
    end_s: float
    bytes_per_s: float | None
    tail: str
    is_iperf3: bool
    is_way_back: bool = False
    """Its stream comes in where this side listens, as with `-r` and `-d`."""

    @property
    def side(self) -> str:
        words = self.tail.split()
        return words[-1] if words and words[-1] in ("sender", "receiver") else ""


@dataclass(slots=True)
class _Run:
    first: int
    end: int
    rows: list[_Row] = field(default_factory=list)
    serves: bool = False
    asked_streams: int | None = None
    summed_up: set[tuple[str, str, str]] = field(default_factory=set)
    """(side, stream, direction) of the summary lines so far."""

    def add(self, row: _Row, end: int) -> None:
        self.rows.append(row)
        self.end = end
        if row.side:
            self.summed_up.add((row.side, row.id, row.role))


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges of runs, text and JSON."""
    spans = [(first, end) for first, end, _ in _json_runs(lines)]
    inside = [(run.first, run.end) for run in _text_runs(lines) if _results_of(run)]
    yield from sorted(spans + [span for span in inside if not any(a <= span[0] < b for a, b in spans)])


def read(text: str) -> tuple[Result, ...]:
    """Every run of the text, one result a direction. Raises UnreadableFile where there is none."""
    lines = text.splitlines()
    found = [(first, _read_json(value, Source(reader=NAME, first_line=first + 1, last_line=end)))
             for first, end, value in _json_runs(lines)]  # fmt: skip
    found += [(run.first, _results_of(run)) for run in _text_runs(lines)]
    results = (result for _, results in sorted(found, key=lambda each: each[0]) for result in results)
    return required(results, "no finished run of iperf in this text", "A run ends with its sender and receiver lines.")


def remains(lines: Sequence[str]) -> Iterator[int]:
    """Intervals of a run that was cut off before its summary, and heads."""
    torn = -1
    for at, line in enumerate(lines):
        if len(line) > _LONGEST_LINE or ("[" not in line[:80] and "its/sec" not in line and at != torn):
            continue
        whole = _mended(lines, at)
        torn = at + 1 if whole is not line else torn
        if at == torn or _LINE.match(whole) or _HEADING.match(line) or _CUT_INTERVAL.fullmatch(line):
            yield at


# --- JSON ---------------------------------------------------------------------------------------------------------


def _json_runs(lines: Sequence[str]) -> Iterator[tuple[int, int, dict[str, Any]]]:
    for first, end, value in find_objects(lines, '"bits_per_second"'):
        if as_object(value.get("end")):
            yield first, end, value


def _read_json(value: Mapping[str, Any], source: Source) -> list[Result]:
    end, start = as_object(value.get("end")), as_object(as_object(value.get("start")).get("test_start"))
    protocol = start.get("protocol")
    reverse = bool(count(start.get("reverse")))
    results = []
    for suffix in ("", "_bidir_reverse"):
        received, sent = as_object(end.get(f"sum_received{suffix}")), as_object(end.get(f"sum_sent{suffix}"))
        rates = received if finite(received.get("bits_per_second")) else sent
        summed = rates or as_object(end.get(f"sum{suffix}"))  # UDP before 3.7 has but this one
        if finite(summed.get("bits_per_second")) is None:
            continue
        extra: Extra = {"protocol": protocol.lower() if isinstance(protocol, str) else None}
        extra["retransmits"] = count(sent.get("retransmits"))
        extra["reverse"] = True if reverse or suffix else None
        extra |= _datagrams_of_json(summed, as_object(end.get(f"sum{suffix}")))
        results.append(
            Result(
                tool=NAME,
                op="send" if rates is sent and sent else "recv",
                jobs=count(start.get("num_streams")) or len(as_list(end.get("streams"))) or None,
                bandwidth_bytes_per_s=scaled(finite(summed.get("bits_per_second")), 1 / 8),
                runtime_s=finite(summed.get("seconds")),
                series=_series_of_json(value, f"sum{suffix}"),
                source=source,
                extra=known(extra),
            )
        )
    return results


def _datagrams_of_json(summed: Mapping[str, Any], total: Mapping[str, Any]) -> Extra:
    source = summed if summed.get("jitter_ms") is not None else total
    return {
        "jitter_s": scaled(finite(source.get("jitter_ms")), 1e-3),
        "lost": count(source.get("lost_packets")),
        "datagrams": count(source.get("packets")) if source.get("jitter_ms") is not None else None,
    }


def _series_of_json(value: Mapping[str, Any], key: str) -> tuple[Series, ...]:
    rows = [as_object(as_object(interval).get(key)) for interval in as_list(value.get("intervals"))]
    known = [(finite(row.get("end")), finite(row.get("bits_per_second"))) for row in rows if not row.get("omitted")]
    return _series((end, scaled(bits, 1 / 8)) for end, bits in known if end is not None)


def _series(points: Iterable[tuple[float, float | None]]) -> tuple[Series, ...]:
    return series("bandwidth", "bytes/s", points)


# --- text ---------------------------------------------------------------------------------------------------------


def _row(line: str) -> _Row | None:
    if len(line) > _LONGEST_LINE or "/sec" not in line:
        return None
    match = _LINE.match(line)
    if match is None or "omitted" in match["tail"]:
        return None
    rate = bytes_per_s(number(match["rate"]), match["unit"], mega_is_binary="Bytes" in match["unit"])
    decimals = len(match["begin"].partition(".")[2])
    begin, end = float(match["begin"]), float(match["end"])
    return _Row(match["id"].upper(), match["role"] or "", begin, end, rate, match["tail"], decimals in (2, 3))


def _mended(lines: Sequence[str], at: int) -> str:
    """A line; a row that a mail program wrapped has its end again, whose line comes next."""
    line = lines[at]
    if "[" not in line[:80] or len(line) > _LONGEST_LINE or at + 1 == len(lines) or not _TORN.match(line):
        return line
    end = lines[at + 1][:_LONGEST_LINE].strip()
    whole = f"{line.rstrip()} {end}"
    ends_below = not _SIDE.search(line) and _END.fullmatch(end) if _LINE.match(line) else end and _LINE.match(whole)
    return whole if ends_below else line


def _unwrapped(lines: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Half-open ranges of lines with the line that each was before it was wrapped."""
    end = 0
    for at, line in enumerate(lines):
        if at >= end:
            whole = _mended(lines, at)
            end = at + 1 if whole is line else at + 2
            yield at, end, whole[:_LONGEST_LINE]


def _text_runs(lines: Sequence[str]) -> Iterator[_Run]:
    run: _Run | None = None
    strange = 0
    serves, side, streams = False, "", None
    port, ways_back = _PORT, dict[str, bool]()
    for at, end, short in _unwrapped(lines):
        row = _row(short)
        if _HEADING.match(short):
            side = next(iter(_SIDE.findall(short)), "")  # some print there whose line comes next
        elif row is not None and side and not row.side:
            row = replace(row, tail=f"{row.tail} {side}")
        if row is None:
            port = listens["port"] if (listens := _LISTENS.match(short)) else port
            if local := _LOCAL.match(short):
                ways_back[local["id"]] = local["port"] == port
            opens = "iperf" in short or "onnect" in short or "isten" in short
            if opens and (_OPENING.match(short) or _ENDING.match(short)):
                parallel = _PARALLEL.match(short)
                streams = count(parallel["streams"]) if parallel else None if "iperf" in short else streams
                serves = "Server listening" in short or "Accepted" in short or (serves and "onnected" in short)
                if run is not None and run.rows:
                    yield run
                    run = None
            elif (told := _streams_told(short, is_near=run is not None or _is_above_rate(lines, at))) is not None:
                streams = told
                if run is not None and run.summed_up:
                    yield run
                    run = None
            elif local or _HEADING.match(short):
                strange = 0
                if run is not None and run.summed_up:
                    yield run
                    run = None
                run = run or _Run(first=at, end=at, serves=serves, asked_streams=streams)
            elif short.strip():
                strange += 1
            if run is not None and strange > 8:
                if run.rows:
                    yield run
                run, strange = None, 0
            continue
        strange = 0
        if run is not None and _is_another(run, row):
            yield run
            run = None
        run = run or _Run(first=at, end=at, serves=serves, asked_streams=streams)
        run.add(replace(row, is_way_back=ways_back.get(row.id, False)), end)
    if run is not None and run.rows:
        yield run


def _is_above_rate(lines: Sequence[str], at: int) -> bool:
    return at + 1 < len(lines) and "/sec" in lines[at + 1][:_LONGEST_LINE]


def _streams_told(line: str, *, is_near: bool) -> int | None:
    """How many streams a line above a run says that it has: "With four streams (-P 4):", near runs "8 threads"."""
    if len(line) <= _LONGEST_REMARK and (parallel := _STREAMS_TOLD.search(line)) is not None:
        return count(parallel["streams"])
    if not is_near or len(line) > _LONGEST_CAPTION:
        return None
    if named := _COUNT_OF_STREAMS.fullmatch(line):
        return int(named["count"])
    phrase = heading_of(line.strip(" #*-=:："))
    return phrase.load.jobs if phrase.load == Load(jobs=phrase.load.jobs) and not phrase.rest else None


def _is_another(run: _Run, row: _Row) -> bool:
    """A line without a side behind a summary, or the same summary line again, belongs to the next run."""
    if run.summed_up:
        return not row.side or (row.side, row.id, row.role) in run.summed_up
    return _begins_anew(run, row)


def _begins_anew(run: _Run, row: _Row) -> bool:
    """A line of iperf 2 from 0 on, below one of the same stream that is no interval of it: that is shorter, or of the
    same rate where it was as long as the run."""
    if row.begin_s or row.is_iperf3:
        return False
    before = [each for each in run.rows if (each.id, each.role) == (row.id, row.role)]
    if not before or before[-1].begin_s:
        return False
    last = before[-1]
    if len(before) > 1:
        return True  # that was the line of a whole run
    if row.end_s > last.end_s * _LONGER:
        return False
    rates = row.bytes_per_s or 0.0, last.bytes_per_s or 0.0
    return row.end_s < last.end_s or abs(rates[0] - rates[1]) > _ROUNDED * max(rates)


def _results_of(run: _Run) -> list[Result]:
    summaries = [row for row in run.rows if row.side]
    if not summaries:
        summaries = _unlabelled_summaries(run)
    if any(row.bytes_per_s for row in run.rows) and not any(row.bytes_per_s for row in summaries):
        return []  # old servers sum up datagrams as nothing
    results = []
    for role in sorted({row.role for row in summaries}, reverse=True):  # TX before RX, as printed
        rows = [row for row in summaries if row.role == role]
        for row in _totals(_seen(rows)):
            results.append(_result(run, row, rows))
    return results


def _seen(rows: Sequence[_Row]) -> Sequence[_Row]:
    """The receiver's lines; a side that the other one never told of prints zeros, so then those that count anything."""
    receivers = [row for row in rows if row.side == "receiver"]
    if any(row.bytes_per_s for row in receivers):
        return receivers
    return [row for row in rows if row.bytes_per_s] or receivers or rows


def _unlabelled_summaries(run: _Run) -> list[_Row]:
    """iperf 2, and iperf3 up to 3.1 with UDP: a stream's last line, when it covers the whole run."""
    last = {(row.id, row.role): row for row in run.rows}
    intervals = {key: [row for row in run.rows if (row.id, row.role) == key] for key in last}
    return [row for key, row in last.items() if row.begin_s == 0 and _covers(row, intervals[key])]


def _covers(row: _Row, rows: Sequence[_Row]) -> bool:
    """Alone, a line of iperf3 over one second is an interval of a cut-off run; a summary is longer than its parts."""
    if len(rows) == 1:
        return not row.is_iperf3 or row.end_s > 1.5
    return row.end_s >= max(each.end_s for each in rows)


def _totals(rows: Sequence[_Row]) -> list[_Row]:
    """The SUM line where there is one, else every stream."""
    sums = [row for row in rows if row.id == "SUM"]
    return sums or list(rows)


def _result(run: _Run, row: _Row, summaries: Sequence[_Row]) -> Result:
    streams = {each.id for each in summaries if each.id != "SUM"}
    extra: Extra = {"protocol": "tcp"}
    if datagrams := _DATAGRAMS.match(row.tail):
        extra = {"protocol": "udp", "jitter_s": scaled(number(datagrams["jitter"]), 1e-3)}
        extra |= {"lost": int(datagrams["lost"]), "datagrams": int(datagrams["all"])}
    for sender in summaries:
        retransmits = _RETRANSMITS.match(sender.tail)
        if retransmits and (sender.id, sender.role) == (row.id, row.role):
            extra["retransmits"] = int(retransmits["count"])
    if row.role:
        extra["direction"] = row.role
    parts = [
        each for each in run.rows if not each.side and each is not row and (each.id, each.role) == (row.id, row.role)
    ]
    return Result(
        tool="iperf3" if row.is_iperf3 else "iperf",
        op=_operation(run, row, "jitter_s" in extra),
        jobs=len(streams) or run.asked_streams if row.id == "SUM" else 1,
        bandwidth_bytes_per_s=row.bytes_per_s,
        runtime_s=row.end_s - row.begin_s,
        series=_series((each.end_s, each.bytes_per_s) for each in parts),
        source=Source(reader=NAME, first_line=run.first + 1, last_line=run.end),
        extra=extra,
    )


def _operation(run: _Run, row: _Row, reports_loss: bool) -> str:
    if row.side:
        return "recv" if row.side == "receiver" else "send"
    return "recv" if run.serves or row.is_way_back or reports_loss else "send"
