"""Benchmarks of networks beside iperf: RDMA's perftest (`ib_write_bw` ...), qperf and sockperf.

perftest's and sockperf's MB are MiB, `Gb/sec` counts bits of 1000; qperf's units are 1000-based. Latencies of ping-pong
tests are one way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required, with_above
from radoscope.formats.grammar.command_lines import nearest, option
from radoscope.formats.grammar.quantities import MIB, bytes_per_s, latency, number, scaled, seconds
from radoscope.records.measurement import Latency, Result, Source

NAME = "network-benches"
LOOKS_BACK = 30
SIGNS = ("#bytes", "_bw:", "_lat:", "sockperf:")

_LONGEST_LINE = 300
_BW_HEAD = re.compile(r"\s*#bytes\s+#iterations\s+BW[ _]peak\[(?P<unit>[MG][bB])/sec\]\s+BW[ _]average\[")
_LAT_HEAD = re.compile(r"\s*#bytes\s+#iterations\s+(?P<columns>t_\w+\[usec\].*)")
_COLUMN = re.compile(r"[\w.%]+(?: percentile)?\[usec\]")
_NUMBERS = re.compile(r"\s*\d{1,12}(?:\s+[\d.*]+){3,8}\s*$")
_TEST = re.compile(
    r"\s*(?:RDMA_)?(?P<what>Write|Read|Send|Atomic)(?: Post List)?(?: Bidirectional)? (?P<kind>BW"
    r"|Latency) (?:Post List )?(?:Bidirectional )?Test|.*\bib_(?P<tool>write|read|send|atomic)_(?:bw|lat)\b"
)
_NOISE = re.compile(r"\s*(?:Conflicting CPU|-{10,})")
_QPERF = re.compile(r"\s*(?P<test>(?:tcp|udp|sctp|sdp|rds|rc|uc|ud|xrc)_\w+):\s*$")
_QPERF_ROW = re.compile(
    r"\s*(?P<key>bw|send_bw|recv_bw|latency|msg_rate|msg_size|\w+)\s+=\s+(?P<value>[\d.,]+)\s*(?P<unit>\w.*?)?\W*$"
)
_SUMMARY = re.compile(
    r".*(?:Summary: (?:(?P<kind>Latency|Round trip) is (?P<time>[\d.]+) usec|BandWidth is (?P<rate>[\d.]+) MBps)"
    r"|====> avg-(?P<what>lat|rtt)\w*=\s*(?P<mean>[\d.]+) ?\()"
)
"""The mean stands there twice; pasted pieces have one of the two."""
_POINT = re.compile(
    r".*---> (?:percentile (?P<percent>[\d.]+)|<?(?P<end>MAX|MIN)>? observation)\s*=[\s*_]*(?P<value>[\d.]+)"
)
_DURATION = re.compile(r".*\[Valid Duration\] RunTime=(?P<time>[\d.]+) sec; SentMessages=(?P<sent>\d+)")
_SOCKPERF = re.compile(r"(?<![a-z:])sockperf (?:ping-pong|pp|under-load|ul|throughput|tp|playback)\b(?P<arguments>.*)")
_MESSAGES = re.compile(r".*(?:Message Rate is (?P<rate>\d+)|using msg-size=(?P<size>\d+))")


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges: a table of perftest, a test of qperf, a run of sockperf."""
    at = 0
    while at < len(lines):
        line = lines[at][:_LONGEST_LINE]
        end = at
        if "#bytes" in line and (_BW_HEAD.match(line) or _LAT_HEAD.match(line)):
            end = _while(lines, at + 1, _NUMBERS, _NOISE)
        elif _QPERF.match(line):
            end = _while(lines, at + 1, _QPERF_ROW)
        elif "sockperf:" in line:
            end = _sockperf_end(lines, at)
        if end > at + 1:
            yield at, end
        at = max(end, at + 1)


def _while(lines: Sequence[str], at: int, *patterns: re.Pattern[str]) -> int:
    while at < len(lines) and any(pattern.match(lines[at][:_LONGEST_LINE]) for pattern in patterns):
        at += 1
    return at


def _sockperf_end(lines: Sequence[str], at: int) -> int:
    """Up to the lowest observation, or the bandwidth; a new run begins with its version."""
    end, summed = at + 1, False
    for below in range(at, len(lines)):
        line = lines[below][:_LONGEST_LINE]
        if "sockperf:" not in line:
            if below - end > 3:
                break
            continue
        if summed and ("version" in line or _SUMMARY.match(line)) and "Message Rate" not in line:
            break
        summed, end = summed or "BandWidth is" in line or _POINT.match(line) is not None, below + 1
    return end


def read(text: str) -> tuple[Result, ...]:
    """Every figure. Raises UnreadableFile where there is none."""
    lines = text.split("\n")
    results: list[Result] = []
    for first, end, before in with_above(lines, find(lines), len(lines)):
        line = lines[first][:_LONGEST_LINE]
        if head := _BW_HEAD.match(line):
            results += _bandwidths(lines, first, end, head["unit"], _operation(before))
        elif head := _LAT_HEAD.match(line):
            results += _latencies(lines, first, end, head["columns"], _operation(before))
        elif match := _QPERF.match(line):
            results += _qperf(lines, first, end, match["test"])
        else:
            results += _sockperf(lines, first, end, before[-LOOKS_BACK:])
    return required(results, "no figures of perftest, qperf or sockperf in this text")


