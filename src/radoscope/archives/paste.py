"""A pasted page, thread, mail or terminal log -> every result in it, with the lines it came from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from radoscope.archives.clean import CleanText, clean
from radoscope.errors import UnreadableFile
from radoscope.formats import FORMATS, Reader, fio_job
from radoscope.records.measurement import Result, Source


@dataclass(frozen=True, slots=True)
class Unread:
    """A block that looked like a format and was not readable as such. Lines are 1-based."""

    reader: str
    first_line: int
    last_line: int
    why: str


@dataclass(frozen=True, slots=True)
class Page:
    """What a text holds."""

    results: tuple[Result, ...]
    unread: tuple[Unread, ...] = ()


@dataclass(frozen=True, slots=True)
class _Block:
    """Half-open range of clean lines that one reader claims."""

    first: int
    end: int
    reader: Reader


def read(text: str) -> tuple[Result, ...]:
    """The results of the text in its order; none where it holds none."""
    return read_page(text).results


def read_page(text: str) -> Page:
    """The results, and the blocks that could not be read."""
    cleaned = clean(text)
    results: list[Result] = []
    unread: list[Unread] = []
    above = 0
    for block in _blocks(cleaned.lines):
        begin = max(above, block.first - int(getattr(block.reader, "LOOKS_BACK", 0)))
        above = block.end
        try:
            found = block.reader.read("\n".join(cleaned.lines[begin : block.end]))
        except UnreadableFile as error:
            numbers = cleaned.numbers
            unread.append(Unread(block.reader.NAME, numbers[block.first], numbers[block.end - 1], error.message))
            continue
        results += [_moved(result, begin, block) for result in found]
    return Page(tuple(_numbered(result, cleaned) for result in _with_jobs(results, cleaned)), tuple(unread))


def _with_jobs(results: Sequence[Result], cleaned: CleanText) -> Sequence[Result]:
    """fio's results with what only the job file or the command line above them says."""
    if not any(result.tool == "fio" for result in results):
        return results
    try:
        jobs = fio_job.read_jobs("\n".join(cleaned.lines))
    except UnreadableFile:
        return results
    return [fio_job.fill_beside([each], jobs)[0] if each.tool == "fio" else each for each in results]


def _blocks(lines: Sequence[str]) -> list[_Block]:
    """The blocks of all formats in the order of the text. Where two overlap, the format first in FORMATS has it."""
    taken: list[_Block] = []
    text = "\n".join(lines)
    for reader in FORMATS:
        signs = getattr(reader, "SIGNS", ())  # at least one of them is in every text that holds the format
        if signs and not any(sign in text for sign in signs):
            continue
        new = [_Block(first, end, reader) for first, end in reader.find(lines)]
        starts = [block.first for block in taken]
        free = [block for block in new if _is_free(block, taken, starts)]
        taken = sorted([*taken, *free], key=lambda block: block.first)
    return taken


def _is_free(block: _Block, taken: Sequence[_Block], starts: Sequence[int]) -> bool:
    at = bisect_right(starts, block.first)
    before, after = taken[at - 1 : at] if at else (), taken[at : at + 1]
    return all(each.end <= block.first for each in before) and all(block.end <= each.first for each in after)


def _moved(result: Result, begin: int, block: _Block) -> Result:
    """The result with its lines counted from 1 in the clean lines."""
    source = result.source or Source(reader=block.reader.NAME)
    first = begin + source.first_line if source.first_line else block.first + 1
    last = begin + source.last_line if source.last_line else block.end
    return replace(result, source=replace(source, first_line=first, last_line=last))


def _numbered(result: Result, cleaned: CleanText) -> Result:
    """The result with its lines counted in the text as it was given."""
    source, top = result.source, len(cleaned.numbers)
    if source is None or source.first_line is None or source.last_line is None:
        return result
    first, last = (cleaned.numbers[min(line, top) - 1] for line in (source.first_line, source.last_line))
    return replace(result, source=replace(source, first_line=first, last_line=last))
