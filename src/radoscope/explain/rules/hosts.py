"""The hosts: their processors, who else uses them, their sleep, and their memory."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from radoscope.explain.evidence import CellEvidence, StudyEvidence, interval_of, named_osds
from radoscope.explain.finding import Finding, Role, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell, every_cell, storage_cell
from radoscope.explain.times import background_work, each_of, each_series, held_by_drives, share_over
from radoscope.records.conditions import Layer
from radoscope.records.environment import Environment
from radoscope.records.study import Outcome, Segment
from radoscope.records.telemetry import (
    CLIENT_CPU,
    CLIENT_CPU_WAIT,
    COMMIT_LAT,
    HOST_CPU,
    MEM_AVAILABLE,
    MESSAGES,
    OP_R,
    OP_RW,
    OP_W,
    OSD_CPU,
    OSD_CPU_WAIT,
    STRANGERS_CPU,
    Quantity,
)
from radoscope.stats.values import CellSummary
from radoscope.units import format_bytes, format_count, format_seconds
from radoscope.words import N_, _

# All CPUs of a host busy: with other work, which takes them from the load, or with the load and the cluster alone.

_FULL = 0.9
_MUCH = 0.25
"""Of all cores: other work below that costs the load less than its own segments differ."""


def _host_cpu_of_cell(evidence: CellEvidence) -> Verdict:
    busiest = evidence.highest(HOST_CPU)
    if busiest is None:
        return Unchecked(_("the hosts' CPU time was not recorded"))
    if busiest.value < _FULL:
        return None
    here = busiest.name == busiest.thing  # "host_cpu.node2" is another host
    whose = _("its CPUs") if here else _("the CPUs of host {thing}", thing=busiest.thing)
    fact = _("{whose} were busy {busiest:.0%} of the time", whose=whose, busiest=busiest.value)
    if here and (strangers := _strangers(evidence, busiest.value)) is not None:
        return _of_others(evidence, fact, strangers)
    shared = here and evidence.on_one_host
    return Finding(
        claim=_("A host's CPUs are the bottleneck."),
        because=(fact, _("clients and OSDs share it")) if shared else (fact,),
        unless="" if here else _("other processes use them, neither the load nor the cluster: see top"),
        try_next=_("Run the clients on a separate host.") if shared else _("Use more hosts, or faster cores."),
        role=Role.LIMIT,
        resource="host CPU",
    )


def _of_others(evidence: CellEvidence, fact: str, strangers: float) -> Finding:
    """strangers: share of all cores."""
    share = share_over(_lost(one, strangers, evidence) for one in evidence.segments)
    facts = [
        fact,
        _("work that is neither the load's nor the cluster's used {strangers:.0%} of them", strangers=strangers),
    ]
    if waits := [max(found) for one in evidence.segments if (found := _each(one, OSD_CPU_WAIT))]:
        facts.append(
            _("the threads of an OSD waited {waits:.2g} s each second for a core", waits=statistics.fmean(waits))
        )
    return Finding(
        claim=_("Other processes keep a host's CPUs busy."),
        because=tuple(facts),
        severity=Severity.DOUBTFUL,
        try_next=_("Find them with top; repeat the cell when they have ended."),
        role=Role.CAUSE,
        resource="host CPU",
        explains=share,
        at_most=True,
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


def _lost(segment: Segment, strangers: float, evidence: CellEvidence) -> float:
    """How much of an I/O's time threads waited for cores, at most what others took of these.

    One at a time goes from thread to thread, and replicas work side by side, so that the OSD that waits most counts;
    of several in flight each has its part of all waits. What the drives take would not go away with the other work, and
    one at a time that needs little of a core cannot lose much of it: others stretch only what the load itself computes.
    """
    osds, clients = _each(segment, OSD_CPU_WAIT), _each(segment, CLIENT_CPU_WAIT)
    in_flight, bounds = evidence.conditions.in_flight, [strangers, 1 - held_by_drives(evidence, segment)]
    if osds:
        bounds.append((max(osds) if in_flight == 1 else sum(osds) / in_flight) + sum(clients) / in_flight)
    if in_flight == 1 and (computing := _each(segment, CLIENT_CPU, OSD_CPU)):
        bounds.append(sum(computing) * strangers / (1 - min(strangers, _FULL)))
    return min(bounds)


def _each(segment: Segment, *kinds: Quantity) -> list[float]:
    """Of each thing, seconds a second that its threads computed, or waited for a core."""
    return each_of(segment, *kinds, middle=statistics.median)


HOST_CPU_RULE = Rule(
    "host-cpu", "Did the hosts have CPU time to spare?", pitfalls=(5,), concerns=storage_cell, cell=_host_cpu_of_cell
)


# What OSDs compute while this study asks them for nothing, in cells of the network alone: somebody else has them do it.

_IDLE_CORES = 0.1
"""Of one OSD. On healthy clusters it needs 0.005, scrubbing 0.03; asked over its admin socket without a pause, 0.3."""
_OF_A_TRANSACTION_S = 5e-3
"""Of a core, at most: changes of the map make some."""


def _unasked_cpu_of_cell(evidence: CellEvidence) -> Verdict:
    study = evidence.study
    names = {cell.name for cell in study.cells if cell.conditions.layer is Layer.NETWORK}
    done = (one for one in study.segments if one.cell in names and one.outcome is Outcome.DONE and one.seconds > 0)
    seen = [(one, cores) for one in done if OP_R.name in one.counters and (cores := _cores_of_osds(one))]
    quiet = [one for one, _cores in seen]
    if not quiet:
        return Unchecked(_("what OSDs compute without load is seen in cells of the network alone"))
    if any(map(background_work, quiet)):
        return None  # told of by the rules of such work
    if any(sum(one.counters.get(kind.name, 0.0) for kind in (OP_R, OP_W, OP_RW)) > one.seconds for one in quiet):
        return None  # other clients' load, of which other-clients tells
    asked = max(_OF_A_TRANSACTION_S * one.counters.get(COMMIT_LAT.events, 0.0) / one.seconds for one in quiet)
    least = {osd: min(cores.get(osd, 0.0) for _one, cores in seen) for osd in sorted(seen[0][1])}
    busy = {osd: cores for osd, cores in least.items() if cores >= _IDLE_CORES}
    if sum(busy.values()) <= asked:
        return None
    named = named_osds(busy)
    told = Finding(
        claim=_("OSDs compute though nobody asks them for I/O: {named}.", named=named),
        because=(
            _("{cores:.2g} cores each while the study asked them for nothing", cores=statistics.fmean(busy.values())),
            *_talk(quiet),
            *_set_for_osds(evidence.environment),
        ),
        unless=_("they compacted their databases just then"),
        try_next=_(
            "Find out what for: top -H -p PID; an agent that asks their admin sockets all the time; unusual options in "
            "ceph tell osd.{osd} config diff.",
            osd=next(iter(busy)),
        ),
        resource=named,
    )
    taken = _of_all_cores(evidence.environment, busy) if evidence.host_is_full else None
    if taken is None:
        return told
    share = share_over(_lost(one, taken, evidence) for one in evidence.segments)
    # One whose sockets are asked first or most is late for it.
    return replace(
        told, severity=Severity.DOUBTFUL, role=Role.CAUSE, explains=share, at_most=True, hides=("sick-osd", "osd-cpu")
    )


_MANY, _MOST_OPTIONS = 200, 8
"""Messages a second. OSDs that rest exchange a few heartbeats."""


def _talk(quiet: Sequence[Segment]) -> Iterator[str]:
    each = [one.get(MESSAGES.name, 0.0) / segment.seconds for segment in quiet for one in segment.osd_counters.values()]
    if each and statistics.fmean(each) >= _MANY:
        yield _("each receives {rate} messages a second meanwhile", rate=format_count(statistics.fmean(each)))


def _set_for_osds(environment: Environment) -> Iterator[str]:
    """Options that somebody set; where they are many, the command that shows them says enough."""
    changed = environment.cluster.changed_options if environment.cluster else {}
    places = [(*key.rpartition("/")[::2], value) for key, value in changed.items()]
    own = [(name, value) for where, name, value in places if where.startswith(("osd", "global"))]
    if 0 < len(own) <= _MOST_OPTIONS:
        yield _("set for OSDs: {options}", options=", ".join(f"{name} = {value}" for name, value in own))


def _cores_of_osds(segment: Segment) -> dict[str, float]:
    return {osd: statistics.fmean(values) for osd, values in each_series(segment, OSD_CPU) if values}


def _of_all_cores(environment: Environment, busy: Mapping[str, float]) -> float | None:
    """The largest share that such OSDs take of the cores of one host; None where its cores are not known."""
    cluster = environment.cluster
    where = {str(osd.id): osd.host for osd in (cluster.each_osd if cluster else ())}
    known = {host.name: host.cpu_threads for host in environment.hosts if host.cpu_threads}
    taken: dict[str, float] = {}
    for osd, cores in busy.items():
        # The hosts of a sandbox are one machine, of which one entry tells the cores.
        host = where.get(osd, "") if where.get(osd) in known else next(iter(known), "")
        taken[host] = taken.get(host, 0.0) + cores
    return max((cores / known[host] for host, cores in taken.items() if host in known), default=None)


UNASKED_CPU_RULE = Rule(
    "unasked-cpu", "Do the OSDs rest while nobody asks them for I/O?", concerns=ceph_cell, cell=_unasked_cpu_of_cell
)


# CPU power states and governors: a CPU that sleeps between I/Os answers late.

_SLOW_GOVERNORS = frozenset({"powersave", "ondemand", "conservative", "schedutil"})
_DEEP_S = 20e-6
"""Intel's and AMD's tables give C1 and C1E 1 to 10 µs, C6 more than 80 µs (drivers/idle/intel_idle.c)."""
_COMMAND = N_("cpupower frequency-set -g performance; tuned-adm profile network-latency; then measure 4K QD1 again")


def _power_states_of_environment(environment: Environment) -> Verdict:
    known = [h for h in environment.hosts if h.cpu_governor is not None or h.deepest_cstate_latency_s is not None]
    if not known:
        return Unchecked(_("governor and idle states of the hosts are not visible (as in most virtual machines)"))
    because = []
    for host in known:
        if host.cpu_governor in _SLOW_GOVERNORS:
            because.append(_("{host}: governor {cpu_governor}", host=host.name, cpu_governor=host.cpu_governor))
        if host.deepest_cstate_latency_s is not None and host.deepest_cstate_latency_s > _DEEP_S:
            because.append(
                _(
                    "{host}: deepest idle state wakes in {deepest_cstate_latency_s}",
                    host=host.name,
                    deepest_cstate_latency_s=format_seconds(host.deepest_cstate_latency_s),
                )
            )
    return _finding(tuple(because)) if because else None


def _power_states_of_study(evidence: StudyEvidence) -> Verdict:
    """Latency that falls when the load rises: the surest sign of sleep, seen from outside."""
    for gentle in evidence.cells():
        for harder in evidence.cells():
            if _differ_only_in_load(gentle, harder) and (fact := _falls(evidence, gentle, harder)):
                return _finding((fact,), (gentle.cell.name, harder.cell.name))
    return None


def _differ_only_in_load(gentle: CellSummary, harder: CellSummary) -> bool:
    a, b = gentle.cell.conditions, harder.cell.conditions
    same = (a.layer, a.tool, a.op, a.block_bytes, a.sync) == (b.layer, b.tool, b.op, b.block_bytes, b.sync)
    drive = (a.cache, a.bus, a.iothread) == (b.cache, b.bus, b.iothread)
    return same and drive and a.in_flight < b.in_flight


def _falls(evidence: StudyEvidence, gentle: CellSummary, harder: CellSummary) -> str | None:
    slow, fast = evidence.mean_latency(gentle), evidence.mean_latency(harder)
    idle, busy = interval_of(slow), interval_of(fast)
    if slow is None or fast is None or idle is None or busy is None or busy.high >= idle.low:
        return None
    return _(
        "mean latency {slow} with {few} in flight, {fast} with {many}",
        slow=format_seconds(slow.value),
        few=gentle.cell.conditions.in_flight,
        fast=format_seconds(fast.value),
        many=harder.cell.conditions.in_flight,
    )


def _finding(because: tuple[str, ...], cells: tuple[str, ...] = ()) -> Finding:
    return Finding(
        claim=_("CPU power states may add latency to every I/O."),
        because=because,
        cells=cells,
        unless=_("the BIOS overrides the system's choice"),
        try_next=_(_COMMAND),
    )


POWER_STATES_RULE = Rule(
    "power-states",
    "Do the CPUs stay awake between I/Os?",
    pitfalls=(19,),
    concerns=every_cell,
    environment=_power_states_of_environment,
    study=_power_states_of_study,
)


# Hosts short of memory: swapping and shrinking caches.

_SHORT = 0.05
_SHORT_BYTES = 256 * 2**20


def _memory_of_cell(evidence: CellEvidence) -> Verdict:
    lowest = min(evidence.readings(MEM_AVAILABLE), key=lambda reading: reading.value, default=None)
    if lowest is None:
        return Unchecked(_("the hosts' free memory was not recorded"))
    sizes = [host.memory_bytes for host in evidence.environment.hosts if host.memory_bytes]
    limit = max(_SHORT_BYTES, _SHORT * min(sizes)) if sizes else _SHORT_BYTES
    if lowest.value >= limit:
        return None
    return Finding(
        claim=_("A host was short of memory during the measurement."),
        because=(_("{lowest} available", lowest=format_bytes(lowest.value)),),
        severity=Severity.DOUBTFUL,
        try_next=_("Lower osd_memory_target, or use a host with more memory; free -m, vmstat 1 show swapping."),
    )


MEMORY_RULE = Rule("memory", "Did the hosts have memory to spare?", concerns=storage_cell, cell=_memory_of_cell)
