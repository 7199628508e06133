"""The lines of `rados bench`: which is which, and which belong to one run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from radoscope import patterns as re
from radoscope.formats.grammar.quantities import finite

LONGEST_LINE = 2000
"""Longer lines are not of this tool; they are passed over unread."""

KEYS = {
    "total time run": "runtime", "total writes made": "writes", "total reads made": "reads", "write size": "size",
    "read size": "size", "object size": "object_size", "bandwidth": "bandwidth", "stddev bandwidth": "stddev bandwidth",
    "max bandwidth": "max bandwidth", "min bandwidth": "min bandwidth", "average iops": "iops",
    "stddev iops": "stddev iops", "max iops": "max iops", "min iops": "min iops", "average latency": "latency",
    "stddev latency": "stddev latency", "max latency": "max latency", "min latency": "min latency",
}  # fmt: skip
_SUMMARY = re.compile(
    r"[\s|>*+-]{0,12}(?P<key>total time run|total (?:writes|reads) made|(?:write|read|object) size"
    r"|(?:(?:stddev|max|min)\s+)?bandwidth|(?:average|stddev|max|min)\s+(?:iops|latency))"
    r"\s*(?P<unit>\([a-z/]{1,7}\))?(?P<rest>\s*[:=|\t].*|\s+.*)?",
    re.IGNORECASE,
)
_SUMMARY_WORDS = ("time run", "s made", " size", "bandwidth", " iops", " latency")
_OWN = {"runtime", "writes", "reads", "stddev bandwidth", "stddev iops", "stddev latency"}
_COUNTS = {"writes", "reads"}
"""A run has one of them, and prints it in front of its rates."""
_RATES = {"writes", "reads", "bandwidth", "iops", "latency"}
"""A run without any of these says nothing of speed."""
_COMMAND = re.compile(r"\brados\b.{0,200}?\bbench\b(?P<tail>.*)", re.IGNORECASE)
_REPEATS = re.compile(
    r".{0,60}?(?:\b(?:for \w+ in|while|until)\b.*\bdo\b"
    r"|\b(?:pdsh|clush|pssh|parallel-ssh|parallel|xargs|ansible|salt|mpirun)\b)",
    re.IGNORECASE,
)
_HEADER = re.compile(r"\bsec\s+Cur ops\b", re.IGNORECASE)
_START = re.compile(
    r"\s*(?:hints = \d|Maintaining\s+(?P<depth>\d{1,6})\s+concurrent\s+(?P<what>\w+)"
    r"(?:\s+of\s+(?P<size>\d{1,12})\s+bytes)?"
    r"|Object prefix\s*[:\t])",
    re.IGNORECASE,
)
_UNITS = re.compile(r"(?<=\d) ?(?:s(?:ec(?:onds?)?)?|bytes|Mi?B/s(?:ec)?|IOPS)(?=\s*(?:$|[|\t]))")
"""Some writers name the unit again behind a number."""
_CLOCK = re.compile(r"\s*\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d\S*\s+")
_RUNNING = re.compile(r"min lat:.*max lat:.*avg lat:")
_LIKE_A_SECOND = re.compile(r"[\s|]*\d{1,7}(?:[\s|]+[\d.,e+-]+){2,8}[\s|]*")
_SIZES = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30}


class Command(NamedTuple):
    """What a command line or a heading says of a run; None: nothing."""

    op: str | None = None
    block_bytes: int | None = None
    depth: int | None = None

    @property
    def kind(self) -> str | None:
        return None if self.op is None else "write" if self.op == "write" else "read"


@dataclass(slots=True)
class Parts:
    """One run: its half-open range of lines, and which of them are seconds and summary."""

    first: int
    end: int = 0
    command: Command | None = None
    depth: int | None = None
    block_bytes: int | None = None
    writes: bool = False
    seconds: list[int] = field(default_factory=list)
    summary: list[int] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    sure: bool = False

    @property
    def is_run(self) -> bool:
        return (self.sure and bool(self.keys & _RATES)) or (not self.summary and len(self.seconds) >= 2)


@lru_cache(maxsize=4096)
def summary_key(line: str) -> tuple[str, str] | None:
    """A summary line's key and the text behind it; None for every other line."""
    if len(line) > LONGEST_LINE:
        return None
    match = _SUMMARY.fullmatch(_without_clock(line))
    if match is None:
        return None
    rest = match["rest"] or ""
    if rest[:1].strip() == "" and ":" in rest[:4]:
        rest = rest.lstrip(" ")
    rest = rest.removeprefix(":") if ":" in rest[:1] else rest
    rest = _UNITS.sub("", rest)
    return KEYS[" ".join(match["key"].lower().split())], rest


