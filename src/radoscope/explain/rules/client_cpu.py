"""The load generator is at its limit: the number is the client's, not the cluster's."""

from __future__ import annotations

from radoscope.explain.evidence import CellEvidence, ResultEvidence
from radoscope.explain.finding import Finding, Role, Severity, Share
from radoscope.explain.rule import Rule, Unchecked, Verdict, storage_cell
from radoscope.explain.times import OUTSIDE, share_over, waterfall_of
from radoscope.records.telemetry import CLIENT_CPU, CLIENT_CPU_WAIT, HOST_CPU, OSD_CPU, OSD_CPU_WAIT

_FULL = 0.8
"""Of one core for each client process: beyond it a thread has no time left to submit (peers' manuals use 80 %)."""


_WAITS_S, _LONGER = 0.8, 3.0
"""Where all processes of a host wait for its cores, OSDs' threads wait as long as the client's."""
_LEAST_OUTSIDE = 0.4
_FULL_HOST = 0.9


def check_cell(evidence: CellEvidence) -> Verdict:
    busiest = evidence.highest(CLIENT_CPU)
    if busiest is None:
        return Unchecked("the clients' CPU time was not recorded")
    waits, osd = evidence.highest(CLIENT_CPU_WAIT), evidence.highest(OSD_CPU)
    starved = waits is not None and waits.value >= max(_WAITS_S, _LONGER * _longest_wait_of_osds(evidence))
    starved = starved and not _host_is_full(evidence)
    if busiest.value < _FULL and not starved:
        return None
    because = [f"a client process used {busiest.value:.0%} of one core"]
    if starved and waits is not None:
        because.append(f"its threads waited {waits.value:.2g} s each second for a core")
    if osd is not None:
        because.append(f"the busiest OSD used {osd.value:.1f} cores")
    share = share_over(found.share(OUTSIDE) for one in evidence.segments if (found := waterfall_of(one)) is not None)
    if share is not None:
        because.append(f"{share} of an I/O's time passes outside the OSDs")
    advice = "Repeat it with twice the client processes, on more hosts."
    return _finding(tuple(because), evidence.cell.name, advice, share)


def _host_is_full(evidence: CellEvidence) -> bool:
    """Then everybody waits for cores, and the load generator is no special case."""
    host = evidence.highest(HOST_CPU)
    return host is not None and host.value >= _FULL_HOST


def _longest_wait_of_osds(evidence: CellEvidence) -> float:
    longest = evidence.highest(OSD_CPU_WAIT)
    return longest.value if longest is not None else 0.0


def check_result(evidence: ResultEvidence) -> Verdict:
    """fio prints user and system time in percent of one core, per process."""
    used = [evidence.result.extra.get(key) for key in ("usr_cpu", "sys_cpu")]
    shares = [value / 100 for value in used if isinstance(value, (int, float))]
    if len(shares) < 2 or sum(shares) < _FULL:
        return None
    fact = f"fio's process used {sum(shares):.0%} of one core (usr {shares[0]:.0%}, sys {shares[1]:.0%})"
    return _finding((fact,), evidence.name, "Repeat it with --numjobs=4 and compare the sums.")


def _finding(because: tuple[str, ...], name: str, try_next: str, share: Share | None = None) -> Finding:
    outside = share is None or share.value >= _LEAST_OUTSIDE
    return Finding(
        rule=RULE.name,
        claim="The load generator may be the bottleneck.",
        because=because,
        severity=Severity.DOUBTFUL,
        cells=(name,),
        unless="twice as many client processes bring no more",
        try_next=try_next,
        role=Role.CAUSE if outside else Role.REMARK,
        resource="client CPU",
        explains=share,
        hides=("client-hosts", "client-scaling"),
    )


RULE = Rule(
    name="client-cpu",
    question="Did the load generator have CPU time to spare?",
    pitfalls=(5,),
    concerns=storage_cell,
    cell=check_cell,
    result=check_result,
)
