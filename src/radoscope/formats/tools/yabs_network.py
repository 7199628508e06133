"""The network part of `yabs`: iperf3 in both directions and a ping to each of several hosts. Other parts are tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required
from radoscope.formats.grammar.quantities import bytes_per_s, latency, number, seconds
from radoscope.records.measurement import Result, Source

NAME = "yabs"
SIGNS = ("Send Speed",)

_LONGEST_LINE = 400
_BAR = r"\s{0,40}\|\s{0,40}"
_HEAD = re.compile(
    rf"[\s|]{{0,9}}Provider{_BAR}Location(?: \(Link\))?{_BAR}Send Speed{_BAR}Recv Speed(?:{_BAR}Ping)?[\s|]{{0,80}}$"
)
_RATE = re.compile(r"(?P<value>\d{1,6}(?:\.\d{1,4})?) ?(?P<unit>[KMG]?bits/s)ec")
_TIME = re.compile(r"(?P<value>\d{1,6}(?:\.\d{1,4})?) ?(?P<unit>[mu]?s)")
_RULE = re.compile(r"[\s|:-]+")


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges: heads with the rows below them."""
    for at, line in enumerate(lines):
        if "Send Speed" in line and _HEAD.match(line[:_LONGEST_LINE]):
            end = at + 1
            while end < len(lines) and "|" in lines[end] and len(_cells(lines[end])) in (4, 5):
                end += 1
            if any(_RATE.search(row[:_LONGEST_LINE]) for row in lines[at + 1 : end]):
                yield at, end


def read(text: str) -> tuple[Result, ...]:
    """What each host sent, received, and how far it is. Raises UnreadableFile where there is nothing."""
    lines = text.split("\n")
    results = (
        each
        for first, end in find(lines)
        for at in range(first + 1, end)
        if not _RULE.fullmatch(lines[at])
        for each in _of_row(_cells(lines[at]), Source(reader=NAME, first_line=at + 1, last_line=at + 1))
    )
    return required(results, "no row of a network test of yabs in this text", "It has `Send Speed` and `Recv Speed`.")


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line[:_LONGEST_LINE].strip().strip("|").split("|")]


def _of_row(cells: Sequence[str], source: Source) -> Iterator[Result]:
    """A host that was busy, or did not answer, has words or dashes there."""
    label = ", ".join(cells[:2])
    for op, cell in zip(("send", "recv"), cells[2:4], strict=True):
        if rate := _RATE.fullmatch(cell):
            bandwidth = bytes_per_s(number(rate["value"]), rate["unit"])
            yield Result(tool="iperf3", op=op, bandwidth_bytes_per_s=bandwidth, source=source, extra={"label": label})
    if time := _TIME.fullmatch(cells[4]) if len(cells) > 4 else None:
        mean = latency(mean_s=seconds(number(time["value"]), time["unit"]))
        yield Result(tool="ping", op="rtt", latency=mean, source=source, extra={"label": label})
