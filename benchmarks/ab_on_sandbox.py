"""How often does `radoscope ab` cry wolf, and does it find a real 10 %? On a real sandbox, not on synthetic series.

    python benchmarks/ab_on_sandbox.py alarms --experiments 4      # A and B are the same: every verdict is a false one
    python benchmarks/ab_on_sandbox.py power --experiments 3       # B has 9/10 of A's rate, by a limit in librbd

Each experiment measures several cells; each cell is one comparison. Starts a sandbox and removes it again.
"""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from radoscope import sandbox
from radoscope.kinds.ab.experiments import Experiment, of_commands
from radoscope.kinds.ab.run import AbDone, AbRequest, run_ab
from radoscope.plan.schema import Plan, check_plan
from radoscope.run.events import RunEvent, Step
from radoscope.session.request import StudyRequest
from radoscope.session.target import Target
from radoscope.stats.compare import interleaved
from radoscope.stats.experiment import decide_pairs
from radoscope.stats.segments import counting_segments, segment_rate
from radoscope.stats.values import Undecided
from radoscope.stats.verdict import Equivalent, Faster, Slower, Verdict
from radoscope.workflow import load_study

SMALL = {"seconds": "1s", "ramp": "200ms", "image_size": "32MiB", "object_set": "16MiB"}
CELLS = [
    {"layer": "rbd", "op": ["randwrite", "randread"], "block": "4K", "queue_depth": [1, 16]},
    {"layer": "rados", "op": ["write", "randread"], "block": "4K", "queue_depth": 16},
]
LIMITED = [{"layer": "rbd", "op": "randread", "block": "4K", "queue_depth": [8, 16]}]
LIMIT = 'rbd config pool set "$RADOSCOPE_POOL" rbd_qos_iops_limit'
SHOW = 'rbd config pool get "$RADOSCOPE_POOL" rbd_qos_iops_limit'


@contextmanager
def a_sandbox(name: str | None) -> Iterator[str]:
    """One that is up, or a new one that is removed at the end."""
    if name is not None:
        yield name
        return
    made = f"ab-{time.strftime('%H%M%S')}"
    sandbox.up(sandbox.SandboxSpec(name=made), lambda words: None)
    try:
        yield made
    finally:
        sandbox.down(made)


def run(plan: Plan, experiment: Experiment, place: str, budget_s: float) -> AbDone:
    study = StudyRequest.build(plan, Target(sandbox=place))
    request = AbRequest(study=study, experiment=experiment, budget_s=budget_s, settle_s=0.2)
    return run_ab(request, tell, threading.Event())


def tell(event: RunEvent) -> None:
    if isinstance(event, Step) and event.words.startswith(("look", "a pair")):
        print(f"    {event.words}", flush=True)


def alone(done: AbDone) -> Iterator[Verdict]:
    """The verdict of each cell as if it had been the only one of its experiment: the same looks, no Bonferroni."""
    assert done.folder_b is not None
    a, b = load_study(str(done.folder)), load_study(str(done.folder_b))
    for cell in a.cells:
        sides = [counting_segments(study.segments_of(cell.name)) for study in (a, b)]
        rates = [(segment_rate(x), segment_rate(y)) for x, y in interleaved(sides[0], sides[1])]
        pairs = [(x, y) for x, y in rates if x is not None and y is not None]
        yield _first_verdict(done, pairs)


def _first_verdict(done: AbDone, pairs: Sequence[tuple[float, float]]) -> Verdict:
    planned = done.schedule
    assert planned is not None
    verdict: Verdict = Undecided("not looked at")
    for look in [look for look in planned.looks if look < len(pairs)] + [len(pairs)]:
        x, y = [one for one, _ in pairs[:look]], [one for _, one in pairs[:look]]
        confidence = planned.confidence(look, ends=look == len(pairs) == done.pairs)
        _, verdict = decide_pairs(x, y, confidence=confidence)
        if not isinstance(verdict, Undecided):
            break
    return verdict


def alarms(place: str, experiments: int, budget_s: float) -> None:
    plan = check_plan({"name": "aa", **SMALL, "cells": CELLS}, "alarms")
    in_experiment: list[Verdict] = []
    by_itself: list[Verdict] = []
    wolves = 0
    for number in range(1, experiments + 1):
        print(f"experiment {number} of {experiments}", flush=True)
        done = run(plan, of_commands("true", "true", None), place, budget_s)
        verdicts = [judgement.verdict for judgement in done.judgements]
        in_experiment += verdicts
        by_itself += alone(done)
        wolves += any(isinstance(one, Faster | Slower) for one in verdicts)
        print(f"  so far, as the experiment says:       {told(in_experiment)}")
        print(f"  so far, each cell judged as if alone: {told(by_itself)}", flush=True)
    print(f"experiments with any false alarm: {wolves} of {experiments}")


def power(place: str, experiments: int, budget_s: float) -> None:
    plan = check_plan({"name": "limit", **SMALL, "seconds": "2s", "cells": LIMITED}, "power")
    for number in range(1, experiments + 1):
        print(f"experiment {number} of {experiments}", flush=True)
        done = run(plan, of_commands(f"{LIMIT} 500", f"{LIMIT} 450", SHOW), place, budget_s)
        for one in done.judgements:
            ratio = one.ratio if isinstance(one.ratio, Undecided) else f"B/A {one.ratio.value:.3f} {one.ratio.interval}"
            print(f"  {one.cell.name}: {type(one.verdict).__name__}, {ratio}, {one.pairs} pairs, {done.seconds:.0f} s")


def told(verdicts: Sequence[Verdict]) -> str:
    different = sum(isinstance(one, Faster | Slower) for one in verdicts)
    same = sum(isinstance(one, Equivalent) for one in verdicts)
    return f"{different} of {len(verdicts)} different, {same} equivalent, {len(verdicts) - different - same} undecided"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=["alarms", "power"])
    parser.add_argument("--experiments", type=int, default=4)
    parser.add_argument("--budget", type=float, default=300.0, help="seconds for the pairs of one experiment")
    parser.add_argument("--sandbox", help="one that is up")
    asked = parser.parse_args()
    with a_sandbox(asked.sandbox) as place:
        {"alarms": alarms, "power": power}[asked.part](place, asked.experiments, asked.budget)


if __name__ == "__main__":
    main()
