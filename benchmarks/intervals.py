"""How often do radoscope's intervals hold the truth, and its comparisons tell it? Measured on synthetic cells.

    python benchmarks/intervals.py [coverage|shared|budget|disturbed|design|contiguous|alarms|power|tails|all]
        [--trials 500]

Prints Markdown tables; docs/statistics.md quotes them. Shapes of the series: benchmarks/series.py.
"""

from __future__ import annotations

import argparse
import math
import tempfile
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median

import numpy as np
from series import AR1, BURSTY, DRIFTING, MEASURED, QUIET, Shape, make

from radoscope.kinds.ab.pairs import schedule
from radoscope.kinds.rounds.budget import Allocation, SoFar
from radoscope.plan import load
from radoscope.plan.estimate import FULL_ROUNDS
from radoscope.plan.expand import cells_of
from radoscope.records.conditions import Layer
from radoscope.records.environment import Environment
from radoscope.records.measurement import Histogram, Latency, Result, Series
from radoscope.records.study import Cell, Outcome, Segment
from radoscope.stats.enough import outlook
from radoscope.stats.experiment import decide_pairs
from radoscope.stats.interval import LEAST_SEGMENTS, WIDENING, Spread, mean_of_segments, prior_of, spread_of
from radoscope.stats.ladder import climb, costliest, rung_of
from radoscope.stats.ratio import Ratio, ratio_of_rates, satterthwaite
from radoscope.stats.special import student_t
from radoscope.stats.steady import mean_of_series
from radoscope.stats.summarise import shared_prior, summarise_cell
from radoscope.stats.tails import percentiles_of
from radoscope.stats.values import Estimate, Interval, Summaries, Undecided
from radoscope.stats.verdict import Faster, Slower
from radoscope.stats.yardstick import disturbance

START_S = 1.2
"""Seconds that the start of a tool costs."""

RAMP_S = 1.0
"""Seconds of load at the head of each segment that are not counted."""

AT_MOST_S = 60.0
"""Counted seconds a cell may take, as in the standard plan."""

ALL = QUIET + AR1 + DRIFTING + BURSTY + MEASURED


class Rounds:
    """Segments of one cell in a study of `cells` cells: one in each round, at a random place of it.

    rates: shape (trials, rounds), the mean of each segment. truth: shape (trials, rounds), what an interval over the
    first k rounds should hold: 1, or for drifting shapes the mean over the time from the first to the last segment.
    """

    def __init__(self, shape: Shape, *, cells: int, seconds: float, rounds: int, trials: int, seed: int = 1) -> None:
        rng = np.random.default_rng(seed)
        self.step = seconds + START_S + RAMP_S
        self.gap_s = cells * self.step
        series = make(shape, rng, trials, int(rounds * self.gap_s) + 3)
        self.sums = np.concatenate([np.zeros((trials, 1)), series.cumsum(axis=1)], axis=1)
        place = np.arange(rounds) * cells + rng.integers(0, cells, (trials, rounds))
        starts = place * self.step + START_S + RAMP_S
        self.rates = (self.sum_until(starts + seconds) - self.sum_until(starts)) / seconds
        self.truth = np.ones((trials, rounds))
        if shape.drift:
            first = starts[:, :1]
            self.truth = (self.sum_until(starts + seconds) - self.sum_until(first)) / (starts + seconds - first)

    def sum_until(self, times: np.ndarray) -> np.ndarray:
        whole = times.astype(int)
        rows = np.arange(len(self.sums))[:, None]
        left, right = self.sums[rows, whole], self.sums[rows, np.minimum(whole + 1, self.sums.shape[1] - 1)]
        return left + (times - whole) * (right - left)


def stop_at(rates: list[float], precision: float, gap_s: float) -> int:
    """Rounds after which the stopping rule ends the cell; all of them where it never does."""
    for count in range(LEAST_SEGMENTS, len(rates)):
        if outlook(rates[:count], precision, gap_s=gap_s).enough:
            return count
    return len(rates)


def covered(estimate: Estimate | Undecided, truth: float) -> bool:
    assert isinstance(estimate, Estimate) and isinstance(estimate.interval, Interval)
    return not estimate.interval.excludes(truth)


