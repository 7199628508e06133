"""Whether the clients, and not the cluster, were at their limit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from radoscope.explain.evidence import CellEvidence, ResultEvidence, StudyEvidence, interval_of
from radoscope.explain.finding import Finding, Role, Severity, Share
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell, storage_cell
from radoscope.explain.times import HELD_S, OUTSIDE, each_of, share_held, share_of_parts
from radoscope.records.conditions import Conditions, Layer, rows_of_clients
from radoscope.records.telemetry import (
    CLIENT_CPU,
    CLIENT_CPU_THROTTLED,
    CLIENT_CPU_WAIT,
    OSD_CPU,
    OSD_CPU_WAIT,
)
from radoscope.stats.values import CellSummary, Estimate, Undecided
from radoscope.units import format_count
from radoscope.words import N_, _, ngettext

# The load generator is at its limit: the number is the client's, not the cluster's.

_FULL = 0.8
"""Of one core for each client process: beyond it a thread has no time left to submit (peers' manuals use 80 %)."""


_WAITS_S, _LONGER, _SHARED = 0.8, 3.0, 2.0
"""Where all processes of a host wait for its cores, OSDs' threads wait as long as the client's. With six OSDs on two
cores these waited 0.2 to 0.64 s each second and the client 2.1, with nothing wrong."""
_LEAST_OUTSIDE = 0.4


def _client_cpu_of_cell(evidence: CellEvidence) -> Verdict:
    busiest = evidence.highest(CLIENT_CPU)
    if busiest is None:
        return Unchecked(_("the clients' CPU time was not recorded"))
    if evidence.conditions.layer is Layer.GUEST and evidence.environment.emulates_guests:
        return Unchecked(_("an emulated guest's own work counts as the client's"))
    waits, osd = evidence.highest(CLIENT_CPU_WAIT), evidence.highest(OSD_CPU)
    least = max(_WAITS_S, _LONGER * _waits_of_osds(evidence))
    starved = waits is not None and waits.value >= least and _in_each(evidence, least)
    # On a full host everybody waits for cores, and the load generator is no special case.
    starved = starved and not evidence.host_is_full
    if busiest.value < _FULL and not starved:
        return None
    because = [_("a client process used {busiest:.0%} of one core", busiest=busiest.value)]
    if starved and waits is not None:
        because.append(_("its threads waited {waits:.2g} s each second for a core", waits=waits.value))
    if osd is not None and ceph_cell(evidence.conditions):
        because.append(_("the busiest OSD used {osd:.1f} cores", osd=osd.value))
    share = share_of_parts(evidence.segments, OUTSIDE)
    if share is not None:
        because.append(_("{share} of an I/O's time passes outside the OSDs", share=share))
    more = N_("Repeat it with twice the client processes, on more hosts.")
    advice = more if ceph_cell(evidence.conditions) else N_("Repeat the cell with jobs = 2.")
    return _of_ceph(evidence, _finding(tuple(because), _(advice), share))


def _of_ceph(evidence: CellEvidence, found: Finding) -> Finding:
    """On a disk of this host it makes the number doubtful; what is slow in Ceph it does not explain."""
    return found if ceph_cell(evidence.conditions) else replace(found, role=Role.REMARK)


def _in_each(evidence: CellEvidence, least: float) -> bool:
    """Whether a client waited so long in every segment: threads that start at once wait for each other once."""
    each = [max(found) for one in evidence.segments if (found := each_of(one, CLIENT_CPU_WAIT))]
    return min(each, default=0.0) >= least


def _waits_of_osds(evidence: CellEvidence) -> float:
    """The longest; where clients and OSDs share a host, all together: six OSDs beside one client each wait less."""
    each = [one.value for one in evidence.readings(OSD_CPU_WAIT)]
    return sum(each) / _SHARED if evidence.on_one_host else max(each, default=0.0)


def _client_cpu_of_result(evidence: ResultEvidence) -> Verdict:
    """fio prints user and system time in percent of one core, per process."""
    used = [evidence.result.extra.get(key) for key in ("usr_cpu", "sys_cpu")]
    shares = [value / 100 for value in used if isinstance(value, (int, float))]
    if len(shares) < 2 or sum(shares) < _FULL:
        return None
    fact = _(
        "fio's process used {share:.0%} of one core (usr {user:.0%}, sys {system:.0%})",
        share=sum(shares),
        user=shares[0],
        system=shares[1],
    )
    return _finding((fact,), _("Repeat it with --numjobs=4 and compare the sums."))


def _finding(because: tuple[str, ...], try_next: str, share: Share | None = None) -> Finding:
    outside = share is None or share.value >= _LEAST_OUTSIDE
    return Finding(
        claim=_("The load generator may be the bottleneck."),
        because=because,
        severity=Severity.DOUBTFUL,
        unless=_("twice as many client processes bring no more"),
        try_next=try_next,
        role=Role.CAUSE if outside else Role.REMARK,
        resource="client CPU",
        explains=share,
        hides=("client-hosts", "client-scaling"),
    )


CLIENT_CPU_RULE = Rule(
    "client-cpu",
    "Did the load generator have CPU time to spare?",
    pitfalls=(5,),
    concerns=storage_cell,
    cell=_client_cpu_of_cell,
    result=_client_cpu_of_result,
)


# A container or service whose CPU limit the load generator runs into. The kernel says so, however full the host is.


def _client_cpu_limit_of_cell(evidence: CellEvidence) -> Verdict:
    most = evidence.highest(CLIENT_CPU_THROTTLED)
    if most is None and not evidence.readings(CLIENT_CPU_WAIT):  # both are told of this host's processes alone
        return Unchecked(_("the clients' waits for cores were not recorded"))
    if most is None or most.value < HELD_S:
        return None
    found = Finding(
        claim=_("A CPU limit holds the load generator back."),
        because=(
            _("the limit of its control group kept it from its cores for {most:.2g} s each second", most=most.value),
        ),
        severity=Severity.DOUBTFUL,
        try_next=_("Raise the limit, or load from a host without one: cpu.max, or resources.limits.cpu of its pod."),
        role=Role.CAUSE,
        resource="CPU limit of the client",
        explains=share_held(evidence, most.value),
        hides=("client-cpu", "client-hosts", "client-scaling", "slow-transfers"),
    )
    return _of_ceph(evidence, found)


CLIENT_CPU_LIMIT_RULE = Rule(
    "client-cpu-limit",
    "Does a CPU limit hold the load generator back?",
    concerns=storage_cell,
    cell=_client_cpu_limit_of_cell,
)


# More clients, more I/O: what one client gets is its own limit, not the cluster's.

_STILL_GROWS = 0.7
"""Share of the ideal growth from the last but one to the last step."""
_LEVEL = 1.1


def _client_scaling_of_study(evidence: StudyEvidence) -> Verdict:
    """Takes the load with the most numbers of clients; says whether its last step still brought something."""
    usable = (s for s in evidence.cells() if isinstance(s.iops, Estimate) and s.iops.value > 0)
    family = max(rows_of_clients(usable, lambda s: s.cell.conditions).values(), key=len, default=[])
    if len(family) < 2:
        return Unchecked(_("no load was measured with several numbers of clients"))
    if any(isinstance(s.iops, Estimate) and isinstance(s.iops.interval, Undecided) for s in family):
        return Unchecked(_("the rates with several numbers of clients have no intervals yet"))
    steps = sorted((s.cell.conditions.clients, _rate(s), s.cell.name) for s in family)
    (before, rate_before, _first), (most, rate, _last) = steps[-2], steps[-1]
    if rate / rate_before > 1 + _STILL_GROWS * (most / before - 1):
        claim = _("The cluster is not at its limit with {most} clients: the total still grows.", most=most)
        advice = _("Add clients until the total stops growing; only then is it the cluster's rate.")
    elif rate < _LEVEL * rate_before:
        claim = _(
            "More than {before} clients bring no more: the cluster or its hosts are at their limit.", before=before
        )
        advice = _("The findings on CPU, flush and network of these cells say which limit it is.")
    else:
        return None
    return Finding(
        claim=claim,
        because=tuple(
            _("{clients} clients: {total} IOPS", clients=clients, total=format_count(total))
            for clients, total, _name in steps
        ),
        cells=tuple(name for *_rates, name in steps),
        try_next=advice,
    )


def _rate(summary: CellSummary) -> float:
    return summary.iops.value if isinstance(summary.iops, Estimate) else 0.0


CLIENT_SCALING_RULE = Rule(
    "client-scaling", "Do more clients achieve more?", pitfalls=(5,), study=_client_scaling_of_study
)


# The same load from more hosts: who was at the limit, the cluster or the one host that loaded it?


def _client_hosts_of_study(evidence: StudyEvidence) -> Verdict:
    """Takes every load that was measured from several numbers of hosts; says where more of them surely got more."""
    pairs = tuple(_pairs(evidence.cells()))
    if not pairs:
        return Unchecked(_("no load was measured from several numbers of client hosts"))
    more = [(few, many) for few, many in pairs if _surely_more(few, many)]
    if not more:
        return None
    return Finding(
        claim=_("Too few client hosts are a bottleneck: the same load achieves more from more hosts."),
        because=tuple(f"{_rate_words(few)}; {_rate_words(many)}" for few, many in more),
        severity=Severity.DOUBTFUL,
        cells=tuple(dict.fromkeys(few.cell.name for few, _ in more)),
        unless=_("the client hosts differ"),
        try_next=_("Add client hosts until the total stops growing; only then is it the cluster's rate."),
    )


def _pairs(summaries: tuple[CellSummary, ...]) -> Iterator[tuple[CellSummary, CellSummary]]:
    """Cells that differ in the number of hosts alone, from each number to the next."""
    families: dict[Conditions, list[CellSummary]] = {}
    for summary in summaries:
        families.setdefault(replace(summary.cell.conditions, client_hosts=1), []).append(summary)
    for family in families.values():
        yield from pairwise(sorted(family, key=lambda summary: summary.cell.conditions.client_hosts))


def _surely_more(few: CellSummary, many: CellSummary) -> bool:
    """Whether the intervals lie apart, which two equal rates do less than once in a hundred times."""
    before, after = _interval(few), _interval(many)
    hosts = many.cell.conditions.client_hosts > few.cell.conditions.client_hosts
    return hosts and before is not None and after is not None and after[0] > before[1]


def _interval(summary: CellSummary) -> tuple[float, float] | None:
    found = interval_of(summary.iops) if isinstance(summary.iops, Estimate) else None
    return (found.low, found.high) if found else None


def _rate_words(summary: CellSummary) -> str:
    hosts, interval = summary.cell.conditions.client_hosts, _interval(summary) or (0.0, 0.0)
    return ngettext(
        "from {number} host {low} to {high} IOPS",
        "from {number} hosts {low} to {high} IOPS",
        hosts,
        low=format_count(interval[0]),
        high=format_count(interval[1]),
    )


CLIENT_HOSTS_RULE = Rule(
    "client-hosts", "Is one client host enough for the load?", pitfalls=(5,), study=_client_hosts_of_study
)
