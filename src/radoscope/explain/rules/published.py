"""How a result ranks among published ones of the same load."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from radoscope.explain.evidence import ResultEvidence, load_of
from radoscope.explain.finding import Finding
from radoscope.explain.reference import Published
from radoscope.explain.rule import Rule, Verdict
from radoscope.records.conditions import Operation
from radoscope.units import format_count

_OPS = {
    Operation.READ: "seq_read",
    Operation.WRITE: "seq_write",
    Operation.RANDREAD: "rand_read",
    Operation.RANDWRITE: "rand_write",
}
_LARGE = 2**20
_LEAST = 5
_DEPTH_FACTOR = 2.0
"""Depths within a factor of two count as the same load."""


def check_result(evidence: ResultEvidence) -> Verdict:
    result, iops = evidence.result, evidence.result.iops
    if not evidence.on_ceph or not iops or evidence.in_flight is None:
        return None
    alike = _alike(evidence)
    if len(alike) < _LEAST:
        return None
    rates = sorted(other.iops or 0.0 for other in alike)
    below = sum(rate < iops for rate in rates)
    nearest = min(alike, key=lambda other: abs((other.iops or 0.0) - iops))
    return Finding(
        rule=RULE.name,
        claim="This result compared with published results of the same load:",
        because=(
            f"{load_of(result)}: {format_count(iops)} IOPS, faster than {below} of {len(alike)} "
            f"({format_count(rates[0])} to {format_count(rates[-1])}, median {format_count(statistics.median(rates))}, "
            f"from {_sources(alike)} sources); nearest to {_describe(nearest)}",
        ),
        cells=(evidence.name,),
        unless="the cluster is much larger or smaller than those published",
        try_next="radoscope catalogue results lists them; radoscope predict says what your own hardware should give.",
    )


def _alike(evidence: ResultEvidence) -> list[Published]:
    """The same kind of I/O, the same block size, about as much in flight. Large blocks are alike in any order."""
    operation, block, depth = evidence.operation, evidence.result.block_bytes, evidence.in_flight
    wanted = _OPS.get(operation) if operation else None
    if operation is None or wanted is None or not block or not depth:
        return []
    if block >= _LARGE:
        wanted = "seq_read" if operation.reads else "seq_write"
    plain = (other for other in evidence.neighbours.published_of(wanted, block) if not other.fields.get("variant"))
    return [other for other in plain if other.iops and _is_near(other, depth)]


def _is_near(other: Published, depth: int) -> bool:
    known = other.fields.get("queue_depth")
    in_flight = float(known * (other.fields.get("clients") or 1)) if known else 0.0
    return depth / _DEPTH_FACTOR <= in_flight <= depth * _DEPTH_FACTOR


def _describe(published: Published) -> str:
    """ "Proxmox VE Ceph Benchmark 2018/02 (3 nodes, 12 OSDs, sata_ssd)"."""
    row = published.fields
    facts = [f"{row['nodes']} nodes" if row.get("nodes") else ""]
    if row.get("nodes") and row.get("osds_per_node"):
        facts.append(f"{row['nodes'] * row['osds_per_node']:.0f} OSDs")
    facts.append(str(row.get("osd_device_class") or ""))
    known = ", ".join(fact for fact in facts if fact)
    return f"{row.get('source_title', '')} ({known})" if known else str(row.get("source_title", ""))


def _sources(results: Sequence[Published]) -> int:
    return len({result.fields.get("source_id") for result in results})


RULE = Rule(
    name="published-results",
    question="How does it compare with published results?",
    result=check_result,
)
