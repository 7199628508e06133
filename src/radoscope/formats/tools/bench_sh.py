"""Scripts that try out rented servers (`bench.sh` and its kin): several runs of dd, which write; MB are dd's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required, stretches
from radoscope.formats.grammar.quantities import bytes_per_s, number
from radoscope.records.measurement import Result, Source

NAME = "bench.sh"
SIGNS = ("I/O Speed", "I/O speed")

_LONGEST_LINE = 200
_RUN = re.compile(
    r"\W*I/O Speed ?(?:\( ?(?P<run>\d(?:st|nd|rd|th)(?: run)?|[\d.]+ ?[MG]i?B) ?\))?\s*:\s*"
    r"(?P<rate>[\d.]+) ?(?P<unit>[kMG]i?B)/s\b",
    re.IGNORECASE,
)
_MEAN = re.compile(r"\W*(?:Average I/O Speed|I/O Speed ?\( ?average ?\))\s*:", re.IGNORECASE)
"""It adds nothing to the runs above it."""
_WIDEST_GAP = 2


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges of runs, with their mean."""
    ours = (at for at, line in enumerate(lines) if _run(line) or _MEAN.match(line[:_LONGEST_LINE]))
    for first, end in stretches(ours, _WIDEST_GAP):
        if runs := [at for at in range(first, end) if _run(lines[at])]:
            yield runs[0], end


def _run(line: str) -> re.Match[str] | None:
    return _RUN.match(line) if len(line) <= _LONGEST_LINE else None


def read(text: str) -> tuple[Result, ...]:
    """Every run. Raises UnreadableFile where there is none."""
    results = (
        Result(
            tool="dd",
            op="write",
            bandwidth_bytes_per_s=bytes_per_s(number(match["rate"]) or 0.0, match["unit"] + "/s"),
            source=Source(reader=NAME, first_line=at + 1, last_line=at + 1),
            context=("op",),
            extra={"label": match["run"]} if match["run"] else {},
        )
        for at, line in enumerate(text.split("\n"))
        if (match := _run(line))
    )
    return required(results, "no run of bench.sh in this text")
