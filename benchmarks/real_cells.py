"""Do the intervals of real cells hold the truth, and what would fixed runs of 60 s have told? On a real cluster.

    radoscope study --sandbox NAME --plan benchmarks/real-cells.toml          # many rounds of few cells
    radoscope study --sandbox NAME --plan benchmarks/real-cells-fixed.toml    # one run of 60 s of each cell
    python benchmarks/real_cells.py STUDY ... [--fixed STUDY ...]             # several: before, between and after

All rounds, those of several studies one after the other, are the long series of a cell. A study is taken out of it:
every sixth round, as if five times as many other cells had been measured in between, stopped by radoscope's own rule.
The rounds that do not belong to it are the reference, five times as long and spread over the same time. Six studies can
be taken out in this way. Prints Markdown tables; docs/statistics.md quotes them.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from radoscope.archives.imported import read_bundle
from radoscope.records.study import Segment, Study
from radoscope.stats.enough import outlook_of
from radoscope.stats.interval import FIRST_INTERVAL, mean_of_segments
from radoscope.stats.segments import counting_segments, gap_of, rates_of
from radoscope.stats.values import Estimate, Interval

EVERY = 6
LEAST_ROUNDS = 5
AT_MOST_S = 60.0


@dataclass(frozen=True, slots=True)
class Taken:
    """One study of a cell, taken out of the long one: what it said, what it cost, what was true."""

    estimate: Estimate
    seconds: float
    precise: bool
    truth: float

    @property
    def interval(self) -> Interval:
        assert isinstance(self.estimate.interval, Interval)
        return self.estimate.interval

    @property
    def holds(self) -> bool:
        return not self.interval.excludes(self.truth)

    @property
    def error(self) -> float:
        return abs(self.estimate.value / self.truth - 1)


def studies_in(segments: Sequence[Segment], precision: float) -> Iterator[Taken]:
    """The six studies that every sixth round makes. segments: of one cell, in the order of time."""
    for first in range(EVERY):
        own = segments[first::EVERY]
        used = stopped(own, precision)
        estimate = mean_of_segments(rates_of(used), gap_s=gap_of(used))
        if isinstance(estimate, Estimate) and len(used) >= FIRST_INTERVAL:
            others = [one for number, one in enumerate(segments) if number % EVERY != first]
            precise = outlook_of(used, precision).enough
            yield Taken(estimate, wall(used), precise, mean(rates_of(others)))


def stopped(segments: Sequence[Segment], precision: float) -> Sequence[Segment]:
    """As the rounds of a study stop: precise, or out of time."""
    for count in range(LEAST_ROUNDS, len(segments) + 1):
        used = segments[:count]
        if outlook_of(used, precision).enough or wall(used) * (1 + 1 / count) > AT_MOST_S:
            return used
    return segments


def wall(segments: Sequence[Segment]) -> float:
    return math.fsum(segment.seconds for segment in segments)


def mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def series_of(segment: Segment) -> tuple[float, ...]:
    """The rates inside a fixed run, one a second, as people look at them."""
    series = [one for result in segment.results for one in result.series if one.name == "iops"]
    return tuple(series[0].values) if series else ()


def naive_half_width(rates: Sequence[float]) -> float:
    """What the spread of the seconds would promise if they were independent, relative to the mean."""
    middle = mean(rates)
    spread = math.sqrt(math.fsum((rate - middle) ** 2 for rate in rates) / (len(rates) - 1))
    return 1.96 * spread / math.sqrt(len(rates)) / middle


def joined(studies: Sequence[Study], cell: str) -> tuple[Segment, ...]:
    """All segments of a cell that count, in the order of time."""
    return counting_segments([segment for study in studies for segment in study.segments_of(cell)])


def coverage_table(studies: Sequence[Study], precision: float) -> None:
    print(f"\nAsked: ±{precision:.0%} of the mean.\n")
    print("| cell | intervals that hold the reference | precise | median s | half-width | error, root mean square |")
    print("|---|---|---|---|---|---|")
    everything: list[Taken] = []
    for cell in studies[0].cells:
        taken = list(studies_in(joined(studies, cell.name), precision))
        everything += taken
        print(f"| {cell.title} {row(taken)}")
    print(f"| all {row(everything)}")


def row(taken: Sequence[Taken]) -> str:
    widths = [one.estimate.relative_half_width or math.inf for one in taken]
    return (
        f"| {sum(one.holds for one in taken)} of {len(taken)} | {sum(one.precise for one in taken)} of {len(taken)} "
        f"| {median(one.seconds for one in taken):.0f} | ±{median(widths):.1%} "
        f"| {math.sqrt(mean([one.error**2 for one in taken])):.1%} |"
    )


def fixed_table(studies: Sequence[Study], fixed: Sequence[Study]) -> None:
    print("\nOne run of 60 s, against the mean of all rounds.\n")
    print("| cell | runs | error, root mean square | its seconds promise | kept | 60 s in rounds: error |")
    print("|---|---|---|---|---|---|")
    for cell in studies[0].cells:
        long = joined(studies, cell.name)
        runs = joined(fixed, cell.name)
        if not runs:
            continue
        truth = mean(rates_of(long))
        errors = [abs(rates_of([run])[0] / truth - 1) for run in runs]
        promises = [naive_half_width(series_of(run)) for run in runs if len(series_of(run)) > 1]
        kept = sum(error <= promise for error, promise in zip(errors, promises, strict=False))
        rounds = list(studies_in(long, 0.0))
        print(
            f"| {cell.title} | {len(runs)} | {math.sqrt(mean([e * e for e in errors])):.1%} "
            f"| {'±' + format(median(promises), '.1%') if promises else 'not known'} | {kept} of {len(promises)} "
            f"| {math.sqrt(mean([one.error**2 for one in rounds])):.1%} |"
        )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("studies", type=Path, nargs="+")
    options.add_argument("--fixed", type=Path, nargs="*", default=[])
    asked = options.parse_args()
    studies = [read_bundle(folder) for folder in asked.studies]
    for precision in (0.05, 0.10):
        coverage_table(studies, precision)
    if asked.fixed:
        fixed_table(studies, [read_bundle(folder) for folder in asked.fixed])


if __name__ == "__main__":
    main()
