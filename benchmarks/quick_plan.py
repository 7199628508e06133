"""What the quick plan brings in its three minutes, on a quiet host and beside a load, on one standing sandbox.

    radoscope sandbox up quick
    python benchmarks/quick_plan.py --measure quick --quiet 10 --loaded 10      # in random order; prints the ids
    python benchmarks/quick_plan.py --quiet-ids ID ... --loaded-ids ID ...      # the tables

The load keeps one core busy for 5 to 20 s, a third of the time. Error: of a cell's rate against the mean of all other
quiet studies, which is several times as long. A/A: each pair of quiet studies is compared, cell by cell; nothing was
changed between them, so every "faster" and "slower" is a false alarm.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import fmean, median

import radoscope
from radoscope.stats.verdict import Faster, Slower

SPIN = (sys.executable, "-c", "while True: pass")
BUSY_S = (5.0, 20.0)


@contextlib.contextmanager
def load(random_: random.Random) -> Iterator[None]:
    """One core busy for 5 to 20 s at a time, a third of the time."""
    ended = threading.Event()

    def spin() -> None:
        while not ended.is_set():
            busy = random_.uniform(*BUSY_S)
            ended.wait(busy * random_.uniform(0.5, 1.5))
            with subprocess.Popen(SPIN) as spinning:
                ended.wait(busy)
                spinning.kill()
            ended.wait(busy * random_.uniform(0.5, 1.5))

    thread = threading.Thread(target=spin)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def measure(sandbox: str, quiet: int, loaded: int) -> None:
    order = [False] * quiet + [True] * loaded
    random_ = random.Random(quiet + loaded)
    random_.shuffle(order)
    for beside in order:
        begun = time.monotonic()
        with load(random_) if beside else contextlib.nullcontext():
            subprocess.run(
                ("radoscope", "study", "--sandbox", sandbox, "--quiet"), check=True, stdout=subprocess.DEVNULL
            )
        words = "loaded" if beside else "quiet"
        print(f"{words} {radoscope.studies()[0]} {time.monotonic() - begun:.0f} s", flush=True)


def half_widths(study: radoscope.LoadedStudy) -> list[float]:
    """Of each cell's rate, relative."""
    rates = (one.iops for one in study.summaries.cells)
    return [
        one.interval.half_width / one.value
        for one in rates
        if isinstance(one, radoscope.Estimate) and isinstance(one.interval, radoscope.Interval)
    ]


def layer(study: radoscope.LoadedStudy) -> str:
    claims = [finding.claim for finding in study.findings if finding.rule == "costliest-layer"]
    return claims[0] if claims else "not decided"


def print_studies(kind: str, studies: Sequence[radoscope.LoadedStudy]) -> None:
    print(f"\n| {kind} | median half-width | widest | cells with a rate | within ±5 % | within ±10 % | costliest |")
    print("|---|---|---|---|---|---|---|")
    for study in studies:
        widths = half_widths(study)
        within = [sum(width <= limit for width in widths) for limit in (0.05, 0.1)]
        print(
            f"| {study.id} | ±{median(widths):.1%} | ±{max(widths):.0%} | {len(widths)} | {within[0]} | {within[1]} |"
            f" {layer(study)} |"
        )


def print_errors(kind: str, studies: Sequence[radoscope.LoadedStudy], quiet: Sequence[radoscope.LoadedStudy]) -> None:
    """Of every study's rates against the mean of the other quiet ones."""
    errors, holds, widths = [], 0, []
    for study in studies:
        for cell in study.cells:
            own = study[cell].iops
            others = [r.value for s in quiet if s is not study and isinstance(r := s[cell].iops, radoscope.Estimate)]
            if others and isinstance(own, radoscope.Estimate) and isinstance(own.interval, radoscope.Interval):
                errors.append(abs(own.value / fmean(others) - 1))
                widths.append(own.interval.half_width / own.value)
                holds += not own.interval.excludes(fmean(others))
    print(
        f"\n{kind}: {len(errors)} rates; true error {median(errors):.1%} in the median, interval ±{median(widths):.1%},"
        f" {holds / len(errors):.1%} hold the mean of the others"
    )


def print_alarms(quiet: Sequence[radoscope.LoadedStudy]) -> None:
    verdicts = Counter(
        "alarm" if isinstance(pair.verdict, Faster | Slower) else type(pair.verdict).__name__
        for a, b in itertools.combinations(quiet, 2)
        for pair in radoscope.compare(a, b).cells
    )
    print(f"\nA/A, {sum(verdicts.values())} comparisons of cells: {dict(verdicts)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", metavar="SANDBOX")
    parser.add_argument("--quiet", type=int, default=10)
    parser.add_argument("--loaded", type=int, default=10)
    parser.add_argument("--quiet-ids", nargs="*", default=[])
    parser.add_argument("--loaded-ids", nargs="*", default=[])
    wanted = parser.parse_args()
    if wanted.measure:
        measure(wanted.measure, wanted.quiet, wanted.loaded)
        return
    quiet, loaded = ([radoscope.load(one) for one in ids] for ids in (wanted.quiet_ids, wanted.loaded_ids))
    for kind, studies in (("quiet", quiet), ("loaded", loaded)):
        if studies:
            print_studies(kind, studies)
            print_errors(kind, studies, quiet)
    print_alarms(quiet)


if __name__ == "__main__":
    main()
