"""The queue depth that counts is the one over all jobs."""

from __future__ import annotations

from radoscope.explain.command import fio_again
from radoscope.explain.evidence import ResultEvidence
from radoscope.explain.finding import Finding
from radoscope.explain.rule import Rule, Verdict
from radoscope.units import format_count


def check_result(evidence: ResultEvidence) -> Verdict:
    result, total = evidence.result, evidence.in_flight
    jobs, depth = result.jobs or 1, result.queue_depth
    if total is None or jobs == 1 or result.tool in ("iperf3", "iperf", "ping"):
        return None
    because = [f"{jobs} jobs x queue depth {depth} = {format_count(total)} in flight"]
    if result.iops:
        because.append(f"one job did {format_count(result.iops / jobs)} IOPS")
    return Finding(
        rule=RULE.name,
        claim="The rate is the sum of all jobs: compare it only with runs with as many I/Os in flight.",
        because=tuple(because),
        cells=(evidence.name,),
        unless="the jobs stand for separate clients whose sum you want",
        try_next=f"{fio_again(evidence, iodepth='1', numjobs='1')} (what one client sees)",
    )


RULE = Rule(
    name="effective-depth",
    question="How many I/Os were really in flight?",
    pitfalls=(11,),
    result=check_result,
)
