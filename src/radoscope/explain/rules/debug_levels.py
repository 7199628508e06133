"""Debug logging, lockdep and other options that make Ceph slow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from radoscope.explain.finding import Finding, Role, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell
from radoscope.records.environment import Environment

_LOUD = 5
"""Level written to the log. Ceph's defaults are 0 or 1 (5 for rocksdb's and the monitors' own subsystems)."""


def check_environment(environment: Environment) -> Verdict:
    if environment.cluster is None:
        return Unchecked("the cluster's configuration was not recorded")
    cluster = environment.cluster
    told = Counter(fact for osd in cluster.each_osd for fact in _slow_options(osd.options))
    in_daemons = (f"{fact} in {count} of {len(cluster.each_osd)} OSDs" for fact, count in told.items())
    because = (*_slow_options(cluster.changed_options), *in_daemons)
    if not because:
        return None
    return Finding(
        rule=RULE.name,
        claim="Ceph's debug logging or checks slow it down.",
        because=because,
        severity=Severity.DOUBTFUL,
        try_next="ceph config rm global OPTION for each; ceph tell osd.* config set debug_osd 1/5",
        role=Role.CAUSE,
        resource="logging",
        hides=("osd-cpu",),
    )


def _slow_options(options: Mapping[str, str]) -> Iterator[str]:
    for option, value in options.items():
        name = option.replace("/", " ").replace(":", " ").split()[-1]
        if name.startswith("debug_") and _level(value) > _LOUD:
            yield f"{option} = {value}"
        if name == "lockdep" and value.lower() in ("true", "1", "yes"):
            yield f"{option} = {value}"


def _level(value: str) -> int:
    """ "20/20" -> 20, the level written to the log; what is no level counts as 0."""
    first = value.split("/")[0].strip()
    return int(first) if first.isdigit() else 0


RULE = Rule(
    name="debug-levels",
    question="Is debug logging off?",
    pitfalls=(20,),
    concerns=ceph_cell,
    environment=check_environment,
)
