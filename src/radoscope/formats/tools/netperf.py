"""netperf: the tests of streams and of requests. Throughput counts bits of 10^6; of UDP what arrived counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required
from radoscope.formats.grammar.quantities import number, scaled
from radoscope.records.measurement import Result, Source

NAME = "netperf"
SIGNS = ("10^6bits/sec", "REQUEST/RESPONSE TEST", "10^3bits/sec", "Bytes/sec", "per sec")

_LONGEST_LINE = 300
_TEST = re.compile(
    r".{0,40}?\b(?P<what>(?:TCP|UDP|SCTP) (?:STREAM|MAERTS|(?:CONNECT/)?REQUEST/RESPONSE)) TEST\s(?:from|to)\b"
)
_UNIT = re.compile(r"(?P<unit>10\^[369]bits|[KMG]Bytes)/(?:sec|s)\b")
_FACTORS = {
    "10^3bits": 125.0, "10^6bits": 1.25e5, "10^9bits": 1.25e8, "KBytes": 2.0**10, "MBytes": 2.0**20,
    "GBytes": 2.0**30,
}  # fmt: skip
_HEAD = re.compile(
    r"\s*(?:Recv|Send|Local|Socket|Size|bytes)\b|\s*$|\s*(?:(?:AF_INET6? )?to )?\S{0,60} ?\(.{0,60}\) port \d",
    re.IGNORECASE,
)
"""Or the hosts, which a mail puts on a line of their own."""
_ROW = re.compile(r"\s*\d+(?:\s+[\d.]+){1,8}\s*$")
_MOST_LINES = 12


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges from the name of a test to its last row of numbers."""
    at = 0
    while at < len(lines):
        end = at + 1
        if " TEST " in lines[at] and _TEST.match(lines[at][:_LONGEST_LINE]):
            for below in range(at + 1, min(len(lines), at + _MOST_LINES)):
                line = lines[below][:_LONGEST_LINE]
                if _ROW.match(line):
                    end = below + 1
                elif not _HEAD.match(line):
                    break
            if end > at + 1:
                yield at, end
        at = end


def read(text: str) -> tuple[Result, ...]:
    """One result a test. Raises UnreadableFile where none is whole."""
    lines = text.split("\n")
    results = (
        result for first, end in find(lines) if (result := _result(lines, first, end, " ".join(lines[first:end])))
    )
    return required(results, "no whole test of netperf in this text", "Paste it from the name of the test on.")


def _result(lines: Sequence[str], first: int, end: int, whole: str) -> Result | None:
    test = _TEST.match(lines[first][:_LONGEST_LINE])
    rows = [[number(cell) for cell in line.split()] for line in lines[first + 1 : end] if _ROW.match(line)]
    if test is None or None in rows[0]:
        return None
    what, source = test["what"], Source(reader=NAME, first_line=first + 1, last_line=end)
    if "RESPONSE" in what and len(rows[0]) == 6:
        return Result(tool=NAME, op="rtt", iops=rows[0][5], runtime_s=rows[0][4], source=source, extra={"test": what})
    unit = _UNIT.search(whole)
    is_udp = what == "UDP STREAM"
    row, arrived = rows[0], rows[1][-1] if is_udp and len(rows) > 1 else rows[0][-1]
    if unit is None or len(row) != (6 if is_udp else 5) or (is_udp and len(rows) < 2):
        return None
    size = row[1 if is_udp else 2]
    return Result(
        tool=NAME,
        op="recv" if is_udp or "MAERTS" in what else "send",
        block_bytes=int(size) if size else None,
        bandwidth_bytes_per_s=scaled(arrived, _FACTORS[unit["unit"]]),
        runtime_s=row[2 if is_udp else 3],
        source=source,
        extra={"test": what},
    )
