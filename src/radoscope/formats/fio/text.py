"""fio's normal text output, 2.x to 3.4x, whole or in pieces -> one result a reported group and direction.

The heading of a run (`test: (g=0): rw=randwrite, bs=..., iodepth=1`) supplies what the results below do not repeat; the
totals of `Run status group` fill what is missing, and stand for themselves where nothing else was pasted.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import chain

from radoscope import patterns as re
from radoscope.formats.fio.job import is_change
from radoscope.formats.fio.text_report import Report
from radoscope.formats.fio.text_words import narrow, sentences
from radoscope.formats.fio.titles import named_load
from radoscope.formats.grammar.blocks import required
from radoscope.records.measurement import Result

NAME = "fio_text"

_E = r"\s{0,4}="
_PART = rf"(?:read|write|trim|mixed)\s{{0,9}}:\s{{0,9}}(?:IOPS|io){_E}"
_TOTAL = rf"(?:READ|WRITE|TRIM|MIXED)\s{{0,9}}:\s{{0,9}}(?:bw|io){_E}"
_STATUS = r"(?<![(（])Run\s{1,9}status\s{1,9}group\s{1,9}\d"
_AVERAGE = r"(?:bw\s{0,9}\(\s{0,9}[KMG]i?B/s\)|iops)\s{0,9}:\s{0,9}min=\s{0,9}\d{1,15},"
"""Of samples, as fio prints it; kubestr has no commas there."""
_SYNC = rf"sync\s{{0,9}}(?:(?P<tails>percentiles)\s{{0,9}})?\([mnu]?sec\)\s{{0,9}}:\s{{0,9}}(?:min{_E}|\||$)"
"""How long fsync or fdatasync took: of a log's writes that is all that people ask for."""
_SYNCS, _ABOVE_SYNC = re.compile(rf"\b{_SYNC}"), "fsync/fdatasync"
_GROUP = rf"\(groupid{_E}\s{{0,4}}\d"
_HEADING = re.compile(rf"\(g{_E}\s{{0,4}}\d{{1,5}}\):\s{{0,9}}rw{_E}")
_RESULT = re.compile(rf"{_GROUP}|\b(?:{'|'.join((_PART, _STATUS, _TOTAL, _AVERAGE, _SYNC))})")
"""Words that begin one are asked behind one sign of it, here and below: most places of a line begin none."""
_WITHOUT_BEGINNING = re.compile(rf"\b(?:{_AVERAGE}|{_STATUS})")
_START = re.compile(f"{_HEADING.pattern}|{_RESULT.pattern}")
_BELONGS = re.compile(
    r"\b(?:(?:[scl]*lat|sync)\b.{0,20}\((?:nsec|usec|msec|sec)\)"
    r"|cpu\s{0,19}:\s{0,9}usr=|IO\s{1,9}depths|issued\s{0,9}(?:rwts?|r/w/d)?\s{0,9}:\s{0,9}total="
    r"|latency\s{0,9}:\s{0,9}target|fsync/fdatasync|Disk stats\b|ios=\d|run=\d|maxt=|Starting \d|Jobs: \d"
    r"|(?:min|max|avg|stdev|samples|util|in_queue|per|aggrb|ctx|sys|iodepth|ioengine|err|pid)=)"
    r"|th=\s{0,9}[\[\d]|=\s{0,9}[\d.]{1,9}%|^\s*fio-\d"
)
_JSON = re.compile(r"\s*[\"{}\[\]]")
"""--output-format=normal,json puts the JSON between the headings and the text; as one block JSON's reader has it."""
_COMMAND = re.compile(r"\bfio\b.{0,400}\s--?\w{2,}|^\s*--\w")
_ANOTHER = re.compile(r"fio(?<!\wfio)\b.{0,300}\s--?(?:rw|readwrite|bs|filename|name|iodepth|ioengine)\b")
"""A command behind results begins another run."""
_LABEL, _NAME = re.compile(r"[^\W\d][\w ,./()'-]{1,50}[:：]\s*"), re.compile(r"[^\W\d][\w ,./()'-]{1,50}")
"""A name of what stands below; without a colon it may be anything."""
_TITLE = re.compile(
    r"\s{0,3}(?:#{1,6}\s+\S.{0,80}|\*\*[^*]{1,80}\*\*:?)\s*|\s{0,8}[-*+•]\s{1,3}[^\W_][\w ,./()'-]{0,50}[:：]?\s*"
)
"""Of pieces that somebody put below it; between those of one run with its heading it may stand for anything."""
_TIMES = re.compile(r"\s*(?:\|\s*)?[scl]*lat\b.{0,20}\((?:nsec|usec|msec|sec)\)")
_LONGEST_REMAINS = 4000
_MOST_LINES_OF_PROSE = 2
"""So many lines in a row that are not fio's end a block; wrapped lines leave a stray word now and then."""
_MOST_LINES_OF_WARNINGS = 12
"""Between the headings and the first result fio and its engines may have more to say."""


