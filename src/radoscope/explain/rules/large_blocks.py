"""Large I/Os quoted as IOPS: rados bench writes 4 MiB objects by default."""

from __future__ import annotations

from radoscope.explain.evidence import ResultEvidence
from radoscope.explain.finding import Finding
from radoscope.explain.rule import Rule, Verdict
from radoscope.units import format_bytes, format_count

_LARGE = 2**20


def check_result(evidence: ResultEvidence) -> Verdict:
    result = evidence.result
    block, iops = result.block_bytes, result.iops
    if block is None or iops is None or block < _LARGE or result.tool not in ("rados-bench", "osd-bench", "table"):
        return None
    return Finding(
        rule=RULE.name,
        claim="These IOPS are large I/Os: quote the bandwidth, and do not compare them with 4K figures.",
        because=(f"{format_count(iops)} per second of {format_bytes(block)} each: {format_bytes(iops * block)}/s",),
        cells=(evidence.name,),
        try_next="rados -p POOL bench 60 write -b 4096 -t 16 (and -t 1) measures small writes.",
    )


RULE = Rule(
    name="large-blocks-as-iops",
    question="Are the IOPS those of small I/Os?",
    pitfalls=(6,),
    result=check_result,
)
