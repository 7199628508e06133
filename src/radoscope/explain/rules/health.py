"""The cluster's own opinion of its health, as far as it says something about the speed of the moment."""

from __future__ import annotations

from radoscope.explain.evidence import ResultEvidence
from radoscope.explain.finding import Finding, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell
from radoscope.records import health
from radoscope.records.environment import Environment

_TROUBLE = "The cluster is not healthy; its numbers are not those of a healthy cluster."
_UNKNOWN = "The cluster has a health warning; whether it slows anything is not known."


def check_environment(environment: Environment) -> Verdict:
    cluster = environment.cluster
    if cluster is None:
        return Unchecked("the cluster's health was not recorded")
    checks = [health.judge_text(check) for check in cluster.health_checks]
    because = [str(check) for check in checks if check.spoils]
    if cluster.osds is not None and cluster.osds_up is not None and cluster.osds_up < cluster.osds:
        because.append(f"{cluster.osds - cluster.osds_up} of {cluster.osds} OSDs are down")
    if because:
        severity = Severity.INVALID if cluster.health == "HEALTH_ERR" else Severity.DOUBTFUL
        return _finding(_TROUBLE, severity, tuple(because))
    if not checks and cluster.health != "HEALTH_OK":
        return _without_reasons(cluster.health)
    unknown = tuple(str(check) for check in checks if check.effect is health.Effect.UNKNOWN)
    return _finding(_UNKNOWN, Severity.NOTE, unknown) if unknown else None


def check_result(evidence: ResultEvidence) -> Verdict:
    result = evidence.result
    overall = str(result.extra.get("health") or "HEALTH_OK")
    if result.tool != "ceph-status" or overall == "HEALTH_OK":
        return None
    return _without_reasons(overall, (evidence.name,))


def _without_reasons(overall: str, cells: tuple[str, ...] = ()) -> Finding:
    """HEALTH_ERR is trouble whatever the reason; many a HEALTH_WARN slows nothing."""
    if overall == "HEALTH_ERR":
        return _finding(_TROUBLE, Severity.INVALID, (overall,), cells)
    return _finding(_UNKNOWN, Severity.NOTE, (f"{overall}, and its reasons are not on record",), cells)


def _finding(claim: str, severity: Severity, because: tuple[str, ...], cells: tuple[str, ...] = ()) -> Finding:
    return Finding(
        rule=RULE.name,
        claim=claim,
        because=because,
        cells=cells,
        severity=severity,
        try_next="ceph health detail",
    )


RULE = Rule(
    name="health",
    question="Is the cluster healthy?",
    pitfalls=(9,),
    concerns=ceph_cell,
    environment=check_environment,
    result=check_result,
)