def sequential(rounds: Rounds, precision: float | None) -> dict[str, float]:
    """precision None: all rounds, no stopping."""
    hits, counts, within, errors, halves, wrong = [], [], [], [], [], []
    for rates, truths in zip(rounds.rates.tolist(), rounds.truth.tolist(), strict=True):
        count = len(rates) if precision is None else stop_at(rates, precision, rounds.gap_s)
        estimate = mean_of_segments(rates[:count], gap_s=rounds.gap_s)
        assert isinstance(estimate, Estimate)
        half = estimate.relative_half_width or 0.0
        hits.append(covered(estimate, truths[count - 1]))
        counts.append(count)
        within.append(half <= (precision or 0))
        wrong.append(within[-1] and not hits[-1])
        errors.append(abs(estimate.value / truths[count - 1] - 1))
        halves.append(half)
    return {
        "coverage": float(np.mean(hits)),
        "rounds": float(np.mean(counts)),
        "precise": float(np.mean(within)),
        "wrong": float(np.mean(wrong)),
        "error": float(np.quantile(errors, 0.95)),
        "half": float(np.mean(halves)),
    }


def coverage(trials: int) -> None:
    """Nominal 95 % intervals in the design of rounds, with the stopping rule and without."""
    for cells in (27, 9, 3, 1):
        print(f"\n### {cells} cells in a round, segments of 3 s, at most {AT_MOST_S:.0f} s counted\n")
        print(
            "| cell | covered, 8 rounds | covered, stopped at ±5 % | stopped | precise but wrong | counted s | wall s |"
        )
        print("|---|---|---|---|---|---|---|")
        rows = []
        for shape in ALL:
            fixed = sequential(Rounds(shape, cells=cells, seconds=3, rounds=8, trials=trials), None)
            plan = Rounds(shape, cells=cells, seconds=3, rounds=int(AT_MOST_S // 3), trials=trials)
            found = sequential(plan, 0.05)
            rows.append((fixed["coverage"], found["coverage"]))
            print(
                f"| {shape.name} | {fixed['coverage']:.1%} | {found['coverage']:.1%} | {found['precise']:.0%} "
                f"| {found['wrong']:.1%} | {3 * found['rounds']:.0f} | {plan.step * found['rounds']:.0f} |",
                flush=True,
            )
        print(f"| mean | {np.mean(rows, axis=0)[0]:.1%} | {np.mean(rows, axis=0)[1]:.1%} | | | | |")


def shared(trials: int) -> None:
    """Studies of 19 cells of random shapes, segments of 1 s: each cell's own variance, or shared with the others."""
    print(
        "\n| rounds | alone: covered, half-width | shared: covered, half-width | least of a shape |\n|---|---|---|---|"
    )
    pool = [shape for shape in ALL if not shape.drift]
    for count in (4, 5, 6, 8, 11):
        rng = np.random.default_rng(7)
        alone: list[tuple[bool, float]] = []
        both: list[tuple[bool, float]] = []
        by_shape: dict[str, list[bool]] = defaultdict(list)
        for trial in range(trials):
            shapes = [pool[index] for index in rng.integers(0, len(pool), 19)]
            cells = [
                Rounds(s, cells=19, seconds=1, rounds=count, trials=1, seed=100 * trial + i)
                for i, s in enumerate(shapes)
            ]
            rates = [cell.rates[0].tolist() for cell in cells]
            prior = prior_of(rates)
            for shape, values, gap_s in zip(shapes, rates, (cell.gap_s for cell in cells), strict=True):
                for used, rows in ((None, alone), (prior, both)):
                    estimate = mean_of_segments(values, gap_s=gap_s, prior=used)
                    assert isinstance(estimate, Estimate)
                    rows.append((covered(estimate, 1.0), estimate.relative_half_width or 0.0))
                by_shape[shape.name].append(both[-1][0])
        words = [
            f"{np.mean([hit for hit, _ in rows]):.1%}, ±{np.median([half for _, half in rows]):.1%}"
            for rows in (alone, both)
        ]
        least = min((float(np.mean(hits)), name) for name, hits in by_shape.items())
        print(f"| {count} | {words[0]} | {words[1]} | {least[0]:.1%} ({least[1]}) |", flush=True)


GATED_S = 1.3
"""What a segment of 1 s takes where its tool waits ready before it."""

LADDER_S = {"disk": 0.7e-3, "network": 0.1e-3, "rados": 2.0e-3, "rbd": 2.4e-3}
"""Of one 4K write: the OSDs cost most, 1.1 ms beyond disk and two round trips."""


def segment_of(cell: Cell, number: int, now_s: float, speed: float) -> Segment:
    """speed: over what is true."""
    one_s = LADDER_S[cell.conditions.layer.value] / speed
    latency = Latency(mean_s=one_s, samples=1000)
    result = Result(tool="fio", iops=1 / one_s, bandwidth_bytes_per_s=4e6 * speed, latency=latency, runtime_s=1.0)
    return Segment(
        cell=cell.name, round=number, outcome=Outcome.DONE, started_at_s=now_s, seconds=GATED_S, results=(result,)
    )


def played(kind: str, seed: int, budget_s: float, allocated: bool) -> tuple[list[tuple[bool, float]], bool, bool]:
    """One quick study of a kind of shape: of each cell whether its interval holds the truth, and its half-width; and
    whether the layer question was decided, and rightly."""
    rng = np.random.default_rng(seed)
    cells = cells_of(load("quick"))
    step = GATED_S
    pool = KINDS[kind]
    series = {c.name: make(pool[rng.integers(len(pool))], rng, 1, int(budget_s) + 3)[0] for c in cells}
    segments: dict[str, list[Segment]] = {cell.name: [] for cell in cells}
    allocation = Allocation(Path(tempfile.gettempdir()), 0.1, Environment(), lambda cell: step)
    now_s, number = 0.0, 1
    while now_s + step <= budget_s:
        prior = shared_prior(cells, lambda cell: segments[cell])
        chosen = list(cells)
        if allocated and number > FULL_ROUNDS:
            now = SoFar(round=number, left_s=budget_s - now_s, segments=segments, prior=prior)
            chosen = allocation.choose(cells, now)
        for cell in rng.permutation(np.array(chosen, dtype=object)):
            if now_s + step > budget_s:
                break
            segments[cell.name].append(segment_of(cell, number, now_s, float(series[cell.name][int(now_s)])))
            now_s += step
        number += 1
    prior = shared_prior(cells, lambda cell: segments[cell])
    rows = []
    for cell in cells:
        estimate = summarise_cell(cell, segments[cell.name], 0.1, prior).judged
        layer = cell.conditions.layer
        truth = 4e6 if layer is Layer.NETWORK else 1 / LADDER_S[layer.value]
        assert isinstance(estimate, Estimate)
        rows.append((covered(estimate, truth), estimate.relative_half_width or 0.0))
    summaries = Summaries(cells=tuple(summarise_cell(cell, segments[cell.name], prior=prior) for cell in cells))
    rungs = [rung_of(summaries, layer, writes=True) for layer in (Layer.DISK, Layer.NETWORK, Layer.RADOS, Layer.RBD)]
    most = costliest(climb(rungs, 2, writes=True))
    assert most is not None
    return rows, most.certain, most.step.layer is Layer.RADOS


KINDS = {"quiet": QUIET, "AR(1)": AR1, "bursty": BURSTY, "measured": MEASURED, "all": QUIET + AR1 + BURSTY + MEASURED}


def budget(trials: int) -> None:
    """Quick studies of 19 cells in 150 s of measuring: rounds of all cells, or spent where it tells most."""
    head = ("cells", "spent", "covered", "half-width", "within ±5 %", "within ±10 %", "layer decided", "wrongly")
    print(f"\n| {' | '.join(head)} |\n{'|---' * len(head)}|")
    for kind in KINDS:
        for allocated in (False, True):
            found = [played(kind, seed, 150.0, allocated) for seed in range(trials)]
            rows = [row for each, _, _ in found for row in each]
            halves = np.array([half for _, half in rows])
            held, sure, wrong = (
                f"{np.mean(each):.1%}"
                for each in (
                    [hit for hit, _ in rows],
                    [certain for _, certain, _ in found],
                    [certain and not right for _, certain, right in found],
                )
            )
            spent = "where it tells most" if allocated else "evenly"
            within = f"{np.mean(halves <= 0.05):.0%} | {np.mean(halves <= 0.1):.0%}"
            print(f"| {kind} | {spent} | {held} | ±{np.median(halves):.1%} | {within} | {sure} | {wrong} |", flush=True)


def disturbed(trials: int) -> None:
    """Cells beside a load of one core that comes for 5 to 20 s, a third of the time, and takes 30 % of the rate: all
    segments counted, or those left out that the rule marks. The truth is the rate without the load."""
    print("\n| segments | counted | covered | half-width | left out |\n|---|---|---|---|---|")
    cells = cells_of(load("quick"))
    for rule in (False, True):
        rng = np.random.default_rng(3)
        rows: list[tuple[bool, float]] = []
        left_out: list[float] = []
        for _ in range(trials):
            kept: list[Segment] = []
            until_s, busy = 0.0, False
            for place in range(8 * len(cells)):
                now_s = place * GATED_S
                while now_s >= until_s:
                    busy = not busy
                    until_s += rng.uniform(5, 20) if busy else rng.uniform(10, 40)
                cell, number = cells[place % len(cells)], place // len(cells) + 1
                share = float(busy)
                speed = float(1 + 0.08 * rng.standard_normal()) * (1 - 0.3 * share)
                cores = Series("strangers_cpu", "1", (now_s,), (max(0.0, share + 0.15 * rng.standard_normal()),))
                segment = replace(segment_of(cell, number, now_s, speed), telemetry=(cores,))
                kept.append(replace(segment, disturbed=disturbance(segment, kept) if rule else ""))
            left_out.append(float(np.mean([bool(one.disturbed) for one in kept])))
            by_cell = {cell.name: [one for one in kept if one.cell == cell.name] for cell in cells}
            prior = shared_prior(cells, by_cell.__getitem__)
            for cell in cells:
                if cell.conditions.layer is not Layer.NETWORK:
                    found = summarise_cell(cell, by_cell[cell.name], 0.1, prior).iops
                    assert isinstance(found, Estimate)
                    truth = 1 / LADDER_S[cell.conditions.layer.value]
                    rows.append((covered(found, truth), found.relative_half_width or 0.0))
        hits, halves = [hit for hit, _ in rows], [half for _, half in rows]
        words = "calm ones" if rule else "all"
        print(f"| 8 | {words} | {np.mean(hits):.1%} | ±{np.median(halves):.1%} | {np.mean(left_out):.0%} |", flush=True)


def design(trials: int) -> None:
    """Segment length at equal wall time: 75 s a cell, all starts and ramps included, against one block of 60 s."""
    print(
        "\n| segment s | rounds | 95 % of errors below, mean over shapes | half-width, mean | covered |\n"
        "|---|---|---|---|---|"
    )
    for seconds in (1.0, 2.0, 3.0, 4.0, 6.0, 10.0, 20.0):
        count = int(75 // (seconds + START_S + RAMP_S))
        made = [Rounds(s, cells=9, seconds=seconds, rounds=count, trials=trials) for s in ALL]
        found = [sequential(each, None) for each in made]
        means = {key: np.mean([row[key] for row in found]) for key in ("error", "half", "coverage")}
        print(
            f"| {seconds:g} | {count} | {means['error']:.1%} | {means['half']:.1%} | {means['coverage']:.1%} |",
            flush=True,
        )
    rng = np.random.default_rng(1)
    errors = [np.quantile(np.abs(make(s, rng, trials, 60).mean(axis=1) - 1), 0.95) for s in ALL]
    print(f"| one block of 60 | 1 | {np.mean(errors):.1%} | none | |")


def contiguous(trials: int) -> None:
    """The mean of one series: how often an interval is given, and how often it holds the truth."""
    print(
        "\n| cell | "
        + " | ".join(f"{n} s: given, covered" for n in (60, 120, 180, 300, 600))
        + " |\n|---|---|---|---|---|---|"
    )
    for shape in QUIET + AR1 + MEASURED:
        cells = []
        for seconds in (60, 120, 180, 300, 600):
            series = make(shape, np.random.default_rng(4), trials, seconds)
            found = [mean_of_series(row) for row in series]
            given = [e for e in found if isinstance(e, Estimate) and isinstance(e.interval, Interval)]
            hits = np.mean([covered(e, 1.0) for e in given]) if given else math.nan
            cells.append(f"{len(given) / trials:.0%}, {hits:.0%}")
        print(f"| {shape.name} | " + " | ".join(cells) + " |", flush=True)


def alarms(trials: int) -> None:
    """A/A: two separate studies of the same cell, 9 cells a round, stopped at ±5 %; "different" should be rare."""
    print("\n| cell | Welch, log means | Fieller | bootstrap |\n|---|---|---|---|")
    total = []
    for shape in ALL:
        a = Rounds(shape, cells=9, seconds=3, rounds=20, trials=trials, seed=1)
        b = Rounds(shape, cells=9, seconds=3, rounds=20, trials=trials, seed=2)
        different = []
        for of_a, of_b in zip(a.rates.tolist(), b.rates.tolist(), strict=True):
            of_a, of_b = of_a[: stop_at(of_a, 0.05, a.gap_s)], of_b[: stop_at(of_b, 0.05, b.gap_s)]
            ratio = ratio_of_rates(of_a, of_b, gap_a_s=a.gap_s, gap_b_s=b.gap_s)
            assert isinstance(ratio, Ratio)
            fieller = fieller_differs(spread_of(of_a, None, a.gap_s), spread_of(of_b, None, b.gap_s))
            different.append((ratio.p_different() <= 0.05, fieller, bootstrap_differs(of_a, of_b)))
        shares = np.mean(different, axis=0)
        total.append(shares)
        print(f"| {shape.name} | " + " | ".join(f"{share:.1%}" for share in shares) + " |", flush=True)
    print("| mean | " + " | ".join(f"{share:.1%}" for share in np.mean(total, axis=0)) + " |")


def fieller_differs(a: Spread, b: Spread) -> bool:
    """Does Fieller's interval of b / a leave out 1? With the same widening and degrees as Welch's."""
    variances = [spread.standard_error**2 for spread in (a, b)]
    degrees = satterthwaite(variances, [a.degrees, b.degrees])
    return abs(b.mean - a.mean) > WIDENING * student_t(0.95, degrees) * math.sqrt(sum(variances))


def bootstrap_differs(a: list[float], b: list[float], draws: int = 199) -> bool:
    """Does the percentile bootstrap's interval of the ratio, segments drawn with replacement, leave out 1?"""
    rng = np.random.default_rng(len(a))
    of_a, of_b = (rng.choice(x, (draws, len(x))).mean(axis=1) for x in (a, b))
    low, high = np.quantile(of_b / of_a, [0.025, 0.975])
    return bool(low > 1 or high < 1)


def pairs(
    shape: Shape, *, seconds: float, cost: float, blocks: int, effect: float, trials: int
) -> tuple[np.ndarray, ...]:
    """An A/B experiment: blocks of one A and one B in random order, each `seconds` long after `cost` lost ones."""
    rng = np.random.default_rng(3)
    step = seconds + cost
    sums = np.concatenate(
        [np.zeros((trials, 1)), make(shape, rng, trials, int(2 * blocks * step) + 3).cumsum(axis=1)], axis=1
    )
    rows = np.arange(trials)

    def until(times: np.ndarray) -> np.ndarray:
        whole = times.astype(int)
        return sums[rows, whole] + (times - whole) * (sums[rows, whole + 1] - sums[rows, whole])

    a, b = np.empty((trials, blocks)), np.empty((trials, blocks))
    for block in range(blocks):
        a_first = rng.random(trials) < 0.5
        early = np.full(trials, 2 * block * step + cost)
        for rates, start in ((a, np.where(a_first, early, early + step)), (b, np.where(a_first, early + step, early))):
            rates[:, block] = (until(start + seconds) - until(start)) / seconds
    return a, b * effect


def experiment(a: list[float], b: list[float]) -> tuple[bool, int]:
    """(called different, pairs used)."""
    planned = schedule(len(a))
    for count in planned.looks:
        _, verdict = decide_pairs(a[:count], b[:count], confidence=planned.confidence(count))
        if not isinstance(verdict, Undecided):
            return isinstance(verdict, Faster | Slower), count
    return False, len(a)


def fixed_blocks(shape: Shape, effect: float, trials: int) -> float:
    """The field's protocol, 2 x 5 runs of 60 s, all A first, judged by Welch's t: how often it finds the effect."""
    rng = np.random.default_rng(5)
    means = make(shape, rng, trials, 600).reshape(trials, 10, 60).mean(axis=2)
    found = [ratio_of_rates(row[:5].tolist(), (row[5:] * effect).tolist()) for row in means]
    return float(np.mean([isinstance(r, Ratio) and r.p_different() <= 0.05 for r in found]))


def power(trials: int) -> None:
    """A/B experiments of at most 600 s (2 x 5 x 60 s): A/A alarms, and how often -10 % is found."""
    for seconds, cost in ((1.0, 0.6), (3.0, 0.6), (3.0, 2.2), (10.0, 5.0)):
        blocks = int(600 // (2 * (seconds + cost)))
        print(f"\n### segments of {seconds:g} s, {cost:g} s lost at each switch, at most {blocks} pairs\n")
        print(
            "| cell | A/A called different | -10 % found | median s to find it | 5 x 60 s blocks find it |\n"
            "|---|---|---|---|---|"
        )
        totals = []
        for shape in ALL:
            same = pairs(shape, seconds=seconds, cost=cost, blocks=blocks, effect=1.0, trials=trials)
            less = pairs(shape, seconds=seconds, cost=cost, blocks=blocks, effect=0.9, trials=trials)
            alarm = [experiment(x, y)[0] for x, y in zip(same[0].tolist(), same[1].tolist(), strict=True)]
            found = [experiment(x, y) for x, y in zip(less[0].tolist(), less[1].tolist(), strict=True)]
            took = median(count for _, count in found) * 2 * (seconds + cost)
            hits = float(np.mean([hit for hit, _ in found]))
            totals.append((np.mean(alarm), hits))
            blocks_find = fixed_blocks(shape, 0.9, trials)
            print(f"| {shape.name} | {np.mean(alarm):.1%} | {hits:.0%} | {took:.0f} | {blocks_find:.0%} |", flush=True)
        print(f"| mean | {np.mean(totals, axis=0)[0]:.1%} | {np.mean(totals, axis=0)[1]:.0%} | | |")


def binned(latencies_s: np.ndarray) -> Histogram:
    """As fio bins: 64 for each power of two, named by their middle."""
    width = 2.0 ** (np.floor(np.log2(latencies_s)) - 6)
    values, counts = np.unique((np.floor(latencies_s / width) + 0.5) * width, return_counts=True)
    return Histogram(tuple(values.tolist()), tuple(counts.tolist()))


def tails(trials: int) -> None:
    """Percentiles where the scale of latency changes from segment to segment, 10 of them: covered, of those given."""
    print("\n| scale varies by | I/Os a segment | p50 | p99 | p99.9 | p99.99 |\n|---|---|---|---|---|---|")
    for spread in (0.0, 0.1, 0.2):
        rng = np.random.default_rng(6)
        population = np.exp(rng.normal(0, spread, 4_000_000)) * rng.lognormal(0, 0.8, 4_000_000)
        truths = {p: float(np.quantile(population, p / 100)) for p in (50.0, 99.0, 99.9, 99.99)}
        for ios in (3000, 15000):
            given = dict.fromkeys(truths, 0)
            hits = dict.fromkeys(truths, 0)
            for _ in range(trials):
                scales = np.exp(rng.normal(0, spread, 10))
                found = percentiles_of([binned(s * rng.lognormal(0, 0.8, ios)) for s in scales], list(truths))
                for percent, estimate in found.items():
                    if isinstance(estimate, Estimate) and isinstance(estimate.interval, Interval):
                        given[percent] += 1
                        hits[percent] += not estimate.interval.excludes(truths[percent])
            cells = [
                f"{hits[p] / given[p]:.1%} of {given[p] / trials:.0%}" if given[p] else "not given" for p in truths
            ]
            print(f"| {spread:.0%} | {ios} | " + " | ".join(cells) + " |", flush=True)


PARTS: dict[str, Callable[[int], None]] = {
    "coverage": coverage,
    "shared": shared,
    "design": design,
    "contiguous": contiguous,
    "alarms": alarms,
    "power": power,
    "budget": budget,
    "disturbed": disturbed,
    "tails": tails,
}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", nargs="?", default="all", choices=["all", *PARTS])
    parser.add_argument("--trials", type=int, default=500)
    chosen = parser.parse_args(arguments)
    for name, part in PARTS.items():
        if chosen.part in ("all", name):
            print(f"\n## {name}: {(part.__doc__ or '').strip()}\n({chosen.trials} trials each)", flush=True)
            part(chosen.trials)


if __name__ == "__main__":
    main()
