"""How full the cluster is: an empty one is faster than it will ever be again, a full one slows down and stops."""

from __future__ import annotations

from dataclasses import replace

from radoscope.explain.finding import Finding, Role, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell
from radoscope.records.environment import Environment
from radoscope.units import format_bytes

_FULL = 0.75
"""Nearfull is 85 %; OSDs are never filled evenly, so the fullest is ahead of the mean by about ten points."""
_NEARFULL = 0.85
"""mon_osd_nearfull_ratio: from here on Ceph warns, and a few points later it holds back recovery and writes."""
_EMPTY = 0.05


def check_environment(environment: Environment) -> Verdict:
    cluster = environment.cluster
    if cluster is None or not cluster.total_bytes or cluster.used_bytes is None:
        return Unchecked("the cluster's space was not recorded")
    share = cluster.used_bytes / cluster.total_bytes
    fullest = max((osd.used or 0.0 for osd in cluster.each_osd), default=0.0)
    if fullest >= _NEARFULL:
        told = f"the fullest OSD is at {fullest:.0%}, all together at {share:.0%}"
        advice = "Free space, or add OSDs, before you measure: ceph osd df"
        found = _finding("OSDs are nearly full: Ceph slows down, and stops at 95 %.", told, Severity.DOUBTFUL, advice)
        return replace(found, role=Role.CAUSE, resource="space")
    fact = f"{format_bytes(cluster.used_bytes)} of {format_bytes(cluster.total_bytes)} used: {share:.0%}"
    if share >= _FULL:
        return _finding(
            "The cluster is nearly full.", fact, Severity.DOUBTFUL, "Free space before you measure: ceph df"
        )
    if share < _EMPTY:
        advice = "Fill it to about half before you quote a number for production; BlueStore fragments as it fills."
        return _finding("The cluster is nearly empty: a filled one is slower.", fact, Severity.NOTE, advice)
    return None


def _finding(claim: str, fact: str, severity: Severity, try_next: str) -> Finding:
    return Finding(rule=RULE.name, claim=claim, because=(fact,), severity=severity, try_next=try_next)


RULE = Rule(
    name="fill-level",
    question="Is the cluster as full as in production?",
    pitfalls=(17, 27),
    concerns=ceph_cell,
    environment=check_environment,
)
