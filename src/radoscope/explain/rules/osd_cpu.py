"""The OSDs use up the cores of their hosts."""

from __future__ import annotations

from radoscope.explain.evidence import CellEvidence
from radoscope.explain.finding import Finding
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell
from radoscope.records.telemetry import OSD_CPU

_FULL = 0.7
"""Of all threads of the OSD hosts; hyperthreads count as threads here, so 70 % is close to all that they can do."""
_MOST_THREADS = 14.0
"""One OSD stops growing at 14 to 16 threads (ceph.io, "Ceph OSD CPU scaling")."""


def check_cell(evidence: CellEvidence) -> Verdict:
    osds = evidence.readings(OSD_CPU)
    if not osds:
        return Unchecked("the OSDs' CPU time was not recorded")
    busiest = max(osds, key=lambda osd: osd.value)
    if busiest.value >= _MOST_THREADS:
        return _finding((f"osd.{busiest.thing} used {busiest.value:.1f} cores",), evidence.cell.name)
    hosts = [host for host in evidence.environment.hosts if "osd" in host.role or evidence.on_one_host]
    if not hosts or any(host.cpu_threads is None for host in hosts):
        return Unchecked("the CPU threads of the OSDs' hosts are not known")
    threads, used = sum(host.cpu_threads or 0 for host in hosts), sum(osd.value for osd in osds)
    if used < _FULL * threads:
        return None
    return _finding((f"{len(osds)} OSDs used {used:.1f} of {threads} CPU threads",), evidence.cell.name)


def _finding(because: tuple[str, ...], name: str) -> Finding:
    return Finding(
        rule=RULE.name,
        claim="The OSDs' CPU time is the bottleneck.",
        because=because,
        cells=(name,),
        unless="the drives or the network are full too",
        try_next="Use more or faster cores per OSD; first look at power states and debug levels.",
    )


RULE = Rule(
    name="osd-cpu",
    question="Did the OSDs have CPU time to spare?",
    concerns=ceph_cell,
    cell=check_cell,
)
