"""The number with which a text ends may have lost its last digits: where others prove it too small, it is left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from radoscope.records.measurement import Result

_LEAST, _LEAST_OF_BYTES, _SECTOR = 0.5, 0.93, 512


def without_cut_number(results: Sequence[Result], lines: Sequence[str]) -> list[Result]:
    """results: with their lines counted from 1. A text that ends with a line end was not cut within a line, and what
    somebody wrote has no such numbers beside it."""
    if not lines or not lines[-1].strip():
        return list(results)
    return [_checked(each) if _ends_at(each, len(lines)) and each.tool != "table" else each for each in results]


def _ends_at(result: Result, line: int) -> bool:
    return result.source is not None and result.source.last_line == line


def _checked(result: Result) -> Result:
    """What was done is the rate times the time, and the bytes are as many blocks: lost digits make a number smaller."""
    rate, done, time = result.iops, result.total_ios, result.runtime_s
    moved, block = result.bandwidth_bytes_per_s, result.block_bytes
    if block and block % _SECTOR:
        return replace(result, block_bytes=None)
    expected = [first / second for first, second in ((done, time), (moved, block)) if first and second]
    if rate and any(rate < _LEAST * each for each in expected):
        return replace(result, iops=None)
    if rate and done and time and done < _LEAST * rate * time:
        return replace(result, total_ios=None)
    if rate and block and moved and moved < _LEAST_OF_BYTES * rate * block:
        return replace(result, bandwidth_bytes_per_s=None)
    return result
