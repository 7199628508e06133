"""What readers have in common: stretches of lines, what stands above them, and at least one result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from radoscope.errors import UnreadableFile
from radoscope.records.measurement import Result


def required(found: Iterable[Result], problem: str, hint: str = "") -> tuple[Result, ...]:
    """All of them. Raises UnreadableFile where there is none."""
    results = tuple(found)
    if not results:
        raise UnreadableFile(problem, hint)
    return results


def stretches(places: Iterable[int], widest: int) -> Iterator[tuple[int, int]]:
    """Half-open ranges of lines: from one place to the next it goes on where they are at most so far apart."""
    first: int | None = None
    last = 0
    for at in places:
        if first is not None and at - last > widest:
            yield first, last + 1
            first = None
        first, last = at if first is None else first, at
    if first is not None:
        yield first, last + 1


def with_above(
    lines: Sequence[str], blocks: Iterable[tuple[int, int]], farthest: int
) -> Iterator[tuple[int, int, Sequence[str]]]:
    """Each half-open range with so many lines above it as stand between it and the one before, at most `farthest`."""
    above = 0
    for first, end in blocks:
        yield first, end, lines[max(above, first - farthest) : first]
        above = end
