"""Data that compresses to nothing, in a pool that compresses."""

from __future__ import annotations

from radoscope.explain.evidence import CellEvidence
from radoscope.explain.finding import Finding, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict
from radoscope.records.conditions import Conditions, Layer
from radoscope.records.telemetry import COMPRESSED

_OFF = (None, "", "none")


def check_cell(evidence: CellEvidence) -> Verdict:
    cluster = evidence.environment.cluster
    if cluster is None or cluster.pool is None:
        return Unchecked("the pool's settings were not recorded")
    mode = cluster.pool.compression
    if mode in _OFF:
        mode = next((v for k, v in cluster.changed_options.items() if k.endswith("bluestore_compression_mode")), None)
    if mode in _OFF:
        return None
    constant = evidence.conditions.tool in ("rados-bench", "rados_bench", "rbd-bench") or "1" in evidence.option(
        "zero_buffers"
    )
    compressed = evidence.total(COMPRESSED)
    if not constant and not compressed:
        return None
    because = [f"compression mode {mode}"]
    if constant:
        because.append(f"{evidence.conditions.tool} writes the same bytes again and again")
    if compressed:
        because.append(f"BlueStore compressed {compressed:,.0f} blobs")
    return Finding(
        rule=RULE.name,
        claim="The pool compressed the benchmark's data: less reached the drives than was written.",
        because=tuple(because),
        severity=Severity.DOUBTFUL,
        cells=(evidence.cell.name,),
        try_next=f"ceph osd pool set {cluster.pool.name} compression_mode none, or fio with --refill_buffers.",
    )


def _writes_ceph(conditions: Conditions) -> bool:
    return conditions.layer in (Layer.RADOS, Layer.RBD) and conditions.op.writes


RULE = Rule(
    name="compressible-data",
    question="Did the data reach the drives uncompressed?",
    pitfalls=(14,),
    concerns=_writes_ceph,
    cell=check_cell,
)
