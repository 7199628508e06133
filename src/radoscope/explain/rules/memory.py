"""Hosts short of memory: swapping and shrinking caches."""

from __future__ import annotations

from radoscope.explain.evidence import CellEvidence
from radoscope.explain.finding import Finding, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict, storage_cell
from radoscope.records.telemetry import MEM_AVAILABLE
from radoscope.units import format_bytes

_SHORT = 0.05
_SHORT_BYTES = 256 * 2**20


def check_cell(evidence: CellEvidence) -> Verdict:
    lowest = min(evidence.readings(MEM_AVAILABLE), key=lambda reading: reading.value, default=None)
    if lowest is None:
        return Unchecked("the hosts' free memory was not recorded")
    sizes = [host.memory_bytes for host in evidence.environment.hosts if host.memory_bytes]
    limit = max(_SHORT_BYTES, _SHORT * min(sizes)) if sizes else _SHORT_BYTES
    if lowest.value >= limit:
        return None
    return Finding(
        rule=RULE.name,
        claim="A host was short of memory during the measurement.",
        because=(f"{format_bytes(lowest.value)} available",),
        severity=Severity.DOUBTFUL,
        cells=(evidence.cell.name,),
        try_next="Lower osd_memory_target, or use a host with more memory; free -m, vmstat 1 show swapping.",
    )


RULE = Rule(
    name="memory",
    question="Did the hosts have memory to spare?",
    concerns=storage_cell,
    cell=check_cell,
)
