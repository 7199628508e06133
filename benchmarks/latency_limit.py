"""How often does the interval of "the most IOPS under a latency limit" hold the truth, and what does a search cost?

    python benchmarks/latency_limit.py [--trials 40]

Whole searches on the queue M/M/1, whose answer is known, served at 1,000 I/Os a second on average by a machine that
drifts. Prints a Markdown table; docs/statistics.md quotes it. The queue is that of the tests.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.stats.test_latency_limit import EACH_S, Asked, search

from radoscope.stats.values import Estimate, Interval

LIMITS = {"mean <= 5 ms": Asked(0.005), "p95 <= 10 ms": Asked(0.010, 95.0), "p99 <= 10 ms": Asked(0.010, 99.0)}
DRIFTS = (0.0, 0.05, 0.1)


def row(name: str, asked: Asked, drift: float, trials: int) -> str:
    """One line of the table."""
    runs = [search(seed, asked, drift=drift) for seed in range(trials)]
    found = [one for one, _ in runs if isinstance(one, Estimate) and isinstance(one.interval, Interval)]
    held = sum(not one.interval.excludes(asked.truth_mm1) for one in found if isinstance(one.interval, Interval))
    error = median(abs(one.value / asked.truth_mm1 - 1) for one in found)
    width = median(one.relative_half_width or 0.0 for one in found)
    seconds = median(len(tried) * EACH_S for _, tried in runs)
    cells = (name, f"{drift:.0%}", f"{len(found)} of {trials}", f"{held / len(found):.0%}")
    return f"| {' | '.join(cells)} | {width:.1%} | {error:.1%} | {seconds:.0f} s |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=40)
    trials = parser.parse_args().trials
    print("| limit | speed drifts by | an answer in | it held the truth | half-width | error | time of a search |")
    print("|---|---|---|---|---|---|---|")
    for name, asked in LIMITS.items():
        for drift in DRIFTS:
            print(row(name, asked, drift, trials), flush=True)


if __name__ == "__main__":
    main()