def cells_of(rest: str) -> list[str]:
    """The cells behind a key: parted by tabs or bars where there are any, else by blanks; empty cells count."""
    if "\t" in rest.strip(" "):
        return [cell.strip(" :") for cell in rest.strip(" ").removeprefix("\t").split("\t")]
    if "|" in rest:
        return [cell.strip() for cell in rest.strip().strip("|").split("|")]
    return rest.strip(" :=").split()


def read_second(line: str) -> tuple[float, ...] | None:
    """A line of the table of seconds -> (second, ops in flight, finished, average MiB/s, MiB/s, average latency)."""
    if len(line) > 200:
        return None
    cells = _CLOCK.sub("", line).split()
    if len(cells) != 8 or not all(cell.isdecimal() for cell in cells[:4]):
        return None
    second, flying, started, finished = (float(cell) for cell in cells[:4])
    rates = [finite("0" if cell == "-" else cell) for cell in cells[4:]]
    if any(rate is None for rate in rates) or finished > started:
        return None
    average, current, _, mean = (rate or 0.0 for rate in rates)
    return second, flying, finished, average, current, mean


def read_command(line: str) -> Command | None:
    """`rados ... bench 60 write -b 4M -t 16` -> what it asks for; None where the line holds no such command."""
    if len(line) > LONGEST_LINE or "bench" not in line.lower():
        return None
    match = _COMMAND.search(line.replace("ra\tados", "rados").replace("\t", ""))
    if match is None:
        return None
    tail = re.split(r"[|;&]|\bgrep\b", match["tail"], maxsplit=1)[0]
    word = re.search(r"(?<![\w-])(write|seq|rand|read)(?![\w])", tail)
    if word is None or "," in tail[: word.start()]:  # "rados bench 60s, sequential read"
        return None
    size = re.search(r"(?:-b|--block-size|-O)[\s=]*(\d{1,12})\s*([kKmMgG]?)", tail)
    depth = re.search(r"(?:(?<![\w-])-t|--concurrent-ios)[\s=]*(\d{1,5})", line.replace("\t", ""))
    op = {"seq": "read", "rand": "randread"}.get(word[1], word[1])
    block = int(size[1]) * _SIZES[size[2].lower()] if size else None
    is_left_open = depth is None and re.search(r"(?:(?<![\w-])-t|--concurrent-ios)[\s=]*[\"']?\$", line) is not None
    return Command(op, block, int(depth[1]) if depth else None if is_left_open else 16)  # 16 is the default of -t


def last_command(before: Sequence[str]) -> Command | None:
    for at in range(len(before) - 1, -1, -1):
        line = before[at]
        for below in before[at + 1 : at + 4]:
            if not line.rstrip().endswith("\\"):
                break
            line = line.rstrip()[:-1] + " " + below.strip()
        command = read_command(line)
        if command is not None:
            return command
    return None


def repeats(before: Sequence[str]) -> bool:
    """Whether the last command is run several times, or on several hosts: "for i in 1 2 3; do rados bench ..."."""
    commands = (line for line in reversed(before) if read_command(line) is not None)
    return _REPEATS.match(next(commands, "")) is not None


def heading_operation(before: Sequence[str], kind: str | None) -> str | None:
    """seq or rand from the nearest heading of the three lines above a run of reads; None where it says both or none.

    A command on the way ends the search: it is nearer.
    """
    if kind == "write":
        return None
    for line in [line for line in reversed(before) if line.strip()][:3]:
        if read_command(line) is not None:
            return None
        words = line.lower()[:200]
        random = re.search(r"\brand(?:om)?\b|ランダム|随机|zufällig|случайн", words) is not None
        sequential = re.search(r"\bseq(?:uential)?\b|シーケンシャル|顺序|sequentiell|последовательн", words) is not None
        write = re.search(r"\bwrit|書|写|schreib|запис", words) is not None
        if random != sequential:
            return None if write else "randread" if random else "read"
        if kind is None and write != (re.search(r"\bread|読|读|lese|чтени", words) is not None):
            return "write" if write else "read"
    return None


