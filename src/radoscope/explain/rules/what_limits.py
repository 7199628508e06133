"""A text that shows Ceph's speed alone: what limits it stands in the layers below, and the text may not have them."""

from __future__ import annotations

from radoscope.explain.evidence import ResultEvidence
from radoscope.explain.finding import Finding, Role
from radoscope.explain.rule import Rule, Verdict
from radoscope.records.measurement import Result

_NETWORK_TOOLS = frozenset({"iperf3", "iperf", "ping"})
_FSYNC = (
    "fio --name=drive --filename=DEVICE --ioengine=libaio --direct=1 --fsync=1 --rw=randwrite --bs=4k --iodepth=1 "
    "--runtime=60 --time_based"
)
_NETWORK = "iperf3 -s on one host, iperf3 -c HOST and ping -c 100 HOST on the other"
_OSDS = "radoscope study --conf /etc/ceph/ceph.conf --plan quick, which reads the OSDs' own counters beside the load"


def check_result(evidence: ResultEvidence) -> Verdict:
    """Told once a text, at its first result of Ceph; the ranking drops it where there is a cause."""
    results = evidence.neighbours.results
    on_ceph = [number for number, one in enumerate(results, start=1) if _is_ceph(one)]
    if not on_ceph or on_ceph[0] != evidence.number:
        return None
    missing = []
    if not any(one.tool in _NETWORK_TOOLS for one in results):
        missing.append(("the network's round trip and bandwidth", _NETWORK))
    if not any(_is_durable_write(one) for one in results):
        missing.append(("a drive's synced 4K writes", _FSYNC))
    missing.append(("what the OSDs counted meanwhile", _OSDS))
    return Finding(
        rule=RULE.name,
        claim="What limits it cannot be told from this alone.",
        because=(f"the text does not have: {'; '.join(what for what, _ in missing)}",),
        cells=(evidence.name,),
        try_next=missing[0][1],
        role=Role.SOUND,
    )


def _is_ceph(result: Result) -> bool:
    options = result.extra.get("options")
    engine = options.get("ioengine") if isinstance(options, dict) else result.extra.get("ioengine")
    return result.tool in ("rados-bench", "rbd-bench") or str(engine).lower() in ("rbd", "rados")


def _is_durable_write(result: Result) -> bool:
    return result.tool == "fio" and not _is_ceph(result) and result.sync is not None


RULE = Rule(
    name="what-limits",
    question="Does the text show what limits Ceph's speed?",
    result=check_result,
)
