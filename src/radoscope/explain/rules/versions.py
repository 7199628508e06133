"""Daemons of several releases in one cluster, and releases that nobody has tried radoscope with."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from radoscope.explain.finding import Finding, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell
from radoscope.records.environment import Environment

NEWEST_TESTED = 20
"""The newest major release of Ceph that `make releases` runs on (docs/releases.md)."""


def check_environment(environment: Environment) -> Verdict:
    versions = environment.cluster.versions if environment.cluster else {}
    daemons = {kind: counts for kind, counts in versions.items() if kind != "overall"}
    if not daemons:
        return Unchecked("the daemons' versions were not recorded")
    by_version = sum((Counter(counts) for counts in daemons.values()), Counter[str]())
    if len(by_version) > 1:
        return _mixed(by_version, daemons.get("osd", {}))
    return _unknown(by_version)


def _mixed(by_version: Mapping[str, int], osds: Mapping[str, int]) -> Finding:
    counted = tuple(f"{count} daemons: {version}" for version, count in sorted(by_version.items()))
    return Finding(
        rule=RULE.name,
        claim=f"The {'OSDs' if len(osds) > 1 else 'daemons'} run different releases of Ceph.",
        because=counted,
        unless="an upgrade is under way",
        try_next="ceph versions; finish the upgrade before you compare",
    )


def _unknown(by_version: Mapping[str, int]) -> Finding | None:
    major = max((int(found[1]) for version in by_version if (found := re.search(r"(\d+)\.\d+", version))), default=0)
    if major <= NEWEST_TESTED:
        return None
    return Finding(
        rule=RULE.name,
        claim=f"Ceph {major} is newer than {NEWEST_TESTED}, the newest release that radoscope was tested with.",
        because=tuple(sorted(by_version)),
        unless="it answers as its predecessor does, which is what is assumed",
        severity=Severity.NOTE,
        try_next="radoscope's changelog: is there a version that knows it?",
    )


RULE = Rule(
    name="versions",
    question="Do all daemons run the same release?",
    concerns=ceph_cell,
    environment=check_environment,
)
