"""Outputs whose line ends a page has turned into blanks: parted again where a tool begins a line.

Only long lines are touched, and only those that hold at least three beginnings of lines that tools print; or two
summaries of iperf.
"""

from __future__ import annotations

from collections.abc import Iterator

from radoscope import patterns as re

_GAP = " " * 40
_WIDE_GAP = re.compile(r"(?<=\S) {40,}(?=[A-Z][^:|]{2,60}: ?\S)")
"""What a terminal showed as lines of its whole width was copied as one."""
SHORTEST, _LONG = 60, 120
_LONGEST = 200_000
_LEAST = 3
_SUMMARIES = 2

_RADOS = (
    r"hints = \d|Maintaining \d+ concurrent|Object prefix:|sec Cur ops|Total time run|Total (?:writes|reads) made"
    r"|(?:Write|Read|Object) size:|Bandwidth \(MB/sec\)|(?:Stddev|Max|Min) [Bb]andwidth"
    r"|(?:Average|Stddev|Max|Min) (?:IOPS|[Ll]atency)(?:\(s\))?:"
)
_NETWORK = (
    r"\[ ?(?:\d{1,3}|SUM|ID) ?\] ?(?=\d+\.\d+ ?-|local|Interval)|Client connecting|Connecting to host|Server listening"
    r"|iperf Done|CPU Utilization: "
    r"|\d+ bytes from|--- \S+ ping statistics|\d+ packets transmitted|(?:rtt|round-trip) min/"
)
_DISK = (
    r"\d+\+\d+ records (?:in|out)|\d+ bytes \([^()]{1,40}\) copied|bench\s+type|elapsed:\s*\d|Timing (?:cached|buff)"
    r"|SEC\s+OPS"
)
_FIO = (
    r"\S+: \(groupid=|\S+: \(g=\d|fio-\d|Starting \d+ (?:process|thread)|(?:read|write) ?: ?(?:io=|IOPS=)"
    r"|[sc]lat \([a-z]+\)|lat \([munsec]+\) ?:|clat percentiles|sync percentiles|fsync/fdatasync|sync \([a-z]+\)"
    r"|\| *\d+\.\d+th=|bw \( ?[KMG]|iops +: ?min|cpu +:|IO depths|submit +:|complete *:|issued |latency +:"
    r"|Run status group|(?:READ|WRITE): (?:io|bw)=|Disk stats|Jobs: \d"
)
_CEPH = (
    r"ID (?:CLASS )?WEIGHT|-?\d+ (?:hdd |ssd |nvme )?\d+\.\d+ (?=(?:root|host|osd\.))"
    r"|(?:cluster|health|services|mon|mgr|osd|data|pools|objects|usage|pgs|client): (?=\S)"
)
_PROMPT = r"\[?\w[\w.-]*@[\w.-]+[: ][^\s#$]{0,60}[#$] "
_BEGINNING = re.compile(rf"(?<!\S)(?={_PROMPT}|{_RADOS}|{_NETWORK}|{_DISK}|{_FIO}|{_CEPH})")
_SECONDS = re.compile(r"(sec Cur ops .{0,80}?avg lat(?:\(s\))?)\s+(?=\d)")
_COLUMNS = 8


def unfold(line: str) -> Iterator[str]:
    """The lines that one line was; itself where it is as its tool wrote it."""
    is_pair = len(line) < _LONG and line.count("its/sec") == _SUMMARIES  # of iperf, which are two lines, though short
    if not (is_pair or _LONG <= len(line) <= _LONGEST):
        yield line
        return
    if _GAP in line and len(parts := _WIDE_GAP.split(line)) > 1:
        yield from parts
        return
    starts = [match.start() for match in _BEGINNING.finditer(line)]
    if len(starts) < (_SUMMARIES if is_pair else _LEAST):
        yield line
        return
    for first, last in zip([0, *starts], [*starts, len(line)], strict=True):
        if line[first:last].strip():
            yield from _seconds(line[first:last].rstrip())


def _seconds(part: str) -> Iterator[str]:
    """The table of seconds of rados bench: eight numbers a line behind its head."""
    head = _SECONDS.match(part)
    if head is None:
        yield part
        return
    yield head[1]
    words = part[head.end() :].split()
    for at in range(0, len(words), _COLUMNS):
        yield " ".join(words[at : at + _COLUMNS])
