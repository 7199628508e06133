"""All CPUs of a host busy: with other work, which takes them from the load, or with the load and the cluster alone."""

from __future__ import annotations

import statistics

from radoscope.explain.drives import held_by_drives
from radoscope.explain.evidence import CellEvidence
from radoscope.explain.finding import Finding, Role, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict, storage_cell
from radoscope.explain.times import share_over
from radoscope.records.study import Segment
from radoscope.records.telemetry import (
    CLIENT_CPU,
    CLIENT_CPU_WAIT,
    HOST_CPU,
    OSD_CPU,
    OSD_CPU_WAIT,
    STRANGERS_CPU,
    Quantity,
)

_FULL = 0.9
_MUCH = 0.25
"""Of all cores: other work below that costs the load less than its own segments differ."""


def check_cell(evidence: CellEvidence) -> Verdict:
    busiest = evidence.highest(HOST_CPU)
    if busiest is None:
        return Unchecked("the hosts' CPU time was not recorded")
    if busiest.value < _FULL:
        return None
    here = busiest.name == busiest.thing  # "host_cpu.node2" is another client host
    whose = "its CPUs" if here else f"the CPUs of client host {busiest.thing}"
    fact = f"{whose} were busy {busiest.value:.0%} of the time"
    if here and (strangers := _strangers(evidence, busiest.value)) is not None:
        return _of_others(evidence, fact, strangers)
    shared = here and evidence.on_one_host
    return Finding(
        rule=RULE.name,
        claim="A host's CPUs are the bottleneck.",
        because=(fact, "clients and OSDs share it") if shared else (fact,),
        cells=(evidence.cell.name,),
        try_next="Run the clients on a separate host." if shared else "Use more hosts, or faster cores.",
        role=Role.LIMIT,
        resource="host CPU",
    )


def _of_others(evidence: CellEvidence, fact: str, strangers: float) -> Finding:
    """strangers: share of all cores."""
    share = share_over(value for one in evidence.segments if (value := _lost(one, strangers, evidence)) is not None)
    facts = [fact, f"work that is neither the load's nor the cluster's used {strangers:.0%} of them"]
    if waits := [max(found) for one in evidence.segments if (found := _waits(one, OSD_CPU_WAIT))]:
        facts.append(f"the threads of an OSD waited {statistics.fmean(waits):.2g} s each second for a core")
    return Finding(
        rule=RULE.name,
        claim="Other processes keep a host's CPUs busy.",
        because=tuple(facts),
        severity=Severity.DOUBTFUL,
        cells=(evidence.cell.name,),
        try_next="Find them with top; repeat the cell when they have ended.",
        role=Role.CAUSE,
        resource="host CPU",
        explains=share,
        hides=("client-cpu",),
    )


def _strangers(evidence: CellEvidence, busy: float) -> float | None:
    """Share of all cores that other work used, where it is much; None where it is little or not known."""
    threads = next((host.cpu_threads for host in evidence.environment.hosts if host.cpu_threads), None)
    if threads is None:
        return None
    if found := evidence.readings(STRANGERS_CPU):
        share = found[0].value / threads
        return share if share >= _MUCH else None
    if len(evidence.environment.hosts) != 1 or not evidence.readings(CLIENT_CPU):
        return None
    ours = sum(reading.value for what in (CLIENT_CPU, OSD_CPU) for reading in evidence.readings(what))
    return busy - ours / threads if ours < busy * threads / 2 else None


def _lost(segment: Segment, strangers: float, evidence: CellEvidence) -> float | None:
    """How much of an I/O's time threads waited for cores, at most what others took of these.

    One at a time goes from thread to thread, and replicas work side by side, so that the OSD that waits most counts;
    of several in flight each has its part of all waits. What the drives take would not go away with the other work.
    """
    osds, clients = _waits(segment, OSD_CPU_WAIT), _waits(segment, CLIENT_CPU_WAIT)
    if osds:
        in_flight = evidence.conditions.in_flight
        waited = (max(osds) if in_flight == 1 else sum(osds) / in_flight) + sum(clients) / in_flight
        strangers = min(waited, strangers)
    return min(strangers, 1 - held_by_drives(evidence, segment))


def _waits(segment: Segment, what: Quantity) -> list[float]:
    """Seconds a second that each thing's threads waited for a core."""
    return [
        statistics.median(one.values) for one in segment.telemetry if what.thing(one.name) is not None and one.values
    ]


RULE = Rule(
    name="host-cpu",
    question="Did the hosts have CPU time to spare?",
    pitfalls=(5,),
    concerns=storage_cell,
    cell=check_cell,
)
