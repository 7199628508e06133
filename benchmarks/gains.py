"""Does healing a cause bring what was predicted? Of studies made by `diagnosis.py --then healed`.

    python benchmarks/diagnosis.py --then healed --out results      # each cause, and the same study once it is healed
    python benchmarks/gains.py results

A pair counts where the planted cause came first. Each cell is scored of which the first finding says a share: the ratio
of its two rates, against the interval that was predicted. Then, of each two causes and one cell, whether the one that
was to bring more did.
"""

from __future__ import annotations

import itertools
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterator
from math import log2
from pathlib import Path
from typing import NamedTuple

from diagnosis import CAUSES

from radoscope import explain
from radoscope.explain.advice import promises
from radoscope.explain.gains import Gain, gain_in
from radoscope.explain.ranking import is_cause
from radoscope.records.study import Study
from radoscope.stats.segments import segment_rate
from radoscope.workflow import assess, load_study

_FAR_APART = 1.15
"""Gains of which nobody can say which is larger are no question of order."""


class Scored(NamedTuple):
    """One cell of one cause. spread: half of how far apart the segments are, in log2."""

    cause: str
    cell: str
    predicted: Gain
    realised: float
    spread: float

    @property
    def inside(self) -> bool:
        """Within the predicted interval, as far as the measurement itself can tell."""
        slack = 2**self.spread
        return self.predicted.low / slack <= self.realised <= self.predicted.high * slack


def scored(sick: Path, healed: Path) -> Iterator[Scored]:
    name = sick.name.partition(".")[0]
    before, after = load_study(str(sick)), load_study(str(healed))
    assessed = assess(before)
    first = next((one for one in assessed.findings if is_cause(one)), None)
    if first is None or first.rule not in CAUSES[name].expected or not promises(first.rule):
        return
    promised = {
        checks.cell: gain_in(before, (checks.cell,), one.explains, at_most=one.at_most)
        for checks in explain.check_cells(before, assessed.summaries)
        for one in checks.fired
        if one.rule == first.rule and one.explains is not None
    }
    for cell in before.cells:
        rates = [_rates(study, cell.name) for study in (before, after)]
        if cell.name in promised and all(rates):
            (low, high), (low_after, high_after) = ((min(each), max(each)) for each in rates)
            ratio = statistics.mean(rates[1]) / statistics.mean(rates[0])
            yield Scored(name, cell.name, promised[cell.name], ratio, log2(high / low * high_after / low_after) / 4)


def _rates(study: Study, cell: str) -> list[float]:
    """Of its segments; two tell no interval, but how far apart they are."""
    measured = (segment_rate(one) for one in study.segments if one.cell == cell)
    return [rate for rate in measured if rate]


def main() -> None:
    rows: list[Scored] = []
    for healed in sorted(Path(sys.argv[1]).glob("*-healed.*")):
        name, _, study = healed.name.partition("-healed.")
        study = study.partition(".")[0]
        if (sick := healed.with_name(f"{name}.{study}")).is_dir():
            rows += scored(sick, healed)
    for row in rows:
        mark = " " if row.inside else "!"
        realised = f"x{row.realised:.2f} ±{2**row.spread - 1:.0%}"
        print(f"{mark} {row.cause:18} {row.cell:26} {row.predicted!s:>22}  {realised}")
    errors = sorted(abs(log2(row.realised / row.predicted.value)) for row in rows)
    inside = sum(row.inside for row in rows)
    median = errors[len(errors) // 2]
    print(f"{inside} of {len(rows)} within the interval; error of the ratio, median {median:.2f} log2")
    by_cell = defaultdict(list)
    for row in rows:
        by_cell[row.cell].append(row)
    agree = asked = 0
    for one, other in (pair for cell in by_cell.values() for pair in itertools.combinations(cell, 2)):
        realised, predicted = one.realised / other.realised, one.predicted.value / other.predicted.value
        if max(realised, 1 / realised) > _FAR_APART * 2 ** max(one.spread, other.spread) and predicted != 1:
            asked, agree = asked + 1, agree + ((realised > 1) == (predicted > 1))
    print(f"order of two causes in one cell: {agree} of {asked}")


if __name__ == "__main__":
    main()
