"""MB that are MiB: rate times block size is off by exactly a power of 1.024."""

from __future__ import annotations

from radoscope.explain.evidence import ResultEvidence
from radoscope.explain.finding import Finding
from radoscope.explain.rule import Rule, Verdict

_NEAR = 0.006
_FACTORS = {1.024: "KB that are KiB", 1.048576: "MB that are MiB", 1.073741824: "GB that are GiB"}


def check_result(evidence: ResultEvidence) -> Verdict:
    ratio = evidence.size_ratio
    if ratio is None:
        return None
    for factor, words in _FACTORS.items():
        for seen, larger in ((ratio, "1024"), (1 / ratio, "1000")):
            if abs(seen / factor - 1) < _NEAR:
                fact = f"IOPS x block size = {ratio:.3f} x the bandwidth as printed, which is {words} (1 K is {larger})"
                return Finding(
                    rule=RULE.name,
                    claim="The bandwidth is labelled with the wrong unit.",
                    because=(fact,),
                    cells=(evidence.name,),
                    unless="the IOPS were rounded",
                    try_next="Trust the IOPS; bandwidth = IOPS x block size.",
                )
    return None


RULE = Rule(
    name="mb-or-mib",
    question="Is the bandwidth labelled with the right unit?",
    result=check_result,
)
