"""Outputs whose command was not pasted, with the load that lines state and that is all that they say: a heading of one
run ("-t 16:"), what holds for all ("(-t 16, 4M objects)"), and above or below all of them "iodepth=32, direct=1".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from radoscope import patterns as re
from radoscope.formats.context.sentences import TAKEN
from radoscope.formats.grammar.phrases import Load, heading_of, with_rados_read
from radoscope.records.measurement import Result

_TOOLS = ("rados-bench", "rbd-bench")
_LONGEST, _FARTHEST, _BELOW = 100, 60, 3
_THREADS = re.compile(r"(?<![\w-])(?:-t|(?:--)?io[-_ ]threads)(?:\s?[=:]\s?|\s)(?=\d)")
_IO = re.compile(r"(?<=\d)[ -]io[- ](?=threads)")
_SAID_TWICE = re.compile(r"(?P<said>\d{1,5} threads) ?\((?:-t )?\d{1,5}\)|\((?:-t \d{1,5}|seq|rand)\)")
_BLOCK = re.compile(r"(?<![\w-])-b[= ](?=\d)|(?<=[\dkKmMB]) objects\b")
_BESIDE = re.compile(
    r"\b(?:rados bench|rbd bench(?:-write)?|all(?: runs| tests)? with|settings|every(?:where| time)|always"
    r"|each(?: run)?|tests?|runs?|for all|everything with|and|libaio|io_uring|psync"
    r"|time_based|group_reporting|(?:direct|sync|ioengine|runtime|size)=\w+)\b|(?<![\w.])\d{1,5} ?s(?:ec(?:onds)?)?\b",
    re.IGNORECASE,
)
"""What such a line may say besides."""


def with_stated(results: Sequence[Result], lines: Sequence[str], written: Sequence[str]) -> list[Result]:
    """The results in their order. lines: of the page. written: these, TAKEN for those that a tool printed."""
    above = [_filled(each, _stated_above(each, written)) if _is_open(each) else each for each in results]
    beside = _stated_beside(above, lines)
    return above if beside == Load() else [_filled(each, beside) if each.tool == "fio" else each for each in above]


def with_ways_below(results: Sequence[Result]) -> list[Result]:
    """Outputs that name no operation, such as dd's, with that of the words right below them that say their rate again:
    "DD Write Speed: 54.4 MB/s"."""
    said = {_first(each): each for each in results if each.extra.get("said") and each.op in ("read", "write")}
    return [_as_below(each, said) if each.op is None and not each.extra.get("said") else each for each in results]


def _as_below(result: Result, said: Mapping[int, Result]) -> Result:
    last, rate = (result.source and result.source.last_line) or 0, result.bandwidth_bytes_per_s
    below = next((said[at] for at in range(last + 1, last + _BELOW) if at in said), None)
    is_same = below is not None and rate is not None and below.bandwidth_bytes_per_s == rate
    return replace(result, op=below.op, context=(*result.context, "op")) if below and is_same else result


def _first(result: Result) -> int:
    return (result.source and result.source.first_line) or 0


def _stated_beside(results: Sequence[Result], lines: Sequence[str]) -> Load:
    """Depth and jobs, of the only line that states some above or below pieces of fio of which none has a depth."""
    own = [each for each in results if each.tool == "fio"]
    if not own or any(each.queue_depth is not None or "jobname" in each.extra for each in own):
        return Load()
    first = min((each.source.first_line if each.source else None) or 1 for each in own) - 1
    end = max((each.source.last_line if each.source else None) or len(lines) for each in own)
    around = [*lines[max(0, first - _FARTHEST) : first], *lines[end : end + _FARTHEST]]
    found = [load for line in around if (load := _load_of(line.strip())).depth]
    return Load(depth=found[0].depth, jobs=found[0].jobs) if len(found) == 1 else Load()


def _is_open(result: Result) -> bool:
    return result.tool in _TOOLS and None in (result.op, result.block_bytes, result.queue_depth)


def _filled(result: Result, said: Load) -> Result:
    op = said.op if said.way in ("read", "write") else None
    if op and result.op and result.op.removeprefix("rand") != said.way:
        return result
    told: dict[str, Any] = {"op": op, "block_bytes": said.block_bytes, "queue_depth": said.depth, "jobs": said.jobs}
    told = {name: value for name, value in told.items() if value is not None and getattr(result, name) is None}
    return replace(result, context=(*result.context, *told), **told) if told else result


def _stated_above(result: Result, lines: Sequence[str]) -> Load:
    """The nearest line of each counts. Above an earlier run, what stands right above that is said of it alone."""
    first = ((result.source.first_line if result.source else None) or 1) - 1
    said, is_own, below = Load(), True, ""
    for line in reversed(lines[max(0, first - _FARTHEST) : first]):
        is_own = is_own and line != TAKEN
        if line.strip():
            if line != TAKEN and (is_own or below != TAKEN):
                said = said.over(_stated(line.strip()))
            below = line
    return said


def _stated(line: str) -> Load:
    """Of these tools: their threads are the depth."""
    load = with_rados_read(_load_of(line))
    return load._replace(depth=load.depth or load.jobs, jobs=None)


@lru_cache(maxsize=1024)  # the lines above one run are those above the next
def _load_of(line: str) -> Load:
    """The load that a line of settings names, if that is all that it says."""
    if not 0 < len(line) <= _LONGEST or "|" in line or "\t" in line:
        return Load()
    text = _BLOCK.sub("", _THREADS.sub("qd ", _IO.sub(" ", _SAID_TWICE.sub(r"\g<said>", line))))
    phrase = heading_of(_BESIDE.sub("", text).strip())
    return Load() if phrase.names_values or phrase.rest else phrase.load
