"""IOPS times block size must be the bandwidth."""

from __future__ import annotations

from radoscope.explain.evidence import ResultEvidence, rate_of
from radoscope.explain.finding import Finding, Severity
from radoscope.explain.rule import Rule, Verdict
from radoscope.units import format_bytes, format_count

_TOLERANCE = 0.1
"""Beyond the 7.4 % between GB and GiB, which is another rule's."""
_FEW_IOPS = 20
"""Tools print IOPS as whole numbers: 11 stands for 11.0 to 11.99."""


def check_result(evidence: ResultEvidence) -> Verdict:
    result, ratio = evidence.result, evidence.size_ratio
    if ratio is None or abs(ratio - 1) <= _TOLERANCE or (result.iops or 0) < _FEW_IOPS:
        return None
    if result.tool in ("ping", "iperf3", "iperf"):
        return None
    iops, block, bandwidth = rate_of(result) or 0.0, result.block_bytes or 0, result.bandwidth_bytes_per_s or 0.0
    fact = (
        f"{format_count(iops)} IOPS x {format_bytes(block)} = {format_bytes(iops * block)}/s, "
        f"printed are {format_bytes(bandwidth)}/s"
    )
    return Finding(
        rule=RULE.name,
        claim="IOPS, block size and bandwidth contradict each other.",
        because=(fact,),
        severity=Severity.DOUBTFUL,
        cells=(evidence.name,),
        unless="the block size varied within the run",
        try_next="Check the text: columns may be swapped, or the block size differs.",
    )


RULE = Rule(
    name="rate-times-size",
    question="Do IOPS, block size and bandwidth agree?",
    result=check_result,
)
