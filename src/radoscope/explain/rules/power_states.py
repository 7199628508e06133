"""CPU power states and governors: a CPU that sleeps between I/Os answers late."""

from __future__ import annotations

from radoscope.explain.evidence import StudyEvidence, interval_of
from radoscope.explain.finding import Finding
from radoscope.explain.rule import Rule, Unchecked, Verdict, every_cell
from radoscope.records.environment import Environment
from radoscope.stats.values import CellSummary
from radoscope.units import format_seconds

_SLOW_GOVERNORS = frozenset({"powersave", "ondemand", "conservative", "schedutil"})
_DEEP_S = 20e-6
"""Intel's and AMD's tables give C1 and C1E 1 to 10 µs, C6 more than 80 µs (drivers/idle/intel_idle.c)."""
_COMMAND = "cpupower frequency-set -g performance; tuned-adm profile network-latency; then measure 4K QD1 again"


def check_environment(environment: Environment) -> Verdict:
    known = [h for h in environment.hosts if h.cpu_governor is not None or h.deepest_cstate_latency_s is not None]
    if not known:
        return Unchecked("governor and idle states of the hosts are not visible (as in most virtual machines)")
    because = []
    for host in known:
        if host.cpu_governor in _SLOW_GOVERNORS:
            because.append(f"{host.name}: governor {host.cpu_governor}")
        if host.deepest_cstate_latency_s is not None and host.deepest_cstate_latency_s > _DEEP_S:
            because.append(f"{host.name}: deepest idle state wakes in {format_seconds(host.deepest_cstate_latency_s)}")
    return _finding(tuple(because)) if because else None


def check_study(evidence: StudyEvidence) -> Verdict:
    """Latency that falls when the load rises: the surest sign of sleep, seen from outside."""
    for gentle in evidence.cells():
        for harder in evidence.cells():
            if _differ_only_in_load(gentle, harder) and (fact := _falls(evidence, gentle, harder)):
                return _finding((fact,), (gentle.cell.name, harder.cell.name))
    return None


def _differ_only_in_load(gentle: CellSummary, harder: CellSummary) -> bool:
    a, b = gentle.cell.conditions, harder.cell.conditions
    same = (a.layer, a.tool, a.op, a.block_bytes, a.sync) == (b.layer, b.tool, b.op, b.block_bytes, b.sync)
    return same and a.in_flight < b.in_flight


def _falls(evidence: StudyEvidence, gentle: CellSummary, harder: CellSummary) -> str | None:
    slow, fast = evidence.mean_latency(gentle), evidence.mean_latency(harder)
    idle, busy = interval_of(slow), interval_of(fast)
    if slow is None or fast is None or idle is None or busy is None or busy.high >= idle.low:
        return None
    return (
        f"mean latency {format_seconds(slow.value)} with {gentle.cell.conditions.in_flight} in flight, "
        f"{format_seconds(fast.value)} with {harder.cell.conditions.in_flight}"
    )


def _finding(because: tuple[str, ...], cells: tuple[str, ...] = ()) -> Finding:
    return Finding(
        rule=RULE.name,
        claim="CPU power states may add latency to every I/O.",
        because=because,
        cells=cells,
        unless="the BIOS overrides the system's choice",
        try_next=_COMMAND,
    )


RULE = Rule(
    name="power-states",
    question="Do the CPUs stay awake between I/Os?",
    pitfalls=(19,),
    concerns=every_cell,
    environment=check_environment,
    study=check_study,
)
