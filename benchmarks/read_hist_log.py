"""How much CPU it takes to get percentiles over time out of 27 MB of fio's histogram logs: 8 jobs of 600 rows.

    python benchmarks/read_hist_log.py [--peer fiologparser_hist.py --python INTERPRETER]

The logs are drawn at random (seeded) with some 230 filled bins a row. Prints user and system seconds after start and,
with fio's own script and an interpreter that has numpy and pandas, its seconds and the largest difference of a value.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from radoscope.formats.fio.hist_log import HistogramLog, percentiles_over_time, read_histograms
from radoscope.records.measurement import Series

JOBS, ROWS, BINS = 8, 600, 1856
PERCENTILES = (50.0, 90.0, 95.0, 99.0)
GOAL_S = 0.4
FIRST_PERCENTILE_COLUMN = 4


def main() -> None:
    arguments = _arguments()
    with tempfile.TemporaryDirectory() as name:
        files = make_logs(Path(name))
        print(f"{len(files)} logs, {sum(file.stat().st_size for file in files) / 1e6:.1f} MB")
        ours, series = min((measured(files) for _ in range(arguments.runs)), key=lambda run: run[0])
        print(f"radoscope            {ours:6.2f} s CPU, goal {GOAL_S} s")
        if arguments.peer:
            theirs, rows = peer_run(arguments, files)
            print(f"fiologparser_hist.py {theirs:6.2f} s CPU, {theirs / ours:.0f} x radoscope")
            print(
                f"largest difference of a percentile {largest_difference(series, rows):.3g} ns in {len(rows)} intervals"
            )


def make_logs(folder: Path) -> list[Path]:
    source = np.random.default_rng(20)
    files = []
    for job in range(1, JOBS + 1):
        lines = []
        for row in range(1, ROWS + 1):
            counts = np.zeros(BINS, dtype=int)
            np.add.at(counts, source.normal(800, 55, 1000).astype(int).clip(0, BINS - 1), source.integers(1, 40, 1000))
            lines.append(f"{row * 1000 + job}, {row % 2}, 4096, " + ", ".join(map(str, counts)))
        file = folder / f"load_clat_hist.{job}.log"
        file.write_text("\n".join(lines) + "\n")
        files.append(file)
    return files


def measured(files: list[Path]) -> tuple[float, tuple[Series, ...]]:
    started = time.process_time()
    logs: list[HistogramLog] = [read_histograms(file.read_bytes()) for file in files]
    series = percentiles_over_time(logs, PERCENTILES)
    return time.process_time() - started, series


def peer_run(arguments: argparse.Namespace, files: list[Path]) -> tuple[float, list[list[float]]]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [arguments.python, arguments.peer, *map(str, files)], capture_output=True, text=True, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    rows = [[float(word) for word in line.split(",")] for line in done.stdout.strip().split("\n")[1:]]
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, rows


def largest_difference(series: tuple[Series, ...], rows: list[list[float]]) -> float:
    theirs = np.array(rows)[:, FIRST_PERCENTILE_COLUMN : FIRST_PERCENTILE_COLUMN + len(PERCENTILES)]
    ours = np.array([one.values for one in series]).T * 1e9
    return float(np.abs(ours - theirs).max())


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", help="fiologparser_hist.py of fio")
    parser.add_argument("--python", default=sys.executable, help="an interpreter with numpy and pandas")
    parser.add_argument("--runs", type=int, default=5)
    return parser.parse_args()


if __name__ == "__main__":
    main()
