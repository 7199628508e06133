"""Lines that a terminal has cut at its width, whole again: "BW=4811KiB/s (49" and "27kB/s)(4816KiB/1001msec)"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from radoscope import patterns as re

_NARROWEST, _WIDEST = 56, 250
_MOST_WIDTHS = 4
_FEWEST = 3
"""Different lines of one length, the longest of all, each of which goes on: no rows, and no output that comes again."""
_OF_FRAMES = frozenset("|+-=_*#")
_PRINTED = re.compile(
    r"(?<![a-z])(?:ioengine=|iodepth=|samples=|stdev=|sender|receiver|msec|[KMG]i?B/s(?:ec)?|[KMG]bits/sec|IOPS|percentile)"
    r"(?![a-z])"
)
_LONGEST_PRINTED = 12
_OF_NUMBERS = frozenset("=/:(.")
_DIGITS = re.compile(r"[\d.]+")


def rejoined(lines: Sequence[str], numbers: Sequence[int]) -> tuple[list[str], list[int]]:
    """The lines and the number of each; those that were cut have that of their first part."""
    lengths = Counter(length for line in lines if _NARROWEST <= (length := len(line)) <= _WIDEST)
    widths = [width for width, count in lengths.most_common(_MOST_WIDTHS) if count > 1]
    cut = {at for width in widths for region in _regions(lines, width) for at in _cut(lines, region, width)}
    if not cut:
        return list(lines), list(numbers)
    whole: list[str] = []
    first: list[int] = []
    for at, line in enumerate(lines):
        if at - 1 in cut:
            whole[-1] += line
        else:
            whole.append(line)
            first.append(numbers[at])
    return whole, first


def _regions(lines: Sequence[str], width: int) -> Iterator[range]:
    """Stretches of lines none of which is longer."""
    start = 0
    for at, line in enumerate(lines):
        if len(line) > width:
            yield range(start, at)
            start = at + 1
    yield range(start, len(lines))


def _cut(lines: Sequence[str], region: range, width: int) -> Sequence[int]:
    """Lines that go on in the next, where several end at this width within a word or a number, or one within what only
    tools print.

    Words that a writer or a mail program wrapped end before it, each where its next word would not fit; rows of one
    width stand below each other, and frames end with a bar.
    """
    full = [at for at in region if len(lines[at]) == width and lines[at][-1] not in _OF_FRAMES]
    ends = [at for at in full if at + 1 in region and 0 < len(lines[at + 1]) < width]
    told = [at for at in ends if lines[at + 1].strip()]
    if not told or len(full) > 2 * len(ends) or len(full) <= _wrapped_words(lines, region, width):
        return ()
    parted = [at for at in told if _is_within_word(lines[at], lines[at + 1])]
    printed = [at for at in parted if _is_within_print(lines, at)]
    sure = [at for at in parted if at in printed or _is_within_number(lines[at], lines[at + 1])]
    are_several = len({_DIGITS.sub("0", lines[at]) for at in told}) >= _FEWEST and 2 * len(sure) >= len(parted)
    is_cut = 2 * len(parted) >= len(told) and (bool(printed) or (are_several and bool(sure)))
    return [at for at in full if at + 1 in region and lines[at + 1]] if is_cut else ()


def _wrapped_words(lines: Sequence[str], region: range, width: int) -> int:
    """How many lines end where the first word of the next would not fit."""
    words = ((len(lines[at]), lines[at + 1].partition(" ")[0]) for at in region if at + 1 in region)
    return sum(1 for length, word in words if length < width < length + 1 + len(word) and word[0].isalpha())


def _is_within_word(line: str, rest: str) -> bool:
    return (line[-1].isalnum() or line[-1] in " .,;:=/(") and rest[0].isalnum()


def _is_within_number(line: str, rest: str) -> bool:
    return rest[0].isdecimal() and (line[-1].isdecimal() or line[-1] in _OF_NUMBERS)


def _is_within_print(lines: Sequence[str], at: int) -> bool:
    before, behind = lines[at][-_LONGEST_PRINTED:], lines[at + 1][:_LONGEST_PRINTED]
    return any(match.start() < len(before) < match.end() for match in _PRINTED.finditer(before + behind))