def _operation(before: Sequence[str]) -> str | None:
    for line in reversed(before):
        if match := _TEST.match(line[:_LONGEST_LINE]):
            return (match["what"] or match["tool"]).lower()
    return None


def _rows(lines: Sequence[str], first: int, end: int) -> Iterator[tuple[int, list[float | None]]]:
    for at in range(first + 1, end):
        if _NUMBERS.match(lines[at][:_LONGEST_LINE]):
            yield at, [number(cell.strip("*")) for cell in lines[at].split()]


def _bandwidths(lines: Sequence[str], first: int, end: int, unit: str, op: str | None) -> Iterator[Result]:
    factor = {"MB": MIB, "Gb": 1.25e8, "GB": 2.0**30, "Mb": 1.25e5}[unit]
    for at, row in _rows(lines, first, end):
        peak, mean = row[2], row[3]
        if mean:
            yield Result(
                tool=f"ib_{op}_bw" if op else "perftest",
                op=op,
                block_bytes=int(row[0]) if row[0] else None,
                bandwidth_bytes_per_s=mean * factor,
                iops=scaled(row[4] if len(row) > 4 else None, 1e6),
                total_ios=int(row[1]) if row[1] else None,
                source=Source(reader=NAME, first_line=at + 1, last_line=at + 1),
                extra={"bw_max_bytes_per_s": peak * factor} if peak else {},
            )


def _latencies(lines: Sequence[str], first: int, end: int, columns: str, op: str | None) -> Iterator[Result]:
    """Versions before 2015 print the typical latency, the median, and no mean; people leave columns out."""
    names = [name.removesuffix("[usec]").removesuffix(" percentile") for name in _COLUMN.findall(columns)]
    for at, row in _rows(lines, first, end):
        values = {name: scaled(value, 1e-6) for name, value in zip(names, row[2:], strict=False)}
        yield Result(
            tool=f"ib_{op}_lat" if op else "perftest",
            op=op,
            block_bytes=int(row[0]) if row[0] else None,
            latency=latency(
                min_s=values.get("t_min"),
                mean_s=values.get("t_avg"),
                max_s=values.get("t_max"),
                stddev_s=values.get("t_stdev"),
                percentiles_s={50.0: values.get("t_typical"), 99.0: values.get("99%"), 99.9: values.get("99.9%")},
            ),
            total_ios=int(row[1]) if row[1] else None,
            source=Source(reader=NAME, first_line=at + 1, last_line=at + 1),
        )


def _qperf(lines: Sequence[str], first: int, end: int, test: str) -> Iterator[Result]:
    source = Source(reader=NAME, first_line=first + 1, last_line=end)
    for line in lines[first + 1 : end]:
        match = _QPERF_ROW.match(line[:_LONGEST_LINE])
        value = number(match["value"]) if match else None
        if match is None or value is None:
            continue
        unit, key = match["unit"] or "", match["key"]
        if key == "latency" and (mean := seconds(value, unit)) is not None:
            yield Result(
                tool="qperf",
                op="rtt",
                latency=latency(mean_s=mean),
                source=source,
                extra={"test": test, "one_way": True},
            )
        elif key in ("bw", "send_bw", "recv_bw"):
            rate = bytes_per_s(value, unit.replace("/sec", "/s"))
            if rate is not None:
                yield Result(
                    tool="qperf",
                    op=_seen_by(test, key),
                    bandwidth_bytes_per_s=rate,
                    source=source,
                    extra={"test": test},
                )


def _seen_by(test: str, key: str) -> str:
    """Of its streams qperf counts what was received; of datagrams both, and of what RDMA writes what its client
    completed."""
    return "send" if key == "send_bw" or "rdma_write" in test else "recv"


def _sockperf(lines: Sequence[str], first: int, end: int, before: Sequence[str]) -> Iterator[Result]:
    points: dict[float, float] = {}
    ends: dict[str, float] = {}
    command = nearest(before, _SOCKPERF)
    asked = option(command["arguments"], "-m", "--msg-size") if command else None
    rate, size = None, int(asked) if asked and asked.isdecimal() else None
    summary: re.Match[str] | None = None
    valid: re.Match[str] | None = None
    for line in lines[first:end]:
        line = line[:_LONGEST_LINE]
        summary, valid = _SUMMARY.match(line) or summary, _DURATION.match(line) or valid
        if match := _POINT.match(line):
            value = float(number(match["value"]) or 0.0) / 1e6
            if match["end"]:
                ends[match["end"]] = value
            else:
                points[float(match["percent"])] = value
        if match := _MESSAGES.match(line):
            rate, size = number(match["rate"] or "") or rate, int(match["size"]) if match["size"] else size
    if summary is None:
        return
    mean = number(summary["time"] or summary["mean"] or "")
    times: Latency | None = None
    if mean is not None:
        times = latency(min_s=ends.get("MIN"), mean_s=mean / 1e6, max_s=ends.get("MAX"), percentiles_s=points)
    bandwidth = number(summary["rate"] or "")
    yield Result(
        tool="sockperf",
        op="rtt" if times else "send",
        block_bytes=size,
        iops=rate,
        bandwidth_bytes_per_s=scaled(bandwidth, MIB),
        latency=times,
        total_ios=int(valid["sent"]) if valid else None,
        runtime_s=number(valid["time"]) if valid else None,
        source=Source(reader=NAME, first_line=first + 1, last_line=end),
        context=("block_bytes",) if asked and size else (),
        extra={"one_way": "Latency" in (summary["kind"] or "") or summary["what"] == "lat"} if times else {},
    )