def recognises(head: str) -> bool:
    return _START.search(head) is not None


def read(text: str) -> tuple[Result, ...]:
    """All results in the text, with their lines. Raises UnreadableFile if there is none."""
    lines = narrow(text).split("\n")
    blocks = (_read_block("\n".join(lines[first:last]), first) for first, last in find(lines))
    return required(
        chain.from_iterable(blocks),
        "there is no result of fio in this text",
        "A result has a line like: read: IOPS=1198, BW=4796KiB/s.",
    )


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The runs of fio among other lines, one pass; a heading that follows results begins another run."""
    start: int | None = None
    top, end, prose, seen_result = "", 0, 0, False
    for position, line in enumerate(map(narrow, lines)):
        opens = _opens(line)
        if start is not None and seen_result and (_begins_anew(top, line) if opens else _ANOTHER.search(line)):
            yield start, end
            start = None
        if start is None:
            if not opens:
                continue
            start, top, seen_result = _beginning(lines, position, end), line, False
        is_named = seen_result and not (opens or _HEADING.search(top)) and _names_run(line)
        if opens or (_BELONGS.search(line) and not (is_named or _COMMAND.search(line))):
            seen_result = seen_result or _RESULT.search(line) is not None
            end, prose = position + 1, 0
        elif line.strip() and (seen_result or not _JSON.match(line)):
            prose += 1
            most = _MOST_LINES_OF_PROSE if seen_result else _MOST_LINES_OF_WARNINGS
            is_titled = is_named or (_TITLE.fullmatch(line) is not None and not _HEADING.search(top))
            if prose > most or (seen_result and (is_titled or _parts_picked_lines(lines, position, start))):
                yield start, end
                start = None
    if start is not None:
        yield start, end


def _beginning(lines: Sequence[str], at: int, end: int) -> int:
    """Where the block begins that this line opens; end: of the one before it.

    Below a rate that has lost its beginning fio's other lines may still stand: times, depths, what was issued.
    """
    start = at
    if _WITHOUT_BEGINNING.search(narrow(lines[at])):
        while start > end and (not lines[start - 1].strip() or _BELONGS.search(narrow(lines[start - 1]))):
            start -= 1
        while not lines[start].strip():
            start += 1
    return start - 1 if start == at > end and _ABOVE_SYNC in lines[at - 1] else start


def _names_run(line: str) -> bool:
    return named_load(line) is not None or is_change(line)


def _begins_anew(top: str, line: str) -> bool:
    """Whether a heading follows results, or anything the times of fsync that began the block: fio prints them last."""
    first, other = _SYNCS.search(top), _SYNCS.search(line)
    is_behind_syncs = first is not None and (other is None or first["tails"] == other["tails"])
    return is_behind_syncs or _HEADING.search(line) is not None


def _parts_picked_lines(lines: Sequence[str], at: int, start: int) -> bool:
    """Lines that somebody picked out, below a name, latencies first: they are not those of the rates above it."""
    below = next((line for line in lines[at + 1 : at + 3] if line.strip()), "")
    is_so_above = start > 0 and _TIMES.match(lines[start - 1]) is not None
    is_name = _LABEL.fullmatch(lines[at]) or (is_so_above and _NAME.fullmatch(lines[at]))
    return bool(is_name) and _TIMES.match(below) is not None


_REMAINS = re.compile(
    rf"{_HEADING.pattern}|{_GROUP}|\b(?:{_PART}|{_STATUS}|{_TOTAL}|Jobs: \d+ \(f=\d"
    rf"|[scl]*lat (?:percentiles )?\((?:nsec|usec|msec|sec)\))|\|\s+\d+\.\d+th=\s{{0,9}}[\[\d]|^\s*(?:bw"
    rf"|iops)\s*(?:\(\s*[KMG]i?B/s\s*\))?\s*: min="
)  # fmt: skip


def remains(lines: Sequence[str]) -> Iterator[int]:
    """Lines that only fio prints: progress, headings without results, pieces of a report."""
    for at, line in enumerate(lines):
        if ("=" in line or "Jobs:" in line) and len(line) <= _LONGEST_REMAINS and _REMAINS.search(narrow(line)):
            yield at


def _opens(line: str) -> bool:
    """Whether a block may begin here; the words are looked for first, because that is ten times as fast."""
    hinted = "=" in line and ("(g" in line or "IOPS" in line or "io" in line or "bw" in line)
    return (hinted or "status" in line or "sync" in line) and _START.search(line) is not None


def _read_block(text: str, lines_before: int) -> Iterator[Result]:
    """One block, sentence by sentence; the order of fio's sentences says what belongs to what."""
    line_starts = [0, *(match.end() for match in re.finditer("\n", text))]
    report = Report(text, NAME)
    for sentence in sentences(text):
        report.hear(sentence, lines_before + bisect_right(line_starts, sentence.start))
        report.until(lines_before + bisect_right(line_starts, sentence.end - 1))
    yield from report.results()
