"""The same model several times with other draws, over the cores: how far one run's answer is luck.

A replication has seeds of its own for the placement and for all streams, so the interval covers both. The seeds follow
from the first one alone: the answer does not depend on how many cores there are.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from radoscope.predict.simulate import compiling, simulate
from radoscope.predict.simulate.model import SimulationModel
from radoscope.predict.simulate.results import Phase, RouteResult, SimulationResult
from radoscope.predict.simulate.rng import mix_64
from radoscope.predict.simulate.run import compiled_walk
from radoscope.stats.interval import CONFIDENCE
from radoscope.stats.special import student_t
from radoscope.stats.values import Estimate, Interval, Undecided

PERCENTS = (50.0, 99.0, 99.9)


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimates:
    """One kind of op, or one phase, over all replications. percentiles_s: those of `PERCENTS` that all could tell."""

    name: str
    iops: Estimate
    mean_s: Estimate | None
    percentiles_s: dict[float, Estimate]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replications:
    """runs: in the order of their seeds, whichever ended first. phases: those that all runs had, of an OSD's loss.

    recovery_s: None where recovery did not end in all runs.
    """

    runs: tuple[SimulationResult, ...]
    routes: tuple[Estimates, ...]
    phases: tuple[Estimates, ...]
    recovery_s: Estimate | None


def replicate(
    model: SimulationModel,
    *,
    seconds: float,
    replications: int,
    warm_up_s: float | None = None,
    seed: int = 1,
    compiled: bool | None = None,
    workers: int | None = None,
) -> Replications:
    """`replications` independent runs. workers: threads; by default as many as the process may use cores.

    Compiled runs need no interpreter, so threads suffice. Raises ValueError for less than 1 replication.
    """
    if replications < 1:
        raise ValueError(f"replications: {replications} is less than 1")
    if compiled or (compiled is None and compiling.can_compile()):
        compiled_walk()  # one for all threads
    one = partial(simulate, model, seconds=seconds, warm_up_s=warm_up_s, compiled=compiled)
    with ThreadPoolExecutor(max_workers=workers or len(os.sched_getaffinity(0))) as pool:
        runs = tuple(pool.map(lambda seed: one(seed=seed), replication_seeds(seed, replications)))
    return summarise(runs)


def summarise(runs: tuple[SimulationResult, ...]) -> Replications:
    """Estimates over runs of one model."""
    phases = [{phase.name: phase for phase in run.phases} for run in runs]
    names = [name for name in phases[0] if all(name in run for run in phases)]
    recoveries = [run.recovery_s for run in runs if run.recovery_s is not None]
    return Replications(
        runs=runs,
        routes=tuple(_estimates(kinds) for kinds in zip(*(run.routes for run in runs), strict=True)),
        phases=tuple(_estimates([run[name] for run in phases]) for name in names),
        recovery_s=estimate(recoveries) if len(recoveries) == len(runs) else None,
    )


def replication_seeds(seed: int, replications: int) -> tuple[int, ...]:
    """The seed itself for the first one; each repeats its run with `--seed`."""
    return (seed, *(mix_64(mix_64(seed + 1) + number) >> 5 for number in range(1, replications)))


def _estimates(kinds: Sequence[RouteResult | Phase]) -> Estimates:
    """One kind of op, or phase, in all runs."""
    means = [kind.latency.mean_s for kind in kinds if kind.latency.mean_s is not None]
    known = [p for p in PERCENTS if all(p in kind.latency.percentiles_s for kind in kinds)]
    return Estimates(
        name=kinds[0].name,
        iops=estimate([kind.iops for kind in kinds]),
        mean_s=estimate(means) if len(means) == len(kinds) else None,
        percentiles_s={p: estimate([kind.latency.percentiles_s[p] for kind in kinds]) for p in known},
    )


def estimate(values: Sequence[float]) -> Estimate:
    """The mean over replications with Student's t interval (they are independent and many ops each)."""
    count, mean = len(values), math.fsum(values) / len(values)
    if count < 2:
        return Estimate(mean, Undecided("one replication", "at least 2"), 1, "replications")
    error = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (count - 1) / count)
    half = student_t(CONFIDENCE, count - 1) * error
    return Estimate(mean, Interval(mean - half, mean + half, CONFIDENCE), count, "replications")
