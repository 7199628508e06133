"""Too little memory for the OSDs' cache: reads first read where their data is."""

from __future__ import annotations

from radoscope.explain.evidence import CellEvidence
from radoscope.explain.finding import Finding, Role
from radoscope.explain.rule import Rule, Unchecked, Verdict
from radoscope.explain.times import latency_s, share_over
from radoscope.records.conditions import Conditions, Layer
from radoscope.records.telemetry import ONODE_HITS, ONODE_MISSES, READ_ONODE_META_LAT
from radoscope.units import format_bytes

_MISSED = 0.1
_LEAST_SHARE = 0.15
_OPTIONS = ("osd_memory_target", "bluestore_cache_size", "bluestore_cache_size_ssd", "bluestore_cache_size_hdd")


def check_cell(evidence: CellEvidence) -> Verdict:
    hits, misses = evidence.total(ONODE_HITS), evidence.total(ONODE_MISSES)
    if hits is None or misses is None or hits + misses <= 0:
        return Unchecked("the OSDs' counts of found and missed onodes were not recorded")
    missed = misses / (hits + misses)
    each = [(one.counters.get(READ_ONODE_META_LAT.name), latency_s(one)) for one in evidence.segments]
    share = share_over(spent / total for spent, total in each if spent is not None and total)
    if missed < _MISSED or share is None or share.value < _LEAST_SHARE:
        return None
    return Finding(
        rule=RULE.name,
        claim="The OSDs have too little memory: they look up on the drive where an object's data is.",
        because=(
            f"{missed:.0%} of the onodes were not in memory",
            f"reading them takes {share} of the mean latency",
            *_settings(evidence),
        ),
        cells=(evidence.cell.name,),
        unless="the OSDs were started just before",
        try_next="ceph config set osd osd_memory_target 4G, where the hosts have it",
        role=Role.CAUSE,
        resource="OSD memory",
        explains=share,
    )


def _settings(evidence: CellEvidence) -> tuple[str, ...]:
    cluster = evidence.environment.cluster
    options = cluster.each_osd[0].options if cluster and cluster.each_osd else {}
    found = {name: options[name] for name in _OPTIONS if options.get(name, "").isdigit()}
    return tuple(f"{name} = {format_bytes(int(value))}" for name, value in found.items() if int(value) > 0)


def _reads_ceph(conditions: Conditions) -> bool:
    return conditions.layer in (Layer.RADOS, Layer.RBD) and conditions.op.reads


RULE = Rule(
    name="small-cache",
    question="Do the OSDs hold in memory where their data is?",
    concerns=_reads_ceph,
    cell=check_cell,
)
