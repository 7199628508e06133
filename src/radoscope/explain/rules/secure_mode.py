"""Encrypted connections: every byte is encrypted and decrypted by a processor, once a hop."""

from __future__ import annotations

from radoscope.explain.evidence import CellEvidence
from radoscope.explain.finding import Finding, Role
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell
from radoscope.explain.times import latency_s, share_over
from radoscope.units import format_seconds

_OPTIONS = ("ms_cluster_mode", "ms_service_mode", "ms_client_mode")
_BYTES_PER_S = 1.5e9
"""AES-128-GCM on one core with AES instructions, one way; without them a tenth of it."""
_BOTH_ENDS = 2


def check_cell(evidence: CellEvidence) -> Verdict:
    cluster = evidence.environment.cluster
    if cluster is None or not (cluster.each_osd or cluster.changed_options):
        return Unchecked("the OSDs' options were not recorded")
    options = {name.rpartition("/")[2]: value for name, value in cluster.changed_options.items()}
    options |= cluster.each_osd[0].options if cluster.each_osd else {}
    secure = tuple(f"{name} = {options[name]}" for name in _OPTIONS if options.get(name, "").split()[:1] == ["secure"])
    if not secure:
        return None
    hops = 2 if evidence.conditions.op.writes and cluster.pool and (cluster.pool.size or 1) > 1 else 1
    seconds = hops * _BOTH_ENDS * (evidence.conditions.block_bytes or 0) / _BYTES_PER_S
    share = share_over(seconds / total for one in evidence.segments if (total := latency_s(one)))
    return Finding(
        rule=RULE.name,
        claim="Connections are encrypted, which costs processor time for every byte.",
        because=(*secure, f"about {format_seconds(seconds)} of each I/O on a core with AES instructions"),
        cells=(evidence.cell.name,),
        unless="the hosts' processors have no AES instructions: then it is ten times as much",
        try_next="Compare with ms_cluster_mode = crc, if the network is trusted.",
        role=Role.CAUSE if share is not None else Role.REMARK,
        resource="encryption",
        explains=share,
    )


RULE = Rule(
    name="secure-mode",
    question="Are connections free of encryption?",
    concerns=ceph_cell,
    cell=check_cell,
)
