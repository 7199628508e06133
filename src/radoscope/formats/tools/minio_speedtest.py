"""MinIO's own test as JSON (`mc admin speedtest --json`), cut off or not: bytes and objects a second."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required
from radoscope.formats.grammar.quantities import count, number
from radoscope.records.measurement import Result, Source

NAME = "minio-speedtest"
SIGNS = ('"PUTStats"', '"GETStats"')
COMMAND_HOLDS = True
LOOKS_BACK = 200

_LONGEST_LINE = 400
_VALUE = re.compile(r'"(?P<name>size|concurrent|throughputPerSec|objectsPerSec)"\s*:\s*(?P<value>\d{1,18})')
_PHASE = re.compile(r'"(?P<name>PUT|GET)Stats"\s*:\s*\{')
_OPS = {"PUT": "write", "GET": "read"}
_LONGEST_PHASE = 3
"""Lines of a phase before its servers."""


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges of lines: a phase up to its servers, where its throughput stands."""
    for at, line in enumerate(lines):
        if "Stats" in line and _PHASE.search(line[:_LONGEST_LINE]):
            end = at + 1
            while end < len(lines) and end - at < _LONGEST_PHASE and _VALUE.search(lines[end][:_LONGEST_LINE]):
                end += 1
            if "throughputPerSec" in _values(lines[at:end]):
                yield at, end


def read(text: str) -> tuple[Result, ...]:
    """One result a phase, of all servers. Raises UnreadableFile where there is none."""
    lines = text.split("\n")
    results = (
        _read(
            lines[first:end],
            _values(lines[max(0, first - LOOKS_BACK) : first][::-1]),  # of the object around it
            Source(reader=NAME, first_line=first + 1, last_line=end),
        )
        for first, end in find(lines)
    )
    return required(results, "no phase of MinIO's speedtest in this text")


def _values(lines: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in lines:
        for match in _VALUE.finditer(line[:_LONGEST_LINE]):
            found.setdefault(match["name"], match["value"])
    return found


def _read(lines: Sequence[str], above: dict[str, str], source: Source) -> Result:
    phase = _PHASE.search(lines[0][:_LONGEST_LINE])
    values = _values(lines)
    return Result(
        tool=NAME,
        op=_OPS[phase["name"]] if phase else None,
        block_bytes=count(above.get("size")) or None,
        queue_depth=count(above.get("concurrent")) or None,
        iops=number(values.get("objectsPerSec", "")),
        bandwidth_bytes_per_s=number(values["throughputPerSec"]),
        source=source,
    )
