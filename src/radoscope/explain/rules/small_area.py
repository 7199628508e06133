"""The same few blocks again and again: a small file or image, soon in every cache."""

from __future__ import annotations

from radoscope.errors import PlanError
from radoscope.explain.evidence import CellEvidence, ResultEvidence, bytes_of
from radoscope.explain.finding import Finding
from radoscope.explain.rule import Rule, Unchecked, Verdict
from radoscope.records.conditions import Conditions, Layer
from radoscope.units import format_bytes, parse_bytes

_TIMES = 4
"""Above this each block was on average moved so often that the working set, not the drive's size, decides."""


def check_cell(evidence: CellEvidence) -> Verdict:
    sizes = [size for text in evidence.option("size") if (size := _size(text))]
    if not sizes:
        return Unchecked("the commands do not say the size of the file or image")
    size = max(sizes) * evidence.conditions.clients
    return _judge(
        bytes_of(evidence.results, reading=True) + bytes_of(evidence.results, reading=False), size, evidence.cell.name
    )


def check_result(evidence: ResultEvidence) -> Verdict:
    result, size = evidence.result, _size(evidence.option("size") or "")
    if result.tool != "fio" or not size or not result.total_ios or not result.block_bytes:
        return None
    return _judge(float(result.total_ios * result.block_bytes), size * (result.jobs or 1), evidence.name)


def _judge(moved: float, size: int, name: str) -> Finding | None:
    if moved < _TIMES * size:
        return None
    return Finding(
        rule=RULE.name,
        claim="The same small area was used repeatedly: caches can hold it.",
        because=(f"{format_bytes(moved)} moved within {format_bytes(size)}: each block {moved / size:.0f} times",),
        cells=(name,),
        unless="the active data in production is as small",
        try_next="Use a file or image of at least four times the memory of the OSDs' hosts.",
    )


def _size(text: str) -> int | None:
    """fio's sizes; percentages and ranges tell no bytes."""
    try:
        return parse_bytes(text)
    except PlanError:
        return None


def _fio_storage(conditions: Conditions) -> bool:
    return conditions.tool == "fio" and conditions.layer in (Layer.DISK, Layer.RBD)


RULE = Rule(
    name="small-area",
    question="Was the area large enough to defeat caches?",
    pitfalls=(18,),
    concerns=_fio_storage,
    cell=check_cell,
    result=check_result,
)
