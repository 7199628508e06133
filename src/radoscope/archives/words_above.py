"""fio's results whose heading was not pasted, with the load that the name of the job or the words above them tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from radoscope import patterns as re
from radoscope.formats.context.conditions import PageConditions, is_supposed
from radoscope.formats.context.sentences import TAKEN, Line, line_at, read_lines
from radoscope.formats.grammar.phrases import Load, heading_of, load_of
from radoscope.records.measurement import Result

_FARTHEST = 60
_ROUNDED = 0.01
"""By how much "10.6k" and "23.4MiB/s" may be off together."""
_FIO = re.compile(r"(?<![\w./-])fio(?![\w/]|\.\w)")
_LEADS = re.compile(r"\W{0,6}[^.!?。]{1,80}[:：]\W{0,4}|\W{0,6}[^\W\d][^.!?,;:。]{0,40}\W{0,4}|\W{1,12}")
"""A name, a line that leads to what stands below it, a rule."""


def with_words_above(results: Sequence[Result], lines: Sequence[str]) -> list[Result]:
    """The results in their order. lines: of the page, TAKEN for those that a tool printed.

    A job named "randread" reads at random. Words count as they do for tables: those of the nearest heading, caption or
    sentence that holds where the result begins. A command does not, for it was asked before.
    """
    if not any(map(_is_unknown, results)):
        return list(results)
    said = read_lines(lines)
    in_force = PageConditions(said)

    def told(result: Result) -> Result:
        at = line_at(said, (result.source.first_line or 1) - 1 if result.source else 0)
        state = in_force.at(at)
        named = heading_of(str(result.extra.get("jobname", ""))).load
        result = _filled(result, named._replace(depth=None, jobs=None))
        result = _filled(result, Load() if state.command else state.of(Load(way=result.op)))
        return _filled(result, _order_told(said, at)) if _is_unknown(result) else result

    return [told(each) if _is_unknown(each) else each for each in results]


def _order_told(said: Sequence[Line], at: int) -> Load:
    """Random or sequential, of the sentence with fio's name that stands above: "We ran fio with random writes". Between
    them stand nothing but names, what leads on ("Before the patch:"), and other outputs."""
    above = (line.text.strip() for line in reversed(said[max(0, at - _FARTHEST) : at]) if line.text != TAKEN)
    return next((load for text in above if text and (load := _order_in(text)) is not None), Load())


@lru_cache(maxsize=4096)  # the lines above one result are those above the next
def _order_in(text: str) -> Load | None:
    """What a line says; None where another one above it may say it."""
    phrase = heading_of(text)
    if _FIO.search(text) and (orders := {load_of(token).random for token in phrase.tokens} - {None}):
        is_told = len(orders) == 1 and not (phrase.names_values or is_supposed(text))
        return Load(random=orders.pop(), way=phrase.load.way) if is_told else Load()
    return Load() if phrase.load != Load() or not _LEADS.fullmatch(text) else None


def _is_unknown(result: Result) -> bool:
    return result.tool == "fio" and bool(result.extra.get("pattern_unknown")) and result.op in ("read", "write")


def _filled(result: Result, load: Load) -> Result:
    if load.way not in (None, "mix", result.op) or load.contradicts_sizes(_sizes(result)):
        return result
    changes: dict[str, Any] = {}
    if load.random is not None and result.extra.get("pattern_unknown"):
        changes["op"] = f"rand{result.op}" if load.random else result.op
        changes["extra"] = {key: value for key, value in result.extra.items() if key != "pattern_unknown"}
    if result.block_bytes is None and load.block_bytes and _fits(result, load.block_bytes):
        changes["block_bytes"] = load.block_bytes
    if result.queue_depth is None and load.depth:
        changes["queue_depth"] = load.depth
    if result.jobs is None and load.jobs:
        changes["jobs"] = load.jobs
    told = [name for name in ("op", "block_bytes", "queue_depth", "jobs") if name in changes]
    return replace(result, context=tuple(dict.fromkeys((*result.context, *told))), **changes)


def _fits(result: Result, block: int) -> bool:
    """Whether IOPS and bandwidth, as they were rounded, leave room for this block."""
    if not (result.iops and result.bandwidth_bytes_per_s):
        return True
    return abs(result.bandwidth_bytes_per_s / result.iops / block - 1) < _ROUNDED


def _sizes(result: Result) -> Load:
    return Load(block_bytes=result.block_bytes, depth=result.queue_depth, jobs=result.jobs)
