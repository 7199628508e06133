"""Data that compresses to nothing, in a pool that compresses."""

from __future__ import annotations

from radoscope.explain.evidence import CellEvidence
from radoscope.explain.finding import Finding, Role, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict
from radoscope.explain.times import latency_s, share_over
from radoscope.records.conditions import Conditions, Layer
from radoscope.records.study import Segment
from radoscope.records.telemetry import COMMIT_LAT, COMPRESS_LAT, COMPRESSED

_MUCH = 0.15
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
    if slow := _slow(evidence, mode):
        return slow
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
        role=Role.ARTEFACT,
        cells=(evidence.cell.name,),
        try_next=f"ceph osd pool set {cluster.pool.name} compression_mode none, or fio with --refill_buffers.",
    )


def _slow(evidence: CellEvidence, mode: str | None) -> Finding | None:
    """The processor's part: compressing before anything is written, by the OSDs' own clock."""
    each = [(_compressing_s(one), latency_s(one)) for one in evidence.segments]
    share = share_over(spent / total for spent, total in each if spent is not None and total)
    if share is None or share.value < _MUCH:
        return None
    return Finding(
        rule=RULE.name,
        claim="Compression holds the writes back.",
        because=(f"compression mode {mode}", f"compressing takes {share} of the mean write"),
        severity=Severity.NOTE,
        role=Role.CAUSE,
        resource="compression",
        explains=share,
        cells=(evidence.cell.name,),
        try_next="Compare with compression_mode none, or with algorithm lz4: ceph osd pool set POOL "
        "compression_algorithm lz4",
        hides=("osd-cpu",),
    )


def _compressing_s(segment: Segment) -> float | None:
    """Of one write in one store, blob after blob; None where none was compressed."""
    once, blobs = segment.counters.get(COMPRESS_LAT.name), segment.counters.get(COMPRESS_LAT.events)
    commits = segment.counters.get(COMMIT_LAT.events)
    return once * blobs / commits if once is not None and blobs and commits else None


def _writes_ceph(conditions: Conditions) -> bool:
    return conditions.layer in (Layer.RADOS, Layer.RBD) and conditions.op.writes


RULE = Rule(
    name="compressible-data",
    question="Did the data reach the drives uncompressed?",
    pitfalls=(14,),
    concerns=_writes_ceph,
    cell=check_cell,
)
