"""The OSDs use up the cores of their hosts, or some of them do not get the cores that their peers get."""

from __future__ import annotations

import statistics

from radoscope.explain.evidence import CellEvidence
from radoscope.explain.finding import Finding, Role, Severity, Share
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell
from radoscope.explain.times import latency_s, of_each, share_over
from radoscope.records.study import Segment
from radoscope.records.telemetry import COMMIT_LAT, OP_R_LATENCY, OSD_CPU, OSD_CPU_WAIT

_FULL = 0.7
"""Of all threads of the OSD hosts; hyperthreads count as threads here, so 70 % is close to all that they can do."""
_MOST_THREADS = 14.0
"""One OSD stops growing at 14 to 16 threads (ceph.io, "Ceph OSD CPU scaling")."""
_LONGER = 2.3
"""In each segment. Peers on a machine full of other work differed by up to 2.0."""
_LONG_S = 0.3
_SEGMENTS = 2
_MUCH_LATER = 0.2
"""Of the mean latency, on average over the segments. Chance made it 0.15 in one cell of forty-two here."""
_LEAST_SHARE = 0.1


def check_cell(evidence: CellEvidence) -> Verdict:
    osds = evidence.readings(OSD_CPU)
    if not osds:
        return Unchecked("the OSDs' CPU time was not recorded")
    if starved := _starved(evidence):
        return starved
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


def _starved(evidence: CellEvidence) -> Finding | None:
    """OSDs whose threads wait for cores far longer than their peers', and that answer later for it."""
    seen = [waits for one in evidence.segments if len(waits := _waits(one)) > 1]
    if len(seen) < _SEGMENTS:
        return None
    hungry = sorted(set.intersection(*map(_hungry, seen)))
    share = share_over(v for one in evidence.segments if (v := _later(one, hungry, evidence)) is not None)
    if not hungry or share is None or share.low < _LEAST_SHARE or share.value < _MUCH_LATER:
        return None
    theirs = statistics.fmean(max(waits[osd] for osd in hungry) for waits in seen)
    peers = statistics.fmean(statistics.median_low(sorted(waits.values())) for waits in seen)
    return _lack(evidence, hungry, theirs, peers, share)


def _waits(segment: Segment) -> dict[int, float]:
    """OSD -> seconds a second that its threads waited for cores."""
    found = ((OSD_CPU_WAIT.thing(one.name), one.values) for one in segment.telemetry)
    return {int(osd): statistics.fmean(values) for osd, values in found if osd and osd.isdigit() and values}


def _hungry(waits: dict[int, float]) -> set[int]:
    """Those far above their peers; where half of them are, it is the load."""
    usual = statistics.median_low(sorted(waits.values()))
    found = {osd for osd, wait in waits.items() if wait >= max(_LONG_S, _LONGER * usual)}
    return found if 2 * len(found) < len(waits) else set()


def _later(segment: Segment, hungry: list[int], evidence: CellEvidence) -> float | None:
    """Share of the mean I/O by which these OSDs' own work takes longer than their peers'."""
    own = of_each(segment, COMMIT_LAT if evidence.conditions.op.writes else OP_R_LATENCY)
    theirs = [own[osd] for osd in hungry if osd in own]
    peers = [value for osd, value in own.items() if osd not in hungry]
    total = latency_s(segment)
    if not theirs or not peers or not total:
        return None
    return (statistics.fmean(theirs) - statistics.median(peers)) / total


def _lack(evidence: CellEvidence, hungry: list[int], theirs: float, peers: float, share: Share) -> Finding:
    named = ", ".join(f"osd.{osd}" for osd in hungry)
    cluster = evidence.environment.cluster
    hosts = {one.host for one in (cluster.each_osd if cluster else ()) if one.id in hungry and one.host}
    where = f" of host {min(hosts)}" if len(hosts) == 1 else ""
    return Finding(
        rule=RULE.name,
        claim=f"OSDs{where} do not get the CPU time that they need: {named}.",
        because=(
            f"their threads wait {theirs:.2g} s each second for a core, their peers' {peers:.2g} s",
            f"what they answer later for it is {share} of the mean latency",
        ),
        severity=Severity.DOUBTFUL,
        cells=(evidence.cell.name,),
        unless="they hold far more of the load than their peers",
        try_next="Look at that host: top, CPU limits of its containers (systemctl show, cpu.max), power states.",
        role=Role.CAUSE,
        resource=f"CPU of {named}",
        explains=share,
        hides=("sick-osd", "flush-bound", "uneven-load"),
    )


def _finding(because: tuple[str, ...], name: str) -> Finding:
    return Finding(
        rule=RULE.name,
        claim="The OSDs' CPU time is the bottleneck.",
        because=because,
        cells=(name,),
        unless="the drives or the network are full too",
        try_next="Use more or faster cores per OSD; first look at power states and debug levels.",
        role=Role.LIMIT,
        resource="OSD CPU",
    )


RULE = Rule(
    name="osd-cpu",
    question="Did the OSDs have CPU time to spare?",
    concerns=ceph_cell,
    cell=check_cell,
)
