"""What-ifs against real changes: `radoscope ab` on a sandbox measured both sides in turn, `predict` sees side A alone.

    radoscope ab --sandbox lab --a 'radoscope sandbox shape lab --network 1G --no-measure' \
        --b 'radoscope sandbox shape lab --network 10G --no-measure' --yes --budget 5m
    python benchmarks/what_if_pairs.py STUDY 'network_Gbps = 10' [STUDY 'size = 2' ...]

STUDY is side A, its B is STUDY-b. Inside: the predicted 80 % interval with that of the measured ratio. In log2, as in
docs/exams.md.
"""

from __future__ import annotations

import math
import statistics
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from radoscope import workflow
from radoscope.predict.insitu import what_if_study
from radoscope.predict.whatif import parse_changes
from radoscope.records.study import Study
from radoscope.stats.compare import interleaved
from radoscope.stats.segments import counting_segments, segment_rate

CLEAR = math.log(1.2)
FEWEST = 4


@dataclass(frozen=True)
class Pair:
    """All in ln. error: standard error of `measured`. half: of the predicted 80 % interval."""

    cell: str
    measured: float
    error: float
    predicted: float
    half: float

    @property
    def off(self) -> float:
        return abs(self.predicted - self.measured)

    @property
    def inside(self) -> bool:
        return self.off <= math.hypot(self.half, 1.28 * self.error)

    def __str__(self) -> str:
        low, high = (math.exp(self.predicted + side * self.half) for side in (-1, 1))
        said = f"{math.exp(self.predicted):.2f} ({low:.2f} to {high:.2f})"
        real = f"{math.exp(self.measured):.2f} ±{1.96 * self.error:.0%}"
        return f"| {self.cell} | {real} | {said} | {'' if self.inside else 'outside'} |"


def measured(a: Study, b: Study, cell: str) -> list[float]:
    sides = [counting_segments(study.segments_of(cell)) for study in (a, b)]
    rates = [(segment_rate(x), segment_rate(y)) for x, y in interleaved(sides[0], sides[1])]
    return [math.log(y / x) for x, y in rates if x and y]


def pairs(name: str, change: str) -> Iterator[Pair]:
    a, b = workflow.load_study(name), workflow.load_study(f"{name}-b")
    changes = parse_changes(change.split(";"))
    for cell, ratios in what_if_study(a, workflow.assess(a).summaries, changes):
        logs = measured(a, b, cell)
        if len(logs) >= FEWEST:
            said = ratios[-1]
            half = math.log(said.interval.high / said.interval.low) / 2
            error = statistics.stdev(logs) / math.sqrt(len(logs))
            yield Pair(cell, statistics.fmean(logs), error, math.log(said.ratio), half)


def main() -> None:
    found: list[Pair] = []
    for name, change in zip(sys.argv[1::2], sys.argv[2::2], strict=True):
        print(f"\n{change}\n\n| cell | measured | predicted | |\n| --- | --- | --- | --- |")
        for pair in pairs(name, change):
            print(pair)
            found.append(pair)
    clear = [pair for pair in found if abs(pair.measured) > CLEAR]
    print(
        f"\n{len(found)} ratios: error {statistics.median(pair.off for pair in found) / math.log(2):.2f} (median), "
        f"direction right in {sum(pair.measured * pair.predicted > 0 for pair in clear)} of {len(clear)}, "
        f"inside {sum(pair.inside for pair in found)}"
    )


if __name__ == "__main__":
    main()
