"""Unlike drives under one pool: the slow ones set the pace."""

from __future__ import annotations

from radoscope.explain.finding import Finding, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell
from radoscope.records.environment import Environment


def check_environment(environment: Environment) -> Verdict:
    cluster = environment.cluster
    models = {device.model for device in environment.devices if "osd" in device.used_for and device.model}
    classes = {name: count for name, count in cluster.device_classes.items() if name != "None"} if cluster else {}
    if not models and not classes:
        return Unchecked("the OSDs' drives are not known")
    because = []
    if len(classes) > 1:
        because.append("device classes: " + ", ".join(f"{count} x {name}" for name, count in sorted(classes.items())))
    if len(models) > 1:
        because.append("models: " + ", ".join(sorted(models)))
    if not because:
        return None
    return Finding(
        rule=RULE.name,
        claim="The OSDs do not all have the same drives.",
        because=tuple(because),
        severity=Severity.NOTE,
        unless="the pool's CRUSH rule takes one class only",
        try_next="ceph osd crush rule create-replicated fast default host ssd; ceph osd pool set POOL crush_rule fast",
    )


RULE = Rule(
    name="mixed-drives",
    question="Are the pool's drives alike?",
    pitfalls=(21,),
    concerns=ceph_cell,
    environment=check_environment,
)
