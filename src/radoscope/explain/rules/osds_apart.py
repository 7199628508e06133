"""OSDs of one text that are out of line: benches of single OSDs, or rows of a table that name OSDs."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterator, Sequence

from radoscope.explain.evidence import ResultEvidence
from radoscope.explain.finding import Finding, Severity
from radoscope.explain.rule import Rule, Verdict
from radoscope.records.measurement import Result

_APART = 1.5
"""Healthy peers stay within 15 %; a bench of a few seconds scatters more."""
_PEERS = 3
_MOST_NAMED = 4
_OSD = re.compile(r"\bosd[. ]?\d{1,6}\b", re.IGNORECASE)


def check_result(evidence: ResultEvidence) -> Verdict:
    """Reported once, at the first of the OSDs."""
    peers = [(number, osd, rate) for number, osd, rate in _benched(evidence.neighbours.results) if rate]
    if len(peers) < _PEERS or peers[0][0] != evidence.number:
        return None
    middle = statistics.median(rate for _, _, rate in peers)
    far = [(osd, rate) for _, osd, rate in peers if not middle / _APART <= rate <= middle * _APART]
    if not far or 2 * len(far) > len(peers):
        return None
    return Finding(
        rule=RULE.name,
        claim="OSDs differ more than equal drives do.",
        because=tuple(
            f"{osd}: {rate / middle:.2f} times the median of {len(peers)}" for osd, rate in far[:_MOST_NAMED]
        ),
        severity=Severity.DOUBTFUL,
        cells=(evidence.name,),
        unless="their drives are of different models or classes",
        try_next=f"Repeat it on {far[0][0]} three times, and look at its drive: ceph device ls; smartctl -a",
    )


def _benched(results: Sequence[Result]) -> Iterator[tuple[int, str, float | None]]:
    """(number, OSD, rate) of the results of the first block size that are of one OSD each."""
    block: int | None = None
    for number, result in enumerate(results, start=1):
        named = _OSD.search(str(result.extra.get("label", "")))
        osd = result.extra.get("osd")
        if result.tool != "osd-bench" and not (result.tool == "table" and named):
            continue
        block = block if block is not None else result.block_bytes
        if result.block_bytes == block:
            name = named[0] if named else f"osd.{osd}" if osd is not None else f"result {number}"
            yield number, name, result.iops or result.bandwidth_bytes_per_s


RULE = Rule(
    name="osds-apart",
    question="Are OSDs of one text about equally fast?",
    result=check_result,
)
