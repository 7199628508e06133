"""Is a newer Ceph faster? The same small plan on the same machine, the roots of `make releases` taking turns.

    python3 scripts/release_speeds.py [ROUNDS]     default 6; a round takes two to three minutes

Rounds are kept in speeds.json beside the roots, and those of earlier calls count too.

A round measures every release once, in turn, each on a sandbox that is started for it. The ratio of two releases is
taken within a round, so that what changes on the machine meets both; over the rounds, the mean of its logarithm has a
95 % interval by Student's t.
"""

from __future__ import annotations

import json
import math
import os
import statistics
import sys
from itertools import pairwise
from pathlib import Path

import releases

# Two-sided 95 %, by degrees of freedom.
STUDENT = {1: 12.71, 2: 4.30, 3: 3.18, 4: 2.78, 5: 2.57, 6: 2.45, 7: 2.36, 8: 2.31, 9: 2.26, 10: 2.23, 11: 2.20}
WITHIN_S = 300.0
PLAN = """\
name = "speeds"
rounds = 2
seconds = "2s"
ramp = "500ms"
at_most = "2s"
image_size = "256MiB"
object_set = "16MiB"
[[cells]]
layer = "rbd"
op = "randwrite"
block = "4K"
queue_depth = 1
[[cells]]
layer = "rbd"
op = ["randwrite", "randread"]
block = "4K"
queue_depth = 32
[[cells]]
layer = "rbd"
op = "write"
block = "4M"
queue_depth = 8
"""
COMMAND = (
    "export RADOSCOPE_HOME=/root/speeds; rm -rf $RADOSCOPE_HOME;"
    " .venv/bin/radoscope study --plan /root/speeds.toml --json 2>/root/speeds.err || { cat /root/speeds.err; exit 3; }"
)
Rates = dict[str, float]


def measure(root: Path) -> tuple[str, Rates]:
    """(version of Ceph, title of the cell -> operations a second)."""
    (root / "root/speeds.toml").write_text(PLAN)
    code, told = releases.enter(root, COMMAND, None, WITHIN_S)
    if code:
        raise releases.Failure(f"{root.name}: exit code {code}: {told[-400:]}")
    study = json.loads(told)
    version = study["environment"]["cluster"]["version"]
    return version, {cell["title"]: cell["iops"]["value"] for cell in study["cells"]}


def interval(logs: list[float]) -> tuple[float, float, float]:
    """(estimate, lower, upper) of the ratio whose logarithms these are."""
    mean = statistics.fmean(logs)
    half = STUDENT[min(len(logs) - 1, max(STUDENT))] * statistics.stdev(logs) / math.sqrt(len(logs))
    return math.exp(mean), math.exp(mean - half), math.exp(mean + half)


def table(rounds: list[dict[str, Rates]]) -> str:
    versions = sorted(rounds[0], key=lambda version: int(version.split(".")[0]))
    pairs = [*pairwise(versions), (versions[0], versions[-1])] if len(versions) > 2 else [*pairwise(versions)]
    head = ["cell", *(f"{version}, IOPS" for version in versions), *(f"{b} / {a}" for a, b in pairs)]
    lines = [head, ["---"] * len(head)]
    for cell in rounds[0][versions[0]]:
        rates = [f"{statistics.median(each[version][cell] for each in rounds):,.0f}" for version in versions]
        ratios = [interval([math.log(each[b][cell] / each[a][cell]) for each in rounds]) for a, b in pairs]
        lines.append([cell, *rates, *(f"{ratio:.2f} ({low:.2f} to {high:.2f})" for ratio, low, high in ratios)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 6
    folder = Path(os.environ.get("RADOSCOPE_ROOTS") or Path.home() / ".cache/radoscope/roots")
    kept = folder / "speeds.json"
    rounds: list[dict[str, Rates]] = json.loads(kept.read_text()) if kept.exists() else []
    for turn in range(len(rounds), len(rounds) + count):
        order = releases.SUITES[turn % 3 :] + releases.SUITES[: turn % 3]
        rounds.append(dict(measure(folder / suite) for suite in order))
        kept.write_text(json.dumps(rounds))
        print(f"round {turn + 1}", file=sys.stderr, flush=True)
    print(table(rounds))


if __name__ == "__main__":
    main()