def find_runs(lines: Sequence[str]) -> Iterator[Parts]:
    """Runs in the order of the text. A run is a start, seconds and a summary; each of the three may be missing."""
    run: Parts | None = None
    for at, line in enumerate(lines):
        kind = _kind(line)
        if kind is None:
            is_over = run is not None and (at - run.end > (40 if not run.summary else 4) or _is_asked_again(run, line))
            if run is not None and is_over:
                yield from [run] if run.is_run else []
                run = None
            continue
        key = summary_key(line) if kind == "summary" else None
        if run is not None and _begins_anew(run, kind, key, at, lines):
            yield from [run] if run.is_run else []
            run = None
        if run is None:
            run = Parts(first=at, end=at)
        _add(run, at, line, kind, key)
    if run is not None and run.is_run:
        yield run


def remains(lines: Sequence[str]) -> Iterator[int]:
    """Lines that are this tool's and in no run: heads of seconds with the rows below them, lines of a summary."""
    below_head = False
    for at, line in enumerate(lines):
        if len(line) > LONGEST_LINE:
            continue
        is_head = "cur ops" in line.lower() and _HEADER.search(line) is not None
        below_head = is_head or (below_head and (not line.strip() or _LIKE_A_SECOND.fullmatch(line) is not None))
        if is_head or (below_head and line.strip()) or _RUNNING.search(line) or _is_lone_summary(line):
            yield at


@lru_cache(maxsize=4096)
def _is_lone_summary(line: str) -> bool:
    found = summary_key(line) if "|" not in line and "\t" not in line else None
    return found is not None and found[0] in _OWN and len(cells_of(found[1])) == 1


@lru_cache(maxsize=4096)
def _kind(line: str) -> str | None:
    text = _without_clock(line).lstrip()
    if not text or len(line) > LONGEST_LINE:
        return None
    if text[0].isdecimal() and read_second(line) is not None:
        return "second"
    if text[0] in "hHmMoO" and _START.match(text):
        return "start"
    lower = text.lower()
    if "cur ops" in lower and _HEADER.search(line):
        return "header"
    return "summary" if any(word in lower for word in _SUMMARY_WORDS) and _is_summary(line) else None


def _without_clock(line: str) -> str:
    """Without the time of day that `--show-time` puts in front."""
    return _CLOCK.sub("", line, count=1) if line[:3].lstrip()[:2] == "20" else line


def _is_summary(line: str) -> bool:
    """A known key with numbers behind it, or with cells of which one is damaged or empty."""
    found = summary_key(line)
    if found is None:
        return False
    cells = cells_of(found[1])
    if not cells:
        return False
    numeric = sum(1 for cell in cells if re.fullmatch(r"[\d.,]+(?:e[+-]?\d+)?", cell))
    return numeric == len(cells) == 1 or (len(cells) > 1 and (numeric * 2 >= len(cells) or _has_columns(line)))


def _has_columns(line: str) -> bool:
    return line.count("\t") >= 2 or line.count("|") >= 3


def _is_asked_again(run: Parts, line: str) -> bool:
    """A command behind a summary: what follows is another run, whichever lines of it somebody left out."""
    return bool(run.summary) and read_command(line) is not None


def _begins_anew(run: Parts, kind: str, key: tuple[str, str] | None, at: int, lines: Sequence[str]) -> bool:
    line = lines[at]
    if kind in ("start", "header"):
        return bool(run.summary) or (kind == "start" and bool(run.seconds))
    if kind == "second":
        row, last = read_second(line), read_second(lines[run.seconds[-1]]) if run.seconds else None
        return bool(run.summary) or (row is not None and last is not None and row[0] < last[0])
    if key is None:
        return False
    if key[0] in run.keys:
        return True
    if "|" in line or "\t" in line:
        return False  # somebody's table has any order
    is_first = key[0] == "runtime" and bool(run.keys)
    is_behind_words = any(map(str.strip, lines[run.end : at])) and bool(_RATES & run.keys)
    return is_first or (key[0] in _COUNTS and (is_behind_words or bool(_COUNTS & run.keys)))


def _add(run: Parts, at: int, line: str, kind: str, key: tuple[str, str] | None) -> None:
    run.end = at + 1
    if kind == "start":
        match = _START.match(_without_clock(line))
        if match is not None and match["depth"]:
            run.depth = int(match["depth"])
            run.block_bytes = int(match["size"]) if match["size"] else None
            run.writes = match["what"].lower() == "writes"
    elif kind == "second":
        run.seconds.append(at)
    elif key is not None:
        run.summary.append(at)
        run.keys.add(key[0])
        run.sure = run.sure or key[0] in _OWN or (key[0] == "bandwidth" and "(mb/sec" in line.lower())
        run.sure = run.sure or (key[0].endswith("latency") and "(s)" in line)
