"""What stands right above a piece of fio's output and names its load: "--- 4k randread, QD16 ---", or a bare "16" that
a loop printed for a value of its variable.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import Any

from radoscope import patterns as re
from radoscope.formats.fio.job import AskedJob, fill
from radoscope.formats.fio.words import is_mixed
from radoscope.formats.grammar.phrases import Load, heading_of
from radoscope.records.measurement import Result

_LONGEST, _LONGEST_LINE = 80, 4000
_LONGEST_ECHO = 40
_LONGEST_OF_OPTIONS = 200
_OPTION = re.compile(
    r"(?<![\w-])(?:(?:rw|bs|block_?size|iodepth|numjobs)=\w{1,12}|job=(?:rand)?(?:read|write|rw)\b)", re.IGNORECASE
)
""" "Block_Size=8k; job=randread; numjobs=4": what a script prints above each of its runs."""
_STATUS = re.compile(r"\W*Run\s+status\s+group\s+\d.{0,40}")
_LOOP = re.compile(r"\bfor\s+(?P<name>\w{1,30})\s+in\s+(?P<values>[^;|&()]{1,300}?)\s*(?:;|\bdo\b|$)")
_VARIABLE = re.compile(r"\$\{?(\w{1,30})\}?(?=\D|$)")
_VALUE = re.compile(r"[^\W_]+")
_FARTHEST_LOOP = 8
"""Lines above a command in which the loops around it begin."""


@lru_cache(maxsize=1024)  # the line above a run is asked about several times
def named_load(line: str) -> Load | None:
    """The load that a line names, if that is all that it says."""
    if len(options := _OPTION.findall(line[:_LONGEST_OF_OPTIONS])) > 1:
        line = ", ".join(options).replace("_", " ").replace("job=", "")
    phrase = heading_of(line.strip()) if 0 < len(line) <= _LONGEST else None
    is_title = phrase is not None and phrase.load != Load() and not (phrase.names_values or phrase.rest)
    return phrase.load if phrase is not None and is_title else None


def with_title(result: Result, lines: Sequence[str]) -> tuple[Result, Load | None]:
    """The result with what the line right above it names, and what that is; what the report prints itself
    counts."""
    title = _above(result, lines)
    load = named_load(title) or _depth_in(title)
    if load is None or load.way not in (None, (result.op or "").removeprefix("rand")):
        return result, None
    changes: dict[str, Any] = {}
    if result.queue_depth is None and load.depth:
        changes["queue_depth"] = load.depth
    if result.extra.get("pattern_unknown") and load.way and load.random is not None:
        changes["op"] = load.op
        changes["extra"] = {key: value for key, value in result.extra.items() if key != "pattern_unknown"}
    if result.block_bytes is None and load.block_bytes:
        changes["block_bytes"] = load.block_bytes
    told = [name for name in ("op", "block_bytes", "queue_depth") if name in changes]
    context = tuple(dict.fromkeys((*result.context, *told)))
    return replace(result, context=context, **changes) if changes else result, load


def _above(result: Result, lines: Sequence[str]) -> str:
    """The nearest line above it that is not empty and not fio's own."""
    at = ((result.source.first_line if result.source else None) or 1) - 2
    while at >= 0 and (not lines[at].strip() or _STATUS.fullmatch(lines[at][:_LONGEST])):
        at -= 1
    return lines[at] if at >= 0 else ""


def _depth_in(title: str) -> Load | None:
    """ "== run 3, qd 16": what a loop prints above each of its runs."""
    load = heading_of(title).load if 0 < len(title) <= _LONGEST_ECHO else Load()
    return Load(way=load.way, depth=load.depth) if load.depth else None


def is_of_another(title: Load, jobs: Sequence[AskedJob], result: Result) -> bool:
    """Whether it names another load than every command above: nothing of them holds below it."""
    above = _asked_above(result, jobs)
    return above > 0 and "jobname" not in result.extra and all(_is_another(title, job) for job in islice(jobs, above))


def _is_another(title: Load, job: AskedJob) -> bool:
    if job.load is None or any("$" in value for value in job.options.values()):
        return False
    way = title.way if title.way in ("read", "write") else None
    pairs = [
        (title.random, job.load.startswith("rand")),
        (title.depth, job.queue_depth),
        (title.block_bytes, job.block_bytes(way or "read")),
    ]
    does_another = way is not None and not is_mixed(job.load) and way not in job.load
    return does_another or any(None not in pair and pair[0] != pair[1] for pair in pairs)


def _asked_above(result: Result, jobs: Sequence[AskedJob]) -> int:
    """How many of the jobs, which stand in the order of their lines, a result has above it."""
    first = (result.source.first_line if result.source else None) or 0
    return bisect_left(jobs, first, key=lambda job: job.first_line)


def with_echo(result: Result, jobs: Sequence[AskedJob], lines: Sequence[str]) -> Result:
    """The result with what its command asked for in that turn of a loop whose values the line right above names."""
    above = _asked_above(result, jobs)
    job = jobs[above - 1] if above else None
    echo = _above(result, lines)
    if job is None or len(echo) > _LONGEST_ECHO or not any("$" in value for value in job.options.values()):
        return result
    loops = _loops(lines[max(0, job.block - _FARTHEST_LOOP) : job.last_line])
    turn = {}
    for name, values in loops.items():
        named = [word for word in _VALUE.findall(echo) if word in values]
        if len(named) == 1:
            turn[name] = named[0]
    options = {key: _VARIABLE.sub(lambda m: turn.get(m[1], m[0]), value) for key, value in job.options.items()}
    return fill([result], [replace(job, options=options)])[0] if options != job.options else result


def _loops(lines: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """The values of each variable."""
    return {
        match["name"]: match["values"].replace('"', " ").split()
        for line in lines
        if "for " in line and len(line) <= _LONGEST_LINE
        for match in _LOOP.finditer(line)
    }
