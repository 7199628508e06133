"""All CPUs of a host busy: what is measured is the host's compute, clients and OSDs together."""

from __future__ import annotations

from radoscope.explain.evidence import CellEvidence
from radoscope.explain.finding import Finding, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict, storage_cell
from radoscope.records.telemetry import CLIENT_CPU, HOST_CPU, OSD_CPU

_FULL = 0.9


def check_cell(evidence: CellEvidence) -> Verdict:
    busiest = evidence.highest(HOST_CPU)
    if busiest is None:
        return Unchecked("the hosts' CPU time was not recorded")
    if busiest.value < _FULL:
        return None
    here = busiest.name == busiest.thing  # "host_cpu.node2" is another client host
    whose = "its CPUs" if here else f"the CPUs of client host {busiest.thing}"
    fact = f"{whose} were busy {busiest.value:.0%} of the time"
    if stranger := _other_work(evidence, busiest.value):
        return Finding(
            rule=RULE.name,
            claim="Other processes keep a host's CPUs busy.",
            because=(fact, stranger),
            severity=Severity.DOUBTFUL,
            cells=(evidence.cell.name,),
            try_next="Find them with top; repeat the cell when they have ended.",
        )
    shared = here and evidence.on_one_host
    return Finding(
        rule=RULE.name,
        claim="A host's CPUs are the bottleneck.",
        because=(fact, "clients and OSDs share it") if shared else (fact,),
        cells=(evidence.cell.name,),
        try_next="Run the clients on a separate host." if shared else "Use more hosts, or faster cores.",
    )


def _other_work(evidence: CellEvidence, busy: float) -> str | None:
    """Clients and OSDs of a host together use less than half of what is used."""
    hosts = evidence.environment.hosts
    if len(hosts) != 1 or hosts[0].cpu_threads is None or not evidence.readings(CLIENT_CPU):
        return None
    ours = sum(reading.value for name in (CLIENT_CPU, OSD_CPU) for reading in evidence.readings(name))
    used = busy * hosts[0].cpu_threads
    return f"clients and OSDs used {ours:.1f} of {used:.1f} busy cores" if ours < used / 2 else None


RULE = Rule(
    name="host-cpu",
    question="Did the hosts have CPU time to spare?",
    pitfalls=(5,),
    concerns=storage_cell,
    cell=check_cell,
)
