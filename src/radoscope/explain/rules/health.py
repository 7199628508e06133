"""The cluster's own opinion of its health."""

from __future__ import annotations

from radoscope.explain.evidence import ResultEvidence
from radoscope.explain.finding import Finding, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell
from radoscope.records.environment import Environment

_HARMLESS = frozenset(
    {
        "AUTH_INSECURE_GLOBAL_ID_RECLAIM",
        "AUTH_INSECURE_GLOBAL_ID_RECLAIM_ALLOWED",
        "DASHBOARD_DEBUG",
        "MGR_MODULE_DEPENDENCY",
        "MGR_MODULE_ERROR",
        "MON_MSGR2_NOT_ENABLED",
        "POOL_APP_NOT_ENABLED",
        "POOL_NO_REDUNDANCY",
        "RECENT_CRASH",
        "RECENT_MGR_MODULE_CRASH",
        "TELEMETRY_CHANGED",
        "TOO_FEW_OSDS",
    }
)
"""Warnings that slow nothing down: what failed is elsewhere, past, or a matter of safety."""


def check_environment(environment: Environment) -> Verdict:
    cluster = environment.cluster
    if cluster is None:
        return Unchecked("the cluster's health was not recorded")
    because = [check for check in cluster.health_checks if not _is_harmless(check)]
    if cluster.osds is not None and cluster.osds_up is not None and cluster.osds_up < cluster.osds:
        because.append(f"{cluster.osds - cluster.osds_up} of {cluster.osds} OSDs are down")
    only_harmless = bool(cluster.health_checks) and cluster.health != "HEALTH_ERR"
    if not because and (cluster.health == "HEALTH_OK" or only_harmless):
        return None
    return _finding(cluster.health, tuple(because) or (cluster.health,))


def _is_harmless(check: str) -> bool:
    """checks come as "CODE" or "CODE: summary"."""
    return check.partition(":")[0].strip() in _HARMLESS


def check_result(evidence: ResultEvidence) -> Verdict:
    result = evidence.result
    health = str(result.extra.get("health") or "HEALTH_OK")
    if result.tool != "ceph-status" or health == "HEALTH_OK":
        return None
    # Without its reasons, most of which slow nothing, a warning says little.
    return _finding(health, (health,), (evidence.name,), Severity.NOTE if health == "HEALTH_WARN" else None)


def _finding(
    health: str, because: tuple[str, ...], cells: tuple[str, ...] = (), severity: Severity | None = None
) -> Finding:
    return Finding(
        rule=RULE.name,
        claim="The cluster is not healthy; its numbers are not those of a healthy cluster.",
        because=because,
        cells=cells,
        severity=severity or (Severity.INVALID if health == "HEALTH_ERR" else Severity.DOUBTFUL),
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
