"""mClock's idea of what the OSDs can do: spread over equal drives, outside reason, or in favour of recovery."""

from __future__ import annotations

import re

from radoscope.explain.evidence import CellEvidence
from radoscope.explain.finding import Finding, Role, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell
from radoscope.explain.times import latency_s, queue_wait, share_over
from radoscope.records.environment import Environment

_CAPACITY = re.compile(r"osd_mclock_max_capacity_iops_(ssd|hdd)")
_SENSIBLE = {"ssd": (1000.0, 80_000.0), "hdd": (50.0, 500.0)}
"""The limits beyond which newer releases reject what the start-up benchmark found (ceph/ceph#59743)."""
_QUEUED = 0.3
_SPREAD = 1.5
"""Equal drives measure within 15 % of another; a factor of 1.5 is the benchmark's error, not the drives'."""


def check_environment(environment: Environment) -> Verdict:
    if environment.cluster is None:
        return Unchecked("the cluster's configuration was not recorded")
    facts = _capacity_facts(environment) + _profile_facts(environment)
    if not facts:
        return None
    return Finding(
        rule=RULE.name,
        claim="mClock's settings do not fit the drives or the load.",
        because=tuple(facts),
        severity=Severity.NOTE,
        unless="no recovery runs and the scheduler is wpq: then mClock has no effect",
        try_next="Measure each OSD (ceph tell osd.N bench, three times), then: "
        "ceph config set osd.N osd_mclock_max_capacity_iops_ssd VALUE; ceph config set osd osd_mclock_profile balanced",
    )


def check_cell(evidence: CellEvidence) -> Verdict:
    """Operations that wait in the OSDs' queues because the scheduler believes in less than the drives can do."""
    cluster = evidence.environment.cluster
    if cluster is None:
        return Unchecked("the cluster's configuration was not recorded")
    believed = [
        (number, kind)
        for osd in cluster.each_osd
        for kind in _SENSIBLE
        if (number := _number(osd.options.get(f"osd_mclock_max_capacity_iops_{kind}", ""))) is not None
    ]
    low = [number for number, kind in believed if number < _SENSIBLE[kind][0]]
    each = [(queue_wait(one), latency_s(one)) for one in evidence.segments]
    share = share_over(waited / total for waited, total in each if waited is not None and total)
    if not low or share is None or share.value < _QUEUED:
        return None
    return Finding(
        rule=RULE.name,
        claim="mClock holds operations back: it believes the OSDs to be far slower than they are.",
        because=(
            f"osd_mclock_max_capacity_iops is {min(low):,.0f} on {len(low)} of {len(cluster.each_osd)} OSDs",
            f"{share} of the mean latency passes in the OSDs' queues",
        ),
        severity=Severity.DOUBTFUL,
        cells=(evidence.cell.name,),
        try_next="Measure each OSD (radoscope study --osd-bench), then set what it says, or: "
        "ceph config rm osd.N osd_mclock_max_capacity_iops_ssd",
        role=Role.CAUSE,
        resource="mClock",
        explains=share,
        hides=("uneven-load",),
    )


def _capacity_facts(environment: Environment) -> list[str]:
    by_class: dict[str, list[float]] = {}
    for option, value in environment.cluster.changed_options.items() if environment.cluster else ():
        match = _CAPACITY.search(option)
        number = _number(value)
        if match and number is not None:
            by_class.setdefault(match[1], []).append(number)
    facts = []
    for kind, values in by_class.items():
        low, high = _SENSIBLE[kind]
        if min(values) < low or max(values) > high:
            facts.append(
                f"{kind} capacity {min(values):,.0f} to {max(values):,.0f} IOPS; sensible is {low:,.0f} to {high:,.0f}"
            )
        elif min(values) > 0 and max(values) / min(values) > _SPREAD:
            facts.append(f"{kind} capacity differs between OSDs: {min(values):,.0f} to {max(values):,.0f} IOPS")
    return facts


def _profile_facts(environment: Environment) -> list[str]:
    options = environment.cluster.changed_options if environment.cluster else {}
    favoured = [value for option, value in options.items() if option.endswith("osd_mclock_profile")]
    return ["osd_mclock_profile = high_recovery_ops"] if "high_recovery_ops" in favoured else []


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


RULE = Rule(
    name="mclock",
    question="Does mClock know the OSDs' capacity?",
    pitfalls=(10,),
    concerns=ceph_cell,
    cell=check_cell,
    environment=check_environment,
)
