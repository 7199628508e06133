"""Daemons of several releases in one cluster."""

from __future__ import annotations

from radoscope.explain.finding import Finding
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell
from radoscope.records.environment import Environment


def check_environment(environment: Environment) -> Verdict:
    versions = environment.cluster.versions if environment.cluster else {}
    if not versions:
        return Unchecked("the daemons' versions were not recorded")
    by_version: dict[str, int] = {}
    for daemons in versions.values():
        for version, count in daemons.items():
            by_version[version] = by_version.get(version, 0) + count
    if len(by_version) < 2:
        return None
    return Finding(
        rule=RULE.name,
        claim="The daemons run different releases of Ceph.",
        because=tuple(f"{count} daemons: {version}" for version, count in sorted(by_version.items())),
        unless="an upgrade is under way",
        try_next="ceph versions; finish the upgrade before you compare",
    )


RULE = Rule(
    name="versions",
    question="Do all daemons run the same release?",
    concerns=ceph_cell,
    environment=check_environment,
)
