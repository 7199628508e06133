"""How many copies a write makes: fewer are faster, and comparable only with pools of the same size."""

from __future__ import annotations

from radoscope.explain.finding import Finding
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell
from radoscope.records.environment import Environment


def check_environment(environment: Environment) -> Verdict:
    pool = environment.cluster.pool if environment.cluster else None
    if pool is None or (pool.size is None and not pool.erasure_profile):
        return Unchecked("the pool's size is not known")
    if pool.erasure_profile or (pool.size or 0) >= 3:
        return None
    return Finding(
        rule=RULE.name,
        claim="The pool keeps fewer than three copies: its writes are faster than with the usual three.",
        because=(f"size {pool.size}",),
        unless="it is meant for scratch data",
        try_next=f"ceph osd pool set {pool.name} size 3, then measure writes again",
    )


RULE = Rule(
    name="replicas",
    question="Does the pool keep three copies?",
    concerns=ceph_cell,
    environment=check_environment,
)
